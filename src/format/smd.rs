//! Valve's model sources: .smd and .vta. In come their texts, out come models, animations and shapes.

use super::{Content, Format};
use crate::report::{At, Diagnostic, Report, Result};

pub const SMD: Format = Format { name: "SMD", extensions: &["smd"], probe: |_| false, read };
pub const VTA: Format = Format { name: "VTA", extensions: &["vta"], probe: |_| false, read };

/// What a .vta holds: shapes, by the vertices of its own first frame.
pub struct Shapes {}

fn read(_bytes: &[u8], _report: &mut Report) -> Result<Content> {
    Err(Diagnostic::error(At::File, "a reader", "none yet"))
}

/// Whether the file holds a mesh; without one it is an animation.
pub fn has_triangles(bytes: &[u8]) -> bool {
    bytes.split(|&byte| byte == b'\n').any(|line| line.trim_ascii().eq_ignore_ascii_case(b"triangles"))
}
