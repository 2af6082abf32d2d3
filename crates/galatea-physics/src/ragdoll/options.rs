//! Overrides of the automatic ragdoll, and their validation.

use galatea_anim::humanoid::{Humanoid, Role};
use galatea_asset::Model;
use galatea_asset::ragdoll::{JointSpec, RagdollBodySpec, ShapeKind};
use galatea_math::names::nearest_hint;

/// Density of a human body, kg/m³: that of water less the air in the lungs (Krzywicki and Chinn 1967 report means of 985
/// with full lungs).
pub(crate) const DENSITY: f32 = 985.0;

/// Friction coefficient of skin and cloth on a floor.
pub(crate) const FRICTION: f32 = 0.7;

/// Default maximum number of bodies.
pub const MAX_BODIES: usize = 26;

/// Overrides of a ragdoll; by default everything is derived from the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RagdollChoices {
    /// Overrides by bone name or humanoid role (`left_upper_arm`); later ones override earlier ones and those of the file.
    pub bodies: Vec<(String, RagdollBodySpec)>,
    /// Total mass, kilograms.
    pub mass: Option<f32>,
    /// Density of all bodies without their own, kilograms per cubic metre.
    pub density: Option<f32>,
    /// Friction coefficient of all bodies without their own.
    pub friction: Option<f32>,
    /// Maximum number of bodies, 1 to 256.
    pub max_bodies: Option<usize>,
}

/// Override of a bone.
#[derive(Clone, Debug, PartialEq)]
pub struct BoneOverride {
    pub bone: u16,
    pub settings: RagdollBodySpec,
    /// True for an override from options; one of the file is skipped if it cannot be applied.
    pub is_requested: bool,
}

/// Reason why the overrides of a ragdoll are invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RagdollError {
    /// An override names no bone and no role.
    #[error("ragdoll: there is no bone {name:?}{hint}")]
    UnknownBone {
        /// Name as written.
        name: String,
        /// Suggestion of the nearest name.
        hint: String,
    },
    /// An override cannot be applied.
    #[error("ragdoll, {what}: {cause}")]
    Wrong {
        /// Bone, or field of the whole ragdoll.
        what: String,
        /// Reason, as text.
        cause: String,
    },
}

pub(super) fn wrong(what: &str, cause: impl Into<String>) -> RagdollError {
    RagdollError::Wrong {
        what: what.into(),
        cause: cause.into(),
    }
}

impl RagdollChoices {
    /// Validates all numbers.
    ///
    /// # Errors
    /// Returns bone and field of the first invalid value.
    pub fn check(&self) -> Result<(), RagdollError> {
        let above_0 = |what: &str, value: Option<f32>| match value {
            Some(n) if !(n.is_finite() && n > 0.0) => {
                Err(wrong(what, format!("must be more than 0, got {n}")))
            }
            _ => Ok(()),
        };
        above_0("mass", self.mass)?;
        above_0("density", self.density)?;
        if let Some(n) = self.friction
            && !(0.0..=10.0).contains(&n)
        {
            return Err(wrong("friction", format!("must be 0 to 10, got {n}")));
        }
        if let Some(n) = self.max_bodies
            && !(1..=256).contains(&n)
        {
            return Err(wrong("max_bodies", format!("must be 1 to 256, got {n}")));
        }
        for (name, wish) in &self.bodies {
            check_override(wish).map_err(|cause| wrong(name, cause))?;
        }
        Ok(())
    }

    /// Overrides by bone: those of the file, with these on top.
    ///
    /// # Errors
    /// Fails if a name is neither a bone nor a role.
    pub fn by_bone(
        &self,
        model: &Model,
        humanoid: &Humanoid,
    ) -> Result<Vec<BoneOverride>, RagdollError> {
        let of_file = |(bone, wish): &(u16, RagdollBodySpec)| BoneOverride {
            bone: *bone,
            settings: wish.clone(),
            is_requested: false,
        };
        let mut wishes: Vec<BoneOverride> = model.ragdoll.iter().map(of_file).collect();
        for (name, wish) in &self.bodies {
            let role = || humanoid.bone(Role::from_name(name)?);
            let bone = model.skeleton.find(name).or_else(role);
            let bone = bone.ok_or_else(|| {
                let roles = Role::all().filter(|role| humanoid.bone(*role).is_some());
                let bones = model.skeleton.bones().iter().map(|bone| &*bone.name);
                RagdollError::UnknownBone {
                    name: name.clone(),
                    hint: nearest_hint(
                        name,
                        roles.map(|role| -> &str { role.name() }).chain(bones),
                    ),
                }
            })?;
            match wishes.iter_mut().find(|known| known.bone == bone) {
                Some(known) => {
                    override_with(&mut known.settings, wish);
                    known.is_requested = true;
                }
                None => wishes.push(BoneOverride {
                    bone,
                    settings: wish.clone(),
                    is_requested: true,
                }),
            }
        }
        Ok(wishes)
    }
}

