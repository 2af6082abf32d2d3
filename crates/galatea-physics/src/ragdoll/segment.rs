//! Start, end, direction and bend direction of each body at rest.

use glam::{Quat, Vec3};

use super::anatomy::{Anatomy, RagdollPart};
use super::choice::BodyChoice;
use super::cloud::Cloud;
use super::points::{between, middle};
use galatea_anim::humanoid::{Role, Side};

/// Minimum weight with which a vertex counts for a body.
const MIN_WEIGHT: f32 = 0.3;
/// Minimum bend of elbows and knees at rest from which their axis is derived, radians.
const VISIBLE_BEND: f32 = 0.14;

/// A body before it has a shape, in model space at rest, metres.
#[derive(Clone, Debug)]
pub struct Segment {
    pub bone: u16,
    pub part: RagdollPart,
    /// Parent body.
    pub parent: Option<usize>,
    /// Surface of the body: positions, and the area that each represents, square metres.
    pub points: Vec<(Vec3, f32)>,
    /// Start of the body.
    pub joint: Vec3,
    /// Start of the next body in line, if there is one.
    pub end: Option<Vec3>,
    /// Direction along the body, unit.
    pub dir: Vec3,
    /// Front of the body, unit and perpendicular to `dir`. Trunk, thigh, upper arm and head bend this way. For a lower arm
    /// it is the direction in which the elbow bends it; a shank bends the opposite way. For a hand it is the palm side, for
    /// a foot the upper side.
    pub front: Vec3,
}

impl Segment {
    /// Axis of a right-handed rotation towards the front.
    pub fn axis(&self) -> Vec3 {
        self.dir.cross(self.front)
    }

    pub fn middle(&self) -> Vec3 {
        middle(&self.points).unwrap_or(self.joint)
    }
}

/// Segments of the chosen bones, in their order.
pub fn segments(anatomy: &Anatomy, cloud: &Cloud, choice: &BodyChoice) -> Vec<Segment> {
    let points = points(anatomy, cloud, choice);
    let with_points = choice.bones.iter().zip(points);
    let mut out: Vec<Segment> = with_points
        .map(|(&bone, points)| {
            let above = anatomy.up_from(bone).skip(1);
            let parent = above
                .filter_map(|b| choice.bones.binary_search(&b).ok())
                .next();
            Segment {
                bone,
                part: anatomy.part(bone),
                parent,
                points,
                joint: anatomy.position(bone),
                end: None,
                dir: Vec3::Y,
                front: Vec3::Z,
            }
        })
        .collect();
    parent_loose_segments(&mut out);
    for i in 0..out.len() {
        out[i].end = end(anatomy, &out, i);
    }
    for i in 0..out.len() {
        out[i].dir = direction(anatomy, &out, i);
    }
    for i in 0..out.len() {
        out[i].front = front(anatomy, &out, i);
    }
    out
}

/// Surface points of each body.
fn points(anatomy: &Anatomy, cloud: &Cloud, choice: &BodyChoice) -> Vec<Vec<(Vec3, f32)>> {
    let mut own: Vec<Vec<(Vec3, f32)>> = vec![Vec::new(); choice.bones.len()];
    let mut hung = own.clone();
    let mut fractions: Vec<(u16, f32)> = Vec::new();
    for point in &cloud.points {
        fractions.clear();
        for &(bone, weight) in cloud.bones(point) {
            let Some(body) = choice.body_of[usize::from(bone)] else {
                continue;
            };
            match fractions.iter_mut().find(|(other, _)| *other == body) {
                Some((_, fraction)) => *fraction += weight,
                None => fractions.push((body, weight)),
            }
        }
        for &(body, fraction) in fractions
            .iter()
            .filter(|(_, fraction)| *fraction >= MIN_WEIGHT)
        {
            let list = if point.is_attached {
                &mut hung
            } else {
                &mut own
            };
            list[usize::from(body)].push((point.position, point.area * fraction));
        }
    }
    // Worn and held meshes of a skinned body are not part of it, except helmets, which belong to the head.
    let area = |points: &[(Vec3, f32)]| points.iter().map(|point| point.1).sum::<f32>();
    for ((own, hung), &bone) in own.iter_mut().zip(hung).zip(&choice.bones) {
        let is_worn = match anatomy.part(bone) {
            RagdollPart::Head => false,
            RagdollPart::Hand(_) => own.len() >= 4,
            _ => area(own) >= 0.3 * area(&hung),
        };
        if !is_worn {
            own.extend(hung);
        }
    }
    own
}

