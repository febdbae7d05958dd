//! .smd and .vta line by line, as they stand: in comes a file, out come its nodes, times and corners, each with its line, and
//! every line that one of the compilers would stumble over.

use std::collections::{HashMap, HashSet};

use glam::Vec3;

use super::Facts;
use crate::bundle;
use crate::check::{Place, Subject};
use crate::format::lines::{self, Fields, Line as Text};

/// What the compilers take the file for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// $body, $model.
    Reference,
    /// $sequence, $animation.
    Animation,
    /// flexfile.
    Shapes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    Nodes,
    Skeleton,
    Triangles,
    Shapes,
}

impl Block {
    pub fn name(self) -> &'static str {
        match self {
            Block::Nodes => "nodes",
            Block::Skeleton => "skeleton",
            Block::Triangles => "triangles",
            Block::Shapes => "vertexanimation",
        }
    }
}

pub struct Smd {
    pub path: String,
    pub role: Role,
    /// Line and number; none where the file does not say.
    pub version: Option<(u32, Option<i64>)>,
    pub nodes: Vec<Node>,
    /// The place of each number among them; one that is given twice is the later node's.
    by_number: HashMap<i64, usize>,
    /// The line of the `end` behind them.
    pub nodes_end: Option<u32>,
    /// Of the skeleton.
    pub times: Vec<Time>,
    /// Of the vertex animation.
    pub shape_times: Vec<Time>,
    pub corners: Vec<Corner>,
    /// Bone and weight, as the corners count them.
    pub links: Vec<(i64, f32)>,
    /// Line and text of each triangle's material; the triangle's corners are the three at three times its number.
    pub materials: Vec<(u32, String)>,
    pub strays: Vec<Stray>,
    pub oddities: Vec<Oddity>,
}

pub struct Node {
    pub line: u32,
    pub number: i64,
    pub name: String,
    pub parent: i64,
}

/// A `time` and what stands under it.
pub struct Time {
    pub line: u32,
    pub time: i64,
    /// Number of the bone, position and angles.
    pub rows: Vec<(i64, [f32; 6])>,
}

/// An empty line behind a `time`: `sscanf` leaves the last word and number as they were, so that the compilers read another
/// `time`, with the number that they read last.
pub struct Stray {
    pub line: u32,
    pub block: Block,
    pub time: i64,
    /// What follows it was meant for another time.
    pub moves_rows: bool,
}

pub struct Corner {
    pub line: u32,
    pub bone: i64,
    pub position: Vec3,
    pub normal: Vec3,
    pub uv: [f32; 2],
    /// Of `Smd::links`: first and number.
    pub links: (usize, usize),
}

/// A line that is not as both compilers want it.
pub struct Oddity {
    pub line: u32,
    pub what: What,
    pub text: String,
}

