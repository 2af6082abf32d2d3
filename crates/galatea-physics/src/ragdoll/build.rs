//! Builds a ragdoll from a model: chooses bones, fits shapes, sets masses and joints, and finds the pairs of bodies that do
//! not collide.

use glam::{Affine3A, Vec3};

use super::anatomy::Anatomy;
use super::choice::choose;
use super::cloud::Cloud;
use super::fit::{FittedShape, fit};
use super::joints::joints;
use super::options::{BoneOverride, DENSITY, FRICTION, MAX_BODIES, check_override, wrong};
use super::segment::{Segment, segments};
use super::shape::gap;
use super::{
    BodyDefinition, BodyShape, RagdollChoices, RagdollDefinition, RagdollError, RigidFrame,
};
use galatea_anim::humanoid::Humanoid;
use galatea_anim::local_to_model;
use galatea_asset::Model;
use galatea_asset::ragdoll::{RagdollBodySpec, ShapeKind};
use galatea_math::Trs;

/// Maximum mass ratio of joined bodies: iterative solvers cannot support a heavy body on a light one.
pub(crate) const MAX_MASS_RATIO: f32 = 10.0;
/// Maximum automatic mass of a human body, kilograms per cubic metre of its height: a stout person of 1.75 m weighs 96 kg.
/// Large heads and boots of drawn figures would weigh tonnes by their volume.
const MAX_DENSITY_BY_HEIGHT: f32 = 18.0;
/// Distances in the rest pose, as fractions of the height, below which two bodies do not collide; the second is for
/// siblings.
const MIN_GAP: f32 = 0.004;
const MIN_SIBLING_GAP: f32 = 0.03;

impl RagdollDefinition {
    /// Builds the ragdoll of a model with the rest pose `rest` (local transforms, one per bone). Settings of the model
    /// (`extras.ragdoll`) are used, and those of `options` override them.
    ///
    /// A model without bones gets a ragdoll without bodies. Never produces NaN or infinity.
    ///
    /// # Errors
    /// Fails if the options name a missing bone or contradict themselves.
    pub fn of(
        model: &Model,
        humanoid: &Humanoid,
        rest: &[Trs],
        options: &RagdollChoices,
    ) -> Result<Self, RagdollError> {
        options.check()?;
        let mut warnings = Vec::new();
        let wishes = valid_overrides(model, humanoid, options, &mut warnings)?;
        let mut model_from_bone = Vec::new();
        local_to_model(&model.skeleton, rest, &mut model_from_bone);
        let cloud = Cloud::of(model, &model_from_bone);
        let anatomy = Anatomy::of(&model.skeleton, humanoid, &model_from_bone);
        let max = options.max_bodies.unwrap_or(MAX_BODIES);
        let choice = choose(&anatomy, &cloud, &wishes, max);
        let segments = segments(&anatomy, &cloud, &choice);
        let wish_of = |segment: &Segment| wishes.iter().find(|wish| wish.bone == segment.bone);
        let wish_of_each: Vec<Option<&BoneOverride>> = segments.iter().map(wish_of).collect();
        let height = height(&anatomy, &cloud);
        let fitted: Vec<FittedShape> = segments
            .iter()
            .zip(&wish_of_each)
            .map(|(segment, wish)| {
                let found = fit(&anatomy, segment, height);
                wish.map_or(found, |wish| shaped(segment, found, &wish.settings))
            })
            .collect();
        let frames: Vec<RigidFrame> = fitted.iter().map(|fitted| fitted.0).collect();
        let links = joints(&anatomy, &segments, &frames, &wish_of_each, &mut warnings)?;
        let bodies = segments
            .iter()
            .zip(&fitted)
            .zip(&wish_of_each)
            .map(|((segment, (frame, shape)), wish)| BodyDefinition {
                bone: segment.bone,
                bone_from_body: bone_frame(&model_from_bone, segment.bone)
                    .inverse()
                    .then(*frame),
                shape: *shape,
                mass: 0.0,
                friction: wish
                    .and_then(|wish| wish.settings.friction)
                    .or(options.friction)
                    .unwrap_or(FRICTION),
            })
            .collect();
        let mut ragdoll = Self {
            bodies,
            joints: links,
            ignored_pairs: Vec::new(),
            warnings,
        };
        // With fewer bodies, the total mass stays that of all of them.
        let full_mass = match options.max_bodies {
            Some(_) if options.mass.is_none() => {
                let all = RagdollChoices {
                    max_bodies: None,
                    ..options.clone()
                };
                Some(Self::of(model, humanoid, rest, &all)?.mass())
            }
            _ => None,
        };
        let is_weighed =
            |wish: &&BoneOverride| wish.settings.mass.or(wish.settings.density).is_some();
        let is_free = options.density.is_none() && !wish_of_each.iter().flatten().any(is_weighed);
        let max = (anatomy.is_human && is_free).then_some(MAX_DENSITY_BY_HEIGHT * height.powi(3));
        ragdoll.set_masses(options, &wish_of_each, |own| {
            let limit = max.filter(|max| own > *max);
            options.mass.or(full_mass).or(limit)
        });
        ragdoll.ignored_pairs = ignored_pairs(&segments, &fitted, height);
        Ok(ragdoll)
    }

