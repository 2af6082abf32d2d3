//! What of a character goes on when something under it is replaced: its model, or the script that made
//! it. Clips, bones and marks are found again by their names.

use std::sync::Arc;

use super::action::{Action, EndReason};
use super::definition::Definition;
use super::instance::Character;
use super::meters::Meters;
use galatea_anim::{Marks, Mask, Playhead, Skeleton, Source};
use galatea_machine::{Clips, Crossed, Machine, Problem, Version, bind, carried_over, tell_open};

/// An interval that was open and is not any more, because what played it was replaced. Its numbers are
/// those of what was replaced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lost {
    /// What played its clip.
    pub source: Source,
    /// Clip.
    pub clip: usize,
    /// Index among the clip's marks.
    pub mark: usize,
    /// How much of the clip showed, 0..=1.
    pub weight: f32,
    /// The clip was played with left and right exchanged.
    pub mirrored: bool,
}

impl From<Crossed> for Lost {
    fn from(crossed: Crossed) -> Self {
        Self {
            source: Source::Machine {
                layer: crossed.layer as u16,
                state: crossed.state as u16,
                playing: crossed.playing,
            },
            clip: crossed.clip,
            mark: crossed.mark,
            weight: crossed.weight,
            mirrored: crossed.mirrored,
        }
    }
}

/// What was not carried over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replaced {
    /// Intervals that ended with it.
    pub lost: Vec<Lost>,
    /// Actions that ended with it, as their clips are gone.
    pub ended: Vec<u64>,
}

/// A definition and the marks that a character has on its clips.
#[derive(Clone, Copy)]
struct Cast<'a> {
    definition: &'a Definition,
    marks: &'a [Arc<Marks>],
}

impl<'a> Cast<'a> {
    fn of(character: &'a Character) -> Self {
        Self {
            definition: &character.definition,
            marks: &character.playback.marks,
        }
    }

    fn clips(self) -> Clips<'a> {
        Clips {
            set: &self.definition.clips,
            marks: self.marks,
        }
    }

    fn clip_name(self, clip: usize) -> &'a str {
        self.definition.clips.clip_name(clip)
    }
}

impl Character {
    /// Replaces the model by a new version of it. The machine is bound to it, what plays goes on by the
    /// names of clips and bones; actions whose clips are gone end.
    ///
    /// # Errors
    /// What of the machine does not fit the new version; then nothing has changed.
    pub fn replace_definition(
        &mut self,
        definition: Arc<Definition>,
    ) -> Result<Replaced, Vec<Problem>> {
        let (mut marks, mut script_marks) =
            (definition.marks.clone(), self.playback.script_marks.clone());
        for mark in &mut script_marks {
            mark.put_on(&definition.clips, &mut marks);
        }
        let machine = match &self.playback.machine {
            Some((machine, _)) => Some(bind(&machine.def, &definition.clips, &marks)?),
            None => None,
        };
        self.keep_names(|_| true);
        self.playback.script_marks = script_marks;
        let old = std::mem::replace(&mut self.definition, definition);
        let old_marks = std::mem::replace(&mut self.playback.marks, marks);
        let mut replaced = Replaced::default();
        let was = Cast {
            definition: &old,
            marks: &old_marks,
        };
        let now = Cast {
            definition: &self.definition,
            marks: &self.playback.marks,
        };
        if let (Some(machine), Some((old_machine, old_state))) = (machine, &self.playback.machine) {
            let [before, after] = [(&**old_machine, was), (&machine, now)].map(version);
            let mut state = carried_over(old_state, before, after, &mut |crossed| {
                replaced.lost.push(crossed.into());
            });
            state.forget_poses();
            self.playback.machine = Some((Arc::new(machine), state));
        }
        self.playback.idle = carry_idle(self.playback.idle, was, now, &mut |lost| {
            replaced.lost.push(lost)
        });
        carry_actions(&mut self.playback.actions, was, now, &mut replaced);
        if self.meters.take().is_some() {
            let meters = Meters::new(&self.definition, self.placement.scale);
            self.meters = Some(Box::new(meters));
        }
        let overrides = std::mem::take(&mut self.posed.morph_overrides);
        for (index, weight) in overrides {
            let found = self.definition.morph_indices(old.morph_name(index));
            self.posed
                .morph_overrides
                .extend(found.into_iter().map(|i| (i, weight)));
        }
        // Of a name on several parts each part brought all.
        self.posed.morph_overrides.sort_by_key(|(i, _)| *i);
        self.posed.morph_overrides.dedup_by_key(|(i, _)| *i);
        if let Some(stack) = &mut self.modifiers.stack {
            stack.rebind(&self.definition);
        }
        if let Some(likeness) = &mut self.appearance.likeness {
            likeness.rebind(&self.definition);
        }
        self.secondary.rebind(&old.model.skeleton, &self.definition);
        self.refit_springs();
        self.hide_again(&old);
        let pose = self.posed.pose.clone();
        self.rebuild_limbs(&old, &pose, self.posed.world[0]);
        self.appearance
            .surface
            .carry(&old.model, &self.definition.model);
        self.appearance
            .wrinkles
            .carry(old.wrinkles(), self.definition.wrinkles());
        let scale = self.placement.scale;
        self.appearance
            .decals
            .put_again([&old, &self.definition], scale);
        Ok(replaced)
    }

