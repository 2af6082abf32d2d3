//! Targets: readers of external input, with valid examples.

use crate::mutate::{InputFormat, mutate};
use crate::random::FuzzRng;
use crate::{
    archives, control, models, pictures, recipes, saves, script_api, sounds, speech, texts,
};

/// A reader of external input.
#[derive(Clone, Copy)]
pub struct Target {
    /// Name on the command line.
    pub name: &'static str,
    pub form: InputFormat,
    /// Valid inputs, from which others are generated.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Repairs checksums after a mutation, so that more than the checksum is tested.
    pub mend: fn(&mut [u8]),
    /// Reads an input. It may refuse it; a panic is an error.
    pub run: fn(&[u8]),
    /// Number of inputs of the short run.
    pub n_quick: u64,
}

impl Target {
    pub const fn new(name: &'static str, form: InputFormat, n_quick: u64) -> Self {
        Self {
            name,
            form,
            seeds: Vec::new,
            mend: |_| {},
            run: |_| {},
            n_quick,
        }
    }

    pub const fn seeds(mut self, seeds: fn() -> Vec<Vec<u8>>) -> Self {
        self.seeds = seeds;
        self
    }

    pub const fn mend(mut self, mend: fn(&mut [u8])) -> Self {
        self.mend = mend;
        self
    }

    pub const fn run(mut self, run: fn(&[u8])) -> Self {
        self.run = run;
        self
    }

    /// Input `index` of a seed: first the valid ones, then mutated ones.
    pub fn input(&self, seeds: &[Vec<u8>], seed: u64, index: u64) -> Vec<u8> {
        if index < n_valid(seeds) as u64 {
            return seeds[index as usize].clone();
        }
        let mut rng = FuzzRng::new(self.name, seed, index);
        let mut bytes = mutate(&mut rng, self.form, seeds);
        (self.mend)(&mut bytes);
        bytes
    }
}

/// Number of valid inputs that a target gets first, unchanged.
pub fn n_valid(seeds: &[Vec<u8>]) -> usize {
    seeds.len().min(8)
}

/// All targets.
pub fn all() -> impl Iterator<Item = &'static Target> {
    let groups: [&'static [Target]; 10] = [
        models::TARGETS,
        pictures::TARGETS,
        sounds::TARGETS,
        speech::TARGETS,
        texts::TARGETS,
        archives::TARGETS,
        recipes::TARGETS,
        control::TARGETS,
        saves::TARGETS,
        script_api::TARGETS,
    ];
    groups.into_iter().flatten()
}

/// The target with a name.
pub fn find(name: &str) -> Option<&'static Target> {
    all().find(|target| target.name == name)
}
