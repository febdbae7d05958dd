//! The dropped files, by path: in go bytes, out come the files that a game would find under the names its models use.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// Files by path. Paths are kept as given; look-ups go by [`key`]: case-blind, with either slash.
#[derive(Default)]
pub struct Bundle {
    files: BTreeMap<String, File>,
}

struct File {
    /// As it was added.
    path: String,
    bytes: Vec<u8>,
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
        key.extend(part.chars().flat_map(char::to_lowercase));
    }
    key
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
    name.rfind('.').map_or(String::new(), |dot| name[dot + 1..].to_lowercase())
}

impl Bundle {
    /// Adds a file; one with the same path (case and slashes aside) is replaced.
    pub fn add(&mut self, path: &str, bytes: Vec<u8>) {
        self.files.insert(key(path), File { path: path.to_string(), bytes });
    }

    /// Every path as it was added, sorted by its key.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.values().map(|file| file.path.as_str())
    }

    /// The path as it was added, if the file is there.
    pub fn find(&self, path: &str) -> Option<&str> {
        self.files.get(&key(path)).map(|file| file.path.as_str())
    }

    /// The file's bytes; `None` where there is no such file. What lies in an archive is unpacked here.
    pub fn read(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.files.get(&key(path)).map(|file| Cow::Borrowed(file.bytes.as_slice()))
    }
}
