//! The loops for JavaScript to time: each method does its work so many times.

use rigview::skin::Vertex;
use wasm_bindgen::prelude::*;

use crate::plain::{PlainKeys, PlainMd5, PlainRig};
use crate::{Moving, parse};

/// One model file in wasm memory.
#[wasm_bindgen]
pub struct Bench {
    name: String,
    bytes: Vec<u8>,
    moving: Moving,
    plain_rig: PlainRig,
    plain_keys: PlainKeys,
    out: Vec<Vertex>,
    copy: Vec<Vertex>,
}

#[wasm_bindgen]
impl Bench {
    #[wasm_bindgen(constructor)]
    pub fn new(name: String, bytes: Vec<u8>) -> Bench {
        let mut moving = Moving::new(parse(&name, &bytes));
        moving.skin();
        let rest: Vec<Vertex> = moving.meshes.iter().flat_map(|mesh| mesh.vertices.iter().copied()).collect();
        let plain_rig = PlainRig::new(&moving.model, rest.clone());
        let plain_keys = PlainKeys::new(&moving.model);
        moving.pose();
        Bench { name, bytes, plain_rig, plain_keys, out: rest.clone(), copy: rest, moving }
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

    #[wasm_bindgen(js_name = skinPlain)]
    pub fn skin_plain(&mut self, times: usize) {
        let matrices: Vec<[f32; 12]> = self.moving.palette.posed_from_bind().iter().map(rows).collect();
        (0..times).for_each(|_| self.plain_rig.skin(std::hint::black_box(&matrices), &mut self.out));
    }

    #[wasm_bindgen(js_name = lerpPlain)]
    pub fn lerp_plain(&mut self, times: usize) {
        for step in 0..times {
            self.plain_keys.lerp((step % 64) as f32 / 64.0, &mut self.out);
        }
    }

    /// A copy of as many bytes as the vertices take.
    pub fn copy(&mut self, times: usize) {
        (0..times).for_each(|_| self.copy.copy_from_slice(std::hint::black_box(&self.out)));
    }

    /// A copy of the file.
    #[wasm_bindgen(js_name = copyFile)]
    pub fn copy_file(&self, times: usize) -> usize {
        let mut copy = vec![0; self.bytes.len()];
        (0..times).for_each(|_| std::hint::black_box(&mut copy).copy_from_slice(&self.bytes));
        copy.len()
    }

    /// Largest difference between the fast loop and the plain one, as a part of the model's size.
    pub fn difference(&mut self) -> f32 {
        self.skin(1);
        self.skin_plain(1);
        let fast = self.moving.meshes.iter().flat_map(|mesh| &mesh.vertices);
        let pairs = fast.zip(&self.out).map(|(fast, plain)| (fast.position, plain.position));
        let apart = |(a, b): ([f32; 3], [f32; 3])| glam::Vec3::from(a).distance(b.into());
        let size = self.out.iter().map(|vertex| glam::Vec3::from(vertex.position).length()).fold(1e-9, f32::max);
        pairs.map(apart).fold(0.0, f32::max) / size
    }
}

/// Three rows of four.
fn rows(matrix: &glam::Mat4) -> [f32; 12] {
    let [x, y, z, _] = matrix.transpose().to_cols_array_2d();
    let mut rows = [0.0; 12];
    rows[..4].copy_from_slice(&x);
    rows[4..8].copy_from_slice(&y);
    rows[8..].copy_from_slice(&z);
    rows
}
