//! A binary file from front to back: little-endian numbers, each read checked against the bytes that are there.

pub use crate::bundle::decode;
use crate::report::{At, Diagnostic, Result};

/// A view of a binary file that knows where in the file it stands, so that errors give absolute offsets.
#[derive(Clone, Copy)]
pub struct Bytes<'a> {
    bytes: &'a [u8],
    /// Offset of `bytes[0]` in the file.
    start: usize,
    /// Read so far, from `start`.
    at: usize,
}

impl<'a> Bytes<'a> {
    pub fn new(file: &'a [u8]) -> Self {
        Self { bytes: file, start: 0, at: 0 }
    }

    /// Absolute offset of the next byte.
    pub fn offset(&self) -> usize {
        self.start + self.at
    }

    pub fn here(&self) -> At {
        At::Byte(self.offset() as u64)
    }

    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The next `count` bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        if count > self.left() {
            let found = match self.left() {
                0 => "end of file".to_string(),
                left => format!("{left} bytes until the end of the file"),
            };
            return Err(Diagnostic::error(self.here(), format!("{count} bytes"), found));
        }
        let taken = &self.bytes[self.at..self.at + count];
        self.at += count;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        Ok(self.take(N)?.try_into().expect("take gives as many bytes as asked for"))
    }

    pub fn i32(&mut self) -> Result<i32> {
        Ok(i32::from_le_bytes(self.array()?))
    }

    pub fn f32(&mut self) -> Result<f32> {
        Ok(f32::from_le_bytes(self.array()?))
    }

    pub fn vec3(&mut self) -> Result<glam::Vec3> {
        Ok(glam::Vec3::new(self.f32()?, self.f32()?, self.f32()?))
    }

    /// A field of `length` bytes that holds text up to its first NUL. Bytes that are no UTF-8 are taken as Latin-1.
    pub fn name(&mut self, length: usize) -> Result<String> {
        Ok(decode(self.name_bytes(length)?))
    }

    /// Like [`Bytes::name`], as it stands in the file.
    pub fn name_bytes(&mut self, length: usize) -> Result<&'a [u8]> {
        let field = self.take(length)?;
        Ok(&field[..field.iter().position(|&byte| byte == 0).unwrap_or(length)])
    }

    /// Everything from `offset` bytes after this view's own start to its end. `what` names the part in the error.
    pub fn tail(&self, what: &str, offset: i32) -> Result<Bytes<'a>> {
        match usize::try_from(offset).ok().and_then(|from| self.bytes.get(from..)) {
            Some(bytes) => Ok(Bytes { bytes, start: self.start + offset as usize, at: 0 }),
            None => Err(Diagnostic::error(
                self.here(),
                format!("{what} inside the {} bytes there are", self.bytes.len()),
                format!("offset {offset}"),
            )),
        }
    }

    /// The part of this view that starts `offset` bytes after its own start and holds `count` items of `size` bytes.
    /// `what` names the list in the error.
    pub fn list(&self, what: &str, offset: i32, count: usize, size: usize) -> Result<Bytes<'a>> {
        let part = usize::try_from(offset).ok().and_then(|from| {
            let end = count.checked_mul(size)?.checked_add(from)?;
            self.bytes.get(from..end)
        });
        match part {
            Some(bytes) => Ok(Bytes { bytes, start: self.start + offset as usize, at: 0 }),
            None => Err(Diagnostic::error(
                self.here(),
                format!("{count} {what} of {size} bytes inside the {} bytes there are", self.bytes.len()),
                format!("offset {offset}"),
            )),
        }
    }
}
