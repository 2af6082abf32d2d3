//! Handles of things, and what acts do with them: `hero:handle`, `a:walk_to`, `a:use`.

use glam::Vec3;
use mlua::{Lua, Table, Value};

use std::sync::Arc;

use super::Function;
use super::character::{CharacterRef, bone_index, clip_index, find, reference};
use super::check::{Args, Field, Param, Type, lua_vector, object};
use super::goal::{AT, ON, SPACE, TARGET, goal};
use super::ladder;
use crate::world::{World, with_world};
use galatea_asset::handle::{HandleKind, HandleSpec, MOST_HANDLES, MOST_RUNGS};
use galatea_character::{Character, Goal};
use galatea_math::names::nearest_hint;
use galatea_stage::{Event, EventKind, Handle, UseEvent};

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

const HANDLE_FIELDS: &[Field] = &[
    Field {
        name: "kind",
        ty: Type::Word(&HandleKind::WORDS),
        doc: "what is done there: a hand holds on, swings the thing about its hinge, takes it along, one sits down, or one climbs; \"hold\"",
    },
    Field {
        name: "pivot",
        ty: Type::Vector,
        doc: "of a lever: a place of its hinge in the thing's own space; its origin",
    },
    Field {
        name: "axis",
        ty: Type::Vector,
        doc: "of a lever: the axis of its hinge there; the x axis",
    },
    Field {
        name: "swing",
        ty: Type::Number,
        doc: "of a lever: degrees that it goes in `hold` seconds, and back at the next use; 60",
    },
    Field {
        name: "rise",
        ty: Type::Vector,
        doc: "of a ladder, whose lowest rung is `at`: the way from a rung to the next; 0.28 m up",
    },
    Field {
        name: "rungs",
        ty: Type::Number,
        doc: "of a ladder: how many, 1 to 500; 8",
    },
    Field {
        name: "width",
        ty: Type::Number,
        doc: "of a ladder: metres from rail to rail; 0.4",
    },
    Field {
        name: "rails",
        ty: Type::Number,
        doc: "of a ladder: metres by which its rails go on above the last rung, to hold on to; 0",
    },
    Field {
        name: "top",
        ty: Type::Vector,
        doc: "of a ladder: where one stands at its end, in the thing's own space; half a metre beyond the last rung, level with it",
    },
    Field {
        name: "on",
        ty: Type::Text,
        doc: "bone of the thing that it moves with; the thing itself",
    },
    Field {
        name: "at",
        ty: Type::Vector,
        doc: "where the hand goes, of one with fingers the palm, in the space of that bone, metres",
    },
    Field {
        name: "turn",
        ty: Type::Vector,
        doc: "degrees by which the hand is turned there: yaw, pitch, roll; it turns with its arm",
    },
    Field {
        name: "grip",
        ty: Type::Number,
        doc: "0 to 1: how far the fingers close; 0.6, of a lever and a ladder 0.75, of what is taken 0.55",
    },
    Field {
        name: "radius",
        ty: Type::Number,
        doc: "metres from the palm to `at`, the middle of what is held; what fits the hand",
    },
    Field {
        name: "bar",
        ty: Type::Vector,
        doc: "an axis in the space of that bone: the hand turns so that it lies across the palm",
    },
    Field {
        name: "stand",
        ty: Type::Vector,
        doc: "where one stands, in the thing's own space, metres; where one is",
    },
    Field {
        name: "face",
        ty: Type::Number,
        doc: "degrees about +Y in the thing's own space to which one faces; to the handle",
    },
    Field {
        name: "hand",
        ty: Type::Text,
        doc: "the limb that reaches; \"right_hand\"",
    },
    Field {
        name: "other",
        ty: Type::Vector,
        doc: "where the other hand goes, for what takes two",
    },
    Field {
        name: "clip",
        ty: Type::Text,
        doc: "a clip that who uses it plays",
    },
    Field {
        name: "reach",
        ty: Type::Number,
        doc: "seconds in which the hand goes there; 0.45",
    },
    Field {
        name: "hold",
        ty: Type::Number,
        doc: "seconds for which it holds on; 0.5",
    },
    Field {
        name: "release",
        ty: Type::Number,
        doc: "seconds in which it lets go; 0.4",
    },
];

