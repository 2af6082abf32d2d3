//! A state with a single clip that a caller plays by itself, without the machine.

use super::bound::{Machine, StateMotion};
use super::state::MachineState;

/// The single clip of a state, with the state's speed and mirroring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoloClip {
    /// Index of the clip.
    pub clip: usize,
    /// Factor on the clip's speed, above 0.
    pub speed: f32,
    /// The clip is mirrored.
    pub mirror: bool,
}

/// Reason why a state has no [`SoloClip`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAlone {
    /// No layer has a state of this name.
    Unknown,
    /// The state plays no clip, several clips in a sequence, or a blend.
    Several,
    /// The clip plays backwards, or does not advance by itself.
    Stands,
}

impl Machine {
    /// Returns the single clip of a state, named `outer/inner` if nested, with the current parameters of `state`.
    ///
    /// # Errors
    /// If the state does not exist, or does not play a single clip forwards.
    pub fn alone(&self, name: &str, state: &MachineState) -> Result<SoloClip, NotAlone> {
        let mut states = self.layers.iter().flat_map(|layer| &layer.states);
        let Some(found) = states.find(|state| state.path == name) else {
            let mut groups = self.layers.iter().flat_map(|layer| &layer.groups);
            let is_group = groups.any(|group| group.path == name);
            return Err(if is_group {
                NotAlone::Several
            } else {
                NotAlone::Unknown
            });
        };
        let leaf = match &found.motion {
            StateMotion::Blend(blend) if blend.leaves.len() == 1 => blend.leaves[0].speed,
            _ => return Err(NotAlone::Several),
        };
        let speed = leaf * state.number(found.speed);
        if speed.is_nan() || speed <= 0.0 || found.time.is_some() {
            return Err(NotAlone::Stands);
        }
        let clip = found.single_clip(0).ok_or(NotAlone::Several)?;
        Ok(SoloClip {
            clip,
            speed,
            mirror: state.number(found.mirror) > 0.5,
        })
    }
}
