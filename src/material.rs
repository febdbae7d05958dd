//! How a surface looks: what the games' material scripts come down to, and what the renderer draws.

pub mod animate;
mod cube2;
mod doom3;
mod goldsrc;
mod library;
mod quake3;
pub mod skin;
mod source;
pub mod words;

use std::sync::Arc;

use glam::{Vec2, Vec4};

pub use crate::image::program::Program;
pub use doom3::Expression;
pub use goldsrc::RenderMode;
pub use library::{Dialect, Library, Search, by_folder, cube2_materials};

use crate::report::{At, Diagnostic, Report};

/// A surface's look: layers drawn one over the other, the first onto whatever is behind.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// As the model file spells it.
    pub name: String,
    pub sides: Sides,
    /// Nothing is drawn (Quake III: surfaceparm nodraw).
    pub hidden: bool,
    pub layers: Vec<Layer>,
    pub deforms: Vec<Deform>,
    /// Drawn after the opaque ones: some layer lets the background through.
    pub translucent: bool,
    /// Where the look was read from: `scripts/x.shader:12`, `guess by name`, `image beside the model`. For the report.
    pub source: String,
}

impl Material {
    /// One lit, opaque layer that shows the image `diffuse`; no image gives the neutral material.
    pub fn plain(name: impl Into<String>, diffuse: Option<ImageRef>) -> Self {
        Self {
            name: name.into(),
            sides: Sides::Front,
            hidden: false,
            layers: vec![Layer { images: diffuse.into_iter().collect(), ..Layer::lit() }],
            deforms: Vec::new(),
            translucent: false,
            source: String::new(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sides {
    #[default]
    Front,
    Back,
    /// Both; the back is lit with the reversed normal.
    Both,
}

/// An image that a layer shows: what was asked for and what was found.
#[derive(Clone, Debug, PartialEq)]
pub struct ImageRef {
    /// What part it plays, as reports name it: `diffuse`, `bump`, `specular`, `stage 0`.
    pub slot: String,
    /// What to make: a file's image, or an expression over several (Doom 3's image programs). Names in it are as written.
    pub program: Program,
    /// Files that `program`'s names resolved to, in the order in which the program names them; `None` where nothing was found.
    pub paths: Vec<Option<String>>,
    /// For each of `paths`, every path that was looked for, in order, until one was there.
    pub tried: Vec<Vec<String>>,
    /// A file that the game would show and that Rigview does not read (Source's .vtf), where nothing else was found.
    pub unread: Option<String>,
}

impl ImageRef {
    /// One image, not yet looked for.
    pub fn new(slot: impl Into<String>, name: impl Into<String>) -> Self {
        Self::program(slot, Program::Image(name.into()))
    }

    /// What `program` makes, its images not yet looked for.
    pub fn program(slot: impl Into<String>, program: Program) -> Self {
        Self { slot: slot.into(), program, paths: Vec::new(), tried: Vec::new(), unread: None }
    }

    /// Whether an image that it is made of was not found.
    pub fn is_missing(&self) -> bool {
        self.paths.iter().any(Option::is_none)
    }
}

/// One pass over the surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    pub shading: Shading,
    /// The frames of an animation (`image_rate` a second); usually one. Empty: white, or the neutral pattern where
    /// `shading` is `Lit` and the material did not ask for white.
    pub images: Vec<ImageRef>,
    /// The material asks for plain white (Quake III: $whiteimage, Doom 3: _white); `images` is empty.
    pub white: bool,
    pub image_rate: f32,
    /// Doom 3: normal map in tangent space, with `Shading::Lit`.
    pub bump: Option<ImageRef>,
    /// Doom 3: colour of the highlight, with `Shading::Lit`.
    pub specular: Option<ImageRef>,
    /// Texture coordinates outside 0..1 take the edge instead of repeating.
    pub clamp: bool,
    pub blend: Option<(BlendFactor, BlendFactor)>,
    pub alpha_test: Option<AlphaTest>,
    pub depth_write: bool,
    pub rgb: ColorGen,
    pub alpha: ColorGen,
    pub tex_coords: TexCoordGen,
    /// Applied in order.
    pub tex_mods: Vec<TexMod>,
    /// 8-bit images: this palette index is a hole (GoldSrc masked: 255).
    pub masked_index: Option<u8>,
}

impl Layer {
    pub fn lit() -> Self {
        Self {
            shading: Shading::Lit,
            images: Vec::new(),
            white: false,
            image_rate: 0.0,
            bump: None,
            specular: None,
            clamp: false,
            blend: None,
            alpha_test: None,
            depth_write: true,
            rgb: ColorGen::Identity,
            alpha: ColorGen::Identity,
            tex_coords: TexCoordGen::Mesh,
            tex_mods: Vec::new(),
            masked_index: None,
        }
    }

    fn set_white(&mut self) {
        self.images.clear();
        self.white = true;
    }

    fn set_images(&mut self, images: Vec<ImageRef>) {
        self.images = images;
        self.white = false;
    }

    /// Every image it shows: the frames, then bump and specular.
    pub fn all_images(&self) -> impl Iterator<Item = &ImageRef> {
        self.images.iter().chain(&self.bump).chain(&self.specular)
    }

    pub fn all_images_mut(&mut self) -> impl Iterator<Item = &mut ImageRef> {
        self.images.iter_mut().chain(&mut self.bump).chain(&mut self.specular)
    }
}

/// What a reader of scripts finds, for the report.
#[derive(Default)]
struct Notes {
    /// Words that it does not know, and where they stand.
    unknown: Vec<(String, At)>,
    problems: Report,
}

impl Notes {
    fn unknown(&mut self, words: &words::Words, at: usize, what: &str) {
        // Few: each word once, and locating counts lines.
        if self.unknown.len() < 100 && !self.unknown.iter().any(|(known, _)| known.eq_ignore_ascii_case(what)) {
            self.unknown.push((what.to_string(), words.locate(at)));
        }
    }

    fn problem(&mut self, problem: Box<Diagnostic>) {
        self.problems.push(problem);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shading {
    /// By the viewer's lights, per pixel; with bump and specular where there are any.
    Lit,
    /// The image's own brightness (Quake III: rgbGen identity and the like; GoldSrc: fullbright).
    Unlit,
    /// One light level for the surface (GoldSrc: flat shade), no form shading.
    Flat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlendFactor {
    Zero,
    One,
    SrcColor,
    OneMinusSrcColor,
    DstColor,
    OneMinusDstColor,
    SrcAlpha,
    OneMinusSrcAlpha,
    DstAlpha,
    OneMinusDstAlpha,
    SrcAlphaSaturate,
}

/// Which pixels are kept. Alpha is 0..1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AlphaTest {
    Greater(f32),
    Less(f32),
    GreaterOrEqual(f32),
}

/// Where a layer's colour (or its alpha) comes from, before it is multiplied with the image.
#[derive(Clone, Debug, PartialEq)]
pub enum ColorGen {
    /// 1.
    Identity,
    /// rgb, or alpha in w.
    Constant(Vec4),
    Wave(Wave),
    /// Doom 3: red, green, blue and alpha, each worked out anew as time goes by.
    Expressions(Arc<[Expression; 4]>),
    /// The colour a game gives the entity (team, player); the viewer lets the user choose it.
    Entity,
    OneMinusEntity,
    /// Quake III alphaGen lightingSpecular: the highlight.
    LightingSpecular,
}

/// base + amplitude * function(phase + time * frequency)
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wave {
    pub function: WaveFunction,
    pub base: f32,
    pub amplitude: f32,
    /// In turns.
    pub phase: f32,
    /// In turns a second.
    pub frequency: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaveFunction {
    Sin,
    Triangle,
    Square,
    Sawtooth,
    InverseSawtooth,
    Noise,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TexCoordGen {
    Mesh,
    /// Quake III's tcGen environment: the mirrored view direction.
    Environment,
    /// GoldSrc's chrome: the normal seen from the camera.
    Chrome,
}

/// A change of texture coordinates with time (seconds).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TexMod {
    /// Turns of the image a second.
    Scroll(Vec2),
    Scale(Vec2),
    /// Degrees a second, about the middle of the image.
    Rotate(f32),
    /// Scaled by 1 / wave about the middle.
    Stretch(Wave),
    Turb(Wave),
    /// 2×2 matrix (rows), then a translation.
    Transform([f32; 4], Vec2),
}

/// Quake III's deformVertexes, as far as models use it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Deform {
    /// Along the normal; `spread` is phase per unit of position.
    Wave {
        spread: f32,
        wave: Wave,
    },
    /// Along the normal, by the texture's s.
    Bulge {
        width: f32,
        height: f32,
        speed: f32,
    },
    Move {
        direction: glam::Vec3,
        wave: Wave,
    },
    /// Each quad turned to face the viewer.
    AutoSprite,
    /// Each quad turned about its long axis.
    AutoSprite2,
}
