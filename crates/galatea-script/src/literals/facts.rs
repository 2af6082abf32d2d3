//! Meaning, limits and words of a value in a script, from the declarations of the API.

use super::ScriptValue;
use crate::api::check::{Field, Shape, Type};
use crate::api::group::{Group, Kind};
use crate::api::groups::GROUPS;

/// Meaning, limits and words of a value in a script.
#[derive(Clone, Debug, PartialEq)]
pub struct LiteralFacts {
    /// Description, with unit and limits.
    pub meaning: String,
    /// Minimum and maximum of a number; infinite if there is none.
    pub limits: [f64; 2],
    /// Words that are allowed; empty if any text is.
    pub words: Vec<&'static str>,
}

/// Looks up the field of options that a value is given for. Methods are found by their name, because the type of their
/// object is unknown; if several have such a field, the first counts.
pub fn facts_of(value: &ScriptValue) -> Option<LiteralFacts> {
    let (first, rest) = value.fields.split_first()?;
    let (owner, name) = match value.call.rsplit_once(['.', ':']) {
        Some((owner, name)) => (owner, name),
        None => ("", value.call.as_str()),
    };
    let is_module = GROUPS
        .iter()
        .any(|group| group.kind == Kind::Module && group.name == owner);
    let fits = |group: &&&Group| match group.kind {
        Kind::Globals => owner.is_empty(),
        Kind::Module => group.name == owner,
        Kind::Object => !owner.is_empty() && !is_module,
    };
    let functions = GROUPS.iter().filter(fits).flat_map(|group| group.functions);
    let params = functions
        .filter(|function| function.name == name)
        .flat_map(|function| function.params);
    let mut fields = params.filter_map(|param| shape_of(&param.ty)?.field(first));
    let field = fields.find_map(|field| {
        rest.iter()
            .try_fold(field, |field, name| shape_of(&field.ty)?.field(name))
    })?;
    Some(LiteralFacts {
        meaning: field.meaning(),
        limits: limits_of(field),
        words: words_of(&field.ty),
    })
}

fn limits_of(field: &Field) -> [f64; 2] {
    let limits = field.limits.as_ref();
    limits.map_or([f64::NEG_INFINITY, f64::INFINITY], |limits| {
        [limits.min, limits.max]
    })
}

fn shape_of(ty: &'static Type) -> Option<&'static Shape> {
    match ty {
        Type::Options(shape) => Some(shape),
        Type::List(of) => shape_of(of),
        Type::OneOf(types) => types.iter().find_map(shape_of),
        _ => None,
    }
}

/// Words of a type that allows no other texts.
fn words_of(ty: &'static Type) -> Vec<&'static str> {
    match ty {
        Type::Word(words) => words.to_vec(),
        Type::OneOf(types) if types.iter().any(|ty| matches!(ty, Type::Text)) => Vec::new(),
        Type::OneOf(types) => types.iter().flat_map(words_of).collect(),
        _ => Vec::new(),
    }
}
