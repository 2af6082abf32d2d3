//! Clip advance: synchronised clips follow the shared cycle, the others follow time.

use glam::{Quat, Vec3};

use super::bound::{Layer, Leaf, State, StateMotion};
use super::clip_weights::{is_synced, speed, weigh_clips};
use super::host::{Crossed, Happening, MachineHost};
use super::state::{Active, MachineState};
use super::transition::{Clips, fits};
use galatea_anim::{
    Crossing, MarkerPhase, MarkerValue, Markers, PlayMode, PlayheadStep, SyncInput, SyncSpeedRule,
    advance_cycle,
};

/// Advances every active state of a layer by `dt` seconds.
pub(super) fn step(
    number: usize,
    layer: &Layer,
    clips: Clips<'_>,
    state: &mut MachineState,
    dt: f64,
    host: &mut dyn MachineHost,
) {
    let layer_state = &mut state.layers[number];
    let mut active = std::mem::take(&mut layer_state.active);
    layer_state.crossed_markers.fill(false);
    let nearness = layer_state.nearness;
    let layer_weight = nearness * state.number(layer.weight).clamp(0.0, 1.0);
    let mut remaining = 1.0;
    for (k, one) in active.iter_mut().enumerate().rev() {
        one.age += dt;
        one.weight = if k == 0 {
            remaining
        } else {
            one.weight() * remaining
        };
        remaining -= one.weight;
        weigh_clips(&layer.states[one.state], &state.params, one);
    }
    // The states from `first_synced` on are synchronised with one another.
    let n = active.len();
    let mut first_synced = n.saturating_sub(1);
    while first_synced > 0 && active[first_synced].in_step {
        first_synced -= 1;
    }
    let shared_advance = cycle_advance(layer, &active[first_synced..], state, dt);
    let heaviest = heaviest(&active);
    for (k, one) in active.iter_mut().enumerate() {
        let played = &layer.states[one.state];
        let mover = ClipMover {
            number,
            awaited: &layer.awaited,
            played,
            clips,
            silent: layer_weight <= 0.0 || state.is_hidden,
            speed: speed(played, one, state),
            dt,
            cycle_advance: if k >= first_synced {
                shared_advance
            } else {
                cycle_advance(layer, std::slice::from_ref(one), state, dt)
            },
            weight: layer_weight * one.weight,
            max_weight_clip: (heaviest.0 == k).then_some(heaviest.1),
            mirrored: state.number(played.mirror) != 0.0,
            is_current: k + 1 == n,
        };
        mover.run(one, state, host);
    }
    state.layers[number].active = active;
}

/// Indices of the clip with the highest weight: its state among the active ones, and the clip in that state. On a
/// tie, the newer state wins.
fn heaviest(active: &[Active]) -> (usize, usize) {
    let (mut best, mut highest) = ((0, 0), f32::MIN);
    for (k, one) in active.iter().enumerate() {
        let weight = one.clips.get(one.lead_clip).map_or(0.0, |clip| clip.weight);
        if one.weight * weight >= highest {
            (best, highest) = ((k, one.lead_clip), one.weight * weight);
        }
    }
    best
}

/// Advance of the cycle that some states share in a step, in sync events.
fn cycle_advance(layer: &Layer, active: &[Active], state: &MachineState, dt: f64) -> f64 {
    let Some(current) = active.last() else {
        return 0.0;
    };
    if !is_synced(&layer.states[current.state]) {
        return 0.0;
    }
    let own_speed = speed(&layer.states[current.state], current, state);
    let inputs = active.iter().flat_map(|one| {
        let played = &layer.states[one.state];
        let leaves: &[Leaf] = match &played.motion {
            StateMotion::Blend(blend) if is_synced(played) => &blend.leaves,
            _ => &[],
        };
        let speed = speed(played, one, state);
        let shown = one.weight;
        leaves
            .iter()
            .zip(&one.clips)
            .filter_map(move |(leaf, clip)| {
                Some(SyncInput {
                    track: leaf.sync.as_ref()?,
                    weight: shown * clip.weight,
                    speed: speed as f32 * leaf.speed,
                })
            })
    });
    let signed = if own_speed < 0.0 { -dt } else { dt };
    advance_cycle(inputs, SyncSpeedRule::Mean, current.cycle, signed) - current.cycle
}

