//! A .qc script put together: in come the script and the files beside it, out comes one model as the compiler would place it.

mod place;
mod textures;

use std::rc::Rc;

use glam::Quat;
use hashbrown::HashMap;

use crate::bundle::{self, Bundle};
use crate::format::qc::{self, FileName, Script, Sequence, Studio};
use crate::format::smd::{self, Smd};
use crate::format::{Animation, Content};
use crate::model::{
    BodyChoice, BodyGroup, Clip, Event, Hitbox, Info, Model, Motion, Skeleton, Tag, TagMotion, Transform,
};
use crate::report::{At, Diagnostic, Report, Result};

use super::flex::add_shapes;
use super::smd::{absorb, bind, bind_pose};
use place::{is_closed, mirror, place_frames, place_reference, rename, scale, shift, take_out_way};
use textures::{add_variants, set_render_modes};

/// Reads a .qc and the .smd and .vta files that it names. Files that are missing are reported with every path that was tried;
/// the error is that no file with a skeleton was found.
pub fn assemble(qc_path: &str, bundle: &Bundle, report: &mut Report) -> Result<Model> {
    let bytes =
        bundle.read(qc_path).ok_or_else(|| Diagnostic::error(At::File, "a script", "no such file").in_file(qc_path))?;
    let near = bundle::folder(qc_path);
    let mut include = |name: &str| {
        let lookup = bundle.resolve(name, near, &["qci", "qc"]);
        let found = lookup.path.and_then(|path| Some((bundle.read(&path)?.into_owned(), path)));
        found.map(|(bytes, path)| (path, bytes)).ok_or(lookup.tried)
    };
    let script = qc::read(qc_path, &bytes, &mut include, report);
    let animations = script.animations.iter().enumerate();
    let mut files = Files {
        bundle,
        near,
        read: HashMap::new(),
        first_missing: None,
        animations: animations.map(|(index, animation)| (animation.name.to_ascii_lowercase(), index)).collect(),
        budget: BUDGET,
    };

    let mut model = Model { name: bundle::stem(qc_path).to_string(), path: qc_path.to_string(), ..Model::default() };
    // A script that could be either's is for Source if its files have links, which Half-Life's compiler does not read.
    let mut is_source = script.is_source;
    for studio in script.bodies.iter().flat_map(|body| body.choices.iter().flatten()) {
        let Some(file) = files.smd(&studio.file, report).filter(|file| file.smd.has_links) else { continue };
        if is_source || !script.is_half_life {
            is_source = true;
        } else {
            let finding =
                Diagnostic::warning(At::File, "nine fields a corner, as Half-Life reads them", "links after them");
            let engine = "Half-Life's studiomdl hangs each vertex on its first field; here, as in later compilers, the links count.";
            report.push(finding.in_file(&file.path).inside("triangles").engine(engine));
        }
    }
    let game = if is_source { Game::Source } else { Game::HalfLife };

    for body in &script.bodies {
        let mut group = BodyGroup { name: body.name.clone(), choices: Vec::new() };
        for choice in &body.choices {
            let Some(studio) = choice else {
                group.choices.push(BodyChoice { name: "blank".to_string(), meshes: Vec::new() });
                continue;
            };
            let name = short_name(&studio.file.name).to_string();
            let meshes = match reference(studio, &script, game, &mut files, report) {
                Some(part) => absorb(&mut model, part, report),
                None => Vec::new(),
            };
            group.choices.push(BodyChoice { name, meshes });
        }
        model.bodygroups.push(group);
    }
    for sequence in &script.sequences {
        add_sequence(&mut model, sequence, &script, game, &mut files, report);
    }
    if model.skeleton.joints.is_empty() {
        let Some(missing) = files.first_missing else {
            let error = Diagnostic::error(At::File, "a $body, $bodygroup, $model or $sequence of .smd files", "none");
            return Err(error.in_file(qc_path));
        };
        // Whoever gets the error reports it.
        report.diagnostics.retain(|finding| *finding != *missing);
        return Err(missing);
    }

    set_render_modes(&mut model, &script, qc_path, report);
    add_variants(&mut model, &script, is_source, qc_path, report);
    add_attachments(&mut model, &script, game, report);
    add_hitboxes(&mut model, &script, report);
    model.info = info(&script, game);
    Ok(model)
}

