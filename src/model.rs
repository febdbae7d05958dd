//! What a model is: plain data that every reader fills and everything after reads.
//!
//! Model space is the file's own: right-handed, Z up, engine units. Triangles run counter-clockwise seen from the front,
//! texture v is measured down from the top row.

pub mod check;
pub mod finish;

use glam::{Affine3A, Quat, Vec3, Vec4};

pub use crate::material::Material;

/// A rotation, then a translation. `a_from_b * point_in_b` is the point in a.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Unit length.
    pub rotation: Quat,
    pub translation: Vec3,
}

impl Transform {
    pub const IDENTITY: Self = Self { rotation: Quat::IDENTITY, translation: Vec3::ZERO };

    pub fn new(rotation: Quat, translation: Vec3) -> Self {
        Self { rotation, translation }
    }

    pub fn inverse(self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { rotation, translation: -(rotation * self.translation) }
    }

    pub fn to_affine(self) -> Affine3A {
        Affine3A::from_rotation_translation(self.rotation, self.translation)
    }
}

impl std::ops::Mul for Transform {
    type Output = Transform;

    /// `a_from_b * b_from_c` is `a_from_c`.
    fn mul(self, inner: Transform) -> Transform {
        Transform {
            rotation: self.rotation * inner.rotation,
            translation: self.translation + self.rotation * inner.translation,
        }
    }
}

/// One file's worth of model, or what a .qc script makes of several.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The file's stem.
    pub name: String,
    /// Path of the file that it was read from; empty where there is none.
    pub path: String,
    pub skeleton: Skeleton,
    pub meshes: Vec<Mesh>,
    /// The numbers that meshes with a fault have in their file, rising. They are left out of `meshes`.
    pub faulty_meshes: Vec<usize>,
    /// What `Mesh::material` and `Variant::materials` index.
    pub materials: Vec<Material>,
    pub clips: Vec<Clip>,
    pub tags: Vec<Tag>,
    pub cameras: Vec<Camera>,
    pub variants: Vec<Variant>,
    /// Names of the shapes that `Mesh::morphs` refer to.
    pub flexes: Vec<String>,
    pub bodygroups: Vec<BodyGroup>,
    pub hitboxes: Vec<Hitbox>,
    /// Facts of the file that have no field of their own, such as the sex in animation.cfg.
    pub info: Vec<(String, Info)>,
}

impl Model {
    /// The number that a mesh has in its file, where those with a fault count too.
    pub fn mesh_number(&self, mesh: usize) -> usize {
        self.faulty_meshes.iter().fold(mesh, |number, &faulty| number + usize::from(faulty <= number))
    }

    /// The mesh that has a number in its file; `None` if it has a fault.
    pub fn mesh_of_number(&self, number: usize) -> Option<usize> {
        (0..self.meshes.len()).find(|&mesh| self.mesh_number(mesh) == number)
    }

    /// Which materials some mesh wears: in some variant, where there are any. Skins may leave the model's own unused.
    pub fn worn_materials(&self) -> impl Iterator<Item = usize> {
        let mut is_worn = vec![false; self.materials.len()];
        match self.variants.as_slice() {
            [] => self.meshes.iter().for_each(|mesh| is_worn[mesh.material] = true),
            variants => variants
                .iter()
                .flat_map(|variant| &variant.materials)
                .flatten()
                .for_each(|&index| is_worn[index] = true),
        }
        (0..self.materials.len()).filter(move |&index| is_worn[index])
    }

    /// How many frames its keyed meshes and tags have; 1 where there are none.
    pub fn key_frames(&self) -> usize {
        let meshes = self.meshes.iter().map(|mesh| match &mesh.shape {
            Shape::Keyed(keys) => keys.frames,
            Shape::Rigged(_) => 1,
        });
        let tags = self.tags.iter().map(|tag| match &tag.motion {
            TagMotion::Keyed(frames) => frames.len(),
            TagMotion::Joint { .. } => 1,
        });
        meshes.chain(tags).max().unwrap_or(1)
    }
}

/// Joints, every parent before its children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    pub joints: Vec<Joint>,
}

/// A joint (Valve: bone), in its bind pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    pub name: String,
    /// Index of an earlier joint; `None` for a root.
    pub parent: Option<usize>,
    pub parent_from_joint: Transform,
}

#[derive(Clone, Debug)]
pub struct Mesh {
    pub name: String,
    /// Index into `Model::materials`.
    pub material: usize,
    /// One a vertex; (0, 0) is the top left corner of the image.
    pub uvs: Vec<[f32; 2]>,
    /// Vertex indices, counter-clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
    pub shape: Shape,
    /// Shapes that can be added to the bind pose (Source: flexes). Empty for most.
    pub morphs: Vec<Morph>,
}

impl Mesh {
    pub fn vertex_count(&self) -> usize {
        self.uvs.len()
    }
}

#[derive(Clone, Debug)]
pub enum Shape {
    Rigged(Rig),
    /// A static mesh is keyed with one frame.
    Keyed(Keys),
}

