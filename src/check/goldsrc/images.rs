//! Half-Life's textures under its compiler's rules: in come materials' names and images, out comes what LoadBMP, Grab_Skin and
//! ResizeTexture would say.

use super::super::facts::smd::{Block, Image, Role};
use super::super::{Facts, Found, Place};
use super::is_chrome;

/// The first place that names a material, by material.
fn named(facts: &Facts, name: &str) -> Place {
    for smd in facts.of(Role::Reference) {
        if let Some((line, _)) = smd.materials.iter().find(|(_, material)| material.eq_ignore_ascii_case(name)) {
            return smd.place(Block::Triangles, *line);
        }
    }
    Place::file(&facts.path)
}

/// An `end` that is taken for a material has a rule of its own.
fn is_end(name: &str) -> bool {
    name == "end"
}

pub fn texture_type(facts: &Facts, found: &mut Found) {
    for image in facts.images.iter().filter(|image| !is_end(&image.name)) {
        if !image.name.to_ascii_lowercase().ends_with(".bmp") {
            found.add(named(facts, &image.name), format!("`{}`", image.name));
        }
    }
}

pub fn texture_name(facts: &Facts, found: &mut Found) {
    for image in facts.images.iter().filter(|image| image.name.len() >= 63) {
        found.add(named(facts, &image.name), format!("{} characters", image.name.len()));
    }
}

pub fn missing(facts: &Facts, found: &mut Found) {
    // Where no image is there at all, only the model was dropped.
    if facts.images.iter().all(|image| image.path.is_none()) {
        return;
    }
    let is_bmp = |image: &&Image| image.name.to_ascii_lowercase().ends_with(".bmp");
    for image in facts.images.iter().filter(is_bmp).filter(|image| image.path.is_none()) {
        found.add(named(facts, &image.name), format!("no `{}`", image.name));
    }
}

/// The parts of a bitmap's headers that the compiler looks at.
struct Header<'a> {
    path: &'a str,
    bytes: &'a [u8],
}

impl Header<'_> {
    fn u16(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]])
    }

    fn u32(&self, at: usize) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|index| self.bytes[at + index]))
    }

    fn is_plain(&self) -> bool {
        self.u32(14) == 40 && self.u16(26) == 1 && self.u32(6) == 0
    }

    /// What the compiler reads on with.
    fn is_read(&self) -> bool {
        self.is_plain() && self.u16(28) == 8 && self.u32(30) == 0
    }

    fn palette_end(&self) -> u64 {
        let colors = match self.u32(46) {
            0 => 256,
            colors => u64::from(colors),
        };
        54 + colors * 4
    }
}

fn bitmaps<'a>(facts: &'a Facts) -> impl Iterator<Item = Header<'a>> {
    let found = facts.images.iter().filter_map(|image| Some((image.path.as_deref()?, image.bytes.as_slice())));
    let bitmaps = found.filter(|(path, _)| crate::bundle::extension(path) == "bmp");
    bitmaps.filter(|(_, bytes)| bytes.len() >= 54).map(|(path, bytes)| Header { path, bytes })
}

pub fn header(facts: &Facts, found: &mut Found) {
    for bitmap in bitmaps(facts).filter(|bitmap| !bitmap.is_plain()) {
        let (at, message) = match bitmap.u32(6) {
            0 => (14, format!("a header of {} bytes, {} planes", bitmap.u32(14), bitmap.u16(26))),
            reserved => (6, format!("{reserved:#x} in the reserved fields")),
        };
        found.add(Place::byte(bitmap.path, at), message);
    }
    for image in facts.images.iter().filter(|image| image.path.is_some() && image.bytes.len() < 54) {
        let path = image.path.as_deref().unwrap_or_default();
        if crate::bundle::extension(path) == "bmp" {
            found.add(Place::file(path), format!("{} bytes", image.bytes.len()));
        }
    }
}

pub fn depth(facts: &Facts, found: &mut Found) {
    for bitmap in bitmaps(facts).filter(|bitmap| bitmap.is_plain() && bitmap.u16(28) != 8) {
        found.add(Place::byte(bitmap.path, 28), format!("{} bits a pixel", bitmap.u16(28)));
    }
}

pub fn compressed(facts: &Facts, found: &mut Found) {
    for bitmap in bitmaps(facts).filter(|bitmap| bitmap.is_plain() && bitmap.u16(28) == 8 && bitmap.u32(30) != 0) {
        found.add(Place::byte(bitmap.path, 30), format!("compression {}", bitmap.u32(30)));
    }
}

pub fn short(facts: &Facts, found: &mut Found) {
    let is_wrong = |bitmap: &Header| {
        let said = u64::from(bitmap.u32(2));
        said > bitmap.bytes.len() as u64 || said < bitmap.palette_end()
    };
    for bitmap in bitmaps(facts).filter(|bitmap| bitmap.is_read() && is_wrong(bitmap)) {
        let message = format!("{} bytes where the header says {}", bitmap.bytes.len(), bitmap.u32(2));
        found.add(Place::byte(bitmap.path, 2), message);
    }
}

