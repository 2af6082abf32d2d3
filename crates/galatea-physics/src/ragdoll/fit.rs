//! Fits shapes to the surface of a body.
//!
//! Sizes are quantiles by area, so that single far vertices have no effect. Of several candidate shapes, the one whose
//! surface is nearest to the body's on average is chosen.

use glam::{Mat3, Quat, Vec3};
use rapier3d::parry::math::MatExt as _;

use super::anatomy::{Anatomy, RagdollPart};
use super::points::{between, middle, quantile};
use super::segment::Segment;
use super::{BodyShape, RigidFrame};
use galatea_anim::humanoid::Role;

/// Fraction of the surface left outside of a box on each side, and beyond the ends of a free capsule.
const OUTSIDE: f32 = 0.025;
/// Fraction of the surface within the radius of a capsule or sphere.
const WITHIN: f32 = 0.66;
/// The same for heads: faces and hair stick out on some sides.
const WITHIN_HEAD: f32 = 0.78;
/// Distance by which the round end of a limb's capsule extends beyond its joint, in radii.
const JOINT_OVERLAP: f32 = 0.55;
/// Shapes that are larger than their surface by more than this factor are rated worse.
const MAX_OVERHANG: f32 = 1.25;
/// Minimum thickness, as a fraction of the model's height.
const MIN_THICKNESS: f32 = 0.006;
/// Hands and pieces thinner than this fraction of their width are flat.
const FLAT_RATIO: f32 = 0.66;

/// A shape and its frame in model space at rest.
pub type FittedShape = (RigidFrame, BodyShape);

/// Fits a shape to a body. `height` is the height of the model, metres.
pub fn fit(anatomy: &Anatomy, segment: &Segment, height: f32) -> FittedShape {
    let fitted = if segment.points.len() < 4 {
        by_length(anatomy, segment, height)
    } else {
        match segment.part {
            part if part.is_limb() && segment.end.is_some() => limb(segment),
            RagdollPart::Neck => limb(segment),
            RagdollPart::Pelvis | RagdollPart::Spine | RagdollPart::Chest => {
                trunk(anatomy, segment)
            }
            RagdollPart::Head => head(anatomy, segment),
            RagdollPart::Hand(_) => hand(segment),
            RagdollPart::Foot(_) => foot(segment),
            _ => other(segment),
        }
    };
    sanitized(fitted, segment, height)
}

/// Rotation with Y axis `y` and a Z axis as near to `z` as possible.
pub fn rotation_to(y: Vec3, z: Vec3) -> Quat {
    let z = z.reject_from_normalized(y).try_normalize();
    let z = z.unwrap_or_else(|| y.any_orthonormal_vector());
    Quat::from_mat3(&Mat3::from_cols(y.cross(z), y, z)).normalize()
}

/// Directions from smallest to largest spread, unit length.
fn principal(points: &[(Vec3, f32)]) -> Option<[Vec3; 3]> {
    let mean = middle(points)?;
    let weight: f32 = points.iter().map(|point| point.1).sum();
    let mut spread = Mat3::ZERO;
    for (position, w) in points {
        let off = *position - mean;
        let row = off * (*w / weight);
        spread += Mat3::from_cols(off * row.x, off * row.y, off * row.z);
    }
    let scale = spread.x_axis.x.max(spread.y_axis.y).max(spread.z_axis.z);
    if !(scale.is_finite() && scale > 0.0) {
        return None;
    }
    let eigen = (spread * scale.recip()).symmetric_eigen();
    let mut axes: Vec<(f32, Vec3)> = (0..3)
        .map(|i| (eigen.eigenvalues[i], eigen.eigenvectors.col(i)))
        .collect();
    axes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let unit = |i: usize| axes[i].1.try_normalize().filter(|axis| axis.is_finite());
    Some([unit(0)?, unit(1)?, unit(2)?])
}

/// A capsule about an axis through the middle of the cross-section, between `ends` along it; without them, over the whole
/// surface.
fn capsule(points: &[(Vec3, f32)], along: Vec3, ends: Option<(f32, f32)>) -> FittedShape {
    capsule_within(points, along, ends, WITHIN)
}

