//! Body language of lines and conversations: face, gestures, head movements and gaze.

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::talk::TalkContext;
use super::{Arena, Handle, Ids};
use galatea_anim::{BodyPart, Mask, PlayMode};
use galatea_character::{
    Action, ActionOptions, Character, FaceModifier, Goal, HeadMove, LookAtModifier, LookReach,
    LookTarget, MAX_MODIFIERS, Modifier, ModifierKind, ModifierWeight,
};
use galatea_rig::gaze::{Gaze, GazeOptions, GazeTiming};

/// Fade-out of a gaze modifier that a conversation created, seconds.
const FADE_OUT: f32 = 0.4;

/// Runs `f` with the face of a character; creates the face if needed.
pub(super) fn with_face(
    characters: &mut Arena<Character>,
    ids: &mut Ids,
    handle: Handle,
    f: impl FnOnce(&mut FaceModifier),
) {
    let id = ids.new_id();
    if let Some(character) = characters.get_mut(handle)
        && let Some(facing) =
            character
                .modifiers
                .face_mut(&character.definition, handle.to_u64(), id)
    {
        f(facing);
    }
}

/// A character's own clip for a gesture: with this name, or with this name and a suffix.
fn gesture_clip(character: &Character, name: &str) -> Option<usize> {
    let clips = &character.definition.clips;
    let is_variant = |clip: &str| {
        let rest = clip.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['_', ' ', '.', '1', '2', '3']))
    };
    clips
        .names()
        .position(|clip| clip == name)
        .or_else(|| clips.names().position(is_variant))
}

/// Returns true if a character can play a gesture of this name.
pub fn has_gesture(character: &Character, name: &str) -> bool {
    HeadMove::from_name(name).is_some() || gesture_clip(character, name).is_some()
}

/// Time from the start of a gesture to its stroke, seconds.
pub(super) fn time_to_stroke(characters: &Arena<Character>, handle: Handle, name: &str) -> f32 {
    let Some(character) = characters.get(handle) else {
        return 0.0;
    };
    match gesture_clip(character, name) {
        Some(clip) => {
            let marks = character.playback.markers.get(clip);
            let mut marks = marks.into_iter().flat_map(|marks| marks.iter());
            let stroke = marks
                .find(|mark| mark.event == "stroke")
                .map(|mark| mark.time);
            stroke.unwrap_or(0.4 * character.definition.clips.duration(clip))
        }
        None => HeadMove::from_name(name).map_or(0.0, HeadMove::time_to_peak),
    }
}

pub(super) fn gesture(
    talk: &mut TalkContext<'_>,
    handle: Handle,
    name: &str,
    strength: Option<f32>,
) {
    let id = talk.ids.new_id();
    let Some(character) = talk.characters.get(handle) else {
        return;
    };
    let Some(clip) = gesture_clip(character, name) else {
        if let Some(head) = HeadMove::from_name(name) {
            with_face(talk.characters, talk.ids, handle, |facing| {
                facing.move_head(head, strength.unwrap_or(1.0))
            });
        }
        return;
    };
    let definition = character.definition.clone();
    let humanoid = definition.clips.humanoid();
    // A walking character continues to walk.
    let upper = Mask::part(&definition.model.skeleton, humanoid, BodyPart::UpperBody);
    let options = ActionOptions {
        fade_in: 0.2,
        fade_out: 0.3,
        weight: strength.unwrap_or(1.0),
        mode: PlayMode::Once,
        mask: upper.map(Arc::new),
        ..ActionOptions::default()
    };
    let now = talk.clock.time();
    talk.characters
        .make_room_for_action(handle, now, talk.events);
    if let Some(character) = talk.characters.get_mut(handle) {
        let duration = definition.clips.duration(clip);
        character
            .playback
            .actions
            .push(Action::new(id, clip, duration, options));
    }
}

/// The face of a character as a gaze target; without a face, the position of the character.
fn face_of(characters: &Arena<Character>, other: Handle) -> Option<LookTarget> {
    let character = characters.get(other)?;
    let rig = character.definition.gaze_rig().ok();
    let size = rig.as_ref().map_or(0.0, |rig| rig.size);
    Some(LookTarget {
        goal: Goal::On {
            character: other,
            bone: rig.as_ref().map(|rig| rig.head.bone),
            at: rig.map_or(Vec3::ZERO, |rig| rig.eye_middle),
            turn: Quat::IDENTITY,
        },
        interest: 1.0,
        radius: 0.05 * size * character.placement.scale.abs(),
        position: None,
    })
}

