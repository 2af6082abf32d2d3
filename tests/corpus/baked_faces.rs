//! Faces from shapes: baked and morphed results are equal, eyes stay in their sockets, and random faces differ.

use std::path::Path;
use std::sync::Arc;

use galatea::anim::{Bone, Skeleton};
use galatea::asset::Model;
use galatea::asset::gltf::load;
use galatea::asset::model::{Influences, Material, Mesh, MorphTarget, Part, Primitive, Skin};
use galatea::character::{Character, Definition, FaceShapeWeights, Placement};
use galatea::deform::{Deformed, Deformer};
use galatea::face::{FaceShape, Generation, ShapeRequest};
use galatea::math::Trs;
use glam::{Mat4, Quat, Vec2, Vec3};

use crate::files::corpus;

const EYE: Vec3 = Vec3::new(0.03, 1.60, 0.08);
const BALL: f32 = 0.012;
const HUMAN: &str = "02_faces_lipsync/mpfb-cc0-human-DERIVED/mpfb_cc0_human.glb";

fn joined(bone: u16, n: usize) -> Influences {
    Influences {
        per_vertex: 4,
        joints: (0..n).flat_map(|_| [bone, 0, 0, 0]).collect(),
        weights: (0..n).flat_map(|_| [1.0, 0.0, 0.0, 0.0]).collect(),
    }
}

/// Points of a sphere.
fn ball(middle: Vec3) -> Vec<Vec3> {
    let all = (-2..=2).flat_map(|i| (0..12).map(move |k| (i, k)));
    let all = all.map(|(i, k)| {
        let (up, turn) = (i as f32 * 0.6_f32, k as f32 / 12.0 * std::f32::consts::TAU);
        Vec3::new(up.cos() * turn.cos(), up.sin(), up.cos() * turn.sin())
    });
    all.map(|n| middle + n * BALL).collect()
}

/// A flat face with two eye bones. Targets: `shape.spacing` moves each half outwards without the eyeball, or with it if the
/// eyes have targets of their `own`; `shape.eyes` enlarges eyes and lids; `smile` moves the face forward.
fn bust(own: bool) -> Model {
    let bone = |name: &str, parent, place: Vec3| Bone {
        name: name.into(),
        parent,
        rest: Trs::from_translation(place),
        skinned: true,
    };
    let right = EYE * Vec3::new(-1.0, 1.0, 1.0);
    let head = Vec3::new(0.0, 1.5, 0.0);
    let skeleton = Skeleton::new(vec![
        bone("hips", None, Vec3::Y * 0.9),
        bone("spine", Some(0), Vec3::Y * 0.2),
        bone("neck", Some(1), Vec3::Y * 0.3),
        bone("head", Some(2), Vec3::Y * 0.1),
        bone("left_eye", Some(3), EYE - head),
        bone("right_eye", Some(3), right - head),
    ]);
    let places = [0.9, 1.1, 1.4].map(|y| Vec3::Y * y);
    let places = places.into_iter().chain([head, EYE, right]);
    let grid = (-8..=8).flat_map(|x| (-8..=8).map(move |y| (x as f32, y as f32)));
    let skin: Vec<Vec3> = grid
        .map(|(x, y)| Vec3::new(x * 0.01, 1.58 + y * 0.01, 0.09))
        .collect();
    let n = skin.len();
    let out = |p: &Vec3| Vec3::X * 0.008 * p.x.signum() * (p.x.abs() / 0.01).min(1.0);
    let lids = |p: &Vec3| {
        let eye = Vec3::new(EYE.x * p.x.signum(), EYE.y, p.z);
        (*p - eye) * 0.2 * (-(p.distance(eye) / 0.02).powi(2)).exp()
    };
    let target = |positions: Vec<Vec3>| MorphTarget {
        normals: positions.iter().map(|p| *p * 30.0).collect(),
        positions,
        ..MorphTarget::default()
    };
    let face = Primitive {
        normals: vec![Vec3::Z; n],
        uv0: vec![Vec2::ZERO; n],
        influences: joined(3, n),
        targets: vec![
            target(skin.iter().map(out).collect()),
            target(skin.iter().map(lids).collect()),
            target(vec![Vec3::new(0.0, 0.002, 0.004); n]),
        ],
        indices: (0..n as u32 / 3 * 3).collect(),
        positions: skin,
        ..Primitive::default()
    };
    let eye = |middle: Vec3, bone: u16| {
        let positions = ball(middle);
        let n = positions.len();
        let grown = positions.iter().map(|p| (*p - middle) * 0.2);
        let targets = if own {
            vec![
                target(vec![out(&middle); n]),
                target(grown.collect()),
                MorphTarget::default(),
            ]
        } else {
            vec![MorphTarget::default(); 3]
        };
        Primitive {
            normals: positions
                .iter()
                .map(|p| (*p - middle).normalize())
                .collect(),
            uv0: vec![Vec2::ZERO; n],
            influences: joined(bone, n),
            targets,
            indices: (0..n as u32 / 3 * 3).collect(),
            positions,
            ..Primitive::default()
        }
    };
    Model {
        uid: 77,
        name: "bust".into(),
        skeleton: Arc::new(skeleton.unwrap()),
        skins: vec![Skin {
            name: String::new(),
            joints: (0..6).collect(),
            inverse_bind: places.map(|place| Mat4::from_translation(-place)).collect(),
        }],
        meshes: vec![Mesh {
            name: "face".into(),
            primitives: vec![face, eye(EYE, 4), eye(right, 5)],
            morph_names: ["shape.spacing", "shape.eyes", "smile"]
                .map(String::from)
                .to_vec(),
        }],
        parts: vec![Part {
            name: "face".into(),
            bone: 0,
            mesh: 0,
            skin: Some(0),
            morph_weights: vec![0.0; 3],
            ..Part::default()
        }],
        materials: vec![Material::default()],
        ..Model::default()
    }
}

