//! A model as plain text, for comparing with what a test expects: everything a reader fills, numbers to four decimals.

use std::fmt::Write;

use glam::{Affine3A, Vec3};
use rigview::anim;
use rigview::format::animation_cfg::AnimationCfg;
use rigview::format::smd::{ShapeVertex, Shapes};
use rigview::format::{Animation, Content};
use rigview::model::{Camera, Clip, Info, Keys, Mesh, Model, Motion, Rig, Shape, Skeleton, TagMotion, Transform};

/// One file's content. A model must be finished.
pub fn content(content: &Content) -> String {
    match content {
        Content::Model(model) => self::model(model),
        Content::Animation(animation) => self::animation(animation),
        Content::Camera(camera) => self::camera(camera),
        Content::Shapes(shapes) => self::shapes(shapes),
    }
}

pub fn model(model: &Model) -> String {
    let mut out = skeleton(&model.skeleton);
    let model_from_joint = anim::model_from_joints(&model.skeleton);
    for (index, mesh) in model.meshes.iter().enumerate() {
        let material = &model.materials[mesh.material].name;
        let counts = format!("{} vertices, {} triangles", mesh.vertex_count(), mesh.triangles.len());
        writeln!(out, "mesh {index} {:?}, material {material:?}: {counts}", mesh.name).unwrap();
        match &mesh.shape {
            Shape::Rigged(rig) => out += &rigged(mesh, rig, &model_from_joint),
            Shape::Keyed(keys) => out += &keyed(mesh, keys),
        }
        for [a, b, c] in &mesh.triangles {
            writeln!(out, "  triangle {a} {b} {c}").unwrap();
        }
        out += &morphs(mesh, &model.flexes);
    }
    for clip in &model.clips {
        out += &self::clip(clip, &model.skeleton);
    }
    for (index, tag) in model.tags.iter().enumerate() {
        write!(out, "tag {index} {:?}:", tag.name).unwrap();
        match &tag.motion {
            TagMotion::Joint { joint, joint_from_tag } => {
                writeln!(out, " on joint {joint}, {}", transform(*joint_from_tag)).unwrap();
            }
            TagMotion::Keyed(frames) => {
                writeln!(out).unwrap();
                for (frame, place) in frames.iter().enumerate() {
                    writeln!(out, "  frame {frame} {}", affine(place)).unwrap();
                }
            }
        }
    }
    for variant in &model.variants {
        let names = variant.materials.iter().map(|material| match material {
            Some(material) => format!("{:?}", model.materials[*material].name),
            None => "hidden".to_string(),
        });
        writeln!(out, "variant {:?}: {}", variant.name, names.collect::<Vec<_>>().join(", ")).unwrap();
    }
    for group in &model.bodygroups {
        writeln!(out, "body group {:?}", group.name).unwrap();
        for choice in &group.choices {
            writeln!(out, "  {:?}: meshes {:?}", choice.name, choice.meshes).unwrap();
        }
    }
    for hitbox in &model.hitboxes {
        let corners = format!("{} to {}", vector(hitbox.min), vector(hitbox.max));
        writeln!(out, "hit box on joint {}, group {}: {corners}", hitbox.joint, hitbox.group).unwrap();
    }
    out + &facts(&model.info)
}

/// What the flexes of a model move.
pub fn flexes(model: &Model) -> String {
    let meshes = model.meshes.iter().enumerate();
    meshes.map(|(index, mesh)| format!("mesh {index}\n{}", morphs(mesh, &model.flexes))).collect()
}

fn morphs(mesh: &Mesh, flexes: &[String]) -> String {
    let mut out = String::new();
    for morph in &mesh.morphs {
        writeln!(out, "  flex {:?}", flexes[morph.flex]).unwrap();
        for delta in &morph.deltas {
            let (position, normal) = (vector(delta.position), vector(delta.normal));
            writeln!(out, "    vertex {} moves {position}, normal {normal}", delta.vertex).unwrap();
        }
    }
    out
}

pub fn animation(animation: &Animation) -> String {
    skeleton(&animation.skeleton) + &clip(&animation.clip, &animation.skeleton) + &facts(&animation.info)
}

pub fn animation_cfg(cfg: &AnimationCfg) -> String {
    let clips: String = cfg.clips.iter().map(|clip| self::clip(clip, &Skeleton::default())).collect();
    clips + &facts(&cfg.info)
}

pub fn camera(camera: &Camera) -> String {
    let mut out = format!("camera: {} a second, cuts {:?}\n", number(camera.rate), camera.cuts);
    for (index, frame) in camera.frames.iter().enumerate() {
        let fov = number(frame.fov_x);
        writeln!(out, "  frame {index} {}, fov {fov}", transform(frame.model_from_camera)).unwrap();
    }
    out
}

