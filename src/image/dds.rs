//! DirectDraw surfaces: in come a file's bytes, out come pixels, or the blocks as they are for the graphics card.

use super::{Canvas, Channel, Image, cut_header, u32_at};
use crate::report::{At, Diagnostic, Result};
use std::ops::Range;

const HEADER: usize = 128;
const DX10_HEADER: usize = 20;
/// Flags of the pixel format.
const ALPHA_PIXELS: u32 = 1;
const ALPHA_ONLY: u32 = 2;
const FOUR_CC: u32 = 4;
const LUMINANCE: u32 = 0x20000;
const CUBE_MAP: u32 = 0x200;
const VOLUME: u32 = 0x200000;

/// How 4 × 4 pixels are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockFormat {
    /// DXT1: colour and perhaps one bit of alpha, 8 bytes.
    Bc1,
    /// DXT3, 16 bytes.
    Bc2,
    /// DXT5, 16 bytes.
    Bc3,
    /// One channel, 8 bytes.
    Bc4,
    /// Two channels, 16 bytes.
    Bc5,
    /// 16 bytes.
    Bc7,
}

impl BlockFormat {
    pub fn block_size(self) -> usize {
        match self {
            Self::Bc1 | Self::Bc4 => 8,
            Self::Bc2 | Self::Bc3 | Self::Bc5 | Self::Bc7 => 16,
        }
    }
}

/// What a shader has to do with the channels that the graphics card gives. [`super::decode`] has done it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Swizzle {
    None,
    /// Doom 3's compressed normal maps ("RXGB"): red is in the alpha channel, and alpha is 1.
    RedInAlpha,
    /// A normal of which only x and y are stored: blue is z.
    RebuildZ,
    /// One channel: red is also green and blue.
    RedIsGrey,
}

/// Blocks that can go to the graphics card as they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Compressed {
    pub format: BlockFormat,
    pub swizzle: Swizzle,
    pub width: u32,
    pub height: u32,
    /// Where in the file each mipmap level stands, the largest first, each half as wide and high as the one before
    /// (at least 1). Never empty; only levels that are there whole.
    pub levels: Vec<Range<usize>>,
}

/// What the header says of the pixels.
enum Layout {
    Blocks(BlockFormat, Swizzle),
    /// Bytes a pixel, and red, green, blue, alpha in it.
    Plain(usize, [Channel; 4]),
}

struct Header {
    width: u32,
    height: u32,
    layout: Layout,
    /// Colours were multiplied by alpha (DXT2, DXT4).
    multiplied: bool,
    levels: u32,
    /// A cube or a volume: only its first picture is read.
    many: bool,
    data: usize,
}

