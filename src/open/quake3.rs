//! Quake III's models as the game puts them together. In comes a path to an .md3, out comes a figure: a player of three parts
//! with its clips and skins, a weapon with barrel and flash, or the model alone with its levels of detail.
//!
//! The rules are those of ioquake3's code/cgame: cg_players.c (which files, which clip moves what), cg_ents.c and cg_weapons.c
//! (what hangs on which tag), code/renderergl1/tr_model.c (levels of detail).

use std::collections::BTreeMap;

use crate::bundle::{self, Bundle};
use crate::figure::{Figure, Mount, Part};
use crate::format::animation_cfg::{self, AnimationCfg};
use crate::format::{self, Content, md3};
use crate::material::{Material, skin};
use crate::model::{self, BodyChoice, BodyGroup, Clip, Info, Model, Motion, Variant};
use crate::report::{At, Diagnostic, Report, Result};
use crate::sort;

/// What [`Figure::format`] says of a player.
pub const PLAYER: &str = "Quake III player";

/// What a player is made of, in the order in which one hangs on the other.
pub const PARTS: [&str; 3] = ["lower", "upper", "head"];
const LOWER: usize = 0;
const UPPER: usize = 1;
const HEAD: usize = 2;

/// The tag of the part before on which a part hangs.
const MOUNT_TAGS: [&str; 3] = ["", "tag_torso", "tag_head"];

/// Where the ground is below the origin of a player, who may stand a little into it (bg_public.h, MINS_Z).
const GROUND: f32 = -24.0;

/// Levels of detail the game looks for after the model itself: `x_1.md3` to `x_3.md3` (MD3_MAX_LODS).
const LEVELS: std::ops::RangeInclusive<usize> = 1..=3;

/// The files of one player, by path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerFiles {
    /// The folder's name.
    pub name: String,
    /// With its final slash; empty for loose files.
    pub folder: String,
    /// One for each of [`PARTS`]; at least two are there.
    pub parts: [Option<String>; 3],
    pub animation_cfg: Option<String>,
    pub skins: Vec<SkinSet>,
}

/// A skin's name and its file for each of [`PARTS`]: `lower_red.skin` is the lower one of `red`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinSet {
    pub name: String,
    pub parts: [Option<String>; 3],
}

impl PlayerFiles {
    /// The file by which the player is opened: the lowest part there is.
    pub fn path(&self) -> &str {
        self.parts.iter().flatten().next().map_or("", String::as_str)
    }
}

/// The files of one weapon, by path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeaponFiles {
    pub name: String,
    pub main: String,
    pub barrel: Option<String>,
    pub flash: Option<String>,
}

/// Every player among the files: two or three of lower.md3, upper.md3 and head.md3 in one folder. A head may also lie in
/// `models/players/heads/NAME/NAME.md3`.
pub fn players(bundle: &Bundle) -> Vec<PlayerFiles> {
    let is_part = |path: &&str| bundle::extension(path) == "md3" && part_of(bundle::stem(path)).is_some();
    let mut folders = BTreeMap::new();
    for folder in bundle.paths().filter(is_part).map(bundle::folder) {
        folders.insert(bundle::key(folder), folder);
    }
    folders.into_values().filter_map(|folder| player_in(bundle, folder)).collect()
}

fn part_of(stem: &str) -> Option<usize> {
    PARTS.iter().position(|part| part.eq_ignore_ascii_case(stem))
}

fn player_in(bundle: &Bundle, folder: &str) -> Option<PlayerFiles> {
    let find = |path: String| bundle.find(&path).map(str::to_string);
    let mut parts = PARTS.map(|part| find(format!("{folder}{part}.md3")));
    let name = bundle::file_name(folder.trim_end_matches(['/', '\\']));
    let mut heads = None;
    if parts[HEAD].is_none() && !name.is_empty() {
        // models/players/NAME/ or models/players/characters/NAME/.
        let mut players = bundle::folder(folder.trim_end_matches(['/', '\\']));
        if bundle::key(players).ends_with("/characters") {
            players = bundle::folder(players.trim_end_matches(['/', '\\']));
        }
        let head_folder = format!("{players}heads/{name}/");
        parts[HEAD] = find(format!("{head_folder}{name}.md3"));
        heads = Some(head_folder);
    }
    if parts.iter().flatten().count() < 2 {
        return None;
    }
    Some(PlayerFiles {
        name: if name.is_empty() { "player".to_string() } else { name.to_string() },
        folder: folder.to_string(),
        animation_cfg: find(format!("{folder}animation.cfg")),
        skins: player_skins(bundle, folder, heads.as_deref()),
        parts,
    })
}

