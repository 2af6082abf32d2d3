//! The limits in docs/limits.md are those of the code.

use std::fs;

use crate::architecture::place;

const PAGE: &str = include_str!("../../docs/limits.md");

/// Value of a constant as written: `1 << 20`, `100_000`, `1e9`.
fn value(text: &str, name: &str) -> Option<f64> {
    let start = format!("const {name}: ");
    let from = text.find(&start)? + start.len();
    let line = text[from..].split(';').next()?;
    let written = line.split_once('=')?.1.trim();
    let number = |text: &str| text.trim().replace('_', "").parse::<f64>().ok();
    match written.split_once("<<") {
        Some((base, shift)) => Some(number(base)? * number(shift)?.exp2()),
        None => number(written),
    }
}

/// Numbers of a row: digits with spaces between thousands.
fn numbers(row: &str) -> Vec<f64> {
    let mut text = String::new();
    let chars: Vec<char> = row.chars().collect();
    for (i, c) in chars.iter().enumerate() {
        let is_digit = |j: Option<usize>| {
            let c = j.and_then(|j| chars.get(j));
            c.is_some_and(char::is_ascii_digit)
        };
        let joins = *c == ' ' && is_digit(i.checked_sub(1)) && is_digit(Some(i + 1));
        if !joins {
            text.push(*c);
        }
    }
    let parts = text.split(|c: char| !c.is_ascii_digit() && c != '.');
    parts
        .filter_map(|part| part.trim_matches('.').parse().ok())
        .collect()
}

#[test]
fn the_figures_of_the_page_are_those_of_the_code() {
    let mut n = 0;
    let mut wrong = Vec::new();
    for row in PAGE.lines().filter(|line| line.starts_with('|')) {
        for quoted in row.split('`').skip(1).step_by(2) {
            let Some((path, name)) = quoted.split_once("::") else {
                continue;
            };
            let text = fs::read_to_string(place(path)).unwrap_or_default();
            let value = value(&text, name);
            if !value.is_some_and(|value| numbers(row).contains(&value)) {
                wrong.push(format!("{quoted} is {value:?}, not in: {row}"));
            }
            n += 1;
        }
    }
    assert!(n > 20, "{n} constants are named");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
