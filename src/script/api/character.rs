//! `character "file"`'s methods and properties, and what `hero:play` gives back.

use std::sync::Arc;

use glam::Vec3;
use mlua::{FromLua, Lua, MetaMethod, UserData, UserDataFields, UserDataMethods, Value};

use super::check::{Args, Field, Fields, Param, Type, lua_vector};
use super::machine::{MachineRef, MachineValue};
use super::{Function, Group, Kind, Property, add_object};
use crate::anim::{Mark, MarkValue, Mask, PlayMode};
use crate::character::{Action, ActionOptions, Attachment, EndReason, Placement};
use crate::machine::{MachineState, bind};
use crate::math::names::nearest_hint;
use crate::script::program::{Handler, ParamTable, Play};
use crate::script::world::{ModelState, World, with_world};
use crate::stage::{Handle, Stage, StageCharacter};

/// A script's hold on a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::script) struct CharacterRef(pub Handle);

impl UserData for CharacterRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "Character");
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
        methods.add_meta_function(MetaMethod::ToString, |lua, this: Value| {
            with_character(lua, &this, |_, character| {
                Ok(format!("Character({})", character.key))
            })
        });
        // `character "file" { at = … }`: options after the file.
        methods.add_meta_function(MetaMethod::Call, |lua, (this, options): (Value, Value)| {
            if let Err(wrong) = Type::Fields(SPAWN_FIELDS).check(&options) {
                return Err(mlua::Error::runtime(format!("character: {wrong}")));
            }
            let fields = Fields(options.as_table().cloned());
            with_character(lua, &this, |_, character| {
                let spawn = spawn_placement(&fields, character.spawn);
                character.spawn = spawn;
                character.placement = spawn;
                character.world = [spawn.to_affine(); 2];
                Ok(())
            })?;
            if let Some(name) = fields.text("name") {
                return Err(mlua::Error::runtime(format!(
                    "character: give the name with the file: character({name:?}, {{ name = … }})"
                )));
            }
            Ok(this)
        });
    }
}

/// Options of `character`.
pub(super) const SPAWN_FIELDS: &[Field] = &[
    Field {
        name: "at",
        ty: Type::Vector,
        doc: "where it stands, metres; the origin",
    },
    Field {
        name: "yaw",
        ty: Type::Number,
        doc: "degrees about +Y; 0 looks along +Z",
    },
    Field {
        name: "scale",
        ty: Type::Number,
        doc: "factor on its size; 1",
    },
    Field {
        name: "name",
        ty: Type::Text,
        doc: "makes it the same character over reloads, whatever the order",
    },
];

fn spawn_placement(fields: &Fields, now: Placement) -> Placement {
    Placement {
        position: fields.vector("at").unwrap_or(now.position),
        yaw: fields.number("yaw").map_or(now.yaw, |yaw| yaw as f32),
        scale: fields
            .number("scale")
            .map_or(now.scale, |scale| scale as f32),
    }
}

/// `character(file, options)`: loads a model and puts it on the stage.
pub(super) fn character(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let path = args.text(0).unwrap_or_default();
    let fields = args.fields(1);
    let handle = with_world(lua, |world| {
        let definition = match world.services.model(&path) {
            ModelState::Ready(definition) => definition,
            ModelState::Pending => {
                world.pending.push(path.clone());
                return Err(mlua::Error::runtime(format!("{path} is still loading")));
            }
            ModelState::Failed(why) => return Err(mlua::Error::runtime(why)),
        };
        let name = fields.text("name");
        let spawn = spawn_placement(&fields, Placement::default());
        Ok(world
            .stage
            .add_character(definition, &path, name.as_deref(), spawn))
    })?;
    reference(lua, handle)
}

/// The one userdata of a character.
pub(in crate::script) fn reference(lua: &Lua, handle: Handle) -> mlua::Result<Value> {
    let known = with_world(lua, |world| Ok(world.program.handles.get(&handle).cloned()))?;
    if let Some(data) = known {
        return Ok(Value::UserData(data));
    }
    let data = lua.create_userdata(CharacterRef(handle))?;
    with_world(lua, |world| {
        world.program.handles.insert(handle, data.clone());
        Ok(())
    })?;
    Ok(Value::UserData(data))
}

fn handle_of(lua: &Lua, this: &Value) -> mlua::Result<Handle> {
    Ok(mlua::UserDataRef::<CharacterRef>::from_lua(this.clone(), lua)?.0)
}

fn gone() -> mlua::Error {
    mlua::Error::runtime("this character is no longer on the stage")
}

