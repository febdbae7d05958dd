//! Rigged meshes: in comes a rig, out come lists sorted for the loop over them; in come the joints of a pose, out come vertices.
//!
//! A vertex stands at the sum of its influences (Doom 3: Model_md5.cpp, TransformVerts), each of which holds the vertex in its own
//! joint's space. Where all of them put it on the same spot of the bind pose, that sum is the blend of the joints' matrices times
//! the spot, and the same blend turns the normal and the tangent. Where they do not, which is so for one vertex in ten of some
//! models, the position is summed as the file has it.

use bytemuck::cast_slice_mut;
use glam::{Affine3A, Mat4, Vec3, Vec3A, Vec4};

use super::{Bounds, Palette, Vertex};
use crate::model::{Influence, Morph, Rig};

/// How far the spots of a vertex may lie apart, all weighed together, as a part of the mesh's size.
const SAME_SPOT: f32 = 2e-5;

/// A rig sorted by how many joints pull on a vertex: loops without a branch for each vertex.
///
/// Each vertex is written to its own place, so that the order of the file holds everywhere, in indices and texture coordinates too.
/// That costs next to nothing, since most neighbours are in the same list: 3.7 ns a vertex in wasm on a model of 7,421 vertices,
/// where a throw-away loop that wrote them in the order of the lists took 4.0. Plain loops take 14 (`npm --prefix www run bench`).
#[derive(Clone, Debug, Default)]
pub struct Skin {
    one: Vec<Bound<1>>,
    two: Vec<Bound<2>>,
    three: Vec<Bound<3>>,
    four: Vec<Bound<4>>,
    /// More joints.
    many: Vec<Range>,
    /// What `many` have ranges of.
    links: Vec<Link>,
    /// Vertices that are summed exactly, and those that no joint pulls on.
    /// Their ranges are of the rig's influences, and their rest positions what flexes add.
    exact: Vec<Range>,
    /// Where each vertex is, for flexes; empty until one is pulled.
    places: Vec<Place>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Link {
    joint: u32,
    weight: f32,
}

/// A vertex that `K` joints pull on.
#[derive(Clone, Copy, Debug)]
struct Bound<const K: usize> {
    vertex: u32,
    links: [Link; K],
    /// In the bind pose.
    rest: Vertex,
}

/// A vertex that any number of joints pull on.
#[derive(Clone, Copy, Debug)]
struct Range {
    vertex: u32,
    first: u32,
    end: u32,
    /// In the bind pose.
    rest: Vertex,
}

/// One of the lists, and where in it.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    list: u8,
    index: u32,
}

/// The list of a [`Place`] in `exact`.
const EXACT: u8 = 5;

impl Skin {
    pub fn new(rig: &Rig, palette: &Palette) -> Self {
        let bind: Vec<Affine3A> = palette.joint_from_model.iter().map(Affine3A::inverse).collect();
        let spots = spots(rig, &bind);
        let mut bounds = Box4::EMPTY;
        spots.iter().filter(|spot| spot.is_finite()).for_each(|spot| bounds.add(spot.extend(0.0)));
        let bounds = Bounds::from(bounds);
        let slack = if bounds.is_empty() { 0.0 } else { (bounds.max - bounds.min).length() * SAME_SPOT };

        let mut skin = Self::default();
        let mut links = Vec::new();
        for (vertex, &spot) in spots.iter().enumerate() {
            let influences = influences(rig, vertex);
            let pulling = influences.iter().filter(|influence| influence.offset != Vec4::ZERO);
            let apart = pulling.clone().map(|influence| (pull(influence, &bind) - spot * influence.offset.w).length());
            let is_same_spot = spot.is_finite() && apart.sum::<f32>() <= slack;
            let number = vertex as u32;
            if !is_same_spot {
                let (first, end) = (rig.first[vertex], rig.first[vertex + 1]);
                skin.exact.push(Range { vertex: number, first, end, rest: rest(rig, vertex, Vec3A::ZERO) });
                continue;
            }
            let (vertex, rest) = (number, rest(rig, vertex, spot));
            links.clear();
            links.extend(pulling.map(|influence| Link { joint: influence.joint, weight: influence.offset.w }));
            match *links {
                [a] => skin.one.push(Bound { vertex, links: [a], rest }),
                [a, b] => skin.two.push(Bound { vertex, links: [a, b], rest }),
                [a, b, c] => skin.three.push(Bound { vertex, links: [a, b, c], rest }),
                [a, b, c, d] => skin.four.push(Bound { vertex, links: [a, b, c, d], rest }),
                _ => {
                    let first = skin.links.len() as u32;
                    skin.links.extend_from_slice(&links);
                    skin.many.push(Range { vertex, first, end: skin.links.len() as u32, rest });
                }
            }
        }
        skin
    }

