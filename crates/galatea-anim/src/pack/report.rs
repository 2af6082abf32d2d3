//! Error of a packed clip compared with the authored one, measured in model space.
//!
//! Used by the encoder (which checks the bound with it), tests and `galatea inspect`.

use glam::{Affine3A, Vec3A};

use super::channels::BoneChannels;
use super::{PackOptions, PackedClip};
use crate::arc::arc;
use crate::sample::sample_bone;
use crate::{BoneTracks, Clip, Skeleton};
use galatea_math::Trs;

/// Size and error of a packed clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PackReport {
    /// Memory in bytes, see [`PackedClip::bytes`].
    pub bytes: usize,
    /// Size of the clip with ten 32-bit numbers per bone and 1/30 s, the usual reference.
    pub raw_bytes: usize,
    /// `raw_bytes / bytes`.
    pub ratio: f32,
    /// Maximum error of any point, centimetres.
    pub worst_error_cm: f32,
    /// Bone with the maximum error.
    pub worst_bone: Option<u16>,
    /// 99th percentile of the measured errors, centimetres.
    pub p99_cm: f32,
    /// Number of channels stored as authored keys.
    pub kept_exact: usize,
}

/// Errors of a measurement.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    /// Maximum error of each segment, as a fraction of the bone's bound.
    pub by_segment: Vec<f32>,
    worst: f32,
    worst_bone: Option<u16>,
    p99: f32,
}

impl PackReport {
    /// Combines sizes and errors.
    pub fn new(skeleton: &Skeleton, clip: &Clip, packed: &PackedClip, errors: &Errors) -> Self {
        let poses = (clip.duration.clamp(0.0, 1e6) * 30.0).round() as usize + 1;
        let bytes = packed.bytes();
        let raw_bytes = poses * skeleton.len() * 40;
        let exact = (packed.exact.iter())
            .map(|tracks| {
                usize::from(tracks.translation.is_some())
                    + usize::from(tracks.rotation.is_some())
                    + usize::from(tracks.scale.is_some())
            })
            .sum::<usize>();
        Self {
            bytes,
            raw_bytes,
            ratio: raw_bytes as f32 / bytes.max(1) as f32,
            worst_error_cm: errors.worst * 100.0,
            worst_bone: errors.worst_bone,
            p99_cm: errors.p99 * 100.0,
            kept_exact: exact + packed.exact_morphs.len(),
        }
    }
}

/// Collects errors: the maximum, and a histogram for the 99th percentile.
struct Tally {
    bins: Vec<u32>,
    worst: f32,
    worst_bone: Option<u16>,
    per_bin: f32,
}

impl Tally {
    fn new(bound: f32) -> Self {
        Self {
            bins: vec![0; 512],
            worst: 0.0,
            worst_bone: None,
            per_bin: bound / 400.0,
        }
    }

    #[inline]
    fn add(&mut self, error: f32, bone: usize) {
        let bin = (error / self.per_bin) as usize;
        self.bins[bin.min(511)] += 1;
        if error > self.worst {
            self.worst = error;
            self.worst_bone = Some(bone as u16);
        }
    }

    fn p99(&self) -> f32 {
        let all: u64 = self.bins.iter().map(|n| u64::from(*n)).sum();
        let mut above = 0;
        for (bin, n) in self.bins.iter().enumerate().rev() {
            above += u64::from(*n);
            if above * 100 > all {
                return ((bin + 1) as f32 * self.per_bin).min(self.worst);
            }
        }
        0.0
    }
}

/// Maximum distance between a bone's three points under two matrices.
#[inline]
fn points_apart(a: &Affine3A, b: &Affine3A, distance: f32) -> f32 {
    let off: Vec3A = b.translation - a.translation;
    let m = b.matrix3 - a.matrix3;
    (off + m.x_axis * distance)
        .length_squared()
        .max((off + m.y_axis * distance).length_squared())
        .max((off + m.z_axis * distance).length_squared())
        .sqrt()
}

