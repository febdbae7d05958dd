//! Model scripts: in comes a .qc, out come its commands as they stand, and every file that they name.

use super::Facts;
use super::smd::{self, Role};
use crate::bundle;
use crate::format::qc;
use crate::format::qc::tokens::{Place, Word, Words};
use crate::report::Report;

pub struct Script {
    /// In their order, with those of included scripts.
    pub commands: Vec<Command>,
    /// As the viewer's own reader understands it.
    pub parsed: qc::Script,
    /// Files that are not there, with the place that names them.
    pub missing: Vec<(String, Place)>,
}

impl Script {
    /// Every file of a body or a sequence.
    pub fn files(&self) -> impl Iterator<Item = &qc::FileName> {
        let bodies = self.parsed.bodies.iter().flat_map(|body| body.choices.iter().flatten());
        let sequences = self.parsed.sequences.iter().flat_map(|sequence| &sequence.files);
        bodies.map(|studio| &studio.file).chain(sequences)
    }

    /// Half-Life's compiler puts the extension itself behind a file's name.
    pub fn is_for_source(&self) -> bool {
        let has_extension = |file: &qc::FileName| ["smd", "dmx"].contains(&bundle::extension(&file.name).as_str());
        self.parsed.is_source || !self.parsed.is_half_life && self.files().any(has_extension)
    }
}

/// A word that begins a line with a dollar.
pub struct Command {
    pub name: String,
    pub place: Place,
    /// Behind it on its line.
    pub arguments: Vec<String>,
}

pub fn gather(facts: &mut Facts) {
    let bundle = facts.bundle;
    let path = facts.path.clone();
    let Some(bytes) = bundle.read(&path) else { return };
    let near = bundle::folder(&path);
    let mut include = |name: &str| {
        let lookup = bundle.resolve(name, near, &["qci", "qc"]);
        let found = lookup.path.and_then(|path| Some((bundle.read(&path)?.into_owned(), path)));
        found.map(|(bytes, path)| (path, bytes)).ok_or(lookup.tried)
    };
    let mut report = Report::default();
    let parsed = qc::read(&path, &bytes, &mut include, &mut report);
    facts.hear("QC", &path, report);
    let commands = commands(&path, bytes.to_vec(), &mut include);

    let mut missing = Vec::new();
    let mut add = |facts: &mut Facts, file: &qc::FileName, role: Role| {
        let name = match file.folder.as_str() {
            "" => file.name.clone(),
            folder => format!("{}/{}", folder.trim_end_matches(['/', '\\']), file.name),
        };
        let extension = if role == Role::Shapes { "vta" } else { "smd" };
        let Some(found) = facts.bundle.resolve(&name, near, &[extension]).path else {
            missing.push((file.name.clone(), file.place.clone()));
            return;
        };
        // A .dmx is read by Source's compiler, not here.
        let is_ours = ["smd", "vta"].contains(&bundle::extension(&found).as_str());
        let known = facts.smds.iter().any(|smd| smd.path == found && smd.role == role);
        if is_ours
            && !known
            && let Some(bytes) = facts.bundle.read(&found)
        {
            facts.smds.push(smd::read(&found, role, &bytes));
        }
    };
    for studio in parsed.bodies.iter().flat_map(|body| body.choices.iter().flatten()) {
        add(facts, &studio.file, Role::Reference);
        if let Some(flexes) = &studio.flexes {
            add(facts, &flexes.file, Role::Shapes);
        }
    }
    let names_animation =
        |name: &str| parsed.animations.iter().any(|animation| animation.name.eq_ignore_ascii_case(name));
    for sequence in parsed.sequences.iter().chain(&parsed.animations) {
        for file in sequence.files.iter().filter(|file| !names_animation(&file.name)) {
            add(facts, file, Role::Animation);
        }
    }
    // The first group is the one that the compilers use; a texture that a command names is one of the model's.
    let groups = parsed.texture_groups.first().into_iter().flatten().flatten().cloned();
    let modes = parsed.render_modes.iter().map(|(name, _)| name.clone());
    smd::images(facts, &parsed.texture_folders, groups.chain(modes).collect());
    facts.script = Some(Script { commands, parsed, missing });
}

fn commands(path: &str, bytes: Vec<u8>, include: &mut qc::tokens::Include) -> Vec<Command> {
    let mut words = Words::new(path, bytes, include);
    let mut commands = Vec::new();
    // The compilers know no more scripts of this length than people write.
    while let Some(word) = words.word()
        && commands.len() < 10_000
    {
        let Word { text, is_quoted, begins_line, place } = word;
        if is_quoted || !begins_line || !text.starts_with('$') {
            continue;
        }
        let mut arguments = Vec::new();
        while let Some(word) = words.word_on_line() {
            arguments.push(word.text);
        }
        commands.push(Command { name: text, place, arguments });
    }
    commands
}
