//! The `triangles` block: in come corners, out come meshes, one a material, whose equal corners share a vertex.

use std::hash::{BuildHasher, Hasher};

use glam::{Vec3, Vec4};
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};

use super::nodes::Nodes;
use crate::format::bytes::decode;
use crate::format::lines::{Fields, Line, Lines, quote};
use crate::model::{Influence, Mesh, Rig, Shape, Transform};
use crate::report::{Diagnostic, Report, Result};

/// The triangles read so far.
#[derive(Default)]
pub struct Triangles<'a> {
    surfaces: Vec<Surface>,
    by_material: HashMap<&'a [u8], u32>,
    /// Found by the corner's fields.
    vertices: HashTable<Known>,
    hasher: DefaultHashBuilder,
    recent: Recent<'a>,
    /// Some corner has a tenth field, as only Source's exporters write it.
    pub has_links: bool,
    /// What cost a triangle.
    errors: Report,
    /// Line and sum of the first links that do not add up to 1.
    off_weight: Option<(u32, f32)>,
}

/// A vertex that later corners may share.
struct Known {
    hash: u64,
    surface: u32,
    vertex: u32,
}

/// One material's triangles.
struct Surface {
    mesh: Mesh,
    /// The influences hold the weights alone until the bind pose is known.
    rig: Rig,
    /// One a vertex, model space of the bind pose.
    positions: Vec<Vec3>,
}

/// A corner of a triangle, with its links in a list beside it.
#[derive(Clone, Copy, Default)]
struct Corner<'a> {
    line: &'a [u8],
    /// Where the same line was read before: that vertex, and nothing else is filled in.
    known: Option<u32>,
    position: Vec3,
    normal: Vec3,
    uv: [f32; 2],
}

/// Joint and weight; the weights of a corner add up to 1.
type Link = (u32, f32);

/// Vertices by the very text of their line, the last one for each value of a hash. A closed mesh has every vertex in some six
/// triangles, most exporters write it alike in all of them, and to compare texts takes a quarter of the time of reading numbers.
#[derive(Default)]
struct Recent<'a> {
    /// As many as a power of two, or none.
    slots: Vec<Slot<'a>>,
}

#[derive(Clone, Copy, Default)]
struct Slot<'a> {
    line: &'a [u8],
    surface: u32,
    vertex: u32,
}

impl<'a> Recent<'a> {
    /// For a text of so many bytes.
    fn make_room(&mut self, bytes: usize) {
        self.slots = vec![Slot::default(); (bytes / 128).next_power_of_two().min(1 << 15)];
    }

    /// The vertex of this surface that this line gave.
    fn find(&self, surface: Option<u32>, line: &[u8]) -> Option<u32> {
        let slot = &self.slots[self.slot(line)];
        (Some(slot.surface) == surface && is_same(slot.line, line)).then_some(slot.vertex)
    }

    fn put(&mut self, surface: u32, line: &'a [u8], vertex: u32) {
        let slot = self.slot(line);
        self.slots[slot] = Slot { line, surface, vertex };
    }

    fn slot(&self, line: &[u8]) -> usize {
        const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
        let mut hash = 0_u64;
        for word in words(line) {
            hash = (hash ^ word).wrapping_mul(ODD).rotate_left(29);
        }
        hash as usize & (self.slots.len() - 1)
    }
}

/// Whether two texts of at least eight bytes are the same. In wasm, `==` goes byte by byte.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && words(a).eq(words(b))
}

/// A text of at least eight bytes, eight by eight; the last ones may overlap those before them.
fn words(text: &[u8]) -> impl Iterator<Item = u64> {
    text.as_chunks().0.iter().chain(text.last_chunk()).map(|&word| u64::from_le_bytes(word))
}

impl<'a> Triangles<'a> {
    pub fn is_empty(&self) -> bool {
        self.surfaces.is_empty()
    }

