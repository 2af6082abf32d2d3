//! State of one face: the values of its owners, and their combination.
//!
//! The order is base (clips and gaze) < mood < speech < reflex < script. Owners below the script are added up. A blink
//! closes the remaining opening of an eye. A script's override replaces everything else.

use serde::{Deserialize, Serialize};

use super::baseline::FaceBaseline;
use super::mood::Feeling;
use super::rig::{Control, FaceRig, Sink};
use super::show::{ActiveExpression, Envelope, FaceOwner, MAX_SHOWN, Mix};
use galatea_math::damp::left;
use galatea_math::random::RandomSource;
use galatea_rig::expression::Override;
use galatea_rig::gaze::Lids;
use galatea_speech::viseme::{N_VISEMES, Viseme};

/// Settings for combining the owners of a face.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaceSettings {
    /// Fraction of mood and clips that remains at the mouth during speech, 0..=1. More than a third spoils visemes.
    pub mouth_weight: f32,
    /// Asymmetry between the two sides of the face, 0..=1.
    pub asymmetry: f32,
    /// Maximum number of morph targets moved at once, the largest ones; 0 means no limit.
    pub max_active_targets: usize,
    /// One emotion at a time: the previous one fades out before the next fades in.
    pub one_emotion: bool,
    /// Maximum number of simultaneous visemes, the largest ones; 0 means no limit.
    pub speech_slots: usize,
    /// Factor on the rate of automatic blinks; 0 disables them.
    pub blink_rate: f32,
}

impl Default for FaceSettings {
    fn default() -> Self {
        Self {
            mouth_weight: 1.0 / 3.0,
            asymmetry: 0.06,
            max_active_targets: 0,
            one_emotion: false,
            speech_slots: 0,
            blink_rate: 1.0,
        }
    }
}

impl FaceSettings {
    /// Classic four channels: one blink, one emotion at a time, two visemes.
    pub const CLASSIC: Self = Self {
        mouth_weight: 1.0,
        asymmetry: 0.0,
        max_active_targets: 4,
        one_emotion: true,
        speech_slots: 2,
        blink_rate: 1.0,
    };
}

/// A control overridden by a script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ControlOverride {
    /// Name of the control.
    pub name: String,
    control: Option<u16>,
    /// Target value.
    pub value: f32,
    from: f32,
    /// Level of the override, 0..=1; it is removed at 0.
    level: f32,
    fade: f32,
    t: f32,
    leaves: bool,
}

/// An expression that leaks out now and then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MicroExpression {
    /// Controls and weights.
    pub mix: Mix,
    /// Intensity, 0..=1.
    pub intensity: f32,
    /// Minimum and maximum time between two leaks, seconds.
    pub interval: [f32; 2],
    next: f32,
}

/// Contributions of the owners to one sink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct SinkMix {
    /// Expression curves of clips.
    pub base: f32,
    pub mood: f32,
    pub speech: f32,
    /// Fraction that a blink closes, 0..=1.
    pub lid: f32,
    /// Level of a script's override, 0..=1, and its value multiplied by that level.
    pub hold: f32,
    pub held: f32,
}

/// The state of one face.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Face {
    /// Settings.
    pub options: FaceSettings,
    /// Weights of the spoken visemes, 0..=1.
    pub visemes: [f32; N_VISEMES],
    /// Speaking level, 0..=1.
    pub speaking: f32,
    /// Eyelid closure of a blink, 0..=1.
    pub lids: f32,
    /// Automatic blinks, used if no gaze modifier blinks.
    pub own_lids: Lids,
    /// Gaze by material changes: left, right, up, down, 0..=1.
    pub looks: [f32; 4],
    /// Current feeling.
    pub feeling: Feeling,
    /// Target feeling.
    pub goal: Feeling,
    /// Expression curves of clips in this tick: controls and their weights.
    pub base: Vec<(u16, f32)>,
    /// Active expressions, oldest first.
    pub expressions: Vec<ActiveExpression>,
    /// Controls overridden by a script.
    pub overrides: Vec<ControlOverride>,
    /// Expression that leaks out now and then.
    pub micro_expression: Option<MicroExpression>,
    pub(super) random: RandomSource,
    tilt: f32,
    pub(super) next_id: u64,
    pub(super) baseline: FaceBaseline,
    pub(super) cells: Vec<SinkMix>,
    /// Final value of every sink.
    pub(super) values: Vec<f32>,
    /// Factors on mouth, blinks and gaze under active expressions (overrides of VRM).
    factors: [f32; 3],
}

