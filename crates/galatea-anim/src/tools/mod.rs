//! Work on authored clips before they are played: resampling, loops, fewer keys.
//!
//! Callers: `commands` (the `clip` command), loaders. Invariants: a [`Clip`](super::Clip) comes in
//! and a new one goes out; nothing here is called by the tick, so it may allocate.

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
pub(crate) use frames::{LONG, n_probes, time, worthy_rate};
pub use loops::{LoopCandidate, LoopOptions, find_loops};
pub use reduce::{ReduceOptions, ReduceReport, model_error, reduce_keys};
pub use resample::{densest_rate, resample};
