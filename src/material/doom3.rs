//! Doom 3's material declarations: in comes the text of one material of a .mtr, out comes the material it describes, images not
//! yet looked for.
//!
//! Follows dhewm3's neo/renderer/Material.cpp (ParseMaterial, ParseStage, AddImplicitStages). The lit part of a material is its
//! interaction stages (bump, diffuse, specular), which light draws; what else it has are stages drawn as they are.
//! Expressions are worked out with the shader parameters that an entity starts with. Colours follow theirs as time goes by; of
//! the rest, what moves evenly goes on moving.

mod expression;

use glam::{Vec2, Vec4};

pub use expression::{Expression, Table, Tables};

use super::words::{Word, Words};
use super::{
    AlphaTest, BlendFactor, ColorGen, ImageRef, Layer, Material, Notes, Program, Shading, Sides, TexCoordGen, TexMod,
    quake3,
};
use crate::bundle;
use expression::Steady;

/// Characters that are words of their own.
pub const MARKS: &str = "{}(),";

/// Words of a material that do not show on a model and stand alone.
#[rustfmt::skip]
const WITHOUT_EFFECT: &[&str] = &[
    "noshadows", "noselfshadow", "noportalfog", "forceshadows", "nooverlays", "forceoverlays", "mirror", "nofog",
    "unsmoothedtangents", "forceopaque", "decal_macro", "discrete", "nofragment", "islandsurface", "fogalpha",
    "ambientlight", "foglight", "blendlight", "solid", "water", "playerclip", "monsterclip", "moveableclip", "ikclip",
    "blood", "trigger", "aassolid", "aasobstacle", "flashlight_trigger", "nonsolid", "nullnormal", "areaportal",
    "nocarve", "ladder", "nodamage", "nosteps", "collision", "noimpact", "metal", "stone", "flesh", "wood", "cardboard",
    "liquid", "glass", "plastic", "ricochet", "nonopaque", "origin", "uncompressed", "highquality", "nopicmip",
    "forcehighquality", "nomips", "nearest", "linear", "surftype10", "surftype11", "surftype12", "surftype13",
    "surftype14", "surftype15",
];

/// The same for those that something follows on their line.
#[rustfmt::skip]
const ARGUMENTS_WITHOUT_EFFECT: &[&str] = &[
    "description", "sort", "spectrum", "deform", "decalinfo", "renderbump", "renderbumpflat", "guisurf",
    "lightfalloffimage", "polygonoffset", "subviewtype",
];

/// Words of a stage that do not show.
#[rustfmt::skip]
const STAGE_WITHOUT_EFFECT: &[&str] = &[
    "nopicmip", "uncompressed", "highquality", "forcehighquality", "nomips", "nearest", "linear", "noclamp",
    "ignorealphatest", "maskred", "maskgreen", "maskblue", "maskcolor", "maskalpha", "maskdepth", "vertexcolor",
    "inversevertexcolor",
];

/// The name by which a material is declared and looked up: lower case, `/` between the parts, cut at the last dot
/// (idMaterial's MakeNameCanonical in DeclManager.cpp).
pub fn canonical(name: &str) -> String {
    let name = bundle::lower(name).replace('\\', "/");
    name.rfind('.').map_or(name.as_str(), |dot| &name[..dot]).to_string()
}

/// What a stage lights, if it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lighting {
    Ambient,
    Bump,
    Diffuse,
    Specular,
}

struct Stage {
    lighting: Lighting,
    /// Its one image is in `images`, or the layer is white.
    layer: Layer,
    is_black: bool,
    /// Draws into the depth or alpha only.
    is_invisible: bool,
}

