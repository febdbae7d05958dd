//! Draws: in come a posed figure and a stage, out come pixels. One renderer draws any number of figures, each with its own
//! [`GpuFigure`]; nothing is allocated from one picture to the next.

pub mod gl;
pub mod images;
mod lines;
mod mesh;
mod surface;

use glam::{Affine3A, Mat4, Vec3};

use crate::figure::Figure;
use crate::material::Material;
use crate::model::{Camera, CameraFrame};
use crate::skin::{Bounds, Vertex, sprites};
use crate::sort;
use crate::stage::{self, Highlight, Stage};
use gl::{Buffer, Gl, Program, State, Uniform, VertexArray};
use images::Images;
use lines::Lines;
use mesh::GpuMesh;
use surface::Surface;

/// The shaders and what all figures share.
pub struct Renderer {
    gl: Gl,
    surface: Surface,
    wire: Wire,
    floor: Floor,
    lines: Lines,
    /// Meshes that let the background through, with their distance: drawn last, the farthest first.
    translucent: Vec<(f32, usize, usize)>,
}

/// One figure's buffers and textures.
#[derive(Default)]
pub struct GpuFigure {
    parts: Vec<GpuPart>,
    pub images: Images,
    /// Vertices of the quads that turn to the viewer, one mesh at a time.
    turned: Vec<Vertex>,
}

#[derive(Default)]
struct GpuPart {
    level: usize,
    /// One a mesh of the level, made when it is first shown.
    meshes: Vec<Option<GpuMesh>>,
}

/// Colours around the figure, sRGB.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Theme {
    /// Premultiplied with its alpha; alpha 0 leaves the canvas see-through.
    pub background: [f32; 4],
    pub grid: [f32; 4],
    /// Lines over the picture: joints, boxes.
    pub ink: [u8; 4],
}

impl Default for Theme {
    fn default() -> Self {
        Self { background: [0.0; 4], grid: [0.5, 0.5, 0.5, 0.5], ink: [255, 170, 60, 255] }
    }
}

/// What a picture is of, apart from the figure.
#[derive(Clone, Copy, Debug)]
pub struct Picture {
    /// Device pixels.
    pub width: u32,
    pub height: u32,
    /// Device pixels for one of the page's.
    pub pixel_ratio: f32,
    /// Seconds for materials that change by themselves.
    pub seconds: f32,
    pub theme: Theme,
}

/// From where a picture is taken.
#[derive(Clone, Copy, Debug)]
pub struct View {
    pub view_from_figure: Affine3A,
    pub clip_from_figure: Mat4,
    /// Of the camera, in figure space.
    pub eye: Vec3,
    pub right: Vec3,
}

impl View {
    /// The camera's axes in a part's space.
    fn axes_in(&self, figure_from_part: Affine3A) -> sprites::Axes {
        let part_from_view = (self.view_from_figure * figure_from_part).inverse();
        let axis = |axis: Vec3| part_from_view.transform_vector3(axis).normalize_or_zero();
        sprites::Axes { right: axis(Vec3::X), up: axis(Vec3::Y), ahead: axis(Vec3::NEG_Z) }
    }

    /// The view of the orbit, or of the camera that is looked through; near and far planes leave room for the floor around
    /// the figure.
    pub fn new(stage: &Stage, figure: &Figure, bounds: Bounds, aspect: f32) -> Self {
        let size = bounds.max - bounds.min;
        let room = Vec3::splat(size.length() * 0.5);
        let scene = Bounds { min: bounds.min - room, max: bounds.max + room };
        let (view_from_figure, clip_from_view) = match stage.camera_view(figure) {
            Some(frame) => stage::through_camera(frame, aspect, scene),
            None => (stage.orbit.view_from_world(), stage.orbit.clip_from_view(aspect, scene)),
        };
        let figure_from_view = view_from_figure.inverse();
        Self {
            view_from_figure,
            clip_from_figure: clip_from_view * Mat4::from(view_from_figure),
            eye: figure_from_view.translation.into(),
            right: figure_from_view.transform_vector3(Vec3::X),
        }
    }
}

