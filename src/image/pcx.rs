//! PCX: in come a file's bytes, out come pixels. One to eight bits in planes or packed, and 24 bits.

use super::{Canvas, Image, Palette, cut_header, u16_at};
use crate::report::{At, Diagnostic, Result};

const HEADER: usize = 128;
/// A 256-colour palette ends the file, with this byte before it.
const PALETTE_MARK: u8 = 0x0c;
const PALETTE: usize = 768;

/// Maker, version, encoding, bits: enough that no TGA looks like it.
pub fn probe(bytes: &[u8]) -> bool {
    matches!(bytes, [10, 0 | 2..=5, 0 | 1, 1 | 2 | 4 | 8, ..])
}

pub fn decode(bytes: &[u8], hole: Option<u8>) -> Result<Image> {
    let header = bytes.first_chunk::<HEADER>().ok_or_else(|| cut_header(bytes, HEADER))?;
    let field = |at| u16_at(header, at).unwrap_or_default();
    let (packed, bits, planes) = (header[2] != 0, usize::from(header[3]), usize::from(header[65]));
    let size = |first, last| (u32::from(field(last)) + 1).saturating_sub(u32::from(field(first)));
    let mut canvas = Canvas::new(size(4, 8), size(6, 10), bytes.len(), 4)?;
    let rgb = bits == 8 && matches!(planes, 3 | 4);
    if !rgb && !matches!((bits, planes), (1, 1..=4) | (2 | 4 | 8, 1)) {
        let found = format!("{planes} planes of {bits} bits");
        return Err(Diagnostic::error(At::Byte(65), "1, 2, 4, 8 or 24 bits a pixel", found));
    }

    // Rows may be longer than the picture is wide. Quake II takes the width for the length and shears such files.
    let plane_length = usize::from(field(66)).max((canvas.width * bits).div_ceil(8));
    let mut data = &bytes[HEADER..];
    let mut stored_palette = None;
    if bits == 8
        && planes == 1
        && let Some((before, [PALETTE_MARK, palette @ ..])) = data.split_last_chunk::<{ PALETTE + 1 }>()
    {
        (data, stored_palette) = (before, Some(palette));
    }
    let grey = stored_palette.is_none() && bits == 8 && !rgb;
    let mut palette = match stored_palette {
        Some(palette) => Palette::from_rgb(palette, hole),
        None if grey => Palette::new((0..=255).map(|grey| [grey, grey, grey, 255]), hole),
        None if bits * planes == 1 => Palette::from_rgb(&[0, 0, 0, 255, 255, 255], hole),
        None => Palette::from_rgb(&header[16..64], hole),
    };

    let mut row = Vec::new();
    let mut run = (0, 0);
    while canvas.left() > 0 && next_row(&mut data, &mut run, packed, planes * plane_length, &mut row) {
        for x in 0..canvas.width {
            canvas.push(if rgb {
                [row[x], row[plane_length + x], row[2 * plane_length + x], 255]
            } else {
                let bit = x * bits;
                let value = |plane: usize| {
                    let byte = row[plane * plane_length + bit / 8];
                    usize::from(byte >> (8 - bits - bit % 8)) & ((1 << bits) - 1)
                };
                palette.colour((0..planes).map(|plane| value(plane) << (plane * bits)).sum())
            });
        }
    }
    let mut image = canvas.finish()?;
    palette.warn(&mut image, "palette");
    if grey {
        image.warnings.push("no palette at the end of the file; shown in grey".to_string());
    }
    if (bits, planes) != (8, 1) {
        image.game_notes.push("Quake II and Quake III read 8-bit PCX files only");
    }
    Ok(image)
}

/// Fills `row` with the next `length` bytes, if the file still holds so many. `run`: a byte and how often it is still to
/// be repeated, for runs that go on into the next row.
fn next_row(data: &mut &[u8], run: &mut (u8, usize), packed: bool, length: usize, row: &mut Vec<u8>) -> bool {
    row.clear();
    while row.len() < length {
        if run.1 == 0 {
            let Some((&byte, rest)) = data.split_first() else { return false };
            (*run, *data) = ((byte, 1), rest);
            if packed && byte >= 0xc0 {
                let Some((&byte, rest)) = data.split_first() else { return false };
                (*run, *data) = ((byte, usize::from(run.0 & 0x3f)), rest);
            }
        }
        let count = run.1.min(length - row.len());
        row.resize(row.len() + count, run.0);
        run.1 -= count;
    }
    true
}
