//! Quake III's files: in comes the path of an .md3, out come the headers of all that the game would load with it, as they stand:
//! the player's or weapon's other parts, coarser levels, skins, animation.cfg and shader scripts.

use glam::Vec3;

use super::{Facts, skin};
use crate::bundle::{self, decode};
use crate::check::{Place, Subject};
use crate::format::animation_cfg;
use crate::open::quake3::{self, PARTS};
use crate::report::Report;

/// What the first 108 bytes say, and what they point at, as far as it lies within the file.
#[derive(Default)]
pub struct Md3 {
    pub path: String,
    /// Of a player: `lower`, `upper`, `head`; else empty.
    pub part: String,
    /// 0 is the finest.
    pub level: usize,
    pub size: usize,
    pub is_md3: bool,
    pub version: i32,
    pub frames: i32,
    pub tag_count: i32,
    pub surface_count: i32,
    pub end: i32,
    /// Where the last list ends.
    pub used: usize,
    /// Frame by frame.
    pub boxes: Vec<Box>,
    /// Frame by frame, each with all of its tags.
    pub tags: Vec<Vec<Tag>>,
    pub surfaces: Vec<Surface>,
    /// Offsets and counts that lead out of the file.
    pub faults: Vec<Fault>,
}

/// The box and the sphere by which the game decides whether a frame is in sight.
#[derive(Clone, Copy)]
pub struct Box {
    pub min: Vec3,
    pub max: Vec3,
    pub offset: usize,
}

pub struct Tag {
    pub name: String,
    pub axes: [Vec3; 3],
    pub offset: usize,
}

#[derive(Default)]
pub struct Surface {
    /// As in the file.
    pub name: String,
    pub offset: usize,
    pub frames: i32,
    pub vertices: i32,
    pub triangles: i32,
    pub shaders: Vec<String>,
    /// Offset and number of the first corner that is no vertex.
    pub wrong_corner: Option<(usize, u32)>,
    /// Frame by frame: corners of what the vertices fill. Empty where the vertices lie outside the file.
    pub extents: Vec<[Vec3; 2]>,
}

impl Surface {
    /// The name by which skins call it: in lower case, and without its last two characters if the first of them is `_`
    /// (R_LoadMD3).
    pub fn skin_name(&self) -> String {
        let name = self.name.to_lowercase();
        let bytes = name.as_bytes();
        match bytes.len() {
            length if length > 2 && bytes[length - 2] == b'_' => decode(&bytes[..length - 2]),
            _ => name,
        }
    }
}

pub struct Fault {
    pub offset: usize,
    pub inside: String,
    pub message: String,
}

impl Md3 {
    /// A field of a surface's header.
    pub fn surface_place(&self, index: usize, field: usize) -> Place {
        Place::byte(&self.path, self.surfaces[index].offset + field)
            .inside(format!("surface[{index}]"))
            .subject(Subject::Mesh { part: self.part.clone(), mesh: index })
    }
}

/// Little-endian numbers of a file; `None` where it ends.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn i32(&self, at: usize) -> Option<i32> {
        Some(i32::from_le_bytes(self.0.get(at..at.checked_add(4)?)?.try_into().ok()?))
    }

    fn vec3(&self, at: usize) -> Option<Vec3> {
        let number = |at| Some(f32::from_bits(self.i32(at)? as u32));
        Some(Vec3::new(number(at)?, number(at + 4)?, number(at + 8)?))
    }

    fn i16s(&self, at: usize) -> Option<Vec3> {
        let number = |at: usize| Some(f32::from(i16::from_le_bytes(self.0.get(at..at + 2)?.try_into().ok()?)));
        Some(Vec3::new(number(at)?, number(at + 2)?, number(at + 4)?) / 64.0)
    }

    fn name(&self, at: usize) -> Option<String> {
        let field = self.0.get(at..at + 64)?;
        Some(decode(&field[..field.iter().position(|&byte| byte == 0).unwrap_or(64)]))
    }
}