/// Measures the decoder's output against the clip, at every frame and between frames. If linear interpolation between
/// the frames matches the track, `channels` replaces the track.
pub(super) fn errors(
    skeleton: &Skeleton,
    clip: &Clip,
    channels: &[BoneChannels],
    packed: &PackedClip,
    options: &PackOptions,
) -> Errors {
    let by_bone = tracks_by_bone(clip, skeleton.len());
    let precisions = options.precisions(skeleton.len());
    let mut tally = Tally::new(options.precision.bound);
    let mut by_segment = vec![0.0f32; packed.grid.n_segments()];
    let rest: Vec<Trs> = skeleton.rest().collect();
    let mut locals = rest.clone();
    let (mut raw, mut decoded) = (Vec::new(), Vec::new());
    let per = packed.grid.per_segment.max(1) as usize;
    let n = packed.n_frames();
    // The difference of two linear interpolations is checked half-way. The difference of a line and a spline can be
    // largest elsewhere.
    let strays = |c: &BoneChannels| c.translation.strays || c.rotation.strays || c.scale.strays;
    let parts = if channels.iter().any(strays) { 4 } else { 2 };
    for part in 0..(parts * n).saturating_sub(parts - 1) {
        let (frame, u) = (part / parts, (part % parts) as f32 / parts as f32);
        let next = (frame + 1).min(n - 1);
        locals.copy_from_slice(&rest);
        let t = packed.grid.time(frame as f32 + u);
        packed.sample(t, &mut locals);
        to_model(skeleton, |b| locals[b], &mut decoded);
        to_model(
            skeleton,
            |b| {
                let c = &channels[b];
                let mut local = Trs {
                    translation: c
                        .translation
                        .authored(frame)
                        .lerp(c.translation.authored(next), u),
                    rotation: super::turn::unit(arc(
                        c.rotation.authored(frame),
                        c.rotation.authored(next),
                        u,
                    )),
                    scale: c.scale.authored(frame).lerp(c.scale.authored(next), u),
                };
                if strays(c)
                    && let Some(tracks) = by_bone[b]
                {
                    sample_bone(tracks, t, &mut local);
                }
                local
            },
            &mut raw,
        );
        let mut max_error = 0.0f32;
        for (b, (raw, decoded)) in raw.iter().zip(&decoded).enumerate() {
            let error = points_apart(raw, decoded, precisions[b].distance);
            tally.add(error, b);
            max_error = max_error.max(error / precisions[b].bound.max(1e-7));
        }
        // Between two segments, the error counts for both.
        for segment in [frame / per, next / per] {
            if u > 0.0 || segment == frame / per {
                by_segment[segment] = by_segment[segment].max(max_error);
            }
        }
    }
    Errors {
        by_segment,
        worst: tally.worst,
        worst_bone: tally.worst_bone,
        p99: tally.p99(),
    }
}

fn tracks_by_bone(clip: &Clip, n_bones: usize) -> Vec<Option<&BoneTracks>> {
    let mut by_bone = vec![None; n_bones];
    for tracks in &clip.bones {
        if let Some(slot) = by_bone.get_mut(usize::from(tracks.bone)) {
            *slot = Some(tracks);
        }
    }
    by_bone
}

/// Model-from-bone matrices of local transforms given by a function.
fn to_model(skeleton: &Skeleton, local: impl Fn(usize) -> Trs, out: &mut Vec<Affine3A>) {
    out.clear();
    for (b, bone) in skeleton.bones().iter().enumerate() {
        let own = local(b).to_affine();
        let model = match bone.parent {
            Some(parent) => out[usize::from(parent)] * own,
            None => own,
        };
        out.push(model);
    }
}

/// Measures a packed clip against the authored one independently of the encoder: at every frame of the grid and at
/// three times between two frames.
pub fn measure(
    skeleton: &Skeleton,
    clip: &Clip,
    packed: &PackedClip,
    options: &PackOptions,
) -> PackReport {
    let precisions = options.precisions(skeleton.len());
    let mut tally = Tally::new(options.precision.bound);
    let rest: Vec<Trs> = skeleton.rest().collect();
    let by_bone = tracks_by_bone(clip, rest.len());
    let mut locals = rest.clone();
    let (mut raw, mut decoded) = (Vec::new(), Vec::new());
    let n = packed.n_frames();
    for quarter in 0..(4 * n).saturating_sub(3) {
        let t = packed.grid.time(quarter as f32 * 0.25);
        locals.copy_from_slice(&rest);
        packed.sample(t, &mut locals);
        to_model(skeleton, |b| locals[b], &mut decoded);
        to_model(
            skeleton,
            |b| {
                let mut local = rest[b];
                if let Some(tracks) = by_bone[b] {
                    sample_bone(tracks, t, &mut local);
                }
                local
            },
            &mut raw,
        );
        for (b, (raw, decoded)) in raw.iter().zip(&decoded).enumerate() {
            tally.add(points_apart(raw, decoded, precisions[b].distance), b);
        }
    }
    let errors = Errors {
        by_segment: Vec::new(),
        worst: tally.worst,
        worst_bone: tally.worst_bone,
        p99: tally.p99(),
    };
    PackReport::new(skeleton, clip, packed, &errors)
}
