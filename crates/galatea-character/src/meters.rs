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

use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::action::Additive;
use super::definition::Definition;
use super::instance::Character;
use super::own_motion::{BodySize, visible_places};
use super::placement::Placement;
use galatea_anim::meters::{FootNow, FootSlide, Pop, RootDrift};
use galatea_machine::{Showing, showing};
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

/// What a meter shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
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
    pub fn reading(&self, meter: &str) -> Option<Reading> {
        let [now, peak] = match meter {
            "foot_slide" => [self.slide.step(), self.slide.peak()],
            "pop" => [self.pop.reading(), self.pop.peak()],
            "root_drift" => [self.drift.reading(), self.drift.peak()],
            "lip_lag" => self.lag,
            _ => return None,
        };
        Some(Reading { now, peak })
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

    /// Reads one tick of `dt` seconds, its pose and place being known.
    pub fn read(&mut self, character: &Character, dt: f32) {
        let now = character.placement;
        if self.before.is_some_and(|before| self.jumps(before, now)) {
            self.slide.lift();
        }
        self.before = Some(now);
        let own = own(character, self.body.hips);
        let scale = now.scale.abs();
        let places = visible_places(&character.definition, &character.model_from_bone);
        let places = places.map(|place| place * scale);
        self.pop.update_against(places, dt, own.jolt * scale);
        self.feet.clear();
        for (foot, bone) in character.definition.feet.into_iter().enumerate() {
            let Some(bone) = bone else { continue };
            let place = character.bone_position(bone);
            // Feet that are put on the ground know themselves when they stand, by which end, and on what.
            if let Some(held) = character.stack.as_ref().and_then(|s| s.held_foot(bone)) {
                let matrix = character.model_from_bone.get(usize::from(bone));
                let world = character.world[0] * matrix.copied().unwrap_or_default();
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
            let world = character.world[0];
            self.drift.update(
                character.bone_position(hips),
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

/// How much of what shows has the left and the right foot planted, 0..=1 each; `None` when no clip plays.
pub(super) fn planted(character: &Character) -> Option<[f32; 2]> {
    own(character, None).planted
}

/// What the clips that show do by themselves, mixed as they are.
struct Own {
    jolt: f32,
    hips: Vec3,
    /// How much of what shows has the left and the right foot planted; `None` when no clip plays.
    planted: Option<[f32; 2]>,
}

fn own(character: &Character, hips_bone: Option<u16>) -> Own {
    let definition = &character.definition;
    let rest_hips = hips_bone
        .and_then(|hips| definition.rest_places.get(usize::from(hips)))
        .copied()
        .unwrap_or_default();
    let (mut covered, mut hips, mut planted, mut jolt) = (0.0, Vec3::ZERO, [0.0; 2], 0.0_f32);
    let mut add = |shown: Showing| {
        let own = definition.own_motion(shown.clip);
        jolt = jolt.max(own.jolt * faster(shown.rate));
        if shown.layer > 0 {
            return;
        }
        covered += shown.weight;
        hips += shown.weight * own.hips(shown.t, shown.mirrored);
        let feet = own.planted(shown.t, shown.mirrored);
        for (sum, planted) in planted.iter_mut().zip(feet) {
            *sum += shown.weight * f32::from(u8::from(planted));
        }
    };
    match (&character.machine, definition.idle) {
        (Some((machine, state)), _) => showing(machine, &definition.clips, state, add),
        (None, Some(clip)) => add(Showing {
            layer: 0,
            clip,
            t: character.idle.clip_time(definition.clips.duration(clip)),
            weight: 1.0,
            rate: 1.0,
            mirrored: false,
            root_motion: false,
            wraps: true,
        }),
        (None, None) => {}
    }
    let mut hips = hips + rest_hips * (1.0 - covered).max(0.0);
    for action in &character.actions {
        let duration = definition.clips.duration(action.clip);
        let own = definition.own_motion(action.clip);
        let weight = action.weight(duration);
        if weight <= 0.0 {
            continue;
        }
        jolt = jolt.max(own.jolt * faster(action.options.speed));
        let t = action.head.clip_time(duration);
        let of = |bone: Option<u16>| match (&action.options.mask, bone) {
            (None, _) => weight,
            (Some(mask), Some(bone)) => {
                weight * mask.bones.get(usize::from(bone)).copied().unwrap_or(0.0)
            }
            (Some(_), None) => 0.0,
        };
        let mirrored = action.options.mirror;
        // What is added moves the hips by a difference; whether feet stand is for the clips below to say.
        if let Some(additive) = action.options.additive {
            let from = match additive {
                Additive::First => own.hips(0.0, mirrored),
                Additive::Rest => rest_hips,
            };
            hips += (own.hips(t, mirrored) - from) * of(hips_bone);
            continue;
        }
        hips = hips.lerp(own.hips(t, mirrored), of(hips_bone));
        let feet = own.planted(t, mirrored);
        for foot in 0..2 {
            let share = of(definition.feet[foot]);
            let stands = f32::from(u8::from(feet[foot]));
            planted[foot] += (stands - planted[foot]) * share;
            covered = covered.max(share);
        }
    }
    Own {
        jolt,
        hips,
        planted: (covered > 0.0).then_some(planted),
    }
}

/// How much more a clip jolts at another speed: smooth motion by the third power, the kinks between
/// its keys by the first.
fn faster(rate: f32) -> f32 {
    let rate = rate.abs();
    rate.max(rate.powi(3))
}

impl Character {
    /// Switches the meters on, if they are not.
    pub fn switch_on_meters(&mut self) -> &mut Meters {
        let (definition, scale) = (Arc::clone(&self.definition), self.placement.scale);
        self.meters
            .get_or_insert_with(|| Box::new(Meters::new(&definition, scale)))
    }

    /// Reads the meters, if they are on.
    pub fn read_meters(&mut self, dt: f64) {
        if let Some(mut meters) = self.meters.take() {
            meters.read(self, dt as f32);
            self.meters = Some(meters);
        }
    }
}
