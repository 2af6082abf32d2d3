//! Extras of nodes in recipes: converts tables to JSON.

use mlua::Value;
use serde_json::{Map, Number, Value as Json};

use super::wrong;

/// Limit of the depth of nested tables.
const MAX_DEPTH: usize = 8;

/// Converts a table to JSON. A table with a first entry becomes a list, a vector three numbers.
///
/// # Errors
/// If a value has no JSON equivalent.
pub(super) fn json(value: &Value, depth: usize) -> mlua::Result<Json> {
    let odd = || {
        wrong(format!(
            "extras: a {} cannot be stored in a file",
            value.type_name()
        ))
    };
    let number = |n: f64| Number::from_f64(n).map(Json::Number).ok_or_else(odd);
    match value {
        Value::Boolean(b) => Ok(Json::Bool(*b)),
        Value::Integer(n) => Ok(Json::Number((*n).into())),
        Value::Number(n) => number(*n),
        Value::String(text) => Ok(Json::String(text.to_string_lossy())),
        Value::Vector(v) => [v.x(), v.y(), v.z()]
            .into_iter()
            .map(|n| number(f64::from(n)))
            .collect(),
        Value::Table(table) if depth < MAX_DEPTH && table.raw_len() > 0 => table
            .sequence_values::<Value>()
            .map(|entry| json(&entry?, depth + 1))
            .collect(),
        Value::Table(table) if depth < MAX_DEPTH => {
            let mut fields = Map::new();
            for pair in table.pairs::<String, Value>() {
                let (key, entry) = pair?;
                fields.insert(key, json(&entry, depth + 1)?);
            }
            Ok(Json::Object(fields))
        }
        _ => Err(odd()),
    }
}

/// Mirrors extras to the other side. Names that begin with `left_` become `right_`; directions (`direction`) and rotation
/// axes (`axis`) are mirrored.
pub(super) fn mirrored(value: &Json) -> Json {
    match value {
        Json::String(text) => Json::String(match text.strip_prefix("left_") {
            Some(rest) => format!("right_{rest}"),
            None => text.clone(),
        }),
        Json::Array(list) => list.iter().map(mirrored).collect(),
        Json::Object(fields) => {
            // A direction used as a rotation axis is mirrored like an axis.
            let turns = fields.get("output").is_some_and(|output| output == "turn");
            let one = |(name, value): (&String, &Json)| {
                let turned = match (name.as_str(), value) {
                    ("direction", Json::Array(list)) if !turns => turned(list, [-1.0, 1.0, 1.0]),
                    ("direction", Json::Array(list)) => turned(list, [1.0, -1.0, -1.0]),
                    ("axis", Json::Array(list)) => turned(list, [1.0, -1.0, -1.0]),
                    _ => mirrored(value),
                };
                (name.clone(), turned)
            };
            Json::Object(fields.iter().map(one).collect())
        }
        other => other.clone(),
    }
}

fn turned(list: &[Json], factors: [f64; 3]) -> Json {
    let each = list.iter().zip(factors).map(|(entry, factor)| {
        let n = entry.as_f64().unwrap_or_default() * factor;
        Number::from_f64(n).map_or(Json::Null, Json::Number)
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn mirrored_extras_have_the_other_sides_names_and_directions() {
        let left = json!({"helper": [{"source": "left_hand", "direction": [0.5, 1.0, -2.0]}, {"axis": [1.0, 1.0, 0.0]}], "n": 2});
        let right = json!({"helper": [{"source": "right_hand", "direction": [-0.5, 1.0, -2.0]}, {"axis": [1.0, -1.0, 0.0]}], "n": 2});
        let got = super::mirrored(&left);
        assert_eq!(got["helper"][0], right["helper"][0]);
        assert_eq!(got["helper"][1]["axis"][1], right["helper"][1]["axis"][1]);
        assert_eq!(got["n"], right["n"]);
        let driver = super::mirrored(&json!({"output": "turn", "direction": [1.0, 2.0, 0.0]}));
        assert_eq!(driver["direction"], json!([1.0, -2.0, -0.0]));
    }
}
