//! Definitions in LuaCATS notation, for editors with lua-language-server.

use std::fmt::Write as _;

use super::api::check::{Field, Type};
use super::api::group::{Function, Group, Kind};
use super::api::groups::GROUPS;
use super::overloads::{Overload, overloads};
use super::shapes::shapes;
use super::testing::methods::METHODS;

/// Generates the definitions (`galatea.meta.lua`).
pub fn luacats_definitions() -> String {
    let mut out = String::from(HEAD);
    for shape in shapes(GROUPS, METHODS.iter().flat_map(|method| method.params)).into_values() {
        let _ = write!(out, "\n---{}\n---@class {}\n", shape.doc, shape.name);
        for field in shape.all() {
            options_field(&mut out, field);
        }
        if let Some(entries) = shape.entries {
            let _ = writeln!(out, "---@field [integer] {}", of(entries));
        }
    }
    for group in GROUPS {
        let owner = match group.kind {
            Kind::Globals => String::new(),
            Kind::Module => {
                let _ = write!(out, "\n---{}\n{} = {{}}\n", line(group.doc), group.name);
                format!("{}.", group.name)
            }
            Kind::Object => {
                object(&mut out, group);
                format!("{}:", group.name)
            }
        };
        for f in group.functions {
            let overloads = overloads(group, f);
            function(&mut out, &owner, f, &overloads);
        }
    }
    out.push_str("\n---Registers a test.\n---@param name string\n---@param run fun(t: table)\nfunction test(name, run) end\n");
    out
}

/// Types and functions of Luau that Lua does not have.
const HEAD: &str = "---@meta
-- Written by `galatea stubs`. Definitions for lua-language-server.

---@class vector
---@field x number
---@field y number
---@field z number
---@operator add(vector): vector
---@operator sub(vector): vector
---@operator mul(vector|number): vector
---@operator div(vector|number): vector
---@operator unm: vector

---@class vectorlib
---@field zero vector
---@field one vector
---@field create fun(x: number, y: number, z?: number): vector
---@field magnitude fun(v: vector): number
---@field normalize fun(v: vector): vector
---@field cross fun(a: vector, b: vector): vector
---@field dot fun(a: vector, b: vector): number
---@field angle fun(a: vector, b: vector, axis?: vector): number
---@field lerp fun(a: vector, b: vector, t: number): vector
---@field floor fun(v: vector): vector
---@field ceil fun(v: vector): vector
---@field abs fun(v: vector): vector
---@field sign fun(v: vector): vector
---@field min fun(v: vector, ...: vector): vector
---@field max fun(v: vector, ...: vector): vector
---@field clamp fun(v: vector, least: vector, most: vector): vector
vector = {}

---@class MachineDefinition
---@class MachinePiece
---@class ClipDefinition
";

/// Writes the class of an object with its properties.
fn object(out: &mut String, group: &Group) {
    let name = group.name;
    let _ = write!(out, "\n---{}\n---@class {name}\n", line(group.doc));
    for property in group.properties {
        // A script assigns a definition to `machine` and reads a machine from it.
        let ty = if property.name == "machine" {
            "Machine|MachineDefinition".to_owned()
        } else {
            from_luau(property.ty)
        };
        let _ = writeln!(
            out,
            "---@field {} {ty} {}",
            property.name,
            line(property.doc)
        );
    }
    if name == "Character" {
        let _ = writeln!(out, "---@overload fun(options: table): Character");
    }
    let _ = writeln!(out, "local {name} = {{}}");
}

/// Writes a field of a table of options.
fn options_field(out: &mut String, field: &Field) {
    let mark = if field.is_required { "" } else { "?" };
    let default = match field.default {
        "" => String::new(),
        default => format!("; {default}"),
    };
    let (name, ty) = (field.name, of(&field.ty));
    let _ = writeln!(
        out,
        "---@field {name}{mark} {ty} {}{default}",
        field.meaning()
    );
}

fn function(out: &mut String, owner: &str, f: &Function, overloads: &[Overload]) {
    let _ = write!(out, "\n---{}\n", line(f.doc));
    for overload in overloads {
        let own = owner.trim_end_matches(':');
        let params = overload
            .params
            .iter()
            .map(|(name, ty)| match ty.strip_suffix('?') {
                Some(ty) => format!("{name}?: {}", from_luau(ty)),
                None => format!("{name}: {}", from_luau(ty)),
            });
        let params: Vec<String> = params.collect();
        let (params, result) = (params.join(", "), from_luau(&overload.returns));
        let _ = writeln!(out, "---@overload fun(self: {own}, {params}): {result}");
    }
    for param in f.params {
        let mark = if param.optional { "?" } else { "" };
        let _ = writeln!(out, "---@param {}{mark} {}", param.name, of(&param.ty));
    }
    if !f.returns.is_empty() {
        let several = f
            .returns
            .strip_prefix('(')
            .and_then(|r| r.strip_suffix(')'));
        let returns: Vec<String> = match several {
            Some(list) if !list.contains("->") => list.split(", ").map(from_luau).collect(),
            _ => vec![from_luau(f.returns)],
        };
        for ty in returns {
            let _ = writeln!(out, "---@return {ty}");
        }
    }
    let names: Vec<&str> = f.params.iter().map(|param| param.name).collect();
    let names = if f.name == "print" {
        "...".into()
    } else {
        names.join(", ")
    };
    let _ = writeln!(out, "function {owner}{}({names}) end", f.name);
}

