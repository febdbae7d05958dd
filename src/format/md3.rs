//! Quake III's models. In come the bytes of an .md3, out comes a keyed model with its tags.
//!
//! Quake III (code/renderergl1/tr_model.c, R_LoadMD3) believes every offset. Here each is proved before it is followed: a
//! surface that lies is left out with an error, the others are shown.

use std::f64::consts::TAU;

use glam::{Affine3A, Mat3, Vec4};
use hashbrown::HashMap;

use super::bytes::Bytes;
use super::{Content, Format, foreign};
use crate::model::{Clip, Info, Keys, Material, Mesh, Model, Motion, Shape, Tag, TagMotion, Variant};
use crate::report::{At, Diagnostic, Report, Result};

pub const MD3: Format = Format { name: "MD3", extensions: &["md3"], probe: |bytes| bytes.starts_with(b"IDP3"), read };

const VERSION: i32 = 15;
const NAME_BYTES: usize = 64;
const FRAME_BYTES: usize = 56;
const FRAME_NAME_BYTES: usize = 16;
const TAG_BYTES: usize = 112;
const SURFACE_BYTES: usize = 108;
const SHADER_BYTES: usize = 68;
const TRIANGLE_BYTES: usize = 12;
const ST_BYTES: usize = 8;
const VERTEX_BYTES: usize = 8;

/// Frames a second where nothing says otherwise.
const DEFAULT_RATE: f32 = 10.0;

/// More shaders than this the format does not know (qfiles.h, MD3_MAX_SHADERS).
const MAX_SHADERS: usize = 256;

/// A count or an offset as the file gives it.
#[derive(Clone, Copy)]
struct Field<'a> {
    value: i32,
    /// The view that offsets count from the start of, standing at the field, so that errors point at it.
    at: Bytes<'a>,
}

impl<'a> Field<'a> {
    fn read(bytes: &mut Bytes<'a>) -> Result<Self> {
        let at = *bytes;
        Ok(Self { value: bytes.i32()?, at })
    }

    fn count(&self, what: &'static str) -> Result<usize> {
        usize::try_from(self.value).map_err(|_| {
            Diagnostic::error(self.at.here(), "a count of at least 0", self.value.to_string()).inside(what)
        })
    }

    fn list(&self, what: &str, count: usize, size: usize) -> Result<Bytes<'a>> {
        self.at.list(what, self.value, count, size)
    }
}

/// How many bytes of lists may still be read. Each byte of the file is worth one: surfaces that all point at the same big
/// list cannot make a small file fill the memory.
struct Budget(usize);

impl Budget {
    fn spend(&mut self, field: &Field, bytes: usize) -> Result<()> {
        match self.0.checked_sub(bytes) {
            Some(left) => {
                self.0 = left;
                Ok(())
            }
            None => Err(Diagnostic::error(
                field.at.here(),
                "lists that do not overlap",
                format!("{bytes} bytes more where only {} of the file are unread", self.0),
            )),
        }
    }
}

