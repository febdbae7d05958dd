//! Files from strangers: every fixture of tests/data that a format reads, cut at every byte and with every bit turned, must be
//! read or refused without a panic, and in memory that its size accounts for.

mod support;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;

use peak_alloc::PeakAlloc;
use rigview::anim::{self, Pose};
use rigview::bundle::Bundle;
use rigview::format::{self, Content, Format};
use rigview::model::{Model, Motion, check, finish};
use rigview::open::qc;
use rigview::report::Report;
use rigview::skin::{Palette, PosedMesh};
use support::{extension, file_name, files_below, folders_in, repository};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Bytes of memory for each byte of a file, and those that even an empty file may take: a report with its sentences.
const PER_BYTE: usize = 64;
const ANYWAY: usize = 16 * 1024;

/// The count of memory is for the whole process, so tests take turns.
static TURN: Mutex<()> = Mutex::new(());

#[test]
fn damaged_files_are_read_or_refused() {
    let _turn = TURN.lock();
    let mut files = 0;
    let mut cases = 0;
    // Made for limits of the games, and so large; tests/check.rs damages those.
    let of_the_check = repository("tests/data/check");
    for path in files_below(&repository("tests/data")).into_iter().filter(|path| !path.starts_with(&of_the_check)) {
        let whole = fs::read(&path).unwrap();
        if file_name(&path) == "expected.txt" {
            continue;
        }
        let Some(format) = format::guess(&file_name(&path), &whole) else { continue };
        files += 1;
        for length in 0..=whole.len() {
            try_reading(format, &path, &whole[..length], || format!("cut after {length} bytes"));
            cases += 1;
        }
        let mut damaged = whole.clone();
        for bit in 0..whole.len() * 8 {
            damaged[bit / 8] ^= 1 << (bit % 8);
            try_reading(format, &path, &damaged, || format!("bit {} of byte {} turned", bit % 8, bit / 8));
            damaged[bit / 8] = whole[bit / 8];
            cases += 1;
        }
    }
    println!("{files} files, {cases} times damaged");
    assert!(files > 0);
}

/// A script names other files, again and again if it likes; those it finds here are sound.
#[test]
fn damaged_scripts_are_put_together_or_refused() {
    let _turn = TURN.lock();
    let mut scripts = 0;
    for folder in folders_in(&repository("tests/data/qc")) {
        let mut bundle = Bundle::default();
        let name = |path: &Path| path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
        let files = files_below(&folder);
        for path in &files {
            bundle.add(&name(path), fs::read(path).unwrap());
        }
        for path in files.iter().filter(|path| matches!(extension(path).as_str(), "qc" | "qci")) {
            let whole = fs::read(path).unwrap();
            let mut put_together = |bytes: &[u8]| {
                bundle.add(&name(path), bytes.to_vec());
                for script in files.iter().filter(|path| extension(path) == "qc") {
                    if let Ok(model) = qc::assemble(&name(script), &bundle, &mut Report::default()) {
                        use_model(model);
                    }
                }
            };
            for length in 0..=whole.len() {
                put_together(&whole[..length]);
            }
            let mut damaged = whole.clone();
            for bit in 0..whole.len() * 8 {
                damaged[bit / 8] ^= 1 << (bit % 8);
                put_together(&damaged);
                damaged[bit / 8] = whole[bit / 8];
            }
            put_together(&whole);
            scripts += 1;
        }
    }
    assert!(scripts > 0);
}

