//! What Source's `studiomdl` tests of .smd, .vta and .qc files, and what it makes otherwise than they say. Its source is known from
//! public copies of several years that agree in these places (studiomdl.cpp, v1support.cpp, studio.h).

use std::collections::{BTreeSet, HashMap, HashSet};

use glam::Vec3;

use super::Engine::Source;
use super::facts::smd::{Block, Corner, Role, Smd, What};
use super::{Facts, Find, Found, Place, Rule, Severity, Subject, alike};

use Severity::{Changes, Notes, Refuses};

pub const RULES: &[Rule] = &[
    Source.rule(
        "source-smd-version",
        Refuses,
        "bad version",
        "Versions 1 to 3 are read (Load_SMD).",
        "Export for version 1.",
        Find::Look(version),
    )
    .since("1 to 3 in the newest compilers, 1 and 2 in that of the SDK 2013, 1 alone in those of 2004"),
    Source.rule(
        "source-smd-bone-index",
        Refuses,
        "bogus bone index",
        "The first field of a corner is the number of a node, even where links follow that replace it (ParseFaceData).",
        "Renumber the corners after bones were removed.",
        Find::Look(bone_index),
    ),
    Source.rule(
        "source-smd-corner",
        Changes,
        "",
        "A corner with fewer than nine numbers is passed over, and the triangle takes whatever vertex was there before.",
        "Write bone, position, normal, u and v.",
        Find::Look(corner),
    ),
    Source.rule(
        "source-smd-links",
        Refuses,
        "Bone ID %d not found",
        "As many pairs of bone and weight must follow as the tenth field says; of a lone bone it says `Bone weight %d not found`.",
        "Correct the number of links.",
        Find::Look(missing_links),
    )
    .since("compilers newer than the SDK 2013's, which takes what memory holds"),
    Source.rule(
        "source-smd-weights-3",
        Changes,
        "",
        "A vertex keeps the three bones that weigh most, made to add up to 1 (SortAndBalanceBones, MAXSTUDIOBONEWEIGHTS).",
        "Bind each vertex to at most three bones.",
        Find::Look(weights_3),
    ),
    Source.rule(
        "source-smd-weights-small",
        Notes,
        "",
        "Weights below a twentieth are dropped, and the others made to add up to 1.",
        "Nothing to mend, unless the loss is seen.",
        Find::Look(weights_small),
    ),
    Source.rule(
        "source-smd-weights-sum",
        Changes,
        "",
        "Weights are scaled until they add up to 1; what is missing does not go to the first field's bone.",
        "Normalise all weights before exporting.",
        Find::Look(weights_sum),
    ),
    Source.rule(
        "source-smd-vertices",
        Refuses,
        "too many indices in source: \"%s\"",
        "A file has at most 65536 vertices: corners that differ in place, texture coordinates, material or links, or by 2 degrees in \
         their normals (lookup_index, MAXSTUDIOVERTS).",
        "Split the file.",
        Find::Look(vertices),
    )
    .since("the SDK 2013 and before; newer compilers take 524288"),
    Source.rule(
        "source-smd-bones",
        Refuses,
        "Too many bones used in model, used %d, max 128",
        "Fewer than 128 bones may be used, that is hold a vertex or a bone that does: 127 in all.",
        "Bind vertices to fewer bones, or let $collapsebones join those that do not matter.",
        Find::Look(bones),
    )
    .since("the SDK 2013 and before; newer compilers take more"),
    Source.rule(
        "source-smd-materials",
        Refuses,
        "Too many materials used, max 32",
        "A model has at most 32 materials (MAXSTUDIOSKINS).",
        "Join materials.",
        Find::Look(materials),
    ).since("the SDK 2013 and before; newer compilers take more"),
    Source.rule(
        "source-smd-no-material",
        Changes,
        "",
        "A triangle whose material is an empty line is left out, as is one of `null.bmp`, `null.tga` or `debug/debugempty`.",
        "Give the triangle a material.",
        Find::Look(no_material),
    ),
    Source.rule(
        "source-smd-flat-triangle",
        Notes,
        "",
        "A triangle of which two corners are one vertex is left out.",
        "Nothing to mend.",
        Find::Look(flat_triangle),
    ),
    Source.rule(
        "source-smd-end",
        Refuses,
        "%s: error on g_szLine %d: %s",
        "Behind the triangles stands `end` and nothing else; with a blank behind it, it is the name of a material (IsEnd).",
        "Remove the blank.",
        Find::Look(end),
    ),
    Source.rule(
        "source-smd-no-end",
        Refuses,
        "unexpected EOF: %s",
        "The nodes, the skeleton and the vertex animation are closed by `end`.",
        "Add `end`; the file may have been cut short.",
        Find::Look(no_end),
    ),
    Source.rule(
        "source-smd-node-line",
        Changes,
        "",
        "The first line that is no `number \"name\" parent` ends the nodes (Grab_Nodes).",
        "Remove the line, or put the name in quotes.",
        Find::Look(node_line),
    ),
    Source.rule(
        "source-smd-pose-line",
        Refuses,
        "MdlError(%d) : %s",
        "Every line of the skeleton is `time n`, `end` or a bone's number and six numbers (Grab_Animation).",
        "Correct or remove the line.",
        Find::Look(pose_line),
    ),
    Source.rule(
        "source-smd-no-time",
        Refuses,
        "Missing frame start(%d) : %s",
        "A `time` stands before the first pose.",
        "Add `time 0`.",
        Find::Look(no_time),
    ),
    Source.rule(
        "source-smd-time-back",
        Refuses,
        "Frame MdlError(%d) : %s",
        "No time may lie before the first.",
        "Order the frames by their times.",
        Find::Look(time_back),
    ),
    Source.rule(
        "source-smd-time-gap",
        Refuses,
        "%s is missing frame %d",
        "From the first time to the last, each must be there.",
        "Number the times without a gap.",
        Find::Look(time_gap),
    ),
    Source.rule(
        "source-smd-pose-kept",
        Notes,
        "",
        "A bone without a pose in a frame keeps that of the frame before; without any it stands at its parent.",
        "Nothing to mend, if the bone should rest.",
        Find::Look(pose_kept),
    ),
    Source.rule(
        "source-smd-empty-line",
        Refuses,
        "%s is missing frame %d",
        "Among poses an empty line is another `time`, with the number that was read last, mostly a bone's: the frames up to it are \
         missing then. In a vertex animation it is the number of a vertex, and says `Frame MdlError(%d) : %s`.",
        "Remove the empty line.",
        Find::Look(empty_line),
    ),
    Source.rule(
        "source-smd-stray-pose",
        Changes,
        "",
        "Among poses an empty line is another `time`, with the number that was read last: where there is such a frame, the poses \
         behind the line go to it.",
        "Remove the empty line.",
        Find::Look(stray_pose),
    ),
    Source.rule(
        "source-smd-no-nodes",
        Refuses,
        "missing all bones in file '%s'",
        "Every file has nodes (Load_Source).",
        "Export the file with its armature.",
        Find::Look(no_nodes),
    ),
    Source.rule(
        "source-vta-line",
        Refuses,
        "MdlError(%d) : %s",
        "Every line of the vertex animation is `time n`, `end` or a vertex's number and six numbers (Grab_Vertexanimation).",
        "Correct or remove the line.",
        Find::Look(vta_line),
    ),
    Source.rule(
        "source-vta-no-time",
        Refuses,
        "VTA Frame Sync (%d) : %s",
        "A `time` stands before the first vertex.",
        "Add `time 0`.",
        Find::Look(vta_no_time),
    ),
    Source.rule(
        "source-vta-time",
        Refuses,
        "Frame MdlError(%d) : %s",
        "The times of the vertex animation lie within those of the file's skeleton.",
        "List every time in the skeleton too.",
        Find::Look(vta_time),
    ),
    Source.rule(
        "source-vta-skeleton",
        Refuses,
        "Missing frame start(%d) : %s",
        "A .vta has a skeleton with its times before the vertex animation.",
        "Export the shapes with their skeleton.",
        Find::Look(vta_skeleton),
    ),
    Source.rule(
        "source-qc-missing",
        Refuses,
        "could not load file '%s'",
        "Every file that the script names must be there.",
        "Add the file, or correct its name, $cd or $pushd.",
        Find::Look(missing_file),
    ),
    Source.rule(
        "source-qc-no-animation",
        Refuses,
        "no animations found",
        "A $sequence names at least one file or $animation.",
        "Name the .smd.",
        Find::Said("QC", &["no animations found"]),
    ),
    Source.rule(
        "source-qc-brace",
        Refuses,
        "missing }",
        "The braces of a $sequence are balanced.",
        "Add or remove the brace.",
        Find::Said("QC", &["missing }", "missing {"]),
    ),
    Source.rule(
        "source-qc-texture-path",
        Changes,
        "",
        "Materials are looked for below the folders of $cdmaterials only: without one, at the root of `materials`. The extension \
         of a material's name is cut off.",
        "Add $cdmaterials with the folder of the .vmt files.",
        Find::Look(no_cdmaterials),
    ),
];

