//! Forced alignment: finds known words in a recording with a Viterbi search over all pronunciations.
//!
//! Phones are nodes of a graph; alternative pronunciations of a word are parallel paths. Each node holds a token with the
//! score of the best path to it, and backpointers to where that path entered earlier nodes. Nodes far behind the best one
//! are pruned, so that memory and time grow only linearly with the length of the recording.

use super::network::{N_OUT, Network};
use super::search::FRAME;
use crate::phoneme::{Phoneme, TimedPhoneme};
use crate::text::variants::WordVariant;

/// Weights and penalties of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlignOptions {
    /// Weight of the phones' prior frequencies.
    pub prior: f32,
    /// Limit for the penalty of a phone in one frame.
    pub floor: f32,
    /// Weight of a phone's usual duration.
    pub length: f32,
    /// Penalty for a silence between words.
    pub silence: f32,
    /// Penalty for using an alternative phone of a slot, and for leaving a phone out.
    pub other: f32,
    /// Paths with a score lower than the best by more than this are pruned.
    pub beam: f32,
}

impl Default for AlignOptions {
    fn default() -> Self {
        Self {
            prior: 0.6,
            floor: 6.0,
            length: 0.5,
            silence: 2.0,
            other: 1.0,
            beam: 300.0,
        }
    }
}

/// A word found in a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundWord {
    /// Start time, seconds.
    pub start: f32,
    /// End time, seconds.
    pub end: f32,
    /// Phones of the word.
    pub phonemes: Vec<TimedPhoneme>,
    /// Index of the stressed phone.
    pub stressed: Option<usize>,
    /// Confidence, 0..=1.
    pub confidence: f32,
}

/// Minimum number of frames of a phone that is spoken.
const MIN_FRAMES: usize = 2;
/// Number of backpointers at which unreachable ones are removed.
const MAX_LINKS: usize = 1 << 20;

struct PhonemeNode {
    phoneme: Phoneme,
    from: Vec<u32>,
    word: Option<usize>,
    stressed: bool,
    /// Penalty for entering the node.
    cost: f32,
    /// Penalty for each further frame.
    stay: f32,
}

/// Record of where a path entered a node.
#[derive(Clone, Copy)]
struct Backpointer {
    node: u32,
    frame: u32,
    before: u32,
}

const NOWHERE: u32 = u32::MAX;

/// States of a node, for its first frame and for later frames: score and backpointer.
type States = [(f32, u32); MIN_FRAMES];
const EMPTY: States = [(f32::MIN, NOWHERE); MIN_FRAMES];

/// Finds words spoken one after the other, each in one of the pronunciations, with optional silence between them. Returns
/// `None` when there are fewer frames than the phones need.
pub fn words(
    network: &Network,
    likelihoods: &[[f32; N_OUT]],
    words: &[Vec<WordVariant>],
    options: &AlignOptions,
) -> Option<Vec<FoundWord>> {
    let (nodes, starts, ends) = build_graph(network, words, options);
    let path = best_path(network, likelihoods, &nodes, (&starts, &ends), options)?;
    Some(collect_words(&nodes, &path, likelihoods, words.len()))
}

/// Builds the nodes for words. Also returns the nodes at which a path may start and end.
fn build_graph(
    network: &Network,
    words: &[Vec<WordVariant>],
    options: &AlignOptions,
) -> (Vec<PhonemeNode>, Vec<u32>, Vec<u32>) {
    let mut nodes: Vec<PhonemeNode> = Vec::new();
    let add = |nodes: &mut Vec<PhonemeNode>, phone: Phoneme, from: &[u32]| {
        nodes.push(PhonemeNode {
            phoneme: phone,
            from: from.to_vec(),
            word: None,
            stressed: false,
            cost: if phone == Phoneme::Sil {
                options.silence
            } else {
                0.0
            },
            stay: stay(network, phone) * options.length,
        });
        nodes.len() as u32 - 1
    };
    let first = add(&mut nodes, Phoneme::Sil, &[]);
    let (mut starts, mut ends) = (vec![first], vec![first]);
    let mut can_start_without = true;
    for (w, variants) in words.iter().enumerate() {
        let mut own_ends: Vec<u32> = Vec::new();
        for variant in variants.iter().filter(|variant| !variant.slots.is_empty()) {
            let (mut from, mut is_first) = (ends.clone(), true);
            for slot in &variant.slots {
                let mut here: Vec<u32> = Vec::new();
                for (k, phone) in slot.phonemes().enumerate() {
                    let own = add(&mut nodes, phone, &from);
                    if let Some(node) = nodes.last_mut() {
                        node.word = Some(w);
                        node.stressed = slot.stressed;
                        node.cost = if k == 0 { 0.0 } else { options.other };
                        node.cost += if is_first { variant.cost } else { 0.0 };
                    }
                    if is_first && can_start_without {
                        starts.push(own);
                    }
                    here.push(own);
                }
                if slot.may_lack {
                    here.extend(&from);
                } else {
                    is_first = false;
                }
                from = here;
            }
            own_ends.extend(from);
        }
        if own_ends.is_empty() {
            continue;
        }
        own_ends.sort_unstable();
        own_ends.dedup();
        can_start_without = false;
        let pause = add(&mut nodes, Phoneme::Sil, &own_ends);
        own_ends.push(pause);
        ends = own_ends;
    }
    (nodes, starts, ends)
}

