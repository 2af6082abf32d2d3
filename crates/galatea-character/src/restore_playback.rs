//! Restores the playback of a character after its model was replaced or its script was reloaded. Clips, bones and marks
//! are found again by their names.

use std::sync::Arc;

use super::action::{Action, EndReason};
use super::definition::Definition;
use super::playback::Playback;
use super::script_marker::ScriptMarker;
use galatea_anim::{CrossingSource, Markers, Mask, Playhead, Skeleton};
use galatea_machine::{
    Clips, Crossed, Machine, MachineState, Problem, Version, bind, migrated, report_open,
};

/// An interval that was open and ended because its player was replaced. Indices refer to the replaced version.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LostInterval {
    /// Player of the clip.
    pub source: CrossingSource,
    /// Clip index.
    pub clip: usize,
    /// Index among the clip's marks.
    pub marker: usize,
    /// Weight of the clip, 0..=1.
    pub weight: f32,
    /// The clip was played with left and right swapped.
    pub mirrored: bool,
}

impl From<Crossed> for LostInterval {
    fn from(crossed: Crossed) -> Self {
        Self {
            source: CrossingSource::Machine {
                layer: crossed.layer as u16,
                state: crossed.state as u16,
                playing: crossed.playback_id,
            },
            clip: crossed.clip,
            marker: crossed.marker,
            weight: crossed.weight,
            mirrored: crossed.mirrored,
        }
    }
}

/// State that could not be carried over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replaced {
    /// Intervals that ended because of the replacement.
    pub lost: Vec<LostInterval>,
    /// Ids of actions that ended because their clips no longer exist.
    pub ended: Vec<u64>,
}

/// A definition together with the character's marks on its clips.
#[derive(Clone, Copy)]
struct DefinitionWithMarkers<'a> {
    definition: &'a Definition,
    markers: &'a [Arc<Markers>],
}

impl<'a> DefinitionWithMarkers<'a> {
    fn clips(self) -> Clips<'a> {
        Clips {
            set: &self.definition.clips,
            markers: self.markers,
        }
    }

    fn clip_name(self, clip: usize) -> &'a str {
        self.definition.clips.clip_name(clip)
    }
}

/// Marks and state machine of a character, bound to a new version of the model.
pub(super) struct BoundPlayback {
    markers: Vec<Arc<Markers>>,
    script_markers: Vec<ScriptMarker>,
    machine: Option<Machine>,
}

impl Playback {
    /// Binds marks and state machine to a new version of the model, without changing anything.
    ///
    /// # Errors
    /// Returns the parts of the state machine that do not fit the new version.
    pub(super) fn bound_to(&self, definition: &Definition) -> Result<BoundPlayback, Vec<Problem>> {
        let (mut marks, mut script_markers) =
            (definition.markers.clone(), self.script_markers.clone());
        for mark in &mut script_markers {
            mark.put_on(&definition.clips, &mut marks);
        }
        let machine = match &self.machine {
            Some((machine, _)) => Some(bind(&machine.def, &definition.clips, &marks)?),
            None => None,
        };
        Ok(BoundPlayback {
            markers: marks,
            script_markers,
            machine,
        })
    }

    /// Switches to the new version of the model. Actions end if their clips no longer exist.
    pub(super) fn rebind(
        &mut self,
        bound: BoundPlayback,
        old: &Definition,
        new: &Definition,
    ) -> Replaced {
        self.script_markers = bound.script_markers;
        let old_marks = std::mem::replace(&mut self.markers, bound.markers);
        let mut replaced = Replaced::default();
        let was = DefinitionWithMarkers {
            definition: old,
            markers: &old_marks,
        };
        let now = DefinitionWithMarkers {
            definition: new,
            markers: &self.markers,
        };
        if let (Some(machine), Some((old_machine, old_state))) = (bound.machine, &self.machine) {
            let [before, after] = [(&**old_machine, was), (&machine, now)].map(version);
            let mut state = migrated(old_state, before, after, &mut |crossed| {
                replaced.lost.push(crossed.into());
            });
            state.forget_poses();
            self.machine = Some((Arc::new(machine), state));
        }
        self.idle = restore_idle(self.idle, was, now, &mut |lost| replaced.lost.push(lost));
        restore_actions(&mut self.actions, was, now, &mut replaced);
        replaced
    }

    /// Takes over the playback of the character that this one replaces after a hot reload: machine states, idle clip,
    /// actions (except those that actions of the new script replace) and ledger. Returns the open intervals that ended.
    pub(super) fn take_over(
        &mut self,
        definition: &Definition,
        was: Self,
        was_definition: &Definition,
    ) -> Vec<LostInterval> {
        let mut replaced = Replaced::default();
        let before = DefinitionWithMarkers {
            definition: was_definition,
            markers: &was.markers,
        };
        let now = DefinitionWithMarkers {
            definition,
            markers: &self.markers,
        };
        let same_model = Arc::ptr_eq(&before.definition.model, &now.definition.model);
        let mut lose = |lost| replaced.lost.push(lost);
        let (old, new) = (was.machine.as_ref(), self.machine.as_ref());
        let state = restore_machine(old, new, before, now, &mut lose);
        let mut idle = was.idle;
        if let (Some(clip), true) = (was_definition.idle, self.machine.is_some()) {
            cut_idle(&mut idle, clip, before, &mut lose);
        }
        self.idle = restore_idle(idle, before, now, &mut lose);
        if same_model {
            let mut actions = was.actions;
            restore_actions(&mut actions, before, now, &mut replaced);
            for action in &mut actions {
                if self.actions.iter().any(|new| new.replaces(action)) {
                    action.leave(EndReason::Interrupted);
                }
            }
            actions.append(&mut self.actions);
            self.actions = actions;
        } else {
            for action in &was.actions {
                lose_action(action, before, &mut replaced.lost);
            }
        }
        if let (Some(state), Some((_, slot))) = (state, &mut self.machine) {
            *slot = state;
        }
        if was.event_log.is_on() {
            self.event_log = was.event_log;
        }
        replaced.lost
    }

