//! The commands of a .qc: in come words, out comes the script.

use std::f32::consts::FRAC_PI_2;

use glam::Vec3;
use hashbrown::HashSet;

use super::tokens::{Include, Place, Word, Words};
use super::{Attachment, Body, FileName, FlexFile, HitBox, Placement, Script, Sequence, SequenceEvent, Studio};
use crate::material::RenderMode;
use crate::model::Info;
use crate::report::Report;

/// Reads a script and what it includes. Whatever is wrong goes to the report, with the files' paths; the rest counts.
pub fn read(path: &str, bytes: &[u8], include: &mut Include, report: &mut Report) -> Script {
    let mut reader = Reader {
        words: Words::new(path, bytes.to_vec(), include),
        script: Script::default(),
        report,
        placement: Placement::default(),
        half_life_origin: Vec3::ZERO,
        folder: String::new(),
        pushed: Vec::new(),
        unused: Vec::new(),
        unused_known: HashSet::new(),
    };
    reader.commands();
    let Reader { words, script, report, unused, .. } = reader;
    report.append(path, words.findings);
    if let Some((_, first)) = unused.first() {
        let mut names: Vec<String> = unused.iter().take(24).map(|(name, _)| format!("`{name}`")).collect();
        if unused.len() > names.len() {
            names.push("…".to_string());
        }
        let finding = first.warning("commands that change what is seen", names.join(", "));
        report.push(finding.engine("Not used by the viewer."));
    }
    script
}

struct Reader<'a> {
    words: Words<'a>,
    script: Script,
    report: &'a mut Report,
    /// As of the last $scale, $origin or $upaxis.
    placement: Placement,
    /// Half-Life's `adjust`, which a $sequence sets and the meshes after it take.
    half_life_origin: Vec3,
    /// $cd
    folder: String,
    /// $pushd
    pushed: Vec<String>,
    /// Commands without a use here, each once, and where the first stands.
    unused: Vec<(String, Place)>,
    /// Their names in lower case.
    unused_known: HashSet<String>,
}

/// Commands that only Source's compiler knows.
const OF_SOURCE: &[&str] = &[
    "$model",
    "$cdmaterials",
    "$animation",
    "$upaxis",
    "$surfaceprop",
    "$jointsurfaceprop",
    "$contents",
    "$definebone",
    "$collisionmodel",
    "$collisionjoints",
    "$includemodel",
    "$lod",
    "$shadowlod",
    "$poseparameter",
    "$staticprop",
    "$hboxset",
    "$bonemerge",
    "$keyvalues",
    "$proceduralbones",
    "$jigglebone",
    "$ikchain",
    "$ikautoplaylock",
    "$illumposition",
    "$mostlyopaque",
    "$opaque",
    "$ambientboost",
    "$declaresequence",
    "$declareanimation",
    "$weightlist",
    "$defaultweightlist",
    "$unlockdefinebones",
    "$bonesaveframe",
    "$pushd",
    "$popd",
    "$definevariable",
    "$definemacro",
    "$animblocksize",
    "$constantdirectionallight",
    "$maxeyedeflection",
    "$motionrollback",
    "$skipboneinbbox",
    "$donotcastshadows",
    "$autocenter",
    "$fakevta",
    "$renamematerial",
    "$boneflexdriver",
    "$limitrotation",
    "$cmdlist",
    "$insertbone",
    "$hierarchy",
];

/// Commands that only Half-Life's knows: Source's textures are named by materials.
const OF_HALF_LIFE: &[&str] = &["$cdtexture", "$texrendermode"];

