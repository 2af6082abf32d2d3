//! `character "file"`: making characters, finding what scripts name, and the table of methods.

use std::rc::Rc;
use std::sync::Arc;

use glam::Quat;
use mlua::{
    AnyUserData, FromLua, Lua, MetaMethod, UserData, UserDataFields, UserDataMethods, Value,
};

use super::character_table::GROUP;
use super::check::{Args, Field, Fields, Type};
use super::clip_sources::clip_files;
use super::machine::MachineValue;
use super::material::Dress;
use super::running::MachineRef;
use super::skinning::skinning_options;
use super::{add_object, add_properties, body, material};
use crate::budget::charge;
use crate::program::ParamTable;
use crate::state_scripts::leave_states;
use crate::world::{ModelState, World, with_world};
use galatea_asset::{ModelKey, ModelSource};
use galatea_character::{Character, Definition, Placement};
use galatea_machine::bind;
use galatea_math::names::nearest_hint;
use galatea_stage::{Handle, Stage};

/// A script's hold on a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CharacterRef(pub Handle);

impl UserData for CharacterRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
        methods.add_meta_function(MetaMethod::ToString, |lua, this: Value| {
            with_character(lua, &Args::unchecked([this]), |_, character| {
                Ok(format!("Character({})", character.shown_name()))
            })
        });
        // `character "file" { at = … }`: options after the file.
        methods.add_meta_function(MetaMethod::Call, |lua, (this, options): (Value, Value)| {
            if let Err(wrong) = Type::Fields(SPAWN_FIELDS).check(&options) {
                return Err(mlua::Error::runtime(format!("character: {wrong}")));
            }
            let fields = Fields(options.as_table().cloned());
            let inside = [("clips", "go"), ("skinning", "goes"), ("skinning_mode", "goes")];
            let given = inside.into_iter().find(|(option, _)| !fields.value(option).is_nil());
            if let Some((option, goes)) = given {
                return Err(mlua::Error::runtime(format!(
                    "character: {option} {goes} inside the brackets, with the file: character(\"file.glb\", {{ {option} = …, … }})"
                )));
            }
            if let Some(name) = fields.text("name") {
                return Err(mlua::Error::runtime(format!(
                    "character: the name goes inside the brackets, with the file: character(\"file.glb\", {{ name = {name:?}, … }})"
                )));
            }
            let dress = Dress::of(&fields)?;
            with_character(lua, &Args::unchecked([this.clone()]), |_, character| {
                dress.fit(&character.definition.model)?.put_on(character);
                let spawn = spawn_placement(&fields, character.spawn)?;
                character.spawn = spawn;
                character.placement = spawn;
                character.posed.world = [spawn.to_affine(); 2];
                Ok(())
            })?;
            Ok(this)
        });
    }
}

/// Which character a value is, if it is one.
pub(crate) fn character_handle(data: &AnyUserData) -> Option<Handle> {
    let character = data.borrow::<CharacterRef>();
    character.ok().map(|character| character.0)
}

/// Options of `character`.
pub(crate) const SPAWN_FIELDS: &[Field] = &[
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
        name: "pitch",
        ty: Type::Number,
        doc: "degrees about its own x axis, before yaw; 0",
    },
    Field {
        name: "roll",
        ty: Type::Number,
        doc: "degrees about its own z axis, before pitch; 0",
    },
    Field {
        name: "scale",
        ty: Type::Number,
        doc: "factor on its size, more than 0; 1",
    },
    Field {
        name: "name",
        ty: Type::Text,
        doc: "makes it the same character over reloads, whatever the order; inside the brackets only",
    },
    Field {
        name: "clips",
        ty: Type::OneOf(&[Type::Text, Type::Table]),
        doc: "files whose clips join the model's (.glb, .gltf, .vrm, .vrma, .x, .fbx, .bvh, DeepMimic's .txt and .json), a name or a list; each a name or { name, prefix = \"cmu_\", unit = metres per BVH unit, by = \"name\" or \"body\" }; inside the brackets only",
    },
    material::OF_ALL,
    material::VARIANT_FIELD,
    Field {
        name: "skinning",
        ty: Type::OneOf(&[Type::Word(&["linear", "dual_quaternion"]), Type::Table]),
        doc: "how bones bend the meshes: one word for all, or a table of words by the meshes' names, { Body = \"dual_quaternion\" }; as the file says, else linear; inside the brackets only",
    },
    Field {
        name: "skinning_mode",
        ty: Type::Text,
        doc: "by which technique, all to the same shape: \"auto\", \"indexed\", \"cpu\", or \"small16\", in pieces of at most 16 bones; inside the brackets only",
    },
];

