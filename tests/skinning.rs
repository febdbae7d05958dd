//! Skinning against Doom 3's own formula, summed plainly in f64: a vertex stands at the sum of bias × (t + q × point) over all its
//! weights, however many they are and whatever they add up to.

mod support;

use std::fmt::Write;
use std::fs;

use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3, EulerRot, Quat, Vec3};
use rigview::anim::{self, Blend, Pose};
use rigview::format::{self, Animation, Content, md5, smd};
use rigview::model::{Mesh, Model, Motion, Rig, Shape, check, finish};
use rigview::report::Report;
use rigview::skin::{Palette, PosedMesh, Vertex};
use support::{extension, files_below, shared};

/// xorshift: the same numbers in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// With six decimals, as exporters write them, so that the text holds exactly this.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        ((low + (high - low) * unit) * 1e6).round() / 1e6
    }

    fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::from([0; 3].map(|_| self.between(-size, size)))
    }
}

/// What an .md5mesh and an .md5anim of random content say, in f64.
struct Generated {
    parents: Vec<Option<usize>>,
    /// Model space: place, and the three stored numbers of the rotation.
    bind: Vec<(DVec3, DVec3)>,
    /// By vertex: joint, bias, point.
    weights: Vec<Vec<(usize, f64, DVec3)>>,
    /// By frame and joint, relative to the parent.
    frames: Vec<Vec<(DVec3, DVec3)>>,
}

impl Generated {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let joints = 1 + random.below(30);
        let mut transform = |size: f64| (random.vector(size), random.vector(0.56));
        let bind: Vec<_> = (0..joints).map(|_| transform(40.0)).collect();
        let frames = (0..3).map(|_| (0..joints).map(|_| transform(10.0)).collect()).collect();
        let parents = (0..joints).map(|joint| (joint > 0).then(|| random.below(joint))).collect();
        let vertices = 3 + random.below(60);
        let mut weight = || (random.below(joints), random.between(-0.3, 1.2), random.vector(20.0));
        let mut counts = Random(seed + 1);
        let weights = (0..vertices).map(|_| (0..1 + counts.below(9)).map(|_| weight()).collect()).collect();
        Self { parents, bind, weights, frames }
    }

    fn mesh_text(&self) -> String {
        let mut text =
            format!("MD5Version 10\ncommandline \"\"\nnumJoints {}\nnumMeshes 1\njoints {{\n", self.bind.len());
        for (index, ((place, turn), parent)) in self.bind.iter().zip(&self.parents).enumerate() {
            let parent = parent.map_or(-1, |parent| parent as i32);
            writeln!(text, "\t\"j{index}\" {parent} {} {}", vector(*place), vector(*turn)).unwrap();
        }
        writeln!(text, "}}\nmesh {{\n\tshader \"x\"\n\tnumverts {}", self.weights.len()).unwrap();
        let mut first = 0;
        for (index, weights) in self.weights.iter().enumerate() {
            writeln!(text, "\tvert {index} ( {} {} ) {first} {}", index % 7, index % 5, weights.len()).unwrap();
            first += weights.len();
        }
        writeln!(text, "\tnumtris {}", self.weights.len() - 2).unwrap();
        for triangle in 0..self.weights.len() - 2 {
            writeln!(text, "\ttri {triangle} {triangle} {} {}", triangle + 1, triangle + 2).unwrap();
        }
        writeln!(text, "\tnumweights {first}").unwrap();
        for (index, (joint, bias, point)) in self.weights.iter().flatten().enumerate() {
            writeln!(text, "\tweight {index} {joint} {bias:.6} {}", vector(*point)).unwrap();
        }
        text + "}\n"
    }

    fn animation_text(&self) -> String {
        let (frames, joints) = (self.frames.len(), self.bind.len());
        let mut text =
            format!("MD5Version 10\ncommandline \"\"\nnumFrames {frames}\nnumJoints {joints}\nframeRate 10\n");
        writeln!(text, "numAnimatedComponents {}\nhierarchy {{", joints * 6).unwrap();
        for (index, parent) in self.parents.iter().enumerate() {
            let parent = parent.map_or(-1, |parent| parent as i32);
            writeln!(text, "\t\"j{index}\" {parent} 63 {}", index * 6).unwrap();
        }
        text += "}\nbounds {\n";
        text += &"\t( 0 0 0 ) ( 0 0 0 )\n".repeat(frames);
        text += "}\nbaseframe {\n";
        text += &"\t( 0 0 0 ) ( 0 0 0 )\n".repeat(joints);
        text += "}\n";
        for (index, frame) in self.frames.iter().enumerate() {
            writeln!(text, "frame {index} {{").unwrap();
            for (place, turn) in frame {
                writeln!(text, "\t{} {}", numbers(*place), numbers(*turn)).unwrap();
            }
            text += "}\n";
        }
        text
    }

    /// Doom 3's sum.
    fn positions(&self, model_from_joint: &[DAffine3]) -> Vec<DVec3> {
        let sum = |weights: &Vec<(usize, f64, DVec3)>| {
            weights.iter().map(|&(joint, bias, point)| bias * model_from_joint[joint].transform_point3(point)).sum()
        };
        self.weights.iter().map(sum).collect()
    }

    fn bind_pose(&self) -> Vec<DAffine3> {
        self.bind.iter().map(|&(place, turn)| DAffine3::from_rotation_translation(rotation(turn), place)).collect()
    }

    /// Between frame `from` and the next.
    fn pose(&self, from: usize, t: f64) -> Vec<DAffine3> {
        let mut model_from_joint: Vec<DAffine3> = Vec::new();
        for (joint, parent) in self.parents.iter().enumerate() {
            let ((place_a, turn_a), (place_b, turn_b)) = (self.frames[from][joint], self.frames[from + 1][joint]);
            let turn = slerp(rotation(turn_a), rotation(turn_b), t);
            let local = DAffine3::from_rotation_translation(turn, place_a.lerp(place_b, t));
            model_from_joint.push(parent.map_or(local, |parent| model_from_joint[parent] * local));
        }
        model_from_joint
    }
}

