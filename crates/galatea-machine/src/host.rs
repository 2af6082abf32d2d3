//! The caller's side of a step: what a machine queries, and the events it reports.

use super::definition::Predicate;
use super::state::PlayingClip;
use galatea_anim::{Crossing, MarkerPhase};

/// An event of a step; `offset` is seconds after the step's start. State indices are those of
/// [`Machine::state_names`](super::Machine::state_names), with nested machines after the states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Happening {
    /// A state was left.
    Exit {
        /// Layer number.
        layer: usize,
        /// State that was left.
        state: usize,
        /// Target state; `None` when the whole machine is replaced.
        to: Option<usize>,
    },
    /// A state was entered.
    Enter {
        /// Layer number.
        layer: usize,
        /// State that was entered.
        state: usize,
        /// Source state.
        from: usize,
    },
    /// A mark on a playing clip was crossed.
    Marker(Crossed),
    /// The clip of a state that plays once has ended.
    End {
        /// Layer number.
        layer: usize,
        /// The state.
        state: usize,
        /// Seconds after the step's start.
        offset: f64,
    },
    /// More marks were crossed in the step than are reported. Comes after the reported ones.
    Flood {
        /// Layer number.
        layer: usize,
        /// Index of the state that plays the clip.
        state: usize,
        /// Number of this playing of the clip.
        playing: u64,
        /// Clip number.
        clip: usize,
        /// Blend weight of the clip, 0..=1.
        weight: f32,
        /// Number of marks that were not reported.
        n: u64,
    },
}

/// A mark that a playing clip crossed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossed {
    /// Layer number.
    pub layer: usize,
    /// Index of the state that plays the clip.
    pub state: usize,
    /// Number of this playback, see [`PlayingClip::number`](super::PlayingClip::number).
    pub playback_id: u64,
    /// Clip number.
    pub clip: usize,
    /// Index of the mark on its clip.
    pub marker: usize,
    /// Point, or begin or end of an interval.
    pub phase: MarkerPhase,
    /// The interval was left before its end.
    pub interrupted: bool,
    /// The clip played backwards.
    pub is_reversed: bool,
    /// Seconds after the step's start.
    pub offset: f64,
    /// Blend weight of the clip, 0..=1.
    pub weight: f32,
    /// No other clip of the layer has a higher weight. Listeners get only such marks unless they ask for all.
    pub has_max_weight: bool,
    /// The clip is mirrored.
    pub mirrored: bool,
    /// Suppressed because its layer has weight 0; never for the end of an interval with a beginning that was
    /// reported.
    pub silent: bool,
}

impl Crossed {
    /// Creates the cut end of an interval on a clip that is dropped.
    pub(super) fn left(
        layer: usize,
        state: usize,
        (playing, clip): (&PlayingClip, usize),
        crossing: &Crossing,
    ) -> Self {
        Self {
            layer,
            state,
            playback_id: playing.number,
            clip,
            marker: crossing.marker,
            phase: crossing.phase,
            interrupted: crossing.interrupted,
            is_reversed: crossing.is_reversed,
            offset: 0.0,
            weight: 0.0,
            has_max_weight: false,
            mirrored: false,
            silent: false,
        }
    }
}

/// The caller's side of a step: evaluates conditions, gives random numbers, receives events.
pub trait MachineHost {
    /// Evaluates a condition function on the parameters.
    fn evaluate(&mut self, predicate: Predicate) -> bool;
    /// Returns a random number in 0..1.
    fn random(&mut self) -> f64;
    /// Receives the events of the step, in order: exit, enter, marks, end.
    fn emit(&mut self, happening: Happening);
}