/// A file's name without folder and, where it is written, the extension. A dot elsewhere belongs to the name.
fn short_name(file: &str) -> &str {
    match bundle::extension(file).as_str() {
        "smd" | "dmx" => bundle::stem(file),
        _ => bundle::file_name(file),
    }
}

/// Whose compiler is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Game {
    HalfLife,
    Source,
}

/// The files that a script names, each read once.
struct Files<'a> {
    bundle: &'a Bundle,
    /// Folder of the script.
    near: &'a str,
    read: HashMap<String, Option<Rc<Read>>>,
    /// Kept for the case that nothing else is found.
    first_missing: Option<Box<Diagnostic>>,
    /// The script's $animations by name in lower case; of several the last counts.
    animations: HashMap<String, usize>,
    /// How much may still be made of them, in transforms or vertices: a script may name a large file again and again.
    budget: usize,
}

/// A quarter of a gigabyte of transforms.
const BUDGET: usize = 1 << 23;

struct Read {
    path: String,
    smd: Smd,
}

impl Files<'_> {
    /// Takes a part of the budget; false where it is used up.
    fn claim(&mut self, amount: usize) -> bool {
        let left = self.budget.checked_sub(amount);
        self.budget = left.unwrap_or(self.budget);
        left.is_some()
    }

    /// Where a file is: below $cd, beside the script, or anywhere by its name.
    fn find(&mut self, file: &FileName, extension: &str, report: &mut Report) -> Option<String> {
        let name = match file.folder.as_str() {
            "" => file.name.clone(),
            folder => format!("{}/{}", folder.trim_end_matches(['/', '\\']), file.name),
        };
        let lookup = self.bundle.resolve(&name, self.near, &[extension]);
        if lookup.path.is_none() {
            let error = file.place.error(format!("`{}`", file.name), qc::tokens::no_file(&lookup.tried));
            let error = error.engine(format!("studiomdl stops: \"{} doesn't exist\".", file.name));
            self.first_missing.get_or_insert_with(|| error.clone());
            report.push(error);
        }
        lookup.path
    }

    /// Reads a .smd. What is wrong goes to the report, the first time.
    fn smd(&mut self, file: &FileName, report: &mut Report) -> Option<Rc<Read>> {
        let known = bundle::lower(&format!("{}\0{}", file.folder, file.name));
        if let Some(read) = self.read.get(&known) {
            return read.clone();
        }
        let read = self.read_smd(file, report).map(Rc::new);
        self.read.insert(known, read.clone());
        read
    }

    fn read_smd(&mut self, file: &FileName, report: &mut Report) -> Option<Read> {
        let extension = bundle::extension(&file.name);
        if matches!(extension.as_str(), "dmx" | "fbx" | "obj" | "vrm") {
            let finding = file.place.warning("an .smd", format!("`{}`", file.name));
            let finding = finding.engine(format!("The viewer reads no .{extension}; Source's studiomdl does."));
            report.push(finding);
            return None;
        }
        let path = self.find(file, "smd", report)?;
        let bytes = self.bundle.read(&path)?;
        let mut findings = Report::default();
        let result = smd::parse(&bytes, &mut findings);
        report.append(&path, findings);
        match result {
            Ok(smd) => Some(Read { path, smd }),
            Err(error) => {
                let error = error.in_file(&path);
                self.first_missing.get_or_insert_with(|| error.clone());
                report.push(error);
                None
            }
        }
    }
}

