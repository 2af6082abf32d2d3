//! What a file or a script says of a helper: names and numbers, before it knows a skeleton.

use glam::{Quat, Vec3};

/// What a helper does; [`HelperKind::fields`] lists what can be said of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelperKind {
    /// A share of another bone's twist about its length.
    Twist,
    /// A share of a joint's bend.
    Fan,
    /// Moves a bone by the bend of a joint.
    Push,
    /// Any angle or distance through a curve to a channel.
    Driver,
    /// Roll constraint of VRMC_node_constraint 1.0.
    Roll,
    /// Its aim constraint.
    Aim,
    /// Its rotation constraint.
    Rotation,
    /// Turns as another bone does in model space, or keeps the turn that it has at rest.
    Copy,
    /// Goes and turns as if it hung on another bone.
    Parent,
    /// Keeps the turn from rest within angles.
    Limit,
}

/// What a driver measures of a bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// The turn from rest about an axis, degrees in -180..=180.
    Bend,
    /// The turn from rest about the bone's length, degrees in -180..=180.
    Twist,
    /// How far the bone's length is from where it was at rest, degrees in 0..=180.
    Swing,
    /// Metres between the origins of two bones in model space.
    Distance,
    /// Degrees between the bone's rotation and an example, 0..=180.
    Cone,
}

/// What a driver sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriverTarget {
    /// Degrees about an axis of the bone, added.
    Turn,
    /// Metres along an axis of the bone, added.
    Move,
    /// A factor on the bone's size.
    Scale,
    /// The weight of a morph target.
    Morph,
}

/// An example rotation of a pose-space driver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Example {
    /// Degrees from rest about x, y, z of the bone at rest: x first, then y, then z.
    FromRest(Vec3),
    /// The bone's rotation in its parent's space, as clips have it.
    Local(Quat),
}

/// A helper in names and numbers; what is `None` or empty has the default of its kind
/// (docs/helpers.md). [`bind`](HelperSpec::bind) finds the bones.
#[derive(Clone, Debug, PartialEq)]
pub struct HelperSpec {
    /// What it does.
    pub kind: HelperKind,
    /// The bones that it turns or moves: one, or several for a twist.
    pub bones: Vec<String>,
    /// The bone that it takes from.
    pub of: Option<String>,
    /// The other bone of a distance.
    pub from: Option<String>,
    /// A bone below the helped one that must not be turned along.
    pub hold: Option<String>,
    /// For every bone its share, -2..=2; one for all, or none for the default.
    pub shares: Vec<f32>,
    /// An axis of `of` at rest: of a twist its length, of a fan, push or driver what it bends about. Of a roll or
    /// an aim an axis of the bone itself.
    pub axis: Option<Vec3>,
    /// The twist that a range of ±180 degrees lies about, degrees.
    pub middle: f32,
    /// What a driver measures.
    pub by: Option<Measured>,
    /// What a driver sets.
    pub to: Option<DriverTarget>,
    /// Where a push or a driver goes, in the bone's own space.
    pub along: Option<Vec3>,
    /// Points of `[degrees or metres, value]`.
    pub curve: Vec<[f32; 2]>,
    /// The curve is level at its points.
    pub is_smooth: bool,
    /// Metres of a push, or the weight of a cone, where there is no curve.
    pub amount: Option<f32>,
    /// Degrees of bend at which a push is all done, where there is no curve.
    pub full: Option<f32>,
    /// The example of a cone.
    pub example: Option<Example>,
    /// Degrees from the example at which nothing is left, where there is no curve.
    pub radius: Option<f32>,
    /// The morph target that a driver sets.
    pub morph: Option<String>,
    /// Least degrees from rest about x, y, z.
    pub min: Option<Vec3>,
    /// Most degrees from rest about x, y, z.
    pub max: Option<Vec3>,
}

impl HelperKind {
    /// All of them with the words that stand for them.
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

    /// Its word.
    pub fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(_, kind)| *kind == self);
        found.map_or("", |(name, _)| name)
    }

    /// The names of its fields, besides `kind` and `bone`.
    pub fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Twist => &["of", "share", "axis", "middle", "hold"],
            Self::Fan => &["of", "share", "axis", "hold"],
            Self::Push => &[
                "of", "along", "amount", "full", "by", "axis", "curve", "smooth",
            ],
            Self::Driver => &[
                "of", "from", "by", "axis", "example", "radius", "amount", "curve", "smooth", "to",
                "along", "morph",
            ],
            Self::Roll | Self::Aim => &["of", "axis", "share"],
            Self::Rotation | Self::Copy | Self::Parent => &["of", "share"],
            Self::Limit => &["min", "max", "share"],
        }
    }
}

impl Measured {
    /// All of them with the words that stand for them.
    pub const ALL: [(&'static str, Self); 5] = [
        ("bend", Self::Bend),
        ("twist", Self::Twist),
        ("swing", Self::Swing),
        ("distance", Self::Distance),
        ("cone", Self::Cone),
    ];
}

impl DriverTarget {
    /// All of them with the words that stand for them.
    pub const ALL: [(&'static str, Self); 4] = [
        ("turn", Self::Turn),
        ("move", Self::Move),
        ("scale", Self::Scale),
        ("morph", Self::Morph),
    ];
}

impl HelperSpec {
    /// One of which nothing is said but its kind.
    pub fn new(kind: HelperKind) -> Self {
        Self {
            kind,
            bones: Vec::new(),
            of: None,
            from: None,
            hold: None,
            shares: Vec::new(),
            axis: None,
            middle: 0.0,
            by: None,
            to: None,
            along: None,
            curve: Vec::new(),
            is_smooth: false,
            amount: None,
            full: None,
            example: None,
            radius: None,
            morph: None,
            min: None,
            max: None,
        }
    }

    /// What it is called in messages: `twist of "forearm_twist_l"`.
    pub fn called(&self) -> String {
        let kind = self.kind.name();
        match (self.bones.first(), &self.morph) {
            (Some(bone), _) => format!("{kind} of {bone:?}"),
            (None, Some(morph)) => format!("{kind} of morph {morph:?}"),
            (None, None) => kind.to_owned(),
        }
    }
}

/// Why a helper does not fit a skeleton.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum HelperError {
    /// There is no bone of a name.
    #[error("{called}: there is no bone {name:?}{hint}")]
    NoBone {
        /// The helper.
        called: String,
        /// As it was said.
        name: String,
        /// The nearest right name, in words.
        hint: String,
    },
    /// Something that its kind cannot do without.
    #[error("{called}: it has no {field:?}, {wanted}")]
    Missing {
        /// The helper.
        called: String,
        /// The field's name.
        field: &'static str,
        /// What it holds.
        wanted: &'static str,
    },
    /// It cannot be done on this skeleton.
    #[error("{called}: {cause}")]
    Unfit {
        /// The helper.
        called: String,
        /// Why not.
        cause: String,
    },
    /// Helpers each of which waits for the next.
    #[error("helpers take from each other in a circle: {}", names.join(", "))]
    Circle {
        /// What they are called.
        names: Vec<String>,
        /// Where they stand in the list that was given, the same order.
        at: Vec<usize>,
    },
}
