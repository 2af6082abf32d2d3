//! What a file says of solid things: plain data, and how extras are read.
//!
//! A node says so by its name, as other engines have it, or in its extras: `"solid": true`, or an object
//! with the fields of [`SolidWish`] (docs/body.md lists them).

use glam::{Quat, Vec3};
use serde_json::{Map, Value};

use crate::math::names::nearest_hint;

/// A form, about the origin of its own frame; metres.
#[derive(Clone, Debug, PartialEq)]
pub enum SolidForm {
    /// A box of this size.
    Box(Vec3),
    /// A sphere of this radius.
    Sphere(f32),
    /// A cylinder with round ends along Y: radius, and height from end to end.
    Capsule(f32, f32),
    /// A cylinder along Y: radius and height.
    Cylinder(f32, f32),
    /// The least convex form about these points.
    Hull(Vec<Vec3>),
    /// Triangles: corners, and three of them each.
    Mesh(Vec<Vec3>, Vec<[u32; 3]>),
}

/// A form that a node gives to the whole.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeSolid {
    /// Name of the node.
    pub node: String,
    /// Its form.
    pub form: SolidForm,
    /// Its place in the model at rest.
    pub position: Vec3,
    /// Its turn there.
    pub rotation: Quat,
    /// What else was asked.
    pub wish: SolidWish,
}

/// The kind of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolidKind {
    /// A box about the node's mesh.
    Box,
    /// A sphere.
    Sphere,
    /// A capsule along the node's Y.
    Capsule,
    /// A cylinder along the node's Y.
    Cylinder,
    /// The hull of the node's mesh.
    Hull,
    /// The triangles of the node's mesh.
    Mesh,
}

/// What is asked for a node; what is `None` is found from its mesh or is the default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolidWish {
    /// Which form.
    pub shape: Option<SolidKind>,
    /// A box's size, metres in the node's space.
    pub size: Option<Vec3>,
    /// Metres in the node's space.
    pub radius: Option<f32>,
    /// From end to end, metres in the node's space.
    pub height: Option<f32>,
    /// The middle of the form in the node's space, metres.
    pub at: Option<Vec3>,
    /// What it is made of.
    pub surface: Option<String>,
    /// 0 or more.
    pub friction: Option<f32>,
    /// 0..=1.
    pub bounce: Option<f32>,
    /// Kilograms of this form. With one, the whole falls.
    pub mass: Option<f32>,
    /// Name of its layer.
    pub layer: Option<String>,
    /// It stops nothing and tells what touches it.
    pub sensor: Option<bool>,
    /// Its mesh is drawn.
    pub shown: Option<bool>,
}

/// The most metres or kilograms that are taken for meant.
const MOST: f64 = 1e5;

const KINDS: [(&str, SolidKind); 6] = [
    ("box", SolidKind::Box),
    ("sphere", SolidKind::Sphere),
    ("capsule", SolidKind::Capsule),
    ("cylinder", SolidKind::Cylinder),
    ("hull", SolidKind::Hull),
    ("mesh", SolidKind::Mesh),
];

impl SolidWish {
    /// The names of the fields.
    pub const FIELDS: [&str; 12] = [
        "shape", "size", "radius", "height", "at", "surface", "friction", "bounce", "mass",
        "layer", "sensor", "shown",
    ];

    /// Reads `true` or an object of fields; `None` for `false`. What cannot be used is left out and told
    /// in words through `warn`.
    pub fn read(value: &Value, warn: &mut dyn FnMut(String)) -> Option<Self> {
        match value {
            Value::Bool(is_solid) => is_solid.then(Self::default),
            Value::Object(fields) => Some(Self::fields(fields, warn)),
            other => {
                warn(format!(
                    "it is {other}, not true, false or an object; left out"
                ));
                None
            }
        }
    }

