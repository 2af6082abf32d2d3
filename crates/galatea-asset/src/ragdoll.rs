//! Ragdoll settings of one bone in a file or a script, and how they are read.
//!
//! A file has them in a node's extras: `"ragdoll": false` for a bone without a body, otherwise an object with the fields of
//! [`RagdollBodySpec`] (docs/body.md lists them).

use glam::Vec3;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fields::{JsonField, boolean_or_object, number, numbers, set_all};
use super::renamed::{self, current_name, rename_fields};

/// Shape of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShapeKind {
    /// Capsule along the bone.
    Capsule,
    /// Box.
    Box,
    /// Sphere.
    Sphere,
}

/// Joint between a body and its parent body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JointSpec {
    /// Cone joint with swing and twist.
    Cone,
    /// Hinge with one axis.
    Hinge,
    /// Fixed joint.
    Fixed,
}

/// Settings of one bone's body and of the joint to the parent body. Values that are `None` are computed from the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RagdollBodySpec {
    /// True if the bone has a body.
    pub body: Option<bool>,
    /// `capsule`, `box` or `sphere`.
    pub shape: Option<ShapeKind>,
    /// Size of a box, metres: along the bone, along the bending axis, and along the third axis.
    pub size: Option<Vec3>,
    /// Length of a capsule including its caps, metres.
    pub length: Option<f32>,
    /// Radius of a capsule or a sphere, metres.
    pub radius: Option<f32>,
    /// Mass, kilograms.
    pub mass: Option<f32>,
    /// Density, kilograms per cubic metre.
    pub density: Option<f32>,
    /// Coefficient of friction.
    pub friction: Option<f32>,
    /// `cone`, `hinge` or `fixed`.
    pub joint: Option<JointSpec>,
    /// Half angles of a cone about the bending axis and perpendicular to it, degrees.
    pub swing: Option<[f32; 2]>,
    /// Minimum and maximum twist, degrees.
    pub twist: Option<[f32; 2]>,
    /// Minimum and maximum angle of a hinge, degrees.
    pub range: Option<[f32; 2]>,
    /// Axis of a hinge in model space at rest; need not be normalised.
    pub axis: Option<Vec3>,
    /// Angles are measured from the rest pose, not from the centre of the range.
    pub from_rest: Option<bool>,
}

impl RagdollBodySpec {
    /// Names of the fields.
    pub const FIELDS: [&str; 14] = [
        "body",
        "shape",
        "size",
        "length",
        "radius",
        "mass",
        "density",
        "friction",
        "joint",
        "swing",
        "twist",
        "range",
        "axis",
        "from_rest",
    ];

    /// Reads `true`, `false` or an object of fields. Invalid data is skipped and reported through `warn`.
    pub fn read(value: &Value, warn: &mut dyn FnMut(String)) -> Self {
        let mut value = value.clone();
        rename_fields(&mut value, renamed::RAGDOLL, warn);
        let mut wish = Self::default();
        match boolean_or_object(&value, warn) {
            Some(Ok(body)) => wish.body = Some(body),
            Some(Err(fields)) => {
                set_all(fields, warn, |field| wish.set(field.name, field.value));
            }
            None => {}
        }
        wish
    }

