//! Helper bones as written in files and scripts (docs/helpers.md): converts fields to [`HelperSpec`].
//!
//! A file has them in a node's extras: `"helper": { "kind": "twist", … }`, or a list of them.

use glam::{Quat, Vec3};
use serde_json::{Map, Value};

use super::fields::{JsonField, number, numbers, set_all};
use super::renamed::{self, current_name, rename_fields};
use galatea_rig::helper::{DriverTarget, Example, HelperKind, HelperSpec, Measured};

/// Limit of helpers per list.
const MAX_HELPERS: usize = 256;
/// Limit of points per curve.
const MAX_POINTS: usize = 64;

/// Reads one helper or a list of them; those without a `bone` belong to `node`. Invalid data is skipped and reported through
/// `warn`.
pub fn read(value: &Value, node: &str, warn: &mut dyn FnMut(String)) -> Vec<HelperSpec> {
    let mut value = value.clone();
    rename_fields(&mut value, renamed::HELPER, warn);
    let list = match &value {
        Value::Array(list) => list.as_slice(),
        one => std::slice::from_ref(one),
    };
    if list.len() > MAX_HELPERS {
        warn(format!(
            "the node has {} helpers; only the first {MAX_HELPERS} are read",
            list.len()
        ));
    }
    let list = list.iter().take(MAX_HELPERS);
    list.filter_map(|value| one(value, node, warn)).collect()
}

fn one(value: &Value, node: &str, warn: &mut dyn FnMut(String)) -> Option<HelperSpec> {
    let Some(fields) = value.as_object() else {
        warn(format!("expected an object, got {value}; left out"));
        return None;
    };
    match read_fields(fields, warn) {
        Ok(mut spec) => {
            if spec.bones.is_empty() && spec.morph.is_none() {
                spec.bones.push(node.to_owned());
            }
            Some(spec)
        }
        Err(cause) => {
            warn(format!("{cause}; left out"));
            None
        }
    }
}

/// Reads the fields of one helper. Invalid fields are skipped and reported through `warn`.
///
/// # Errors
/// If it has no known kind; the error is a message for users.
pub fn read_fields(
    fields: &Map<String, Value>,
    warn: &mut dyn FnMut(String),
) -> Result<HelperSpec, String> {
    let kinds = HelperKind::ALL.map(|(name, _)| name).join(", ");
    let kind = fields.get("kind");
    let kind = kind.ok_or_else(|| format!("field \"kind\" is missing, expected one of {kinds}"))?;
    let kind = JsonField {
        name: "kind",
        value: kind,
    };
    let mut spec = HelperSpec::new(kind.word(&HelperKind::ALL)?);
    set_all(fields, warn, |field| match field.name {
        "kind" => Ok(()),
        _ => set(&mut spec, field.name, field.value),
    });
    Ok(spec)
}

/// Sets one field of a helper.
///
/// # Errors
/// If its kind has no such field or the value is invalid; the error is a message for users.
pub fn set(spec: &mut HelperSpec, name: &str, value: &Value) -> Result<(), String> {
    let field = JsonField { name, value };
    let known = spec.kind.fields();
    if name != "bone" && !known.contains(&name) {
        let cause = match current_name(renamed::HELPER, name) {
            Some(current) => format!("field {name:?} is now {current:?}"),
            None => field.unknown(known),
        };
        return Err(format!("a {}: {cause}", spec.kind.name()));
    }
    match name {
        "bone" => spec.bones = texts(field)?,
        "source" => spec.source = Some(field.text()?),
        "from" => spec.from = Some(field.text()?),
        "hold" => spec.hold = Some(field.text()?),
        "morph" => spec.morph = Some(field.text()?),
        "weight" => spec.weights = fractions(field)?,
        "axis" => spec.axis = Some(direction(field)?),
        "direction" => spec.direction = Some(direction(field)?),
        "middle" => spec.middle = field.within(-180.0..=180.0, "degrees from -180 to 180")?,
        "measure" => spec.measure = Some(field.word(&Measured::ALL)?),
        "output" => spec.output = Some(field.word(&DriverTarget::ALL)?),
        "curve" => spec.curve = points(field)?,
        "smooth" => spec.is_smooth = field.boolean()?,
        "amount" => spec.amount = Some(field.within(-100.0..=100.0, "a number from -100 to 100")?),
        "full_angle" => spec.full_angle = Some(angle(field)?),
        "radius" => spec.radius = Some(angle(field)?),
        "example" => spec.example = Some(example(field)?),
        "min" => spec.min = Some(angles(field)?),
        "max" => spec.max = Some(angles(field)?),
        _ => return Err(field.unknown(known)),
    }
    Ok(())
}