fn version(facts: &Facts, found: &mut Found) {
    alike::smd_version(facts.smds.iter(), 1..=3, found);
}

fn bone_index(facts: &Facts, found: &mut Found) {
    let count = |smd: &Smd| smd.nodes_before(ends_nodes).iter().map(|node| node.number + 1).max().unwrap_or(1);
    alike::bone_index(facts.of(Role::Reference), count, found);
}

fn corner(facts: &Facts, found: &mut Found) {
    alike::odd_lines(facts.of(Role::Reference), Block::Triangles, |what| what == What::BadCorner, found);
}

fn missing_links(facts: &Facts, found: &mut Found) {
    alike::odd_lines(facts.of(Role::Reference), Block::Triangles, |what| what == What::MissingLinks, found);
}

/// The links of a corner, those of one bone joined, the heaviest first.
fn merged(smd: &Smd, corner: &Corner) -> Vec<(i64, f32)> {
    let mut merged: Vec<(i64, f32)> = Vec::new();
    for &(bone, weight) in smd.links_of(corner) {
        match merged.iter_mut().find(|(known, _)| *known == bone) {
            Some((_, sum)) => *sum += weight,
            None => merged.push((bone, weight)),
        }
    }
    merged.sort_by(|a, b| b.1.total_cmp(&a.1));
    merged
}

