//! The findings about a model, and the error that is thrown when nothing can be shown.

use js_sys::{Array, Reflect};
use wasm_bindgen::prelude::*;

use super::object::Object;
use crate::open::Failure;
use crate::report::{At, Diagnostic, Report};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** One finding: what was expected where, what stands there, what a game makes of it. */
export interface Diagnostic {
    severity: "error" | "warning";
    file: string;
    /** Of a text file, both from 1; the column counts bytes. */
    line?: number;
    column?: number;
    /** Of a binary file: offset from its start. */
    byte?: number;
    /** What was being read, from the outside in: `mesh[0].vert[1]`. May be empty. */
    place: string;
    expected: string;
    found: string;
    /** What a game does about it, as a sentence. */
    engine?: string;
    /** All of it as text, the engine's sentence in a second line. */
    message: string;
}

/** Thrown by `Model.open` when nothing can be shown. */
export interface OpenError extends Error {
    name: "OpenError";
    report: Report;
}
"#;

/// Everything found while opening a model.
#[wasm_bindgen(js_name = Report)]
pub struct JsReport(pub(super) Report);

#[wasm_bindgen(js_class = Report)]
impl JsReport {
    /// In the order of finding.
    #[wasm_bindgen(getter, unchecked_return_type = "Diagnostic[]")]
    pub fn diagnostics(&self) -> Array {
        self.0.diagnostics.iter().map(diagnostic).collect::<Array<JsValue>>()
    }
}

#[cfg(feature = "whole")]
#[wasm_bindgen(js_class = Report)]
impl JsReport {
    /// How many more there were than are listed.
    #[wasm_bindgen(getter, js_name = leftOut)]
    pub fn left_out(&self) -> usize {
        self.0.left_out
    }

    #[wasm_bindgen(js_name = toJSON, unchecked_return_type = "{ diagnostics: Diagnostic[]; leftOut: number }")]
    pub fn to_json(&self) -> JsValue {
        Object::new().set("diagnostics", self.diagnostics()).set("leftOut", self.left_out()).into()
    }

    #[wasm_bindgen(js_name = toString)]
    #[allow(clippy::inherent_to_string)] // JavaScript's name for it.
    pub fn to_text(&self) -> String {
        self.0.to_string()
    }
}

fn diagnostic(diagnostic: &Diagnostic) -> JsValue {
    let object = Object::new().set("severity", diagnostic.severity.name()).set("file", &diagnostic.file);
    let object = match diagnostic.at {
        At::File => object,
        At::Text { line, column } => object.set("line", line).set("column", column),
        At::Byte(offset) => object.set("byte", offset as f64),
    };
    object
        .set("place", &diagnostic.place)
        .set("expected", &*diagnostic.expected)
        .set("found", &diagnostic.found)
        .set_some("engine", diagnostic.engine.as_deref())
        .set("message", diagnostic.to_string())
        .into()
}

/// An `OpenError` with `message` and `report`.
pub fn open_error(failure: Failure) -> JsValue {
    let error = js_sys::Error::new(&failure.error.to_string());
    error.set_name("OpenError");
    let _ = Reflect::set(&error, &"report".into(), &JsReport(failure.report).into());
    error.into()
}