/// The skins of a player: `PART_NAME.skin` in its folder, `GROUP/PART_NAME.skin` below it (Team Arena's teams).
fn player_skins(bundle: &Bundle, folder: &str, heads: Option<&str>) -> Vec<SkinSet> {
    let mut sets: BTreeMap<(usize, String), SkinSet> = BTreeMap::new();
    let paths = bundle.paths_below(folder).chain(heads.into_iter().flat_map(|heads| bundle.paths_below(heads)));
    for path in paths.filter(|path| bundle::extension(path) == "skin") {
        let Some((part, name)) = bundle::stem(path).split_once('_') else { continue };
        let Some(part) = part_of(part) else { continue };
        let own = bundle::key(bundle::folder(path));
        let group =
            if own == bundle::key(folder) || heads.is_some_and(|heads| part == HEAD && own == bundle::key(heads)) {
                ""
            } else {
                let above = bundle::folder(path).trim_end_matches(['/', '\\']);
                if above.is_empty() || folder.is_empty() || bundle::key(bundle::folder(above)) != bundle::key(folder) {
                    continue;
                }
                bundle::file_name(above)
            };
        let name = if group.is_empty() { name.to_string() } else { format!("{group}/{name}") };
        let set = sets.entry(skin_order(&name)).or_default();
        set.name = bundle::lower(&name);
        set.parts[part] = Some(path.to_string());
    }
    sets.into_values().collect()
}

/// The game's own three first.
fn skin_order(name: &str) -> (usize, String) {
    let name = bundle::lower(name);
    let first = ["default", "red", "blue"];
    (first.iter().position(|known| *known == name).unwrap_or(first.len()), name)
}

/// The skins of a model that is no player: `STEM_NAME.skin` beside it.
fn model_skins(bundle: &Bundle, path: &str) -> Vec<(String, String)> {
    let folder = bundle::key(bundle::folder(path));
    let start = format!("{}_", bundle::lower(bundle::stem(path)));
    let skins = bundle.paths().filter(|skin| bundle::extension(skin) == "skin");
    let mut found: Vec<(String, String)> = skins
        .filter(|skin| bundle::key(bundle::folder(skin)) == folder)
        .filter_map(|skin| {
            let name = bundle::lower(bundle::stem(skin)).strip_prefix(&start)?.to_string();
            Some((name, skin.to_string()))
        })
        .collect();
    sort::by(&mut found, |a, b| skin_order(&a.0).cmp(&skin_order(&b.0)));
    found
}

/// The levels of detail after `path` itself, the finest first.
pub fn lods(bundle: &Bundle, path: &str) -> Vec<String> {
    let start = &path[..path.rfind('.').unwrap_or(path.len())];
    LEVELS.filter_map(|level| bundle.find(&format!("{start}_{level}.md3")).map(str::to_string)).collect()
}

/// Whether a file is only a part of what another shows: a coarser level, a player's upper half, a weapon's barrel or flash.
pub fn belongs_to_another(bundle: &Bundle, path: &str) -> bool {
    let suffixes = LEVELS.map(|level| level.to_string()).chain(["barrel".to_string(), "flash".to_string()]);
    suffixes.into_iter().any(|suffix| base_of(bundle, path, &suffix).is_some())
        || part_of(bundle::stem(path)).is_some_and(|_| {
            player_in(bundle, bundle::folder(path))
                .is_some_and(|player| bundle::key(player.path()) != bundle::key(path))
        })
        || heads_player(bundle, path)
}

/// Whether a file is the head, in the heads' own folder, of a player that has none in his.
fn heads_player(bundle: &Bundle, path: &str) -> bool {
    let folder = bundle::folder(path);
    let above = bundle::folder(folder.trim_end_matches(['/', '\\']));
    let Some(players) = bundle::key(above).strip_suffix("heads").map(str::to_string) else { return false };
    ["", "characters/"].iter().any(|characters| {
        player_in(bundle, &format!("{players}{characters}{}/", bundle::stem(path)))
            .and_then(|player| player.parts[HEAD].clone())
            .is_some_and(|head| bundle::key(&head) == bundle::key(path))
    })
}

