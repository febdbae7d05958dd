//! Quake III's shader scripts: in comes the text of one shader, out comes the material it describes, images not yet looked for.
//!
//! Follows ioquake3's code/renderergl1/tr_shader.c (ParseShader, ParseStage, FinishShader) as far as models show it. Words are read
//! to the end of the line only; missing numbers count as 0, as there.

use glam::{Vec2, Vec3, Vec4};

use super::words::{Word, Words, number};
use super::{
    AlphaTest, BlendFactor, ColorGen, Deform, ImageRef, Layer, Material, Notes, Shading, Sides, TexCoordGen, TexMod,
    Wave, WaveFunction,
};

/// Characters that end a word: none but blanks.
pub const MARKS: &str = "";

/// Of an `animMap` (MAX_IMAGE_ANIMATIONS).
const MOST_IMAGES: usize = 8;

/// What does not show on a model: for maps, editors, the sky, or the order of drawing.
#[rustfmt::skip]
const WITHOUT_EFFECT: &[&str] = &[
    "nomipmaps", "nopicmip", "polygonoffset", "entitymergable", "fogparms", "skyparms", "portal", "sort", "tesssize",
    "clamptime", "light", "light1", "sun", "nofog", "notc", "nocompress",
];

/// Reads a shader whose opening brace was just read, up to its closing one.
pub fn parse(name: &str, words: &mut Words, notes: &mut Notes) -> Material {
    let mut material = Material { layers: Vec::new(), ..Material::plain(name, None) };
    // Tremulous, XreaL and Unvanquished: one lit layer of several maps.
    let mut lit = Layer::lit();
    let mut has_lit = false;
    // A block that is not closed was reported when the file was looked through.
    while let Some(word) = words.next_word() {
        let keyword = word.text.to_ascii_lowercase();
        match keyword.as_str() {
            "}" => break,
            "{" => {
                if let Some(layer) = stage(words, material.layers.len(), notes) {
                    material.layers.push(layer);
                }
            }
            "cull" => {
                let side = words.on_line();
                material.sides = match side.map(|side| side.text.to_ascii_lowercase()).as_deref() {
                    Some("none" | "twosided" | "disable") => Sides::Both,
                    // It says which side is shown, not which is left out.
                    Some("back" | "backside" | "backsided") => Sides::Back,
                    other => {
                        let found = other.map_or("the end of the line".to_string(), |other| format!("`{other}`"));
                        notes.problem(words.warning(
                            word.at,
                            "`none`, `twosided`, `disable` or `back` after `cull`",
                            found,
                        ));
                        Sides::Front
                    }
                };
            }
            "surfaceparm" => material.hidden |= words.on_line().is_some_and(|parm| parm.is("nodraw")),
            "deformvertexes" => match deform(words, notes) {
                Ok(deform) => material.deforms.push(deform),
                Err(kind) => {
                    notes.unknown(words, word.at, &format!("deformVertexes {kind}"));
                    words.skip_arguments();
                }
            },
            "diffusemap" | "normalmap" | "bumpmap" | "specularmap" => {
                let Some(image) = words.on_line() else { continue };
                has_lit = true;
                match keyword.as_str() {
                    "diffusemap" => lit.images = vec![ImageRef::new("diffuse", image.text)],
                    "specularmap" => lit.specular = Some(ImageRef::new("specular", image.text)),
                    _ => lit.bump = Some(ImageRef::new("bump", image.text)),
                }
            }
            "glowmap" => {
                let Some(image) = words.on_line() else { continue };
                material.layers.push(Layer {
                    images: vec![ImageRef::new("glow", image.text)],
                    blend: Some((BlendFactor::One, BlendFactor::One)),
                    depth_write: false,
                    shading: Shading::Unlit,
                    ..Layer::lit()
                });
            }
            _ if keyword.starts_with("q3map") || keyword.starts_with("qer_") => words.skip_arguments(),
            _ if WITHOUT_EFFECT.contains(&keyword.as_str()) => words.skip_arguments(),
            _ => {
                notes.unknown(words, word.at, word.text);
                words.skip_arguments();
            }
        }
    }
    if has_lit {
        material.layers.insert(0, lit);
    }
    // FinishShader: a first stage that blends makes the whole shader one of the translucent ones.
    material.translucent = material.layers.first().is_some_and(|layer| layer.blend.is_some());
    // Nothing but hints for the map compiler: the game draws no stage.
    material.hidden |= material.layers.is_empty();
    material
}

