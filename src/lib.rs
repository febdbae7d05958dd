//! Rigview: models of Doom 3, Quake III, Half-Life and Source, from the bytes of dropped files to pixels.
//!
//! The rooms, each using only those before it (`tests/rooms.rs` holds the walls):
//! `number`, `sort`, `report` ← `bundle` ← `image`, `material` ← `model` ← `format` ← `anim` ← `skin` ← `figure` ← `open` ← `check` ← `stage` ← `render` ← `web`.

#[cfg(all(target_arch = "wasm32", not(target_feature = "simd128")))]
compile_error!("build with -Ctarget-feature=+simd128: a RUSTFLAGS variable hides what .cargo/config.toml says");

pub mod anim;
pub mod bundle;
#[cfg(feature = "check")]
pub mod check;
pub mod figure;
pub mod format;
pub mod image;
pub mod material;
pub mod model;
pub mod number;
pub mod open;
pub mod report;
pub mod skin;
pub mod sort;
pub mod stage;

#[cfg(target_arch = "wasm32")]
pub mod render;
#[cfg(target_arch = "wasm32")]
pub mod web;