/// Half-life of a change of feeling, seconds.
const FEELING_HALF_LIFE: f32 = 0.5;

impl Face {
    /// Creates a face at rest.
    pub fn new(seed: u64) -> Self {
        let mut chance = RandomSource::new(seed ^ 0x6661_6365);
        Self {
            options: FaceSettings::default(),
            visemes: [0.0; N_VISEMES],
            speaking: 0.0,
            lids: 0.0,
            own_lids: Lids::new(seed ^ 0x626c_696e_6b73),
            looks: [0.0; 4],
            feeling: Feeling::default(),
            goal: Feeling::default(),
            base: Vec::new(),
            expressions: Vec::new(),
            overrides: Vec::new(),
            micro_expression: None,
            tilt: chance.about_zero().signum(),
            random: chance,
            next_id: 1,
            baseline: FaceBaseline::default(),
            cells: Vec::new(),
            values: Vec::new(),
            factors: [1.0; 3],
        }
    }

    /// Returns the factor on gaze under active expressions, 0..=1.
    pub fn look_factor(&self) -> f32 {
        self.factors[2]
    }

    /// Shows a mix and returns its id. If there are too many expressions, the oldest passing one is removed.
    pub fn show(&mut self, mix: Mix, owner: FaceOwner, intensity: f32, envelope: Envelope) -> u64 {
        if self.expressions.len() >= MAX_SHOWN {
            let passing = self.expressions.iter().position(|shown| !shown.lasting);
            self.expressions.remove(passing.unwrap_or(0));
        }
        let id = self.next_id;
        self.next_id += 1;
        let intensity = clean(intensity);
        self.expressions
            .push(ActiveExpression::new(id, mix, owner, intensity, envelope));
        id
    }

    /// Returns the active expression with this id.
    pub fn expression_mut(&mut self, id: u64) -> Option<&mut ActiveExpression> {
        self.expressions.iter_mut().find(|shown| shown.id == id)
    }

    /// Sets the lasting mood, which replaces the previous one; an empty mix ends it. Fades over `fade` seconds. If the mix
    /// has the same expressions, only the strength changes, so that this may be called in every tick.
    pub fn set_mood(&mut self, mix: Mix, intensity: f32, fade: f32) {
        let lasting = self.expressions.iter_mut().rev();
        let mut current = lasting.filter(|shown| shown.lasting && !shown.is_going());
        let current = current.next().filter(|_| !mix.parts.is_empty());
        if current.is_some_and(|current| current.change_to(&mix, clean(intensity), fade)) {
            return;
        }
        let mut delay = 0.0_f32;
        for old in self.expressions.iter_mut().filter(|shown| shown.lasting) {
            let left = if old.level > 0.0 { fade } else { 0.0 };
            delay = delay.max(left);
            old.release(Some(left));
        }
        if mix.parts.is_empty() {
            return;
        }
        let envelope = Envelope {
            fade_in: fade,
            hold_time: None,
            fade_out: fade,
        };
        let id = self.show(mix, FaceOwner::Mood, intensity, envelope);
        let one_emotion = self.options.one_emotion;
        if let Some(shown) = self.expression_mut(id) {
            shown.lasting = true;
            shown.delay = if one_emotion { delay } else { 0.0 };
        }
    }

    /// Lets a mix leak out now and then.
    pub fn set_micro_expression(&mut self, mix: Mix, intensity: f32, every: [f32; 2]) {
        let next = self.random.between(every[0], every[1]);
        self.micro_expression = Some(MicroExpression {
            mix,
            intensity: clean(intensity),
            interval: every,
            next,
        });
    }

    /// Overrides a control with a value, which is reached in `fade` seconds.
    pub fn hold(&mut self, rig: &FaceRig, name: &str, value: f32, fade: f32) {
        let control = rig.find(name);
        let known = self.overrides.iter_mut().find(|held| held.name == name);
        if let Some(held) = known {
            held.from = held.now();
            (held.value, held.fade, held.t) = (value, fade, 0.0);
            held.leaves = false;
            return;
        }
        self.overrides.push(ControlOverride {
            name: name.to_owned(),
            control,
            value,
            from: value,
            level: if fade > 0.0 { 0.0 } else { 1.0 },
            fade,
            t: 0.0,
            leaves: false,
        });
    }

