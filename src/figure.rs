//! What stands before the viewer: in come models hung on each other's tags, out come posed vertices, joints and tags in one space.
//!
//! Most figures have one part. A Quake III player has three and more, each a model with its own clip.

use std::rc::Rc;

use glam::{Affine3A, Vec3};
use hashbrown::{HashMap, HashSet};

use crate::anim::{self, Blend, Pose};
use crate::model::{Clip, Info, Model, Motion, TagMotion};
use crate::report::Report;
use crate::skin::{Bounds, Palette, PosedMesh};

/// Models hung on each other, with the state that poses and dresses them.
pub struct Figure {
    pub name: String,
    /// The file that was opened as the main one.
    pub path: String,
    /// As `Model.format` shows it: `MD5`, `Quake III player`.
    pub format: String,
    /// What is hung on comes before what hangs on it.
    pub parts: Vec<Part>,
    /// Height of the ground on which the game stands the figure; `None` where it is under the lowest vertex.
    pub ground: Option<f32>,
    pub info: Vec<(String, Info)>,
    pub report: Report,
}

/// Where a part hangs.
#[derive(Clone, Debug, PartialEq)]
pub struct Mount {
    /// Index of an earlier part.
    pub part: usize,
    /// Name of one of its tags; where it has no such tag, the part hangs at its origin, as in the game.
    pub tag: String,
}

/// One model of a figure and how it is posed and dressed.
pub struct Part {
    /// `lower`, `upper`, `head`, `weapon` …; empty for a figure of one part.
    pub name: String,
    /// Levels of detail, the finest first. All share clips, tags and variants of the first. Figures of the same files share them.
    levels: Rc<Vec<Model>>,
    level: usize,
    pub mount: Option<Mount>,
    /// Set for a muzzle flash: the part whose shots light it. Where its body group wears the first choice, it is drawn only in
    /// the first frame of that part's attack; it is posed and listed all the same.
    pub fired_by: Option<usize>,

    playing: Option<Playing>,
    variant: Option<usize>,
    /// The choice worn in each body group.
    body: Vec<usize>,
    /// One a mesh of the level that is shown: not left out by a body choice.
    chosen: Vec<bool>,
    /// One a flex, 0..1.
    flex_weights: Vec<f32>,

    blend: Blend,
    pose: Pose,
    palette: Palette,
    figure_from_part: Affine3A,
    /// One a mesh of the level that is shown.
    meshes: Vec<PosedMesh>,
    /// The vertices no longer fit the pose.
    stale: bool,
    generation: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Playing {
    clip: usize,
    seconds: f32,
    loops: bool,
}

impl Part {
    /// A part in its bind pose. `levels` holds at least one model, the finest first; each has passed `model::check`.
    pub fn new(name: impl Into<String>, levels: Vec<Model>, mount: Option<Mount>) -> Self {
        Self::of(name.into(), Rc::new(levels), mount)
    }

    /// The same model in its bind pose, with no choice made. What was read is shared, not copied.
    fn another(&self) -> Self {
        let part = Self::of(self.name.clone(), Rc::clone(&self.levels), self.mount.clone());
        Self { fired_by: self.fired_by, ..part }
    }

    fn of(name: String, levels: Rc<Vec<Model>>, mount: Option<Mount>) -> Self {
        let model = &levels[0];
        let body = vec![0; model.bodygroups.len()];
        Self {
            name,
            mount,
            fired_by: None,
            playing: None,
            variant: (!model.variants.is_empty()).then_some(0),
            chosen: chosen(model, &body),
            body,
            flex_weights: vec![0.0; model.flexes.len()],
            blend: Blend::still(0),
            pose: Pose::rest(&model.skeleton),
            palette: Palette::new(&model.skeleton),
            figure_from_part: Affine3A::IDENTITY,
            meshes: model.meshes.iter().map(PosedMesh::new).collect(),
            stale: true,
            generation: 0,
            level: 0,
            levels,
        }
    }

    /// The model of the level that is shown.
    pub fn model(&self) -> &Model {
        &self.levels[self.level]
    }

    pub fn levels(&self) -> &[Model] {
        &self.levels
    }

    /// To finish what was read; a figure that shares it gets a copy of its own.
    pub fn levels_mut(&mut self) -> &mut [Model] {
        Rc::make_mut(&mut self.levels).as_mut_slice()
    }

