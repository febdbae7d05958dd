//! What Half-Life's `studiomdl` tests of .smd, .qc and .bmp files, and what it makes otherwise than they say
//! (ValveSoftware/halflife utils/studiomdl/studiomdl.c, utils/common/lbmlib.c, scriplib.c, engine/studio.h).

mod images;
mod script;

use std::collections::HashSet;

use glam::{EulerRot, Quat, Vec3};

use super::Engine::GoldSrc;
use super::facts::smd::{Block, Node, Oddity, Role, Smd, What};
use super::{Facts, Find, Found, Place, Rule, Severity, Subject, alike};
use crate::model::Transform;

use Severity::{Changes, Notes, Refuses, Warns};

pub const RULES: &[Rule] = &[
    GoldSrc.rule(
        "goldsrc-smd-version",
        Refuses,
        "bad version",
        "`version 1` is the only one; a file without the line is read.",
        "Export for version 1 (GoldSrc).",
        Find::Look(version),
    ),
    GoldSrc.rule(
        "goldsrc-smd-bone-index",
        Refuses,
        "bogus bone index",
        "The first field of a corner is the number of a node (Grab_Triangles).",
        "Renumber the corners after bones were removed.",
        Find::Look(bone_index),
    ),
    GoldSrc.rule(
        "goldsrc-smd-corner",
        Refuses,
        "%s: error on line %d: %s",
        "A corner is nine numbers: bone, position, normal, u and v.",
        "Write all nine; what stands behind them is not read.",
        Find::Look(corner),
    ),
    GoldSrc.rule(
        "goldsrc-smd-node-last",
        Changes,
        "",
        "The number of bones is taken from the last line of the nodes: those with greater numbers are unknown then (Grab_Nodes).",
        "List the nodes by their numbers.",
        Find::Look(node_last),
    ),
    GoldSrc.rule(
        "goldsrc-smd-node-line",
        Changes,
        "",
        "The first line that is no `number \"name\" parent` ends the nodes, be it empty, a comment, or a node with an empty name.",
        "Remove the line, or put the name in quotes.",
        Find::Look(node_line),
    ),
    GoldSrc.rule(
        "goldsrc-smd-node-number",
        Refuses,
        "",
        "Numbers run from 0 to 511 (MAXSTUDIOSRCBONES) and are not tested: others are written outside the list.",
        "Number the nodes from 0.",
        Find::Look(node_number),
    ),
    GoldSrc.rule(
        "goldsrc-smd-node-twice",
        Changes,
        "",
        "Of two nodes with one number, the later takes the place of the first.",
        "Give each node a number of its own.",
        Find::Look(node_twice),
    ),
    GoldSrc.rule(
        "goldsrc-smd-name-twice",
        Changes,
        "",
        "Bones are found by their names, so that two of one name become one (findNode).",
        "Give each node a name of its own.",
        Find::Look(name_twice),
    ),
    GoldSrc.rule(
        "goldsrc-smd-name-length",
        Changes,
        "",
        "A bone's name has room for 31 characters, and a longer one is found by nobody: its children become roots, and sequences do \
         not move it (findNode).",
        "Shorten the name.",
        Find::Look(name_length),
    ),
    GoldSrc.rule(
        "goldsrc-smd-parent-order",
        Changes,
        "",
        "Bones are posed in the order of their numbers: one before its parent is put beside a place that is not yet known, and \
         becomes a root (Build_Reference, SimplifyModel).",
        "Number parents before their children.",
        Find::Look(parent_order),
    ),
    GoldSrc.rule(
        "goldsrc-smd-parent",
        Changes,
        "",
        "A parent that no node has is not tested; its place is what memory holds.",
        "Give the number of a node, or -1 for a root.",
        Find::Look(parent),
    ),
    GoldSrc.rule(
        "goldsrc-smd-empty-line",
        Refuses,
        "unexpected EOF: %s",
        "Behind a block of a sequence's file an empty line leaves the last command standing, and another such block is read \
         (Option_Animation): behind the skeleton up to the end of the file; behind the nodes the skeleton is lost, and the compiler \
         crashes.",
        "Remove the empty line.",
        Find::Look(empty_line),
    ),
    GoldSrc.rule(
        "goldsrc-smd-reference-empty-line",
        Changes,
        "",
        "Behind a block of a reference an empty line leaves the last command standing (Grab_Studio): behind the nodes the \
         skeleton's line ends a list of one bone, behind the skeleton corners are taken for poses, and no triangle is left.",
        "Remove the empty line.",
        Find::Look(reference_empty_line),
    ),
    GoldSrc.rule(
        "goldsrc-smd-stray-pose",
        Changes,
        "",
        "Among a sequence's poses an empty line is another `time`, with the number that was read last: the poses behind it go to \
         that frame (Grab_Animation).",
        "Remove the empty line.",
        Find::Look(stray_pose),
    ),
    GoldSrc.rule(
        "goldsrc-smd-comment",
        Refuses,
        "%s: error on line %d: %s",
        "There are no comments: among triangles one is a material, and the line behind it no corner (Grab_Triangles).",
        "Remove the comment.",
        Find::Look(comment),
    ),
    GoldSrc.rule(
        "goldsrc-smd-unknown-command",
        Refuses,
        "unknown studio command : %s",
        "Behind a line that is no command, such as a comment, all up to the next `end` of a sequence's file is skipped \
         (Option_Animation). Without its nodes or its skeleton the compiler crashes.",
        "Remove the line.",
        Find::Look(unknown_command),
    ),
    GoldSrc.rule(
        "goldsrc-smd-end",
        Refuses,
        "unknown graphics type: \"%s\"",
        "Behind the triangles stands `end` and a line end and nothing else; with a blank behind it, or at the end of the file \
         without a line end, `end` is the name of a material (and `%s not found` where $cdtexture says where to look).",
        "End the file with `end` and a line end.",
        Find::Look(end),
    ),
    GoldSrc.rule(
        "goldsrc-smd-no-end",
        Refuses,
        "unexpected EOF: %s",
        "The nodes and a sequence's skeleton are closed by `end`. Of nodes it says `Unexpected EOF at line %d`.",
        "Add `end`; the file may have been cut short.",
        Find::Look(no_end),
    ),
    GoldSrc.rule(
        "goldsrc-smd-pose-line",
        Refuses,
        "Error(%d) : %s",
        "In a sequence every line of the skeleton is `time n`, `end` or a bone's number and six numbers; a comment is none \
         (Grab_Animation).",
        "Correct or remove the line.",
        Find::Look(pose_line),
    ),
    GoldSrc.rule(
        "goldsrc-smd-reference-pose-line",
        Changes,
        "",
        "In a reference, a line of the skeleton that is no pose is passed over, and the bone stays where it is (Grab_Skeleton).",
        "Correct or remove the line.",
        Find::Look(reference_pose_line),
    ),
    GoldSrc.rule(
        "goldsrc-smd-vertices",
        Refuses,
        "too many vertices in model: \"%s\"",
        "A body has at most 2048 vertices (MAXSTUDIOVERTS): different places, in hundredths of a unit, or bones.",
        "Split the body in two $body commands.",
        Find::Look(vertices),
    ),
    GoldSrc.rule(
        "goldsrc-smd-normals",
        Refuses,
        "too many normals in model: \"%s\"",
        "A body has at most 2048 normals: those of one bone and texture that differ by more than 2 degrees.",
        "Smooth the mesh, or split the body.",
        Find::Look(normals),
    ),
    GoldSrc.rule(
        "goldsrc-smd-triangles",
        Refuses,
        "",
        "A body has room for 20000 triangles (MAXSTUDIOTRIANGLES), and more are written past it.",
        "Split the body, or reduce it.",
        Find::Look(triangles),
    ),
    GoldSrc.rule(
        "goldsrc-smd-bones",
        Refuses,
        "Too many bones used in model, used %d, max 128",
        "Fewer than 128 bones may be used, that is hold a vertex or a bone that does: 127 in all (SimplifyModel).",
        "Bind vertices to fewer bones; bones that nothing hangs on do not count.",
        Find::Look(bones),
    ),
    GoldSrc.rule(
        "goldsrc-smd-textures",
        Refuses,
        "",
        "A model has room for 100 textures, and more are written past it (MAXSTUDIOSKINS).",
        "Join images.",
        Find::Look(textures),
    ),
    GoldSrc.rule(
        "goldsrc-smd-weights",
        Changes,
        "",
        "A vertex follows one bone, that of the first field; the links behind it are not read.",
        "Bind each vertex to one bone.",
        Find::Look(weights),
    ),
    GoldSrc.rule(
        "goldsrc-smd-uv",
        Changes,
        "",
        "Texture coordinates are cut to -1 to 2; tiling within that is baked into the texture (TextureCoordRanges).",
        "Move the coordinates into 0 to 1, and tile by more vertices.",
        Find::Look(uv),
    ),
    GoldSrc.rule(
        "goldsrc-smd-no-material",
        Changes,
        "",
        "A triangle whose material is an empty line is left out.",
        "Give the triangle a material.",
        Find::Look(no_material),
    ),
    GoldSrc.rule(
        "goldsrc-smd-texture-type",
        Refuses,
        "unknown graphics type: \"%s\"",
        "A material is the name of an image, and ends in .bmp (Grab_Skin); where $cdtexture has no such file, it says `%s not found`.",
        "Name the image, extension included.",
        Find::Look(images::texture_type),
    ),
    GoldSrc.rule(
        "goldsrc-smd-texture-name",
        Refuses,
        "",
        "A material's line has room for 63 characters with its line end, and is copied whole (texturename[64]).",
        "Shorten the name.",
        Find::Look(images::texture_name),
    ),
    GoldSrc.rule(
        "goldsrc-smd-model-parent",
        Refuses,
        "illegal parent bone replacement in model \"%s\"",
        "A bone of several bodies has the same parent in all of them (SimplifyModel).",
        "Export all bodies from the same armature.",
        Find::Look(model_parent),
    ),
    GoldSrc.rule(
        "goldsrc-smd-sequence-parent",
        Refuses,
        "illegal parent bone replacement in sequence \"%s\"",
        "A bone that a sequence shares with the model has the same parent in both.",
        "Export the sequence from the model's armature.",
        Find::Look(sequence_parent),
    ),
    GoldSrc.rule(
        "goldsrc-smd-sequence-bones",
        Changes,
        "",
        "Bones are found by name, and case counts: a sequence that shares none with the model moves nothing.",
        "Use the model's bone names, or $renamebone.",
        Find::Look(sequence_bones),
    ),
    GoldSrc.rule(
        "goldsrc-smd-sequence-gap",
        Changes,
        "",
        "A bone without a pose in a frame is put at its parent, unturned: what the game shows there is a spike (Grab_Animation).",
        "Export every bone in every frame.",
        Find::Look(sequence_gap),
    ),
    GoldSrc.rule(
        "goldsrc-smd-sequence-length",
        Changes,
        "",
        "Frames run from 0 to 2047; others are left out (MAXSTUDIOANIMATIONS).",
        "Split the sequence, or number its frames from 0.",
        Find::Look(sequence_length),
    ),
    GoldSrc.rule(
        "goldsrc-smd-sequence-empty",
        Refuses,
        "no animation frames: \"%s\"",
        "A sequence has at least one frame.",
        "Export at least one frame.",
        Find::Look(sequence_empty),
    ),
    GoldSrc.rule(
        "goldsrc-bmp-missing",
        Refuses,
        "%s not found",
        "Every texture, those of $texturegroup too, must be in one of the folders of $cdtexture; without $cdtexture in $cd, and it \
         says `error -1 reading BMP image`. Asked where others of the model are there.",
        "Add the image.",
        Find::Look(images::missing),
    ),
    GoldSrc.rule(
        "goldsrc-bmp-header",
        Refuses,
        "invalid BMP file header",
        "The header is Windows' of 40 bytes, with one plane, and has 0 in the reserved fields (else: error -2000; LoadBMP).",
        "Save as a Windows bitmap without colour space information.",
        Find::Look(images::header),
    ),
    GoldSrc.rule(
        "goldsrc-bmp-depth",
        Refuses,
        "BMP file not 8 bit",
        "Only images of 256 colours are read.",
        "Reduce to 256 colours, with a palette.",
        Find::Look(images::depth),
    ),
    GoldSrc.rule(
        "goldsrc-bmp-compressed",
        Refuses,
        "invalid BMP compression type",
        "Run-length compressed images are not read.",
        "Save without compression.",
        Find::Look(images::compressed),
    ),
    GoldSrc.rule(
        "goldsrc-bmp-short",
        Refuses,
        "error -7 reading BMP image \"%s\"",
        "As many bytes are read behind the palette as the header says that the file has.",
        "Save the image again; it was cut short, or its size in the header is wrong.",
        Find::Look(images::short),
    ),
    GoldSrc.rule(
        "goldsrc-bmp-gap",
        Changes,
        "",
        "The pixels are read right behind the palette, whatever the header says of where they begin: the image is shifted.",
        "Save without a gap behind the palette.",
        Find::Look(images::gap),
    ),
    GoldSrc.rule(
        "goldsrc-bmp-large",
        Refuses,
        "texture too large",
        "The part of an image that triangles use has at most 306432 pixels, the width rounded up to a multiple of 4 \
         (ResizeTexture: 640 * 480 bytes with its palette).",
        "Make the image smaller, or tile less.",
        Find::Look(images::large),
    ),
    GoldSrc.rule(
        "goldsrc-bmp-512",
        Warns,
        "",
        "Beyond 512 pixels a side the game scales the texture down, and `studiomdl -p` cuts it off there (MAX_DIMENSION).",
        "Make the image at most 512 pixels wide and high.",
        Find::Look(images::over_512),
    ),
    GoldSrc.rule(
        "goldsrc-bmp-16",
        Notes,
        "",
        "Widths are padded to a multiple of 4, and the game scales to a power of two; sides that are multiples of 16 lose least.",
        "Make both sides multiples of 16.",
        Find::Look(images::not_16),
    ),
    GoldSrc.rule(
        "goldsrc-qc-command",
        Refuses,
        "bad command %s",
        "Commands are known in small letters only, and Source's are not known (ParseScript).",
        "Write the command in small letters, or leave it out.",
        Find::Look(script::command),
    ),
    GoldSrc.rule(
        "goldsrc-qc-two-cd",
        Refuses,
        "Two $cd in one model",
        "There is one $cd in a script and all that it includes.",
        "Give paths from one folder.",
        Find::Look(script::two_cd),
    ),
    GoldSrc.rule(
        "goldsrc-qc-missing",
        Refuses,
        "%s doesn't exist",
        "Every file that the script names must be there.",
        "Add the file, or correct its name or $cd.",
        Find::Look(script::missing),
    ),
    GoldSrc.rule(
        "goldsrc-qc-extension",
        Refuses,
        "%s doesn't exist",
        "`.smd` is put behind every name of a body or sequence, also where it stands there already (Grab_Studio).",
        "Leave out the extension.",
        Find::Look(script::extension),
    ),
    GoldSrc.rule(
        "goldsrc-qc-incomplete",
        Refuses,
        "Line %i is incomplete",
        "What belongs to a command stands on its line.",
        "Complete the line.",
        Find::Said("QC", &["Line is incomplete"]),
    ),
    GoldSrc.rule(
        "goldsrc-qc-no-animation",
        Refuses,
        "no animations found",
        "A $sequence names at least one file.",
        "Name the .smd.",
        Find::Said("QC", &["no animations found"]),
    ),
    GoldSrc.rule(
        "goldsrc-qc-brace",
        Refuses,
        "missing }",
        "The braces of a $sequence are balanced.",
        "Add or remove the brace.",
        Find::Said("QC", &["missing }", "missing {"]),
    ),
    GoldSrc.rule(
        "goldsrc-qc-rendermode",
        Refuses,
        "invalid rendermode at $texrendermode, choices are : additive masked",
        "Only `additive` and `masked` are known; later compilers know more.",
        "Use one of these.",
        Find::Look(script::render_mode),
    ),
    GoldSrc.rule(
        "goldsrc-qc-texturegroup",
        Refuses,
        "texturegroups must follow model loading",
        "A $texturegroup stands after the first $body.",
        "Move it down.",
        Find::Look(script::texture_group),
    ),
    GoldSrc.rule(
        "goldsrc-qc-attachment",
        Refuses,
        "unknown attachment link '%s'",
        "An $attachment names a bone that is used, that is holds a vertex or a bone that does.",
        "Correct the name, or bind a vertex to the bone.",
        Find::Look(script::attachment),
    ),
    GoldSrc.rule(
        "goldsrc-qc-hitbox",
        Refuses,
        "cannot find bone %s for bbox",
        "An $hbox names a bone that is used.",
        "Correct the name.",
        Find::Look(script::hitbox),
    ),
    GoldSrc.rule(
        "goldsrc-qc-hitgroup",
        Refuses,
        "cannot find bone %s for hitgroup %d",
        "An $hgroup names a bone that is used.",
        "Correct the name.",
        Find::Look(script::hitgroup),
    ),
    GoldSrc.rule(
        "goldsrc-qc-controller",
        Refuses,
        "unknown bonecontroller link '%s'",
        "A $controller names a bone that is used.",
        "Correct the name.",
        Find::Look(script::controller),
    ),
    GoldSrc.rule(
        "goldsrc-qc-event",
        Changes,
        "sequence %s has event (%d) after last frame (%d)",
        "An event before the first or after the last frame is moved to that frame.",
        "Give a frame of the sequence.",
        Find::Look(script::event),
    ),
    GoldSrc.rule(
        "goldsrc-qc-models",
        Refuses,
        "",
        "There is room for 32 bodies, blanks counted (MAXSTUDIOMODELS), and more are written past it.",
        "Use fewer bodies.",
        Find::Look(script::models),
    ),
];

