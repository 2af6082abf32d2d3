//! Expressions of VRM files: `VRMC_vrm.expressions` of VRM 1.0, `VRM.blendShapeMaster` of VRM 0.x.
//!
//! Caller: the parent module. Invariant: everything skipped is reported in a warning.

use gltf::json::{Node, Root};
use serde_json::{Map, Value};

use super::error::Warnings;
use super::nodes::Tree;
use crate::fields::{JsonField, numbers};
use galatea_rig::expression::{Expression, MaterialBind, MaterialPart, Override};
use galatea_rig::look_at::LookBind;

/// Limit of expressions per file, and of targets or materials per expression.
const MAX_EXPRESSIONS: usize = 256;

/// Preset names of VRM 0.x with their names in VRM 1.0.
const PRESETS_0: [(&str, &str); 17] = [
    ("neutral", "neutral"),
    ("a", "aa"),
    ("i", "ih"),
    ("u", "ou"),
    ("e", "ee"),
    ("o", "oh"),
    ("blink", "blink"),
    ("blink_l", "blinkLeft"),
    ("blink_r", "blinkRight"),
    ("joy", "happy"),
    ("angry", "angry"),
    ("sorrow", "sad"),
    ("fun", "relaxed"),
    ("lookup", "lookUp"),
    ("lookdown", "lookDown"),
    ("lookleft", "lookLeft"),
    ("lookright", "lookRight"),
];

/// Expressions of a file in its order, with unique names.
pub fn read(document: &Root, tree: &Tree, warnings: &Warnings) -> Vec<Expression> {
    let Some(root) = &document.extensions else {
        return Vec::new();
    };
    let mut all = match (root.others.get("VRMC_vrm"), root.others.get("VRM")) {
        (Some(extension), _) => of_1(extension, document, tree, warnings),
        (None, Some(extension)) => of_0(extension, document, tree, warnings),
        (None, None) => Vec::new(),
    };
    let mut known: Vec<String> = Vec::new();
    all.retain(|expression| {
        let is_new = !known.contains(&expression.name);
        if is_new {
            known.push(expression.name.clone());
        } else {
            let name = &expression.name;
            warnings.add(format!(
                "expression {name:?}: the name exists twice; the second expression is left out"
            ));
        }
        is_new
    });
    if all.len() > MAX_EXPRESSIONS {
        warnings.add(format!(
            "the file has {} expressions; only the first {MAX_EXPRESSIONS} are read",
            all.len()
        ));
        all.truncate(MAX_EXPRESSIONS);
    }
    all
}

fn of_1(extension: &Value, document: &Root, tree: &Tree, warnings: &Warnings) -> Vec<Expression> {
    let mut all = Vec::new();
    for group in ["preset", "custom"] {
        let found = extension.pointer(&format!("/expressions/{group}"));
        for (name, value) in found.and_then(Value::as_object).into_iter().flatten() {
            let Some(fields) = value.as_object() else {
                warnings.add(format!(
                    "expression {name:?}: expected an object, got {value}; left out"
                ));
                continue;
            };
            all.push(expression_1(name, fields, document, tree, warnings));
        }
    }
    all
}

fn expression_1(
    name: &str,
    fields: &Map<String, Value>,
    document: &Root,
    tree: &Tree,
    warnings: &Warnings,
) -> Expression {
    let warn = |text: String| warnings.add(format!("expression {name:?}: {text}"));
    let bind = |fields: &Map<String, Value>| {
        Some(LookBind {
            bone: tree.bone(index(fields, "node")?)?,
            target: index(fields, "index")?,
            weight: weight(fields, 1.0)?,
        })
    };
    let binds = objects(fields.get("morphTargetBinds"));
    let morphs: Vec<LookBind> = binds.filter_map(bind).collect();
    let colors = objects(fields.get("materialColorBinds"))
        .filter_map(|fields| color_bind(fields, document, &warn));
    let uvs = objects(fields.get("textureTransformBinds"))
        .filter_map(|fields| uv_bind(fields, document, &warn));
    let materials = colors.chain(uvs).collect();
    let rule = |field: &str| {
        const RULES: [(&str, Override); 3] = [
            ("none", Override::None),
            ("block", Override::Block),
            ("blend", Override::Blend),
        ];
        let Some(value) = fields.get(field) else {
            return Override::None;
        };
        JsonField { name: field, value }
            .word(&RULES)
            .unwrap_or_else(|cause| {
                warn(format!("{cause}; the override is ignored"));
                Override::None
            })
    };
    Expression {
        name: name.to_owned(),
        morphs,
        materials,
        is_binary: fields
            .get("isBinary")
            .and_then(Value::as_bool)
            .unwrap_or(false),
        overrides: ["overrideMouth", "overrideBlink", "overrideLookAt"].map(rule),
    }
}