/// Weights below this are dropped.
const LEAST_WEIGHT: f32 = 0.05;

/// So many bones a vertex keeps (MAXSTUDIOBONEWEIGHTS).
const MOST_WEIGHTS: usize = 3;

/// What is kept of a corner's links (SortAndBalanceBones); without any, the bone of the first field.
fn kept(smd: &Smd, corner: &Corner) -> Vec<(i64, f32)> {
    let mut links = merged(smd, corner);
    while links.len() > 1 && links.last().is_some_and(|(_, weight)| *weight < LEAST_WEIGHT) {
        links.pop();
    }
    links.truncate(MOST_WEIGHTS);
    match links.is_empty() {
        true => vec![(corner.bone, 1.0)],
        false => links,
    }
}

/// The number of the vertex that each corner of the triangles that are kept becomes, and how many there are (lookup_index).
fn vertex_numbers(smd: &Smd) -> (Vec<[Option<usize>; 3]>, usize) {
    let blend = 2.0_f32.to_radians().cos();
    let mut count = 0;
    let mut known: HashMap<_, Vec<(Vec3, usize)>> = HashMap::new();
    let mut number = |material: &str, corner: &Corner| {
        // Adding 0 makes one zero of two.
        let bits = |value: f32| (value + 0.0).to_bits();
        let links: Vec<(i64, u32)> = kept(smd, corner).iter().map(|(bone, weight)| (*bone, bits(*weight))).collect();
        let place = (corner.position.to_array().map(bits), corner.uv.map(bits));
        let alike = known.entry((place, stem(material).to_lowercase(), links)).or_default();
        match alike.iter().find(|(normal, _)| normal.dot(corner.normal) > blend) {
            Some((_, number)) => *number,
            None => {
                alike.push((corner.normal, count));
                count += 1;
                count - 1
            }
        }
    };
    let triangles = smd.materials.iter().zip(smd.corners.chunks_exact(3));
    let triangles = triangles.filter(|((_, name), _)| !is_left_out(name));
    let numbers = triangles.map(|((_, name), corners)| {
        std::array::from_fn(|corner| {
            let corner = &corners[corner];
            (corner.bone != i64::MIN).then(|| number(name, corner))
        })
    });
    (numbers.collect(), count)
}

