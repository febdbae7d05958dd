//! Materials over time: in come waves, texture changes and seconds, out come the numbers that a shader takes.
//!
//! Follows Quake III's renderer (ioquake3 code/renderergl1/tr_shade_calc.c).

use glam::{Mat2, Vec2, Vec4};

use super::{ColorGen, Layer, TexMod, Wave, WaveFunction};

impl WaveFunction {
    /// The function at `turns`; it repeats with every whole turn.
    pub fn at(self, turns: f32) -> f32 {
        let turn = turns.rem_euclid(1.0);
        match self {
            WaveFunction::Sin => (turn * std::f32::consts::TAU).sin(),
            WaveFunction::Triangle => match turn {
                rising if rising < 0.25 => rising * 4.0,
                falling if falling < 0.75 => 2.0 - falling * 4.0,
                rising => rising * 4.0 - 4.0,
            },
            WaveFunction::Square => {
                if turn < 0.5 {
                    1.0
                } else {
                    -1.0
                }
            }
            WaveFunction::Sawtooth => turn,
            WaveFunction::InverseSawtooth => 1.0 - turn,
            WaveFunction::Noise => noise(turns),
        }
    }
}

/// Smooth chance between -1 and 1. The game takes other random numbers every time it starts; ours stay the same.
fn noise(at: f32) -> f32 {
    let lattice = |index: i32| {
        let mut hash = index as u32;
        hash = (hash ^ (hash >> 16)).wrapping_mul(0x7feb_352d);
        hash = (hash ^ (hash >> 15)).wrapping_mul(0x846c_a68b);
        ((hash ^ (hash >> 16)) as f32 / u32::MAX as f32) * 2.0 - 1.0
    };
    let floor = at.floor();
    let between = at - floor;
    let (from, to) = (lattice(floor as i32), lattice(floor as i32 + 1));
    from + (to - from) * between
}

impl Wave {
    pub fn at(&self, seconds: f32) -> f32 {
        self.base + self.amplitude * self.function.at(self.phase + seconds * self.frequency)
    }
}

impl ColorGen {
    fn at(&self, entity: Vec4, seconds: f32) -> Vec4 {
        match self {
            // The highlight is worked out by the shader.
            ColorGen::Identity | ColorGen::LightingSpecular => Vec4::ONE,
            ColorGen::Constant(color) => *color,
            ColorGen::Expressions(channels) => {
                Vec4::from(channels.each_ref().map(|channel| channel.at(seconds).clamp(0.0, 1.0)))
            }
            ColorGen::Wave(wave) => Vec4::splat(wave.at(seconds).clamp(0.0, 1.0)),
            ColorGen::Entity => entity,
            ColorGen::OneMinusEntity => Vec4::ONE - entity,
        }
    }

    fn changes(&self) -> bool {
        matches!(self, ColorGen::Wave(_) | ColorGen::Expressions(_))
    }

    fn is_the_entitys(&self) -> bool {
        matches!(self, ColorGen::Entity | ColorGen::OneMinusEntity)
    }
}

/// One step of a texture coordinate's way: a matrix, a shift, then a ripple.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TexStep {
    pub matrix: Mat2,
    pub offset: Vec2,
    /// Of the ripple (tcMod turb); 0 for none.
    pub amplitude: f32,
    /// Of the ripple, in turns.
    pub phase: f32,
}

impl TexStep {
    const NONE: Self = Self { matrix: Mat2::IDENTITY, offset: Vec2::ZERO, amplitude: 0.0, phase: 0.0 };

    fn matrix(matrix: Mat2, offset: Vec2) -> Self {
        Self { matrix, offset, ..Self::NONE }
    }

    /// Keeps the middle of the image where it is.
    fn about_the_middle(matrix: Mat2) -> Self {
        let middle = Vec2::splat(0.5);
        Self::matrix(matrix, middle - matrix * middle)
    }
}

impl TexMod {
    fn at(&self, seconds: f32) -> TexStep {
        match *self {
            // Only the fraction, which keeps its precision over hours.
            TexMod::Scroll(speed) => TexStep::matrix(Mat2::IDENTITY, (speed * seconds).fract()),
            TexMod::Scale(scale) => TexStep::matrix(Mat2::from_diagonal(scale), Vec2::ZERO),
            TexMod::Rotate(degrees) => {
                TexStep::about_the_middle(Mat2::from_angle((-degrees * seconds).to_radians() % std::f32::consts::TAU))
            }
            TexMod::Stretch(wave) => {
                let scale = wave.at(seconds);
                let scale = if scale == 0.0 { 1.0 } else { 1.0 / scale };
                TexStep::about_the_middle(Mat2::from_diagonal(Vec2::splat(scale)))
            }
            TexMod::Turb(wave) => TexStep {
                amplitude: wave.amplitude,
                phase: (wave.phase + seconds * wave.frequency).rem_euclid(1.0),
                ..TexStep::NONE
            },
            TexMod::Transform([a, b, c, d], offset) => {
                TexStep::matrix(Mat2::from_cols(Vec2::new(a, c), Vec2::new(b, d)), offset)
            }
        }
    }

