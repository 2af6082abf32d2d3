//! Record of the faults reported since the last load, with the number of repetitions of each.

use std::collections::HashMap;

/// Maximum number of faults reported until the next load.
const MAX_FAULTS: usize = 100;

/// Reported faults by key. A fault that occurs again is only counted.
#[derive(Default)]
pub(super) struct ReportedFaults {
    numbers: HashMap<String, u32>,
    times: Vec<u64>,
}

impl ReportedFaults {
    /// Counts a fault. Returns its number, from 1, if it must be reported: the first time, unless too many were already
    /// reported.
    pub fn count(&mut self, key: String) -> Option<u32> {
        if let Some(number) = self.numbers.get(&key) {
            self.times[*number as usize - 1] += 1;
            return None;
        }
        if self.times.len() >= MAX_FAULTS {
            return None;
        }
        self.times.push(1);
        let number = self.times.len() as u32;
        self.numbers.insert(key, number);
        Some(number)
    }

    /// Returns true if the fault was reported.
    pub fn is_reported(&self, key: &str) -> bool {
        self.numbers.contains_key(key)
    }

    /// Number of occurrences of fault `number`; 1 for a fault that is not counted.
    pub fn times(&self, number: u32) -> u64 {
        let index = number.checked_sub(1);
        let times = index.and_then(|i| self.times.get(i as usize));
        times.copied().unwrap_or(1)
    }
}