/// A reference file as the compiler takes it in.
fn reference(studio: &Studio, script: &Script, game: Game, files: &mut Files, report: &mut Report) -> Option<Model> {
    let read = files.smd(&studio.file, report)?;
    let vertices: usize = read.smd.meshes.iter().map(crate::model::Mesh::vertex_count).sum();
    if !files.claim(vertices + read.smd.skeleton.joints.len()) {
        report.push(studio.file.place.error("bodies that fit into the memory", "too many vertices"));
        return None;
    }
    let mut smd = read.smd.clone();
    // Half-Life's compiler reads every frame into the same bones, so that the last one stays.
    if game == Game::HalfLife && smd.meshes.is_empty() && smd.frames.count() > 1 {
        let last = smd.frames.pose(smd.frames.count() - 1).to_vec();
        for (joint, pose) in smd.skeleton.joints.iter_mut().zip(last) {
            joint.parent_from_joint = pose;
        }
    }
    let mut part = smd.into_model();
    part.name = bundle::stem(&read.path).to_string();
    // Its frames are a clip where a $sequence names the file.
    part.clips.clear();
    part.materials = part.meshes.iter().map(|mesh| smd::material(&mesh.name, game == Game::Source)).collect();
    if let Some(flexes) = &studio.flexes {
        add_flexes(&mut part, flexes, files, report);
    }
    if studio.is_reversed {
        for triangle in part.meshes.iter_mut().flat_map(|mesh| &mut mesh.triangles) {
            triangle.swap(1, 2);
        }
    }
    mirror(&mut part, &script.mirrored_joints);
    let placement = studio.placement;
    match game {
        // The vertices are shifted and scaled, the bones only scaled, and nothing is turned.
        Game::HalfLife => {
            shift(&mut part, -studio.half_life_origin);
            scale(&mut part, placement.scale);
        }
        // The bones are placed like those of the sequences, and the vertices go with them.
        Game::Source => place_reference(&mut part, placement),
    }
    rename(&mut part.skeleton, &script.renamed_joints);
    Some(part)
}

fn add_flexes(part: &mut Model, flexes: &qc::FlexFile, files: &mut Files, report: &mut Report) {
    let Some(path) = files.find(&flexes.file, "vta", report) else { return };
    let Some(bytes) = files.bundle.read(&path) else { return };
    let mut findings = Report::default();
    let content = crate::format::read(&smd::VTA, &path, &bytes, &mut findings);
    report.append(&path, findings);
    match content {
        Ok(Content::Shapes(shapes)) => {
            let names: HashMap<i64, &String> = flexes.names.iter().rev().map(|(frame, name)| (*frame, name)).collect();
            let name = |time: i64| names.get(&time).map(|name| name.to_string());
            let mut findings = Report::default();
            add_shapes(part, &shapes, name, &mut findings);
            report.append(&path, findings);
        }
        Ok(_) => report.push(Diagnostic::error(At::File, "a `vertexanimation` block", "none").in_file(&path)),
        Err(error) => report.push(error),
    }
}

