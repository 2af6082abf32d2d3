//! Limits of values that recipes pass and return: numbers, tables and nested operations.

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
/// Limit of nested operations in a field. Evaluation recurses that deep, also on threads with 2 MB of stack.
const MAX_FIELD_DEPTH: u32 = 1000;
/// Limit of nodes visited by an evaluation of a field.
const MAX_FIELD_NODES: u32 = 100_000;
/// Limit of nested operations in a mask; each of them copies its operands.
const MAX_MASK_DEPTH: u32 = 64;
/// Field nodes that count as one loop iteration of the script.
const NODES_PER_ROUND: u32 = 4;

/// Bytes outside the VM that count as one loop iteration: the limit is about 12 GB for a whole recipe.
const BYTES_PER_ROUND: usize = 4;

/// Counts memory outside the VM as work of the recipe, which is limited.
///
/// # Errors
/// If the recipe has exceeded its budget.
pub(super) fn charge_memory(lua: &Lua, n: usize, size: usize) -> mlua::Result<()> {
    charge(lua, (n.saturating_mul(size) / BYTES_PER_ROUND) as u64)
}

/// Calls a function of the recipe and checks the numbers that it returns.
///
/// # Errors
/// Returns the errors of the function, and an error if a result is NaN, infinite or beyond the limits.
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

/// Returns the first result of [`call`].
///
/// # Errors
/// Returns the errors of [`call`].
pub(super) fn call_one(
    lua: &Lua,
    function: &LuaFunction,
    args: impl IntoLuaMulti,
) -> mlua::Result<Value> {
    Ok(call(lua, function, args)?.pop_front().unwrap_or(Value::Nil))
}

/// Checks a time that a recipe passes to a curve, a gait or keys, seconds.
///
/// # Errors
/// If it is NaN, infinite or beyond the limits.
pub(super) fn time(what: &str, t: f64) -> mlua::Result<f32> {
    if t.abs() <= LIMITS.number {
        return Ok(t as f32);
    }
    let max = LIMITS.number;
    Err(wrong(format!(
        "{what}: the time must be from -{max} to {max} s, got {t}"
    )))
}

/// Checks the depth and the size of a field.
///
/// # Errors
/// If they are beyond the limits.
pub(super) fn check_field(depth: u32, n_nodes: u32) -> mlua::Result<()> {
    if depth > MAX_FIELD_DEPTH {
        return Err(wrong(format!(
            "field operations are nested deeper than the limit of {MAX_FIELD_DEPTH}; join parts in groups, or use \
             field.path"
        )));
    }
    if n_nodes > MAX_FIELD_NODES {
        return Err(wrong(format!(
            "the limit is {MAX_FIELD_NODES} shapes and operations per field; one that is used twice counts twice"
        )));
    }
    Ok(())
}

/// Checks the depth and the size of a mask.
///
/// # Errors
/// If they are beyond the limits.
pub(super) fn check_mask(depth: u32, n_nodes: u32) -> mlua::Result<()> {
    if depth > MAX_MASK_DEPTH || n_nodes > MAX_FIELD_NODES {
        return Err(wrong(format!(
            "mask operations are nested deeper than the limit of {MAX_MASK_DEPTH}, or the mask has more than \
             {MAX_FIELD_NODES} masks and field nodes"
        )));
    }
    Ok(())
}

/// Counts evaluations of a field as work of the recipe.
///
/// # Errors
/// If the recipe has exceeded its budget.
pub(super) fn charge_field(lua: &Lua, n_nodes: u32, evaluations: u32) -> mlua::Result<()> {
    charge(
        lua,
        u64::from(1 + n_nodes / NODES_PER_ROUND) * u64::from(evaluations),
    )
}

/// Counts the evaluations of a field on a grid with this many cells as work of the recipe.
///
/// # Errors
/// If the recipe has exceeded its budget.
pub(super) fn charge_contour(lua: &Lua, n_nodes: u32, cells: Vec3) -> mlua::Result<()> {
    // Most blocks of samples are far from the surface and need one evaluation.
    const SAMPLES_PER_EVALUATION: u32 = 16;
    let samples = cells.element_product().min(MAX_SAMPLES as f32);
    charge_field(lua, n_nodes, samples as u32 / SAMPLES_PER_EVALUATION)
}
