//! What a line has happen as a table: rows that scripts write and read, beside the marks in its text.

use mlua::{Lua, Table, Value};

use super::check::{Field, Fields, Type, lua_number};
use galatea_math::names::nearest_hint;
use galatea_speech::line::{Does, Item};
use galatea_speech::marks::MOST_MARKS;
use galatea_speech::track::Track;

/// What a row may have.
pub(super) const ROW_FIELDS: &[Field] = &[
    Field::new(
        "at",
        Type::OneOf(&[Type::Number, Type::Text]),
        "seconds, or a word of the text, at which it begins; 0",
    ),
    Field::new(
        "show",
        Type::Text,
        "an expression; may stand first instead: { \"smile\", at = 0.4 }",
    ),
    Field::new("look", Type::Text, "a name, \"camera\" or \"away\""),
    Field::new(
        "gesture",
        Type::Text,
        "a clip, or the head's beat, nod, shake, tilt; its stroke is at the stress of the word, or at that second",
    ),
    Field::new("mood", Type::Text, "a mood that stays"),
    Field::new("blink", Type::Bool, "a blink"),
    Field::new("event", Type::Text, "the name of a cue for the script"),
    Field::new(
        "fields",
        Type::Table("{ [any]: any }"),
        "what the cue has beside its name: texts and numbers",
    ),
    Field::new("cut", Type::Bool, "the line may be cut here"),
    Field::new("seconds", Type::Number, "how long it lasts"),
    Field::new("strength", Type::Number, "0 to 1"),
    Field::new("chance", Type::Number, "0 to 1: how likely it happens; 1"),
    Field::new("delay", Type::Number, "seconds later, or earlier; 0"),
];

/// What rows of a table have happen, and seconds at which they let the line be cut.
#[derive(Default)]
pub(super) struct Rows {
    pub items: Vec<Item>,
    pub cuts: Vec<f32>,
}

/// Reads the rows of a table against the words of a track.
///
/// # Errors
/// What is wrong, and in which row.
pub(super) fn rows(table: &Table, track: &Track) -> mlua::Result<Rows> {
    let mut rows = Rows::default();
    for (i, row) in table.sequence_values::<Value>().enumerate() {
        let wrong =
            |what: String| mlua::Error::runtime(format!("say: track, row {}: {what}", i + 1));
        if i >= MOST_MARKS {
            return Err(wrong(format!("a line may have {MOST_MARKS}")));
        }
        let Value::Table(row) = row? else {
            return Err(wrong("expected a table".to_owned()));
        };
        for pair in row.pairs::<Value, Value>() {
            let (key, value) = pair?;
            let Value::String(name) = &key else { continue };
            let name = name.to_string_lossy();
            let Some(field) = ROW_FIELDS.iter().find(|field| field.name == name) else {
                let hint = nearest_hint(&name, ROW_FIELDS.iter().map(|field| field.name));
                return Err(wrong(format!("unknown field {name:?}{hint}")));
            };
            let fits = field.ty.check(&value);
            fits.map_err(|why| wrong(format!("field {name:?}: {why}")))?;
        }
        let fields = Fields(Some(row.clone()));
        let number = |name: &str, low: f64, high: f64| {
            let n = fields.within(name, low, high);
            n.map_err(|why| wrong(why.to_string()))
        };
        let (t, stress) = time(&fields, track).map_err(&wrong)?;
        let delay = number("delay", -60.0, 60.0)?.unwrap_or(0.0);
        if fields.bool("cut") == Some(true) {
            rows.cuts.push((t + delay).max(0.0));
        }
        let first = match row.raw_get(1)? {
            Value::String(first) => Some(first.to_string_lossy()),
            Value::Nil => None,
            _ => return Err(wrong("expected the name of an expression first".to_owned())),
        };
        let mut all: Vec<Does> = Vec::new();
        all.extend(first.or(fields.text("show")).map(Does::Show));
        all.extend(fields.text("look").map(Does::Look));
        all.extend(fields.text("mood").map(Does::Mood));
        if let Some(name) = fields.text("gesture") {
            let stroke = stress.unwrap_or(t) + delay;
            all.push(Does::Gesture { name, stroke });
        }
        if fields.bool("blink") == Some(true) {
            all.push(Does::Blink);
        }
        if let Some(name) = fields.text("event") {
            let fields = own_fields(&fields).map_err(&wrong)?;
            all.push(Does::Event { name, fields });
        }
        if all.is_empty() && fields.bool("cut") != Some(true) {
            return Err(wrong(
                "nothing happens; expected an expression, look, gesture, mood, blink, event or cut"
                    .to_owned(),
            ));
        }
        let (seconds, strength) = (
            number("seconds", 0.0, 600.0)?,
            number("strength", 0.0, 1.0)?,
        );
        let chance = number("chance", 0.0, 1.0)?.unwrap_or(1.0);
        rows.items.extend(all.into_iter().map(|does| Item {
            t: match &does {
                Does::Gesture { stroke, .. } => *stroke,
                _ => t + delay,
            },
            seconds,
            strength,
            chance,
            does,
        }));
    }
    Ok(rows)
}