    /// Hides the parts of the names that were hidden.
    fn hide_again(&mut self, old: &Definition) {
        let is_hidden = |i: usize| {
            let bits = self.appearance.hidden_parts.get(i / 64);
            bits.is_some_and(|bits| bits >> (i % 64) & 1 == 1)
        };
        let parts = old.model.parts.iter().enumerate();
        let hidden: Vec<&str> = parts
            .filter(|(i, _)| is_hidden(*i))
            .map(|(_, part)| part.name.as_str())
            .collect();
        let new = &self.definition.model;
        self.appearance.hidden_parts = vec![0; new.parts.len().div_ceil(64)];
        for (i, part) in new.parts.iter().enumerate() {
            if hidden.contains(&part.name.as_str()) {
                self.appearance.hidden_parts[i / 64] |= 1 << (i % 64);
            }
        }
    }

    /// Takes over what played on the character that this one replaces after the script was saved: its
    /// place (unless the script now puts it elsewhere), its machine's states, its idle clip, its actions
    /// (but for those that give way to ones that the new script began), its ledger. Tells which open
    /// intervals ended with that.
    pub fn take_over(&mut self, mut was: Self) -> Vec<Lost> {
        was.keep_names(|_| true);
        if was.spawn == self.spawn {
            self.placement = was.placement;
            self.handles.swung = std::mem::take(&mut was.handles.swung);
        }
        let mut replaced = Replaced::default();
        let mut lose = |lost| replaced.lost.push(lost);
        let before = Cast::of(&was);
        let now = Cast {
            definition: &self.definition,
            marks: &self.playback.marks,
        };
        let same_model = Arc::ptr_eq(&before.definition.model, &now.definition.model);
        let mut state = None;
        match (&was.playback.machine, &self.playback.machine) {
            (Some((old_machine, old)), Some((machine, new))) => {
                let [before, after] = [(&**old_machine, before), (&**machine, now)].map(version);
                let mut carried =
                    carried_over(old, before, after, &mut |crossed| lose(crossed.into()));
                for sent in &new.sent {
                    carried.send(&sent.event, sent.left);
                }
                if !same_model {
                    carried.forget_poses();
                }
                state = Some(carried);
            }
            (Some((machine, old)), None) => {
                tell_open(machine, before.clips(), old, &mut |crossed| {
                    lose(crossed.into());
                });
            }
            (None, _) => {}
        }
        let mut idle = was.playback.idle;
        if let (Some(clip), true) = (was.definition.idle, self.playback.machine.is_some()) {
            cut_idle(&mut idle, clip, before, &mut lose);
        }
        self.playback.idle = carry_idle(idle, before, now, &mut lose);
        if same_model {
            let mut actions = std::mem::take(&mut was.playback.actions);
            let before = Cast {
                definition: &was.definition,
                marks: &was.playback.marks,
            };
            carry_actions(&mut actions, before, now, &mut replaced);
            for action in &mut actions {
                if self.playback.actions.iter().any(|new| new.replaces(action)) {
                    action.leave(EndReason::Interrupted);
                }
            }
            actions.append(&mut self.playback.actions);
            self.playback.actions = actions;
        } else {
            for action in &was.playback.actions {
                lose_action(action, before, &mut replaced.lost);
            }
        }
        if let (Some(state), Some((_, slot))) = (state, &mut self.playback.machine) {
            *slot = state;
        }
        self.take_over_body(&mut was);
        if let (Some(stack), Some(was)) = (&mut self.modifiers.stack, was.modifiers.stack.take()) {
            stack.take_over(*was);
        }
        if let Some(was) = was.appearance.likeness.take()
            && was.began_as(self.appearance.likeness.as_deref())
        {
            let (own, definition) = self.likeness_mut();
            own.take_over(*was, definition);
        }
        self.secondary.take_over(&was.secondary);
        let decals = std::mem::take(&mut was.appearance.decals);
        let definitions = [&was.definition, &self.definition];
        let scale = self.placement.scale;
        self.appearance.decals.take_over(decals, definitions, scale);
        if let (Some(controller), Some(was)) = (&mut self.body.controller, was.body.controller) {
            controller.continue_from(*was);
        }
        self.locomotion.warp = self.locomotion.warp.take().or(was.locomotion.warp);
        if was.meters.is_some() {
            self.switch_on_meters();
        }
        if was.playback.ledger.is_on() {
            self.playback.ledger = was.playback.ledger;
        }
        replaced.lost
    }