fn read(file: &[u8], report: &mut Report) -> Result<Content> {
    let mut bytes = Bytes::new(file);
    let magic = bytes.take(4)?;
    if magic != b"IDP3" {
        return Err(foreign::refuse(file).unwrap_or_else(|| {
            let found = format!("`{}`", super::bytes::decode(magic).escape_debug());
            Diagnostic::error(At::Byte(0), "`IDP3`", found).engine("Quake III: \"unknown fileid\"")
        }));
    }
    let version = Field::read(&mut bytes)?;
    if version.value != VERSION {
        return Err(Diagnostic::error(version.at.here(), "version 15", version.value.to_string())
            .inside("version")
            .engine("Quake III refuses the model: \"R_LoadMD3: … has wrong version\""));
    }
    bytes.take(NAME_BYTES + 4)?; // The name the exporter gave, and flags that no game reads.
    let frame_count = Field::read(&mut bytes)?;
    let tag_count = Field::read(&mut bytes)?;
    let surface_count = Field::read(&mut bytes)?;
    bytes.take(4)?; // numSkins, unused.
    let frames_at = Field::read(&mut bytes)?;
    let tags_at = Field::read(&mut bytes)?;
    let surfaces_at = Field::read(&mut bytes)?;
    let end = Field::read(&mut bytes)?;
    if usize::try_from(end.value) != Ok(file.len()) {
        report.push(
            Diagnostic::warning(end.at.here(), format!("{}, the size of the file", file.len()), end.value.to_string())
                .inside("ofsEnd")
                .engine("Quake III copies this many bytes of the file and no others"),
        );
    }
    let frames = match usize::try_from(frame_count.value) {
        Ok(frames) if frames > 0 => frames,
        _ => {
            return Err(Diagnostic::error(frame_count.at.here(), "at least 1 frame", frame_count.value.to_string())
                .inside("numFrames")
                .engine("Quake III refuses the model: \"R_LoadMD3: … has no frames\""));
        }
    };

    let mut model = Model::default();
    let mut budget = Budget(file.len());
    // Games cull by the frames' boxes and place by the tags; the surfaces can be shown without either.
    if let Err(error) = read_frames(&frames_at, frames, &mut model, report) {
        report.push(error.inside("ofsFrames"));
    }
    match read_tags(&tags_at, &tag_count, frames, report) {
        Ok(tags) => model.tags = tags,
        Err(error) => report.push(error),
    }
    read_surfaces(&surfaces_at, &surface_count, frames, &mut budget, &mut model, report)?;
    // Not the header's count: what is not there cannot be played.
    let frames = model.key_frames();
    if frames > 1 {
        model.clips.push(all_frames(frames, ""));
    }
    Ok(Content::Model(model))
}

/// The clip of a model without animation.cfg: every frame in turn.
pub fn all_frames(frames: usize, source: &str) -> Clip {
    Clip {
        name: "all frames".to_string(),
        source: source.to_string(),
        rate: DEFAULT_RATE,
        frames,
        loops: true,
        motion: Motion::AllKeys,
        events: Vec::new(),
    }
}

/// Boxes and names of the frames, for `Model::info`. The games cull by the boxes; for showing they do not matter.
fn read_frames(at: &Field, frames: usize, model: &mut Model, report: &mut Report) -> Result<()> {
    let mut list = at.list("frames", frames, FRAME_BYTES)?;
    let mut names = Vec::with_capacity(frames);
    let mut bounds = Vec::with_capacity(frames);
    for frame in 0..frames {
        let here = list.here();
        let corners = [list.vec3()?, list.vec3()?];
        list.take(16)?; // The box's centre and radius.
        names.push(list.name(FRAME_NAME_BYTES)?);
        if !corners.iter().all(|corner| corner.is_finite()) {
            let finding = Diagnostic::warning(here, "a box of finite numbers", "others; the boxes are not shown");
            report.push(finding.inside(format!("frame[{frame}]")));
            bounds.clear();
            break;
        }
        let numbers = corners.iter().flat_map(|corner| corner.to_array());
        bounds.push(Info::List(numbers.map(|number| Info::Number(f64::from(number))).collect()));
    }
    if names.iter().any(|name| *name != names[0]) {
        model.info.push(("frameNames".to_string(), Info::List(names.into_iter().map(Info::Text).collect())));
    }
    if !bounds.is_empty() {
        model.info.push(("bounds".to_string(), Info::List(bounds)));
    }
    Ok(())
}