fn numbers(vector: DVec3) -> String {
    format!("{:.6} {:.6} {:.6}", vector.x, vector.y, vector.z)
}

fn vector(vector: DVec3) -> String {
    format!("( {} )", numbers(vector))
}

/// The rotation that three stored numbers stand for.
fn rotation(turn: DVec3) -> DQuat {
    DQuat::from_xyzw(turn.x, turn.y, turn.z, -(1.0 - turn.length_squared()).abs().sqrt()).normalize()
}

/// The textbook's slerp, the shorter way.
fn slerp(from: DQuat, to: DQuat, t: f64) -> DQuat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    let angle = from.dot(to).min(1.0).acos();
    if angle < 1e-9 {
        return from;
    }
    (from * ((1.0 - t) * angle).sin() + to * (t * angle).sin()) / angle.sin()
}

fn read_model(text: &[u8]) -> Model {
    let Ok(Content::Model(mut model)) = format::read(&md5::MESH, "x.md5mesh", text, &mut Report::default()) else {
        panic!("not a model")
    };
    finish::finish(&mut model);
    check::check(&model).unwrap();
    model
}

fn read_animation(text: &[u8]) -> Animation {
    match format::read(&md5::ANIM, "x.md5anim", text, &mut Report::default()) {
        Ok(Content::Animation(animation)) => animation,
        _ => panic!("not an animation"),
    }
}

fn skinned(model: &Model, mesh: &Mesh, model_from_joint: &[Affine3A]) -> Vec<Vertex> {
    let mut posed = PosedMesh::new(mesh);
    let mut palette = Palette::new(&model.skeleton);
    palette.set(model_from_joint);
    posed.update(mesh, &palette, model_from_joint, Blend::still(0));
    for vertex in &posed.vertices {
        let position = Vec3::from(vertex.position);
        assert!(position.cmpge(posed.bounds.min).all() && position.cmple(posed.bounds.max).all(), "outside the bounds");
    }
    posed.vertices
}

