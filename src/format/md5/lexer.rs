//! Doom 3's tokens, as its idLexer cuts them (neo/idlib/Lexer.cpp): in comes the text of an .md5 file, out come its words, numbers
//! and strings, or what Doom 3 would say instead.
//!
//! Line ends are blanks like others. So is every byte above 127 outside strings and comments: the game compares signed characters.
//! A NUL ends the file.

use std::borrow::Cow;

use crate::format::bytes::decode;
use crate::format::text::{Text, quoted};
use crate::report::{At, Diagnostic, Report, Result};

#[derive(Clone)]
pub struct Lexer<'a> {
    text: Text<'a>,
    /// Whether `"a" "b"` is one string: in .md5mesh it is, in .md5anim and .md5camera not.
    concatenates: bool,
    /// Where the first number stands that Doom 3 would not take, such as `+1` or `1E2`.
    foreign_number: Option<usize>,
}

/// A place in the file, by its offset.
#[derive(Clone, Copy)]
pub struct Place(usize);

impl<'a> Lexer<'a> {
    pub fn new(file: &'a [u8], concatenates: bool) -> Self {
        Self { text: Text::new(file), concatenates, foreign_number: None }
    }

    /// Bytes not yet read.
    pub fn left(&self) -> usize {
        self.text.left()
    }

    pub fn file_size(&self) -> usize {
        self.text.offset() + self.text.left()
    }

    /// Where the next token stands: what an error about it will need, at no cost.
    #[inline]
    pub fn place(&mut self) -> Place {
        self.skip_blanks();
        Place(self.text.offset())
    }

    /// Line and column of a place. Counts the lines before it, so it is for errors only.
    pub fn locate(&self, place: Place) -> At {
        self.text.locate(place.0)
    }

    /// Line and column of the next token, for errors.
    pub fn here(&mut self) -> At {
        self.skip_blanks();
        self.text.here()
    }

