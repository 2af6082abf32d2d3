//! `bones { … }`: skeletons in recipes.

use glam::Vec3;
use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value};

use super::{extras, wrong};

use galatea_anim::{Bone, Skeleton};
use galatea_forge::glb::Extras;
use galatea_math::Trs;
use galatea_math::names::nearest_hint;
use galatea_script::objects;
use galatea_script::toolkit::{
    Args, Function, Group, Kind, Param, Type, add_object, add_properties, lua_vector, text, vector,
};

/// Limit of bones per model.
const MAX_BONES: usize = 1000;

/// Bones with their positions in the model.
#[derive(Clone, Debug, Default)]
pub(super) struct BonesRef {
    pub names: Vec<String>,
    pub parents: Vec<Option<u16>>,
    /// Positions, metres.
    pub positions: Vec<Vec3>,
    /// Extras by bone name.
    pub extras: Extras,
}

objects!(BonesRef: "Bones");

impl UserData for BonesRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

impl BonesRef {
    /// Returns the index of a bone.
    ///
    /// # Errors
    /// If there is none; the message names the most similar one.
    pub fn find(&self, name: &str) -> Result<u16, String> {
        let found = self.names.iter().position(|own| own == name);
        found.map(|i| i as u16).ok_or_else(|| {
            let hint = nearest_hint(name, self.names.iter().map(String::as_str));
            format!("there is no bone {name:?}{hint}")
        })
    }

    fn add(&mut self, name: String, parent: Option<String>, at: Vec3) -> mlua::Result<()> {
        if self.names.contains(&name) {
            return Err(wrong(format!("bones: two bones have the name {name:?}")));
        }
        if self.names.len() >= MAX_BONES {
            return Err(wrong(format!(
                "bones: the limit is {MAX_BONES} bones per model"
            )));
        }
        let parent = parent.map(|parent| self.find(&parent)).transpose();
        let parent = parent
            .map_err(|why| wrong(format!("bones: {name}: the parent must come first: {why}")))?;
        self.names.push(name);
        self.parents.push(parent);
        self.positions.push(at);
        Ok(())
    }

    /// Skeleton whose bones are all skinned and have the axes of the model.
    pub fn skeleton(&self) -> Vec<Bone> {
        let one = |i: usize| {
            let parent = self.parents[i];
            let origin = parent.map_or(Vec3::ZERO, |p| self.positions[usize::from(p)]);
            Bone {
                name: self.names[i].clone(),
                parent,
                rest: Trs::from_translation(self.positions[i] - origin),
                skinned: true,
            }
        };
        (0..self.names.len()).map(one).collect()
    }
}

fn make(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let mut bones = BonesRef::default();
    let mut twins = Vec::new();
    let rows = args.table(0).ok_or_else(|| wrong("bones: expected rows"))?;
    for row in rows.sequence_values::<mlua::Table>() {
        let row = row?;
        let name = text(&row.raw_get(1)?)
            .ok_or_else(|| wrong("bones: expected a row { name, parent, at }"))?;
        let parent = match row.raw_get::<Value>(2)? {
            Value::Nil | Value::Boolean(false) => None,
            value => Some(text(&value).ok_or_else(|| {
                wrong(format!(
                    "bones: {name}: the second value of a row must be the parent's name or false"
                ))
            })?),
        };
        let at = vector(&row.raw_get(3)?).ok_or_else(|| {
            wrong(format!(
                "bones: {name}: the third value of a row must be the position, a vector"
            ))
        })?;
        bones.add(name.clone(), parent.clone(), at)?;
        let extras = row.raw_get::<Option<mlua::Table>>("extras")?;
        let extras = extras.map(|table| extras::json(&Value::Table(table), 0));
        let extras = extras
            .transpose()
            .map_err(|why| wrong(format!("bones: {name}: {why}")))?;
        if let Some(own) = name.strip_prefix("left_") {
            if let Some(extras) = &extras {
                let twin = extras::mirrored(extras);
                bones.extras.insert(format!("right_{own}"), twin);
            }
            let parent = parent.map(|parent| match parent.strip_prefix("left_") {
                Some(own) => format!("right_{own}"),
                None => parent,
            });
            twins.push((
                format!("right_{own}"),
                parent,
                at * Vec3::new(-1.0, 1.0, 1.0),
            ));
        }
        if let Some(extras) = extras {
            bones.extras.insert(name, extras);
        }
    }
    for (name, parent, at) in twins {
        bones.add(name, parent, at)?;
    }
    // Skeletons require parents before children.
    Skeleton::new(bones.skeleton()).map_err(|why| wrong(format!("bones: {why}")))?;
    lua.create_userdata(bones).map(Value::UserData)
}

fn at(_: &Lua, args: Args) -> mlua::Result<Value> {
    let bones = args
        .object::<BonesRef>(0)
        .ok_or_else(|| wrong("expected Bones"))?;
    let name = args.text(1).unwrap_or_default();
    let i = bones.find(&name).map_err(wrong)?;
    Ok(lua_vector(bones.positions[usize::from(i)]))
}

pub(super) const BONES: Function = Function {
    name: "bones",
    params: &[Param {
        name: "rows",
        ty: Type::Table("{ { any } }"),
        optional: false,
    }],
    returns: "Bones",
    doc: "Makes a skeleton from a list of rows. A row is { name of the bone, name of its parent or false, position in \
          the model }; parents come before their children. For every bone \"left_…\", the mirrored bone \"right_…\" is \
          made too. At rest, all bones have the axes of the model. A row may have `extras = { … }`, for example for \
          helper bones or ragdoll settings. They become the extras of the bone's node in the glTF file. The mirrored \
          bone gets them mirrored.",
    example: "local v = vector.create\nlocal b = bones { { \"hips\", false, v(0, 1, 0) }, { \"left_leg\", \"hips\", v(0.1, 0.9, 0) } }",
    call: make,
};

pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Bones",
    doc: "A skeleton.",
    functions: &[Function {
        name: "at",
        params: &[Param {
            name: "name",
            ty: Type::Text,
            optional: false,
        }],
        returns: "vector",
        doc: "Returns the position of a bone in the model, metres.",
        example: "local at = bones { { \"hips\", false, vector.one } }:at \"hips\"",
        call: at,
    }],
    properties: &[],
};
