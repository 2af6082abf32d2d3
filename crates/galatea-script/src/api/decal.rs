//! `hero:decal`: wounds, dirt and dents on a character's surface.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::Vec3;
use mlua::{Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::character_ref::find;
use super::check::{Args, OptionValue, Options, Param, Type, lua_number, text, vector};
use super::group::{Function, Group, Kind, Property};
use crate::budget::charge;
use crate::loading::Loading;
use crate::services::Services;
use crate::world::with_world;
use galatea_asset::model::{Image, MaterialKind};
use galatea_character::{Character, TriangleHit};
use galatea_decal::DecalMaterial;
use galatea_decal::kinds::{DecalKind, KINDS};
use galatea_derive::Options;
use galatea_math::names::nearest_hint;
use galatea_stage::Handle;

/// Maximum number of surfaces that one shot passes through.
const MAX_THROUGH: usize = 8;
/// Distance searched before and behind a position on the surface, metres.
const NEAR: f32 = 0.06;
/// The same if only the direction of a hit is known, metres.
const FAR: f32 = 0.6;
/// Distance that a shot with `penetrate` continues behind the position, metres.
const THROUGH: f32 = 2.5;
/// Cost of a decal, in steps of the script's budget.
const COST: u64 = 256;

/// A script's handle of the decals that one call added.
#[derive(Clone)]
struct DecalRef {
    character: Handle,
    ids: Arc<[u64]>,
}

impl UserData for DecalRef {
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

/// Name of a decal, or a table of decals by names or kinds of materials.
enum DecalChoice {
    Named(String),
    ByMaterial(Table),
}

impl OptionValue for DecalChoice {
    const TYPE: Type = Type::OneOf(&[Type::Text, Type::Table("{ [string]: string | false }")]);

    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::Table(table) => Ok(Self::ByMaterial(table)),
            other => String::from_value(other).map(Self::Named),
        }
    }
}

/// Drying of a decal.
enum Drying {
    Never,
    Usual,
    Seconds(f64),
}

impl OptionValue for Drying {
    const TYPE: Type = Type::OneOf(&[Type::Number, Type::Bool]);

    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::Boolean(false) => Ok(Self::Never),
            Value::Boolean(true) => Ok(Self::Usual),
            other => f64::from_value(other).map(Self::Seconds),
        }
    }
}

/// Options of `hero:decal`.
#[derive(Options)]
struct DecalOptions {
    /// Width of the decal on the surface.
    #[option(
        default_doc = "from the kind; 0.1 for a picture",
        unit = "metres",
        range = 0.002..=3.0
    )]
    size: Option<f32>,
    /// Rotation of the decal on the surface.
    #[option(default_doc = "random", unit = "degrees")]
    roll: Option<f32>,
    /// Colour, as linear RGB, that multiplies the colour of the decal.
    #[option(default = Vec3::ONE, default_doc = "(1, 1, 1)")]
    tint: Vec3,
    /// Opacity of the decal; 1 is opaque.
    #[option(default = 1.0, range = 0.0..=1.0)]
    opacity: f32,
    /// Height of the relief from the black to the white parts of the height map. A negative value inverts the relief.
    #[option(
        default_doc = "from the kind; 0.002 for a picture with a height map",
        unit = "metres",
        range = -0.1..=0.1
    )]
    depth: Option<f32>,
    /// Roughness of the decal: 0 shines like a mirror, 1 is matt.
    #[option(default_doc = "from the kind, otherwise that of the material", range = 0.0..=1.0)]
    roughness: Option<f32>,
    /// Image file that gives the decal a relief (height map); dark parts are deep.
    #[option(default_doc = "from the kind; none for a picture")]
    height_map: Option<String>,
    /// Time until the decal has dried, 0 to 1000000 seconds, or false for a decal that stays wet.
    #[option(default_doc = "from the kind; false for a picture")]
    dry_time: Option<Drying>,
    /// Time after which the decal begins to fade out.
    #[option(
        default_doc = "from the kind, otherwise no end; 10 with `fade`",
        unit = "seconds",
        range = 0.0..=1e6
    )]
    lifetime: Option<f32>,
    /// Time in which the decal fades out after `lifetime`.
    #[option(default_doc = "from the kind; 2 with `lifetime`", unit = "seconds", range = 0.0..=1e6)]
    fade: Option<f32>,
    /// True projects the decal straight onto the surface, like a stencil. False wraps it around the surface.
    #[option(default = false)]
    planar: bool,
    /// True adds a decal to every surface along the line, like a shot that passes through the body.
    #[option(default = false)]
    penetrate: bool,
    /// With `penetrate`: kind of the decal where the line leaves the body.
    #[option(default_doc = "the same as on entry")]
    exit_kind: Option<DecalChoice>,
}

