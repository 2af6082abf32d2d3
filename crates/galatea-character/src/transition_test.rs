//! Tests every transition of a character's state machine for pops, lost events and sliding feet.
//!
//! Forces each transition out of every source state at a few moments of the state's clip, and plays it with its own
//! fade, entry and inertia. Compares the measurements with those of the two states played alone. Uses the character's
//! current parameters.
//!
//! Used by `galatea check`. The test is pure and deterministic; the given character is not changed.

use std::sync::Arc;

use glam::Vec3;

use super::definition::Definition;
use super::identity::Identity;
use super::instance::Character;
use super::metrics::Metrics;
use super::own_motion::{ground_step, visible_positions};
use super::placement::Placement;
use galatea_anim::metrics::Pop;
use galatea_anim::{MarkerPhase, Markers, Reason};
use galatea_machine::{
    Clips, Exit, Happening, Machine, MachineHost, MachineState, OutgoingTransition, Predicate,
    SourceLocation, course, enter_state, force, play_on, show_layer, showing, states_of,
    transitions_of,
};

/// Limits of an acceptable transition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransitionLimits {
    /// Maximum ratio of the largest jolt to that of the two states alone.
    pub pop: f32,
    /// Maximum additional slide of a planted foot compared with the two states alone, metres for a human-sized body.
    pub slide: f32,
}

impl Default for TransitionLimits {
    fn default() -> Self {
        Self {
            pop: 2.0,
            slide: 0.01,
        }
    }
}

/// Measurements of one transition out of one state, the worst of all tested moments.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EdgeReport {
    /// Source location of the transition.
    pub at: SourceLocation,
    /// Name of the layer, if the machine has several.
    pub layer: Option<String>,
    /// Name of the source state.
    pub from: String,
    /// Name of the target state.
    pub to: String,
    /// Ratio of the largest jolt to that of the two states alone.
    pub pop: f32,
    /// Name of the bone with that jolt.
    pub pop_bone: String,
    /// Slide of a planted foot, metres.
    pub slide: f32,
    /// The same in the two states alone.
    pub own_slide: f32,
    /// Marks, with their clip, that are lost because a clip played once is left before it reaches them.
    pub lost: Vec<String>,
    /// Marks, with their clip, that clips played once cross while another clip has more weight; the ledger lists them as
    /// suppressed.
    pub suppressed: Vec<String>,
}

impl EdgeReport {
    /// Returns the faults as messages, each starting with the source location.
    pub fn faults(&self, limits: &TransitionLimits) -> Vec<String> {
        let layer = self.layer.as_ref();
        let layer = layer.map_or_else(String::new, |layer| format!(" ({layer})"));
        let edge = format!("{}: {} -> {}{layer}", self.at, self.from, self.to);
        let mut faults = Vec::new();
        if self.pop > limits.pop {
            faults.push(format!(
                "{edge}: pop of {:.1} at bone {} (limit {})",
                self.pop, self.pop_bone, limits.pop
            ));
        }
        if self.slide - self.own_slide > limits.slide {
            faults.push(format!(
                "{edge}: a planted foot slides {:.1} cm, and {:.1} cm without the transition (limit {} cm more)",
                self.slide * 100.0,
                self.own_slide * 100.0,
                limits.slide * 100.0
            ));
        }
        if !self.lost.is_empty() {
            let lost = self.lost.join(", ");
            faults.push(format!(
                "{edge}: markers lost, because the clip is left before them: {lost}"
            ));
        }
        if !self.suppressed.is_empty() {
            faults.push(format!(
                "{edge}: markers suppressed ({}): {}",
                Reason::LowerWeight.word(),
                self.suppressed.join(", ")
            ));
        }
        faults
    }
}

/// Result of the test.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tested {
    /// One report per transition and source state.
    pub edges: Vec<EdgeReport>,
    /// Number of further pairs that were not tested.
    pub n_left_out: usize,
}

