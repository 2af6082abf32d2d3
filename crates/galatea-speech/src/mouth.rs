//! Coarticulation: viseme weights at any time of a line.
//!
//! Neighbouring mouth shapes blend into each other: the lips start to move before a phone begins and return after it ends,
//! the more so the less the phone depends on them (dominance model, Cohen and Massaro 1993). Two rules are enforced. Lips
//! that must touch do touch (p, b, m, f, v). No shape is held for less than 120 ms, because faster mouths look like jitter
//! (HeadAudio #3: 13 changes per second look wrong, 7 look right).

use serde::{Deserialize, Serialize};

use super::track::{Curves, SpeechTrack, VisemeCue};
use super::viseme::{N_VISEMES, Viseme};

/// Hold and blend times of visemes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MouthOptions {
    /// Minimum time that a viseme is shown, seconds.
    pub hold: f32,
    /// Blend time between two visemes, seconds.
    pub blend: f32,
    /// Factor on all weights, 0..=2: a mumble or a shout.
    pub strength: f32,
}

impl Default for MouthOptions {
    fn default() -> Self {
        Self {
            hold: 0.12,
            blend: 0.09,
            strength: 1.0,
        }
    }
}

/// The mouth animation of one line. Immutable; sampled at the time of the sound, so that errors do not accumulate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mouth {
    shapes: Vec<MouthKey>,
    /// Curves that replace the shapes, if the track has them.
    curves: Curves,
    strength: f32,
}

/// A mouth shape with its blend times.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct MouthKey {
    viseme: Viseme,
    start: f32,
    end: f32,
    amount: f32,
    /// Blend time before the start, and after the end, seconds.
    rise: f32,
    fall: f32,
}

impl Mouth {
    /// Creates the mouth of a track, from its curves if it has any, else from its cues.
    pub fn of_track(track: &SpeechTrack, options: &MouthOptions) -> Self {
        if track.curves.frames.is_empty() {
            return Self::new(&track.cues, options);
        }
        Self {
            shapes: Vec::new(),
            curves: track.curves.clone(),
            strength: options.strength.clamp(0.0, 2.0),
        }
    }

    /// Creates a mouth from cues in order of time.
    pub fn new(cues: &[VisemeCue], options: &MouthOptions) -> Self {
        let mut kept = join(cues);
        remove_short(&mut kept, options.hold);
        widen(&mut kept, options.hold);
        let strength = options.strength.clamp(0.0, 2.0);
        let shapes = kept.iter().map(|cue| {
            // Shapes far from their neighbours start earlier; touching lips part quickly.
            let pace = match cue.viseme {
                Viseme::PP | Viseme::FF => 0.7,
                Viseme::O | Viseme::U | Viseme::CH => 1.3,
                _ => 1.0,
            };
            MouthKey {
                viseme: cue.viseme,
                start: cue.start,
                end: cue.end,
                amount: (cue.amount * strength).clamp(0.0, 1.0),
                rise: options.blend * pace,
                fall: options.blend * pace,
            }
        });
        Self {
            shapes: shapes.collect(),
            curves: Curves::default(),
            strength,
        }
    }

    /// Returns the mean number of shape changes per second.
    pub fn changes_per_second(&self) -> f32 {
        let (Some(first), Some(last)) = (self.shapes.first(), self.shapes.last()) else {
            return 0.0;
        };
        self.shapes.len().saturating_sub(1) as f32 / (last.end - first.start).max(1e-3)
    }

