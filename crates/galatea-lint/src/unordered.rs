//! Loops over tables with objects, tables or functions as keys: their order differs from run to run.
//!
//! A table is found by its name or path, such as `self.targets`. Its keys are known if the script assigns `targets[key] = …`
//! where `key` always is such a value.

use std::collections::HashMap;

use full_moon::ast::{
    Assignment, Ast, Call, Expression, FunctionArgs, FunctionCall, GenericFor, Index,
    LocalAssignment, LocalFunction, Prefix, Suffix, Var, VarExpression,
};
use full_moon::node::Node;
use full_moon::visitors::Visitor;

use galatea_script::toolkit::{Group, Kind};

/// A loop with a different order in each run.
pub(super) struct UnorderedLoop {
    /// Byte offset of the table in the script.
    pub at: usize,
    pub text: String,
}

/// Finds unordered loops. `groups` is the API.
pub(super) fn unordered_loops(ast: &Ast, groups: &[&'static Group]) -> Vec<UnorderedLoop> {
    let mut names = NameKinds {
        groups,
        kinds: HashMap::new(),
    };
    names.visit_ast(ast);
    let mut tables = Tables {
        names: &names,
        keys: HashMap::new(),
        loops: Vec::new(),
    };
    tables.visit_ast(ast);
    let Tables { keys, loops, .. } = tables;
    let unordered = loops.into_iter().filter_map(|each| {
        let key = keys.get(&each.table)?;
        Some(UnorderedLoop {
            at: each.at,
            text: format!(
                "the keys of {:?} are {key}, whose order in a loop differs from run to run; loop over a list, or use names as keys",
                each.table
            ),
        })
    });
    unordered.collect()
}

/// Kinds of the values of names; `None` for a name with values of several kinds.
struct NameKinds<'a> {
    groups: &'a [&'static Group],
    kinds: HashMap<String, Option<&'static str>>,
}

impl NameKinds<'_> {
    fn assign(&mut self, name: String, value: Option<&Expression>) {
        let kind = value.and_then(|value| self.kind(value));
        let known = self.kinds.entry(name).or_insert(kind);
        if *known != kind {
            *known = None;
        }
    }

    /// Kind of a value that Luau orders by its address, as a plural noun.
    fn kind(&self, value: &Expression) -> Option<&'static str> {
        match value {
            Expression::TableConstructor(_) => Some("tables"),
            Expression::Function(_) => Some("functions"),
            Expression::Var(Var::Name(name)) => {
                self.kinds.get(&name.token().to_string()).copied().flatten()
            }
            Expression::FunctionCall(call) => self.returned(call),
            _ => None,
        }
    }

    fn returned(&self, call: &FunctionCall) -> Option<&'static str> {
        let Prefix::Name(name) = call.prefix() else {
            return None;
        };
        let is_plain = call
            .suffixes()
            .all(|suffix| matches!(suffix, Suffix::Call(Call::AnonymousCall(_))));
        let name = name.token().to_string();
        let mut globals = self.groups.iter().filter(|g| g.kind == Kind::Globals);
        let function = globals.find_map(|group| group.functions.iter().find(|f| f.name == name))?;
        let is_object =
            |group: &&&Group| group.kind == Kind::Object && group.name == function.returns;
        let object = self.groups.iter().find(is_object);
        (is_plain && object.is_some()).then_some(match function.returns {
            "Character" => "characters",
            _ => "objects",
        })
    }
}

impl Visitor for NameKinds<'_> {
    fn visit_local_assignment(&mut self, local: &LocalAssignment) {
        let mut values = local.expressions().iter();
        for name in local.names() {
            self.assign(name.token().to_string(), values.next());
        }
    }

    fn visit_local_function(&mut self, function: &LocalFunction) {
        let kind = Some("functions");
        self.kinds.insert(function.name().token().to_string(), kind);
    }

    fn visit_assignment(&mut self, assignment: &Assignment) {
        let mut values = assignment.expressions().iter();
        for variable in assignment.variables() {
            let value = values.next();
            if let Var::Name(name) = variable {
                self.assign(name.token().to_string(), value);
            }
        }
    }

    fn visit_generic_for(&mut self, each: &GenericFor) {
        for name in each.names() {
            self.assign(name.token().to_string(), None);
        }
    }
}

/// A loop over a table.
struct Loop {
    table: String,
    at: usize,
}

struct Tables<'a> {
    names: &'a NameKinds<'a>,
    /// Kinds of table keys, by the path of the table.
    keys: HashMap<String, &'static str>,
    loops: Vec<Loop>,
}

impl Tables<'_> {
    fn set(&mut self, table: &VarExpression) {
        let Some((Suffix::Index(Index::Brackets { expression, .. }), path)) = split_last(table)
        else {
            return;
        };
        if let Some(kind) = self.names.kind(expression) {
            self.keys.insert(path, kind);
        }
    }
}

/// The last suffix of an expression, and the text before it.
fn split_last(table: &VarExpression) -> Option<(&Suffix, String)> {
    let suffixes: Vec<&Suffix> = table.suffixes().collect();
    let (last, before) = suffixes.split_last()?;
    let mut path = table.prefix().to_string();
    for suffix in before {
        path.push_str(&suffix.to_string());
    }
    Some((last, path.trim().to_owned()))
}

impl Visitor for Tables<'_> {
    fn visit_assignment(&mut self, assignment: &Assignment) {
        for variable in assignment.variables() {
            if let Var::Expression(table) = variable {
                self.set(table);
            }
        }
    }

    fn visit_generic_for(&mut self, each: &GenericFor) {
        let Some(first) = each.expressions().iter().next() else {
            return;
        };
        let table = match first {
            Expression::FunctionCall(call) => argument_of_pairs(call),
            Expression::Var(Var::Name(name)) if name.token().to_string() == "next" => {
                each.expressions().iter().nth(1)
            }
            other => Some(other),
        };
        if let Some(table @ Expression::Var(_)) = table {
            let at = table
                .start_position()
                .map_or(0, |position| position.bytes());
            self.loops.push(Loop {
                table: table.to_string().trim().to_owned(),
                at,
            });
        }
    }
}

/// The table of `pairs(table)`.
fn argument_of_pairs(call: &FunctionCall) -> Option<&Expression> {
    let Prefix::Name(name) = call.prefix() else {
        return None;
    };
    let mut suffixes = call.suffixes();
    match (
        name.token().to_string().as_str(),
        suffixes.next(),
        suffixes.next(),
    ) {
        (
            "pairs",
            Some(Suffix::Call(Call::AnonymousCall(FunctionArgs::Parentheses {
                arguments, ..
            }))),
            None,
        ) => arguments.iter().next(),
        _ => None,
    }
}