/// The same with the given fraction of the surface within the radius.
fn capsule_within(
    points: &[(Vec3, f32)],
    along: Vec3,
    ends: Option<(f32, f32)>,
    within: f32,
) -> FittedShape {
    let rotation = rotation_to(along, along.any_orthonormal_vector());
    let (x, z) = (rotation * Vec3::X, rotation * Vec3::Z);
    let (low, high) = between(points, along, OUTSIDE);
    let (first, last) = ends.unwrap_or((low, high));
    // Ends overlap with neighbours and are often slanted.
    let inner = (high - low) * 0.1;
    let body: Vec<_> = points
        .iter()
        .filter(|(p, _)| (low + inner..=high - inner).contains(&p.dot(along)))
        .copied()
        .collect();
    let body = if body.len() < 4 { points } else { &body };
    let centre = |axis: Vec3| {
        let (low, high) = between(body, axis, 0.06);
        (low + high) * 0.5
    };
    let (cx, cz) = (centre(x), centre(z));
    let mut radii: Vec<_> = body
        .iter()
        .map(|(p, w)| ((p.dot(x) - cx).hypot(p.dot(z) - cz), *w))
        .collect();
    let radius = quantile(&mut radii, within);
    let inset = if ends.is_some() {
        1.0 - JOINT_OVERLAP
    } else {
        1.0
    };
    let half_length = ((last - first) * 0.5 - inset * radius).max(0.0);
    let frame = RigidFrame {
        position: x * cx + z * cz + along * ((first + last) * 0.5),
        rotation,
    };
    (
        frame,
        BodyShape::Capsule {
            half_length,
            radius,
        },
    )
}

fn block(points: &[(Vec3, f32)], rotation: Quat, beyond: f32) -> FittedShape {
    let (mut center, mut half) = (Vec3::ZERO, Vec3::ZERO);
    for (i, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
        let axis = rotation * axis;
        let (low, high) = between(points, axis, beyond);
        center += axis * ((low + high) * 0.5);
        half[i] = (high - low) * 0.5;
    }
    (
        RigidFrame {
            position: center,
            rotation,
        },
        BodyShape::Box { half },
    )
}

fn sphere(points: &[(Vec3, f32)], rotation: Quat, within: f32) -> FittedShape {
    let (frame, _) = block(points, rotation, OUTSIDE);
    let distances = points.iter().map(|(p, w)| (p.distance(frame.position), *w));
    let radius = quantile(&mut distances.collect::<Vec<_>>(), within);
    (frame, BodyShape::Sphere { radius })
}

/// Mean distance between the surface and a shape, metres. Points outside count double; the farthest twentieth is ignored.
pub fn misfit(points: &[(Vec3, f32)], (frame, shape): &FittedShape) -> f32 {
    let back = frame.inverse();
    let distances = points.iter();
    let mut distances: Vec<_> = distances
        .map(|(p, w)| (shape.distance(back.point(*p)), *w))
        .map(|(distance, w)| ((2.0 * distance).max(-distance), w))
        .collect();
    let limit = quantile(&mut distances, 0.95);
    let counted = distances.iter().filter(|(d, _)| *d <= limit);
    let (sum, weight) = counted.fold((0.0, 0.0), |(sum, weight), (d, w)| {
        (sum + d * w, weight + w)
    });
    if weight > 0.0 { sum / weight } else { 0.0 }
}

/// Largest factor by which a shape is larger than the surface, along its own axes.
fn overhang(points: &[(Vec3, f32)], (frame, shape): &FittedShape) -> f32 {
    let half = shape.half_extents();
    let ratio = |i: usize| {
        let axis = frame.rotation * Vec3::AXES[i];
        let (low, high) = between(points, axis, OUTSIDE);
        2.0 * half[i] / (high - low).max(1e-9)
    };
    (0..3).map(ratio).fold(0.0, f32::max).min(1e3)
}

/// Best of several candidates, each with a factor on its misfit.
fn best(points: &[(Vec3, f32)], candidates: Vec<(FittedShape, f32)>) -> Option<FittedShape> {
    let scored = candidates.into_iter().map(|(fitted, factor)| {
        let over = (overhang(points, &fitted) / MAX_OVERHANG).max(1.0);
        let cost = misfit(points, &fitted) * factor * over * over;
        (fitted, cost)
    });
    scored.min_by(|a, b| a.1.total_cmp(&b.1)).map(|best| best.0)
}

