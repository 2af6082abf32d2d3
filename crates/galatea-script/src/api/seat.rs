//! `hero:sit`: puts the hips on a seat and keeps the feet on the ground.

use mlua::{Lua, Value};

use super::check::{Args, Options, Param};
use super::goal::{GoalOptions, TARGET_OR_FALSE, goal};
use super::group::Function;
use super::lean_and_warp::ends;
use super::modifier_list::{ModifierOptions, put};
use crate::world::with_world;
use galatea_character::{ModifierKind, SitModifier};
use galatea_derive::Options;

/// Options of `hero:sit`.
#[derive(Options)]
struct SitOptions {
    #[option(flatten)]
    modifier: ModifierOptions,
    #[option(flatten)]
    goal: GoalOptions,
    /// Angle by which the upper body leans forward while the character sits down.
    #[option(default = 35.0, unit = "degrees", clamp = 0.0..=80.0)]
    lean: f32,
}

fn sit(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let options: SitOptions = args.options(2)?;
    if ends(lua, &args, "sit", options.modifier.fade)? {
        return Ok(Value::Nil);
    }
    let target = args.value(1);
    let found = with_world(lua, |world| {
        goal(lua, &mut world.stage, "sit", &target, &options.goal)
    })?;
    let common = options.modifier;
    put(lua, handle, "sit", "sit".into(), common, |character| {
        let rig = character.definition.whole_rig();
        let missing = rig.as_ref().err().cloned();
        let sitting = SitModifier {
            rig: rig.ok(),
            goal: found,
            target_position: None,
            lean: options.lean.to_radians(),
        };
        Ok((ModifierKind::Sit(Box::new(sitting)), missing))
    })
}

/// `hero:sit(target)`.
pub(super) const SIT: Function = Function {
    name: "sit",
    params: &[
        Param {
            name: "target",
            ty: TARGET_OR_FALSE,
            optional: false,
        },
        Param::options(SitOptions::SHAPE),
    ],
    returns: "Modifier",
    doc: "Makes the character sit down: the hips move to a seat within `fade` seconds, while the feet stay in place and the \
          knees bend. The target is a point on the surface of the seat. Before that, place the character with its back to \
          the seat, about 0.35 m in front of it. If the legs are too short, the hips come as near as possible. `sit(false)` \
          makes it stand up.",
    example: "hero:sit(vec(0, 0.45, -0.35), { fade = 1 })\nhero:sit(false)",
    call: sit,
};
