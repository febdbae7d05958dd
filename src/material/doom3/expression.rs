//! Doom 3's expressions: in comes text such as `sinTable[ time * 0.5 ] * 2`, out comes its value, and how it moves with time.
//!
//! Follows idMaterial::ParseExpression and EvaluateRegisters (neo/renderer/Material.cpp) and idDeclTable::TableLookup
//! (neo/framework/DeclTable.cpp).

use std::sync::Arc;

use crate::material::words::number;

/// The table declarations of the scripts.
pub trait Tables {
    fn table(&self, name: &str) -> Option<Arc<Table>>;
}

/// `table name { [snap] [clamp] { 0, 1, 0, -1 } }`
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Table {
    pub values: Vec<f32>,
    /// Values hold until the next, instead of blending into it.
    pub snaps: bool,
    /// The first and last hold outside, instead of repeating.
    pub clamps: bool,
}

impl Table {
    /// The value at `index`, where 0..1 runs over the whole table.
    pub fn at(&self, index: f32) -> f32 {
        let count = self.values.len();
        // The game looks into no table of less than two values.
        if count < 2 || !index.is_finite() {
            return 1.0;
        }
        let last = count - 1;
        let at = if self.clamps {
            (index * last as f32).clamp(0.0, last as f32)
        } else {
            index.rem_euclid(1.0) * count as f32
        };
        let (from, between) = ((at as usize).min(last), at.fract());
        let to = if self.clamps { (from + 1).min(last) } else { (from + 1) % count };
        match self.snaps {
            true => self.values[from],
            false => self.values[from] * (1.0 - between) + self.values[to] * between,
        }
    }
}

/// A value and, if it grows evenly with time, by how much a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steady {
    pub at_start: f32,
    pub rate: f32,
    /// It changes with time, but not evenly.
    pub varies: bool,
}