fn limb(segment: &Segment) -> FittedShape {
    let along = segment.dir;
    let ends = segment
        .end
        .map(|end| (segment.joint.dot(along), end.dot(along)));
    capsule(&segment.points, along, ends)
}

fn trunk(anatomy: &Anatomy, segment: &Segment) -> FittedShape {
    let points = &segment.points;
    let upright = rotation_to(segment.dir, anatomy.forward);
    let across = anatomy.left.reject_from_normalized(segment.dir);
    let across = across.try_normalize().unwrap_or(anatomy.left);
    let candidates = vec![
        (block(points, upright, 0.05), 1.0),
        (capsule(points, across, None), 0.7),
        (capsule(points, segment.dir, None), 0.7),
    ];
    best(points, candidates).unwrap_or_else(|| block(points, upright, 0.05))
}

fn head(anatomy: &Anatomy, segment: &Segment) -> FittedShape {
    let points = &segment.points;
    let upright = rotation_to(anatomy.up, anatomy.forward);
    let candidates = vec![
        (sphere(points, upright, WITHIN_HEAD), 0.8),
        (capsule_within(points, anatomy.up, None, WITHIN_HEAD), 0.75),
        (
            capsule_within(points, anatomy.left, None, WITHIN_HEAD),
            0.95,
        ),
        (
            capsule_within(points, anatomy.forward, None, WITHIN_HEAD),
            0.95,
        ),
        (block(points, upright, OUTSIDE), 1.5),
    ];
    best(points, candidates).unwrap_or_else(|| sphere(points, upright, WITHIN_HEAD))
}

fn hand(segment: &Segment) -> FittedShape {
    let points = &segment.points;
    let normal = principal(points).map_or(segment.front, |axes| {
        // Flat direction, as far as it is perpendicular to the hand.
        let across = axes[0].reject_from_normalized(segment.dir);
        across.try_normalize().unwrap_or(segment.front)
    });
    let normal = normal * normal.dot(segment.front).signum();
    let boxed = block(points, rotation_to(segment.dir, normal), 0.06);
    if let BodyShape::Box { half } = boxed.1
        && half.z > FLAT_RATIO * half.x
    {
        return capsule(points, segment.dir, None);
    }
    boxed
}

fn foot(segment: &Segment) -> FittedShape {
    let points = &segment.points;
    let rotation = rotation_to(segment.dir, segment.front);
    let (mut frame, mut shape) = block(points, rotation, 0.03);
    // The sole is at the lowest points, and the box ends at the ankle.
    if let BodyShape::Box { half } = &mut shape {
        let up = rotation * Vec3::Z;
        let low = between(points, up, 0.002).0;
        let ankle = segment.joint.dot(up);
        let top = (frame.position.dot(up) + half.z).min(ankle.max(low + half.y * 0.3));
        frame.position += up * ((low + top) * 0.5 - frame.position.dot(up));
        half.z = (top - low) * 0.5;
    }
    (frame, shape)
}

fn other(segment: &Segment) -> FittedShape {
    let points = &segment.points;
    let along = segment.dir;
    let ends = segment.end.map(|end| {
        let (low, high) = between(points, along, OUTSIDE);
        let (a, b) = (segment.joint.dot(along), end.dot(along));
        // Parts that extend far beyond their joints, such as trunks, end where their surface ends.
        let slack = 0.25 * (b - a);
        (
            if low < a - slack { low } else { a },
            if high > b + slack { high } else { b },
        )
    });
    let mut candidates = vec![(capsule(points, along, ends), 0.8)];
    if let Some([min, _, limit]) = principal(points) {
        let rotation = rotation_to(limit, min);
        candidates.push((capsule(points, limit, None), 0.85));
        candidates.push((block(points, rotation, OUTSIDE), 1.0));
        candidates.push((sphere(points, rotation, WITHIN), 0.85));
    }
    let upright = rotation_to(along, segment.front);
    candidates.push((block(points, upright, OUTSIDE), 0.97));
    // The part extends between its joints even if only its ends have vertices.
    if let Some((first, last)) = ends {
        for (fitted, _) in &mut candidates {
            extend_to(fitted, along, first, last);
        }
    }
    best(points, candidates).unwrap_or_else(|| sphere(points, upright, WITHIN))
}