    /// Releases an overridden control, or all of them, in `fade` seconds. Returns false if the script overrides no such
    /// control.
    pub fn release_control(&mut self, name: Option<&str>, fade: f32) -> bool {
        let mut any = false;
        for held in &mut self.overrides {
            if name.is_none_or(|name| held.name == name) {
                (held.leaves, held.fade, held.t) = (true, fade, 0.0);
                any = true;
            }
        }
        if fade <= 0.0 {
            self.overrides.retain(|held| !held.leaves);
        }
        any
    }

    /// Returns true when a script controls the eyelids, so that the face must not blink.
    pub fn holds_lids(&self, rig: &FaceRig) -> bool {
        let binds = |held: &ControlOverride| {
            let control = rig.controls.get(usize::from(held.control?))?;
            let is_lid = |(sink, _): &(u16, f32)| rig.blink.iter().any(|(lid, _)| lid == sink);
            Some(control.binds.iter().any(is_lid))
        };
        let by_script = self
            .expressions
            .iter()
            .filter(|shown| shown.owner == FaceOwner::Script);
        let mut shown = by_script.flat_map(|shown| shown.mix.controls());
        self.overrides
            .iter()
            .any(|held| !held.leaves && binds(held) == Some(true))
            || shown.any(|(control, _)| {
                let control = rig.controls.get(usize::from(control));
                let mut binds = control.into_iter().flat_map(|control| &control.binds);
                binds.any(|(sink, _)| rig.blink.iter().any(|(lid, _)| lid == sink))
            })
    }

    /// Returns true when a script overrides a control or shows an expression.
    pub fn is_overridden(&self) -> bool {
        let shown = self.expressions.iter();
        self.overrides.iter().any(|held| !held.leaves)
            || shown
                .into_iter()
                .any(|shown| shown.owner == FaceOwner::Script)
    }

    /// Rebinds the face to another model.
    pub fn rebind(&mut self, rig: &FaceRig) {
        for shown in &mut self.expressions {
            shown.mix.rebind(rig);
        }
        for held in &mut self.overrides {
            held.control = rig.find(&held.name);
        }
        if let Some(leak) = &mut self.micro_expression {
            leak.mix.rebind(rig);
        }
        self.cells.clear();
    }

    /// Advances automatic blinks by `dt` seconds, unless something else controls the eyelids.
    pub fn advance_lids(&mut self, holds: bool, dt: f32) {
        let rate = self.options.blink_rate.max(0.0) * self.feeling.blink_rate();
        self.own_lids.advance(dt, rate, holds || rate <= 0.0);
    }

    /// Advances by `dt` seconds.
    pub fn advance(&mut self, dt: f32) {
        let dt = if dt.is_finite() { dt.max(0.0) } else { 0.0 };
        self.expressions.retain_mut(|shown| shown.advance(dt));
        self.overrides.retain_mut(|held| held.advance(dt));
        let decay = left(FEELING_HALF_LIFE, dt);
        let goal = self.goal.clamped();
        self.feeling.valence = goal.valence + (self.feeling.valence - goal.valence) * decay;
        self.feeling.arousal = goal.arousal + (self.feeling.arousal - goal.arousal) * decay;
        let Some(leak) = &mut self.micro_expression else {
            return;
        };
        leak.next -= dt;
        if leak.next <= 0.0 && dt > 0.0 {
            leak.next = self.random.between(leak.interval[0], leak.interval[1]);
            let (mix, intensity) = (leak.mix.clone(), leak.intensity);
            self.show(mix, FaceOwner::Mood, intensity, Envelope::MICRO);
        }
    }

    /// Adds up the contributions of the owners to every sink.
    pub(super) fn gather(&mut self, rig: &FaceRig) {
        let inputs = self.visemes.iter_mut().chain(&mut self.looks);
        for value in inputs.chain([&mut self.lids, &mut self.speaking]) {
            *value = clean(*value);
        }
        let mut cells = std::mem::take(&mut self.cells);
        cells.clear();
        cells.resize(rig.sinks.len(), SinkMix::default());
        self.factors = self.override_factors(rig);
        self.add_base(rig, &mut cells);
        self.add_expressions(rig, &mut cells);
        self.add_overrides(rig, &mut cells);
        self.add_visemes(rig, &mut cells);
        self.add_lids_and_looks(rig, &mut cells);
        self.cells = cells;
    }

    /// Returns the factors on mouth, blinks and gaze under the expressions that override them, each 0..=1.
    fn override_factors(&self, rig: &FaceRig) -> [f32; 3] {
        let mut over = [[0.0_f32; 2]; 3];
        for (control, weight) in self.base_weights(rig) {
            overridden(&mut over, control, weight);
        }
        for (_, control, weight) in self.shown_weights(rig) {
            overridden(&mut over, control, weight);
        }
        for (_, control, weight) in self.held_weights(rig) {
            overridden(&mut over, control, weight);
        }
        over.map(|[block, blend]| (1.0 - block.max(blend)).clamp(0.0, 1.0))
    }

