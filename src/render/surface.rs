//! A dressed surface: in come a mesh and its material at a moment, out come one draw for each layer.

use glam::{Mat4, Vec4};

use super::gl::{Face, Gl, Program, Sampler, State, Texture, Uniform};
use super::{GpuFigure, View, material_of};
use crate::figure::Figure;
use crate::image::Swizzle;
use crate::material::{
    AlphaTest, BlendFactor, ColorGen, Deform, Layer, Material, Shading, Sides, TexCoordGen, WaveFunction,
};
use crate::skin::sprites;
use crate::stage::Stage;

const MAX_DEFORMS: usize = 3;

const IMAGE: u32 = 0;
const BUMP: u32 = 1;
const SPECULAR: u32 = 2;

/// What an unlit game would show where a texture is missing; here it is clay, so that form reads.
const NEUTRAL: [u8; 4] = [176, 172, 166, 255];

pub struct Surface {
    pub program: Program,
    uniforms: Uniforms,
    white: Texture,
    neutral: Texture,
    repeat: Sampler,
    clamp: Sampler,
    /// What a surface without a material of its own, or with textures switched off, wears.
    plain: Layer,
}

struct Uniforms {
    clip_from_part: Uniform,
    view_from_part: Uniform,
    part_eye: Uniform,
    part_right: Uniform,
    deforms: Uniform,
    deform_kind: Uniform,
    deform_value: Uniform,
    tex_coords: Uniform,
    tex_steps: Uniform,
    tex_matrix: Uniform,
    tex_offset: Uniform,
    image: Uniform,
    bump: Uniform,
    specular: Uniform,
    color: Uniform,
    shading: Uniform,
    bump_kind: Uniform,
    has_specular: Uniform,
    alpha_is_highlight: Uniform,
    alpha_test: Uniform,
    alpha_limit: Uniform,
    blends: Uniform,
    highlight: Uniform,
}

impl Surface {
    pub fn new(gl: &Gl) -> Self {
        let program = Program::new(gl, include_str!("surface.vert"), include_str!("surface.frag"));
        let uniforms = Uniforms {
            clip_from_part: program.uniform("clip_from_part"),
            view_from_part: program.uniform("view_from_part"),
            part_eye: program.uniform("part_eye"),
            part_right: program.uniform("part_right"),
            deforms: program.uniform("deforms"),
            deform_kind: program.uniform("deform_kind"),
            deform_value: program.uniform("deform_value"),
            tex_coords: program.uniform("tex_coords"),
            tex_steps: program.uniform("tex_steps"),
            tex_matrix: program.uniform("tex_matrix"),
            tex_offset: program.uniform("tex_offset"),
            image: program.uniform("image"),
            bump: program.uniform("bump"),
            specular: program.uniform("specular"),
            color: program.uniform("color"),
            shading: program.uniform("shading"),
            bump_kind: program.uniform("bump_kind"),
            has_specular: program.uniform("has_specular"),
            alpha_is_highlight: program.uniform("alpha_is_highlight"),
            alpha_test: program.uniform("alpha_test"),
            alpha_limit: program.uniform("alpha_limit"),
            blends: program.uniform("blends"),
            highlight: program.uniform("highlight"),
        };
        Self {
            program,
            uniforms,
            white: Texture::pixel(gl, [255; 4]),
            neutral: Texture::pixel(gl, NEUTRAL),
            repeat: Sampler::new(gl, false),
            clamp: Sampler::new(gl, true),
            plain: Layer::lit(),
        }
    }

    /// Before the first [`Surface::draw`], and after anything else was drawn.
    pub fn begin(&self) {
        self.program.bind();
        self.program.set_int(&self.uniforms.image, IMAGE as i32);
        self.program.set_int(&self.uniforms.bump, BUMP as i32);
        self.program.set_int(&self.uniforms.specular, SPECULAR as i32);
        // Samplers want a texture on every unit that a shader may read.
        for unit in [IMAGE, BUMP, SPECULAR] {
            self.white.bind(unit);
            self.repeat.bind(unit);
        }
    }

