//! One face as it is now: what its owners show, and what becomes of it.
//!
//! The order is base (clips and gaze) < mood < speech < reflex < script. Owners below the script add up; a blink
//! closes what is left of an eye; what a script holds takes the place of all else (FA-11, FA-12).

use super::baseline::FaceBaseline;
use super::mood::Feeling;
use super::rig::{Control, FaceRig, Sink};
use super::show::{ActiveExpression, Envelope, FaceOwner, MOST_SHOWN, Mix};
use galatea_math::chance::Chance;
use galatea_math::damp::left;
use galatea_rig::expression::Override;
use galatea_rig::gaze::Lids;
use galatea_speech::viseme::{N_VISEMES, Viseme};

/// How a face is put together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaceSettings {
    /// How much of what mood and clips do to the mouth is left while it speaks, 0..=1. A third: more spoils visemes.
    pub mouth_share: f32,
    /// How much one side of the face does more than the other, 0..=1.
    pub asymmetry: f32,
    /// Morph targets that may be moved at once, the heaviest ones; 0 for all (FA-07).
    pub max_active_targets: usize,
    /// One emotion at a time: the last is gone before the next comes (FA-14).
    pub one_emotion: bool,
    /// Visemes that may show at once, the heaviest ones; 0 for all (FA-15).
    pub speech_slots: usize,
    /// Factor on how often it blinks by itself; 0 never.
    pub blinks: f32,
}

impl Default for FaceSettings {
    fn default() -> Self {
        Self {
            mouth_share: 1.0 / 3.0,
            asymmetry: 0.06,
            max_active_targets: 0,
            one_emotion: false,
            speech_slots: 0,
            blinks: 1.0,
        }
    }
}

impl FaceSettings {
    /// The four channels of the book (FA-12..FA-15): one blink, one emotion at a time, two visemes.
    pub const BOOK: Self = Self {
        mouth_share: 1.0,
        asymmetry: 0.0,
        max_active_targets: 4,
        one_emotion: true,
        speech_slots: 2,
        blinks: 1.0,
    };
}

/// A control that a script holds.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlOverride {
    /// Its name.
    pub name: String,
    control: Option<u16>,
    /// What it is held at.
    pub value: f32,
    from: f32,
    /// How much of it is held, 0..=1: it is let go when that is 0.
    level: f32,
    fade: f32,
    t: f32,
    leaves: bool,
}

/// An expression that escapes now and then.
#[derive(Clone, Debug, PartialEq)]
pub struct Leak {
    /// Of what.
    pub mix: Mix,
    /// How strong, 0..=1.
    pub intensity: f32,
    /// Seconds from one to the next, least and most.
    pub every: [f32; 2],
    next: f32,
}

/// What owners make of one sink.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SinkMix {
    /// What clips say of expressions.
    pub base: f32,
    pub mood: f32,
    pub speech: f32,
    /// How much of it a blink closes, 0..=1.
    pub lid: f32,
    /// How much of it a script holds, 0..=1, and at what, times that.
    pub hold: f32,
    pub held: f32,
}

/// The state of one face.
#[derive(Clone, Debug)]
pub struct Face {
    /// How it is put together.
    pub options: FaceSettings,
    /// Weights of visemes that are spoken now, 0..=1.
    pub visemes: [f32; N_VISEMES],
    /// How much it speaks, 0..=1.
    pub speaking: f32,
    /// How far a blink closes the lids, 0..=1.
    pub lids: f32,
    /// Its own blinks, while nothing looks for it.
    pub own_lids: Lids,
    /// Where it looks by materials: left, right, up, down, 0..=1.
    pub looks: [f32; 4],
    /// How it feels, as far as it has come.
    pub feeling: Feeling,
    /// How it is to feel.
    pub goal: Feeling,
    /// What clips say of expressions in this tick: controls and their weights.
    pub base: Vec<(u16, f32)>,
    /// What shows, oldest first.
    pub shown: Vec<ActiveExpression>,
    /// What a script holds.
    pub held: Vec<ControlOverride>,
    /// What escapes now and then.
    pub leak: Option<Leak>,
    pub(super) chance: Chance,
    tilt: f32,
    pub(super) next_id: u64,
    pub(super) baseline: FaceBaseline,
    pub(super) cells: Vec<SinkMix>,
    /// What every sink came to.
    pub(super) values: Vec<f32>,
    /// How much is left of mouth, blinks and looks under what shows (VRM's overrides).
    factors: [f32; 3],
}

