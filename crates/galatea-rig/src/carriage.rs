//! How a body carries itself as it goes: it leans into turns and slopes and against what speeds it up, and its
//! legs go where it walks while its trunk looks where it aims (AW-20).
//!
//! Caller: `character`. Model space: metres, +Y up, +Z forward.

use glam::{Quat, Vec3};

use crate::Posed;
use galatea_math::clamp::ClampTo as _;
use galatea_math::damp::{DampedSpring, left};

/// How a body goes, in its own space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyMotion {
    /// Metres per second over the ground, body's own size taken as a human's.
    pub velocity: Vec3,
    /// Metres per second squared.
    pub acceleration: Vec3,
    /// Radians per second about +Y.
    pub turning: f32,
    /// Out of the ground that it stands on.
    pub normal: Vec3,
}

/// The bones that carry themselves: what the legs and the trunk hang on, and the trunk above it.
#[derive(Clone, Debug, PartialEq)]
pub struct Carriage {
    /// The hips.
    pub hips: u16,
    /// From the lowest bone of the spine to the chest.
    pub spine: Vec<u16>,
    /// Height of the hips over the ground at rest, metres.
    pub height: f32,
}

/// How much it leans.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeanSettings {
    /// Share of the lean that would balance a turn.
    pub turn: f32,
    /// Share of the lean that would balance what speeds it up or slows it down.
    pub speed: f32,
    /// Share of the slope by which it leans into the hill.
    pub slope: f32,
    /// Radians at most, to any side.
    pub most: f32,
    /// Seconds in which it does so.
    pub smooth: f32,
}

impl Default for LeanSettings {
    fn default() -> Self {
        Self {
            turn: 0.7,
            speed: 0.4,
            slope: 0.35,
            most: 0.35,
            smooth: 0.18,
        }
    }
}

/// A body that leans.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lean {
    pitch: DampedSpring,
    roll: DampedSpring,
}

/// Metres per second squared.
const G: f32 = 9.81;

impl Lean {
    /// Radians forward and to the left by which it leans now.
    pub fn angles(&self) -> [f32; 2] {
        [self.pitch.value, self.roll.value]
    }

    /// Leans the hips, and all that hangs on them, over the ground below.
    pub fn advance(
        &mut self,
        carriage: &Carriage,
        options: &LeanSettings,
        motion: &BodyMotion,
        posed: &mut Posed<'_>,
        weight: f32,
        dt: f32,
    ) {
        let speed = motion.velocity.with_y(0.0).length();
        let into_turn = (speed * motion.turning / G).atan() * options.turn;
        let into_speed = (motion.acceleration.z / G).atan() * options.speed;
        let sideways = (motion.acceleration.x / G).atan() * options.speed;
        let normal = motion.normal.try_normalize().unwrap_or(Vec3::Y);
        // Uphill the normal leans back.
        let uphill = f32::atan2(-normal.z, normal.y.max(1e-3)) * options.slope;
        let across = f32::atan2(-normal.x, normal.y.max(1e-3)) * options.slope;
        let most = options.most;
        let pitch = (into_speed + uphill).clamp_to(-most, most);
        let roll = (into_turn + sideways + across).clamp_to(-most, most);
        let pitch = self.pitch.advance(pitch, options.smooth, dt) * weight;
        let roll = self.roll.advance(roll, options.smooth, dt) * weight;
        if pitch.abs() + roll.abs() < 1e-6 {
            return;
        }
        // A left lean turns about the way forward, top towards +X.
        let lean = Quat::from_rotation_x(pitch) * Quat::from_rotation_z(-roll);
        posed.turn_in_model(carriage.hips, lean);
        let over = Vec3::Y * carriage.height;
        let parent = posed.parent_model(carriage.hips).inverse();
        let mut local = posed.local(carriage.hips);
        // It turns about the ground, not about the hips.
        local.translation += parent.transform_vector3(lean * over - over);
        posed.set_local(carriage.hips, local);
    }
}

/// How legs go elsewhere than the trunk looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrafeSettings {
    /// Radians by which the hips turn away from the trunk at most; beyond it walks backwards.
    pub most: f32,
    /// Share of that which the spine turns back.
    pub spine: f32,
    /// Metres per second below which it stands.
    pub least: f32,
    /// Seconds in which it turns.
    pub smooth: f32,
}

impl Default for StrafeSettings {
    fn default() -> Self {
        Self {
            most: 1.75,
            spine: 1.0,
            least: 0.2,
            smooth: 0.12,
        }
    }
}

/// Legs that go where the body goes while the trunk looks ahead.
#[derive(Clone, Copy, Debug, Default)]
pub struct Strafe {
    angle: DampedSpring,
    backwards: bool,
}

