//! From a camera's path and a time to what it sees: in comes a [`Camera`], out come place, look and shot
//! (neo/game/Camera.cpp, idCameraAnim::GetViewParms).

use super::slerp;
use crate::model::{Camera, CameraFrame, Transform};

/// What a camera shows at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraView {
    pub frame: CameraFrame,
    /// How many cuts were passed.
    pub shot: usize,
}

impl Camera {
    /// Steps from one frame to the next until the end. A cut takes no time: the step from its frame to the next is left out.
    pub fn steps(&self) -> usize {
        self.frames.len().saturating_sub(1 + self.cuts.len())
    }

    /// Seconds until the end; 0 for a single frame.
    pub fn duration(&self) -> f64 {
        self.steps() as f64 / f64::from(self.rate)
    }

    /// What the camera shows at a time, in seconds from its start. Before the start that is the first frame, after the end the
    /// last. Within a shot, frames blend into each other; a cut's frame is the last of its shot.
    pub fn at(&self, seconds: f64) -> CameraView {
        let last = self.frames.len() - 1;
        let steps = whole_if_near(seconds * f64::from(self.rate));
        if last == 0 || steps.is_nan() || steps <= 0.0 {
            return CameraView { frame: self.frames[0], shot: 0 };
        }
        let whole = steps.floor();
        // More steps than frames are over in any case.
        let mut frame = whole.min(self.frames.len() as f64) as usize;
        let mut shot = 0;
        for &cut in &self.cuts {
            if frame < cut as usize {
                break;
            }
            frame += 1;
            shot += 1;
        }
        if frame >= last {
            return CameraView { frame: self.frames[last], shot };
        }
        CameraView { frame: between(self.frames[frame], self.frames[frame + 1], (steps - whole) as f32), shot }
    }
}

/// A time such as 7 / 24 s, in single precision and times 24, is not 7; but it means the very frame, which may be a cut.
fn whole_if_near(steps: f64) -> f64 {
    let whole = steps.round();
    let error_of_f32 = steps.abs() * 1e-7 + 1e-9;
    if (steps - whole).abs() <= error_of_f32 { whole } else { steps }
}

fn between(from: CameraFrame, to: CameraFrame, t: f32) -> CameraFrame {
    let (a, b) = (from.model_from_camera, to.model_from_camera);
    CameraFrame {
        model_from_camera: Transform {
            rotation: slerp(a.rotation, b.rotation, t),
            translation: a.translation.lerp(b.translation, t),
        },
        fov_x: from.fov_x + (to.fov_x - from.fov_x) * t,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};

    /// Frame f stands at x = 100 f and has a field of view of 90 - f degrees.
    fn camera(frames: usize, cuts: &[u32]) -> Camera {
        let frame = |index: usize| CameraFrame {
            model_from_camera: Transform::new(Quat::IDENTITY, Vec3::X * 100.0 * index as f32),
            fov_x: 90.0 - index as f32,
        };
        let frames = (0..frames).map(frame).collect();
        Camera { name: String::new(), source: String::new(), rate: 24.0, cuts: cuts.to_vec(), frames }
    }

    #[track_caller]
    fn assert_shows(camera: &Camera, steps: f64, frame: f32, shot: usize) {
        let view = camera.at(steps / 24.0);
        let found = view.frame.model_from_camera.translation.x / 100.0;
        assert!((found - frame).abs() < 1e-5 && view.shot == shot, "{steps}: {found}, shot {}", view.shot);
        assert!((view.frame.fov_x - (90.0 - frame)).abs() < 1e-4);
        // Callers may have the time in single precision.
        let coarse = camera.at(f64::from((steps / 24.0) as f32));
        assert_eq!(coarse.shot, shot);
    }

    #[test]
    fn blends_between_frames_and_holds_the_ends() {
        let camera = camera(4, &[]);
        assert_eq!(camera.steps(), 3);
        assert_eq!(camera.duration(), 3.0 / 24.0);
        for (steps, frame) in [(-1.0, 0.0), (0.0, 0.0), (0.25, 0.25), (1.0, 1.0), (2.5, 2.5), (3.0, 3.0), (1e9, 3.0)] {
            assert_shows(&camera, steps, frame, 0);
        }
        assert_eq!(camera.at(f64::NAN).frame, camera.frames[0]);
    }

    #[test]
    fn never_blends_across_a_cut() {
        // Shots: frames 0 1 2, then 3 4 5 6, then 7 8 9.
        let camera = camera(10, &[2, 6]);
        assert_eq!(camera.steps(), 7);
        assert_shows(&camera, 1.0, 1.0, 0);
        assert_shows(&camera, 1.75, 1.75, 0);
        assert_shows(&camera, 1.999_99, 1.999_99, 0);
        assert_shows(&camera, 2.0, 3.0, 1);
        assert_shows(&camera, 2.25, 3.25, 1);
        assert_shows(&camera, 4.5, 5.5, 1);
        assert_shows(&camera, 5.0, 7.0, 2);
        assert_shows(&camera, 6.5, 8.5, 2);
        assert_shows(&camera, 7.0, 9.0, 2);
        assert_shows(&camera, 8.0, 9.0, 2);
    }

    #[test]
    fn every_cut_falls_on_its_frame_at_any_rate() {
        for rate in 1..=120 {
            let camera = Camera { rate: rate as f32, ..camera(1002, &[500]) };
            for seconds in [500.0 / f64::from(rate), f64::from(500.0 / rate as f32)] {
                let view = camera.at(seconds);
                assert_eq!((view.shot, view.frame), (1, camera.frames[501]), "rate {rate}");
            }
        }
    }

    #[test]
    fn two_cuts_in_a_row_make_a_shot_of_one_frame() {
        // Frame 3 stands alone between the cuts at 2 and 3. It lasts no step: at 2 steps, 2 -> 3 (first cut) -> 4 (second).
        let camera = camera(8, &[2, 3]);
        assert_shows(&camera, 1.5, 1.5, 0);
        assert_shows(&camera, 2.0, 4.0, 2);
        assert_shows(&camera, 2.5, 4.5, 2);
    }

    #[test]
    fn a_cut_into_the_last_frame_ends_there() {
        let camera = camera(4, &[2]);
        assert_eq!(camera.steps(), 2);
        assert_shows(&camera, 1.5, 1.5, 0);
        assert_shows(&camera, 2.0, 3.0, 1);
    }

    #[test]
    fn one_frame_stands_still_and_many_cuts_leave_no_time() {
        assert_shows(&camera(1, &[]), 5.0, 0.0, 0);
        let cut_everywhere = camera(3, &[1, 1, 2]);
        assert_eq!(cut_everywhere.duration(), 0.0);
        assert_shows(&cut_everywhere, 0.5, 0.5, 0);
        assert_shows(&cut_everywhere, 1.0, 2.0, 3);
    }

    #[test]
    fn turns_the_shorter_way() {
        let mut camera = camera(2, &[]);
        camera.frames[1].model_from_camera.rotation = -Quat::from_rotation_z(1.0);
        let turned = camera.at(0.5 / 24.0).frame.model_from_camera.rotation;
        assert!(turned.dot(Quat::from_rotation_z(0.5)).abs() > 1.0 - 1e-6);
    }
}
