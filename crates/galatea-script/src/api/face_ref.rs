//! Handle to a face, and the types of values that it can show.

use mlua::Lua;

use super::character_ref::find;
use super::check::{Args, Type};
use crate::world::with_world;
use galatea_character::{Character, FaceModifier, MAX_MODIFIERS};
use galatea_stage::Handle;

/// Handle to the face of a character.
#[derive(Clone, Copy)]
pub(super) struct FaceRef(pub Handle);

pub(super) fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

pub(super) fn face_of(args: &Args) -> mlua::Result<Handle> {
    let face: FaceRef = args.object(0).ok_or_else(|| wrong("expected a Face"))?;
    Ok(face.0)
}

/// Returns the face of a character; the first call creates it.
pub(super) fn facing(
    character: &mut Character,
    handle: Handle,
    id: u64,
) -> mlua::Result<&mut FaceModifier> {
    let most = || {
        wrong(format!(
            "face: a character can have at most {MAX_MODIFIERS} modifiers"
        ))
    };
    character
        .modifiers
        .face_mut(&character.definition, handle.to_u64(), id)
        .ok_or_else(most)
}

/// Calls `f` with the face of a character.
pub(super) fn with_face<R>(
    lua: &Lua,
    handle: Handle,
    f: impl FnOnce(&mut FaceModifier) -> mlua::Result<R>,
) -> mlua::Result<R> {
    with_world(lua, |world| {
        let id = world.stage.ids.new_id();
        let character = find(&mut world.stage, handle)?;
        f(facing(character, handle, id)?)
    })
}

/// Weights by name.
pub(super) const WEIGHTS: Type = Type::Table("{ [string]: number }");

/// Value that a face can show: a name, or names and weights.
pub(super) const EXPRESSION_VALUE: Type = Type::OneOf(&[Type::Text, WEIGHTS]);
