//! What a page or a program of its own asks of a model: its parts, its poses, its vertices. The element of other pages does without.

use std::cell::Ref;

use glam::{Affine3A, Mat4};
use js_sys::{Array, Float32Array, Uint32Array};
use wasm_bindgen::prelude::*;

use super::figure::{Model, unknown};
use super::object::{Object, numbers, strings};
use crate::figure::{Figure, Part};
use crate::model::{Info, Mesh};

#[wasm_bindgen]
impl Model {
    /// Facts of the files that have no property of their own.
    #[wasm_bindgen(getter, unchecked_return_type = "Record<string, unknown>")]
    pub fn info(&self) -> JsValue {
        let figure = self.figure.borrow();
        figure.info.iter().fold(Object::new(), |object, (name, value)| object.set(name, info(value))).into()
    }

    /// Joints of all parts, parents first; `parent` is -1 for a root.
    #[wasm_bindgen(getter, unchecked_return_type = "{ name: string; parent: number }[]")]
    pub fn joints(&self) -> Array {
        let figure = self.figure.borrow();
        let rows = Array::<JsValue>::new();
        for part in &figure.parts {
            let start = rows.length() as f64;
            for joint in &part.model().skeleton.joints {
                let parent = joint.parent.map_or(-1.0, |parent| parent as f64 + start);
                rows.push(&Object::new().set("name", &joint.name).set("parent", parent).into());
            }
        }
        rows
    }

