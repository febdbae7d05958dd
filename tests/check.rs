//! The engine check against data of its own: tests/data/check/<rule>/bad is what that rule finds and no other rule of its engine
//! does, tests/data/check/<rule>/good is what it passes over. `node tests/data/check/make.mjs` writes the folders.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use rigview::bundle::Bundle;
use rigview::check::{self, Engine, Outcome, Severity, Verdict};
use support::{files_below, folders_in, repository};

/// Rules whose data is too large to be kept; the tests below make it.
const MADE_HERE: [&str; 2] = ["goldsrc-smd-triangles", "source-smd-vertices"];

/// What holds for some versions goes with what holds for others: 257 surfaces of a skin are more than 32.
const MAY_COME_WITH: [(&str, &str); 1] = [("quake3-skin-256", "quake3-skin-32")];

fn bundle_of(folder: &Path) -> Bundle {
    let mut bundle = Bundle::default();
    for path in files_below(folder) {
        let name = path.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
        bundle.add(&name, fs::read(&path).unwrap());
    }
    bundle
}

fn bundle(files: &[(&str, &str)]) -> Bundle {
    let mut bundle = Bundle::default();
    for (path, text) in files {
        bundle.add(path, text.as_bytes().to_vec());
    }
    bundle
}

fn found(verdict: &Verdict) -> BTreeSet<&str> {
    verdict.findings.iter().map(|finding| finding.rule.id).collect()
}

fn explain(verdict: &Verdict) -> String {
    let mut text = String::new();
    for finding in &verdict.findings {
        let place = &finding.place;
        writeln!(text, "  {} {}:{:?} {}: {}", finding.rule.id, place.file, place.at, place.inside, finding.message)
            .unwrap();
    }
    text
}

fn verdict(bundle: &Bundle, engine: Engine) -> Verdict {
    check::check(bundle, None, Some(engine)).pop().unwrap_or_else(|| panic!("{} reads no such file", engine.name()))
}

#[test]
fn every_rule_finds_its_bad_files_and_passes_over_the_good() {
    let mut wrong = String::new();
    let mut count = 0;
    for rule in check::rules().filter(|rule| !MADE_HERE.contains(&rule.id)) {
        count += 1;
        let folder = repository("tests/data/check").join(rule.id);
        let good = verdict(&bundle_of(&folder.join("good")), rule.engine);
        let may_come = |id: &&str| MAY_COME_WITH.contains(&(rule.id, id));
        let extra: Vec<_> = found(&good).into_iter().filter(|id| !may_come(id)).collect();
        if !extra.is_empty() {
            writeln!(wrong, "{}: good:\n{}", rule.id, explain(&good)).unwrap();
        }
        let bad = verdict(&bundle_of(&folder.join("bad")), rule.engine);
        let ids: BTreeSet<_> = found(&bad).into_iter().filter(|id| !may_come(id)).collect();
        if ids != BTreeSet::from([rule.id]) {
            writeln!(wrong, "{}: bad:\n{}", rule.id, explain(&bad)).unwrap();
        }
        let expected = match rule.severity {
            Severity::Refuses => Outcome::Refused,
            Severity::Changes | Severity::Warns => Outcome::Warns,
            Severity::Notes => Outcome::Loads,
        };
        if may_come(&"") || ids.len() == 1 && bad.outcome != expected {
            writeln!(wrong, "{}: the bad files' verdict is {}", rule.id, bad.outcome.id()).unwrap();
        }
    }
    assert!(count > 100, "{count} rules");
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn ids_are_unique_and_every_folder_has_its_rule() {
    let ids: Vec<&str> = check::rules().map(|rule| rule.id).collect();
    let set: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), set.len());
    for rule in check::rules() {
        assert!(rule.id.starts_with(&format!("{}-", rule.engine.id())), "{}", rule.id);
        assert!(!rule.why.is_empty() && !rule.mend.is_empty(), "{}", rule.id);
    }
    for folder in folders_in(&repository("tests/data/check")) {
        let name = support::file_name(&folder);
        assert!(set.contains(name.as_str()), "{name} is no rule");
    }
}