/// When a row is, and the stress of its word.
fn time(fields: &Fields, track: &Track) -> Result<(f32, Option<f32>), String> {
    match fields.value("at") {
        Value::Number(t) if t.is_finite() => Ok((t.clamp(-60.0, 3600.0) as f32, None)),
        Value::Integer(t) => Ok(((t as f32).clamp(-60.0, 3600.0), None)),
        Value::String(word) => {
            let wanted = word.to_string_lossy();
            let bare = |text: &str| {
                let inside = text.trim_matches(|c: char| !c.is_alphanumeric());
                inside.to_lowercase()
            };
            let found = track
                .words
                .iter()
                .find(|word| bare(&word.text) == bare(&wanted));
            match found {
                Some(word) => Ok((word.start, word.stress)),
                None => {
                    let words = track.words.iter().map(|word| word.text.as_str());
                    let hint = nearest_hint(&wanted, words);
                    Err(format!("the text has no word {wanted:?}{hint}"))
                }
            }
        }
        Value::Nil => Ok((0.0, None)),
        _ => Err("at: expected seconds or a word".to_owned()),
    }
}

fn own_fields(fields: &Fields) -> Result<Vec<(String, String)>, String> {
    let Value::Table(table) = fields.value("fields") else {
        return Ok(Vec::new());
    };
    let mut own = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair.map_err(|why| why.to_string())?;
        let text = |value: &Value| match value {
            Value::String(text) => Some(text.to_string_lossy()),
            Value::Number(n) => Some(n.to_string()),
            Value::Integer(n) => Some(n.to_string()),
            Value::Boolean(yes) => Some(yes.to_string()),
            _ => None,
        };
        let (Value::String(key), Some(value)) = (&key, text(&value)) else {
            return Err("fields: expected texts and numbers by name".to_owned());
        };
        own.push((key.to_string_lossy(), value));
    }
    own.sort();
    Ok(own)
}

/// What a line has happen, as rows that can be changed and given to another.
pub(super) fn table(lua: &Lua, items: &[Item]) -> mlua::Result<Table> {
    let list = lua.create_table()?;
    for item in items {
        let row = lua.create_table()?;
        row.raw_set("at", lua_number(item.t))?;
        match &item.does {
            Does::Show(name) => row.raw_set("show", name.as_str())?,
            Does::Look(name) => row.raw_set("look", name.as_str())?,
            Does::Mood(name) => row.raw_set("mood", name.as_str())?,
            Does::Gesture { name, .. } => row.raw_set("gesture", name.as_str())?,
            Does::Blink => row.raw_set("blink", true)?,
            Does::Event { name, fields } => {
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
        for (name, value) in [("seconds", item.seconds), ("strength", item.strength)] {
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
