//! `hero:look` and `hero:alive`: eyes that look, and a body that is never quite still.

use glam::Vec3;
use mlua::{Lua, Value};

use super::Function;
use super::carriage::ends;
use super::character::{CharacterRef, clip_index, find};
use super::check::{Args, Field, Fields, Param, Type, object};
use super::goal::{AT, ON, SPACE, TARGET_OR_FALSE, goal};
use super::stack::{modifier_fields, put};
use crate::world::{World, with_world};
use galatea_character::{
    Character, Goal, Kind, Living, LookReach, Looking, MOST_THINGS, Thing, TurnClips,
};
use galatea_machine::NotAlone;
use galatea_math::names::nearest_hint;
use galatea_rig::alive::{Alive, AliveInput, AliveOptions};
use galatea_rig::gaze::{Gaze, GazeOptions, Manner, Outside};
use galatea_rig::turning::TurnPace;

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

const LOOK_FIELDS: &[Field] = modifier_fields!(
    ON,
    AT,
    SPACE,
    Field {
        name: "radius",
        ty: Type::Number,
        doc: "metres: the eyes go about on what is so large; a face for characters, else 0",
    },
    Field {
        name: "eyes",
        ty: Type::Number,
        doc: "0 to 1: share of their range that the eyes have; 1",
    },
    Field {
        name: "head",
        ty: Type::Number,
        doc: "0 to 1: the same of the head; 1",
    },
    Field {
        name: "eye_side",
        ty: Type::Number,
        doc: "degrees, 0 to 90: how far the eyes turn to the side, by the very angle; what the file says (VRM), else 35",
    },
    Field {
        name: "eye_up",
        ty: Type::Number,
        doc: "the same up; what the file says, else 25",
    },
    Field {
        name: "eye_down",
        ty: Type::Number,
        doc: "the same down; what the file says, else 35",
    },
    Field {
        name: "chest",
        ty: Type::Number,
        doc: "0 to 1: share of what is left for it that the chest takes; 0.35",
    },
    Field {
        name: "cone",
        ty: Type::Number,
        doc: "degrees about straight ahead, both sides together, in which it looks at something; it lets go 30 beyond; 120",
    },
    Field {
        name: "outside",
        ty: Type::Word(&["let_go", "as_far"]),
        doc: "what it does with what is outside of that: looks elsewhere, or as far as it can; \"let_go\"",
    },
    Field {
        name: "life",
        ty: Type::Number,
        doc: "0 to 1: how restless its eyes are; 1",
    },
    Field {
        name: "blinks",
        ty: Type::Number,
        doc: "factor on how often it blinks; 0 never, 1",
    },
    Field {
        name: "manner",
        ty: Type::Word(&["steady", "listening", "speaking"]),
        doc: "how much of the time it looks away: hardly, a quarter, more than half; \"steady\"",
    },
    Field {
        name: "turn",
        ty: Type::OneOf(&[Type::Bool, Type::Fields(TURN_FIELDS)]),
        doc: "true, or how: it turns on the spot to what is too far round, while it stands and nobody moves it; false",
    },
);

/// How it turns on the spot.
pub(super) const TURN_FIELDS: &[Field] = &[
    Field {
        name: "left",
        ty: Type::Text,
        doc: "a clip of turning to the left, or a state of one clip; one whose name says so, else its own steps",
    },
    Field {
        name: "right",
        ty: Type::Text,
        doc: "the same to the right; without one the other is mirrored",
    },
    Field {
        name: "rate",
        ty: Type::Number,
        doc: "degrees per second at most, without a clip; 110",
    },
    Field {
        name: "acceleration",
        ty: Type::Number,
        doc: "degrees per second squared, without a clip; 300",
    },
];

/// Options of one of several things.
const THING_FIELDS: &[Field] = &[
    ON,
    AT,
    SPACE,
    Field {
        name: "interest",
        ty: Type::Number,
        doc: "how much it draws the look",
    },
    Field {
        name: "radius",
        ty: Type::Number,
        doc: "metres",
    },
];

