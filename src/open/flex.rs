//! Shapes on meshes: in come a model and what a .vta holds, out comes the model with flexes that move its vertices.

use glam::Vec3;
use hashbrown::HashMap;

use crate::format::smd::{ShapeVertex, Shapes};
use crate::model::{Influence, Model, Morph, MorphDelta, Rig, Shape, Transform};
use crate::report::{At, Diagnostic, Report};
use crate::sort;

use super::smd::bind_pose;

/// The numbers of flexes by name; what is not in the list is added to it.
pub fn numbers(flexes: &mut Vec<String>, names: Vec<String>) -> Vec<usize> {
    let mut known: HashMap<String, usize> =
        flexes.iter().enumerate().rev().map(|(index, name)| (name.clone(), index)).collect();
    let number = |name: String| {
        *known.entry(name).or_insert_with_key(|name| {
            flexes.push(name.clone());
            flexes.len() - 1
        })
    };
    names.into_iter().map(number).collect()
}

/// Lays the shapes of a .vta onto the meshes: what stands where a vertex of its first list stands, moves with it, whatever
/// the numbers. `name` may give a shape another name by its time.
pub fn add_shapes(model: &mut Model, shapes: &Shapes, name: impl Fn(i64) -> Option<String>, report: &mut Report) {
    let places = Places::new(&shapes.base, tolerance(&shapes.base));
    let vertices_at = vertices_at(model, &places);
    let names = shapes.shapes.iter().map(|shape| name(shape.time).unwrap_or_else(|| shape.name.clone())).collect();
    let flexes = numbers(&mut model.flexes, names);
    let mut count = 0;
    for (shape, &flex) in shapes.shapes.iter().zip(&flexes) {
        // Changes by place; several, where the file tells corners at one place apart.
        let mut changes: HashMap<u32, Vec<(&ShapeVertex, &ShapeVertex)>> = HashMap::new();
        let (mut unknown, mut unmatched) = (None, 0);
        for vertex in &shape.vertices {
            match shapes.base.binary_search_by_key(&vertex.id, |base| base.id) {
                Ok(base) => {
                    let place = places.of_base[base];
                    unmatched += usize::from(vertices_at[place as usize].is_empty());
                    let list = changes.entry(place).or_default();
                    if list.len() < MOST_AT_A_PLACE {
                        list.push((&shapes.base[base], vertex));
                    }
                }
                Err(_) => _ = unknown.get_or_insert(vertex.id),
            }
        }
        if let Some(id) = unknown {
            let finding = Diagnostic::warning(At::File, "vertices of the list at time 0", format!("vertex {id}"));
            report.push(finding.inside(format!("shape `{}`", shape.name)));
        }
        if unmatched > 0 {
            let found = format!("{unmatched} of {} elsewhere", shape.vertices.len());
            let finding = Diagnostic::warning(At::File, "vertices where the mesh has some", found);
            report.push(finding.inside(format!("shape `{}`", shape.name)));
        }

        let mut moved: Vec<(u32, MorphDelta)> = Vec::new();
        for (place, changes) in &changes {
            for &(mesh, vertex) in &vertices_at[*place as usize] {
                let Shape::Rigged(rig) = &model.meshes[mesh as usize].shape else { continue };
                let normal = rig.normals.get(vertex as usize).copied().unwrap_or(Vec3::ZERO);
                let likeness = |change: &&(&ShapeVertex, &ShapeVertex)| change.0.normal.dot(normal);
                // The last of equal ones is the greatest; the first of the file is meant.
                let best = changes.iter().rev().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
                let Some((base, shape)) = best else { continue };
                let position = shape.position - base.position;
                let normal = shape.normal.normalize_or_zero() - base.normal.normalize_or_zero();
                if position != Vec3::ZERO || normal != Vec3::ZERO {
                    moved.push((mesh, MorphDelta { vertex, position, normal }));
                }
            }
        }
        count += moved.len();
        if count > MOST_DELTAS {
            let error = Diagnostic::error(At::File, "shapes that fit into the memory", "too many moved vertices");
            report.push(error.inside(format!("shape `{}`", shape.name)));
            return;
        }
        sort::by(&mut moved, |a, b| (a.0, a.1.vertex).cmp(&(b.0, b.1.vertex)));
        for of_mesh in moved.chunk_by(|a, b| a.0 == b.0) {
            let deltas = of_mesh.iter().map(|&(_, delta)| delta).collect();
            model.meshes[of_mesh[0].0 as usize].morphs.push(Morph { flex, deltas });
        }
    }
}

