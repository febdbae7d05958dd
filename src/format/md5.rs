//! Doom 3's models: .md5mesh, .md5anim and .md5camera. In come their texts, out come models, animations and cameras.

mod anim;
mod camera;
mod lexer;
mod mesh;

use glam::{Quat, Vec3};

use super::Format;
use crate::model::Transform;
use crate::report::{Diagnostic, Report, Result};
use lexer::Lexer;

pub const MESH: Format =
    Format { name: "MD5", extensions: &["md5mesh"], probe: |bytes| kind(bytes) == Some(Kind::Mesh), read: mesh::read };
pub const ANIM: Format = Format {
    name: "MD5 animation",
    extensions: &["md5anim"],
    probe: |bytes| kind(bytes) == Some(Kind::Anim),
    read: anim::read,
};
pub const CAMERA: Format = Format {
    name: "MD5 camera",
    extensions: &["md5camera"],
    probe: |bytes| kind(bytes) == Some(Kind::Camera),
    read: camera::read,
};

#[derive(PartialEq, Eq)]
enum Kind {
    Mesh,
    Anim,
    Camera,
}

/// Tells the three kinds apart by the counts they begin with. The lines before these may be missing.
fn kind(bytes: &[u8]) -> Option<Kind> {
    let mut lexer = Lexer::new(bytes, true);
    if lexer.take_keyword("MD5Version") {
        lexer.integer().ok()?;
    }
    if lexer.take_keyword("commandline") {
        lexer.name().ok()?;
    }
    let mut counts = |keyword| lexer.take_keyword(keyword) && lexer.integer().is_ok();
    if counts("numJoints") {
        counts("numMeshes").then_some(Kind::Mesh)
    } else if counts("numFrames") {
        match counts("numJoints") {
            true => Some(Kind::Anim),
            false => counts("frameRate").then_some(Kind::Camera),
        }
    } else {
        None
    }
}

/// Reads the version and the command line, which every .md5 file begins with; `next` is the keyword after them. Gives the
/// command line. A file without one or both is read all the same, with a warning.
fn header(lexer: &mut Lexer, next: &'static str, report: &mut Report) -> Result<Option<String>> {
    let mut warnings = Vec::new();
    if lexer.take_keyword("MD5Version") {
        let place = lexer.place();
        let version = lexer.integer().map_err(|error| error.inside("MD5Version"))?;
        if version != 10 {
            let alpha = match version {
                6 => " (Version 6 is that of the alpha of 2002, whose files are laid out otherwise.)",
                _ => "",
            };
            let says = format!("Doom 3 stops: \"Invalid version {version}.  Should be version 10\"{alpha}");
            return Err(Diagnostic::error(lexer.locate(place), "version 10", format!("`{version}`"))
                .inside("MD5Version")
                .engine(says));
        }
    } else {
        warnings.push(lexer.expected_token("MD5Version").into_warning());
    }
    let command_line = if lexer.take_keyword("commandline") {
        Some(lexer.name().map_err(|error| error.inside("commandline"))?)
    } else {
        warnings.push(lexer.expected_token("commandline").into_warning());
        None
    };
    if !lexer.is_at_keyword(next) {
        // Not merely a line that is missing: the first thing that is not as it should be tells most.
        let first = warnings.into_iter().next();
        return Err(first.map_or_else(|| lexer.expected_token(next), |warning| warning.into_error()));
    }
    for warning in warnings {
        report.push(warning);
    }
    Ok(command_line)
}

/// The rotation that three stored numbers stand for. The game works out w = +√|1 − x² − y² − z²| and makes a matrix that is the
/// transpose of the usual one (neo/idlib/math/Quat.h, idCQuat::ToQuat): the usual quaternion with −w. x² + y² + z² over 1 occurs
/// in real files, so what is under the root is not cut off at 0.
fn rotation([x, y, z]: [f32; 3]) -> Quat {
    // In f64, since what is left of 1 is small where the turn is near half a circle.
    let [x, y, z] = [f64::from(x), f64::from(y), f64::from(z)];
    let left = 1.0 - x * x - y * y - z * z;
    let w = -left.abs().sqrt();
    // Where nothing is left of 1, x² + y² + z² + w² is 1 - 2 × left; else it is 1.
    let scale = if left < 0.0 { (1.0 - 2.0 * left).sqrt().recip() } else { 1.0 };
    let [x, y, z, w] = [x, y, z, w].map(|number| (number * scale) as f32);
    Quat::from_xyzw(x, y, z, w)
}

/// A place and a rotation, as joints, base frames and cameras have them.
fn transform(lexer: &mut Lexer) -> Result<Transform> {
    let translation = Vec3::from(lexer.vector()?);
    Ok(Transform::new(rotation(lexer.vector()?), translation))
}
