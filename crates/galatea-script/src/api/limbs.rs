//! `hero:feet` and `hero:reach`: limbs that go where the world has something for them.

use mlua::{Lua, Value};

use super::Function;
use super::carriage::ends;
use super::character::{bone_index, find};
use super::check::{Args, Field, Fields, Param, Type};
use super::goal::{AT, ON, PITCH, ROLL, SPACE, TARGET, YAW, goal};
use super::pointing::{check_name, lets_go};
use super::stack::{modifier_fields, put};
use crate::world::with_world;
use galatea_character::{Grip, Kind, Reaching, Standing};
use galatea_rig::feet::{Feet, FeetOptions};

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

const FEET_FIELDS: &[Field] = modifier_fields!(
    Field {
        name: "hold",
        ty: Type::Bool,
        doc: "feet that carry stay where they are; true",
    },
    Field {
        name: "steps",
        ty: Type::Bool,
        doc: "the feet tell `step` themselves, in place of the marks of the clips; true",
    },
    Field {
        name: "release",
        ty: Type::Number,
        doc: "a foot steps when its clip wants it farther away than this share of a leg; 0.3",
    },
    Field {
        name: "up",
        ty: Type::Number,
        doc: "share of a leg that ground may be higher than the character's own place; 0.55",
    },
    Field {
        name: "down",
        ty: Type::Number,
        doc: "share of a leg that it may be lower; 0.55",
    },
    Field {
        name: "slope",
        ty: Type::Number,
        doc: "degrees up to which feet turn with the ground; 40",
    },
    Field {
        name: "body",
        ty: Type::Number,
        doc: "share of the way by which the body follows the ground; 1",
    },
    Field {
        name: "smooth",
        ty: Type::Number,
        doc: "seconds in which the body follows the height of the ground; 0.12",
    },
);

fn feet_options(fields: &Fields, options: &mut FeetOptions) {
    let set = |name: &str, place: &mut f32, most: f64, unit: f64| {
        if let Some(n) = fields.number(name) {
            *place = (n.clamp(0.0, most) * unit) as f32;
        }
    };
    set("release", &mut options.release, 10.0, 1.0);
    set("up", &mut options.up, 10.0, 1.0);
    set("down", &mut options.down, 10.0, 1.0);
    set("slope", &mut options.slope, 85.0, 1f64.to_radians());
    set("body", &mut options.body, 1.0, 1.0);
    set("smooth", &mut options.smooth, 10.0, 1.0);
    if let Some(hold) = fields.bool("hold") {
        options.hold = hold;
    }
}

fn feet(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let fields = args.fields(1);
    if ends(lua, &args, "feet")? {
        return Ok(Value::Nil);
    }
    put(lua, handle, "feet", "feet".into(), &fields, |character| {
        let rig = character.definition.legs();
        let missing = rig.as_ref().err().cloned();
        let mut standing = Standing {
            rig: rig.ok(),
            options: FeetOptions::default(),
            tells: true,
            feet: Feet::default(),
            steps: Vec::new(),
        };
        if let Some(known) = character.modifiers.stack_mut().standing() {
            standing.options = known.options;
            standing.tells = known.tells;
            standing.feet = known.feet.clone();
        }
        feet_options(&fields, &mut standing.options);
        if let Some(tells) = fields.bool("steps") {
            standing.tells = tells;
        }
        Ok((Kind::Feet(Box::new(standing)), missing))
    })
}

/// `hero:feet()`.
pub(super) const FEET: Function = Function {
    name: "feet",
    params: &[Param {
        name: "options",
        ty: Type::OneOf(&[Type::Fields(FEET_FIELDS), Type::Bool]),
        optional: true,
    }],
    returns: "Modifier",
    doc: "Puts its feet on what is under them, floor, stairs, slopes, lifts: a foot that carries stays where it \
          is, turns with the ground, and the body goes down to where all of them reach. For any number of legs. \
          The feet tell `step` themselves, with `foot`, `position`, `normal`, `surface`, `speed` at which it \
          came down, `weight`, and `next` and `next_in`: where and in how many seconds that foot is expected \
          next. `false` fades it out.",
    example: "hero:feet()\nhero:feet { slope = 30, within = 20 }\nhero:feet(false)",
    call: feet,
};