/// What a value names to look at: of a character without a bone its face.
fn thing(lua: &Lua, world: &mut World, value: &Value, fields: &Fields) -> mlua::Result<Thing> {
    let Some(mut found) = goal(lua, world, "look", value, fields)? else {
        return Err(wrong("look: a thing to look at is missing"));
    };
    let mut radius = 0.0;
    if let (Some(CharacterRef(other)), None) = (object(value), fields.text("on"))
        && let Goal::On { bone, at, .. } = &mut found
        && let Some((head, eyes, size)) = face(find(&mut world.stage, other)?)
    {
        (*bone, *at, radius) = (Some(head), *at + eyes, size);
    }
    let given = fields.number("radius").map(|radius| radius.max(0.0) as f32);
    Ok(Thing {
        goal: found,
        interest: fields.number("interest").unwrap_or(1.0).max(0.0) as f32,
        radius: given.unwrap_or(radius),
        place: None,
    })
}

/// Somebody's head, the place between the eyes in its space, and how large a face it has.
fn face(character: &Character) -> Option<(u16, Vec3, f32)> {
    let rig = character.definition.gaze_rig().ok()?;
    let size = 0.05 * rig.size * character.placement.scale.abs();
    Some((rig.head.bone, rig.eye_middle, size))
}

/// What there is to look at.
fn things(lua: &Lua, args: &Args, fields: &Fields) -> mlua::Result<Vec<Thing>> {
    let value = args.value(1);
    let listed = match &value {
        Value::Table(table) => table.raw_len() > 0,
        _ => false,
    };
    if value.is_nil() {
        return Ok(Vec::new());
    }
    if !listed {
        return with_world(lua, |world| Ok(vec![thing(lua, world, &value, fields)?]));
    }
    let Value::Table(list) = value else {
        return Ok(Vec::new());
    };
    if list.raw_len() > MOST_THINGS {
        return Err(wrong(format!(
            "look: a character may have {MOST_THINGS} things to look at, got {}",
            list.raw_len()
        )));
    }
    let mut all = Vec::new();
    for entry in list.sequence_values::<Value>() {
        let entry = entry?;
        let one = match &entry {
            Value::Table(table) if table.raw_len() == 1 => {
                let first: Value = table.raw_get(1)?;
                let options = lua.create_table()?;
                for pair in table.pairs::<Value, Value>() {
                    let (key, value) = pair?;
                    if !matches!(key, Value::Integer(1)) && key.as_number() != Some(1.0) {
                        options.raw_set(key, value)?;
                    }
                }
                if let Err(why) = Type::Fields(THING_FIELDS).check(&Value::Table(options.clone())) {
                    return Err(wrong(format!("look: {why}")));
                }
                let options = Fields(Some(options));
                with_world(lua, |world| thing(lua, world, &first, &options))?
            }
            other => with_world(lua, |world| thing(lua, world, other, &Fields(None)))?,
        };
        all.push(one);
    }
    Ok(all)
}

fn set_gaze(fields: &Fields, options: &mut GazeOptions) {
    let number = |name: &str, most: f64| {
        let given = fields.number(name);
        given.map(|n| n.clamp(0.0, most) as f32)
    };
    if let Some(share) = number("chest", 1.0) {
        options.chest_share = share;
    }
    if let Some(cone) = number("cone", 330.0) {
        options.accept = (0.5 * cone).to_radians();
        options.leave = (0.5 * cone + 15.0).to_radians();
    }
    match fields.text("outside").as_deref() {
        Some("as_far") => options.outside = Outside::AsFar,
        Some(_) => options.outside = Outside::LetGo,
        None => {}
    }
    if let Some(life) = number("life", 1.0) {
        options.life = life;
    }
    if let Some(blinks) = number("blinks", 20.0) {
        options.blinks = blinks;
    }
    options.manner = match fields.text("manner").as_deref() {
        Some("listening") => Manner::LISTENING,
        Some("speaking") => Manner::SPEAKING,
        Some(_) => Manner::STEADY,
        None => options.manner,
    };
}

/// Sees to it that there is a clip of a name, or a state that plays one.
fn check_turn_clip(character: &Character, name: &str) -> mlua::Result<()> {
    let why = match (
        character
            .playback
            .clip_or_state(&character.definition, name),
        &character.playback.machine,
    ) {
        (Ok(_), _) => return Ok(()),
        (Err(NotAlone::Unknown), None) => return clip_index(character, name).map(|_| ()),
        (Err(NotAlone::Unknown), Some((machine, _))) => {
            let layers = 0..machine.layer_names().count();
            let states = layers.flat_map(|layer| machine.state_names(layer));
            let hint = nearest_hint(name, character.definition.clips.names().chain(states));
            let model = &character.definition.model.name;
            format!("{model} has no clip or state {name:?}{hint}")
        }
        (Err(NotAlone::Several), _) => {
            format!("the state {name:?} plays more or less than one clip")
        }
        (Err(NotAlone::Stands), _) => format!("the state {name:?} does not play its clip forwards"),
    };
    Err(mlua::Error::runtime(format!("turn: {why}")))
}

