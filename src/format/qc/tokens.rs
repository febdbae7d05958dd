//! The words of a .qc: in come a script and those it includes, out come words, each with its place and whether it begins a line.

use std::rc::Rc;

use crate::bundle::decode;
use crate::report::{At, Diagnostic, Report};

/// Where a word stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub file: Rc<str>,
    pub at: At,
}

impl Place {
    pub fn error(
        &self,
        expected: impl Into<std::borrow::Cow<'static, str>>,
        found: impl Into<String>,
    ) -> Box<Diagnostic> {
        Diagnostic::error(self.at, expected, found).in_file(&self.file)
    }

    pub fn warning(
        &self,
        expected: impl Into<std::borrow::Cow<'static, str>>,
        found: impl Into<String>,
    ) -> Box<Diagnostic> {
        Diagnostic::warning(self.at, expected, found).in_file(&self.file)
    }
}

/// A word, or what stands between two quotes.
#[derive(Clone, Debug)]
pub struct Word {
    pub text: String,
    pub is_quoted: bool,
    /// Nothing stands before it on its line.
    pub begins_line: bool,
    pub place: Place,
}

impl Word {
    /// Whether it is this brace, and not a name that looks like one.
    pub fn is(&self, brace: &str) -> bool {
        !self.is_quoted && self.text == brace
    }
}

/// What was found where none of these paths is a file.
pub fn no_file(tried: &[String]) -> String {
    let tried: Vec<String> = tried.iter().map(|path| format!("`{path}`")).collect();
    match tried.len() {
        0 => "no such file".to_string(),
        _ => format!("no file {}", tried.join(", ")),
    }
}

/// Finds the file that an `$include` names: its path and bytes, or else every path that was tried.
pub type Include<'a> = dyn FnMut(&str) -> std::result::Result<(String, Vec<u8>), Vec<String>> + 'a;

/// The words of a script, with what it includes in place of the `$include`.
pub struct Words<'a> {
    /// The innermost include is the last.
    open: Vec<File>,
    include: &'a mut Include<'a>,
    included: usize,
    next: Option<Word>,
    variables: Vec<(String, String)>,
    /// What was wrong with includes and quotes.
    pub findings: Report,
}

struct File {
    path: Rc<str>,
    bytes: Vec<u8>,
    at: usize,
    line: u32,
    line_start: usize,
    /// Nothing but blanks was seen on this line.
    is_fresh: bool,
}

/// Half-Life's studiomdl stops at the eighth file inside each other. What includes itself is left out here; this many files in
/// all keep those that include another twice, and that another twice, from growing without end.
const MOST_INCLUDED: usize = 256;
/// Variables in variables must not grow without end.
const LONGEST_WORD: usize = 1024;
/// Each is looked for in each word.
const MOST_VARIABLES: usize = 1000;

impl<'a> Words<'a> {
    pub fn new(path: &str, bytes: Vec<u8>, include: &'a mut Include<'a>) -> Self {
        let mut words = Self {
            open: Vec::new(),
            include,
            included: 0,
            next: None,
            variables: Vec::new(),
            findings: Report::default(),
        };
        words.enter(path, bytes);
        words
    }

    fn enter(&mut self, path: &str, bytes: Vec<u8>) {
        let at = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        self.open.push(File { path: path.into(), bytes, at, line: 1, line_start: at, is_fresh: true });
    }

    /// Every later `$name$` stands for `value`.
    pub fn define(&mut self, name: String, value: String) {
        if self.variables.len() < MOST_VARIABLES {
            self.variables.push((format!("${name}$"), value));
        }
    }

    /// The next word, on whatever line.
    pub fn word(&mut self) -> Option<Word> {
        if let Some(word) = self.next.take() {
            return Some(word);
        }
        let mut continues = false;
        loop {
            let mut word = self.read()?;
            word.begins_line &= !continues;
            if !word.is_quoted && word.begins_line && word.text.eq_ignore_ascii_case("$include") {
                self.include(&word);
                continue;
            }
            // Source: a backslash, or two, at the end of a line of a macro.
            if !word.is_quoted && matches!(word.text.as_str(), "\\" | "\\\\") {
                continues = true;
                continue;
            }
            self.expand(&mut word);
            return Some(word);
        }
    }

    fn expand(&mut self, word: &mut Word) {
        if !word.text.contains('$') {
            return;
        }
        for (name, value) in &self.variables {
            if word.text.contains(name.as_str()) {
                word.text = word.text.replace(name.as_str(), value);
            }
            if word.text.len() > LONGEST_WORD {
                let found = format!("{} bytes", word.text.len());
                self.findings.push(word.place.error("a word of at most 1024 bytes", found));
                word.text.clear();
            }
        }
    }

    /// What [`Words::word`] will give.
    pub fn peek(&mut self) -> Option<&Word> {
        self.next = self.word();
        self.next.as_ref()
    }

    /// The next word, if it stands on the same line as the one before.
    pub fn word_on_line(&mut self) -> Option<Word> {
        match self.peek() {
            Some(word) if !word.begins_line => self.next.take(),
            _ => None,
        }
    }

