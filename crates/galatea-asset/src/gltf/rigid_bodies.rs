//! Rigid bodies and colliders from KHR_physics_rigid_bodies with KHR_implicit_shapes, drafts of Khronos (docs/body.md).
//!
//! Caller: `solids`. Invariant: everything skipped is reported with node and cause.

use std::f32::consts::TAU;

use glam::{Quat, Vec3};
use gltf::json::{Node, Root};
use serde_json::{Map, Value};

use super::error::Warnings;
use crate::collider::{ColliderShapeKind, ColliderSpec, NodeRigidBody};
use crate::fields::{JsonField, number, numbers};

/// Extension for bodies, colliders and materials.
pub const NAME: &str = "KHR_physics_rigid_bodies";
/// Extension for their shapes.
pub const SHAPES: &str = "KHR_implicit_shapes";

/// Collision layers that exist without a script.
const LAYERS: [&str; 4] = ["world", "props", "characters", "ragdolls"];
/// Side of an infinite plane, metres.
const INFINITE_PLANE_SIZE: f32 = 2000.0;

/// A collider or a trigger.
#[derive(Clone, Debug, PartialEq)]
pub struct Collider {
    /// Settings, without a shape if `form` has it.
    pub settings: ColliderSpec,
    /// Source of the shape.
    pub shape_source: ShapeOrigin,
}

/// Source of a shape.
#[derive(Clone, Debug, PartialEq)]
pub enum ShapeOrigin {
    /// Sizes in the settings.
    Sizes,
    /// Meshes of this node and its descendants, in that node's space.
    Node(usize),
    /// Vertices in the node's space, and vertex indices of triangles.
    Surface(Vec<Vec3>, Vec<[u32; 3]>),
}

/// Reader of the extension's data in a document.
#[derive(Clone, Copy)]
pub struct RigidBodyReader<'a> {
    document: &'a Root,
    warnings: &'a Warnings,
}

impl<'a> RigidBodyReader<'a> {
    /// Creates a reader of a document.
    pub fn new(document: &'a Root, warnings: &'a Warnings) -> Self {
        Self { document, warnings }
    }

    /// Returns the extension of a node.
    pub fn extension(node: &'a Node) -> Option<&'a Value> {
        node.extensions.as_ref()?.others.get(NAME)
    }

    fn list(&self, extension: &str, name: &str) -> &'a [Value] {
        let all = self.document.extensions.as_ref();
        let list = all.and_then(|all| all.others.get(extension)?.get(name)?.as_array());
        list.map_or(&[], Vec::as_slice)
    }

    /// Colliders of a node: a solid one and a trigger. `label` is the node's name in messages.
    pub fn colliders(&self, label: &str, extension: &Value) -> Vec<Collider> {
        if extension.get("joint").is_some() {
            self.warnings.add(format!(
                "{label}: the joint is left out: Galatea supports joints only in ragdolls"
            ));
        }
        let known = [
            "collider",
            "trigger",
            "motion",
            "joint",
            "extensions",
            "extras",
        ];
        let Some(fields) = extension.as_object() else {
            let wrong = format!("{label}: {NAME} is {extension}, expected an object; left out");
            self.warnings.add(wrong);
            return Vec::new();
        };
        for (name, value) in fields {
            if !known.contains(&name.as_str()) {
                let cause = JsonField { name, value }.unknown(&known[..4]);
                self.warnings.add(format!("{label}: {cause}; left out"));
            }
        }
        let mut found = Vec::new();
        for name in ["collider", "trigger"] {
            let Some(value) = extension.get(name) else {
                continue;
            };
            // The compound of child triggers has no shape of its own.
            if name == "trigger" && value.get("nodes").is_some() {
                continue;
            }
            match self.collider(label, value) {
                Ok(mut collider) => {
                    collider.settings.sensor = Some(name == "trigger");
                    found.push(collider);
                }
                Err(why) => self
                    .warnings
                    .add(format!("{label}, {name}: {why}; left out")),
            }
        }
        found
    }

    fn collider(&self, label: &str, value: &Value) -> Result<Collider, String> {
        // Older drafts have the shape in the collider itself.
        let geometry = value.get("geometry").unwrap_or(value);
        let hull = match geometry.get("convexHull") {
            Some(value) => JsonField {
                name: "convexHull",
                value,
            }
            .boolean()?,
            None => false,
        };
        let mut wish = ColliderSpec::default();
        let form = match (geometry.get("shape"), geometry.get("node")) {
            (Some(shape), None) => {
                let shapes = self.list(SHAPES, "shapes");
                implicit(at(shape, "shape", shapes)?, &mut wish)?
            }
            (None, Some(node)) => {
                wish.shape = Some(if hull {
                    ColliderShapeKind::Hull
                } else {
                    ColliderShapeKind::Mesh
                });
                let nodes = self.document.nodes.len();
                ShapeOrigin::Node(index(node, "node", nodes)?)
            }
            (Some(_), Some(_)) => return Err("it has both a shape and a node".into()),
            (None, None) => return Err("it has neither a shape nor a node".into()),
        };
        if let Some(material) = value.get("physicsMaterial") {
            match at(
                material,
                "physicsMaterial",
                self.list(NAME, "physicsMaterials"),
            ) {
                Ok(material) => self.material(material, label, &mut wish),
                Err(why) => self.warnings.add(format!("{label}: {why}; left out")),
            }
        }
        if let Some(filter) = value.get("collisionFilter") {
            match at(
                filter,
                "collisionFilter",
                self.list(NAME, "collisionFilters"),
            ) {
                Ok(filter) => self.filter(filter, label, &mut wish),
                Err(why) => self.warnings.add(format!("{label}: {why}; left out")),
            }
        }
        Ok(Collider {
            settings: wish,
            shape_source: form,
        })
    }

