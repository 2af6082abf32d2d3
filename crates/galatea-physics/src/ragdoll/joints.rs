//! Joints between bodies: their axes and ranges relative to the rest pose.

use std::f32::consts::PI;

use glam::{Mat3, Quat, Vec3};

use super::anatomy::{Anatomy, RagdollPart};
use super::options::{BoneOverride, RagdollError, wrong};
use super::ranges::{self, Ball};
use super::segment::Segment;
use super::{JointDefinition, JointKind, RigidFrame};
use galatea_anim::humanoid::Side;
use galatea_asset::ragdoll::JointSpec;

/// Excess of the rest pose over a range that is reported, degrees; less is normal for drawn skeletons.
const MIN_REPORTED_EXCESS: f32 = 6.0;
/// Margin between the rest pose and a limit that was widened for it, as a factor.
const WIDENING_MARGIN: f32 = 1.03;
/// Minimum bend of an animal's leg at rest from which its bend axis is derived, degrees.
const LEG_BEND: f32 = 12.0;

/// A joint in model space at rest.
struct RestJoint {
    /// Middle of the range, in the parent's rotation.
    center: Quat,
    /// Rotation of the child.
    own: Quat,
    kind: JointKind,
}

/// Rotation with the given X, and with Y as the axis about which X moves towards `front`.
fn basis(x: Vec3, front: Vec3) -> Quat {
    let front = front.reject_from_normalized(x).try_normalize();
    let front = front.unwrap_or_else(|| x.any_orthonormal_vector());
    let y = x.cross(front);
    Quat::from_mat3(&Mat3::from_cols(x, y, -front)).normalize()
}

/// Frame of a hinge: X is its axis, Y is along the part.
fn hinge_basis(axis: Vec3, along: Vec3) -> Quat {
    let along = along.reject_from_normalized(axis).try_normalize();
    let along = along.unwrap_or_else(|| axis.any_orthonormal_vector());
    Quat::from_mat3(&Mat3::from_cols(axis, along, axis.cross(along))).normalize()
}

/// Twist about X and swing about Y and Z of a rotation, radians: twist first, then swing.
pub fn twist_and_swing(rotation: Quat) -> (f32, [f32; 2]) {
    let rotation = if rotation.w < 0.0 {
        -rotation
    } else {
        rotation
    };
    let along = rotation.w.hypot(rotation.x);
    if along < 1e-6 {
        // The twist is undefined for a swing of half a turn.
        return (0.0, [PI * rotation.y, PI * rotation.z]);
    }
    let twist = Quat::from_xyzw(rotation.x / along, 0.0, 0.0, rotation.w / along);
    let swing = rotation * twist.conjugate();
    let sin = swing.y.hypot(swing.z);
    let angle = 2.0 * sin.atan2(swing.w);
    let scale = if sin > 1e-9 { angle / sin } else { 2.0 };
    (
        2.0 * twist.x.atan2(twist.w),
        [swing.y * scale, swing.z * scale],
    )
}