impl Oddity {
    /// As findings say it.
    pub fn quoted(&self) -> String {
        if self.text.is_empty() { "an empty line".to_string() } else { format!("`{}`", self.text) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Between blocks.
    EmptyLine(Option<Block>),
    /// In a block.
    EmptyLineIn(Block),
    CommentIn(Block),
    /// `end` with blanks behind it.
    BlanksAfterEnd(Block),
    /// `end` at the end of the file, without a line end.
    EndWithoutLineEnd(Block),
    NoEnd(Block),
    BadNode,
    BadRow(Block),
    /// Fewer than nine numbers.
    BadCorner,
    /// Fewer links than are counted.
    MissingLinks,
    EmptyMaterial,
    /// A pose, or a vertex, before the first `time`.
    BeforeTime(Block),
    /// Between blocks, behind the one named; a comment too.
    UnknownCommand(Option<Block>),
}

/// An image that a material of Half-Life names.
pub struct Image {
    /// As the material has it.
    pub name: String,
    /// Where it is, if it is among the files.
    pub path: Option<String>,
    pub bytes: Vec<u8>,
}

impl Smd {
    pub fn node(&self, number: i64) -> Option<&Node> {
        self.nodes.get(*self.by_number.get(&number)?)
    }

    /// The nodes before the first line that `ends` their list.
    pub fn nodes_before(&self, ends: impl Fn(What) -> bool) -> &[Node] {
        let end = self.odd(ends).next().map_or(u32::MAX, |oddity| oddity.line);
        &self.nodes[..self.nodes.partition_point(|node| node.line < end)]
    }

    /// The name of a node's parent; `None` of a root.
    pub fn parent_name(&self, node: &Node) -> Option<&str> {
        Some(self.node(node.parent)?.name.as_str())
    }

    /// A line of a block. One of the triangles belongs to the mesh of the material above it.
    pub fn place(&self, block: Block, line: u32) -> Place {
        let place = Place::line(&self.path, line).inside(block.name());
        if block != Block::Triangles {
            return place;
        }
        let material = self.materials.partition_point(|(material, _)| *material <= line).checked_sub(1);
        match material.map(|index| &self.materials[index].1).filter(|name| !name.is_empty()) {
            Some(name) => place.subject(Subject::MeshNamed(name.clone())),
            None => place,
        }
    }

    pub fn odd(&self, is: impl Fn(What) -> bool) -> impl Iterator<Item = &Oddity> {
        self.oddities.iter().filter(move |oddity| is(oddity.what))
    }

    pub fn links_of(&self, corner: &Corner) -> &[(i64, f32)] {
        &self.links[corner.links.0..corner.links.0 + corner.links.1]
    }

    /// The nodes that vertices hang on, and all above them, by number: what the compilers keep. `bones` tells a corner's.
    pub fn used_nodes(&self, bones: impl Fn(&Corner, &mut dyn FnMut(i64))) -> Vec<&Node> {
        let mut used = vec![false; self.nodes.len()];
        let index = |number: i64| self.by_number.get(&number).copied();
        let mut last = i64::MIN;
        let mut mark = |number: i64| {
            if number == last {
                return;
            }
            last = number;
            let mut at = index(number);
            while let Some(node) = at.filter(|&node| !used[node]) {
                used[node] = true;
                at = index(self.nodes[node].parent);
            }
        };
        for corner in &self.corners {
            bones(corner, &mut mark);
        }
        let used = self.nodes.iter().zip(used).filter(|&(_, used)| used).map(|(node, _)| node);
        let mut used: Vec<&Node> = used.collect();
        used.sort_by_key(|node| node.number);
        used
    }
}

/// A line without its end, as a program sees it that opens the file as text: a carriage return before the line feed is gone.
struct Raw<'a> {
    number: u32,
    text: &'a [u8],
    has_end: bool,
}

fn raw_lines(bytes: &[u8]) -> impl Iterator<Item = Raw<'_>> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')).map(|(number, line)| match line.strip_suffix(b"\n") {
        Some(text) => Raw { number, text: text.strip_suffix(b"\r").unwrap_or(text), has_end: true },
        None => Raw { number, text: line, has_end: false },
    })
}

pub fn read(path: &str, role: Role, bytes: &[u8]) -> Smd {
    let mut reader = Reader {
        smd: Smd {
            path: path.to_string(),
            role,
            version: None,
            nodes: Vec::new(),
            by_number: HashMap::new(),
            nodes_end: None,
            times: Vec::new(),
            shape_times: Vec::new(),
            corners: Vec::new(),
            links: Vec::new(),
            materials: Vec::new(),
            strays: Vec::new(),
            oddities: Vec::new(),
        },
        block: None,
        last: None,
        number: None,
        strays_since: 0,
        corners_due: 0,
    };
    for raw in raw_lines(bytes) {
        reader.line(&raw);
    }
    if let Some(block) = reader.block {
        let last = raw_lines(bytes).last().map_or(1, |raw| raw.number);
        reader.odd(last, What::NoEnd(block), "");
    }
    reader.smd
}

struct Reader {
    smd: Smd,
    block: Option<Block>,
    /// The block read before.
    last: Option<Block>,
    /// The number read last, behind a `time`.
    number: Option<i64>,
    /// Where the strays of the present time begin.
    strays_since: usize,
    /// How many lines of the triangle are still to come.
    corners_due: usize,
}

impl Reader {
    fn odd(&mut self, line: u32, what: What, text: &str) {
        // A file that is nothing but faults needs no list of them all.
        if self.smd.oddities.len() < 2000 {
            self.smd.oddities.push(Oddity { line, what, text: text.chars().take(60).collect() });
        }
    }