fn standing(definition: &Arc<Definition>) -> Character {
    let placement = Placement::default();
    Character::new(
        "one".into(),
        "one.glb".into(),
        definition.clone(),
        placement,
    )
}

/// Every vertex as it is drawn, by primitives.
fn drawn(one: &mut Character, turn: Quat, show: &[(usize, f32)]) -> Vec<Deformed> {
    one.posed.morph_overrides = show.to_vec();
    one.evaluate_pose(0.0);
    let definition = one.definition.clone();
    for eye in definition
        .gaze_rig()
        .ok()
        .iter()
        .flat_map(|rig| rig.eyes.iter().flatten())
    {
        let mut locals = one.posed.pose.locals.clone();
        locals[usize::from(eye.bone)].rotation *= turn;
        one.posed.pose.locals = locals;
    }
    let skeleton = &definition.model.skeleton;
    galatea::anim::local_to_model(
        skeleton,
        &one.posed.pose.locals,
        &mut one.posed.model_from_bone,
    );
    one.build();
    let mut all = Vec::new();
    let mut deformer = Deformer::default();
    for ((part, start), morphs) in definition
        .model
        .parts
        .iter()
        .zip(&definition.layout.part_start)
        .zip(&definition.morph_start)
    {
        for primitive in &definition.model.meshes[part.mesh].primitives {
            let mut out = Deformed::default();
            let weights = &one.skin.morphs[0][*morphs..*morphs + part.morph_weights.len()];
            let palette = &one.skin.palette[0][*start as usize..];
            deformer.deform(primitive, weights, palette, part.skinning, &mut out);
            all.push(out);
        }
    }
    all
}

fn give(one: &mut Character, weights: &[(&str, f32)]) {
    let definition = &one.definition;
    let likeness = one.appearance.face_shapes_mut(definition);
    let set = likeness.set().clone();
    let found = weights
        .iter()
        .map(|(name, w)| (set.find(name).unwrap(), *w));
    likeness.set_weights(definition, found);
}

fn baked(one: &Character) -> Arc<Definition> {
    let face = one
        .appearance
        .face_shapes
        .as_ref()
        .unwrap()
        .bake(&one.definition);
    for primitive in &face.primitives {
        for normal in &primitive.normals {
            assert!((normal.length() - 1.0).abs() < 1e-5, "{normal}");
        }
    }
    Arc::new(Definition::new(Arc::new(
        face.model(&one.definition.model, 78),
    )))
}

/// The largest distance relative to the size of the first, and the largest angle between normals, radians.
fn apart(a: &[Deformed], b: &[Deformed]) -> (f32, f32) {
    let all = a.iter().flat_map(|d| &d.positions);
    let (low, high) = all.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| {
        (low.min(*p), high.max(*p))
    });
    let (mut far, mut angle) = (0.0_f32, 0.0_f32);
    for (a, b) in a.iter().zip(b) {
        assert_eq!(a.positions.len(), b.positions.len());
        for (a, b) in a.positions.iter().zip(&b.positions) {
            far = far.max(a.distance(*b));
        }
        for (a, b) in a.normals.iter().zip(&b.normals) {
            angle = angle.max(a.angle_between(*b));
        }
    }
    (far / (high - low).max_element(), angle)
}