    pub fn level(&self) -> usize {
        self.level
    }

    /// Shows another level of detail; past the coarsest, the coarsest.
    pub fn set_level(&mut self, level: usize) {
        let level = level.min(self.levels.len() - 1);
        if level != self.level {
            self.level = level;
            self.meshes = self.model().meshes.iter().map(PosedMesh::new).collect();
            self.chosen = chosen(self.model(), &self.body);
            self.stale = true;
        }
    }

    pub fn clip(&self) -> Option<&Clip> {
        self.playing.map(|playing| &self.levels[0].clips[playing.clip])
    }

    pub fn figure_from_part(&self) -> Affine3A {
        self.figure_from_part
    }

    /// Where every joint stands, in this part's space.
    pub fn model_from_joint(&self) -> &[Affine3A] {
        &self.pose.model_from_joint
    }

    /// One a mesh of [`Part::model`], as of the last [`Figure::update`].
    pub fn posed(&self) -> &[PosedMesh] {
        &self.meshes
    }

    /// Grows whenever the vertices change.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The material a mesh wears in the variant that is chosen; `None` hides the mesh.
    pub fn material_of(&self, mesh: usize) -> Option<usize> {
        let model = self.model();
        match self.variant.and_then(|variant| model.variants.get(variant)) {
            Some(variant) => variant.materials.get(mesh).copied().flatten(),
            None => Some(model.meshes[mesh].material),
        }
    }

    /// Whether a mesh is worn: not left out by a body choice or the variant.
    pub fn is_shown(&self, mesh: usize) -> bool {
        self.chosen[mesh] && self.material_of(mesh).is_some()
    }

    /// Whether the part shows the first frame of a clip that fires a weapon (Quake III: TORSO_ATTACK, TORSO_ATTACK2).
    fn fires(&self) -> bool {
        self.clip().is_some_and(|clip| clip.name.starts_with("TORSO_ATTACK") && clip.blend(0.0).from == self.blend.from)
    }

    fn waits_for_shots(&self) -> bool {
        self.fired_by.is_some() && self.body.first() == Some(&0)
    }

    /// The name of the choice worn in each body group.
    pub fn body(&self) -> &[usize] {
        &self.body
    }

    fn play(&mut self, playing: Option<Playing>) {
        if playing == self.playing {
            return;
        }
        self.playing = playing;
        let model = &self.levels[0];
        let Some(Playing { clip, seconds, loops }) = playing else {
            self.blend = Blend::still(0);
            self.pose.set_rest(&model.skeleton);
            self.stale = true;
            return;
        };
        let clip = &model.clips[clip];
        let mut blend = clip.blend_as(seconds, loops);
        match &clip.motion {
            Motion::Joints(frames) => self.pose.set_frames(&model.skeleton, frames, blend),
            // Parts without an animation.cfg share the clip of the one with the most frames; no game says what the others do
            // beyond theirs.
            Motion::AllKeys => blend = blend.drawn(model.key_frames()),
            Motion::Keys(_) => {}
        }
        self.blend = blend;
        self.stale = true;
    }

    /// `part_from_tag` as posed.
    fn part_from_tag(&self, tag: usize) -> Affine3A {
        match &self.levels[0].tags[tag].motion {
            TagMotion::Keyed(frames) => anim::lerp_tag(frames, self.blend),
            TagMotion::Joint { joint, joint_from_tag } => {
                self.pose.model_from_joint[*joint] * joint_from_tag.to_affine()
            }
        }
    }

    fn apply_flexes(&mut self) {
        for (posed, mesh) in self.meshes.iter_mut().zip(&self.levels[self.level].meshes) {
            posed.set_flexes(mesh, &self.flex_weights);
        }
        self.stale = true;
    }

