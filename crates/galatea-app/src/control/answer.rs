//! Handlers of the control requests.

use std::sync::atomic::{AtomicU64, Ordering};

use base64::Engine as _;
use serde_json::{Map, Value, json};

use super::Responder;
use super::state::{characters, fault, state};
use crate::Session;
use crate::png::{Compression, OUT, check_picture_name, png_bytes};
use crate::recording::input_event;
use galatea_asset::OutputFolder;
use galatea_guard::contained;
use galatea_math::names::{nearest, nearest_hint};
use galatea_stage::InputEvent;

/// Requests, and the fields of each in addition to `token`, `id` and `do`.
const REQUESTS: [(&str, &[&str]); 10] = [
    ("state", &[]),
    ("characters", &[]),
    ("events", &["since"]),
    ("eval", &["code"]),
    ("screenshot", &["size", "file"]),
    ("input", &["events"]),
    ("reload", &[]),
    ("undo", &[]),
    ("redo", &[]),
    ("quit", &[]),
];
/// Side of a screenshot, pixels.
const SIDES: std::ops::RangeInclusive<u64> = 16..=4096;
/// Maximum number of input events per request.
const MAX_INPUTS: usize = 256;

impl Responder {
    /// Answers a request. Returns true if the session should end. `known` is the number of the last event that the client
    /// received.
    pub fn answer(
        &mut self,
        session: &mut Session,
        body: &Map<String, Value>,
        known: &AtomicU64,
    ) -> (Value, bool) {
        let id = body.get("id").cloned().unwrap_or_default();
        let done = contained("answering a control request", || {
            self.perform(session, body, known)
        })
        .unwrap_or_else(|caught| Err(wrong(caught.notice)));
        let ends = done.is_ok() && body.get("do") == Some(&json!("quit"));
        let (ok, fields) = match done {
            Ok(fields) => (true, fields),
            Err(fields) => (false, fields),
        };
        let mut answer = Map::from_iter([("id".to_owned(), id), ("ok".to_owned(), json!(ok))]);
        if let Value::Object(fields) = fields {
            answer.extend(fields);
        }
        (Value::Object(answer), ends)
    }

    /// Runs a request and returns its result or an error.
    fn perform(
        &mut self,
        session: &mut Session,
        body: &Map<String, Value>,
        known: &AtomicU64,
    ) -> Result<Value, Value> {
        let what = check(body).map_err(wrong)?;
        match what {
            "state" => Ok(state(session)),
            "characters" => Ok(json!({ "characters": characters(session) })),
            "events" => events(session, body, known).map_err(wrong),
            "eval" => eval(session, body),
            "screenshot" => self.screenshot(session, body).map_err(wrong),
            "input" => input(session, body).map_err(wrong),
            "reload" => reload(session),
            "undo" => session.undo().map(message_value).map_err(wrong),
            "redo" => session.redo().map(message_value).map_err(wrong),
            _ => Ok(Value::Null),
        }
    }

    fn screenshot(
        &mut self,
        session: &mut Session,
        body: &Map<String, Value>,
    ) -> Result<Value, String> {
        let size = match body.get("size") {
            None => (1280, 720),
            Some(size) => {
                let sides = size.as_array().map_or(&[][..], Vec::as_slice);
                let sides: Vec<u32> = sides
                    .iter()
                    .filter_map(|side| side.as_u64().filter(|n| SIDES.contains(n)))
                    .map(|side| side as u32)
                    .collect();
                match (&sides[..], size.as_array().map(Vec::len)) {
                    ([width, height], Some(2)) => (*width, *height),
                    _ => {
                        return Err(
                            "\"size\" must be [width, height], each from 16 to 4096 pixels".into(),
                        );
                    }
                }
            }
        };
        let file = match body.get("file") {
            None => None,
            Some(Value::String(name)) => Some(name),
            Some(_) => return Err("\"file\" must be a string".into()),
        };
        let out = OutputFolder::new(&session.project.home(), OUT);
        if let Some(name) = file {
            check_picture_name(&out, name).map_err(|wrong| format!("\"file\": {wrong}"))?;
        }
        let picture = self.picture(session, size);
        let picture = picture.map_err(|error| format!("cannot render the picture: {error:#}"))?;
        let png = png_bytes(&picture, Compression::Fast).map_err(|error| error.to_string())?;
        let Some(name) = file else {
            let text = base64::engine::general_purpose::STANDARD.encode(png);
            return Ok(json!({ "size": [size.0, size.1], "png": text }));
        };
        let file = out.write(name, &png).map_err(|error| error.to_string())?;
        Ok(json!({ "size": [size.0, size.1], "path": file.display().to_string() }))
    }
}

/// Answers a request while a script is stopped: only the program can be ended. `stop` says where the script is.
pub(super) fn answer_while_stopped(body: &Map<String, Value>, stop: &str) -> (Value, bool) {
    let id = body.get("id").cloned().unwrap_or_default();
    if body.get("do") == Some(&json!("quit")) {
        return (json!({ "id": id, "ok": true }), true);
    }
    let error = format!(
        "a script is stopped, so the game cannot answer; continue it in the debugger ({stop})"
    );
    (json!({ "id": id, "ok": false, "error": error }), false)
}