fn find(stage: &mut Stage, handle: Handle) -> mlua::Result<&mut StageCharacter> {
    stage.characters.get_mut(handle).ok_or_else(gone)
}

/// Runs `f` with the character of argument 0.
fn with_character<R>(
    lua: &Lua,
    this: &Value,
    f: impl FnOnce(Handle, &mut StageCharacter) -> mlua::Result<R>,
) -> mlua::Result<R> {
    let handle = handle_of(lua, this)?;
    with_world(lua, |world| f(handle, find(&mut world.stage, handle)?))
}

fn clip_index(character: &StageCharacter, name: &str) -> mlua::Result<usize> {
    let model = &character.definition.model;
    model.clip(name).ok_or_else(|| {
        let names = model.clips.iter().map(|clip| clip.name.as_str());
        mlua::Error::runtime(format!(
            "{} has no clip {name:?}{}",
            model.name,
            nearest_hint(name, names)
        ))
    })
}

fn bone_index(character: &StageCharacter, name: &str) -> mlua::Result<u16> {
    let model = &character.definition.model;
    model.skeleton.find(name).ok_or_else(|| {
        let names = model.skeleton.bones().iter().map(|bone| bone.name.as_str());
        mlua::Error::runtime(format!(
            "{} has no bone {name:?}{}",
            model.name,
            nearest_hint(name, names)
        ))
    })
}

fn mark(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let clip = args.text(1).unwrap_or_default();
    let t = args.number(2).unwrap_or_default() as f32;
    let event = args.text(3).unwrap_or_default();
    let mut fields = Vec::new();
    if let Some(table) = args.table(4) {
        for pair in table.pairs::<String, Value>() {
            let (name, value) = pair?;
            let value = match &value {
                Value::Boolean(b) => MarkValue::Bool(*b),
                Value::String(text) => MarkValue::Text(text.to_string_lossy()),
                other => MarkValue::Number(super::check::number(other).ok_or_else(|| {
                    mlua::Error::runtime(format!(
                        "mark: field {name:?} must be a number, a text, true or false"
                    ))
                })?),
            };
            fields.push((name, value));
        }
        fields.sort_by(|a, b| a.0.cmp(&b.0));
    }
    with_character(lua, &args.value(0), |_, character| {
        let index = clip_index(character, &clip)?;
        let duration = character.definition.model.clips[index].duration;
        if t < 0.0 || t > duration {
            return Err(mlua::Error::runtime(format!(
                "mark: {t} s is outside {clip:?}, which lasts {duration:.3} s"
            )));
        }
        character.add_mark(index, Mark { t, event, fields });
        if let Some((machine, _)) = &character.machine
            && let Ok(bound) = bind(&machine.def, &character.definition.model, &character.marks)
            && let Some((machine, _)) = &mut character.machine
        {
            *machine = Arc::new(bound);
        }
        Ok(Value::Nil)
    })
}

fn on(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = handle_of(lua, &args.value(0))?;
    let event = args.text(1).unwrap_or_default();
    let (options, function) = match (args.function(2), args.function(3)) {
        (Some(function), None) => (Fields(None), function),
        (_, Some(function)) => (args.fields(2), function),
        _ => return Err(mlua::Error::runtime("on: expected a function")),
    };
    with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        check_event_name(character, &event)?;
        world.program.handlers.push(Handler {
            character: handle,
            event,
            min_weight: options.number("min_weight").unwrap_or(0.0) as f32,
            function,
        });
        Ok(Value::Nil)
    })
}

/// Events that every character has.
const STATE_EVENTS: [&str; 4] = ["enter", "exit", "end", "*"];

/// A listener for a mark that no clip has is almost always a typing error, or stands before `mark`.
fn check_event_name(character: &StageCharacter, event: &str) -> mlua::Result<()> {
    let marks = || {
        character
            .marks
            .iter()
            .flatten()
            .map(|mark| mark.event.as_str())
    };
    if STATE_EVENTS.contains(&event) || marks().any(|name| name == event) {
        return Ok(());
    }
    let hint = nearest_hint(event, marks().chain(STATE_EVENTS));
    Err(mlua::Error::runtime(format!(
        "on: {} has no mark {event:?}{hint} (add marks before listening to them)",
        character.definition.model.name
    )))
}

