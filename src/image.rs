//! The image kinds that browsers do not read: in come a file's bytes, out come pixels.
//!
//! TGA, PCX and BMP are read here in one to two hundred lines each, not by a crate. Tried on the files of tests/data/images:
//! `image` 0.25 refuses cut files, colours outside a map and odd attribute bits and drops the one-bit alpha of TGA;
//! `tinytga` 0.5 mirrors nothing and reads no 15-bit pixels; `zune-bmp` 0.5 fails on small 16- and 32-bit files. And
//! wasm, packed by brotli, grows by 17.5 KB for TGA and BMP with `image`, 8.2 KB with `pcx`, 8.1 KB with `zune-bmp`; the
//! three readers here cost 5.2 KB together. The blocks of DDS are decoded by `bcdec_rs` (BC7 is half of its 5 KB). PNG is read
//! here, too, where every number matters: it shares the inflater with the archives.

mod bmp;
mod dds;
mod pcx;
mod png;
pub mod program;
mod tga;
mod wal;

pub use dds::{BlockFormat, Compressed, Swizzle, compressed};

use crate::report::{At, Diagnostic, Result};

/// Pixels ready for upload.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    pub width: u32,
    pub height: u32,
    /// Four bytes a pixel, red first; the top row first; colours not multiplied by alpha.
    pub rgba: Vec<u8>,
    pub alpha: Alpha,
    /// What is wrong with the file and how it is shown all the same.
    pub warnings: Vec<String>,
    /// Where a game shows the file differently, or refuses it.
    pub game_notes: Vec<&'static str>,
}

impl Image {
    /// `pixels`: the top row first.
    fn new(width: u32, height: u32, pixels: Vec<[u8; 4]>) -> Self {
        let alpha = Alpha::of(&pixels);
        Self { width, height, rgba: pixels.into_flattened(), alpha, warnings: Vec::new(), game_notes: Vec::new() }
    }

    /// Whether there is a pixel and each has its bytes. True of all that [`decode`] returns; anybody can build another.
    fn is_whole(&self) -> bool {
        let pixels = u64::from(self.width) * u64::from(self.height);
        pixels > 0 && self.rgba.len() as u64 == pixels * 4
    }
}

/// What the alpha channel holds. A material without blending or alpha test ignores it in any case, as the games do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alpha {
    /// 255 everywhere.
    Opaque,
    /// 0 everywhere: more likely a channel that nobody filled in than an invisible image.
    AllZero,
    Used,
}

impl Alpha {
    fn of(pixels: &[[u8; 4]]) -> Self {
        let (all, any) = pixels.iter().fold((255, 0), |(all, any), pixel| (all & pixel[3], any | pixel[3]));
        match (all, any) {
            (255, _) => Alpha::Opaque,
            (_, 0) => Alpha::AllZero,
            _ => Alpha::Used,
        }
    }
}

/// A kind of image file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Tga,
    Pcx,
    Bmp,
    Dds,
    /// Quake II's wall textures.
    Wal,
    Png,
    Jpeg,
    WebP,
    Gif,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Tga => "TGA",
            Kind::Pcx => "PCX",
            Kind::Bmp => "BMP",
            Kind::Dds => "DDS",
            Kind::Wal => "WAL",
            Kind::Png => "PNG",
            Kind::Jpeg => "JPEG",
            Kind::WebP => "WebP",
            Kind::Gif => "GIF",
        }
    }

    /// The media type, for the kinds that the browser decodes; [`decode`] does the others, and PNG.
    pub fn browser_type(self) -> Option<&'static str> {
        match self {
            Kind::Png => Some("image/png"),
            Kind::Jpeg => Some("image/jpeg"),
            Kind::WebP => Some("image/webp"),
            Kind::Gif => Some("image/gif"),
            Kind::Tga | Kind::Pcx | Kind::Bmp | Kind::Dds | Kind::Wal => None,
        }
    }
}

