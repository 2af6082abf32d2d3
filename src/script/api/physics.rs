//! `physics`: what holds for all solid things, simple things to build with, and questions to the world.

use glam::Vec3;
use mlua::{Lua, Table, Value};

use super::character::{CharacterRef, reference};
use super::check::{Args, Field, Fields, Param, Type, lua_vector, names, object};
use super::solid::{self, layer};
use super::solid_fields;
use super::{Function, Group, Kind};
use crate::body::{Filter, Frame, Hit, Owner, Shape};
use crate::script::budget::charge;
use crate::script::world::with_world;
use crate::stage::{Stage, character_of, owner};

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

const SET_FIELDS: &[Field] = &[Field {
    name: "gravity",
    ty: Type::Vector,
    doc: "metres per second squared; (0, -9.81, 0)",
}];

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
    Field {
        name: "friction",
        ty: Type::Number,
        doc: "against its like, 0 or more; of two the geometric mean counts",
    },
    Field {
        name: "bounce",
        ty: Type::Number,
        doc: "share of the speed with which things spring back, 0 to 1; of two the greater counts",
    },
    Field {
        name: "sound",
        ty: Type::Text,
        doc: "name of its set of sounds, which events carry; its own name",
    },
];

/// Surfaces that there may be.
const MOST_SURFACES: usize = 256;