pub fn read(path: &str, bytes: &[u8]) -> Md3 {
    let mut md3 = Md3 { path: path.to_string(), size: bytes.len(), ..Md3::default() };
    md3.is_md3 = bytes.starts_with(b"IDP3");
    let reader = Reader(bytes);
    let field = |at| reader.i32(at).unwrap_or(0);
    md3.version = field(4);
    (md3.frames, md3.tag_count, md3.surface_count) = (field(76), field(80), field(84));
    md3.end = field(104);
    if !md3.is_md3 || bytes.len() < 108 {
        if md3.is_md3 {
            md3.faults.push(Fault {
                offset: 0,
                inside: String::new(),
                message: format!("{} of 108 bytes", bytes.len()),
            });
        }
        return md3;
    }
    let mut lists = Lists { bytes, faults: Vec::new(), used: 108 };
    let frames = md3.frames.max(0) as usize;
    if let Some(start) = lists.start(0, 92, "ofsFrames", md3.frames, 56) {
        let one = |at: usize| Some(Box { min: reader.vec3(at)?, max: reader.vec3(at + 12)?, offset: at });
        md3.boxes = (0..frames).filter_map(|frame| one(start + frame * 56)).collect();
    }
    let all = i64::from(md3.frames) * i64::from(md3.tag_count);
    let all = i32::try_from(all).unwrap_or(i32::MAX);
    if md3.tag_count > 0
        && let Some(start) = lists.start(0, 96, "ofsTags", all, 112)
    {
        let tag = |at: usize| {
            let axes = [reader.vec3(at + 76)?, reader.vec3(at + 88)?, reader.vec3(at + 100)?];
            Some(Tag { name: reader.name(at)?, axes, offset: at })
        };
        let tags = md3.tag_count as usize;
        let frame = |frame: usize| (0..tags).filter_map(|index| tag(start + (frame * tags + index) * 112)).collect();
        md3.tags = (0..frames).map(frame).collect();
    }
    let mut at = field(100);
    // Sound lists do not overlap; without this, surfaces that all point at one large list would be read for ever.
    let mut unread = bytes.len() as i64;
    for index in 0..md3.surface_count.max(0) {
        let start = usize::try_from(at).ok().filter(|start| bytes.len() >= start.saturating_add(108));
        let Some(start) = start else {
            let message = format!("surface {index} at byte {at} of {}", bytes.len());
            lists.faults.push(Fault { offset: 100, inside: "ofsSurfaces".to_string(), message });
            break;
        };
        let count = |field: i32| i64::from(field.max(0));
        let (vertices, triangles) = (count(field(start + 80)), count(field(start + 84)));
        unread -=
            108 + triangles * 12 + (vertices * count(field(start + 72))).saturating_mul(8).saturating_add(vertices * 8);
        if unread < 0 {
            let message = "lists of more bytes than the file has".to_string();
            lists.faults.push(Fault { offset: start, inside: format!("surface[{index}]"), message });
            break;
        }
        md3.surfaces.push(surface(&reader, start, index, &mut lists));
        let step = field(start + 104);
        if step < 1 && index + 1 < md3.surface_count {
            let message = format!("the next surface {step} bytes further on");
            lists.faults.push(Fault { offset: start + 104, inside: format!("surface[{index}].ofsEnd"), message });
            break;
        }
        at = i32::try_from(start as i64 + i64::from(step)).unwrap_or(i32::MAX);
    }
    md3.faults = lists.faults;
    md3.used = lists.used;
    md3
}

/// Follows offsets, as far as they lead into the file.
struct Lists<'a> {
    bytes: &'a [u8],
    faults: Vec<Fault>,
    /// Where the last of them ends.
    used: usize,
}

impl Lists<'_> {
    /// Where a list starts, if all of it lies in the file. `base` is what the offset at `field` counts from.
    fn start(&mut self, base: usize, field: usize, inside: &str, count: i32, size: usize) -> Option<usize> {
        let offset = i64::from(Reader(self.bytes).i32(field)?);
        let start = base as i64 + offset;
        let end = start + i64::from(count.max(0)) * size as i64;
        if count > 0 && (start < 0 || end > self.bytes.len() as i64) {
            let message = format!("{count} entries from byte {start} to {end} of {}", self.bytes.len());
            self.faults.push(Fault { offset: field, inside: inside.to_string(), message });
            return None;
        }
        if count > 0 {
            self.used = self.used.max(end as usize);
        }
        usize::try_from(start).ok()
    }
}

