//! Files that are known but not read: in come the first bytes, out comes what they are, so that the refusal can name it.

use crate::report::{At, Diagnostic};

/// Of the files that are known so, in lower case, without the dot.
pub const EXTENSIONS: &[&str] = &["md2", "mdl", "mdr", "mdc", "iqm"];

/// The refusal of a file whose signature is another format's; `None` where the bytes say nothing.
pub fn refuse(bytes: &[u8]) -> Option<Box<Diagnostic>> {
    let number = |at: usize| bytes.get(at..at + 4).map(|four| i32::from_le_bytes([four[0], four[1], four[2], four[3]]));
    let versioned = |name: &str, at: usize| match number(at) {
        Some(version) => format!("{name}, version {version}"),
        None => name.to_string(),
    };
    let found = match bytes {
        [b'I', b'D', b'P', b'2', ..] => versioned("an MD2 model (Quake II)", 4),
        [b'I', b'D', b'P', b'O', ..] => versioned("an MDL model (Quake)", 4),
        [b'I', b'D', b'S', b'T', ..] => versioned("a compiled MDL model (Half-Life or Source)", 4),
        [b'I', b'D', b'S', b'Q', ..] => versioned("a sequence group of an MDL model (Half-Life)", 4),
        [b'R', b'D', b'M', b'5', ..] => versioned("an MDR model (Raven)", 4),
        [b'I', b'D', b'P', b'C', ..] => versioned("an MDC model (Return to Castle Wolfenstein)", 4),
        _ if bytes.starts_with(b"INTERQUAKEMODEL\0") => versioned("an IQM model", 16),
        _ => return None,
    };
    let expected = match bytes {
        [b'I', b'D', b'S', b'T', ..] => "the .smd and .qc files that a decompiler makes of a compiled model",
        _ => "a format that is read here",
    };
    Some(Diagnostic::error(At::Byte(0), expected, found))
}
