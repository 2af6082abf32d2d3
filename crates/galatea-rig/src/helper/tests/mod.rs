//! Tests of each kind of helper against hand-computed cases.

mod any;
mod constraints;
mod drivers;
mod names;
mod twists;

use glam::{Affine3A, Quat, Vec3};

use super::{HelperError, HelperKind, HelperSpec, Helpers, Posed};
use galatea_anim::{Bone, Skeleton, local_to_model};
use galatea_math::Trs;

/// A skeleton and a pose.
pub struct Rig {
    pub skeleton: Skeleton,
    pub locals: Vec<Trs>,
}

/// Builds a rig in its rest pose from `(name, parent, rest)`.
pub fn rig(bones: &[(&str, Option<u16>, Trs)]) -> Rig {
    let bones = bones.iter().map(|(name, parent, rest)| Bone {
        name: (*name).into(),
        parent: *parent,
        rest: *rest,
        skinned: true,
    });
    let skeleton = Skeleton::new(bones.collect()).unwrap();
    let locals = skeleton.rest().collect();
    Rig { skeleton, locals }
}

pub fn at(x: f32, y: f32, z: f32) -> Trs {
    Trs::from_translation(Vec3::new(x, y, z))
}

pub fn turned(position: Trs, rotation: Quat) -> Trs {
    Trs {
        rotation,
        ..position
    }
}

pub fn degrees(axis: Vec3, angle: f32) -> Quat {
    Quat::from_axis_angle(axis.normalize(), angle.to_radians())
}

/// A spec of one kind for one bone.
pub fn spec(kind: HelperKind, bone: &str, of: &str) -> HelperSpec {
    HelperSpec {
        bones: vec![bone.into()],
        source: Some(of.into()),
        ..HelperSpec::new(kind)
    }
}

/// Asserts that two quaternions are the same rotation within `within` degrees.
#[track_caller]
pub fn same(a: Quat, b: Quat, within: f32) {
    let away = super::turn::angle(a.conjugate() * b).to_degrees();
    assert!(away <= within, "{a} {b}: {away} degrees apart");
}

impl Rig {
    pub fn bind(&self, specs: &[HelperSpec]) -> Result<Helpers, HelperError> {
        let rest: Vec<Trs> = self.skeleton.rest().collect();
        let helpers: Result<Vec<_>, _> = specs
            .iter()
            .map(|spec| spec.bind(&self.skeleton, &rest))
            .collect();
        Helpers::new(helpers?)
    }

    pub fn turn(&mut self, name: &str, by: Quat) {
        let bone = self.skeleton.find(name).unwrap();
        let local = &mut self.locals[usize::from(bone)];
        local.rotation = by * local.rotation;
    }

    /// Applies helpers to the pose. Returns the sums of the morph target weights by name.
    pub fn apply(&mut self, specs: &[HelperSpec]) -> Vec<(String, f32)> {
        self.apply_by(1.0, specs)
    }

    pub fn apply_by(&mut self, weight: f32, specs: &[HelperSpec]) -> Vec<(String, f32)> {
        let helpers = self.bind(specs).unwrap_or_else(|error| panic!("{error}"));
        let mut weights: Vec<(String, f32)> =
            helpers.morphs().iter().map(|m| (m.clone(), 0.0)).collect();
        let model = self.models();
        let mut posed = Posed::new(&self.skeleton, &mut self.locals, &model);
        helpers.apply(&mut posed, weight, &mut |i, weight| weights[i].1 += weight);
        weights
    }

    pub fn models(&self) -> Vec<Affine3A> {
        let mut model = Vec::new();
        local_to_model(&self.skeleton, &self.locals, &mut model);
        model
    }

    pub fn local(&self, name: &str) -> Trs {
        self.locals[usize::from(self.skeleton.find(name).unwrap())]
    }

    /// Rotation in model space, without any scale.
    pub fn rotation(&self, name: &str) -> Quat {
        let mut bone = self.skeleton.find(name);
        let mut all = Quat::IDENTITY;
        while let Some(i) = bone {
            all = self.locals[usize::from(i)].rotation * all;
            bone = self.skeleton.bones()[usize::from(i)].parent;
        }
        all
    }

    pub fn place(&self, name: &str) -> Vec3 {
        let bone = usize::from(self.skeleton.find(name).unwrap());
        self.models()[bone].translation.into()
    }
}

#[test]
fn readers_of_a_bone_run_after_its_setters_and_others_keep_their_order() {
    let rig = rig(&[
        ("root", None, at(0., 0., 0.)),
        ("a", Some(0), at(1., 0., 0.)),
        ("b", Some(0), at(2., 0., 0.)),
        ("c", Some(0), at(3., 0., 0.)),
        ("d", Some(0), at(4., 0., 0.)),
    ]);
    let rotation = |bone: &str, of: &str| spec(HelperKind::Rotation, bone, of);
    let specs = [
        rotation("d", "c"),
        rotation("c", "b"),
        rotation("b", "a"),
        spec(HelperKind::Limit, "a", "a"),
    ];
    let helpers = rig.bind(&specs).unwrap();
    let order: Vec<&str> = helpers.list().iter().map(|h| h.called()).collect();
    assert_eq!(
        order,
        [
            "limit of \"a\"",
            "rotation of \"b\"",
            "rotation of \"c\"",
            "rotation of \"d\""
        ]
    );
    let mut moved = rig;
    moved.turn("a", degrees(Vec3::X, 40.0));
    moved.apply(&specs[..3]);
    same(moved.local("d").rotation, degrees(Vec3::X, 40.0), 1e-3);
}

