//! The same work done plainly, one number after the other, as the engines' generic code does it: what the fast loops are measured
//! against. A crate of its own, so that it can be built for wasm without SIMD, which Rigview itself refuses.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::*;

/// Position, normal, tangent with handedness.
pub type Vertex = [f32; 10];

/// A rig as the generic loop of Doom 3 BFG takes it (Model_md5.cpp, TransformVertsAndTangents), but with any number of weights.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub struct PlainRig {
    first: Vec<u32>,
    joints: Vec<u32>,
    weights: Vec<f32>,
    rest: Vec<Vertex>,
    out: Vec<Vertex>,
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
impl PlainRig {
    /// `joints[first[v]..first[v + 1]]` pull on vertex v; `rest` has ten numbers a vertex, in the bind pose.
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen(constructor))]
    pub fn new(first: Vec<u32>, joints: Vec<u32>, weights: Vec<f32>, rest: Vec<f32>) -> Self {
        let rest = rest.as_chunks::<10>().0.to_vec();
        Self { first, joints, weights, out: rest.clone(), rest }
    }

    /// `matrices` are `posed_from_bind`, three rows of four numbers each. Done so many times.
    pub fn skin(&mut self, matrices: &[f32], times: usize) {
        let matrices = matrices.as_chunks::<12>().0;
        for _ in 0..times {
            self.skin_once(std::hint::black_box(matrices));
        }
    }

    /// What came out, ten numbers a vertex.
    pub fn vertices(&self) -> Vec<f32> {
        self.out.as_flattened().to_vec()
    }
}

impl PlainRig {
    fn skin_once(&mut self, matrices: &[[f32; 12]]) {
        for (vertex, out) in self.out.iter_mut().enumerate() {
            let mut m = [0.0; 12];
            let links = self.first[vertex] as usize..self.first[vertex + 1] as usize;
            for (&joint, &weight) in self.joints[links.clone()].iter().zip(&self.weights[links]) {
                for (sum, number) in m.iter_mut().zip(&matrices[joint as usize]) {
                    *sum += number * weight;
                }
            }
            let rest = &self.rest[vertex];
            let turn = |v: &[f32]| -> [f32; 3] {
                std::array::from_fn(|row| m[row * 4] * v[0] + m[row * 4 + 1] * v[1] + m[row * 4 + 2] * v[2])
            };
            let [x, y, z] = turn(&rest[0..3]);
            let [nx, ny, nz] = turn(&rest[3..6]);
            let [tx, ty, tz] = turn(&rest[6..9]);
            *out = [x + m[3], y + m[7], z + m[11], nx, ny, nz, tx, ty, tz, rest[9]];
        }
    }
}

/// Quake III's loop (tr_surface.c, LerpMeshVertexes_scalar): sines from a table for both frames' normals, blended and normalised.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub struct PlainKeys {
    sines: Vec<f32>,
    /// Two: x, y, z, and the normal's two angles.
    frames: [Vec<[i16; 4]>; 2],
    out: Vec<Vertex>,
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
impl PlainKeys {
    /// Two frames as an .md3 stores them: four numbers a vertex.
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen(constructor))]
    pub fn new(from: Vec<i16>, to: Vec<i16>) -> Self {
        let sines = (0..1024).map(|step| (step as f32 * std::f32::consts::TAU / 1024.0).sin()).collect();
        let frames = [from, to].map(|list| list.as_chunks::<4>().0.to_vec());
        Self { sines, out: vec![[0.0; 10]; frames[0].len()], frames }
    }

    pub fn lerp(&mut self, times: usize) {
        for step in 0..times {
            self.lerp_once((step % 64) as f32 / 64.0);
        }
    }
}

impl PlainKeys {
    fn lerp_once(&mut self, t: f32) {
        let normal = |packed: i16| -> [f32; 3] {
            let (lat, lng) = (((packed >> 8) & 255) as usize * 4, (packed & 255) as usize * 4);
            let cosine = |angle: usize| self.sines[(angle + 256) & 1023];
            [cosine(lat) * self.sines[lng], self.sines[lat] * self.sines[lng], cosine(lng)]
        };
        let (from_scale, to_scale) = ((1.0 - t) / 64.0, t / 64.0);
        for ((out, from), to) in self.out.iter_mut().zip(&self.frames[0]).zip(&self.frames[1]) {
            for axis in 0..3 {
                out[axis] = f32::from(from[axis]) * from_scale + f32::from(to[axis]) * to_scale;
            }
            let (a, b) = (normal(from[3]), normal(to[3]));
            let blended: [f32; 3] = std::array::from_fn(|axis| a[axis] * (1.0 - t) + b[axis] * t);
            let length = blended.iter().map(|number| number * number).sum::<f32>().sqrt();
            out[3..6].copy_from_slice(&blended.map(|number| number / length));
        }
    }
}

/// The numbers of an .md5mesh by the standard library alone: split at blanks, `parse` for each word. Checks nothing, and wants
/// parentheses apart from numbers.
pub struct PlainMd5 {
    pub uvs: Vec<[f32; 2]>,
    pub ranges: Vec<[u32; 2]>,
    pub triangles: Vec<[u32; 3]>,
    pub weights: Vec<(u32, f32, [f32; 3])>,
}

impl PlainMd5 {
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace().filter(|&word| word != "(" && word != ")");
        let mut lists = Self { uvs: Vec::new(), ranges: Vec::new(), triangles: Vec::new(), weights: Vec::new() };
        while let Some(word) = words.next() {
            if !matches!(word, "vert" | "tri" | "weight") {
                continue;
            }
            words.next()?;
            let mut float = || words.next()?.parse::<f32>().ok();
            match word {
                "vert" => {
                    lists.uvs.push([float()?, float()?]);
                    lists.ranges.push([words.next()?.parse().ok()?, words.next()?.parse().ok()?]);
                }
                "tri" => {
                    let mut corner = || words.next()?.parse().ok();
                    lists.triangles.push([corner()?, corner()?, corner()?]);
                }
                _ => {
                    let joint = words.next()?.parse().ok()?;
                    let mut float = || words.next()?.parse::<f32>().ok();
                    lists.weights.push((joint, float()?, [float()?, float()?, float()?]));
                }
            }
        }
        Some(lists)
    }
}
