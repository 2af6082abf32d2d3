//! `thing:solid { … }`: characters and props as solid things, and simple things to build with.

use std::sync::Arc;

use glam::{EulerRot, Quat, Vec3};
use mlua::{Lua, Table, Value};

use super::Function;
use super::character::{find, reference, spawn_placement, with_character};
use super::check::{Args, Fields, Param, Type, text};
use super::solid_fields::{PART_FIELDS, SOLID_FIELDS};
use super::terrain::numbered;
use crate::budget::charge;
use crate::world::with_world;
use galatea_asset::Form;
use galatea_asset::model::Factor;
use galatea_character::Definition;
use galatea_math::names::nearest_hint;
use galatea_physics::{Cells, Frame, Motion, Piece, Shape, SolidOptions, Velocity, Wear};
use galatea_stage::{Handle, Layers, Stage};

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// What is asked of a solid thing, but for its form.
pub(super) fn options(
    fields: &Fields,
    stage: &Stage,
    pieces: Vec<Piece>,
) -> mlua::Result<(SolidOptions, Velocity)> {
    let plain = SolidOptions::default();
    let number = |name: &str| fields.number(name).map(|n| n as f32);
    let least = |name: &str| fields.within(name, 0.0, f64::INFINITY);
    let positive = |name: &str| match number(name) {
        Some(n) if n <= 0.0 => Err(wrong(format!("{name}: must be more than 0, got {n}"))),
        n => Ok(n),
    };
    let (mass, density) = (positive("mass")?, positive("density")?);
    if mass.is_some() && density.is_some() {
        return Err(wrong("density: it has a mass already; say one of the two"));
    }
    let motion = match fields.text("motion").as_deref() {
        Some("dynamic") => Motion::Dynamic,
        Some("moved") => Motion::Moved,
        None if mass.is_some() || density.is_some() => Motion::Dynamic,
        _ => Motion::Static,
    };
    if motion != Motion::Dynamic && (mass.is_some() || density.is_some()) {
        let field = if mass.is_some() { "mass" } else { "density" };
        return Err(wrong(format!(
            "{field}: only what falls has one; leave it out, or say motion = \"dynamic\""
        )));
    }
    let hollow = |piece: &Piece| matches!(piece.shape, Shape::Mesh { .. } | Shape::Heights(_));
    if motion == Motion::Dynamic && pieces.iter().any(hollow) {
        return Err(wrong(
            "shape: a mesh is hollow and cannot fall; use hull, box, capsule or parts",
        ));
    }
    let layer = match fields.text("layer") {
        Some(name) => layer(stage, &name)?,
        None if motion == Motion::Static => Layers::WORLD,
        None => Layers::PROPS,
    };
    let velocity = Velocity {
        linear: fields.vector("velocity").unwrap_or(Vec3::ZERO),
        angular: fields
            .vector("spin")
            .map_or(Vec3::ZERO, |spin| spin * 1f32.to_radians()),
    };
    let options = SolidOptions {
        pieces: pieces.into(),
        motion,
        mass,
        density: density.unwrap_or(plain.density),
        surface: match fields.text("surface") {
            Some(name) => surface(stage, &name)?,
            None => plain.surface.clone(),
        },
        friction: least("friction")?,
        bounce: fields.within("bounce", 0.0, 1.0)?,
        layer,
        sensor: fields.bool("sensor").unwrap_or(false),
        gravity: number("gravity").unwrap_or(plain.gravity),
        damping: [
            least("damping")?.unwrap_or(plain.damping[0]),
            least("spin_damping")?.unwrap_or(plain.damping[1]),
        ],
        bullet: fields.bool("bullet").unwrap_or(false),
        upright: fields.bool("upright").unwrap_or(false),
        sticks: fields.bool("sticks").unwrap_or(false),
        ..plain
    };
    Ok((options, velocity))
}

/// Number of a layer by its name.
pub(super) fn layer(stage: &Stage, name: &str) -> mlua::Result<u8> {
    let layers = &stage.physics.layers;
    layers.find(name).ok_or_else(|| {
        let hint = nearest_hint(name, layers.names.iter().map(String::as_str));
        wrong(format!("there is no layer {name:?}{hint}"))
    })
}

/// Name of a surface that is known.
pub(super) fn surface(stage: &Stage, name: &str) -> mlua::Result<Arc<str>> {
    let known = &stage.physics.surfaces;
    let found = known.iter().find(|surface| &*surface.name == name);
    found.map(|surface| surface.name.clone()).ok_or_else(|| {
        let hint = nearest_hint(name, known.iter().map(|surface| &*surface.name));
        wrong(format!(
            "surface: there is none called {name:?}, physics.surface makes one{hint}"
        ))
    })
}

