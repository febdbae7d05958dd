//! Valve's model scripts, .qc: in comes what modders feed to `studiomdl`, out come the files to put together and how.
//!
//! The commands of Half-Life's compiler and the part of Source's that a viewer can show. As there, order matters: `$scale` and
//! `$origin` act on what follows them.

mod read;
pub mod tokens;

use glam::{Quat, Vec3};

use self::tokens::Place;
use crate::material::RenderMode;
use crate::model::Info;

pub use self::read::read;

/// A script, with every command's state worked in.
#[derive(Clone, Debug, Default)]
pub struct Script {
    pub bodies: Vec<Body>,
    pub sequences: Vec<Sequence>,
    /// Source's $animation: sequences refer to them by name.
    pub animations: Vec<Sequence>,
    /// $texturegroup: rows of textures, of which the first is what the meshes name. The compilers use the first group.
    pub texture_groups: Vec<Vec<Vec<String>>>,
    /// $cdtexture: where Half-Life looks for images.
    pub texture_folders: Vec<String>,
    /// $cdmaterials: where Source looks for materials.
    pub material_folders: Vec<String>,
    /// $renamebone: from, to.
    pub renamed_joints: Vec<(String, String)>,
    /// $mirrorbone
    pub mirrored_joints: Vec<String>,
    /// $texrendermode: texture and mode.
    pub render_modes: Vec<(String, RenderMode)>,
    pub attachments: Vec<Attachment>,
    pub hitboxes: Vec<HitBox>,
    /// What is told and not shown: $modelname, $controller, $eyeposition …
    pub info: Vec<(String, Info)>,
    /// Some command is only in Source's compiler.
    pub is_source: bool,
    /// Some command is only in Half-Life's.
    pub is_half_life: bool,
}

/// $body, $bodygroup and Source's $model: one of several meshes is worn.
#[derive(Clone, Debug)]
pub struct Body {
    pub name: String,
    /// `None` is a blank.
    pub choices: Vec<Option<Studio>>,
}

/// A reference file in a body.
#[derive(Clone, Debug)]
pub struct Studio {
    pub file: FileName,
    /// `reverse`: the other side of the triangles is seen.
    pub is_reversed: bool,
    pub placement: Placement,
    /// What Half-Life's compiler takes off the vertices, whose `adjust` only sequences set. Source takes `placement.origin`.
    pub half_life_origin: Vec3,
    pub flexes: Option<FlexFile>,
}

/// `flexfile`: a .vta and what its frames are called.
#[derive(Clone, Debug)]
pub struct FlexFile {
    pub file: FileName,
    /// Frame and name.
    pub names: Vec<(i64, String)>,
}

/// A file as the script names it.
#[derive(Clone, Debug)]
pub struct FileName {
    /// As written; .smd files mostly without their extension.
    pub name: String,
    /// Of $cd and $pushd, as it was there.
    pub folder: String,
    pub place: Place,
}

/// How a file is put into the model: roots go to `scale * rotation * (p - origin)`, everything grows by `scale`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    pub scale: f32,
    pub origin: Vec3,
    /// Euler angles in radians, about x, then y, then z.
    pub rotation: Vec3,
}

impl Default for Placement {
    /// The files face -Y; a quarter turn makes that the games' forward, +X.
    fn default() -> Self {
        Self { scale: 1.0, origin: Vec3::ZERO, rotation: Vec3::new(0.0, 0.0, std::f32::consts::FRAC_PI_2) }
    }
}

impl Placement {
    pub fn rotation(&self) -> Quat {
        Quat::from_euler(glam::EulerRot::ZYX, self.rotation.z, self.rotation.y, self.rotation.x)
    }
}

/// What a sequence says for itself, before what holds for all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides {
    pub scale: Option<f32>,
    pub origin: Option<Vec3>,
    pub rotation: Option<Vec3>,
}

impl Overrides {
    pub fn apply(&self, placement: Placement) -> Placement {
        Placement {
            scale: self.scale.unwrap_or(placement.scale),
            origin: self.origin.unwrap_or(placement.origin),
            rotation: self.rotation.unwrap_or(placement.rotation),
        }
    }
}

/// $sequence or $animation.
#[derive(Clone, Debug)]
pub struct Sequence {
    pub name: String,
    /// Several are blended by the game. Source may name $animations here.
    pub files: Vec<FileName>,
    /// Frames a second; the compilers take 30 where none is given.
    pub rate: Option<f32>,
    pub loops: bool,
    /// First and last time of the file to be used.
    pub frames: Option<(i64, i64)>,
    pub placement: Placement,
    pub overrides: Overrides,
    pub events: Vec<SequenceEvent>,
    /// ACT_WALK and its weight.
    pub activity: Option<(String, i64)>,
    /// By what the files are blended: control, from, to.
    pub blends: Vec<(String, f32, f32)>,
    /// Axes along which the way from the first to the last frame is taken out and left to the game (LX, LY, LZ).
    pub linear: [bool; 3],
    pub place: Place,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SequenceEvent {
    /// Half-Life: a time of the file. Source: a frame of the sequence.
    pub frame: i64,
    /// Number or name, and options.
    pub text: String,
}

/// $attachment
#[derive(Clone, Debug)]
pub struct Attachment {
    /// Half-Life has numbers for names.
    pub name: String,
    pub joint: String,
    /// Euler angles as in `Placement`, in the joint's space.
    pub rotation: Vec3,
    pub position: Vec3,
    /// Position and rotation are in model space (Source: `absolute`).
    pub is_absolute: bool,
    pub place: Place,
}

/// $hbox
#[derive(Clone, Debug)]
pub struct HitBox {
    pub group: i32,
    pub joint: String,
    pub min: Vec3,
    pub max: Vec3,
    pub place: Place,
}
