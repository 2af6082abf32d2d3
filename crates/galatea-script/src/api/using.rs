//! Functions with which tasks walk to a target and use interactions: `task:walk_to`, `task:use`.

use glam::{Affine3A, Vec3};
use mlua::{Lua, Table, Value};

use super::character_ref::{CharacterRef, bone_index, clip_index, find, reference};
use super::check::{Args, OptionValue, Options, Param, Type, lua_vector, object};
use super::goal::{GoalOptions, TARGET, goal};
use super::group::Function;
use super::ladder;
use super::task_ref::character_of_task;
use crate::world::with_world;
use galatea_asset::interaction::{InteractionKind, InteractionSpec};
use galatea_character::{Character, Definition, Goal};
use galatea_derive::Options;
use galatea_math::names::nearest_hint;
use galatea_stage::{Event, EventKind, Handle, Stage, UseEvent};

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Current position of a target, world space.
pub(super) fn place_of(stage: &mut Stage, walker: Handle, target: Goal) -> mlua::Result<Vec3> {
    match target {
        Goal::World(place) => Ok(place),
        Goal::Own(place) => Ok(find(stage, walker)?.posed.world[0].transform_point3(place)),
        Goal::Camera => Ok(stage.camera.camera(1.0).eye),
        Goal::On {
            character,
            bone,
            at,
            ..
        } => {
            let found = find(stage, character)?;
            let own = bone.and_then(|bone| found.posed.model_from_bone.get(usize::from(bone)));
            let own = own.copied().unwrap_or_default();
            Ok((found.posed.world[0] * own).transform_point3(at))
        }
    }
}

/// Checks that a character has a controller; the error says how to add one.
fn walker(stage: &mut Stage, handle: Handle, what: &str) -> mlua::Result<()> {
    let character = find(stage, handle)?;
    if character.body.controller.is_none() {
        let name = &character.definition.model.name;
        let text = format!("{what}: {name} has no controller; add one with hero:controller {{}}");
        return Err(wrong(text));
    }
    Ok(())
}

/// Options of `task:walk_to`.
#[derive(Options)]
struct WalkToOptions {
    #[option(flatten)]
    goal: GoalOptions,
    /// Walking speed.
    #[option(default = 1.4, unit = "metres per second", clamp = 0.01..)]
    speed: f64,
    /// Distance from the target at which the character stops.
    #[option(default = 0.12, unit = "metres", clamp = 0.005..)]
    stop_distance: f64,
    /// Direction to which the character turns on arrival, as an angle around the Y axis: 0 is +Z, 90 is +X.
    #[option(default_doc = "no turn", unit = "degrees")]
    yaw: Option<f64>,
    /// Time without progress after which the character gives up and `walk_to` returns false.
    #[option(default = 1.5, unit = "seconds", clamp = 0.1..)]
    stuck_timeout: f64,
}

/// Checks the arguments of `task:walk_to` and collects what its Lua part reads.
fn walk_to(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = character_of_task(&args, "task:walk_to")?;
    let options: WalkToOptions = args.options(2)?;
    let target = args.value(1);
    let place = with_world(lua, |world| {
        walker(&mut world.stage, handle, "walk_to")?;
        let Some(found) = goal(lua, &mut world.stage, "walk_to", &target, &options.goal)? else {
            return Err(wrong("walk_to: a target is missing"));
        };
        place_of(&mut world.stage, handle, found)
    })?;
    let table = lua.create_table()?;
    table.raw_set("hero", reference(lua, handle)?)?;
    table.raw_set("place", lua_vector(place))?;
    // A moving character is followed.
    let is_whole = options.goal.target_bone.is_none() && options.goal.target_offset.is_none();
    if is_whole && object::<CharacterRef>(&target).is_some() {
        table.raw_set("follow", target)?;
    }
    table.raw_set("speed", options.speed)?;
    table.raw_set("near", options.stop_distance)?;
    table.raw_set("give_up", options.stuck_timeout)?;
    table.raw_set("yaw", options.yaw)?;
    Ok(Value::Table(table))
}

