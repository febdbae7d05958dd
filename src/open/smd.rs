//! What belongs together among .smd files: in come models and animations by themselves, out come clips bound by the joints' names
//! and body parts stood on one skeleton.

use glam::Vec3;
use hashbrown::HashMap;

use crate::bundle;
use crate::format::Animation;
use crate::format::lines::names;
use crate::model::{BodyChoice, BodyGroup, Clip, Influence, Model, Motion, Rig, Shape, Skeleton, Transform};
use crate::report::{At, Diagnostic, Report, Result};

/// Binds an animation to a skeleton by the names of the joints, whatever their order. Joints that the animation lacks, or lists
/// and never poses, stay in the bind pose; those it has beyond the skeleton are left out. One that shares no joint is refused.
pub fn bind(skeleton: &Skeleton, animation: &Animation, report: &mut Report) -> Result<Clip> {
    let theirs = &animation.skeleton.joints;
    let by_name = first_by_name(&animation.skeleton);
    let mut sources: Vec<Option<usize>> =
        skeleton.joints.iter().map(|joint| by_name.get(joint.name.as_str()).copied()).collect();
    if sources.iter().all(Option::is_none) {
        let error = Diagnostic::error(
            At::File,
            format!("joints of the model ({})", names(skeleton.joints.iter().map(|joint| &joint.name))),
            names(theirs.iter().map(|joint| &joint.name)),
        );
        return Err(error.engine("Half-Life's studiomdl moves nothing then: every bone keeps its reference pose."));
    }
    let is_posed = |source: &usize| animation.unposed.binary_search(source).is_err();
    sources.iter_mut().for_each(|source| *source = source.filter(is_posed));
    let ours = first_by_name(skeleton);
    let mut extra = theirs.iter().map(|joint| &joint.name).filter(|name| !ours.contains_key(name.as_str())).peekable();
    if extra.peek().is_some() {
        let finding = Diagnostic::warning(At::File, "joints of the model", names(extra));
        report.push(finding.engine("Joints that the model lacks move nothing."));
    }

    // A joint that hangs on another parent in the animation keeps its place in space, not the one beside its parent.
    let is_moved = |joint: usize, source: usize| {
        let parent = skeleton.joints[joint].parent.map(|parent| &skeleton.joints[parent].name);
        parent != theirs[source].parent.map(|parent| &theirs[parent].name)
    };
    let moved: Vec<bool> = sources
        .iter()
        .enumerate()
        .map(|(joint, source)| source.is_some_and(|source| is_moved(joint, source)))
        .collect();
    if let Some(joint) = moved.iter().position(|&moved| moved) {
        let name = |joint: Option<&str>| joint.map_or("no parent".to_string(), |name| format!("`{name}` as parent"));
        let (ours, source) = (&skeleton.joints[joint], sources[joint].unwrap_or(0));
        let expected = name(ours.parent.map(|parent| skeleton.joints[parent].name.as_str()));
        let found = name(theirs[source].parent.map(|parent| theirs[parent].name.as_str()));
        let finding = Diagnostic::warning(At::File, expected, found).inside(format!("joint `{}`", ours.name));
        report.push(finding.engine("Half-Life's studiomdl stops: \"illegal parent bone replacement in sequence\"."));
    }

    let Motion::Joints(from) = &animation.clip.motion else {
        return Err(Diagnostic::error(At::File, "an animation of joints", "one of vertices"));
    };
    let (joints, frames) = (skeleton.joints.len(), animation.clip.frames);
    if frames.saturating_mul(joints) > MOST_TRANSFORMS {
        return Err(Diagnostic::error(At::File, "an animation that fits into the memory", format!("{frames} frames")));
    }
    let mut transforms = Vec::with_capacity(frames * joints);
    let any_moved = moved.contains(&true);
    for frame in 0..frames {
        let pose = &from[frame * theirs.len()..][..theirs.len()];
        let posed = if any_moved { model_from_joints(&animation.skeleton, pose) } else { Vec::new() };
        let mut model_from_joint: Vec<Transform> = Vec::with_capacity(if any_moved { joints } else { 0 });
        for (index, joint) in skeleton.joints.iter().enumerate() {
            let model_from_parent = match joint.parent {
                Some(parent) if any_moved => model_from_joint[parent],
                _ => Transform::IDENTITY,
            };
            let parent_from_joint = match sources[index] {
                None => joint.parent_from_joint,
                Some(source) if moved[index] => model_from_parent.inverse() * posed[source],
                Some(source) => pose[source],
            };
            if any_moved {
                model_from_joint.push(model_from_parent * parent_from_joint);
            }
            transforms.push(parent_from_joint);
        }
    }
    Ok(Clip { motion: Motion::Joints(transforms), ..animation.clip.clone() })
}

