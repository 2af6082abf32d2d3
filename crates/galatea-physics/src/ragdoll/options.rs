//! What may be set of a ragdoll in place of what is found, and its checks.

use galatea_anim::humanoid::{Humanoid, Role};
use galatea_asset::Model;
use galatea_asset::ragdoll::{BodyWish, LinkWish, ShapeKind};
use galatea_math::names::nearest_hint;

/// Density of a human body, kg/m³: that of water less the air in the lungs (Krzywicki and Chinn 1967 have
/// means of 985 with full lungs).
pub(crate) const DENSITY: f32 = 985.0;

/// Coefficient of friction of skin and cloth on a floor.
pub(crate) const FRICTION: f32 = 0.7;

/// The most bodies unless told otherwise.
pub const MOST_BODIES: usize = 26;

/// What is wanted of a ragdoll; the default takes all from the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RagdollChoices {
    /// Wishes by the bone's name or its humanoid role (`left_upper_arm`); later ones win over earlier
    /// ones and over the file's own.
    pub bodies: Vec<(String, BodyWish)>,
    /// Kilograms of all bodies together.
    pub mass: Option<f32>,
    /// Kilograms per cubic metre, of all bodies without one of their own.
    pub density: Option<f32>,
    /// Coefficient of friction, of all bodies without one of their own.
    pub friction: Option<f32>,
    /// The most bodies that are made, 1 to 256.
    pub most: Option<usize>,
}

/// What is wanted of a bone.
#[derive(Clone, Debug, PartialEq)]
pub struct BoneWish {
    pub bone: u16,
    pub wish: BodyWish,
    /// Options name it; what only the file wants is left out where it cannot be done.
    pub is_asked: bool,
}

/// Why a ragdoll cannot be made as it is wished.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RagdollError {
    /// A wish names no bone and no role.
    #[error("ragdoll: there is no bone {name:?}{hint}")]
    UnknownBone {
        /// As written.
        name: String,
        /// The nearest name.
        hint: String,
    },
    /// A wish cannot be fulfilled.
    #[error("ragdoll, {what}: {cause}")]
    Wrong {
        /// The bone, or the field of the whole.
        what: String,
        /// Why, in words.
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
    /// Whether all numbers can be meant.
    ///
    /// # Errors
    /// With bone and field.
    pub fn check(&self) -> Result<(), RagdollError> {
        let above_0 = |what: &str, value: Option<f32>| match value {
            Some(n) if !(n.is_finite() && n > 0.0) => {
                Err(wrong(what, format!("{n} is not above 0")))
            }
            _ => Ok(()),
        };
        above_0("mass", self.mass)?;
        above_0("density", self.density)?;
        if let Some(n) = self.friction
            && !(0.0..=10.0).contains(&n)
        {
            return Err(wrong("friction", format!("{n} is not from 0 to 10")));
        }
        if let Some(n) = self.most
            && !(1..=256).contains(&n)
        {
            return Err(wrong("most", format!("{n} is not from 1 to 256")));
        }
        for (name, wish) in &self.bodies {
            check_wish(wish).map_err(|cause| wrong(name, cause))?;
        }
        Ok(())
    }

    /// The wishes by bone: the file's own, and these on top.
    ///
    /// # Errors
    /// When a name is neither a bone's nor a role's.
    pub fn by_bone(
        &self,
        model: &Model,
        humanoid: &Humanoid,
    ) -> Result<Vec<BoneWish>, RagdollError> {
        let of_file = |(bone, wish): &(u16, BodyWish)| BoneWish {
            bone: *bone,
            wish: wish.clone(),
            is_asked: false,
        };
        let mut wishes: Vec<BoneWish> = model.ragdoll.iter().map(of_file).collect();
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
                    lay_over(&mut known.wish, wish);
                    known.is_asked = true;
                }
                None => wishes.push(BoneWish {
                    bone,
                    wish: wish.clone(),
                    is_asked: true,
                }),
            }
        }
        Ok(wishes)
    }
}