/// Tags by the names of the first frame. Quake III looks them up by name in each frame (R_GetTag), so the order may change;
/// in a frame that lacks one it stands at the origin.
fn read_tags(at: &Field, count: &Field, frames: usize, report: &mut Report) -> Result<Vec<Tag>> {
    let count = count.count("numTags")?;
    if count == 0 {
        return Ok(Vec::new());
    }
    let total = frames.checked_mul(count).ok_or_else(|| {
        Diagnostic::error(at.at.here(), "tags inside the file", format!("{count} tags in {frames} frames"))
            .inside("ofsTags")
    })?;
    let mut list = at.list("tags", total, TAG_BYTES).map_err(|error| error.inside("ofsTags"))?;
    let mut tags: Vec<Tag> = Vec::with_capacity(count);
    // As they stand in the file: of thousands, few are made into strings.
    let mut names: Vec<&[u8]> = Vec::new();
    let mut stored: Vec<(&[u8], Affine3A)> = Vec::with_capacity(count);
    for frame in 0..frames {
        let here = list.here();
        stored.clear();
        for index in 0..count {
            let tag_here = list.here();
            let name = list.name_bytes(NAME_BYTES)?;
            let origin = list.vec3()?;
            let axes = [list.vec3()?, list.vec3()?, list.vec3()?];
            let mut model_from_tag =
                Affine3A::from_mat3_translation(Mat3::from_cols(axes[0], axes[1], axes[2]), origin);
            if !model_from_tag.is_finite() {
                report.push(
                    Diagnostic::warning(tag_here, "finite numbers", "others; the tag stands at the origin there")
                        .inside(format!("tag[{index}]"))
                        .inside(format!("frame[{frame}]")),
                );
                model_from_tag = Affine3A::IDENTITY;
            }
            stored.push((name, model_from_tag));
        }
        if frame == 0 {
            names.extend(stored.iter().map(|(name, _)| *name));
            tags.extend(stored.iter().map(|&(name, model_from_tag)| {
                let mut keys = Vec::with_capacity(frames);
                keys.push(model_from_tag);
                Tag { name: super::bytes::decode(name), motion: TagMotion::Keyed(keys) }
            }));
            continue;
        }
        let in_order = stored.iter().map(|(name, _)| name).eq(&names);
        let by_name: HashMap<&[u8], Affine3A> = match in_order {
            true => HashMap::new(),
            // The first of a name wins, so the last goes in first.
            false => stored.iter().rev().copied().collect(),
        };
        for ((tag, name), (_, in_place)) in tags.iter_mut().zip(&names).zip(&stored) {
            let found = if in_order { Some(*in_place) } else { by_name.get(name).copied() };
            if found.is_none() {
                report.push(
                    Diagnostic::warning(here, format!("a tag named `{}`", tag.name), "none")
                        .inside(format!("frame[{frame}]"))
                        .engine("Quake III puts what hangs on the tag at the model's origin"),
                );
            }
            if let TagMotion::Keyed(keys) = &mut tag.motion {
                keys.push(found.unwrap_or(Affine3A::IDENTITY));
            }
        }
    }
    Ok(tags)
}

