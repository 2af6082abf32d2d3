//! Quality meters of a character, updated every tick.
//!
//! - Foot slide: distance that a planted foot has moved over the ground since it was planted, metres. The clips say when a
//!   foot is planted: low, and as slow over the ground as the clip intends. Without clips the foot's height and speed
//!   decide.
//! - Pop: the largest jolt of a bone in character space, relative to the largest jolt that the visible clips have on their
//!   own. A value of 1 means as jolty as the clips.
//! - Root drift: horizontal distance of the hips from their position in the lowest layer's clips and the actions without a
//!   mask, relative to the character, with root motion removed, metres. It shows how far a travelling clip runs away without
//!   root motion.
//! - Lip lag: seconds by which the mouth is behind the audible speech (positive) or ahead of it (negative).
//!
//! The stage calls this once per tick when poses and positions are known. It allocates only on creation and the first time
//! that any character plays a clip.

use glam::{Affine3A, Vec3};
use serde::{Deserialize, Serialize};

use super::definition::Definition;
use super::modifier_stack::ModifierStack;
use super::own_motion::{BodySize, visible_positions};
use super::placement::Placement;
use super::playing::Playing;
use galatea_anim::metrics::{FootNow, FootSlide, Pop, RootDrift};
use galatea_speech::lag::LipLag;
use galatea_speech::viseme::N_VISEMES;

/// Maximum movement of a human-sized body per tick, metres; more counts as a teleport.
const MAX_STEP: f32 = 0.3;
/// Maximum rotation per tick, degrees.
const MAX_ROTATION: f32 = 60.0;

/// The meters of one character.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Metrics {
    slide: FootSlide,
    pop: Pop,
    drift: RootDrift,
    lips: LipLag,
    /// Last measurable lip lag, and the largest, seconds.
    lag: [f32; 2],
    feet: Vec<FootNow>,
    body: BodySize,
    before: Option<Placement>,
}

/// Input of the meters: the character after its pose and position were computed.
#[derive(Clone, Copy)]
pub struct MetricsInput<'a> {
    /// State machine and clips of the character.
    pub playing: Playing<'a>,
    /// Position, rotation and scale in the world.
    pub placement: Placement,
    /// World-from-model matrix of the tick.
    pub world_from_model: Affine3A,
    /// Model-from-bone matrices of the tick.
    pub model_from_bone: &'a [Affine3A],
    /// Modifiers of the pose, which may lock feet.
    pub modifier_stack: Option<&'a ModifierStack>,
}

impl MetricsInput<'_> {
    /// World position of a bone's origin.
    fn bone_position(&self, bone: u16) -> Vec3 {
        let matrix = self.model_from_bone.get(usize::from(bone));
        let in_model = matrix.map_or(Vec3::ZERO, |m| m.translation.into());
        self.world_from_model.transform_point3(in_model)
    }
}

/// Reading of a meter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MetricReading {
    /// Value of the last tick; for foot slide, the distance of that tick.
    pub now: f32,
    /// Maximum since the last reset.
    pub peak: f32,
}

/// Names of the meters, as scripts see them.
pub const METRICS: [&str; 4] = ["foot_slide", "pop", "root_drift", "lip_lag"];

impl Metrics {
    /// Creates meters for a character of this definition and scale.
    pub fn new(definition: &Definition, scale: f32) -> Self {
        let body = BodySize::of(definition);
        let n_feet = definition.feet.iter().flatten().count();
        Self {
            slide: FootSlide::new(n_feet, body.plant_rule(scale)),
            pop: Pop::new(definition.model.skeleton.len()),
            drift: RootDrift::default(),
            lips: LipLag::default(),
            lag: [0.0; 2],
            feet: Vec::with_capacity(n_feet),
            body,
            before: None,
        }
    }

