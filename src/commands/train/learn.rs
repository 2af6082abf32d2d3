//! Training of a small neural network by gradient descent (Adam, Kingma and Ba 2015) with dropout.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array1, Array2, ArrayView2, Axis};
use rayon::prelude::*;

use galatea_math::random::RandomSource;
use galatea_speech::acoustic::features::{FeatureFrame, N_BANDS};
use galatea_speech::acoustic::network::{
    AFTER, BEFORE, N_IN, N_OUT, Network, NetworkLayer, SoundCounts,
};
use galatea_speech::acoustic::search::FRAME;
use galatea_speech::phoneme::Phoneme;

/// A set of possible phones of a frame, one bit each; empty if unknown.
pub type Sounds = u64;

/// The set with one phone.
pub fn only(phone: Phoneme) -> Sounds {
    1 << phone as u8
}

/// A recording with labels for its frames.
#[derive(Clone, Debug)]
pub struct TrainingExample {
    /// Normalised frames.
    pub frames: Vec<FeatureFrame>,
    /// One label per frame.
    pub labels: Vec<Sounds>,
    /// For English, mean and deviation of each band. Only English examples count for the frequencies and durations of
    /// phones.
    pub had: Option<[[f32; 2]; N_BANDS]>,
}

/// Sizes of the hidden layers.
const HIDDEN: [usize; 3] = [512, 320, 192];
/// Frames per part of a batch, and number of parts.
const PART: usize = 256;
const PARTS: usize = 2;
/// Dropout rate.
const DROPOUT: f32 = 0.2;
/// Label smoothing.
const LABEL_SMOOTHING: f32 = 0.05;
const RATE: f32 = 1.2e-3;

/// A weight matrix in training.
struct TrainedMatrix {
    /// One row per output.
    weights: Array2<f32>,
    bias: Array1<f32>,
    /// Adam moments: means of gradients and of their squares.
    means: (Array2<f32>, Array1<f32>),
    squares: (Array2<f32>, Array1<f32>),
}

/// Gradient of a layer from one part of a batch.
struct Gradient {
    weights: Array2<f32>,
    bias: Array1<f32>,
}

impl TrainedMatrix {
    fn new(n_in: usize, n_out: usize, chance: &mut RandomSource) -> Self {
        let scale = (2.0 / n_in as f32).sqrt();
        let mut normal = || (0..12).map(|_| chance.unit()).sum::<f32>() - 6.0;
        let zero = || (Array2::zeros((n_out, n_in)), Array1::zeros(n_out));
        Self {
            weights: Array2::from_shape_simple_fn((n_out, n_in), || scale * normal()),
            bias: Array1::zeros(n_out),
            means: zero(),
            squares: zero(),
        }
    }

    fn step(&mut self, parts: &[Gradient], share: f32, rate: f32, step: i32) {
        const KEEP: [f32; 2] = [0.9, 0.999];
        let young = KEEP.map(|keep| 1.0 - keep.powi(step));
        let one = |value: &mut f32, mean: &mut f32, square: &mut f32, sum: f32| {
            let gradient = share * sum;
            *mean = KEEP[0] * *mean + (1.0 - KEEP[0]) * gradient;
            *square = KEEP[1] * *square + (1.0 - KEEP[1]) * gradient * gradient;
            *value -= rate * (*mean / young[0]) / ((*square / young[1]).sqrt() + 1e-8);
        };
        let Some((first, rest)) = parts.split_first() else {
            return;
        };
        let (mut weights, mut bias) = (first.weights.clone(), first.bias.clone());
        for part in rest {
            weights += &part.weights;
            bias += &part.bias;
        }
        ndarray::Zip::from(&mut self.weights)
            .and(&mut self.means.0)
            .and(&mut self.squares.0)
            .and(&weights)
            .for_each(|value, mean, square, sum| one(value, mean, square, *sum));
        ndarray::Zip::from(&mut self.bias)
            .and(&mut self.means.1)
            .and(&mut self.squares.1)
            .and(&bias)
            .for_each(|value, mean, square, sum| one(value, mean, square, *sum));
    }
}

