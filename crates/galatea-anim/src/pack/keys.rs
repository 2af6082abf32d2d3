//! Disk format of authored data: marks, key tracks, constants.
//!
//! Used by `disk`. Invariant: data that was read is valid: times ascend, every key has its values, and all numbers
//! are finite.

use super::range::Coder;
use super::stream::{
    Models,
    PackedClipError::{self, Damaged},
    count, float, list, number32, text,
};
use super::{BoneChannel, Constant};
use crate::{BoneTracks, Interpolation, Marker, MarkerValue, Track};

/// Codes a mark with its fields.
pub fn marker(
    coder: &mut impl Coder,
    m: &mut Models,
    mark: Option<&Marker>,
) -> Result<Marker, PackedClipError> {
    let t = float(coder, m, mark.map_or(0.0, |mark| mark.time))?;
    let length = float(coder, m, mark.map_or(0.0, |mark| mark.duration))?;
    let event = text(coder, m, mark.map_or("", |mark| &mark.event))?;
    let fields = mark.map_or(&[][..], |mark| &mark.fields);
    let fields = list(coder, m, fields.len(), |coder, m, i| {
        let field = fields.get(i);
        let name = text(coder, m, field.map_or("", |field| &field.0))?;
        let value = field.map(|field| &field.1);
        let kind = match value {
            Some(MarkerValue::Text(_)) => 1,
            Some(MarkerValue::Bool(_)) => 2,
            _ => 0,
        };
        let value = match m.kinds.code(coder, kind) {
            0 => {
                let number = match value {
                    Some(MarkerValue::Number(number)) => number.to_bits(),
                    _ => 0,
                };
                let low = number32(coder, m, number as u32);
                let high = number32(coder, m, (number >> 32) as u32);
                MarkerValue::Number(f64::from_bits(u64::from(high) << 32 | u64::from(low)))
            }
            1 => {
                let written = match value {
                    Some(MarkerValue::Text(text)) => text.as_str(),
                    _ => "",
                };
                MarkerValue::Text(text(coder, m, written)?)
            }
            2 => {
                let truth = u32::from(value == Some(&MarkerValue::Bool(true)));
                MarkerValue::Bool(m.bytes.code(coder, truth) == 1)
            }
            _ => return Err(Damaged),
        };
        Ok((name, value))
    })?;
    Ok(Marker {
        time: t,
        event,
        fields,
        duration: length,
    })
}

/// Value type of a key.
pub trait KeyValue: Copy {
    /// Number of components.
    const PARTS: usize;
    /// Returns one component.
    fn part(self, i: usize) -> f32;
    /// Creates the value from its components; those beyond `PARTS` are ignored.
    fn from_parts(parts: [f32; 4]) -> Self;
}

impl KeyValue for f32 {
    const PARTS: usize = 1;
    fn part(self, _: usize) -> f32 {
        self
    }
    fn from_parts(parts: [f32; 4]) -> Self {
        parts[0]
    }
}

impl KeyValue for glam::Vec3 {
    const PARTS: usize = 3;
    fn part(self, i: usize) -> f32 {
        self.to_array()[i]
    }
    fn from_parts([x, y, z, _]: [f32; 4]) -> Self {
        Self::new(x, y, z)
    }
}

impl KeyValue for glam::Quat {
    const PARTS: usize = 4;
    fn part(self, i: usize) -> f32 {
        self.to_array()[i]
    }
    fn from_parts(parts: [f32; 4]) -> Self {
        Self::from_array(parts)
    }
}

