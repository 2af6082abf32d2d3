//! `particles` and `hero:particles`: dust, blood, sparks, breath.

use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3};
use mlua::{Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::character_ref::{bone_index, find};
use super::check::{Args, OptionValue, Options, Param, Type, lua_number, lua_vector, text, vector};
use super::decal::{line, met};
use super::group::{Function, Group, Kind, Property};
use super::particle_fields::{ParticleOptions, PictureCells, apply};
use crate::budget::charge;
use crate::world::{World, with_world};
use galatea_character::{Character, SkinPlaces, SkinRoot};
use galatea_emitter::kinds::{KINDS, ParticleKind, plain};
use galatea_emitter::{
    EmissionShape, Emitter, EmitterOptions, LifetimeCurve, MOST_OF_ONE, SpriteSheet,
};
use galatea_math::clamp::ClampTo as _;
use galatea_math::names::nearest_hint;
use galatea_stage::{EmitterPlace, Handle, Identity, MOST_EMITTERS, StageEmitter};

/// Work of an emitter and of one particle at once, in counts of a script's budget.
const COST: u64 = 64;
const COST_OF_ONE: u64 = 4;
/// Vertices and triangles looked at for one count.
const COST_PER: u64 = 16;
/// From between the eyes to the mouth, metres of a body 1.7 m high, the character's directions.
const MOUTH: Vec3 = Vec3::new(0.0, -0.066, 0.022);
/// The way of breath, the same directions: out of the nose and mouth of one who looks ahead.
const BREATH: Vec3 = Vec3::new(0.0, -0.22, 1.0);

/// A script's hold on an emitter.
#[derive(Clone, Copy)]
struct ParticlesRef(Handle);

impl UserData for ParticlesRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// A kind that exists, with what a script changes of it.
fn options(
    world: &mut World,
    name: &str,
    new: &mut ParticleOptions,
) -> mlua::Result<EmitterOptions> {
    let mut options = match ParticleKind::find(name) {
        Some(kind) => kind.options(),
        None if name == "plain" => plain(),
        None => {
            let names = KINDS.iter().map(|kind| kind.name).chain(["plain"]);
            let hint = nearest_hint(name, names);
            return Err(wrong(format!("particles: there is no kind {name:?}{hint}")));
        }
    };
    apply(new, &mut options);
    if let Some(file) = &new.picture {
        options.picture = picture(world, file, new.cells)?;
        options.cells = 0..options.picture.cells.len() as u16;
        options.landed = 0..0;
    }
    Ok(options)
}

/// A picture of the project, cut into cells; the same one each time.
fn picture(world: &mut World, file: &str, cells: PictureCells) -> mlua::Result<Arc<SpriteSheet>> {
    let image = world.loading.image(&*world.services, file);
    let image = image.map_err(|why| wrong(format!("particles: {why}")))?;
    let picture = world.pictures.cut(image, (cells.0, cells.1));
    picture.map_err(|why| wrong(format!("particles: {file}: {why}")))
}

/// Takes +Y to a direction.
fn upright(direction: Vec3) -> Quat {
    direction
        .try_normalize()
        .map_or(Quat::IDENTITY, |way| Quat::from_rotation_arc(Vec3::Y, way))
}

/// Where in the world they are put: a place, or what was hit.
fn in_world(place: &Value, direction: Option<Vec3>) -> mlua::Result<Affine3A> {
    let (at, normal) = match place {
        Value::Table(hit) => {
            let of = |key: &str| -> mlua::Result<Option<Vec3>> {
                Ok(vector(&hit.raw_get::<Value>(key)?).filter(|v| v.is_finite()))
            };
            (of("position")?.or(of("at")?), of("normal")?)
        }
        value => (vector(value), None),
    };
    let Some(at) = at.filter(|at| at.is_finite()) else {
        return Err(wrong(
            "particles: a place is expected, or a table with a position: a hit of physics.raycast or an event",
        ));
    };
    let way = direction.or(normal).unwrap_or(Vec3::Y);
    Ok(Affine3A::from_rotation_translation(upright(way), at))
}

/// Before the mouth: the bone, and the frame in its space.
fn mouth(character: &Character) -> Option<(u16, Affine3A)> {
    let rig = character.definition.gaze_rig().ok()?;
    let bone = rig.head.bone;
    let head = character.definition.rest_matrix(bone).inverse();
    let turn = rig.model_from_character;
    let aside = head.transform_vector3(turn * (MOUTH * rig.size));
    let way = head.transform_vector3(turn * BREATH);
    let local = Affine3A::from_rotation_translation(upright(way), rig.eye_middle + aside);
    local.is_finite().then_some((bone, local))
}

/// What carries them, and their frame in its space; nothing where a hit meets nothing.
type Put = Option<(EmitterPlace, Affine3A)>;

/// What carries them on a character, and how many vertices and triangles were looked at for it.
fn on_character(
    handle: Handle,
    character: &Character,
    place: &Value,
    options: &ParticleOptions,
    (is_breath, shape): (bool, EmissionShape),
) -> mlua::Result<(Put, u64)> {
    if shape == EmissionShape::Surface {
        let places = SkinPlaces::of(&character.definition, &character.appearance.hidden_parts);
        let places = places.ok_or_else(|| wrong("particles: it has no surface"))?;
        let place = EmitterPlace::Surface(handle, Arc::new(places));
        let work = character.definition.model.n_vertices() as u64;
        return Ok((Some((place, Affine3A::IDENTITY)), work));
    }
    if let Value::Table(hit) = place {
        return on_skin(handle, character, hit, options.direction);
    }
    let name = text(place);
    let is_placed = options.offset.is_some() || options.direction.is_some();
    if name.is_none()
        && is_breath
        && !is_placed
        && let Some((bone, local)) = mouth(character)
    {
        return Ok((Some((EmitterPlace::Bone(handle, bone), local)), 0));
    }
    let bone = match (&name, place) {
        (Some(name), _) => bone_index(character, name)?,
        (None, Value::Nil) => 0,
        _ => {
            return Err(wrong(
                "particles: where is the name of a bone, or a hit of physics.raycast",
            ));
        }
    };
    let rest = character.definition.rest_matrix(bone);
    let offset = options.offset.unwrap_or(Vec3::ZERO);
    let way = options.direction.unwrap_or(Vec3::Y);
    let at = Vec3::from(rest.translation) + offset;
    let local = rest.inverse() * Affine3A::from_rotation_translation(upright(way), at);
    let local = if local.is_finite() {
        local
    } else {
        Affine3A::IDENTITY
    };
    Ok((Some((EmitterPlace::Bone(handle, bone), local)), 0))
}

/// On the skin where something hit it; nothing where it is not met.
fn on_skin(
    handle: Handle,
    character: &Character,
    hit: &Table,
    direction: Option<Vec3>,
) -> mlua::Result<(Put, u64)> {
    let (found, work) = met(character, line(hit, character, false)?, false);
    let Some(traced) = found.first() else {
        return Ok((None, work));
    };
    let root = SkinRoot::of_traced(&character.definition, traced);
    let frame = root.and_then(|root| Some((root, character.skin_frame(&root)?)));
    let Some((root, frame)) = frame else {
        return Ok((None, work));
    };
    let way = direction.unwrap_or(traced.normal);
    let local = Affine3A::from_quat(upright(frame.inverse().transform_vector3(way)));
    Ok((Some((EmitterPlace::Skin(handle, root), local)), work))
}

fn add(
    lua: &Lua,
    (kind, place, mut new): (Option<String>, Value, ParticleOptions),
    holder: Option<Handle>,
) -> mlua::Result<Value> {
    charge(lua, COST)?;
    let name = kind.unwrap_or_default();
    let (made, work) = with_world(lua, |world| {
        let options = options(world, &name, &mut new)?;
        let is_breath = ParticleKind::find(&name).is_some_and(|kind| kind.is_breath);
        let (put, looked) = match holder {
            Some(handle) => {
                let character = find(&mut world.stage, handle)?;
                let means = (is_breath, options.shape);
                on_character(handle, character, &place, &new, means)?
            }
            None if options.shape == EmissionShape::Surface => {
                return Err(wrong(
                    "particles: the surface of whom? Use character:particles(…)",
                ));
            }
            None => {
                let local = in_world(&place, new.direction)?;
                (Some((EmitterPlace::World, local)), 0)
            }
        };
        let work = looked / COST_PER + u64::from(options.burst) * COST_OF_ONE;
        let Some((place, local)) = put else {
            return Ok((None, work));
        };
        let seed = match new.seed {
            Some(seed) => seed,
            None => world.stage.ids.new_id().wrapping_mul(0x9e37_79b9_7f4a_7c15),
        };
        let emitter = Emitter::new(Arc::new(options), seed);
        let mut own = StageEmitter::new(Identity::default(), emitter, place, local);
        own.breathes = is_breath && holder.is_some();
        let handle = world.stage.effects.add_emitter(
            &mut world.stage.ids,
            &world.stage.characters,
            new.name.as_deref(),
            own,
        );
        let full = || wrong(format!("particles: there may be {MOST_EMITTERS} at once"));
        Ok((Some(handle.ok_or_else(full)?), work))
    })?;
    charge(lua, work)?;
    let Some(handle) = made else {
        return Ok(Value::Nil);
    };
    lua.create_userdata(ParticlesRef(handle))
        .map(Value::UserData)
}

fn of_world(lua: &Lua, args: Args) -> mlua::Result<Value> {
    add(lua, (args.text(0), args.value(1), args.options(2)?), None)
}

fn of_character(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    // Options may follow the kind at once.
    let (place, options) = match (args.value(2), args.value(3)) {
        (Value::Table(table), Value::Nil) if !is_place(&table)? => {
            let options = Value::Table(table);
            ParticleOptions::TYPE
                .check(&options)
                .and_then(|()| ParticleOptions::from_value(options))
                .map(|options| (Value::Nil, options))
                .map_err(|why| {
                    wrong(format!(
                        "character:particles: argument \"where_or_options\": {why}"
                    ))
                })?
        }
        (place, _) => (place, args.options(3)?),
    };
    add(lua, (args.text(1), place, options), Some(handle))
}

/// A hit or an event, not options.
fn is_place(table: &Table) -> mlua::Result<bool> {
    for key in ["position", "at", "from"] {
        if !table.raw_get::<Value>(key)?.is_nil() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The emitter of a call; `None` once it is over.
fn with_own<T>(
    lua: &Lua,
    args: &Args,
    work: impl FnOnce(Option<&mut StageEmitter>) -> mlua::Result<T>,
) -> mlua::Result<T> {
    let own: Option<ParticlesRef> = args.object(0);
    let ParticlesRef(handle) = own.ok_or_else(|| wrong("these are no particles"))?;
    with_world(lua, |world| {
        work(world.stage.effects.emitters.get_mut(handle))
    })
}

fn gone() -> mlua::Error {
    wrong("these particles are over")
}

fn burst(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let n = args
        .number(1)
        .unwrap_or(10.0)
        .clamp_to(0.0, MOST_OF_ONE as f64) as u32;
    charge(lua, u64::from(n) * COST_OF_ONE)?;
    with_own(lua, &args, |own| {
        own.ok_or_else(gone)?.emitter.burst(n);
        Ok(Value::Nil)
    })
}

fn run(lua: &Lua, args: Args, runs: bool) -> mlua::Result<Value> {
    with_own(lua, &args, |own| {
        match own {
            Some(own) => own.emitter.run(runs),
            None if runs => return Err(gone()),
            None => {}
        }
        Ok(Value::Nil)
    })
}

fn start(lua: &Lua, args: Args) -> mlua::Result<Value> {
    run(lua, args, true)
}

fn stop(lua: &Lua, args: Args) -> mlua::Result<Value> {
    run(lua, args, false)
}

fn remove(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own: Option<ParticlesRef> = args.object(0);
    with_world(lua, |world| {
        if let Some(ParticlesRef(handle)) = own {
            world.stage.effects.emitters.remove(handle);
        }
        Ok(Value::Nil)
    })
}

fn get_there(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |own| Ok(Value::Boolean(own.is_some())))
}

fn get_count(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |own| {
        Ok(lua_number(own.map_or(0, |own| own.emitter.len()) as f32))
    })
}

fn get_lost(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |own| {
        Ok(lua_number(own.map_or(0, |own| own.emitter.n_lost()) as f32))
    })
}

