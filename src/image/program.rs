//! Doom 3's image programs: in comes an expression such as `addnormals(a, heightmap(b, 4))`, out comes one image.
//!
//! The arithmetic is that of neo/renderer/Image_program.cpp, bytes in and bytes out, so that a normal map made here has
//! the texels that the game uploads. One step is left out: the game first resamples sizes that are no power of two,
//! which its hardware needed. Neighbours wrap around the edges at any size here.

use super::{Alpha, Image};
use crate::number;
use crate::report::{At, Diagnostic, Result};
use glam::{IVec3, Vec3};

/// What to make of which images. Names are as written in the material.
#[derive(Clone, Debug, PartialEq)]
pub enum Program {
    Image(String),
    /// A height field (the mean of red, green and blue) to normals; the number is the steepness.
    Heightmap(Box<Program>, f32),
    /// The tilt of the second added to the first, at the first's size.
    AddNormals(Box<Program>, Box<Program>),
    /// Each normal becomes the mean of its 3 × 3 neighbours.
    SmoothNormals(Box<Program>),
    /// The sum of each channel, at most 255, at the first's size.
    Add(Box<Program>, Box<Program>),
    /// Each channel times its factor: red, green, blue, alpha.
    Scale(Box<Program>, [f32; 4]),
    InvertAlpha(Box<Program>),
    InvertColor(Box<Program>),
    /// Red copied into green, blue and alpha.
    MakeIntensity(Box<Program>),
    /// The mean of red, green and blue as alpha of a white image.
    MakeAlpha(Box<Program>),
}

/// Deeper nesting than any material has; a file must not exhaust the stack.
const DEEPEST: usize = 32;

impl Program {
    /// Reads a whole text as one program.
    pub fn parse(text: &str) -> Result<Program> {
        let (program, rest) = Self::parse_start(text)?;
        match rest.trim_start() {
            "" => Ok(program),
            _ => Err(Diagnostic::error(At::File, "the end of the image program", token(rest).0.to_string())),
        }
    }

    /// Reads the program that `text` starts with; returns also what follows it. Functions in any case, names bare or in
    /// quotes, `//` and `/* */` comments between the words, as in a material script.
    pub fn parse_start(text: &str) -> Result<(Program, &str)> {
        parse(text, 0)
    }

    /// The images it is made of, in the order in which it names them.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Program::Image(name) => vec![name],
            Program::AddNormals(a, b) | Program::Add(a, b) => [a.names(), b.names()].concat(),
            Program::Heightmap(a, _) | Program::Scale(a, _) => a.names(),
            Program::SmoothNormals(a)
            | Program::InvertAlpha(a)
            | Program::InvertColor(a)
            | Program::MakeIntensity(a)
            | Program::MakeAlpha(a) => a.names(),
        }
    }

    /// Whether the result holds normals: the game then filters and compresses it as such.
    pub fn makes_normals(&self) -> bool {
        matches!(self, Program::Heightmap(..) | Program::AddNormals(..) | Program::SmoothNormals(_))
    }

    /// Makes the image. `fetch` gives the image of a name; if one is missing there is no result, as in the game.
    pub fn evaluate(&self, fetch: &mut dyn FnMut(&str) -> Option<Image>) -> Option<Image> {
        let mut image = match self {
            Program::Image(name) => return fetch(name).filter(Image::is_whole),
            Program::Heightmap(a, scale) => heightmap(a.evaluate(fetch)?, *scale),
            Program::AddNormals(a, b) => both(a.evaluate(fetch)?, b.evaluate(fetch)?, &add_normals),
            Program::SmoothNormals(a) => smooth_normals(a.evaluate(fetch)?),
            Program::Add(a, b) => both(a.evaluate(fetch)?, b.evaluate(fetch)?, &|a, b| {
                for (a, b) in a.iter_mut().zip(b) {
                    *a = a.saturating_add(b);
                }
            }),
            Program::Scale(a, factors) => each(a.evaluate(fetch)?, &|texel| {
                for (channel, factor) in texel.iter_mut().zip(factors) {
                    // The game cuts the product to a byte before it clamps it, so that bright texels wrap around.
                    *channel = (f32::from(*channel) * factor) as i32 as u8;
                }
            }),
            Program::InvertAlpha(a) => each(a.evaluate(fetch)?, &|texel| texel[3] = 255 - texel[3]),
            Program::InvertColor(a) => {
                each(a.evaluate(fetch)?, &|[r, g, b, a]| (*r, *g, *b, *a) = (255 - *r, 255 - *g, 255 - *b, *a))
            }
            Program::MakeIntensity(a) => each(a.evaluate(fetch)?, &|texel| *texel = [texel[0]; 4]),
            Program::MakeAlpha(a) => each(a.evaluate(fetch)?, &|texel| *texel = [255, 255, 255, mean(*texel)]),
        };
        image.alpha = Alpha::of(texels(&mut image));
        Some(image)
    }
}