impl Strafe {
    /// Radians by which the hips are turned to the left, and whether the steps go backwards.
    pub fn state(&self) -> (f32, bool) {
        (self.angle.value, self.backwards)
    }

    /// Turns the hips to where the body goes, and the spine back.
    pub fn advance(
        &mut self,
        carriage: &Carriage,
        options: &StrafeSettings,
        motion: &BodyMotion,
        posed: &mut Posed<'_>,
        weight: f32,
        dt: f32,
    ) {
        let way = motion.velocity.with_y(0.0);
        let goal = if way.length() < options.least {
            self.backwards = false;
            0.0
        } else {
            let angle = f32::atan2(way.x, way.z);
            // What has begun to walk backwards goes on with it a little farther round.
            let edge = if self.backwards { -0.15 } else { 0.15 };
            self.backwards = angle.abs() > options.most + edge;
            if self.backwards {
                (std::f32::consts::PI - angle.abs()).copysign(-angle)
            } else {
                angle.clamp_to(-options.most, options.most)
            }
        };
        let angle = self.angle.advance(goal, options.smooth, dt) * weight;
        if angle.abs() < 1e-6 {
            return;
        }
        posed.turn_in_model(carriage.hips, Quat::from_rotation_y(angle));
        let n = carriage.spine.len();
        if n == 0 {
            return;
        }
        let back = Quat::from_rotation_y(-angle * options.spine / n as f32);
        for bone in &carriage.spine {
            posed.turn_in_model(*bone, back);
        }
    }
}

/// How a body goes, from where it was tick by tick.
#[derive(Clone, Copy, Debug, Default)]
pub struct Going {
    before: Option<(Vec3, f32)>,
    velocity: Vec3,
    /// From the tick before to the last, not smoothed.
    last: Vec3,
    is_shoved: bool,
    acceleration: Vec3,
    turning: f32,
    /// Radians about +Y in the last tick.
    turned: f32,
}

/// Heights of a body per second squared beyond which it does not speed up by itself: something sets it elsewhere, as when
/// it comes to stand on the ground.
const SHOVED: f32 = 45.0;

impl Going {
    /// Radians about +Y by which it turned in the last tick.
    pub fn turned(&self) -> f32 {
        self.turned
    }

    /// From 0 for one who stands to 1 for one who walks, for a body of a `size` over a human's.
    pub fn pace(&self, size: f32) -> f32 {
        (self.velocity.with_y(0.0).length() / (0.5 * size.max(1e-3))).min(1.0)
    }

    /// Notes where it is now: world space, heading in radians about +Y, its size over a human's. A `jump` in
    /// metres or more in one tick is no motion.
    pub fn advance(&mut self, place: Vec3, heading: f32, jump: f32, dt: f32) {
        let before = self.before.replace((place, heading));
        let Some((was, was_heading)) = before.filter(|_| dt > 0.0) else {
            return;
        };
        let way = place - was;
        if way.length() > jump {
            *self = Self {
                before: self.before,
                ..Self::default()
            };
            return;
        }
        let turned = (heading - was_heading + std::f32::consts::PI)
            .rem_euclid(std::f32::consts::TAU)
            - std::f32::consts::PI;
        self.turned = turned;
        let last = way / dt;
        let is_shoved = (last - self.last).length() > SHOVED * jump * dt;
        self.last = last;
        let was_shoved = std::mem::replace(&mut self.is_shoved, is_shoved);
        let velocity = match (is_shoved, was_shoved) {
            (true, _) => self.velocity,
            (false, true) => last,
            (false, false) => last.lerp(self.velocity, left(0.03, dt)),
        };
        let acceleration = if is_shoved || was_shoved {
            Vec3::ZERO
        } else {
            (velocity - self.velocity) / dt
        };
        self.acceleration = acceleration.lerp(self.acceleration, left(0.06, dt));
        self.velocity = velocity;
        let turning = turned / dt;
        self.turning = turning + (self.turning - turning) * left(0.06, dt);
    }

