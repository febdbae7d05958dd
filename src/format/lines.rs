//! The lines of Valve's text formats: in comes a text, out come trimmed lines, their fields and numbers.

use super::text::Text;
use crate::format::bytes::decode;
use crate::report::{At, Diagnostic};

/// A cursor over lines. It is cheap to copy, to look ahead.
#[derive(Clone, Copy)]
pub struct Lines<'a> {
    rest: &'a [u8],
    /// Lines given out so far.
    number: u32,
}

/// A line without the blanks at its ends. GoldSrc takes off whatever is not a printed character; it compares `end` before that,
/// though, so that an `end` with a carriage return becomes the name of a material there.
#[derive(Clone, Copy)]
pub struct Line<'a> {
    /// From 1.
    pub number: u32,
    /// Of the first byte of `text`, from 1.
    pub column: u32,
    pub text: &'a [u8],
}

impl<'a> Lines<'a> {
    /// Starts after the byte order mark, if there is one.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes), number: 0 }
    }

    /// How many bytes have not been given out.
    pub fn bytes_left(&self) -> usize {
        self.rest.len()
    }

    /// The place after the last line, for errors about the end of the file.
    pub fn end(&self) -> At {
        At::Text { line: self.number.max(1), column: 1 }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        self.number += 1;
        let (line, rest) = match memchr::memchr(b'\n', self.rest) {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &self.rest[self.rest.len()..]),
        };
        self.rest = rest;
        let text = trim_start(line);
        let column = (line.len() - text.len()) as u32 + 1;
        Some(Line { number: self.number, column, text: trim_end(text) })
    }
}

#[inline(always)]
fn is_blank(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7F
}

pub fn trim_start(text: &[u8]) -> &[u8] {
    &text[text.iter().position(|&byte| !is_blank(byte)).unwrap_or(text.len())..]
}

pub fn trim_end(text: &[u8]) -> &[u8] {
    &text[..text.iter().rposition(|&byte| !is_blank(byte)).map_or(0, |last| last + 1)]
}

impl<'a> Line<'a> {
    pub fn fields(&self) -> Fields<'a> {
        Fields::new(self.text)
    }

    /// The place of a part of this line.
    pub fn at(&self, part: &[u8]) -> At {
        let offset = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize).min(self.text.len());
        At::Text { line: self.number, column: self.column + offset as u32 }
    }

    /// An error about a part of this line.
    pub fn error(&self, part: &[u8], expected: impl Into<std::borrow::Cow<'static, str>>) -> Box<Diagnostic> {
        Diagnostic::error(self.at(part), expected, quote(part))
    }

    pub fn is_comment(&self) -> bool {
        self.text.starts_with(b"//") || matches!(self.text.first(), Some(b'#' | b';'))
    }

    /// Whether the line closes a block.
    pub fn is_end(&self) -> bool {
        self.text == b"end"
    }
}

/// Words between blanks.
#[derive(Clone, Copy)]
pub struct Fields<'a> {
    text: Text<'a>,
}

