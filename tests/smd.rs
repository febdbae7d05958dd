//! Half-Life's and Source's models on real files: in come the shared cases and poses, out come the numbers they must give.
//! Without `../shared` the tests print a line and pass.

mod support;

use std::fs;
use std::path::Path;

use glam::Vec3;
use rigview::bundle::Bundle;
use rigview::figure::{Figure, Part};
use rigview::format::{self, Content};
use rigview::model::{self, Clip, Model};
use rigview::open;
use rigview::report::{Report, Result};
use support::{extension, files_below, shared};

/// Every file below a folder, by its path in it.
fn bundle(folder: &Path) -> Bundle {
    let mut bundle = Bundle::default();
    for path in files_below(folder) {
        let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
        bundle.add(&name, fs::read(&path).unwrap());
    }
    bundle
}

fn read(bundle: &Bundle, path: &str) -> (Result<Content>, Report) {
    let mut report = Report::default();
    let bytes = bundle.read(path).unwrap_or_else(|| panic!("no {path}"));
    let format = format::guess(path, &bytes).unwrap();
    let content = format::read(format, path, &bytes, &mut report);
    (content, report)
}

fn model(bundle: &Bundle, path: &str) -> Model {
    match read(bundle, path).0 {
        Ok(Content::Model(model)) => model,
        Ok(_) => panic!("{path} holds no model"),
        Err(error) => panic!("{error}"),
    }
}

fn bound(bundle: &Bundle, model: &Model, path: &str) -> Result<Clip> {
    let Ok(Content::Animation(animation)) = read(bundle, path).0 else { panic!("{path} holds no animation") };
    open::smd::bind(&model.skeleton, &animation, &mut Report::default())
}

fn figure(mut model: Model) -> Figure {
    model::finish::finish(&mut model);
    model::check::check(&model).unwrap();
    Figure::new("x", "SMD", vec![Part::new("", vec![model], None)], Report::default())
}

/// Where a vertex stands at a time.
fn vertex(figure: &mut Figure, clip: Option<&str>, seconds: f32, mesh: usize, vertex: usize) -> Vec3 {
    assert!(figure.pose(clip, seconds, None), "no clip {clip:?}");
    figure.update();
    figure.parts[0].posed()[mesh].vertices[vertex].position.into()
}

fn joint(figure: &mut Figure, clip: &str, seconds: f32, name: &str) -> Vec3 {
    assert!(figure.pose(Some(clip), seconds, None), "no clip {clip}");
    let part = &figure.parts[0];
    let joint = part.model().skeleton.joints.iter().position(|joint| joint.name == name).unwrap();
    part.model_from_joint()[joint].translation.into()
}

#[track_caller]
fn near(found: Vec3, expected: [f32; 3]) {
    assert!(found.distance(expected.into()) < 1e-3, "{found} is not {expected:?}");
}

fn case(name: &str) -> Option<Bundle> {
    shared(&format!("cases/{name}")).map(|path| bundle(&path))
}

fn assemble(bundle: &Bundle, path: &str) -> (Model, Report) {
    let mut report = Report::default();
    let model = open::qc::assemble(path, bundle, &mut report).unwrap_or_else(|error| panic!("{error}\n{report}"));
    (model, report)
}

#[test]
fn e35_ends_with_carriage_returns_blanks_or_nothing() {
    let Some(bundle) = case("E35-smd-crlf-and-no-final-newline") else { return };
    for path in ["blank-and-comments.smd", "crlf.smd", "trailing-spaces.smd"] {
        let (content, report) = read(&bundle, path);
        let Ok(Content::Model(model)) = content else { panic!("{path}") };
        assert_eq!(report.to_string(), "", "{path}");
        assert_eq!(model.skeleton.joints.len(), 1);
        assert_eq!(model.skeleton.joints[0].name, "root");
        assert_eq!(model.meshes.len(), 1);
        assert_eq!(model.materials[0].name, "skin.bmp");
        assert_eq!(model.meshes[0].triangles.len(), 1);
        let mut figure = figure(model);
        for (index, expected) in [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]].into_iter().enumerate() {
            near(vertex(&mut figure, None, 0.0, 0, index), expected);
        }
    }
}