/// Codes a track with `per_key` values per key.
pub fn track<T: KeyValue>(
    coder: &mut impl Coder,
    m: &mut Models,
    track: Option<&Track<T>>,
    per_key: usize,
) -> Result<Track<T>, PackedClipError> {
    let code = match track.map(|track| track.interpolation) {
        Some(Interpolation::Step) => 0,
        Some(Interpolation::CubicSpline) => 2,
        _ => 1,
    };
    let interpolation = match m.kinds.code(coder, code) {
        0 => Interpolation::Step,
        1 => Interpolation::Linear,
        2 => Interpolation::CubicSpline,
        _ => return Err(Damaged),
    };
    let times = track.map_or(&[][..], |track| &track.times);
    let times = list(coder, m, times.len(), |coder, m, i| {
        float(coder, m, times.get(i).copied().unwrap_or(0.0))
    })?;
    if times.is_empty() || !times.windows(2).all(|pair| pair[0] < pair[1]) {
        return Err(Damaged);
    }
    let values = track.map_or(&[][..], |track| &track.values);
    let values = list(coder, m, values.len(), |coder, m, i| {
        let mut parts = [0.0; 4];
        for (part, slot) in parts.iter_mut().enumerate().take(T::PARTS) {
            *slot = float(
                coder,
                m,
                values.get(i).map_or(0.0, |value| value.part(part)),
            )?;
        }
        Ok(T::from_parts(parts))
    })?;
    let per_key = match interpolation {
        Interpolation::CubicSpline => per_key.saturating_mul(3),
        _ => per_key,
    };
    if values.len() != times.len().saturating_mul(per_key) {
        return Err(Damaged);
    }
    Ok(Track {
        times,
        values,
        interpolation,
    })
}

/// Codes the tracks of one bone.
pub fn bone_tracks(
    coder: &mut impl Coder,
    m: &mut Models,
    tracks: Option<&BoneTracks>,
) -> Result<BoneTracks, PackedClipError> {
    let bone = count(
        coder,
        m,
        tracks.map_or(0, |tracks| usize::from(tracks.bone)),
    )?;
    let has = |has: Option<bool>| u32::from(has.unwrap_or(false));
    let which = has(tracks.map(|tracks| tracks.translation.is_some()))
        | has(tracks.map(|tracks| tracks.rotation.is_some())) << 1
        | has(tracks.map(|tracks| tracks.scale.is_some())) << 2;
    let which = m.kinds.code(coder, which);
    let mut out = BoneTracks {
        bone: u16::try_from(bone).map_err(|_| Damaged)?,
        translation: None,
        rotation: None,
        scale: None,
    };
    if which & 1 != 0 {
        let of = tracks.and_then(|tracks| tracks.translation.as_ref());
        out.translation = Some(track(coder, m, of, 1)?);
    }
    if which & 2 != 0 {
        let of = tracks.and_then(|tracks| tracks.rotation.as_ref());
        out.rotation = Some(track(coder, m, of, 1)?);
    }
    if which & 4 != 0 {
        let of = tracks.and_then(|tracks| tracks.scale.as_ref());
        out.scale = Some(track(coder, m, of, 1)?);
    }
    Ok(out)
}

/// Codes a channel with a single value.
pub fn constant(
    coder: &mut impl Coder,
    m: &mut Models,
    constant: Option<&Constant>,
) -> Result<Constant, PackedClipError> {
    let bone = count(
        coder,
        m,
        constant.map_or(0, |constant| usize::from(constant.bone)),
    )?;
    let channel = match constant.map(|constant| constant.channel) {
        Some(BoneChannel::Rotation) => 1,
        Some(BoneChannel::Scale) => 2,
        _ => 0,
    };
    let channel = match m.kinds.code(coder, channel) {
        0 => BoneChannel::Translation,
        1 => BoneChannel::Rotation,
        2 => BoneChannel::Scale,
        _ => return Err(Damaged),
    };
    let mut value = [0.0; 3];
    for (part, slot) in value.iter_mut().enumerate() {
        *slot = float(
            coder,
            m,
            constant.map_or(0.0, |constant| constant.value[part]),
        )?;
    }
    Ok(Constant {
        bone: u16::try_from(bone).map_err(|_| Damaged)?,
        channel,
        value,
    })
}
