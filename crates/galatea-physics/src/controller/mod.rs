//! A character that walks: what is asked of it and how it moves, as plain data.
//!
//! Sweeping, steps and getting out of overlaps are rapier's `KinematicCharacterController`; ground,
//! slopes, being carried, speed, jumps and pushing are here. Source: row AW-24 (input to motion).

mod capsule;
mod gait;
mod ground;
mod tick;
mod upright;
mod walk;

use galatea_math::clamp::ClampTo as _;
use glam::Vec3;

use capsule::Capsule;

use super::body_id::BodyId;
use super::ragdoll::RigidFrame;
use super::tag::Owner;

/// How a character walks. Lengths are metres at scale 1 and grow with the character; speeds, accelerations
/// and heights of jumps are metres and seconds of the world.
#[derive(Clone, Debug, PartialEq)]
pub struct ControllerSettings {
    /// Of the capsule.
    pub radius: f32,
    /// From the soles to the crown.
    pub height: f32,
    /// Height of the soles in the model's space.
    pub sole: f32,
    /// Height while it crouches, at least twice the radius.
    pub crouch_height: f32,
    /// Highest step that it climbs.
    pub step: f32,
    /// Steepest ground that it walks on, radians.
    pub slope: f32,
    /// Downwards, m/s²; with 0 it goes where it is told, up and down too.
    pub gravity: f32,
    /// Fastest fall, m/s.
    pub terminal: f32,
    /// m/s² towards a wish.
    pub acceleration: f32,
    /// m/s² towards standing.
    pub deceleration: f32,
    /// Share of its acceleration that it has in the air, 0 and more.
    pub air_control: f32,
    /// Radians per second at most, of its way and of how it faces.
    pub turn_rate: f32,
    /// It turns to where it goes.
    pub face: bool,
    /// Height of a jump, metres of the world.
    pub jump: f32,
    /// Seconds after leaving the ground in which it may still jump.
    pub coyote: f32,
    /// Seconds before landing from which a jump is remembered.
    pub buffer: f32,
    /// Kilograms at scale 1, by which it presses on what it stands on.
    pub mass: f32,
    /// Newtons with which it pushes at most, at scale 1.
    pub push: f32,
    /// Which layer its capsule is in, 0..32.
    pub layer: u8,
}

impl ControllerSettings {
    /// Fitted to the box around a model at rest: as tall as it, and as wide as the narrower side of its `trunk`,
    /// the box without arms and what they hold, but not thinner than a standing human; as heavy as a human
    /// would be at that height.
    pub fn fitted([low, high]: [Vec3; 2], trunk: [Vec3; 2]) -> Self {
        let height = (high.y - low.y).max(1e-2);
        let wide = trunk[1] - trunk[0];
        let radius = (wide.x.min(wide.z) / 2.0).clamp_to(0.14 * height, 0.5 * height);
        Self {
            radius,
            height,
            sole: low.y,
            crouch_height: (0.6 * height).max(2.0 * radius),
            step: 0.2 * height,
            slope: 50f32.to_radians(),
            gravity: 9.81,
            terminal: 55.0,
            acceleration: 12.0,
            deceleration: 16.0,
            air_control: 0.3,
            turn_rate: 540f32.to_radians(),
            face: true,
            jump: 0.3 * height,
            coyote: 0.1,
            buffer: 0.12,
            mass: 12.0 * height.powi(3),
            push: 84.0 * height.powi(3),
            layer: 2,
        }
    }
}

/// What it stands on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundContact {
    /// Whose it is; nobody's for the floor.
    pub owner: Owner,
    /// Which of its forms.
    pub part: u16,
    /// Where it stands on it, world space.
    pub point: Vec3,
    /// Unit, out of the face that it stands on.
    pub normal: Vec3,
    /// Unit, out of what the capsule rests on; other than the face's on edges.
    pub(super) contact: Vec3,
    /// The body, and where it was in the last tick.
    pub(super) body: Option<(BodyId, RigidFrame)>,
}

/// What a character told of its way in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Walked {
    /// It jumped at this speed, m/s.
    Jump {
        /// Upwards.
        speed: f32,
    },
    /// It left the ground without jumping.
    Fall,
    /// It came to stand.
    Land {
        /// Downwards when it met the ground, m/s.
        speed: f32,
        /// Metres from its highest place since it left the ground.
        height: f32,
        /// On what.
        ground: GroundContact,
    },
    /// It climbed a step.
    StepUp {
        /// Metres.
        height: f32,
        /// On what it stands now.
        ground: GroundContact,
    },
    /// It began or ceased to slide on ground that is too steep.
    Slide {
        /// It began.
        began: bool,
        /// Radians from level.
        slope: f32,
        /// On what.
        ground: GroundContact,
    },
    /// It walked into something.
    Bump {
        /// Whose it is.
        owner: Owner,
        /// Which of its forms.
        part: u16,
        /// World space.
        position: Vec3,
        /// Unit, out of what it met.
        normal: Vec3,
        /// Metres per second into it.
        speed: f32,
    },
}

/// How it stands in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum GroundState {
    /// It was just put there.
    #[default]
    Unknown,
    /// It stands.
    Ground(GroundContact),
    /// It is in the air.
    Air,
}

/// Where a character is drawn, as far as walking moves it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ControllerPose {
    /// Origin of the model, world space.
    pub position: Vec3,
    /// Degrees about +Y.
    pub yaw: f32,
    /// Factor on its size.
    pub scale: f32,
}

