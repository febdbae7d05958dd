//! From a clip and a time to a pose: which frames, how far between them, where every joint stands.

use glam::{Affine3A, Mat3A, Quat, Vec3A};

use crate::model::{Clip, KeyRange, Motion, Skeleton, Transform};

/// Two stored frames and the way from the one to the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    pub from: usize,
    pub to: usize,
    /// 0 shows `from`, 1 would show `to`.
    pub t: f32,
}

impl Blend {
    pub fn still(frame: usize) -> Self {
        Self { from: frame, to: frame, t: 0.0 }
    }

    /// What Quake III draws of a part that has only `frames` frames: where either is missing, frame 0
    /// (ioquake3 R_AddMD3Surfaces).
    pub fn drawn(self, frames: usize) -> Self {
        if self.from < frames && self.to < frames { self } else { Self::still(0) }
    }
}

/// `model_from_tag` between two frames as Quake III's R_LerpTag has it: frames past the end are the last, origin and axes
/// blend linearly, then each axis is made unit length (but not square to the others).
pub fn lerp_tag(model_from_tag: &[Affine3A], blend: Blend) -> Affine3A {
    let Some(last) = model_from_tag.len().checked_sub(1) else { return Affine3A::IDENTITY };
    let (from, to) = (model_from_tag[blend.from.min(last)], model_from_tag[blend.to.min(last)]);
    let axis = |from: Vec3A, to: Vec3A| from.lerp(to, blend.t).normalize_or_zero();
    let (a, b) = (from.matrix3, to.matrix3);
    Affine3A {
        matrix3: Mat3A::from_cols(axis(a.x_axis, b.x_axis), axis(a.y_axis, b.y_axis), axis(a.z_axis, b.z_axis)),
        translation: from.translation.lerp(to.translation, blend.t),
    }
}

impl Clip {
    /// Seconds for one round, or until the last frame is reached; 0 for a single frame.
    pub fn duration(&self) -> f32 {
        let steps = match self.motion {
            Motion::AllKeys if self.frames > 1 => self.frames,
            Motion::Keys(range) if range.loop_frames > 0 && self.frames > 1 => self.frames,
            _ => self.frames - 1,
        };
        steps as f32 / self.rate
    }

    /// The stored frames to show at a time; any time is allowed, also negative ones where the clip loops.
    pub fn blend(&self, seconds: f32) -> Blend {
        self.blend_as(seconds, self.loops)
    }

    /// Like [`Clip::blend`], with the viewer's word instead of the file's on whether the end leads back to the start.
    pub fn blend_as(&self, seconds: f32, loops: bool) -> Blend {
        let steps = seconds * self.rate;
        match self.motion {
            Motion::Joints(_) => joints_blend(steps, self.frames, loops),
            Motion::AllKeys => cycle_blend(steps, self.frames, loops),
            Motion::Keys(range) => {
                let loop_frames = match (loops, range.loop_frames) {
                    (false, _) => 0,
                    (true, 0) => self.frames,
                    (true, loop_frames) => loop_frames,
                };
                keys_blend(steps, self.frames, KeyRange { loop_frames, ..range })
            }
        }
    }
}

/// Doom 3 and Half-Life: in a loop the last frame equals the first, so a round has `frames - 1` steps.
fn joints_blend(steps: f32, frames: usize, loops: bool) -> Blend {
    let last = frames - 1;
    if last == 0 || !steps.is_finite() {
        return Blend::still(0);
    }
    // In f64, so that the rest of a division by an odd number of steps stays exact after hours of playing.
    let steps = if loops { f64::from(steps).rem_euclid(last as f64) } else { f64::from(steps).clamp(0.0, last as f64) };
    let from = (steps as usize).min(last - 1);
    Blend { from, to: from + 1, t: (steps - from as f64) as f32 }
}

