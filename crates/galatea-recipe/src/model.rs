//! `model { … }`: the return value of a recipe.

use std::collections::BTreeSet;

use mlua::{Lua, Table, UserData, Value};

use super::bones::BonesRef;
use super::clip::{RecipeClip, clips_of};
use super::material::{self, MaterialRow};
use super::part::PartRef;
use super::sheet::SheetRef;
use super::wrong;
use galatea_asset::Model;
use galatea_asset::model::{Image, Material, MaterialKind, TextureRef, Wrinkles};
use galatea_derive::Options;
use galatea_forge::bake::{self, SheetPaint};
use galatea_forge::glb::Extras;
use galatea_forge::lighten::lighten;
use galatea_forge::occlusion;
use galatea_forge::pieces::{self, QuadMesh, Stuff};
use galatea_math::names::nearest_hint;
use galatea_script::toolkit::{Args, Function, Group, Kind, Options, Param, Type, object};

/// Limit of quads of all parts of a model.
const MAX_QUADS: usize = 2_000_000;
/// Limit of texture sets per model; each may have maps of 4096 by 4096 pixels.
const MAX_SHEETS: usize = 16;

/// A model object of a recipe.
#[derive(Clone)]
struct ModelRef {
    name: String,
    bones: BonesRef,
    parts: Vec<PartRef>,
    /// Materials by the name of their paint.
    materials: Vec<(String, MaterialRow)>,
    sheets: Vec<(String, SheetPaint)>,
    clips: Vec<RecipeClip>,
}

impl UserData for ModelRef {}

/// Options of a model.
#[derive(Options)]
struct ModelOptions {
    /// Name.
    #[option(default = "model")]
    name: String,
    /// Skeleton.
    #[option(default_doc = "one bone, \"root\"")]
    bones: Option<BonesRef>,
    /// Parts.
    #[option(default = Vec::new(), default_doc = "")]
    parts: Vec<PartRef>,
    /// Materials, by the names that `cage:paint` uses. A material is a table with these fields; colours are linear RGB.
    /// `color`. `roughness` (default 0.5). `metallic` (default 0). `kind`: "standard" (default), "skin", "hair", "eye",
    /// "cloth" or "toon". `emissive`: colour of emitted light, and `strength`: factor on it (default 1). `double_sided`
    /// (default false). `sheet`: name of a texture set. `picture`: a Picture. `relief`: factor on the normal map
    /// (default 1). `cutoff`: alpha below which pixels are invisible. `clearcoat` (default 0). `sheen`: colour. `iris`,
    /// for eyes: { radius = fraction of the picture's width, depth = fraction of the radius }. For "toon": `shade`, the
    /// colour in shadow, and `outline`, its width in metres. `variants`: { name of a variant = name of the material
    /// that replaces this one }.
    #[option(ty = Type::Table("{ [string]: { [string]: any } }"))]
    materials: Option<Table>,
    /// Texture sets, by the names that parts and materials use: { skin = sheet { … } }.
    #[option(ty = Type::Table("{ [string]: Sheet }"))]
    sheets: Option<Table>,
    /// List of clips. It may contain lists of clips.
    #[option(ty = Type::Table("{ any }"))]
    clips: Option<Value>,
}

