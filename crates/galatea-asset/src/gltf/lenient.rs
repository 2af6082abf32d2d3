//! Removes the members of a JSON object that have a wrong type, so that one broken material or animation does not prevent
//! loading a model with intact meshes.
//!
//! Caller: `mend`. Only elements that cannot be read otherwise get here, so speed is not important.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::error::cause_in_part;
use super::plain_json::JsonObject;

/// Limit of the quoted part of a broken value in a warning, characters.
const MAX_QUOTED: usize = 40;

/// Members of an element that may be removed.
#[derive(Clone, Copy, Debug)]
pub enum Lossy<'a> {
    /// Only these members; an element that is broken elsewhere is unreadable.
    Members(&'a [&'a str]),
    /// Every member, and also the element itself.
    Everything,
}

/// Reads `element` without its broken members; `None` if something else is broken. `base` holds the members that every
/// element needs. Also returns the removed members with the cause of each.
pub fn read<T: DeserializeOwned>(
    element: Value,
    base: &JsonObject,
    lossy: Lossy<'_>,
) -> (Option<T>, Vec<String>) {
    let fits = |object: JsonObject| match T::deserialize(Value::Object(object)) {
        Ok(_) => Ok(()),
        Err(error) => Err(cause_in_part(&error)),
    };
    let mut removed = Vec::new();
    let mut object = match (element, lossy) {
        (Value::Object(object), _) => object,
        (other, Lossy::Everything) => {
            let text = other.to_string();
            let quoted: String = text.chars().take(MAX_QUOTED).collect();
            let more = if quoted.len() < text.len() { "…" } else { "" };
            removed.push(format!("expected an object, got {quoted}{more}"));
            JsonObject::new()
        }
        (_, Lossy::Members(_)) => return (None, removed),
    };
    let may_go = |name: &str| match lossy {
        Lossy::Members(names) => names.contains(&name),
        Lossy::Everything => true,
    };
    prune(&mut object, base, "", &fits, &may_go, &mut removed);
    (T::deserialize(Value::Object(object)).ok(), removed)
}

/// Describes the `error` of an element that is not a `T`. The text begins with the broken member, if there is one: the first
/// member that causes an error even if it is the only one. `base` holds the members that every element needs.
pub fn cause<T: DeserializeOwned>(
    element: &Value,
    base: &JsonObject,
    error: &serde_json::Error,
) -> String {
    let members = element.as_object().into_iter().flatten();
    let mut broken = members.filter_map(|(name, value)| {
        let mut object = base.clone();
        object.insert(name.clone(), value.clone());
        let error = T::deserialize(Value::Object(object)).err()?;
        // The element without its other members may lack a required one.
        let is_lack = error.to_string().starts_with("missing field");
        (!is_lack).then(|| format!("{name}: {}", cause_in_part(&error)))
    });
    broken.next().unwrap_or_else(|| cause_in_part(error))
}

/// Tests every member separately together with those of `base`, and removes those that do not fit. `fits` returns the cause.
fn prune(
    object: &mut JsonObject,
    base: &JsonObject,
    path: &str,
    fits: &dyn Fn(JsonObject) -> Result<(), String>,
    may_go: &dyn Fn(&str) -> bool,
    removed: &mut Vec<String>,
) {
    for (name, mut value) in std::mem::take(object) {
        let alone = |value: Value| {
            let mut object = base.clone();
            object.insert(name.clone(), value);
            fits(object)
        };
        if let Err(cause) = alone(value.clone())
            && may_go(&name)
        {
            let path = format!("{path}{name}");
            let Some(inner) = value.as_object_mut() else {
                removed.push(format!("{path}: {cause}"));
                continue;
            };
            // A reference to a texture needs its index.
            let index = inner.iter().filter(|(name, _)| *name == "index");
            let with_index: JsonObject = index.map(|(k, v)| (k.clone(), v.clone())).collect();
            let bases = [JsonObject::new(), with_index];
            let inner_base = bases
                .iter()
                .find(|b| alone(Value::Object((*b).clone())).is_ok());
            let Some(inner_base) = inner_base else {
                removed.push(format!("{path}: {cause}"));
                continue;
            };
            let fits = |object| alone(Value::Object(object));
            let path = format!("{path}.");
            prune(inner, inner_base, &path, &fits, &|_| true, removed);
        }
        object.insert(name, value);
    }
    for (name, value) in base {
        object.entry(name.clone()).or_insert_with(|| value.clone());
    }
}

#[cfg(test)]
mod tests {
    use gltf::json::{Material, Node};
    use serde_json::json;

    use super::*;

    #[test]
    fn only_the_smallest_broken_member_is_left_out() {
        let element = json!({"name": "skin", "alphaMode": "BLEND", "doubleSided": "yes",
            "pbrMetallicRoughness": {"baseColorFactor": [1, 0, "x", 1], "metallicFactor": 0.5,
                "baseColorTexture": {"index": 3, "texCoord": []}},
            "normalTexture": {"scale": 2}});
        let (material, removed) = read::<Material>(element, &JsonObject::new(), Lossy::Everything);
        let material = material.unwrap();
        assert_eq!(material.name.as_deref(), Some("skin"));
        let surface = &material.pbr_metallic_roughness;
        assert_eq!(surface.metallic_factor.0, 0.5);
        assert_eq!(surface.base_color_factor.0, [1.0; 4]);
        assert_eq!(
            surface.base_color_texture.as_ref().unwrap().index.value(),
            3
        );
        assert!(material.normal_texture.is_none());
        let names: Vec<&str> = removed
            .iter()
            .filter_map(|text| text.split(": ").next())
            .collect();
        let broken = [
            "doubleSided",
            "normalTexture",
            "pbrMetallicRoughness.baseColorFactor",
            "pbrMetallicRoughness.baseColorTexture.texCoord",
        ];
        assert_eq!(names, broken);
    }

    #[test]
    fn broken_required_members_make_the_element_unreadable() {
        let base = JsonObject::new();
        let lossy = Lossy::Members(&["name"]);
        let (node, removed) = read::<Node>(json!({"name": 5, "mesh": 1}), &base, lossy);
        assert_eq!(node.unwrap().mesh.map(|mesh| mesh.value()), Some(1));
        assert_eq!(removed.len(), 1);
        let wrong = json!({"name": "a", "mesh": "x"});
        let error = serde_json::from_value::<Node>(wrong.clone()).unwrap_err();
        assert_eq!(
            cause::<Node>(&wrong, &base, &error),
            "mesh: expected an index, a whole number from 0, got the text \"x\""
        );
        assert!(read::<Node>(wrong, &base, lossy).0.is_none());
        assert!(read::<Node>(json!("x"), &base, lossy).0.is_none());
        let (material, removed) = read::<Material>(json!(7), &base, Lossy::Everything);
        assert!(material.is_some() && removed == ["expected an object, got 7"]);
    }
}
