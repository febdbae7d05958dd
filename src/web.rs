//! In: calls from JavaScript. Out: the JS classes, thin wrappers around the rooms.

#[cfg(feature = "whole")]
mod asked;
#[cfg(feature = "check")]
mod check;
mod figure;
mod files;
mod images;
mod object;
#[cfg(feature = "whole")]
mod pointed;
mod report;
mod viewer;
#[cfg(feature = "whole")]
mod writer;

use wasm_bindgen::prelude::*;

pub use figure::Model;
pub use files::Files;
pub use images::{compose_image, decode_image, image_kind};
pub use report::JsReport;
pub use viewer::Viewer;
#[cfg(feature = "whole")]
pub use writer::FileWriter;

/// Panics are bugs: say where in the console rather than "unreachable".
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// The version of this package, as in Cargo.toml.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The formats that can be read.
#[wasm_bindgen(unchecked_return_type = "{ name: string; extensions: string[] }[]")]
pub fn formats() -> js_sys::Array {
    let row = |format: &crate::format::Format| -> JsValue {
        object::Object::new().set("name", format.name).set("extensions", object::strings(format.extensions)).into()
    };
    crate::format::ALL.iter().map(row).collect::<js_sys::Array<JsValue>>()
}
