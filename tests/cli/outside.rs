//! Files, recordings and output: external errors are reported and do no damage.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use super::clip::mocap;
use super::lipsync::recording;
use crate::folder::Folder;
use crate::program::{err, galatea, out};

/// Writes pictures at its start and in its third tick.
const PICTURES: &str = r#"local scent = scent_field { size = vector.create(4, 0, 4) }
scent:add(vector.create(0, 0, 0))
scent:save_image("begin.png")
local hall, n = crowd_stats { size = vector.create(4, 0, 4) }, 0
function update()
	n += 1
	if n == 3 then print(scent:save_image("a.png"), hall:save_image("b.png")) end
end
"#;

/// Every file and link below a folder, with its content.
fn tree(folder: &Folder) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.0.clone()];
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(next)
            .unwrap()
            .map(|entry| entry.unwrap().path())
        {
            let content = if path.is_symlink() {
                let target = fs::read_link(&path).unwrap();
                target.to_str().unwrap().into()
            } else if path.is_dir() {
                folders.push(path.clone());
                Vec::new()
            } else {
                fs::read(&path).unwrap()
            };
            found.insert(path, content);
        }
    }
    found
}

fn record(folder: &Folder, more: &[&str]) -> std::process::Output {
    let to = format!("{}-recorded", folder.path());
    let args = ["record", folder.path(), "--no-pictures", "-o", &to];
    let recorded = galatea(&[&args[..], more].concat());
    let _ = fs::remove_dir_all(to);
    recorded
}

#[test]
fn a_check_writes_nothing_and_a_run_writes_what_scripts_ask_for() {
    let folder = Folder::project("writes", PICTURES);
    let before = tree(&folder);
    let checked = galatea(&["check", folder.path()]);
    assert!(checked.status.success(), "{}", err(&checked));
    assert!(err(&checked).contains("out/a.png"), "{}", err(&checked));
    assert!(tree(&folder) == before, "{:?}", tree(&folder).keys());
    let recorded = record(&folder, &["--seconds", "0.1"]);
    assert!(recorded.status.success(), "{}", err(&recorded));
    assert!(out(&recorded).contains("out/a.png\tout/b.png"));
    for name in ["begin.png", "a.png", "b.png"] {
        let picture = fs::read(folder.0.join("out").join(name)).unwrap();
        assert!(picture.starts_with(b"\x89PNG"), "{name}");
    }
    assert_eq!(fs::read_dir(folder.0.join("out")).unwrap().count(), 3);
}

#[test]
fn a_script_that_fails_when_it_begins_has_written_nothing() {
    let folder = Folder::project("rejected", &format!("{PICTURES}\nerror('not today')"));
    let before = tree(&folder);
    let recorded = record(&folder, &["--seconds", "0.1"]);
    assert!(!recorded.status.success());
    assert!(err(&recorded).contains("not today"), "{}", err(&recorded));
    assert!(tree(&folder) == before, "{:?}", tree(&folder).keys());
}

#[cfg(unix)]
#[test]
fn no_link_leads_pictures_of_scripts_out_of_their_folder() {
    use std::os::unix::fs::symlink;
    for (link, target) in [("out/a.png", "mine.png"), ("out", "mine")] {
        let folder = Folder::project("links", PICTURES);
        let away = Folder::new("away");
        away.write("mine.png", "mine");
        away.write("mine/a.png", "mine");
        let (before, target) = (tree(&away), away.0.join(target));
        fs::create_dir_all(folder.0.join(link).parent().unwrap()).unwrap();
        symlink(target, folder.0.join(link)).unwrap();
        for command in ["check", "record"] {
            let ran = match command {
                "check" => galatea(&["check", folder.path()]),
                _ => record(&folder, &["--seconds", "0.1"]),
            };
            assert!(tree(&away) == before, "{command} {link}");
            if command == "record" {
                assert!(!ran.status.success());
                assert!(err(&ran).contains("is a link"), "{}", err(&ran));
            }
        }
    }
}

