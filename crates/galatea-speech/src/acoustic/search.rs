//! Finds the most likely phones without known words (Viterbi search).

use super::network::{N_OUT, Network};
use crate::phoneme::{Phoneme, TimedPhoneme};

/// Duration of a frame, seconds.
pub const FRAME: f32 = 0.01;

/// Weights and penalties of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchOptions {
    /// Weight of the phones' prior frequencies.
    pub prior: f32,
    /// Weight of the sequence probabilities.
    pub follows: f32,
    /// Penalty for a change of the phone.
    pub change: f32,
    /// Minimum number of frames of a phone.
    pub least: usize,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            prior: 0.6,
            follows: 0.6,
            change: 0.6,
            least: 3,
        }
    }
}

/// Returns the most likely phones, which cover all frames without gaps. Uses 240 bytes of memory per frame.
pub fn any(
    network: &Network,
    likelihoods: &[[f32; N_OUT]],
    options: &SearchOptions,
) -> Vec<TimedPhoneme> {
    if likelihoods.is_empty() {
        return Vec::new();
    }
    let n = likelihoods.len();
    // One state for each duration of a phone: 1, 2, … frames; the last state stands for `least` or more.
    let least = options.least.max(1);
    let n_states = N_OUT * least;
    let mut score = vec![f32::MIN; n_states];
    let mut back: Vec<u16> = vec![0; n * n_states];
    let emit = |t: usize, p: usize| {
        likelihoods[t][p] - options.prior * network.priors.get(p).copied().unwrap_or(0.0)
    };
    for p in 0..N_OUT {
        score[p * least] = emit(0, p) + if p == 0 { 0.0 } else { -2.0 };
    }
    let mut next = score.clone();
    for t in 1..n {
        next.fill(f32::MIN);
        let full = |p: usize| p * least + least - 1;
        // Best path into each phone.
        for p in 0..N_OUT {
            let (mut best, mut from) = (f32::MIN, 0);
            for q in 0..N_OUT {
                if q == p {
                    continue;
                }
                let follows = network.follows.get(q * N_OUT + p).copied().unwrap_or(0.0);
                let path_score = score[full(q)] + options.follows * follows - options.change;
                if path_score > best {
                    (best, from) = (path_score, full(q));
                }
            }
            let e = emit(t, p);
            let first = p * least;
            let mut set = |state: usize, value: f32, from: usize| {
                if value > next[state] {
                    next[state] = value;
                    back[t * n_states + state] = from as u16;
                }
            };
            set(first, best + e, from);
            for k in 1..least {
                set(first + k, score[first + k - 1] + e, first + k - 1);
            }
            let last = full(p);
            set(last, score[last] + e, last);
        }
        std::mem::swap(&mut score, &mut next);
    }
    let mut state = (0..n_states)
        .max_by(|a, b| score[*a].total_cmp(&score[*b]))
        .unwrap_or(0);
    let mut path = vec![0_u8; n];
    for t in (0..n).rev() {
        path[t] = (state / least) as u8;
        state = usize::from(back[t * n_states + state]);
    }
    runs(&path)
}

fn runs(path: &[u8]) -> Vec<TimedPhoneme> {
    let mut out: Vec<TimedPhoneme> = Vec::new();
    for (t, p) in path.iter().enumerate() {
        let phone = Phoneme::from_index(usize::from(*p)).unwrap_or(Phoneme::Sil);
        let (start, end) = (t as f32 * FRAME, (t + 1) as f32 * FRAME);
        match out.last_mut() {
            Some(last) if last.phoneme == phone => last.end = end,
            _ => out.push(TimedPhoneme {
                phoneme: phone,
                start,
                end,
            }),
        }
    }
    out
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::network::SoundCounts;
    use super::*;

    /// A network without information: the tests provide the likelihoods.
    pub(crate) fn plain() -> Network {
        let each = (1.0 / N_OUT as f32).ln();
        let counts = SoundCounts {
            priors: vec![each; N_OUT],
            follows: vec![each; N_OUT * N_OUT],
            lengths: vec![[-2.5, 0.5]; N_OUT],
            usual: Vec::new(),
        };
        Network::new(Vec::new(), counts)
    }

    pub(crate) fn heard(sounds: &[(Phoneme, usize)]) -> Vec<[f32; N_OUT]> {
        let frames = sounds
            .iter()
            .flat_map(|(phone, n)| std::iter::repeat_n(*phone, *n));
        frames
            .map(|phone| {
                let mut frame = [-6.0; N_OUT];
                frame[phone as usize] = -0.1;
                frame
            })
            .collect()
    }

    pub(crate) fn names(phones: &[TimedPhoneme]) -> Vec<&'static str> {
        phones.iter().map(|timed| timed.phoneme.name()).collect()
    }

    #[test]
    fn phonemes_are_found_and_a_single_wrong_frame_is_ignored() {
        let mut frames = heard(&[
            (Phoneme::Sil, 20),
            (Phoneme::M, 8),
            (Phoneme::AA, 15),
            (Phoneme::Sil, 20),
        ]);
        frames[30][Phoneme::IY as usize] = 0.0;
        let found = any(&plain(), &frames, &SearchOptions::default());
        assert_eq!(names(&found), ["SIL", "M", "AA", "SIL"]);
        assert!((found[2].start - 0.28).abs() < 1e-4 && (found[2].end - 0.43).abs() < 1e-4);
        assert!(any(&plain(), &[], &SearchOptions::default()).is_empty());
    }
}
