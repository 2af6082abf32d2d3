//! `hero:motion_warp`, and the root motion that scripts can read and apply.

use glam::Vec3;
use mlua::{Lua, Value};

use super::character_ref::{find, with_character};
use super::check::{Args, OptionValue, Param, Type, lua_vector};
use super::group::{Function, Property};
use crate::world::with_world;
use galatea_character::{MAX_WARP, MotionWarp, MotionWarpEnd, RootMotion};
use galatea_derive::Options;
use galatea_stage::{Event, EventKind};

/// Options of `hero:motion_warp`: `position`, `yaw` or both are required.
#[derive(Options)]
struct MotionWarpOptions {
    /// Position in the world where the character arrives.
    #[option(default_doc = "the end of the clips' motion", unit = "metres")]
    position: Option<Vec3>,
    /// Direction about +Y that the character faces on arrival.
    #[option(default_doc = "the rotation of the clips", unit = "degrees")]
    yaw: Option<f32>,
    /// Time until the arrival, more than 0 and at most 60.
    #[option(unit = "seconds")]
    duration: f64,
}

fn motion_warp(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let MotionWarpOptions {
        position: to,
        yaw,
        duration: within,
    } = args.options(1)?;
    if within <= 0.0 || within > MAX_WARP {
        return Err(mlua::Error::runtime(format!(
            "motion_warp: duration must be more than 0 and at most {MAX_WARP} seconds"
        )));
    }
    if to.is_none() && yaw.is_none() {
        return Err(mlua::Error::runtime(
            "motion_warp: give position, yaw or both",
        ));
    }
    with_world(lua, |world| {
        let time = world.stage.time();
        let character = find(&mut world.stage, handle)?;
        if character.playback.machine.is_none() {
            return Err(mlua::Error::runtime(
                "motion_warp: the character has no machine, so it has no root motion",
            ));
        }
        let before = character
            .locomotion
            .motion_warp
            .replace(MotionWarp::new(to, yaw, within));
        if before.is_some() {
            let event = Event::new(handle, time, EventKind::Warp(MotionWarpEnd::Replaced));
            world.stage.events.push(event);
        }
        Ok(Value::Nil)
    })
}

fn get_is_warping(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, character| {
        Ok(Value::Boolean(character.locomotion.motion_warp.is_some()))
    })
}

fn get_root_motion(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let RootMotion {
        translation: travel,
        yaw,
    } = with_character(lua, &args, |_, character| {
        Ok(character.locomotion.root_motion)
    })?;
    let table = lua.create_table()?;
    table.raw_set("translation", lua_vector(travel))?;
    table.raw_set("yaw", yaw)?;
    Ok(Value::Table(table))
}

fn get_apply(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, character| {
        Ok(Value::Boolean(character.locomotion.apply_root_motion))
    })
}

fn set_apply(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let apply = args.bool(1).unwrap_or(true);
    with_character(lua, &args, |_, character| {
        character.locomotion.apply_root_motion = apply;
        Ok(Value::Nil)
    })
}

/// `hero:motion_warp { … }`.
pub(super) const MOTION_WARP: Function = Function {
    name: "motion_warp",
    params: &[Param {
        name: "options",
        ty: MotionWarpOptions::TYPE,
        optional: false,
    }],
    returns: "",
    doc: "Changes the root motion (the movement that is part of the clips) so that the character arrives at `position`, \
          turned to `yaw`, `duration` seconds from now. The rest of the motion is stretched and rotated. This works while \
          states with `root_motion` play; you may call it before such a state is entered.\n\n\
          At the end, the event `warp_end` has a `reason`: \"arrived\", \"missed\" (no state with root motion played at the \
          end) or \"replaced\" (by another warp). If the machine changes its state or the character is moved, the warp is \
          computed again from there.",
    example: "hero:motion_warp { position = vec(2, 0, 1), yaw = 90, duration = 0.8 }",
    call: motion_warp,
};

/// `hero.is_warping`.
pub(super) const IS_WARPING: Property = Property {
    name: "is_warping",
    ty: "boolean",
    doc: "True while a `motion_warp` is active.",
    get: get_is_warping,
    set: None,
};

/// `hero.root_motion`.
pub(super) const ROOT_MOTION: Property = Property {
    name: "root_motion",
    ty: "{ translation: vector, yaw: number }",
    doc: "Root motion (the movement that is part of the clips) in the last tick: `translation` in metres in the world, `yaw` \
          in degrees about +Y. A `motion_warp` is included.",
    get: get_root_motion,
    set: None,
};

/// `hero.apply_root_motion`.
pub(super) const APPLY_ROOT_MOTION: Property = Property {
    name: "apply_root_motion",
    ty: "boolean",
    doc: "True if root motion (the movement that is part of the clips) moves the character. The default is true. With false, \
          a script can read `root_motion` and move the character itself.",
    get: get_apply,
    set: Some((Type::Bool, set_apply)),
};
