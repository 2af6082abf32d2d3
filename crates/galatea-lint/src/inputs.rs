//! Names of keys and actions that scripts read.

use full_moon::ast::{
    Assignment, Call, Expression, FunctionArgs, FunctionBody, FunctionCall, Index, LocalAssignment,
    Parameter, Prefix, Suffix, Var,
};
use full_moon::tokenizer::{TokenReference, TokenType};
use full_moon::visitors::Visitor;

use super::{ParsedScript, on_large_stack};

/// A literal key or action name in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputName {
    /// The key or action.
    pub name: String,
    /// True if the script binds it with `input.bind`; false if the script reads it.
    pub is_bound: bool,
    /// Script file, relative to the project.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// Keys and actions that the scripts of a project use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputNames {
    /// Literal names in the scripts.
    pub names: Vec<InputName>,
    /// A script binds a computed name, so any name may be bound.
    pub binds_others: bool,
}

/// Lists the keys and actions that scripts read with `input.down`, `input.pressed` and `input.released`, and those that they
/// bind. `scripts` has path and text of each. A script with its own variable `input` is skipped.
pub fn input_names(scripts: &[(String, String)]) -> InputNames {
    on_large_stack(|| names_in(scripts))
}

fn names_in(scripts: &[(String, String)]) -> InputNames {
    let mut all = InputNames::default();
    for (file, text) in scripts {
        let Some(ast) = ParsedScript::parse(text) else {
            continue;
        };
        let mut uses = InputUses::default();
        uses.visit_ast(&ast);
        if uses.is_shadowed {
            continue;
        }
        all.binds_others |= uses.binds_others;
        all.names.extend(uses.found.into_iter().map(|found| {
            let (line, column) = super::place(text, found.at);
            InputName {
                name: found.name,
                is_bound: found.is_bound,
                file: file.clone(),
                line,
                column,
            }
        }));
    }
    all
}

struct FoundName {
    name: String,
    is_bound: bool,
    /// Byte offset in the script.
    at: usize,
}

#[derive(Default)]
struct InputUses {
    found: Vec<FoundName>,
    binds_others: bool,
    /// The script has its own variable `input`.
    is_shadowed: bool,
}

impl InputUses {
    fn declare<'n>(&mut self, mut names: impl Iterator<Item = &'n TokenReference>) {
        self.is_shadowed |= names.any(|name| name.token().to_string() == "input");
    }
}

impl Visitor for InputUses {
    fn visit_local_assignment(&mut self, local: &LocalAssignment) {
        self.declare(local.names().iter());
    }

    fn visit_assignment(&mut self, assignment: &Assignment) {
        self.declare(assignment.variables().iter().filter_map(|var| match var {
            Var::Name(name) => Some(name),
            _ => None,
        }));
    }

    fn visit_function_body(&mut self, body: &FunctionBody) {
        self.declare(
            body.parameters()
                .iter()
                .filter_map(|parameter| match parameter {
                    Parameter::Name(name) => Some(name),
                    _ => None,
                }),
        );
    }

    fn visit_function_call(&mut self, call: &FunctionCall) {
        let suffixes: Vec<&Suffix> = call.suffixes().collect();
        let (
            Prefix::Name(module),
            [
                Suffix::Index(Index::Dot { name, .. }),
                Suffix::Call(Call::AnonymousCall(args)),
            ],
        ) = (call.prefix(), &suffixes[..])
        else {
            return;
        };
        if module.token().to_string() != "input" {
            return;
        }
        let is_bound = match name.token().to_string().as_str() {
            "down" | "pressed" | "released" => false,
            "bind" => true,
            _ => return,
        };
        let token = match args {
            FunctionArgs::String(token) => Some(token),
            FunctionArgs::Parentheses { arguments, .. } => match arguments.iter().next() {
                Some(Expression::String(token)) => Some(token),
                _ => None,
            },
            _ => None,
        };
        match token.map(|token| (token, token.token_type())) {
            Some((token, TokenType::StringLiteral { literal, .. })) => self.found.push(FoundName {
                name: literal.to_string(),
                is_bound,
                at: token.token().start_position().bytes(),
            }),
            _ => self.binds_others |= is_bound,
        }
    }
}
