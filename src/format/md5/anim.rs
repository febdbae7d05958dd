//! .md5anim: in comes the text, out comes a clip with the skeleton that it moves (neo/game/anim/Anim.cpp, idMD5Anim::LoadAnim).

use glam::Vec3;

use super::lexer::Lexer;
use super::{header, rotation};
use crate::format::{Animation, Content};
use crate::model::{Clip, Info, Joint, Motion, Skeleton, Transform};
use crate::report::{Diagnostic, Report, Result};

/// The fewest bytes that an entry can be written with, for holding counts against what is left of the file.
mod smallest {
    pub const JOINT: usize = "a 0 0 0(0 0 0)(0 0 0)".len();
    pub const FRAME: usize = "frame 0{}".len();
    /// A number and the blank or sign before it.
    pub const COMPONENT: usize = " 0".len();
}

/// For want of a rate above 0; what id's own animations have.
const USUAL_RATE: i32 = 24;

pub fn read(bytes: &[u8], report: &mut Report) -> Result<Content> {
    let mut lexer = Lexer::new(bytes, false);
    let mut info = Vec::new();
    if let Some(command_line) = header(&mut lexer, "numFrames", report)? {
        info.push(("commandline".to_string(), Info::Text(command_line)));
    }
    let counts = counts(&mut lexer, report)?;
    let channels = hierarchy(&mut lexer, &counts, report)?;
    info.push(("bounds".to_string(), bounds(&mut lexer, &counts, report)?));
    let base = base_frame(&mut lexer, &channels)?;
    let (frames, motion) = frames(&mut lexer, &counts, &channels, &base, bytes.len(), report)?;
    lexer.warn_of_foreign_numbers(report);

    let joints = channels.into_iter().zip(base);
    let joint = |(channel, base): (Channel, Base)| Joint {
        name: channel.name,
        parent: channel.parent,
        parent_from_joint: base.transform(),
    };
    let clip = Clip {
        name: String::new(),
        source: String::new(),
        rate: counts.rate as f32,
        frames,
        // The game cycles an animation or holds its end as its script asks; the file does not say.
        loops: true,
        motion: Motion::Joints(motion),
        events: Vec::new(),
    };
    let skeleton = Skeleton { joints: joints.map(joint).collect() };
    Ok(Content::Animation(Animation { skeleton, clip, unposed: Vec::new(), info }))
}

/// What the lines before the blocks say.
struct Counts {
    frames: usize,
    joints: usize,
    rate: i32,
    /// Numbers in each frame.
    components: usize,
}

fn counts(lexer: &mut Lexer, report: &mut Report) -> Result<Counts> {
    lexer.keyword("numFrames")?;
    let frames = positive(lexer, "frames").map_err(|error| error.inside("numFrames"))?;
    lexer.keyword("numJoints")?;
    let before = *lexer;
    let joints = positive(lexer, "joints").map_err(|error| error.inside("numJoints"))?;
    if joints > lexer.left() / smallest::JOINT {
        let mut there = before;
        there.count("joints", smallest::JOINT).map_err(|error| error.inside("numJoints"))?;
    }

    lexer.keyword("frameRate")?;
    let place = lexer.place();
    let mut rate = lexer.integer().map_err(|error| error.inside("frameRate"))?;
    if rate <= 0 {
        let says = match rate {
            0 => "Doom 3 divides by it.".to_string(),
            _ => format!("Doom 3 stops: \"Invalid frame rate: {rate}\""),
        };
        let expected = format!("at least one frame a second; shown with {USUAL_RATE}");
        report.push(
            Diagnostic::warning(lexer.locate(place), expected, format!("`{rate}`")).inside("frameRate").engine(says),
        );
        rate = USUAL_RATE;
    }

    lexer.keyword("numAnimatedComponents")?;
    let place = lexer.place();
    let components = lexer.integer().map_err(|error| error.inside("numAnimatedComponents"))?;
    match usize::try_from(components) {
        Ok(components) if components <= joints * 6 => Ok(Counts { frames, joints, rate, components }),
        _ => Err(Diagnostic::error(
            lexer.locate(place),
            format!("0 to {} numbers, six a joint", joints * 6),
            format!("`{components}`"),
        )
        .inside("numAnimatedComponents")
        .engine(format!("Doom 3 stops: \"Invalid number of animated components: {components}\""))),
    }
}

fn positive(lexer: &mut Lexer, what: &str) -> Result<usize> {
    let place = lexer.place();
    let count = lexer.integer()?;
    match usize::try_from(count) {
        Ok(count) if count > 0 => Ok(count),
        _ => Err(Diagnostic::error(lexer.locate(place), format!("a number of {what} above 0"), format!("`{count}`"))
            .engine(format!("Doom 3 stops: \"Invalid number of {what}: {count}\""))),
    }
}

