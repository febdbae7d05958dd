//! A model on a canvas as JavaScript sees it: in go what a user does, out come pictures. The page calls [`Viewer::draw`] from its
//! animation frames, and only as long as it answers that there is more to come.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{HtmlCanvasElement, HtmlImageElement, ImageBitmap, OffscreenCanvas, WebGl2RenderingContext};

use super::figure::Model;
use super::object::{Object, numbers, strings};
use crate::figure::Figure;
use crate::material::Program;
use crate::render::gl::Pixels;
use crate::render::{GpuFigure, Picture, Renderer, Theme};
use crate::stage::{Orbit, Stage};

/// A view of a model. Several can share one canvas and its context: see `another`.
#[wasm_bindgen]
pub struct Viewer {
    pub(super) screen: Rc<Screen>,
    pub(super) figure: Option<Rc<RefCell<Figure>>>,
    pub(super) gpu: GpuFigure,
    /// Which of the screen's contexts `gpu` belongs to.
    context_number: u32,
    pub(super) stage: Stage,
    pub(super) picture: Picture,
    /// Something other than the pose has changed since the last picture.
    pub(super) changed: bool,
    /// Sum of the parts' generations in the last picture.
    drawn_generation: u64,
    /// Where the camera is on its way to, and the time of the last step.
    destination: Option<(Orbit, Option<f64>)>,
    /// The first `draw`, from which materials count their time.
    start: Option<f64>,
    ended: bool,
}

/// The context that views share. It may be lost and come back.
pub(super) struct Screen {
    context: WebGl2RenderingContext,
    /// Taken out while it draws: a view that crashes meanwhile leaves none behind, and the next one makes it anew.
    renderer: Cell<Option<Renderer>>,
    number: Cell<u32>,
}

impl Screen {
    /// Makes a renderer where there is none, and a new one for a context that came back.
    fn renew(&self) -> Result<(), String> {
        let renderer = Renderer::new(self.context.clone())?;
        self.renderer.set(Some(renderer));
        self.number.set(self.number.get() + 1);
        Ok(())
    }

    /// `None` where the driver takes the shaders no more.
    pub(super) fn with<T>(&self, then: impl FnOnce(&mut Renderer) -> T) -> Option<T> {
        let mut renderer = match self.renderer.take() {
            Some(renderer) => renderer,
            None => {
                self.renew().ok()?;
                self.renderer.take()?
            }
        };
        let done = then(&mut renderer);
        self.renderer.set(Some(renderer));
        Some(done)
    }
}

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** What is drawn besides the meshes, and how. */
export type ShowFlag = "meshes" | "grid" | "joints" | "tags" | "wireframe" | "bounds" | "hitboxes" | "cameras" | "bump" | "textures";

/** An image to decode and hand over: see `Viewer.beginImage`. */
export interface WantedImage {
    id: number;
    /** As the material names it, for messages. */
    name: string;
    /** Files to read: one for a plain image, several where a material computes one image from others. */
    paths: string[];
    /** Whether the first path is the image itself. */
    plain: boolean;
    /** This index of an 8-bit palette is a hole. */
    maskedIndex?: number;
}
"#;

