//! What Quake III tests of models, players, skins and shaders, and what it shows otherwise than they say
//! (ioq3 code/renderergl1/tr_model.c, tr_mesh.c, tr_image.c, tr_shader.c, code/renderercommon/tr_image_tga.c,
//! code/cgame/cg_players.c, code/qcommon/qfiles.h).

mod shaders;

use std::collections::{HashMap, HashSet};

use super::Engine::Quake3;
use super::facts::Kind;
use super::facts::md3::{Md3, game_path};
use super::facts::skin::Skin;
use super::{Facts, Find, Found, Place, Rule, Severity, Subject, alike};
use crate::model::Motion;
use crate::open::quake3::PARTS;

use Severity::{Changes, Notes, Refuses, Warns};

const CFG: &str = "animation.cfg";

pub const RULES: &[Rule] = &[
    Quake3.rule(
        "quake3-md3-extension",
        Refuses,
        "",
        "Models are told by their extensions; for any other the game looks for .iqm, .mdr and .md3 of that name (RE_RegisterModel).",
        "Name the file .md3.",
        Find::Look(extension),
    ),
    Quake3.rule(
        "quake3-md3-ident",
        Refuses,
        "R_RegisterMD3: unknown fileid for %s",
        "An .md3 begins with IDP3.",
        "Export as MD3; another format does not become one by its name.",
        Find::Look(ident),
    ),
    Quake3.rule(
        "quake3-md3-version",
        Refuses,
        "R_LoadMD3: %s has wrong version (%i should be 15)",
        "Version 15 is the only one (MD3_VERSION).",
        "Export as MD3 version 15.",
        Find::Look(version),
    ),
    Quake3.rule(
        "quake3-md3-no-frames",
        Refuses,
        "R_LoadMD3: %s has no frames",
        "A model has at least one frame.",
        "Export at least one frame.",
        Find::Look(no_frames),
    ),
    Quake3.rule(
        "quake3-md3-vertices",
        Refuses,
        "R_LoadMD3: %s has more than 999 verts on %s (%i).",
        "A surface has fewer than 1000 vertices (SHADER_MAX_VERTEXES); corners with other texture coordinates or normals count \
         anew. The game of 1.32 loads 1000, and ends when it draws them.",
        "Split the surface, or weld vertices along seams that need none.",
        Find::Look(vertices),
    ),
    Quake3.rule(
        "quake3-md3-triangles",
        Refuses,
        "R_LoadMD3: %s has more than 1999 triangles on %s (%i).",
        "Three times the triangles must stay below 6000 (SHADER_MAX_INDEXES).",
        "Split the surface.",
        Find::Look(triangles),
    ),
    Quake3.rule(
        "quake3-md3-offsets",
        Refuses,
        "",
        "Offsets are followed wherever they lead: the game reads what is not the file's, and mostly crashes.",
        "Export again; the file is damaged or was cut short.",
        Find::Look(offsets),
    ),
    Quake3.rule(
        "quake3-md3-end",
        Changes,
        "",
        "ofsEnd bytes are copied and no others: a larger number copies foreign memory, a smaller one leaves lists behind.",
        "Write the file's size into ofsEnd.",
        Find::Look(end),
    ),
    Quake3.rule(
        "quake3-md3-surface-frames",
        Changes,
        "",
        "The header's number of frames holds for all surfaces: of one that has fewer, foreign memory is drawn.",
        "Export all surfaces over the same frames.",
        Find::Look(surface_frames),
    ),
    Quake3.rule(
        "quake3-md3-triangle-index",
        Changes,
        "",
        "Corners are not tested: one that is no vertex is drawn wherever memory says.",
        "Renumber the triangles after vertices were removed.",
        Find::Look(triangle_index),
    ),
    Quake3.rule(
        "quake3-md3-format-limits",
        Warns,
        "",
        "The format's own limits (qfiles.h: 1024 frames, 16 tags, 32 surfaces, 4096 vertices, 8192 triangles) are not tested by \
         the game, but by its tools.",
        "Stay within the limits where tools or other engines are to read the file.",
        Find::Look(format_limits),
    ),
    Quake3.rule(
        "quake3-md3-surface-names",
        Changes,
        "",
        "Names are made lower case, and a name whose last but one character is `_` loses the last two (`h_head_1` is `h_head`): \
         surfaces that end up with one name cannot be dressed apart.",
        "Give surfaces names that differ before a trailing `_x`.",
        Find::Look(surface_names),
    ),
    Quake3.rule(
        "quake3-md3-bounds",
        Changes,
        "",
        "What lies outside the frame's box is not looked at when the game decides whether the model is in sight: it vanishes at \
         the edge of the screen (R_CullModel).",
        "Export again with boxes worked out for each frame.",
        Find::Look(bounds),
    ),
    Quake3.rule(
        "quake3-md3-tag-axes",
        Notes,
        "",
        "Each axis of a tag is made one long: a scaled tag does not scale what hangs on it (R_LerpTag).",
        "Apply the scale of the tag before exporting, and scale the part itself.",
        Find::Look(tag_axes),
    ),
    Quake3.rule(
        "quake3-md3-tag-missing",
        Changes,
        "",
        "Tags are looked up by name in each frame: in one that lacks it, what hangs on it stands at the model's origin (R_GetTag).",
        "Give every frame the same tags.",
        Find::Look(tag_missing),
    ),
    Quake3.rule(
        "quake3-md3-no-shader",
        Changes,
        "",
        "A surface without a shader, or with one without a name, shows the default image unless a skin dresses it.",
        "Name a shader or an image.",
        Find::Look(no_shader),
    ),
    Quake3.rule(
        "quake3-md3-shader-path",
        Changes,
        "",
        "The file system opens no path with `..` or `::` in it, nor one with a drive: the default image is shown \
         (FS_FOpenFileRead).",
        "Name images from the game's folder on: models/players/name/skin.tga.",
        Find::Look(shader_path),
    ),
    Quake3.rule(
        "quake3-md3-path-length",
        Refuses,
        "Model name exceeds MAX_QPATH",
        "A model's path from the game's folder on has at most 63 characters (RE_RegisterModel).",
        "Shorten folder and file names.",
        Find::Look(path_length),
    ),
    Quake3.rule(
        "quake3-md3-lod",
        Changes,
        "",
        "Levels are loaded from the coarsest on, and the first that fails ends it: the coarser ones stand in for the finer \
         (R_RegisterMD3).",
        "Mend the level, or remove it.",
        Find::Look(lod),
    ),
    Quake3.rule(
        "quake3-md3-lod-frames",
        Changes,
        "",
        "Frames are held against the finest level's number alone: of a coarser one with fewer, foreign memory is drawn.",
        "Export all levels over the same frames.",
        Find::Look(lod_frames),
    ),
    Quake3.rule(
        "quake3-md3-lod-unused",
        Notes,
        "",
        "The game looks for x_1.md3 and x_2.md3 only (MD3_MAX_LODS is 3, the model itself counted).",
        "Remove the file, or make it level 2.",
        Find::Look(lod_unused),
    ),
    Quake3.rule(
        "quake3-player-part",
        Refuses,
        "Failed to load model file %s",
        "A player is lower.md3, upper.md3 and head.md3; without one of them the game takes its default model.",
        "Add the part that is missing.",
        Find::Look(player_part),
    ),
    Quake3.rule(
        "quake3-player-tag",
        Changes,
        "",
        "The upper part hangs on tag_torso of the lower, head and weapon on tag_head and tag_weapon of the upper; without its tag \
         a part stands at the other's origin (CG_PositionRotatedEntityOnTag).",
        "Add the tag, by exactly this name.",
        Find::Look(player_tag),
    ),
    Quake3.rule(
        "quake3-player-cfg",
        Refuses,
        "Failed to load animation file %s",
        "A player needs an animation.cfg beside its parts.",
        "Write one; the rows of another player show the order.",
        Find::Look(player_cfg),
    ),
    Quake3.rule(
        "quake3-cfg-too-long",
        Refuses,
        "File %s too long",
        "An animation.cfg has at most 19998 bytes (CG_ParseAnimationFile).",
        "Shorten the comments.",
        Find::Said(CFG, &["too long"]),
    ),
    Quake3.rule(
        "quake3-cfg-rows",
        Refuses,
        "Error parsing animation file: %s",
        "The first 25 animations must all be there, four numbers each.",
        "Add the rows that are missing, in the game's order.",
        Find::Said(CFG, &["Error parsing animation file"]),
    ),
    Quake3.rule(
        "quake3-cfg-token",
        Warns,
        "unknown token '%s' in %s",
        "Before the numbers come `footsteps`, `headoffset`, `sex`, `fixedlegs` and `fixedtorso` and nothing else; the game goes on.",
        "Remove the word, or make it a comment.",
        Find::Said(CFG, &["unknown token"]),
    ),
    Quake3.rule(
        "quake3-cfg-footsteps",
        Warns,
        "Bad footsteps parm in %s: %s",
        "Footsteps are default, normal, boot, flesh, mech or energy.",
        "Use one of these.",
        Find::Said(CFG, &["Bad footsteps parm"]),
    ),
    Quake3.rule(
        "quake3-cfg-number",
        Changes,
        "",
        "C's atoi and atof take what they can read and 0 for the rest, so that a word among the rows becomes a number.",
        "Write whole numbers, frames a second as a decimal number.",
        Find::Said(CFG, &["reads it as"]),
    ),
    Quake3.rule(
        "quake3-cfg-frames",
        Changes,
        "R_AddMD3Surfaces: no such frame %d to %d for '%s'",
        "Of a frame that the model does not have, frame 0 is drawn, and the developer console alone says so.",
        "Export the missing frames, or correct the row. Legs count without the frames that only the torso has.",
        Find::Look(cfg_frames),
    ),
    Quake3.rule(
        "quake3-cfg-leg-offset",
        Changes,
        "",
        "The legs' first frames count on from the torso's: LEGS_WALKCR - TORSO_GESTURE is taken off them. What comes out below 0 \
         shows frame 0.",
        "Let the rows for the legs follow those for the torso.",
        Find::Said(CFG, &["instead of those before it"]),
    ),
    Quake3.rule(
        "quake3-cfg-no-frames",
        Changes,
        "",
        "A row without frames shows the frame before its first (CG_RunLerpFrame).",
        "Give the row at least one frame.",
        Find::Said(CFG, &["shows the frame before the first"]),
    ),
    Quake3.rule(
        "quake3-cfg-loop",
        Changes,
        "",
        "After the end the last loopFrames frames repeat; more of them than there are reach into what stands before the clip.",
        "Make loopFrames at most numFrames; 0 holds the last frame.",
        Find::Said(CFG, &["frames outside the clip", "frames from before the clip"]),
    ),
    Quake3.rule(
        "quake3-cfg-rate",
        Changes,
        "",
        "Below 0 frames a second the clip's clock runs backwards.",
        "Write the frames a second; a negative numFrames plays a clip backwards.",
        Find::Said(CFG, &["clock for the clip runs backwards"]),
    ),
    Quake3.rule(
        "quake3-cfg-rate-zero",
        Changes,
        "",
        "Of 0 frames a second the game makes 1.",
        "Write the frames a second; a row of one frame holds still.",
        Find::Said(CFG, &["plays it at 1 frame a second"]),
    ),
    Quake3.rule(
        "quake3-cfg-extra",
        Notes,
        "",
        "Reading stops after 31 animations.",
        "Remove the rest, unless a mod reads it.",
        Find::Said(CFG, &["stops reading here"]),
    ),
    Quake3.rule(
        "quake3-skin-default",
        Refuses,
        "Leg skin load failure: %s",
        "A player needs lower_default.skin, upper_default.skin and head_default.skin, or the like of its heads' folder.",
        "Add the skin that is missing.",
        Find::Look(skin_default),
    ),
    Quake3.rule(
        "quake3-skin-incomplete",
        Changes,
        "Torso skin load failure: %s",
        "A skin of which one part is missing does not load, and the game takes its default player.",
        "Add the file of the part that is missing.",
        Find::Look(skin_incomplete),
    ),
    Quake3.rule(
        "quake3-skin-empty",
        Refuses,
        "Head skin load failure: %s",
        "A skin without a line for a surface is none (RE_RegisterSkin: never let a skin have 0 shaders).",
        "Name at least one surface.",
        Find::Look(skin_empty),
    ),
    Quake3.rule(
        "quake3-skin-surface",
        Changes,
        "",
        "A surface that the skin does not name shows the default image, whatever shader the model gives it.",
        "Add a line for it: surface,shader.",
        Find::Look(skin_surface),
    ),
    Quake3.rule(
        "quake3-skin-unused",
        Notes,
        "",
        "A line for a surface that the model does not have changes nothing.",
        "Remove it, or correct the name.",
        Find::Look(skin_unused),
    ),
    Quake3.rule(
        "quake3-skin-blank",
        Changes,
        "",
        "A word ends at a blank: with one before the comma, the comma is taken for the shader and the shader for the next surface \
         (CommaParse).",
        "Remove the blank before the comma.",
        Find::Look(skin_blank),
    ),
    Quake3.rule(
        "quake3-skin-no-shader",
        Changes,
        "",
        "Where no shader stands behind the comma, the next line's surface is taken for it, and that line is lost.",
        "Name a shader; `nodraw` hides a surface where the game has such a shader.",
        Find::Look(skin_no_shader),
    ),
    Quake3.rule(
        "quake3-skin-shader-blank",
        Changes,
        "",
        "A shader's name ends at a blank; the rest is taken for the next surface.",
        "Use names without blanks.",
        Find::Look(skin_shader_blank),
    ),
    Quake3.rule(
        "quake3-skin-32",
        Warns,
        "",
        "A skin has room for 32 surfaces, and more are written past it.",
        "Join surfaces that wear the same image.",
        Find::Look(skin_32),
    )
    .since("1.32 and before; ioquake3 and later take 256"),
    Quake3.rule(
        "quake3-skin-256",
        Changes,
        "WARNING: Ignoring excess surfaces (found %d, max is 256) in skin '%s'!",
        "Lines beyond the 256th are left out.",
        "Join surfaces that wear the same image.",
        Find::Look(skin_256),
    )
    .since("ioquake3"),
    Quake3.rule(
        "quake3-shader-braces",
        Changes,
        "WARNING: Ignoring shader file %s. Shader \"%s\" on line %d missing closing brace",
        "One brace too few or too many makes the game leave out the whole script (ScanAndLoadShaderFiles).",
        "Balance the braces.",
        Find::Look(shaders::braces),
    )
    .since("ioquake3"),
    Quake3.rule(
        "quake3-shader-parameter",
        Changes,
        "WARNING: unknown general shader parameter '%s' in '%s'",
        "A word that is no parameter of a shader ends its reading, and the default image is shown (ParseShader).",
        "Correct or remove the word.",
        Find::Look(shaders::parameter),
    ),
    Quake3.rule(
        "quake3-shader-stage-parameter",
        Changes,
        "WARNING: unknown parameter '%s' in shader '%s'",
        "A word that is no parameter of a stage ends the reading of the whole shader, and the default image is shown (ParseStage).",
        "Correct or remove the word.",
        Find::Look(shaders::stage_parameter),
    ),
    Quake3.rule(
        "quake3-shader-stages",
        Changes,
        "WARNING: too many stages in shader %s (max is 8)",
        "A shader has at most 8 stages (MAX_SHADER_STAGES); 1.32 writes past them.",
        "Join stages.",
        Find::Look(shaders::stages),
    ),
    Quake3.rule(
        "quake3-shader-no-stages",
        Changes,
        "",
        "A shader without a stage counts as none, unless it is a sky or fog, and the default image is shown (ParseShader).",
        "Add a stage with a map.",
        Find::Look(shaders::no_stages),
    ),
    Quake3.rule(
        "quake3-tga-type",
        Refuses,
        "LoadTGA: Only type 2 (RGB), 3 (gray), and 10 (RGB) TGA images supported",
        "Images whose colours are in a map, and run-length grey ones, end the game with an error.",
        "Save with 24 or 32 bits a pixel.",
        Find::Look(tga_type),
    ),
    Quake3.rule(
        "quake3-tga-colormap",
        Refuses,
        "LoadTGA: colormaps not supported",
        "A colour map ends the game with an error, though the image does not use it.",
        "Save without a colour map.",
        Find::Look(tga_colormap),
    ),
    Quake3.rule(
        "quake3-tga-truncated",
        Refuses,
        "LoadTGA: file truncated (%s)",
        "An image with fewer bytes than its size asks for ends the game with an error.",
        "Save the image again; it was cut short.",
        Find::Look(tga_truncated),
    )
    .since("ioquake3; 1.32 takes what memory holds"),
    Quake3.rule(
        "quake3-tga-depth",
        Refuses,
        "LoadTGA: Only 32 or 24 bit images supported (no colormaps)",
        "Other depths end the game with an error.",
        "Save with 24 or 32 bits a pixel.",
        Find::Look(tga_depth),
    ),
    Quake3.rule(
        "quake3-tga-top-down",
        Changes,
        "WARNING: '%s' TGA file header declares top-down image, ignoring",
        "The rows are taken from the bottom up whatever the header says: the image stands on its head.",
        "Save with the origin at the bottom left.",
        Find::Look(tga_top_down),
    ),
];