/// Notes how it is to turn on the spot.
pub(super) fn set_turns(character: &mut Character, fields: &Fields) -> mlua::Result<()> {
    let names = ["left", "right"].map(|name| fields.text(name));
    for name in names.iter().flatten() {
        check_turn_clip(character, name)?;
    }
    let turns = character.locomotion.turns.get_or_insert_default();
    let [left, right] = names;
    turns.clips = TurnClips { left, right };
    let number = |name: &str| fields.number(name).map(|n| n.clamp(1.0, 7200.0) as f32);
    let usual = TurnPace::default();
    turns.pace = TurnPace {
        speed: number("rate").map_or(usual.speed, f32::to_radians),
        acceleration: number("acceleration").map_or(usual.acceleration, f32::to_radians),
    };
    Ok(())
}

/// Whether it turns to what it looks at, and how.
fn set_look_turns(character: &mut Character, value: &Value) -> mlua::Result<()> {
    match value {
        Value::Nil => return Ok(()),
        Value::Boolean(false) => {
            if let Some(turns) = &mut character.locomotion.turns {
                turns.by_look = false;
            }
            return Ok(());
        }
        Value::Table(table) => set_turns(character, &Fields(Some(table.clone())))?,
        _ => set_turns(character, &Fields(None))?,
    }
    character.locomotion.turns.get_or_insert_default().by_look = true;
    Ok(())
}

fn look(lua: &Lua, args: Args) -> mlua::Result<Value> {
    if ends(lua, &args, "look")? {
        return Ok(Value::Nil);
    }
    let handle = args.character()?;
    let fields = args.fields(2);
    let things = things(lua, &args, &fields)?;
    let seed = handle.to_u64();
    put(lua, handle, "look", "look".into(), &fields, |character| {
        set_look_turns(character, &fields.value("turn"))?;
        let definition = character.definition.clone();
        let known = character
            .modifiers
            .stack_mut()
            .named("look")
            .map(|known| &known.kind);
        let (gaze, attention) = match known {
            Some(Kind::Look(known)) => (known.gaze.clone(), known.attention.clone()),
            _ => (Gaze::new(GazeOptions::default(), seed), Default::default()),
        };
        let share = |name: &str| fields.number(name).unwrap_or(1.0).clamp(0.0, 1.0) as f32;
        let angle = |name: &str| {
            let degrees = fields.number(name)?.clamp(0.0, 90.0) as f32;
            Some(degrees.to_radians())
        };
        let reach = LookReach {
            eyes: share("eyes"),
            head: share("head"),
            eye_range: ["eye_side", "eye_up", "eye_down"].map(angle),
        };
        let (mut looking, missing) = Looking::new(&definition, gaze, reach);
        looking.attention = attention;
        looking.things = things;
        set_gaze(&fields, &mut looking.gaze.options);
        Ok((Kind::Look(Box::new(looking)), missing))
    })
}

/// `hero:look(target)`.
pub(super) const LOOK: Function = Function {
    name: "look",
    params: &[
        Param {
            name: "target",
            ty: TARGET_OR_FALSE,
            optional: true,
        },
        Param::options(LOOK_FIELDS),
    ],
    returns: "Modifier",
    doc: "Has it look at a place, at somebody's face, or at `camera`: the eyes go first, the head follows, the \
          chest a little; it blinks, and its eyes go about on what they see. A list has it look at whichever \
          draws it most: things, or tables of a thing and its `interest` and `radius`. Nothing has it look about, \
          `false` ends it. What is too far round is let go of; `hero.turn_wanted` says by how much to turn. With \
          `turn` it turns there on the spot first, by a clip whose name says so (`turn_left`, `turn_right_90`, \
          `turn_180`) or on its own `feet`; not while it walks, is told to `move` or lies: a player's input wins.",
    example: "hero:look(camera)\nhero:look(vector.create(0, 1.6, -3), { turn = true })\nhero:look({ { camera, interest = 2 }, vector.create(2, 1, 3) }, { head = 0.7, eye_side = 20 })\nhero:look()\nhero:look(false)",
    call: look,
};