/// Half of a change of feeling is there after so many seconds.
const FEELING: f32 = 0.5;

impl Face {
    /// At rest.
    pub fn new(seed: u64) -> Self {
        let mut chance = Chance::new(seed ^ 0x6661_6365);
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
            shown: Vec::new(),
            held: Vec::new(),
            leak: None,
            tilt: chance.about_zero().signum(),
            chance,
            next_id: 1,
            baseline: FaceBaseline::default(),
            cells: Vec::new(),
            values: Vec::new(),
            factors: [1.0; 3],
        }
    }

    /// How much is left of looks under what shows, 0..=1.
    pub fn look_factor(&self) -> f32 {
        self.factors[2]
    }

    /// Shows a mix; gives its number. Too many at once, and the oldest that passes goes.
    pub fn show(&mut self, mix: Mix, owner: FaceOwner, intensity: f32, envelope: Envelope) -> u64 {
        if self.shown.len() >= MOST_SHOWN {
            let passing = self.shown.iter().position(|shown| !shown.lasting);
            self.shown.remove(passing.unwrap_or(0));
        }
        let id = self.next_id;
        self.next_id += 1;
        let intensity = clean(intensity);
        self.shown
            .push(ActiveExpression::new(id, mix, owner, intensity, envelope));
        id
    }

    /// What shows under a number.
    pub fn shown_mut(&mut self, id: u64) -> Option<&mut ActiveExpression> {
        self.shown.iter_mut().find(|shown| shown.id == id)
    }

    /// Makes a mix the lasting mood, which the one before gives way to; an empty one ends it. Comes in `fade` seconds.
    /// One of the same expressions changes to the new strength, so that this may be called in every tick.
    pub fn set_mood(&mut self, mix: Mix, intensity: f32, fade: f32) {
        let lasting = self.shown.iter_mut().rev();
        let mut current = lasting.filter(|shown| shown.lasting && !shown.is_going());
        let current = current.next().filter(|_| !mix.parts.is_empty());
        if current.is_some_and(|current| current.change_to(&mix, clean(intensity), fade)) {
            return;
        }
        let mut delay = 0.0_f32;
        for old in self.shown.iter_mut().filter(|shown| shown.lasting) {
            let left = if old.level > 0.0 { fade } else { 0.0 };
            delay = delay.max(left);
            old.let_go(Some(left));
        }
        if mix.parts.is_empty() {
            return;
        }
        let envelope = Envelope {
            onset: fade,
            hold: None,
            release: fade,
        };
        let id = self.show(mix, FaceOwner::Mood, intensity, envelope);
        let one_emotion = self.options.one_emotion;
        if let Some(shown) = self.shown_mut(id) {
            shown.lasting = true;
            shown.delay = if one_emotion { delay } else { 0.0 };
        }
    }

    /// Has a mix escape now and then.
    pub fn set_leak(&mut self, mix: Mix, intensity: f32, every: [f32; 2]) {
        let next = self.chance.between(every[0], every[1]);
        self.leak = Some(Leak {
            mix,
            intensity: clean(intensity),
            every,
            next,
        });
    }

    /// Holds a control at a value, which it reaches in `fade` seconds.
    pub fn hold(&mut self, rig: &FaceRig, name: &str, value: f32, fade: f32) {
        let control = rig.find(name);
        let known = self.held.iter_mut().find(|held| held.name == name);
        if let Some(held) = known {
            held.from = held.now();
            (held.value, held.fade, held.t) = (value, fade, 0.0);
            held.leaves = false;
            return;
        }
        self.held.push(ControlOverride {
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

    /// Lets a control go, or all of them, in `fade` seconds. False when a script holds none of that name.
    pub fn let_go(&mut self, name: Option<&str>, fade: f32) -> bool {
        let mut any = false;
        for held in &mut self.held {
            if name.is_none_or(|name| held.name == name) {
                (held.leaves, held.fade, held.t) = (true, fade, 0.0);
                any = true;
            }
        }
        if fade <= 0.0 {
            self.held.retain(|held| !held.leaves);
        }
        any
    }

    /// A script holds what closes an eye: it must not blink.
    pub fn holds_lids(&self, rig: &FaceRig) -> bool {
        let binds = |held: &ControlOverride| {
            let control = rig.controls.get(usize::from(held.control?))?;
            let is_lid = |(sink, _): &(u16, f32)| rig.blink.iter().any(|(lid, _)| lid == sink);
            Some(control.binds.iter().any(is_lid))
        };
        let by_script = self
            .shown
            .iter()
            .filter(|shown| shown.owner == FaceOwner::Script);
        let mut shown = by_script.flat_map(|shown| shown.mix.controls());
        self.held
            .iter()
            .any(|held| !held.leaves && binds(held) == Some(true))
            || shown.any(|(control, _)| {
                let control = rig.controls.get(usize::from(control));
                let mut binds = control.into_iter().flat_map(|control| &control.binds);
                binds.any(|(sink, _)| rig.blink.iter().any(|(lid, _)| lid == sink))
            })
    }

    /// A script holds something of it, or shows something in place of all else.
    pub fn is_held(&self) -> bool {
        let shown = self.shown.iter();
        self.held.iter().any(|held| !held.leaves)
            || shown
                .into_iter()
                .any(|shown| shown.owner == FaceOwner::Script)
    }

    /// Finds its names in another model's face.
    pub fn rebind(&mut self, rig: &FaceRig) {
        for shown in &mut self.shown {
            shown.mix.rebind(rig);
        }
        for held in &mut self.held {
            held.control = rig.find(&held.name);
        }
        if let Some(leak) = &mut self.leak {
            leak.mix.rebind(rig);
        }
        self.cells.clear();
    }

    /// Blinks by itself for some seconds, unless something looks for it, or holds its lids.
    pub fn advance_lids(&mut self, holds: bool, dt: f32) {
        let rate = self.options.blinks.max(0.0) * self.feeling.blink_rate();
        self.own_lids.advance(dt, rate, holds || rate <= 0.0);
    }

    /// Moves on by some seconds.
    pub fn advance(&mut self, dt: f32) {
        let dt = if dt.is_finite() { dt.max(0.0) } else { 0.0 };
        self.shown.retain_mut(|shown| shown.advance(dt));
        self.held.retain_mut(|held| held.advance(dt));
        let keep = left(FEELING, dt);
        let goal = self.goal.clamped();
        self.feeling.valence = goal.valence + (self.feeling.valence - goal.valence) * keep;
        self.feeling.arousal = goal.arousal + (self.feeling.arousal - goal.arousal) * keep;
        let Some(leak) = &mut self.leak else { return };
        leak.next -= dt;
        if leak.next <= 0.0 && dt > 0.0 {
            leak.next = self.chance.between(leak.every[0], leak.every[1]);
            let (mix, intensity) = (leak.mix.clone(), leak.intensity);
            self.show(mix, FaceOwner::Mood, intensity, Envelope::MICRO);
        }
    }

    /// Adds up what its owners make of every sink.
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
        self.add_shown(rig, &mut cells);
        self.add_held(rig, &mut cells);
        self.add_visemes(rig, &mut cells);
        self.add_lids_and_looks(rig, &mut cells);
        self.cells = cells;
    }

    /// Factors on mouth, blinks and looks under the expressions that override them, each 0..=1.
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

    /// Expressions of clips: controls with their weights.
    fn base_weights<'a>(&'a self, rig: &'a FaceRig) -> impl Iterator<Item = (&'a Control, f32)> {
        let controls = self.base.iter();
        controls.filter_map(|(control, weight)| {
            let control = rig.controls.get(usize::from(*control))?;
            Some((control, binary(control, *weight)))
        })
    }

    /// Expressions that are shown: each with its controls and their weights.
    fn shown_weights<'a>(
        &'a self,
        rig: &'a FaceRig,
    ) -> impl Iterator<Item = (&'a ActiveExpression, &'a Control, f32)> {
        // A passing mood replaces the lasting one.
        let passing = self
            .shown
            .iter()
            .filter(|s| !s.lasting && s.owner == FaceOwner::Mood);
        let passing = passing.map(|s| s.weight().min(1.0)).fold(0.0, f32::max);
        self.shown.iter().flat_map(move |shown| {
            let gives_way = if shown.lasting { 1.0 - passing } else { 1.0 };
            let weight = shown.weight() * gives_way;
            shown.mix.controls().filter_map(move |(control, share)| {
                let control = rig.controls.get(usize::from(control))?;
                Some((shown, control, binary(control, weight * share)))
            })
        })
    }

    /// Controls that a script holds, with their weights.
    fn held_weights<'a>(
        &'a self,
        rig: &'a FaceRig,
    ) -> impl Iterator<Item = (&'a ControlOverride, &'a Control, f32)> {
        self.held.iter().filter_map(|held| {
            let control = rig.controls.get(usize::from(held.control?))?;
            Some((held, control, binary(control, held.now()) * held.level))
        })
    }

    /// The rest of a control's weight under the expressions that override it.
    fn left_of(&self, control: &Control, weight: f32) -> f32 {
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
            let weight = self.left_of(control, weight);
            mix(cells, &control.binds, |cell, bind| {
                cell.base += weight * bind;
            });
        }
    }

    fn add_shown(&self, rig: &FaceRig, cells: &mut [SinkMix]) {
        let tilt = self.options.asymmetry * self.tilt;
        for (shown, control, weight) in self.shown_weights(rig) {
            let weight = self.left_of(control, weight);
            for &(sink, bind) in &control.binds {
                let i = usize::from(sink);
                let (Some(cell), Some(sink)) = (cells.get_mut(i), rig.sinks.get(i)) else {
                    continue;
                };
                let value = bind * weight * side_share(sink.side, shown.side, tilt);
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

    fn add_held(&self, rig: &FaceRig, cells: &mut [SinkMix]) {
        for (held, control, value) in self.held_weights(rig) {
            let value = self.left_of(control, value);
            mix(cells, &control.binds, |cell, bind| {
                cell.hold = cell.hold.max(held.level);
                cell.held += value * bind;
            });
        }
    }

    fn add_visemes(&self, rig: &FaceRig, cells: &mut [SinkMix]) {
        let [mouth, ..] = self.factors;
        let least = self.least_viseme();
        for (i, binds) in rig.visemes.iter().enumerate() {
            let own = self.visemes.get(i).copied().unwrap_or(0.0);
            if own * mouth <= 0.0 || own < least {
                continue;
            }
            for &(sink, bind) in binds {
                let i = usize::from(sink);
                if let (Some(cell), Some(sink)) = (cells.get_mut(i), rig.sinks.get(i)) {
                    cell.speech += own * bind * left_of_sink(sink, mouth);
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
                    let lids = lids * left_of_sink(sink, blink);
                    cell.lid = cell.lid.max(lids * bind.clamp(0.0, 1.0));
                }
            }
        }
        for (binds, value) in rig.looks.iter().zip(self.looks) {
            mix(cells, binds, |cell, bind| cell.mood += value * bind * look);
        }
    }

    /// The weight of the lightest viseme that may show.
    fn least_viseme(&self) -> f32 {
        let slots = self.options.speech_slots;
        if slots == 0 || slots >= N_VISEMES {
            return 0.0;
        }
        let mut sorted = self.visemes;
        sorted.sort_by(|a, b| b.total_cmp(a));
        sorted[slots - 1]
    }

    /// How far lips are closed by speech now, 0..=1.
    pub(super) fn closure(&self) -> f32 {
        let of = |viseme: Viseme| self.visemes.get(viseme as usize).copied().unwrap_or(0.0);
        of(Viseme::PP).max(of(Viseme::FF)).clamp(0.0, 1.0)
    }

    /// How much is left of what mood and clips do to the mouth; see [`FaceSettings::mouth_share`].
    pub(super) fn mouth_left(&self) -> f32 {
        1.0 - (1.0 - self.options.mouth_share.clamp(0.0, 1.0)) * self.speaking.clamp(0.0, 1.0)
    }
}

impl ControlOverride {
    /// True while it fades out.
    pub(super) fn is_leaving(&self) -> bool {
        self.leaves
    }

    /// What it is held at by now.
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

/// Notes what a control does to mouth, blinks and looks: 1 blocks them, the sum of the others is taken off them.
fn overridden(over: &mut [[f32; 2]; 3], control: &Control, weight: f32) {
    for ([block, blend], rule) in over.iter_mut().zip(control.overrides) {
        match rule {
            Override::Block if weight > 0.0 => *block = 1.0,
            Override::Blend => *blend += weight,
            Override::Block | Override::None => {}
        }
    }
}

/// The share of a sink under expressions that override it: binary ones are off as soon as anything does.
fn left_of_sink(sink: &Sink, factor: f32) -> f32 {
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

/// The share of a side: all of it in the middle.
fn side_share(side: super::shape::FaceSide, wanted: f32, tilt: f32) -> f32 {
    use super::shape::FaceSide;
    match side {
        FaceSide::Middle => 1.0,
        FaceSide::Left => (1.0 - wanted.max(0.0)) * (1.0 - tilt.max(0.0)),
        FaceSide::Right => (1.0 + wanted.min(0.0)) * (1.0 + tilt.min(0.0)),
    }
}

fn clean(n: f32) -> f32 {
    if n.is_finite() {
        n.clamp(0.0, 1.0)
    } else {
        0.0
    }
}