/// Reads a material whose opening brace was just read, up to its closing one.
pub fn parse(name: &str, words: &mut Words, tables: &dyn Tables, notes: &mut Notes) -> Material {
    let mut material = Material { layers: Vec::new(), ..Material::plain(name, None) };
    let mut stages = Vec::new();
    let mut is_translucent = false;
    let mut clamp = false;
    // A block that is not closed was reported when the file was looked through.
    while let Some(word) = words.next_word() {
        let keyword = word.text.to_ascii_lowercase();
        match keyword.as_str() {
            "}" => break,
            "{" => stages.extend(stage(words, stages.len(), tables, notes)),
            "twosided" => material.sides = Sides::Both,
            "backsided" => material.sides = Sides::Back,
            "translucent" => is_translucent = true,
            "clamp" | "zeroclamp" | "alphazeroclamp" => clamp = true,
            "diffusemap" | "bumpmap" | "specularmap" => {
                let lighting = match keyword.as_str() {
                    "diffusemap" => Lighting::Diffuse,
                    "bumpmap" => Lighting::Bump,
                    _ => Lighting::Specular,
                };
                let mut stage = Stage::new(lighting);
                if map(&mut stage, "", words, notes) {
                    stages.push(stage);
                }
            }
            _ if WITHOUT_EFFECT.contains(&keyword.as_str()) => {}
            _ if ARGUMENTS_WITHOUT_EFFECT.contains(&keyword.as_str()) || keyword.starts_with("qer_") => {
                words.skip_arguments();
            }
            _ => {
                notes.unknown(words, word.at, word.text);
                words.skip_arguments();
            }
        }
    }
    assemble(&mut material, stages, is_translucent, clamp);
    material
}

/// Makes layers of stages: a lit one for each diffuse image, with bump and highlights of its group, then the rest as it is.
fn assemble(material: &mut Material, stages: Vec<Stage>, is_translucent: bool, clamp: bool) {
    let is_lit = stages.iter().any(|stage| stage.lighting != Lighting::Ambient);
    let first_is_blended = stages.first().is_some_and(|stage| stage.layer.blend.is_some());
    // Coverage, as ParseMaterial settles it at its end. No stage at all: not to be seen.
    material.translucent = is_translucent || (!is_lit && first_is_blended);
    material.hidden = stages.is_empty();

    let has_color = stages.iter().any(|stage| matches!(stage.lighting, Lighting::Diffuse | Lighting::Specular));
    let mut ambient = Vec::new();
    let mut mask = None;
    for group in groups(stages) {
        let (mut bump, mut diffuse, mut specular) = (None, Vec::new(), Vec::new());
        for stage in group {
            match stage.lighting {
                Lighting::Ambient if stage.is_invisible => mask = mask.or(stage.layer.alpha_test),
                Lighting::Ambient => ambient.push(stage.layer),
                Lighting::Bump => bump = stage.into_image(),
                Lighting::Diffuse => diffuse.push(stage),
                Lighting::Specular => specular.push(stage.into_image()),
            }
        }
        let mut layers: Vec<Layer> = diffuse.into_iter().map(Stage::into_lit_layer).collect();
        if layers.is_empty() && is_lit && (!specular.is_empty() || !has_color) {
            // Highlights alone; without those either, the game puts _white in (AddImplicitStages).
            let rgb = if specular.is_empty() { ColorGen::Identity } else { black() };
            layers.push(Layer { white: true, rgb, ..Layer::lit() });
        }
        for image in specular.into_iter().flatten() {
            match layers.iter_mut().find(|layer| layer.specular.is_none()) {
                Some(layer) => layer.specular = Some(image),
                None => {
                    layers.push(Layer { white: true, rgb: black(), specular: Some(image), ..Layer::lit() });
                }
            }
        }
        for mut layer in layers {
            layer.bump.clone_from(&bump);
            // Light is added to what is there: only the first layer stands on its own.
            let is_first = material.layers.is_empty();
            layer.blend = (is_translucent || !is_first).then_some((BlendFactor::One, BlendFactor::One));
            layer.depth_write = layer.blend.is_none();
            material.layers.push(layer);
        }
    }
    for layer in &mut material.layers {
        layer.alpha_test = layer.alpha_test.or(mask);
    }
    material.layers.extend(ambient);
    for layer in &mut material.layers {
        layer.clamp |= clamp;
    }
}

