//! Deformation of the built-in heroine: volume at elbows, knees and shoulders, and penetration of lids and lips in all
//! expressions.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use galatea::asset::Model;
use galatea::asset::model::Primitive;
use galatea::deform::{Deformed, Deformer, PaletteLayout, build_palette};
use glam::{Affine3A, Quat, Vec3};

static SHE: LazyLock<Model> = LazyLock::new(|| {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/galatea.glb");
    galatea::asset::gltf::load(&file).unwrap()
});

/// A part in a pose: vertex positions of all primitives one after the other, and triangles.
fn posed(part: &str, turn: &[(&str, Quat)], morphs: &[(&str, f32)]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let model = &*SHE;
    let turns: BTreeMap<u16, Quat> = turn
        .iter()
        .map(|(name, turn)| (model.skeleton.find(name).unwrap(), *turn))
        .collect();
    let mut bones: Vec<Affine3A> = Vec::new();
    for (i, bone) in model.skeleton.bones().iter().enumerate() {
        let parent = bone
            .parent
            .map_or(Affine3A::IDENTITY, |p| bones[usize::from(p)]);
        let turn = turns.get(&(i as u16)).copied().unwrap_or(Quat::IDENTITY);
        let own =
            Affine3A::from_rotation_translation(bone.rest.rotation * turn, bone.rest.translation);
        bones.push(parent * own);
    }
    let mut palette = Vec::new();
    build_palette(model, &bones, &mut palette);
    let at = model.parts.iter().position(|own| own.name == part);
    let at = at.unwrap_or_else(|| panic!("no part {part}"));
    let joints = |k: usize| {
        model.parts[k]
            .skin
            .map_or(1, |skin| model.skins[skin].joints.len())
    };
    let start = PaletteLayout::new(model).part_start[at] as usize;
    let mesh = &model.meshes[model.parts[at].mesh];
    let mut weights = vec![0.0; mesh.morph_names.len()];
    for (name, weight) in morphs {
        let target = mesh.morph_names.iter().position(|own| own == name);
        if let Some(target) = target {
            weights[target] = *weight;
        }
    }
    let (mut places, mut triangles) = (Vec::new(), Vec::new());
    let mut out = Deformed::default();
    for primitive in &mesh.primitives {
        let range = &palette[start..start + joints(at)];
        Deformer::default().deform(
            primitive,
            &weights,
            range,
            model.parts[at].skinning,
            &mut out,
        );
        let first = places.len() as u32;
        places.extend(&out.positions);
        triangles.extend(
            primitive
                .indices
                .chunks_exact(3)
                .map(|t| [0, 1, 2].map(|k| t[k] + first)),
        );
    }
    (places, triangles)
}

/// Welds vertices that coincide at rest.
fn welded(part: &str) -> Vec<u32> {
    let (rest, _) = posed(part, &[], &[]);
    let mut first: BTreeMap<[i32; 3], u32> = BTreeMap::new();
    let key = |p: &Vec3| (*p * 1e6).round().as_ivec3().to_array();
    let number = rest.iter().enumerate();
    number
        .map(|(i, p)| *first.entry(key(p)).or_insert(i as u32))
        .collect()
}

/// Volume of the triangles around a joint, with caps on the open ends.
fn volume(places: &[Vec3], triangles: &[[u32; 3]], apex: Vec3) -> f32 {
    let mut open: BTreeMap<(u32, u32), (u32, u32)> = BTreeMap::new();
    let mut sum = 0.0;
    for t in triangles {
        let [a, b, c] = t.map(|i| places[i as usize] - apex);
        sum += a.dot(b.cross(c)) / 6.0;
        for k in 0..3 {
            let (a, b) = (t[k], t[(k + 1) % 3]);
            if open.remove(&(b, a)).is_none() {
                open.insert((a, b), (a, b));
            }
        }
    }
    // Loops of edges with one face: each is closed by a fan around its centre.
    while let Some((_, (from, mut to))) = open.pop_first() {
        let mut rim = vec![from, to];
        while to != from {
            let next = open.keys().find(|(a, _)| *a == to).copied();
            let Some(next) = next else { break };
            open.remove(&next);
            to = next.1;
            rim.push(to);
        }
        let at: Vec<Vec3> = rim.iter().map(|i| places[*i as usize] - apex).collect();
        let middle = at.iter().sum::<Vec3>() / at.len() as f32;
        for pair in at.windows(2) {
            sum += middle.dot(pair[1].cross(pair[0])) / 6.0;
        }
    }
    sum
}

/// Fraction of its volume that a limb keeps when a bone is rotated, within a distance of the joint in metres.
fn kept(bone: &str, near: f32, turn: Quat) -> f32 {
    let model = &*SHE;
    let weld = welded("body");
    let (rest, all) = posed("body", &[], &[]);
    let mut joint = Vec3::ZERO;
    let mut at = model.skeleton.find(bone);
    while let Some(i) = at {
        let own = &model.skeleton.bones()[usize::from(i)];
        joint += own.rest.translation;
        at = own.parent;
    }
    let inside = |i: u32| rest[i as usize].distance(joint) < near;
    let mine: Vec<[u32; 3]> = all
        .iter()
        .filter(|t| t.iter().all(|i| inside(*i)))
        .map(|t| t.map(|i| weld[i as usize]))
        .collect();
    assert!(mine.len() > 60, "{bone}: {} triangles", mine.len());
    let (bent, _) = posed("body", &[(bone, turn)], &[]);
    volume(&bent, &mine, joint) / volume(&rest, &mine, joint)
}

