//! Fills what files leave out: in comes a model as it was read, out comes one with the normals and tangents of its bind pose.
//! Both by the rules of Doom 3 (neo/idlib/math/Simd_Generic.cpp, DeriveTangents; neo/renderer/tr_trisurf.cpp), whose files have
//! neither.

use glam::{Affine3A, Vec3, Vec3A};

use super::{Mesh, Model, Rig, Shape, Skeleton};

/// Fills the normals and tangents of rigged meshes that have none. Indices must be in range, which readers see to.
pub fn finish(model: &mut Model) {
    let model_from_joint = bind_pose(&model.skeleton);
    for mesh in &mut model.meshes {
        let Mesh { uvs, triangles, shape: Shape::Rigged(rig), .. } = mesh else { continue };
        if !rig.normals.is_empty() && !rig.tangents.is_empty() {
            continue;
        }
        let positions = bind_positions(rig, &model_from_joint);
        if rig.normals.is_empty() {
            rig.normals = normals(&positions, triangles);
        }
        if rig.tangents.is_empty() {
            rig.tangents = tangents(&positions, uvs, triangles, &rig.normals);
        }
    }
}

/// Where every joint stands in the bind pose.
fn bind_pose(skeleton: &Skeleton) -> Vec<Affine3A> {
    let mut model_from_joint: Vec<Affine3A> = Vec::with_capacity(skeleton.joints.len());
    for joint in &skeleton.joints {
        let parent_from_joint = joint.parent_from_joint.to_affine();
        model_from_joint.push(match joint.parent {
            Some(parent) => model_from_joint[parent] * parent_from_joint,
            None => parent_from_joint,
        });
    }
    model_from_joint
}

fn bind_positions(rig: &Rig, model_from_joint: &[Affine3A]) -> Vec<Vec3A> {
    let position = |range: &[u32]| {
        let influences = &rig.influences[range[0] as usize..range[1] as usize];
        influences.iter().fold(Vec3A::ZERO, |sum, influence| {
            let joint = &model_from_joint[influence.joint as usize];
            sum + joint.matrix3 * Vec3A::from_vec4(influence.offset) + joint.translation * influence.offset.w
        })
    };
    rig.first.windows(2).map(position).collect()
}

/// The sum of the unit normals of all triangles that touch a vertex's position, made unit length: no triangle counts for more by
/// its size, and vertices that stand on the very same spot (at a seam of the texture) share one normal. Triangles without area give
/// nothing; a vertex with no others gets Z.
fn normals(positions: &[Vec3A], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let first_at = same_positions(positions);
    let mut sums = vec![Vec3A::ZERO; positions.len()];
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| positions[corner as usize]);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        for &corner in corners {
            sums[first_at[corner as usize] as usize] += normal;
        }
    }
    first_at.iter().map(|&first| Vec3::from(sums[first as usize]).normalize_or(Vec3::Z)).collect()
}

