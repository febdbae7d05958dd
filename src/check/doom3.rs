//! What Doom 3 tests of MD5 and MD3 files, and what it shows otherwise than they say
//! (dhewm3 neo/renderer/Model_md5.cpp, Model_md3.cpp, neo/d3xp/anim/Anim.cpp, neo/d3xp/Camera.cpp, neo/idlib/Lexer.cpp).

use std::collections::HashMap;

use super::Engine::Doom3;
use super::facts::Kind;
use super::facts::md3::Md3;
use super::{Facts, Find, Found, Place, Rule, Severity, Subject, alike};
use crate::model::{Motion, Shape};

use Severity::{Changes, Notes, Refuses, Warns};

/// The name of the format that a sentence was heard from.
const MESH: &str = "MD5";
const ANIM: &str = "MD5 animation";
const CAMERA: &str = "MD5 camera";

pub const RULES: &[Rule] = &[
    Doom3.rule(
        "doom3-model-extension",
        Refuses,
        "unknown model type '%s'",
        "Models are told by their extensions, not by what they hold (idRenderModelManagerLocal::GetModel).",
        "Name the file .md5mesh or .md3, as what it is.",
        Find::Look(extension),
    ),
    Doom3.rule(
        "doom3-md5-version",
        Refuses,
        "Invalid version %d.  Should be version 10",
        "The three kinds of MD5 file begin with `MD5Version 10`; any other number is an error (MD5_VERSION in Model.h).",
        "Export for version 10. The alpha's version 6 is laid out otherwise; changing the number does not help.",
        Find::Said("", &["Invalid version"]),
    ),
    Doom3.rule(
        "doom3-md5-order",
        Refuses,
        "expected '%s' but found '%s'",
        "The readers expect each keyword and brace in one fixed order, and case counts (idLexer::ExpectTokenString).",
        "Put back what is missing at that place, or move it where it belongs; blanks and line ends do not matter.",
        Find::Look(order),
    ),
    Doom3.rule(
        "doom3-md5-number",
        Refuses,
        "expected float value, found '%s'",
        "Numbers have no `+`, no capital `E`, one dot at most, and are finite: the lexer knows no others (idLexer::ReadNumber).",
        "Write the number plainly, as 0.5 or 5e-1. `nan` and `1.#IND` come from a fault in the exporter's scene.",
        Find::Said(
            "",
            &[
                "expected float value",
                "expected integer value",
                "couldn't read expected",
                "more than one dot in number",
                "Doom 3 stops: \"parsed ",
                "tokens of their own",
                "takes it for infinity",
            ],
        ),
    ),
    Doom3.rule(
        "doom3-md5-string",
        Refuses,
        "newline inside string",
        "A string ends on the line it begins on, and a quote in it cannot be escaped (LEXFL_NOSTRINGESCAPECHARS).",
        "Close the quote on its line. Keep the command line short and free of quotes.",
        Find::Said("", &["newline inside string", "missing trailing quote"]),
    ),
    Doom3.rule(
        "doom3-md5-count",
        Refuses,
        "Invalid size: %d",
        "Counts below 0 are refused; a count larger than the list makes the game stop where the list ends.",
        "Make the count the number of entries.",
        Find::Said("", &["Invalid size", "makes room for all of them"]),
    ),
    Doom3.rule(
        "doom3-md5-parent",
        Refuses,
        "Invalid parent for joint '%s'",
        "A parent's number must be below numJoints - 1 (idRenderModelMD5::ParseJoint).",
        "Give the joint the number of a joint before it, or -1 for a root.",
        Find::Said(MESH, &["Invalid parent for joint"]),
    ),
    Doom3.rule(
        "doom3-md5-parent-order",
        Changes,
        "",
        "A parent that comes after its joint passes the test, but its place is not yet known when the joint is put beside it.",
        "List parents before their children.",
        Find::Said(MESH, &["before it is known"]),
    ),
    Doom3.rule(
        "doom3-md5-no-weights",
        Refuses,
        "Vertex without any joint weights.",
        "Each vertex hangs on at least one weight (idMD5Mesh::ParseMesh).",
        "Bind the vertex to a joint and export again.",
        Find::Said(MESH, &["Vertex without any joint weights"]),
    ),
    Doom3.rule(
        "doom3-md5-weight-range",
        Changes,
        "Vertices reference out of range weights in model (%d of %d weights).",
        "Only a warning, after which the vertex is made of whatever lies behind the list in memory.",
        "Make numweights and the vertices' first and count agree.",
        Find::Said(MESH, &["out of range weights", "outside its lists"]),
    ),
    Doom3.rule(
        "doom3-md5-joint-index",
        Refuses,
        "Joint Index out of range(%d): %d",
        "A weight names its joint by number, from 0 to numJoints - 1.",
        "Renumber the weights after joints were removed.",
        Find::Said(MESH, &["Joint Index out of range"]),
    ),
    Doom3.rule(
        "doom3-md5-triangle-index",
        Refuses,
        "R_RangeCheckIndexes: index out of range",
        "A triangle names its corners by number, from 0 to numverts - 1 (tr_trisurf.cpp).",
        "Renumber the triangles after vertices were removed.",
        Find::Said(MESH, &["R_RangeCheckIndexes"]),
    ),
    Doom3.rule(
        "doom3-md5-extra",
        Changes,
        "",
        "The reader ends after numMeshes meshes, or numFrames frames; what follows is not looked at.",
        "Make the count the number of blocks.",
        Find::Said("", &["does not see what follows"]),
    ),
    Doom3.rule(
        "doom3-md5-weight-sum",
        Changes,
        "",
        "Biases are used as they stand and not scaled: a vertex whose biases add up to less than 1 is drawn towards the origin.",
        "Normalise all weights before exporting.",
        Find::Look(weight_sum),
    ),
    Doom3.rule(
        "doom3-md5-joint-twice",
        Warns,
        "",
        "Scripts and defs name joints, and the first of a name is taken (idRenderModelMD5::GetJointHandle).",
        "Give each joint a name of its own.",
        Find::Look(joint_twice),
    ),
    Doom3.rule(
        "doom3-anim-frames",
        Refuses,
        "Invalid number of frames: %d",
        "An animation has at least one frame (idMD5Anim::LoadAnim).",
        "Export the range of frames that moves.",
        Find::Said(ANIM, &["Invalid number of frames"]),
    ),
    Doom3.rule(
        "doom3-anim-joints",
        Refuses,
        "Invalid number of joints: %d",
        "An animation has at least one joint.",
        "Export the armature with the animation.",
        Find::Said(ANIM, &["Invalid number of joints"]),
    ),
    Doom3.rule(
        "doom3-anim-rate",
        Refuses,
        "Invalid frame rate: %d",
        "A frame rate below 0 is refused.",
        "Write the frames a second, 24 for most of the game's own.",
        Find::Said(ANIM, &["Invalid frame rate"]),
    ),
    Doom3.rule(
        "doom3-anim-rate-zero",
        Refuses,
        "",
        "A frame rate of 0 passes the test, and the clip's length is then divided by it: the game crashes.",
        "Write the frames a second, 24 for most of the game's own.",
        Find::Said(ANIM, &["divides by it"]),
    ),
    Doom3.rule(
        "doom3-anim-components",
        Refuses,
        "Invalid number of animated components: %d",
        "There are at most six components a joint.",
        "Count the values in a frame.",
        Find::Said(ANIM, &["Invalid number of animated components"]),
    ),
    Doom3.rule(
        "doom3-anim-parent",
        Refuses,
        "Invalid parent num: %d",
        "In an animation every parent's number is below its joint's own.",
        "List parents before their children, in the mesh too.",
        Find::Said(ANIM, &["Invalid parent num"]),
    ),
    Doom3.rule(
        "doom3-anim-root",
        Refuses,
        "Animations may have only one root joint",
        "Only joint 0 may be without a parent.",
        "Hang all roots on one joint, here and in the mesh.",
        Find::Said(ANIM, &["only one root joint"]),
    ),
    Doom3.rule(
        "doom3-anim-bits",
        Refuses,
        "Invalid anim bits: %d",
        "Flags are 1 to 32 for Tx Ty Tz Qx Qy Qz, 63 together.",
        "Leave out any other bit.",
        Find::Said(ANIM, &["Invalid anim bits"]),
    ),
    Doom3.rule(
        "doom3-anim-first-component",
        Refuses,
        "Invalid first component: %d",
        "A joint's first component must be below numAnimatedComponents unless there are none, even where the joint has no flags.",
        "Write 0 for joints that do not move.",
        Find::Said(ANIM, &["Invalid first component"]),
    ),
    Doom3.rule(
        "doom3-anim-component-overrun",
        Changes,
        "",
        "Only the first component is tested: a joint whose flags ask for more than are left reads on in the next frame.",
        "Make the flags and the first component fit into numAnimatedComponents.",
        Find::Said(ANIM, &["reads on in the next frame"]),
    ),
    Doom3.rule(
        "doom3-anim-frame-number",
        Refuses,
        "Expected frame number %d",
        "Frames are numbered from 0 without a gap.",
        "Number the frames in their order.",
        Find::Said(ANIM, &["Expected frame number"]),
    ),
    Doom3.rule(
        "doom3-anim-all-frames",
        Refuses,
        "couldn't find expected 'frame'",
        "Every frame that numFrames promises must be there.",
        "Set numFrames to the number of frame blocks.",
        Find::Said(ANIM, &["couldn't find expected 'frame'"]),
    ),
    Doom3.rule(
        "doom3-anim-root-motion",
        Notes,
        "",
        "The way the root goes is taken out of the pose and moves the entity instead: in the game the model walks, in its own space \
         it stays (idMD5Anim::LoadAnim, baseFrame[0].t).",
        "Nothing to mend, unless the clip should move on the spot.",
        Find::Look(root_motion),
    ),
    Doom3.rule(
        "doom3-anim-first-frame",
        Notes,
        "",
        "Asked for frame 0 alone, the game shows the base frame instead (idMD5Anim::GetSingleFrame).",
        "Make frame 0 the base frame where a def uses the clip as a pose.",
        Find::Look(first_frame),
    ),
    Doom3.rule(
        "doom3-pair-joint-count",
        Refuses,
        "Model '%s' has different # of joints than anim '%s'",
        "Mesh and animation have the same joints, also those that nothing hangs on (idMD5Anim::CheckModelHierarchy).",
        "Export both from the same armature.",
        Find::Said(ANIM, &["different # of joints"]),
    ),
    Doom3.rule(
        "doom3-pair-joint-names",
        Refuses,
        "Model '%s''s joint names don't match anim '%s''s",
        "Joints are compared by number and name, and case counts.",
        "Use the same names in the same order.",
        Find::Said(ANIM, &["joint names don't match"]),
    ),
    Doom3.rule(
        "doom3-pair-hierarchy",
        Refuses,
        "Model '%s' has different joint hierarchy than anim '%s'",
        "Each joint has the same parent in mesh and animation.",
        "Export both from the same armature.",
        Find::Said(ANIM, &["different joint hierarchy"]),
    ),
    Doom3.rule(
        "doom3-camera-frames",
        Refuses,
        "Invalid number of frames: %d",
        "A camera has at least one frame (idCameraAnim::LoadAnim).",
        "Export the range of frames that is seen.",
        Find::Said(CAMERA, &["Invalid number of frames"]),
    ),
    Doom3.rule(
        "doom3-camera-rate",
        Refuses,
        "Invalid framerate: %d",
        "A camera has at least one frame a second.",
        "Write the frames a second.",
        Find::Said(CAMERA, &["Invalid framerate"]),
    ),
    Doom3.rule(
        "doom3-camera-cuts",
        Refuses,
        "Invalid number of camera cuts: %d",
        "There are from 0 to numFrames cuts.",
        "Count the cuts.",
        Find::Said(CAMERA, &["Invalid number of camera cuts"]),
    ),
    Doom3.rule(
        "doom3-camera-cut",
        Refuses,
        "Invalid camera cut",
        "A cut is a frame from 1 to numFrames - 1.",
        "A cut names the last frame of the shot that ends.",
        Find::Said(CAMERA, &["Invalid camera cut"]),
    ),
    Doom3.rule(
        "doom3-camera-cut-order",
        Changes,
        "",
        "Cuts are taken in the order of the file, and the first that is not reached ends the search: one out of order comes late or \
         never (idCameraAnim::GetViewParms).",
        "List the cuts from the lowest to the highest.",
        Find::Look(cut_order),
    ),
    Doom3.rule(
        "doom3-md3-version",
        Refuses,
        "InitFromFile: %s has wrong version (%i should be 15)",
        "Doom 3 reads the MD3 of Quake III, version 15, and shows its box-shaped default model for others.",
        "Export as MD3 version 15.",
        Find::Look(md3_version),
    ),
    Doom3.rule(
        "doom3-md3-no-frames",
        Refuses,
        "InitFromFile: %s has no frames",
        "A model has at least one frame.",
        "Export at least one frame.",
        Find::Look(md3_no_frames),
    ),
    Doom3.rule(
        "doom3-md3-vertices",
        Refuses,
        "InitFromFile: %s has more than 1000 verts on a surface (%i)",
        "1000 vertices a surface are taken, one more than in Quake III (SHADER_MAX_VERTEXES); 1001 end the game.",
        "Split the surface.",
        Find::Look(md3_vertices),
    ),
    Doom3.rule(
        "doom3-md3-triangles",
        Refuses,
        "InitFromFile: %s has more than 2000 triangles on a surface (%i)",
        "2000 triangles a surface are taken (SHADER_MAX_INDEXES / 3); 2001 end the game.",
        "Split the surface.",
        Find::Look(md3_triangles),
    ),
    Doom3.rule(
        "doom3-md3-offsets",
        Refuses,
        "",
        "Offsets are followed wherever they lead: the game reads what is not the file's, and mostly crashes.",
        "Export again; the file is damaged or was cut short.",
        Find::Look(md3_offsets),
    ),
    Doom3.rule(
        "doom3-md3-end",
        Changes,
        "",
        "ofsEnd bytes are copied and no others: a larger number copies foreign memory, a smaller one leaves lists behind \
         (idRenderModelMD3::InitFromFile).",
        "Write the file's size into ofsEnd.",
        Find::Look(md3_end),
    ),
    Doom3.rule(
        "doom3-md3-surface-frames",
        Changes,
        "",
        "The header's number of frames holds for all surfaces: of one that has fewer, foreign memory is drawn.",
        "Export all surfaces over the same frames.",
        Find::Look(md3_surface_frames),
    ),
    Doom3.rule(
        "doom3-md3-triangle-index",
        Changes,
        "",
        "Corners are not tested: one that is no vertex is whatever memory says, and shadows' edges are made of it \
         (R_CreateSilIndexes).",
        "Renumber the triangles after vertices were removed.",
        Find::Look(md3_triangle_index),
    ),
    Doom3.rule(
        "doom3-md3-shaders",
        Changes,
        "",
        "Only a surface's first shader is used; where there is none, whatever stands at its place.",
        "Give each surface one shader.",
        Find::Look(md3_shaders),
    ),
    Doom3.rule(
        "doom3-md3-tags",
        Notes,
        "",
        "Doom 3 reads an MD3's tags and uses none of them; things are hung on the joints of an MD5 or by a def.",
        "Nothing to mend, unless something should hang on the tags.",
        Find::Look(md3_tags),
    ),
];

