//! ARCHITECTURE.md agrees with the workspace: its paths and items exist, its picture has the dependencies of the crates, its
//! table has their limited packages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use crate::workspace::{PACKAGES, crates, dependencies, home};

const PAGE: &str = include_str!("../../ARCHITECTURE.md");

/// Folders of the repository at the start of paths in the page. Other paths start with a crate.
const FOLDERS: [&str; 8] = [
    ".ci", ".github", "crates", "docs", "scripts", "shaders", "src", "tests",
];

/// The file or folder of a path in the page.
pub(crate) fn place(path: &str) -> PathBuf {
    let (first, rest) = path.split_once('/').unwrap();
    if FOLDERS.contains(&first) {
        return home().join(path);
    }
    home()
        .join(format!("crates/galatea-{first}/src"))
        .join(rest)
}

/// Returns true if a line of a file defines an item with this name.
fn defines(text: &str, item: &str) -> bool {
    let words = [
        "const",
        "enum",
        "fn",
        "macro_rules!",
        "static",
        "struct",
        "trait",
        "type",
    ];
    words.iter().any(|word| {
        let start = format!("{word} {item}");
        text.match_indices(&start).any(|(at, _)| {
            let next = text[at + start.len()..].chars().next();
            next.is_none_or(|c| !c.is_alphanumeric() && c != '_')
        })
    })
}

#[test]
fn every_path_and_item_of_the_page_exists() {
    let is_path = |text: &&str| {
        text.contains('/') && !text.contains([' ', '*', '=', '"']) && !text.starts_with("./")
    };
    let mut n = 0;
    let mut wrong = Vec::new();
    // Quoted text is every second part between backticks.
    for quoted in PAGE.split('`').skip(1).step_by(2).filter(is_path) {
        n += 1;
        let (path, item) = quoted.split_once("::").unwrap_or((quoted, ""));
        let place = place(path);
        let is_there = match item {
            "" => place.exists(),
            item => fs::read_to_string(&place).is_ok_and(|text| defines(&text, item)),
        };
        if !is_there {
            wrong.push(quoted);
        }
    }
    assert!(n > 250, "{n} paths");
    assert!(wrong.is_empty(), "not there: {wrong:#?}");
}

type Edges = BTreeSet<(String, String)>;

/// The edges of the diagram.
fn drawn() -> Edges {
    let picture = PAGE.split("```mermaid").nth(1).unwrap();
    let picture = picture.split("```").next().unwrap();
    let mut edges = Edges::new();
    for line in picture.lines().filter(|line| line.contains("-->")) {
        let groups: Vec<Vec<&str>> = line
            .split("-->")
            .map(|group| group.split('&').map(str::trim).collect())
            .collect();
        for pair in groups.windows(2) {
            for from in &pair[0] {
                edges.extend(pair[1].iter().map(|to| ((*from).into(), (*to).into())));
            }
        }
    }
    edges
}

/// Dependencies between crates, by their short names.
fn graph() -> BTreeMap<String, BTreeSet<String>> {
    let short = |name: &str| name.trim_start_matches("galatea-").to_owned();
    let all = crates();
    all.iter()
        .map(|(name, folder)| {
            let own = dependencies(folder).into_iter();
            let own = own.filter(|package| all.contains_key(package));
            (short(name), own.map(|package| short(&package)).collect())
        })
        .collect()
}

fn reaches(graph: &BTreeMap<String, BTreeSet<String>>, from: &str, to: &str) -> bool {
    from == to || graph[from].iter().any(|next| reaches(graph, next, to))
}

#[test]
fn the_picture_shows_the_dependencies_of_the_crates() {
    let graph = graph();
    let mut edges = Edges::new();
    for (from, all) in &graph {
        for to in all {
            let is_implied = all
                .iter()
                .any(|other| other != to && reaches(&graph, other, to));
            if !is_implied {
                edges.insert((from.clone(), to.clone()));
            }
        }
    }
    let drawn = drawn();
    let missing: Vec<_> = edges.difference(&drawn).collect();
    let excess: Vec<_> = drawn.difference(&edges).collect();
    assert!(
        missing.is_empty() && excess.is_empty(),
        "missing {missing:?}, not so or implied {excess:?}"
    );
}

#[test]
fn the_table_lists_the_limited_packages_of_each_crate() {
    for name in crates().keys() {
        let short = name.trim_start_matches("galatea-");
        let start = format!("| `{short}` ");
        let row = PAGE.lines().find(|line| line.starts_with(&start));
        let row = row.unwrap_or_else(|| panic!("no row for {short}"));
        let listed = row.trim_end_matches('|').rsplit('|').next().unwrap();
        let listed: Vec<String> = listed
            .split(',')
            .map(|package| package.trim().replace('\\', ""))
            .filter(|package| !package.is_empty())
            .collect();
        let limited = PACKAGES
            .iter()
            .filter(|(_, of)| of.contains(&name.as_str()));
        let limited: Vec<String> = limited
            .map(|(package, of)| format!("{package}{}", if of.len() > 1 { "*" } else { "" }))
            .collect();
        assert_eq!(listed, limited, "{name}");
    }
}
