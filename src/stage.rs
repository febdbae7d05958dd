//! What the viewer's user sees and does: the orbit camera, the clock, what to show. All state; no GL, no DOM.

use glam::{Affine3A, Mat3, Mat4, Quat, Vec3, Vec4};

use crate::figure::Figure;
use crate::model::{Camera, CameraFrame};
use crate::skin::Bounds;

/// One view of a figure.
#[derive(Clone, Debug)]
pub struct Stage {
    pub orbit: Orbit,
    pub clock: Clock,
    pub show: Show,
    /// Looks through this camera of the figure instead of the orbit: (part, camera).
    pub look_through: Option<(usize, usize)>,
    /// What is pointed at.
    pub highlight: Option<Highlight>,
    /// What a game would give the entity (a team's or player's colour), sRGB and alpha, for materials that ask for it.
    pub entity_color: Vec4,
}

/// Something of a figure that is marked in the view: indices of its part and of what it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Highlight {
    Joint {
        part: usize,
        joint: usize,
    },
    Mesh {
        part: usize,
        mesh: usize,
    },
    Vertex {
        part: usize,
        mesh: usize,
        vertex: usize,
    },
    /// Counted as in [`Figure::tags`].
    Tag(usize),
}

/// What is drawn besides the meshes, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Show {
    pub meshes: bool,
    pub grid: bool,
    pub joints: bool,
    pub tags: bool,
    pub wireframe: bool,
    pub bounds: bool,
    pub hitboxes: bool,
    /// The paths of cameras.
    pub cameras: bool,
    pub bump: bool,
    pub textures: bool,
}

impl Default for Show {
    fn default() -> Self {
        Self {
            meshes: true,
            grid: true,
            joints: false,
            tags: false,
            wireframe: false,
            bounds: false,
            hitboxes: false,
            cameras: false,
            bump: true,
            textures: true,
        }
    }
}

/// A camera that circles a point, Z up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// Figure space.
    pub target: Vec3,
    /// Radians about Z; 0 looks from +X.
    pub yaw: f32,
    /// Radians above the horizon, within ±[`Orbit::PITCH_LIMIT`].
    pub pitch: f32,
    /// From the target, more than 0.
    pub distance: f32,
    /// Radians, vertical.
    pub fov_y: f32,
}

impl Default for Orbit {
    fn default() -> Self {
        Self { target: Vec3::ZERO, yaw: 0.6, pitch: 0.25, distance: 100.0, fov_y: 40f32.to_radians() }
    }
}

impl Orbit {
    /// Just short of straight up, where left and right would flip.
    pub const PITCH_LIMIT: f32 = 1.55;

    /// Turns by radians.
    pub fn turn(&mut self, yaw: f32, pitch: f32) {
        self.yaw = (self.yaw + yaw).rem_euclid(std::f32::consts::TAU);
        self.pitch = (self.pitch + pitch).clamp(-Self::PITCH_LIMIT, Self::PITCH_LIMIT);
    }

    /// Moves the target across the view, in fractions of the view's height.
    pub fn pan(&mut self, right: f32, up: f32) {
        let height = 2.0 * self.distance * (self.fov_y * 0.5).tan();
        let rotation = self.world_from_view_rotation();
        self.target += rotation * Vec3::new(right * height, up * height, 0.0);
    }

    /// Scales the distance: below 1 comes closer.
    pub fn zoom(&mut self, factor: f32) {
        self.distance = (self.distance * factor).clamp(1e-4, 1e7);
    }

    /// Puts a box into the middle of a view of `aspect` = width / height, with a little air around. Seen from another side the
    /// box may reach past the edges, but never past the sphere around it.
    pub fn frame(&mut self, bounds: Bounds, aspect: f32) {
        const AIR: f32 = 1.18;
        let size = bounds.max - bounds.min;
        let radius = (size.length() * 0.5).max(1e-3);
        let tan_y = (self.fov_y * 0.5).tan();
        let tan_x = tan_y * aspect.max(1e-3);
        self.target = (bounds.min + bounds.max) * 0.5;
        let view_from_world = self.world_from_view_rotation().inverse();
        // How far back each corner wants the eye, so that it is inside both ways.
        let wanted = (0..8).map(|corner| {
            let sign = |bit: i32| if corner & bit == 0 { 0.5 } else { -0.5 };
            let point = view_from_world * (size * Vec3::new(sign(1), sign(2), sign(4)));
            point.z + (point.x.abs() / tan_x).max(point.y.abs() / tan_y) * AIR
        });
        self.distance = wanted.fold(radius, f32::max);
    }

