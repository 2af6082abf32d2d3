//! A small neural network that maps frames to phone likelihoods.

use std::ops::Range;

use ndarray::{Array1, Array2, Axis};

use super::features::{FeatureFrame, N_BANDS};
use crate::phoneme::PHONEMES;

/// Number of context frames before the current one; [`AFTER`] is the look-ahead.
pub const BEFORE: usize = 9;
/// Number of context frames after the current one.
pub const AFTER: usize = 6;
/// Number of inputs.
pub const N_IN: usize = (BEFORE + 1 + AFTER) * N_BANDS;
/// Number of outputs: phones.
pub const N_OUT: usize = PHONEMES.len();

/// One layer: 8-bit weights with a scale per row, and a bias.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NetworkLayer {
    /// Number of inputs.
    pub n_in: usize,
    /// Weights, row-major.
    pub weights: Vec<i8>,
    /// Scale per row.
    pub scales: Vec<f32>,
    /// Bias per row.
    pub bias: Vec<f32>,
}

/// The network, with statistics of phones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Network {
    /// Layers in order, with ReLU between them.
    layers: Vec<NetworkLayer>,
    /// The layers as matrices with one row per input, and the bias.
    matrices: Vec<(Array2<f32>, Array1<f32>)>,
    /// Log prior probability of each phone.
    pub priors: Vec<f32>,
    /// Log probability of each phone after another: one row per preceding phone.
    pub follows: Vec<f32>,
    /// Mean and standard deviation of the log duration of each phone, in seconds.
    pub lengths: Vec<[f32; 2]>,
    /// Mean, relative to the mean of all bands, and standard deviation of each band in typical speech; used before a voice
    /// is known.
    pub usual: Vec<[f32; 2]>,
}

/// Phone statistics that are counted rather than trained.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SoundCounts {
    /// See [`Network::priors`].
    pub priors: Vec<f32>,
    /// See [`Network::follows`].
    pub follows: Vec<f32>,
    /// See [`Network::lengths`].
    pub lengths: Vec<[f32; 2]>,
    /// See [`Network::usual`].
    pub usual: Vec<[f32; 2]>,
}

/// Number of frames processed at once.
const BATCH: usize = 128;

const MAGIC: &[u8; 8] = b"GALPHON2";

/// Reason why a file is not a valid network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// Wrong magic bytes.
    #[error("this is not an acoustic model file")]
    Magic,
    /// Truncated file, or inconsistent sizes.
    #[error("the acoustic model file is damaged: {0}")]
    Damaged(&'static str),
}

impl Network {
    /// Creates a network from layers in order. Each layer has as many inputs as the previous one has outputs; the first has
    /// [`N_IN`] inputs, the last [`N_OUT`] outputs. Layers with inconsistent sizes are left out.
    pub fn new(layers: Vec<NetworkLayer>, counts: SoundCounts) -> Self {
        let matrices = layers.iter().filter_map(|layer| {
            let row = |o: usize, scale: f32| {
                let row = layer.weights.get(o * layer.n_in..(o + 1) * layer.n_in);
                let row = row.unwrap_or_default().iter();
                row.map(move |weight| f32::from(*weight) * scale)
            };
            let scales = layer.scales.iter().enumerate();
            let all: Vec<f32> = scales.flat_map(|(o, scale)| row(o, *scale)).collect();
            let matrix = Array2::from_shape_vec((layer.scales.len(), layer.n_in), all).ok()?;
            let matrix = matrix.reversed_axes().as_standard_layout().to_owned();
            Some((matrix, Array1::from(layer.bias.clone())))
        });
        Self {
            matrices: matrices.collect(),
            layers,
            priors: counts.priors,
            follows: counts.follows,
            lengths: counts.lengths,
            usual: counts.usual,
        }
    }

    /// Returns the log likelihoods of all phones for each frame. Frames beyond the ends repeat the first or last frame.
    pub fn likelihoods(&self, frames: &[FeatureFrame]) -> Vec<[f32; N_OUT]> {
        self.of(frames, 0..frames.len())
    }

