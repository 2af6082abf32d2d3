//! Lua code that calls API functions with hostile values of the right types, generated from the registration tables.

use std::fmt::Write as _;

use galatea::script::toolkit::{Field, Function, Group, Kind, Type};

use crate::mutate::with_hostile_numbers;
use crate::random::FuzzRng;

/// Helper functions and values of every script: `K` stores results, `O` returns a stored one of a type.
pub const TOOLS: &str = "local KEPT = {}
local function K(...)
    for i = 1, select('#', ...) do
        local v = select(i, ...)
        local name = typeof(v)
        local list = KEPT[name] or {}
        KEPT[name] = list
        list[#list % 6 + 1] = v
    end
end
local function O(name, i)
    local list = KEPT[name]
    return list and list[i % #list + 1]
end
local SELF = {} SELF[1] = SELF SELF.name = SELF SELF.at = SELF
local DEEP = {} for i = 1, 3000 do DEEP = { DEEP, DEEP } end
local LONG = string.rep('x', 100000)
local NAN, INF = 0/0, math.huge
local ODD = setmetatable({}, { __index = function() return 1 end, __len = function() return 9 end, __tostring = function() return NAN end })
";

const NUMBERS: [&str; 20] = [
    "NAN", "INF", "-INF", "1e308", "-1e308", "1e38", "-1e38", "1e20", "2^53", "1e6", "-1", "0",
    "-0.0", "1e-45", "1e-30", "0.5", "1", "2", "3", "1000",
];

const TEXTS: [&str; 20] = [
    "''",
    "'x'",
    "LONG",
    "'\\0'",
    "'\\xff\\xfe'",
    "'../../x'",
    "'%s%n'",
    "'é🙂'",
    "'post.glb'",
    "'walk'",
    "'idle'",
    "'upper'",
    "'root'",
    "'smile'",
    "'hips'",
    "'skin'",
    "'*'",
    "'x > NAN'",
    "'step_grass'",
    "'tests/logo.png'",
];

const FUNCTIONS: [&str; 8] = [
    "function() end",
    "function(...) return ... end",
    "function() error('x') end",
    "function() return NAN end",
    "function() return SELF end",
    "function() return LONG end",
    "function() return vector.create(NAN, INF, 1) end",
    "function(...) K(...) return true end",
];

const TABLES: [&str; 14] = [
    "{}",
    "SELF",
    "DEEP",
    "ODD",
    "{ 1, 2, 3 }",
    "{ 0, 1, NAN }",
    "{ { 0, 0 }, { 1, 1 } }",
    "{ { 0, 0 }, { NAN, 1 }, { 2, 1 } }",
    "{ { SELF } }",
    "{ [NAN or 1] = 1, [1e15] = 2, [-1] = 3 }",
    "{ vector.zero, vector.one }",
    "{ vector.create(NAN, 0, 0), vector.create(1e38, 0, 0) }",
    "{ { vector.zero, vector.one }, { vector.one, vector.zero } }",
    "table.create(2000, 1)",
];

const ANY: [&str; 12] = [
    "nil",
    "true",
    "false",
    "NAN",
    "''",
    "{}",
    "SELF",
    "DEEP",
    "vector.create(NAN, INF, -INF)",
    "buffer.create(9)",
    "print",
    "coroutine.create(print)",
];

fn vector(rng: &mut FuzzRng) -> String {
    if rng.one_in(3) {
        return "vector.create(0.1, 0.2, 0.3)".into();
    }
    let [x, y, z] = [0; 3].map(|_| *rng.pick(&NUMBERS));
    format!("vector.create({x}, {y}, {z})")
}

/// An expression for a value of a type, sometimes of another type.
pub fn value(rng: &mut FuzzRng, ty: &Type, depth: u32) -> String {
    if rng.one_in(12) {
        return (*rng.pick(&ANY)).into();
    }
    match ty {
        Type::Any => {
            let pools: [&[&str]; 5] = [&NUMBERS, &TEXTS, &FUNCTIONS, &TABLES, &ANY];
            let pool = *rng.pick(&pools);
            (*rng.pick(pool)).into()
        }
        Type::Number => (*rng.pick(&NUMBERS)).into(),
        Type::Text => (*rng.pick(&TEXTS)).into(),
        Type::Bool => (*rng.pick(&["true", "false"])).into(),
        Type::Vector => vector(rng),
        Type::Function(_) => (*rng.pick(&FUNCTIONS)).into(),
        Type::Buffer => format!("buffer.create({})", rng.pick(&["0", "1", "64", "100000"])),
        Type::Object(name) => format!("O({name:?}, {})", rng.below(6)),
        Type::Word(words) => format!("{:?}", rng.pick(words)),
        Type::OneOf(types) => {
            let ty = rng.pick(types);
            value(rng, ty, depth)
        }
        Type::Table(_) => (*rng.pick(&TABLES)).into(),
        _ if depth > 3 => "{}".into(),
        Type::Options(shape) => {
            let share = 1 + rng.below(4);
            let fields: Vec<&Field> = shape.all();
            let mut out = String::from("{ ");
            for field in fields {
                if field.is_required || rng.one_in(1 + share * 2) {
                    let own = value(rng, &field.ty, depth + 1);
                    let _ = write!(out, "[{:?}] = {own}, ", field.name);
                }
            }
            if let Some(of) = shape.entries {
                for _ in 0..rng.below(4) {
                    let own = value(rng, of, depth + 1);
                    let _ = write!(out, "{own}, ");
                }
            }
            if rng.one_in(20) {
                out.push_str("nonsense = 1 ");
            }
            out + "}"
        }
        Type::List(of) => {
            let own: Vec<String> = (0..rng.below(4))
                .map(|_| value(rng, of, depth + 1))
                .collect();
            format!("{{ {} }}", own.join(", "))
        }
        Type::Map(of) => {
            let mut out = String::from("{ ");
            for _ in 0..rng.below(4) {
                let (name, own) = (*rng.pick(&TEXTS), value(rng, of, depth + 1));
                let _ = write!(out, "[{name}] = {own}, ");
            }
            out + "}"
        }
    }
}

/// A call of a function, or an assignment to a property; its results are stored.
fn call(rng: &mut FuzzRng, group: &Group) -> String {
    if rng.one_in(4) && !group.properties.is_empty() {
        let property = rng.pick(group.properties);
        let object = format!("O({:?}, {})", group.name, rng.below(6));
        return match &property.set {
            Some((ty, _)) if rng.one_in(2) => {
                let own = value(rng, ty, 0);
                format!("local o = {object} o.{} = {own}", property.name)
            }
            _ => format!("K({object}.{})", property.name),
        };
    }
    if group.functions.is_empty() {
        return String::new();
    }
    let function: &Function = rng.pick(group.functions);
    if rng.one_in(3) {
        return mutated_example(rng, function);
    }
    let mut given: Vec<String> = Vec::new();
    for param in function.params {
        if param.optional && rng.one_in(3) {
            break;
        }
        given.push(value(rng, &param.ty, 0));
    }
    if rng.one_in(20) {
        given.push("SELF".into());
    }
    let given = given.join(", ");
    match group.kind {
        Kind::Globals => format!("K({}({given}))", function.name),
        Kind::Module => format!("K({}.{}({given}))", group.name, function.name),
        Kind::Object => format!(
            "K(O({:?}, {}):{}({given}))",
            group.name,
            rng.below(6),
            function.name
        ),
    }
}

/// The example of a function with other numbers.
fn mutated_example(rng: &mut FuzzRng, function: &Function) -> String {
    with_hostile_numbers(rng, &kept_example(function), &NUMBERS)
}

/// The example of a function; its results are stored.
fn kept_example(function: &Function) -> String {
    let mut out = function.example.replace("return model", "return K(model");
    if out.len() > function.example.len() {
        out.push(')');
    }
    for line in function.example.lines() {
        let local = line
            .strip_prefix("local ")
            .and_then(|rest| rest.split_once(" ="));
        for name in local.iter().flat_map(|(names, _)| names.split(", ")) {
            if name.chars().all(|c| c.is_alphanumeric() || c == '_') {
                let _ = write!(out, "\nK({name})");
            }
        }
    }
    out
}

/// Runs the examples of some functions, so that objects of many types exist.
pub fn examples(rng: &mut FuzzRng, groups: &[&'static Group], one_in: usize) -> String {
    let mut out = String::new();
    let all = groups.iter().flat_map(|group| group.functions);
    for function in all.filter(|_| rng.one_in(one_in)) {
        let _ = writeln!(out, "pcall(function() {} end)", kept_example(function));
    }
    out
}

/// Some calls, each of which may fail.
pub fn calls(rng: &mut FuzzRng, groups: &[&'static Group], n: usize) -> String {
    let mut out = String::new();
    for _ in 0..n {
        let group = *rng.pick(groups);
        let call = call(rng, group);
        let _ = writeln!(out, "pcall(function() {call} end)");
    }
    out
}