/// Options of a sequence that say nothing about what is seen, and how many words follow them.
const SKIPPED_OPTIONS: &[(&str, usize)] = &[
    ("deform", 0),
    ("snap", 0),
    ("delta", 0),
    ("predelta", 0),
    ("post", 0),
    ("worldspace", 0),
    ("worldspaceblend", 0),
    ("autoplay", 0),
    ("realtime", 0),
    ("hidden", 0),
    ("noanimation", 0),
    ("noanim", 0),
    ("autoik", 0),
    ("noautoik", 0),
    ("node", 1),
    ("transition", 2),
    ("rtransition", 2),
    ("pivot", 3),
    ("blendwidth", 1),
    ("blendref", 1),
    ("blendcomp", 1),
    ("blendcenter", 1),
    ("addlayer", 1),
    ("weightlist", 1),
    ("fadein", 1),
    ("fadeout", 1),
    ("exitphase", 1),
    ("activitymodifier", 1),
    ("subtract", 2),
    ("presubtract", 2),
    ("fixuploop", 2),
    ("match", 1),
    ("matchblend", 1),
    ("rotateto", 1),
    ("motionrollback", 1),
    ("compress", 1),
    ("numframes", 1),
    ("counterrotate", 1),
    ("startloop", 1),
    ("cmdlist", 1),
    ("rootdriver", 1),
];

/// Options of which all that follows on the line is part.
const LINE_OPTIONS: &[&str] = &[
    "blendlayer",
    "calcblend",
    "iklock",
    "ikrule",
    "align",
    "alignto",
    "alignbone",
    "alignboneto",
    "walkalign",
    "walkaligntoframe",
    "walkalignto",
    "localhierarchy",
    "counterrotateto",
    "bonesaveframe",
    "derivative",
    "posesplice",
];

/// How many words follow an option that is skipped.
fn skipped_words(option: &str) -> Option<usize> {
    SKIPPED_OPTIONS.iter().find(|(name, _)| *name == option).map(|&(_, count)| count)
}

/// Axes of motion (lookupControl): `None` for any other word, else the axis of a linear one.
fn control(word: &str) -> Option<Option<usize>> {
    let linear = ["lx", "ly", "lz"];
    let other =
        ["x", "y", "z", "xr", "yr", "zr", "ax", "ay", "az", "axr", "ayr", "azr", "lxr", "lyr", "lzr", "lm", "lq"];
    let word = word.to_ascii_lowercase();
    match linear.iter().position(|&control| control == word) {
        Some(axis) => Some(Some(axis)),
        None => other.contains(&word.as_str()).then_some(None),
    }
}