/// Ends of the line along which the decal's surface is searched.
pub(super) fn line(
    place: &Table,
    character: &Character,
    through: bool,
) -> mlua::Result<(Vec3, Vec3)> {
    let of = |key: &str| -> mlua::Result<Option<Vec3>> {
        Ok(vector(&place.raw_get::<Value>(key)?).filter(|v| v.is_finite()))
    };
    if let (Some(from), Some(to)) = (of("from")?, of("to")?) {
        return Ok((from, to));
    }
    let Some(at) = of("position")?.or(of("at")?) else {
        return Err(wrong(
            "decal: `where` must have from and to, or a position with a normal, a direction or an impulse, as a \
             hit of physics.raycast or an event hit has",
        ));
    };
    let scale = character.placement.scale;
    let unit = |v: Option<Vec3>| v.and_then(|v| v.try_normalize());
    let (way, back) = match (
        unit(of("direction")?),
        unit(of("normal")?),
        unit(of("impulse")?),
    ) {
        (Some(way), ..) => (way, FAR),
        (None, Some(normal), _) => (-normal, NEAR),
        (None, None, Some(way)) => (way, FAR),
        _ => {
            return Err(wrong(
                "decal: the position needs a normal, a direction or an impulse",
            ));
        }
    };
    let on = if through { THROUGH } else { back };
    Ok((at - way * (back * scale), at + way * (on * scale)))
}

/// Hits of a line on a character, and the cost of the search: the first hit, or with `penetrate` all hits.
pub(super) fn line_hits(
    character: &Character,
    (from, to): (Vec3, Vec3),
    through: bool,
) -> (Vec<TriangleHit>, u64) {
    let (mut all, mut work) = (Vec::new(), 0);
    let Some(way) = (to - from).try_normalize() else {
        return (all, 0);
    };
    let mut start = from;
    while all.len() < if through { MAX_THROUGH } else { 1 } {
        let (found, looked) = character.trace(start, to);
        work += looked as u64;
        let Some(found) = found else { break };
        start = found.position + way * 1e-3;
        all.push(found);
    }
    (all, work)
}

/// Name of the decal for a material; `None` if the table has false or nothing for it.
fn kind_for(choice: &DecalChoice, name: &str, kind: MaterialKind) -> mlua::Result<Option<String>> {
    let table = match choice {
        DecalChoice::Named(name) => return Ok(Some(name.clone())),
        DecalChoice::ByMaterial(table) => table,
    };
    for key in [name, kind.name(), "other"] {
        match table.raw_get::<Value>(key)? {
            Value::Nil => {}
            Value::Boolean(false) => return Ok(None),
            value => {
                let found = text(&value);
                return found.map(Some).ok_or_else(|| {
                    wrong(format!(
                        "decal: {key} must be the name of a decal, the path of an image, or false"
                    ))
                });
            }
        }
    }
    Ok(None)
}

/// Settings of a decal, from the name of a kind or the file of a picture, and the options.
fn made(
    loading: &mut Loading,
    services: &dyn Services,
    name: &str,
    options: &DecalOptions,
    n_put: u32,
) -> mlua::Result<galatea_character::DecalSettings> {
    let known = DecalKind::find(name);
    let look = fresh(loading, services, (name, known), options)?;
    let dried = dried(&look, known, options)?;
    let fades = match (options.lifetime, options.fade) {
        (None, None) => known.and_then(|kind| kind.fades),
        (stays, fade) => Some((
            f64::from(stays.unwrap_or(10.0)),
            f64::from(fade.unwrap_or(2.0)),
        )),
    };
    let size = options.size;
    let chance = (n_put as f32 * 0.618_034).fract() * TAU;
    Ok(galatea_character::DecalSettings {
        material: Arc::new(look),
        dry_material: dried,
        size: size.unwrap_or(known.map_or(0.1, |kind| kind.size)),
        roll: options.roll.map_or(chance, f32::to_radians),
        planar: options.planar,
        fades,
    })
}