fn surface(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(0).unwrap_or_default();
    let fields = args.fields(1);
    with_world(lua, |world| {
        let physics = &mut world.stage.physics;
        let mut surface = physics.surface(&name);
        if let Some(n) = fields.number("friction") {
            surface.friction = n.max(0.0) as f32;
        }
        if let Some(n) = fields.number("bounce") {
            surface.bounce = n.clamp(0.0, 1.0) as f32;
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
    Field {
        name: "meets",
        ty: Type::OneOf(&[Type::Text, Type::Table]),
        doc: "layers that it meets, a name or a list; all others pass through it",
    },
    Field {
        name: "ignores",
        ty: Type::OneOf(&[Type::Text, Type::Table]),
        doc: "layers that pass through it, a name or a list",
    },
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

macro_rules! query_fields {
    ($($more:expr),* $(,)?) => {
        &[
            $($more,)*
            Field { name: "without", ty: Type::OneOf(&[Type::Object("Character"), Type::Table]), doc: "a character that it passes through, or a list of them" },
            Field { name: "layers", ty: Type::OneOf(&[Type::Text, Type::Table]), doc: "layers that it meets, a name or a list; all" },
            Field { name: "sensors", ty: Type::Bool, doc: "it meets sensors too; false" },
        ]
    };
}

const RAY_FIELDS: &[Field] = query_fields!();

const SHAPE_FIELDS: &[Field] = query_fields!(
    Field {
        name: "shape",
        ty: Type::Word(&["sphere", "box", "capsule"]),
        doc: "sphere"
    },
    Field {
        name: "radius",
        ty: Type::Number,
        doc: "metres; 0.25"
    },
    Field {
        name: "height",
        ty: Type::Number,
        doc: "of a capsule from end to end, metres; 1"
    },
    Field {
        name: "size",
        ty: Type::Vector,
        doc: "of a box, metres; (1, 1, 1)"
    },
    Field {
        name: "yaw",
        ty: Type::Number,
        doc: "degrees about +Y; 0"
    },
);

/// What a query passes through and meets.
struct Asked {
    without: Vec<Owner>,
    layers: u32,
    sensors: bool,
}

impl Asked {
    fn of(fields: &Fields, stage: &Stage) -> mlua::Result<Self> {
        let without = match fields.value("without") {
            Value::Table(list) => (1..=list.raw_len())
                .map(|i| {
                    let one = object::<CharacterRef>(&list.raw_get(i)?);
                    one.ok_or_else(|| wrong(format!("without[{i}]: expected a Character")))
                })
                .collect::<mlua::Result<Vec<_>>>()?,
            value => object::<CharacterRef>(&value).into_iter().collect(),
        };
        let layers = match fields.value("layers") {
            Value::Nil => u32::MAX,
            value => names(&value, "layers")?.iter().try_fold(0, |bits, name| {
                Ok::<_, mlua::Error>(bits | 1 << layer(stage, name)?)
            })?,
        };
        Ok(Self {
            without: without.iter().map(|one| owner(one.0)).collect(),
            layers,
            sensors: fields.bool("sensors").unwrap_or(false),
        })
    }

    fn filter(&self) -> Filter<'_> {
        Filter {
            layers: self.layers,
            without: &self.without,
            sensors: self.sensors,
        }
    }
}

/// The form of a query.
fn form(fields: &Fields) -> mlua::Result<(Shape, glam::Quat)> {
    let number = |name: &str, default: f64| fields.number(name).unwrap_or(default) as f32;
    let (radius, height) = (number("radius", 0.25), number("height", 1.0));
    let size = fields.vector("size").unwrap_or(Vec3::ONE);
    let shape = match fields.text("shape").as_deref() {
        Some("box") => Shape::Box(size / 2.0),
        Some("capsule") => Shape::Capsule {
            half_length: (height / 2.0 - radius).max(0.0),
            radius,
        },
        _ => Shape::Sphere(radius),
    };
    let yaw = (fields.number("yaw").unwrap_or(0.0) as f32).to_radians();
    Ok((shape, glam::Quat::from_rotation_y(yaw)))
}

/// A hit, and whom it met.
struct Met {
    hit: Hit,
    surface: std::sync::Arc<str>,
}

fn met(stage: &Stage, hit: Hit) -> Met {
    let character = character_of(hit.owner).and_then(|handle| stage.characters.get(handle));
    let surface = match character.and_then(|character| character.solid.as_ref()) {
        Some(solid) => solid.options.surface.clone(),
        None if character.is_some() => "flesh".into(),
        None => stage.floor.surface_at(hit.position).clone(),
    };
    Met { hit, surface }
}

fn hit_table(lua: &Lua, met: &Met) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    if let Some(handle) = character_of(met.hit.owner) {
        table.raw_set("character", reference(lua, handle)?)?;
    }
    table.raw_set("position", lua_vector(met.hit.position))?;
    table.raw_set("normal", lua_vector(met.hit.normal))?;
    table.raw_set("distance", met.hit.distance)?;
    table.raw_set("surface", &*met.surface)?;
    Ok(table)
}

/// Work of a query, in counts of a script's budget.
const COST: u64 = 64;

fn ray(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let (from, to) = (
        args.vector(0).unwrap_or_default(),
        args.vector(1).unwrap_or_default(),
    );
    let fields = args.fields(2);
    charge(lua, COST)?;
    let found = with_world(lua, |world| {
        let stage = &mut world.stage;
        stage.physics.refresh(&stage.floor);
        let asked = Asked::of(&fields, stage)?;
        let (way, filter) = (to - from, asked.filter());
        let hit = stage.physics.world.ray(from, way, way.length(), &filter);
        Ok(hit.map(|hit| met(stage, hit)))
    })?;
    found.map_or(Ok(Value::Nil), |met| {
        Ok(Value::Table(hit_table(lua, &met)?))
    })
}

fn ray_all(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let (from, to) = (
        args.vector(0).unwrap_or_default(),
        args.vector(1).unwrap_or_default(),
    );
    let fields = args.fields(2);
    let found = with_world(lua, |world| {
        let stage = &mut world.stage;
        stage.physics.refresh(&stage.floor);
        let asked = Asked::of(&fields, stage)?;
        let (way, filter) = (to - from, asked.filter());
        let hits = stage
            .physics
            .world
            .ray_all(from, way, way.length(), &filter);
        Ok(hits
            .into_iter()
            .map(|hit| met(stage, hit))
            .collect::<Vec<_>>())
    })?;
    charge(lua, COST * (1 + found.len() as u64))?;
    let list = lua.create_table()?;
    for met in &found {
        list.raw_push(hit_table(lua, met)?)?;
    }
    Ok(Value::Table(list))
}

fn cast(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let (from, to) = (
        args.vector(0).unwrap_or_default(),
        args.vector(1).unwrap_or_default(),
    );
    let fields = args.fields(2);
    charge(lua, 4 * COST)?;
    let (shape, rotation) = form(&fields)?;
    let found = with_world(lua, |world| {
        let stage = &mut world.stage;
        stage.physics.refresh(&stage.floor);
        let asked = Asked::of(&fields, stage)?;
        let at = Frame {
            position: from,
            rotation,
        };
        let hit = stage
            .physics
            .world
            .cast(&shape, at, to - from, &asked.filter());
        let hit = hit.map_err(|why| wrong(format!("physics.cast: {why}")))?;
        Ok(hit.map(|hit| met(stage, hit)))
    })?;
    found.map_or(Ok(Value::Nil), |met| {
        Ok(Value::Table(hit_table(lua, &met)?))
    })
}

fn overlap(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let position = args.vector(0).unwrap_or_default();
    let fields = args.fields(1);
    let (shape, rotation) = form(&fields)?;
    let found = with_world(lua, |world| {
        let stage = &mut world.stage;
        stage.physics.refresh(&stage.floor);
        let asked = Asked::of(&fields, stage)?;
        let at = Frame { position, rotation };
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

const BURST_FIELDS: &[Field] = query_fields!(
    Field {
        name: "radius",
        ty: Type::Number,
        doc: "metres around it at which it ends; 3"
    },
    Field {
        name: "impulse",
        ty: Type::Number,
        doc: "newton seconds at its middle, falling to 0 at its radius; 50"
    },
    Field {
        name: "lift",
        ty: Type::Number,
        doc: "how much of it goes up instead of away, 0 to 1; 0.25"
    },
);

fn burst(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let at = args.vector(0).unwrap_or_default();
    let fields = args.fields(1);
    let number = |name: &str, default: f64| fields.number(name).unwrap_or(default).max(0.0) as f32;
    let (radius, impulse) = (number("radius", 3.0), number("impulse", 50.0));
    let lift = number("lift", 0.25).min(1.0);
    let n = with_world(lua, |world| {
        let stage = &mut world.stage;
        stage.physics.refresh(&stage.floor);
        let asked = Asked::of(&fields, stage)?;
        Ok(stage.burst(at, radius, impulse, lift, &asked.filter()))
    })?;
    charge(lua, COST * (1 + n as u64))?;
    Ok(Value::Nil)
}

const PLACE: Param = Param {
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
        Function {
            name: "ray",
            params: &[
                FROM,
                TO,
                Param {
                    name: "options",
                    ty: Type::Fields(RAY_FIELDS),
                    optional: true,
                },
            ],
            returns: "{ character: Character?, position: vector, normal: vector, distance: number, surface: string }?",
            doc: "The first solid thing on the way between two places; `nil` when it is free. The floor has no \
                  `character`.",
            example: "local hit = physics.ray(vector.create(0, 2, 0), vector.create(0, -1, 0), { without = hero })\nif hit then print(hit.surface, hit.distance) end",
            call: ray,
        },
        Function {
            name: "ray_all",
            params: &[
                FROM,
                TO,
                Param {
                    name: "options",
                    ty: Type::Fields(RAY_FIELDS),
                    optional: true,
                },
            ],
            returns: "{ any }",
            doc: "All solid things on the way between two places, the nearest first, as `ray` tells them.",
            example: "print(#physics.ray_all(vector.create(0, 2, 0), vector.create(0, -1, 0)))",
            call: ray_all,
        },
        Function {
            name: "cast",
            params: &[
                FROM,
                TO,
                Param {
                    name: "options",
                    ty: Type::Fields(SHAPE_FIELDS),
                    optional: true,
                },
            ],
            returns: "{ character: Character?, position: vector, normal: vector, distance: number, surface: string }?",
            doc: "The first solid thing that a form meets when its middle moves from one place to another.",
            example: "local hit = physics.cast(vector.create(0, 2, 2), vector.create(0, -1, 2), { radius = 0.3 })",
            call: cast,
        },
        Function {
            name: "overlap",
            params: &[
                PLACE,
                Param {
                    name: "options",
                    ty: Type::Fields(SHAPE_FIELDS),
                    optional: true,
                },
            ],
            returns: "{ Character }",
            doc: "All characters and props whose solid parts touch a form at a place.",
            example: "for _, one in physics.overlap(vector.create(0, 1, 0), { radius = 2 }) do print(one.name) end",
            call: overlap,
        },
        Function {
            name: "burst",
            params: &[
                PLACE,
                Param {
                    name: "options",
                    ty: Type::Fields(BURST_FIELDS),
                    optional: true,
                },
            ],
            returns: "",
            doc: "Pushes all that moves freely away from a place, once, as an explosion does.",
            example: "physics.burst(vector.create(0, 0, 2), { radius = 4, impulse = 80 })",
            call: burst,
        },
    ],
    properties: &[],
};
