//! The options of `crowd`: bodies, positions, walls, colours.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use mlua::{Function, Value};

use super::check::{ByName, NumberRange, OneOrMany, OptionValue, Type, number, vector};
use super::crowd_states::CrowdStateOptions;
use super::navmesh_ref::NavmeshRef;
use crate::loading::Loading;
use crate::services::Services;
use crate::words;
use galatea_asset::{Model, ModelFacing, ModelSource};
use galatea_character::Definition;
use galatea_crowd::repulsion::RepulsionField;
use galatea_derive::Options;
use galatea_math::clamp::ClampTo as _;
use galatea_math::lines::flat;
use galatea_math::names::nearest_hint;
use galatea_math::random::RandomSource;
use galatea_stage::frame::Tint;
use galatea_stage::{CrowdAgent, Gaits, Handle, Leader, MAX_AGENTS, PromotionRule, Stage};

/// Maximum numbers of bodies, walls and obstacles of a crowd, and of colours of a material.
const MAX_BODIES: usize = 16;
const MAX_WALLS: usize = 10_000;
const MAX_OBSTACLES: usize = 1000;
const MAX_COLORS: usize = 256;
/// Area that each agent needs at the start, as a multiple of its squared radius.
const ROOM: f32 = 4.0;
/// Default for the maximum number of agents near the camera that are characters at the same time.
const MAX_NEAR_CHARACTERS: f32 = 8.0;

/// Minimum cosine of the angle between the walking direction and an axis for the body to face along this axis.
const SAME_DIRECTION: f32 = 0.8;

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Collision avoidance between agents.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum CrowdAvoidance {
    Orca,
    Push,
}

words!(CrowdAvoidance {
    "orca" => CrowdAvoidance::Orca,
    "push" => CrowdAvoidance::Push,
});

/// A line between two points on the ground.
pub(super) struct GroundLine(pub [Vec2; 2]);

impl OptionValue for GroundLine {
    const TYPE: Type = Type::List(&Type::Vector);

    fn from_value(value: Value) -> Result<Self, String> {
        match Vec::from_value(value)?[..] {
            [a, b, ..] => Ok(Self([flat(a), flat(b)])),
            _ => Err("expected two positions { a, b }".into()),
        }
    }
}

impl OptionValue for RepulsionField {
    const TYPE: Type = Type::List(&Type::OneOf(&[Type::Vector, Type::Number]));

    fn from_value(value: Value) -> Result<Self, String> {
        let radius = |value: &Value| number(value).filter(|n| (0.01..=1000.0).contains(n));
        let found = match &Vec::<Value>::from_value(value)?[..] {
            [at, size, ..] => vector(at).zip(radius(size)),
            _ => None,
        };
        let (at, radius) =
            found.ok_or("expected { position, radius }, with a radius of 0.01 to 1000 m")?;
        Ok(Self {
            at: flat(at),
            radius: radius as f32,
        })
    }
}

/// Promotion of agents near the camera to characters.
#[derive(Options)]
struct PromoteOptions {
    /// Distance from the camera within which agents become characters.
    #[option(unit = "metres", range = 0.0..=1000.0)]
    distance: f32,
    /// Maximum number of agents that are characters at the same time. The nearest agents come first.
    #[option(default = MAX_NEAR_CHARACTERS, default_doc = "8", range = 0.0..=200.0)]
    max_characters: f32,
}

impl OptionValue for PromotionRule {
    const TYPE: Type = Type::OneOf(&[Type::Number, PromoteOptions::TYPE]);

    fn from_value(value: Value) -> Result<Self, String> {
        let PromoteOptions {
            distance: within,
            max_characters: most,
        } = match number(&value) {
            Some(within) => PromoteOptions {
                distance: within as f32,
                max_characters: MAX_NEAR_CHARACTERS,
            },
            None => PromoteOptions::from_value(value)?,
        };
        Ok(Self {
            distance: within,
            max_characters: most as usize,
        })
    }
}

/// Linear colours by the names of materials; each agent has one of them instead of the material's own.
pub(super) type Colors = ByName<Vec<Vec3>>;

