//! As much of BVH as these proofs need: the skeleton, and every channel as keys.

use galatea::anim::{Bone, BoneTracks, Clip, Interpolation, Skeleton, Track};
use galatea::math::Trs;
use glam::{Quat, Vec3};

pub fn load(text: &str) -> (Skeleton, Clip) {
    let mut words = text.split_whitespace().peekable();
    let (mut bones, mut channels): (Vec<Bone>, Vec<Vec<String>>) = (Vec::new(), Vec::new());
    let mut open: Vec<u16> = Vec::new();
    while let Some(word) = words.next() {
        match word {
            "ROOT" | "JOINT" | "End" => {
                let name = words.next().unwrap();
                let parent = open.last().copied();
                let name = match parent {
                    Some(p) if word == "End" => format!("{}_end", bones[usize::from(p)].name),
                    _ => name.to_owned(),
                };
                open.push(bones.len() as u16);
                channels.push(Vec::new());
                bones.push(Bone {
                    name,
                    parent,
                    rest: Trs::IDENTITY,
                    skinned: false,
                });
            }
            "OFFSET" => {
                let xyz: Vec<f32> = words.by_ref().take(3).map(|w| w.parse().unwrap()).collect();
                bones.last_mut().unwrap().rest.translation = Vec3::from_slice(&xyz);
            }
            "CHANNELS" => {
                let n: usize = words.next().unwrap().parse().unwrap();
                *channels.last_mut().unwrap() = words.by_ref().take(n).map(String::from).collect();
            }
            "}" => {
                open.pop();
            }
            "MOTION" => break,
            _ => {}
        }
    }
    let n: usize = words.by_ref().nth(1).unwrap().parse().unwrap();
    let step: f32 = words.by_ref().nth(2).unwrap().parse().unwrap();
    let values: Vec<f32> = words.map(|w| w.parse().unwrap()).collect();
    let width: usize = channels.iter().map(Vec::len).sum();
    let times: Vec<f32> = (0..n).map(|i| i as f32 * step).collect();
    let mut at = 0;
    let mut tracks = Vec::new();
    for (i, channels) in channels.iter().enumerate() {
        let (mut turned, mut moved) = (Vec::new(), Vec::new());
        for frame in values.chunks_exact(width).take(n) {
            let (mut q, mut v) = (Quat::IDENTITY, Vec3::ZERO);
            for (name, value) in channels.iter().zip(&frame[at..]) {
                let angle = value.to_radians();
                match name.as_str() {
                    "Xposition" => v.x = *value,
                    "Yposition" => v.y = *value,
                    "Zposition" => v.z = *value,
                    "Xrotation" => q *= Quat::from_rotation_x(angle),
                    "Yrotation" => q *= Quat::from_rotation_y(angle),
                    _ => q *= Quat::from_rotation_z(angle),
                }
            }
            turned.push(q);
            moved.push(v);
        }
        at += channels.len();
        let moves = channels.iter().any(|name| name.ends_with("position"));
        if !channels.is_empty() {
            tracks.push(BoneTracks {
                bone: i as u16,
                translation: (moves && i == 0).then(|| linear(&times, moved)),
                rotation: Some(linear(&times, turned)),
                scale: None,
            });
        }
    }
    let clip = Clip {
        name: "motion".into(),
        duration: times.last().copied().unwrap(),
        bones: tracks,
        ..Clip::default()
    };
    (Skeleton::new(bones).unwrap(), clip)
}

fn linear<T>(times: &[f32], values: Vec<T>) -> Track<T> {
    Track {
        times: times.to_vec(),
        values,
        interpolation: Interpolation::Linear,
    }
}
