//! Archives as the games mount them: in come the bytes of a .pk3, .pk4, .zip or Quake .pak, out come the places of the files
//! inside, and their bytes when they are asked for.

use std::borrow::Cow;
use std::ops::Range;

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};
use rawzip::{CompressionMethod, ZipArchive};

use crate::report::{At, Diagnostic, Report, Result};

/// A file may unpack to this much, whatever its archive's size; beyond it, to [`MAX_GROWTH`] times the archive.
const FREE_SIZE: usize = 64 << 20;
const MAX_GROWTH: usize = 64;
/// One byte of deflate gives 1032 at most: who declares more lies about it.
const DEFLATE_LIMIT: usize = 1032;

/// Where a file lies in its archive.
#[derive(Clone, Debug)]
pub struct Packed {
    /// Of the bytes as they are stored.
    pub range: Range<usize>,
    /// Once unpacked.
    pub size: usize,
    method: Method,
    /// `None` where the archive has no checksums.
    crc: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Stored,
    Deflate,
    /// Listed, but not to be read: PKWARE's number.
    Other(u16),
    Encrypted,
}

impl Packed {
    /// A file that is stored as it is.
    pub fn plain(range: Range<usize>) -> Self {
        Self { size: range.len(), range, method: Method::Stored, crc: None }
    }

    pub fn is_plain(&self) -> bool {
        self.method == Method::Stored
    }
}

/// How much a dropped archive, with the archives inside it, may still ask for. Entries that overlap can make a small file list
/// itself a million times over; an honest one never lists more than it holds.
pub struct Budget {
    /// Bytes of paths to list.
    list: usize,
    /// Bytes of archives to unpack for their lists.
    unpack: usize,
    /// Bytes of files, once unpacked. Whoever looks for models reads them all.
    hold: usize,
    spent: bool,
    warned_of_depth: bool,
}

impl Budget {
    /// For an archive of `size` bytes.
    pub fn of(size: usize) -> Self {
        Self { list: size, unpack: most(size), hold: most(size), spent: false, warned_of_depth: false }
    }

    /// Asks to unpack an archive of `size` bytes.
    pub fn unpack(&mut self, size: usize) -> Result<()> {
        self.unpack = self.unpack.checked_sub(size).ok_or_else(|| {
            let expected = format!("at most {} more bytes of archives inside the archive", self.unpack);
            Diagnostic::error(At::File, expected, format!("{size}"))
        })?;
        self.list = self.list.saturating_add(size);
        Ok(())
    }

    /// Whether a list was refused: the archive is up to no good, and nothing more is opened in it.
    pub fn is_spent(&self) -> bool {
        self.spent
    }

    /// True the first time.
    pub fn warn_of_depth(&mut self) -> bool {
        !std::mem::replace(&mut self.warned_of_depth, true)
    }

    /// Asks to list this many bytes of a file.
    fn hold(&mut self, size: usize) -> Result<()> {
        self.hold = self.hold.checked_sub(size).ok_or_else(|| {
            self.spent = true;
            Diagnostic::error(At::File, "files that an archive of this size may hold", "more of them")
        })?;
        Ok(())
    }

    /// Asks to list a file. The shortest entry of any kind of archive takes 8 bytes beside its path.
    fn list(&mut self, path: &str) -> Result<()> {
        match self.list.checked_sub(path.len() + 8) {
            Some(left) => self.list = left,
            None => {
                self.spent = true;
                let found = "entries that overlap";
                return Err(Diagnostic::error(At::File, "no more files than the archive has room for", found));
            }
        }
        Ok(())
    }
}

/// How much one file of an archive of `size` bytes may unpack to.
fn most(size: usize) -> usize {
    size.saturating_mul(MAX_GROWTH).max(FREE_SIZE)
}

