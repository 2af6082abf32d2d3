//! Helper bones defined in a file: `VRMC_node_constraint` 1.0, and `extras.helper` of nodes (docs/helpers.md).
//!
//! Caller: the parent module. Invariants: each skipped helper is reported with node and cause. The remaining ones can be
//! bound to the model's skeleton and have no circular dependencies.

use gltf::json::Root;
use serde_json::{Map, Value};

use super::error::Warnings;
use super::nodes::Tree;
use super::plain_json;
use crate::fields::{JsonField, number};
use crate::helper;
use crate::interaction::{self, InteractionSpec};
use galatea_anim::Skeleton;
use galatea_math::Trs;
use galatea_math::names::nearest_hint;
use galatea_rig::helper::{Helper, HelperError, HelperKind, HelperSpec, Helpers};

/// Extension of VRM 1.0 for constraints.
pub const NAME: &str = "VRMC_node_constraint";
/// Limit of helpers per file.
const MAX_HELPERS: usize = 1024;
/// Limit of circular dependencies that are searched.
const MAX_CYCLES: usize = 16;

/// Helpers as defined by nodes, not yet checked against the skeleton.
#[derive(Debug, Default)]
pub struct NodeHelpers {
    constraints: Vec<HelperSpec>,
    helpers: Vec<HelperSpec>,
}

impl NodeHelpers {
    /// Reads the helpers of all nodes that are bones.
    pub fn read(document: &Root, tree: &Tree, warnings: &Warnings) -> Self {
        let mut found = Self::default();
        for (i, node) in document.nodes.iter().enumerate() {
            let Some(name) = tree.bone(i).and_then(|bone| name_of(tree, bone)) else {
                continue;
            };
            let extension = node.extensions.as_ref().and_then(|e| e.others.get(NAME));
            if let Some(extension) = extension {
                let mut warn = |text: String| {
                    warnings.add(format!("node {name:?}, constraint: {text}"));
                };
                match constraint(extension, tree, name, &mut warn) {
                    Ok(spec) => found.constraints.push(spec),
                    Err(cause) => warn(format!("{cause}; left out")),
                }
            }
            let extras = plain_json::extras(&node.extras);
            if let Some(value) = extras.get("helper") {
                let mut warn =
                    |text: String| warnings.add(format!("node {name:?}, extras.helper: {text}"));
                found.helpers.extend(helper::read(value, name, &mut warn));
            }
        }
        let n = found.constraints.len() + found.helpers.len();
        if n > MAX_HELPERS {
            warnings.add(format!(
                "the file has {n} helpers and constraints; only the first {MAX_HELPERS} are read"
            ));
            found.constraints.truncate(MAX_HELPERS);
            found
                .helpers
                .truncate(MAX_HELPERS - found.constraints.len());
        }
        found
    }

    /// Constraints and helpers that fit the skeleton, in the order of the nodes.
    pub fn fit(
        self,
        skeleton: &Skeleton,
        warnings: &Warnings,
    ) -> (Vec<HelperSpec>, Vec<HelperSpec>) {
        let n_constraints = self.constraints.len();
        let rest: Vec<Trs> = skeleton.rest().collect();
        let all = self.constraints.into_iter().chain(self.helpers).enumerate();
        let mut fit: Vec<(usize, HelperSpec, Helper)> = Vec::new();
        for (i, spec) in all {
            match spec.bind(skeleton, &rest) {
                Ok(helper) => fit.push((i, spec, helper)),
                Err(error) => warnings.add(format!("{error}; left out")),
            }
        }
        remove_cycles(&mut fit, warnings);
        let mut constraints = Vec::new();
        let mut helpers = Vec::new();
        for (i, spec, _) in fit {
            if i < n_constraints {
                constraints.push(spec);
            } else {
                helpers.push(spec);
            }
        }
        (constraints, helpers)
    }
}

/// Interactions in the extras of nodes that are bones.
pub fn handles(document: &Root, tree: &Tree, warnings: &Warnings) -> Vec<InteractionSpec> {
    let mut found = Vec::new();
    for (i, node) in document.nodes.iter().enumerate() {
        let Some(name) = tree.bone(i).and_then(|bone| name_of(tree, bone)) else {
            continue;
        };
        let extras = plain_json::node_extras(node, &format!("node {name:?}"), warnings);
        if let Some(value) = extras.get("interaction") {
            let mut warn = |text: String| {
                warnings.add(format!("node {name:?}, extras.interaction: {text}"));
            };
            found.extend(interaction::read(value, name, &mut warn));
        }
    }
    found.truncate(interaction::MAX_INTERACTIONS);
    found.retain(|handle| {
        let on = handle.bone.as_deref();
        let is_there = on.is_none_or(|on| tree.skeleton.find(on).is_some());
        if !is_there {
            let names = tree.skeleton.bones().iter().map(|bone| bone.name.as_str());
            let hint = nearest_hint(on.unwrap_or_default(), names);
            warnings.add(format!(
                "interaction {:?}: unknown node {:?}{hint}; left out",
                handle.name,
                on.unwrap_or_default()
            ));
        }
        is_there
    });
    found
}