    /// Frames of the bodies for bones at `model_from_bone`, in that space, without scale.
    pub fn frames<'a>(
        &'a self,
        model_from_bone: &'a [Affine3A],
    ) -> impl Iterator<Item = RigidFrame> + 'a {
        self.bodies
            .iter()
            .map(|body| bone_frame(model_from_bone, body.bone).then(body.bone_from_body))
    }

    /// Mass of all bodies, kilograms.
    pub fn mass(&self) -> f32 {
        self.bodies.iter().map(|body| body.mass).sum()
    }

    /// Sets masses by volume, limits their ratios between neighbours, and applies the overrides. `total` receives the
    /// resulting sum, kilograms, and returns the sum to use instead, if any.
    fn set_masses(
        &mut self,
        options: &RagdollChoices,
        wishes: &[Option<&BoneOverride>],
        total: impl FnOnce(f32) -> Option<f32>,
    ) {
        let density = options.density.unwrap_or(DENSITY);
        for (body, wish) in self.bodies.iter_mut().zip(wishes) {
            let density = wish
                .and_then(|wish| wish.settings.density)
                .unwrap_or(density);
            body.mass = (body.shape.volume() * density).clamp(1e-4, 1e9);
        }
        // Each pass carries the minimum mass one joint further.
        for _ in 0..self.bodies.len() {
            for link in &self.joints {
                let (a, b) = (usize::from(link.parent), usize::from(link.child));
                let min = self.bodies[a].mass.max(self.bodies[b].mass) / MAX_MASS_RATIO;
                for i in [a, b] {
                    self.bodies[i].mass = self.bodies[i].mass.max(min);
                }
            }
        }
        let fixed = |i: usize| wishes[i].and_then(|wish| wish.settings.mass);
        for (i, body) in self.bodies.iter_mut().enumerate() {
            body.mass = fixed(i).unwrap_or(body.mass);
        }
        if let Some(total) = total(self.mass()) {
            let given: f32 = (0..self.bodies.len()).filter_map(fixed).sum();
            let free = self.mass() - given;
            if given >= total && free > 0.0 {
                self.warnings.push(format!(
                    "the masses of single bodies sum to {given} kg, which leaves nothing of the total mass of \
                     {total} kg for the others; the total is ignored"
                ));
            } else if free > 0.0 {
                let scale = (total - given) / free;
                for (i, body) in self.bodies.iter_mut().enumerate() {
                    if fixed(i).is_none() {
                        body.mass = (body.mass * scale).max(1e-6);
                    }
                }
            }
        }
    }
}

fn bone_frame(model_from_bone: &[Affine3A], bone: u16) -> RigidFrame {
    let found = model_from_bone.get(usize::from(bone));
    found.map_or(RigidFrame::IDENTITY, |matrix| RigidFrame::of_bone(*matrix))
}

/// Overrides by bone. Contradictory ones of the file are skipped with a warning.
fn valid_overrides(
    model: &Model,
    humanoid: &Humanoid,
    options: &RagdollChoices,
    warnings: &mut Vec<String>,
) -> Result<Vec<BoneOverride>, RagdollError> {
    let mut wishes = options.by_bone(model, humanoid)?;
    for wish in &mut wishes {
        let Err(cause) = check_override(&wish.settings) else {
            continue;
        };
        let bones = model.skeleton.bones();
        let name = bones
            .get(usize::from(wish.bone))
            .map_or("", |bone| &bone.name);
        if wish.is_requested {
            return Err(wrong(name, cause));
        }
        warnings.push(format!(
            "{name}: the settings of the file are ignored: {cause}"
        ));
        wish.settings = RagdollBodySpec {
            body: wish.settings.body,
            ..RagdollBodySpec::default()
        };
    }
    Ok(wishes)
}