/// A character that walks.
#[derive(Clone, Debug)]
pub struct Controller {
    /// How it does that.
    pub options: ControllerSettings,
    /// Velocity that is wished, m/s, world space.
    pub wish: Vec3,
    /// What root motion travelled in this tick, metres, world space.
    pub travel: Vec3,
    /// A jump that is asked for: its speed, and seconds since.
    pub jump: Option<(f32, f32)>,
    /// It is to crouch.
    pub crouch: bool,
    /// Its own velocity: over the ground while it stands, else in the world.
    pub velocity: Vec3,
    /// It cannot give way to what presses it.
    pub squeezed: bool,
    /// Seconds since it left the ground.
    pub air_time: f32,
    /// Its capsule is low.
    pub(super) is_low: bool,
    /// Soles, world space.
    pub(super) feet: Vec3,
    pub(super) footing: GroundState,
    /// Velocity of what it stands on, where it stands.
    pub(super) carried: Vec3,
    /// Height of the tread that it stands on, and of the step told last with seconds since.
    pub(super) level: f32,
    pub(super) last_step: (f32, f32),
    /// It left the ground by a jump.
    pub(super) has_jumped: bool,
    /// Highest since it left the ground.
    pub(super) top: f32,
    /// What it slides on, and seconds since it touched it.
    pub(super) slide: Option<(GroundContact, f32)>,
    /// Seconds for which it has hung in the air without falling.
    pub(super) hung: f32,
    /// What it walked into lately, and seconds since.
    pub(super) bumped: Vec<(Owner, f32)>,
    /// Metres that it is drawn above its feet: steps are smoothed.
    pub(super) lag: f32,
    /// How it was drawn last.
    pub(super) shown: Option<ControllerPose>,
    /// Its limbs are bodies in the world too: thrown bodies collide with the limbs, not with the capsule.
    pub is_hollow: bool,
    /// Its body in the world, and the capsule that it has there.
    pub(super) body: Option<(BodyId, Capsule)>,
}

impl Controller {
    /// One that stands where it is put.
    pub fn new(options: ControllerSettings) -> Self {
        Self {
            options,
            wish: Vec3::ZERO,
            travel: Vec3::ZERO,
            jump: None,
            crouch: false,
            velocity: Vec3::ZERO,
            squeezed: false,
            air_time: 0.0,
            is_low: false,
            feet: Vec3::ZERO,
            footing: GroundState::Unknown,
            carried: Vec3::ZERO,
            level: 0.0,
            last_step: (f32::MIN, 0.0),
            has_jumped: false,
            top: 0.0,
            slide: None,
            hung: 0.0,
            bumped: Vec::new(),
            lag: 0.0,
            shown: None,
            body: None,
            is_hollow: false,
        }
    }

    /// Goes on as another did, with its own options: after a script was saved.
    pub fn continue_from(&mut self, was: Self) {
        let options = self.options.clone();
        let (wish, jump, crouch) = (self.wish, self.jump, self.crouch);
        let body = self.body.take();
        *self = Self {
            options,
            wish,
            jump: jump.or(was.jump),
            crouch,
            body,
            ..was
        };
        self.forget_ground();
    }

    /// Asks for a jump: as high as its options say, or so high, metres.
    pub fn jump_to(&mut self, height: Option<f32>) {
        let height = height.unwrap_or(self.options.jump).max(0.0);
        let speed = (2.0 * self.options.gravity.max(0.0) * height).sqrt();
        self.jump = Some((speed, 0.0));
    }

    /// Its body in the world.
    pub fn body(&self) -> Option<BodyId> {
        Some(self.body?.0)
    }

    /// Its body has left the world, which may not be the one that it comes back to.
    pub fn leave(&mut self) {
        self.body = None;
        self.footing = GroundState::Unknown;
        self.shown = None;
    }

    fn forget_ground(&mut self) {
        if let GroundState::Ground(ground) = &mut self.footing {
            ground.body = None;
        }
    }

    /// What it stands on.
    pub fn ground(&self) -> Option<&GroundContact> {
        match &self.footing {
            GroundState::Ground(ground) => Some(ground),
            _ => None,
        }
    }

    /// True while it stands on ground that it can walk on.
    pub fn is_grounded(&self) -> bool {
        matches!(self.footing, GroundState::Ground(_))
    }

    /// True while it slides on ground that is too steep.
    pub fn is_sliding(&self) -> bool {
        self.slide.is_some()
    }

    /// True while its capsule is low: asked to, or because there is no room above.
    pub fn is_low(&self) -> bool {
        self.is_low
    }

    /// Its velocity in the world, m/s.
    pub fn world_velocity(&self) -> Vec3 {
        self.velocity + self.carried
    }

    /// How fast it goes over the ground, m/s.
    pub fn speed(&self) -> f32 {
        self.velocity.with_y(0.0).length()
    }

    /// Sets its velocity in the world, m/s. Upwards it leaves the ground.
    pub fn set_velocity(&mut self, velocity: Vec3) {
        if !velocity.is_finite() {
            return;
        }
        self.velocity = velocity - self.carried;
        if self.velocity.y > 1e-3 && self.is_grounded() {
            self.leave_ground();
            self.has_jumped = true;
        }
    }

    /// From the ground into the air: it keeps the velocity of what carried it.
    pub(super) fn leave_ground(&mut self) {
        self.velocity += std::mem::take(&mut self.carried);
        self.footing = GroundState::Air;
        self.air_time = 0.0;
        self.hung = 0.0;
        self.top = self.feet.y;
    }
}
