//! .md5mesh: in comes the text, out comes a rigged model (neo/renderer/Model_md5.cpp, idRenderModelMD5::LoadModel).

use std::collections::BTreeMap;

use glam::{Vec3, Vec4};

use super::lexer::Lexer;
use super::{header, transform};
use crate::format::Content;
use crate::model::{Influence, Info, Joint, Material, Mesh, Model, Rig, Shape, Skeleton, Transform};
use crate::report::{At, Diagnostic, Report, Result};

/// The fewest bytes that an entry can be written with, for holding counts against what is left of the file.
mod smallest {
    pub const JOINT: usize = "a 0(0 0 0)(0 0 0)".len();
    pub const VERTEX: usize = "vert 0(0 0)0 1".len();
    pub const TRIANGLE: usize = "tri 0 0 0 0".len();
    pub const WEIGHT: usize = "weight 0 0 0(0 0 0)".len();
}

pub fn read(bytes: &[u8], report: &mut Report) -> Result<Content> {
    let mut lexer = Lexer::new(bytes, true);
    let mut model = Model::default();
    if let Some(command_line) = header(&mut lexer, "numJoints", report)? {
        model.info.push(("commandline".to_string(), Info::Text(command_line)));
    }
    lexer.keyword("numJoints")?;
    let joint_count = lexer.count("joints", smallest::JOINT).map_err(|error| error.inside("numJoints"))?;
    lexer.keyword("numMeshes")?;
    let mesh_count = lexer.count("meshes", 1).map_err(|error| error.inside("numMeshes"))?;

    model.skeleton = joints(&mut lexer, joint_count, report)?;
    let mut faults = meshes(&mut lexer, mesh_count, &mut model, report);
    let fatal = (model.meshes.is_empty() && !faults.diagnostics.is_empty()).then(|| faults.diagnostics.remove(0));
    report.append("", faults);
    if let Some(fault) = fatal {
        return Err(Box::new(fault));
    }
    lexer.warn_of_foreign_numbers(report);
    Ok(Content::Model(model))
}

/// The `joints` block. It stores where each joint stands in the model; the skeleton has it relative to the parent.
fn joints(lexer: &mut Lexer, count: usize, report: &mut Report) -> Result<Skeleton> {
    lexer.keyword("joints")?;
    lexer.mark(b'{')?;
    let mut joints = Vec::with_capacity(count);
    let mut model_from_joint: Vec<Transform> = Vec::with_capacity(count);
    for index in 0..count {
        let (joint, place) = joint(lexer, count, &model_from_joint, report)
            .map_err(|error| error.inside(format_args!("joint[{index}]")))?;
        joints.push(joint);
        model_from_joint.push(place);
    }
    lexer.mark(b'}').map_err(|error| error.inside("joints"))?;
    Ok(Skeleton { joints })
}

/// One joint of `count`, and where it stands in the model. `before` has this of the joints before it.
fn joint(lexer: &mut Lexer, count: usize, before: &[Transform], report: &mut Report) -> Result<(Joint, Transform)> {
    let name = lexer.name()?;
    let place = lexer.place();
    let parent = lexer.integer()?;
    let model_from_joint = transform(lexer)?;
    // Any number below 0 makes a root.
    let parent = usize::try_from(parent).ok();
    let known = parent.filter(|&parent| parent < before.len());
    if let Some(parent) = parent.filter(|_| known.is_none()) {
        // Since the joint's place is stored in model space, the bind pose is right without its parent.
        report.push_with(|| {
            let index = before.len();
            let expected = format!("the number of a joint before joint {index}; shown as a root");
            let says = match parent + 1 >= count {
                true => format!("Doom 3 stops: \"Invalid parent for joint '{name}'\""),
                false => "Doom 3 reads this parent's place before it is known.".to_string(),
            };
            Diagnostic::error(lexer.locate(place), expected, format!("`{parent}`"))
                .inside(format_args!("joint[{index}]"))
                .engine(says)
        });
    }
    let parent_from_joint = match known {
        Some(parent) => before[parent].inverse() * model_from_joint,
        None => model_from_joint,
    };
    Ok((Joint { name, parent: known, parent_from_joint }, model_from_joint))
}

