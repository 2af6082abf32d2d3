//! Helper bones on whole models: the effect of a half twist, and the files of GALATEA_CORPUS.

use std::f32::consts::{PI, TAU};

use galatea::anim::{Bone, Skeleton, local_to_model};
use galatea::asset::gltf::load;
use galatea::asset::model::{Influences, Primitive};
use galatea::asset::skinning::Skinning;
use galatea::deform::{Deformed, Deformer};
use galatea::math::Trs;
use galatea::rig::Posed;
use galatea::rig::helper::{HelperKind, HelperSpec, Helpers};
use glam::{Affine3A, Quat, Vec3};

use crate::files::{corpus, files};

/// Length and radius of a sleeve, metres.
const LENGTH: f32 = 0.3;
const RADIUS: f32 = 0.05;
const RINGS: usize = 120;
const SIDES: usize = 96;

/// A closed tube along X from the elbow to the hand. Its vertices blend between `bones`, which are evenly spaced along it.
fn sleeve(bones: &[u16]) -> Primitive {
    let mut tube = Primitive::default();
    let mut influences = Influences {
        per_vertex: 2,
        ..Influences::default()
    };
    let steps = (bones.len() - 1) as f32;
    for ring in 0..=RINGS {
        let u = ring as f32 / RINGS as f32;
        let first = ((u * steps) as usize).min(bones.len() - 2);
        let weight = u * steps - first as f32;
        for side in 0..=SIDES {
            let angle = side as f32 / SIDES as f32 * TAU;
            // The last vertex of each ring is its centre, for the end caps.
            let radius = if side == SIDES { 0.0 } else { RADIUS };
            let across = Vec3::new(0.0, angle.cos(), angle.sin()) * radius;
            tube.positions.push(Vec3::X * (u * LENGTH) + across);
            tube.normals.push(Vec3::Y);
            influences.joints.extend([bones[first], bones[first + 1]]);
            influences.weights.extend([1.0 - weight, weight]);
        }
    }
    let at = |ring: usize, side: usize| (ring * (SIDES + 1) + side) as u32;
    for side in 0..SIDES {
        let next = (side + 1) % SIDES;
        for ring in 0..RINGS {
            let (a, b) = (at(ring, side), at(ring, next));
            let (c, d) = (at(ring + 1, side), at(ring + 1, next));
            tube.indices.extend([a, b, c, b, d, c]);
        }
        tube.indices
            .extend([at(0, SIDES), at(0, next), at(0, side)]);
        tube.indices
            .extend([at(RINGS, SIDES), at(RINGS, side), at(RINGS, next)]);
    }
    tube.influences = influences;
    tube
}

/// Volume of a closed mesh, cubic metres.
fn volume(positions: &[Vec3], indices: &[u32]) -> f32 {
    let corner = |i: u32| positions[i as usize].as_dvec3();
    let parts = indices
        .chunks_exact(3)
        .map(|t| corner(t[0]).dot(corner(t[1]).cross(corner(t[2]))) / 6.0);
    parts.sum::<f64>() as f32
}

/// Remaining fraction of the sleeve's volume when the hand is rotated, and its narrowest radius as a fraction.
fn left_of(bones: &[u16], angle: f32, specs: &[HelperSpec]) -> (f32, f32) {
    let bone = |name: &str, parent: Option<u16>, x: f32| Bone {
        name: name.into(),
        parent,
        rest: Trs::from_translation(Vec3::X * x),
        skinned: true,
    };
    let skeleton = Skeleton::new(vec![
        bone("lower", None, 0.0),
        bone("twist_1", Some(0), LENGTH * 0.25),
        bone("twist_2", Some(0), LENGTH * 0.5),
        bone("twist_3", Some(0), LENGTH * 0.75),
        bone("hand", Some(0), LENGTH),
    ])
    .unwrap();
    let rest: Vec<Trs> = skeleton.rest().collect();
    let mut bound = Vec::new();
    local_to_model(&skeleton, &rest, &mut bound);
    let mut locals = rest.clone();
    locals[4].rotation = Quat::from_rotation_x(angle.to_radians());
    let mut model = Vec::new();
    local_to_model(&skeleton, &locals, &mut model);
    let helpers = specs
        .iter()
        .map(|spec| spec.bind(&skeleton, &rest).unwrap());
    let helpers = Helpers::new(helpers.collect()).unwrap();
    let mut posed = Posed::new(&skeleton, &mut locals, &model);
    helpers.apply(&mut posed, 1.0, &mut |_, _| {});
    local_to_model(&skeleton, &locals, &mut model);
    let pairs = model.iter().zip(&bound);
    let palette: Vec<Affine3A> = pairs.map(|(now, rest)| *now * rest.inverse()).collect();
    let tube = sleeve(bones);
    let mut out = Deformed::default();
    Deformer::default().deform(&tube, &[], &palette, Skinning::Linear, &mut out);
    let rims = out.positions.chunks_exact(SIDES + 1);
    let radii = rims.map(|ring| ring[0].with_x(0.0).length());
    (
        volume(&out.positions, &tube.indices) / volume(&tube.positions, &tube.indices),
        radii.fold(f32::MAX, f32::min) / RADIUS,
    )
}

/// Linear skinning between two bones rotated by `angle` against each other. At fraction `u` the squared radius is 1 - 2u(1 -
/// u)(1 - cos); its mean is 1 - (1 - cos) / 3.
fn expected(angle: f32) -> (f32, f32) {
    let gone = 1.0 - angle.to_radians().cos();
    (1.0 - gone / 3.0, (1.0 - gone / 2.0).max(0.0).sqrt())
}

