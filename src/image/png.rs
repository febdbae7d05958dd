//! PNG: in come a file's bytes, out come its pixels. Browsers decode PNG, too, but hand the numbers out through a canvas only, which
//! forgets the colour wherever alpha is 0 and rounds it where alpha is low. Colour profiles and gamma are left aside, as in the games.
//! Sixteen bits a channel become eight by leaving out the lower ones. <https://www.w3.org/TR/png-3/>

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

use super::{Canvas, Image, cut_header};
use crate::report::{At, Diagnostic, Result};

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// With the IHDR chunk, which comes first.
const HEADER: usize = 33;

const GREY: u8 = 0;
const RGB: u8 = 2;
const PALETTE: u8 = 3;
const GREY_ALPHA: u8 = 4;
const RGBA: u8 = 6;

/// Of the seven passes of an interlaced picture, each as first column and row, and steps between columns and rows.
const PASSES: [[usize; 4]; 7] =
    [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]];

/// How samples become pixels.
struct Format<'a> {
    kind: u8,
    /// Bits a sample.
    depth: usize,
    palette: &'a [u8],
    /// The tRNS chunk: alpha of the palette's colours, or the one colour that is a hole.
    transparency: &'a [u8],
}

pub fn decode(bytes: &[u8]) -> Result<Image> {
    let header = bytes.get(..HEADER).ok_or_else(|| cut_header(bytes, HEADER))?;
    if !header.starts_with(SIGNATURE) || &header[12..16] != b"IHDR" {
        return Err(Diagnostic::error(At::File, "the signature of PNG and an IHDR chunk", "something else"));
    }
    let (depth, kind, interlaced) = (usize::from(header[24]), header[25], header[28] == 1);
    let known = match kind {
        GREY => matches!(depth, 1 | 2 | 4 | 8 | 16),
        PALETTE => matches!(depth, 1 | 2 | 4 | 8),
        RGB | GREY_ALPHA | RGBA => matches!(depth, 8 | 16),
        _ => false,
    };
    if !known || header[28] > 1 {
        let found = format!("{depth} bits of colour type {kind}, interlace method {}", header[28]);
        return Err(Diagnostic::error(At::Byte(24), "one of PNG's formats", found));
    }
    let canvas = Canvas::new(big_endian(header, 16), big_endian(header, 20), bytes.len(), 16)?;

    let mut format = Format { kind, depth, palette: &[], transparency: &[] };
    let mut deflated = Vec::new();
    let mut at = HEADER;
    while let Some(start) = bytes.get(at..at + 8) {
        let length = big_endian(start, 0) as usize;
        let data = &bytes[at + 8..][..length.min(bytes.len() - at - 8)];
        match &start[4..] {
            b"PLTE" => format.palette = data,
            b"tRNS" => format.transparency = data,
            b"IDAT" => deflated.extend_from_slice(data),
            b"IEND" => break,
            _ => {}
        }
        at = at.saturating_add(length).saturating_add(12);
    }

    let (width, height) = (canvas.width, canvas.height);
    let passes: &[[usize; 4]] = if interlaced { &PASSES } else { &[[0, 0, 1, 1]] };
    let size = |[left, top, right, down]: [usize; 4]| {
        (width.saturating_sub(left).div_ceil(right), height.saturating_sub(top).div_ceil(down))
    };
    let raw_size = |pass| match size(pass) {
        (0, _) => 0,
        (columns, rows) => (1 + format.row_size(columns)) * rows,
    };
    let whole = passes.iter().copied().map(raw_size).sum();
    let raw = inflate(&deflated, whole);
    match interlaced {
        false => straight(&format, raw, canvas),
        // Some of the passes would make another picture.
        true if raw.len() < whole => {
            Err(Diagnostic::error(At::File, "all seven passes of the picture", "the end of the file"))
        }
        true => interleaved(&format, raw, canvas, size),
    }
}

fn straight(format: &Format, mut raw: Vec<u8>, mut canvas: Canvas) -> Result<Image> {
    let width = canvas.width;
    let mut rows = raw.chunks_exact_mut(1 + format.row_size(width));
    let mut above: &[u8] = &[];
    for row in &mut rows {
        let (filter, row) = (row[0], &mut row[1..]);
        format.unfilter(filter, row, above)?;
        format.pixels(row, width, |pixel| canvas.push(pixel));
        above = row;
    }
    canvas.finish()
}

fn interleaved(
    format: &Format,
    mut raw: Vec<u8>,
    mut canvas: Canvas,
    size: impl Fn([usize; 4]) -> (usize, usize),
) -> Result<Image> {
    let (width, height) = (canvas.width, canvas.height);
    let mut pixels = vec![[0; 4]; width * height];
    let mut rest = raw.as_mut_slice();
    for pass in PASSES {
        let ((columns, rows), [left, top, right, down]) = (size(pass), pass);
        if columns == 0 {
            continue;
        }
        let (lines, behind) = rest.split_at_mut((1 + format.row_size(columns)) * rows);
        rest = behind;
        let mut above: &[u8] = &[];
        for (row, line) in lines.chunks_exact_mut(1 + format.row_size(columns)).enumerate() {
            let (filter, line) = (line[0], &mut line[1..]);
            format.unfilter(filter, line, above)?;
            let mut at = (top + row * down) * width + left;
            format.pixels(line, columns, |pixel| {
                pixels[at] = pixel;
                at += right;
            });
            above = line;
        }
    }
    canvas.pixels = pixels;
    canvas.finish()
}

