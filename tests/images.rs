//! Image files of every kind: in come the folders of data/images, out come the pixels and warnings that stand beside them.
//! Then the same files cut and with flipped bits: no panic, no memory that the file does not account for.

use rigview::image::{self, Alpha, Image, Kind};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

thread_local! {
    static NOW: Cell<usize> = const { Cell::new(0) };
    static MOST: Cell<usize> = const { Cell::new(0) };
}

/// Counts the bytes that this thread holds.
struct Counting;

// SAFETY: every call goes to `System` as it came; the counters allocate nothing.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.get() + layout.size();
        NOW.set(now);
        MOST.set(MOST.get().max(now));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        NOW.set(NOW.get().saturating_sub(layout.size()));
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// What `work` returns, and the most bytes that were held at once meanwhile, beyond those held before.
fn counting<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = NOW.get();
    MOST.set(before);
    let result = work();
    (result, MOST.get() - before)
}

/// Path and bytes of the image in each folder of data/images.
fn fixtures() -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/images");
    let mut files: Vec<PathBuf> = fs::read_dir(root)
        .unwrap()
        .flat_map(|case| fs::read_dir(case.unwrap().path()).unwrap())
        .map(|file| file.unwrap().path())
        .filter(|file| file.file_name().unwrap() != "expected.txt")
        .collect();
    files.sort();
    files.into_iter().map(|file| (file.clone(), fs::read(file).unwrap())).collect()
}

/// As in the expected.txt files: the size and what the alpha is, the rows of pixels as rrggbbaa, warnings, notes.
fn print(image: &Image) -> String {
    let alpha = match image.alpha {
        Alpha::Opaque => "opaque",
        Alpha::AllZero => "all 0",
        Alpha::Used => "used",
    };
    let mut text = format!("{}x{} {alpha}\n", image.width, image.height);
    for row in image.rgba.chunks(image.width as usize * 4) {
        let pixels: Vec<String> =
            row.chunks(4).map(|p| format!("{:02x}{:02x}{:02x}{:02x}", p[0], p[1], p[2], p[3])).collect();
        writeln!(text, "{}", pixels.join(" ")).unwrap();
    }
    image.warnings.iter().for_each(|warning| writeln!(text, "warning: {warning}").unwrap());
    image.game_notes.iter().for_each(|note| writeln!(text, "game: {note}").unwrap());
    text
}

