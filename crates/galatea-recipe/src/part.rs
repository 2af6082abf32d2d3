//! `part { … }`: a mesh from a cage, with morph targets and skin weights, in recipes.

use std::collections::BTreeMap;

use glam::{Vec2, Vec3};
use mlua::{Function as LuaFunction, Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::{clip, extras, gate, wrong};

use super::bones::BonesRef;
use super::cage::CageRef;
use super::field::FieldRef;
use super::rigged::Rigged;
use galatea_derive::Options;
use galatea_forge::bake::set_texture_coordinates;
use galatea_forge::cage::{Cage, Wrapped, wrap};
use galatea_forge::field::DistanceField;
use galatea_forge::pieces::{Morph, QuadMesh, smooth_side};
use galatea_script::objects;
use galatea_script::toolkit::{
    Args, Function, Group, Kind, OptionValue, Options, Param, Type, add_object, add_properties,
    describe, number, object, text, vector,
};

/// Source of a part's skin weights.
#[derive(Clone)]
pub(super) enum PartWeights {
    /// A single bone.
    Bone(String),
    /// A function of the position that returns bones with weights.
    Function(LuaFunction),
    /// Automatic weights by envelopes or heat.
    Made(Rigged),
}

/// A part object of a recipe.
#[derive(Clone)]
pub(super) struct PartRef {
    pub name: String,
    pub wrapped: Wrapped,
    pub paints: Vec<String>,
    pub weights: PartWeights,
    pub morphs: Vec<Morph>,
    pub sheet: Option<String>,
    /// Texture coordinates of its points; empty if not set.
    pub uv: Vec<Vec2>,
    /// Length of u after which the texture wraps.
    pub around: Option<f32>,
    /// Strength of ambient occlusion by other parts, 0 to 1.
    pub shade: f32,
    /// Transform applied after painting.
    pub transform: PlacedPart,
    /// Fraction of triangles that it keeps.
    pub keep: f32,
    /// Extras of its node.
    pub extras: Option<serde_json::Value>,
}

/// Transform of a part: scale about a point, then a translation.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedPart {
    pub by: Vec3,
    pub scale: f32,
    pub about: Vec3,
}

impl PlacedPart {
    fn of(table: Option<&Table>) -> mlua::Result<Self> {
        let Some(table) = table else {
            return Ok(Self {
                by: Vec3::ZERO,
                scale: 1.0,
                about: Vec3::ZERO,
            });
        };
        let get = |key: &str| table.raw_get::<Value>(key).map(|value| vector(&value));
        let scale = number(&table.raw_get("scale")?).unwrap_or(1.0);
        if !(0.01..=100.0).contains(&scale) {
            return Err(wrong("part: place: scale must be from 0.01 to 100"));
        }
        Ok(Self {
            by: get("by")?.unwrap_or_default(),
            scale: scale as f32,
            about: get("about")?.unwrap_or_default(),
        })
    }

    /// Transforms a point.
    pub fn at(&self, p: Vec3) -> Vec3 {
        (p - self.about) * self.scale + self.about + self.by
    }

    /// Transforms a piece.
    pub fn apply(&self, piece: &mut QuadMesh) {
        piece.positions.iter_mut().for_each(|p| *p = self.at(*p));
        let offsets = piece.morphs.iter_mut().flat_map(|morph| &mut morph.offsets);
        offsets.for_each(|by| *by *= self.scale);
    }
}

objects!(PartRef: "Part");

impl UserData for PartRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

/// Limit of subdivision levels.
const MAX_LEVELS: f64 = 5.0;
/// Limit of quads per part.
const MAX_QUADS: usize = 400_000;
/// Approximate memory of a quad with its points, bytes.
const QUAD_BYTES: usize = 200;

impl OptionValue for PartWeights {
    const TYPE: Type = Type::OneOf(&[
        Type::Text,
        Type::Function("(place: vector) -> { [string]: number }"),
        Type::Table("{ by: string?, bones: { [string]: number }? }"),
    ]);

    fn from_value(value: Value) -> Result<Self, String> {
        Ok(match value {
            Value::Function(function) => Self::Function(function),
            Value::Table(table) => {
                Self::Made(Rigged::of(&table).map_err(|error| clip::message_of(&error))?)
            }
            value => Self::Bone(text(&value).unwrap_or_default()),
        })
    }
}

