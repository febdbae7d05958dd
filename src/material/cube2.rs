//! The md5.cfg of Cube 2's engine (Sauerbraten, Red Eclipse): in comes the text, out comes what each mesh wears.
//!
//! Follows the engine's skelmodel and vertmodel commands: `md5skin mesh image masks`, `md5bumpmap mesh image`,
//! `md5alphatest mesh limit`, `md5alphablend mesh 0|1`, `md5cullface mesh 0|1`. A mesh is named by the comment `// meshes: name` in the
//! .md5mesh; `*` is every mesh. Images lie beside the file, or in the folder that `md5dir` names; `<dds>` and other words in
//! angle brackets say how to load them.

use super::words::{Words, number};
use super::{AlphaTest, BlendFactor, ImageRef, Material, Program, Sides};

/// What the commands say of one mesh, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// Name of the mesh, or `*`.
    pub mesh: String,
    image: Option<String>,
    masks: Option<String>,
    bump: Option<String>,
    alpha_test: Option<f32>,
    alpha_blend: bool,
    both_sides: bool,
}

/// What an md5.cfg says, as far as it shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// The .md5mesh files that it is about.
    pub loads: Vec<String>,
    pub skins: Vec<Skin>,
}

impl Config {
    /// Whether it is about this .md5mesh.
    pub fn is_for(&self, path: &str) -> bool {
        let file = crate::bundle::file_name(path);
        self.loads.iter().any(|load| crate::bundle::file_name(load).eq_ignore_ascii_case(file))
    }

    /// What the mesh of this name wears. A mesh whose name no command knows gets what all others have in common.
    pub fn skin(&self, mesh: &str) -> Option<&Skin> {
        // The engine runs the commands in turn, so the last one wins; a name of its own is the clearer word here.
        let named = self.skins.iter().rev().find(|skin| skin.mesh == mesh);
        let every = self.skins.iter().rev().find(|skin| skin.mesh == "*");
        let (first, others) = self.skins.split_first()?;
        let common = others.iter().all(|other| Skin { mesh: first.mesh.clone(), ..other.clone() } == *first);
        named.or(every).or(common.then_some(first))
    }
}

/// Reads an md5.cfg. Commands about other things are passed over.
pub fn read(text: &str) -> Config {
    let mut words = Words::new(text, "");
    let mut loads = Vec::new();
    let mut skins: Vec<Skin> = Vec::new();
    while let Some(command) = words.next_word() {
        let Some(command) = command.text.to_ascii_lowercase().strip_prefix("md5").map(str::to_string) else {
            words.skip_arguments();
            continue;
        };
        if command == "load" {
            loads.extend(words.on_line().map(|file| file.text.to_string()));
        } else if matches!(command.as_str(), "skin" | "bumpmap" | "alphatest" | "alphablend" | "cullface") {
            let Some(mesh) = words.on_line() else { continue };
            let mut argument = || words.on_line().map(|word| bare(word.text));
            let first = argument();
            let skin = skin_of(&mut skins, mesh.text);
            match command.as_str() {
                "skin" => (skin.image, skin.masks) = (first, argument().filter(|name| !name.is_empty())),
                "bumpmap" => skin.bump = first,
                "alphatest" => skin.alpha_test = first.map(|limit| number(&limit)),
                "alphablend" => skin.alpha_blend = first.is_some_and(|value| number(&value) != 0.0),
                _ => skin.both_sides = first.is_some_and(|value| number(&value) == 0.0),
            }
        }
        words.skip_arguments();
    }
    Config { loads, skins }
}

/// The meshes' names as this engine takes them from a .md5mesh: the comment `// meshes: name` in each mesh, or nothing.
pub fn mesh_names(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(comment) = line.strip_prefix("//") {
            if let (Some(name), Some(last)) = (comment.trim().strip_prefix("meshes:"), names.last_mut()) {
                *last = name.trim().to_string();
            }
        } else if line.strip_prefix("mesh").is_some_and(|rest| rest.trim_start().starts_with('{')) {
            names.push(String::new());
        }
    }
    names
}

fn skin_of<'a>(skins: &'a mut Vec<Skin>, mesh: &str) -> &'a mut Skin {
    let at = skins.iter().position(|skin| skin.mesh == mesh).unwrap_or_else(|| {
        skins.push(Skin { mesh: mesh.to_string(), ..Skin::default() });
        skins.len() - 1
    });
    &mut skins[at]
}

/// The path without the commands in front, such as `<dds>` or `<mad:1.5>`.
fn bare(mut path: &str) -> String {
    while let Some((_, rest)) = path.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
        path = rest;
    }
    path.to_string()
}

impl Skin {
    /// The material, under the name that the model gives it.
    pub fn material(&self, name: &str) -> Material {
        let mut material = Material::plain(name, self.image.as_ref().map(|image| ImageRef::new("diffuse", image)));
        let layer = &mut material.layers[0];
        layer.bump = self.bump.as_ref().map(|image| ImageRef::new("bump", image));
        // Masks hold the highlight in red, glow in green, the mirrored surroundings in blue.
        let red = |image: &String| Program::MakeIntensity(Box::new(Program::Image(image.clone())));
        layer.specular = self.masks.as_ref().map(|image| ImageRef::program("specular", red(image)));
        if let Some(limit) = self.alpha_test.filter(|&limit| limit > 0.0) {
            layer.alpha_test = Some(AlphaTest::GreaterOrEqual(limit));
        }
        if self.alpha_blend {
            layer.blend = Some((BlendFactor::SrcAlpha, BlendFactor::OneMinusSrcAlpha));
            layer.depth_write = false;
            material.translucent = true;
        }
        if self.both_sides {
            material.sides = Sides::Both;
        }
        material
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meshes_are_named_in_comments() {
        let text = "joints {\n}\nmesh {\n\t// meshes: Body.001 \r\n\tshader \"\"\n}\n\nmesh{\n\tshader \"x\"\n}\n";
        assert_eq!(mesh_names(text), ["Body.001", ""]);
    }

    #[test]
    fn commands_gather_by_mesh() {
        let config = read(
            "md5load a.md5mesh\nmd5skin Body \"<dds>skin.jpg\" \"<dds>mask.jpg\" 0.1 // c\nmd5bumpmap Body <noff>n.png\n\
             md5skin * other.png\nmd5cullface * 0\nmdlscale 100\nmd5skin",
        );
        let body = Skin {
            mesh: "Body".into(),
            image: Some("skin.jpg".into()),
            masks: Some("mask.jpg".into()),
            bump: Some("n.png".into()),
            ..Skin::default()
        };
        let other = Skin { mesh: "*".into(), image: Some("other.png".into()), both_sides: true, ..Skin::default() };
        assert_eq!(config.skin("Body"), Some(&body));
        assert_eq!(config.skin("Head"), Some(&other));
        assert_eq!(config.skins, [body, other]);
        assert!(config.is_for("models/A.md5mesh") && !config.is_for("b.md5mesh"));
    }
}
