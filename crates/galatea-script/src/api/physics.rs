//! `physics`: global physics settings, surfaces and layers, and primitive props.

use glam::Vec3;
use mlua::{Lua, Value};

use super::check::{Args, OneOrMany, Options, Param, Type};
use super::collider_fields::{
    BoxOptions, CapsuleOptions, CylinderOptions, RampOptions, SphereOptions, StairsOptions,
    TerrainOptions,
};
use super::group::{Function, Group, Kind, Native};
use super::surfaces::layer;
use super::{collider, force_field, grab, query, terrain};
use crate::world::with_world;
use galatea_derive::Options;

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Settings of the physics. An option that is left out keeps its value.
#[derive(Options)]
struct PhysicsOptions {
    /// Acceleration by gravity. On the moon it is (0, -1.62, 0).
    #[option(default_doc = "(0, -9.81, 0)", unit = "metres per second squared")]
    gravity: Option<Vec3>,
}

fn set(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: PhysicsOptions = args.options(0)?;
    with_world(lua, |world| {
        if let Some(gravity) = options.gravity {
            world.stage.physics.gravity = gravity;
        }
        Ok(Value::Nil)
    })
}

/// Properties of a surface. An option that is left out keeps its value.
#[derive(Options)]
struct SurfaceOptions {
    /// Coefficient of friction between two bodies with this surface; 0 is slippery, 1 is like rubber. Between two
    /// different surfaces, the friction is the geometric mean of both values: the square root of their product.
    #[option(range = 0.0..)]
    friction: Option<f32>,
    /// Coefficient of restitution: 0 does not bounce, 1 bounces back at full speed. Between two different surfaces, the
    /// greater value counts.
    #[option(range = 0.0..=1.0)]
    restitution: Option<f32>,
    /// Name that events report for the sound of the surface.
    #[option(default_doc = "the name of the surface")]
    sound: Option<String>,
}

/// Maximum number of surfaces.
const MAX_SURFACES: usize = 256;

fn surface(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(0).unwrap_or_default();
    let options: SurfaceOptions = args.options(1)?;
    with_world(lua, |world| {
        let physics = &mut world.stage.physics;
        let mut surface = physics.surface(&name);
        surface.friction = options.friction.unwrap_or(surface.friction);
        surface.restitution = options.restitution.unwrap_or(surface.restitution);
        if let Some(sound) = options.sound {
            surface.sound = sound.into();
        }
        let list = &mut physics.surfaces;
        match list.iter().position(|known| *known.name == *name) {
            Some(at) => list[at] = surface,
            None if list.len() >= MAX_SURFACES => {
                let most = format!("physics.surface: the limit is {MAX_SURFACES} surfaces");
                return Err(wrong(most));
            }
            None => list.push(surface),
        }
        Ok(Value::Nil)
    })
}

/// Layers that a layer collides with.
#[derive(Options)]
struct CollisionLayerOptions {
    /// Layers with which this layer collides. It does not collide with any other layer.
    #[option(default_doc = "unchanged; for a new layer all")]
    collide_with: Option<OneOrMany<String>>,
    /// Layers with which this layer does not collide.
    ignore: Option<OneOrMany<String>>,
}

fn add_layer(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(0).unwrap_or_default();
    let options: CollisionLayerOptions = args.options(1)?;
    with_world(lua, |world| {
        let stage = &mut world.stage;
        let layers = &mut stage.physics.layers;
        if layers.find(&name).is_none() {
            if layers.names.len() >= layers.collides_with.len() {
                let n = layers.collides_with.len();
                return Err(wrong(format!("physics.layer: the limit is {n} layers")));
            }
            layers.names.push(name.clone());
        }
        let own = layer(stage, &name)?;
        let bits = |names: OneOrMany<String>| -> mlua::Result<u32> {
            let mut names = names.0.iter();
            names.try_fold(0, |bits, name| Ok(bits | 1 << layer(stage, name)?))
        };
        let meets = options.collide_with.map(bits).transpose()?;
        let ignores = options.ignore.map(bits).transpose()?.unwrap_or(0);
        let mask = &mut stage.physics.layers.collides_with[usize::from(own)];
        *mask = meets.unwrap_or(*mask) & !ignores;
        Ok(Value::Nil)
    })
}

/// Declares a function that adds a prop and takes options of type `T`.
const fn maker<T: Options>(
    name: &'static str,
    doc: &'static str,
    example: &'static str,
    call: Native,
) -> Function {
    Function {
        name,
        params: const { &[Param::options(T::SHAPE)] },
        returns: "Character",
        doc,
        example,
        call,
    }
}

