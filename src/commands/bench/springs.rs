//! Secondary motion: one tick of spring bones, jiggle, cloth and ropes.

use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3};

use super::{BenchFigure, Benchmark, measure};
use galatea_anim::{Bone, Skeleton, local_to_model};
use galatea_character::{Character, Definition, Identity, Placement};
use galatea_math::Trs;
use galatea_physics::particles::{Fabric, FabricOptions, ParticleObstacle};
use galatea_rig::jiggle::{Jiggle, Jiggling};
use galatea_rig::spring::{
    ColliderShape, SpringCollider, SpringInput, SpringJoint, SpringSet, Springs, Tail,
};

pub(super) const ALL: &[(&str, Benchmark)] = &[("springs", bench)];

/// Number of hair chains, and of joints of each.
const CHAINS: u16 = 12;
const JOINTS: u16 = 5;
/// Ticks per round.
const TICKS: usize = 120;

fn bench(definition: &Arc<Definition>) -> Vec<BenchFigure> {
    let mut figures = bench_springs();
    if figures.is_empty() {
        return figures;
    }
    figures.push(bench_jiggle(definition));
    figures.push(bench_cloth(definition));
    figures.push(bench_rope());
    figures
}

/// A head with hair: a root with chains of bones below it.
fn hair() -> Result<Skeleton, galatea_anim::SkeletonError> {
    let bone = |name: String, parent, at| Bone {
        name,
        parent,
        rest: Trs::from_translation(at),
        skinned: true,
    };
    let mut bones = vec![bone("head".into(), None, Vec3::Y * 1.6)];
    for chain in 0..CHAINS {
        let turn = Quat::from_rotation_y(f32::from(chain) * 0.5);
        for joint in 0..=JOINTS {
            let above = if joint == 0 {
                0
            } else {
                bones.len() as u16 - 1
            };
            let at = turn * Vec3::new(0.02, -0.05, 0.06);
            bones.push(bone(format!("hair_{chain}_{joint}"), Some(above), at));
        }
    }
    Skeleton::new(bones)
}

fn bench_springs() -> Vec<BenchFigure> {
    let Ok(skeleton) = hair() else {
        return Vec::new();
    };
    let n_joints = usize::from(CHAINS * JOINTS);
    [0, 4]
        .into_iter()
        .map(|n_colliders| {
            let mut set = SpringSet::default();
            for i in 0..n_colliders {
                set.colliders.push(SpringCollider {
                    bone: 0,
                    shape: ColliderShape::Sphere {
                        offset: Vec3::Y * (0.05 * f32::from(i)),
                        radius: 0.08,
                        inside: false,
                    },
                });
            }
            for chain in 0..CHAINS {
                for joint in 0..JOINTS {
                    let bone = 1 + chain * (JOINTS + 1) + joint;
                    set.joints.push(SpringJoint {
                        colliders: (0..n_colliders).collect(),
                        gravity: Vec3::NEG_Y * 0.3,
                        radius: 0.02,
                        ..SpringJoint::new(bone, Tail::Bone(bone + 1))
                    });
                }
            }
            let mut springs = Springs::new(Arc::new(set), &skeleton);
            let (mut locals, mut matrices) = (Vec::new(), Vec::new());
            let mut tick = 0;
            measure(
                &format!("springs_{n_colliders}"),
                &format!("{n_joints} spring bones of a walking head, {n_colliders} colliders each"),
                "ns per bone and tick",
                TICKS * n_joints,
                || {
                    for _ in 0..TICKS {
                        tick += 1;
                        locals.clear();
                        locals.extend(skeleton.rest());
                        local_to_model(&skeleton, &locals, &mut matrices);
                        let sway = (tick as f32 * 0.1).sin();
                        springs.advance(&mut SpringInput {
                            skeleton: &skeleton,
                            locals: &mut locals,
                            model_from_bone: &mut matrices,
                            world_from_model: Affine3A::from_rotation_y(sway),
                            dt: 1.0 / 60.0,
                            wind: &|_| Vec3::X,
                        });
                    }
                    std::hint::black_box(&matrices);
                },
            )
        })
        .collect()
}

