//! Computed bounds must be clamped without a possible panic.

use crate::workspace::{each_source, is_test};

/// Vectors and types of this workspace, whose `clamp` cannot panic.
const OTHERS: [&str; 18] = [
    "angles",
    "at",
    "cell",
    "chest_range",
    "color",
    "corner",
    "eye_range",
    "edge",
    "first",
    "head_range",
    "limit",
    "limits",
    "local",
    "offset",
    "position",
    "range",
    "stiff",
    "v",
];

/// Returns true for a number, a constant, or one of these with a sign, a type or a conversion.
fn is_constant(bound: &str) -> bool {
    let bound = bound.trim().trim_start_matches('-');
    let bound = ["f64::from(", "f32::from(", "i32::from("]
        .iter()
        .find_map(|start| bound.strip_prefix(start)?.strip_suffix(')'))
        .unwrap_or(bound);
    let last = bound.rsplit("::").next().unwrap_or(bound);
    let is_number = bound.starts_with(|c: char| c.is_ascii_digit())
        && bound
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "._-+".contains(c));
    let is_name = last
        .chars()
        .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    is_number || is_name
}

/// The arguments of a call, after its bracket; `None` if it is cut off.
fn arguments(text: &str) -> Option<Vec<&str>> {
    let (mut depth, mut from, mut found) = (0, 0, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => {
                found.push(&text[from..i]);
                return Some(found);
            }
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&text[from..i]);
                from = i + 1;
            }
            _ => {}
        }
    }
    None
}

/// Calls of `clamp` with computed bounds.
fn computed_bounds(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or(text);
    let mut found = Vec::new();
    for (i, _) in code.match_indices(".clamp(") {
        let before = code[..i].trim_end();
        let receiver = before
            .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
            .next();
        let Some(bounds) = arguments(&code[i + ".clamp(".len()..]) else {
            continue;
        };
        let bounds: Vec<&str> = bounds
            .into_iter()
            .filter(|bound| !bound.trim().is_empty())
            .collect();
        let is_other = bounds.len() != 2
            || bounds.iter().any(|bound| bound.contains("Vec"))
            || receiver.is_some_and(|name| OTHERS.contains(&name));
        if !is_other && !bounds.iter().all(|bound| is_constant(bound)) {
            let line = code[..i].lines().count();
            found.push(format!("line {line}: clamp({})", bounds.join(",")));
        }
    }
    found
}

#[test]
fn clamping_to_computed_bounds_cannot_panic() {
    let mut wrong = Vec::new();
    each_source(|_, path, text| {
        if !is_test(path) && !path.ends_with("galatea-math/src/clamp.rs") {
            let found = computed_bounds(text).into_iter();
            let told = found.map(|what| format!("{} {what}: use `clamp_to`", path.display()));
            wrong.extend(told);
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn computed_bounds_are_distinguished_from_constants() {
    for good in [
        "x.clamp(0.0, 1.0)",
        "x.clamp(-MOST, f64::from(MOST))",
        "x.clamp(\n    1,\n    self::N,\n)",
        "x.clamp_to(a, b)",
    ] {
        assert_eq!(computed_bounds(good), [""; 0], "{good}");
    }
    for bad in [
        "x.clamp(0.0, most)",
        "x.clamp(0, n - 1)",
        "(a + b).clamp(low(1, 2), 5)",
    ] {
        assert_eq!(computed_bounds(bad).len(), 1, "{bad}");
    }
}
