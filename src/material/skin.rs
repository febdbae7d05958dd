//! Quake III's .skin files. In comes the text, out come the shaders that surfaces wear.
//!
//! The game (ioq3 code/renderergl1/tr_image.c, RE_RegisterSkin) lets an entry without a shader swallow the next line and breaks
//! at blanks. Files with those are about, so here each line stands for itself.

use crate::bundle;
use crate::report::{At, Diagnostic, Report};

/// One line: a surface's name in lower case, as models have it after loading, and its shader as the file spells it (may be
/// empty: the default).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkinEntry {
    pub surface: String,
    pub shader: String,
}

/// Reads the file: per line, split at the first comma, blanks and quotes around either side cut. Lines for `tag_…` are skipped,
/// as in the game. Of two lines for one surface the game takes the first; both are returned in order.
pub fn read(bytes: &[u8], report: &mut Report) -> Vec<SkinEntry> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = String::from_utf8_lossy(bytes);
    let mut entries = Vec::new();
    let mut in_comment = false;
    for (number, line) in text.split('\n').enumerate() {
        let line = without_comments(line, &mut in_comment);
        let line = line.trim_matches(is_blank);
        if line.is_empty() {
            continue;
        }
        let (surface, shader) = match line.split_once(',') {
            Some((surface, shader)) => (bare(surface), bare(shader)),
            None => (bare(line), ""),
        };
        let surface = bundle::lower(surface);
        if surface.contains("tag_") {
            continue;
        }
        if !line.contains(',') || surface.is_empty() {
            let at = At::Text { line: number as u32 + 1, column: 1 };
            let found = format!("`{}`", line.chars().take(60).collect::<String>());
            report.push(
                Diagnostic::warning(at, "`surface,shader`", found)
                    .engine("Quake III takes what comes next for the shader"),
            );
            continue;
        }
        entries.push(SkinEntry { surface, shader: shader.to_string() });
    }
    entries
}

/// What the game takes for a blank: every control character too, the CR of a DOS line end among them.
fn is_blank(character: char) -> bool {
    character <= ' '
}

fn bare(part: &str) -> &str {
    part.trim_matches(|character| is_blank(character) || character == '"')
}

/// The line less its comments, which start at the line's beginning or after a blank or comma: paths may hold `//`.
fn without_comments(line: &str, in_comment: &mut bool) -> String {
    let mut kept = String::with_capacity(line.len());
    let mut rest = line;
    loop {
        if *in_comment {
            match rest.find("*/") {
                Some(end) => rest = &rest[end + 2..],
                None => return kept,
            }
            *in_comment = false;
        }
        let may_start =
            |at: usize| rest[..at].chars().next_back().is_none_or(|before| is_blank(before) || before == ',');
        let start = rest
            .match_indices('/')
            .map(|(at, _)| at)
            .find(|&at| may_start(at) && matches!(rest.as_bytes().get(at + 1), Some(b'/' | b'*')));
        let Some(start) = start else {
            kept.push_str(rest);
            return kept;
        };
        kept.push_str(&rest[..start]);
        if rest.as_bytes()[start + 1] == b'/' {
            return kept;
        }
        *in_comment = true;
        rest = &rest[start + 2..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(text: &str) -> Vec<(String, String)> {
        let entries = read(text.as_bytes(), &mut Report::default());
        entries.into_iter().map(|entry| (entry.surface, entry.shader)).collect()
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(surface, shader)| (surface.to_string(), shader.to_string())).collect()
    }

    #[test]
    fn each_line_stands_for_itself() {
        let text =
            "tag_torso,\r\nL_Legs,models/players/x/Blue.tga\r\nu_torso,\r\nh_head , \"models/x/with blank.tga\" \r\n";
        let expected =
            [("l_legs", "models/players/x/Blue.tga"), ("u_torso", ""), ("h_head", "models/x/with blank.tga")];
        assert_eq!(entries(text), pairs(&expected));
    }

    #[test]
    fn comments_are_left_out_and_double_slashes_in_paths_are_not() {
        let text = "// head\na,models//x.tga // why\n/* b,no\nc,no */ d,yes /* e */\nf,g,h";
        assert_eq!(entries(text), pairs(&[("a", "models//x.tga"), ("d", "yes"), ("f", "g,h")]));
    }

    #[test]
    fn what_is_no_entry_is_reported_with_its_line() {
        let mut report = Report::default();
        assert!(read(b"\ntag_head\nbody models/x.tga", &mut report).is_empty());
        assert_eq!(
            report.to_string(),
            "warning: :3:1: expected `surface,shader`, found `body models/x.tga`\n  \
             Quake III takes what comes next for the shader\n"
        );
    }
}