    fn update(&mut self) {
        if !std::mem::take(&mut self.stale) {
            return;
        }
        self.generation += 1;
        self.palette.set(&self.pose.model_from_joint);
        for index in 0..self.meshes.len() {
            if self.is_shown(index) {
                let mesh = &self.levels[self.level].meshes[index];
                self.meshes[index].update(mesh, &self.palette, &self.pose.model_from_joint, self.blend);
            }
        }
    }
}

/// One a mesh: whether it is in a choice that is worn, or in none at all. Worked out once for each change, since every picture asks
/// it of every mesh.
fn chosen(model: &Model, body: &[usize]) -> Vec<bool> {
    let choices = |worn: bool| {
        model.bodygroups.iter().enumerate().flat_map(move |(group, of)| {
            let is_worn = move |choice: usize| body.get(group) == Some(&choice);
            of.choices.iter().enumerate().filter(move |(choice, _)| is_worn(*choice) == worn).map(|(_, choice)| choice)
        })
    };
    let mut chosen = vec![true; model.meshes.len()];
    // What is worn has the last word: a mesh may be in several choices.
    for worn in [false, true] {
        for &mesh in choices(worn).flat_map(|choice| &choice.meshes) {
            if let Some(chosen) = chosen.get_mut(mesh) {
                *chosen = worn;
            }
        }
    }
    chosen
}

/// A clip of a figure: the same name may move several parts (Quake III: BOTH_DEATH1).
pub struct FigureClip<'a> {
    pub clip: &'a Clip,
    /// Name of the part it is listed under.
    pub part: &'a str,
}

impl Figure {
    /// Parts in their bind poses, each put on its tag. What is hung on comes before what hangs on it.
    pub fn new(name: &str, format: &str, parts: Vec<Part>, report: Report) -> Self {
        let info = parts.iter().flat_map(|part| part.levels[0].info.iter().cloned()).collect();
        let (name, format, path) = (name.to_string(), format.to_string(), String::new());
        let mut figure = Self { name, path, format, parts, ground: None, info, report };
        figure.place();
        figure
    }

    /// The same files again, in the bind pose and with no choice made: a second view that moves by itself. Meshes, clips and
    /// materials are shared.
    pub fn another(&self) -> Self {
        let mut figure = Self {
            name: self.name.clone(),
            path: self.path.clone(),
            format: self.format.clone(),
            parts: self.parts.iter().map(Part::another).collect(),
            ground: self.ground,
            info: self.info.clone(),
            report: self.report.clone(),
        };
        figure.place();
        figure
    }

