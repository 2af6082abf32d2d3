//! Explanations of a condition's result, as text.

use std::fmt::Write;

use super::{Builtins, Condition, Op, ParamType, run};

impl Condition {
    /// Explains the result: `speed > 0.1 (speed = 0.05): false`. If `and` and `or` join several comparisons, it lists
    /// those that decided: `speed > 0.1 and not armed: false, because speed > 0.1 is false (speed = 0.05)`.
    /// Allocates; for messages and tools.
    pub fn explain(&self, params: &[f32], builtins: &Builtins) -> String {
        let mut values = Vec::with_capacity(self.ops.len());
        run(&self.ops, params, builtins, |value| values.push(value));
        let starts = starts(&self.ops);
        let root = self.ops.len() - 1;
        let truth = |i: usize| values[i] != 0.0;
        let mut out = String::from(self.text());
        if !matches!(self.ops[root], Op::And | Op::Or | Op::Not) {
            self.write_values(&mut out, &self.ops[starts[root]..=root], params, builtins);
            let _ = write!(out, ": {}", truth(root));
            return out;
        }
        let _ = write!(out, ": {}", truth(root));
        let mut word = ", because";
        // The stack is last in, first out, so the right side is pushed first.
        let mut open = vec![root];
        while let Some(i) = open.pop() {
            match self.ops[i] {
                Op::Not => open.push(i - 1),
                // Both sides decide a true `and`; the false sides decide a false one. For an `or`, true and false are
                // swapped.
                op @ (Op::And | Op::Or) => {
                    let (right, left) = (i - 1, starts[i - 1] - 1);
                    let both = truth(i) == (op == Op::And);
                    open.extend(
                        [right, left]
                            .iter()
                            .filter(|side| both || truth(**side) == truth(i)),
                    );
                }
                _ => {
                    let (start, end) = self.spans[i];
                    let piece = &self.text[usize::from(start)..usize::from(end)];
                    let _ = write!(out, "{word} {piece} is {}", truth(i));
                    if !self.reads.iter().any(|read| *read.name == *piece) {
                        self.write_values(&mut out, &self.ops[starts[i]..=i], params, builtins);
                    }
                    word = " and";
                }
            }
        }
        out
    }

    /// Writes ` (speed = 0.05, armed = true)` for all values that the ops read.
    fn write_values(&self, out: &mut String, ops: &[Op], params: &[f32], builtins: &Builtins) {
        let mut word = " (";
        for read in &self.reads {
            let source = read.source;
            let used = ops.iter().any(|op| match op {
                Op::Read(s) => *s == source,
                Op::Test(test) => test.source == source,
                _ => false,
            });
            if !used {
                continue;
            }
            let value = source.read(params, builtins);
            let _ = match read.kind {
                ParamType::Number => write!(out, "{word}{} = {}", read.name, rounded(value)),
                ParamType::Bool => write!(out, "{word}{} = {}", read.name, value != 0.0),
            };
            word = ", ";
        }
        if word == ", " {
            out.push(')');
        }
    }
}

/// A number with at most four decimals.
pub fn rounded(value: f32) -> f64 {
    (f64::from(value) * 1e4).round() / 1e4
}

/// For each op, the index of the first operand's first op: op `i` and its operands are `starts[i]..=i`.
fn starts(ops: &[Op]) -> Vec<usize> {
    let mut starts: Vec<usize> = Vec::with_capacity(ops.len());
    for (i, op) in ops.iter().enumerate() {
        let mut start = i;
        for _ in 0..op.arity() {
            start = starts[start - 1];
        }
        starts.push(start);
    }
    starts
}
