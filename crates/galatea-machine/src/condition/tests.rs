use super::*;
use proptest::prelude::*;

const PARAMS: [(&str, ParamType); 4] = [
    ("speed", ParamType::Number),
    ("turn", ParamType::Number),
    ("armed", ParamType::Bool),
    ("on_ground", ParamType::Bool),
];

fn compiled(text: &str) -> Condition {
    Condition::compile(text, &PARAMS).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn holds(text: &str, params: [f32; 4]) -> bool {
    compiled(text).holds(&params, &BUILTINS)
}

fn error_of(text: &str) -> String {
    match Condition::compile(text, &PARAMS) {
        Ok(_) => panic!("{text} was taken"),
        Err(error) => error.to_string(),
    }
}

const BUILTINS: Builtins = Builtins {
    state_time: 1.5,
    clip_time: 0.5,
    clip_left: 0.25,
    phase: 0.75,
    loops: 2.0,
};

#[test]
fn operator_precedence_matches_lua() {
    let p = [0.5, -2.0, 1.0, 0.0];
    assert!(holds("speed > 0.1", p));
    assert!(!holds("speed > 0.1 and not armed", p));
    assert!(holds("on_ground and armed or speed > 0", p));
    assert!(!holds("on_ground and (armed or speed > 0)", p));
    assert!(holds(
        "1 + 2 * 3 == 7 and (1 + 2) * 3 == 9 and 8 / 2 / 2 == 2",
        p
    ));
    assert!(holds("5 - 2 - 1 == 2", p));
    assert!(holds("-turn == 2 and abs(turn) > speed", p));
    assert!(holds("not on_ground == armed", p));
    assert!(holds(
        "min(speed, turn, 7) == turn and max(1, speed, .25) == 1",
        p
    ));
    assert!(holds("clamp(turn, -1, 1) == -1", p));
    assert!(holds("0.1 < speed", p));
    assert!(holds(
        "speed ~= 1 and speed != 1 and speed <= 0.5 and 5e-1 >= speed",
        p
    ));
    assert!(holds(
        "armed == true and on_ground ~= armed and not false",
        p
    ));
}

#[test]
fn builtins_are_read_by_name() {
    let p = [0.0; 4];
    assert!(holds("state_time == 1.5 and clip_time == 0.5", p));
    assert!(holds("clip_left < 0.3 and phase >= 0.75 and loops == 2", p));
    assert!(compiled("phase > 0.5").reads_time());
    let both = compiled("turn > 0 or armed and turn < loops");
    assert_eq!(both.reads().collect::<Vec<_>>(), [1, 2]);
    assert!(both.reads_time());
    assert!(!compiled("turn > 0 or armed").reads_time());
}

#[test]
fn nan_compares_false_and_missing_parameters_are_zero() {
    let p = [f32::NAN, f32::INFINITY, f32::NAN, 0.0];
    for comparison in ["<", "<=", ">", ">=", "==", "~="] {
        assert!(!holds(&format!("speed {comparison} 1"), p), "{comparison}");
        assert!(!holds(&format!("1 {comparison} speed"), p), "{comparison}");
        assert!(
            !holds(&format!("turn - turn {comparison} turn"), p),
            "{comparison}"
        );
        assert!(
            holds(&format!("not (speed {comparison} 1)"), p),
            "{comparison}"
        );
        assert!(!holds(&format!("0 / 0 {comparison} 1"), p), "{comparison}");
    }
    assert!(!holds("armed", p));
    assert!(holds("not armed", p));
    assert!(holds("1 / turn > 1000", [0.0; 4]));
    assert!(compiled("speed == 0 and not armed").holds(&[], &BUILTINS));
    assert!(!holds("clamp(turn, 5, -5) > 0", [0.0; 4]));
}

#[test]
fn errors_report_column_and_suggestion() {
    let cases = [
        (
            "sped > 1",
            "column 1: unknown name \"sped\"; did you mean \"speed\"?",
        ),
        (
            "  speed > stat_time",
            "column 11: unknown name \"stat_time\"; did you mean \"state_time\"?",
        ),
        (
            "speed = 1",
            "column 7: unexpected `=`; to compare, write `==`",
        ),
        (
            "armed && on_ground",
            "column 7: unexpected `&&`; write `and`",
        ),
        ("!armed", "column 1: unexpected `!`; write `not`"),
        (
            "armed > 1",
            "column 7: `>` cannot compare a boolean with a number",
        ),
        (
            "speed == true",
            "column 7: `==` cannot compare a number with a boolean",
        ),
        (
            "armed < on_ground",
            "column 7: `<` compares only numbers; compare booleans with `==` or `~=`",
        ),
        (
            "0 < speed < 1",
            "column 11: comparisons cannot be chained; join two of them with `and`",
        ),
        (
            "speed",
            "column 1: a condition needs a boolean, got a number; compare it, as in `> 0`",
        ),
        (
            "armed and speed",
            "column 11: `and` needs a boolean, got a number; compare it, as in `> 0`",
        ),
        (
            "armed + 1 > 0",
            "column 1: `+` needs a number, got a boolean",
        ),
        (
            "not speed > 1",
            "column 1: `not` applies only to the next value; put the comparison in parentheses",
        ),
        ("(speed > 1", "column 1: this `(` is never closed"),
        ("(speed > 1 armed", "column 12: expected `)` before `armed`"),
        (
            "speed > 1 armed",
            "column 11: unexpected `armed`; is `and` or `or` missing?",
        ),
        (
            "speed >",
            "column 8: expected a number, a name or `(` before the end",
        ),
        (
            "",
            "column 1: expected a number, a name or `(` before the end",
        ),
        ("speed > 3m", "column 9: `3m` is not a valid number"),
        ("speed > 1e99", "column 9: `1e99` is not a valid number"),
        (
            "maxx(1, 2) > 1",
            "column 1: unknown function \"maxx\"; did you mean \"max\"?",
        ),
        (
            "min(speed) > 1",
            "column 1: `min` needs two or more numbers, got 1",
        ),
        (
            "clamp(speed, 1) > 1",
            "column 1: `clamp` needs three numbers (value, minimum, maximum), got 2",
        ),
        (
            "min > 1",
            "column 1: unknown name \"min\"; a function is called as `min(...)`",
        ),
        ("äöü > 1 and §", "column 13: unexpected `§`"),
    ];
    for (text, expected) in cases {
        assert_eq!(error_of(text), expected, "{text}");
    }
    let twice = Condition::compile("phase > 0", &[("phase", ParamType::Number)]).unwrap_err();
    assert!(twice.text.contains("rename the parameter"), "{twice}");
}

#[test]
fn hostile_texts_are_rejected_with_a_message() {
    for deep in ["(", "not ", "-", "abs(", "1 + (", "armed and ("] {
        let text = deep.repeat(400);
        let error_of = error_of(&text[..text.len().min(1990)]);
        assert!(error_of.contains("nested too deeply"), "{deep}: {error_of}");
    }
    assert!(error_of(&"armed and ".repeat(100_000)).contains("longer than 2000 bytes"));
    let wide = format!("{}armed", "armed and ".repeat(150));
    assert!(holds(&wide, [0.0, 0.0, 1.0, 0.0]));
    let sums = format!("{}0 < 1e9", "speed + ".repeat(200));
    assert!(holds(&sums, [1.0; 4]));
}

#[test]
fn explanations_name_the_deciding_parts() {
    let why = |text: &str, params: [f32; 4]| compiled(text).explain(&params, &BUILTINS);
    let p = [0.05, -2.0, 1.0, 0.0];
    assert_eq!(why(" speed > 0.1 ", p), "speed > 0.1 (speed = 0.05): false");
    assert_eq!(why("armed", p), "armed (armed = true): true");
    assert_eq!(why("not armed", p), "not armed (armed = true): false");
    assert_eq!(why("1 < 2", p), "1 < 2: true");
    assert_eq!(
        why("speed > 0.1 and armed", p),
        "speed > 0.1 and armed: false, because speed > 0.1 is false (speed = 0.05)"
    );
    assert_eq!(
        why("speed > 0.1 and not armed", p),
        "speed > 0.1 and not armed: false, because speed > 0.1 is false (speed = 0.05) \
         and not armed is false (armed = true)"
    );
    assert_eq!(
        why("on_ground or turn + speed < state_time", p),
        "on_ground or turn + speed < state_time: true, because turn + speed < state_time is true \
         (turn = -2, speed = 0.05, state_time = 1.5)"
    );
    assert_eq!(
        why("not (armed and turn < 0)", p),
        "not (armed and turn < 0): false, because armed is true and turn < 0 is true (turn = -2)"
    );
    assert_eq!(
        why("armed and (on_ground or speed > 1)", p),
        "armed and (on_ground or speed > 1): false, because on_ground is false \
         and speed > 1 is false (speed = 0.05)"
    );
}

/// A condition as a tree, to be written as text and to be evaluated directly.
#[derive(Clone, Debug)]
enum Tree {
    Constant(f32),
    Name(usize),
    One(&'static str, Box<Tree>),
    Two(&'static str, Box<Tree>, Box<Tree>),
    Clamp(Box<Tree>, Box<Tree>, Box<Tree>),
}

const NUMBERS: [&str; 7] = [
    "speed",
    "turn",
    "state_time",
    "clip_time",
    "clip_left",
    "phase",
    "loops",
];
const BOOLS: [&str; 2] = ["armed", "on_ground"];

fn number(tree: &Tree, params: &[f32; 4]) -> f32 {
    match tree {
        Tree::Constant(n) => *n,
        Tree::Name(i) => [
            params[0],
            params[1],
            BUILTINS.state_time,
            BUILTINS.clip_time,
            BUILTINS.clip_left,
            BUILTINS.phase,
            BUILTINS.loops,
        ][*i],
        Tree::One("-", a) => -number(a, params),
        Tree::One(_, a) => number(a, params).abs(),
        Tree::Two(op, a, b) => {
            let (a, b) = (number(a, params), number(b, params));
            match *op {
                "+" => a + b,
                "-" => a - b,
                "*" => a * b,
                "/" => a / b,
                "min" => a.min(b),
                _ => a.max(b),
            }
        }
        Tree::Clamp(a, b, c) => number(a, params)
            .max(number(b, params))
            .min(number(c, params)),
    }
}

fn truth(tree: &Tree, params: &[f32; 4]) -> bool {
    match tree {
        Tree::Constant(n) => *n != 0.0,
        Tree::Name(i) => params[2 + i] != 0.0,
        Tree::One(_, a) => !truth(a, params),
        Tree::Two("and", a, b) => truth(a, params) && truth(b, params),
        Tree::Two("or", a, b) => truth(a, params) || truth(b, params),
        Tree::Two(op, a, b) => {
            let (a, b) = (number(a, params), number(b, params));
            if a.is_nan() || b.is_nan() {
                return false;
            }
            match *op {
                "<" => a < b,
                "<=" => a <= b,
                ">" => a > b,
                ">=" => a >= b,
                "==" => a == b,
                _ => a != b,
            }
        }
        Tree::Clamp(..) => unreachable!("no truth value is clamped"),
    }
}

fn to_text(tree: &Tree, is_bool: bool) -> String {
    match tree {
        Tree::Constant(n) if is_bool => (*n != 0.0).to_string(),
        Tree::Constant(n) => format!("{n}"),
        Tree::Name(i) if is_bool => BOOLS[*i].into(),
        Tree::Name(i) => NUMBERS[*i].into(),
        Tree::One("abs", a) => format!("abs({})", to_text(a, false)),
        Tree::One(op, a) => format!("{op} ({})", to_text(a, is_bool)),
        Tree::Two(op @ ("min" | "max"), a, b) => {
            format!("{op}({}, {})", to_text(a, false), to_text(b, false))
        }
        Tree::Two(op, a, b) => {
            let inner = is_bool && matches!(*op, "and" | "or");
            format!("({}) {op} ({})", to_text(a, inner), to_text(b, inner))
        }
        Tree::Clamp(a, b, c) => format!(
            "clamp({}, {}, {})",
            to_text(a, false),
            to_text(b, false),
            to_text(c, false)
        ),
    }
}

fn number_tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        (0u8..40).prop_map(|n| Tree::Constant(f32::from(n) * 0.25)),
        (0usize..NUMBERS.len()).prop_map(Tree::Name),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let ops = prop::sample::select(vec!["+", "-", "*", "/", "min", "max"]);
        prop_oneof![
            (prop::sample::select(vec!["-", "abs"]), inner.clone())
                .prop_map(|(op, a)| Tree::One(op, a.into())),
            (ops, inner.clone(), inner.clone()).prop_map(|(op, a, b)| Tree::Two(
                op,
                a.into(),
                b.into()
            )),
            (inner.clone(), inner.clone(), inner).prop_map(|(a, b, c)| Tree::Clamp(
                a.into(),
                b.into(),
                c.into()
            )),
        ]
    })
}