    /// Samples the weights of all visemes at `t` seconds. All are 0 before the first and after the last shape. Their sum is
    /// at most 1.
    pub fn sample(&self, t: f32) -> [f32; N_VISEMES] {
        let mut weights = [0.0; N_VISEMES];
        if !t.is_finite() {
            return weights;
        }
        if !self.curves.frames.is_empty() {
            let weights_from_curves = self.curves.sample(t);
            return weights_from_curves.map(|weight| (weight * self.strength).clamp(0.0, 1.0));
        }
        const MAX_REACH: f32 = 0.5;
        let first = self
            .shapes
            .partition_point(|shape| shape.end < t - MAX_REACH);
        let (mut sum, mut closed) = (0.0_f32, 0.0_f32);
        let mut raw = [0.0_f32; N_VISEMES];
        for shape in self.shapes.iter().skip(first) {
            if shape.start > t + MAX_REACH {
                break;
            }
            let near = if t < shape.start {
                1.0 - (shape.start - t) / shape.rise
            } else if t > shape.end {
                1.0 - (t - shape.end) / shape.fall
            } else {
                1.0
            };
            if near <= 0.0 {
                continue;
            }
            let weight = near * near * (3.0 - 2.0 * near);
            sum += weight;
            raw[shape.viseme as usize] += weight * shape.amount;
            if matches!(shape.viseme, Viseme::PP | Viseme::FF) {
                closed = closed.max(weight * weight);
            }
        }
        if sum <= 0.0 {
            return weights;
        }
        let scale = 1.0 / sum.max(1.0);
        for (i, slot) in weights.iter_mut().enumerate() {
            let is_closed = i == Viseme::PP as usize || i == Viseme::FF as usize;
            let own = (raw[i] * scale).min(1.0);
            // Touching lips are not kept open by neighbouring shapes.
            *slot = if is_closed {
                own.max(raw[i].min(1.0) * closed)
            } else {
                own * (1.0 - closed)
            };
        }
        // Two successive closures share the total weight of 1.
        let sum: f32 = weights.iter().sum();
        if sum > 1.0 {
            weights = weights.map(|weight| weight / sum);
        }
        weights
    }
}

/// Returns how noticeable the loss of a shape is.
fn importance(viseme: Viseme) -> f32 {
    match viseme {
        Viseme::PP | Viseme::FF => 4.0,
        Viseme::AA | Viseme::O | Viseme::U => 2.0,
        Viseme::E | Viseme::I | Viseme::CH => 1.6,
        Viseme::RR | Viseme::TH => 1.2,
        Viseme::SS => 1.0,
        Viseme::Sil => 0.9,
        Viseme::NN => 0.6,
        Viseme::DD | Viseme::KK => 0.5,
    }
}

/// Merges equal neighbours and removes cues without duration or with invalid numbers; the cues must be in order.
fn join(cues: &[VisemeCue]) -> Vec<VisemeCue> {
    let mut kept: Vec<VisemeCue> = Vec::new();
    for cue in cues {
        let is_sound = cue.start.is_finite() && cue.end.is_finite() && cue.amount.is_finite();
        if !is_sound || cue.end <= cue.start {
            continue;
        }
        match kept.last_mut() {
            Some(last) if last.viseme == cue.viseme && cue.start - last.end < 0.02 => {
                last.amount = last.amount.max(cue.amount);
                last.end = last.end.max(cue.end);
            }
            Some(last) if cue.start < last.start => {}
            _ => kept.push(*cue),
        }
    }
    kept
}

