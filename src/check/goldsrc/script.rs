//! Model scripts under Half-Life's compiler's rules: in come commands, out comes what ParseScript and SimplifyModel would say.

use super::super::facts::qc::Command;
use super::super::facts::smd::Role;
use super::super::{Facts, Found, Place, Subject};
use super::bone_table;
use crate::format::qc::tokens;

/// Every command there is.
#[rustfmt::skip]
const COMMANDS: &[&str] = &[
    "$modelname", "$cd", "$cdtexture", "$scale", "$root", "$pivot", "$controller", "$body", "$bodygroup", "$sequence",
    "$sequencegroup", "$sequencegroupsize", "$eyeposition", "$origin", "$bbox", "$cbox", "$mirrorbone", "$gamma", "$flags",
    "$texturegroup", "$hgroup", "$hbox", "$attachment", "$externaltextures", "$cliptotextures", "$renamebone", "$texrendermode",
];

fn place(place: &tokens::Place) -> Place {
    Place::file(&place.file).at(place.at)
}

fn commands<'a>(facts: &'a Facts) -> impl Iterator<Item = &'a Command> {
    facts.script.iter().flat_map(|script| &script.commands)
}

fn named<'a>(facts: &'a Facts, name: &'static str) -> impl Iterator<Item = &'a Command> {
    commands(facts).filter(move |command| command.name == name)
}

pub fn command(facts: &Facts, found: &mut Found) {
    for command in commands(facts).filter(|command| !COMMANDS.contains(&command.name.as_str())) {
        found.add(place(&command.place), format!("`{}`", command.name));
    }
}

pub fn two_cd(facts: &Facts, found: &mut Found) {
    for command in named(facts, "$cd").skip(1) {
        found.add(place(&command.place), "another $cd");
    }
}

pub fn missing(facts: &Facts, found: &mut Found) {
    for (name, at) in facts.script.iter().flat_map(|script| &script.missing) {
        found.add(place(at), format!("no `{name}`"));
    }
}

pub fn extension(facts: &Facts, found: &mut Found) {
    let files = facts.script.iter().flat_map(|script| script.files());
    for file in files.filter(|file| file.name.to_ascii_lowercase().ends_with(".smd")) {
        found.add(place(&file.place), format!("`{}`", file.name));
    }
}

pub fn render_mode(facts: &Facts, found: &mut Found) {
    for command in named(facts, "$texrendermode") {
        let mode = command.arguments.get(1).map_or("", String::as_str);
        if !["additive", "masked"].contains(&mode) {
            found.add(place(&command.place), format!("`{mode}`"));
        }
    }
}

pub fn texture_group(facts: &Facts, found: &mut Found) {
    let first_body = commands(facts).position(|command| ["$body", "$bodygroup"].contains(&command.name.as_str()));
    for (index, command) in commands(facts).enumerate().filter(|(_, command)| command.name == "$texturegroup") {
        if first_body.is_none_or(|body| body > index) {
            found.add(place(&command.place), "no $body before it");
        }
    }
}

pub fn attachment(facts: &Facts, found: &mut Found) {
    bones_of(facts, "$attachment", 1, found);
}

pub fn hitbox(facts: &Facts, found: &mut Found) {
    bones_of(facts, "$hbox", 1, found);
}

pub fn hitgroup(facts: &Facts, found: &mut Found) {
    bones_of(facts, "$hgroup", 1, found);
}

pub fn controller(facts: &Facts, found: &mut Found) {
    bones_of(facts, "$controller", 1, found);
}

/// Tells of every command of a name whose argument is no bone of the model, case aside.
fn bones_of(facts: &Facts, name: &'static str, argument: usize, found: &mut Found) {
    let (table, _) = bone_table(facts);
    // Without the files of the bodies, nothing is known of its bones.
    if table.is_empty() {
        return;
    }
    for command in named(facts, name) {
        let Some(bone) = command.arguments.get(argument) else { continue };
        if !table.iter().any(|known| known.name.eq_ignore_ascii_case(bone)) {
            found.add(place(&command.place).subject(Subject::Joint(bone.clone())), format!("`{bone}`"));
        }
    }
}

pub fn event(facts: &Facts, found: &mut Found) {
    for sequence in facts.script.iter().flat_map(|script| &script.parsed.sequences) {
        let Some(file) = sequence.files.first() else { continue };
        let stem = crate::bundle::stem(&file.name);
        let smd = facts.of(Role::Animation).find(|smd| crate::bundle::stem(&smd.path).eq_ignore_ascii_case(stem));
        let posed = smd.iter().flat_map(|smd| smd.times.iter().filter(|time| !time.rows.is_empty()));
        let times = posed.map(|time| time.time);
        let (first, last) = sequence.frames.unwrap_or((i64::MIN, i64::MAX));
        let times: Vec<i64> = times.filter(|time| (first..=last).contains(time)).collect();
        let (Some(&first), Some(&last)) = (times.iter().min(), times.iter().max()) else { continue };
        for event in sequence.events.iter().filter(|event| !(first..=last).contains(&event.frame)) {
            let message = format!("event at frame {} of `{}`, which has {first} to {last}", event.frame, sequence.name);
            found.add(place(&sequence.place).subject(Subject::Clip(sequence.name.clone())), message);
        }
    }
}

pub fn models(facts: &Facts, found: &mut Found) {
    let bodies = facts.script.iter().flat_map(|script| &script.parsed.bodies);
    let count: usize = bodies.map(|body| body.choices.len()).sum();
    if count > 32 {
        found.add(Place::file(&facts.path), format!("{count} bodies"));
    }
}