impl GpuFigure {
    /// Takes over a figure: what its images share with those of the figure before stays.
    pub fn attach(&mut self, figure: &Figure) {
        self.parts.clear();
        self.parts.resize_with(figure.parts.len(), GpuPart::default);
        self.images.attach(figure);
    }

    /// Lets go of the figure and of all that was uploaded for it.
    pub fn clear(&mut self) {
        self.parts.clear();
        self.images.clear();
    }

    /// Drops everything that belonged to a lost context.
    pub fn forget_context(&mut self) {
        for part in &mut self.parts {
            part.meshes.clear();
        }
        self.images.forget_all();
    }

    fn prepare(&mut self, gl: &Gl, figure: &Figure, view: &View) {
        for (gpu, part) in self.parts.iter_mut().zip(&figure.parts) {
            if gpu.level != part.level() || gpu.meshes.len() != part.model().meshes.len() {
                gpu.level = part.level();
                gpu.meshes.clear();
                gpu.meshes.resize_with(part.model().meshes.len(), || None);
            }
        }
        for (index, mesh) in figure.shown() {
            let part = &figure.parts[index];
            let gpu =
                self.parts[index].meshes[mesh].get_or_insert_with(|| GpuMesh::new(gl, &part.model().meshes[mesh]));
            let (vertices, shape) = (&part.posed()[mesh].vertices, &part.model().meshes[mesh]);
            match sprites::turning(material_of(figure, index, mesh)) {
                Some(deform) => {
                    let axes = view.axes_in(part.figure_from_part());
                    sprites::turn(deform, shape, vertices, axes, &mut self.turned);
                    gpu.rewrite(&self.turned);
                }
                None => gpu.update(part.generation(), vertices),
            }
        }
    }
}

impl Renderer {
    /// Compiles the shaders. The context must not be lost.
    pub fn new(context: web_sys::WebGl2RenderingContext) -> Result<Self, String> {
        let gl = Gl::new(context);
        let (surface, wire, floor, lines) = (Surface::new(&gl), Wire::new(&gl), Floor::new(&gl), Lines::new(&gl));
        for program in [&surface.program, &wire.program, &floor.program, &lines.program] {
            if let Some(error) = program.error() {
                return Err(format!("the graphics driver refuses a shader: {error}"));
            }
        }
        Ok(Self { gl, surface, wire, floor, lines, translucent: Vec::new() })
    }

    /// A picture of nothing.
    pub fn clear(&self, picture: &Picture) {
        self.gl.viewport(picture.width, picture.height);
        self.gl.clear(picture.theme.background);
    }

    pub fn gl(&self) -> &Gl {
        &self.gl
    }

    /// Draws a figure whose vertices are up to its pose.
    pub fn draw(&mut self, gpu: &mut GpuFigure, figure: &Figure, stage: &Stage, picture: &Picture) {
        let Picture { width, height, .. } = *picture;
        self.lines.pixel_ratio = picture.pixel_ratio;
        self.gl.viewport(width, height);
        self.gl.clear(picture.theme.background);
        let bounds = figure.view_bounds();
        let view = View::new(stage, figure, bounds, width.max(1) as f32 / height.max(1) as f32);
        gpu.prepare(&self.gl, figure, &view);

        self.translucent.clear();
        if stage.show.meshes {
            self.surface.begin();
            for (part, mesh) in figure.drawn() {
                let material = material_of(figure, part, mesh);
                if material.hidden {
                    continue;
                }
                if material.translucent && stage.show.textures {
                    let posed = figure.parts[part].posed()[mesh].bounds;
                    let middle = figure.parts[part].figure_from_part().transform_point3((posed.min + posed.max) * 0.5);
                    self.translucent.push((view.eye.distance_squared(middle), part, mesh));
                } else {
                    self.surface.draw(&self.gl, gpu, figure, (part, mesh), &view, stage, picture.seconds);
                }
            }
        }
        if stage.show.grid {
            self.floor.draw(&self.gl, bounds, figure.ground, &view, picture);
        }
        if !self.translucent.is_empty() {
            sort::by(&mut self.translucent, |a, b| b.0.total_cmp(&a.0));
            self.surface.begin();
            for &(_, part, mesh) in &self.translucent {
                self.surface.draw(&self.gl, gpu, figure, (part, mesh), &view, stage, picture.seconds);
            }
        }
        if stage.show.wireframe {
            self.wire.draw(&self.gl, gpu, figure, &view, stage.show.meshes, picture);
        }
        self.draw_lines(figure, &view, stage, bounds, picture);
    }

