//! The events of a line as a table, which scripts write and read in addition to the marks in the text.

use mlua::{Lua, Table, Value};

use super::check::{OptionValue, Type, lua_number, number, text};
use galatea_derive::Options;
use galatea_math::names::nearest_hint;
use galatea_speech::line::{Item, MarkAction};
use galatea_speech::marks::MAX_MARKS;
use galatea_speech::track::SpeechTrack;

/// An event of a line. The first entry may be the expression, instead of the field `expression`.
#[derive(Options)]
#[option(entries = Type::Text)]
pub(super) struct TrackRow {
    /// Time of the event: seconds from the start of the line, or a word of the text.
    #[option(default = RowStart::Seconds(0.0), default_doc = "0")]
    at: RowStart,
    /// Name of an expression. You may write it first, without a name: { "smile", at = 0.4 }.
    expression: Option<String>,
    /// Target of the gaze: the name of a character, "camera" or "away".
    look: Option<String>,
    /// Gesture: the name of a clip, or the head movement "beat", "nod", "shake" or "tilt". Its stroke (main moment)
    /// falls on the stressed syllable of the word, or on the given second.
    gesture: Option<String>,
    /// Mood from this time on, see `face:mood`.
    mood: Option<String>,
    /// True makes the character blink.
    #[option(default = false)]
    blink: bool,
    /// Name of an event `cue` for the script.
    event: Option<String>,
    /// Fields of the event `cue`.
    #[option(default = CueFields(Vec::new()))]
    fields: CueFields,
    /// True allows other lines to interrupt the line at this time.
    #[option(default = false)]
    allow_interrupt: bool,
    /// Duration of the expression, look or gesture.
    #[option(unit = "seconds", range = 0.0..=600.0)]
    duration: Option<f32>,
    /// Intensity of the expression or gesture; 1 is full.
    #[option(range = 0.0..=1.0)]
    intensity: Option<f32>,
    /// Probability that the event happens.
    #[option(default = 1.0, range = 0.0..=1.0)]
    chance: f32,
    /// Shift in time. With a negative value the event is earlier.
    #[option(default = 0.0, unit = "seconds", range = -60.0..=60.0)]
    delay: f32,
}

/// Start of a row.
enum RowStart {
    /// A time of the line.
    Seconds(f32),
    /// A word of the text.
    Word(String),
}

impl OptionValue for RowStart {
    const TYPE: Type = Type::OneOf(&[Type::Number, Type::Text]);

    fn from_value(value: Value) -> Result<Self, String> {
        Ok(match text(&value) {
            Some(word) => Self::Word(word),
            None => Self::Seconds(number(&value).unwrap_or(0.0).clamp(-60.0, 3600.0) as f32),
        })
    }
}

/// Fields of a cue, sorted by name.
struct CueFields(Vec<(String, String)>);

impl OptionValue for CueFields {
    const TYPE: Type = Type::Table("{ [string]: string | number | boolean }");

    fn from_value(value: Value) -> Result<Self, String> {
        let mut own = Vec::new();
        for pair in value
            .as_table()
            .into_iter()
            .flat_map(Table::pairs::<Value, Value>)
        {
            let (key, value) = pair.map_err(|why| why.to_string())?;
            let text = match &value {
                Value::String(text) => Some(text.to_string_lossy()),
                Value::Number(n) => Some(n.to_string()),
                Value::Integer(n) => Some(n.to_string()),
                Value::Boolean(yes) => Some(yes.to_string()),
                _ => None,
            };
            let (Value::String(key), Some(text)) = (&key, text) else {
                return Err("expected named strings and numbers".to_owned());
            };
            own.push((key.to_string_lossy(), text));
        }
        own.sort();
        Ok(Self(own))
    }
}

/// A row, with its first entry as the expression.
pub(super) struct Row(TrackRow);

impl OptionValue for Row {
    const TYPE: Type = TrackRow::TYPE;

    fn from_value(value: Value) -> Result<Self, String> {
        let first = value.as_table().map(|row| row.raw_get::<Value>(1));
        let mut row = TrackRow::from_value(value)?;
        match first {
            Some(Ok(Value::String(first))) => row.expression = Some(first.to_string_lossy()),
            Some(Ok(Value::Nil)) => {}
            _ => return Err("the first entry must be the name of an expression".to_owned()),
        }
        Ok(Self(row))
    }
}

