//! The bundle: names found as games find them, archives mounted in place, and archives that mean harm.

use rigview::bundle::Bundle;

/// A file of a test archive: path as written, bytes, whether deflated.
type Entry<'a> = (&'a str, &'a [u8], bool);

fn zip(entries: &[Entry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = rawzip::ZipArchiveWriter::new(&mut bytes);
    for (path, data, deflated) in entries {
        let (method, stored) = match deflated {
            true => (rawzip::CompressionMethod::DEFLATE, miniz_oxide::deflate::compress_to_vec(data, 6)),
            false => (rawzip::CompressionMethod::STORE, data.to_vec()),
        };
        let path = rawzip::path::EntryPath::verbatim(path.as_bytes());
        let (mut entry, config) = archive.new_file(path).compression_method(method).start().unwrap();
        let mut writer = config.wrap(std::io::sink());
        std::io::Write::write_all(&mut writer, data).unwrap();
        let (_, descriptor) = writer.finish().unwrap();
        std::io::Write::write_all(&mut entry, &stored).unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    bytes
}

fn pak(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut data, mut list): (Vec<u8>, Vec<u8>) = Default::default();
    for (path, bytes) in entries {
        let mut name = path.as_bytes().to_vec();
        name.resize(56, 0);
        list.extend(name);
        list.extend((12 + data.len() as u32).to_le_bytes());
        list.extend((bytes.len() as u32).to_le_bytes());
        data.extend(*bytes);
    }
    let mut pak = b"PACK".to_vec();
    pak.extend((12 + data.len() as u32).to_le_bytes());
    pak.extend((list.len() as u32).to_le_bytes());
    pak.extend(data);
    pak.extend(list);
    pak
}

fn bundle(files: &[&str]) -> Bundle {
    let mut bundle = Bundle::default();
    for path in files {
        bundle.add(path, path.as_bytes().to_vec());
    }
    bundle
}

const GAME: &[&str] = &["tga", "jpg", "png"];

/// Looks `name` up beside `near` and compares the path that is found; `""` for nothing.
#[track_caller]
fn finds(files: &[&str], name: &str, near: &str, expected: &str) {
    let lookup = bundle(files).resolve(name, near, GAME);
    assert_eq!(lookup.path.as_deref().unwrap_or(""), expected, "tried {:?}", lookup.tried);
}

#[test]
fn case_and_slashes_do_not_matter() {
    finds(&["Models/Players/X/Skin.TGA"], "models\\players\\x\\skin.tga", "", "Models/Players/X/Skin.TGA");
    finds(&["Models\\Players\\skin.tga"], "/models//players/./SKIN", "", "Models\\Players\\skin.tga");
}

#[test]
fn own_extension_comes_first_then_the_games() {
    finds(&["a/x.jpg", "a/x.tga"], "a/x.jpg", "", "a/x.jpg");
    finds(&["a/x.jpg", "a/x.png"], "a/x.tga", "", "a/x.jpg");
    finds(&["a/x.png", "a/x.tga"], "a/x", "", "a/x.tga");
    finds(&["a/x.psd", "a/x.pcx"], "a/x.psd", "", "a/x.psd");
    finds(&["a/x.v2.tga", "a/x.tga"], "a/x.v2", "", "a/x.v2.tga");
    finds(&["a/x.tga"], "a/x.v2", "", "a/x.tga");
    // No game would, but the user meant it.
    finds(&["a/x.webp"], "a/x.tga", "a/", "a/x.webp");
}

#[test]
fn folders_are_left_out_step_by_step() {
    finds(&["x.tga"], "C:\\Quake\\baseq3\\textures\\x.tga", "", "x.tga");
    finds(&["textures/x.tga", "x.tga"], "C:\\Quake\\baseq3\\textures\\x.tga", "", "textures/x.tga");
    finds(&["models/foo/x.png"], "/Users/me/models/foo/x.psd", "", "models/foo/x.png");
    finds(&["models/skins/x.tga"], "../skins/x.tga", "models/a/", "models/skins/x.tga");
    finds(&["x.tga"], "../skins/x.tga", "models/a/", "x.tga");
}

#[test]
fn dropped_folders_may_lie_above() {
    finds(&["mymod/models/x.tga"], "models/x.tga", "mymod/models/", "mymod/models/x.tga");
    finds(&["a/models/x.tga", "b/models/x.tga"], "models/x.tga", "b/models/", "b/models/x.tga");
    finds(&["a/models/x.tga", "models/x.tga"], "models/x.tga", "models/", "models/x.tga");
    finds(&["models/b/textures/x.tga", "textures/x.tga"], "textures/x.tga", "models/a/", "textures/x.tga");
}

#[test]
fn a_name_without_folder_is_sought_beside_its_file_first() {
    finds(&["skin.tga", "a/skin.tga", "b/skin.tga"], "skin", "b/", "b/skin.tga");
    finds(&["skin.tga", "a/skin.tga"], "skin", "c/", "skin.tga");
    finds(&["a/skin.tga"], "skin", "c/", "a/skin.tga");
}

#[test]
fn a_file_elsewhere_in_the_same_tree_is_another_file() {
    let files = &["models/b/skin.tga"];
    finds(files, "models/a/skin.tga", "models/a/", "");
    // … but dropped loose, or beside the model, it is what was meant.
    finds(files, "models/a/skin.tga", "models/b/", "models/b/skin.tga");
    finds(&["foo/textures/skin.tga"], "models/players/foo/skin.tga", "foo/models/", "foo/textures/skin.tga");
}

#[test]
fn nothing_is_no_name() {
    for name in ["", " ", "/", "models/", "models\\", "..", "."] {
        let lookup = bundle(&["models/x.tga", "x.tga", ".tga"]).resolve(name, "models/", GAME);
        assert_eq!((lookup.path, lookup.tried.len()), (None, 0), "{name:?}");
    }
}

#[test]
fn tried_paths_are_listed_in_order() {
    let lookup = bundle(&["y.tga"]).resolve("C:\\q\\x.jpg", "", &["tga"]);
    assert_eq!(lookup.path, None);
    assert_eq!(lookup.tried, ["c:/q/x.jpg", "c:/q/x.tga", "q/x.jpg", "q/x.tga", "x.jpg", "x.tga"]);
    let lookup = bundle(&["x.tga"]).resolve("q/x.jpg", "", &["tga"]);
    assert_eq!(lookup.tried, ["q/x.jpg", "q/x.tga", "x.jpg", "x.tga"]);
}

#[test]
fn long_names_are_not_kept_for_each_of_their_folders() {
    let bundle = bundle(&["a/b/x.tga"]);
    let lookup = bundle.resolve(&"a/".repeat(100_000), "", GAME);
    assert_eq!((lookup.path, lookup.tried.len()), (None, 0));
    let lookup = bundle.resolve(&format!("{}x", "a/".repeat(100_000)), "", GAME);
    assert_eq!((lookup.path, lookup.tried.len()), (None, 0));
    let lookup = bundle.resolve(&format!("{}y.tga", "a/".repeat(400)), "", GAME);
    assert!(lookup.tried.len() < 50, "{}", lookup.tried.len());
    let lookup = bundle.resolve(&format!("{}a/b/x.tga", "c/".repeat(400)), "", GAME);
    assert_eq!(lookup.path.as_deref(), Some("a/b/x.tga"));
}

#[test]
fn what_lies_below_a_folder_is_listed() {
    let bundle = bundle(&["A/b/x.tga", "a/y.tga", "ab/z.tga", "a.tga"]);
    let below = |folder| bundle.paths_below(folder).collect::<Vec<_>>();
    assert_eq!(below("a"), ["A/b/x.tga", "a/y.tga"]);
    assert_eq!(below("a\\B/"), ["A/b/x.tga"]);
    assert_eq!(below("").len(), 4);
    assert!(below("c").is_empty());
}

#[test]
fn a_file_in_an_archives_place_takes_what_it_held_away() {
    let mut bundle = Bundle::default();
    bundle.add("d/a.pk3", zip(&[("in.txt", b"in", false)]));
    bundle.add("loose.txt", b"loose".to_vec());
    assert_eq!(bundle.paths().count(), 2);
    bundle.add("D\\A.PK3", zip(&[("other.txt", b"other", false)]));
    assert_eq!(bundle.paths().collect::<Vec<_>>(), ["loose.txt", "other.txt"]);
    assert_eq!(bundle.resolve("in.txt", "", GAME).path, None);
}

#[test]
fn archives_are_mounted_over_each_other() {
    let mut bundle = Bundle::default();
    bundle.add("baseq3/pak1.pk3", zip(&[("models/a.txt", b"pak1", true), ("only1.txt", b"1", false)]));
    bundle.add("baseq3/pak0.pk3", zip(&[("Models\\A.TXT", b"pak0", false), ("only0.txt", b"0", true)]));
    assert_eq!(bundle.report().to_string(), "");
    assert_eq!(bundle.paths().collect::<Vec<_>>(), ["models/a.txt", "only0.txt", "only1.txt"]);
    assert_eq!(bundle.read("MODELS/a.txt").as_deref(), Some(&b"pak1"[..]));
    assert_eq!(bundle.archive_of("models/a.txt"), Some("baseq3/pak1.pk3"));
    bundle.add("models/a.txt", b"loose".to_vec());
    assert_eq!(bundle.read("models/a.txt").as_deref(), Some(&b"loose"[..]));
    assert_eq!(bundle.archive_of("models/a.txt"), None);
    // The same archive again takes the place of the first.
    bundle.add("BASEQ3/pak1.pk3", zip(&[("new.txt", b"new", true)]));
    assert_eq!(bundle.paths().collect::<Vec<_>>(), ["models/a.txt", "new.txt", "only0.txt"]);
    assert_eq!(bundle.resolve("x/new.txt", "", &[]).path.as_deref(), Some("new.txt"));
    assert_eq!(bundle.resolve("only1.txt", "", &[]).path, None);
}

#[test]
fn the_later_of_two_entries_with_one_path_is_seen() {
    let mut bundle = Bundle::default();
    bundle.add("a.pk3", zip(&[("a.txt", b"first", false), ("A.txt", b"second", false)]));
    assert_eq!(bundle.read("a.txt").as_deref(), Some(&b"second"[..]));
}

#[test]
fn quakes_pak_is_an_archive() {
    let mut bundle = Bundle::default();
    bundle.add("pak0.pak", pak(&[("progs/soldier.mdl", b"IDPO"), ("gfx/palette.lmp", b"rgb")]));
    assert_eq!(bundle.paths().collect::<Vec<_>>(), ["gfx/palette.lmp", "progs/soldier.mdl"]);
    assert_eq!(bundle.read("gfx/palette.lmp").as_deref(), Some(&b"rgb"[..]));
}

#[test]
fn an_archive_is_known_by_its_bytes_and_its_name() {
    let mut bundle = Bundle::default();
    bundle.add("download", zip(&[("a.txt", b"a", true)]));
    // Offsets that count from the archive's own start, as `cat stub archive` leaves them.
    let mut prefixed = b"#!/bin/sh\n".to_vec();
    prefixed.extend(zip(&[("b.txt", b"b", true)]));
    bundle.add("self-extracting.zip", prefixed);
    bundle.add("PACKING.txt", b"PACK the bags".to_vec());
    assert_eq!(bundle.report().to_string(), "");
    assert_eq!(bundle.read("a.txt").as_deref(), Some(&b"a"[..]));
    assert_eq!(bundle.read("b.txt").as_deref(), Some(&b"b"[..]));
    assert!(bundle.find("packing.txt").is_some());
    bundle.add("no.pk3", b"no archive".to_vec());
    assert_eq!(
        bundle.report().to_string(),
        "error: no.pk3: expected a zip archive with its list of files at the end, found missing end of central directory\n  \
         Quake III and Doom 3 leave out an archive whose list they cannot find; the file may be cut short.\n"
    );
}

#[test]
fn pieces_make_a_file() {
    let archive = zip(&[("a.txt", &[b'a'; 5000], false)]);
    let mut bundle = Bundle::default();
    bundle.begin("big.pk3", archive.len());
    for piece in archive.chunks(777) {
        bundle.append(piece);
    }
    assert_eq!(bundle.paths().count(), 0);
    bundle.finish();
    assert_eq!(bundle.read("a.txt").unwrap().len(), 5000);
}

#[test]
fn one_archive_inside_another_is_opened_and_no_more() {
    let inmost = zip(&[("c.txt", b"c", true)]);
    let inner = zip(&[("b.txt", b"b", true), ("c.pk3", &inmost, true)]);
    for deflated in [false, true] {
        let mut bundle = Bundle::default();
        bundle.add("mod.zip", zip(&[("mod/pak0.pk3", &inner, deflated), ("readme.txt", b"hello", true)]));
        assert_eq!(bundle.paths().collect::<Vec<_>>(), ["b.txt", "c.pk3", "readme.txt"]);
        assert_eq!(bundle.read("b.txt").as_deref(), Some(&b"b"[..]));
        assert_eq!(bundle.archive_of("b.txt"), Some("mod.zip/mod/pak0.pk3"));
        let report = bundle.report().to_string();
        assert!(report.starts_with("warning: mod.zip/mod/pak0.pk3/c.pk3: "), "{report}");
    }
}

#[test]
fn paths_that_lead_out_are_refused() {
    let mut bundle = Bundle::default();
    let bad = ["../up.txt", "a/../../up.txt", "/etc/passwd", "\\\\host\\x", "C:\\x.txt", "a\0b"];
    let entries: Vec<Entry> =
        bad.iter().map(|path| (*path, &b"x"[..], false)).chain([("good.txt", &b"g"[..], false)]).collect();
    bundle.add("a.zip", zip(&entries));
    assert_eq!(bundle.paths().collect::<Vec<_>>(), ["good.txt"]);
    let report = bundle.report();
    assert_eq!(report.diagnostics.len(), bad.len());
    let first = "error: a.zip: expected paths inside the archive, found `../up.txt`\n";
    assert!(report.to_string().starts_with(first), "{report}");
}

#[test]
fn bombs_are_refused_before_room_is_made_for_them() {
    let zeros = vec![0; 65 << 20];
    let mut archive = zip(&[("bomb.tga", &zeros, true), ("good.txt", b"good", true)]);
    let mut bundle = Bundle::default();
    bundle.add("bomb.zip", archive.clone());
    assert!(bundle.read("bomb.tga").is_none());
    assert_eq!(bundle.read("good.txt").as_deref(), Some(&b"good"[..]));
    assert!(bundle.report().to_string().contains("expected at most"), "{}", bundle.report());

    // The same with a size that lies: the list says 3, the data gives more.
    let size = (zeros.len() as u32).to_le_bytes();
    let at = (0..archive.len()).rev().find(|&at| archive[at..].starts_with(&size)).unwrap();
    archive[at..at + 4].copy_from_slice(&3u32.to_le_bytes());
    let mut bundle = Bundle::default();
    bundle.add("bomb.zip", archive);
    assert!(bundle.read("bomb.tga").is_none());
    let expected = "error: bomb.zip/bomb.tga: expected 3 bytes once unpacked, found more than that\n";
    assert_eq!(bundle.report().to_string(), expected);
}

#[test]
fn an_archive_lists_no_more_than_it_holds() {
    // A .pak whose second file is the .pak itself from its start on, five hundred times.
    let names: Vec<String> = (0..500).map(|index| format!("{index}.pak")).collect();
    let mut archive = pak(&names.iter().map(|name| (name.as_str(), &b""[..])).collect::<Vec<_>>());
    let length = archive.len() as u32;
    for index in 0..500 {
        let at = 12 + index * 64 + 56;
        archive[at..at + 4].copy_from_slice(&0u32.to_le_bytes());
        archive[at + 4..at + 8].copy_from_slice(&length.to_le_bytes());
    }
    let mut bundle = Bundle::default();
    bundle.add("quine.pak", archive);
    assert!(bundle.paths().count() <= 500);
    let refusal = "files that an archive of this size may hold";
    assert!(bundle.report().to_string().contains(refusal), "{}", bundle.report());
}

#[test]
fn files_that_overlap_are_not_read_a_thousand_times() {
    // A thousand files, each the same 200 kB of the archive.
    let names: Vec<String> = (0..1000).map(|index| format!("{index:03}.smd")).collect();
    let mut files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    let data = vec![b'x'; 200_000];
    files[0].1 = &data;
    let mut archive = pak(&files);
    let list = archive.len() - 64 * 1000;
    for index in 0..1000 {
        let at = list + index * 64 + 56;
        archive[at..at + 4].copy_from_slice(&12_u32.to_le_bytes());
        archive[at + 4..at + 8].copy_from_slice(&200_000_u32.to_le_bytes());
    }
    let mut bundle = Bundle::default();
    bundle.add("a.pak", archive);
    let listed: usize = bundle.paths().filter_map(|path| bundle.size(path)).sum();
    assert!((1 << 20..=64 << 20).contains(&listed), "{listed}");
    assert!(bundle.report().to_string().contains("may hold"), "{}", bundle.report());
}

#[test]
fn damage_is_said_once() {
    let text: Vec<u8> = (0..4000u32).map(|i| ((i * i) >> 3) as u8).collect();
    let mut bad = zip(&[("a.bin", &text, false)]);
    bad[2000] ^= 1;
    let mut bundle = Bundle::default();
    bundle.add("a.pk3", bad);
    assert!(bundle.read("a.bin").is_some());
    assert!(bundle.read("a.bin").is_some());
    let report = bundle.report().to_string();
    assert!(report.starts_with("warning: a.pk3/a.bin: expected the checksum "), "{report}");
    assert_eq!(report.lines().count(), 2);
}

/// Whatever is cut or flipped: no panic, and no file larger than it may be.
#[test]
fn broken_archives_are_survived() {
    let text = b"the quick brown fox jumps over the lazy dog; the quick brown fox jumps over the lazy dog".repeat(3);
    let inner = zip(&[("inner.txt", &text, true)]);
    let archives = [
        zip(&[("a.txt", &text, true), ("b\\b.txt", &text, false), ("c.pk3", &inner, true), ("d.zip", &inner, false)]),
        pak(&[("a.txt", &text), ("b/b.txt", &text)]),
    ];
    let survive = |bytes: Vec<u8>| {
        let length = bytes.len();
        let mut bundle = Bundle::default();
        bundle.add("x.pk3", bytes);
        let paths: Vec<String> = bundle.paths().map(str::to_string).collect();
        for path in paths {
            if let Some(bytes) = bundle.read(&path) {
                assert!(bytes.len() <= length * 1032);
            }
        }
    };
    for archive in archives {
        for cut in 0..archive.len() {
            survive(archive[..cut].to_vec());
        }
        for at in 0..archive.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut flipped = archive.clone();
                flipped[at] ^= flip;
                survive(flipped);
            }
        }
    }
}

