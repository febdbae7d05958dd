//! The `nodes` block: in come numbered names, out come joints with every parent before its children.

use crate::format::bytes::decode;
use hashbrown::HashMap;

use crate::format::lines::{self, Fields, Line, Lines, quote};
use crate::model::{Joint, Skeleton, Transform};
use crate::report::{Diagnostic, Report, Result};
use crate::sort;

/// The joints of a file, and the numbers by which its other blocks call them.
pub struct Nodes {
    /// Posed by the `skeleton` block later; until then all stand at their parents.
    pub skeleton: Skeleton,
    /// Number and joint, by number. Numbers need be neither dense nor small.
    joints: Vec<(u32, u32)>,
}

impl Nodes {
    /// The joint that the file calls `number`.
    pub fn joint(&self, number: i64) -> Option<u32> {
        let number = u32::try_from(number).ok()?;
        // Most files count from 0 without a gap.
        match self.joints.get(number as usize) {
            Some(&(found, joint)) if found == number => Some(joint),
            _ => {
                let index = self.joints.binary_search_by_key(&number, |&(found, _)| found).ok()?;
                Some(self.joints[index].1)
            }
        }
    }
}

/// A line of the block.
struct Node<'a> {
    line: Line<'a>,
    number: u32,
    name: &'a [u8],
    parent: Option<u32>,
}

/// Reads up to and with `end`.
pub fn read(lines: &mut Lines, report: &mut Report) -> Result<Nodes> {
    let mut nodes = Vec::new();
    let mut closed = false;
    for line in &mut *lines {
        if line.is_end() {
            closed = true;
            break;
        }
        if line.text.is_empty() || line.is_comment() {
            continue;
        }
        nodes.push(node(line, report).map_err(|error| error.inside("nodes"))?);
    }
    if !closed {
        report.push(super::missing_end(lines, "nodes"));
    }
    warn_about_names(&nodes, report);
    link(&nodes).map_err(|error| error.inside("nodes"))
}

fn node<'a>(line: Line<'a>, report: &mut Report) -> Result<Node<'a>> {
    let mut fields = line.fields();
    let number = match fields.int() {
        Ok(number) if (0..=i64::from(i32::MAX)).contains(&number) => number as u32,
        _ => return Err(line.error(line.fields().word(), "a node number from 0 to 2147483647")),
    };
    // The name stands in quotes and may hold blanks; some exporters leave the quotes out.
    let rest = fields.rest();
    let (name, rest) = match rest.strip_prefix(b"\"") {
        Some(quoted) => match memchr::memchr(b'"', quoted) {
            Some(end) => (&quoted[..end], &quoted[end + 1..]),
            None => return Err(line.error(rest, "a name that ends with a quote")),
        },
        None => {
            let name = fields.word();
            (name, fields.rest())
        }
    };
    if name.is_empty() {
        let finding = Diagnostic::warning(line.at(rest), "a name", "an empty one");
        super::note(
            report,
            finding.inside("nodes").engine("Half-Life's studiomdl takes this line for the end of the nodes."),
        );
    }
    let mut fields = Fields::new(rest);
    let word = fields.word();
    let parent = match lines::parse_int(word) {
        Some(-1) => None,
        Some(parent) if (0..=i64::from(i32::MAX)).contains(&parent) => Some(parent as u32),
        _ => return Err(line.error(word, "the number of the parent, or -1")),
    };
    Ok(Node { line, number, name, parent })
}

fn warn_about_names(nodes: &[Node], report: &mut Report) {
    let mut known = HashMap::with_capacity(nodes.len());
    for node in nodes {
        if let Some(first) = known.insert(node.name, node.line.number) {
            let found = format!("{} again, after line {first}", quote(node.name));
            let finding = Diagnostic::warning(node.line.at(node.name), "a name of its own for each node", found);
            report.push(finding.inside("nodes").engine("The games find bones by name, and so only the first of them."));
            return;
        }
    }
}

/// Puts parents before children, otherwise keeping the order of the file.
fn link(nodes: &[Node]) -> Result<Nodes> {
    let mut by_number: Vec<(u32, u32)> = (0_u32..).zip(nodes).map(|(index, node)| (node.number, index)).collect();
    sort::by(&mut by_number, |a, b| a.cmp(b));
    if let Some(pair) = by_number.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let (first, second) = (&nodes[pair[0].1 as usize], &nodes[pair[1].1 as usize]);
        return Err(Diagnostic::error(
            second.line.at(second.line.text),
            "a number of its own for each node",
            format!("{} again, after line {}", second.number, first.line.number),
        ));
    }
    let index_of = |number: u32| {
        let found = by_number.binary_search_by_key(&number, |&(found, _)| found);
        found.ok().map(|found| by_number[found].1 as usize)
    };

    const UNSEEN: u32 = u32::MAX;
    const CLIMBING: u32 = u32::MAX - 1;
    let mut joint_of = vec![UNSEEN; nodes.len()];
    let mut joints = Vec::with_capacity(nodes.len());
    let mut chain = Vec::new();
    for start in 0..nodes.len() {
        // Up to an ancestor that has its place, then back down.
        let mut at = Some(start);
        while let Some(index) = at.filter(|&index| joint_of[index] == UNSEEN) {
            joint_of[index] = CLIMBING;
            chain.push(index);
            let node = &nodes[index];
            at = match node.parent {
                None => None,
                Some(parent) => match index_of(parent) {
                    Some(parent) if joint_of[parent] == CLIMBING => {
                        let found = if parent == index { "itself" } else { "one of its own children" };
                        let found = format!("{found}, {}", quote(nodes[parent].name));
                        return Err(Diagnostic::error(
                            node.line.at(node.line.text),
                            "a parent that leads up to a root",
                            found,
                        ));
                    }
                    Some(parent) => Some(parent),
                    None => {
                        let found = format!("{parent}, which no node has");
                        return Err(Diagnostic::error(
                            node.line.at(node.line.text),
                            "the number of a node as parent",
                            found,
                        ));
                    }
                },
            };
        }
        for index in chain.drain(..).rev() {
            joint_of[index] = joints.len() as u32;
            joints.push(Joint {
                name: decode(nodes[index].name),
                parent: nodes[index].parent.and_then(index_of).map(|parent| joint_of[parent] as usize),
                parent_from_joint: Transform::IDENTITY,
            });
        }
    }
    for (_, index) in &mut by_number {
        *index = joint_of[*index as usize];
    }
    Ok(Nodes { skeleton: Skeleton { joints }, joints: by_number })
}
