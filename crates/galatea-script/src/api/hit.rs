//! `hero:hit`, `hero:kill`, `hero:hit_reactions`: hits on a character, and its reactions.

use glam::Vec3;
use mlua::{Lua, Table, Value};

use super::character_ref::{CharacterRef, bone_index, find, reference, with_character};
use super::check::{Args, OptionValue, Options, Param, Type, lua_number, lua_vector, text};
use super::group::{Function, Property};
use super::ragdoll::with_limbs;
use crate::words;
use crate::world::with_world;
use galatea_character::HitReaction;
use galatea_derive::Options;
use galatea_math::names::nearest_hint;
use galatea_physics::ragdoll::RagdollQuality;
use galatea_stage::{Bodies, Handle, Hit, Stage};

const REACTIONS: &[&str] = &["none", "flinch", "brace", "stagger", "fall"];

impl OptionValue for HitReaction {
    const TYPE: Type = Type::Word(REACTIONS);

    fn from_value(value: Value) -> Result<Self, String> {
        let word = text(&value);
        let reaction = word.as_deref().and_then(Self::from_word);
        reaction.ok_or_else(|| format!("expected a reaction, got {word:?}"))
    }
}

/// A hit on a character.
#[derive(Options)]
struct HitOptions {
    /// Impulse: mass times change of velocity. A thrown ball has 3, a punch 20 to 40, a collision with a runner 100,
    /// with a car 500.
    #[option(unit = "newton seconds")]
    impulse: Vec3,
    /// Bone that is hit.
    #[option(default_doc = "the bone nearest to `position`, otherwise the chest")]
    bone: Option<String>,
    /// Position of the hit in the world.
    #[option(default_doc = "that of the bone", unit = "metres")]
    position: Option<Vec3>,
    /// Amount of health that the character loses.
    #[option(default = 0.0, clamp = 0.0..=1.0)]
    damage: f32,
    /// Thing or character that hits, for the event `hit` and for `on_hit`.
    other: Option<CharacterRef>,
    /// Reaction of the character, instead of the computed one.
    #[option(default_doc = "computed from impulse, mass, balance and health")]
    reaction: Option<HitReaction>,
}

/// The function `on_hit` of the hit reactions, or its removal.
enum HitCallback {
    Function(mlua::Function),
    None,
}

impl OptionValue for HitCallback {
    const TYPE: Type = Type::OneOf(&[
        Type::Function(
            "(hit: { bone: string?, position: vector, impulse: vector, damage: number, reaction: string, other: \
             Character? }) -> (string | boolean)?",
        ),
        Type::Bool,
    ]);

    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::Boolean(_) => Ok(Self::None),
            function => mlua::Function::from_value(function).map(Self::Function),
        }
    }
}

/// Time of stillness until a character gets up, seconds; `None` if it stays down.
struct Stillness(Option<f32>);

impl OptionValue for Stillness {
    const TYPE: Type = Type::OneOf(&[Type::Number, Type::Bool]);

    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::Boolean(true) => Ok(Self(Some(0.6))),
            Value::Boolean(false) => Ok(Self(None)),
            seconds => f32::from_value(seconds).map(|seconds| Self(Some(seconds))),
        }
    }
}

/// Thresholds of a character's reactions to hits. An option that is left out keeps its value.
#[derive(Options)]
struct HitReactionOptions {
    /// Function that is called before a hit takes effect. `hit.other` is the thing or character that hits, if there is
    /// one. The function may return another reaction, or false to ignore the hit.
    /// It must not hit the same character. `on_hit = false` removes the function.
    on_hit: Option<HitCallback>,
    /// Strength of a hit (impulse divided by mass) from which a limb gives way.
    #[option(default_doc = "0.01", unit = "metres per second", range = 0.0..)]
    flinch_threshold: Option<f32>,
    /// Strength of a hit (impulse divided by mass) from which the whole upper body gives way.
    #[option(default_doc = "0.35", unit = "metres per second", range = 0.0..)]
    brace_threshold: Option<f32>,
    /// Strength of a hit (impulse divided by mass) from which the character staggers.
    #[option(default_doc = "0.9", unit = "metres per second", range = 0.0..)]
    stagger_threshold: Option<f32>,
    /// Strength of a hit (impulse divided by mass) from which the character falls.
    #[option(default_doc = "1.9", unit = "metres per second", range = 0.0..)]
    fall_threshold: Option<f32>,
    /// Time for which the character lies still until it gets up by itself; a disturbance makes this time longer.
    /// False makes the character stay down. The event `settle` comes after 0.25 s of stillness.
    #[option(default_doc = "0.6", unit = "seconds", range = 0.0..)]
    get_up_delay: Option<Stillness>,
    /// True makes bodies that collide with the character hit it, as `hit` does.
    #[option(default_doc = "true while the limbs are bodies")]
    hit_on_touch: Option<bool>,
    /// Accuracy of the ragdoll when the character falls. "fast" takes less time, for many ragdolls at once, but joints give
    /// way a little under load.
    #[option(default_doc = "\"exact\"")]
    ragdoll_quality: Option<RagdollQuality>,
}

