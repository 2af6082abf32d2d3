//! Binding: resolves the names of a spec on a skeleton at rest.

use std::f32::consts::PI;

use glam::{EulerRot, Quat, Vec3};
use smallvec::SmallVec;

use super::act::{DrivenBone, DrivenChannel, Helper, HelperAction, Measure, RelativeRotation};
use super::rest::{BonePath, Rest};
use super::turn::ResponseCurve;
use super::{DriverTarget, Example, HelperError, HelperKind, HelperSpec, Measured};
use galatea_anim::Skeleton;
use galatea_math::Trs;
use galatea_math::names::nearest_hint;

/// Maximum number of bones that one helper may read.
const MAX_READ: usize = 512;

impl HelperSpec {
    /// Resolves the bones in a skeleton whose rest pose is `rest`, parent space.
    ///
    /// # Errors
    /// Fails if a bone does not exist (the error suggests the nearest name), if a required field is missing, or if the
    /// source is a descendant of the driven bone.
    pub fn bind(&self, skeleton: &Skeleton, rest: &[Trs]) -> Result<Helper, HelperError> {
        let binder = HelperBinder {
            spec: self,
            rest: Rest {
                skeleton,
                locals: rest,
            },
        };
        let (action, reads, writes) = match self.kind {
            HelperKind::Twist => binder.twist()?,
            HelperKind::Fan => binder.fan()?,
            HelperKind::Push | HelperKind::Driver => binder.driver()?,
            HelperKind::Roll => binder.roll()?,
            HelperKind::Aim => binder.aim()?,
            HelperKind::Rotation => binder.rotation()?,
            HelperKind::Copy | HelperKind::Parent => binder.copy()?,
            HelperKind::Limit => binder.limit()?,
        };
        let mut reads: Vec<u16> = reads.into_iter().filter(|b| !writes.contains(b)).collect();
        reads.sort_unstable();
        reads.dedup();
        if reads.len() > MAX_READ {
            let n = reads.len();
            return Err(binder.unfit(format!("it depends on {n} bones; the limit is {MAX_READ}")));
        }
        Ok(Helper {
            called: self.called(),
            reads,
            writes,
            holds: action.holds(),
            action,
        })
    }
}

type BoundAction = Result<(HelperAction, Vec<u16>, SmallVec<[u16; 2]>), HelperError>;

struct HelperBinder<'a> {
    spec: &'a HelperSpec,
    rest: Rest<'a>,
}