/// `x.md3` for `x_SUFFIX.md3`, where it is among the files.
fn base_of<'a>(bundle: &'a Bundle, path: &str, suffix: &str) -> Option<&'a str> {
    let lower = path.to_ascii_lowercase();
    let base = lower.strip_suffix(".md3")?.strip_suffix(suffix)?.strip_suffix('_')?;
    bundle.find(&format!("{}.md3", &path[..base.len()]))
}

/// Every weapon among the files: what lies in a folder `weapons` or `weapons2`, or has a barrel, a flash or a hand beside it.
pub fn weapons(bundle: &Bundle) -> Vec<WeaponFiles> {
    let models = bundle.paths().filter(|path| bundle::extension(path) == "md3");
    models.filter_map(|path| weapon(bundle, path)).collect()
}

fn weapon(bundle: &Bundle, path: &str) -> Option<WeaponFiles> {
    if part_of(bundle::stem(path)).is_some() || belongs_to_another(bundle, path) || is_hand(path) {
        return None;
    }
    let files = weapon_files(bundle, path);
    let hand = beside(bundle, path, "hand");
    let in_folder = || bundle::key(path).split('/').any(|folder| folder == "weapons" || folder == "weapons2");
    (files.barrel.is_some() || files.flash.is_some() || hand.is_some() || in_folder()).then_some(files)
}

/// The *_hand.md3 of a weapon holds but the tag by which the first person carries it.
pub fn is_hand(path: &str) -> bool {
    bundle::lower(bundle::stem(path)).ends_with("_hand")
}

fn beside(bundle: &Bundle, path: &str, suffix: &str) -> Option<String> {
    let start = &path[..path.rfind('.').unwrap_or(path.len())];
    bundle.find(&format!("{start}_{suffix}.md3")).map(str::to_string)
}

fn weapon_files(bundle: &Bundle, path: &str) -> WeaponFiles {
    WeaponFiles {
        name: bundle::stem(path).to_string(),
        main: path.to_string(),
        barrel: beside(bundle, path, "barrel"),
        flash: beside(bundle, path, "flash"),
    }
}

/// What a player holds: the model dropped beside him, else the machine gun with which the game begins, else the first weapon.
fn held_weapon(bundle: &Bundle, player: &PlayerFiles) -> Option<WeaponFiles> {
    let folder = bundle::key(&player.folder);
    let mut beside = bundle.paths().filter(|path| {
        bundle::extension(path) == "md3"
            && bundle::key(bundle::folder(path)) == folder
            && part_of(bundle::stem(path)).is_none()
            && !is_hand(path)
            && !belongs_to_another(bundle, path)
    });
    // Several models beside him cannot all be in his hand, so nothing says that any is.
    if let (Some(only), None) = (beside.next(), beside.next()) {
        return Some(weapon_files(bundle, only));
    }
    let mut weapons = weapons(bundle);
    let machine_gun = weapons.iter().position(|weapon| weapon.name.eq_ignore_ascii_case("machinegun")).unwrap_or(0);
    (!weapons.is_empty()).then(|| weapons.swap_remove(machine_gun))
}

/// Opens an .md3: the player or the weapon that it is the main file of, else the model alone.
pub fn open(bundle: &Bundle, path: &str, report: &mut Report) -> Result<Figure> {
    if part_of(bundle::stem(path)).is_some()
        && let Some(player) = player_in(bundle, bundle::folder(path))
        && bundle::key(player.path()) == bundle::key(path)
    {
        return open_player(bundle, &player, report);
    }
    let files = weapon_files(bundle, path);
    if files.barrel.is_some() || files.flash.is_some() {
        let mut parts = Vec::new();
        add_weapon(bundle, &files, None, &mut parts, report)?;
        return Ok(Figure::new(&files.name, "Quake III weapon", parts, Report::default()));
    }
    let levels = open_alone(bundle, path, report)?;
    let name = levels[0].name.clone();
    Ok(Figure::new(&name, md3::MD3.name, vec![Part::new("", levels, None)], Report::default()))
}

