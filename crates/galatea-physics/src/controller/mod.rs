//! Character controller: settings, state and events as plain data.
//!
//! Sweeps, steps and overlap resolution use rapier's `KinematicCharacterController`. Ground, slopes, moving platforms,
//! speed, jumps and pushing are implemented here.

mod capsule;
mod gait;
mod ground;
mod tick;
mod upright;
mod walk;

use galatea_math::clamp::ClampTo as _;
use glam::Vec3;
use serde::{Deserialize, Serialize};

use capsule::Capsule;

use super::body_id::BodyId;
use super::ragdoll::RigidFrame;
use super::tag::Owner;

/// Settings of a character controller. Lengths are metres at scale 1 and grow with the character; speeds, accelerations and
/// jump heights are in world metres and seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ControllerSettings {
    /// Radius of the capsule.
    pub radius: f32,
    /// Height from the soles to the crown.
    pub height: f32,
    /// Height of the soles in the model's space.
    pub sole: f32,
    /// Height while crouching, at least twice the radius.
    pub crouch_height: f32,
    /// Maximum step height.
    pub max_step_height: f32,
    /// Maximum slope of walkable ground, radians.
    pub max_slope: f32,
    /// Gravity downwards, m/s²; with 0 it moves exactly as requested, also up and down.
    pub gravity: f32,
    /// Terminal fall speed, m/s.
    pub max_fall_speed: f32,
    /// Acceleration towards the requested velocity, m/s².
    pub acceleration: f32,
    /// Deceleration towards standing, m/s².
    pub deceleration: f32,
    /// Fraction of the acceleration in the air, 0 or more.
    pub air_control: f32,
    /// Maximum turn rate of movement direction and facing, radians per second.
    pub turn_rate: f32,
    /// The character turns towards its movement direction.
    pub turn_to_movement: bool,
    /// Jump height, world metres.
    pub jump_height: f32,
    /// Coyote time: seconds after leaving the ground in which a jump is still possible.
    pub coyote_time: f32,
    /// Jump buffer: seconds before landing from which a jump is remembered.
    pub jump_buffer: f32,
    /// Mass at scale 1, kilograms, with which it loads the ground.
    pub mass: f32,
    /// Maximum push force at scale 1, newtons.
    pub push_force: f32,
    /// Collision layer of the capsule, 0..32.
    pub layer: u8,
}

impl ControllerSettings {
    /// Fits the capsule to the bounding box of a model at rest. It is as tall as the box, and as wide as the narrower side
    /// of `trunk`, the box without arms and held props, but not thinner than a standing human. The mass is that of a human
    /// of this height.
    pub fn fitted([low, high]: [Vec3; 2], trunk: [Vec3; 2]) -> Self {
        let height = (high.y - low.y).max(1e-2);
        let wide = trunk[1] - trunk[0];
        let radius = (wide.x.min(wide.z) / 2.0).clamp_to(0.14 * height, 0.5 * height);
        Self {
            radius,
            height,
            sole: low.y,
            crouch_height: (0.6 * height).max(2.0 * radius),
            max_step_height: 0.2 * height,
            max_slope: 50f32.to_radians(),
            gravity: 9.81,
            max_fall_speed: 55.0,
            acceleration: 12.0,
            deceleration: 16.0,
            air_control: 0.3,
            turn_rate: 540f32.to_radians(),
            turn_to_movement: true,
            jump_height: 0.3 * height,
            coyote_time: 0.1,
            jump_buffer: 0.12,
            mass: 12.0 * height.powi(3),
            push_force: 84.0 * height.powi(3),
            layer: 2,
        }
    }
}

