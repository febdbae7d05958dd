//! The words of a script with braces: in comes its text, out come words, across lines or on one line only.
//!
//! As the games cut them (Quake III: COM_ParseExt in q_shared.c): words end at blanks, `"…"` is one word, `//` and `/* */` begin
//! comments where a word could begin. Doom 3 also ends words at some marks, which then stand for themselves.

use crate::number;
use crate::report::{At, Diagnostic};

/// A place in a script. Cheap to copy, to look ahead.
#[derive(Clone, Copy)]
pub struct Words<'a> {
    text: &'a str,
    at: usize,
    /// Characters that are words of their own, all ASCII.
    marks: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// Without the quotes.
    pub text: &'a str,
    /// Offset of its first byte.
    pub at: usize,
    pub is_quoted: bool,
}

impl Word<'_> {
    pub fn is(&self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }

    /// Whether it is this brace, and not a name that happens to be one.
    pub fn is_mark(&self, mark: &str) -> bool {
        !self.is_quoted && self.text == mark
    }
}

impl<'a> Words<'a> {
    pub fn new(text: &'a str, marks: &'static str) -> Self {
        Self { text, at: 0, marks }
    }

    /// Offset of what is read next.
    pub fn at(&self) -> usize {
        self.at
    }

    pub fn seek(&mut self, at: usize) {
        self.at = at;
    }

    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next word, on whichever line.
    pub fn next_word(&mut self) -> Option<Word<'a>> {
        self.skip_blanks(true);
        self.word()
    }

    /// The next word of this line; `None` at its end or before a brace, which is then still to be read. (Quake III would take a
    /// brace for a word here; scripts with a whole block on one line mean it as a brace.)
    pub fn on_line(&mut self) -> Option<Word<'a>> {
        let mut ahead = *self;
        if ahead.skip_blanks(false) {
            return None;
        }
        let word = ahead.word().filter(|word| !word.is_mark("{") && !word.is_mark("}"))?;
        *self = ahead;
        Some(word)
    }

    /// The next word of this line as a number; what a number begins with counts, as in C's atof, and anything else is 0.
    pub fn number_on_line(&mut self) -> Option<f32> {
        self.on_line().map(|word| number(word.text))
    }

    /// Skips the words of this line up to its end or a brace.
    pub fn skip_arguments(&mut self) {
        while self.on_line().is_some() {}
    }

    /// Moves behind the brace that closes the block whose `{` was just read. False where there is none: then the text is at
    /// its end.
    pub fn skip_block(&mut self) -> bool {
        let mut depth = 1;
        while let Some(word) = self.next_word() {
            if word.is_mark("{") {
                depth += 1;
            } else if word.is_mark("}") {
                depth -= 1;
                if depth == 0 {
                    return true;
                }
            }
        }
        false
    }

    /// Line and column of a byte, from 1. Counts the lines, so for reports only.
    pub fn locate(&self, at: usize) -> At {
        locate(self.text, at)
    }

    pub fn warning(&self, at: usize, expected: &'static str, found: impl Into<String>) -> Box<Diagnostic> {
        Diagnostic::warning(self.locate(at), expected, found)
    }

    /// Skips blanks and comments. Stops at the end of the line, and says so, unless `across` lines.
    fn skip_blanks(&mut self, across: bool) -> bool {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(b'\n') if !across => return true,
                Some(0..=b' ') => self.at += 1,
                Some(b'/') if bytes.get(self.at + 1) == Some(&b'/') => {
                    self.at += self.rest().find('\n').unwrap_or(self.rest().len());
                }
                Some(b'/') if bytes.get(self.at + 1) == Some(&b'*') => {
                    let rest = &self.text[self.at + 2..];
                    self.at += 2 + rest.find("*/").map_or(rest.len(), |end| end + 2);
                }
                Some(_) => return false,
                None => return true,
            }
        }
    }

    fn word(&mut self) -> Option<Word<'a>> {
        let at = self.at;
        let rest = self.rest();
        if let Some(inside) = rest.strip_prefix('"') {
            let end = inside.find('"').unwrap_or(inside.len());
            self.at = (at + end + 2).min(self.text.len());
            return Some(Word { text: &inside[..end], at, is_quoted: true });
        }
        let is_end = |&byte: &u8| byte <= b' ' || (!self.marks.is_empty() && (byte == b'"' || self.is_mark(byte)));
        let length = match *rest.as_bytes().first()? {
            first if self.is_mark(first) => 1,
            _ => rest.bytes().position(|byte| is_end(&byte)).unwrap_or(rest.len()),
        };
        self.at += length;
        Some(Word { text: &rest[..length], at, is_quoted: false })
    }

    fn is_mark(&self, byte: u8) -> bool {
        self.marks.as_bytes().contains(&byte)
    }
}

/// Line and column of a byte, from 1.
pub fn locate(text: &str, at: usize) -> At {
    let before = &text.as_bytes()[..at.min(text.len())];
    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    At::Text { line: line as u32, column: (before.len() - line_start) as u32 + 1 }
}

/// The number that a word begins with, as C's atof reads it; 0 for none, and for what is not finite.
pub fn number(word: &str) -> f32 {
    let number = number::leading(word.as_bytes()).map(|(number, _)| number.f32());
    number.filter(|number| number.is_finite()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, marks: &'static str) -> Vec<String> {
        let mut words = Words::new(text, marks);
        std::iter::from_fn(|| words.next_word()).map(|word| word.text.to_string()).collect()
    }

    #[test]
    fn words_end_at_blanks_and_marks() {
        assert_eq!(all("a//b {c} \"d e\"f // g\n/* h\n*/ i", ""), ["a//b", "{c}", "d e", "f", "i"]);
        assert_eq!(all("map add(a,b){}", "{}(),"), ["map", "add", "(", "a", ",", "b", ")", "{", "}"]);
        assert_eq!(all("\"open", ""), ["open"]);
        assert_eq!(all("/* open", ""), [""; 0]);
        assert_eq!(all("\"", ""), [""]);
    }

    #[test]
    fn a_line_ends_where_it_ends() {
        let mut words = Words::new("a b // c\nd", "");
        assert_eq!(words.on_line().map(|word| word.text), Some("a"));
        assert_eq!(words.on_line().map(|word| word.text), Some("b"));
        assert_eq!(words.on_line(), None);
        assert_eq!(words.on_line(), None);
        assert_eq!(words.next_word().map(|word| (word.text, word.at)), Some(("d", 9)));
        assert_eq!(words.locate(9), At::Text { line: 2, column: 1 });
        let mut words = Words::new("a \"}\" }", "");
        words.skip_arguments();
        assert_eq!(words.rest(), " }");
    }

    #[test]
    fn numbers_are_what_the_word_begins_with() {
        let read = ["1.5", "-.5x", "+2e1", "1e", "sin", "", "-", "1e99", ".", "3,4"].map(number);
        assert_eq!(read, [1.5, -0.5, 20.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0]);
    }

    #[test]
    fn blocks_nest() {
        let mut words = Words::new("a { b } \"}\" } c", "");
        assert!(words.skip_block());
        assert_eq!(words.next_word().map(|word| word.text), Some("c"));
        assert!(!words.skip_block());
    }
}