    fn draw_lines(&mut self, figure: &Figure, view: &View, stage: &Stage, bounds: Bounds, picture: &Picture) {
        let Self { lines, gl, .. } = self;
        let (clip, width, height) = (&view.clip_from_figure, picture.width, picture.height);
        let ink = picture.theme.ink;
        let size = (bounds.max - bounds.min).length();
        if stage.show.bounds {
            lines.bounds(Affine3A::IDENTITY, bounds, [ink[0], ink[1], ink[2], 200], 1.5);
            lines.draw(gl, clip, width, height, false);
        }
        if stage.show.hitboxes {
            for part in &figure.parts {
                for hitbox in &part.model().hitboxes {
                    let figure_from_joint = part.figure_from_part() * part.model_from_joint()[hitbox.joint];
                    let group = lines::GROUPS[hitbox.group.rem_euclid(lines::GROUPS.len() as i32) as usize];
                    lines.bounds(figure_from_joint, Bounds { min: hitbox.min, max: hitbox.max }, group, 1.5);
                }
            }
            lines.draw(gl, clip, width, height, true);
        }
        // A skeleton without a mesh is all there is to see.
        if stage.show.joints || figure.shown().next().is_none() {
            for part in &figure.parts {
                let figure_from_part = part.figure_from_part();
                let at = |joint: usize| -> Vec3 {
                    figure_from_part.transform_point3a(part.model_from_joint()[joint].translation).into()
                };
                for (index, joint) in part.model().skeleton.joints.iter().enumerate() {
                    if let Some(parent) = joint.parent {
                        lines.line(at(parent), at(index), ink, 2.0);
                    }
                }
                for index in 0..part.model().skeleton.joints.len() {
                    lines.dot(at(index), [255, 255, 255, 255], 4.0);
                }
            }
            lines.draw(gl, clip, width, height, true);
        }
        let alone = figure.shown().next().is_none();
        if (stage.show.cameras || alone) && stage.look_through.is_none() {
            for part in &figure.parts {
                for camera in &part.model().cameras {
                    let figure_from_part = part.figure_from_part();
                    camera_path(lines, figure_from_part, camera, size * 0.05, ink);
                    let now = stage.camera_frame(camera);
                    let figure_from_camera = figure_from_part * now.model_from_camera.to_affine();
                    frustum(lines, figure_from_camera, now.fov_x, size * 0.07, lines::GREEN);
                }
            }
            lines.draw(gl, clip, width, height, false);
        }
        if stage.show.tags {
            for figure_from_tag in figure.tag_places() {
                lines.axes(figure_from_tag, size * 0.06);
            }
            lines.draw(gl, clip, width, height, true);
        }
        if let Some(highlight) = stage.highlight {
            mark(lines, figure, highlight, size);
            lines.draw(gl, clip, width, height, true);
        }
    }
}

