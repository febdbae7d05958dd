//! A model as JavaScript sees it: the headless half, which needs no canvas.

use std::cell::RefCell;
use std::rc::Rc;

use hashbrown::HashSet;
use js_sys::Array;
use wasm_bindgen::prelude::*;

use super::files::Files;
use super::object::{Object, strings};
use super::report::{JsReport, open_error};
use crate::figure::Figure;
use crate::material::{ImageRef, Layer, Sides};
use crate::model::Clip;
use crate::open;

/// A model that was opened, with its pose. A Quake III player of three files is one of these.
#[wasm_bindgen]
pub struct Model {
    pub(super) figure: Rc<RefCell<Figure>>,
    /// What it was opened from, to look again at what the model does not keep.
    pub(super) files: Files,
    report: crate::report::Report,
}

#[wasm_bindgen]
impl Model {
    /// Opens the file at `path`, or the best candidate. Throws an `OpenError` if nothing can be shown.
    pub fn open(files: &Files, path: Option<String>) -> Result<Model, JsValue> {
        let mut figure = open::open(&files.0.borrow(), path.as_deref()).map_err(open_error)?;
        let report = std::mem::take(&mut figure.report);
        Ok(Model { figure: Rc::new(RefCell::new(figure)), files: files.clone(), report })
    }

    /// The same model again, with a pose and choices of its own. What was read is shared, so it costs little.
    pub fn another(&self) -> Model {
        let figure = self.figure.borrow().another();
        Model { figure: Rc::new(RefCell::new(figure)), report: self.report.clone(), files: self.files.clone() }
    }

    #[wasm_bindgen(getter, unchecked_return_type = "Report")]
    pub fn report(&self) -> JsReport {
        JsReport(self.report.clone())
    }

    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.figure.borrow().name.clone()
    }

    /// The file that was opened as the main one.
    #[wasm_bindgen(getter)]
    pub fn path(&self) -> String {
        self.figure.borrow().path.clone()
    }

    #[wasm_bindgen(getter)]
    pub fn format(&self) -> String {
        self.figure.borrow().format.clone()
    }

    /// The meshes that are worn now; the other methods count them in this order.
    #[wasm_bindgen(
        getter,
        unchecked_return_type = "{ name: string; material: string; vertices: number; triangles: number; part?: string }[]"
    )]
    pub fn meshes(&self) -> Array {
        let figure = self.figure.borrow();
        let row = |(part, index): (usize, usize)| -> JsValue {
            let part = &figure.parts[part];
            let mesh = &part.model().meshes[index];
            let material = part.material_of(index).map_or("", |material| &part.model().materials[material].name);
            Object::new()
                .set("name", &mesh.name)
                .set("material", material)
                .set("vertices", mesh.vertex_count())
                .set("triangles", mesh.triangles.len())
                .set_some("part", (!part.name.is_empty()).then_some(&part.name))
                .into()
        };
        figure.shown().map(row).collect::<Array<JsValue>>()
    }

    #[wasm_bindgen(
        getter,
        unchecked_return_type = "{ name: string; frames: number; rate: number; duration: number; loops: boolean; source: string; part?: string; events?: { frame: number; text: string }[] }[]"
    )]
    pub fn clips(&self) -> Array {
        let figure = self.figure.borrow();
        let row = |listed: crate::figure::FigureClip| -> JsValue {
            let object = clip(listed.clip);
            object.set_some("part", (!listed.part.is_empty()).then_some(listed.part)).into()
        };
        figure.clips().into_iter().map(row).collect::<Array<JsValue>>()
    }

    #[wasm_bindgen(getter, unchecked_return_type = "string[]")]
    pub fn variants(&self) -> Array {
        strings(self.figure.borrow().variants())
    }

    /// Puts on another set of materials. Throws where there is no such variant.
    #[wasm_bindgen(js_name = setVariant)]
    pub fn set_variant(&self, name: &str) -> Result<(), JsError> {
        let found = self.figure.borrow_mut().set_variant(name);
        found.then_some(()).ok_or_else(|| unknown("variant", name, self.figure.borrow().variants()))
    }

    /// Every material by name, with the images it shows and the files that each is made of; where one is missing, the paths that
    /// were tried. `worn`: some skin puts it on; `shown`: the one that is worn now does, on a mesh that is not left out.
    /// `entityColor`: it shows what `Viewer.setEntityColor` sets.
    #[wasm_bindgen(
        getter,
        unchecked_return_type = "{ name: string; twoSided: boolean; source: string; worn: boolean; shown: boolean; entityColor: boolean; images: { slot: string; name: string; path?: string; tried: string[]; files: { name: string; path?: string; tried: string[] }[]; unread?: string }[] }[]"
    )]
    pub fn materials(&self) -> Array {
        let figure = self.figure.borrow();
        let worn: HashSet<&str> = figure
            .parts
            .iter()
            .map(|part| part.model())
            .flat_map(|model| model.worn_materials().map(|index| model.materials[index].name.as_str()))
            .collect();
        let shown: HashSet<&str> = figure
            .shown()
            .filter_map(|(part, mesh)| {
                let part = &figure.parts[part];
                Some(part.model().materials[part.material_of(mesh)?].name.as_str())
            })
            .collect();
        let mut names: HashSet<&str> = HashSet::new();
        let rows = Array::<JsValue>::new();
        for material in figure.parts.iter().flat_map(|part| &part.model().materials) {
            if !names.insert(&material.name) {
                continue;
            }
            let images = material.layers.iter().flat_map(layer_images).map(image).collect::<Array<JsValue>>();
            rows.push(
                &Object::new()
                    .set("name", &material.name)
                    .set("twoSided", material.sides == Sides::Both)
                    .set("source", &material.source)
                    .set("worn", worn.contains(material.name.as_str()))
                    .set("shown", shown.contains(material.name.as_str()))
                    .set("entityColor", material.shows_entity_color())
                    .set("images", images)
                    .into(),
            );
        }
        rows
    }
}

fn clip(clip: &Clip) -> Object {
    let event = |event: &crate::model::Event| -> JsValue {
        Object::new().set("frame", event.frame).set("text", &event.text).into()
    };
    let events = (!clip.events.is_empty()).then(|| clip.events.iter().map(event).collect::<Array<JsValue>>());
    Object::new()
        .set("name", &clip.name)
        .set("frames", clip.frames)
        .set("rate", clip.rate)
        .set("duration", clip.duration())
        .set("loops", clip.loops)
        .set("source", &clip.source)
        .set_some("events", events)
}

fn layer_images(layer: &Layer) -> impl Iterator<Item = &ImageRef> {
    layer.images.iter().chain(&layer.bump).chain(&layer.specular)
}

fn image(image: &ImageRef) -> JsValue {
    let names = image.program.names();
    let files = names.iter().zip(&image.paths).zip(&image.tried).map(|((name, path), tried)| -> JsValue {
        Object::new().set("name", *name).set_some("path", path.as_ref()).set("tried", strings(tried)).into()
    });
    Object::new()
        .set("slot", &image.slot)
        .set("name", image.program.to_string())
        .set_some("path", image.paths.first().and_then(Option::as_ref).filter(|_| !image.is_missing()))
        .set("tried", strings(image.tried.iter().flatten()))
        .set("files", files.collect::<Array<JsValue>>())
        .set_some("unread", image.unread.as_ref())
        .into()
}

pub(super) fn unknown(what: &str, name: &str, known: Vec<&str>) -> JsError {
    JsError::new(&format!("no {what} `{name}`; there are: {}", known.join(", ")))
}