/// Options of a part.
#[derive(Options)]
struct PartOptions {
    /// Name.
    #[option(default = "part")]
    name: String,
    /// Control cage of the mesh.
    cage: CageRef,
    /// Field onto whose surface the points are moved. Without it, they stay where the cage has them.
    field: Option<FieldRef>,
    /// Number of subdivisions. Each divides every face into four.
    #[option(default = 2.0, range = 0.0..=MAX_LEVELS)]
    levels: f32,
    /// True mirrors the cage, of which you then draw only the half at x ≥ 0.
    #[option(default = true)]
    mirror: bool,
    /// Skin weights: how much each bone moves each point. Give the name of one bone, a function, or an automatic
    /// method. The function gets a position and returns bones with weights, such as { hips = 0.5, spine = 0.5 }. The
    /// method { by = "heat" } spreads the influence of the bones over the surface, like heat. The method { by =
    /// "envelopes" } lets the influence of each bone decrease with the distance. Both methods use all bones, or only
    /// those in `bones`, each with a radius in metres: { by = "envelopes", bones = { hips = 0.15, … } }.
    weights: Option<PartWeights>,
    /// Name of the texture set of this part, as in the option `sheets` of `model`.
    #[option(default_doc = "none")]
    sheet: Option<String>,
    /// Function that gets a position and returns true or false. Faces for whose corners it always returns true are
    /// removed. Use it, for example, for skin under clothes.
    #[option(ty = Type::Function("(place: vector) -> boolean"))]
    without: Option<LuaFunction>,
    /// Strength of ambient occlusion (darker creases) in the vertex colours. All parts of the model cause it.
    #[option(default = 0.0, range = 0.0..=1.0)]
    shade: f32,
    /// Moves the part after it was painted, for example a head onto a taller body. The part is first scaled by `scale`
    /// around the position `about`, and then moved by `by`. A function in `weights` gets the new position.
    #[option(ty = Type::Table("{ by: vector?, scale: number?, about: vector? }"))]
    place: Option<Table>,
    /// Fraction of the triangles that stay in the mesh. Flat areas lose triangles first; borders do not change. Above
    /// 0.5, points that morph targets bend do not change either.
    #[option(default = 1.0, range = 0.05..=1.0)]
    keep: f32,
    /// Extras (data of your own) of the part's node in the glTF file, such as { skinning = "dual_quaternion" }.
    #[option(ty = Type::Table("{ [string]: any }"))]
    extras: Option<Value>,
    /// List of morph targets. `offsets` is a table of offsets in metres, by the numbers of the cage's points. `sides =
    /// true` makes two targets, whose names end in Left and Right. `outside` is a field: points stay outside of it.
    #[option(ty = Type::Table("{ { name: string, offsets: { [number]: vector }, sides: boolean?, outside: Field? } }"))]
    morphs: Option<Table>,
}

fn make(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: PartOptions = args.options(0)?;
    let PartOptions { name, mirror, .. } = options;
    let field = options.field.map(|field| field.0);
    let levels = options.levels as u32;
    let drawn = options.cage.drawn();
    let mut whole = drawn.cage.clone();
    if whole.faces.is_empty() {
        return Err(wrong(format!("part {name:?}: the cage has no faces")));
    }
    let n_quads = whole.faces.len() << (2 * levels + u32::from(mirror));
    if n_quads > MAX_QUADS {
        return Err(wrong(format!(
            "part {name:?}: the limit is {MAX_QUADS} quads"
        )));
    }
    gate::charge_memory(lua, n_quads, QUAD_BYTES)?;
    let n_half = whole.points.len();
    let twins = if mirror {
        whole.mirror()
    } else {
        (0..n_half as u32).collect()
    };
    let middle = whole.points.iter().map(|p| p.at).sum::<Vec3>() / whole.points.len() as f32;
    let outwards = |p: Vec3| match &field {
        Some(field) => field.normal(p, 0.002),
        None => p - middle,
    };
    whole.orient(outwards).map_err(|[a, b]| {
        wrong(format!(
            "part {name:?}: more than two faces share the edge from {a} to {b}"
        ))
    })?;
    let mut wrapped = wrap(&whole, levels, field.as_ref());
    let mut uv = Vec::new();
    if !drawn.uv.is_empty() {
        let own = |i: usize| if i < n_half { i as u32 } else { twins[i] };
        let on = |i: usize| drawn.uv.get(&own(i)).copied().unwrap_or_default();
        let first: Vec<Vec2> = (0..whole.points.len()).map(&on).collect();
        uv = wrapped.texture_coordinates(&first, drawn.around);
    }
    if let Some(without) = &options.without {
        leave_out(lua, &mut wrapped.cage, without)?;
    }
    let extras = options.extras.map(|extras| {
        extras::json(&extras, 0).map_err(|why| wrong(format!("part {name:?}: {why}")))
    });
    let extras = extras.transpose()?;
    let mut morphs = Vec::new();
    if let Some(table) = options.morphs {
        for row in table.sequence_values::<Table>() {
            let spec = MorphSpec::of(&row?, n_half)
                .map_err(|why| wrong(format!("part {name:?}: morphs: {why}")))?;
            let n_targets = 1 + usize::from(spec.sides);
            let n_offsets = n_targets * wrapped.cage.points.len();
            gate::charge_memory(lua, n_offsets, size_of::<Vec3>())?;
            spec.add(&wrapped, &twins, n_half, &mut morphs);
        }
    }
    let part = PartRef {
        name,
        wrapped,
        paints: drawn.paints.clone(),
        weights: options
            .weights
            .unwrap_or_else(|| PartWeights::Bone(String::new())),
        morphs,
        sheet: options.sheet,
        uv,
        around: drawn.around,
        shade: options.shade,
        transform: PlacedPart::of(options.place.as_ref())?,
        keep: options.keep,
        extras,
    };
    lua.create_userdata(part).map(Value::UserData)
}