/// A line of the `hierarchy` block: a joint, and which of its six numbers move.
struct Channel {
    name: String,
    parent: Option<usize>,
    /// 1, 2, 4: x, y, z of the translation; 8, 16, 32: x, y, z of the rotation.
    flags: u8,
    /// Where the joint's numbers begin in each frame; they stand in the order of the flags.
    first: usize,
}

fn hierarchy(lexer: &mut Lexer, counts: &Counts, report: &mut Report) -> Result<Vec<Channel>> {
    lexer.keyword("hierarchy")?;
    lexer.mark(b'{')?;
    let mut channels = Vec::with_capacity(counts.joints);
    let mut warned = Warned::default();
    for index in 0..counts.joints {
        let channel = channel(lexer, index, counts, &mut warned, report);
        channels.push(channel.map_err(|error| error.inside(format_args!("joint[{index}]")))?);
    }
    lexer.mark(b'}').map_err(|error| error.inside("hierarchy"))?;
    Ok(channels)
}

/// What was already said once about the file.
#[derive(Default)]
struct Warned {
    roots: bool,
    first_component: bool,
}

fn channel(
    lexer: &mut Lexer,
    index: usize,
    counts: &Counts,
    warned: &mut Warned,
    report: &mut Report,
) -> Result<Channel> {
    let name = lexer.name()?;

    let place = lexer.place();
    let parent = lexer.integer()?;
    if parent >= 0 && parent as usize >= index {
        return Err(Diagnostic::error(
            lexer.locate(place),
            "the number of a joint before this one, or -1",
            format!("`{parent}`"),
        )
        .engine(format!("Doom 3 stops: \"Invalid parent num: {parent}\"")));
    }
    if parent < 0 && index > 0 && !warned.roots {
        warned.roots = true;
        report.push(
            Diagnostic::warning(lexer.locate(place), "one root only", format!("`{parent}`"))
                .inside(format_args!("joint[{index}]"))
                .engine("Doom 3 stops: \"Animations may have only one root joint\""),
        );
    }

    let place = lexer.place();
    let flags = lexer.integer()?;
    let Some(flags) = u8::try_from(flags).ok().filter(|flags| flags & !63 == 0) else {
        return Err(Diagnostic::error(lexer.locate(place), "flags from 0 to 63", format!("`{flags}`"))
            .engine(format!("Doom 3 stops: \"Invalid anim bits: {flags}\"")));
    };

    let place = lexer.place();
    let first = lexer.integer()?;
    let used = flags.count_ones() as usize;
    let fits = usize::try_from(first).is_ok_and(|first| first + used <= counts.components);
    let known = usize::try_from(first).is_ok_and(|first| first < counts.components);
    let says = match known {
        true => {
            "Doom 3 reads on in the next frame, and after the last frame in memory that is not the animation's.".into()
        }
        false => format!("Doom 3 stops: \"Invalid first component: {first}\""),
    };
    if used > 0 && !fits {
        let expected = format!("{used} numbers from here on within numAnimatedComponents {}", counts.components);
        return Err(Diagnostic::error(lexer.locate(place), expected, format!("`{first}`")).engine(says));
    }
    // A joint that does not move has no first number; exporters write the running count. The game wants one in range all the
    // same, unless nothing moves at all.
    if used == 0 && !known && counts.components > 0 && !warned.first_component {
        warned.first_component = true;
        let expected = format!("a first component below numAnimatedComponents {}", counts.components);
        report.push(
            Diagnostic::warning(lexer.locate(place), expected, format!("`{first}`"))
                .inside(format_args!("joint[{index}]"))
                .engine(says),
        );
    }
    Ok(Channel { name, parent: usize::try_from(parent).ok(), flags, first: first.max(0) as usize })
}

/// The `bounds` block: a box in model space for each frame. It is read to its end, however many there are.
fn bounds(lexer: &mut Lexer, counts: &Counts, report: &mut Report) -> Result<Info> {
    lexer.keyword("bounds")?;
    lexer.mark(b'{')?;
    let mut boxes = Vec::new();
    let mut superfluous = None;
    let mut end = lexer.place();
    while !lexer.take_mark(b'}') {
        if boxes.len() == counts.frames {
            superfluous.get_or_insert(lexer.place());
        }
        let index = boxes.len();
        let mut corner = || lexer.vector::<3>().map_err(|error| error.inside(format_args!("bounds[{index}]")));
        let corners = [corner()?, corner()?];
        boxes.push(Info::List(corners.as_flattened().iter().map(|&number| Info::Number(number.into())).collect()));
        end = lexer.place();
    }
    if boxes.len() != counts.frames {
        let says = match superfluous {
            Some(_) => "Doom 3 stops: \"expected '}' but found '('\"",
            None => "Doom 3 stops: \"expected '(' but found '}'\"",
        };
        let expected = format!("as many boxes as numFrames, {}", counts.frames);
        let found = boxes.len().to_string();
        report.push(
            Diagnostic::warning(lexer.locate(superfluous.unwrap_or(end)), expected, found)
                .inside("bounds")
                .engine(says),
        );
    }
    Ok(Info::List(boxes))
}