    /// Reads up to and with `end`; a second block of the file goes on where the first ended.
    pub fn read(&mut self, lines: &mut Lines<'a>, nodes: &Nodes, report: &mut Report) {
        self.recent.make_room(lines.bytes_left());
        let mut surface = None;
        let mut links = Vec::new();
        let mut ends = [0; 3];
        // A line that turned out to open the next triangle.
        let mut kept = None;
        'triangles: while let Some(line) = kept.take().or_else(|| lines.next()) {
            if line.is_end() {
                return;
            }
            // Source takes `#` and `;` for comments only outside the blocks; here they may begin a material's name.
            if line.text.starts_with(b"//") {
                continue;
            }
            let mut first = None;
            if is_corner(line.text) {
                let error = Diagnostic::error(line.at(line.text), "a material", quote(line.text)).inside("triangles");
                super::note(
                    report,
                    error.engine("The games' compilers take the line for a material, and stop at the next."),
                );
                first = Some(line);
            } else if line.text.is_empty() && !lines.clone().next().is_some_and(|next| is_corner(next.text)) {
                continue;
            } else {
                if line.text.is_empty() {
                    let finding = Diagnostic::warning(line.at(line.text), "a material", "an empty line");
                    super::note(
                        report,
                        finding.inside("triangles").engine("Half-Life's studiomdl leaves the triangle out."),
                    );
                }
                surface = Some(line.text);
            }
            let material = surface.unwrap_or(b"");
            let number = self.by_material.get(material).copied();

            let mut corners = [Corner::default(); 3];
            let mut fault = None;
            links.clear();
            for (index, corner) in corners.iter_mut().enumerate() {
                let is_text = |line: &Line| !line.text.is_empty() && !line.text.starts_with(b"//");
                let Some(line) = first.take().or_else(|| lines.find(is_text)) else {
                    let error = Diagnostic::error(lines.end(), "three corners", "end of file");
                    self.errors.push(error.inside("triangles"));
                    break 'triangles;
                };
                *corner = Corner { line: line.text, known: self.recent.find(number, line.text), ..Corner::default() };
                if corner.known.is_none()
                    && let Err(error) = self.corner(&line, nodes, &mut links).map(|read| *corner = read)
                {
                    fault.get_or_insert(error);
                    // A spoilt corner costs its triangle; what is no corner at all begins the next one.
                    if line.fields().int().is_err() {
                        kept = Some(line);
                        break;
                    }
                }
                ends[index] = links.len();
            }
            match fault {
                Some(error) => super::note(&mut self.errors, error.inside("triangles")),
                None => self.add(material, &corners, &links, ends),
            }
        }
        report.push(super::missing_end(lines, "triangles"));
    }

    /// `bone px py pz nx ny nz u v`, then perhaps a count of links and a bone and a weight for each.
    fn corner(&mut self, line: &Line<'a>, nodes: &Nodes, links: &mut Vec<Link>) -> Result<Corner<'a>> {
        let mut fields = line.fields();
        let mut bone = fields;
        let number = fields.int().map_err(|word| line.error(word, "a bone's number"))?;
        let [px, py, pz, nx, ny, nz, u, v] = fields
            .floats()
            .map_err(|word| line.error(word, "a number (position, normal and texture coordinates: eight)"))?;
        let first = links.len();
        self.links(line, fields, nodes, links)?;
        if links.len() == first {
            // Without links, or with links that weigh nothing, the vertex hangs on its first field.
            let joint = nodes.joint(number).ok_or_else(|| bogus_bone(line, bone.word()))?;
            links.push((joint, 1.0));
        }
        // Adding 0 makes the two zeros one, so that equal fields have equal bits. SMD counts v from the bottom row.
        Ok(Corner {
            line: line.text,
            known: None,
            position: Vec3::new(px, py, pz) + 0.0,
            normal: Vec3::new(nx, ny, nz) + 0.0,
            uv: [u + 0.0, 1.0 - v],
        })
    }

    /// Appends the links of one corner: merged, those without weight left out, adding up to 1.
    fn links(&mut self, line: &Line, mut fields: Fields, nodes: &Nodes, links: &mut Vec<Link>) -> Result<()> {
        let first = links.len();
        // Half-Life's studiomdl does not look behind the ninth field, so anything may stand there.
        let Ok(count) = fields.int() else { return Ok(()) };
        self.has_links = true;
        let mut sum = 0.0;
        for _ in 0..count.max(0) {
            let mut bone = fields;
            let number = fields.int().map_err(|word| match word {
                [] => line.error(word, format!("{count} links of a bone and a weight")),
                _ => line.error(word, "a bone's number"),
            })?;
            let weight = fields.float().map_err(|word| line.error(word, "a weight"))?;
            let joint = nodes.joint(number).ok_or_else(|| bogus_bone(line, bone.word()))?;
            // Source drops what weighs less than a twentieth; what weighs nothing moves nothing.
            if weight <= 0.0 {
                continue;
            }
            sum += weight;
            match links[first..].iter_mut().find(|link| link.0 == joint) {
                Some(link) => link.1 += weight,
                None => links.push((joint, weight)),
            }
        }
        if links.len() > first {
            if (sum - 1.0).abs() > 1e-3 && self.off_weight.is_none() {
                self.off_weight = Some((line.number, sum));
            }
            for link in &mut links[first..] {
                link.1 /= sum;
            }
        }
        Ok(())
    }

    /// Adds a triangle. The links of corner i end at `ends[i]`.
    fn add(&mut self, material: &'a [u8], corners: &[Corner<'a>; 3], links: &[Link], ends: [usize; 3]) {
        let index = *self.by_material.entry(material).or_insert_with(|| {
            self.surfaces.push(Surface::new(decode(material), self.surfaces.len()));
            self.surfaces.len() as u32 - 1
        });
        let starts = [0, ends[0], ends[1]];
        let triangle = std::array::from_fn(|i| self.vertex(index, &corners[i], &links[starts[i]..ends[i]]));
        self.surfaces[index as usize].mesh.triangles.push(triangle);
    }

    /// The vertex of a surface whose fields all equal these; a new one, if there is none.
    fn vertex(&mut self, surface: u32, corner: &Corner<'a>, links: &[Link]) -> u32 {
        if let Some(vertex) = corner.known {
            return vertex;
        }
        let hash = corner.hash(&self.hasher, surface, links);
        let surfaces = &mut self.surfaces;
        let known = self.vertices.find(hash, |known| {
            known.hash == hash
                && known.surface == surface
                && surfaces[surface as usize].is_vertex(known.vertex as usize, corner, links)
        });
        let vertex = known.map_or_else(|| surfaces[surface as usize].push(corner, links), |known| known.vertex);
        if known.is_none() {
            self.vertices.insert_unique(hash, Known { hash, surface, vertex }, |known| known.hash);
        }
        self.recent.put(surface, corner.line, vertex);
        vertex
    }

    /// The meshes, each with its material's name and number. `model_from_joint` is the bind pose.
    /// What cost a triangle goes to the report; if it cost them all, the first of it is the error.
    pub fn finish(mut self, model_from_joint: &[Transform], report: &mut Report) -> Result<Vec<Mesh>> {
        if self.surfaces.is_empty() && !self.errors.diagnostics.is_empty() {
            let first = self.errors.diagnostics.remove(0);
            report.append("", self.errors);
            return Err(Box::new(first));
        }
        report.append("", self.errors);
        if let Some((line, sum)) = self.off_weight {
            let found = format!("{sum}");
            let finding = Diagnostic::warning(super::at_line(line), "links whose weights add up to 1", found);
            report.push(finding.inside("triangles").engine("Source scales them until they do, as is done here."));
        }
        let joint_from_model: Vec<Transform> = model_from_joint.iter().map(|joint| joint.inverse()).collect();
        Ok(self.surfaces.into_iter().map(|surface| surface.finish(&joint_from_model)).collect())
    }
}

