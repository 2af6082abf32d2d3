//! Searches through likelihoods (Viterbi): for any sounds, and for words that are known.

use super::network::{N_OUT, Network};
use crate::speech::phone::{Phone, TimedPhone};

/// Seconds of a frame.
pub const FRAME: f32 = 0.01;

/// How sounds are weighed against each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchOptions {
    /// How much of it counts how often a sound is spoken at all.
    pub prior: f32,
    /// Weight of which sound follows which.
    pub follows: f32,
    /// What a change of sound costs.
    pub change: f32,
    /// Frames that a sound has at least.
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

/// The sounds that are most likely, over all frames without gaps. Memory: 240 bytes a frame.
pub fn any(
    network: &Network,
    likelihoods: &[[f32; N_OUT]],
    options: &SearchOptions,
) -> Vec<TimedPhone> {
    if likelihoods.is_empty() {
        return Vec::new();
    }
    let n = likelihoods.len();
    // A sound has been for 1, 2, … `least` frames or more: one state for each.
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
        // The best way into each sound.
        for p in 0..N_OUT {
            let (mut best, mut from) = (f32::MIN, 0);
            for q in 0..N_OUT {
                if q == p {
                    continue;
                }
                let follows = network.follows.get(q * N_OUT + p).copied().unwrap_or(0.0);
                let way = score[full(q)] + options.follows * follows - options.change;
                if way > best {
                    (best, from) = (way, full(q));
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

fn runs(path: &[u8]) -> Vec<TimedPhone> {
    let mut out: Vec<TimedPhone> = Vec::new();
    for (t, p) in path.iter().enumerate() {
        let phone = Phone::from_index(usize::from(*p)).unwrap_or(Phone::Sil);
        let (start, end) = (t as f32 * FRAME, (t + 1) as f32 * FRAME);
        match out.last_mut() {
            Some(last) if last.phone == phone => last.end = end,
            _ => out.push(TimedPhone { phone, start, end }),
        }
    }
    out
}

/// A word that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundWord {
    /// Seconds.
    pub start: f32,
    /// Seconds.
    pub end: f32,
    /// Its sounds.
    pub phones: Vec<TimedPhone>,
    /// 0..=1.
    pub confidence: f32,
}

/// Frames that a sound has at least when it is known to be there.
const LEAST: usize = 2;

/// Bytes of memory that a search for words may take: a line of some minutes.
const MOST_MEMORY: usize = 256 << 20;

/// Finds words that are spoken one after the other, each in one of its pronunciations, with silence between them or none.
/// `None` when there are fewer frames than sounds need, and for a recording that is too long for so many words.
pub fn words(
    network: &Network,
    likelihoods: &[[f32; N_OUT]],
    words: &[Vec<Vec<Phone>>],
) -> Option<Vec<FoundWord>> {
    // A line of nodes; a word's pronunciations are lines side by side.
    let mut nodes: Vec<Node> = Vec::new();
    let mut ends: Vec<usize> = Vec::new();
    let silence = |nodes: &mut Vec<Node>, from: &[usize], word: Option<usize>| {
        nodes.push(Node {
            phone: Phone::Sil,
            from: from.to_vec(),
            word,
            is_first: false,
        });
        nodes.len() - 1
    };
    let first = silence(&mut nodes, &[], None);
    ends.push(first);
    let mut starts: Vec<usize> = vec![first];
    let mut can_start_without = true;
    for (w, pronunciations) in words.iter().enumerate() {
        let mut own_ends = Vec::new();
        for phones in pronunciations {
            let mut from = ends.clone();
            for (i, phone) in phones.iter().enumerate() {
                nodes.push(Node {
                    phone: *phone,
                    from: from.clone(),
                    word: Some(w),
                    is_first: i == 0,
                });
                let own = nodes.len() - 1;
                if i == 0 && can_start_without {
                    starts.push(own);
                }
                from = vec![own];
            }
            if !phones.is_empty() {
                own_ends.extend(from);
            }
        }
        if own_ends.is_empty() {
            continue;
        }
        can_start_without = false;
        let pause = silence(&mut nodes, &own_ends, None);
        own_ends.push(pause);
        ends = own_ends;
    }
    let n = likelihoods.len();
    if n == 0 {
        return None;
    }
    let n_states = nodes.len() * LEAST;
    if n.saturating_mul(n_states).saturating_mul(size_of::<u32>()) > MOST_MEMORY {
        return None;
    }
    let emit = |t: usize, node: &Node| {
        let p = node.phone as usize;
        let own = likelihoods[t][p] - 0.5 * network.priors.get(p).copied().unwrap_or(0.0);
        own.max(-9.0)
    };
    let mut score = vec![f32::MIN; n_states];
    for start in &starts {
        score[start * LEAST] = emit(0, &nodes[*start]);
    }
    let mut next = score.clone();
    let mut back: Vec<u32> = vec![0; n * n_states];
    for t in 1..n {
        for (i, node) in nodes.iter().enumerate() {
            let e = emit(t, node);
            let (mut best, mut from) = (f32::MIN, 0);
            for q in &node.from {
                let state = q * LEAST + LEAST - 1;
                if score[state] > best {
                    (best, from) = (score[state], state);
                }
            }
            let first = i * LEAST;
            next[first] = if best > f32::MIN { best + e } else { f32::MIN };
            back[t * n_states + first] = from as u32;
            for k in 1..LEAST {
                let state = first + k;
                let (mut value, mut from) = (score[state - 1], state - 1);
                if k + 1 == LEAST {
                    // It stays: the longer than usual, the dearer.
                    let stays = score[state] - stay(network, node.phone);
                    if stays > value {
                        (value, from) = (stays, state);
                    }
                }
                next[state] = if value > f32::MIN {
                    value + e
                } else {
                    f32::MIN
                };
                back[t * n_states + state] = from as u32;
            }
        }
        std::mem::swap(&mut score, &mut next);
    }
    let last = ends.iter().map(|end| end * LEAST + LEAST - 1);
    let mut state = last.max_by(|a, b| score[*a].total_cmp(&score[*b]))?;
    if score[state] == f32::MIN {
        return None;
    }
    let mut path = vec![0_usize; n];
    for t in (0..n).rev() {
        path[t] = state / LEAST;
        state = back[t * n_states + state] as usize;
    }
    Some(found(&nodes, &path, likelihoods, words.len()))
}

/// What one more frame of a sound costs.
fn stay(network: &Network, phone: Phone) -> f32 {
    let mean = network
        .lengths
        .get(phone as usize)
        .map_or(-2.5, |[mean, _]| *mean);
    let frames = (mean.exp() / FRAME).max(2.0);
    // A geometric length of that mean.
    -(1.0 - 1.0 / frames).ln() * 0.5
}

struct Node {
    phone: Phone,
    from: Vec<usize>,
    word: Option<usize>,
    is_first: bool,
}

fn found(
    nodes: &[Node],
    path: &[usize],
    likelihoods: &[[f32; N_OUT]],
    n_words: usize,
) -> Vec<FoundWord> {
    let empty = FoundWord {
        start: 0.0,
        end: 0.0,
        phones: Vec::new(),
        confidence: 0.0,
    };
    let mut all = vec![empty; n_words];
    let mut sums = vec![(0.0_f32, 0_u32); n_words];
    let mut t = 0;
    while t < path.len() {
        let node = path[t];
        let mut end = t + 1;
        while end < path.len() && path[end] == node {
            end += 1;
        }
        if let Some(w) = nodes[node].word {
            let start = t as f32 * FRAME;
            let timed = TimedPhone {
                phone: nodes[node].phone,
                start,
                end: end as f32 * FRAME,
            };
            let word = &mut all[w];
            if nodes[node].is_first {
                word.start = start;
            }
            word.end = timed.end;
            word.phones.push(timed);
            for frame in &likelihoods[t..end] {
                let best = frame.iter().copied().fold(f32::MIN, f32::max);
                sums[w].0 += (frame[nodes[node].phone as usize] - best).max(-6.0);
                sums[w].1 += 1;
            }
        }
        t = end;
    }
    for (word, (sum, n)) in all.iter_mut().zip(sums) {
        word.confidence = if n > 0 {
            (0.45 * sum / n as f32).exp()
        } else {
            0.0
        };
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A network that tells nothing: what is likely is given.
    fn plain() -> Network {
        let each = (1.0 / N_OUT as f32).ln();
        Network {
            layers: Vec::new(),
            priors: vec![each; N_OUT],
            follows: vec![each; N_OUT * N_OUT],
            lengths: vec![[-2.5, 0.5]; N_OUT],
        }
    }

    fn heard(sounds: &[(Phone, usize)]) -> Vec<[f32; N_OUT]> {
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

    fn names(phones: &[TimedPhone]) -> Vec<&'static str> {
        phones.iter().map(|timed| timed.phone.name()).collect()
    }

    #[test]
    fn what_is_heard_is_found_and_a_single_odd_frame_is_not() {
        let mut frames = heard(&[
            (Phone::Sil, 20),
            (Phone::M, 8),
            (Phone::AA, 15),
            (Phone::Sil, 20),
        ]);
        frames[30][Phone::IY as usize] = 0.0;
        let found = any(&plain(), &frames, &SearchOptions::default());
        assert_eq!(names(&found), ["SIL", "M", "AA", "SIL"]);
        assert!((found[2].start - 0.28).abs() < 1e-4 && (found[2].end - 0.43).abs() < 1e-4);
        assert!(any(&plain(), &[], &SearchOptions::default()).is_empty());
    }

    #[test]
    fn words_are_found_in_the_pronunciation_that_is_spoken() {
        use Phone::{AA, D, EH, IY, L, M, N, R, Sil};
        let frames = heard(&[
            (Sil, 30),
            (R, 6),
            (EH, 10),
            (D, 6),
            (Sil, 25),
            (M, 7),
            (AA, 12),
            (Sil, 10),
        ]);
        let read = vec![vec![R, IY, D], vec![R, EH, D]];
        let found = words(&plain(), &frames, &[read.clone(), vec![vec![M, AA]]]).unwrap();
        assert_eq!(names(&found[0].phones), ["R", "EH", "D"]);
        let times: Vec<i32> = found
            .iter()
            .flat_map(|w| [w.start, w.end])
            .map(|t| (t * 100.0).round() as i32)
            .collect();
        assert_eq!(times, [30, 52, 77, 96]);
        assert!(found.iter().all(|word| word.confidence > 0.9));
        // A word that is not spoken is squeezed in and doubted.
        let found = words(
            &plain(),
            &frames,
            &[read.clone(), vec![vec![L, IY, N]], vec![vec![M, AA]]],
        )
        .unwrap();
        assert!(
            found[1].confidence < 0.3 && found[2].confidence > 0.8,
            "{found:?}"
        );
        assert!(
            words(&plain(), &frames[..5], &[read, vec![vec![M, AA]]]).is_none(),
            "too short"
        );
        assert!(words(&plain(), &[], &[]).is_none());
        assert_eq!(
            words(&plain(), &frames, &[]).map(|words| words.len()),
            Some(0)
        );
    }
}