/// Ground contact of a controller.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroundContact {
    /// Owner; [`Owner::FLOOR_OWNER`] for the floor.
    pub owner: Owner,
    /// Collider index of that owner.
    pub part: u16,
    /// Contact point, world space.
    pub point: Vec3,
    /// Normal of the face below, unit.
    pub normal: Vec3,
    /// Normal of the contact of the capsule, unit; differs from the face's at edges.
    pub(super) contact: Vec3,
    /// Body of the ground, and its frame in the last tick.
    pub(super) body: Option<(BodyId, RigidFrame)>,
}

/// Event of a controller in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum ControllerTickEvent {
    /// Jump off the ground.
    Jump {
        /// Upward speed, m/s.
        speed: f32,
    },
    /// Loss of ground contact without a jump.
    Fall,
    /// Landing.
    Land {
        /// Downward speed at touchdown, m/s.
        speed: f32,
        /// Height of the fall, metres, from the highest position since it left the ground.
        height: f32,
        /// Ground that it landed on.
        ground: GroundContact,
    },
    /// Step climbed.
    StepUp {
        /// Height of the step, metres.
        height: f32,
        /// Ground on top of the step.
        ground: GroundContact,
    },
    /// Begin or end of sliding on ground that is too steep.
    Slide {
        /// True at the begin, false at the end.
        began: bool,
        /// Slope, radians from level.
        slope: f32,
        /// Ground that it slides on.
        ground: GroundContact,
    },
    /// Collision while walking into a collider.
    Bump {
        /// Owner of the collider.
        owner: Owner,
        /// Collider index of that owner.
        part: u16,
        /// Position, world space.
        position: Vec3,
        /// Surface normal of the collider, unit.
        normal: Vec3,
        /// Speed into it, metres per second.
        speed: f32,
    },
}

/// Ground state of a controller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) enum GroundState {
    /// Not known yet, just after placement.
    #[default]
    Unknown,
    /// On walkable ground.
    Ground(GroundContact),
    /// In the air.
    Air,
}

/// Pose of a character, as far as a controller moves it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ControllerPose {
    /// Origin of the model, world space.
    pub position: Vec3,
    /// Yaw about +Y, degrees.
    pub yaw: f32,
    /// Scale.
    pub scale: f32,
}

/// Character controller.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Controller {
    /// Settings.
    pub options: ControllerSettings,
    /// Requested velocity, m/s, world space.
    pub desired_velocity: Vec3,
    /// Displacement of root motion in this tick, metres, world space.
    pub root_translation: Vec3,
    /// Requested jump: its speed, and seconds since the request.
    pub jump: Option<(f32, f32)>,
    /// Crouching is requested.
    pub crouch: bool,
    /// Own velocity: relative to the ground while standing, otherwise in the world.
    pub velocity: Vec3,
    /// The capsule is squeezed: it cannot move out of an overlap.
    pub is_crushed: bool,
    /// Seconds since it left the ground.
    pub air_time: f32,
    /// The capsule has the crouching height.
    pub(super) is_low: bool,
    /// Position of the soles, world space.
    pub(super) feet: Vec3,
    pub(super) footing: GroundState,
    /// Velocity of the ground at the contact.
    pub(super) platform_velocity: Vec3,
    /// Height of the tread below the feet; height of the last reported step, with seconds since.
    pub(super) level: f32,
    pub(super) last_step: (f32, f32),
    /// The character left the ground by a jump.
    pub(super) has_jumped: bool,
    /// Highest position since it left the ground.
    pub(super) top: f32,
    /// Ground that it slides on, and seconds since it touched it.
    pub(super) slide: Option<(GroundContact, f32)>,
    /// Seconds for which it has hung in the air without falling.
    pub(super) hang_time: f32,
    /// Colliders that it recently walked into, and seconds since.
    pub(super) bumped: Vec<(Owner, f32)>,
    /// Visual offset above its feet, metres, that smooths steps.
    pub(super) lag: f32,
    /// Last drawn pose.
    pub(super) drawn_pose: Option<ControllerPose>,
    /// The limbs are bodies in the world too: thrown bodies collide with the limbs, not with the capsule.
    pub is_hollow: bool,
    /// Body in the world, and its capsule there.
    pub(super) body: Option<(BodyId, Capsule)>,
}

