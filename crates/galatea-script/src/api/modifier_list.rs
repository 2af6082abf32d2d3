//! `hero:modifiers`: the ordered modifiers of a character, and the handle to one of them.

use mlua::{Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::character_ref::{find, with_character};
use super::check::{Args, Options, Param, Type};
use super::group::{Function, Group, Kind, Property};
use super::modifier_text::line;
use crate::world::with_world;
use galatea_character::{
    Character, MAX_MODIFIERS, Modifier, ModifierKind as Does, ModifierWeight, WeightCurve,
};
use galatea_derive::Options;
use galatea_math::names::nearest_hint;
use galatea_stage::Handle;

/// Script handle to a modifier.
#[derive(Clone, Copy, Debug)]
pub(super) struct ModifierRef {
    character: Handle,
    id: u64,
}

impl UserData for ModifierRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
        methods.add_meta_function("__tostring", |lua, this: Value| {
            let args = Args::unchecked([this]);
            with_modifier(lua, &args, |modifier| Ok(line(modifier)))
        });
    }
}

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

fn gone() -> mlua::Error {
    wrong("this modifier was removed from its character")
}

/// Options common to all modifiers.
#[derive(Options)]
pub(super) struct ModifierOptions {
    /// Blend weight: how much this modifier changes the pose.
    #[option(default = 1.0, clamp = 0.0..=1.0)]
    weight: f32,
    /// Time in which the modifier fades in and out.
    #[option(default = 0.25, unit = "seconds", clamp = 0.0..=1e3)]
    pub fade: f32,
    /// Name of a curve (a number over time in the clips) that multiplies `weight`.
    weight_curve: Option<String>,
    /// Distance from the camera beyond which the modifier is off. It fades out over the last fifth of this distance.
    #[option(default_doc = "no limit", unit = "metres", clamp = 0.0..)]
    max_distance: Option<f32>,
}

/// Applies the common options to a weight. A new weight starts at 0 and fades in.
fn set_weight_of(
    what: &str,
    options: ModifierOptions,
    weight: &mut ModifierWeight,
    curves: &[String],
) -> mlua::Result<()> {
    if let Some(name) = options.weight_curve {
        let index = curves.iter().position(|curve| *curve == name);
        let Some(index) = index else {
            let hint = nearest_hint(&name, curves.iter().map(String::as_str));
            return Err(wrong(format!("{what}: no clip has a curve {name:?}{hint}")));
        };
        weight.weight_curve = Some(WeightCurve { name, index });
    }
    weight.max_distance = options.max_distance.or(weight.max_distance);
    weight.fade(options.weight, options.fade);
    Ok(())
}

/// Adds a modifier to a character and returns its handle. A modifier of the same name is replaced; its weight
/// continues.
pub(super) fn put(
    lua: &Lua,
    handle: Handle,
    what: &str,
    name: String,
    options: ModifierOptions,
    make: impl FnOnce(&mut Character) -> mlua::Result<(Does, Option<String>)>,
) -> mlua::Result<Value> {
    let (id, told) = with_world(lua, |world| {
        let new_id = world.stage.ids.new_id();
        let character = find(&mut world.stage, handle)?;
        let (kind, missing) = make(character)?;
        let definition = character.definition.clone();
        let stack = character.modifiers.modifier_stack_mut();
        let known = stack.named(&name);
        let mut weight = ModifierWeight::new(0.0);
        let mut id = new_id;
        let lacks = missing
            .clone()
            .or(kind.missing_features().map(String::from));
        let (mut lacked, mut placed) = (None, false);
        if let Some(known) = known {
            (weight, id) = (known.weight.clone(), known.id);
            lacked = known.inactive_reason.clone();
            lacked = lacked.or(known.kind.missing_features().map(String::from));
            placed = known.is_reordered;
        } else if stack.modifiers.len() >= MAX_MODIFIERS {
            let most = format!("{what}: a character can have at most {MAX_MODIFIERS} modifiers");
            return Err(wrong(most));
        }
        set_weight_of(what, options, &mut weight, definition.clips.curve_names())?;
        let off = if missing.is_some() {
            " is disabled"
        } else {
            ""
        };
        let told = lacks.filter(|why| lacked.as_ref() != Some(why));
        let told = told.map(|why| format!("{}: {what}{off}: {why}", definition.model.name));
        stack.add(Modifier {
            id,
            name,
            weight,
            kind,
            inactive_reason: missing,
            is_released: false,
            is_reordered: placed,
        });
        Ok((id, told))
    })?;
    if let Some(told) = told {
        with_world(lua, |world| {
            world.print(told);
            Ok(())
        })?;
    }
    hold(lua, handle, id)
}

