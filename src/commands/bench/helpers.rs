//! Helper bones: cost of one of each kind per pose.

use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3};

use super::person::Random;
use super::{BenchFigure, Benchmark, measure};
use galatea_anim::{Bone, Skeleton, SkeletonError, local_to_model};
use galatea_character::Definition;
use galatea_math::Trs;
use galatea_rig::Posed;
use galatea_rig::helper::{DriverTarget, Example, HelperKind, HelperSpec, Helpers, Measured};

pub(super) const ALL: &[(&str, Benchmark)] = &[("helpers", bench)];

/// Arms of the rig, each with a helper.
const ARMS: usize = 32;
/// Poses per round.
const POSES: usize = 64;
/// Bones of an arm, from root to tip.
const CHAIN: [&str; 3] = ["upper", "lower", "hand"];

fn bench(_: &Arc<Definition>) -> Vec<BenchFigure> {
    let Ok(skeleton) = arms() else {
        return Vec::new();
    };
    let mut random = Random(5);
    let poses: Vec<(Vec<Trs>, Vec<Affine3A>)> = (0..POSES)
        .map(|_| {
            let mut locals: Vec<Trs> = skeleton.rest().collect();
            for local in &mut locals {
                let axis = Vec3::from_array(std::array::from_fn(|_| random.share() * 2.0 - 1.0));
                let angle = random.share() * 1.5;
                local.rotation = Quat::from_axis_angle(axis.normalize_or(Vec3::X), angle);
            }
            let mut model = Vec::new();
            local_to_model(&skeleton, &locals, &mut model);
            (locals, model)
        })
        .collect();
    let kinds = HelperKind::ALL.into_iter().map(|(name, kind)| {
        let spec = |i: usize| of_kind(kind, i);
        measured(
            &skeleton,
            &poses,
            name,
            &format!("a helper bone of kind {name:?}"),
            &spec,
        )
    });
    let cone = |i: usize| HelperSpec {
        source: Some(format!("lower_{i}")),
        measure: Some(Measured::Cone),
        output: Some(DriverTarget::Morph),
        example: Some(Example::FromRest(Vec3::new(0.0, 0.0, 60.0))),
        radius: Some(45.0),
        morph: Some("bend".into()),
        ..HelperSpec::new(HelperKind::Driver)
    };
    let what = "a morph target driven by an example rotation";
    let cones = measured(&skeleton, &poses, "cone", what, &cone);
    let all: Option<Vec<BenchFigure>> = kinds.chain([cones]).collect();
    all.unwrap_or_default()
}

/// A helper of a kind for one of the arms, with typical settings.
fn of_kind(kind: HelperKind, arm: usize) -> HelperSpec {
    let of = match kind {
        HelperKind::Twist => Some("hand"),
        HelperKind::Limit => None,
        _ => Some("lower"),
    };
    let mut spec = HelperSpec {
        bones: vec![format!("beside_{arm}")],
        source: of.map(|name| format!("{name}_{arm}")),
        ..HelperSpec::new(kind)
    };
    match kind {
        HelperKind::Fan | HelperKind::Rotation | HelperKind::Copy | HelperKind::Parent => {
            spec.weights = vec![0.5];
        }
        HelperKind::Push => {
            spec.direction = Some(Vec3::Z);
            spec.amount = Some(0.02);
        }
        HelperKind::Driver => {
            spec.measure = Some(Measured::Bend);
            spec.axis = Some(Vec3::X);
            spec.output = Some(DriverTarget::Move);
            spec.direction = Some(Vec3::Z);
            spec.curve = vec![[0.0, 0.0], [60.0, 0.01], [120.0, 0.03]];
        }
        HelperKind::Roll | HelperKind::Aim => spec.axis = Some(Vec3::Y),
        HelperKind::Limit => {
            spec.min = Some(Vec3::splat(-20.0));
            spec.max = Some(Vec3::splat(20.0));
        }
        HelperKind::Twist => {}
    }
    spec
}

/// A root with arms, and a helper bone on each upper arm.
fn arms() -> Result<Skeleton, SkeletonError> {
    let bone = |name: String, parent, at| Bone {
        name,
        parent,
        rest: Trs::from_translation(at),
        skinned: true,
    };
    let mut bones = vec![bone("root".into(), None, Vec3::Y)];
    for arm in 0..ARMS {
        let upper = bones.len() as u16;
        for (name, link) in CHAIN.into_iter().zip(0..) {
            let parent = if link == 0 { 0 } else { upper + link - 1 };
            bones.push(bone(format!("{name}_{arm}"), Some(parent), Vec3::Y * 0.3));
        }
        let beside = Vec3::new(0.03, 0.15, 0.0);
        bones.push(bone(format!("beside_{arm}"), Some(upper), beside));
    }
    Skeleton::new(bones)
}

fn measured(
    skeleton: &Skeleton,
    poses: &[(Vec<Trs>, Vec<Affine3A>)],
    name: &str,
    what: &str,
    spec: &dyn Fn(usize) -> HelperSpec,
) -> Option<BenchFigure> {
    let rest: Vec<Trs> = skeleton.rest().collect();
    let bound: Result<Vec<_>, _> = (0..ARMS)
        .map(|arm| spec(arm).bind(skeleton, &rest))
        .collect();
    let helpers = Helpers::new(bound.ok()?).ok()?;
    let mut locals = rest.clone();
    Some(measure(
        &format!("helpers_{name}"),
        what,
        "ns per helper and pose",
        POSES * ARMS,
        || {
            for (pose, model) in poses {
                locals.copy_from_slice(pose);
                let mut posed = Posed::new(skeleton, &mut locals, model);
                helpers.apply(&mut posed, 1.0, &mut |morph, weight| {
                    std::hint::black_box((morph, weight));
                });
            }
            std::hint::black_box(&locals);
        },
    ))
}
