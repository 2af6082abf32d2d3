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

/// Handle to the materials of one name.
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

/// A material property that scripts can set.
struct MaterialProperty {
    name: &'static str,
    factor: Factor,
    /// Index of the first component of the factor, and the number of components: 1 or 3.
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

/// Value of a material property: one number or three.
trait MaterialValue {
    fn numbers(&self) -> &[f32];
}

impl MaterialValue for f32 {
    fn numbers(&self) -> &[f32] {
        std::slice::from_ref(self)
    }
}

impl MaterialValue for Vec3 {
    fn numbers(&self) -> &[f32] {
        AsRef::<[f32; 3]>::as_ref(self)
    }
}

/// Defines, from one list, the options of `character` and `fade` and the properties of a material. A row has the
/// documentation of the option, the Lua name, the type, the factor, the first component and their number, and the
/// documentation of the property.
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
            /// Calls `f` for each given component: its factor, its index in the factor and its value.
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
                doc: "Kind of surface (shading model): \"standard\", \"skin\", \"eye\", \"hair\", \"cloth\" or \
                      \"toon\". By default it comes from the file. If the file does not set it, Galatea guesses it from \
                      the name of the material.",
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
    /// Base colour, as linear RGB.
    color Vec3 "vector" BaseColor 0 3
        "Base colour, as linear RGB.",
    /// Opacity from 0 to 1; 1 is opaque. It has an effect only if the material in the file uses alpha blending or a
    /// cut-out.
    alpha f32 "number" BaseColor 3 1
        "Opacity from 0 to 1; 1 is opaque. It has an effect only if the material in the file uses alpha blending or a \
         cut-out.",
    /// Colour, as linear RGB, that multiplies the base colour. For a toon material it also multiplies the shade colour.
    #[option(default_doc = "(1, 1, 1)")]
    tint Vec3 "vector" Tint 0 3
        "Colour, as linear RGB, that multiplies the base colour. For a toon material it also multiplies the shade \
         colour. At the start it is white, which changes nothing.",
    /// How metallic the surface is: 0 is not metal, 1 is metal.
    metallic f32 "number" Metallic 0 1
        "How metallic the surface is, 0 to 1: 0 is not metal, 1 is metal.",
    /// Roughness: 0 shines like a mirror, 1 is matt.
    roughness f32 "number" Roughness 0 1
        "Roughness, 0 to 1: 0 shines like a mirror, 1 is matt.",
    /// Strength of the reflection of surfaces that are not metal, 0 to 1.
    specular f32 "number" Specular 0 1
        "Strength of the reflection of surfaces that are not metal, 0 to 1.",
    /// Index of refraction: how much light bends in the material, at least 1. Water has 1.33.
    #[option(default_doc = "1.5")]
    ior f32 "number" Ior 0 1
        "Index of refraction: how much light bends in the material, at least 1. Water has 1.33. If the file does not \
         set it, it is 1.5.",
    /// Colour of the light that the material emits, as linear RGB.
    emissive Vec3 "vector" EmissiveFactor 0 3
        "Colour of the light that the material emits, as linear RGB.",
    /// Factor on the brightness of the light that the material emits (see `emissive`).
    emissive_strength f32 "number" EmissiveStrength 0 1
        "Factor on the brightness of the light that the material emits (see `emissive`).",
    /// Strength of the normal map, the image that gives the surface its relief. 1 is as in the image, 0 is flat.
    normal_scale f32 "number" NormalScale 0 1
        "Strength of the normal map, the image that gives the surface its relief. 1 is as in the image, 0 is flat.",
    /// Strength of the occlusion map, the image that darkens creases, 0 to 1.
    occlusion f32 "number" OcclusionStrength 0 1
        "Strength of the occlusion map, the image that darkens creases, 0 to 1.",
    /// Limit for a cut-out material (one whose points are either visible or not): points with an alpha below it are
    /// invisible.
    alpha_cutoff f32 "number" AlphaCutoff 0 1
        "Limit for a cut-out material (one whose points are either visible or not): points with an alpha below it are \
         invisible.",
    /// Strength of the clear coat (a layer like varnish), 0 to 1.
    clearcoat f32 "number" Clearcoat 0 1
        "Strength of the clear coat (a layer like varnish), 0 to 1.",
    /// Roughness of the clear coat, 0 to 1.
    clearcoat_roughness f32 "number" ClearcoatRoughness 0 1
        "Roughness of the clear coat, 0 to 1.",
    /// Colour of the sheen (soft shine of fibres, as on velvet), as linear RGB. Black means no sheen.
    sheen Vec3 "vector" Sheen 0 3
        "Colour of the sheen (soft shine of fibres, as on velvet), as linear RGB. Black means no sheen.",
    /// Roughness of the sheen, 0 to 1.
    sheen_roughness f32 "number" SheenRoughness 0 1
        "Roughness of the sheen, 0 to 1.",
    /// Fraction of the light that passes through the material, as in glass, 0 to 1.
    transmission f32 "number" Transmission 0 1
        "Fraction of the light that passes through the material, as in glass, 0 to 1.",
    /// Thickness of a transparent material. At 0 the surface counts as a thin wall.
    #[option(unit = "metres")]
    thickness f32 "number" Thickness 0 1
        "Thickness of a transparent material, metres. At 0 the surface counts as a thin wall.",
}