/// Whether nine numbers stand at the beginning of a line, the first of them whole.
fn is_corner(text: &[u8]) -> bool {
    if !matches!(text.first(), Some(b'0'..=b'9' | b'-' | b'+')) {
        return false;
    }
    let mut fields = Line { number: 0, column: 0, text }.fields();
    fields.int().is_ok() && fields.floats::<8>().is_ok()
}

fn bogus_bone(line: &Line, bone: &[u8]) -> Box<Diagnostic> {
    line.error(bone, "the number of a node")
        .engine("The compilers of Half-Life and Source stop: \"bogus bone index\". The triangle is left out.")
}

impl Corner<'_> {
    fn words(&self) -> [u32; 8] {
        let Self { position: p, normal: n, uv: [u, v], .. } = *self;
        [p.x, p.y, p.z, n.x, n.y, n.z, u, v].map(f32::to_bits)
    }

    fn hash(&self, hasher: &DefaultHashBuilder, surface: u32, links: &[Link]) -> u64 {
        let mut state = hasher.build_hasher();
        state.write_u32(surface);
        for pair in self.words().chunks_exact(2) {
            state.write_u64(u64::from(pair[0]) << 32 | u64::from(pair[1]));
        }
        for &(joint, weight) in links {
            state.write_u64(u64::from(joint) << 32 | u64::from(weight.to_bits()));
        }
        state.finish()
    }
}

