//! Which faults have been told since the last load, and how often each has come.

use std::collections::HashMap;

/// Faults that are told until the next load.
const MOST_FAULTS: usize = 100;

/// Each fault is told once; when it comes again it is counted.
#[derive(Default)]
pub(super) struct Told {
    numbers: HashMap<String, u32>,
    times: Vec<u64>,
}

impl Told {
    /// Counts a fault. Gives its number, from 1, when it is to be told: the first time, unless too many
    /// were told already.
    pub fn count(&mut self, key: String) -> Option<u32> {
        if let Some(number) = self.numbers.get(&key) {
            self.times[*number as usize - 1] += 1;
            return None;
        }
        if self.times.len() >= MOST_FAULTS {
            return None;
        }
        self.times.push(1);
        let number = self.times.len() as u32;
        self.numbers.insert(key, number);
        Some(number)
    }

    /// True for a fault that was told.
    pub fn knows(&self, key: &str) -> bool {
        self.numbers.contains_key(key)
    }

    /// How often fault `number` has come; 1 for one that is not counted.
    pub fn times(&self, number: u32) -> u64 {
        let index = number.checked_sub(1);
        let times = index.and_then(|i| self.times.get(i as usize));
        times.copied().unwrap_or(1)
    }
}
