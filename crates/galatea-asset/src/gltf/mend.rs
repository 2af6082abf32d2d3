//! Repairs the JSON of a file so that the `gltf` crate accepts it as its document.
//!
//! The crate requires more than files need to contain: lists that may be absent, whole numbers without a decimal point, a
//! node for every channel (KHR_animation_pointer has none), the right type of unused fields. This module repairs plain JSON.
//! Warnings about values that glTF does not define are added here, where the value can be quoted. In the document they
//! become `Checked::Invalid`, which later code ignores silently.

use std::borrow::Cow;
use std::collections::HashMap;

use gltf::json::extensions::material::{EmissiveStrength, Unlit};
use gltf::json::extensions::texture::TextureTransform;
use gltf::json::{Asset, Root, animation, material, mesh};
use rayon::prelude::*;
use serde::de::{Deserialize, DeserializeOwned};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::error::{LoadFault, Warnings, call, cause_in_part};
use super::lenient::Lossy;
use super::plain_json::{JsonObject, NONE, limit_indices, parse};
use super::{helpers, lenient, pointer, rigid_bodies, vrm};

/// Text of a file's JSON. Invalid UTF-8, as in names written by old tools, becomes `�`.
pub fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Members of the document, as unparsed JSON text. Each is parsed only when the crate needs it, several in parallel; with
/// ten thousand accessors this saves memory.
#[derive(Debug)]
pub struct Members<'a>(HashMap<String, &'a RawValue>);

impl<'a> Members<'a> {
    /// Splits the text of a document.
    pub fn split(text: &'a str) -> Result<Self, LoadFault> {
        match serde_json::from_str(text) {
            Ok(members) => Ok(Self(members)),
            Err(error) => Err(LoadFault::json(&error)),
        }
    }

    fn take(&mut self, name: &str) -> Result<Option<Value>, LoadFault> {
        let Some(raw) = self.0.remove(name) else {
            return Ok(None);
        };
        let mut value =
            parse(raw.get(), &[]).map_err(|error| LoadFault::json_part(name, &error))?;
        limit_indices(name, &mut value);
        Ok((!value.is_null()).then_some(value))
    }
}

/// Reads the parts of `asset` with the version and the generator.
pub fn asset(members: &Members) -> Result<Asset, LoadFault> {
    let raw = members.0.get("asset");
    let raw = raw.ok_or_else(|| LoadFault::Json("field \"asset\" is missing".into()))?;
    let asset = parse(raw.get(), &[]).and_then(|mut asset| {
        if let Some(asset) = asset.as_object_mut() {
            asset.retain(|name, value| match name.as_str() {
                "version" | "minVersion" => true,
                "copyright" | "generator" => value.is_string(),
                _ => false,
            });
        }
        Asset::deserialize(asset)
    });
    asset.map_err(|error| LoadFault::json_part("asset", &error))
}