fn extension(facts: &Facts, found: &mut Found) {
    let extension = crate::bundle::extension(&facts.path);
    if facts.kind == Kind::Md3 && extension != "md3" {
        found.add(Place::file(&facts.path), format!("`.{extension}`"));
    }
}

fn ident(facts: &Facts, found: &mut Found) {
    for file in facts.md3s.iter().filter(|file| file.level == 0 && !file.is_md3) {
        found.add(Place::byte(&file.path, 0), "another kind of file");
    }
}

/// The finest levels that are at least an .md3 of version 15.
fn readable<'a>(facts: &'a Facts) -> impl Iterator<Item = &'a Md3> {
    facts.md3s.iter().filter(|file| file.level == 0 && file.is_md3 && file.version == 15)
}

fn version(facts: &Facts, found: &mut Found) {
    alike::md3_version(facts.md3s.iter().filter(|file| file.level == 0 && file.is_md3), found);
}

fn no_frames(facts: &Facts, found: &mut Found) {
    alike::no_frames(readable(facts), found);
}

fn vertices(facts: &Facts, found: &mut Found) {
    alike::vertices(readable(facts), 999, found);
}

fn triangles(facts: &Facts, found: &mut Found) {
    alike::triangles(readable(facts), 1999, found);
}

fn offsets(facts: &Facts, found: &mut Found) {
    alike::offsets(readable(facts), found);
}

