//! The `skeleton` block: in come poses at times, out comes a transform for every joint of every frame.

use glam::{EulerRot, Quat, Vec3};

use super::nodes::Nodes;
use crate::format::bytes::decode;
use crate::format::lines::{self, Line, Lines, quote};
use crate::model::{Skeleton, Transform};
use crate::report::{Diagnostic, Report, Result};
use crate::sort;

/// The frames of a file, in the order of their times.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    /// One a frame, rising. The first need not be 0.
    pub times: Vec<i64>,
    /// Names that stand behind a time: `time 1 # smile`.
    pub names: Vec<(i64, String)>,
    /// `parent_from_joint` of every joint, frame by frame.
    pub transforms: Vec<Transform>,
    /// Joints that are listed and that no frame poses, rising.
    pub unposed: Vec<usize>,
}

impl Frames {
    pub fn count(&self) -> usize {
        self.times.len()
    }

    /// One frame's `parent_from_joint` of every joint.
    pub fn pose(&self, frame: usize) -> &[Transform] {
        let joints = self.transforms.len() / self.times.len();
        &self.transforms[frame * joints..][..joints]
    }
}

/// What the block says, before the holes are filled.
#[derive(Default)]
pub struct Rows {
    blocks: Vec<Block>,
    rows: Vec<(u32, Transform)>,
    names: Vec<(i64, String)>,
}

/// The rows under one `time`.
struct Block {
    time: i64,
    line: u32,
    /// Index of the first row; the rows end where the next block's begin.
    first: usize,
}

impl Rows {
    /// What the times are called.
    pub fn names(&self) -> &[(i64, String)] {
        &self.names
    }

    /// Reads up to and with `end`; a second block of the file goes on where the first ended.
    pub fn read(&mut self, lines: &mut Lines, nodes: &Nodes, report: &mut Report) {
        for line in &mut *lines {
            if line.is_end() {
                return;
            }
            if line.text.is_empty() || line.is_comment() {
                continue;
            }
            let read = if line.fields().word().eq_ignore_ascii_case(b"time") {
                time(&line).map(|(time, name)| {
                    self.names.extend(name.map(|name| (time, name)));
                    self.blocks.push(Block { time, line: line.number, first: self.rows.len() });
                })
            } else {
                row(&line, nodes).map(|row| {
                    if self.blocks.is_empty() {
                        let finding = Diagnostic::warning(line.at(line.text), "`time 0` first", quote(line.text));
                        report.push(finding.inside("skeleton").engine("Half-Life's studiomdl skips the line."));
                        self.blocks.push(Block { time: 0, line: line.number, first: 0 });
                    }
                    self.rows.push(row);
                })
            };
            if let Err(error) = read {
                super::note(report, error.inside("skeleton"));
            }
        }
        report.push(super::missing_end(lines, "skeleton"));
    }

