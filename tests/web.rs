//! In: a browser. Out: proof that what Rigview stands on is there: wasm SIMD, and WebGL 2 that draws a pixel we can read back.
#![cfg(target_arch = "wasm32")]
#![expect(unsafe_code, reason = "glow's calls are unsafe; the renderer wraps them, this test looks beneath it")]

#[path = "web/renderer.rs"]
mod renderer;

use core::arch::wasm32::{f32x4, f32x4_add, f32x4_extract_lane, f32x4_splat};
use glow::HasContext;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn simd_adds_four_lanes() {
    let sum = f32x4_add(f32x4(1.0, 2.0, 3.0, 4.0), f32x4_splat(0.5));
    assert_eq!(f32x4_extract_lane::<0>(sum), 1.5);
    assert_eq!(f32x4_extract_lane::<3>(sum), 4.5);
}

#[wasm_bindgen_test]
fn webgl2_clears_a_pixel() {
    let document = web_sys::window().unwrap().document().unwrap();
    let canvas: web_sys::HtmlCanvasElement = document.create_element("canvas").unwrap().unchecked_into();
    let context = canvas.get_context("webgl2").unwrap().expect("WebGL 2 is on");
    let gl = glow::Context::from_webgl2_context(context.unchecked_into());
    let mut pixel = [0; 4];
    // SAFETY: the context is current (WebGL has one a canvas), and `pixel` holds the 1 × 1 × RGBA bytes asked for.
    unsafe {
        gl.clear_color(1.0, 0.0, 0.2, 1.0);
        gl.clear(glow::COLOR_BUFFER_BIT);
        let out = glow::PixelPackData::Slice(Some(&mut pixel));
        gl.read_pixels(0, 0, 1, 1, glow::RGBA, glow::UNSIGNED_BYTE, out);
    }
    assert_eq!(pixel, [255, 0, 51, 255]);
}
