//! Valve's model sources, .smd and .vta: in come their texts, out come models, animations and shapes.
//!
//! After Half-Life's and Source's `studiomdl`, and the exporters in use. The two compilers differ in places; where a file can
//! tell them apart ([`Smd::has_links`]) each is followed, else the one that loses less.

mod nodes;
mod skeleton;
mod triangles;
mod vta;

pub use self::skeleton::Frames;
pub use self::vta::{ShapeKey, ShapeVertex, Shapes};
use super::lines::{self, Lines, quote};
use super::{Animation, Content, Format};
use crate::material::{Layer, Material, Shading, TexCoordGen};
use crate::model::{Clip, Info, Mesh, Model, Motion, Skeleton, Transform};
use crate::report::{At, Diagnostic, Report, Result};

pub const SMD: Format = Format { name: "SMD", extensions: &["smd"], probe, read };
pub const VTA: Format = Format { name: "VTA", extensions: &["vta"], probe, read };

/// Frames a second where no .qc says otherwise (`studiomdl`).
pub const RATE: f32 = 30.0;

/// What one file holds.
#[derive(Clone, Debug)]
pub struct Smd {
    /// In the bind pose, or without triangles in the first frame's.
    pub skeleton: Skeleton,
    pub frames: Frames,
    /// One a material, in order of first appearance; `Mesh::name` is the material's line, `Mesh::material` its number.
    pub meshes: Vec<Mesh>,
    /// From a `vertexanimation` block.
    pub shapes: Option<Shapes>,
    /// Some corner has a tenth field: the file was written for Source.
    pub has_links: bool,
}

/// Whether the first line that says something is `version` or `nodes`.
fn probe(bytes: &[u8]) -> bool {
    // An image may be one line of megabytes.
    let start = &bytes[..bytes.len().min(1 << 14)];
    let first = Lines::new(start).take(100).find(|line| !line.text.is_empty() && !line.is_comment());
    let word = first.map_or(&b""[..], |line| line.fields().word());
    word.eq_ignore_ascii_case(b"version") || word.eq_ignore_ascii_case(b"nodes")
}

/// Whether the file holds a mesh; without one it is an animation.
pub fn has_triangles(bytes: &[u8]) -> bool {
    // Without its first letter, which may be a capital. Alone on its line, but for blanks, of which nobody writes hundreds.
    memchr::memmem::find_iter(bytes, b"riangles").any(|at| {
        let before = &bytes[at.saturating_sub(64)..at];
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let word = lines::trim_start(&before[start..]);
        let after = bytes.get(at + b"riangles".len());
        word.eq_ignore_ascii_case(b"t") && after.is_none_or(|&byte| byte <= b' ')
    })
}

fn read(bytes: &[u8], report: &mut Report) -> Result<Content> {
    let smd = parse(bytes, report)?;
    Ok(match smd.shapes {
        Some(shapes) if smd.meshes.is_empty() => Content::Shapes(shapes),
        _ if smd.meshes.is_empty() => Content::Animation(smd.into_animation()),
        _ => Content::Model(smd.into_model()),
    })
}

/// Reads a file whatever its kind.
pub fn parse(bytes: &[u8], report: &mut Report) -> Result<Smd> {
    let mut lines = Lines::new(bytes);
    let mut has_version = false;
    let mut nodes = None;
    let mut rows = skeleton::Rows::default();
    let mut triangles = triangles::Triangles::default();
    let mut shapes = None;
    while let Some(line) = lines.next() {
        if line.text.is_empty() || line.is_comment() {
            continue;
        }
        let mut fields = line.fields();
        let word = fields.word();
        let keyword = word.to_ascii_lowercase();
        if keyword == b"version" {
            let version = fields.word();
            if lines::parse_int(version) != Some(1) {
                let error = line.error(version, "version 1");
                return Err(error.engine("The compilers of Half-Life and Source stop: \"bad version\"."));
            }
            has_version = true;
            continue;
        }
        if !has_version {
            let finding = Diagnostic::warning(line.at(word), "`version 1` first", quote(line.text));
            report.push(finding.engine("The compilers of Half-Life and Source read on without it."));
            has_version = true;
        }
        match (keyword.as_slice(), &nodes) {
            (b"nodes", None) => nodes = Some(nodes::read(&mut lines, report)?),
            (b"nodes", Some(_)) => return Err(line.error(word, "one list of nodes")),
            (b"skeleton", Some(nodes)) => rows.read(&mut lines, nodes, report),
            (b"triangles", Some(nodes)) => triangles.read(&mut lines, nodes, report),
            (b"skeleton" | b"triangles", None) => return Err(line.error(word, "`nodes` before it")),
            (b"vertexanimation", _) => shapes = Some(vta::read(&mut lines, rows.names(), report)),
            _ => {
                let expected = "`nodes`, `skeleton`, `triangles` or `vertexanimation`";
                let finding = Diagnostic::warning(line.at(word), expected, quote(word));
                let engine = "Source's studiomdl warns of an unknown command and reads on; Half-Life's stops.";
                note(report, finding.engine(engine));
                skip_block(&mut lines);
            }
        }
    }
    let mut skeleton = nodes.map_or_else(Skeleton::default, |nodes| nodes.skeleton);
    if skeleton.joints.is_empty() && shapes.is_none() {
        return Err(Diagnostic::error(lines.end(), "a list of nodes", "end of file"));
    }
    // A transform takes 32 bytes, and a file is worth 64 times its size.
    let budget = bytes.len() + 64;
    // Of a file of shapes, the skeleton gives the names and nothing else.
    let mut unheard = Report::default();
    let findings = if shapes.is_some() && triangles.is_empty() { &mut unheard } else { &mut *report };
    let frames = rows.finish(&skeleton, budget, findings)?;
    if let Some(frame) = bind_frame(&frames, &triangles, report) {
        let pose = frames.pose(frame);
        for (joint, &transform) in skeleton.joints.iter_mut().zip(pose) {
            joint.parent_from_joint = transform;
        }
    }
    let has_links = triangles.has_links;
    let meshes = triangles.finish(&model_from_joints(&skeleton), report)?;
    Ok(Smd { skeleton, frames, meshes, shapes, has_links })
}

