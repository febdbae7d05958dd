//! From a clip and a time to a pose: which frames, how far between them, where every joint stands.

pub mod camera;

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
    let (first, frames, loop_frames) = (range.first as i64, frames as i64, range.loop_frames as i64);
    let steps = f64::from(steps.max(0.0));
    let stored = |step: i64| {
        let step = match step - frames {
            ..0 => step,
            _ if loop_frames == 0 => frames - 1,
            // More loop frames than frames lead to those from before the clip, in the game too.
            past => past % loop_frames + frames - loop_frames,
        };
        let frame = first + if range.reversed { frames - 1 - step } else { step };
        // Where that is before the model's first, the game shows frame 0.
        frame.max(0) as usize
    };
    let whole = steps.floor();
    Blend { from: stored(whole as i64), to: stored((whole as i64).saturating_add(1)), t: (steps - whole) as f32 }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn row(first: usize, frames: i64, loop_frames: usize) -> Clip {
        Clip {
            name: String::new(),
            source: String::new(),
            rate: 10.0,
            frames: frames.unsigned_abs() as usize,
            loops: loop_frames > 0,
            motion: Motion::Keys(KeyRange { first, loop_frames, reversed: frames < 0 }),
            events: Vec::new(),
        }
    }

    /// The frames that are blended at each step, and that the way between them is half gone in between.
    fn steps(clip: &Clip, count: usize) -> Vec<(usize, usize)> {
        let blends = (0..count).map(|step| clip.blend((step as f32 + 0.5) / clip.rate));
        blends.inspect(|blend| assert!((blend.t - 0.5).abs() < 1e-4)).map(|blend| (blend.from, blend.to)).collect()
    }

    #[test]
    fn a_row_without_loop_frames_holds_its_last() {
        let clip = row(20, 3, 0);
        assert_eq!(steps(&clip, 5), [(20, 21), (21, 22), (22, 22), (22, 22), (22, 22)]);
        assert_eq!(clip.duration(), 0.2);
    }

    #[test]
    fn loop_frames_repeat_the_end_of_a_row() {
        assert_eq!(steps(&row(20, 3, 3), 4), [(20, 21), (21, 22), (22, 20), (20, 21)]);
        assert_eq!(row(20, 3, 3).duration(), 0.3);
        let tail = row(20, 4, 2);
        assert_eq!(steps(&tail, 7), [(20, 21), (21, 22), (22, 23), (23, 22), (22, 23), (23, 22), (22, 23)]);
    }

    #[test]
    fn a_reversed_row_runs_from_its_last_frame_to_its_first() {
        assert_eq!(steps(&row(20, -3, 3), 4), [(22, 21), (21, 20), (20, 22), (22, 21)]);
        assert_eq!(steps(&row(20, -3, 0), 4), [(22, 21), (21, 20), (20, 20), (20, 20)]);
    }

    #[test]
    fn more_loop_frames_than_frames_lead_before_the_row() {
        assert_eq!(steps(&row(20, 2, 5), 5), [(20, 21), (21, 17), (17, 18), (18, 19), (19, 20)]);
        assert_eq!(steps(&row(1, 1, 4), 3), [(1, 0), (0, 0), (0, 0)]);
    }

    #[test]
    fn the_viewer_may_overrule_what_a_row_does_at_its_end() {
        let clip = row(5, 2, 0);
        let looped = clip.blend_as(0.35, true);
        assert_eq!((looped.from, looped.to), (6, 5));
        assert_eq!(row(5, 2, 2).blend_as(9.0, false).from, 6);
    }

    #[test]
    fn any_time_can_be_asked_for() {
        for clip in [row(3, 1, 0), row(3, 1, 1), row(3, 4, 2), row(3, -4, 4)] {
            for seconds in [f32::NAN, f32::INFINITY, f32::MIN, f32::MAX, -1.0, 0.0, 1e9] {
                let blend = clip.blend(seconds);
                assert!((3..7).contains(&blend.from) && (3..7).contains(&blend.to), "{blend:?} at {seconds}");
                assert!((0.0..1.0).contains(&blend.t));
            }
        }
    }

    #[test]
    fn tags_blend_axis_by_axis_and_stay_of_unit_length() {
        let tag = |axes: Mat3A, translation: Vec3A| Affine3A { matrix3: axes, translation };
        let frames = [
            tag(Mat3A::from_diagonal([30.0, 1.0, 1.0].into()), Vec3A::ZERO),
            tag(Mat3A::from_cols(Vec3A::Y * 10.0, -Vec3A::X, Vec3A::Z), Vec3A::new(0.0, 0.0, 8.0)),
        ];
        let half = lerp_tag(&frames, Blend { from: 0, to: 1, t: 0.5 });
        assert!(half.matrix3.x_axis.abs_diff_eq(Vec3A::new(3.0, 1.0, 0.0).normalize(), 1e-6), "{half}");
        assert!(half.matrix3.y_axis.abs_diff_eq(Vec3A::new(-1.0, 1.0, 0.0).normalize(), 1e-6), "{half}");
        assert_eq!(half.translation, Vec3A::new(0.0, 0.0, 4.0));
        // Frames past the end are the last.
        assert_eq!(lerp_tag(&frames, Blend::still(7)).translation, frames[1].translation);
        assert_eq!(lerp_tag(&[], Blend::still(0)), Affine3A::IDENTITY);
    }
}