#[test]
fn e37_materials_are_whole_lines() {
    let Some(bundle) = case("E37-smd-texture-name-forms") else { return };
    let model = model(&bundle, "names.smd");
    let names: Vec<_> = model.materials.iter().map(|material| material.name.as_str()).collect();
    assert_eq!(names, ["SKIN.BMP", "skin", "textures\\skin.tga", "my body skin.bmp"]);
    assert_eq!(model.meshes.iter().map(|mesh| mesh.triangles.len()).sum::<usize>(), 4);
}

#[test]
fn e38_bad_node_numbers_are_told_with_their_lines() {
    let Some(bundle) = case("E38-smd-bad-node-ids") else { return };
    let error = |path: &str| read(&bundle, path).0.err().map_or("no error".to_string(), |error| error.to_string());
    let has = |path: &str, parts: &[&str]| {
        let error = error(path);
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    };
    has("negative.smd", &["negative.smd:3:", "`-1`"]);
    has("huge.smd", &["huge.smd:4:", "`4000000000`"]);
    has("vertex-bone.smd", &["vertex-bone.smd:11:", "`7`", "bogus bone index"]);
    has("no-parent.smd", &["no-parent.smd:3:", "5"]);
    has("cycle.smd", &["cycle.smd:", "children"]);

    let model = model(&bundle, "sparse-unordered.smd");
    assert_eq!(model.skeleton.joints.len(), 2);
    assert_eq!(model.skeleton.joints[1].name, "child");
    assert_eq!(model.skeleton.joints[1].parent, Some(0));
    assert_eq!(model.meshes[0].triangles.len(), 1);
    let figure = figure(model);
    near(figure.parts[0].model_from_joint()[1].translation.into(), [0.0, 0.0, 3.0]);
}

#[test]
fn e40_sequences_are_shifted_turned_and_scaled() {
    let Some(bundle) = case("E40-smd-qc-origin-scale-rotate") else { return };
    let mut raw = model(&bundle, "prop_ref.smd");
    let mut clip = bound(&bundle, &raw, "prop_idle.smd").unwrap();
    clip.name = "raw".to_string();
    clip.loops = false;
    raw.clips.push(clip);
    let mut raw = figure(raw);
    near(joint(&mut raw, "raw", 0.0, "root"), [1.0, 0.0, 0.0]);
    near(joint(&mut raw, "raw", 1.0, "root"), [3.0, 0.0, 0.0]);

    let (model, report) = assemble(&bundle, "prop.qc");
    let idle = &model.clips[0];
    assert_eq!((idle.name.as_str(), idle.rate, idle.loops, idle.frames), ("idle", 12.0, true, 2));
    let model::Motion::Joints(frames) = &idle.motion else { panic!() };
    near(frames[0].translation, [2.0, 0.0, -2.0]);
    near(frames[1].translation, [6.0, 0.0, -2.0]);
    let expected = "warning: prop.qc:6:11: $sequence idle: expected a loop whose last frame is the first, found another last \
        frame\n  studiomdl makes the last frame the first; here it stays.\n";
    assert_eq!(report.to_string(), expected);
    let model::Motion::Joints(frames) = &model.clips[1].motion else { panic!() };
    near(frames[0].translation, [0.0, 2.0, -2.0]);
    near(frames[1].translation, [0.0, 6.0, -2.0]);
}