/// A keyed model without animation.cfg: the last frame leads back to the first.
fn cycle_blend(steps: f32, frames: usize, loops: bool) -> Blend {
    if !loops {
        return joints_blend(steps, frames, false);
    }
    if frames == 1 || !steps.is_finite() {
        return Blend::still(0);
    }
    let steps = f64::from(steps).rem_euclid(frames as f64);
    let from = (steps as usize).min(frames - 1);
    Blend { from, to: (from + 1) % frames, t: (steps - from as f64) as f32 }
}

/// A row of animation.cfg (ioquake3 CG_RunLerpFrame): after the end the last `loop_frames` frames repeat, or the last holds.
fn keys_blend(steps: f32, frames: usize, range: KeyRange) -> Blend {
    if !steps.is_finite() {
        return Blend::still(range.first);
    }
    let whole = f64::from(steps.max(0.0)).floor();
    let stored = |step: f64| {
        let step = if step < frames as f64 {
            step as usize
        } else if range.loop_frames == 0 {
            frames - 1
        } else {
            let loop_frames = range.loop_frames.min(frames);
            ((step - frames as f64) % loop_frames as f64) as usize + frames - loop_frames
        };
        range.first + if range.reversed { frames - 1 - step } else { step }
    };
    Blend { from: stored(whole), to: stored(whole + 1.0), t: (f64::from(steps.max(0.0)) - whole) as f32 }
}

/// Where every joint of a skeleton stands.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    pub parent_from_joint: Vec<Transform>,
    pub model_from_joint: Vec<Affine3A>,
}

impl Pose {
    /// The skeleton's own pose.
    pub fn rest(skeleton: &Skeleton) -> Self {
        let mut pose = Self {
            parent_from_joint: vec![Transform::IDENTITY; skeleton.joints.len()],
            model_from_joint: vec![Affine3A::IDENTITY; skeleton.joints.len()],
        };
        pose.set_rest(skeleton);
        pose
    }

    pub fn set_rest(&mut self, skeleton: &Skeleton) {
        for (local, joint) in self.parent_from_joint.iter_mut().zip(&skeleton.joints) {
            *local = joint.parent_from_joint;
        }
        self.compose(skeleton);
    }

    /// Blends two frames of a clip. `frames` holds a transform for each joint, frame by frame.
    pub fn set_frames(&mut self, skeleton: &Skeleton, frames: &[Transform], blend: Blend) {
        let joints = skeleton.joints.len();
        let from = &frames[blend.from * joints..][..joints];
        let to = &frames[blend.to * joints..][..joints];
        for ((local, from), to) in self.parent_from_joint.iter_mut().zip(from).zip(to) {
            *local = Transform {
                rotation: slerp(from.rotation, to.rotation, blend.t),
                translation: from.translation.lerp(to.translation, blend.t),
            };
        }
        self.compose(skeleton);
    }

    /// Works out `model_from_joint` down the tree; parents come first.
    fn compose(&mut self, skeleton: &Skeleton) {
        for (index, joint) in skeleton.joints.iter().enumerate() {
            let parent_from_joint = self.parent_from_joint[index].to_affine();
            self.model_from_joint[index] = match joint.parent {
                Some(parent) => self.model_from_joint[parent] * parent_from_joint,
                None => parent_from_joint,
            };
        }
    }
}

/// The shorter way round between two unit quaternions, as the engines go it (Doom 3: idQuat::Slerp). glam's own slerp
/// takes an approximate arc cosine, which is off by 1e-4.
pub fn slerp(from: Quat, to: Quat, t: f32) -> Quat {
    let cosine = from.dot(to);
    let (cosine, to) = if cosine < 0.0 { (-cosine, -to) } else { (cosine, to) };
    if 1.0 - cosine <= 1e-6 {
        return (from * (1.0 - t) + to * t).normalize();
    }
    let sine = (1.0 - cosine * cosine).sqrt();
    let angle = sine.atan2(cosine);
    from * (((1.0 - t) * angle).sin() / sine) + to * ((t * angle).sin() / sine)
}

/// Where every joint stands in the bind pose.
pub fn model_from_joints(skeleton: &Skeleton) -> Vec<Affine3A> {
    Pose::rest(skeleton).model_from_joint
}
