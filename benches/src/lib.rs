//! What the benchmarks measure and nobody ships: in come model files, out come the inner loops, each to be run alone. Built for wasm
//! and natively.

#[cfg(target_arch = "wasm32")]
mod web;

use rigview::anim::{Blend, Pose};
use rigview::format::{self, Content, Format};
use rigview::model::{Model, Shape, check, finish};
use rigview::report::Report;
use rigview::skin::{Palette, PosedMesh, Vertex};

/// Reads a model by the ending of its name, without working out normals and tangents.
pub fn parse(name: &str, bytes: &[u8]) -> Model {
    let ending = name.rsplit('.').next().unwrap_or_default();
    let is_named = |format: &&Format| format.extensions.contains(&ending);
    let format = format::ALL.iter().find(is_named).unwrap_or_else(|| panic!("no format for {name}"));
    match format::read(format, name, bytes, &mut Report::default()) {
        Ok(Content::Model(model)) => model,
        Ok(_) => panic!("{name} is no model"),
        Err(error) => panic!("{name}: {error}"),
    }
}

/// A model that moves, with all that its loops need.
pub struct Moving {
    pub model: Model,
    pub pose: Pose,
    pub palette: Palette,
    pub meshes: Vec<PosedMesh>,
    /// Two poses of the joints, to blend between.
    frames: Vec<rigview::model::Transform>,
    steps: usize,
}

impl Moving {
    /// The joints sway by a made-up animation of two frames; keyed meshes blend between their first two.
    pub fn new(mut model: Model) -> Self {
        finish::finish(&mut model);
        check::check(&model).expect("a sound model");
        let rest = model.skeleton.joints.iter().map(|joint| joint.parent_from_joint);
        let sway = glam::Quat::from_euler(glam::EulerRot::XYZ, 0.1, 0.2, 0.15);
        let swayed = rest.clone().map(|transform| rigview::model::Transform {
            rotation: transform.rotation * sway,
            translation: transform.translation,
        });
        let frames = rest.clone().chain(swayed).collect();
        let pose = Pose::rest(&model.skeleton);
        let palette = Palette::new(&model.skeleton);
        let meshes = model.meshes.iter().map(PosedMesh::new).collect();
        Self { model, pose, palette, meshes, frames, steps: 0 }
    }

    pub fn vertices(&self) -> usize {
        self.model.meshes.iter().map(|mesh| mesh.vertex_count()).sum()
    }

    pub fn joints(&self) -> usize {
        self.model.skeleton.joints.len()
    }

    fn blend(&mut self) -> Blend {
        self.steps += 1;
        Blend { from: 0, to: 1, t: (self.steps % 64) as f32 / 64.0 }
    }

    /// Samples the animation and composes the tree.
    pub fn pose(&mut self) {
        let blend = self.blend();
        self.pose.set_frames(&self.model.skeleton, &self.frames, blend);
        self.palette.set(&self.pose.model_from_joint);
    }

    /// Brings all vertices up to the pose.
    pub fn skin(&mut self) {
        let blend = self.blend();
        for (posed, mesh) in self.meshes.iter_mut().zip(&self.model.meshes) {
            let blend = match &mesh.shape {
                Shape::Keyed(keys) if keys.frames < 2 => Blend::still(0),
                _ => blend,
            };
            posed.update(mesh, &self.palette, &self.pose.model_from_joint, blend);
        }
    }

    /// A number that depends on every vertex, so that no work can be left out.
    pub fn sum(&self) -> f32 {
        let numbers =
            |vertex: &Vertex| vertex.position.iter().chain(&vertex.normal).chain(&vertex.tangent).sum::<f32>();
        self.meshes.iter().flat_map(|mesh| &mesh.vertices).map(numbers).sum()
    }
}