    /// Returns the reading of a meter, or `None` for a name that is not in [`METRICS`].
    pub fn reading(&self, meter: &str) -> Option<MetricReading> {
        let [now, peak] = match meter {
            "foot_slide" => [self.slide.step(), self.slide.peak()],
            "pop" => [self.pop.reading(), self.pop.peak()],
            "root_drift" => [self.drift.reading(), self.drift.peak()],
            "lip_lag" => self.lag,
            _ => return None,
        };
        Some(MetricReading { now, peak })
    }

    /// Returns the body height relative to a human, at a scale of 1.
    pub fn size(&self) -> f32 {
        self.body.size
    }

    /// Returns the index of the bone with the largest pop since the last reset.
    pub fn worst_bone(&self) -> usize {
        self.pop.worst()
    }

    /// Sets all peaks to 0 and forgets previous positions of feet and bones.
    pub fn reset(&mut self) {
        self.slide.reset();
        self.pop.reset();
        self.drift.reset();
        self.lips = LipLag::default();
        self.lag = [0.0; 2];
        self.before = None;
    }

    /// Sets all peaks to 0; planted feet stay planted.
    pub fn reset_peaks(&mut self) {
        self.slide.reset_peak();
        self.pop.reset_peak();
        self.drift.reset();
        self.lag[1] = 0.0;
    }

    /// Takes the viseme weights of a tick of `dt` seconds and the loudness of the audible speech, 0..=1.
    pub fn measure_lip_lag(&mut self, weights: &[f32; N_VISEMES], loudness: f32, dt: f32) {
        self.lips.take_in(weights, loudness);
        if let Some(lag) = self.lips.lag(dt) {
            self.lag[0] = lag;
            if lag.abs() > self.lag[1].abs() {
                self.lag[1] = lag;
            }
        }
    }

    /// Updates the meters by one tick of `dt` seconds.
    pub fn read(&mut self, input: &MetricsInput<'_>, dt: f32) {
        let definition = input.playing.definition;
        let now = input.placement;
        if self.before.is_some_and(|before| self.jumps(before, now)) {
            self.slide.lift();
        }
        self.before = Some(now);
        let own = input.playing.mixed(self.body.hips);
        let scale = now.scale.abs();
        let places = visible_positions(definition, input.model_from_bone);
        let places = places.map(|place| place * scale);
        self.pop.update_against(places, dt, own.jolt * scale);
        self.feet.clear();
        for (foot, bone) in definition.feet.into_iter().enumerate() {
            let Some(bone) = bone else { continue };
            let place = input.bone_position(bone);
            // The foot placement modifier knows when a foot is planted, by which end, and on which surface.
            if let Some(held) = input.modifier_stack.and_then(|s| s.locked_foot(bone)) {
                let matrix = input.model_from_bone.get(usize::from(bone));
                let world = input.world_from_model * matrix.copied().unwrap_or_default();
                let on = |(end, on): (Vec3, Affine3A)| {
                    on.inverse().transform_point3(world.transform_point3(end))
                };
                self.feet.push(FootNow {
                    position: held.map_or(place, on),
                    ground: now.position.y,
                    planted: Some(held.is_some()),
                });
                continue;
            }
            // While clips blend, a foot may hover between two planted positions.
            let is_low = place.y - now.position.y < self.body.stands_below(foot) * scale;
            self.feet.push(FootNow {
                position: place,
                ground: now.position.y,
                planted: own.planted.map(|planted| planted[foot] > 0.5 && is_low),
            });
        }
        self.slide.update(&self.feet, dt);
        if let Some(hips) = self.body.hips {
            let world = input.world_from_model;
            self.drift.update(
                input.bone_position(hips),
                world.translation.into(),
                world.transform_vector3(own.hips),
            );
        }
    }

    /// Returns true when the character was teleported.
    fn jumps(&self, before: Placement, now: Placement) -> bool {
        let max_step = MAX_STEP * self.body.size * now.scale.abs();
        let rotated = (now.yaw - before.yaw + 180.0).rem_euclid(360.0) - 180.0;
        before.position.distance(now.position) > max_step
            || rotated.abs() > MAX_ROTATION
            || before.scale != now.scale
    }
}