#[test]
fn every_kind_decodes_as_expected() {
    let mut wrong = String::new();
    let files = fixtures();
    assert!(files.len() > 90, "only {} image files", files.len());
    for (path, bytes) in files {
        let text = fs::read_to_string(path.with_file_name("expected.txt")).unwrap();
        let expected: String = text.lines().filter(|line| !line.starts_with('#')).flat_map(|l| [l, "\n"]).collect();
        let name = path.file_name().unwrap().to_str().unwrap();
        let found = match image::decode(name, &bytes) {
            Ok(image) => print(&image),
            Err(error) => format!("{error}\n"),
        };
        if found != expected {
            let case = path.parent().unwrap().file_name().unwrap().display();
            writeln!(wrong, "{case}: expected\n{expected}found\n{found}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn content_goes_before_the_name() {
    assert_eq!(image::guess("a.pcx", b"\x89PNG\r\n\x1a\n"), Some(Kind::Png));
    assert_eq!(image::guess("a.tga", b"\xff\xd8\xff\xe0"), Some(Kind::Jpeg));
    assert_eq!(image::guess("a.jpg", b"RIFF\x10\0\0\0WEBPVP8 "), Some(Kind::WebP));
    assert_eq!(image::guess("readme.txt", b"no image"), None);
    assert_eq!(image::guess("a.TGA", b"cut"), Some(Kind::Tga));
    for (path, bytes) in fixtures() {
        let case = path.parent().unwrap().file_name().unwrap().to_str().unwrap();
        let kind = image::guess("without extension", &bytes).map(Kind::name);
        assert_eq!(kind, Some(case.split('-').next().unwrap().to_uppercase().as_str()), "{case}");
    }
}

#[test]
fn errors_name_the_file_and_what_is_wrong() {
    let error = |name: &str, bytes: &[u8]| image::decode(name, bytes).unwrap_err().to_string();
    let jpeg = b"\xff\xd8\xff\xe0";
    let kinds = "TGA, PCX, BMP, DDS, WAL or PNG";
    assert_eq!(error("a.tga", jpeg), format!("a.tga: expected {kinds}, found JPEG, which the browser decodes"));
    assert_eq!(error("a.tga", &[0; 5]), "a.tga: expected a header of 18 bytes, found a file of 5");
    assert_eq!(error("x", b""), "x: expected an image, found an empty file");
    let huffman = [0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0];
    assert_eq!(error("a.tga", &huffman), "a.tga:byte 2: expected TGA type 1, 2, 3, 9, 10 or 11, found 32");
}

#[test]
fn index_255_of_a_masked_texture_is_a_hole() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/images");
    let mut bytes = fs::read(root.join("bmp-8-padded-rows/a.bmp")).unwrap();
    let pixels = u32::from_le_bytes(bytes[10..14].try_into().unwrap()) as usize;
    bytes[pixels] = 255;
    let masked = image::decode_masked("a.bmp", &bytes, Some(255)).unwrap();
    assert_eq!(masked.alpha, Alpha::Used);
    // Bottom row first in the file; the others keep their alpha.
    assert_eq!(&masked.rgba[12..20], [0, 0, 0, 0, 0, 0, 255, 255]);
    assert_eq!(image::decode("a.bmp", &bytes).unwrap().alpha, Alpha::Opaque);
}

#[test]
fn a_header_alone_claims_no_memory() {
    // 16384 × 16384 pixels of TGA, types 2 and 10, BMP, PCX and DDS, each in a file of its header and a few bytes.
    let side = 16384u16.to_le_bytes();
    let tga = |kind| [&[0, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0], &side[..], &side[..], &[24, 0, 0xff, 1, 2, 3]].concat();
    let mut dds = fixtures().into_iter().find(|(path, _)| path.to_string_lossy().contains("dds-dxt1/")).unwrap().1;
    dds[12..20].copy_from_slice(&[0, 0x40, 0, 0, 0, 0x40, 0, 0]);
    let mut bmp = fixtures().into_iter().find(|(path, _)| path.to_string_lossy().contains("bmp-8-rle/")).unwrap().1;
    bmp[18..26].copy_from_slice(&[0, 0x40, 0, 0, 0, 0x40, 0, 0]);
    for file in [tga(2), tga(10), dds, bmp] {
        let (result, most) = counting(|| image::decode("a.tga", &file));
        let error = result.unwrap_err().to_string();
        assert!(error.contains("expected 268435456 pixels (16384 × 16384), found"), "{error}");
        assert!(most < 64 * file.len() + 4096, "{most} bytes for a file of {}", file.len());
    }
    let error =
        image::decode("a.tga", &[0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x40, 1, 0, 24, 0, 0, 0, 0]).unwrap_err();
    assert_eq!(error.to_string(), "a.tga:byte 12: expected a size of 1 to 16384 each way, found 16385 × 1");
}

#[test]
fn runs_may_hold_more_than_64_bytes_for_each_of_the_file() {
    // 512 × 512 grey pixels in 2048 packets of 2 bytes: 256 bytes of memory for each, and all of them accounted for.
    let header = [0, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 8, 0];
    let file = [&header[..], &[0xff, 7].repeat(2048)].concat();
    let image = image::decode("flat.tga", &file).unwrap();
    assert!(image.warnings.is_empty());
    assert_eq!(image.rgba, [7, 7, 7, 255].repeat(512 * 512));
}

#[test]
fn cut_and_flipped_files_neither_panic_nor_take_memory() {
    let mut decoded = 0;
    let mut check = |path: &Path, bytes: &[u8]| {
        let name = path.file_name().unwrap().to_str().unwrap();
        let (result, most) = counting(|| (image::decode_masked(name, bytes, Some(255)), image::compressed(bytes)));
        // What a file of this size may claim, the same again while it grows, and the sentences.
        assert!(most < 2 * 512 * bytes.len() + 8192, "{}: {most} bytes for {}", path.display(), bytes.len());
        if let Ok(image) = &result.0 {
            assert_eq!(image.rgba.len(), image.width as usize * image.height as usize * 4);
            decoded += 1;
        }
        for level in result.1.iter().flat_map(|compressed| &compressed.levels) {
            assert!(bytes.get(level.clone()).is_some());
        }
    };
    for (path, bytes) in fixtures() {
        for end in 0..bytes.len() {
            check(&path, &bytes[..end]);
        }
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            check(&path, &flipped);
        }
        for byte in 0..bytes.len() {
            for value in [0, 0x7f, 0xff] {
                let mut changed = bytes.clone();
                changed[byte] = value;
                check(&path, &changed);
            }
        }
    }
    assert!(decoded > 10_000, "only {decoded} damaged files still gave an image");
}

#[test]
fn blocks_go_to_the_graphics_card_as_they_are() {
    use rigview::image::{BlockFormat, Swizzle, compressed};
    let file = |case: &str| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/images");
        fs::read(root.join(case).join("a.dds")).unwrap()
    };
    let mipmaps = compressed(&file("dds-mipmaps")).unwrap();
    assert_eq!((mipmaps.format, mipmaps.width, mipmaps.height), (BlockFormat::Bc1, 4, 4));
    assert_eq!(mipmaps.levels, [128..136, 136..144, 144..152]);
    let normals = compressed(&file("dds-rxgb")).unwrap();
    assert_eq!((normals.format, normals.swizzle), (BlockFormat::Bc3, Swizzle::RedInAlpha));
    assert_eq!(compressed(&file("dds-ati2")).unwrap().swizzle, Swizzle::RebuildZ);
    assert_eq!(compressed(&file("dds-dx10-bc7")).unwrap().levels[0], 148..164);
    let error = compressed(&file("dds-r5g6b5")).unwrap_err().to_string();
    assert_eq!(error, ":byte 80: expected a compressed DDS file, found plain pixels");
    assert!(compressed(&file("dds-dxt1")[..130]).is_err());
}