/// Whether the bytes begin as a zip does, whatever the file's name. Quake's four letters prove less: they need the name, too.
pub fn is_surely_one(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// Whether the name alone says archive. Such a file is opened even if its first bytes are not an archive's: zips may start with
/// something else.
pub fn is_named_so(path: &str) -> bool {
    matches!(super::extension(path).as_str(), "pk3" | "pk4" | "zip" | "pak")
}

/// The files inside by path. Of two with one path the later one is seen, as in Quake III and Doom 3.
pub fn list(bytes: &[u8], budget: &mut Budget, report: &mut Report) -> Result<Vec<(String, Packed)>> {
    match bytes.starts_with(b"PACK") {
        true => list_pak(bytes, budget, report),
        false => list_zip(bytes, budget, report),
    }
}

fn list_zip(bytes: &[u8], budget: &mut Budget, report: &mut Report) -> Result<Vec<(String, Packed)>> {
    let archive = ZipArchive::from_slice(bytes).map_err(|error| {
        Diagnostic::error(At::File, "a zip archive with its list of files at the end", lower(&error))
            .engine("Quake III and Doom 3 leave out an archive whose list they cannot find; the file may be cut short.")
    })?;
    let mut files = Vec::new();
    let mut entries = archive.entries();
    loop {
        let entry = match entries.next_entry() {
            Ok(Some(entry)) => entry,
            Ok(None) => return Ok(files),
            Err(error) => {
                // What was listed so far is there, so it is shown.
                let place = format!("file[{}]", files.len());
                report.push(Diagnostic::error(At::File, "a list of files without gaps", lower(&error)).inside(place));
                return Ok(files);
            }
        };
        let Some(path) = safe_path(entry.file_path().as_bytes(), report) else { continue };
        if let Err(error) = budget.list(&path) {
            report.push(error);
            return Ok(files);
        }
        let method = match entry.compression_method() {
            _ if entry.flags().is_encrypted() => Method::Encrypted,
            CompressionMethod::STORE => Method::Stored,
            CompressionMethod::DEFLATE => Method::Deflate,
            other => Method::Other(other.as_u16()),
        };
        let range = match archive.get_entry(entry.wayfinder()) {
            Ok(local) => local.compressed_data_range(),
            Err(error) => {
                let at = At::Byte(entry.local_header_offset());
                report.push(Diagnostic::error(at, format!("the data of `{path}`"), lower(&error)));
                continue;
            }
        };
        // What does not fit an address here is refused when it is read.
        let size = usize::try_from(entry.uncompressed_size_hint()).unwrap_or(usize::MAX);
        let packed = Packed { range: range.0 as usize..range.1 as usize, size, method, crc: Some(entry.crc32()) };
        // One that is too large by itself is refused when it is read, and costs nothing.
        let unpacked = if packed.is_plain() { packed.range.len() } else { size };
        if unpacked <= most(bytes.len())
            && let Err(error) = budget.hold(unpacked)
        {
            report.push(error);
            return Ok(files);
        }
        files.push((path, packed));
    }
}

/// Quake's own: `PACK`, offset and length of the list, and for each file 56 bytes of name, offset, length (id Software, common.c).
fn list_pak(bytes: &[u8], budget: &mut Budget, report: &mut Report) -> Result<Vec<(String, Packed)>> {
    const ENTRY: usize = 64;
    let number = |at: usize| {
        let field: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
        usize::try_from(i32::from_le_bytes(field)).ok()
    };
    let directory = number(4).zip(number(8)).and_then(|(offset, length)| {
        let length = length.min(bytes.len().checked_sub(offset)?);
        Some((offset, length / ENTRY))
    });
    let Some((offset, count)) = directory else {
        return Err(Diagnostic::error(At::Byte(4), "offset and length of a list inside the file", "one outside of it")
            .engine("Quake stops at an archive whose list it cannot read; the file may be cut short."));
    };
    let mut files = Vec::new();
    for index in 0..count {
        let at = offset + index * ENTRY;
        let name = &bytes[at..at + 56];
        let name = &name[..name.iter().position(|&byte| byte == 0).unwrap_or(name.len())];
        let Some(path) = safe_path(name, report) else { continue };
        if let Err(error) = budget.list(&path) {
            report.push(error);
            return Ok(files);
        }
        let range = number(at + 56).zip(number(at + 60)).and_then(|(start, length)| {
            let end = start.checked_add(length)?;
            (end <= bytes.len()).then_some(start..end)
        });
        match range {
            Some(range) => {
                if let Err(error) = budget.hold(range.len()) {
                    report.push(error);
                    return Ok(files);
                }
                files.push((path, Packed::plain(range)));
            }
            None => report.push(
                Diagnostic::error(At::Byte(at as u64), format!("the data of `{path}`"), "a place outside the file")
                    .inside(format!("file[{index}]")),
            ),
        }
    }
    Ok(files)
}

/// The path inside the archive with `/` between the parts; `None` for folders and for paths that lead out of the archive.
fn safe_path(name: &[u8], report: &mut Report) -> Option<String> {
    let path = super::decode(name).replace('\\', "/");
    if path.is_empty() || path.ends_with('/') {
        return None;
    }
    let leads_out = path.starts_with('/') || path.split('/').any(|part| part == ".." || part.ends_with(':'));
    if leads_out || path.contains('\0') {
        let shown: String = path.chars().take(100).collect();
        report.push(
            Diagnostic::error(At::File, "paths inside the archive", format!("`{}`", shown.escape_debug()))
                .engine("Quake III and Doom 3 open no file whose path holds `..` or a drive; it is left out."),
        );
        return None;
    }
    Some(path)
}

/// A file out of its archive.
pub struct Unpacked<'a> {
    pub bytes: Cow<'a, [u8]>,
    /// Where the bytes are not what the archive says.
    pub warning: Option<Box<Diagnostic>>,
}

