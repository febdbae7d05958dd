//! Quads that turn to the viewer: in come a mesh's posed vertices and the view, out come the vertices as Quake III turns them
//! (AutospriteDeform and Autosprite2Deform in code/renderergl1/tr_shade_calc.c).

use glam::{Vec2, Vec3};

use crate::material::{Deform, Material};
use crate::model::Mesh;
use crate::skin::Vertex;
use crate::sort;

/// The view's axes in the space of the vertices, each of length 1.
#[derive(Clone, Copy, Debug)]
pub struct Axes {
    pub right: Vec3,
    pub up: Vec3,
    pub ahead: Vec3,
}

/// How a material turns its quads, if it does: about their middle, or about their long axis alone.
pub fn turning(material: &Material) -> Option<Deform> {
    material.deforms.iter().copied().find(|deform| matches!(deform, Deform::AutoSprite | Deform::AutoSprite2))
}

/// Writes the turned vertices into `turned`. Every four vertices are a quad, as the game takes them; what is left over stays.
pub fn turn(deform: Deform, mesh: &Mesh, posed: &[Vertex], axes: Axes, turned: &mut Vec<Vertex>) {
    turned.clear();
    turned.extend_from_slice(posed);
    for (index, quad) in turned.as_chunks_mut().0.iter_mut().enumerate() {
        match deform {
            Deform::AutoSprite2 => about_long_axis(quad, (index * 4) as u32, mesh, axes),
            _ => about_middle(quad, &mesh.uvs[index * 4..index * 4 + 4], axes),
        }
    }
}

/// The game puts an upright square in the quad's place, whose image runs from corner to corner.
fn about_middle(quad: &mut [Vertex; 4], uvs: &[[f32; 2]], axes: Axes) {
    let middle = quad.iter().map(|vertex| Vec3::from(vertex.position)).sum::<Vec3>() * 0.25;
    // Half a diagonal's share of each side.
    let reach = (Vec3::from(quad[0].position) - middle).length() * std::f32::consts::FRAC_1_SQRT_2;
    let image_middle = uvs.iter().map(|&uv| Vec2::from(uv)).sum::<Vec2>() * 0.25;
    for (vertex, uv) in quad.iter_mut().zip(uvs) {
        let right = if uv[0] < image_middle.x { -reach } else { reach };
        let up = if uv[1] < image_middle.y { reach } else { -reach };
        vertex.position = (middle + axes.right * right + axes.up * up).into();
        vertex.normal = (-axes.ahead).into();
    }
}

/// The two shortest edges are the ends; they are turned across the view.
fn about_long_axis(quad: &mut [Vertex; 4], first: u32, mesh: &Mesh, axes: Axes) {
    const EDGES: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    let at = quad.map(|vertex| Vec3::from(vertex.position));
    let mut edges = EDGES.map(|(a, b)| (at[a].distance_squared(at[b]), a, b));
    sort::by(&mut edges, |x, y| x.0.total_cmp(&y.0));
    let ends = [edges[0], edges[1]];
    let middle = ends.map(|(_, a, b)| (at[a] + at[b]) * 0.5);
    let across = (middle[1] - middle[0]).cross(axes.ahead).normalize_or_zero();
    // The game takes the sides from the order of the triangles' corners, which crosses them in some quads; here only the first
    // end's, and the other end follows the edges between them.
    let [(_, a, b), (_, c, d)] = ends;
    let (from, to) = (first + a as u32, first + b as u32);
    let is_along = |&[x, y, z]: &[u32; 3]| [(x, y), (y, z)].contains(&(from, to));
    let own = first as usize / 2;
    let own = mesh.triangles.get(own..own + 2).unwrap_or_default();
    let side = if own.iter().any(is_along) { -0.5 } else { 0.5 };
    let is_opposite = at[a].distance(at[c]) + at[b].distance(at[d]) > at[a].distance(at[d]) + at[b].distance(at[c]);
    let sides = [side, if is_opposite { -side } else { side }];
    for (((length, a, b), middle), side) in ends.into_iter().zip(middle).zip(sides) {
        let half = across * length.sqrt() * side;
        quad[a].position = (middle + half).into();
        quad[b].position = (middle - half).into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Keys, Shape};

    fn vertex(position: Vec3) -> Vertex {
        Vertex { position: position.into(), normal: [1.0, 0.0, 0.0], ..bytemuck::Zeroable::zeroed() }
    }

    fn mesh() -> Mesh {
        Mesh {
            name: String::new(),
            material: 0,
            uvs: vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]],
            triangles: vec![[0, 2, 1], [1, 2, 3]],
            shape: Shape::Keyed(Keys { frames: 1, positions: Vec::new(), normals: Vec::new() }),
            morphs: Vec::new(),
        }
    }

    /// The viewer looks along -X; the quads lie flat on the ground.
    const AXES: Axes = Axes { right: Vec3::Y, up: Vec3::Z, ahead: Vec3::NEG_X };

    #[test]
    fn a_quad_stands_up_before_the_viewer() {
        let flat = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)].map(|(x, y)| vertex(Vec3::new(x, y, 5.0)));
        let mut turned = Vec::new();
        turn(Deform::AutoSprite, &mesh(), &flat, AXES, &mut turned);
        let expected = [(-1.0, 6.0), (1.0, 6.0), (-1.0, 4.0), (1.0, 4.0)].map(|(y, z)| Vec3::new(0.0, y, z));
        for (vertex, expected) in turned.iter().zip(expected) {
            assert!((Vec3::from(vertex.position) - expected).length() < 1e-5, "{:?}", vertex.position);
        }
    }

    #[test]
    fn a_beam_turns_about_its_length_and_keeps_its_width() {
        // 2 wide along X, 10 long along Z: its edge is turned to the viewer.
        let beam = [(-1.0, 10.0), (1.0, 10.0), (-1.0, 0.0), (1.0, 0.0)].map(|(x, z)| vertex(Vec3::new(x, 0.0, z)));
        let mut turned = Vec::new();
        turn(Deform::AutoSprite2, &mesh(), &beam, AXES, &mut turned);
        let heights: Vec<f32> = turned.iter().map(|vertex| vertex.position[2]).collect();
        assert_eq!(heights, [10.0, 10.0, 0.0, 0.0]);
        for pair in [[0, 1], [2, 3]] {
            let [a, b] = pair.map(|index| Vec3::from(turned[index].position));
            assert!(a.x.abs() < 1e-5 && b.x.abs() < 1e-5 && (a.y - b.y).abs() > 1.999, "{a} {b}");
        }
        // Its sides do not cross.
        assert!(turned[0].position[1] * turned[2].position[1] > 0.0);
    }
}
