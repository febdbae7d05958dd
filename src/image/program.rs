//! Doom 3's image programs: expressions over images.

/// What to make of which images. Names are as written in the material.
#[derive(Clone, Debug, PartialEq)]
pub enum Program {
    Image(String),
}
