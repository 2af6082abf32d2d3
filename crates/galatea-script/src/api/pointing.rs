//! `hero:aim` and `hero:chain`: bones that point at something, and chains that reach.

use glam::Vec3;
use mlua::{Lua, Table, Value};

use super::Function;
use super::character::{bone_index, find};
use super::check::{Args, Field, Fields, Param, Type, number, text};
use super::goal::{AT, ON, PITCH, ROLL, SPACE, TARGET, YAW, goal};
use super::stack::{fade_of, modifier_fields, put};
use crate::world::with_world;
use galatea_anim::humanoid::Role;
use galatea_character::{Aiming, Chaining, Character, Kind};
use galatea_rig::aim::Sight;
use galatea_rig::chain::{Chain, ChainGoal, ChainMethod};
use galatea_stage::Handle;

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Lets go of what a modifier goes after, when its function is called without a target. True when it was.
pub(super) fn lets_go(
    lua: &Lua,
    handle: Handle,
    name: &str,
    target: &Value,
    fields: &Fields,
) -> mlua::Result<bool> {
    if !target.is_nil() {
        return Ok(false);
    }
    with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        if let Some(modifier) = character.modifiers.stack_mut().named(name) {
            modifier.let_go(fade_of(fields));
        }
        Ok(true)
    })
}

/// Refuses the name of a modifier of another kind.
pub(super) fn check_name(
    character: &mut Character,
    what: &str,
    name: &str,
    kind: &str,
) -> mlua::Result<()> {
    let known = character.modifiers.stack_mut().named(name);
    match known.map(|known| known.kind.word()) {
        Some(word) if word != kind => Err(wrong(format!(
            "{what}: {name:?} is the name of another modifier ({word})"
        ))),
        _ => Ok(()),
    }
}

const AIM_FIELDS: &[Field] = modifier_fields!(
    ON,
    AT,
    SPACE,
    Field {
        name: "bones",
        ty: Type::Table,
        doc: "the bones that turn, each above the next: a list of names, or names with shares, { spine = 0.3, chest = 0.7 }; the spine up to the chest",
    },
    Field {
        name: "by",
        ty: Type::Text,
        doc: "the bone that has the line, below those: a hand with a weapon; the last of them",
    },
    Field {
        name: "from",
        ty: Type::Vector,
        doc: "where the line begins, in that bone's space, metres; its origin",
    },
    Field {
        name: "along",
        ty: Type::Vector,
        doc: "where it points, in that bone's space; where the character looks at rest",
    },
    Field {
        name: "side",
        ty: Type::Number,
        doc: "degrees to the left and to the right at most; 80",
    },
    Field {
        name: "up",
        ty: Type::Number,
        doc: "degrees up at most; 60",
    },
    Field {
        name: "down",
        ty: Type::Number,
        doc: "degrees down at most; 50",
    },
    Field {
        name: "name",
        ty: Type::Text,
        doc: "name of the modifier; \"aim\"",
    },
);

/// Bones by name, each above the next, with shares; without names the spine, as far as there is one.
fn shares(character: &Character, value: &Value) -> mlua::Result<Vec<(u16, f32)>> {
    let Value::Table(table) = value else {
        let humanoid = character.definition.clips.humanoid();
        let roles = [Role::Spine, Role::Chest, Role::UpperChest];
        let found: Vec<u16> = roles
            .into_iter()
            .filter_map(|role| humanoid.bone(role))
            .collect();
        let share = 1.0 / found.len().max(1) as f32;
        return Ok(found.into_iter().map(|bone| (bone, share)).collect());
    };
    let mut all = named(character, table)?;
    if all.is_empty() {
        return Err(wrong("aim: `bones` names none"));
    }
    // A parent stands before its children.
    all.sort_by_key(|(bone, _)| *bone);
    let parents = character.definition.model.skeleton.parents();
    let hangs = |bone: u16, above: u16| {
        let parent = |bone: &u16| parents.get(usize::from(*bone)).copied();
        std::iter::successors(Some(bone), parent).any(|b| b == above)
    };
    if let Some(pair) = all.windows(2).find(|pair| !hangs(pair[1].0, pair[0].0)) {
        let bones = character.definition.model.skeleton.bones();
        let name = |(bone, _): (u16, f32)| &bones[usize::from(bone)].name;
        return Err(wrong(format!(
            "aim: {:?} does not hang on {:?}",
            name(pair[1]),
            name(pair[0])
        )));
    }
    Ok(all)
}