    /// What a node's name asks for, and whether its mesh is drawn: the ends of names that Godot knows
    /// (`-col`, `-colonly`, `-convcol`, `-convcolonly`, with numbers behind that Blender adds) and
    /// Unreal's beginnings (`UBX_`, `UCP_`, `USP_`, `UCX_`).
    pub fn of_name(name: &str) -> Option<Self> {
        let beginnings = [
            ("UBX_", SolidKind::Box),
            ("UCP_", SolidKind::Capsule),
            ("USP_", SolidKind::Sphere),
            ("UCX_", SolidKind::Hull),
        ];
        let begins = beginnings.iter().find(|(word, _)| name.starts_with(word));
        if let Some((_, kind)) = begins {
            return Some(Self {
                shape: Some(*kind),
                shown: Some(false),
                ..Self::default()
            });
        }
        let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' ');
        let (_, end) = bare.rsplit_once('-')?;
        let (kind, shown) = match end.to_ascii_lowercase().as_str() {
            "col" => (SolidKind::Mesh, true),
            "colonly" => (SolidKind::Mesh, false),
            "convcol" => (SolidKind::Hull, true),
            "convcolonly" => (SolidKind::Hull, false),
            _ => return None,
        };
        Some(Self {
            shape: Some(kind),
            shown: Some(shown),
            ..Self::default()
        })
    }

    fn fields(fields: &Map<String, Value>, warn: &mut dyn FnMut(String)) -> Self {
        let mut wish = Self::default();
        for (name, value) in fields {
            if let Err(cause) = wish.set(name, value) {
                warn(format!("{cause}; left out"));
            }
        }
        wish
    }

    fn set(&mut self, name: &str, value: &Value) -> Result<(), String> {
        let wrong = |wanted: &str| format!("its {name:?} is {value}, not {wanted}");
        let number = |least: f64, most: f64, wanted: &str| {
            let n = value.as_f64().filter(|n| *n >= least && *n <= most);
            n.map(|n| n as f32).ok_or_else(|| wrong(wanted))
        };
        let above_0 = |wanted: &str| number(1e-4, MOST, wanted);
        let text = || {
            let text = value.as_str().filter(|text| !text.is_empty());
            text.map(str::to_owned).ok_or_else(|| wrong("a name"))
        };
        let truth = || value.as_bool().ok_or_else(|| wrong("true or false"));
        let three = || {
            let list: Option<Vec<f32>> = value.as_array().map(|list| {
                list.iter()
                    .filter_map(|n| Some(n.as_f64()? as f32))
                    .collect()
            });
            match list.as_deref() {
                Some(&[x, y, z]) if Vec3::new(x, y, z).is_finite() => Ok(Vec3::new(x, y, z)),
                _ => Err(wrong("three numbers")),
            }
        };
        match name {
            "shape" => {
                let word = value.as_str().unwrap_or_default();
                let found = KINDS.iter().find(|(known, _)| *known == word);
                let hint = nearest_hint(word, KINDS.iter().map(|(known, _)| *known));
                let none = || format!("its \"shape\" is {value}, which is none{hint}");
                self.shape = Some(found.ok_or_else(none)?.1);
            }
            "size" => {
                let size = three()?;
                if size.min_element() <= 1e-4 || f64::from(size.max_element()) > MOST {
                    return Err(wrong("three numbers above 0"));
                }
                self.size = Some(size);
            }
            "at" => self.at = Some(three()?),
            "radius" => self.radius = Some(above_0("metres above 0")?),
            "height" => self.height = Some(above_0("metres above 0")?),
            "mass" => self.mass = Some(above_0("kilograms above 0")?),
            "friction" => self.friction = Some(number(0.0, 100.0, "0 to 100")?),
            "bounce" => self.bounce = Some(number(0.0, 1.0, "0 to 1")?),
            "surface" => self.surface = Some(text()?),
            "layer" => self.layer = Some(text()?),
            "sensor" => self.sensor = Some(truth()?),
            "shown" => self.shown = Some(truth()?),
            other => {
                let hint = nearest_hint(other, Self::FIELDS.into_iter());
                return Err(format!("it has no field {other:?}{hint}"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_of_other_engines_say_form_and_whether_it_is_drawn() {
        let found = |name: &str| SolidWish::of_name(name).map(|wish| (wish.shape, wish.shown));
        let of = |kind, shown| Some((Some(kind), Some(shown)));
        assert_eq!(found("floor-col"), of(SolidKind::Mesh, true));
        assert_eq!(found("floor-colonly.001"), of(SolidKind::Mesh, false));
        assert_eq!(found("Rock-ConvCol2"), of(SolidKind::Hull, true));
        assert_eq!(found("rock-convcolonly"), of(SolidKind::Hull, false));
        assert_eq!(found("UBX_crate_01"), of(SolidKind::Box, false));
        assert_eq!(found("USP_ball"), of(SolidKind::Sphere, false));
        assert_eq!(found("UCP_post"), of(SolidKind::Capsule, false));
        assert_eq!(found("UCX_rock_00"), of(SolidKind::Hull, false));
        for plain in ["collar", "protocol", "left-colour", "ubx_crate", "hip", ""] {
            assert_eq!(found(plain), None, "{plain}");
        }
    }

    #[test]
    fn mistakes_in_extras_are_told_with_the_nearest_right_name() {
        let mut told = Vec::new();
        let value =
            json!({ "shape": "bx", "mas": 3, "size": [1, 0, 1], "bounce": 2, "surface": "wood" });
        let wish = SolidWish::read(&value, &mut |text| told.push(text)).unwrap();
        assert_eq!(wish.surface.as_deref(), Some("wood"));
        assert_eq!((wish.shape, wish.size, wish.mass), (None, None, None));
        assert_eq!(told.len(), 4, "{told:?}");
        let told = told.join("\n");
        assert!(told.contains("did you mean \"box\"") && told.contains("did you mean \"mass\""));
        assert!(SolidWish::read(&json!(false), &mut |_| ()).is_none());
        assert!(SolidWish::read(&json!(true), &mut |_| ()).is_some());
    }
}