/// Parameters of `task:walk_to`.
const WALK_PARAMS: &[Param] = &[
    Param {
        name: "target",
        ty: TARGET,
        optional: false,
    },
    Param::options(WalkToOptions::SHAPE),
];

/// Duration of a hold.
enum UseHold {
    Seconds(f64),
    Until(mlua::Function),
}

impl OptionValue for UseHold {
    const TYPE: Type = Type::OneOf(&[Type::Number, Type::Function("() -> any")]);

    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::Function(is_over) => Ok(Self::Until(is_over)),
            other => f64::from_value(other).map(Self::Seconds),
        }
    }
}

/// Options of `task:use`.
#[derive(Options)]
struct UseOptions {
    /// Time in seconds for which the hand holds on. Or a function: it is called in every tick, and the hand lets go
    /// when it returns true.
    #[option(
        default_doc = "the time between the markers of the clip, otherwise that of the interaction"
    )]
    hold_time: Option<UseHold>,
    /// Walking speed on the way to the interaction.
    #[option(default = 1.4, unit = "metres per second", clamp = 0.01..)]
    speed: f64,
    /// True makes the character walk to the prop first; false makes it reach from where it is.
    #[option(default = true)]
    walk: bool,
}

/// Parameters of `task:use`.
const USE_PARAMS: &[Param] = &[
    Param {
        name: "thing",
        ty: Type::Object("Character"),
        optional: false,
    },
    Param {
        name: "interaction",
        ty: Type::Text,
        optional: true,
    },
    Param::options(UseOptions::SHAPE),
];

/// Finds an interaction of an object: the one with this name, or its only one.
fn meant<'a>(thing: &'a Character, name: Option<&str>) -> mlua::Result<&'a InteractionSpec> {
    let whose = thing.shown_name();
    let names = || {
        thing
            .interactions
            .iter(&thing.definition)
            .map(|handle| handle.name.as_str())
    };
    let Some(name) = name else {
        let mut all = thing.interactions.iter(&thing.definition);
        let (first, second) = (all.next(), all.next());
        return match (first, second) {
            (Some(only), None) => Ok(only),
            (None, _) => Err(wrong(format!(
                "use: {whose} has no interactions; add one with thing:add_interaction(name, {{ … }})"
            ))),
            _ => {
                let names: Vec<&str> = names().collect();
                Err(wrong(format!(
                    "use: {whose} has several interactions; name one of {}",
                    names.join(", ")
                )))
            }
        };
    };
    thing
        .interactions
        .find(&thing.definition, name)
        .ok_or_else(|| {
            let hint = nearest_hint(name, names());
            wrong(format!("use: {whose} has no interaction {name:?}{hint}"))
        })
}

/// The interaction to use, and the position and direction of its user.
struct UseTarget {
    spec: InteractionSpec,
    /// World from object, and world from the bone that carries the interaction.
    matrices: [Affine3A; 2],
    /// Position of the user's feet, world space.
    stand_position: Option<Vec3>,
    /// Direction in which the user faces, degrees about +Y.
    yaw: f32,
    /// Times in seconds of the markers "grab" and "release" of the interaction's clip.
    markers: [Option<f32>; 2],
    /// Sides on which the user can lay a hand on a knee.
    lap: Vec<&'static str>,
}