fn open_player(bundle: &Bundle, files: &PlayerFiles, report: &mut Report) -> Result<Figure> {
    let cfg = files.animation_cfg.as_deref().map(|path| (path, read_cfg(bundle, path, report)));
    // A part that cannot be read leaves the others standing.
    let mut first_error = None;
    let mut read = [None, None, None];
    for (part, path) in files.parts.iter().enumerate() {
        let Some(path) = path else { continue };
        match read_levels(bundle, path, report) {
            Ok(levels) => read[part] = Some(levels),
            Err(error) => {
                first_error.get_or_insert(error.clone());
                report.push(error);
            }
        }
    }
    let most_frames = read.iter().take(HEAD).flatten().map(|levels| levels[0].key_frames()).max().unwrap_or(1);
    let mut parts: Vec<Part> = Vec::new();
    for (part, levels) in read.into_iter().enumerate() {
        let Some(mut levels) = levels else { continue };
        let path = files.parts[part].as_deref().unwrap_or_default();
        for (key, _) in &mut levels[0].info {
            *key = format!("{}.{key}", PARTS[part]);
        }
        match &cfg {
            // The game shows the head's frame 0, whatever the others do.
            _ if part == HEAD => levels[0].clips.clear(),
            Some((cfg_path, cfg)) if !cfg.clips.is_empty() => {
                add_clips(&mut levels[0], path, cfg_path, cfg, moves_part(part), report);
            }
            // One clip for both: the part with fewer frames stands in its frame 0 where the other goes on.
            _ if most_frames > 1 => levels[0].clips = vec![md3::all_frames(most_frames, path)],
            _ => levels[0].clips.clear(),
        }
        if parts.is_empty()
            && let Some((_, cfg)) = &cfg
        {
            levels[0].info.extend(cfg.info.iter().cloned());
        }
        let skins = files.skins.iter().map(|set| (set.name.as_str(), set.parts[part].as_deref()));
        dress(&mut levels, bundle, path, skins.collect(), report);
        let mount = mount(&parts, PARTS[part.saturating_sub(1)], MOUNT_TAGS[part], path, report);
        parts.push(Part::new(PARTS[part], levels, mount));
    }
    if parts.is_empty() {
        return Err(first_error.unwrap_or_else(|| Diagnostic::error(At::File, "a part of a player", "none")));
    }
    if parts.iter().any(|part| part.name == PARTS[UPPER])
        && let Some(weapon) = held_weapon(bundle, files)
        && let Err(error) = add_weapon(bundle, &weapon, Some("tag_weapon"), &mut parts, report)
    {
        report.push(error);
    }
    let mut figure = Figure::new(&files.name, PLAYER, parts, Report::default());
    figure.ground = Some(GROUND);
    // As the game shows a player who does nothing.
    figure.pose_named_part(PARTS[LOWER], "LEGS_IDLE", 0.0, None);
    figure.pose_named_part(PARTS[UPPER], "TORSO_STAND", 0.0, None);
    Ok(figure)
}

/// Where a part hangs: on `tag` of the part named `parent`, if that is there.
fn mount(parts: &[Part], parent: &str, tag: &str, path: &str, report: &mut Report) -> Option<Mount> {
    let index = parts.iter().position(|part| part.name == parent)?;
    let tags = &parts[index].levels()[0].tags;
    if !tags.iter().any(|candidate| candidate.name == tag) {
        let found = match tags.as_slice() {
            [] => "no tags".to_string(),
            tags => tags.iter().map(|tag| format!("`{}`", tag.name)).collect::<Vec<_>>().join(", "),
        };
        let missing = Diagnostic::warning(At::File, format!("a tag `{tag}` in {parent} to hang this on"), found);
        report.push(missing.engine("Quake III puts it at the other's origin").in_file(path));
    }
    Some(Mount { part: index, tag: tag.to_string() })
}

