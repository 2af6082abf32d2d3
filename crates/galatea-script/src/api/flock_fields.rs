//! The options of `flock`.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::Vec3;
use mlua::Function;

use super::check::{NumberRange, Type};
use super::crowd_fields::{Colors, faced};
use crate::loading::Loading;
use crate::services::Services;
use crate::words;
use galatea_asset::ModelFacing;
use galatea_character::Definition;
use galatea_crowd::{Boid, FlockRules};
use galatea_derive::Options;
use galatea_math::names::nearest_hint;
use galatea_math::random::RandomSource;
use galatea_stage::Gaits;
use galatea_stage::flocks::{Bird, MAX_BIRDS};

/// Maximum speed of a flock, metres per second.
pub(super) const FASTEST: f64 = 200.0;

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Set of rules of a flock.
#[derive(Clone, Copy)]
enum FlockPreset {
    Custom,
    Classic,
}

words!(FlockPreset {
    "custom" => FlockPreset::Custom,
    "classic" => FlockPreset::Classic,
});

/// A flock: its model, its start and the rules that it follows.
#[derive(Options)]
pub(super) struct FlockOptions {
    /// Model file.
    model: String,
    /// Direction that the model faces in its file. With "auto", toes, eyes, the names of bones and walking clips
    /// decide.
    #[option(default = ModelFacing::Auto, default_doc = "\"auto\"")]
    forward_axis: ModelFacing,
    /// Number of birds or fish.
    #[option(default = 100.0, range = 0.0..=MAX_BIRDS)]
    pub count: f32,
    /// Centre of the flock's home, where the members start.
    #[option(
        default = Vec3::new(0.0, 15.0, 0.0),
        default_doc = "(0, 15, 0)",
        unit = "metres"
    )]
    pub position: Vec3,
    /// Size of the space in which the members start, along each axis.
    #[option(
        default = Vec3::new(10.0, 6.0, 10.0),
        default_doc = "(10, 6, 10)",
        unit = "metres"
    )]
    size: Vec3,
    /// Clip that members play while they fly or swim.
    #[option(default_doc = "\"fly\", otherwise the first clip")]
    clip: Option<String>,
    /// Clip that members play while they glide down without beating their wings.
    #[option(default_doc = "\"glide\", if the model has it")]
    glide: Option<String>,
    /// Scale of the members: one number, or { low, high } for a random one.
    #[option(
        default = NumberRange([0.9, 1.1]),
        default_doc = "{ 0.9, 1.1 }",
        range = 0.001..=1000.0
    )]
    scale: NumberRange,
    /// Lists of colours (linear RGB) by the names of materials, as in `crowd`. Each member gets one colour from the
    /// list.
    #[option(default = Colors::default())]
    pub colors: Colors,
    /// Lowest and highest speed of a member, { low, high }.
    #[option(
        default_doc = "{ 3, 7 }",
        unit = "metres per second",
        range = 0.0..=FASTEST
    )]
    speed: Option<NumberRange>,
    /// Separation: strength with which members move away from neighbours nearer than `separation_distance`.
    #[option(default_doc = "4", range = 0.0..=1000.0)]
    separation: Option<f32>,
    /// Distance below which members move away from each other. Two members never come nearer than a quarter of this
    /// distance, or than 0.3 m if that is less.
    #[option(default_doc = "1.2", unit = "metres", range = 0.0..=1000.0)]
    separation_distance: Option<f32>,
    /// Alignment: strength with which members take on the velocity of their neighbours.
    #[option(default_doc = "1.2", range = 0.0..=1000.0)]
    alignment: Option<f32>,
    /// Cohesion: strength with which members move towards the middle of their neighbours.
    #[option(default_doc = "0.8", range = 0.0..=1000.0)]
    cohesion: Option<f32>,
    /// Distance up to which other members count as neighbours.
    #[option(default_doc = "3", unit = "metres", range = 0.0..=1000.0)]
    neighbor_radius: Option<f32>,
    /// Strength with which members rise when they are less than `clearance` above the ground. The strength grows with
    /// each missing metre.
    #[option(default_doc = "6", range = 0.0..=1000.0)]
    ground_avoidance: Option<f32>,
    /// Height above the ground below which members rise.
    #[option(default_doc = "2", unit = "metres", range = 0.0..=1000.0)]
    clearance: Option<f32>,
    /// Minimum height above the ground, which no member goes below.
    #[option(default_doc = "0.3", unit = "metres", range = 0.0..=1000.0)]
    min_height: Option<f32>,
    /// Maximum change of the velocity in a second, as a multiple of the highest `speed`. Higher values give tighter
    /// turns.
    #[option(default_doc = "1.5", unit = "per second", range = 0.0..=1000.0)]
    turn_rate: Option<f32>,
    /// Strength with which members return when they are outside `home_radius`. With 0 the flock flies anywhere.
    #[option(default = 2.0, range = 0.0..=1000.0)]
    pub home_weight: f32,
    /// Radius of the home around `position`. No member flies farther than 1.1 times this distance from the centre.
    #[option(default = 20.0, unit = "metres", range = 0.0..=1e5)]
    pub home_radius: f32,
    /// Strength with which members avoid obstacles ahead. With 0 they fly through obstacles; with any other value
    /// they never enter one.
    #[option(default = 6.0, range = 0.0..=1000.0)]
    pub avoid: f32,
    /// How far members lean into turns (banking): 1 for birds, 0 for fish.
    #[option(default = 1.0, range = 0.0..=4.0)]
    pub lean: f32,
    /// Number of leaders, which are the first members of the flock. The script moves them with `steer`, and the others
    /// follow.
    #[option(default = 0.0, range = 0.0..=MAX_BIRDS)]
    leaders: f32,
    /// Strength with which members follow the nearest leader.
    #[option(default_doc = "2", range = 0.0..=1000.0)]
    leader_weight: Option<f32>,
    /// Set of rules. "custom" uses the other options. "classic" uses the fixed rules of the book *Character Animation
    /// with Direct3D*: separation 15 within 2.5 m, alignment and cohesion 1 within 3.5 m, attraction to a point 15 m
    /// up, 3 metres per second.
    #[option(default = FlockPreset::Custom, default_doc = "custom")]
    preset: FlockPreset,
    /// Your own rule: a function that is called 20 times a second for each member and returns an acceleration in metres
    /// per second squared. `number` is the number of the member.
    #[option(ty = Type::Function(
        "(flock: Flock, number: number, position: vector, velocity: vector) -> vector"
    ))]
    pub steering: Option<Function>,
    /// Seed of the flock's random numbers. The same seed gives the same flock.
    #[option(default = 1)]
    seed: u64,
    /// Name by which a hot reload finds the flock again.
    #[option(default_doc = "none: found by the order of creation")]
    pub name: Option<String>,
}