/// Distance from the lowest to the highest point along the body's own up, metres; at least a tenth of its largest extent,
/// and more than zero.
fn height(anatomy: &Anatomy, cloud: &Cloud) -> f32 {
    let positions = cloud.points.iter().map(|point| point.position);
    let (mut low, mut high) = (f32::MAX, f32::MIN);
    let (mut lowest, mut highest) = (Vec3::MAX, Vec3::MIN);
    let mut take = |position: Vec3| {
        let y = position.dot(anatomy.up);
        (low, high) = (low.min(y), high.max(y));
        (lowest, highest) = (lowest.min(position), highest.max(position));
    };
    if cloud.points.is_empty() {
        anatomy.positions.iter().copied().for_each(&mut take);
    } else {
        positions.for_each(&mut take);
    }
    let extent = (highest - lowest).max_element();
    let height = (high - low).max(0.1 * extent);
    if height.is_finite() {
        height.max(1e-3)
    } else {
        1.0
    }
}

/// Applies the overrides to a fitted shape; values without an override stay.
fn shaped(segment: &Segment, (frame, shape): FittedShape, wish: &RagdollBodySpec) -> FittedShape {
    let kind = match (wish.shape, wish.size) {
        (Some(kind), _) => kind,
        (None, Some(_)) => ShapeKind::Box,
        (None, None) if wish.length.is_some() => ShapeKind::Capsule,
        (None, None) => match shape {
            BodyShape::Box { .. } if wish.radius.is_some() => ShapeKind::Capsule,
            BodyShape::Box { .. } => ShapeKind::Box,
            BodyShape::Capsule { .. } => ShapeKind::Capsule,
            BodyShape::Sphere { .. } => ShapeKind::Sphere,
        },
    };
    let is_sized = wish.size.is_some() || wish.length.is_some();
    if wish.shape.is_none() && !is_sized && wish.radius.is_none() {
        return (frame, shape);
    }
    let half = shape.half_extents();
    let shape = match kind {
        ShapeKind::Box => BodyShape::Box {
            half: wish
                .size
                .map_or(half, |size| Vec3::new(size.y, size.x, size.z) * 0.5),
        },
        ShapeKind::Sphere => BodyShape::Sphere {
            radius: wish.radius.unwrap_or(half.max_element()),
        },
        ShapeKind::Capsule => {
            let radius = wish.radius.unwrap_or(0.5 * (half.x + half.z));
            let half_length = wish.length.map_or(half.y, |length| length * 0.5) - radius;
            BodyShape::Capsule {
                half_length: half_length.max(0.0),
                radius,
            }
        }
    };
    // A bone with an end has its body in the middle between both, with the rotation of the bone.
    let along = RigidFrame {
        position: match segment.end {
            Some(end) => (segment.joint + end) * 0.5,
            None => frame.position,
        },
        rotation: super::fit::rotation_to(segment.dir, segment.front),
    };
    (if is_sized { along } else { frame }, shape)
}

/// Pairs that do not collide: joined, overlapping at rest, or close siblings.
fn ignored_pairs(segments: &[Segment], fitted: &[FittedShape], height: f32) -> Vec<(u16, u16)> {
    let mut pairs = Vec::new();
    for (i, a) in segments.iter().enumerate() {
        for (j, b) in segments.iter().enumerate().skip(i + 1) {
            let is_linked = a.parent == Some(j) || b.parent == Some(i);
            let are_siblings = a.parent.is_some() && a.parent == b.parent;
            let reach = height
                * if are_siblings {
                    MIN_SIBLING_GAP
                } else {
                    MIN_GAP
                };
            let shape_at = |i: usize| (&fitted[i].1, fitted[i].0);
            if is_linked || gap(shape_at(i), shape_at(j), reach) <= reach {
                pairs.push((i as u16, j as u16));
            }
        }
    }
    pairs
}
