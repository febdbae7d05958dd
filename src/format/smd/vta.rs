//! The `vertexanimation` block (.vta): in come shapes of a mesh, out come what each of them moves.

use glam::Vec3;
use hashbrown::HashMap;

use super::skeleton::time;
use crate::format::lines::{Line, Lines};
use crate::report::{Diagnostic, Report, Result};
use crate::sort;

/// Shapes by the vertices of the file's own first list. Which vertices of a mesh they are, the positions say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shapes {
    /// What the shapes start from (Valve: time 0), by id.
    pub base: Vec<ShapeVertex>,
    pub shapes: Vec<ShapeKey>,
}

/// A shape at weight 1.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeKey {
    /// By which a .qc calls it (`flex name frame 3`).
    pub time: i64,
    /// As the file names it (`time 3 # smile`), else `time 3`.
    pub name: String,
    /// Only what moves, by id: the place itself, not the way to it.
    pub vertices: Vec<ShapeVertex>,
}

/// Model space of the bind pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeVertex {
    pub id: u32,
    pub position: Vec3,
    /// Of any length.
    pub normal: Vec3,
}

/// Reads up to and with `end`. `names` are what the `skeleton` block calls the times.
pub fn read(lines: &mut Lines, names: &[(i64, String)], report: &mut Report) -> Shapes {
    let mut keys: Vec<ShapeKey> = Vec::new();
    let mut closed = false;
    // The first of a time counts.
    let listed: HashMap<i64, &String> = names.iter().rev().map(|(time, name)| (*time, name)).collect();
    for line in &mut *lines {
        if line.is_end() {
            closed = true;
            break;
        }
        if line.text.is_empty() || line.is_comment() {
            continue;
        }
        if line.fields().word().eq_ignore_ascii_case(b"time") {
            match time(&line) {
                Ok((time, name)) => {
                    let name = name.or_else(|| listed.get(&time).map(|name| name.to_string()));
                    let name = name.unwrap_or_else(|| format!("time {time}"));
                    keys.push(ShapeKey { time, name, vertices: Vec::new() });
                }
                Err(error) => super::note(report, error.inside("vertexanimation")),
            }
            continue;
        }
        match (vertex(&line), keys.last_mut()) {
            (Ok(vertex), Some(key)) => key.vertices.push(vertex),
            (Ok(_), None) => super::note(report, line.error(line.text, "`time 0` first").inside("vertexanimation")),
            (Err(error), _) => super::note(report, error.inside("vertexanimation")),
        }
    }
    if !closed {
        report.push(super::missing_end(lines, "vertexanimation"));
    }
    for key in &mut keys {
        // Where an id stands twice, the later line counts.
        key.vertices.reverse();
        sort::by(&mut key.vertices, |a, b| a.id.cmp(&b.id));
        key.vertices.dedup_by_key(|vertex| vertex.id);
    }
    let base = match keys.iter().position(|key| key.time == 0) {
        Some(index) => keys.remove(index),
        None if keys.is_empty() => return Shapes::default(),
        None => {
            let found = format!("time {} first", keys[0].time);
            report.push(Diagnostic::warning(lines.end(), "the unmoved vertices at time 0", found));
            keys.remove(0)
        }
    };
    Shapes { base: base.vertices, shapes: keys }
}

/// `id x y z nx ny nz`
fn vertex(line: &Line) -> Result<ShapeVertex> {
    let mut fields = line.fields();
    let number = fields.int().map_err(|word| line.error(word, "`time`, `end` or a vertex's number"))?;
    let id = u32::try_from(number).map_err(|_| line.error(line.fields().word(), "a vertex's number from 0 up"))?;
    let [px, py, pz, nx, ny, nz] =
        fields.floats().map_err(|word| line.error(word, "a number (position and normal: six)"))?;
    Ok(ShapeVertex { id, position: Vec3::new(px, py, pz), normal: Vec3::new(nx, ny, nz) })
}
