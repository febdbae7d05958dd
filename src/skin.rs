//! The hot loops: in come a mesh and a pose (or two frames), out come vertices as the renderer draws them.

use glam::{Affine3A, Vec3, Vec3A, Vec4};

use crate::anim::Blend;
use crate::model::{Keys, Mesh, Rig, Shape, Skeleton};

/// A posed vertex in the memory layout that goes to the GPU: 40 bytes, model space.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Vertex {
    pub position: [f32; 3],
    /// Of any length; the shader normalises.
    pub normal: [f32; 3],
    /// xyz of any length; w is the handedness. Zero where the mesh has no tangents.
    pub tangent: [f32; 4],
}

/// An axis-aligned box; empty while min > max.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    pub min: Vec3,
    pub max: Vec3,
}

impl Bounds {
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    pub fn is_empty(&self) -> bool {
        self.min.cmpgt(self.max).any()
    }

    pub fn add(&mut self, point: Vec3) {
        self.min = self.min.min(point);
        self.max = self.max.max(point);
    }

    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

/// Skins a rigged mesh: each vertex at the sum of its influences, exactly as the file weighs them.
/// `joint_from_model` is the inverse bind pose.
pub fn skin(rig: &Rig, model_from_joint: &[Affine3A], joint_from_model: &[Affine3A], out: &mut [Vertex]) -> Bounds {
    let mut bounds = Bounds::EMPTY;
    for (vertex, out) in out.iter_mut().enumerate() {
        let influences = &rig.influences[rig.first[vertex] as usize..rig.first[vertex + 1] as usize];
        let bind_normal = rig.normals.get(vertex).copied().unwrap_or(Vec3::Z);
        let bind_tangent = rig.tangents.get(vertex).copied().unwrap_or(Vec4::ZERO);
        let mut position = Vec3A::ZERO;
        let mut normal = Vec3A::ZERO;
        let mut tangent = Vec3A::ZERO;
        for influence in influences {
            let joint = influence.joint as usize;
            let posed = &model_from_joint[joint];
            let offset = influence.offset;
            position += posed.matrix3 * Vec3A::from_vec4(offset) + posed.translation * offset.w;
            let turn = posed.matrix3 * joint_from_model[joint].matrix3;
            normal += turn * Vec3A::from(bind_normal) * offset.w;
            tangent += turn * Vec3A::from_vec4(bind_tangent) * offset.w;
        }
        bounds.add(position.into());
        *out = Vertex {
            position: position.into(),
            normal: normal.into(),
            tangent: [tangent.x, tangent.y, tangent.z, bind_tangent.w],
        };
    }
    bounds
}

/// Blends two stored frames: positions and decoded normals linear. Both frames are among those of `keys`.
///
/// The plain sum that it equals is in the tests below.
pub fn lerp_keys(keys: &Keys, blend: Blend, out: &mut [Vertex]) -> Bounds {
    let count = out.len();
    let frame = |frame: usize| {
        let range = frame * count..(frame + 1) * count;
        keys.positions[range.clone()].iter().zip(&keys.normals[range])
    };
    let weights = |unit: f32| (Vec4::splat((1.0 - blend.t) * unit), Vec4::splat(blend.t * unit));
    let (position_from, position_to) = weights(Keys::UNIT);
    let (normal_from, normal_to) = weights(1.0 / 32767.0);
    let (mut min, mut max) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
    for ((out, from), to) in out.iter_mut().zip(frame(blend.from)).zip(frame(blend.to)) {
        let position = widen(*from.0) * position_from + widen(*to.0) * position_to;
        let normal = widen(*from.1) * normal_from + widen(*to.1) * normal_to;
        min = min.min(position);
        max = max.max(position);
        // Four numbers each, so that a vector is stored at once: the next one covers the fourth.
        let numbers: &mut [f32; 10] = bytemuck::cast_mut(out);
        numbers[0..4].copy_from_slice(&position.to_array());
        numbers[3..7].copy_from_slice(&normal.to_array());
        numbers[6..10].copy_from_slice(&[0.0; 4]);
    }
    Bounds { min: min.truncate(), max: max.truncate() }
}

/// The compiler finds the one instruction for it only when told.
#[cfg(target_arch = "wasm32")]
fn widen(numbers: [i16; 4]) -> Vec4 {
    use core::arch::wasm32::{f32x4_convert_i32x4, i32x4_extend_low_i16x8, i64x2_splat};
    Vec4::from(f32x4_convert_i32x4(i32x4_extend_low_i16x8(i64x2_splat(bytemuck::cast(numbers)))))
}

#[cfg(not(target_arch = "wasm32"))]
fn widen(numbers: [i16; 4]) -> Vec4 {
    Vec4::from_array(numbers.map(f32::from))
}

/// One mesh as it stands: the persistent buffer that the renderer draws.
pub struct PosedMesh {
    /// In the order of the file.
    pub vertices: Vec<Vertex>,
    pub bounds: Bounds,
}

impl PosedMesh {
    pub fn new(mesh: &Mesh) -> Self {
        Self { vertices: vec![Vertex::default(); mesh.vertex_count()], bounds: Bounds::EMPTY }
    }

