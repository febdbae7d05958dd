//! Half-Life's and Source's files as figures: in comes the path of an .smd or a .qc, out comes a figure with the animations,
//! shapes and body parts that lie beside it.

use hashbrown::HashSet;

use crate::bundle::{self, Bundle};
use crate::figure::{Figure, Part};
use crate::format::smd::Shapes;
use crate::format::{self, Animation, Content, Format, smd};
use crate::model::{self, Clip, Model, Skeleton};
use crate::report::{At, Diagnostic, Report, Result};

use super::flex::{add_shapes, has_places};
use super::smd::{are_parts, bind, join, share_skeleton};

/// What [`Figure::format`] says of a script.
pub const SCRIPT: &str = "QC";

/// Whether a file is a model script. Scripts name other files, so that they are no [`Format`].
pub fn is_script(path: &str) -> bool {
    bundle::extension(path) == "qc"
}

/// Opens a .qc with the files that it names.
pub fn open_script(bundle: &Bundle, path: &str, report: &mut Report) -> Result<Figure> {
    finished(super::qc::assemble(path, bundle, report)?, SCRIPT, path)
}

/// Opens an .smd with the animations that move its joints and the shapes of its meshes. `with_parts` adds the reference files
/// beside it that share its skeleton, as when a body's parts were dropped together.
pub fn open_smd(bundle: &Bundle, path: &str, with_parts: bool, report: &mut Report) -> Result<Figure> {
    let mut model = match read(bundle, path, report)? {
        Content::Model(model) => model,
        Content::Animation(animation) => {
            let mut model = super::skeleton_alone(animation);
            bind_siblings(bundle, path, &mut model, report);
            return finished(model, smd::SMD.name, path);
        }
        _ => {
            let error = Diagnostic::error(At::File, "a reference mesh (.smd) for these shapes", "shapes alone");
            let error = error.engine("Source's studiomdl reads a .vta only for the `flexfile` of a $model.");
            return Err(error.in_file(path));
        }
    };
    let others = references(bundle, path);
    if with_parts {
        let folder = bundle::folder(path);
        let is_part = |other: &&Reference| {
            bundle::folder(&other.path) == folder && are_parts(&model.skeleton, &other.model.skeleton)
        };
        let parts: Vec<&Reference> = others.iter().filter(is_part).collect();
        if !parts.is_empty() {
            let mut models = vec![model];
            for part in parts {
                report.append(&part.path, part.report.clone());
                models.push(part.model.clone());
            }
            model = join(models, report);
        }
    }
    lay_shapes(bundle, path, &mut model, report);
    bind_animations(bundle, &mut model, &others, report);
    finished(model, smd::SMD.name, path)
}

fn finished(mut model: Model, format: &str, path: &str) -> Result<Figure> {
    model::finish::finish(&mut model);
    model::check::check(&model).map_err(|error| error.in_file(path))?;
    let name = model.name.clone();
    Ok(Figure::new(&name, format, vec![Part::new("", vec![model], None)], Report::default()))
}

fn read(bundle: &Bundle, path: &str, report: &mut Report) -> Result<Content> {
    let bytes = bundle.read(path).ok_or_else(|| Diagnostic::error(At::File, "a file", "none").in_file(path))?;
    format::read(&smd::SMD, path, &bytes, report)
}

/// A reference file beside the one that was opened.
struct Reference {
    path: String,
    model: Model,
    report: Report,
}

/// Every other .smd with triangles that can be read.
fn references(bundle: &Bundle, path: &str) -> Vec<Reference> {
    let mut references = Vec::new();
    for other in files(bundle, &smd::SMD).filter(|other| *other != path) {
        if !bundle.read(other).is_some_and(|bytes| smd::has_triangles(&bytes)) {
            continue;
        }
        let mut report = Report::default();
        if let Ok(Content::Model(model)) = read(bundle, other, &mut report) {
            references.push(Reference { path: other.to_string(), model, report });
        }
    }
    references
}

fn files<'a>(bundle: &'a Bundle, format: &'static Format) -> impl Iterator<Item = &'a str> {
    bundle.paths().filter(|path| format.extensions.contains(&bundle::extension(path).as_str()))
}

/// Lays every .vta onto the model whose vertices stand where its own do.
fn lay_shapes(bundle: &Bundle, path: &str, model: &mut Model, report: &mut Report) {
    for vta in files(bundle, &smd::VTA) {
        let Some(bytes) = bundle.read(vta) else { continue };
        let mut findings = Report::default();
        let content = format::read(&smd::VTA, vta, &bytes, &mut findings);
        let is_namesake = bundle::stem(vta).eq_ignore_ascii_case(bundle::stem(path));
        let belongs = |shapes: &Shapes| is_namesake || has_places(model, shapes);
        match content {
            Ok(Content::Shapes(shapes)) if belongs(&shapes) => {
                add_shapes(model, &shapes, |_| None, &mut findings);
                report.append(vta, findings);
            }
            Err(error) if is_namesake => {
                report.append(vta, findings);
                report.push(error);
            }
            _ => {}
        }
    }
}

/// Binds every .smd without triangles to the model. One that has more joints of another model in the bundle moves that one and
/// is passed over; one that has none of any is refused.
fn bind_animations(bundle: &Bundle, model: &mut Model, others: &[Reference], report: &mut Report) {
    for path in files(bundle, &smd::SMD) {
        let is_animation = bundle.read(path).is_some_and(|bytes| !smd::has_triangles(&bytes));
        if !is_animation {
            continue;
        }
        let mut findings = Report::default();
        let animation = match read(bundle, path, &mut findings) {
            Ok(Content::Animation(animation)) => animation,
            Ok(_) => continue,
            Err(error) => {
                report.append(path, findings);
                report.push(error);
                continue;
            }
        };
        let shared = shared_joints(&model.skeleton, &animation);
        if others.iter().any(|other| shared_joints(&other.model.skeleton, &animation) > shared) {
            continue;
        }
        let bound = bind(&model.skeleton, &animation, &mut findings);
        report.append(path, findings);
        match bound {
            Ok(clip) => {
                let name = super::free_name(&model.clips, path);
                model.clips.push(Clip { name, ..clip });
            }
            Err(error) => report.push(error.in_file(path)),
        }
    }
}

/// Binds the other animations of the same joints to a skeleton that is shown without a mesh.
fn bind_siblings(bundle: &Bundle, path: &str, model: &mut Model, report: &mut Report) {
    for other in files(bundle, &smd::SMD).filter(|other| *other != path) {
        let mut findings = Report::default();
        let Ok(Content::Animation(animation)) = read(bundle, other, &mut findings) else { continue };
        if !share_skeleton(&model.skeleton, &animation.skeleton) {
            continue;
        }
        if let Ok(clip) = bind(&model.skeleton, &animation, &mut findings) {
            report.append(other, findings);
            let name = super::free_name(&model.clips, other);
            model.clips.push(Clip { name, ..clip });
        }
    }
}

/// How many joints of a skeleton an animation moves.
fn shared_joints(skeleton: &Skeleton, animation: &Animation) -> usize {
    let names: HashSet<&str> = animation.skeleton.joints.iter().map(|joint| joint.name.as_str()).collect();
    skeleton.joints.iter().filter(|joint| names.contains(joint.name.as_str())).count()
}