fn get_running(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |own| {
        Ok(Value::Boolean(
            own.is_some_and(|own| own.emitter.is_running()),
        ))
    })
}

fn get_rate(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |own| {
        Ok(lua_number(
            own.map_or(0.0, |own| own.emitter.options().rate),
        ))
    })
}

fn set_rate(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let rate = args.number(1).unwrap_or(0.0).clamp(0.0, 100_000.0) as f32;
    with_own(lua, &args, |own| {
        own.ok_or_else(gone)?.emitter.options_mut().rate = rate;
        Ok(Value::Nil)
    })
}

fn get_color(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |own| {
        let first = own.map(|own| own.emitter.options().color.at(0.0));
        Ok(lua_vector(first.unwrap_or(Vec3::ZERO)))
    })
}

fn set_color(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let curve = LifetimeCurve::from_value(args.value(1));
    let curve = curve.map_err(|why| wrong(format!("color: {why}")))?;
    with_own(lua, &args, |own| {
        own.ok_or_else(gone)?.emitter.options_mut().color = curve;
        Ok(Value::Nil)
    })
}

fn get_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |own| {
        Ok(lua_vector(own.ok_or_else(gone)?.position()))
    })
}

fn set_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let at = args.vector(1).unwrap_or(Vec3::ZERO);
    with_own(lua, &args, |own| {
        let own = own.ok_or_else(gone)?;
        if !matches!(own.place, EmitterPlace::World) {
            return Err(wrong("position: these particles go with a character"));
        }
        own.local.translation = at.into();
        Ok(Value::Nil)
    })
}

