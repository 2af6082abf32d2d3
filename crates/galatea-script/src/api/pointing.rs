//! `hero:aim_at` and `hero:chain_ik`: bones that aim at a target, and chains of bones that reach it.

use glam::Vec3;
use mlua::{Lua, Table, Value};

use super::character_ref::{bone_index, find};
use super::check::{Args, Options, Param, Type, number, text};
use super::goal::{GoalOptions, GoalTurnOptions, TARGET, goal, turned_goal};
use super::group::Function;
use super::modifier_list::{ModifierOptions, put};
use crate::words;
use crate::world::with_world;
use galatea_anim::humanoid::Role;
use galatea_character::{AimAtModifier, ChainIkModifier, Character, ModifierKind};
use galatea_derive::Options;
use galatea_rig::aim::AimLine;
use galatea_rig::chain::{Chain, ChainGoal, ChainMethod};
use galatea_stage::Handle;

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Releases the modifier of this name if the function was called without a target, and returns true; otherwise false.
pub(super) fn releases(
    lua: &Lua,
    handle: Handle,
    name: &str,
    target: &Value,
    fade: f32,
) -> mlua::Result<bool> {
    if !target.is_nil() {
        return Ok(false);
    }
    with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        if let Some(modifier) = character.modifiers.modifier_stack_mut().named(name) {
            modifier.release(fade);
        }
        Ok(true)
    })
}

/// Rejects the name of a modifier of another kind.
pub(super) fn check_name(
    character: &mut Character,
    what: &str,
    name: &str,
    kind: &str,
) -> mlua::Result<()> {
    let known = character.modifiers.modifier_stack_mut().named(name);
    match known.map(|known| known.kind.word()) {
        Some(word) if word != kind => Err(wrong(format!(
            "{what}: {name:?} is the name of another modifier ({word})"
        ))),
        _ => Ok(()),
    }
}

/// Options of `hero:aim_at`.
#[derive(Options)]
struct AimAtOptions {
    #[option(flatten)]
    modifier: ModifierOptions,
    #[option(flatten)]
    goal: GoalOptions,
    /// Bones that rotate, each below the previous one: a list of names, or names with fractions of the rotation, {
    /// spine = 0.3, chest = 0.7 }.
    #[option(
        default_doc = "the spine up to the chest",
        ty = Type::OneOf(&[Type::List(&Type::Text), Type::Table("{ [string]: number }")])
    )]
    bones: Option<Table>,
    /// Bone with which the line moves: the last of `bones` or one below it, for example a hand with a weapon.
    #[option(default_doc = "the last of `bones`")]
    aim_bone: Option<String>,
    /// Point where the line begins, in the space of `aim_bone`.
    #[option(default = Vec3::ZERO, default_doc = "(0, 0, 0)", unit = "metres")]
    aim_offset: Vec3,
    /// Direction of the line, in the space of `aim_bone`.
    #[option(default_doc = "forward in the rest pose")]
    aim_axis: Option<Vec3>,
    /// Maximum angle of the aim to the left and to the right.
    #[option(default = 80.0, unit = "degrees", clamp = 0.0..=180.0)]
    max_side: f32,
    /// Maximum angle of the aim upwards.
    #[option(default = 60.0, unit = "degrees", clamp = 0.0..=180.0)]
    max_up: f32,
    /// Maximum angle of the aim downwards.
    #[option(default = 50.0, unit = "degrees", clamp = 0.0..=180.0)]
    max_down: f32,
    /// Name of this modifier, for `character:modifier`.
    #[option(default = "aim_at")]
    name: String,
}

/// Bones from parent to child with their fractions of the rotation. By default the bones of the spine that exist.
fn bone_fractions(character: &Character, bones: Option<&Table>) -> mlua::Result<Vec<(u16, f32)>> {
    let Some(table) = bones else {
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
        return Err(wrong("aim_at: bones is empty; name at least one bone"));
    }
    // Parents come before their children.
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
            "aim_at: bone {:?} is not below bone {:?}",
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
                "aim_at: bones must be a list of names, or names with fractions",
            ));
        };
        all.push((bone_index(character, &name)?, share.clamp(0.0, 1.0)));
    }
    Ok(all)
}

fn aim_at(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let target = args.value(1);
    let options: AimAtOptions = args.options(2)?;
    let name = options.name;
    if releases(lua, handle, &name, &target, options.modifier.fade)? {
        return Ok(Value::Nil);
    }
    let found = with_world(lua, |world| {
        goal(lua, &mut world.stage, "aim_at", &target, &options.goal)
    })?;
    let common = options.modifier;
    put(lua, handle, "aim_at", name.clone(), common, |character| {
        check_name(character, "aim_at", &name, "aim_at")?;
        let bones = bone_fractions(character, options.bones.as_ref())?;
        let last = bones.last().map_or(0, |(bone, _)| *bone);
        let by = match &options.aim_bone {
            Some(name) => Some(bone_index(character, name)?),
            None => None,
        };
        let definition = &character.definition;
        let has_line = definition.rest_matrix(by.unwrap_or(last));
        let ahead = definition.clips.humanoid().model_from_character * Vec3::Z;
        let along = options.aim_axis;
        let along = along.unwrap_or_else(|| has_line.inverse().transform_vector3(ahead));
        let Some(forward) = along.try_normalize() else {
            return Err(wrong("aim_at: aim_axis must not be zero"));
        };
        let skeleton = &definition.model.skeleton;
        let name_of = |bone: u16| skeleton.bones()[usize::from(bone)].name.clone();
        let aiming = AimAtModifier {
            names: bones.iter().map(|(bone, _)| name_of(*bone)).collect(),
            bones,
            sight: AimLine {
                offset: options.aim_offset,
                forward,
            },
            aim_bone: by.map(|by| (by, name_of(by))),
            goal: found,
            ranges: [options.max_side, options.max_up, options.max_down].map(f32::to_radians),
            target_position: None,
            target_error: 0.0,
        };
        let missing = aiming.lacks().err();
        Ok((ModifierKind::AimAt(Box::new(aiming)), missing))
    })
}