/// Material of a fresh decal, from a kind or a picture file.
fn fresh(
    loading: &mut Loading,
    services: &dyn Services,
    (name, known): (&str, Option<&DecalKind>),
    options: &DecalOptions,
) -> mlua::Result<DecalMaterial> {
    let mut picture = |file: &str| -> mlua::Result<Arc<Image>> {
        let image = loading.image(services, file);
        image.map_err(|why| wrong(format!("decal: {why}")))
    };
    let is_file = name.contains('.') || name.contains('/');
    let relief = options.height_map.as_ref();
    let relief = relief.map(|file| picture(file)).transpose()?;
    let mut look = match known {
        Some(kind) => {
            let (color, heights) = kind.pictures();
            DecalMaterial {
                color,
                tint: Vec3::ONE,
                opacity: 1.0,
                roughness: kind.roughness,
                depth: kind.depth,
                height_map: Some(relief.unwrap_or(heights)),
            }
        }
        None if is_file => DecalMaterial {
            color: picture(name)?,
            tint: Vec3::ONE,
            opacity: 1.0,
            roughness: None,
            depth: if relief.is_some() { 0.002 } else { 0.0 },
            height_map: relief,
        },
        None => {
            let hint = nearest_hint(name, KINDS.iter().map(|kind| kind.name));
            return Err(wrong(format!("decal: unknown kind {name:?}{hint}")));
        }
    };
    look.tint = options.tint.clamp(Vec3::ZERO, Vec3::splat(16.0));
    look.opacity = options.opacity;
    look.depth = options.depth.unwrap_or(look.depth);
    look.roughness = options.roughness.or(look.roughness);
    Ok(look)
}

/// Material of the dried decal, and the time until it has dried, seconds.
fn dried(
    look: &DecalMaterial,
    known: Option<&DecalKind>,
    options: &DecalOptions,
) -> mlua::Result<Option<(Arc<DecalMaterial>, f64)>> {
    let usual = known.and_then(|kind| kind.dry_time);
    let (factor, rough) = usual.map_or((0.5, 0.8), |(_, factor, rough)| (factor, rough));
    let seconds = match options.dry_time {
        None => usual.map(|usual| usual.0),
        Some(Drying::Usual) => Some(usual.map_or(30.0, |usual| usual.0)),
        Some(Drying::Never) => None,
        Some(Drying::Seconds(n)) if (0.0..=1e6).contains(&n) => Some(n),
        Some(Drying::Seconds(_)) => {
            return Err(wrong("decal: dry_time must be 0 to 1 000 000 s"));
        }
    };
    Ok(seconds.map(|seconds| {
        let dry = DecalMaterial {
            tint: look.tint * factor,
            roughness: look.roughness.map(|_| rough),
            ..look.clone()
        };
        (Arc::new(dry), seconds)
    }))
}

fn decal(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let kind = DecalChoice::from_value(args.value(1)).map_err(wrong)?;
    let options: DecalOptions = args.options(3)?;
    let Value::Table(place) = args.value(2) else {
        return Err(wrong(
            "decal: expected a table with a position as the second argument",
        ));
    };
    charge(lua, COST)?;
    let through = options.penetrate;
    let (found, work) = with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        Ok(line_hits(
            character,
            line(&place, character, through)?,
            through,
        ))
    })?;
    charge(lua, work / 16)?;
    let mut ids = Vec::new();
    for (i, traced) in found.iter().enumerate() {
        // The line enters and leaves the body in turn: every second hit is an exit.
        let wanted = match &options.exit_kind {
            Some(exit) if i % 2 == 1 => exit,
            _ => &kind,
        };
        let id = with_world(lua, |world| {
            let id = world.stage.ids.new_id();
            let character = find(&mut world.stage, handle)?;
            let model = &character.definition.model;
            let mesh = &model.meshes[model.parts[traced.part].mesh];
            let primitive = &mesh.primitives[traced.primitive];
            let number = primitive.material;
            let material = &model.materials[number];
            let Some(name) = kind_for(wanted, &material.name, material.kind)? else {
                return Ok(None);
            };
            let n_put = character.appearance.decals.n_put();
            let options = made(&mut world.loading, &*world.services, &name, &options, n_put)?;
            let character = find(&mut world.stage, handle)?;
            let Err(why) = character.appearance.decals.put(
                &character.definition,
                character.placement.scale,
                id,
                traced,
                options,
            ) else {
                return Ok(Some(id));
            };
            if character.definition.decal_surfaces().is_news(number) {
                let line = format!("decal: {}: {why}", character.shown_name());
                world.print(line);
            }
            Ok(None)
        })?;
        ids.extend(id);
    }
    if ids.is_empty() {
        return Ok(Value::Nil);
    }
    let own = DecalRef {
        character: handle,
        ids: ids.into(),
    };
    lua.create_userdata(own).map(Value::UserData)
}

