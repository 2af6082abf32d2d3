//! `model { … }`: what a recipe returns.

use glam::Vec4;
use mlua::{Lua, Table, UserData, Value};

use super::wrong;

use super::bones::BonesRef;
use super::part::PartRef;
use super::sheet::SheetRef;
use crate::asset::Model;
use crate::asset::model::{Material, MaterialKind, TextureRef};
use crate::forge::bake::{self, Sheet};
use crate::forge::pieces::{self, Piece, Stuff};
use crate::math::names::nearest_hint;
use crate::script::api::{
    Args, Field, Function, Group, Kind, Param, Type, number, object, text, vector,
};

/// A model as a recipe has it.
#[derive(Clone)]
struct ModelRef {
    name: String,
    bones: BonesRef,
    parts: Vec<PartRef>,
    paints: Vec<String>,
    materials: Vec<Material>,
    /// Sheets by name, and of each material the one that it shows.
    sheets: Vec<(String, Sheet)>,
    shows: Vec<Option<String>>,
}

impl UserData for ModelRef {}

const FIELDS: &[Field] = &[
    Field {
        name: "name",
        ty: Type::Text,
        doc: "what it is called; \"model\"",
    },
    Field {
        name: "bones",
        ty: Type::Object("Bones"),
        doc: "its skeleton; one bone, \"root\", where there is none",
    },
    Field {
        name: "parts",
        ty: Type::Table,
        doc: "a list of parts",
    },
    Field {
        name: "materials",
        ty: Type::Table,
        doc: "by the names that cages are painted with: { color = linear colour, roughness = 0.5, metallic = 0, kind = \"standard\" (or \"skin\", \"hair\", \"eye\", \"cloth\"), \
              emissive = linear colour, double_sided = false, sheet = name }",
    },
    Field {
        name: "sheets",
        ty: Type::Table,
        doc: "by the names that parts and materials lie on them: { skin = sheet { … } }",
    },
];

const KINDS: [&str; 5] = ["standard", "skin", "hair", "eye", "cloth"];
const KEYS: [&str; 7] = [
    "color",
    "roughness",
    "metallic",
    "kind",
    "emissive",
    "double_sided",
    "sheet",
];

fn make(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    let mut parts: Vec<PartRef> = Vec::new();
    if let Some(table) = fields.value("parts").as_table() {
        for value in table.sequence_values::<Value>() {
            parts.push(object(&value?).ok_or_else(|| wrong("model: parts is a list of parts"))?);
        }
    }
    let bones = match object::<BonesRef>(&fields.value("bones")) {
        Some(bones) => bones,
        None => BonesRef {
            names: vec!["root".into()],
            parents: vec![None],
            places: vec![glam::Vec3::ZERO],
        },
    };
    let (mut paints, mut materials, mut shows) = (Vec::new(), Vec::new(), Vec::new());
    if let Some(table) = fields.value("materials").as_table() {
        let mut rows: Vec<(String, Table)> = table.pairs().collect::<mlua::Result<_>>()?;
        // The order of a table's pairs is nobody's.
        rows.sort_by(|a, b| a.0.cmp(&b.0));
        for (name, row) in rows {
            materials.push(material(&name, &row)?);
            shows.push(text(&row.raw_get("sheet")?));
            paints.push(name);
        }
    }
    let mut sheets = Vec::new();
    if let Some(table) = fields.value("sheets").as_table() {
        let mut rows: Vec<(String, Value)> = table.pairs().collect::<mlua::Result<_>>()?;
        rows.sort_by(|a, b| a.0.cmp(&b.0));
        for (name, value) in rows {
            let sheet: SheetRef = object(&value)
                .ok_or_else(|| wrong(format!("model: sheet {name:?} is no Sheet")))?;
            sheets.push((name, sheet.0));
        }
    }
    let asked = shows.iter().chain(parts.iter().map(|part| &part.sheet));
    for name in asked.flatten() {
        if !sheets.iter().any(|(own, _)| own == name) {
            let hint = nearest_hint(name, sheets.iter().map(|(own, _)| own.as_str()));
            return Err(wrong(format!("model: there is no sheet {name:?}{hint}")));
        }
    }
    let model = ModelRef {
        name: fields.text("name").unwrap_or_else(|| "model".into()),
        bones,
        parts,
        paints,
        materials,
        sheets,
        shows,
    };
    lua.create_userdata(model).map(Value::UserData)
}