/// A quarter of a gigabyte. A small file on a large skeleton grows, and must not grow without end.
const MOST_TRANSFORMS: usize = 1 << 23;

fn first_by_name(skeleton: &Skeleton) -> HashMap<&str, usize> {
    let mut by_name = HashMap::with_capacity(skeleton.joints.len());
    for (index, joint) in skeleton.joints.iter().enumerate() {
        by_name.entry(joint.name.as_str()).or_insert(index);
    }
    by_name
}

/// Where every joint stands, from where each stands beside its parent.
pub fn model_from_joints(skeleton: &Skeleton, parent_from_joint: &[Transform]) -> Vec<Transform> {
    let mut model_from_joint: Vec<Transform> = Vec::with_capacity(parent_from_joint.len());
    for (joint, &parent_from_joint) in skeleton.joints.iter().zip(parent_from_joint) {
        let model_from_parent = joint.parent.map_or(Transform::IDENTITY, |parent| model_from_joint[parent]);
        model_from_joint.push(model_from_parent * parent_from_joint);
    }
    model_from_joint
}

pub fn bind_pose(skeleton: &Skeleton) -> Vec<Transform> {
    let local: Vec<Transform> = skeleton.joints.iter().map(|joint| joint.parent_from_joint).collect();
    model_from_joints(skeleton, &local)
}

/// Whether two reference files are parts of one body: they share a skeleton, and one of more than a root, which exporters give to
/// everything that has none.
pub fn are_parts(a: &Skeleton, b: &Skeleton) -> bool {
    a.joints.len().min(b.joints.len()) > 1 && share_skeleton(a, b)
}

/// Whether every joint of the smaller skeleton is in the larger, on the same parent.
pub fn share_skeleton(a: &Skeleton, b: &Skeleton) -> bool {
    let (small, large) = if a.joints.len() <= b.joints.len() { (a, b) } else { (b, a) };
    let by_name = first_by_name(large);
    !small.joints.is_empty()
        && small.joints.iter().all(|joint| {
            by_name.get(joint.name.as_str()).is_some_and(|&found| {
                let parent = joint.parent.map(|parent| &small.joints[parent].name);
                parent == large.joints[found].parent.map(|parent| &large.joints[parent].name)
            })
        })
}

/// Whether a reference file stands for the same thing as another beside it: what is seen from afar, or what bullets hit. Decompilers
/// and exporters call them so.
pub fn is_stand_in(path: &str) -> bool {
    let name = bundle::stem(path).to_ascii_lowercase();
    let is_level = name.trim_end_matches(|letter: char| letter.is_ascii_digit()).ends_with("lod");
    is_level || ["_phys", "_collision"].iter().any(|word| name.contains(word))
}

/// Stands reference files that share a skeleton as one model. Each becomes a body group by its name, to be shown or hidden; those
/// that stand in for others are hidden at first.
pub fn join(parts: Vec<Model>, report: &mut Report) -> Model {
    let mut whole = Model::default();
    let has_others = parts.iter().any(|part| !is_stand_in(&part.name));
    for part in parts {
        if whole.name.is_empty() {
            whole.name.clone_from(&part.name);
            whole.path.clone_from(&part.path);
            whole.info.clone_from(&part.info);
        }
        let name = part.name.clone();
        let meshes = absorb(&mut whole, part, report);
        let shown = BodyChoice { name: name.clone(), meshes };
        let hidden = BodyChoice { name: "hidden".to_string(), meshes: Vec::new() };
        let choices = match has_others && is_stand_in(&name) {
            true => vec![hidden, shown],
            false => vec![shown, hidden],
        };
        whole.bodygroups.push(BodyGroup { name, choices });
    }
    whole
}