impl UseTarget {
    fn of(
        stage: &mut Stage,
        user: Handle,
        thing: Handle,
        name: Option<&str>,
    ) -> mlua::Result<Self> {
        let found = &*find(stage, thing)?;
        let spec = meant(found, name)?.clone();
        let whole = found.posed.world[0];
        let bone = spec.bone.as_ref().and_then(|on| found.definition.bone(on));
        let matrix = bone.and_then(|bone| found.posed.model_from_bone.get(usize::from(bone)));
        let matrix = whole * matrix.copied().unwrap_or_default();
        let stand = spec
            .stand_position
            .map(|stand| whole.transform_point3(stand));
        let thing_yaw = found.placement.yaw;
        let own = &*find(stage, user)?;
        check_hands(own, &spec)?;
        let marks = markers_of(own, &spec)?;
        let hand = matrix.transform_point3(spec.position);
        let from = stand.unwrap_or(own.placement.position);
        // A sitting user has the seat behind them.
        let is_seat = spec.kind == InteractionKind::Seat;
        let to = if is_seat { from - hand } else { hand - from };
        let yaw = match spec.stand_yaw {
            Some(face) => thing_yaw + face,
            None if to.x.hypot(to.z) > 1e-3 => f32::atan2(to.x, to.z).to_degrees(),
            None => own.placement.yaw,
        };
        let lap = lap_of(&own.definition);
        Ok(Self {
            spec,
            matrices: [whole, matrix],
            stand_position: stand,
            yaw,
            markers: marks,
            lap,
        })
    }
}

/// Checks that the user has the limbs that an interaction needs.
fn check_hands(user: &Character, spec: &InteractionSpec) -> mlua::Result<()> {
    if !matches!(spec.kind, InteractionKind::Ladder | InteractionKind::Seat) {
        bone_index(user, &spec.hand)?;
    }
    if spec.other_hand.is_some() {
        bone_index(user, other_hand(&spec.hand))?;
    }
    Ok(())
}

/// Times in seconds of the markers "grab" and "release" in the user's version of the interaction's clip.
fn markers_of(user: &Character, spec: &InteractionSpec) -> mlua::Result<[Option<f32>; 2]> {
    let Some(clip) = &spec.clip else {
        return Ok([None; 2]);
    };
    let clip = clip_index(user, clip)?;
    let all = user.playback.markers.get(clip);
    Ok(["grab", "release"].map(|name| {
        let mut all = all.into_iter().flat_map(|marks| marks.iter());
        all.find(|mark| mark.event == name).map(|mark| mark.time)
    }))
}

/// Sides with both a hand and a knee.
fn lap_of(definition: &Definition) -> Vec<&'static str> {
    let mut lap = vec!["left", "right"];
    lap.retain(|side| {
        let parts = ["hand", "lower_leg"].map(|part| format!("{side}_{part}"));
        parts.iter().all(|part| definition.bone(part).is_some())
    });
    lap
}

/// Adds the ladder to the table of a use; returns the position at which the climb starts, world space.
fn add_ladder(
    lua: &Lua,
    table: &Table,
    user: &Character,
    target: &UseTarget,
) -> mlua::Result<Vec3> {
    let UseTarget {
        spec,
        matrices,
        yaw,
        ..
    } = target;
    let ends = ladder::ends(spec, *matrices, user.placement, *yaw);
    let climbs = (&*user.definition, user.placement.scale.abs());
    let Some(described) = ladder::describe(lua, spec, climbs, matrices[1], *yaw)? else {
        let name = &user.definition.model.name;
        return Err(wrong(format!(
            "use: {name} cannot climb, because it has no arms or no legs"
        )));
    };
    table.raw_set("ladder", described)?;
    table.raw_set("from", lua_vector(ends.bottom))?;
    table.raw_set("top", lua_vector(ends.top))?;
    table.raw_set("down", ends.is_down)?;
    Ok(ends.stand_position)
}

