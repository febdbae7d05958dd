//! The dropped files, by path: in go bytes, out come the files that a game would find under the names its models use.

mod archive;
mod lookup;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hashbrown::HashMap;

use crate::report::{At, Diagnostic, Report, Result};

pub use archive::{Stored, Unpacked};
pub use lookup::{IMAGE_EXTENSIONS, Lookup};

/// Files by path. Paths are kept as given; look-ups go by [`key`]: case-blind, with either slash.
///
/// What lies in an archive (.pk3, .pk4, .zip, .pak, known by its first bytes) is listed beside the loose files under its path
/// inside the archive, as the games mount it: a loose file wins over an archive's, an archive wins over those whose names
/// sort before its own. Nothing is unpacked before it is read.
#[derive(Default)]
pub struct Bundle {
    /// By [`key`]; the last of each list is the one that is seen.
    files: BTreeMap<String, Vec<File>>,
    /// The same keys, last part first and with NUL between the parts: all paths that end alike stand together.
    endings: BTreeSet<String>,
    /// [`key`]s of the archives that were dropped and opened.
    archives: BTreeSet<String>,
    /// A file that is being added piece by piece.
    pending: Option<(String, Vec<u8>)>,
    /// Grows while files are read, too: what an archive holds is only looked at then.
    report: RefCell<Report>,
    missed: RefCell<Vec<Vec<String>>>,
    /// What came of searches among many files, until files change.
    searched: RefCell<HashMap<lookup::Question, Option<String>>>,
}

/// More missing files than this are not remembered: a model that names so many has lost its whole tree.
const MOST_MISSED: usize = 256;

struct File {
    /// As it was added; in archives with `/` between the parts.
    path: String,
    /// Path of the archive, or of the archive and the one inside it. `None` for a loose file.
    archive: Option<Arc<str>>,
    packed: archive::Packed,
    /// The loose file or the whole archive.
    bytes: Arc<Vec<u8>>,
}

impl File {
    /// What decides between files of one path: the greatest is seen.
    fn rank(&self) -> (bool, Option<String>) {
        (self.archive.is_none(), self.archive.as_deref().map(key))
    }
}

/// The form in which paths are compared: lower case, `/` between the parts, without `.` parts and a leading slash.
pub fn key(path: &str) -> String {
    let mut key = String::with_capacity(path.len());
    for part in path.split(['/', '\\']) {
        if part.is_empty() || part == "." {
            continue;
        }
        if !key.is_empty() {
            key.push('/');
        }
        key.extend(part.chars().map(lower_letter));
    }
    key
}

/// In lower case, as names are compared. The games fold A to Z, file systems more; these are the letters of Latin, Greek and
/// Cyrillic, since the standard library's tables of all scripts take 12 KB.
pub fn lower(text: &str) -> String {
    text.chars().map(lower_letter).collect()
}

fn lower_letter(letter: char) -> char {
    let code = u32::from(letter);
    let lower = match code {
        0x41..=0x5A | 0xC0..=0xD6 | 0xD8..=0xDE | 0x391..=0x3A1 | 0x3A3..=0x3AB | 0x410..=0x42F => code + 0x20,
        0x400..=0x40F => code + 0x50,
        // Capitals and small letters in turn.
        0x100..=0x12F | 0x132..=0x137 | 0x14A..=0x177 | 0x460..=0x481 | 0x48A..=0x4BF | 0x4D0..=0x52F => code | 1,
        0x1E00..=0x1E95 | 0x1EA0..=0x1EFF => code | 1,
        0x139..=0x148 | 0x179..=0x17E | 0x4C1..=0x4CE => code + (code & 1),
        0x178 => 0xFF,
        0x386 => 0x3AC,
        0x388..=0x38A => code + 0x25,
        0x38C => 0x3CC,
        0x38E..=0x38F => code + 0x3F,
        0x4C0 => 0x4CF,
        _ => code,
    };
    char::from_u32(lower).unwrap_or(letter)
}

/// The folder part of a path with its final slash, or nothing: `models/x.md3` gives `models/`.
pub fn folder(path: &str) -> &str {
    &path[..path.rfind(['/', '\\']).map_or(0, |slash| slash + 1)]
}

/// The file's name without its folder.
pub fn file_name(path: &str) -> &str {
    &path[folder(path).len()..]
}

/// The file's name without folder and extension.
pub fn stem(path: &str) -> &str {
    let name = file_name(path);
    &name[..name.rfind('.').unwrap_or(name.len())]
}

