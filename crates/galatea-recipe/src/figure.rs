//! `figure(bones)`: human figures in recipes.

use std::sync::Arc;

use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value};

use super::bones::BonesRef;
use super::{param, wrong};
use galatea_forge::motion::figure::{Figure, FigureBone};
use galatea_script::objects;
use galatea_script::toolkit::{
    Args, Function, Group, Kind, Property, Type, add_object, add_properties, lua_number,
};

/// A figure object of a recipe.
#[derive(Clone)]
pub(super) struct FigureRef(pub Arc<Figure>);

objects!(FigureRef: "Figure");

impl UserData for FigureRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

fn make(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let bones = args
        .object::<BonesRef>(0)
        .ok_or_else(|| wrong("figure: expected Bones"))?;
    let rows = bones.names.iter().zip(&bones.parents).zip(&bones.positions);
    let joint = |((name, parent), place): ((&String, &Option<u16>), &glam::Vec3)| FigureBone {
        name: name.clone(),
        parent: parent.map(usize::from),
        rest_position: *place,
    };
    let figure = Figure::of(rows.map(joint).collect());
    let figure = figure.map_err(|why| wrong(format!("figure: {why}")))?;
    lua.create_userdata(FigureRef(Arc::new(figure)))
        .map(Value::UserData)
}

fn scale(_: &Lua, args: Args) -> mlua::Result<Value> {
    let own = args.object::<FigureRef>(0);
    let own = own.ok_or_else(|| wrong("expected a Figure"))?;
    Ok(lua_number(own.0.scale))
}

/// Figure of 1.70 m, for examples.
pub(super) const WOMAN: &str = "local v = vector.create\n\
    local woman = figure(bones {\n\
    \t{ \"root\", false, v(0, 0, 0) }, { \"hips\", \"root\", v(0, 0.93, 0) }, { \"spine\", \"hips\", v(0, 1.03, 0) },\n\
    \t{ \"chest\", \"spine\", v(0, 1.165, 0) }, { \"neck\", \"chest\", v(0, 1.438, 0) }, { \"head\", \"neck\", v(0, 1.515, 0) },\n\
    \t{ \"left_upper_arm\", \"chest\", v(0.158, 1.385, 0) }, { \"left_lower_arm\", \"left_upper_arm\", v(0.35, 1.19, 0) },\n\
    \t{ \"left_hand\", \"left_lower_arm\", v(0.52, 1.02, 0) }, { \"left_upper_leg\", \"hips\", v(0.088, 0.895, 0) },\n\
    \t{ \"left_lower_leg\", \"left_upper_leg\", v(0.092, 0.487, 0.01) }, { \"left_foot\", \"left_lower_leg\", v(0.092, 0.082, -0.014) },\n\
    \t{ \"left_toes\", \"left_foot\", v(0.098, 0.022, 0.112) },\n})";

pub(super) const FIGURE: Function = Function {
    name: "figure",
    params: &[param("bones", Type::Object("Bones"))],
    returns: "Figure",
    doc: "Finds the joints of a human body in a skeleton. The bones must have the names of VRM in snake case: `hips`, \
          `spine`, `chest`, `neck`, `head`, `left_upper_arm`, `left_lower_arm`, `left_hand`, `left_index_proximal`, \
          `left_upper_leg`, `left_lower_leg`, `left_foot`, `left_toes` and so on. `hips`, `chest`, `head`, and the \
          arms, hands, legs and feet are required. At rest the figure stands on the ground at y = 0 and faces +Z. All \
          its bones have the axes of the model. Other bones (helpers, hair, skirts) stay at rest. A pose fits every \
          figure. Lengths in poses are for a body of 1.70 m with hip joints at a height of 0.895 m; they are scaled to \
          the figure.",
    example: WOMAN,
    call: make,
};

pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Figure",
    doc: "A human figure, made by `figure`: the joints of a human body in a skeleton.",
    functions: &[],
    properties: &[Property {
        name: "scale",
        ty: "number",
        doc: "Factor on the lengths in poses: the height of the figure's hip joints, divided by 0.895 m.",
        get: scale,
        set: None,
    }],
};
