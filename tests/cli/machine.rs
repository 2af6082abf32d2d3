//! Reports about the machine and the program, and shell integration.

use std::fs;

use super::folder;
use crate::program::{can_draw, err, galatea, out};

#[test]
fn doctor_draws_lists_adapters_and_refuses_unknown_ones() {
    if !can_draw() {
        return;
    }
    let told = galatea(&["doctor", "--json"]);
    assert!(told.status.success(), "{}", err(&told));
    let report: serde_json::Value = serde_json::from_str(&out(&told)).unwrap();
    let finding = |what: &str| {
        let all = report["findings"].as_array().unwrap();
        let found = all.iter().find(|finding| finding["what"] == what);
        found.unwrap_or_else(|| panic!("{what}: {report}")).clone()
    };
    assert_eq!(finding("picture")["state"], "good");
    assert_eq!(finding("display")["state"], "without");
    let adapters = report["adapters"].as_array().unwrap();
    let name = adapters[0]["name"].as_str().unwrap();
    let list = out(&galatea(&["--list-adapters"]));
    assert!(list.contains(name), "{list}");
    let part = &name[..4];
    let by_name = galatea(&["doctor", "--adapter", &part.to_uppercase()]);
    assert!(
        by_name.status.success() && out(&by_name).contains(name),
        "{}",
        out(&by_name)
    );
    let none = galatea(&[
        "shot",
        "assets/mannequin.glb",
        "--adapter",
        "Voodoo",
        "-o",
        "x.png",
    ]);
    assert_eq!(none.status.code(), Some(1));
    let why = err(&none);
    assert!(
        why.contains("no graphics adapter has \"Voodoo\" in its name") && why.contains(name),
        "{why}"
    );
    let wrong = galatea(&["--backend", "vulcan", "doctor"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        err(&wrong).contains("did you mean \"vulkan\""),
        "{}",
        err(&wrong)
    );
}

#[test]
fn doctor_reports_the_memory_of_a_project_by_category() {
    if !can_draw() {
        return;
    }
    let told = galatea(&["doctor", "--memory", "assets/mannequin.glb", "--json"]);
    assert!(told.status.success(), "{}", err(&told));
    let report: serde_json::Value = serde_json::from_str(&out(&told)).unwrap();
    let bytes = |kind: &str, what: &str| {
        let rows = report["memory"].as_array().unwrap();
        let row = rows
            .iter()
            .find(|row| row["kind"] == kind && row["what"] == what);
        let row = row.unwrap_or_else(|| panic!("{kind} {what}: {report}"));
        row["bytes"].as_u64().unwrap()
    };
    assert!(bytes("model", "mannequin: vertices") > 100_000);
    assert!(bytes("scripts", "all tables, functions and texts") > 100_000);
    // Two shadow maps of 2048 × 2048 texels of 4 bytes.
    assert_eq!(bytes("graphics", "sun"), 2 * 2048 * 2048 * 4);
    assert!(report["process"].as_u64().unwrap() > 50_000_000);
    let text = out(&galatea(&["doctor", "--memory", "assets/mannequin.glb"]));
    assert!(text.contains("MB  the whole process"), "{text}");
    let none = galatea(&["doctor", "--memory", "nowhere"]);
    assert_eq!(none.status.code(), Some(1));
}

#[test]
fn shells_and_man_know_every_command() {
    let bash = out(&galatea(&["completions", "bash"]));
    let dir = folder("man");
    let made = galatea(&["man", "-o", dir.to_str().unwrap()]);
    assert!(made.status.success(), "{}", err(&made));
    for command in ["play", "new", "bundle", "convert", "doctor"] {
        assert!(bash.contains(command), "{command}");
        let page = fs::read_to_string(dir.join(format!("galatea-{command}.1"))).unwrap();
        assert!(
            page.contains(".TH") && page.contains("galatea"),
            "{command}"
        );
    }
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn licences_name_every_package_that_is_built_in() {
    let text = out(&galatea(&["licenses"]));
    assert!(text.starts_with("Galatea may be used under the MIT licence"));
    assert!(text.contains("Permission is hereby granted") && text.contains("Apache License"));
    let manifest: toml::Table = toml::from_str(include_str!("../../Cargo.toml")).unwrap();
    let lock: toml::Table = toml::from_str(include_str!("../../Cargo.lock")).unwrap();
    let packages = lock["package"].as_array().unwrap();
    let built_in = &manifest["workspace"]["dependencies"];
    let built_in = built_in.as_table().unwrap().keys();
    let built_in = built_in.filter(|name| !name.starts_with("galatea") && *name != "proptest");
    // The licence text is in the program.
    for name in built_in.map(String::as_str).chain(["misaki-rs"]) {
        let is_it = |package: &&toml::Value| package["name"].as_str() == Some(name);
        let versions = packages
            .iter()
            .filter(is_it)
            .filter_map(|package| package["version"].as_str());
        let listed = versions
            .clone()
            .any(|version| text.contains(&format!("{name} {version}")));
        let versions: Vec<&str> = versions.collect();
        assert!(listed, "{name} {versions:?}: run scripts/licences.sh");
    }
}