/// Events of a line, and the times in seconds at which it may be interrupted.
#[derive(Default)]
pub(super) struct Rows {
    pub items: Vec<Item>,
    pub cuts: Vec<f32>,
}

/// Reads the rows of a table and finds their words in a track.
///
/// # Errors
/// The message says which row is wrong, and why.
pub(super) fn rows(given: &[Row], track: &SpeechTrack) -> mlua::Result<Rows> {
    let mut rows = Rows::default();
    for (i, Row(row)) in given.iter().enumerate() {
        let wrong = |what: String| {
            let entry = i + 1;
            mlua::Error::runtime(format!("say: field \"track\": entry {entry}: {what}"))
        };
        if i >= MAX_MARKS {
            return Err(wrong(format!(
                "a track can have at most {MAX_MARKS} entries"
            )));
        }
        let (t, stress) = time(&row.at, track).map_err(&wrong)?;
        let delay = row.delay;
        if row.allow_interrupt {
            rows.cuts.push((t + delay).max(0.0));
        }
        let mut all: Vec<MarkAction> = Vec::new();
        all.extend(row.expression.clone().map(MarkAction::Show));
        all.extend(row.look.clone().map(MarkAction::Look));
        all.extend(row.mood.clone().map(MarkAction::Mood));
        if let Some(name) = row.gesture.clone() {
            let stroke = stress.unwrap_or(t) + delay;
            all.push(MarkAction::Gesture { name, stroke });
        }
        if row.blink {
            all.push(MarkAction::Blink);
        }
        if let Some(name) = row.event.clone() {
            let fields = row.fields.0.clone();
            all.push(MarkAction::Event { name, fields });
        }
        if all.is_empty() && !row.allow_interrupt {
            return Err(wrong(
                "expected at least one of expression, look, gesture, mood, blink, event and allow_interrupt"
                    .to_owned(),
            ));
        }
        rows.items.extend(all.into_iter().map(|does| Item {
            t: match &does {
                MarkAction::Gesture { stroke, .. } => *stroke,
                _ => t + delay,
            },
            duration: row.duration,
            intensity: row.intensity,
            chance: row.chance,
            action: does,
        }));
    }
    Ok(rows)
}

/// Time of a row, and the stress time of its word, seconds.
fn time(at: &RowStart, track: &SpeechTrack) -> Result<(f32, Option<f32>), String> {
    let wanted = match at {
        RowStart::Seconds(t) => return Ok((*t, None)),
        RowStart::Word(word) => word,
    };
    let bare = |text: &str| {
        let inside = text.trim_matches(|c: char| !c.is_alphanumeric());
        inside.to_lowercase()
    };
    let found = track
        .words
        .iter()
        .find(|word| bare(&word.text) == bare(wanted));
    match found {
        Some(word) => Ok((word.start, word.stress)),
        None => {
            let words = track.words.iter().map(|word| word.text.as_str());
            let hint = nearest_hint(wanted, words);
            Err(format!("the text has no word {wanted:?}{hint}"))
        }
    }
}

/// Builds the table of a line's events. Scripts can change the rows and pass them to another line.
pub(super) fn table(lua: &Lua, items: &[Item]) -> mlua::Result<Table> {
    let list = lua.create_table()?;
    for item in items {
        let row = lua.create_table()?;
        row.raw_set("at", lua_number(item.t))?;
        match &item.action {
            MarkAction::Show(name) => row.raw_set("expression", name.as_str())?,
            MarkAction::Look(name) => row.raw_set("look", name.as_str())?,
            MarkAction::Mood(name) => row.raw_set("mood", name.as_str())?,
            MarkAction::Gesture { name, .. } => row.raw_set("gesture", name.as_str())?,
            MarkAction::Blink => row.raw_set("blink", true)?,
            MarkAction::Event { name, fields } => {
                row.raw_set("event", name.as_str())?;
                if !fields.is_empty() {
                    let own = lua.create_table()?;
                    for (key, value) in fields {
                        own.raw_set(key.as_str(), value.as_str())?;
                    }
                    row.raw_set("fields", own)?;
                }
            }
        }
        for (name, value) in [("duration", item.duration), ("intensity", item.intensity)] {
            if let Some(value) = value {
                row.raw_set(name, lua_number(value))?;
            }
        }
        if item.chance < 1.0 {
            row.raw_set("chance", lua_number(item.chance))?;
        }
        list.raw_push(row)?;
    }
    Ok(list)
}
