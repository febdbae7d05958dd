//! The lines of Valve's text formats: in comes a text, out come trimmed lines, their fields and numbers.

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
        Fields { rest: self.text }
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
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    /// The next word; empty, and standing at the line's end, where there is none.
    pub fn word(&mut self) -> &'a [u8] {
        let start = trim_start(self.rest);
        let length = start.iter().position(|&byte| is_blank(byte)).unwrap_or(start.len());
        let (word, rest) = start.split_at(length);
        self.rest = rest;
        word
    }

    /// What follows the words given out so far, trimmed.
    pub fn rest(&self) -> &'a [u8] {
        trim_end(trim_start(self.rest))
    }

    /// The next word as a whole number. The error is the word.
    pub fn int(&mut self) -> Result<i64, &'a [u8]> {
        let word = self.word();
        parse_int(word).ok_or(word)
    }

    /// The next word as a finite number. The error is the word.
    pub fn float(&mut self) -> Result<f32, &'a [u8]> {
        let word = self.word();
        parse_float(word).ok_or(word)
    }

    pub fn floats<const N: usize>(&mut self) -> Result<[f32; N], &'a [u8]> {
        let mut values = [0.0; N];
        for value in &mut values {
            *value = self.float()?;
        }
        Ok(values)
    }
}

/// A piece of a file as a phrase for an error.
pub fn quote(text: &[u8]) -> String {
    match text {
        [] => "end of line".to_string(),
        _ if text.len() > 60 => format!("`{}…`", decode(&text[..60])),
        _ => format!("`{}`", decode(text)),
    }
}

pub fn parse_int(word: &[u8]) -> Option<i64> {
    let (negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    let mut value = 0_i64;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value * 10 + i64::from(digit - b'0');
    }
    Some(if negative { -value } else { value })
}

/// A finite decimal number, as C's `scanf` reads it.
pub fn parse_float(word: &[u8]) -> Option<f32> {
    parse_short_float(word).or_else(|| {
        let word = std::str::from_utf8(word).ok()?;
        word.parse::<f32>().ok().filter(|value| value.is_finite())
    })
}

/// Numbers as exporters write them, without exponent and with at most 15 digits: both halves of the division are exact in
/// f64, so the quotient is the nearest one. Five times as fast as the general way.
fn parse_short_float(word: &[u8]) -> Option<f32> {
    const POWERS: [f64; 16] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let (negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    // One of them may be the point.
    if digits.is_empty() || digits.len() > 17 {
        return None;
    }
    let mut value = 0_u64;
    let mut point = None;
    for (index, &byte) in digits.iter().enumerate() {
        match byte {
            b'0'..=b'9' => value = value * 10 + u64::from(byte - b'0'),
            b'.' if point.is_none() => point = Some(index),
            _ => return None,
        }
    }
    let decimals = point.map_or(0, |point| digits.len() - 1 - point);
    if value >= 1 << 53 || decimals >= POWERS.len() || (point.is_some() && digits.len() == 1) {
        return None;
    }
    let value = (value as f64 / POWERS[decimals]) as f32;
    Some(if negative { -value } else { value })
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
    fn short_numbers_agree_with_the_library() {
        for text in ["0", "-0.000001", "1.", ".5", "123456.789012", "-3.141593", "0.333333333333333", "999999999999999"]
        {
            assert_eq!(parse_short_float(text.as_bytes()), text.parse().ok(), "{text}");
            assert_eq!(parse_float(text.as_bytes()), text.parse().ok(), "{text}");
        }
        assert_eq!(parse_float(b"-1.5e-3"), Some(-0.0015));
        assert_eq!(parse_float(b"+2"), Some(2.0));
        for text in ["", ".", "-", "1.#IND", "nan", "inf", "1e99", "1,5", "1.2.3", "0x10"] {
            assert_eq!(parse_float(text.as_bytes()), None, "{text}");
        }
    }
}