/// Removes faces for which a function returns true at all corners.
fn leave_out(lua: &Lua, cage: &mut Cage, without: &LuaFunction) -> mlua::Result<()> {
    let mut hidden = Vec::with_capacity(cage.points.len());
    for point in &cage.points {
        let at = mlua::Vector::new(point.at.x, point.at.y, point.at.z);
        let hides = gate::call_one(lua, without, at)?;
        hidden.push(!matches!(hides, Value::Nil | Value::Boolean(false)));
    }
    cage.faces
        .retain(|face| !face.corners.iter().all(|i| hidden[*i as usize]));
    Ok(())
}

/// A morph target of a recipe.
struct MorphSpec {
    name: String,
    sides: bool,
    /// Offsets of the points of the half cage.
    offsets: Vec<Vec3>,
    outside: Option<DistanceField>,
}

impl MorphSpec {
    fn of(row: &Table, n: usize) -> mlua::Result<Self> {
        let name = text(&row.raw_get("name")?).ok_or_else(|| wrong("a morph has no name"))?;
        let mut offsets = vec![Vec3::ZERO; n];
        let table: Table = row.raw_get("offsets")?;
        for pair in table.pairs::<Value, Value>() {
            let (point, offset) = pair?;
            let i = number(&point).filter(|n| n.fract() == 0.0 && *n >= 1.0);
            let slot = i.and_then(|i| offsets.get_mut(i as usize - 1));
            let slot =
                slot.ok_or_else(|| wrong(format!("{name}: expected point numbers from 1 to {n}")))?;
            *slot =
                vector(&offset).ok_or_else(|| wrong(format!("{name}: offsets must be vectors")))?;
        }
        let outside: Option<FieldRef> = object(&row.raw_get("outside")?);
        Ok(Self {
            name,
            sides: row.raw_get::<Option<bool>>("sides")?.unwrap_or(false),
            offsets,
            outside: outside.map(|field| field.0),
        })
    }

    /// Adds its targets: one, or one for each side.
    fn add(&self, wrapped: &Wrapped, twins: &[u32], n_half: usize, morphs: &mut Vec<Morph>) {
        const MIRROR: Vec3 = Vec3::new(-1.0, 1.0, 1.0);
        let of = |share: &dyn Fn(Vec3) -> f32| -> Vec<Vec3> {
            let one = |i: usize| {
                if i < n_half {
                    self.offsets[i]
                } else {
                    self.offsets[twins[i] as usize] * MIRROR
                }
            };
            let whole: Vec<Vec3> = (0..twins.len()).map(one).collect();
            let mut moved = wrapped.moved(&whole);
            for (offset, point) in moved.iter_mut().zip(&wrapped.cage.points) {
                *offset *= share(point.at);
                if let Some(field) = &self.outside {
                    *offset = limited_offset(field, point.at, *offset);
                }
            }
            moved
        };
        if self.sides {
            for (side, sign) in [("Left", 1.0), ("Right", -1.0)] {
                morphs.push(Morph {
                    name: format!("{}{side}", self.name),
                    offsets: of(&|p| smooth_side(sign * p.x)),
                });
            }
        } else {
            morphs.push(Morph {
                name: self.name.clone(),
                offsets: of(&|_| 1.0),
            });
        }
    }
}

/// Limits an offset so that the point does not move deeper into a field.
fn limited_offset(field: &DistanceField, at: Vec3, offset: Vec3) -> Vec3 {
    if offset.length_squared() < 1e-12 {
        return offset;
    }
    let min_distance = field.at(at).min(0.0008);
    let mut p = at + offset;
    for _ in 0..4 {
        let d = field.at(p);
        if d >= min_distance {
            break;
        }
        p += field.normal(p, 0.0005) * (min_distance - d);
    }
    p - at
}