/// The form that fields tell; sizes that are left out are those of a box about the model.
fn piece(fields: &Fields, word: &str, [low, high]: [Vec3; 2]) -> mlua::Result<Piece> {
    let own = high - low;
    let length = |name: &str, own: f32| match fields.number(name) {
        Some(n) if n <= 0.0 => Err(wrong(format!("{name}: must be more than 0, got {n}"))),
        n => Ok(n.map_or(own, |n| n as f32)),
    };
    let shape = match word {
        "box" => {
            let size = fields.vector("size").unwrap_or(own);
            if size.min_element() <= 0.0 {
                return Err(wrong(format!(
                    "size: must be more than 0 along each axis, got {size}"
                )));
            }
            Shape::Box(size / 2.0)
        }
        "sphere" => Shape::Sphere(length("radius", own.max_element() / 2.0)?),
        round => {
            let radius = length("radius", own.x.max(own.z) / 2.0)?;
            let height = length("height", own.y)?;
            if round == "capsule" {
                Shape::Capsule {
                    half_length: (height / 2.0 - radius).max(0.0),
                    radius,
                }
            } else {
                Shape::Cylinder {
                    half_length: height / 2.0,
                    radius,
                }
            }
        }
    };
    let angle = |name: &str| (fields.number(name).unwrap_or(0.0) as f32).to_radians();
    let [yaw, pitch, roll] = ["yaw", "pitch", "roll"].map(angle);
    Ok(Piece {
        shape,
        at: Frame {
            position: fields.vector("at").unwrap_or((low + high) / 2.0),
            rotation: Quat::from_euler(EulerRot::YXZ, yaw, pitch, roll),
        },
    })
}

fn without_triangles(definition: &Definition) -> mlua::Error {
    wrong(format!(
        "{} has no triangles; give a shape with its sizes",
        definition.model.name
    ))
}

/// A hull or the triangles of a model at rest.
fn of_model(definition: &Definition, hollow: bool) -> mlua::Result<Piece> {
    let (corners, triangles, _) = definition.rest_mesh();
    if corners.is_empty() {
        return Err(without_triangles(definition));
    }
    let shape = if hollow {
        Shape::Mesh {
            vertices: corners.into(),
            triangles: triangles.into(),
        }
    } else {
        Shape::Hull(corners.into())
    };
    Ok(Piece {
        shape,
        at: Frame::IDENTITY,
    })
}

/// The triangles of a model at rest, of materials that are made of what a table says by their names, and of
/// `plain` where it says nothing.
fn of_materials(
    stage: &Stage,
    definition: &Definition,
    said: &Table,
    plain: &str,
) -> mlua::Result<(Piece, Wear)> {
    let (corners, triangles, materials) = definition.rest_mesh();
    let names: Vec<&str> = definition
        .model
        .materials
        .iter()
        .map(|material| material.name.as_str())
        .collect();
    let mut of = vec![plain.to_owned(); names.len()];
    for pair in said.pairs::<Value, Value>() {
        let (material, surface) = pair?;
        let (Some(material), Some(surface)) = (text(&material), text(&surface)) else {
            return Err(wrong(
                "surfaces: expected names of surfaces by names of materials, { Ice = \"ice\" }",
            ));
        };
        if !names.contains(&material.as_str()) {
            let hint = nearest_hint(&material, names.iter().copied());
            return Err(wrong(format!(
                "surfaces: {} has no material {material:?}{hint}",
                definition.model.name
            )));
        }
        for (of, _) in of
            .iter_mut()
            .zip(&names)
            .filter(|(_, name)| **name == material)
        {
            of.clone_from(&surface);
        }
    }
    let (names, of) = numbered(stage, &of)?;
    let made_of: Vec<u8> = materials
        .iter()
        .map(|material| of.get(*material).copied().unwrap_or(0))
        .collect();
    let made = Cells::of_mesh(corners.into(), &triangles, names, &made_of);
    let (cells, shape) = made.map_err(|_| without_triangles(definition))?;
    let piece = Piece {
        shape,
        at: Frame::IDENTITY,
    };
    let wear = Wear {
        cells: Some(Arc::new(cells)),
        ..Wear::default()
    };
    Ok((piece, wear))
}

/// Most forms of one thing.
const MOST_PARTS: usize = 256;