const KIND: Param = Param {
    name: "kind",
    ty: Type::Text,
    optional: false,
};

/// `particles("dust", place)`.
pub(super) const PARTICLES: Function = Function {
    name: "particles",
    params: &[
        KIND,
        Param {
            name: "where",
            ty: Type::OneOf(&[
                Type::Vector,
                Type::Table("{ position: vector } | { at: vector }"),
            ]),
            optional: false,
        },
        Param::options(ParticleOptions::SHAPE),
    ],
    returns: "Particles",
    doc: "Gives off particles at a place, or where a hit of `physics.raycast` or an event is: \"dust\", \"smoke\", \"breath\", \"blood\", \
          \"drips\", \"splash\", \"sparks\", \"embers\", \"motes\", \"chips\", \"snow\", or \"plain\" to make a kind of one's own from. \
          Options change what the kind has. Those that are given off at once are over by themselves. 256 emitters and 16384 \
          particles may be on a stage.",
    example: "particles(\"sparks\", vector.create(0, 1, 0), { burst = 60 })\nparticles(\"plain\", vector.create(1, 0, 0), { rate = 40, life = { 1, 2 }, color = { vector.create(1, 0.6, 0.2), vector.create(0.3, 0, 0) }, glow = 3, gravity = -0.05 })",
    call: of_world,
};