    /// Where the vertices stand in a pose, each at its place in `out`.
    pub fn update(&self, rig: &Rig, palette: &Palette, model_from_joint: &[Affine3A], out: &mut [Vertex]) -> Bounds {
        let matrices = &palette.posed_from_bind[..];
        let rows: &mut [[f32; 10]] = cast_slice_mut(out);
        let mut bounds = Box4::EMPTY;
        pose(&self.one, matrices, rows, &mut bounds);
        pose(&self.two, matrices, rows, &mut bounds);
        pose(&self.three, matrices, rows, &mut bounds);
        pose(&self.four, matrices, rows, &mut bounds);
        for vertex in &self.many {
            let links = &self.links[vertex.first as usize..vertex.end as usize];
            let matrix = links.iter().fold(Mat4::ZERO, |sum, link| sum + weighed(link, matrices));
            let position = turn(&matrix, vertex.rest.position) + matrix.w_axis;
            bounds.add(position);
            write(&mut rows[vertex.vertex as usize], position, &matrix, &vertex.rest);
        }
        for vertex in &self.exact {
            let mut matrix = Mat4::ZERO;
            let mut position = Vec3A::ZERO;
            for influence in &rig.influences[vertex.first as usize..vertex.end as usize] {
                position += pull(influence, model_from_joint);
                matrix += weighed(&Link { joint: influence.joint, weight: influence.offset.w }, matrices);
            }
            let position = position.extend(0.0) + turn(&matrix, vertex.rest.position);
            bounds.add(position);
            write(&mut rows[vertex.vertex as usize], position, &matrix, &vertex.rest);
        }
        bounds.into()
    }

    /// Works flexes into the bind pose, so that the loops need not know of them. `weights` has one for each of `Model::flexes`.
    pub fn flex(&mut self, rig: &Rig, morphs: &[Morph], weights: &[f32], palette: &Palette) {
        if self.places.is_empty() {
            self.places = self.places();
        }
        // Back to what the file says, then away again.
        let bind: Vec<Affine3A> = palette.joint_from_model.iter().map(Affine3A::inverse).collect();
        for delta in morphs.iter().flat_map(|morph| &morph.deltas) {
            let vertex = delta.vertex as usize;
            let spot = match self.places[vertex].list {
                EXACT => Vec3A::ZERO,
                _ => spot(influences(rig, vertex), &bind),
            };
            *self.rest_mut(vertex) = rest(rig, vertex, spot);
        }
        for morph in morphs {
            let Some(&weight) = weights.get(morph.flex).filter(|&&weight| weight != 0.0) else { continue };
            for delta in &morph.deltas {
                let rest = self.rest_mut(delta.vertex as usize);
                rest.position = (Vec3::from(rest.position) + delta.position * weight).into();
                rest.normal = (Vec3::from(rest.normal) + delta.normal * weight).into();
            }
        }
    }

