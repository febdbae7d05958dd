//! TGA: in come a file's bytes, out come pixels. Every type in use: mapped, true colour, grey; plain and run-length.

use super::{Canvas, Image, Palette, cut_header, from_5_bits, u16_at};
use crate::report::{At, Diagnostic, Result};

const HEADER: usize = 18;
const TOP_DOWN: u8 = 0x20;
const RIGHT_TO_LEFT: u8 = 0x10;

/// There is no magic number; this asks whether the header makes sense.
pub fn probe(bytes: &[u8]) -> bool {
    let Some(header) = bytes.first_chunk::<HEADER>() else { return false };
    let bits = header[16];
    let fits = match (header[1], header[2]) {
        (1, 1 | 9) => matches!(bits, 8 | 15 | 16) && matches!(header[7], 15 | 16 | 24 | 32),
        (0 | 1, 2 | 10) => matches!(bits, 15 | 16 | 24 | 32),
        (0 | 1, 3 | 11) => matches!(bits, 8 | 16),
        _ => false,
    };
    // The two highest bits of the descriptor say that rows are interleaved, which no writer does.
    fits && header[12..14] != [0, 0] && header[14..16] != [0, 0] && header[17] & 0xc0 == 0
}

/// How the bytes of a pixel, or of an entry of the colour map, are to be read.
#[derive(Clone, Copy)]
enum Layout {
    Grey,
    GreyAlpha,
    /// Five bits a channel; the top bit is alpha only if the file says so (Photoshop and others leave it 0).
    Rgb555 {
        alpha: bool,
    },
    Bgr,
    /// The fourth byte is alpha even where the descriptor counts no attribute bits: Doom 3 and Quake III never look there.
    Bgra,
}

impl Layout {
    fn of(bits: u8, grey: bool, descriptor: u8) -> Option<Self> {
        match (grey, bits) {
            (true, 8) => Some(Self::Grey),
            (true, 16) => Some(Self::GreyAlpha),
            (false, 15) => Some(Self::Rgb555 { alpha: false }),
            (false, 16) => Some(Self::Rgb555 { alpha: descriptor & 15 == 1 }),
            (false, 24) => Some(Self::Bgr),
            (false, 32) => Some(Self::Bgra),
            _ => None,
        }
    }

    fn size(self) -> usize {
        match self {
            Self::Grey => 1,
            Self::GreyAlpha | Self::Rgb555 { .. } => 2,
            Self::Bgr => 3,
            Self::Bgra => 4,
        }
    }

    fn pixel(self, bytes: &[u8]) -> [u8; 4] {
        match (self, bytes) {
            (Self::Grey, &[grey]) => [grey, grey, grey, 255],
            (Self::GreyAlpha, &[grey, alpha]) => [grey, grey, grey, alpha],
            (Self::Rgb555 { alpha }, &[low, high]) => {
                let value = u16::from_le_bytes([low, high]);
                let alpha = if alpha && value >> 15 == 0 { 0 } else { 255 };
                [from_5_bits(value >> 10), from_5_bits(value >> 5), from_5_bits(value), alpha]
            }
            (Self::Bgr, &[b, g, r]) => [r, g, b, 255],
            (Self::Bgra, &[b, g, r, a]) => [r, g, b, a],
            _ => unreachable!("callers give `size` bytes"),
        }
    }
}

/// What a pixel of the file is: a colour or the number of one.
enum Pixels {
    Direct(Layout),
    Mapped { palette: Palette, first: usize, wide: bool },
}

impl Pixels {
    fn size(&self) -> usize {
        match self {
            Pixels::Direct(layout) => layout.size(),
            Pixels::Mapped { wide, .. } => 1 + usize::from(*wide),
        }
    }

    fn pixel(&mut self, bytes: &[u8]) -> [u8; 4] {
        match self {
            Pixels::Direct(layout) => layout.pixel(bytes),
            Pixels::Mapped { palette, first, .. } => {
                let index = bytes.iter().rev().fold(0, |index, &byte| index << 8 | usize::from(byte));
                palette.colour(index.wrapping_sub(*first))
            }
        }
    }
}