/// Adds a clip for a sequence; if several files are blended in it, one for each.
fn add_sequence(
    model: &mut Model,
    sequence: &Sequence,
    script: &Script,
    game: Game,
    files: &mut Files,
    report: &mut Report,
) {
    let mut way = None;
    for (index, file) in sequence.files.iter().enumerate() {
        // Source: the name of an $animation, which brings its own options.
        let named = files.animations.get(&file.name.to_ascii_lowercase()).map(|&index| &script.animations[index]);
        let (file, base) = match named {
            Some(animation) => (&animation.files[0], animation),
            None => (file, sequence),
        };
        let Some(read) = files.smd(file, report) else { continue };
        let place = format!("$sequence {}", sequence.name);
        let wanted = sequence.frames.or(base.frames);
        let (mut animation, times) = match cut(&read.smd, wanted) {
            Some(cut) => cut,
            None => {
                let all = &read.smd.frames.times;
                let found = match (all.first(), all.last()) {
                    (Some(first), Some(last)) => format!("{first} to {last}"),
                    _ => "no frames".to_string(),
                };
                let expected =
                    wanted.map_or("frames".to_string(), |(from, to)| format!("frames at times {from} to {to}"));
                let error = sequence.place.error(expected, found).inside(place);
                report.push(error.engine("Half-Life's studiomdl stops: \"no animation frames\"."));
                continue;
            }
        };
        if !files.claim(times.len() * model.skeleton.joints.len().max(animation.skeleton.joints.len())) {
            let error = sequence.place.error("sequences that fit into the memory", "too many frames");
            report.push(error.inside(place));
            continue;
        }
        rename(&mut animation.skeleton, &script.renamed_joints);
        let placement = sequence.overrides.apply(base.overrides.apply(base.placement));
        place_frames(&mut animation, placement, &script.mirrored_joints);
        let loops = sequence.loops || base.loops;
        if loops && !is_closed(&animation, sequence.linear) {
            let finding = sequence.place.warning("a loop whose last frame is the first", "another last frame");
            report.push(finding.inside(&place).engine("studiomdl makes the last frame the first; here it stays."));
        }
        take_out_way(&mut animation, sequence.linear, &mut way);

        // Without a mesh, the skeleton alone is shown.
        if model.skeleton.joints.is_empty() {
            model.skeleton = animation.skeleton.clone();
            if let Motion::Joints(frames) = &animation.clip.motion {
                for (joint, &pose) in model.skeleton.joints.iter_mut().zip(frames) {
                    joint.parent_from_joint = pose;
                }
            }
        }
        let mut findings = Report::default();
        match bind(&model.skeleton, &animation, &mut findings) {
            Ok(clip) => {
                let name = match index {
                    0 => sequence.name.clone(),
                    _ => format!("{} ({})", sequence.name, short_name(&file.name)),
                };
                let rate = sequence.rate.or(base.rate).unwrap_or(smd::RATE);
                let events = events(&sequence.events, &times, game);
                model.clips.push(Clip { name, source: read.path.clone(), rate, loops, events, ..clip });
            }
            Err(error) => findings.push(error.inside(&place)),
        }
        report.append(&read.path, findings);
    }
}

/// The frames of a file whose times lie between two, and their times; `None` where there are none.
fn cut(smd: &Smd, wanted: Option<(i64, i64)>) -> Option<(Animation, Vec<i64>)> {
    let (from, to) = wanted.unwrap_or((i64::MIN, i64::MAX));
    let all = &smd.frames.times;
    let start = all.partition_point(|&time| time < from);
    let end = all.partition_point(|&time| time <= to);
    let times = all.get(start..end).filter(|times| !times.is_empty())?.to_vec();
    let joints = smd.skeleton.joints.len();
    let clip = Clip {
        name: String::new(),
        source: String::new(),
        rate: smd::RATE,
        frames: times.len(),
        loops: false,
        motion: Motion::Joints(smd.frames.transforms[start * joints..end * joints].to_vec()),
        events: Vec::new(),
    };
    let (skeleton, unposed) = (smd.skeleton.clone(), smd.frames.unposed.clone());
    Some((Animation { skeleton, clip, unposed, info: Vec::new() }, times))
}

/// Half-Life counts an event's frame in the file's times, Source from the sequence's first frame. Both keep it inside.
fn events(events: &[qc::SequenceEvent], times: &[i64], game: Game) -> Vec<Event> {
    let last = times.len().saturating_sub(1);
    let frame = |event: &qc::SequenceEvent| match game {
        Game::HalfLife => times.partition_point(|&time| time < event.frame).min(last),
        Game::Source => event.frame.clamp(0, last as i64) as usize,
    };
    events.iter().map(|event| Event { frame: frame(event) as f32, text: event.text.clone() }).collect()
}

