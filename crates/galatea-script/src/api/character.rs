//! `character "file"`: creation of characters, and their state machines.

use std::rc::Rc;

use glam::{Quat, Vec3};
use mlua::{Lua, Value};

use super::body;
use super::character_ref::{check_room, find, reference, with_character};
use super::check::{Args, OptionValue};
use super::clip_sources::ClipFiles;
use super::dress::{Dress, DressOptions};
use super::events::MAX_EVENT_LOG_ENTRIES;
use super::machine::machine_handles::{MachineValue, problems};
use super::machine::params::params_table;
use super::machine::sizes::weigh_machine;
use super::running::MachineRef;
use super::skinning::CharacterSkinning;
use crate::budget::{charge, owe};
use crate::leave_states::leave_states;
use crate::loading::Loading;
use crate::params::ParamTable;
use crate::words;
use crate::world::{World, with_world};
use galatea_asset::{ModelFacing, ModelKey, ModelSource};
use galatea_character::Placement;
use galatea_derive::Options;
use galatea_machine::bind;
use galatea_stage::Handle;

/// Transform of a character.
#[derive(Options)]
pub(super) struct SpawnPlacement {
    /// World position of the character's origin, which is on the ground between its feet.
    #[option(default_doc = "the origin", unit = "metres")]
    position: Option<Vec3>,
    /// Rotation about +Y. At 0 the character looks along +Z.
    #[option(default_doc = "0", unit = "degrees")]
    yaw: Option<f32>,
    /// Rotation about the character's own x axis, applied before `yaw`.
    #[option(default_doc = "0", unit = "degrees")]
    pitch: Option<f32>,
    /// Rotation about the character's own z axis, applied before `pitch`.
    #[option(default_doc = "0", unit = "degrees")]
    roll: Option<f32>,
    /// Scale of the character.
    #[option(default_doc = "1", range = body::MIN_SCALE..=1.0 / body::MIN_SCALE)]
    scale: Option<f32>,
}

impl SpawnPlacement {
    /// Placement in which fields left out keep their present values.
    fn over(&self, now: Placement) -> Placement {
        let angle = |degrees: Option<f32>| degrees.unwrap_or(0.0).to_radians();
        let tilts = self.pitch.is_some() || self.roll.is_some();
        let tilt =
            Quat::from_rotation_x(angle(self.pitch)) * Quat::from_rotation_z(angle(self.roll));
        Placement {
            position: self.position.unwrap_or(now.position),
            yaw: self.yaw.unwrap_or(now.yaw),
            tilt: if tilts { tilt } else { now.tilt },
            scale: self.scale.unwrap_or(now.scale),
        }
    }
}

/// Options of a new character: transform, materials, and files of its clips.
#[derive(Options)]
pub(crate) struct CharacterOptions {
    #[option(flatten)]
    placement: SpawnPlacement,
    /// Name of the character, by which `find_character` and a hot reload find it. Not allowed in the short form
    /// `character "file" { … }`.
    name: Option<String>,
    /// Files with more clips for the model: .glb, .gltf, .vrm, .vrma, .x, .fbx, .bvh, and DeepMimic's .txt and .json.
    /// Not allowed in the short form `character "file" { … }`.
    clips: Option<ClipFiles>,
    /// Direction that the character faces in its file; the character is rotated to look along +Z. With "auto", toes,
    /// eyes, the names of bones and walking clips decide. Not allowed in the short form `character "file" { … }`.
    #[option(default = ModelFacing::Auto, default_doc = "\"auto\"")]
    forward_axis: ModelFacing,
    #[option(flatten)]
    dress: DressOptions,
    #[option(flatten)]
    skinning: CharacterSkinning,
}

words!(ModelFacing {
    "auto" => ModelFacing::Auto,
    "+z" => ModelFacing::PlusZ,
    "-z" => ModelFacing::MinusZ,
    "+x" => ModelFacing::PlusX,
    "-x" => ModelFacing::MinusX,
});

/// Returns an error for options after the file that must be known before the model is loaded.
fn check_loaded(options: &CharacterOptions) -> mlua::Result<()> {
    let example = if let Some(name) = &options.name {
        format!(
            "the option name must be inside the parentheses: character(\"file.glb\", {{ name = {name:?}, … }})"
        )
    } else {
        let skinning = options.skinning.given();
        let clips = options.clips.as_ref().map(|_| "clips");
        let facing = (options.forward_axis != ModelFacing::Auto).then_some("forward_axis");
        let Some(option) = clips.or(facing).or(skinning) else {
            return Ok(());
        };
        format!(
            "the option {option} must be inside the parentheses: character(\"file.glb\", {{ {option} = …, … }})"
        )
    };
    Err(mlua::Error::runtime(format!("character: {example}")))
}

/// `character "file" { position = … }`: applies the options after the file.
pub(super) fn dress(lua: &Lua, (this, options): (Value, Value)) -> mlua::Result<Value> {
    let checked = CharacterOptions::TYPE.check(&options);
    let options = checked.and_then(|()| CharacterOptions::from_value(options));
    let options = options.map_err(|wrong| mlua::Error::runtime(format!("character: {wrong}")))?;
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
}

/// Costs of creating a character and of each of its bones, in steps of the script's budget.
const BASE_STEPS: u64 = 3000;
const STEPS_PER_BONE: u64 = 130;

