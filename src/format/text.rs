//! A text file from front to back: bytes, words, numbers and lines in one pass, with line and column worked out only when
//! something is wrong. What is a blank, a comment or a string is each format's own business.

use std::borrow::Cow;

use crate::number;
use crate::report::{At, Diagnostic};

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A cursor over a text file.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Text<'a> {
    /// Starts after the byte order mark, if there is one.
    pub fn new(bytes: &'a [u8]) -> Self {
        let at = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
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
    #[cfg_attr(feature = "fast", inline(always))]
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// How many bytes are not yet read: what a count is held against before anything is reserved for it.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub fn advance(&mut self, count: usize) {
        self.at = (self.at + count).min(self.bytes.len());
    }

    /// Reads `byte` if it is the next one.
    #[cfg_attr(feature = "fast", inline(always))]
    pub fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    /// Reads the bytes up to the first one for which `belongs` is false.
    #[cfg_attr(feature = "fast", inline(always))]
    pub fn take_while(&mut self, belongs: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.rest();
        let length = rest.iter().position(|&byte| !belongs(byte)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Reads a line, leaving out its end: a line feed, with a carriage return before it or not. `None` at the end of the file.
    pub fn line(&mut self) -> Option<&'a [u8]> {
        if self.is_at_end() {
            return None;
        }
        let line = self.take_while(|byte| byte != b'\n');
        self.advance(1);
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// Reads an unsigned whole number in decimal digits. `None`, and nothing is read, where no digit stands or there are more
    /// than 19.
    #[cfg_attr(feature = "fast", inline(always))]
    pub fn integer(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        let mut at = self.at;
        while let Some(digit) = digit(self.bytes, at) {
            value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
            at += 1;
        }
        let digits = at - self.at;
        if digits == 0 || digits > 19 {
            return None;
        }
        self.at = at;
        Some(value)
    }

    /// Reads an unsigned decimal number: digits, a point among, before or after them or none, and perhaps an exponent after
    /// `e` or `E`. Rounded to the nearest `f32`, bit for bit as the standard library does it; too large a one gives infinity.
    /// `None`, and nothing is read, where no such number stands. The sign is the caller's business.
    #[cfg_attr(feature = "fast", inline(always))]
    pub fn decimal(&mut self) -> Option<f32> {
        let start = self.at;
        let mut at = start;
        let mut mantissa = 0_u64;
        while let Some(digit) = digit(self.bytes, at) {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
            at += 1;
        }
        let mut digits = at - start;
        let mut exponent = 0;
        if self.bytes.get(at) == Some(&b'.') {
            at += 1;
            let point = at;
            while let Some(chunk) = self.bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
                let (value, count) = leading_digits(*chunk);
                mantissa = mantissa.wrapping_mul(POWERS_OF_TEN[count]).wrapping_add(value);
                at += count;
                if count < 8 {
                    break;
                }
            }
            // Near the end of the file there may be no eight bytes left; elsewhere this finds nothing more.
            while let Some(digit) = digit(self.bytes, at) {
                mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
                at += 1;
            }
            digits += at - point;
            exponent = -((at - point) as i64);
        }
        if digits == 0 {
            return None;
        }
        if let Some(b'e' | b'E') = self.bytes.get(at) {
            let (power, end) = exponent_at(self.bytes, at + 1);
            exponent += power;
            at = end.unwrap_or(at);
        }
        self.at = at;
        Some(match nearest(mantissa, digits, exponent) {
            Some(value) => value,
            None => parse_exactly(&self.bytes[start..at]),
        })
    }

    /// Reads an unsigned decimal number as most are written: up to seven digits without a zero before others, a point, and digits up
    /// to 15 in all. Gives its value, that of [`Text::decimal`], and the byte behind it. `None`, and nothing is read, for all other
    /// numbers and for some of these.
    #[inline(always)]
    pub fn common_decimal(&mut self) -> Option<(f32, u8)> {
        // With all bytes at hand that it can take, nothing else has to be looked after.
        let window: &[u8; 24] = self.rest().first_chunk()?;
        let mut mantissa = 0;
        let mut whole = 0;
        while window[whole].wrapping_sub(b'0') < 10 && whole < 7 {
            mantissa = mantissa * 10 + u64::from(window[whole] - b'0');
            whole += 1;
        }
        let has_zero_before = window[0] == b'0' && whole > 1;
        if whole == 0 || window[whole] != b'.' || has_zero_before {
            return None;
        }
        let digits = |at: usize| digit_values(std::array::from_fn(|byte| window[at + byte]));
        let first = digits(whole + 1);
        // `end` goes on behind so many places. Where their number is a constant, the next number need not wait for its being counted:
        // most exporters write six, Doom 3's ten.
        let mut end = |mantissa, places| {
            let value = divided(mantissa, places)?;
            self.at += whole + 1 + places;
            Some((value, window[whole + 1 + places]))
        };
        let append = |mantissa, digits, count| mantissa * POWERS_OF_TEN[count] + number_of(digits, count);
        if has_digits::<6>(first) {
            return end(append(mantissa, first, 6), 6);
        }
        let places = count_digits(first);
        mantissa = append(mantissa, first, places);
        if places < 8 {
            return end(mantissa, places);
        }
        let second = digits(whole + 9);
        if has_digits::<2>(second) && whole < 6 {
            return end(append(mantissa, second, 2), 10);
        }
        let more = count_digits(second);
        if more == 8 || more + whole > 7 {
            return None;
        }
        end(append(mantissa, second, more), 8 + more)
    }

    /// Reads an unsigned whole number as most are written: up to six digits without a zero before others. Gives its value and the
    /// byte behind it. `None`, and nothing is read, for all others.
    #[inline(always)]
    pub fn common_integer(&mut self) -> Option<(u32, u8)> {
        let window: &[u8; 8] = self.rest().first_chunk()?;
        let mut value = 0;
        let mut count = 0;
        while window[count].wrapping_sub(b'0') < 10 && count < 7 {
            value = value * 10 + u32::from(window[count] - b'0');
            count += 1;
        }
        let has_zero_before = window[0] == b'0' && count > 1;
        if count == 0 || count == 7 || has_zero_before {
            return None;
        }
        self.at += count;
        Some((value, window[count]))
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
        let mark = if line == 1 && self.bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        At::Text { line, column: (before.len() - line_start).saturating_sub(mark) as u32 + 1 }
    }

    /// What stands at the next byte, as a phrase for an error: the rest of the word in back quotes, or the end of the file.
    pub fn found(&self) -> String {
        if self.is_at_end() {
            return "end of file".to_string();
        }
        let rest = self.rest();
        let length = rest.iter().position(|byte| byte.is_ascii_whitespace()).unwrap_or(rest.len()).max(1);
        quoted(&rest[..length])
    }

    /// An error at the next byte.
    pub fn expected(&self, expected: impl Into<Cow<'static, str>>) -> Box<Diagnostic> {
        Diagnostic::error(self.here(), expected, self.found())
    }
}