/// Every surface, until one does not say where the next begins.
fn read_surfaces(
    at: &Field,
    count: &Field,
    frames: usize,
    budget: &mut Budget,
    model: &mut Model,
    report: &mut Report,
) -> Result<()> {
    let count = count.count("numSurfaces")?;
    if count == 0 {
        // Legal: the *_hand.md3 of weapons hold nothing but tags.
        return Ok(());
    }
    let normals = NormalTable::new();
    let mut materials = HashMap::new();
    // Which materials each mesh may wear, by skin number.
    let mut worn: Vec<Vec<usize>> = Vec::new();
    let mut surface = at.at.tail("surfaces", at.value).map_err(|error| error.inside("ofsSurfaces"))?;
    let mut first_error = None;
    for index in 0..count {
        let place = format!("surface[{index}]");
        let head = match Head::read(surface, at, budget) {
            Ok(head) => head,
            Err(error) => {
                let error = error.inside(&place);
                if model.meshes.is_empty() && first_error.is_none() {
                    return Err(error);
                }
                report.push(error);
                break;
            }
        };
        let mut findings = Report::default();
        let mesh = head.mesh(frames, &normals, budget, &mut findings);
        for finding in findings.diagnostics {
            report.push(Box::new(finding).inside(&place));
        }
        match mesh {
            Ok((mesh, shaders)) => {
                let mut wears = Vec::with_capacity(shaders.len().max(1));
                // Without a shader, or with one without a name, the surface gets the game's default.
                for name in if shaders.is_empty() { vec![String::new()] } else { shaders } {
                    wears.push(*materials.entry(name).or_insert_with_key(|name| {
                        model.materials.push(Material::plain(name, None));
                        model.materials.len() - 1
                    }));
                }
                model.meshes.push(Mesh { material: wears[0], ..mesh });
                worn.push(wears);
            }
            Err(error) => {
                let error = error.inside(&place);
                report.push(error.clone());
                model.faulty_meshes.push(index);
                first_error.get_or_insert(error);
            }
        }
        if index + 1 == count {
            break;
        }
        // Quake III would read the same surface for ever, or backwards.
        let next = match head.end.value {
            1.. => head.end.at.tail("the next surface", head.end.value),
            value => Err(Diagnostic::error(head.end.at.here(), "an offset greater than 0", value.to_string())),
        };
        match next {
            Ok(next) => surface = next,
            Err(error) => {
                report.push(error.inside("ofsEnd").inside(&place));
                break;
            }
        }
    }
    if let (true, Some(error)) = (model.meshes.is_empty(), first_error) {
        return Err(error);
    }
    add_skin_numbers(model, &worn);
    Ok(())
}

/// Where a surface has several shaders, the entity's skin number chooses: `shader[skinNum % numShaders]` (R_AddMD3Surfaces).
fn add_skin_numbers(model: &mut Model, worn: &[Vec<usize>]) {
    let most = worn.iter().map(Vec::len).max().unwrap_or(0).min(MAX_SHADERS);
    if most < 2 {
        return;
    }
    for skin in 0..most {
        model.variants.push(Variant {
            name: format!("skin {skin}"),
            materials: worn.iter().map(|wears| Some(wears[skin % wears.len()])).collect(),
        });
    }
}

/// A surface's header.
struct Head<'a> {
    name: String,
    frames: Field<'a>,
    shaders: Field<'a>,
    vertices: Field<'a>,
    triangles: Field<'a>,
    triangles_at: Field<'a>,
    shaders_at: Field<'a>,
    st_at: Field<'a>,
    vertices_at: Field<'a>,
    end: Field<'a>,
}

impl<'a> Head<'a> {
    fn read(mut bytes: Bytes<'a>, list: &Field, budget: &mut Budget) -> Result<Self> {
        budget.spend(list, SURFACE_BYTES)?;
        bytes.take(4)?; // The game overwrites `ident` unread.
        let name = engine_name(&bytes.name(NAME_BYTES)?);
        bytes.take(4)?; // Flags.
        Ok(Self {
            name,
            frames: Field::read(&mut bytes)?,
            shaders: Field::read(&mut bytes)?,
            vertices: Field::read(&mut bytes)?,
            triangles: Field::read(&mut bytes)?,
            triangles_at: Field::read(&mut bytes)?,
            shaders_at: Field::read(&mut bytes)?,
            st_at: Field::read(&mut bytes)?,
            vertices_at: Field::read(&mut bytes)?,
            end: Field::read(&mut bytes)?,
        })
    }