/// The stages of each bump map, as the game sorts them (SortInteractionStages): a group reaches to the next bump map; unless the
/// first stage is none, for then all is one group.
fn groups(stages: Vec<Stage>) -> Vec<Vec<Stage>> {
    let begins_with_bump = stages.first().is_some_and(|stage| stage.lighting == Lighting::Bump);
    let mut groups: Vec<Vec<Stage>> = Vec::new();
    for stage in stages {
        match groups.last_mut() {
            Some(group) if !(begins_with_bump && stage.lighting == Lighting::Bump) => group.push(stage),
            _ => groups.push(vec![stage]),
        }
    }
    groups
}

fn black() -> ColorGen {
    ColorGen::Constant(Vec4::new(0.0, 0.0, 0.0, 1.0))
}

impl Stage {
    fn new(lighting: Lighting) -> Self {
        let shading = if lighting == Lighting::Ambient { Shading::Unlit } else { Shading::Lit };
        Self { lighting, layer: Layer { shading, ..Layer::lit() }, is_black: false, is_invisible: false }
    }

    fn slot(&self, index: &str) -> String {
        match self.lighting {
            Lighting::Ambient => format!("stage {index}"),
            Lighting::Bump => "bump".to_string(),
            Lighting::Diffuse => "diffuse".to_string(),
            Lighting::Specular => "specular".to_string(),
        }
    }

    fn into_lit_layer(self) -> Layer {
        let rgb = if self.is_black { black() } else { self.layer.rgb };
        Layer { shading: Shading::Lit, rgb, ..self.layer }
    }

    fn into_image(self) -> Option<ImageRef> {
        self.layer.images.into_iter().next()
    }
}

/// Reads an image program into the stage. False where it is none, or one that cannot be shown.
fn map(stage: &mut Stage, index: &str, words: &mut Words, notes: &mut Notes) -> bool {
    let start = words.at();
    let rest = words.rest();
    let program = match Program::parse_start(rest) {
        Ok((program, after)) => {
            words.seek(start + rest.len() - after.len());
            program
        }
        Err(mut error) => {
            error.severity = crate::report::Severity::Warning;
            error.at = words.locate(start);
            notes.problem(error);
            words.skip_arguments();
            return false;
        }
    };
    if let Program::Image(name) = &program
        && let Some(builtin) = name.strip_prefix('_')
    {
        match builtin.to_ascii_lowercase().as_str() {
            "white" => stage.layer.set_white(),
            "black" => {
                stage.layer.set_white();
                stage.is_black = true;
            }
            // What a surface has without a bump map.
            "flat" if stage.lighting == Lighting::Bump => {}
            _ => {
                // What the game makes of its own screen, lights or fog.
                notes.unknown(words, start + 1, &format!("map {name}"));
                return false;
            }
        }
        return true;
    }
    let slot = stage.slot(index);
    stage.layer.set_images(vec![ImageRef::program(slot, program)]);
    true
}

