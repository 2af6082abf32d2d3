//! `hero:material "Skin"`: the materials of one character, and its variants.

use std::sync::Arc;

use glam::Vec3;
use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::character_ref::{find, with_character};
use super::check::{Args, OptionValue, Param, Type, lua_number, lua_vector, number, text, vector};
use super::group::{Function, Group, Kind, Property};
use crate::words;
use crate::world::with_world;
use galatea_asset::Model;
use galatea_asset::model::{Factor, MaterialKind};
use galatea_character::Character;
use galatea_derive::Options;
use galatea_math::names::nearest_hint;
use galatea_stage::Handle;

/// A script's hold on the materials of one name.
#[derive(Clone, Debug)]
struct MaterialRef {
    character: Handle,
    name: Arc<str>,
}

impl UserData for MaterialRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

/// Something of a material that scripts set.
struct MaterialProperty {
    name: &'static str,
    factor: Factor,
    /// First of the factor's numbers, and how many: 1 or 3.
    first: usize,
    n: usize,
}

words!(MaterialKind {
    "standard" => MaterialKind::Standard,
    "skin" => MaterialKind::Skin,
    "eye" => MaterialKind::Eye,
    "hair" => MaterialKind::Hair,
    "cloth" => MaterialKind::Cloth,
    "toon" => MaterialKind::Toon,
});

/// A value of a material: one number or three.
trait LookValue {
    fn numbers(&self) -> &[f32];
}

impl LookValue for f32 {
    fn numbers(&self) -> &[f32] {
        std::slice::from_ref(self)
    }
}

impl LookValue for Vec3 {
    fn numbers(&self) -> &[f32] {
        AsRef::<[f32; 3]>::as_ref(self)
    }
}