fn handle(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let owner = args.character()?;
    let name = args.text(1).unwrap_or_default();
    let fields = args.fields(2);
    let mut spec = HandleSpec::new(&name);
    let kind = fields.text("kind");
    spec.kind = kind
        .and_then(|word| HandleKind::from_word(&word))
        .unwrap_or_default();
    spec.pivot = fields.vector("pivot").unwrap_or(spec.pivot);
    spec.axis = fields.vector("axis").unwrap_or(spec.axis);
    spec.swing = fields.number("swing").map_or(spec.swing, |n| n as f32);
    spec.rise = fields.vector("rise").unwrap_or(spec.rise);
    let rungs = fields.number("rungs");
    spec.rungs = rungs.map_or(spec.rungs, |n| n.clamp(1.0, f64::from(MOST_RUNGS)) as u32);
    let width = fields.number("width");
    spec.width = width.map_or(spec.width, |n| n.clamp(0.1, 10.0) as f32);
    let rails = fields.number("rails");
    spec.rails = rails.map_or(spec.rails, |n| n.clamp(0.0, 10.0) as f32);
    spec.top = fields.vector("top");
    spec.on = fields.text("on");
    spec.at = fields.vector("at").unwrap_or(Vec3::ZERO);
    spec.turn = fields.vector("turn");
    let grip = fields.number("grip");
    spec.grip = grip.map(|n| n.clamp(0.0, 1.0) as f32);
    let radius = fields.number("radius");
    spec.radius = radius.map(|n| n.clamp(0.0, 1.0) as f32);
    spec.bar = fields.vector("bar");
    spec.stand = fields.vector("stand");
    spec.face = fields.number("face").map(|n| n as f32);
    spec.hand = fields.text("hand").unwrap_or(spec.hand);
    spec.other = fields.vector("other");
    spec.clip = fields.text("clip");
    for (time, name) in spec.times.iter_mut().zip(["reach", "hold", "release"]) {
        if let Some(n) = fields.number(name) {
            *time = n.clamp(0.0, 600.0) as f32;
        }
    }
    with_world(lua, |world| {
        let character = find(&mut world.stage, owner)?;
        if let Some(on) = &spec.on {
            bone_index(character, on)?;
        }
        character.handles.own.retain(|known| known.name != name);
        if character.handles.own.len() >= MOST_HANDLES {
            return Err(wrong(format!(
                "handle: a thing may have {MOST_HANDLES} handles"
            )));
        }
        character.handles.own.push(Arc::new(spec));
        Ok(Value::Nil)
    })
}

/// `thing:handle(name, { … })`.
pub(super) const HANDLE: Function = Function {
    name: "handle",
    params: &[
        Param {
            name: "name",
            ty: Type::Text,
            optional: false,
        },
        Param {
            name: "fields",
            ty: Type::Fields(HANDLE_FIELDS),
            optional: false,
        },
    ],
    returns: "",
    doc: "Makes a handle of a thing: a door's knob, a lever, a seat, a rung, a cup: where one stands, where the \
          hand goes, and how long it takes. In an act `a:use(thing, name)` walks there, turns, reaches and holds \
          on. Files have them in the extras of nodes, as `handle`.",
    example: "local door = physics.box { at = vector.create(0, 1, 2), size = vector.create(0.9, 2, 0.06) }\ndoor:handle(\"knob\", { at = vector.create(-0.35, 0, -0.06), stand = vector.create(-0.2, 0, -0.6), hand = \"left_hand\" })",
    call: handle,
};

/// Where a target is now, world space.
pub(super) fn place_of(world: &mut World, walker: Handle, target: Goal) -> mlua::Result<Vec3> {
    match target {
        Goal::World(place) => Ok(place),
        Goal::Own(place) => {
            Ok(find(&mut world.stage, walker)?.posed.world[0].transform_point3(place))
        }
        Goal::Camera => Ok(world.stage.camera.camera(1.0).eye),
        Goal::On {
            character,
            bone,
            at,
            ..
        } => {
            let found = find(&mut world.stage, character)?;
            let own = bone.and_then(|bone| found.posed.model_from_bone.get(usize::from(bone)));
            let own = own.copied().unwrap_or_default();
            Ok((found.posed.world[0] * own).transform_point3(at))
        }
    }
}