/// What the MD5 readers quote of Doom 3 must not get lost: each sentence is some rule's.
#[test]
fn every_refusal_that_the_md5_readers_quote_has_a_rule() {
    let data = repository("tests/data/md5");
    let mut seen = BTreeMap::new();
    for case in folders_in(&data) {
        let bundle = bundle_of(&case);
        for path in check::paths(&bundle) {
            for verdict in check::check(&bundle, Some(&path), Some(Engine::Doom3)) {
                seen.insert((support::file_name(&case), path.clone()), verdict.outcome);
            }
            let report = match rigview::open::open(&bundle, Some(&path)) {
                Ok(figure) => figure.report,
                Err(failure) => failure.report,
            };
            let stops =
                |d: &&rigview::report::Diagnostic| d.engine.as_deref().is_some_and(|s| s.starts_with("Doom 3 stops"));
            if let Some(diagnostic) = report.diagnostics.iter().find(stops) {
                let outcome = seen.get(&(support::file_name(&case), path.clone()));
                assert_eq!(outcome, Some(&Outcome::Refused), "{}: {path}: {diagnostic}", case.display());
            }
        }
    }
    assert!(seen.len() > 20, "{} cases", seen.len());
}

/// 640 * 480 bytes, of which the palette takes 768.
#[test]
fn half_life_has_room_for_306432_pixels() {
    let smd = "version 1\nnodes\n0 \"root\" -1\nend\nskeleton\ntime 0\n0 0 0 0 0 0 0\nend\ntriangles\n\
               a.bmp\n0 0 0 0 0 0 1 0 0\n0 1 0 0 0 0 1 1 0\n0 0 1 0 0 0 1 0 1\nend\n";
    let of = |width: u32, height: u32| {
        let start = 54 + 1024;
        let mut image = vec![0; (start + width * height) as usize];
        image[..2].copy_from_slice(b"BM");
        let numbers = [(2, image.len() as u32), (10, start), (14, 40), (18, width), (22, height), (26, 1 | 8 << 16)];
        for (at, number) in numbers {
            image[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
        let mut bundle = bundle(&[("a.smd", smd)]);
        bundle.add("a.bmp", image);
        verdict(&bundle, Engine::GoldSrc).outcome
    };
    assert_eq!(of(512, 512), Outcome::Loads);
    assert_eq!(of(504, 608), Outcome::Warns);
    assert_eq!(of(504, 609), Outcome::Refused);
}

/// Whatever is wrong with a file, the check ends and says something else or nothing.
#[test]
fn damaged_files_are_judged() {
    let mut cases = 0;
    for rule in check::rules().filter(|rule| !MADE_HERE.contains(&rule.id)) {
        let folder = repository("tests/data/check").join(rule.id).join("good");
        for path in files_below(&folder).into_iter().filter(|path| fs::metadata(path).unwrap().len() < 1500) {
            let name = path.strip_prefix(&folder).unwrap().to_string_lossy().replace('\\', "/");
            let whole = fs::read(&path).unwrap();
            let mut bundle = bundle_of(&folder);
            for step in [1, 6, 11, 15] {
                bundle.add(&name, whole[..whole.len() * step / 16].to_vec());
                check::check(&bundle, None, Some(rule.engine));
                let mut damaged = whole.clone();
                let length = damaged.len().max(1);
                for (at, byte) in damaged.iter_mut().enumerate().filter(|(at, _)| at % 16 == step) {
                    *byte ^= 1 << ((at * 7 + length) % 8);
                }
                bundle.add(&name, damaged);
                check::check(&bundle, None, Some(rule.engine));
                cases += 2;
            }
        }
    }
    assert!(cases > 500, "{cases} cases");
}

#[test]
fn half_life_has_room_for_20000_triangles() {
    let smd = |count: usize| {
        let head = "version 1\nnodes\n0 \"root\" -1\nend\nskeleton\ntime 0\n0 0 0 0 0 0 0\nend\ntriangles\n";
        let triangle = "a.bmp\n0 0 0 0 0 0 1 0 0\n0 1 0 0 0 0 1 1 0\n0 0 1 0 0 0 1 0 1\n";
        format!("{head}{}end\n", triangle.repeat(count))
    };
    let of = |count| {
        let bundle = bundle(&[("a.smd", &smd(count))]);
        found(&verdict(&bundle, Engine::GoldSrc)).into_iter().map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(of(20_000), [""; 0]);
    assert_eq!(of(20_001), ["goldsrc-smd-triangles"]);
}

#[test]
fn source_has_room_for_65536_vertices() {
    let smd = |vertices: usize| {
        let mut text =
            String::from("version 1\nnodes\n0 \"root\" -1\nend\nskeleton\ntime 0\n0 0 0 0 0 0 0\nend\ntriangles\n");
        for first in (0..vertices).step_by(3) {
            text.push_str("a\n");
            for vertex in first..first + 3 {
                // The last triangle may come back to the first corners.
                writeln!(text, "0 {} 0 0 0 0 1 0 0", vertex % vertices).unwrap();
            }
        }
        text.push_str("end\n");
        text
    };
    let of = |count| {
        let bundle = bundle(&[("a.smd", &smd(count))]);
        found(&verdict(&bundle, Engine::Source)).into_iter().map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(of(65_536), [""; 0]);
    assert_eq!(of(65_537), ["source-smd-vertices"]);
}

/// What Quake III says of an animation.cfg, a skin or a script needs no model, where the rule needs none.
#[test]
fn texts_of_quake3_are_judged_alone() {
    let alone = [
        ("quake3-cfg-", "animation.cfg", &["quake3-cfg-frames"][..]),
        (
            "quake3-skin-",
            "_default.skin",
            &["quake3-skin-default", "quake3-skin-incomplete", "quake3-skin-surface", "quake3-skin-unused"],
        ),
        ("quake3-shader-", ".shader", &[]),
    ];
    let mut count = 0;
    for rule in check::rules() {
        let Some((_, suffix, _)) =
            alone.iter().find(|(prefix, _, except)| rule.id.starts_with(prefix) && !except.contains(&rule.id))
        else {
            continue;
        };
        count += 1;
        for (kind, expected) in [("good", None), ("bad", Some(rule.id))] {
            let folder = repository("tests/data/check").join(rule.id).join(kind);
            let mut bundle = Bundle::default();
            for path in files_below(&folder).into_iter().filter(|path| path.to_string_lossy().ends_with(suffix)) {
                bundle.add(&support::file_name(&path), fs::read(&path).unwrap());
            }
            let paths = check::paths(&bundle);
            assert!(!paths.is_empty(), "{}: {kind}: nothing to check", rule.id);
            let verdicts = paths.iter().flat_map(|path| check::check(&bundle, Some(path), None));
            let ids: BTreeSet<&str> = verdicts.flat_map(|v| v.findings.into_iter().map(|f| f.rule.id)).collect();
            let may_come = |id: &&&str| MAY_COME_WITH.contains(&(rule.id, **id));
            let ids: Vec<&str> = ids.iter().filter(|id| !may_come(id)).copied().collect();
            assert_eq!(ids, expected.as_slice(), "{}: {kind}", rule.id);
        }
    }
    assert!(count >= 18, "{count} rules");
}

#[test]
fn skins_of_doom3_are_none_of_quake3s() {
    let bundle = bundle(&[("skins/x.skin", "skin x {\n\tmodels/a models/b\n}\n"), ("server.cfg", "set sv_pure 1\n")]);
    assert_eq!(check::paths(&bundle), [""; 0]);
}

/// A mesh or surface with a fault is left out of the model: what stands behind it keeps its number in the file.
#[test]
fn meshes_count_as_in_the_file() {
    let mesh = fs::read_to_string(repository("tests/data/check/doom3-md5-weight-sum/bad/a.md5mesh")).unwrap();
    let (head, block) = mesh.split_at(mesh.find("mesh {").unwrap());
    let faulty = block.replacen("tri 0 0 1 2", "tri 0 0 1 9", 1);
    let text = format!("{}{faulty}{block}", head.replacen("numMeshes 1", "numMeshes 2", 1));
    let bundle = bundle(&[("a.md5mesh", &text)]);
    let verdict = verdict(&bundle, Engine::Doom3);
    let at = |id: &str| {
        let finding = verdict.findings.iter().find(|finding| finding.rule.id == id).unwrap();
        (finding.place.inside.as_str(), finding.place.subject.clone())
    };
    let (part, mesh) = (String::new(), 1);
    let expected = Some(check::Subject::Vertex { part, mesh, vertex: 1 });
    assert_eq!(at("doom3-md5-weight-sum"), ("mesh[1].vert[1]", expected));
    assert!(at("doom3-md5-triangle-index").0.starts_with("mesh[0]"));
    let figure = rigview::open::open(&bundle, None).unwrap_or_else(|_| panic!("one mesh is sound"));
    let model = figure.parts[0].model();
    assert_eq!((model.meshes.len(), model.mesh_of_number(0), model.mesh_of_number(1)), (1, None, Some(0)));
    assert_eq!(model.mesh_number(0), 1);
}

/// Where files lie on the disk is not the game's path of them.
#[test]
fn a_long_way_to_a_model_is_not_its_path_in_the_game() {
    let model = fs::read(repository("tests/data/check/quake3-md3-vertices/good/a.md3")).unwrap();
    let of = |path: String| {
        let mut bundle = Bundle::default();
        bundle.add(&path, model.clone());
        verdict(&bundle, Engine::Quake3).outcome
    };
    let long = "somewhere/".repeat(8);
    assert_eq!(of(format!("{long}a.md3")), Outcome::Loads);
    assert_eq!(of(format!("{long}Models/mapobjects/a.md3")), Outcome::Loads);
    assert_eq!(of(format!("models/{long}a.md3")), Outcome::Refused);
}

/// Of a mesh that cannot be read, only the animations beside it are its own.
#[test]
fn a_broken_mesh_is_not_blamed_for_all_animations() {
    let anim = fs::read_to_string(repository("tests/data/check/doom3-anim-rate/bad/a.md5anim")).unwrap();
    let moving = fs::read_to_string(repository("tests/data/check/doom3-anim-root-motion/bad/a.md5anim")).unwrap();
    let bundle = bundle(&[
        ("a/a.md5mesh", "MD5Version 9"),
        ("a/walk.md5anim", &moving),
        ("b/run.md5anim", &moving),
        ("b/b.md5anim", &anim),
    ]);
    let verdicts = check::check(&bundle, Some("a/a.md5mesh"), None);
    let files: Vec<_> = verdicts[0].findings.iter().map(|f| (f.rule.id, f.place.file.as_str())).collect();
    assert!(files.contains(&("doom3-anim-root-motion", "a/walk.md5anim")), "{files:?}");
    assert!(!files.contains(&("doom3-anim-root-motion", "b/run.md5anim")), "{files:?}");
}

/// A camera belongs to no model: a mesh loads though a camera beside it does not.
#[test]
fn a_camera_beside_a_mesh_is_judged_by_itself() {
    let mesh = fs::read_to_string(repository("tests/data/check/doom3-md5-order/good/a.md5mesh")).unwrap();
    let camera = fs::read_to_string(repository("tests/data/check/doom3-camera-cut/bad/a.md5camera")).unwrap();
    let bundle = bundle(&[("a.md5mesh", &mesh), ("a.md5camera", &camera)]);
    assert_eq!(check::paths(&bundle), ["a.md5mesh", "a.md5camera"]);
    let outcome = |path| check::check(&bundle, Some(path), None)[0].outcome;
    assert_eq!((outcome("a.md5mesh"), outcome("a.md5camera")), (Outcome::Loads, Outcome::Refused));
}

/// A reference of Half-Life: a chain of three bones, each of which holds a corner.
const REFERENCE: &str = "version 1\nnodes\n0 \"root\" -1\n1 \"arm\" 0\n2 \"hand\" 1\nend\nskeleton\ntime 0\n\
    0 0 0 0 0 0 0\n1 0 0 8 0 0 0\n2 0 0 8 0 0 0\nend\ntriangles\nskin.bmp\n\
    0 0 0 0 0 -1 0 0 0\n1 8 0 0 0 -1 0 1 0\n2 0 0 8 0 -1 0 0 1\nend\n";

const SEQUENCE: &str = "version 1\nnodes\n0 \"root\" -1\n1 \"arm\" 0\n2 \"hand\" 1\nend\nskeleton\n\
    time 0\n0 0 0 0 0 0 0\n1 0 0 8 0 0 0\n2 0 0 8 0 0 0\n\
    time 1\n0 0 0 0 0 0 0\n1 0 1 8 0 0 0\n2 0 0 8 0 0 0\nend\n";

/// What an engine finds in a reference with a piece put in place of another, and in a sequence beside it.
fn swapped(engine: Engine, reference: (&str, &str), sequence: (&str, &str)) -> Vec<String> {
    let swap = |text: &str, (from, to): (&str, &str)| {
        assert!(text.contains(from), "no {from:?}");
        text.replacen(from, to, 1)
    };
    let files = [("a.smd", swap(REFERENCE, reference)), ("walk.smd", swap(SEQUENCE, sequence))];
    let bundle = bundle(&files.each_ref().map(|(path, text)| (*path, text.as_str())));
    found(&verdict(&bundle, engine)).into_iter().map(str::to_string).collect()
}

const SAME: (&str, &str) = ("version 1", "version 1");

#[test]
fn half_life_loses_the_bones_behind_a_broken_node_list() {
    let of = |reference| swapped(Engine::GoldSrc, reference, SAME);
    // The nodes are read once more behind the empty line, and `skeleton` leaves one.
    assert_eq!(
        of(("end\nskeleton", "end\n\nskeleton")),
        ["goldsrc-smd-bone-index", "goldsrc-smd-reference-empty-line"]
    );
    assert_eq!(of(("1 \"arm\" 0\n", "1 \"arm\" 0\n\n")), ["goldsrc-smd-bone-index", "goldsrc-smd-node-line"]);
    // All are read by then; the `end` that is left is an unknown command, and goes by.
    assert_eq!(of(("2 \"hand\" 1\n", "2 \"hand\" 1\n\n")), [""; 0]);
    assert_eq!(swapped(Engine::Source, ("2 \"hand\" 1\n", "2 \"hand\" 1\n\n"), SAME), [""; 0]);
}

#[test]
fn half_life_skips_what_follows_an_unknown_command_of_a_sequence() {
    let of = |sequence| swapped(Engine::GoldSrc, SAME, sequence);
    for (from, to) in [
        ("version 1\n", "version 1\n# made by hand\n"),
        ("end\nskeleton", "end\n// the poses\nskeleton"),
        // The nodes' own `end` is what skips the skeleton here.
        ("2 \"hand\" 1\n", "2 \"hand\" 1\n\n"),
    ] {
        assert_eq!(of((from, to)), ["goldsrc-smd-unknown-command"], "{to}");
    }
    assert_eq!(of(("2 0 0 8 0 0 0\nend\n", "2 0 0 8 0 0 0\nend\n// over\n")), [""; 0]);
    assert_eq!(of(("2 0 0 8 0 0 0\nend\n", "2 0 0 8 0 0 0\nend\n\n")), ["goldsrc-smd-empty-line"]);
    assert_eq!(of(("time 1\n", "// step\ntime 1\n")), ["goldsrc-smd-pose-line"]);
}

/// `sscanf` leaves what it read before: the line is `time` with the number of the last bone.
#[test]
fn an_empty_line_among_poses_is_a_time() {
    let of = |engine, sequence| swapped(engine, SAME, sequence);
    let before_time = ("2 0 0 8 0 0 0\ntime 1", "2 0 0 8 0 0 0\n\ntime 1");
    assert_eq!(of(Engine::GoldSrc, before_time), [""; 0]);
    assert_eq!(of(Engine::Source, before_time), [""; 0]);
    // Time 0 again, which is the present one.
    assert_eq!(of(Engine::Source, ("time 0\n", "time 0\n\n")), [""; 0]);
    let among = ("0 0 0 0 0 0 0\n1 0 1", "0 0 0 0 0 0 0\n\n1 0 1");
    assert_eq!(of(Engine::GoldSrc, among), ["goldsrc-smd-stray-pose"]);
    assert_eq!(of(Engine::Source, among), ["source-smd-stray-pose"]);
}

/// A bone whose parent has a greater number becomes a root, which a sequence then contradicts.
#[test]
fn half_life_refuses_sequences_of_bones_that_lost_their_parent() {
    let reference = ("0 \"root\" -1\n1 \"arm\" 0\n2 \"hand\" 1", "0 \"root\" 2\n1 \"arm\" 0\n2 \"hand\" -1");
    let sequence = ("0 \"root\" -1\n1 \"arm\" 0\n2 \"hand\" 1", "0 \"root\" 2\n1 \"arm\" 0\n2 \"hand\" -1");
    let of = swapped(Engine::GoldSrc, reference, sequence);
    assert_eq!(of, ["goldsrc-smd-parent-order", "goldsrc-smd-sequence-parent"]);
}

/// Half-Life's compiler puts the extension itself behind a name, so that a script which has it is not made for that.
#[test]
fn scripts_that_name_extensions_are_made_for_source() {
    let first = |body: &str| {
        let script = format!("$modelname x.mdl\n$cd .\n$body body {body}\n$sequence walk walk\n");
        let bundle = bundle(&[("a.qc", script.as_str()), ("a.smd", REFERENCE), ("walk.smd", SEQUENCE)]);
        check::check(&bundle, None, None)[0].engine
    };
    assert_eq!(first("a"), Engine::GoldSrc);
    assert_eq!(first("a.smd"), Engine::Source);
}

/// Source makes one vertex of corners whose normals are less than 2 degrees apart.
#[test]
fn source_joins_corners_of_nearly_equal_normals() {
    let of = |degrees: f32| {
        let (y, x) = degrees.to_radians().sin_cos();
        let triangle = ("0 0 0 0 0 -1 0 0 0\n1 8 0 0 0 -1 0 1 0", format!("0 0 0 0 1 0 0 0 0\n0 0 0 0 {x} {y} 0 0 0"));
        swapped(Engine::Source, (triangle.0, &triangle.1), SAME)
    };
    assert_eq!(of(1.9), ["source-smd-flat-triangle"]);
    assert_eq!(of(2.1), [""; 0]);
}

/// The page is made of the table: `UPDATE_EXPECTED=1 cargo test --test check` writes it anew.
#[test]
fn the_page_of_rules_is_up_to_date() {
    let path = repository("www/docs/checks.md");
    let page = page();
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &page).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(written == page, "{} is out of date: run UPDATE_EXPECTED=1 cargo test --test check", path.display());
}

fn page() -> String {
    let mut page = String::from(
        "# What the engine check looks for\n\n\
         Would the game load this file, and if not, what would it say? Each rule below repeats a test of the engine's own source,\n\
         or names what the engine does in silence. The verdict is the gravest finding's: **refuses** makes it `refused`,\n\
         **changes** (loads, but shows something else) and **warns** make it `warns`; with nothing but **notes** it is `loads`.\n\n\
         `Model.check(engine?)` and `Files.check(path?, engine?)` give the findings in JavaScript, `rigview check FILES…` in a\n\
         terminal; it ends with 1 if the engine that they are made for refuses.\n\n\
         <!-- Made from the table in src/check by tests/check.rs; do not edit. -->\n",
    );
    for engine in Engine::ALL {
        let rules: Vec<_> = check::rules().filter(|rule| rule.engine == engine).collect();
        writeln!(page, "\n## {}\n\n{} rules; `{}` in the API.", engine.name(), rules.len(), engine.id()).unwrap();
        for rule in rules {
            writeln!(page, "\n### {}\n", rule.id).unwrap();
            let since = if rule.since.is_empty() { String::new() } else { format!(" ({})", rule.since) };
            let says = if rule.says.is_empty() { String::new() } else { format!(": `{}`", rule.says) };
            writeln!(page, "**{}**{since}{says}\n", rule.severity.id()).unwrap();
            writeln!(page, "{}\n", rule.why).unwrap();
            writeln!(page, "*Mend:* {}", rule.mend).unwrap();
        }
    }
    page
}

/// Models that their games ship as they are here: whatever a rule says of them beyond a note would be a false alarm.
#[test]
fn shipped_models_load_in_their_games() {
    let Some(models) = support::shared("models") else { return };
    let shipped = [
        ("md3/openarena", Engine::Quake3),
        ("md3/archives", Engine::Quake3),
        ("md5/unvanquished", Engine::Doom3),
        ("md5/darkradiant", Engine::Doom3),
        ("smd/kbat", Engine::Source),
    ];
    for (folder, engine) in shipped {
        let bundle = bundle_of(&models.join(folder));
        let paths = check::paths(&bundle);
        assert!(!paths.is_empty(), "{folder}");
        for path in paths {
            for verdict in check::check(&bundle, Some(&path), Some(engine)) {
                assert_eq!(verdict.outcome, Outcome::Loads, "{path} for {}:\n{}", engine.name(), explain(&verdict));
            }
        }
    }
}

/// Not a test: what the check says of every model in a folder. `CHECK_FOLDER=... cargo test --test check -- --ignored survey`
#[test]
#[ignore = "prints what the check says of a folder"]
fn survey() {
    let folder = std::path::PathBuf::from(std::env::var_os("CHECK_FOLDER").unwrap());
    let bundle = bundle_of(&folder);
    for path in check::paths(&bundle) {
        for verdict in check::check(&bundle, Some(&path), None) {
            println!("{path}: {}: {} ({} left out)", verdict.engine.id(), verdict.outcome.id(), verdict.left_out);
            let mut told = BTreeMap::new();
            for finding in &verdict.findings {
                let count = told.entry(finding.rule.id).or_insert(0);
                *count += 1;
                if *count <= 3 {
                    let place = &finding.place;
                    println!(
                        "  {} {}:{:?} {}: {}",
                        finding.rule.id, place.file, place.at, place.inside, finding.message
                    );
                }
            }
        }
    }
}