    /// The surface and the names of its shaders. `model_frames` is the header's count, which is the one the game goes by.
    fn mesh(
        &self,
        model_frames: usize,
        normals: &NormalTable,
        budget: &mut Budget,
        report: &mut Report,
    ) -> Result<(Mesh, Vec<String>)> {
        let vertices = self.vertices.count("numVerts")?;
        let triangles = self.triangles.count("numTriangles")?;
        let shaders = self.shaders.count("numShaders")?;
        self.check_limits(vertices, triangles, shaders, report);
        let frames = self.own_frames(model_frames, report);
        let mut list = |at: &Field<'a>, place: &'static str, what: &str, count: usize, size: usize| -> Result<Bytes> {
            if count == 0 {
                // The offset of an empty list may point anywhere; nobody follows it.
                return at.at.list(what, 0, 0, size);
            }
            let list = at.list(what, count, size).map_err(|error| error.inside(place))?;
            budget.spend(at, count * size).map_err(|error| error.inside(place))?;
            Ok(list)
        };
        let keys = frames.checked_mul(vertices).ok_or_else(|| {
            let found = format!("{vertices} vertices in {frames} frames");
            Diagnostic::error(self.vertices.at.here(), "vertices inside the file", found)
        })?;
        let triangle_list = list(&self.triangles_at, "ofsTriangles", "triangles", triangles, TRIANGLE_BYTES)?;
        let mut shader_list = list(&self.shaders_at, "ofsShaders", "shaders", shaders, SHADER_BYTES)?;
        let st_list = list(&self.st_at, "ofsSt", "texture coordinates", vertices, ST_BYTES)?;
        let vertex_list = list(&self.vertices_at, "ofsXyzNormals", "vertices", keys, VERTEX_BYTES)?;

        let mesh = Mesh {
            name: self.name.clone(),
            material: 0,
            uvs: read_uvs(st_list, vertices, report)?,
            triangles: read_triangles(triangle_list, triangles, vertices)?,
            shape: Shape::Keyed(read_keys(vertex_list, frames, keys, normals)?),
            morphs: Vec::new(),
        };
        let mut names = Vec::with_capacity(shaders);
        for _ in 0..shaders {
            names.push(shader_list.name(NAME_BYTES)?);
            shader_list.take(4)?; // The game puts its own number here.
        }
        Ok((mesh, names))
    }

    /// How many frames of the surface to read. The game never looks at the surface's own count; where it is smaller than the
    /// header's, the game reads past the surface's vertices, and we do not.
    fn own_frames(&self, model_frames: usize, report: &mut Report) -> usize {
        match usize::try_from(self.frames.value) {
            Ok(own) if own == model_frames => own,
            own => {
                report.push(
                    Diagnostic::warning(
                        self.frames.at.here(),
                        format!("{model_frames} frames, as in the header"),
                        self.frames.value.to_string(),
                    )
                    .inside("numFrames")
                    .engine("Quake III goes by the header's number"),
                );
                own.ok().filter(|own| (1..model_frames).contains(own)).unwrap_or(model_frames)
            }
        }
    }

    /// What the games' renderers take: ioquake3 fewer than 1000 vertices and 2000 triangles (tr_model.c), Doom 3 as many
    /// (Model_md3.cpp); the format itself 4096, 8192 and 256 shaders (qfiles.h).
    fn check_limits(&self, vertices: usize, triangles: usize, shaders: usize, report: &mut Report) {
        let mut check = |field: &Field, place: &'static str, what: &str, count: usize, most: [usize; 3]| {
            let [quake, doom, format] = most;
            if count <= quake {
                return;
            }
            let engine = if count > format {
                format!("Quake III and Doom 3 refuse the model; even the format's own limit is {format}")
            } else if count > doom {
                format!("Quake III refuses the model: \"has more than {quake} …\"; Doom 3 too, whose limit is {doom}")
            } else {
                format!("Quake III refuses the model: \"has more than {quake} …\"; Doom 3 takes {doom}")
            };
            let finding = Diagnostic::warning(field.at.here(), format!("at most {quake} {what}"), count.to_string());
            report.push(finding.inside(place).engine(engine));
        };
        check(&self.vertices, "numVerts", "vertices", vertices, [999, 1000, 4096]);
        check(&self.triangles, "numTriangles", "triangles", triangles, [1999, 2000, 8192]);
        if shaders > MAX_SHADERS {
            let found = shaders.to_string();
            report.push(
                Diagnostic::warning(self.shaders.at.here(), format!("at most {MAX_SHADERS} shaders"), found)
                    .inside("numShaders")
                    .engine("The format's own limit; Quake III does not check it"),
            );
        }
    }
}