    fn material(&self, material: &Value, label: &str, wish: &mut ColliderSpec) {
        let read = |name: &str, max: f32| {
            let value = material.get(name)?;
            let wanted = format!("0 to {max}");
            match (JsonField { name, value }).within(0.0..=max, &wanted) {
                Ok(n) => Some(n),
                Err(why) => {
                    let warning = format!("{label}, physicsMaterial: {why}; left out");
                    self.warnings.add(warning);
                    None
                }
            }
        };
        let at_rest = read("staticFriction", 100.0);
        wish.friction = read("dynamicFriction", 100.0).or(at_rest);
        wish.restitution = read("restitution", 1.0);
        for name in ["frictionCombine", "restitutionCombine"] {
            if material.get(name).is_some() {
                self.warnings.add(format!(
                    "physics materials: {name} is ignored; friction is combined by the geometric mean, restitution by \
                     the maximum"
                ));
            }
        }
    }

    fn filter(&self, filter: &Value, label: &str, wish: &mut ColliderSpec) {
        let systems = filter.get("collisionSystems").and_then(Value::as_array);
        let mut systems = systems.into_iter().flatten().filter_map(Value::as_str);
        if let Some(system) = systems.next() {
            wish.system = Some(system.to_owned());
            if !LAYERS.contains(&system) {
                self.warnings.add(format!(
                    "{label}: the collision system {system:?} has an effect only if a script creates a layer of that \
                     name with physics.layer"
                ));
            }
        }
        if systems.next().is_some() {
            self.warnings.add(format!(
                "{label}: it has several collision systems; only the first is used"
            ));
        }
        let masks = ["collideWithSystems", "notCollideWithSystems"];
        if masks.iter().any(|mask| filter.get(mask).is_some()) {
            self.warnings.add(
                "collision filters: collideWithSystems and notCollideWithSystems are ignored; use physics.layer to \
                 set which layers collide",
            );
        }
    }

    /// Motion properties of a node. Invalid fields are skipped with a warning.
    pub fn motion(&self, label: &str, bone: u16, value: &Value) -> NodeRigidBody {
        let mut motion = NodeRigidBody {
            bone,
            is_kinematic_velocity: false,
            mass: None,
            gravity_scale: 1.0,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            centre: None,
            inertia: None,
        };
        let none = Map::new();
        let fields = value.as_object().unwrap_or_else(|| {
            let wrong =
                format!("{label}: motion is {value}, expected an object; the body is dynamic");
            self.warnings.add(wrong);
            &none
        });
        let mut axes = Quat::IDENTITY;
        for (name, value) in fields {
            if let Err(why) = set(&mut motion, &mut axes, JsonField { name, value }) {
                self.warnings
                    .add(format!("{label}, motion: {why}; left out"));
            }
        }
        if let Some((_, turned)) = &mut motion.inertia {
            *turned = axes;
        }
        motion
    }
}

const MOTION: [&str; 8] = [
    "isKinematic",
    "mass",
    "gravityFactor",
    "linearVelocity",
    "angularVelocity",
    "centerOfMass",
    "inertiaDiagonal",
    "inertiaOrientation",
];

fn set(motion: &mut NodeRigidBody, axes: &mut Quat, field: JsonField) -> Result<(), String> {
    let three = || Ok::<_, String>(Vec3::from_array(field.numbers("three numbers")?));
    match field.name {
        "isKinematic" => motion.is_kinematic_velocity |= field.boolean()?,
        // 0 means infinite mass.
        "mass" if number(field.value) == Some(0.0) => motion.is_kinematic_velocity = true,
        "mass" => motion.mass = Some(field.above_0("a mass of 0 kilograms or more")?),
        "gravityFactor" => {
            motion.gravity_scale = field.within(-100.0..=100.0, "a number from -100 to 100")?
        }
        "linearVelocity" => motion.velocity = three()?,
        "angularVelocity" => motion.angular_velocity = three()?,
        "centerOfMass" => motion.centre = Some(three()?),
        "inertiaDiagonal" => {
            let inertia = three()?;
            if inertia.min_element() < 0.0 {
                return Err(field.wrong("three numbers of 0 or more"));
            }
            motion.inertia = Some((inertia, Quat::IDENTITY));
        }
        "inertiaOrientation" => {
            let quaternion: Option<[f32; 4]> = numbers(field.value);
            let quaternion = quaternion
                .map(Quat::from_array)
                .filter(|q| q.length() > 1e-3);
            *axes = quaternion
                .ok_or_else(|| field.wrong("a quaternion"))?
                .normalize();
        }
        "extensions" | "extras" => {}
        _ => return Err(field.unknown(&MOTION)),
    }
    Ok(())
}