fn wrong(text: String) -> Value {
    json!({ "error": text })
}

/// Returns the request's name, after checking that all its fields are known.
fn check(body: &Map<String, Value>) -> Result<&'static str, String> {
    let what = match body.get("do") {
        Some(Value::String(what)) => what,
        _ => {
            let names: Vec<&str> = REQUESTS.iter().map(|(name, _)| *name).collect();
            return Err(format!(
                "\"do\" is missing; expected one of {}",
                names.join(", ")
            ));
        }
    };
    let Some((what, fields)) = REQUESTS.iter().find(|(name, _)| name == what) else {
        let hint = nearest_hint(what, REQUESTS.iter().map(|(name, _)| *name));
        return Err(format!("unknown request {what:?}{hint}"));
    };
    let mut takes = fields.iter().chain(&["token", "id", "do"]);
    let unknown = body
        .keys()
        .find(|key| !takes.clone().any(|known| known == key));
    if let Some(key) = unknown {
        let hint = match nearest(key, takes.by_ref().copied()) {
            Some(known) => format!("; did you mean {known:?}?"),
            None => String::new(),
        };
        return Err(format!("request {what:?} has no field {key:?}{hint}"));
    }
    Ok(what)
}

fn events(
    session: &Session,
    body: &Map<String, Value>,
    known: &AtomicU64,
) -> Result<Value, String> {
    let since = match body.get("since") {
        None => known.load(Ordering::SeqCst),
        Some(since) => since
            .as_u64()
            .ok_or("\"since\" must be an event number, such as \"last\" of an earlier answer")?,
    };
    let (events, last) = session.events_since(since);
    known.store(last, Ordering::SeqCst);
    let first = events.first().map_or(last + 1, |event| event.number);
    let lost = first.saturating_sub(since + 1);
    let events = events.into_iter().map(|event| {
        let mut fields = event.details;
        fields.insert("number".into(), json!(event.number));
        fields.insert("time".into(), json!(event.time));
        fields.insert("character".into(), json!(event.character));
        fields.insert("name".into(), json!(event.name));
        Value::Object(fields)
    });
    Ok(json!({ "events": events.collect::<Vec<_>>(), "last": last, "lost": lost }))
}

fn eval(session: &mut Session, body: &Map<String, Value>) -> Result<Value, Value> {
    let Some(Value::String(code)) = body.get("code") else {
        return Err(wrong("\"eval\" needs \"code\", a string".into()));
    };
    let answer = session.answer(code);
    match answer.result {
        Ok(values) => Ok(json!({ "values": values, "printed": answer.printed })),
        Err(fault) => Err(json!({
            "error": fault.text,
            "file": fault.file,
            "line": fault.line,
            "calls": fault.calls().collect::<Vec<_>>(),
            "printed": answer.printed,
        })),
    }
}

fn input(session: &mut Session, body: &Map<String, Value>) -> Result<Value, String> {
    let Some(Value::Array(list)) = body.get("events") else {
        return Err("\"input\" needs \"events\", a list such as [{\"down\": \"w\"}]".into());
    };
    if list.len() > MAX_INPUTS {
        return Err(format!(
            "too many events in one request; the limit is {MAX_INPUTS}"
        ));
    }
    let events: Result<Vec<InputEvent>, String> = list
        .iter()
        .map(|event| {
            let fields = event.as_object().cloned().unwrap_or_default();
            let read = input_event(fields).map_err(|error| format!("{event}: {error}"))?;
            match &read {
                InputEvent::Down(key) | InputEvent::Up(key) => known_key(session, key)?,
                _ => {}
            }
            Ok(read)
        })
        .collect();
    // The events are applied together or not at all, so that no key stays down by accident.
    for event in &events? {
        session.input(event);
    }
    Ok(Value::Null)
}

fn message_value(text: String) -> Value {
    json!({ "text": text })
}

fn known_key(session: &Session, key: &str) -> Result<(), String> {
    let input = &session.stage.input;
    if input.knows(key) {
        return Ok(());
    }
    let hint = nearest_hint(key, input.known_names());
    Err(format!("unknown key {key:?}{hint}"))
}

fn reload(session: &mut Session) -> Result<Value, Value> {
    session.reload();
    session.count_faults();
    let errors = session.diagnostics.messages();
    let errors: Vec<Value> = errors.into_iter().map(fault).collect();
    if !session.is_loaded() {
        return match errors.is_empty() {
            true => Err(wrong("models are still loading".into())),
            false => Err(json!({ "error": "the script has an error", "errors": errors })),
        };
    }
    if session.script_failed() {
        let text = "the previous version keeps running";
        return Err(json!({ "error": text, "errors": errors }));
    }
    Ok(json!({ "errors": errors }))
}
