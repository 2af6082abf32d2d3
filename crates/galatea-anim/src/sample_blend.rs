//! Blend of several clips at their times to one pose, by normalised weights.

use glam::{Quat, Vec3, Vec4, Vec4Swizzles};

use super::arc::ArcBend;
use super::frames::{Columns, FramePosition, Frames};
use super::sample::{sample_rotation, sample_vec3, sample_weight};
use super::simd::{self, BlendRow};
use super::{BoneTracks, Pose};
use galatea_math::Trs;
use galatea_math::simd::Level;

/// A clip at a time, with its weight in a blend.
#[derive(Clone, Copy, Debug)]
pub struct ClipAt<'a> {
    /// Frames of the clip, created with the rest pose of the playing model.
    pub frames: &'a Frames,
    /// Clip time in seconds, clamped to the clip.
    pub t: f32,
    /// Any positive number; only ratios matter. Zero, negative and NaN exclude the clip.
    pub weight: f32,
}

/// Maximum number of clips in one [`sample_blend`].
pub const MAX_PLAYS: usize = 16;

/// Samples the clips and blends them into `out`, which gets the length of `rest`.
///
/// Weights are divided by their sum, so only their ratios matter (5 and 2.5 mean 2 to 1). A channel that a clip does
/// not move counts as rest for that clip. Rotations are summed in the hemisphere of the heaviest clip's and
/// normalised once. The order of `plays` has no influence, not even on the last bit. Without a clip of positive
/// weight, `out` is the rest pose.
///
/// Frames of a model with another number of bones are ignored; of more than [`MAX_PLAYS`] clips, the lightest are
/// ignored.
pub fn sample_blend(plays: &[ClipAt], rest: &Pose, out: &mut Pose) {
    sample_blend_at(Level::current(), plays, rest, out);
}

/// [`sample_blend`] with the instructions of a given SIMD level, for tests and benchmarks.
pub fn sample_blend_at(level: Level, plays: &[ClipAt], rest: &Pose, out: &mut Pose) {
    match plays.len() {
        0..=2 => run::<2>(level, plays, rest, out),
        _ => run::<MAX_PLAYS>(level, plays, rest, out),
    }
}

/// [`sample_blend_at`] with space for `MAX` clips, so that a blend of few clips is fast.
fn run<const MAX: usize>(level: Level, plays: &[ClipAt], rest: &Pose, out: &mut Pose) {
    out.morphs.clone_from(&rest.morphs);
    out.curves.clone_from(&rest.curves);
    let Some(any) = plays.first() else {
        out.locals.clone_from(&rest.locals);
        return;
    };
    let empty = BlendClip {
        frames: any.frames,
        position: FramePosition { frame: 0, u: 0.0 },
        t: 0.0,
        weight: 0.0,
    };
    let mut buffer = [empty; MAX];
    let plays = in_order(plays, rest.locals.len(), &mut buffer);
    let Some(heaviest) = plays.first() else {
        out.locals.clone_from(&rest.locals);
        return;
    };
    let mut rows = [heaviest.row(); MAX];
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

/// A clip in the blend: its position among its frames and its normalised weight.
#[derive(Clone, Copy)]
struct BlendClip<'a> {
    frames: &'a Frames,
    position: FramePosition,
    t: f32,
    weight: f32,
}

impl<'a> BlendClip<'a> {
    fn new(clip: &ClipAt<'a>) -> Self {
        Self {
            frames: clip.frames,
            position: clip.frames.position(clip.t),
            t: clip.t,
            weight: clip.weight,
        }
    }

    /// Weights of the frame and of the next one.
    #[inline]
    fn weights(&self) -> (f32, f32) {
        let to = self.weight * self.position.u;
        (self.weight - to, to)
    }

