//! Every transition of a character's machine, tried: does it pop, does it lose events, do feet slide.
//!
//! Each transition is taken by force out of each state that it leaves, at a few moments of that state's
//! clip, and played with its own fade, entry and inertia. What is measured then is held against what the
//! two states do when each is played alone. Parameters are those that the character has.
//!
//! Caller: `galatea check`. Invariants: pure and deterministic; the character that is asked about is not
//! changed.

use std::sync::Arc;

use glam::Vec3;

use super::definition::Definition;
use super::identity::Identity;
use super::instance::Character;
use super::meters::Meters;
use super::own_motion::{ground_step, visible_places};
use super::placement::Placement;
use galatea_anim::meters::Pop;
use galatea_anim::{MarkEdge, Marks, Reason};
use galatea_machine::{
    Clips, Exit, Happening, Machine, MachineHost, MachineState, OutgoingTransition, Predicate,
    SourceLocation, course, enter_state, force, play_on, show_layer, showing, states_of, ways_of,
};

/// What is still good.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransitionLimits {
    /// The hardest jolt over the hardest of the two states alone.
    pub pop: f32,
    /// Metres that a planted foot may slide more than in the two states alone, for a body as high as a
    /// human.
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

/// What one transition out of one state did, the worst of all moments.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EdgeReport {
    /// Where the transition was written.
    pub at: SourceLocation,
    /// Layer, where the machine has several.
    pub layer: Option<String>,
    /// State that is left.
    pub from: String,
    /// State that is entered.
    pub to: String,
    /// The hardest jolt over the hardest of the two states alone.
    pub pop: f32,
    /// The bone of that jolt.
    pub pop_bone: String,
    /// Metres that a planted foot slid.
    pub slide: f32,
    /// The same in the two states alone.
    pub own_slide: f32,
    /// Marks of a clip played once that it is left before it comes to, with the clip.
    pub lost: Vec<String>,
    /// Marks of clips played once that are passed while another clip shows more, with the clip: the
    /// ledger has them as suppressed.
    pub suppressed: Vec<String>,
}

impl EdgeReport {
    /// What is wrong with it, in words, each line beginning with the place.
    pub fn faults(&self, limits: &TransitionLimits) -> Vec<String> {
        let layer = self.layer.as_ref();
        let layer = layer.map_or_else(String::new, |layer| format!(" ({layer})"));
        let edge = format!("{}: {} -> {}{layer}", self.at, self.from, self.to);
        let mut faults = Vec::new();
        if self.pop > limits.pop {
            faults.push(format!(
                "{edge}: pop {:.1} x at {} (limit {})",
                self.pop, self.pop_bone, limits.pop
            ));
        }
        if self.slide - self.own_slide > limits.slide {
            faults.push(format!(
                "{edge}: a planted foot slides {:.1} cm, {:.1} cm in the states alone (limit {} cm more)",
                self.slide * 100.0,
                self.own_slide * 100.0,
                limits.slide * 100.0
            ));
        }
        if !self.lost.is_empty() {
            let lost = self.lost.join(", ");
            faults.push(format!("{edge}: lost, as the clip is left before: {lost}"));
        }
        if !self.suppressed.is_empty() {
            faults.push(format!(
                "{edge}: suppressed ({}): {}",
                Reason::LighterSource.word(),
                self.suppressed.join(", ")
            ));
        }
        faults
    }
}

/// What was tried.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tested {
    /// One for each transition and state that it leaves.
    pub edges: Vec<EdgeReport>,
    /// How many more there are that were left out.
    pub n_left_out: usize,
}

/// States out of which one transition is tried at most.
const MOST_SOURCES: usize = 8;
/// Transitions out of states tried at most.
const MOST_EDGES: usize = 500;
/// Seconds per step.
const DT: f64 = 1.0 / 60.0;
/// Shares of the clip at which a transition that may come at any time is taken.
const MOMENTS: [f32; 3] = [0.2, 0.5, 0.8];
/// Seconds that a state is played alone or before a transition at most.
const LONGEST: f64 = 8.0;
/// Seconds until a state comes to the moment of a transition at most.
const LONGEST_WAIT: f64 = 60.0;
/// Seconds for which the new state is watched after the fade.
const AFTER: f64 = 0.5;
/// Steps before a meter can tell anything.
const WARM_UP: usize = 6;

