//! The name under which the phases of a start are traced.

/// Target of `tracing` spans that are phases of a start. `galatea play --timings` lists them.
pub const PHASE: &str = "galatea_phase";