pub fn decode(bytes: &[u8], hole: Option<u8>) -> Result<Image> {
    let header = bytes.first_chunk::<HEADER>().ok_or_else(|| cut_header(bytes, HEADER))?;
    let field = |at| usize::from(u16_at(header, at).unwrap_or_default());
    let (id_length, map_kind, kind, bits, descriptor) = (header[0], header[1], header[2], header[16], header[17]);
    let (map_first, map_length, map_bits) = (field(3), field(5), header[7]);

    if !matches!(kind, 1..=3 | 9..=11) {
        return Err(Diagnostic::error(At::Byte(2), "TGA type 1, 2, 3, 9, 10 or 11", format!("{kind}")));
    }
    let (mapped, grey, packed) = (kind & 7 == 1, kind & 7 == 3, kind > 8);
    let mut canvas = Canvas::new(field(12) as u32, field(14) as u32, bytes.len(), 12)?;
    canvas.bottom_up = descriptor & TOP_DOWN == 0;
    canvas.right_to_left = descriptor & RIGHT_TO_LEFT != 0;

    // A map may also stand before pixels that do not use it.
    let map_start = (HEADER + usize::from(id_length)).min(bytes.len());
    let map_size = if map_kind == 1 { map_length * usize::from(map_bits).div_ceil(8) } else { 0 };
    let (map, data) = bytes[map_start..].split_at(map_size.min(bytes.len() - map_start));
    let unknown_bits = |at, bits| Diagnostic::error(At::Byte(at), "8, 15, 16, 24 or 32 bits", format!("{bits}"));
    let mut pixels = if mapped {
        if map_kind != 1 {
            return Err(Diagnostic::error(At::Byte(1), "a colour map for TGA type 1 or 9", "none"));
        }
        let layout = Layout::of(map_bits, false, descriptor).ok_or_else(|| unknown_bits(7, map_bits))?;
        let colours = map.chunks_exact(layout.size()).map(|entry| layout.pixel(entry));
        // The hole is a pixel's value, which the map may start above.
        let hole = hole.and_then(|hole| hole.checked_sub(u8::try_from(map_first).ok()?));
        let wide = match bits {
            8 => false,
            15 | 16 => true,
            _ => return Err(Diagnostic::error(At::Byte(16), "8 or 16 bits for a mapped pixel", format!("{bits}"))),
        };
        Pixels::Mapped { palette: Palette::new(colours, hole), first: map_first, wide }
    } else {
        Pixels::Direct(Layout::of(bits, grey, descriptor).ok_or_else(|| unknown_bits(16, bits))?)
    };

    if packed {
        unpack(data, &mut pixels, &mut canvas);
    } else {
        copy(data, canvas.left(), &mut pixels, &mut canvas);
    }
    let mut image = canvas.finish()?;
    if let Pixels::Mapped { palette, .. } = &pixels {
        palette.warn(&mut image, "colour map");
    }
    image.game_notes = notes(map_kind, kind, bits, descriptor);
    Ok(image)
}

/// Up to `count` pixels that stand one after the other; returns the bytes behind them.
fn copy<'a>(data: &'a [u8], count: usize, pixels: &mut Pixels, canvas: &mut Canvas) -> &'a [u8] {
    let size = pixels.size();
    let count = count.min(canvas.left());
    let (stored, rest) = data.split_at((count * size).min(data.len()));
    match pixels {
        // The two that most files are, without a question for each pixel.
        Pixels::Direct(Layout::Bgr) => {
            canvas.pixels.extend(stored.as_chunks().0.iter().map(|&[b, g, r]| [r, g, b, 255]))
        }
        Pixels::Direct(Layout::Bgra) => {
            canvas.pixels.extend(stored.as_chunks().0.iter().map(|&[b, g, r, a]| [r, g, b, a]))
        }
        _ => canvas.pixels.extend(stored.chunks_exact(size).map(|bytes| pixels.pixel(bytes))),
    }
    rest
}

/// Packets of 1 to 128 pixels, which may run on into the next row; what runs past the last row is dropped, as in the games.
fn unpack(mut data: &[u8], pixels: &mut Pixels, canvas: &mut Canvas) {
    let size = pixels.size();
    while canvas.left() > 0
        && let [packet, rest @ ..] = data
    {
        let count = usize::from(packet & 0x7f) + 1;
        if packet & 0x80 == 0 {
            data = copy(rest, count, pixels, canvas);
        } else {
            let Some((bytes, rest)) = rest.split_at_checked(size) else { break };
            canvas.repeat(pixels.pixel(bytes), count);
            data = rest;
        }
    }
}

/// Doom 3: Image_files.cpp, LoadTGA. Quake III: tr_image_tga.c, R_LoadTGA.
fn notes(map_kind: u8, kind: u8, bits: u8, descriptor: u8) -> Vec<&'static str> {
    let mut notes = Vec::new();
    match (kind, bits) {
        _ if map_kind != 0 => notes.push("Doom 3 and Quake III refuse TGA files with a colour map"),
        (2 | 10, 24 | 32) | (3, 8) => {}
        (11, _) => notes.push("Doom 3 and Quake III refuse run-length grey TGA files"),
        _ => notes.push("Doom 3 and Quake III refuse 15- and 16-bit TGA files"),
    }
    if descriptor & TOP_DOWN != 0 {
        notes.push("Quake III ignores that this TGA stands top row first, and shows it upside down");
    }
    if descriptor & RIGHT_TO_LEFT != 0 {
        notes.push("Doom 3 and Quake III ignore that this TGA runs right to left, and show it mirrored");
    }
    notes
}