/// Removes the least important shapes that are too short to be visible, until the remaining ones have enough time.
fn remove_short(kept: &mut Vec<VisemeCue>, hold: f32) {
    loop {
        // Time that a shape can get: its own, plus what its neighbours can spare.
        let room = |kept: &[VisemeCue], i: usize| {
            let spare = |j: usize| -> f32 {
                let other = kept.get(j).filter(|other| {
                    let touches = (other.end - kept[i].start).abs() < 0.02;
                    touches || (other.start - kept[i].end).abs() < 0.02
                });
                match other {
                    Some(other) => ((other.end - other.start) - hold).max(0.0),
                    None => hold,
                }
            };
            let before = if i > 0 { spare(i - 1) } else { hold };
            kept[i].end - kept[i].start + before + spare(i + 1)
        };
        let too_short = (0..kept.len()).filter(|i| room(kept, *i) < hold);
        let weakest = too_short
            .filter(|i| importance(kept[*i].viseme) < importance(Viseme::PP))
            .min_by(|a, b| {
                let weight = |i: usize| {
                    let cue = &kept[i];
                    importance(cue.viseme) * (cue.end - cue.start).max(0.01)
                };
                weight(*a).total_cmp(&weight(*b))
            });
        let Some(i) = weakest else { return };
        let cue = kept.remove(i);
        let middle = 0.5 * (cue.start + cue.end);
        let touches = |a: f32, b: f32| (a - b).abs() < 0.02;
        let before = i
            .checked_sub(1)
            .filter(|j| touches(kept[*j].end, cue.start));
        let after = (i < kept.len() && touches(kept[i].start, cue.end)).then_some(i);
        match (before, after) {
            (Some(j), Some(k)) => {
                kept[j].end = middle;
                kept[k].start = middle;
            }
            (Some(j), None) => kept[j].end = cue.end,
            (None, Some(k)) => kept[k].start = cue.start,
            (None, None) => {}
        }
        // Equal shapes that are now adjacent are merged.
        if let (Some(j), Some(k)) = (before, after)
            && kept[j].viseme == kept[k].viseme
        {
            kept[j].end = kept[k].end;
            kept[j].amount = kept[j].amount.max(kept[k].amount);
            kept.remove(k);
        }
    }
}