    /// View space: +X right, +Y up, -Z ahead.
    fn world_from_view_rotation(&self) -> Quat {
        Quat::from_rotation_z(self.yaw + std::f32::consts::FRAC_PI_2)
            * Quat::from_rotation_x(std::f32::consts::FRAC_PI_2 - self.pitch)
    }

    pub fn eye(&self) -> Vec3 {
        self.target + self.world_from_view_rotation() * Vec3::new(0.0, 0.0, self.distance)
    }

    pub fn view_from_world(&self) -> Affine3A {
        Affine3A::from_rotation_translation(self.world_from_view_rotation(), self.eye()).inverse()
    }

    /// Near and far planes close around the scene, so that models of any size keep their depth precision.
    pub fn clip_from_view(&self, aspect: f32, scene: Bounds) -> Mat4 {
        let center = (scene.min + scene.max) * 0.5;
        let radius = ((scene.max - scene.min).length() * 0.5).max(1e-3);
        let far = (center - self.eye()).length() + radius * 1.5;
        let near = ((center - self.eye()).length() - radius * 1.5).max(far * 5e-4);
        glam::camera::rh::proj::opengl::perspective(self.fov_y, aspect, near, far)
    }
}

/// Where in its clips the figure is, and how fast it goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct Clock {
    /// Clips that play, as (part, clip); an empty part moves all that have the clip.
    pub clips: Vec<(String, String)>,
    /// Seconds into the clips.
    pub seconds: f32,
    pub playing: bool,
    /// 1 is the clip's own speed; negative runs backwards.
    pub speed: f32,
    /// The user's word on looping; `None` leaves it to the clips.
    pub loops: Option<bool>,
    /// Milliseconds of the last [`Stage::advance`], while playing.
    last: Option<f64>,
}

impl Default for Clock {
    fn default() -> Self {
        Self { clips: Vec::new(), seconds: 0.0, playing: false, speed: 1.0, loops: None, last: None }
    }
}

/// What came of letting time pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advance {
    /// The pose is another one.
    pub moved: bool,
    /// A clip that does not loop has just reached its end.
    pub ended: bool,
}

impl Stage {
    pub fn new() -> Self {
        Self {
            orbit: Orbit::default(),
            clock: Clock::default(),
            show: Show::default(),
            look_through: None,
            highlight: None,
            // What the games start with.
            entity_color: Vec4::ONE,
        }
    }

    /// Lets time pass up to `now` (milliseconds of any clock that only grows) and poses the figure.
    pub fn advance(&mut self, figure: &mut Figure, now: f64) -> Advance {
        let clock = &mut self.clock;
        if !clock.playing {
            clock.last = None;
            return Advance { moved: false, ended: false };
        }
        // A tab that slept must not jump far ahead.
        let passed = clock.last.map_or(0.0, |last| ((now - last) / 1000.0).clamp(0.0, 0.25)) as f32;
        clock.last = Some(now);
        let (mut ended, before) = (false, clock.seconds);
        clock.seconds += passed * clock.speed;
        let (duration, loops) = length(&clock.clips, self.look_through, figure);
        if !clock.loops.unwrap_or(loops) {
            let end = if clock.speed < 0.0 { 0.0 } else { duration };
            if (clock.seconds - end) * clock.speed.signum() >= 0.0 {
                clock.seconds = end;
                clock.playing = false;
                ended = true;
            }
        }
        let moved = clock.seconds != before;
        if moved {
            self.pose(figure);
        }
        Advance { moved, ended }
    }

    /// Poses the figure by the clock as it stands.
    pub fn pose(&self, figure: &mut Figure) {
        let clock = &self.clock;
        if clock.clips.is_empty() {
            figure.pose(None, 0.0, None);
        }
        for (part, clip) in &clock.clips {
            match part.as_str() {
                "" => figure.pose(Some(clip), clock.seconds, clock.loops),
                part => figure.pose_named_part(part, clip, clock.seconds, clock.loops),
            };
        }
    }