fn end(facts: &Facts, found: &mut Found) {
    alike::end(readable(facts), found);
}

fn surface_frames(facts: &Facts, found: &mut Found) {
    alike::surface_frames(readable(facts), found);
}

fn triangle_index(facts: &Facts, found: &mut Found) {
    alike::triangle_index(readable(facts), found);
}

fn format_limits(facts: &Facts, found: &mut Found) {
    for file in readable(facts) {
        let counts = [
            ("frames", file.frames, 1024, 76),
            ("tags", file.tag_count, 16, 80),
            ("surfaces", file.surface_count, 32, 84),
        ];
        for (what, count, most, field) in counts.into_iter().filter(|&(_, count, most, _)| count > most) {
            found.add(Place::byte(&file.path, field), format!("{count} {what}, the format's limit is {most}"));
        }
    }
}

fn surface_names(facts: &Facts, found: &mut Found) {
    for file in readable(facts) {
        let mut first: HashMap<String, usize> = HashMap::new();
        for (index, surface) in file.surfaces.iter().enumerate() {
            let name = surface.skin_name();
            match first.get(&name) {
                Some(&before) if file.surfaces[before].name != surface.name => {
                    let before = &file.surfaces[before].name;
                    found.add(
                        file.surface_place(index, 4),
                        format!("`{}` and `{before}` both become `{name}`", surface.name),
                    );
                }
                Some(_) => {}
                None => _ = first.insert(name, index),
            }
        }
    }
}

