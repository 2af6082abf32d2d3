//! A small network: from some frames to how likely each sound is.

use super::features::{Frame, N_BANDS};
use crate::speech::phone::PHONES;

/// Frames before and behind that it sees: what is behind must have been heard first.
pub const BEFORE: usize = 9;
/// See [`BEFORE`].
pub const AFTER: usize = 6;
/// Numbers that go in.
pub const N_IN: usize = (BEFORE + 1 + AFTER) * N_BANDS;
/// Sounds.
pub const N_OUT: usize = PHONES.len();

/// One layer: weights of 8 bits with a scale for each row, and what is added.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layer {
    /// Numbers that go in.
    pub n_in: usize,
    /// Row after row.
    pub weights: Vec<i8>,
    /// One for each row.
    pub scales: Vec<f32>,
    /// One for each row.
    pub bias: Vec<f32>,
}

/// The network, and how often each sound is spoken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Network {
    /// In order; between them what is below 0 is 0.
    pub layers: Vec<Layer>,
    /// Logarithm of how often each sound is spoken.
    pub priors: Vec<f32>,
    /// Logarithm of how often each sound follows each: row after row, from.
    pub follows: Vec<f32>,
    /// Mean and spread of each sound's length, seconds' logarithm.
    pub lengths: Vec<[f32; 2]>,
}

const MAGIC: &[u8; 8] = b"GALPHON1";

/// Why a file is no network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// Other bytes.
    #[error("this is no file of sounds")]
    Magic,
    /// It is cut off, or its sizes do not fit.
    #[error("a file of sounds that is damaged: {0}")]
    Damaged(&'static str),
}

impl Network {
    /// Logarithms of the likelihoods of all sounds for each frame; what lies beyond the ends is like the ends.
    pub fn likelihoods(&self, frames: &[Frame]) -> Vec<[f32; N_OUT]> {
        let mut memory = Memory::default();
        (0..frames.len())
            .map(|i| self.one(frames, i, &mut memory))
            .collect()
    }

    /// The same of one frame among others.
    pub fn one(&self, frames: &[Frame], i: usize, memory: &mut Memory) -> [f32; N_OUT] {
        let Memory { now, next } = memory;
        now.clear();
        let last = frames.len().saturating_sub(1);
        for j in 0..=BEFORE + AFTER {
            let at = (i + j).saturating_sub(BEFORE).min(last);
            if let Some(frame) = frames.get(at) {
                now.extend_from_slice(frame);
            }
        }
        let n_layers = self.layers.len();
        for (l, layer) in self.layers.iter().enumerate() {
            next.clear();
            let rows = layer.weights.chunks_exact(layer.n_in.max(1));
            for ((row, scale), bias) in rows.zip(&layer.scales).zip(&layer.bias) {
                let sum = dot(row, now) * scale + bias;
                next.push(if l + 1 < n_layers { sum.max(0.0) } else { sum });
            }
            std::mem::swap(now, next);
        }
        let mut out = [f32::MIN; N_OUT];
        for (slot, value) in out.iter_mut().zip(now.iter()) {
            *slot = *value;
        }
        let most = out.iter().copied().fold(f32::MIN, f32::max);
        let sum: f32 = out.iter().map(|x| (x - most).exp()).sum();
        let log = most + sum.ln();
        out.map(|x| x - log)
    }

    /// As a file.
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
        self.lengths.iter().for_each(|pair| floats(pair, &mut out));
        out
    }

    /// From a file.
    ///
    /// # Errors
    /// When it is none, or damaged.
    pub fn read(bytes: &[u8]) -> Result<Self, NetworkError> {
        let rest = bytes
            .strip_prefix(MAGIC.as_slice())
            .ok_or(NetworkError::Magic)?;
        let mut reader = Reader(rest);
        let n_layers = reader.number()?;
        if !(1..=8).contains(&n_layers) {
            return Err(NetworkError::Damaged("the number of layers"));
        }
        let (mut layers, mut wanted) = (Vec::new(), N_IN);
        for _ in 0..n_layers {
            let (n_in, n_out) = (reader.number()?, reader.number()?);
            if n_in != wanted || !(1..=4096).contains(&n_out) {
                return Err(NetworkError::Damaged("the size of a layer"));
            }
            let weights = reader
                .take(n_in * n_out)?
                .iter()
                .map(|b| *b as i8)
                .collect();
            layers.push(Layer {
                n_in,
                weights,
                scales: reader.floats(n_out)?,
                bias: reader.floats(n_out)?,
            });
            wanted = n_out;
        }
        if wanted != N_OUT {
            return Err(NetworkError::Damaged("the number of sounds"));
        }
        let priors = reader.floats(N_OUT)?;
        let follows = reader.floats(N_OUT * N_OUT)?;
        let lengths = reader.floats(2 * N_OUT)?;
        if !reader.0.is_empty() {
            return Err(NetworkError::Damaged("more bytes than it should have"));
        }
        Ok(Self {
            layers,
            priors,
            follows,
            lengths: lengths
                .chunks_exact(2)
                .map(|pair| [pair[0], pair[1]])
                .collect(),
        })
    }
}

/// Memory for one pass.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    now: Vec<f32>,
    next: Vec<f32>,
}

fn dot(row: &[i8], x: &[f32]) -> f32 {
    const WIDE: usize = 16;
    let mut sums = [0.0_f32; WIDE];
    let (rows, xs) = (row.chunks_exact(WIDE), x.chunks_exact(WIDE));
    let rest: f32 = rows
        .remainder()
        .iter()
        .zip(xs.remainder())
        .map(|(w, x)| f32::from(*w) * x)
        .sum();
    for (w, x) in rows.zip(xs) {
        for ((sum, w), x) in sums.iter_mut().zip(w).zip(x) {
            *sum += f32::from(*w) * x;
        }
    }
    rest + sums.iter().sum::<f32>()
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8], NetworkError> {
        let (own, rest) = self
            .0
            .split_at_checked(n)
            .ok_or(NetworkError::Damaged("it ends too early"))?;
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
            Err(NetworkError::Damaged("a number that is none"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Network {
        let layer = |n_in: usize, n_out: usize| Layer {
            n_in,
            weights: (0..n_in * n_out).map(|i| (i % 255) as i8).collect(),
            scales: vec![0.001; n_out],
            bias: vec![0.1; n_out],
        };
        Network {
            layers: vec![layer(N_IN, 3), layer(3, N_OUT)],
            priors: vec![-3.0; N_OUT],
            follows: vec![-3.0; N_OUT * N_OUT],
            lengths: vec![[-2.0, 0.5]; N_OUT],
        }
    }

    #[test]
    fn it_is_read_as_it_was_written_and_damage_is_told() {
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
            Err(NetworkError::Damaged("a number that is none"))
        );
    }

    #[test]
    fn likelihoods_are_of_a_whole() {
        let frames = vec![[0.3; N_BANDS]; 4];
        for frame in small().likelihoods(&frames) {
            let sum: f32 = frame.iter().map(|x| x.exp()).sum();
            assert!((sum - 1.0).abs() < 1e-4);
        }
        assert!(small().likelihoods(&[]).is_empty());
    }

    #[test]
    fn the_one_that_comes_with_the_program_is_whole_and_small() {
        let network = crate::speech::acoustic::network();
        assert_eq!(network.priors.len(), N_OUT);
        assert!(network.write().len() < 2 << 20);
    }
}