    /// Every clip once by name.
    pub fn clips(&self) -> Vec<FigureClip<'_>> {
        let mut clips: Vec<FigureClip<'_>> = Vec::new();
        let mut first_part: HashMap<&str, &str> = HashMap::new();
        for part in &self.parts {
            for clip in &part.levels[0].clips {
                if *first_part.entry(&clip.name).or_insert(&part.name) == part.name {
                    clips.push(FigureClip { clip, part: &part.name });
                }
            }
        }
        clips
    }

    /// Poses every part that has a clip of this name; the others stay as they are. `None` brings all back to the bind pose
    /// (keyed parts: frame 0). `loops` overrules the clip. False where no part has such a clip.
    pub fn pose(&mut self, clip: Option<&str>, seconds: f32, loops: Option<bool>) -> bool {
        let mut found = clip.is_none();
        for index in 0..self.parts.len() {
            match clip {
                Some(name) => found |= self.pose_part(index, name, seconds, loops),
                None => self.parts[index].play(None),
            }
        }
        self.place();
        found
    }

    /// Poses one part by name. False where there is no such part or it has no such clip.
    pub fn pose_named_part(&mut self, part: &str, clip: &str, seconds: f32, loops: Option<bool>) -> bool {
        let Some(index) = self.parts.iter().position(|candidate| candidate.name == part) else { return false };
        let found = self.pose_part(index, clip, seconds, loops);
        self.place();
        found
    }

    fn pose_part(&mut self, part: usize, clip: &str, seconds: f32, loops: Option<bool>) -> bool {
        let part = &mut self.parts[part];
        let Some(index) = part.levels[0].clips.iter().position(|candidate| candidate.name == clip) else {
            return false;
        };
        let loops = loops.unwrap_or(part.levels[0].clips[index].loops);
        part.play(Some(Playing { clip: index, seconds, loops }));
        true
    }

    /// Puts every part on its tag.
    fn place(&mut self) {
        for index in 0..self.parts.len() {
            let figure_from_part = match &self.parts[index].mount {
                None => Affine3A::IDENTITY,
                Some(mount) => {
                    let parent = &self.parts[mount.part];
                    let tag = parent.levels[0].tags.iter().position(|tag| tag.name == mount.tag);
                    parent.figure_from_part * tag.map_or(Affine3A::IDENTITY, |tag| parent.part_from_tag(tag))
                }
            };
            self.parts[index].figure_from_part = figure_from_part;
        }
    }

    /// Brings the vertices up to the pose; does nothing where they are. Allocates nothing.
    pub fn update(&mut self) {
        self.parts.iter_mut().for_each(Part::update);
    }

    /// The meshes that are worn now, as (part, mesh).
    pub fn shown(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.parts.iter().enumerate().flat_map(|(index, part)| {
            (0..part.model().meshes.len()).filter(|&mesh| part.is_shown(mesh)).map(move |mesh| (index, mesh))
        })
    }

    /// The meshes to draw now: those of [`Figure::shown`] but a muzzle flash between shots.
    pub fn drawn(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.shown().filter(|&(part, _)| {
            let part = &self.parts[part];
            !part.waits_for_shots() || part.fired_by.is_some_and(|by| self.parts[by].fires())
        })
    }

    /// Whether something that is worn looks different as time goes by, the pose standing still.
    pub fn changes(&self) -> bool {
        self.drawn().any(|(part, mesh)| {
            let part = &self.parts[part];
            part.material_of(mesh).is_some_and(|material| part.model().materials[material].changes())
        })
    }

    /// Every variant once by name.
    pub fn variants(&self) -> Vec<&str> {
        unique(self.parts.iter().flat_map(|part| &part.levels[0].variants).map(|variant| variant.name.as_str()))
    }

    /// Dresses every part that has such a variant. False where none has.
    pub fn set_variant(&mut self, name: &str) -> bool {
        let mut found = false;
        for part in &mut self.parts {
            if let Some(index) = part.levels[0].variants.iter().position(|variant| variant.name == name) {
                part.variant = Some(index);
                part.stale = true;
                found = true;
            }
        }
        found
    }

    /// False where no part has such a group with such a choice.
    pub fn set_body(&mut self, group: &str, choice: &str) -> bool {
        let mut found = false;
        for part in &mut self.parts {
            let groups = &part.levels[0].bodygroups;
            // Several groups may have one name.
            let named = groups.iter().enumerate().filter(|(_, candidate)| candidate.name == group);
            let mut places = named.filter_map(|(index, candidate)| {
                Some((index, candidate.choices.iter().position(|candidate| candidate.name == choice)?))
            });
            let Some((group, choice)) = places.next() else { continue };
            part.body[group] = choice;
            part.chosen = chosen(part.model(), &part.body);
            part.stale = true;
            found = true;
        }
        found
    }

    /// Every flex once by name.
    pub fn flexes(&self) -> Vec<&str> {
        unique(self.parts.iter().flat_map(|part| &part.levels[0].flexes).map(String::as_str))
    }

    /// Pulls a flex, 0 to 1. False where no part has it.
    pub fn set_flex(&mut self, name: &str, weight: f32) -> bool {
        let mut found = false;
        for part in &mut self.parts {
            let Some(flex) = part.levels[0].flexes.iter().position(|flex| flex == name) else { continue };
            part.flex_weights[flex] = if weight.is_finite() { weight.clamp(0.0, 1.0) } else { 0.0 };
            part.apply_flexes();
            found = true;
        }
        found
    }

    /// How many levels of detail there are at most.
    pub fn levels(&self) -> usize {
        self.parts.iter().map(|part| part.levels.len()).max().unwrap_or(0)
    }

    pub fn set_level(&mut self, level: usize) {
        for part in &mut self.parts {
            part.set_level(level);
            part.apply_flexes();
        }
    }

    /// `figure_from_tag` of every tag as posed, in the order of [`Figure::tags`]. Allocates nothing.
    pub fn tag_places(&self) -> impl Iterator<Item = Affine3A> + '_ {
        self.parts
            .iter()
            .flat_map(|part| (0..part.levels[0].tags.len()).map(|tag| part.figure_from_part * part.part_from_tag(tag)))
    }

    /// Names and `figure_from_tag` of every tag as posed; in a figure of several parts the names are `part/tag`.
    pub fn tags(&self) -> impl Iterator<Item = (String, Affine3A)> + '_ {
        let several = self.parts.len() > 1;
        self.parts.iter().flat_map(move |part| {
            part.levels[0].tags.iter().enumerate().map(move |(index, tag)| {
                let name = if several { format!("{}/{}", part.name, tag.name) } else { tag.name.clone() };
                (name, part.figure_from_part * part.part_from_tag(index))
            })
        })
    }

    /// What the camera, the floor and the grid go by: [`Figure::bounds`]; around a single point, some room to see it move in.
    pub fn view_bounds(&self) -> Bounds {
        let bounds = self.bounds();
        match bounds.min == bounds.max {
            // Not below it: the floor stays where the point begins.
            true => Bounds { min: bounds.min - Vec3::new(4.0, 4.0, 0.0), max: bounds.max + Vec3::new(4.0, 4.0, 8.0) },
            false => bounds,
        }
    }

    /// The box around all that is shown, of vertices as of the last [`Figure::update`]; around the joints or camera paths where
    /// there are no vertices. A flash that comes and goes with shots does not count.
    pub fn bounds(&self) -> Bounds {
        let mut bounds = Bounds::EMPTY;
        for (part, mesh) in self.shown() {
            let part = &self.parts[part];
            if part.waits_for_shots() {
                continue;
            }
            let posed = &part.meshes[mesh];
            if part.mount.is_none() {
                bounds = bounds.union(posed.bounds);
            } else {
                for vertex in &posed.vertices {
                    bounds.add(part.figure_from_part.transform_point3(vertex.position.into()));
                }
            }
        }
        if bounds.is_empty() {
            for part in &self.parts {
                for joint in &part.pose.model_from_joint {
                    bounds.add(part.figure_from_part.transform_point3(joint.translation.into()));
                }
                for frame in part.levels[0].cameras.iter().flat_map(|camera| &camera.frames) {
                    bounds.add(frame.model_from_camera.translation);
                }
                for (_, tag) in self.tags() {
                    bounds.add(tag.translation.into());
                }
            }
        }
        if bounds.is_empty() { Bounds { min: Vec3::ZERO, max: Vec3::ZERO } } else { bounds }
    }
}