const PLAY_FIELDS: &[Field] = &[
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

pub(super) fn play_mode(word: Option<String>, default: PlayMode) -> PlayMode {
    match word.as_deref() {
        Some("loop") => PlayMode::Loop,
        Some("once") => PlayMode::Once,
        Some("pingpong") => PlayMode::PingPong,
        _ => default,
    }
}

/// A text or a list of texts.
pub(super) fn names(value: &Value, what: &str) -> mlua::Result<Vec<String>> {
    match value {
        Value::Nil => Ok(Vec::new()),
        Value::String(text) => Ok(vec![text.to_string_lossy()]),
        Value::Table(table) => table
            .sequence_values::<Value>()
            .map(|value| {
                super::check::text(&value?).ok_or_else(|| {
                    mlua::Error::runtime(format!("{what}: expected a list of texts"))
                })
            })
            .collect(),
        _ => Err(mlua::Error::runtime(format!(
            "{what}: expected a text or a list of texts"
        ))),
    }
}

fn play(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = handle_of(lua, &args.value(0))?;
    let name = args.text(1).unwrap_or_default();
    let fields = args.fields(2);
    let positive =
        |value: Option<f64>, default: f64| value.unwrap_or(default).clamp(0.0, 1e6) as f32;
    let speed = fields.number("speed").unwrap_or(1.0) as f32;
    if speed <= 0.0 {
        return Err(mlua::Error::runtime("play: speed must be more than 0"));
    }
    let mask_bones = names(&fields.value("mask"), "play: mask")?;
    let done = fields.function("done");
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
        world.program.plays.insert(id, Play { ended: None, done });
        Ok(id)
    })?;
    Ok(Value::UserData(lua.create_userdata(PlayRef {
        character: handle,
        id,
    })?))
}

/// A script's hold on a playing clip.
#[derive(Clone, Copy, Debug)]
pub(in crate::script) struct PlayRef {
    character: Handle,
    id: u64,
}

impl UserData for PlayRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "Play");
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&PLAY_GROUP, methods);
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
    let word = with_world(lua, |world| {
        Ok(match world.program.plays.get(&play.id) {
            Some(record) => record.ended,
            None => Some(EndReason::Reloaded.word()),
        })
    })?;
    match word {
        Some(word) => Ok(Value::String(lua.create_string(word)?)),
        None => Ok(Value::Nil),
    }
}

fn bone(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(1).unwrap_or_default();
    with_character(lua, &args.value(0), |_, character| {
        let bone = bone_index(character, &name)?;
        Ok(lua_vector(character.bone_position(bone)))
    })
}

fn morph(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(1).unwrap_or_default();
    let weight = args.number(2).map(|weight| weight as f32);
    with_character(lua, &args.value(0), |_, character| {
        let indices = character.definition.morph_indices(&name);
        if indices.is_empty() {
            let names = character.definition.morph_names();
            let hint = nearest_hint(&name, names.into_iter());
            let model = &character.definition.model.name;
            return Err(mlua::Error::runtime(format!(
                "{model} has no morph target {name:?}{hint}"
            )));
        }
        character
            .morph_overrides
            .retain(|(i, _)| !indices.contains(i));
        if let Some(weight) = weight {
            character
                .morph_overrides
                .extend(indices.into_iter().map(|i| (i, weight)));
        }
        Ok(Value::Nil)
    })
}

const ATTACH_FIELDS: &[Field] = &[
    Field {
        name: "at",
        ty: Type::Vector,
        doc: "place in the bone's space, metres; its origin",
    },
    Field {
        name: "yaw",
        ty: Type::Number,
        doc: "degrees about the bone's y axis; 0",
    },
    Field {
        name: "scale",
        ty: Type::Number,
        doc: "factor on its size; 1",
    },
];

fn attach(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let holder = handle_of(lua, &args.value(0))?;
    let held: CharacterRef = args.object(1).ok_or_else(gone)?;
    let name = args.text(2).unwrap_or_default();
    let fields = args.fields(3);
    with_world(lua, |world| {
        let mut above = Some(holder);
        while let Some(handle) = above {
            if handle == held.0 {
                return Err(mlua::Error::runtime(
                    "attach: a thing cannot be held by itself",
                ));
            }
            above = world.stage.holder(handle);
        }
        let bone = bone_index(find(&mut world.stage, holder)?, &name)?;
        let offset = spawn_placement(&fields, Placement::default());
        find(&mut world.stage, held.0)?.attachment = Some(Attachment {
            holder,
            bone,
            offset,
        });
        Ok(Value::Nil)
    })
}

fn detach(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args.value(0), |_, character| {
        character.attachment = None;
        Ok(Value::Nil)
    })
}