fn index(value: &Value, name: &str, n: usize) -> Result<usize, String> {
    let index = value.as_u64().and_then(|i| usize::try_from(i).ok());
    let index = index.filter(|i| *i < n);
    index.ok_or_else(|| format!("{name} {value} does not exist"))
}

fn at<'a>(value: &Value, name: &str, list: &'a [Value]) -> Result<&'a Value, String> {
    Ok(&list[index(value, name, list.len())?])
}

/// Reads one of the document's shapes: writes its sizes into the settings, or returns a mesh.
fn implicit(shape: &Value, wish: &mut ColliderSpec) -> Result<ShapeOrigin, String> {
    let word = shape
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let none = Value::Null;
    let of = shape.get(word).unwrap_or(&none);
    let size = |name: &str, or: f32| match of.get(name) {
        Some(value) => JsonField { name, value }.above_0("a length above 0 metres"),
        None => Ok(or),
    };
    let radius = |name: &str| match of.get(name).or(of.get("radius")) {
        Some(value) => JsonField { name, value }.within(0.0..=1e5, "a length of 0 metres or more"),
        None => Ok(0.25),
    };
    wish.offset = Some(Vec3::ZERO);
    match word {
        "sphere" => {
            wish.shape = Some(ColliderShapeKind::Sphere);
            wish.radius = Some(size("radius", 0.5)?);
        }
        "box" => {
            wish.shape = Some(ColliderShapeKind::Box);
            let size = match of.get("size") {
                Some(value) => JsonField {
                    name: "size",
                    value,
                }
                .sizes("three lengths above 0")?,
                None => [1.0; 3],
            };
            wish.size = Some(Vec3::from_array(size));
        }
        "capsule" | "cylinder" => {
            let height = size("height", 0.5)?;
            let [low, high] = [radius("radiusBottom")?, radius("radiusTop")?];
            let is_capsule = word == "capsule";
            if low.max(high) <= 0.0 {
                return Err(format!("the {word} has radius 0"));
            }
            if (low - high).abs() > 1e-6 {
                let points = tapered(low, high, height, is_capsule);
                wish.shape = Some(ColliderShapeKind::Hull);
                return Ok(ShapeOrigin::Surface(points, Vec::new()));
            }
            wish.radius = Some(low);
            if is_capsule {
                wish.shape = Some(ColliderShapeKind::Capsule);
                // Distance between the centres of the caps.
                wish.height = Some(height + 2.0 * low);
            } else {
                wish.shape = Some(ColliderShapeKind::Cylinder);
                wish.height = Some(height);
            }
        }
        "plane" => {
            let (x, z) = (
                size("sizeX", INFINITE_PLANE_SIZE)? / 2.0,
                size("sizeZ", INFINITE_PLANE_SIZE)? / 2.0,
            );
            let corners = [(-x, -z), (-x, z), (x, z), (x, -z)];
            let corners = corners.map(|(x, z)| Vec3::new(x, 0.0, z)).to_vec();
            wish.shape = Some(ColliderShapeKind::Mesh);
            let faces = vec![[0, 1, 2], [0, 2, 3]];
            return Ok(ShapeOrigin::Surface(corners, faces));
        }
        _ => {
            let known = ["box", "capsule", "cylinder", "plane", "sphere"].map(|word| (word, ()));
            let none = Value::Null;
            let value = shape.get("type").unwrap_or(&none);
            JsonField {
                name: "type",
                value,
            }
            .word(&known)?;
        }
    }
    Ok(ShapeOrigin::Sizes)
}

/// Points of a capsule or cylinder along Y with different radii at the ends.
fn tapered(low: f32, high: f32, height: f32, is_round: bool) -> Vec<Vec3> {
    const AROUND: usize = 24;
    const UP: usize = 6;
    let mut points = Vec::new();
    for (radius, sign) in [(low, -1.0), (high, 1.0)] {
        let n = if is_round { UP } else { 0 };
        for ring in 0..=n {
            let (sin, cos) = (TAU / 4.0 * ring as f32 / UP as f32).sin_cos();
            let y = sign * (height / 2.0 + radius * sin);
            points.extend((0..AROUND).map(|i| {
                let (x, z) = (TAU * i as f32 / AROUND as f32).sin_cos();
                Vec3::new(x * radius * cos, y, z * radius * cos)
            }));
        }
    }
    points
}
