//! The modules of a crate form layers: import cycles are not allowed, neither direct nor indirect.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::workspace::{crates, sources};

/// Path of a module in its crate; empty for the root, which re-exports.
type Module = Vec<String>;

/// All modules of a crate with their code, without comments and tests.
fn modules(src: &Path) -> BTreeMap<Module, String> {
    let mut files = Vec::new();
    sources(src, &mut files);
    let mut modules = BTreeMap::new();
    for file in files {
        let relative = file.strip_prefix(src).unwrap().with_extension("");
        let parts = relative
            .iter()
            .map(|part| part.to_str().unwrap().to_owned());
        let mut module: Module = parts.collect();
        if ["mod", "lib", "main"].contains(&module.last().unwrap().as_str()) {
            module.pop();
        }
        if module.iter().any(|part| part == "tests") {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let own = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap();
        let lines = own.lines().map(|line| line.split("//").next().unwrap());
        let code: Vec<&str> = lines.collect();
        modules.insert(module, code.join("\n").replace("pub(super)", "pub"));
    }
    modules
}

fn segments(path: &str) -> Vec<&str> {
    path.split("::").filter(|part| !part.is_empty()).collect()
}

/// The paths in `text`, which follows `crate::`, `super::` or `self::`; paths in braces one by one.
fn paths(text: &str) -> Vec<Vec<&str>> {
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let end = text.find(|c| !is_path(c)).unwrap_or(text.len());
    let (head, rest) = text.split_at(end);
    let first = segments(head);
    if !(head.is_empty() || head.ends_with("::")) || !rest.starts_with('{') {
        return vec![first];
    }
    let (mut depth, mut start, mut all) = (0, 1, Vec::new());
    for (at, c) in rest.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if (c == ',' && depth == 1) || (c == '}' && depth == 0) {
            let item = rest[start..at].trim();
            let end = item.find(|c| !is_path(c)).unwrap_or(item.len());
            all.push([first.clone(), segments(&item[..end])].concat());
            start = at + 1;
        }
        if depth == 0 {
            break;
        }
    }
    all
}

/// Modules that a module imports from or names by a path.
fn imports(module: &Module, code: &str, all: &BTreeMap<Module, String>) -> BTreeSet<Module> {
    let mut found = BTreeSet::new();
    for (keyword, up) in [("crate::", None), ("self::", Some(0)), ("super::", Some(1))] {
        for (at, _) in code.match_indices(keyword) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            for path in paths(&code[at + keyword.len()..]) {
                let mut base = match up {
                    None => Module::new(),
                    Some(up) => module[..module.len().saturating_sub(up)].to_vec(),
                };
                for part in path {
                    if part == "super" {
                        base.pop();
                        continue;
                    }
                    base.push(part.to_owned());
                    if !all.contains_key(&base) {
                        base.pop();
                        break;
                    }
                }
                found.insert(base);
            }
        }
    }
    found.remove(module);
    found.remove(&Module::new());
    found.retain(|other| all.contains_key(other));
    found
}

/// Modules on cycles or between two cycles, each with its imports among them.
fn tangled(all: &BTreeMap<Module, String>) -> BTreeMap<Module, BTreeSet<Module>> {
    let uses = all.iter().filter(|(module, _)| !module.is_empty());
    let mut uses: BTreeMap<Module, BTreeSet<Module>> = uses
        .map(|(module, code)| (module.clone(), imports(module, code, all)))
        .collect();
    loop {
        let before = uses.len();
        let kept: BTreeSet<Module> = uses.keys().cloned().collect();
        let used: BTreeSet<Module> = uses.values().flatten().cloned().collect();
        for others in uses.values_mut() {
            others.retain(|other| kept.contains(other));
        }
        uses.retain(|module, others| !others.is_empty() && used.contains(module));
        if uses.len() == before {
            return uses;
        }
    }
}

#[test]
fn modules_of_a_crate_have_no_import_cycles() {
    let mut wrong = Vec::new();
    for (name, folder) in crates() {
        for (module, others) in tangled(&modules(&folder.join("src"))) {
            let others: Vec<String> = others.iter().map(|other| other.join("::")).collect();
            wrong.push(format!(
                "{name}: {} -> {}",
                module.join("::"),
                others.join(", ")
            ));
        }
    }
    assert!(wrong.is_empty(), "import cycles:\n{}", wrong.join("\n"));
}

#[test]
fn a_cycle_through_three_modules_is_found_and_a_diamond_is_none() {
    let module = |name: &str| vec![name.to_owned()];
    let code = |all: &[(&str, &str)]| -> BTreeMap<Module, String> {
        all.iter()
            .map(|(name, code)| (module(name), (*code).to_owned()))
            .collect()
    };
    let diamond = [
        ("a", "use super::{b::X, c};"),
        ("b", "use crate::d::Y;"),
        ("c", "fn f() -> super::d::Y {}"),
        ("d", ""),
    ];
    assert_eq!(tangled(&code(&diamond)), BTreeMap::new());
    let circle = [
        ("a", "use super::b;"),
        ("b", "use super::{c::{X, Y}};"),
        ("c", "use crate::a::Z;"),
    ];
    let found = tangled(&code(&circle));
    assert_eq!(
        found.keys().cloned().collect::<Vec<_>>(),
        ["a", "b", "c"].map(module)
    );
}