/// A hundred megabytes of moves: a shape of few bytes moves every vertex at its place.
const MOST_DELTAS: usize = 1 << 22;

/// The vertices (mesh and number) that stand at each place.
fn vertices_at(model: &Model, places: &Places) -> Vec<Vec<(u32, u32)>> {
    let bind = bind_pose(&model.skeleton);
    let mut vertices_at = vec![Vec::new(); places.count()];
    for (index, mesh) in model.meshes.iter().enumerate() {
        let Shape::Rigged(rig) = &mesh.shape else { continue };
        for vertex in 0..mesh.vertex_count() {
            if let Some(place) = places.nearest(position(rig, &bind, vertex)) {
                vertices_at[place as usize].push((index as u32, vertex as u32));
            }
        }
    }
    vertices_at
}

/// Whether most of the vertices of the shapes' first list stand where the model has some.
pub fn has_places(model: &Model, shapes: &Shapes) -> bool {
    let places = Places::new(&shapes.base, tolerance(&shapes.base));
    let vertices_at = vertices_at(model, &places);
    vertices_at.iter().filter(|vertices| !vertices.is_empty()).count() * 2 > vertices_at.len()
}

/// More vertices than meet anywhere in a model: a heap of them must not be searched again for each vertex.
const MOST_AT_A_PLACE: usize = 64;

/// Where a vertex stands in the bind pose.
fn position(rig: &Rig, model_from_joint: &[Transform], vertex: usize) -> Vec3 {
    let influences = &rig.influences[rig.first[vertex] as usize..rig.first[vertex + 1] as usize];
    let pull = |influence: &Influence| {
        let joint = &model_from_joint[influence.joint as usize];
        joint.rotation * influence.offset.truncate() + joint.translation * influence.offset.w
    };
    influences.iter().map(pull).sum()
}

/// How far a vertex of a mesh may be from that of the shapes: what exporters lose by writing six decimals, and the file's
/// own rounding on the way through joint space.
fn tolerance(base: &[ShapeVertex]) -> f32 {
    let size = base.iter().map(|vertex| vertex.position.abs().max_element()).fold(0.0, f32::max);
    (size * 1e-4).max(1e-5)
}

/// The different positions of a list of vertices, to be searched by position.
struct Places {
    positions: Vec<Vec3>,
    /// The place of every vertex of the list.
    of_base: Vec<u32>,
    /// Places by the cell of a grid.
    cells: HashMap<[i64; 3], Vec<u32>>,
    tolerance: f32,
}

impl Places {
    fn new(base: &[ShapeVertex], tolerance: f32) -> Self {
        let mut places = Self { positions: Vec::new(), of_base: Vec::new(), cells: HashMap::new(), tolerance };
        let mut known: HashMap<[u32; 3], u32> = HashMap::new();
        for vertex in base {
            // Adding 0 makes the two zeros one.
            let bits = (vertex.position + 0.0).to_array().map(f32::to_bits);
            let place = *known.entry(bits).or_insert_with(|| {
                let place = places.positions.len() as u32;
                places.positions.push(vertex.position);
                let list = places.cells.entry(cell(vertex.position, tolerance)).or_default();
                if list.len() < MOST_AT_A_PLACE {
                    list.push(place);
                }
                place
            });
            places.of_base.push(place);
        }
        places
    }

    fn count(&self) -> usize {
        self.positions.len()
    }

    /// The nearest place within the tolerance.
    fn nearest(&self, position: Vec3) -> Option<u32> {
        let [x, y, z] = cell(position, self.tolerance);
        let mut nearest: Option<(f32, u32)> = None;
        for step in 0..27_i64 {
            let neighbour = [x + step % 3 - 1, y + step / 3 % 3 - 1, z + step / 9 - 1];
            for &place in self.cells.get(&neighbour).into_iter().flatten() {
                let distance = self.positions[place as usize].distance(position);
                if distance <= self.tolerance && nearest.is_none_or(|(least, _)| distance < least) {
                    nearest = Some((distance, place));
                }
            }
        }
        nearest.map(|(_, place)| place)
    }
}

/// The cell of a grid with this spacing.
fn cell(position: Vec3, spacing: f32) -> [i64; 3] {
    position.to_array().map(|value| (f64::from(value) / f64::from(spacing)).floor() as i64)
}
