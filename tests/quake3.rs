//! Quake III's models and players against files and poses that others made: those under ../shared, where it is there.

use std::path::{Path, PathBuf};

use rigview::bundle::Bundle;
use rigview::figure::Figure;
use rigview::open;
use serde_json::Value;

/// A folder of reference files beside the repository; `None` (and a line that says so) where it is not there.
fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(path);
    if !path.exists() {
        println!("skipped: no {}", path.display());
    }
    path.exists().then_some(path)
}

/// Every file under a folder but the expectation.
fn bundle(folder: &Path) -> Bundle {
    let mut bundle = Bundle::default();
    add(&mut bundle, folder, folder);
    bundle
}

fn add(bundle: &mut Bundle, root: &Path, folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add(bundle, root, &path);
        } else if path.file_name().unwrap() != "expected.txt" {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap();
            bundle.add(name, std::fs::read(&path).unwrap());
        }
    }
}

fn opened(bundle: &Bundle, path: Option<&str>) -> Figure {
    match open::open(bundle, path) {
        Ok(figure) => figure,
        Err(failure) => panic!("{}", failure.report),
    }
}

fn case(name: &str) -> Option<Figure> {
    Some(opened(&bundle(&shared(&format!("cases/{name}"))?), None))
}

/// A vertex as posed, in the figure's space. Meshes are counted as they are shown.
fn position(figure: &Figure, mesh: usize, vertex: usize) -> [f32; 3] {
    let (part, mesh) = figure.shown().nth(mesh).unwrap();
    let part = &figure.parts[part];
    part.figure_from_part().transform_point3(part.posed()[mesh].vertices[vertex].position.into()).into()
}

fn assert_near(found: [f32; 3], expected: [f32; 3], tolerance: f32, what: &str) {
    let distance = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(distance <= tolerance, "{what}: {found:?}, expected {expected:?}");
}

fn numbers(value: &Value) -> [f32; 3] {
    std::array::from_fn(|index| value[index].as_f64().unwrap() as f32)
}