/// `hero:aim_at(target)`.
pub(super) const AIM_AT: Function = Function {
    name: "aim_at",
    params: &[
        Param {
            name: "target",
            ty: TARGET,
            optional: true,
        },
        Param::options(AimAtOptions::SHAPE),
    ],
    returns: "Modifier",
    doc: "Rotates the spine or the given bones so that a line points at a target, for example the barrel of a \
          weapon. The line moves with the last of these bones, or with a bone below it, such as a hand. Call `aim_at` \
          without a target to release it.",
    example: "hero:aim_at(vec(2, 1.4, 3), { aim_bone = \"right_hand\" })\nhero:aim_at(nil, { fade = 0.3 })",
    call: aim_at,
};

words!(ChainMethod {
    "ccd" => ChainMethod::Ccd,
    "fabrik" => ChainMethod::Fabrik,
});

/// Options of `hero:chain_ik`.
#[derive(Options)]
struct ChainIkOptions {
    #[option(flatten)]
    modifier: ModifierOptions,
    #[option(flatten)]
    goal: GoalOptions,
    #[option(flatten)]
    turned: GoalTurnOptions,
    /// Method of the solver: "fabrik" pulls the whole chain to the target and bends it evenly, "ccd" rotates one bone
    /// after another, from the root.
    #[option(default = ChainMethod::Fabrik, default_doc = "fabrik")]
    solver: ChainMethod,
    /// Maximum angle by which each bone may bend and twist away from the rest pose.
    #[option(default_doc = "no limit", unit = "degrees", clamp = 0.0..=180.0)]
    max_angle: Option<f32>,
    /// For "ccd": fraction of the needed rotation that a bone makes in each iteration. Smaller values make the chain
    /// stiffer.
    #[option(default_doc = "1", clamp = 0.01..=1.0)]
    flexibility: Option<f32>,
    /// True gives the tip the rotation of the target, with `yaw`, `pitch` and `roll` added.
    #[option(default = false)]
    match_rotation: bool,
    /// Distance from the target at which the solver stops.
    #[option(
        default = ChainGoal::default().tolerance,
        default_doc = "0.0001",
        unit = "metres",
        clamp = 1e-6..=10.0
    )]
    tolerance: f32,
    /// Maximum number of iterations of the solver per tick.
    #[option(default = ChainGoal::default().max_iterations, default_doc = "32", clamp = 1..=200)]
    max_iterations: u32,
    /// Name of this modifier, for `character:modifier`.
    #[option(default_doc = "the name of the tip")]
    name: Option<String>,
}

fn chain_ik(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let [root, tip] = [1, 2].map(|i| args.text(i).unwrap_or_default());
    let target = args.value(3);
    let options: ChainIkOptions = args.options(4)?;
    let name = options.name.unwrap_or_else(|| tip.clone());
    if releases(lua, handle, &name, &target, options.modifier.fade)? {
        return Ok(Value::Nil);
    }
    let found = with_world(lua, |world| {
        let place = (&options.goal, &options.turned);
        turned_goal(lua, &mut world.stage, "chain_ik", &target, place)
    })?;
    let common = options.modifier;
    put(lua, handle, "chain_ik", name.clone(), common, |character| {
        check_name(character, "chain_ik", &name, "chain_ik")?;
        let bones = [bone_index(character, &root)?, bone_index(character, &tip)?];
        let skeleton = &character.definition.model.skeleton;
        let Some(mut chain) = Chain::of(skeleton, bones[0], bones[1]) else {
            return Err(wrong(format!(
                "chain_ik: bone {tip:?} is not below bone {root:?}"
            )));
        };
        if let Some(give) = options.flexibility {
            for link in chain.bones_mut() {
                link.flexibility = give;
            }
        }
        let mut chaining = ChainIkModifier {
            chain,
            ends: bones.map(|bone| skeleton.bones()[usize::from(bone)].name.clone()),
            max_angle: options.max_angle.map(f32::to_radians),
            goal_settings: ChainGoal {
                method: options.solver,
                tolerance: options.tolerance,
                max_iterations: options.max_iterations,
                ..ChainGoal::default()
            },
            goal: found,
            match_rotation: options.match_rotation,
            target_position: None,
            target_error: 0.0,
        };
        chaining.set_limits();
        Ok((ModifierKind::ChainIk(Box::new(chaining)), None))
    })
}

/// `hero:chain_ik(root, tip, target)`.
pub(super) const CHAIN_IK: Function = Function {
    name: "chain_ik",
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
        Param::options(ChainIkOptions::SHAPE),
    ],
    returns: "Modifier",
    doc: "Bends a chain of bones, from `root` down to `tip`, so that the tip reaches a target. Use it for tails, tentacles, \
          trunks and spines. Call it without a target to release it.",
    example: "hero:chain_ik(\"spine\", \"left_hand\", vec(0.6, 0.5, 0.5), { solver = \"ccd\", max_angle = 60 })\nhero:chain_ik(\"spine\", \"left_hand\")",
    call: chain_ik,
};
