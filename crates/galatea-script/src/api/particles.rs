//! `particles` and `hero:particles`: dust, blood, sparks, breath.

use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3};
use mlua::{Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::character_ref::{bone_index, find};
use super::check::{Args, OptionValue, Options, Param, Type, lua_number, lua_vector, text, vector};
use super::decal::{line, line_hits};
use super::group::{Function, Group, Kind, Property};
use super::particle_fields::{FlipbookLayout, ParticleOptions, apply};
use crate::budget::charge;
use crate::world::{World, with_world};
use galatea_character::{Character, SkinRoot, SkinSampler};
use galatea_emitter::kinds::{KINDS, ParticleKind, plain};
use galatea_emitter::{
    EmissionShape, Emitter, EmitterOptions, LifetimeCurve, MAX_PARTICLES_EACH, SpriteSheet,
};
use galatea_math::clamp::ClampTo as _;
use galatea_math::names::nearest_hint;
use galatea_stage::{EmitterAttachment, Handle, Identity, MAX_EMITTERS, StageEmitter};

/// Cost of creating an emitter and of one burst particle, in steps of the script budget.
const COST: u64 = 64;
const COST_OF_ONE: u64 = 4;
/// Vertices and triangles tested per step of the budget.
const COST_PER: u64 = 16;
/// Offset from between the eyes to the mouth, metres for a body 1.7 m high, in character space.
const MOUTH: Vec3 = Vec3::new(0.0, -0.066, 0.022);
/// Direction of breath in character space, for a character that looks straight ahead.
const BREATH: Vec3 = Vec3::new(0.0, -0.22, 1.0);

/// Script handle to an emitter.
#[derive(Clone, Copy)]
pub(super) struct ParticlesRef(pub(super) Handle);

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

/// Options of a particle kind, with the script's changes applied.
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
            return Err(wrong(format!("particles: unknown kind {name:?}{hint}")));
        }
    };
    apply(new, &mut options);
    if let Some(file) = &new.texture {
        options.texture = picture(world, file, new.flipbook)?;
        options.cells = 0..options.texture.cells.len() as u16;
        options.landed = 0..0;
    }
    Ok(options)
}

/// Loads an image of the project as a flipbook; repeated calls share the same one.
fn picture(world: &mut World, file: &str, cells: FlipbookLayout) -> mlua::Result<Arc<SpriteSheet>> {
    let image = world.loading.image(&*world.services, file);
    let image = image.map_err(|why| wrong(format!("particles: {why}")))?;
    let picture = world.pictures.cut(image, (cells.0, cells.1));
    picture.map_err(|why| wrong(format!("particles: {file}: {why}")))
}

/// Rotation that takes +Y to a direction.
fn upright(direction: Vec3) -> Quat {
    direction
        .try_normalize()
        .map_or(Quat::IDENTITY, |way| Quat::from_rotation_arc(Vec3::Y, way))
}

/// Emitter frame in world space, from a position or a hit.
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
            "particles: expected a position, or a table with a position such as a hit of physics.raycast or an \
             event",
        ));
    };
    let way = direction.or(normal).unwrap_or(Vec3::Y);
    Ok(Affine3A::from_rotation_translation(upright(way), at))
}

/// Bone and frame (in bone space) in front of the mouth.
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

/// Attachment of an emitter and its frame in that space; `None` if the hit misses the character.
type EmitterAnchor = Option<(EmitterAttachment, Affine3A)>;

