//! Fills what files leave out: normals and tangents of the bind pose.
