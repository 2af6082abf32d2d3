//! `hero:play`, and what it gives back.

use std::cell::Cell;
use std::rc::Rc;

use mlua::{Lua, MetaMethod, UserData, UserDataFields, UserDataMethods, Value};

use super::character::{bone_index, clip_index, find, gone, handle_of};
use super::check::{Args, Field, Param, Type, names, play_mode};
use super::{Function, Group, Kind, add_object};
use crate::anim::{MOST_SPEED, Mask, PlayMode};
use crate::character::{Action, ActionOptions, EndReason};
use crate::script::program::Play;
use crate::script::world::with_world;
use crate::stage::Handle;

pub(super) const PLAY_FIELDS: &[Field] = &[
    Field {
        name: "fade",
        ty: Type::Number,
        doc: "seconds to fade in and out; 0.15",
    },
    Field {
        name: "fade_out",
        ty: Type::Number,
        doc: "seconds to fade out, when another than `fade`",
    },
    Field {
        name: "speed",
        ty: Type::Number,
        doc: "factor on the speed, more than 0; 1",
    },
    Field {
        name: "mode",
        ty: Type::Word(&["once", "loop", "pingpong"]),
        doc: "what happens at the end; once",
    },
    Field {
        name: "mask",
        ty: Type::OneOf(&[Type::Text, Type::Table]),
        doc: "a bone, or several, that it moves with all below them; the whole body",
    },
    Field {
        name: "weight",
        ty: Type::Number,
        doc: "how much of it shows, 0 to 1; 1",
    },
    Field {
        name: "done",
        ty: Type::Function,
        doc: "called once with the reason of its end",
    },
];

pub(super) fn play(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = handle_of(lua, &args.value(0))?;
    let name = args.text(1).unwrap_or_default();
    let fields = args.fields(2);
    let positive =
        |value: Option<f64>, default: f64| value.unwrap_or(default).clamp(0.0, 1e6) as f32;
    let speed = fields.number("speed").unwrap_or(1.0) as f32;
    if !(speed > 0.0 && speed <= MOST_SPEED) {
        return Err(mlua::Error::runtime(format!(
            "play: speed must be more than 0 and at most {MOST_SPEED}"
        )));
    }
    let mask_bones = names(&fields.value("mask"), "play: mask")?;
    let done = fields.function("done");
    let ended = Rc::new(Cell::new(None));
    let id = with_world(lua, |world| {
        let id = world.stage.new_id();
        let character = find(&mut world.stage, handle)?;
        let clip = clip_index(character, &name)?;
        let roots = mask_bones
            .iter()
            .map(|bone| bone_index(character, bone))
            .collect::<mlua::Result<Vec<u16>>>()?;
        let skeleton = &character.definition.model.skeleton;
        let mask = (!roots.is_empty()).then(|| Mask::subtree(skeleton, &roots));
        let fade_in = positive(fields.number("fade"), 0.15);
        for action in &mut character.actions {
            if action.options.mask == mask {
                action.leave(EndReason::Interrupted);
            }
        }
        character.actions.push(Action::new(
            id,
            clip,
            ActionOptions {
                fade_in,
                fade_out: positive(fields.number("fade_out"), f64::from(fade_in)),
                speed,
                mode: play_mode(fields.text("mode"), PlayMode::Once),
                mask,
                weight: positive(fields.number("weight"), 1.0).min(1.0),
            },
        ));
        let record = Play {
            ended: ended.clone(),
            character: handle,
            done,
        };
        world.program.plays.insert(id, record);
        Ok(id)
    })?;
    Ok(Value::UserData(lua.create_userdata(PlayRef {
        character: handle,
        id,
        ended,
    })?))
}

/// A script's hold on a playing clip.
#[derive(Clone, Debug)]
pub(in crate::script) struct PlayRef {
    character: Handle,
    id: u64,
    ended: Rc<Cell<Option<&'static str>>>,
}

impl UserData for PlayRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "Play");
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

fn play_stop(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let play: PlayRef = args.object(0).ok_or_else(gone)?;
    let fade = args.number(1);
    with_world(lua, |world| {
        if let Some(character) = world.stage.characters.get_mut(play.character)
            && let Some(action) = character.actions.iter_mut().find(|a| a.id == play.id)
        {
            if let Some(fade) = fade {
                action.options.fade_out = fade.clamp(0.0, 1e6) as f32;
            }
            action.leave(EndReason::Stopped);
        }
        Ok(Value::Nil)
    })
}

fn play_ended(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let play: PlayRef = args.object(0).ok_or_else(gone)?;
    let word = play.ended.get();
    match word {
        Some(word) => Ok(Value::String(lua.create_string(word)?)),
        None => Ok(Value::Nil),
    }
}

/// Methods of what `hero:play` gives back.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Play",
    doc: "A clip that plays or has played. It ends exactly once.",
    functions: &[
        Function {
            name: "stop",
            params: &[Param {
                name: "fade",
                ty: Type::Number,
                optional: true,
            }],
            returns: "",
            doc: "Fades it out, over its own fade-out time or over these seconds.",
            example: "hero:play(\"wave\"):stop(0.3)",
            call: play_stop,
        },
        Function {
            name: "ended",
            params: &[],
            returns: "string?",
            doc: "Why it is over: \"end\", \"interrupted\", \"stopped\" or \"reloaded\"; nil while it plays.",
            example: "if hero:play(\"wave\"):ended() == nil then print(\"still waving\") end",
            call: play_ended,
        },
    ],
    properties: &[],
};