fn bench_jiggle(definition: &Arc<Definition>) -> BenchFigure {
    let skeleton = &definition.model.skeleton;
    let bone = skeleton.find("head").unwrap_or(0);
    let mut jiggling = Jiggling::new(Jiggle {
        bone,
        tip: Some(Vec3::Y * 0.1),
        frequency: 3.0,
        damping: 0.3,
        limit: Vec3::splat(0.4),
    });
    let (mut locals, mut matrices): (Vec<Trs>, _) = (skeleton.rest().collect(), Vec::new());
    local_to_model(skeleton, &locals, &mut matrices);
    let mut tick = 0;
    measure(
        "jiggle",
        "a jiggle bone without children",
        "ns per bone and tick",
        TICKS,
        || {
            for _ in 0..TICKS {
                tick += 1;
                let sway = Vec3::X * (tick as f32 * 0.1).sin();
                jiggling.advance(
                    &mut SpringInput {
                        skeleton,
                        locals: &mut locals,
                        model_from_bone: &mut matrices,
                        world_from_model: Affine3A::from_translation(sway),
                        dt: 1.0 / 60.0,
                        wind: &|_| Vec3::ZERO,
                    },
                    &[],
                );
            }
            std::hint::black_box(&matrices);
        },
    )
}

/// A cape of 15 by 18 particles on the built-in character.
fn bench_cloth(definition: &Arc<Definition>) -> BenchFigure {
    let (columns, rows) = (15, 18);
    let lanes: Vec<Vec<Vec3>> = (0..columns)
        .map(|c| {
            let x = (c as f32 - 7.0) * 0.04;
            (0..rows)
                .map(|r| Vec3::new(x, 1.4 - r as f32 * 0.06, -0.16))
                .collect()
        })
        .collect();
    let mut cloth = Fabric::new(&lanes, FabricOptions::default());
    let pins: Vec<u32> = cloth
        .lanes
        .iter()
        .filter_map(|lane| lane.first().copied())
        .collect();
    cloth.hold(&pins);
    cloth.pins = pins.iter().map(|i| (*i, cloth.rest_of(*i))).collect();
    let mut body: Vec<ParticleObstacle> = Vec::new();
    let placement = Placement::default();
    let mut character: Character = Character::new(
        Identity::default(),
        "".into(),
        definition.clone(),
        placement,
    );
    character.evaluate_pose(0.0);
    character.body.add_obstacles(
        &character.definition,
        &character.posed,
        |_| false,
        &mut body,
    );
    measure(
        "cloth",
        &format!(
            "a cape of {columns} by {rows} particles in wind, {} bodies, 8 steps a tick",
            body.len()
        ),
        "ns per particle and tick",
        TICKS * columns * rows,
        || {
            for _ in 0..TICKS {
                cloth.advance(1.0 / 60.0, &body, &|_| Vec3::new(0.5, 0.0, 3.0));
            }
            std::hint::black_box(&cloth.world.particles);
        },
    )
}

fn bench_rope() -> BenchFigure {
    let n = 32;
    let lane: Vec<Vec3> = (0..n)
        .map(|i| Vec3::new(i as f32 * 0.05, 2.0, 0.0))
        .collect();
    let mut rope = Fabric::new(&[lane], FabricOptions::default());
    rope.hold(&[0]);
    rope.pins = vec![(0, Vec3::Y * 2.0)];
    measure(
        "rope",
        "a rope of 32 particles in wind, 8 steps a tick",
        "ns per particle and tick",
        TICKS * n,
        || {
            for _ in 0..TICKS {
                rope.advance(1.0 / 60.0, &[], &|_| Vec3::X);
            }
            std::hint::black_box(&rope.world.particles);
        },
    )
}
