//! The editor definitions are correct Luau, and name only types that they define.

use std::collections::BTreeSet;

use full_moon::LuaVersion;
use galatea_script::{luacats_definitions, reference::luau_definitions};

/// Converts type declarations to aliases, which a parser without declarations accepts.
fn as_aliases(definitions: &str) -> String {
    let mut out = String::new();
    let (mut class, mut n) = (None::<&str>, 0);
    let function = |rest: &str, own: &str| {
        let (name, signature) = rest.split_once('(').unwrap();
        let end = signature.rfind("): ").unwrap();
        let (params, result) = (&signature[..end], &signature[end + 3..]);
        // A type pack has no name outside of a declaration.
        let params = params.replace("...: ", "...");
        let params = params.replacen("self", own, 1);
        (name.to_owned(), format!("({params}) -> {result}"))
    };
    for line in definitions.lines() {
        n += 1;
        if let Some(name) = line.strip_prefix("declare class ") {
            class = Some(name);
        } else if line == "end" {
            class = None;
        } else if let Some(name) = class {
            match line.trim_start().strip_prefix("function ") {
                Some(rest) => {
                    let (_, ty) = function(rest, &format!("self: {name}"));
                    out += &format!("type T{n} = {ty}\n");
                }
                // The type of a property may continue on the next lines.
                None => match line.trim_start().strip_prefix("& ") {
                    Some(more) => out += &format!("\t& {more}\n"),
                    None => {
                        let (_, ty) = line.split_once(": ").unwrap();
                        out += &format!("type T{n} = {ty}\n");
                    }
                },
            }
        } else if let Some(rest) = line.strip_prefix("declare function ") {
            let (_, ty) = function(rest, "self");
            out += &format!("type T{n} = {ty}\n");
        } else if let Some(rest) = line.strip_prefix("declare ") {
            let (_, ty) = rest.split_once(": ").unwrap();
            out += &format!("type T{n} = {ty}\n");
        } else {
            out += line;
            out.push('\n');
        }
    }
    out
}

/// Capitalised words of a text, outside of quotes and comments.
fn capitals(text: &str) -> BTreeSet<&str> {
    let mut words = BTreeSet::new();
    for line in text.lines() {
        let code = line.split("--").next().unwrap_or_default();
        let unquoted = code.split('"').step_by(2);
        let found =
            unquoted.flat_map(|part| part.split(|c: char| !c.is_alphanumeric() && c != '_'));
        words.extend(found.filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase())));
    }
    words
}

#[test]
fn the_definitions_are_valid_luau_and_complete() {
    let definitions = luau_definitions();
    let aliases = as_aliases(&definitions);
    let parsed = full_moon::parse_fallible(&aliases, LuaVersion::luau());
    let faults: Vec<String> = parsed.errors().iter().map(ToString::to_string).collect();
    assert!(faults.is_empty(), "{faults:?}\n{aliases}");
    let defined = |line: &str| {
        let name = line
            .strip_prefix("declare class ")
            .or(line.strip_prefix("export type "));
        name.map(|name| name.split(' ').next().unwrap().to_owned())
    };
    let defined: BTreeSet<String> = definitions.lines().filter_map(defined).collect();
    let numbered = |word: &&str| word.starts_with('T') && word[1..].parse::<u32>().is_ok();
    let named = capitals(&aliases)
        .into_iter()
        .filter(|word| !numbered(word));
    let unknown: Vec<&str> = named.filter(|word| !defined.contains(*word)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    assert!(defined.contains("PlayOptions") && defined.contains("StepEvent"));
}

#[test]
fn both_definitions_define_the_same_types() {
    let names = |text: &str, prefixes: &[&str]| -> BTreeSet<String> {
        let name = |line: &str| {
            let rest = prefixes
                .iter()
                .find_map(|prefix| line.strip_prefix(prefix))?;
            rest.split([' ', ':']).next().map(str::to_owned)
        };
        text.lines().filter_map(name).collect()
    };
    let mut luacats = names(&luacats_definitions(), &["---@class "]);
    for own in ["vector", "vectorlib"] {
        assert!(luacats.remove(own), "{own}");
    }
    let luau = names(&luau_definitions(), &["declare class ", "export type "]);
    let only =
        |a: &BTreeSet<String>, b: &BTreeSet<String>| a.difference(b).cloned().collect::<Vec<_>>();
    assert_eq!(only(&luacats, &luau), [""; 0], "only in LuaCATS");
    assert_eq!(only(&luau, &luacats), ["Test"], "only in Luau");
}