    /// Returns the expressions of clips: controls with their weights.
    fn base_weights<'a>(&'a self, rig: &'a FaceRig) -> impl Iterator<Item = (&'a Control, f32)> {
        let controls = self.base.iter();
        controls.filter_map(|(control, weight)| {
            let control = rig.controls.get(usize::from(*control))?;
            Some((control, binary(control, *weight)))
        })
    }

    /// Returns the controls of active expressions with their weights.
    fn shown_weights<'a>(
        &'a self,
        rig: &'a FaceRig,
    ) -> impl Iterator<Item = (&'a ActiveExpression, &'a Control, f32)> {
        // A passing mood replaces the lasting one.
        let passing = self
            .expressions
            .iter()
            .filter(|s| !s.lasting && s.owner == FaceOwner::Mood);
        let passing = passing.map(|s| s.weight().min(1.0)).fold(0.0, f32::max);
        self.expressions.iter().flat_map(move |shown| {
            let suppression = if shown.lasting { 1.0 - passing } else { 1.0 };
            let weight = shown.weight() * suppression;
            shown
                .mix
                .controls()
                .filter_map(move |(control, part_weight)| {
                    let control = rig.controls.get(usize::from(control))?;
                    Some((shown, control, binary(control, weight * part_weight)))
                })
        })
    }

    /// Returns the controls overridden by a script, with their weights.
    fn held_weights<'a>(
        &'a self,
        rig: &'a FaceRig,
    ) -> impl Iterator<Item = (&'a ControlOverride, &'a Control, f32)> {
        self.overrides.iter().filter_map(|held| {
            let control = rig.controls.get(usize::from(held.control?))?;
            Some((held, control, binary(control, held.now()) * held.level))
        })
    }

    /// Returns the remaining weight of a control under the expressions that override it.
    fn remaining_weight(&self, control: &Control, weight: f32) -> f32 {
        let Some(kind) = control.procedural else {
            return weight;
        };
        let factor = self.factors[kind as usize];
        match control.is_binary {
            true if factor < 1.0 => 0.0,
            _ => weight * factor,
        }
    }

    fn add_base(&self, rig: &FaceRig, cells: &mut [SinkMix]) {
        for (control, weight) in self.base_weights(rig) {
            let weight = self.remaining_weight(control, weight);
            mix(cells, &control.binds, |cell, bind| {
                cell.base += weight * bind;
            });
        }
    }

    fn add_expressions(&self, rig: &FaceRig, cells: &mut [SinkMix]) {
        let tilt = self.options.asymmetry * self.tilt;
        for (shown, control, weight) in self.shown_weights(rig) {
            let weight = self.remaining_weight(control, weight);
            for &(sink, bind) in &control.binds {
                let i = usize::from(sink);
                let (Some(cell), Some(sink)) = (cells.get_mut(i), rig.sinks.get(i)) else {
                    continue;
                };
                let value = bind * weight * side_factor(sink.side, shown.side, tilt);
                match shown.owner {
                    FaceOwner::Mood => cell.mood += value,
                    FaceOwner::Speech => cell.speech += value,
                    FaceOwner::Script => {
                        cell.hold = cell.hold.max(shown.level);
                        cell.held += value;
                    }
                }
            }
        }
    }

    fn add_overrides(&self, rig: &FaceRig, cells: &mut [SinkMix]) {
        for (held, control, value) in self.held_weights(rig) {
            let value = self.remaining_weight(control, value);
            mix(cells, &control.binds, |cell, bind| {
                cell.hold = cell.hold.max(held.level);
                cell.held += value * bind;
            });
        }
    }

    fn add_visemes(&self, rig: &FaceRig, cells: &mut [SinkMix]) {
        let [mouth, ..] = self.factors;
        let min_weight = self.min_viseme_weight();
        for (i, binds) in rig.visemes.iter().enumerate() {
            let own = self.visemes.get(i).copied().unwrap_or(0.0);
            if own * mouth <= 0.0 || own < min_weight {
                continue;
            }
            for &(sink, bind) in binds {
                let i = usize::from(sink);
                if let (Some(cell), Some(sink)) = (cells.get_mut(i), rig.sinks.get(i)) {
                    cell.speech += own * bind * remaining_fraction(sink, mouth);
                }
            }
        }
    }

    fn add_lids_and_looks(&self, rig: &FaceRig, cells: &mut [SinkMix]) {
        let [_, blink, look] = self.factors;
        let lids = self.lids.clamp(0.0, 1.0);
        if lids > 0.0 {
            for &(sink, bind) in &rig.blink {
                let i = usize::from(sink);
                if let (Some(cell), Some(sink)) = (cells.get_mut(i), rig.sinks.get(i)) {
                    let lids = lids * remaining_fraction(sink, blink);
                    cell.lid = cell.lid.max(lids * bind.clamp(0.0, 1.0));
                }
            }
        }
        for (binds, value) in rig.looks.iter().zip(self.looks) {
            mix(cells, binds, |cell, bind| cell.mood += value * bind * look);
        }
    }

    /// Returns the minimum weight of visible visemes, given the limit.
    fn min_viseme_weight(&self) -> f32 {
        let slots = self.options.speech_slots;
        if slots == 0 || slots >= N_VISEMES {
            return 0.0;
        }
        let mut sorted = self.visemes;
        sorted.sort_by(|a, b| b.total_cmp(a));
        sorted[slots - 1]
    }

    /// Returns the lip closure by speech, 0..=1.
    pub(super) fn closure(&self) -> f32 {
        let of = |viseme: Viseme| self.visemes.get(viseme as usize).copied().unwrap_or(0.0);
        of(Viseme::PP).max(of(Viseme::FF)).clamp(0.0, 1.0)
    }

    /// Returns the remaining fraction of mood and clips at the mouth; see [`FaceSettings::mouth_weight`].
    pub(super) fn mouth_left(&self) -> f32 {
        1.0 - (1.0 - self.options.mouth_weight.clamp(0.0, 1.0)) * self.speaking.clamp(0.0, 1.0)
    }
}

