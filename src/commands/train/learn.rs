//! Learning: a network of three layers by gradient descent (Adam, Kingma and Ba 2015), with dropout.

use rayon::prelude::*;

use crate::rig::chance::Chance;
use crate::speech::acoustic::features::Frame;
use crate::speech::acoustic::network::{AFTER, BEFORE, Layer, N_IN, N_OUT, Network};
use crate::speech::acoustic::search::FRAME;
use crate::speech::phone::Phone;

/// A recording, and the sound of each of its frames.
#[derive(Clone, Debug)]
pub struct Example {
    /// Normalised.
    pub frames: Vec<Frame>,
    /// As many.
    pub labels: Vec<Phone>,
}

/// Numbers between the layers.
const HIDDEN: [usize; 2] = [256, 160];
/// Frames of one step.
const BATCH: usize = 256;
/// Share of numbers that are left out in a step, so that none is relied on.
const DROPOUT: f32 = 0.15;
/// How sure it is not to be.
const DOUBT: f32 = 0.05;
const RATE: f32 = 1.5e-3;

/// Weights while they are learnt.
struct Matrix {
    n_in: usize,
    weights: Vec<f32>,
    bias: Vec<f32>,
    /// Means of gradients and of their squares, of weights and then of bias.
    means: Vec<f32>,
    squares: Vec<f32>,
}

impl Matrix {
    fn new(n_in: usize, n_out: usize, chance: &mut Chance) -> Self {
        let scale = (2.0 / n_in as f32).sqrt();
        let n = n_in * n_out;
        let mut normal = || (0..12).map(|_| chance.unit()).sum::<f32>() - 6.0;
        Self {
            n_in,
            weights: (0..n).map(|_| scale * normal()).collect(),
            bias: vec![0.0; n_out],
            means: vec![0.0; n + n_out],
            squares: vec![0.0; n + n_out],
        }
    }

    fn step(&mut self, gradients: &[&[f32]], share: f32, rate: f32, step: i32) {
        const KEEP: [f32; 2] = [0.9, 0.999];
        let young = KEEP.map(|keep| 1.0 - keep.powi(step));
        let all = self.weights.iter_mut().chain(&mut self.bias);
        let moments = self.means.iter_mut().zip(&mut self.squares);
        for (i, (value, (mean, square))) in all.zip(moments).enumerate() {
            let sum: f32 = gradients.iter().filter_map(|part| part.get(i)).sum();
            let gradient = share * sum;
            *mean = KEEP[0] * *mean + (1.0 - KEEP[0]) * gradient;
            *square = KEEP[1] * *square + (1.0 - KEEP[1]) * gradient * gradient;
            *value -= rate * (*mean / young[0]) / ((*square / young[1]).sqrt() + 1e-8);
        }
    }
}

