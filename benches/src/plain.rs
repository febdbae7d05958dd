//! The same work done plainly, one number after the other, as the engines' generic code does it: what the fast loops are measured
//! against.

use rigview::model::{Keys, Model, Shape};
use rigview::skin::Vertex;

/// A rig as the generic loop of Doom 3 BFG takes it (Model_md5.cpp, TransformVertsAndTangents), but with any number of weights.
pub struct PlainRig {
    /// `links[first[v]..first[v + 1]]` pull on vertex v.
    first: Vec<u32>,
    links: Vec<(u32, f32)>,
    rest: Vec<Vertex>,
}

impl PlainRig {
    /// Of all rigged meshes of a finished model; `rest` has their vertices in the bind pose.
    pub fn new(model: &Model, rest: Vec<Vertex>) -> Self {
        let mut rig = Self { first: vec![0], links: Vec::new(), rest };
        for mesh in &model.meshes {
            let Shape::Rigged(from) = &mesh.shape else { continue };
            let start = rig.links.len() as u32;
            rig.links.extend(from.influences.iter().map(|influence| (influence.joint, influence.offset.w)));
            rig.first.extend(from.first[1..].iter().map(|end| start + end));
        }
        rig
    }

    /// `matrices` are `posed_from_bind`, three rows of four numbers each.
    pub fn skin(&self, matrices: &[[f32; 12]], out: &mut [Vertex]) {
        for (vertex, out) in out.iter_mut().enumerate() {
            let mut m = [0.0; 12];
            for &(joint, weight) in &self.links[self.first[vertex] as usize..self.first[vertex + 1] as usize] {
                for (sum, number) in m.iter_mut().zip(&matrices[joint as usize]) {
                    *sum += number * weight;
                }
            }
            let rest = &self.rest[vertex];
            let turn = |v: &[f32]| -> [f32; 3] {
                std::array::from_fn(|row| m[row * 4] * v[0] + m[row * 4 + 1] * v[1] + m[row * 4 + 2] * v[2])
            };
            let [x, y, z] = turn(&rest.position);
            let [tx, ty, tz] = turn(&rest.tangent);
            *out = Vertex {
                position: [x + m[3], y + m[7], z + m[11]],
                normal: turn(&rest.normal),
                tangent: [tx, ty, tz, rest.tangent[3]],
            };
        }
    }
}

/// Quake III's loop (tr_surface.c, LerpMeshVertexes_scalar): sines from a table for both frames' normals, blended and normalised.
pub struct PlainKeys {
    sines: Vec<f32>,
    /// x, y, z, and the normal's two angles.
    frames: Vec<Vec<[i16; 4]>>,
}

impl PlainKeys {
    /// Of all keyed meshes of a model, its first two frames; the angles are worked out of the decoded normals.
    pub fn new(model: &Model) -> Self {
        let sines = (0..1024).map(|step| (step as f32 * std::f32::consts::TAU / 1024.0).sin()).collect();
        let mut frames = vec![Vec::new(); 2];
        for mesh in &model.meshes {
            let Shape::Keyed(Keys { frames: count, positions, normals }) = &mesh.shape else { continue };
            let vertices = mesh.vertex_count();
            for (frame, list) in frames.iter_mut().enumerate() {
                let start = frame.min(count - 1) * vertices;
                let stored = positions[start..start + vertices].iter().zip(&normals[start..start + vertices]);
                list.extend(stored.map(|(&[x, y, z, _], &normal)| [x, y, z, angles(normal)]));
            }
        }
        Self { sines, frames }
    }

    pub fn lerp(&self, t: f32, out: &mut [Vertex]) {
        let normal = |packed: i16| -> [f32; 3] {
            let (lat, lng) = ((packed >> 8 & 255) as usize * 4, (packed & 255) as usize * 4);
            let cosine = |angle: usize| self.sines[(angle + 256) & 1023];
            [cosine(lat) * self.sines[lng], self.sines[lat] * self.sines[lng], cosine(lng)]
        };
        let (from_scale, to_scale) = ((1.0 - t) / 64.0, t / 64.0);
        for ((out, from), to) in out.iter_mut().zip(&self.frames[0]).zip(&self.frames[1]) {
            out.position =
                std::array::from_fn(|axis| f32::from(from[axis]) * from_scale + f32::from(to[axis]) * to_scale);
            let (a, b) = (normal(from[3]), normal(to[3]));
            let blended: [f32; 3] = std::array::from_fn(|axis| a[axis] * (1.0 - t) + b[axis] * t);
            let length = blended.iter().map(|number| number * number).sum::<f32>().sqrt();
            out.normal = blended.map(|number| number / length);
        }
    }
}

fn angles([x, y, z, _]: [i16; 4]) -> i16 {
    let [x, y, z] = [x, y, z].map(|number| f32::from(number) / 32767.0);
    let turn = |radians: f32| (radians * 256.0 / std::f32::consts::TAU).round() as i32 & 255;
    ((turn(y.atan2(x)) << 8) | turn(z.clamp(-1.0, 1.0).acos())) as i16
}

/// The numbers of an .md5mesh by the standard library alone: split at blanks, `parse` for each word. Checks nothing.
pub struct PlainMd5 {
    pub uvs: Vec<[f32; 2]>,
    pub ranges: Vec<[u32; 2]>,
    pub triangles: Vec<[u32; 3]>,
    pub weights: Vec<(u32, f32, [f32; 3])>,
}

impl PlainMd5 {
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split([' ', '\t', '\r', '\n', '(', ')']).filter(|word| !word.is_empty());
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