#[test]
fn e41_angles_turn_about_x_then_y_then_z() {
    let Some(bundle) = case("E41-smd-euler-order-and-interpolation") else { return };
    let mut model = model(&bundle, "ref.smd");
    for name in ["order", "wrap", "gimbal"] {
        let clip = bound(&bundle, &model, &format!("{name}.smd")).unwrap();
        model.clips.push(clip);
    }
    let mut figure = figure(model);
    near(vertex(&mut figure, Some("order"), 0.0, 0, 0), [0.0, 1.0, 0.0]);
    near(vertex(&mut figure, Some("order"), 0.0, 0, 1), [0.0, 0.0, 1.0]);
    near(vertex(&mut figure, Some("order"), 0.0, 0, 2), [1.0, 0.0, 0.0]);
    let at = |figure: &mut Figure, clip: &str, frame: f32, index: usize| {
        figure.pose(Some(clip), frame / 30.0, Some(false));
        figure.update();
        Vec3::from(figure.parts[0].posed()[0].vertices[index].position)
    };
    near(at(&mut figure, "order", 1.0, 0), [-0.2252, 0.6593, 0.7174]);
    near(at(&mut figure, "order", 1.0, 1), [-0.8355, -0.5095, 0.2059]);
    near(at(&mut figure, "order", 1.0, 2), [0.5012, -0.5530, 0.6656]);
    near(at(&mut figure, "wrap", 0.5, 0), [-1.0, 0.0, 0.0]);
    near(at(&mut figure, "gimbal", 0.5, 0), [0.0, 0.0, -1.0]);
}

#[test]
fn e43_times_start_anywhere_and_missing_bones_hold() {
    let Some(bundle) = case("E43-smd-frames-not-starting-at-zero") else { return };
    let Ok(Content::Animation(late)) = read(&bundle, "late.smd").0 else { panic!() };
    assert_eq!(late.clip.frames, 3);
    let model::Motion::Joints(frames) = &late.clip.motion else { panic!() };
    near(frames[0].translation, [1.0, 0.0, 0.0]);
    near(frames[2].translation, [3.0, 0.0, 0.0]);
    assert!((Clip { rate: 10.0, ..late.clip.clone() }.duration() - 0.2).abs() < 1e-6);

    let (model, _) = assemble(&bundle, "late.qc");
    assert_eq!(model.clips[0].frames, 3);
    let sub = &model.clips[1];
    assert_eq!((sub.name.as_str(), sub.frames, sub.rate), ("sub", 2, 10.0));
    let model::Motion::Joints(frames) = &sub.motion else { panic!() };
    near(frames[0].translation, [0.0, 2.0, 0.0]);

    let (content, report) = read(&bundle, "sparse.smd");
    let Ok(Content::Animation(sparse)) = content else { panic!() };
    let model::Motion::Joints(frames) = &sparse.clip.motion else { panic!() };
    near(frames[2].translation, [1.0, 0.0, 0.0]);
    near(frames[3].translation, [0.0, 0.0, 5.0]);
    near(frames[4].translation, [1.0, 0.0, 0.0]);
    near(frames[5].translation, [0.0, 0.0, 9.0]);
    assert!(report.to_string().contains("Half-Life's studiomdl leaves zeros"), "{report}");
}

#[test]
fn e44_shapes_move_what_stands_where_they_stood() {
    let Some(bundle) = case("E44-vta-flex") else { return };
    let mut model = model(&bundle, "face.smd");
    let Ok(Content::Shapes(shapes)) = read(&bundle, "face.vta").0 else { panic!() };
    let mut report = Report::default();
    open::flex::add_shapes(&mut model, &shapes, |_| None, &mut report);
    assert_eq!(report.to_string(), "");
    assert_eq!(model.flexes, ["smile", "frown"]);
    let corners: Vec<u32> = model.meshes[0].triangles.as_flattened().to_vec();
    assert_eq!(corners.len(), 6);
    let mut figure = figure(model);
    let places = |figure: &mut Figure| -> Vec<Vec3> {
        corners.iter().map(|&corner| vertex(figure, None, 0.0, 0, corner as usize)).collect()
    };
    let rest = places(&mut figure);
    figure.set_flex("smile", 0.5);
    let half = places(&mut figure);
    figure.set_flex("smile", 1.0);
    figure.set_flex("frown", 1.0);
    let both = places(&mut figure);
    for ((rest, half), both) in rest.into_iter().zip(half).zip(both) {
        if rest.distance(Vec3::new(0.0, 0.0, 1.0)) < 1e-4 {
            near(half, [0.0, 0.0, 1.5]);
            near(both, [0.0, 0.0, 2.0]);
        } else if rest.distance(Vec3::new(0.0, 4.0, 1.0)) < 1e-4 {
            near(half, rest.into());
            near(both, [0.0, 4.0, -1.0]);
        } else {
            near(half, rest.into());
            near(both, rest.into());
        }
    }
}