/// What Half-Life's compiler reads: it knows no shapes.
fn all<'a>(facts: &'a Facts) -> impl Iterator<Item = &'a Smd> {
    facts.smds.iter().filter(|smd| smd.role != Role::Shapes)
}

fn node_place(smd: &Smd, node: &Node) -> Place {
    smd.place(Block::Nodes, node.line).subject(Subject::Joint(node.name.clone()))
}

fn version(facts: &Facts, found: &mut Found) {
    alike::smd_version(all(facts), 1..=1, found);
}

/// The first of these lines ends the nodes.
fn ends_nodes(what: What) -> bool {
    matches!(what, What::BadNode | What::EmptyLineIn(Block::Nodes) | What::CommentIn(Block::Nodes))
}

/// As Half-Life counts the bones: one more than the last number.
fn bone_count(smd: &Smd) -> i64 {
    // After an empty line the nodes are read once more, and `skeleton` is no node.
    if smd.odd(|what| what == What::EmptyLine(Some(Block::Nodes))).next().is_some() {
        return 1;
    }
    smd.nodes_before(ends_nodes).last().map_or(1, |node| node.number + 1)
}

fn bone_index(facts: &Facts, found: &mut Found) {
    alike::bone_index(facts.of(Role::Reference), bone_count, found);
}

