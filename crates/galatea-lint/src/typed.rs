//! Calls and fields of values whose type is known: unknown options, methods and fields, and unknown words.
//!
//! Reports only certain errors. A name has a type if all values that the script assigns to it have that type, and it is
//! never a parameter or a loop variable. The types come from the tables that register the API.

use std::collections::{HashMap, HashSet};

use full_moon::ast::{
    Assignment, Call, Expression, Field, FunctionArgs, FunctionBody, FunctionCall,
    FunctionDeclaration, GenericFor, Index, LocalAssignment, LocalFunction, NumericFor, Parameter,
    Prefix, Suffix, TableConstructor, Var, VarExpression,
};
use full_moon::tokenizer::{TokenReference, TokenType};
use full_moon::visitors::Visitor;

use galatea_math::names::nearest_hint;
use galatea_script::toolkit::{Function, Group, Kind, Param, Shape, Type, roblox_task};

/// An error in a call or a field.
pub(super) struct Misuse {
    /// Byte offset in the script.
    pub at: usize,
    /// Error message.
    pub text: String,
}

/// Finds the errors of a script. `groups` is the API.
pub(super) fn misuses(ast: &full_moon::ast::Ast, groups: &[&'static Group]) -> Vec<Misuse> {
    let api = Api { groups };
    let mut names = AssignedNames::default();
    // The value of a name may itself be a name, which the second pass knows.
    for _ in 0..2 {
        let known = std::mem::take(&mut names).known();
        let mut collector = Collector {
            api: &api,
            known,
            names: AssignedNames::default(),
        };
        collector.visit_ast(ast);
        names = collector.names;
    }
    let mut checker = TypedChecker {
        api: &api,
        known: names.known(),
        found: Vec::new(),
    };
    checker.visit_ast(ast);
    checker.found
}

/// Lookup of the API by name.
struct Api<'a> {
    groups: &'a [&'static Group],
}

/// Meaning of an expression.
#[derive(Clone, Copy)]
enum Meaning {
    /// A value of an object type of the API.
    Value(&'static Group),
    Module(&'static Group),
    Callee(&'static Function),
}

/// Names of a script, with and without a known type.
#[derive(Default)]
struct KnownNames {
    values: HashMap<String, &'static Group>,
    others: HashSet<String>,
}

impl Api<'_> {
    fn object(&self, name: &str) -> Option<&'static Group> {
        let name = name.trim_end_matches('?');
        let mut objects = self.groups.iter().copied();
        objects.find(|group| group.kind == Kind::Object && group.name == name)
    }

    /// Meaning of a name at the start of an expression.
    fn start(&self, name: &str, known: &KnownNames) -> Option<Meaning> {
        let api = self.of_api(name);
        if let Some(group) = known.values.get(name) {
            // A local may hide the API in one function only.
            return api.is_none().then_some(Meaning::Value(group));
        }
        if known.others.contains(name) {
            return None;
        }
        api
    }

    /// Meaning of a name of the API.
    fn of_api(&self, name: &str) -> Option<Meaning> {
        self.groups
            .iter()
            .copied()
            .find_map(|group| match group.kind {
                Kind::Module if group.name == name => Some(Meaning::Module(group)),
                Kind::Globals => {
                    let function = group.functions.iter().find(|f| f.name == name)?;
                    Some(Meaning::Callee(function))
                }
                _ => None,
            })
    }

    /// Meaning of an expression with a suffix. Reports errors to `report`.
    fn follow(
        &self,
        meaning: Meaning,
        suffix: &Suffix,
        report: &mut dyn FnMut(&TokenReference, String),
    ) -> Option<Meaning> {
        match (meaning, suffix) {
            (Meaning::Module(group), Suffix::Index(Index::Dot { name, .. })) => {
                let function = named(group, &text_of(name))?;
                Some(Meaning::Callee(function))
            }
            (Meaning::Value(group), Suffix::Index(Index::Dot { name, .. })) => {
                let text = text_of(name);
                if let Some(property) = group.properties.iter().find(|p| p.name == text) {
                    return self.object(property.ty).map(Meaning::Value);
                }
                if named(group, &text).is_none() {
                    report(name, missing(group, &text));
                }
                None
            }
            (Meaning::Value(group), Suffix::Call(Call::MethodCall(call))) => {
                let text = text_of(call.name());
                let Some(function) = named(group, &text) else {
                    report(call.name(), missing(group, &text));
                    return None;
                };
                check_arguments(function, call.args(), report);
                self.object(function.returns).map(Meaning::Value)
            }
            (Meaning::Callee(function), Suffix::Call(Call::AnonymousCall(args))) => {
                check_arguments(function, args, report);
                self.object(function.returns).map(Meaning::Value)
            }
            // `character "file" { … }`: the call takes options and returns the value itself.
            (Meaning::Value(_), Suffix::Call(Call::AnonymousCall(_))) => Some(meaning),
            _ => None,
        }
    }

    /// Type of an expression, if it is certain.
    fn value_of(&self, expression: &Expression, known: &KnownNames) -> Option<&'static Group> {
        let (prefix, suffixes): (_, Vec<&Suffix>) = match expression {
            Expression::FunctionCall(call) => (call.prefix(), call.suffixes().collect()),
            Expression::Var(Var::Expression(var)) => (var.prefix(), var.suffixes().collect()),
            Expression::Var(Var::Name(name)) => return known.values.get(&text_of(name)).copied(),
            _ => return None,
        };
        let Prefix::Name(name) = prefix else {
            return None;
        };
        let mut meaning = self.start(&text_of(name), known)?;
        for suffix in suffixes {
            meaning = self.follow(meaning, suffix, &mut |_, _| {})?;
        }
        match meaning {
            Meaning::Value(group) => Some(group),
            _ => None,
        }
    }
}