/// Creates the handle to a modifier.
pub(super) fn hold(lua: &Lua, character: Handle, id: u64) -> mlua::Result<Value> {
    let held = lua.create_userdata(ModifierRef { character, id })?;
    Ok(Value::UserData(held))
}

fn with_modifier<R>(
    lua: &Lua,
    args: &Args,
    f: impl FnOnce(&mut Modifier) -> mlua::Result<R>,
) -> mlua::Result<R> {
    let held: ModifierRef = args.object(0).ok_or_else(gone)?;
    with_world(lua, |world| {
        let character = world.stage.characters.get_mut(held.character);
        let stack = character
            .and_then(|c| c.modifiers.modifier_stack.as_mut())
            .ok_or_else(gone)?;
        f(stack.get_mut(held.id).ok_or_else(gone)?)
    })
}

/// Reads a value of a modifier; `None` if it was removed.
fn read<R>(lua: &Lua, args: &Args, f: impl FnOnce(&Modifier) -> R) -> mlua::Result<Option<R>> {
    let held: ModifierRef = args.object(0).ok_or_else(gone)?;
    with_world(lua, |world| {
        let character = world.stage.characters.get_mut(held.character);
        let stack = character.and_then(|c| c.modifiers.modifier_stack.as_mut());
        Ok(stack.and_then(|stack| Some(f(stack.get_mut(held.id)?))))
    })
}

/// Changes the weight of a modifier. A removed modifier already has weight 0, so lowering it succeeds.
fn show(
    lua: &Lua,
    args: &Args,
    weight: f32,
    f: impl FnOnce(&mut ModifierWeight),
) -> mlua::Result<Value> {
    let is_none = weight <= 0.0;
    if is_none && read(lua, args, |_| ())?.is_none() {
        return Ok(Value::Nil);
    }
    with_modifier(lua, args, |modifier| {
        f(&mut modifier.weight);
        if !is_none {
            modifier.is_released = false;
        }
        Ok(Value::Nil)
    })
}

fn modifiers(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let all: Vec<(u64, String)> = with_character(lua, &args, |_, character| {
        let modifiers = character
            .modifiers
            .modifier_stack
            .iter()
            .flat_map(|stack| &stack.modifiers);
        Ok(modifiers.map(|m| (m.id, line(m))).collect())
    })?;
    let list = lua.create_table()?;
    let mut text = String::new();
    for (i, (id, line)) in all.into_iter().enumerate() {
        list.raw_push(hold(lua, handle, id)?)?;
        text.push_str(&format!(
            "{}{}. {line}",
            if i > 0 { "\n" } else { "" },
            i + 1
        ));
    }
    if text.is_empty() {
        text.push_str("no modifiers");
    }
    let meta = lua.create_table()?;
    let shown = lua.create_string(&text)?;
    let tell = lua.create_function(move |_, _: Table| Ok(shown.clone()))?;
    meta.raw_set("__tostring", tell)?;
    list.set_metatable(Some(meta))?;
    Ok(Value::Table(list))
}

/// `hero:modifiers()`.
pub(super) const MODIFIERS: Function = Function {
    name: "modifiers",
    params: &[],
    returns: "{ Modifier }",
    doc: "Returns all modifiers of the character, in the order in which they run. A modifier, such as foot IK, changes the \
          pose after the animation. `print(hero:modifiers())` prints one line for each. The order within a tick is: state \
          machine and plays, root motion, locomotion and physics, modifiers, springs, cloth and hair.",
    example: "print(hero:modifiers())\nfor _, modifier in hero:modifiers() do modifier:fade(0, 0.2) end",
    call: modifiers,
};