impl Controller {
    /// Controller at rest.
    pub fn new(options: ControllerSettings) -> Self {
        Self {
            options,
            desired_velocity: Vec3::ZERO,
            root_translation: Vec3::ZERO,
            jump: None,
            crouch: false,
            velocity: Vec3::ZERO,
            is_crushed: false,
            air_time: 0.0,
            is_low: false,
            feet: Vec3::ZERO,
            footing: GroundState::Unknown,
            platform_velocity: Vec3::ZERO,
            level: 0.0,
            last_step: (f32::MIN, 0.0),
            has_jumped: false,
            top: 0.0,
            slide: None,
            hang_time: 0.0,
            bumped: Vec::new(),
            lag: 0.0,
            drawn_pose: None,
            body: None,
            is_hollow: false,
        }
    }

    /// Takes over the state of another controller after a hot reload, but keeps its own settings.
    pub fn continue_from(&mut self, previous: Self) {
        let options = self.options.clone();
        let (wish, jump, crouch) = (self.desired_velocity, self.jump, self.crouch);
        let body = self.body.take();
        *self = Self {
            options,
            desired_velocity: wish,
            jump: jump.or(previous.jump),
            crouch,
            body,
            ..previous
        };
        self.forget_ground();
    }

    /// Requests a jump, to the height in the settings or to a given one, metres.
    pub fn jump_to(&mut self, height: Option<f32>) {
        let height = height.unwrap_or(self.options.jump_height).max(0.0);
        let speed = (2.0 * self.options.gravity.max(0.0) * height).sqrt();
        self.jump = Some((speed, 0.0));
    }

    /// Body in the world.
    pub fn body(&self) -> Option<BodyId> {
        Some(self.body?.0)
    }

    /// Records that its body has left the world; it may return to another one.
    pub fn left_world(&mut self) {
        self.body = None;
        self.footing = GroundState::Unknown;
        self.drawn_pose = None;
    }

    fn forget_ground(&mut self) {
        if let GroundState::Ground(ground) = &mut self.footing {
            ground.body = None;
        }
    }

    /// Walkable ground under the feet, if any.
    pub fn ground(&self) -> Option<&GroundContact> {
        match &self.footing {
            GroundState::Ground(ground) => Some(ground),
            _ => None,
        }
    }

    /// Returns true while it stands on walkable ground.
    pub fn is_grounded(&self) -> bool {
        matches!(self.footing, GroundState::Ground(_))
    }

    /// Returns true while it slides on ground that is too steep.
    pub fn is_sliding(&self) -> bool {
        self.slide.is_some()
    }

    /// Returns true while its capsule has the crouching height, by request or because there is no room above.
    pub fn is_low(&self) -> bool {
        self.is_low
    }

    /// Velocity in the world, m/s.
    pub fn world_velocity(&self) -> Vec3 {
        self.velocity + self.platform_velocity
    }

    /// Speed over the ground, m/s.
    pub fn speed(&self) -> f32 {
        self.velocity.with_y(0.0).length()
    }

    /// Sets its velocity in the world, m/s. An upward velocity lifts it off the ground.
    pub fn set_velocity(&mut self, velocity: Vec3) {
        if !velocity.is_finite() {
            return;
        }
        self.velocity = velocity - self.platform_velocity;
        if self.velocity.y > 1e-3 && self.is_grounded() {
            self.leave_ground();
            self.has_jumped = true;
        }
    }

    /// Leaves the ground and keeps the velocity of the platform.
    pub(super) fn leave_ground(&mut self) {
        self.velocity += std::mem::take(&mut self.platform_velocity);
        self.footing = GroundState::Air;
        self.air_time = 0.0;
        self.hang_time = 0.0;
        self.top = self.feet.y;
    }
}