/// Returns the penalty for one more frame of a phone, for geometrically distributed durations with the phone's mean.
fn stay(network: &Network, phone: Phoneme) -> f32 {
    let mean = network
        .lengths
        .get(phone as usize)
        .map_or(-2.5, |[mean, _]| *mean);
    let frames = (mean.exp() / FRAME).max(2.0);
    -(1.0 - 1.0 / frames).ln()
}

/// Returns the node of each frame on the best path.
fn best_path(
    network: &Network,
    likelihoods: &[[f32; N_OUT]],
    nodes: &[PhonemeNode],
    (starts, ends): (&[u32], &[u32]),
    options: &AlignOptions,
) -> Option<Vec<u32>> {
    let n = likelihoods.len();
    if n == 0 {
        return None;
    }
    let priors: Vec<f32> = (0..N_OUT)
        .map(|p| options.prior * network.priors.get(p).copied().unwrap_or(0.0))
        .collect();
    let emit = |t: usize, phone: Phoneme| {
        let p = phone as usize;
        (likelihoods[t][p] - priors[p]).max(-options.floor)
    };
    let mut search = Viterbi::new(nodes);
    for start in starts {
        search.start(*start, emit(0, nodes[*start as usize].phoneme));
    }
    for t in 1..n {
        search.advance(t, options.beam, |phone| emit(t, phone))?;
    }
    let last = ends
        .iter()
        .map(|end| search.now[*end as usize][MIN_FRAMES - 1]);
    let (score, link) = last.max_by(|a, b| a.0.total_cmp(&b.0))?;
    if score == f32::MIN {
        return None;
    }
    Some(trace_back(&search.links, link, n))
}

/// A frame-synchronous search through nodes.
struct Viterbi<'a> {
    nodes: &'a [PhonemeNode],
    reach: usize,
    /// States of this frame, and a scratch buffer for the next frame.
    now: Vec<States>,
    next: Vec<States>,
    /// First and last active node.
    range: (usize, usize),
    /// Scores up to this are pruned.
    worst: f32,
    links: Vec<Backpointer>,
    max_links: usize,
}

impl<'a> Viterbi<'a> {
    fn new(nodes: &'a [PhonemeNode]) -> Self {
        Self {
            nodes,
            reach: reach(nodes),
            now: vec![EMPTY; nodes.len()],
            next: vec![EMPTY; nodes.len()],
            range: (nodes.len(), 0),
            worst: f32::MIN,
            links: Vec::new(),
            max_links: MAX_LINKS,
        }
    }

    /// Adds a link to a node in a frame from the link `before`. Returns its index.
    fn enter(&mut self, node: usize, frame: usize, before: u32) -> u32 {
        self.links.push(Backpointer {
            node: node as u32,
            frame: frame as u32,
            before,
        });
        self.links.len() as u32 - 1
    }

    /// Starts at a node in the first frame; `emission` is its log likelihood there.
    fn start(&mut self, start: u32, emission: f32) {
        let i = start as usize;
        let link = self.enter(i, 0, NOWHERE);
        self.now[i][0] = (emission - self.nodes[i].cost, link);
        self.range = (self.range.0.min(i), self.range.1.max(i));
    }

