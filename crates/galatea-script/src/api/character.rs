//! `character "file"`: making characters, finding what scripts name, and the table of methods.

use std::rc::Rc;
use std::sync::Arc;

use glam::{Quat, Vec3};
use mlua::{AnyUserData, Lua, MetaMethod, UserData, UserDataFields, UserDataMethods, Value};

use super::character_table::GROUP;
use super::check::{Args, OptionValue};
use super::clip_sources::ClipFiles;
use super::machine::MachineValue;
use super::material::{Dress, DressOptions};
use super::running::MachineRef;
use super::skinning::CharacterSkinning;
use super::{add_object, add_properties, body};
use crate::budget::charge;
use crate::objects;
use crate::program::ParamTable;
use crate::state_scripts::leave_states;
use crate::world::{ModelState, World, with_world};
use galatea_asset::ModelSource;
use galatea_character::{Character, Definition, Placement};
use galatea_derive::Options;
use galatea_machine::bind;
use galatea_math::names::nearest_hint;
use galatea_stage::{Handle, Stage};

/// A script's hold on a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CharacterRef(pub Handle);

objects!(CharacterRef: "Character");

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
            let checked = CharacterOptions::TYPE.check(&options);
            let options = checked.and_then(|()| CharacterOptions::from_value(options));
            let options =
                options.map_err(|wrong| mlua::Error::runtime(format!("character: {wrong}")))?;
            check_loaded(&options)?;
            let dress = Dress::of(options.dress)?;
            with_character(lua, &Args::unchecked([this.clone()]), |_, character| {
                dress.fit(&character.definition.model)?.put_on(character);
                let spawn = options.placement.over(character.spawn);
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

/// Where a character stands.
#[derive(Options)]
pub(super) struct SpawnPlacement {
    /// Position of its origin.
    #[option(default_doc = "the origin", unit = "metres")]
    at: Option<Vec3>,
    /// Turn about +Y; 0 looks along +Z.
    #[option(default_doc = "0", unit = "degrees")]
    yaw: Option<f32>,
    /// Turn about its own x axis, before yaw.
    #[option(default_doc = "0", unit = "degrees")]
    pitch: Option<f32>,
    /// Turn about its own z axis, before pitch.
    #[option(default_doc = "0", unit = "degrees")]
    roll: Option<f32>,
    /// Factor on its size.
    #[option(default_doc = "1", range = body::MIN_SCALE..=1.0 / body::MIN_SCALE)]
    scale: Option<f32>,
}

impl SpawnPlacement {
    /// The placement, with what is left out as it is now.
    fn over(&self, now: Placement) -> Placement {
        let angle = |degrees: Option<f32>| degrees.unwrap_or(0.0).to_radians();
        let tilts = self.pitch.is_some() || self.roll.is_some();
        let tilt =
            Quat::from_rotation_x(angle(self.pitch)) * Quat::from_rotation_z(angle(self.roll));
        Placement {
            position: self.at.unwrap_or(now.position),
            yaw: self.yaw.unwrap_or(now.yaw),
            tilt: if tilts { tilt } else { now.tilt },
            scale: self.scale.unwrap_or(now.scale),
        }
    }
}

/// A new character: where it stands, how it looks, and which files its clips come from.
#[derive(Options)]
pub(crate) struct CharacterOptions {
    #[option(flatten)]
    placement: SpawnPlacement,
    /// Name that makes it the same character over reloads, whatever the order; inside the brackets only.
    name: Option<String>,
    /// Files whose clips join the model's (.glb, .gltf, .vrm, .vrma, .x, .fbx, .bvh, DeepMimic's .txt and .json); inside
    /// the brackets only.
    clips: Option<ClipFiles>,
    #[option(flatten)]
    dress: DressOptions,
    #[option(flatten)]
    skinning: CharacterSkinning,
}

/// Refuses options that count before the model is loaded, where they come after its file.
fn check_loaded(options: &CharacterOptions) -> mlua::Result<()> {
    let example = if let Some(name) = &options.name {
        format!(
            "the name goes inside the brackets, with the file: character(\"file.glb\", {{ name = {name:?}, … }})"
        )
    } else {
        let skinning = options.skinning.given().map(|option| (option, "goes"));
        let clips = options.clips.as_ref().map(|_| ("clips", "go"));
        let Some((option, goes)) = clips.or(skinning) else {
            return Ok(());
        };
        format!(
            "{option} {goes} inside the brackets, with the file: character(\"file.glb\", {{ {option} = …, … }})"
        )
    };
    Err(mlua::Error::runtime(format!("character: {example}")))
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
    let options: CharacterOptions = args.options(1)?;
    let source = ModelSource {
        clips: options.clips.map_or_else(Vec::new, |files| files.0),
        skinning: options.skinning.of_model(),
        path: path.clone(),
    };
    let dress = Dress::of(options.dress)?;
    let handle = with_world(lua, |world| {
        let definition = definition_of(world, &source)?;
        let name = options.name;
        let spawn = options.placement.over(Placement::default());
        if let Some(name) = &name
            && world.stage.has_character_named(name)
        {
            return Err(mlua::Error::runtime(format!(
                "character: there is one named {name:?} already"
            )));
        }
        check_room(&world.stage)?;
        let fitted = dress.fit(&definition.model)?;
        let stage = &mut world.stage;
        let handle = stage.add_character(definition, &path, name.as_deref(), spawn);
        let life = stage.new_id();
        if let Some(character) = stage.characters.get_mut(handle) {
            character
                .modifiers
                .begin_life(&character.definition, life, handle.to_u64());
            character.source = source.key();
            fitted.put_on(character);
            if world.log.is_some() {
                character
                    .playback
                    .ledger
                    .set_capacity(super::events::LEDGER_ROOM);
                character.switch_on_meters();
            }
        }
        if let Err(why) = stage.set_solid_of_file(handle) {
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

pub(super) fn gone() -> mlua::Error {
    mlua::Error::runtime("this character is no longer on the stage")
}

/// That a character was taken off, by its name where that is known.
pub(crate) fn gone_from(stage: &Stage, handle: Handle) -> String {
    let name = stage.name_of_removed(handle).unwrap_or("this character");
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
        stage.set_machine(handle, machine);
        let params = ParamTable::new(params, watch, value.def, whose);
        program.params.insert(handle, Rc::new(params));
        Ok(Value::Nil)
    })
}