fn get_turn_wanted(lua: &Lua, args: Args) -> mlua::Result<Value> {
    super::character::with_character(lua, &args, |_, character| {
        let modifiers = character
            .modifiers
            .stack
            .iter()
            .flat_map(|stack| &stack.modifiers);
        let wanted = modifiers
            .into_iter()
            .find_map(|modifier| match &modifier.kind {
                Kind::Look(looking) => looking.gaze.wants_turn(),
                _ => None,
            });
        Ok(wanted.map_or(Value::Nil, |yaw| Value::Number(f64::from(yaw.to_degrees()))))
    })
}

/// `hero.turn_wanted`.
pub(super) const TURN_WANTED: super::Property = super::Property {
    name: "turn_wanted",
    ty: "number?",
    doc: "Degrees about +Y by which it must turn to look at what `look` was given, while that is too far round \
          for its head; else nothing. `hero:look(target, { turn = true })` and `act:face` turn it there.",
    get: get_turn_wanted,
    set: None,
};

const ALIVE_FIELDS: &[Field] = modifier_fields!(
    Field {
        name: "breath",
        ty: Type::Number,
        doc: "factor on how deeply it breathes; 1",
    },
    Field {
        name: "sway",
        ty: Type::Number,
        doc: "factor on how far it shifts its weight from foot to foot, for one with `feet`; 1",
    },
    Field {
        name: "noise",
        ty: Type::Number,
        doc: "factor on how far trunk, arms and fingers wander; 1",
    },
    Field {
        name: "effort",
        ty: Type::Number,
        doc: "0 at rest to 1 out of breath; 0",
    },
    Field {
        name: "valence",
        ty: Type::Number,
        doc: "-1 sad to 1 glad: the chest sinks or rises; 0",
    },
    Field {
        name: "arousal",
        ty: Type::Number,
        doc: "-1 sleepy to 1 excited: slower or faster; 0",
    },
);

fn alive(lua: &Lua, args: Args) -> mlua::Result<Value> {
    if ends(lua, &args, "alive")? {
        return Ok(Value::Nil);
    }
    let handle = args.character()?;
    let fields = args.fields(1);
    let seed = handle.to_u64();
    put(lua, handle, "alive", "alive".into(), &fields, |character| {
        let rig = character.definition.alive_rig();
        let missing = rig.as_ref().err().cloned();
        let known = character
            .modifiers
            .stack_mut()
            .named("alive")
            .map(|known| &known.kind);
        let (mut alive, mut mood) = match known {
            Some(Kind::Alive(known)) => (known.alive.clone(), known.mood),
            _ => (
                Alive::new(AliveOptions::default(), seed),
                AliveInput::default(),
            ),
        };
        let set = |name: &str, place: &mut f32, least: f64, most: f64| {
            if let Some(n) = fields.number(name) {
                *place = n.clamp(least, most) as f32;
            }
        };
        set("breath", &mut alive.options.breath, 0.0, 4.0);
        set("sway", &mut alive.options.sway, 0.0, 4.0);
        set("noise", &mut alive.options.noise, 0.0, 4.0);
        set("effort", &mut mood.effort, 0.0, 1.0);
        set("valence", &mut mood.valence, -1.0, 1.0);
        set("arousal", &mut mood.arousal, -1.0, 1.0);
        let living = Living {
            rig: rig.ok(),
            alive,
            mood,
        };
        Ok((Kind::Alive(Box::new(living)), missing))
    })
}

/// `hero:alive()`.
pub(super) const ALIVE: Function = Function {
    name: "alive",
    params: &[Param {
        name: "options",
        ty: Type::OneOf(&[Type::Fields(ALIVE_FIELDS), Type::Bool]),
        optional: true,
    }],
    returns: "Modifier",
    doc: "Has it breathe, shift its weight and never be quite still, over whatever its clips do; a human-like \
          body without clips has this from the start. `false` fades it out.",
    example: "hero:alive { effort = 0.8, arousal = 0.5 }\nhero:alive(false)",
    call: alive,
};
