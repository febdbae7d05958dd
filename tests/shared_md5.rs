//! Doom 3's formats on real files and worked cases: what lies in ../shared, where that is there. Without it these tests only say so.

mod support;

use std::fs;
use std::path::Path;

use glam::Vec3;
use rigview::bundle::Bundle;
use rigview::figure::Figure;
use rigview::format::{self, Content};
use rigview::model::{Model, check, finish};
use rigview::open;
use rigview::report::{Report, Result};
use support::{dump, extension, file_name, files_below, shared};

/// Reads one file as its extension says.
fn read(path: &Path) -> (Result<Content>, Report) {
    let name = file_name(path);
    let bytes = fs::read(path).unwrap();
    let format = format::guess(&name, &bytes).unwrap_or_else(|| panic!("{}: no format", path.display()));
    assert!(format.extensions.contains(&extension(path).as_str()), "{}: taken for {}", path.display(), format.name);
    let mut report = Report::default();
    let content = format::read(format, &name, &bytes, &mut report);
    (content, report)
}

/// A folder of ../shared/cases, by its number.
fn case(number: &str) -> Option<std::path::PathBuf> {
    let folders = support::folders_in(&shared("cases")?);
    let folder = folders.into_iter().find(|folder| file_name(folder).starts_with(number));
    Some(folder.unwrap_or_else(|| panic!("no case {number}")))
}

/// Opens all files of a folder as the page does after a drop.
fn open_folder(folder: &Path) -> std::result::Result<Figure, String> {
    let mut bundle = Bundle::default();
    for path in files_below(folder) {
        bundle.add(&file_name(&path), fs::read(&path).unwrap());
    }
    open::open(&bundle, None).map_err(|failure| failure.report.to_string())
}

fn model(figure: &Figure) -> &Model {
    figure.parts[0].model()
}

fn positions(figure: &Figure) -> Vec<Vec3> {
    let meshes = figure.parts[0].posed().iter();
    meshes.flat_map(|mesh| mesh.vertices.iter().map(|vertex| Vec3::from(vertex.position))).collect()
}

#[track_caller]
fn assert_positions(figure: &Figure, expected: &[[f32; 3]]) {
    let found = positions(figure);
    assert_eq!(found.len(), expected.len());
    for (vertex, (found, expected)) in found.iter().zip(expected).enumerate() {
        // Four decimals stand in the cases.
        assert!(found.abs_diff_eq(Vec3::from(*expected), 1e-4), "v{vertex}: {found}, not {expected:?}");
    }
}

#[test]
fn every_real_file_loads() {
    let Some(folder) = shared("models/md5") else { return };
    let mut counts = (0, 0);
    for path in files_below(&folder) {
        if !["md5mesh", "md5anim"].contains(&extension(&path).as_str()) || path.to_string_lossy().contains("invalid") {
            continue;
        }
        let (content, report) = read(&path);
        match content.unwrap_or_else(|error| panic!("{}: {error}", path.display())) {
            Content::Model(mut model) => {
                finish::finish(&mut model);
                check::check(&model).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                assert!(!model.meshes.is_empty());
                counts.0 += 1;
            }
            Content::Animation(animation) => {
                let clip = animation.clip;
                let model =
                    Model { skeleton: animation.skeleton, clips: vec![clip], info: animation.info, ..Model::default() };
                check::check(&model).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                counts.1 += 1;
            }
            _ => panic!("{}: neither mesh nor animation", path.display()),
        }
        assert!(!report.has_errors(), "{}: {report}", path.display());
        for line in report.to_string().lines() {
            println!("{}: {line}", path.display());
        }
    }
    println!("{} meshes, {} animations", counts.0, counts.1);
    assert!(counts.0 > 15 && counts.1 > 40);
}

