//! `physics`: what holds for all solid things, and simple things to build with.

use mlua::{Lua, Value};

use super::check::{Args, Field, Param, Type, names};
use super::solid::{self, layer};
use super::solid_fields;
use super::{Function, Group, Kind, force, grab, query, terrain};
use crate::world::with_world;

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

const SET_FIELDS: &[Field] = &[Field::new(
    "gravity",
    Type::Vector,
    "metres per second squared; (0, -9.81, 0)",
)];

fn set(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    with_world(lua, |world| {
        if let Some(gravity) = fields.vector("gravity") {
            world.stage.physics.gravity = gravity;
        }
        Ok(Value::Nil)
    })
}

const SURFACE_FIELDS: &[Field] = &[
    Field::new(
        "friction",
        Type::Number,
        "against its like, 0 or more; of two the geometric mean counts",
    ),
    Field::new(
        "bounce",
        Type::Number,
        "share of the speed with which things spring back, 0 to 1; of two the greater counts",
    ),
    Field::new(
        "sound",
        Type::Text,
        "name of its set of sounds, which events carry; its own name",
    ),
];

/// Surfaces that there may be.
const MOST_SURFACES: usize = 256;

fn surface(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(0).unwrap_or_default();
    let fields = args.fields(1);
    with_world(lua, |world| {
        let physics = &mut world.stage.physics;
        let mut surface = physics.surface(&name);
        if let Some(friction) = fields.within("friction", 0.0, f64::INFINITY)? {
            surface.friction = friction;
        }
        if let Some(bounce) = fields.within("bounce", 0.0, 1.0)? {
            surface.bounce = bounce;
        }
        if let Some(sound) = fields.text("sound") {
            surface.sound = sound.into();
        }
        let list = &mut physics.surfaces;
        match list.iter().position(|known| *known.name == *name) {
            Some(at) => list[at] = surface,
            None if list.len() >= MOST_SURFACES => {
                let most = format!("physics.surface: there may be {MOST_SURFACES}");
                return Err(wrong(most));
            }
            None => list.push(surface),
        }
        Ok(Value::Nil)
    })
}

const LAYER_FIELDS: &[Field] = &[
    Field::new(
        "meets",
        Type::OneOf(&[Type::Text, Type::Table("{ [any]: any }")]),
        "layers that it meets, a name or a list; all others pass through it",
    ),
    Field::new(
        "ignores",
        Type::OneOf(&[Type::Text, Type::Table("{ [any]: any }")]),
        "layers that pass through it, a name or a list",
    ),
];

fn add_layer(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(0).unwrap_or_default();
    let fields = args.fields(1);
    let list = |field: &str| match fields.value(field) {
        Value::Nil => Ok(None),
        value => names(&value, field).map(Some),
    };
    let (meets, ignores) = (list("meets")?, list("ignores")?);
    with_world(lua, |world| {
        let stage = &mut world.stage;
        let layers = &mut stage.physics.layers;
        if layers.find(&name).is_none() {
            if layers.names.len() >= layers.meets.len() {
                let n = layers.meets.len();
                return Err(wrong(format!("physics.layer: there may be {n} layers")));
            }
            layers.names.push(name.clone());
        }
        let own = layer(stage, &name)?;
        let bits = |names: Vec<String>| -> mlua::Result<u32> {
            names
                .iter()
                .try_fold(0, |bits, name| Ok(bits | 1 << layer(stage, name)?))
        };
        let meets = meets.map(bits).transpose()?;
        let ignores = ignores.map(bits).transpose()?.unwrap_or(0);
        let mask = &mut stage.physics.layers.meets[usize::from(own)];
        *mask = meets.unwrap_or(*mask) & !ignores;
        Ok(Value::Nil)
    })
}

/// A function that makes a simple thing.
macro_rules! form_function {
    ($name:literal, $fields:expr, $doc:literal, $example:literal, $call:expr) => {
        Function {
            name: $name,
            params: &[Param {
                name: "options",
                ty: Type::Fields($fields),
                optional: true,
            }],
            returns: "Character",
            doc: $doc,
            example: $example,
            call: $call,
        }
    };
}

