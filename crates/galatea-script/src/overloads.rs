//! Functions with types that depend on the name of an event, for the editor definitions.

use super::api::check::{Shape, Type};
use super::api::event_types::{ANY_EVENT, EVENTS, MARKER_EVENT};
use super::api::group::{Function, Group};

/// One of the types of an overloaded function.
pub(crate) struct Overload {
    /// Names and types of the parameters, in Luau notation. A type that ends in `?` marks an optional parameter.
    pub params: Vec<(&'static str, String)>,
    /// Result type, in Luau notation.
    pub returns: String,
}

/// Shapes of events with their type names.
pub(crate) fn named_events() -> impl Iterator<Item = (String, &'static Shape)> {
    let own = EVENTS.iter().map(|event| {
        let names = event.names.iter().map(|name| format!("{name:?}"));
        (names.collect::<Vec<_>>().join(" | "), event.shape)
    });
    own.chain([("\"*\"".into(), ANY_EVENT), ("string".into(), MARKER_EVENT)])
}

/// Types of an overloaded function; empty for a function with one type.
pub(crate) fn overloads(group: &Group, function: &Function) -> Vec<Overload> {
    match (group.name, function.name) {
        ("Character", "on" | "once") => on(function),
        ("Task", "wait") => wait(function),
        _ => Vec::new(),
    }
}

/// Type of the options table in a function's parameters.
fn options_of(function: &Function) -> Option<&'static str> {
    let mut types = function.params.iter().flat_map(|param| match &param.ty {
        Type::OneOf(types) => types.iter().collect(),
        ty => vec![ty],
    });
    types.find_map(|ty| match ty {
        Type::Options(shape) => Some(shape.name),
        _ => None,
    })
}

fn on(function: &Function) -> Vec<Overload> {
    let mut all = Vec::new();
    for (names, shape) in named_events() {
        let listener = format!("(event: {}) -> ()", shape.name);
        let event = ("event", names);
        all.push(Overload {
            params: vec![event.clone(), ("listener", listener.clone())],
            returns: function.returns.into(),
        });
        if let Some(options) = options_of(function) {
            all.push(Overload {
                params: vec![event, ("options", options.into()), ("listener", listener)],
                returns: function.returns.into(),
            });
        }
    }
    all
}

fn wait(function: &Function) -> Vec<Overload> {
    let options = options_of(function).map(|options| ("options", format!("{options}?")));
    let objects = (
        "Play | Sound | Line | Conversation | Task".to_owned(),
        "string",
    );
    let events = named_events().filter(|(_, shape)| shape.name != ANY_EVENT.name);
    let events = events.map(|(names, shape)| (names, shape.name));
    let seconds = Overload {
        params: vec![("seconds", "number".into())],
        returns: "nil".into(),
    };
    let others = std::iter::once(objects)
        .chain(events)
        .map(|(thing, result)| Overload {
            params: std::iter::once(("thing", thing))
                .chain(options.clone())
                .collect(),
            returns: format!("{result}?"),
        });
    std::iter::once(seconds).chain(others).collect()
}
