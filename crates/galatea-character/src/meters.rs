//! What the meters of a character read, tick by tick.
//!
//! - Foot slide: metres that a planted foot has moved over the ground since it was planted. The clips say
//!   when a foot stands: low, and as slow over the ground as the clip means it to go. Without clips the
//!   foot's own height and speed tell.
//! - Pop: the largest jolt of a bone in the character's own space, over the largest that the clips which
//!   show have by themselves, played once through. 1 is as jolty as they are.
//! - Root drift: metres over the ground by which the hips are elsewhere than the lowest layer's clips and
//!   the actions without a mask have them over the character's place, their travel left out: what a
//!   travelling clip without root motion runs away by.
//! - Lip lag: seconds by which the mouth is behind what is heard of it, or ahead.
//!
//! Caller: `stage`, once per tick when poses and places are known. Nothing allocates after creation but
//! the first time that any character meets a clip.

use glam::{Affine3A, Vec3};

use super::definition::Definition;
use super::own_motion::{BodySize, visible_places};
use super::placement::Placement;
use super::playing::Playing;
use super::stack::Stack;
use galatea_anim::meters::{FootNow, FootSlide, Pop, RootDrift};
use galatea_speech::lag::LipLag;
use galatea_speech::viseme::N_VISEMES;

/// Metres that a body as high as a human goes in a tick at most; more is a jump.
const MOST_STEP: f32 = 0.3;
/// Degrees that it turns in a tick at most.
const MOST_TURN: f32 = 60.0;

/// The meters of one character.
#[derive(Clone, Debug)]
pub struct Meters {
    slide: FootSlide,
    pop: Pop,
    drift: RootDrift,
    lips: LipLag,
    /// The last lag of lips that could be told, and the largest, seconds.
    lag: [f32; 2],
    feet: Vec<FootNow>,
    body: BodySize,
    before: Option<Placement>,
}

/// Input of the meters: the character after its pose and place were computed.
#[derive(Clone, Copy)]
pub struct MeterInput<'a> {
    /// Its machine and its clips.
    pub playing: Playing<'a>,
    /// Its place in the world.
    pub placement: Placement,
    /// World-from-model matrix of the tick.
    pub world_from_model: Affine3A,
    /// Model-from-bone matrices of the tick.
    pub model_from_bone: &'a [Affine3A],
    /// Its modifiers, which may hold feet.
    pub stack: Option<&'a Stack>,
}

impl MeterInput<'_> {
    /// World position of a bone's origin.
    fn bone_position(&self, bone: u16) -> Vec3 {
        let matrix = self.model_from_bone.get(usize::from(bone));
        let in_model = matrix.map_or(Vec3::ZERO, |m| m.translation.into());
        self.world_from_model.transform_point3(in_model)
    }
}

/// What a meter shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeterReading {
    /// In the last tick; of foot slide what was slid in it.
    pub now: f32,
    /// The largest since the last reset.
    pub peak: f32,
}

/// Names of the meters.
pub const METERS: [&str; 4] = ["foot_slide", "pop", "root_drift", "lip_lag"];

impl Meters {
    /// Meters for a character of this definition at this scale.
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

    /// What a meter reads; `None` for a name that is not in [`METERS`].
    pub fn reading(&self, meter: &str) -> Option<MeterReading> {
        let [now, peak] = match meter {
            "foot_slide" => [self.slide.step(), self.slide.peak()],
            "pop" => [self.pop.reading(), self.pop.peak()],
            "root_drift" => [self.drift.reading(), self.drift.peak()],
            "lip_lag" => self.lag,
            _ => return None,
        };
        Some(MeterReading { now, peak })
    }

    /// Height of the body over that of a human, at a scale of 1.
    pub fn size(&self) -> f32 {
        self.body.size
    }

    /// The bone that popped most since the last reset.
    pub fn worst_bone(&self) -> usize {
        self.pop.worst()
    }

    /// Sets all peaks to 0 and forgets where feet and bones were.
    pub fn reset(&mut self) {
        self.slide.reset();
        self.pop.reset();
        self.drift.reset();
        self.lips = LipLag::default();
        self.lag = [0.0; 2];
        self.before = None;
    }

    /// Sets all peaks to 0; feet that stand stand on.
    pub fn reset_peaks(&mut self) {
        self.slide.reset_peak();
        self.pop.reset_peak();
        self.drift.reset();
        self.lag[1] = 0.0;
    }

    /// Takes in what the mouth shows in a tick of `dt` seconds, and how loud what is heard of it is, 0..=1.
    pub fn hear_lips(&mut self, weights: &[f32; N_VISEMES], loudness: f32, dt: f32) {
        self.lips.take_in(weights, loudness);
        if let Some(lag) = self.lips.lag(dt) {
            self.lag[0] = lag;
            if lag.abs() > self.lag[1].abs() {
                self.lag[1] = lag;
            }
        }
    }

    /// Reads one tick of `dt` seconds.
    pub fn read(&mut self, input: &MeterInput<'_>, dt: f32) {
        let definition = input.playing.definition;
        let now = input.placement;
        if self.before.is_some_and(|before| self.jumps(before, now)) {
            self.slide.lift();
        }
        self.before = Some(now);
        let own = input.playing.mixed(self.body.hips);
        let scale = now.scale.abs();
        let places = visible_places(definition, input.model_from_bone);
        let places = places.map(|place| place * scale);
        self.pop.update_against(places, dt, own.jolt * scale);
        self.feet.clear();
        for (foot, bone) in definition.feet.into_iter().enumerate() {
            let Some(bone) = bone else { continue };
            let place = input.bone_position(bone);
            // Feet that are put on the ground know themselves when they stand, by which end, and on what.
            if let Some(held) = input.stack.and_then(|s| s.held_foot(bone)) {
                let matrix = input.model_from_bone.get(usize::from(bone));
                let world = input.world_from_model * matrix.copied().unwrap_or_default();
                let on = |(end, on): (Vec3, Affine3A)| {
                    on.inverse().transform_point3(world.transform_point3(end))
                };
                self.feet.push(FootNow {
                    place: held.map_or(place, on),
                    ground: now.position.y,
                    planted: Some(held.is_some()),
                });
                continue;
            }
            // Where clips blend a foot may hang between two that stand.
            let is_low = place.y - now.position.y < self.body.stands_below(foot) * scale;
            self.feet.push(FootNow {
                place,
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

    /// True when the character was put elsewhere instead of going there.
    fn jumps(&self, before: Placement, now: Placement) -> bool {
        let most = MOST_STEP * self.body.size * now.scale.abs();
        let turned = (now.yaw - before.yaw + 180.0).rem_euclid(360.0) - 180.0;
        before.position.distance(now.position) > most
            || turned.abs() > MOST_TURN
            || before.scale != now.scale
    }
}
