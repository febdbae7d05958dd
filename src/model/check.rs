//! Proves once, after reading, what every hot loop afterwards relies on: in comes a finished model, out comes the first thing that
//! does not hold.

use glam::Vec3;

use super::{Clip, Info, Keys, Mesh, Model, Motion, Rig, Shape, TagMotion};
use crate::report::{At, Diagnostic, Result};

/// Proves that indices are in range, parents come first, lists that belong together are as long as each other and numbers are
/// finite. An error names the first thing that does not hold; most are faults of the reader, the rest numbers too large for
/// single precision.
pub fn check(model: &Model) -> Result<()> {
    for (index, joint) in model.skeleton.joints.iter().enumerate() {
        let place = || format!("joint[{index}]");
        if let Some(parent) = joint.parent.filter(|&parent| parent >= index) {
            return Err(fault("a parent before its child", format!("joint {parent}")).inside(place()));
        }
        if !joint.parent_from_joint.is_finite() {
            return Err(not_finite().inside(place()));
        }
    }
    for (index, mesh) in model.meshes.iter().enumerate() {
        check_mesh(mesh, model).map_err(|error| error.inside(format_args!("mesh[{index}]")))?;
    }
    for (index, clip) in model.clips.iter().enumerate() {
        check_clip(clip, model).map_err(|error| error.inside(format_args!("clip[{index}]")))?;
    }
    for (index, tag) in model.tags.iter().enumerate() {
        let place = || format!("tag[{index}]");
        match &tag.motion {
            TagMotion::Keyed(frames) if !frames.iter().all(|frame| frame.is_finite()) => {
                return Err(not_finite().inside(place()));
            }
            TagMotion::Joint { joint, .. } => {
                in_range("joint", *joint, model.skeleton.joints.len()).map_err(|e| e.inside(place()))?
            }
            TagMotion::Keyed(_) => {}
        }
    }
    for (index, camera) in model.cameras.iter().enumerate() {
        let finite = |frame: &super::CameraFrame| frame.model_from_camera.is_finite() && frame.fov_x.is_finite();
        let place = || format!("camera[{index}]");
        if camera.frames.is_empty() {
            return Err(fault("at least one frame", "none").inside(place()));
        }
        if !camera.rate.is_finite() || camera.rate <= 0.0 || !camera.frames.iter().all(finite) {
            return Err(not_finite().inside(place()));
        }
    }
    for variant in &model.variants {
        same_length("materials", variant.materials.len(), model.meshes.len())?;
        for &material in variant.materials.iter().flatten() {
            in_range("material", material, model.materials.len())?;
        }
    }
    for &mesh in model.bodygroups.iter().flat_map(|group| &group.choices).flat_map(|choice| &choice.meshes) {
        in_range("mesh", mesh, model.meshes.len())?;
    }
    for hitbox in &model.hitboxes {
        in_range("joint", hitbox.joint, model.skeleton.joints.len())?;
    }
    match model.info.iter().all(|(_, info)| info.is_finite()) {
        true => Ok(()),
        false => Err(not_finite().inside("info")),
    }
}

fn check_mesh(mesh: &Mesh, model: &Model) -> Result<()> {
    let vertices = mesh.vertex_count();
    in_range("material", mesh.material, model.materials.len())?;
    if let Some(&corner) = mesh.triangles.as_flattened().iter().find(|&&corner| corner as usize >= vertices) {
        return in_range("vertex", corner as usize, vertices);
    }
    if !mesh.uvs.as_flattened().iter().all(|number| number.is_finite()) {
        return Err(not_finite());
    }
    for morph in &mesh.morphs {
        in_range("flex", morph.flex, model.flexes.len())?;
        for delta in &morph.deltas {
            in_range("vertex", delta.vertex as usize, vertices)?;
            if !delta.position.is_finite() || !delta.normal.is_finite() {
                return Err(not_finite());
            }
        }
    }
    match &mesh.shape {
        Shape::Rigged(rig) => check_rig(rig, vertices, model.skeleton.joints.len()),
        Shape::Keyed(keys) => check_keys(keys, vertices),
    }
}

fn check_rig(rig: &Rig, vertices: usize, joints: usize) -> Result<()> {
    same_length("first influences", rig.first.len(), vertices + 1)?;
    if rig.first[0] != 0 || !rig.first.is_sorted() {
        return Err(fault("influences in the order of the vertices", "others"));
    }
    same_length("influences", rig.influences.len(), rig.first[vertices] as usize)?;
    if let Some(influence) = rig.influences.iter().find(|influence| influence.joint as usize >= joints) {
        return in_range("joint", influence.joint as usize, joints);
    }
    if !rig.influences.iter().all(|influence| influence.offset.is_finite()) {
        return Err(not_finite());
    }
    // Both may be left out.
    if !rig.normals.is_empty() {
        same_length("normals", rig.normals.len(), vertices)?;
    }
    if !rig.tangents.is_empty() {
        same_length("tangents", rig.tangents.len(), vertices)?;
    }
    match rig.normals.iter().all(|normal| normal.is_finite()) && rig.tangents.iter().all(|tangent| tangent.is_finite())
    {
        true => Ok(()),
        false => Err(not_finite()),
    }
}

fn check_keys(keys: &Keys, vertices: usize) -> Result<()> {
    if keys.frames == 0 {
        return Err(fault("at least one frame", "none"));
    }
    same_length("positions", keys.positions.len(), keys.frames * vertices)?;
    same_length("normals", keys.normals.len(), keys.frames * vertices)
}

fn check_clip(clip: &Clip, model: &Model) -> Result<()> {
    if !(clip.rate > 0.0 && clip.rate.is_finite()) {
        return Err(fault("a rate above 0", clip.rate.to_string()));
    }
    if clip.frames == 0 {
        return Err(fault("at least one frame", "none"));
    }
    match &clip.motion {
        Motion::Joints(transforms) => {
            same_length("transforms", transforms.len(), clip.frames * model.skeleton.joints.len())?;
            match transforms.iter().all(super::Transform::is_finite) {
                true => Ok(()),
                false => Err(not_finite()),
            }
        }
        Motion::AllKeys | Motion::Keys(_) => Ok(()),
    }
}

impl super::Transform {
    fn is_finite(&self) -> bool {
        self.rotation.is_finite() && Vec3::is_finite(self.translation)
    }
}

impl Info {
    fn is_finite(&self) -> bool {
        match self {
            Info::Number(number) => number.is_finite(),
            Info::List(list) => list.iter().all(Info::is_finite),
            Info::Flag(_) | Info::Text(_) => true,
        }
    }
}

fn in_range(what: &str, index: usize, count: usize) -> Result<()> {
    match index < count {
        true => Ok(()),
        false => Err(fault(format!("the number of one of {count}"), format!("{what} {index}"))),
    }
}

fn same_length(what: &str, found: usize, expected: usize) -> Result<()> {
    match found == expected {
        true => Ok(()),
        false => Err(fault(format!("{expected} {what}"), found.to_string())),
    }
}

fn not_finite() -> Box<Diagnostic> {
    fault("numbers that single precision can hold", "larger ones")
}

fn fault(expected: impl Into<std::borrow::Cow<'static, str>>, found: impl Into<String>) -> Box<Diagnostic> {
    Diagnostic::error(At::File, expected, found)
}