fn corner(facts: &Facts, found: &mut Found) {
    alike::odd_lines(facts.of(Role::Reference), Block::Triangles, |what| what == What::BadCorner, found);
}

fn node_last(facts: &Facts, found: &mut Found) {
    for smd in all(facts) {
        let nodes = smd.nodes_before(ends_nodes);
        let Some(last) = nodes.last() else { continue };
        if let Some(first) = nodes.iter().find(|node| node.number > last.number) {
            let message = format!("number {} where the last line's is {}", first.number, last.number);
            found.add(node_place(smd, first), message);
        }
    }
}

fn node_line(facts: &Facts, found: &mut Found) {
    alike::node_line(all(facts), ends_nodes, found);
}

fn node_number(facts: &Facts, found: &mut Found) {
    for smd in all(facts) {
        for node in smd.nodes.iter().filter(|node| !(0..512).contains(&node.number)) {
            found.add(node_place(smd, node), format!("number {}", node.number));
        }
    }
}

fn node_twice(facts: &Facts, found: &mut Found) {
    for smd in all(facts) {
        let mut seen = HashSet::new();
        for node in smd.nodes.iter().filter(|node| !seen.insert(node.number)) {
            found.add(node_place(smd, node), format!("number {} again", node.number));
        }
    }
}

fn name_twice(facts: &Facts, found: &mut Found) {
    for smd in all(facts) {
        let mut seen = HashSet::new();
        for node in smd.nodes.iter().filter(|node| !seen.insert(&node.name)) {
            found.add(node_place(smd, node), format!("`{}` again", node.name));
        }
    }
}

