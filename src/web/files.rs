//! The dropped files, as JavaScript holds them.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;

use super::object::{Object, strings};
use crate::bundle::{Bundle, Stored};
use crate::open;

/// Files by path. Archives are looked into.
#[wasm_bindgen]
#[derive(Clone, Default)]
pub struct Files(pub(super) Rc<RefCell<Bundle>>);

#[wasm_bindgen]
impl Files {
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file; one with the same path is replaced. The bytes are copied once.
    pub fn add(&self, path: &str, bytes: Vec<u8>) {
        self.0.borrow_mut().add(path, bytes);
    }

    /// Every path there is.
    #[wasm_bindgen(getter, unchecked_return_type = "string[]")]
    pub fn paths(&self) -> Array {
        strings(self.0.borrow().paths())
    }

    /// Everything among the files that `Model.open` could show, the likeliest first.
    #[wasm_bindgen(getter, unchecked_return_type = "{ path: string; format: string; whole: boolean }[]")]
    pub fn candidates(&self) -> Array {
        let candidates = open::candidates(&self.0.borrow());
        let row = |candidate: open::Candidate| -> JsValue {
            Object::new()
                .set("path", candidate.path)
                .set("format", candidate.format)
                .set("whole", candidate.whole)
                .into()
        };
        candidates.into_iter().map(row).collect::<Array<JsValue>>()
    }

    /// What opening a model has looked for in vain since the last file was added: for each file the paths that would do, the
    /// likeliest first.
    #[wasm_bindgen(getter, unchecked_return_type = "string[][]")]
    pub fn missed(&self) -> Array {
        self.0.borrow().missed().iter().map(|tried| -> JsValue { strings(tried).into() }).collect::<Array<JsValue>>()
    }

    /// A copy of a file as it is stored, to be unpacked by `unpackFile`. Throws where its archive holds it in a way that is
    /// not read.
    #[wasm_bindgen(js_name = readStored, unchecked_return_type = "StoredFile | undefined")]
    pub fn read_stored(&self, path: &str) -> Result<JsValue, JsError> {
        let bundle = self.0.borrow();
        let Some(stored) = bundle.stored(path) else { return Ok(JsValue::UNDEFINED) };
        let stored = stored.map_err(|error| JsError::new(&error.to_string()))?;
        Ok(Object::new()
            .set("bytes", Uint8Array::from(stored.bytes))
            .set("deflated", stored.is_deflated)
            .set("size", stored.size as f64)
            .set("most", stored.most as f64)
            .set_some("crc", stored.crc)
            .into())
    }
}

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A file as it lies in its archive, for `unpackFile`. */
export interface StoredFile {
    bytes: Uint8Array;
    deflated: boolean;
    /** Once unpacked. */
    size: number;
    /** No file of this archive may unpack to more. */
    most: number;
    crc?: number;
}
"#;

/// Unpacks what `Files.readStored` gave; done in a worker, it holds up no page. Throws where the file is damaged too much.
#[wasm_bindgen(js_name = unpackFile, unchecked_return_type = "{ bytes: Uint8Array; warning?: string }")]
pub fn unpack_file(
    path: &str,
    bytes: &[u8],
    deflated: bool,
    size: usize,
    most: usize,
    crc: Option<u32>,
) -> Result<JsValue, JsError> {
    let unpacked = Stored { bytes, is_deflated: deflated, size, most, crc }.unpack();
    let unpacked = unpacked.map_err(|error| JsError::new(&error.in_file(path).to_string()))?;
    let warning = unpacked.warning.map(|warning| warning.in_file(path).to_string());
    let bytes = Uint8Array::from(&*unpacked.bytes);
    Ok(Object::new().set("bytes", bytes).set_some("warning", warning).into())
}
