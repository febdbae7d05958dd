//! Doom 3's image programs: expressions over images.

/// What to make of which images. Names are as written in the material.
#[derive(Clone, Debug, PartialEq)]
pub enum Program {
    Image(String),
}

/// As a material script would write it.
impl std::fmt::Display for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Program::Image(name) => f.write_str(name),
        }
    }
}