    /// Draws one mesh, given as (part, mesh), layer by layer.
    #[allow(clippy::too_many_arguments)]
    pub fn draw(
        &self,
        gl: &Gl,
        gpu: &GpuFigure,
        figure: &Figure,
        (part_index, mesh): (usize, usize),
        view: &View,
        stage: &Stage,
        seconds: f32,
    ) {
        let part = &figure.parts[part_index];
        let Some(gpu_mesh) = &gpu.parts[part_index].meshes[mesh] else { return };
        let material = material_of(figure, part_index, mesh);
        self.place(figure, part_index, view);
        self.set_deforms(material, seconds);

        let material_index = part.material_of(mesh).unwrap_or(part.model().meshes[mesh].material);
        let textured = stage.show.textures && !material.layers.is_empty();
        let layers = if textured { material.layers.as_slice() } else { std::slice::from_ref(&self.plain) };
        for (index, layer) in layers.iter().enumerate() {
            let images = gpu.images.of_layer(part_index, part.level(), material_index, index).filter(|_| textured);
            let slot = images.and_then(|images| {
                images.frames.get(layer.image_at(seconds).min(images.frames.len().max(1) - 1)).copied()
            });
            let texture = slot.and_then(|slot| gpu.images.texture(slot));
            let lacks_image = texture.is_none() && !layer.images.is_empty();
            // A layer over others is left out while its image is missing: clay would hide what is below. So is one that lets
            // the background through and whose image may still come.
            let may_come = slot.is_some_and(|slot| gpu.images.is_wanted(slot));
            if lacks_image && (index > 0 || (layer.blend.is_some() && may_come)) {
                continue;
            }
            // Without its image, a surface is clay in the viewer's light, so that its form reads.
            let layer = if lacks_image { &self.plain } else { layer };
            let stand_in = if layer.shading == Shading::Lit { &self.neutral } else { &self.white };
            texture.unwrap_or(stand_in).bind(IMAGE);

            let normals = images.and_then(|images| gpu.images.normals(images.bump?)).filter(|_| stage.show.bump);
            let bump = normals.map(|(texture, _)| texture);
            let specular = images.and_then(|images| gpu.images.texture(images.specular?)).filter(|_| stage.show.bump);
            let bump_kind = match normals {
                None => 0,
                Some((_, Swizzle::RedInAlpha)) => 2,
                Some((_, Swizzle::RebuildZ)) => 3,
                Some(_) => 1,
            };
            self.program.set_int(&self.uniforms.bump_kind, bump_kind);
            self.program.set_int(&self.uniforms.has_specular, i32::from(specular.is_some()));
            let sampler = if layer.clamp { &self.clamp } else { &self.repeat };
            for (texture, unit) in [(bump, BUMP), (specular, SPECULAR)] {
                if let Some(texture) = texture {
                    texture.bind(unit);
                    sampler.bind(unit);
                }
            }
            sampler.bind(IMAGE);

            self.set_layer(layer, stage.entity_color, seconds);
            gl.set(State {
                cull: match material.sides {
                    // A quad that faces the viewer has no back, whichever way round its corners are.
                    _ if sprites::turning(material).is_some() => None,
                    Sides::Front => Some(Face::Back),
                    Sides::Back => Some(Face::Front),
                    Sides::Both => None,
                },
                depth_test: true,
                depth_write: layer.depth_write,
                blend: layer.blend.map(|(source, destination)| (factor(source), factor(destination))),
                push_back: stage.show.wireframe,
            });
            gpu_mesh.draw(gl);
        }
    }

    fn place(&self, figure: &Figure, part: usize, view: &View) {
        let figure_from_part = figure.parts[part].figure_from_part();
        let part_from_figure = figure_from_part.inverse();
        let set = |to: &Uniform, matrix: Mat4| self.program.set_mat4(to, &matrix.to_cols_array());
        set(&self.uniforms.clip_from_part, view.clip_from_figure * Mat4::from(figure_from_part));
        set(&self.uniforms.view_from_part, Mat4::from(view.view_from_figure * figure_from_part));
        self.program.set_vec3(&self.uniforms.part_eye, part_from_figure.transform_point3(view.eye).into());
        self.program.set_vec3(&self.uniforms.part_right, part_from_figure.transform_vector3(view.right).into());
        self.program.set_vec4(&self.uniforms.highlight, [0.0; 4]);
    }

