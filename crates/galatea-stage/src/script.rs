//! The script that runs a stage, as the simulation calls it.

use super::event::Event;
use super::hits::Hit;
use super::{Handle, Stage};
use galatea_character::HitReaction;
use galatea_machine::Predicate;

/// What the simulation asks of the script that runs it. Faults inside a script stay inside it.
pub trait Script {
    /// The script's own work of a tick.
    fn update(&mut self, stage: &mut Stage, dt: f64);
    /// Reads the parameters that the script set for a character's machine.
    fn params(&mut self, character: Handle, values: &mut [f32]);
    /// Evaluates a condition on a character's parameters.
    fn ask(&mut self, character: Handle, predicate: Predicate) -> bool;
    /// What becomes of a blow that something deals a character: another reaction, or none at all.
    fn reflex(
        &mut self,
        _stage: &mut Stage,
        _character: Handle,
        _hit: &Hit,
        reaction: HitReaction,
    ) -> Option<HitReaction> {
        Some(reaction)
    }
    /// Has the function of one of a script's modifiers act on the pose of a character: see
    /// [`Modifiers::posed_for_script`](galatea_character::Modifiers::posed_for_script).
    fn modify(&mut self, _stage: &mut Stage, _character: Handle, _function: u64, _dt: f64) {}
    /// Hears all that happened in the tick, in order. What it adds to `stage.events` is told with the
    /// next tick.
    fn deliver(&mut self, stage: &mut Stage, events: &[Event]);
}