    #[wasm_bindgen(
        getter,
        unchecked_return_type = "{ name: string; frames: number; rate: number; duration: number; cuts: number[]; source: string }[]"
    )]
    pub fn cameras(&self) -> Array {
        let figure = self.figure.borrow();
        let cameras = figure.parts.iter().flat_map(|part| &part.model().cameras);
        let row = |camera: &crate::model::Camera| -> JsValue {
            Object::new()
                .set("name", &camera.name)
                .set("frames", camera.frames.len())
                .set("rate", camera.rate)
                .set("duration", camera.duration())
                .set("cuts", numbers(camera.cuts.iter().map(|&cut| f64::from(cut))))
                .set("source", &camera.source)
                .into()
        };
        cameras.map(row).collect::<Array<JsValue>>()
    }

    /// What a camera sees at a time: where it stands, its axes forward, left and up (nine numbers), its horizontal field of
    /// view in degrees, and how many cuts it has passed. Throws where there is no such camera.
    #[wasm_bindgen(
        js_name = cameraAt,
        unchecked_return_type = "{ position: number[]; axes: number[]; fovX: number; shot: number }"
    )]
    pub fn camera_at(&self, camera: usize, seconds: f64) -> Result<JsValue, JsError> {
        let figure = self.figure.borrow();
        let Some((part, index)) = nth_camera(&figure, camera) else {
            return Err(JsError::new(&format!("no camera {camera}")));
        };
        let part = &figure.parts[part];
        let view = part.model().cameras[index].at(seconds);
        let figure_from_camera = part.figure_from_part() * view.frame.model_from_camera.to_affine();
        let axes = figure_from_camera.matrix3.to_cols_array();
        Ok(Object::new()
            .set("position", numbers(figure_from_camera.translation.to_array().map(f64::from)))
            .set("axes", numbers(axes.map(f64::from)))
            .set("fovX", view.frame.fov_x)
            .set("shot", view.shot)
            .into())
    }

    /// How many boxes shots are tested against (Valve: hitboxes).
    #[wasm_bindgen(getter)]
    pub fn hitboxes(&self) -> usize {
        self.figure.borrow().parts.iter().map(|part| part.model().hitboxes.len()).sum()
    }

    /// Names of the tags; in an assembled player they are `part/tag_name`.
    #[wasm_bindgen(getter, unchecked_return_type = "string[]")]
    pub fn tags(&self) -> Array {
        strings(self.figure.borrow().tags().map(|(name, _)| name))
    }

    #[wasm_bindgen(getter, unchecked_return_type = "{ name: string; choices: string[] }[]")]
    pub fn bodygroups(&self) -> Array {
        let figure = self.figure.borrow();
        let groups = figure.parts.iter().flat_map(|part| &part.model().bodygroups);
        let row = |group: &crate::model::BodyGroup| -> JsValue {
            let choices = strings(group.choices.iter().map(|choice| &choice.name));
            Object::new().set("name", &group.name).set("choices", choices).into()
        };
        groups.map(row).collect::<Array<JsValue>>()
    }

    /// Wears another choice of a body group. Throws where there is no such group or choice.
    #[wasm_bindgen(js_name = setBody)]
    pub fn set_body(&self, group: &str, choice: &str) -> Result<(), JsError> {
        let found = self.figure.borrow_mut().set_body(group, choice);
        found.then_some(()).ok_or_else(|| JsError::new(&format!("no body group `{group}` with a choice `{choice}`")))
    }

    #[wasm_bindgen(getter, unchecked_return_type = "string[]")]
    pub fn flexes(&self) -> Array {
        strings(self.figure.borrow().flexes())
    }

    /// Pulls a flex, 0 to 1. Throws where there is no such flex.
    #[wasm_bindgen(js_name = setFlex)]
    pub fn set_flex(&self, name: &str, weight: f32) -> Result<(), JsError> {
        let found = self.figure.borrow_mut().set_flex(name, weight);
        found.then_some(()).ok_or_else(|| unknown("flex", name, self.figure.borrow().flexes()))
    }

    /// How many levels of detail there are; 0 is the finest.
    #[wasm_bindgen(getter)]
    pub fn lods(&self) -> usize {
        self.figure.borrow().levels()
    }

    #[wasm_bindgen(js_name = setLod)]
    pub fn set_lod(&self, level: usize) {
        self.figure.borrow_mut().set_level(level);
    }

    /// Poses the model at a time of one of its clips; `null` is the bind pose (keyed models: frame 0). In a player a
    /// LEGS_, TORSO_ or BOTH_ clip moves the parts that have it and leaves the others. `loops` overrules the clip. Throws
    /// where there is no such clip.
    pub fn pose(&self, clip: Option<String>, seconds: f32, loops: Option<bool>) -> Result<(), JsError> {
        let mut figure = self.figure.borrow_mut();
        match figure.pose(clip.as_deref(), seconds, loops) {
            true => Ok(()),
            false => Err(unknown(
                "clip",
                &clip.unwrap_or_default(),
                figure.clips().iter().map(|listed| listed.clip.name.as_str()).collect(),
            )),
        }
    }

    /// Poses single parts: `{ lower: { clip, seconds }, upper: { clip, seconds } }`.
    #[wasm_bindgen(js_name = poseParts)]
    pub fn pose_parts(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Record<string, { clip: string; seconds: number }>")]
        parts: js_sys::Object,
    ) -> Result<(), JsError> {
        for entry in js_sys::Object::entries(&parts).iter() {
            let entry: Array = entry.into();
            let part = entry.get(0).as_string().unwrap_or_default();
            let field = |name: &str| js_sys::Reflect::get(&entry.get(1), &name.into()).unwrap_or(JsValue::UNDEFINED);
            let clip = field("clip").as_string().unwrap_or_default();
            let seconds = field("seconds").as_f64().unwrap_or(0.0) as f32;
            if !self.figure.borrow_mut().pose_named_part(&part, &clip, seconds, None) {
                return Err(JsError::new(&format!("no part `{part}` with a clip `{clip}`")));
            }
        }
        Ok(())
    }

    /// Least and greatest corner of the box around the posed model: min xyz, max xyz.
    #[wasm_bindgen(getter, unchecked_return_type = "number[]")]
    pub fn bounds(&self) -> Array {
        let bounds = self.updated().bounds();
        numbers(bounds.min.to_array().into_iter().chain(bounds.max.to_array()).map(f64::from))
    }

    /// Positions of a mesh as posed, xyz a vertex in the order of the file; a copy.
    pub fn positions(&self, mesh: usize) -> Result<Float32Array, JsError> {
        self.per_vertex(mesh, |figure_from_part, vertex| {
            figure_from_part.transform_point3(vertex.position.into()).into()
        })
    }

    /// Unit normals of a mesh as posed, xyz a vertex.
    pub fn normals(&self, mesh: usize) -> Result<Float32Array, JsError> {
        self.per_vertex(mesh, |figure_from_part, vertex| {
            figure_from_part.transform_vector3(vertex.normal.into()).normalize_or_zero().into()
        })
    }

    /// Texture coordinates of a mesh, uv a vertex; (0, 0) is the top left corner of the image.
    pub fn uvs(&self, mesh: usize) -> Result<Float32Array, JsError> {
        self.with_mesh(mesh, |_, mesh, _| Float32Array::from(mesh.uvs.as_flattened()))
    }

    /// Vertex indices of a mesh, three a triangle, counter-clockwise seen from the front.
    pub fn triangles(&self, mesh: usize) -> Result<Uint32Array, JsError> {
        self.with_mesh(mesh, |_, mesh, _| Uint32Array::from(mesh.triangles.as_flattened()))
    }

    /// `model_from_joint` of every joint, 16 numbers each, column by column.
    #[wasm_bindgen(js_name = jointMatrices)]
    pub fn joint_matrices(&self) -> Float32Array {
        let figure = self.figure.borrow();
        let joints = figure.parts.iter().flat_map(|part| {
            part.model_from_joint().iter().map(|model_from_joint| part.figure_from_part() * *model_from_joint)
        });
        matrices(joints)
    }

    /// `model_from_tag` of every tag, 16 numbers each, column by column; in a player, the player's space.
    #[wasm_bindgen(js_name = tagMatrices)]
    pub fn tag_matrices(&self) -> Float32Array {
        matrices(self.figure.borrow().tags().map(|(_, figure_from_tag)| figure_from_tag))
    }
}