    pub fn is_at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// The first byte of the next token.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        self.skip_blanks();
        self.text.peek().filter(|&byte| byte != 0)
    }

    #[inline]
    fn skip_blanks(&mut self) {
        loop {
            match self.text.peek() {
                Some(b'/') => {
                    if !self.skip_comment() {
                        return;
                    }
                }
                Some(byte) if is_blank(byte) => self.text.advance(1),
                _ => return,
            }
        }
    }

    /// Whether there was one. One that is not closed reaches to the end of the file.
    fn skip_comment(&mut self) -> bool {
        let rest = self.text.rest();
        let length = match rest.get(1) {
            Some(b'/') => rest.iter().position(|&byte| byte == b'\n' || byte == 0),
            // The star that opens the comment may be the one that closes it: the game takes `/*/` for a whole comment.
            Some(b'*') => rest[1..].windows(2).position(|pair| pair == b"*/").map(|at| at + 3),
            _ => return false,
        };
        self.text.advance(length.unwrap_or(rest.len()));
        true
    }

    /// Reads `keyword` if it is the next token. Case matters.
    #[inline]
    pub fn take_keyword(&mut self, keyword: &str) -> bool {
        self.skip_blanks();
        let rest = self.text.rest();
        let there = rest.starts_with(keyword.as_bytes()) && !rest.get(keyword.len()).is_some_and(|&byte| is_name(byte));
        if there {
            self.text.advance(keyword.len());
        }
        there
    }

    /// Whether `keyword` comes next.
    pub fn is_at_keyword(&self, keyword: &str) -> bool {
        self.clone().take_keyword(keyword)
    }

    #[inline]
    pub fn keyword(&mut self, keyword: &'static str) -> Result<()> {
        match self.take_keyword(keyword) {
            true => Ok(()),
            false => Err(self.expected_token(keyword)),
        }
    }

    /// Reads a punctuation mark if it is the next token.
    #[inline]
    pub fn take_mark(&mut self, mark: u8) -> bool {
        self.skip_blanks();
        self.text.take(mark)
    }

    #[inline]
    pub fn mark(&mut self, mark: u8) -> Result<()> {
        match self.take_mark(mark) {
            true => Ok(()),
            false => Err(self.expected_token(&char::from(mark).to_string())),
        }
    }

    /// A number in any form that the game takes.
    #[inline]
    pub fn float(&mut self) -> Result<f32> {
        let negative = self.take_mark(b'-');
        if negative {
            self.skip_blanks();
        }
        let value = match self.text.rest() {
            [b'0', b'.' | b' ' | b')', ..] | [b'1'..=b'9', ..] => self.decimal()?,
            _ => self.rare_number(negative, "a number")? as f32,
        };
        Ok(if negative { -value } else { value })
    }

    /// `N` numbers in parentheses.
    #[inline]
    pub fn vector<const N: usize>(&mut self) -> Result<[f32; N]> {
        self.mark(b'(')?;
        let mut vector = [0.0; N];
        for number in &mut vector {
            *number = self.float()?;
        }
        self.mark(b')')?;
        Ok(vector)
    }

    /// A whole number. Like the game this takes `24.0` too, and drops what is behind the point.
    #[inline]
    pub fn integer(&mut self) -> Result<i32> {
        let negative = self.take_mark(b'-');
        if negative {
            self.skip_blanks();
        }
        let begin = self.text;
        let plain = match self.text.rest() {
            [b'0', b' ' | b'\n' | b'\r' | b'\t', ..] | [b'1'..=b'9', ..] => self.text.integer(),
            _ => None,
        };
        let value = match (plain, self.text.peek()) {
            (Some(value), Some(b' ' | b'\n' | b'\r' | b'\t')) => value as f64,
            _ => {
                self.text = begin;
                self.rare_number(negative, "a whole number")?.trunc()
            }
        };
        let value = if negative { -value } else { value };
        if value < f64::from(i32::MIN) || value > f64::from(i32::MAX) {
            return Err(Diagnostic::error(begin.here(), "a whole number of 32 bits", quoted(number_text(&begin)))
                .engine("Doom 3 keeps the lowest 32 bits of it and reads on."));
        }
        Ok(value as i32)
    }

    /// A count of things that take at least `smallest` bytes each, `most` being as many as the bytes left can hold.
    /// `what` says in the error what is counted.
    pub fn count(&mut self, what: &str, smallest: usize) -> Result<usize> {
        let place = self.place();
        let count = self.integer()?;
        let most = self.left() / smallest;
        match usize::try_from(count) {
            Err(_) => Err(Diagnostic::error(self.locate(place), format!("a number of {what}"), format!("`{count}`"))
                .engine(format!("Doom 3 stops: \"Invalid size: {count}\""))),
            Ok(count) if count > most => {
                let expected = format!("no more {what} than the rest of the file can hold, {most}");
                Err(Diagnostic::error(self.locate(place), expected, format!("`{count}`"))
                    .engine("Doom 3 makes room for all of them, then stops at the end of the file."))
            }
            Ok(count) => Ok(count),
        }
    }

    /// A string in quotes, or any other token as it stands.
    pub fn name(&mut self) -> Result<String> {
        match self.token()? {
            Token::End => Err(self.text.expected("a name")),
            Token::String(string) => Ok(decode(&string)),
            Token::Other(word) => Ok(decode(word)),
        }
    }

    /// Jumps to the next token `keyword`; false, at the end of the file, if there is none.
    pub fn skip_to_keyword(&mut self, keyword: &str) -> bool {
        loop {
            if self.is_at_keyword(keyword) {
                return true;
            }
            match self.token() {
                Ok(Token::End) => return false,
                Ok(_) => {}
                // A quote without its fellow: what follows may be sound.
                Err(_) => self.text.advance(1),
            }
        }
    }

    /// Tells of numbers that were understood here though the game would not take them.
    pub fn warn_of_foreign_numbers(&self, report: &mut Report) {
        if let Some(offset) = self.foreign_number {
            let mut there = self.text;
            there.seek(offset);
            let number = quoted(number_text(&there));
            report.push(
                Diagnostic::warning(there.here(), "a number without `+` and with a small `e`", number)
                    .engine("Doom 3 takes `+` and `E` for tokens of their own and stops."),
            );
        }
    }

    /// An error at the next token, with what Doom 3 says when another token stands there.
    #[cold]
    pub fn expected_token(&mut self, token: &str) -> Box<Diagnostic> {
        let at = self.here();
        let (found, says) = match self.clone().token() {
            Ok(Token::End) => ("end of file".to_string(), format!("couldn't find expected '{token}'")),
            Ok(found) => (found.phrase(), format!("expected '{token}' but found '{}'", found.short())),
            Err(error) => return error,
        };
        Diagnostic::error(at, format!("`{token}`"), found).engine(format!("Doom 3 stops: \"{says}\""))
    }

    /// A decimal number and its suffix.
    #[inline]
    fn decimal(&mut self) -> Result<f32> {
        let begin = self.text;
        let value = self.text.decimal().unwrap_or_default();
        // The usual ends of a number.
        let plain = matches!(self.text.peek(), Some(b' ' | b'\n' | b'\r' | b'\t' | b')'));
        if !plain || !value.is_finite() {
            self.after_decimal(begin, value)?;
        }
        Ok(value)
    }

    /// What may follow a decimal number: a suffix, or what the game stops at.
    #[cold]
    fn after_decimal(&mut self, begin: Text<'a>, value: f32) -> Result<()> {
        let number = || quoted(number_text(&begin));
        let refused = |says: String| {
            let error = Diagnostic::error(begin.here(), "a number that single precision can hold", number());
            Err(error.engine(format!("Doom 3 stops: \"{says}\"")))
        };
        match self.text.peek() {
            Some(b'.') => refused("more than one dot in number".to_string()),
            Some(b'#') => refused(format!("parsed {}", number().trim_matches('`'))),
            _ if !value.is_finite() => {
                Err(Diagnostic::error(begin.here(), "a number that single precision can hold", number())
                    .engine("Doom 3 takes it for infinity."))
            }
            _ => {
                // The game takes one of f and l after a point or an exponent, two of l and u after a whole number.
                self.skip_suffix(b"fFlLuU");
                Ok(())
            }
        }
    }

    fn skip_suffix(&mut self, letters: &[u8]) {
        let length = self.text.rest().iter().take(2).take_while(|byte| letters.contains(byte)).count();
        self.text.advance(length);
    }

    /// The forms that are not a plain decimal number: octal (after a 0), hexadecimal, binary, a leading point, and those that
    /// Doom 3 does not take: `+` before, `E` within.
    #[cold]
    fn rare_number(&mut self, negative: bool, expected: &'static str) -> Result<f64> {
        let begin = self.text;
        if !negative && self.text.take(b'+') {
            self.foreign_number.get_or_insert(begin.offset());
        }
        let number = self.text;
        let radix = match number.rest() {
            [b'0', b'x' | b'X', ..] => 16,
            [b'0', b'b' | b'B', ..] => 2,
            [b'0', b'.' | b'e' | b'E', ..] | [b'1'..=b'9', ..] | [b'.', b'0'..=b'9', ..] => 10,
            [b'0', ..] => 8,
            _ => {
                self.text = begin;
                return Err(self.expected_number(expected));
            }
        };
        if radix == 10 {
            let value = self.decimal()?;
            let word = &number.rest()[..self.text.offset() - number.offset()];
            if word.contains(&b'E') || word.starts_with(b"0e") {
                self.foreign_number.get_or_insert(begin.offset());
            }
            // Whole numbers may have more digits than single precision keeps.
            return Ok(match number.clone().integer() {
                Some(whole) if !word.iter().any(|byte| b".eE".contains(byte)) => whole as f64,
                _ => f64::from(value),
            });
        }
        self.text.advance(if radix == 8 { 1 } else { 2 });
        let digits = self.text.take_while(|byte| char::from(byte).is_digit(radix));
        self.skip_suffix(b"lLuU");
        let digits = digits.iter().filter_map(|&byte| char::from(byte).to_digit(radix));
        Ok(digits.fold(0.0, |value, digit| value * f64::from(radix) + f64::from(digit)))
    }

    #[cold]
    fn expected_number(&mut self, expected: &'static str) -> Box<Diagnostic> {
        let whole = expected == "a whole number";
        let at = self.here();
        let (found, says) = match self.clone().token() {
            Ok(Token::End) => {
                let number = if whole { "integer" } else { "floating point number" };
                ("end of file".to_string(), format!("couldn't read expected {number}"))
            }
            Ok(found) => {
                let number = if whole { "integer" } else { "float" };
                (found.phrase(), format!("expected {number} value, found '{}'", found.short()))
            }
            Err(error) => return error,
        };
        Diagnostic::error(at, expected, found).engine(format!("Doom 3 stops: \"{says}\""))
    }

    /// The next token, whatever it is.
    fn token(&mut self) -> Result<Token<'a>> {
        let Some(first) = self.peek() else { return Ok(Token::End) };
        Ok(match first {
            b'"' | b'\'' => Token::String(self.string(first)?),
            b'0'..=b'9' => Token::Other(self.text.take_while(|byte| is_name(byte) || byte == b'#')),
            _ if is_name(first) => Token::Other(self.text.take_while(is_name)),
            _ => {
                let mark = &self.text.rest()[..1];
                self.text.advance(1);
                Token::Other(mark)
            }
        })
    }

    /// A string, with those that follow it where they belong together. There are no escapes: a backslash is a backslash.
    fn string(&mut self, quote: u8) -> Result<Cow<'a, [u8]>> {
        let mut whole = Cow::Borrowed(self.string_part(quote)?);
        while self.concatenates && self.peek() == Some(quote) {
            let part = self.string_part(quote)?;
            whole.to_mut().extend_from_slice(part);
        }
        Ok(whole)
    }

    /// One string at its opening quote.
    fn string_part(&mut self, quote: u8) -> Result<&'a [u8]> {
        let begin = self.text;
        self.text.advance(1);
        let content = self.text.take_while(|byte| byte != quote && byte != b'\n' && byte != 0);
        if self.text.take(quote) {
            return Ok(content);
        }
        let (found, says) = match self.text.peek() {
            Some(b'\n') => ("the end of the line", "Doom 3 stops: \"newline inside string\""),
            _ => ("end of file", "Doom 3 stops: \"missing trailing quote\""),
        };
        let at = self.text.here();
        self.text = begin;
        Err(Diagnostic::error(at, format!("`{}`", char::from(quote)), found).engine(says))
    }
}

enum Token<'a> {
    String(Cow<'a, [u8]>),
    Other(&'a [u8]),
    End,
}

impl Token<'_> {
    /// The token as reports show it.
    fn phrase(&self) -> String {
        match self {
            Token::String(string) => format!("the string {}", quoted(string)),
            Token::Other(word) => quoted(word),
            Token::End => "end of file".to_string(),
        }
    }

    /// The token as the game prints it, cut short if it is long.
    fn short(&self) -> String {
        let word = match self {
            Token::String(string) => quoted(string),
            Token::Other(word) => quoted(word),
            Token::End => String::new(),
        };
        word.trim_matches('`').to_string()
    }
}

#[inline]
fn is_blank(byte: u8) -> bool {
    byte.wrapping_sub(1) < b' ' || byte >= 0x80
}

/// Whether a byte goes on with a name; path characters do.
#[inline]
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_/\\:.".contains(&byte)
}

/// A number as it stands, for an error.
fn number_text<'a>(text: &Text<'a>) -> &'a [u8] {
    let rest = text.rest();
    let length = rest.iter().position(|&byte| !is_name(byte) && !b"+-#".contains(&byte)).unwrap_or(rest.len());
    &rest[..length]
}