impl Surface {
    fn new(name: String, material: usize) -> Self {
        let mesh = Mesh {
            name,
            material,
            uvs: Vec::new(),
            triangles: Vec::new(),
            shape: Shape::Rigged(Rig::default()),
            morphs: Vec::new(),
        };
        Self { mesh, rig: Rig { first: vec![0], ..Rig::default() }, positions: Vec::new() }
    }

    fn is_vertex(&self, vertex: usize, corner: &Corner, links: &[Link]) -> bool {
        let influences = &self.rig.influences[self.rig.first[vertex] as usize..self.rig.first[vertex + 1] as usize];
        self.positions[vertex] == corner.position
            && self.rig.normals[vertex] == corner.normal
            && self.mesh.uvs[vertex] == corner.uv
            && influences.iter().map(|influence| (influence.joint, influence.offset.w)).eq(links.iter().copied())
    }

    fn push(&mut self, corner: &Corner, links: &[Link]) -> u32 {
        self.positions.push(corner.position);
        self.rig.normals.push(corner.normal);
        self.mesh.uvs.push(corner.uv);
        let influence = |&(joint, weight): &Link| Influence { joint, offset: Vec4::new(0.0, 0.0, 0.0, weight) };
        self.rig.influences.extend(links.iter().map(influence));
        self.rig.first.push(self.rig.influences.len() as u32);
        self.positions.len() as u32 - 1
    }

    /// Puts the vertices into the spaces of their joints and makes the normals unit length. A normal without length takes the
    /// direction of the first triangle that has it.
    fn finish(self, joint_from_model: &[Transform]) -> Mesh {
        let Self { mut mesh, mut rig, positions } = self;
        for (vertex, &position) in positions.iter().enumerate() {
            for influence in &mut rig.influences[rig.first[vertex] as usize..rig.first[vertex + 1] as usize] {
                let joint_from_model = joint_from_model[influence.joint as usize];
                let offset = joint_from_model.rotation * position + joint_from_model.translation;
                let weight = influence.offset.w;
                influence.offset = (offset * weight).extend(weight);
            }
        }
        for normal in &mut rig.normals {
            *normal = normal.normalize_or_zero();
        }
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|vertex| positions[vertex as usize]);
            for &vertex in triangle {
                let normal = &mut rig.normals[vertex as usize];
                if *normal == Vec3::ZERO {
                    *normal = (b - a).cross(c - a).normalize_or(Vec3::Z);
                }
            }
        }
        mesh.shape = Shape::Rigged(rig);
        mesh
    }
}