pub(super) fn spawn_placement(fields: &Fields, now: Placement) -> mlua::Result<Placement> {
    Ok(Placement {
        position: fields.vector("at").unwrap_or(now.position),
        yaw: fields.number("yaw").map_or(now.yaw, |yaw| yaw as f32),
        tilt: tilt(fields).unwrap_or(now.tilt),
        scale: fields.number("scale").map_or(Ok(now.scale), body::scale)?,
    })
}

/// How something is tilted before its yaw, where pitch or roll is given.
fn tilt(fields: &Fields) -> Option<Quat> {
    let angle = |name| fields.number(name).map(|n| (n as f32).to_radians());
    let (pitch, roll) = (angle("pitch"), angle("roll"));
    (pitch.is_some() || roll.is_some()).then(|| {
        let (pitch, roll) = (pitch.unwrap_or(0.0), roll.unwrap_or(0.0));
        Quat::from_rotation_x(pitch) * Quat::from_rotation_z(roll)
    })
}

/// Characters that may be on the stage at once.
const MOST_CHARACTERS: usize = 5000;

/// Refuses one more than there may be.
pub(super) fn check_room(stage: &Stage) -> mlua::Result<()> {
    if stage.characters.len() >= MOST_CHARACTERS {
        return Err(mlua::Error::runtime(format!(
            "character: there are {MOST_CHARACTERS} on the stage, which is the most"
        )));
    }
    Ok(())
}

/// A model of the project, once it is there.
pub(super) fn definition_of(
    world: &mut World,
    source: &ModelSource,
) -> mlua::Result<Arc<Definition>> {
    let state = if world.is_loading {
        world.services.model(source)
    } else {
        world.services.model_now(source)
    };
    match state {
        ModelState::Ready(definition) => Ok(definition),
        ModelState::Pending => {
            let key = source.key();
            let still = format!("{key} is still loading");
            world.wait_for(key, true);
            Err(mlua::Error::runtime(still))
        }
        ModelState::Failed(why) => {
            world.wait_for(source.key(), false);
            Err(mlua::Error::runtime(why))
        }
    }
}

/// `character(file, options)`: loads a model and puts it on the stage.
pub(super) fn character(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let path = args.text(0).unwrap_or_default();
    let fields = args.fields(1);
    let source = ModelSource {
        clips: clip_files(&fields.value("clips"))?,
        skinning: skinning_options(&fields)?,
        path: path.clone(),
    };
    let dress = Dress::of(&fields)?;
    let handle = with_world(lua, |world| {
        let definition = definition_of(world, &source)?;
        let name = fields.text("name");
        let spawn = spawn_placement(&fields, Placement::default())?;
        if let Some(name) = &name
            && world.stage.characters.named(name).is_some()
        {
            return Err(mlua::Error::runtime(format!(
                "character: there is one named {name:?} already"
            )));
        }
        check_room(&world.stage)?;
        let fitted = dress.fit(&definition.model)?;
        let stage = &mut world.stage;
        let handle = stage.add_character(definition, &*path, name.as_deref(), spawn);
        let life = stage.ids.new_id();
        if let Some(character) = stage.characters.get_mut(handle) {
            character
                .modifiers
                .begin_life(&character.definition, life, handle.to_u64());
            character.source = ModelKey::File(source.key());
            fitted.put_on(character);
            if world.log.is_some() {
                character
                    .playback
                    .ledger
                    .set_capacity(super::events::LEDGER_ROOM);
                character.switch_on_meters();
            }
        }
        if let Err(why) = stage.bodies().set_solid_of_file(handle) {
            stage.characters.remove(handle);
            return Err(mlua::Error::runtime(why));
        }
        Ok(handle)
    })?;
    reference(lua, handle)
}

