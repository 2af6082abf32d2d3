//! The JSON of a file, mended until the `gltf` crate takes it as its document.
//!
//! The crate asks for more than files need to say: lists that may be absent, whole numbers without
//! a decimal point, a node for every channel (KHR_animation_pointer has none), the right form of
//! fields that nobody reads. All of it is put right here, on plain JSON. Values that glTF does not
//! know get their warning here, where they can still be quoted; in the document they are
//! `Checked::Invalid`, and whoever meets one passes over it in silence.

use std::fmt;

use gltf::json::extensions::material::{EmissiveStrength, Unlit};
use gltf::json::extensions::texture::TextureTransform;
use gltf::json::{Asset, Extras, Root, animation, material, mesh};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value, json};

use super::error::{Fault, Warnings, call};
use super::{pointer, vrm};

/// Where an index must stand and the file gives none. No list is so long, so following it finds
/// nothing.
pub const NONE: u32 = u32::MAX;

/// A JSON object of the file.
type Object = Map<String, Value>;

/// Reads JSON text. What is not UTF-8, as in names written by old tools, becomes `�`.
pub fn parse(text: &[u8]) -> Result<Value, Fault> {
    match serde_json::from_str(&String::from_utf8_lossy(text)) {
        Ok(Plain(value)) => Ok(value),
        Err(error) => Err(Fault::Json(error.to_string())),
    }
}

/// A JSON value with whole numbers as integers (`3.0` is 3), indices that fit the crate's 32 bits,
/// and without members that say nothing: `null`, and `extensions` that are no object.
struct Plain(Value);

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
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
                // 2^53: above it a float does not name one whole number.
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
                while let Some(Plain(value)) = seq.next_element()? {
                    list.push(value);
                }
                Ok(list.into())
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
                let mut object = Object::new();
                while let Some((key, Plain(mut value))) = map.next_entry::<String, Plain>()? {
                    limit_indices(&key, &mut value);
                    let says_nothing = value.is_null() || key == "extensions" && !value.is_object();
                    // serde_json takes such a member for a command of its own: the text in it is
                    // parsed again, and texts in texts would overflow the stack.
                    if !says_nothing && !key.starts_with("$serde_json::private::") {
                        object.insert(key, value);
                    }
                }
                Ok(object.into())
            }
        }
        deserializer.deserialize_any(Any).map(Plain)
    }
}

/// Puts [`NONE`] for the indices and codes above it, which the crate would cut off at 32 bits.
fn limit_indices(field: &str, value: &mut Value) {
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
            objects.flat_map(Object::values_mut).for_each(limit);
        }
        _ => {}
    }
}

/// The application's own data of a thing; null where there is none.
pub fn extras(extras: &Extras) -> Value {
    let parsed = extras.as_ref().map(|raw| parse(raw.get().as_bytes()));
    parsed.and_then(Result::ok).unwrap_or_default()
}

/// `asset`, as far as it says what can read the file.
pub fn asset(json: &Value) -> Result<Asset, Fault> {
    let mut asset = json
        .get("asset")
        .cloned()
        .ok_or_else(|| Fault::Json("missing field `asset`".into()))?;
    if let Some(asset) = asset.as_object_mut() {
        asset.retain(|name, _| matches!(name.as_str(), "version" | "minVersion"));
    }
    Asset::deserialize(asset).map_err(|error| Fault::Json(format!("asset: {error}")))
}