fn name_length(facts: &Facts, found: &mut Found) {
    for smd in all(facts) {
        for node in smd.nodes.iter().filter(|node| renamed(facts, &node.name).len() > 31) {
            found.add(node_place(smd, node), format!("`{}` has {} characters", node.name, node.name.len()));
        }
    }
}

fn parent_order(facts: &Facts, found: &mut Found) {
    for smd in facts.of(Role::Reference) {
        for node in smd
            .nodes
            .iter()
            .filter(|node| node.parent != -1 && node.parent >= node.number && smd.node(node.parent).is_some())
        {
            found.add(
                node_place(smd, node),
                format!("`{}` is {} and its parent {}", node.name, node.number, node.parent),
            );
        }
    }
}

fn parent(facts: &Facts, found: &mut Found) {
    for smd in all(facts) {
        for node in smd.nodes.iter().filter(|node| node.parent != -1 && smd.node(node.parent).is_none()) {
            found.add(node_place(smd, node), format!("parent {} of `{}`", node.parent, node.name));
        }
    }
}

/// Behind the nodes or the skeleton; behind the triangles there is nothing left to spoil.
fn empty_lines(facts: &Facts, role: Role, found: &mut Found) {
    for smd in facts.of(role) {
        let is = |what| matches!(what, What::EmptyLine(Some(Block::Nodes | Block::Skeleton)));
        // A reference's skeleton, read anew at the end of the file, finds nothing and is left.
        let hurts = |line| role == Role::Animation || smd.materials.first().is_some_and(|(first, _)| *first > line);
        if let Some(oddity) = smd.odd(is).next().filter(|oddity| hurts(oddity.line)) {
            found.add(Place::line(&smd.path, oddity.line), "an empty line between blocks");
        }
    }
}