/// The extension in lower case, without its dot; empty where there is none.
pub fn extension(path: &str) -> String {
    let name = file_name(path);
    name.rfind('.').map_or(String::new(), |dot| lower(&name[dot + 1..]))
}

/// Text of unknown age: UTF-8 where it is that, else Latin-1.
pub fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_string(),
        Err(_) => bytes.iter().map(|&byte| byte as char).collect(),
    }
}

impl Bundle {
    /// Adds a file; one with the same path (case and slashes aside) is replaced. An archive is opened instead of being listed;
    /// what is wrong with it goes to [`Bundle::report`].
    pub fn add(&mut self, path: &str, bytes: Vec<u8>) {
        let whole = archive::Packed::plain(0..bytes.len());
        self.drop_archive(path);
        self.missed.get_mut().clear();
        self.searched.get_mut().clear();
        let mut budget = archive::Budget::of(bytes.len());
        self.insert(path, None, whole, Arc::new(bytes), 0, &mut budget);
    }

    /// Starts a file of `size` bytes that comes in pieces: [`Bundle::append`] each, then [`Bundle::finish`]. The room for it is
    /// taken once, so a large archive is never in memory twice.
    pub fn begin(&mut self, path: &str, size: usize) {
        let mut bytes = Vec::new();
        if bytes.try_reserve_exact(size).is_err() {
            self.note(path, Diagnostic::error(At::File, "a file that fits into the memory", format!("{size} bytes")));
            self.pending = None;
            return;
        }
        self.pending = Some((path.to_string(), bytes));
    }

    /// The next piece of the file that was begun.
    pub fn append(&mut self, piece: &[u8]) {
        if let Some((_, bytes)) = &mut self.pending {
            bytes.extend_from_slice(piece);
        }
    }

    /// Adds the file that was begun.
    pub fn finish(&mut self) {
        if let Some((path, bytes)) = self.pending.take() {
            self.add(&path, bytes);
        }
    }

