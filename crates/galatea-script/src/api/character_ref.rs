//! The handle of a character, and functions that find characters, clips and bones by name.

use mlua::{AnyUserData, Lua, Value};

use super::check::Args;
use crate::objects;
use crate::world::with_world;
use galatea_character::Character;
use galatea_math::names::nearest_hint;
use galatea_stage::{Handle, Stage};

/// A script's handle of a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CharacterRef(pub Handle);

objects!(CharacterRef: "Character");

/// Handle of the character that a value refers to, if it is a character.
pub(crate) fn character_handle(data: &AnyUserData) -> Option<Handle> {
    let character = data.borrow::<CharacterRef>();
    character.ok().map(|character| character.0)
}

/// Userdata of a character; each character has only one.
pub(crate) fn reference(lua: &Lua, handle: Handle) -> mlua::Result<Value> {
    let known = with_world(lua, |world| {
        Ok(world.program.handles.characters.get(&handle).cloned())
    })?;
    if let Some(data) = known {
        return Ok(Value::UserData(data));
    }
    let data = lua.create_userdata(CharacterRef(handle))?;
    with_world(lua, |world| {
        world
            .program
            .handles
            .characters
            .insert(handle, data.clone());
        Ok(())
    })?;
    Ok(Value::UserData(data))
}

pub(super) fn gone() -> mlua::Error {
    mlua::Error::runtime("this character was removed from the stage")
}

/// Message that a character was removed, with its name if that is known.
pub(crate) fn gone_from(stage: &Stage, handle: Handle) -> String {
    let name = stage
        .characters
        .name_of_removed(handle)
        .unwrap_or("this character");
    format!("{name} was removed from the stage")
}

pub(super) fn find(stage: &mut Stage, handle: Handle) -> mlua::Result<&mut Character> {
    if stage.characters.get(handle).is_none() {
        return Err(mlua::Error::runtime(gone_from(stage, handle)));
    }
    stage.characters.get_mut(handle).ok_or_else(gone)
}

impl Args<'_> {
    /// Character of argument 0, the object of the method or property.
    pub fn character(&self) -> mlua::Result<Handle> {
        let found = self.object::<CharacterRef>(0);
        found.map(|found| found.0).ok_or_else(gone)
    }
}

/// Runs `f` with the character of argument 0.
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
            "the model {:?} has no clip {name:?}{}",
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
            "the model {:?} has no bone {name:?}{}",
            model.name,
            nearest_hint(name, names)
        ))
    })
}

/// Maximum number of characters on a stage.
const MAX_CHARACTERS: usize = 5000;

/// Returns an error if the stage has no room for another character.
pub(super) fn check_room(stage: &Stage) -> mlua::Result<()> {
    if stage.characters.len() >= MAX_CHARACTERS {
        return Err(mlua::Error::runtime(format!(
            "character: the stage already has {MAX_CHARACTERS} characters, which is the limit"
        )));
    }
    Ok(())
}
