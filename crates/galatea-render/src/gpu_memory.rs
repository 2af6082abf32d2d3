//! Memory of the graphics device, by resource.

use std::collections::BTreeMap;

/// Memory that a graphics device has allocated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GpuMemory {
    /// Bytes by the name of the resource, the largest first. Resources with equal names are added.
    pub resources: Vec<(String, u64)>,
    /// Bytes of the blocks in which the resources lie.
    pub reserved: u64,
}

impl GpuMemory {
    /// Adds up the allocations of a report.
    pub(super) fn of(report: &wgpu::AllocatorReport) -> Self {
        let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
        for allocation in &report.allocations {
            *sums.entry(&allocation.name).or_default() += allocation.size;
        }
        let mut resources: Vec<(String, u64)> = sums
            .into_iter()
            .map(|(name, bytes)| (name.to_owned(), bytes))
            .collect();
        resources.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
        Self {
            resources,
            reserved: report.total_reserved_bytes,
        }
    }

    /// Bytes of all resources.
    pub fn used(&self) -> u64 {
        self.resources.iter().map(|(_, bytes)| bytes).sum()
    }
}
