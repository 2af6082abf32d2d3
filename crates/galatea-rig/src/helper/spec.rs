//! Helper specs from files or scripts: names and numbers, not yet bound to a skeleton.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// Type of a helper; [`HelperKind::fields`] lists the fields of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HelperKind {
    /// Takes a fraction of another bone's twist about its length.
    Twist,
    /// Takes a fraction of a joint's bend.
    Fan,
    /// Moves a bone by the bend of a joint.
    Push,
    /// Maps an angle or distance through a curve to a channel.
    Driver,
    /// Roll constraint of VRMC_node_constraint 1.0.
    Roll,
    /// Aim constraint of VRMC_node_constraint 1.0.
    Aim,
    /// Rotation constraint of VRMC_node_constraint 1.0.
    Rotation,
    /// Copies the rotation of another bone in model space, or keeps the rest rotation.
    Copy,
    /// Moves and rotates like a child of another bone.
    Parent,
    /// Limits the rotation relative to rest to a range of angles.
    Limit,
}

/// Input of a driver, measured on a bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Measured {
    /// Rotation from rest about an axis, degrees in -180..=180.
    Bend,
    /// Rotation from rest about the bone's length, degrees in -180..=180.
    Twist,
    /// Angle between the bone's direction and its direction at rest, degrees in 0..=180.
    Swing,
    /// Distance between the origins of two bones in model space, metres.
    Distance,
    /// Angle between the bone's rotation and an example, degrees in 0..=180.
    Cone,
}

/// Output channel of a driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DriverTarget {
    /// Rotation about an axis of the bone, degrees, added.
    Rotate,
    /// Translation along an axis of the bone, metres, added.
    Move,
    /// Factor of the bone's scale.
    Scale,
    /// Weight of a morph target.
    Morph,
}

/// Example rotation of a pose-space driver.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Example {
    /// Degrees from rest about the bone's rest axes: x first, then y, then z.
    FromRest(Vec3),
    /// Rotation in the parent's space, as in clips.
    Local(Quat),
}

/// A helper in names and numbers; fields that are `None` or empty have the default of the kind (docs/helpers.md).
/// [`bind`](HelperSpec::bind) resolves the bones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HelperSpec {
    /// Type of the helper.
    pub kind: HelperKind,
    /// Bones that it rotates or moves: one, or several for a twist.
    pub bones: Vec<String>,
    /// Source bone.
    pub source: Option<String>,
    /// Second bone of a distance.
    pub from: Option<String>,
    /// Descendant of the driven bone that keeps its rotation.
    pub hold: Option<String>,
    /// Fraction for every bone, -2..=2; a single one applies to all, none is the default.
    pub weights: Vec<f32>,
    /// For twist, fan, push and driver: axis of `of` at rest; the twist axis or the bend axis. For roll and aim: axis of the
    /// driven bone itself.
    pub axis: Option<Vec3>,
    /// Centre of the ±180 degree range of a twist, degrees.
    pub middle: f32,
    /// Input of a driver.
    pub measure: Option<Measured>,
    /// Output channel of a driver.
    pub output: Option<DriverTarget>,
    /// Direction of a push or driver, in the bone's own space.
    pub direction: Option<Vec3>,
    /// Curve points as `[degrees or metres, value]`.
    pub curve: Vec<[f32; 2]>,
    /// The curve is smooth, with zero slope at its points.
    pub is_smooth: bool,
    /// Without a curve: distance of a push in metres, or weight of a cone.
    pub amount: Option<f32>,
    /// Without a curve: bend at which a push reaches its full distance, degrees.
    pub full_angle: Option<f32>,
    /// Example rotation of a cone.
    pub example: Option<Example>,
    /// Without a curve: angle from the example at which the output is zero, degrees.
    pub radius: Option<f32>,
    /// Morph target that a driver sets.
    pub morph: Option<String>,
    /// Minimum rotation from rest about x, y and z, degrees.
    pub min: Option<Vec3>,
    /// Maximum rotation from rest about x, y and z, degrees.
    pub max: Option<Vec3>,
}