/// The name as Quake III knows the surface: lower case and without a last `_x`, which its level-of-detail files add.
fn engine_name(stored: &str) -> String {
    let mut name = stored.to_ascii_lowercase();
    let mut ends = name.char_indices().rev();
    if let (Some(_), Some((underscore, '_'))) = (ends.next(), ends.next())
        && underscore > 0
    {
        name.truncate(underscore);
    }
    name
}

fn read_uvs(mut list: Bytes, vertices: usize, report: &mut Report) -> Result<Vec<[f32; 2]>> {
    let here = list.here();
    let stored = list.take(vertices * ST_BYTES)?.as_chunks::<ST_BYTES>().0;
    let number = |bytes: [u8; 4]| f32::from_le_bytes(bytes);
    let mut uvs: Vec<_> =
        stored.iter().map(|&[a, b, c, d, e, f, g, h]| [number([a, b, c, d]), number([e, f, g, h])]).collect();
    let mut broken = 0;
    for uv in &mut uvs {
        if !uv.iter().all(|number| number.is_finite()) {
            *uv = [0.0; 2];
            broken += 1;
        }
    }
    if broken > 0 {
        let found = format!("{broken} that are not, taken as 0");
        report.push(Diagnostic::warning(here, "finite texture coordinates", found).inside("st"));
    }
    Ok(uvs)
}

/// The file's triangles run clockwise seen from the front; the model's run the other way.
fn read_triangles(mut list: Bytes, count: usize, vertices: usize) -> Result<Vec<[u32; 3]>> {
    let before = list;
    let stored = list.take(count * TRIANGLE_BYTES)?.as_chunks::<TRIANGLE_BYTES>().0;
    let triangles: Vec<[u32; 3]> = stored
        .iter()
        .map(|&[a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3]| {
            [[a0, a1, a2, a3], [c0, c1, c2, c3], [b0, b1, b2, b3]].map(u32::from_le_bytes)
        })
        .collect();
    // A negative number is a large one here.
    let largest = triangles.as_flattened().iter().fold(0, |largest, &corner| largest.max(corner));
    match !triangles.is_empty() && largest as usize >= vertices {
        true => Err(wrong_corner(before, vertices)),
        false => Ok(triangles),
    }
}

/// The error for the first corner that is no vertex; `list` is at the first triangle.
#[cold]
fn wrong_corner(mut list: Bytes, vertices: usize) -> Box<Diagnostic> {
    for triangle in 0.. {
        for corner in 0..3 {
            let here = list.here();
            match list.i32() {
                Ok(stored) if usize::try_from(stored).is_ok_and(|vertex| vertex < vertices) => {}
                Ok(stored) => {
                    return Diagnostic::error(here, format!("a vertex below {vertices}"), stored.to_string())
                        .inside(format!("corner[{corner}]"))
                        .inside(format!("triangle[{triangle}]"))
                        .engine("Quake III draws whatever lies in memory there");
                }
                Err(error) => return error,
            }
        }
    }
    unreachable!("the list ends")
}

/// `count` vertices of all `frames`, normals decoded.
fn read_keys(mut list: Bytes, frames: usize, count: usize, normals: &NormalTable) -> Result<Keys> {
    let stored = list.take(count * VERTEX_BYTES)?.as_chunks::<VERTEX_BYTES>().0;
    let position = |vertex: &[u8; VERTEX_BYTES]| {
        let numbers = u64::from_le_bytes(*vertex);
        [numbers as i16, (numbers >> 16) as i16, (numbers >> 32) as i16, 0]
    };
    Ok(Keys {
        frames,
        positions: stored.iter().map(position).collect(),
        normals: stored.iter().map(|&[.., lng, lat]| normals.decode(lat, lng)).collect(),
    })
}

/// What all 256 angles that a normal's byte can mean give to its numbers.
struct NormalTable {
    /// Cosine, sine, 1, each times 32767.
    lat: [Vec4; 256],
    /// Sine, sine, cosine.
    lng: [Vec4; 256],
}