/// Changes of one material in the option `materials` of `character`.
#[derive(Options)]
pub(super) struct MaterialOptions {
    /// Kind of surface (shading model).
    kind: Option<MaterialKind>,
    #[option(flatten)]
    values: LookValues,
}

impl MaterialOptions {
    /// List of the changes that the options make.
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
    /// Duration of the fade.
    #[option(default = 0.3, unit = "seconds", clamp = 0.0..=600.0)]
    duration: f64,
}

fn look(name: &str) -> Option<&'static MaterialProperty> {
    LOOKS.iter().find(|look| look.name == name)
}

/// Components of a checked value; `None` for nil.
fn numbers(look: &MaterialProperty, value: &Value) -> Option<Vec<f32>> {
    if look.n == 3 {
        Some(vector(value)?.to_array().to_vec())
    } else {
        Some(vec![number(value)? as f32])
    }
}

/// Indices of the materials with a name.
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
            "the model {:?} has no material {name:?}{}",
            model.name,
            nearest_hint(name, names)
        )));
    }
    Ok(found)
}

/// Index of the variant with a name.
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

/// Calls `f` with the character and the materials of the handle.
fn with_materials<R>(
    lua: &Lua,
    args: &Args,
    f: impl FnOnce(&mut Character, &[u16]) -> R,
) -> mlua::Result<R> {
    let this: MaterialRef = args
        .object(0)
        .ok_or_else(|| mlua::Error::runtime("expected a Material"))?;
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
    let MaterialFadeOptions {
        values,
        duration: time,
    } = args.options(1)?;
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
            Some(look) => (component_mask(look), false),
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

/// Bit mask of the components that a property sets.
fn component_mask(look: &MaterialProperty) -> u64 {
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
    doc: "Returns the material with this name. If several materials have it, the result controls all of them. Changes affect \
          only this character.",
    example: "local hair = hero:material(\"hair\")\nhair.color = vec(0.3, 0.02, 0.02)\nhair.roughness = 0.3",
    call: material,
};

/// `hero:materials()`.
pub(super) const MATERIALS: Function = Function {
    name: "materials",
    params: &[],
    returns: "{ string }",
    doc: "Returns the names of all materials, in the order of the file.",
    example: "print(table.concat(hero:materials(), \", \"))",
    call: materials,
};

/// `hero:variants()`.
pub(super) const VARIANTS: Function = Function {
    name: "variants",
    params: &[],
    returns: "{ string }",
    doc: "Returns the names of the variants of the materials (KHR_materials_variants), in the order of the file.",
    example: "print(#hero:variants())",
    call: variants,
};

/// `hero.variant`.
pub(super) const VARIANT: Property = Property {
    name: "variant",
    ty: "string?",
    doc: "Variant of the materials, one of `character:variants()`. Nil means the default materials.",
    get: get_variant,
    set: Some((Type::Any, set_variant)),
};

/// Methods and properties of the handle that `hero:material` returns.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Material",
    doc: "A material of one character. A value that a script sets overrides the values of the model file and of clips, \
          until you call `reset`. Reading a property returns the value that the script has set, otherwise the value of \
          the file. A number outside the range of its property is moved to the nearest limit.\n\n\
          When the model file is reloaded, the material is found again by its name. When the script is reloaded, the \
          new script sets its own values again.",
    functions: &[
        Function {
            name: "fade",
            params: &[Param {
                name: "options",
                ty: MaterialFadeOptions::TYPE,
                optional: false,
            }],
            returns: "",
            doc: "Changes properties gradually to the given values, within `duration` seconds. Properties that you \
                  leave out do not change. If a script sets a property directly, the fade of this property ends.",
            example: "hero:material(\"cloth\"):fade { color = vec(0.4, 0.02, 0.05), duration = 0.5 }",
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
            doc: "Resets the property with the name `name`, or all properties if you give no name. Then the file and \
                  the clips control them again.",
            example: "hero:material(\"cloth\"):reset(\"color\")",
            call: reset,
        },
    ],
    properties: PROPERTIES,
};
