//! Target of the spans that trace the phases of a start; all crates share it.

/// Target of `tracing` spans that are phases of a start. `galatea play --timings` lists them.
pub const PHASE: &str = "galatea_phase";