    fn line(&mut self, raw: &Raw) {
        let trimmed = lines::trim_end(lines::trim_start(raw.text));
        let text = bundle::decode(trimmed);
        let line = raw.number;
        let Some(block) = self.block else { return self.between(line, trimmed, &text) };
        // The compilers compare `end` with what the line begins with.
        if text == "end" && (self.corners_due == 0 || self.corners_due == 3) {
            if raw.text.len() != 3 {
                self.odd(line, What::BlanksAfterEnd(block), "end ");
            } else if !raw.has_end {
                self.odd(line, What::EndWithoutLineEnd(block), "end");
            }
            self.last = self.block.take();
            self.corners_due = 0;
            self.number = None;
            if block == Block::Nodes {
                self.smd.nodes_end = Some(line);
            }
            return;
        }
        let is_comment = text.starts_with("//");
        match block {
            _ if is_comment => self.odd(line, What::CommentIn(block), &text),
            Block::Triangles => self.triangle_line(line, trimmed, &text),
            _ if text.is_empty() => {
                self.odd(line, What::EmptyLineIn(block), "");
                if let Some(time) = self.number.filter(|_| self.smd.strays.len() < 2000) {
                    self.smd.strays.push(Stray { line, block, time, moves_rows: false });
                }
            }
            Block::Nodes => match node(line, trimmed) {
                Some(node) => {
                    self.smd.by_number.insert(node.number, self.smd.nodes.len());
                    self.smd.nodes.push(node);
                }
                None => self.odd(line, What::BadNode, &text),
            },
            Block::Skeleton | Block::Shapes => self.pose_line(block, line, trimmed, &text),
        }
    }

    fn between(&mut self, line: u32, trimmed: &[u8], text: &str) {
        let mut fields = Fields::new(trimmed);
        let word = bundle::decode(fields.word());
        match word.to_ascii_lowercase().as_str() {
            "" => self.odd(line, What::EmptyLine(self.last), ""),
            "version" => self.smd.version = Some((line, fields.int().ok())),
            "nodes" => self.block = Some(Block::Nodes),
            "skeleton" => self.block = Some(Block::Skeleton),
            "triangles" => {
                self.block = Some(Block::Triangles);
                self.corners_due = 0;
            }
            "vertexanimation" => self.block = Some(Block::Shapes),
            _ => self.odd(line, What::UnknownCommand(self.last), text),
        }
    }

    fn triangle_line(&mut self, line: u32, trimmed: &[u8], text: &str) {
        if self.corners_due == 0 {
            if text.is_empty() {
                self.odd(line, What::EmptyMaterial, "");
            }
            self.smd.materials.push((line, text.to_string()));
            self.corners_due = 3;
            return;
        }
        self.corners_due -= 1;
        let first = self.smd.links.len();
        let corner = match corner(line, trimmed, &mut self.smd.links) {
            Some((corner, is_whole)) => {
                if !is_whole {
                    self.odd(line, What::MissingLinks, text);
                }
                corner
            }
            None => {
                self.odd(line, What::BadCorner, text);
                let (position, normal) = (Vec3::ZERO, Vec3::ZERO);
                Corner { line, bone: i64::MIN, position, normal, uv: [0.0; 2], links: (first, 0) }
            }
        };
        self.smd.corners.push(corner);
    }

    fn pose_line(&mut self, block: Block, line: u32, trimmed: &[u8], text: &str) {
        let mut fields = Fields::new(trimmed);
        if Fields::new(trimmed).word() == b"time" {
            fields.word();
            match fields.int() {
                Ok(time) => {
                    self.times(block).push(Time { line, time, rows: Vec::new() });
                    self.number = Some(time);
                    self.strays_since = self.smd.strays.len();
                }
                Err(_) => self.odd(line, What::BadRow(block), text),
            }
            return;
        }
        let row = fields.int().ok().and_then(|bone| Some((bone, fields.floats::<6>().ok()?)));
        let present = self.times(block).last().map(|time| time.time);
        if let Some((bone, _)) = row
            && present.is_some()
        {
            self.number = Some(bone);
            for stray in &mut self.smd.strays[self.strays_since..] {
                stray.moves_rows = Some(stray.time) != present;
            }
            self.strays_since = self.smd.strays.len();
        }
        match (row, self.times(block).last_mut()) {
            (None, _) => self.odd(line, What::BadRow(block), text),
            (Some(_), None) => self.odd(line, What::BeforeTime(block), text),
            // The numbers of shapes are of no use to any rule.
            (Some(_), Some(_)) if block == Block::Shapes => {}
            (Some(row), Some(time)) => time.rows.push(row),
        }
    }

    fn times(&mut self, block: Block) -> &mut Vec<Time> {
        match block {
            Block::Shapes => &mut self.smd.shape_times,
            _ => &mut self.smd.times,
        }
    }
}