/// The document of mended JSON, without what Galatea does not read.
pub fn document(json: Value, warnings: &Warnings) -> Result<Root, Fault> {
    let asset = asset(&json)?;
    let Value::Object(mut json) = json else {
        return Err(Fault::Json("it is no object".into()));
    };
    let json = &mut json;
    let nothing = |_, _: &mut Object| {};
    Ok(Root {
        asset,
        extensions_used: list(json, "extensionsUsed", &[], nothing)?,
        extensions_required: list(json, "extensionsRequired", &[], nothing)?,
        accessors: {
            let unread = ["name", "min", "max", "extensions", "extras"];
            list(json, "accessors", &unread, nothing)?
        },
        animations: list(json, "animations", &["extensions"], |i, animation| {
            mend_animation(i, animation, warnings);
        })?,
        buffers: list(json, "buffers", &["name", "extensions", "extras"], nothing)?,
        buffer_views: list(json, "bufferViews", &["name", "target", "extras"], nothing)?,
        images: {
            let unread = ["mimeType", "extensions", "extras"];
            list(json, "images", &unread, nothing)?
        },
        materials: list(json, "materials", &["extras"], |i, material| {
            mend_material(i, material, warnings);
        })?,
        meshes: list(json, "meshes", &["extensions"], |i, mesh| {
            mend_mesh(i, mesh, warnings);
        })?,
        nodes: list(json, "nodes", &["camera", "extensions", "extras"], nothing)?,
        samplers: list(json, "samplers", &["name", "extensions", "extras"], nothing)?,
        extensions: vrm::extensions(json.remove("extensions")),
        scene: match json.remove("scene") {
            None => None,
            Some(scene) => Some(element(scene, || "scene".into())?),
        },
        scenes: {
            let unread = ["name", "extensions", "extras"];
            list(json, "scenes", &unread, |_, scene| {
                may_be_absent(scene, "nodes", json!([]));
            })?
        },
        skins: {
            let unread = ["skeleton", "extensions", "extras"];
            list(json, "skins", &unread, |_, skin| {
                may_be_absent(skin, "joints", json!([]));
            })?
        },
        textures: list(json, "textures", &["name", "extras"], nothing)?,
        ..Root::default()
    })
}

/// One list of the document: its elements mended and taken by the crate.
fn list<T: DeserializeOwned>(
    json: &mut Object,
    name: &str,
    unread: &[&str],
    mend: impl Fn(usize, &mut Object),
) -> Result<Vec<T>, Fault> {
    let elements = match json.remove(name) {
        None => Vec::new(),
        Some(Value::Array(elements)) => elements,
        Some(_) => return Err(Fault::Json(format!("{name} is no list"))),
    };
    let elements = elements.into_iter().enumerate();
    elements
        .map(|(i, mut json)| {
            if let Value::Object(object) = &mut json {
                for field in unread {
                    object.remove(*field);
                }
                mend(i, object);
            }
            element(json, || format!("{name}[{i}]"))
        })
        .collect()
}

fn element<T: DeserializeOwned>(json: Value, called: impl Fn() -> String) -> Result<T, Fault> {
    T::deserialize(json).map_err(|error| Fault::Json(format!("{}: {error}", called())))
}

fn may_be_absent(object: &mut Object, field: &str, default: Value) {
    if !object.contains_key(field) {
        object.insert(field.into(), default);
    }
}

/// The objects of a list in an object.
fn objects<'a>(
    object: &'a mut Object,
    list: &str,
) -> impl Iterator<Item = (usize, &'a mut Object)> + use<'a> {
    let list = object.get_mut(list).and_then(Value::as_array_mut);
    let list = list.into_iter().flatten().enumerate();
    list.filter_map(|(i, value)| Some((i, value.as_object_mut()?)))
}

/// The value of a field that is a name, and none of the `known` ones.
fn unknown<'a>(object: &'a Object, field: &str, known: &[&str]) -> Option<&'a str> {
    let value = object.get(field)?.as_str()?;
    (!known.contains(&value)).then_some(value)
}

fn mend_animation(index: usize, animation: &mut Object, warnings: &Warnings) {
    may_be_absent(animation, "channels", json!([]));
    may_be_absent(animation, "samplers", json!([]));
    let clip = match animation.get("name").and_then(Value::as_str) {
        Some(name) if !name.is_empty() => format!("clip {name:?}"),
        _ => format!("clip \"clip_{index}\""),
    };
    for (i, sampler) in objects(animation, "samplers") {
        let known = animation::VALID_INTERPOLATIONS;
        if let Some(other) = unknown(sampler, "interpolation", known) {
            warnings.add(format!(
                "{clip}, sampler {i}: the interpolation {other:?} is not known; LINEAR is used"
            ));
        }
    }
    for (i, channel) in objects(animation, "channels") {
        let path = channel.get("target").and_then(|target| target.get("path"));
        if path.and_then(Value::as_str) == Some("pointer") {
            if let Err(cause) = pointer::mend(channel) {
                warnings.add(format!("{clip}: channel {i} is left out: {cause}"));
            }
            continue;
        }
        let Some(target) = channel.get_mut("target").and_then(Value::as_object_mut) else {
            continue;
        };
        may_be_absent(target, "node", NONE.into());
        match unknown(target, "path", animation::VALID_PROPERTIES) {
            None => {}
            Some(other) => warnings.add(format!(
                "{clip}: channel {i} is left out: the target path {other:?} is not known"
            )),
        }
    }
}

