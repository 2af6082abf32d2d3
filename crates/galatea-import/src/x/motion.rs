//! Animation sets: keys of frames, in ticks.

use glam::{Quat, Vec3};

use super::objects::XObject;
use super::{XReader, matrix, parts};
use crate::clip::{SceneClip, SceneTrack};

/// Ticks per second if the file does not state them (DirectX SDK, `AnimTicksPerSecond`).
const DEFAULT_TICKS_PER_SECOND: f64 = 4800.0;
/// Minimum duration of a clip, seconds. In shorter clips the times are frame numbers, which some exporters write without a
/// declaration.
const MIN_DURATION: f32 = 0.1;
/// Frames per second of such clips.
const FRAMES_PER_SECOND: f64 = 30.0;

/// Reads all animation sets.
pub fn read(reader: &mut XReader, tree: &[XObject]) -> Result<(), String> {
    let object = tree.iter().find(|object| object.is("AnimTicksPerSecond"));
    let ticks = object.and_then(|object| object.numbers.first()).copied();
    let stated = ticks.filter(|ticks| *ticks > 0.0);
    let ticks = stated.unwrap_or(DEFAULT_TICKS_PER_SECOND);
    let sets = tree.iter().filter(|object| object.is("AnimationSet"));
    for (i, set) in sets.enumerate() {
        let name = match set.name.as_str() {
            "" if i == 0 => "animation".to_owned(),
            "" => format!("animation_{}", i + 1),
            name => name.to_owned(),
        };
        let mut clip = SceneClip {
            name,
            ..SceneClip::default()
        };
        for animation in set.children.iter().filter(|child| child.is("Animation")) {
            let named = animation.references.first().cloned();
            let named = named.or_else(|| Some(animation.child("Frame")?.name.clone()));
            let Some(name) = named else {
                reader
                    .scene
                    .warnings
                    .push(animation.fault("the frame name is missing"));
                continue;
            };
            let Some(node) = reader.frames.get(&name) else {
                let text = animation.fault(&format!("unknown frame {name}"));
                reader.scene.warnings.push(text);
                continue;
            };
            clip.tracks.push(track(animation, *node, ticks)?);
        }
        let keys = clip.tracks.iter().map(SceneTrack::end).fold(0.0, f32::max);
        if stated.is_none() && keys > 0.0 && keys < MIN_DURATION {
            let longer = (DEFAULT_TICKS_PER_SECOND / FRAMES_PER_SECOND) as f32;
            clip.tracks.iter_mut().for_each(|track| track.slow(longer));
            reader.scene.warnings.push(format!(
                "{}: the file does not declare a tick rate; times are read as frames, {FRAMES_PER_SECOND} per second",
                clip.name
            ));
        }
        reader.scene.clips.push(clip);
    }
    Ok(())
}

fn track(animation: &XObject, node: usize, ticks: f64) -> Result<SceneTrack, String> {
    let mut track = SceneTrack {
        node,
        ..SceneTrack::default()
    };
    for keys in animation
        .children
        .iter()
        .filter(|child| child.is("AnimationKey"))
    {
        let mut row = keys.row();
        let kind = row.index()?;
        let n = row.count(3)?;
        for _ in 0..n {
            let t = (row.number()? / ticks) as f32;
            let n_values = row.count(1)?;
            let values: Vec<f64> = (0..n_values)
                .map(|_| row.number())
                .collect::<Result<_, _>>()?;
            if !t.is_finite() || values.iter().any(|v| !v.is_finite()) {
                return Err(keys.fault("contains NaN or infinity"));
            }
            match (kind, values.as_slice()) {
                (0, [w, x, y, z]) => track.rotations.push((t, rotation([*w, *x, *y, *z]))),
                (1, [x, y, z]) => track.scales.push((t, vector([*x, *y, *z]))),
                (2, [x, y, z]) => track.translations.push((t, vector([-*x, *y, *z]))),
                (3 | 4, values) if values.len() == 16 => {
                    let local = parts(matrix(values).map_err(|why| keys.fault(&why))?);
                    track.translations.push((t, local.translation));
                    track.rotations.push((t, local.rotation));
                    track.scales.push((t, local.scale));
                }
                (_, values) => {
                    return Err(keys.fault(&format!(
                        "a key of type {kind} cannot have {} numbers",
                        values.len()
                    )));
                }
            }
        }
    }
    ordered(&mut track.translations);
    ordered(&mut track.rotations);
    ordered(&mut track.scales);
    // Use the shorter path from key to key.
    let mut before = Quat::IDENTITY;
    for (_, rotation) in &mut track.rotations {
        if rotation.dot(before) < 0.0 {
            *rotation = -*rotation;
        }
        before = *rotation;
    }
    Ok(track)
}

fn vector(values: [f64; 3]) -> Vec3 {
    Vec3::from_array(values.map(|v| v as f32))
}

/// Converts a key: it holds w, x, y, z of the inverse rotation; the result is mirrored along x.
fn rotation([w, x, y, z]: [f64; 4]) -> Quat {
    let own = Quat::from_xyzw(-x as f32, y as f32, z as f32, w as f32);
    match own.length_squared() > 1e-12 {
        true => own.normalize(),
        false => Quat::IDENTITY,
    }
}

/// Sorts keys by time; of several keys at one time the last stays.
fn ordered<T: Copy>(keys: &mut Vec<(f32, T)>) {
    keys.sort_by(|a, b| a.0.total_cmp(&b.0));
    keys.dedup_by(|later, earlier| {
        let same = later.0 <= earlier.0;
        if same {
            earlier.1 = later.1;
        }
        same
    });
}