/// As a material script would write it.
impl std::fmt::Display for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Program::Image(name) if token(name) == (name, "") => f.write_str(name),
            Program::Image(name) => write!(f, "\"{name}\""),
            Program::Heightmap(a, scale) => write!(f, "heightmap({a}, {scale})"),
            Program::AddNormals(a, b) => write!(f, "addnormals({a}, {b})"),
            Program::SmoothNormals(a) => write!(f, "smoothnormals({a})"),
            Program::Add(a, b) => write!(f, "add({a}, {b})"),
            Program::Scale(a, [red, green, blue, alpha]) => write!(f, "scale({a}, {red}, {green}, {blue}, {alpha})"),
            Program::InvertAlpha(a) => write!(f, "invertAlpha({a})"),
            Program::InvertColor(a) => write!(f, "invertColor({a})"),
            Program::MakeIntensity(a) => write!(f, "makeIntensity({a})"),
            Program::MakeAlpha(a) => write!(f, "makeAlpha({a})"),
        }
    }
}

fn parse(text: &str, depth: usize) -> Result<(Program, &str)> {
    let (name, rest) = token(text);
    if name.is_empty() || matches!(name, "(" | ")" | ",") {
        return Err(Diagnostic::error(At::File, "an image or an image program", found(name)));
    }
    let function = name.to_ascii_lowercase();
    let known = matches!(
        function.as_str(),
        "heightmap"
            | "addnormals"
            | "smoothnormals"
            | "add"
            | "scale"
            | "invertalpha"
            | "invertcolor"
            | "makeintensity"
            | "makealpha"
    );
    // An image may bear the name of a function.
    if !known || token(rest).0 != "(" {
        return Ok((Program::Image(name.to_string()), rest));
    }
    if depth == DEEPEST {
        return Err(Diagnostic::error(At::File, format!("at most {DEEPEST} programs in each other"), found(name)));
    }
    let (first, mut rest) = parse(expect(rest, "(")?, depth + 1)?;
    let first = Box::new(first);
    let second = |rest: &mut &'_ str| -> Result<Box<Program>> {
        let (program, after) = parse(expect(rest, ",")?, depth + 1)?;
        *rest = &rest[rest.len() - after.len()..];
        Ok(Box::new(program))
    };
    let program = match function.as_str() {
        "heightmap" => Program::Heightmap(first, number(&mut rest)?),
        "addnormals" => Program::AddNormals(first, second(&mut rest)?),
        "smoothnormals" => Program::SmoothNormals(first),
        "add" => Program::Add(first, second(&mut rest)?),
        "scale" => {
            Program::Scale(first, [number(&mut rest)?, number(&mut rest)?, number(&mut rest)?, number(&mut rest)?])
        }
        "invertalpha" => Program::InvertAlpha(first),
        "invertcolor" => Program::InvertColor(first),
        "makeintensity" => Program::MakeIntensity(first),
        _ => Program::MakeAlpha(first),
    };
    Ok((program, expect(rest, ")")?))
}

/// A comma and a number.
fn number(rest: &mut &str) -> Result<f32> {
    let (word, after) = token(expect(rest, ",")?);
    *rest = &rest[rest.len() - after.len()..];
    let digits = word.trim_end_matches(['f', 'F']);
    let number = number::leading(digits.as_bytes()).filter(|(_, end)| *end == digits.len());
    number.map(|(number, _)| number.f32()).ok_or_else(|| Diagnostic::error(At::File, "a number", found(word)))
}