/// Skips what another tool wrote: up to its `end`, or to the next block that we know.
fn skip_block(lines: &mut Lines) {
    loop {
        let before = *lines;
        match lines.next() {
            Some(line) if line.is_end() => return,
            Some(line) if matches!(line.text, b"nodes" | b"skeleton" | b"triangles" | b"vertexanimation") => {
                *lines = before;
                return;
            }
            Some(_) => {}
            None => return,
        }
    }
}

/// The frame in which the triangles are given.
fn bind_frame(frames: &Frames, triangles: &triangles::Triangles, report: &mut Report) -> Option<usize> {
    let last = frames.count().checked_sub(1);
    if triangles.is_empty() {
        return last.map(|_| 0);
    }
    let Some(last) = last else {
        let finding = Diagnostic::warning(At::File, "a pose for the joints", "no `time`");
        report.push(finding.inside("skeleton").engine("All of them are put at the origin."));
        return None;
    };
    if last > 0 {
        let which = if triangles.has_links { "first, as Source does" } else { "last, as Half-Life does" };
        let finding = Diagnostic::warning(At::File, "one frame beside triangles", format!("{} frames", last + 1));
        report.push(finding.inside("skeleton").engine(format!("The triangles are taken to belong to the {which}.")));
    }
    Some(if triangles.has_links { 0 } else { last })
}

/// Where every joint stands in the bind pose.
fn model_from_joints(skeleton: &Skeleton) -> Vec<Transform> {
    let mut model_from_joint: Vec<Transform> = Vec::with_capacity(skeleton.joints.len());
    for joint in &skeleton.joints {
        let model_from_parent = joint.parent.map_or(Transform::IDENTITY, |parent| model_from_joint[parent]);
        model_from_joint.push(model_from_parent * joint.parent_from_joint);
    }
    model_from_joint
}

impl Smd {
    /// The model as it stands in its file. If it has several frames, they are a clip without a name.
    pub fn into_model(self) -> Model {
        let materials = self.meshes.iter().map(|mesh| material(&mesh.name, self.has_links)).collect();
        let clips = match self.frames.count() {
            0 | 1 => Vec::new(),
            _ => vec![clip(&self.skeleton, self.frames)],
        };
        // The looks of materials depend on it.
        let info = match self.has_links {
            true => vec![("compiler".to_string(), Info::Text("Source".to_string()))],
            false => Vec::new(),
        };
        Model { skeleton: self.skeleton, meshes: self.meshes, materials, clips, info, ..Model::default() }
    }

    /// The frames alone; if there are none, one in which the joints stand at their parents.
    pub fn into_animation(mut self) -> Animation {
        let unposed = std::mem::take(&mut self.frames.unposed);
        let clip = clip(&self.skeleton, self.frames);
        Animation { skeleton: self.skeleton, clip, unposed, info: Vec::new() }
    }
}

fn clip(skeleton: &Skeleton, frames: Frames) -> Clip {
    let transforms = match frames.count() {
        0 => skeleton.joints.iter().map(|joint| joint.parent_from_joint).collect(),
        _ => frames.transforms,
    };
    Clip {
        name: String::new(),
        source: String::new(),
        rate: RATE,
        frames: frames.times.len().max(1),
        loops: true,
        motion: Motion::Joints(transforms),
        events: Vec::new(),
    }
}

/// The look that a name alone tells. Half-Life's studiomdl makes every texture with "chrome" in its name flat shaded and
/// mapped by the normal seen from the camera; Source asks the material's own file.
pub fn material(name: &str, is_source: bool) -> Material {
    let mut material = Material::plain(name, None);
    if !is_source && name.to_ascii_lowercase().contains("chrome") {
        material.layers = vec![Layer { shading: Shading::Flat, tex_coords: TexCoordGen::Chrome, ..Layer::lit() }];
    }
    material
}