/// Units by which something may stick out of its box: positions are rounded to 1/64, boxes often are not made anew.
const OUTSIDE: f32 = 1.0;

fn bounds(facts: &Facts, found: &mut Found) {
    for file in readable(facts) {
        for (index, surface) in file.surfaces.iter().enumerate() {
            let out = surface.extents.iter().zip(&file.boxes).map(|(&[min, max], frame)| {
                let out = (frame.min - min).max(max - frame.max).max_element();
                if out.is_finite() { out } else { 0.0 }
            });
            let worst = out.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
            if let Some((frame, out)) = worst.filter(|&(_, out)| out > OUTSIDE) {
                let place = file.surface_place(index, 0).at(crate::report::At::Byte(file.boxes[frame].offset as u64));
                found.add(place, format!("`{}` sticks out of frame {frame}'s box by {out:.1} units", surface.name));
            }
        }
    }
}

fn tag_axes(facts: &Facts, found: &mut Found) {
    for file in readable(facts) {
        let mut told = HashSet::new();
        for (frame, tags) in file.tags.iter().enumerate() {
            for tag in tags {
                let length = |axis: &glam::Vec3| (axis.length() - 1.0).abs();
                let worst = tag.axes.iter().max_by(|a, b| length(a).total_cmp(&length(b)));
                if let Some(axis) = worst.filter(|axis| length(axis) > 0.05)
                    && told.insert(&tag.name)
                {
                    let subject = Subject::Tag { part: file.part.clone(), tag: tag.name.clone() };
                    let place =
                        Place::byte(&file.path, tag.offset + 76).inside(format!("frame[{frame}]")).subject(subject);
                    found.add(place, format!("an axis of `{}` is {:.2} long", tag.name, axis.length()));
                }
            }
        }
    }
}