/// Texts of nothing but the shortest entries there are: where memory could grow beyond what the file accounts for.
#[test]
fn dense_files_take_memory_in_proportion() {
    let _turn = TURN.lock();
    let many = 20_000;
    let md5_mesh = |joints: usize, meshes: &str, count: usize| {
        let joints = format!("numJoints {joints} numMeshes {count} joints{{{}}}", "a 0(0 0 0)(0 0 0)".repeat(joints));
        format!("MD5Version 10 commandline a {}{meshes}", joints.replacen("a 0(", "a-1(", 1))
    };
    let mesh = |vertices: usize, vertex: &str, triangles: usize, weights: usize| {
        format!(
            "mesh{{shader a numverts {vertices} {}numtris {triangles} {}numweights {weights} {}}}",
            vertex.repeat(vertices),
            "tri 0 0 0 0 ".repeat(triangles),
            "weight 0 0 0(0 0 0)".repeat(weights)
        )
    };
    let vertex = "vert 0(0 0)0 1 ";
    let md5_anim = |joints: usize, frames: usize, boxes: usize, roots: &str| {
        format!(
            "MD5Version 10 commandline a numFrames {frames} numJoints {joints} frameRate 1 numAnimatedComponents 0 \
             hierarchy{{a-1 0 0{}}}bounds{{{}}}baseframe{{{}}}{}",
            roots.repeat(joints - 1),
            "(0 0 0)(0 0 0)".repeat(boxes),
            "(0 0 0)(0 0 0)".repeat(joints),
            "frame 0{}".repeat(frames)
        )
    };
    let smd_nodes = |count: usize| {
        let nodes: String = (0..count).map(|number| format!("{number} a -1\n")).collect();
        format!("version 1\nnodes\n{nodes}end\n")
    };
    let smd =
        |head: &str, line: &dyn Fn(usize) -> String| smd_nodes(1) + head + &(0..many).map(line).collect::<String>();
    let corner = |u: usize| format!("0 0 0 0 0 0 0 {u} 0\n");
    let named = |index: usize| mesh(1, vertex, 1, 1).replacen("shader a", &format!("shader a{index}"), 1);
    let cases = [
        ("joints", &format::md5::MESH, md5_mesh(many, &mesh(1, vertex, 1, 1), 1)),
        ("vertices", &format::md5::MESH, md5_mesh(1, &mesh(many, vertex, 1, 1), 1)),
        ("triangles", &format::md5::MESH, md5_mesh(1, &mesh(1, vertex, many, 1), 1)),
        ("weights", &format::md5::MESH, md5_mesh(1, &mesh(1, vertex, 1, many), 1)),
        ("shared weights", &format::md5::MESH, md5_mesh(1, &mesh(1000, "vert 0(0 0)0 32 ", 1, 32), 1)),
        ("weights shared too much", &format::md5::MESH, md5_mesh(1, &mesh(1000, "vert 0(0 0)0 1000 ", 1, 1000), 1)),
        (
            "weights shared in many meshes",
            &format::md5::MESH,
            md5_mesh(1, &mesh(200, "vert 0(0 0)0 200 ", 1, 200).repeat(50), 50),
        ),
        ("quotes", &format::md5::MESH, md5_mesh(1, &format!("mesh{{{}", "\"\n'\n".repeat(many)), 1)),
        ("meshes", &format::md5::MESH, md5_mesh(1, &mesh(1, vertex, 1, 1).repeat(many), many)),
        ("materials", &format::md5::MESH, md5_mesh(1, &(0..many).map(named).collect::<String>(), many)),
        (
            "unclosed meshes",
            &format::md5::MESH,
            md5_mesh(1, &mesh(1, vertex, 1, 1).replace('}', " ").repeat(many), many),
        ),
        ("faulty meshes", &format::md5::MESH, md5_mesh(1, &"mesh{ ".repeat(many), many)),
        ("animated joints", &format::md5::ANIM, md5_anim(many, 1, 1, " a 0 0 0")),
        ("frames", &format::md5::ANIM, md5_anim(1, many, many, "")),
        ("frames of many joints", &format::md5::ANIM, md5_anim(1000, 1000, 1000, " a 0 0 0")),
        ("boxes", &format::md5::ANIM, md5_anim(1, 1, many, "")),
        ("roots", &format::md5::ANIM, md5_anim(many, 1, 1, " a-1 0 0")),
        ("smd nodes", &format::smd::SMD, smd_nodes(many)),
        ("smd frames", &format::smd::SMD, smd("skeleton\n", &|at| format!("time {at}\n0 0 0 0 0 0 0\n"))),
        ("smd empty frames", &format::smd::SMD, smd("skeleton\n", &|at| format!("time {at}\n"))),
        (
            "smd frames of many joints",
            &format::smd::SMD,
            smd_nodes(1000) + "skeleton\n" + &"time 0\ntime 1\n".repeat(many),
        ),
        ("smd faulty poses", &format::smd::SMD, smd("skeleton\n", &|_| "x\n".to_string())),
        ("smd triangles", &format::smd::SMD, smd("triangles\n", &|at| format!("a\n{}", corner(at).repeat(3)))),
        ("smd materials", &format::smd::SMD, smd("triangles\n", &|at| format!("{at}a\n{}", corner(0).repeat(3)))),
        (
            "smd vertices",
            &format::smd::SMD,
            smd("triangles\n", &|at| "a\n".to_string() + &corner(at) + &corner(at + many) + &corner(at + 2 * many)),
        ),
        ("smd links", &format::smd::SMD, smd("triangles\na\n", &|at| format!("0 0 0 0 0 0 0 0 {at} 2 0 1 0 1\n"))),
        ("smd faulty triangles", &format::smd::SMD, smd("triangles\n", &|_| "x\n".to_string())),
        ("vta vertices", &format::smd::VTA, smd("vertexanimation\ntime 0\n", &|at| format!("{at} 0 0 0 0 0 0\n"))),
        ("vta shapes", &format::smd::VTA, smd("vertexanimation\n", &|at| format!("time {at}\n"))),
        ("vta faulty vertices", &format::smd::VTA, smd("vertexanimation\ntime 0\n", &|_| "x\n".to_string())),
    ];
    for (name, format, text) in cases {
        try_reading(format, Path::new(name), text.as_bytes(), || "as it is".to_string());
    }
}

