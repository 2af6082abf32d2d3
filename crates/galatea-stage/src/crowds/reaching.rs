//! Reaching for smart objects by promoted agents.

use glam::Vec3;

use super::crowd_agent::CrowdAgent;
use super::objects::{SlotIkTarget, SmartObject};
use crate::{Arena, Ids};
use galatea_character::{
    Character, Goal, HandGrip, Modifier, ModifierKind, ModifierWeight, ReachModifier,
};

/// Prefix of the names of these modifiers.
const USES: &str = "uses ";
/// Duration in which a limb gets there, and back, seconds.
const FADE: f32 = 0.35;

/// Lets the limbs of a promoted agent reach for the object that it uses, or releases them.
pub(super) fn reach(
    character: &mut Character,
    person: &CrowdAgent,
    objects: &Arena<SmartObject>,
    ids: &mut Ids,
) {
    let using = person.behaviour.used_object.filter(|using| using.is_used());
    let object = using.and_then(|using| objects.get(using.object()));
    let wanted = object.map_or(&[][..], |object| &object.ik_targets);
    release_limbs(character, wanted);
    let Some((object, slot)) = object.zip(using.and_then(|using| using.slot())) else {
        return;
    };
    for own in wanted {
        let Some(place) = object.in_slot(slot, own.position) else {
            continue;
        };
        let name = format!("{USES}{}", own.limb);
        let known = character
            .modifiers
            .modifier_stack
            .as_mut()
            .and_then(|s| s.named(&name));
        if let Some(Modifier {
            kind: ModifierKind::Reach(known),
            is_released: false,
            ..
        }) = known
        {
            known.goal = Some(Goal::World(place));
        } else if let Some(kind) = reaching(character, own, place) {
            let mut weight = ModifierWeight::new(0.0);
            weight.fade(1.0, FADE);
            character.modifiers.modifier_stack_mut().add(Modifier {
                id: ids.new_id(),
                name,
                weight,
                kind: ModifierKind::Reach(Box::new(kind)),
                inactive_reason: None,
                is_released: false,
                is_reordered: false,
            });
        }
    }
}

/// Returns true for a modifier that reaches for a smart object.
pub(super) fn is_of_use(modifier: &Modifier) -> bool {
    modifier.name.starts_with(USES)
}

/// Releases the limbs that reached for an object, except those in `still`.
pub(super) fn release_limbs(character: &mut Character, still: &[SlotIkTarget]) {
    let stack = character.modifiers.modifier_stack.iter_mut();
    for modifier in stack.flat_map(|stack| &mut stack.modifiers) {
        let limb = modifier.name.strip_prefix(USES);
        let is_over = limb.is_some_and(|limb| still.iter().all(|own| own.limb != limb));
        if is_over && !modifier.is_released {
            modifier.release(FADE);
        }
    }
}

fn reaching(character: &Character, own: &SlotIkTarget, place: Vec3) -> Option<ReachModifier> {
    let definition = &character.definition;
    let bones = definition.limb_bones(definition.bone(&own.limb)?)?;
    let mut reaching = ReachModifier::of(definition, bones)?;
    reaching.goal = Some(Goal::World(place));
    reaching.full_body = own.full_body.then_some(false);
    reaching.grip = own.grip.map(|(to, palm)| {
        Box::new(HandGrip {
            to,
            palm,
            ..HandGrip::default()
        })
    });
    reaching.find_rest(definition);
    Some(reaching)
}