fn empty_line(facts: &Facts, found: &mut Found) {
    empty_lines(facts, Role::Animation, found);
}

fn reference_empty_line(facts: &Facts, found: &mut Found) {
    empty_lines(facts, Role::Reference, found);
}

fn stray_pose(facts: &Facts, found: &mut Found) {
    alike::stray_poses(facts.of(Role::Animation), found);
}

fn comment(facts: &Facts, found: &mut Found) {
    alike::odd_lines(
        facts.of(Role::Reference),
        Block::Triangles,
        |what| what == What::CommentIn(Block::Triangles),
        found,
    );
}

fn unknown_command(facts: &Facts, found: &mut Found) {
    for smd in facts.of(Role::Animation) {
        let is = |what| matches!(what, What::UnknownCommand(None | Some(Block::Nodes)));
        // What ends the nodes right before their `end` leaves that for a command.
        let leaves_end = |oddity: &&Oddity| smd.nodes_end.is_some_and(|end| end == oddity.line + 1);
        let in_nodes = smd.odd(ends_nodes).next().filter(leaves_end);
        if let Some(oddity) = smd.odd(is).next().or(in_nodes) {
            found.add(Place::line(&smd.path, oddity.line), oddity.quoted());
        }
    }
}

fn end(facts: &Facts, found: &mut Found) {
    for smd in facts.of(Role::Reference) {
        for oddity in smd.odd(|what| {
            matches!(what, What::BlanksAfterEnd(Block::Triangles) | What::EndWithoutLineEnd(Block::Triangles))
        }) {
            let message = match oddity.what {
                What::EndWithoutLineEnd(_) => "`end` without a line end",
                _ => "blanks around `end`",
            };
            found.add(Place::line(&smd.path, oddity.line), message);
        }
    }
}