/// The same of .md3: counts that are all true, of the smallest things the format has.
#[test]
fn dense_md3_files_take_memory_in_proportion() {
    let _turn = TURN.lock();
    let many = 20_000;
    let surfaces = |count: usize, counts: [usize; 3]| -> Vec<Vec<u8>> {
        (0..count).map(|name| md3_surface(name, counts)).collect()
    };
    let cases: [(&str, Vec<u8>); 8] = [
        ("frames", md3(many, 0, &[])),
        ("tags", md3(1, many, &[])),
        ("frames of a tag", md3(many, 1, &[])),
        ("surfaces", md3(1, 0, &surfaces(many, [0, 0, 0]))),
        ("surfaces of a shader", md3(1, 0, &surfaces(many, [1, 0, 0]))),
        ("surfaces and skin numbers", md3(1, 0, &[surfaces(1, [300, 0, 0]), surfaces(many, [0, 0, 0])].concat())),
        ("shaders", md3(1, 0, &surfaces(1, [many, 0, 0]))),
        ("vertices and triangles", md3(1, 0, &surfaces(1, [0, many, many]))),
    ];
    for (name, bytes) in cases {
        try_reading(&format::md3::MD3, Path::new(name), &bytes, || "as it is".to_string());
    }
}

/// An .md3 of so many frames, tags in each and surfaces, every name another.
fn md3(frames: usize, tags: usize, surfaces: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"IDP3".to_vec();
    ints(&mut file, &[15]);
    file.resize(72, 0);
    let tags_at = 108 + frames * 56;
    let surfaces_at = tags_at + frames * tags * 112;
    let end = surfaces_at + surfaces.iter().map(Vec::len).sum::<usize>();
    ints(&mut file, &[0, frames, tags, surfaces.len(), 0, 108, tags_at, surfaces_at, end]);
    for frame in 0..frames {
        file.extend([0; 40]);
        file.extend(format!("{frame:016}").bytes());
    }
    for tag in 0..frames * tags {
        file.extend(format!("{:064}", tag % tags).bytes());
        file.extend([0; 48]);
    }
    file.extend(surfaces.iter().flatten());
    file
}

fn md3_surface(name: usize, [shaders, vertices, triangles]: [usize; 3]) -> Vec<u8> {
    let shaders_at = 108 + triangles * 12;
    let st_at = shaders_at + shaders * 68;
    let (vertices_at, end) = (st_at + vertices * 8, st_at + vertices * 16);
    let mut surface = b"IDP3".to_vec();
    surface.extend(format!("{name:064}").bytes());
    ints(&mut surface, &[0, 1, shaders, vertices, triangles, 108, shaders_at, st_at, vertices_at, end]);
    surface.resize(shaders_at, 0);
    for shader in 0..shaders {
        surface.extend(format!("{:064}", name * 100_000 + shader).bytes());
        surface.extend([0; 4]);
    }
    surface.resize(end, 0);
    surface
}

fn ints(file: &mut Vec<u8>, numbers: &[usize]) {
    file.extend(numbers.iter().flat_map(|&number| (number as i32).to_le_bytes()));
}

fn try_reading(format: &Format, path: &Path, bytes: &[u8], damage: impl Fn() -> String) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let outcome = catch_unwind(AssertUnwindSafe(|| read(format, bytes)));
    let used = MEMORY.peak_usage().saturating_sub(before);
    let allowed = bytes.len() * PER_BYTE + ANYWAY;
    if bytes.len() > 10_000 {
        println!("{}: {:.1} bytes a byte", path.display(), used as f64 / bytes.len() as f64);
    }
    assert!(outcome.is_ok(), "{}, {}: panic", path.display(), damage());
    assert!(used <= allowed, "{}, {}: {used} bytes for {}", path.display(), damage(), bytes.len());
}

/// Reads a file and, as far as it is sound, poses and skins what it holds.
fn read(format: &Format, bytes: &[u8]) {
    let model = match format::read(format, "damaged", bytes, &mut Report::default()) {
        Ok(Content::Model(model)) => model,
        Ok(Content::Animation(animation)) => {
            Model { skeleton: animation.skeleton, clips: vec![animation.clip], ..Model::default() }
        }
        Ok(Content::Camera(camera)) => Model { cameras: vec![camera], ..Model::default() },
        Ok(Content::Shapes(_)) | Err(_) => return,
    };
    use_model(model);
}

fn use_model(mut model: Model) {
    finish::finish(&mut model);
    if check::check(&model).is_err() {
        return;
    }
    let mut pose = Pose::rest(&model.skeleton);
    for clip in &model.clips {
        for seconds in [0.0, 0.3, 1e6] {
            let blend = clip.blend(seconds);
            if let Motion::Joints(transforms) = &clip.motion {
                pose.set_frames(&model.skeleton, transforms, blend);
            }
        }
    }
    let mut palette = Palette::new(&model.skeleton);
    palette.set(&pose.model_from_joint);
    for mesh in &model.meshes {
        PosedMesh::new(mesh).update(mesh, &palette, &pose.model_from_joint, anim::Blend::still(0));
    }
    for camera in &model.cameras {
        for seconds in [-1.0, 0.0, 0.3, 1e6] {
            camera.at(seconds);
        }
    }
}