words!(RagdollQuality {
    "fast" => RagdollQuality::Fast,
    "exact" => RagdollQuality::Exact,
});

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

fn hit(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let options: HitOptions = args.options(1)?;
    let (hit, reaction, bone, at, asks) = with_world(lua, |world| {
        let character = with_limbs(&mut world.stage, handle)?;
        if world.program.hit_callbacks.running.contains(&handle) {
            return Err(wrong(format!(
                "hit: the on_hit function of {} must not hit the same character; return another reaction instead",
                character.shown_name()
            )));
        }
        let at = options.position;
        let bone = match &options.bone {
            Some(name) => bone_index(character, name)?,
            None => nearest(character, at),
        };
        let place = at.unwrap_or_else(|| character.posed.bone_position(bone));
        let bones = character.definition.model.skeleton.bones();
        let name = bones.get(usize::from(bone)).map(|bone| bone.name.clone());
        let hit = Hit {
            bone,
            position: at,
            impulse: options.impulse,
            damage: options.damage,
            other: options.other.as_ref().map(|other| other.0),
        };
        let reaction = options
            .reaction
            .unwrap_or_else(|| world.stage.bodies().judge(handle, &hit));
        let asks = world.program.hit_callbacks.functions.get(&handle).cloned();
        Ok((hit, reaction, name, place, asks))
    })?;
    let reaction = match asks {
        Some(function) => {
            let table = reaction_from_script(lua, &hit, reaction, bone.as_deref(), at)?;
            let given = run_on_hit(lua, handle, || function.call(table))?;
            match answer(&given?, reaction)? {
                Some(reaction) => reaction,
                None => return Ok(Value::Boolean(false)),
            }
        }
        None => reaction,
    };
    let reaction = with_world(lua, |world| {
        find(&mut world.stage, handle)?;
        Ok(world.stage.bodies().hit(handle, &hit, reaction))
    })?;
    Ok(Value::String(lua.create_string(reaction.word())?))
}

/// Runs `call`, which calls the `on_hit` function of a character. That function must not hit the same character.
fn run_on_hit<R>(lua: &Lua, handle: Handle, call: impl FnOnce() -> R) -> mlua::Result<R> {
    with_world(lua, |world| {
        world.program.hit_callbacks.running.push(handle);
        Ok(())
    })?;
    let given = call();
    with_world(lua, |world| {
        world.program.hit_callbacks.running.pop();
        Ok(given)
    })
}

/// Argument of the `on_hit` function for a hit by a projectile.
pub(crate) fn projectile_hit_table(
    lua: &Lua,
    stage: &Stage,
    handle: Handle,
    hit: &Hit,
    reaction: HitReaction,
) -> mlua::Result<Table> {
    let character = stage.characters.get(handle);
    let bone = character.and_then(|character| {
        let bones = character.definition.model.skeleton.bones();
        bones.get(usize::from(hit.bone))
    });
    let name = bone.map(|bone| bone.name.as_str());
    reaction_from_script(lua, hit, reaction, name, hit.position.unwrap_or_default())
}

/// Reads the result of the `on_hit` function: a reaction, or `None` to ignore the hit.
pub(crate) fn answer(value: &Value, reaction: HitReaction) -> mlua::Result<Option<HitReaction>> {
    match value {
        Value::Nil | Value::Boolean(true) => Ok(Some(reaction)),
        Value::Boolean(false) => Ok(None),
        other => word(other).map(Some),
    }
}