fn read_header(bytes: &[u8]) -> Result<Header> {
    let header = bytes.first_chunk::<HEADER>().ok_or_else(|| cut_header(bytes, HEADER))?;
    let field = |at| u32_at(header, at).unwrap_or_default();
    let mut data = HEADER;
    let mut multiplied = false;
    let mask = |red, green, blue, alpha| [red, green, blue, alpha].map(Channel::new);
    let plain = |bits, channels| Layout::Plain(bits / 8, channels);
    let blocks = |format| Layout::Blocks(format, Swizzle::None);
    let unknown =
        |at, found| Err(Diagnostic::error(At::Byte(at), "DXT1 to DXT5, BC4, BC5, BC7, RXGB or channel masks", found));

    let flags = field(80);
    let layout = if flags & FOUR_CC != 0 {
        match &header[84..88] {
            b"DXT1" => blocks(BlockFormat::Bc1),
            name @ (b"DXT2" | b"DXT3") => {
                multiplied = name == b"DXT2";
                blocks(BlockFormat::Bc2)
            }
            name @ (b"DXT4" | b"DXT5") => {
                multiplied = name == b"DXT4";
                blocks(BlockFormat::Bc3)
            }
            b"RXGB" => Layout::Blocks(BlockFormat::Bc3, Swizzle::RedInAlpha),
            b"ATI1" | b"BC4U" => Layout::Blocks(BlockFormat::Bc4, Swizzle::RedIsGrey),
            // Taken as x first, as Direct3D does; ATI's first tool wrote y first under this name.
            b"ATI2" | b"BC5U" => Layout::Blocks(BlockFormat::Bc5, Swizzle::RebuildZ),
            b"DX10" => {
                data += DX10_HEADER;
                let Some(format) = u32_at(bytes, HEADER) else { return Err(cut_header(bytes, data)) };
                // DXGI_FORMAT: the plain, the linear and the sRGB form of each are stored alike.
                match format {
                    70..=72 => blocks(BlockFormat::Bc1),
                    73..=75 => blocks(BlockFormat::Bc2),
                    76..=78 => blocks(BlockFormat::Bc3),
                    79..=80 => Layout::Blocks(BlockFormat::Bc4, Swizzle::RedIsGrey),
                    82..=83 => Layout::Blocks(BlockFormat::Bc5, Swizzle::RebuildZ),
                    97..=99 => blocks(BlockFormat::Bc7),
                    27..=29 => plain(32, mask(0xff, 0xff00, 0xff0000, 0xff000000)),
                    87 | 90..=91 => plain(32, mask(0xff0000, 0xff00, 0xff, 0xff000000)),
                    88 | 92..=93 => plain(32, mask(0xff0000, 0xff00, 0xff, 0)),
                    85 => plain(16, mask(0xf800, 0x7e0, 0x1f, 0)),
                    86 => plain(16, mask(0x7c00, 0x3e0, 0x1f, 0x8000)),
                    115 => plain(16, mask(0xf00, 0xf0, 0xf, 0xf000)),
                    _ => return unknown(HEADER as u64, format!("DXGI format {format}")),
                }
            }
            name => return unknown(84, format!("`{}`", name.escape_ascii())),
        }
    } else {
        let bits = field(88) as usize;
        if !matches!(bits, 8 | 16 | 24 | 32) {
            return unknown(88, format!("{bits} bits a pixel"));
        }
        let alpha = if flags & (ALPHA_PIXELS | ALPHA_ONLY) != 0 { field(104) } else { 0 };
        let red = field(92);
        plain(
            bits,
            if flags & LUMINANCE != 0 { mask(red, red, red, alpha) } else { mask(red, field(96), field(100), alpha) },
        )
    };
    let many = field(112) & (CUBE_MAP | VOLUME) != 0;
    Ok(Header { width: field(16), height: field(12), layout, multiplied, levels: field(28).clamp(1, 15), many, data })
}

/// The blocks of a file and where its mipmap levels are, for upload without decoding. An error if the file holds no
/// blocks, or not even the first level of them.
pub fn compressed(bytes: &[u8]) -> Result<Compressed> {
    let Header { width, height, layout, levels, data, multiplied, many } = read_header(bytes)?;
    let Layout::Blocks(format, swizzle) = layout else {
        return Err(Diagnostic::error(At::Byte(80), "a compressed DDS file", "plain pixels"));
    };
    if multiplied {
        return Err(Diagnostic::error(At::Byte(84), "colours that are not multiplied by alpha", "DXT2 or DXT4"));
    }
    Canvas::new(width, height, 0, 12)?;
    let mut start = data;
    let mut ranges = Vec::new();
    // In a volume the levels are boxes.
    for level in 0..if many { 1 } else { levels } {
        let blocks = |side: u32| (side >> level).max(1).div_ceil(4) as usize;
        let end = start + blocks(width) * blocks(height) * format.block_size();
        if end > bytes.len() {
            break;
        }
        ranges.push(start..end);
        start = end;
        if (width | height) >> level <= 1 {
            break;
        }
    }
    match ranges.as_slice() {
        [] => Err(Diagnostic::error(
            At::Byte(data as u64),
            "the blocks of the first level",
            format!("{} bytes", bytes.len().saturating_sub(data)),
        )),
        _ => Ok(Compressed { format, swizzle, width, height, levels: ranges }),
    }
}