    /// The same for a range of the frames. Results do not depend on the number of frames requested at once.
    pub fn of(&self, frames: &[FeatureFrame], range: Range<usize>) -> Vec<[f32; N_OUT]> {
        let last = frames.len().saturating_sub(1);
        let all: Vec<usize> = range.filter(|i| *i < frames.len()).collect();
        let mut out = Vec::with_capacity(all.len());
        for some in all.chunks(BATCH) {
            let mut now = Array2::zeros((some.len(), N_IN));
            for (mut row, i) in now.axis_iter_mut(Axis(0)).zip(some) {
                let seen = (0..=BEFORE + AFTER).map(|j| (i + j).saturating_sub(BEFORE).min(last));
                let numbers = seen.flat_map(|at| frames.get(at).into_iter().flatten());
                for (slot, number) in row.iter_mut().zip(numbers) {
                    *slot = *number;
                }
            }
            for (l, (matrix, bias)) in self.matrices.iter().enumerate() {
                let mut next = now.dot(matrix);
                next += bias;
                if l + 1 < self.matrices.len() {
                    next.mapv_inplace(|x| x.max(0.0));
                }
                now = next;
            }
            out.extend(now.axis_iter(Axis(0)).map(|row| {
                let mut own = [f32::MIN; N_OUT];
                for (slot, value) in own.iter_mut().zip(row) {
                    *slot = *value;
                }
                let max = own.iter().copied().fold(f32::MIN, f32::max);
                let sum: f32 = own.iter().map(|x| (x - max).exp()).sum();
                let log = max + sum.ln();
                own.map(|x| x - log)
            }));
        }
        out
    }

    /// Serialises the network.
    pub fn write(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        let number = |n: usize, out: &mut Vec<u8>| out.extend((n as u32).to_le_bytes());
        let floats =
            |list: &[f32], out: &mut Vec<u8>| list.iter().for_each(|x| out.extend(x.to_le_bytes()));
        number(self.layers.len(), &mut out);
        for layer in &self.layers {
            number(layer.n_in, &mut out);
            number(layer.scales.len(), &mut out);
            out.extend(layer.weights.iter().map(|w| *w as u8));
            floats(&layer.scales, &mut out);
            floats(&layer.bias, &mut out);
        }
        floats(&self.priors, &mut out);
        floats(&self.follows, &mut out);
        let pairs = self.lengths.iter().chain(&self.usual);
        pairs.for_each(|pair| floats(pair, &mut out));
        out
    }

    /// Parses a network file.
    ///
    /// # Errors
    /// Returns an error if the file has another format or is damaged.
    pub fn read(bytes: &[u8]) -> Result<Self, NetworkError> {
        let rest = bytes
            .strip_prefix(MAGIC.as_slice())
            .ok_or(NetworkError::Magic)?;
        let mut reader = ByteReader(rest);
        let n_layers = reader.number()?;
        if !(1..=8).contains(&n_layers) {
            return Err(NetworkError::Damaged("invalid number of layers"));
        }
        let (mut layers, mut expected_in) = (Vec::new(), N_IN);
        for _ in 0..n_layers {
            let (n_in, n_out) = (reader.number()?, reader.number()?);
            if n_in != expected_in || !(1..=4096).contains(&n_out) {
                return Err(NetworkError::Damaged("invalid layer size"));
            }
            let weights = reader
                .take(n_in * n_out)?
                .iter()
                .map(|b| *b as i8)
                .collect();
            layers.push(NetworkLayer {
                n_in,
                weights,
                scales: reader.floats(n_out)?,
                bias: reader.floats(n_out)?,
            });
            expected_in = n_out;
        }
        if expected_in != N_OUT {
            return Err(NetworkError::Damaged("invalid number of phonemes"));
        }
        let pairs = |list: Vec<f32>| list.chunks_exact(2).map(|p| [p[0], p[1]]).collect();
        let counts = SoundCounts {
            priors: reader.floats(N_OUT)?,
            follows: reader.floats(N_OUT * N_OUT)?,
            lengths: pairs(reader.floats(2 * N_OUT)?),
            usual: pairs(reader.floats(2 * N_BANDS)?),
        };
        if !reader.0.is_empty() {
            return Err(NetworkError::Damaged("extra bytes at the end"));
        }
        Ok(Self::new(layers, counts))
    }
}