    fn include(&mut self, word: &Word) {
        let Some(name) = self.read() else { return };
        self.included += 1;
        match (self.include)(&name.text) {
            Ok((path, _)) if self.open.iter().any(|file| *file.path == *path) || self.included > MOST_INCLUDED => {
                let error = word.place.error("files that do not include each other without end", format!("`{path}`"));
                self.findings.push(error.engine("Half-Life's studiomdl stops: \"script file exceeded MAX_INCLUDES\"."));
            }
            Ok((path, bytes)) => self.enter(&path, bytes),
            Err(tried) => {
                let error = name.place.error(format!("the file `{}`", name.text), no_file(&tried));
                self.findings.push(error.inside("$include"));
            }
        }
    }

    fn read(&mut self) -> Option<Word> {
        loop {
            let file = self.open.last_mut()?;
            match file.read(&mut self.findings) {
                Some(word) => return Some(word),
                None => {
                    self.open.pop();
                    // What follows an include stands on a line of its own.
                    if let Some(file) = self.open.last_mut() {
                        file.is_fresh = true;
                    }
                }
            }
        }
    }
}

impl File {
    fn read(&mut self, findings: &mut Report) -> Option<Word> {
        self.skip_blanks();
        let first = *self.bytes.get(self.at)?;
        let begins_line = std::mem::replace(&mut self.is_fresh, false);
        let column = (self.at - self.line_start) as u32 + 1;
        let place = Place { file: self.path.clone(), at: At::Text { line: self.line, column } };
        let rest = &self.bytes[self.at..];
        let (text, used, is_quoted) = if first == b'"' {
            // A quoted word may not go over its line: the quote that is missing would turn all the rest around.
            let quoted = &rest[1..];
            let length = quoted.iter().position(|&byte| byte == b'"' || byte == b'\n').unwrap_or(quoted.len());
            let is_closed = quoted.get(length) == Some(&b'"');
            if !is_closed {
                findings.push(place.warning("a quote at the end of the word", "the end of the line"));
            }
            (&quoted[..length], length + 1 + usize::from(is_closed), true)
        } else if matches!(first, b'{' | b'}') {
            (&rest[..1], 1, false)
        } else {
            let is_end = |&byte: &u8| byte <= b' ' || matches!(byte, b';' | b'"' | b'{' | b'}');
            let length = rest.iter().position(is_end).unwrap_or(rest.len());
            let text = &rest[..length];
            (text, length, false)
        };
        let text = if is_quoted { text.trim_ascii_end() } else { text };
        let word = Word { text: decode(text), is_quoted, begins_line, place };
        self.at += used;
        Some(word)
    }

    /// Skips blanks and comments: `//`, `;` and `#` up to the end of the line, and `/* */`.
    fn skip_blanks(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            let rest = &self.bytes[self.at..];
            if byte == b'\n' {
                self.at += 1;
                self.line += 1;
                self.line_start = self.at;
                self.is_fresh = true;
            } else if byte <= b' ' {
                self.at += 1;
            } else if rest.starts_with(b"/*") {
                let length = memchr::memmem::find(&rest[2..], b"*/").map_or(rest.len(), |end| end + 4);
                let comment = &rest[..length];
                let breaks = memchr::memchr_iter(b'\n', comment).count();
                if let Some(last) = memchr::memrchr(b'\n', comment) {
                    self.line += breaks as u32;
                    self.line_start = self.at + last + 1;
                    self.is_fresh = true;
                }
                self.at += length;
            } else if matches!(byte, b';' | b'#') || rest.starts_with(b"//") {
                self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            } else {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, include: &mut Include) -> Vec<String> {
        let mut words = Words::new("a.qc", text.as_bytes().to_vec(), include);
        let mut list = Vec::new();
        while let Some(word) = words.word() {
            let mark = if word.begins_line { "|" } else { "" };
            list.push(format!("{mark}{}", word.text));
        }
        list.extend(words.findings.diagnostics.iter().map(|finding| finding.to_string()));
        list
    }

    #[test]
    fn words_know_their_lines_and_comments_are_no_words() {
        let text = "$body a \"b c\" // d\n/* x\n*/ $scale 2 ; e\n\t# f\n{\"g\"}";
        assert_eq!(words(text, &mut |_| Err(Vec::new())), ["|$body", "a", "b c", "|$scale", "2", "|{", "g", "}"]);
    }

    #[test]
    fn an_include_stands_for_its_words() {
        let mut include = |name: &str| Ok((name.to_string(), b"$cd x".to_vec()));
        assert_eq!(words("$include \"b.qci\"\n$cd y", &mut include), ["|$cd", "x", "|$cd", "y"]);
    }

    #[test]
    fn a_script_that_includes_itself_ends() {
        let mut include = |name: &str| Ok((name.to_string(), b"$include a.qc\n$include b.qc\n$cd x".to_vec()));
        let found = words("$include b.qc\n$cd y", &mut include);
        assert_eq!(found[..4], ["|$cd", "x", "|$cd", "y"]);
        assert_eq!(found.len(), 6);
        assert!(found[4].contains("MAX_INCLUDES"), "{found:?}");
    }

    #[test]
    fn a_missing_quote_costs_its_line_only() {
        let found = words("$cd \"a b\n$scale 2", &mut |_| Err(Vec::new()));
        assert_eq!(found[..4], ["|$cd", "a b", "|$scale", "2"]);
        assert_eq!(found[4], "a.qc:1:5: expected a quote at the end of the word, found the end of the line");
    }
}
