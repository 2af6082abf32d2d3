//! The guide: all links are valid, all pages are listed, and all Lua code runs.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::program::{err, galatea, out};

/// Pages outside of docs/.
const BESIDE: [&str; 5] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "examples/README.md",
];

/// Names that Lua fragments may use. Whole scripts begin with a comment `-- main.lua`.
const GIVEN: &str = r#"local hero = character "assets/galatea.glb"
hero.machine = machine {
	params = { speed = 0 },
	state "idle" { "idle" },
	state "move" { blend1d { param = "speed", { 1.4, "walk" }, { 4.2, "run" } } },
	state "jump" { "jump", mode = "once" },
	transition_to "move" { from = "idle", when = "speed > 0.1" },
	transition_to "idle" { from = "move", when = "speed < 0.1" },
	transition_to "jump" { on = "jump" },
	transition_to "idle" { from = "jump", at_end = true },
}
local other = character "assets/galatea.glb" { position = vector.create(1.5, 0, 0) }
local door = physics.box { position = vector.create(0, 1, 3), size = vector.create(1, 2, 0.05), body_type = "kinematic" }
"#;

fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Pages below a folder, relative to the repository.
fn pages(folder: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(home().join(folder)).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        let path = Path::new(folder).join(&name);
        if entry.path().is_dir() {
            pages(path.to_str().unwrap(), found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

fn all_pages() -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = BESIDE.iter().map(PathBuf::from).collect();
    pages("docs", &mut all);
    all.sort();
    all
}

/// Lines of a page, with the content of code blocks removed.
fn prose(text: &str) -> Vec<&str> {
    let mut is_code = false;
    let lines = text.lines().map(|line| {
        let fence = line.trim_start().starts_with("```");
        is_code ^= fence;
        if is_code || fence { "" } else { line }
    });
    lines.collect()
}

/// Anchors of a page's headings, as GitHub and mdBook create them.
fn anchors(text: &str) -> HashSet<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut all = HashSet::new();
    for line in prose(text).iter().filter(|line| line.starts_with('#')) {
        let mut title = line.trim_start_matches('#').trim().to_lowercase();
        while let (Some(open), Some(close)) = (title.find("]("), title.rfind(')')) {
            title.replace_range(open..=close, "");
        }
        let kept = title
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        let slug: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let n = seen.entry(slug.clone()).or_default();
        all.insert(if *n == 0 {
            slug.clone()
        } else {
            format!("{slug}-{n}")
        });
        *n += 1;
    }
    all
}

/// Link targets of a line.
fn links(line: &str) -> Vec<&str> {
    let starts = line.match_indices("](").map(|(i, _)| i + 2);
    let targets = starts.filter_map(|start| Some(&line[start..start + line[start..].find(')')?]));
    targets
        .map(|target| target.split(' ').next().unwrap())
        .collect()
}

/// A path without `.` and `..`.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(tidy.pop()),
            Component::CurDir => {}
            other => tidy.push(other),
        }
    }
    tidy
}

