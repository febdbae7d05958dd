//! Lines over the picture: in come joints, tags, boxes and paths, out comes one instanced draw.

use bytemuck::{Pod, Zeroable};
use glam::{Affine3A, Mat4, Vec3};

use super::gl::{Attribute, AttributeKind, Buffer, Gl, Program, State, Uniform, VertexArray};
use crate::skin::Bounds;

/// An instance as `line.vert` takes it.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Line {
    from: [f32; 3],
    color: [u8; 4],
    to: [f32; 3],
    width: f32,
}

/// Colours of hit groups (Half-Life: generic, head, chest, stomach, arms, legs).
pub const GROUPS: [[u8; 4]; 8] = [
    [200, 200, 200, 255],
    [232, 80, 80, 255],
    [232, 168, 60, 255],
    [220, 216, 72, 255],
    [88, 190, 88, 255],
    [72, 180, 200, 255],
    [96, 128, 236, 255],
    [188, 104, 224, 255],
];

/// The lines of one picture. The list keeps its memory from picture to picture.
pub struct Lines {
    pub program: Program,
    clip_from_figure: Uniform,
    half_size: Uniform,
    list: Vec<Line>,
    buffer: Option<(Buffer, VertexArray)>,
    /// Device pixels for one of the page's.
    pub pixel_ratio: f32,
}

pub const RED: [u8; 4] = [224, 72, 72, 255];
pub const GREEN: [u8; 4] = [84, 174, 84, 255];
pub const BLUE: [u8; 4] = [84, 128, 232, 255];

impl Lines {
    pub fn new(gl: &Gl) -> Self {
        let program = Program::new(gl, include_str!("line.vert"), include_str!("line.frag"));
        let (clip_from_figure, half_size) = (program.uniform("clip_from_figure"), program.uniform("half_size"));
        Self { program, clip_from_figure, half_size, list: Vec::new(), buffer: None, pixel_ratio: 1.0 }
    }

    /// `width` in the page's pixels.
    pub fn line(&mut self, from: Vec3, to: Vec3, color: [u8; 4], width: f32) {
        let width = width * self.pixel_ratio;
        self.list.push(Line { from: from.into(), color, to: to.into(), width });
    }

    pub fn dot(&mut self, at: Vec3, color: [u8; 4], width: f32) {
        self.line(at, at, color, width);
    }

    /// X red, Y green, Z blue.
    pub fn axes(&mut self, figure_from_axes: Affine3A, length: f32) {
        let origin = figure_from_axes.translation.into();
        for (axis, color) in [(Vec3::X, RED), (Vec3::Y, GREEN), (Vec3::Z, BLUE)] {
            self.line(origin, figure_from_axes.transform_point3(axis * length), color, 2.0);
        }
    }

    pub fn bounds(&mut self, figure_from_box: Affine3A, bounds: Bounds, color: [u8; 4], width: f32) {
        let corner = |bits: usize| {
            let pick = |bit: usize, low: f32, high: f32| if bits & bit == 0 { low } else { high };
            figure_from_box.transform_point3(Vec3::new(
                pick(1, bounds.min.x, bounds.max.x),
                pick(2, bounds.min.y, bounds.max.y),
                pick(4, bounds.min.z, bounds.max.z),
            ))
        };
        for bits in 0..8 {
            for bit in [1, 2, 4] {
                if bits & bit == 0 {
                    self.line(corner(bits), corner(bits | bit), color, width);
                }
            }
        }
    }

    /// Draws the list and empties it. `on_top` paints over everything; otherwise nearer surfaces hide lines.
    pub fn draw(&mut self, gl: &Gl, clip_from_figure: &Mat4, width: u32, height: u32, on_top: bool) {
        if self.list.is_empty() {
            return;
        }
        let bytes: &[u8] = bytemuck::cast_slice(&self.list);
        let (buffer, array) = match &self.buffer {
            Some(pair) if pair.0.byte_count() >= bytes.len() => pair,
            _ => {
                let buffer = Buffer::dynamic(gl, bytes.len().next_power_of_two());
                let stride = size_of::<Line>() as i32;
                let input = |location, components, kind, offset| {
                    (&buffer, Attribute { location, components, kind, stride, offset, per_instance: true })
                };
                let inputs = [
                    input(0, 3, AttributeKind::Float, 0),
                    input(1, 4, AttributeKind::UnitByte, 12),
                    input(2, 3, AttributeKind::Float, 16),
                    input(3, 1, AttributeKind::Float, 28),
                ];
                let array = VertexArray::new(gl, &inputs, None);
                self.buffer.insert((buffer, array))
            }
        };
        buffer.write(bytes);
        gl.set(State {
            cull: None,
            depth_test: !on_top,
            depth_write: false,
            blend: Some((glow::SRC_ALPHA, glow::ONE_MINUS_SRC_ALPHA)),
            push_back: false,
        });
        self.program.bind();
        self.program.set_mat4(&self.clip_from_figure, &clip_from_figure.to_cols_array());
        self.program.set_vec2(&self.half_size, [width as f32 * 0.5, height as f32 * 0.5]);
        array.bind();
        gl.draw_strips(4, self.list.len());
        self.list.clear();
    }
}