fn tag_missing(facts: &Facts, found: &mut Found) {
    for file in readable(facts) {
        let Some(first) = file.tags.first() else { continue };
        for tag in first {
            let lacks = |tags: &Vec<super::facts::md3::Tag>| !tags.iter().any(|other| other.name == tag.name);
            if let Some(frame) = file.tags.iter().position(lacks) {
                let subject = Subject::Tag { part: file.part.clone(), tag: tag.name.clone() };
                let offset = file.tags[frame].first().map_or(0, |tag| tag.offset);
                let place = Place::byte(&file.path, offset).inside(format!("frame[{frame}]")).subject(subject);
                found.add(place, format!("no tag `{}` in frame {frame}", tag.name));
            }
        }
    }
}

fn no_shader(facts: &Facts, found: &mut Found) {
    // Skins dress a player's surfaces; what they leave bare has a rule of its own.
    for file in readable(facts).filter(|file| facts.skins.is_empty() || !PARTS.contains(&file.part.as_str())) {
        for (index, surface) in file.surfaces.iter().enumerate() {
            if surface.shaders.first().is_none_or(String::is_empty) {
                found.add(file.surface_place(index, 76), format!("`{}` has no shader", surface.name));
            }
        }
    }
}

/// Every name by which a surface or a skin asks for a shader, with its place, each once.
fn shader_names(facts: &Facts) -> Vec<(String, Place)> {
    let mut names = Vec::new();
    let mut seen = HashSet::new();
    for file in readable(facts) {
        // Where skins dress the part, its own names are never asked for.
        if facts.skins.iter().any(|skin| skin.part == file.part) {
            continue;
        }
        for (index, surface) in file.surfaces.iter().enumerate() {
            for name in surface.shaders.iter().filter(|name| !name.is_empty()) {
                if seen.insert(name.to_lowercase()) {
                    names.push((name.clone(), file.surface_place(index, 92)));
                }
            }
        }
    }
    for skin in &facts.skins {
        for line in skin.lines.iter().filter(|line| !line.is_tag()) {
            let name = line.shader_name();
            if !name.is_empty() && seen.insert(name.to_lowercase()) {
                names.push((name.to_string(), Place::line(&skin.path, line.number)));
            }
        }
    }
    names
}