fn named(character: &Character, table: &Table) -> mlua::Result<Vec<(u16, f32)>> {
    let n = table.raw_len().max(1) as f32;
    let mut all = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair?;
        let (name, share) = match (text(&key), number(&value)) {
            (Some(name), Some(share)) => (Some(name), share as f32),
            _ => (text(&value), 1.0 / n),
        };
        let Some(name) = name else {
            return Err(wrong(
                "aim: `bones` is a list of names, or names with shares",
            ));
        };
        all.push((bone_index(character, &name)?, share.clamp(0.0, 1.0)));
    }
    Ok(all)
}

fn aim(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let target = args.value(1);
    let fields = args.fields(2);
    let name = fields.text("name").unwrap_or_else(|| "aim".into());
    if lets_go(lua, handle, &name, &target, &fields)? {
        return Ok(Value::Nil);
    }
    let found = with_world(lua, |world| goal(lua, world, "aim", &target, &fields))?;
    put(lua, handle, "aim", name.clone(), &fields, |character| {
        check_name(character, "aim", &name, "aim")?;
        let bones = shares(character, &fields.value("bones"))?;
        let last = bones.last().map_or(0, |(bone, _)| *bone);
        let by = match fields.text("by") {
            Some(name) => Some(bone_index(character, &name)?),
            None => None,
        };
        let definition = &character.definition;
        let has_line = definition.rest_matrix(by.unwrap_or(last));
        let ahead = definition.clips.humanoid().model_from_character * Vec3::Z;
        let along = fields.vector("along");
        let along = along.unwrap_or_else(|| has_line.inverse().transform_vector3(ahead));
        let Some(forward) = along.try_normalize() else {
            return Err(wrong("aim: `along` has no length"));
        };
        let skeleton = &definition.model.skeleton;
        let name_of = |bone: u16| skeleton.bones()[usize::from(bone)].name.clone();
        let angle = |name, default: f64| {
            (fields.number(name).unwrap_or(default).clamp(0.0, 180.0) as f32).to_radians()
        };
        let aiming = Aiming {
            names: bones.iter().map(|(bone, _)| name_of(*bone)).collect(),
            bones,
            sight: Sight {
                offset: fields.vector("from").unwrap_or(Vec3::ZERO),
                forward,
            },
            by: by.map(|by| (by, name_of(by))),
            goal: found,
            ranges: [angle("side", 80.0), angle("up", 60.0), angle("down", 50.0)],
            place: None,
            missed: 0.0,
        };
        let missing = aiming.lacks().err();
        Ok((Kind::Aim(Box::new(aiming)), missing))
    })
}

/// `hero:aim(target)`.
pub(super) const AIM: Function = Function {
    name: "aim",
    params: &[
        Param {
            name: "target",
            ty: TARGET,
            optional: true,
        },
        Param::options(AIM_FIELDS),
    ],
    returns: "Modifier",
    doc: "Turns its spine, or the bones that are named, so that a line of the last of them, or of a hand below it \
          and what that holds, runs through a target. Nothing as a target lets go.",
    example: "hero:aim(vector.create(2, 1.4, 3), { by = \"right_hand\" })\nhero:aim(nil, { fade = 0.3 })",
    call: aim,
};