fn mend_mesh(index: usize, mesh: &mut Object, warnings: &Warnings) {
    may_be_absent(mesh, "primitives", json!([]));
    let what = call("mesh", mesh.get("name").and_then(Value::as_str), index);
    for (i, primitive) in objects(mesh, "primitives") {
        may_be_absent(primitive, "attributes", json!({}));
        if let Some(mode) = primitive.get_mut("mode")
            && let Some(number) = mode.as_u64()
            && !mesh::VALID_MODES.iter().any(|&m| u64::from(m) == number)
        {
            warnings.add(format!(
                "{what}, primitive {i}: the primitive mode {number} is not known; it is left out"
            ));
            *mode = NONE.into();
        }
    }
}

fn mend_material(index: usize, material: &mut Object, warnings: &Warnings) {
    let name = material.get("name").and_then(Value::as_str);
    let what = call("material", name, index);
    if let Some(other) = unknown(material, "alphaMode", material::VALID_ALPHA_MODES) {
        warnings.add(format!("{what}: the alpha mode {other:?} is not known"));
    }
    without_broken::<Unlit>(material, "KHR_materials_unlit", &what, warnings);
    let strength = "KHR_materials_emissive_strength";
    without_broken::<EmissiveStrength>(material, strength, &what, warnings);
    let mend_textures = |object: &mut Object| {
        for (name, field) in object {
            if name.ends_with("Texture")
                && let Some(info) = field.as_object_mut()
            {
                let transform = "KHR_texture_transform";
                without_broken::<TextureTransform>(info, transform, &what, warnings);
            }
        }
    };
    mend_textures(material);
    let pbr = material.get_mut("pbrMetallicRoughness");
    if let Some(pbr) = pbr.and_then(Value::as_object_mut) {
        mend_textures(pbr);
    }
}

