//! Physics queries: raycasts, shape casts, overlap tests; and explosions.

use glam::{Vec2, Vec3};
use mlua::{Lua, Table, Value};

use super::character_ref::{CharacterRef, find, reference};
use super::check::{Args, OneOrMany, Options, Param, Type, lua_vector};
use super::group::Function;
use super::surfaces::layers;
use crate::budget::charge;
use crate::words;
use crate::world::with_world;
use galatea_character::Character;
use galatea_derive::Options;
use galatea_physics::{CollisionShape, Filter, Owner, QueryHit, RigidFrame};
use galatea_stage::{Handle, Layers, Stage, character_of, owner, surface_of};

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Filter of a query.
#[derive(Options)]
struct QueryOptions {
    /// Character or prop to ignore, or a list of them.
    #[option(default = OneOrMany::default())]
    exclude: OneOrMany<CharacterRef>,
    /// Collision layers in which to search.
    #[option(default_doc = "all")]
    layers: Option<OneOrMany<String>>,
    /// True also finds sensors.
    #[option(default = false)]
    sensors: bool,
}

/// Filter of a ray.
#[derive(Options)]
struct RaycastOptions {
    #[option(flatten)]
    query: QueryOptions,
    /// True tests the visible triangles of characters and props, instead of their colliders.
    #[option(default = false)]
    exact: bool,
}

/// Shape of a query.
enum QueryShape {
    Sphere,
    Box,
    Capsule,
}

words!(QueryShape {
    "sphere" => Self::Sphere,
    "box" => Self::Box,
    "capsule" => Self::Capsule,
});

/// Shape and filter of a query.
#[derive(Options)]
struct ShapeQueryOptions {
    #[option(flatten)]
    query: QueryOptions,
    /// Form of the shape.
    #[option(default = QueryShape::Sphere, default_doc = "sphere")]
    shape: QueryShape,
    /// For a sphere or a capsule: radius.
    #[option(default = 0.25, unit = "metres")]
    radius: f32,
    /// For a capsule: height from end to end.
    #[option(default = 1.0, unit = "metres")]
    height: f32,
    /// For a box: lengths of its edges.
    #[option(default = Vec3::ONE, default_doc = "(1, 1, 1)", unit = "metres")]
    size: Vec3,
    /// Rotation of the shape around the Y axis.
    #[option(default = 0.0, unit = "degrees")]
    yaw: f32,
}

/// Exclusions, layers and sensors of a query.
struct QueryFilter {
    exclude: Vec<Owner>,
    layers: u32,
    sensors: bool,
}

impl QueryFilter {
    fn of(options: &QueryOptions, stage: &Stage) -> mlua::Result<Self> {
        let OneOrMany(without) = &options.exclude;
        Ok(Self {
            exclude: without.iter().map(|one| owner(one.0)).collect(),
            layers: layers(stage, options.layers.as_ref())?,
            sensors: options.sensors,
        })
    }

    fn filter(&self) -> Filter<'_> {
        Filter {
            layers: self.layers,
            exclude: &self.exclude,
            sensors: self.sensors,
        }
    }
}

/// Shape and rotation of a query.
fn query_shape(options: &ShapeQueryOptions) -> (CollisionShape, glam::Quat) {
    let radius = options.radius;
    let shape = match options.shape {
        QueryShape::Box => CollisionShape::Box(options.size / 2.0),
        QueryShape::Capsule => CollisionShape::Capsule {
            half_length: (options.height / 2.0 - radius).max(0.0),
            radius,
        },
        QueryShape::Sphere => CollisionShape::Sphere(radius),
    };
    (shape, glam::Quat::from_rotation_y(options.yaw.to_radians()))
}

/// A hit, with the surface and the bone of the hit character.
struct HitDetails {
    hit: QueryHit,
    surface: std::sync::Arc<str>,
    bone: Option<String>,
    /// Triangle data; only for exact queries.
    traced: Option<Exact>,
}

/// Data of an exact query about the hit triangle.
struct Exact {
    part: String,
    triangle: usize,
    barycentric: Vec3,
    uv: Vec2,
}

fn hit_details(stage: &Stage, hit: QueryHit) -> HitDetails {
    let character = character_of(hit.owner).and_then(|handle| stage.characters.get(handle));
    let whose = character_of(hit.owner).filter(|_| character.is_some());
    let (all, floor) = (&stage.characters, &stage.floor);
    let surface = surface_of(all, floor, whose, hit.part, hit.position);
    let surface = surface.unwrap_or_else(|| "flesh".into());
    let limbs = character.and_then(|character| Some((character, character.body.limbs.as_ref()?)));
    let bone = limbs.and_then(|(character, limbs)| {
        let body = limbs.ragdoll.definition.bodies.get(usize::from(hit.part))?;
        bone_name(character, body.bone)
    });
    HitDetails {
        hit,
        surface,
        bone,
        traced: None,
    }
}