#[test]
fn files_that_lack_a_line_load_with_a_warning() {
    for (path, missing) in [
        ("models/md5/redeclipse/weapons/plasma/plasma-reload.md5anim", "MD5Version"),
        ("models/md5/redeclipse/weapons/grenade/grenade.md5mesh", "commandline"),
    ] {
        let Some(path) = shared(path) else { return };
        let (content, report) = read(&path);
        assert!(content.is_ok());
        let [warning] = report.diagnostics.as_slice() else { panic!("{report}") };
        assert!(warning.to_string().contains(&format!("Doom 3 stops: \"expected '{missing}'")), "{report}");
    }
}

#[test]
fn a_mesh_less_than_said_is_a_warning() {
    let Some(path) = shared("models/md5/redeclipse/props/ball/ball.md5mesh") else { return };
    let (content, report) = read(&path);
    let Ok(Content::Model(model)) = content else { panic!("{report}") };
    assert_eq!(model.meshes.len(), 1);
    assert!(report.to_string().contains("since numMeshes is 2, found end of file"), "{report}");
}

#[test]
fn broken_files_are_refused_with_their_fault() {
    let Some(folder) = shared("models/md5/assimp/invalid") else { return };
    let said: Vec<_> = files_below(&folder)
        .iter()
        .map(|path| match read(path).0 {
            Ok(_) => format!("{} loads", file_name(path)),
            Err(error) => error.to_string(),
        })
        .collect();
    let faults = [
        "InvalidBoneIndex.md5mesh:23:10: mesh[0].weight[0]: expected the number of one of the 1 joints, found `999`",
        "InvalidCameraCut.md5camera:9:1: cut[0]: expected no cut, where there is but one frame, found `8`",
        "OverflowingTriangleIndex.md5mesh:18:5: mesh[0].tri[0]: expected a whole number from -2147483648 to 2147483647, found `4294967295`",
        "OverflowingVertexIndex.md5mesh:15:6: mesh[0].vert[0]: expected a whole number from -2147483648 to 2147483647, found `4294967295`",
        "OverflowingWeightIndex.md5mesh:21:8: mesh[0].weight[0]: expected a whole number from -2147483648 to 2147483647, found `4294967295`",
    ];
    assert_eq!(said.len(), faults.len());
    for (said, fault) in said.iter().zip(faults) {
        assert!(said.starts_with(fault), "{said}");
    }
}