/// Adds a weapon and what hangs on it, on a tag of the player's upper part or by itself.
fn add_weapon(
    bundle: &Bundle,
    files: &WeaponFiles,
    tag: Option<&str>,
    parts: &mut Vec<Part>,
    report: &mut Report,
) -> Result<()> {
    let mut levels = open_alone(bundle, &files.main, report)?;
    if tag.is_some() {
        // The game shows its frame 0.
        levels[0].clips.clear();
    }
    name_info(&mut levels[0], "weapon");
    let hand = tag.and_then(|_| parts.iter().position(|part| part.name == PARTS[UPPER]));
    let hung = tag.and_then(|tag| mount(parts, PARTS[UPPER], tag, &files.main, report));
    parts.push(Part::new("weapon", levels, hung));
    for (name, path) in [("barrel", &files.barrel), ("flash", &files.flash)] {
        let Some(path) = path else { continue };
        let mut levels = match open_alone(bundle, path, report) {
            Ok(levels) => levels,
            Err(error) => {
                report.push(error);
                continue;
            }
        };
        name_info(&mut levels[0], name);
        // In the game it lights up for a moment with each shot (CG_AddPlayerWeapon, MUZZLE_FLASH_TIME).
        let fired_by = hand.filter(|_| name == "flash");
        if name == "flash" {
            let choices: &[&str] = if fired_by.is_some() { &["with shots", "on", "off"] } else { &["on", "off"] };
            for level in &mut levels {
                let meshes: Vec<usize> = (0..level.meshes.len()).collect();
                let choice = |&name: &&str| BodyChoice {
                    name: name.to_string(),
                    meshes: if name == "off" { Vec::new() } else { meshes.clone() },
                };
                let choices = choices.iter().map(choice).collect();
                level.bodygroups.push(BodyGroup { name: "flash".to_string(), choices });
            }
        }
        let hung = mount(parts, "weapon", &format!("tag_{name}"), path, report);
        let mut part = Part::new(name, levels, hung);
        part.fired_by = fired_by;
        parts.push(part);
    }
    Ok(())
}

fn name_info(model: &mut Model, part: &str) {
    for (key, _) in &mut model.info {
        *key = format!("{part}.{key}");
    }
}

/// A model by itself with its levels of detail, skins and, where no player stands beside it, an animation.cfg.
fn open_alone(bundle: &Bundle, path: &str, report: &mut Report) -> Result<Vec<Model>> {
    let mut levels = read_levels(bundle, path, report)?;
    let skins = model_skins(bundle, path);
    let skins = skins.iter().map(|(name, path)| (name.as_str(), Some(path.as_str()))).collect();
    dress(&mut levels, bundle, path, skins, report);
    let folder = bundle::folder(path);
    let part = part_of(bundle::stem(path));
    let is_moved = match part {
        Some(part) => part != HEAD,
        None => PARTS.iter().all(|part| bundle.find(&format!("{folder}{part}.md3")).is_none()),
    };
    if is_moved && let Some(cfg_path) = bundle.find(&format!("{folder}animation.cfg")) {
        let cfg = read_cfg(bundle, cfg_path, report);
        if !cfg.clips.is_empty() {
            let moves: fn(&str) -> bool = part.map_or(|_| true, moves_part);
            add_clips(&mut levels[0], path, cfg_path, &cfg, moves, report);
        }
        levels[0].info.extend(cfg.info);
    }
    Ok(levels)
}

/// The model at `path` and its coarser levels. A level that cannot be read is left out.
fn read_levels(bundle: &Bundle, path: &str, report: &mut Report) -> Result<Vec<Model>> {
    let mut levels = vec![read_model(bundle, path, report)?];
    let mut files = Vec::new();
    for path in lods(bundle, path) {
        match read_model(bundle, &path, report) {
            Ok(level) => {
                levels.push(level);
                files.push(Info::Text(path));
            }
            Err(error) => report.push(error),
        }
    }
    if !files.is_empty() {
        levels[0].info.push(("lods".to_string(), Info::List(files)));
    }
    Ok(levels)
}

fn read_model(bundle: &Bundle, path: &str, report: &mut Report) -> Result<Model> {
    let missing = || Diagnostic::error(At::File, "a file", "none").in_file(path);
    let bytes = bundle.read(path).ok_or_else(missing)?;
    let Content::Model(mut model) = format::read(&md3::MD3, path, &bytes, report)? else { return Err(missing()) };
    model::finish::finish(&mut model);
    model::check::check(&model).map_err(|error| error.in_file(path))?;
    Ok(model)
}

fn read_cfg(bundle: &Bundle, path: &str, report: &mut Report) -> AnimationCfg {
    let mut findings = Report::default();
    let cfg = bundle.read(path).map(|bytes| animation_cfg::read(&bytes, &mut findings)).unwrap_or_default();
    report.append(path, findings);
    cfg
}

/// Which clips of animation.cfg move a part.
fn moves_part(part: usize) -> fn(&str) -> bool {
    match part {
        LOWER => |clip| clip.starts_with("BOTH_") || clip.starts_with("LEGS_"),
        UPPER => |clip| clip.starts_with("BOTH_") || clip.starts_with("TORSO_"),
        _ => |_| false,
    }
}

