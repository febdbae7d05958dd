//! Holds the walls between the rooms: in comes the source, out come the names that a room must not use.

use std::path::{Path, PathBuf};

/// The rooms, each allowed to use those before it.
const ROOMS: [&str; 17] = [
    "number", "sort", "report", "bundle", "image", "material", "model", "format", "anim", "skin", "figure", "open",
    "check", "stage", "export", "render", "web",
];

/// What only the rooms that face the browser may name.
const BROWSER: [&str; 4] = ["wasm_bindgen", "web_sys", "js_sys", "glow::"];

/// Parsers that must not know each other; a .vta is one with its .smd.
const PARSERS: [&str; 5] = ["md5", "md3", "smd", "qc", "animation_cfg"];

#[test]
fn arrows_between_rooms_go_one_way() {
    let faults = in_all_sources(|path, line| {
        let room = room_of(path)?;
        let allowed = ROOMS.iter().position(|candidate| *candidate == room)?;
        let uses = |name: &str| line.contains(&format!("crate::{name}")) && name != room;
        ROOMS[allowed + 1..].iter().find(|later| uses(later)).map(|later| format!("{room} uses {later}"))
    });
    assert_eq!(faults, [""; 0]);
}

#[test]
fn every_room_has_its_place() {
    let faults = in_all_sources(|path, _| {
        let room = room_of(path)?;
        (!ROOMS.contains(&room.as_str())).then(|| format!("{room} is not among the rooms"))
    });
    assert_eq!(faults, [""; 0]);
}

#[test]
fn only_the_rooms_that_face_the_browser_name_it() {
    let faults = in_all_sources(|path, line| {
        let room = room_of(path)?;
        if room == "render" || room == "web" {
            return None;
        }
        BROWSER.iter().find(|name| line.contains(*name)).map(|name| format!("{room} names {name}"))
    });
    assert_eq!(faults, [""; 0]);
}

#[test]
fn parsers_do_not_know_each_other() {
    let faults = in_all_sources(|path, line| {
        if room_of(path)? != "format" {
            return None;
        }
        let parser = PARSERS.iter().find(|parser| names(path, parser))?;
        let others = PARSERS.iter().filter(|other| *other != parser);
        let uses =
            |other: &&&str| line.contains(&format!("super::{other}")) || line.contains(&format!("format::{other}"));
        others.clone().find(uses).map(|other| format!("{parser} uses {other}"))
    });
    assert_eq!(faults, [""; 0]);
}

#[test]
fn unsafe_is_in_one_file_and_each_block_says_why() {
    let faults = in_all_sources(|path, line| {
        let is_gl = path.ends_with("render/gl.rs");
        let code = line.split("//").next().unwrap_or_default();
        (code.contains("unsafe {") && !is_gl).then(|| "unsafe outside render/gl.rs".to_string())
    });
    assert_eq!(faults, [""; 0]);
}

/// Whether a file belongs to a parser: `format/md5.rs` and everything in `format/md5/`.
fn names(path: &Path, parser: &str) -> bool {
    path.iter().any(|part| part.to_string_lossy().split('.').next() == Some(parser))
}

/// The room of a file under src: the name of the top file or folder. `lib.rs` is the map and belongs to none.
fn room_of(path: &Path) -> Option<String> {
    let room = path.iter().next()?.to_string_lossy().trim_end_matches(".rs").to_string();
    (room != "lib").then_some(room)
}

/// Runs `fault` on every line of every source file, with the file's path under src.
fn in_all_sources(fault: impl Fn(&Path, &str) -> Option<String>) -> Vec<String> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut faults = Vec::new();
    let mut files = 0;
    let mut folders = vec![src.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files += 1;
                let inner = path.strip_prefix(&src).unwrap();
                for (index, line) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
                    if let Some(fault) = fault(inner, line) {
                        faults.push(format!("{}:{}: {fault}", inner.display(), index + 1));
                    }
                }
            }
        }
    }
    assert!(files > 20, "the sources are there to be read");
    faults
}
