//! `hero:lean` and `hero:strafe`: how a body carries itself as it goes.

use mlua::{Lua, Value};

use super::Function;
use super::character::find;
use super::check::{Args, Field, Fields, Param, Type};
use super::stack::{fade_of, modifier_fields, put};
use crate::world::with_world;
use galatea_character::{Kind, Leaning, Strafing};
use galatea_rig::carriage::{Lean, LeanOptions, Strafe, StrafeOptions};

/// Sets a number of the options, in `unit`s, 0 to `most` of them.
fn set(fields: &Fields, name: &str, place: &mut f32, most: f64, unit: f64) {
    if let Some(n) = fields.number(name) {
        *place = (n.clamp(0.0, most) * unit) as f32;
    }
}

/// Fades a modifier out when its function is called with false. True when it was. One that goes after something
/// leaves then; one that is a manner of the body stays, with all that it was told.
pub(super) fn ends(lua: &Lua, args: &Args, name: &str) -> mlua::Result<bool> {
    if args.bool(1) != Some(false) {
        return Ok(false);
    }
    let handle = args.character()?;
    with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        if let Some(modifier) = character.modifiers.stack_mut().named(name) {
            let seconds = fade_of(&args.fields(2));
            if matches!(modifier.kind, Kind::Look(_) | Kind::Sit(_)) {
                modifier.let_go(seconds);
            } else {
                modifier.weight.fade(0.0, seconds);
            }
        }
        Ok(true)
    })
}

fn lean(lua: &Lua, args: Args) -> mlua::Result<Value> {
    if ends(lua, &args, "lean")? {
        return Ok(Value::Nil);
    }
    let handle = args.character()?;
    let fields = args.fields(1);
    put(lua, handle, "lean", "lean".into(), &fields, |character| {
        let carriage = character.definition.carriage();
        let missing = carriage.as_ref().err().cloned();
        let known = character
            .modifiers
            .stack_mut()
            .named("lean")
            .map(|known| &known.kind);
        let (mut options, lean) = match known {
            Some(Kind::Lean(known)) => (known.options, known.lean),
            _ => (LeanOptions::default(), Lean::default()),
        };
        set(&fields, "turn", &mut options.turn, 4.0, 1.0);
        set(&fields, "speed", &mut options.speed, 4.0, 1.0);
        set(&fields, "slope", &mut options.slope, 4.0, 1.0);
        set(&fields, "most", &mut options.most, 60.0, 1f64.to_radians());
        set(&fields, "smooth", &mut options.smooth, 10.0, 1.0);
        let leaning = Leaning {
            carriage: carriage.ok(),
            options,
            lean,
        };
        Ok((Kind::Lean(Box::new(leaning)), missing))
    })
}

/// `hero:lean()`.
pub(super) const LEAN: Function = Function {
    name: "lean",
    params: &[Param {
        name: "options",
        ty: Type::OneOf(&[
            Type::Fields(modifier_fields!(
                Field {
                    name: "turn",
                    ty: Type::Number,
                    doc: "share of the lean that would balance a turn; 0.7",
                },
                Field {
                    name: "speed",
                    ty: Type::Number,
                    doc: "share of the lean that would balance speeding up and slowing down; 0.4",
                },
                Field {
                    name: "slope",
                    ty: Type::Number,
                    doc: "share of the slope by which it leans into the hill; 0.35",
                },
                Field {
                    name: "most",
                    ty: Type::Number,
                    doc: "degrees to any side; 20",
                },
                Field {
                    name: "smooth",
                    ty: Type::Number,
                    doc: "seconds in which it does so; 0.18",
                },
            )),
            Type::Bool,
        ]),
        optional: true,
    }],
    returns: "Modifier",
    doc: "Leans its body into turns, against speeding up and slowing down, and into the hill. `false` fades it \
          out.",
    example: "hero:lean { turn = 1 }\nhero:lean(false)",
    call: lean,
};

fn strafe(lua: &Lua, args: Args) -> mlua::Result<Value> {
    if ends(lua, &args, "strafe")? {
        return Ok(Value::Nil);
    }
    let handle = args.character()?;
    let fields = args.fields(1);
    put(
        lua,
        handle,
        "strafe",
        "strafe".into(),
        &fields,
        |character| {
            let carriage = character.definition.carriage();
            let missing = carriage.as_ref().err().cloned();
            let known = character
                .modifiers
                .stack_mut()
                .named("strafe")
                .map(|known| &known.kind);
            let (mut options, strafe) = match known {
                Some(Kind::Strafe(known)) => (known.options, known.strafe),
                _ => (StrafeOptions::default(), Strafe::default()),
            };
            set(&fields, "most", &mut options.most, 180.0, 1f64.to_radians());
            set(&fields, "spine", &mut options.spine, 1.0, 1.0);
            set(&fields, "smooth", &mut options.smooth, 10.0, 1.0);
            let strafing = Strafing {
                carriage: carriage.ok(),
                options,
                strafe,
            };
            Ok((Kind::Strafe(Box::new(strafing)), missing))
        },
    )
}

/// `hero:strafe()`.
pub(super) const STRAFE: Function = Function {
    name: "strafe",
    params: &[Param {
        name: "options",
        ty: Type::OneOf(&[
            Type::Fields(modifier_fields!(
                Field {
                    name: "most",
                    ty: Type::Number,
                    doc: "degrees by which the hips turn away from where it looks; beyond that it walks backwards; 100",
                },
                Field {
                    name: "spine",
                    ty: Type::Number,
                    doc: "share of that which the spine turns back; 1",
                },
                Field {
                    name: "smooth",
                    ty: Type::Number,
                    doc: "seconds in which the hips turn; 0.12",
                },
            )),
            Type::Bool,
        ]),
        optional: true,
    }],
    returns: "Modifier",
    doc: "Turns its hips and legs to where it walks and its spine back, so that one clip of walking ahead serves \
          all directions under a trunk that looks or aims ahead; for a controller with `face = false`. When it \
          walks backwards `stepping` gives -1: play the clip backwards then. `false` fades it out.",
    example: "hero:controller { face = false }\nhero:strafe()\nhero:strafe(false)",
    call: strafe,
};

fn get_stepping(lua: &Lua, args: Args) -> mlua::Result<Value> {
    super::character::with_character(lua, &args, |_, character| {
        let modifiers = character
            .modifiers
            .stack
            .iter()
            .flat_map(|stack| &stack.modifiers);
        let backwards = modifiers.into_iter().any(|modifier| match &modifier.kind {
            Kind::Strafe(strafing) => modifier.weight.shown > 0.0 && strafing.strafe.state().1,
            _ => false,
        });
        Ok(Value::Number(if backwards { -1.0 } else { 1.0 }))
    })
}

/// `hero.stepping`.
pub(super) const STEPPING: super::Property = super::Property {
    name: "stepping",
    ty: "number",
    doc: "-1 while `strafe` has it walk backwards, else 1: a factor for the speed of its walk.",
    get: get_stepping,
    set: None,
};
