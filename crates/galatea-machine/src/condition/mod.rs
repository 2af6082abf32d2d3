//! Conditions as text, for example `speed > 0.1 and not armed`, compiled when they are loaded.
//!
//! Used by the machine (every tick), by scripts and by tools that explain transitions. Grammar, weakest operator
//! first: `or`; `and`; one of `< <= > >= == ~= !=`; `+ -`; `* /`; `not` and `-`; numbers, `true`, `false`, names,
//! `abs(a)`, `min(a, b, ...)`, `max(a, b, ...)`, `clamp(a, low, high)` and parentheses, as in Lua. Names are the
//! machine's parameters and the built-in values of the current state: see [`Builtins`]. Types are checked during
//! compilation. Evaluation is pure and needs no allocation and no recursion. Malformed text is rejected, and a
//! comparison with NaN is false.

use serde::{Deserialize, Serialize};

mod explain;
mod parse;

pub(super) use explain::rounded;

/// Type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ParamType {
    /// A number.
    Number,
    /// A boolean; anything but 0 is true.
    Bool,
}

/// Built-in values of a state that a condition can read by these names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Builtins {
    /// Seconds since the state was entered.
    pub state_time: f32,
    /// Seconds since the clip's start.
    pub clip_time: f32,
    /// Seconds until the clip's end.
    pub clip_left: f32,
    /// Phase of the clip, 0..=1.
    pub phase: f32,
    /// Number of times the clip has restarted.
    pub loops: f32,
}

/// Syntax or type error in a condition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {text}")]
pub struct ConditionError {
    /// Column in the text, in characters, from 1.
    pub column: usize,
    /// Error message with a suggestion.
    pub text: String,
}

/// A compiled condition over parameters, by their indices in the list given to [`Condition::compile`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Condition {
    evaluation: EvaluationStrategy,
    /// Postfix: operands come before their operator.
    ops: Vec<Op>,
    /// For each op, the byte range in the text of the op with its operands.
    spans: Vec<(u16, u16)>,
    reads: Vec<NamedSource>,
    text: Box<str>,
}

impl Condition {
    /// Compiles a text for parameters of these names and types.
    ///
    /// Errors report the column; for an unknown name, they suggest the nearest known one.
    pub fn compile(text: &str, params: &[(&str, ParamType)]) -> Result<Self, ConditionError> {
        let parsed = parse::parse(text, params)?;
        Ok(Self {
            evaluation: EvaluationStrategy::of(&parsed.ops),
            ops: parsed.ops,
            spans: parsed.spans,
            reads: parsed.reads,
            text: text.trim().into(),
        })
    }

    /// Evaluates the condition. `params` are in the order given to [`Condition::compile`], with 1 for true; missing
    /// ones count as 0.
    #[inline]
    pub fn holds(&self, params: &[f32], builtins: &Builtins) -> bool {
        match &self.evaluation {
            EvaluationStrategy::One(test) => test.holds(params, builtins),
            EvaluationStrategy::All(tests) => tests.iter().all(|test| test.holds(params, builtins)),
            EvaluationStrategy::Any(tests) => tests.iter().any(|test| test.holds(params, builtins)),
            EvaluationStrategy::Ops => run(&self.ops, params, builtins, |_| {}) != 0.0,
        }
    }

    /// Returns the source text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the indices of the parameters it reads, each once, in the order written.
    pub fn reads(&self) -> impl Iterator<Item = usize> + '_ {
        self.reads.iter().filter_map(|read| match read.source {
            ValueSource::Param(i) => Some(usize::from(i)),
            _ => None,
        })
    }

    /// Returns true if it reads built-in values. These change with time, so the result can change while the
    /// parameters stay the same.
    pub fn reads_time(&self) -> bool {
        self.reads
            .iter()
            .any(|read| !matches!(read.source, ValueSource::Param(_)))
    }
}

/// A value that is read, and its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct NamedSource {
    source: ValueSource,
    kind: ParamType,
    name: Box<str>,
}

/// Source of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum ValueSource {
    Param(u16),
    StateTime,
    ClipTime,
    ClipLeft,
    Phase,
    Loops,
}

impl ValueSource {
    const BUILTINS: [(&str, Self); 5] = [
        ("state_time", Self::StateTime),
        ("clip_time", Self::ClipTime),
        ("clip_left", Self::ClipLeft),
        ("phase", Self::Phase),
        ("loops", Self::Loops),
    ];

    #[inline]
    fn read(self, params: &[f32], builtins: &Builtins) -> f32 {
        match self {
            Self::Param(i) => params.get(usize::from(i)).copied().unwrap_or(0.0),
            Self::StateTime => builtins.state_time,
            Self::ClipTime => builtins.clip_time,
            Self::ClipLeft => builtins.clip_left,
            Self::Phase => builtins.phase,
            Self::Loops => builtins.loops,
        }
    }
}