/// Reads a stage whose opening brace was just read. `None` where it shows nothing on a model.
fn stage(words: &mut Words, index: usize, tables: &dyn Tables, notes: &mut Notes) -> Option<Stage> {
    let mut stage = Stage::new(Lighting::Ambient);
    let mut has_image = false;
    let mut is_shown = true;
    let mut color = [const { Expression::Number(1.0) }; 4];
    let mut is_colored = false;
    // A block that is not closed was reported when the file was looked through.
    while let Some(word) = words.next_word() {
        let keyword = word.text.to_ascii_lowercase();
        // One expression from here, or one of several with commas between.
        let expression = |words: &mut Words, notes: &mut Notes| expression(words, word, tables, notes);
        let value = |words: &mut Words, notes: &mut Notes| steady(&expression(words, notes), words, word, notes);
        match keyword.as_str() {
            "}" => break,
            // Blocks of vertex and fragment programs; a brace that opens here belongs to nothing known.
            "{" => _ = words.skip_block(),
            "blend" => blend(&mut stage, words, word, notes),
            // The slot is named once `blend` is known, which may come later.
            "map" => has_image = map(&mut stage, &index.to_string(), words, notes),
            "alphatest" => stage.layer.alpha_test = Some(AlphaTest::Greater(value(words, notes).at_start)),
            "if" => is_shown &= value(words, notes).at_start != 0.0,
            "clamp" | "zeroclamp" | "alphazeroclamp" => stage.layer.clamp = true,
            "red" => color[0] = expression(words, notes),
            "green" => color[1] = expression(words, notes),
            "blue" => color[2] = expression(words, notes),
            "alpha" => color[3] = expression(words, notes),
            "rgb" => color[..3].fill(expression(words, notes)),
            "rgba" => color.fill(expression(words, notes)),
            "color" => {
                for (place, channel) in color.iter_mut().enumerate() {
                    if place > 0 {
                        skip_comma(words);
                    }
                    *channel = expression(words, notes);
                }
            }
            "colored" => is_colored = true,
            "scroll" | "translate" | "scale" | "centerscale" | "shear" => {
                let x = value(words, notes);
                skip_comma(words);
                let y = value(words, notes);
                // Only what is shifted may go on evenly.
                if !matches!(keyword.as_str(), "scroll" | "translate") && (x.rate, y.rate) != (0.0, 0.0) {
                    varies(words, word, notes);
                }
                push_tex_mods(&mut stage.layer, &keyword, x, y);
            }
            "rotate" => rotate(&mut stage.layer, value(words, notes)),
            "texgen" => {
                let kind = words.on_line();
                match kind.map(|kind| kind.text.to_ascii_lowercase()).as_deref() {
                    Some("normal") => {}
                    // Doom 3 mirrors a cube map here.
                    Some("reflect") => stage.layer.tex_coords = TexCoordGen::Environment,
                    other => {
                        notes.unknown(words, word.at, &format!("texGen {}", other.unwrap_or("")));
                        is_shown = false;
                        words.skip_arguments();
                    }
                }
            }
            "cubemap" | "cameracubemap" | "videomap" | "soundmap" | "mirrorrendermap" | "remoterendermap"
            | "program" | "fragmentprogram" | "vertexprogram" | "megatexture" => {
                notes.unknown(words, word.at, word.text);
                words.skip_arguments();
                is_shown = false;
            }
            "vertexparm" | "fragmentmap" | "privatepolygonoffset" => words.skip_arguments(),
            _ if STAGE_WITHOUT_EFFECT.contains(&keyword.as_str()) => {}
            _ => {
                notes.unknown(words, word.at, word.text);
                words.skip_arguments();
            }
        }
    }
    let slot = stage.slot(&index.to_string());
    for image in &mut stage.layer.images {
        image.slot.clone_from(&slot);
    }
    let layer = &mut stage.layer;
    if is_colored {
        (layer.rgb, layer.alpha) = (ColorGen::Entity, ColorGen::Entity);
    } else if color.iter().any(Expression::changes) {
        let color = ColorGen::Expressions(color.into());
        (layer.rgb, layer.alpha) = (color.clone(), color);
    } else {
        let color = Vec4::from(color.each_ref().map(|channel| channel.at(0.0)));
        if color != Vec4::ONE {
            let color = ColorGen::Constant(color.clamp(Vec4::ZERO, Vec4::ONE));
            (layer.rgb, layer.alpha) = (color.clone(), color);
        }
    }
    if stage.is_black {
        layer.rgb = black();
    }
    layer.depth_write = layer.blend.is_none();
    (is_shown && has_image).then_some(stage)
}