    /// The same in the body's own space, lengths divided by its `size` over a human's.
    pub fn motion(&self, heading: f32, size: f32, normal: Vec3) -> BodyMotion {
        let back = Quat::from_rotation_y(-heading);
        let by = size.max(1e-4).recip();
        BodyMotion {
            velocity: back * self.velocity * by,
            acceleration: back * self.acceleration * by,
            turning: self.turning,
            normal: back * normal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::posed::tests::skeleton;
    use galatea_math::Trs;

    fn pose(run: impl Fn(&Carriage, &mut Posed<'_>)) -> Vec<Vec3> {
        let skeleton = skeleton(&[
            (None, Vec3::Y),
            (Some(0), Vec3::Y * 0.2),
            (Some(1), Vec3::Y * 0.2),
            (Some(2), Vec3::Z * 0.2),
            (Some(0), Vec3::Z * 0.2),
        ]);
        let carriage = Carriage {
            hips: 0,
            spine: vec![1, 2],
            height: 1.0,
        };
        let mut locals: Vec<Trs> = skeleton.rest().collect();
        let mut model = Vec::new();
        galatea_anim::local_to_model(&skeleton, &locals, &mut model);
        let mut posed = Posed::new(&skeleton, &mut locals, &model);
        run(&carriage, &mut posed);
        (0..5).map(|bone| posed.position(bone)).collect()
    }

    #[test]
    fn a_runner_in_a_left_turn_leans_left_and_its_feet_stay() {
        let mut lean = Lean::default();
        let motion = BodyMotion {
            velocity: Vec3::Z * 4.0,
            turning: 1.0,
            normal: Vec3::Y,
            ..BodyMotion::default()
        };
        let options = LeanSettings::default();
        for _ in 0..120 {
            assert!(pose_with(&mut lean, &options, &motion)[0].x >= -1e-6);
        }
        let want = (4.0_f32 / G).atan() * 0.7;
        let [pitch, roll] = lean.angles();
        assert!(pitch.abs() < 1e-5 && (roll - want).abs() < 1e-3, "{roll}");
        let places = pose_with(&mut lean, &options, &motion);
        assert!((places[0].length() - 1.0).abs() < 1e-4);
        assert!((places[0].x - want.sin()).abs() < 1e-3, "{}", places[0]);
    }

    fn pose_with(lean: &mut Lean, options: &LeanSettings, motion: &BodyMotion) -> Vec<Vec3> {
        let cell = std::cell::RefCell::new(lean);
        pose(|carriage, posed| {
            cell.borrow_mut()
                .advance(carriage, options, motion, posed, 1.0, 1.0 / 60.0);
        })
    }

    #[test]
    fn legs_go_sideways_under_a_trunk_that_looks_ahead() {
        for (way, hips_to) in [
            (Vec3::Z, Vec3::Z),
            (Vec3::X, Vec3::X),
            (Vec3::NEG_X, Vec3::NEG_X),
            (Vec3::NEG_Z, Vec3::Z),
            (
                Vec3::new(1.0, 0.0, -3.0),
                Vec3::new(-1.0, 0.0, 3.0).normalize(),
            ),
        ] {
            let strafe = std::cell::RefCell::new(Strafe::default());
            let motion = BodyMotion {
                velocity: way,
                normal: Vec3::Y,
                ..BodyMotion::default()
            };
            let mut places = Vec::new();
            for _ in 0..120 {
                places = pose(|carriage, posed| {
                    let options = StrafeSettings::default();
                    let mut strafe = strafe.borrow_mut();
                    strafe.advance(carriage, &options, &motion, posed, 1.0, 1.0 / 60.0);
                });
            }
            let hips = (places[4] - places[0]).normalize();
            assert!(hips.abs_diff_eq(hips_to, 2e-3), "{way} {hips}");
            let trunk = (places[3] - places[2]).normalize();
            assert!(trunk.abs_diff_eq(Vec3::Z, 2e-3), "{way} {trunk}");
        }
    }

    #[test]
    fn a_jump_is_no_motion_and_a_walk_is() {
        let mut going = Going::default();
        for i in 0..60 {
            going.advance(Vec3::Z * (i as f32 / 60.0), 0.0, 1.0, 1.0 / 60.0);
        }
        assert!((going.motion(0.0, 1.0, Vec3::Y).velocity.z - 1.0).abs() < 1e-2);
        going.advance(Vec3::Z * 50.0, 0.0, 1.0, 1.0 / 60.0);
        assert_eq!(going.motion(0.0, 1.0, Vec3::Y).velocity, Vec3::ZERO);
    }

    #[test]
    fn who_is_set_aside_does_not_speed_up_and_who_runs_off_does() {
        let speeds_up = |place: &dyn Fn(f32) -> f32| {
            let mut going = Going::default();
            let mut most = 0.0_f32;
            for i in 0..60 {
                let place = Vec3::Z * place(i as f32 / 60.0);
                going.advance(place, 0.0, 1.8, 1.0 / 60.0);
                most = most.max(going.motion(0.0, 1.0, Vec3::Y).acceleration.length());
            }
            most
        };
        let set = speeds_up(&|t| if t < 0.1 { 0.0 } else { 0.06 });
        assert!(set < 1e-3, "{set}");
        let runs = speeds_up(&|t| 6.0 * t.min(0.5) * t.min(0.5) + 6.0 * (t - 0.5).max(0.0));
        assert!((8.0..13.0).contains(&runs), "{runs}");
    }
}
