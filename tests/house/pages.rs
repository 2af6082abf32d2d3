//! Generated pages match the registration tables (`./x bless` writes them again), and the rows page names existing
//! tests.

use std::fs;
use std::path::Path;

use galatea::recipe::RECIPE_GROUPS;
use galatea::script::{luacats_definitions, reference};

fn same_as(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("GALATEA_BLESS").is_some() {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).unwrap();
        }
        fs::write(&path, text).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == text,
        "{file} is not what the tables say: run ./x bless"
    );
}

#[test]
fn the_reference_page_is_up_to_date() {
    same_as("docs/lua-api.md", &reference::markdown());
    same_as("docs/events.md", &reference::events_markdown());
    same_as(
        "docs/forge-api.md",
        &reference::recipes_markdown(RECIPE_GROUPS),
    );
}

#[test]
fn the_editor_stubs_are_up_to_date() {
    same_as("galatea.d.luau", &reference::luau_definitions());
    same_as("galatea.meta.lua", &luacats_definitions());
}

/// Rows per chapter of Character Animation with Direct3D (Granberg 2009): chapter, first and last.
const ROWS: [(u32, u32, u32); 18] = [
    (4, 1, 21),
    (5, 1, 13),
    (5, 20, 25),
    (5, 30, 39),
    (5, 50, 67),
    (6, 1, 15),
    (6, 17, 17),
    (6, 19, 22),
    (6, 24, 31),
    (7, 1, 15),
    (7, 20, 37),
    (9, 1, 22),
    (10, 1, 15),
    (11, 1, 15),
    (12, 1, 20),
    (13, 1, 22),
    (14, 1, 20),
    (15, 1, 21),
];

/// Names of the tests in a source.
fn tests_of(source: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut lines = source.lines().map(str::trim);
    while let Some(line) = lines.next() {
        if line != "#[test]" {
            continue;
        }
        let head = lines.find(|line| !line.starts_with("#["));
        let name = head.and_then(|head| head.strip_prefix("fn ")?.split('(').next());
        names.extend(name);
    }
    names
}

#[test]
fn every_row_of_the_book_names_tests_that_exist_or_says_why_there_is_none() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(home.join("docs/rows.md")).unwrap();
    let mut rows = Vec::new();
    let mut wrong = Vec::new();
    for line in page.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let Some(id) = cells
            .get(1)
            .filter(|id| id.starts_with(|c: char| c.is_ascii_digit()))
        else {
            continue;
        };
        rows.push((*id).to_owned());
        let ["", _, rule, proof, ""] = cells[..] else {
            wrong.push(format!("{id}: a row has three cells"));
            continue;
        };
        if rule.is_empty() {
            wrong.push(format!("{id}: no rule"));
        }
        if let Some(reason) = proof.strip_prefix("None: ") {
            if reason.split_whitespace().count() < 4 {
                wrong.push(format!("{id}: no reason"));
            }
            continue;
        }
        for name in proof.split(", ") {
            let bare = name.strip_prefix('`').and_then(|n| n.strip_suffix('`'));
            let Some((file, test)) = bare.and_then(|name| name.split_once("::")) else {
                wrong.push(format!("{id}: {name:?} is not `file::test`"));
                continue;
            };
            match fs::read_to_string(home.join(file)) {
                Err(error) => wrong.push(format!("{id}: {file}: {error}")),
                Ok(source) if !tests_of(&source).contains(&test) => {
                    wrong.push(format!("{id}: {file} has no test {test}"));
                }
                Ok(_) => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let wanted: Vec<String> = ROWS
        .iter()
        .flat_map(|&(chapter, first, last)| {
            (first..=last).map(move |row| format!("{chapter}.{row:02}"))
        })
        .collect();
    assert_eq!(rows, wanted, "each row once, in order");
}
