//! The loops for JavaScript to time: each method does its work so many times.

use std::hint::black_box;

use rigview::model::{Keys, Shape};
use rigview::skin::Vertex;
use rigview_plain::{PlainKeys, PlainMd5, PlainRig};
use wasm_bindgen::prelude::*;

use crate::{Moving, parse};

/// One model file in wasm memory.
#[wasm_bindgen]
pub struct Bench {
    name: String,
    bytes: Vec<u8>,
    moving: Moving,
    rest: Vec<Vertex>,
    copy: Vec<Vertex>,
}

#[wasm_bindgen]
impl Bench {
    #[wasm_bindgen(constructor)]
    pub fn new(name: String, bytes: Vec<u8>) -> Bench {
        let mut moving = Moving::new(parse(&name, &bytes));
        moving.skin();
        let rest: Vec<Vertex> = moving.meshes.iter().flat_map(|mesh| mesh.vertices.iter().copied()).collect();
        moving.pose();
        Bench { name, bytes, copy: rest.clone(), rest, moving }
    }

    /// For the plain loops: `first` of [`PlainRig`].
    pub fn first(&self) -> Vec<u32> {
        let mut first = vec![0];
        for mesh in &self.moving.model.meshes {
            let Shape::Rigged(rig) = &mesh.shape else { continue };
            let start = first[first.len() - 1];
            first.extend(rig.first[1..].iter().map(|end| start + end));
        }
        first
    }

    pub fn links(&self) -> Vec<u32> {
        self.influences().map(|influence| influence.joint).collect()
    }

    pub fn weights(&self) -> Vec<f32> {
        self.influences().map(|influence| influence.offset.w).collect()
    }

    /// The bind pose, ten numbers a vertex.
    pub fn rest(&self) -> Vec<f32> {
        bytemuck::cast_slice(&self.rest).to_vec()
    }

    /// `posed_from_bind` of every joint, three rows of four.
    pub fn matrices(&self) -> Vec<f32> {
        self.moving
            .palette
            .posed_from_bind()
            .iter()
            .flat_map(|matrix| matrix.transpose().to_cols_array().into_iter().take(12))
            .collect()
    }

    /// A frame of keyed meshes as the file has it: x, y, z and the normal's two angles, worked out of the decoded normals.
    pub fn frame(&self, frame: usize) -> Vec<i16> {
        let mut list = Vec::new();
        for mesh in &self.moving.model.meshes {
            let Shape::Keyed(Keys { frames, positions, normals }) = &mesh.shape else { continue };
            let range = frame.min(frames - 1) * mesh.vertex_count()..(frame.min(frames - 1) + 1) * mesh.vertex_count();
            let stored = positions[range.clone()].iter().zip(&normals[range]);
            list.extend(stored.flat_map(|(&[x, y, z, _], &normal)| [x, y, z, angles(normal)]));
        }
        list
    }

    #[wasm_bindgen(js_name = plainRig)]
    pub fn plain_rig(&self) -> PlainRig {
        PlainRig::new(self.first(), self.links(), self.weights(), self.rest())
    }

    #[wasm_bindgen(js_name = plainKeys)]
    pub fn plain_keys(&self) -> PlainKeys {
        PlainKeys::new(self.frame(0), self.frame(1))
    }

    pub fn vertices(&self) -> usize {
        self.moving.vertices()
    }

    pub fn joints(&self) -> usize {
        self.moving.joints()
    }

    pub fn parse(&self, times: usize) -> usize {
        (0..times).map(|_| parse(&self.name, &self.bytes).meshes.len()).sum()
    }

    /// .md5mesh only.
    #[wasm_bindgen(js_name = parsePlain)]
    pub fn parse_plain(&self, times: usize) -> usize {
        let parse = || {
            let text = std::str::from_utf8(&self.bytes).expect("plain text");
            PlainMd5::parse(text).expect("a sound file").weights.len()
        };
        (0..times).map(|_| parse()).sum()
    }

    pub fn pose(&mut self, times: usize) {
        (0..times).for_each(|_| self.moving.pose());
    }

    /// Skinning, or the blend of keys; the pose as it is.
    pub fn skin(&mut self, times: usize) {
        (0..times).for_each(|_| self.moving.skin());
    }

    /// A copy of as many bytes as the vertices take.
    pub fn copy(&mut self, times: usize) {
        (0..times).for_each(|_| self.copy.copy_from_slice(black_box(&self.rest)));
    }

    /// A copy of the file.
    #[wasm_bindgen(js_name = copyFile)]
    pub fn copy_file(&self, times: usize) -> usize {
        let mut copy = vec![0; self.bytes.len()];
        (0..times).for_each(|_| black_box(&mut copy).copy_from_slice(&self.bytes));
        copy.len()
    }

    /// What the fast loop makes, ten numbers a vertex.
    pub fn posed(&mut self) -> Vec<f32> {
        self.skin(1);
        self.moving.meshes.iter().flat_map(|mesh| bytemuck::cast_slice::<_, f32>(&mesh.vertices)).copied().collect()
    }
}

impl Bench {
    fn influences(&self) -> impl Iterator<Item = &rigview::model::Influence> {
        self.moving.model.meshes.iter().flat_map(|mesh| match &mesh.shape {
            Shape::Rigged(rig) => &rig.influences[..],
            Shape::Keyed(_) => &[],
        })
    }
}

fn angles([x, y, z, _]: [i16; 4]) -> i16 {
    let [x, y, z] = [x, y, z].map(|number| f32::from(number) / 32767.0);
    let turn = |radians: f32| (radians * 256.0 / std::f32::consts::TAU).round() as i32 & 255;
    ((turn(y.atan2(x)) << 8) | turn(z.clamp(-1.0, 1.0).acos())) as i16
}