/// Learns from examples, all of them `rounds` times.
pub fn learn(examples: Vec<Example>, rounds: usize) -> Network {
    let mut chance = Chance::new(7);
    let mut index: Vec<(usize, usize)> = Vec::new();
    for (e, example) in examples.iter().enumerate() {
        for (i, label) in example.labels.iter().enumerate() {
            // There is more silence than it needs.
            if *label != Phone::Sil || chance.is(0.6) {
                index.push((e, i));
            }
        }
    }
    let sizes = [N_IN, HIDDEN[0], HIDDEN[1], N_OUT];
    let mut layers: Vec<Matrix> = sizes
        .windows(2)
        .map(|pair| Matrix::new(pair[0], pair[1], &mut chance))
        .collect();
    let n_steps = (rounds * index.len().div_ceil(BATCH)).max(1);
    let mut step = 0;
    for round in 0..rounds {
        for i in (1..index.len()).rev() {
            index.swap(i, chance.bits() as usize % (i + 1));
        }
        let mut right = 0;
        for batch in index.chunks(BATCH) {
            step += 1;
            let parts: Vec<&[(usize, usize)]> = batch.chunks(BATCH / 4).collect();
            let seeded: Vec<_> = parts
                .into_iter()
                .map(|part| (part, chance.bits()))
                .collect();
            let found: Vec<(Vec<Vec<f32>>, usize)> = seeded
                .into_par_iter()
                .map(|(part, seed)| gradients(&layers, &examples, part, Chance::new(seed)))
                .collect();
            right += found.iter().map(|(_, right)| right).sum::<usize>();
            let u = step as f32 / n_steps as f32;
            let rate = RATE * (0.5 + 0.5 * (std::f32::consts::PI * u).cos()) + 1e-5;
            let share = 1.0 / batch.len() as f32;
            layers.par_iter_mut().enumerate().for_each(|(l, layer)| {
                let own: Vec<&[f32]> = found.iter().map(|(all, _)| &all[l][..]).collect();
                layer.step(&own, share, rate, step);
            });
        }
        let share = right as f32 / index.len().max(1) as f32;
        println!(
            "round {} of {rounds}: {:.1} % of frames right",
            round + 1,
            100.0 * share
        );
    }
    let statistics = Statistics::of(&examples);
    Network {
        layers: layers.iter().map(quantised).collect(),
        priors: statistics.priors,
        follows: statistics.follows,
        lengths: statistics.lengths,
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    const WIDE: usize = 16;
    let mut sums = [0.0_f32; WIDE];
    let (xs, ys) = (a.chunks_exact(WIDE), b.chunks_exact(WIDE));
    let rest: f32 = xs
        .remainder()
        .iter()
        .zip(ys.remainder())
        .map(|(x, y)| x * y)
        .sum();
    for (x, y) in xs.zip(ys) {
        for ((sum, x), y) in sums.iter_mut().zip(x).zip(y) {
            *sum += x * y;
        }
    }
    rest + sums.iter().sum::<f32>()
}

/// Gradients of weights and bias of each layer, summed over a part of a batch, and how many frames were right.
fn gradients(
    layers: &[Matrix],
    examples: &[Example],
    part: &[(usize, usize)],
    mut chance: Chance,
) -> (Vec<Vec<f32>>, usize) {
    let zero = |layer: &Matrix| vec![0.0; layer.weights.len() + layer.bias.len()];
    let mut sums: Vec<Vec<f32>> = layers.iter().map(zero).collect();
    let mut right = 0;
    for &(e, i) in part {
        let example = &examples[e];
        let last = example.frames.len() - 1;
        let seen = (0..=BEFORE + AFTER).map(|j| (i + j).saturating_sub(BEFORE).min(last));
        let mut values: Vec<Vec<f32>> = vec![seen.flat_map(|at| example.frames[at]).collect()];
        for (l, layer) in layers.iter().enumerate() {
            let rows = layer.weights.chunks_exact(layer.n_in).zip(&layer.bias);
            let mut out: Vec<f32> = rows
                .map(|(row, bias)| dot(row, &values[l]) + bias)
                .collect();
            if l + 1 < layers.len() {
                for value in &mut out {
                    let stays = *value > 0.0 && !chance.is(DROPOUT);
                    *value = if stays { *value / (1.0 - DROPOUT) } else { 0.0 };
                }
            }
            values.push(out);
        }
        let wanted = example.labels[i] as usize;
        let out = &values[layers.len()];
        let most = out.iter().copied().fold(f32::MIN, f32::max);
        right += usize::from(out[wanted] == most);
        let powers: Vec<f32> = out.iter().map(|x| (x - most).exp()).collect();
        let sum: f32 = powers.iter().sum();
        let mut errors: Vec<f32> = powers
            .iter()
            .map(|p| p / sum - DOUBT / N_OUT as f32)
            .collect();
        errors[wanted] -= 1.0 - DOUBT;
        for l in (0..layers.len()).rev() {
            let layer = &layers[l];
            let n_weights = layer.weights.len();
            let mut below = vec![0.0; if l > 0 { layer.n_in } else { 0 }];
            for (o, error) in errors
                .iter()
                .enumerate()
                .filter(|(_, error)| **error != 0.0)
            {
                let row = o * layer.n_in..(o + 1) * layer.n_in;
                sums[l][n_weights + o] += error;
                for (sum, value) in sums[l][row.clone()].iter_mut().zip(&values[l]) {
                    *sum += error * value;
                }
                for (sum, weight) in below.iter_mut().zip(&layer.weights[row]) {
                    *sum += error * weight;
                }
            }
            for (error, value) in below.iter_mut().zip(&values[l]) {
                *error = if *value > 0.0 {
                    *error / (1.0 - DROPOUT)
                } else {
                    0.0
                };
            }
            errors = below;
        }
    }
    (sums, right)
}

fn quantised(layer: &Matrix) -> Layer {
    let (mut weights, mut scales) = (Vec::new(), Vec::new());
    for row in layer.weights.chunks_exact(layer.n_in) {
        let scale = row.iter().map(|w| w.abs()).fold(1e-9, f32::max) / 127.0;
        scales.push(scale);
        weights.extend(row.iter().map(|w| (w / scale).round() as i8));
    }
    Layer {
        n_in: layer.n_in,
        weights,
        scales,
        bias: layer.bias.clone(),
    }
}

/// How often sounds are spoken, which follows which, and how long they are.
struct Statistics {
    priors: Vec<f32>,
    follows: Vec<f32>,
    lengths: Vec<[f32; 2]>,
}

impl Statistics {
    fn of(examples: &[Example]) -> Self {
        let mut counts = [1.0_f32; N_OUT];
        let mut follows = vec![0.3_f32; N_OUT * N_OUT];
        let mut lengths: Vec<Vec<f32>> = vec![Vec::new(); N_OUT];
        for example in examples {
            let runs: Vec<&[Phone]> = example.labels.chunk_by(|a, b| a == b).collect();
            for run in &runs {
                counts[run[0] as usize] += run.len() as f32;
                lengths[run[0] as usize].push((run.len() as f32 * FRAME).ln());
            }
            for pair in runs.windows(2) {
                follows[pair[0][0] as usize * N_OUT + pair[1][0] as usize] += 1.0;
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
        Self {
            priors: counts.iter().map(|count| (count / sum).ln()).collect(),
            follows,
            lengths: lengths.iter().map(spread).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speech::acoustic::features::N_BANDS;

    #[test]
    fn sounds_of_two_colours_are_told_apart_after_some_rounds() {
        let frame = |phone: Phone, i: usize| {
            let mut frame = [0.0; N_BANDS];
            let band = if phone == Phone::AA { 5 } else { 20 };
            frame[band] = 2.0 + 0.3 * (i as f32 * 1.7).sin();
            frame
        };
        let labels: Vec<Phone> = (0..600)
            .map(|i| if i / 20 % 2 == 0 { Phone::AA } else { Phone::S })
            .collect();
        let frames: Vec<Frame> = labels
            .iter()
            .enumerate()
            .map(|(i, phone)| frame(*phone, i))
            .collect();
        let network = learn(
            vec![Example {
                frames: frames.clone(),
                labels: labels.clone(),
            }],
            6,
        );
        let found = network.likelihoods(&frames);
        let is_right = |(likely, label): (&[f32; N_OUT], &Phone)| {
            let other = if *label == Phone::AA {
                Phone::S
            } else {
                Phone::AA
            };
            likely[*label as usize] > likely[other as usize]
        };
        let right = found
            .iter()
            .zip(&labels)
            .filter(|pair| is_right(*pair))
            .count();
        assert!(right > 570, "{right} of 600");
        assert!((network.lengths[Phone::AA as usize][0] - 0.2_f32.ln()).abs() < 0.01);
        assert!(network.follows[Phone::AA as usize * N_OUT + Phone::S as usize] > -0.7);
    }
}