#[test]
fn half_twists_keep_a_forearm_from_folding_like_a_sweet_paper() {
    let twist = |bones: &[&str]| HelperSpec {
        bones: bones.iter().map(|bone| (*bone).to_owned()).collect(),
        source: Some("hand".into()),
        ..HelperSpec::new(HelperKind::Twist)
    };
    let close = |found: (f32, f32), want: (f32, f32)| {
        assert!(
            (found.0 - want.0).abs() < 2e-3,
            "volume: {found:?} {want:?}"
        );
        assert!(
            (found.1 - want.1).abs() < 2e-3,
            "radius: {found:?} {want:?}"
        );
    };
    let angle = 170.0;
    let without = left_of(&[0, 4], angle, &[]);
    let one = left_of(&[0, 2, 4], angle, &[twist(&["twist_2"])]);
    let three = ["twist_1", "twist_2", "twist_3"];
    let three = left_of(&[0, 1, 2, 3, 4], angle, &[twist(&three)]);
    close(without, expected(angle));
    close(one, expected(angle / 2.0));
    close(three, expected(angle / 4.0));
    // A third of the volume remains without helpers, nine tenths with three; the waist grows from almost nothing.
    assert!(without.0 < 0.34 && one.0 > 0.69 && three.0 > 0.91);
    assert!(without.1 < 0.09 && one.1 > 0.73 && three.1 > 0.93);
    // The same weights without helpers collapse as before, over a shorter distance.
    let unhelped = left_of(&[0, 2, 4], angle, &[]);
    assert!(unhelped.1 < 0.09, "{unhelped:?}");
}

/// Pseudorandom numbers in -1..1.
struct RandomSource(u64);

impl RandomSource {
    fn next(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ((self.0 >> 40) as f32 / (1 << 24) as f32) * 2.0 - 1.0
    }
}

#[test]
fn corpus_constraints_and_twists_found_by_name_fit_and_stay_finite_in_any_pose() {
    let Some(corpus) = corpus() else {
        return;
    };
    let paths = files(&corpus.join("03_vrm"), &["vrm", "gltf", "glb", "vrma"]);
    let mut chance = RandomSource(11);
    let (mut n_models, mut n_constraints, mut n_gazes) = (0, 0, 0);
    for path in &paths {
        let Ok(model) = load(path) else { continue };
        n_models += 1;
        n_constraints += model.constraints.len();
        n_gazes += usize::from(model.look_at.is_some());
        let skeleton = &model.skeleton;
        let rest: Vec<Trs> = skeleton.rest().collect();
        let (humanoid, _) = model.humanoid();
        let found = HelperSpec::found_in(skeleton, &rest, &humanoid, |_| false);
        let specs = model.constraints.iter().chain(&model.helpers).chain(&found);
        let bound = specs.map(|spec| spec.bind(skeleton, &rest).unwrap());
        let helpers = Helpers::new(bound.collect()).unwrap();
        for _ in 0..20 {
            let mut locals = rest.clone();
            for local in &mut locals {
                let [x, y, z] = [0; 3].map(|_| chance.next() * PI);
                local.rotation *= Quat::from_euler(glam::EulerRot::XYZ, x, y, z);
            }
            let mut matrices = Vec::new();
            local_to_model(skeleton, &locals, &mut matrices);
            let mut posed = Posed::new(skeleton, &mut locals, &matrices);
            helpers.apply(&mut posed, 1.0, &mut |_, _| {});
            local_to_model(skeleton, &locals, &mut matrices);
            let sound = matrices.iter().all(|m| m.is_finite());
            assert!(sound, "{}", path.display());
            let unit = locals
                .iter()
                .all(|l| (l.rotation.length() - 1.0).abs() < 1e-5);
            assert!(unit, "{}", path.display());
        }
    }
    assert!(n_models > 40, "{n_models}");
    assert!(n_constraints >= 2, "{n_constraints}");
    assert!(n_gazes > 20, "{n_gazes}");
}

#[test]
fn corpus_the_cubes_of_three_vrm_roll_and_turn_after_the_first() {
    let Some(corpus) = corpus() else {
        return;
    };
    let file = "03_vrm/three-vrm/three-vrm-node-constraint/examples/models/cubes.gltf";
    let model = load(&corpus.join(file)).unwrap();
    let told = |warning: &String| warning.contains("onstraint");
    assert!(!model.warnings.iter().any(told), "{:?}", model.warnings);
    let kinds: Vec<&str> = model.constraints.iter().map(|c| c.kind.name()).collect();
    assert_eq!(kinds, ["roll", "rotation"]);
    let skeleton = &model.skeleton;
    let rest: Vec<Trs> = skeleton.rest().collect();
    let bound = model.constraints.iter().map(|c| c.bind(skeleton, &rest));
    let helpers = Helpers::new(bound.map(Result::unwrap).collect()).unwrap();
    let source = skeleton.find(model.constraints[0].source.as_ref().unwrap());
    let mut locals = rest.clone();
    let turn = Quat::from_rotation_y(1.0) * Quat::from_rotation_x(0.4);
    locals[usize::from(source.unwrap())].rotation = turn;
    let mut matrices = Vec::new();
    local_to_model(skeleton, &locals, &mut matrices);
    helpers.apply(
        &mut Posed::new(skeleton, &mut locals, &matrices),
        1.0,
        &mut |_, _| {},
    );
    let found = |i: usize| {
        let bone = skeleton.find(&model.constraints[i].bones[0]).unwrap();
        locals[usize::from(bone)].rotation
    };
    // All are straight at rest; the roll is about Y, the rotation has half of it.
    let roll = Quat::from_rotation_y(1.0);
    assert!(found(0).dot(roll).abs() > 1.0 - 1e-6, "{}", found(0));
    let half = Quat::IDENTITY.slerp(turn, 0.5);
    assert!(found(1).dot(half).abs() > 1.0 - 1e-6, "{}", found(1));
}