/// Builds the document from the repaired JSON, without members that Galatea does not use.
pub fn document(mut members: Members, warnings: &Warnings) -> Result<Root, LoadFault> {
    let asset = asset(&members)?;
    let mut lists = Lists {
        members: &mut members,
        warnings,
    };
    let nothing = |_, _: &mut JsonObject, _: &Warnings| {};
    let every = Lossy::Everything;
    let of_node = Lossy::Members(&["name", "weights", "extensions"]);
    let of_mesh = Lossy::Members(&["name", "weights"]);
    let of_skin = Lossy::Members(&["name"]);
    let none = Lossy::Members(&[]);
    Ok(Root {
        asset,
        extensions_used: lists.names("extensionsUsed"),
        extensions_required: lists.names("extensionsRequired"),
        accessors: {
            let unread = ["name", "min", "max", "extensions", "extras"];
            lists.take("accessors", &unread, none, nothing)?
        },
        animations: lists.take("animations", &["extensions"], every, mend_animation)?,
        buffers: lists.take("buffers", &["name", "extensions", "extras"], none, nothing)?,
        buffer_views: lists.take("bufferViews", &["name", "target", "extras"], none, nothing)?,
        images: lists.take(
            "images",
            &["mimeType", "extensions", "extras"],
            every,
            nothing,
        )?,
        materials: lists.take("materials", &[], every, mend_material)?,
        meshes: lists.take("meshes", &["extensions"], of_mesh, mend_mesh)?,
        nodes: lists.take("nodes", &["camera"], of_node, mend_node)?,
        samplers: lists.take(
            "samplers",
            &["name", "extensions", "extras"],
            every,
            nothing,
        )?,
        scenes: {
            let unread = ["name", "extensions", "extras"];
            lists.take("scenes", &unread, none, |_, scene, _| {
                may_be_absent(scene, "nodes", json!([]));
            })?
        },
        skins: {
            let unread = ["skeleton", "extensions", "extras"];
            lists.take("skins", &unread, of_skin, |_, skin, _| {
                may_be_absent(skin, "joints", json!([]));
            })?
        },
        textures: lists.take("textures", &["name", "extras"], every, nothing)?,
        extensions: vrm::extensions(members.take("extensions")?),
        scene: match members.take("scene")?.map(Deserialize::deserialize) {
            Some(Err(error)) => {
                let cause = cause_in_part(&error);
                warnings.add(format!("scene: {cause}; the first scene is used"));
                None
            }
            scene => scene.and_then(Result::ok),
        },
        ..Root::default()
    })
}

/// Lists of a document.
struct Lists<'a, 'text> {
    members: &'a mut Members<'text>,
    warnings: &'a Warnings,
}

impl Lists<'_, '_> {
    /// Reads a list of names; skips other values with a warning.
    fn names(&mut self, name: &str) -> Vec<String> {
        let raw = self.members.0.remove(name).map(RawValue::get);
        let all: Vec<Value> = match raw.map(serde_json::from_str).unwrap_or(Ok(None)) {
            Ok(all) => all.unwrap_or_default(),
            Err(_) => {
                self.warnings
                    .add(format!("{name} is not a list; it is left out"));
                Vec::new()
            }
        };
        let names = all.into_iter().filter_map(|value| match value {
            Value::String(text) => Some(text),
            other => {
                self.warnings.add(format!(
                    "{name}: expected a name, got {other}; it is left out"
                ));
                None
            }
        });
        names.collect()
    }

    /// Reads a list: repairs its elements, drops the `unread` members, and lets the crate parse them. Broken members that
    /// are `lossy` are skipped with a warning.
    fn take<T: DeserializeOwned + Send>(
        &mut self,
        name: &str,
        unread: &[&str],
        lossy: Lossy,
        mend: impl Fn(usize, &mut JsonObject, &Warnings) + Sync,
    ) -> Result<Vec<T>, LoadFault> {
        let raw = match self.members.0.remove(name) {
            Some(raw) if raw.get() != "null" => raw.get(),
            _ => return Ok(Vec::new()),
        };
        if !raw.starts_with('[') {
            let text = format!("{name} is not a list");
            return match lossy {
                Lossy::Everything => {
                    self.warnings.add(format!("{text}; it is left out"));
                    Ok(Vec::new())
                }
                Lossy::Members(_) => Err(LoadFault::Json(text)),
            };
        }
        let elements: Vec<&RawValue> =
            serde_json::from_str(raw).map_err(|error| LoadFault::json_part(name, &error))?;
        let called = |i: usize| format!("{name}[{i}]");
        let elements = elements.into_par_iter().enumerate();
        let taken: Vec<(Result<T, LoadFault>, Warnings)> = elements
            .map(|(i, raw)| {
                let warnings = Warnings::default();
                let made = parse(raw.get(), unread)
                    .map_err(|error| LoadFault::json_part(&called(i), &error))
                    .and_then(|mut json| {
                        if let Value::Object(object) = &mut json {
                            mend(i, object, &warnings);
                        }
                        let error = match T::deserialize(&json) {
                            Ok(element) => return Ok(element),
                            Err(error) => error,
                        };
                        let mut base = JsonObject::new();
                        mend(i, &mut base, &Warnings::default());
                        let what = match json.get("name").and_then(Value::as_str) {
                            Some(own) => format!("{} {own:?}", called(i)),
                            None => called(i),
                        };
                        let cause = match lossy {
                            Lossy::Members(_) => lenient::cause::<T>(&json, &base, &error),
                            Lossy::Everything => cause_in_part(&error),
                        };
                        let (made, removed) = lenient::read(json, &base, lossy);
                        for text in removed {
                            warnings.add(format!("{what}: {text}; it is left out"));
                        }
                        made.ok_or_else(|| LoadFault::Json(format!("{}: {cause}", called(i))))
                    });
                (made, warnings)
            })
            .collect();
        let taken = taken.into_iter().map(|(made, warnings)| {
            self.warnings.append(warnings);
            made
        });
        taken.collect()
    }
}