/// Trains on the examples for `rounds` epochs.
pub fn learn(examples: &[TrainingExample], rounds: usize) -> Network {
    let mut chance = RandomSource::new(7);
    let mut index: Vec<(u32, u32)> = Vec::new();
    for (e, example) in examples.iter().enumerate() {
        for (i, label) in example.labels.iter().enumerate() {
            // Uses only half of the silence, which is overrepresented.
            if *label != 0 && (*label != only(Phoneme::Sil) || chance.is(0.5)) {
                index.push((e as u32, i as u32));
            }
        }
    }
    let sizes = [&[N_IN][..], &HIDDEN, &[N_OUT]].concat();
    let mut layers: Vec<TrainedMatrix> = sizes
        .windows(2)
        .map(|pair| TrainedMatrix::new(pair[0], pair[1], &mut chance))
        .collect();
    let batch = PART * PARTS;
    let n_steps = (rounds * index.len().div_ceil(batch)).max(1);
    let mut step = 0;
    for round in 0..rounds {
        for i in (1..index.len()).rev() {
            index.swap(i, chance.bits() as usize % (i + 1));
        }
        let mut right = 0;
        for batch in index.chunks(batch) {
            step += 1;
            let parts: Vec<_> = batch
                .chunks(PART)
                .map(|part| (part, chance.bits()))
                .collect();
            let found: Vec<(Vec<Gradient>, usize)> = parts
                .into_par_iter()
                .map(|(part, seed)| gradients(&layers, examples, part, RandomSource::new(seed)))
                .collect();
            right += found.iter().map(|(_, right)| right).sum::<usize>();
            let u = step as f32 / n_steps as f32;
            let rate = RATE * (0.5 + 0.5 * (std::f32::consts::PI * u).cos()) + 1e-5;
            let share = 1.0 / batch.len() as f32;
            let mut of_layers: Vec<Vec<Gradient>> = layers.iter().map(|_| Vec::new()).collect();
            for (all, _) in found {
                for (own, gradient) in of_layers.iter_mut().zip(all) {
                    own.push(gradient);
                }
            }
            layers
                .par_iter_mut()
                .zip(&of_layers)
                .for_each(|(layer, own)| layer.step(own, share, rate, step));
        }
        let share = right as f32 / index.len().max(1) as f32;
        println!(
            "epoch {} of {rounds}: {:.1} % of frames correct",
            round + 1,
            100.0 * share
        );
    }
    Network::new(layers.iter().map(quantised).collect(), counts(examples))
}

/// Input of a part of a batch, one row per frame, slightly modified against overfitting to voices.
fn seen(
    examples: &[TrainingExample],
    part: &[(u32, u32)],
    chance: &mut RandomSource,
) -> Array2<f32> {
    let mut input = Array2::zeros((part.len(), N_IN));
    for (mut row, &(e, i)) in input.axis_iter_mut(Axis(0)).zip(part) {
        let Some(example) = examples.get(e as usize) else {
            continue;
        };
        let last = example.frames.len().saturating_sub(1);
        let tilt = 0.25 * chance.about_zero();
        let shift = 0.25 * chance.about_zero();
        // Drops some adjacent bands.
        let missing = if chance.is(0.3) {
            let first = chance.bits() as usize % N_BANDS;
            first..first + 1 + chance.bits() as usize % 4
        } else {
            0..0
        };
        // Live recognition does not have future frames.
        let after = if chance.is(0.35) {
            chance.bits() as usize % (AFTER + 1)
        } else {
            AFTER
        };
        let last = last.min(i as usize + after);
        for j in 0..=BEFORE + AFTER {
            let at = (i as usize + j).saturating_sub(BEFORE).min(last);
            for (band, value) in example.frames[at].iter().enumerate() {
                let bent = value + shift + tilt * (band as f32 / 12.5 - 1.0);
                row[j * N_BANDS + band] = if missing.contains(&band) { 0.0 } else { bent };
            }
        }
    }
    input
}