/// Vertices that follow joints.
#[derive(Clone, Debug, Default)]
pub struct Rig {
    /// `influences[first[v]..first[v + 1]]` pull on vertex v: any number. One longer than the vertices.
    pub first: Vec<u32>,
    pub influences: Vec<Influence>,
    /// Bind pose, model space, unit length, one a vertex. Empty until `model::finish` fills what the file leaves out.
    pub normals: Vec<Vec3>,
    /// Bind pose, model space: unit dP/ds, and in w the sign with which cross(normal, tangent) gives dP/dt.
    /// Empty until `model::finish` fills it.
    pub tangents: Vec<Vec4>,
}

/// One joint's pull on one vertex. The vertex stands at the sum of `model_from_joint * offset` (offset.w scales the translation).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Influence {
    /// Index into `Skeleton::joints`.
    pub joint: u32,
    /// xyz: the point in joint space, times the weight. w: the weight. Weights are as the file has them: not cut to four, not
    /// made to add up to 1.
    pub offset: Vec4,
}

/// Vertices that are stored anew for each frame.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    pub frames: usize,
    /// Frame by frame, one a vertex: xyz in 1/64 units, w unused.
    pub positions: Vec<[i16; 4]>,
    /// Like `positions`: xyz of a unit normal times 32767, w unused.
    pub normals: Vec<[i16; 4]>,
}

impl Keys {
    /// What one step of `positions` measures, in engine units.
    pub const UNIT: f32 = 1.0 / 64.0;
}

/// How one flex moves one mesh.
#[derive(Clone, Debug)]
pub struct Morph {
    /// Index into `Model::flexes`.
    pub flex: usize,
    pub deltas: Vec<MorphDelta>,
}

/// In model space of the bind pose, added in full at weight 1.
#[derive(Clone, Copy, Debug)]
pub struct MorphDelta {
    pub vertex: u32,
    pub position: Vec3,
    pub normal: Vec3,
}

#[derive(Clone, Debug)]
pub struct Clip {
    pub name: String,
    /// Path of the file that it was read from.
    pub source: String,
    /// Frames a second, more than 0.
    pub rate: f32,
    /// At least 1.
    pub frames: usize,
    /// Whether it starts anew after its end; otherwise the last frame holds.
    pub loops: bool,
    pub motion: Motion,
    /// What the game is told at a frame (Valve: event); for the timeline.
    pub events: Vec<Event>,
}

#[derive(Clone, Debug)]
pub enum Motion {
    /// `parent_from_joint` of every joint of the skeleton, frame by frame. In a loop the last frame equals the first, so a
    /// round takes (frames - 1) / rate seconds.
    Joints(Vec<Transform>),
    /// Every stored frame of keyed meshes in turn; in a loop the last leads back to the first, so a round takes frames / rate.
    AllKeys,
    /// A row of Quake III's animation.cfg.
    Keys(KeyRange),
}

/// Which stored frames a clip of animation.cfg shows. `Clip::frames` says how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyRange {
    /// The lowest frame, after the game's leg offset.
    pub first: usize,
    /// After the end the last `loop_frames` frames repeat; 0 holds the last.
    pub loop_frames: usize,
    pub reversed: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Counted from 0.
    pub frame: f32,
    pub text: String,
}

/// A named place that other models hang on (Quake III: tag, Valve: attachment).
#[derive(Clone, Debug)]
pub struct Tag {
    pub name: String,
    pub motion: TagMotion,
}

#[derive(Clone, Debug)]
pub enum TagMotion {
    /// `model_from_tag`, one a stored frame.
    Keyed(Vec<Affine3A>),
    Joint {
        joint: usize,
        joint_from_tag: Transform,
    },
}

/// A camera's path (Doom 3: .md5camera).
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    pub name: String,
    pub source: String,
    /// Frames a second, more than 0.
    pub rate: f32,
    /// Frames at which a new shot begins, as the file lists them.
    pub cuts: Vec<u32>,
    pub frames: Vec<CameraFrame>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraFrame {
    /// The camera looks along +X of its own space, +Y is left, +Z up.
    pub model_from_camera: Transform,
    /// Horizontal field of view in degrees.
    pub fov_x: f32,
}

/// Another set of materials for the same meshes (the games: skin).
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    pub name: String,
    /// One a mesh of the model: index into `Model::materials`, or `None` where the variant hides the mesh.
    pub materials: Vec<Option<usize>>,
}

/// A place where one of several meshes is worn.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyGroup {
    pub name: String,
    pub choices: Vec<BodyChoice>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BodyChoice {
    pub name: String,
    /// Indices into `Model::meshes`; empty for a blank choice.
    pub meshes: Vec<usize>,
}

/// A box that follows a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Hitbox {
    pub joint: usize,
    pub group: i32,
    /// Corners in joint space.
    pub min: Vec3,
    pub max: Vec3,
}

/// A fact without a field of its own.
#[derive(Clone, Debug, PartialEq)]
pub enum Info {
    Flag(bool),
    Number(f64),
    Text(String),
    List(Vec<Info>),
}