impl HelperBinder<'_> {
    fn unfit(&self, cause: impl Into<String>) -> HelperError {
        HelperError::Unfit {
            called: self.spec.called(),
            cause: cause.into(),
        }
    }

    fn missing(&self, field: &'static str, description: &'static str) -> HelperError {
        HelperError::Missing {
            called: self.spec.called(),
            field,
            wanted: description,
        }
    }

    fn find(&self, name: &str) -> Result<u16, HelperError> {
        let skeleton = self.rest.skeleton;
        skeleton.find(name).ok_or_else(|| {
            let names = skeleton.bones().iter().map(|bone| bone.name.as_str());
            HelperError::NoBone {
                called: self.spec.called(),
                name: name.to_owned(),
                hint: nearest_hint(name, names),
            }
        })
    }

    /// The single bone that the helper drives.
    fn bone(&self) -> Result<u16, HelperError> {
        match self.spec.bones.as_slice() {
            [bone] => self.find(bone),
            [] => Err(self.missing("bone", "the bone to rotate or move")),
            _ => Err(self.unfit("it supports only one bone")),
        }
    }

    fn of(&self) -> Result<u16, HelperError> {
        let of = self.spec.source.as_ref();
        self.find(of.ok_or_else(|| self.missing("source", "the source bone"))?)
    }

    /// The driven bone and its source, which must be different.
    fn pair(&self) -> Result<(u16, u16), HelperError> {
        let (bone, of) = (self.bone()?, self.of()?);
        if bone == of {
            return Err(self.unfit("it depends on itself"));
        }
        Ok((bone, of))
    }

    fn weight(&self, default: f32) -> Result<f32, HelperError> {
        match self.spec.weights.as_slice() {
            [] => Ok(default),
            [share] => Ok(*share),
            more => Err(self.unfit(format!("{} values in \"weight\" for one bone", more.len()))),
        }
    }

    fn axis(&self) -> Result<Option<Vec3>, HelperError> {
        self.unit(self.spec.axis, "axis")
    }

    fn unit(&self, axis: Option<Vec3>, field: &str) -> Result<Option<Vec3>, HelperError> {
        let Some(axis) = axis else { return Ok(None) };
        let unit = axis.try_normalize();
        unit.map(Some)
            .ok_or_else(|| self.unfit(format!("field {field:?} has length 0")))
    }

    /// Rotation relative to rest below a frame, and the rest rotation.
    fn joint(&self, frame: Option<u16>, of: u16) -> (RelativeRotation, Quat) {
        let path = self.rest.path(frame, Some(of));
        let rest = self.rest.rotation(&path);
        let undo = rest.conjugate();
        (RelativeRotation { path, undo }, rest)
    }

    /// Frame in which the bones are evaluated: the parent of the source, or of the highest driven bone between these two.
    fn frame(&self, bones: &[u16], of: u16) -> Option<u16> {
        let between = bones
            .iter()
            .filter(|bone| self.rest.is_within(of, Some(**bone)));
        let top = between.min().copied().unwrap_or(of);
        self.rest.parent(top)
    }

    fn place(
        &self,
        frame: Option<u16>,
        bone: u16,
        of: u16,
        fraction: f32,
    ) -> Result<DrivenBone, HelperError> {
        let rest = &self.rest;
        let holds_source = rest.is_within(of, Some(bone));
        let held = match &self.spec.hold {
            Some(name) => Some(self.find(name)?),
            None => holds_source.then_some(of),
        };
        let held = held.filter(|held| *held != bone && rest.is_within(*held, Some(bone)));
        let (above, left, right) = if rest.is_within(bone, frame) {
            let above = rest.path(frame, rest.parent(bone));
            let right = rest.rotation(&above) * rest.local(bone).rotation;
            (above, Quat::IDENTITY, right)
        } else {
            let parent = rest.rotation(&rest.path(None, rest.parent(bone)));
            let turned = parent.conjugate() * rest.rotation(&rest.path(None, frame));
            let right = turned.conjugate() * rest.local(bone).rotation;
            (BonePath::new(), turned, right)
        };
        Ok(DrivenBone {
            bone,
            above,
            left,
            right,
            follows: rest.is_within(bone, Some(of)),
            held: held.and_then(|held| rest.path(Some(bone), Some(held)).first().copied()),
            weight: fraction,
        })
    }

    fn twist(&self) -> BoundAction {
        let names = &self.spec.bones;
        let of = self.of()?;
        let mut bones: SmallVec<[u16; 2]> = SmallVec::new();
        for name in names {
            let bone = self.find(name)?;
            if bone == of || bones.contains(&bone) {
                return Err(self.unfit(format!("bone {name:?} is listed twice")));
            }
            bones.push(bone);
        }
        if bones.is_empty() {
            return Err(self.missing("bone", "the bone to rotate, or a list of bones"));
        }
        let fractions: Vec<f32> = match self.spec.weights.as_slice() {
            [] => (1..=bones.len())
                .map(|i| i as f32 / (bones.len() + 1) as f32)
                .collect(),
            [fraction] => vec![*fraction; bones.len()],
            list if list.len() == bones.len() => list.to_vec(),
            list => {
                let (n, m) = (list.len(), bones.len());
                return Err(self.unfit(format!("{n} values in \"weight\" for {m} bones")));
            }
        };
        let frame = self.frame(&bones, of);
        let (joint, rest) = self.joint(frame, of);
        let positions: Result<SmallVec<[DrivenBone; 2]>, HelperError> = bones
            .iter()
            .zip(fractions)
            .map(|(bone, fraction)| self.place(frame, *bone, of, fraction))
            .collect();
        let mut positions = positions?;
        // Parents are rotated first.
        positions.sort_by_key(|position| position.bone);
        let axis = match self.axis()? {
            Some(axis) => rest * axis,
            None => self
                .twist_axis(&joint, rest, &positions, of)
                .ok_or_else(|| self.unfit("the bone has length 0; set \"axis\""))?,
        };
        let above = positions.iter().flat_map(|position| &position.above);
        let reads = above.chain(&joint.path).copied().collect();
        let action = HelperAction::Twist {
            joint,
            axis,
            middle: self.spec.middle.to_radians(),
            centers: positions,
        };
        Ok((action, reads, bones))
    }

    /// Twist axis in frame space: along the source if the helpers are its descendants, else along the vector to it.
    fn twist_axis(
        &self,
        joint: &RelativeRotation,
        rest: Quat,
        positions: &[DrivenBone],
        of: u16,
    ) -> Option<Vec3> {
        if !positions.iter().any(|position| position.follows) {
            let to = Vec3::from(self.rest.matrix(&joint.path).translation);
            if let Some(axis) = to.try_normalize() {
                return Some(axis);
            }
        }
        let held = positions.iter().find_map(|position| position.held);
        let to = held.filter(|held| self.rest.is_within(*held, Some(of)));
        let to = to.and_then(|held| {
            let path = self.rest.path(Some(of), Some(held));
            Vec3::from(self.rest.matrix(&path).translation).try_normalize()
        });
        Some(rest * to.or_else(|| self.rest.length(of))?)
    }

    fn fan(&self) -> BoundAction {
        let (bone, of) = self.pair()?;
        let frame = self.frame(&[bone], of);
        let (joint, rest) = self.joint(frame, of);
        let hinge = self.axis()?.map(|axis| rest * axis);
        let length = self.rest.length(of).map(|axis| rest * axis);
        let position = self.place(frame, bone, of, self.weight(0.5)?)?;
        let reads = joint.path.iter().chain(&position.above).copied().collect();
        let action = HelperAction::Fan {
            joint,
            hinge,
            length,
            center: position,
        };
        Ok((action, reads, SmallVec::from_slice(&[bone])))
    }

    fn driver(&self) -> BoundAction {
        let spec = self.spec;
        let of = self.of()?;
        let (joint, rest) = self.joint(self.rest.parent(of), of);
        let mut reads = vec![of];
        let is_push = spec.kind == HelperKind::Push;
        let default = match (is_push, spec.axis) {
            (true, None) => Some(Measured::Swing),
            (true, Some(_)) => Some(Measured::Bend),
            _ => None,
        };
        let by = spec.measure.or(default);
        let by = by.ok_or_else(|| self.missing("measure", "the quantity to measure"))?;
        let own = self.axis()?;
        let length = || own.or_else(|| self.rest.length(of));
        let measure = match by {
            Measured::Bend | Measured::Twist => {
                let axis = if by == Measured::Bend { own } else { length() };
                let axis =
                    axis.ok_or_else(|| self.missing("axis", "the axis of the rotation to measure"));
                let axis = rest * axis?;
                Measure::Turn { joint, axis }
            }
            Measured::Swing => Measure::Swing {
                joint,
                axis: length().map(|axis| rest * axis),
            },
            Measured::Distance => {
                let from = spec.from.as_ref();
                let from = from
                    .ok_or_else(|| self.missing("from", "the bone to measure the distance from"))?;
                let from = self.find(from)?;
                reads.extend(self.rest.up(of).chain(self.rest.up(from)));
                Measure::Distance(of, from)
            }
            Measured::Cone => {
                let example = match spec.example {
                    Some(Example::Local(example)) => example.normalize(),
                    Some(Example::FromRest(degrees)) => {
                        let Vec3 { x, y, z } = degrees * (PI / 180.0);
                        self.rest.local(of).rotation * Quat::from_euler(EulerRot::ZYX, z, y, x)
                    }
                    None => return Err(self.missing("example", "a rotation")),
                };
                let undo = example.conjugate();
                Measure::Cone { of, undo }
            }
        };
        let (channel, writes) = self.channel(is_push, by, &reads)?;
        let action = HelperAction::Drive {
            measure,
            curve: self.curve(is_push, by)?,
            channel,
        };
        Ok((action, reads, writes))
    }

    fn curve(&self, is_push: bool, by: Measured) -> Result<ResponseCurve, HelperError> {
        let spec = self.spec;
        if !spec.curve.is_empty() {
            let curve = ResponseCurve::new(&spec.curve, spec.is_smooth);
            return curve.ok_or_else(|| self.unfit("the inputs of \"curve\" are not ascending"));
        }
        let (points, is_smooth) = if is_push {
            let amount = spec
                .amount
                .ok_or_else(|| self.missing("amount", "a distance in metres"))?;
            let full = spec.full_angle.unwrap_or(90.0);
            ([[0.0, 0.0], [full, amount]], spec.is_smooth)
        } else if by == Measured::Cone {
            let radius = spec
                .radius
                .ok_or_else(|| self.missing("radius", "an angle in degrees"))?;
            ([[0.0, spec.amount.unwrap_or(1.0)], [radius, 0.0]], true)
        } else {
            return Err(self.missing("curve", "a list of pairs [input, value]"));
        };
        let curve = ResponseCurve::new(&points, is_smooth);
        curve.ok_or_else(|| self.unfit("the range has width 0"))
    }

    fn channel(
        &self,
        is_push: bool,
        by: Measured,
        reads: &[u16],
    ) -> Result<(DrivenChannel, SmallVec<[u16; 2]>), HelperError> {
        let spec = self.spec;
        let default = is_push.then_some(DriverTarget::Move);
        let default = default.or(spec.morph.as_ref().map(|_| DriverTarget::Morph));
        let to = spec.output.or(default);
        let to = to.ok_or_else(|| self.missing("output", "the property to set"))?;
        if to == DriverTarget::Morph {
            let name = spec.morph.clone();
            let name = name.ok_or_else(|| self.missing("morph", "the name of a morph target"))?;
            return Ok((DrivenChannel::Morph { name, slot: 0 }, SmallVec::new()));
        }
        let bone = self.bone()?;
        let is_fed_back = to == DriverTarget::Rotate || by == Measured::Distance;
        if is_fed_back && reads.contains(&bone) {
            return Err(self.unfit("it depends on itself"));
        }
        let along = self.unit(spec.direction, "direction")?;
        let along = |field| along.ok_or_else(|| self.missing("direction", field));
        let channel = match to {
            DriverTarget::Rotate => DrivenChannel::Turn {
                bone,
                axis: along("the axis to rotate the bone about")?,
            },
            DriverTarget::Move => DrivenChannel::Move {
                bone,
                along: along("the direction to move the bone in")?,
            },
            DriverTarget::Scale | DriverTarget::Morph => DrivenChannel::Scale {
                bone,
                along: spec.direction.unwrap_or(Vec3::ONE),
            },
        };
        Ok((channel, SmallVec::from_slice(&[bone])))
    }

    fn roll(&self) -> BoundAction {
        let (bone, of) = self.pair()?;
        let axis = self.axis()?;
        let rest = self.rest.local(bone).rotation;
        let action = HelperAction::Roll {
            bone,
            of,
            axis: axis.ok_or_else(|| self.missing("axis", "the roll axis"))?,
            rest,
            right: self.rest.local(of).rotation.conjugate() * rest,
            weight: self.weight(1.0)?,
        };
        Ok((action, vec![of], SmallVec::from_slice(&[bone])))
    }

    fn rotation(&self) -> BoundAction {
        let (bone, of) = self.pair()?;
        let action = HelperAction::Rotation {
            bone,
            of,
            undo: self.rest.local(of).rotation.conjugate(),
            rest: self.rest.local(bone).rotation,
            weight: self.weight(1.0)?,
        };
        Ok((action, vec![of], SmallVec::from_slice(&[bone])))
    }

    /// Paths to the bone's parent and to its source, which must not be a descendant of the bone.
    fn apart(&self, bone: u16, of: Option<u16>) -> Result<(BonePath, BonePath), HelperError> {
        let rest = &self.rest;
        if of.is_some_and(|of| rest.is_within(of, Some(bone))) {
            return Err(self.unfit("the source bone is below this bone"));
        }
        let parent = rest.parent(bone);
        let frame = rest.common(parent, of);
        Ok((rest.path(frame, parent), rest.path(frame, of)))
    }

    fn aim(&self) -> BoundAction {
        let (bone, of) = self.pair()?;
        let axis = self.axis()?;
        let axis =
            axis.ok_or_else(|| self.missing("axis", "the axis that points at the source bone"))?;
        let (above, to) = self.apart(bone, Some(of))?;
        let reads = above.iter().chain(&to).copied().collect();
        let rest = self.rest.local(bone).rotation;
        let action = HelperAction::Aim {
            bone,
            above,
            to,
            axis: rest * axis,
            rest,
            weight: self.weight(1.0)?,
        };
        Ok((action, reads, SmallVec::from_slice(&[bone])))
    }

    fn copy(&self) -> BoundAction {
        let bone = self.bone()?;
        let of = match &self.spec.source {
            Some(name) => Some(self.find(name)?),
            None => None,
        };
        let (above, path) = self.apart(bone, of)?;
        let reads = above.iter().chain(&path).copied().collect();
        let rest = &self.rest;
        let own = rest.local(bone);
        let position = rest.matrix(&above).transform_point3(own.translation);
        let origin = rest.matrix(&path).inverse().transform_point3(position);
        let goes_along = self.spec.kind == HelperKind::Parent;
        if goes_along && !origin.is_finite() {
            return Err(self.unfit("the source bone has scale 0 at rest"));
        }
        let action = HelperAction::Copy {
            bone,
            offset: rest.rotation(&path).conjugate() * rest.rotation(&above) * own.rotation,
            origin: goes_along.then_some(origin),
            above,
            of: path,
            weight: self.weight(1.0)?,
        };
        Ok((action, reads, SmallVec::from_slice(&[bone])))
    }

    fn limit(&self) -> BoundAction {
        let bone = self.bone()?;
        let radians = |degrees: Option<Vec3>, open: f32| {
            degrees.map_or(Vec3::splat(open), |degrees| degrees * (PI / 180.0))
        };
        let (min, max) = (radians(self.spec.min, -PI), radians(self.spec.max, PI));
        if min.cmpgt(max).any() {
            return Err(self.unfit("\"min\" is above \"max\""));
        }
        let action = HelperAction::Limit {
            bone,
            rest: self.rest.local(bone).rotation,
            min,
            max,
            weight: self.weight(1.0)?,
        };
        Ok((action, Vec::new(), SmallVec::from_slice(&[bone])))
    }
}