/// Joints of all bodies with a parent. `frames` are the frames of the bodies in model space at rest.
///
/// # Errors
/// Fails if an override requests a type of joint without the numbers that it needs.
pub fn joints(
    anatomy: &Anatomy,
    segments: &[Segment],
    frames: &[RigidFrame],
    wishes: &[Option<&BoneOverride>],
    warnings: &mut Vec<String>,
) -> Result<Vec<JointDefinition>, RagdollError> {
    let count =
        |parts: [RagdollPart; 2]| segments.iter().filter(|s| parts.contains(&s.part)).count();
    let counts = [
        count([RagdollPart::Spine, RagdollPart::Chest]),
        count([RagdollPart::Neck, RagdollPart::Head]),
    ];
    let is_leg = legs(anatomy, segments);
    let mut out = Vec::new();
    for (i, child) in segments.iter().enumerate() {
        let Some(parent) = child.parent else { continue };
        let above = &segments[parent];
        let found = match (above.part, child.part) {
            (RagdollPart::UpperArm(_), RagdollPart::LowerArm(_)) => {
                hinge(above, child, 1.0, ranges::ELBOW)
            }
            (RagdollPart::UpperLeg(_), RagdollPart::LowerLeg(_)) => {
                hinge(above, child, -1.0, ranges::KNEE)
            }
            (_, RagdollPart::UpperArm(side)) => shoulder(anatomy, child, side),
            (_, RagdollPart::UpperLeg(side)) => ball(
                basis(-anatomy.up, anatomy.forward),
                child,
                ranges::HIP,
                side,
            ),
            (RagdollPart::LowerLeg(_), RagdollPart::Foot(side)) => {
                // Feet point outwards at rest; the norms are relative to that.
                let ahead = child.dir.reject_from_normalized(above.dir).try_normalize();
                let ahead = ahead.filter(|ahead| ahead.dot(above.front) > 0.5);
                let zero = basis(ahead.unwrap_or(above.front), -above.dir);
                ball(zero, child, ranges::ANKLE, side)
            }
            (RagdollPart::LowerArm(_), RagdollPart::Hand(side)) => {
                ball(basis(above.dir, child.front), child, ranges::WRIST, side)
            }
            (
                _,
                RagdollPart::Spine | RagdollPart::Chest | RagdollPart::Neck | RagdollPart::Head,
            ) => {
                let range = ranges::middle(child.part, counts[0], counts[1]);
                ball(basis(child.dir, child.front), child, range, Side::Middle)
            }
            _ => plain(anatomy, segments, &is_leg, above, i),
        };
        let link = match wishes[i] {
            None => found,
            Some(wish) => match with_overrides(above, child, found, wish) {
                Ok(link) => link,
                Err((_, cause)) if wish.is_requested => {
                    return Err(wrong(anatomy.name(child.bone), cause));
                }
                Err((found, cause)) => {
                    let name = anatomy.name(child.bone);
                    warnings.push(format!("{name}: the joint of the file is ignored: {cause}"));
                    found
                }
            },
        };
        let link = with_rest_inside(anatomy, child, link, warnings);
        let at = |rotation: Quat| RigidFrame {
            position: child.joint,
            rotation,
        };
        out.push(JointDefinition {
            parent: parent as u16,
            child: i as u16,
            parent_from_joint: frames[parent].inverse().then(at(link.center)),
            child_from_joint: frames[i].inverse().then(at(link.own)),
            kind: link.kind,
        });
    }
    Ok(out)
}

fn radians(degrees: [f32; 2]) -> [f32; 2] {
    degrees.map(f32::to_radians)
}

/// A ball joint with angles relative to `zero`. The middle of the ranges becomes the joint's frame.
fn ball(zero: Quat, child: &Segment, range: Ball, side: Side) -> RestJoint {
    let mirrored = |[low, high]: [f32; 2]| [-high, -low];
    let bend = radians(range.bend);
    // A right-handed rotation about Z moves X towards Y, which is the right side of a hanging or upright part seen from the
    // front.
    let out = radians(range.side);
    let (out, twist) = match side {
        Side::Left => (mirrored(out), radians(range.twist)),
        _ => (out, mirrored(radians(range.twist))),
    };
    let half = |[low, high]: [f32; 2]| (high - low) * 0.5;
    let mid = |[low, high]: [f32; 2]| (high + low) * 0.5;
    let middle = zero
        * Quat::from_rotation_y(mid(bend))
        * Quat::from_rotation_z(mid(out))
        * Quat::from_rotation_x(mid(twist));
    RestJoint {
        center: middle,
        own: basis(child.dir, child.front),
        kind: JointKind::TwistCone {
            swing: [half(bend), half(out)],
            twist: [-half(twist), half(twist)],
        },
    }
}

fn shoulder(anatomy: &Anatomy, child: &Segment, side: Side) -> RestJoint {
    let out = match side {
        Side::Right => -anatomy.left,
        _ => anatomy.left,
    };
    let [back, ahead] = radians(ranges::SHOULDER_LEVEL);
    let (sin, cos) = ((back + ahead) * 0.5).sin_cos();
    let (level, front) = (
        out * cos + anatomy.forward * sin,
        anatomy.forward * cos - out * sin,
    );
    let (sin, cos) = ranges::SHOULDER_BELOW_LEVEL.to_radians().sin_cos();
    let zero = basis(level * cos - anatomy.up * sin, front);
    let level = (ranges::SHOULDER_LEVEL[1] - ranges::SHOULDER_LEVEL[0]) * 0.5;
    let range = Ball {
        bend: [-level, level],
        side: [-ranges::SHOULDER_RAISE, ranges::SHOULDER_RAISE],
        twist: ranges::SHOULDER_TWIST,
    };
    ball(zero, child, range, side)
}

