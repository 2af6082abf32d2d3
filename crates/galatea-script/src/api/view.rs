//! `show_view`: debug views.

use mlua::{Lua, Value};

use super::character_ref::CharacterRef;
use super::check::{Args, Options, Param, Type};
use super::group::Function;
use crate::world::with_world;
use galatea_derive::Options;
use galatea_stage::{DebugView, ViewKind, Whom};

/// What a debug view shows.
#[derive(Options)]
struct DebugViewOptions {
    /// Of weights: this bone alone.
    bone: Option<String>,
    /// Of morphs: this one alone, as if it were at 1.
    morph: Option<String>,
    /// Of this character alone; others are grey.
    character: Option<CharacterRef>,
    /// Of normals and tangents: a line on every vertex.
    #[option(default = false)]
    hairs: bool,
    /// What the colours mean is told in the picture.
    #[option(default = true)]
    legend: bool,
}

fn show_view(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: DebugViewOptions = args.options(1)?;
    let Some(name) = args.text(0) else {
        return with_world(lua, |world| {
            world.stage.picture.view = None;
            Ok(Value::Nil)
        });
    };
    let kind = ViewKind::of(&name).map_err(mlua::Error::runtime)?;
    let view = DebugView {
        bone: options.bone.map(Into::into),
        morph: options.morph.map(Into::into),
        only: options
            .character
            .map(|CharacterRef(handle)| Whom::Handle(handle)),
        hairs: options.hairs,
        legend: options.legend,
        ..DebugView::new(kind)
    };
    with_world(lua, |world| {
        let checked = view.check(&world.stage.characters);
        checked.map_err(|why| mlua::Error::runtime(format!("show_view: {why}")))?;
        world.stage.picture.view = Some(view);
        Ok(Value::Nil)
    })
}

pub(super) const SHOW_VIEW: Function = Function {
    name: "show_view",
    params: &[
        Param {
            name: "name",
            ty: Type::Word(ViewKind::NAMES),
            optional: true,
        },
        Param::options(DebugViewOptions::SHAPE),
    ],
    returns: "",
    doc: "Shows what a debug view shows of the characters in place of their looks; without a name, their looks \
          again.",
    example: "show_view(\"weights\", { bone = \"head\" })",
    call: show_view,
};
