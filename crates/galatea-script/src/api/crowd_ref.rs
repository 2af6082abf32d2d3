//! The handle of a crowd, and functions that find agents of it.

use glam::{Vec2, Vec3};
use mlua::Lua;

use super::check::{Args, Param, Type};
use crate::objects;
use crate::world::with_world;
use galatea_math::lines::flat;
use galatea_stage::{CrowdAgent, Handle, StageCrowd};

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// A script's handle of a crowd.
#[derive(Clone, Copy)]
pub(super) struct CrowdRef(pub(super) Handle);

objects!(CrowdRef: "Crowd");

/// Runs `work` with the crowd of argument 0.
pub(super) fn with_own<T>(
    lua: &Lua,
    args: &Args,
    work: impl FnOnce(&mut StageCrowd) -> mlua::Result<T>,
) -> mlua::Result<T> {
    let own: Option<CrowdRef> = args.object(0);
    let CrowdRef(handle) = own.ok_or_else(|| wrong("expected a Crowd"))?;
    with_world(lua, |world| {
        let crowd = world.stage.agents.crowds.get_mut(handle);
        work(crowd.ok_or_else(|| wrong("this crowd was removed"))?)
    })
}

/// Agent with a number, counted from 1.
pub(super) fn agent(crowd: &mut StageCrowd, number: Option<f64>) -> mlua::Result<&mut CrowdAgent> {
    let n = crowd.agents.len();
    let at = number.filter(|number| number.fract() == 0.0 && (1.0..=n as f64).contains(number));
    match at {
        Some(number) => Ok(&mut crowd.agents[number as usize - 1]),
        None => Err(wrong(format!(
            "there is no agent {}; the crowd has agents 1 to {n}",
            number.unwrap_or(0.0)
        ))),
    }
}

pub(super) fn ground_position_of(args: &Args, i: usize) -> mlua::Result<Vec2> {
    position_of(args, i).map(flat)
}

pub(super) fn position_of(args: &Args, i: usize) -> mlua::Result<Vec3> {
    let at = args.vector(i).filter(|at| at.is_finite());
    at.ok_or_else(|| wrong("expected a position with finite coordinates"))
}

pub(super) const AGENT: Param = Param {
    name: "person",
    ty: Type::Number,
    optional: false,
};

pub(super) const POSITION: Param = Param {
    name: "place",
    ty: Type::Vector,
    optional: false,
};
