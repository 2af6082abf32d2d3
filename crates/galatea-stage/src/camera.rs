//! An orbit camera that follows a target and is rotated with mouse or touchpad.

use galatea_math::clamp::ClampTo as _;
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::Handle;
use super::frame::Camera;
use super::reload::Reload;

/// The orbit centre of the camera.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum CameraTarget {
    /// A world position.
    Point(Vec3),
    /// A character's position plus an offset.
    Follow(Handle, Vec3),
    /// First person: the camera is at the character's eyes and rotates about them.
    Eyes(Handle),
}

/// Camera settings of the script.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CameraSettings {
    /// Orbit centre.
    pub target: CameraTarget,
    /// Degrees about +Y; 0 faces the front of a character with yaw 0.
    pub yaw: f32,
    /// Degrees above the horizon, -89..=89.
    pub pitch: f32,
    /// Metres to the target.
    pub distance: f32,
    /// Vertical field of view, degrees.
    pub fov: f32,
    /// The player cannot rotate, pan or zoom the camera.
    pub locked: bool,
}

impl Default for CameraSettings {
    fn default() -> Self {
        Self {
            target: CameraTarget::Point(Vec3::new(0.0, 0.95, 0.0)),
            yaw: 25.0,
            pitch: 10.0,
            distance: 4.2,
            fov: 36.0,
            locked: false,
        }
    }
}

/// An orbit camera: settings of the script plus changes by the user.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CameraRig {
    /// Set by the script.
    pub set: CameraSettings,
    /// Yaw and pitch added by the user, degrees.
    pub turned: [f32; 2],
    /// Zoom by the user, as the logarithm of the distance factor.
    pub zoomed: f32,
    /// Pan by the user, metres in the view plane.
    pub panned: Vec3,
    focus: Option<Vec3>,
    focus_before: Vec3,
}

impl CameraRig {
    /// Orbits the target by yaw and pitch in degrees. NaN and infinite values are ignored, as in the other user changes.
    pub fn turn(&mut self, yaw: f32, pitch: f32) {
        if !(yaw.is_finite() && pitch.is_finite()) {
            return;
        }
        self.turned[0] = (self.turned[0] + yaw) % 360.0;
        self.turned[1] =
            (self.turned[1] + pitch).clamp_to(-85.0 - self.set.pitch, 85.0 - self.set.pitch);
    }

    /// Zooms in (negative) or out; 0.1 is about 10 %.
    pub fn zoom(&mut self, amount: f32) {
        if !amount.is_finite() {
            return;
        }
        self.zoomed = (self.zoomed + amount).clamp(-2.5, 2.5);
    }

    /// Pans the target in the view plane; `right` and `up` are fractions of the picture's height.
    pub fn pan(&mut self, right: f32, up: f32) {
        let height = 2.0 * self.distance() * (self.set.fov.to_radians() * 0.5).tan();
        let panned = self.panned + self.rotation() * Vec3::new(right * height, up * height, 0.0);
        if panned.is_finite() {
            self.panned = panned.clamp_length_max(1e4);
        }
    }

    /// Keeps the changes of the user, unless the script now sets other values.
    fn continue_from(&mut self, old: &Self) {
        self.focus = old.focus;
        self.focus_before = old.focus_before;
        if self.set == old.set {
            self.turned = old.turned;
            self.zoomed = old.zoomed;
            self.panned = old.panned;
        }
    }

    /// Jumps to the target in the next tick, without smoothing.
    pub fn cut(&mut self) {
        self.focus = None;
    }

    /// The character through whose eyes the camera looks.
    pub fn behind_eyes_of(&self) -> Option<Handle> {
        match self.set.target {
            CameraTarget::Eyes(handle) => Some(handle),
            _ => None,
        }
    }

    /// Moves the focus towards the followed character; `position` is that of the character or its eyes. NaN and infinite
    /// positions are ignored.
    pub fn tick(&mut self, position: Option<Vec3>, dt: f32) {
        let position = position.filter(|position| position.is_finite());
        let target = match self.set.target {
            CameraTarget::Eyes(_) => {
                if let Some(eyes) = position.or(self.focus) {
                    self.focus_before = self.focus.unwrap_or(eyes);
                    self.focus = Some(eyes);
                }
                return;
            }
            CameraTarget::Point(point) => point,
            CameraTarget::Follow(_, offset) => position.map_or_else(
                || self.focus.unwrap_or(offset),
                |position| position + offset,
            ),
        };
        let before = self.focus.unwrap_or(target);
        self.focus_before = before;
        // Slow enough to hide steps, fast enough to keep a runner in view.
        let fraction = 1.0 - (-8.0 * dt).exp();
        let focus = before + (target - before) * fraction;
        // The product can overflow for distant targets.
        self.focus = Some(if focus.is_finite() { focus } else { before });
    }