/// The one userdata of a character.
pub(crate) fn reference(lua: &Lua, handle: Handle) -> mlua::Result<Value> {
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

pub(super) fn handle_of(lua: &Lua, this: &Value) -> mlua::Result<Handle> {
    Ok(mlua::UserDataRef::<CharacterRef>::from_lua(this.clone(), lua)?.0)
}

pub(super) fn gone() -> mlua::Error {
    mlua::Error::runtime("this character is no longer on the stage")
}

/// That a character was taken off, by its name where that is known.
pub(crate) fn gone_from(stage: &Stage, handle: Handle) -> String {
    let name = stage
        .characters
        .name_of_removed(handle)
        .unwrap_or("this character");
    format!("{name} is no longer on the stage")
}

pub(super) fn find(stage: &mut Stage, handle: Handle) -> mlua::Result<&mut Character> {
    if stage.characters.get(handle).is_none() {
        return Err(mlua::Error::runtime(gone_from(stage, handle)));
    }
    stage.characters.get_mut(handle).ok_or_else(gone)
}

impl Args<'_> {
    /// The character whose method or property it is.
    pub fn character(&self) -> mlua::Result<Handle> {
        let found = self.object::<CharacterRef>(0);
        found.map(|found| found.0).ok_or_else(gone)
    }
}

/// Runs `f` with the character whose method or property it is.
pub(super) fn with_character<R>(
    lua: &Lua,
    args: &Args,
    f: impl FnOnce(Handle, &mut Character) -> mlua::Result<R>,
) -> mlua::Result<R> {
    let handle = args.character()?;
    with_world(lua, |world| f(handle, find(&mut world.stage, handle)?))
}

pub(super) fn clip_index(character: &Character, name: &str) -> mlua::Result<usize> {
    let model = &character.definition.model;
    let clips = &character.definition.clips;
    clips.find(name).ok_or_else(|| {
        mlua::Error::runtime(format!(
            "{} has no clip {name:?}{}",
            model.name,
            nearest_hint(name, clips.names())
        ))
    })
}

pub(super) fn bone_index(character: &Character, name: &str) -> mlua::Result<u16> {
    let model = &character.definition.model;
    character.definition.bone(name).ok_or_else(|| {
        let names = model.skeleton.bones().iter().map(|bone| bone.name.as_str());
        mlua::Error::runtime(format!(
            "{} has no bone {name:?}{}",
            model.name,
            nearest_hint(name, names)
        ))
    })
}

pub(super) fn name(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = with_character(lua, &args, |_, character| {
        Ok(character.shown_name().to_owned())
    })?;
    Ok(Value::String(lua.create_string(name)?))
}

pub(super) fn get_machine(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let known = with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        let is_there = character.playback.machine.is_some();
        Ok(is_there.then(|| world.program.machines.get(&handle).cloned()))
    })?;
    let data = match known {
        None => return Ok(Value::Nil),
        Some(Some(data)) => data,
        Some(None) => {
            let data = lua.create_userdata(MachineRef(handle))?;
            with_world(lua, |world| {
                world.program.machines.insert(handle, data.clone());
                Ok(data)
            })?
        }
    };
    Ok(Value::UserData(data))
}

pub(super) fn set_machine(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let value: MachineValue = args
        .object(1)
        .ok_or_else(|| mlua::Error::runtime("machine: expected what machine { … } gives"))?;
    // It is bound to the clips, state by state.
    charge(lua, 32 * super::machine::weigh_machine(&value.def) as u64)?;
    let (params, watch) = super::machine::params_table(lua, &value.def)?;
    let machine = with_world(lua, |world| {
        let character = &*find(&mut world.stage, handle)?;
        let bound = bind(
            &value.def,
            &character.definition.clips,
            &character.playback.marks,
        );
        let machine = bound.map_err(super::machine::problems)?;
        let wrong = world.program.wrong_listeners(&machine, character);
        if wrong.is_empty() {
            Ok(machine)
        } else {
            Err(super::machine::problems(wrong))
        }
    })?;
    leave_states(lua, handle)?;
    with_world(lua, |world| {
        let World { stage, program, .. } = world;
        let character = find(stage, handle)?;
        let whose = character.shown_name().to_owned();
        program.machine_given(handle, &machine);
        let now = stage.clock.time();
        stage
            .characters
            .set_machine(handle, machine, now, &mut stage.events);
        let params = ParamTable::new(params, watch, value.def, whose);
        program.params.insert(handle, Rc::new(params));
        Ok(Value::Nil)
    })
}
