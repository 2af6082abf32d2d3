//! Current state of a session, as JSON.

use serde_json::{Map, Value, json};

use super::super::Session;
use galatea_character::Character;
use galatea_machine::ParamValue;
use galatea_stage::frame::Message;

/// The clock, the characters and the current errors.
pub fn state(session: &mut Session) -> Value {
    session.count_faults();
    let stage = &session.stage;
    let errors = session.diagnostics.messages();
    json!({
        "project": session.project.name(),
        "time": stage.time(),
        "tick": stage.clock.n_ticks,
        "unscaled_time": stage.unscaled_time(),
        "paused": stage.time_control.is_paused(),
        "time_scale": stage.time_control.scale(),
        "dt": stage.clock.dt,
        "loading": session.is_loading(),
        "characters": characters(session),
        "errors": errors.into_iter().map(fault).collect::<Vec<_>>(),
        "warnings": session.diagnostics.warnings().collect::<Vec<_>>(),
    })
}

/// A current error.
pub fn fault(message: &Message) -> Value {
    let (file, line) = match message.location.rsplit_once(':') {
        Some((file, line)) if line.parse::<u32>().is_ok() => {
            (json!(file), json!(line.parse::<u32>().ok()))
        }
        _ if message.location.is_empty() => (Value::Null, Value::Null),
        _ => (json!(message.location), Value::Null),
    };
    json!({
        "text": message.text,
        "file": file,
        "line": line,
        "calls": message.calls,
        "times": message.times,
    })
}

/// All characters on the stage.
pub fn characters(session: &Session) -> Vec<Value> {
    let characters = session.stage.characters.iter();
    characters.map(|(_, character)| of(character)).collect()
}

fn of(character: &Character) -> Value {
    let placement = &character.placement;
    json!({
        "name": character.shown_name(),
        "source": character.source.to_string(),
        "position": placement.position.to_array(),
        "yaw": placement.yaw,
        "scale": placement.scale,
        "machine": machine(character),
    })
}

fn machine(character: &Character) -> Value {
    let Some((machine, now)) = &character.playback.machine else {
        return Value::Null;
    };
    let layers = machine.layer_names().enumerate().map(|(i, layer)| {
        let active = now.current(i);
        json!({
            "layer": layer,
            "state": active.map(|active| machine.state_name(i, active.state)),
            "time": active.map(|active| active.state_age),
        })
    });
    let params = machine.def.params.iter().zip(&now.params);
    let params: Map<String, Value> = params
        .map(|(param, value)| {
            let value = match param.default {
                ParamValue::Number(_) => json!(value),
                ParamValue::Bool(_) => json!(*value != 0.0),
            };
            (param.name.clone(), value)
        })
        .collect();
    json!({ "layers": layers.collect::<Vec<_>>(), "params": params })
}
