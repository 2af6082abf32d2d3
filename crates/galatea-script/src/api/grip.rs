//! `hero:grip`: closes the fingers of a hand.

use mlua::{Lua, Value};

use super::check::{Args, Options, Param, Type};
use super::group::Function;
use super::modifier_list::{ModifierOptions, put};
use super::pointing::{check_name, releases};
use galatea_anim::humanoid::Side;
use galatea_character::{GripModifier, HandGrip, ModifierKind};
use galatea_derive::Options;
use galatea_stage::{Handle, Stage};

/// Time in which a hand opens after its prop was taken, seconds.
const OPENS: f32 = 0.25;

/// Name of the modifier of one hand.
fn name_of(hand: &str) -> String {
    format!("{hand}_grip")
}

/// Options of `hero:grip`.
#[derive(Options)]
struct GripOptions {
    #[option(flatten)]
    modifier: ModifierOptions,
}

fn grip(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let hand = args.text(1).unwrap_or_default();
    let target = args.value(2);
    let GripOptions { modifier } = args.options(3)?;
    let name = name_of(&hand);
    if releases(lua, handle, &name, &target, modifier.fade)? {
        return Ok(Value::Nil);
    }
    let to = args.number(2).unwrap_or(1.0).clamp(0.0, 1.0) as f32;
    put(lua, handle, "grip", name.clone(), modifier, |character| {
        check_name(character, "grip", &name, "grip")?;
        let definition = character.definition.clone();
        let known = character
            .modifiers
            .modifier_stack_mut()
            .named(&name)
            .map(|known| &known.kind);
        let now = match known {
            Some(ModifierKind::Grip(known)) => known.grip.now,
            _ => to,
        };
        let is_right = hand == "right_hand";
        let mut gripping = GripModifier {
            side: if is_right { Side::Right } else { Side::Left },
            grip: HandGrip {
                to,
                now,
                ..HandGrip::default()
            },
            held_object: None,
        };
        let missing = gripping.rebind(&definition).err();
        Ok((ModifierKind::Grip(Box::new(gripping)), missing))
    })
}

/// Binds the grip of a hand to a prop, until the prop is taken from it.
pub(super) fn holds(stage: &mut Stage, who: Handle, hand: &str, thing: Handle) {
    let character = stage.characters.get_mut(who);
    let stack = character.and_then(|character| character.modifiers.modifier_stack.as_mut());
    if let Some(modifier) = stack.and_then(|stack| stack.named(&name_of(hand)))
        && let ModifierKind::Grip(gripping) = &mut modifier.kind
    {
        gripping.held_object = Some(thing);
    }
}

/// Opens the hands that hold a prop, because the prop leaves them.
pub(super) fn open_from(stage: &mut Stage, thing: Handle) {
    let held = stage
        .characters
        .get(thing)
        .and_then(|thing| thing.attachment);
    let holder = held.and_then(|held| stage.characters.get_mut(held.holder));
    let stack = holder.and_then(|holder| holder.modifiers.modifier_stack.as_mut());
    for modifier in stack.into_iter().flat_map(|stack| &mut stack.modifiers) {
        if matches!(&modifier.kind, ModifierKind::Grip(gripping) if gripping.held_object == Some(thing))
        {
            modifier.release(OPENS);
        }
    }
}

/// `hero:grip(hand, amount)`.
pub(super) const GRIP: Function = Function {
    name: "grip",
    params: &[
        Param {
            name: "hand",
            ty: Type::Word(&["left_hand", "right_hand"]),
            optional: false,
        },
        Param {
            name: "amount",
            ty: Type::Number,
            optional: true,
        },
        Param::options(GripOptions::SHAPE),
    ],
    returns: "Modifier",
    doc: "Closes the fingers of a hand: around an attached prop, otherwise to a fist. `hand` is \"left_hand\" or \
          \"right_hand\". `amount` goes from 0, the pose of the clips, to 1, closed. Fingers that a clip closes \
          further stay as they are. Nil as the amount releases the grip. To close a hand when it reaches a target, \
          use the option `grip` of `reach`.",
    example: "hero:grip(\"right_hand\", 0.9, { fade = 0.2 })\nhero:grip(\"right_hand\")",
    call: grip,
};
