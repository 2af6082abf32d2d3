//! A generated person of 67 bones with clips: the size that other libraries use in pose benchmarks, the same on every
//! machine.

use glam::{EulerRot, Quat, Vec3};

use galatea_anim::{Bone, BoneTracks, Clip, Interpolation, Skeleton, Track};
use galatea_math::Trs;

/// Keys per second of the clips.
const KEY_RATE: f32 = 30.0;

/// Pseudorandom numbers that are the same on every run.
pub(super) struct Random(pub(super) u64);

impl Random {
    /// A number in 0..1.
    pub(super) fn share(&mut self) -> f32 {
        // SplitMix64 (Steele, Lea, Flood 2014).
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1_u64 << 24) as f32
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.share(), self.share(), self.share()) * 2.0 - 1.0
    }
}

fn turn(angles: Vec3) -> Quat {
    Quat::from_euler(EulerRot::YXZ, angles.x, angles.y, angles.z)
}

/// Root, hips, spine, head, arms with five fingers, legs and a few loose bones, limb after limb as exporters write them.
pub(super) fn skeleton() -> anyhow::Result<Skeleton> {
    let mut random = Random(77);
    let mut bones: Vec<Bone> = Vec::new();
    let mut chain = |mut parent: Option<u16>, n: usize, length: f32| {
        for _ in 0..n {
            let i = bones.len() as u16;
            let side = random.vector() * 0.3;
            bones.push(Bone {
                name: format!("bone {i}"),
                parent,
                rest: Trs {
                    translation: Vec3::new(side.x, 1.0, side.z) * length,
                    rotation: turn(random.vector() * 0.5),
                    scale: Vec3::ONE,
                },
                skinned: true,
            });
            parent = Some(i);
        }
        parent
    };
    let root = chain(None, 1, 0.0);
    let hips = chain(root, 1, 0.9);
    let chest = chain(hips, 3, 0.15);
    chain(chest, 2, 0.12);
    for _ in 0..2 {
        let hand = chain(chest, 4, 0.2);
        for _ in 0..5 {
            chain(hand, 4, 0.03);
        }
    }
    for _ in 0..2 {
        chain(hips, 5, 0.35);
    }
    for _ in 0..2 {
        chain(chest, 1, 0.1);
    }
    Ok(Skeleton::new(bones)?)
}

/// A clip of 0.8 to 2.3 seconds in which every bone rotates and the hips move.
pub(super) fn clip(skeleton: &Skeleton, seed: u64) -> Clip {
    let mut random = Random(seed);
    let n_keys = 25 + (random.share() * 45.0) as usize;
    let times: Vec<f32> = (0..n_keys).map(|i| i as f32 / KEY_RATE).collect();
    let bones = skeleton
        .bones()
        .iter()
        .enumerate()
        .skip(1)
        .map(|(i, bone)| {
            let (size, phase) = (random.vector() * 0.5, random.vector() * 3.0);
            let speed = (random.vector() + 1.0) * 3.0;
            let rotation =
                |t: &f32| bone.rest.rotation * turn(size * (speed * t + phase).map(f32::sin));
            let place = |t: &f32| bone.rest.translation + Vec3::new(0.1 * t.sin(), 0.0, 1.2 * t);
            BoneTracks {
                bone: i as u16,
                translation: (i == 1).then(|| Track {
                    times: times.clone(),
                    values: times.iter().map(place).collect(),
                    interpolation: Interpolation::Linear,
                }),
                rotation: Some(Track {
                    times: times.clone(),
                    values: times.iter().map(rotation).collect(),
                    interpolation: Interpolation::Linear,
                }),
                scale: None,
            }
        })
        .collect();
    Clip {
        name: format!("clip {seed}"),
        duration: (n_keys - 1) as f32 / KEY_RATE,
        bones,
        ..Clip::default()
    }
}