#[test]
fn a_cycle_is_an_error_that_names_only_its_members() {
    let rig = rig(&[
        ("root", None, at(0., 0., 0.)),
        ("a", Some(0), at(1., 0., 0.)),
        ("b", Some(0), at(2., 0., 0.)),
        ("c", Some(0), at(3., 0., 0.)),
        ("d", Some(0), at(4., 0., 0.)),
    ]);
    let rotation = |bone: &str, of: &str| spec(HelperKind::Rotation, bone, of);
    let specs = [
        rotation("d", "a"),
        rotation("a", "b"),
        rotation("b", "c"),
        rotation("c", "a"),
    ];
    let Err(HelperError::Circle { names, mut at }) = rig.bind(&specs) else {
        panic!("it is a circle");
    };
    assert_eq!(names.len(), 3);
    for bone in ["a", "b", "c"] {
        assert!(
            names.contains(&format!("rotation of {bone:?}")),
            "{names:?}"
        );
    }
    at.sort_unstable();
    assert_eq!(at, [1, 2, 3]);
    let text = HelperError::Circle { names, at }.to_string();
    assert!(text.starts_with("helpers depend on each other in a cycle: "));
    let own = rig.bind(&[rotation("a", "a")]).unwrap_err().to_string();
    assert_eq!(own, "rotation of \"a\": it depends on itself");
}

#[test]
fn an_error_names_the_helper_the_bone_and_the_nearest_right_one() {
    let rig = rig(&[
        ("root", None, at(0., 0., 0.)),
        ("forearm_twist_l", Some(0), at(1., 0., 0.)),
        ("hand_l", Some(0), at(2., 0., 0.)),
    ]);
    let wrong = rig.bind(&[spec(HelperKind::Twist, "forearm_twsit_l", "hand_l")]);
    assert_eq!(
        wrong.unwrap_err().to_string(),
        "twist of \"forearm_twsit_l\": there is no bone \"forearm_twsit_l\"; did you mean \"forearm_twist_l\"?"
    );
    let without = HelperSpec {
        source: None,
        ..spec(HelperKind::Fan, "hand_l", "")
    };
    assert_eq!(
        rig.bind(&[without]).unwrap_err().to_string(),
        "fan of \"hand_l\": field \"source\" is missing: the source bone"
    );
}

#[test]
fn a_weight_blends_and_zero_weight_changes_nothing() {
    let start = || {
        let mut rig = rig(&[
            ("root", None, at(0., 0., 0.)),
            ("between", Some(0), at(0.1, 0., 0.)),
            ("hand", Some(1), at(0.2, 0., 0.)),
            ("pad", Some(0), at(0., 0.1, 0.)),
        ]);
        rig.turn("hand", degrees(Vec3::X, 80.0));
        rig
    };
    let driver = |to: super::DriverTarget, curve: [[f32; 2]; 2]| HelperSpec {
        measure: Some(super::Measured::Bend),
        axis: Some(Vec3::X),
        direction: Some(Vec3::Y),
        output: Some(to),
        curve: curve.to_vec(),
        ..spec(HelperKind::Driver, "pad", "hand")
    };
    let specs = [
        spec(HelperKind::Twist, "between", "hand"),
        driver(super::DriverTarget::Move, [[0.0, 0.0], [80.0, 0.2]]),
        driver(super::DriverTarget::Scale, [[0.0, 1.0], [80.0, 3.0]]),
        HelperSpec {
            morph: Some("m".into()),
            ..driver(super::DriverTarget::Morph, [[0.0, 0.0], [80.0, 1.0]])
        },
    ];
    let mut rig = start();
    let weights = rig.apply_by(0.5, &specs);
    same(rig.rotation("between"), degrees(Vec3::X, 20.0), 1e-3);
    same(rig.rotation("hand"), degrees(Vec3::X, 80.0), 1e-3);
    let pad = rig.local("pad");
    assert!((pad.translation.y - 0.2).abs() < 1e-6 && (pad.scale.y - 2.0).abs() < 1e-5);
    assert!((weights[0].1 - 0.5).abs() < 1e-6);
    // The drivers read the hand before the twist counter-rotates it against its parent.
    let order = rig.bind(&specs).unwrap();
    assert_eq!(order.list()[3].called(), "twist of \"between\"");
    let mut rig = start();
    assert_eq!(rig.apply_by(0.0, &specs)[0].1, 0.0);
    assert_eq!(rig.locals, start().locals);
}