fn unique<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut known = HashSet::new();
    names.filter(|name| known.insert(*name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BodyChoice, BodyGroup, Keys, Mesh, Shape};

    /// A choice's name and its meshes.
    type Choice<'a> = (&'a str, &'a [usize]);

    fn dressed(groups: &[(&str, &[Choice])]) -> Figure {
        let mesh = |index: usize| Mesh {
            name: index.to_string(),
            material: 0,
            uvs: Vec::new(),
            triangles: Vec::new(),
            shape: Shape::Keyed(Keys { frames: 1, ..Keys::default() }),
            morphs: Vec::new(),
        };
        let choice = |(name, meshes): &(&str, &[usize])| BodyChoice { name: name.to_string(), meshes: meshes.to_vec() };
        let group = |(name, choices): &(&str, &[(&str, &[usize])])| BodyGroup {
            name: name.to_string(),
            choices: choices.iter().map(choice).collect(),
        };
        let bodygroups = groups.iter().map(group).collect();
        let model = Model { meshes: (0..4).map(mesh).collect(), bodygroups, ..Model::default() };
        Figure::new("", "", vec![Part::new("", vec![model], None)], Report::default())
    }

    fn shown(figure: &Figure) -> Vec<usize> {
        figure.shown().map(|(_, mesh)| mesh).collect()
    }

    #[test]
    fn meshes_of_choices_not_worn_are_hidden() {
        // Mesh 1 is in a choice of both groups, mesh 3 in none, and 9 is no mesh.
        let mut figure = dressed(&[("a", &[("on", &[0, 1]), ("off", &[])]), ("b", &[("x", &[2]), ("y", &[1, 9])])]);
        assert_eq!(shown(&figure), [0, 1, 2, 3]);
        assert!(figure.set_body("a", "off"));
        assert_eq!(shown(&figure), [2, 3]);
        assert!(figure.set_body("b", "y"));
        assert_eq!(shown(&figure), [1, 3]);
        assert!(!figure.set_body("b", "z"));
        assert_eq!(shown(&figure), [1, 3]);
    }
}