/// The bone of the ragdoll nearest to a position, or the chest.
fn nearest(character: &galatea_character::Character, at: Option<Vec3>) -> u16 {
    let ragdoll = character.body.ragdoll(&character.definition);
    let bones = ragdoll.bodies.iter().map(|body| body.bone);
    let found = at.and_then(|at| {
        let far = |bone: u16| character.posed.bone_position(bone).distance_squared(at);
        bones.clone().min_by(|a, b| far(*a).total_cmp(&far(*b)))
    });
    let chest = || character.definition.bone("chest");
    found
        .or_else(chest)
        .or_else(|| bones.clone().next())
        .unwrap_or(0)
}

fn reaction_from_script(
    lua: &Lua,
    hit: &Hit,
    reaction: HitReaction,
    bone: Option<&str>,
    at: Vec3,
) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    table.raw_set("bone", bone)?;
    table.raw_set("position", lua_vector(at))?;
    table.raw_set("impulse", lua_vector(hit.impulse))?;
    table.raw_set("damage", lua_number(hit.damage))?;
    table.raw_set("reaction", reaction.word())?;
    if let Some(other) = hit.other {
        table.raw_set("other", reference(lua, other)?)?;
    }
    Ok(table)
}

fn word(value: &Value) -> mlua::Result<HitReaction> {
    let text = match value {
        Value::String(text) => text.to_string_lossy(),
        other => {
            return Err(wrong(format!(
                "hit_reactions: on_hit returned a {}, not a reaction",
                other.type_name()
            )));
        }
    };
    HitReaction::from_word(&text).ok_or_else(|| {
        let hint = nearest_hint(&text, REACTIONS.iter().copied());
        wrong(format!(
            "hit_reactions: on_hit returned {text:?}, which is not a reaction{hint}"
        ))
    })
}

fn hit_reactions(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let options: HitReactionOptions = args.options(1)?;
    with_world(lua, |world| {
        let touches = options.hit_on_touch;
        let character = match touches {
            Some(true) => with_limbs(&mut world.stage, handle)?,
            _ => find(&mut world.stage, handle)?,
        };
        let vitals = &mut character.body.vitals;
        let mut limits = vitals.thresholds;
        let given = [
            options.flinch_threshold,
            options.brace_threshold,
            options.stagger_threshold,
            options.fall_threshold,
        ];
        for (limit, given) in limits.iter_mut().zip(given) {
            *limit = given.unwrap_or(*limit);
        }
        let named = REACTIONS[1..].iter().zip(limits);
        let mut pairs = named.clone().zip(named.skip(1));
        if let Some(((less, a), (more, b))) = pairs.find(|((_, a), (_, b))| a > b) {
            return Err(wrong(format!(
                "hit_reactions: {more}_threshold must be at least {less}_threshold, which is {a}, got {b}"
            )));
        }
        vitals.thresholds = limits;
        if let Some(quality) = options.ragdoll_quality {
            character.body.set_ragdoll_quality(quality);
        }
        let vitals = &mut character.body.vitals;
        if let Some(touches) = touches {
            vitals.hit_on_touch = Some(touches);
        }
        if let Some(Stillness(seconds)) = options.get_up_delay {
            vitals.get_up_delay = seconds;
        }
        match options.on_hit {
            Some(HitCallback::Function(function)) => {
                world
                    .program
                    .hit_callbacks
                    .functions
                    .insert(handle, function);
            }
            Some(HitCallback::None) => {
                world.program.hit_callbacks.functions.remove(&handle);
            }
            None => {}
        }
        Ok(Value::Nil)
    })
}

/// Calls a function that needs limbs.
fn on_limbs(
    lua: &Lua,
    args: &Args,
    f: impl FnOnce(&mut Bodies<'_>, Handle),
) -> mlua::Result<Value> {
    let handle = args.character()?;
    with_world(lua, |world| {
        with_limbs(&mut world.stage, handle)?;
        f(&mut world.stage.bodies(), handle);
        Ok(Value::Nil)
    })
}

fn kill(lua: &Lua, args: Args) -> mlua::Result<Value> {
    on_limbs(lua, &args, |bodies, handle| bodies.kill(handle))
}

fn knock_down(lua: &Lua, args: Args) -> mlua::Result<Value> {
    on_limbs(lua, &args, |bodies, handle| bodies.knock_down(handle))
}

fn get_up(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    with_world(lua, |world| {
        find(&mut world.stage, handle)?;
        Ok(Value::Boolean(world.stage.bodies().get_up(handle)))
    })
}

fn get_health(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, c| Ok(lua_number(c.body.vitals.health)))
}