impl ControlOverride {
    /// Returns true while it fades out.
    pub(super) fn is_leaving(&self) -> bool {
        self.leaves
    }

    /// Returns the current value of the override.
    pub fn now(&self) -> f32 {
        if self.fade <= 0.0 || self.leaves {
            return self.value;
        }
        let u = (self.t / self.fade).clamp(0.0, 1.0);
        self.from + (self.value - self.from) * u
    }

    fn advance(&mut self, dt: f32) -> bool {
        self.t += dt;
        let step = if self.fade > 0.0 { dt / self.fade } else { 1.0 };
        if self.leaves {
            self.level -= step;
            return self.level > 0.0;
        }
        self.level = (self.level + step).min(1.0);
        true
    }
}

/// Calls `add` with each bound sink and its weight.
fn mix(cells: &mut [SinkMix], binds: &[(u16, f32)], add: impl Fn(&mut SinkMix, f32)) {
    for &(sink, bind) in binds {
        if let Some(cell) = cells.get_mut(usize::from(sink)) {
            add(cell, bind);
        }
    }
}

/// Records the overrides of a control: 1 blocks, the weights of blends are summed.
fn overridden(over: &mut [[f32; 2]; 3], control: &Control, weight: f32) {
    for ([block, blend], rule) in over.iter_mut().zip(control.overrides) {
        match rule {
            Override::Block if weight > 0.0 => *block = 1.0,
            Override::Blend => *blend += weight,
            Override::Block | Override::None => {}
        }
    }
}

/// Returns the remaining fraction of a sink under overriding expressions; a binary sink is off as soon as it is overridden.
fn remaining_fraction(sink: &Sink, factor: f32) -> f32 {
    match sink.binary {
        Some(_) if factor < 1.0 => 0.0,
        _ => factor,
    }
}

fn binary(control: &Control, weight: f32) -> f32 {
    match control.is_binary {
        true if weight > 0.5 => 1.0,
        true => 0.0,
        false => weight,
    }
}

/// Returns the factor for a side; 1 in the middle.
fn side_factor(side: super::shape::FaceSide, side_bias: f32, tilt: f32) -> f32 {
    use super::shape::FaceSide;
    match side {
        FaceSide::Middle => 1.0,
        FaceSide::Left => (1.0 - side_bias.max(0.0)) * (1.0 - tilt.max(0.0)),
        FaceSide::Right => (1.0 + side_bias.min(0.0)) * (1.0 + tilt.min(0.0)),
    }
}

fn clean(n: f32) -> f32 {
    if n.is_finite() {
        n.clamp(0.0, 1.0)
    } else {
        0.0
    }
}