fn texts(field: JsonField) -> Result<Vec<String>, String> {
    let Some(list) = field.value.as_array() else {
        return Ok(vec![field.text()?]);
    };
    let names: Option<Vec<String>> = list
        .iter()
        .map(|name| Some(name.as_str().filter(|name| !name.is_empty())?.to_owned()))
        .collect();
    let names = names.filter(|names| (1..=MAX_HELPERS).contains(&names.len()));
    names.ok_or_else(|| field.wrong("a name or a list of names"))
}

fn fractions(field: JsonField) -> Result<Vec<f32>, String> {
    let one = number(field.value).map(|share| vec![share]);
    let fractions = one.or_else(|| field.value.as_array()?.iter().map(number).collect());
    let fractions = fractions.filter(|fractions| {
        let fit = fractions.iter().all(|share| (-2.0..=2.0).contains(share));
        fit && (1..=MAX_HELPERS).contains(&fractions.len())
    });
    fractions.ok_or_else(|| field.wrong("a number from -2 to 2, or a list of such numbers"))
}

fn direction(field: JsonField) -> Result<Vec3, String> {
    let direction = numbers(field.value).map(Vec3::from_array);
    let direction = direction.filter(|d| (1e-6..=1e6).contains(&d.length()));
    direction.ok_or_else(|| field.wrong("a direction of three numbers"))
}

fn angle(field: JsonField) -> Result<f32, String> {
    let degrees = number(field.value).filter(|n| *n > 0.0 && *n <= 180.0);
    degrees.ok_or_else(|| field.wrong("an angle above 0 and at most 180 degrees"))
}

fn angles(field: JsonField) -> Result<Vec3, String> {
    let angles = numbers(field.value).map(Vec3::from_array);
    let angles = angles.filter(|a| a.abs().max_element() <= 180.0);
    angles.ok_or_else(|| field.wrong("three angles from -180 to 180 degrees"))
}

fn points(field: JsonField) -> Result<Vec<[f32; 2]>, String> {
    let list = field.value.as_array();
    let points: Option<Vec<[f32; 2]>> = list.and_then(|list| list.iter().map(numbers).collect());
    let points = points.filter(|points| {
        let ascends = points.windows(2).all(|pair| pair[0][0] < pair[1][0]);
        ascends && (1..=MAX_POINTS).contains(&points.len())
    });
    points.ok_or_else(|| {
        field.wrong("a list of at most 64 pairs [input, value] with ascending inputs")
    })
}

fn example(field: JsonField) -> Result<Example, String> {
    if let Some(rotation) = numbers(field.value).map(Quat::from_array)
        && (1e-3..=1e3).contains(&rotation.length())
    {
        return Ok(Example::Local(rotation.normalize()));
    }
    let degrees = numbers(field.value).map(Vec3::from_array);
    let degrees = degrees.filter(|d| d.abs().max_element() <= 360.0);
    degrees
        .map(Example::FromRest)
        .ok_or_else(|| field.wrong("three angles in degrees, or a quaternion x, y, z, w"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_a_script_has_no_node_and_needs_a_kind() {
        let mut warnings = Vec::new();
        let fields =
            serde_json::json!({"kind": "copy", "bone": "pad_l", "source": "chest", "wieght": 1});
        let read = read_fields(fields.as_object().unwrap(), &mut |text| warnings.push(text));
        assert_eq!(read.unwrap().bones, ["pad_l"]);
        assert_eq!(warnings.len(), 1);
        assert!(
            warnings[0].contains("did you mean \"weight\"?"),
            "{warnings:?}"
        );
        let none = read_fields(&Map::new(), &mut |_| {}).unwrap_err();
        assert!(
            none.starts_with("field \"kind\" is missing, expected one of twist, fan"),
            "{none}"
        );
    }
}
