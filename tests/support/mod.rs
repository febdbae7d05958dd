//! What several test files share.
#![allow(dead_code, reason = "each test file uses its part")]

pub mod dump;

use std::fs;
use std::path::{Path, PathBuf};

/// A path in the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A path in the folder of real models and worked cases that lies beside the repository on some machines. Where it does not, this
/// says so and the test is to return.
pub fn shared(path: &str) -> Option<PathBuf> {
    let folder = repository("../shared");
    if !folder.is_dir() {
        eprintln!("skipped: no {}", folder.display());
        return None;
    }
    Some(folder.join(path))
}

/// Every file below a folder, sorted.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

/// The folders in a folder, sorted.
pub fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut folders: Vec<_> = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

pub fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
