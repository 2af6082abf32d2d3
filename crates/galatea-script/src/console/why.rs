//! The command `why hero`: the current state of a character's machine, the conditions that block its transitions, and
//! recent transitions.

use mlua::{AnyUserData, Lua, ObjectLike as _, Table, Value};

use super::answer::Answer;
use super::print::kind_of;
use crate::api::check::describe;
use crate::api::running::machine_handle;
use crate::host::Host;
use crate::world::with_world;
use galatea_stage::Stage;

/// Maximum number of recent transitions shown.
const MAX_RECENT: usize = 5;

impl Host {
    pub(super) fn why(&mut self, stage: &mut Stage, expression: &str) -> Answer {
        if expression.is_empty() {
            return Answer::wrong("why: expected a character or its machine, as in: why hero");
        }
        let value = match self.value(stage, expression) {
            Ok(value) => value,
            Err(fault) => {
                return Answer {
                    printed: Vec::new(),
                    result: Err(fault),
                };
            }
        };
        let lua = self.lua().clone();
        let told = self.with_call_budget(stage, || explain_state(&lua, expression, &value));
        match told {
            Ok(lines) => Answer {
                printed: lines,
                result: Ok(Vec::new()),
            },
            Err(error) => Answer {
                printed: Vec::new(),
                result: Err(self.fault(&error)),
            },
        }
    }
}

fn explain_state(lua: &Lua, expression: &str, value: &Value) -> mlua::Result<Vec<String>> {
    let machine = machine_of(expression, value)?;
    let handle = machine_handle(&machine);
    let layers = with_world(lua, |world| {
        let character = handle.and_then(|handle| world.stage.characters.get(handle));
        let machine = character.and_then(|character| character.playback.machine.as_ref());
        Ok(machine.map_or_else(Vec::new, |(machine, _)| {
            machine.layer_names().map(str::to_owned).collect()
        }))
    })?;
    let mut lines = Vec::new();
    for layer in &layers {
        let state: String = machine.call_method("state", layer.as_str())?;
        let time: f64 = machine.call_method("time_in_state", layer.as_str())?;
        let place = if layers.len() > 1 {
            format!("{layer}: {state}")
        } else {
            state
        };
        lines.push(format!("{place} for {time:.2} s"));
        let options = lua.create_table()?;
        options.raw_set("layer", layer.as_str())?;
        let ways: Vec<Table> = machine.call_method("why", (Value::Nil, options))?;
        let rows: mlua::Result<Vec<[String; 4]>> = ways.iter().map(transition_line).collect();
        lines.extend(columns(&rows?));
        let taken: Vec<Table> = machine.call_method("transition_history", layer.as_str())?;
        if !taken.is_empty() {
            lines.push("  recent transitions:".into());
        }
        let latest = taken.iter().rev().take(MAX_RECENT);
        let rows: mlua::Result<Vec<[String; 4]>> = latest.map(past_transition).collect();
        lines.extend(columns(&rows?));
    }
    Ok(lines)
}

fn machine_of(expression: &str, value: &Value) -> mlua::Result<AnyUserData> {
    let wrong = |what: String| mlua::Error::runtime(format!("why {expression}: {what}"));
    let Value::UserData(data) = value else {
        return Err(wrong(format!(
            "expected a character or its machine, got {}",
            describe(value)
        )));
    };
    match kind_of(data).as_deref() {
        Some("Machine") => Ok(data.clone()),
        Some("Character") => match data.get::<Value>("machine")? {
            Value::UserData(machine) => Ok(machine),
            _ => Err(wrong("the character has no machine".into())),
        },
        _ => Err(wrong(format!(
            "expected a character or its machine, got {}",
            describe(value)
        ))),
    }
}

fn transition_line(table: &Table) -> mlua::Result<[String; 4]> {
    let allowed: bool = table.raw_get("allowed")?;
    let to: String = table.raw_get("to")?;
    Ok([
        if allowed { "allowed" } else { "blocked" }.into(),
        format!("to {to}"),
        table.raw_get("reason")?,
        table.raw_get("location")?,
    ])
}

fn past_transition(table: &Table) -> mlua::Result<[String; 4]> {
    let (from, to): (String, String) = (table.raw_get("from")?, table.raw_get("to")?);
    let ago: f64 = table.raw_get("ago")?;
    Ok([
        format!("{ago:.2} s ago"),
        format!("{from} to {to}"),
        table.raw_get("reason")?,
        table.raw_get("location")?,
    ])
}

/// Formats rows with aligned columns.
fn columns(rows: &[[String; 4]]) -> Vec<String> {
    let width = |i: usize| rows.iter().map(|row| row[i].chars().count()).max();
    let widths: Vec<usize> = (0..4).map(|i| width(i).unwrap_or(0)).collect();
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(&widths);
        let cells: Vec<String> = cells.map(|(cell, n)| format!("{cell:n$}")).collect();
        format!("  {}", cells.join("  ")).trim_end().to_owned()
    });
    lines.collect()
}
