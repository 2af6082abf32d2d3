//! Shapes of a face, and random faces.

use mlua::{Lua, Table, Value};

use super::character_ref::find;
use super::check::{Args, OneOrMany, OptionValue, Options, Param, Type, lua_number, number, text};
use super::dress::Dress;
use super::face_ref::{EXPRESSION_VALUE, WEIGHTS, face_of};
use super::group::Function;
use crate::world::with_world;
use galatea_character::{Character, FaceShapeWeights};
use galatea_derive::Options;
use galatea_face::{Generation, ShapeRequest, ShapeSet};
use galatea_math::random::RandomSource;
use galatea_stage::{Handle, Identity};

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

fn with_character<R>(
    lua: &Lua,
    handle: Handle,
    f: impl FnOnce(&mut Character) -> mlua::Result<R>,
) -> mlua::Result<R> {
    with_world(lua, |world| f(find(&mut world.stage, handle)?))
}

/// Reads weights by the indices of shapes, each within its range.
fn weights(set: &ShapeSet, what: &str, given: &Table) -> mlua::Result<Vec<(usize, f32)>> {
    let mut all = Vec::new();
    for pair in given.pairs::<Value, Value>() {
        let (name, weight) = pair?;
        let (Some(name), Some(weight)) = (text(&name), number(&weight)) else {
            return Err(wrong(format!("{what}: expected names and weights")));
        };
        all.push(one(set, what, &name, weight)?);
    }
    // Iteration order of a Lua table is undefined.
    all.sort_by_key(|(i, _)| *i);
    Ok(all)
}

fn one(set: &ShapeSet, what: &str, name: &str, weight: f64) -> mlua::Result<(usize, f32)> {
    let i = set
        .shape(name)
        .map_err(|why| wrong(format!("{what}: {why}")))?;
    let shape = &set.shapes[i];
    let ([low, high], weight) = (shape.range, weight as f32);
    if !(low..=high).contains(&weight) {
        return Err(wrong(format!(
            "{what}: the weight of {:?} must be {low} to {high}, got {weight}",
            shape.name
        )));
    }
    Ok((i, weight))
}

fn shape(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = face_of(&args)?;
    let (what, weight) = (args.value(1), args.number(2));
    with_character(lua, handle, |character| {
        let definition = &character.definition;
        let likeness = character.appearance.face_shapes_mut(definition);
        let set = likeness.set().clone();
        let name = match &what {
            Value::Table(given) => {
                if weight.is_some() {
                    return Err(wrong(
                        "shape: a table of names and weights cannot be followed by a weight",
                    ));
                }
                likeness.set_weights(definition, weights(&set, "shape", given)?);
                return Ok(Value::Nil);
            }
            other => text(other).unwrap_or_default(),
        };
        if let Some(weight) = weight {
            likeness.set_weights(definition, [one(&set, "shape", &name, weight)?]);
        }
        let i = set
            .shape(&name)
            .map_err(|why| wrong(format!("shape: {why}")))?;
        let now = likeness.weights().get(i).copied();
        Ok(now.map_or(Value::Nil, lua_number))
    })
}

/// Reads the targets that a script declares as shapes: names, and ranges by name.
fn wanted(given: &Table) -> mlua::Result<Vec<ShapeRequest>> {
    let mut all: Vec<ShapeRequest> = Vec::new();
    for pair in given.pairs::<Value, Value>() {
        let (key, value) = pair?;
        match (text(&key), &value) {
            (None, Value::String(name)) => all.push((name.to_string_lossy(), None)),
            (Some(name), Value::Table(range)) => {
                let end = |i: i64| -> mlua::Result<Option<f64>> {
                    Ok(number(&range.raw_get::<Value>(i)?))
                };
                let (Some(low), Some(high)) = (end(1)?, end(2)?) else {
                    return Err(wrong(format!("shapes: {name:?}: expected {{ min, max }}")));
                };
                let fits = low < high && low.abs().max(high.abs()) <= 10.0;
                if !fits {
                    return Err(wrong(format!(
                        "shapes: {name:?}: min must be less than max, both -10 to 10, got {low} and {high}"
                    )));
                }
                all.push((name, Some([low as f32, high as f32])));
            }
            _ => {
                return Err(wrong(
                    "shapes: expected names of targets, or name = { min, max }",
                ));
            }
        }
    }
    all.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(all)
}