/// Checks the arguments of `task:use` and collects what its Lua part reads.
fn use_it(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let user = character_of_task(&args, "task:use")?;
    let Some(CharacterRef(thing)) = args.object(1) else {
        return Err(wrong("use: expected a prop"));
    };
    let name = args.text(2);
    let options: UseOptions = args.options(3)?;
    if let Some(UseHold::Seconds(hold)) = options.hold_time
        && hold < 0.0
    {
        return Err(wrong(format!(
            "use: hold_time must be 0 or more, got {hold} s"
        )));
    }
    let table = lua.create_table()?;
    let target = with_world(lua, |world| {
        let mut target = UseTarget::of(&mut world.stage, user, thing, name.as_deref())?;
        if target.spec.kind == InteractionKind::Ladder {
            let own = find(&mut world.stage, user)?;
            target.stand_position = Some(add_ladder(lua, &table, own, &target)?);
        }
        if options.walk && target.stand_position.is_some() {
            walker(&mut world.stage, user, "use")?;
        }
        Ok(target)
    })?;
    table.raw_set("hero", reference(lua, user)?)?;
    table.raw_set("thing", reference(lua, thing)?)?;
    if target.spec.kind != InteractionKind::Ladder {
        table.raw_set("key", format!("{thing:?} {}", target.spec.name))?;
    }
    table.raw_set("hands", hands(lua, user, &target.spec)?)?;
    add_target(&table, target, options)?;
    Ok(Value::Table(table))
}

/// Adds the interaction, the user's position and the times of a use to its table.
fn add_target(table: &Table, target: UseTarget, options: UseOptions) -> mlua::Result<()> {
    let UseTarget { spec, lap, .. } = target;
    table.raw_set("handle", spec.name.as_str())?;
    table.raw_set("lap", lap)?;
    if let (Some(stand), true) = (target.stand_position, options.walk) {
        table.raw_set("stand", lua_vector(stand))?;
    }
    table.raw_set("yaw", target.yaw)?;
    table.raw_set("kind", spec.kind.word())?;
    table.raw_set("pivot", lua_vector(spec.pivot))?;
    table.raw_set("axis", lua_vector(spec.axis))?;
    table.raw_set("swing", spec.swing)?;
    table.raw_set("at", lua_vector(spec.position))?;
    table.raw_set("on", spec.bone.as_deref())?;
    let [grab, let_go] = target.markers;
    table.raw_set("grab", grab)?;
    table.raw_set("speed", options.speed)?;
    table.raw_set("clip", spec.clip.as_deref())?;
    let [reach, hold, release] = spec.times;
    table.raw_set("reach", reach)?;
    match options.hold_time {
        None => {
            // Default: the clip's time between its markers.
            let between = grab
                .zip(let_go)
                .map(|(grab, let_go)| (let_go - grab).max(0.0));
            table.raw_set("hold", between.unwrap_or(hold))?;
        }
        Some(UseHold::Seconds(given)) => table.raw_set("hold", given)?,
        Some(UseHold::Until(given)) => table.raw_set("hold", given)?,
    }
    table.raw_set("release", release)?;
    table.raw_set("grip", spec.grip.unwrap_or(spec.kind.usual_grip()))
}

/// Arguments of `reach`, one table per hand.
fn hands(lua: &Lua, user: Handle, spec: &InteractionSpec) -> mlua::Result<Table> {
    let hands = lua.create_table()?;
    hands.raw_push(hand(lua, user, spec, (&spec.hand, spec.position))?)?;
    if let Some(other) = spec.other_hand {
        hands.raw_push(hand(lua, user, spec, (other_hand(&spec.hand), other))?)?;
    }
    Ok(hands)
}

fn other_hand(hand: &str) -> &'static str {
    if hand == "left_hand" {
        "right_hand"
    } else {
        "left_hand"
    }
}