fn bone_name(character: &Character, bone: u16) -> Option<String> {
    let bones = character.definition.model.skeleton.bones();
    Some(bones.get(usize::from(bone))?.name.clone())
}

/// Returns the first hit of a line on the triangles of characters, and the number of triangles tested.
fn traced(
    stage: &Stage,
    (from, to): (Vec3, Vec3),
    asked: &QueryFilter,
    one: Option<Handle>,
) -> (Option<HitDetails>, usize) {
    let (mut best, mut most, mut all) = (None, f32::INFINITY, 0);
    for (handle, character) in stage.characters.iter() {
        let layer = match &character.body.prop_body {
            Some(solid) if solid.options.sensor && !asked.sensors => continue,
            Some(solid) => solid.options.layer,
            None => Layers::CHARACTERS,
        };
        let is_asked = one.is_none_or(|one| one == handle)
            && !asked.exclude.contains(&owner(handle))
            && asked.layers >> layer & 1 == 1;
        if !is_asked {
            continue;
        }
        let (found, work) = character.trace(from, to);
        all += work;
        let Some(found) = found.filter(|found| found.u < most) else {
            continue;
        };
        most = found.u;
        let hit = QueryHit {
            owner: owner(handle),
            part: 0,
            body: None,
            position: found.position,
            normal: found.normal,
            distance: (to - from).length() * found.u,
        };
        let part = &character.definition.model.parts[found.part];
        let before = character.definition.model.meshes[part.mesh].primitives[..found.primitive]
            .iter()
            .map(|primitive| primitive.indices.len() / 3);
        best = Some(HitDetails {
            bone: bone_name(character, found.bone),
            traced: Some(Exact {
                part: part.name.clone(),
                triangle: before.sum::<usize>() + found.triangle,
                barycentric: found.barycentric,
                uv: found.uv,
            }),
            ..hit_details(stage, hit)
        });
    }
    (best, all)
}

fn hit_table(lua: &Lua, met: &HitDetails) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    if let Some(handle) = character_of(met.hit.owner) {
        table.raw_set("character", reference(lua, handle)?)?;
    }
    table.raw_set("position", lua_vector(met.hit.position))?;
    table.raw_set("normal", lua_vector(met.hit.normal))?;
    table.raw_set("distance", met.hit.distance)?;
    table.raw_set("surface", &*met.surface)?;
    table.raw_set("bone", met.bone.as_deref())?;
    if let Some(exact) = &met.traced {
        table.raw_set("part", exact.part.as_str())?;
        table.raw_set("triangle", exact.triangle + 1)?;
        table.raw_set("barycentric", lua_vector(exact.barycentric))?;
        table.raw_set("uv", lua_vector(exact.uv.extend(0.0)))?;
    }
    Ok(table)
}

/// Cost of a query, in steps of the script budget.
const COST: u64 = 64;

fn raycast(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let (from, to) = (
        args.vector(0).unwrap_or_default(),
        args.vector(1).unwrap_or_default(),
    );
    let options: RaycastOptions = args.options(2)?;
    let is_exact = options.exact;
    charge(lua, COST)?;
    let (found, work) = with_world(lua, |world| {
        let stage = &mut world.stage;
        stage.physics.refresh(&stage.floor);
        let mut asked = QueryFilter::of(&options.query, stage)?;
        let (seen, work) = match is_exact {
            true => traced(stage, (from, to), &asked, None),
            false => (None, 0),
        };
        if is_exact {
            // These characters are tested by their triangles instead.
            let all = stage.characters.iter();
            let drawn = all.filter(|(_, c)| !c.definition.model.parts.is_empty());
            asked.exclude.extend(drawn.map(|(handle, _)| owner(handle)));
        }
        let (way, filter) = (to - from, asked.filter());
        let hit = stage.physics.world.ray(from, way, way.length(), &filter);
        let solid = hit.map(|hit| hit_details(stage, hit));
        let all = [seen, solid].into_iter().flatten();
        let first = all.min_by(|a, b| a.hit.distance.total_cmp(&b.hit.distance));
        Ok((first, work))
    })?;
    charge(lua, work as u64 / 2)?;
    found.map_or(Ok(Value::Nil), |met| {
        Ok(Value::Table(hit_table(lua, &met)?))
    })
}