/// Options of a crowd: its bodies, the start positions of its agents, and their behaviour.
#[derive(Options)]
pub(super) struct CrowdOptions {
    /// Model file, or a list of up to 16 files, from which each agent gets one at random.
    model: OneOrMany<String>,
    /// Number of agents.
    #[option(default = 100.0, range = 0.0..=MAX_AGENTS)]
    pub count: f32,
    /// Centre of the area in which the agents start.
    #[option(default = Vec3::ZERO, default_doc = "(0, 0, 0)", unit = "metres")]
    position: Vec3,
    /// Size of the area in which the agents start, along x and z.
    #[option(
        default = Vec3::new(20.0, 0.0, 20.0),
        default_doc = "(20, 0, 20)",
        unit = "metres"
    )]
    size: Vec3,
    /// Walking speed that agents prefer: one number, or { low, high } for a random one.
    #[option(
        default = NumberRange([1.1, 1.5]),
        default_doc = "{ 1.1, 1.5 }",
        unit = "metres per second",
        range = 0.0..=20.0
    )]
    speed: NumberRange,
    /// Scale of the models: one number, or { low, high } for a random one.
    #[option(
        default = NumberRange([0.94, 1.06]),
        default_doc = "{ 0.94, 1.06 }",
        range = 0.01..=100.0
    )]
    scale: NumberRange,
    /// Width of the models relative to their height: one number, or { low, high } for a random one.
    #[option(
        default = NumberRange([0.95, 1.05]),
        default_doc = "{ 0.95, 1.05 }",
        range = 0.2..=5.0
    )]
    width_scale: NumberRange,
    /// Lists of colours (linear RGB) by the names of materials: { coat = { vec(0.4, 0.1, 0.1), … } }. Each
    /// agent gets one colour from the list, which replaces that of the material.
    #[option(default = Colors::default())]
    pub colors: Colors,
    /// Radius of the space that an agent needs, at scale 1.
    #[option(default = 0.25, unit = "metres", range = 0.05..=10.0)]
    radius: f32,
    /// Clip of a standing agent. From a list, each model uses the first clip that it has.
    #[option(default = OneOrMany::default(), default_doc = "\"idle\"")]
    idle: OneOrMany<String>,
    /// Clip of a walking agent. From a list, each model uses the first clip that it has.
    #[option(default = OneOrMany::default(), default_doc = "\"walk\"")]
    walk: OneOrMany<String>,
    /// Clip of a running agent. From a list, each model uses the first clip that it has.
    #[option(default = OneOrMany::default(), default_doc = "\"run\"")]
    run: OneOrMany<String>,
    /// Direction that the models face in their files, or a list with one direction for each model. With "auto", toes,
    /// eyes, the names of bones and walking clips decide.
    #[option(
        default = OneOrMany::default(),
        default_doc = "\"auto\""
    )]
    forward_axis: OneOrMany<ModelFacing>,
    /// Walls that no agent crosses. Each is a line between two positions: { { a, b }, … }.
    #[option(default = Vec::new())]
    pub walls: Vec<GroundLine>,
    /// Round obstacles that agents avoid, as a list of positions and radii in metres: { { vec(1, 0, 2), 0.5
    /// }, … }.
    #[option(default = Vec::new())]
    pub obstacles: Vec<RepulsionField>,
    /// Navigation mesh on which agents find their paths, made by `navmesh { … }`. Without it they walk straight to
    /// their goals.
    navmesh: Option<NavmeshRef>,
    /// Method of collision avoidance. With "orca" agents look ahead and walk around each other. "push" is the method of
    /// the book *Character Animation with Direct3D*: agents push each other apart within 3 m, walk at 2 metres per
    /// second, and count as arrived 3 m before the goal.
    #[option(default = CrowdAvoidance::Orca, default_doc = "orca")]
    pub avoidance: CrowdAvoidance,
    /// States that define the behaviour of agents, by name: { walk = { on = { arrived = "rest" } }, rest = { clip =
    /// "sit", duration = { 3, 8 }, next = "walk" } }.
    pub states: Option<ByName<CrowdStateOptions>>,
    /// State in which agents start.
    #[option(default_doc = "the only state")]
    pub start: Option<String>,
    /// Probability that two agents that walk towards each other both get the event `met`.
    #[option(default = 0.3, range = 0.0..=1.0)]
    pub meet_chance: f32,
    /// Distance from the camera within which agents become full characters, with a face: a number, or { distance = 6,
    /// max_characters = 8 }.
    #[option(default_doc = "none", unit = "metres", range = 0.0..=1000.0)]
    pub promote_distance: Option<PromotionRule>,
    /// Called when an agent has become a full character. After a hot reload, it is called for every agent that is a
    /// character at that moment. `again` is true if the agent was a character before. The character then has the
    /// mood, decals and held objects of that earlier time.
    #[option(
        ty = Type::Function(
            "(crowd: Crowd, agent: number, character: Character, again: boolean) -> ()"
        )
    )]
    pub on_promote: Option<Function>,
    /// Number of agents in the groups that walk together behind a leader: one number, or { low, high } for a random
    /// one.
    #[option(
        default = NumberRange([1.0; 2]),
        default_doc = "1",
        range = 1.0..=12.0
    )]
    group_size: NumberRange,
    /// Direction that all agents face at the start, as an angle around the Y axis: 0 is +Z, 90 is +X.
    #[option(default_doc = "random for each agent", unit = "degrees")]
    yaw: Option<f32>,
    /// Seed of the crowd's random numbers. The same seed gives the same crowd.
    #[option(default = 1)]
    pub seed: u64,
    /// Name by which a hot reload finds the crowd again.
    #[option(default_doc = "none: found by the order of creation")]
    pub name: Option<String>,
}

