//! The MOTION part: rows of numbers to tracks.

use glam::{Quat, Vec3};

use super::hierarchy::{BvhChannel, BvhJoint};
use super::text::{BvhTokens, shown};
use super::{BvhError, LARGEST, USUAL_FRAME_TIME};
use galatea_anim::{BoneTracks, Interpolation, Track};

/// Key times are 32-bit seconds; more frames than this could not be told apart.
const MOST_FRAMES: usize = 1 << 22;

/// The numbers of all frames.
pub(super) struct BvhFrames {
    /// Seconds.
    pub frame_time: f64,
    /// Frame after frame, all channels of all joints in the file's order.
    pub values: Vec<f32>,
    pub n_frames: usize,
}

impl BvhFrames {
    fn times(&self) -> Vec<f32> {
        let frames = 0..self.n_frames;
        frames
            .map(|i| (i as f64 * self.frame_time) as f32)
            .collect()
    }

    /// Time of the last frame, seconds.
    pub fn duration(&self) -> f32 {
        (self.n_frames.saturating_sub(1) as f64 * self.frame_time) as f32
    }
}

/// Reads from after MOTION to the end.
pub(super) fn read(
    tokens: &mut BvhTokens,
    joints: &[BvhJoint],
    warnings: &mut Vec<String>,
) -> Result<BvhFrames, BvhError> {
    let n_channels: usize = joints.iter().map(|joint| joint.channels.len()).sum();
    let mut declared: Option<usize> = None;
    let mut frame_time = None;
    let mut values: Vec<f32> = Vec::new();
    let mut holes = 0_usize;
    while let Some(word) = tokens.next() {
        match word.to_ascii_lowercase().as_str() {
            "frames" => declared = frames(tokens)?,
            "frame" if values.is_empty() => {
                tokens.expect("Time")?;
                frame_time = Some(tokens.number("the frame time")?);
            }
            _ => {
                let value = tokens.parse(word, "a value of the motion")?;
                // A value that is no measure is taken from the frame before.
                if value.abs() <= LARGEST {
                    values.push(value);
                } else {
                    holes += 1;
                    let before = values.len().checked_sub(n_channels);
                    let held = before.and_then(|i| values.get(i)).copied();
                    values.push(held.unwrap_or(0.0));
                }
            }
        }
    }
    if holes > 0 {
        warnings.push(format!(
            "{holes} values are no numbers; those of the frame before are used"
        ));
    }
    let n_frames = values.len().checked_div(n_channels).unwrap_or(0);
    if n_frames > MOST_FRAMES {
        return Err(tokens.fault(&format!(
            "{n_frames} frames; at most {MOST_FRAMES} are read"
        )));
    }
    if n_channels == 0 && !values.is_empty() {
        warnings.push("there are values, but no joint has channels".into());
    } else if n_frames * n_channels < values.len() {
        warnings.push(format!(
            "the last frame has {} of {n_channels} values; left out",
            values.len() - n_frames * n_channels
        ));
    }
    if let Some(declared) = declared
        && declared != n_frames
    {
        warnings.push(format!(
            "{declared} frames are announced, {n_frames} are there"
        ));
    }
    Ok(BvhFrames {
        frame_time: checked_frame_time(frame_time, n_frames, warnings),
        values,
        n_frames,
    })
}

fn checked_frame_time(read: Option<f32>, n_frames: usize, warnings: &mut Vec<String>) -> f64 {
    match read {
        Some(t) if (1e-4..=10.0).contains(&t) => f64::from(t),
        _ if n_frames < 2 => USUAL_FRAME_TIME,
        read => {
            let cause = match read {
                Some(t) => format!("a frame time of {t} s cannot be"),
                None => "there is no frame time".into(),
            };
            warnings.push(format!("{cause}; 30 frames per second are assumed"));
            USUAL_FRAME_TIME
        }
    }
}

/// The number of frames; one that is absurd or missing is not needed, the rows are counted.
fn frames(tokens: &mut BvhTokens) -> Result<Option<usize>, BvhError> {
    let number = tokens.number("the number of frames")?;
    Ok((number >= 0.0).then_some(number as usize))
}

/// One entry per joint that has channels, ascending; translations in the file's units.
pub(super) fn tracks(
    joints: &[BvhJoint],
    frames: &BvhFrames,
    warnings: &mut Vec<String>,
) -> Vec<BoneTracks> {
    let times = frames.times();
    let n_channels: usize = joints.iter().map(|joint| joint.channels.len()).sum();
    let mut first = 0;
    let mut tracks = Vec::new();
    if frames.n_frames == 0 {
        return tracks;
    }
    for (i, joint) in joints.iter().enumerate() {
        let own = first..first + joint.channels.len();
        first = own.end;
        let rows = frames.values.chunks_exact(n_channels);
        let rows = rows.map(|row| &row[own.clone()]);
        let moves = |c: &BvhChannel| matches!(c, BvhChannel::Position(_));
        let translation = joint.channels.iter().any(moves).then(|| {
            let mut values = rows.clone().map(|row| position(joint, row)).collect();
            place(joint, &mut values, warnings);
            linear(&times, values)
        });
        let turns = |c: &BvhChannel| matches!(c, BvhChannel::Rotation(_));
        let rotation = joint.channels.iter().any(turns).then(|| {
            let mut values: Vec<Quat> = rows.map(|row| rotation(&joint.channels, row)).collect();
            for k in 1..values.len() {
                if values[k - 1].dot(values[k]) < 0.0 {
                    values[k] = -values[k];
                }
            }
            linear(&times, values)
        });
        tracks.push(BoneTracks {
            bone: i as u16,
            translation,
            rotation,
            scale: None,
        });
    }
    tracks
}

/// Position channels, those that are missing from the offset.
fn position(joint: &BvhJoint, row: &[f32]) -> Vec3 {
    let mut out = joint.offset;
    for (channel, value) in joint.channels.iter().zip(row) {
        if let BvhChannel::Position(axis) = channel {
            out[*axis] = *value;
        }
    }
    out
}

/// The turns of the channels, multiplied in the file's order.
fn rotation(channels: &[BvhChannel], row: &[f32]) -> Quat {
    let mut out = Quat::IDENTITY;
    for (channel, degrees) in channels.iter().zip(row) {
        let angle = (degrees % 360.0).to_radians();
        out *= match channel {
            BvhChannel::Rotation(0) => Quat::from_rotation_x(angle),
            BvhChannel::Rotation(1) => Quat::from_rotation_y(angle),
            BvhChannel::Rotation(_) => Quat::from_rotation_z(angle),
            BvhChannel::Position(_) => continue,
        };
    }
    out.normalize()
}

/// Programs differ in whether position channels count from the parent or from the offset; the
/// reading under which the joint stays nearer to its offset is taken.
fn place(joint: &BvhJoint, values: &mut Vec<Vec3>, warnings: &mut Vec<String>) {
    if joint.offset == Vec3::ZERO {
        return;
    }
    let from_parent: f64 = values
        .iter()
        .map(|v| f64::from(v.distance(joint.offset)))
        .sum();
    let from_offset: f64 = values.iter().map(|v| f64::from(v.length())).sum();
    if from_offset < from_parent {
        for value in values {
            *value += joint.offset;
        }
        warnings.push(format!(
            "the positions of {} are counted from its offset",
            shown(&joint.name)
        ));
    }
}

fn linear<T>(times: &[f32], values: Vec<T>) -> Track<T> {
    Track {
        times: times.to_vec(),
        values,
        interpolation: Interpolation::Linear,
    }
}