/// What kind of image the bytes are. The content decides; the name only where the content says nothing.
pub fn guess(name: &str, bytes: &[u8]) -> Option<Kind> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some(Kind::Png),
        [0xff, 0xd8, 0xff, ..] => Some(Kind::Jpeg),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Kind::WebP),
        [b'G', b'I', b'F', b'8', ..] => Some(Kind::Gif),
        [b'D', b'D', b'S', b' ', ..] => Some(Kind::Dds),
        _ if bmp::probe(bytes) => Some(Kind::Bmp),
        _ if pcx::probe(bytes) => Some(Kind::Pcx),
        _ if wal::probe(bytes) => Some(Kind::Wal),
        _ if tga::probe(bytes) => Some(Kind::Tga),
        _ => match name.rsplit('.').next()?.to_ascii_lowercase().as_str() {
            "tga" => Some(Kind::Tga),
            "pcx" => Some(Kind::Pcx),
            "bmp" => Some(Kind::Bmp),
            "dds" => Some(Kind::Dds),
            "wal" => Some(Kind::Wal),
            _ => None,
        },
    }
}

/// Decodes an image of the kinds that browsers do not read, or a PNG. A damaged file is decoded as far as it goes, with a warning;
/// an error means that there is nothing to show. `name` is for [`guess`] and the error.
pub fn decode(name: &str, bytes: &[u8]) -> Result<Image> {
    decode_masked(name, bytes, None)
}

/// The same, with a colour of the palette that is a hole (GoldSrc's masked textures: 255). Its pixels come out as
/// transparent black; images without a palette have no holes.
pub fn decode_masked(name: &str, bytes: &[u8], hole: Option<u8>) -> Result<Image> {
    let image = match guess(name, bytes) {
        Some(Kind::Tga) => tga::decode(bytes, hole),
        Some(Kind::Pcx) => pcx::decode(bytes, hole),
        Some(Kind::Bmp) => bmp::decode(bytes, hole),
        Some(Kind::Dds) => dds::decode(bytes),
        Some(Kind::Wal) => wal::decode(bytes, hole),
        Some(Kind::Png) => png::decode(bytes),
        Some(browser) => Err(Diagnostic::error(
            At::File,
            "TGA, PCX, BMP, DDS, WAL or PNG",
            format!("{}, which the browser decodes", browser.name()),
        )),
        None => Err(Diagnostic::error(
            At::File,
            "an image",
            match bytes {
                [] => "an empty file".to_string(),
                [first, ..] => format!("{} bytes of no known kind, the first {first:#04x}", bytes.len()),
            },
        )),
    };
    image.map_err(|error| error.in_file(name))
}

/// Larger sides than any graphics card takes.
const LARGEST_SIDE: u32 = 16384;

/// Pixels in the order of the file. The memory follows what the file holds: a header alone must not claim a gigabyte.
struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 4]>,
    /// Pixels that a file of this size may claim without holding them: 64 bytes of memory for each of its own.
    unproven: usize,
    right_to_left: bool,
    bottom_up: bool,
}

impl Canvas {
    /// For a picture in a file of `file_length` bytes. `at`: where the file says the size.
    fn new(width: u32, height: u32, file_length: usize, at: u64) -> Result<Self> {
        if width == 0 || height == 0 || width > LARGEST_SIDE || height > LARGEST_SIDE {
            let found = format!("{width} × {height}");
            return Err(Diagnostic::error(At::Byte(at), format!("a size of 1 to {LARGEST_SIDE} each way"), found));
        }
        let (width, height) = (width as usize, height as usize);
        let unproven = file_length.saturating_mul(16);
        let pixels = Vec::with_capacity(unproven.min(width * height));
        Ok(Self { width, height, pixels, unproven, right_to_left: false, bottom_up: false })
    }

    /// How many pixels are still to come.
    fn left(&self) -> usize {
        self.width * self.height - self.pixels.len()
    }

