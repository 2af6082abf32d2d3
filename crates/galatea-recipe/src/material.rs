//! Materials of a model in recipes.

use glam::{Vec2, Vec3, Vec4};
use mlua::{Table, Value};

use super::picture::PictureRef;
use super::row::RecipeRow;
use galatea_asset::model::{
    AlphaMode, Image, Iris, Material, MaterialKind, Outline, OutlineMode, TextureRef, Toon,
};
use galatea_math::names::nearest_hint;
use galatea_script::toolkit::{number, object, text};

/// Fields of a material.
const KEYS: [&str; 17] = [
    "color",
    "roughness",
    "metallic",
    "kind",
    "emissive",
    "strength",
    "double_sided",
    "sheet",
    "picture",
    "relief",
    "cutoff",
    "clearcoat",
    "sheen",
    "iris",
    "shade",
    "outline",
    "variants",
];

/// A material of a model.
#[derive(Clone)]
pub(super) struct MaterialRow {
    pub material: Material,
    /// Name of its texture set.
    pub sheet: Option<String>,
    pub picture: Option<PictureRef>,
    /// Names of variants and of their replacement materials.
    pub variants: Vec<(String, String)>,
}

pub(super) fn row(name: &str, table: &Table) -> mlua::Result<MaterialRow> {
    let row = RecipeRow {
        table,
        name: format!("model: material {name:?}"),
    };
    row.check_keys(&KEYS)?;
    let kind = kind(&row)?;
    let picture = row.read("picture", object::<PictureRef>, "picture must be a Picture")?;
    let base = row.vector("color")?;
    let mut material = Material {
        name: name.into(),
        kind,
        base_color: base.map_or(Vec4::ONE, |color| color.extend(1.0)),
        roughness: row.float("roughness", 0.0..=1.0)?.unwrap_or(0.5),
        metallic: row.float("metallic", 0.0..=1.0)?.unwrap_or(0.0),
        emissive_factor: row.vector("emissive")?.unwrap_or_default(),
        emissive_strength: row.float("strength", 0.0..=1e4)?.unwrap_or(1.0),
        normal_scale: row.float("relief", 0.0..=10.0)?.unwrap_or(1.0),
        double_sided: table
            .raw_get::<Option<bool>>("double_sided")?
            .unwrap_or(false),
        ..Material::default()
    };
    read_extensions(&row, &mut material)?;
    let outline = row.float("outline", 0.0..=0.1)?;
    if kind == MaterialKind::Toon {
        let lit = base.unwrap_or(Vec3::ONE);
        let shade = row.vector("shade")?.unwrap_or(lit * 0.5);
        material.roughness = 0.9;
        material.toon = Some(Box::new(cartoon(lit, shade, outline)));
    }
    let mut variants = Vec::new();
    if let Some(rows) = table.raw_get::<Option<Table>>("variants")? {
        variants = rows.pairs().collect::<mlua::Result<_>>()?;
        variants.sort();
    }
    Ok(MaterialRow {
        material,
        sheet: text(&table.raw_get("sheet")?),
        picture,
        variants,
    })
}

fn kind(row: &RecipeRow) -> mlua::Result<MaterialKind> {
    let Some(kind_name) = text(&row.table.raw_get("kind")?) else {
        return Ok(MaterialKind::Standard);
    };
    MaterialKind::from_name(&kind_name).ok_or_else(|| {
        let hint = nearest_hint(&kind_name, MaterialKind::ALL.iter().map(|kind| kind.name()));
        row.error(format_args!("unknown kind {kind_name:?}{hint}"))
    })
}

/// Reads the optional extensions: alpha cutoff, clearcoat, sheen, iris.
fn read_extensions(row: &RecipeRow, material: &mut Material) -> mlua::Result<()> {
    if let Some(cutoff) = row.float("cutoff", 0.0..=1.0)? {
        material.alpha = AlphaMode::Mask(cutoff);
    }
    if let Some(factor) = row.float("clearcoat", 0.0..=1.0)? {
        material.clearcoat.factor = factor;
        material.clearcoat.roughness = 0.1;
    }
    if let Some(sheen) = row.vector("sheen")? {
        material.sheen.color = sheen;
        material.sheen.roughness = 0.5;
    }
    if let Some(table) = row.table.raw_get::<Option<Table>>("iris")? {
        let made = iris(&table);
        material.iris = Some(
            made.ok_or_else(|| row.error("iris must be { radius = 0 to 1, depth = 0 to 2 }"))?,
        );
    }
    Ok(())
}

/// The iris in the centre of a texture; `None` if its numbers are out of range.
fn iris(table: &Table) -> Option<Iris> {
    let part = |key: &str| number(&table.raw_get(key).unwrap_or(Value::Nil));
    let radius = part("radius").filter(|r| *r > 0.0 && *r <= 1.0)?;
    let depth = part("depth").filter(|d| (0.0..=2.0).contains(d))?;
    Some(Iris {
        center: Vec2::splat(0.5),
        radius: radius as f32,
        depth: depth as f32,
    })
}

/// Toon shading: two colours with a hard border, a faint rim light, a dark outline.
fn cartoon(lit: Vec3, shade: Vec3, outline: Option<f32>) -> Toon {
    Toon {
        shade_color: shade,
        shading_shift: -0.08,
        shading_toony: 0.93,
        gi_equalization: 0.9,
        rim_color: outline.map_or(Vec3::ZERO, |_| lit * 0.25),
        rim_fresnel_power: 6.0,
        outline: Outline {
            mode: match outline {
                Some(_) => OutlineMode::World,
                None => OutlineMode::None,
            },
            width: outline.unwrap_or_default(),
            color: shade * 0.12,
            lighting_mix: 0.6,
            ..Outline::default()
        },
        ..Toon::default()
    }
}

/// Adds the images of materials to the model's list.
pub(super) fn attach_images(
    rows: &[MaterialRow],
    materials: &mut [Material],
    images: &mut Vec<Image>,
) {
    for (row, material) in rows.iter().zip(materials) {
        let Some(picture) = &row.picture else {
            continue;
        };
        let mut put = |image: &Option<Image>, what: &str| -> Option<TextureRef> {
            let mut image = image.clone()?;
            let same = |own: &Image| {
                own.rgba == image.rgba && (own.width, own.height) == (image.width, image.height)
            };
            let index = images.iter().position(same).unwrap_or_else(|| {
                image.name = format!("{}_{what}", material.name);
                images.push(image.clone());
                images.len() - 1
            });
            Some(TextureRef {
                sampler: picture.sampler,
                ..TextureRef::of(index)
            })
        };
        material.base_color_texture = put(&picture.color, "color");
        material.normal_texture = put(&picture.normal, "normal");
        material.metallic_roughness_texture = put(&picture.surface, "surface");
        if picture.surface.is_some() {
            (material.roughness, material.metallic) = (1.0, 1.0);
        }
    }
}