#[test]
fn e46_bones_are_matched_by_name() {
    let Some(bundle) = case("E46-smd-bones-matched-by-name") else { return };
    let mut model = model(&bundle, "ref.smd");
    let clip = bound(&bundle, &model, "kick.smd").unwrap();
    model.clips.push(clip);
    let corners = model.meshes[0].triangles[0];
    let mut figure = figure(model);
    let expected = [[2.0, 5.0, 0.0], [-2.0, 0.0, 0.0], [0.0, 0.0, 10.0]];
    for (corner, expected) in corners.into_iter().zip(expected) {
        near(vertex(&mut figure, Some("kick"), 0.0, 0, corner as usize), expected);
    }
}

#[test]
fn e47_a_texturegroup_makes_variants() {
    let Some(bundle) = case("E47-smd-texturegroup-with-different-size") else { return };
    let (model, report) = assemble(&bundle, "crate.qc");
    assert_eq!(report.to_string(), "");
    let names: Vec<_> =
        model.variants.iter().map(|variant| model.materials[variant.materials[0].unwrap()].name.as_str()).collect();
    assert_eq!(names, ["crate_a.bmp", "CRATE_B.BMP"]);
}

#[test]
fn e59_chrome_is_known_by_name() {
    use rigview::material::{Shading, TexCoordGen};
    let Some(bundle) = case("E59-smd-chrome-texture") else { return };
    let model = model(&bundle, "gun.smd");
    let looks: Vec<_> = model
        .materials
        .iter()
        .map(|material| (material.name.as_str(), material.layers[0].tex_coords, material.layers[0].shading))
        .collect();
    assert_eq!(
        looks,
        [("Gun_Chrome1.BMP", TexCoordGen::Chrome, Shading::Flat), ("gun.bmp", TexCoordGen::Mesh, Shading::Lit)]
    );
}