    fn push(&mut self, pixel: [u8; 4]) {
        if self.left() > 0 {
            self.pixels.push(pixel);
        }
    }

    fn repeat(&mut self, pixel: [u8; 4], count: usize) {
        self.pixels.resize(self.pixels.len() + count.min(self.left()), pixel);
    }

    /// Puts the rows the right way up. What the file did not hold becomes black, unless that is nearly everything.
    fn finish(mut self) -> Result<Image> {
        let (held, whole) = (self.pixels.len(), self.width * self.height);
        if held == 0 || held < whole / 2 && whole > self.unproven {
            let size = format!("{whole} pixels ({} × {})", self.width, self.height);
            return Err(Diagnostic::error(At::File, size, format!("{held} until the end of the file")));
        }
        self.repeat([0, 0, 0, 255], whole);
        if self.bottom_up {
            for y in 0..self.height / 2 {
                let (above, below) = self.pixels.split_at_mut((self.height - 1 - y) * self.width);
                above[y * self.width..][..self.width].swap_with_slice(&mut below[..self.width]);
            }
        }
        if self.right_to_left {
            self.pixels.chunks_exact_mut(self.width).for_each(<[_]>::reverse);
        }
        let mut image = Image::new(self.width as u32, self.height as u32, self.pixels);
        if held < whole {
            image.warnings.push(format!("the file ends after {held} of {whole} pixels; the rest is black"));
        }
        Ok(image)
    }
}

/// The colours of a palettised image.
struct Palette {
    colours: Vec<[u8; 4]>,
    /// Some pixel named a colour that is not there.
    outside: bool,
}

impl Palette {
    fn new(colours: impl Iterator<Item = [u8; 4]>, hole: Option<u8>) -> Self {
        let mut colours: Vec<_> = colours.collect();
        if let Some(colour) = hole.and_then(|hole| colours.get_mut(usize::from(hole))) {
            *colour = [0; 4];
        }
        Self { colours, outside: false }
    }

    /// Three bytes a colour, red first.
    fn from_rgb(bytes: &[u8], hole: Option<u8>) -> Self {
        Self::new(bytes.as_chunks().0.iter().map(|&[r, g, b]| [r, g, b, 255]), hole)
    }

    fn colour(&mut self, index: usize) -> [u8; 4] {
        *self.colours.get(index).unwrap_or_else(|| {
            self.outside = true;
            &[0, 0, 0, 255]
        })
    }

    fn warn(&self, image: &mut Image, what: &str) {
        if self.outside {
            let number = self.colours.len();
            image.warnings.push(format!("some pixels name a colour outside the {what} of {number}; shown black"));
        }
    }
}

/// Some bits of a pixel that hold one channel.
#[derive(Clone, Copy)]
struct Channel {
    shift: u32,
    /// The largest value; 0 if there is no such channel.
    largest: u32,
}

impl Channel {
    fn new(mask: u32) -> Self {
        match mask {
            0 => Self { shift: 0, largest: 0 },
            mask => Self { shift: mask.trailing_zeros(), largest: mask >> mask.trailing_zeros() },
        }
    }

    /// The channel as 0..255, the largest value being 255; `missing` if there is no such channel.
    fn of(self, pixel: u32, missing: u8) -> u8 {
        match self.largest {
            0 => missing,
            255 => (pixel >> self.shift) as u8,
            largest => {
                let value = u64::from(pixel >> self.shift & largest);
                ((value * 255 + u64::from(largest / 2)) / u64::from(largest)) as u8
            }
        }
    }
}

/// 5 bits to 8, so that 31 becomes 255.
fn from_5_bits(value: u16) -> u8 {
    (((value & 31) * 255 + 15) / 31) as u8
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The error of a file that ends within its header of `length` bytes.
fn cut_header(bytes: &[u8], length: usize) -> Box<Diagnostic> {
    Diagnostic::error(At::File, format!("a header of {length} bytes"), format!("a file of {}", bytes.len()))
}