    /// Seconds of the camera that the user looks through, or else of the longest clip that is chosen, and whether time goes on after it: while one part's clip loops, another's
    /// that does not holds its last frame.
    pub fn length(&self, figure: &Figure) -> (f32, bool) {
        length(&self.clock.clips, self.look_through, figure)
    }

    /// What the camera sees that the user looks through; `None` for the orbit.
    pub fn camera_view(&self, figure: &Figure) -> Option<CameraFrame> {
        let (part, camera) = self.look_through?;
        Some(self.camera_frame(figure.parts.get(part)?.levels()[0].cameras.get(camera)?))
    }

    /// What a camera sees now. A path that has ended starts anew as long as time goes on.
    pub fn camera_frame(&self, camera: &Camera) -> CameraFrame {
        let seconds = f64::from(self.clock.seconds);
        let round = camera.duration();
        let is_over = round > 0.0 && !(0.0..=round).contains(&seconds);
        camera.at(if is_over { seconds.rem_euclid(round) } else { seconds }).frame
    }
}

/// View and projection of Doom 3's cameras: they look along +X with +Y to the left, and their field of view is horizontal
/// whatever the shape of the picture.
pub fn through_camera(frame: CameraFrame, aspect: f32, scene: Bounds) -> (Affine3A, Mat4) {
    let camera_from_view = Mat3::from_cols(Vec3::NEG_Y, Vec3::Z, Vec3::NEG_X);
    let figure_from_view = frame.model_from_camera.to_affine() * Affine3A::from_mat3(camera_from_view);
    let tan_y = (frame.fov_x.clamp(1.0, 170.0).to_radians() * 0.5).tan() / aspect;
    let far = ((scene.min + scene.max) * 0.5 - frame.model_from_camera.translation).length()
        + (scene.max - scene.min).length();
    // A scene may be the camera's own place and nothing else.
    let far = far.max(1.0);
    let projection = glam::camera::rh::proj::opengl::perspective(2.0 * tan_y.atan(), aspect, far * 1e-3, far);
    (figure_from_view.inverse(), projection)
}

impl Default for Stage {
    fn default() -> Self {
        Self::new()
    }
}