/// Reads a stage whose opening brace was just read. `None` where it has no image: the game switches such a stage off.
fn stage(words: &mut Words, number_of_stage: usize, notes: &mut Notes) -> Option<Layer> {
    let slot = format!("stage {number_of_stage}");
    // Without rgbGen the game takes identity or identityLighting, which differ by its overbright bits only.
    let mut layer = Layer { shading: Shading::Unlit, ..Layer::lit() };
    let mut writes_depth = None;
    let mut has_image = false;
    // A block that is not closed was reported when the file was looked through.
    while let Some(word) = words.next_word() {
        let keyword = word.text.to_ascii_lowercase();
        match keyword.as_str() {
            "}" => break,
            "map" | "clampmap" => {
                layer.clamp = keyword == "clampmap";
                let image = words.on_line();
                has_image |= image.is_some();
                match image {
                    // There is no light map on a model: the game puts white in its place.
                    Some(image) if is_white(image) => layer.set_white(),
                    Some(image) => layer.set_images(vec![ImageRef::new(&slot, image.text)]),
                    None => notes.problem(words.warning(word.at, "an image after `map`", "the end of the line")),
                }
            }
            "animmap" => {
                has_image = true;
                layer.image_rate = words.number_on_line().unwrap_or(0.0);
                let mut images = Vec::new();
                let mut excess = None;
                while let Some(image) = words.on_line() {
                    match images.len() {
                        MOST_IMAGES => _ = excess.get_or_insert(image),
                        _ => images.push(ImageRef::new(&slot, image.text)),
                    }
                }
                if let Some(image) = excess {
                    let expected = "no more than 8 images after `animMap`";
                    let problem = words.warning(image.at, expected, format!("`{}`", image.text));
                    notes.problem(problem.engine("ioquake3 ignores those beyond."));
                }
                layer.set_images(images);
            }
            "alphafunc" => {
                layer.alpha_test = match words.on_line().map(|word| word.text.to_ascii_uppercase()).as_deref() {
                    Some("GT0") => Some(AlphaTest::Greater(0.0)),
                    Some("LT128") => Some(AlphaTest::Less(0.5)),
                    Some("GE128") => Some(AlphaTest::GreaterOrEqual(0.5)),
                    _ => {
                        notes.problem(words.warning(
                            word.at,
                            "`GT0`, `LT128` or `GE128` after `alphaFunc`",
                            "none of them",
                        ));
                        None
                    }
                }
            }
            "blendfunc" => layer.blend = blend(words, word.at, notes),
            "depthwrite" => writes_depth = Some(true),
            "depthfunc" => words.skip_arguments(),
            "detail" => {}
            "rgbgen" => match rgb_gen(words, notes) {
                Ok((shading, rgb)) => (layer.shading, layer.rgb) = (shading, rgb),
                Err(kind) => {
                    notes.unknown(words, word.at, &format!("rgbGen {kind}"));
                    words.skip_arguments();
                }
            },
            "alphagen" => match alpha_gen(words, notes) {
                Ok(alpha) => layer.alpha = alpha,
                Err(kind) => {
                    notes.unknown(words, word.at, &format!("alphaGen {kind}"));
                    words.skip_arguments();
                }
            },
            "tcgen" | "texgen" => match words.on_line().map(|word| word.text.to_ascii_lowercase()).as_deref() {
                Some("environment") => layer.tex_coords = TexCoordGen::Environment,
                // Models have one set of coordinates.
                Some("base" | "texture" | "lightmap") => layer.tex_coords = TexCoordGen::Mesh,
                other => {
                    notes.unknown(words, word.at, &format!("tcGen {}", other.unwrap_or("")));
                    words.skip_arguments();
                }
            },
            "tcmod" => {
                match tex_mod(words, notes) {
                    Ok(Some(tex_mod)) => layer.tex_mods.push(tex_mod),
                    Ok(None) => {}
                    Err(kind) => notes.unknown(words, word.at, &format!("tcMod {kind}")),
                }
                words.skip_arguments();
            }
            _ => {
                notes.unknown(words, word.at, word.text);
                words.skip_arguments();
            }
        }
    }
    layer.depth_write = writes_depth.unwrap_or(layer.blend.is_none());
    has_image.then_some(layer)
}

