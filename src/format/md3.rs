//! Quake III's models. In come the bytes of an .md3, out comes a keyed model with its tags.

use super::{Content, Format};
use crate::report::{At, Diagnostic, Report, Result};

pub const MD3: Format = Format { name: "MD3", extensions: &["md3"], probe: |bytes| bytes.starts_with(b"IDP3"), read };

fn read(_bytes: &[u8], _report: &mut Report) -> Result<Content> {
    Err(Diagnostic::error(At::File, "a reader", "none yet"))
}
