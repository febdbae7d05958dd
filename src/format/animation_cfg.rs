//! Quake III's animation.cfg. In comes its text, out come the clips of a player model and what else the file says of it.
//!
//! The grammar is that of ioquake3 (code/cgame/cg_players.c, CG_ParseAnimationFile): words, wherever the lines end. First
//! keywords, then from the first word that starts with a digit on rows of four numbers, whose order alone gives them names.

use super::text::Text;
use crate::model::{Clip, Info, KeyRange, Motion};
use crate::number;
use crate::report::{At, Diagnostic, Report};

/// The rows, in the order of the file (code/game/bg_public.h).
const ROWS: [&str; 31] = [
    "BOTH_DEATH1",
    "BOTH_DEAD1",
    "BOTH_DEATH2",
    "BOTH_DEAD2",
    "BOTH_DEATH3",
    "BOTH_DEAD3",
    "TORSO_GESTURE",
    "TORSO_ATTACK",
    "TORSO_ATTACK2",
    "TORSO_DROP",
    "TORSO_RAISE",
    "TORSO_STAND",
    "TORSO_STAND2",
    "LEGS_WALKCR",
    "LEGS_WALK",
    "LEGS_RUN",
    "LEGS_BACK",
    "LEGS_SWIM",
    "LEGS_JUMP",
    "LEGS_LAND",
    "LEGS_JUMPB",
    "LEGS_LANDB",
    "LEGS_IDLE",
    "LEGS_IDLECR",
    "LEGS_TURN",
    "TORSO_GETFLAG",
    "TORSO_GUARDBASE",
    "TORSO_PATROL",
    "TORSO_FOLLOWME",
    "TORSO_AFFIRMATIVE",
    "TORSO_NEGATIVE",
];
const TORSO_GESTURE: usize = 6;
const LEGS_WALKCR: usize = 13;
const LEGS_WALK: usize = 14;
/// From here on rows may be missing (they came with Team Arena); each then is TORSO_GESTURE again.
const TORSO_GETFLAG: usize = 25;

/// The game's buffer for the file, less the byte it keeps free and the final NUL.
const LONGEST: usize = 20000 - 2;

/// What the file says.
#[derive(Clone, Debug, Default)]
pub struct AnimationCfg {
    /// Empty where the file is refused. `Clip::source` is left to the caller, who knows the path.
    pub clips: Vec<Clip>,
    /// `sex`, `headoffset`, `footsteps`, `fixedlegs`, `fixedtorso`, with the game's defaults where the file is silent.
    pub info: Vec<(String, Info)>,
}

/// Reads the file. Nothing in it keeps a model from being shown, so all findings go to the report.
pub fn read(bytes: &[u8], report: &mut Report) -> AnimationCfg {
    if bytes.len() > LONGEST {
        report.push(
            Diagnostic::warning(At::File, format!("at most {LONGEST} bytes"), bytes.len().to_string())
                .engine("Quake III refuses the player: \"File … too long\""),
        );
    }
    // Fifty times the game's limit is no player's file, and each finding counts the lines before it.
    let mut words = Words { text: Text::new(&bytes[..bytes.len().min(1 << 20)]) };
    let info = read_keywords(&mut words, report);
    let clips = read_rows(&mut words, report).unwrap_or_else(|error| {
        report.push(error);
        Vec::new()
    });
    AnimationCfg { clips, info }
}