/// Clips of flying and gliding.
fn clips(gaits: &Definition, options: &FlockOptions) -> mlua::Result<[Option<usize>; 2]> {
    let set = &gaits.clips;
    let find = |field: &str, named: &Option<String>, plain: &str| match named {
        None => Ok(set.find(plain)),
        Some(name) => match set.find(name) {
            None => {
                let hint = nearest_hint(name, set.names());
                Err(wrong(format!("{field}: there is no clip {name:?}{hint}")))
            }
            clip => Ok(clip),
        },
    };
    let first = set.names().next().and_then(|name| set.find(name));
    Ok([
        find("clip", &options.clip, "fly")?.or(first),
        find("glide", &options.glide, "glide")?,
    ])
}

pub(super) fn body(
    loading: &mut Loading,
    services: &dyn Services,
    options: &FlockOptions,
) -> mlua::Result<Arc<Gaits>> {
    let source = Loading::located(services, faced(&options.model, options.forward_axis));
    let definition = loading.definition(services, &source)?;
    let [flies, glides] = clips(&definition, options)?;
    let gaits = Gaits::new(definition, [flies, None, None]);
    Ok(Arc::new(gaits.with_clip(glides)))
}

pub(super) fn rules(options: &FlockOptions) -> FlockRules {
    let rules = match options.preset {
        FlockPreset::Classic => FlockRules::classic(),
        FlockPreset::Custom => FlockRules::default(),
    };
    let [least, most] = options.speed.map_or(rules.speed, |speed| speed.0);
    FlockRules {
        separation: options.separation.unwrap_or(rules.separation),
        separation_distance: options
            .separation_distance
            .unwrap_or(rules.separation_distance),
        alignment: options.alignment.unwrap_or(rules.alignment),
        cohesion: options.cohesion.unwrap_or(rules.cohesion),
        neighbor_radius: options.neighbor_radius.unwrap_or(rules.neighbor_radius),
        ground_avoidance: options.ground_avoidance.unwrap_or(rules.ground_avoidance),
        clearance: options.clearance.unwrap_or(rules.clearance),
        min_height: options.min_height.unwrap_or(rules.min_height),
        turn_rate: options.turn_rate.unwrap_or(rules.turn_rate),
        leader_weight: options.leader_weight.unwrap_or(rules.leader_weight),
        speed: [least, most.max(1e-3)],
        n_leaders: options.leaders as usize,
        ..rules
    }
}

/// Initial positions and states of all members.
pub(super) fn initial_members(
    options: &FlockOptions,
    rules: &FlockRules,
) -> (Vec<Boid>, Vec<Bird>) {
    let half = options.size.abs() * 0.5;
    let NumberRange(scale) = options.scale;
    let mut chance = RandomSource::new(options.seed);
    let at = options.position;
    let one = |_| {
        let mut side = || chance.between(-1.0, 1.0);
        let place = at + half * Vec3::new(side(), side(), side());
        let angle = chance.between(0.0, TAU);
        let way = Vec3::new(angle.sin(), chance.between(-0.2, 0.2), angle.cos()).normalize();
        let boid = Boid {
            at: place,
            velocity: way * chance.between(rules.speed[0], rules.speed[1]),
        };
        let scale = chance.between(scale[0], scale[1]);
        let seed = (chance.unit() * 2_f32.powi(24)) as u32;
        let bird = Bird::new(&boid, scale, seed, chance.unit());
        (boid, bird)
    };
    (0..options.count as usize).map(one).unzip()
}
