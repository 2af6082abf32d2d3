//! `debug_view`: debug views.

use mlua::{Lua, Value};

use super::character_ref::CharacterRef;
use super::check::{Args, Options, Param, Type};
use super::group::Function;
use crate::world::with_world;
use galatea_derive::Options;
use galatea_stage::{CharacterSelector, DebugView, ViewKind};

/// Options of a debug view.
#[derive(Options)]
struct DebugViewOptions {
    /// For the view "weights": name of a bone, to show its weights only.
    bone: Option<String>,
    /// For the view "morphs": name of a morph target, to show it alone, as if its weight were 1.
    morph: Option<String>,
    /// Character to show; all others are grey.
    character: Option<CharacterRef>,
    /// For the views "normals" and "tangents": draws a line at every vertex.
    #[option(default = false)]
    vertex_lines: bool,
    /// True shows a legend that explains the colours.
    #[option(default = true)]
    legend: bool,
}

fn debug_view(lua: &Lua, args: Args) -> mlua::Result<Value> {
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
            .map(|CharacterRef(handle)| CharacterSelector::ByHandle(handle)),
        vertex_lines: options.vertex_lines,
        legend: options.legend,
        ..DebugView::new(kind)
    };
    with_world(lua, |world| {
        let checked = view.check(&world.stage.characters);
        checked.map_err(|why| mlua::Error::runtime(format!("debug_view: {why}")))?;
        world.stage.picture.view = Some(view);
        Ok(Value::Nil)
    })
}

pub(super) const DEBUG_VIEW: Function = Function {
    name: "debug_view",
    params: &[
        Param {
            name: "name",
            ty: Type::Word(ViewKind::NAMES),
            optional: true,
        },
        Param::options(DebugViewOptions::SHAPE),
    ],
    returns: "",
    doc: "Draws characters with a debug view instead of their materials. A call without a name shows the normal \
          picture again. The names are \"skeleton\", \"weights\", \"wireframe\", \"normals\", \"tangents\", \"uv\", \
          \"overdraw\", \"bounds\", \"bodies\", \"light\", \"morphs\", \"unlit\", \"roughness\", \"metallic\", \
          \"occlusion\", \"depth\" and \"springs\". [Debug views](views.md) describes each.",
    example: "debug_view(\"weights\", { bone = \"head\" })",
    call: debug_view,
};