/// Puts the clips of animation.cfg that move it on a model in place of its own.
fn add_clips(
    model: &mut Model,
    path: &str,
    cfg_path: &str,
    cfg: &AnimationCfg,
    moves: fn(&str) -> bool,
    report: &mut Report,
) {
    let frames = model.key_frames();
    let own = cfg.clips.iter().filter(|clip| moves(&clip.name));
    model.clips = own.map(|clip| Clip { source: cfg_path.to_string(), ..clip.clone() }).collect();
    let last = |clip: &Clip| match clip.motion {
        Motion::Keys(range) => range.first + clip.frames - 1,
        _ => 0,
    };
    let beyond: Vec<_> = model.clips.iter().filter(|clip| last(clip) >= frames).collect();
    if let Some(first) = beyond.first() {
        let (clips, model) = (beyond.len(), bundle::file_name(path));
        let found = match clips {
            1 => format!("{} up to frame {}", first.name, last(first)),
            _ => format!("{} up to frame {} and {} more clips", first.name, last(first), clips - 1),
        };
        let finding = Diagnostic::warning(At::File, format!("clips within the {frames} frames of {model}"), found);
        report.push(
            finding
                .engine("Quake III draws frame 0 where there is none, and leaves tags at the last")
                .in_file(cfg_path),
        );
    }
}

/// Adds a variant for each skin, in place of those that choose among the surfaces' own shaders. A skin without a file for this
/// part wears the default one's, or else the model's own shaders.
fn dress(levels: &mut [Model], bundle: &Bundle, path: &str, skins: Vec<(&str, Option<&str>)>, report: &mut Report) {
    let default = skins.iter().find(|(name, _)| *name == "default").and_then(|(_, file)| *file);
    if skins.is_empty() {
        return;
    }
    levels.iter_mut().for_each(|level| level.variants.clear());
    for (name, file) in skins {
        let entries = file.or(default).map(|file| {
            let mut findings = Report::default();
            let entries = bundle.read(file).map(|bytes| skin::read(&bytes, &mut findings)).unwrap_or_default();
            // The default that stands in for another was reported as itself.
            if file_is_own(file, name, default) {
                report.append(file, findings);
            }
            entries
        });
        if file.is_none() {
            let missing = Diagnostic::warning(At::File, format!("a skin `{name}` for this part"), "none");
            report.push(missing.engine("Quake III falls back to the player's default skin").in_file(path));
        }
        for (level, model) in levels.iter_mut().enumerate() {
            let variant = match &entries {
                Some(entries) => {
                    let (variant, unmatched) = wear(model, name, entries);
                    if let (0, Some(file), [_, ..]) = (level, file, unmatched.as_slice()) {
                        let found = format!("none for {}", unmatched.join(", "));
                        let finding = Diagnostic::warning(At::File, "a line for every surface", found);
                        report.push(finding.engine("Quake III shows its default image there").in_file(file));
                    }
                    variant
                }
                None => Variant {
                    name: name.to_string(),
                    materials: model.meshes.iter().map(|mesh| Some(mesh.material)).collect(),
                },
            };
            model.variants.push(variant);
        }
    }
}

fn file_is_own(file: &str, name: &str, default: Option<&str>) -> bool {
    name == "default" || default != Some(file)
}

/// The variant that a skin makes of a model, and the surfaces that the skin does not name: they wear the default material, the
/// one without a name.
fn wear(model: &mut Model, name: &str, entries: &[skin::SkinEntry]) -> (Variant, Vec<String>) {
    let mut unmatched = Vec::new();
    let mut materials = Vec::with_capacity(model.meshes.len());
    for mesh in &model.meshes {
        let shader = match entries.iter().find(|entry| entry.surface == mesh.name) {
            Some(entry) => entry.shader.as_str(),
            None => {
                unmatched.push(format!("`{}`", mesh.name));
                ""
            }
        };
        let known = model.materials.iter().position(|material| material.name == shader);
        materials.push(Some(known.unwrap_or_else(|| {
            model.materials.push(Material::plain(shader, None));
            model.materials.len() - 1
        })));
    }
    (Variant { name: name.to_string(), materials }, unmatched)
}