fn expect<'a>(text: &'a str, mark: &'static str) -> Result<&'a str> {
    match token(text) {
        (word, rest) if word == mark => Ok(rest),
        (word, _) => Err(Diagnostic::error(At::File, format!("`{mark}`"), found(word))),
    }
}

fn found(word: &str) -> String {
    match word {
        "" => "the end of the text".to_string(),
        word => format!("`{word}`"),
    }
}

/// The next word, or a mark, or "" at the end; and what follows.
fn token(mut text: &str) -> (&str, &str) {
    loop {
        text = text.trim_start();
        if text.starts_with("//") {
            text = text.find('\n').map_or("", |end| &text[end..]);
        } else if text.starts_with("/*") {
            text = text.find("*/").map_or("", |end| &text[end + 2..]);
        } else {
            break;
        }
    }
    if let Some(quoted) = text.strip_prefix('"') {
        return match quoted.find('"') {
            Some(end) => (&quoted[..end], &quoted[end + 1..]),
            None => (quoted, ""),
        };
    }
    let end = match text.find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',' | '"')) {
        Some(0) => 1,
        Some(end) => end,
        None => text.len(),
    };
    text.split_at(end)
}

fn texels(image: &mut Image) -> &mut [[u8; 4]] {
    image.rgba.as_chunks_mut().0
}

// The callbacks are called through pointers: one loop in the program rather than one for each function.
fn each(mut image: Image, change: &dyn Fn(&mut [u8; 4])) -> Image {
    texels(&mut image).iter_mut().for_each(change);
    image
}

/// Combines two images texel by texel; the second is brought to the size of the first by leaving out or repeating texels
/// (R_Dropsample: the row is taken a quarter down, the column at its left edge).
fn both(mut a: Image, mut b: Image, combine: &dyn Fn(&mut [u8; 4], [u8; 4])) -> Image {
    let (width, height) = (a.width as usize, a.height as usize);
    let (from_width, from_height) = (b.width as usize, b.height as usize);
    let from_x: Vec<usize> = (0..width).map(|x| x * from_width / width).collect();
    let source = texels(&mut b);
    for (y, row) in texels(&mut a).chunks_exact_mut(width).enumerate() {
        let from_y = (4 * y + 1) * from_height / (4 * height);
        let from_row = &source[from_y * from_width..][..from_width];
        for (texel, &x) in row.iter_mut().zip(&from_x) {
            combine(texel, from_row[x]);
        }
    }
    a.warnings.append(&mut b.warnings);
    a.game_notes.append(&mut b.game_notes);
    a
}

fn mean([r, g, b, _]: [u8; 4]) -> u8 {
    ((u16::from(r) + u16::from(g) + u16::from(b)) / 3) as u8
}

/// -1..1 to a byte, cut towards zero as the game's cast does.
fn byte(component: f32) -> u8 {
    (component * 127.0 + 128.0) as u8
}

fn encode(normal: Vec3, alpha: u8) -> [u8; 4] {
    [byte(normal.x), byte(normal.y), byte(normal.z), alpha]
}

fn decode([x, y, z, _]: [u8; 4]) -> Vec3 {
    let component = |byte: u8| (f32::from(byte) - 128.0) / 127.0;
    Vec3::new(component(x), component(y), component(z))
}

/// The mean of two slopes: that of this texel with its right and lower neighbours, and that of the lower row and the
/// left column of the same square.
fn heightmap(mut image: Image, scale: f32) -> Image {
    let (width, height) = (image.width as usize, image.height as usize);
    let scale = scale / 256.0;
    let depth: Vec<f32> = texels(&mut image).iter().map(|texel| f32::from(mean(*texel))).collect();
    for (y, row) in texels(&mut image).chunks_exact_mut(width).enumerate() {
        let upper_row = &depth[y * width..][..width];
        let lower_row = &depth[(y + 1) % height * width..][..width];
        for (x, texel) in row.iter_mut().enumerate() {
            let right = if x + 1 == width { 0 } else { x + 1 };
            let down = (upper_row[x] - lower_row[x]) * scale;
            let upper = Vec3::new((upper_row[x] - upper_row[right]) * scale, down, 1.0);
            let lower = Vec3::new((lower_row[x] - lower_row[right]) * scale, down, 1.0);
            *texel = encode((upper.normalize_or_zero() + lower.normalize_or_zero()).normalize_or_zero(), 255);
        }
    }
    image
}

