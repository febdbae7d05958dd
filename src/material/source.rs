//! Source's .vmt files: in comes the text, out comes the material, images not yet looked for.
//!
//! The format is Valve's KeyValues: a shader's name, then `{ key value … }`; keys in any case, either side in quotes or bare.
//! What is read is what shows on a model in plain light; proxies and the many other keys are passed over in silence.

use glam::Vec4;
use hashbrown::HashMap;

use super::words::{Words, number};
use super::{AlphaTest, BlendFactor, ColorGen, ImageRef, Material, Shading, Sides};

/// Characters that are words of their own.
const MARKS: &str = "{}";

/// A .vmt that says what to take from another.
pub struct Vmt {
    /// In lower case.
    shader: String,
    keys: HashMap<String, String>,
    /// Path of the .vmt that this one changes, of a `patch`.
    pub include: Option<String>,
}

impl Vmt {
    /// Reads what there is; a file that ends early has fewer keys.
    pub fn read(text: &str) -> Vmt {
        let mut words = Words::new(text, MARKS);
        let shader = words.next_word().map_or(String::new(), |word| word.text.to_ascii_lowercase());
        let mut vmt = Vmt { shader, keys: HashMap::new(), include: None };
        if words.next_word().is_some_and(|word| word.is_mark("{")) {
            vmt.block(&mut words, 0);
        }
        vmt.include = vmt.keys.remove("include");
        vmt
    }

    fn block(&mut self, words: &mut Words, depth: u32) {
        while let Some(key) = words.next_word() {
            if key.is_mark("}") {
                return;
            }
            let Some(value) = words.next_word() else { return };
            if value.is_mark("{") {
                // A patch's own keys stand in blocks; others hold keys for old hardware, or proxies.
                match depth == 0 && (key.is("insert") || key.is("replace")) {
                    true => self.block(words, depth + 1),
                    false => _ = words.skip_block(),
                }
            } else if value.is_mark("}") {
                return;
            } else {
                self.keys.insert(key.text.to_ascii_lowercase(), value.text.to_string());
            }
        }
    }

    /// This file's keys over those of the one that it includes.
    pub fn over(mut self, base: Vmt) -> Vmt {
        let mut keys = base.keys;
        keys.extend(self.keys.drain());
        Vmt { shader: base.shader, keys, include: None }
    }

    fn is_set(&self, key: &str) -> bool {
        self.number(key).is_some_and(|value| value != 0.0)
    }

    fn number(&self, key: &str) -> Option<f32> {
        self.keys.get(key).map(|value| number(value.trim()))
    }

    /// The material, under the name that the model gives it.
    pub fn material(&self, name: &str) -> Material {
        let image = |key: &str, slot: &str| {
            let name = self.keys.get(key).map(|value| value.trim()).filter(|value| !value.is_empty())?;
            // Textures are named from materials/ on, without an extension.
            Some(ImageRef::new(slot, name))
        };
        let mut material = Material::plain(name, image("$basetexture", "diffuse"));
        let layer = &mut material.layers[0];
        layer.bump = image("$bumpmap", "bump").or_else(|| image("$normalmap", "bump"));
        if self.shader.starts_with("unlit") {
            layer.shading = Shading::Unlit;
        }
        if let Some(color) = self.keys.get("$color2").or_else(|| self.keys.get("$color")) {
            layer.rgb = ColorGen::Constant(color_of(color));
        }
        let alpha = self.number("$alpha").unwrap_or(1.0).clamp(0.0, 1.0);
        if alpha < 1.0 {
            layer.alpha = ColorGen::Constant(Vec4::splat(alpha));
        }
        if self.is_set("$alphatest") {
            let limit = self.number("$alphatestreference").filter(|&limit| limit > 0.0);
            layer.alpha_test = Some(AlphaTest::GreaterOrEqual(limit.unwrap_or(0.5)));
        } else if self.is_set("$additive") {
            layer.blend = Some((BlendFactor::SrcAlpha, BlendFactor::One));
        } else if self.is_set("$translucent") || alpha < 1.0 {
            layer.blend = Some((BlendFactor::SrcAlpha, BlendFactor::OneMinusSrcAlpha));
        }
        layer.depth_write = layer.blend.is_none();
        material.translucent = layer.blend.is_some();
        material.hidden = self.is_set("$no_draw");
        if self.is_set("$nocull") {
            material.sides = Sides::Both;
        }
        material
    }
}

/// `[1 0.5 0]` of fractions, or `{255 128 0}` of bytes; or one number for all.
fn color_of(text: &str) -> Vec4 {
    let is_bytes = text.trim_start().starts_with('{');
    let numbers: Vec<f32> = text
        .split(|c: char| c.is_whitespace() || "[]{},".contains(c))
        .filter(|word| !word.is_empty())
        .map(number)
        .collect();
    let scale = if is_bytes { 1.0 / 255.0 } else { 1.0 };
    let at = |index: usize| numbers.get(index).or(numbers.first()).map_or(1.0, |value| (value * scale).clamp(0.0, 1.0));
    Vec4::new(at(0), at(1), at(2), 1.0)
}
