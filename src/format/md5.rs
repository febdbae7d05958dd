//! Doom 3's models: .md5mesh, .md5anim and .md5camera. In come their texts, out come models, animations and cameras.

use super::{Content, Format};
use crate::report::{At, Diagnostic, Report, Result};

pub const MESH: Format = Format { name: "MD5", extensions: &["md5mesh"], probe: |_| false, read };
pub const ANIM: Format = Format { name: "MD5 animation", extensions: &["md5anim"], probe: |_| false, read };
pub const CAMERA: Format = Format { name: "MD5 camera", extensions: &["md5camera"], probe: |_| false, read };

fn read(_bytes: &[u8], _report: &mut Report) -> Result<Content> {
    Err(Diagnostic::error(At::File, "a reader", "none yet"))
}