fn text_of(token: &TokenReference) -> String {
    token.token().to_string()
}

fn named(group: &'static Group, name: &str) -> Option<&'static Function> {
    group
        .functions
        .iter()
        .find(|function| function.name == name)
}

fn missing(group: &'static Group, name: &str) -> String {
    let renamed = group.renamed(name);
    renamed.unwrap_or_else(|| format!("{} has no {name:?}{}", group.name, group.hint(name)))
}

/// Message for a call of a module's function by a name that was changed, such as `physics.ray`.
pub(super) fn renamed_function(call: &str, groups: &[&'static Group]) -> Option<String> {
    let (module, name) = call.split_once('.')?;
    if module == "task" {
        return Some(roblox_task(
            name.split(|c: char| !c.is_alphanumeric()).next()?,
        ));
    }
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let name = name.split(|c| !is_letter(c)).next()?;
    let mut groups = groups.iter();
    let group = groups.find(|group| group.kind == Kind::Module && group.name == module)?;
    group.renamed(name)
}

fn check_arguments(
    function: &'static Function,
    args: &FunctionArgs,
    report: &mut dyn FnMut(&TokenReference, String),
) {
    match args {
        FunctionArgs::Parentheses { arguments, .. } => {
            for (argument, param) in arguments.iter().zip(function.params) {
                check_value(&param.ty, argument, report);
            }
        }
        FunctionArgs::TableConstructor(table) => {
            if let Some(Param { ty, .. }) = function.params.first() {
                check_table(ty, table, report);
            }
        }
        _ => {}
    }
}

fn check_value(
    ty: &'static Type,
    value: &Expression,
    report: &mut dyn FnMut(&TokenReference, String),
) {
    match value {
        Expression::TableConstructor(table) => check_table(ty, table, report),
        Expression::String(token) => check_word(ty, token, report),
        _ => {}
    }
}

fn check_word(
    ty: &'static Type,
    token: &TokenReference,
    report: &mut dyn FnMut(&TokenReference, String),
) {
    let Type::Word(words) = ty else {
        return;
    };
    let TokenType::StringLiteral { literal, .. } = token.token_type() else {
        return;
    };
    if !words.contains(&literal.as_str()) {
        let hint = nearest_hint(literal, words.iter().copied());
        report(token, format!("unknown value {:?}{hint}", literal.as_str()));
    }
}

/// The shape of an options table, if the type accepts no other table.
fn shape_of(ty: &'static Type) -> Option<&'static Shape> {
    match ty {
        Type::Options(shape) => Some(shape),
        Type::OneOf(types) => {
            let tables = types.iter().filter(|ty| {
                !matches!(
                    ty,
                    Type::Number
                        | Type::Text
                        | Type::Bool
                        | Type::Vector
                        | Type::Function(_)
                        | Type::Word(_)
                        | Type::Buffer
                )
            });
            let tables: Vec<&'static Type> = tables.collect();
            match tables[..] {
                [Type::Options(shape)] => Some(shape),
                _ => None,
            }
        }
        _ => None,
    }
}

fn check_table(
    ty: &'static Type,
    table: &TableConstructor,
    report: &mut dyn FnMut(&TokenReference, String),
) {
    let Some(shape) = shape_of(ty) else {
        return;
    };
    for field in table.fields() {
        let Field::NameKey { key, value, .. } = field else {
            continue;
        };
        let name = text_of(key);
        match shape.field(&name) {
            Some(field) => check_value(&field.ty, value, report),
            None => {
                report(key, shape.unknown_field(&name));
            }
        }
    }
}

/// Types of the values assigned to each name; `None` without a known type.
#[derive(Default)]
struct AssignedNames(HashMap<String, Option<&'static Group>>);

impl AssignedNames {
    fn assign(&mut self, name: &TokenReference, value: Option<&'static Group>) {
        let known = self.0.entry(text_of(name)).or_insert(value);
        let same = match (&*known, value) {
            (Some(a), Some(b)) => std::ptr::eq(*a, b),
            _ => false,
        };
        if !same {
            *known = None;
        }
    }

    fn known(self) -> KnownNames {
        let mut known = KnownNames::default();
        for (name, value) in self.0 {
            match value {
                Some(group) => drop(known.values.insert(name, group)),
                None => drop(known.others.insert(name)),
            }
        }
        known
    }
}

/// Collects the types of the values assigned to names.
struct Collector<'a> {
    api: &'a Api<'a>,
    known: KnownNames,
    names: AssignedNames,
}

impl Collector<'_> {
    /// Assigns each name of a list the type of the value at the same position.
    fn assign_all<'n>(
        &mut self,
        names: impl Iterator<Item = Option<&'n TokenReference>>,
        values: &[&Expression],
    ) {
        for (i, name) in names.enumerate() {
            let value = values
                .get(i)
                .and_then(|value| self.api.value_of(value, &self.known));
            if let Some(name) = name {
                self.names.assign(name, value);
            }
        }
    }
}

impl Visitor for Collector<'_> {
    fn visit_local_assignment(&mut self, local: &LocalAssignment) {
        let values: Vec<&Expression> = local.expressions().iter().collect();
        // A local without a value gets its value later.
        if !values.is_empty() {
            self.assign_all(local.names().iter().map(Some), &values);
        }
    }

    fn visit_assignment(&mut self, assignment: &Assignment) {
        let values: Vec<&Expression> = assignment.expressions().iter().collect();
        let names = assignment.variables().iter().map(|var| match var {
            Var::Name(name) => Some(name),
            _ => None,
        });
        self.assign_all(names, &values);
    }

    fn visit_local_function(&mut self, function: &LocalFunction) {
        self.names.assign(function.name(), None);
    }

    fn visit_function_declaration(&mut self, function: &FunctionDeclaration) {
        if let Some(first) = function.name().names().iter().next() {
            self.names.assign(first, None);
        }
    }

    fn visit_function_body(&mut self, body: &FunctionBody) {
        for parameter in body.parameters() {
            if let Parameter::Name(name) = parameter {
                self.names.assign(name, None);
            }
        }
    }

    fn visit_generic_for(&mut self, each: &GenericFor) {
        each.names()
            .iter()
            .for_each(|name| self.names.assign(name, None));
    }

    fn visit_numeric_for(&mut self, count: &NumericFor) {
        self.names.assign(count.index_variable(), None);
    }
}

/// Checks calls and fields.
struct TypedChecker<'a> {
    api: &'a Api<'a>,
    known: KnownNames,
    found: Vec<Misuse>,
}

impl TypedChecker<'_> {
    fn check<'s>(&mut self, prefix: &Prefix, suffixes: impl Iterator<Item = &'s Suffix>) {
        let Prefix::Name(name) = prefix else {
            return;
        };
        let Some(mut meaning) = self.api.start(&text_of(name), &self.known) else {
            return;
        };
        for suffix in suffixes {
            let found = &mut self.found;
            let next = self.api.follow(meaning, suffix, &mut |token, text| {
                found.push(Misuse {
                    at: token.token().start_position().bytes(),
                    text,
                });
            });
            let Some(next) = next else { return };
            meaning = next;
        }
    }
}

impl Visitor for TypedChecker<'_> {
    fn visit_function_call(&mut self, call: &FunctionCall) {
        self.check(call.prefix(), call.suffixes());
    }

    fn visit_var_expression(&mut self, var: &VarExpression) {
        self.check(var.prefix(), var.suffixes());
    }
}
