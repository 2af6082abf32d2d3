//! `hero:lean` and `hero:orientation_warp`: procedural leaning and orientation warping.

use mlua::{Lua, Value};

use super::character_ref::find;
use super::check::{Args, OptionValue, Param, Type};
use super::group::Function;
use super::modifier_list::{ModifierOptions, put};
use crate::world::with_world;
use galatea_character::{LeanModifier, ModifierKind, OrientationWarpModifier};
use galatea_derive::Options;
use galatea_rig::lean_and_warp;

/// Fades a modifier out if its function is called with false, and returns true then. Look-at and sit modifiers are
/// removed after the fade; other modifiers stay, with their settings.
pub(super) fn ends(lua: &Lua, args: &Args, name: &str, fade: f32) -> mlua::Result<bool> {
    if args.bool(1) != Some(false) {
        return Ok(false);
    }
    let handle = args.character()?;
    with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        if let Some(modifier) = character.modifiers.modifier_stack_mut().named(name) {
            if matches!(
                modifier.kind,
                ModifierKind::LookAt(_) | ModifierKind::Sit(_)
            ) {
                modifier.release(fade);
            } else {
                modifier.weight.fade(0.0, fade);
            }
        }
        Ok(true)
    })
}

/// Options of `hero:lean`. Fields left out keep their values.
#[derive(Options)]
struct LeanOptions {
    #[option(flatten)]
    modifier: ModifierOptions,
    /// Lean in turns, as a fraction of the angle that would keep the body in balance.
    #[option(default_doc = "0.7", clamp = 0.0..=4.0)]
    turn: Option<f32>,
    /// Lean while the character speeds up and slows down, as a fraction of the angle that would keep it in balance.
    #[option(default_doc = "0.4", clamp = 0.0..=4.0)]
    acceleration: Option<f32>,
    /// Lean into a hill, as a fraction of the angle of the slope.
    #[option(default_doc = "0.35", clamp = 0.0..=4.0)]
    slope: Option<f32>,
    /// Maximum angle of the lean in any direction.
    #[option(default_doc = "20", unit = "degrees", clamp = 0.0..=60.0)]
    max_angle: Option<f64>,
    /// Time in which the lean follows a change. Longer times are smoother.
    #[option(default_doc = "0.18", unit = "seconds", clamp = 0.0..=10.0)]
    smooth_time: Option<f32>,
}

/// Converts to radians with the precision of Lua's numbers.
fn radians(degrees: f64) -> f32 {
    degrees.to_radians() as f32
}

fn lean(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let new: LeanOptions = args.options(1)?;
    if ends(lua, &args, "lean", new.modifier.fade)? {
        return Ok(Value::Nil);
    }
    let handle = args.character()?;
    let common = new.modifier;
    put(lua, handle, "lean", "lean".into(), common, |character| {
        let carriage = character.definition.hip_spine_rig();
        let missing = carriage.as_ref().err().cloned();
        let known = character
            .modifiers
            .modifier_stack_mut()
            .named("lean")
            .map(|known| &known.kind);
        let (options, lean) = match known {
            Some(ModifierKind::Lean(known)) => (known.options, known.lean),
            _ => Default::default(),
        };
        let leaning = LeanModifier {
            rig: carriage.ok(),
            options: lean_and_warp::LeanSettings {
                turn: new.turn.unwrap_or(options.turn),
                acceleration: new.acceleration.unwrap_or(options.acceleration),
                slope: new.slope.unwrap_or(options.slope),
                max_angle: new.max_angle.map_or(options.max_angle, radians),
                smooth_time: new.smooth_time.unwrap_or(options.smooth_time),
            },
            lean,
        };
        Ok((ModifierKind::Lean(Box::new(leaning)), missing))
    })
}

/// `hero:lean()`.
pub(super) const LEAN: Function = Function {
    name: "lean",
    params: &[Param {
        name: "options",
        ty: Type::OneOf(&[LeanOptions::TYPE, Type::Bool]),
        optional: true,
    }],
    returns: "Modifier",
    doc: "Makes the body lean into turns, lean when it speeds up or slows down, and lean into a hill. `lean(false)` fades it \
          out.",
    example: "hero:lean { turn = 1 }\nhero:lean(false)",
    call: lean,
};