/// `hero:particles("breath")`.
pub(super) const OF_CHARACTER: Function = Function {
    name: "particles",
    params: &[
        KIND,
        Param {
            name: "where_or_options",
            ty: Type::OneOf(&[
                Type::Text,
                Type::Table(
                    "{ position: vector } | { at: vector } | { from: vector, to: vector } | ParticleOptions",
                ),
            ]),
            optional: true,
        },
        Param::options(ParticleOptions::SHAPE),
    ],
    returns: "Particles?",
    doc: "As `particles`, going with it: on a bone, on its skin where a hit of `physics.raycast` or an event is, or with shape = \
          \"surface\" all over it. \"breath\" comes from the mouth as it breathes out. They do not meet itself. Gives nothing where a \
          hit does not meet it.",
    example: "hero:particles(\"breath\")\nhero:particles(\"dust\", { shape = \"surface\", burst = 200, speed = 0 })\nhero:on(\"hit\", function(hit) hero:particles(\"drips\", hit) end)",
    call: of_character,
};

/// What both give.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Particles",
    doc: "What gives off particles. When a script is saved, those that it makes as it is read go on where they are; what was made \
          while it played stays.",
    functions: &[
        Function {
            name: "burst",
            params: &[Param {
                name: "n",
                ty: Type::Number,
                optional: true,
            }],
            returns: "",
            doc: "Gives off so many at once, 10 unless told.",
            example: "local steps = particles(\"dust\", vector.create(0, 0, 0), { burst = 0 })\nsteps:burst(12)",
            call: burst,
        },
        Function {
            name: "stop",
            params: &[],
            returns: "",
            doc: "Gives off no more; those that are there live on.",
            example: "hero:particles(\"smoke\"):stop()",
            call: stop,
        },
        Function {
            name: "start",
            params: &[],
            returns: "",
            doc: "Gives off particles again.",
            example: "local smoke = hero:particles(\"smoke\")\nsmoke:stop()\nsmoke:start()",
            call: start,
        },
        Function {
            name: "remove",
            params: &[],
            returns: "",
            doc: "Takes it away with all its particles.",
            example: "particles(\"snow\", vector.create(0, 6, 0)):remove()",
            call: remove,
        },
    ],
    properties: &[
        Property {
            name: "there",
            ty: "boolean",
            doc: "It is not over yet.",
            get: get_there,
            set: None,
        },
        Property {
            name: "running",
            ty: "boolean",
            doc: "It gives off particles.",
            get: get_running,
            set: None,
        },
        Property {
            name: "count",
            ty: "number",
            doc: "How many of its particles are there.",
            get: get_count,
            set: None,
        },
        Property {
            name: "lost",
            ty: "number",
            doc: "How many found no room.",
            get: get_lost,
            set: None,
        },
        Property {
            name: "rate",
            ty: "number",
            doc: "How many per second.",
            get: get_rate,
            set: Some((Type::Number, set_rate)),
        },
        Property {
            name: "color",
            ty: "vector",
            doc: "Linear colour at the beginning of a life; set a colour or a list over the life.",
            get: get_color,
            set: Some((LifetimeCurve::<Vec3>::TYPE, set_color)),
        },
        Property {
            name: "position",
            ty: "vector",
            doc: "Where it is; of one that no character carries it can be set.",
            get: get_position,
            set: Some((Type::Vector, set_position)),
        },
    ],
};