fn shader_path(facts: &Facts, found: &mut Found) {
    for (name, place) in shader_names(facts) {
        let has_drive = name.as_bytes().get(1) == Some(&b':');
        if name.contains("..") || name.contains("::") || has_drive {
            found.add(place, format!("`{name}`"));
        }
    }
}

fn path_length(facts: &Facts, found: &mut Found) {
    for file in facts.md3s.iter().filter(|file| file.level == 0) {
        // Of a file that was given without its folders, only the game's own part is known.
        let path = game_path(&file.path).unwrap_or_else(|| crate::bundle::file_name(&file.path));
        if path.len() >= 64 {
            found.add(Place::file(&file.path), format!("{} characters", path.len()));
        }
    }
}

fn lod(facts: &Facts, found: &mut Found) {
    for file in facts.md3s.iter().filter(|file| file.level == 1 || file.level == 2) {
        let too_large = file.surfaces.iter().any(|surface| surface.vertices >= 1000 || surface.triangles >= 2000);
        if !file.is_md3 || file.version != 15 || file.frames < 1 || too_large {
            found.add(Place::file(&file.path), format!("level {} does not load", file.level));
        }
    }
}

fn lod_frames(facts: &Facts, found: &mut Found) {
    for file in facts.md3s.iter().filter(|file| file.level == 1 || file.level == 2) {
        let finest = readable(facts).find(|finest| finest.part == file.part);
        if let Some(finest) = finest.filter(|finest| file.frames > 0 && file.frames < finest.frames) {
            let message = format!("{} frames where the model has {}", file.frames, finest.frames);
            found.add(Place::byte(&file.path, 76), message);
        }
    }
}

fn lod_unused(facts: &Facts, found: &mut Found) {
    for file in facts.md3s.iter().filter(|file| file.level > 2) {
        found.add(Place::file(&file.path), format!("level {}", file.level));
    }
}

fn player_part(facts: &Facts, found: &mut Found) {
    let Some(player) = &facts.player else { return };
    for (part, _) in PARTS.iter().zip(&player.parts).filter(|(_, file)| file.is_none()) {
        found.add(Place::file(&format!("{}{part}.md3", player.folder)), format!("no {part}.md3"));
    }
}

fn player_tag(facts: &Facts, found: &mut Found) {
    if facts.player.is_none() {
        return;
    }
    for (part, tag) in [("lower", "tag_torso"), ("upper", "tag_head"), ("upper", "tag_weapon")] {
        let file = readable(facts).find(|file| file.part == part && file.frames > 0);
        // Offsets that lead astray are told of already.
        let Some(file) = file.filter(|file| file.faults.is_empty()) else { continue };
        if !file.tags.first().is_some_and(|tags| tags.iter().any(|other| other.name == tag)) {
            found.add(Place::byte(&file.path, 80), format!("no `{tag}` in {part}"));
        }
    }
}

