//! Quake III's shader scripts under its own rules: in come the scripts beside a model, out come the words at which the game would
//! stop (ioq3 code/renderergl1/tr_shader.c: ScanAndLoadShaderFiles, ParseShader, ParseStage).

use super::super::{Facts, Found, Place};
use super::shader_names;
use crate::bundle;
use crate::check::facts::Kind;
use crate::material::words::Words;

/// What may stand in a shader. `qer…` and `q3map…` are for the map tools.
#[rustfmt::skip]
const GENERAL: &[&str] = &[
    "deformvertexes", "tesssize", "clamptime", "surfaceparm", "nomipmaps", "nopicmip", "polygonoffset", "entitymergable",
    "fogparms", "portal", "skyparms", "light", "cull", "sort",
];

/// What may stand in a stage; the last three are ioquake3's OpenGL 2 renderer's.
#[rustfmt::skip]
const STAGE: &[&str] = &[
    "map", "clampmap", "animmap", "videomap", "alphafunc", "depthfunc", "detail", "blendfunc", "rgbgen", "alphagen", "texgen",
    "tcgen", "tcmod", "depthwrite", "stage", "specularreflectance", "specularexponent", "gloss", "roughness", "parallaxdepth",
    "normalscale", "specularscale",
];

const MOST_STAGES: usize = 8;

/// Without its extension: only a dot behind the last slash begins one.
pub fn without_extension(name: &str) -> &str {
    let file = bundle::file_name(name);
    &name[..name.len() - (file.len() - bundle::stem(name).len())]
}

/// A shader in a script.
pub struct Shader<'a> {
    pub path: &'a str,
    /// The script, behind the shader's opening brace.
    pub words: Words<'a>,
}

/// The shaders of all scripts with their names, each script's as far as its braces are balanced.
fn shaders<'a>(facts: &'a Facts) -> impl Iterator<Item = (&'a str, Shader<'a>)> {
    facts.shader_scripts.iter().flat_map(|(path, text)| {
        let mut words = Words::new(text, "");
        std::iter::from_fn(move || {
            let name = words.next_word()?;
            let opens = words.next_word()?.is_mark("{");
            let shader = Shader { path, words };
            (opens && words.skip_block()).then_some((name.text, shader))
        })
    })
}

/// The shader of a name, whatever its case.
pub fn find<'a>(facts: &'a Facts, name: &str) -> Option<Shader<'a>> {
    shaders(facts).find_map(|(word, shader)| word.eq_ignore_ascii_case(name).then_some(shader))
}

/// The shaders that the model asks for, where scripts have them; of a script alone, all of them.
fn used<'a>(facts: &'a Facts) -> Vec<(String, Shader<'a>)> {
    if facts.kind == Kind::Shader {
        return shaders(facts).map(|(name, shader)| (name.to_string(), shader)).collect();
    }
    let names = shader_names(facts).into_iter();
    names.filter_map(|(name, _)| Some((name.clone(), find(facts, without_extension(&name))?))).collect()
}

pub fn braces(facts: &Facts, found: &mut Found) {
    let names: Vec<String> =
        shader_names(facts).into_iter().map(|(name, _)| without_extension(&name).to_lowercase()).collect();
    // A script is left out as a whole, and so concerns the model only if it names one of its shaders.
    let concerned = |text: &str| {
        if facts.kind == Kind::Shader {
            return true;
        }
        let text = text.to_lowercase();
        names.iter().any(|name| text.contains(name))
    };
    for (path, text) in facts.shader_scripts.iter().filter(|(_, text)| concerned(text)) {
        let mut words = Words::new(text, "");
        while let Some(name) = words.next_word() {
            let opens = words.next_word().is_some_and(|word| word.is_mark("{"));
            if !opens || !words.skip_block() {
                let brace = if opens { "closing" } else { "opening" };
                let place = Place::file(path).at(words.locate(name.at));
                found.add(place, format!("`{}` has no {brace} brace", name.text));
                break;
            }
        }
    }
}

/// Where a walk through a shader stands.
enum Step<'a> {
    /// A word at the beginning of a shader's line.
    General(&'a str, usize),
    /// The same in a stage.
    InStage(&'a str, usize),
    /// A stage begins here.
    Stage(usize),
}

/// Goes through a shader's parameters.
fn walk<'a>(shader: &Shader<'a>, mut step: impl FnMut(Step<'a>)) {
    let mut words = shader.words;
    let mut in_stage = false;
    while let Some(word) = words.next_word() {
        match (word.is_mark("{"), word.is_mark("}"), in_stage) {
            (true, _, false) => {
                step(Step::Stage(word.at));
                in_stage = true;
            }
            (_, true, true) => in_stage = false,
            (_, true, false) => return,
            (_, _, true) => step(Step::InStage(word.text, word.at)),
            (_, _, false) => step(Step::General(word.text, word.at)),
        }
        if !word.is_mark("{") && !word.is_mark("}") {
            words.skip_arguments();
        }
    }
}

pub fn parameter(facts: &Facts, found: &mut Found) {
    for (name, shader) in used(facts) {
        walk(&shader, |step| {
            let Step::General(word, at) = step else { return };
            let lower = word.to_ascii_lowercase();
            let for_tools = lower.starts_with("qer") || lower.starts_with("q3map");
            if !for_tools && !GENERAL.contains(&lower.as_str()) {
                found.add(Place::file(shader.path).at(shader.words.locate(at)), format!("`{word}` in `{name}`"));
            }
        });
    }
}

pub fn stage_parameter(facts: &Facts, found: &mut Found) {
    for (name, shader) in used(facts) {
        walk(&shader, |step| {
            let Step::InStage(word, at) = step else { return };
            if !STAGE.contains(&word.to_ascii_lowercase().as_str()) {
                found.add(Place::file(shader.path).at(shader.words.locate(at)), format!("`{word}` in `{name}`"));
            }
        });
    }
}

pub fn stages(facts: &Facts, found: &mut Found) {
    for (name, shader) in used(facts) {
        let mut count = 0;
        walk(&shader, |step| {
            let Step::Stage(at) = step else { return };
            count += 1;
            if count == MOST_STAGES + 1 {
                found.add(Place::file(shader.path).at(shader.words.locate(at)), format!("stage 9 of `{name}`"));
            }
        });
    }
}

pub fn no_stages(facts: &Facts, found: &mut Found) {
    for (name, shader) in used(facts) {
        let mut shows = false;
        walk(&shader, |step| match step {
            Step::Stage(_) => shows = true,
            Step::General(word, _) => {
                shows |= ["skyparms", "fogparms"].iter().any(|sky| word.eq_ignore_ascii_case(sky))
            }
            Step::InStage(..) => {}
        });
        if !shows {
            let place = Place::file(shader.path).at(shader.words.locate(shader.words.at()));
            found.add(place, format!("`{name}` has no stage"));
        }
    }
}