/// Tries every transition of a character's machine; nothing without one.
pub fn test_transitions(character: &Character) -> Tested {
    let Some((machine, state)) = &character.playback.machine else {
        return Tested::default();
    };
    let stand = Stand {
        definition: &character.definition,
        marks: &character.playback.marks,
        machine,
        params: &state.params,
    };
    let ways = ways_of(machine, stand.clips());
    let alone: Vec<Vec<Option<SoloState>>> = (0..state.layers.len())
        .map(|layer| vec![None; states_of(machine, layer)])
        .collect();
    let mut alone = alone;
    let mut tested = Tested::default();
    let (mut last, mut n_sources) = (None, 0);
    for way in &ways {
        n_sources = if last == Some((way.layer, way.way)) {
            n_sources + 1
        } else {
            0
        };
        last = Some((way.layer, way.way));
        if n_sources >= MOST_SOURCES || tested.edges.len() >= MOST_EDGES {
            tested.n_left_out += 1;
            continue;
        }
        let [from, to] = [way.from, way.to].map(|at| {
            let known = &mut alone[way.layer][at];
            *known.get_or_insert_with(|| stand.alone(way.layer, at))
        });
        let own = SoloState {
            jolt: from.jolt.max(to.jolt),
            slide: from.slide.max(to.slide),
        };
        tested.edges.push(stand.try_way(way, own));
    }
    tested
}

/// What a state does when it is played alone.
#[derive(Clone, Copy, Debug, Default)]
struct SoloState {
    jolt: f32,
    slide: f32,
}

/// What all trials share.
#[derive(Clone, Copy)]
struct Stand<'a> {
    definition: &'a Arc<Definition>,
    marks: &'a [Arc<Marks>],
    machine: &'a Arc<Machine>,
    params: &'a [f32],
}

/// A mark that was told.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ReportedMark {
    state: usize,
    clip: usize,
    mark: usize,
    heard: bool,
}

/// Hears what a trial tells; chance is the same in all.
struct Ear {
    layer: usize,
    told: Vec<ReportedMark>,
    n_chances: u32,
}

impl MachineHost for Ear {
    fn ask(&mut self, _: Predicate) -> bool {
        false
    }

    fn chance(&mut self) -> f64 {
        self.n_chances += 1;
        // Multiples of the golden ratio lie evenly.
        (f64::from(self.n_chances) * 0.618_033_988_749_895).fract()
    }

    fn tell(&mut self, happening: Happening) {
        if let Happening::Mark(crossed) = happening
            && crossed.layer == self.layer
            && crossed.edge != MarkEdge::End
        {
            self.told.push(ReportedMark {
                state: crossed.state,
                clip: crossed.clip,
                mark: crossed.mark,
                heard: crossed.heaviest,
            });
        }
    }
}

/// A character of its own that plays one state.
struct Trial<'a> {
    stand: Stand<'a>,
    character: Character,
    meters: Meters,
    pop: Pop,
    /// The hardest jolt that counts as usual.
    own: f32,
    ear: Ear,
}

impl<'a> Stand<'a> {
    fn clips(&self) -> Clips<'a> {
        Clips {
            set: &self.definition.clips,
            marks: self.marks,
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
        character.playback.marks = self.marks.to_vec();
        character.playback.machine = Some((Arc::clone(self.machine), state));
        Trial {
            stand: self,
            meters: Meters::new(self.definition, 1.0),
            pop: Pop::new(self.definition.model.skeleton.len()),
            character,
            own,
            ear: Ear {
                layer,
                told: Vec::new(),
                n_chances: 0,
            },
        }
    }

    fn alone(self, layer: usize, at: usize) -> SoloState {
        let mut trial = self.trial(layer, at, 0.0);
        let seconds = f64::from(self.machine.longest_clip(layer, at, self.clips()));
        trial.run((seconds + AFTER).clamp(1.0, LONGEST));
        SoloState {
            jolt: trial.pop.peak() * Pop::FLOOR,
            slide: trial.slide(),
        }
    }