    /// Sorts the frames by time and fills what they leave out with the frame before. `budget` is how many transforms the
    /// file is worth: a few bytes a frame must not claim megabytes.
    pub fn finish(self, skeleton: &Skeleton, budget: usize, report: &mut Report) -> Result<Frames> {
        let joints = skeleton.joints.len();
        let Self { blocks, rows, names } = self;
        let end_of = |index: usize| blocks.get(index + 1).map_or(rows.len(), |next| next.first);
        let mut order: Vec<usize> = (0..blocks.len()).collect();
        sort::by(&mut order, |&a, &b| blocks[a].time.cmp(&blocks[b].time));
        warn_about_times(&blocks, report);

        let mut times: Vec<i64> = order.iter().map(|&index| blocks[index].time).collect();
        times.dedup();
        let count = times.len();
        if count.saturating_mul(joints) > budget {
            return Err(Diagnostic::error(
                super::at_line(blocks[0].line),
                "poses for the frames",
                format!("{count} frames of {joints} joints with {} poses in all", rows.len()),
            )
            .inside("skeleton"));
        }
        let mut transforms: Vec<Transform> = Vec::with_capacity(count * joints);
        let mut posed = vec![u32::MAX; joints];
        let mut missing = None;
        let mut next = order.iter().copied().peekable();
        for (frame, &time) in times.iter().enumerate() {
            let start = transforms.len();
            match frame {
                0 => transforms.resize(joints, Transform::IDENTITY),
                _ => transforms.extend_from_within(start - joints..),
            }
            let mut line = 0;
            while let Some(index) = next.next_if(|&index| blocks[index].time == time) {
                line = blocks[index].line;
                for &(joint, transform) in &rows[blocks[index].first..end_of(index)] {
                    transforms[start + joint as usize] = transform;
                    posed[joint as usize] = frame as u32;
                }
            }
            if missing.is_none() && posed.iter().any(|&at| at != frame as u32) {
                missing = Some((line, time, posed.clone(), frame as u32));
            }
        }
        let unposed = (0..joints).filter(|&joint| posed[joint] == u32::MAX).collect();
        if let Some((line, time, posed, frame)) = missing {
            let missing =
                skeleton.joints.iter().zip(posed).filter(|&(_, at)| at != frame).map(|(joint, _)| &joint.name);
            let found = format!("none for {} at time {time}", lines::names(missing));
            let engine = match frame {
                0 => {
                    "The compilers put the joint at its parent. An animation that never poses it leaves it in the bind pose here."
                }
                _ => "Source keeps the pose of the frame before, as is done here; Half-Life's studiomdl leaves zeros.",
            };
            let finding = Diagnostic::warning(super::at_line(line), "a pose for every joint in every frame", found);
            report.push(finding.inside("skeleton").engine(engine));
        }
        Ok(Frames { times, names, transforms, unposed })
    }
}

fn warn_about_times(blocks: &[Block], report: &mut Report) {
    let mut warn = |found: Option<&[Block]>, expected: &'static str, engine: &'static str| {
        if let Some([before, block]) = found {
            let found = format!("{} after {}", block.time, before.time);
            report.push(
                Diagnostic::warning(super::at_line(block.line), expected, found).inside("skeleton").engine(engine),
            );
        }
    };
    warn(
        blocks.windows(2).find(|pair| pair[1].time < pair[0].time),
        "times that rise",
        "Source's studiomdl stops; Half-Life's puts the frames in order of time, as is done here.",
    );
    warn(
        blocks.windows(2).find(|pair| pair[1].time == pair[0].time),
        "each time once",
        "Both lists make one frame, the later pose of a joint counts.",
    );
    warn(
        blocks.windows(2).find(|pair| pair[1].time > pair[0].time.saturating_add(1)),
        "times that go up by 1",
        "Source's studiomdl stops, Half-Life's fills the gap with zeros; here the frames follow each other.",
    );
}

/// `time 3`, perhaps with `# name` behind it.
pub fn time(line: &Line) -> Result<(i64, Option<String>)> {
    let mut fields = line.fields();
    fields.word();
    let time = fields.int().map_err(|word| line.error(word, "a time as a whole number"))?;
    let name = fields.rest().strip_prefix(b"#").map(|name| decode(lines::trim_start(name)));
    Ok((time, name.filter(|name| !name.is_empty())))
}

/// `id px py pz rx ry rz`: position and Euler angles relative to the parent, in radians.
fn row(line: &Line, nodes: &Nodes) -> Result<(u32, Transform)> {
    let mut fields = line.fields();
    let number = fields.int().map_err(|word| line.error(word, "`time`, `end` or a node's number"))?;
    let joint = nodes.joint(number).ok_or_else(|| line.error(line.fields().word(), "the number of a node"))?;
    let [px, py, pz, rx, ry, rz] = fields
        .floats()
        .map_err(|word| line.error(word, "a number (position and angles: six)").inside(format!("node {number}")))?;
    // Half-Life's AngleMatrix and AngleQuaternion: about x first, then y, then z, each about the fixed axis.
    let rotation = Quat::from_euler(EulerRot::ZYX, rz, ry, rx);
    Ok((joint, Transform::new(rotation, Vec3::new(px, py, pz))))
}