/// Points at one thing, over everything else.
fn mark(lines: &mut Lines, figure: &Figure, highlight: Highlight, size: f32) {
    const WIDE: f32 = 11.0;
    match highlight {
        Highlight::Joint { part, joint } => {
            let part = &figure.parts[part];
            let Some(&part_from_joint) = part.model_from_joint().get(joint) else { return };
            let figure_from_joint = part.figure_from_part() * part_from_joint;
            let at = |joint: usize| -> Vec3 {
                part.figure_from_part().transform_point3a(part.model_from_joint()[joint].translation).into()
            };
            for (index, child) in part.model().skeleton.joints.iter().enumerate() {
                if child.parent == Some(joint) {
                    lines.line(at(joint), at(index), lines::RED, 3.0);
                }
            }
            lines.axes(figure_from_joint, size * 0.08);
            lines.dot(figure_from_joint.translation.into(), lines::RED, WIDE);
        }
        Highlight::Mesh { part, mesh } => {
            let part = &figure.parts[part];
            if let Some(posed) = part.posed().get(mesh) {
                lines.bounds(part.figure_from_part(), posed.bounds, lines::RED, 2.5);
            }
        }
        Highlight::Vertex { part, mesh, vertex } => {
            let part = &figure.parts[part];
            let vertices = part.posed().get(mesh).map(|posed| &posed.vertices);
            let Some(vertex) = vertices.and_then(|vertices| vertices.get(vertex)) else { return };
            let at = part.figure_from_part().transform_point3(vertex.position.into());
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                lines.line(at - axis * size * 0.04, at + axis * size * 0.04, lines::RED, 2.0);
            }
            lines.dot(at, lines::RED, WIDE);
        }
        Highlight::Tag(tag) => {
            if let Some(figure_from_tag) = figure.tag_places().nth(tag) {
                lines.axes(figure_from_tag, size * 0.1);
                lines.dot(figure_from_tag.translation.into(), lines::RED, WIDE);
            }
        }
    }
}

/// The way of a camera, with what it sees at every half second and where a shot begins.
fn camera_path(lines: &mut Lines, figure_from_part: Affine3A, camera: &Camera, size: f32, ink: [u8; 4]) {
    let at = |frame: &CameraFrame| figure_from_part.transform_point3(frame.model_from_camera.translation);
    // A cut's frame is the last of its shot; the one after it begins the next.
    let begins_shot = |index: usize| index == 0 || camera.cuts.contains(&(index as u32 - 1));
    let often = ((camera.rate * 0.5).round() as usize).max(1);
    for (index, frame) in camera.frames.iter().enumerate() {
        let begins = begins_shot(index);
        if !begins {
            lines.line(at(&camera.frames[index - 1]), at(frame), ink, 2.0);
        }
        if begins || index % often == 0 {
            let color = if begins { lines::RED } else { [ink[0], ink[1], ink[2], 150] };
            frustum(lines, figure_from_part * frame.model_from_camera.to_affine(), frame.fov_x, size, color);
        }
    }
}

/// What a camera sees, as a pyramid of this depth with the sides of a 16:9 picture.
fn frustum(lines: &mut Lines, figure_from_camera: Affine3A, fov_x: f32, depth: f32, color: [u8; 4]) {
    let left = depth * (fov_x.clamp(1.0, 170.0).to_radians() * 0.5).tan();
    let up = left * 9.0 / 16.0;
    let corners = [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)]
        .map(|(y, z)| figure_from_camera.transform_point3(Vec3::new(depth, left * y, up * z)));
    for (index, &corner) in corners.iter().enumerate() {
        lines.line(figure_from_camera.translation.into(), corner, color, 1.5);
        lines.line(corner, corners[(index + 1) % 4], color, 1.5);
    }
}

fn material_of(figure: &Figure, part: usize, mesh: usize) -> &Material {
    let part = &figure.parts[part];
    let index = part.material_of(mesh).unwrap_or(part.model().meshes[mesh].material);
    &part.model().materials[index]
}

/// Edges of triangles.
struct Wire {
    program: Program,
    clip_from_part: Uniform,
    color: Uniform,
}

