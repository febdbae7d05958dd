//! Images as JavaScript sees them: in go a file's bytes, out come pixels, or the word that the browser can decode it itself.

use js_sys::{Array, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;

use super::object::{Object, strings};
use crate::image::{self, Alpha, Image, program::Program};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Pixels, top row first, four bytes each, colours not multiplied by alpha. */
export interface DecodedImage {
    width: number;
    height: number;
    rgba: Uint8Array;
    /** What is wrong with the file and how it is shown all the same. */
    warnings: string[];
    /** Where a game shows the file differently, or refuses it. */
    gameNotes: string[];
}
"#;

/// What kind of image the bytes are, by content first; `mediaType` where the browser decodes it.
#[wasm_bindgen(js_name = imageKind, unchecked_return_type = "{ name: string; mediaType?: string } | undefined")]
pub fn image_kind(name: &str, bytes: &[u8]) -> JsValue {
    let Some(kind) = image::guess(name, bytes) else { return JsValue::UNDEFINED };
    Object::new().set("name", kind.name()).set_some("mediaType", kind.browser_type()).into()
}

/// Decodes TGA, PCX, BMP, DDS and WAL. `maskedIndex`: this index of an 8-bit palette is a hole. Throws where there is nothing
/// to show.
#[wasm_bindgen(js_name = decodeImage, unchecked_return_type = "DecodedImage")]
pub fn decode_image(
    name: &str,
    bytes: &[u8],
    #[wasm_bindgen(js_name = maskedIndex)] masked_index: Option<u8>,
) -> Result<JsValue, JsError> {
    match image::decode_masked(name, bytes, masked_index) {
        Ok(image) => Ok(object(image)),
        Err(error) => Err(JsError::new(&error.to_string())),
    }
}

/// Computes an image as Doom 3's materials do: `addnormals(a, heightmap(b, 4))`. `images`: those that the program names, in its
/// order; `undefined` for one that is missing. Throws where nothing comes of it.
#[wasm_bindgen(js_name = composeImage, unchecked_return_type = "DecodedImage")]
pub fn compose_image(
    program: &str,
    #[wasm_bindgen(unchecked_param_type = "({ width: number; height: number; rgba: Uint8Array } | undefined)[]")]
    images: Array,
) -> Result<JsValue, JsError> {
    let program = Program::parse(program).map_err(|error| JsError::new(&error.to_string()))?;
    let mut given = images.iter();
    let image = program.evaluate(&mut |_| image_of(given.next()?));
    image.map(object).ok_or_else(|| JsError::new(&format!("nothing comes of {program}: its images are missing")))
}

fn image_of(value: JsValue) -> Option<Image> {
    let field = |name: &str| Reflect::get(&value, &name.into()).ok();
    let (width, height) = (field("width")?.as_f64()? as u32, field("height")?.as_f64()? as u32);
    let rgba = field("rgba")?.dyn_into::<Uint8Array>().ok()?.to_vec();
    let fits = rgba.len() as u64 == u64::from(width) * u64::from(height) * 4 && !rgba.is_empty();
    fits.then(|| Image { width, height, rgba, alpha: Alpha::Used, warnings: Vec::new(), game_notes: Vec::new() })
}

fn object(image: Image) -> JsValue {
    Object::new()
        .set("width", image.width)
        .set("height", image.height)
        .set("rgba", Uint8Array::from(image.rgba.as_slice()))
        .set("warnings", strings(&image.warnings))
        .set("gameNotes", strings(&image.game_notes))
        .into()
}