/// Makes of one list what `character` and `fade` take, and the properties. Of each: its documentation as an option,
/// name in Lua, type, factor, first number and how many, and its documentation as a property.
macro_rules! looks {
    ($($(#[$($attribute:tt)*])* $name:ident $ty:ident $luau:literal $factor:ident $first:literal $n:literal $doc:literal,)*) => {
        const LOOKS: &[MaterialProperty] = &[$(MaterialProperty {
            name: stringify!($name),
            factor: Factor::$factor,
            first: $first,
            n: $n,
        },)*];

        /// Values of a material.
        #[derive(Options)]
        struct LookValues {
            $($(#[$($attribute)*])* $name: Option<$ty>,)*
        }

        impl LookValues {
            /// Calls `f` with each number that is given: its factor, its index there and its value.
            fn each(&self, mut f: impl FnMut(Factor, usize, f32)) {
                $(if let Some(value) = &self.$name {
                    for (&number, i) in value.numbers().iter().zip($first..) {
                        f(Factor::$factor, i, number);
                    }
                })*
            }
        }

        const PROPERTIES: &[Property] = &[
            Property {
                name: "kind",
                ty: "string",
                doc: "How it takes light: \"standard\", \"skin\", \"eye\", \"hair\", \"cloth\" or \"toon\"; the \
                      file's, or as its name tells.",
                get: get_kind,
                set: Some((MaterialKind::TYPE, set_kind)),
            },
            $(Property {
                name: stringify!($name),
                ty: $luau,
                doc: $doc,
                get: |lua, args| get(lua, &args, stringify!($name)),
                set: Some((<$ty as OptionValue>::TYPE, |lua, args| set(lua, &args, stringify!($name)))),
            },)*
        ];
    };
}

looks! {
    /// Linear colour.
    color Vec3 "vector" BaseColor 0 3
        "Linear colour.",
    /// Opacity, for materials that are blended or cut out.
    alpha f32 "number" BaseColor 3 1
        "How opaque it is, of a material that is blended or cut out.",
    /// Linear colour that multiplies the colour, and the shade of a toon.
    #[option(default_doc = "(1, 1, 1)")]
    tint Vec3 "vector" Tint 0 3
        "Linear colour that multiplies the colour, and the shade of a toon; white in every file.",
    /// Metalness, 0 to 1.
    metallic f32 "number" Metallic 0 1
        "How much of a metal it is, 0 to 1.",
    /// Roughness, 0 to 1.
    roughness f32 "number" Roughness 0 1
        "How rough it is, 0 to 1.",
    /// Strength of the reflection of what is not metal, 0 to 1.
    specular f32 "number" Specular 0 1
        "Strength of the reflection of what is not metal, 0 to 1.",
    /// Index of refraction, at least 1.
    #[option(default_doc = "1.5")]
    ior f32 "number" Ior 0 1
        "Index of refraction, at least 1; 1.5 where the file says nothing.",
    /// Linear colour of the light that it emits.
    emissive Vec3 "vector" EmissiveFactor 0 3
        "Linear colour of the light that it gives off.",
    /// Factor on that light.
    emissive_strength f32 "number" EmissiveStrength 0 1
        "Factor on that light.",
    /// Scale of the normal map.
    normal_scale f32 "number" NormalScale 0 1
        "How deep its normal picture is.",
    /// Strength of the occlusion map, 0 to 1.
    occlusion f32 "number" OcclusionStrength 0 1
        "How much of its occlusion picture counts, 0 to 1.",
    /// Alpha below which a material that is cut out draws nothing.
    alpha_cutoff f32 "number" AlphaCutoff 0 1
        "Below this alpha nothing is drawn of what is cut out.",
    /// Strength of the clear coat, 0 to 1.
    clearcoat f32 "number" Clearcoat 0 1
        "How much varnish lies over it, 0 to 1.",
    /// Roughness of the clear coat, 0 to 1.
    clearcoat_roughness f32 "number" ClearcoatRoughness 0 1
        "How rough the varnish is, 0 to 1.",
    /// Linear colour of the light that fibres catch; black is none.
    sheen Vec3 "vector" Sheen 0 3
        "Linear colour of the light that fibres catch; black is none.",
    /// Roughness of the fibres, 0 to 1.
    sheen_roughness f32 "number" SheenRoughness 0 1
        "How rough the fibres are, 0 to 1.",
    /// Share of light that goes through, 0 to 1.
    transmission f32 "number" Transmission 0 1
        "The share of light that goes through, 0 to 1.",
    /// Thickness that light goes through; 0 is a thin wall.
    #[option(unit = "metres")]
    thickness f32 "number" Thickness 0 1
        "Metres of it that light goes through; 0 is a thin wall.",
}

/// Changes of one material in the option `materials` of `character`.
#[derive(Options)]
pub(super) struct MaterialOptions {
    /// Shading model.
    kind: Option<MaterialKind>,
    #[option(flatten)]
    values: LookValues,
}

impl MaterialOptions {
    /// The changes that it makes.
    pub fn changes(&self) -> Vec<MaterialChange> {
        let mut out = Vec::new();
        out.extend(self.kind.map(MaterialChange::Kind));
        self.values
            .each(|factor, i, value| out.push(MaterialChange::Number(factor, i, value)));
        out
    }
}

/// A change of a material: its shading model, or one number of a factor.
#[derive(Clone, Copy)]
pub(super) enum MaterialChange {
    Kind(MaterialKind),
    Number(Factor, usize, f32),
}

/// Options of `material:fade`.
#[derive(Options)]
struct MaterialFadeOptions {
    #[option(flatten)]
    values: LookValues,
    /// Time that it takes.
    #[option(default = 0.3, unit = "seconds", clamp = 0.0..=600.0)]
    time: f64,
}

fn look(name: &str) -> Option<&'static MaterialProperty> {
    LOOKS.iter().find(|look| look.name == name)
}

/// The numbers of a value that was checked; `None` for nothing.
fn numbers(look: &MaterialProperty, value: &Value) -> Option<Vec<f32>> {
    if look.n == 3 {
        Some(vector(value)?.to_array().to_vec())
    } else {
        Some(vec![number(value)? as f32])
    }
}

/// The materials of a name.
pub(super) fn indices(model: &Model, name: &str) -> mlua::Result<Vec<u16>> {
    let all = model.materials.iter().zip(0..=u16::MAX);
    let found = all.filter(|(material, _)| material.name == name);
    let found: Vec<u16> = found.map(|(_, i)| i).collect();
    if found.is_empty() || name.is_empty() {
        let names = model
            .materials
            .iter()
            .map(|material| material.name.as_str());
        return Err(mlua::Error::runtime(format!(
            "{} has no material {name:?}{}",
            model.name,
            nearest_hint(name, names)
        )));
    }
    Ok(found)
}

/// The variant of a name.
pub(super) fn variant_index(model: &Model, name: &str) -> mlua::Result<u16> {
    let found = model.variants.iter().position(|variant| variant == name);
    let found = found.and_then(|at| u16::try_from(at).ok());
    found.ok_or_else(|| {
        let names = model.variants.iter().map(String::as_str);
        mlua::Error::runtime(format!(
            "{} has no variant {name:?}{}",
            model.name,
            nearest_hint(name, names)
        ))
    })
}

/// Runs `f` with the character and the materials meant.
fn with_materials<R>(
    lua: &Lua,
    args: &Args,
    f: impl FnOnce(&mut Character, &[u16]) -> R,
) -> mlua::Result<R> {
    let this: MaterialRef = args
        .object(0)
        .ok_or_else(|| mlua::Error::runtime("this is no material"))?;
    with_world(lua, |world| {
        let character = find(&mut world.stage, this.character)?;
        let materials = indices(&character.definition.model, &this.name)?;
        Ok(f(character, &materials))
    })
}

fn get(lua: &Lua, args: &Args, name: &str) -> mlua::Result<Value> {
    let Some(look) = look(name) else {
        return Ok(Value::Nil);
    };
    let values = with_materials(lua, args, |character, materials| {
        let model = &character.definition.model;
        let first = materials.first().copied().unwrap_or_default();
        character.appearance.surface.values(model, first)
    })?;
    Ok(match values.numbers(look.factor).get(look.first..) {
        Some([x, y, z, ..]) if look.n == 3 => lua_vector(Vec3::new(*x, *y, *z)),
        Some([x, ..]) => lua_number(*x),
        _ => Value::Nil,
    })
}

fn set(lua: &Lua, args: &Args, name: &str) -> mlua::Result<Value> {
    let Some(look) = look(name) else {
        return Ok(Value::Nil);
    };
    let values = numbers(look, &args.value(1)).unwrap_or_default();
    with_materials(lua, args, |character, materials| {
        let model = character.definition.model.clone();
        for &material in materials {
            for (&value, i) in values.iter().zip(look.first..) {
                character
                    .appearance
                    .surface
                    .set(&model, material, look.factor, i, value);
            }
        }
        Value::Nil
    })
}

fn get_kind(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let kind = with_materials(lua, &args, |character, materials| {
        let model = &character.definition.model;
        let first = materials.first().copied().unwrap_or_default();
        character.appearance.surface.values(model, first).kind
    })?;
    Ok(Value::String(lua.create_string(kind.name())?))
}

fn set_kind(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let kind = args.text(1).and_then(|kind| MaterialKind::from_name(&kind));
    with_materials(lua, &args, |character, materials| {
        let model = character.definition.model.clone();
        let set = kind
            .into_iter()
            .flat_map(|kind| materials.iter().map(move |m| (*m, kind)));
        for (material, kind) in set {
            character
                .appearance
                .surface
                .set_kind(&model, material, kind);
        }
        Value::Nil
    })
}

fn fade(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let MaterialFadeOptions { values, time } = args.options(1)?;
    with_materials(lua, &args, |character, materials| {
        let model = character.definition.model.clone();
        for &material in materials {
            values.each(|factor, i, to| {
                let surface = &mut character.appearance.surface;
                surface.fade(&model, material, (factor, i), to, time);
            });
        }
        Value::Nil
    })
}

fn reset(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(1);
    let (bits, kind) = match name.as_deref() {
        None => (u64::MAX, true),
        Some("kind") => (0, true),
        Some(name) => match look(name) {
            Some(look) => (look_bits(look), false),
            None => {
                let names = PROPERTIES.iter().map(|property| property.name);
                let hint = nearest_hint(name, names);
                return Err(mlua::Error::runtime(format!(
                    "a Material has no {name:?}{hint}"
                )));
            }
        },
    };
    with_materials(lua, &args, |character, materials| {
        for &material in materials {
            character.appearance.surface.reset(material, bits, kind);
        }
        Value::Nil
    })
}

/// The bits of the numbers of a factor that a property stands for.
fn look_bits(look: &MaterialProperty) -> u64 {
    let first = look.factor.bits().trailing_zeros() as usize + look.first;
    ((1 << look.n) - 1) << first
}

fn material(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(1).unwrap_or_default();
    let material = with_character(lua, &args, |character, its| {
        indices(&its.definition.model, &name)?;
        Ok(MaterialRef {
            character,
            name: name.as_str().into(),
        })
    })?;
    Ok(Value::UserData(lua.create_userdata(material)?))
}

fn materials(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let names = with_character(lua, &args, |_, character| {
        let mut names: Vec<String> = Vec::new();
        for material in &character.definition.model.materials {
            if !material.name.is_empty() && !names.contains(&material.name) {
                names.push(material.name.clone());
            }
        }
        Ok(names)
    })?;
    Ok(Value::Table(lua.create_sequence_from(names)?))
}

fn variants(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let names = with_character(lua, &args, |_, character| {
        Ok(character.definition.model.variants.clone())
    })?;
    Ok(Value::Table(lua.create_sequence_from(names)?))
}

fn get_variant(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = with_character(lua, &args, |_, character| {
        let variant = character.appearance.surface.variant.map(usize::from);
        Ok(variant.and_then(|at| character.definition.model.variants.get(at).cloned()))
    })?;
    match name {
        Some(name) => Ok(Value::String(lua.create_string(name)?)),
        None => Ok(Value::Nil),
    }
}

fn set_variant(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let given = args.value(1);
    if !given.is_nil()
        && let Err(wrong) = Type::Text.check(&given)
    {
        return Err(mlua::Error::runtime(format!("variant: {wrong}")));
    }
    let name = text(&given);
    with_character(lua, &args, |_, character| {
        character.appearance.surface.variant = match &name {
            Some(name) => Some(variant_index(&character.definition.model, name)?),
            None => None,
        };
        Ok(Value::Nil)
    })
}

/// `hero:material(name)`.
pub(super) const MATERIAL: Function = Function {
    name: "material",
    params: &[Param {
        name: "name",
        ty: Type::Text,
        optional: false,
    }],
    returns: "Material",
    doc: "Its material of this name; of several with one name all at once. What is set there is this \
          character's alone.",
    example: "local hair = hero:material(\"hair\")\nhair.color = vector.create(0.3, 0.02, 0.02)\nhair.roughness = 0.3",
    call: material,
};

/// `hero:materials()`.
pub(super) const MATERIALS: Function = Function {
    name: "materials",
    params: &[],
    returns: "{ string }",
    doc: "The names of its materials, in the file's order, each once.",
    example: "print(table.concat(hero:materials(), \", \"))",
    call: materials,
};

/// `hero:variants()`.
pub(super) const VARIANTS: Function = Function {
    name: "variants",
    params: &[],
    returns: "{ string }",
    doc: "The names of its file's variants (KHR_materials_variants), in the file's order.",
    example: "print(#hero:variants())",
    call: variants,
};

/// `hero.variant`.
pub(super) const VARIANT: Property = Property {
    name: "variant",
    ty: "string?",
    doc: "The variant of its file that it is shown in; nil shows the plain one.",
    get: get_variant,
    set: Some((Type::Any, set_variant)),
};

/// Methods and properties of what `hero:material` gives.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Material",
    doc: "A material of one character. What is set holds, over clips too, until `reset`; all else is the \
          file's, or what a clip makes of it. Reading a property gives the file's value or the one that was \
          set. Numbers are held to their ranges. It is found again by its name when the model is saved; a \
          script that is saved sets its own again.",
    functions: &[
        Function {
            name: "fade",
            params: &[Param {
                name: "options",
                ty: MaterialFadeOptions::TYPE,
                optional: false,
            }],
            returns: "",
            doc: "Brings properties to values evenly over a time; what is left out stays. Setting one of \
                  them ends its fade.",
            example: "hero:material(\"cloth\"):fade { color = vector.create(0.4, 0.02, 0.05), time = 0.5 }",
            call: fade,
        },
        Function {
            name: "reset",
            params: &[Param {
                name: "name",
                ty: Type::Text,
                optional: true,
            }],
            returns: "",
            doc: "Gives one property, or all of them, back to the file and to clips.",
            example: "hero:material(\"cloth\"):reset(\"color\")",
            call: reset,
        },
    ],
    properties: PROPERTIES,
};
