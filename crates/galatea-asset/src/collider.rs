//! Colliders and rigid bodies of a file as plain data, and how extras are read.
//!
//! A node is a collider by its name, as in other engines, or by its extras: `"collider": true`, or an object with the fields of
//! [`ColliderSpec`] (docs/body.md lists them).

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fields::{JsonField, boolean_or_object, set_all};
use super::renamed::{self, rename_fields};

/// Collision shape around the origin of its own frame; metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ColliderPrimitive {
    /// Box of this size.
    Box(Vec3),
    /// Sphere of this radius.
    Sphere(f32),
    /// Capsule along Y: radius, and height including the caps.
    Capsule(f32, f32),
    /// Cylinder along Y: radius and height.
    Cylinder(f32, f32),
    /// Convex hull of these points.
    Hull(Vec<Vec3>),
    /// Triangles: vertices, and three vertex indices each.
    Mesh(Vec<Vec3>, Vec<[u32; 3]>),
}

/// Collider that a node adds to the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeCollider {
    /// Name of the node.
    pub node: String,
    /// Bone of the node.
    pub bone: u16,
    /// Collision shape.
    pub shape: ColliderPrimitive,
    /// Position in the model at rest.
    pub position: Vec3,
    /// Rotation in the model at rest.
    pub rotation: Quat,
    /// Other settings.
    pub settings: ColliderSpec,
}

/// Motion of a node as a rigid body, with all colliders on it and below it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeRigidBody {
    /// Bone of the node.
    pub bone: u16,
    /// Kinematic: keeps its velocity; nothing stops it.
    pub is_kinematic_velocity: bool,
    /// Mass, kilograms; computed from the volume if `None`.
    pub mass: Option<f32>,
    /// Factor for gravity.
    pub gravity_scale: f32,
    /// Initial velocity in the node's space, metres per second.
    pub velocity: Vec3,
    /// Initial angular velocity about the node's axes, radians per second.
    pub angular_velocity: Vec3,
    /// Centre of mass in the node's space, metres.
    pub centre: Option<Vec3>,
    /// Moments of inertia about three axes, kg·m², 0 to prevent rotation about an axis; and the rotation of these axes in
    /// the node's space.
    pub inertia: Option<(Vec3, Quat)>,
}

/// Kind of a collision shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ColliderShapeKind {
    /// Box around the node's mesh.
    Box,
    /// Sphere.
    Sphere,
    /// Capsule along the node's Y.
    Capsule,
    /// Cylinder along the node's Y.
    Cylinder,
    /// Convex hull of the node's mesh.
    Hull,
    /// Triangles of the node's mesh.
    Mesh,
}

/// Collider settings of a node. Values that are `None` are computed from its mesh or have a default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ColliderSpec {
    /// Kind of shape.
    pub shape: Option<ColliderShapeKind>,
    /// Size of a box, metres in the node's space.
    pub size: Option<Vec3>,
    /// Radius, metres in the node's space.
    pub radius: Option<f32>,
    /// Height including the caps, metres in the node's space.
    pub height: Option<f32>,
    /// Centre of the shape in the node's space, metres.
    pub offset: Option<Vec3>,
    /// Name of the surface material.
    pub surface: Option<String>,
    /// Friction, 0 or more.
    pub friction: Option<f32>,
    /// Restitution, 0..=1.
    pub restitution: Option<f32>,
    /// Mass of this shape, kilograms. With a mass, the prop is a dynamic body.
    pub mass: Option<f32>,
    /// Name of the collision layer.
    pub layer: Option<String>,
    /// Name of the collision layer, ignored if no such layer exists.
    pub system: Option<String>,
    /// Sensor: it collides with nothing and reports contacts.
    pub sensor: Option<bool>,
    /// The mesh is drawn.
    pub visible: Option<bool>,
}

const KINDS: [(&str, ColliderShapeKind); 6] = [
    ("box", ColliderShapeKind::Box),
    ("sphere", ColliderShapeKind::Sphere),
    ("capsule", ColliderShapeKind::Capsule),
    ("cylinder", ColliderShapeKind::Cylinder),
    ("hull", ColliderShapeKind::Hull),
    ("mesh", ColliderShapeKind::Mesh),
];

impl ColliderSpec {
    /// Names of the fields.
    pub const FIELDS: [&str; 12] = [
        "shape",
        "size",
        "radius",
        "height",
        "offset",
        "surface",
        "friction",
        "restitution",
        "mass",
        "layer",
        "sensor",
        "visible",
    ];