impl Format<'_> {
    fn channels(&self) -> usize {
        match self.kind {
            GREY | PALETTE => 1,
            GREY_ALPHA => 2,
            RGB => 3,
            _ => 4,
        }
    }

    /// Bytes of a row of so many pixels.
    fn row_size(&self, columns: usize) -> usize {
        (columns * self.channels() * self.depth).div_ceil(8)
    }

    /// Makes a row what it was before it was filtered. `above`: the row over it, or nothing.
    fn unfilter(&self, filter: u8, row: &mut [u8], above: &[u8]) -> Result<()> {
        let step = (self.channels() * self.depth).div_ceil(8);
        let up = |at: usize| above.get(at).copied().unwrap_or(0);
        match filter {
            0 => {}
            1 => (step..row.len()).for_each(|at| row[at] = row[at].wrapping_add(row[at - step])),
            2 => row.iter_mut().zip(above).for_each(|(byte, up)| *byte = byte.wrapping_add(*up)),
            3 | 4 => {
                for at in 0..row.len() {
                    let (left, corner) = if at < step { (0, 0) } else { (row[at - step], up(at - step)) };
                    let guess = match filter {
                        3 => ((u16::from(left) + u16::from(up(at))) / 2) as u8,
                        _ => paeth(left, up(at), corner),
                    };
                    row[at] = row[at].wrapping_add(guess);
                }
            }
            _ => return Err(Diagnostic::error(At::File, "a row filter from 0 to 4", format!("{filter}"))),
        }
        Ok(())
    }

    /// The pixels of a row.
    fn pixels(&self, row: &[u8], columns: usize, mut give: impl FnMut([u8; 4])) {
        let samples = self.channels();
        let wide = self.depth == 16;
        let hole = |sample: &[u8]| self.transparency.len() == sample.len() && self.transparency == sample;
        match (self.kind, self.depth) {
            (RGBA, 8) => row.as_chunks().0.iter().for_each(|&pixel| give(pixel)),
            (GREY | PALETTE, 1 | 2 | 4 | 8) => {
                let largest = (1u16 << self.depth) - 1;
                for column in 0..columns {
                    let bit = column * self.depth;
                    let sample = u16::from(row[bit / 8]) >> (8 - self.depth - bit % 8) & largest;
                    if self.kind == PALETTE {
                        let colour = self.palette.as_chunks::<3>().0.get(usize::from(sample)).copied();
                        let [r, g, b] = colour.unwrap_or_default();
                        give([r, g, b, self.transparency.get(usize::from(sample)).copied().unwrap_or(255)]);
                    } else {
                        let grey = (sample * (255 / largest)) as u8;
                        give([grey, grey, grey, if hole(&sample.to_be_bytes()) { 0 } else { 255 }]);
                    }
                }
            }
            _ => {
                let bytes = if wide { 2 } else { 1 };
                for pixel in row.chunks_exact(samples * bytes) {
                    let of = |channel: usize| pixel[channel * bytes];
                    // A hole is given with sixteen bits a channel, whatever the picture has.
                    let is_hole = |channels: usize| {
                        let sample = |at: usize| if wide { pixel[at] } else { [0, pixel[at / 2]][at % 2] };
                        self.transparency.len() == channels * 2
                            && (0..channels * 2).all(|at| self.transparency[at] == sample(at))
                    };
                    give(match self.kind {
                        GREY => [of(0), of(0), of(0), if is_hole(1) { 0 } else { 255 }],
                        GREY_ALPHA => [of(0), of(0), of(0), of(1)],
                        RGB => [of(0), of(1), of(2), if is_hole(3) { 0 } else { 255 }],
                        _ => [of(0), of(1), of(2), of(3)],
                    });
                }
            }
        }
    }
}

/// Which of left, above and the corner between them is nearest to left + above - corner.
fn paeth(left: u8, above: u8, corner: u8) -> u8 {
    let [a, b, c] = [left, above, corner].map(i16::from);
    let (to_left, to_above, to_corner) = ((b - c).abs(), (a - c).abs(), (a + b - 2 * c).abs());
    if to_left <= to_above && to_left <= to_corner {
        left
    } else if to_above <= to_corner {
        above
    } else {
        corner
    }
}

/// As much of `size` bytes as there is. The memory grows with what comes out.
fn inflate(deflated: &[u8], size: usize) -> Vec<u8> {
    let mut state = Box::<DecompressorOxide>::default();
    let flags = inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER | inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let (mut read, mut written) = (0, 0);
    let mut raw = vec![0; size.min(deflated.len().saturating_mul(4))];
    loop {
        let (status, more_read, more_written) = decompress(&mut state, &deflated[read..], &mut raw, written, flags);
        read += more_read;
        written += more_written;
        if status != TINFLStatus::HasMoreOutput || raw.len() == size {
            raw.truncate(written);
            return raw;
        }
        raw.resize(size.min(raw.len() * 2), 0);
    }
}

fn big_endian(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u32::from_be_bytes(*bytes))
}