    fn set_deforms(&self, material: &Material, seconds: f32) {
        let mut kinds = [[0.0; 4]; MAX_DEFORMS];
        let mut values = [[0.0; 4]; MAX_DEFORMS];
        let mut count = 0;
        for deform in &material.deforms {
            if count == MAX_DEFORMS {
                break;
            }
            let (kind, value) = match *deform {
                // A wave that stands still is the same everywhere.
                Deform::Wave { wave, .. } if wave.frequency == 0.0 => {
                    ([0.0, 2.0, 0.0, 0.0], [wave.at(seconds), 0.0, 0.0, 0.0])
                }
                Deform::Wave { spread, wave } => {
                    let phase = (wave.phase + seconds * wave.frequency).rem_euclid(1.0);
                    let function = match wave.function {
                        WaveFunction::Sin | WaveFunction::Noise => 0.0,
                        WaveFunction::Triangle => 1.0,
                        WaveFunction::Square => 2.0,
                        WaveFunction::Sawtooth => 3.0,
                        WaveFunction::InverseSawtooth => 4.0,
                    };
                    ([0.0, function, spread, phase], [wave.base, wave.amplitude, 0.0, 0.0])
                }
                Deform::Bulge { width, height, speed } => {
                    ([1.0, width, height, (seconds * speed).rem_euclid(std::f32::consts::TAU)], [0.0; 4])
                }
                Deform::Move { direction, wave } => {
                    ([2.0, 0.0, 0.0, 0.0], (direction * wave.at(seconds)).extend(0.0).into())
                }
                // The vertices come turned.
                Deform::AutoSprite | Deform::AutoSprite2 => continue,
            };
            kinds[count] = kind;
            values[count] = value;
            count += 1;
        }
        self.program.set_int(&self.uniforms.deforms, count as i32);
        if count > 0 {
            self.program.set_vec4s(&self.uniforms.deform_kind, &kinds);
            self.program.set_vec4s(&self.uniforms.deform_value, &values);
        }
    }

    fn set_layer(&self, layer: &Layer, entity_color: Vec4, seconds: f32) {
        let (program, uniforms) = (&self.program, &self.uniforms);
        program.set_int(
            &uniforms.tex_coords,
            match layer.tex_coords {
                TexCoordGen::Mesh => 0,
                TexCoordGen::Environment => 1,
                TexCoordGen::Chrome => 2,
            },
        );
        let (steps, count) = layer.tex_steps(seconds);
        program.set_int(&uniforms.tex_steps, count as i32);
        if count > 0 {
            program.set_vec4s(&uniforms.tex_matrix, &steps.map(|step| step.matrix.to_cols_array()));
            let offset = steps.map(|step| [step.offset.x, step.offset.y, step.amplitude, step.phase]);
            program.set_vec4s(&uniforms.tex_offset, &offset);
        }

        program.set_vec4(&uniforms.color, layer.color(entity_color, seconds).into());
        program.set_int(
            &uniforms.shading,
            match layer.shading {
                Shading::Lit => 0,
                Shading::Unlit => 1,
                Shading::Flat => 2,
            },
        );
        program.set_int(&uniforms.alpha_is_highlight, i32::from(layer.alpha == ColorGen::LightingSpecular));
        let (test, limit) = match layer.alpha_test {
            None => (0, 0.0),
            Some(AlphaTest::Greater(limit)) => (1, limit),
            Some(AlphaTest::Less(limit)) => (2, limit),
            Some(AlphaTest::GreaterOrEqual(limit)) => (3, limit),
        };
        program.set_int(&uniforms.alpha_test, test);
        program.set_float(&uniforms.alpha_limit, limit);
        program.set_int(&uniforms.blends, i32::from(layer.blend.is_some()));
    }
}

fn factor(factor: BlendFactor) -> u32 {
    match factor {
        BlendFactor::Zero => glow::ZERO,
        BlendFactor::One => glow::ONE,
        BlendFactor::SrcColor => glow::SRC_COLOR,
        BlendFactor::OneMinusSrcColor => glow::ONE_MINUS_SRC_COLOR,
        BlendFactor::DstColor => glow::DST_COLOR,
        BlendFactor::OneMinusDstColor => glow::ONE_MINUS_DST_COLOR,
        BlendFactor::SrcAlpha => glow::SRC_ALPHA,
        BlendFactor::OneMinusSrcAlpha => glow::ONE_MINUS_SRC_ALPHA,
        BlendFactor::DstAlpha => glow::DST_ALPHA,
        BlendFactor::OneMinusDstAlpha => glow::ONE_MINUS_DST_ALPHA,
        BlendFactor::SrcAlphaSaturate => glow::SRC_ALPHA_SATURATE,
    }
}
