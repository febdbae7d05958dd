//! Makes the .md3 files under tests/data/md3: one sound model and, each from it, a file for every way to be odd or to lie.
//! What is to come out of them stands in their expected.txt, which tests/formats.rs compares.
//!
//! The test proves that the files are those described here; `UPDATE_EXPECTED=1 cargo test --test md3_files` writes them.

use std::path::Path;

/// Offsets of the header's fields.
const VERSION: usize = 4;
const NUM_FRAMES: usize = 76;
const NUM_TAGS: usize = 80;
const NUM_SURFACES: usize = 84;
const OFS_FRAMES: usize = 92;
const OFS_TAGS: usize = 96;
const OFS_SURFACES: usize = 100;
const OFS_END: usize = 104;

/// Offsets of a surface's fields from its start.
const SURFACE_NUM_FRAMES: usize = 72;
const NUM_SHADERS: usize = 76;
const NUM_VERTS: usize = 80;
const NUM_TRIANGLES: usize = 84;
const OFS_TRIANGLES: usize = 88;
const OFS_SHADERS: usize = 92;
const OFS_ST: usize = 96;
const OFS_XYZ_NORMALS: usize = 100;
const SURFACE_OFS_END: usize = 104;

#[derive(Clone)]
struct Surface {
    name: &'static [u8],
    shaders: Vec<&'static str>,
    /// Added to every position, in 64ths.
    shift: i16,
}

#[derive(Clone)]
struct File {
    frames: usize,
    /// Names in each frame, in its order.
    tags: Vec<Vec<&'static str>>,
    surfaces: Vec<Surface>,
}

/// Two frames, two tags, two surfaces of one triangle each.
fn sound() -> File {
    File {
        frames: 2,
        tags: vec![vec!["tag_torso", "tag_weapon"]; 2],
        surfaces: vec![
            Surface { name: b"L_Legs_1", shaders: vec!["models/made/legs.tga"], shift: 0 },
            Surface { name: b"l_boots", shaders: vec!["models/made/boots"], shift: 640 },
        ],
    }
}