/// Removes helpers with circular dependencies, or all helpers if there are too many circles.
fn remove_cycles(fit: &mut Vec<(usize, HelperSpec, Helper)>, warnings: &Warnings) {
    for n_circles in 0..=MAX_CYCLES {
        let bound = fit.iter().map(|(_, _, helper)| helper.clone()).collect();
        let Err(error) = Helpers::new(bound) else {
            return;
        };
        if n_circles == MAX_CYCLES {
            break;
        }
        if let HelperError::Circle { at, .. } = &error {
            let mut i = 0;
            fit.retain(|_| {
                i += 1;
                !at.contains(&(i - 1))
            });
        }
        warnings.add(format!("{error}; left out"));
    }
    let n = fit.len();
    warnings.add(format!(
        "helpers form more than {MAX_CYCLES} dependency cycles; the other {n} helpers are left out too"
    ));
    fit.clear();
}

fn name_of(tree: &Tree, bone: u16) -> Option<&str> {
    let bone = tree.skeleton.bones().get(usize::from(bone))?;
    Some(&bone.name)
}

fn constraint(
    extension: &Value,
    tree: &Tree,
    name: &str,
    warn: &mut dyn FnMut(String),
) -> Result<HelperSpec, String> {
    let kinds = [
        ("roll", HelperKind::Roll, "rollAxis"),
        ("aim", HelperKind::Aim, "aimAxis"),
        ("rotation", HelperKind::Rotation, ""),
    ];
    let constraint = extension.get("constraint").and_then(Value::as_object);
    let constraint = constraint.ok_or("the object \"constraint\" is missing")?;
    let present = kinds
        .iter()
        .filter(|(word, ..)| constraint.contains_key(*word));
    let present: Vec<_> = present.collect();
    let [(word, kind, axis_name)] = present.as_slice() else {
        return Err(format!(
            "expected exactly one of roll, aim and rotation, got {}",
            present.len()
        ));
    };
    let fields = constraint.get(*word).and_then(Value::as_object);
    let fields = fields.ok_or_else(|| format!("field {word:?} is not an object"))?;
    for draft in ["freezeAxes", "sourceSpace", "destinationSpace"] {
        if fields.contains_key(draft) {
            warn(format!(
                "field {draft:?} belongs to a draft of the format; it is ignored"
            ));
        }
    }
    let source = fields.get("source").ok_or("field \"source\" is missing")?;
    let of = source
        .as_u64()
        .and_then(|node| tree.bone(usize::try_from(node).ok()?))
        .and_then(|bone| name_of(tree, bone))
        .ok_or_else(|| format!("field \"source\" is {source}, expected a node of the scene"))?;
    let mut spec = HelperSpec::new(*kind);
    spec.bones.push(name.to_owned());
    spec.source = Some(of.to_owned());
    spec.weights.push(weight(fields, warn));
    if !axis_name.is_empty() {
        let value = fields.get(*axis_name);
        let value = value.ok_or_else(|| format!("field {axis_name:?} is missing"))?;
        let field = JsonField {
            name: axis_name,
            value,
        };
        spec.axis = Some(axis(field, *kind)?);
    }
    Ok(spec)
}

fn weight(fields: &Map<String, Value>, warn: &mut dyn FnMut(String)) -> f32 {
    let Some(value) = fields.get("weight") else {
        return 1.0;
    };
    let weight = number(value).unwrap_or(1.0).clamp(0.0, 1.0);
    if number(value) != Some(weight) {
        warn(format!(
            "field \"weight\" is {value}, expected a number from 0 to 1; {weight} is used"
        ));
    }
    weight
}

fn axis(field: JsonField, kind: HelperKind) -> Result<glam::Vec3, String> {
    use glam::Vec3;
    if kind == HelperKind::Roll {
        return field.word(&[("X", Vec3::X), ("Y", Vec3::Y), ("Z", Vec3::Z)]);
    }
    field.word(&[
        ("PositiveX", Vec3::X),
        ("NegativeX", Vec3::NEG_X),
        ("PositiveY", Vec3::Y),
        ("NegativeY", Vec3::NEG_Y),
        ("PositiveZ", Vec3::Z),
        ("NegativeZ", Vec3::NEG_Z),
    ])
}