#[test]
fn poses_are_those_of_the_reference() {
    let Some(path) = shared("expected/poses.json") else { return };
    let models = shared("models").unwrap();
    let cases: Vec<serde_json::Value> = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let mut checked = 0;
    for case in cases.iter().filter(|case| case["kind"] == "smd") {
        let id = case["id"].as_str().unwrap();
        let files: Vec<&str> =
            case["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
        let mut bundle = Bundle::default();
        for file in &files {
            bundle.add(file, fs::read(models.join(file)).unwrap());
        }
        let mut model = model(&bundle, files[0]);
        let clip = files.get(1).map(|path| {
            let mut clip = bound(&bundle, &model, path).unwrap();
            clip.rate = case["fps"].as_f64().unwrap() as f32;
            assert_eq!(clip.frames as u64, case["frames"].as_u64().unwrap(), "{id}");
            model.clips.push(clip);
            model.clips[0].name.clone()
        });
        let expected = case["counts"]["meshes"].as_array().unwrap();
        assert_eq!(model.meshes.len(), expected.len(), "{id}");
        for (mesh, expected) in model.meshes.iter().zip(expected) {
            assert_eq!(mesh.name, expected["name"].as_str().unwrap(), "{id}");
            assert_eq!(mesh.triangles.len() as u64, expected["triangles"].as_u64().unwrap(), "{id}");
        }
        let mut figure = figure(model);
        figure.pose(clip.as_deref(), case["time"].as_f64().unwrap() as f32, None);
        figure.update();
        let tolerance = case["tolerance"].as_f64().unwrap() as f32;
        let part = &figure.parts[0];
        for vertex in case["vertices"].as_array().unwrap() {
            let mesh = vertex["mesh"].as_u64().unwrap() as usize;
            // The reference counts corners.
            let corner = vertex["vertex"].as_u64().unwrap() as usize;
            let index = part.model().meshes[mesh].triangles.as_flattened()[corner] as usize;
            let found = Vec3::from(part.posed()[mesh].vertices[index].position);
            let expected = vertex["position"].as_array().unwrap();
            let expected = Vec3::from_array(std::array::from_fn(|axis| expected[axis].as_f64().unwrap() as f32));
            assert!(found.distance(expected) <= tolerance, "{id} corner {corner}: {found} is not {expected}");
        }
        for joint in case["joints"].as_array().unwrap() {
            let index = joint["joint"].as_u64().unwrap() as usize;
            assert_eq!(part.model().skeleton.joints[index].name, joint["name"].as_str().unwrap(), "{id}");
            let found = part.model_from_joint()[index];
            for (row, numbers) in joint["model_from_joint"].as_array().unwrap().iter().enumerate() {
                let axes = [found.matrix3.x_axis, found.matrix3.y_axis, found.matrix3.z_axis, found.translation];
                for (axis, number) in axes.iter().zip(numbers.as_array().unwrap()) {
                    let expected = number.as_f64().unwrap() as f32;
                    assert!((axis[row] - expected).abs() <= tolerance, "{id} joint {index} row {row}");
                }
            }
        }
        checked += 1;
    }
    assert!(checked >= 4, "only {checked} cases");
}

#[test]
fn every_real_file_is_read() {
    let Some(folder) = shared("models/smd") else { return };
    let bundle = bundle(&folder);
    let mut read_files = 0;
    for path in files_below(&folder).iter().filter(|path| matches!(extension(path).as_str(), "smd" | "vta")) {
        let name = path.strip_prefix(&folder).unwrap().to_string_lossy();
        let (content, report) = read(&bundle, &name);
        assert!(content.is_ok(), "{name}: {}", content.err().unwrap());
        assert!(!report.has_errors(), "{name}: {report}");
        if let Ok(Content::Model(model)) = content {
            figure(model);
        }
        read_files += 1;
    }
    assert!(read_files >= 15, "only {read_files} files");
}

#[test]
fn a_decompiled_script_is_put_together() {
    let Some(folder) = shared("models/smd/kbat") else { return };
    let (model, report) = assemble(&bundle(&folder), "bate.qc");
    assert!(!report.has_errors(), "{report}");
    let clips: Vec<_> = model.clips.iter().map(|clip| (clip.name.as_str(), clip.rate, clip.frames > 1)).collect();
    assert_eq!(clips, [("idle", 24.0, true), ("attack", 24.0, true)]);
    assert_eq!(model.meshes.len(), 1);
    // Source turns the bind pose like the sequences.
    let source = model::Transform::new(glam::Quat::from_rotation_z(std::f32::consts::FRAC_PI_2), Vec3::ZERO);
    assert!(model.skeleton.joints[0].parent_from_joint.rotation.dot(source.rotation) > 0.9999);
}

#[test]
fn scripts_whose_files_are_missing_name_them() {
    let Some(folder) = shared("models/smd/blender-source-tools") else { return };
    let bundle = bundle(&folder);
    for (script, file) in
        [("Scout.qc", "scout_morphs_low"), ("AllTypes_Armature.qc", "alltypes"), ("VertexAnimation.qc", "dice")]
    {
        let mut report = Report::default();
        let error = open::qc::assemble(script, &bundle, &mut report).expect_err("nothing to put together");
        report.push(error);
        let text = report.to_string();
        assert!(text.to_lowercase().contains(&format!("no file `{file}.smd`")), "{script}: {text}");
    }
}

fn opened(bundle: &Bundle, path: Option<&str>) -> Figure {
    open::open(bundle, path).unwrap_or_else(|failure| panic!("{}", failure.report))
}

#[test]
fn what_lies_beside_a_reference_is_taken_up() {
    if let Some(bundle) = case("E44-vta-flex") {
        assert_eq!(opened(&bundle, None).flexes(), ["smile", "frown"]);
        let mut alone = Bundle::default();
        alone.add("face.vta", bundle.read("face.vta").unwrap().into_owned());
        let failure = open::open(&alone, None).err().expect("shapes alone are nothing to see");
        assert!(failure.error.to_string().contains("reference mesh"), "{}", failure.error);
    }
    if let Some(bundle) = case("E46-smd-bones-matched-by-name") {
        let figure = opened(&bundle, None);
        let names: Vec<_> = figure.clips().iter().map(|clip| clip.clip.name.clone()).collect();
        assert_eq!(names, ["kick"]);
    }
    if let Some(bundle) = case("E40-smd-qc-origin-scale-rotate") {
        let figure = opened(&bundle, None);
        assert_eq!((figure.format.as_str(), figure.name.as_str()), ("QC", "prop"));
        assert_eq!(opened(&bundle, Some("prop_ref.smd")).format, "SMD");
    }
}

#[test]
fn body_parts_on_one_skeleton_stand_together() {
    let part = |joints: &str, poses: &str, material: &str, joint: u32| {
        let corners = ["0 0", "4 0", "0 4"].map(|at| format!("{joint} {at} 5 0 0 1 0 0\n")).concat();
        format!("version 1\nnodes\n{joints}end\nskeleton\ntime 0\n{poses}end\ntriangles\n{material}\n{corners}end\n")
    };
    let mut bundle = Bundle::default();
    let root = ("0 \"root\" -1\n1 \"arm\" 0\n", "0 0 0 0 0 0 0\n1 0 0 5 0 0 0\n");
    bundle.add("man/body.smd", part(root.0, root.1, "body.bmp", 1).into_bytes());
    // The same joints by other numbers, and one more.
    let hand = ("7 \"hand\" 3\n3 \"arm\" 5\n5 \"root\" -1\n", "5 0 0 0 0 0 0\n3 0 0 5 0 0 0\n7 1 0 0 0 0 0\n");
    bundle.add("man/hand.smd", part(hand.0, hand.1, "hand.bmp", 7).into_bytes());
    bundle.add("man/tree.smd", part("0 \"trunk\" -1\n", "0 0 0 0 0 0 0\n", "tree.bmp", 0).into_bytes());
    bundle.add(
        "man/wave.smd",
        b"version 1\nnodes\n0 \"hand\" 1\n1 \"arm\" -1\nend\nskeleton\ntime 0\n0 9 0 0 0 0 0\n1 0 0 6 0 0 0\nend\n"
            .to_vec(),
    );

    let mut figure = opened(&bundle, None);
    assert!(!figure.report.has_errors(), "{}", figure.report);
    let part = &figure.parts[0];
    let names: Vec<_> = part.model().skeleton.joints.iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["root", "arm", "hand"]);
    let groups: Vec<_> = part.model().bodygroups.iter().map(|group| group.name.as_str()).collect();
    assert_eq!(groups, ["body", "hand"]);
    assert_eq!(figure.shown().count(), 2);
    near(vertex(&mut figure, None, 0.0, 1, 1), [4.0, 0.0, 5.0]);
    near(vertex(&mut figure, Some("wave"), 0.0, 1, 1), [12.0, 0.0, 6.0]);
    assert!(figure.set_body("hand", "hidden"));
    assert_eq!(figure.shown().collect::<Vec<_>>(), [(0, 0)]);

    bundle.add("man/wave2.smd", bundle.read("man/wave.smd").unwrap().into_owned());
    let figure = opened(&bundle, Some("man/wave.smd"));
    let names: Vec<_> = figure.clips().iter().map(|clip| clip.clip.name.clone()).collect();
    assert_eq!(names, ["wave", "wave2"]);

    // Asked for by its path, a part stands alone.
    assert_eq!(opened(&bundle, Some("man/hand.smd")).shown().count(), 1);
}