    /// Poses the mesh. `model_from_joint` and `joint_from_model` matter for rigged ones, and `flexed` instead of their own
    /// rig where it is there; `blend` matters for keyed ones.
    pub fn update(
        &mut self,
        mesh: &Mesh,
        flexed: Option<&Rig>,
        model_from_joint: &[Affine3A],
        joint_from_model: &[Affine3A],
        blend: Blend,
    ) {
        self.bounds = match &mesh.shape {
            Shape::Rigged(rig) => skin(flexed.unwrap_or(rig), model_from_joint, joint_from_model, &mut self.vertices),
            Shape::Keyed(keys) => lerp_keys(keys, blend.drawn(keys.frames), &mut self.vertices),
        };
    }
}

/// Inverse bind pose of every joint.
pub fn joints_from_model(skeleton: &Skeleton) -> Vec<Affine3A> {
    crate::anim::model_from_joints(skeleton).iter().map(Affine3A::inverse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_blend_as_the_plain_sum_has_it() {
        let count = 37;
        let number = |seed: usize| (seed.wrapping_mul(2_654_435_761) >> 7) as i16;
        let list = |salt: usize| -> Vec<[i16; 4]> {
            (0..3 * count).map(|at| std::array::from_fn(|axis| number(salt + at * 4 + axis))).collect()
        };
        let keys = Keys { frames: 3, positions: list(1), normals: list(100_000) };
        let mut out = vec![Vertex { tangent: [9.0; 4], ..Vertex::default() }; count];
        for blend in [Blend { from: 2, to: 0, t: 0.3 }, Blend { from: 0, to: 1, t: 0.999 }, Blend::still(1)] {
            let bounds = lerp_keys(&keys, blend, &mut out);
            let mut expected = Bounds::EMPTY;
            for (vertex, out) in out.iter().enumerate() {
                let plain = |list: &[[i16; 4]], axis: usize, unit: f64| {
                    let [from, to] = [blend.from, blend.to].map(|frame| f64::from(list[frame * count + vertex][axis]));
                    ((from + (to - from) * f64::from(blend.t)) / unit) as f32
                };
                for axis in 0..3 {
                    assert!((out.position[axis] - plain(&keys.positions, axis, 64.0)).abs() < 1e-4);
                    assert!((out.normal[axis] - plain(&keys.normals, axis, 32767.0)).abs() < 1e-6);
                }
                assert_eq!(out.tangent, [0.0; 4]);
                expected.add(out.position.into());
            }
            assert_eq!(bounds, expected);
        }
    }

    #[test]
    fn a_mesh_without_vertices_has_no_bounds() {
        assert!(lerp_keys(&Keys { frames: 1, ..Keys::default() }, Blend::still(0), &mut []).is_empty());
    }
}