fn show(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(1).unwrap_or_default();
    let visible = args.bool(2).unwrap_or(true);
    with_character(lua, &args.value(0), |_, character| {
        let parts = &character.definition.model.parts;
        let mut found = false;
        for (i, _) in parts
            .iter()
            .enumerate()
            .filter(|(_, part)| part.name == name)
        {
            found = true;
            let bit = 1 << (i % 64);
            if visible {
                character.hidden_parts[i / 64] &= !bit;
            } else {
                character.hidden_parts[i / 64] |= bit;
            }
        }
        if !found {
            let hint = nearest_hint(&name, parts.iter().map(|part| part.name.as_str()));
            let model = &character.definition.model.name;
            return Err(mlua::Error::runtime(format!(
                "{model} has no part {name:?}{hint}"
            )));
        }
        Ok(Value::Nil)
    })
}

fn clips(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let names = with_character(lua, &args.value(0), |_, character| {
        let clips = &character.definition.model.clips;
        Ok(clips
            .iter()
            .map(|clip| (clip.name.clone(), clip.duration))
            .collect::<Vec<_>>())
    })?;
    let table = lua.create_table()?;
    for (name, duration) in names {
        table.raw_set(name, duration)?;
    }
    Ok(Value::Table(table))
}

fn remove(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = handle_of(lua, &args.value(0))?;
    with_world(lua, |world| {
        world.stage.characters.remove(handle).ok_or_else(gone)?;
        world
            .program
            .handlers
            .retain(|handler| handler.character != handle);
        world.program.params.remove(&handle);
        world.program.handles.remove(&handle);
        Ok(Value::Nil)
    })
}

fn get_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args.value(0), |_, c| {
        Ok(lua_vector(c.placement.position))
    })
}

fn set_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let to = args.vector(1).unwrap_or(Vec3::ZERO);
    with_character(lua, &args.value(0), |_, character| {
        character.placement.position = to;
        Ok(Value::Nil)
    })
}

fn get_yaw(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args.value(0), |_, c| {
        Ok(Value::Number(f64::from(c.placement.yaw)))
    })
}

fn set_yaw(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let yaw = args.number(1).unwrap_or(0.0) as f32;
    with_character(lua, &args.value(0), |_, character| {
        character.placement.yaw = yaw;
        Ok(Value::Nil)
    })
}

fn get_scale(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args.value(0), |_, c| {
        Ok(Value::Number(f64::from(c.placement.scale)))
    })
}

fn set_scale(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let scale = args.number(1).unwrap_or(1.0) as f32;
    with_character(lua, &args.value(0), |_, character| {
        character.placement.scale = scale;
        Ok(Value::Nil)
    })
}

fn get_machine(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = with_character(lua, &args.value(0), |handle, character| {
        Ok(character.machine.is_some().then_some(handle))
    })?;
    match handle {
        Some(handle) => Ok(Value::UserData(lua.create_userdata(MachineRef(handle))?)),
        None => Ok(Value::Nil),
    }
}

fn set_machine(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = handle_of(lua, &args.value(0))?;
    let value: MachineValue = args
        .object(1)
        .ok_or_else(|| mlua::Error::runtime("machine: expected what machine { … } gives"))?;
    let params = super::machine::params_table(lua, &value.def)?;
    with_world(lua, |world| {
        let World { stage, program, .. } = world;
        let character = find(stage, handle)?;
        let machine = bind(&value.def, &character.definition.model, &character.marks)
            .map_err(super::machine::problems)?;
        let state = MachineState::new(&machine);
        character.machine = Some((Arc::new(machine), state));
        let names = value
            .def
            .params
            .iter()
            .map(|param| param.name.clone())
            .collect();
        program.params.insert(
            handle,
            ParamTable {
                table: params,
                names,
            },
        );
        Ok(Value::Nil)
    })
}

