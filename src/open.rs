//! From dropped files to a figure: picks what to show, gathers what belongs to it, hangs the parts together.

pub mod bind;
pub mod dress;
pub mod flex;
pub mod qc;
pub mod quake3;
pub mod smd;
pub mod valve;

use crate::bundle::{self, Bundle};
use crate::figure::{Figure, Part};
use crate::format::{self, Animation, Content, md3, md5};
use crate::model::{self, Camera, Model, Skeleton};
use crate::report::{At, Diagnostic, Report, Result};
use crate::sort;

/// Something among the files that could be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// What [`open`] takes.
    pub path: String,
    /// The format's name.
    pub format: &'static str,
    /// A model, rather than an animation, a camera or tags alone.
    pub whole: bool,
}

/// Nothing could be shown.
pub struct Failure {
    pub error: Box<Diagnostic>,
    /// Everything that was found wrong on the way, the error included.
    pub report: Report,
}

/// Everything that could be shown, the likeliest first: whole models, then animations and cameras on their own.
pub fn candidates(bundle: &Bundle) -> Vec<Candidate> {
    let mut ranked: Vec<(usize, Candidate)> = Vec::new();
    let players = quake3::players(bundle);
    for path in bundle.paths() {
        if valve::is_script(path) {
            ranked.push((1, Candidate { path: path.to_string(), format: valve::SCRIPT, whole: true }));
            continue;
        }
        let Some(format) = format_of(bundle, path) else { continue };
        let mut shown = format.name;
        let rank = match format.name {
            name if name == md5::MESH.name => 2,
            name if name == md3::MD3.name => {
                if quake3::belongs_to_another(bundle, path) {
                    continue;
                }
                if players.iter().any(|player| player.path() == path) {
                    shown = quake3::PLAYER;
                    1
                } else if quake3::is_hand(path) {
                    5
                } else {
                    3
                }
            }
            name if name == format::smd::SMD.name => match bundle.read(path) {
                Some(bytes) if format::smd::has_triangles(&bytes) => 4,
                _ => 5,
            },
            name if name == md5::ANIM.name => 5,
            name if name == md5::CAMERA.name => 6,
            // Nothing to see without a mesh, but worth saying so.
            name if name == format::smd::VTA.name => 7,
            _ => continue,
        };
        ranked.push((rank, Candidate { path: path.to_string(), format: shown, whole: rank <= 4 }));
    }
    let place = |(rank, candidate): &(usize, Candidate)| (*rank, *rank == 4 && smd::is_stand_in(&candidate.path));
    sort::by(&mut ranked, |a, b| place(a).cmp(&place(b)));
    ranked.into_iter().map(|(_, candidate)| candidate).collect()
}

/// The format of a file in the bundle. What has a known extension is not read for it; nor, in an archive, what has any: archives
/// stay packed, and their sounds, maps and images untouched.
pub fn format_of(bundle: &Bundle, path: &str) -> Option<&'static format::Format> {
    let extension = bundle::extension(path);
    let named = format::ALL.iter().find(|format| format.extensions.contains(&extension.as_str()));
    let is_told_by_content = extension.is_empty() || bundle.archive_of(path).is_none();
    named.or_else(|| is_told_by_content.then(|| format::guess(path, &bundle.read(path)?)).flatten())
}

/// Opens one file as the main one, or the best candidate that can be shown.
pub fn open(bundle: &Bundle, path: Option<&str>) -> std::result::Result<Figure, Failure> {
    let mut report = Report::default();
    let result = match path {
        Some(path) => {
            open_path(bundle, path, false, &mut report).map(|figure| Figure { path: path.to_string(), ..figure })
        }
        None => open_best(bundle, &mut report),
    };
    match result {
        Ok(mut figure) => {
            dress::dress_figure(&mut figure, bundle, &mut report);
            report.append("", bundle.report());
            figure.report = report;
            figure.update();
            Ok(figure)
        }
        Err(error) => {
            report.push(error.clone());
            report.append("", bundle.report());
            Err(Failure { error, report })
        }
    }
}

fn open_best(bundle: &Bundle, report: &mut Report) -> Result<Figure> {
    let mut errors = Vec::new();
    for candidate in candidates(bundle) {
        match open_path(bundle, &candidate.path, true, report) {
            Ok(figure) => {
                errors.into_iter().for_each(|error| report.push(error));
                return Ok(Figure { path: candidate.path, ..figure });
            }
            // A folder of thousands of broken files is told of as far as the report goes.
            Err(error) if errors.len() <= Report::LIMIT => errors.push(error),
            Err(_) => {}
        }
    }
    let mut errors = errors.into_iter();
    let first = errors.next().unwrap_or_else(|| nothing_to_show(bundle));
    errors.for_each(|error| report.push(error));
    Err(first)
}

fn nothing_to_show(bundle: &Bundle) -> Box<Diagnostic> {
    let is_foreign = |path: &&str| format::foreign::EXTENSIONS.contains(&bundle::extension(path).as_str());
    let refusal = |path: &str| Some(format::foreign::refuse(&bundle.read(path)?)?.in_file(path));
    if let Some(refusal) = bundle.paths().filter(is_foreign).find_map(refusal) {
        return refusal;
    }
    let formats = format::ALL.iter().flat_map(|format| format.extensions);
    let extensions: Vec<_> = formats.chain(&["qc", "pk3", "pk4", "zip", "pak"]).map(|e| format!(".{e}")).collect();
    let mut paths: Vec<_> = bundle.paths().take(4).collect();
    if paths.len() == 4 {
        paths[3] = "…";
    }
    let found = if paths.is_empty() { "no files".to_string() } else { paths.join(", ") };
    let nothing = Diagnostic::error(At::File, format!("a model ({})", extensions.join(" ")), found);
    let is_cfg = |path: &str| bundle::key(bundle::file_name(path)) == "animation.cfg";
    match bundle.paths().any(is_cfg) {
        true => nothing.engine("Quake III's animation.cfg moves the lower.md3 and upper.md3 that lie beside it."),
        false => nothing,
    }
}

