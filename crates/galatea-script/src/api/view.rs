//! `show_view`: debug views.

use mlua::{Lua, Value};

use super::Function;
use super::character::CharacterRef;
use super::check::{Args, Field, Param, Type, object};
use crate::world::with_world;
use galatea_stage::{DebugView, ViewKind, Whom};

const FIELDS: &[Field] = &[
    Field {
        name: "bone",
        ty: Type::Text,
        doc: "of weights: this bone alone",
    },
    Field {
        name: "morph",
        ty: Type::Text,
        doc: "of morphs: this one alone, as if it were at 1",
    },
    Field {
        name: "character",
        ty: Type::Object("Character"),
        doc: "of this character alone; others are grey",
    },
    Field {
        name: "hairs",
        ty: Type::Bool,
        doc: "of normals and tangents: a line on every vertex; false",
    },
    Field {
        name: "legend",
        ty: Type::Bool,
        doc: "what the colours mean is told in the picture; true",
    },
];

fn show_view(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(1);
    let Some(name) = args.text(0) else {
        return with_world(lua, |world| {
            world.stage.picture.view = None;
            Ok(Value::Nil)
        });
    };
    let kind = ViewKind::of(&name).map_err(mlua::Error::runtime)?;
    let only = object(&fields.value("character")).map(|CharacterRef(handle)| Whom::Handle(handle));
    let view = DebugView {
        bone: fields.text("bone").map(Into::into),
        morph: fields.text("morph").map(Into::into),
        only,
        hairs: fields.bool("hairs").unwrap_or(false),
        legend: fields.bool("legend").unwrap_or(true),
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
        Param::options(FIELDS),
    ],
    returns: "",
    doc: "Shows what a debug view shows of the characters in place of their looks; without a name, their looks \
          again.",
    example: "show_view(\"weights\", { bone = \"head\" })",
    call: show_view,
};
