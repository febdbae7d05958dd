//! Binds an animation to the skeleton of a model: in come both, out comes a clip with a transform for each of the model's joints.

use crate::format::Animation;
use crate::model::{Clip, Skeleton};
use crate::report::{At, Diagnostic, Result};

/// Doom 3's rule (idRenderModelMD5 and idAnim::CheckModelHierarchy): as many joints, of the same names in the same order, with
/// the same parents.
pub fn bind_md5(skeleton: &Skeleton, animation: &Animation) -> Result<Clip> {
    let (mesh, anim) = (&skeleton.joints, &animation.skeleton.joints);
    if mesh.len() != anim.len() {
        return Err(Diagnostic::error(
            At::File,
            format!("{} joints, as in the mesh", mesh.len()),
            format!("{} joints", anim.len()),
        )
        .engine("Doom 3 stops: \"Model has different # of joints than anim\""));
    }
    let name = |joint: Option<usize>| joint.map_or("no parent".to_string(), |joint| format!("`{}`", mesh[joint].name));
    for (index, (mesh, anim)) in mesh.iter().zip(anim).enumerate() {
        if mesh.name != anim.name {
            return Err(Diagnostic::error(
                At::File,
                format!("`{}`, as in the mesh", mesh.name),
                format!("`{}`", anim.name),
            )
            .inside(format!("joint[{index}]"))
            .engine("Doom 3 stops: \"Model's joint names don't match anim\""));
        }
        if mesh.parent != anim.parent {
            return Err(Diagnostic::error(
                At::File,
                format!("{} as parent of `{}`, as in the mesh", name(mesh.parent), mesh.name),
                name(anim.parent),
            )
            .inside(format!("joint[{index}]"))
            .engine("Doom 3 stops: \"Model has different joint hierarchy than anim\""));
        }
    }
    Ok(animation.clip.clone())
}
