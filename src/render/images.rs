//! A figure's images: in come materials, out come what to decode; in come pixels, out come textures for the layers.

use super::gl::{Gl, Meaning, Pixels, Texture};
use crate::figure::Figure;
use crate::image::{self, Compressed, Swizzle};
use crate::material::{ImageRef, Layer, Program};

/// Every image that a figure's materials show, each once.
#[derive(Default)]
pub struct Images {
    slots: Vec<Slot>,
    /// Part, level, material, layer.
    layers: Vec<Vec<Vec<Vec<LayerImages>>>>,
    next_id: u32,
}

/// Which slots a layer shows.
#[derive(Default)]
pub struct LayerImages {
    pub frames: Vec<usize>,
    pub bump: Option<usize>,
    pub specular: Option<usize>,
}

struct Slot {
    /// Stays the same while some figure needs the image.
    id: u32,
    request: Request,
    state: State,
    used: bool,
}

enum State {
    Wanted,
    /// Some of its rows are there. Wanted all the same: whoever sends the others may have given up.
    Coming {
        texture: Texture,
        width: u32,
    },
    Ready(Texture, Swizzle),
    /// Could not be decoded; the report says why.
    Failed,
}

impl State {
    fn is_wanted(&self) -> bool {
        matches!(self, State::Wanted | State::Coming { .. })
    }
}

/// An image to decode.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub program: Program,
    /// In the order in which the program names its images; all are there.
    pub paths: Vec<Option<String>>,
    pub masked_index: Option<u8>,
    pub meaning: Meaning,
}

impl Images {
    /// Takes over what this figure needs, keeps the textures that it shares with the one before, and frees the others.
    pub fn attach(&mut self, figure: &Figure) {
        self.slots.iter_mut().for_each(|slot| slot.used = false);
        let mut layers = Vec::with_capacity(figure.parts.len());
        for part in &figure.parts {
            let of_material = |images: &mut Self, material: &crate::material::Material| {
                material.layers.iter().map(|layer| images.attach_layer(layer)).collect()
            };
            let of_level = |images: &mut Self, level: &crate::model::Model| {
                level.materials.iter().map(|material| of_material(images, material)).collect()
            };
            layers.push(part.levels().iter().map(|level| of_level(self, level)).collect());
        }
        self.layers = layers;
        // Indices must stay: an unused slot is emptied, and taken again by a later image.
        for slot in self.slots.iter_mut().filter(|slot| !slot.used) {
            slot.state = State::Failed;
        }
    }

    fn attach_layer(&mut self, layer: &Layer) -> LayerImages {
        let masked = layer.masked_index;
        LayerImages {
            frames: layer.images.iter().filter_map(|image| self.slot(image, masked, Meaning::Color)).collect(),
            bump: layer.bump.as_ref().and_then(|image| self.slot(image, None, Meaning::Data)),
            specular: layer.specular.as_ref().and_then(|image| self.slot(image, None, Meaning::Color)),
        }
    }

    fn slot(&mut self, image: &ImageRef, masked_index: Option<u8>, meaning: Meaning) -> Option<usize> {
        if image.paths.is_empty() || image.paths.iter().any(Option::is_none) {
            return None;
        }
        let request = Request { program: image.program.clone(), paths: image.paths.clone(), masked_index, meaning };
        if let Some(index) = self.slots.iter().position(|slot| slot.request == request) {
            let slot = &mut self.slots[index];
            if !slot.used && matches!(slot.state, State::Failed) {
                slot.state = State::Wanted;
            }
            slot.used = true;
            return Some(index);
        }
        self.next_id += 1;
        let slot = Slot { id: self.next_id, request, state: State::Wanted, used: true };
        match self.slots.iter().position(|slot| !slot.used && matches!(slot.state, State::Failed)) {
            // Of an earlier figure.
            Some(index) => {
                self.slots[index] = slot;
                Some(index)
            }
            None => {
                self.slots.push(slot);
                Some(self.slots.len() - 1)
            }
        }
    }

    /// Frees every texture. What was wanted before may still come, and must not be taken for something else: ids go on.
    pub fn clear(&mut self) {
        *self = Self { next_id: self.next_id, ..Self::default() };
    }

    /// What is still to be decoded: for each image its id and what it is.
    pub fn wanted(&self) -> impl Iterator<Item = (u32, &Request)> {
        let wanted = |slot: &&Slot| slot.used && slot.state.is_wanted();
        self.slots.iter().filter(wanted).map(|slot| (slot.id, &slot.request))
    }

    fn used(&mut self, id: u32) -> Option<&mut Slot> {
        self.slots.iter_mut().find(|slot| slot.id == id && slot.used)
    }