/// Parents bodies without a parent to the nearest other body. Such a body below a shank becomes its foot.
fn parent_loose_segments(segments: &mut [Segment]) {
    let mut loose: Vec<usize> = (0..segments.len())
        .filter(|i| segments[*i].parent.is_none())
        .collect();
    let weight = |i: usize| {
        let own: f32 = segments[i].points.iter().map(|point| point.1).sum();
        let is_pelvis = segments[i].part == RagdollPart::Pelvis;
        (is_pelvis, own)
    };
    let root = loose.iter().copied().max_by(|a, b| {
        let (a, b) = (weight(*a), weight(*b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    loose.retain(|i| Some(*i) != root);
    for i in loose {
        let is_descendant = |mut j: usize| {
            while let Some(above) = segments[j].parent {
                if above == i {
                    return true;
                }
                j = above;
            }
            j == i
        };
        let at = segments[i].middle();
        let near = |j: usize| {
            let positions = segments[j].points.iter().map(|point| point.0.distance(at));
            positions.fold(segments[j].joint.distance(at), f32::min)
        };
        let others = (0..segments.len()).filter(|j| !is_descendant(*j));
        let nearest = others.min_by(|a, b| near(*a).total_cmp(&near(*b)));
        segments[i].parent = nearest;
        let Some(nearest) = nearest else { continue };
        if let (RagdollPart::LowerLeg(side), RagdollPart::Other) =
            (segments[nearest].part, segments[i].part)
        {
            let foot = RagdollPart::Foot(side);
            if segments.iter().all(|segment| segment.part != foot) {
                segments[i].part = foot;
            }
        }
    }
}

fn children(segments: &[Segment], i: usize) -> impl Iterator<Item = &Segment> {
    segments.iter().filter(move |child| child.parent == Some(i))
}

fn end(anatomy: &Anatomy, segments: &[Segment], i: usize) -> Option<Vec3> {
    let segment = &segments[i];
    let of = |role: Role| anatomy.position_of(role);
    let on = |side: Side, left: Role| {
        if side == Side::Left {
            left
        } else {
            left.opposite()
        }
    };
    let child = |part: RagdollPart| {
        let found = children(segments, i).find(|child| child.part == part);
        found.map(|child| child.joint)
    };
    let end = match segment.part {
        RagdollPart::UpperArm(side) => of(on(side, Role::LeftLowerArm)),
        RagdollPart::LowerArm(side) => of(on(side, Role::LeftHand)),
        RagdollPart::UpperLeg(side) => of(on(side, Role::LeftLowerLeg)),
        RagdollPart::LowerLeg(side) => {
            of(on(side, Role::LeftFoot)).or(child(RagdollPart::Foot(side)))
        }
        RagdollPart::Pelvis => child(RagdollPart::Spine).or(child(RagdollPart::Chest)),
        RagdollPart::Spine => child(RagdollPart::Chest),
        RagdollPart::Chest => of(Role::Neck).or(of(Role::Head)),
        RagdollPart::Neck => of(Role::Head),
        RagdollPart::Foot(side) => of(on(side, Role::LeftToes)),
        RagdollPart::Head | RagdollPart::Hand(_) => None,
        RagdollPart::Other => {
            let area = |child: &Segment| child.points.iter().map(|point| point.1).sum::<f32>();
            let largest = children(segments, i).max_by(|a, b| area(a).total_cmp(&area(b)));
            largest.map(|child| child.joint)
        }
    };
    end.filter(|end| end.distance(segment.joint) > 1e-6)
}

fn direction(anatomy: &Anatomy, segments: &[Segment], i: usize) -> Vec3 {
    let segment = &segments[i];
    let to = |position: Vec3| (position - segment.joint).try_normalize();
    let above = || {
        let parent = segment.parent.and_then(|parent| segments.get(parent))?;
        (segment.joint - parent.joint).try_normalize()
    };
    let found = match segment.part {
        RagdollPart::Pelvis | RagdollPart::Head => Some(anatomy.up),
        RagdollPart::Spine | RagdollPart::Chest | RagdollPart::Neck => segment.end.and_then(to),
        RagdollPart::Hand(side) => fingers(anatomy, side)
            .map(|[index, little]| (index + little) * 0.5)
            .and_then(to)
            .or_else(|| middle(&segment.points).and_then(to)),
        RagdollPart::Foot(_) => Some(sole(anatomy, segment)),
        _ => segment
            .end
            .and_then(to)
            .or_else(|| middle(&segment.points).and_then(to)),
    };
    found.or_else(above).unwrap_or(anatomy.up)
}

/// Direction of a foot along its sole: from ankle to toes, pitched so that the foot is flattest.
fn sole(anatomy: &Anatomy, segment: &Segment) -> Vec3 {
    let middle = middle(&segment.points);
    let ahead = segment.end.or(middle).map(|end| end - segment.joint);
    let toes = ahead.filter(|_| segment.end.is_some());
    let level = |v: Vec3| v.reject_from_normalized(anatomy.up).try_normalize();
    let heading = toes.and_then(level).unwrap_or(anatomy.forward);
    if segment.points.len() < 8 {
        return heading;
    }
    let side = anatomy.up.cross(heading);
    let tilted = |degrees: i32| Quat::from_axis_angle(side, (degrees as f32).to_radians());
    // Prefers a level sole.
    let cost = |degrees: i32| {
        let normal = tilted(degrees) * anatomy.up;
        let (low, high) = between(&segment.points, normal, 0.01);
        (high - low) * (1.0 + 0.01 * degrees.abs() as f32)
    };
    let flattest = (-8..=8).map(|step| step * 5);
    let flattest = flattest.min_by(|a, b| cost(*a).total_cmp(&cost(*b)));
    tilted(flattest.unwrap_or(0)) * heading
}

/// First joints of index and little finger, or of the fingers that replace them.
fn fingers(anatomy: &Anatomy, side: Side) -> Option<[Vec3; 2]> {
    let on = |left: Role| {
        if side == Side::Left {
            left
        } else {
            left.opposite()
        }
    };
    let first = |roles: [Role; 3]| roles.into_iter().find_map(|r| anatomy.position_of(on(r)));
    use Role as R;
    let index = first([
        R::LeftIndexProximal,
        R::LeftMiddleProximal,
        R::LeftRingProximal,
    ])?;
    let little = first([
        R::LeftLittleProximal,
        R::LeftRingProximal,
        R::LeftMiddleProximal,
    ])?;
    Some([index, little])
}

/// Component of a direction perpendicular to another, unit length; `None` if it is too short.
fn across(direction: Vec3, along: Vec3) -> Option<Vec3> {
    let rest = direction.reject_from_normalized(along);
    (rest.length() > 0.2).then(|| rest.normalize())
}

fn front(anatomy: &Anatomy, segments: &[Segment], i: usize) -> Vec3 {
    let segment = &segments[i];
    let dir = segment.dir;
    let first = |target: [Vec3; 3]| target.into_iter().find_map(|v| across(v, dir));
    let (up, forward) = (anatomy.up, anatomy.forward);
    let found = match segment.part {
        RagdollPart::UpperArm(side) => {
            let below = segments
                .iter()
                .find(|s| s.part == RagdollPart::LowerArm(side));
            let natural = first([forward, up, anatomy.left]);
            below.map_or(natural, |below| bent(dir, below.dir, natural, 1.0))
        }
        RagdollPart::LowerArm(side) => {
            let natural = first([forward, up, anatomy.left]);
            let above = segments
                .iter()
                .find(|s| s.part == RagdollPart::UpperArm(side));
            above.map_or(natural, |above| {
                carried(anatomy, segments, above, dir, natural)
            })
        }
        RagdollPart::UpperLeg(side) => {
            let natural = toes(anatomy, segments, side, dir).or(first([forward, -up, up]));
            let below = segments
                .iter()
                .find(|s| s.part == RagdollPart::LowerLeg(side));
            below.map_or(natural, |below| bent(dir, below.dir, natural, -1.0))
        }
        RagdollPart::LowerLeg(side) => {
            let natural = toes(anatomy, segments, side, dir).or(first([forward, -up, up]));
            let above = segments
                .iter()
                .find(|s| s.part == RagdollPart::UpperLeg(side));
            above.map_or(natural, |above| {
                carried(anatomy, segments, above, dir, natural)
            })
        }
        RagdollPart::Hand(side) => {
            palm(anatomy, segment, side).or(first([-up, forward, anatomy.left]))
        }
        RagdollPart::Foot(_) | RagdollPart::Other => first([up, forward, anatomy.left]),
        _ => first([forward, up, anatomy.left]),
    };
    found.unwrap_or_else(|| dir.any_orthonormal_vector())
}

/// Front of a limb's first half: the direction in which its second half is bent (`sign` 1) or the opposite (-1), if the bend
/// is visible and natural.
fn bent(dir: Vec3, below: Vec3, natural: Option<Vec3>, sign: f32) -> Option<Vec3> {
    let out = below.reject_from_normalized(dir);
    let seen = dir.angle_between(below) >= VISIBLE_BEND;
    let front = out.try_normalize().map(|out| out * sign);
    let is_natural = |front: &Vec3| natural.is_none_or(|natural| front.dot(natural) > -0.2);
    front.filter(|front| seen && is_natural(front)).or(natural)
}

/// Front of a limb's second half: that of the first half, rotated about the same axis.
fn carried(
    anatomy: &Anatomy,
    segments: &[Segment],
    above: &Segment,
    dir: Vec3,
    natural: Option<Vec3>,
) -> Option<Vec3> {
    let i = segments
        .iter()
        .position(|segment| segment.bone == above.bone)?;
    let axis = above.dir.cross(front(anatomy, segments, i));
    axis.cross(dir).try_normalize().or(natural)
}

/// Direction of the toes of a leg, perpendicular to a direction of that leg.
fn toes(anatomy: &Anatomy, segments: &[Segment], side: Side, dir: Vec3) -> Option<Vec3> {
    let foot = segments
        .iter()
        .find(|s| s.part == RagdollPart::Foot(side))?;
    let ahead = across(foot.dir, dir)?;
    (ahead.dot(anatomy.forward) > 0.5).then_some(ahead)
}

/// Direction out of the palm, from the positions of the fingers.
fn palm(anatomy: &Anatomy, segment: &Segment, side: Side) -> Option<Vec3> {
    let [index, little] = fingers(anatomy, side)?;
    let back = (index - segment.joint).cross(little - segment.joint);
    let palm = if side == Side::Left { -back } else { back };
    across(palm.try_normalize()?, segment.dir)
}