/// Validates one override; the error is a message.
pub fn check_override(wish: &RagdollBodySpec) -> Result<(), String> {
    let lengths = wish.size.map(|size| size.to_array());
    let lengths = lengths.into_iter().flatten();
    let positive = [wish.length, wish.radius, wish.mass, wish.density];
    for n in lengths.chain(positive.into_iter().flatten()) {
        if !(n.is_finite() && n > 0.0) {
            return Err(format!(
                "sizes, mass and density must be more than 0, got {n}"
            ));
        }
    }
    if let Some(n) = wish.friction
        && !(0.0..=10.0).contains(&n)
    {
        return Err(format!("friction must be 0 to 10, got {n}"));
    }
    for (name, pair) in [("twist", wish.twist), ("range", wish.range)] {
        let Some([low, high]) = pair else { continue };
        if low > high {
            return Err(format!(
                "{name}: the minimum must not be above the maximum, got {low} and {high} degrees"
            ));
        }
        if !(low >= -180.0 && high <= 180.0) {
            return Err(format!(
                "{name} must be within -180 and 180 degrees, got {low} to {high}"
            ));
        }
    }
    if let Some(swing) = wish.swing
        && !swing.iter().all(|n| (0.0..=180.0).contains(n))
    {
        return Err(format!("swing must be 0 to 180 degrees, got {swing:?}"));
    }
    if wish
        .axis
        .is_some_and(|axis| !(axis.length() > 1e-6 && axis.is_finite()))
    {
        return Err("axis must not be zero".into());
    }
    match (
        wish.joint,
        wish.range,
        wish.swing.is_some() || wish.twist.is_some(),
    ) {
        (Some(JointSpec::Cone | JointSpec::Fixed), Some(_), _) => {
            Err("only a hinge joint has a range; a cone joint has swing and twist".into())
        }
        (Some(JointSpec::Hinge | JointSpec::Fixed), _, true) => {
            Err("only a cone joint has swing and twist; a hinge joint has a range".into())
        }
        (None, Some(_), true) => Err(
            "give either a range, for a hinge joint, or swing and twist, for a cone \
            joint"
                .into(),
        ),
        _ => match (wish.shape, wish.size, wish.length, wish.radius) {
            (Some(ShapeKind::Capsule | ShapeKind::Sphere), Some(_), _, _) => {
                Err("only a box has a size; a capsule has length and radius".into())
            }
            (Some(ShapeKind::Box), _, Some(_), _) | (Some(ShapeKind::Box), _, _, Some(_)) => {
                Err("a box has a size, not length or radius".into())
            }
            (_, Some(_), Some(_), _) | (_, Some(_), _, Some(_)) => {
                Err("give either a size, for a box, or length and radius, for a capsule".into())
            }
            (Some(ShapeKind::Sphere), _, Some(_), _) => {
                Err("a sphere has only a radius, no length".into())
            }
            (_, _, Some(length), Some(radius)) if length < 2.0 * radius => Err(format!(
                "a capsule must be at least as long as it is thick: length {length} m, thickness {} m",
                2.0 * radius
            )),
            _ => Ok(()),
        },
    }
}

/// Overrides the values of `known` with those of `wish`. A new type of shape or joint removes the values of the other type.
fn override_with(known: &mut RagdollBodySpec, wish: &RagdollBodySpec) {
    let is_round = wish.radius.is_some() || wish.length.is_some();
    if wish.shape.is_some() || wish.size.is_some() || is_round {
        let is_new_kind = wish.shape.is_some() && wish.shape != known.shape;
        if is_new_kind || wish.size.is_some() {
            (known.length, known.radius) = (None, None);
        }
        if is_round || wish.shape.is_some_and(|shape| shape != ShapeKind::Box) {
            known.size = None;
        }
        let was_box = known.shape == Some(ShapeKind::Box);
        if wish.size.is_some() && !was_box || is_round && was_box {
            known.shape = None;
        }
    }
    if wish.range.is_some() || wish.joint.is_some_and(|link| link != JointSpec::Cone) {
        (known.swing, known.twist) = (None, None);
    }
    let is_cone = wish.swing.is_some() || wish.twist.is_some();
    if is_cone || wish.joint.is_some_and(|link| link != JointSpec::Hinge) {
        known.range = None;
    }
    fn replace_if_some<T: Copy>(to: &mut Option<T>, from: Option<T>) {
        *to = from.or(*to);
    }
    replace_if_some(&mut known.body, wish.body);
    replace_if_some(&mut known.shape, wish.shape);
    replace_if_some(&mut known.size, wish.size);
    replace_if_some(&mut known.length, wish.length);
    replace_if_some(&mut known.radius, wish.radius);
    replace_if_some(&mut known.mass, wish.mass);
    replace_if_some(&mut known.density, wish.density);
    replace_if_some(&mut known.friction, wish.friction);
    replace_if_some(&mut known.joint, wish.joint);
    replace_if_some(&mut known.swing, wish.swing);
    replace_if_some(&mut known.twist, wish.twist);
    replace_if_some(&mut known.range, wish.range);
    replace_if_some(&mut known.axis, wish.axis);
    replace_if_some(&mut known.from_rest, wish.from_rest);
}
