//! A packed clip at a time: direct decoding, without state and without unpacking anything else.
//!
//! Callers: the tick. Invariants: total for any time and any buffer; nothing is allocated; the cost
//! does not depend on which times were asked for before.

use glam::{Quat, Vec3, Vec3A, Vec4};

use super::cell::{Cell, Group, Kind, Moment, Reader, combine, with_scalar};
use super::turn::{arc, unit};
use super::{Channel, PackedClip};
use crate::anim::sample::{sample_rotation, sample_vec3, sample_weights};
use crate::math::Trs;

/// A place between two frames: the segment of each, and how far from one to the other.
struct Place {
    /// Segment of the frame at or before the time, its frames, and the weights within it.
    segment: usize,
    frames: usize,
    moment: Moment,
    /// The next frame, when it begins the segment after.
    beyond: Option<(usize, Moment)>,
    u: f32,
}

impl PackedClip {
    /// Writes the clip's animated channels at `t` seconds; other channels keep what they had (a
    /// channel the clip keeps at the rest pose is not written, so begin with the rest pose).
    ///
    /// Times before the first key or after the last give that key. A channel of a bone that `locals`
    /// does not have is passed over.
    pub fn sample(&self, t: f32, locals: &mut [Trs]) {
        for constant in &self.constants {
            let Some(local) = locals.get_mut(usize::from(constant.bone)) else {
                continue;
            };
            let value = Vec3::from_array(constant.value);
            match constant.channel {
                Channel::Translation => local.translation = value,
                Channel::Scale => local.scale = value,
                Channel::Rotation => local.rotation = with_scalar(value.into()),
            }
        }
        let mut vector = (Vec3A::ZERO, Vec3A::ZERO);
        self.each_group(t, |group, here, next, u| {
            let Some(local) = locals.get_mut(usize::from(group.target)) else {
                return;
            };
            match group.kind {
                Kind::Rotation => {
                    let (before, after) = group.turns();
                    let turned = arc(with_scalar(here), with_scalar(next), u);
                    local.rotation = unit(before * turned * after);
                }
                Kind::Vector => vector = (here, next),
                Kind::Scalar => {
                    local.rotation = four(vector.0, here.x, vector.1, next.x, u);
                }
                Kind::Translation => local.translation = here.lerp(next, u).into(),
                Kind::Scale => local.scale = here.lerp(next, u).into(),
                Kind::Weights => {}
            }
        });
        for tracks in &self.exact {
            let Some(local) = locals.get_mut(usize::from(tracks.bone)) else {
                continue;
            };
            if let Some(track) = &tracks.translation {
                local.translation = sample_vec3(track, t);
            }
            if let Some(track) = &tracks.rotation {
                local.rotation = sample_rotation(track, t);
            }
            if let Some(track) = &tracks.scale {
                local.scale = sample_vec3(track, t);
            }
        }
    }

    /// Writes the clip's morph weights at `t` seconds. `morph_start` tells where each part's weights
    /// begin in `weights`; a part or target that is not there is passed over.
    pub fn sample_morphs(&self, t: f32, morph_start: &[usize], weights: &mut [f32]) {
        // Groups of weights stand last.
        if self.groups.last().is_some_and(|group| group.kind == Kind::Weights) {
            self.each_group(t, |group, here, next, u| {
                if group.kind != Kind::Weights {
                    return;
                }
                let Some(&start) = morph_start.get(usize::from(group.target)) else {
                    return;
                };
                let value = here.lerp(next, u).to_array();
                let lanes = usize::from(group.n_lanes).min(3);
                let start = start.saturating_add(usize::from(group.lane));
                if let Some(out) = weights.get_mut(start..start.saturating_add(lanes)) {
                    out.copy_from_slice(&value[..lanes]);
                }
            });
        }
        for morph in &self.exact_morphs {
            let Some(&start) = morph_start.get(morph.part) else {
                continue;
            };
            let end = start.saturating_add(morph.n_targets);
            if let Some(out) = weights.get_mut(start..end) {
                sample_weights(&morph.track, morph.n_targets, t, out);
            }
        }
    }

    /// Calls `write(group, value at the frame before, value at the frame after, share)` for every
    /// group at `t` seconds.
    #[inline]
    fn each_group(&self, t: f32, mut write: impl FnMut(&Group, Vec3A, Vec3A, f32)) {
        if self.groups.is_empty() {
            return;
        }
        let place = self.place(t);
        let n = self.groups.len();
        let cells_of = |segment: usize| {
            let cells = self.cells.get(segment * n..(segment + 1) * n);
            let start = self.starts.get(segment).copied().unwrap_or(0);
            (cells.unwrap_or(&[]), start as usize * 8)
        };
        let (cells, mut offset) = cells_of(place.segment);
        match &place.beyond {
            None => {
                for (group, &cell) in self.groups.iter().zip(cells) {
                    let (here, next) = self.pair(cell, offset, &place.moment);
                    offset += cell.bits(place.frames);
                    write(group, here, next, place.u);
                }
            }
            Some((frames, moment)) => {
                let (others, mut other_offset) = cells_of(place.segment + 1);
                for ((group, &cell), &other) in self.groups.iter().zip(cells).zip(others) {
                    let (here, _) = self.pair(cell, offset, &place.moment);
                    let (next, _) = self.pair(other, other_offset, moment);
                    offset += cell.bits(place.frames);
                    other_offset += other.bits(*frames);
                    write(group, here, next, place.u);
                }
            }
        }
    }

    fn place(&self, t: f32) -> Place {
        let position = self.grid.position(t);
        let frame = position as usize;
        let per = self.grid.per_segment.max(1) as usize;
        let segment = frame / per;
        let (first, frames) = self.grid.segment(segment);
        let local = frame - first;
        let u = position - frame as f32;
        let at_end = local + 1 >= frames && segment + 1 < self.grid.n_segments();
        Place {
            segment,
            frames,
            moment: Moment::new(local, frames),
            beyond: at_end.then(|| {
                let (_, frames) = self.grid.segment(segment + 1);
                (frames, Moment::new(0, frames))
            }),
            u,
        }
    }

    /// The values of a cell at a moment's two frames.
    #[inline]
    fn pair(&self, cell: Cell, offset: usize, moment: &Moment) -> (Vec3A, Vec3A) {
        let reader = Reader::new(cell);
        let code = cell.spacing();
        let (here, next) = (&moment.here[code], &moment.next[code]);
        let at = |knot: usize| reader.steps(&self.data, offset, here.first + knot);
        if code == 0 {
            let a = at(0);
            // At the very end the frame after is the frame itself.
            let b = if next.weights[0] == 1.0 { a } else { at(1) };
            return (combine(cell, a), combine(cell, b));
        }
        let (mut a, mut b) = (Vec3A::ZERO, Vec3A::ZERO);
        for knot in 0..4 {
            let steps = at(knot);
            a += steps * here.weights[knot];
            b += steps * next.weights[knot];
        }
        (combine(cell, a), combine(cell, b))
    }
}

/// The arc between two rotations given by all four parts.
pub fn four(v: Vec3A, w: f32, next_v: Vec3A, next_w: f32, u: f32) -> Quat {
    let a = unit(Quat::from_vec4(Vec4::from((v, w))));
    let b = unit(Quat::from_vec4(Vec4::from((next_v, next_w))));
    unit(arc(a, b, u))
}