/// The joints by name in lower case: the compilers find those of attachments and boxes without case.
fn joints_by_name(skeleton: &Skeleton) -> HashMap<String, usize> {
    skeleton.joints.iter().enumerate().rev().map(|(index, joint)| (joint.name.to_ascii_lowercase(), index)).collect()
}

fn add_attachments(model: &mut Model, script: &Script, game: Game, report: &mut Report) {
    let bind = bind_pose(&model.skeleton);
    let joints = joints_by_name(&model.skeleton);
    for attachment in &script.attachments {
        let Some(&joint) = joints.get(&attachment.joint.to_ascii_lowercase()) else {
            let error = attachment.place.error("a bone of the model", format!("`{}`", attachment.joint));
            report
                .push(error.inside("$attachment").engine("Half-Life's studiomdl stops: \"unknown attachment link\"."));
            continue;
        };
        let angles = attachment.rotation;
        let rotation = Quat::from_euler(glam::EulerRot::ZYX, angles.z, angles.y, angles.x);
        let mut joint_from_tag = Transform::new(rotation, attachment.position);
        if attachment.is_absolute {
            joint_from_tag = bind[joint].inverse() * joint_from_tag;
        }
        let name = match game {
            Game::HalfLife => format!("attachment {}", attachment.name),
            Game::Source => attachment.name.clone(),
        };
        model.tags.push(Tag { name, motion: TagMotion::Joint { joint, joint_from_tag } });
    }
}

fn add_hitboxes(model: &mut Model, script: &Script, report: &mut Report) {
    let joints = joints_by_name(&model.skeleton);
    for hitbox in &script.hitboxes {
        let Some(&joint) = joints.get(&hitbox.joint.to_ascii_lowercase()) else {
            let error = hitbox.place.error("a bone of the model", format!("`{}`", hitbox.joint));
            report.push(error.inside("$hbox").engine("Half-Life's studiomdl stops: \"cannot find bone for bbox\"."));
            continue;
        };
        model.hitboxes.push(Hitbox { joint, group: hitbox.group, min: hitbox.min, max: hitbox.max });
    }
}

fn info(script: &Script, game: Game) -> Vec<(String, Info)> {
    let compiler = match game {
        Game::HalfLife => "Half-Life",
        Game::Source => "Source",
    };
    let mut info = vec![("compiler".to_string(), Info::Text(compiler.to_string()))];
    info.extend(script.info.iter().cloned());
    let folders = [("$cdtexture", &script.texture_folders), ("$cdmaterials", &script.material_folders)];
    for (name, folders) in folders.into_iter().filter(|(_, folders)| !folders.is_empty()) {
        let list = folders.iter().map(|folder| Info::Text(folder.clone())).collect();
        info.push((name.to_string(), Info::List(list)));
    }
    let sequences: Vec<Info> = script.sequences.iter().filter_map(sequence_info).collect();
    if !sequences.is_empty() {
        info.push(("sequences".to_string(), Info::List(sequences)));
    }
    info
}

/// What a sequence says beside its frames: `walk: ACT_WALK 1, LX, blend XR -45 45 of walk_up, walk_down`.
fn sequence_info(sequence: &Sequence) -> Option<Info> {
    let mut parts = Vec::new();
    if let Some((activity, weight)) = &sequence.activity {
        parts.push(format!("{activity} {weight}"));
    }
    let axes = ["LX", "LY", "LZ"].into_iter().zip(sequence.linear);
    parts.extend(axes.filter(|(_, is_linear)| *is_linear).map(|(axis, _)| axis.to_string()));
    for (control, from, to) in &sequence.blends {
        parts.push(format!("blend {control} {from} {to}"));
    }
    if sequence.files.len() > 1 {
        let files: Vec<&str> = sequence.files.iter().map(|file| file.name.as_str()).collect();
        parts.push(format!("of {}", files.join(", ")));
    }
    (!parts.is_empty()).then(|| Info::Text(format!("{}: {}", sequence.name, parts.join(", "))))
}