pub fn gap(facts: &Facts, found: &mut Found) {
    for bitmap in bitmaps(facts).filter(Header::is_read) {
        let behind = bitmap.palette_end();
        if u64::from(bitmap.u32(10)) != behind {
            let message = format!("pixels at byte {}, the palette ends at {behind}", bitmap.u32(10));
            found.add(Place::byte(bitmap.path, 10), message);
        }
    }
}

/// Width and height of the part of an image that is kept in the model.
fn kept(facts: &Facts, image: &Image) -> Option<(i64, i64)> {
    let bitmap = Header { path: image.path.as_deref()?, bytes: &image.bytes };
    if image.bytes.len() < 54 || !bitmap.is_read() {
        return None;
    }
    let (width, height) = (i64::from(bitmap.u32(18) as i32), i64::from(bitmap.u32(22) as i32));
    if is_chrome(&image.name) {
        return Some((64, 64));
    }
    let mut ranges = [[i64::MAX, i64::MIN]; 2];
    for smd in facts.of(Role::Reference) {
        let triangles = smd.materials.iter().zip(smd.corners.chunks(3));
        let own: Vec<_> = triangles.filter(|((_, name), _)| name.eq_ignore_ascii_case(&image.name)).collect();
        for (axis, size) in [width, height].into_iter().enumerate() {
            let mut spans: Vec<[f32; 3]> = own
                .iter()
                .filter(|(_, corners)| corners.len() == 3)
                .map(|(_, corners)| std::array::from_fn(|corner| corners[corner].uv[axis].clamp(-1.0, 2.0)))
                .collect();
            pack(&mut spans);
            let pixels = spans.iter().flatten().map(|uv| (uv * (size - 1) as f32) as i64);
            for pixel in pixels {
                ranges[axis] = [ranges[axis][0].min(pixel), ranges[axis][1].max(pixel)];
            }
        }
    }
    let [[min_s, max_s], [min_t, max_t]] = ranges;
    (max_s >= min_s).then(|| ((max_s - min_s + 1 + 3) & !3, max_t - min_t + 1))
}

/// Moves whole triangles by one tile as long as that narrows the range, as the compiler does (TextureCoordRanges).
fn pack(spans: &mut [[f32; 3]]) {
    let low = |span: &[f32; 3]| span.iter().copied().fold(f32::INFINITY, f32::min);
    let high = |span: &[f32; 3]| span.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    // Coordinates were cut to three tiles, so that each triangle moves but a few times.
    for _ in 0..(spans.len() * 3).min(4096) {
        let Some(lowest) = (0..spans.len()).min_by(|&a, &b| low(&spans[a]).total_cmp(&low(&spans[b]))) else { return };
        let Some(highest) = (0..spans.len()).max_by(|&a, &b| high(&spans[a]).total_cmp(&high(&spans[b]))) else {
            return;
        };
        if high(&spans[lowest]) + 1.0 < high(&spans[highest]) {
            spans[lowest].iter_mut().for_each(|uv| *uv += 1.0);
        } else if low(&spans[highest]) - 1.0 > low(&spans[lowest]) {
            spans[highest].iter_mut().for_each(|uv| *uv -= 1.0);
        } else {
            return;
        }
    }
}

/// The compiler's own sum: the pixels and their palette against 640 * 480.
fn is_too_large((width, height): &(i64, i64)) -> bool {
    width * height + 768 > 640 * 480
}

pub fn large(facts: &Facts, found: &mut Found) {
    for image in &facts.images {
        if let Some((width, height)) = kept(facts, image).filter(is_too_large) {
            let path = image.path.as_deref().unwrap_or_default();
            found.add(Place::byte(path, 18), format!("{width} x {height} pixels are used"));
        }
    }
}

pub fn over_512(facts: &Facts, found: &mut Found) {
    for image in &facts.images {
        let wide = |size: &(i64, i64)| (size.0 > 512 || size.1 > 512) && !is_too_large(size);
        if let Some((width, height)) = kept(facts, image).filter(wide) {
            let path = image.path.as_deref().unwrap_or_default();
            found.add(Place::byte(path, 18), format!("{width} x {height} pixels are used"));
        }
    }
}

pub fn not_16(facts: &Facts, found: &mut Found) {
    for bitmap in bitmaps(facts).filter(Header::is_read) {
        let (width, height) = (bitmap.u32(18) as i32, bitmap.u32(22) as i32);
        if width % 16 != 0 || height % 16 != 0 {
            found.add(Place::byte(bitmap.path, 18), format!("{width} x {height} pixels"));
        }
    }
}
