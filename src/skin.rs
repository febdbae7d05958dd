//! The hot loops: in come a mesh and a pose (or two frames), out come vertices as the renderer draws them.

use glam::{Affine3A, Vec3, Vec3A, Vec4};

use crate::anim::Blend;
use crate::model::{Keys, Mesh, Rig, Shape, Skeleton};

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

/// Skins a rigged mesh: each vertex at the sum of its influences, exactly as the file weighs them.
/// `joint_from_model` is the inverse bind pose.
pub fn skin(rig: &Rig, model_from_joint: &[Affine3A], joint_from_model: &[Affine3A], out: &mut [Vertex]) -> Bounds {
    let mut bounds = Bounds::EMPTY;
    for (vertex, out) in out.iter_mut().enumerate() {
        let influences = &rig.influences[rig.first[vertex] as usize..rig.first[vertex + 1] as usize];
        let bind_normal = rig.normals.get(vertex).copied().unwrap_or(Vec3::Z);
        let bind_tangent = rig.tangents.get(vertex).copied().unwrap_or(Vec4::ZERO);
        let mut position = Vec3A::ZERO;
        let mut normal = Vec3A::ZERO;
        let mut tangent = Vec3A::ZERO;
        for influence in influences {
            let joint = influence.joint as usize;
            let posed = &model_from_joint[joint];
            let offset = influence.offset;
            position += posed.matrix3 * Vec3A::from_vec4(offset) + posed.translation * offset.w;
            let turn = posed.matrix3 * joint_from_model[joint].matrix3;
            normal += turn * Vec3A::from(bind_normal) * offset.w;
            tangent += turn * Vec3A::from_vec4(bind_tangent) * offset.w;
        }
        bounds.add(position.into());
        *out = Vertex {
            position: position.into(),
            normal: normal.into(),
            tangent: [tangent.x, tangent.y, tangent.z, bind_tangent.w],
        };
    }
    bounds
}

/// Blends two stored frames: positions and decoded normals linear.
pub fn lerp_keys(keys: &Keys, blend: Blend, out: &mut [Vertex]) -> Bounds {
    let mut bounds = Bounds::EMPTY;
    let count = out.len();
    let at = |list: &[[i16; 4]], frame: usize, vertex: usize| {
        let [x, y, z, _] = list[frame * count + vertex];
        Vec3::new(f32::from(x), f32::from(y), f32::from(z))
    };
    for (vertex, out) in out.iter_mut().enumerate() {
        let between = |list| at(list, blend.from, vertex).lerp(at(list, blend.to, vertex), blend.t);
        let position = between(&keys.positions) * Keys::UNIT;
        bounds.add(position);
        *out =
            Vertex { position: position.into(), normal: (between(&keys.normals) / 32767.0).into(), tangent: [0.0; 4] };
    }
    bounds
}

/// One mesh as it stands: the persistent buffer that the renderer draws.
pub struct PosedMesh {
    /// In the order of the file.
    pub vertices: Vec<Vertex>,
    pub bounds: Bounds,
}

impl PosedMesh {
    pub fn new(mesh: &Mesh) -> Self {
        Self { vertices: vec![Vertex::default(); mesh.vertex_count()], bounds: Bounds::EMPTY }
    }

    /// Poses the mesh. `model_from_joint` and `joint_from_model` matter for rigged ones, and `flexed` instead of their own
    /// rig where it is there; `blend` matters for keyed ones.
    pub fn update(
        &mut self,
        mesh: &Mesh,
        flexed: Option<&Rig>,
        model_from_joint: &[Affine3A],
        joint_from_model: &[Affine3A],
        blend: Blend,
    ) {
        self.bounds = match &mesh.shape {
            Shape::Rigged(rig) => skin(flexed.unwrap_or(rig), model_from_joint, joint_from_model, &mut self.vertices),
            Shape::Keyed(keys) => lerp_keys(keys, blend.drawn(keys.frames), &mut self.vertices),
        };
    }
}

/// Inverse bind pose of every joint.
pub fn joints_from_model(skeleton: &Skeleton) -> Vec<Affine3A> {
    crate::anim::model_from_joints(skeleton).iter().map(Affine3A::inverse).collect()
}
