//! DeepMimic motions (Peng et al., "DeepMimic", 2018): JSON of 44 numbers per frame for one fixed
//! humanoid.
//!
//! Callers: `asset::clips`, `commands` (the `clip` command). A frame consists of the duration in seconds, the root's
//! position and rotation (w x y z), then each joint's rotation: a quaternion for ball joints, an angle about the hinge for
//! knees and elbows. In the file +Y is up, the figure faces +X and its right is +Z. The loader rotates it to face +Z.
//!
//! Invariants: no input causes a panic; the result has finite numbers and unit rotations.

use std::f32::consts::FRAC_PI_2;

use glam::{Quat, Vec3};
use serde_json::Value;

use galatea_anim::{Bone, BoneTracks, Clip, Interpolation, Skeleton, Track};
use galatea_math::Trs;
use galatea_math::data_fault::DataFault;

/// Error: the text is not a DeepMimic motion.
#[derive(Debug, thiserror::Error)]
pub enum DeepMimicError {
    /// The text is not JSON.
    #[error(
        "Galatea reads .txt and .json files as motion capture in DeepMimic's format, which is JSON, but this file is \
         not: {0}"
    )]
    Json(DataFault),
    /// The JSON has no frames.
    #[error("the file has no list \"Frames\"; it is not a DeepMimic motion")]
    NoFrames,
    /// A frame has the wrong number of values.
    #[error("line {line}: frame {frame} has {found} numbers; expected {WIDTH}")]
    Width {
        /// Line on which the frame begins, counted from 1.
        line: usize,
        /// Index of the frame, counted from 0.
        frame: usize,
        /// Number of values found.
        found: usize,
    },
}

/// Values per frame.
const WIDTH: usize = 44;

/// Seconds per frame if the file gives no usable duration.
const DEFAULT_FRAME_TIME: f64 = 1.0 / 30.0;

/// Degrees of freedom of a joint.
#[derive(Clone, Copy)]
enum JointType {
    Ball,
    Hinge,
    Fixed,
}

/// Name, parent, offset (metres, in the axes of the format) and type of each joint, in the order of the values. The offsets
/// are those of the published humanoid.
const JOINTS: [(&str, &str, [f32; 3], JointType); 15] = [
    ("root", "", [0.0, 0.0, 0.0], JointType::Ball),
    ("chest", "root", [0.0, 0.236_151, 0.0], JointType::Ball),
    ("neck", "chest", [0.0, 0.223_894, 0.0], JointType::Ball),
    ("right_hip", "root", [0.0, 0.0, 0.084_887], JointType::Ball),
    (
        "right_knee",
        "right_hip",
        [0.0, -0.421_546, 0.0],
        JointType::Hinge,
    ),
    (
        "right_ankle",
        "right_knee",
        [0.0, -0.409_870, 0.0],
        JointType::Ball,
    ),
    (
        "right_shoulder",
        "chest",
        [-0.024_050, 0.243_500, 0.183_110],
        JointType::Ball,
    ),
    (
        "right_elbow",
        "right_shoulder",
        [0.0, -0.274_788, 0.0],
        JointType::Hinge,
    ),
    (
        "right_wrist",
        "right_elbow",
        [0.0, -0.258_947, 0.0],
        JointType::Fixed,
    ),
    ("left_hip", "root", [0.0, 0.0, -0.084_887], JointType::Ball),
    (
        "left_knee",
        "left_hip",
        [0.0, -0.421_546, 0.0],
        JointType::Hinge,
    ),
    (
        "left_ankle",
        "left_knee",
        [0.0, -0.409_870, 0.0],
        JointType::Ball,
    ),
    (
        "left_shoulder",
        "chest",
        [-0.024_050, 0.243_500, -0.183_110],
        JointType::Ball,
    ),
    (
        "left_elbow",
        "left_shoulder",
        [0.0, -0.274_788, 0.0],
        JointType::Hinge,
    ),
    (
        "left_wrist",
        "left_elbow",
        [0.0, -0.258_947, 0.0],
        JointType::Fixed,
    ),
];

/// Line on which a frame begins, in a document that is valid JSON.
fn line_of_frame(bytes: &[u8], frame: usize) -> usize {
    let name = b"\"Frames\"";
    let list = bytes.windows(name.len()).position(|window| window == name);
    let (mut depth, mut n) = (0, 0);
    let mut end = list.unwrap_or(0);
    for (i, byte) in bytes.iter().enumerate().skip(end) {
        end = i;
        match byte {
            b'[' => depth += 1,
            b']' => depth -= 1,
            _ => continue,
        }
        // A frame is a list within the list of frames.
        if (*byte, depth) == (b'[', 2) {
            if n == frame {
                break;
            }
            n += 1;
        }
    }
    1 + bytes
        .iter()
        .take(end)
        .filter(|byte| **byte == b'\n')
        .count()
}

