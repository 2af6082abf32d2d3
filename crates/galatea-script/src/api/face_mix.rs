//! Resolves the names that a script gives a face to show. An unknown name is an error. A name that only this face
//! cannot show is skipped with a warning, so that a line of speech works with any character.

use mlua::{Lua, Value};

use super::check::number;
use super::face_ref::wrong;
use crate::expressions::Expressions;
use crate::services::Services;
use galatea_face::{FaceRig, Feeling, Mix};

/// Resolves a value to a mix of expressions; the script's own expressions are expanded.
pub(super) fn mix_of(
    lua: &Lua,
    expressions: &mut Expressions,
    services: &dyn Services,
    rig: &FaceRig,
    what: &str,
    value: &Value,
) -> mlua::Result<Mix> {
    let mut parts: Vec<(String, f32)> = Vec::new();
    match value {
        Value::String(name) => parts.push((name.to_string_lossy(), 1.0)),
        Value::Table(table) => {
            for pair in table.pairs::<Value, Value>() {
                let (name, weight) = pair?;
                let (Value::String(name), Some(weight)) = (&name, number(&weight)) else {
                    return Err(wrong(format!("{what}: expected names and weights")));
                };
                if !(-1.0..=1.0).contains(&weight) {
                    return Err(wrong(format!(
                        "{what}: the weight of {:?} must be -1 to 1, got {weight}",
                        name.to_string_lossy()
                    )));
                }
                parts.push((name.to_string_lossy(), weight as f32));
            }
        }
        _ => {
            return Err(wrong(format!(
                "{what}: expected a name, or names and weights"
            )));
        }
    }
    // Iteration order of a Lua table is undefined.
    parts.sort_by(|a, b| a.0.cmp(&b.0));
    mix_of_parts(lua, expressions, services, rig, what, parts)
}

/// Resolves a single name in the same manner.
pub(super) fn mix_named(
    lua: &Lua,
    expressions: &mut Expressions,
    services: &dyn Services,
    rig: &FaceRig,
    what: &str,
    name: &str,
) -> mlua::Result<Mix> {
    mix_of_parts(
        lua,
        expressions,
        services,
        rig,
        what,
        vec![(name.to_owned(), 1.0)],
    )
}

fn mix_of_parts(
    lua: &Lua,
    expressions: &mut Expressions,
    services: &dyn Services,
    rig: &FaceRig,
    what: &str,
    parts: Vec<(String, f32)>,
) -> mlua::Result<Mix> {
    let parts = expressions.taken_apart(parts);
    for (name, _) in &parts {
        if rig.lacks(name) {
            let text = format!("{what}: {}; it is ignored", rig.has_not(name));
            warn(lua, expressions, services, &text);
        } else if rig.find(name).is_none() {
            let mut others: Vec<&str> = expressions.names().collect();
            if what == "mood" {
                others.extend(Feeling::words().map(|word| -> &str { word }));
            }
            let why = rig.unknown(name, others.into_iter());
            return Err(wrong(format!("{what}: {why}")));
        }
    }
    Ok(Mix::new(parts, rig))
}

/// Prints a warning with the line of the script, only once per line and text.
pub(super) fn warn(lua: &Lua, expressions: &mut Expressions, services: &dyn Services, text: &str) {
    let place = lua.inspect_stack(1, |debug| {
        let source = debug.source().source?;
        let file = source.trim_start_matches(['@', '=']).to_owned();
        Some(format!("{file}:{}", debug.current_line()?))
    });
    let place = place.flatten().unwrap_or_default();
    let line = format!("warning: {place}: {text}");
    if expressions.is_new_warning(&line) {
        services.print(&line);
    }
}