/// Extends shapes shorter than the hold time at the expense of their neighbours, more from the longer one.
fn widen(kept: &mut [VisemeCue], hold: f32) {
    for i in 0..kept.len() {
        let lacks = hold - (kept[i].end - kept[i].start);
        if lacks <= 0.0 {
            continue;
        }
        // Closed lips keep all of their time.
        let spare = |cue: &VisemeCue| match cue.viseme {
            Viseme::PP | Viseme::FF => 0.0,
            _ => ((cue.end - cue.start) - hold).max(0.0),
        };
        let before = if i > 0 { spare(&kept[i - 1]) } else { lacks };
        let after = kept.get(i + 1).map_or(lacks, spare);
        let sum = before + after;
        if sum <= 0.0 {
            continue;
        }
        let taken = lacks.min(sum);
        let (from_before, from_after) = (taken * before / sum, taken * after / sum);
        kept[i].start -= from_before;
        kept[i].end += from_after;
        if i > 0 && kept[i - 1].end > kept[i].start {
            kept[i - 1].end = kept[i].start;
        }
        if let Some(next) = kept.get_mut(i + 1)
            && next.start < kept[i].end
        {
            let end = kept[i].end;
            kept[i + 1].start = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phoneme::{PHONEMES, Phoneme, TimedPhoneme};
    use crate::track::cues_of;

    fn spoken(phones: &[(Phoneme, f32)]) -> Vec<VisemeCue> {
        let mut t = 0.0;
        let timed: Vec<TimedPhoneme> = phones
            .iter()
            .map(|(phone, seconds)| {
                let start = t;
                t += seconds;
                TimedPhoneme {
                    phoneme: *phone,
                    start,
                    end: t,
                }
            })
            .collect();
        cues_of(&timed)
    }

    #[test]
    fn lips_close_for_p_b_m_f_and_v_at_any_speech_rate() {
        for closure in [Phoneme::P, Phoneme::B, Phoneme::M, Phoneme::F, Phoneme::V] {
            for seconds in [0.03, 0.05, 0.09] {
                let line = [
                    (Phoneme::AA, seconds),
                    (closure, seconds),
                    (Phoneme::IY, seconds),
                    (closure, seconds),
                    (Phoneme::OW, seconds),
                    (Phoneme::T, seconds),
                    (closure, seconds),
                    (Phoneme::AA, 0.2),
                ];
                let cues = spoken(&line);
                let mouth = Mouth::new(&cues, &MouthOptions::default());
                for cue in cues
                    .iter()
                    .filter(|c| matches!(c.viseme, Viseme::PP | Viseme::FF))
                {
                    let middle = 0.5 * (cue.start + cue.end);
                    let weights = mouth.sample(middle);
                    let own = weights[cue.viseme as usize];
                    let others: f32 = weights.iter().sum::<f32>() - own;
                    assert!(
                        own > 0.95 && others < 0.05,
                        "{closure} {seconds}: {own} {others}"
                    );
                }
            }
        }
    }

    #[test]
    fn fast_speech_is_limited_to_eight_shapes_a_second_and_slow_speech_keeps_all() {
        let mut line = Vec::new();
        let mut seed = 7_u32;
        for _ in 0..300 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let i = 1 + (seed >> 16) as usize % 39;
            line.push((PHONEMES[i], 0.03 + (seed >> 8 & 63) as f32 * 0.001));
        }
        let cues = spoken(&line);
        let mouth = Mouth::new(&cues, &MouthOptions::default());
        let all = Mouth::new(
            &cues,
            &MouthOptions {
                hold: 0.0,
                ..Default::default()
            },
        );
        assert!(
            all.changes_per_second() > 13.0,
            "{}",
            all.changes_per_second()
        );
        assert!(
            mouth.changes_per_second() < 8.5,
            "{}",
            mouth.changes_per_second()
        );
        let short = mouth.shapes.iter().filter(|s| s.end - s.start < 0.115);
        let n_short = short
            .filter(|s| !matches!(s.viseme, Viseme::PP | Viseme::FF))
            .count();
        assert!(
            n_short * 10 < mouth.shapes.len(),
            "{n_short} of {}",
            mouth.shapes.len()
        );
        let slow: Vec<_> = line.iter().map(|(phone, _)| (*phone, 0.25)).collect();
        let slow = spoken(&slow);
        let slow_mouth = Mouth::new(&slow, &MouthOptions::default());
        assert_eq!(slow_mouth.shapes.len(), join(&slow).len());
    }

    #[test]
    fn weights_are_smooth_and_sum_to_one_at_most() {
        let line = [
            (Phoneme::Sil, 0.2),
            (Phoneme::HH, 0.06),
            (Phoneme::EH, 0.09),
            (Phoneme::L, 0.07),
            (Phoneme::OW, 0.22),
            (Phoneme::Sil, 0.3),
        ];
        let cues = spoken(&line);
        let mouth = Mouth::new(&cues, &MouthOptions::default());
        let mut was = mouth.sample(0.0);
        for i in 0..1000 {
            let now = mouth.sample(i as f32 * 0.001);
            let sum: f32 = now.iter().sum();
            assert!((0.0..=1.0001).contains(&sum), "{sum}");
            for (a, b) in now.iter().zip(was) {
                assert!((a - b).abs() < 0.06, "a jump at {i} ms: {a} {b}");
            }
            was = now;
        }
        assert!(mouth.sample(0.12)[Viseme::E as usize] < 0.05);
        assert!(
            mouth.sample(0.2)[Viseme::E as usize] > 0.15,
            "on its way before the sound"
        );
        assert!(
            mouth.sample(0.5)[Viseme::O as usize] + mouth.sample(0.5)[Viseme::U as usize] > 0.9
        );
        assert_eq!(mouth.sample(9.0), [0.0; N_VISEMES]);
        assert_eq!(mouth.sample(f32::NAN), [0.0; N_VISEMES]);
    }

    #[test]
    fn invalid_cues_are_ignored() {
        let cue = |start: f32, end: f32| VisemeCue {
            viseme: Viseme::AA,
            start,
            end,
            amount: 1.0,
        };
        let cues = [
            cue(f32::NAN, 1.0),
            cue(1.0, 0.5),
            cue(0.3, 0.3),
            cue(0.5, 0.9),
            cue(0.1, 0.2),
        ];
        let mouth = Mouth::new(&cues, &MouthOptions::default());
        assert_eq!(mouth.shapes.len(), 1);
        assert_eq!(
            Mouth::new(&[], &MouthOptions::default()).sample(0.0),
            [0.0; N_VISEMES]
        );
    }
}