/// The module `physics`.
pub(super) static GROUP: Group = Group {
    kind: Kind::Module,
    name: "physics",
    doc: "Physics: props (objects such as boxes), surfaces, collision layers, forces, and queries that find objects. \
          The floor has a collider, see `ground.set`. The method `collider` gives a collider to a character or prop. \
          Units are metres, kilograms and seconds.",
    functions: &[
        Function {
            name: "set",
            params: &[Param {
                name: "options",
                ty: Type::Options(PhysicsOptions::SHAPE),
                optional: false,
            }],
            returns: "",
            doc: "Changes settings of the physics world. Options that you leave out keep their values.",
            example: "physics.set { gravity = vec(0, -1.62, 0) }",
            call: set,
        },
        Function {
            name: "surface",
            params: &[
                Param {
                    name: "name",
                    ty: Type::Text,
                    optional: false,
                },
                Param {
                    name: "options",
                    ty: Type::Options(SurfaceOptions::SHAPE),
                    optional: false,
                },
            ],
            returns: "",
            doc: "Defines or changes a surface. It affects colliders that are created later. Built-in surfaces are \
                  stone, wood, metal, grass, gravel, sand, carpet, ice, rubber, glass, flesh and water.",
            example: "physics.surface(\"ice\", { friction = 0.02 })",
            call: surface,
        },
        Function {
            name: "layer",
            params: &[
                Param {
                    name: "name",
                    ty: Type::Text,
                    optional: false,
                },
                Param {
                    name: "options",
                    ty: Type::Options(CollisionLayerOptions::SHAPE),
                    optional: true,
                },
            ],
            returns: "",
            doc: "Creates or changes a collision layer (a group of colliders). Colliders of two layers collide only if \
                  each of the two layers collides with the other. Built-in layers are `world`, `props`, `characters` \
                  and `ragdolls`, which all collide with each other.",
            example: "physics.layer(\"ghosts\", { collide_with = \"world\" })",
            call: add_layer,
        },
        maker::<BoxOptions>(
            "box",
            "Adds a box to the scene. With a `mass` it falls and can be pushed; otherwise it is fixed. It has a \
             collider, unless `collider` is false.",
            "for i = 1, 10 do physics.box { position = vec(0, i, 2), size = vec(0.4, 0.3, 0.4), mass = 8 } end",
            collider::cuboid,
        ),
        maker::<SphereOptions>(
            "sphere",
            "Adds a sphere to the scene. With a `mass` it falls and can be pushed; otherwise it is fixed. It has a \
             collider, unless `collider` is false.",
            "physics.sphere { position = vec(0, 2, 2), radius = 0.2, mass = 3, surface = \"rubber\" }",
            collider::sphere,
        ),
        maker::<CapsuleOptions>(
            "capsule",
            "Adds a capsule (a cylinder with round ends) to the scene. With a `mass` it falls and can be pushed; \
             otherwise it is fixed. It has a collider, unless `collider` is false.",
            "physics.capsule { position = vec(1, 1, 2), radius = 0.1, height = 0.8, mass = 5 }",
            collider::capsule,
        ),
        maker::<CylinderOptions>(
            "cylinder",
            "Adds a cylinder to the scene. With a `mass` it falls and can be pushed; otherwise it is fixed. It has a \
             collider, unless `collider` is false.",
            "physics.cylinder { position = vec(2, 0.5, 2), radius = 0.3, height = 1, mass = 40, surface = \"wood\" }",
            collider::cylinder,
        ),
        maker::<StairsOptions>(
            "stairs",
            "Adds stairs to the scene. They begin at `position` and rise in the direction of +Z; `yaw` rotates them.",
            "physics.stairs { position = vec(0, 0, 3), steps = 12, width = 3 }",
            collider::stairs,
        ),
        maker::<RampOptions>(
            "ramp",
            "Adds a ramp (a wedge) to the scene. It begins at `position` and rises in the direction of +Z; `yaw` \
             rotates it.",
            "physics.ramp { position = vec(3, 0, 3), size = vec(2, 1, 3) }",
            collider::ramp,
        ),
        maker::<TerrainOptions>(
            "terrain",
            "Adds terrain: ground with hills, given by a height for each point of a grid. Each cell of the grid can \
             have its own surface. A second call with the same name replaces the terrain; where the new ground is \
             higher, characters are lifted onto it.",
            "physics.terrain { name = \"hills\", position = vec(0, -1, 0), size = vec(30, 0.8, 30), heights = function(x, z) return math.noise(x / 4, z / 4) end, surfaces = function(x, z) return if z > 5 then \"sand\" else \"grass\" end }",
            terrain::terrain,
        ),
        force_field::FORCE_FIELD,
        grab::GRAB,
        query::RAYCAST,
        query::RAYCAST_ALL,
        query::SHAPE_CAST,
        query::OVERLAP,
        query::EXPLOSION,
    ],
    properties: &[],
};