impl NormalTable {
    fn new() -> Self {
        let mut sines: [f64; 256] = std::array::from_fn(|byte| (byte as f64 * TAU / 256.0).sin());
        // Quarter turns are exact.
        (sines[0], sines[64], sines[128], sines[192]) = (0.0, 1.0, 0.0, -1.0);
        let of = |byte: usize| (sines[byte] as f32, sines[(byte + 64) % 256] as f32);
        Self {
            lat: std::array::from_fn(|byte| {
                let (sine, cosine) = of(byte);
                Vec4::new(cosine, sine, 1.0, 0.0) * 32767.0
            }),
            lng: std::array::from_fn(|byte| {
                let (sine, cosine) = of(byte);
                Vec4::new(sine, sine, cosine, 0.0)
            }),
        }
    }

    /// `lat` turns about Z from +X, `lng` down from +Z, both in 256ths of a turn (tr_surface.c, LerpMeshVertexes; the game's
    /// own table is up to 1.5 degrees off). Times 32767.
    #[inline(always)]
    fn decode(&self, lat: u8, lng: u8) -> [i16; 4] {
        narrow((self.lat[usize::from(lat)] * self.lng[usize::from(lng)]).round())
    }
}

/// Whole numbers of 16 bits. The compiler finds the instructions for it only when told.
#[cfg(target_arch = "wasm32")]
#[inline(always)]
fn narrow(numbers: Vec4) -> [i16; 4] {
    use core::arch::wasm32::{i16x8_narrow_i32x4, i32x4_trunc_sat_f32x4, i64x2_extract_lane};
    let whole = i32x4_trunc_sat_f32x4(numbers.into());
    bytemuck::cast(i64x2_extract_lane::<0>(i16x8_narrow_i32x4(whole, whole)))
}

