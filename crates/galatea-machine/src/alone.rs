//! A state whose one clip somebody else plays over the machine.

use super::bound::{Machine, StateMotion};
use super::state::MachineState;

/// The one clip of a state, as the state would play it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoloClip {
    /// The clip's number.
    pub clip: usize,
    /// Factor on its speed, above 0.
    pub speed: f32,
    /// Left and right exchanged.
    pub mirror: bool,
}

/// Why a name gives no [`SoloClip`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAlone {
    /// No layer has a state of that name.
    Unknown,
    /// It plays none, several one after another, or a mixture.
    Several,
    /// It is played backwards or stands.
    Stands,
}

impl Machine {
    /// The one clip of a state, named `outer/inner` where it is nested, with the parameters that `state` has.
    ///
    /// # Errors
    /// When there is no such state, or it is not one clip that runs on.
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
