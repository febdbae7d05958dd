//! Decimal numbers to the nearest float, bit for bit as the standard library rounds them. In come a number's digits, out comes its
//! value. Where a number is read often there is a quicker way for the common ones (`format::text`); this one is for all, in whole
//! numbers of any length, and needs no tables, which in the standard library take 10 KB.

use std::cmp::Ordering;

/// More digits than the longest number half way between two floats has: what follows only matters by being there.
const MOST_DIGITS: usize = 800;

/// Digits × 10^exponent.
pub struct Decimal {
    is_negative: bool,
    /// From 0 to 9, the first of them not 0.
    digits: Vec<u8>,
    exponent: i64,
}

/// The number that a text begins with, as C's atof finds its end: a sign, digits with a point among them, an exponent. Also how
/// many bytes that is. `None` where no digit stands.
pub fn leading(text: &[u8]) -> Option<(Decimal, usize)> {
    let is_digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    let is_sign = |at: usize| matches!(text.get(at), Some(b'-' | b'+'));
    let mut number = Decimal { is_negative: text.first() == Some(&b'-'), digits: Vec::new(), exponent: 0 };
    let mut at = usize::from(is_sign(0));
    let (mut is_fraction, mut is_number) = (false, false);
    loop {
        if is_digit(at) {
            number.push(text[at] - b'0', is_fraction);
            is_number = true;
        } else if !is_fraction && text.get(at) == Some(&b'.') {
            is_fraction = true;
        } else {
            break;
        }
        at += 1;
    }
    if !is_number {
        return None;
    }
    let first = at + 1 + usize::from(is_sign(at + 1));
    if matches!(text.get(at), Some(b'e' | b'E')) && is_digit(first) {
        let end = (first..).find(|&at| !is_digit(at)).unwrap_or(first);
        let exponent = text[first..end].iter().fold(0, |sum, digit| (sum * 10 + i64::from(digit - b'0')).min(1 << 40));
        number.exponent += if text[first - 1] == b'-' { -exponent } else { exponent };
        at = end;
    }
    Some((number, at))
}

impl Decimal {
    fn push(&mut self, digit: u8, is_fraction: bool) {
        self.exponent -= i64::from(is_fraction);
        if self.digits.len() < MOST_DIGITS {
            if digit != 0 || !self.digits.is_empty() {
                self.digits.push(digit);
            }
        } else {
            self.exponent += 1;
            self.digits[MOST_DIGITS - 1] |= u8::from(digit != 0);
        }
    }

    /// The nearest one; infinity where it is too large.
    pub fn f32(&self) -> f32 {
        self.nearest(24, -149) as f32
    }

    /// The nearest one; infinity where it is too large.
    pub fn f64(&self) -> f64 {
        self.nearest(53, -1074)
    }

    /// The nearest float of so many bits of which the last is no less than 2^`least`; of two as near, the even one.
    fn nearest(&self, bits: i64, least: i64) -> f64 {
        let value = match self.digits.len() as i64 + self.exponent {
            _ if self.digits.is_empty() => 0.0,
            places if places > 400 => f64::INFINITY,
            places if places < -400 => 0.0,
            _ => self.divide(bits, least),
        };
        if self.is_negative { -value } else { value }
    }

    fn divide(&self, bits: i64, least: i64) -> f64 {
        let mut dividend = Whole(Vec::new());
        self.digits.iter().for_each(|&digit| dividend.multiply_and_add(10, digit.into()));
        let mut divisor = Whole(vec![1]);
        let scaled = if self.exponent < 0 { &mut divisor } else { &mut dividend };
        (0..self.exponent.abs()).for_each(|_| scaled.multiply_and_add(10, 0));

        // The quotient of these, times 2^last, is the number: one bit more than is kept, or two.
        let last = (dividend.bits() - divisor.bits() - bits - 1).max(least - 1);
        let shifted = if last < 0 { &mut dividend } else { &mut divisor };
        shifted.shift_left(last.unsigned_abs());
        let mut quotient = 0_u64;
        let mut steps = Vec::new();
        while divisor.compare(&dividend) != Ordering::Greater {
            steps.push(divisor.clone());
            divisor.shift_left(1);
        }
        for step in steps.iter().rev() {
            quotient <<= 1;
            if step.compare(&dividend) != Ordering::Greater {
                dividend.subtract(step);
                quotient |= 1;
            }
        }

        let dropped = (64 - i64::from(quotient.leading_zeros()) - bits).max(least - last);
        let half = 1 << (dropped - 1);
        let rest = quotient & (2 * half - 1);
        let kept = quotient >> dropped;
        let is_up = rest > half || rest == half && (!dividend.0.is_empty() || kept & 1 == 1);
        let scale: f64 = if last + dropped < 0 { 0.5 } else { 2.0 };
        // Each step is exact: nothing below the last bit is left.
        (0..(last + dropped).abs()).fold((kept + u64::from(is_up)) as f64, |value, _| value * scale)
    }
}