    /// Reads `true` or an object of fields; `None` for `false`. Invalid data is skipped and reported through `warn`.
    pub fn read(value: &Value, warn: &mut dyn FnMut(String)) -> Option<Self> {
        let mut value = value.clone();
        rename_fields(&mut value, renamed::COLLIDER, warn);
        match boolean_or_object(&value, warn)? {
            Ok(is_solid) => is_solid.then(Self::default),
            Err(fields) => {
                let mut wish = Self::default();
                set_all(fields, warn, |field| wish.set(field));
                Some(wish)
            }
        }
    }

    /// Collider settings from a node's name, and the visibility of the mesh. Supports Godot's suffixes (`-col`, `-colonly`,
    /// `-convcol`, `-convcolonly`, with numbers appended by Blender) and Unreal's prefixes (`UBX_`, `UCP_`, `USP_`, `UCX_`).
    pub fn of_name(name: &str) -> Option<Self> {
        let beginnings = [
            ("UBX_", ColliderShapeKind::Box),
            ("UCP_", ColliderShapeKind::Capsule),
            ("USP_", ColliderShapeKind::Sphere),
            ("UCX_", ColliderShapeKind::Hull),
        ];
        let begins = beginnings.iter().find(|(word, _)| name.starts_with(word));
        if let Some((_, kind)) = begins {
            return Some(Self {
                shape: Some(*kind),
                visible: Some(false),
                ..Self::default()
            });
        }
        let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' ');
        let (_, end) = bare.rsplit_once('-')?;
        let (kind, shown) = match end.to_ascii_lowercase().as_str() {
            "col" => (ColliderShapeKind::Mesh, true),
            "colonly" => (ColliderShapeKind::Mesh, false),
            "convcol" => (ColliderShapeKind::Hull, true),
            "convcolonly" => (ColliderShapeKind::Hull, false),
            _ => return None,
        };
        Some(Self {
            shape: Some(kind),
            visible: Some(shown),
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
            "offset" => self.offset = Some(Vec3::from_array(field.numbers("three numbers")?)),
            "radius" => self.radius = Some(field.above_0("a length above 0 metres")?),
            "height" => self.height = Some(field.above_0("a length above 0 metres")?),
            "mass" => self.mass = Some(field.above_0("a mass above 0 kilograms")?),
            "friction" => {
                self.friction = Some(field.within(0.0..=100.0, "a number from 0 to 100")?)
            }
            "restitution" => {
                self.restitution = Some(field.within(0.0..=1.0, "a number from 0 to 1")?)
            }
            "surface" => self.surface = Some(field.text()?),
            "layer" => self.layer = Some(field.text()?),
            "sensor" => self.sensor = Some(field.boolean()?),
            "visible" => self.visible = Some(field.boolean()?),
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
    fn names_of_other_engines_give_shape_and_visibility() {
        let found = |name: &str| ColliderSpec::of_name(name).map(|wish| (wish.shape, wish.visible));
        let of = |kind, shown| Some((Some(kind), Some(shown)));
        assert_eq!(found("floor-col"), of(ColliderShapeKind::Mesh, true));
        assert_eq!(
            found("floor-colonly.001"),
            of(ColliderShapeKind::Mesh, false)
        );
        assert_eq!(found("Rock-ConvCol2"), of(ColliderShapeKind::Hull, true));
        assert_eq!(
            found("rock-convcolonly"),
            of(ColliderShapeKind::Hull, false)
        );
        assert_eq!(found("UBX_crate_01"), of(ColliderShapeKind::Box, false));
        assert_eq!(found("USP_ball"), of(ColliderShapeKind::Sphere, false));
        assert_eq!(found("UCP_post"), of(ColliderShapeKind::Capsule, false));
        assert_eq!(found("UCX_rock_00"), of(ColliderShapeKind::Hull, false));
        for plain in ["collar", "protocol", "left-colour", "ubx_crate", "hip", ""] {
            assert_eq!(found(plain), None, "{plain}");
        }
    }

    #[test]
    fn mistakes_in_extras_are_reported_with_the_most_similar_name() {
        let mut warnings = Vec::new();
        let value = json!({ "shape": "bx", "mas": 3, "size": [1, 0, 1], "restitution": 2, "surface": "wood" });
        let wish = ColliderSpec::read(&value, &mut |text| warnings.push(text)).unwrap();
        assert_eq!(wish.surface.as_deref(), Some("wood"));
        assert_eq!((wish.shape, wish.size, wish.mass), (None, None, None));
        assert_eq!(warnings.len(), 4, "{warnings:?}");
        let warnings = warnings.join("\n");
        assert!(
            warnings.contains("did you mean \"box\"") && warnings.contains("did you mean \"mass\"")
        );
        assert!(ColliderSpec::read(&json!(false), &mut |_| ()).is_none());
        assert!(ColliderSpec::read(&json!(true), &mut |_| ()).is_some());
    }
}
