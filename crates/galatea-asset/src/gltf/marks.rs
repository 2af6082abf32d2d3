//! Marks (events) of an animation: `extras.marks`, a list of `{"t": seconds, "event": name, "length": seconds, …}`. Without
//! a length, a mark is a point in time.
//!
//! Caller: `animation`. Invariant: every skipped, moved or reinterpreted mark is reported with clip, mark and time.

use gltf::json::Animation;
use serde_json::Value;

use super::error::Warnings;
use super::plain_json;
use galatea_anim::{MAX_INTERVALS, Mark, MarkValue};

/// Tolerance for rounded times, seconds.
const ROUNDING: f32 = 1e-3;

/// Marks of a clip in ascending order of time. `start` is the time in the file of the clip's time 0; `duration` is its
/// length in seconds.
pub fn load(
    animation: &Animation,
    clip: &str,
    start: f32,
    duration: f32,
    warnings: &Warnings,
) -> Vec<Mark> {
    let extras = plain_json::extras(&animation.extras);
    let warn = |text: String| warnings.add(format!("clip {clip:?}: {text}"));
    let Some(list) = extras.get("marks") else {
        return Vec::new();
    };
    let Some(list) = list.as_array() else {
        warn("extras.marks is not a list; left out".into());
        return Vec::new();
    };
    let read = list.iter().enumerate().filter_map(|(i, json)| {
        let mark = mark(json, &warn);
        mark.map_err(|cause| warn(format!("{} is left out: {cause}", mark_name(json, i))))
            .ok()
    });
    let mut marks: Vec<Mark> = read.collect();
    marks.iter_mut().for_each(|mark| mark.t -= start);
    for mark in &marks {
        let is_early = mark.t + mark.length < -ROUNDING;
        if is_early || mark.t > duration + ROUNDING {
            let end = if is_early { "start" } else { "end" };
            warn(format!(
                "marker {:?} at {} s is outside the clip, which is {duration} s long; it was moved to the {end}",
                mark.event, mark.t
            ));
        }
    }
    marks.sort_by(|a, b| a.t.total_cmp(&b.t));
    let mut n_intervals = 0;
    let n = marks.len();
    marks.retain(|mark| {
        n_intervals += usize::from(mark.length > 0.0);
        mark.length == 0.0 || n_intervals <= MAX_INTERVALS
    });
    if marks.len() < n {
        warn(format!(
            "the limit is {MAX_INTERVALS} markers with a length per clip; {} are left out",
            n - marks.len()
        ));
    }
    marks
}

/// Name of an unreadable mark in messages: its event and time, otherwise its index in the list.
fn mark_name(json: &Value, i: usize) -> String {
    let event = json.get("event").and_then(Value::as_str);
    let mut name = event.map_or_else(
        || format!("marker {} of the list", i + 1),
        |event| format!("marker {event:?}"),
    );
    if let Some(t) = json.get("t").and_then(Value::as_f64) {
        name.push_str(&format!(" at {t} s"));
    }
    name
}

fn mark(json: &Value, warn: &dyn Fn(String)) -> Result<Mark, String> {
    let object = json.as_object().ok_or("it is not an object")?;
    let wrong = |field: &str, expected: &str| match object.get(field) {
        Some(found) => format!("field {field:?} is {found}, expected {expected}"),
        None => format!("field {field:?} is missing, expected {expected}"),
    };
    let seconds = |value: &Value| value.as_f64().map(|t| t as f32).filter(|t| t.is_finite());
    let event = object.get("event").and_then(Value::as_str);
    let event = event.ok_or_else(|| wrong("event", "a name"))?.to_owned();
    let t = object.get("t").and_then(seconds);
    let t = t.ok_or_else(|| wrong("t", "a number of seconds"))?;
    let length = match object.get("length") {
        None => 0.0,
        Some(length) => seconds(length)
            .filter(|length| *length >= 0.0)
            .unwrap_or_else(|| {
                let cause = wrong("length", "a number of seconds");
                warn(format!(
                    "marker {event:?} at {t} s is used without a length: {cause}"
                ));
                0.0
            }),
    };
    let own = ["t", "event", "length"];
    let others = object
        .iter()
        .filter(|(name, _)| !own.contains(&name.as_str()));
    let mut fields = Vec::new();
    for (name, value) in others {
        let value = match value {
            Value::Number(number) => number.as_f64().map(MarkValue::Number),
            Value::String(text) => Some(MarkValue::Text(text.clone())),
            Value::Bool(boolean) => Some(MarkValue::Bool(*boolean)),
            _ => None,
        };
        match value {
            Some(value) => fields.push((name.clone(), value)),
            None => warn(format!(
                "marker {event:?} at {t} s: field {name:?} is not a number, string or boolean; left out"
            )),
        }
    }
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(Mark {
        t,
        length,
        event,
        fields,
    })
}
