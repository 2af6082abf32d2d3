//! The MOTION section: converts rows of numbers to tracks.

use glam::{Quat, Vec3};

use super::hierarchy::{BvhChannel, BvhJoint};
use super::text::{BvhTokens, shown};
use super::{BvhError, DEFAULT_FRAME_TIME, MAX_VALUE};
use galatea_anim::{BoneTracks, Interpolation, Track};

/// Limit of frames. Key times are 32-bit seconds; with more frames, neighbouring times would be equal.
const MAX_FRAMES: usize = 1 << 22;

/// Channel values of all frames.
pub(super) struct BvhFrames {
    /// Seconds per frame.
    pub frame_time: f64,
    /// Values frame by frame: all channels of all joints in the file's order.
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

/// Reads from after the word MOTION to the end of the file.
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
                let value = tokens.parse(word, "a motion value")?;
                // A value that is not finite or too large is replaced by that of the previous frame.
                if value.abs() <= MAX_VALUE {
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
            "{holes} values are not valid numbers; the values of the previous frame are used"
        ));
    }
    let n_frames = values.len().checked_div(n_channels).unwrap_or(0);
    if n_frames > MAX_FRAMES {
        return Err(tokens.fault(&format!("{n_frames} frames; the limit is {MAX_FRAMES}")));
    }
    if n_channels == 0 && !values.is_empty() {
        warnings.push("the file has motion values, but no joint has channels".into());
    } else if n_frames * n_channels < values.len() {
        warnings.push(format!(
            "the last frame has only {} of {n_channels} values; it is left out",
            values.len() - n_frames * n_channels
        ));
    }
    if let Some(declared) = declared
        && declared != n_frames
    {
        warnings.push(format!(
            "the header declares {declared} frames, but the file contains {n_frames}"
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
        _ if n_frames < 2 => DEFAULT_FRAME_TIME,
        read => {
            let cause = match read {
                Some(t) => format!("the frame time {t} s is invalid"),
                None => "the frame time is missing".into(),
            };
            warnings.push(format!("{cause}; 30 frames per second are assumed"));
            DEFAULT_FRAME_TIME
        }
    }
}

/// Reads the declared number of frames. `None` if it is invalid; the rows are counted anyway.
fn frames(tokens: &mut BvhTokens) -> Result<Option<usize>, BvhError> {
    let number = tokens.number("the number of frames")?;
    Ok((number >= 0.0).then_some(number as usize))
}

/// One entry per joint that has channels, in ascending order; translations in the file's units.
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
        let is_position = |c: &BvhChannel| matches!(c, BvhChannel::Position(_));
        let translation = joint.channels.iter().any(is_position).then(|| {
            let mut values = rows.clone().map(|row| position(joint, row)).collect();
            make_parent_relative(joint, &mut values, warnings);
            linear(&times, values)
        });
        let is_rotation = |c: &BvhChannel| matches!(c, BvhChannel::Rotation(_));
        let rotation = joint.channels.iter().any(is_rotation).then(|| {
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

/// Position from the position channels; axes without a channel use the offset.
fn position(joint: &BvhJoint, row: &[f32]) -> Vec3 {
    let mut out = joint.offset;
    for (channel, value) in joint.channels.iter().zip(row) {
        if let BvhChannel::Position(axis) = channel {
            out[*axis] = *value;
        }
    }
    out
}

/// Rotation: the product of the channels' rotations in the file's order.
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

/// Makes positions relative to the parent. Some programs write positions relative to the joint's offset instead. The
/// interpretation that keeps the joint nearer to its offset is used.
fn make_parent_relative(joint: &BvhJoint, values: &mut Vec<Vec3>, warnings: &mut Vec<String>) {
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
            "the positions of {} are read as relative to its offset",
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