/// Gradients of each layer, summed over a part of a batch, and the number of correct frames.
fn gradients(
    layers: &[TrainedMatrix],
    examples: &[TrainingExample],
    part: &[(u32, u32)],
    mut chance: RandomSource,
) -> (Vec<Gradient>, usize) {
    let mut values = vec![seen(examples, part, &mut chance)];
    for (l, layer) in layers.iter().enumerate() {
        let mut out = product(values[l].view(), layer.weights.t());
        out += &layer.bias;
        if l + 1 < layers.len() {
            out.mapv_inplace(|value| {
                let stays = value > 0.0 && !chance.is(DROPOUT);
                if stays { value / (1.0 - DROPOUT) } else { 0.0 }
            });
        }
        values.push(out);
    }
    let mut errors = values.pop().unwrap_or_default();
    let mut right = 0;
    for (mut row, &(e, i)) in errors.axis_iter_mut(Axis(0)).zip(part) {
        let wanted = examples[e as usize].labels[i as usize];
        let is_target = |p: usize| wanted >> p & 1 == 1;
        let most = row.iter().copied().fold(f32::MIN, f32::max);
        right += usize::from((0..N_OUT).any(|p| is_target(p) && row[p] == most));
        row.mapv_inplace(|x| (x - most).exp());
        let sum: f32 = row.sum();
        let target_sum: f32 = (0..N_OUT).filter(|p| is_target(*p)).map(|p| row[p]).sum();
        for p in 0..N_OUT {
            // Several possible phones share the target in proportion to their current probabilities.
            let own = if is_target(p) {
                (row[p] / target_sum.max(1e-20)) * (1.0 - LABEL_SMOOTHING)
            } else {
                0.0
            };
            row[p] = row[p] / sum - own - LABEL_SMOOTHING / N_OUT as f32;
        }
    }
    let mut all = Vec::with_capacity(layers.len());
    for (l, layer) in layers.iter().enumerate().rev() {
        all.push(Gradient {
            weights: product(errors.t(), values[l].view()),
            bias: errors.sum_axis(Axis(0)),
        });
        if l > 0 {
            let mut below = product(errors.view(), layer.weights.view());
            below.zip_mut_with(&values[l], |error, value| {
                *error = if *value > 0.0 {
                    *error / (1.0 - DROPOUT)
                } else {
                    0.0
                };
            });
            errors = below;
        }
    }
    all.reverse();
    (all, right)
}

fn product(a: ArrayView2<'_, f32>, b: ArrayView2<'_, f32>) -> Array2<f32> {
    let mut out = Array2::zeros((a.nrows(), b.ncols()));
    general_mat_mul(1.0, &a, &b, 0.0, &mut out);
    out
}

fn quantised(layer: &TrainedMatrix) -> NetworkLayer {
    let (mut weights, mut scales) = (Vec::new(), Vec::new());
    for row in layer.weights.axis_iter(Axis(0)) {
        let scale = row.iter().map(|w| w.abs()).fold(1e-9, f32::max) / 127.0;
        scales.push(scale);
        weights.extend(row.iter().map(|w| (w / scale).round() as i8));
    }
    NetworkLayer {
        n_in: layer.weights.ncols(),
        weights,
        scales,
        bias: layer.bias.to_vec(),
    }
}