struct ByteReader<'a>(&'a [u8]);

impl<'a> ByteReader<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8], NetworkError> {
        let (own, rest) = self
            .0
            .split_at_checked(n)
            .ok_or(NetworkError::Damaged("the file was cut off"))?;
        self.0 = rest;
        Ok(own)
    }

    fn number(&mut self) -> Result<usize, NetworkError> {
        let bytes: [u8; 4] = self.take(4)?.try_into().unwrap_or_default();
        Ok(u32::from_le_bytes(bytes) as usize)
    }

    fn floats(&mut self, n: usize) -> Result<Vec<f32>, NetworkError> {
        let bytes = self.take(4 * n)?.chunks_exact(4);
        let list: Vec<f32> = bytes
            .map(|b| f32::from_le_bytes(b.try_into().unwrap_or_default()))
            .collect();
        if list.iter().all(|x| x.is_finite()) {
            Ok(list)
        } else {
            Err(NetworkError::Damaged("a number is NaN or infinite"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Network {
        let layer = |n_in: usize, n_out: usize| NetworkLayer {
            n_in,
            weights: (0..n_in * n_out).map(|i| (i % 255) as i8).collect(),
            scales: vec![0.001; n_out],
            bias: vec![0.1; n_out],
        };
        Network::new(
            vec![layer(N_IN, 3), layer(3, N_OUT)],
            SoundCounts {
                priors: vec![-3.0; N_OUT],
                follows: vec![-3.0; N_OUT * N_OUT],
                lengths: vec![[-2.0, 0.5]; N_OUT],
                usual: vec![[0.0, 2.0]; N_BANDS],
            },
        )
    }

    #[test]
    fn a_network_round_trips_and_damage_is_detected() {
        let bytes = small().write();
        assert_eq!(Network::read(&bytes), Ok(small()));
        assert_eq!(Network::read(b"hello"), Err(NetworkError::Magic));
        for n in [8, 20, 500, bytes.len() - 1] {
            assert!(
                matches!(Network::read(&bytes[..n]), Err(NetworkError::Damaged(_))),
                "{n}"
            );
        }
        let mut long = bytes.clone();
        long.push(0);
        assert!(Network::read(&long).is_err());
        let mut odd = bytes;
        let at = odd.len() - 4;
        odd[at..].copy_from_slice(&f32::NAN.to_le_bytes());
        assert_eq!(
            Network::read(&odd),
            Err(NetworkError::Damaged("a number is NaN or infinite"))
        );
    }

    #[test]
    fn likelihoods_sum_to_one_and_do_not_depend_on_the_batch() {
        let frames = vec![[0.3; N_BANDS]; 4];
        for frame in small().likelihoods(&frames) {
            let sum: f32 = frame.iter().map(|x| x.exp()).sum();
            assert!((sum - 1.0).abs() < 1e-4);
        }
        assert!(small().likelihoods(&[]).is_empty());
        let odd = vec![[0.1; N_BANDS], [-0.4; N_BANDS], [0.9; N_BANDS]];
        let all = small().likelihoods(&odd);
        let single: Vec<_> = (0..3).flat_map(|i| small().of(&odd, i..i + 1)).collect();
        assert_eq!(all, single);
    }

    #[test]
    fn the_built_in_network_is_complete_and_small() {
        let network = crate::acoustic::network();
        assert_eq!(network.priors.len(), N_OUT);
        assert!(network.write().len() < 2 << 20);
    }
}