/// The gaze modifier of a character, created if needed. `None` when it has too many modifiers.
fn gaze_modifier<'s>(
    characters: &'s mut Arena<Character>,
    ids: &mut Ids,
    handle: Handle,
    is_from_conversation: bool,
) -> Option<&'s mut Modifier> {
    let id = ids.new_id();
    let character = characters.get_mut(handle)?;
    let definition = character.definition.clone();
    let stack = character.modifiers.modifier_stack_mut();
    if stack.named("look_at").is_none() && stack.modifiers.len() < MAX_MODIFIERS {
        let reach = LookReach {
            eyes: 1.0,
            head: 1.0,
            eye_range: [None; 3],
        };
        let gaze = Gaze::new(GazeOptions::default(), handle.to_u64());
        let (mut looking, missing) = LookAtModifier::new(&definition, gaze, reach);
        looking.is_from_conversation = is_from_conversation;
        let mut weight = ModifierWeight::new(0.0);
        weight.fade(1.0, 0.25);
        stack.add(Modifier {
            id,
            name: "look_at".into(),
            weight,
            kind: ModifierKind::LookAt(Box::new(looking)),
            inactive_reason: missing,
            is_released: false,
            is_reordered: false,
        });
    }
    stack.named("look_at")
}

/// Makes a character glance at a target for a while, over its other gaze targets. The target has a name, and a handle
/// if it is known.
pub(super) fn glance(
    talk: &mut TalkContext<'_>,
    handle: Handle,
    (name, known): (&str, Option<Handle>),
    seconds: f32,
) {
    let thing = |goal| LookTarget {
        goal,
        interest: 1.0,
        radius: 0.0,
        position: None,
    };
    let found = match (name, known) {
        (_, Some(other)) => Some(other).filter(|other| *other != handle),
        ("camera" | "away", None) => None,
        (name, None) => talk.characters.named(name).filter(|other| *other != handle),
    };
    let at = match name {
        "camera" if known.is_none() => Some(thing(Goal::Camera)),
        _ => found.and_then(|other| face_of(talk.characters, other)),
    };
    let side = if talk.rng.unit() < 0.5 { -1.0 } else { 1.0 };
    let aside = || {
        let character = talk.characters.get(handle)?;
        let rig = character.definition.gaze_rig().ok()?;
        let head = character
            .posed
            .model_from_bone
            .get(usize::from(rig.head.bone))?;
        let eyes = (*head).transform_point3(rig.eye_middle);
        let aside = Vec3::new(0.9 * side, 0.25, 1.5) * rig.size;
        Some(thing(Goal::Own(eyes + rig.model_from_character * aside)))
    };
    let Some(at) = at.or_else(aside) else { return };
    if let Some(modifier) = gaze_modifier(talk.characters, talk.ids, handle, false)
        && let ModifierKind::LookAt(looking) = &mut modifier.kind
    {
        looking.glance = Some((at, seconds));
    }
}

/// Makes a character look at another for a conversation, instead of its other gaze target.
pub(super) fn look_in_talk(
    characters: &mut Arena<Character>,
    ids: &mut Ids,
    handle: Handle,
    other: Option<Handle>,
    manner: GazeTiming,
) {
    let at = other.and_then(|other| face_of(characters, other));
    let Some(modifier) = gaze_modifier(characters, ids, handle, true) else {
        return;
    };
    let was_let_go = std::mem::take(&mut modifier.is_released);
    if was_let_go {
        modifier.weight.fade(1.0, 0.25);
    }
    if let ModifierKind::LookAt(looking) = &mut modifier.kind {
        if was_let_go {
            looking.is_from_conversation = true;
            looking.targets.clear();
        }
        looking.conversation_target = at.map(|at| (at, manner));
    }
}

/// Ends the gaze of a conversation: the previous target returns.
pub(super) fn end_look_in_talk(characters: &mut Arena<Character>, handle: Handle) {
    let character = characters.get_mut(handle);
    let stack = character.and_then(|character| character.modifiers.modifier_stack.as_mut());
    if let Some(modifier) = stack.and_then(|stack| stack.named("look_at"))
        && let ModifierKind::LookAt(looking) = &mut modifier.kind
    {
        looking.conversation_target = None;
        if looking.is_from_conversation && !modifier.is_released {
            modifier.release(FADE_OUT);
        }
    }
}