fn shapes(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = face_of(&args)?;
    let wanted = args.table(1).map(|given| wanted(&given)).transpose()?;
    let all: Vec<(String, f32, [f32; 2])> = with_character(lua, handle, |character| {
        let definition = &character.definition;
        let likeness = character.appearance.face_shapes_mut(definition);
        if let Some(wanted) = wanted {
            let done = likeness.declare_shapes(definition, wanted);
            done.map_err(|why| wrong(format!("shapes: {why}")))?;
        }
        let shapes = likeness.set().shapes.iter().zip(likeness.weights());
        Ok(shapes
            .map(|(shape, weight)| (shape.name.clone(), weight, shape.range))
            .collect())
    })?;
    let table = lua.create_table()?;
    for (name, weight, [least, most]) in all {
        let one = lua.create_table()?;
        one.raw_set("value", lua_number(weight))?;
        one.raw_set("min", lua_number(least))?;
        one.raw_set("max", lua_number(most))?;
        table.raw_set(name, one)?;
    }
    Ok(Value::Table(table))
}

/// Materials and variant of an appearance.
#[derive(Options)]
struct FaceVariant {
    /// Changes of materials, by the name of the material, as in `character`.
    #[option(ty = Type::Table("{ [string]: MaterialOptions }"))]
    materials: Option<Table>,
    /// Variant of the materials, one of `character:variants()`.
    variant: Option<String>,
}

/// An appearance, or the name of a variant.
struct VariantChoice(FaceVariant);

impl OptionValue for VariantChoice {
    const TYPE: Type = Type::OneOf(&[Type::Text, FaceVariant::TYPE]);

    fn from_value(value: Value) -> Result<Self, String> {
        let look = match text(&value) {
            Some(variant) => FaceVariant {
                materials: None,
                variant: Some(variant),
            },
            None => FaceVariant::from_value(value)?,
        };
        Ok(Self(look))
    }
}

/// Settings of a random face.
#[derive(Options)]
struct GenerateOptions {
    /// Seed of the random numbers. The same seed gives the same face.
    #[option(default_doc = "one that depends on the character")]
    seed: Option<f64>,
    /// How much the face differs from the face of the model; 0 is not at all.
    #[option(default = 1.0, range = 0.0..=3.0)]
    variation: f32,
    /// How much the left and the right side of the face differ.
    #[option(default = 0.15, range = 0.0..=1.0)]
    asymmetry: f32,
    /// Weights that you choose instead of random ones, by the name of the face shape.
    #[option(ty = WEIGHTS)]
    fixed: Option<Table>,
    /// Name of the face shape to change, or a list of names. All others keep their weights.
    #[option(default_doc = "all")]
    only: Option<OneOrMany<String>>,
    /// List of appearances, such as skin colours, from which one is chosen at random. Each is the name of a variant of
    /// the model, or a table with a variant and changes of materials.
    #[option(default = Vec::new())]
    variants: Vec<VariantChoice>,
    /// True makes all weights from 0 to 1 equally likely, in steps of 0.001, as in the book *Character Animation with
    /// Direct3D*.
    #[option(default = false)]
    uniform: bool,
}

fn seed_of(given: Option<f64>, of: &Identity) -> u64 {
    match given {
        Some(n) if n.fract() == 0.0 && n.abs() < 9e15 => n as i64 as u64,
        Some(n) => n.to_bits(),
        None => of.seed(),
    }
}