    /// A vertex in the bind pose.
    fn rest_mut(&mut self, vertex: usize) -> &mut Vertex {
        let Place { list, index } = self.places[vertex];
        let index = index as usize;
        match list {
            0 => &mut self.one[index].rest,
            1 => &mut self.two[index].rest,
            2 => &mut self.three[index].rest,
            3 => &mut self.four[index].rest,
            4 => &mut self.many[index].rest,
            _ => &mut self.exact[index].rest,
        }
    }

    fn places(&self) -> Vec<Place> {
        fn put(places: &mut [Place], list: u8, vertices: impl Iterator<Item = u32>) {
            vertices.enumerate().for_each(|(index, vertex)| {
                places[vertex as usize] = Place { list, index: index as u32 };
            });
        }
        let fixed = self.one.len() + self.two.len() + self.three.len() + self.four.len();
        let mut places = vec![Place::default(); fixed + self.many.len() + self.exact.len()];
        put(&mut places, 0, self.one.iter().map(|bound| bound.vertex));
        put(&mut places, 1, self.two.iter().map(|bound| bound.vertex));
        put(&mut places, 2, self.three.iter().map(|bound| bound.vertex));
        put(&mut places, 3, self.four.iter().map(|bound| bound.vertex));
        put(&mut places, 4, self.many.iter().map(|range| range.vertex));
        put(&mut places, EXACT, self.exact.iter().map(|range| range.vertex));
        places
    }
}

fn pose<const K: usize>(vertices: &[Bound<K>], matrices: &[Mat4], rows: &mut [[f32; 10]], bounds: &mut Box4) {
    let mut around = *bounds;
    for Bound { vertex, links, rest } in vertices {
        let mut matrix = weighed(&links[0], matrices);
        for link in &links[1..] {
            matrix += weighed(link, matrices);
        }
        let position = turn(&matrix, rest.position) + matrix.w_axis;
        around.add(position);
        write(&mut rows[*vertex as usize], position, &matrix, rest);
    }
    *bounds = around;
}

#[inline(always)]
fn weighed(link: &Link, matrices: &[Mat4]) -> Mat4 {
    matrices[link.joint as usize] * link.weight
}

/// Leaves the translation out.
#[inline(always)]
fn turn(matrix: &Mat4, [x, y, z]: [f32; 3]) -> Vec4 {
    matrix.x_axis * x + matrix.y_axis * y + matrix.z_axis * z
}

/// Turns the normal and the tangent, and writes a [`Vertex`] with three stores of four numbers, each over the end of the last.
#[inline(always)]
fn write(row: &mut [f32; 10], position: Vec4, matrix: &Mat4, rest: &Vertex) {
    let [x, y, z, handedness] = rest.tangent;
    let (normal, tangent) = (turn(matrix, rest.normal), turn(matrix, [x, y, z]));
    row[0..4].copy_from_slice(&position.to_array());
    row[3..7].copy_from_slice(&normal.to_array());
    row[6..10].copy_from_slice(&tangent.with_w(handedness).to_array());
}

fn influences(rig: &Rig, vertex: usize) -> &[Influence] {
    &rig.influences[rig.first[vertex] as usize..rig.first[vertex + 1] as usize]
}

/// What one influence adds to the position of its vertex.
#[inline(always)]
fn pull(influence: &Influence, model_from_joint: &[Affine3A]) -> Vec3A {
    let joint = &model_from_joint[influence.joint as usize];
    let [x, y, z, w] = influence.offset.to_array();
    joint.matrix3.x_axis * x + joint.matrix3.y_axis * y + (joint.matrix3.z_axis * z + joint.translation * w)
}

/// Where the influences of a vertex put it in the bind pose, on average. Not finite where the weights add up to 0.
fn spot(influences: &[Influence], bind: &[Affine3A]) -> Vec3A {
    let weight: f32 = influences.iter().map(|influence| influence.offset.w).sum();
    influences.iter().map(|influence| pull(influence, bind)).sum::<Vec3A>() / weight
}