    fn row(&self) -> BlendRow<'a> {
        let (from, to) = self.weights();
        BlendRow {
            frames: self.frames.rotations(self.position.frame),
            from,
            to,
            bend: ArcBend::new(self.position.u).scaled(self.weight),
        }
    }

    /// Orders heavier clips first; on a tie, the content decides, never the caller's order.
    fn is_before(&self, other: &Self) -> bool {
        let key = |play: &Self| (play.frames.key, play.t.to_bits());
        match self.weight.total_cmp(&other.weight) {
            std::cmp::Ordering::Equal => key(self) < key(other),
            order => order.is_gt(),
        }
    }
}

/// The clips of the blend, the heaviest first, with weights that sum to 1.
#[inline]
fn in_order<'a, 'b, const MAX: usize>(
    clips: &[ClipAt<'a>],
    n_bones: usize,
    buffer: &'b mut [BlendClip<'a>; MAX],
) -> &'b [BlendClip<'a>] {
    let mut n = 0;
    for clip in clips {
        if !(clip.weight > 0.0 && clip.weight.is_finite() && clip.frames.n_bones == n_bones) {
            continue;
        }
        let play = BlendClip::new(clip);
        let mut at = n;
        while at > 0 && play.is_before(&buffer[at - 1]) {
            if at < MAX {
                buffer[at] = buffer[at - 1];
            }
            at -= 1;
        }
        if at < MAX {
            buffer[at] = play;
            n = (n + 1).min(MAX);
        }
    }
    let plays = &mut buffer[..n];
    let mut sum: f32 = plays.iter().map(|play| play.weight).sum();
    if !(1e-30..1e30).contains(&sum) {
        // Weights relative to the heaviest, so that very large and very small weights stay in the range of f32.
        let heaviest = plays.first().map_or(1.0, |play| play.weight);
        for play in plays.iter_mut() {
            play.weight /= heaviest;
        }
        sum = plays.iter().map(|play| play.weight).sum();
    }
    let scale = sum.recip();
    for play in plays.iter_mut() {
        play.weight *= scale;
    }
    plays
}

#[inline]
fn add_vectors(play: &BlendClip, columns: &Columns<Vec3, Vec4>, mut add: impl FnMut(usize, Vec3)) {
    for (bone, d) in &columns.constant {
        add(*bone as usize, *d * play.weight);
    }
    if !columns.moved.is_empty() {
        let (w0, w1) = play.weights();
        let (from, to) = columns.rows(play.position.frame);
        for ((bone, a), b) in columns.moved.iter().zip(from).zip(to) {
            add(*bone as usize, (*a * w0 + *b * w1).xyz());
        }
    }
}

#[inline]
fn add_numbers(play: &BlendClip, columns: &Columns<f32, f32>, out: &mut [f32]) {
    for (column, d) in &columns.constant {
        if let Some(value) = out.get_mut(*column as usize) {
            *value += d * play.weight;
        }
    }
    if !columns.moved.is_empty() {
        let (w0, w1) = play.weights();
        let (from, to) = columns.rows(play.position.frame);
        for ((column, a), b) in columns.moved.iter().zip(from).zip(to) {
            if let Some(value) = out.get_mut(*column as usize) {
                *value += a * w0 + b * w1;
            }
        }
    }
}

/// Blends again the channels that a clip stores as exact keys. These are few, so a loop over single bones is fast
/// enough.
fn read_exact(plays: &[BlendClip], rest: &Pose, out: &mut Pose) {
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
        for (slot, _) in &play.frames.exact.curves {
            if let (Some(value), Some(rest)) = (out.curves.get_mut(*slot), rest.curves.get(*slot)) {
                *value = blend_curve(plays, *slot, *rest);
            }
        }
    }
}