#[test]
fn eyes_go_with_their_sockets_and_turn_about_their_middles() {
    let turn = Quat::from_rotation_y(0.6) * Quat::from_rotation_x(0.3);
    for own in [false, true] {
        let definition = Arc::new(Definition::new(Arc::new(bust(own))));
        let mut one = standing(&definition);
        give(&mut one, &[("spacing", 1.0), ("eyes", 1.0)]);
        let size = if own { 1.2 * BALL } else { BALL };
        for turn in [Quat::IDENTITY, turn] {
            let shown = drawn(&mut one, turn, &[]);
            for (primitive, side) in [(1, 1.0), (2, -1.0)] {
                let middle = Vec3::new(side * (EYE.x + 0.008), EYE.y, EYE.z);
                for p in &shown[primitive].positions {
                    let off = (p.distance(middle) - size).abs();
                    assert!(off < 2e-4, "own {own}, {turn}: {off} m");
                }
            }
        }
        let bone = definition.model.skeleton.find("left_eye").unwrap();
        let off = one
            .posed
            .bone_position(bone)
            .distance(EYE + Vec3::X * 0.008);
        assert!(off < 2e-4, "{off}");
    }
}

#[test]
fn a_baked_face_is_the_shaped_one_also_under_expressions_and_with_turned_eyes() {
    for own in [false, true] {
        let definition = Arc::new(Definition::new(Arc::new(bust(own))));
        let mut shaped = standing(&definition);
        give(&mut shaped, &[("spacing", 0.8), ("eyes", -0.6)]);
        let new = baked(&shaped);
        let mut ordinary = standing(&new);
        for (turn, smile) in [(Quat::IDENTITY, 0.0), (Quat::from_rotation_y(0.5), 1.0)] {
            let show = [(2, smile)];
            let a = drawn(&mut shaped, turn, &show);
            let b = drawn(&mut ordinary, turn, &show);
            let (far, angle) = apart(&a, &b);
            assert!(far < 1e-4, "own {own}, smile {smile}: {far}");
            assert!(angle < if smile > 0.0 { 0.06 } else { 2e-3 }, "{angle}");
        }
        // Only the parts that shapes move are new.
        let face = shaped
            .appearance
            .face_shapes
            .as_ref()
            .unwrap()
            .bake(&definition);
        assert_eq!(face.primitives.len(), if own { 3 } else { 1 });
    }
}

/// Eyeballs and teeth in separate meshes on the head, without any target.
#[test]
fn eyeballs_and_teeth_without_targets_go_with_the_face() {
    let mut model = bust(false);
    let mut things: Vec<Primitive> = model.meshes[0].primitives.drain(1..).collect();
    let tooth = ball(Vec3::new(0.0, 1.54, 0.08));
    things.push(Primitive {
        normals: vec![Vec3::Z; tooth.len()],
        uv0: vec![Vec2::ZERO; tooth.len()],
        indices: vec![0, 1, 2],
        positions: tooth,
        ..Primitive::default()
    });
    for (i, mut thing) in things.into_iter().enumerate() {
        thing.influences = joined(3, thing.positions.len());
        thing.targets.clear();
        thing.material = if i == 2 { 2 } else { 1 };
        model.meshes.push(Mesh {
            name: if i == 2 { "Teeth" } else { "Eye" }.into(),
            primitives: vec![thing],
            morph_names: Vec::new(),
        });
        model.parts.push(Part {
            name: String::new(),
            mesh: i + 1,
            morph_weights: Vec::new(),
            ..model.parts[0].clone()
        });
    }
    model.materials = ["skin", "eyes", "teeth"]
        .map(|name| Material {
            name: name.into(),
            ..Material::default()
        })
        .to_vec();
    // The second shape is a longer face.
    model.meshes[0].morph_names[1] = "shape.long".into();
    let face = &mut model.meshes[0].primitives[0];
    let down = face
        .positions
        .iter()
        .map(|p| Vec3::Y * if p.y < 1.575 { -0.01 } else { 0.0 });
    face.targets[1].positions = down.collect();
    let definition = Arc::new(Definition::new(Arc::new(model)));
    assert_eq!(
        definition.model.meshes[3].morph_names,
        ["shape.long"],
        "nothing else moves teeth"
    );
    let rest = drawn(&mut standing(&definition), Quat::IDENTITY, &[]);
    let moved = |weights: &[(&str, f32)], primitive: usize| -> Vec<Vec3> {
        let mut one = standing(&definition);
        give(&mut one, weights);
        let shown = drawn(&mut one, Quat::IDENTITY, &[]);
        let pairs = rest[primitive]
            .positions
            .iter()
            .zip(&shown[primitive].positions);
        pairs.map(|(a, b)| *b - *a).collect()
    };
    for (eye, way) in [(1, 0.008), (2, -0.008)] {
        for by in moved(&[("spacing", 1.0)], eye) {
            assert!((by - Vec3::X * way).length() < 1e-3, "{by}");
        }
    }
    let all = moved(&[("long", 1.0)], 3);
    assert!(
        all.iter().all(|by| (*by - all[0]).length() < 1e-6),
        "teeth stay a row"
    );
    assert!((all[0].y + 0.01).abs() < 2e-3, "{}", all[0]);
    let mut shaped = standing(&definition);
    give(&mut shaped, &[("spacing", 0.7), ("long", -0.4)]);
    let mut ordinary = standing(&baked(&shaped));
    let [a, b] = [&mut shaped, &mut ordinary].map(|one| drawn(one, Quat::IDENTITY, &[]));
    assert!(apart(&a, &b).0 < 1e-4);
}