    /// Takes room for an image that comes in rows. False where no figure wants it any more.
    pub fn begin(&mut self, gl: &Gl, id: u32, width: u32, height: u32) -> bool {
        let Some(slot) = self.used(id) else { return false };
        slot.state = State::Coming { texture: Texture::empty(gl, slot.request.meaning, width, height), width };
        true
    }

    /// Uploads rows of an image that was begun, from `top` on. False where it was not, or no figure wants it any more.
    pub fn write(&mut self, id: u32, top: u32, pixels: Pixels) -> bool {
        let Some(Slot { state: State::Coming { texture, width }, .. }) = self.used(id) else { return false };
        let Some(rows) = pixels.rows(*width) else { return false };
        texture.write(*width, rows, top, pixels);
        true
    }

    /// All rows are there: shows the image. False where it was not begun, or no figure wants it any more.
    pub fn finish(&mut self, id: u32) -> bool {
        let Some(slot) = self.used(id) else { return false };
        match std::mem::replace(&mut slot.state, State::Wanted) {
            State::Coming { texture, .. } => {
                texture.make_mipmaps();
                slot.state = State::Ready(texture, Swizzle::None);
                true
            }
            other => {
                slot.state = other;
                false
            }
        }
    }

    /// Uploads an image in one piece. False where no figure wants it any more.
    pub fn set(&mut self, gl: &Gl, id: u32, width: u32, height: u32, pixels: Pixels) -> bool {
        self.begin(gl, id, width, height) && self.write(id, 0, pixels) && self.finish(id)
    }

    /// Uploads a DDS file's blocks as they are. False where the graphics card or the shader does not take them so, or no
    /// figure wants the image any more.
    pub fn set_blocks(&mut self, gl: &Gl, id: u32, file: &[u8]) -> bool {
        let Some(slot) = self.used(id) else { return false };
        let Request { program, meaning, .. } = &slot.request;
        let Ok(blocks) = image::compressed(file) else { return false };
        let is_known_to_the_shader = match blocks.swizzle {
            Swizzle::None => true,
            Swizzle::RedInAlpha | Swizzle::RebuildZ => *meaning == Meaning::Data,
            Swizzle::RedIsGrey => false,
        };
        if !matches!(program, Program::Image(_)) || !is_known_to_the_shader || !fits_webgl(&blocks) {
            return false;
        }
        let side = blocks.width.max(blocks.height);
        let Some(number) = gl.block_format(blocks.format, *meaning).filter(|_| side <= gl.max_texture_size()) else {
            return false;
        };
        slot.state = State::Ready(Texture::of_blocks(gl, number, &blocks, file), blocks.swizzle);
        true
    }

    /// Stops waiting for an image.
    pub fn fail(&mut self, id: u32) {
        if let Some(slot) = self.slots.iter_mut().find(|slot| slot.id == id) {
            slot.state = State::Failed;
        }
    }

    /// The file has other contents now: decodes what it is part of once more.
    pub fn forget(&mut self, path: &str) {
        for slot in &mut self.slots {
            if slot.used && slot.request.paths.iter().flatten().any(|used| used.eq_ignore_ascii_case(path)) {
                slot.state = State::Wanted;
            }
        }
    }

    /// The context is gone and with it every texture.
    pub fn forget_all(&mut self) {
        for slot in self.slots.iter_mut().filter(|slot| slot.used) {
            slot.state = State::Wanted;
        }
    }

    /// `None` for a material or layer that the figure did not have when it was attached.
    pub fn of_layer(&self, part: usize, level: usize, material: usize, layer: usize) -> Option<&LayerImages> {
        self.layers.get(part)?.get(level)?.get(material)?.get(layer)
    }

    /// Whether the image may still come.
    pub fn is_wanted(&self, slot: usize) -> bool {
        self.slots[slot].state.is_wanted()
    }

    pub fn texture(&self, slot: usize) -> Option<&Texture> {
        match &self.slots[slot].state {
            State::Ready(texture, _) => Some(texture),
            State::Wanted | State::Coming { .. } | State::Failed => None,
        }
    }

    /// A normal map, and what the shader has to do with its channels.
    pub fn normals(&self, slot: usize) -> Option<(&Texture, Swizzle)> {
        match &self.slots[slot].state {
            State::Ready(texture, swizzle) => Some((texture, *swizzle)),
            State::Wanted | State::Coming { .. } | State::Failed => None,
        }
    }
}

/// WebGL wants whole blocks at every level; only the smallest mipmaps may be less. And mipmaps of blocks cannot be made: they have to be there, down to
/// the last block.
fn fits_webgl(blocks: &Compressed) -> bool {
    let last = blocks.levels.len() - 1;
    let is_whole =
        |side: u32| (0..=last).all(|level| (side >> level).is_multiple_of(4) || level > 0 && (side >> level) <= 2);
    is_whole(blocks.width) && is_whole(blocks.height) && (blocks.width.max(blocks.height) >> last) <= 4
}