fn surface(reader: &Reader, start: usize, index: i32, lists: &mut Lists) -> Surface {
    let field = |at: usize| reader.i32(start + at).unwrap_or(0);
    let mut surface = Surface {
        name: reader.name(start + 4).unwrap_or_default(),
        offset: start,
        frames: field(72),
        vertices: field(80),
        triangles: field(84),
        ..Surface::default()
    };
    let mut list_of = |at: usize, name: &str, count: i32, size: usize| {
        lists.start(start, start + at, &format!("surface[{index}].{name}"), count, size)
    };
    if let Some(at) = list_of(92, "ofsShaders", field(76), 68) {
        surface.shaders = (0..field(76).max(0) as usize).filter_map(|shader| reader.name(at + shader * 68)).collect();
    }
    if let Some(at) = list_of(88, "ofsTriangles", surface.triangles, 12) {
        let corners = (0..surface.triangles.max(0) as usize * 3).map(|corner| at + corner * 4);
        let wrong = |at: &usize| reader.i32(*at).is_some_and(|corner| corner < 0 || corner >= surface.vertices);
        let mut corners = corners.filter(wrong);
        surface.wrong_corner = corners.next().map(|at| (at, reader.i32(at).unwrap_or(0) as u32));
    }
    list_of(96, "ofsSt", surface.vertices, 8);
    let all = i64::from(surface.vertices) * i64::from(surface.frames);
    let all = i32::try_from(all).unwrap_or(i32::MAX);
    if let Some(at) = list_of(100, "ofsXyzNormals", all, 8) {
        let vertices = surface.vertices.max(0) as usize;
        let extent = |frame: usize| {
            let places = (0..vertices).filter_map(|vertex| reader.i16s(at + (frame * vertices + vertex) * 8));
            places.fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |[min, max], place| [min.min(place), max.max(place)])
        };
        let frames = if vertices == 0 { 0 } else { surface.frames.max(0) as usize };
        surface.extents = (0..frames).map(extent).collect();
    }
    surface
}

pub fn gather(facts: &mut Facts) {
    let bundle = facts.bundle;
    let path = facts.path.clone();
    let player = quake3::players(bundle).into_iter().find(|player| bundle::key(player.path()) == bundle::key(&path));
    match player {
        Some(player) => {
            for (part, file) in PARTS.iter().zip(&player.parts) {
                if let Some(file) = file {
                    add(facts, part, file);
                }
            }
            if let Some(cfg) = &player.animation_cfg {
                read_config(facts, cfg);
            }
            for set in &player.skins {
                for (part, file) in PARTS.iter().zip(&set.parts) {
                    if let Some(file) = file {
                        read_skin(facts, part, file);
                    }
                }
            }
            facts.player = Some(player);
        }
        None => {
            add(facts, "", &path);
            let weapon = quake3::weapons(bundle).into_iter().find(|weapon| weapon.main == path);
            for (part, file) in weapon.iter().flat_map(|weapon| [("barrel", &weapon.barrel), ("flash", &weapon.flash)])
            {
                if let Some(file) = file {
                    add(facts, part, file);
                }
            }
            if let Some(weapon) = weapon
                && (weapon.barrel.is_some() || weapon.flash.is_some())
            {
                facts
                    .md3s
                    .iter_mut()
                    .filter(|file| file.part.is_empty())
                    .for_each(|file| file.part = "weapon".to_string());
            }
        }
    }
    let scripts: Vec<&str> = bundle.paths().filter(|path| bundle::extension(path) == "shader").collect();
    for script in scripts {
        read_script(facts, script);
    }
}

pub fn read_config(facts: &mut Facts, path: &str) {
    if let Some(bytes) = facts.bundle.read(path) {
        let mut report = Report::default();
        facts.animation_cfg = Some(animation_cfg::read(&bytes, &mut report));
        facts.hear("animation.cfg", path, report);
    }
}

pub fn read_skin(facts: &mut Facts, part: &str, path: &str) {
    if let Some(bytes) = facts.bundle.read(path) {
        facts.skins.push(skin::read(path, part, &bytes));
    }
}

pub fn read_script(facts: &mut Facts, path: &str) {
    if let Some(bytes) = facts.bundle.read(path) {
        facts.shader_scripts.push((path.to_string(), decode(&bytes)));
    }
}

/// A file and its coarser levels.
fn add(facts: &mut Facts, part: &str, path: &str) {
    let levels = [(0, path.to_string())];
    let start = &path[..path.rfind('.').unwrap_or(path.len())];
    let coarser =
        (1..=3).filter_map(|level| Some((level, facts.bundle.find(&format!("{start}_{level}.md3"))?.to_string())));
    for (level, path) in levels.into_iter().chain(coarser) {
        let Some(bytes) = facts.bundle.read(&path) else { continue };
        facts.md3s.push(Md3 { part: part.to_string(), level, ..read(&path, &bytes) });
    }
}

/// The game's path of a file: from `models/` on, if its folders begin so.
pub fn game_path(path: &str) -> Option<&str> {
    let starts = path.match_indices('/').map(|(at, _)| at + 1);
    let mut starts = std::iter::once(0).chain(starts);
    starts.find_map(|at| {
        path.get(at..).filter(|path| path.get(..7).is_some_and(|root| root.eq_ignore_ascii_case("models/")))
    })
}
