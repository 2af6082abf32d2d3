//! Which time each character follows, and the part of a tick for those that follow unscaled time.

use super::camera::CameraTarget;
use super::marker_events::{advance_actions, locate_events};
use super::modifier_stacks;
use super::script::Script;
use super::steps::{
    advance_machines, advance_surfaces, begin, deliver_events, evaluate_poses, follow_camera,
    move_after_poses, place_in_world, turn_on_the_spot,
};
use super::{Arena, Characters, Effects, Handle, Stage, attachments, controllers, ui};
use galatea_character::{Character, Pass, TimeBase};

impl Arena<Character> {
    /// The characters that follow this time, in slot order, mutable.
    pub(super) fn following(
        &mut self,
        base: TimeBase,
    ) -> impl Iterator<Item = (Handle, &mut Character)> {
        self.iter_mut()
            .filter(move |(_, character)| character.time.base == base)
    }
}

impl Stage {
    /// Returns true if the camera looks through the eyes of a character.
    pub(super) fn camera_has_eyes(&self) -> bool {
        self.camera.behind_eyes_of().is_some()
    }

    /// Time that the target of the camera follows.
    pub(super) fn base_of_camera_target(&self) -> TimeBase {
        let target = match self.camera.set.target {
            CameraTarget::Follow(handle, _) | CameraTarget::Eyes(handle) => Some(handle),
            CameraTarget::Point(_) => None,
        };
        let character = target.and_then(|handle| self.characters.get(handle));
        character.map_or(TimeBase::Stage, |character| character.time.base)
    }

    /// Time that the camera follows: behind the eyes of a character that of the character, otherwise unscaled time.
    pub(super) fn time_base_of_camera(&self) -> TimeBase {
        let eyes = self.camera.behind_eyes_of();
        let character = eyes.and_then(|handle| self.characters.get(handle));
        character.map_or(TimeBase::Unscaled, |character| character.time.base)
    }
}

/// Decides which time each character follows in this tick. Returns true if any follows unscaled time.
pub(super) fn assign(characters: &mut Characters, effects: &Effects) -> bool {
    let is_special = |character: &Character| {
        character.time.is_unscaled || character.time.base == TimeBase::Unscaled
    };
    if !characters
        .iter()
        .any(|(_, character)| is_special(character))
    {
        return false;
    }
    for (_, character) in characters.iter_mut() {
        let is_unscaled = character.time.is_unscaled && character.body.limbs.is_none();
        character.time.base = match is_unscaled {
            true => TimeBase::Unscaled,
            false => TimeBase::Stage,
        };
    }
    let held = characters.iter();
    let held: Vec<Handle> = held
        .filter(|(_, character)| character.attachment.is_some())
        .map(|(handle, _)| handle)
        .collect();
    for &handle in &held {
        // The attach function refuses cycles.
        let holders = std::iter::successors(Some(handle), |handle| characters.holder(*handle));
        let top = holders.take(held.len() + 1).last();
        let base = top.and_then(|top| Some(characters.get(top)?.time.base));
        set_base(characters, handle, base);
    }
    for (_, piece) in effects.hair.iter() {
        let wearer = characters.get(piece.wearer.0);
        let base = wearer.map(|wearer| wearer.time.base);
        set_base(characters, piece.character, base);
    }
    let mut all = characters.iter();
    all.any(|(_, character)| character.time.base == TimeBase::Unscaled)
}

fn set_base(characters: &mut Characters, handle: Handle, base: Option<TimeBase>) {
    if let (Some(character), Some(base)) = (characters.get_mut(handle), base) {
        character.time.base = base;
    }
}

/// Advances the characters that follow unscaled time by one tick: animation, walking, modifiers and secondary motion. What
/// belongs to the whole stage, such as rigid bodies and crowds, follows stage time.
pub(super) fn advance_unscaled(stage: &mut Stage, script: &mut dyn Script) {
    let (clock, dt, base) = (stage.clock, stage.clock.dt, TimeBase::Unscaled);
    begin(&mut stage.characters, base);
    ui::begin(&mut stage.ui, base, clock.time());
    advance_machines(stage, base, script);
    turn_on_the_spot(&mut stage.characters, &mut stage.ids, base, dt);
    advance_actions(&mut stage.characters, base, clock, &mut stage.events);
    advance_surfaces(&mut stage.characters, base, dt);
    evaluate_poses(&mut stage.characters, base, dt, true);
    let (physics, floor) = (&mut stage.physics, &stage.floor);
    let mut walked = controllers::walk(physics, &mut stage.characters, floor, base, clock);
    stage.events.append(&mut walked);
    place_in_world(&mut stage.characters, base);
    modifier_stacks::apply(stage, Some(&mut *script), (Pass::Last, base), dt);
    attachments::place_attachments(&mut stage.characters);
    move_after_poses(stage, base, dt);
    ui::follow(&mut stage.ui, &stage.characters);
    let Stage {
        events,
        characters,
        floor,
        scratch,
        ..
    } = &mut *stage;
    locate_events(events, characters, floor, &mut scratch.order);
    if stage.base_of_camera_target() == base {
        follow_camera(stage);
    }
    deliver_events(stage, script);
}
