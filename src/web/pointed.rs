//! What the page asks of a viewer beyond its pictures: where things are in them, and to point at some. The element of other pages
//! does without.

use glam::Vec4;
use js_sys::Float32Array;
use wasm_bindgen::prelude::*;

use super::asked::nth_camera;
use super::viewer::Viewer;
use crate::figure::Figure;
use crate::render::{Picture, View, grid_spacing};
use crate::stage::Highlight;

#[wasm_bindgen]
impl Viewer {
    /// Looks through a camera of the model, counted as in `Model.cameras`; `undefined` comes back to the orbit. Throws where
    /// there is no such camera.
    #[wasm_bindgen(js_name = lookThrough)]
    pub fn look_through(&mut self, camera: Option<usize>) -> Result<(), JsError> {
        self.stage.look_through = match (camera, &self.figure) {
            (None, _) => None,
            (Some(_), None) => return Err(JsError::new("no model is shown")),
            (Some(index), Some(figure)) => {
                let found = nth_camera(&figure.borrow(), index);
                Some(found.ok_or_else(|| JsError::new(&format!("no camera {index}")))?)
            }
        };
        self.changed = true;
        Ok(())
    }

    /// Points at a joint, a mesh, one of its vertices, or a tag, counted as in the model's lists; `null` ends that. False where
    /// there is no such thing.
    pub fn highlight(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "CheckSubject | null | undefined")] subject: &JsValue,
    ) -> bool {
        self.stage.highlight = self.figure.as_ref().and_then(|figure| highlight(subject, &figure.borrow()));
        self.changed = true;
        self.stage.highlight.is_some()
    }

    /// What a game would give the entity (a team's or player's colour): red, green, blue and perhaps alpha, sRGB, 0 to 1.
    /// It shows on the materials that say so (`Model.materials`).
    #[wasm_bindgen(js_name = setEntityColor)]
    pub fn set_entity_color(&mut self, color: &[f32]) -> Result<(), JsError> {
        self.stage.entity_color = match *color {
            [r, g, b] => Vec4::new(r, g, b, 1.0),
            [r, g, b, a] => Vec4::new(r, g, b, a),
            _ => return Err(JsError::new("three or four numbers make a colour")),
        }
        .clamp(Vec4::ZERO, Vec4::ONE);
        self.changed = true;
        Ok(())
    }

    /// Units between two lines of the grid.
    #[wasm_bindgen(getter, js_name = gridSpacing)]
    pub fn grid_spacing(&self) -> f32 {
        self.figure.as_ref().map_or(0.0, |figure| {
            let bounds = figure.borrow().view_bounds();
            grid_spacing((bounds.max - bounds.min).length().max(1e-3))
        })
    }

    /// Where on the canvas each tag is, x and y in fractions from the top left, in the order of `Model.tags`; NaN behind
    /// the camera.
    #[wasm_bindgen(js_name = tagPlaces)]
    pub fn tag_places(&self) -> Float32Array {
        let Some(figure) = &self.figure else { return Float32Array::new_with_length(0) };
        let figure = figure.borrow();
        let view = View::new(&self.stage, &figure, figure.view_bounds(), self.aspect());
        let places: Vec<[f32; 2]> = figure
            .tag_places()
            .map(|figure_from_tag| {
                let clip = view.clip_from_figure * figure_from_tag.translation.extend(1.0);
                match clip.w > 0.0 {
                    true => [clip.x / clip.w * 0.5 + 0.5, 0.5 - clip.y / clip.w * 0.5],
                    false => [f32::NAN; 2],
                }
            })
            .collect();
        Float32Array::from(places.as_flattened())
    }

    /// The file at this path has been replaced: images that need it are wanted again.
    #[wasm_bindgen(js_name = forgetFile)]
    pub fn forget_file(&mut self, path: &str) {
        self.gpu.images.forget(path);
    }

    /// The pixels of the last `draw`, RGBA, bottom row first; only right after it, in the same task.
    #[wasm_bindgen(js_name = readPixels)]
    pub fn read_pixels(&self) -> Vec<u8> {
        let Picture { width, height, .. } = self.picture;
        self.screen.with(|renderer| renderer.gl().read_pixels(width, height)).unwrap_or_default()
    }
}

/// What a `CheckSubject` means in a figure.
fn highlight(subject: &JsValue, figure: &Figure) -> Option<Highlight> {
    if !subject.is_object() {
        return None;
    }
    let field = |name: &str| {
        let value = js_sys::Reflect::get(subject, &name.into()).ok()?;
        value.as_f64().filter(|value| *value >= 0.0).map(|value| value as usize)
    };
    if let Some(mesh) = field("mesh") {
        let (part, mesh) = figure.shown().nth(mesh)?;
        return Some(match field("vertex") {
            Some(vertex) => Highlight::Vertex { part, mesh, vertex },
            None => Highlight::Mesh { part, mesh },
        });
    }
    if let Some(index) = field("joint") {
        let joints = figure.parts.iter().enumerate();
        let mut joints = joints.flat_map(|(part, of)| (0..of.model_from_joint().len()).map(move |joint| (part, joint)));
        return joints.nth(index).map(|(part, joint)| Highlight::Joint { part, joint });
    }
    field("tag").filter(|&tag| tag < figure.tag_places().count()).map(Highlight::Tag)
}