fn make(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: ModelOptions = args.options(0)?;
    let parts = options.parts;
    let n_quads: usize = parts.iter().map(|part| part.wrapped.cage.faces.len()).sum();
    if n_quads > MAX_QUADS {
        return Err(wrong(format!(
            "model: the parts have {n_quads} quads in total; the limit is {MAX_QUADS}"
        )));
    }
    let bones = options.bones.unwrap_or_else(|| BonesRef {
        names: vec!["root".into()],
        parents: vec![None],
        positions: vec![glam::Vec3::ZERO],
        ..BonesRef::default()
    });
    let mut materials: Vec<(String, MaterialRow)> = Vec::new();
    if let Some(table) = options.materials {
        let mut rows: Vec<(String, Table)> = table.pairs().collect::<mlua::Result<_>>()?;
        // The order of a table's pairs is undefined.
        rows.sort_by(|a, b| a.0.cmp(&b.0));
        for (name, row) in rows {
            let row = material::row(&name, &row)?;
            materials.push((name, row));
        }
    }
    let mut sheets = Vec::new();
    if let Some(table) = options.sheets {
        let mut rows: Vec<(String, Value)> = table.pairs().collect::<mlua::Result<_>>()?;
        rows.sort_by(|a, b| a.0.cmp(&b.0));
        if rows.len() > MAX_SHEETS {
            return Err(wrong(format!("model: the limit is {MAX_SHEETS} sheets")));
        }
        for (name, value) in rows {
            let sheet: SheetRef = object(&value)
                .ok_or_else(|| wrong(format!("model: sheet {name:?} is not a Sheet")))?;
            sheets.push((name, sheet.0));
        }
    }
    let shown = materials.iter().map(|(_, row)| &row.sheet);
    let sheet_names = shown.chain(parts.iter().map(|part| &part.sheet));
    for name in sheet_names.flatten() {
        if !sheets.iter().any(|(own, _)| own == name) {
            let hint = nearest_hint(name, sheets.iter().map(|(own, _)| own.as_str()));
            return Err(wrong(format!("model: unknown sheet {name:?}{hint}")));
        }
    }
    let clips = clips_of(&options.clips.unwrap_or(Value::Nil))?;
    let nodes = bones
        .names
        .iter()
        .chain(parts.iter().map(|part| &part.name));
    let nodes: Vec<&str> = nodes.map(String::as_str).collect();
    let morphs = parts.iter().flat_map(|part| &part.morphs);
    let morphs: Vec<&str> = morphs.map(|morph| morph.name.as_str()).collect();
    for clip in &clips {
        let fits = clip.0.fits(&nodes, &morphs);
        fits.map_err(|why| wrong(format!("model: clip {:?}: {why}", clip.0.name)))?;
    }
    let model = ModelRef {
        name: options.name,
        bones,
        parts,
        materials,
        sheets,
        clips,
    };
    lua.create_userdata(model).map(Value::UserData)
}

/// The model that a recipe returned, with the extras of its nodes; its parts keep a fraction `share` of their
/// triangles.
pub(super) fn made(lua: &Lua, value: &Value, share: f32) -> mlua::Result<(Model, Extras)> {
    let given: ModelRef = object(value).ok_or_else(|| {
        wrong("the recipe does not return a model: end it with `return model { … }`")
    })?;
    let (paints, rows): (Vec<String>, Vec<MaterialRow>) = given.materials.into_iter().unzip();
    let parts = given.parts.iter();
    let pieces = parts.map(|part| part.piece(lua, &given.bones, &paints));
    let (variants, instead) = variants(&paints, &rows)?;
    let mut stuff = Stuff {
        materials: rows.iter().map(|row| row.material.clone()).collect(),
        images: Vec::new(),
        pieces: pieces.collect::<mlua::Result<_>>()?,
        variants,
        instead,
    };
    for (name, mut sheet) in given.sheets {
        sheet.name = name;
        sheet.paints.clone_from(&paints);
        paint_sheet(&sheet, &given.parts, &rows, &mut stuff);
    }
    for (piece, part) in stuff.pieces.iter_mut().zip(&given.parts) {
        part.transform.apply(piece);
    }
    shade(&given.parts, &mut stuff.pieces);
    material::attach_images(&rows, &mut stuff.materials, &mut stuff.images);
    let mut extras = given.bones.extras.clone();
    let of_parts = given.parts.iter();
    extras.extend(of_parts.filter_map(|part| Some((part.name.clone(), part.extras.clone()?))));
    let mut model = pieces::model(&given.name, given.bones.skeleton(), stuff)
        .map_err(|why| wrong(format!("model: {why}")))?;
    for (mesh, part) in model.meshes.iter_mut().zip(&given.parts) {
        let keep = part.keep * share;
        mesh.primitives
            .iter_mut()
            .for_each(|own| lighten(own, keep));
    }
    check_finite(&model)?;
    for clip in &given.clips {
        let made = clip.0.clip(&model);
        model.clips.push(made.into());
    }
    Ok((model, extras))
}

/// Rejects a model with NaN or infinite positions, as from a field that is too small for single precision.
fn check_finite(model: &Model) -> mlua::Result<()> {
    for part in &model.parts {
        let primitives = model.meshes[part.mesh].primitives.iter();
        let mut points = primitives.flat_map(|own| own.positions.iter().chain(&own.normals));
        if !points.all(|point| point.is_finite()) {
            return Err(wrong(format!(
                "model: part {:?} has points or normals that are NaN or infinite; use less extreme sizes",
                part.name
            )));
        }
    }
    Ok(())
}