fn shapes(shapes: &Shapes) -> String {
    let vertex = |vertex: &ShapeVertex| {
        format!("  vertex {} at {}, normal {}\n", vertex.id, vector(vertex.position), vector(vertex.normal))
    };
    let mut out = "unmoved\n".to_string();
    out.extend(shapes.base.iter().map(vertex));
    for shape in &shapes.shapes {
        writeln!(out, "shape {:?} of time {}", shape.name, shape.time).unwrap();
        out.extend(shape.vertices.iter().map(vertex));
    }
    out
}

pub fn skeleton(skeleton: &Skeleton) -> String {
    let mut out = String::new();
    for (index, joint) in skeleton.joints.iter().enumerate() {
        let parent = joint.parent.map_or("root".to_string(), |parent| format!("on {parent}"));
        writeln!(out, "joint {index} {:?} {parent}, {}", joint.name, transform(joint.parent_from_joint)).unwrap();
    }
    out
}

fn rigged(mesh: &Mesh, rig: &Rig, model_from_joint: &[Affine3A]) -> String {
    let mut out = String::new();
    for (vertex, uv) in mesh.uvs.iter().enumerate() {
        let influences = &rig.influences[rig.first[vertex] as usize..rig.first[vertex + 1] as usize];
        let mut position = Vec3::ZERO;
        let mut weights = String::new();
        for influence in influences {
            let joint = &model_from_joint[influence.joint as usize];
            position +=
                joint.matrix3 * influence.offset.truncate() + Vec3::from(joint.translation) * influence.offset.w;
            write!(weights, " {}×{}", influence.joint, number(influence.offset.w)).unwrap();
        }
        let (normal, tangent) = (rig.normals[vertex], rig.tangents[vertex]);
        let hand = if tangent.w < 0.0 { '-' } else { '+' };
        let look = format!("normal {}, tangent {} {hand}", vector(normal), vector(tangent.truncate()));
        writeln!(out, "  vertex {vertex} at {}, uv {}, {look}, joints{weights}", vector(position), numbers(uv))
            .unwrap();
    }
    out
}

fn keyed(mesh: &Mesh, keys: &Keys) -> String {
    let mut out = String::new();
    let count = mesh.vertex_count();
    for (vertex, uv) in mesh.uvs.iter().enumerate() {
        writeln!(out, "  vertex {vertex} uv {}", numbers(uv)).unwrap();
    }
    for frame in 0..keys.frames {
        writeln!(out, "  frame {frame}").unwrap();
        for vertex in 0..count {
            let at = |list: &[[i16; 4]], unit: f32| {
                let [x, y, z, _] = list[frame * count + vertex];
                vector(Vec3::new(x.into(), y.into(), z.into()) * unit)
            };
            let (position, normal) = (at(&keys.positions, Keys::UNIT), at(&keys.normals, 1.0 / 32767.0));
            writeln!(out, "    vertex {vertex} at {position}, normal {normal}").unwrap();
        }
    }
    out
}

pub fn clip(clip: &Clip, skeleton: &Skeleton) -> String {
    let after = if clip.loops { "loops" } else { "holds" };
    let mut out = format!("clip {:?}: {} frames, {} a second, {after}\n", clip.name, clip.frames, number(clip.rate));
    match &clip.motion {
        Motion::Joints(transforms) => {
            for (index, joint_transform) in transforms.iter().enumerate() {
                let (frame, joint) = (index / skeleton.joints.len(), index % skeleton.joints.len());
                writeln!(out, "  frame {frame} joint {joint} {}", transform(*joint_transform)).unwrap();
            }
        }
        Motion::AllKeys => out += "  all stored frames\n",
        Motion::Keys(range) => writeln!(out, "  {range:?}").unwrap(),
    }
    for event in &clip.events {
        writeln!(out, "  event at {}: {:?}", number(event.frame), event.text).unwrap();
    }
    out
}

fn facts(facts: &[(String, Info)]) -> String {
    facts.iter().map(|(name, info)| format!("info {name}: {}\n", fact(info))).collect()
}

fn fact(info: &Info) -> String {
    match info {
        Info::Flag(flag) => flag.to_string(),
        Info::Number(value) => number(*value as f32),
        Info::Text(text) => format!("{text:?}"),
        Info::List(list) => format!("[{}]", list.iter().map(fact).collect::<Vec<_>>().join(", ")),
    }
}

fn transform(Transform { rotation, translation }: Transform) -> String {
    let turn = [rotation.x, rotation.y, rotation.z, rotation.w];
    format!("at {}, turned {}", vector(translation), numbers(&turn))
}

fn affine(place: &Affine3A) -> String {
    let axes = [place.matrix3.x_axis, place.matrix3.y_axis, place.matrix3.z_axis].map(|axis| vector(axis.into()));
    format!("at {}, axes {}", vector(place.translation.into()), axes.join(" "))
}

pub fn vector(vector: Vec3) -> String {
    numbers(&vector.to_array())
}

fn numbers(numbers: &[f32]) -> String {
    format!("({})", numbers.iter().map(|&value| number(value)).collect::<Vec<_>>().join(" "))
}

/// To four decimals, without zeros at the end and without a sign before 0.
pub fn number(value: f32) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_string() } else { text.to_string() }
}