    /// Sets one field.
    ///
    /// # Errors
    /// If there is no such field or the value is invalid; the error is a message for users.
    pub fn set(&mut self, name: &str, value: &Value) -> Result<(), String> {
        let field = JsonField { name, value };
        match name {
            "body" => self.body = Some(field.boolean()?),
            "from_rest" => self.from_rest = Some(field.boolean()?),
            "shape" => {
                self.shape = Some(field.word(&[
                    ("capsule", ShapeKind::Capsule),
                    ("box", ShapeKind::Box),
                    ("sphere", ShapeKind::Sphere),
                ])?);
            }
            "joint" => {
                self.joint = Some(field.word(&[
                    ("cone", JointSpec::Cone),
                    ("hinge", JointSpec::Hinge),
                    ("fixed", JointSpec::Fixed),
                ])?);
            }
            "size" => {
                let edges = field.sizes("three lengths above 0 metres")?;
                self.size = Some(Vec3::from_array(edges));
            }
            "axis" => {
                let axis = numbers(value).map(Vec3::from_array);
                let axis = axis.filter(|axis| axis.length() > 1e-6);
                self.axis = Some(axis.ok_or_else(|| field.wrong("a direction"))?);
            }
            "length" => self.length = Some(field.above_0("a length above 0 metres")?),
            "radius" => self.radius = Some(field.above_0("a length above 0 metres")?),
            "mass" => self.mass = Some(field.above_0("a mass above 0 kilograms")?),
            "density" => self.density = Some(field.above_0("a density above 0 kg/m³")?),
            "friction" => {
                self.friction = Some(field.within(0.0..=10.0, "a number from 0 to 10")?);
            }
            "swing" => {
                let both = number(value).map(|n| [n, n]).or_else(|| numbers(value));
                let both = both.filter(|s| s.iter().all(|n| (0.0..=180.0).contains(n)));
                self.swing = Some(
                    both.ok_or_else(|| field.wrong("one or two angles from 0 to 180 degrees"))?,
                );
            }
            "twist" => {
                let both = number(value).map(|n| [-n, n]).or_else(|| numbers(value));
                self.twist = Some(angles(both).ok_or_else(|| {
                    field.wrong(
                        "an angle, or a minimum and a maximum angle, from -180 to 180 degrees",
                    )
                })?);
            }
            "range" => {
                self.range = Some(angles(numbers(value)).ok_or_else(|| {
                    field.wrong("a minimum and a maximum angle, from -180 to 180 degrees")
                })?);
            }
            _ => {
                return Err(match current_name(renamed::RAGDOLL, name) {
                    Some(current) => format!("field {name:?} is now {current:?}"),
                    None => field.unknown(&Self::FIELDS),
                });
            }
        }
        Ok(())
    }
}

/// Minimum and maximum, if they are in that order.
fn angles(both: Option<[f32; 2]>) -> Option<[f32; 2]> {
    both.filter(|[low, high]| low <= high && *low >= -180.0 && *high <= 180.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(value: Value) -> (RagdollBodySpec, Vec<String>) {
        let mut warnings = Vec::new();
        let wish = RagdollBodySpec::read(&value, &mut |text| warnings.push(text));
        (wish, warnings)
    }

    #[test]
    fn all_fields_are_read() {
        let (wish, warnings) = read(json!({
            "body": true, "shape": "box", "size": [0.3, 0.12, 0.1], "length": 0.4, "radius": 0.05,
            "mass": 2, "density": 900, "friction": 0, "joint": "hinge", "swing": 30, "twist": 5,
            "range": [-115, 0], "axis": [0, 2, 0], "from_rest": true
        }));
        assert_eq!(warnings, Vec::<String>::new());
        let wanted = RagdollBodySpec {
            body: Some(true),
            shape: Some(ShapeKind::Box),
            size: Some(Vec3::new(0.3, 0.12, 0.1)),
            length: Some(0.4),
            radius: Some(0.05),
            mass: Some(2.0),
            density: Some(900.0),
            friction: Some(0.0),
            joint: Some(JointSpec::Hinge),
            swing: Some([30.0, 30.0]),
            twist: Some([-5.0, 5.0]),
            range: Some([-115.0, 0.0]),
            axis: Some(Vec3::Y * 2.0),
            from_rest: Some(true),
        };
        assert_eq!(wish, wanted);
        assert_eq!(read(json!(false)).0.body, Some(false));
    }

    #[test]
    fn invalid_values_are_reported_and_skipped() {
        let cases = [
            (json!({"mass": 0}), "above 0"),
            (json!({"mass": -2}), "above 0"),
            (json!({"size": [1, 1]}), "three lengths"),
            (json!({"size": [1, -1, 1]}), "three lengths"),
            (json!({"range": [10, -10]}), "a minimum and a maximum"),
            (json!({"twist": [1, 999]}), "from -180 to 180"),
            (json!({"swing": -1}), "0 to 180"),
            (json!({"shape": "bxo"}), "did you mean \"box\"?"),
            (json!({"joint": "hing"}), "did you mean \"hinge\"?"),
            (json!({"masss": 1}), "did you mean \"mass\"?"),
            (json!({"axis": [0, 0, 0]}), "a direction"),
            (json!(7), "expected true, false or an object"),
        ];
        for (value, wanted) in cases {
            let (wish, warnings) = read(value.clone());
            assert_eq!(wish, RagdollBodySpec::default(), "{value}");
            assert_eq!(warnings.len(), 1, "{value}");
            assert!(warnings[0].contains(wanted), "{warnings:?}");
        }
    }
}
