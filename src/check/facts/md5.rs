//! Doom 3's files: in comes an .md5mesh, .md5anim or .md5camera, out comes what its reader said, and the animations that go with
//! a mesh.

use super::Facts;
use crate::bundle;
use crate::format::{self, Content, Format, md5};
use crate::open::{self, bind::bind_md5};
use crate::report::Report;

pub fn gather(facts: &mut Facts) {
    let path = facts.path.clone();
    let bundle = facts.bundle;
    let Some(bytes) = bundle.read(&path) else { return };
    let Some(format) = format::guess(&path, &bytes) else { return };
    read(facts, format, &path);
    if format.name != md5::MESH.name {
        return;
    }
    let formats: Vec<(&str, &Format)> =
        bundle.paths().filter_map(|path| Some((path, open::format_of(bundle, path)?))).collect();
    let of = |wanted: &Format| {
        let name = wanted.name;
        formats.iter().filter(move |(_, format)| format.name == name).map(|(path, _)| *path)
    };
    let folder = bundle::key(bundle::folder(&path));
    let others: Vec<_> = of(&md5::MESH)
        .filter(|other| *other != path)
        .filter_map(|other| match format::read(&md5::MESH, other, &bundle.read(other)?, &mut Report::default()) {
            Ok(Content::Model(model)) => Some(model.skeleton),
            _ => None,
        })
        .collect();
    for anim in of(&md5::ANIM) {
        let Some(bytes) = bundle.read(anim) else { continue };
        let mut report = Report::default();
        match format::read(&md5::ANIM, anim, &bytes, &mut report) {
            Ok(Content::Animation(animation)) => {
                let bound = facts.mesh.as_ref().map(|mesh| bind_md5(&mesh.skeleton, &animation));
                // Of a mesh that cannot be read it is not known what fits it; what lies beside it may.
                if bound.is_none() && bundle::key(bundle::folder(anim)) != folder {
                    continue;
                }
                if let Some(Err(error)) = bound {
                    // It belongs to another model of the same folder.
                    if others.iter().any(|skeleton| bind_md5(skeleton, &animation).is_ok()) {
                        continue;
                    }
                    report.push(error);
                }
                facts.animations.push((anim.to_string(), animation));
            }
            Ok(_) => {}
            Err(error) => report.push(error),
        }
        facts.hear(md5::ANIM.name, anim, report);
    }
}

fn read(facts: &mut Facts, format: &'static Format, path: &str) {
    let Some(bytes) = facts.bundle.read(path) else { return };
    let mut report = Report::default();
    match format::read(format, path, &bytes, &mut report) {
        Ok(Content::Model(model)) => facts.mesh = Some(model),
        Ok(Content::Animation(animation)) => facts.animations.push((path.to_string(), animation)),
        Ok(Content::Camera(camera)) => facts.cameras.push(camera),
        Ok(Content::Shapes(_)) => {}
        Err(error) => report.push(error),
    }
    facts.hear(format.name, path, report);
}