fn modifier(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(1).unwrap_or_default();
    let handle = args.character()?;
    let id = with_character(lua, &args, |_, character| {
        let stack = character.modifiers.modifier_stack.as_mut();
        Ok(stack.and_then(|stack| Some(stack.named(&name)?.id)))
    })?;
    id.map_or(Ok(Value::Nil), |id| hold(lua, handle, id))
}

/// `hero:modifier(name)`.
pub(super) const MODIFIER: Function = Function {
    name: "modifier",
    params: &[Param {
        name: "name",
        ty: Type::Text,
        optional: false,
    }],
    returns: "Modifier?",
    doc: "Returns the modifier with this name, or nil.",
    example: "hero:foot_ik()\nhero:modifier(\"foot_ik\").enabled = false",
    call: modifier,
};

/// Options of `hero:add_modifier`.
#[derive(Options)]
struct ModifyOptions {
    #[option(flatten)]
    modifier: ModifierOptions,
    /// Name of another modifier; this one runs before it.
    before: Option<String>,
    /// Name of another modifier; this one runs after it.
    #[option(default_doc = "after the built-in modifiers")]
    after: Option<String>,
}

fn add_modifier(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let name = args.text(1).unwrap_or_default();
    let options: ModifyOptions = args.options(3)?;
    let Some(function) = args.function(2) else {
        return Err(wrong("add_modifier: expected a function"));
    };
    // A second call for the same modifier replaces its function.
    let number = with_world(lua, |world| {
        let fresh = world.stage.ids.new_id();
        let stack = find(&mut world.stage, handle)?
            .modifiers
            .modifier_stack_mut();
        Ok(match stack.named(&name).map(|known| &known.kind) {
            Some(Does::Script(number)) => *number,
            _ => fresh,
        })
    })?;
    let own = options.modifier;
    let made = put(
        lua,
        handle,
        "add_modifier",
        name.clone(),
        own,
        |character| {
            let known = character.modifiers.modifier_stack_mut().named(&name);
            if known.is_some_and(|known| !matches!(known.kind, Does::Script(_))) {
                return Err(wrong(format!(
                    "add_modifier: {name:?} is the name of a built-in modifier"
                )));
            }
            Ok((Does::Script(number), None))
        },
    )?;
    with_world(lua, |world| {
        world.program.modifiers.functions.insert(number, function);
        Ok(())
    })?;
    for (other, before) in [(options.before, true), (options.after, false)] {
        if let Some(other) = other {
            let args = Args::unchecked([made.clone()]);
            move_modifier(lua, &args, "add_modifier", &other, before)?;
        }
    }
    Ok(made)
}

/// `hero:add_modifier(name, function)`.
pub(super) const ADD_MODIFIER: Function = Function {
    name: "add_modifier",
    params: &[
        Param {
            name: "name",
            ty: Type::Text,
            optional: false,
        },
        Param {
            name: "run",
            ty: Type::Function("(pose: Pose, dt: number) -> ()"),
            optional: false,
        },
        Param::options(ModifyOptions::SHAPE),
    ],
    returns: "Modifier",
    doc: "Adds a modifier of your own. The function is called in every tick with the current pose and the length of the tick \
          in seconds. It may rotate and move bones. The weight of the modifier blends its result with the pose before it.",
    example: "hero:add_modifier(\"nod\", function(pose, dt)\n\tpose:rotate(\"head\", vec(1, 0, 0), 10)\nend)",
    call: add_modifier,
};

/// Moves a modifier directly before or after another.
fn move_modifier(
    lua: &Lua,
    args: &Args,
    what: &str,
    other: &str,
    before: bool,
) -> mlua::Result<()> {
    let held: ModifierRef = args.object(0).ok_or_else(gone)?;
    with_world(lua, |world| {
        let character = world.stage.characters.get_mut(held.character);
        let stack = character
            .and_then(|c| c.modifiers.modifier_stack.as_mut())
            .ok_or_else(gone)?;
        if stack.get_mut(held.id).is_none() {
            return Err(gone());
        }
        let Some(id) = stack.named(other).map(|other| other.id) else {
            let names = stack.modifiers.iter().map(|m| m.name.as_str());
            let hint = nearest_hint(other, names);
            return Err(wrong(format!(
                "{what}: there is no modifier {other:?}{hint}"
            )));
        };
        if stack.put(held.id, before, id) {
            if let Some(modifier) = stack.get_mut(held.id) {
                modifier.is_reordered = true;
            }
            Ok(())
        } else {
            Err(gone())
        }
    })
}