/// Reads a motion; `name` becomes the name of the clip.
///
/// # Errors
/// If the text is not JSON, has no frames, or a frame has the wrong number of values.
pub fn load(bytes: &[u8], name: &str) -> Result<(Skeleton, Clip, Vec<String>), DeepMimicError> {
    let fault = |error: serde_json::Error| DataFault::of_json(&error.to_string());
    let document: Value =
        serde_json::from_slice(bytes).map_err(|error| DeepMimicError::Json(fault(error)))?;
    let frames = document.get("Frames").and_then(Value::as_array);
    let frames = frames.ok_or(DeepMimicError::NoFrames)?;
    // From facing +X to facing +Z.
    let to_plus_z = Quat::from_rotation_y(-FRAC_PI_2);
    let find = |name: &str| JOINTS.iter().position(|joint| joint.0 == name);
    let bones = JOINTS.iter().map(|(name, parent, offset, _)| Bone {
        name: (*name).into(),
        parent: find(parent).map(|parent| parent as u16),
        rest: Trs::from_translation(to_plus_z * Vec3::from_array(*offset)),
        skinned: true,
    });
    let skeleton = Skeleton::new(bones.collect()).map_err(|_| DeepMimicError::NoFrames)?;
    let mut warnings = Vec::new();
    let mut times = Vec::with_capacity(frames.len());
    let mut positions = Vec::with_capacity(frames.len());
    let mut rotations: Vec<Vec<Quat>> = vec![Vec::with_capacity(frames.len()); JOINTS.len()];
    let (mut t, mut holes, mut lengthless) = (0.0_f64, 0, 0);
    for (i, frame) in frames.iter().enumerate() {
        let numbers: Vec<f32> = frame.as_array().map_or_else(Vec::new, |list| {
            let number = |value: &Value| value.as_f64().map_or(f32::NAN, |n| n as f32);
            list.iter().map(number).collect()
        });
        let Ok(mut numbers) = <[f32; WIDTH]>::try_from(numbers.as_slice()) else {
            return Err(DeepMimicError::Width {
                line: line_of_frame(bytes, i),
                frame: i,
                found: numbers.len(),
            });
        };
        for number in &mut numbers {
            if number.is_nan() || number.abs() >= 1e6 {
                *number = 0.0;
                holes += 1;
            }
        }
        times.push(t as f32);
        let seconds = f64::from(numbers[0]);
        if (1e-4..=10.0).contains(&seconds) {
            t += seconds;
        } else {
            t += DEFAULT_FRAME_TIME;
            // The last frame's duration is zero in all files.
            lengthless += usize::from(i + 1 < frames.len());
        }
        positions.push(to_plus_z * Vec3::new(numbers[1], numbers[2], numbers[3]));
        for (own, rotations) in frame_rotations(&numbers).zip(&mut rotations) {
            let own = to_plus_z * own * to_plus_z.inverse();
            let before = rotations.last().copied().unwrap_or(own);
            rotations.push(if before.dot(own) < 0.0 { -own } else { own });
        }
    }
    if holes > 0 {
        warnings.push(format!(
            "{holes} values are not valid numbers; zero is used"
        ));
    }
    if lengthless > 0 {
        warnings.push(format!(
            "{lengthless} frames have an invalid duration (valid: 0.0001 to 10 s); 1/30 s is used"
        ));
    }
    Ok((skeleton, clip(name, times, positions, rotations), warnings))
}

/// Rotations of all joints in one frame, in the axes of the file.
fn frame_rotations(numbers: &[f32; WIDTH]) -> impl Iterator<Item = Quat> {
    let mut at = 4;
    JOINTS.iter().map(move |(_, _, _, kind)| {
        let own = match kind {
            JointType::Ball => {
                let [w, x, y, z] = [0, 1, 2, 3].map(|k| numbers[at + k]);
                at += 4;
                Quat::from_xyzw(x, y, z, w)
            }
            JointType::Hinge => {
                at += 1;
                Quat::from_rotation_z(numbers[at - 1])
            }
            JointType::Fixed => Quat::IDENTITY,
        };
        if own.length_squared() > 1e-6 {
            own.normalize()
        } else {
            Quat::IDENTITY
        }
    })
}

