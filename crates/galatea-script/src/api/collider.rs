//! `thing:collider { … }`: collision shapes of characters and props, and primitive props.

use std::sync::Arc;

use glam::{EulerRot, Quat, Vec3};
use mlua::{Lua, Table, Value};

use super::character_ref::{check_room, find, reference, with_character};
use super::check::{Args, Options, Param, Type, text};
use super::collider_fields::{
    BoxOptions, CapsuleOptions, ColliderOptions, ColliderPart, CylinderOptions, MatterOptions,
    ModelColliderShape, PrimitiveOptions, PrimitiveShape, PropOptions, RampOptions, SphereOptions,
    StairsOptions,
};
use super::group::Function;
use super::surfaces::{layer, numbered, surface};
use crate::budget::charge;
use crate::world::with_world;
use galatea_asset::PrimitiveMesh;
use galatea_asset::model::Factor;
use galatea_character::{Definition, Placement};
use galatea_math::names::nearest_hint;
use galatea_physics::{
    self as physics, BodyType, Cells, CollisionShape, PlacedShape, RigidFrame, ShapeOverrides,
    Velocity,
};
use galatea_stage::{Handle, Layers, Stage};

/// Budget steps per triangle of a mesh that the physics engine builds.
const MESH_STEPS: u64 = 18;

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Settings and initial velocity of a body with these shapes.
pub(super) fn options(
    asked: &MatterOptions,
    stage: &Stage,
    pieces: Vec<PlacedShape>,
) -> mlua::Result<(physics::PropBodySettings, Velocity)> {
    let plain = physics::PropBodySettings::default();
    let (mass, density) = (asked.mass, asked.density);
    if mass.is_some() && density.is_some() {
        return Err(wrong("density: give either mass or density"));
    }
    let motion = motion(asked);
    if motion != BodyType::Dynamic && (mass.is_some() || density.is_some()) {
        let field = if mass.is_some() { "mass" } else { "density" };
        return Err(wrong(format!(
            "{field}: only a dynamic body has a mass; remove {field} or set body_type = \"dynamic\""
        )));
    }
    let hollow = |piece: &PlacedShape| {
        matches!(
            piece.shape,
            CollisionShape::Mesh { .. } | CollisionShape::Heights(_)
        )
    };
    if motion == BodyType::Dynamic && pieces.iter().any(hollow) {
        return Err(wrong(
            "shape: a triangle mesh cannot be dynamic; use shape = \"hull\", \"box\" or \"capsule\", or the \
             option shapes",
        ));
    }
    let layer = match &asked.layer {
        Some(name) => layer(stage, name)?,
        None if motion == BodyType::Static => Layers::WORLD,
        None => Layers::PROPS,
    };
    let velocity = Velocity {
        linear: asked.velocity,
        angular: asked.angular_velocity * 1f32.to_radians(),
    };
    let options = physics::PropBodySettings {
        pieces: pieces.into(),
        body_type: motion,
        mass,
        density: density.unwrap_or(plain.density),
        surface: match &asked.surface {
            Some(name) => surface(stage, name)?,
            None => plain.surface.clone(),
        },
        friction: asked.friction,
        restitution: asked.restitution,
        layer,
        sensor: asked.sensor,
        gravity_scale: asked.gravity_scale,
        damping: [asked.damping, asked.angular_damping],
        bullet: asked.bullet,
        lock_rotation: asked.lock_rotation,
        stick_on_hit: asked.stick_on_hit,
        ..plain
    };
    Ok((options, velocity))
}

/// Body type: dynamic by default with a mass or a density, else static.
fn motion(asked: &MatterOptions) -> BodyType {
    let is_heavy = asked.mass.is_some() || asked.density.is_some();
    asked.body_type.unwrap_or(if is_heavy {
        BodyType::Dynamic
    } else {
        BodyType::Static
    })
}