fn is_white(image: Word) -> bool {
    ["$whiteimage", "*white", "$lightmap", "*lightmap"].iter().any(|white| image.is(white))
}

/// How bright a stage is. Vertex colours are white: models have none.
fn rgb_gen(words: &mut Words, notes: &mut Notes) -> Result<(Shading, ColorGen), String> {
    let kind = lower(words);
    Ok(match kind.as_str() {
        "identity" | "identitylighting" | "vertex" | "exactvertex" | "oneminusvertex" => {
            (Shading::Unlit, ColorGen::Identity)
        }
        "lightingdiffuse" => (Shading::Lit, ColorGen::Identity),
        "entity" => (Shading::Unlit, ColorGen::Entity),
        // Later engines: both at once.
        "lightingdiffuseentity" => (Shading::Lit, ColorGen::Entity),
        "oneminusentity" => (Shading::Unlit, ColorGen::OneMinusEntity),
        "const" => (Shading::Unlit, ColorGen::Constant(vector(words).clamp(Vec3::ZERO, Vec3::ONE).extend(1.0))),
        "wave" => (Shading::Unlit, ColorGen::Wave(wave(words, notes))),
        _ => return Err(kind),
    })
}

fn alpha_gen(words: &mut Words, notes: &mut Notes) -> Result<ColorGen, String> {
    let kind = lower(words);
    Ok(match kind.as_str() {
        "identity" | "vertex" | "oneminusvertex" => ColorGen::Identity,
        // It fades with the distance to what a portal shows.
        "portal" => {
            words.skip_arguments();
            ColorGen::Identity
        }
        "const" => ColorGen::Constant(Vec4::splat(words.number_on_line().unwrap_or(0.0).clamp(0.0, 1.0))),
        "entity" => ColorGen::Entity,
        "oneminusentity" => ColorGen::OneMinusEntity,
        "lightingspecular" => ColorGen::LightingSpecular,
        "wave" => ColorGen::Wave(wave(words, notes)),
        _ => return Err(kind),
    })
}

fn tex_mod(words: &mut Words, notes: &mut Notes) -> Result<Option<TexMod>, String> {
    let kind = lower(words);
    let mut number = || words.number_on_line().unwrap_or(0.0);
    Ok(Some(match kind.as_str() {
        "scroll" => TexMod::Scroll(Vec2::new(number(), number())),
        "scale" => TexMod::Scale(Vec2::new(number(), number())),
        "rotate" => TexMod::Rotate(number()),
        "stretch" => TexMod::Stretch(wave(words, notes)),
        "turb" => {
            let function = WaveFunction::Sin;
            TexMod::Turb(Wave { function, base: number(), amplitude: number(), phase: number(), frequency: number() })
        }
        "transform" => {
            // Written by columns (RB_CalcTransformTexCoords: s' = s m00 + t m10 + t0).
            let [m00, m01, m10, m11] = [number(), number(), number(), number()];
            TexMod::Transform([m00, m10, m01, m11], Vec2::new(number(), number()))
        }
        // By what the game code says of the entity; nothing here.
        "entitytranslate" => return Ok(None),
        _ => return Err(kind),
    }))
}

