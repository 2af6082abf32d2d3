//! Facial expressions that a script combines from other expressions.

use std::collections::BTreeSet;

/// Maximum number of expressions of a script.
const MAX_EXPRESSIONS: usize = 1000;
/// Maximum nesting depth of expressions.
const MAX_DEPTH: usize = 8;
/// Maximum number of parts in one expression.
pub(super) const MAX_PARTS: usize = 128;
/// Maximum number of warnings in one run of the scripts.
const MAX_WARNINGS: usize = 100;

/// Names with weights.
type ExpressionParts = Vec<(String, f32)>;

/// Expressions by name, with their parts and weights.
#[derive(Default)]
pub(super) struct Expressions {
    known: Vec<(String, ExpressionParts)>,
    /// Warnings about faces and lines since the scripts were loaded.
    warned: BTreeSet<String>,
}

impl Expressions {
    /// Adds an expression, or replaces the one of the same name.
    ///
    /// # Errors
    /// Fails if there are too many expressions.
    pub fn add(&mut self, name: &str, parts: ExpressionParts) -> Result<(), String> {
        if let Some((_, known)) = self.known.iter_mut().find(|(known, _)| known == name) {
            *known = parts;
            return Ok(());
        }
        if self.known.len() >= MAX_EXPRESSIONS {
            return Err(format!(
                "a script can define at most {MAX_EXPRESSIONS} expressions"
            ));
        }
        self.known.push((name.to_owned(), parts));
        Ok(())
    }

    /// Names of the expressions, in order of creation.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.known.iter().map(|(name, _)| name.as_str())
    }

    /// Expands the script's own expressions into their parts. Each name occurs once in the result.
    pub fn taken_apart(&self, parts: ExpressionParts) -> ExpressionParts {
        let mut out = ExpressionParts::new();
        self.take_apart(parts, 1.0, 0, &mut out);
        out
    }

    fn take_apart(
        &self,
        parts: ExpressionParts,
        weight: f32,
        depth: usize,
        out: &mut ExpressionParts,
    ) {
        for (name, share) in parts {
            if out.len() >= MAX_PARTS {
                return;
            }
            let own = self.known.iter().find(|(own, _)| *own == name);
            match own {
                Some((_, parts)) if depth < MAX_DEPTH => {
                    self.take_apart(parts.clone(), weight * share, depth + 1, out);
                }
                _ => match out.iter_mut().find(|(other, _)| *other == name) {
                    Some((_, sum)) => *sum += weight * share,
                    None => out.push((name, weight * share)),
                },
            }
        }
    }

    /// Returns true the first time that a warning is given, unless there are too many warnings.
    pub fn is_new_warning(&mut self, line: &str) -> bool {
        self.warned.len() < MAX_WARNINGS && self.warned.insert(line.to_owned())
    }
}
