//! Doom 3's tokens, as its idLexer cuts them (neo/idlib/Lexer.cpp): in comes the text of an .md5 file, out come its words, numbers
//! and strings, or what Doom 3 would say instead.
//!
//! Line ends are blanks like others. So is every byte above 127 outside strings and comments: the game compares signed characters.
//! A NUL ends the file.

use std::borrow::Cow;

use crate::format::bytes::decode;
use crate::format::text::{Text, quoted};
use crate::report::{At, Diagnostic, Report, Result};

/// A cursor over a file's tokens.
///
/// What runs for every number is inlined, and what runs for few takes and gives the lexer by value: so a loop over a copy of it has
/// the offset in a register, which is worth a third of the time.
#[derive(Clone, Copy)]
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
    #[cfg_attr(feature = "fast", inline(always))]
    fn peek(&mut self) -> Option<u8> {
        self.skip_blanks();
        self.text.peek().filter(|&byte| byte != 0)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn skip_blanks(&mut self) {
        while let Some(byte) = self.text.peek() {
            if is_blank(byte) {
                self.text.advance(1);
            } else if byte != b'/' {
                return;
            } else if let Some(after) = after_comment(self.text) {
                self.text = after;
            } else {
                return;
            }
        }
    }

    /// Reads `keyword` if it is the next token. Case matters.
    #[cfg_attr(feature = "fast", inline(always))]
    pub fn take_keyword(&mut self, keyword: &str) -> bool {
        self.skip_blanks();
        let rest = self.text.rest();
        let goes_on = |&byte: &u8| byte > b' ' && is_name(byte);
        let there = rest.starts_with(keyword.as_bytes()) && !rest.get(keyword.len()).is_some_and(goes_on);
        if there {
            self.text.advance(keyword.len());
        }
        there
    }

    /// Whether `keyword` comes next.
    pub fn is_at_keyword(mut self, keyword: &str) -> bool {
        self.take_keyword(keyword)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub fn keyword(&mut self, keyword: &'static str) -> Result<()> {
        match self.take_keyword(keyword) {
            true => Ok(()),
            false => Err(self.expected_token(keyword)),
        }
    }

    /// Reads a punctuation mark if it is the next token.
    #[cfg_attr(feature = "fast", inline(always))]
    pub fn take_mark(&mut self, mark: u8) -> bool {
        self.skip_blanks();
        self.text.take(mark)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub fn mark(&mut self, mark: u8) -> Result<()> {
        match self.take_mark(mark) {
            true => Ok(()),
            false => Err(self.expected_mark(mark)),
        }
    }

    /// Reads a minus, which may stand apart from its number, and what is blank behind it.
    #[cfg_attr(feature = "fast", inline(always))]
    fn take_minus(&mut self) -> bool {
        let negative = self.take_mark(b'-');
        if negative {
            self.skip_blanks();
        }
        negative
    }

    /// A number in any form that the game takes.
    #[cfg_attr(feature = "fast", inline(always))]
    pub fn float(&mut self) -> Result<f32> {
        if cfg!(feature = "fast") {
            self.skip_blanks();
            let begin = self.text;
            let negative = self.text.take(b'-');
            if let Some((value, b' ' | b'\n' | b'\r' | b'\t' | b')')) = self.text.common_decimal() {
                // Every other coordinate has a minus, and no processor foresees which: there is no branch on it.
                return Ok(f32::from_bits(value.to_bits() ^ u32::from(negative) << 31));
            }
            self.text = begin;
        }
        let negative = self.take_minus();
        let begin = self.text;
        let value = match begin.rest() {
            [b'0', b'.' | b' ' | b')' | b'\n' | b'\r', ..] | [b'1'..=b'9', ..] => self.text.decimal(),
            _ => None,
        };
        let value = match (value, self.text.peek()) {
            (Some(value), Some(b' ' | b'\n' | b'\r' | b'\t' | b')')) if value.is_finite() => value,
            _ => {
                self.text = begin;
                let (value, after) = self.rare_number(negative, false)?;
                *self = after;
                value as f32
            }
        };
        Ok(if negative { -value } else { value })
    }

    /// `N` numbers in parentheses.
    #[cfg_attr(feature = "fast", inline(always))]
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
    #[cfg_attr(feature = "fast", inline(always))]
    pub fn integer(&mut self) -> Result<i32> {
        if cfg!(feature = "fast") {
            self.skip_blanks();
            let begin = self.text;
            if let Some((value, b' ' | b'\n' | b'\r' | b'\t')) = self.text.common_integer() {
                return Ok(value as i32);
            }
            self.text = begin;
        }
        let negative = self.take_minus();
        let begin = self.text;
        let value = match begin.rest() {
            [b'0', b' ' | b'\n' | b'\r' | b'\t', ..] | [b'1'..=b'9', ..] => self.text.integer(),
            _ => None,
        };
        let value = match (value, self.text.peek()) {
            (Some(value), Some(b' ' | b'\n' | b'\r' | b'\t')) if value <= i32::MAX as u64 => value as i32,
            _ => {
                self.text = begin;
                let (value, after) = self.rare_number(negative, true)?;
                *self = after;
                // Inside 32 bits, as is its negative.
                value as i32
            }
        };
        Ok(if negative { -value } else { value })
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

    /// Jumps to the next token `keyword`, or to the end of the file if there is none. Whatever lies between is passed over without
    /// a word: of a string without its end, the rest of the line.
    pub fn skip_to_keyword(&mut self, keyword: &str) {
        while !self.is_at_keyword(keyword) {
            match self.peek() {
                None => return,
                Some(quote @ (b'"' | b'\'')) => {
                    self.text.advance(1);
                    self.text.take_while(|byte| byte != quote && byte != b'\n');
                    self.text.take(quote);
                }
                Some(byte) if is_name(byte) => _ = self.text.take_while(is_name),
                Some(_) => self.text.advance(1),
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
    pub fn expected_token(mut self, token: &str) -> Box<Diagnostic> {
        let at = self.here();
        let (found, says) = match self.token() {
            Ok(Token::End) => ("end of file".to_string(), format!("couldn't find expected '{token}'")),
            Ok(found) => (found.phrase(), format!("expected '{token}' but found '{}'", found.short())),
            Err(error) => return error,
        };
        Diagnostic::error(at, format!("`{token}`"), found).engine(format!("Doom 3 stops: \"{says}\""))
    }

    #[cold]
    fn expected_mark(self, mark: u8) -> Box<Diagnostic> {
        self.expected_token(&char::from(mark).to_string())
    }

    #[cold]
    fn expected_number(mut self, whole: bool) -> Box<Diagnostic> {
        let at = self.here();
        let (found, says) = match self.token() {
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
        let expected = if whole { "a whole number" } else { "a number" };
        Diagnostic::error(at, expected, found).engine(format!("Doom 3 stops: \"{says}\""))
    }

    /// A number of any form, after its minus if it has one, and the lexer behind it. Besides decimal ones there are octal (after a
    /// 0), hexadecimal and binary ones and suffixes; and those that Doom 3 does not take: `+` before, `E` within. A whole number
    /// is within 32 bits, and so is its negative.
    #[cold]
    #[inline(never)]
    fn rare_number(mut self, negative: bool, whole: bool) -> Result<(f64, Self)> {
        let begin = self.text;
        let signed = !negative && self.text.take(b'+');
        let number = self.text;
        let value = match number.rest() {
            [b'0', b'x' | b'X', ..] => self.digits(2, 16),
            [b'0', b'b' | b'B', ..] => self.digits(2, 2),
            [b'0', b'.' | b'e' | b'E', ..] | [b'1'..=b'9', ..] | [b'.', b'0'..=b'9', ..] => self.decimal()?,
            [b'0', ..] => self.digits(1, 8),
            _ => return Err(Self { text: begin, ..self }.expected_number(whole)),
        };
        let word = &number.rest()[..self.text.offset() - number.offset()];
        let hexadecimal = word.len() > 1 && word[1].eq_ignore_ascii_case(&b'x');
        if signed || !hexadecimal && (word.contains(&b'E') || word.starts_with(b"0e")) {
            self.foreign_number.get_or_insert(begin.offset());
        }
        if whole && value >= f64::from(i32::MAX) + 1.0 {
            return Err(Diagnostic::error(
                begin.here(),
                "a whole number from -2147483648 to 2147483647",
                quoted(number_text(&begin)),
            )
            .engine("Doom 3 keeps the lowest 32 bits of it and reads on."));
        }
        if !(value as f32).is_finite() {
            return Err(Diagnostic::error(begin.here(), FITTING, quoted(number_text(&begin)))
                .engine("Doom 3 takes it for infinity."));
        }
        Ok((if whole { value.trunc() } else { value }, self))
    }

    /// A decimal number and its suffix.
    fn decimal(&mut self) -> Result<f64> {
        let begin = self.text;
        let value = f64::from(self.text.decimal().unwrap_or_default());
        let number = || quoted(number_text(&begin));
        let says = match self.text.peek() {
            Some(b'.') => "more than one dot in number".to_string(),
            Some(b'#') => format!("parsed {}", number().trim_matches('`')),
            _ => {
                // Whole numbers may have more digits than single precision keeps.
                let mut again = begin;
                let exact = again.integer().filter(|_| again.offset() == self.text.offset());
                // The game takes one of f and l after a point or an exponent, two of l and u after a whole number.
                self.skip_suffix(b"fFlLuU");
                return Ok(exact.map_or(value, |exact| exact as f64));
            }
        };
        Err(Diagnostic::error(begin.here(), FITTING, number()).engine(format!("Doom 3 stops: \"{says}\"")))
    }

    /// The digits after a prefix, and a suffix.
    fn digits(&mut self, prefix: usize, radix: u32) -> f64 {
        self.text.advance(prefix);
        let digits = self.text.take_while(|byte| char::from(byte).is_digit(radix));
        self.skip_suffix(b"lLuU");
        let digits = digits.iter().filter_map(|&byte| char::from(byte).to_digit(radix));
        digits.fold(0.0, |value, digit| value * f64::from(radix) + f64::from(digit))
    }

    fn skip_suffix(&mut self, letters: &[u8]) {
        let length = self.text.rest().iter().take(2).take_while(|byte| letters.contains(byte)).count();
        self.text.advance(length);
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

/// What a number must be that no other fault can be found with.
const FITTING: &str = "a number that single precision can hold";

/// The text behind the comment that it stands at, if there is one. One that is not closed reaches to the end of the file.
#[cold]
fn after_comment(mut text: Text) -> Option<Text> {
    let rest = text.rest();
    let length = match rest.get(1) {
        Some(b'/') => rest.iter().position(|&byte| byte == b'\n' || byte == 0),
        // The star that opens the comment may be the one that closes it: the game takes `/*/` for a whole comment.
        Some(b'*') => rest[1..].windows(2).position(|pair| pair == b"*/").map(|at| at + 3),
        _ => return None,
    };
    text.advance(length.unwrap_or(rest.len()));
    Some(text)
}

#[cfg_attr(feature = "fast", inline(always))]
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