/// A folder beside the repository that not everybody has; says so and gives `None` if it is not there.
fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(folder);
    if !path.is_dir() {
        println!("skipped: ../shared/{folder} is not there");
        return None;
    }
    Some(path)
}

#[test]
fn shared_cases_decode_as_they_say() {
    let Some(cases) = shared("cases") else { return };
    let decode = |path: &str| image::decode(path, &fs::read(cases.join(path)).unwrap()).unwrap();
    let colours = |path: &str| -> Vec<u32> {
        let pixels = decode(path).rgba;
        pixels.chunks(4).map(|p| u32::from_be_bytes(p.try_into().unwrap())).collect()
    };
    const RED: u32 = 0xff0000ff;
    const GREEN: u32 = 0x00ff00ff;
    const BLUE: u32 = 0x0000ffff;
    const WHITE: u32 = 0xffffffff;
    for file in [
        "E13-md5-shader-without-extension/bob_body.tga",
        "E49-tga-origin-bit-vertical/bottom-left.tga",
        "E49-tga-origin-bit-vertical/top-left.tga",
        "E49-tga-origin-bit-vertical/top-left-id.tga",
        "E50-tga-origin-bit-horizontal/bottom-right.tga",
        "E50-tga-origin-bit-horizontal/top-right.tga",
        "E53-tga-colour-mapped/mapped.tga",
        "E53-tga-colour-mapped/mapped-first16.tga",
        "E53-tga-colour-mapped/mapped-rle.tga",
        "E55-tga-16-bit/a1r5g5b5.tga",
        "E55-tga-16-bit/x1r5g5b5.tga",
    ] {
        assert_eq!(colours(file), [RED, GREEN, BLUE, WHITE], "{file}");
    }
    assert_eq!(colours("E52-tga-grayscale/gray8.tga"), [0x000000ff, 0x555555ff, 0xaaaaaaff, WHITE]);
    assert_eq!(colours("E52-tga-grayscale/gray8-rle.tga"), [0x000000ff, 0x555555ff, 0xaaaaaaff, 0xaaaaaaff]);
    let bad = decode("E53-tga-colour-mapped/mapped-bad-index.tga");
    // The last pixel of the file is the upper right one.
    assert_eq!(bad.rgba[4..8], [0, 0, 0, 255]);
    assert_eq!(bad.warnings.len(), 1);
    let hidden = decode("E55-tga-16-bit/alpha-all-zero32.tga");
    assert_eq!(hidden.alpha, Alpha::AllZero);
    assert!(hidden.rgba.chunks(4).all(|pixel| pixel == [10, 20, 30, 0]));
    for file in ["E56-bmp-row-padding/pad.bmp", "E56-bmp-row-padding/topdown-4colours.bmp"] {
        assert_eq!(decode(file).width, 3);
        assert_eq!(colours(file), [RED, GREEN, BLUE, WHITE, BLUE, GREEN], "{file}");
    }
}

#[test]
fn shared_models_have_images_that_decode() {
    let Some(models) = shared("models") else { return };
    let mut folders = vec![models];
    let mut number = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.to_string_lossy().into_owned();
            if [".tga", ".dds", ".bmp", ".pcx"].iter().any(|end| name.to_ascii_lowercase().ends_with(end)) {
                let bytes = fs::read(&path).unwrap();
                let image = image::decode(&name, &bytes).unwrap();
                assert!(image.warnings.is_empty(), "{name}: {:?}", image.warnings);
                assert!(!name.ends_with(".dds") || image::compressed(&bytes).is_ok(), "{name}");
                number += 1;
            }
        }
    }
    println!("{number} images");
}
