//! In: calls from JavaScript. Out: the JS classes, thin wrappers around the rooms.

use wasm_bindgen::prelude::*;

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