fn set_health(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let health = args.number(1).unwrap_or(1.0).clamp(0.0, 1.0) as f32;
    with_character(lua, &args, |_, c| {
        c.body.vitals.health = health;
        Ok(Value::Nil)
    })
}

fn get_balance(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, c| Ok(lua_number(c.body.vitals.balance)))
}

fn set_balance(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let balance = args.number(1).unwrap_or(1.0).max(0.0) as f32;
    with_character(lua, &args, |_, c| {
        c.body.vitals.balance = balance;
        Ok(Value::Nil)
    })
}

fn get_is_dead(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, c| Ok(Value::Boolean(c.body.vitals.is_dead)))
}

pub(super) const HIT: Function = Function {
    name: "hit",
    params: &[Param {
        name: "options",
        ty: Type::Options(HitOptions::SHAPE),
        optional: false,
    }],
    returns: "string | false",
    doc: "Hits the character. The reaction depends on the impulse divided by the mass, the position of the hit, `balance` \
          and `health`. From weak to strong, the reactions are:\n\n\
          - \"flinch\": a limb gives way;\n\
          - \"brace\": the upper body gives way;\n\
          - \"stagger\": the character is pushed away;\n\
          - \"fall\": it falls and gets up again. A hit that takes the last health always makes it fall.\n\n\
          Returns the reaction, or false if the function `on_hit` of `hit_reactions` rejected the hit. The character emits \
          `hit`, and later `knock_down`, `settle`, `get_up`, `get_up_end` and `die`, as they happen.",
    example: "hero:hit { bone = \"chest\", impulse = vec(0, 0, -40), damage = 0.1 }",
    call: hit,
};

pub(super) const KILL: Function = Function {
    name: "kill",
    params: &[],
    returns: "",
    doc: "Kills the character: it falls and does not get up by itself. `get_up` revives it. A prop of one piece, without \
          limbs, is an error.",
    example: "hero:kill()",
    call: kill,
};

pub(super) const KNOCK_DOWN: Function = Function {
    name: "knock_down",
    params: &[],
    returns: "",
    doc: "Makes the character fall with the current velocity of its clips. It gets up by itself.",
    example: "hero:knock_down()",
    call: knock_down,
};

pub(super) const GET_UP: Function = Function {
    name: "get_up",
    params: &[],
    returns: "boolean",
    doc: "Makes a character that is lying down get up where it is. It plays a clip with `get_up`, `stand_up` or `lie_stand` \
          in its name whose first pose fits the way the character lies. Without such a clip, a movement is generated. A dead \
          character revives with a health of at least 0.01. Returns false if the character is not lying down.",
    example: "hero:knock_down()\nhero:get_up()",
    call: get_up,
};

pub(super) const HIT_REACTIONS: Function = Function {
    name: "hit_reactions",
    params: &[Param {
        name: "options",
        ty: Type::Options(HitReactionOptions::SHAPE),
        optional: false,
    }],
    returns: "",
    doc: "Sets the strength of a hit from which each reaction happens, and a function that may change or reject each hit. \
          Options that you leave out keep their values. The strength is the impulse divided by the mass, in metres per \
          second.",
    example: "hero:hit_reactions { fall_threshold = 3, get_up_delay = 1.5, on_hit = function(e)\n\tif e.bone == \"head\" then return \"fall\" end\n\treturn e.reaction\nend }",
    call: hit_reactions,
};

pub(super) const HEALTH: Property = Property {
    name: "health",
    ty: "number",
    doc: "Health, from 0 to 1. A hit that takes the last health kills the character. With less health, weaker hits make it \
          fall. A character that gets up from death has at least 0.01.",
    get: get_health,
    set: Some((Type::Number, set_health)),
};

pub(super) const BALANCE: Property = Property {
    name: "balance",
    ty: "number",
    doc: "Stability against hits; 1 is normal. At 0.5, half the impulse makes the character fall.",
    get: get_balance,
    set: Some((Type::Number, set_balance)),
};

pub(super) const IS_DEAD: Property = Property {
    name: "is_dead",
    ty: "boolean",
    doc: "True while the character is dead: from `kill`, or the hit that took its last health, until it gets up again.",
    get: get_is_dead,
    set: None,
};
