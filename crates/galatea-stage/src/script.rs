//! Interface of the script that runs a stage.

use super::event::Event;
use super::hits::Hit;
use super::{Handle, Stage};
use galatea_character::HitReaction;
use galatea_machine::Predicate;

/// Callbacks of the simulation to its script. Errors inside a script stay inside it.
pub trait Script {
    /// Runs the script's own update of a tick.
    fn update(&mut self, stage: &mut Stage, dt: f64);
    /// Runs the part of the script that follows unscaled time: also during a pause, and 60 times per second in slow motion.
    fn update_unscaled(&mut self, _stage: &mut Stage, _dt: f64) {}
    /// Reads the parameters that the script set for a character's machine.
    fn params(&mut self, character: Handle, values: &mut [f32]);
    /// Evaluates a condition on a character's parameters.
    fn evaluate(&mut self, character: Handle, predicate: Predicate) -> bool;
    /// Returns the reaction to a hit: the given one, another one, or none.
    fn react_to_hit(
        &mut self,
        _stage: &mut Stage,
        _character: Handle,
        _hit: &Hit,
        reaction: HitReaction,
    ) -> Option<HitReaction> {
        Some(reaction)
    }
    /// Applies a modifier function of the script to the pose of a character; see
    /// [`Modifiers::posed_for_script`](galatea_character::Modifiers::posed_for_script).
    fn modify(&mut self, _stage: &mut Stage, _character: Handle, _function: u64, _dt: f64) {}
    /// Receives all events of the tick in order. Events added to `stage.events` are delivered in the next tick.
    fn deliver(&mut self, stage: &mut Stage, events: &[Event]);
}