/// A primitive shape. Omitted sizes are those of the bounding box.
fn piece(
    form: PrimitiveShape,
    sizes: &PrimitiveOptions,
    rotation: Quat,
    [low, high]: [Vec3; 2],
) -> mlua::Result<PlacedShape> {
    let own = high - low;
    let radius = sizes.radius.unwrap_or(own.x.max(own.z) / 2.0);
    let height = sizes.height.unwrap_or(own.y);
    let shape = match form {
        PrimitiveShape::Box => {
            let size = sizes.size.unwrap_or(own);
            if size.min_element() <= 0.0 {
                return Err(wrong(format!(
                    "size: must be more than 0 along each axis, got {size}"
                )));
            }
            CollisionShape::Box(size / 2.0)
        }
        PrimitiveShape::Sphere => {
            CollisionShape::Sphere(sizes.radius.unwrap_or(own.max_element() / 2.0))
        }
        PrimitiveShape::Capsule => CollisionShape::Capsule {
            half_length: (height / 2.0 - radius).max(0.0),
            radius,
        },
        PrimitiveShape::Cylinder => CollisionShape::Cylinder {
            half_length: height / 2.0,
            radius,
        },
    };
    Ok(PlacedShape {
        shape,
        at: RigidFrame {
            position: sizes.offset.unwrap_or((low + high) / 2.0),
            rotation,
        },
    })
}

fn without_triangles(definition: &Definition) -> mlua::Error {
    wrong(format!(
        "{} has no triangles; give a shape with its sizes",
        definition.model.name
    ))
}

/// Convex hull or triangle mesh of a model at rest.
fn of_model(definition: &Definition, hollow: bool) -> mlua::Result<PlacedShape> {
    let (corners, triangles, _) = definition.rest_mesh();
    if corners.is_empty() {
        return Err(without_triangles(definition));
    }
    let shape = if hollow {
        CollisionShape::mesh(corners.into(), triangles.into())
    } else {
        CollisionShape::Hull(corners.into())
    };
    Ok(PlacedShape {
        shape,
        at: RigidFrame::IDENTITY,
    })
}