#[test]
fn poses_are_those_of_the_reference() {
    let Some(path) = shared("expected/poses.json") else { return };
    let cases: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let models = shared("models").unwrap();
    let mut checked = 0;
    for case in cases.as_array().unwrap() {
        let kind = case["kind"].as_str().unwrap();
        if kind != "md3" && kind != "player" {
            continue;
        }
        let id = case["id"].as_str().unwrap();
        let mut bundle = Bundle::default();
        let files: Vec<&str> =
            case["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
        for file in &files {
            bundle.add(file, std::fs::read(models.join(file)).unwrap());
        }
        let mut figure = opened(&bundle, Some(files[0]));
        let time = case["time"].as_f64().unwrap() as f32;
        if let Some(clip) = case["clip"].as_str() {
            assert!(figure.pose(Some(clip), time, None), "{id}: no {clip}");
        } else if let Some(legs) = case["legs"].as_str() {
            assert!(figure.pose_named_part("lower", legs, time, None), "{id}: no {legs}");
            assert!(figure.pose_named_part("upper", case["torso"].as_str().unwrap(), time, None));
        }
        figure.update();
        let tolerance = case["tolerance"].as_f64().unwrap_or(1e-3) as f32;
        let meshes = case["counts"]["meshes"].as_array().unwrap();
        assert_eq!(figure.shown().count(), meshes.len(), "{id}");
        for (index, expected) in meshes.iter().enumerate() {
            let (part, mesh) = figure.shown().nth(index).unwrap();
            let mesh = &figure.parts[part].model().meshes[mesh];
            assert_eq!(mesh.name, expected["name"].as_str().unwrap().to_lowercase(), "{id}");
            assert_eq!(mesh.vertex_count() as u64, expected["vertices"].as_u64().unwrap(), "{id}");
        }
        for vertex in case["vertices"].as_array().unwrap() {
            let (mesh, index) =
                (vertex["mesh"].as_u64().unwrap() as usize, vertex["vertex"].as_u64().unwrap() as usize);
            let what = format!("{id} mesh {mesh} vertex {index}");
            assert_near(position(&figure, mesh, index), numbers(&vertex["position"]), tolerance, &what);
            checked += 1;
        }
        let normals = case["normals"].as_array().into_iter().flatten();
        for (vertex, normal) in case["vertices"].as_array().unwrap().iter().zip(normals) {
            let (part, mesh) = figure.shown().nth(vertex["mesh"].as_u64().unwrap() as usize).unwrap();
            let posed = &figure.parts[part].posed()[mesh].vertices[vertex["vertex"].as_u64().unwrap() as usize];
            let unit = glam::Vec3::from(posed.normal).normalize();
            assert_near(unit.into(), numbers(normal), 1e-3, &format!("{id} normal"));
        }
        for tag in case["tags"].as_array().into_iter().flatten() {
            let name = tag["name"].as_str().unwrap();
            let found = figure.tags().find(|(found, _)| found == name).expect(name).1;
            assert_near(found.translation.into(), numbers(&tag["origin"]), tolerance, name);
            for (index, axis) in tag["axis"].as_array().unwrap().iter().enumerate() {
                assert_near(found.matrix3.col(index).into(), numbers(axis), 1e-4, name);
            }
        }
        for part in case["parts"].as_array().into_iter().flatten() {
            let name = part["name"].as_str().unwrap();
            let found = figure.parts.iter().find(|part| part.name == name).unwrap().figure_from_part();
            for row in 0..3 {
                let expected = &part["model_from_part"][row];
                assert_near(found.matrix3.row(row).into(), numbers(expected), 1e-4, name);
                let moved = [found.translation[row], 0.0, 0.0];
                assert_near(moved, [expected[3].as_f64().unwrap() as f32, 0.0, 0.0], tolerance, name);
            }
        }
    }
    assert!(checked > 30, "only {checked} vertices");
}

#[test]
fn tag_axes_are_the_images_of_x_y_z() {
    let Some(figure) = case("E19-md3-tag-axes-not-transposed") else { return };
    assert_eq!(figure.format, "Quake III player");
    assert_eq!(figure.shown().count(), 3);
    let part = |name: &str| figure.shown().position(|(part, _)| figure.parts[part].name == name).unwrap();
    assert_near(position(&figure, part("upper"), 0), [0.0, 4.0, 12.0], 1e-4, "upper");
    assert_near(position(&figure, part("head"), 0), [-2.0, 1.0, 15.0], 1e-4, "head");
    let (_, weapon) = figure.tags().find(|(name, _)| name == "upper/tag_weapon").unwrap();
    assert_near(weapon.translation.into(), [3.0, 6.0, 11.0], 1e-4, "tag_weapon");
    assert_near(weapon.matrix3.x_axis.into(), [0.0, 1.0, 0.0], 1e-4, "its x axis");
    let legs = &figure.parts[0];
    assert_eq!(legs.posed()[0].vertices[0].normal, [0.0, 0.0, 1.0]);
    let [a, b, c] = legs.model().meshes[0].triangles[0]
        .map(|corner| glam::Vec3::from(legs.posed()[0].vertices[corner as usize].position));
    assert_near((b - a).cross(c - a).normalize().into(), [0.0, 0.0, 1.0], 1e-4, "front side");
}

#[test]
fn a_part_without_the_frame_shows_its_frame_0() {
    let Some(mut figure) = case("E20-md3-frame-outside-shorter-part") else { return };
    assert!(figure.pose(Some("all frames"), 0.3, None));
    figure.update();
    let (_, torso) = figure.tags().find(|(name, _)| name == "lower/tag_torso").unwrap();
    assert_near([torso.translation.z, 0.0, 0.0], [13.0, 0.0, 0.0], 1e-4, "torso tag");
    assert_near(position(&figure, 1, 0), [0.0, 0.0, 13.0], 1e-4, "upper");
    assert_near(position(&figure, 2, 0), [0.0, 0.0, 23.0], 1e-4, "head");
}

fn clip<'a>(figure: &'a Figure, part: &str, name: &str) -> &'a rigview::model::Clip {
    let part = figure.parts.iter().find(|candidate| candidate.name == part).unwrap();
    part.levels()[0].clips.iter().find(|clip| clip.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// The stored frames a clip shows, one step after the other.
fn frames(clip: &rigview::model::Clip, steps: usize) -> Vec<usize> {
    (0..steps).map(|step| clip.blend((step as f32 + 0.25) / clip.rate).from).collect()
}

fn info(figure: &Figure, name: &str) -> rigview::model::Info {
    figure.info.iter().find(|(key, _)| key == name).unwrap_or_else(|| panic!("no {name}")).1.clone()
}

#[test]
fn a_player_from_before_team_arena() {
    use rigview::model::Info::{Flag, List, Number, Text};
    let Some(folder) = shared("cases/E22-q3-animation-cfg-without-team-arena") else { return };
    let Some(parts) = shared("cases/E19-md3-tag-axes-not-transposed") else { return };
    let mut bundle = bundle(&parts);
    bundle.add("animation.cfg", std::fs::read(folder.join("animation.cfg")).unwrap());
    let figure = opened(&bundle, None);
    assert_eq!(info(&figure, "sex"), Text("female".into()));
    assert_eq!(info(&figure, "headoffset"), List(vec![Number(1.0), Number(-2.5), Number(3.0)]));
    assert_eq!(info(&figure, "footsteps"), Text("mech".into()));
    assert_eq!(info(&figure, "fixedlegs"), Flag(false));
    let expect = |part: &str, name: &str, first: usize, count: usize, loop_frames: usize, rate: f32| {
        let clip = clip(&figure, part, name);
        let range = rigview::model::KeyRange { first, loop_frames, reversed: false };
        let rigview::model::Motion::Keys(found) = clip.motion else { panic!("{name} is no row of the file") };
        assert_eq!((found, clip.frames, clip.rate), (range, count, rate), "{name}");
    };
    expect("lower", "BOTH_DEATH1", 0, 30, 0, 25.0);
    expect("upper", "BOTH_DEATH1", 0, 30, 0, 25.0);
    expect("upper", "TORSO_GESTURE", 90, 40, 0, 20.0);
    expect("upper", "TORSO_STAND2", 152, 1, 0, 15.0);
    expect("lower", "LEGS_WALKCR", 90, 8, 8, 20.0);
    expect("lower", "LEGS_RUN", 110, 11, 11, 21.0);
    expect("lower", "LEGS_IDLE", 159, 10, 10, 15.0);
    for name in ["GETFLAG", "GUARDBASE", "PATROL", "FOLLOWME", "AFFIRMATIVE", "NEGATIVE"] {
        expect("upper", &format!("TORSO_{name}"), 90, 40, 0, 20.0);
    }
    assert_eq!(frames(clip(&figure, "lower", "LEGS_TURN"), 8), [183, 182, 181, 180, 179, 178, 177, 183]);
    assert_eq!(frames(clip(&figure, "lower", "LEGS_BACKCR"), 9), [97, 96, 95, 94, 93, 92, 91, 90, 97]);
    assert_eq!(frames(clip(&figure, "lower", "LEGS_BACKWALK"), 2), [109, 108]);
    let highest = |part: &str| {
        let part = figure.parts.iter().find(|candidate| candidate.name == part).unwrap();
        part.levels()[0].clips.iter().flat_map(|clip| frames(clip, clip.frames)).max().unwrap()
    };
    assert_eq!((highest("lower"), highest("upper")), (183, 152));
}

#[test]
fn forty_surfaces_and_keywords_in_any_case() {
    use rigview::model::Info::{Flag, Text};
    let Some(figure) = case("E23-q3-many-surfaces-and-case") else { return };
    assert_eq!(figure.shown().count(), 40);
    assert_eq!(figure.variants(), ["default"]);
    for (index, (part, mesh)) in figure.shown().enumerate() {
        let part = &figure.parts[part];
        let material = &part.model().materials[part.material_of(mesh).unwrap()];
        assert_eq!(material.name, format!("textures/m{index:02}.tga"));
    }
    assert_near(position(&figure, 39, 0), [312.0, 0.0, 0.0], 1e-4, "surface 39");
    assert_eq!(info(&figure, "sex"), Text("male".into()));
    assert_eq!((info(&figure, "fixedlegs"), info(&figure, "fixedtorso")), (Flag(true), Flag(true)));
    let unknown = figure.report.diagnostics.iter().filter(|finding| finding.found == "`someunknownword`");
    assert_eq!(unknown.count(), 1);
    assert!(!figure.report.has_errors());
    assert_eq!(clip(&figure, "", "LEGS_WALKCR").frames, 8);
}

#[test]
fn surfaces_without_a_shader() {
    let Some(figure) = case("E25-md3-empty-or-no-shader") else { return };
    let meshes = &figure.parts[0].model().meshes;
    assert_eq!(meshes.iter().map(|mesh| mesh.triangles.len()).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(meshes.iter().map(|mesh| mesh.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    let materials = &figure.parts[0].model().materials;
    assert!(meshes.iter().all(|mesh| materials[mesh.material].name.is_empty()));
}

#[test]
fn one_frame_and_too_few_animations() {
    let Some(mut figure) = case("E28-md3-single-frame") else { return };
    assert!(figure.clips().is_empty());
    figure.pose(None, 7.0, None);
    figure.update();
    assert_near(position(&figure, 0, 0), [0.0, 0.0, 1.0], 1e-4, "v0");
    let of_cfg = figure.report.diagnostics.iter().filter(|finding| finding.file == "animation.cfg");
    let errors: Vec<_> = of_cfg.map(|finding| finding.to_string()).collect();
    assert_eq!(
        errors,
        ["animation.cfg:4:1: expected at least 25 animations, found too few animations: 3 of 25\n  \
          Quake III refuses the player: \"Error parsing animation file\""]
    );
}

#[test]
fn levels_of_detail_are_one_model() {
    let Some(folder) = shared("cases/E29-md3-lod-files") else { return };
    let bundle = bundle(&folder);
    assert_eq!(open::candidates(&bundle).len(), 1);
    let mut figure = opened(&bundle, None);
    let count = |figure: &Figure| {
        let shown = figure.shown().map(|(part, mesh)| figure.parts[part].model().meshes[mesh].triangles.len());
        (figure.shown().count(), shown.sum::<usize>())
    };
    assert_eq!((count(&figure), figure.levels()), ((2, 2), 3));
    assert!(figure.report.to_string().contains("none for `l_boots`"), "{}", figure.report);
    let mut skins = Vec::new();
    for level in 0..3 {
        figure.set_level(level);
        let part = &figure.parts[0];
        let legs = part.model().meshes.iter().position(|mesh| mesh.name == "l_legs").unwrap();
        skins.push(part.model().materials[part.material_of(legs).unwrap()].name.clone());
    }
    assert!(!skins[0].is_empty() && skins.iter().all(|skin| *skin == skins[0]), "{skins:?}");

    let mut alone = Bundle::default();
    alone.add("lower_1.md3", std::fs::read(folder.join("lower_1.md3")).unwrap());
    assert_eq!(opened(&alone, None).levels(), 1);
}

#[test]
fn vertices_of_a_seam_stay_apart() {
    let Some(figure) = case("E31-md3-uv-seam-vertices") else { return };
    let mesh = &figure.parts[0].model().meshes[0];
    assert_eq!((mesh.vertex_count(), mesh.triangles.len()), (6, 2));
    assert_eq!((mesh.uvs[2], mesh.uvs[3]), ([0.5, 0.0], [0.5, 1.0]));
    let vertices = &figure.parts[0].posed()[0].vertices;
    assert_eq!(vertices[2].position, vertices[3].position);
    assert_ne!(vertices[2].normal, vertices[3].normal);
}

#[test]
fn content_says_what_a_file_is() {
    let Some(folder) = shared("cases/E32-md2-and-misnamed-md3") else { return };
    for (name, as_name) in [("tris.md2", "tris.md2"), ("tris.md2", "tris.mdl"), ("tris.md2", "tris")] {
        let mut misnamed = Bundle::default();
        misnamed.add(as_name, std::fs::read(folder.join(name)).unwrap());
        let figure = opened(&misnamed, None);
        assert_eq!(figure.format, "MD3");
        assert_eq!(figure.parts[0].model().meshes[0].triangles.len(), 1);
        assert_near(position(&figure, 0, 1), [0.0, 4.0, 0.0], 1e-4, "v1");
    }
    for as_name in ["noskin.md2", "noskin.md3"] {
        let mut md2 = Bundle::default();
        md2.add(as_name, std::fs::read(folder.join("noskin.md2")).unwrap());
        let Err(failure) = open::open(&md2, None) else { panic!("MD2 is not read") };
        let message = failure.error.to_string();
        assert!(message.contains("MD2") && message.contains("version 8"), "{message}");
    }
}

#[test]
fn every_real_model_opens() {
    let Some(folder) = shared("models/md3/openarena") else { return };
    let bundle = bundle(&folder);
    let players: Vec<_> = open::quake3::players(&bundle).into_iter().map(|player| player.name).collect();
    assert_eq!(players, ["penguin", "sarge"]);
    let mut opened_count = 0;
    for path in bundle.paths().filter(|path| path.ends_with(".md3")) {
        let mut figure = opened(&bundle, Some(path));
        assert!(!figure.report.has_errors(), "{path}: {}", figure.report);
        let clips: Vec<_> = figure.clips().iter().map(|listed| listed.clip.name.clone()).collect();
        for clip in clips {
            for time in [-1.0, 0.0, 0.37, 1000.0, f32::NAN] {
                figure.pose(Some(&clip), time, None);
                figure.update();
                let bounds = figure.bounds();
                assert!(bounds.min.is_finite() && bounds.max.is_finite(), "{path} {clip} at {time}");
            }
        }
        opened_count += 1;
    }
    assert!(opened_count >= 20, "{opened_count}");
}

#[test]
fn real_players_stand_whole_in_every_skin() {
    let Some(folder) = shared("models/md3/openarena") else { return };
    let bundle = bundle(&folder);
    let listed = open::candidates(&bundle);
    assert_eq!(listed.iter().filter(|candidate| candidate.format == "Quake III player").count(), 2);
    for (name, skins) in [("penguin", 3), ("sarge", 7)] {
        let mut figure = opened(&bundle, Some(&format!("models/players/{name}/lower.md3")));
        let parts: Vec<_> = figure.parts.iter().map(|part| part.name.clone()).collect();
        assert_eq!(parts, ["lower", "upper", "head", "weapon", "barrel", "flash"], "{name}");
        let variants: Vec<_> = figure.variants().into_iter().map(str::to_string).collect();
        assert_eq!(variants[..3], ["default", "red", "blue"], "{name}");
        assert_eq!(variants.len(), skins, "{name}: {variants:?}");
        for variant in &variants {
            assert!(figure.set_variant(variant));
            for (index, part) in figure.parts.iter().enumerate().take(3) {
                let worn = part.material_of(0).map(|material| part.model().materials[material].name.clone()).unwrap();
                assert!(!worn.is_empty(), "{name} part {index} in {variant}");
            }
        }
        // Feet down, head on, whatever the clip: the head's middle stays above the torso's, the torso's above the legs'.
        for (legs, torso) in
            [("LEGS_IDLE", "TORSO_STAND"), ("LEGS_RUN", "TORSO_ATTACK"), ("LEGS_WALKCR", "TORSO_GESTURE")]
        {
            for step in 0..8 {
                let time = step as f32 * 0.11;
                assert!(figure.pose(Some(legs), time, None) && figure.pose(Some(torso), time, None));
                figure.update();
                let middle = |part: usize| {
                    let part = &figure.parts[part];
                    let vertices = &part.posed()[0].vertices;
                    let sum: glam::Vec3 = vertices.iter().map(|vertex| glam::Vec3::from(vertex.position)).sum();
                    part.figure_from_part().transform_point3(sum / vertices.len() as f32)
                };
                let [legs_z, torso_z, head_z] = [0, 1, 2].map(|part| middle(part).z);
                assert!(legs_z < torso_z && torso_z < head_z, "{name} {legs} {time}: {legs_z} {torso_z} {head_z}");
            }
        }
    }
}

#[test]
fn a_player_in_an_archive_with_names_in_any_case() {
    let Some(figure) = case("E34-pk3-mixed-case-and-backslashes") else { return };
    assert_eq!(figure.shown().count(), 1);
    let part = &figure.parts[0];
    assert_eq!(part.model().meshes[0].triangles.len(), 1);
    let (name, torso) = figure.tags().next().unwrap();
    assert!(name.ends_with("tag_torso"), "{name}");
    assert_near(torso.translation.into(), [0.0, 0.0, 10.0], 1e-4, "tag_torso");
    let worn = &part.model().materials[part.material_of(0).unwrap()].name;
    assert!(!worn.is_empty() && worn.trim() == worn && !worn.contains('\r'), "{worn:?}");
}

#[test]
fn shader_names_stay_as_the_file_has_them() {
    let Some(figure) = case("E26-md3-shader-name-relative-to-model") else { return };
    let names: Vec<_> = figure.parts[0].model().materials.iter().map(|material| material.name.as_str()).collect();
    assert_eq!(figure.shown().count(), 3);
    assert_eq!(names[0], "brick");
    assert!(names[1].contains('\\') && names[1].chars().any(char::is_uppercase), "{names:?}");
}

/// A copy of a made model for each name.
fn made(case: &str, names: &[&str]) -> Bundle {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/md3").join(case).join("model.md3");
    let bytes = std::fs::read(file).unwrap();
    let mut bundle = Bundle::default();
    for name in names {
        bundle.add(name, bytes.clone());
    }
    bundle
}

fn part_names(figure: &Figure) -> Vec<&str> {
    figure.parts.iter().map(|part| part.name.as_str()).collect()
}

#[test]
fn a_weapon_dropped_with_a_player_is_in_his_hand() {
    let bundle =
        made("sound", &["lower.md3", "upper.md3", "gun.md3", "gun_barrel.md3", "gun_flash.md3", "gun_hand.md3"]);
    let mut figure = opened(&bundle, None);
    assert_eq!(part_names(&figure), ["lower", "upper", "weapon", "barrel", "flash"]);
    let mounts: Vec<_> =
        figure.parts.iter().map(|part| part.mount.clone().map(|mount| (mount.part, mount.tag))).collect();
    let on = |part: usize, tag: &str| Some((part, tag.to_string()));
    let expected = [None, on(0, "tag_torso"), on(1, "tag_weapon"), on(2, "tag_barrel"), on(2, "tag_flash")];
    assert_eq!(mounts, expected);
    // The made model turns a quarter about Z at each tag: upper stands at (0 1 12), its tag_weapon at (0 1 6).
    assert_near(figure.parts[2].figure_from_part().translation.into(), [-1.0, 1.0, 18.0], 1e-4, "weapon");
    assert_near(figure.parts[2].figure_from_part().matrix3.x_axis.into(), [-1.0, 0.0, 0.0], 1e-4, "its x axis");
    assert!(figure.report.to_string().contains("`tag_barrel`"), "the made gun has no such tag: {}", figure.report);
    // Both halves move by one clip where there is no animation.cfg, and the gun does not.
    assert!(figure.pose(Some("all frames"), 0.05, None));
    assert_near(
        figure.parts[1].figure_from_part().translation.into(),
        [0.0, 1.0, 12.5],
        1e-4,
        "upper, half a frame on",
    );

    let flash = |figure: &Figure| figure.shown().filter(|(part, _)| figure.parts[*part].name == "flash").count();
    assert_eq!(flash(&figure), 2);
    assert!(figure.set_body("flash", "off"));
    assert_eq!(flash(&figure), 0);
}

#[test]
fn a_flash_lights_up_with_the_shots_of_the_hand_that_holds_the_gun() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("www/public/samples/fathom");
    let mut figure = opened(&bundle(&folder), None);
    let has_flash = |figure: &Figure, (part, _): (usize, usize)| figure.parts[part].name == "flash";
    let drawn = |figure: &Figure| figure.drawn().any(|mesh| has_flash(figure, mesh));
    let step = 1.0 / clip(&figure, "upper", "TORSO_ATTACK").rate;
    assert!(!drawn(&figure), "he stands");
    let at_rest = figure.bounds();
    assert!(figure.pose(Some("TORSO_ATTACK"), step * 0.5, None));
    assert!(drawn(&figure), "he fires");
    assert!(figure.pose(Some("TORSO_ATTACK"), step * 1.5, None));
    assert!(!drawn(&figure), "the gun kicks back");
    assert!(figure.shown().any(|mesh| has_flash(&figure, mesh)), "worn all the same");
    assert!(figure.set_body("flash", "on"));
    assert!(figure.pose(Some("TORSO_STAND"), 0.0, None));
    assert!(drawn(&figure), "the user's word");
    figure.update();
    assert_ne!(figure.bounds(), at_rest);
    let again = figure.another();
    assert_eq!((figure.ground, again.ground), (Some(-24.0), Some(-24.0)));
    assert!(!drawn(&again), "another view of him stands too");

    let mut gun = opened(&bundle(&folder), Some("models/weapons2/harpoon/harpoon.md3"));
    assert!(drawn(&gun), "by itself the gun shows what it has");
    assert!(!gun.set_body("flash", "with shots") && gun.set_body("flash", "off"));
    assert!(!drawn(&gun));
}

#[test]
fn what_belongs_to_another_is_no_candidate() {
    let names = [
        "models/players/a/lower.md3",
        "models/players/a/upper.md3",
        "models/players/characters/b/lower.md3",
        "models/players/characters/b/upper.md3",
        "models/players/heads/b/b.md3",
        "models/players/heads/c/c.md3",
        "models/weapons2/gun/gun.md3",
        "models/weapons2/gun/gun_1.md3",
        "models/weapons2/gun/gun_flash.md3",
        "models/weapons2/gun/gun_flash_1.md3",
        "models/weapons2/gun/gun_hand.md3",
        "models/x/upper.md3",
        "models/x/door_2.md3",
    ];
    let bundle = made("sound", &names);
    let listed: Vec<_> =
        open::candidates(&bundle).into_iter().map(|candidate| (candidate.path, candidate.format)).collect();
    let expected = [
        ("models/players/a/lower.md3", "Quake III player"),
        ("models/players/characters/b/lower.md3", "Quake III player"),
        ("models/players/heads/c/c.md3", "MD3"),
        ("models/weapons2/gun/gun.md3", "MD3"),
        ("models/x/door_2.md3", "MD3"),
        ("models/x/upper.md3", "MD3"),
        ("models/weapons2/gun/gun_hand.md3", "MD3"),
    ];
    assert_eq!(listed, expected.map(|(path, format)| (path.to_string(), format)));
    let figure = opened(&bundle, Some("models/players/characters/b/lower.md3"));
    assert_eq!(part_names(&figure), ["lower", "upper", "head", "weapon", "flash"]);
    assert_eq!(figure.levels(), 2);
    let weapon = opened(&bundle, Some("models/weapons2/gun/gun.md3"));
    assert_eq!((part_names(&weapon), weapon.format.as_str()), (vec!["weapon", "flash"], "Quake III weapon"));
}

#[test]
fn a_part_that_cannot_be_read_leaves_the_others_standing() {
    let mut bundle = made("sound", &["lower.md3", "upper.md3", "head.md3"]);
    bundle.add("upper.md3", b"IDP3 and nothing else".to_vec());
    let figure = opened(&bundle, None);
    assert_eq!(part_names(&figure), ["lower", "head"]);
    assert!(figure.report.has_errors());
    bundle.add("lower.md3", b"IDP3".to_vec());
    bundle.add("head.md3", b"IDP3".to_vec());
    let Err(failure) = open::open(&bundle, None) else { panic!("nothing is left to show") };
    assert_eq!(failure.error.file, "lower.md3");
}

#[test]
fn a_skin_that_lacks_a_part_wears_the_default_there() {
    let mut bundle = made("sound", &["lower.md3", "upper.md3"]);
    for (name, text) in [
        ("lower_default.skin", "l_legs,a\nl_boots,b"),
        ("upper_default.skin", "l_legs,c\r\nl_boots,\"d e\" // f\r\ntag_torso,"),
        ("lower_red.skin", "L_LEGS , g\nl_boots,h\n"),
        ("teams/x/lower_blue.skin", "l_legs,no"),
    ] {
        bundle.add(name, text.as_bytes().to_vec());
    }
    let mut figure = opened(&bundle, None);
    assert_eq!(figure.variants(), ["default", "red"]);
    let worn = |figure: &Figure| -> Vec<String> {
        let name = |(part, mesh): (usize, usize)| {
            let part = &figure.parts[part];
            part.model().materials[part.material_of(mesh).unwrap()].name.clone()
        };
        figure.shown().map(name).collect()
    };
    assert_eq!(worn(&figure), ["a", "b", "c", "d e"]);
    assert!(figure.set_variant("red"));
    assert_eq!(worn(&figure), ["g", "h", "c", "d e"]);
    assert!(figure.report.to_string().contains("a skin `red` for this part"), "{}", figure.report);
}

#[test]
fn the_sample_player_is_one_the_game_would_take() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("www/public/samples/fathom");
    let bundle = bundle(&folder);
    let figure = opened(&bundle, None);
    assert_eq!(figure.report.to_string(), "");
    assert_eq!(part_names(&figure), ["lower", "upper", "head", "weapon", "barrel", "flash"]);
    assert_eq!(figure.variants(), ["default", "red", "blue"]);
    assert_eq!(figure.clips().len(), 33);
}

#[test]
fn an_animation_cfg_alone_says_what_it_lacks() {
    let mut bundle = Bundle::default();
    bundle.add("models/players/x/animation.cfg", b"sex f".to_vec());
    let Err(failure) = open::open(&bundle, None) else { panic!("there is no model") };
    assert!(failure.error.to_string().contains("lower.md3"), "{}", failure.error);
}