/// Hinge that bends to the front of the upper part with `sign` 1, away from it with -1.
fn hinge(above: &Segment, child: &Segment, sign: f32, range: [f32; 2]) -> RestJoint {
    about(above.axis() * sign, above.dir, child.dir, radians(range))
}

fn about(axis: Vec3, above: Vec3, along: Vec3, range: [f32; 2]) -> RestJoint {
    RestJoint {
        center: hinge_basis(axis, above),
        own: hinge_basis(axis, along),
        kind: JointKind::Hinge { range },
    }
}

/// Joint of a non-human part: a hinge in bent legs, otherwise a cone about the rest pose.
fn plain(
    anatomy: &Anatomy,
    segments: &[Segment],
    is_leg: &[bool],
    above: &Segment,
    i: usize,
) -> RestJoint {
    let child = &segments[i];
    let above_is_leg = child.parent.is_some_and(|parent| is_leg[parent]);
    let from_above = (child.joint - above.joint).try_normalize();
    let from_above = from_above.unwrap_or(above.dir);
    let bend = from_above.angle_between(child.dir).to_degrees();
    if is_leg[i] && above_is_leg && (LEG_BEND..150.0).contains(&bend) {
        let axis = from_above.cross(child.dir).normalize_or(child.axis());
        let range = radians(ranges::leg_hinge(bend));
        return about(axis, from_above, child.dir, range);
    }
    let on_it = segments.iter().zip(is_leg);
    let on_it = on_it.filter(|(segment, is_leg)| segment.parent == Some(i) && **is_leg);
    let is_tail = anatomy.name(child.bone).to_lowercase().contains("tail");
    let range = match () {
        () if is_leg[i] => ranges::LEG_ROOT,
        () if on_it.count() >= 2 => ranges::TRUNK,
        () if is_tail => ranges::TAIL,
        () => ranges::PIECE,
    };
    ball(basis(child.dir, child.front), child, range, Side::Middle)
}

/// For every body, true if it or a descendant goes down to the end of the lowest body.
fn legs(anatomy: &Anatomy, segments: &[Segment]) -> Vec<bool> {
    let own: Vec<(f32, f32)> = segments
        .iter()
        .map(|segment| {
            let points = segment.points.iter().map(|point| point.0.dot(anatomy.up));
            points.fold((f32::MAX, f32::MIN), |(l, h), y| (l.min(y), h.max(y)))
        })
        .collect();
    let widen = |(l, h): (f32, f32), other: (f32, f32)| (l.min(other.0), h.max(other.1));
    let (low, high) = own.iter().copied().fold((f32::MAX, f32::MIN), widen);
    let mut heights_with_children = own.clone();
    for (i, heights) in own.iter().enumerate() {
        let mut above = segments[i].parent;
        // A tree of n bodies is at most n deep.
        for _ in 0..segments.len() {
            let Some(at) = above else { break };
            heights_with_children[at] = widen(heights_with_children[at], *heights);
            above = segments[at].parent;
        }
    }
    let is_leg = |(segment, (lowest, highest)): (&Segment, (f32, f32))| {
        let size = high - low;
        segment.parent.is_some() && lowest < low + 0.12 * size && highest < low + 0.8 * size
    };
    segments
        .iter()
        .zip(heights_with_children)
        .map(is_leg)
        .collect()
}