/// The largest difference, as a part of the size of the whole.
#[track_caller]
fn assert_close(found: &[Vertex], expected: &[DVec3], what: &str) {
    assert_eq!(found.len(), expected.len());
    let size = expected.iter().map(|position| position.length()).fold(1e-9, f64::max);
    for (vertex, (found, expected)) in found.iter().zip(expected).enumerate() {
        let difference = (Vec3::from(found.position).as_dvec3() - *expected).length();
        assert!(difference <= 2.5e-5 * size, "{what}: vertex {vertex} is {difference} off, in a whole of {size}");
    }
}

#[test]
fn generated_models_stand_where_the_formula_puts_them() {
    for seed in 1..60 {
        let generated = Generated::new(seed * 0x9E37_79B9);
        let model = read_model(generated.mesh_text().as_bytes());
        let animation = read_animation(generated.animation_text().as_bytes());
        let mesh = &model.meshes[0];

        let bind = anim::model_from_joints(&model.skeleton);
        let expected = generated.positions(&generated.bind_pose());
        assert_close(&skinned(&model, mesh, &bind), &expected, &format!("seed {seed}, bind pose"));

        let Motion::Joints(transforms) = &animation.clip.motion else { panic!("no joints") };
        let mut pose = Pose::rest(&model.skeleton);
        for (seconds, from, t) in [(0.0, 0, 0.0), (0.03, 0, 0.3), (0.1, 1, 0.0), (0.175, 1, 0.75)] {
            pose.set_frames(&model.skeleton, transforms, animation.clip.blend(seconds));
            let expected = generated.positions(&generated.pose(from, t));
            assert_close(
                &skinned(&model, mesh, &pose.model_from_joint),
                &expected,
                &format!("seed {seed}, {seconds} s"),
            );
        }
    }
}

/// Positions, normals and tangents of a rig as the data define them, in f64.
fn plain(rig: &Rig, posed: &[Affine3A], bind: &[Affine3A]) -> Vec<[DVec3; 3]> {
    let affine = |affine: &Affine3A| {
        let columns = [affine.matrix3.x_axis, affine.matrix3.y_axis, affine.matrix3.z_axis];
        let [x, y, z] = columns.map(|column| Vec3::from(column).as_dvec3());
        DAffine3 { matrix3: DMat3::from_cols(x, y, z), translation: Vec3::from(affine.translation).as_dvec3() }
    };
    let (posed, bind): (Vec<_>, Vec<_>) = (posed.iter().map(affine).collect(), bind.iter().map(affine).collect());
    let vertex = |vertex: usize| {
        let mut sums = [DVec3::ZERO; 3];
        for influence in &rig.influences[rig.first[vertex] as usize..rig.first[vertex + 1] as usize] {
            let (joint, weight) = (influence.joint as usize, f64::from(influence.offset.w));
            sums[0] +=
                posed[joint].matrix3 * influence.offset.truncate().as_dvec3() + posed[joint].translation * weight;
            let turn = posed[joint].matrix3 * bind[joint].inverse().matrix3;
            sums[1] += turn * rig.normals[vertex].as_dvec3() * weight;
            sums[2] += turn * rig.tangents[vertex].truncate().as_dvec3() * weight;
        }
        sums
    };
    (0..rig.normals.len()).map(vertex).collect()
}