impl Reader<'_> {
    fn commands(&mut self) {
        while let Some(command) = self.words.word() {
            if command.is_quoted || !command.text.starts_with('$') {
                // The compilers skip what does not begin with a dollar.
                self.skip_line();
                continue;
            }
            let name = command.text.to_ascii_lowercase();
            self.script.is_source |= OF_SOURCE.contains(&name.as_str());
            self.script.is_half_life |= OF_HALF_LIFE.contains(&name.as_str());
            match name.as_str() {
                "$modelname" | "$surfaceprop" => self.text_info(&name, &command),
                "$cd" => {
                    self.folder = self.argument(&command, "a folder").text;
                    self.info(&name, Info::Text(self.folder.clone()));
                }
                "$pushd" => {
                    let folder = self.argument(&command, "a folder").text;
                    self.pushed.push(folder);
                }
                "$popd" => _ = self.pushed.pop(),
                "$cdtexture" => {
                    while let Some(word) = self.words.word_on_line() {
                        self.script.texture_folders.push(word.text);
                    }
                }
                "$cdmaterials" => {
                    while let Some(word) = self.words.word_on_line() {
                        self.script.material_folders.push(word.text);
                    }
                }
                "$scale" => self.placement.scale = self.number(&command),
                "$origin" => {
                    self.placement.origin = self.vector(&command);
                    if let Some(word) = self.words.word_on_line() {
                        self.placement.rotation.z = quarter_turned(self.parse(&word));
                    }
                }
                "$upaxis" => {
                    let axis = self.argument(&command, "an axis").text;
                    // Source turns the axis up, beside the quarter turn about z that is always there.
                    let (x, y) = match axis.to_ascii_lowercase().as_str() {
                        "x" => (0.0, FRAC_PI_2),
                        "-x" => (0.0, -FRAC_PI_2),
                        "y" => (FRAC_PI_2, 0.0),
                        "-y" => (-FRAC_PI_2, 0.0),
                        _ => (0.0, 0.0),
                    };
                    self.placement.rotation = Vec3::new(x, y, FRAC_PI_2);
                }
                "$body" | "$model" => self.body(&command),
                "$bodygroup" => self.bodygroup(&command),
                "$sequence" => {
                    if let Some(sequence) = self.sequence(&command) {
                        self.script.sequences.push(sequence);
                    }
                }
                "$animation" => {
                    if let Some(animation) = self.sequence(&command) {
                        self.script.animations.push(animation);
                    }
                }
                "$texturegroup" => self.texture_group(&command),
                "$texrendermode" => self.render_mode(&command),
                "$renamebone" => {
                    let from = self.argument(&command, "a bone").text;
                    let to = self.argument(&command, "its new name").text;
                    self.script.renamed_joints.push((from, to));
                }
                "$mirrorbone" => {
                    let joint = self.argument(&command, "a bone").text;
                    self.script.mirrored_joints.push(joint);
                }
                "$attachment" => self.attachment(&command),
                "$hbox" => self.hitbox(&command),
                "$controller" => self.line_info("$controller"),
                "$hgroup" => self.line_info("$hgroup"),
                "$gamma" => {
                    let gamma = self.number(&command);
                    self.info("$gamma", Info::Number(f64::from(gamma)));
                }
                "$flags" => {
                    let flags = self.number(&command);
                    self.info("$flags", Info::Number(f64::from(flags)));
                }
                "$eyeposition" => {
                    // Half-Life's studiomdl turns it like the sequences.
                    let p = self.vector(&command);
                    self.info("$eyeposition", vector_info(Vec3::new(-p.y, p.x, p.z)));
                }
                "$bbox" | "$cbox" => {
                    let (min, max) = (self.vector(&command), self.vector(&command));
                    self.info(&name, Info::List(vec![vector_info(min), vector_info(max)]));
                }
                "$externaltextures" | "$cliptotextures" => self.info(&name, Info::Flag(true)),
                "$definevariable" => {
                    let name = self.argument(&command, "a name").text;
                    let value = self.argument(&command, "a value").text;
                    self.words.define(name, value);
                }
                _ => self.unused(&command),
            }
        }
    }

    /// A command without a use here: it is noted once, its line and its block are skipped.
    fn unused(&mut self, command: &Word) {
        self.note_unused(command);
        self.skip_options();
    }

    fn note_unused(&mut self, command: &Word) {
        if self.unused_known.insert(command.text.to_ascii_lowercase()) {
            self.unused.push((command.text.clone(), command.place.clone()));
        }
    }

    fn skip_line(&mut self) {
        while self.words.word_on_line().is_some() {}
    }

    /// Skips what is left of a line, and a block that begins on it or on the next.
    fn skip_options(&mut self) {
        let mut depth = 0_usize;
        loop {
            let goes_on = depth > 0;
            match self.words.peek() {
                Some(word) if goes_on || !word.begins_line || word.is("{") => {
                    if word.is("{") {
                        depth += 1;
                    } else if word.is("}") {
                        if !goes_on {
                            return;
                        }
                        depth -= 1;
                    }
                    self.words.word();
                }
                _ => return,
            }
        }
    }

    /// The next word of a command's line; empty, with a finding, where the line ends.
    fn argument(&mut self, command: &Word, expected: &'static str) -> Word {
        match self.words.word_on_line() {
            Some(word) => word,
            None => {
                let finding = command.place.warning(expected, "the end of the line").inside(&command.text);
                self.report.push(finding.engine("Half-Life's studiomdl stops: \"Line is incomplete\"."));
                Word { text: String::new(), is_quoted: true, begins_line: false, place: command.place.clone() }
            }
        }
    }

    fn number(&mut self, command: &Word) -> f32 {
        let word = self.argument(command, "a number");
        if word.text.is_empty() { 0.0 } else { self.parse(&word) }
    }

    fn integer(&mut self, command: &Word) -> i64 {
        self.number(command) as i64
    }

    fn vector(&mut self, command: &Word) -> Vec3 {
        Vec3::new(self.number(command), self.number(command), self.number(command))
    }

    /// Like C's `atof`, which takes what it can read and 0 for the rest, but not in silence.
    fn parse(&mut self, word: &Word) -> f32 {
        let text = word.text.as_bytes();
        let is_number = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
        let longest = text.iter().position(|byte| !is_number(byte)).unwrap_or(text.len()).min(40);
        let read = (0..=longest).rev().find_map(|end| Some((end, crate::format::lines::parse_float(&text[..end])?)));
        let (end, value) = read.unwrap_or((0, 0.0));
        if end != text.len() {
            let finding = word.place.warning("a number", format!("`{}`", word.text));
            self.report.push(finding.engine(format!("studiomdl takes it for {value}.")));
        }
        value
    }

    fn info(&mut self, name: &str, value: Info) {
        self.script.info.retain(|(known, _)| known != name);
        self.script.info.push((name.to_string(), value));
    }

    fn text_info(&mut self, name: &str, command: &Word) {
        let text = self.argument(command, "a name").text;
        self.info(name, Info::Text(text));
    }

    /// Appends the rest of the line to a list.
    fn line_info(&mut self, name: &str) {
        let mut words = Vec::new();
        while self.words.peek().is_some_and(|word| !word.begins_line && !word.is("}")) {
            words.extend(self.words.word().map(|word| word.text));
        }
        let line = Info::Text(words.join(" "));
        match self.script.info.iter_mut().find(|(known, _)| known == name) {
            Some((_, Info::List(list))) => list.push(line),
            _ => self.script.info.push((name.to_string(), Info::List(vec![line]))),
        }
    }

    fn file(&self, word: Word) -> FileName {
        let mut folder = self.folder.clone();
        for pushed in &self.pushed {
            if !folder.is_empty() && !folder.ends_with(['/', '\\']) {
                folder.push('/');
            }
            folder.push_str(pushed);
        }
        FileName { name: word.text, folder, place: word.place }
    }

    /// `$body name file options`, and Source's `$model name file { options }`.
    fn body(&mut self, command: &Word) {
        let name = self.argument(command, "a name").text;
        if let Some(studio) = self.studio(command) {
            self.script.bodies.push(Body { name, choices: vec![Some(studio)] });
        }
    }

    /// `$bodygroup name { studio file options, blank }`
    fn bodygroup(&mut self, command: &Word) {
        let mut body = Body { name: self.argument(command, "a name").text, choices: Vec::new() };
        if !self.words.peek().is_some_and(|word| word.is("{")) {
            self.report.push(command.place.error("`{` after the name", "none").inside(&command.text));
            return;
        }
        self.words.word();
        loop {
            match self.words.word() {
                None => {
                    let finding = command.place.warning("`}` at the end", "end of file").inside(&command.text);
                    self.report.push(finding);
                    break;
                }
                Some(word) if word.is("}") => break,
                Some(word) if word.text.eq_ignore_ascii_case("blank") => body.choices.push(None),
                Some(word) if word.text.eq_ignore_ascii_case("studio") => {
                    if let Some(studio) = self.studio(&word) {
                        body.choices.push(Some(studio));
                    }
                }
                Some(word) => {
                    let finding = word.place.warning("`studio` or `blank`", format!("`{}`", word.text));
                    self.report.push(finding.inside(&command.text));
                    self.skip_line();
                }
            }
        }
        self.script.bodies.push(body);
    }

    /// A file, its options, and Source's block of them.
    fn studio(&mut self, command: &Word) -> Option<Studio> {
        let word = self.argument(command, "a file");
        if word.text.is_empty() {
            return None;
        }
        let mut studio = Studio {
            file: self.file(word),
            is_reversed: false,
            placement: self.placement,
            half_life_origin: self.half_life_origin,
            flexes: None,
        };
        while self.words.peek().is_some_and(|word| !word.begins_line && !word.is("{") && !word.is("}")) {
            let Some(word) = self.words.word() else { break };
            match word.text.to_ascii_lowercase().as_str() {
                "reverse" => studio.is_reversed = true,
                "scale" => studio.placement.scale = self.number(&word),
                _ => {
                    let finding = word.place.warning("`reverse` or `scale`", format!("`{}`", word.text));
                    self.report.push(finding.inside(&command.text));
                }
            }
        }
        // A brace that ends a $bodygroup on the same line is not ours to take, one that opens is.
        if self.words.peek().is_some_and(|word| word.is("{")) {
            self.words.word();
            self.model_options(&mut studio);
        }
        Some(studio)
    }

    /// The block of Source's $model: of it, the shapes can be shown.
    fn model_options(&mut self, studio: &mut Studio) {
        let mut depth = 1_usize;
        while depth > 0 {
            let Some(word) = self.words.word() else {
                self.report.push(studio.file.place.warning("`}` at the end", "end of file").inside("$model"));
                return;
            };
            if word.is("{") {
                depth += 1;
                continue;
            }
            if word.is("}") {
                depth -= 1;
                continue;
            }
            match word.text.to_ascii_lowercase().as_str() {
                "flexfile" => {
                    let file = self.argument(&word, "a .vta");
                    let names = studio.flexes.take().map_or(Vec::new(), |flexes| flexes.names);
                    studio.flexes = Some(FlexFile { file: self.file(file), names });
                }
                // The shape that the others start from.
                "defaultflex" => self.skip_line(),
                "flex" | "flexpair" => {
                    let name = self.argument(&word, "a name").text;
                    if let (Some(frame), Some(flexes)) = (self.frame_option(), &mut studio.flexes) {
                        flexes.names.push((frame, name));
                    }
                }
                // What moves the shapes in the game; here each has its own slider.
                "flexcontroller" => self.line_info("flexcontroller"),
                // Rules of flex controllers begin with a percent sign and have no name to list.
                _ if word.text.starts_with('%') => self.skip_line_of_block(),
                _ => {
                    self.note_unused(&word);
                    self.skip_line_of_block();
                }
            }
        }
    }

    /// `frame n` somewhere on what is left of a line.
    fn frame_option(&mut self) -> Option<i64> {
        let mut frame = None;
        while self.words.peek().is_some_and(|word| !word.begins_line && !word.is("}")) {
            let Some(word) = self.words.word() else { break };
            if word.text.eq_ignore_ascii_case("frame") {
                frame = Some(self.integer(&word));
            }
        }
        frame
    }

    /// Skips what is left of a line up to a brace.
    fn skip_line_of_block(&mut self) {
        while self.words.peek().is_some_and(|word| !word.begins_line && !word.is("{") && !word.is("}")) {
            self.words.word();
        }
    }

    /// `$sequence name file … options`, on one line or with a block.
    fn sequence(&mut self, command: &Word) -> Option<Sequence> {
        let name = self.argument(command, "a name");
        if name.text.is_empty() {
            return None;
        }
        // As in Cmd_Sequence: what holds for all is taken up here, and meshes after it are shifted, too.
        self.half_life_origin = self.placement.origin;
        let mut sequence = Sequence {
            name: name.text,
            files: Vec::new(),
            rate: None,
            loops: false,
            frames: None,
            placement: self.placement,
            overrides: super::Overrides::default(),
            events: Vec::new(),
            activity: None,
            blends: Vec::new(),
            linear: [false; 3],
            place: name.place,
        };
        let mut depth = 0_usize;
        let mut had_block = false;
        loop {
            let Some(word) = self.words.peek() else {
                if depth > 0 {
                    let finding = sequence.place.warning("`}` at the end", "end of file").inside(&command.text);
                    self.report.push(finding.engine("studiomdl stops: \"missing }\"."));
                }
                break;
            };
            // The compilers want the brace on the line of the command; many scripts have it on the next.
            if depth == 0 && word.begins_line && (had_block || !word.is("{")) {
                break;
            }
            let Some(word) = self.words.word() else { break };
            if word.is("{") {
                depth += 1;
                had_block = true;
            } else if word.is("}") {
                match depth {
                    0 => {
                        let finding = word.place.warning("`{` before it", "`}`").inside(&command.text);
                        self.report.push(finding.engine("studiomdl stops: \"missing {\"."));
                    }
                    _ => depth -= 1,
                }
            } else {
                self.sequence_option(&mut sequence, word);
            }
        }
        if sequence.files.is_empty() {
            let finding = sequence.place.error("a file", "none").inside(format!("{} {}", command.text, sequence.name));
            self.report.push(finding.engine("studiomdl stops: \"no animations found\"."));
            return None;
        }
        Some(sequence)
    }

    fn sequence_option(&mut self, sequence: &mut Sequence, word: Word) {
        let option = word.text.to_ascii_lowercase();
        match option.as_str() {
            "event" => {
                let mut text = self.argument(&word, "an event").text;
                let frame = self.integer(&word);
                if self.words.peek().is_some_and(|word| !word.begins_line && !word.is("}")) {
                    let options = self.words.word().map_or(String::new(), |word| word.text);
                    if !options.is_empty() {
                        text = format!("{text} {options}");
                    }
                }
                sequence.events.push(SequenceEvent { frame, text });
            }
            "fps" => {
                let rate = self.number(&word);
                if rate > 0.0 {
                    sequence.rate = Some(rate);
                } else {
                    let finding = word.place.warning("frames a second, more than 0", format!("`{rate}`"));
                    self.report.push(finding.engine("In the game the sequence stands still."));
                }
            }
            "origin" => {
                let origin = self.vector(&word);
                sequence.overrides.origin = Some(origin);
                self.half_life_origin = origin;
            }
            "rotate" => {
                let degrees = self.number(&word);
                let (x, y) = (sequence.placement.rotation.x, sequence.placement.rotation.y);
                sequence.overrides.rotation = Some(Vec3::new(x, y, quarter_turned(degrees)));
            }
            "angles" => {
                let angles = self.vector(&word);
                sequence.overrides.rotation =
                    Some(Vec3::new(angles.x.to_radians(), angles.y.to_radians(), quarter_turned(angles.z)));
            }
            "scale" => sequence.overrides.scale = Some(self.number(&word)),
            "animation" => {
                let file = self.argument(&word, "a file");
                sequence.files.push(self.file(file));
            }
            "activity" => {
                let name = self.argument(&word, "an activity").text;
                sequence.activity = Some((name, self.integer(&word)));
            }
            "walkframe" => _ = self.number(&word),
            "keyvalues" => self.skip_options(),
            _ if option.starts_with("act_") && !word.text.contains('.') => {
                let weight = match self.words.peek() {
                    Some(next) if !next.begins_line && !next.is("}") => self.integer(&word),
                    _ => 1,
                };
                sequence.activity = Some((word.text, weight));
            }
            _ if LINE_OPTIONS.contains(&option.as_str()) => self.skip_line_of_block(),
            _ if skipped_words(&option).is_some() => {
                for _ in 0..skipped_words(&option).unwrap_or(0) {
                    self.argument(&word, "a value");
                }
            }
            // The compilers look at the first letters only.
            _ if option.starts_with("loop") => sequence.loops = true,
            _ if option.starts_with("frame") => {
                sequence.frames = Some((self.integer(&word), self.integer(&word)));
            }
            _ if option == "blend" => {
                let control = self.argument(&word, "a control").text;
                let (from, to) = (self.number(&word), self.number(&word));
                sequence.blends.push((control, from, to));
            }
            _ => match control(&option) {
                Some(Some(axis)) => sequence.linear[axis] = true,
                Some(None) => {}
                None => sequence.files.push(self.file(word)),
            },
        }
    }

    /// `$texturegroup name { { a b } { c d } }`
    fn texture_group(&mut self, command: &Word) {
        self.argument(command, "a name");
        let mut rows: Vec<Vec<String>> = Vec::new();
        let mut depth = 0_usize;
        loop {
            let Some(word) = self.words.peek() else {
                self.report.push(command.place.warning("`}` at the end", "end of file").inside(&command.text));
                break;
            };
            if depth == 0 && !word.is("{") {
                break;
            }
            let Some(word) = self.words.word() else { break };
            if word.is("{") {
                depth += 1;
                if depth == 2 {
                    rows.push(Vec::new());
                }
            } else if word.is("}") {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            } else if let Some(row) = rows.last_mut().filter(|_| depth == 2) {
                row.push(word.text);
            }
        }
        self.script.texture_groups.push(rows);
    }

    fn render_mode(&mut self, command: &Word) {
        let texture = self.argument(command, "a texture").text;
        let word = self.argument(command, "a mode");
        let mode = match word.text.to_ascii_lowercase().as_str() {
            "masked" => RenderMode::Masked,
            "additive" => RenderMode::Additive,
            "fullbright" => RenderMode::FullBright,
            "flatshade" | "flat" => RenderMode::FlatShade,
            "chrome" => RenderMode::Chrome,
            _ => {
                let finding = word.place.warning("`masked` or `additive`", format!("`{}`", word.text));
                self.report.push(finding.engine("Half-Life's studiomdl stops: \"invalid rendermode\"."));
                return;
            }
        };
        self.script.render_modes.push((texture, mode));
    }

    /// Half-Life: `$attachment 0 "bone" x y z`; Source has a name for the number, and options.
    fn attachment(&mut self, command: &Word) {
        let name = self.argument(command, "a name").text;
        let joint = self.argument(command, "a bone").text;
        let position = self.vector(command);
        let mut attachment = Attachment {
            name,
            joint,
            rotation: Vec3::ZERO,
            position,
            is_absolute: false,
            place: command.place.clone(),
        };
        while let Some(word) = self.words.word_on_line() {
            match word.text.to_ascii_lowercase().as_str() {
                "absolute" => attachment.is_absolute = true,
                "rotate" => {
                    // Pitch, yaw, roll: about y, z and x.
                    let angles = self.vector(&word);
                    attachment.rotation = Vec3::new(angles.z, angles.x, angles.y).map(f32::to_radians);
                }
                // Half-Life reads two more words and uses neither; `rigid` and the like change nothing that is seen.
                _ => {}
            }
        }
        self.script.attachments.push(attachment);
    }

    fn hitbox(&mut self, command: &Word) {
        let group = self.integer(command) as i32;
        let joint = self.argument(command, "a bone").text;
        let (min, max) = (self.vector(command), self.vector(command));
        self.skip_line();
        self.script.hitboxes.push(HitBox { group, joint, min, max, place: command.place.clone() });
    }
}

/// The angle about z that the compilers make of one in a script: a quarter turn is added, because files face -Y.
fn quarter_turned(degrees: f32) -> f32 {
    (degrees + 90.0).to_radians()
}

fn vector_info(v: Vec3) -> Info {
    Info::List(v.to_array().iter().map(|&value| Info::Number(f64::from(value))).collect())
}