fn listed(list: &Table) -> mlua::Result<Vec<Piece>> {
    let n = list.raw_len();
    if n == 0 || n > MOST_PARTS {
        return Err(wrong(format!("parts: 1 to {MOST_PARTS}, got {n}")));
    }
    (1..=n)
        .map(|i| {
            let value: Value = list.raw_get(i)?;
            let check = Type::Fields(PART_FIELDS).check(&value);
            check.map_err(|why| wrong(format!("parts[{i}]: {why}")))?;
            let fields = Fields(value.as_table().cloned());
            let word = fields.text("shape").unwrap_or_else(|| "box".into());
            let unit = [Vec3::splat(-0.5), Vec3::splat(0.5)];
            piece(&fields, &word, unit).map_err(|why| wrong(format!("parts[{i}]: {why}")))
        })
        .collect()
}

fn solid(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(1);
    if args.bool(1) == Some(false) {
        let handle = args.character()?;
        return with_world(lua, |world| {
            let none = world
                .stage
                .bodies()
                .set_solid(handle, None, Velocity::default());
            none.map(|()| Value::Nil).map_err(wrong)
        });
    }
    let (handle, definition) = with_character(lua, &args, |handle, character| {
        Ok((handle, character.definition.clone()))
    })?;
    let word = fields.text("shape").unwrap_or_else(|| "auto".into());
    let moves = fields.text("motion").map_or(
        fields.number("mass").or(fields.number("density")).is_some(),
        |motion| motion == "dynamic",
    );
    let hollow = word == "mesh" || (word == "auto" && !moves);
    let surfaces = fields.value("surfaces");
    if let Value::Table(said) = &surfaces {
        if !hollow || !fields.value("parts").is_nil() {
            return Err(wrong(
                "solid: surfaces: only a mesh has materials; leave it out, or say shape = \"mesh\"",
            ));
        }
        charge(lua, definition.model.n_vertices() as u64 / 4)?;
        return with_world(lua, |world| {
            let stage = &mut world.stage;
            let plain = fields.text("surface").unwrap_or_else(|| "stone".into());
            let made = of_materials(stage, &definition, said, &plain);
            let (piece, wear) = made.map_err(|why| wrong(format!("solid: {why}")))?;
            let (asked, velocity) = options(&fields, stage, vec![piece])?;
            let asked = SolidOptions {
                wear: [wear].into(),
                ..asked
            };
            let made = stage.bodies().set_solid(handle, Some(asked), velocity);
            made.map(|()| Value::Nil)
                .map_err(|why| wrong(format!("solid: {why}")))
        });
    }
    let pieces = match (fields.value("parts"), word.as_str()) {
        (Value::Table(list), _) => listed(&list)?,
        (_, "auto" | "hull" | "mesh") => {
            charge(lua, definition.model.n_vertices() as u64 / 4)?;
            vec![of_model(&definition, hollow)?]
        }
        (_, word) => vec![piece(&fields, word, definition.rest_box)?],
    };
    with_world(lua, |world| {
        let (options, velocity) = options(&fields, &world.stage, pieces)?;
        let made = world
            .stage
            .bodies()
            .set_solid(handle, Some(options), velocity);
        made.map(|()| Value::Nil)
            .map_err(|why| wrong(format!("solid: {why}")))
    })
}

/// Puts a simple thing on the stage.
fn add(lua: &Lua, fields: &Fields, form: Form, pieces: Vec<Piece>) -> mlua::Result<Value> {
    let handle = with_world(lua, |world| {
        let stage = &mut world.stage;
        super::character::check_room(stage)?;
        let name = fields.text("name");
        if let Some(name) = &name
            && stage.characters.named(name).is_some()
        {
            return Err(wrong(format!(
                "{}: there is one named {name:?} already",
                form.name()
            )));
        }
        let (options, velocity) = options(fields, stage, pieces)?;
        let definition = stage.characters.form(&form);
        let spawn = spawn_placement(fields, Default::default())?;
        let handle = stage.add_character(definition, form.key(), name.as_deref(), spawn);
        paint(stage, handle, fields)?;
        if fields.bool("solid").unwrap_or(true) {
            let made = stage.bodies().set_solid(handle, Some(options), velocity);
            if let Err(why) = made {
                stage.characters.remove(handle);
                return Err(wrong(format!("{}: {why}", form.name())));
            }
        }
        Ok(handle)
    })?;
    reference(lua, handle)
}

pub(super) fn paint(stage: &mut Stage, handle: Handle, fields: &Fields) -> mlua::Result<()> {
    if let Some(color) = fields.vector("color") {
        let character = find(stage, handle)?;
        let model = character.definition.model.clone();
        for (i, part) in color.max(Vec3::ZERO).to_array().into_iter().enumerate() {
            let factor = Factor::BaseColor;
            character.appearance.surface.set(&model, 0, factor, i, part);
        }
    }
    polish(stage, handle, fields)
}

