//! Former names of keys in `extras`. Files made with them keep loading, with a warning that names the current ones.

use serde_json::{Map, Value};

/// Pairs of former and current names.
pub(crate) type Renamed = &'static [(&'static str, &'static str)];

/// Keys of a node's extras.
pub(crate) const NODE: Renamed = &[("solid", "collider"), ("handle", "interaction")];
/// Keys of an animation's extras.
pub(crate) const ANIMATION: Renamed = &[("marks", "markers")];
/// Fields of a marker.
pub(crate) const MARKER: Renamed = &[("t", "time"), ("length", "duration")];
/// Fields of a helper bone.
pub(crate) const HELPER: Renamed = &[
    ("of", "source"),
    ("share", "weight"),
    ("by", "measure"),
    ("to", "output"),
    ("full", "full_angle"),
    ("along", "direction"),
];
/// Fields of a collider.
pub(crate) const COLLIDER: Renamed = &[
    ("bounce", "restitution"),
    ("at", "offset"),
    ("shown", "visible"),
];
/// Fields of an interaction.
pub(crate) const INTERACTION: Renamed = &[
    ("rise", "rung_offset"),
    ("on", "bone"),
    ("at", "position"),
    ("turn", "hand_rotation"),
    ("stand", "stand_position"),
    ("face", "stand_yaw"),
    ("other", "other_hand"),
    ("reach", "reach_time"),
    ("hold", "hold_time"),
    ("release", "release_time"),
];
/// Fields of a ragdoll's body.
pub(crate) const RAGDOLL: Renamed = &[("link", "joint")];

/// Current name of a former one.
pub(crate) fn current_name(renamed: Renamed, name: &str) -> Option<&'static str> {
    let pair = renamed.iter().find(|(former, _)| *former == name);
    pair.map(|(_, current)| *current)
}

/// Gives the keys of an object their current names, and reports former ones through `warn`. A former name next to the
/// current one stays as it is.
pub(crate) fn rename(
    object: &mut Map<String, Value>,
    renamed: Renamed,
    warn: &mut dyn FnMut(String),
) {
    let mut found = Vec::new();
    for (former, current) in renamed {
        if !object.contains_key(*current)
            && let Some(value) = object.remove(*former)
        {
            object.insert((*current).to_owned(), value);
            found.push(format!("{former:?} is now {current:?}"));
        }
    }
    if !found.is_empty() {
        warn(format!("{}; the former name still works", found.join(", ")));
    }
}

/// Gives the fields of an object, or of each object of a list, their current names.
pub(crate) fn rename_fields(value: &mut Value, renamed: Renamed, warn: &mut dyn FnMut(String)) {
    match value {
        Value::Object(object) => rename(object, renamed, warn),
        Value::Array(list) => {
            for object in list.iter_mut().filter_map(Value::as_object_mut) {
                rename(object, renamed, warn);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn former_names_are_replaced_and_reported() {
        let mut warnings = Vec::new();
        let mut value = json!([{"of": "hand", "share": 0.5}, {"source": "foot", "of": "hand"}, 3]);
        rename_fields(&mut value, HELPER, &mut |text| warnings.push(text));
        let wanted =
            json!([{"source": "hand", "weight": 0.5}, {"source": "foot", "of": "hand"}, 3]);
        assert_eq!(value, wanted);
        let wanted =
            "\"of\" is now \"source\", \"share\" is now \"weight\"; the former name still works";
        assert_eq!(warnings, [wanted]);
    }
}