/// Result of the whole-pose loops for one bone, with exact tracks sampled from their keys.
fn blend_bone(plays: &[BlendClip], bone: usize, rest: Trs) -> Trs {
    let mut out = rest;
    let mut sum = Vec4::ZERO;
    let mut heaviest = Vec4::ZERO;
    for play in plays {
        let exact = exact_of(play, bone);
        let frames = play.frames.rotations(play.position.frame);
        let row = frames.len() / 2;
        let q = match exact.and_then(|tracks| tracks.rotation.as_ref()) {
            Some(track) => Vec4::from(sample_rotation(track, play.t).normalize()),
            None => {
                let from = simd::rotation_in(&frames[..row], bone);
                from.lerp(simd::rotation_in(&frames[row..], bone), play.position.u)
            }
        };
        if heaviest == Vec4::ZERO {
            heaviest = q;
        }
        sum += q * if heaviest.dot(q) < 0.0 {
            -play.weight
        } else {
            play.weight
        };
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

fn exact_of<'a>(play: &BlendClip<'a>, bone: usize) -> Option<&'a BoneTracks> {
    let bones = &play.frames.exact.bones;
    let at = bones.binary_search_by_key(&bone, |tracks| usize::from(tracks.bone));
    at.ok().map(|at| &bones[at])
}

