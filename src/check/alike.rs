//! What two engines test alike: in come the files that one of them reads and the edge that it draws, out come findings.

use std::ops::RangeInclusive;

use super::facts::md3::{Md3, Surface};
use super::facts::smd::{Block, Smd, What};
use super::{Found, Place};
use crate::report::At;

pub fn md3_version<'a>(files: impl Iterator<Item = &'a Md3>, found: &mut Found) {
    for file in files.filter(|file| file.version != 15) {
        found.add(Place::byte(&file.path, 4), format!("version {}", file.version));
    }
}

pub fn no_frames<'a>(files: impl Iterator<Item = &'a Md3>, found: &mut Found) {
    for file in files.filter(|file| file.frames < 1) {
        found.add(Place::byte(&file.path, 76), format!("{} frames", file.frames));
    }
}

pub fn vertices<'a>(files: impl Iterator<Item = &'a Md3>, most: i32, found: &mut Found) {
    crowded(files, "vertices", 80, most, |surface| surface.vertices, found);
}

pub fn triangles<'a>(files: impl Iterator<Item = &'a Md3>, most: i32, found: &mut Found) {
    crowded(files, "triangles", 84, most, |surface| surface.triangles, found);
}

/// Tells of every surface that has more than `most` of something, counted by the field of its header.
fn crowded<'a>(
    files: impl Iterator<Item = &'a Md3>,
    what: &str,
    field: usize,
    most: i32,
    count: fn(&Surface) -> i32,
    found: &mut Found,
) {
    for file in files {
        for (index, surface) in file.surfaces.iter().enumerate().filter(|(_, surface)| count(surface) > most) {
            found.add(file.surface_place(index, field), format!("`{}` has {} {what}", surface.name, count(surface)));
        }
    }
}

pub fn offsets<'a>(files: impl Iterator<Item = &'a Md3>, found: &mut Found) {
    for file in files {
        for fault in &file.faults {
            found.add(Place::byte(&file.path, fault.offset).inside(&fault.inside), fault.message.clone());
        }
    }
}

pub fn end<'a>(files: impl Iterator<Item = &'a Md3>, found: &mut Found) {
    // What follows the last list hurts nobody.
    for file in files.filter(|file| file.end > file.size as i32 || (file.end as usize) < file.used) {
        let message =
            format!("ofsEnd is {}, the file has {} bytes, its lists end at {}", file.end, file.size, file.used);
        found.add(Place::byte(&file.path, 104), message);
    }
}

pub fn surface_frames<'a>(files: impl Iterator<Item = &'a Md3>, found: &mut Found) {
    for file in files.filter(|file| file.frames > 0) {
        for (index, surface) in file.surfaces.iter().enumerate().filter(|(_, surface)| surface.frames != file.frames) {
            let message = format!("`{}` has {} frames, the model {}", surface.name, surface.frames, file.frames);
            found.add(file.surface_place(index, 72), message);
        }
    }
}

pub fn triangle_index<'a>(files: impl Iterator<Item = &'a Md3>, found: &mut Found) {
    for file in files {
        for (index, surface) in file.surfaces.iter().enumerate() {
            if let Some((offset, corner)) = surface.wrong_corner {
                let message = format!("corner {corner} where there are {} vertices", surface.vertices);
                let place = Place { at: At::Byte(offset as u64), ..file.surface_place(index, 0) };
                found.add(place, message);
            }
        }
    }
}

pub fn smd_version<'a>(files: impl Iterator<Item = &'a Smd>, known: RangeInclusive<i64>, found: &mut Found) {
    for smd in files {
        if let Some((line, version)) = smd.version.filter(|(_, version)| !version.is_some_and(|v| known.contains(&v))) {
            let version = version.map_or("no number".to_string(), |version| format!("version {version}"));
            found.add(Place::line(&smd.path, line), version);
        }
    }
}

/// `count` is how many bones the compiler takes a file to have.
pub fn bone_index<'a>(files: impl Iterator<Item = &'a Smd>, count: fn(&Smd) -> i64, found: &mut Found) {
    for smd in files {
        let count = count(smd);
        for corner in smd.corners.iter().filter(|corner| corner.bone != i64::MIN) {
            if corner.bone < 0 || corner.bone >= count {
                let place = smd.place(Block::Triangles, corner.line);
                found.add(place, format!("bone {} of {count}", corner.bone));
            }
        }
    }
}

/// Tells of odd lines as they stand.
pub fn odd_lines<'a>(files: impl Iterator<Item = &'a Smd>, block: Block, is: impl Fn(What) -> bool, found: &mut Found) {
    for smd in files {
        for oddity in smd.odd(&is) {
            found.add(smd.place(block, oddity.line), oddity.quoted());
        }
    }
}

/// Tells of the line that ends a file's nodes before their `end`, if nodes are lost by it.
pub fn node_line<'a>(files: impl Iterator<Item = &'a Smd>, ends: fn(What) -> bool, found: &mut Found) {
    for smd in files {
        let Some(oddity) = smd.odd(ends).next() else { continue };
        if oddity.what == What::BadNode || smd.nodes_before(ends).len() < smd.nodes.len() {
            found.add(smd.place(Block::Nodes, oddity.line), oddity.quoted());
        }
    }
}

/// Tells of empty lines among poses behind which others follow.
pub fn stray_poses<'a>(files: impl Iterator<Item = &'a Smd>, found: &mut Found) {
    for smd in files {
        for stray in smd.strays.iter().filter(|stray| stray.block == Block::Skeleton && stray.moves_rows) {
            let place = smd.place(Block::Skeleton, stray.line);
            found.add(place, format!("what follows goes to time {}", stray.time));
        }
    }
}