impl HelperKind {
    /// Kinds with their names in files and scripts.
    pub const ALL: [(&'static str, Self); 10] = [
        ("twist", Self::Twist),
        ("fan", Self::Fan),
        ("push", Self::Push),
        ("driver", Self::Driver),
        ("roll", Self::Roll),
        ("aim", Self::Aim),
        ("rotation", Self::Rotation),
        ("copy", Self::Copy),
        ("parent", Self::Parent),
        ("limit", Self::Limit),
    ];

    /// Name of the kind in files and scripts.
    pub fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(_, kind)| *kind == self);
        found.map_or("", |(name, _)| name)
    }

    /// Names of the fields of this kind, in addition to `kind` and `bone`.
    pub fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Twist => &["source", "weight", "axis", "middle", "hold"],
            Self::Fan => &["source", "weight", "axis", "hold"],
            Self::Push => &[
                "source",
                "direction",
                "amount",
                "full_angle",
                "measure",
                "axis",
                "curve",
                "smooth",
            ],
            Self::Driver => &[
                "source",
                "from",
                "measure",
                "axis",
                "example",
                "radius",
                "amount",
                "curve",
                "smooth",
                "output",
                "direction",
                "morph",
            ],
            Self::Roll | Self::Aim => &["source", "axis", "weight"],
            Self::Rotation | Self::Copy | Self::Parent => &["source", "weight"],
            Self::Limit => &["min", "max", "weight"],
        }
    }
}

impl Measured {
    /// Inputs with their names in files and scripts.
    pub const ALL: [(&'static str, Self); 5] = [
        ("bend", Self::Bend),
        ("twist", Self::Twist),
        ("swing", Self::Swing),
        ("distance", Self::Distance),
        ("cone", Self::Cone),
    ];
}

impl DriverTarget {
    /// Channels with their names in files and scripts.
    pub const ALL: [(&'static str, Self); 4] = [
        ("turn", Self::Rotate),
        ("move", Self::Move),
        ("scale", Self::Scale),
        ("morph", Self::Morph),
    ];
}

impl HelperSpec {
    /// Spec of a kind with all fields at their defaults.
    pub fn new(kind: HelperKind) -> Self {
        Self {
            kind,
            bones: Vec::new(),
            source: None,
            from: None,
            hold: None,
            weights: Vec::new(),
            axis: None,
            middle: 0.0,
            measure: None,
            output: None,
            direction: None,
            curve: Vec::new(),
            is_smooth: false,
            amount: None,
            full_angle: None,
            example: None,
            radius: None,
            morph: None,
            min: None,
            max: None,
        }
    }

    /// Name used in messages: `twist of "forearm_twist_l"`.
    pub fn called(&self) -> String {
        let kind = self.kind.name();
        match (self.bones.first(), &self.morph) {
            (Some(bone), _) => format!("{kind} of {bone:?}"),
            (None, Some(morph)) => format!("{kind} of morph {morph:?}"),
            (None, None) => kind.to_owned(),
        }
    }
}

/// Reason why a helper cannot be bound to a skeleton.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum HelperError {
    /// A bone of that name does not exist.
    #[error("{called}: there is no bone {name:?}{hint}")]
    NoBone {
        /// Name of the helper.
        called: String,
        /// Bone name as given.
        name: String,
        /// Suggestion of the nearest name, as text.
        hint: String,
    },
    /// A field that the kind requires is missing.
    #[error("{called}: field {field:?} is missing: {wanted}")]
    Missing {
        /// Name of the helper.
        called: String,
        /// Name of the field.
        field: &'static str,
        /// Description of the field's content.
        wanted: &'static str,
    },
    /// The helper cannot work on this skeleton.
    #[error("{called}: {cause}")]
    Unfit {
        /// Name of the helper.
        called: String,
        /// Reason.
        cause: String,
    },
    /// Helpers depend on each other in a cycle.
    #[error("helpers depend on each other in a cycle: {}", names.join(", "))]
    Circle {
        /// Names of the helpers.
        names: Vec<String>,
        /// Indices of the helpers in the given list, in the same order.
        at: Vec<usize>,
    },
}