/// Options of `hero:orientation_warp`. Fields left out keep their values.
#[derive(Options)]
struct OrientationWarpOptions {
    #[option(flatten)]
    modifier: ModifierOptions,
    /// Maximum angle between the hips and the direction that the character faces. Beyond it, the character walks
    /// backwards.
    #[option(default_doc = "100", unit = "degrees", clamp = 0.0..=180.0)]
    max_angle: Option<f64>,
    /// Fraction of the rotation of the hips by which the spine turns back.
    #[option(default_doc = "1", clamp = 0.0..=1.0)]
    spine: Option<f32>,
    /// Time in which the hips follow a change of direction. Longer times are smoother.
    #[option(default_doc = "0.12", unit = "seconds", clamp = 0.0..=10.0)]
    smooth_time: Option<f32>,
}

fn orientation_warp(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let new: OrientationWarpOptions = args.options(1)?;
    if ends(lua, &args, "orientation_warp", new.modifier.fade)? {
        return Ok(Value::Nil);
    }
    let handle = args.character()?;
    put(
        lua,
        handle,
        "orientation_warp",
        "orientation_warp".into(),
        new.modifier,
        |character| {
            let carriage = character.definition.hip_spine_rig();
            let missing = carriage.as_ref().err().cloned();
            let known = character
                .modifiers
                .modifier_stack_mut()
                .named("orientation_warp")
                .map(|known| &known.kind);
            let (options, strafe) = match known {
                Some(ModifierKind::OrientationWarp(known)) => (known.options, known.warp),
                _ => Default::default(),
            };
            let strafing = OrientationWarpModifier {
                rig: carriage.ok(),
                options: lean_and_warp::OrientationWarpSettings {
                    max_angle: new.max_angle.map_or(options.max_angle, radians),
                    spine: new.spine.unwrap_or(options.spine),
                    smooth_time: new.smooth_time.unwrap_or(options.smooth_time),
                    ..options
                },
                warp: strafe,
            };
            Ok((ModifierKind::OrientationWarp(Box::new(strafing)), missing))
        },
    )
}

/// `hero:orientation_warp()`.
pub(super) const ORIENTATION_WARP: Function = Function {
    name: "orientation_warp",
    params: &[Param {
        name: "options",
        ty: Type::OneOf(&[OrientationWarpOptions::TYPE, Type::Bool]),
        optional: true,
    }],
    returns: "Modifier",
    doc: "Turns the hips and legs to the direction of movement, and the spine back. So one clip of walking forwards serves \
          for all directions, while the upper body looks or aims ahead. Use it with `controller { turn_to_movement = false \
          }`. When the character walks backwards, `walk_sign` is -1: play the clip backwards then. `orientation_warp(false)` \
          fades it out.",
    example: "hero:controller { turn_to_movement = false }\nhero:orientation_warp()\nhero:orientation_warp(false)",
    call: orientation_warp,
};

fn get_walk_sign(lua: &Lua, args: Args) -> mlua::Result<Value> {
    super::character_ref::with_character(lua, &args, |_, character| {
        let modifiers = character
            .modifiers
            .modifier_stack
            .iter()
            .flat_map(|stack| &stack.modifiers);
        let backwards = modifiers.into_iter().any(|modifier| match &modifier.kind {
            ModifierKind::OrientationWarp(strafing) => {
                modifier.weight.effective_weight > 0.0 && strafing.warp.state().1
            }
            _ => false,
        });
        Ok(Value::Number(if backwards { -1.0 } else { 1.0 }))
    })
}

/// `hero.walk_sign`.
pub(super) const WALK_SIGN: super::group::Property = super::group::Property {
    name: "walk_sign",
    ty: "number",
    doc: "-1 while the character walks backwards with `orientation_warp`, otherwise 1. Multiply the playback speed of the \
          walking clip by it.",
    get: get_walk_sign,
    set: None,
};
