//! The hot loops: in come a mesh and a pose (or two frames), out come vertices as the renderer draws them.

mod keys;
mod rig;
pub mod sprites;

use glam::{Affine3A, Mat4, Vec3};

use crate::anim::Blend;
use crate::model::{Mesh, Shape, Skeleton};

pub use keys::lerp_keys;
pub use rig::Skin;

/// A posed vertex in the memory layout that goes to the GPU: 40 bytes, model space.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Vertex {
    pub position: [f32; 3],
    /// Of any length; the shader normalises.
    pub normal: [f32; 3],
    /// xyz of any length; w is the handedness. Zero where the mesh has no tangents.
    pub tangent: [f32; 4],
}

/// An axis-aligned box; empty while min > max.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    pub min: Vec3,
    pub max: Vec3,
}

impl Bounds {
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    pub fn is_empty(&self) -> bool {
        self.min.cmpgt(self.max).any()
    }

    pub fn add(&mut self, point: Vec3) {
        self.min = self.min.min(point);
        self.max = self.max.max(point);
    }

    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

/// What the joints of a pose do to points: made anew for each pose, without allocating.
#[derive(Clone, Debug)]
pub struct Palette {
    /// The inverse bind pose.
    joint_from_model: Vec<Affine3A>,
    /// `model_from_joint * joint_from_model`: takes points of the bind pose to where the pose has them.
    posed_from_bind: Vec<Mat4>,
}

impl Palette {
    /// The bind pose.
    pub fn new(skeleton: &Skeleton) -> Self {
        let model_from_joint = crate::anim::model_from_joints(skeleton);
        let joint_from_model = model_from_joint.iter().map(Affine3A::inverse).collect();
        Self { posed_from_bind: vec![Mat4::IDENTITY; model_from_joint.len()], joint_from_model }
    }

    /// What each joint does to a point of the bind pose.
    pub fn posed_from_bind(&self) -> &[Mat4] {
        &self.posed_from_bind
    }

    /// Takes over a pose of the same joints.
    pub fn set(&mut self, model_from_joint: &[Affine3A]) {
        let matrices = model_from_joint.iter().zip(&self.joint_from_model);
        for (matrix, (&model_from_joint, &joint_from_model)) in self.posed_from_bind.iter_mut().zip(matrices) {
            *matrix = (model_from_joint * joint_from_model).into();
        }
    }
}

/// One mesh as it stands: the persistent buffer that the renderer draws.
pub struct PosedMesh {
    /// In the order of the file.
    pub vertices: Vec<Vertex>,
    pub bounds: Bounds,
    /// Sorted for the loops; `None` for keyed meshes, and until the mesh is first posed.
    skin: Option<Skin>,
    /// Weights of the flexes to be worked in when it is next posed.
    flexes: Option<Vec<f32>>,
}

impl PosedMesh {
    pub fn new(mesh: &Mesh) -> Self {
        let vertices = vec![Vertex::default(); mesh.vertex_count()];
        Self { vertices, bounds: Bounds::EMPTY, skin: None, flexes: None }
    }

    /// Pulls the flexes: `weights` has one for each of `Model::flexes`. Shows with the next update.
    pub fn set_flexes(&mut self, mesh: &Mesh, weights: &[f32]) {
        if !mesh.morphs.is_empty() {
            self.flexes.get_or_insert_default().clear();
            self.flexes.get_or_insert_default().extend_from_slice(weights);
        }
    }

    /// Poses the mesh. `palette`, and the pose `model_from_joint` that it was set to, matter for rigged ones; `blend` matters for
    /// keyed ones.
    pub fn update(&mut self, mesh: &Mesh, palette: &Palette, model_from_joint: &[Affine3A], blend: Blend) {
        self.bounds = match &mesh.shape {
            Shape::Rigged(rig) => {
                let skin = self.skin.get_or_insert_with(|| Skin::new(rig, palette));
                if let Some(weights) = self.flexes.take() {
                    skin.flex(rig, &mesh.morphs, &weights, palette);
                }
                skin.update(rig, palette, model_from_joint, &mut self.vertices)
            }
            Shape::Keyed(keys) => lerp_keys(keys, blend.drawn(keys.frames), &mut self.vertices),
        };
    }
}