/// A word of a file in back quotes, cut short if it is long.
pub fn quoted(word: &[u8]) -> String {
    const LONGEST: usize = 40;
    match word.len() {
        0..=LONGEST => format!("`{}`", super::bytes::decode(word)),
        _ => format!("`{}…`", super::bytes::decode(&word[..LONGEST])),
    }
}

/// The value of the decimal digit at an offset.
#[cfg_attr(feature = "fast", inline(always))]
fn digit(bytes: &[u8], at: usize) -> Option<u8> {
    let digit = bytes.get(at)?.wrapping_sub(b'0');
    (digit < 10).then_some(digit)
}

/// Reads the exponent at an offset (after its `e`): its value, and where it ends if there is one.
#[cold]
fn exponent_at(bytes: &[u8], mut at: usize) -> (i64, Option<usize>) {
    let negative = bytes.get(at) == Some(&b'-');
    if let Some(b'-' | b'+') = bytes.get(at) {
        at += 1;
    }
    let first = at;
    let mut value = 0_i64;
    while let Some(digit) = digit(bytes, at) {
        value = (value * 10 + i64::from(digit)).min(1_000_000);
        at += 1;
    }
    match at > first {
        true => (if negative { -value } else { value }, Some(at)),
        false => (0, None),
    }
}

/// 10 to the 0th .. 8th.
const POWERS_OF_TEN: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// The number that the first digits of eight bytes make, and how many they are.
#[cfg_attr(feature = "fast", inline(always))]
fn leading_digits(chunk: [u8; 8]) -> (u64, usize) {
    let digits = digit_values(chunk);
    let count = count_digits(digits);
    (number_of(digits, count), count)
}

