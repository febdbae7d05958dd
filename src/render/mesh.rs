//! One mesh on the GPU: in come posed vertices whenever they change, out come draws.

use bytemuck::cast_slice;

use super::gl::{Attribute, AttributeKind, Buffer, Gl, IndexWidth, Primitive, VertexArray};
use crate::model::Mesh;
use crate::skin::Vertex;
use crate::sort;

/// A mesh's buffers. Vertices are written into each of three buffers in turn: the GPU may still be drawing from the one
/// before, and waiting for it costs more than the memory.
pub struct GpuMesh {
    ring: [Slot; 3],
    current: usize,
    /// `Part::generation` of the vertices in the current slot.
    generation: Option<u64>,
    _indices: Buffer,
    index_count: usize,
    width: IndexWidth,
    /// Made when edges are first asked for.
    edges: Option<Edges>,
    _uvs: Buffer,
}

struct Slot {
    vertices: Buffer,
    array: VertexArray,
}

struct Edges {
    _indices: Buffer,
    count: usize,
    /// One for each slot of the ring.
    arrays: [VertexArray; 3],
}

const STRIDE: i32 = size_of::<Vertex>() as i32;

const fn floats(location: u32, components: i32, stride: i32, offset: i32) -> Attribute {
    Attribute { location, components, kind: AttributeKind::Float, stride, offset, per_instance: false }
}

const POSITION: Attribute = floats(0, 3, STRIDE, 0);
const NORMAL: Attribute = floats(1, 3, STRIDE, 12);
const TANGENT: Attribute = floats(2, 4, STRIDE, 24);
const UV: Attribute = floats(3, 2, 8, 0);

impl GpuMesh {
    pub fn new(gl: &Gl, mesh: &Mesh) -> Self {
        let count = mesh.vertex_count();
        let flat: &[u32] = cast_slice(&mesh.triangles);
        let (indices, width) = upload_indices(gl, flat, count);
        let uvs = Buffer::vertices(gl, cast_slice(&mesh.uvs));
        let ring = std::array::from_fn(|_| {
            let vertices = Buffer::dynamic(gl, count * size_of::<Vertex>());
            let inputs = [(&vertices, POSITION), (&vertices, NORMAL), (&vertices, TANGENT), (&uvs, UV)];
            let array = VertexArray::new(gl, &inputs, Some(&indices));
            Slot { vertices, array }
        });
        Self {
            ring,
            current: 0,
            generation: None,
            _indices: indices,
            index_count: flat.len(),
            width,
            edges: None,
            _uvs: uvs,
        }
    }

    /// Takes over the vertices, unless those of this generation are there already.
    pub fn update(&mut self, generation: u64, vertices: &[Vertex]) {
        if self.generation == Some(generation) {
            return;
        }
        self.rewrite(vertices);
        self.generation = Some(generation);
    }

    /// Takes over vertices that depend on more than the pose.
    pub fn rewrite(&mut self, vertices: &[Vertex]) {
        self.generation = None;
        self.current = (self.current + 1) % self.ring.len();
        self.ring[self.current].vertices.write(cast_slice(vertices));
    }

    pub fn draw(&self, gl: &Gl) {
        self.ring[self.current].array.bind();
        gl.draw_elements(Primitive::Triangles, self.index_count, self.width);
    }

    /// Draws every edge once.
    pub fn draw_edges(&mut self, gl: &Gl, mesh: &Mesh) {
        let edges = self.edges.get_or_insert_with(|| {
            let list = edges_of(&mesh.triangles);
            let (indices, _) = upload_indices(gl, &list, mesh.vertex_count());
            let array = |slot: &Slot| VertexArray::new(gl, &[(&slot.vertices, POSITION)], Some(&indices));
            let arrays = self.ring.each_ref().map(array);
            Edges { _indices: indices, count: list.len(), arrays }
        });
        edges.arrays[self.current].bind();
        gl.draw_elements(Primitive::Lines, edges.count, self.width);
    }
}

fn upload_indices(gl: &Gl, indices: &[u32], vertices: usize) -> (Buffer, IndexWidth) {
    if vertices <= usize::from(u16::MAX) {
        let short: Vec<u16> = indices.iter().map(|&index| index as u16).collect();
        (Buffer::indices(gl, cast_slice(&short)), IndexWidth::Short)
    } else {
        (Buffer::indices(gl, cast_slice(indices)), IndexWidth::Long)
    }
}

/// Both ends of every edge, each edge once.
fn edges_of(triangles: &[[u32; 3]]) -> Vec<u32> {
    let mut edges: Vec<[u32; 2]> = Vec::with_capacity(triangles.len() * 3);
    for &[a, b, c] in triangles {
        edges.extend([[a, b], [b, c], [c, a]].map(|[from, to]| [from.min(to), from.max(to)]));
    }
    sort::by(&mut edges, |a, b| a.cmp(b));
    edges.dedup();
    edges.into_flattened()
}