    /// Every path as it was added, sorted by its key. Archives are not among them; their contents are.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.values().filter_map(|files| files.last()).map(|file| file.path.as_str())
    }

    /// The same, but only what lies in a folder or deeper. Costs what is found, not what there is.
    pub fn paths_below(&self, folder: &str) -> impl Iterator<Item = &str> {
        let mut start = key(folder);
        if !start.is_empty() {
            start.push('/');
        }
        let files = self.files.range(start.clone()..).take_while(move |(key, _)| key.starts_with(&start));
        files.filter_map(|(_, files)| files.last()).map(|file| file.path.as_str())
    }

    /// The path as it was added, if the file is there.
    pub fn find(&self, path: &str) -> Option<&str> {
        self.seen(path).map(|file| file.path.as_str())
    }

    /// Path of the archive that the file is read from; `None` for a loose file, or where there is none.
    pub fn archive_of(&self, path: &str) -> Option<&str> {
        self.seen(path)?.archive.as_deref()
    }

    /// The file's bytes; `None` where there is no such file. What lies in an archive is unpacked here; if that fails, the
    /// report says why.
    pub fn read(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        let file = self.seen(path)?;
        match archive::unpack(&file.packed, &file.bytes) {
            Ok(unpacked) => {
                if let Some(warning) = unpacked.warning {
                    self.note(&file.full_path(), warning);
                }
                Some(unpacked.bytes)
            }
            Err(error) => {
                self.note(&file.full_path(), error);
                None
            }
        }
    }

    /// The file as it is stored, for those who unpack it elsewhere. `None` where there is no such file; an error where its
    /// archive holds it in a way that is not read.
    pub fn stored(&self, path: &str) -> Option<Result<Stored<'_>>> {
        let file = self.seen(path)?;
        Some(file.packed.stored(&file.bytes).map_err(|error| error.in_file(&file.full_path())))
    }

    /// The size of the file once it is read, as its archive says.
    pub fn size(&self, path: &str) -> Option<usize> {
        self.seen(path).map(|file| file.packed.size)
    }

    /// What was wrong with the archives so far.
    pub fn report(&self) -> Report {
        self.report.borrow().clone()
    }

    /// What [`Bundle::resolve`] has looked for in vain since the last file was added: for each the paths that would do, the likeliest
    /// first. So whoever can get more files, from a server for instance, knows which.
    pub fn missed(&self) -> Vec<Vec<String>> {
        self.missed.borrow().clone()
    }

    fn remember_missed(&self, tried: &[String]) {
        let mut missed = self.missed.borrow_mut();
        if missed.len() < MOST_MISSED && !tried.is_empty() && !missed.iter().any(|known| known == tried) {
            missed.push(tried.to_vec());
        }
    }

    fn seen(&self, path: &str) -> Option<&File> {
        self.files.get(&key(path))?.last()
    }

    /// Each finding once, however often the file is read.
    fn note(&self, path: &str, finding: Box<Diagnostic>) {
        let finding = finding.in_file(path);
        let mut report = self.report.borrow_mut();
        if !report.diagnostics.contains(&finding) {
            report.push(finding);
        }
    }

    /// Forgets what an archive of this path held before.
    fn drop_archive(&mut self, path: &str) {
        let outer = key(path);
        if !self.archives.remove(&outer) {
            return;
        }
        let inner = format!("{outer}/");
        let is_from = |file: &File| {
            file.archive.as_deref().map(key).is_some_and(|archive| archive == outer || archive.starts_with(&inner))
        };
        self.files.retain(|_, files| {
            files.retain(|file| !is_from(file));
            !files.is_empty()
        });
        self.endings = self.files.keys().map(|key| lookup::ending(key)).collect();
    }

    /// Lists a file, or what it holds if it is an archive. `depth` counts the archives around it.
    fn insert(
        &mut self,
        path: &str,
        archive: Option<Arc<str>>,
        packed: archive::Packed,
        bytes: Arc<Vec<u8>>,
        depth: usize,
        budget: &mut archive::Budget,
    ) {
        let file = File { path: path.to_string(), archive, packed, bytes };
        if archive::is_named_so(path) || (depth == 0 && archive::is_surely_one(&file.bytes)) {
            match depth {
                0 | 1 => return self.open(file, depth, budget),
                _ if budget.warn_of_depth() => self.note(
                    &file.full_path(),
                    Diagnostic::warning(At::File, "no archive in an archive in an archive", "one")
                        .engine("The games look into no archive inside another; Rigview looks into one."),
                ),
                _ => {}
            }
        }
        let key = key(path);
        if key.is_empty() {
            return;
        }
        self.endings.insert(lookup::ending(&key));
        let files = self.files.entry(key).or_default();
        let rank = file.rank();
        files.retain(|other| other.rank() != rank);
        let at = files.partition_point(|other| other.rank() < rank);
        files.insert(at, file);
    }

    fn open(&mut self, file: File, depth: usize, budget: &mut archive::Budget) {
        if budget.is_spent() {
            return;
        }
        let name: Arc<str> = file.full_path().into();
        if depth == 0 {
            self.archives.insert(key(&name));
        }
        // An archive that is stored as it is stays where it is; one that is packed has to be unpacked to be listed.
        let (bytes, within) = if file.packed.is_plain() {
            (file.bytes.clone(), file.packed.range.clone())
        } else {
            let unpacked = budget.unpack(file.packed.size).and_then(|()| archive::unpack(&file.packed, &file.bytes));
            match unpacked {
                Ok(unpacked) => {
                    if let Some(warning) = unpacked.warning {
                        self.note(&name, warning);
                    }
                    let bytes = unpacked.bytes.into_owned();
                    let all = 0..bytes.len();
                    (Arc::new(bytes), all)
                }
                Err(error) => return self.note(&name, error),
            }
        };
        let mut findings = Report::default();
        let listed = archive::list(&bytes[within.clone()], budget, &mut findings);
        for finding in findings.diagnostics {
            self.note(&name, Box::new(finding));
        }
        match listed {
            Ok(entries) => {
                for (path, mut packed) in entries {
                    packed.range = packed.range.start + within.start..packed.range.end + within.start;
                    self.insert(&path, Some(name.clone()), packed, bytes.clone(), depth + 1, budget);
                }
            }
            Err(error) => self.note(&name, error),
        }
    }
}

impl File {
    /// With the archive in front, for reports.
    fn full_path(&self) -> String {
        match &self.archive {
            Some(archive) => format!("{archive}/{}", self.path),
            None => self.path.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::lower;

    #[test]
    fn letters_of_latin_greek_and_cyrillic_are_folded_as_the_standard_library_folds_them() {
        let letters = ('\0'..='\u{17E}').chain('\u{386}'..='\u{3CE}');
        let letters = letters.chain('\u{400}'..='\u{52F}').chain('\u{1E00}'..='\u{1EFF}');
        // A capital I with its dot becomes two letters, the capital sharp s a common one.
        for letter in letters.filter(|letter| !['\u{130}', '\u{1E9E}'].contains(letter)) {
            assert_eq!(lower(&letter.to_string()), letter.to_string().to_lowercase(), "{letter}");
        }
    }
}