/// Builds a clip from positions of the root and rotations of each joint.
fn clip(name: &str, times: Vec<f32>, positions: Vec<Vec3>, rotations: Vec<Vec<Quat>>) -> Clip {
    let track = |values: Vec<Quat>| Track {
        times: times.clone(),
        values,
        interpolation: Interpolation::Linear,
    };
    let moves = JOINTS.iter().enumerate().zip(rotations);
    let tracks = moves.filter(|((_, joint), _)| !matches!(joint.3, JointType::Fixed));
    let tracks = tracks.map(|((i, _), rotations)| BoneTracks {
        bone: i as u16,
        translation: (i == 0).then(|| Track {
            times: times.clone(),
            values: positions.clone(),
            interpolation: Interpolation::Linear,
        }),
        rotation: Some(track(rotations)),
        scale: None,
    });
    Clip {
        name: name.to_owned(),
        duration: times.last().copied().unwrap_or(0.0),
        bones: if times.is_empty() {
            Vec::new()
        } else {
            tracks.collect()
        },
        ..Clip::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Two frames at rest, the second 1 m ahead, the right knee bent by 1 radian.
    fn text() -> String {
        let mut frame = vec![0.5, 0.0, 0.8, 0.0];
        for (_, _, _, joint_type) in JOINTS {
            match joint_type {
                JointType::Ball => frame.extend([1.0, 0.0, 0.0, 0.0]),
                JointType::Hinge => frame.push(0.0),
                JointType::Fixed => {}
            }
        }
        assert_eq!(frame.len(), WIDTH);
        let mut next = frame.clone();
        next[0] = 0.0;
        next[1] = 1.0;
        next[4 + 4 * 4] = -1.0;
        serde_json::json!({"Loop": "wrap", "Frames": [frame, next]}).to_string()
    }

    #[test]
    fn the_figure_looks_and_walks_along_z_and_its_right_is_to_the_right() {
        let (skeleton, clip, warnings) = load(text().as_bytes(), "walk").unwrap();
        assert!(warnings.is_empty());
        assert_eq!((skeleton.len(), clip.duration), (15, 0.5));
        let root = clip.bones[0].translation.as_ref().unwrap();
        assert!(root.values[1].abs_diff_eq(Vec3::new(0.0, 0.8, 1.0), 1e-6));
        let hip = skeleton.find("right_hip").unwrap();
        assert!(skeleton.bones()[usize::from(hip)].rest.translation.x < -0.08);
        // A knee that bends by a negative angle moves the foot back, -Z.
        let knee = skeleton.find("right_knee").unwrap();
        let track = clip.bones.iter().find(|b| b.bone == knee).unwrap();
        let bent = track.rotation.as_ref().unwrap().values[1] * Vec3::NEG_Y;
        assert!(bent.z < -0.8 && bent.x.abs() < 1e-6, "{bent}");
    }

    #[test]
    fn frames_of_invalid_duration_last_a_thirtieth_of_a_second_with_a_warning() {
        let good: Value = serde_json::from_str(&text()).unwrap();
        for broken in [-1.0, 0.0, 1e5] {
            let mut file = good.clone();
            let frames = file["Frames"].as_array_mut().unwrap();
            let mut first = frames[0].clone();
            first[0] = broken.into();
            frames.insert(1, first);
            let (_, clip, warnings) = load(file.to_string().as_bytes(), "walk").unwrap();
            assert!((clip.duration - (0.5 + 1.0 / 30.0)).abs() < 1e-6);
            assert_eq!(warnings.len(), 1);
            assert!(warnings[0].starts_with("1 frames have an invalid duration"));
        }
    }

    #[test]
    fn other_files_give_an_error_with_the_cause() {
        let cause = |text: &str| load(text.as_bytes(), "x").unwrap_err().to_string();
        assert!(cause("{").contains("line 1"));
        assert!(cause("{}").contains("not a DeepMimic motion"));
        assert_eq!(
            cause("{\"Frames\": [[1, 2]]}"),
            "line 1: frame 0 has 2 numbers; expected 44"
        );
        let whole = vec!["0"; WIDTH].join(", ");
        let text = format!("{{\n\"Loop\": [],\n\"Frames\":\n[\n[{whole}],\n[1]\n]}}");
        assert!(cause(&text).starts_with("line 6: frame 1 has 1 numbers"));
    }

    proptest! {
        #[test]
        fn damage_never_panics(at in 0.0..1.0_f64, byte in any::<u8>()) {
            let mut bytes = text().into_bytes();
            let i = (at * bytes.len() as f64) as usize;
            bytes[i] = byte;
            if let Ok((_, clip, _)) = load(&bytes, "x") {
                for track in clip.bones.iter().filter_map(|b| b.rotation.as_ref()) {
                    prop_assert!(track.values.iter().all(|q| q.is_normalized()));
                }
            }
        }
    }
}