/// One finding a file: how many corners are so, and where the first stands.
fn count_corners(facts: &Facts, what: &str, is: impl Fn(&[(i64, f32)]) -> bool, found: &mut Found) {
    for smd in facts.of(Role::Reference) {
        let mut of_such = smd.corners.iter().filter(|corner| corner.links.1 > 0 && is(&merged(smd, corner)));
        let Some(first) = of_such.next() else { continue };
        let message = format!("{} of {} corners {what}", 1 + of_such.count(), smd.corners.len());
        found.add(smd.place(Block::Triangles, first.line), message);
    }
}

fn weights_3(facts: &Facts, found: &mut Found) {
    let is = |links: &[(i64, f32)]| links.iter().filter(|(_, weight)| *weight >= LEAST_WEIGHT).count() > MOST_WEIGHTS;
    count_corners(facts, "hang on more than three bones", is, found);
}

fn weights_small(facts: &Facts, found: &mut Found) {
    let is = |links: &[(i64, f32)]| {
        links.len() > 1 && links.iter().any(|(_, weight)| *weight > 0.0 && *weight < LEAST_WEIGHT)
    };
    count_corners(facts, "have a weight below 0.05", is, found);
}

fn weights_sum(facts: &Facts, found: &mut Found) {
    let is = |links: &[(i64, f32)]| (links.iter().map(|(_, weight)| weight).sum::<f32>() - 1.0).abs() > 0.01;
    count_corners(facts, "have weights that do not add up to 1", is, found);
}

fn vertices(facts: &Facts, found: &mut Found) {
    for smd in facts.of(Role::Reference) {
        let (_, count) = vertex_numbers(smd);
        if count > 65_536 {
            found.add(Place::file(&smd.path), format!("{count} vertices"));
        }
    }
}

fn is_left_out(material: &str) -> bool {
    ["", "null.bmp", "null.tga", "debug/debugempty"].iter().any(|name| name.eq_ignore_ascii_case(material))
}

fn bones(facts: &Facts, found: &mut Found) {
    let used = |smd: &Smd| {
        smd.used_nodes(|corner, mark| kept(smd, corner).iter().for_each(|&(bone, _)| mark(bone)))
            .into_iter()
            .map(|node| node.name.clone())
            .collect::<HashSet<_>>()
    };
    // Without a script it is not said which files make one model.
    let count = match &facts.script {
        Some(_) => facts.of(Role::Reference).flat_map(used).collect::<HashSet<_>>().len(),
        None => facts.of(Role::Reference).map(|smd| used(smd).len()).max().unwrap_or(0),
    };
    if count >= 128 {
        found.add(Place::file(&facts.path), format!("{count} bones"));
    }
}

fn materials(facts: &Facts, found: &mut Found) {
    let names = |smd: &Smd| -> HashSet<String> {
        let names = smd.materials.iter().filter(|(_, name)| !is_left_out(name));
        names.map(|(_, name)| stem(name).to_lowercase()).collect()
    };
    let count = match &facts.script {
        Some(_) => facts.of(Role::Reference).flat_map(names).collect::<HashSet<_>>().len(),
        None => facts.of(Role::Reference).map(|smd| names(smd).len()).max().unwrap_or(0),
    };
    if count > 32 {
        found.add(Place::file(&facts.path), format!("{count} materials"));
    }
}