/// A whole number of any length, the lowest digit of 32 bits first, the highest not 0.
#[derive(Clone)]
struct Whole(Vec<u32>);

impl Whole {
    fn multiply_and_add(&mut self, factor: u64, mut carry: u64) {
        for digit in &mut self.0 {
            carry += u64::from(*digit) * factor;
            *digit = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    fn shift_left(&mut self, bits: u64) {
        self.multiply_and_add(1 << (bits % 32), 0);
        self.0.splice(0..0, (0..bits / 32).map(|_| 0));
    }

    fn bits(&self) -> i64 {
        self.0.last().map_or(0, |highest| self.0.len() as i64 * 32 - i64::from(highest.leading_zeros()))
    }

    fn compare(&self, other: &Whole) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    /// Takes away one that is no larger.
    fn subtract(&mut self, other: &Whole) {
        let mut borrow = 0;
        for (at, digit) in self.0.iter_mut().enumerate() {
            let left = i64::from(*digit) - i64::from(other.0.get(at).copied().unwrap_or(0)) - borrow;
            *digit = left as u32;
            borrow = i64::from(left < 0);
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_reads(text: &str) {
        let (number, end) = leading(text.as_bytes()).expect(text);
        assert_eq!(end, text.len(), "{text}");
        assert_eq!(number.f32().to_bits(), text.parse::<f32>().unwrap().to_bits(), "{text} as f32");
        assert_eq!(number.f64().to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text} as f64");
    }

    #[test]
    fn rounds_as_the_standard_library() {
        let zeros = "0".repeat(900);
        let long = "123456789".repeat(120);
        for text in [
            "0",
            "-0",
            "0e9",
            "1",
            "-1.5",
            "+.25",
            "7.",
            "00012",
            "1e22",
            "1e23",
            "9007199254740993",
            "16777217",
            "33554433",
            "0.1",
            "3.4028235e38",
            "3.4028236e38",
            "3.5e38",
            "1e39",
            "1.7976931348623157e308",
            "1.7976931348623159e308",
            "1e999999999999999999",
            "1.4e-45",
            "7.1e-46",
            "7e-46",
            "1.1754943e-38",
            "5e-324",
            "2.5e-324",
            "2.4e-324",
            "1e-999999999999999999",
            "2.2250738585072011e-308",
            "1.00000005960464477539062500000001",
            "1.000000059604644775390625",
            "0.3e-1",
            "4E+2",
            "4E-2",
        ] {
            assert_reads(text);
        }
        for text in [
            // Half way between two floats but for the last digit, beyond what is kept.
            format!("1.000000059604644775390625{zeros}1"),
            format!("1.000000059604644775390625{zeros}0"),
            format!("9007199254740993.{zeros}1"),
            format!("0.{zeros}5"),
            format!("1{zeros}e-900"),
            format!("{long}e-1000"),
            long,
        ] {
            assert_reads(&text);
        }
    }

    #[test]
    fn rounds_numbers_of_every_size_as_the_standard_library() {
        let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        for _ in 0..4000 {
            let digits = next() >> (next() % 60);
            assert_reads(&format!("{digits}e{}", (next() % 90) as i64 - 60));
            assert_reads(&format!("{digits}.{}e{}", next(), (next() % 700) as i64 - 360));
            // Every float has its own shortest text, and between two there is one half way.
            let float = f32::from_bits(next() as u32 & 0x7F7F_FFFF);
            assert_reads(&format!("{float:e}"));
            let half_way = (f64::from(float) + f64::from(f32::from_bits(float.to_bits() + 1))) / 2.0;
            assert_reads(&format!("{half_way:e}"));
        }
    }

    #[test]
    fn ends_where_the_number_ends() {
        for (text, end) in [("1.5f", 3), ("2e", 1), ("2e+", 1), ("3.4.5", 3), ("-.5,", 3), ("1e5x", 3)] {
            assert_eq!(leading(text.as_bytes()).map(|(_, end)| end), Some(end), "{text}");
        }
        for text in ["", ".", "-", "e5", "inf", "nan", "-.e1", "x1"] {
            assert!(leading(text.as_bytes()).is_none(), "{text}");
        }
    }
}