/// Maximum number of source states tested per transition.
const MAX_SOURCES: usize = 8;
/// Maximum number of tested pairs of transition and source state.
const MAX_EDGES: usize = 500;
/// Time step, seconds.
const DT: f64 = 1.0 / 60.0;
/// Fractions of the clip at which a transition without a fixed exit time is tested.
const MOMENTS: [f32; 3] = [0.2, 0.5, 0.8];
/// Maximum time for which a state is played alone, seconds.
const MAX_SECONDS: f64 = 8.0;
/// Maximum time until a state reaches the moment of a transition, seconds.
const MAX_WAIT: f64 = 60.0;
/// Time after the fade for which the new state is measured, seconds.
const AFTER: f64 = 0.5;
/// Number of steps before the meters are reliable.
const WARM_UP: usize = 6;

/// Tests every transition of a character's state machine; empty result without one.
pub fn test_transitions(character: &Character) -> Tested {
    let Some((machine, state)) = &character.playback.machine else {
        return Tested::default();
    };
    let setup = TestSetup {
        definition: &character.definition,
        markers: &character.playback.markers,
        machine,
        params: &state.params,
    };
    let transitions = transitions_of(machine, setup.clips());
    let alone: Vec<Vec<Option<SoloState>>> = (0..state.layers.len())
        .map(|layer| vec![None; states_of(machine, layer)])
        .collect();
    let mut alone = alone;
    let mut tested = Tested::default();
    let (mut last, mut n_sources) = (None, 0);
    for transition in &transitions {
        n_sources = if last == Some((transition.layer, transition.transition)) {
            n_sources + 1
        } else {
            0
        };
        last = Some((transition.layer, transition.transition));
        if n_sources >= MAX_SOURCES || tested.edges.len() >= MAX_EDGES {
            tested.n_left_out += 1;
            continue;
        }
        let [from, to] = [transition.from, transition.to].map(|at| {
            let known = &mut alone[transition.layer][at];
            *known.get_or_insert_with(|| setup.alone(transition.layer, at))
        });
        let own = SoloState {
            jolt: from.jolt.max(to.jolt),
            slide: from.slide.max(to.slide),
        };
        tested.edges.push(setup.test_transition(transition, own));
    }
    tested
}

/// Measurements of a state played alone.
#[derive(Clone, Copy, Debug, Default)]
struct SoloState {
    jolt: f32,
    slide: f32,
}

/// Data shared by all trials.
#[derive(Clone, Copy)]
struct TestSetup<'a> {
    definition: &'a Arc<Definition>,
    markers: &'a [Arc<Markers>],
    machine: &'a Arc<Machine>,
    params: &'a [f32],
}

/// A mark that was emitted.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ReportedMarker {
    state: usize,
    clip: usize,
    marker: usize,
    had_max_weight: bool,
}

/// Records the events of a trial; its random numbers are the same in all trials.
struct TransitionRecorder {
    layer: usize,
    emitted: Vec<ReportedMarker>,
    n_chances: u32,
}

impl MachineHost for TransitionRecorder {
    fn evaluate(&mut self, _: Predicate) -> bool {
        false
    }

    fn random(&mut self) -> f64 {
        self.n_chances += 1;
        // Multiples of the golden ratio are evenly distributed.
        (f64::from(self.n_chances) * 0.618_033_988_749_895).fract()
    }

    fn emit(&mut self, happening: Happening) {
        if let Happening::Marker(crossed) = happening
            && crossed.layer == self.layer
            && crossed.phase != MarkerPhase::End
        {
            self.emitted.push(ReportedMarker {
                state: crossed.state,
                clip: crossed.clip,
                marker: crossed.marker,
                had_max_weight: crossed.has_max_weight,
            });
        }
    }
}

/// A separate character that plays one state.
struct Trial<'a> {
    setup: TestSetup<'a>,
    character: Character,
    metrics: Metrics,
    pop: Pop,
    /// Largest jolt of the states alone.
    own: f32,
    recorder: TransitionRecorder,
}