fn character_ray(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let (from, to) = (
        args.vector(1).unwrap_or_default(),
        args.vector(2).unwrap_or_default(),
    );
    let (found, work) = with_world(lua, |world| {
        find(&mut world.stage, handle)?;
        let asked = QueryFilter {
            exclude: Vec::new(),
            layers: u32::MAX,
            sensors: true,
        };
        Ok(traced(&world.stage, (from, to), &asked, Some(handle)))
    })?;
    charge(lua, COST + work as u64 / 2)?;
    found.map_or(Ok(Value::Nil), |met| {
        Ok(Value::Table(hit_table(lua, &met)?))
    })
}

fn raycast_all(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let (from, to) = (
        args.vector(0).unwrap_or_default(),
        args.vector(1).unwrap_or_default(),
    );
    let options: RaycastOptions = args.options(2)?;
    let found = with_world(lua, |world| {
        let stage = &mut world.stage;
        stage.physics.refresh(&stage.floor);
        let asked = QueryFilter::of(&options.query, stage)?;
        let (way, filter) = (to - from, asked.filter());
        let hits = stage
            .physics
            .world
            .ray_all(from, way, way.length(), &filter);
        Ok(hits
            .into_iter()
            .map(|hit| hit_details(stage, hit))
            .collect::<Vec<_>>())
    })?;
    charge(lua, COST * (1 + found.len() as u64))?;
    let list = lua.create_table()?;
    for met in &found {
        list.raw_push(hit_table(lua, met)?)?;
    }
    Ok(Value::Table(list))
}

fn shape_cast(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let (from, to) = (
        args.vector(0).unwrap_or_default(),
        args.vector(1).unwrap_or_default(),
    );
    let options: ShapeQueryOptions = args.options(2)?;
    charge(lua, 4 * COST)?;
    let (shape, rotation) = query_shape(&options);
    let found = with_world(lua, |world| {
        let stage = &mut world.stage;
        stage.physics.refresh(&stage.floor);
        let asked = QueryFilter::of(&options.query, stage)?;
        let at = RigidFrame {
            position: from,
            rotation,
        };
        let hit = stage
            .physics
            .world
            .cast(&shape, at, to - from, &asked.filter());
        let hit = hit.map_err(|why| wrong(format!("physics.shape_cast: {why}")))?;
        Ok(hit.map(|hit| hit_details(stage, hit)))
    })?;
    found.map_or(Ok(Value::Nil), |met| {
        Ok(Value::Table(hit_table(lua, &met)?))
    })
}

fn overlap(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let position = args.vector(0).unwrap_or_default();
    let options: ShapeQueryOptions = args.options(1)?;
    let (shape, rotation) = query_shape(&options);
    let found = with_world(lua, |world| {
        let stage = &mut world.stage;
        stage.physics.refresh(&stage.floor);
        let asked = QueryFilter::of(&options.query, stage)?;
        let at = RigidFrame { position, rotation };
        let found = stage.physics.world.overlaps(&shape, at, &asked.filter());
        found.map_err(|why| wrong(format!("physics.overlap: {why}")))
    })?;
    charge(lua, COST * (1 + found.len() as u64))?;
    let list = lua.create_table()?;
    let mut owners: Vec<Owner> = found.into_iter().map(|(owner, _)| owner).collect();
    owners.dedup();
    for handle in owners.into_iter().filter_map(character_of) {
        list.raw_push(reference(lua, handle)?)?;
    }
    Ok(Value::Table(list))
}

/// An explosion and its filter.
#[derive(Options)]
struct ExplosionOptions {
    #[option(flatten)]
    query: QueryOptions,
    /// Distance from the centre beyond which the explosion has no effect.
    #[option(default = 3.0, unit = "metres", clamp = 0.0..)]
    radius: f32,
    /// Impulse (force times time) on a body at the centre. With the distance it decreases to 0 at `radius`.
    #[option(default = 50.0, unit = "newton seconds", clamp = 0.0..)]
    impulse: f32,
    /// Fraction of the impulse that points up; the rest points away from the centre.
    #[option(default = 0.25, clamp = 0.0..=1.0)]
    lift: f32,
}

