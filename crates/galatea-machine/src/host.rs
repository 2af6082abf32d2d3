//! The world outside a machine: what a step queries there, and the happenings it reports.

use super::definition::Predicate;
use super::state::Playing;
use galatea_anim::{Crossing, Edge};

/// Something that happened in a step; `offset` is seconds after the step's start. States are numbered
/// as [`Machine::state_names`](super::Machine::state_names) lists them, nested machines after them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Happening {
    /// A state was left.
    Exit {
        /// Layer number.
        layer: usize,
        /// State that was left.
        state: usize,
        /// State that follows; `None` when the whole machine gives way.
        to: Option<usize>,
    },
    /// A state was entered.
    Enter {
        /// Layer number.
        layer: usize,
        /// State that was entered.
        state: usize,
        /// State before it.
        from: usize,
    },
    /// A mark on a playing clip was crossed.
    Mark(Crossed),
    /// The clip of a state that plays once has ended.
    End {
        /// Layer number.
        layer: usize,
        /// The state.
        state: usize,
        /// Seconds after the step's start.
        offset: f64,
    },
    /// More marks were passed in the step than are told; told after those that are.
    Flood {
        /// Layer number.
        layer: usize,
        /// State whose clip it is.
        state: usize,
        /// Number of this playing of the clip.
        playing: u64,
        /// Clip number.
        clip: usize,
        /// How much of the clip shows, 0..=1.
        weight: f32,
        /// How many were not told.
        n: u64,
    },
}

/// A mark that was crossed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossed {
    /// Layer number.
    pub layer: usize,
    /// State whose clip it is on.
    pub state: usize,
    /// Number of this playing of the clip, see [`Playing::number`](super::Playing::number).
    pub playing: u64,
    /// Clip number.
    pub clip: usize,
    /// Number of the mark on its clip.
    pub mark: usize,
    /// Which side of it.
    pub edge: Edge,
    /// An interval that was left before its end.
    pub cut: bool,
    /// The clip played backwards.
    pub reverse: bool,
    /// Seconds after the step's start.
    pub offset: f64,
    /// How much of the clip shows, 0..=1.
    pub weight: f32,
    /// No other clip of the layer shows more; only such clips speak unless a listener asks for all.
    pub heaviest: bool,
    /// The clip is played with left and right exchanged.
    pub mirrored: bool,
    /// Its layer shows nothing, so it is told to nobody; never for the end of an interval whose
    /// beginning was told.
    pub silent: bool,
}

impl Crossed {
    /// The end of an interval on a clip that is left.
    pub(super) fn left(
        layer: usize,
        state: usize,
        (playing, clip): (&Playing, usize),
        crossing: &Crossing,
    ) -> Self {
        Self {
            layer,
            state,
            playing: playing.number,
            clip,
            mark: crossing.mark,
            edge: crossing.edge,
            cut: crossing.cut,
            reverse: crossing.reverse,
            offset: 0.0,
            weight: 0.0,
            heaviest: false,
            mirrored: false,
            silent: false,
        }
    }
}

/// What a step asks of the world outside and tells it.
pub trait Host {
    /// Evaluates a condition on the parameters.
    fn ask(&mut self, predicate: Predicate) -> bool;
    /// A number in 0..1, by chance.
    fn chance(&mut self) -> f64;
    /// Hears what happened, in order: exit, enter, marks, end.
    fn tell(&mut self, happening: Happening);
}