impl Model {
    /// The figure with its vertices brought up to the pose.
    fn updated(&self) -> Ref<'_, Figure> {
        self.figure.borrow_mut().update();
        self.figure.borrow()
    }

    fn with_mesh<T>(
        &self,
        index: usize,
        then: impl FnOnce(&Part, &Mesh, &crate::skin::PosedMesh) -> T,
    ) -> Result<T, JsError> {
        let figure = self.updated();
        let Some((part, mesh)) = figure.shown().nth(index) else {
            return Err(JsError::new(&format!("no mesh {index}: {} are shown", figure.shown().count())));
        };
        let part = &figure.parts[part];
        Ok(then(part, &part.model().meshes[mesh], &part.posed()[mesh]))
    }

    fn per_vertex(
        &self,
        mesh: usize,
        value: impl Fn(Affine3A, &crate::skin::Vertex) -> [f32; 3],
    ) -> Result<Float32Array, JsError> {
        self.with_mesh(mesh, |part, _, posed| {
            let values: Vec<_> = posed.vertices.iter().map(|vertex| value(part.figure_from_part(), vertex)).collect();
            Float32Array::from(values.as_flattened())
        })
    }
}

/// (part, camera) of a camera counted over all parts.
pub fn nth_camera(figure: &Figure, camera: usize) -> Option<(usize, usize)> {
    let parts = figure.parts.iter().enumerate();
    parts.flat_map(|(part, of)| (0..of.model().cameras.len()).map(move |camera| (part, camera))).nth(camera)
}

fn matrices(list: impl Iterator<Item = Affine3A>) -> Float32Array {
    let columns: Vec<[f32; 16]> = list.map(|affine| Mat4::from(affine).to_cols_array()).collect();
    Float32Array::from(columns.as_flattened())
}

fn info(value: &Info) -> JsValue {
    match value {
        Info::Flag(flag) => (*flag).into(),
        Info::Number(number) => (*number).into(),
        Info::Text(text) => text.into(),
        Info::List(list) => list.iter().map(info).collect::<Array<JsValue>>().into(),
    }
}
