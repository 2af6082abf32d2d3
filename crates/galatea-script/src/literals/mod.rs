//! Literals of scripts, for editors that replace them.
//!
//! A literal is a number, a string, `true` or `false` in a script. [`literals_of`] finds them with the names that lead to
//! them, [`facts_of`] looks up their limits and words in the API, and [`LiteralEdits`] replaces some of them and leaves
//! all other bytes unchanged.

mod edits;
mod facts;
mod find;
#[cfg(test)]
mod tests;
mod text;

use std::ops::Range;

pub use edits::{LiteralConflict, LiteralEdits};
pub use facts::{LiteralFacts, facts_of};
pub use find::literals_of;
pub use text::{number_literal, number_of_literal, string_literal, string_of_literal};

/// The values of a script that are written as literals, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScriptLiterals {
    /// Statements at the top level that contain values.
    pub statements: Vec<ScriptStatement>,
    /// The values.
    pub values: Vec<ScriptValue>,
}

/// A statement at the top level of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptStatement {
    /// Number of the first line, from 1.
    pub line: u32,
    /// Text of the first line.
    pub title: String,
}

/// A value in a script.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptValue {
    /// Names that lead to the value, such as `hero:look_at.weight`.
    pub label: String,
    /// Line, from 1.
    pub line: u32,
    /// Index of the statement in [`ScriptLiterals::statements`].
    pub statement: usize,
    /// The called function with the options or arguments that contain the value, such as `light.sun`; empty if there is
    /// none.
    pub call: String,
    /// Names of fields from the options of the call to the value.
    pub fields: Vec<String>,
    /// Kind and position.
    pub kind: ValueKind,
}

/// Kind of a value in a script, with its literals.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueKind {
    /// A number.
    Number(Literal),
    /// `true` or `false`.
    Switch(Literal),
    /// A string.
    Text(Literal),
    /// A call of `vec` or `vector.create` with two or three numbers.
    Vector(Vec<Literal>),
    /// Something else, which is computed when the script runs; its position in bytes.
    Computed(Range<usize>),
}

impl ValueKind {
    /// The literals of the value, in order; none of a computed value.
    pub fn literals(&self) -> &[Literal] {
        match self {
            Self::Number(one) | Self::Switch(one) | Self::Text(one) => std::slice::from_ref(one),
            Self::Vector(all) => all,
            Self::Computed(_) => &[],
        }
    }
}

/// Position of a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// Position in the text, bytes. It includes the sign of a negative number.
    pub range: Range<usize>,
    /// A negative number needs parentheses here, because of an adjacent operator.
    pub needs_parentheses: bool,
}