#[test]
fn a_real_archive_opens() {
    let path = "../shared/models/md3/archives/pak5-TA.pk3";
    let Ok(bytes) = std::fs::read(path) else { return println!("skipped: no {path}") };
    let mut bundle = Bundle::default();
    bundle.add("pak5-TA.pk3", bytes);
    assert_eq!(bundle.report().to_string(), "");
    let paths: Vec<String> = bundle.paths().map(str::to_string).collect();
    assert!(paths.iter().any(|path| path == "models/weapons/vulcan/vulcan.md3"));
    for path in &paths {
        assert_eq!(bundle.read(path).map(|bytes| bytes.len()), bundle.size(path), "{path}");
    }
    assert_eq!(bundle.report().to_string(), "");
}

#[test]
fn what_is_not_there_is_remembered_until_a_file_comes() {
    let mut bundle = bundle(&["models/imp/imp.md5mesh"]);
    assert!(bundle.resolve("models/imp/imp.md5mesh", "models/imp/", &[]).path.is_some());
    assert!(bundle.missed().is_empty());
    bundle.resolve("models/imp/skin", "models/imp/", &["tga", "jpg"]);
    bundle.resolve("models/imp/skin", "models/imp/", &["tga", "jpg"]);
    let missed = bundle.missed();
    assert_eq!(missed.len(), 1, "{missed:?}");
    assert_eq!(missed[0][..2], ["models/imp/skin.tga", "models/imp/skin.jpg"]);
    bundle.add("models/imp/skin.jpg", Vec::new());
    assert!(bundle.missed().is_empty());
    assert!(bundle.resolve("models/imp/skin", "models/imp/", &["tga", "jpg"]).path.is_some());
}

#[test]
fn what_is_no_model_stays_packed_while_models_are_looked_for() {
    let mut damaged = zip(&[("sound/a.wav", b"noise", false), ("models/b.md5mesh", b"MD5Version 10", false)]);
    let at = damaged.windows(5).position(|bytes| bytes == b"noise").unwrap();
    damaged[at] = b'N';
    let mut bundle = Bundle::default();
    bundle.add("a.pk3", damaged);
    let candidates = rigview::open::candidates(&bundle);
    assert_eq!(candidates.iter().map(|candidate| candidate.path.as_str()).collect::<Vec<_>>(), ["models/b.md5mesh"]);
    assert_eq!(bundle.report().diagnostics, [], "the sound was read");
    bundle.read("sound/a.wav");
    assert_eq!(bundle.report().diagnostics.len(), 1);
}
