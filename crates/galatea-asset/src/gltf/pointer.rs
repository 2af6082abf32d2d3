//! KHR_animation_pointer: channels that animate any number of the file. Pointers at a node's transform or weights become
//! ordinary channels. Other pointers become curves named by their pointer.

use glam::Vec4;
use gltf::json::Extras;
use gltf::json::animation::Channel;
use serde_json::{Value, json};

use super::plain_json::{self, JsonObject};
use galatea_anim::{Curve, Track};

/// Target of a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerTarget<'p> {
    /// Weights of a mesh, on every node with it.
    MeshWeights(usize),
    /// Any other property.
    Property(&'p str),
}

/// Converts the channel's target to an ordinary glTF target if there is one; otherwise stores the pointer where [`of`] finds
/// it. An error describes the invalid channel.
pub fn mend(channel: &mut JsonObject) -> Result<(), &'static str> {
    let target = channel.get_mut("target").and_then(Value::as_object_mut);
    let target = target.ok_or("the channel has no target")?;
    let pointer = Value::Object(std::mem::take(target))
        .pointer("/extensions/KHR_animation_pointer/pointer")
        .and_then(Value::as_str)
        .map(str::to_owned);
    target.insert("node".into(), plain_json::NONE.into());
    target.insert("path".into(), "pointer".into());
    let pointer = pointer.ok_or("the channel has no pointer")?;
    let mut steps = pointer.split('/').skip(1);
    let node = match (steps.next(), steps.next(), steps.next(), steps.next()) {
        (
            Some("nodes"),
            Some(node),
            Some(path @ ("translation" | "rotation" | "scale" | "weights")),
            None,
        ) => node.parse::<u32>().ok().map(|node| (node, path.to_owned())),
        _ => None,
    };
    if let Some((node, path)) = node {
        target.insert("node".into(), node.into());
        target.insert("path".into(), path.into());
    } else {
        channel.insert("extras".into(), json!({"pointer": pointer}));
    }
    Ok(())
}

/// The pointer that [`mend`] stored in a channel.
pub fn of(channel: &Channel) -> Option<String> {
    let extras: &Extras = &channel.extras;
    let pointer = plain_json::extras(extras)
        .get("pointer")?
        .as_str()?
        .to_owned();
    pointer.starts_with('/').then_some(pointer)
}

/// Reads a pointer.
pub fn target(pointer: &str) -> PointerTarget<'_> {
    let mesh = pointer
        .strip_prefix("/meshes/")
        .and_then(|rest| rest.strip_suffix("/weights"))
        .and_then(|mesh| mesh.parse().ok());
    mesh.map_or(PointerTarget::Property(pointer), PointerTarget::MeshWeights)
}

/// One curve per component, named by the pointer; if there are several, with the suffix `.x` to `.w`, or `.r` to `.a` for
/// colours.
pub fn curves(pointer: &str, n: usize, track: &Track<Vec4>) -> Vec<Curve> {
    let last = pointer.rsplit('/').next().unwrap_or_default();
    let is_color = last.to_ascii_lowercase().contains("color") || last == "emissiveFactor";
    let letters = if is_color { "rgba" } else { "xyzw" };
    let all = letters.chars().enumerate().take(n);
    all.map(|(i, letter)| Curve {
        name: if n == 1 {
            pointer.to_owned()
        } else {
            format!("{pointer}.{letter}")
        },
        track: Track {
            times: track.times.clone(),
            values: track.values.iter().map(|v| v.to_array()[i]).collect(),
            interpolation: track.interpolation,
        },
    })
    .collect()
}

/// Time of the latest key of the curves, seconds.
pub fn last_key(curves: &[Curve]) -> f32 {
    let last = curves.iter().filter_map(|curve| curve.track.times.last());
    last.copied().fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_anim::Interpolation;

    fn channel(pointer: &str) -> JsonObject {
        let json = json!({"sampler": 0, "target": {"path": "pointer",
            "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}});
        json.as_object().cloned().unwrap()
    }

    #[test]
    fn pointers_at_nodes_become_plain_targets() {
        for path in ["translation", "rotation", "scale", "weights"] {
            let mut json = channel(&format!("/nodes/12/{path}"));
            mend(&mut json).unwrap();
            assert_eq!(json["target"], json!({"node": 12, "path": path}));
            assert!(!json.contains_key("extras"));
        }
    }

    #[test]
    fn other_pointers_are_kept_and_missing_ones_named() {
        for pointer in [
            "/nodes/x/scale",
            "/nodes/1/weights/0",
            "/materials/0/alphaCutoff",
        ] {
            let mut json = channel(pointer);
            mend(&mut json).unwrap();
            assert_eq!(json["extras"]["pointer"], pointer);
            assert_eq!(json["target"]["node"], plain_json::NONE);
        }
        let mut json = channel("");
        json["target"] = json!({"path": "pointer"});
        assert_eq!(mend(&mut json), Err("the channel has no pointer"));
        assert_eq!(target("/meshes/3/weights"), PointerTarget::MeshWeights(3));
        assert_eq!(
            target("/meshes/3/weights/1"),
            PointerTarget::Property("/meshes/3/weights/1")
        );
    }

    #[test]
    fn components_get_letters_and_single_numbers_none() {
        let track = Track {
            times: vec![0.0, 1.5],
            values: vec![Vec4::new(1.0, 2.0, 3.0, 4.0); 2],
            interpolation: Interpolation::Linear,
        };
        let names = |pointer: &str, n| -> Vec<String> {
            let curves = curves(pointer, n, &track);
            curves.into_iter().map(|curve| curve.name).collect()
        };
        assert_eq!(names("/a/baseColorFactor", 4)[3], "/a/baseColorFactor.a");
        assert_eq!(names("/a/offset", 2), ["/a/offset.x", "/a/offset.y"]);
        assert_eq!(names("/a/roughnessFactor", 1), ["/a/roughnessFactor"]);
        let second = &curves("/a/offset", 2, &track)[1];
        assert_eq!(second.track.values, [2.0, 2.0]);
        assert_eq!(last_key(std::slice::from_ref(second)), 1.5);
    }
}
