//! Visible clips of a machine, for profilers and for code that predicts poses.

use super::bound::Machine;
use super::state::MachineState;
use galatea_anim::{ClipSet, PlayMode};

/// A clip with a weight above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Showing {
    /// Layer number.
    pub layer: usize,
    /// Clip number.
    pub clip: usize,
    /// Time in the clip, seconds.
    pub t: f32,
    /// Blend weight in its layer, 0..=1.
    pub weight: f32,
    /// Playback rate in the last step: clip seconds per second.
    pub rate: f32,
    /// The clip is mirrored.
    pub mirrored: bool,
    /// Root motion moves the character, not the pose.
    pub root_motion: bool,
    /// The clip loops.
    pub wraps: bool,
}

/// Calls `each` for every visible clip: layer by layer from the lowest, and the newest state last. Layers with weight
/// 0 are skipped.
pub fn showing(
    machine: &Machine,
    clips: &ClipSet,
    state: &MachineState,
    mut each: impl FnMut(Showing),
) {
    for (number, (layer, layer_state)) in machine.layers.iter().zip(&state.layers).enumerate() {
        if state.number(layer.weight) * layer_state.nearness <= 0.0 {
            continue;
        }
        for one in layer_state.active.iter().filter(|one| one.weight > 0.0) {
            let Some(played) = layer.states.get(one.state) else {
                continue;
            };
            let mirrored = state.number(played.mirror) != 0.0;
            for (k, playing) in one.clips.iter().enumerate() {
                let Some(clip) = played.clip_of(k, one.item) else {
                    continue;
                };
                if playing.weight <= 0.0 {
                    continue;
                }
                each(Showing {
                    layer: number,
                    clip,
                    t: playing.head.clip_time(clips.duration(clip)),
                    weight: one.weight * playing.weight,
                    rate: playing.rate,
                    mirrored,
                    root_motion: played.root_motion && number == 0,
                    wraps: played.mode_of(one.item) == PlayMode::Loop,
                });
            }
        }
    }
}

/// Returns true while no layer cross-fades and no inertial offset decays.
pub fn is_steady(state: &MachineState) -> bool {
    state.layers.iter().all(|layer| {
        let dying = layer.inertia.as_ref().and_then(|shown| shown.age).is_some();
        layer.active.len() <= 1 && !dying
    })
}