/// Clips of a body for standing, walking and running: the first of the listed clips that the body has, else the clip with
/// the default name.
fn clips(definition: &Definition, options: &CrowdOptions) -> [Option<usize>; 3] {
    let set = &definition.clips;
    GAITS.map(|(plain, named)| {
        let named = named(options).0.iter().find_map(|name| set.find(name));
        named.or_else(|| set.find(plain)).or_else(|| {
            let is_it = |name: &&str| name.eq_ignore_ascii_case(plain);
            set.names().position(|name| is_it(&name))
        })
    })
}

/// Default name of a clip for standing, walking or running, and the option that replaces it.
type GaitOption = (&'static str, fn(&CrowdOptions) -> &OneOrMany<String>);
const GAITS: [GaitOption; 3] = [
    ("idle", |options| &options.idle),
    ("walk", |options| &options.walk),
    ("run", |options| &options.run),
];

/// Checks that each clip for standing, walking and running exists in at least one body.
fn check_clips(options: &CrowdOptions, bodies: &[Arc<Gaits>]) -> mlua::Result<()> {
    for (plain, named) in GAITS {
        for name in &named(options).0 {
            let mut all = bodies.iter();
            if all.any(|body| body.definition.clips.find(name).is_some()) {
                continue;
            }
            let names = bodies.iter();
            let names = names.flat_map(|body| body.definition.clips.names());
            let hint = nearest_hint(name, names);
            return Err(wrong(match &options.model.0[..] {
                [path] => format!("{plain}: {path} has no clip {name:?}{hint}"),
                _ => format!("{plain}: no model has a clip {name:?}{hint}"),
            }));
        }
    }
    Ok(())
}

pub(super) fn bodies(
    loading: &mut Loading,
    services: &dyn Services,
    options: &CrowdOptions,
) -> mlua::Result<Vec<Arc<Gaits>>> {
    let paths = &options.model.0;
    if paths.is_empty() || paths.len() > MAX_BODIES {
        return Err(wrong(format!(
            "model: expected a model file, or a list of 1 to {MAX_BODIES} model files"
        )));
    }
    let facing = &options.forward_axis.0;
    if facing.len() > 1 && facing.len() != paths.len() {
        return Err(wrong(format!(
            "forward_axis: expected one direction, or one for each of the {} models",
            paths.len()
        )));
    }
    let mut made: Vec<(String, Arc<Gaits>)> = Vec::new();
    for (i, path) in paths.iter().enumerate() {
        let facing = facing.get(i).or(facing.first()).copied();
        let source = Loading::located(services, faced(path, facing.unwrap_or_default()));
        let key = source.key();
        if let Some((_, known)) = made.iter().find(|(known, _)| *known == key) {
            let known = known.clone();
            made.push((key, known));
            continue;
        }
        let mut definition = loading.definition(services, &source)?;
        let walks = clips(&definition, options);
        let mut own_key = key.clone();
        if let Some(facing) = walks_along(&definition, walks) {
            let source = ModelSource { facing, ..source };
            own_key = source.key();
            definition = loading.definition(services, &source)?;
        }
        let clips = clips(&definition, options);
        let mut gaits = Gaits::new(definition, clips);
        gaits.source = Arc::from(own_key.as_str());
        made.push((key, Arc::new(gaits)));
    }
    let made: Vec<Arc<Gaits>> = made.into_iter().map(|(_, gaits)| gaits).collect();
    check_clips(options, &made)?;
    Ok(made)
}

/// Axis along which a body walks, if its facing is not known and the axis is not +Z.
fn walks_along(definition: &Definition, clips: [Option<usize>; 3]) -> Option<ModelFacing> {
    if definition.model.facing.is_known {
        return None;
    }
    let clip = clips[1].or(clips[2])?;
    let travels = definition.clips.travel(clip);
    let lap = || Some(travels?.lap().translation);
    let way = definition.clips.ground_velocity(clip).or_else(lap)?;
    let way = way.with_y(0.0).try_normalize()?;
    let axes = [
        (Vec3::NEG_Z, ModelFacing::MinusZ),
        (Vec3::X, ModelFacing::PlusX),
        (Vec3::NEG_X, ModelFacing::MinusX),
    ];
    let found = axes
        .into_iter()
        .find(|(axis, _)| way.dot(*axis) > SAME_DIRECTION);
    found.map(|(_, facing)| facing)
}

/// Source of a model that faces a direction in its file.
pub(super) fn faced(path: &str, facing: ModelFacing) -> ModelSource {
    ModelSource {
        facing,
        ..ModelSource::new(path)
    }
}

/// Walls on the ground.
pub(super) fn walls(all: Vec<GroundLine>) -> mlua::Result<Vec<[Vec2; 2]>> {
    if all.len() > MAX_WALLS {
        return Err(wrong(format!("walls: the limit is {MAX_WALLS}")));
    }
    Ok(all.into_iter().map(|wall| wall.0).collect())
}

pub(super) fn obstacles(all: Vec<RepulsionField>) -> mlua::Result<Vec<RepulsionField>> {
    if all.len() > MAX_OBSTACLES {
        return Err(wrong(format!("obstacles: the limit is {MAX_OBSTACLES}")));
    }
    Ok(all)
}

/// Colours for the materials of each body. A material that no body has is an error.
pub(super) fn tints(colors: &Colors, bodies: &[Arc<Gaits>]) -> mlua::Result<Vec<Arc<[Tint]>>> {
    let mut made: Vec<Arc<[Tint]>> = Vec::new();
    for (i, gaits) in bodies.iter().enumerate() {
        // A body that is listed twice shares its tints.
        let known = bodies[..i]
            .iter()
            .position(|other| Arc::ptr_eq(other, gaits));
        made.push(match known {
            Some(known) => made[known].clone(),
            None => tints_of(colors, &gaits.poses.model, bodies)?,
        });
    }
    Ok(made)
}

fn tints_of(colors: &Colors, model: &Model, bodies: &[Arc<Gaits>]) -> mlua::Result<Arc<[Tint]>> {
    let mut tints = Vec::new();
    for (name, own) in &colors.0 {
        let all = bodies.iter().flat_map(|gaits| &gaits.poses.model.materials);
        let names: Vec<&str> = all.map(|material| material.name.as_str()).collect();
        if !names.contains(&name.as_str()) {
            let hint = nearest_hint(name, names.into_iter());
            return Err(wrong(format!(
                "colors: no model has a material {name:?}{hint}"
            )));
        }
        if own.is_empty() || own.len() > MAX_COLORS {
            return Err(wrong(format!(
                "colors.{name}: expected 1 to {MAX_COLORS} colors"
            )));
        }
        let own: Vec<Vec3> = own.iter().map(|color| color.max(Vec3::ZERO)).collect();
        let named = (0..)
            .zip(&model.materials)
            .filter(|(_, material)| material.name == *name);
        tints.extend(named.map(|(material, _)| Tint {
            material,
            colors: own.clone(),
        }));
    }
    tints.sort_by_key(|tint| tint.material);
    Ok(tints.into())
}

/// Creates the agents at their start positions: each at a random position within a cell of its own.
pub(super) fn start_agents(
    options: &CrowdOptions,
    n_bodies: usize,
) -> mlua::Result<Vec<CrowdAgent>> {
    let count = options.count as usize;
    let CrowdOptions {
        size,
        position: at,
        radius,
        speed: NumberRange(pace),
        scale: NumberRange(scale),
        width_scale: NumberRange(girth),
        seed,
        ..
    } = *options;
    let (wide, deep) = (size.x.abs(), size.z.abs());
    let needs = count as f32 * radius * radius * ROOM;
    if wide * deep < needs {
        return Err(wrong(format!(
            "size: {count} agents of radius {radius} m need at least {needs:.0} square metres, got {:.0}",
            wide * deep
        )));
    }
    let columns = ((count as f32 * wide / deep).sqrt().ceil() as usize).clamp_to(1, count.max(1));
    let rows = count.div_ceil(columns).max(1);
    let cell = Vec2::new(wide / columns as f32, deep / rows as f32);
    let low = flat(at) - Vec2::new(wide, deep) * 0.5;
    let mut chance = RandomSource::new(seed);
    let free = (cell * 0.5 - radius).max(Vec2::ZERO);
    let one = |i: usize| {
        let middle = low + cell * (Vec2::new((i % columns) as f32, (i / columns) as f32) + 0.5);
        let off = free * Vec2::new(chance.between(-1.0, 1.0), chance.between(-1.0, 1.0));
        let place = (middle + off).extend(at.y);
        let facing = chance.between(0.0, std::f32::consts::TAU);
        let facing = options.yaw.map_or(facing, f32::to_radians);
        let pace = chance.between(pace[0], pace[1]);
        let mut person = CrowdAgent::new(Vec3::new(place.x, place.z, place.y), facing, pace);
        person.scale = chance.between(scale[0], scale[1]);
        person.agent.radius = radius * person.scale;
        person.body = ((chance.unit() * n_bodies as f32) as u16).min(n_bodies as u16 - 1);
        person.begin_lap(chance.unit());
        person.width_scale = chance.between(girth[0], girth[1]);
        person.seed = (chance.unit() * 2_f32.powi(24)) as u32;
        person
    };
    let mut people: Vec<CrowdAgent> = (0..count).map(one).collect();
    group(&mut people, options.group_size.0, seed);
    Ok(people)
}

/// Distance between agents of a group that walk side by side, and the distance by which each row is behind, metres.
const BESIDE: f32 = 0.75;
const BEHIND: f32 = 0.35;

/// Forms groups that walk side by side, with the agents at the sides a little behind (Moussaïd and others 2010, "The walking
/// behaviour of pedestrian social groups").
fn group(people: &mut [CrowdAgent], sizes: [f32; 2], seed: u64) {
    if sizes == [1.0; 2] {
        return;
    }
    let mut chance = RandomSource::new(seed ^ 0x6702);
    let mut first = 0;
    while first < people.len() {
        let size = chance
            .between(sizes[0], sizes[1] + 1.0)
            .floor()
            .min(sizes[1]) as usize;
        let size = size.clamp_to(1, people.len() - first);
        let leader = people[first];
        for k in 1..size {
            // Agents are placed to the left and to the right in turn; at most four walk side by side.
            let (row, column) = (k / 4, (k % 4).div_ceil(2) as f32);
            let side = if k % 2 == 0 { -column } else { column };
            let off = Vec2::new(side * BESIDE, -(column + 2.0 * row as f32) * BEHIND);
            let person = &mut people[first + k];
            person.follow(Some((Leader::CrowdAgent(first as u32), off)));
            person.set_speed(leader.speed);
        }
        first += size;
    }
}

/// Handle of the navigation mesh that agents use, if there is one.
pub(super) fn navmesh_handle(
    stage: &Stage,
    options: &CrowdOptions,
) -> mlua::Result<Option<Handle>> {
    let Some(NavmeshRef(handle)) = options.navmesh else {
        return Ok(None);
    };
    match stage.agents.nav_meshes.get(handle) {
        Some(_) if options.avoidance == CrowdAvoidance::Push => Err(wrong(
            "navmesh: agents with avoidance = \"push\" cannot use a navmesh; remove one of the two options",
        )),
        Some(_) => Ok(Some(handle)),
        None => Err(wrong("navmesh: this navigation mesh was removed")),
    }
}