const REACH_FIELDS: &[Field] = modifier_fields!(
    ON,
    AT,
    YAW,
    PITCH,
    ROLL,
    SPACE,
    Field {
        name: "turn",
        ty: Type::Bool,
        doc: "the hand is turned as the target is, by yaw, pitch and roll; false",
    },
    Field {
        name: "pole",
        ty: Type::Vector,
        doc: "where the elbow or knee points, in the character's own space; it keeps its side",
    },
    Field {
        name: "soft",
        ty: Type::Number,
        doc: "0 to 1: share of the limb in which it slows down before it is stretched, and falls short of it; 0",
    },
    Field {
        name: "limit",
        ty: Type::Number,
        doc: "degrees, 0 to 180, that the upper bone stays within of the middle of its range: of a human's arm ahead and to its side, else where it points at rest; 125 for a human's arm, else 180",
    },
    Field {
        name: "body",
        ty: Type::Bool,
        doc: "the body helps a hand that is too short: it turns, leans, bends its knees, rises on its toes; false",
    },
    Field {
        name: "step",
        ty: Type::Bool,
        doc: "with `body`: where that is not enough it steps in, up to 1.5 m, best with `feet`; false",
    },
    Field {
        name: "grip",
        ty: Type::Number,
        doc: "0 to 1: how far the fingers of that hand close as it gets there; as they are",
    },
    Field {
        name: "palm",
        ty: Type::Bool,
        doc: "the palm of a hand with fingers comes there, not its wrist; false",
    },
    Field {
        name: "radius",
        ty: Type::Number,
        doc: "with `palm`: metres from the palm to the middle of what it holds, which is the target; what fits the hand",
    },
    Field {
        name: "bar",
        ty: Type::Vector,
        doc: "an axis in the target's space: a hand with fingers turns so that it lies across the palm, and closes about it",
    },
    Field {
        name: "name",
        ty: Type::Text,
        doc: "name of the modifier; that of the limb",
    },
);

/// Whether the body is to help, and then whether it is to step in.
fn helps(fields: &Fields) -> Option<bool> {
    let steps = fields.bool("step").unwrap_or(false);
    let helps = steps || fields.bool("body").unwrap_or(false);
    helps.then_some(steps)
}

/// How a hand closes, where anything is said of it.
fn grip_of(fields: &Fields) -> Option<Grip> {
    let to = fields.number("grip").map(|n| n.clamp(0.0, 1.0) as f32);
    let palm = fields.bool("palm").unwrap_or(false);
    let bar = fields.vector("bar");
    let to = to.or_else(|| (palm || bar.is_some()).then_some(0.0))?;
    Some(Grip {
        rig: None,
        to,
        now: to,
        palm,
        radius: fields.number("radius").map(|n| n.clamp(0.0, 1.0) as f32),
        bar,
    })
}

fn reach(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let end = args.text(1).unwrap_or_default();
    let target = args.value(2);
    let fields = args.fields(3);
    let name = fields.text("name").unwrap_or_else(|| end.clone());
    if target.is_nil() {
        with_world(lua, |world| {
            bone_index(find(&mut world.stage, handle)?, &end).map(|_| ())
        })?;
    }
    if lets_go(lua, handle, &name, &target, &fields)? {
        return Ok(Value::Nil);
    }
    let found = with_world(lua, |world| goal(lua, world, "reach", &target, &fields))?;
    put(lua, handle, "reach", name.clone(), &fields, |character| {
        check_name(character, "reach", &name, "reach")?;
        let bone = bone_index(character, &end)?;
        let definition = character.definition.clone();
        let Some(bones) = definition.limb_bones(bone) else {
            return Err(wrong(format!(
                "reach: {end:?} hangs on no limb: it needs two bones above it"
            )));
        };
        let Some(mut reaching) = Reaching::of(&definition, bones) else {
            return Err(wrong(format!(
                "reach: the bones above {end:?} have no length"
            )));
        };
        reaching.goal = found;
        reaching.turns = fields.bool("turn").unwrap_or(false);
        reaching.pole = fields.vector("pole");
        reaching.soft = fields.number("soft").unwrap_or(0.0).clamp(0.0, 1.0) as f32;
        let limit = fields.number("limit");
        reaching.limit = limit.map(|n| (n.clamp(0.0, 180.0) as f32).to_radians());
        reaching.helps = helps(&fields);
        reaching.grip = grip_of(&fields).map(Box::new);
        reaching.find_rest(&definition);
        if let Some(known) = character.modifiers.stack_mut().named(&name)
            && let Kind::Reach(known) = &known.kind
        {
            reaching.go_on(known);
        }
        Ok((Kind::Reach(Box::new(reaching)), None))
    })
}

/// `hero:reach(end, target)`.
pub(super) const REACH: Function = Function {
    name: "reach",
    params: &[
        Param {
            name: "limb",
            ty: Type::Text,
            optional: false,
        },
        Param {
            name: "target",
            ty: TARGET,
            optional: true,
        },
        Param::options(REACH_FIELDS),
    ],
    returns: "Modifier",
    doc: "Brings the end of a limb to a place, a character or one of its bones, and keeps it there while both \
          move: `left_hand`, `right_foot`, or any bone with two above it. What hangs in another hand of its own \
          is reached exactly: the second hand on a rifle. With `body` what is too far for the arm is leaned and \
          bent to, feet where they are and hips over them, with `step` walked to. With `grip` its fingers close. \
          Nothing as a target lets go.",
    example: "hero:reach(\"right_hand\", vector.create(-0.3, 1.2, 0.4), { grip = 0.7, palm = true, bar = vector.create(0, 1, 0) })\nhero:reach(\"left_hand\", vector.create(0.2, 0.05, 0.5), { body = true, step = true })\nhero:reach(\"right_hand\", vector.create(-0.3, 1.3, 0.5))\nhero:reach(\"right_hand\")",
    call: reach,
};