    /// Advances to frame `t`. Returns `None` if no path is left.
    fn advance(&mut self, t: usize, beam: f32, emit: impl Fn(Phoneme) -> f32) -> Option<()> {
        let (low, high) = self.range;
        let until = (high + self.reach + 1).min(self.nodes.len());
        let (mut best, mut new_low, mut new_high) = (f32::MIN, usize::MAX, 0);
        for i in low..until {
            let states = self.next_states(i, t, emit(self.nodes[i].phoneme));
            let own_best = states[0].0.max(states[1].0);
            if own_best > f32::MIN {
                best = best.max(own_best);
                (new_low, new_high) = (new_low.min(i), i);
            }
            self.next[i] = states;
        }
        if new_low == usize::MAX {
            return None;
        }
        // States outside the active range must be empty in the next frame.
        self.now[low..until].fill(EMPTY);
        std::mem::swap(&mut self.now, &mut self.next);
        self.worst = best - beam;
        self.range = narrowed(&mut self.now, (new_low, new_high), self.worst);
        if self.links.len() > self.max_links {
            let (low, high) = self.range;
            remove_unreachable(&mut self.links, &mut self.now[low..=high]);
            self.max_links = (2 * self.links.len()).max(MAX_LINKS);
        }
        Some(())
    }

    /// The states of a node in frame `t`; `e` is its log likelihood there.
    fn next_states(&mut self, i: usize, t: usize, e: f32) -> States {
        let node = &self.nodes[i];
        let own = self.now[i];
        let mut entered = (f32::MIN, NOWHERE);
        for q in &node.from {
            let (score, link) = self.now[*q as usize][MIN_FRAMES - 1];
            if score > entered.0 {
                entered = (score, link);
            }
        }
        let mut states = EMPTY;
        if entered.0 > self.worst {
            let link = self.enter(i, t, entered.1);
            states[0] = (entered.0 + e - node.cost, link);
        }
        let stays = (own[1].0 - node.stay, own[1].1);
        let continued = if own[0].0 > stays.0 { own[0] } else { stays };
        if continued.0 > self.worst {
            states[1] = (continued.0 + e, continued.1);
        }
        states
    }
}

/// Returns the largest distance from a node to its earliest predecessor.
fn reach(nodes: &[PhonemeNode]) -> usize {
    let reach = nodes.iter().enumerate().map(|(i, node)| {
        let nearest = node.from.iter().min().map_or(i, |from| *from as usize);
        i - nearest
    });
    reach.max().unwrap_or(0).max(1)
}

/// Shrinks a range by nodes at both ends that are worse than `worst`; returns the new range.
fn narrowed(
    states: &mut [States],
    (mut low, mut high): (usize, usize),
    worst: f32,
) -> (usize, usize) {
    while low < high && states[low].iter().all(|state| state.0 < worst) {
        states[low] = EMPTY;
        low += 1;
    }
    while high > low && states[high].iter().all(|state| state.0 < worst) {
        states[high] = EMPTY;
        high -= 1;
    }
    (low, high)
}

/// Returns the node of each of `n` frames on the path that ends with a backpointer.
fn trace_back(links: &[Backpointer], mut link: u32, n: usize) -> Vec<u32> {
    let mut path = vec![0; n];
    let mut end = n;
    while let Some(entry) = links.get(link as usize) {
        path[entry.frame as usize..end].fill(entry.node);
        (end, link) = (entry.frame as usize, entry.before);
    }
    path
}

/// Removes all backpointers that no state leads to.
fn remove_unreachable(links: &mut Vec<Backpointer>, states: &mut [States]) {
    let mut new = vec![NOWHERE; links.len()];
    for (_, link) in states.iter().flatten() {
        let mut at = *link;
        while let Some(slot) = new.get_mut(at as usize) {
            if *slot != NOWHERE {
                break;
            }
            *slot = 0;
            at = links[at as usize].before;
        }
    }
    let mut n = 0;
    for i in 0..links.len() {
        if new[i] == NOWHERE {
            continue;
        }
        // A backpointer refers to an older one, which already has its new index.
        let mut link = links[i];
        if let Some(before) = new.get(link.before as usize) {
            link.before = *before;
        }
        new[i] = n as u32;
        links[n] = link;
        n += 1;
    }
    links.truncate(n);
    for (_, link) in states.iter_mut().flatten() {
        *link = new.get(*link as usize).copied().unwrap_or(NOWHERE);
    }
}

