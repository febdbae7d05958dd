//! What is wrong with a file, where, and what the game would do about it: in come findings, out go sentences.

use std::borrow::Cow;
use std::fmt;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// What was asked for is shown, though a game may see it otherwise.
    Warning,
    /// The file, or a part of it, could not be used.
    Error,
}

impl Severity {
    /// `error` or `warning`, as the reports print it.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum At {
    /// The file as a whole.
    #[default]
    File,
    /// A place in a text, both counted from 1; the column counts bytes.
    Text { line: u32, column: u32 },
    /// An offset from the start of a binary file, in bytes.
    Byte(u64),
}

/// What a reader returns: errors are rare, so they are boxed to keep the good path small.
pub type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// One finding. Printed as
/// ```text
/// imp.md5mesh:6:23: mesh[0].vert[1]: expected at least one weight, found `0`
///   Doom 3 stops: "Vertex without any joint weights."
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    pub severity: Severity,
    /// Path of the file; empty until [`Diagnostic::in_file`] fills it.
    pub file: String,
    pub at: At,
    /// What was being read, from the outside in: `mesh[0].vert[1]`. May be empty.
    pub place: String,
    pub expected: Cow<'static, str>,
    /// What stands there instead, as a phrase: `` `0` ``, `end of file`, `3 joints`.
    pub found: String,
    /// What a game makes of it, as a sentence: `Doom 3 stops: "…"`.
    pub engine: Option<Cow<'static, str>>,
}

impl Diagnostic {
    pub fn error(at: At, expected: impl Into<Cow<'static, str>>, found: impl Into<String>) -> Box<Self> {
        Box::new(Self {
            severity: Severity::Error,
            file: String::new(),
            at,
            place: String::new(),
            expected: expected.into(),
            found: found.into(),
            engine: None,
        })
    }

    pub fn warning(at: At, expected: impl Into<Cow<'static, str>>, found: impl Into<String>) -> Box<Self> {
        Box::new(Self { severity: Severity::Warning, ..*Self::error(at, expected, found) })
    }

    /// The same finding as a warning: what was asked for is shown all the same.
    pub fn into_warning(mut self: Box<Self>) -> Box<Self> {
        self.severity = Severity::Warning;
        self
    }

    /// The same finding as an error: what was asked for cannot be shown.
    pub fn into_error(mut self: Box<Self>) -> Box<Self> {
        self.severity = Severity::Error;
        self
    }

    /// Puts `place` in front of the place so far: readers wrap from the inside out.
    pub fn inside(mut self: Box<Self>, place: impl fmt::Display) -> Box<Self> {
        self.place = match self.place.as_str() {
            "" => place.to_string(),
            inner => format!("{place}.{inner}"),
        };
        self
    }

    /// Adds what a game does, as a sentence.
    pub fn engine(mut self: Box<Self>, sentence: impl Into<Cow<'static, str>>) -> Box<Self> {
        self.engine = Some(sentence.into());
        self
    }

    /// Names the file, unless an inner reader already did.
    pub fn in_file(mut self: Box<Self>, path: &str) -> Box<Self> {
        if self.file.is_empty() {
            self.file = path.to_string();
        }
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        match self.at {
            At::File => {}
            At::Text { line, column } => write!(f, ":{line}:{column}")?,
            At::Byte(offset) => write!(f, ":byte {offset}")?,
        }
        if !self.file.is_empty() || self.at != At::File {
            f.write_str(": ")?;
        }
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        write!(f, "expected {}, found {}", self.expected, self.found)?;
        match &self.engine {
            Some(sentence) => write!(f, "\n  {sentence}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Diagnostic {}

/// Everything found while opening a model, in the order of finding.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub diagnostics: Vec<Diagnostic>,
    /// How many findings came after the [`Report::LIMIT`]th and were only counted.
    pub left_out: usize,
}

impl Report {
    /// A file with a fault in every line must not fill the memory with sentences about it.
    pub const LIMIT: usize = 500;

    #[allow(clippy::boxed_local)] // Findings are made boxed, see `Result`.
    pub fn push(&mut self, diagnostic: Box<Diagnostic>) {
        if self.diagnostics.len() < Self::LIMIT {
            self.diagnostics.push(*diagnostic);
        } else {
            self.left_out += 1;
        }
    }

    /// Like [`Report::push`], but the finding is only worked out if there is room for it: for what may occur in every line.
    pub fn push_with(&mut self, find: impl FnOnce() -> Box<Diagnostic>) {
        if self.diagnostics.len() < Self::LIMIT {
            self.diagnostics.push(*find());
        } else {
            self.left_out += 1;
        }
    }

    /// Takes over the findings about one file, naming it.
    pub fn append(&mut self, path: &str, other: Report) {
        for diagnostic in other.diagnostics {
            self.push(Box::new(diagnostic).in_file(path));
        }
        self.left_out += other.left_out;
    }

    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|d| d.severity == Severity::Error)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for diagnostic in &self.diagnostics {
            writeln!(f, "{}: {diagnostic}", diagnostic.severity.name())?;
        }
        match self.left_out {
            0 => Ok(()),
            n => writeln!(f, "and {n} more"),
        }
    }
}