#[test]
fn a_choice_is_found_in_each_body_group_of_its_name() {
    let smd = "version 1\nnodes\n0 \"root\" -1\nend\nskeleton\ntime 0\n0 0 0 0 0 0 0\nend\ntriangles\nm.bmp\n\
               0 0 0 0 0 0 1 0 0\n0 4 0 0 0 0 1 1 0\n0 0 4 0 0 0 1 0 1\nend\n";
    let mut bundle = Bundle::default();
    for name in ["a", "b", "c"] {
        bundle.add(&format!("{name}.smd"), smd.as_bytes().to_vec());
    }
    let script = "$modelname x.mdl\n$bodygroup g {\nstudio a\n}\n$bodygroup g {\nstudio c\nstudio b\n}\n";
    bundle.add("x.qc", script.as_bytes().to_vec());
    let mut figure = opened(&bundle, None);
    let before: Vec<_> = figure.shown().collect();
    assert!(figure.set_body("g", "b"));
    assert_ne!(figure.shown().collect::<Vec<_>>(), before);
    assert!(!figure.set_body("g", "d"));
}

#[test]
fn the_samples_are_put_together_without_a_word() {
    let samples = support::repository("www/public/samples");
    let tock = opened(&bundle(&samples.join("tock")), None);
    assert_eq!(tock.report.to_string(), "");
    let model = tock.parts[0].model();
    let choices: Vec<Vec<&str>> = model
        .bodygroups
        .iter()
        .map(|group| group.choices.iter().map(|choice| choice.name.as_str()).collect())
        .collect();
    assert_eq!(choices, [vec!["tock_body"], vec!["tock_claw", "tock_lamp"]]);
    assert_eq!(tock.variants(), ["skin 0", "skin 1"]);
    let clips: Vec<_> = model.clips.iter().map(|clip| (clip.name.as_str(), clip.rate, clip.loops)).collect();
    assert_eq!(clips, [("idle", 24.0, true), ("walk", 24.0, true), ("greet", 24.0, false)]);
    assert_eq!(tock.tags().count(), 2);
    let mut murmur = opened(&bundle(&samples.join("murmur")), None);
    assert_eq!(murmur.report.to_string(), "");
    assert_eq!(murmur.flexes(), ["smile", "frown", "blink", "jaw_open", "brows_up", "pucker"]);
    let places = |figure: &mut Figure| -> Vec<Vec3> {
        figure.update();
        figure.parts[0].posed().iter().flat_map(|mesh| &mesh.vertices).map(|vertex| vertex.position.into()).collect()
    };
    let rest = places(&mut murmur);
    for flex in ["smile", "frown", "blink", "jaw_open", "brows_up", "pucker"] {
        murmur.set_flex(flex, 1.0);
        let moved = places(&mut murmur).iter().zip(&rest).filter(|(a, b)| a.distance(**b) > 0.01).count();
        assert!(moved > 10, "{flex} moves {moved} vertices");
        murmur.set_flex(flex, 0.0);
    }
    assert_eq!(places(&mut murmur), rest);
}