/// A file as it lies in its archive, to be unpacked elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Stored<'a> {
    pub bytes: &'a [u8],
    pub is_deflated: bool,
    /// Once unpacked.
    pub size: usize,
    /// No file of this archive may unpack to more.
    pub most: usize,
    pub crc: Option<u32>,
}

impl Packed {
    /// The file as it is stored; an error where it is one that is not read.
    pub fn stored<'a>(&self, archive: &'a [u8]) -> Result<Stored<'a>> {
        let is_deflated = match self.method {
            Method::Stored => false,
            Method::Deflate => true,
            Method::Encrypted => {
                return Err(Diagnostic::error(At::File, "a file that is not encrypted", "an encrypted one")
                    .engine("The games read stored and deflated files only."));
            }
            Method::Other(number) => {
                let found =
                    CompressionMethod::new(number).name().map_or(format!("method {number}"), |name| name.to_string());
                return Err(Diagnostic::error(At::File, "a file that is stored or deflated", found)
                    .engine("The games read stored and deflated files only."));
            }
        };
        let bytes = &archive[self.range.clone()];
        Ok(Stored { bytes, is_deflated, size: self.size, most: most(archive.len()), crc: self.crc })
    }
}

impl<'a> Stored<'a> {
    /// The file's bytes.
    pub fn unpack(self) -> Result<Unpacked<'a>> {
        let bytes = match self.is_deflated {
            false => Cow::Borrowed(self.bytes),
            true => Cow::Owned(inflate(self.bytes, self.size, self.most)?),
        };
        let warning = self.crc.filter(|&crc| checksum(&bytes) != crc).map(|crc| {
            Diagnostic::warning(At::File, format!("the checksum {crc:08x}"), "another one: the file is damaged")
                .engine("Quake III does not look at the checksum.")
        });
        Ok(Unpacked { bytes, warning })
    }
}

/// The file's bytes.
pub fn unpack<'a>(packed: &Packed, archive: &'a [u8]) -> Result<Unpacked<'a>> {
    packed.stored(archive)?.unpack()
}

/// CRC-32 as zips have it. The crate's own is faster by tables of 16 KiB, which would be a seventh of what pages load.
fn checksum(bytes: &[u8]) -> u32 {
    let entry = |byte: u32| (0..8).fold(byte, |crc, _| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg()));
    let table: [u32; 256] = std::array::from_fn(|byte| entry(byte as u32));
    !bytes.iter().fold(!0, |crc, byte| (crc >> 8) ^ table[usize::from(crc as u8 ^ byte)])
}

fn inflate(stored: &[u8], size: usize, most: usize) -> Result<Vec<u8>> {
    if size > most || size / DEFLATE_LIMIT > stored.len() {
        let expected = format!("at most {} bytes once unpacked", most.min(stored.len().saturating_mul(DEFLATE_LIMIT)));
        return Err(Diagnostic::error(At::File, expected, format!("{size}")));
    }
    let mut bytes = Vec::new();
    if bytes.try_reserve_exact(size).is_err() {
        return Err(Diagnostic::error(At::File, "a file that fits into the memory", format!("{size} bytes")));
    }
    bytes.resize(size, 0);
    let mut state = Box::<DecompressorOxide>::default();
    let flags = inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let (status, _, written) = decompress(&mut state, stored, &mut bytes, 0, flags);
    match status {
        TINFLStatus::Done if written == size => Ok(bytes),
        TINFLStatus::Done => {
            Err(Diagnostic::error(At::File, format!("{size} bytes once unpacked"), format!("{written}")))
        }
        TINFLStatus::HasMoreOutput => {
            Err(Diagnostic::error(At::File, format!("{size} bytes once unpacked"), "more than that"))
        }
        TINFLStatus::FailedCannotMakeProgress | TINFLStatus::NeedsMoreInput => {
            let found = format!("its end after {written} of {size} bytes");
            Err(Diagnostic::error(At::File, "the whole of the deflated data", found))
        }
        _ => {
            let found = format!("damage after {written} of {size} bytes");
            Err(Diagnostic::error(At::File, "deflated data", found))
        }
    }
}

/// The crate's sentence as a phrase.
fn lower(error: &rawzip::Error) -> String {
    let sentence = error.to_string();
    let mut letters = sentence.chars();
    letters.next().map_or(String::new(), |first| first.to_ascii_lowercase().to_string() + letters.as_str())
}