impl File {
    fn bytes(&self) -> Vec<u8> {
        let mut frames = Vec::new();
        for frame in 0..self.frames {
            let reach = 8.0 + frame as f32;
            floats(&mut frames, &[-reach, -reach, 0.0, reach, reach, 16.0, 0.0, 0.0, 0.0, 20.0]);
            text(&mut frames, format!("step {frame}").as_bytes(), 16);
        }
        let mut tags = Vec::new();
        for (frame, names) in self.tags.iter().enumerate() {
            for name in names {
                text(&mut tags, name.as_bytes(), 64);
                let height = if *name == "tag_torso" { 12.0 } else { 6.0 } + frame as f32;
                floats(&mut tags, &[0.0, 1.0, height]);
                // A quarter turn about Z; the second axis is not of unit length, as some exporters leave it.
                floats(&mut tags, &[0.0, 1.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
            }
        }
        let surfaces: Vec<u8> = self.surfaces.iter().flat_map(|surface| self.surface(surface)).collect();

        let (frames_at, tags_at) = (108, 108 + frames.len());
        let surfaces_at = tags_at + tags.len();
        let mut file = b"IDP3".to_vec();
        int(&mut file, 15);
        text(&mut file, b"made for tests\0and no more", 64);
        let tag_count = self.tags.first().map_or(0, Vec::len);
        for number in [0, self.frames, tag_count, self.surfaces.len(), 0, frames_at, tags_at, surfaces_at] {
            int(&mut file, number as i32);
        }
        int(&mut file, (surfaces_at + surfaces.len()) as i32);
        [file, frames, tags, surfaces].concat()
    }

    fn surface(&self, surface: &Surface) -> Vec<u8> {
        let mut triangles = Vec::new();
        for vertex in [0, 1, 2] {
            int(&mut triangles, vertex);
        }
        let mut shaders = Vec::new();
        for name in &surface.shaders {
            text(&mut shaders, name.as_bytes(), 64);
            int(&mut shaders, 0);
        }
        let mut st = Vec::new();
        floats(&mut st, &[0.0, 0.0, 1.0, 0.0, 0.0, 0.5]);
        let mut vertices = Vec::new();
        for frame in 0..self.frames {
            for (x, y, lng, lat) in [(0, 0, 0, 0), (0, 256, 64, 64), (256, 0, 64, 0)] {
                for number in [x + surface.shift, y, 64 * frame as i16] {
                    vertices.extend(number.to_le_bytes());
                }
                vertices.extend([lng, lat]);
            }
        }
        let triangles_at = 108;
        let shaders_at = triangles_at + triangles.len();
        let st_at = shaders_at + shaders.len();
        let vertices_at = st_at + st.len();
        // The game never reads the magic number of a surface.
        let mut out = b"????".to_vec();
        text(&mut out, surface.name, 64);
        for number in [0, self.frames, surface.shaders.len(), 3, 1, triangles_at, shaders_at, st_at, vertices_at] {
            int(&mut out, number as i32);
        }
        int(&mut out, (vertices_at + vertices.len()) as i32);
        [out, triangles, shaders, st, vertices].concat()
    }
}

fn int(out: &mut Vec<u8>, number: i32) {
    out.extend(number.to_le_bytes());
}

fn floats(out: &mut Vec<u8>, numbers: &[f32]) {
    out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

fn text(out: &mut Vec<u8>, text: &[u8], length: usize) {
    let start = out.len();
    out.extend(text);
    // What lies behind the NUL is anything: tools do not clear it.
    out.push(0);
    out.resize(start + length, b'#');
    out.truncate(start + length);
}

fn read_int(file: &[u8], at: usize) -> i32 {
    i32::from_le_bytes(file[at..at + 4].try_into().unwrap())
}

/// Offset of a surface in the sound file.
fn surface_at(file: &[u8], index: usize) -> usize {
    (0..index).fold(read_int(file, OFS_SURFACES) as usize, |at, _| at + read_int(file, at + SURFACE_OFS_END) as usize)
}

/// The sound file with one field of its header changed.
fn header(field: usize, number: i32) -> Vec<u8> {
    patched(field, number.to_le_bytes())
}

/// The sound file with one field of its first surface changed.
fn first_surface(field: usize, number: i32) -> Vec<u8> {
    let file = sound().bytes();
    patched(surface_at(&file, 0) + field, number.to_le_bytes())
}

fn patched(at: usize, bytes: [u8; 4]) -> Vec<u8> {
    let mut file = sound().bytes();
    file[at..at + 4].copy_from_slice(&bytes);
    file
}

/// Every case: the folder's name and the file.
fn cases() -> Vec<(&'static str, Vec<u8>)> {
    let model = sound;
    let with = |change: fn(&mut File)| {
        let mut file = model();
        change(&mut file);
        file.bytes()
    };
    let size = sound().bytes().len();
    let surface = surface_at(&sound().bytes(), 0);
    let st = surface + read_int(&sound().bytes(), surface + OFS_ST) as usize;
    let tag = read_int(&sound().bytes(), OFS_TAGS) as usize;
    vec![
        ("sound", sound().bytes()),
        // Odd, but fine.
        ("one-frame", with(|file| (file.frames, file.tags) = (1, vec![vec!["tag_torso"]]))),
        ("tags-only", with(|file| file.surfaces.clear())),
        ("no-tags", with(|file| file.tags.clear())),
        ("no-shader", with(|file| file.surfaces[0].shaders.clear())),
        ("empty-shader", with(|file| file.surfaces[0].shaders = vec![""])),
        ("several-shaders", with(|file| file.surfaces[0].shaders = vec!["skin0", "skin1", "skin2"])),
        ("name-in-latin-1", with(|file| file.surfaces[0].name = b"K\xF6rper_2")),
        ("tags-in-another-order", with(|file| file.tags[1].reverse())),
        ("tag-missing-in-a-frame", with(|file| file.tags[1][1] = "tag_other")),
        ("tag-not-finite", patched(tag + 64, f32::NAN.to_le_bytes())),
        ("st-not-finite", patched(st, f32::INFINITY.to_le_bytes())),
        ("box-not-finite", patched(108, f32::NAN.to_le_bytes())),
        ("bytes-after-the-end", [sound().bytes(), vec![7; 9]].concat()),
        ("surface-of-fewer-frames", first_surface(SURFACE_NUM_FRAMES, 1)),
        ("surface-without-frames", first_surface(SURFACE_NUM_FRAMES, 0)),
        // Lies of the header.
        ("magic", patched(0, *b"IDP4")),
        ("magic-of-md2", patched(0, *b"IDP2")),
        ("version", header(VERSION, 16)),
        ("frames-none", header(NUM_FRAMES, 0)),
        ("frames-negative", header(NUM_FRAMES, -1)),
        ("frames-too-many", header(NUM_FRAMES, i32::MAX)),
        ("tags-negative", header(NUM_TAGS, -1)),
        ("tags-too-many", header(NUM_TAGS, i32::MAX)),
        ("surfaces-negative", header(NUM_SURFACES, -1)),
        ("surfaces-too-many", header(NUM_SURFACES, 3)),
        ("frames-before-the-file", header(OFS_FRAMES, -56)),
        ("frames-after-the-file", header(OFS_FRAMES, size as i32 - 8)),
        ("tags-before-the-file", header(OFS_TAGS, i32::MIN)),
        ("tags-after-the-file", header(OFS_TAGS, i32::MAX)),
        ("surfaces-before-the-file", header(OFS_SURFACES, -108)),
        ("surfaces-after-the-file", header(OFS_SURFACES, size as i32 + 1)),
        ("surfaces-at-the-end", header(OFS_SURFACES, size as i32)),
        ("end-before-the-file", header(OFS_END, -1)),
        ("end-after-the-file", header(OFS_END, size as i32 + 64)),
        ("cut-in-the-header", sound().bytes()[..90].to_vec()),
        ("cut-in-a-surface", sound().bytes()[..size - 30].to_vec()),
        // Lies of a surface: the other one is shown.
        ("vertices-negative", first_surface(NUM_VERTS, -3)),
        ("vertices-too-many", first_surface(NUM_VERTS, i32::MAX)),
        ("triangles-negative", first_surface(NUM_TRIANGLES, i32::MIN)),
        ("triangles-too-many", first_surface(NUM_TRIANGLES, i32::MAX)),
        ("shaders-negative", first_surface(NUM_SHADERS, -1)),
        ("shaders-too-many", first_surface(NUM_SHADERS, 300)),
        ("triangles-before-the-surface", first_surface(OFS_TRIANGLES, -12)),
        ("triangles-after-the-file", first_surface(OFS_TRIANGLES, size as i32)),
        ("shaders-before-the-surface", first_surface(OFS_SHADERS, -1)),
        ("shaders-after-the-file", first_surface(OFS_SHADERS, size as i32)),
        ("st-before-the-surface", first_surface(OFS_ST, -24)),
        ("st-after-the-file", first_surface(OFS_ST, i32::MAX)),
        ("vertices-before-the-surface", first_surface(OFS_XYZ_NORMALS, i32::MIN)),
        ("vertices-after-the-file", first_surface(OFS_XYZ_NORMALS, size as i32 - 40)),
        ("surface-ends-at-its-start", first_surface(SURFACE_OFS_END, 0)),
        ("surface-ends-before-its-start", first_surface(SURFACE_OFS_END, -108)),
        ("surface-ends-after-the-file", first_surface(SURFACE_OFS_END, i32::MAX)),
        ("corner-outside", patched(surface + 108 + 4, 3i32.to_le_bytes())),
        ("corner-negative", patched(surface + 108 + 4, (-1i32).to_le_bytes())),
    ]
}

#[test]
fn files_are_as_described() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/md3");
    let update = std::env::var_os("UPDATE_EXPECTED").is_some();
    let cases = cases();
    for (name, bytes) in &cases {
        let path = folder.join(name).join("model.md3");
        if update {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, bytes).unwrap();
        }
        let found = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(found == *bytes, "{name}: the file is another");
    }
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), cases.len(), "a folder that no case describes");
}