fn move_before(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let other = args.text(1).unwrap_or_default();
    move_modifier(lua, &args, "move_before", &other, true).map(|()| Value::Nil)
}

fn move_after(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let other = args.text(1).unwrap_or_default();
    move_modifier(lua, &args, "move_after", &other, false).map(|()| Value::Nil)
}

fn fade(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let weight = args.number(1).unwrap_or(1.0) as f32;
    let seconds = args.number(2).unwrap_or(0.25).max(0.0) as f32;
    show(lua, &args, weight, |own| own.fade(weight, seconds))
}

fn remove(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let held: ModifierRef = args.object(0).ok_or_else(gone)?;
    with_world(lua, |world| {
        let character = world.stage.characters.get_mut(held.character);
        let stack = character.and_then(|character| character.modifiers.modifier_stack.as_mut());
        let Some(stack) = stack else {
            return Ok(Value::Boolean(false));
        };
        if let Some(Does::Script(number)) = stack.get_mut(held.id).map(|m| &m.kind) {
            world.program.modifiers.functions.remove(number);
        }
        Ok(Value::Boolean(stack.remove(held.id)))
    })
}

fn get_name(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = with_modifier(lua, &args, |modifier| Ok(modifier.name.clone()))?;
    Ok(Value::String(lua.create_string(name)?))
}

fn get_kind(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let kind = with_modifier(lua, &args, |modifier| Ok(modifier.kind.word()))?;
    Ok(Value::String(lua.create_string(kind)?))
}

fn get_weight(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let now = read(lua, &args, |modifier| modifier.weight.now)?;
    Ok(Value::Number(f64::from(now.unwrap_or(0.0))))
}

fn set_weight(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let weight = args.number(1).unwrap_or(1.0) as f32;
    show(lua, &args, weight, |own| own.set(weight))
}

fn get_effective_weight(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let shown = read(lua, &args, |modifier| modifier.weight.effective_weight)?;
    Ok(Value::Number(f64::from(shown.unwrap_or(0.0))))
}

fn get_enabled(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let enabled = read(lua, &args, |modifier| modifier.weight.enabled)?;
    Ok(Value::Boolean(enabled.unwrap_or(false)))
}

fn set_enabled(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let enabled = args.bool(1).unwrap_or(true);
    with_modifier(lua, &args, |modifier| {
        modifier.weight.enabled = enabled;
        Ok(Value::Nil)
    })
}

fn get_target_error(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let missed = read(lua, &args, |modifier| match &modifier.kind {
        Does::Reach(reaching) => Some(reaching.target_error),
        Does::ChainIk(chaining) => Some(chaining.target_error),
        Does::AimAt(aiming) => Some(aiming.target_error.to_degrees()),
        _ => None,
    })?;
    let missed = missed.flatten();
    Ok(missed.map_or(Value::Nil, |missed| Value::Number(f64::from(missed))))
}

fn get_inactive_reason(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let missing = read(lua, &args, |modifier| {
        let lacks = modifier.kind.missing_features().map(String::from);
        modifier.inactive_reason.clone().or(lacks)
    })?;
    missing.flatten().map_or(Ok(Value::Nil), |why| {
        Ok(Value::String(lua.create_string(why)?))
    })
}

fn get_character(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let held: ModifierRef = args.object(0).ok_or_else(gone)?;
    super::character_ref::reference(lua, held.character)
}

