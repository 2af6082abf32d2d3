//! Processing of authored clips before playback: resampling, loops, key reduction.
//!
//! Used by `commands` (the `clip` command) and loaders. Invariants: the functions take a [`Clip`](super::Clip) and
//! return a new one; the tick calls nothing here, so allocation is allowed.

mod centre;
mod cut;
mod frames;
mod loops;
mod reduce;
mod resample;
#[cfg(test)]
mod test_rig;

pub use centre::{Centred, centre};
pub use cut::{CloseOptions, close_loop};
pub use frames::SampledPoses;
pub(crate) use frames::{LONG, n_probes, probe_rate, time};
pub use loops::{LoopCandidate, LoopOptions, find_loops};
pub use reduce::{ReduceOptions, ReduceReport, model_error, reduce_keys};
pub use resample::{densest_rate, resample};