/// Takes an extension out of an object when the crate could not read it.
fn without_broken<T: DeserializeOwned>(
    object: &mut Object,
    extension: &str,
    what: &str,
    warnings: &Warnings,
) {
    let extensions = object.get_mut("extensions").and_then(Value::as_object_mut);
    if let Some(extensions) = extensions
        && let Some(json) = extensions.get(extension)
        && let Err(error) = T::deserialize(json)
    {
        warnings.add(format!("{what}: {extension}: {error}"));
        extensions.remove(extension);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(Root, Vec<String>), String> {
        let warnings = Warnings::default();
        parse(text.as_bytes())
            .and_then(|json| document(json, &warnings))
            .map(|root| (root, warnings.into_list()))
            .map_err(|fault| fault.to_string())
    }

    #[test]
    fn whole_numbers_may_be_written_as_floats_but_not_negative_or_broken() {
        let file = |number: &str| {
            read(&format!(
                r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":{number}}}]}}"#
            ))
        };
        for good in ["3.0", "3", "0.3e1"] {
            let (root, _) = file(good).unwrap();
            assert_eq!(root.nodes[0].mesh.map(|mesh| mesh.value()), Some(3));
        }
        assert_eq!(file("null").unwrap().0.nodes[0].mesh, None);
        for bad in ["-1", "1.5", "1e300", "\"1\""] {
            let error = file(bad).unwrap_err();
            assert!(error.contains("nodes[0]: "), "{error}");
        }
        assert!(file("3").unwrap().1.is_empty());
    }

    #[test]
    fn indices_that_are_too_large_point_at_nothing_instead_of_something_else() {
        let (root, _) = read(
            r#"{"asset": {"version": "2.0"}, "scene": 4294967296,
            "nodes": [{"children": [4294967296, 1], "translation": [4294967296, 1e20, 0]}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 4294967296},
                                        "targets": [{"POSITION": 4294967296}]}]}]}"#,
        )
        .unwrap();
        let none = Some(NONE as usize);
        let primitive = &root.meshes[0].primitives[0];
        let position = primitive.attributes.values().next();
        assert_eq!(position.map(|index| index.value()), none);
        let target = &primitive.targets.as_ref().unwrap()[0];
        assert_eq!(target.positions.map(|index| index.value()), none);
        assert_eq!(root.scene.map(|index| index.value()), none);
        let node = &root.nodes[0];
        assert_eq!(node.children.as_ref().unwrap()[0].value(), NONE as usize);
        assert_eq!(node.translation, Some([4_294_967_296.0, 1e20, 0.0]));
    }

    #[test]
    fn text_that_is_not_utf_8_costs_only_its_letters() {
        let json = parse(b"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"f\xFCr\"}]}");
        let root = document(json.unwrap(), &Warnings::default()).unwrap();
        assert_eq!(root.nodes[0].name.as_deref(), Some("f\u{FFFD}r"));
    }

    #[test]
    fn lists_may_be_absent_and_unread_fields_may_hold_anything() {
        let (root, warnings) = read(
            r#"{"asset": {"version": "2.0", "generator": 7}, "cameras": 1, "extras": 2,
            "scenes": [{"name": 3}], "meshes": [{}, {"primitives": [{}]}], "skins": [{}],
            "animations": [{}], "nodes": [{"camera": "x", "extensions": [], "extras": null}],
            "images": [{"mimeType": 5}], "textures": [{"extensions": 1}],
            "bufferViews": [{"buffer": 0, "byteLength": 1, "target": "y"}]}"#,
        )
        .unwrap();
        assert_eq!(root.meshes[1].primitives.len(), 1);
        assert_eq!(root.textures[0].source.value(), NONE as usize);
        assert!(warnings.is_empty(), "{warnings:?}");
    }

    #[test]
    fn unknown_values_and_broken_extensions_are_quoted_and_passed_over() {
        let (root, warnings) = read(
            r#"{"asset": {"version": "2.0"},
            "materials": [{"name": "m", "alphaMode": "X", "normalTexture": {"index": 0,
                "extensions": {"KHR_texture_transform": {"scale": 3}}},
                "extensions": {"KHR_materials_unlit": 1}}],
            "meshes": [{"primitives": [{"mode": 4294967300}]}],
            "animations": [{"samplers": [{"input": 0, "output": 0, "interpolation": "FAST"}],
                "channels": [{"sampler": 0, "target": {"path": "colour", "node": 1}},
                             {"sampler": 0, "target": {"path": "pointer"}}]}]}"#,
        )
        .unwrap();
        for part in [
            "material \"m\": the alpha mode \"X\"",
            "material \"m\": KHR_texture_transform: ",
            "material \"m\": KHR_materials_unlit: ",
            "mesh 0, primitive 0: the primitive mode 4294967300",
            "clip \"clip_0\", sampler 0: the interpolation \"FAST\"",
            "clip \"clip_0\": channel 0 is left out: the target path \"colour\"",
            "clip \"clip_0\": channel 1 is left out: it has no pointer",
        ] {
            let found = warnings.iter().any(|warning| warning.starts_with(part));
            assert!(found, "{part}: {warnings:#?}");
        }
        assert_eq!(warnings.len(), 7);
        assert!(root.materials[0].extensions.is_some());
        let target = &root.animations[0].channels[1].target;
        assert_eq!(target.node.value(), NONE as usize);
    }

    #[test]
    fn texts_in_texts_are_not_parsed_again() {
        // Every text is the only member of an object in the next one, quotes written so that the
        // whole grows slowly.
        let mut text = "0".to_owned();
        for _ in 0..200 {
            let quoted = text.replace('\\', "\\u005c").replace('"', "\\u0022");
            let deep = ("[".repeat(60), "]".repeat(60));
            text = format!(
                "{}{{\"$serde_json::private::RawValue\":\"{quoted}\"}}{}",
                deep.0, deep.1
            );
        }
        let text = format!(
            r#"{{"asset":{{"version":"2.0"}},"textures":[{{"extensions":{{"X":{text}}}}}],
            "accessors":[{{"count":1,"componentType":5126,"type":"SCALAR","min":{text}}}],
            "meshes":[{{"extras":{text}}}]}}"#
        );
        let (root, _) = read(&text).unwrap();
        assert!(extras(&root.meshes[0].extras).is_array());
    }
}
