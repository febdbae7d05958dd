//! What the rules look at: in comes a path, out come the files that belong to it, read as far as the rules need.
//!
//! Parsers mend what they can. Rules must see the file as it stands, so beside the models there are the raw counts and lines.

pub mod md3;
pub mod md5;
pub mod qc;
pub mod skin;
pub mod smd;

use super::{Engine, Subject};
use crate::bundle::{self, Bundle};
use crate::format::{self, Animation};
use crate::model::{Camera, Model};
use crate::open::quake3::PlayerFiles;
use crate::report::{Diagnostic, Report};

/// What the file asked about is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Md5,
    Md3,
    Smd,
    Vta,
    Qc,
    /// Quake III's animation.cfg, a skin and a shader script, where no model is there to be checked with them.
    Config,
    Skin,
    Shader,
}

/// The kind of a file; `None` where no engine of the check reads it.
pub fn kind(bundle: &Bundle, path: &str) -> Option<Kind> {
    let named = |extension: &str| match extension {
        "md5mesh" | "md5anim" | "md5camera" => Some(Kind::Md5),
        "md3" => Some(Kind::Md3),
        "smd" => Some(Kind::Smd),
        "vta" => Some(Kind::Vta),
        "qc" => Some(Kind::Qc),
        "shader" => Some(Kind::Shader),
        "cfg" if bundle::file_name(path).eq_ignore_ascii_case("animation.cfg") => Some(Kind::Config),
        // Doom 3 calls something else skins, which have braces.
        "skin" if bundle.read(path).is_some_and(|bytes| !bytes.contains(&b'{')) => Some(Kind::Skin),
        _ => None,
    };
    named(&bundle::extension(path)).or_else(|| named(format::guess(path, &bundle.read(path)?)?.extensions[0]))
}

/// Everything the rules may look at.
pub struct Facts<'a> {
    pub bundle: &'a Bundle,
    pub kind: Kind,
    /// The file asked about.
    pub path: String,
    /// What readers said that quotes an engine, with the name of the format.
    pub said: Vec<(&'static str, Diagnostic)>,
    /// The .md5mesh, as far as it could be read.
    pub mesh: Option<Model>,
    /// Every .md5anim that goes with it, by path.
    pub animations: Vec<(String, Animation)>,
    pub cameras: Vec<Camera>,
    /// The .md3 and what hangs on it, its levels of detail included.
    pub md3s: Vec<md3::Md3>,
    pub player: Option<PlayerFiles>,
    pub animation_cfg: Option<format::animation_cfg::AnimationCfg>,
    pub skins: Vec<skin::Skin>,
    /// Shader scripts, by path.
    pub shader_scripts: Vec<(String, String)>,
    pub smds: Vec<smd::Smd>,
    pub script: Option<qc::Script>,
    pub images: Vec<smd::Image>,
}

impl<'a> Facts<'a> {
    /// Reads what belongs to the file at `path`. `None` where no engine reads such a file, or it is not there.
    pub fn gather(bundle: &'a Bundle, path: &str) -> Option<Self> {
        let mut facts = Self {
            bundle,
            kind: kind(bundle, path)?,
            path: path.to_string(),
            said: Vec::new(),
            mesh: None,
            animations: Vec::new(),
            cameras: Vec::new(),
            md3s: Vec::new(),
            player: None,
            animation_cfg: None,
            skins: Vec::new(),
            shader_scripts: Vec::new(),
            smds: Vec::new(),
            script: None,
            images: Vec::new(),
        };
        match facts.kind {
            Kind::Md5 => md5::gather(&mut facts),
            Kind::Md3 => md3::gather(&mut facts),
            Kind::Smd | Kind::Vta => smd::gather(&mut facts),
            Kind::Qc => qc::gather(&mut facts),
            Kind::Config => md3::read_config(&mut facts, path),
            Kind::Skin => md3::read_skin(&mut facts, skin::part(path), path),
            Kind::Shader => md3::read_script(&mut facts, path),
        }
        Some(facts)
    }

    pub fn of(&self, role: smd::Role) -> impl Iterator<Item = &smd::Smd> {
        self.smds.iter().filter(move |smd| smd.role == role)
    }

    /// Who reads such files, the engine that they are made for first.
    pub fn engines(&self) -> &'static [Engine] {
        match self.kind {
            Kind::Md5 => &[Engine::Doom3],
            Kind::Md3 => &[Engine::Quake3, Engine::Doom3],
            Kind::Smd | Kind::Qc if self.is_for_source() => &[Engine::Source, Engine::GoldSrc],
            Kind::Smd | Kind::Qc => &[Engine::GoldSrc, Engine::Source],
            Kind::Vta => &[Engine::Source],
            Kind::Config | Kind::Skin | Kind::Shader => &[Engine::Quake3],
        }
    }

    /// Whether commands, links or materials are such as only Source has.
    fn is_for_source(&self) -> bool {
        let is_bmp = |image: &smd::Image| bundle::extension(&image.name) == "bmp";
        self.script.as_ref().is_some_and(qc::Script::is_for_source)
            || self.smds.iter().any(|smd| !smd.links.is_empty())
            || !self.images.is_empty() && !self.images.iter().any(is_bmp)
    }

    /// Keeps what a reader said about a file.
    fn hear(&mut self, format: &'static str, path: &str, report: Report) {
        let named = report.diagnostics.into_iter().map(|diagnostic| (format, *Box::new(diagnostic).in_file(path)));
        self.said.extend(named);
    }

    /// What a place in a report is in the view: `mesh[0].vert[1]`, `joint[3]`.
    pub fn subject(&self, place: &str) -> Option<Subject> {
        let index = |word: &str| {
            let start = place.find(&format!("{word}["))? + word.len() + 1;
            place[start..].split(']').next()?.parse::<usize>().ok()
        };
        let part = String::new();
        match (index("mesh"), index("vert"), index("joint")) {
            (Some(mesh), Some(vertex), _) => Some(Subject::Vertex { part, mesh, vertex }),
            (Some(mesh), None, _) => Some(Subject::Mesh { part, mesh }),
            (None, _, Some(joint)) => {
                let skeletons = self.mesh.iter().map(|mesh| &mesh.skeleton);
                let skeletons = skeletons.chain(self.animations.iter().map(|(_, animation)| &animation.skeleton));
                let mut joints = skeletons.filter_map(|skeleton| skeleton.joints.get(joint));
                Some(Subject::Joint(joints.next()?.name.clone()))
            }
            _ => None,
        }
    }
}