fn player_cfg(facts: &Facts, found: &mut Found) {
    if let Some(player) = facts.player.as_ref().filter(|player| player.animation_cfg.is_none()) {
        found.add(Place::file(&format!("{}animation.cfg", player.folder)), "no animation.cfg");
    }
}

fn cfg_frames(facts: &Facts, found: &mut Found) {
    let Some((player, cfg)) = facts.player.as_ref().zip(facts.animation_cfg.as_ref()) else { return };
    let path = player.animation_cfg.as_deref().unwrap_or_default();
    for (part, starts) in [("lower", ["BOTH_", "LEGS_"]), ("upper", ["BOTH_", "TORSO_"])] {
        let Some(file) = readable(facts).find(|file| file.part == part && file.frames > 0) else { continue };
        for clip in cfg.clips.iter().filter(|clip| starts.iter().any(|start| clip.name.starts_with(start))) {
            let Motion::Keys(range) = clip.motion else { continue };
            let last = range.first + clip.frames - 1;
            if last >= file.frames as usize {
                let place = Place::file(path).inside(&clip.name).subject(Subject::Clip(clip.name.clone()));
                let message =
                    format!("{} shows frames {} to {last}, {part}.md3 has {}", clip.name, range.first, file.frames);
                found.add(place, message);
            }
        }
    }
}

fn skin_default(facts: &Facts, found: &mut Found) {
    let Some(player) = &facts.player else { return };
    let default = player.skins.iter().find(|set| set.name == "default");
    for (index, part) in PARTS.iter().enumerate() {
        let has_part = player.parts[index].is_some();
        if has_part && default.is_none_or(|set| set.parts[index].is_none()) {
            let path = format!("{}{part}_default.skin", player.folder);
            found.add(Place::file(&path), format!("no {part}_default.skin"));
        }
    }
}

fn skin_incomplete(facts: &Facts, found: &mut Found) {
    let Some(player) = &facts.player else { return };
    for set in player.skins.iter().filter(|set| set.name != "default") {
        for (index, part) in PARTS.iter().enumerate() {
            if player.parts[index].is_some() && set.parts[index].is_none() {
                let beside = set.parts.iter().flatten().next().map_or("", String::as_str);
                found.add(Place::file(beside), format!("no {part}_{}.skin", set.name));
            }
        }
    }
}

fn skin_empty(facts: &Facts, found: &mut Found) {
    for skin in facts.skins.iter().filter(|skin| skin.lines.iter().all(|line| line.is_tag())) {
        found.add(Place::file(&skin.path), "no line for a surface");
    }
}

/// A skin, and the finest level of the part that it dresses.
fn dressed<'a>(facts: &'a Facts) -> impl Iterator<Item = (&'a Skin, &'a Md3)> {
    facts.skins.iter().filter_map(|skin| Some((skin, readable(facts).find(|file| file.part == skin.part)?)))
}

fn skin_surface(facts: &Facts, found: &mut Found) {
    for (skin, file) in dressed(facts).filter(|(skin, _)| skin.lines.iter().any(|line| !line.is_tag())) {
        for (index, surface) in file.surfaces.iter().enumerate() {
            let name = surface.skin_name();
            if !skin.lines.iter().any(|line| line.surface_name() == name) {
                let subject = Subject::Mesh { part: file.part.clone(), mesh: index };
                found.add(Place::file(&skin.path).subject(subject), format!("no line for `{name}`"));
            }
        }
    }
}

fn skin_unused(facts: &Facts, found: &mut Found) {
    for (skin, file) in dressed(facts) {
        for line in skin.lines.iter().filter(|line| !line.is_tag() && line.shader.is_some()) {
            let name = line.surface_name();
            if !file.surfaces.iter().any(|surface| surface.skin_name() == name) {
                found.add(Place::line(&skin.path, line.number), format!("no surface `{name}`"));
            }
        }
    }
}

/// The lines of skins that the game would take for a surface.
fn skin_lines<'a>(facts: &'a Facts) -> impl Iterator<Item = (&'a Skin, &'a super::facts::skin::Line)> {
    facts.skins.iter().flat_map(|skin| skin.lines.iter().filter(|line| !line.is_tag()).map(move |line| (skin, line)))
}