fn extension(facts: &Facts, found: &mut Found) {
    let extension = crate::bundle::extension(&facts.path);
    let is_model = facts.mesh.is_some() || facts.kind == Kind::Md3;
    if is_model && !["md5mesh", "md3"].contains(&extension.as_str()) {
        found.add(Place::file(&facts.path), format!("`.{extension}`"));
    }
}

fn order(facts: &Facts, found: &mut Found) {
    // A clip that ends before its last frame has a rule of its own.
    let sentences = facts.said.iter().filter_map(|(_, diagnostic)| Some((diagnostic, diagnostic.engine.as_deref()?)));
    for (diagnostic, sentence) in sentences {
        let is_order = sentence.contains("\"expected '") || sentence.contains("couldn't find expected");
        if is_order && !sentence.contains("expected 'frame'") {
            let message = format!("expected {}, found {}", diagnostic.expected, diagnostic.found);
            found.add(super::place_of(facts, diagnostic), message);
        }
    }
}

fn weight_sum(facts: &Facts, found: &mut Found) {
    let Some(model) = &facts.mesh else { return };
    for (index, mesh) in model.meshes.iter().enumerate() {
        let Shape::Rigged(rig) = &mesh.shape else { continue };
        for (vertex, range) in rig.first.windows(2).enumerate() {
            let influences = &rig.influences[range[0] as usize..range[1] as usize];
            let sum: f32 = influences.iter().map(|influence| influence.offset.w).sum();
            if (sum - 1.0).abs() > 0.01 {
                let mesh = model.mesh_number(index);
                let place = Place::file(&facts.path).inside(format!("mesh[{mesh}].vert[{vertex}]"));
                let subject = Subject::Vertex { part: String::new(), mesh, vertex };
                found.add(place.subject(subject), format!("biases add up to {sum}"));
            }
        }
    }
}

