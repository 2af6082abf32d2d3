//! The HIERARCHY section: joints with offsets and channels.

use std::collections::HashSet;

use glam::Vec3;

use super::text::{BvhTokens, shown};
use super::{BvhError, MAX_VALUE};
use galatea_anim::Bone;
use galatea_math::Trs;

/// Channel of a joint: the meaning of one number of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BvhChannel {
    /// Position along axis 0, 1 or 2, in the file's units.
    Position(usize),
    /// Rotation about axis 0, 1 or 2, degrees.
    Rotation(usize),
}

/// One joint, or an end site.
pub(super) struct BvhJoint {
    pub name: String,
    pub parent: Option<u16>,
    /// Offset from the parent, in the file's units.
    pub offset: Vec3,
    /// Channels in the order of the file.
    pub channels: Vec<BvhChannel>,
    pub is_end: bool,
}

/// Reads up to the word MOTION or the end of the file.
pub(super) fn read(
    tokens: &mut BvhTokens,
    warnings: &mut Vec<String>,
) -> Result<Vec<BvhJoint>, BvhError> {
    tokens.expect("HIERARCHY")?;
    tokens.expect("ROOT")?;
    let mut joints: Vec<BvhJoint> = Vec::new();
    let mut names = HashSet::new();
    // Indices of the joints with an open brace; the last one is the current joint.
    let mut open: Vec<u16> = Vec::new();
    let name = tokens.name();
    start(tokens, &mut joints, &mut open, &mut names, name)?;
    while let Some(&current) = open.last() {
        let Some(word) = tokens.next() else {
            return Err(tokens.fault(&format!(
                "the file ends inside joint {}",
                shown(&joints[usize::from(current)].name)
            )));
        };
        let is_end = joints[usize::from(current)].is_end;
        match word.to_ascii_uppercase().as_str() {
            "OFFSET" => {
                let joint = &mut joints[usize::from(current)];
                joint.offset = offset(tokens, &joint.name, warnings)?;
            }
            "CHANNELS" if !is_end => {
                joints[usize::from(current)].channels = channels(tokens)?;
            }
            "JOINT" if !is_end => {
                let name = tokens.name();
                start(tokens, &mut joints, &mut open, &mut names, name)?;
            }
            "END" if !is_end => {
                tokens.name();
                let name = format!("{}_end", joints[usize::from(current)].name);
                start(tokens, &mut joints, &mut open, &mut names, &name)?;
                if let Some(joint) = joints.last_mut() {
                    joint.is_end = true;
                }
            }
            "}" => {
                open.pop();
            }
            "MOTION" => return Err(tokens.fault("missing closing brace before MOTION")),
            _ => {
                return Err(tokens.fault(&format!(
                    "expected OFFSET, CHANNELS, JOINT, End Site or a closing brace, found {}",
                    shown(word)
                )));
            }
        }
    }
    match tokens.next() {
        None => warnings.push("the file has no MOTION section; the clip is empty".into()),
        Some(word) if word.eq_ignore_ascii_case("MOTION") => {}
        Some(word) if word.eq_ignore_ascii_case("ROOT") => {
            return Err(tokens
                .fault("the file has a second ROOT; split it into one file for each skeleton"));
        }
        Some(word) => {
            return Err(tokens.fault(&format!("expected MOTION, found {}", shown(word))));
        }
    }
    Ok(joints)
}

/// The bones of the joints, in the file's units.
pub(super) fn bones(joints: &[BvhJoint]) -> Vec<Bone> {
    let bones = joints.iter().map(|joint| Bone {
        name: joint.name.clone(),
        parent: joint.parent,
        rest: Trs::from_translation(joint.offset),
        skinned: !joint.is_end,
    });
    bones.collect()
}

/// Starts a joint: reads its opening brace and makes it the current joint.
fn start(
    tokens: &mut BvhTokens,
    joints: &mut Vec<BvhJoint>,
    open: &mut Vec<u16>,
    names: &mut HashSet<String>,
    name: &str,
) -> Result<(), BvhError> {
    let index = u16::try_from(joints.len())
        .ok()
        .filter(|index| *index < u16::MAX)
        .ok_or_else(|| tokens.fault("the file has more joints than the limit of 65 535"))?;
    tokens.expect("{")?;
    joints.push(BvhJoint {
        name: unique(name, index, names),
        parent: open.last().copied(),
        offset: Vec3::ZERO,
        channels: Vec::new(),
        is_end: false,
    });
    open.push(index);
    Ok(())
}

/// Returns the name, with the joint's index appended if it is empty or already used.
fn unique(name: &str, index: u16, names: &mut HashSet<String>) -> String {
    let mut name = match name {
        "" => format!("joint_{index}"),
        name => name.to_owned(),
    };
    while !names.insert(name.clone()) {
        name = format!("{name}_{index}");
    }
    name
}

fn offset(
    tokens: &mut BvhTokens,
    joint: &str,
    warnings: &mut Vec<String>,
) -> Result<Vec3, BvhError> {
    let mut numbers = [0.0; 3];
    for number in &mut numbers {
        *number = tokens.number("an offset")?;
    }
    if numbers.iter().all(|n| n.abs() <= MAX_VALUE) {
        return Ok(numbers.into());
    }
    warnings.push(format!(
        "line {}: the offset of {} is too large or not a number; zero is used",
        tokens.line,
        shown(joint)
    ));
    Ok(Vec3::ZERO)
}

fn channels(tokens: &mut BvhTokens) -> Result<Vec<BvhChannel>, BvhError> {
    let word = tokens.next().unwrap_or("");
    let n: usize = word.parse().map_err(|_| {
        tokens.fault(&format!(
            "the channel count must be a whole number, got {}",
            shown(word)
        ))
    })?;
    if n > 9 {
        return Err(tokens.fault(&format!("{n} channels; the limit is 9 per joint")));
    }
    let mut channels = Vec::with_capacity(n);
    for i in 0..n {
        let word = tokens.next().unwrap_or("");
        let lower = word.to_ascii_lowercase();
        let axis = match lower.as_bytes().first() {
            Some(b'x') => 0,
            Some(b'y') => 1,
            Some(b'z') => 2,
            _ => 3,
        };
        channels.push(match lower.get(1..) {
            Some("position" | "translation") if axis < 3 => BvhChannel::Position(axis),
            Some("rotation") if axis < 3 => BvhChannel::Rotation(axis),
            _ => {
                return Err(tokens.fault(&format!(
                    "channel {} of {n} is {}; expected Xposition, Yposition, Zposition, Xrotation, Yrotation or \
                     Zrotation",
                    i + 1,
                    shown(word)
                )));
            }
        });
    }
    Ok(channels)
}