/// A reference file of one triangle on the first joint.
fn reference_of(joints: &str, poses: &str, links: &str) -> Vec<u8> {
    let corners = ["0 0", "4 0", "0 4"].map(|at| format!("0 {at} 5 0 0 1 0 0 {links}\n")).concat();
    let text = format!("nodes\n{joints}end\nskeleton\ntime 0\n{poses}end\ntriangles\nchrome.bmp\n{corners}end\n");
    format!("version 1\n{text}").into_bytes()
}

#[test]
fn joints_that_an_animation_lists_and_never_poses_stay_in_the_bind_pose() {
    let mut bundle = Bundle::default();
    let joints = "0 \"root\" -1\n1 \"arm\" 0\n";
    bundle.add("man.smd", reference_of(joints, "0 0 0 0 0 0 0\n1 0 0 5 0 0 0\n", ""));
    let rise = format!("version 1\nnodes\n{joints}end\nskeleton\ntime 0\n0 1 0 0 0 0 0\ntime 1\n0 2 0 0 0 0 0\nend\n");
    bundle.add("rise.smd", rise.into_bytes());
    bundle.add("man.qc", b"$body body man\n$sequence rise rise fps 10\n".to_vec());
    for (path, arm) in [("man.smd", [2.0, 0.0, 5.0]), ("man.qc", [0.0, 2.0, 5.0])] {
        let mut figure = opened(&bundle, Some(path));
        figure.pose(Some("rise"), 1.0, Some(false));
        near(
            joint(&mut figure, "rise", 0.0, "root"),
            if path == "man.smd" { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] },
        );
        assert!(figure.pose(Some("rise"), 1.0, Some(false)));
        near(figure.parts[0].model_from_joint()[1].translation.into(), arm);
        let report = figure.report.to_string();
        assert!(report.contains("none for `arm` at time 0"), "{report}");
    }
}

