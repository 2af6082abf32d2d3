//! Scratch buffers of a tick.

use std::sync::Arc;

use super::Handle;
use galatea_character::GoalPosition;
use galatea_physics::Owner;
use galatea_rig::foot_ik::{LegRig, Step};

/// Scratch buffers; empty between ticks in all but their capacity.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Order of events: time, rank, index.
    pub order: Vec<(f64, u8, u32)>,
    /// Goals of modifiers: character, index of the modifier and of its goal, position.
    pub goals: Vec<(Handle, [usize; 2], Option<GoalPosition>)>,
    /// Owners of characters; foot IK ignores their bodies.
    pub persons: Vec<Owner>,
    /// Characters that act in the next round.
    pub later: Vec<Handle>,
    /// Steps that feet reported.
    pub steps: Vec<(Handle, Arc<LegRig>, Step)>,
}