/// `%d "%[^"]" %d`, as both compilers read it.
fn node(line: u32, text: &[u8]) -> Option<Node> {
    let mut fields = Fields::new(text);
    let number = fields.int().ok()?;
    let rest = fields.rest().strip_prefix(b"\"")?;
    let end = rest.iter().position(|&byte| byte == b'"').filter(|&end| end > 0)?;
    let parent = Fields::new(&rest[end + 1..]).int().ok()?;
    Some(Node { line, number, name: bundle::decode(&rest[..end]), parent })
}

/// A corner, and whether all of the links that it counts are there.
fn corner(line: u32, text: &[u8], links: &mut Vec<(i64, f32)>) -> Option<(Corner, bool)> {
    let mut fields = Text { number: line, column: 1, text }.fields();
    let bone = fields.int().ok()?;
    let [px, py, pz, nx, ny, nz, u, v] = fields.floats().ok()?;
    let first = links.len();
    let mut is_whole = true;
    for _ in 0..fields.int().unwrap_or(0).max(0) {
        match (fields.int(), fields.float()) {
            (Ok(bone), Ok(weight)) => links.push((bone, weight)),
            _ => {
                // The compiler stops here, so none of them counts.
                is_whole = false;
                links.truncate(first);
                break;
            }
        }
    }
    let (position, normal) = (Vec3::new(px, py, pz), Vec3::new(nx, ny, nz));
    Some((Corner { line, bone, position, normal, uv: [u, v], links: (first, links.len() - first) }, is_whole))
}

pub fn gather(facts: &mut Facts) {
    let bundle = facts.bundle;
    let path = facts.path.clone();
    let role_of = |path: &str, bytes: &[u8]| match bundle::extension(path).as_str() {
        "vta" => Role::Shapes,
        _ if crate::format::smd::has_triangles(bytes) => Role::Reference,
        _ => Role::Animation,
    };
    let Some(bytes) = bundle.read(&path) else { return };
    let main = read(&path, role_of(&path, &bytes), &bytes);
    let mut others = Vec::new();
    if main.role == Role::Reference {
        let folder = bundle::key(bundle::folder(&path));
        // Without a script, what lies in the same folder or below may belong to it.
        for other in bundle.paths().filter(|other| *other != path && bundle::key(other).starts_with(&folder)) {
            if ["smd", "vta"].contains(&bundle::extension(other).as_str())
                && let Some(bytes) = bundle.read(other)
            {
                others.push(read(other, role_of(other, &bytes), &bytes));
            }
        }
        let names = |smd: &Smd| smd.nodes.iter().map(|node| node.name.clone()).collect::<HashSet<_>>();
        let references: Vec<_> = others.iter().filter(|smd| smd.role == Role::Reference).map(names).collect();
        let own = names(&main);
        // Another reference is another model; an animation or shapes that fit it, and not this one, are its own.
        others.retain(|smd| {
            let theirs = names(smd);
            let fits = |bones: &HashSet<String>| !bones.is_disjoint(&theirs);
            smd.role != Role::Reference && (fits(&own) || !references.iter().any(fits))
        });
    }
    facts.smds = std::iter::once(main).chain(others).collect();
    images(facts, &[], Vec::new());
}

/// Looks for the images of the reference files' materials, and of those that a script names: in the folders of $cdtexture,
/// then beside the file.
pub fn images(facts: &mut Facts, folders: &[String], of_script: Vec<String>) {
    let mut names: Vec<(String, String)> = Vec::new();
    let references = facts.smds.iter().filter(|smd| smd.role == Role::Reference);
    let worn = references.flat_map(|smd| smd.materials.iter().map(|(_, name)| (name, &smd.path)));
    let of_script = of_script.iter().map(|name| (name, &facts.path));
    for (name, path) in worn.chain(of_script).filter(|(name, _)| !name.is_empty()) {
        if !names.iter().any(|(known, _)| known.eq_ignore_ascii_case(name)) {
            names.push((name.clone(), path.clone()));
        }
        // More than any compiler takes.
        if names.len() > 1000 {
            return;
        }
    }
    for (name, beside) in names {
        let in_folders = folders.iter().map(|folder| format!("{}/{name}", folder.trim_end_matches(['/', '\\'])));
        let near = bundle::folder(&beside);
        let mut tried = in_folders.chain([name.clone()]);
        let path = tried.find_map(|path| facts.bundle.resolve(&path, near, &[]).path);
        let path = path.filter(|path| bundle::extension(path) == bundle::extension(&name));
        let bytes = path.as_deref().and_then(|path| facts.bundle.read(path)).map(|bytes| bytes.into_owned());
        facts.images.push(Image { name, path, bytes: bytes.unwrap_or_default() });
    }
}
