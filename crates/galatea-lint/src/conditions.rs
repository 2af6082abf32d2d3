//! Conditions (`when = function(p) … end`) must not assign anything.
//!
//! Assignments to the parameters and to globals are errors at run time. This check finds them earlier, and also assignments
//! to locals of the script.

use std::collections::HashSet;

use full_moon::ast::{
    Assignment, CompoundAssignment, Expression, Field, FunctionBody, GenericFor, LocalAssignment,
    LocalFunction, NumericFor, Parameter, Prefix, TableConstructor, Var,
};
use full_moon::tokenizer::TokenReference;
use full_moon::visitors::{Visit as _, Visitor};

/// An assignment in a condition.
pub(super) struct ConditionWrite {
    /// First name of the assigned expression.
    pub name: String,
    /// Byte offset of that name.
    pub at: usize,
}

/// Finds the conditions of a script and their assignments.
#[derive(Default)]
pub(super) struct Conditions(pub Vec<ConditionWrite>);

impl Visitor for Conditions {
    fn visit_table_constructor(&mut self, table: &TableConstructor) {
        for field in table.fields() {
            if let Field::NameKey { key, value, .. } = field
                && key.token().to_string() == "when"
                && let Expression::Function(function) = value
            {
                self.look_at(function.body());
            }
        }
    }
}

impl Conditions {
    fn look_at(&mut self, body: &FunctionBody) {
        let mut names = LocalNames::default();
        body.block().visit(&mut names);
        let params = parameters(body);
        for set in names.set {
            // Assigning a field of a parameter sets a parameter of the machine.
            let is_own = names.own.contains(&set.name);
            let is_param = params.contains(&set.name);
            if (is_param && set.is_field) || (!is_own && !is_param) {
                self.0.push(ConditionWrite {
                    name: set.name,
                    at: set.at,
                });
            }
        }
    }
}

fn parameters(body: &FunctionBody) -> Vec<String> {
    let names = body.parameters().iter().filter_map(|param| match param {
        Parameter::Name(name) => Some(name.token().to_string()),
        _ => None,
    });
    names.collect()
}

/// Local names of a function, and its assignments.
#[derive(Default)]
struct LocalNames {
    own: HashSet<String>,
    set: Vec<Assigned>,
}

struct Assigned {
    name: String,
    at: usize,
    /// The target is a field of the name's value.
    is_field: bool,
}

impl LocalNames {
    fn add(&mut self, name: &TokenReference) {
        self.own.insert(name.token().to_string());
    }

    fn sets(&mut self, var: &Var) {
        let (name, is_field) = match var {
            Var::Name(name) => (name, false),
            Var::Expression(expression) => match expression.prefix() {
                Prefix::Name(name) => (name, true),
                _ => return,
            },
            _ => return,
        };
        self.set.push(Assigned {
            name: name.token().to_string(),
            at: name.token().start_position().bytes(),
            is_field,
        });
    }
}

impl Visitor for LocalNames {
    fn visit_local_assignment(&mut self, local: &LocalAssignment) {
        local.names().iter().for_each(|name| self.add(name));
    }

    fn visit_local_function(&mut self, function: &LocalFunction) {
        self.add(function.name());
    }

    fn visit_function_body(&mut self, body: &FunctionBody) {
        self.own.extend(parameters(body));
    }

    fn visit_generic_for(&mut self, each: &GenericFor) {
        each.names().iter().for_each(|name| self.add(name));
    }

    fn visit_numeric_for(&mut self, count: &NumericFor) {
        self.add(count.index_variable());
    }

    fn visit_assignment(&mut self, assignment: &Assignment) {
        assignment.variables().iter().for_each(|var| self.sets(var));
    }

    fn visit_compound_assignment(&mut self, assignment: &CompoundAssignment) {
        self.sets(assignment.lhs());
    }
}