impl PartRef {
    /// Bones with weights that a function returns for a position.
    fn weights_at(
        &self,
        lua: &Lua,
        function: &LuaFunction,
        at: mlua::Vector,
    ) -> mlua::Result<Table> {
        match gate::call_one(lua, function, at)? {
            Value::Table(given) => Ok(given),
            other => Err(wrong(format!(
                "part {:?}: weights: expected {{ bone = weight }}, got {}",
                self.name,
                describe(&other)
            ))),
        }
    }

    /// Converts the part to a piece of the model, with its paints as indices in a list of all.
    pub fn piece(
        &self,
        lua: &Lua,
        bones: &BonesRef,
        all_paints: &[String],
    ) -> mlua::Result<QuadMesh> {
        let cage = &self.wrapped.cage;
        let mut known: BTreeMap<String, u16> = BTreeMap::new();
        let mut weights: Vec<Vec<(u16, f32)>> = Vec::with_capacity(cage.points.len());
        if let PartWeights::Made(rigged) = &self.weights {
            weights = rigged.weights(cage, bones, &self.name)?;
        }
        let mut find = |name: &str| -> mlua::Result<u16> {
            if let Some(i) = known.get(name) {
                return Ok(*i);
            }
            let i = bones
                .find(name)
                .map_err(|why| wrong(format!("part {:?}: weights: {why}", self.name)))?;
            known.insert(name.to_owned(), i);
            Ok(i)
        };
        for point in cage.points.iter().skip(weights.len()) {
            weights.push(match &self.weights {
                PartWeights::Made(_) => Vec::new(),
                PartWeights::Bone(name) => vec![(find(name)?, 1.0)],
                PartWeights::Function(function) => {
                    let at = self.transform.at(point.at);
                    let at = mlua::Vector::new(at.x, at.y, at.z);
                    let given = self.weights_at(lua, function, at)?;
                    let mut all = Vec::new();
                    for pair in given.pairs::<String, Value>() {
                        let (name, weight) = pair?;
                        let weight = number(&weight).filter(|w| (0.0..=1e6).contains(w));
                        let weight = weight.ok_or_else(|| {
                            wrong(format!(
                                "part {:?}: the weight of {name:?} must be a number of 0 or more",
                                self.name
                            ))
                        })?;
                        all.push((find(&name)?, weight as f32));
                    }
                    all
                }
            });
        }
        let paint = |own: u16| -> mlua::Result<u16> {
            let name = &self.paints[usize::from(own)];
            let i = all_paints.iter().position(|all| all == name);
            i.map(|i| i as u16).ok_or_else(|| {
                let hint =
                    galatea_math::names::nearest_hint(name, all_paints.iter().map(String::as_str));
                wrong(format!(
                    "part {:?}: the model has no material {name:?}{hint}",
                    self.name
                ))
            })
        };
        let faces = cage.faces.iter().map(|face| {
            Ok(galatea_forge::cage::CageFace {
                paint: paint(face.paint)?,
                ..*face
            })
        });
        let mut piece = QuadMesh {
            name: self.name.clone(),
            positions: cage.points.iter().map(|p| p.at).collect(),
            faces: faces.collect::<mlua::Result<_>>()?,
            weights,
            morphs: self.morphs.clone(),
            seams: cage.seams.clone(),
            ..QuadMesh::default()
        };
        if !self.uv.is_empty() {
            set_texture_coordinates(&mut piece, &self.uv, self.around);
        }
        Ok(piece)
    }
}

fn quads(_: &Lua, args: Args) -> mlua::Result<Value> {
    let part = args
        .object::<PartRef>(0)
        .ok_or_else(|| wrong("a Part was expected"))?;
    Ok(Value::Number(part.wrapped.cage.faces.len() as f64))
}

const EXAMPLE: &str = "local v = vector.create\nlocal c = cage()\nc:grid { { v(0, 0, 0), v(1, 0, 0) }, { v(0, 1, 0), v(1, 1, 0) } }\nlocal sheet = part { cage = c, weights = \"root\" }";

pub(super) const PART: Function = Function {
    name: "part",
    params: &[Param {
        name: "options",
        ty: Type::Options(PartOptions::SHAPE),
        optional: false,
    }],
    returns: "Part",
    doc: "Makes a mesh from a cage. It mirrors the cage, turns the front of its faces outwards and divides each face \
          into four, once per level. Before the first level and after each level, the points are moved onto the surface \
          of the field.",
    example: EXAMPLE,
    call: make,
};

pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Part",
    doc: "A part of a model.",
    functions: &[Function {
        name: "quads",
        params: &[],
        returns: "number",
        doc: "Returns the number of faces of the part.",
        example: "local c = cage()\nlocal v = vector.create\nc:grid { { v(0, 0, 0), v(1, 0, 0) }, { v(0, 1, 0), v(1, 1, 0) } }\nassert(part({ cage = c, levels = 1, weights = \"root\" }):quads() == 8)",
        call: quads,
    }],
    properties: &[],
};