fn no_end(facts: &Facts, found: &mut Found) {
    for smd in all(facts) {
        for oddity in smd.odd(|what| matches!(what, What::NoEnd(Block::Nodes | Block::Skeleton))) {
            if smd.role == Role::Animation || oddity.what == What::NoEnd(Block::Nodes) {
                found.add(Place::line(&smd.path, oddity.line), "the file ends before `end`");
            }
        }
    }
}

fn pose_line(facts: &Facts, found: &mut Found) {
    alike::odd_lines(
        facts.of(Role::Animation),
        Block::Skeleton,
        |what| matches!(what, What::BadRow(Block::Skeleton) | What::CommentIn(Block::Skeleton)),
        found,
    );
}

fn reference_pose_line(facts: &Facts, found: &mut Found) {
    alike::odd_lines(facts.of(Role::Reference), Block::Skeleton, |what| what == What::BadRow(Block::Skeleton), found);
}

/// `model_from_joint` of each number up to 511, as the compiler poses them: in the order of their numbers, in the last pose given.
fn reference_pose(smd: &Smd) -> Vec<Transform> {
    let count = smd.nodes.iter().map(|node| node.number).max().map_or(0, |most| most.clamp(0, 511) as usize + 1);
    let mut local = vec![Transform::IDENTITY; count];
    for &(bone, [px, py, pz, rx, ry, rz]) in smd.times.iter().flat_map(|time| &time.rows) {
        if let Some(local) = usize::try_from(bone).ok().and_then(|bone| local.get_mut(bone)) {
            *local = Transform::new(Quat::from_euler(EulerRot::ZYX, rz, ry, rx), Vec3::new(px, py, pz));
        }
    }
    let mut posed = vec![Transform::IDENTITY; count];
    for number in 0..count {
        let parent = smd.node(number as i64).map_or(-1, |node| node.parent);
        let model_from_parent = usize::try_from(parent).ok().and_then(|parent| posed.get(parent).copied());
        posed[number] = model_from_parent.unwrap_or(Transform::IDENTITY) * local[number];
    }
    posed
}

/// What a body's `scale` makes of its vertices.
fn scale_of(facts: &Facts, smd: &Smd) -> f32 {
    let bodies = facts.script.iter().flat_map(|script| &script.parsed.bodies);
    let mut studios = bodies.flat_map(|body| body.choices.iter().flatten());
    let stem = crate::bundle::stem(&smd.path);
    studios
        .find(|studio| crate::bundle::stem(&studio.file.name).eq_ignore_ascii_case(stem))
        .map_or(1.0, |studio| studio.placement.scale)
}

/// Room for vertices, and for normals (MAXSTUDIOVERTS).
const MOST_VERTICES: usize = 2048;

fn vertices(facts: &Facts, found: &mut Found) {
    for smd in facts.of(Role::Reference) {
        let pose = reference_pose(smd);
        let scale = scale_of(facts, smd);
        let mut seen = HashSet::new();
        for corner in counted(smd) {
            let Some(model_from_bone) = usize::try_from(corner.bone).ok().and_then(|bone| pose.get(bone)) else {
                continue;
            };
            let place = model_from_bone.rotation.conjugate() * (corner.position - model_from_bone.translation) * scale;
            // To two digits, as the compiler cuts them.
            let cut = |value: f32| (value * 100.0) as i32;
            seen.insert((cut(place.x), cut(place.y), cut(place.z), corner.bone));
        }
        if seen.len() > MOST_VERTICES {
            found.add(Place::file(&smd.path), format!("{} vertices", seen.len()));
        }
    }
}

/// The corners that make it into the model: not those of triangles without a material.
fn counted(smd: &Smd) -> impl Iterator<Item = &super::facts::smd::Corner> {
    let triangles = smd.materials.iter().zip(smd.corners.chunks(3));
    triangles.filter(|((_, name), _)| !name.is_empty()).flat_map(|(_, corners)| corners)
}