/// Joint with the overrides applied, or the automatic one with a reason.
fn with_overrides(
    above: &Segment,
    child: &Segment,
    found: RestJoint,
    BoneOverride { settings: wish, .. }: &BoneOverride,
) -> Result<RestJoint, (RestJoint, &'static str)> {
    let is_hinge = matches!(found.kind, JointKind::Hinge { .. });
    let kind = match wish.joint {
        Some(link) => link,
        None if wish.range.is_some() || wish.axis.is_some() => JointSpec::Hinge,
        None if wish.swing.is_some() || wish.twist.is_some() => JointSpec::Cone,
        None if is_hinge => JointSpec::Hinge,
        None => JointSpec::Cone,
    };
    let from_rest = wish.from_rest == Some(true);
    Ok(match kind {
        JointSpec::Fixed => {
            let own = basis(child.dir, child.front);
            RestJoint {
                center: own,
                own,
                kind: JointKind::Fixed,
            }
        }
        JointSpec::Hinge => {
            let range = match (wish.range.map(radians), found.kind) {
                (Some(range), _) => range,
                (None, JointKind::Hinge { range }) => range,
                _ => return Err((found, "a hinge joint here needs a range, in degrees")),
            };
            let axis = wish.axis.and_then(Vec3::try_normalize);
            if !is_hinge || axis.is_some() {
                let axis = axis.unwrap_or_else(|| child.axis());
                let line = if from_rest { child.dir } else { above.dir };
                about(axis, line, child.dir, range)
            } else {
                RestJoint {
                    center: if from_rest { found.own } else { found.center },
                    own: found.own,
                    kind: JointKind::Hinge { range },
                }
            }
        }
        JointSpec::Cone => {
            let (swing, twist) = match (wish.swing, wish.twist, found.kind) {
                (Some(swing), Some(twist), _) => (radians(swing), radians(twist)),
                (swing, twist, JointKind::TwistCone { swing: s, twist: t }) => {
                    (swing.map_or(s, radians), twist.map_or(t, radians))
                }
                _ => {
                    return Err((found, "a cone joint here needs swing and twist, in degrees"));
                }
            };
            let own = basis(child.dir, child.front);
            RestJoint {
                center: if from_rest || is_hinge {
                    own
                } else {
                    found.center
                },
                own,
                kind: JointKind::TwistCone { swing, twist },
            }
        }
    })
}

/// Widens a range that does not contain the rest pose.
fn with_rest_inside(
    anatomy: &Anatomy,
    child: &Segment,
    mut link: RestJoint,
    warnings: &mut Vec<String>,
) -> RestJoint {
    let (twisted, swung) = twist_and_swing(link.center.conjugate() * link.own);
    let mut tell = |what: &str, by: f32| {
        if by.to_degrees() > MIN_REPORTED_EXCESS {
            warnings.push(format!(
                "{}: the rest pose is {:.0} degrees outside the range of its {what}; the range was widened",
                anatomy.name(child.bone),
                by.to_degrees()
            ));
        }
    };
    let widen = |range: &mut [f32; 2], angle: f32| {
        let out = (range[0] - angle).max(angle - range[1]);
        *range = [range[0].min(angle), range[1].max(angle)];
        out
    };
    match &mut link.kind {
        JointKind::Fixed => {}
        JointKind::Hinge { range } => {
            let out = widen(range, twisted);
            tell("hinge", out);
        }
        JointKind::TwistCone { swing, twist } => {
            let out = widen(twist, twisted);
            tell("twist", out);
            let fraction = |angle: f32, half: f32| {
                if angle.abs() < 1e-4 {
                    0.0
                } else {
                    angle / half.max(1e-6)
                }
            };
            let over = fraction(swung[0], swing[0]).hypot(fraction(swung[1], swing[1]));
            if over > 1.0 {
                let angle = swung[0].hypot(swung[1]);
                tell("swing", angle - angle / over);
                for (half, angle) in swing.iter_mut().zip(swung) {
                    *half = half
                        .max(angle.abs().min(*half * over) * WIDENING_MARGIN)
                        .min(PI);
                }
                let over = fraction(swung[0], swing[0]).hypot(fraction(swung[1], swing[1]));
                if over > 1.0 {
                    *swing = swing.map(|half| (half * over * WIDENING_MARGIN).min(PI));
                }
            }
        }
    }
    link
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_is_decomposed_into_twist_and_swing() {
        for (twist, swing) in [
            (0.3_f32, [0.5_f32, -0.2_f32]),
            (-2.0, [0.0, 1.2]),
            (1.0, [2.0, 0.4]),
            (0.0, [0.0, 0.0]),
        ] {
            let axis = Vec3::new(0.0, swing[0], swing[1]);
            let rotation = Quat::from_scaled_axis(axis) * Quat::from_rotation_x(twist);
            let (t, s) = twist_and_swing(rotation);
            assert!((t - twist).abs() < 1e-5, "{t} {twist}");
            assert!((s[0] - swing[0]).abs() < 1e-5, "{s:?} {swing:?}");
            assert!((s[1] - swing[1]).abs() < 1e-5, "{s:?} {swing:?}");
        }
    }
}