fn galatea() -> Arc<Definition> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let model = Arc::new(load(&home.join("assets/mannequin.glb")).unwrap());
    // A shared model keeps its clips, which the baked one needs.
    Arc::new(Definition::new(model.clone()))
}

fn generate(one: &mut Character, seed: u64) {
    let definition = &one.definition;
    let likeness = one.appearance.face_shapes_mut(definition);
    let how = Generation {
        seed,
        ..Generation::default()
    };
    let weights = likeness.set().generate(&how).into_iter().enumerate();
    likeness.set_weights(definition, weights);
}

#[test]
fn the_built_in_character_bakes_to_the_drawn_shape() {
    let definition = galatea();
    let mut shaped = standing(&definition);
    let smile = definition.morph_indices("smile")[0];
    for seed in 1..4 {
        generate(&mut shaped, seed);
        let mut ordinary = standing(&baked(&shaped));
        for show in [vec![], vec![(smile, 1.0)]] {
            let a = drawn(&mut shaped, Quat::from_rotation_y(0.3), &show);
            let b = drawn(&mut ordinary, Quat::from_rotation_y(0.3), &show);
            let (far, angle) = apart(&a, &b);
            assert!(far < 1e-4 && angle < 2e-3, "seed {seed}: {far} {angle}");
        }
    }
}

#[test]
fn generated_faces_are_apart_and_their_eyes_stay_between_their_lids() {
    let definition = galatea();
    let mut one = standing(&definition);
    let mut all = Vec::new();
    for seed in 0..40 {
        generate(&mut one, seed);
        all.push(drawn(&mut one, Quat::IDENTITY, &[]));
    }
    let mut least = f32::INFINITY;
    for (i, a) in all.iter().enumerate() {
        for b in &all[..i] {
            let far = a
                .iter()
                .zip(b)
                .flat_map(|(a, b)| a.positions.iter().zip(&b.positions));
            least = least.min(far.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max));
        }
    }
    println!(
        "of 40 faces the nearest two are {:.2} mm apart where they differ most",
        least * 1e3
    );
    assert!(least > 1.0e-3, "{least}");
    // The lids have the same distance from the eye's centre as in the model's own face.
    let eye = definition.model.skeleton.find("left_eye").unwrap();
    let place =
        |one: &Character| Vec3::from(one.posed.model_from_bone[usize::from(eye)].translation);
    give(&mut one, &[]);
    let nearest = |one: &mut Character| {
        let shown = drawn(one, Quat::IDENTITY, &[]);
        let middle = place(one);
        let lids = shown[0].positions.iter().map(|p| p.distance(middle));
        lids.fold(f32::INFINITY, f32::min)
    };
    let mut own = standing(&definition);
    let wanted = nearest(&mut own);
    for seed in 0..40 {
        generate(&mut one, seed);
        let found = nearest(&mut one);
        assert!(
            (found - wanted).abs() < 1.2e-3,
            "seed {seed}: {found} {wanted}"
        );
    }
}

