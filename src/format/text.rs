//! A text file from front to back: blanks, words, numbers and lines, with line and column worked out only when something is wrong.

use crate::report::{At, Diagnostic};

/// A cursor over a text file.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Text<'a> {
    /// Starts after the byte order mark, if there is one.
    pub fn new(bytes: &'a [u8]) -> Self {
        let at = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        Self { bytes, at }
    }

    /// Offset of the next byte.
    pub fn offset(&self) -> usize {
        self.at
    }

    pub fn seek(&mut self, offset: usize) {
        self.at = offset.min(self.bytes.len());
    }

    /// The bytes not yet read.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    pub fn advance(&mut self, count: usize) {
        self.at = (self.at + count).min(self.bytes.len());
    }

    /// Line and column of the next byte.
    pub fn here(&self) -> At {
        self.locate(self.at)
    }

    /// Line and column of a byte, both from 1. Counts the lines before it, so it is for errors only.
    pub fn locate(&self, offset: usize) -> At {
        let before = &self.bytes[..offset.min(self.bytes.len())];
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let line = before.iter().filter(|&&byte| byte == b'\n').count() as u32 + 1;
        let mark = if line == 1 && self.bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        At::Text { line, column: (before.len() - line_start).saturating_sub(mark) as u32 + 1 }
    }

    /// What stands at the next byte, as a phrase for an error: the rest of the word in back quotes, or the end of the file.
    pub fn found(&self) -> String {
        if self.is_at_end() {
            return "end of file".to_string();
        }
        let rest = self.rest();
        let length = rest.iter().position(|byte| byte.is_ascii_whitespace()).unwrap_or(rest.len()).clamp(1, 40);
        format!("`{}`", super::bytes::decode(&rest[..length]))
    }

    /// An error at the next byte.
    pub fn expected(&self, expected: impl Into<std::borrow::Cow<'static, str>>) -> Box<Diagnostic> {
        Diagnostic::error(self.here(), expected, self.found())
    }
}