#[test]
fn real_models_stand_where_the_formula_puts_them() {
    let Some(folder) = shared("models/md5") else { return };
    let mut count = 0;
    for path in files_below(&folder) {
        if extension(&path) != "md5mesh" || path.to_string_lossy().contains("invalid") {
            continue;
        }
        let model = read_model(&fs::read(&path).unwrap());
        let bind = anim::model_from_joints(&model.skeleton);
        let mut pose = Pose::rest(&model.skeleton);
        let beside = files_below(path.parent().unwrap());
        for anim_path in beside.iter().filter(|path| extension(path) == "md5anim") {
            let animation = read_animation(&fs::read(anim_path).unwrap());
            let Motion::Joints(transforms) = &animation.clip.motion else { panic!("no joints") };
            if animation.skeleton.joints.len() != model.skeleton.joints.len() {
                continue;
            }
            pose.set_frames(&model.skeleton, transforms, animation.clip.blend(animation.clip.duration() * 0.37));
            for mesh in &model.meshes {
                let Shape::Rigged(rig) = &mesh.shape else { panic!("not rigged") };
                let expected = plain(rig, &pose.model_from_joint, &bind);
                let found = skinned(&model, mesh, &pose.model_from_joint);
                let positions: Vec<_> = expected.iter().map(|[position, _, _]| *position).collect();
                assert_close(&found, &positions, &anim_path.display().to_string());
                for (found, [_, normal, tangent]) in found.iter().zip(&expected) {
                    let off = (Vec3::from(found.normal).as_dvec3() - *normal).length();
                    assert!(off < 1e-5, "{}: a normal is {off} off", path.display());
                    let off = (Vec3::from_slice(&found.tangent[..3]).as_dvec3() - *tangent).length();
                    assert!(off < 1e-5, "{}: a tangent is {off} off", path.display());
                }
                count += 1;
            }
        }
    }
    println!("{count} meshes in animation");
    assert!(count > 30);
}

#[test]
fn every_rigged_model_stands_where_its_sum_puts_it() {
    let Some(folder) = shared("models") else { return };
    let (mut count, mut worst) = (0, 0.0_f64);
    for path in files_below(&folder) {
        let format = match extension(&path).as_str() {
            "md5mesh" => &md5::MESH,
            "smd" => &smd::SMD,
            _ => continue,
        };
        let bytes = fs::read(&path).unwrap();
        let Ok(Content::Model(mut model)) = format::read(format, "x", &bytes, &mut Report::default()) else { continue };
        finish::finish(&mut model);
        if check::check(&model).is_err() {
            continue;
        }
        let bind = anim::model_from_joints(&model.skeleton);
        let mut moved = model.skeleton.clone();
        for (index, joint) in moved.joints.iter_mut().enumerate() {
            let turn = Quat::from_euler(EulerRot::XYZ, 0.3, 0.1 * (index % 7) as f32, -0.2);
            joint.parent_from_joint.rotation *= turn;
        }
        let posed = anim::model_from_joints(&moved);
        for mesh in &model.meshes {
            let Shape::Rigged(rig) = &mesh.shape else { continue };
            let expected = plain(rig, &posed, &bind);
            let size = |axis: usize| {
                let along = expected.iter().map(|[position, _, _]| position[axis]);
                along.clone().fold(f64::MIN, f64::max) - along.fold(f64::MAX, f64::min)
            };
            let extent = DVec3::new(size(0), size(1), size(2)).length();
            for (found, [position, normal, tangent]) in skinned(&model, mesh, &posed).iter().zip(&expected) {
                let apart = Vec3::from(found.position).as_dvec3().distance(*position) / extent.max(1e-9);
                assert!(apart <= 1e-4, "{}: a vertex is {apart} of the size off", path.display());
                worst = worst.max(apart);
                assert!((Vec3::from(found.normal).as_dvec3() - *normal).length() < 1e-5, "{}", path.display());
                let found = Vec3::from_slice(&found.tangent[..3]).as_dvec3();
                assert!((found - *tangent).length() < 1e-5, "{}", path.display());
            }
            count += 1;
        }
    }
    println!("{count} meshes, {worst:.1e} of their size off at most");
    assert!(count > 30);
}