fn deform(words: &mut Words, notes: &mut Notes) -> Result<Deform, String> {
    let kind = lower(words);
    let mut number = || words.number_on_line().unwrap_or(0.0);
    Ok(match kind.as_str() {
        "wave" => {
            let width = number();
            // The game says "illegal div value of 0" and goes on with 100.
            let spread = 1.0 / if width == 0.0 { 100.0 } else { width };
            Deform::Wave { spread, wave: wave(words, notes) }
        }
        "bulge" => Deform::Bulge { width: number(), height: number(), speed: number() },
        "move" => Deform::Move { direction: Vec3::new(number(), number(), number()), wave: wave(words, notes) },
        "autosprite" => Deform::AutoSprite,
        "autosprite2" => Deform::AutoSprite2,
        _ => return Err(kind),
    })
}

fn wave(words: &mut Words, notes: &mut Notes) -> Wave {
    let at = words.at();
    let kind = lower(words);
    let function = match kind.as_str() {
        "sin" => WaveFunction::Sin,
        "triangle" => WaveFunction::Triangle,
        "square" => WaveFunction::Square,
        "sawtooth" => WaveFunction::Sawtooth,
        "inversesawtooth" => WaveFunction::InverseSawtooth,
        "noise" => WaveFunction::Noise,
        _ => {
            let problem = words.warning(at, "the name of a wave", format!("`{kind}`"));
            notes.problem(problem.engine("Quake III says \"invalid genfunc name\" and takes `sin`."));
            WaveFunction::Sin
        }
    };
    let mut number = || words.number_on_line().unwrap_or(0.0);
    Wave { function, base: number(), amplitude: number(), phase: number(), frequency: number() }
}

/// `add`, `filter`, `blend`, or two of OpenGL's factors. `None` replaces what is behind, as GL_ONE GL_ZERO does.
fn blend(words: &mut Words, at: usize, notes: &mut Notes) -> Option<(BlendFactor, BlendFactor)> {
    use BlendFactor::*;
    let source = lower(words);
    let blend = match source.as_str() {
        "add" => (One, One),
        "filter" => (DstColor, Zero),
        "blend" => (SrcAlpha, OneMinusSrcAlpha),
        _ => {
            let destination = lower(words);
            match (factor(&source), factor(&destination)) {
                (Some(source), Some(destination)) => (source, destination),
                (source_factor, _) => {
                    let word = if source_factor.is_none() { source } else { destination };
                    notes.problem(words.warning(at, "blend factors after `blendFunc`", format!("`{word}`")));
                    return None;
                }
            }
        }
    };
    (blend != (One, Zero)).then_some(blend)
}

/// OpenGL's name of a factor, in lower case.
pub(super) fn factor(name: &str) -> Option<BlendFactor> {
    Some(match name {
        "gl_zero" => BlendFactor::Zero,
        "gl_one" => BlendFactor::One,
        "gl_src_color" => BlendFactor::SrcColor,
        "gl_one_minus_src_color" => BlendFactor::OneMinusSrcColor,
        "gl_dst_color" => BlendFactor::DstColor,
        "gl_one_minus_dst_color" => BlendFactor::OneMinusDstColor,
        "gl_src_alpha" => BlendFactor::SrcAlpha,
        "gl_one_minus_src_alpha" => BlendFactor::OneMinusSrcAlpha,
        "gl_dst_alpha" => BlendFactor::DstAlpha,
        "gl_one_minus_dst_alpha" => BlendFactor::OneMinusDstAlpha,
        "gl_src_alpha_saturate" => BlendFactor::SrcAlphaSaturate,
        _ => return None,
    })
}

/// `( 1 0.5 0 )`, the brackets with or without blanks around them, or left out.
fn vector(words: &mut Words) -> Vec3 {
    let mut vector = [0.0; 3];
    let mut count = 0;
    loop {
        let mut ahead = *words;
        let Some(word) = ahead.on_line() else { break };
        let bare = word.text.trim_matches(['(', ')']);
        if !bare.is_empty() {
            if count == 3 {
                break;
            }
            vector[count] = number(bare);
            count += 1;
        }
        *words = ahead;
        if word.text.ends_with(')') {
            break;
        }
    }
    vector.into()
}

fn lower(words: &mut Words) -> String {
    words.on_line().map_or(String::new(), |word| word.text.to_ascii_lowercase())
}