/// Reports what may occur in every line, as long as the report is short: two bytes must not cost a sentence each.
#[allow(clippy::boxed_local)] // Findings are made boxed, see `Result`.
fn note(report: &mut Report, finding: Box<Diagnostic>) {
    if report.diagnostics.len() < MOST_FINDINGS {
        report.push(finding);
    } else {
        report.left_out += 1;
    }
}

const MOST_FINDINGS: usize = 40;

fn missing_end(lines: &Lines, block: &'static str) -> Box<Diagnostic> {
    Diagnostic::warning(lines.end(), format!("`end` after the {block}"), "end of file")
}

fn at_line(line: u32) -> At {
    At::Text { line, column: 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn parse_text(text: &str) -> (Result<Smd>, String) {
        let mut report = Report::default();
        let result = parse(text.as_bytes(), &mut report);
        (result, report.to_string())
    }

    /// Where a vertex stands in a pose.
    fn place(mesh: &Mesh, vertex: usize, model_from_joint: &[Transform]) -> Vec3 {
        let crate::model::Shape::Rigged(rig) = &mesh.shape else { panic!("no rig") };
        let influences = &rig.influences[rig.first[vertex] as usize..rig.first[vertex + 1] as usize];
        let pull = |influence: &crate::model::Influence| {
            let joint = &model_from_joint[influence.joint as usize];
            joint.rotation * influence.offset.truncate() + joint.translation * influence.offset.w
        };
        influences.iter().map(pull).sum()
    }

    /// Root at the origin, arm ten above it and turned a quarter about z.
    const ARM: &str = "version 1\nnodes\n0 \"root\" -1\n1 \"arm\" 0\nend\nskeleton\ntime 0\n\
        0 0 0 0 0 0 0\n1 0 0 10 0 0 1.570796\nend\ntriangles\nskin.bmp\n\
        1 0 0 10 0 0 1 0 0 2 1 0.75 0 0.25\n\
        1 4 0 10 0 0 1 1 0 2 1 0.75 0 0.25\n\
        0 0 4 0 0 0 1 0 1\nend\n";

    #[test]
    fn linked_vertices_rest_where_the_file_puts_them_and_follow_by_weight() {
        let (smd, report) = parse_text(ARM);
        let smd = smd.unwrap();
        assert_eq!(report, "");
        let mesh = &smd.meshes[0];
        let rest = model_from_joints(&smd.skeleton);
        assert!(place(mesh, 0, &rest).distance(Vec3::new(0.0, 0.0, 10.0)) < 1e-5);
        assert!(place(mesh, 1, &rest).distance(Vec3::new(4.0, 0.0, 10.0)) < 1e-5);

        // The arm turns another quarter about z and goes up by 8: of that, the vertices take three quarters.
        let mut posed = smd.skeleton.clone();
        posed.joints[1].parent_from_joint =
            Transform::new(glam::Quat::from_rotation_z(std::f32::consts::PI), Vec3::new(0.0, 0.0, 18.0));
        let posed = model_from_joints(&posed);
        assert!(place(mesh, 0, &posed).distance(Vec3::new(0.0, 0.0, 16.0)) < 1e-4);
        assert!(place(mesh, 1, &posed).distance(Vec3::new(1.0, 3.0, 16.0)) < 1e-4);
        assert!(place(mesh, 2, &posed).distance(Vec3::new(0.0, 4.0, 0.0)) < 1e-5);
    }

    #[test]
    fn equal_corners_share_a_vertex_of_their_material_however_they_are_written() {
        let mut text =
            "version 1\nnodes\n0 \"root\" -1\nend\nskeleton\ntime 0\n0 0 0 0 0 0 0\nend\ntriangles\n".to_string();
        // Fifty places in an order without a pattern, each written in two ways, on two materials.
        let place = |corner: usize| corner * corner * 7 % 50;
        for triangle in 0..400 {
            text += ["first.bmp\n", "second.bmp\n"][triangle / 3 % 2];
            for corner in triangle * 3..triangle * 3 + 3 {
                let zeros = ["", ".000"][corner / 5 % 2];
                text += &format!("0 {}{zeros} 0 0 0 0 1 0.5 0.5\n", place(corner));
            }
        }
        let (smd, report) = parse_text(&(text + "end\n"));
        let smd = smd.unwrap();
        assert_eq!(report, "");
        let mut places: [Vec<usize>; 2] = Default::default();
        for triangle in 0..400 {
            places[triangle / 3 % 2].extend((triangle * 3..triangle * 3 + 3).map(place));
        }
        let rest = model_from_joints(&smd.skeleton);
        for (mesh, places) in smd.meshes.iter().zip(places) {
            let distinct: std::collections::HashSet<_> = places.iter().collect();
            assert_eq!(mesh.vertex_count(), distinct.len());
            let found = mesh.triangles.as_flattened().iter().map(|&vertex| place_x(mesh, vertex, &rest));
            assert!(found.eq(places.iter().map(|&x| x as f32)));
        }
    }

    fn place_x(mesh: &Mesh, vertex: u32, rest: &[Transform]) -> f32 {
        place(mesh, vertex as usize, rest).x
    }
}