fn explosion(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let at = args.vector(0).unwrap_or_default();
    let ExplosionOptions {
        query,
        radius,
        impulse,
        lift,
    } = args.options(1)?;
    let n = with_world(lua, |world| {
        let stage = &mut world.stage;
        stage.physics.refresh(&stage.floor);
        let asked = QueryFilter::of(&query, stage)?;
        Ok(stage
            .bodies()
            .burst(at, radius, impulse, lift, &asked.filter()))
    })?;
    charge(lua, COST * (1 + n as u64))?;
    Ok(Value::Nil)
}

/// Luau type of a hit, between two texts.
macro_rules! hit {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            "{ character: Character?, position: vector, normal: vector, distance: number, surface: string, \
             bone: string?, part: string?, triangle: number?, barycentric: vector?, uv: vector? }",
            $after
        )
    };
}

/// Luau type of the first hit.
const HIT: &str = hit!("", "?");

const POSITION: Param = Param {
    name: "at",
    ty: Type::Vector,
    optional: false,
};
const FROM: Param = Param {
    name: "from",
    ty: Type::Vector,
    optional: false,
};
const TO: Param = Param {
    name: "to",
    ty: Type::Vector,
    optional: false,
};

pub(super) const RAYCAST: Function = Function {
    name: "raycast",
    params: &[FROM, TO, Param::options(RaycastOptions::SHAPE)],
    returns: HIT,
    doc: "Returns the first hit on the line from one position to another, or nil if there is none. The line hits \
          colliders. A hit is a table with these fields:\n\n\
          - `position`: the position of the hit in the world; `normal`: the direction that the surface faces there;\n\
          - `distance`: the distance from the start of the line, in metres; `surface`: the name of the surface;\n\
          - `character`: the character or prop that was hit; nil for the floor;\n\
          - `bone`: the bone that was hit, if it is a body of a ragdoll, or with the option `exact`.\n\n\
          With `exact`, the line hits the visible triangles of characters and props, even if they have no colliders. \
          Then the hit also has `part` and `triangle` (counted from 1), which identify the triangle. `barycentric` and \
          `uv` give the point in the triangle.",
    example: "local hit = physics.raycast(vec(0, 2, 0), vec(0, -1, 0), { exclude = hero })\nif hit then print(hit.surface, hit.distance) end",
    call: raycast,
};

pub(super) const RAYCAST_ALL: Function = Function {
    name: "raycast_all",
    params: &[FROM, TO, Param::options(RaycastOptions::SHAPE)],
    returns: hit!("{ ", " }"),
    doc: "Returns a list of all hits on the line from one position to another, the nearest first. Each hit has the \
          fields described at `raycast`.",
    example: "print(#physics.raycast_all(vec(0, 2, 0), vec(0, -1, 0)))",
    call: raycast_all,
};

pub(super) const SHAPE_CAST: Function = Function {
    name: "shape_cast",
    params: &[FROM, TO, Param::options(ShapeQueryOptions::SHAPE)],
    returns: HIT,
    doc: "Moves an invisible shape along a line and returns the first hit, or nil if there is none. `from` and `to` are \
          the positions of the centre of the shape. The hit has the fields described at `raycast`.",
    example: "local hit = physics.shape_cast(vec(0, 2, 2), vec(0, -1, 2), { radius = 0.3 })",
    call: shape_cast,
};

pub(super) const OVERLAP: Function = Function {
    name: "overlap",
    params: &[POSITION, Param::options(ShapeQueryOptions::SHAPE)],
    returns: "{ Character }",
    doc: "Returns a list of all characters and props whose collider overlaps a shape. `at` is the position of the \
          centre of the shape.",
    example: "for _, one in physics.overlap(vec(0, 1, 0), { radius = 2 }) do print(one.name) end",
    call: overlap,
};

pub(super) const EXPLOSION: Function = Function {
    name: "explosion",
    params: &[POSITION, Param::options(ExplosionOptions::SHAPE)],
    returns: "",
    doc: "Pushes dynamic bodies away from a position, once, as an explosion does. `at` is the position.",
    example: "physics.explosion(vec(0, 0, 2), { radius = 4, impulse = 80 })",
    call: explosion,
};

pub(super) const CHARACTER_RAYCAST: Function = Function {
    name: "raycast",
    params: &[FROM, TO],
    returns: HIT,
    doc: "Returns the first point where the line between two positions hits the visible triangles of this character, in its \
          current pose, or nil. It works like `physics.raycast` with `exact`, but for this character alone.",
    example: "local eye = camera.position()\nlocal hit = hero:raycast(eye, hero:bone_position \"head\")\nif hit then hero:hit { bone = hit.bone, position = hit.position, impulse = vec(0, 0, -20) } end",
    call: character_ray,
};