fn collect_words(
    nodes: &[PhonemeNode],
    path: &[u32],
    likelihoods: &[[f32; N_OUT]],
    n_words: usize,
) -> Vec<FoundWord> {
    let mut all = vec![FoundWord::default(); n_words];
    let mut sums = vec![(0.0_f32, 0_u32); n_words];
    let mut t = 0;
    for run in path.chunk_by(|a, b| a == b) {
        let (first, end) = (t, t + run.len());
        t = end;
        let node = &nodes[run[0] as usize];
        let Some(w) = node.word else { continue };
        let word = &mut all[w];
        let timed = TimedPhoneme {
            phoneme: node.phoneme,
            start: first as f32 * FRAME,
            end: end as f32 * FRAME,
        };
        if word.phonemes.is_empty() {
            word.start = timed.start;
        }
        if node.stressed {
            word.stressed = Some(word.phonemes.len());
        }
        word.end = timed.end;
        word.phonemes.push(timed);
        for frame in &likelihoods[first..end] {
            let best = frame.iter().copied().fold(f32::MIN, f32::max);
            sums[w].0 += (frame[node.phoneme as usize] - best).max(-6.0);
            sums[w].1 += 1;
        }
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
    use super::super::search::tests::{heard, names, plain};
    use super::*;
    use crate::text::variants::SoundSlot;

    fn variant(phones: &[Phoneme]) -> WordVariant {
        WordVariant {
            slots: phones.iter().map(|phone| SoundSlot::of(*phone)).collect(),
            cost: 0.0,
        }
    }

    fn find(likelihoods: &[[f32; N_OUT]], all: &[Vec<WordVariant>]) -> Option<Vec<FoundWord>> {
        words(&plain(), likelihoods, all, &AlignOptions::default())
    }

    #[test]
    fn words_are_found_in_the_spoken_pronunciation() {
        use Phoneme::{AA, D, EH, IY, L, M, N, R, Sil};
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
        let read = vec![variant(&[R, IY, D]), variant(&[R, EH, D])];
        let ma = vec![variant(&[M, AA])];
        let found = find(&frames, &[read.clone(), ma.clone()]).unwrap();
        assert_eq!(names(&found[0].phonemes), ["R", "EH", "D"]);
        let times: Vec<i32> = found
            .iter()
            .flat_map(|w| [w.start, w.end])
            .map(|t| (t * 100.0).round() as i32)
            .collect();
        assert_eq!(times, [30, 52, 77, 96]);
        assert!(found.iter().all(|word| word.confidence > 0.9));
        // A word that is not spoken gets a short time and a low confidence.
        let lean = vec![variant(&[L, IY, N])];
        let found = find(&frames, &[read.clone(), lean, ma.clone()]).unwrap();
        assert!(
            found[1].confidence < 0.3 && found[2].confidence > 0.8,
            "{found:?}"
        );
        assert!(find(&frames[..5], &[read, ma]).is_none(), "too short");
        assert!(find(&[], &[]).is_none());
        assert_eq!(find(&frames, &[]).map(|words| words.len()), Some(0));
    }

    #[test]
    fn slots_may_use_alternative_phonemes_or_be_left_out() {
        use Phoneme::{AE, D, IH, N, Sil, T};
        let mut all = variant(&[AE, N, D]);
        all.slots[0] = SoundSlot::of(AE).or(IH).stressed(true);
        all.slots[2] = SoundSlot::of(D).or(T).may_lack();
        let frames = heard(&[(Sil, 10), (IH, 9), (N, 8), (Sil, 12)]);
        let found = find(&frames, &[vec![all.clone()]]).unwrap();
        assert_eq!(names(&found[0].phonemes), ["IH", "N"]);
        assert_eq!(found[0].stressed, Some(0));
        let frames = heard(&[(Sil, 10), (AE, 9), (N, 8), (T, 7), (Sil, 12)]);
        let found = find(&frames, &[vec![all]]).unwrap();
        assert_eq!(names(&found[0].phonemes), ["AE", "N", "T"]);
    }

    #[test]
    fn a_long_recording_is_aligned_as_exactly_as_a_short_one() {
        use Phoneme::{AA, IY, M, N, S, Sil};
        let (mut sounds, mut all, mut expected) = (Vec::new(), Vec::new(), Vec::new());
        let mut at = 0;
        for i in 0..900 {
            let phones = match i % 3 {
                0 => [M, AA, N],
                1 => [S, IY, M],
                _ => [N, AA, S],
            };
            expected.push(at);
            for (k, phone) in phones.into_iter().enumerate() {
                let frames = 6 + (i * 7 + k * 3) % 9;
                sounds.push((phone, frames));
                at += frames;
            }
            if i % 11 == 0 {
                sounds.push((Sil, 40 + i % 200));
                at += 40 + i % 200;
            }
            all.push(vec![variant(&phones)]);
        }
        let frames = heard(&sounds);
        assert!(frames.len() > 30_000);
        let found = find(&frames, &all).unwrap();
        for (word, at) in found.iter().zip(expected) {
            assert!(
                (word.start - at as f32 * FRAME).abs() < 0.011,
                "{word:?} {at}"
            );
        }
    }
}