/// A material's name without its extension.
fn stem(name: &str) -> &str {
    let file = crate::bundle::file_name(name);
    &name[..name.len() - (file.len() - crate::bundle::stem(name).len())]
}

fn no_material(facts: &Facts, found: &mut Found) {
    for smd in facts.of(Role::Reference) {
        for (line, name) in smd.materials.iter().filter(|(_, name)| is_left_out(name)) {
            let name = if name.is_empty() { "an empty line".to_string() } else { format!("`{name}`") };
            found.add(smd.place(Block::Triangles, *line), name);
        }
    }
}

fn flat_triangle(facts: &Facts, found: &mut Found) {
    for smd in facts.of(Role::Reference) {
        let kept = smd.materials.iter().zip(smd.corners.chunks_exact(3)).filter(|((_, name), _)| !is_left_out(name));
        let numbers = vertex_numbers(smd).0;
        let is_flat = |[a, b, c]: [Option<usize>; 3]| {
            let same = |a: Option<usize>, b: Option<usize>| a.is_some() && a == b;
            same(a, b) || same(b, c) || same(a, c)
        };
        let mut flat = kept.zip(numbers).filter(|(_, numbers)| is_flat(*numbers));
        if let Some(((_, corners), _)) = flat.next() {
            let message = format!("{} of {} triangles", 1 + flat.count(), smd.materials.len());
            found.add(smd.place(Block::Triangles, corners[0].line), message);
        }
    }
}

fn end(facts: &Facts, found: &mut Found) {
    alike::odd_lines(
        facts.of(Role::Reference),
        Block::Triangles,
        |what| what == What::BlanksAfterEnd(Block::Triangles),
        found,
    );
}

fn no_end(facts: &Facts, found: &mut Found) {
    for smd in &facts.smds {
        let is = |what| matches!(what, What::NoEnd(Block::Nodes | Block::Skeleton | Block::Shapes));
        for oddity in smd.odd(is) {
            found.add(Place::line(&smd.path, oddity.line), "the file ends before `end`");
        }
    }
}

/// The first of these lines ends the nodes.
fn ends_nodes(what: What) -> bool {
    matches!(what, What::BadNode | What::EmptyLineIn(Block::Nodes))
}

fn node_line(facts: &Facts, found: &mut Found) {
    alike::node_line(facts.smds.iter(), ends_nodes, found);
}

fn no_nodes(facts: &Facts, found: &mut Found) {
    let has_nodes =
        |smd: &Smd| smd.nodes_end.is_some() || !smd.nodes.is_empty() || smd.odd(ends_nodes).next().is_some();
    for smd in facts.smds.iter().filter(|smd| !has_nodes(smd)) {
        // A file that ends in its nodes has a rule of its own.
        if smd.odd(|what| what == What::NoEnd(Block::Nodes)).next().is_none() {
            found.add(Place::file(&smd.path), "no nodes");
        }
    }
}

fn stray_pose(facts: &Facts, found: &mut Found) {
    alike::stray_poses(facts.smds.iter(), found);
}

fn empty_line(facts: &Facts, found: &mut Found) {
    for smd in &facts.smds {
        let times: BTreeSet<i64> = smd.times.iter().map(|time| time.time).collect();
        let (Some(&first), Some(&last)) = (times.first(), times.last()) else { continue };
        // Frames that are missing without the line too have a rule of their own.
        let misses = |time: i64| time < first || time > last + 1;
        let is_outside = |time: i64| time < first || time > last;
        for stray in &smd.strays {
            let refuses = match stray.block {
                Block::Skeleton => misses(stray.time),
                Block::Shapes => is_outside(stray.time),
                Block::Nodes | Block::Triangles => false,
            };
            if refuses {
                let message = format!("read as `time {}`, where the times are {first} to {last}", stray.time);
                found.add(smd.place(stray.block, stray.line), message);
            }
        }
    }
}