fn read_keywords(words: &mut Words, report: &mut Report) -> Vec<(String, Info)> {
    let mut sex = "male";
    let mut headoffset = [0.0; 3];
    let mut footsteps = "normal".to_string();
    let (mut fixedlegs, mut fixedtorso) = (false, false);
    let mut unknown: Vec<String> = Vec::new();
    loop {
        let before = *words;
        let Some(word) = words.next() else { break };
        match word.text.to_ascii_lowercase().as_str() {
            "footsteps" => {
                let Some(value) = words.next() else { break };
                match value.text.to_ascii_lowercase().as_str() {
                    "default" | "normal" => footsteps = "normal".to_string(),
                    known @ ("boot" | "flesh" | "mech" | "energy") => footsteps = known.to_string(),
                    _ => report.push(
                        Diagnostic::warning(
                            value.at(),
                            "`default`, `normal`, `boot`, `flesh`, `mech` or `energy`",
                            value.found(),
                        )
                        .inside("footsteps")
                        .engine("Quake III says \"Bad footsteps parm\" and goes on"),
                    ),
                }
            }
            "headoffset" => {
                for number in &mut headoffset {
                    let Some(value) = words.next() else { break };
                    *number = value.float("headoffset", report);
                }
            }
            "sex" => {
                let Some(value) = words.next() else { break };
                sex = match value.text.bytes().next() {
                    Some(b'f' | b'F') => "female",
                    Some(b'n' | b'N') => "neuter",
                    _ => "male",
                };
            }
            "fixedlegs" => fixedlegs = true,
            "fixedtorso" => fixedtorso = true,
            other if other.starts_with(|first: char| first.is_ascii_digit()) => {
                *words = before;
                break;
            }
            other => {
                // Each once: a stray sentence is not worth a finding a word, and a repeated word not two.
                if !unknown.iter().any(|known| known == other) {
                    unknown.push(other.to_string());
                    report.push(
                        Diagnostic::warning(word.at(), "a keyword of animation.cfg or a number", word.found())
                            .engine("Quake III says \"unknown token\" and goes on"),
                    );
                }
            }
        }
        if unknown.len() > Report::LIMIT {
            // No player file; without this bound the search for known words above would grow quadratic.
            break;
        }
    }
    vec![
        ("sex".to_string(), Info::Text(sex.to_string())),
        ("headoffset".to_string(), Info::List(headoffset.iter().map(|&number| Info::Number(number)).collect())),
        ("footsteps".to_string(), Info::Text(footsteps)),
        ("fixedlegs".to_string(), Info::Flag(fixedlegs)),
        ("fixedtorso".to_string(), Info::Flag(fixedtorso)),
    ]
}

/// One row as the file has it.
#[derive(Clone, Copy)]
struct Row {
    first: i64,
    /// Below 0 the frames run backwards.
    count: i64,
    loop_frames: i64,
    rate: f64,
    at: At,
}

fn read_rows(words: &mut Words, report: &mut Report) -> Result<Vec<Clip>, Box<Diagnostic>> {
    let mut rows: Vec<Row> = Vec::with_capacity(ROWS.len());
    while rows.len() < ROWS.len() {
        let Some(first) = words.next() else { break };
        let name = ROWS[rows.len()];
        let row = match (words.next(), words.next(), words.next()) {
            (Some(count), Some(loop_frames), Some(rate)) => Row {
                at: first.at(),
                first: first.whole(name, report),
                count: count.whole(name, report),
                loop_frames: loop_frames.whole(name, report),
                rate: rate.float(name, report),
            },
            _ => {
                return Err(Diagnostic::error(first.at(), "four numbers", "end of file")
                    .inside(name)
                    .engine("Quake III refuses the player: \"Error parsing animation file\""));
            }
        };
        rows.push(row);
    }
    if rows.len() < TORSO_GETFLAG {
        return Err(Diagnostic::error(
            words.text.here(),
            format!("at least {TORSO_GETFLAG} animations"),
            format!("too few animations: {} of {TORSO_GETFLAG}", rows.len()),
        )
        .engine("Quake III refuses the player: \"Error parsing animation file\""));
    }
    if let Some(more) = words.next() {
        report.push(
            Diagnostic::warning(more.at(), format!("at most {} animations", ROWS.len()), more.found())
                .engine("Quake III stops reading here"),
        );
    }

    // lower.md3 has no frames for the torso's own clips, though the numbers in the file count them.
    let skip = rows[LEGS_WALKCR].first - rows[TORSO_GESTURE].first;
    for row in &mut rows[LEGS_WALKCR..TORSO_GETFLAG] {
        row.first -= skip;
    }
    let mut clips: Vec<Clip> = rows.iter().zip(ROWS).map(|(row, name)| clip(name, row, report)).collect();
    for name in &ROWS[rows.len()..] {
        let mut gesture = clips[TORSO_GESTURE].clone();
        gesture.name = name.to_string();
        set_reversed(&mut gesture, false);
        clips.push(gesture);
    }
    for (name, forward) in [("LEGS_BACKCR", LEGS_WALKCR), ("LEGS_BACKWALK", LEGS_WALK)] {
        let mut back = clips[forward].clone();
        back.name = name.to_string();
        set_reversed(&mut back, true);
        clips.push(back);
    }
    Ok(clips)
}

fn set_reversed(clip: &mut Clip, reversed: bool) {
    if let Motion::Keys(range) = &mut clip.motion {
        range.reversed = reversed;
    }
}

