//! Shared test data: hips on a circle, a swinging arm, and a hand.

use glam::{Quat, Vec3};

use crate::{Bone, BoneTracks, Clip, Interpolation, Skeleton, Track};
use galatea_math::Trs;

/// `hips` at 1 m, `arm` 0.5 m above, `hand` 0.6 m to the side.
pub fn rig() -> Skeleton {
    let bone = |name: &str, parent, at: Vec3| Bone {
        name: String::from(name),
        parent,
        rest: Trs::from_translation(at),
        skinned: true,
    };
    Skeleton::new(vec![
        bone("hips", None, Vec3::Y),
        bone("arm", Some(0), Vec3::Y * 0.5),
        bone("hand", Some(1), Vec3::X * 0.6),
    ])
    .expect("parents stand before children")
}

/// Hips that walk a circle (1 m/s, 0.5 rad/s, facing along it) and an arm that swings about X and Z with a period;
/// `drift` radians per second are added to the swing. 120 keys per second.
pub fn swing(seconds: f32, period: f32, drift: f32) -> Clip {
    let n = (seconds * 120.0) as usize;
    let times: Vec<f32> = (0..=n).map(|i| seconds * i as f32 / n as f32).collect();
    let position = |t: &f32| {
        let yaw = 0.5 * t;
        Vec3::new(2.0 - 2.0 * yaw.cos(), 1.0, 2.0 * yaw.sin())
    };
    let arm = |t: &f32| {
        let phase = t / period * std::f32::consts::TAU;
        let turn = Quat::from_rotation_z(0.7 * phase.sin() + drift * t);
        turn * Quat::from_rotation_y(0.4 * phase.cos())
    };
    let rotations = |values: Vec<Quat>| {
        Some(Track {
            times: times.clone(),
            values,
            interpolation: Interpolation::Linear,
        })
    };
    let tracks = |bone: u16, rotation: Option<Track<Quat>>| BoneTracks {
        bone,
        translation: None,
        rotation,
        scale: None,
    };
    let yaw = |t: &f32| Quat::from_rotation_y(0.5 * t);
    let mut hips = tracks(0, rotations(times.iter().map(yaw).collect()));
    hips.translation = Some(Track {
        times: times.clone(),
        values: times.iter().map(position).collect(),
        interpolation: Interpolation::Linear,
    });
    Clip {
        name: "swing".into(),
        duration: seconds,
        bones: vec![hips, tracks(1, rotations(times.iter().map(arm).collect()))],
        ..Clip::default()
    }
}