fn pose_line(facts: &Facts, found: &mut Found) {
    alike::odd_lines(facts.smds.iter(), Block::Skeleton, |what| what == What::BadRow(Block::Skeleton), found);
}

fn no_time(facts: &Facts, found: &mut Found) {
    for smd in &facts.smds {
        if let Some(oddity) = smd.odd(|what| what == What::BeforeTime(Block::Skeleton)).next() {
            found.add(smd.place(Block::Skeleton, oddity.line), format!("`{}`", oddity.text));
        }
    }
}

fn time_back(facts: &Facts, found: &mut Found) {
    for smd in &facts.smds {
        let Some(first) = smd.times.first() else { continue };
        if let Some(time) = smd.times.iter().find(|time| time.time < first.time) {
            let message = format!("time {} after {}", time.time, first.time);
            found.add(smd.place(Block::Skeleton, time.line), message);
        }
    }
}

fn time_gap(facts: &Facts, found: &mut Found) {
    for smd in &facts.smds {
        let mut times: Vec<(i64, u32)> = smd.times.iter().map(|time| (time.time, time.line)).collect();
        times.sort_unstable();
        if let Some(pair) = times.windows(2).find(|pair| pair[1].0 > pair[0].0 + 1) {
            let message = format!("time {} follows {}", pair[1].0, pair[0].0);
            found.add(smd.place(Block::Skeleton, pair[1].1), message);
        }
    }
}

fn pose_kept(facts: &Facts, found: &mut Found) {
    for smd in facts.of(Role::Animation) {
        for time in &smd.times {
            let posed: HashSet<i64> = time.rows.iter().map(|(bone, _)| *bone).collect();
            if let Some(node) = smd.nodes.iter().find(|node| !posed.contains(&node.number)) {
                let subject = Subject::Joint(node.name.clone());
                let place = smd.place(Block::Skeleton, time.line).subject(subject);
                found.add(place, format!("no pose for `{}` at time {}", node.name, time.time));
                break;
            }
        }
    }
}

fn vta_line(facts: &Facts, found: &mut Found) {
    alike::odd_lines(facts.of(Role::Shapes), Block::Shapes, |what| what == What::BadRow(Block::Shapes), found);
}

fn vta_no_time(facts: &Facts, found: &mut Found) {
    alike::odd_lines(facts.of(Role::Shapes), Block::Shapes, |what| what == What::BeforeTime(Block::Shapes), found);
}

fn vta_time(facts: &Facts, found: &mut Found) {
    for smd in facts.of(Role::Shapes).filter(|smd| !smd.times.is_empty()) {
        let first = smd.times.iter().map(|time| time.time).min().unwrap_or(0);
        let last = smd.times.iter().map(|time| time.time).max().unwrap_or(0);
        for time in smd.shape_times.iter().filter(|time| !(first..=last).contains(&time.time)) {
            let message = format!("time {} where the skeleton has {first} to {last}", time.time);
            found.add(smd.place(Block::Shapes, time.line), message);
        }
    }
}

fn vta_skeleton(facts: &Facts, found: &mut Found) {
    for smd in facts.of(Role::Shapes).filter(|smd| smd.times.is_empty() && !smd.shape_times.is_empty()) {
        found.add(smd.place(Block::Shapes, smd.shape_times[0].line), "no skeleton before it");
    }
}

fn missing_file(facts: &Facts, found: &mut Found) {
    for (name, at) in facts.script.iter().flat_map(|script| &script.missing) {
        found.add(Place::file(&at.file).at(at.at), format!("no `{name}`"));
    }
}

fn no_cdmaterials(facts: &Facts, found: &mut Found) {
    let Some(script) = &facts.script else { return };
    // Half-Life's scripts have none, and are none of Source's.
    if script.parsed.is_source && script.parsed.material_folders.is_empty() && !script.parsed.bodies.is_empty() {
        found.add(Place::file(&facts.path), "no $cdmaterials");
    }
}