const CHAIN_FIELDS: &[Field] = modifier_fields!(
    ON,
    AT,
    YAW,
    PITCH,
    ROLL,
    SPACE,
    Field {
        name: "by",
        ty: Type::Word(&["ccd", "fabrik"]),
        doc: "how it is found: bone by bone from the root, or drawn to the target and back, which bends evenly; \"fabrik\"",
    },
    Field {
        name: "limit",
        ty: Type::Number,
        doc: "degrees that each bone may be bent and twisted from rest; as far as it likes",
    },
    Field {
        name: "give",
        ty: Type::Number,
        doc: "0 to 1: share of its way that a bone goes in a round of ccd; less is stiffer; 1",
    },
    Field {
        name: "turn",
        ty: Type::Bool,
        doc: "the tip is turned as the target is; false",
    },
    Field {
        name: "tolerance",
        ty: Type::Number,
        doc: "metres that may be missed; 0.0005",
    },
    Field {
        name: "most",
        ty: Type::Number,
        doc: "rounds at most; 16",
    },
    Field {
        name: "name",
        ty: Type::Text,
        doc: "name of the modifier; that of the tip",
    },
);

fn chain(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let [root, tip] = [1, 2].map(|i| args.text(i).unwrap_or_default());
    let target = args.value(3);
    let fields = args.fields(4);
    let name = fields.text("name").unwrap_or_else(|| tip.clone());
    if lets_go(lua, handle, &name, &target, &fields)? {
        return Ok(Value::Nil);
    }
    let found = with_world(lua, |world| goal(lua, world, "chain", &target, &fields))?;
    put(lua, handle, "chain", name.clone(), &fields, |character| {
        check_name(character, "chain", &name, "chain")?;
        let bones = [bone_index(character, &root)?, bone_index(character, &tip)?];
        let skeleton = &character.definition.model.skeleton;
        let Some(mut chain) = Chain::of(skeleton, bones[0], bones[1]) else {
            return Err(wrong(format!("chain: {tip:?} does not hang on {root:?}")));
        };
        if let Some(give) = fields.number("give") {
            for link in chain.links_mut() {
                link.give = give.clamp(0.01, 1.0) as f32;
            }
        }
        let default = ChainGoal::default();
        let method = match fields.text("by").as_deref() {
            Some("ccd") => ChainMethod::Ccd,
            _ => ChainMethod::Fabrik,
        };
        let tolerance = fields
            .number("tolerance")
            .map(|n| n.clamp(1e-6, 10.0) as f32);
        let most = fields.number("most").map(|n| n.clamp(1.0, 200.0) as u32);
        let limit = fields.number("limit");
        let mut chaining = Chaining {
            chain,
            ends: bones.map(|bone| skeleton.bones()[usize::from(bone)].name.clone()),
            limit: limit.map(|n| (n.clamp(0.0, 180.0) as f32).to_radians()),
            how: ChainGoal {
                method,
                tolerance: tolerance.unwrap_or(default.tolerance),
                most: most.unwrap_or(default.most),
                ..default
            },
            goal: found,
            turns: fields.bool("turn").unwrap_or(false),
            place: None,
            missed: 0.0,
        };
        chaining.set_limits();
        Ok((Kind::Chain(Box::new(chaining)), None))
    })
}

/// `hero:chain(root, tip, target)`.
pub(super) const CHAIN: Function = Function {
    name: "chain",
    params: &[
        Param {
            name: "root",
            ty: Type::Text,
            optional: false,
        },
        Param {
            name: "tip",
            ty: Type::Text,
            optional: false,
        },
        Param {
            name: "target",
            ty: TARGET,
            optional: true,
        },
        Param::options(CHAIN_FIELDS),
    ],
    returns: "Modifier",
    doc: "Bends a chain of bones, from `root` down to `tip`, so that the tip comes to a target: tails, tentacles, \
          trunks, spines. Nothing as a target lets go.",
    example: "hero:chain(\"spine\", \"left_hand\", vector.create(0.6, 0.5, 0.5), { by = \"ccd\", limit = 60 })\nhero:chain(\"spine\", \"left_hand\")",
    call: chain,
};
