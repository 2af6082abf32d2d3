//! What a machine shows now, clip by clip: for meters and for those who look ahead.

use super::bound::Machine;
use super::state::MachineState;
use galatea_anim::{ClipSet, PlayMode};

/// A clip that shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Showing {
    /// Layer number.
    pub layer: usize,
    /// Clip number.
    pub clip: usize,
    /// Seconds on the clip.
    pub t: f32,
    /// Share of its layer, 0..=1.
    pub weight: f32,
    /// Seconds of clip per second in the last step.
    pub rate: f32,
    /// Left and right are exchanged.
    pub mirrored: bool,
    /// Its travel moves the character, not the pose.
    pub root_motion: bool,
    /// It goes on from its end at its start.
    pub wraps: bool,
}

/// Every clip that shows in a layer of this machine, layer by layer from the lowest, the newest state
/// last. Layers without weight show none.
pub fn showing(
    machine: &Machine,
    clips: &ClipSet,
    state: &MachineState,
    mut each: impl FnMut(Showing),
) {
    for (number, (layer, place)) in machine.layers.iter().zip(&state.layers).enumerate() {
        if state.number(layer.weight) * place.nearness <= 0.0 {
            continue;
        }
        for one in place.active.iter().filter(|one| one.shown > 0.0) {
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
                    weight: one.shown * playing.weight,
                    rate: playing.rate,
                    mirrored,
                    root_motion: played.root_motion && number == 0,
                    wraps: played.mode_of(one.item) == PlayMode::Loop,
                });
            }
        }
    }
}

/// True while no transition of any layer fades or dies away.
pub fn is_steady(state: &MachineState) -> bool {
    state.layers.iter().all(|layer| {
        let dying = layer.inertia.as_ref().and_then(|shown| shown.age).is_some();
        layer.active.len() <= 1 && !dying
    })
}