/// Reads `count` meshes into the model. Those with a fault are left out, and their faults given back.
fn meshes(lexer: &mut Lexer, count: usize, model: &mut Model, report: &mut Report) -> Report {
    let mut faults = Report::default();
    let mut materials = BTreeMap::new();
    // Vertices may share weights, so what comes out can be larger than what went in; it is kept within the size of the file.
    let mut influences_left = lexer.file_size();
    for index in 0..count {
        if lexer.is_at_end() {
            let missing =
                Diagnostic::warning(lexer.here(), format!("a mesh, since numMeshes is {count}"), "end of file")
                    .inside(format_args!("mesh[{index}]"))
                    .engine("Doom 3 stops: \"couldn't find expected 'mesh'\"");
            match index {
                0 => faults.push(missing.into_error()),
                _ => report.push(missing),
            }
            break;
        }
        match mesh(lexer, model.skeleton.joints.len(), influences_left, report) {
            Ok((mut mesh, shader)) => {
                if let Shape::Rigged(rig) = &mesh.shape {
                    influences_left -= rig.influences.len();
                }
                mesh.material = *materials.entry(shader).or_insert_with_key(|shader| {
                    model.materials.push(Material::plain(shader.as_str(), None));
                    model.materials.len() - 1
                });
                model.meshes.push(mesh);
            }
            Err(fault) => {
                faults.push(fault.inside(format_args!("mesh[{index}]")));
                model.faulty_meshes.push(index);
                if faults.diagnostics.len() == Report::LIMIT {
                    break;
                }
                lexer.skip_to_keyword("mesh");
            }
        }
    }
    if lexer.is_at_keyword("mesh") {
        report.push(
            Diagnostic::warning(lexer.here(), format!("the end, since numMeshes is {count}"), "`mesh`")
                .engine("Doom 3 does not see what follows."),
        );
    }
    faults
}

/// A weight as the file lists it, before it is known which vertices use it.
struct Weight {
    joint: u32,
    /// In joint space, already times the weight; the weight in w.
    offset: Vec4,
}

/// One `mesh` block, and the name of its shader. The mesh's material is left at 0. All vertices together may have
/// `most_influences` weights.
fn mesh(lexer: &mut Lexer, joints: usize, most_influences: usize, report: &mut Report) -> Result<(Mesh, String)> {
    lexer.keyword("mesh")?;
    lexer.mark(b'{')?;
    let name =
        if lexer.take_keyword("name") { lexer.name().map_err(|error| error.inside("name"))? } else { String::new() };
    lexer.keyword("shader")?;
    let shader = lexer.name().map_err(|error| error.inside("shader"))?;

    lexer.keyword("numverts")?;
    let count = lexer.count("vertices", smallest::VERTEX).map_err(|error| error.inside("numverts"))?;
    let vertices = *lexer;
    let listed = list(lexer, "vert", count, vertex)?;
    let uvs: Vec<_> = listed.iter().map(|(uv, _)| *uv).collect();

    lexer.keyword("numtris")?;
    let count = lexer.count("triangles", smallest::TRIANGLE).map_err(|error| error.inside("numtris"))?;
    let triangles = list(lexer, "tri", count, |lexer| triangle(lexer, uvs.len()))?;

    lexer.keyword("numweights")?;
    let count = lexer.count("weights", smallest::WEIGHT).map_err(|error| error.inside("numweights"))?;
    let weights = list(lexer, "weight", count, |lexer| weight(lexer, joints))?;
    let ranges = listed.iter().map(|(_, range)| *range);
    let rig = rig(ranges, &weights, most_influences).map_err(|fault| fault.locate(vertices))?;

    if !lexer.take_mark(b'}') {
        if !lexer.is_at_end() && !lexer.is_at_keyword("mesh") {
            return Err(lexer.expected_token("}"));
        }
        report.push_with(|| lexer.expected_token("}").into_warning().inside("mesh"));
    }
    let shape = Shape::Rigged(rig);
    Ok((Mesh { name, material: 0, uvs, triangles, shape, morphs: Vec::new() }, shader))
}

/// Reads `count` entries of a list.
#[cfg_attr(feature = "fast", inline(always))]
fn list<'a, T>(
    lexer: &mut Lexer<'a>,
    name: &str,
    count: usize,
    entry: impl Fn(&mut Lexer<'a>) -> Result<T>,
) -> Result<Vec<T>> {
    let mut entries = Vec::with_capacity(count);
    let mut copy = *lexer;
    for index in 0..count {
        match entry(&mut copy) {
            Ok(entry) => entries.push(entry),
            Err(error) => {
                *lexer = copy;
                return Err(error.inside(format_args!("{name}[{index}]")));
            }
        }
    }
    *lexer = copy;
    Ok(entries)
}

/// Which weights pull on a vertex.
#[derive(Clone, Copy)]
struct Range {
    first: i32,
    count: i32,
}

#[cfg_attr(feature = "fast", inline(always))]
fn vertex(lexer: &mut Lexer) -> Result<([f32; 2], Range)> {
    lexer.keyword("vert")?;
    // The game goes by the order and does not look at the number.
    lexer.integer()?;
    let uv = lexer.vector()?;
    let first = lexer.integer()?;
    let count = lexer.integer()?;
    Ok((uv, Range { first, count }))
}