#[test]
fn a_face_takes_nothing_from_its_model() {
    let definition = galatea();
    let (mut a, mut b) = (standing(&definition), standing(&definition));
    let before = drawn(&mut b, Quat::IDENTITY, &[]);
    generate(&mut a, 5);
    assert!(Arc::ptr_eq(&a.definition, &b.definition));
    assert_eq!(apart(&drawn(&mut b, Quat::IDENTITY, &[]), &before).0, 0.0);
    assert!(apart(&drawn(&mut a, Quat::IDENTITY, &[]), &before).0 > 1e-4);
    let face = a.appearance.face_shapes.as_ref().unwrap().bake(&definition);
    let model = definition.model.primitives();
    let all: usize = model.map(|p| p.positions.len() * 40).sum();
    assert!(face.bytes() < all, "{} of {all}", face.bytes());
}

#[test]
fn shapes_of_a_new_model_are_those_of_the_same_names() {
    let mut one = standing(&Arc::new(Definition::new(Arc::new(bust(false)))));
    give(&mut one, &[("spacing", 0.5), ("eyes", 0.25)]);
    // The next version has them in another order, and one is missing.
    let mut model = bust(false);
    let mesh = &mut model.meshes[0];
    mesh.morph_names = ["smile", "shape.brow", "shape.spacing"]
        .map(String::from)
        .to_vec();
    for primitive in &mut mesh.primitives {
        primitive.targets.rotate_left(1);
    }
    model.uid = 99;
    one.replace_definition(Arc::new(Definition::new(Arc::new(model))))
        .unwrap();
    let weights = |one: &Character| {
        let likeness: &FaceShapeWeights = one.appearance.face_shapes.as_ref().unwrap();
        let shapes: Vec<FaceShape> = likeness.set().shapes.clone();
        let names = shapes.into_iter().map(|shape| shape.name);
        names.zip(likeness.weights()).collect::<Vec<_>>()
    };
    assert_eq!(
        weights(&one),
        [("brow".into(), 0.0), ("spacing".into(), 0.5)]
    );
    one.build();
    assert_eq!(one.skin.morphs[0], [0.0, 0.0, 0.5]);
    // It returns with its previous value.
    one.replace_definition(Arc::new(Definition::new(Arc::new(bust(false)))))
        .unwrap();
    assert_eq!(
        weights(&one),
        [("spacing".into(), 0.5), ("eyes".into(), 0.25)]
    );
}

/// The human has no `shape.…`: targets of its jaw and brows replace them.
#[test]
fn the_human_of_the_corpus_takes_other_targets_as_shapes() {
    let Some(folder) = corpus() else { return };
    let model = load(&folder.join(HUMAN)).unwrap();
    let definition = Arc::new(Definition::new(Arc::new(model)));
    let mut one = standing(&definition);
    let shared = &one.definition;
    let likeness = one.appearance.face_shapes_mut(shared);
    assert!(likeness.set().shapes.is_empty());
    let wanted: Vec<ShapeRequest> = [
        "jawForward",
        "browInnerUp",
        "cheekPuff",
        "jawOpen",
        "noseSneerLeft",
    ]
    .iter()
    .map(|name| ((*name).to_owned(), Some([-0.5, 0.5])))
    .collect();
    likeness.declare_shapes(shared, wanted).unwrap();
    assert!(
        likeness
            .declare_shapes(shared, vec![("jawForwrd".into(), None)])
            .unwrap_err()
            .contains("jawForward")
    );
    generate(&mut one, 3);
    give(&mut one, &[("jawOpen", 0.5)]);
    let smile = definition.morph_indices("mouthSmileLeft")[0];
    let mut ordinary = standing(&baked(&one));
    for show in [vec![], vec![(smile, 1.0)]] {
        let a = drawn(&mut one, Quat::IDENTITY, &show);
        let b = drawn(&mut ordinary, Quat::IDENTITY, &show);
        let (far, angle) = apart(&a, &b);
        println!("human: {far:e} of the size, normals {angle} rad");
        assert!(far < 1e-4, "{far}");
    }
    // Its eyes, teeth and tongue have the same targets: the lower teeth move with the jaw.
    let rest = drawn(&mut standing(&definition), Quat::IDENTITY, &[]);
    let shown = drawn(&mut one, Quat::IDENTITY, &[]);
    let moved = |i: usize| {
        let pairs = rest[i].positions.iter().zip(&shown[i].positions);
        pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
    };
    assert!(
        moved(0) > 0.005 && moved(2) > 0.004,
        "{} {}",
        moved(0),
        moved(2)
    );
}
