//! Options tables of the API functions, by name.

use std::collections::BTreeMap;

use super::api::check::{Param, Shape, Type};
use super::api::group::Group;
use super::api::groups::NAMED;
use super::overloads::named_events;

/// All shapes used by the functions and properties of `groups`, by the parameters `more`, and those in [`NAMED`],
/// sorted by name.
pub(crate) fn shapes(
    groups: &[&'static Group],
    more: impl IntoIterator<Item = &'static Param>,
) -> BTreeMap<&'static str, &'static Shape> {
    let mut all = BTreeMap::new();
    for group in groups {
        let params = group.functions.iter().flat_map(|function| function.params);
        params.for_each(|param| collect(&param.ty, &mut all));
        let set = group.properties.iter().filter_map(|p| p.set.as_ref());
        set.for_each(|(ty, _)| collect(ty, &mut all));
    }
    for param in more {
        collect(&param.ty, &mut all);
    }
    for shape in NAMED.iter().copied().flatten() {
        collect_shape(shape, &mut all);
    }
    all.extend(named_events().map(|(_, shape)| (shape.name, shape)));
    all
}

fn collect_shape(shape: &'static Shape, all: &mut BTreeMap<&'static str, &'static Shape>) {
    if let Some(known) = all.insert(shape.name, shape) {
        let names = |shape: &'static Shape| shape.all().into_iter().map(|field| field.name);
        debug_assert!(names(known).eq(names(shape)), "two shapes {:?}", shape.name);
    } else {
        let fields = shape.all().into_iter().map(|field| &field.ty);
        for ty in fields.chain(shape.entries) {
            collect(ty, all);
        }
    }
}

fn collect(ty: &'static Type, all: &mut BTreeMap<&'static str, &'static Shape>) {
    match ty {
        Type::Options(shape) => collect_shape(shape, all),
        Type::OneOf(types) => types.iter().for_each(|ty| collect(ty, all)),
        Type::List(of) | Type::Map(of) => collect(of, all),
        _ => {}
    }
}