/// Eight bytes, the first lowest, with 0 to 9 where digits stand.
#[cfg_attr(feature = "fast", inline(always))]
fn digit_values(chunk: [u8; 8]) -> u64 {
    u64::from_le_bytes(chunk) ^ 0x3030_3030_3030_3030
}

/// Whether the first `N` are digits and the next is none.
#[inline(always)]
fn has_digits<const N: usize>(digits: u64) -> bool {
    let others = digits.wrapping_add(0x7676_7676_7676_7676) | digits;
    others << (56 - 8 * N) & 0x8080_8080_8080_8080 == 1 << 63
}

/// How many digits stand first.
#[cfg_attr(feature = "fast", inline(always))]
fn count_digits(digits: u64) -> usize {
    // The top bit of each byte that is no digit. A carry can only come out of such a byte, so the first is right.
    let others = (digits.wrapping_add(0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080;
    others.trailing_zeros() as usize / 8
}

/// The number that the first `count` digits of eight make: all at once, with three multiplications.
#[cfg_attr(feature = "fast", inline(always))]
fn number_of(digits: u64, count: usize) -> u64 {
    // Zeros in front of the digits; shifted in two steps, since a shift by all 64 bits is none.
    let padded = (digits << (4 * (8 - count))) << (4 * (8 - count));
    let pairs = padded.wrapping_mul(10).wrapping_add(padded >> 8);
    let low = (pairs & 0x0000_00FF_0000_00FF).wrapping_mul(0x000F_4240_0000_0064);
    let high = ((pairs >> 16) & 0x0000_00FF_0000_00FF).wrapping_mul(0x0000_2710_0000_0001);
    low.wrapping_add(high) >> 32
}

/// `mantissa` × 10^`exponent` as the nearest `f32`, where that can be told with one exact operation on `f64` (Clinger); `None`
/// elsewhere.
#[cfg_attr(feature = "fast", inline(always))]
fn nearest(mantissa: u64, digits: usize, exponent: i64) -> Option<f32> {
    const POWERS: [f64; 23] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ];
    // 19 digits fit in the mantissa; 2^53 and the powers to 22 are exact as f64.
    if digits > 19 || mantissa >= 1 << 53 {
        return None;
    }
    let power = *POWERS.get(exponent.unsigned_abs() as usize)?;
    // Signed, the conversion is one instruction.
    let mantissa = mantissa as i64 as f64;
    narrowed(if exponent < 0 { mantissa / power } else { mantissa * power })
}

/// `mantissa` / 10^`places` as the nearest `f32`, if that is clear. Of up to 15 digits, so that both are exact.
#[inline(always)]
fn divided(mantissa: u64, places: usize) -> Option<f32> {
    const POWERS: [f64; 16] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    narrowed(mantissa as i64 as f64 / POWERS[places % 16])
}

#[cfg_attr(feature = "fast", inline(always))]
fn narrowed(value: f64) -> Option<f32> {
    // Half way between two f32, one cannot see to which side the f64 was rounded.
    let half_way = value.to_bits() & 0x1FFF_FFFF == 0x1000_0000;
    (!half_way).then_some(value as f32)
}

/// The rare long or half-way number.
#[cold]
fn parse_exactly(number: &[u8]) -> f32 {
    // Only digits, points and exponents come here.
    number::leading(number).map_or(f32::NAN, |(number, _)| number.f32())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> (Option<f32>, usize) {
        let mut cursor = Text::new(text.as_bytes());
        (cursor.decimal(), cursor.offset())
    }

    #[test]
    fn reads_every_form_of_a_decimal_number() {
        let forms = [
            "0",
            "7",
            "12.",
            ".5",
            "0.5",
            "1e3",
            "1E3",
            "1e+3",
            "2.5e-3",
            "000.25",
            "16777217",
            "3.4028236e38",
            "1e39",
        ];
        for form in forms {
            for tail in ["", " ", "\n\tmore text", "f", "e", ")"] {
                let expected: f32 = form.parse().unwrap();
                let (value, end) = decimal(&format!("{form}{tail}"));
                assert_eq!(value.map(f32::to_bits), Some(expected.to_bits()), "{form}{tail}");
                assert_eq!(end, form.len(), "{form}{tail}");
            }
        }
    }

    #[test]
    fn reads_nothing_where_no_number_stands() {
        for text in ["", ".", "-1", "+1", "e5", "nan", "(", ".e1"] {
            assert_eq!(decimal(text), (None, 0), "{text}");
        }
    }

    #[test]
    fn common_numbers_are_those_of_the_standard_library() {
        let mut state = 0x2545_F491_4F6C_DD1D;
        for round in 0..200_000 {
            let bits = random(&mut state);
            let whole = bits % [10, 100, 10_000, 10_000_000][round % 4];
            let places = (bits >> 50) as usize % 15;
            let fraction: String = format!("{:015}", (bits >> 3) % 1_000_000_000_000_000)[..places].to_string();
            let number = format!("{whole}.{fraction}");
            let text = format!("{number} and what follows in the file");
            let mut cursor = Text::new(text.as_bytes());
            let found = cursor.common_decimal();
            match found {
                Some((value, behind)) => {
                    assert_eq!(value.to_bits(), number.parse::<f32>().unwrap().to_bits(), "{number}");
                    assert_eq!((cursor.offset(), behind), (number.len(), b' '), "{number}");
                }
                None => {
                    let is_half_way = narrowed(number.parse().unwrap()).is_none();
                    assert!(is_half_way || number.len() > 12, "{number} is common");
                }
            }
            let text = format!("{whole})and what follows");
            let mut cursor = Text::new(text.as_bytes());
            let expected = (whole < 1_000_000).then_some((whole as u32, b')'));
            assert_eq!(cursor.common_integer(), expected, "{whole}");
            assert_eq!(cursor.offset(), expected.map_or(0, |_| whole.to_string().len()));
        }
    }

    #[test]
    fn uncommon_numbers_are_left_to_others() {
        for number in ["", "-1.5", ".5", "5", "00.5", "12345678.5", "1.123456789012345678", "x.5", "1,5"] {
            let text = format!("{number} and what follows in the file");
            let mut cursor = Text::new(text.as_bytes());
            assert_eq!((cursor.common_decimal(), cursor.offset()), (None, 0), "{number}");
        }
        for number in ["", "-1", "01", "1234567", "x", "."] {
            let text = format!("{number} and what follows in the file");
            let mut cursor = Text::new(text.as_bytes());
            assert_eq!((cursor.common_integer(), cursor.offset()), (None, 0), "{number}");
        }
        // Too near to the end of the file to look ahead.
        assert_eq!(Text::new(b"1.5").common_decimal(), None);
        assert_eq!(Text::new(b"1").common_integer(), None);
    }

    /// xorshift: the same numbers in every run.
    fn random(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }

    #[test]
    fn rounds_as_the_standard_library() {
        let mut state = 0x9E37_79B9_7F4A_7C15;
        for round in 0..200_000 {
            let bits = random(&mut state);
            let text = match round % 6 {
                0 => format!("{}.{:06}", bits % 200, (bits >> 20) % 1_000_000),
                1 => format!("{}.{:010}", bits % 10, (bits >> 20) % 10_000_000_000),
                2 => format!("{}.{}", bits % 100_000, bits),
                3 => format!("{}.{}e{}", bits % 10, bits >> 8, (bits >> 32) as i64 % 60 - 30),
                // The middle between two neighbours, and just beside it.
                4 => {
                    let value = f32::from_bits((bits as u32 & 0x00FF_FFFF) | 0x3F00_0000);
                    let middle = (f64::from(value) + f64::from(value.next_up())) / 2.0;
                    format!("{middle:.60}{}", bits >> 63)
                }
                _ => format!("{:e}", f32::from_bits(bits as u32 & 0x7F7F_FFFF)),
            };
            let expected: f32 = text.parse().unwrap();
            assert_eq!(decimal(&text).0.map(f32::to_bits), Some(expected.to_bits()), "{text}");
        }
    }

    #[test]
    fn counts_lines_and_columns_after_the_mark() {
        let text = Text::new(b"\xEF\xBB\xBFab\r\n\tc");
        assert_eq!(text.here(), At::Text { line: 1, column: 1 });
        assert_eq!(text.locate(8), At::Text { line: 2, column: 2 });
        assert_eq!(text.locate(1000), At::Text { line: 2, column: 3 });
    }

    #[test]
    fn gives_lines_without_their_ends() {
        let mut text = Text::new(b"one\r\n\ntwo");
        assert_eq!(text.line(), Some(&b"one"[..]));
        assert_eq!(text.line(), Some(&b""[..]));
        assert_eq!(text.line(), Some(&b"two"[..]));
        assert_eq!(text.line(), None);
    }
}