#[cfg(not(target_arch = "wasm32"))]
#[inline(always)]
fn narrow(numbers: Vec4) -> [i16; 4] {
    numbers.to_array().map(|number| number as i16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_bytes_are_a_position_and_a_normal() {
        let stored = [0x40, 0x00, 0x80, 0xFF, 0x00, 0x01, 0x40, 0x40];
        let keys = read_keys(Bytes::new(&stored), 1, 1, &NormalTable::new()).unwrap();
        let [x, y, z, _] = keys.positions[0].map(|number| f32::from(number) * Keys::UNIT);
        assert_eq!([x, y, z], [1.0, -2.0, 4.0]);
        assert_eq!(keys.normals[0], [0, 32767, 0, 0]);
    }

    #[test]
    fn quarter_turns_are_exact_and_all_normals_are_of_unit_length() {
        let table = NormalTable::new();
        assert_eq!(table.decode(0, 64), [32767, 0, 0, 0]);
        assert_eq!(table.decode(128, 64), [-32767, 0, 0, 0]);
        assert_eq!(table.decode(192, 64), [0, -32767, 0, 0]);
        assert_eq!(table.decode(77, 0), [0, 0, 32767, 0]);
        assert_eq!(table.decode(77, 128), [0, 0, -32767, 0]);
        for lat in 0..=255 {
            for lng in 0..=255 {
                let [x, y, z, _] = table.decode(lat, lng).map(|number| f64::from(number) / 32767.0);
                assert!(((x * x + y * y + z * z).sqrt() - 1.0).abs() < 5e-5);
            }
        }
    }

    /// A model of one frame, whose surfaces have so many vertices, triangles and shaders, all zero.
    fn file(surfaces: &[[usize; 3]]) -> Vec<u8> {
        let mut file = b"IDP3".to_vec();
        let ints = |file: &mut Vec<u8>, numbers: &[usize]| {
            file.extend(numbers.iter().flat_map(|&number| (number as i32).to_le_bytes()));
        };
        ints(&mut file, &[VERSION as usize]);
        file.resize(72, 0);
        ints(&mut file, &[0, 1, 0, surfaces.len(), 0, 108, 0, 108 + FRAME_BYTES]);
        let lengths = surfaces.iter().map(|[vertices, triangles, shaders]| {
            SURFACE_BYTES + vertices * 16 + triangles * TRIANGLE_BYTES + shaders * SHADER_BYTES
        });
        ints(&mut file, &[108 + FRAME_BYTES + lengths.sum::<usize>()]);
        file.resize(108 + FRAME_BYTES, 0);
        for &[vertices, triangles, shaders] in surfaces {
            let start = file.len();
            file.resize(start + 72, 0);
            let shaders_at = SURFACE_BYTES + triangles * TRIANGLE_BYTES;
            let st_at = shaders_at + shaders * SHADER_BYTES;
            let vertices_at = st_at + vertices * ST_BYTES;
            let end = vertices_at + vertices * VERTEX_BYTES;
            ints(&mut file, &[1, shaders, vertices, triangles, SURFACE_BYTES, shaders_at, st_at, vertices_at, end]);
            file.resize(start + end, 0);
        }
        file
    }

    fn findings(file: &[u8]) -> (Result<Content>, Report) {
        let mut report = Report::default();
        (read(file, &mut report), report)
    }

    #[test]
    fn limits_name_the_games_that_refuse() {
        let engines = |counts: [usize; 3]| -> Vec<String> {
            let (result, report) = findings(&file(&[counts]));
            assert!(result.is_ok());
            report.diagnostics.into_iter().map(|finding| finding.engine.unwrap().into_owned()).collect()
        };
        assert!(engines([999, 1999, 256]).is_empty());
        assert_eq!(
            engines([1000, 2000, 0]),
            [
                "Quake III refuses the model: \"has more than 999 …\"; Doom 3 takes 1000",
                "Quake III refuses the model: \"has more than 1999 …\"; Doom 3 takes 2000"
            ]
        );
        assert_eq!(
            engines([1001, 1, 0]),
            ["Quake III refuses the model: \"has more than 999 …\"; Doom 3 too, whose limit is 1000"]
        );
        assert_eq!(
            engines([4097, 8193, 257]),
            [
                "Quake III and Doom 3 refuse the model; even the format's own limit is 4096",
                "Quake III and Doom 3 refuse the model; even the format's own limit is 8192",
                "The format's own limit; Quake III does not check it"
            ]
        );
    }

    #[test]
    fn surfaces_that_share_one_list_cannot_make_a_small_file_large() {
        // Each surface's header stands right behind the other's, and all say that their lists lie at the end.
        let mut liar = file(&[[20_000, 0, 0], [0, 0, 0]]);
        let start = 108 + FRAME_BYTES;
        let head = liar[start..start + SURFACE_BYTES].to_vec();
        let surfaces = 100;
        liar[84..88].copy_from_slice(&(surfaces as i32).to_le_bytes());
        for index in 0..surfaces {
            let at = start + index * SURFACE_BYTES;
            liar[at..at + SURFACE_BYTES].copy_from_slice(&head);
            liar[at + 104..at + 108].copy_from_slice(&(SURFACE_BYTES as i32).to_le_bytes());
        }
        let (result, report) = findings(&liar);
        let Ok(Content::Model(model)) = result else { panic!("the first surface is sound") };
        assert_eq!(model.meshes.len(), 1);
        assert!(report.to_string().contains("expected lists that do not overlap"), "{report}");
    }

    #[test]
    fn surface_names_are_those_the_game_compares() {
        for (stored, name) in [
            ("L_Legs_1", "l_legs"),
            ("l_legs_2", "l_legs"),
            ("u_torso", "u_torso"),
            ("a_b", "a"),
            ("_b", "_b"),
            ("head_10", "head_10"),
            ("", ""),
            ("x_é", "x"),
        ] {
            assert_eq!(engine_name(stored), name, "{stored}");
        }
    }
}