/// Methods and properties of a character.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Character",
    doc: "A character or a prop on the stage, made by `character`. Without a machine it plays its \
          idle clip, if it has one.",
    functions: &[
        Function {
            name: "play",
            params: &[
                Param {
                    name: "clip",
                    ty: Type::Text,
                    optional: false,
                },
                Param {
                    name: "options",
                    ty: Type::Fields(PLAY_FIELDS),
                    optional: true,
                },
            ],
            returns: "Play",
            doc: "Plays a clip over whatever the machine does, once unless told otherwise.",
            example: "hero:play(\"wave\", { mask = \"left_upper_arm\", fade = 0.2 })",
            call: play,
        },
        Function {
            name: "mark",
            params: &[
                Param {
                    name: "clip",
                    ty: Type::Text,
                    optional: false,
                },
                Param {
                    name: "seconds",
                    ty: Type::Number,
                    optional: false,
                },
                Param {
                    name: "event",
                    ty: Type::Text,
                    optional: false,
                },
                Param {
                    name: "fields",
                    ty: Type::Table,
                    optional: true,
                },
            ],
            returns: "",
            doc: "Marks a time on a clip. The event fires when the clip's playing passes it, exactly \
                  once each time. A field `foot = \"left\"` or `bone = \"hand\"` says where it is.",
            example: "hero:mark(\"wave\", 0.5, \"hello\", { bone = \"right_hand\" })",
            call: mark,
        },
        Function {
            name: "on",
            params: &[
                Param {
                    name: "event",
                    ty: Type::Text,
                    optional: false,
                },
                Param {
                    name: "listener_or_options",
                    ty: Type::OneOf(&[
                        Type::Function,
                        Type::Fields(&[Field {
                            name: "min_weight",
                            ty: Type::Number,
                            doc: "only when at least this much of the clip shows; 0",
                        }]),
                    ]),
                    optional: false,
                },
                Param {
                    name: "listener",
                    ty: Type::Function,
                    optional: true,
                },
            ],
            returns: "",
            doc: "Calls a function with each event of this name: a mark, or `enter`, `exit` and `end` \
                  of states, or `*` for all. The event has `name`, `time`, `character`; marks also \
                  `clip`, `weight`, `position`, `surface` and their own fields; states `state`, `layer`, \
                  and `from` or `to`.",
            example: "hero:on(\"step\", function(e) sound.play(\"step_\" .. e.surface, { at = e.position }) end)",
            call: on,
        },
        Function {
            name: "bone",
            params: &[Param {
                name: "name",
                ty: Type::Text,
                optional: false,
            }],
            returns: "vector",
            doc: "World position of a bone's origin in the last tick, metres.",
            example: "local hand = hero:bone(\"right_hand\")",
            call: bone,
        },
        Function {
            name: "morph",
            params: &[
                Param {
                    name: "name",
                    ty: Type::Text,
                    optional: false,
                },
                Param {
                    name: "weight",
                    ty: Type::Number,
                    optional: true,
                },
            ],
            returns: "",
            doc: "Holds a morph target at a weight, over what clips do; without a weight lets it go.",
            example: "hero:morph(\"smile\", 0.6)",
            call: morph,
        },
        Function {
            name: "attach",
            params: &[
                Param {
                    name: "thing",
                    ty: Type::Object("Character"),
                    optional: false,
                },
                Param {
                    name: "bone",
                    ty: Type::Text,
                    optional: false,
                },
                Param {
                    name: "options",
                    ty: Type::Fields(ATTACH_FIELDS),
                    optional: true,
                },
            ],
            returns: "",
            doc: "Puts another character or prop into a bone's hold.",
            example: "hero:attach(character \"assets/galatea.glb\" { scale = 0.2 }, \"right_hand\")",
            call: attach,
        },
        Function {
            name: "detach",
            params: &[],
            returns: "",
            doc: "Lets this thing go from the bone that holds it; it stays where it is.",
            example: "hero:detach()",
            call: detach,
        },
        Function {
            name: "show",
            params: &[
                Param {
                    name: "part",
                    ty: Type::Text,
                    optional: false,
                },
                Param {
                    name: "visible",
                    ty: Type::Bool,
                    optional: true,
                },
            ],
            returns: "",
            doc: "Shows or hides a part (a mesh of the file, by its node's name).",
            example: "hero:show(\"galatea\", true)",
            call: show,
        },
        Function {
            name: "clips",
            params: &[],
            returns: "{ [string]: number }",
            doc: "All clips and their durations, seconds.",
            example: "for name, seconds in hero:clips() do print(name, seconds) end",
            call: clips,
        },
        Function {
            name: "remove",
            params: &[],
            returns: "",
            doc: "Takes the character off the stage.",
            example: "hero:remove()",
            call: remove,
        },
    ],
    properties: &[
        Property {
            name: "position",
            ty: "vector",
            doc: "World position, metres.",
            get: get_position,
            set: Some((Type::Vector, set_position)),
        },
        Property {
            name: "yaw",
            ty: "number",
            doc: "Degrees about +Y; 0 looks along +Z.",
            get: get_yaw,
            set: Some((Type::Number, set_yaw)),
        },
        Property {
            name: "scale",
            ty: "number",
            doc: "Factor on its size.",
            get: get_scale,
            set: Some((Type::Number, set_scale)),
        },
        Property {
            name: "machine",
            ty: "Machine",
            doc: "Its state machine; set it to what `machine { … }` gives. Every clip, bone, state and \
                  parameter it names is checked then.",
            get: get_machine,
            set: Some((Type::Object("MachineDefinition"), set_machine)),
        },
    ],
};

/// Methods of what `hero:play` gives back.
pub(super) static PLAY_GROUP: Group = Group {
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