impl<'a> TestSetup<'a> {
    fn clips(&self) -> Clips<'a> {
        Clips {
            set: &self.definition.clips,
            markers: self.markers,
        }
    }

    fn trial(self, layer: usize, at: usize, own: f32) -> Trial<'a> {
        let mut state = MachineState::new(self.machine);
        state.params.copy_from_slice(self.params);
        show_layer(self.machine, layer, &mut state);
        enter_state(self.machine, layer, at, self.clips(), &mut state);
        let (identity, place) = (Identity::default(), Placement::default());
        let definition = Arc::clone(self.definition);
        let mut character = Character::new(identity, "".into(), definition, place);
        character.playback.markers = self.markers.to_vec();
        character.playback.machine = Some((Arc::clone(self.machine), state));
        Trial {
            setup: self,
            metrics: Metrics::new(self.definition, 1.0),
            pop: Pop::new(self.definition.model.skeleton.len()),
            character,
            own,
            recorder: TransitionRecorder {
                layer,
                emitted: Vec::new(),
                n_chances: 0,
            },
        }
    }

    fn alone(self, layer: usize, at: usize) -> SoloState {
        let mut trial = self.trial(layer, at, 0.0);
        let seconds = f64::from(self.machine.longest_clip(layer, at, self.clips()));
        trial.run((seconds + AFTER).clamp(1.0, MAX_SECONDS));
        SoloState {
            jolt: trial.pop.peak() * Pop::FLOOR,
            slide: trial.slide(),
        }
    }

    fn test_transition(self, way: &OutgoingTransition, own: SoloState) -> EdgeReport {
        let machine = self.machine;
        let mut report = EdgeReport {
            at: way.at.clone(),
            layer: (machine.layer_names().count() > 1)
                .then(|| machine.layer_names().nth(way.layer).map(str::to_owned))
                .flatten(),
            from: machine.state_name(way.layer, way.from).to_owned(),
            to: machine.state_name(way.layer, way.to).to_owned(),
            own_slide: own.slide,
            ..EdgeReport::default()
        };
        let moments: &[f32] = match &way.exit {
            Exit::After(_) => &MOMENTS,
            Exit::Done => &[1.0],
            Exit::Fraction(share) => std::slice::from_ref(share),
            Exit::Markers(shares) => &shares[..shares.len().min(MOMENTS.len())],
        };
        for &share in moments {
            let mut trial = self.trial(way.layer, way.from, own.jolt);
            trial.run_to(way, share);
            trial.metrics.reset_peaks();
            trial.pop.reset_peak();
            trial.take(way);
            trial.run(f64::from(way.fade.seconds) + AFTER);
            if trial.pop.peak() > report.pop {
                report.pop = trial.pop.peak();
                let bones = self.definition.model.skeleton.bones();
                let bone = bones.get(trial.pop.worst());
                report.pop_bone = bone.map_or_else(String::new, |bone| bone.name.clone());
            }
            report.slide = report.slide.max(trial.slide());
            trial.missed_markers(way, &mut report);
        }
        report
    }
}

