//! Every number in the text files beside the repository is read bit for bit as the standard library reads it.

mod support;

use std::collections::BTreeMap;

use rigview::format::lines::{Lines, parse_float};
use rigview::format::text::Text;
use support::{extension, files_below, shared};

/// The kinds of files that are texts with numbers in them.
const TEXTS: [&str; 13] =
    ["md5mesh", "md5anim", "md5camera", "smd", "vta", "qc", "qci", "cfg", "shader", "mtr", "txt", "obj", "mtl"];

#[test]
fn all_numbers_of_real_files_are_those_of_the_standard_library() {
    let Some(folder) = shared("") else { return };
    let mut numbers = BTreeMap::new();
    for path in files_below(&folder) {
        let extension = extension(&path);
        if !TEXTS.contains(&extension.as_str()) {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let found: usize = numbers_of(&bytes).map(|number| assert_exact(&path.display(), number)).sum();
        *numbers.entry(extension).or_insert(0) += found;
    }
    println!("numbers compared: {numbers:?}");
    for kind in ["md5mesh", "md5anim", "smd"] {
        assert!(numbers.get(kind).is_some_and(|&count| count > 50_000), "{kind} files are there: {numbers:?}");
    }
}

/// All that may be a number: what stands between bytes that occur in none.
fn numbers_of(bytes: &[u8]) -> impl Iterator<Item = &str> {
    let belongs = |byte: &u8| byte.is_ascii_digit() || b".eE+-".contains(byte);
    bytes.split(move |byte| !belongs(byte)).filter_map(|word| std::str::from_utf8(word).ok())
}

/// 1 if the word is a number, after having compared it.
#[track_caller]
fn assert_exact(path: &dyn std::fmt::Display, word: &str) -> usize {
    let Ok(expected) = word.parse::<f32>() else { return 0 };
    let digits = word.trim_start_matches(['+', '-']);
    let mut text = Text::new(digits.as_bytes());
    let found = text.decimal().map(f32::to_bits);
    assert_eq!(found, Some(expected.abs().to_bits()), "{path}: {word}");
    assert!(text.is_at_end(), "{path}: {word} is read to its end");
    // With more of the file behind it, the quick way is taken.
    let inside = format!("{word} and whatever follows in the file");
    let mut text = Text::new(&inside.as_bytes()[word.len() - digits.len()..]);
    if let Some((found, behind)) = text.common_decimal() {
        assert_eq!((found.to_bits(), behind), (expected.abs().to_bits(), b' '), "{path}: {word}");
        assert_eq!(text.offset(), digits.len(), "{path}: {word}");
    }
    if expected.is_finite() {
        let found = Lines::new(inside.as_bytes()).next().and_then(|line| line.fields().float().ok());
        assert_eq!(found.map(f32::to_bits), Some(expected.to_bits()), "{path}: {word}");
        assert_eq!(parse_float(word.as_bytes()).map(f32::to_bits), Some(expected.to_bits()), "{path}: {word}");
    }
    1
}
