//! The engine check as JavaScript sees it: in come files and an engine's id, out come verdicts as plain objects.

use js_sys::Array;
use wasm_bindgen::prelude::*;

use super::figure::Model;
use super::files::Files;
use super::object::{Object, strings};
use crate::check::{self, Engine, Finding, Subject, Verdict};
use crate::figure::Figure;
use crate::report::At;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Engines that the check knows; the last two are Half-Life's and Source's `studiomdl`. */
export type EngineId = "doom3" | "quake3" | "goldsrc" | "source";

/** What an engine would make of the files. */
export interface Verdict {
    engine: EngineId;
    /** As people say it. */
    name: string;
    /** `warns`: it loads, but shows something else or complains. */
    verdict: "loads" | "warns" | "refused";
    /** The gravest first. */
    findings: CheckFinding[];
    /** How many more there were than are listed. */
    leftOut: number;
}

/** A rule of an engine and a place where it holds. */
export interface CheckFinding {
    /** Id of the rule; docs/checks.md lists them. */
    rule: string;
    severity: "refuses" | "changes" | "warns" | "notes";
    /** The versions it holds for, where not all. */
    since?: string;
    /** The engine's own words, where it says something. */
    says?: string;
    file: string;
    /** Of a text file, both from 1; the column counts bytes. */
    line?: number;
    column?: number;
    /** Of a binary file: offset from its start. */
    byte?: number;
    /** From the outside in: `mesh[0].vert[1]`. May be empty. */
    place: string;
    /** What stands there. */
    message: string;
    why: string;
    mend: string;
    /** What `Viewer.highlight` can point at. */
    subject?: CheckSubject;
}

/** Indices into the lists of the model: its joints, the meshes shown now, tags; a clip by name. */
export interface CheckSubject {
    joint?: number;
    mesh?: number;
    /** Of the mesh. */
    vertex?: number;
    tag?: number;
    clip?: string;
}
"#;

#[wasm_bindgen]
impl Model {
    /// What the engines that read such files would say to this model's: one verdict for each, the engine that they are made
    /// for first, or that of one engine. Throws where there is no such engine.
    #[wasm_bindgen(unchecked_return_type = "Verdict[]")]
    pub fn check(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "EngineId | null")] engine: Option<String>,
    ) -> Result<Array, JsError> {
        let engine = engine_of(engine)?;
        let figure = self.figure.borrow();
        let verdicts = check::check(&self.files.0.borrow(), Some(&figure.path), engine);
        Ok(verdicts.iter().map(|of| verdict(of, Some(&figure))).collect::<Array<JsValue>>())
    }
}

#[wasm_bindgen]
impl Files {
    /// Like `Model.check`, and also for files that cannot be shown. Without a path, the first of `checkable`.
    #[wasm_bindgen(unchecked_return_type = "Verdict[]")]
    pub fn check(
        &self,
        path: Option<String>,
        #[wasm_bindgen(unchecked_optional_param_type = "EngineId | null")] engine: Option<String>,
    ) -> Result<Array, JsError> {
        let engine = engine_of(engine)?;
        let verdicts = check::check(&self.0.borrow(), path.as_deref(), engine);
        Ok(verdicts.iter().map(|of| verdict(of, None)).collect::<Array<JsValue>>())
    }

    /// Every path that `check` takes: scripts, models, cameras, and what stands alone. What belongs to another is checked
    /// with it.
    #[wasm_bindgen(getter, unchecked_return_type = "string[]")]
    pub fn checkable(&self) -> Array {
        strings(check::paths(&self.0.borrow()))
    }
}

fn engine_of(id: Option<String>) -> Result<Option<Engine>, JsError> {
    let Some(id) = id else { return Ok(None) };
    let known = || Engine::ALL.map(Engine::id).join(", ");
    let found =
        Engine::from_id(&id).ok_or_else(|| JsError::new(&format!("no engine `{id}`; there are: {}", known())))?;
    Ok(Some(found))
}

fn verdict(verdict: &Verdict, figure: Option<&Figure>) -> JsValue {
    let findings = verdict.findings.iter().map(|of| finding(of, figure)).collect::<Array<JsValue>>();
    Object::new()
        .set("engine", verdict.engine.id())
        .set("name", verdict.engine.name())
        .set("verdict", verdict.outcome.id())
        .set("findings", findings)
        .set("leftOut", verdict.left_out)
        .into()
}

fn finding(finding: &Finding, figure: Option<&Figure>) -> JsValue {
    let Finding { rule, place, message } = finding;
    let some = |text: &'static str| (!text.is_empty()).then_some(text);
    let object = Object::new()
        .set("rule", rule.id)
        .set("severity", rule.severity.id())
        .set_some("since", some(rule.since))
        .set_some("says", some(rule.says))
        .set("file", &place.file);
    let object = match place.at {
        At::File => object,
        At::Text { line, column } => object.set("line", line).set("column", column),
        At::Byte(offset) => object.set("byte", offset as f64),
    };
    let subject = place.subject.as_ref().zip(figure).and_then(|(subject, figure)| in_figure(subject, figure));
    object
        .set("place", &place.inside)
        .set("message", message)
        .set("why", rule.why)
        .set("mend", rule.mend)
        .set_some("subject", subject)
        .into()
}

/// Where in the model's lists a subject stands; `None` where it is not shown.
fn in_figure(subject: &Subject, figure: &Figure) -> Option<JsValue> {
    let mesh_of = |part: &str, number: usize| {
        let is = |of: usize, index: usize| {
            let of = &figure.parts[of];
            of.name == part && of.model().mesh_of_number(number) == Some(index)
        };
        figure.shown().position(|(of, index)| is(of, index))
    };
    let object = Object::new();
    Some(match subject {
        Subject::Joint(name) => {
            let mut joints = figure.parts.iter().flat_map(|part| &part.model().skeleton.joints);
            object.set("joint", joints.position(|joint| joint.name == *name)?).into()
        }
        Subject::Mesh { part, mesh } => object.set("mesh", mesh_of(part, *mesh)?).into(),
        Subject::MeshNamed(name) => {
            let is = |of: usize, index: usize| figure.parts[of].model().meshes[index].name.eq_ignore_ascii_case(name);
            object.set("mesh", figure.shown().position(|(of, index)| is(of, index))?).into()
        }
        Subject::Vertex { part, mesh, vertex } => {
            object.set("mesh", mesh_of(part, *mesh)?).set("vertex", *vertex).into()
        }
        Subject::Tag { part, tag } => {
            let parts =
                figure.parts.iter().flat_map(|of| of.levels()[0].tags.iter().map(move |tag| (&of.name, &tag.name)));
            object.set("tag", parts.into_iter().position(|of| of == (part, tag))?).into()
        }
        Subject::Clip(name) => {
            figure.clips().iter().any(|listed| listed.clip.name == *name).then(|| object.set("clip", name).into())?
        }
    })
}