/// Arguments of `reach` for one hand.
fn hand(
    lua: &Lua,
    user: Handle,
    spec: &InteractionSpec,
    (limb, at): (&str, Vec3),
) -> mlua::Result<Table> {
    let is_hand = matches!(limb, "left_hand" | "right_hand");
    let (helps, has_fingers) = with_world(lua, |world| {
        let definition = &find(&mut world.stage, user)?.definition;
        let bone = definition.bone(limb).filter(|_| is_hand);
        let fingers = bone.map(|bone| definition.hand_of(bone));
        Ok((
            is_hand && definition.whole_rig().is_ok(),
            fingers.is_some_and(|found| found.is_ok()),
        ))
    })?;
    let table = lua.create_table()?;
    table.raw_set("limb", limb)?;
    table.raw_set("has_fingers", has_fingers)?;
    let options = lua.create_table()?;
    options.raw_set("target_bone", spec.bone.as_deref())?;
    options.raw_set("target_offset", lua_vector(at))?;
    options.raw_set("fade", spec.times[0])?;
    options.raw_set("full_body", helps)?;
    if has_fingers {
        options.raw_set("grip", spec.grip.unwrap_or(spec.kind.usual_grip()))?;
        options.raw_set("palm", true)?;
        options.raw_set("radius", spec.radius)?;
        options.raw_set("bar", spec.bar.map(lua_vector))?;
    }
    if let Some(turn) = spec.hand_rotation {
        options.raw_set("match_rotation", true)?;
        for (name, angle) in ["yaw", "pitch", "roll"].into_iter().zip(turn.to_array()) {
            options.raw_set(name, angle)?;
        }
    }
    table.raw_set("options", options)?;
    Ok(table)
}

/// Emits the `use` events for the user and the object. Called by the runtime's Lua part of `task:use`.
pub(super) fn emit_use(
    lua: &Lua,
    (user, thing, handle, phase): (Value, Value, String, String),
) -> mlua::Result<()> {
    let phases = ["reach", "hold", "release", "end"];
    let phase = phases.into_iter().find(|known| *known == phase);
    let (Some(CharacterRef(user)), Some(CharacterRef(thing)), Some(phase)) =
        (object(&user), object(&thing), phase)
    else {
        return Ok(());
    };
    with_world(lua, |world| {
        let time = world.now();
        for (whom, other, is_thing) in [(user, thing, false), (thing, user, true)] {
            if world.stage.characters.get(whom).is_none() {
                continue;
            }
            let kind = EventKind::Use(Box::new(UseEvent {
                other,
                is_object_event: is_thing,
                interaction: handle.clone(),
                phase,
            }));
            world.stage.events.push(Event::new(whom, time, kind));
        }
        Ok(())
    })
}

/// `task:walk_to(target)`.
pub(super) const WALK_TO: Function = Function {
    name: "walk_to",
    params: WALK_PARAMS,
    returns: "boolean",
    doc: "Makes the task's character walk in a straight line to a position or to another character. With `yaw`, it then \
          turns to that direction. The walking character needs a controller (`hero:controller`). Returns true on \
          arrival, or false if the character is stuck. If the task ends before, the character stops.",
    example: "hero:controller {}\nhero:task(function(a) print(a:walk_to(vec(0, 0, 2), { yaw = 180 })) end)",
    call: walk_to,
};

/// `task:use(thing, interaction)`.
pub(super) const USE: Function = Function {
    name: "use",
    params: USE_PARAMS,
    returns: "string",
    doc: "Makes the task's character use a prop, in the way that `add_interaction` has defined. `interaction` is the \
          name of the interaction; you may leave it out if the prop has only one. The character walks to the prop, \
          turns, plays the clip of the interaction, reaches for the prop, holds on and lets go. The hand follows a prop \
          that moves.\n\n\
          The character emits an event `use` for each `phase`: \"reach\", \"hold\", \"release\" and \"end\". Its fields \
          `other` and `interaction` name the prop and the interaction. The prop emits `used`. Returns \"done\" at the \
          end, or \"too_far\" if the character could not get there. Returns \"occupied\" immediately if another \
          character uses the interaction; only ladders can have several users.",
    example: "local lever = physics.box { position = vec(0, 1, 0.5), size = vec(0.05, 0.3, 0.05) }\nlever:add_interaction(\"top\", { position = vec(0, 0.15, 0) })\nhero:task(function(a) print(a:use(lever)) end)",
    call: use_it,
};
