//! Models with damaged numbers load, get ragdolls and fall without a panic; all their bones stay finite.

use std::sync::Arc;

use glam::{Affine3A, Mat4, Vec3};
use serde_json::{Value, json};

use super::Definition;
use galatea_asset::glb::{Buffer, U16, container};
use galatea_asset::gltf::load_slice;
use galatea_physics::ragdoll::{BodyControl, Ragdoll, RagdollSettings};
use galatea_physics::{Owner, PhysicsMaterial, PhysicsWorld};

/// Damaged values to write into the file.
const DAMAGE: [f32; 12] = [
    1e22,
    1e30,
    f32::MAX,
    -1e25,
    4.9e23,
    1e-40,
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    9.9e5,
    -1e12,
    0.0,
];
const MUTANTS: usize = 300;

/// The surface of the body: a box for each bone.
#[derive(Default)]
struct Boxes {
    positions: Vec<Vec3>,
    /// Offsets of the morph target.
    offsets: Vec<Vec3>,
    joints: Vec<u16>,
    weights: Vec<f32>,
    indices: Vec<u16>,
}

impl Boxes {
    fn new() -> Self {
        let mut all = Self::default();
        for bone in 0..3_u16 {
            let first = all.positions.len() as u16;
            for corner in 0..8 {
                let side = |bit: u32| if corner >> bit & 1 == 1 { 1.0 } else { -1.0 };
                let middle = Vec3::Y * (1.0 + 0.4 * f32::from(bone));
                all.positions
                    .push(middle + Vec3::new(side(0), side(1), side(2)) * 0.15);
                all.offsets.push(Vec3::X * 0.01);
                all.joints.extend([bone, 0, 0, 0]);
                all.weights.extend([1.0, 0.0, 0.0, 0.0]);
            }
            for [a, b, c, d] in [
                [0, 1, 3, 2],
                [4, 6, 7, 5],
                [0, 4, 5, 1],
                [2, 3, 7, 6],
                [0, 2, 6, 4],
                [1, 5, 7, 3],
            ] {
                all.indices.extend([a, b, c, a, c, d].map(|i| first + i));
            }
        }
        all
    }
}

/// A skinned body of three boxes with a morph target and a clip.
struct Body {
    document: Value,
    buffer: Buffer,
    /// Float indices (offset / 4) of all floats in the buffer.
    floats: Vec<usize>,
}

impl Body {
    fn new() -> Self {
        let mut buffer = Buffer::default();
        let Boxes {
            positions,
            offsets,
            joints,
            weights,
            indices,
        } = Boxes::new();
        let n_indices = indices.len();
        let indices = buffer.put(
            bytemuck::cast_slice(&indices),
            U16,
            "SCALAR",
            n_indices,
            None,
        );
        let joints = buffer.put(
            bytemuck::cast_slice(&joints),
            U16,
            "VEC4",
            positions.len(),
            None,
        );
        let first = buffer.bytes.len() / 4;
        let position = buffer.vectors(&positions, false, None);
        let offset = buffer.vectors(&offsets, false, None);
        let weights = buffer.floats(&weights, "VEC4", 4, None);
        let binds: Vec<f32> = (0..3)
            .flat_map(|bone| {
                let back = Vec3::NEG_Y * (1.0 + 0.4 * bone as f32);
                Mat4::from_translation(back).to_cols_array()
            })
            .collect();
        let binds = buffer.floats(&binds, "MAT4", 16, None);
        let times = buffer.floats(&[0.0, 0.5, 1.0], "SCALAR", 1, None);
        let moved = buffer.vectors(&[Vec3::Y, Vec3::Y * 1.1, Vec3::Y], false, None);
        let scaled = buffer.vectors(&[Vec3::ONE, Vec3::ONE * 1.1, Vec3::ONE], false, None);
        let turned = [0.0, 0.0, 0.0, 1.0].repeat(3);
        let turned = buffer.floats(&turned, "VEC4", 4, None);
        let weighed = buffer.floats(&[0.0, 1.0, 0.0], "SCALAR", 1, None);
        let floats = (first..buffer.bytes.len() / 4).collect();
        let document = json!({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 3]}],
            "nodes": [
                {"name": "hips", "translation": [0, 1, 0], "scale": [1, 1, 1], "children": [1]},
                {"name": "spine", "translation": [0, 0.4, 0], "rotation": [0, 0, 0, 1], "children": [2]},
                {"name": "head", "translation": [0, 0.4, 0], "scale": [1, 1, 1]},
                {"name": "body", "mesh": 0, "skin": 0},
            ],
            "skins": [{"joints": [0, 1, 2], "inverseBindMatrices": binds}],
            "meshes": [{"primitives": [{
                "attributes": {"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights},
                "indices": indices, "targets": [{"POSITION": offset}],
            }], "weights": [0.5]}],
            "animations": [{
                "name": "move",
                "samplers": [
                    {"input": times, "output": moved}, {"input": times, "output": scaled},
                    {"input": times, "output": turned}, {"input": times, "output": weighed},
                ],
                "channels": [
                    {"sampler": 0, "target": {"node": 0, "path": "translation"}},
                    {"sampler": 1, "target": {"node": 1, "path": "scale"}},
                    {"sampler": 2, "target": {"node": 1, "path": "rotation"}},
                    {"sampler": 3, "target": {"node": 3, "path": "weights"}},
                ],
            }],
            "bufferViews": buffer.views, "accessors": buffer.accessors,
            "buffers": [{"byteLength": buffer.bytes.len()}],
        });
        Self {
            document,
            buffer,
            floats,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        container(&self.document, &self.buffer)
    }
}