#[test]
fn files_with_a_root_alone_are_models_of_their_own() {
    let mut bundle = Bundle::default();
    for path in ["cube.smd", "house.smd"] {
        bundle.add(path, reference_of("0 \"root\" -1\n", "0 0 0 0 0 0 0\n", ""));
    }
    let figure = opened(&bundle, None);
    assert_eq!((figure.name.as_str(), figure.shown().count()), ("cube", 1));
    assert_eq!(figure.parts[0].model().bodygroups.len(), 0);
    let listed: Vec<_> = open::candidates(&bundle).into_iter().map(|candidate| candidate.path).collect();
    assert_eq!(listed, ["cube.smd", "house.smd"]);
}

#[test]
fn what_stands_in_for_a_part_is_hidden_at_first() {
    let mut bundle = Bundle::default();
    let (joints, poses) = ("0 \"root\" -1\n1 \"arm\" 0\n", "0 0 0 0 0 0 0\n1 0 0 5 0 0 0\n");
    for path in ["man_lod1.smd", "man_physics.smd", "man_reference.smd"] {
        bundle.add(path, reference_of(joints, poses, ""));
    }
    let mut figure = opened(&bundle, None);
    assert_eq!(figure.name, "man_reference");
    assert_eq!(figure.shown().collect::<Vec<_>>(), [(0, 0)]);
    assert!(figure.set_body("man_physics", "man_physics"));
    assert!(figure.set_body("man_reference", "hidden"));
    assert_eq!(figure.shown().count(), 1);
}

#[test]
fn a_script_of_half_lifes_is_placed_by_its_rules_whatever_its_files_hold() {
    let mut bundle = Bundle::default();
    let joints = "0 \"root\" -1\n1 \"arm\" 0\n";
    bundle.add("man.smd", reference_of(joints, "0 0 0 0 0 0 0\n1 0 0 5 0 0 0\n", "1 1 1.0"));
    bundle.add("old.qc", b"$cdtexture .\n$body body man\n$sequence idle man fps 10\n".to_vec());
    bundle.add("new.qc", b"$body body man\n$sequence idle man fps 10\n".to_vec());
    let compiler = |figure: &Figure| {
        let info = figure.info.iter().find(|(name, _)| name == "compiler");
        info.map(|(_, info)| format!("{info:?}")).unwrap_or_default()
    };

    let mut old = opened(&bundle, Some("old.qc"));
    assert!(compiler(&old).contains("Half-Life"));
    assert!(old.report.to_string().contains("hangs each vertex on its first field"), "{}", old.report);
    // The bind pose is not turned, the sequences are; links count all the same.
    near(vertex(&mut old, None, 0.0, 0, 1), [4.0, 0.0, 5.0]);
    near(vertex(&mut old, Some("idle"), 0.0, 0, 1), [0.0, 4.0, 5.0]);
    assert_eq!(old.parts[0].model().materials[0].layers[0].tex_coords, rigview::material::TexCoordGen::Chrome);

    let mut new = opened(&bundle, Some("new.qc"));
    assert!(compiler(&new).contains("Source"));
    near(vertex(&mut new, None, 0.0, 0, 1), [0.0, 4.0, 5.0]);
}