/// A character that walks, or what to do about it.
fn walker(world: &mut World, handle: Handle, what: &str) -> mlua::Result<()> {
    let character = find(&mut world.stage, handle)?;
    if character.body.controller.is_none() {
        let name = &character.definition.model.name;
        let text = format!("{what}: {name} has no controller; give it one: hero:controller {{}}");
        return Err(wrong(text));
    }
    Ok(())
}

/// What `a:walk_to` needs to know, checked.
fn walk_to(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = super::act::character_of_act(&args, "act:walk_to")?;
    let fields = args.fields(2);
    let target = args.value(1);
    let place = with_world(lua, |world| {
        walker(world, handle, "walk_to")?;
        let Some(found) = goal(lua, world, "walk_to", &target, &fields)? else {
            return Err(wrong("walk_to: a target is missing"));
        };
        place_of(world, handle, found)
    })?;
    let table = lua.create_table()?;
    table.raw_set("hero", reference(lua, handle)?)?;
    table.raw_set("place", lua_vector(place))?;
    // Who moves is followed.
    let is_whole = fields.text("on").is_none() && fields.vector("at").is_none();
    if is_whole && object::<CharacterRef>(&target).is_some() {
        table.raw_set("follow", target)?;
    }
    for (name, default, least) in [
        ("speed", 1.4, 0.01),
        ("near", 0.12, 0.005),
        ("give_up", 1.5, 0.1),
    ] {
        let n = fields.number(name).unwrap_or(default).max(least);
        table.raw_set(name, n)?;
    }
    table.raw_set("yaw", fields.number("yaw"))?;
    Ok(Value::Table(table))
}

/// Parameters of `a:walk_to`.
const WALK_PARAMS: &[Param] = &[
    Param {
        name: "target",
        ty: TARGET,
        optional: false,
    },
    Param {
        name: "options",
        ty: Type::Fields(&[
            ON,
            AT,
            SPACE,
            Field {
                name: "speed",
                ty: Type::Number,
                doc: "metres per second; 1.4",
            },
            Field {
                name: "near",
                ty: Type::Number,
                doc: "metres from the target at which it is there; 0.12",
            },
            Field {
                name: "yaw",
                ty: Type::Number,
                doc: "degrees about +Y to which it turns there; as it came",
            },
            Field {
                name: "give_up",
                ty: Type::Number,
                doc: "seconds without getting nearer after which it gives up; 1.5",
            },
        ]),
        optional: true,
    },
];

/// Parameters of `a:use`.
const USE_PARAMS: &[Param] = &[
    Param {
        name: "thing",
        ty: Type::Object("Character"),
        optional: false,
    },
    Param {
        name: "handle",
        ty: Type::Text,
        optional: true,
    },
    Param {
        name: "options",
        ty: Type::Fields(&[
            Field {
                name: "hold",
                ty: Type::OneOf(&[Type::Number, Type::Function]),
                doc: "seconds for which it holds on, or a function that is asked every tick and gives true at the end",
            },
            Field {
                name: "speed",
                ty: Type::Number,
                doc: "metres per second at which it walks there; 1.4",
            },
            Field {
                name: "walk",
                ty: Type::Bool,
                doc: "false: it does it from where it is; true",
            },
        ]),
        optional: true,
    },
];

/// The handle of a thing that is meant: of that name, or its only one.
fn meant<'a>(thing: &'a Character, name: Option<&str>) -> mlua::Result<&'a HandleSpec> {
    let whose = thing.shown_name();
    let names = || {
        thing
            .handles
            .iter(&thing.definition)
            .map(|handle| handle.name.as_str())
    };
    let Some(name) = name else {
        let mut all = thing.handles.iter(&thing.definition);
        let (first, second) = (all.next(), all.next());
        return match (first, second) {
            (Some(only), None) => Ok(only),
            (None, _) => Err(wrong(format!(
                "use: {whose} has no handles; give it one: thing:handle(name, {{ … }})"
            ))),
            _ => {
                let names: Vec<&str> = names().collect();
                Err(wrong(format!(
                    "use: {whose} has several handles: {}",
                    names.join(", ")
                )))
            }
        };
    };
    thing.handles.find(&thing.definition, name).ok_or_else(|| {
        let hint = nearest_hint(name, names());
        wrong(format!("use: {whose} has no handle {name:?}{hint}"))
    })
}