/// Triangle mesh of a model at rest. A table assigns surfaces to material names; other materials have the surface
/// `plain`.
fn of_materials(
    stage: &Stage,
    definition: &Definition,
    said: &Table,
    plain: &str,
) -> mlua::Result<(PlacedShape, ShapeOverrides)> {
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
                "surfaces: expected names of materials with names of surfaces: { Ice = \"ice\" }",
            ));
        };
        if !names.contains(&material.as_str()) {
            let hint = nearest_hint(&material, names.iter().copied());
            return Err(wrong(format!(
                "surfaces: the model {:?} has no material {material:?}{hint}",
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
    let piece = PlacedShape {
        shape,
        at: RigidFrame::IDENTITY,
    };
    let wear = ShapeOverrides {
        cells: Some(Arc::new(cells)),
        ..ShapeOverrides::default()
    };
    Ok((piece, wear))
}

/// Maximum number of shapes per body.
const MAX_PARTS: usize = 256;
/// Cost of each shape of a body, in steps of the script's budget.
const SHAPE_STEPS: u64 = 150;

fn listed(parts: &[ColliderPart]) -> mlua::Result<Vec<PlacedShape>> {
    let n = parts.len();
    if n == 0 || n > MAX_PARTS {
        return Err(wrong(format!(
            "shapes: expected 1 to {MAX_PARTS} shapes, got {n}"
        )));
    }
    let each = parts.iter().enumerate().map(|(i, part)| {
        let [yaw, pitch, roll] = [part.yaw, part.pitch, part.roll].map(f32::to_radians);
        let rotation = Quat::from_euler(EulerRot::YXZ, yaw, pitch, roll);
        let unit = [Vec3::splat(-0.5), Vec3::splat(0.5)];
        let made = piece(part.shape, &part.form, rotation, unit);
        made.map_err(|why| wrong(format!("shapes[{}]: {why}", i + 1)))
    });
    each.collect()
}

/// Charges a call for a shape built from a model's triangles.
///
/// # Errors
/// Fails if the budget does not suffice.
fn charge_model(lua: &Lua, definition: &Definition, hollow: bool) -> mlua::Result<()> {
    let model = &definition.model;
    let built = if hollow {
        MESH_STEPS * model.n_triangles() as u64
    } else {
        0
    };
    charge(lua, model.n_vertices() as u64 / 4 + built)
}

fn collider(lua: &Lua, args: Args) -> mlua::Result<Value> {
    if args.bool(1) == Some(false) {
        let handle = args.character()?;
        return with_world(lua, |world| {
            let none = world
                .stage
                .bodies()
                .set_prop_body(handle, None, Velocity::default());
            none.map(|()| Value::Nil).map_err(wrong)
        });
    }
    let asked: ColliderOptions = args.options(1)?;
    let (handle, definition) = with_character(lua, &args, |handle, character| {
        Ok((handle, character.definition.clone()))
    })?;
    let hollow = match asked.shape {
        ModelColliderShape::Mesh => true,
        ModelColliderShape::Auto => motion(&asked.matter) != BodyType::Dynamic,
        ModelColliderShape::Hull | ModelColliderShape::Simple(_) => false,
    };
    if let Some(said) = &asked.surfaces {
        if !hollow || asked.shapes.is_some() {
            return Err(wrong(
                "collider: surfaces: needs a triangle mesh; remove surfaces or set shape = \"mesh\"",
            ));
        }
        charge_model(lua, &definition, true)?;
        return with_world(lua, |world| {
            let stage = &mut world.stage;
            let plain = asked.matter.surface.as_deref().unwrap_or("stone");
            let made = of_materials(stage, &definition, said, plain);
            let (piece, wear) = made.map_err(|why| wrong(format!("collider: {why}")))?;
            let (options, velocity) = options(&asked.matter, stage, vec![piece])?;
            let options = physics::PropBodySettings {
                shape_overrides: [wear].into(),
                ..options
            };
            let made = stage
                .bodies()
                .set_prop_body(handle, Some(options), velocity);
            made.map(|()| Value::Nil)
                .map_err(|why| wrong(format!("collider: {why}")))
        });
    }
    let pieces = match (&asked.shapes, asked.shape) {
        (Some(parts), _) => {
            charge(lua, parts.len() as u64 * SHAPE_STEPS)?;
            listed(parts)?
        }
        (None, ModelColliderShape::Simple(form)) => vec![piece(
            form,
            &asked.form,
            Quat::IDENTITY,
            definition.rest_box,
        )?],
        (None, ModelColliderShape::Auto | ModelColliderShape::Hull | ModelColliderShape::Mesh) => {
            charge_model(lua, &definition, hollow)?;
            vec![of_model(&definition, hollow)?]
        }
    };
    with_world(lua, |world| {
        let (options, velocity) = options(&asked.matter, &world.stage, pieces)?;
        let made = world
            .stage
            .bodies()
            .set_prop_body(handle, Some(options), velocity);
        made.map(|()| Value::Nil)
            .map_err(|why| wrong(format!("collider: {why}")))
    })
}

/// Adds a primitive prop to the stage.
fn add(
    lua: &Lua,
    asked: &PropOptions,
    form: PrimitiveMesh,
    pieces: Vec<PlacedShape>,
) -> mlua::Result<Value> {
    let handle = with_world(lua, |world| {
        let stage = &mut world.stage;
        check_room(stage)?;
        if let Some(name) = &asked.name
            && stage.characters.named(name).is_some()
        {
            return Err(wrong(format!(
                "{}: the name {name:?} is already in use",
                form.name()
            )));
        }
        let (options, velocity) = options(&asked.matter, stage, pieces)?;
        let definition = stage.characters.primitive(&form);
        let name = asked.name.as_deref();
        let handle = stage.add_character(definition, form.key(), name, placement(asked));
        paint(stage, handle, asked)?;
        if asked.collider {
            let made = stage
                .bodies()
                .set_prop_body(handle, Some(options), velocity);
            if let Err(why) = made {
                stage.characters.remove(handle);
                return Err(wrong(format!("{}: {why}", form.name())));
            }
        }
        Ok(handle)
    })?;
    reference(lua, handle)
}

/// Placement of a prop.
pub(super) fn placement(asked: &PropOptions) -> Placement {
    let [pitch, roll] = [asked.pitch, asked.roll].map(f32::to_radians);
    Placement {
        position: asked.position,
        yaw: asked.yaw,
        tilt: Quat::from_rotation_x(pitch) * Quat::from_rotation_z(roll),
        ..Placement::default()
    }
}

pub(super) fn paint(stage: &mut Stage, handle: Handle, asked: &PropOptions) -> mlua::Result<()> {
    if let Some(color) = asked.color {
        let character = find(stage, handle)?;
        let model = character.definition.model.clone();
        for (i, part) in color.max(Vec3::ZERO).to_array().into_iter().enumerate() {
            let factor = Factor::BaseColor;
            character.appearance.surface.set(&model, 0, factor, i, part);
        }
    }
    polish(stage, handle, asked)
}

/// Sets roughness and metalness of a prop.
pub(super) fn polish(stage: &mut Stage, handle: Handle, asked: &PropOptions) -> mlua::Result<()> {
    let character = find(stage, handle)?;
    let model = character.definition.model.clone();
    for (given, factor) in [
        (asked.roughness, Factor::Roughness),
        (asked.metallic, Factor::Metallic),
    ] {
        if let Some(n) = given {
            character.appearance.surface.set(&model, 0, factor, 0, n);
        }
    }
    Ok(())
}

/// Returns the size if it is in range.
pub(super) fn checked(size: Vec3) -> mlua::Result<Vec3> {
    if size.min_element() < 1e-3 || size.max_element() > 1e4 {
        return Err(wrong(format!(
            "size: must be 0.001 to 10 000 m along each axis, got {size}"
        )));
    }
    Ok(size)
}

fn whole(shape: CollisionShape) -> Vec<PlacedShape> {
    vec![PlacedShape {
        shape,
        at: RigidFrame::IDENTITY,
    }]
}

pub(super) fn cuboid(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let BoxOptions { prop, size } = args.options(0)?;
    let size = checked(size)?;
    add(
        lua,
        &prop,
        PrimitiveMesh::Box(size),
        whole(CollisionShape::Box(size / 2.0)),
    )
}

pub(super) fn sphere(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let SphereOptions { prop, radius } = args.options(0)?;
    let shape = CollisionShape::Sphere(radius);
    add(lua, &prop, PrimitiveMesh::Sphere(radius), whole(shape))
}

pub(super) fn capsule(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let asked: CapsuleOptions = args.options(0)?;
    let radius = asked.radius;
    let height = asked.height.max(2.0 * radius);
    let shape = CollisionShape::Capsule {
        half_length: height / 2.0 - radius,
        radius,
    };
    let form = PrimitiveMesh::Capsule { radius, height };
    add(lua, &asked.prop, form, whole(shape))
}

pub(super) fn cylinder(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let asked: CylinderOptions = args.options(0)?;
    let (radius, height) = (asked.radius, asked.height);
    let shape = CollisionShape::Cylinder {
        half_length: height / 2.0,
        radius,
    };
    let form = PrimitiveMesh::Cylinder { radius, height };
    add(lua, &asked.prop, form, whole(shape))
}

pub(super) fn stairs(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let asked: StairsOptions = args.options(0)?;
    let steps = asked.steps.0 as u32;
    charge(lua, u64::from(steps) * SHAPE_STEPS)?;
    let (width, rise, run) = (asked.width, asked.step_height, asked.step_depth);
    let pieces = PrimitiveMesh::steps(steps, width, rise, run).map(|(middle, size)| PlacedShape {
        shape: CollisionShape::Box(size / 2.0),
        at: RigidFrame {
            position: middle,
            ..RigidFrame::IDENTITY
        },
    });
    let form = PrimitiveMesh::Stairs {
        steps,
        width,
        rise,
        run,
    };
    add(lua, &asked.prop, form, pieces.collect())
}

pub(super) fn ramp(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let RampOptions { prop, size } = args.options(0)?;
    let size = checked(size)?;
    let corners: Arc<[Vec3]> = PrimitiveMesh::ramp_corners(size).into();
    add(
        lua,
        &prop,
        PrimitiveMesh::Ramp(size),
        whole(CollisionShape::Hull(corners)),
    )
}

pub(super) const COLLIDER: Function = Function {
    name: "collider",
    params: &[Param {
        name: "options",
        ty: Type::OneOf(&[Type::Options(ColliderOptions::SHAPE), Type::Bool]),
        optional: true,
    }],
    returns: "",
    doc: "Adds a collider (a shape for physics) to a character or prop. Others can stand on it, walk into it and \
          push it. With a `mass` it falls. The events `touch` and `touch_end` report contacts. `collider(false)` \
          removes the collider. A prop that is attached to a bone collides with nothing until it is detached.",
    example: "local crate = character \"assets/galatea.glb\"\ncrate:collider { shape = \"capsule\", mass = 60 }\ncrate:on(\"touch\", function(e) print(e.surface, e.speed, e.impulse) end)\ncrate:collider(false)\ncrate:collider { shape = \"mesh\", surface = \"stone\", surfaces = { hair = \"grass\", sole = \"rubber\" } }",
    call: collider,
};