fn blend(stage: &mut Stage, words: &mut Words, word: Word, notes: &mut Notes) {
    let mut next = || words.next_word().map_or(String::new(), |word| word.text.to_ascii_lowercase());
    let source = next();
    let blend = match source.as_str() {
        "bumpmap" | "diffusemap" | "specularmap" => {
            stage.lighting = match source.as_str() {
                "bumpmap" => Lighting::Bump,
                "diffusemap" => Lighting::Diffuse,
                _ => Lighting::Specular,
            };
            stage.layer.shading = Shading::Lit;
            return;
        }
        "blend" => (BlendFactor::SrcAlpha, BlendFactor::OneMinusSrcAlpha),
        "add" => (BlendFactor::One, BlendFactor::One),
        "filter" | "modulate" => (BlendFactor::DstColor, BlendFactor::Zero),
        "none" => (BlendFactor::Zero, BlendFactor::One),
        _ => {
            skip_comma(words);
            let destination = words.next_word().map_or(String::new(), |word| word.text.to_ascii_lowercase());
            match (quake3::factor(&source), quake3::factor(&destination)) {
                (Some(source), Some(destination)) => (source, destination),
                _ => {
                    let found = format!("`{source}, {destination}`");
                    notes.problem(words.warning(word.at, "blend factors after `blend`", found));
                    return;
                }
            }
        }
    };
    stage.is_invisible = blend == (BlendFactor::Zero, BlendFactor::One);
    stage.layer.blend = (blend != (BlendFactor::One, BlendFactor::Zero)).then_some(blend);
}

fn skip_comma(words: &mut Words) {
    let mut ahead = *words;
    if ahead.next_word().is_some_and(|word| word.is_mark(",")) {
        *words = ahead;
    }
}

fn expression(words: &mut Words, word: Word, tables: &dyn Tables, notes: &mut Notes) -> Expression {
    let start = words.at();
    match Expression::parse(words.rest(), tables) {
        Ok((expression, length)) => {
            words.seek(start + length);
            expression
        }
        Err(found) => {
            notes.problem(words.warning(word.at, "an expression", found));
            words.skip_arguments();
            Expression::Number(0.0)
        }
    }
}

/// A value that is drawn as it is at the start, or as it grows evenly from there; what changes in another way is reported.
fn steady(expression: &Expression, words: &Words, word: Word, notes: &mut Notes) -> Steady {
    let steady = expression.steady();
    if steady.varies {
        varies(words, word, notes);
    }
    steady
}

fn varies(words: &Words, word: Word, notes: &mut Notes) {
    let expected = "a value that stays, or shifts and turns evenly";
    let warning = words.warning(word.at, expected, "one that changes with time in another way");
    let warning = warning.inside(word.text.to_ascii_lowercase());
    notes.problem(warning.engine("Doom 3 works it out anew for every picture; here it stays as at the start."));
}

/// A shift or scale that stays, or goes on steadily with time.
fn push_tex_mods(layer: &mut Layer, keyword: &str, x: Steady, y: Steady) {
    let at_start = Vec2::new(x.at_start, y.at_start);
    let transform = |matrix, offset| TexMod::Transform(matrix, offset);
    match keyword {
        "scroll" | "translate" => {
            let rate = Vec2::new(x.rate, y.rate);
            if at_start != Vec2::ZERO {
                layer.tex_mods.push(transform([1.0, 0.0, 0.0, 1.0], at_start));
            }
            if rate != Vec2::ZERO {
                layer.tex_mods.push(TexMod::Scroll(rate));
            }
        }
        "scale" => layer.tex_mods.push(TexMod::Scale(at_start)),
        "centerscale" => {
            let offset = Vec2::splat(0.5) - 0.5 * at_start;
            layer.tex_mods.push(transform([at_start.x, 0.0, 0.0, at_start.y], offset));
        }
        _ => layer.tex_mods.push(transform([1.0, at_start.x, at_start.y, 1.0], -0.5 * at_start)),
    }
}

/// Turns about the middle; the value is in turns.
fn rotate(layer: &mut Layer, turns: Steady) {
    if turns.at_start != 0.0 {
        let (sin, cos) = (turns.at_start * std::f32::consts::TAU).sin_cos();
        let offset = Vec2::new(0.5 - 0.5 * cos + 0.5 * sin, 0.5 - 0.5 * sin - 0.5 * cos);
        layer.tex_mods.push(TexMod::Transform([cos, -sin, sin, cos], offset));
    }
    if turns.rate != 0.0 {
        // Quake III, whose word this is, turns the other way.
        layer.tex_mods.push(TexMod::Rotate(-360.0 * turns.rate));
    }
}
