//! Where the compilers put what a script names: in come reference files and animations, out they come shifted, turned, scaled,
//! mirrored and renamed.

use glam::{Quat, Vec3};
use hashbrown::{HashMap, HashSet};

use crate::format::Animation;
use crate::format::qc::Placement;
use crate::model::{Model, Motion, Shape, Skeleton, Transform};
use crate::open::smd::bind_pose;

/// Puts the bind pose where the sequences will be. Vertices are in the spaces of their joints and only grow.
pub fn place_reference(part: &mut Model, placement: Placement) {
    let turn = placement.rotation();
    for joint in part.skeleton.joints.iter_mut().filter(|joint| joint.parent.is_none()) {
        joint.parent_from_joint = place_root(joint.parent_from_joint, placement.origin, turn);
    }
    for mesh in &mut part.meshes {
        let Shape::Rigged(rig) = &mut mesh.shape else { continue };
        for normal in &mut rig.normals {
            *normal = turn * *normal;
        }
        for delta in mesh.morphs.iter_mut().flat_map(|morph| &mut morph.deltas) {
            delta.position = turn * delta.position;
            delta.normal = turn * delta.normal;
        }
    }
    scale(part, placement.scale);
}

fn place_root(model_from_root: Transform, origin: Vec3, turn: Quat) -> Transform {
    Transform::new(turn * model_from_root.rotation, turn * (model_from_root.translation - origin))
}

/// Moves the vertices, not the joints.
pub fn shift(part: &mut Model, by: Vec3) {
    if by == Vec3::ZERO {
        return;
    }
    let bind = bind_pose(&part.skeleton);
    for mesh in &mut part.meshes {
        let Shape::Rigged(rig) = &mut mesh.shape else { continue };
        for influence in &mut rig.influences {
            let joint_from_model = bind[influence.joint as usize].rotation.conjugate();
            influence.offset += (joint_from_model * by * influence.offset.w).extend(0.0);
        }
    }
}

pub fn scale(part: &mut Model, scale: f32) {
    for joint in &mut part.skeleton.joints {
        joint.parent_from_joint.translation *= scale;
    }
    for mesh in &mut part.meshes {
        let Shape::Rigged(rig) = &mut mesh.shape else { continue };
        for influence in &mut rig.influences {
            influence.offset = (influence.offset.truncate() * scale).extend(influence.offset.w);
        }
        for delta in mesh.morphs.iter_mut().flat_map(|morph| &mut morph.deltas) {
            delta.position *= scale;
        }
    }
}

/// Which joints $mirrorbone turns over: those named and all below them.
fn mirrored(skeleton: &Skeleton, names: &[String]) -> Vec<bool> {
    let names: HashSet<&String> = names.iter().collect();
    let mut mirrored: Vec<bool> = Vec::with_capacity(skeleton.joints.len());
    for joint in &skeleton.joints {
        let inherited = joint.parent.is_some_and(|parent| mirrored[parent]);
        mirrored.push(inherited || names.contains(&joint.name));
    }
    mirrored
}

/// Half-Life's compiler turns the positions of mirrored bones around; the vertices stay where they were.
pub fn mirror(part: &mut Model, names: &[String]) {
    if names.is_empty() {
        return;
    }
    let before = bind_pose(&part.skeleton);
    let mirrored = mirrored(&part.skeleton, names);
    for (joint, _) in part.skeleton.joints.iter_mut().zip(mirrored).filter(|(_, mirrored)| *mirrored) {
        joint.parent_from_joint.translation = -joint.parent_from_joint.translation;
    }
    let after = bind_pose(&part.skeleton);
    for mesh in &mut part.meshes {
        let Shape::Rigged(rig) = &mut mesh.shape else { continue };
        for influence in &mut rig.influences {
            let joint = influence.joint as usize;
            let after_from_before = after[joint].inverse() * before[joint];
            let offset = after_from_before.rotation * influence.offset.truncate();
            influence.offset = (offset + after_from_before.translation * influence.offset.w).extend(influence.offset.w);
        }
    }
}

/// $renamebone: the first that names a bone counts.
pub fn rename(skeleton: &mut Skeleton, names: &[(String, String)]) {
    let names: HashMap<&String, &String> = names.iter().rev().map(|(from, to)| (from, to)).collect();
    for joint in &mut skeleton.joints {
        if let Some(to) = names.get(&joint.name) {
            joint.name.clone_from(to);
        }
    }
}

/// Places every frame: Grab_Animation of Half-Life's compiler. Only roots are shifted and turned.
pub fn place_frames(animation: &mut Animation, placement: Placement, mirrored_joints: &[String]) {
    let turn = placement.rotation();
    let mirrored = mirrored(&animation.skeleton, mirrored_joints);
    let Motion::Joints(frames) = &mut animation.clip.motion else { return };
    for pose in frames.chunks_exact_mut(animation.skeleton.joints.len()) {
        for ((transform, joint), &mirrored) in pose.iter_mut().zip(&animation.skeleton.joints).zip(&mirrored) {
            if joint.parent.is_none() {
                *transform = place_root(*transform, placement.origin, turn);
            }
            transform.translation *= if mirrored { -placement.scale } else { placement.scale };
        }
    }
}

/// Whether the last frame is the first, but for axes whose way is taken out afterwards.
pub fn is_closed(animation: &Animation, linear: [bool; 3]) -> bool {
    let (joints, count) = (animation.skeleton.joints.len(), animation.clip.frames);
    let Motion::Joints(frames) = &animation.clip.motion else { return true };
    let (first, last) = (&frames[..joints], &frames[(count - 1) * joints..]);
    first.iter().zip(last).all(|(first, last)| {
        let apart = (first.translation - last.translation).abs();
        // Exporters write six decimals.
        let is_near = |axis: usize| linear[axis] || apart[axis] <= 1e-3 * (1.0 + first.translation[axis].abs());
        first.rotation.dot(last.rotation).abs() > 0.9999 && (0..3).all(is_near)
    })
}

/// LX, LY, LZ: the game moves the model, so the sequence walks on the spot. The first file of a sequence says how far.
pub fn take_out_way(animation: &mut Animation, linear: [bool; 3], way: &mut Option<Vec3>) {
    let (joints, count) = (animation.skeleton.joints.len(), animation.clip.frames);
    if count < 2 || linear == [false; 3] {
        return;
    }
    let is_root: Vec<bool> = animation.skeleton.joints.iter().map(|joint| joint.parent.is_none()).collect();
    let Motion::Joints(frames) = &mut animation.clip.motion else { return };
    let way = *way.get_or_insert_with(|| {
        let all = frames[(count - 1) * joints].translation - frames[0].translation;
        Vec3::from_array(std::array::from_fn(|axis| if linear[axis] { all[axis] } else { 0.0 }))
    });
    for (index, pose) in frames.chunks_exact_mut(joints).enumerate() {
        let gone = way * (index as f32 / (count - 1) as f32);
        for (transform, _) in pose.iter_mut().zip(&is_root).filter(|(_, is_root)| **is_root) {
            transform.translation -= gone;
        }
    }
}