impl Wire {
    fn new(gl: &Gl) -> Self {
        let program = Program::new(gl, include_str!("render/wire.vert"), include_str!("render/wire.frag"));
        let (clip_from_part, color) = (program.uniform("clip_from_part"), program.uniform("color"));
        Self { program, clip_from_part, color }
    }

    fn draw(&self, gl: &Gl, gpu: &mut GpuFigure, figure: &Figure, view: &View, over: bool, picture: &Picture) {
        gl.set(State {
            depth_write: !over,
            blend: Some((glow::SRC_ALPHA, glow::ONE_MINUS_SRC_ALPHA)),
            ..State::OPAQUE
        });
        self.program.bind();
        let [r, g, b, _] = picture.theme.grid;
        self.program.set_vec4(&self.color, [r, g, b, if over { 0.5 } else { 0.9 }]);
        for (index, mesh) in figure.drawn() {
            let part = &figure.parts[index];
            let clip_from_part = view.clip_from_figure * Mat4::from(part.figure_from_part());
            self.program.set_mat4(&self.clip_from_part, &clip_from_part.to_cols_array());
            if let Some(gpu_mesh) = &mut gpu.parts[index].meshes[mesh] {
                gpu_mesh.draw_edges(gl, &part.model().meshes[mesh]);
            }
        }
    }
}

/// The grid that the figure stands on.
struct Floor {
    program: Program,
    clip_from_figure: Uniform,
    place: Uniform,
    spacing: Uniform,
    line_color: Uniform,
    shadow: Uniform,
    shadow_strength: Uniform,
    array: VertexArray,
}

impl Floor {
    fn new(gl: &Gl) -> Self {
        let program = Program::new(gl, include_str!("render/floor.vert"), include_str!("render/floor.frag"));
        Self {
            clip_from_figure: program.uniform("clip_from_figure"),
            place: program.uniform("place"),
            spacing: program.uniform("spacing"),
            line_color: program.uniform("line_color"),
            shadow: program.uniform("shadow"),
            shadow_strength: program.uniform("shadow_strength"),
            // The corners are numbered, not stored.
            array: VertexArray::new(gl, &[], None::<&Buffer>),
            program,
        }
    }

    fn draw(&self, gl: &Gl, bounds: Bounds, ground: Option<f32>, view: &View, picture: &Picture) {
        let size = bounds.max - bounds.min;
        let middle = (bounds.min + bounds.max) * 0.5;
        let reach = size.length().max(1e-3);
        // Feet a little off zero stand on the origin's plane; what hangs elsewhere gets a floor of its own.
        let below = if bounds.min.z.abs() < reach * 0.05 { 0.0 } else { bounds.min.z };
        // Where the ground is known it stays, whatever the feet do.
        let height = ground.unwrap_or(below);
        gl.set(State {
            cull: None,
            depth_write: false,
            blend: Some((glow::ONE, glow::ONE_MINUS_SRC_ALPHA)),
            ..State::OPAQUE
        });
        let program = &self.program;
        program.bind();
        program.set_mat4(&self.clip_from_figure, &view.clip_from_figure.to_cols_array());
        program.set_vec4(&self.place, [middle.x, middle.y, height, reach * 1.6]);
        program.set_vec4(&self.line_color, picture.theme.grid);
        program.set_float(&self.spacing, grid_spacing(reach));
        program.set_vec4(
            &self.shadow,
            [middle.x, middle.y, size.x.max(reach * 0.05) * 0.6, size.y.max(reach * 0.05) * 0.6],
        );
        // From below the floor is glass.
        let above = if view.eye.z > height { 1.0 } else { 0.0 };
        let gap = ((bounds.min.z - height) / reach).clamp(0.0, 1.0);
        program.set_float(&self.shadow_strength, 0.34 * above * (1.0 - gap));
        self.array.bind();
        gl.draw_strips(4, 1);
    }
}

/// Units between two lines of the grid for a figure of this size: a power of two, as level editors count.
pub fn grid_spacing(size: f32) -> f32 {
    (size / 6.0).log2().floor().exp2()
}