/// Bakes a texture set of parts and assigns its images to the materials that use it.
fn paint_sheet(sheet: &SheetPaint, parts: &[PartRef], rows: &[MaterialRow], stuff: &mut Stuff) {
    let is_own = |name: &Option<String>| name.as_ref() == Some(&sheet.name);
    let own = stuff.pieces.iter_mut().zip(parts);
    let own = own.filter(|(_, part)| is_own(&part.sheet));
    let mut laid: Vec<&mut QuadMesh> = own.map(|(piece, _)| piece).collect();
    if laid.is_empty() {
        return;
    }
    let baked = bake::bake(sheet, &mut laid);
    let first = stuff.images.len();
    fold(
        baked.wrinkles.as_ref(),
        first + 3,
        rows,
        &sheet.name,
        &mut stuff.materials,
    );
    let shown = stuff.materials.iter_mut().zip(rows);
    for (material, _) in shown.filter(|(_, row)| is_own(&row.sheet)) {
        let picture = |k: usize| Some(TextureRef::of(first + k));
        material.base_color_texture = picture(0);
        material.normal_texture = picture(1);
        material.metallic_roughness_texture = picture(2);
        material.occlusion_texture = picture(2);
        (material.roughness, material.metallic) = (1.0, 1.0);
    }
    stuff
        .images
        .extend([baked.color, baked.normal, baked.surface]);
    let folds = baked.wrinkles.into_iter();
    stuff.images.extend(folds.flat_map(|(images, _)| images));
}

/// Darkens vertices by ambient occlusion, in parts that have a `shade`.
fn shade(parts: &[PartRef], pieces: &mut [QuadMesh]) {
    if parts.iter().all(|part| part.shade <= 0.0) {
        return;
    }
    let light = occlusion::open(pieces);
    for ((piece, part), light) in pieces.iter_mut().zip(parts).zip(light) {
        if part.shade > 0.0 {
            let light = light.into_iter();
            piece.shade = light.map(|open| 1.0 - part.shade * (1.0 - open)).collect();
        }
    }
}

/// Assigns wrinkles to the materials of a texture set: to skin materials if there are any. `first` is the index of the
/// first image.
fn fold(
    baked: Option<&(Vec<Image>, Wrinkles)>,
    first: usize,
    rows: &[MaterialRow],
    sheet: &String,
    materials: &mut [Material],
) {
    let Some((_, wrinkles)) = baked else { return };
    let mut wrinkles = wrinkles.clone();
    wrinkles.each_picture(|image| *image += first);
    let shows = |row: &MaterialRow| row.sheet.as_ref() == Some(sheet);
    let is_skin = |row: &MaterialRow| shows(row) && row.material.kind == MaterialKind::Skin;
    let any_skin = rows.iter().any(is_skin);
    for (material, row) in materials.iter_mut().zip(rows) {
        if if any_skin { is_skin(row) } else { shows(row) } {
            material.wrinkles = Some(Box::new(wrinkles.clone()));
        }
    }
}

/// Replacement materials in variants, by material: indices of variant and material.
type Instead = Vec<Vec<(u16, usize)>>;

/// All variant names in materials, and the replacement materials of each material.
fn variants(paints: &[String], rows: &[MaterialRow]) -> mlua::Result<(Vec<String>, Instead)> {
    let named = rows.iter().flat_map(|row| &row.variants);
    let all: BTreeSet<&String> = named.map(|(variant, _)| variant).collect();
    let all: Vec<String> = all.into_iter().cloned().collect();
    let number = |variant: &String| all.iter().position(|own| own == variant);
    let mut instead = Vec::with_capacity(rows.len());
    for (paint, row) in paints.iter().zip(rows) {
        let mut own = Vec::new();
        for (variant, shown) in &row.variants {
            let at = paints.iter().position(|other| other == shown);
            let at = at.ok_or_else(|| {
                let hint = nearest_hint(shown, paints.iter().map(String::as_str));
                wrong(format!(
                    "model: material {paint:?}, variants: unknown material {shown:?}{hint}"
                ))
            })?;
            own.extend(number(variant).map(|n| (n as u16, at)));
        }
        own.sort_unstable();
        instead.push(own);
    }
    Ok((all, instead))
}

const EXAMPLE: &str = "local v = vector.create\nlocal c = cage()\nc:grid { { v(0, 0, 0), v(1, 0, 0) }, { v(0, 1, 0), v(1, 1, 0) } }\n\
    return model { parts = { part { cage = c, weights = \"root\" } }, materials = { skin = { color = v(0.7, 0.5, 0.4) } } }";

pub(super) const MODEL: Function = Function {
    name: "model",
    params: &[Param {
        name: "options",
        ty: Type::Options(ModelOptions::SHAPE),
        optional: false,
    }],
    returns: "Model",
    doc: "Makes the model, the result of the recipe. A recipe ends with `return model { … }`.",
    example: EXAMPLE,
    call: make,
};

pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Model",
    doc: "A complete model, the result of a recipe.",
    functions: &[],
    properties: &[],
};