fn randomize(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = face_of(&args)?;
    let options: GenerateOptions = args.options(1)?;
    let seed = with_character(lua, handle, |character| {
        Ok(seed_of(options.seed, &character.identity))
    })?;
    let looks = options.variants.into_iter();
    let looks = looks.map(|VariantChoice(look)| Dress::new(look.variant, look.materials.as_ref()));
    let looks = looks.collect::<mlua::Result<Vec<_>>>()?;
    let made: Vec<(String, f32)> = with_character(lua, handle, |character| {
        let model = character.definition.model.clone();
        let definition = &character.definition;
        let likeness = character.appearance.face_shapes_mut(definition);
        let set = likeness.set().clone();
        if set.shapes.is_empty() {
            return Err(wrong(format!(
                "randomize: {}",
                set.shape("").err().unwrap_or_default()
            )));
        }
        let how = Generation {
            seed,
            variation: options.variation,
            asymmetry: options.asymmetry,
            uniform: options.uniform,
        };
        let mut all: Vec<(usize, f32)> = set.generate(&how).into_iter().enumerate().collect();
        if let Some(OneOrMany(only)) = &options.only {
            let mut chosen = Vec::new();
            for name in only {
                chosen.push(
                    set.shape(name)
                        .map_err(|why| wrong(format!("randomize: {why}")))?,
                );
            }
            all.retain(|(i, _)| chosen.contains(i));
        }
        if let Some(given) = &options.fixed {
            all.extend(weights(&set, "randomize", given)?);
        }
        let mut fitted = Vec::new();
        for look in looks {
            fitted.push(look.fit(&model)?);
        }
        let at = RandomSource::new(seed ^ 0x6c6f_6f6b).unit() * fitted.len() as f32;
        let look = fitted.into_iter().nth(at as usize);
        likeness.set_weights(definition, all);
        let made = made(likeness);
        if let Some(look) = look {
            character.appearance.surface.variant = None;
            look.put_on(character);
        }
        Ok(made)
    })?;
    let table = lua.create_table()?;
    for (name, weight) in made {
        table.raw_set(name, lua_number(weight))?;
    }
    Ok(Value::Table(table))
}

fn made(likeness: &FaceShapeWeights) -> Vec<(String, f32)> {
    let names = likeness.set().shapes.iter().map(|shape| shape.name.clone());
    names.zip(likeness.weights()).collect()
}

/// `face:shape("nose_width", 0.7)`.
pub(super) const SHAPE: Function = Function {
    name: "shape",
    params: &[
        Param {
            name: "what",
            ty: EXPRESSION_VALUE,
            optional: false,
        },
        Param {
            name: "weight",
            ty: Type::Number,
            optional: true,
        },
    ],
    returns: "number?",
    doc: "Sets the weight of a face shape, or of several face shapes by a table of names and weights. With a name \
          alone, it returns the weight. A face shape is a morph target for the permanent form of the face, such as the \
          width of the nose. In the file its name begins with `shape.`. No clip or expression changes face shapes; \
          expressions are added to them. If a face shape moves the eyes, the eye bones move too.",
    example: "hero.face:shape(\"nose_width\", 0.7)\nhero.face:shape { jaw_width = -0.3, ears = 0.5 }\nprint(hero.face:shape(\"nose_width\"))",
    call: shape,
};

/// `face:shapes()`.
pub(super) const SHAPES: Function = Function {
    name: "shapes",
    params: &[Param {
        name: "others",
        ty: Type::Table("{ [number | string]: string | { number } }"),
        optional: true,
    }],
    returns: "{ [string]: { value: number, min: number, max: number } }",
    doc: "Returns all face shapes with their weights and ranges. With a list of names in `others`, further morph \
          targets become face shapes; `name = { min, max }` sets the range of one. Clips and expressions still move \
          these targets, in addition to the weight.",
    example: "for name, shape in hero.face:shapes() do print(name, shape.value, shape.min, shape.max) end\nhero.face:shapes { \"smile\", brows_up = { -0.5, 0.5 } }",
    call: shapes,
};

/// `face:randomize { seed = 7 }`.
pub(super) const RANDOMIZE: Function = Function {
    name: "randomize",
    params: &[Param::options(GenerateOptions::SHAPE)],
    returns: "{ [string]: number }",
    doc: "Gives the character a random face, and returns the weights of its face shapes. Another character gets the \
          same face with `face:shape(weights)`. The same seed gives the same face, even if the model gets more shapes \
          later.",
    example: "local face = hero.face:randomize { seed = 7, fixed = { nose_width = 0.3 } }\nlocal other = character(\"assets/galatea.glb\", { position = vec(1, 0, 0) })\nother.face:shape(face)",
    call: randomize,
};
