//! Projects: creating, checking, testing.

use std::fs;

use super::folder;
use crate::program::{can_draw, err, galatea, out};

#[test]
fn a_new_project_checks_tests_and_renders() {
    let dir = folder("new");
    let path = dir.to_str().unwrap();
    let made = galatea(&["new", path]);
    assert!(made.status.success(), "{}", err(&made));
    let again = galatea(&["new", path]);
    assert_eq!(again.status.code(), Some(1), "a full folder is left alone");

    let checked = galatea(&["check", path, "--json"]);
    assert!(
        checked.status.success(),
        "{}{}",
        out(&checked),
        err(&checked)
    );
    let findings: serde_json::Value = serde_json::from_str(&out(&checked)).unwrap();
    assert_eq!(findings["errors"].as_array().unwrap().len(), 0);
    assert_eq!(
        findings["warnings"].as_array().unwrap().len(),
        0,
        "{findings}"
    );

    let tested = galatea(&["test", path]);
    assert!(tested.status.success(), "{}{}", out(&tested), err(&tested));
    assert!(
        out(&tested).ends_with("1 passed, 0 failed\n"),
        "{}",
        out(&tested)
    );

    let recording = dir.join("out");
    let recorded = galatea(&[
        "record",
        path,
        "--seconds",
        "1",
        "--no-pictures",
        "-o",
        recording.to_str().unwrap(),
    ]);
    assert!(recorded.status.success(), "{}", err(&recorded));
    let wav = fs::read(recording.join("sound.wav")).unwrap();
    assert_eq!(wav.len(), 44 + 48_000 * 4);

    if can_draw() {
        let shot = dir.join("shot.png");
        let done = galatea(&[
            "shot",
            path,
            "--at",
            "0.5",
            "--size",
            "160x90",
            "-o",
            shot.to_str().unwrap(),
        ]);
        assert!(done.status.success(), "{}", err(&done));
        assert_eq!(&fs::read(&shot).unwrap()[1..4], b"PNG");
    }
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn every_template_is_a_project_without_faults_whose_test_passes_and_whose_page_names_it() {
    for template in ["walker", "talker", "crowd", "ragdoll", "empty"] {
        let dir = folder(&format!("template {template}"));
        let path = dir.to_str().unwrap();
        let made = galatea(&["new", path, "--template", template]);
        assert!(made.status.success(), "{}", err(&made));
        let checked = galatea(&["check", path]);
        assert!(checked.status.success(), "{}", err(&checked));
        assert!(
            out(&checked).contains("0 errors, 0 warnings"),
            "{}",
            out(&checked)
        );
        let tested = galatea(&["test", path]);
        assert!(tested.status.success(), "{}{}", out(&tested), err(&tested));
        let page = fs::read_to_string(dir.join("README.md")).unwrap();
        let name = dir.file_name().unwrap().to_str().unwrap();
        assert!(page.starts_with(&format!("# {name}\n")), "{page}");
        let test = fs::read_dir(dir.join("tests"))
            .unwrap()
            .flatten()
            .next()
            .unwrap();
        let test = test.file_name().into_string().unwrap();
        assert!(
            template == "empty" || page.contains(&format!("tests/{test}")),
            "{template}: {test}"
        );
        assert!(dir.join(".github/workflows/check.yml").is_file());
        fs::remove_dir_all(&dir).unwrap();
    }
    let wrong = galatea(&["new", "nowhere", "--template", "walkr"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(err(&wrong).contains("walker"), "{}", err(&wrong));
}

#[test]
fn check_finds_errors_in_unreached_code() {
    let dir = folder("lint");
    let path = dir.to_str().unwrap();
    assert!(galatea(&["new", path]).status.success());
    let late = "local late = {}\nfunction late.never()\n\tsuond.play(\"x\")\nend\nreturn late\n";
    fs::write(dir.join("scripts/late.lua"), late).unwrap();
    let checked = galatea(&["check", path]);
    assert_eq!(checked.status.code(), Some(1));
    let wanted =
        "error: scripts/late.lua:3:2: there is no global \"suond\"; did you mean \"sound\"?";
    assert!(err(&checked).contains(wanted), "{}", err(&checked));
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn check_lists_every_fault_of_a_project_at_once() {
    let dir = folder("check");
    let path = dir.to_str().unwrap();
    assert!(galatea(&["new", path]).status.success());
    fs::write(
        dir.join("scripts/main.lua"),
        "local h = character 'assets/galatea.glb'\nh:play('wlak')\n",
    )
    .unwrap();
    fs::write(dir.join("assets/sounds/bad.wav"), "no").unwrap();
    fs::write(dir.join("assets/broken.glb"), "glTF").unwrap();
    fs::create_dir_all(dir.join("shaders")).unwrap();
    fs::write(dir.join("shaders/sky.wgsl"), "fn fs( {").unwrap();
    fs::write(dir.join("shaders/hero.wgsl"), "fn f() {}").unwrap();
    fs::write(dir.join("galatea.toml"), "name = \"x\"\n").unwrap();
    let checked = galatea(&["check", path]);
    assert_eq!(checked.status.code(), Some(1));
    let text = err(&checked);
    for words in [
        "main.lua:2: ",
        "\"walk\"",
        "bad.wav",
        "broken.glb",
        "sky.wgsl:1",
        "warning: shaders/hero.wgsl is not used, because no built-in shader has this name: a file in shaders/ replaces",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let n_reports = text.matches("main.lua:2: ").count();
    assert_eq!(
        n_reports, 1,
        "the check of the text and the run find the same fault: {text}"
    );
    fs::write(dir.join("galatea.toml"), "nmae = \"x\"\n").unwrap();
    let checked = galatea(&["check", path]);
    assert!(
        err(&checked).contains("galatea.toml") && err(&checked).contains("nmae"),
        "{}",
        err(&checked)
    );
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn failing_lua_tests_report_name_and_position_and_exit_1() {
    let dir = folder("failing");
    let path = dir.to_str().unwrap();
    assert!(galatea(&["new", path]).status.success());
    fs::write(dir.join("tests/fails.lua"), "test('one is two', function(t)\n\tt:run(0.1)\n\tt:expect(1 == 2)\nend)\ntest('fine', function(t) t:expect(true) end)\n").unwrap();
    let tested = galatea(&["test", path]);
    assert_eq!(tested.status.code(), Some(1));
    let text = out(&tested);
    assert!(
        text.contains("FAILED  one is two") && text.contains("tests/fails.lua:3"),
        "{text}"
    );
    assert!(text.ends_with("2 passed, 1 failed\n"), "{text}");
    let filtered = galatea(&["test", path, "--filter", "fine", "--report", "junit"]);
    assert!(filtered.status.success());
    assert!(out(&filtered).contains("<testcase classname=\"tests/fails.lua\" name=\"fine\""));
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn check_covers_used_shared_assets() {
    let dir = folder("sharing");
    for sub in ["game/scripts", "common"] {
        fs::create_dir_all(dir.join(sub)).unwrap();
    }
    fs::write(dir.join("common/broken.glb"), "glTF and no more").unwrap();
    fs::write(
        dir.join("game/galatea.toml"),
        "[assets]\nalso = ['../common']\n",
    )
    .unwrap();
    let game = dir.join("game");
    let check = |script: &str| {
        fs::write(game.join("scripts/main.lua"), script).unwrap();
        galatea(&["check", game.to_str().unwrap()])
    };
    let unused = check("");
    assert!(unused.status.success(), "{}", err(&unused));
    let used = check("character 'assets/broken.glb'");
    assert_eq!(used.status.code(), Some(1));
    assert!(err(&used).contains("broken.glb"), "{}", err(&used));
    fs::remove_dir_all(&dir).unwrap();
}