/// The module `physics`.
pub(super) static GROUP: Group = Group {
    kind: Kind::Module,
    name: "physics",
    doc: "Solid things. The floor is solid, see `ground.set`; any character or prop becomes so by \
          `thing:solid`. Metres, kilograms, seconds.",
    functions: &[
        Function {
            name: "set",
            params: &[Param {
                name: "options",
                ty: Type::Fields(SET_FIELDS),
                optional: false,
            }],
            returns: "",
            doc: "Sets what holds for all; what is left out stays.",
            example: "physics.set { gravity = vector.create(0, -1.62, 0) }",
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
                    ty: Type::Fields(SURFACE_FIELDS),
                    optional: false,
                },
            ],
            returns: "",
            doc: "Says what a surface is like, for what is made of it from then on. Known without that: \
                  stone, wood, metal, grass, gravel, sand, carpet, ice, rubber, glass, flesh, water.",
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
                    ty: Type::Fields(LAYER_FIELDS),
                    optional: true,
                },
            ],
            returns: "",
            doc: "Makes a layer, or changes one. Two things meet when each meets the other's layer. There \
                  are `world`, `props`, `characters` and `ragdolls`, which all meet.",
            example: "physics.layer(\"ghosts\", { meets = \"world\" })",
            call: add_layer,
        },
        form_function!(
            "box",
            solid_fields::BOX_FIELDS,
            "Puts a box on the stage, solid unless told otherwise; with a mass it falls.",
            "for i = 1, 10 do physics.box { at = vector.create(0, i, 2), size = vector.create(0.4, 0.3, 0.4), mass = 8 } end",
            solid::cuboid
        ),
        form_function!(
            "sphere",
            solid_fields::SPHERE_FIELDS,
            "Puts a sphere on the stage, solid unless told otherwise; with a mass it falls.",
            "physics.sphere { at = vector.create(0, 2, 2), radius = 0.2, mass = 3, surface = \"rubber\" }",
            solid::sphere
        ),
        form_function!(
            "capsule",
            solid_fields::ROUND_FIELDS,
            "Puts a capsule on the stage, solid unless told otherwise; with a mass it falls.",
            "physics.capsule { at = vector.create(1, 1, 2), radius = 0.1, height = 0.8, mass = 5 }",
            solid::capsule
        ),
        form_function!(
            "cylinder",
            solid_fields::ROUND_FIELDS,
            "Puts a cylinder on the stage, solid unless told otherwise; with a mass it falls.",
            "physics.cylinder { at = vector.create(2, 0.5, 2), radius = 0.3, height = 1, mass = 40, surface = \"wood\" }",
            solid::cylinder
        ),
        form_function!(
            "stairs",
            solid_fields::STAIRS_FIELDS,
            "Puts stairs on the stage that rise along +Z from `at`, turned by yaw.",
            "physics.stairs { at = vector.create(0, 0, 3), steps = 12, width = 3 }",
            solid::stairs
        ),
        form_function!(
            "ramp",
            solid_fields::BOX_FIELDS,
            "Puts a wedge on the stage that rises along +Z from `at`, turned by yaw.",
            "physics.ramp { at = vector.create(3, 0, 3), size = vector.create(2, 1, 3) }",
            solid::ramp
        ),
        form_function!(
            "terrain",
            solid_fields::TERRAIN_FIELDS,
            "Puts ground on the stage, by its heights. The edges within it catch nobody, and each cell is as slippery as its surface. Called again with the name of a terrain it replaces that, and who stands on it is taken along where it rises.",
            "physics.terrain { name = \"hills\", at = vector.create(0, -1, 0), size = vector.create(30, 0.8, 30), heights = function(x, z) return math.noise(x / 4, z / 4) end, surfaces = function(x, z) return if z > 5 then \"sand\" else \"grass\" end }",
            terrain::terrain
        ),
        force::FORCE,
        grab::GRAB,
        query::RAY,
        query::RAY_ALL,
        query::CAST,
        query::OVERLAP,
        query::BURST,
    ],
    properties: &[],
};