/// Adds a part's meshes to a model whose joints are the same by name; those the model lacks are added, as `studiomdl` makes
/// the union of all bones. Returns where the meshes are now. Clips of the part are bound to the model's joints.
pub fn absorb(whole: &mut Model, part: Model, report: &mut Report) -> Vec<usize> {
    let part_bind = bind_pose(&part.skeleton);
    let joints = union(&mut whole.skeleton, &part.skeleton, &part.name, report);
    let whole_bind = bind_pose(&whole.skeleton);
    // Where a joint's bind pose is another than in the part, vertices go with the joint, and so do their normals.
    let turns: Vec<glam::Quat> = joints
        .iter()
        .zip(&part_bind)
        .map(|(&joint, part)| whole_bind[joint as usize].rotation * part.rotation.conjugate())
        .collect();
    let is_turned = turns.iter().any(|turn| !turn.is_near_identity());
    if is_turned {
        let finding = Diagnostic::warning(At::File, "the bind pose of the other parts", "another one");
        report.push(finding.in_file(&part.name).engine("studiomdl takes the bones as the first file poses them."));
    }

    let mut by_name: HashMap<String, usize> =
        whole.materials.iter().enumerate().rev().map(|(index, material)| (material.name.clone(), index)).collect();
    let mut materials = Vec::with_capacity(part.materials.len());
    for material in part.materials {
        materials.push(*by_name.entry(material.name.clone()).or_insert_with(|| {
            whole.materials.push(material);
            whole.materials.len() - 1
        }));
    }
    let flexes = super::flex::numbers(&mut whole.flexes, part.flexes);
    let first = whole.meshes.len();
    for mut mesh in part.meshes {
        mesh.material = materials[mesh.material];
        if let Shape::Rigged(rig) = &mut mesh.shape {
            if is_turned {
                turn_normals(rig, &turns);
            }
            for influence in &mut rig.influences {
                influence.joint = joints[influence.joint as usize];
            }
        }
        for morph in &mut mesh.morphs {
            morph.flex = flexes[morph.flex];
        }
        whole.meshes.push(mesh);
    }
    for clip in part.clips {
        let skeleton = part.skeleton.clone();
        let animation = Animation { skeleton, clip, unposed: Vec::new(), info: Vec::new() };
        match bind(&whole.skeleton, &animation, report) {
            Ok(clip) => whole.clips.push(clip),
            Err(error) => report.push(error),
        }
    }
    (first..whole.meshes.len()).collect()
}

fn turn_normals(rig: &mut Rig, turns: &[glam::Quat]) {
    for (vertex, normal) in rig.normals.iter_mut().enumerate() {
        let influences = &rig.influences[rig.first[vertex] as usize..rig.first[vertex + 1] as usize];
        let pull = |influence: &Influence| turns[influence.joint as usize] * *normal * influence.offset.w;
        *normal = influences.iter().map(pull).sum::<Vec3>().normalize_or(*normal);
    }
}

/// Adds the joints of a part that the whole lacks. Returns the whole's joint for each of the part's.
fn union(whole: &mut Skeleton, part: &Skeleton, part_name: &str, report: &mut Report) -> Vec<u32> {
    let mut by_name: HashMap<String, u32> =
        first_by_name(whole).into_iter().map(|(name, index)| (name.to_string(), index as u32)).collect();
    let mut joints: Vec<u32> = Vec::with_capacity(part.joints.len());
    let mut told = false;
    for joint in &part.joints {
        let parent = joint.parent.map(|parent| joints[parent] as usize);
        if let Some(&known) = by_name.get(&joint.name) {
            if whole.joints[known as usize].parent != parent && !told {
                told = true;
                let name = |joint: Option<usize>| {
                    joint.map_or("no parent".to_string(), |joint| format!("`{}`", whole.joints[joint].name))
                };
                let expected = format!("{} as in the other parts", name(whole.joints[known as usize].parent));
                let finding = Diagnostic::warning(At::File, expected, name(parent)).in_file(part_name);
                report.push(
                    finding
                        .inside(format!("joint `{}`", joint.name))
                        .engine("Half-Life's studiomdl stops: \"illegal parent bone replacement in model\"."),
                );
            }
            joints.push(known);
            continue;
        }
        let index = whole.joints.len() as u32;
        whole.joints.push(crate::model::Joint { parent, ..joint.clone() });
        by_name.insert(joint.name.clone(), index);
        joints.push(index);
    }
    joints
}