    /// Tells every interval that is open and was told to begin: what plays its clip, the clip and the
    /// mark.
    pub fn each_open(&self, mut tell: impl FnMut(Source, usize, usize)) {
        match (&self.playback.machine, self.definition.idle) {
            (Some((machine, state)), _) => {
                tell_open(machine, Cast::of(self).clips(), state, &mut |crossed| {
                    let lost = Lost::from(crossed);
                    tell(lost.source, lost.clip, lost.mark);
                });
            }
            (None, Some(clip)) => {
                for mark in self.playback.idle.open_marks(&self.playback.marks[clip]) {
                    tell(Source::Idle, clip, mark);
                }
            }
            (None, None) => {}
        }
        for action in &self.playback.actions {
            for mark in action.open_marks(&self.playback.marks[action.clip]) {
                tell(Source::Play(action.id), action.clip, mark);
            }
        }
    }
}

fn version<'a>((machine, cast): (&'a Machine, Cast<'a>)) -> Version<'a> {
    Version {
        machine,
        clips: cast.clips(),
    }
}

fn cut_idle(idle: &mut Playhead, clip: usize, was: Cast<'_>, lose: &mut dyn FnMut(Lost)) {
    idle.cut(&was.marks[clip], 0.0, |crossing| {
        lose(lost_idle(clip, crossing.mark));
    });
}

fn lost_idle(clip: usize, mark: usize) -> Lost {
    Lost {
        source: Source::Idle,
        clip,
        mark,
        weight: 1.0,
        mirrored: false,
    }
}

/// The place on the idle clip, on the new one where it has another.
fn carry_idle(
    mut idle: Playhead,
    was: Cast<'_>,
    now: Cast<'_>,
    lose: &mut dyn FnMut(Lost),
) -> Playhead {
    let Some(old) = was.definition.idle else {
        return Playhead::default();
    };
    let Some(new) = now.definition.idle else {
        cut_idle(&mut idle, old, was, lose);
        return Playhead::default();
    };
    if was.clip_name(old) != now.clip_name(new) {
        cut_idle(&mut idle, old, was, lose);
    }
    idle.rebind(&was.marks[old], &now.marks[new], |mark| {
        lose(lost_idle(old, mark));
    });
    idle
}

/// Binds actions to other clips and bones by name; those whose clips are gone end.
fn carry_actions(actions: &mut Vec<Action>, was: Cast<'_>, now: Cast<'_>, replaced: &mut Replaced) {
    let bones = (
        &*was.definition.model.skeleton,
        &*now.definition.model.skeleton,
    );
    actions.retain_mut(|action| {
        let Some(clip) = now.definition.clips.find(was.clip_name(action.clip)) else {
            lose_action(action, was, &mut replaced.lost);
            if !action.has_ended() {
                replaced.ended.push(action.id);
            }
            return false;
        };
        let before = action.clone();
        let (old_marks, marks) = (&was.marks[action.clip], &now.marks[clip]);
        action.rebind(old_marks, marks, |mark| {
            replaced.lost.push(lost_of(&before, mark, was));
        });
        action.clip = clip;
        if let Some(mask) = &mut action.options.mask {
            carry_mask(mask, bones.0, bones.1);
        }
        true
    });
}

fn lose_action(action: &Action, was: Cast<'_>, lost: &mut Vec<Lost>) {
    let open = action.open_marks(&was.marks[action.clip]);
    lost.extend(open.map(|mark| lost_of(action, mark, was)));
}

fn lost_of(action: &Action, mark: usize, was: Cast<'_>) -> Lost {
    let duration = was.definition.clips.duration(action.clip);
    Lost {
        source: Source::Play(action.id),
        clip: action.clip,
        mark,
        weight: action.weight(duration),
        mirrored: action.options.mirror,
    }
}

/// Weights go with their bones' names; a bone that is new takes its parent's, as all below a bone of a
/// mask does.
fn carry_mask(mask: &mut Arc<Mask>, old: &Skeleton, new: &Skeleton) {
    let pairs = || old.bones().iter().zip(new.bones());
    if old.len() == new.len() && pairs().all(|(a, b)| a.name == b.name) {
        return;
    }
    let mut bones: Vec<f32> = Vec::with_capacity(new.len());
    for bone in new.bones() {
        let known = old.find(&bone.name).map(usize::from);
        let weight = match (known, bone.parent) {
            (Some(i), _) => mask.bones.get(i),
            (None, Some(parent)) => bones.get(usize::from(parent)),
            (None, None) => None,
        };
        bones.push(weight.copied().unwrap_or(0.0));
    }
    Arc::make_mut(mask).bones = bones;
}