/// What `a:use` needs to know, checked.
fn use_it(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let user = super::act::character_of_act(&args, "act:use")?;
    let Some(CharacterRef(thing)) = args.object(1) else {
        return Err(wrong("use: expected a thing"));
    };
    let name = args.text(2);
    let fields = args.fields(3);
    let table = lua.create_table()?;
    let walks = fields.bool("walk").unwrap_or(true);
    if let Some(hold) = fields.number("hold").filter(|hold| *hold < 0.0) {
        return Err(wrong(format!(
            "use: {hold} is no time to hold on, in seconds"
        )));
    }
    let (spec, stand, yaw, marks, lap) = with_world(lua, |world| {
        let found = find(&mut world.stage, thing)?;
        let spec = meant(found, name.as_deref())?.clone();
        let placement = found.placement;
        let stand = spec
            .stand
            .map(|stand| found.posed.world[0].transform_point3(stand));
        let whole = found.posed.world[0];
        let bone = spec.on.as_ref().and_then(|on| found.definition.bone(on));
        let matrix = bone.and_then(|bone| found.posed.model_from_bone.get(usize::from(bone)));
        let matrix = whole * matrix.copied().unwrap_or_default();
        let hand = matrix.transform_point3(spec.at);
        let own = &*find(&mut world.stage, user)?;
        if !matches!(spec.kind, HandleKind::Ladder | HandleKind::Seat) {
            bone_index(own, &spec.hand)?;
        }
        if spec.other.is_some() {
            bone_index(own, other_hand(&spec.hand))?;
        }
        let mut marks = [None; 2];
        if let Some(clip) = &spec.clip {
            let clip = clip_index(own, clip)?;
            let all = own.playback.marks.get(clip);
            marks = ["grab", "release"].map(|name| {
                let mut all = all.into_iter().flat_map(|marks| marks.iter());
                all.find(|mark| mark.event == name).map(|mark| mark.t)
            });
        }
        let from = stand.unwrap_or(own.placement.position);
        // Who sits down has the seat behind.
        let is_seat = spec.kind == HandleKind::Seat;
        let to = if is_seat { from - hand } else { hand - from };
        let yaw = match spec.face {
            Some(face) => placement.yaw + face,
            None if to.x.hypot(to.z) > 1e-3 => f32::atan2(to.x, to.z).to_degrees(),
            None => own.placement.yaw,
        };
        let mut stand = stand;
        if spec.kind == HandleKind::Ladder {
            let ends = ladder::ends(&spec, [whole, matrix], own.placement, yaw);
            let definition = &own.definition;
            let climbs = (&**definition, own.placement.scale.abs());
            let Some(described) = ladder::describe(lua, &spec, climbs, matrix, yaw)? else {
                let name = &definition.model.name;
                return Err(wrong(format!(
                    "use: {name} lacks arms and legs to climb with"
                )));
            };
            table.raw_set("ladder", described)?;
            table.raw_set("from", lua_vector(ends.bottom))?;
            table.raw_set("top", lua_vector(ends.top))?;
            table.raw_set("down", ends.is_down)?;
            stand = Some(ends.stand);
        }
        if walks && stand.is_some() {
            walker(world, user, "use")?;
        }
        // Hands on the knees, as far as there are both.
        let definition = &find(&mut world.stage, user)?.definition;
        let mut lap = vec!["left", "right"];
        lap.retain(|side| {
            let parts = ["hand", "lower_leg"].map(|part| format!("{side}_{part}"));
            parts.iter().all(|part| definition.bone(part).is_some())
        });
        Ok((spec, stand, yaw, marks, lap))
    })?;
    table.raw_set("hero", reference(lua, user)?)?;
    table.raw_set("thing", reference(lua, thing)?)?;
    table.raw_set("handle", spec.name.as_str())?;
    if spec.kind != HandleKind::Ladder {
        table.raw_set("key", format!("{thing:?} {}", spec.name))?;
    }
    table.raw_set("lap", lap)?;
    if let (Some(stand), true) = (stand, walks) {
        table.raw_set("stand", lua_vector(stand))?;
    }
    table.raw_set("yaw", yaw)?;
    table.raw_set("kind", spec.kind.word())?;
    table.raw_set("pivot", lua_vector(spec.pivot))?;
    table.raw_set("axis", lua_vector(spec.axis))?;
    table.raw_set("swing", spec.swing)?;
    table.raw_set("at", lua_vector(spec.at))?;
    table.raw_set("on", spec.on.as_deref())?;
    let [grab, let_go] = marks;
    table.raw_set("grab", grab)?;
    table.raw_set("speed", fields.number("speed").unwrap_or(1.4).max(0.01))?;
    table.raw_set("clip", spec.clip.as_deref())?;
    let [reach, hold, release] = spec.times;
    table.raw_set("reach", reach)?;
    match fields.value("hold") {
        Value::Nil => {
            // The clip's own time between its marks.
            let between = grab
                .zip(let_go)
                .map(|(grab, let_go)| (let_go - grab).max(0.0));
            table.raw_set("hold", between.unwrap_or(hold))?;
        }
        given => table.raw_set("hold", given)?,
    }
    table.raw_set("release", release)?;
    let hands = lua.create_table()?;
    hands.raw_push(hand(lua, user, &spec, (&spec.hand, spec.at))?)?;
    if let Some(other) = spec.other {
        hands.raw_push(hand(lua, user, &spec, (other_hand(&spec.hand), other))?)?;
    }
    table.raw_set("hands", hands)?;
    table.raw_set("grip", spec.grip.unwrap_or(spec.kind.usual_grip()))?;
    Ok(Value::Table(table))
}

