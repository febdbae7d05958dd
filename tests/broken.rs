//! Files from strangers: every fixture of tests/data that a format reads, cut at every byte and with every bit turned, must be
//! read or refused without a panic, and in memory that its size accounts for.

mod support;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use peak_alloc::PeakAlloc;
use rigview::anim::{self, Pose};
use rigview::format::{self, Content, Format};
use rigview::model::{Model, Motion, check, finish};
use rigview::report::Report;
use rigview::skin::{self, PosedMesh};
use support::{file_name, files_below, repository};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Bytes of memory for each byte of a file, and those that even an empty file may take: a report with its sentences.
const PER_BYTE: usize = 64;
const ANYWAY: usize = 16 * 1024;

/// One test, since the count of memory is for the whole process.
#[test]
fn damaged_files_are_read_or_refused() {
    let mut files = 0;
    let mut cases = 0;
    for path in files_below(&repository("tests/data")) {
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

fn try_reading(format: &Format, path: &Path, bytes: &[u8], damage: impl Fn() -> String) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let outcome = catch_unwind(AssertUnwindSafe(|| read(format, bytes)));
    let used = MEMORY.peak_usage().saturating_sub(before);
    let allowed = bytes.len() * PER_BYTE + ANYWAY;
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
    let joint_from_model = skin::joints_from_model(&model.skeleton);
    for clip in &model.clips {
        for seconds in [0.0, 0.3, 1e6] {
            let blend = clip.blend(seconds);
            if let Motion::Joints(transforms) = &clip.motion {
                pose.set_frames(&model.skeleton, transforms, blend);
            }
        }
    }
    for mesh in &model.meshes {
        let still = anim::Blend::still(0);
        PosedMesh::new(mesh).update(mesh, None, &pose.model_from_joint, &joint_from_model, still);
    }
    for camera in &model.cameras {
        for seconds in [-1.0, 0.0, 0.3, 1e6] {
            camera.at(seconds);
        }
    }
}