fn may_be_absent(object: &mut JsonObject, field: &str, default: Value) {
    if !object.contains_key(field) {
        object.insert(field.into(), default);
    }
}

/// Objects in a list that is a member of an object.
fn objects<'a>(
    object: &'a mut JsonObject,
    list: &str,
) -> impl Iterator<Item = (usize, &'a mut JsonObject)> + use<'a> {
    let list = object.get_mut(list).and_then(Value::as_array_mut);
    let list = list.into_iter().flatten().enumerate();
    list.filter_map(|(i, value)| Some((i, value.as_object_mut()?)))
}

/// Value of a field if it is a name that `known` does not contain.
fn unknown<'a>(object: &'a JsonObject, field: &str, known: &[&str]) -> Option<&'a str> {
    let value = object.get(field)?.as_str()?;
    (!known.contains(&value)).then_some(value)
}

fn mend_animation(index: usize, animation: &mut JsonObject, warnings: &Warnings) {
    may_be_absent(animation, "channels", json!([]));
    may_be_absent(animation, "samplers", json!([]));
    let clip = match animation.get("name").and_then(Value::as_str) {
        Some(name) if !name.is_empty() => format!("clip {name:?}"),
        _ => format!("clip \"clip_{index}\""),
    };
    let broken = without_broken_samplers(animation);
    for (i, sampler) in objects(animation, "samplers") {
        let known = animation::VALID_INTERPOLATIONS;
        if let Some(other) = unknown(sampler, "interpolation", known) {
            warnings.add(format!(
                "{clip}, sampler {i}: unknown interpolation {other:?}; LINEAR is used"
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
                "{clip}: channel {i} is left out: unknown target path {other:?}"
            )),
        }
    }
    let channels = animation.get_mut("channels").and_then(Value::as_array_mut);
    for (i, channel) in channels.into_iter().flatten().enumerate() {
        if let Some(cause) = channel_fault(channel, &broken) {
            warnings.add(format!("{clip}: channel {i} is left out: {cause}"));
            // Stays in the list, so that warnings number channels as the file does.
            *channel = json!({"sampler": NONE, "target": {"node": NONE, "path": "none"}});
        }
    }
}

/// Replaces unreadable samplers by ones that refer to nothing, and returns the cause for each.
fn without_broken_samplers(animation: &mut JsonObject) -> HashMap<u64, String> {
    let samplers = animation.get_mut("samplers").and_then(Value::as_array_mut);
    let samplers = samplers.into_iter().flatten().enumerate();
    let broken = samplers.filter_map(|(i, sampler)| {
        let error = animation::Sampler::deserialize(&*sampler).err()?;
        let cause = lenient::cause::<animation::Sampler>(sampler, &JsonObject::new(), &error);
        *sampler = json!({"input": NONE, "output": NONE});
        Some((i as u64, cause))
    });
    broken.collect()
}

