//! `hero:helper_bone`: helper bones, with the field names that files use.

use mlua::{Lua, Table, Value};
use serde_json::{Map, Value as Json};

use super::character_ref::find;
use super::check::{Args, Param, Type, describe};
use super::group::Function;
use crate::budget::charge;
use crate::world::with_world;
use galatea_asset::helper::read_fields;
use galatea_character::{
    Character, HELPERS, HelperBonesModifier, MAX_HELPERS, Modifier, ModifierKind, ModifierWeight,
};
use galatea_rig::helper::HelperSpec;

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Maximum depth of nested tables.
const DEEPEST: usize = 4;

fn json(value: &Value, depth: usize) -> mlua::Result<Json> {
    let number = |n: f64| serde_json::Number::from_f64(n).map(Json::Number);
    let odd = || {
        wrong(format!(
            "helper_bone: a field cannot be {}",
            describe(value)
        ))
    };
    match value {
        Value::Boolean(b) => Ok(Json::Bool(*b)),
        Value::Integer(n) => Ok(Json::Number((*n).into())),
        Value::Number(n) => number(*n).ok_or_else(odd),
        Value::String(text) => Ok(Json::String(text.to_string_lossy())),
        Value::Vector(v) => [v.x(), v.y(), v.z()]
            .into_iter()
            .map(|n| number(f64::from(n)).ok_or_else(odd))
            .collect(),
        Value::Table(table) if depth < DEEPEST && table.raw_len() > 0 => table
            .sequence_values::<Value>()
            .map(|entry| json(&entry?, depth + 1))
            .collect(),
        _ => Err(odd()),
    }
}

fn fields_of(table: &Table) -> mlua::Result<Map<String, Json>> {
    let mut fields = Map::new();
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair?;
        let Value::String(name) = &key else {
            return Err(wrong(format!(
                "helper_bone: unexpected entry {}",
                describe(&key)
            )));
        };
        fields.insert(name.to_string_lossy(), json(&value, 0)?);
    }
    Ok(fields)
}

/// Replaces humanoid bone names (`left_hand`) by the names of the character's own bones.
fn name_bones(spec: &mut HelperSpec, character: &Character) {
    let definition = &character.definition;
    let bones = definition.model.skeleton.bones();
    let HelperSpec {
        bones: own,
        source: of,
        from,
        hold,
        ..
    } = spec;
    for name in own.iter_mut().chain(of).chain(from).chain(hold) {
        if let Some(bone) = definition.bone(name) {
            name.clone_from(&bones[usize::from(bone)].name);
        }
    }
}

fn helper_bone(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let Some(table) = args.table(1) else {
        return Err(wrong("helper_bone: expected a table"));
    };
    let fields = fields_of(&table)?;
    let mut odd = Vec::new();
    let spec = read_fields(&fields, &mut |why| odd.push(why));
    if let Some(why) = odd.first() {
        return Err(wrong(format!("helper_bone: {why}")));
    }
    let mut spec = spec.map_err(|why| wrong(format!("helper_bone: {why}")))?;
    // Adding a helper sorts all helpers again.
    charge(lua, 4096)?;
    let id = with_world(lua, |world| {
        let id = world.stage.ids.new_id();
        let character = find(&mut world.stage, handle)?;
        name_bones(&mut spec, character);
        let definition = character.definition.clone();
        let stack = character.modifiers.modifier_stack_mut();
        let mut own = match stack.named(HELPERS).map(|known| &known.kind) {
            Some(ModifierKind::HelperBones(known)) => known.own.clone(),
            _ => Vec::new(),
        };
        if own.len() >= MAX_HELPERS {
            let most = format!(
                "helper_bone: scripts can add at most {MAX_HELPERS} helper bones to a character"
            );
            return Err(wrong(most));
        }
        own.push(spec);
        let helping = HelperBonesModifier::new(&definition, own);
        let helping = helping.map_err(|why| wrong(format!("helper_bone: {why}")))?;
        let kind = ModifierKind::HelperBones(Box::new(helping));
        if let Some(known) = stack.named(HELPERS) {
            known.kind = kind;
            return Ok(known.id);
        }
        stack.add(Modifier {
            id,
            name: HELPERS.into(),
            weight: ModifierWeight::new(1.0),
            kind,
            inactive_reason: None,
            is_released: false,
            is_reordered: false,
        });
        Ok(id)
    })?;
    super::modifier_list::hold(lua, handle, id)
}

/// Fields of every kind of helper; the reader of file extras checks them.
const FIELDS: Type = Type::Table(
    "{ kind: string, bone: (string | { string })?, source: string?, from: string?, hold: string?, morph: string?, weight: (number | { number })?, axis: (vector | { number })?, direction: (vector | { number })?, middle: number?, measure: string?, output: string?, curve: { { number } }?, smooth: boolean?, amount: number?, full_angle: number?, radius: number?, example: (vector | { number })?, min: (vector | { number })?, max: (vector | { number })? }",
);

/// `hero:helper_bone { … }`.
pub(super) const HELPER_BONE: Function = Function {
    name: "helper_bone",
    params: &[Param {
        name: "fields",
        ty: FIELDS,
        optional: false,
    }],
    returns: "Modifier",
    doc: "Adds a helper bone: a bone that follows other bones to keep the skin in shape, and that no clip moves. `kind` is \
          \"twist\", \"fan\", \"push\", \"driver\", \"roll\", \"aim\", \"rotation\", \"copy\", \"parent\" or \"limit\". \
          `bone` is the helper, `source` the bone that it follows. [Helper bones](helpers.md) lists the fields of each kind, \
          which are the same in a model file. All helpers of a character are one modifier, \"helper_bones\".",
    example: "hero:helper_bone { kind = \"driver\", source = \"left_lower_arm\", measure = \"swing\", output = \"morph\", morph = \"smile\", curve = { { 20, 0 }, { 90, 1 } } }",
    call: helper_bone,
};