fn color_bind(
    fields: &Map<String, Value>,
    document: &Root,
    warn: &dyn Fn(String),
) -> Option<MaterialBind> {
    let kind = fields.get("type").and_then(Value::as_str);
    let part = match kind.unwrap_or_default() {
        "color" => MaterialPart::Color,
        "emissionColor" => MaterialPart::Emission,
        other => {
            warn(format!(
                "the material property {other:?} is not supported; left out"
            ));
            return None;
        }
    };
    let target = fields.get("targetValue").and_then(numbers::<4>);
    let (Some(material), Some(target)) = (material(fields, document), target) else {
        warn("a material color needs a material and four numbers; left out".into());
        return None;
    };
    Some(MaterialBind {
        material,
        part,
        target,
    })
}

fn uv_bind(
    fields: &Map<String, Value>,
    document: &Root,
    warn: &dyn Fn(String),
) -> Option<MaterialBind> {
    let two = |name: &str, usual: [f32; 2]| match fields.get(name) {
        None => Some(usual),
        Some(value) => numbers::<2>(value),
    };
    let parts = (
        two("scale", [1.0; 2]),
        two("offset", [0.0; 2]),
        material(fields, document),
    );
    let (Some([sx, sy]), Some([x, y]), Some(material)) = parts else {
        warn("a texture transform needs a material and two numbers each for scale and offset; left out".into());
        return None;
    };
    Some(MaterialBind {
        material,
        part: MaterialPart::Uv,
        target: [sx, sy, x, y],
    })
}

fn of_0(extension: &Value, document: &Root, tree: &Tree, warnings: &Warnings) -> Vec<Expression> {
    let groups = extension.pointer("/blendShapeMaster/blendShapeGroups");
    let one = |fields: &Map<String, Value>| {
        let word = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default();
        let preset = word("presetName").to_lowercase();
        let known = PRESETS_0.iter().find(|(old, _)| *old == preset);
        let name = known.map_or_else(|| word("name"), |(_, new)| new);
        let binds = objects(fields.get("binds"));
        let mut materials = Vec::new();
        for value in objects(fields.get("materialValues")) {
            if let Some(bind) = material_0(value, document) {
                materials.push(bind);
            } else {
                let property = value.get("propertyName").and_then(Value::as_str);
                let property = property.unwrap_or("?");
                warnings.add(format!(
                    "expression {name:?}: the material property {property:?} is not supported; left out"
                ));
            }
        }
        Expression {
            name: name.to_owned(),
            morphs: binds
                .filter_map(|bind| bind_0(bind, &document.nodes, tree))
                .flatten()
                .collect(),
            materials,
            is_binary: fields
                .get("isBinary")
                .and_then(Value::as_bool)
                .unwrap_or(false),
            overrides: [Override::None; 3],
        }
    };
    objects(groups)
        .map(one)
        .filter(|expression| !expression.name.is_empty())
        .collect()
}

/// Morph target binds by mesh index, for every node with that mesh; the weights are percentages.
fn bind_0(fields: &Map<String, Value>, nodes: &[Node], tree: &Tree) -> Option<Vec<LookBind>> {
    let mesh = index(fields, "mesh")?;
    let (target, weight) = (index(fields, "index")?, weight(fields, 100.0)?);
    let with_mesh = nodes.iter().enumerate().filter(|(_, node)| {
        let own = node.mesh.map(|own| own.value());
        own == Some(mesh)
    });
    let bones = with_mesh
        .filter_map(|(node, _)| tree.bone(node))
        .take(MAX_EXPRESSIONS);
    let binds = bones.map(|bone| LookBind {
        bone,
        target,
        weight,
    });
    Some(binds.collect())
}

fn material_0(fields: &Map<String, Value>, document: &Root) -> Option<MaterialBind> {
    let name = fields.get("materialName")?.as_str()?;
    let mut all = document.materials.iter();
    let material = all.position(|material| material.name.as_deref() == Some(name))?;
    let target = numbers::<4>(fields.get("targetValue")?)?;
    let (part, target) = match fields.get("propertyName")?.as_str()? {
        "_Color" => (MaterialPart::Color, target),
        "_EmissionColor" => (MaterialPart::Emission, target),
        // Unity's v axis starts at the bottom.
        "_MainTex_ST" => {
            let [sx, sy, x, y] = target;
            (MaterialPart::Uv, [sx, sy, x, 1.0 - sy - y])
        }
        _ => return None,
    };
    Some(MaterialBind {
        material: u16::try_from(material).ok()?,
        part,
        target,
    })
}

fn material(fields: &Map<String, Value>, document: &Root) -> Option<u16> {
    let material = index(fields, "material")?;
    (material < document.materials.len()).then(|| u16::try_from(material).ok())?
}

fn objects(list: Option<&Value>) -> impl Iterator<Item = &Map<String, Value>> {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_object).take(MAX_EXPRESSIONS)
}

fn index(fields: &Map<String, Value>, name: &str) -> Option<usize> {
    usize::try_from(fields.get(name)?.as_u64()?).ok()
}

/// Weight of a bind, normalised by `full`, the format's value for full weight.
fn weight(fields: &Map<String, Value>, full: f32) -> Option<f32> {
    let given = fields.get("weight").and_then(Value::as_f64);
    let weight = given.map_or(1.0, |weight| weight as f32 / full);
    Some(weight).filter(|weight| weight.abs() <= 10.0)
}