#[wasm_bindgen]
impl Viewer {
    /// Draws to this canvas, with WebGL 2. Throws where the browser has none.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "HTMLCanvasElement | OffscreenCanvas")] canvas: JsValue,
    ) -> Result<Viewer, JsError> {
        let options: JsValue = Object::new()
            .set("antialias", true)
            .set("alpha", true)
            .set("premultipliedAlpha", true)
            .set("stencil", false)
            .into();
        let context = match (canvas.dyn_ref::<HtmlCanvasElement>(), canvas.dyn_ref::<OffscreenCanvas>()) {
            (Some(canvas), _) => canvas.get_context_with_context_options("webgl2", &options),
            (_, Some(canvas)) => canvas.get_context_with_context_options("webgl2", &options),
            _ => return Err(JsError::new("not a canvas")),
        };
        let Ok(Some(context)) = context else {
            return Err(JsError::new("the browser offers no WebGL 2 for this canvas"));
        };
        let context: WebGl2RenderingContext = context.unchecked_into();
        if context.is_context_lost() {
            return Err(JsError::new("the WebGL context is lost"));
        }
        let screen = Screen { context, renderer: Cell::new(None), number: 0.into() };
        screen.renew().map_err(|error| JsError::new(&error))?;
        Ok(Self::on(Rc::new(screen)))
    }

    /// Another view on the same canvas and context, with a model, camera and clock of its own.
    pub fn another(&self) -> Viewer {
        Self::on(Rc::clone(&self.screen))
    }

    /// Shows a model. `keep` leaves the camera, and the clips that the model has, as they are: for the same model with more
    /// files.
    pub fn show(&mut self, model: &Model, keep: bool) {
        let figure = Rc::clone(&model.figure);
        self.gpu.attach(&figure.borrow());
        if keep {
            let known: Vec<_> = figure.borrow().clips().iter().map(|listed| listed.clip.name.clone()).collect();
            self.stage.clock.clips.retain(|(_, clip)| known.contains(clip));
            let camera = |&(part, camera): &(usize, usize)| {
                figure.borrow().parts.get(part).is_some_and(|part| camera < part.model().cameras.len())
            };
            self.stage.look_through = self.stage.look_through.filter(camera);
            // Its numbers may mean something else now.
            self.stage.highlight = None;
        } else {
            self.stage.clock.clips.clear();
            self.stage.clock.seconds = 0.0;
            self.stage.look_through = None;
            self.destination = None;
            self.stage.highlight = None;
        }
        self.stage.pose(&mut figure.borrow_mut());
        self.figure = Some(figure);
        self.changed = true;
        if !keep {
            self.frame(false);
        }
    }

    /// Shows nothing and frees what the model took on the GPU.
    pub fn clear(&mut self) {
        self.figure = None;
        self.gpu.clear();
        self.changed = true;
    }

    /// Draws if the picture would differ from the last one. `now`: milliseconds, as animation frames get them. True while
    /// something moves, so that another frame is needed.
    pub fn draw(&mut self, now: f64) -> bool {
        if self.screen.context.is_context_lost() {
            return false;
        }
        if self.screen.with(|_| ()).is_none() {
            return false;
        }
        if self.context_number != self.screen.number.get() {
            self.context_number = self.screen.number.get();
            self.gpu.forget_context();
            self.changed = true;
        }
        let flying = self.fly(now);
        let Some(figure) = self.figure.clone() else {
            if std::mem::take(&mut self.changed) {
                self.screen.with(|renderer| renderer.clear(&self.picture));
            }
            return false;
        };
        let mut figure = figure.borrow_mut();
        let advance = self.stage.advance(&mut figure, now);
        self.ended |= advance.ended;
        figure.update();
        let generation = figure.parts.iter().map(|part| part.generation()).sum();
        let shimmers = self.stage.show.meshes && self.stage.show.textures && figure.changes();
        if self.changed || flying || shimmers || advance.moved || generation != self.drawn_generation {
            self.picture.seconds = ((now - *self.start.get_or_insert(now)) / 1000.0) as f32;
            let Self { screen, gpu, stage, picture, .. } = self;
            screen.with(|renderer| renderer.draw(gpu, &figure, stage, picture));
            self.changed = false;
            self.drawn_generation = generation;
        }
        self.stage.clock.playing || shimmers || self.destination.is_some()
    }

    /// The next `draw` draws in any case, for instance to read the canvas right after it.
    pub fn invalidate(&mut self) {
        self.changed = true;
    }

    /// The canvas was resized to this many device pixels; `pixelRatio` is device pixels for one of the page's.
    pub fn resize(&mut self, width: u32, height: u32, #[wasm_bindgen(js_name = pixelRatio)] pixel_ratio: f32) {
        self.picture = Picture { width, height, pixel_ratio, ..self.picture };
        self.changed = true;
    }

    /// Colours around the model, sRGB, 0 to 1: background and grid as r, g, b, a; lines over the picture as r, g, b.
    #[wasm_bindgen(js_name = setTheme)]
    pub fn set_theme(&mut self, background: &[f32], grid: &[f32], ink: &[f32]) -> Result<(), JsError> {
        let ([r, g, b, a], [gr, gg, gb, ga], [ir, ig, ib]) = (background, grid, ink) else {
            return Err(JsError::new("four, four and three numbers make a theme"));
        };
        let byte = |channel: &f32| (channel.clamp(0.0, 1.0) * 255.0).round() as u8;
        self.picture.theme = Theme {
            background: [r * a, g * a, b * a, *a],
            grid: [*gr, *gg, *gb, *ga],
            ink: [byte(ir), byte(ig), byte(ib), 255],
        };
        self.changed = true;
        Ok(())
    }

    // The camera.

    /// Turns about the model, in radians.
    pub fn orbit(&mut self, yaw: f32, pitch: f32) {
        self.move_camera(|orbit| orbit.turn(yaw, pitch));
    }

    /// Moves across the view, in fractions of its height.
    pub fn pan(&mut self, right: f32, up: f32) {
        self.move_camera(|orbit| orbit.pan(right, up));
    }

    /// Below 1 comes closer.
    pub fn zoom(&mut self, factor: f32) {
        self.move_camera(|orbit| orbit.zoom(factor));
    }

    /// Brings the whole model into view; `smoothly` over a few frames.
    pub fn frame(&mut self, smoothly: bool) {
        let Some(figure) = self.figure.clone() else { return };
        let mut figure = figure.borrow_mut();
        figure.update();
        let mut orbit = self.destination.map_or(self.stage.orbit, |(orbit, _)| orbit);
        orbit.frame(figure.view_bounds(), self.aspect());
        self.go(orbit, smoothly);
    }

    /// Target x, y, z, yaw and pitch in radians, distance, vertical field of view in degrees.
    #[wasm_bindgen(getter, unchecked_return_type = "number[]")]
    pub fn camera(&self) -> Array {
        let Orbit { target, yaw, pitch, distance, fov_y } = self.stage.orbit;
        numbers([target.x, target.y, target.z, yaw, pitch, distance, fov_y.to_degrees()].map(f64::from))
    }

    /// The same seven numbers.
    #[wasm_bindgen(js_name = setCamera)]
    pub fn set_camera(&mut self, camera: &[f32], smoothly: bool) -> Result<(), JsError> {
        let &[x, y, z, yaw, pitch, distance, fov] = camera else {
            return Err(JsError::new("seven numbers make a camera"));
        };
        if !camera.iter().all(|number| number.is_finite()) {
            return Err(JsError::new("a camera's numbers must be finite"));
        }
        let mut orbit =
            Orbit { target: glam::Vec3::new(x, y, z), fov_y: fov.clamp(1.0, 150.0).to_radians(), ..self.stage.orbit };
        orbit.yaw = yaw;
        orbit.pitch = pitch.clamp(-Orbit::PITCH_LIMIT, Orbit::PITCH_LIMIT);
        orbit.distance = distance.clamp(1e-4, 1e7);
        self.go(orbit, smoothly);
        Ok(())
    }

    // The clock.

    /// Chooses a clip; `null` is the bind pose. With `part`, only that part's (Quake III: lower, upper). The time stays.
    #[wasm_bindgen(js_name = setClip)]
    pub fn set_clip(&mut self, name: Option<String>, part: Option<String>) {
        let part = part.unwrap_or_default();
        let clips = &mut self.stage.clock.clips;
        match part.is_empty() {
            true => clips.clear(),
            false => clips.retain(|(other, _)| !other.is_empty() && *other != part),
        }
        clips.extend(name.map(|name| (part, name)));
        self.pose();
    }

    /// The clips that are chosen; `part` is empty where a clip moves all parts that have it.
    #[wasm_bindgen(getter, unchecked_return_type = "{ part: string; clip: string }[]")]
    pub fn clips(&self) -> Array {
        let row =
            |(part, clip): &(String, String)| -> JsValue { Object::new().set("part", part).set("clip", clip).into() };
        self.stage.clock.clips.iter().map(row).collect::<Array<JsValue>>()
    }

    pub fn play(&mut self) {
        let Some(figure) = &self.figure else { return };
        let (duration, loops) = self.stage.length(&figure.borrow());
        let clock = &mut self.stage.clock;
        // At its end, a clip that does not loop starts anew.
        if !clock.loops.unwrap_or(loops) {
            match clock.speed < 0.0 {
                false if clock.seconds >= duration => clock.seconds = 0.0,
                true if clock.seconds <= 0.0 => clock.seconds = duration,
                _ => {}
            }
        }
        clock.playing = true;
        self.ended = false;
    }

    pub fn pause(&mut self) {
        self.stage.clock.playing = false;
    }

    #[wasm_bindgen(getter)]
    pub fn playing(&self) -> bool {
        self.stage.clock.playing
    }

    /// True once after a clip that does not loop has reached its end.
    #[wasm_bindgen(js_name = takeEnded)]
    pub fn take_ended(&mut self) -> bool {
        std::mem::take(&mut self.ended)
    }

    /// Goes to a time of the clip.
    pub fn seek(&mut self, seconds: f32) {
        if seconds.is_finite() {
            self.stage.clock.seconds = seconds;
            self.pose();
        }
    }

    /// Into the clip; grows past its duration while it loops.
    #[wasm_bindgen(getter)]
    pub fn seconds(&self) -> f32 {
        self.stage.clock.seconds
    }

    /// Of the longest clip that is chosen, in seconds.
    #[wasm_bindgen(getter)]
    pub fn duration(&self) -> f32 {
        self.figure.as_ref().map_or(0.0, |figure| self.stage.length(&figure.borrow()).0)
    }

    /// 1 is the clip's own; negative runs backwards.
    #[wasm_bindgen(getter)]
    pub fn speed(&self) -> f32 {
        self.stage.clock.speed
    }

    #[wasm_bindgen(setter)]
    pub fn set_speed(&mut self, speed: f32) {
        if speed.is_finite() {
            self.stage.clock.speed = speed.clamp(-10.0, 10.0);
        }
    }

    /// The user's word on looping; `undefined` leaves it to the clips.
    #[wasm_bindgen(getter)]
    pub fn loops(&self) -> Option<bool> {
        self.stage.clock.loops
    }

    #[wasm_bindgen(setter)]
    pub fn set_loops(&mut self, loops: Option<bool>) {
        self.stage.clock.loops = loops;
        self.pose();
    }

    // What is shown.

    /// Throws where there is no such flag.
    #[wasm_bindgen(js_name = setShow)]
    pub fn set_show(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "ShowFlag")] flag: &str,
        on: bool,
    ) -> Result<(), JsError> {
        let show = &mut self.stage.show;
        *match flag {
            "meshes" => &mut show.meshes,
            "grid" => &mut show.grid,
            "joints" => &mut show.joints,
            "tags" => &mut show.tags,
            "wireframe" => &mut show.wireframe,
            "bounds" => &mut show.bounds,
            "hitboxes" => &mut show.hitboxes,
            "cameras" => &mut show.cameras,
            "bump" => &mut show.bump,
            "textures" => &mut show.textures,
            _ => return Err(JsError::new(&format!("nothing called `{flag}` can be shown"))),
        } = on;
        self.changed = true;
        Ok(())
    }

    // Images.

    /// What the model's materials show and has not been set yet.
    #[wasm_bindgen(getter, js_name = wantedImages, unchecked_return_type = "WantedImage[]")]
    pub fn wanted_images(&self) -> Array {
        let row = |(id, request): (u32, &crate::render::images::Request)| -> JsValue {
            Object::new()
                .set("id", id)
                .set("name", request.program.to_string())
                .set("paths", strings(request.paths.iter().flatten()))
                .set("plain", matches!(request.program, Program::Image(_)))
                .set_some("maskedIndex", request.masked_index.map(u32::from))
                .into()
        };
        self.gpu.images.wanted().map(row).collect::<Array<JsValue>>()
    }

    /// Takes room for an image of this size, which then comes in rows: `addImageRows` until all are there, then `finishImage`. False
    /// where no one wants it any more; throws where the graphics card has no room for such a size.
    #[wasm_bindgen(js_name = beginImage)]
    pub fn begin_image(&mut self, id: u32, width: u32, height: u32) -> Result<bool, JsError> {
        let images = &mut self.gpu.images;
        let begun = self.screen.with(|renderer| {
            let most = renderer.gl().max_texture_size();
            match width.min(height) > 0 && width.max(height) <= most {
                true => Ok(images.begin(renderer.gl(), id, width, height)),
                false => Err(JsError::new(&format!(
                    "{width} × {height} is not among what this graphics card takes: 1 to {most} each way"
                ))),
            }
        });
        begun.unwrap_or(Ok(false))
    }

    /// Some of an image's rows, from `top` on: whole rows of plain pixels, four bytes each; or an `ImageBitmap` or image element of the
    /// image's width, alpha not multiplied in. False where the image was not begun, or no one wants it any more.
    #[wasm_bindgen(js_name = addImageRows)]
    pub fn add_image_rows(
        &mut self,
        id: u32,
        top: u32,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array | ImageBitmap | HTMLImageElement")] rows: &JsValue,
    ) -> Result<bool, JsError> {
        let pixels =
            match (rows.dyn_ref::<Uint8Array>(), rows.dyn_ref::<ImageBitmap>(), rows.dyn_ref::<HtmlImageElement>()) {
                (Some(bytes), ..) => Pixels::RgbaView(bytes),
                (_, Some(bitmap), _) => Pixels::Bitmap(bitmap),
                (.., Some(element)) => Pixels::Element(element),
                _ => return Err(JsError::new("neither bytes nor an ImageBitmap nor an image element")),
            };
        let images = &mut self.gpu.images;
        Ok(self.screen.with(|_| images.write(id, top, pixels)).unwrap_or(false))
    }

    /// All rows are there: the image is shown. False where it was not begun, or no one wants it any more.
    #[wasm_bindgen(js_name = finishImage)]
    pub fn finish_image(&mut self, id: u32) -> bool {
        let images = &mut self.gpu.images;
        let finished = self.screen.with(|_| images.finish(id)).unwrap_or(false);
        self.changed |= finished;
        finished
    }

    /// The same from a DDS file whose blocks the graphics card takes as they are, all mipmaps included. False where it does
    /// not, or no one wants the image: then it is to be decoded.
    #[wasm_bindgen(js_name = setImageBlocks)]
    pub fn set_image_blocks(&mut self, id: u32, dds: &[u8]) -> bool {
        let images = &mut self.gpu.images;
        let set = self.screen.with(|renderer| images.set_blocks(renderer.gl(), id, dds)).unwrap_or(false);
        self.changed |= set;
        set
    }

    /// The image cannot be had: its surfaces stay neutral.
    #[wasm_bindgen(js_name = failImage)]
    pub fn fail_image(&mut self, id: u32) {
        self.gpu.images.fail(id);
    }

    // The context.

    /// After the canvas's `webglcontextrestored`: everything is made anew, and images are wanted again.
    #[wasm_bindgen(js_name = restoreContext)]
    pub fn restore_context(&mut self) -> Result<(), JsError> {
        self.gpu.forget_context();
        self.changed = true;
        self.screen.renew().map_err(|error| JsError::new(&error))
    }
}

