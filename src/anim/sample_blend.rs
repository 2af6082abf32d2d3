//! Clips at their times → one pose, by normalised weights.

use glam::{Quat, Vec3, Vec4, Vec4Swizzles};

use super::frames::{Columns, Frames, Place};
use super::sample::{sample_rotation, sample_vec3, sample_weight};
use super::simd::{self, Level, Row};
use super::{BoneTracks, Pose};
use crate::math::Trs;

/// A clip at a time, with its weight among others.
#[derive(Clone, Copy, Debug)]
pub struct ClipAt<'a> {
    /// The clip's frames, made with the rest pose of the model that plays it.
    pub frames: &'a Frames,
    /// Seconds on the clip; clamped to it.
    pub t: f32,
    /// Any positive number: only ratios count. Zero, negative and NaN leave the clip out.
    pub weight: f32,
}

/// Most clips that count in one [`sample_blend`].
pub const MOST_PLAYS: usize = 16;

/// Samples the clips and blends them into `out`, which becomes as long as `rest`.
///
/// Weights are divided by their sum, so that their ratios decide (row 5.09: 5 and 2.5 mean twice).
/// What a clip does not move counts as rest for that clip. Rotations are summed in the hemisphere of
/// the heaviest clip's and normalised once. The order of `plays` has no influence, not even on the
/// last bit. Without a clip that counts, `out` is the rest pose.
///
/// Frames of a model with another number of bones are left out, and of more than [`MOST_PLAYS`]
/// clips the lightest.
pub fn sample_blend(plays: &[ClipAt], rest: &Pose, out: &mut Pose) {
    sample_blend_at(Level::current(), plays, rest, out);
}

/// [`sample_blend`] with the instructions of a given level, for tests and benchmarks.
pub fn sample_blend_at(level: Level, plays: &[ClipAt], rest: &Pose, out: &mut Pose) {
    match plays.len() {
        0..=2 => run::<2>(level, plays, rest, out),
        _ => run::<MOST_PLAYS>(level, plays, rest, out),
    }
}

/// [`sample_blend_at`] with room for `MOST` clips, so that few clips do not pay for many.
fn run<const MOST: usize>(level: Level, plays: &[ClipAt], rest: &Pose, out: &mut Pose) {
    out.morphs.clone_from(&rest.morphs);
    out.curves.clone_from(&rest.curves);
    let Some(any) = plays.first() else {
        out.locals.clone_from(&rest.locals);
        return;
    };
    let mut buffer = [Play::new(any); MOST];
    let plays = in_order(plays, rest.locals.len(), &mut buffer);
    let Some(heaviest) = plays.first() else {
        out.locals.clone_from(&rest.locals);
        return;
    };
    let mut rows = [heaviest.row(); MOST];
    for (row, play) in rows.iter_mut().zip(plays).skip(1) {
        *row = play.row();
    }
    out.locals.resize(rest.locals.len(), Trs::IDENTITY);
    simd::rotations(level, &rows[..plays.len()], &rest.locals, &mut out.locals);
    for play in plays {
        let frames = play.frames;
        add_vectors(play, &frames.translations, |bone, d| {
            out.locals[bone].translation += d;
        });
        add_vectors(play, &frames.scales, |bone, d| out.locals[bone].scale += d);
        add_numbers(play, &frames.morphs, &mut out.morphs);
        add_numbers(play, &frames.curves, &mut out.curves);
    }
    if plays.iter().any(|play| !play.frames.exact.is_empty()) {
        read_exact(plays, rest, out);
    }
}

/// A clip that counts: its place among its frames and its share of the whole.
#[derive(Clone, Copy)]
struct Play<'a> {
    frames: &'a Frames,
    place: Place,
    t: f32,
    weight: f32,
}

impl<'a> Play<'a> {
    fn new(clip: &ClipAt<'a>) -> Self {
        Self {
            frames: clip.frames,
            place: clip.frames.place(clip.t),
            t: clip.t,
            weight: clip.weight,
        }
    }

    /// Weights of the frame and of the one after it.
    #[inline]
    fn weights(&self) -> (f32, f32) {
        let to = self.weight * self.place.u;
        (self.weight - to, to)
    }

    fn row(&self) -> Row<'a> {
        let (from, to) = self.weights();
        Row {
            frames: self.frames.rotations(self.place.frame),
            from,
            to,
        }
    }

    /// Heavier first; between equals content decides, never the caller's order.
    fn before(&self, other: &Self) -> bool {
        let key = |play: &Self| (play.frames.key, play.t.to_bits());
        match self.weight.total_cmp(&other.weight) {
            std::cmp::Ordering::Equal => key(self) < key(other),
            order => order.is_gt(),
        }
    }
}

/// The clips that count, the heaviest first, weights summing to 1.
fn in_order<'a, 'b>(
    clips: &[ClipAt<'a>],
    n_bones: usize,
    buffer: &'b mut [Play<'a>],
) -> &'b [Play<'a>] {
    let mut n = 0;
    for clip in clips {
        if !(clip.weight > 0.0 && clip.weight.is_finite() && clip.frames.n_bones == n_bones) {
            continue;
        }
        let play = Play::new(clip);
        let mut at = n;
        while at > 0 && play.before(&buffer[at - 1]) {
            if at < buffer.len() {
                buffer[at] = buffer[at - 1];
            }
            at -= 1;
        }
        if at < buffer.len() {
            buffer[at] = play;
            n = (n + 1).min(buffer.len());
        }
    }
    let plays = &mut buffer[..n];
    // Against the heaviest first, so that neither huge nor tiny weights overflow the sum.
    let heaviest = plays.first().map_or(1.0, |play| play.weight);
    let sum: f32 = plays.iter().map(|play| play.weight / heaviest).sum();
    for play in plays.iter_mut() {
        play.weight = play.weight / heaviest / sum;
    }
    plays
}