fn joint_twice(facts: &Facts, found: &mut Found) {
    let Some(model) = &facts.mesh else { return };
    let mut first = HashMap::new();
    for (index, joint) in model.skeleton.joints.iter().enumerate() {
        // Joint names are compared without case when a def names them (idStr::Icmp).
        if let Some(before) = first.insert(joint.name.to_lowercase(), index) {
            let place = Place::file(&facts.path).inside(format!("joint[{index}]"));
            let message = format!("`{}` is the name of joint {before} too", joint.name);
            found.add(place.subject(Subject::Joint(joint.name.clone())), message);
        }
    }
}

fn root_motion(facts: &Facts, found: &mut Found) {
    for (path, animation) in &facts.animations {
        let Motion::Joints(frames) = &animation.clip.motion else { continue };
        let joints = animation.skeleton.joints.len().max(1);
        let mut roots = frames.iter().step_by(joints).map(|frame| frame.translation);
        let Some(first) = roots.next() else { continue };
        let way = roots.map(|root| root.distance(first)).fold(0.0, f32::max);
        if way > 0.01 {
            let place = Place::file(path).subject(Subject::Clip(animation.clip.name.clone()));
            found.add(place, format!("the root moves by up to {way:.1} units"));
        }
    }
}

fn first_frame(facts: &Facts, found: &mut Found) {
    for (path, animation) in &facts.animations {
        let Motion::Joints(frames) = &animation.clip.motion else { continue };
        let joints = &animation.skeleton.joints;
        // One frame is a pose; in longer clips frame 0 is but passed through.
        let is_pose = animation.clip.frames == 1 && frames.len() == joints.len();
        let differs = |(joint, frame): (&crate::model::Joint, &crate::model::Transform)| {
            let base = joint.parent_from_joint;
            frame.translation.distance(base.translation) > 0.01 || frame.rotation.dot(base.rotation).abs() < 0.9999
        };
        if is_pose && let Some(joint) = joints.iter().zip(frames).position(differs) {
            let name = joints[joint].name.clone();
            let place = Place::file(path).inside(format!("frame[0].joint[{joint}]"));
            let message = format!("the pose of `{name}` is not the base frame's");
            found.add(place.subject(Subject::Joint(name)), message);
        }
    }
}