impl Viewer {
    fn on(screen: Rc<Screen>) -> Self {
        Self {
            context_number: screen.number.get(),
            screen,
            figure: None,
            gpu: GpuFigure::default(),
            stage: Stage::new(),
            picture: Picture { width: 1, height: 1, pixel_ratio: 1.0, seconds: 0.0, theme: Theme::default() },
            changed: true,
            drawn_generation: 0,
            destination: None,
            start: None,
            ended: false,
        }
    }

    pub(super) fn aspect(&self) -> f32 {
        self.picture.width.max(1) as f32 / self.picture.height.max(1) as f32
    }

    /// Brings the figure to where the clock stands.
    fn pose(&mut self) {
        if let Some(figure) = &self.figure {
            self.stage.pose(&mut figure.borrow_mut());
        }
    }

    fn move_camera(&mut self, change: impl FnOnce(&mut Orbit)) {
        self.destination = None;
        change(&mut self.stage.orbit);
        self.changed = true;
    }

    fn go(&mut self, orbit: Orbit, smoothly: bool) {
        if smoothly {
            self.destination = Some((orbit, None));
        } else {
            self.destination = None;
            self.stage.orbit = orbit;
        }
        self.changed = true;
    }

    /// Moves the camera on towards its destination. True where it moved.
    fn fly(&mut self, now: f64) -> bool {
        let Some((to, last)) = self.destination else { return false };
        let passed = last.map_or(16.0, |last| (now - last).clamp(0.0, 100.0)) as f32;
        let step = 1.0 - (-passed / 70.0).exp();
        let orbit = &mut self.stage.orbit;
        let turn = (to.yaw - orbit.yaw + std::f32::consts::PI).rem_euclid(std::f32::consts::TAU) - std::f32::consts::PI;
        orbit.target = orbit.target.lerp(to.target, step);
        orbit.yaw += turn * step;
        orbit.pitch += (to.pitch - orbit.pitch) * step;
        orbit.distance *= (to.distance / orbit.distance).powf(step);
        orbit.fov_y += (to.fov_y - orbit.fov_y) * step;
        let left = (orbit.target - to.target).length() / to.distance
            + (orbit.distance / to.distance - 1.0).abs()
            + (turn * (1.0 - step)).abs()
            + (orbit.pitch - to.pitch).abs();
        self.destination = (left > 1e-3).then_some((to, Some(now)));
        if self.destination.is_none() {
            self.stage.orbit = to;
        }
        true
    }
}
