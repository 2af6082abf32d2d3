//! Names of keys and actions that scripts read.

use full_moon::ast::{Call, Expression, FunctionArgs, FunctionCall, Index, Prefix, Suffix};
use full_moon::tokenizer::TokenType;
use full_moon::visitors::Visitor;

use super::ParsedScript;

/// A name that a script reads or binds, written out in the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputName {
    /// The key or action.
    pub name: String,
    /// The script binds it with `input.bind`; else it reads it.
    pub is_bound: bool,
    /// Script file, relative to the project.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// Lists the keys and actions that scripts read by `input.down`, `input.pressed` and `input.released`, and those that they
/// bind. `scripts` has path and text of each.
pub fn input_names(scripts: &[(String, String)]) -> Vec<InputName> {
    let mut all = Vec::new();
    for (file, text) in scripts {
        let Some(ast) = ParsedScript::parse(text) else {
            continue;
        };
        let mut uses = InputUses::default();
        uses.visit_ast(&ast);
        all.extend(uses.0.into_iter().map(|(name, is_bound, at)| {
            let (line, column) = super::place(text, at);
            InputName {
                name,
                is_bound,
                file: file.clone(),
                line,
                column,
            }
        }));
    }
    all
}

/// Name, whether it is bound, and the byte where it stands.
#[derive(Default)]
struct InputUses(Vec<(String, bool, usize)>);

impl Visitor for InputUses {
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
        let is_bound = match name.token().to_string().as_str() {
            "down" | "pressed" | "released" => false,
            "bind" => true,
            _ => return,
        };
        let token = match args {
            FunctionArgs::String(token) => token,
            FunctionArgs::Parentheses { arguments, .. } => match arguments.iter().next() {
                Some(Expression::String(token)) => token,
                _ => return,
            },
            _ => return,
        };
        if let (TokenType::StringLiteral { literal, .. }, true) =
            (token.token_type(), module.token().to_string() == "input")
        {
            let at = token.token().start_position().bytes();
            self.0.push((literal.to_string(), is_bound, at));
        }
    }
}