/// Deterministic pseudo-random numbers.
struct DamageDice(u64);

impl DamageDice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// Loads a file, drops its ragdoll for some ticks and checks that the bones stay finite.
fn check_file(bytes: &[u8], label: &str) {
    let Ok(model) = load_slice("body", bytes, &mut |name| Err(name.into())) else {
        return;
    };
    let definition = Definition::new(Arc::new(model));
    let [low, high] = definition.rest_box;
    let size = high - low;
    assert!(
        size.is_finite() && size.max_element() < 1e7,
        "{label}: {size}"
    );
    let skeleton = &definition.model.skeleton;
    let bones: Vec<Affine3A> = (0..skeleton.len() as u16)
        .map(|bone| definition.rest_matrix(bone))
        .collect();
    assert!(bones.iter().all(|bone| bone.is_finite()), "{label}");
    let mut world = PhysicsWorld::new();
    world.set_gravity(Vec3::NEG_Y * 9.81);
    let surface = PhysicsMaterial::new("stone", 0.7, 0.0);
    world.set_floor(Some((0.0, &surface)));
    let settings = RagdollSettings::default();
    let mut ragdoll = Ragdoll::new(definition.ragdoll().clone(), settings);
    ragdoll.set_all(BodyControl::Limp);
    let locals: Vec<_> = skeleton.rest().collect();
    let mut touches = Vec::new();
    for _ in 0..8 {
        ragdoll.aim(Affine3A::IDENTITY, &bones, 1.0);
        ragdoll.before_step(&mut world, Owner(1), &surface, 1.0 / 60.0);
        world.step(1.0 / 60.0, &mut touches);
        touches.clear();
        ragdoll.after_step(&mut world);
        let (mut pose, mut matrices) = (locals.clone(), bones.clone());
        ragdoll.pose(Affine3A::IDENTITY, skeleton, &mut pose, &mut matrices);
        assert!(matrices.iter().all(|bone| bone.is_finite()), "{label}");
    }
}

#[test]
fn damaged_floats_do_not_reach_the_physics() {
    let sound = Body::new();
    check_file(&sound.bytes(), "undamaged");
    let mut dice = DamageDice(0x9E37_79B9_7F4A_7C15);
    for mutant in 0..MUTANTS {
        let mut body = Body::new();
        let mut label = format!("mutant {mutant}:");
        for _ in 0..=dice.below(3) {
            let at = body.floats[dice.below(body.floats.len())];
            let value = DAMAGE[dice.below(DAMAGE.len())];
            body.buffer.bytes[at * 4..at * 4 + 4].copy_from_slice(&value.to_le_bytes());
            label.push_str(&format!(" float {at} = {value:e}"));
        }
        check_file(&body.bytes(), &label);
    }
}

#[test]
fn damaged_transforms_of_nodes_do_not_reach_the_physics() {
    for (node, field) in [
        (0, "translation"),
        (0, "scale"),
        (1, "translation"),
        (1, "rotation"),
        (2, "scale"),
    ] {
        for value in DAMAGE.into_iter().filter(|value| value.is_finite()) {
            for axis in 0..3 {
                let mut body = Body::new();
                body.document["nodes"][node][field][axis] = json!(value);
                // Scales of a chain multiply.
                body.document["nodes"][2]["scale"] = json!([value, value, value]);
                check_file(
                    &body.bytes(),
                    &format!("{field} of node {node} is {value:e}"),
                );
            }
        }
    }
}