    fn try_way(self, way: &OutgoingTransition, own: SoloState) -> EdgeReport {
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
            Exit::Share(share) => std::slice::from_ref(share),
            Exit::Marks(shares) => &shares[..shares.len().min(MOMENTS.len())],
        };
        for &share in moments {
            let mut trial = self.trial(way.layer, way.from, own.jolt);
            trial.run_to(way, share);
            trial.meters.reset_peaks();
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
            trial.unheard(way, &mut report);
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

    /// Plays until a transition may be taken.
    fn run_to(&mut self, way: &OutgoingTransition, share: f32) {
        let most = (LONGEST_WAIT / DT) as usize;
        let mut first = None;
        for i in 0..most {
            self.step();
            let clips = self.stand.clips();
            let Some((machine, state)) = &self.character.playback.machine else {
                return;
            };
            let now = course(machine, way.layer, clips, state);
            // Played back, it comes from the other end.
            let backwards = *first.get_or_insert(now.phase) > 0.5;
            let phase = if backwards {
                1.0 - now.phase
            } else {
                now.phase
            };
            let there = match way.exit {
                Exit::Done => now.left <= way.lead.max(DT),
                Exit::After(seconds) => phase >= share && (i + 1) as f64 * DT >= seconds,
                Exit::Share(_) | Exit::Marks(_) => phase >= share,
            };
            // A state without a clip, or one that stands, has only time.
            let stands = now.phase == 0.0 && i > 30;
            if i + 1 >= WARM_UP && (there || stands) {
                return;
            }
        }
    }

    fn take(&mut self, way: &OutgoingTransition) {
        let clips = self.stand.clips();
        if let Some((machine, state)) = &mut self.character.playback.machine {
            force(machine, way.layer, way.way, clips, state, &mut self.ear);
        }
    }

    fn step(&mut self) {
        let clips = self.stand.clips();
        let Some((machine, state)) = &mut self.character.playback.machine else {
            return;
        };
        play_on(machine, clips, state, DT, &mut self.ear);
        // Clips on the spot go over the ground as their feet say.
        let mut travel = state.travel;
        let definition = self.stand.definition;
        showing(machine, clips.set, state, |shown| {
            if shown.layer > 0 || shown.root_motion || clips.set.travel(shown.clip).is_some() {
                return;
            }
            let step = ground_step(definition, shown.clip, 0.0, shown.rate * DT as f32);
            let side = if shown.mirrored { -1.0 } else { 1.0 };
            let way = step.translation * Vec3::new(side, 1.0, 1.0);
            travel.translation += way * shown.weight;
        });
        let character = &mut self.character;
        character.placement = character.placement.stepped(travel);
        character.evaluate_pose(DT);
        character.posed.world[0] = character.placement.to_affine();
        self.meters.read(&character.meter_input(), DT as f32);
        let places = visible_places(definition, &character.posed.model_from_bone);
        self.pop.update_against(places, DT as f32, self.own);
    }

    fn slide(&self) -> f32 {
        let slide = self.meters.reading("foot_slide").unwrap_or_default();
        slide.peak / self.meters.size()
    }

    /// Marks that nobody hears: of a clip played once that is left, all that were not told by the clip
    /// that showed most; of one that is entered, those told while it did not show most.
    fn unheard(&self, way: &OutgoingTransition, report: &mut EdgeReport) {
        let Self { stand, ear, .. } = self;
        let (machine, clips) = (stand.machine, stand.clips());
        let EdgeReport {
            lost, suppressed, ..
        } = report;
        let mut add = |told: bool, clip: usize, mark: usize| {
            let mark = clips.marks.get(clip).and_then(|marks| marks.get(mark));
            let list = if told { &mut *suppressed } else { &mut *lost };
            if let Some(mark) = mark {
                let name = format!("{} of {}", mark.event, clips.set.clip_name(clip));
                if !list.contains(&name) {
                    list.push(name);
                }
            }
        };
        // Told at all, and by the clip that showed most.
        let became = |state: usize, clip: usize, mark: usize| {
            let same =
                |told: &&ReportedMark| (told.state, told.clip, told.mark) == (state, clip, mark);
            let mut told = ear
                .told
                .iter()
                .filter(same)
                .map(|told| told.heard)
                .peekable();
            (told.peek().is_some(), told.any(|heard| heard))
        };
        if machine.plays_once(way.layer, way.from)
            && let Some(clip) = machine.only_clip(way.layer, way.from)
        {
            let n = clips.marks.get(clip).map_or(0, |marks| marks.len());
            for mark in 0..n {
                let (told, heard) = became(way.from, clip, mark);
                if !heard {
                    add(told, clip, mark);
                }
            }
        }
        if machine.plays_once(way.layer, way.to) && way.to != way.from {
            for told in ear.told.iter().filter(|told| told.state == way.to) {
                if !became(told.state, told.clip, told.mark).1 {
                    add(true, told.clip, told.mark);
                }
            }
        }
    }
}