fn length(chosen: &[(String, String)], look_through: Option<(usize, usize)>, figure: &Figure) -> (f32, bool) {
    let through = look_through.and_then(|(part, camera)| figure.parts.get(part)?.levels()[0].cameras.get(camera));
    // A camera alone has the clock for itself.
    let is_alone = chosen.is_empty() && figure.shown().next().is_none();
    let alone = || figure.parts.iter().filter(|_| is_alone).find_map(|part| part.levels()[0].cameras.first());
    let camera = through.or_else(alone);
    if let Some(camera) = camera {
        return (camera.duration() as f32, true);
    }
    let mut longest = 0f32;
    let (mut moves, mut loops) = (false, false);
    for (part, name) in chosen {
        let clips = figure.parts.iter().filter(|candidate| part.is_empty() || candidate.name == *part);
        let clip = clips.flat_map(|part| &part.levels()[0].clips).find(|clip| clip.name == *name);
        if let Some(clip) = clip.filter(|clip| clip.frames > 1) {
            longest = longest.max(clip.duration());
            moves = true;
            loops |= clip.loops;
        }
    }
    (longest, loops || !moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Transform;

    /// A second and a half: four frames, of which the step from the second to the third is a cut.
    const CAMERA: &str = "MD5Version 10 commandline \"\" numFrames 5 frameRate 2 numCuts 1 cuts { 1 } camera { \
        ( 0 0 0 ) ( 0 0 0 ) 90 ( 1 0 0 ) ( 0 0 0 ) 90 ( 8 0 0 ) ( 0 0 0 ) 90 ( 9 0 0 ) ( 0 0 0 ) 90 ( 10 0 0 ) ( 0 0 0 ) 90 }";

    #[test]
    fn a_camera_alone_has_the_clock_for_itself_and_starts_anew() {
        let mut bundle = crate::bundle::Bundle::default();
        bundle.add("a.md5camera", CAMERA.as_bytes().to_vec());
        let Ok(figure) = crate::open::open(&bundle, None) else { panic!("a camera can be shown") };
        let mut stage = Stage::new();
        assert_eq!(stage.length(&figure), (1.5, true));
        assert_eq!(stage.camera_view(&figure), None);
        let camera = &figure.parts[0].model().cameras[0];
        for (seconds, x) in [(0.0, 0.0), (0.25, 0.5), (0.5, 8.0), (1.25, 9.5), (1.5, 10.0), (1.75, 0.5), (-0.25, 9.5)] {
            stage.clock.seconds = seconds;
            let place = stage.camera_frame(camera).model_from_camera.translation.x;
            assert!((place - x).abs() < 1e-5, "{seconds}: {place}");
        }
        stage.look_through = Some((0, 0));
        assert_eq!(stage.length(&figure), (1.5, true));
        assert!(stage.camera_view(&figure).is_some());
    }

    #[test]
    fn a_camera_sees_as_wide_as_it_says_whatever_the_shape_of_the_picture() {
        let place = Vec3::new(3.0, -2.0, 5.0);
        let model_from_camera = Transform::new(Quat::from_rotation_z(0.7) * Quat::from_rotation_y(0.3), place);
        let scene = Bounds { min: Vec3::splat(-50.0), max: Vec3::splat(50.0) };
        for fov_x in [20.0_f32, 90.0, 120.0] {
            for aspect in [0.4, 1.0, 16.0 / 9.0, 3.0] {
                let (view, projection) = through_camera(CameraFrame { model_from_camera, fov_x }, aspect, scene);
                let side = 10.0 * (fov_x.to_radians() * 0.5).tan();
                let clip = |in_camera: Vec3| {
                    let in_figure = model_from_camera.to_affine().transform_point3(in_camera);
                    projection.project_point3(view.transform_point3(in_figure))
                };
                let left = clip(Vec3::new(10.0, side, 0.0));
                let top = clip(Vec3::new(10.0, 0.0, side / aspect));
                assert!((left.x + 1.0).abs() < 1e-4 && left.y.abs() < 1e-4, "{fov_x} at {aspect}: {left}");
                assert!((top.y - 1.0).abs() < 1e-4 && top.x.abs() < 1e-4, "{fov_x} at {aspect}: {top}");
            }
        }
        let alone = Bounds { min: place, max: place };
        let (_, projection) = through_camera(CameraFrame { model_from_camera, fov_x: 90.0 }, 1.0, alone);
        assert!(projection.is_finite());
    }

    #[test]
    fn the_orbit_looks_at_its_target_with_z_up() {
        let orbit = Orbit { target: Vec3::new(1.0, 2.0, 3.0), yaw: 0.0, pitch: 0.0, distance: 5.0, fov_y: 1.0 };
        assert!((orbit.eye() - Vec3::new(6.0, 2.0, 3.0)).length() < 1e-5);
        let view_from_world = orbit.view_from_world();
        let target = view_from_world.transform_point3(orbit.target);
        assert!((target - Vec3::new(0.0, 0.0, -5.0)).length() < 1e-5, "{target}");
        let up = view_from_world.transform_vector3(Vec3::Z);
        assert!((up - Vec3::Y).length() < 1e-5, "{up}");
        // Seen from +X, +Y is to the right.
        let right = view_from_world.transform_vector3(Vec3::Y);
        assert!((right - Vec3::X).length() < 1e-5, "{right}");
    }

    #[test]
    fn a_framed_box_of_any_size_is_inside_the_view_and_between_near_and_far() {
        for size in [0.01, 1.0, 10_000.0] {
            for aspect in [0.4, 1.0, 2.5] {
                let bounds = Bounds { min: Vec3::splat(-0.5 * size), max: Vec3::splat(0.5 * size) };
                let mut orbit = Orbit::default();
                orbit.frame(bounds, aspect);
                let clip_from_world = orbit.clip_from_view(aspect, bounds) * Mat4::from(orbit.view_from_world());
                for corner in 0..8 {
                    let sign = |bit: i32| if corner & bit == 0 { 0.5 } else { -0.5 };
                    let point = Vec3::new(sign(1), sign(2), sign(4)) * size;
                    let clip = clip_from_world.project_point3(point);
                    assert!(clip.abs().max_element() < 1.0, "size {size}, aspect {aspect}: {clip}");
                }
            }
        }
    }
}
