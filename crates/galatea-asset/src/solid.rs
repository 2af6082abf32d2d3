//! What a file says of solid things: plain data, and how extras are read.
//!
//! A node says so by its name, as other engines have it, or in its extras: `"solid": true`, or an object
//! with the fields of [`SolidWish`] (docs/body.md lists them).

use glam::{Quat, Vec3};
use serde_json::Value;

use super::fields::{JsonField, set_all, truth_or_object};

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
    /// Its bone.
    pub bone: u16,
    /// Its form.
    pub form: SolidForm,
    /// Its place in the model at rest.
    pub position: Vec3,
    /// Its turn there.
    pub rotation: Quat,
    /// What else was asked.
    pub wish: SolidWish,
}

/// How a node moves by itself, and all forms on it and below it with it.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeMotion {
    /// Its bone.
    pub bone: u16,
    /// It goes on as fast as it is; nothing stops it.
    pub steady: bool,
    /// Kilograms; by volume when `None`.
    pub mass: Option<f32>,
    /// Factor on gravity.
    pub gravity: f32,
    /// How fast it begins, the node's space, metres per second.
    pub velocity: Vec3,
    /// Radians per second about the node's axes.
    pub spin: Vec3,
    /// Its centre of mass in the node's space, metres.
    pub centre: Option<Vec3>,
    /// Moments of inertia about three axes, kg·m², 0 for what does not turn about one; and how these axes are
    /// turned in the node's space.
    pub inertia: Option<(Vec3, Quat)>,
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
    /// Name of its layer, where there is one of that name.
    pub system: Option<String>,
    /// It stops nothing and tells what touches it.
    pub sensor: Option<bool>,
    /// Its mesh is drawn.
    pub shown: Option<bool>,
}

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
        match truth_or_object(value, warn)? {
            Ok(is_solid) => is_solid.then(Self::default),
            Err(fields) => {
                let mut wish = Self::default();
                set_all(fields, warn, |field| wish.set(field));
                Some(wish)
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

    fn set(&mut self, field: JsonField) -> Result<(), String> {
        match field.name {
            "shape" => self.shape = Some(field.word(&KINDS)?),
            "size" => {
                let size = field.sizes("three numbers above 0")?;
                self.size = Some(Vec3::from_array(size));
            }
            "at" => self.at = Some(Vec3::from_array(field.numbers("three numbers")?)),
            "radius" => self.radius = Some(field.above_0("metres above 0")?),
            "height" => self.height = Some(field.above_0("metres above 0")?),
            "mass" => self.mass = Some(field.above_0("kilograms above 0")?),
            "friction" => self.friction = Some(field.within(0.0..=100.0, "0 to 100")?),
            "bounce" => self.bounce = Some(field.within(0.0..=1.0, "0 to 1")?),
            "surface" => self.surface = Some(field.text()?),
            "layer" => self.layer = Some(field.text()?),
            "sensor" => self.sensor = Some(field.truth()?),
            "shown" => self.shown = Some(field.truth()?),
            _ => return Err(field.unknown(&Self::FIELDS)),
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