/// For each vertex the first one with exactly its position.
fn same_positions(positions: &[Vec3A]) -> Vec<u32> {
    const EMPTY: u32 = u32::MAX;
    // A hash table of vertex numbers, at most half full.
    let size = (positions.len() * 2).next_power_of_two();
    let mut table = vec![EMPTY; size];
    let slot_of = |position: Vec3A| {
        // Adding 0 makes 0 of -0, which is equal to it.
        let [x, y, z] = (position + 0.0).to_array().map(f32::to_bits);
        let mixed = (u64::from(x) << 32 | u64::from(y)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ u64::from(z).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        // The high bits, and cut before wasm's `usize` of 32 bits would leave too few for a large table.
        ((mixed ^ mixed >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & (size - 1)
    };
    let mut first_at = Vec::with_capacity(positions.len());
    for (vertex, &position) in positions.iter().enumerate() {
        let mut slot = slot_of(position);
        while table[slot] != EMPTY && positions[table[slot] as usize] != position {
            slot = (slot + 1) & (size - 1);
        }
        if table[slot] == EMPTY {
            table[slot] = vertex as u32;
        }
        first_at.push(table[slot]);
    }
    first_at
}

/// What the triangles of one handedness say of a vertex: sums of unit vectors.
#[derive(Clone, Copy, Default)]
struct TangentSum {
    /// dP/ds
    tangent: Vec3A,
    /// How many triangles.
    count: u32,
}

/// Unit dP/ds of each vertex, at right angles to its normal, with the handedness in w: the sum over the vertex's triangles, made
/// unit length for each. Where the texture is mirrored in some of a vertex's triangles, Doom 3 makes two vertices of it
/// (R_DuplicateMirroredVertexes); here the vertices stay as the file has them, and the side with more triangles decides.
fn tangents(positions: &[Vec3A], uvs: &[[f32; 2]], triangles: &[[u32; 3]], normals: &[Vec3]) -> Vec<glam::Vec4> {
    // [not mirrored, mirrored]: whether s, t and the normal make a left-handed or a right-handed system, t running down.
    let mut sums = vec![[TangentSum::default(); 2]; positions.len()];
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| positions[corner as usize]);
        let [uv_a, uv_b, uv_c] = corners.map(|corner| glam::Vec2::from(uvs[corner as usize]));
        let (edge_b, edge_c) = (b - a, c - a);
        let (uv_b, uv_c) = (uv_b - uv_a, uv_c - uv_a);
        let area = uv_b.perp_dot(uv_c);
        let tangent = ((edge_b * uv_c.y - edge_c * uv_b.y) * area.signum()).normalize_or_zero();
        if area == 0.0 || tangent == Vec3A::ZERO {
            continue;
        }
        let side = usize::from(area > 0.0);
        for &corner in corners {
            let sum = &mut sums[corner as usize][side];
            sum.tangent += tangent;
            sum.count += 1;
        }
    }
    let finished = |([left, right], &normal): (&[TangentSum; 2], &Vec3)| {
        // In counter-clockwise triangles, cross(normal, dP/ds) points along dP/dt exactly where the uv area is positive.
        let (sum, sign) = if right.count > left.count { (right, 1.0) } else { (left, -1.0) };
        let tangent = Vec3::from(sum.tangent);
        let tangent = (tangent - normal * tangent.dot(normal)).try_normalize();
        tangent.unwrap_or_else(|| normal.any_orthonormal_vector()).extend(sign)
    };
    sums.iter().zip(normals).map(finished).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [Vec3A; 4] =
        [Vec3A::new(0.0, 0.0, 0.0), Vec3A::new(1.0, 0.0, 0.0), Vec3A::new(1.0, 1.0, 0.0), Vec3A::new(0.0, 1.0, 0.0)];

    #[test]
    fn counter_clockwise_triangles_face_outward() {
        let normals = normals(&SQUARE, &[[0, 1, 2], [0, 2, 3]]);
        assert_eq!(normals, [Vec3::Z; 4]);
    }

    #[test]
    fn normals_are_shared_by_position_and_not_weighted_by_area() {
        // A large triangle facing up and a small one facing +X, at one edge but without common vertices.
        let up = [Vec3A::ZERO, Vec3A::new(-100.0, 1.0, 0.0), Vec3A::new(-100.0, -1.0, 0.0)];
        let side = [Vec3A::new(-0.0, 0.0, 0.0), Vec3A::new(0.0, 0.0, -1.0), Vec3A::new(0.0, 1.0, -1.0)];
        let normals = normals(&[up, side].concat(), &[[0, 1, 2], [3, 4, 5], [1, 1, 2]]);
        let expected = Vec3::new(1.0, 0.0, 1.0).normalize();
        assert!(normals[0].abs_diff_eq(expected, 1e-6), "{}", normals[0]);
        assert_eq!(normals[0], normals[3]);
        assert_eq!(normals[1], Vec3::Z);
        assert_eq!(normals[4], Vec3::X);
    }

    #[test]
    fn tangents_follow_the_texture() {
        // The image upright on the square: s to the right, t down.
        let upright = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
        let mirrored = upright.map(|[s, t]| [-s, t]);
        for (uvs, along_s) in [(upright, Vec3::X), (mirrored, -Vec3::X)] {
            let normals = [Vec3::Z; 4];
            for tangent in tangents(&SQUARE, &uvs, &[[0, 1, 2], [0, 2, 3]], &normals) {
                assert!(tangent.truncate().abs_diff_eq(along_s, 1e-6), "{tangent}");
                let along_t = Vec3::Z.cross(tangent.truncate()) * tangent.w;
                assert!(along_t.abs_diff_eq(-Vec3::Y, 1e-6), "{along_t}");
            }
        }
    }

    #[test]
    fn vertices_without_area_get_some_unit_vectors() {
        let positions = [Vec3A::ZERO; 3];
        let normals = normals(&positions, &[[0, 1, 2]]);
        let tangents = tangents(&positions, &[[0.0; 2]; 3], &[[0, 1, 2]], &normals);
        assert!(normals.iter().all(|normal| normal.is_normalized()));
        assert!(tangents.iter().all(|tangent| tangent.truncate().is_normalized()));
    }
}