#[inline]
fn add_vectors(play: &Play, columns: &Columns<Vec3, Vec4>, mut add: impl FnMut(usize, Vec3)) {
    for (bone, d) in &columns.constant {
        add(*bone as usize, *d * play.weight);
    }
    if !columns.moved.is_empty() {
        let (w0, w1) = play.weights();
        let (from, to) = columns.rows(play.place.frame);
        for ((bone, a), b) in columns.moved.iter().zip(from).zip(to) {
            add(*bone as usize, (*a * w0 + *b * w1).xyz());
        }
    }
}

#[inline]
fn add_numbers(play: &Play, columns: &Columns<f32, f32>, out: &mut [f32]) {
    for (column, d) in &columns.constant {
        if let Some(value) = out.get_mut(*column as usize) {
            *value += d * play.weight;
        }
    }
    if !columns.moved.is_empty() {
        let (w0, w1) = play.weights();
        let (from, to) = columns.rows(play.place.frame);
        for ((column, a), b) in columns.moved.iter().zip(from).zip(to) {
            if let Some(value) = out.get_mut(*column as usize) {
                *value += a * w0 + b * w1;
            }
        }
    }
}

/// Blends anew what some clip keeps as exact keys. These are few, so bone after bone will do.
fn read_exact(plays: &[Play], rest: &Pose, out: &mut Pose) {
    for play in plays {
        for tracks in &play.frames.exact.bones {
            let bone = usize::from(tracks.bone);
            if let (Some(local), Some(rest)) = (out.locals.get_mut(bone), rest.locals.get(bone)) {
                *local = blend_bone(plays, bone, *rest);
            }
        }
        for (start, morph) in &play.frames.exact.morphs {
            for i in 0..morph.n_targets {
                let column = start + i;
                if let (Some(value), Some(rest)) =
                    (out.morphs.get_mut(column), rest.morphs.get(column))
                {
                    *value = blend_morph(plays, column, *rest);
                }
            }
        }
    }
}

/// What the loops over whole poses make of one bone, with exact tracks read from their keys.
fn blend_bone(plays: &[Play], bone: usize, rest: Trs) -> Trs {
    let mut out = rest;
    let mut sum = Vec4::ZERO;
    let mut heaviest = Vec4::ZERO;
    for play in plays {
        let exact = exact_of(play, bone);
        let frames = play.frames.rotations(play.place.frame);
        let row = frames.len() / 2;
        let q = match exact.and_then(|tracks| tracks.rotation.as_ref()) {
            Some(track) => Vec4::from(sample_rotation(track, play.t).normalize()),
            None => {
                let from = simd::rotation_in(&frames[..row], bone);
                from.lerp(simd::rotation_in(&frames[row..], bone), play.place.u)
            }
        };
        if heaviest == Vec4::ZERO {
            heaviest = q;
        }
        sum += q * if heaviest.dot(q) < 0.0 { -play.weight } else { play.weight };
        match exact.and_then(|tracks| tracks.translation.as_ref()) {
            Some(track) => {
                out.translation += (sample_vec3(track, play.t) - rest.translation) * play.weight;
            }
            None => add_vectors(play, &play.frames.translations, |at, d| {
                if at == bone {
                    out.translation += d;
                }
            }),
        }
        match exact.and_then(|tracks| tracks.scale.as_ref()) {
            Some(track) => out.scale += (sample_vec3(track, play.t) - rest.scale) * play.weight,
            None => add_vectors(play, &play.frames.scales, |at, d| {
                if at == bone {
                    out.scale += d;
                }
            }),
        }
    }
    out.rotation = Quat::from_vec4(sum).normalize();
    out
}

fn exact_of<'a>(play: &Play<'a>, bone: usize) -> Option<&'a BoneTracks> {
    let bones = &play.frames.exact.bones;
    let at = bones.binary_search_by_key(&bone, |tracks| usize::from(tracks.bone));
    at.ok().map(|at| &bones[at])
}

fn blend_morph(plays: &[Play], column: usize, rest: f32) -> f32 {
    let mut out = rest;
    for play in plays {
        let mut tracks = play.frames.exact.morphs.iter();
        let found = tracks.find(|(start, morph)| (*start..start + morph.n_targets).contains(&column));
        match found {
            Some((start, morph)) => {
                let value = sample_weight(&morph.track, morph.n_targets, column - start, play.t);
                out += (value - rest) * play.weight;
            }
            None => out += number_of(play, &play.frames.morphs, column as u32),
        }
    }
    out
}

/// What a clip adds to one column.
fn number_of(play: &Play, columns: &Columns<f32, f32>, column: u32) -> f32 {
    if let Ok(at) = columns.moved.binary_search(&column) {
        let (w0, w1) = play.weights();
        let (from, to) = columns.rows(play.place.frame);
        return from[at] * w0 + to[at] * w1;
    }
    let constant = columns.constant.iter().find(|(c, _)| *c == column);
    constant.map_or(0.0, |(_, d)| d * play.weight)
}