fn held(args: &Args) -> mlua::Result<DecalRef> {
    args.object(0).ok_or_else(|| wrong("expected a Decal"))
}

fn remove(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own = held(&args)?;
    let seconds = args.number(1).unwrap_or(0.0).clamp(0.0, 1e6);
    with_world(lua, |world| {
        let character = world.stage.characters.get_mut(own.character);
        let any = character.is_some_and(|character| {
            let each = own.ids.iter();
            each.fold(false, |any, id| {
                character.appearance.decals.remove(Some(*id), seconds) | any
            })
        });
        Ok(Value::Boolean(any))
    })
}

fn get_is_valid(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own = held(&args)?;
    with_world(lua, |world| {
        let character = world.stage.characters.get(own.character);
        let is_there = |character: &Character| {
            own.ids
                .iter()
                .any(|id| character.appearance.decals.has(*id))
        };
        Ok(Value::Boolean(character.is_some_and(is_there)))
    })
}

fn clear_decals(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let seconds = args.number(1).unwrap_or(0.0).clamp(0.0, 1e6);
    with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        character.appearance.decals.remove(None, seconds);
        Ok(Value::Nil)
    })
}

fn get_count(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        Ok(lua_number(character.appearance.decals.len() as f32))
    })
}

/// `hero:decal("wound", hit)`.
pub(super) const DECAL: Function = Function {
    name: "decal",
    params: &[
        Param {
            name: "kind",
            ty: DecalChoice::TYPE,
            optional: false,
        },
        Param {
            name: "where",
            ty: Type::OneOf(&[
                Type::Table("{ position: vector, normal: vector }"),
                Type::Table("{ position: vector, direction: vector }"),
                Type::Table("{ position: vector, impulse: vector }"),
                Type::Table("{ from: vector, to: vector }"),
            ]),
            optional: false,
        },
        Param::options(DecalOptions::SHAPE),
    ],
    returns: "Decal?",
    doc: "Adds a decal (a stain, wound or picture) to the surface of the character in its current pose. It then moves with \
          the surface. Returns nil if no surface is hit.\n\n\
          - `kind` is \"blood\", \"wound\", \"cut\", \"bruise\", \"hole\", \"dent\", \"scratch\", \"mud\", \"soot\", \
          \"wet\", or a picture of the project with a transparent edge. A table chooses by the name or kind of the material: \
          { skin = \"wound\", cloth = \"hole\", other = false }.\n\
          - `where` is a hit of `physics.raycast`, an event `hit`, a table with a `position` and a `direction`, or a line \
          with `from` and `to`.\n\
          - A character can have 256 decals; after that the oldest are removed.\n\
          - On surfaces with overlapping texture coordinates, such as a repeated weave, a decal is a mesh of its own. A \
          character can have 32 of these. They do not show relief without colour, such as \"dent\"; a message reports this \
          once.",
    example: "local hit = physics.raycast(vec(0, 1.2, 3), vec(0, 1.2, -3), { exact = true })\nif hit and hit.character then hit.character:decal(\"soot\", hit, { size = 0.1 }) end",
    call: decal,
};

/// `hero:clear_decals(2)`.
pub(super) const CLEAR_DECALS: Function = Function {
    name: "clear_decals",
    params: &[Param {
        name: "seconds",
        ty: Type::Number,
        optional: true,
    }],
    returns: "",
    doc: "Removes all decals of the character. They fade out within `seconds`, by default 0.",
    example: "hero:clear_decals(2)",
    call: clear_decals,
};

/// `hero.decal_count`.
pub(super) const DECAL_COUNT: Property = Property {
    name: "decal_count",
    ty: "number",
    doc: "Number of decals on the character.",
    get: get_count,
    set: None,
};

/// Methods and properties of decals.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Decal",
    doc: "A decal (an image on the surface of a character), returned by `hero:decal`. With the option `penetrate`, one \
          value stands for all decals of the shot.",
    functions: &[Function {
        name: "remove",
        params: &[Param {
            name: "seconds",
            ty: Type::Number,
            optional: true,
        }],
        returns: "boolean",
        doc: "Removes the decal. It fades out within `seconds`, by default 0. Returns false if the decal was already \
              removed.",
        example: "local mud = hero:decal(\"mud\", { position = hero.position + vec(0, 1.4, 0), direction = vec(0, 0, -1) })\nif mud then mud:remove(2) end",
        call: remove,
    }],
    properties: &[Property {
        name: "is_valid",
        ty: "boolean",
        doc: "True until the decal is removed.",
        get: get_is_valid,
        set: None,
    }],
};