fn blend_morph(plays: &[BlendClip], column: usize, rest: f32) -> f32 {
    let mut out = rest;
    for play in plays {
        let mut tracks = play.frames.exact.morphs.iter();
        let found =
            tracks.find(|(start, morph)| (*start..start + morph.n_targets).contains(&column));
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

fn blend_curve(plays: &[BlendClip], slot: usize, rest: f32) -> f32 {
    let mut out = rest;
    for play in plays {
        let mut tracks = play.frames.exact.curves.iter();
        match tracks.find(|(own, _)| *own == slot) {
            Some((_, track)) => out += (sample_weight(track, 1, 0, play.t) - rest) * play.weight,
            None => out += number_of(play, &play.frames.curves, slot as u32),
        }
    }
    out
}

/// Contribution of a clip to one column.
fn number_of(play: &BlendClip, columns: &Columns<f32, f32>, column: u32) -> f32 {
    if let Ok(at) = columns.moved.binary_search(&column) {
        let (w0, w1) = play.weights();
        let (from, to) = columns.rows(play.position.frame);
        return from[at] * w0 + to[at] * w1;
    }
    let constant = columns.constant.iter().find(|(c, _)| *c == column);
    constant.map_or(0.0, |(_, d)| d * play.weight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{motion, rest_of, tree};
    use crate::{Clip, FrameGrid, Interpolation, MorphTrack, Skeleton, Track, reference, sample};

    const GRID: FrameGrid = FrameGrid {
        start: 0.0,
        rate: 30.0,
        duration: 1.0,
    };

    fn rest() -> Pose {
        Pose {
            locals: vec![Trs::IDENTITY; 2],
            morphs: vec![0.25, 0.0],
            curves: vec![0.0],
        }
    }

    /// Moves bone 0 to `to` along x, and the values to 1, in one second.
    fn slide(to: f32) -> Frames {
        Frames::new(GRID, &rest(), |t, pose| {
            pose.locals[0].translation.x = to * t;
            pose.morphs[0] = 0.25 + 0.75 * t;
            pose.curves[0] = t;
        })
    }

    fn blended(plays: &[(&Frames, f32, f32)]) -> Pose {
        let plays: Vec<ClipAt> = plays
            .iter()
            .map(|&(frames, t, weight)| ClipAt { frames, t, weight })
            .collect();
        let mut out = Pose::default();
        sample_blend(&plays, &rest(), &mut out);
        out
    }

    #[test]
    fn weights_5_and_2_5_give_a_ratio_of_two() {
        let (a, b) = (slide(3.0), slide(0.0));
        let pose = blended(&[(&a, 1.0, 5.0), (&b, 1.0, 2.5)]);
        assert!((pose.locals[0].translation.x - 2.0).abs() < 1e-6);
    }

    #[test]
    fn channels_without_tracks_count_as_rest() {
        let turned = glam::Quat::from_rotation_y(1.0);
        let turn = Frames::new(GRID, &rest(), |_, pose| {
            pose.locals[0].rotation = turned;
            pose.locals[0].scale.z = 3.0;
        });
        let pose = blended(&[(&turn, 0.5, 1.0), (&slide(1.0), 1.0, 1.0)]);
        let half = glam::Quat::from_rotation_y(0.5);
        assert!(pose.locals[0].rotation.abs_diff_eq(half, 1e-6));
        assert_eq!(pose.locals[0].scale.z, 2.0);
        assert_eq!(pose.locals[0].translation.x, 0.5);
        assert_eq!(pose.locals[1], Trs::IDENTITY);
    }

    #[test]
    fn morph_weights_and_curves_are_blended_too() {
        let pose = blended(&[(&slide(1.0), 1.0, 1.0), (&slide(2.0), 0.0, 3.0)]);
        assert_eq!(pose.morphs, [0.25 + 0.25 * 0.75, 0.0]);
        assert_eq!(pose.curves, [0.25]);
    }

    #[test]
    fn clip_without_positive_weight_is_ignored() {
        let (a, b) = (slide(1.0), slide(9.0));
        let alone = blended(&[(&a, 0.3, 1.0)]);
        for weight in [0.0, -1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(blended(&[(&b, 0.3, weight), (&a, 0.3, 2.0)]), alone);
            assert_eq!(blended(&[(&b, 0.3, weight)]), rest());
        }
        assert_eq!(blended(&[]), rest());
        let huge = blended(&[(&a, 0.3, f32::MAX), (&a, 0.3, f32::MAX)]);
        assert_eq!(huge.locals[0].translation.x, alone.locals[0].translation.x);
    }

    #[test]
    fn times_outside_the_clip_are_clamped_and_nan_is_the_start() {
        let a = slide(1.0);
        let x = |t: f32| blended(&[(&a, t, 1.0)]).locals[0].translation.x;
        assert_eq!([x(-3.0), x(7.0), x(f32::NAN)], [0.0, 1.0, 0.0]);
        assert_eq!([x(f32::INFINITY), x(f32::NEG_INFINITY)], [1.0, 0.0]);
    }

    #[test]
    fn frames_of_another_model_are_ignored() {
        let other = Pose {
            locals: vec![Trs::IDENTITY; 40],
            ..Pose::default()
        };
        let frames = Frames::new(GRID, &other, |_, pose| {
            pose.locals[30].translation.y = 5.0;
        });
        assert_eq!(blended(&[(&frames, 0.5, 1.0)]), rest());
    }

    #[test]
    fn lightest_of_too_many_clips_are_ignored() {
        let (a, b) = (slide(1.0), slide(100.0));
        let mut plays = vec![(&b, 1.0, 0.5); 9];
        plays.extend(vec![(&a, 1.0, 1.0); MAX_PLAYS]);
        let x = blended(&plays).locals[0].translation.x;
        assert!((x - 1.0).abs() < 1e-6, "{x}");
    }

    #[test]
    fn steps_change_exactly_at_their_keys_in_a_blend() {
        let skeleton: Skeleton = tree(3, 4);
        let rest = Pose {
            morphs: vec![0.0; 3],
            ..rest_of(&skeleton)
        };
        let step = |values| Track {
            times: vec![0.0, 0.412],
            values,
            interpolation: Interpolation::Step,
        };
        let q = glam::Quat::from_rotation_x;
        let clip = Clip {
            duration: 1.0,
            bones: vec![BoneTracks {
                bone: 1,
                translation: Some(step(vec![Vec3::ZERO, Vec3::X])),
                rotation: Some(Track {
                    times: vec![0.0, 0.412],
                    values: vec![q(0.0), q(2.0)],
                    interpolation: Interpolation::Step,
                }),
                scale: None,
            }],
            morphs: vec![MorphTrack {
                part: 0,
                n_targets: 2,
                track: Track {
                    times: vec![0.0, 0.412],
                    values: vec![0.0, 0.5, 1.0, 0.0],
                    interpolation: Interpolation::Step,
                },
            }],
            ..Clip::default()
        };
        let frames = Frames::of_clip(&clip, &skeleton, &rest, &[1]);
        let still = Frames::new(GRID, &rest, |_, _| {});
        for t in [0.411_999, 0.412, 0.5] {
            let play = |frames, weight| ClipAt { frames, t, weight };
            let (mut ours, mut expected) = (Pose::default(), rest.clone());
            sample_blend(&[play(&frames, 1.0)], &rest, &mut ours);
            sample(&clip, t, &[1], &mut expected);
            assert!(
                ours.locals[1]
                    .rotation
                    .abs_diff_eq(expected.locals[1].rotation, 1e-6)
            );
            let off = ours.locals[1].translation - expected.locals[1].translation;
            assert!(off.length() < 1e-6);
            assert_eq!(ours.morphs, expected.morphs);
            sample_blend(&[play(&frames, 1.0), play(&still, 3.0)], &rest, &mut ours);
            let quarter = expected.locals[1].translation * 0.25 + rest.locals[1].translation * 0.75;
            assert!(ours.locals[1].translation.abs_diff_eq(quarter, 1e-6));
            assert_eq!(ours.morphs[2], expected.morphs[2] * 0.25);
        }
    }

    #[test]
    fn single_bones_equal_the_whole_pose() {
        let skeleton = tree(20, 8);
        let rest = rest_of(&skeleton);
        let frames: Vec<Frames> = (0..3)
            .map(|seed| Frames::of_clip(&motion(&skeleton, seed), &skeleton, &rest, &[]))
            .collect();
        let clips: Vec<ClipAt> = frames
            .iter()
            .zip([0.2, 0.5, 0.3])
            .map(|(frames, weight)| ClipAt {
                frames,
                t: 0.217,
                weight,
            })
            .collect();
        let mut pose = Pose::default();
        sample_blend(&clips, &rest, &mut pose);
        let mut buffer = [BlendClip::new(&clips[0]); MAX_PLAYS];
        let plays = in_order(&clips, 20, &mut buffer);
        for (bone, local) in pose.locals.iter().enumerate() {
            let one = blend_bone(plays, bone, rest.locals[bone]);
            assert!(
                one.rotation.abs_diff_eq(local.rotation, 1e-6),
                "bone {bone}"
            );
            assert!(one.translation.abs_diff_eq(local.translation, 1e-6));
            assert!(one.scale.abs_diff_eq(local.scale, 1e-6));
        }
    }

    #[test]
    fn blend_of_three_equals_the_double_precision_sum() {
        let skeleton = tree(1, 8);
        let rest = rest_of(&skeleton);
        let q = |x: f32| rest.locals[0].rotation * glam::Quat::from_rotation_x(x);
        let still = |x: f32, sign: f32| Clip {
            duration: 0.0,
            bones: vec![BoneTracks {
                bone: 0,
                translation: None,
                rotation: Some(Track {
                    times: vec![0.0],
                    values: vec![q(x) * sign],
                    interpolation: Interpolation::Linear,
                }),
                scale: None,
            }],
            ..Clip::default()
        };
        // Two of the quaternions are in the other hemisphere.
        let clips = [still(0.3, -1.0), still(1.4, 1.0), still(-0.9, -1.0)];
        let frames = clips
            .each_ref()
            .map(|clip| Frames::of_clip(clip, &skeleton, &rest, &[]));
        let weights = [0.5, 0.2, 0.3];
        let mut plays = Vec::new();
        let mut exact = Vec::new();
        for i in 0..3 {
            plays.push(ClipAt {
                frames: &frames[i],
                t: 0.0,
                weight: weights[i],
            });
            exact.push((&clips[i], 0.0, f64::from(weights[i])));
        }
        let mut pose = Pose::default();
        sample_blend(&plays, &rest, &mut pose);
        let exact = reference::model_from_bone(&skeleton, &exact);
        let ours = pose.locals[0].to_affine().matrix3;
        let expected = glam::Mat3A::from(exact[0].matrix3.as_mat3());
        assert!(ours.abs_diff_eq(expected, 1e-6), "{ours} {expected}");
    }
}