fn spots(rig: &Rig, bind: &[Affine3A]) -> Vec<Vec3A> {
    rig.first.windows(2).map(|ends| spot(&rig.influences[ends[0] as usize..ends[1] as usize], bind)).collect()
}

/// A vertex in the bind pose.
fn rest(rig: &Rig, vertex: usize, position: Vec3A) -> Vertex {
    Vertex {
        position: position.into(),
        normal: rig.normals.get(vertex).copied().unwrap_or(Vec3::Z).into(),
        tangent: rig.tangents.get(vertex).copied().unwrap_or(Vec4::ZERO).into(),
    }
}

/// Like [`Bounds`], in registers of four numbers; the fourth means nothing.
#[derive(Clone, Copy)]
pub(super) struct Box4 {
    min: Vec4,
    max: Vec4,
}

impl Box4 {
    pub const EMPTY: Self = Self { min: Vec4::INFINITY, max: Vec4::NEG_INFINITY };

    #[inline(always)]
    pub fn add(&mut self, point: Vec4) {
        self.min = self.min.min(point);
        self.max = self.max.max(point);
    }
}

impl From<Box4> for Bounds {
    fn from(bounds: Box4) -> Self {
        Bounds { min: bounds.min.truncate(), max: bounds.max.truncate() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim;
    use crate::model::{Joint, MorphDelta, Skeleton, Transform};
    use glam::{DVec3, Quat};

    fn skeleton() -> Skeleton {
        let joint = |index: usize| Joint {
            name: String::new(),
            parent: index.checked_sub(1),
            parent_from_joint: Transform::new(
                Quat::from_euler(glam::EulerRot::XYZ, index as f32, 0.3, -0.2),
                Vec3::new(3.0, index as f32 - 4.0, 1.0),
            ),
        };
        Skeleton { joints: (0..9).map(joint).collect() }
    }

    /// Vertices with 0 to 9 influences. The first ten agree on their spot, the others do not.
    fn rig(skeleton: &Skeleton) -> Rig {
        let bind = anim::model_from_joints(skeleton);
        let mut rig = Rig { first: vec![0], ..Rig::default() };
        for vertex in 0..20 {
            let point = Vec3::new(vertex as f32, 20.0 - vertex as f32, 0.5 * vertex as f32);
            for index in 0..vertex % 10 {
                let joint = (index + vertex) % 9;
                let weight = (1.0 + index as f32) / 40.0;
                let apart = if vertex < 10 { Vec3::ZERO } else { Vec3::new(0.3, 0.1 * index as f32, 0.2) };
                let offset = bind[joint].inverse().transform_point3(point) + apart;
                rig.influences.push(Influence { joint: joint as u32, offset: (offset * weight).extend(weight) });
            }
            rig.first.push(rig.influences.len() as u32);
            rig.normals.push(Vec3::new(0.6, 0.0, 0.8));
            rig.tangents.push(Vec4::new(0.8, 0.0, -0.6, if vertex % 2 == 0 { 1.0 } else { -1.0 }));
        }
        rig
    }

    fn pose(skeleton: &Skeleton) -> (Palette, Vec<Affine3A>) {
        let mut palette = Palette::new(skeleton);
        let mut moved = skeleton.clone();
        for (index, joint) in moved.joints.iter_mut().enumerate() {
            joint.parent_from_joint.rotation *= Quat::from_rotation_y(0.2 + 0.1 * index as f32);
            joint.parent_from_joint.translation.z += 1.0;
        }
        let posed = anim::model_from_joints(&moved);
        palette.set(&posed);
        (palette, posed)
    }

    /// The sum over the influences, in f64.
    fn position(rig: &Rig, posed: &[Affine3A], vertex: usize) -> DVec3 {
        let pull = |influence: &Influence| {
            let joint = Mat4::from(posed[influence.joint as usize]).as_dmat4();
            (joint * influence.offset.as_dvec4()).truncate()
        };
        influences(rig, vertex).iter().map(pull).sum()
    }

    #[track_caller]
    fn assert_sums(rig: &Rig, posed: &[Affine3A], found: &[Vertex]) {
        for (vertex, found) in found.iter().enumerate() {
            let apart = Vec3::from(found.position).as_dvec3().distance(position(rig, posed, vertex));
            assert!(apart < 1e-4, "vertex {vertex} is {apart} off");
        }
    }

    #[test]
    fn every_number_of_influences_has_its_list() {
        let skeleton = skeleton();
        let (rig, (palette, posed)) = (rig(&skeleton), pose(&skeleton));
        let skin = Skin::new(&rig, &palette);
        let fixed = [skin.one.len(), skin.two.len(), skin.three.len(), skin.four.len()];
        // A single influence always agrees with itself; a vertex without any has no spot.
        assert_eq!((fixed, skin.many.len(), skin.exact.len()), ([2, 1, 1, 1], 5, 10));
        let mut found = vec![Vertex::default(); 20];
        let bounds = skin.update(&rig, &palette, &posed, &mut found);
        assert_sums(&rig, &posed, &found);
        let mut expected = Bounds::EMPTY;
        found.iter().for_each(|vertex| expected.add(vertex.position.into()));
        assert_eq!(bounds, expected);
        assert!(found.iter().enumerate().all(|(at, vertex)| vertex.tangent[3] == rig.tangents[at].w));
    }

    #[test]
    fn flexes_move_the_bind_pose_and_let_go_of_it() {
        let skeleton = skeleton();
        let (rig, (palette, posed)) = (rig(&skeleton), pose(&skeleton));
        let delta = |vertex: u32| MorphDelta {
            vertex,
            position: Vec3::new(1.0, -2.0, 0.1 * vertex as f32),
            normal: Vec3::new(0.1, 0.2, -0.1),
        };
        let morphs = [
            Morph { flex: 0, deltas: (1..20).map(delta).collect() },
            Morph { flex: 1, deltas: [3, 15].map(delta).to_vec() },
        ];
        let mut skin = Skin::new(&rig, &palette);
        let (mut before, mut found) = (vec![Vertex::default(); 20], vec![Vertex::default(); 20]);
        skin.update(&rig, &palette, &posed, &mut before);
        for weights in [[0.5, 0.0], [1.0, 0.25]] {
            skin.flex(&rig, &morphs, &weights, &palette);
            skin.update(&rig, &palette, &posed, &mut found);
            let mut pulled = rig.clone();
            for (morph, weight) in morphs.iter().zip(weights) {
                for delta in &morph.deltas {
                    let vertex = delta.vertex as usize;
                    for influence in &mut pulled.influences[rig.first[vertex] as usize..rig.first[vertex + 1] as usize]
                    {
                        let joint_from_model = palette.joint_from_model[influence.joint as usize];
                        let shift = joint_from_model.transform_vector3(delta.position * weight);
                        influence.offset += (shift * influence.offset.w).extend(0.0);
                    }
                }
            }
            assert_sums(&pulled, &posed, &found);
            let flexed = Skin::new(&Rig { normals: flexed_normals(&rig, &morphs, weights), ..rig.clone() }, &palette);
            let mut expected = found.clone();
            flexed.update(&rig, &palette, &posed, &mut expected);
            for (found, expected) in found.iter().zip(&expected) {
                assert!(Vec3::from(found.normal).distance(expected.normal.into()) < 1e-5);
            }
        }
        skin.flex(&rig, &morphs, &[0.0, 0.0], &palette);
        skin.update(&rig, &palette, &posed, &mut found);
        assert_eq!(found, before);
    }

    fn flexed_normals(rig: &Rig, morphs: &[Morph], weights: [f32; 2]) -> Vec<Vec3> {
        let mut normals = rig.normals.clone();
        for (morph, weight) in morphs.iter().zip(weights) {
            morph.deltas.iter().for_each(|delta| normals[delta.vertex as usize] += delta.normal * weight);
        }
        normals
    }
}