fn normals(facts: &Facts, found: &mut Found) {
    let blend = 2.0_f32.to_radians().cos();
    for smd in facts.of(Role::Reference) {
        let pose = reference_pose(smd);
        let mut known: Vec<(Vec3, i64, String)> = Vec::new();
        let triangles = smd.materials.iter().zip(smd.corners.chunks(3)).filter(|((_, name), _)| !name.is_empty());
        'corners: for ((_, material), corners) in triangles {
            let material = material.to_lowercase();
            for corner in corners {
                let Some(model_from_bone) = usize::try_from(corner.bone).ok().and_then(|bone| pose.get(bone)) else {
                    continue;
                };
                let normal = (model_from_bone.rotation.conjugate() * corner.normal).normalize_or_zero();
                let is_known = |(other, bone, of): &(Vec3, i64, String)| {
                    other.dot(normal) > blend && *bone == corner.bone && *of == material
                };
                if !known.iter().any(is_known) {
                    known.push((normal, corner.bone, material.clone()));
                    if known.len() > MOST_VERTICES {
                        found.add(Place::line(&smd.path, corner.line), "the 2049th normal");
                        break 'corners;
                    }
                }
            }
        }
    }
}

fn triangles(facts: &Facts, found: &mut Found) {
    for smd in facts.of(Role::Reference) {
        let count = smd.materials.iter().filter(|(_, name)| !name.is_empty()).count();
        if count > 20_000 {
            found.add(Place::file(&smd.path), format!("{count} triangles"));
        }
    }
}

/// A bone of the model: its name and its parent's, after $renamebone.
struct Bone {
    name: String,
    parent: Option<String>,
}

/// What a script calls a bone, after $renamebone.
fn renamed<'a>(facts: &'a Facts, name: &'a str) -> &'a str {
    let renames = facts.script.iter().flat_map(|script| &script.parsed.renamed_joints);
    renames.into_iter().find(|(from, _)| from == name).map_or(name, |(_, to)| to)
}

/// The bone of a name. Names have room for 31 characters in the table, so that a longer one is never found (findNode).
fn find_bone<'a>(table: &'a [Bone], name: &str) -> Option<&'a Bone> {
    table.iter().find(|bone| bone.name == name && name.len() < 32)
}

/// The bones that the compiler keeps, as the first body has them, and every node whose parent is another there (SimplifyModel).
fn bone_table<'a>(facts: &'a Facts) -> (Vec<Bone>, Vec<(&'a Smd, &'a Node)>) {
    let mut table: Vec<Bone> = Vec::new();
    let mut misfits = Vec::new();
    for smd in facts.of(Role::Reference) {
        for node in used_nodes(smd) {
            let name = renamed(facts, &node.name);
            let parent = smd.parent_name(node).map(|parent| renamed(facts, parent));
            let parent = parent.filter(|parent| find_bone(&table, parent).is_some());
            match find_bone(&table, name) {
                None => table.push(Bone { name: name.to_string(), parent: parent.map(str::to_string) }),
                Some(bone) if bone.parent.as_deref() != parent => misfits.push((smd, node)),
                Some(_) => {}
            }
        }
    }
    (table, misfits)
}

/// What Half-Life keeps of a file's nodes: those in a corner's first field, and all above them.
fn used_nodes(smd: &Smd) -> Vec<&Node> {
    smd.used_nodes(|corner, mark| mark(corner.bone))
}

fn bones(facts: &Facts, found: &mut Found) {
    // Without a script it is not said which files make one model.
    let count = match &facts.script {
        Some(_) => bone_table(facts).0.len(),
        None => facts.of(Role::Reference).map(|smd| used_nodes(smd).len()).max().unwrap_or(0),
    };
    if count >= 128 {
        found.add(Place::file(&facts.path), format!("{count} bones"));
    }
}

fn textures(facts: &Facts, found: &mut Found) {
    if facts.images.len() > 100 {
        found.add(Place::file(&facts.path), format!("{} textures", facts.images.len()));
    }
}

fn weights(facts: &Facts, found: &mut Found) {
    for smd in facts.of(Role::Reference) {
        let differs = |corner: &&super::facts::smd::Corner| {
            smd.links_of(corner).iter().any(|&(bone, weight)| weight > 0.0 && bone != corner.bone)
        };
        let count = smd.corners.iter().filter(differs).count();
        if let Some(first) = smd.corners.iter().find(differs) {
            let message = format!("{count} of {} corners hang on other bones too", smd.corners.len());
            found.add(smd.place(Block::Triangles, first.line), message);
        }
    }
}

