//! Would the game load these files, and if not, what would it say? In come dropped files, out comes a verdict for each engine
//! that reads them, with everything its rules found.
//!
//! A rule is a row of data and a way to look: [`RULES`] is the one table that the check, its tests (`tests/check.rs`) and its page
//! (`www/docs/checks.md`) go by. The engines' words are quoted short; the files they stand in are named in `why`.

mod alike;
mod doom3;
mod facts;
mod goldsrc;
mod quake3;
mod source;

use std::collections::HashSet;

use crate::bundle::Bundle;
use crate::report::{At, Diagnostic};

pub use facts::Facts;

/// Whose rules are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Engine {
    /// Doom 3 and dhewm3.
    Doom3,
    /// Quake III and ioquake3.
    Quake3,
    /// Half-Life's `studiomdl`, which makes the .mdl that the game loads.
    GoldSrc,
    /// Source's `studiomdl`.
    Source,
}

impl Engine {
    pub const ALL: [Engine; 4] = [Engine::Doom3, Engine::Quake3, Engine::GoldSrc, Engine::Source];

    /// As the API and the rules' ids have it.
    pub fn id(self) -> &'static str {
        match self {
            Engine::Doom3 => "doom3",
            Engine::Quake3 => "quake3",
            Engine::GoldSrc => "goldsrc",
            Engine::Source => "source",
        }
    }

    /// As people say it.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Doom3 => "Doom 3",
            Engine::Quake3 => "Quake III",
            Engine::GoldSrc => "Half-Life (studiomdl)",
            Engine::Source => "Source (studiomdl)",
        }
    }

    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|engine| engine.id().eq_ignore_ascii_case(id))
    }
}

/// How much a finding matters to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The game works as meant; a modder may still want to know.
    Notes,
    /// The game loads the file and complains, or will on some machines.
    Warns,
    /// The game loads the file and shows something else than the file says.
    Changes,
    /// The game, or its compiler, does not take the file.
    Refuses,
}

impl Severity {
    pub fn id(self) -> &'static str {
        match self {
            Severity::Notes => "notes",
            Severity::Warns => "warns",
            Severity::Changes => "changes",
            Severity::Refuses => "refuses",
        }
    }
}

/// One thing that an engine tests, or does in silence.
pub struct Rule {
    /// Begins with the engine's id: `doom3-md5-version`.
    pub id: &'static str,
    pub engine: Engine,
    pub severity: Severity,
    /// The versions it holds for; empty where all of them do.
    pub since: &'static str,
    /// The engine's own words, short, with its `%s` and `%d`; empty where it says nothing.
    pub says: &'static str,
    /// What happens, and where the engine's source does it.
    pub why: &'static str,
    pub mend: &'static str,
    find: Find,
}

impl Engine {
    /// A rule of this engine that holds for all versions.
    const fn rule(
        self,
        id: &'static str,
        severity: Severity,
        says: &'static str,
        why: &'static str,
        mend: &'static str,
        find: Find,
    ) -> Rule {
        Rule { id, engine: self, severity, since: "", says, why, mend, find }
    }
}

impl Rule {
    /// The same for some versions only.
    const fn since(self, since: &'static str) -> Self {
        Self { since, ..self }
    }
}

/// How a rule finds what it is about.
enum Find {
    /// The reader of a format met it already, and quoted one of these words of the engine.
    Said(&'static str, &'static [&'static str]),
    Look(fn(&Facts, &mut Found)),
}

/// Every rule of every engine.
pub const RULES: [&[Rule]; 4] = [doom3::RULES, quake3::RULES, goldsrc::RULES, source::RULES];

pub fn rules() -> impl Iterator<Item = &'static Rule> {
    RULES.into_iter().flatten()
}

/// What an engine makes of the files.
pub struct Verdict {
    pub engine: Engine,
    pub outcome: Outcome,
    /// The gravest first.
    pub findings: Vec<Finding>,
    /// How many findings there were beyond those listed.
    pub left_out: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing but notes.
    Loads,
    /// It loads, but.
    Warns,
    Refused,
}

impl Outcome {
    pub fn id(self) -> &'static str {
        match self {
            Outcome::Loads => "loads",
            Outcome::Warns => "warns",
            Outcome::Refused => "refused",
        }
    }
}

/// A rule and a place where it holds.
pub struct Finding {
    pub rule: &'static Rule,
    pub place: Place,
    /// What stands there, as a sentence without an end.
    pub message: String,
}

/// Where something was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Place {
    pub file: String,
    pub at: At,
    /// From the outside in, as in reports: `mesh[0].vert[1]`. May be empty.
    pub inside: String,
    /// What to point at in the view.
    pub subject: Option<Subject>,
}

/// Something that a view can point at. Meshes and vertices count as in the file.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// By name.
    Joint(String),
    Mesh {
        /// Of a player; empty elsewhere.
        part: String,
        mesh: usize,
    },
    /// By name: in Valve's files that of its material.
    MeshNamed(String),
    Vertex {
        part: String,
        mesh: usize,
        vertex: usize,
    },
    Tag {
        part: String,
        tag: String,
    },
    /// A clip by name.
    Clip(String),
}

