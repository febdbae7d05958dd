//! Keyed meshes: in come two stored frames and the way between them, out come vertices.

use glam::Vec4;

use super::rig::Box4;
use super::{Bounds, Vertex};
use crate::anim::Blend;
use crate::model::Keys;

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
    let mut bounds = Box4::EMPTY;
    for ((out, from), to) in out.iter_mut().zip(frame(blend.from)).zip(frame(blend.to)) {
        let position = widen(*from.0) * position_from + widen(*to.0) * position_to;
        let normal = widen(*from.1) * normal_from + widen(*to.1) * normal_to;
        bounds.add(position);
        // Four numbers each, so that a vector is stored at once: the next one covers the fourth.
        let numbers: &mut [f32; 10] = bytemuck::cast_mut(out);
        numbers[0..4].copy_from_slice(&position.to_array());
        numbers[3..7].copy_from_slice(&normal.to_array());
        numbers[6..10].copy_from_slice(&[0.0; 4]);
    }
    bounds.into()
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