/// Sets how rough and how metallic a form is.
pub(super) fn polish(stage: &mut Stage, handle: Handle, fields: &Fields) -> mlua::Result<()> {
    let character = find(stage, handle)?;
    let model = character.definition.model.clone();
    for (name, factor) in [
        ("roughness", Factor::Roughness),
        ("metallic", Factor::Metallic),
    ] {
        if let Some(n) = fields.number(name) {
            let n = n.clamp(0.0, 1.0) as f32;
            character.appearance.surface.set(&model, 0, factor, 0, n);
        }
    }
    Ok(())
}

fn length(fields: &Fields, name: &str, default: f32) -> mlua::Result<f32> {
    match fields.number(name) {
        Some(n) if !(1e-3..=1e4).contains(&n) => Err(wrong(format!(
            "{name}: must be 0.001 to 10000 metres, got {n}"
        ))),
        n => Ok(n.map_or(default, |n| n as f32)),
    }
}

pub(super) fn size(fields: &Fields) -> mlua::Result<Vec3> {
    let size = fields.vector("size").unwrap_or(Vec3::ONE);
    if size.min_element() < 1e-3 || size.max_element() > 1e4 {
        return Err(wrong(format!(
            "size: must be 0.001 to 10000 metres along each axis, got {size}"
        )));
    }
    Ok(size)
}

fn whole(shape: Shape) -> Vec<Piece> {
    vec![Piece {
        shape,
        at: Frame::IDENTITY,
    }]
}

pub(super) fn cuboid(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    let size = size(&fields)?;
    add(lua, &fields, Form::Box(size), whole(Shape::Box(size / 2.0)))
}

pub(super) fn sphere(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    let radius = length(&fields, "radius", 0.5)?;
    add(
        lua,
        &fields,
        Form::Sphere(radius),
        whole(Shape::Sphere(radius)),
    )
}

pub(super) fn capsule(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    let radius = length(&fields, "radius", 0.25)?;
    let height = length(&fields, "height", 1.0)?.max(2.0 * radius);
    let shape = Shape::Capsule {
        half_length: height / 2.0 - radius,
        radius,
    };
    add(lua, &fields, Form::Capsule { radius, height }, whole(shape))
}

pub(super) fn cylinder(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    let radius = length(&fields, "radius", 0.25)?;
    let height = length(&fields, "height", 1.0)?;
    let shape = Shape::Cylinder {
        half_length: height / 2.0,
        radius,
    };
    add(
        lua,
        &fields,
        Form::Cylinder { radius, height },
        whole(shape),
    )
}

pub(super) fn stairs(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    let steps = fields.number("steps").unwrap_or(8.0);
    let range = 1.0..=f64::from(galatea_asset::form::MOST_STEPS);
    if !range.contains(&steps) || steps.fract() != 0.0 {
        return Err(wrong(format!(
            "steps: a whole number, 1 to 256, got {steps}"
        )));
    }
    let steps = steps as u32;
    let width = length(&fields, "width", 2.0)?;
    let rise = length(&fields, "rise", 0.17)?;
    let run = length(&fields, "run", 0.29)?;
    let pieces = Form::steps(steps, width, rise, run).map(|(middle, size)| Piece {
        shape: Shape::Box(size / 2.0),
        at: Frame {
            position: middle,
            ..Frame::IDENTITY
        },
    });
    let form = Form::Stairs {
        steps,
        width,
        rise,
        run,
    };
    add(lua, &fields, form, pieces.collect())
}

pub(super) fn ramp(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    let size = size(&fields)?;
    let corners: Arc<[Vec3]> = Form::ramp_corners(size).into();
    add(lua, &fields, Form::Ramp(size), whole(Shape::Hull(corners)))
}

pub(super) const SOLID: Function = Function {
    name: "solid",
    params: &[Param {
        name: "options",
        ty: Type::OneOf(&[Type::Fields(SOLID_FIELDS), Type::Bool]),
        optional: true,
    }],
    returns: "",
    doc: "Makes it solid: others stand on it, walk into it and are pushed by it, and with a mass it falls. \
          `touch` and `touch_end` tell what meets it. `false` ends that. Something that is held by a bone \
          meets nothing until it is let go.",
    example: "local crate = character \"assets/galatea.glb\"\ncrate:solid { shape = \"capsule\", mass = 60 }\ncrate:on(\"touch\", function(e) print(e.surface, e.speed, e.impulse) end)\ncrate:solid(false)\ncrate:solid { shape = \"mesh\", surface = \"stone\", surfaces = { hair = \"grass\", sole = \"rubber\" } }",
    call: solid,
};