/// On a full disk, simulated by a limit of zero bytes per file, no partial file is left, and existing files stay.
#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_and_leaves_no_empty_files() {
    let folder = Folder::project("full", PICTURES);
    folder.write("walk.bvh", mocap());
    let line = recording(&folder.0);
    folder.write("old.glb", "before");
    folder.write("old.tsv", "before");
    folder.write("out/b.png", "before");
    let before = tree(&folder);
    let at = |name: &str| folder.0.join(name).to_str().unwrap().to_owned();
    let (walk, line) = (at("walk.bvh"), line.to_str().unwrap().to_owned());
    let (glb, tsv, model) = (at("old.glb"), at("old.tsv"), at("assets/mannequin.glb"));
    let (new_glb, new_tsv, new_png, rec) = (at("new.glb"), at("new.tsv"), at("new.png"), at("rec"));
    let calls: &[&[&str]] = &[
        &["clip", &walk, "-o", &glb],
        &["clip", &walk, "-o", &new_glb],
        &["lipsync", &line, "-o", &tsv],
        &["lipsync", &line, "-o", &new_tsv],
        &["lipsync", &line, "--picture", &new_png],
        &["convert", &model, "-o", &new_glb],
        &["stubs", folder.path()],
        &[
            "record",
            folder.path(),
            "--no-pictures",
            "--seconds",
            "0.1",
            "-o",
            &rec,
        ],
    ];
    for args in calls {
        let limited = std::process::Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"])
            .arg(env!("CARGO_BIN_EXE_galatea"))
            .args(*args)
            .output()
            .unwrap();
        assert!(!limited.status.success(), "{args:?}");
        let told = err(&limited);
        assert!(
            told.to_lowercase().contains("too large"),
            "{args:?}: {told}"
        );
        let _ = fs::remove_dir(&rec);
        let now = tree(&folder);
        let new: Vec<_> = now
            .keys()
            .filter(|file| !before.contains_key(*file))
            .collect();
        assert!(now == before, "{args:?} left {new:?}");
    }
}

#[test]
fn an_endless_print_is_limited_and_every_run_leaves_out_the_same_lines() {
    let script = "function update() for i = 1, 3000 do print('tick', now(), i) end end";
    let folder = Folder::project("prints", script);
    let printed = || {
        let recorded = record(&folder, &["--seconds", "5"]);
        assert!(recorded.status.success(), "{}", err(&recorded));
        let lines = out(&recorded);
        let lines = lines.lines().filter(|line| !line.contains("sound.wav"));
        lines.map(str::to_owned).collect::<Vec<String>>()
    };
    let first = printed();
    assert!((2000..6000).contains(&first.len()), "{}", first.len());
    let told: Vec<&String> = first
        .iter()
        .filter(|line| line.contains("left out"))
        .collect();
    assert_eq!(told.len(), 6, "once a second, and at the end: {told:?}");
    assert!(told[0].starts_with("… 174 "), "{told:?}");
    let number = |line: &&String| {
        let digits: String = line.chars().filter(char::is_ascii_digit).collect();
        digits.parse::<usize>().unwrap()
    };
    let n_left_out: usize = told.iter().map(number).sum();
    assert_eq!(first.len() - told.len() + n_left_out, 300 * 3000);
    assert_eq!(first, printed());
}

#[test]
fn errors_of_every_tick_are_reported_once_each() {
    let script = "function update() error('tick ' .. now()) end";
    let folder = Folder::project("errors", script);
    let recorded = record(&folder, &["--seconds", "5"]);
    assert!(!recorded.status.success());
    assert!(err(&recorded).lines().count() < 50, "{}", err(&recorded));
}

#[test]
fn numbers_of_recordings_have_ranges_and_faults_name_line_and_field() {
    let folder = Folder::project("ranges", "function update() end");
    for (line, what) in [
        (
            r#"{"t": 0.1, "turn": [1e308, 0]}"#,
            "turn: yaw must be from -36000 to 36000 degrees",
        ),
        (r#"{"t": 0.1, "axis": ["pad_left_x", 7]}"#, "axis"),
        (r#"{"t": 1e12, "down": "w"}"#, "`t` must be a time"),
    ] {
        folder.write(
            "input.jsonl",
            format!("{{\"t\": 0, \"down\": \"w\"}}\n{line}\n"),
        );
        let input = folder.0.join("input.jsonl");
        let recorded = record(&folder, &["--input", input.to_str().unwrap()]);
        let told = err(&recorded);
        assert_eq!(recorded.status.code(), Some(1), "{told}");
        assert!(told.contains("line 2") && told.contains(what), "{told}");
    }
}

#[test]
fn a_function_cannot_hold_up_the_game_with_very_many_clip_files() {
    let message = |n: usize| {
        let folder = Folder::project(
            "clip_files",
            &format!(
                "local done = false
                function update()
                    if done then return end
                    done = true
                    local files = {{}}
                    for i = 1, {n} do files[i] = {{ \"walk.glb\", prefix = \"p\" .. i }} end
                    character(\"hero.glb\", {{ clips = files }})
                end"
            ),
        );
        err(&record(&folder, &["--seconds", "0.1"]))
    };
    let many = message(33);
    assert!(
        many.contains("33 files would hold up the game; the limit"),
        "{many}"
    );
    let few = message(32);
    assert!(
        few.contains("hero.glb") && !few.contains("hold up"),
        "{few}"
    );
}