/// Statistics of phones: frequency, successors, duration, and typical band values.
fn counts(examples: &[TrainingExample]) -> SoundCounts {
    let mut counts = [1.0_f32; N_OUT];
    let mut follows = vec![0.3_f32; N_OUT * N_OUT];
    let mut lengths: Vec<Vec<f32>> = vec![Vec::new(); N_OUT];
    let mut usual = vec![[0.0_f32; 2]; N_BANDS];
    let mut n = 0.0_f32;
    let of_english = |example: &&TrainingExample| example.had.is_some();
    for example in examples.iter().filter(of_english) {
        let phone = |set: &Sounds| (set.trailing_zeros() as usize).min(N_OUT - 1);
        let runs: Vec<&[Sounds]> = example.labels.chunk_by(|a, b| a == b).collect();
        let known = |run: &&[Sounds]| run[0] != 0;
        for run in runs.iter().copied().filter(known) {
            counts[phone(&run[0])] += run.len() as f32;
            lengths[phone(&run[0])].push((run.len() as f32 * FRAME).ln());
        }
        for pair in runs.windows(2).filter(|pair| pair.iter().all(known)) {
            follows[phone(&pair[0][0]) * N_OUT + phone(&pair[1][0])] += 1.0;
        }
        let had = example.had.unwrap_or_default();
        let level = had.iter().map(|[mean, _]| mean).sum::<f32>() / N_BANDS as f32;
        n += 1.0;
        for (usual, had) in usual.iter_mut().zip(had) {
            usual[0] += (had[0] - level - usual[0]) / n;
            usual[1] += (had[1] - usual[1]) / n;
        }
    }
    let sum: f32 = counts.iter().sum();
    for row in follows.chunks_mut(N_OUT) {
        let sum: f32 = row.iter().sum();
        row.iter_mut()
            .for_each(|count| *count = (*count / sum).ln());
    }
    let spread = |logs: &Vec<f32>| {
        if logs.len() < 3 {
            return [-2.5, 0.5];
        }
        let n = logs.len() as f32;
        let mean = logs.iter().sum::<f32>() / n;
        let square = logs.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / n;
        [mean, square.sqrt().max(0.2)]
    };
    SoundCounts {
        priors: counts.iter().map(|count| (count / sum).ln()).collect(),
        follows,
        lengths: lengths.iter().map(spread).collect(),
        usual,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sounds_of_two_colours_are_told_apart_after_some_rounds() {
        let frame = |phone: Phoneme, i: usize| {
            let mut frame = [0.0; N_BANDS];
            let band = if phone == Phoneme::AA { 5 } else { 20 };
            frame[band] = 2.0 + 0.3 * (i as f32 * 1.7).sin();
            frame
        };
        let phones: Vec<Phoneme> = (0..600)
            .map(|i| {
                if i / 20 % 2 == 0 {
                    Phoneme::AA
                } else {
                    Phoneme::S
                }
            })
            .collect();
        let frames: Vec<FeatureFrame> = phones
            .iter()
            .enumerate()
            .map(|(i, phone)| frame(*phone, i))
            .collect();
        let example = TrainingExample {
            frames: frames.clone(),
            labels: phones.iter().map(|phone| only(*phone)).collect(),
            had: Some([[0.0, 1.0]; N_BANDS]),
        };
        // The labels of the second recording have two candidates each; training on the first one resolves them.
        let vague = TrainingExample {
            frames: frames.clone(),
            labels: vec![only(Phoneme::AA) | only(Phoneme::S); phones.len()],
            had: None,
        };
        let network = learn(&[example, vague], 8);
        let found = network.likelihoods(&frames);
        let is_right = |(likely, label): (&[f32; N_OUT], &Phoneme)| {
            let other = if *label == Phoneme::AA {
                Phoneme::S
            } else {
                Phoneme::AA
            };
            likely[*label as usize] > likely[other as usize]
        };
        let right = found
            .iter()
            .zip(&phones)
            .filter(|pair| is_right(*pair))
            .count();
        assert!(right > 570, "{right} of 600");
        assert!((network.lengths[Phoneme::AA as usize][0] - 0.2_f32.ln()).abs() < 0.01);
        assert!(network.follows[Phoneme::AA as usize * N_OUT + Phoneme::S as usize] > -0.7);
    }
}