/// What of one wish contradicts itself or is no number; in words.
pub fn check_wish(wish: &BodyWish) -> Result<(), String> {
    let lengths = wish.size.map(|size| size.to_array());
    let lengths = lengths.into_iter().flatten();
    let positive = [wish.length, wish.radius, wish.mass, wish.density];
    for n in lengths.chain(positive.into_iter().flatten()) {
        if !(n.is_finite() && n > 0.0) {
            return Err(format!(
                "{n} is not above 0; sizes, mass and density have to be"
            ));
        }
    }
    if let Some(n) = wish.friction
        && !(0.0..=10.0).contains(&n)
    {
        return Err(format!("a friction of {n} is not from 0 to 10"));
    }
    for (name, pair) in [("twist", wish.twist), ("range", wish.range)] {
        let Some([low, high]) = pair else { continue };
        if low > high {
            return Err(format!(
                "its {name} is reversed: {low} is above {high} degrees"
            ));
        }
        if !(low >= -180.0 && high <= 180.0) {
            return Err(format!(
                "its {name} from {low} to {high} is not within -180 and 180 degrees"
            ));
        }
    }
    if let Some(swing) = wish.swing
        && !swing.iter().all(|n| (0.0..=180.0).contains(n))
    {
        return Err(format!("its swing {swing:?} is not from 0 to 180 degrees"));
    }
    if wish
        .axis
        .is_some_and(|axis| !(axis.length() > 1e-6 && axis.is_finite()))
    {
        return Err("its axis has no direction".into());
    }
    match (
        wish.link,
        wish.range,
        wish.swing.is_some() || wish.twist.is_some(),
    ) {
        (Some(LinkWish::Cone | LinkWish::Fixed), Some(_), _) => {
            Err("a range is a hinge's; a cone has swing and twist".into())
        }
        (Some(LinkWish::Hinge | LinkWish::Fixed), _, true) => {
            Err("swing and twist are a cone's; a hinge has a range".into())
        }
        (None, Some(_), true) => Err("it has a hinge's range and a cone's swing or twist".into()),
        _ => match (wish.shape, wish.size, wish.length, wish.radius) {
            (Some(ShapeKind::Capsule | ShapeKind::Sphere), Some(_), _, _) => {
                Err("a size is a box's; capsules have length and radius".into())
            }
            (Some(ShapeKind::Box), _, Some(_), _) | (Some(ShapeKind::Box), _, _, Some(_)) => {
                Err("a box has a size, not length and radius".into())
            }
            (_, Some(_), Some(_), _) | (_, Some(_), _, Some(_)) => {
                Err("it has a box's size and a capsule's length or radius".into())
            }
            (Some(ShapeKind::Sphere), _, Some(_), _) => Err("a sphere has a radius alone".into()),
            (_, _, Some(length), Some(radius)) if length < 2.0 * radius => Err(format!(
                "a capsule {length} m long cannot be {} m thick",
                2.0 * radius
            )),
            _ => Ok(()),
        },
    }
}

/// Puts what the second has in place of what the first has. A new kind of shape or link takes the
/// numbers of the other kind away.
fn lay_over(known: &mut BodyWish, wish: &BodyWish) {
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
    if wish.range.is_some() || wish.link.is_some_and(|link| link != LinkWish::Cone) {
        (known.swing, known.twist) = (None, None);
    }
    let is_cone = wish.swing.is_some() || wish.twist.is_some();
    if is_cone || wish.link.is_some_and(|link| link != LinkWish::Hinge) {
        known.range = None;
    }
    fn put<T: Copy>(to: &mut Option<T>, from: Option<T>) {
        *to = from.or(*to);
    }
    put(&mut known.body, wish.body);
    put(&mut known.shape, wish.shape);
    put(&mut known.size, wish.size);
    put(&mut known.length, wish.length);
    put(&mut known.radius, wish.radius);
    put(&mut known.mass, wish.mass);
    put(&mut known.density, wish.density);
    put(&mut known.friction, wish.friction);
    put(&mut known.link, wish.link);
    put(&mut known.swing, wish.swing);
    put(&mut known.twist, wish.twist);
    put(&mut known.range, wish.range);
    put(&mut known.axis, wish.axis);
    put(&mut known.from_rest, wish.from_rest);
}
