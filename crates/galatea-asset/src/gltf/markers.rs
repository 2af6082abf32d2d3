//! Markers (events) of an animation: `extras.markers`, a list of `{"time": seconds, "event": name, "duration": seconds, …}`.
//! Without a duration, a marker is a point in time.
//!
//! Caller: `animation`. Invariant: every skipped, moved or reinterpreted mark is reported with clip, mark and time.

use gltf::json::Animation;
use serde_json::Value;

use super::error::Warnings;
use super::plain_json;
use crate::renamed;
use galatea_anim::{MAX_INTERVALS, Marker, MarkerValue};

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
) -> Vec<Marker> {
    let mut extras = plain_json::extras(&animation.extras);
    let warn = |text: String| warnings.add(format!("clip {clip:?}: {text}"));
    if let Some(keys) = extras.as_object_mut() {
        let is_former = keys.contains_key("marks") && !keys.contains_key("markers");
        // Without the clip's name, so that a file has one such warning.
        renamed::rename(keys, renamed::ANIMATION, &mut |text| {
            warnings.add(format!("extras of clips: {text}"));
        });
        // A marker of today may have its own fields named like the former ones.
        if let Some(markers) = keys.get_mut("markers").filter(|_| is_former) {
            renamed::rename_fields(markers, renamed::MARKER, &mut |text| {
                warnings.add(format!("extras.markers of clips: {text}"));
            });
        }
    }
    let Some(list) = extras.get("markers") else {
        return Vec::new();
    };
    let Some(list) = list.as_array() else {
        warn("extras.markers is not a list; left out".into());
        return Vec::new();
    };
    let read = list.iter().enumerate().filter_map(|(i, json)| {
        let mark = marker(json, &warn);
        mark.map_err(|cause| warn(format!("{} is left out: {cause}", marker_name(json, i))))
            .ok()
    });
    let mut marks: Vec<Marker> = read.collect();
    marks.iter_mut().for_each(|mark| mark.time -= start);
    for mark in &marks {
        let is_early = mark.time + mark.duration < -ROUNDING;
        if is_early || mark.time > duration + ROUNDING {
            let end = if is_early { "start" } else { "end" };
            warn(format!(
                "marker {:?} at {} s is outside the clip, which is {duration} s long; it was moved to the {end}",
                mark.event, mark.time
            ));
        }
    }
    marks.sort_by(|a, b| a.time.total_cmp(&b.time));
    let mut n_intervals = 0;
    let n = marks.len();
    marks.retain(|mark| {
        n_intervals += usize::from(mark.duration > 0.0);
        mark.duration == 0.0 || n_intervals <= MAX_INTERVALS
    });
    if marks.len() < n {
        warn(format!(
            "the limit is {MAX_INTERVALS} markers with a duration per clip; {} are left out",
            n - marks.len()
        ));
    }
    marks
}

/// Name of an unreadable mark in messages: its event and time, otherwise its index in the list.
fn marker_name(json: &Value, i: usize) -> String {
    let event = json.get("event").and_then(Value::as_str);
    let mut name = event.map_or_else(
        || format!("marker {} of the list", i + 1),
        |event| format!("marker {event:?}"),
    );
    if let Some(t) = json.get("time").and_then(Value::as_f64) {
        name.push_str(&format!(" at {t} s"));
    }
    name
}

fn marker(json: &Value, warn: &dyn Fn(String)) -> Result<Marker, String> {
    let object = json.as_object().ok_or("it is not an object")?;
    let wrong = |field: &str, expected: &str| match object.get(field) {
        Some(found) => format!("field {field:?} is {found}, expected {expected}"),
        None => format!("field {field:?} is missing, expected {expected}"),
    };
    let seconds = |value: &Value| value.as_f64().map(|t| t as f32).filter(|t| t.is_finite());
    let event = object.get("event").and_then(Value::as_str);
    let event = event.ok_or_else(|| wrong("event", "a name"))?.to_owned();
    let t = object.get("time").and_then(seconds);
    let t = t.ok_or_else(|| wrong("time", "a number of seconds"))?;
    let length = match object.get("duration") {
        None => 0.0,
        Some(length) => seconds(length)
            .filter(|length| *length >= 0.0)
            .unwrap_or_else(|| {
                let cause = wrong("duration", "a number of seconds");
                warn(format!(
                    "marker {event:?} at {t} s is used without a duration: {cause}"
                ));
                0.0
            }),
    };
    let own = ["time", "event", "duration"];
    let others = object
        .iter()
        .filter(|(name, _)| !own.contains(&name.as_str()));
    let mut fields = Vec::new();
    for (name, value) in others {
        let value = match value {
            Value::Number(number) => number.as_f64().map(MarkerValue::Number),
            Value::String(text) => Some(MarkerValue::Text(text.clone())),
            Value::Bool(boolean) => Some(MarkerValue::Bool(*boolean)),
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
    Ok(Marker {
        time: t,
        duration: length,
        event,
        fields,
    })
}