fn other_hand(hand: &str) -> &'static str {
    if hand == "left_hand" {
        "right_hand"
    } else {
        "left_hand"
    }
}

/// What `reach` is called with for one hand.
fn hand(
    lua: &Lua,
    user: Handle,
    spec: &HandleSpec,
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
    options.raw_set("on", spec.on.as_deref())?;
    options.raw_set("at", lua_vector(at))?;
    options.raw_set("fade", spec.times[0])?;
    options.raw_set("body", helps)?;
    if has_fingers {
        options.raw_set("grip", spec.grip.unwrap_or(spec.kind.usual_grip()))?;
        options.raw_set("palm", true)?;
        options.raw_set("radius", spec.radius)?;
        options.raw_set("bar", spec.bar.map(lua_vector))?;
    }
    if let Some(turn) = spec.turn {
        options.raw_set("turn", true)?;
        for (name, angle) in ["yaw", "pitch", "roll"].into_iter().zip(turn.to_array()) {
            options.raw_set(name, angle)?;
        }
    }
    table.raw_set("options", options)?;
    Ok(table)
}

/// Tells who uses a thing, and the thing, how far it is. For the runtime's own part of `a:use`.
pub(super) fn tell_use(
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
        let time = world.event_time.unwrap_or(world.stage.time());
        for (whom, other, is_thing) in [(user, thing, false), (thing, user, true)] {
            if world.stage.characters.get(whom).is_none() {
                continue;
            }
            let kind = EventKind::Use(Box::new(UseEvent {
                other,
                is_thing,
                handle: handle.clone(),
                phase,
            }));
            world.stage.events.push(Event::new(whom, time, kind));
        }
        Ok(())
    })
}

/// `a:walk_to(target)`.
pub(super) const WALK_TO: Function = Function {
    name: "walk_to",
    params: WALK_PARAMS,
    returns: "boolean",
    doc: "Walks straight to a place or a character, by its controller, and turns there; false when it \
          does not get nearer. An act that ends before stops it.",
    example: "hero:controller {}\nhero:act(function(a) print(a:walk_to(vector.create(0, 0, 2), { yaw = 180 })) end)",
    call: walk_to,
};

/// `a:use(thing, handle)`.
pub(super) const USE: Function = Function {
    name: "use",
    params: USE_PARAMS,
    returns: "string",
    doc: "Uses a handle of a thing, its only one without a name: walks to where one stands for that, turns, \
          plays the handle's clip, reaches, holds on, also while the thing moves, and lets go. Both hear of \
          it: `use` with `other`, `handle` and `phase` (\"reach\", \"hold\", \"release\", \"end\"), the thing \
          `used`. Gives \"done\", \"too_far\" when it could not get there, or \"taken\" at once while somebody else is at \
          it; on a ladder there may be several.",
    example: "local lever = physics.box { at = vector.create(0, 1, 0.5), size = vector.create(0.05, 0.3, 0.05) }\nlever:handle(\"top\", { at = vector.create(0, 0.15, 0) })\nhero:act(function(a) print(a:use(lever)) end)",
    call: use_it,
};