#[test]
fn elbows_and_knees_keep_their_volume() {
    let bend =
        |axis: Vec3, degrees: f32| Quat::from_axis_angle(axis.normalize(), degrees.to_radians());
    let elbow = Vec3::new(-1.0, -1.0, 0.0);
    for (bone, axis, near, least) in [
        ("left_lower_arm", elbow, 0.10, [0.89, 0.82]),
        ("left_lower_leg", Vec3::X, 0.13, [0.94, 0.90]),
    ] {
        for (degrees, least) in [90.0, 120.0].into_iter().zip(least) {
            let kept = kept(bone, near, bend(axis, degrees));
            println!(
                "{bone} bent by {degrees}: {:.1} % of its volume",
                100.0 * kept
            );
            assert!((least..1.12).contains(&kept), "{bone} {degrees}: {kept}");
        }
    }
}

/// Triangles of the head with one material, by name.
fn of_material(material: &str) -> Vec<[u32; 3]> {
    let model = &*SHE;
    let mesh = &model.meshes[model
        .parts
        .iter()
        .find(|p| p.name == "head_mesh")
        .unwrap()
        .mesh];
    let mut first = 0;
    let mut found = Vec::new();
    let own = |primitive: &Primitive| model.materials[primitive.material].name == material;
    for primitive in &mesh.primitives {
        if own(primitive) {
            let all = primitive.indices.chunks_exact(3);
            found.extend(all.map(|t| [0, 1, 2].map(|k| t[k] + first)));
        }
        first += primitive.positions.len() as u32;
    }
    found
}

/// Names of all single expressions of her face.
fn expressions() -> Vec<String> {
    let model = &*SHE;
    let mesh = &model.meshes[model
        .parts
        .iter()
        .find(|p| p.name == "head_mesh")
        .unwrap()
        .mesh];
    // A corrective for two shapes is no expression by itself.
    let face = |name: &&String| !name.starts_with("shape.") && !name.contains("__");
    mesh.morph_names.iter().filter(face).cloned().collect()
}

/// Maximum depth of skin in an eye, metres: invisible.
const DEEP: f32 = 0.0009;
/// Rims deeper than this at rest are never visible, metres.
const TUCKED: f32 = 0.0005;

#[test]
fn lids_stay_outside_of_the_eyes() {
    let eye = |side: &str| {
        let (places, _) = posed(&format!("{side}_eyeball"), &[], &[]);
        let low = places.iter().copied().reduce(Vec3::min).unwrap();
        let high = places.iter().copied().reduce(Vec3::max).unwrap();
        // The cornea bulges by a millimetre; the parts behind are ignored.
        let radius = (high.x - low.x) / 2.0;
        let middle = ((low + high) / 2.0).with_z(high.z - radius - 0.001);
        (middle, radius)
    };
    let eyes = [eye("left"), eye("right")];
    let skin = of_material("skin");
    let (rest, _) = posed("head_mesh", &[], &[]);
    for name in expressions() {
        let (places, _) = posed("head_mesh", &[], &[(&name, 1.0)]);
        for (middle, radius) in eyes {
            // The inner rims of the lids are inside of the ball from the start.
            let depth = |p: Vec3| {
                let before = p.z > middle.z + 0.004;
                if before {
                    radius - p.distance(middle)
                } else {
                    0.0
                }
            };
            let free = skin
                .iter()
                .flatten()
                .filter(|i| depth(rest[**i as usize]) < TUCKED);
            let worst = free.map(|i| depth(places[*i as usize])).fold(0.0, f32::max);
            println!("{name}: {:.2} mm", worst * 1e3);
            assert!(worst < DEEP, "{name}: skin {:.2} mm in an eye", worst * 1e3);
        }
    }
}

#[test]
fn lips_do_not_go_through_each_other() {
    let lips = of_material("lips");
    let (rest, _) = posed("head_mesh", &[], &[]);
    let middle = {
        let all: Vec<Vec3> = lips.iter().flatten().map(|i| rest[*i as usize]).collect();
        all.iter().sum::<Vec3>() / all.len() as f32
    };
    // The upper lip is above the line of the mouth at rest.
    let upper: Vec<u32> = lips
        .iter()
        .flatten()
        .copied()
        .filter(|i| rest[*i as usize].y > middle.y + 0.001)
        .collect();
    let lower: Vec<u32> = lips
        .iter()
        .flatten()
        .copied()
        .filter(|i| rest[*i as usize].y < middle.y - 0.001)
        .collect();
    assert!(upper.len() > 100 && lower.len() > 100);
    for name in expressions() {
        let (places, _) = posed("head_mesh", &[], &[(&name, 1.0)]);
        // Columns of a millimetre in front: the top of the lower lip must not be above the bottom of the upper lip.
        let column = |i: &u32| (places[*i as usize].x * 500.0).round() as i32;
        let front = |i: &&u32| places[**i as usize].z > middle.z;
        let mut foot: BTreeMap<i32, f32> = BTreeMap::new();
        for i in upper.iter().filter(front) {
            let y = foot.entry(column(i)).or_insert(f32::MAX);
            *y = y.min(places[*i as usize].y);
        }
        let mut worst: f32 = 0.0;
        for i in lower.iter().filter(front) {
            if let Some(y) = foot.get(&column(i)) {
                worst = worst.max(places[*i as usize].y - y);
            }
        }
        assert!(
            worst < 0.0025,
            "{name}: the lower lip is {:.1} mm in the upper one",
            worst * 1e3
        );
    }
}