    /// The camera, interpolated between the last two ticks by `alpha` (0..=1).
    pub fn camera(&self, alpha: f32) -> Camera {
        let focus = match (self.focus, self.set.target) {
            (Some(focus), _) => self.focus_before.lerp(focus, alpha),
            (None, CameraTarget::Point(point)) => point,
            (None, CameraTarget::Follow(_, offset)) => offset,
            (None, CameraTarget::Eyes(_)) => Vec3::ZERO,
        };
        if self.behind_eyes_of().is_some() {
            return Camera {
                eye: focus,
                target: focus - self.rotation() * Vec3::Z,
                fov_y: self.set.fov,
            };
        }
        let target = focus + self.panned;
        Camera {
            eye: target + self.rotation() * Vec3::new(0.0, 0.0, self.distance()),
            target,
            fov_y: self.set.fov,
        }
    }

    /// Unit direction from the eye of the last tick through a point of the picture, given in fractions from the top left;
    /// `aspect` is width over height.
    pub fn through(&self, [x, y]: [f32; 2], aspect: f32) -> Vec3 {
        let camera = self.camera(1.0);
        let half = (camera.fov_y.to_radians() * 0.5).tan();
        let ahead = (camera.target - camera.eye).normalize_or(Vec3::NEG_Z);
        let right = ahead.cross(Vec3::Y).normalize_or(Vec3::X);
        let up = right.cross(ahead);
        let (x, y) = ((2.0 * x - 1.0) * half * aspect, (1.0 - 2.0 * y) * half);
        (ahead + right * x + up * y).normalize_or(ahead)
    }

    fn distance(&self) -> f32 {
        self.set.distance * self.zoomed.exp()
    }

    fn rotation(&self) -> Quat {
        let yaw = (self.set.yaw + self.turned[0]).to_radians();
        let pitch = (self.set.pitch + self.turned[1])
            .clamp(-89.0, 89.0)
            .to_radians();
        Quat::from_rotation_y(yaw) * Quat::from_rotation_x(-pitch)
    }
}

/// Keeps the changes of the user.
pub(super) fn migrate(reload: &mut Reload<'_>) {
    reload.new.camera.continue_from(&reload.old.camera);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yaw_0_is_in_front_of_a_character_and_pitch_raises_the_camera() {
        let mut rig = CameraRig::default();
        rig.set = CameraSettings {
            yaw: 0.0,
            pitch: 30.0,
            distance: 2.0,
            ..rig.set
        };
        let camera = rig.camera(1.0);
        let offset = camera.eye - camera.target;
        assert!(
            offset.abs_diff_eq(Vec3::new(0.0, 1.0, 3f32.sqrt()), 1e-5),
            "{offset}"
        );
    }

    #[test]
    fn a_reload_keeps_the_users_rotation_unless_the_script_moved_the_camera() {
        let mut old = CameraRig::default();
        old.turn(40.0, 200.0);
        let mut same = CameraRig::default();
        same.continue_from(&old);
        assert_eq!(same.turned, old.turned);
        let mut moved = CameraRig::default();
        moved.set.yaw = 90.0;
        moved.continue_from(&old);
        assert_eq!(moved.turned, [0.0, 0.0]);
        assert!(old.camera(1.0).eye.is_finite());
    }

    #[test]
    fn no_input_and_no_character_makes_the_camera_nan() {
        let mut arena = super::super::Arena::default();
        let mut rig = CameraRig::default();
        rig.set.target = CameraTarget::Follow(arena.insert(()), Vec3::Y);
        rig.tick(Some(Vec3::ZERO), 0.1);
        for wrong in [f32::NAN, f32::INFINITY, f32::MAX] {
            rig.turn(wrong, wrong);
            rig.pan(wrong, wrong);
            rig.zoom(wrong);
            rig.tick(Some(Vec3::splat(wrong)), 0.1);
            rig.tick(Some(Vec3::splat(-wrong)), 0.1);
            let camera = rig.camera(0.5);
            assert!(
                camera.eye.is_finite() && camera.target.is_finite(),
                "{wrong}: {camera:?}"
            );
        }
        for _ in 0..200 {
            rig.tick(Some(Vec3::X), 0.1);
        }
        let panned = rig.panned;
        assert!((rig.camera(1.0).target - panned).abs_diff_eq(Vec3::new(1.0, 1.0, 0.0), 1e-3));
    }

    #[test]
    fn a_first_person_camera_is_at_the_eyes_without_smoothing() {
        let mut arena = super::super::Arena::default();
        let mut rig = CameraRig::default();
        rig.set = CameraSettings {
            target: CameraTarget::Eyes(arena.insert(())),
            yaw: 180.0,
            pitch: 0.0,
            ..rig.set
        };
        rig.tick(Some(Vec3::Y), 0.1);
        rig.tick(Some(Vec3::new(2.0, 1.5, 0.0)), 0.1);
        let camera = rig.camera(1.0);
        assert_eq!(camera.eye, Vec3::new(2.0, 1.5, 0.0));
        assert!((camera.target - camera.eye).abs_diff_eq(Vec3::Z, 1e-6));
        assert_eq!(rig.camera(0.5).eye, Vec3::new(1.0, 1.25, 0.0));
        // Without a target position the camera stays.
        rig.tick(None, 0.1);
        assert_eq!(rig.camera(1.0).eye, Vec3::new(2.0, 1.5, 0.0));
    }
}
