//! Files that come piece by piece, and go back as they came. The element of other pages does without.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use super::files::Files;

#[wasm_bindgen]
impl Files {
    /// Starts a file that arrives piece by piece, so that a large one is never held twice. Throws where there is no room.
    pub fn begin(&self, path: &str, size: u32) -> Result<FileWriter, JsError> {
        let mut bytes = Vec::new();
        match bytes.try_reserve_exact(size as usize) {
            Ok(()) => Ok(FileWriter { files: self.clone(), path: path.to_string(), bytes }),
            Err(_) => Err(JsError::new(&format!("{path}: no room for {size} bytes in the browser's memory"))),
        }
    }

    /// A copy of a file's bytes, unpacked where it lies in an archive.
    pub fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.0.borrow().read(path).map(|bytes| bytes.into_owned())
    }
}

/// A file that is being added: see `Files.begin`.
#[wasm_bindgen]
pub struct FileWriter {
    files: Files,
    path: String,
    bytes: Vec<u8>,
}

#[wasm_bindgen]
impl FileWriter {
    pub fn write(&mut self, chunk: &Uint8Array) {
        let start = self.bytes.len();
        self.bytes.resize(start + chunk.length() as usize, 0);
        chunk.copy_to(&mut self.bytes[start..]);
    }

    /// The file is whole now, and takes its place among the others.
    pub fn finish(self) {
        self.files.0.borrow_mut().add(&self.path, self.bytes);
    }
}