#[test]
fn every_link_of_every_page_leads_somewhere() {
    let mut texts: HashMap<PathBuf, String> = HashMap::new();
    let mut wrong = Vec::new();
    let mut n = 0;
    for page in all_pages() {
        let text = fs::read_to_string(home().join(&page)).unwrap();
        for (i, line) in prose(&text).iter().enumerate() {
            for link in links(line) {
                let place = format!("{}:{}: {link}", page.display(), i + 1);
                if link.contains("://") || link.starts_with("mailto:") {
                    continue;
                }
                n += 1;
                let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
                let target = match file {
                    "" => page.clone(),
                    file => tidy(&page.parent().unwrap().join(file)),
                };
                if !home().join(&target).exists() {
                    wrong.push(place);
                    continue;
                }
                if anchor.is_empty() || target.extension().is_none_or(|e| e != "md") {
                    continue;
                }
                let text = texts
                    .entry(target.clone())
                    .or_insert_with(|| fs::read_to_string(home().join(&target)).unwrap());
                if !anchors(text).contains(anchor) {
                    wrong.push(format!("{place} (no such heading)"));
                }
            }
        }
    }
    assert!(n > 400, "{n} links");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_book_lists_every_page_once() {
    let summary = fs::read_to_string(home().join("docs/SUMMARY.md")).unwrap();
    let listed: Vec<&str> = summary.lines().flat_map(links).collect();
    let unique: HashSet<&str> = listed.iter().copied().collect();
    assert_eq!(listed.len(), unique.len(), "a page is listed twice");
    let mut all = Vec::new();
    pages("docs", &mut all);
    for page in all {
        let name = page.strip_prefix("docs").unwrap().to_str().unwrap();
        assert!(
            name == "SUMMARY.md" || unique.contains(name),
            "{name} is not in the book"
        );
    }
}

/// Lua blocks of a page, with their line numbers.
fn blocks(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (i, line) in text.lines().enumerate() {
        match (&mut open, line) {
            (None, "```lua") => open = Some((i + 2, String::new())),
            (Some(_), "```") => found.extend(open.take()),
            (Some((_, block)), line) => {
                block.push_str(line);
                block.push('\n');
            }
            _ => {}
        }
    }
    found
}

/// A project with all characters and sounds of the repository, for the Lua of pages.
struct GuideProject(PathBuf);

impl GuideProject {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("galatea-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        assert!(galatea(&["new", dir.to_str().unwrap()]).status.success());
        // The tests of the template belong to its own script.
        fs::remove_dir_all(dir.join("tests")).unwrap();
        fs::create_dir(dir.join("tests")).unwrap();
        for folder in ["assets", "assets/sounds"] {
            for entry in fs::read_dir(home().join(folder)).unwrap().flatten() {
                if entry.path().is_file() {
                    let copy = dir.join(folder).join(entry.file_name());
                    fs::copy(entry.path(), copy).unwrap();
                }
            }
        }
        // The file name that the pages use for the reader's own character.
        fs::copy(dir.join("assets/galatea.glb"), dir.join("assets/hero.glb")).unwrap();
        Self(dir)
    }

    /// Runs all Lua blocks of a page; returns their number.
    fn run(&self, page: &str) -> usize {
        let path = self.0.to_str().unwrap();
        let text = fs::read_to_string(home().join(page)).unwrap();
        let blocks = blocks(&text);
        for (line, block) in &blocks {
            if block.starts_with("-- tests/") {
                let file = self.0.join("tests/guide.lua");
                fs::write(&file, block).unwrap();
                let ran = galatea(&["test", path]);
                assert!(
                    ran.status.success(),
                    "{page}:{line}: {}{}",
                    out(&ran),
                    err(&ran)
                );
                fs::remove_file(file).unwrap();
                continue;
            }
            let script = if block.starts_with("-- main.lua") {
                block.clone()
            } else {
                format!("{GIVEN}{block}")
            };
            fs::write(self.0.join("scripts/main.lua"), script).unwrap();
            let checked = galatea(&["check", path, "--no-transitions"]);
            assert!(
                checked.status.success(),
                "{page}:{line}: {}{}",
                out(&checked),
                err(&checked)
            );
        }
        blocks.len()
    }
}

impl Drop for GuideProject {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_lua_of_the_guide_runs() {
    let project = GuideProject::new("guide");
    let guide = [
        "introduction",
        "start",
        "blender",
        "shipping",
        "troubleshooting",
        "formats",
        "many",
        "events",
    ];
    let from =
        ["love", "defold", "roblox", "godot", "unreal"].map(|name| format!("coming-from-{name}"));
    let names = guide.iter().map(|name| (*name).to_owned()).chain(from);
    let n: usize = names
        .map(|name| project.run(&format!("docs/{name}.md")))
        .sum();
    assert!(n > 15, "{n} blocks");
}

/// Runs the Lua of all pages of a folder of docs; returns the number of blocks.
fn run_folder(folder: &str) -> usize {
    let project = GuideProject::new(folder);
    let mut all = Vec::new();
    pages(&format!("docs/{folder}"), &mut all);
    all.sort();
    let blocks = all.iter().map(|page| project.run(page.to_str().unwrap()));
    blocks.sum()
}

#[test]
fn the_lua_of_the_tutorials_and_explanations_runs() {
    assert!(run_folder("tutorials") > 10);
    assert!(run_folder("explanation") > 5);
}

#[test]
fn the_lua_of_the_how_to_guides_runs() {
    assert!(run_folder("howto") >= 30);
}