fn uv(facts: &Facts, found: &mut Found) {
    for smd in facts.of(Role::Reference) {
        // A chrome texture's coordinates are not used.
        let triangles = smd.materials.iter().zip(smd.corners.chunks(3));
        let corners = triangles.filter(|((_, name), _)| !is_chrome(name)).flat_map(|(_, corners)| corners);
        let outside: Vec<_> = corners.filter(|corner| corner.uv.iter().any(|uv| !(-1.0..=2.0).contains(uv))).collect();
        if let Some(first) = outside.first() {
            let message =
                format!("{} of {} corners, such as {} {}", outside.len(), smd.corners.len(), first.uv[0], first.uv[1]);
            found.add(smd.place(Block::Triangles, first.line), message);
        }
    }
}

fn is_chrome(name: &str) -> bool {
    name.to_ascii_lowercase().contains("chrome")
}

fn no_material(facts: &Facts, found: &mut Found) {
    for smd in facts.of(Role::Reference) {
        for oddity in smd.odd(|what| what == What::EmptyMaterial) {
            found.add(smd.place(Block::Triangles, oddity.line), "an empty line");
        }
    }
}

fn model_parent(facts: &Facts, found: &mut Found) {
    let (table, misfits) = bone_table(facts);
    for (smd, node) in misfits {
        tell_parent(facts, smd, node, &table, found);
    }
}

fn tell_parent(facts: &Facts, smd: &Smd, node: &Node, table: &[Bone], found: &mut Found) {
    let name = renamed(facts, &node.name);
    let parent = smd.parent_name(node).map(|parent| renamed(facts, parent));
    let Some(bone) = find_bone(table, name) else { return };
    let say = |name: Option<&str>| name.map_or("no parent".to_string(), |name| format!("`{name}`"));
    let message = format!("`{name}` hangs on {}, in the model on {}", say(parent), say(bone.parent.as_deref()));
    found.add(node_place(smd, node), message);
}

fn sequence_parent(facts: &Facts, found: &mut Found) {
    let (table, _) = bone_table(facts);
    for smd in facts.of(Role::Animation) {
        let differs = |node: &&Node| {
            let bone = find_bone(&table, renamed(facts, &node.name));
            let parent = smd.parent_name(node).map(|parent| renamed(facts, parent));
            bone.is_some_and(|bone| bone.parent.as_deref() != parent)
        };
        for node in smd.nodes.iter().filter(differs) {
            tell_parent(facts, smd, node, &table, found);
        }
    }
}

fn sequence_bones(facts: &Facts, found: &mut Found) {
    let (table, _) = bone_table(facts);
    if table.is_empty() {
        return;
    }
    for smd in facts.of(Role::Animation).filter(|smd| !smd.nodes.is_empty()) {
        let is_known = |node: &Node| find_bone(&table, renamed(facts, &node.name)).is_some();
        if !smd.nodes.iter().any(is_known) {
            let names: Vec<String> = smd.nodes.iter().take(4).map(|node| format!("`{}`", node.name)).collect();
            found
                .add(Place::line(&smd.path, smd.nodes[0].line), format!("none of {} is the model's", names.join(", ")));
        }
    }
}

fn sequence_gap(facts: &Facts, found: &mut Found) {
    for smd in facts.of(Role::Animation) {
        for time in &smd.times {
            let posed: HashSet<i64> = time.rows.iter().map(|(bone, _)| *bone).collect();
            let missing: Vec<&Node> = smd.nodes.iter().filter(|node| !posed.contains(&node.number)).collect();
            if let Some(first) = missing.first() {
                let message =
                    format!("no pose for {} of {} bones at time {}", missing.len(), smd.nodes.len(), time.time);
                let subject = Subject::Joint(first.name.clone());
                found.add(smd.place(Block::Skeleton, time.line).subject(subject), message);
                break;
            }
        }
        // A time that is not there leaves all bones without a pose.
        if let Some(pair) = smd.times.windows(2).find(|pair| pair[1].time > pair[0].time + 1) {
            let message = format!("time {} follows {}", pair[1].time, pair[0].time);
            found.add(smd.place(Block::Skeleton, pair[1].line), message);
        }
    }
}

fn sequence_length(facts: &Facts, found: &mut Found) {
    for smd in facts.of(Role::Animation) {
        if let Some(time) = smd.times.iter().find(|time| !(0..2048).contains(&time.time)) {
            found.add(smd.place(Block::Skeleton, time.line), format!("time {}", time.time));
        }
    }
}

fn sequence_empty(facts: &Facts, found: &mut Found) {
    for smd in facts.of(Role::Animation).filter(|smd| smd.times.iter().all(|time| time.rows.is_empty())) {
        // A line that stops the compiler comes first.
        if smd.odd(|what| what == What::BadRow(Block::Skeleton)).next().is_none() {
            found.add(Place::file(&smd.path), "no frame with a pose");
        }
    }
}
