//! Windows bitmaps: in come a file's bytes, out come pixels. 1 to 32 bits, palettes, channel masks, RLE.

use super::{Canvas, Channel, Image, Palette, cut_header, u16_at, u32_at};
use crate::report::{At, Diagnostic, Result};

const FILE_HEADER: usize = 14;
const BI_RGB: u32 = 0;
const BI_RLE8: u32 = 1;
const BI_RLE4: u32 = 2;
const BI_BITFIELDS: u32 = 3;
const BI_ALPHABITFIELDS: u32 = 6;

/// "BM", and the size of one of the headers that exist.
pub fn probe(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BM") && matches!(u32_at(bytes, FILE_HEADER), Some(12 | 16..=124))
}

pub fn decode(bytes: &[u8], hole: Option<u8>) -> Result<Image> {
    let info_size = u32_at(bytes, FILE_HEADER).unwrap_or_default() as usize;
    if !probe(bytes) {
        return Err(Diagnostic::error(At::File, "`BM` and a header of 12 to 124 bytes", format!("one of {info_size}")));
    }
    let header = bytes.get(..FILE_HEADER + info_size).ok_or_else(|| cut_header(bytes, FILE_HEADER + info_size))?;
    // The first OS/2 header has 16-bit sizes, no compression and three bytes a colour.
    let old = info_size < 16;
    let dword = |at| u32_at(header, at).unwrap_or_default();
    let word = |at| u16_at(header, at).unwrap_or_default();
    let (width, height, bits) = match old {
        true => (i32::from(word(18)), i32::from(word(20)), word(24)),
        false => (dword(18) as i32, dword(22) as i32, word(28)),
    };
    let compression = if old { BI_RGB } else { dword(30) };
    let mut canvas = Canvas::new(u32::try_from(width).unwrap_or(0), height.unsigned_abs(), bytes.len(), 18)?;
    canvas.bottom_up = height > 0;

    let known = match compression {
        BI_RGB => matches!(bits, 1 | 2 | 4 | 8 | 16 | 24 | 32),
        BI_RLE8 => bits == 8,
        BI_RLE4 => bits == 4,
        BI_BITFIELDS | BI_ALPHABITFIELDS => matches!(bits, 16 | 32),
        _ => false,
    };
    if !known {
        let found = format!("{bits} bits with compression {compression}");
        return Err(Diagnostic::error(At::Byte(28), "1 to 32 bits, plain, RLE or by masks", found));
    }

    // The masks are part of the later headers and follow the first; the palette follows both.
    let mut after = FILE_HEADER + info_size;
    let channels = match (compression, bits) {
        (BI_BITFIELDS | BI_ALPHABITFIELDS, _) => {
            let alpha = info_size >= 56 || compression == BI_ALPHABITFIELDS;
            if info_size == 40 {
                after += if alpha { 16 } else { 12 };
            }
            let mask = |i: usize| u32_at(bytes, FILE_HEADER + 40 + 4 * i).unwrap_or_default();
            [mask(0), mask(1), mask(2), if alpha { mask(3) } else { 0 }]
        }
        (_, 16) => [0x7c00, 0x3e0, 0x1f, 0],
        _ => [0xff0000, 0xff00, 0xff, 0],
    }
    .map(Channel::new);
    let pixels_at = match u32_at(bytes, 10).unwrap_or_default() as usize {
        at if at >= after && at < bytes.len() => at,
        _ => after,
    };
    let between = bytes.get(after..).unwrap_or_default();
    let most = if bits <= 8 { 1 << bits } else { 0 };
    let count = match dword(46) as usize {
        used @ 1.. if !old && used < most => used,
        _ => most,
    };
    let (entry, count) = if old { (3, count) } else { (4, count) };
    let stored = &between[..between.len().min(count * entry)];
    let stored = if pixels_at > after { &stored[..stored.len().min(pixels_at - after)] } else { stored };
    let mut palette = Palette::new(stored.chunks_exact(entry).map(|c| [c[2], c[1], c[0], 255]), hole);
    let pixels_at = if pixels_at == after { after + stored.len() } else { pixels_at };

    let data = bytes.get(pixels_at..).unwrap_or_default();
    match compression {
        BI_RLE8 | BI_RLE4 => unpack(data, compression == BI_RLE4, &mut palette, &mut canvas),
        _ => {
            let (width, bits) = (canvas.width, usize::from(bits));
            // Rows are padded to four bytes; the last one need not be there whole.
            for row in data.chunks((width * bits).div_ceil(32) * 4).take(canvas.height) {
                for x in 0..width.min(row.len() * 8 / bits) {
                    let at = x * bits / 8;
                    canvas.push(match bits {
                        24 => [row[at + 2], row[at + 1], row[at], 255],
                        16 | 32 => {
                            let pixel = match bits {
                                16 => u32::from(u16_at(row, at).unwrap_or_default()),
                                _ => u32_at(row, at).unwrap_or_default(),
                            };
                            let [r, g, b, a] = channels;
                            [r.of(pixel, 0), g.of(pixel, 0), b.of(pixel, 0), a.of(pixel, 255)]
                        }
                        _ => palette.colour(usize::from(row[at] >> (8 - bits - x * bits % 8)) & ((1 << bits) - 1)),
                    });
                }
            }
        }
    }
    let mut image = canvas.finish()?;
    palette.warn(&mut image, "palette");
    if bits != 8 || compression != BI_RGB {
        image.game_notes.push("Half-Life's studiomdl takes plain 8-bit BMP files only");
    }
    Ok(image)
}

/// Pairs of a count and a byte; a count of 0 starts an escape. Pixels that are stepped over get colour 0.
fn unpack(data: &[u8], nibbles: bool, palette: &mut Palette, canvas: &mut Canvas) {
    let (mut x, mut y) = (0, 0);
    let mut data = data.iter().copied();
    // `bytes` hold `count` pixels, one after the other.
    let mut put = |x: usize, y: usize, count: usize, bytes: &[u8]| {
        let at = y * canvas.width + x;
        let gap = at.saturating_sub(canvas.pixels.len());
        // A few bytes can step over much: no further than what a file of this size may claim.
        if gap > 0 && at > canvas.unproven {
            return;
        }
        canvas.repeat(palette.colour(0), gap);
        for i in 0..count.min(canvas.width.saturating_sub(x)) {
            let index = match (nibbles, i % 2) {
                (false, _) => bytes[i % bytes.len()],
                (true, 0) => bytes[i / 2 % bytes.len()] >> 4,
                (true, _) => bytes[i / 2 % bytes.len()] & 15,
            };
            canvas.push(palette.colour(usize::from(index)));
        }
    };
    while let (Some(count), Some(value)) = (data.next(), data.next()) {
        match (count, value) {
            (0, 0) => (x, y) = (0, y + 1),
            (0, 1) => break,
            (0, 2) => {
                let (Some(right), Some(down)) = (data.next(), data.next()) else { break };
                (x, y) = (x + usize::from(right), y + usize::from(down));
            }
            (0, count) => {
                let count = usize::from(count);
                let size = if nibbles { count.div_ceil(2) } else { count };
                let bytes: Vec<u8> = data.by_ref().take(size).collect();
                if bytes.len() < size {
                    break;
                }
                if size % 2 == 1 {
                    data.next();
                }
                put(x, y, count, &bytes);
                x += count;
            }
            (count, value) => {
                put(x, y, usize::from(count), &[value]);
                x += usize::from(count);
            }
        }
    }
}