/// Attachment of an emitter on a character, and the number of vertices and triangles tested to find it.
fn on_character(
    handle: Handle,
    character: &Character,
    place: &Value,
    options: &ParticleOptions,
    (is_breath, shape): (bool, EmissionShape),
) -> mlua::Result<(EmitterAnchor, u64)> {
    if shape == EmissionShape::Surface {
        let places = SkinSampler::of(&character.definition, &character.appearance.hidden_parts);
        let places = places
            .ok_or_else(|| wrong("particles: the character has no skin for shape = \"surface\""))?;
        let place = EmitterAttachment::Surface(handle, Arc::new(places));
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
        return Ok((Some((EmitterAttachment::Bone(handle, bone), local)), 0));
    }
    let bone = match (&name, place) {
        (Some(name), _) => bone_index(character, name)?,
        (None, Value::Nil) => 0,
        _ => {
            return Err(wrong(
                "particles: expected the name of a bone or a hit of physics.raycast",
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
    Ok((Some((EmitterAttachment::Bone(handle, bone), local)), 0))
}

/// Attaches an emitter to the skin at a hit; `None` if the line misses the character.
fn on_skin(
    handle: Handle,
    character: &Character,
    hit: &Table,
    direction: Option<Vec3>,
) -> mlua::Result<(EmitterAnchor, u64)> {
    let (found, work) = line_hits(character, line(hit, character, false)?, false);
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
    Ok((Some((EmitterAttachment::Skin(handle, root), local)), work))
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
                    "particles: shape = \"surface\" needs a character; use character:particles(…)",
                ));
            }
            None => {
                let local = in_world(&place, new.direction)?;
                (Some((EmitterAttachment::World, local)), 0)
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
        let full = || {
            wrong(format!(
                "particles: the limit is {MAX_EMITTERS} emitters at a time"
            ))
        };
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
    // The options may directly follow the kind.
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

/// Returns true if the table is a hit or an event, not options.
fn is_place(table: &Table) -> mlua::Result<bool> {
    for key in ["position", "at", "from"] {
        if !table.raw_get::<Value>(key)?.is_nil() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Runs `work` with the emitter of the call; `None` once the emitter is gone.
fn with_own<T>(
    lua: &Lua,
    args: &Args,
    work: impl FnOnce(Option<&mut StageEmitter>) -> mlua::Result<T>,
) -> mlua::Result<T> {
    let own: Option<ParticlesRef> = args.object(0);
    let ParticlesRef(handle) = own.ok_or_else(|| wrong("expected a Particles"))?;
    with_world(lua, |world| {
        work(world.stage.effects.emitters.get_mut(handle))
    })
}

fn gone() -> mlua::Error {
    wrong("this particle emitter has ended")
}

fn emit(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let n = args
        .number(1)
        .unwrap_or(10.0)
        .clamp_to(0.0, MAX_PARTICLES_EACH as f64) as u32;
    charge(lua, u64::from(n) * COST_OF_ONE)?;
    with_own(lua, &args, |own| {
        own.ok_or_else(gone)?.emitter.emit(n);
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

fn get_is_valid(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |own| Ok(Value::Boolean(own.is_some())))
}

fn get_count(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |own| {
        Ok(lua_number(own.map_or(0, |own| own.emitter.len()) as f32))
    })
}

fn get_dropped_count(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |own| {
        Ok(lua_number(
            own.map_or(0, |own| own.emitter.n_dropped()) as f32
        ))
    })
}

fn get_is_emitting(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |own| {
        Ok(Value::Boolean(
            own.is_some_and(|own| own.emitter.is_emitting()),
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
        if !matches!(own.attachment, EmitterAttachment::World) {
            return Err(wrong(
                "position: this emitter is attached to a character, so its position cannot be set",
            ));
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

/// `particles("dust", position)`.
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
    doc: "Emits particles at a position. `where` is a vector, or a table with a `position`, such as a hit of \
          `physics.raycast` or an event. The source of the particles is called an emitter. An emitter with only a \
          `burst` removes itself when its particles are gone. There can be 256 emitters and 16384 particles at a \
          time.\n\n\
          `kind` is \"dust\", \"smoke\", \"breath\", \"blood\", \"drips\", \"splash\", \"sparks\", \"embers\", \
          \"motes\", \"chips\", \"snow\", or \"plain\", which is a base for your own effects. Each kind sets its own \
          options, and the options of the call override them. If the table below gives no default, the default \
          depends on the kind.",
    example: "particles(\"sparks\", vec(0, 1, 0), { burst = 60 })\nparticles(\"plain\", vec(1, 0, 0), { rate = 40, lifetime = { 1, 2 }, color = { vec(1, 0.6, 0.2), vec(0.3, 0, 0) }, emissive_strength = 3, gravity_scale = -0.05 })",
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
    doc: "Emits particles from the character. The kinds and options are those of `particles`. `where_or_options` is \
          the name of a bone, or a hit of `physics.raycast` or an event, whose point on the skin then emits. Without \
          such a place, give the options as the second argument: with `shape = \"surface\"` the whole skin emits, and \
          \"breath\" comes from the mouth as the character breathes out.\n\n\
          The particles do not collide with the character. Returns nil if the hit is not on this character.",
    example: "hero:particles(\"breath\")\nhero:particles(\"dust\", { shape = \"surface\", burst = 200, speed = 0 })\nhero:on(\"hit\", function(hit) hero:particles(\"drips\", hit) end)",
    call: of_character,
};

/// Object returned by both functions.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Particles",
    doc: "A particle emitter, created by `particles` or `character:particles`. After a hot reload, emitters that the \
          main part of the script creates continue where they were. Emitters that were created later, during play, stay \
          too.",
    functions: &[
        Function {
            name: "emit",
            params: &[Param {
                name: "n",
                ty: Type::Number,
                optional: true,
            }],
            returns: "",
            doc: "Emits `n` particles in one moment, by default 10.",
            example: "local steps = particles(\"dust\", vec(0, 0, 0), { burst = 0 })\nsteps:emit(12)",
            call: emit,
        },
        Function {
            name: "stop",
            params: &[],
            returns: "",
            doc: "Stops the emission of new particles. Existing particles stay until the end of their lifetime.",
            example: "hero:particles(\"smoke\"):stop()",
            call: stop,
        },
        Function {
            name: "start",
            params: &[],
            returns: "",
            doc: "Starts the emission of new particles again, after a call of `stop`.",
            example: "local smoke = hero:particles(\"smoke\")\nsmoke:stop()\nsmoke:start()",
            call: start,
        },
        Function {
            name: "remove",
            params: &[],
            returns: "",
            doc: "Removes the emitter and all its particles.",
            example: "particles(\"snow\", vec(0, 6, 0)):remove()",
            call: remove,
        },
    ],
    properties: &[
        Property {
            name: "is_valid",
            ty: "boolean",
            doc: "True until the emitter is removed.",
            get: get_is_valid,
            set: None,
        },
        Property {
            name: "is_emitting",
            ty: "boolean",
            doc: "True while the emitter emits new particles.",
            get: get_is_emitting,
            set: None,
        },
        Property {
            name: "count",
            ty: "number",
            doc: "Number of particles that exist now.",
            get: get_count,
            set: None,
        },
        Property {
            name: "dropped_count",
            ty: "number",
            doc: "Number of particles that could not be emitted so far, because a limit was reached.",
            get: get_dropped_count,
            set: None,
        },
        Property {
            name: "rate",
            ty: "number",
            doc: "Number of particles emitted per second.",
            get: get_rate,
            set: Some((Type::Number, set_rate)),
        },
        Property {
            name: "color",
            ty: "vector",
            doc: "Colour at the start of a particle's lifetime, as linear RGB. You can also set a list of colours; then \
                  each particle passes through these colours during its lifetime.",
            get: get_color,
            set: Some((LifetimeCurve::<Vec3>::TYPE, set_color)),
        },
        Property {
            name: "position",
            ty: "vector",
            doc: "Position of the emitter in the world, metres. You can set it only if no character carries the emitter.",
            get: get_position,
            set: Some((Type::Vector, set_position)),
        },
    ],
};