/// What the game plays for a row, with a word on every number it makes no sense of.
fn clip(name: &str, row: &Row, report: &mut Report) -> Clip {
    let mut odd = |expected: &'static str, found: String, engine: &'static str| {
        report.push(Diagnostic::warning(row.at, expected, found).inside(name).engine(engine));
    };
    if row.first < 0 {
        odd("a first frame of at least 0", row.first.to_string(), "Quake III shows frame 0 instead of those before it");
    }
    if row.count == 0 {
        odd("at least 1 frame", "0".to_string(), "Quake III shows the frame before the first");
    }
    let frames = row.count.unsigned_abs().max(1) as usize;
    if row.loop_frames < 0 {
        odd("loop frames of at least 0", row.loop_frames.to_string(), "Quake III loops over frames outside the clip");
    } else if row.loop_frames as usize > frames {
        let found = format!("{} of {frames} frames", row.loop_frames);
        odd("no more loop frames than frames", found, "Quake III goes on with frames from before the clip");
    }
    let rate = match row.rate {
        0.0 => {
            if frames > 1 {
                odd("more than 0 frames a second", "0".to_string(), "Quake III plays it at 1 frame a second");
            }
            1.0
        }
        rate if rate > 0.0 => rate as f32,
        rate => {
            odd("more than 0 frames a second", rate.to_string(), "Quake III's clock for the clip runs backwards");
            1.0
        }
    };
    Clip {
        name: name.to_string(),
        source: String::new(),
        rate,
        frames,
        loops: row.loop_frames > 0,
        motion: Motion::Keys(KeyRange {
            first: row.first.max(0) as usize,
            loop_frames: row.loop_frames.max(0) as usize,
            reversed: row.count < 0,
        }),
        events: Vec::new(),
    }
}

/// The words of a text as the game's COM_Parse gives them: parted by blanks, `//` and `/* */` comments left out, quotes
/// around a word with blanks. Unlike there a comment may follow a word without a blank.
#[derive(Clone, Copy)]
struct Words<'a> {
    text: Text<'a>,
}

struct Word<'a> {
    text: String,
    /// Stands at the word.
    start: Text<'a>,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<Word<'a>> {
        let text = &mut self.text;
        loop {
            let rest = text.rest();
            let blanks = rest.iter().position(|&byte| byte > b' ').unwrap_or(rest.len());
            text.advance(blanks);
            let rest = text.rest();
            match rest {
                [b'/', b'/', ..] => text.advance(rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())),
                [b'/', b'*', inner @ ..] => {
                    let end = inner.windows(2).position(|window| window == b"*/");
                    text.advance(end.map_or(rest.len(), |at| at + 4));
                }
                [] => return None,
                [b'"', quoted @ ..] => {
                    let start = *text;
                    let end = quoted.iter().position(|&byte| byte == b'"').unwrap_or(quoted.len());
                    text.advance(end + 2);
                    return Some(Word { text: super::bytes::decode(&quoted[..end]), start });
                }
                _ => {
                    let start = *text;
                    let end = rest
                        .iter()
                        .enumerate()
                        .position(|(at, &byte)| {
                            byte <= b' ' || rest[at..].starts_with(b"//") || rest[at..].starts_with(b"/*")
                        })
                        .unwrap_or(rest.len());
                    text.advance(end);
                    return Some(Word { text: super::bytes::decode(&rest[..end]), start });
                }
            }
        }
    }
}

impl Word<'_> {
    fn at(&self) -> At {
        self.start.here()
    }

    fn found(&self) -> String {
        format!("`{}`", self.text.chars().take(40).collect::<String>())
    }

    /// What C's atoi makes of the word; a word that is no whole number is reported. Numbers that no frame has are cut, so
    /// that sums of them stay numbers.
    fn whole(&self, place: &str, report: &mut Report) -> i64 {
        let digits = self.text.strip_prefix(['-', '+']).unwrap_or(&self.text);
        let count = digits.bytes().take_while(u8::is_ascii_digit).count();
        if count == 0 || count < digits.len() {
            let read_as = if count == 0 { "0".to_string() } else { digits[..count].to_string() };
            report.push(
                Diagnostic::warning(self.at(), "a whole number", self.found())
                    .inside(place)
                    .engine(format!("Quake III reads it as {read_as}")),
            );
        }
        let number = digits
            .bytes()
            .take(count)
            .fold(0_i64, |number, digit| (number * 10 + i64::from(digit - b'0')).min(1 << 24));
        if self.text.starts_with('-') { -number } else { number }
    }

    /// What C's atof makes of the word, if that is finite; a word that is no number is reported.
    fn float(&self, place: &str, report: &mut Report) -> f64 {
        // No number that means anything is longer.
        let text: String = self.text.chars().take(40).collect();
        let number = number::leading(text.as_bytes()).map(|(number, end)| (number.f64(), end));
        let (number, end) = number.filter(|(number, _)| (*number as f32).is_finite()).unwrap_or((0.0, 0));
        if end < self.text.len() {
            let finding = Diagnostic::warning(self.at(), "a number", self.found());
            report.push(finding.inside(place).engine(format!("Quake III reads it as {number}")));
        }
        number
    }
}
