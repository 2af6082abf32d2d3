//! JSON values as the `gltf` crate expects them: whole numbers as integers, 32-bit indices.
//!
//! Callers: `mend` (the document), and every loader that reads `extras`.

use std::fmt;

use gltf::json::{Extras, Node};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::error::Warnings;
use crate::renamed;

/// Index that means none. No list is that long, so a look-up finds nothing.
pub const NONE: u32 = u32::MAX;

/// A JSON object of a file.
pub type JsonObject = Map<String, Value>;

/// Parses a JSON value. The `unread` members of the top object are left out.
pub fn parse(text: &str, unread: &[&str]) -> serde_json::Result<Value> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Plain { unread }.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// A JSON value with whole numbers as integers (`3.0` is 3) and indices that fit 32 bits. Members without content are left
/// out: `null`, and `extensions` that are not an object. The `unread` members of an object are left out too.
struct Plain<'a> {
    unread: &'a [&'a str],
}

impl<'de> DeserializeSeed<'de> for Plain<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Plain<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("JSON")
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_bool<E>(self, v: bool) -> Result<Value, E> {
        Ok(v.into())
    }
    fn visit_u64<E>(self, v: u64) -> Result<Value, E> {
        Ok(v.into())
    }
    fn visit_i64<E>(self, v: i64) -> Result<Value, E> {
        Ok(v.into())
    }
    fn visit_f64<E>(self, v: f64) -> Result<Value, E> {
        // 2^53: a larger float does not identify a single whole number.
        if v.is_sign_positive() && v.fract() == 0.0 && v < 9_007_199_254_740_992.0 {
            Ok((v as u64).into())
        } else {
            Ok(v.into())
        }
    }
    fn visit_str<E>(self, v: &str) -> Result<Value, E> {
        Ok(v.into())
    }
    fn visit_string<E>(self, v: String) -> Result<Value, E> {
        Ok(v.into())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = seq.next_element_seed(Plain { unread: &[] })? {
            list.push(value);
        }
        Ok(list.into())
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut object = JsonObject::new();
        while let Some(key) = map.next_key::<String>()? {
            // serde_json treats such a member as a command: it parses the member's text again, and nested texts would
            // overflow the stack.
            let command = key.starts_with("$serde_json::private::");
            if command || self.unread.contains(&key.as_str()) {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let mut value = map.next_value_seed(Plain { unread: &[] })?;
            limit_indices(&key, &mut value);
            let says_nothing = value.is_null() || key == "extensions" && !value.is_object();
            if !says_nothing {
                object.insert(key, value);
            }
        }
        Ok(object.into())
    }
}

/// Replaces larger indices and codes by [`NONE`]; the crate would truncate them to 32 bits.
pub fn limit_indices(field: &str, value: &mut Value) {
    fn limit(value: &mut Value) {
        if value.as_u64().is_some_and(|number| number > NONE.into()) {
            *value = NONE.into();
        }
    }
    match (field, value) {
        (
            "buffer"
            | "bufferView"
            | "index"
            | "indices"
            | "input"
            | "inverseBindMatrices"
            | "material"
            | "mesh"
            | "node"
            | "output"
            | "sampler"
            | "scene"
            | "skin"
            | "source"
            | "texCoord"
            | "componentType"
            | "magFilter"
            | "minFilter"
            | "wrapS"
            | "wrapT",
            value,
        ) => limit(value),
        ("children" | "joints" | "nodes", Value::Array(list)) => list.iter_mut().for_each(limit),
        ("attributes", Value::Object(object)) => object.values_mut().for_each(limit),
        ("targets", Value::Array(list)) => {
            let objects = list.iter_mut().filter_map(Value::as_object_mut);
            objects.flat_map(JsonObject::values_mut).for_each(limit);
        }
        _ => {}
    }
}

/// The `extras` of a glTF object, or null.
pub fn extras(extras: &Extras) -> Value {
    let parsed = extras.as_ref().map(|raw| parse(raw.get(), &[]));
    parsed.and_then(Result::ok).unwrap_or_default()
}

/// The `extras` of a node with current names of the keys, or null. `label` names the node in warnings.
pub fn node_extras(node: &Node, label: &str, warnings: &Warnings) -> Value {
    let mut extras = extras(&node.extras);
    if let Some(keys) = extras.as_object_mut() {
        renamed::rename(keys, renamed::NODE, &mut |text| {
            warnings.add(format!("{label}, extras: {text}"));
        });
    }
    extras
}