/// Extends a box that is aligned with a direction to both ends.
fn extend_to((frame, shape): &mut FittedShape, along: Vec3, first: f32, last: f32) {
    let BodyShape::Box { half } = shape else {
        return;
    };
    if (frame.rotation * Vec3::Y).dot(along).abs() < 0.9 {
        return;
    }
    let middle = frame.position.dot(along);
    let low = (middle - half.y).min(first);
    let high = (middle + half.y).max(last);
    frame.position += along * ((low + high) * 0.5 - middle);
    half.y = (high - low) * 0.5;
}

/// A body without a surface: the typical thickness of a human part of its length.
fn by_length(anatomy: &Anatomy, segment: &Segment, height: f32) -> FittedShape {
    let length = segment.end.map_or(0.0, |end| end.distance(segment.joint));
    let length = if length > 0.0 { length } else { 0.06 * height };
    let rotation = rotation_to(segment.dir, segment.front);
    let at = |along: f32| RigidFrame {
        position: segment.joint + segment.dir * along,
        rotation,
    };
    let wide = |left: Role| {
        let pair = (
            anatomy.position_of(left),
            anatomy.position_of(left.opposite()),
        );
        match pair {
            (Some(a), Some(b)) => a.distance(b),
            _ => 0.2 * height,
        }
    };
    match segment.part {
        RagdollPart::Pelvis | RagdollPart::Spine | RagdollPart::Chest => {
            let width = match segment.part {
                RagdollPart::Chest => wide(Role::LeftUpperArm),
                _ => 1.6 * wide(Role::LeftUpperLeg),
            };
            let half = Vec3::new(0.5 * width, 0.5 * length, 0.3 * width);
            (at(0.5 * length), BodyShape::Box { half })
        }
        RagdollPart::Head => {
            let radius = 0.065 * height;
            (at(radius), BodyShape::Sphere { radius })
        }
        RagdollPart::Hand(_) => {
            let half = Vec3::new(0.024, 0.055, 0.01) * height;
            (at(half.y), BodyShape::Box { half })
        }
        RagdollPart::Foot(_) => {
            let half = Vec3::new(0.028, 0.075, 0.02) * height;
            (at(0.5 * half.y), BodyShape::Box { half })
        }
        part => {
            let thick = match part {
                RagdollPart::UpperLeg(_) => 0.19,
                RagdollPart::LowerLeg(_) => 0.13,
                RagdollPart::UpperArm(_) => 0.16,
                _ => 0.14,
            };
            let radius = thick * length;
            let half_length = (0.5 * length - (1.0 - JOINT_OVERLAP) * radius).max(0.0);
            let shape = BodyShape::Capsule {
                half_length,
                radius,
            };
            (at(0.5 * length), shape)
        }
    }
}

/// Replaces values that cannot be simulated.
fn sanitized((frame, shape): FittedShape, segment: &Segment, height: f32) -> FittedShape {
    let thinnest = (MIN_THICKNESS * height).max(1e-4);
    let length = |n: f32| {
        if n.is_finite() {
            n.max(thinnest)
        } else {
            thinnest
        }
    };
    let shape = match shape {
        BodyShape::Capsule {
            half_length,
            radius,
        } => {
            let radius = length(radius);
            let half_length = if half_length.is_finite() {
                half_length.max(0.0)
            } else {
                0.0
            };
            if half_length < 0.08 * radius {
                BodyShape::Sphere {
                    radius: radius + half_length,
                }
            } else {
                BodyShape::Capsule {
                    half_length,
                    radius,
                }
            }
        }
        BodyShape::Box { half } => BodyShape::Box {
            half: Vec3::from_array(half.to_array().map(length)),
        },
        BodyShape::Sphere { radius } => BodyShape::Sphere {
            radius: length(radius),
        },
    };
    let is_finite = frame.position.is_finite() && frame.rotation.is_finite();
    let frame = if is_finite {
        frame
    } else {
        RigidFrame {
            position: segment.joint,
            rotation: Quat::IDENTITY,
        }
    };
    (frame, shape)
}
