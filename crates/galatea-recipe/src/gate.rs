//! Limits of what recipes may pass and return: numbers, tables and nested operations.

use glam::Vec3;
use mlua::{Function as LuaFunction, IntoLuaMulti, Lua, MultiValue, Value};

use super::wrong;
use galatea_forge::contour::MAX_SAMPLES;
use galatea_script::toolkit::{ArgumentLimits, charge};

/// Limits of arguments of recipes. Lengths are in metres, so a model stays within 1000 km, where sums and products of
/// coordinates are finite.
pub(super) const LIMITS: ArgumentLimits = ArgumentLimits {
    number: 1e6,
    depth: 32,
};
/// Operations that may be nested in a field. Evaluating one recurses that deep, on threads with 2 MB of stack too.
const MAX_FIELD_DEPTH: u32 = 1000;
/// Nodes that the evaluation of a field may visit.
const MAX_FIELD_NODES: u32 = 100_000;
/// Operations that may be nested in a mask, each of which copies the masks that it is made of.
const MAX_MASK_DEPTH: u32 = 64;
/// Nodes of a field that are evaluated in the time of a round of a loop.
const NODES_PER_ROUND: u32 = 4;

/// Bytes outside of the VM that are charged as a round of a loop: about 12 GB for a whole recipe.
const BYTES_PER_ROUND: usize = 4;

/// Counts memory outside of the VM as work of the recipe, which bounds it.
///
/// # Errors
/// The recipe has taken more than it may.
pub(super) fn charge_memory(lua: &Lua, n: usize, size: usize) -> mlua::Result<()> {
    charge(lua, (n.saturating_mul(size) / BYTES_PER_ROUND) as u64)
}

/// Calls a function of the recipe and checks the numbers that it returns.
///
/// # Errors
/// Those of the function; a result that is NaN, infinite or beyond the limits.
pub(super) fn call(
    lua: &Lua,
    function: &LuaFunction,
    args: impl IntoLuaMulti,
) -> mlua::Result<MultiValue> {
    let results: MultiValue = function.call(args)?;
    for value in &results {
        LIMITS.check_result(lua, value)?;
    }
    Ok(results)
}

/// The first result of [`call`].
///
/// # Errors
/// As there.
pub(super) fn call_one(
    lua: &Lua,
    function: &LuaFunction,
    args: impl IntoLuaMulti,
) -> mlua::Result<Value> {
    Ok(call(lua, function, args)?.pop_front().unwrap_or(Value::Nil))
}

/// A time that a recipe passes to a curve, a gait or keys, seconds.
///
/// # Errors
/// It is NaN, infinite or beyond the limits.
pub(super) fn time(what: &str, t: f64) -> mlua::Result<f32> {
    if t.abs() <= LIMITS.number {
        return Ok(t as f32);
    }
    let max = LIMITS.number;
    Err(wrong(format!(
        "{what}: the time must be from -{max} to {max} s, got {t}"
    )))
}

/// Checks how deep and how large a field is.
///
/// # Errors
/// It is beyond the limits.
pub(super) fn check_field(depth: u32, n_nodes: u32) -> mlua::Result<()> {
    if depth > MAX_FIELD_DEPTH {
        return Err(wrong(format!(
            "operations on a field may be nested {MAX_FIELD_DEPTH} deep; join parts in groups, or use field.path"
        )));
    }
    if n_nodes > MAX_FIELD_NODES {
        return Err(wrong(format!(
            "a field may have {MAX_FIELD_NODES} solids and operations; one that is used twice counts twice"
        )));
    }
    Ok(())
}

/// Checks how deep and how large a mask is.
///
/// # Errors
/// It is beyond the limits.
pub(super) fn check_mask(depth: u32, n_nodes: u32) -> mlua::Result<()> {
    if depth > MAX_MASK_DEPTH || n_nodes > MAX_FIELD_NODES {
        return Err(wrong(format!(
            "operations on a mask may be nested {MAX_MASK_DEPTH} deep, and it may have {MAX_FIELD_NODES} masks and nodes of fields"
        )));
    }
    Ok(())
}

/// Counts evaluations of a field as work of the recipe.
///
/// # Errors
/// The recipe has taken more than it may.
pub(super) fn charge_field(lua: &Lua, n_nodes: u32, evaluations: u32) -> mlua::Result<()> {
    charge(
        lua,
        u64::from(1 + n_nodes / NODES_PER_ROUND) * u64::from(evaluations),
    )
}

/// Counts the evaluations of a field on a grid of so many cells as work of the recipe.
///
/// # Errors
/// The recipe has taken more than it may.
pub(super) fn charge_contour(lua: &Lua, n_nodes: u32, cells: Vec3) -> mlua::Result<()> {
    // Most blocks of samples are far from the surface and take one evaluation.
    const SAMPLES_PER_EVALUATION: u32 = 16;
    let samples = cells.element_product().min(MAX_SAMPLES as f32);
    charge_field(lua, n_nodes, samples as u32 / SAMPLES_PER_EVALUATION)
}