/// Opens a file. With `together`, what was dropped with it and is part of the same body stands beside it.
fn open_path(bundle: &Bundle, path: &str, together: bool, report: &mut Report) -> Result<Figure> {
    let path = bundle.find(path).ok_or_else(|| Diagnostic::error(At::File, "a dropped file", "none").in_file(path))?;
    let bytes = bundle.read(path).ok_or_else(|| Diagnostic::error(At::File, "a file", "none").in_file(path))?;
    if valve::is_script(path) {
        return valve::open_script(bundle, path, report);
    }
    let format = format::guess(path, &bytes).ok_or_else(|| match format::foreign::refuse(&bytes) {
        Some(refusal) => refusal.in_file(path),
        None => nothing_to_show(bundle).in_file(path),
    })?;
    let figure = |model: Model| -> Result<Figure> {
        model::check::check(&model).map_err(|error| error.in_file(path))?;
        let name = model.name.clone();
        Ok(Figure::new(&name, format.name, vec![Part::new("", vec![model], None)], Report::default()))
    };
    if format.name == md3::MD3.name {
        return quake3::open(bundle, path, report);
    }
    if format.name == format::smd::SMD.name || format.name == format::smd::VTA.name {
        return valve::open_smd(bundle, path, together, report);
    }
    match format::read(format, path, &bytes, report)? {
        Content::Model(mut model) => {
            model::finish::finish(&mut model);
            if format.name == md5::MESH.name {
                bind_md5_animations(bundle, path, &mut model, report);
                model.cameras = cameras(bundle, report);
            }
            figure(model)
        }
        Content::Animation(animation) => figure(skeleton_alone(animation)),
        Content::Camera(camera) => {
            figure(Model { name: camera.name.clone(), cameras: vec![camera], ..Model::default() })
        }
        // .smd and .vta went their own way above.
        Content::Shapes(_) => Err(nothing_to_show(bundle)),
    }
}

/// An animation without its mesh still shows how the skeleton moves.
fn skeleton_alone(animation: Animation) -> Model {
    Model {
        name: animation.clip.name.clone(),
        skeleton: animation.skeleton,
        clips: vec![animation.clip],
        info: animation.info,
        ..Model::default()
    }
}

/// Binds every .md5anim to the mesh. One that fits another mesh of the bundle is passed over in silence: a folder with
/// several models is no fault of this one.
fn bind_md5_animations(bundle: &Bundle, mesh_path: &str, model: &mut Model, report: &mut Report) {
    let mut others: Option<Vec<Skeleton>> = None;
    for path in bundle.paths().filter(|path| is(bundle, path, &md5::ANIM)) {
        let Some(bytes) = bundle.read(path) else { continue };
        let mut findings = Report::default();
        let animation = match format::read(&md5::ANIM, path, &bytes, &mut findings) {
            Ok(Content::Animation(animation)) => animation,
            Ok(_) => continue,
            Err(error) => {
                report.append(path, findings);
                report.push(error);
                continue;
            }
        };
        match bind::bind_md5(&model.skeleton, &animation) {
            Ok(clip) => {
                report.append(path, findings);
                let clip = model::Clip { name: free_name(&model.clips, path), ..clip };
                model.clips.push(clip);
            }
            Err(error) => {
                let others = others.get_or_insert_with(|| other_skeletons(bundle, mesh_path));
                if !others.iter().any(|skeleton| bind::bind_md5(skeleton, &animation).is_ok()) {
                    report.append(path, findings);
                    report.push(error.in_file(path));
                }
            }
        }
    }
}

/// A name for a clip of this file that no other clip has: its stem, or as much of its path as tells them apart.
fn free_name(clips: &[model::Clip], path: &str) -> String {
    let stem = bundle::stem(path);
    let starts = path.match_indices(['/', '\\']).map(|(slash, _)| slash + 1).collect::<Vec<_>>().into_iter().rev();
    let longer = starts.map(|start| &path[start..path.len() - (bundle::file_name(path).len() - stem.len())]);
    let mut names = std::iter::once(stem).chain(longer.skip(1)).chain([path]);
    names.find(|name| !clips.iter().any(|clip| clip.name == *name)).unwrap_or(path).to_string()
}

fn other_skeletons(bundle: &Bundle, mesh_path: &str) -> Vec<Skeleton> {
    let others = bundle.paths().filter(|path| *path != mesh_path && is(bundle, path, &md5::MESH));
    let read = |path: &str| match format::read(&md5::MESH, path, &bundle.read(path)?, &mut Report::default()) {
        Ok(Content::Model(model)) => Some(model.skeleton),
        _ => None,
    };
    others.filter_map(read).collect()
}

fn cameras(bundle: &Bundle, report: &mut Report) -> Vec<Camera> {
    let mut cameras = Vec::new();
    for path in bundle.paths().filter(|path| is(bundle, path, &md5::CAMERA)) {
        let Some(bytes) = bundle.read(path) else { continue };
        match format::read(&md5::CAMERA, path, &bytes, report) {
            Ok(Content::Camera(camera)) => cameras.push(camera),
            Ok(_) => {}
            Err(error) => report.push(error),
        }
    }
    cameras
}

fn is(bundle: &Bundle, path: &str, format: &format::Format) -> bool {
    format_of(bundle, path).is_some_and(|found| found.name == format.name)
}