/// The first level as pixels.
pub fn decode(bytes: &[u8]) -> Result<Image> {
    let header = read_header(bytes)?;
    let mut canvas = Canvas::new(header.width, header.height, bytes.len(), 12)?;
    let data = bytes.get(header.data..).unwrap_or_default();
    match header.layout {
        Layout::Blocks(format, swizzle) => {
            let row = canvas.width.div_ceil(4) * format.block_size();
            for blocks in data.chunks_exact(row) {
                decode_row(blocks, format, swizzle, &mut canvas);
                if canvas.left() == 0 {
                    break;
                }
            }
        }
        Layout::Plain(size, [r, g, b, a]) => {
            let colourless = r.largest == 0 && g.largest == 0 && b.largest == 0;
            let missing = if colourless { 255 } else { 0 };
            for pixel in data.chunks_exact(size).take(canvas.left()) {
                let pixel = pixel.iter().rev().fold(0, |pixel, &byte| pixel << 8 | u32::from(byte));
                canvas.push([r.of(pixel, missing), g.of(pixel, missing), b.of(pixel, missing), a.of(pixel, 255)]);
            }
        }
    }
    if header.multiplied {
        for [r, g, b, a] in &mut canvas.pixels {
            for colour in [r, g, b] {
                *colour =
                    (u32::from(*colour) * 255).checked_div(u32::from(*a)).map_or(0, |colour| colour.min(255)) as u8;
            }
        }
    }
    let mut image = canvas.finish()?;
    if header.many {
        image.warnings.push("a cube or volume; its first picture is shown".to_string());
    }
    Ok(image)
}

/// Decodes the blocks of four rows of pixels; what lies outside the picture is dropped.
fn decode_row(blocks: &[u8], format: BlockFormat, swizzle: Swizzle, canvas: &mut Canvas) {
    let pitch = blocks.len() / format.block_size() * 4;
    let mut rows = vec![[0; 4]; pitch * 4];
    for (i, block) in blocks.chunks_exact(format.block_size()).enumerate() {
        let mut pixels = [[0; 4]; 16];
        let bytes = pixels.as_flattened_mut();
        match format {
            BlockFormat::Bc1 => bcdec_rs::bc1(block, bytes, 16),
            BlockFormat::Bc2 => bcdec_rs::bc2(block, bytes, 16),
            BlockFormat::Bc3 => bcdec_rs::bc3(block, bytes, 16),
            BlockFormat::Bc7 => bcdec_rs::bc7(block, bytes, 16),
            BlockFormat::Bc4 => {
                let mut red = [0; 16];
                bcdec_rs::bc4(block, &mut red, 4, false);
                pixels = red.map(|red| [red, 0, 0, 255]);
            }
            BlockFormat::Bc5 => {
                let mut two = [[0; 2]; 16];
                bcdec_rs::bc5(block, two.as_flattened_mut(), 8, false);
                pixels = two.map(|[red, green]| [red, green, 0, 255]);
            }
        }
        for (pixel, at) in pixels.into_iter().zip((0..4).flat_map(|y| (0..4).map(move |x| y * pitch + i * 4 + x))) {
            let [r, g, b, a] = pixel;
            rows[at] = match swizzle {
                Swizzle::None => pixel,
                Swizzle::RedInAlpha => [a, g, b, 255],
                Swizzle::RebuildZ => [r, g, z_of(r, g), 255],
                Swizzle::RedIsGrey => [r, r, r, 255],
            };
        }
    }
    for row in rows.chunks_exact(pitch) {
        let count = canvas.width.min(canvas.left());
        canvas.pixels.extend_from_slice(&row[..count]);
    }
}

/// The third component of a unit vector, all three as bytes around 127.5.
fn z_of(x: u8, y: u8) -> u8 {
    let component = |byte| f32::from(byte) / 127.5 - 1.0;
    let (x, y): (f32, f32) = (component(x), component(y));
    ((1.0 - x * x - y * y).max(0.0).sqrt() * 127.5 + 128.0) as u8
}