/// A value of a material, worked out for any time.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    Number(f32),
    /// Seconds.
    Time,
    Table(Arc<Table>, Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

/// By how tightly they bind, and the longer before those that begin like them.
const OPERATORS: &[(&str, Operator, u32)] = &[
    ("*", Operator::Multiply, 1),
    ("/", Operator::Divide, 1),
    ("%", Operator::Remainder, 1),
    ("+", Operator::Add, 2),
    ("-", Operator::Subtract, 2),
    (">=", Operator::GreaterOrEqual, 3),
    (">", Operator::Greater, 3),
    ("<=", Operator::LessOrEqual, 3),
    ("<", Operator::Less, 3),
    ("==", Operator::Equal, 3),
    ("!=", Operator::NotEqual, 3),
    ("&&", Operator::And, 4),
    ("||", Operator::Or, 4),
];
const LOOSEST: u32 = 4;
/// Deeper nesting than any material has; a file must not exhaust the stack.
const DEEPEST: u32 = 32;

impl Expression {
    /// Reads the expression that `text` starts with; returns also how many bytes it takes. The error says what was found.
    pub fn parse(text: &str, tables: &dyn Tables) -> Result<(Expression, usize), String> {
        let mut parser = Parser { text, at: 0, tables };
        let expression = parser.level(LOOSEST, 0)?;
        Ok((expression, parser.at))
    }

    /// The value, 0 where it would be none.
    pub fn at(&self, seconds: f32) -> f32 {
        let value = self.value(seconds);
        if value.is_finite() { value } else { 0.0 }
    }

    /// Whether time plays a part in it.
    pub fn changes(&self) -> bool {
        match self {
            Expression::Number(_) => false,
            Expression::Time => true,
            Expression::Table(_, index) => index.changes(),
            Expression::Binary(_, a, b) => a.changes() || b.changes(),
        }
    }

    fn value(&self, seconds: f32) -> f32 {
        match self {
            Expression::Number(number) => *number,
            Expression::Time => seconds,
            Expression::Table(table, index) => table.at(index.value(seconds)),
            Expression::Binary(operator, a, b) => {
                let (a, b) = (a.value(seconds), b.value(seconds));
                let truth = |truth: bool| if truth { 1.0 } else { 0.0 };
                match operator {
                    Operator::Multiply => a * b,
                    Operator::Divide if b == 0.0 => 0.0,
                    Operator::Divide => a / b,
                    // The game works with whole numbers, and takes 1 for 0.
                    Operator::Remainder if b as i32 == 0 => 0.0,
                    Operator::Remainder => (a as i32).wrapping_rem(b as i32) as f32,
                    Operator::Add => a + b,
                    Operator::Subtract => a - b,
                    Operator::Greater => truth(a > b),
                    Operator::GreaterOrEqual => truth(a >= b),
                    Operator::Less => truth(a < b),
                    Operator::LessOrEqual => truth(a <= b),
                    Operator::Equal => truth(a == b),
                    Operator::NotEqual => truth(a != b),
                    Operator::And => truth(a != 0.0 && b != 0.0),
                    Operator::Or => truth(a != 0.0 || b != 0.0),
                }
            }
        }
    }

    /// The value at the start; and its growth, if that is the same over two seconds, however they are cut.
    pub fn steady(&self) -> Steady {
        let at_start = self.at(0.0);
        let rate = self.at(1.0) - at_start;
        let is_even = |seconds: f32| (self.at(seconds) - at_start - rate * seconds).abs() <= 1e-4 * (1.0 + rate.abs());
        let evenly = rate.is_finite() && [0.13, 0.5, 0.77, 1.71, 2.0].into_iter().all(is_even);
        Steady { at_start, rate: if evenly { rate } else { 0.0 }, varies: !evenly && self.changes() }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    tables: &'a dyn Tables,
}

impl<'a> Parser<'a> {
    fn rest(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        self.at += rest.len() - trimmed.len();
        trimmed
    }

    fn take(&mut self, mark: &str) -> bool {
        let is_there = self.rest().starts_with(mark);
        if is_there {
            self.at += mark.len();
        }
        is_there
    }

    fn expect(&mut self, mark: &str) -> Result<(), String> {
        if self.take(mark) { Ok(()) } else { Err(self.found()) }
    }

    fn found(&mut self) -> String {
        match self.rest().split_whitespace().next() {
            Some(word) => format!("`{}`", word.chars().take(40).collect::<String>()),
            None => "end of file".to_string(),
        }
    }

    /// Operators of `level` and tighter. Of one level they are worked out from the right, as the game does it.
    fn level(&mut self, level: u32, depth: u32) -> Result<Expression, String> {
        if depth > DEEPEST {
            return Err(self.found());
        }
        if level == 0 {
            return self.term(depth);
        }
        let left = self.level(level - 1, depth)?;
        let Some((mark, operator, _)) = self.operator().filter(|(_, _, binds)| *binds == level) else {
            return Ok(left);
        };
        self.at += mark.len();
        let right = self.level(level, depth + 1)?;
        Ok(Expression::Binary(operator, left.into(), right.into()))
    }

    fn operator(&mut self) -> Option<(&'static str, Operator, u32)> {
        let rest = self.rest();
        // A comment is no division.
        if rest.starts_with("//") || rest.starts_with("/*") {
            return None;
        }
        OPERATORS.iter().find(|(mark, ..)| rest.starts_with(mark)).copied()
    }

    fn term(&mut self, depth: u32) -> Result<Expression, String> {
        if depth > DEEPEST {
            return Err(self.found());
        }
        if self.take("(") {
            let inside = self.level(LOOSEST, depth + 1)?;
            self.expect(")")?;
            return Ok(inside);
        }
        if self.take("-") {
            let value = self.term(depth + 1)?;
            return Ok(Expression::Binary(Operator::Multiply, Expression::Number(-1.0).into(), value.into()));
        }
        let rest = self.rest();
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        if word.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            self.at += length;
            return Ok(Expression::Number(number(word)));
        }
        if word.is_empty() {
            return Err(self.found());
        }
        let lower = word.to_ascii_lowercase();
        let known = match lower.as_str() {
            "time" => Some(Expression::Time),
            // An entity's colour, white until something sets it; its other parameters start at 0.
            "parm0" | "parm1" | "parm2" | "parm3" => Some(Expression::Number(1.0)),
            "fragmentprograms" => Some(Expression::Number(1.0)),
            "sound" => Some(Expression::Number(0.0)),
            name if name.starts_with("parm") || name.starts_with("global") => Some(Expression::Number(0.0)),
            _ => None,
        };
        if let Some(known) = known {
            self.at += length;
            return Ok(known);
        }
        let name = lower;
        if !rest[length..].trim_start().starts_with('[') {
            return Err(self.found());
        }
        self.at += length;
        self.expect("[")?;
        let index = self.level(LOOSEST, depth + 1)?;
        self.expect("]")?;
        // The game takes 1 for a table that is not there.
        Ok(self.tables.table(&name).map_or(Expression::Number(1.0), |table| Expression::Table(table, index.into())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sine;

    impl Tables for Sine {
        fn table(&self, name: &str) -> Option<Arc<Table>> {
            (name == "sintable").then(|| Table { values: vec![0.0, 1.0, 0.0, -1.0], ..Table::default() }.into())
        }
    }

    fn value(text: &str) -> f32 {
        Expression::parse(text, &Sine).unwrap().0.steady().at_start
    }

    #[test]
    fn nesting_without_end_is_refused() {
        for nest in ["-", "(", "1 + ", "sinTable[ "] {
            assert!(Expression::parse(&format!("{}1", nest.repeat(200_000)), &Sine).is_err(), "{nest}");
        }
        assert_eq!(value("----2"), 2.0);
    }

    #[test]
    fn operators_bind_as_in_the_game() {
        assert_eq!(value("1 + 2 * 3"), 7.0);
        assert_eq!(value("( 1 + 2 ) * 3"), 9.0);
        assert_eq!(value("-2 * -3"), 6.0);
        assert_eq!(value("parm7 == 0 && parm0 >= 1"), 1.0);
        assert_eq!(value("7 % 4"), 3.0);
        // From the right: 8 - ( 3 - 1 ).
        assert_eq!(value("8 - 3 - 1"), 6.0);
        assert_eq!(value("1/2"), 0.5);
        assert_eq!(value("sinTable[ 0.25 ]"), 1.0);
        assert_eq!(value("sinTable[0.375]"), 0.5);
        assert_eq!(value("unknownTable[ 0.3 ]"), 1.0);
    }

    #[test]
    fn what_grows_evenly_has_a_rate() {
        let steady = |text: &str| Expression::parse(text, &Sine).unwrap().0.steady();
        assert_eq!(steady("time * 0.5 + 2"), Steady { at_start: 2.0, rate: 0.5, varies: false });
        assert_eq!(steady("sinTable[time]"), Steady { at_start: 0.0, rate: 0.0, varies: true });
        assert_eq!(steady("time / 0"), Steady { at_start: 0.0, rate: 0.0, varies: false });
        let (wave, _) = Expression::parse("1 + sinTable[time] * 2", &Sine).unwrap();
        assert!(wave.changes());
        assert_eq!([0.0, 0.25, 0.5, 0.875].map(|seconds| wave.at(seconds)), [1.0, 3.0, 1.0, 0.0]);
    }

    #[test]
    fn the_rest_is_left_alone() {
        let length = |text: &str| Expression::parse(text, &Sine).map(|(_, length)| length);
        assert_eq!(length("1, 2"), Ok(1));
        // Blanks were looked past for an operator.
        assert_eq!(length("0.5\n\tmap x"), Ok(5));
        assert!(Expression::parse("", &Sine).is_err());
        assert!(Expression::parse(&"(".repeat(1000), &Sine).is_err());
        assert!(Expression::parse(&"-".repeat(1000), &Sine).is_err());
    }

    #[test]
    fn tables_repeat_blend_snap_and_clamp() {
        let table = Table { values: vec![0.0, 10.0], snaps: false, clamps: false };
        assert_eq!([0.0, 0.25, 0.75, 1.25, -0.25].map(|at| table.at(at)), [0.0, 5.0, 5.0, 5.0, 5.0]);
        let table = Table { clamps: true, ..table };
        assert_eq!([-1.0, 0.25, 1.0, 9.0].map(|at| table.at(at)), [0.0, 2.5, 10.0, 10.0]);
        let table = Table { snaps: true, ..table };
        assert_eq!(table.at(0.9), 0.0);
        assert_eq!(Table::default().at(0.5), 1.0);
    }
}