fn skin_blank(facts: &Facts, found: &mut Found) {
    for (skin, line) in skin_lines(facts) {
        if line.shader.is_some() && line.surface.contains([' ', '\t']) && !line.surface.starts_with('"') {
            found.add(Place::line(&skin.path, line.number), format!("`{},`", line.surface));
        }
    }
}

fn skin_no_shader(facts: &Facts, found: &mut Found) {
    for (skin, line) in skin_lines(facts).filter(|(_, line)| line.shader_name().is_empty()) {
        found.add(Place::line(&skin.path, line.number), format!("nothing behind `{}`", line.surface.trim()));
    }
}

fn skin_shader_blank(facts: &Facts, found: &mut Found) {
    for (skin, line) in skin_lines(facts) {
        let raw = line.shader.as_deref().unwrap_or_default().trim();
        // A comment behind it is none of its words.
        let name = raw.split("//").next().unwrap_or_default().trim_end();
        if !raw.starts_with('"') && name.contains([' ', '\t']) && !name.contains("/*") {
            found.add(Place::line(&skin.path, line.number), format!("`{name}`"));
        }
    }
}

fn skin_32(facts: &Facts, found: &mut Found) {
    skin_count(facts, found, 32);
}

fn skin_256(facts: &Facts, found: &mut Found) {
    skin_count(facts, found, 256);
}

fn skin_count(facts: &Facts, found: &mut Found, most: usize) {
    for skin in &facts.skins {
        let surfaces: Vec<_> = skin.lines.iter().filter(|line| !line.is_tag()).collect();
        if let Some(line) = surfaces.get(most) {
            found.add(Place::line(&skin.path, line.number), format!("{} surfaces", surfaces.len()));
        }
    }
}

/// The head of a .tga file, and how long the file is.
struct Tga {
    path: String,
    head: [u8; 18],
    length: usize,
}

/// The .tga files that the shaders' names stand for, where no script says otherwise.
fn images(facts: &Facts) -> Vec<Tga> {
    let mut images: Vec<Tga> = Vec::new();
    for (name, _) in shader_names(facts) {
        let stem = shaders::without_extension(&name);
        if shaders::find(facts, stem).is_some() {
            continue;
        }
        let extension = crate::bundle::extension(&name);
        // The extension that is named comes first, then .tga.
        let order: &[&str] = if extension == "tga" { &["tga"] } else { &["tga", "jpg", "jpeg"] };
        let near = crate::bundle::folder(&facts.path);
        let Some(path) = facts.bundle.resolve(&name, near, order).path else { continue };
        if crate::bundle::extension(&path) == "tga"
            && !images.iter().any(|known| known.path == path)
            && let Some(bytes) = facts.bundle.read(&path)
            && let Some(&head) = bytes.first_chunk()
        {
            images.push(Tga { path, head, length: bytes.len() });
        }
    }
    images
}

fn tga_type(facts: &Facts, found: &mut Found) {
    for Tga { path, head, .. } in images(facts) {
        if ![2, 3, 10].contains(&head[2]) {
            found.add(Place::byte(&path, 2), format!("type {}", head[2]));
        }
    }
}

fn tga_colormap(facts: &Facts, found: &mut Found) {
    for Tga { path, head, .. } in images(facts) {
        if [2, 3, 10].contains(&head[2]) && head[1] != 0 {
            found.add(Place::byte(&path, 1), format!("colour map {}", head[1]));
        }
    }
}

fn tga_truncated(facts: &Facts, found: &mut Found) {
    for Tga { path, head, length } in images(facts) {
        let size = |at: usize| u64::from(u16::from_le_bytes([head[at], head[at + 1]]));
        let pixels = size(12) * size(14) * u64::from(head[16]) / 8;
        let end = 18 + u64::from(head[0]) + pixels;
        if [2, 3].contains(&head[2]) && head[1] == 0 && end > length as u64 {
            found.add(Place::file(&path), format!("{length} bytes of {end}"));
        }
    }
}

fn tga_depth(facts: &Facts, found: &mut Found) {
    for Tga { path, head, .. } in images(facts) {
        if [2, 10].contains(&head[2]) && head[1] == 0 && ![24, 32].contains(&head[16]) {
            found.add(Place::byte(&path, 16), format!("{} bits a pixel", head[16]));
        }
    }
}

fn tga_top_down(facts: &Facts, found: &mut Found) {
    for Tga { path, head, .. } in images(facts) {
        if [2, 3, 10].contains(&head[2]) && head[17] & 0x20 != 0 {
            found.add(Place::byte(&path, 17), "the origin is at the top");
        }
    }
}