impl Trial<'_> {
    fn run(&mut self, seconds: f64) {
        for _ in 0..(seconds / DT).round() as usize {
            self.step();
        }
    }

    /// Plays until the moment at which the transition is tested.
    fn run_to(&mut self, way: &OutgoingTransition, share: f32) {
        let max_steps = (MAX_WAIT / DT) as usize;
        let mut first = None;
        for i in 0..max_steps {
            self.step();
            let clips = self.setup.clips();
            let Some((machine, state)) = &self.character.playback.machine else {
                return;
            };
            let now = course(machine, way.layer, clips, state);
            // Played backwards, the phase starts at 1.
            let backwards = *first.get_or_insert(now.phase) > 0.5;
            let phase = if backwards {
                1.0 - now.phase
            } else {
                now.phase
            };
            let is_due = match way.exit {
                Exit::Done => now.left <= way.end_lead.max(DT),
                Exit::After(seconds) => phase >= share && (i + 1) as f64 * DT >= seconds,
                Exit::Fraction(_) | Exit::Markers(_) => phase >= share,
            };
            // A state without a clip, or with a paused one, is tested after a fixed time.
            let is_paused = now.phase == 0.0 && i > 30;
            if i + 1 >= WARM_UP && (is_due || is_paused) {
                return;
            }
        }
    }

    fn take(&mut self, way: &OutgoingTransition) {
        let clips = self.setup.clips();
        if let Some((machine, state)) = &mut self.character.playback.machine {
            force(
                machine,
                way.layer,
                way.transition,
                clips,
                state,
                &mut self.recorder,
            );
        }
    }

    fn step(&mut self) {
        let clips = self.setup.clips();
        let Some((machine, state)) = &mut self.character.playback.machine else {
            return;
        };
        play_on(machine, clips, state, DT, &mut self.recorder);
        // In-place clips move over the ground with the velocity of their feet.
        let mut travel = state.root_translation;
        let definition = self.setup.definition;
        showing(machine, clips.set, state, |shown| {
            if shown.layer > 0 || shown.root_motion || clips.set.travel(shown.clip).is_some() {
                return;
            }
            let step = ground_step(definition, shown.clip, 0.0, shown.rate * DT as f32);
            let side = if shown.mirrored { -1.0 } else { 1.0 };
            let step = step.translation * Vec3::new(side, 1.0, 1.0);
            travel.translation += step * shown.weight;
        });
        let character = &mut self.character;
        character.placement = character.placement.stepped(travel);
        character.evaluate_pose(DT);
        character.posed.world[0] = character.placement.to_affine();
        self.metrics.read(&character.metrics_input(), DT as f32);
        let places = visible_positions(definition, &character.posed.model_from_bone);
        self.pop.update_against(places, DT as f32, self.own);
    }

    fn slide(&self) -> f32 {
        let slide = self.metrics.reading("foot_slide").unwrap_or_default();
        slide.peak / self.metrics.size()
    }

    /// Collects marks that are not emitted. For a source state with a clip played once: all marks that the heaviest clip did
    /// not emit. For a target state: marks emitted while its clip was not the heaviest.
    fn missed_markers(&self, way: &OutgoingTransition, report: &mut EdgeReport) {
        let Self {
            setup, recorder, ..
        } = self;
        let (machine, clips) = (setup.machine, setup.clips());
        let EdgeReport {
            lost, suppressed, ..
        } = report;
        let mut add = |emitted: bool, clip: usize, mark: usize| {
            let mark = clips.markers.get(clip).and_then(|marks| marks.get(mark));
            let list = if emitted {
                &mut *suppressed
            } else {
                &mut *lost
            };
            if let Some(mark) = mark {
                let name = format!("{} of {}", mark.event, clips.set.clip_name(clip));
                if !list.contains(&name) {
                    list.push(name);
                }
            }
        };
        // Returns two flags: the mark was emitted, and emitted by the heaviest clip.
        let outcome = |state: usize, clip: usize, mark: usize| {
            let same = |emitted: &&ReportedMarker| {
                (emitted.state, emitted.clip, emitted.marker) == (state, clip, mark)
            };
            let mut emitted = recorder
                .emitted
                .iter()
                .filter(same)
                .map(|emitted| emitted.had_max_weight)
                .peekable();
            (
                emitted.peek().is_some(),
                emitted.any(|had_max_weight| had_max_weight),
            )
        };
        if machine.plays_once(way.layer, way.from)
            && let Some(clip) = machine.only_clip(way.layer, way.from)
        {
            let n = clips.markers.get(clip).map_or(0, |marks| marks.len());
            for mark in 0..n {
                let (emitted, had_max_weight) = outcome(way.from, clip, mark);
                if !had_max_weight {
                    add(emitted, clip, mark);
                }
            }
        }
        if machine.plays_once(way.layer, way.to) && way.to != way.from {
            for emitted in recorder
                .emitted
                .iter()
                .filter(|emitted| emitted.state == way.to)
            {
                if !outcome(emitted.state, emitted.clip, emitted.marker).1 {
                    add(true, emitted.clip, emitted.marker);
                }
            }
        }
    }
}
