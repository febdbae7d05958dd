//! Quake III's .skin files as they stand, line by line, beside what the game makes of them word by word
//! (ioq3 code/renderergl1/tr_image.c, RE_RegisterSkin and CommaParse).

use crate::bundle::{decode, file_name};
use crate::open::quake3::PARTS;

/// A skin of one part.
pub struct Skin {
    pub path: String,
    /// `lower`, `upper` or `head`.
    pub part: String,
    pub lines: Vec<Line>,
}

/// A line that says something.
pub struct Line {
    /// From 1.
    pub number: u32,
    /// What stands before the first comma, blanks at its ends and all.
    pub surface: String,
    /// What stands behind it; `None` where there is no comma.
    pub shader: Option<String>,
}

impl Line {
    /// The game passes over these before it reads a shader.
    pub fn is_tag(&self) -> bool {
        self.surface.contains("tag_")
    }

    pub fn surface_name(&self) -> String {
        self.surface.trim_matches(|c: char| c <= ' ' || c == '"').to_lowercase()
    }

    pub fn shader_name(&self) -> &str {
        self.shader.as_deref().unwrap_or_default().trim_matches(|c: char| c <= ' ' || c == '"')
    }
}

/// The part of a player that a skin dresses, by its name; empty where it says none.
pub fn part(path: &str) -> &'static str {
    let name = file_name(path).to_lowercase();
    PARTS.into_iter().find(|part| name.starts_with(&format!("{part}_"))).unwrap_or_default()
}

pub fn read(path: &str, part: &str, bytes: &[u8]) -> Skin {
    let text = decode(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes));
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.trim().is_empty() || line.trim_start().starts_with("//") {
            continue;
        }
        let (surface, shader) = match line.split_once(',') {
            Some((surface, shader)) => (surface, Some(shader.to_string())),
            None => (line, None),
        };
        lines.push(Line { number, surface: surface.trim_start().to_string(), shader });
    }
    Skin { path: path.to_string(), part: part.to_string(), lines }
}