/// A triangle, turned counter-clockwise: the game's front faces run clockwise.
#[cfg_attr(feature = "fast", inline(always))]
fn triangle(lexer: &mut Lexer, vertices: usize) -> Result<[u32; 3]> {
    lexer.keyword("tri")?;
    lexer.integer()?;
    let before = *lexer;
    let corners = [lexer.integer()?, lexer.integer()?, lexer.integer()?];
    if corners.iter().any(|&corner| corner < 0 || corner as usize >= vertices) {
        return Err(wrong_corner(before, vertices));
    }
    let [a, b, c] = corners.map(|corner| corner as u32);
    Ok([a, c, b])
}

/// The error for the first corner that is no vertex; `there` is at the first corner.
#[cold]
fn wrong_corner(mut there: Lexer, vertices: usize) -> Box<Diagnostic> {
    let expected = format!("the number of one of the {vertices} vertices");
    loop {
        let place = there.place();
        match there.integer() {
            Ok(corner) if corner >= 0 && (corner as usize) < vertices => {}
            Ok(corner) => {
                return Diagnostic::error(there.locate(place), expected, format!("`{corner}`"))
                    .engine("Doom 3 stops: \"R_RangeCheckIndexes: index out of range\"");
            }
            Err(error) => return error,
        }
    }
}

#[cfg_attr(feature = "fast", inline(always))]
fn weight(lexer: &mut Lexer, joints: usize) -> Result<Weight> {
    lexer.keyword("weight")?;
    lexer.integer()?;
    let before = *lexer;
    let joint = lexer.integer()?;
    if joint < 0 || joint as usize >= joints {
        return Err(wrong_joint(before, joint, joints));
    }
    let bias = lexer.float()?;
    let point = Vec3::from(lexer.vector()?);
    Ok(Weight { joint: joint as u32, offset: (point * bias).extend(bias) })
}

#[cold]
fn wrong_joint(mut there: Lexer, joint: i32, joints: usize) -> Box<Diagnostic> {
    Diagnostic::error(there.here(), format!("the number of one of the {joints} joints"), format!("`{joint}`"))
        .engine(format!("Doom 3 stops: \"Joint Index out of range({joints}): {joint}\""))
}

/// A vertex whose weights cannot be used.
struct WeightFault {
    vertex: usize,
    /// Whether the fault lies in the count, rather than in the first weight's number.
    in_count: bool,
    expected: String,
    found: String,
    engine: String,
}

impl WeightFault {
    /// Finds the line again; `vertices` is the text from the first vertex on. Only a broken file pays for this.
    #[cold]
    fn locate(self, mut vertices: Lexer) -> Box<Diagnostic> {
        let mut at = || -> Result<At> {
            for _ in 0..self.vertex {
                vertex(&mut vertices)?;
            }
            vertices.keyword("vert")?;
            vertices.integer()?;
            vertices.vector::<2>()?;
            if self.in_count {
                vertices.integer()?;
            }
            Ok(vertices.here())
        };
        Diagnostic::error(at().unwrap_or_default(), self.expected, self.found)
            .inside(format_args!("vert[{}]", self.vertex))
            .engine(self.engine)
    }
}

/// Gives each vertex its own weights, `most` of them in all.
fn rig(
    ranges: impl ExactSizeIterator<Item = Range> + Clone,
    weights: &[Weight],
    most: usize,
) -> std::result::Result<Rig, WeightFault> {
    let mut total = 0_usize;
    for (vertex, Range { first, count }) in ranges.clone().enumerate() {
        let fault = |in_count, expected: String, found: String, engine: String| {
            Err(WeightFault { vertex, in_count, expected, found, engine })
        };
        if count <= 0 {
            let says = match count {
                0 => "Doom 3 stops: \"Vertex without any joint weights.\"",
                _ => "Doom 3 reads and writes outside its lists.",
            };
            return fault(true, "at least one weight".to_string(), format!("`{count}`"), says.to_string());
        }
        let end = i64::from(first) + i64::from(count);
        if first < 0 || end > weights.len() as i64 {
            let says = format!(
                "Doom 3 warns: \"Vertices reference out of range weights in model ({end} of {} weights).\", then reads memory that \
                 is not the model's.",
                weights.len()
            );
            let expected = format!("weights within numweights {}", weights.len());
            return fault(false, expected, format!("weights {first}..{}", end - 1), says);
        }
        total += count as usize;
        if total > most {
            let expected = "no more weights of all vertices together than the file has bytes".to_string();
            return fault(true, expected, format!("`{count}`"), "Doom 3 makes room for all of them.".to_string());
        }
    }

    let mut rig = Rig { first: Vec::with_capacity(ranges.len() + 1), ..Rig::default() };
    rig.influences.reserve_exact(total);
    rig.first.push(0);
    for range in ranges {
        let used = &weights[range.first as usize..][..range.count as usize];
        rig.influences.extend(used.iter().map(|weight| Influence { joint: weight.joint, offset: weight.offset }));
        rig.first.push(rig.influences.len() as u32);
    }
    Ok(rig)
}