fn add_normals(a: &mut [u8; 4], b: [u8; 4]) {
    let mut normal = decode(*a);
    // Some maps fade to 0 0 0 at their edges; they fade to 0 0 1 instead.
    if normal.length() < 1.0 {
        normal.z = (1.0 - normal.x * normal.x - normal.y * normal.y).sqrt();
    }
    let tilt = decode(b);
    normal += Vec3::new(tilt.x, tilt.y, 0.0);
    *a = encode(normal.normalize_or_zero(), 255);
}

fn smooth_normals(mut image: Image) -> Image {
    let (width, height) = (image.width as usize, image.height as usize);
    // Black and middle grey are no normals; they add nothing.
    let offset = |texel: &[u8; 4]| match texel {
        [0, 0, 0, _] => IVec3::ZERO,
        &[x, y, z, _] => IVec3::new(x.into(), y.into(), z.into()) - 128,
    };
    // For each texel the sum of itself with its upper and lower neighbours; then three of those sums side by side.
    let before: Vec<IVec3> = texels(&mut image).iter().map(offset).collect();
    let mut columns = vec![IVec3::ZERO; width];
    for (y, row) in texels(&mut image).chunks_exact_mut(width).enumerate() {
        let rows = [(y + height - 1) % height, y, (y + 1) % height].map(|y| &before[y * width..][..width]);
        for (x, column) in columns.iter_mut().enumerate() {
            *column = rows[0][x] + rows[1][x] + rows[2][x];
        }
        for (x, texel) in row.iter_mut().enumerate() {
            let left = if x == 0 { width - 1 } else { x - 1 };
            let right = if x + 1 == width { 0 } else { x + 1 };
            let sum = columns[left] + columns[x] + columns[right];
            *texel = encode(sum.as_vec3().normalize_or_zero(), texel[3]);
        }
    }
    image
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width: u32, height: u32, texels: &[[u8; 4]]) -> Image {
        assert_eq!(texels.len(), (width * height) as usize);
        Image::new(width, height, texels.to_vec())
    }

    fn run(text: &str, images: &[(&str, Image)]) -> Option<Image> {
        Program::parse(text)
            .unwrap()
            .evaluate(&mut |name| images.iter().find(|(n, _)| *n == name).map(|(_, image)| image.clone()))
    }

    fn named(name: &str) -> Box<Program> {
        Box::new(Program::Image(name.to_string()))
    }

    #[test]
    fn parses_nested_programs() {
        let text = "AddNormals( models/x_local.tga, heightmap( \"models/my rock-h\", 4 ) ) twoSided";
        let (program, rest) = Program::parse_start(text).unwrap();
        let bump = Program::Heightmap(named("models/my rock-h"), 4.0);
        assert_eq!(program, Program::AddNormals(named("models/x_local.tga"), Box::new(bump)));
        assert_eq!(program.names(), ["models/x_local.tga", "models/my rock-h"]);
        assert_eq!(rest, " twoSided");
        assert_eq!(
            Program::parse("scale(a, // red\n 1, .5 , -2,/* alpha */1.0f)").unwrap(),
            Program::Scale(named("a"), [1.0, 0.5, -2.0, 1.0])
        );
        assert_eq!(Program::parse("add").unwrap(), *named("add"));
        let rest = Program::parse_start("makealpha(invertColor(a))\n}").unwrap();
        assert_eq!(rest, (Program::MakeAlpha(Box::new(Program::InvertColor(named("a")))), "\n}"));
    }

    #[test]
    fn prints_what_it_parses() {
        for text in [
            "addnormals(models/x_local.tga, heightmap(\"models/my rock\", 4))",
            "add(smoothnormals(a), scale(b, 1, 0.5, -2, 1))",
            "makeAlpha(makeIntensity(invertColor(invertAlpha(c))))",
        ] {
            assert_eq!(Program::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn says_what_is_wrong() {
        let error = |text| Program::parse(text).unwrap_err().to_string();
        assert_eq!(error("heightmap(a 4)"), "expected `,`, found `4`");
        assert_eq!(error("heightmap(a, b)"), "expected a number, found `b`");
        assert_eq!(error("add(a, )"), "expected an image or an image program, found `)`");
        assert_eq!(error("invertAlpha(a"), "expected `)`, found the end of the text");
        assert_eq!(error(&"add(".repeat(100)), "expected at most 32 programs in each other, found `add`");
    }

    #[test]
    fn heights_become_normals() {
        // One step of 255 to the right of the first column, steepness 256/255: the slopes are -1 or 1 a texel.
        let steps = image(2, 1, &[[0, 0, 0, 9], [255, 255, 255, 9]]);
        let normals = run("heightmap(h, 1.00392157)", &[("h", steps)]).unwrap();
        // (-1, 0, 1) and (1, 0, 1) of unit length: 0.7071 × 127 + 128 = 217.8; -0.7071 × 127 + 128 = 38.2.
        assert_eq!(normals.rgba, [38, 128, 217, 255, 217, 128, 217, 255]);
        // A slope downwards in y only: both estimates agree on y, the lower one sees it from the row below.
        let column = image(1, 2, &[[255, 255, 255, 0], [0, 0, 0, 0]]);
        let normals = run("heightmap(h, 1.00392157)", &[("h", column)]).unwrap();
        assert_eq!(normals.rgba, [128, 217, 217, 255, 128, 38, 217, 255]);
    }

    #[test]
    fn normals_add_at_the_size_of_the_first() {
        let flat = image(2, 1, &[[128, 128, 255, 7], [0, 0, 0, 7]]);
        let tilted = image(1, 1, &[[255, 128, 128, 7]]);
        let sum = run("addnormals(a, b)", &[("a", flat), ("b", tilted)]).unwrap();
        // (0,0,1) + (1,0,0), and (-1.008,-1.008,-1.008), which is longer than 1, + (1,0,0).
        assert_eq!(&sum.rgba[..4], [217, 128, 217, 255]);
        assert_eq!(&sum.rgba[4..], [127, 38, 38, 255]);
        let faded = image(1, 1, &[[128, 128, 128, 7]]);
        let up = run("addnormals(a, a)", &[("a", faded)]).unwrap();
        assert_eq!(up.rgba, [128, 128, 255, 255]);
    }

    #[test]
    fn smoothing_leaves_out_what_is_no_normal() {
        let some = image(3, 1, &[[255, 128, 128, 1], [0, 0, 0, 2], [128, 128, 128, 3]]);
        let smooth = run("smoothnormals(a)", &[("a", some)]).unwrap();
        assert_eq!(smooth.rgba, [255, 128, 128, 1, 255, 128, 128, 2, 255, 128, 128, 3]);
    }

    #[test]
    fn channels_are_changed_as_in_the_game() {
        let a = || ("a", image(1, 1, &[[10, 100, 200, 40]]));
        let b = || ("b", image(1, 1, &[[1, 200, 3, 250]]));
        assert_eq!(run("add(a, b)", &[a(), b()]).unwrap().rgba, [11, 255, 203, 255]);
        assert_eq!(run("scale(a, 0.5, 2, 2, 0)", &[a()]).unwrap().rgba, [5, 200, 144, 0]);
        assert_eq!(run("invertAlpha(a)", &[a()]).unwrap().rgba, [10, 100, 200, 215]);
        assert_eq!(run("invertColor(a)", &[a()]).unwrap().rgba, [245, 155, 55, 40]);
        assert_eq!(run("makeIntensity(a)", &[a()]).unwrap().rgba, [10; 4]);
        let alpha = run("makeAlpha(a)", &[a()]).unwrap();
        assert_eq!((alpha.rgba, alpha.alpha), (vec![255, 255, 255, 103], Alpha::Used));
        assert!(run("add(a, missing)", &[a()]).is_none());
    }
}