fn material(name: &str, row: &Table) -> mlua::Result<Material> {
    for pair in row.pairs::<String, Value>() {
        let (key, _) = pair?;
        if !KEYS.contains(&key.as_str()) {
            let hint = nearest_hint(&key, KEYS.into_iter());
            return Err(wrong(format!(
                "model: material {name:?} has no {key:?}{hint}"
            )));
        }
    }
    let share = |key: &str, default: f32| -> mlua::Result<f32> {
        match row.raw_get::<Value>(key)? {
            Value::Nil => Ok(default),
            value => number(&value)
                .filter(|n| (0.0..=1.0).contains(n))
                .map(|n| n as f32)
                .ok_or_else(|| wrong(format!("model: {key} of material {name:?} must be 0 to 1"))),
        }
    };
    let color = |key: &str| vector(&row.raw_get::<Value>(key).unwrap_or(Value::Nil));
    let kind = match text(&row.raw_get("kind")?).as_deref() {
        None | Some("standard") => MaterialKind::Standard,
        Some("skin") => MaterialKind::Skin,
        Some("hair") => MaterialKind::Hair,
        Some("eye") => MaterialKind::Eye,
        Some("cloth") => MaterialKind::Cloth,
        Some(other) => {
            let hint = nearest_hint(other, KINDS.into_iter());
            return Err(wrong(format!(
                "model: material {name:?}: there is no kind {other:?}{hint}"
            )));
        }
    };
    Ok(Material {
        name: name.into(),
        kind,
        base_color: color("color").map_or(Vec4::ONE, |color| color.extend(1.0)),
        roughness: share("roughness", 0.5)?,
        metallic: share("metallic", 0.0)?,
        emissive_factor: color("emissive").unwrap_or_default(),
        double_sided: row
            .raw_get::<Option<bool>>("double_sided")?
            .unwrap_or(false),
        ..Material::default()
    })
}

/// The model that a recipe returned.
pub(super) fn made(_: &Lua, value: &Value) -> mlua::Result<Model> {
    let given: ModelRef = object(value).ok_or_else(|| {
        wrong("a recipe returns what model { … } gives: write `return model { … }` at its end")
    })?;
    let parts = given.parts.iter();
    let pieces = parts.map(|part| part.piece(&given.bones, &given.paints));
    let mut stuff = Stuff {
        materials: given.materials,
        images: Vec::new(),
        pieces: pieces.collect::<mlua::Result<_>>()?,
    };
    for (name, mut sheet) in given.sheets {
        sheet.name.clone_from(&name);
        sheet.paints.clone_from(&given.paints);
        let own = stuff.pieces.iter_mut().zip(&given.parts);
        let own = own.filter(|(_, part)| part.sheet.as_ref() == Some(&name));
        let mut laid: Vec<&mut Piece> = own.map(|(piece, _)| piece).collect();
        if laid.is_empty() {
            continue;
        }
        let baked = bake::bake(&sheet, &mut laid);
        let first = stuff.images.len();
        for (material, shows) in stuff.materials.iter_mut().zip(&given.shows) {
            if shows.as_ref() == Some(&name) {
                let picture = |k: usize| Some(TextureRef::of(first + k));
                material.base_color_texture = picture(0);
                material.normal_texture = picture(1);
                material.metallic_roughness_texture = picture(2);
                material.occlusion_texture = picture(2);
                (material.roughness, material.metallic) = (1.0, 1.0);
            }
        }
        stuff
            .images
            .extend([baked.color, baked.normal, baked.surface]);
    }
    pieces::model(&given.name, given.bones.skeleton(), stuff)
        .map_err(|why| wrong(format!("model: {why}")))
}

const EXAMPLE: &str = "local v = vector.create\nlocal c = cage()\nc:grid { { v(0, 0, 0), v(1, 0, 0) }, { v(0, 1, 0), v(1, 1, 0) } }\n\
    return model { parts = { part { cage = c, weights = \"root\" } }, materials = { skin = { color = v(0.7, 0.5, 0.4) } } }";

pub(super) const MODEL: Function = Function {
    name: "model",
    params: &[Param {
        name: "options",
        ty: Type::Fields(FIELDS),
        optional: false,
    }],
    returns: "Model",
    doc: "The model: a recipe ends with `return model { … }`.",
    example: EXAMPLE,
    call: make,
};

pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Model",
    doc: "A model that is ready to be written.",
    functions: &[],
    properties: &[],
};
