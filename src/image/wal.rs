//! Quake II's wall textures: in come a file's bytes, out come the pixels of the largest level.

use super::{Canvas, Image, Palette, cut_header, u32_at};
use crate::report::Result;

/// Name, width, height, four offsets, next frame, flags, contents, value.
const HEADER: usize = 100;
/// pics/colormap.pcx of the game: 256 times red, green, blue. The files name its colours and bring no palette.
const QUAKE2: &[u8; 768] = include_bytes!("quake2.pal");

/// No magic number: the first level follows the header, and the second, of a quarter of the size, follows the first.
pub fn probe(bytes: &[u8]) -> bool {
    let field = |i: usize| u32_at(bytes, 32 + 4 * i).unwrap_or_default();
    let (width, height) = (field(0), field(1));
    matches!((width, height), (1..=4096, 1..=4096))
        && field(2) as usize == HEADER
        && field(3) as usize == HEADER + (width * height) as usize
}

pub fn decode(bytes: &[u8], hole: Option<u8>) -> Result<Image> {
    let (Some(width), Some(height), Some(offset)) = (u32_at(bytes, 32), u32_at(bytes, 36), u32_at(bytes, 40)) else {
        return Err(cut_header(bytes, HEADER));
    };
    let mut canvas = Canvas::new(width, height, bytes.len(), 32)?;
    let mut palette = Palette::from_rgb(QUAKE2, hole);
    for &index in bytes.get(offset as usize..).unwrap_or_default().iter().take(canvas.left()) {
        canvas.push(palette.colour(usize::from(index)));
    }
    canvas.finish()
}