impl Place {
    fn file(path: &str) -> Self {
        Self { file: path.to_string(), ..Self::default() }
    }

    fn line(path: &str, line: u32) -> Self {
        Self { at: At::Text { line, column: 1 }, ..Self::file(path) }
    }

    fn byte(path: &str, offset: usize) -> Self {
        Self { at: At::Byte(offset as u64), ..Self::file(path) }
    }

    fn at(self, at: At) -> Self {
        Self { at, ..self }
    }

    fn inside(self, inside: impl Into<String>) -> Self {
        Self { inside: inside.into(), ..self }
    }

    fn subject(self, subject: Subject) -> Self {
        Self { subject: Some(subject), ..self }
    }
}

/// Where a rule puts what it finds.
struct Found<'a> {
    rule: &'static Rule,
    findings: &'a mut Vec<Finding>,
    /// Of this rule so far.
    count: usize,
    left_out: &'a mut usize,
}

impl Found<'_> {
    /// A fault in every line is told so many times, then only counted.
    const LIMIT: usize = 20;

    fn add(&mut self, place: Place, message: impl Into<String>) {
        self.count += 1;
        if self.count <= Self::LIMIT {
            self.findings.push(Finding { rule: self.rule, place, message: message.into() });
        } else {
            *self.left_out += 1;
        }
    }
}

/// Everything among the files that can be asked about, by path: model scripts, models, cameras, and what stands alone.
pub fn paths(bundle: &Bundle) -> Vec<String> {
    let is_script = |path: &&str| crate::bundle::extension(path) == "qc";
    let mut paths: Vec<String> = bundle.paths().filter(is_script).map(str::to_string).collect();
    // What a script names is checked with it.
    let scripts = paths.iter().filter_map(|script| Facts::gather(bundle, script));
    let mut known: HashSet<String> = scripts.flat_map(|facts| facts.smds).map(|smd| smd.path).collect();
    known.extend(paths.iter().cloned());
    let candidates = crate::open::candidates(bundle);
    let any_whole = !paths.is_empty() || candidates.iter().any(|candidate| candidate.whole);
    for candidate in candidates {
        // Animations are checked with the models that they move; a camera belongs to none.
        let alone = candidate.whole || !any_whole || crate::bundle::extension(&candidate.path) == "md5camera";
        if alone && known.insert(candidate.path.clone()) {
            paths.push(candidate.path);
        }
    }
    if paths.is_empty() {
        // Shapes alone are nothing to show, and yet something to check.
        paths.extend(bundle.paths().filter(|path| facts::kind(bundle, path).is_some()).map(str::to_string));
    }
    paths
}

/// What the engines that read such files would do with the one at `path` and what belongs to it; `None` is the first of
/// [`paths`]. The engine that the files are made for comes first. With an engine, its verdict alone; none, if it does not read
/// such files.
pub fn check(bundle: &Bundle, path: Option<&str>, engine: Option<Engine>) -> Vec<Verdict> {
    let path = match path {
        Some(path) => bundle.find(path).map(str::to_string),
        None => paths(bundle).into_iter().next(),
    };
    let Some(facts) = path.and_then(|path| Facts::gather(bundle, &path)) else { return Vec::new() };
    let asked = facts.engines().iter().copied().filter(|asked| engine.is_none_or(|engine| engine == *asked));
    asked.map(|engine| judge(&facts, engine)).collect()
}

fn judge(facts: &Facts, engine: Engine) -> Verdict {
    let mut findings = Vec::new();
    let mut left_out = 0;
    for rule in RULES[engine as usize] {
        let mut found = Found { rule, findings: &mut findings, count: 0, left_out: &mut left_out };
        match rule.find {
            Find::Said(format, words) => said(facts, format, words, &mut found),
            Find::Look(look) => look(facts, &mut found),
        }
    }
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.rule.severity));
    let outcome = match findings.first().map(|finding| finding.rule.severity) {
        Some(Severity::Refuses) => Outcome::Refused,
        Some(Severity::Changes | Severity::Warns) => Outcome::Warns,
        Some(Severity::Notes) | None => Outcome::Loads,
    };
    Verdict { engine, outcome, findings, left_out }
}

/// What the reader of a format met and quoted the engine about.
fn said(facts: &Facts, format: &str, words: &[&str], found: &mut Found) {
    for (_, diagnostic) in facts.said.iter().filter(|(of, _)| format.is_empty() || *of == format) {
        let Some(sentence) = diagnostic.engine.as_deref() else { continue };
        if words.iter().any(|words| sentence.contains(words)) {
            let message = format!("expected {}, found {}", diagnostic.expected, diagnostic.found);
            found.add(place_of(facts, diagnostic), message);
        }
    }
}

fn place_of(facts: &Facts, diagnostic: &Diagnostic) -> Place {
    Place {
        file: diagnostic.file.clone(),
        at: diagnostic.at,
        inside: diagnostic.place.clone(),
        subject: facts.subject(&diagnostic.place),
    }
}