    /// Replaces the machine by one that continues in the same states at the same times, by name. Open intervals of clips that
    /// it does not play end without an event.
    pub fn continue_with(&mut self, machine: Machine, definition: &Definition) {
        let version = DefinitionWithMarkers {
            definition,
            markers: &self.markers,
        };
        let state = MachineState::new(&machine);
        let new = (Arc::new(machine), state);
        let old = self.machine.as_ref();
        let state = restore_machine(old, Some(&new), version, version, &mut |_| {});
        let (machine, fresh) = new;
        self.machine = Some((machine, state.unwrap_or(fresh)));
    }

    /// Calls `report` for every open interval whose begin was emitted, with the player of the clip, the clip and the mark.
    /// `definition` is the character's.
    pub fn each_open(
        &self,
        definition: &Definition,
        mut report: impl FnMut(CrossingSource, usize, usize),
    ) {
        match (&self.machine, definition.idle) {
            (Some((machine, state)), _) => {
                report_open(machine, self.clips(definition), state, &mut |crossed| {
                    let lost = LostInterval::from(crossed);
                    report(lost.source, lost.clip, lost.marker);
                });
            }
            (None, Some(clip)) => {
                for mark in self.idle.open_markers(&self.markers[clip]) {
                    report(CrossingSource::Idle, clip, mark);
                }
            }
            (None, None) => {}
        }
        for action in &self.actions {
            for mark in action.open_markers(&self.markers[action.clip]) {
                report(CrossingSource::Play(action.id), action.clip, mark);
            }
        }
    }
}

/// Moves the old machine's state to the new machine and adds the events that were sent to the new one. Returns `None` if
/// there is no new machine.
fn restore_machine(
    old: Option<&(Arc<Machine>, MachineState)>,
    new: Option<&(Arc<Machine>, MachineState)>,
    was: DefinitionWithMarkers<'_>,
    now: DefinitionWithMarkers<'_>,
    lose: &mut dyn FnMut(LostInterval),
) -> Option<MachineState> {
    let (old_machine, old) = old?;
    let Some((machine, new)) = new else {
        report_open(old_machine, was.clips(), old, &mut |crossed| {
            lose(crossed.into());
        });
        return None;
    };
    let [before, after] = [(&**old_machine, was), (&**machine, now)].map(version);
    let mut carried = migrated(old, before, after, &mut |crossed| lose(crossed.into()));
    for sent in &new.sent {
        carried.send(&sent.event, sent.left);
    }
    if !Arc::ptr_eq(&was.definition.model, &now.definition.model) {
        carried.forget_poses();
    }
    Some(carried)
}

fn version<'a>((machine, marked): (&'a Machine, DefinitionWithMarkers<'a>)) -> Version<'a> {
    Version {
        machine,
        clips: marked.clips(),
    }
}

fn cut_idle(
    idle: &mut Playhead,
    clip: usize,
    was: DefinitionWithMarkers<'_>,
    lose: &mut dyn FnMut(LostInterval),
) {
    idle.cut(&was.markers[clip], 0.0, |crossing| {
        lose(lost_idle(clip, crossing.marker));
    });
}

fn lost_idle(clip: usize, mark: usize) -> LostInterval {
    LostInterval {
        source: CrossingSource::Idle,
        clip,
        marker: mark,
        weight: 1.0,
        mirrored: false,
    }
}

/// Carries the position on the idle clip over, also when the new version has another idle clip.
fn restore_idle(
    mut idle: Playhead,
    was: DefinitionWithMarkers<'_>,
    now: DefinitionWithMarkers<'_>,
    lose: &mut dyn FnMut(LostInterval),
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
    idle.rebind(&was.markers[old], &now.markers[new], |mark| {
        lose(lost_idle(old, mark));
    });
    idle
}

/// Binds actions to the new version's clips and bones by name; actions end if their clips no longer exist.
fn restore_actions(
    actions: &mut Vec<Action>,
    was: DefinitionWithMarkers<'_>,
    now: DefinitionWithMarkers<'_>,
    replaced: &mut Replaced,
) {
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
        let (old_marks, marks) = (&was.markers[action.clip], &now.markers[clip]);
        action.rebind(old_marks, marks, |mark| {
            replaced.lost.push(lost_of(&before, mark, was));
        });
        action.clip = clip;
        if let Some(mask) = &mut action.options.mask {
            restore_mask(mask, bones.0, bones.1);
        }
        true
    });
}

fn lose_action(action: &Action, was: DefinitionWithMarkers<'_>, lost: &mut Vec<LostInterval>) {
    let open = action.open_markers(&was.markers[action.clip]);
    lost.extend(open.map(|mark| lost_of(action, mark, was)));
}

fn lost_of(action: &Action, mark: usize, was: DefinitionWithMarkers<'_>) -> LostInterval {
    let duration = was.definition.clips.duration(action.clip);
    LostInterval {
        source: CrossingSource::Play(action.id),
        clip: action.clip,
        marker: mark,
        weight: action.weight(duration),
        mirrored: action.options.mirror,
    }
}

/// Maps weights by bone name. A new bone takes its parent's weight, like all bones below a bone of a mask.
fn restore_mask(mask: &mut Arc<Mask>, old: &Skeleton, new: &Skeleton) {
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