/// `character(file, options)`: loads a model and adds it to the stage.
pub(super) fn character(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let path = args.text(0).unwrap_or_default();
    let options: CharacterOptions = args.options(1)?;
    let source = ModelSource {
        clips: options.clips.map_or_else(Vec::new, |files| files.0),
        skinning: options.skinning.of_model(),
        facing: options.forward_axis,
        path: path.clone(),
    };
    let dress = Dress::of(options.dress)?;
    let handle = with_world(lua, |world| {
        let source = Loading::located(&*world.services, source);
        let definition = world.loading.definition(&*world.services, &source)?;
        let name = options.name;
        let spawn = options.placement.over(Placement::default());
        if let Some(name) = &name
            && world.stage.characters.named(name).is_some()
        {
            return Err(mlua::Error::runtime(format!(
                "character: the name {name:?} is already in use"
            )));
        }
        check_room(&world.stage)?;
        let fitted = dress.fit(&definition.model)?;
        let n_bones = definition.model.skeleton.bones().len() as u64;
        owe(BASE_STEPS + STEPS_PER_BONE * n_bones);
        let stage = &mut world.stage;
        let handle = stage.add_character(definition, &*path, name.as_deref(), spawn);
        let life = stage.ids.new_id();
        if let Some(character) = stage.characters.get_mut(handle) {
            character.modifiers.add_default_idle_motion(
                &character.definition,
                life,
                handle.to_u64(),
            );
            character.source = ModelKey::File(source.key());
            fitted.put_on(character);
            if world.log.is_some() {
                character
                    .playback
                    .event_log
                    .set_capacity(MAX_EVENT_LOG_ENTRIES);
                character.enable_metrics();
            }
        }
        if let Err(why) = stage.bodies().set_prop_body_from_file(handle) {
            stage.characters.remove(handle);
            return Err(mlua::Error::runtime(why));
        }
        Ok(handle)
    })?;
    reference(lua, handle)
}

pub(super) fn name(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = with_character(lua, &args, |_, character| {
        Ok(character.shown_name().to_owned())
    })?;
    Ok(Value::String(lua.create_string(name)?))
}

pub(super) fn get_machine(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let has_machine = with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        Ok(character.playback.machine.is_some())
    })?;
    match has_machine {
        true => machine_reference(lua, handle),
        false => Ok(Value::Nil),
    }
}

/// Userdata of the machine of a character; each character has only one.
pub(super) fn machine_reference(lua: &Lua, handle: Handle) -> mlua::Result<Value> {
    let known = with_world(lua, |world| {
        Ok(world.program.handles.machines.get(&handle).cloned())
    })?;
    if let Some(data) = known {
        return Ok(Value::UserData(data));
    }
    let data = lua.create_userdata(MachineRef(handle))?;
    with_world(lua, |world| {
        world.program.handles.machines.insert(handle, data.clone());
        Ok(Value::UserData(data))
    })
}

/// Makes the parameters of a machine that a loaded game has.
///
/// # Errors
/// Fails if the VM runs out of memory.
pub(crate) fn make_params(lua: &Lua, handle: Handle) -> mlua::Result<()> {
    let known = with_world(lua, |world| {
        let character = world.stage.characters.get(handle);
        Ok(character.and_then(|character| {
            let (machine, _) = character.playback.machine.as_ref()?;
            Some((machine.def.clone(), character.shown_name().to_owned()))
        }))
    })?;
    let Some((def, whose)) = known else {
        return Ok(());
    };
    let (params, watch) = params_table(lua, &def)?;
    with_world(lua, |world| {
        let params = ParamTable::new(params, watch, def, whose);
        let machines = &mut world.program.machines;
        machines.params.insert(handle, Rc::new(params));
        Ok(())
    })
}

pub(super) fn set_machine(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let value: MachineValue = args
        .object(1)
        .ok_or_else(|| mlua::Error::runtime("machine: expected the result of machine { … }"))?;
    // Binding to the clips takes time for each state.
    charge(lua, 32 * weigh_machine(&value.def) as u64)?;
    let (params, watch) = params_table(lua, &value.def)?;
    let machine = with_world(lua, |world| {
        let character = &*find(&mut world.stage, handle)?;
        let bound = bind(
            &value.def,
            &character.definition.clips,
            &character.playback.markers,
        );
        let machine = bound.map_err(problems)?;
        let wrong = world
            .program
            .machines
            .states
            .wrong_listeners(&machine, character);
        if wrong.is_empty() {
            Ok(machine)
        } else {
            Err(problems(wrong))
        }
    })?;
    leave_states(lua, handle)?;
    with_world(lua, |world| {
        let World {
            stage,
            program,
            loading,
            ..
        } = world;
        let machines = &mut program.machines;
        let character = find(stage, handle)?;
        let whose = character.shown_name().to_owned();
        machines.states.give_machine(handle, &machine);
        machines.without_functions.remove(&handle);
        let params = ParamTable::new(params, watch, value.def, whose);
        match loading.saved_params(handle) {
            // The functions of a saved machine are gone. The script gives it new ones, and its state continues.
            Some(saved) if character.playback.machine.is_some() => {
                saved.put_into(&params);
                character
                    .playback
                    .continue_with(machine, &character.definition);
            }
            _ => {
                let now = stage.clock.time();
                stage
                    .characters
                    .set_machine(handle, machine, now, &mut stage.events);
            }
        }
        machines.params.insert(handle, Rc::new(params));
        Ok(Value::Nil)
    })
}