/// Returns the error of an unreadable channel; `None` for a valid one.
fn channel_fault(channel: &Value, broken: &HashMap<u64, String>) -> Option<String> {
    let sampler = channel.get("sampler").and_then(Value::as_u64);
    if let Some((i, cause)) = sampler.and_then(|i| broken.get_key_value(&i)) {
        return Some(format!("sampler {i} cannot be read: {cause}"));
    }
    let error = animation::Channel::deserialize(channel).err()?;
    let base = JsonObject::new();
    Some(lenient::cause::<animation::Channel>(channel, &base, &error))
}

fn mend_mesh(index: usize, mesh: &mut JsonObject, warnings: &Warnings) {
    may_be_absent(mesh, "primitives", json!([]));
    let what = call("mesh", mesh.get("name").and_then(Value::as_str), index);
    for (i, primitive) in objects(mesh, "primitives") {
        may_be_absent(primitive, "attributes", json!({}));
        if let Some(mode) = primitive.get_mut("mode")
            && let Some(number) = mode.as_u64()
            && !mesh::VALID_MODES.iter().any(|&m| u64::from(m) == number)
        {
            warnings.add(format!(
                "{what}, primitive {i}: unknown primitive mode {number}; it is left out"
            ));
            *mode = NONE.into();
        }
    }
}

fn mend_material(index: usize, material: &mut JsonObject, warnings: &Warnings) {
    let name = material.get("name").and_then(Value::as_str);
    let what = call("material", name, index);
    if let Some(other) = unknown(material, "alphaMode", material::VALID_ALPHA_MODES) {
        warnings.add(format!(
            "{what}: unknown alpha mode {other:?}; OPAQUE is used"
        ));
    }
    without_broken::<Unlit>(material, "KHR_materials_unlit", &what, warnings);
    let strength = "KHR_materials_emissive_strength";
    without_broken::<EmissiveStrength>(material, strength, &what, warnings);
    let mend_textures = |object: &mut JsonObject| {
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

/// Keeps only the supported extensions of a node.
fn mend_node(_: usize, node: &mut JsonObject, _: &Warnings) {
    if let Some(extensions) = node.get_mut("extensions").and_then(Value::as_object_mut) {
        extensions.retain(|name, _| [rigid_bodies::NAME, helpers::NAME].contains(&name.as_str()));
    }
}

/// Removes an extension from an object if the crate cannot parse it.
fn without_broken<T: DeserializeOwned>(
    object: &mut JsonObject,
    extension: &str,
    what: &str,
    warnings: &Warnings,
) {
    let extensions = object.get_mut("extensions").and_then(Value::as_object_mut);
    if let Some(extensions) = extensions
        && let Some(json) = extensions.get(extension)
        && let Err(error) = T::deserialize(json)
    {
        let cause = cause_in_part(&error);
        warnings.add(format!(
            "{what}: {extension}: {cause}; the extension is left out"
        ));
        extensions.remove(extension);
    }
}

#[cfg(test)]
mod tests {
    use super::super::plain_json::extras;
    use super::*;

    fn read(text: &str) -> Result<(Root, Vec<String>), String> {
        let warnings = Warnings::default();
        Members::split(text)
            .and_then(|members| document(members, &warnings))
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
        let text = text(b"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"f\xFCr\"}]}");
        let root = document(Members::split(&text).unwrap(), &Warnings::default()).unwrap();
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
    fn unknown_values_and_broken_extensions_are_quoted_and_ignored() {
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
            "material \"m\": unknown alpha mode \"X\"",
            "material \"m\": KHR_texture_transform: ",
            "material \"m\": KHR_materials_unlit: ",
            "mesh 0, primitive 0: unknown primitive mode 4294967300",
            "clip \"clip_0\", sampler 0: unknown interpolation \"FAST\"",
            "clip \"clip_0\": channel 0 is left out: unknown target path \"colour\"",
            "clip \"clip_0\": channel 1 is left out: the channel has no pointer",
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
        // Every text is the only member of an object in the next one, with quotes escaped so that the total size grows
        // slowly.
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
