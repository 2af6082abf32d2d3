//! Marks that are added or removed while a machine plays their clips.

use super::bound::{Machine, State, StateMotion};
use super::clip_weights::is_synced;
use super::host::Crossed;
use super::state::{Active, MachineState, PlayingClip};
use super::step::snapped;
use super::transition::Clips;
use galatea_anim::{Crossing, SyncTrack};

/// Updates a state after its machine was bound again with changed marks. Playing clips keep their positions. The
/// shared cycle follows the leading clip, and the other synchronised clips follow the cycle. `tell` receives the ends
/// of intervals that those clips skip.
pub fn rebind(
    state: &mut MachineState,
    before: &Machine,
    now: &Machine,
    clips: Clips<'_>,
    report: &mut dyn FnMut(Crossed),
) {
    let layers = before.layers.iter().zip(&now.layers);
    for (number, ((was, now), layer_state)) in layers.zip(&mut state.layers).enumerate() {
        for active in &mut layer_state.active {
            let at = active.state;
            let (Some(was), Some(now)) = (was.states.get(at), now.states.get(at)) else {
                continue;
            };
            resync(
                [was, now],
                active,
                clips,
                &mut |playing, clip, crossing, silent| {
                    let left = Crossed::left(number, at, (playing, clip), &crossing);
                    report(Crossed { silent, ..left });
                },
            );
        }
    }
}

/// Ends an interval that will be removed from its clip, wherever it is open; `tell` receives the ends.
pub fn close(
    state: &mut MachineState,
    machine: &Machine,
    clips: Clips<'_>,
    [clip, mark]: [usize; 2],
    report: &mut dyn FnMut(Crossed),
) {
    for (number, (layer, layer_state)) in machine.layers.iter().zip(&mut state.layers).enumerate() {
        for active in &mut layer_state.active {
            let Some(played) = layer.states.get(active.state) else {
                continue;
            };
            let (item, state) = (active.item, active.state);
            for (k, playing) in active.clips.iter_mut().enumerate() {
                let marks = clips.markers.get(clip);
                let marks = marks.filter(|_| played.clip_of(k, item) == Some(clip));
                let Some(marks) = marks else { continue };
                if let Some(crossing) = playing.head.close(marks, mark) {
                    let silent = playing.suppresses(marks, &crossing, false);
                    let left = Crossed::left(number, state, (&*playing, clip), &crossing);
                    report(Crossed { silent, ..left });
                }
            }
        }
    }
}

/// Updates the cycle of a state after its foot steps have changed: the cycle follows the leading clip, and the other
/// clips follow the cycle. `left` receives each skipped interval: playback, clip, end, and true if its beginning was
/// suppressed.
pub(super) fn resync(
    [was, now]: [&State; 2],
    active: &mut Active,
    clips: Clips<'_>,
    left: &mut dyn FnMut(&PlayingClip, usize, Crossing, bool),
) {
    let (StateMotion::Blend(old), StateMotion::Blend(new)) = (&was.motion, &now.motion) else {
        return;
    };
    let leaves = old.leaves.iter().zip(&new.leaves);
    let same = was.mode == now.mode && leaves.clone().all(|(old, new)| old.sync == new.sync);
    if same || !is_synced(now) {
        return;
    }
    let track = |k: usize| new.leaves.get(k)?.sync.as_ref();
    let first_synced = (0..new.leaves.len()).find(|k| track(*k).is_some());
    let k = if track(active.lead_clip).is_some() {
        Some(active.lead_clip)
    } else {
        first_synced
    };
    let Some((k, leading)) = k.and_then(|k| Some((k, track(k)?))) else {
        return;
    };
    let Some(playing) = active.clips.get(k) else {
        return;
    };
    let before = old.leaves.get(k).and_then(|leaf| leaf.sync.as_ref());
    active.cycle = match before.filter(|_| is_synced(was)) {
        Some(before) => snapped(leading.pos_of(before.elapsed_at(active.cycle))),
        None => cycle_of(leading, playing),
    };
    for (k, (leaf, playing)) in new.leaves.iter().zip(&mut active.clips).enumerate() {
        let (Some(track), Some(marks)) = (track(k), clips.markers.get(leaf.clip)) else {
            continue;
        };
        let laps = track.elapsed_at(active.cycle) / f64::from(track.duration());
        if (laps - playing.head.cycles(track.duration())).abs() < 1e-6 {
            continue;
        }
        let mut head = playing.head;
        head.put_at(marks, laps, |crossing| {
            let silent = playing.suppresses(marks, &crossing, false);
            left(playing, leaf.clip, crossing, silent);
        });
        playing.head = head;
    }
}

/// Cycle position of a clip that was not synchronised before. If only rounding separates it from an event, the clip's
/// own time decides whether the event was already crossed.
fn cycle_of(track: &SyncTrack, playing: &PlayingClip) -> f64 {
    let duration = f64::from(track.duration());
    let cycle = track.pos_of(playing.head.cycles(track.duration()) * duration);
    let whole = cycle.round();
    if (cycle - whole).abs() >= ROUNDING {
        return cycle;
    }
    let offset = (playing.head.local() - track.time_at(whole)).rem_euclid(duration);
    let beyond = if offset > duration / 2.0 {
        offset - duration
    } else {
        offset
    };
    match (beyond > 0.0, beyond < 0.0, playing.rate < 0.0) {
        (true, _, false) => whole + 2.0 * ROUNDING,
        (_, true, true) => whole - 2.0 * ROUNDING,
        _ => whole,
    }
}

/// Rounding tolerance of cycle positions, in events.
const ROUNDING: f64 = 1e-9;