    fn changes(&self) -> bool {
        match self {
            TexMod::Scale(_) | TexMod::Transform(..) => false,
            TexMod::Scroll(speed) => *speed != Vec2::ZERO,
            TexMod::Rotate(degrees) => *degrees != 0.0,
            TexMod::Stretch(wave) | TexMod::Turb(wave) => wave.frequency != 0.0,
        }
    }
}

impl Layer {
    /// As many as Quake III takes (TR_MAX_TEXMODS).
    pub const TEX_STEPS: usize = 4;

    /// The steps that texture coordinates take, and how many there are; further ones are left out.
    pub fn tex_steps(&self, seconds: f32) -> ([TexStep; Self::TEX_STEPS], usize) {
        let mut steps = [TexStep::NONE; Self::TEX_STEPS];
        let mut count = 0;
        for (step, tex_mod) in steps.iter_mut().zip(&self.tex_mods) {
            *step = tex_mod.at(seconds);
            count += 1;
        }
        (steps, count)
    }

    /// What the image is multiplied with. `entity` is the colour that a game would give.
    pub fn color(&self, entity: Vec4, seconds: f32) -> Vec4 {
        let rgb = self.rgb.at(entity, seconds);
        rgb.truncate().extend(self.alpha.at(entity, seconds).w)
    }

    /// Which of `images` is shown.
    pub fn image_at(&self, seconds: f32) -> usize {
        match self.images.len() {
            0 | 1 => 0,
            count => (f64::from(seconds) * f64::from(self.image_rate)).max(0.0) as usize % count,
        }
    }

    /// Whether the layer looks different as time goes by.
    pub fn changes(&self) -> bool {
        (self.images.len() > 1 && self.image_rate > 0.0)
            || self.rgb.changes()
            || self.alpha.changes()
            || self.tex_mods.iter().any(TexMod::changes)
    }
}

impl super::Material {
    /// Whether the look depends on the colour that a game gives the entity.
    pub fn shows_entity_color(&self) -> bool {
        !self.hidden && self.layers.iter().any(|layer| layer.rgb.is_the_entitys() || layer.alpha.is_the_entitys())
    }

    /// Whether the surface looks different as time goes by, the model standing still.
    pub fn changes(&self) -> bool {
        use super::Deform;
        let moves = |deform: &Deform| match deform {
            Deform::Wave { wave, .. } | Deform::Move { wave, .. } => wave.frequency != 0.0,
            Deform::Bulge { speed, .. } => *speed != 0.0,
            Deform::AutoSprite | Deform::AutoSprite2 => false,
        };
        !self.hidden && (self.layers.iter().any(Layer::changes) || self.deforms.iter().any(moves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_take_the_values_of_the_games_tables() {
        let at = |function: WaveFunction| [0.0, 0.25, 0.5, 0.75].map(|turn| function.at(turn));
        assert_eq!(at(WaveFunction::Triangle), [0.0, 1.0, 0.0, -1.0]);
        assert_eq!(at(WaveFunction::Square), [1.0, 1.0, -1.0, -1.0]);
        assert_eq!(at(WaveFunction::Sawtooth), [0.0, 0.25, 0.5, 0.75]);
        assert_eq!(at(WaveFunction::InverseSawtooth), [1.0, 0.75, 0.5, 0.25]);
        assert!((WaveFunction::Sin.at(0.25) - 1.0).abs() < 1e-6);
        let wave = Wave { function: WaveFunction::Sawtooth, base: 0.5, amplitude: 2.0, phase: 0.25, frequency: 1.0 };
        assert_eq!(wave.at(2.5), 0.5 + 2.0 * 0.75);
    }

    #[test]
    fn a_quarter_turn_a_second_about_the_middle_turns_as_the_game_does() {
        // RB_CalcRotateTexCoords: s' = s cos - t sin + …, with the angle negated.
        let step = TexMod::Rotate(90.0).at(1.0);
        let turned = step.matrix * Vec2::new(1.0, 0.5) + step.offset;
        assert!((turned - Vec2::new(0.5, 0.0)).length() < 1e-6, "{turned}");
    }

    #[test]
    fn an_animated_layer_shows_its_images_in_turn() {
        let image = |name: &str| crate::material::ImageRef {
            slot: String::new(),
            program: crate::material::Program::Image(name.to_string()),
            paths: vec![None],
            tried: Vec::new(),
            unread: None,
        };
        let mut layer = Layer { images: vec![image("a"), image("b"), image("c")], image_rate: 2.0, ..Layer::lit() };
        assert_eq!([0.0, 0.6, 1.0, 1.6].map(|seconds| layer.image_at(seconds)), [0, 1, 2, 0]);
        assert!(layer.changes());
        layer.image_rate = 0.0;
        assert!(!layer.changes());
    }
}