fn bool_tree() -> impl Strategy<Value = Tree> {
    let comparisons = prop::sample::select(vec!["<", "<=", ">", ">=", "==", "~=", "!="]);
    let leaf = prop_oneof![
        1 => (0u8..2).prop_map(|n| Tree::Constant(f32::from(n))),
        2 => (0usize..BOOLS.len()).prop_map(Tree::Name),
        5 => (comparisons, number_tree(), number_tree())
            .prop_map(|(op, a, b)| Tree::Two(op, a.into(), b.into())),
    ];
    leaf.prop_recursive(3, 12, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|a| Tree::One("not", a.into())),
            (
                prop::sample::select(vec!["and", "or"]),
                inner.clone(),
                inner
            )
                .prop_map(|(op, a, b)| Tree::Two(op, a.into(), b.into())),
        ]
    })
}

fn value() -> impl Strategy<Value = f32> {
    prop_oneof![
        8 => (-8i8..8).prop_map(|n| f32::from(n) * 0.5),
        1 => Just(f32::NAN),
        1 => Just(f32::INFINITY),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn compiled_trees_equal_the_plain_evaluator(
        tree in bool_tree(),
        numbers in [value(), value()],
        bools in [0u8..2, 0u8..2],
    ) {
        let text = to_text(&tree, true);
        prop_assume!(text.len() < 2000);
        let params = [numbers[0], numbers[1], bools[0].into(), bools[1].into()];
        let condition = compiled(&text);
        prop_assert_eq!(condition.holds(&params, &BUILTINS), truth(&tree, &params), "{}", text);
        let why = condition.explain(&params, &BUILTINS);
        let expected = format!(": {}", truth(&tree, &params));
        prop_assert!(why.contains(&expected), "{}", why);
    }

    #[test]
    fn any_text_compiles_or_fails_at_a_valid_column(text in "\\PC{0,80}") {
        if let Err(error) = Condition::compile(&text, &PARAMS) {
            prop_assert!(error.column >= 1 && error.column <= text.chars().count() + 1);
        }
    }

    #[test]
    fn any_word_sequence_compiles_or_fails_cleanly(
        words in prop::collection::vec(prop::sample::select(vec![
            "speed", "armed", "phase", "and", "or", "not", "true", "(", ")", ",", "abs", "min",
            "clamp", "<", "==", "~=", "+", "-", "*", "/", "1", "0.5", "ä",
        ]), 0..40),
        glue in prop::sample::select(vec![" ", ""]),
    ) {
        let text = words.join(glue);
        match Condition::compile(&text, &PARAMS) {
            Ok(condition) => {
                let params = [0.3, 0.0, 1.0, 0.0];
                let holds = condition.holds(&params, &BUILTINS);
                let why = condition.explain(&params, &BUILTINS);
                let expected = format!(": {}", holds);
                prop_assert!(why.contains(&expected));
            }
            Err(error) => prop_assert!(error.column <= text.chars().count() + 1),
        }
    }
}