/// Advances the clips of one active state.
struct ClipMover<'a> {
    number: usize,
    /// Marks that transitions of the layer wait for.
    awaited: &'a [(String, Vec<(String, MarkerValue)>)],
    played: &'a State,
    clips: Clips<'a>,
    /// The layer has weight 0.
    silent: bool,
    speed: f64,
    dt: f64,
    /// Advance of the shared cycle, in sync events.
    cycle_advance: f64,
    /// Weight of the state times the layer's weight.
    weight: f32,
    /// Index of the clip with the highest weight in the whole layer, if it belongs to this state.
    max_weight_clip: Option<usize>,
    mirrored: bool,
    is_current: bool,
}

impl ClipMover<'_> {
    fn run(&self, one: &mut Active, state: &mut MachineState, host: &mut dyn MachineHost) {
        one.state_age += self.dt;
        if one.ended {
            one.since_end += self.dt;
        }
        let before = one.cycle;
        let synced = is_synced(self.played);
        if synced {
            one.cycle = snapped(one.cycle + self.cycle_advance);
        }
        for k in 0..one.clips.len() {
            let Some(clip) = self.played.clip_of(k, one.item) else {
                continue;
            };
            self.run_clip(k, clip, one, state, host);
            if synced && let StateMotion::Blend(blend) = &self.played.motion {
                self.emit_steps(k, &blend.leaves[k], [before, one.cycle], one, state, host);
            }
        }
    }

    fn run_clip(
        &self,
        k: usize,
        clip: usize,
        one: &mut Active,
        state: &mut MachineState,
        host: &mut dyn MachineHost,
    ) {
        let Some(marks) = self.clips.markers.get(clip) else {
            return;
        };
        let playing = &mut one.clips[k];
        if playing.number == 0 {
            state.n_playings += 1;
            playing.number = state.n_playings;
        }
        let of = PlaybackKey {
            k,
            state: one.state,
            playing: playing.number,
            clip,
            weight: playing.weight,
            silent: self.silent,
        };
        let seconds = marks.duration();
        let before = playing.head.cycles(seconds as f32);
        let moved = self.move_head(of, marks, one, state, host);
        let playing = &mut one.clips[k];
        let after = playing.head.cycles(seconds as f32);
        playing.rate = if self.dt > 0.0 {
            ((after - before) * seconds / self.dt) as f32
        } else {
            0.0
        };
        if self.played.root_motion && self.number == 0 {
            self.travel(clip, [before * seconds, after * seconds], of.weight, state);
        }
        if moved.dropped > 0 {
            host.emit(Happening::Flood {
                layer: self.number,
                state: of.state,
                playing: of.playing,
                clip,
                weight: self.weight * of.weight,
                n: moved.dropped,
            });
        }
        if k == one.lead_clip
            && let Some(fraction) = moved.ended
        {
            self.end(one, fraction, host);
        }
    }

    /// Advances a clip by the shared cycle, by a parameter or by time, and reports the marks it crosses.
    fn move_head(
        &self,
        of: PlaybackKey,
        marks: &Markers,
        one: &mut Active,
        state: &mut MachineState,
        host: &mut dyn MachineHost,
    ) -> PlayheadStep {
        let (track, leaf_speed, steps) = match &self.played.motion {
            StateMotion::Blend(blend) => {
                let leaf = &blend.leaves[of.k];
                let track = leaf.sync.as_ref().filter(|_| is_synced(self.played));
                (track, f64::from(leaf.speed), !leaf.steps.is_empty())
            }
            _ => (None, 1.0, false),
        };
        let playing = &mut one.clips[of.k];
        let mut head = playing.head;
        let param = |param: usize| state.params.get(param).copied().unwrap_or(0.0);
        let time_param = self.played.time.map(param);
        let emit = |crossing: Crossing| {
            // Steps are reported from the cycle, so each comes once, whichever clip has the highest weight.
            let by_cycle = track.is_some() && steps && crossing.phase == MarkerPhase::Point;
            if by_cycle && marks[crossing.marker].event == super::bind::STEP {
                return;
            }
            let silent = playing.suppresses(marks, &crossing, self.silent);
            self.emit(PlaybackKey { silent, ..of }, crossing, state, host);
        };
        let moved = match (track, time_param) {
            (Some(track), _) => {
                let laps = track.elapsed_at(one.cycle) / f64::from(track.duration());
                head.advance_to(marks, laps, emit)
            }
            (None, Some(u)) => head.advance_to(marks, f64::from(u).clamp(0.0, 1.0), emit),
            (None, None) => head.advance(marks, self.dt * self.speed * leaf_speed, emit),
        };
        playing.head = head;
        moved
    }

    /// Reports the foot steps that the shared cycle crossed.
    fn emit_steps(
        &self,
        k: usize,
        leaf: &Leaf,
        [from, to]: [f64; 2],
        one: &Active,
        state: &mut MachineState,
        host: &mut dyn MachineHost,
    ) {
        if leaf.steps.is_empty() || from == to {
            return;
        }
        let n = leaf.steps.len() as i64;
        let forward = to > from;
        let (first, last) = if forward {
            (from.ceil() as i64, to.ceil() as i64)
        } else {
            (to.floor() as i64 + 1, from.floor() as i64 + 1)
        };
        let weight = one.clips[k].weight;
        for i in first..last.min(first.saturating_add(MAX_STEPS_REPORTED)) {
            let event = if forward { i } else { first + last - 1 - i };
            for &mark in &leaf.steps[event.rem_euclid(n) as usize] {
                let crossing = Crossing {
                    marker: mark,
                    phase: MarkerPhase::Point,
                    interrupted: false,
                    tick_fraction: ((event as f64 - from) / (to - from)).clamp(0.0, 1.0),
                    is_reversed: !forward,
                };
                let of = PlaybackKey {
                    k,
                    state: one.state,
                    playing: one.clips[k].number,
                    clip: leaf.clip,
                    weight,
                    silent: self.silent,
                };
                self.emit(of, crossing, state, host);
            }
        }
    }

    fn emit(
        &self,
        of: PlaybackKey,
        crossing: Crossing,
        state: &mut MachineState,
        host: &mut dyn MachineHost,
    ) {
        if self.is_current && !crossing.interrupted {
            let marks = self.clips.markers.get(of.clip);
            let passed = &mut state.layers[self.number].crossed_markers;
            if let Some(mark) = marks.and_then(|marks| marks.get(crossing.marker)) {
                for (passed, (event, fields)) in passed.iter_mut().zip(self.awaited) {
                    *passed |= fits(mark, event, fields);
                }
            }
        }
        host.emit(Happening::Marker(Crossed {
            layer: self.number,
            state: of.state,
            playback_id: of.playing,
            clip: of.clip,
            marker: crossing.marker,
            phase: crossing.phase,
            interrupted: crossing.interrupted,
            is_reversed: crossing.is_reversed,
            offset: crossing.tick_fraction * self.dt,
            weight: self.weight * of.weight,
            has_max_weight: self.max_weight_clip == Some(of.k),
            mirrored: self.mirrored,
            silent: of.silent,
        }));
    }

    /// Adds the root motion of a clip between two unwrapped clip times in seconds.
    fn travel(&self, clip: usize, span: [f64; 2], weight: f32, state: &mut MachineState) {
        let weight = self.weight * weight;
        let Some(root) = self.clips.set.root(clip).filter(|_| weight > 0.0) else {
            return;
        };
        let delta = root.delta(span[0], span[1], self.played.mode);
        // Mirrored root motion moves to the other side and turns the other way.
        let side = if self.mirrored { -1.0 } else { 1.0 };
        let [x, y, z] = delta.translation.to_array();
        let mut translation = Vec3::new(side * x, y, z);
        if self.played.orient.is_some() {
            translation = Quat::from_rotation_y(state.leg_rotation.angle) * translation;
        }
        state.root_translation.translation += translation * weight;
        state.root_translation.yaw += side * delta.yaw * weight;
    }

    fn end(&self, one: &mut Active, fraction: f64, host: &mut dyn MachineHost) {
        one.ended = true;
        one.since_end = (1.0 - fraction) * self.dt;
        let continues = match &self.played.motion {
            StateMotion::List(list) => {
                let is_last = list.random || one.item as usize + 1 >= list.clips.len();
                self.played.mode != PlayMode::Once || !is_last
            }
            StateMotion::Phases { .. } => true,
            _ => false,
        };
        if !continues {
            host.emit(Happening::End {
                layer: self.number,
                state: one.state,
                offset: fraction * self.dt,
            });
        }
    }
}

/// Identifies the playback that a crossing belongs to.
#[derive(Clone, Copy)]
struct PlaybackKey {
    /// Index among the clips of the state.
    k: usize,
    state: usize,
    playing: u64,
    clip: usize,
    weight: f32,
    /// The crossing is suppressed.
    silent: bool,
}

/// Maximum number of foot steps reported in one step.
const MAX_STEPS_REPORTED: i64 = 4096;

/// Snaps a cycle position to an event if only rounding separates them. Otherwise some clips would cross the event and
/// others would not.
pub(super) fn snapped(cycle: f64) -> f64 {
    if (cycle - cycle.round()).abs() < 1e-9 {
        cycle.round()
    } else {
        cycle
    }
}