/// Methods and properties of a modifier.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Modifier",
    doc: "A modifier changes the pose of a character after the clips have been played. `hero:foot_ik`, `hero:reach`, \
          `hero:add_modifier` and similar methods return it. A character has only one modifier of a name: a second call \
          with the same name changes the existing modifier.\n\n\
          When you release a `reach`, `grip`, `aim_at`, `chain_ik`, `look_at` or `sit`, the modifier fades out and is \
          then removed. If you have changed its order with `move_before` or `move_after`, it stays in the list instead. \
          A removed modifier has the weight 0 and is not enabled. To raise its weight or to enable it is an error.",
    functions: &[
        Function {
            name: "fade",
            params: &[
                Param {
                    name: "weight",
                    ty: Type::Number,
                    optional: false,
                },
                Param {
                    name: "seconds",
                    ty: Type::Number,
                    optional: true,
                },
            ],
            returns: "",
            doc: "Changes the weight to a new value over `seconds`, by default 0.25.",
            example: "hero:foot_ik():fade(0, 0.5)",
            call: fade,
        },
        Function {
            name: "move_before",
            params: &[Param {
                name: "other",
                ty: Type::Text,
                optional: false,
            }],
            returns: "",
            doc: "Moves the modifier in the order of modifiers, directly before the modifier with the name `other`. It then \
                  runs directly before `other`.",
            example: "hero:foot_ik()\nhero:reach(\"left_hand\", vec(0.3, 1.2, 0.4)):move_before(\"foot_ik\")",
            call: move_before,
        },
        Function {
            name: "move_after",
            params: &[Param {
                name: "other",
                ty: Type::Text,
                optional: false,
            }],
            returns: "",
            doc: "Moves the modifier in the order of modifiers, directly after the modifier with the name `other`. It then \
                  runs directly after `other`.",
            example: "hero:reach(\"left_hand\", vec(0.3, 1.2, 0.4))\nhero:foot_ik():move_after(\"left_hand\")",
            call: move_after,
        },
        Function {
            name: "remove",
            params: &[],
            returns: "boolean",
            doc: "Removes the modifier at once, without a fade. Returns false if it was removed already.",
            example: "hero:foot_ik():remove()",
            call: remove,
        },
    ],
    properties: &[
        Property {
            name: "name",
            ty: "string",
            doc: "Name of the modifier. No other modifier of the character has this name.",
            get: get_name,
            set: None,
        },
        Property {
            name: "kind",
            ty: "string",
            doc: "Kind of the modifier: `idle_motion`, `orientation_warp`, `lean`, `foot_ik`, `aim_at`, `look_at`, \
                  `chain_ik`, `reach`, `grip`, `sit`, `script` (made by `add_modifier`) or `helper_bones`.",
            get: get_kind,
            set: None,
        },
        Property {
            name: "character",
            ty: "Character",
            doc: "Character whose pose the modifier changes.",
            get: get_character,
            set: None,
        },
        Property {
            name: "weight",
            ty: "number",
            doc: "Blend weight, 0 to 1: how much the modifier changes the pose. Setting it ends a fade.",
            get: get_weight,
            set: Some((Type::Number, set_weight)),
        },
        Property {
            name: "effective_weight",
            ty: "number",
            doc: "Blend weight that was used in the last tick, 0 to 1. It can be less than `weight`, because of \
                  `weight_curve`, because of `max_distance`, or while the character is down.",
            get: get_effective_weight,
            set: None,
        },
        Property {
            name: "enabled",
            ty: "boolean",
            doc: "True if the modifier is switched on. Set it to false to switch the modifier off; its position in the order \
                  of modifiers does not change.",
            get: get_enabled,
            set: Some((Type::Bool, set_enabled)),
        },
        Property {
            name: "target_error",
            ty: "number?",
            doc: "Remaining distance from the target. For `reach` and `chain_ik` it is the distance between the end of the \
                  limb or chain and the target, metres. For `aim_at` it is the angle, degrees. For other kinds it is nil.",
            get: get_target_error,
            set: None,
        },
        Property {
            name: "inactive_reason",
            ty: "string?",
            doc: "Text that says why the modifier, or a part of it, has no effect: the skeleton lacks a bone that it needs. \
                  It is nil if nothing is missing.",
            get: get_inactive_reason,
            set: None,
        },
    ],
};
