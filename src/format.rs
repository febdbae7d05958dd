//! The formats that can be read: one row each. In come a file's bytes, out comes what it holds.

pub mod animation_cfg;
pub mod bytes;
pub mod foreign;
pub mod lines;
pub mod md3;
pub mod md5;
pub mod qc;
pub mod smd;
pub mod text;

use crate::bundle;
use crate::model::{Camera, Clip, Model, Skeleton};
use crate::report::{Report, Result};

/// One kind of file.
pub struct Format {
    /// As the page and `Model.format` show it.
    pub name: &'static str,
    /// In lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// Whether the first bytes are surely of this kind. Text formats without a signature look at their first word.
    pub probe: fn(&[u8]) -> bool,
    /// Reads the whole file. What could be mended or left out goes to the report; an error means that nothing can be shown.
    pub read: fn(&[u8], &mut Report) -> Result<Content>,
}

/// What a file holds. Names and sources are filled by [`read`], which knows the path.
pub enum Content {
    Model(Model),
    Animation(Animation),
    Camera(Camera),
    Shapes(smd::Shapes),
}

/// A clip and the skeleton that it moves, before it is bound to a model.
#[derive(Clone, Debug)]
pub struct Animation {
    /// The joints in their base pose; `Clip::motion` has a transform for each.
    pub skeleton: Skeleton,
    pub clip: Clip,
    /// Joints without a pose of their own in any frame, rising: bound to a model, they keep its bind pose.
    pub unposed: Vec<usize>,
    /// Facts of the file, for `Model.info`.
    pub info: Vec<(String, crate::model::Info)>,
}

/// Every format, in the order in which they are tried.
pub const ALL: &[Format] = &[md5::MESH, md5::ANIM, md5::CAMERA, md3::MD3, smd::SMD, smd::VTA];

/// The format of a file: by its first bytes where they are clear, else by its extension.
pub fn guess(path: &str, bytes: &[u8]) -> Option<&'static Format> {
    let extension = bundle::extension(path);
    let by_extension = || ALL.iter().find(|format| format.extensions.contains(&extension.as_str()));
    // A text format's probe is weak: where extension and probe agree, that format it is.
    match by_extension() {
        Some(format) if (format.probe)(bytes) => Some(format),
        named => ALL.iter().find(|format| (format.probe)(bytes)).or(named),
    }
}

/// Reads one file as `format`, naming it in every finding and in what comes out.
pub fn read(format: &Format, path: &str, bytes: &[u8], report: &mut Report) -> Result<Content> {
    let mut findings = Report::default();
    let result = (format.read)(bytes, &mut findings);
    report.append(path, findings);
    let mut content = result.map_err(|error| error.in_file(path))?;
    let stem = bundle::stem(path).to_string();
    match &mut content {
        Content::Model(model) => {
            for clip in &mut model.clips {
                if clip.name.is_empty() {
                    clip.name.clone_from(&stem);
                }
                clip.source = path.to_string();
            }
            model.name = stem;
            model.path = path.to_string();
        }
        Content::Animation(animation) => {
            animation.clip.name = stem;
            animation.clip.source = path.to_string();
        }
        Content::Camera(camera) => {
            camera.name = stem;
            camera.source = path.to_string();
        }
        Content::Shapes(_) => {}
    }
    Ok(content)
}