/// Outcomes of a comparison that count as true, one bit each. The opposite of a comparison is exactly the other bits,
/// also with NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Outcomes(u8);

impl Outcomes {
    const LESS: u8 = 1;
    const EQUAL: u8 = 2;
    const GREATER: u8 = 4;
    const UNORDERED: u8 = 8;
    /// True for any value other than 0.
    const TRUTH: Self = Self(Self::LESS | Self::GREATER);

    #[inline]
    fn hold(self, a: f32, b: f32) -> bool {
        let found = (u8::from(a < b) * Self::LESS)
            | (u8::from(a == b) * Self::EQUAL)
            | (u8::from(a > b) * Self::GREATER);
        let found = if found == 0 { Self::UNORDERED } else { found };
        self.0 & found != 0
    }

    fn opposite(self) -> Self {
        Self(self.0 ^ 15)
    }

    /// The same comparison with its sides swapped.
    fn exchanged(self) -> Self {
        let less = if self.0 & Self::GREATER != 0 {
            Self::LESS
        } else {
            0
        };
        let greater = if self.0 & Self::LESS != 0 {
            Self::GREATER
        } else {
            0
        };
        Self(self.0 & (Self::EQUAL | Self::UNORDERED) | less | greater)
    }
}

/// A comparison of a value with a constant, the most common part of conditions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Test {
    constant: f32,
    source: ValueSource,
    outcomes: Outcomes,
}

impl Test {
    #[inline]
    fn holds(&self, params: &[f32], builtins: &Builtins) -> bool {
        self.outcomes
            .hold(self.source.read(params, builtins), self.constant)
    }
}

/// One step of a condition in postfix order. Truth values are 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Op {
    Push(f32),
    Read(ValueSource),
    Test(Test),
    Compare(Outcomes),
    Not,
    And,
    Or,
    Negate,
    Abs,
    Add,
    Subtract,
    Multiply,
    Divide,
    Min,
    Max,
    Clamp,
}

impl Op {
    /// Number of operands.
    fn arity(self) -> usize {
        match self {
            Self::Push(_) | Self::Read(_) | Self::Test(_) => 0,
            Self::Not | Self::Negate | Self::Abs => 1,
            Self::Clamp => 3,
            _ => 2,
        }
    }

    /// Computes the value from the operands; unused operands are ignored.
    #[inline]
    fn value(self, [a, b, c]: [f32; 3], params: &[f32], builtins: &Builtins) -> f32 {
        let truth = |holds: bool| f32::from(u8::from(holds));
        match self {
            Self::Push(constant) => constant,
            Self::Read(source) => source.read(params, builtins),
            Self::Test(test) => truth(test.holds(params, builtins)),
            Self::Compare(outcomes) => truth(outcomes.hold(a, b)),
            Self::Not => truth(a == 0.0),
            Self::And => truth(a != 0.0 && b != 0.0),
            Self::Or => truth(a != 0.0 || b != 0.0),
            Self::Negate => -a,
            Self::Abs => a.abs(),
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide => a / b,
            Self::Min => a.min(b),
            Self::Max => a.max(b),
            Self::Clamp => a.max(b).min(c),
        }
    }
}

/// Evaluation strategy: common conditions are evaluated without the stack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum EvaluationStrategy {
    One(Test),
    All(Vec<Test>),
    Any(Vec<Test>),
    Ops,
}

impl EvaluationStrategy {
    fn of(ops: &[Op]) -> Self {
        let tests: Vec<Test> = ops
            .iter()
            .filter_map(|op| match op {
                Op::Test(test) => Some(*test),
                _ => None,
            })
            .collect();
        let others_are = |other: Op| {
            ops.iter()
                .all(|op| *op == other || matches!(op, Op::Test(_)))
        };
        match tests[..] {
            [test] if ops.len() == 1 => Self::One(test),
            _ if others_are(Op::And) => Self::All(tests),
            _ if others_are(Op::Or) => Self::Any(tests),
            _ => Self::Ops,
        }
    }
}

/// Maximum stack depth; conditions that need more are rejected.
const MAX_STACK: usize = 32;

/// Runs postfix ops, passes each op's value to `each` in order, and returns the last.
fn run(ops: &[Op], params: &[f32], builtins: &Builtins, mut each: impl FnMut(f32)) -> f32 {
    let mut stack = [0.0f32; MAX_STACK + 3];
    let mut n = 0usize;
    for op in ops {
        n = n.saturating_sub(op.arity()).min(MAX_STACK - 1);
        let value = op.value([stack[n], stack[n + 1], stack[n + 2]], params, builtins);
        each(value);
        stack[n] = value;
        n += 1;
    }
    stack[0]
}

#[cfg(test)]
mod tests;