impl<'a> Fields<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Self { text: Text::new(text) }
    }

    /// The next word; empty, and standing at the line's end, where there is none.
    pub fn word(&mut self) -> &'a [u8] {
        self.text.take_while(is_blank);
        self.text.take_while(|byte| !is_blank(byte))
    }

    /// What follows the words given out so far, trimmed.
    pub fn rest(&self) -> &'a [u8] {
        trim_end(trim_start(self.text.rest()))
    }

    /// The next word as a whole number. The error is the word.
    #[inline(always)]
    pub fn int(&mut self) -> Result<i64, &'a [u8]> {
        let (start, is_negative) = self.sign();
        match self.text.integer().and_then(|value| i64::try_from(value).ok()) {
            Some(value) if self.is_at_blank() => Ok(if is_negative { -value } else { value }),
            _ => Err(self.word_from(start)),
        }
    }

    /// The next word as a finite decimal number. The error is the word.
    #[inline(always)]
    pub fn float(&mut self) -> Result<f32, &'a [u8]> {
        if cfg!(feature = "fast") {
            let mut text = self.text;
            while text.peek().is_some_and(is_blank) {
                text.advance(1);
            }
            let is_negative = text.take(b'-');
            if let Some((value, behind)) = text.common_decimal()
                && is_blank(behind)
            {
                self.text = text;
                // Every other coordinate has a minus, and no processor foresees which: there is no branch on it.
                return Ok(f32::from_bits(value.to_bits() ^ u32::from(is_negative) << 31));
            }
        }
        let (start, is_negative) = self.sign();
        match self.text.decimal() {
            Some(value) if value.is_finite() && self.is_at_blank() => Ok(if is_negative { -value } else { value }),
            _ => Err(self.word_from(start)),
        }
    }

    /// The loop is over a copy, which has the offset in a register: on models, that is worth a seventh of the time.
    pub fn floats<const N: usize>(&mut self) -> Result<[f32; N], &'a [u8]> {
        let mut fields = *self;
        let mut values = [0.0; N];
        for value in &mut values {
            match fields.float() {
                Ok(read) => *value = read,
                Err(word) => {
                    *self = fields;
                    return Err(word);
                }
            }
        }
        *self = fields;
        Ok(values)
    }

    /// Skips blanks and reads a sign: where the word begins, and whether it is a minus.
    #[inline(always)]
    fn sign(&mut self) -> (Text<'a>, bool) {
        while self.text.peek().is_some_and(is_blank) {
            self.text.advance(1);
        }
        let start = self.text;
        let is_negative = self.text.take(b'-');
        if !is_negative {
            self.text.take(b'+');
        }
        (start, is_negative)
    }

    #[inline(always)]
    fn is_at_blank(&self) -> bool {
        self.text.peek().is_none_or(is_blank)
    }

    /// What turned out to be no number.
    #[inline(always)]
    fn word_from(&mut self, start: Text<'a>) -> &'a [u8] {
        let (word, after) = word_at(start);
        self.text = after;
        word
    }
}

/// The word at a place, and what is after it.
#[cold]
#[inline(never)]
fn word_at(mut text: Text<'_>) -> (&[u8], Text<'_>) {
    (text.take_while(|byte| !is_blank(byte)), text)
}

/// A piece of a file as a phrase for an error.
pub fn quote(text: &[u8]) -> String {
    match text {
        [] => "end of line".to_string(),
        _ if text.len() > 60 => format!("`{}…`", decode(&text[..60])),
        _ => format!("`{}`", decode(text)),
    }
}

/// A list of names as a phrase, not endless.
pub fn names<'a>(names: impl Iterator<Item = &'a String>) -> String {
    let mut list: Vec<String> = names.take(9).map(|name| format!("`{name}`")).collect();
    if list.len() == 9 {
        list[8] = "…".to_string();
    }
    list.join(", ")
}

/// A word that is a whole number.
pub fn parse_int(word: &[u8]) -> Option<i64> {
    Fields::new(word).int().ok()
}

/// A word that is a finite decimal number.
pub fn parse_float(word: &[u8]) -> Option<f32> {
    Fields::new(word).float().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_trimmed_and_counted() {
        let lines: Vec<_> =
            Lines::new(b"\xEF\xBB\xBFa b \t\r\n\n  end").map(|l| (l.number, l.column, l.text)).collect();
        assert_eq!(lines, [(1, 1, &b"a b"[..]), (2, 1, b""), (3, 3, b"end")]);
    }

    #[test]
    fn a_part_of_a_line_knows_its_column() {
        let line = Lines::new(b"  ab cd").next().unwrap();
        let mut fields = line.fields();
        fields.word();
        let second = fields.word();
        assert_eq!(line.at(second), At::Text { line: 1, column: 6 });
        assert_eq!(line.at(fields.word()), At::Text { line: 1, column: 8 });
    }

    #[test]
    fn numbers_fill_their_words() {
        for text in ["0", "-0.000001", "1.", ".5", "123456.789012", "-3.141593", "0.333333333333333", "-1.5e-3"] {
            assert_eq!(parse_float(text.as_bytes()), text.parse().ok(), "{text}");
        }
        assert_eq!(parse_float(b"+2"), Some(2.0));
        for text in ["", ".", "-", "--1", "1.#IND", "nan", "inf", "1e99", "1,5", "1.2.3", "0x10"] {
            assert_eq!(parse_float(text.as_bytes()), None, "{text}");
        }
        assert_eq!(parse_int(b"-12"), Some(-12));
        for text in ["", "-", "1.5", "1a", "9223372036854775808", "99999999999999999999"] {
            assert_eq!(parse_int(text.as_bytes()), None, "{text}");
        }
    }
}