/// The six numbers of a joint, relative to its parent, that hold where the frames have none.
#[derive(Clone, Copy)]
struct Base {
    translation: [f32; 3],
    rotation: [f32; 3],
}

impl Base {
    fn transform(self) -> Transform {
        Transform::new(rotation(self.rotation), Vec3::from(self.translation))
    }
}

fn base_frame(lexer: &mut Lexer, channels: &[Channel]) -> Result<Vec<Base>> {
    lexer.keyword("baseframe")?;
    lexer.mark(b'{')?;
    let mut joints = Vec::with_capacity(channels.len());
    for index in 0..channels.len() {
        let mut vector = || lexer.vector().map_err(|error| error.inside(format_args!("baseframe[{index}]")));
        joints.push(Base { translation: vector()?, rotation: vector()? });
    }
    lexer.mark(b'}').map_err(|error| error.inside("baseframe"))?;
    Ok(joints)
}

/// Every frame that is complete: how many, and the transforms of their joints. At least one, else it is an error.
fn frames(
    lexer: &mut Lexer,
    counts: &Counts,
    channels: &[Channel],
    base: &[Base],
    file_size: usize,
    report: &mut Report,
) -> Result<(usize, Vec<Transform>)> {
    // Frames that the file cannot hold are missing at its end, which is no reason to refuse those that are there.
    let possible = lexer.left() / (smallest::FRAME + smallest::COMPONENT * counts.components);
    let expected = counts.frames.min(possible);
    // Joints that do not move take no text but do take memory in every frame.
    const MOST_BYTES_PER_BYTE: usize = 40;
    let most = file_size * MOST_BYTES_PER_BYTE / size_of::<Transform>() / channels.len();
    let mut motion = Vec::with_capacity(expected.min(most) * channels.len());
    let mut components = vec![0.0; counts.components];
    let mut misnumbered = false;
    let mut read = 0;
    while read < counts.frames {
        if lexer.is_at_end() {
            let expected = format!("a frame, since numFrames is {}", counts.frames);
            let missing = Diagnostic::warning(lexer.here(), expected, "end of file")
                .inside(format_args!("frame[{read}]"))
                .engine("Doom 3 stops: \"couldn't find expected 'frame'\"");
            if read == 0 {
                return Err(missing.into_error());
            }
            report.push(missing);
            break;
        }
        if read == most {
            let expected = format!("no more than {most} frames of {} joints in a file of this size", channels.len());
            report.push(
                Diagnostic::error(lexer.here(), expected, format!("{} frames", counts.frames))
                    .engine("Doom 3 shows them all; here those before are shown."),
            );
            break;
        }
        match frame(lexer, read, &mut components, &mut misnumbered, report) {
            Ok(()) => motion.extend(channels.iter().zip(base).map(|(channel, base)| pose(channel, *base, &components))),
            // At the end of the file the frames before are sound; within it perhaps too.
            Err(fault) if read > 0 => {
                let fault = if lexer.is_at_end() { fault.into_warning() } else { fault };
                report.push(fault.inside(format_args!("frame[{read}]")));
                break;
            }
            Err(fault) => return Err(fault.inside("frame[0]")),
        }
        read += 1;
    }
    if read == counts.frames && lexer.is_at_keyword("frame") {
        let expected = format!("the end, since numFrames is {read}");
        report.push(Diagnostic::warning(lexer.here(), expected, "`frame`").engine("Doom 3 does not see what follows."));
    }
    Ok((read, motion))
}

fn frame(
    lexer: &mut Lexer,
    index: usize,
    components: &mut [f32],
    misnumbered: &mut bool,
    report: &mut Report,
) -> Result<()> {
    lexer.keyword("frame")?;
    let place = lexer.place();
    let number = lexer.integer()?;
    let mut warning = None;
    if number != index as i32 && !*misnumbered {
        *misnumbered = true;
        warning = Some(
            Diagnostic::warning(
                lexer.locate(place),
                format!("frame {index}; frames are shown as they stand"),
                format!("`{number}`"),
            )
            .inside(format_args!("frame[{index}]"))
            .engine(format!("Doom 3 stops: \"Expected frame number {index}\"")),
        );
    }
    lexer.mark(b'{')?;
    let mut copy = *lexer;
    for component in components {
        *component = copy.float().inspect_err(|_| *lexer = copy)?;
    }
    *lexer = copy;
    lexer.mark(b'}')?;
    if let Some(warning) = warning {
        report.push(warning);
    }
    Ok(())
}

/// Where a joint stands in a frame, relative to its parent: the base frame's numbers, but for those that the flags name.
fn pose(channel: &Channel, mut base: Base, components: &[f32]) -> Transform {
    let mut moving = components[channel.first.min(components.len())..].iter();
    let numbers = base.translation.iter_mut().chain(&mut base.rotation);
    for (bit, number) in numbers.enumerate() {
        if channel.flags & (1 << bit) != 0
            && let Some(&component) = moving.next()
        {
            *number = component;
        }
    }
    base.transform()
}