/// Every pose that a second implementation worked out.
#[test]
fn reference_poses() {
    let (Some(list), Some(models)) = (shared("expected/poses.json"), shared("models")) else { return };
    let cases: serde_json::Value = serde_json::from_str(&fs::read_to_string(list).unwrap()).unwrap();
    let cases = cases.as_array().unwrap().iter().filter(|case| case["kind"] == "md5");
    let mut count = 0;
    for case in cases {
        let id = case["id"].as_str().unwrap();
        let mut bundle = Bundle::default();
        let files: Vec<&str> =
            case["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
        for file in &files {
            bundle.add(file, fs::read(models.join(file)).unwrap());
        }
        let mut figure = open::open(&bundle, None).unwrap_or_else(|failure| panic!("{id}: {}", failure.report));
        if files.len() > 1 {
            let clip = model(&figure).clips[0].name.clone();
            assert!(figure.pose(Some(&clip), case["time"].as_f64().unwrap() as f32, None), "{id}");
        }
        figure.update();
        check_counts(id, case, model(&figure));

        let tolerance = case["tolerance"].as_f64().unwrap() as f32;
        let mut largest = 0.0_f32;
        for vertex in case["vertices"].as_array().unwrap() {
            let [mesh, number] = ["mesh", "vertex"].map(|key| vertex[key].as_u64().unwrap() as usize);
            let found = Vec3::from(figure.parts[0].posed()[mesh].vertices[number].position);
            let difference = (found - vector(&vertex["position"])).abs().max_element();
            assert!(difference <= tolerance, "{id}: mesh {mesh} vertex {number}: {found} is {difference} off");
            largest = largest.max(difference);
        }
        for joint in case["joints"].as_array().unwrap() {
            let number = joint["joint"].as_u64().unwrap() as usize;
            assert_eq!(model(&figure).skeleton.joints[number].name, joint["name"].as_str().unwrap(), "{id}");
            let found = figure.parts[0].model_from_joint()[number];
            let rows = joint["model_from_joint"].as_array().unwrap();
            for (axis, row) in rows.iter().enumerate() {
                for column in 0..4 {
                    let found = if column < 3 { found.matrix3.col(column)[axis] } else { found.translation[axis] };
                    let difference = (found - row[column].as_f64().unwrap() as f32).abs();
                    assert!(difference <= tolerance, "{id}: joint {number} [{axis}][{column}] is {difference} off");
                }
            }
        }
        println!("{id}: at most {largest} off, {tolerance} allowed");
        count += 1;
    }
    assert!(count >= 5);
}

fn check_counts(id: &str, case: &serde_json::Value, model: &Model) {
    let counts = &case["counts"];
    assert_eq!(model.skeleton.joints.len() as u64, counts["joints"].as_u64().unwrap(), "{id}");
    let meshes = counts["meshes"].as_array().unwrap();
    assert_eq!(model.meshes.len(), meshes.len(), "{id}");
    for (mesh, expected) in model.meshes.iter().zip(meshes) {
        assert_eq!(mesh.name, expected["name"].as_str().unwrap(), "{id}");
        assert_eq!(model.materials[mesh.material].name, expected["material"].as_str().unwrap(), "{id}");
        assert_eq!(mesh.vertex_count() as u64, expected["vertices"].as_u64().unwrap(), "{id}");
        assert_eq!(mesh.triangles.len() as u64, expected["triangles"].as_u64().unwrap(), "{id}");
    }
    if let Some(frames) = case["frames"].as_u64() {
        assert_eq!(model.clips[0].frames as u64, frames, "{id}");
        assert_eq!(f64::from(model.clips[0].rate), case["rate"].as_f64().unwrap(), "{id}");
    }
}

fn vector(json: &serde_json::Value) -> Vec3 {
    Vec3::from([0, 1, 2].map(|axis| json[axis].as_f64().unwrap() as f32))
}

#[test]
fn e01_joint_counts_that_differ() {
    let Some(folder) = case("E01") else { return };
    let figure = open_folder(&folder).unwrap();
    assert_positions(&figure, &[[0.0, 0.0, 5.0], [0.0, 4.0, 5.0], [4.0, 0.0, 5.0]]);
    assert!(model(&figure).clips.is_empty());
    let said = figure.report.to_string();
    assert!(said.contains("thing.md5anim") && said.contains("2 joints") && said.contains("3 joints"), "{said}");
}

#[test]
fn e02_joint_of_another_name() {
    let Some(folder) = case("E02") else { return };
    let figure = open_folder(&folder).unwrap();
    assert_positions(&figure, &[[0.0, 0.0, 5.0], [0.0, 4.0, 5.0], [4.0, 0.0, 5.0]]);
    let said = figure.report.to_string();
    assert!(said.contains("joint[1]") && said.contains("eye_new") && said.contains("eye_old"), "{said}");
}

#[test]
fn e04_names_with_anything_in_them() {
    let Some(folder) = case("E04") else { return };
    let figure = open_folder(&folder).unwrap();
    let model = model(&figure);
    let names: Vec<_> = model.skeleton.joints.iter().map(|joint| (joint.name.as_str(), joint.parent)).collect();
    assert_eq!(names, [("root node", None), ("upper arm L", Some(0))]);
    assert_eq!(model.meshes[0].name, "left { arm }");
    assert_eq!(model.materials[0].name, "models/my characters/body skin");
    let facts = dump::model(model);
    assert!(facts.contains(r#"info commandline: "-in \\\\share\\my models\\a b.mb // not a comment""#), "{facts}");
    assert_positions(&figure, &[[0.0, 0.0, 3.0], [0.0, 2.0, 3.0], [2.0, 0.0, 3.0]]);
}

#[test]
fn e05_very_long_strings() {
    let Some(folder) = case("E05") else { return };
    let figure = open_folder(&folder).unwrap();
    let model = model(&figure);
    let name = &model.skeleton.joints[0].name;
    assert_eq!((name.len(), &name[..1], &name[299..]), (300, "j", "z"));
    assert_eq!(model.materials[0].name.len(), 1502);
    assert_eq!(positions(&figure).len(), 3);
}

#[test]
fn e07_block_without_its_end() {
    let Some(folder) = case("E07") else { return };
    let figure = open_folder(&folder).unwrap();
    assert_eq!(positions(&figure)[2], Vec3::new(4.0, 0.0, 0.0));
    let said = figure.report.to_string();
    assert!(said.contains("unclosed.md5mesh:26:1") && said.contains("`}`"), "{said}");
}

#[test]
fn e08_and_e10_weights_and_indices_outside() {
    let (Some(e08), Some(e10)) = (case("E08"), case("E10")) else { return };
    for (path, found) in [
        (
            e08.join("range.md5mesh"),
            "range.md5mesh:16:17: mesh[0].vert[1]: expected weights within numweights 3, found weights 1000000..1000001",
        ),
        (
            e08.join("triindex.md5mesh"),
            "triindex.md5mesh:20:12: mesh[0].tri[0]: expected the number of one of the 3 vertices, found `7`",
        ),
        (
            e08.join("jointindex.md5mesh"),
            "jointindex.md5mesh:24:11: mesh[0].weight[1]: expected the number of one of the 1 joints, found `4`",
        ),
        (
            e10.join("noweight.md5mesh"),
            "noweight.md5mesh:16:19: mesh[0].vert[1]: expected at least one weight, found `0`",
        ),
    ] {
        let Err(error) = read(&path).0 else { panic!("{} loads", path.display()) };
        assert!(error.to_string().starts_with(found), "{error}");
    }
}

#[test]
fn e11_sign_of_the_quaternion_and_axes() {
    let Some(folder) = case("E11") else { return };
    let figure = open_folder(&folder).unwrap();
    assert_positions(&figure, &[[8.0, 1.0, 3.0], [9.3055, 2.6645, 0.8962], [0.0, 0.0, 7.0]]);
}

#[test]
fn e13_three_meshes_whatever_their_images() {
    let Some(folder) = case("E13") else { return };
    let figure = open_folder(&folder).unwrap();
    let meshes = &model(&figure).meshes;
    let names: Vec<_> = meshes.iter().map(|mesh| model(&figure).materials[mesh.material].name.as_str()).collect();
    assert_eq!(names, ["bob_body", "bob_head", "no_such_material"]);
    assert_eq!(meshes.iter().map(|mesh| mesh.triangles.len()).sum::<usize>(), 3);
    assert_eq!(positions(&figure).len(), 9);
}

#[test]
fn e14_the_shorter_way_round() {
    let Some(folder) = case("E14") else { return };
    let mut figure = open_folder(&folder).unwrap();
    for (seconds, expected) in [(0.0, [-0.62, -0.7846, 0.0]), (0.05, [-1.0, 0.0, 0.0]), (0.025, [-0.9, -0.4359, 0.0])] {
        figure.pose(Some("spin"), seconds, None);
        figure.update();
        let found = positions(&figure)[0];
        assert!(found.abs_diff_eq(Vec3::from(expected), 1e-4), "at {seconds}: {found}");
    }
    // The last frame is the end of a clip that does not loop.
    figure.pose(Some("spin"), 0.1, Some(false));
    figure.update();
    assert!(positions(&figure)[0].abs_diff_eq(Vec3::new(-0.62, 0.7846, 0.0), 1e-4));
}