/// Converts a text to a single line.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Type of a parameter.
fn of(ty: &Type) -> String {
    match ty {
        Type::Any => "any".into(),
        Type::Number => "number".into(),
        Type::Text => "string".into(),
        Type::Bool => "boolean".into(),
        Type::Vector => "vector".into(),
        Type::Buffer => "buffer".into(),
        Type::Object(name) => (*name).into(),
        Type::Function(text) | Type::Table(text) => from_luau(text),
        Type::Options(shape) => shape.name.into(),
        Type::List(element) => list(&of(element)),
        Type::Map(value) => format!("{{ [string]: {} }}", of(value)),
        Type::Word(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
            words.join("|")
        }
        Type::OneOf(types) => types.iter().map(of).collect::<Vec<_>>().join("|"),
    }
}

/// List type with the given element type.
fn list(element: &str) -> String {
    if element.contains('|') {
        format!("({element})[]")
    } else {
        format!("{element}[]")
    }
}

/// Converts a type from Luau's notation: lists `{ T }` become `T[]`, functions become `fun(…)`.
fn from_luau(ty: &str) -> String {
    let ty = ty.trim();
    if let Some(function) = function_from_luau(ty) {
        return function;
    }
    // LuaCATS has no intersections.
    if let Some(at) = top(ty, '&') {
        return from_luau(&ty[..at]);
    }
    let parts = split_at_top(ty, '|');
    if parts.len() > 1 {
        let parts: Vec<String> = parts.into_iter().map(from_luau).collect();
        return parts.join("|");
    }
    if let Some(present) = ty.strip_suffix('?') {
        return format!("{}?", from_luau(present));
    }
    if let Some(inner) = ty.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        return format!("({})", from_luau(inner));
    }
    let inner = ty.strip_prefix('{').and_then(|t| t.strip_suffix('}'));
    if let Some(inner) = inner.map(str::trim) {
        let is_list = !has_at_top(inner, ':');
        if is_list {
            return list(&from_luau(inner));
        }
        let fields: Vec<String> = split_at_top(inner, ',')
            .iter()
            .map(|f| field_from_luau(f))
            .collect();
        return format!("{{ {} }}", fields.join(", "));
    }
    ty.to_owned()
}

/// Converts `(a: A, B) -> R` to `fun(a: A, b: B): R`; `None` for a type that is not a function.
fn function_from_luau(ty: &str) -> Option<String> {
    let close = top(ty, ')').filter(|_| ty.starts_with('('))?;
    let result = ty[close + 1..].strip_prefix(" -> ")?;
    let named = |(i, parameter): (usize, &&str)| match *parameter {
        "...any" => "...".to_owned(),
        parameter if has_at_top(parameter, ':') => field_from_luau(parameter),
        parameter => format!("p{}: {}", i + 1, from_luau(parameter)),
    };
    let parameters = split_at_top(&ty[1..close], ',');
    let parameters: Vec<String> = parameters
        .iter()
        .filter(|parameter| !parameter.is_empty())
        .enumerate()
        .map(named)
        .collect();
    let result = match result {
        "()" => String::new(),
        "...any" => ": any".into(),
        result => format!(": {}", from_luau(result)),
    };
    Some(format!("fun({}){result}", parameters.join(", ")))
}

fn field_from_luau(field: &str) -> String {
    let at = top(field, ':').unwrap_or(field.len());
    let (name, ty) = (&field[..at], field.get(at + 1..).unwrap_or_default());
    format!("{name}: {}", from_luau(ty))
}

fn has_at_top(text: &str, wanted: char) -> bool {
    top(text, wanted).is_some()
}

/// Position of a character outside of all brackets, braces and parentheses.
fn top(text: &str, wanted: char) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(i, c)| {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            _ => {}
        }
        (c == wanted && depth == 0).then_some(i)
    })
}

fn split_at_top(text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = top(rest, separator) {
        parts.push(rest[..at].trim());
        rest = &rest[at + 1..];
    }
    parts.push(rest.trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::from_luau;

    #[test]
    fn types_are_written_in_the_other_notation() {
        for (luau, luacats) in [
            ("string?", "string?"),
            ("number | boolean", "number|boolean"),
            ("{ string }", "string[]"),
            ("{ number | vector }", "(number|vector)[]"),
            (
                "{ [string]: (a: Task, b: number) -> () }",
                "{ [string]: fun(a: Task, b: number) }",
            ),
            (
                "{ [string]: number | boolean }",
                "{ [string]: number|boolean }",
            ),
            (
                "{ { time: number, name: string?, [string]: any } }",
                "{ time: number, name: string?, [string]: any }[]",
            ),
            (
                "{ a: { number }, now: { [string]: number } }",
                "{ a: number[], now: { [string]: number } }",
            ),
            (
                "(step: StepEvent, number) -> ()",
                "fun(step: StepEvent, p2: number)",
            ),
            ("{ number }?", "number[]?"),
            ("HairOptions & { guides: { { vector } } }", "HairOptions"),
            (
                "{ number | string | ((task: Task) -> ...any) }",
                "(number|string|(fun(task: Task): any))[]",
            ),
            (
                "{ [number]: vector | { forward: () -> vector }, by: (string | { string })? }",
                "{ [number]: vector|{ forward: fun(): vector }, by: (string|string[])? }",
            ),
            ("(...any) -> ...any", "fun(...): any"),
            (
                "({ [any]: any }) -> MachinePiece",
                "fun(p1: { [any]: any }): MachinePiece",
            ),
        ] {
            assert_eq!(from_luau(luau), luacats);
        }
    }
}