fn cut_order(facts: &Facts, found: &mut Found) {
    for camera in &facts.cameras {
        for (index, pair) in camera.cuts.windows(2).enumerate() {
            if pair[1] <= pair[0] {
                let place = Place::file(&camera.source).inside(format!("cut[{}]", index + 1));
                found.add(place, format!("cut {} after cut {}", pair[1], pair[0]));
            }
        }
    }
}

/// Those that Doom 3 would load: it knows no coarser levels.
fn finest<'a>(facts: &'a Facts) -> impl Iterator<Item = &'a Md3> {
    facts.md3s.iter().filter(|file| file.level == 0)
}

fn md3_version(facts: &Facts, found: &mut Found) {
    alike::md3_version(finest(facts), found);
}

fn md3_no_frames(facts: &Facts, found: &mut Found) {
    alike::no_frames(finest(facts).filter(|file| file.version == 15), found);
}

fn md3_vertices(facts: &Facts, found: &mut Found) {
    alike::vertices(finest(facts), 1000, found);
}

fn md3_triangles(facts: &Facts, found: &mut Found) {
    alike::triangles(finest(facts), 2000, found);
}

fn md3_offsets(facts: &Facts, found: &mut Found) {
    alike::offsets(finest(facts), found);
}

fn md3_end(facts: &Facts, found: &mut Found) {
    alike::end(finest(facts), found);
}

fn md3_surface_frames(facts: &Facts, found: &mut Found) {
    alike::surface_frames(finest(facts), found);
}

fn md3_triangle_index(facts: &Facts, found: &mut Found) {
    alike::triangle_index(finest(facts), found);
}

fn md3_shaders(facts: &Facts, found: &mut Found) {
    for file in finest(facts) {
        for (index, surface) in file.surfaces.iter().enumerate().filter(|(_, surface)| surface.shaders.len() != 1) {
            found.add(
                file.surface_place(index, 76),
                format!("`{}` has {} shaders", surface.name, surface.shaders.len()),
            );
        }
    }
}

fn md3_tags(facts: &Facts, found: &mut Found) {
    for file in finest(facts).filter(|file| !file.tags.is_empty()) {
        let names: Vec<String> = file.tags[0].iter().take(8).map(|tag| format!("`{}`", tag.name)).collect();
        found.add(Place::byte(&file.path, 80), names.join(", "));
    }
}
