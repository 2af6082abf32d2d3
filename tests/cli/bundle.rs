//! Projects in one executable: what it plays, what lies over it, what it gives back, and what is wrong with it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use galatea::app::{Session, SessionOptions, Sound};
use galatea::asset::Project;
use galatea::asset::pack::{About, Pack, pack};
use galatea::asset::vfs::{self, Mount};

use crate::bundle_systems::windows;
use crate::contents;
use crate::folder::Folder;

const SCRIPT: &str = "hero = character 'assets/mannequin.glb'
    hero:play 'walk'
    print(require 'word')";

pub fn project(name: &str) -> Folder {
    let folder = Folder::new(name);
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/mannequin.glb");
    folder.write("assets/mannequin.glb", fs::read(model).unwrap());
    folder.write("assets/raw/notes.txt", "not for players");
    folder.write("assets/.hidden", "x");
    folder.write("scripts/main.lua", SCRIPT);
    folder.write("scripts/word.lua", "return 'packed'");
    folder.write("shaders/README.md", "none");
    folder.write("tests/walk.lua", "test('nothing', function() end)");
    folder.write(
        "galatea.toml",
        "name = 'A walk'\n[bundle]\nexclude = ['assets/raw']\n",
    );
    folder
}

pub fn galatea(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_galatea"));
    command.args(args).output().expect("it runs")
}

pub fn told(output: &Output) -> String {
    let all = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&all).into_owned()
}

pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Makes an executable of a project, and gives what was said.
pub fn make(project: &Folder, file: &Path, more: &[&str]) -> String {
    let args = ["bundle", text(&project.0), "--level", "3", "-o", text(file)];
    let made = galatea(&[&args[..], more].concat());
    assert!(made.status.success(), "{}", told(&made));
    told(&made)
}

/// An executable of the project, to which all tests make links.
fn bundle() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bundled-walk");
        let said = make(&project("bundled"), &file, &[]);
        assert!(said.contains("assets/mannequin.glb"), "{said}");
        file
    })
}

pub fn run(program: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(program);
    let folder = program.parent().unwrap();
    command
        .args(args)
        .current_dir(folder)
        .output()
        .expect("it runs")
}

/// The executable alone in a folder, under a name of its own.
fn alone(name: &str) -> (Folder, PathBuf) {
    let folder = Folder::new(name);
    let program = folder.0.join("my walk");
    fs::hard_link(bundle(), &program).unwrap();
    (folder, program)
}

const SHOT: [&str; 6] = ["--tool", "shot", "--at", "0.5", "--size", "160x90"];

fn shot(program: &Path, more: &[&str]) -> (Vec<u8>, String) {
    let out = program.with_file_name("shot.png");
    let args: Vec<&str> = more
        .iter()
        .chain(&SHOT)
        .copied()
        .chain(["-o", "shot.png"])
        .collect();
    let shown = run(program, &args);
    assert!(shown.status.success(), "{}", told(&shown));
    (fs::read(out).unwrap(), told(&shown))
}

#[test]
fn alone_in_an_empty_folder_it_shows_what_the_folder_shows() {
    let (folder, program) = alone("alone");
    let (packed, said) = shot(&program, &[]);
    assert!(said.contains("packed"), "{said}");
    let project = project("as-folder");
    let out = project.0.join("shot.png");
    let dir = [text(&project.0), "-o", text(&out)];
    let args: Vec<&str> = SHOT[1..].iter().copied().chain(dir).collect();
    let shown = galatea(&args);
    assert!(shown.status.success(), "{}", told(&shown));
    assert!(
        fs::read(out).unwrap() == packed,
        "the pictures are the same"
    );
    // Nothing was unpacked beside it.
    let beside: Vec<_> = fs::read_dir(&folder.0).unwrap().flatten().collect();
    assert_eq!(beside.len(), 2, "{beside:?}");
    assert!(told(&run(&program, &["--help"])).contains("A walk"));
}

#[test]
fn folders_over_it_stand_before_it() {
    let (folder, program) = alone("over");
    folder.write("overrides/scripts/word.lua", "return 'beside'");
    assert!(shot(&program, &[]).1.contains("beside"));
    folder.write("dropped/scripts/word.lua", "return 'dropped'");
    assert!(shot(&program, &["dropped"]).1.contains("dropped"));
    let missing = run(&program, &["droped", "--tool", "check"]);
    assert!(
        told(&missing).contains("droped: there is no such folder"),
        "{}",
        told(&missing)
    );
    assert_eq!(missing.status.code(), Some(1));
}

#[test]
fn its_files_come_back_as_they_were() {
    let (folder, program) = alone("back");
    let back = run(&program, &["--unpack", "files"]);
    assert!(back.status.success(), "{}", told(&back));
    let again = folder.0.join("again");
    let by_tool = galatea(&["bundle", "--unpack", text(&program), "-o", text(&again)]);
    assert!(by_tool.status.success(), "{}", told(&by_tool));
    let project = project("unpacked");
    let names = [
        "assets/mannequin.glb",
        "scripts/main.lua",
        "scripts/word.lua",
        "shaders/README.md",
        "galatea.toml",
    ];
    for root in [folder.0.join("files"), again] {
        let found = contents(&root);
        assert_eq!(found.len(), names.len(), "{:?}", found.keys());
        for name in names {
            assert!(
                found[name] == fs::read(project.0.join(name)).unwrap(),
                "{name}"
            );
        }
    }
    // What is there already is not written over.
    let twice = run(&program, &["--unpack", "files"]);
    assert!(told(&twice).contains("not empty"), "{}", told(&twice));
}

#[test]
fn the_same_project_gives_the_same_file_and_a_locked_one_keeps_its_files() {
    let project = project("same");
    let [file, locked] = ["walk", "locked"].map(|name| project.0.join("out").join(name));
    let said = make(&project, &file, &["--json"]);
    let said: serde_json::Value = serde_json::from_str(&said).expect("it is JSON");
    assert_eq!(said["files"].as_array().map(Vec::len), Some(5), "{said}");
    assert!(fs::read(file).unwrap() == fs::read(bundle()).unwrap());
    make(&project, &locked, &["--lock"]);
    let galatea = env!("CARGO_BIN_EXE_galatea");
    let bundled = ["--tool", "bundle", "--runtime", galatea, "-o", "open"];
    for (args, why) in [
        (&["--unpack", "files"][..], "made with --lock"),
        (&["assets", "--tool", "check"], "made with --lock"),
        (&bundled, "holds a project"),
    ] {
        let refused = run(&locked, args);
        assert!(told(&refused).contains(why), "{}", told(&refused));
        assert_eq!(refused.status.code(), Some(1));
    }
    fs::create_dir_all(project.0.join("out/overrides/scripts")).unwrap();
    project.write("out/overrides/scripts/word.lua", "return 'beside'");
    assert!(shot(&locked, &[]).1.contains("packed"));
}

#[test]
fn compiled_scripts_and_smaller_models_show_the_same_and_faults_keep_their_lines() {
    let project = project("small");
    let program = project.0.join("out/small");
    let said = make(&project, &program, &["--compile", "--shrink"]);
    assert!(said.contains("assets/mannequin.glb"), "{said}");
    assert!(shot(&program, &[]).0 == shot(&alone("large").1, &[]).0);
    let back = project.0.join("back");
    assert!(run(&program, &["--unpack", text(&back)]).status.success());
    let found = contents(&back);
    let plain = fs::read(project.0.join("assets/mannequin.glb")).unwrap();
    let packed = |bytes: &[u8]| zstd_size(bytes);
    assert!(packed(&found["assets/mannequin.glb"]) < packed(&plain));
    for script in ["scripts/main.lua", "scripts/word.lua"] {
        assert!(found[script].starts_with(b"--!compiled\n"), "{script}");
        assert!(!String::from_utf8_lossy(&found[script]).contains("packed"));
    }
    // Bytecode from a folder is not run.
    let refused = galatea(&["check", text(&back)]);
    let why = "it is compiled: only an executable holds such scripts";
    assert!(told(&refused).contains(why), "{}", told(&refused));
    let over = project.0.join("out/overrides/scripts");
    fs::create_dir_all(&over).unwrap();
    fs::copy(back.join("scripts/word.lua"), over.join("word.lua")).unwrap();
    assert!(told(&run(&program, &["--tool", "check"])).contains(why));
    fs::remove_dir_all(over).unwrap();

    project.write(
        "scripts/word.lua",
        "\n\nlocal missing = nil\nreturn missing.x",
    );
    make(&project, &program, &["--compile"]);
    let failed = run(&program, &["--tool", "check"]);
    let place = "scripts/word.lua:4: attempt to index nil with 'x'";
    assert!(told(&failed).contains(place), "{}", told(&failed));
    project.write("scripts/word.lua", "return 1 +");
    let args = [
        "bundle",
        text(&project.0),
        "--compile",
        "-o",
        text(&program),
    ];
    let failed = galatea(&args);
    assert!(
        told(&failed).contains("scripts/word.lua:1: "),
        "{}",
        told(&failed)
    );
}

/// The heroine is in every program, for new projects.
#[test]
fn what_the_program_brings_along_is_not_put_into_it_again() {
    let folder = Folder::new("brought");
    let project = Folder(folder.0.join("demo"));
    assert!(galatea(&["new", text(&project.0)]).status.success());
    let (program, size) = (folder.0.join("demo-game"), |file: &Path| {
        fs::metadata(file).unwrap().len()
    });
    let said = make(&project, &program, &["--shrink"]);
    assert!(said.contains("galatea.glb: the program has it"), "{said}");
    let plain = size(Path::new(env!("CARGO_BIN_EXE_galatea")));
    assert!(size(&program) < plain + (1 << 20));
    shot(&program, &[]);
    let glb = fs::read(project.0.join("assets/galatea.glb")).unwrap();
    let back = [folder.0.join("by-itself"), folder.0.join("by-galatea")];
    let by_itself = run(&program, &["--unpack", text(&back[0])]);
    let args = ["bundle", "--unpack", text(&program), "-o", text(&back[1])];
    for (unpacked, back) in [by_itself, galatea(&args)].iter().zip(&back) {
        assert!(unpacked.status.success(), "{}", told(unpacked));
        assert!(fs::read(back.join("assets/galatea.glb")).unwrap() == glb);
    }
    // One that brings nothing along gets all of it.
    let runtime = folder.0.join("empty.exe");
    fs::write(&runtime, windows()).unwrap();
    make(&project, &program, &["--runtime", text(&runtime)]);
    assert!(size(&program) > 4 << 20);
}

fn zstd_size(bytes: &[u8]) -> usize {
    let files = [("x".to_owned(), bytes.to_vec())];
    pack(&About::default(), &files.into(), 3, None)
        .unwrap()
        .0
        .len()
}

#[test]
fn assets_that_projects_share_are_in_it() {
    let common = Folder::new("common");
    common.write("assets/sounds/step.txt", "of another folder");
    common.write("assets/own.txt", "not this one");
    let folder = Folder::new("sharing");
    folder.write("scripts/main.lua", "");
    folder.write("assets/own.txt", "own");
    let also = common.0.join("assets");
    folder.write(
        "galatea.toml",
        format!("[assets]\nalso = [{:?}]\n", text(&also)),
    );
    let program = folder.0.join("out/shared");
    make(&folder, &program, &[]);
    let back = folder.0.join("back");
    let unpacked = run(&program, &["--unpack", text(&back)]);
    assert!(unpacked.status.success(), "{}", told(&unpacked));
    let files = contents(&back);
    assert_eq!(files["assets/sounds/step.txt"], b"of another folder");
    assert_eq!(files["assets/own.txt"], b"own");
}

#[test]
fn what_is_wrong_with_an_executable_is_told() {
    let folder = Folder::new("wrong");
    let whole = fs::read(bundle()).unwrap();
    let damaged = |name: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = whole.clone();
        change(&mut bytes);
        folder.write(name, bytes);
        let program = folder.0.join(name);
        let open = fs::metadata(bundle()).unwrap().permissions();
        fs::set_permissions(&program, open).unwrap();
        let failed = run(&program, &["--tool", "check"]);
        fs::remove_file(program).unwrap();
        assert_eq!(failed.status.code(), Some(1), "{}", told(&failed));
        told(&failed)
    };
    let cut = damaged("cut", &|bytes| bytes.truncate(bytes.len() - 100_000));
    assert!(cut.contains("cut short: get it again"), "{cut}");
    // The largest file lies in the middle of the pack.
    let middle = |bytes: &mut Vec<u8>| {
        let at = bytes.len() - 300_000;
        bytes[at] ^= 1;
    };
    let changed = damaged("changed", &middle);
    assert!(
        changed.contains("assets/mannequin.glb was changed"),
        "{changed}"
    );
}

/// A double click gives no terminal to read in.
#[cfg(target_os = "linux")]
#[test]
fn without_a_terminal_a_window_says_what_is_wrong() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new("clicked");
    let mut bytes = fs::read(bundle()).unwrap();
    bytes.truncate(bytes.len() - 100_000);
    folder.write("my walk", bytes);
    folder.write("bin/zenity", "#!/bin/sh\necho \"$@\" >shown\n");
    for program in ["my walk", "bin/zenity"] {
        let all = fs::Permissions::from_mode(0o755);
        fs::set_permissions(folder.0.join(program), all).unwrap();
    }
    let path = std::env::join_paths([folder.0.join("bin"), "/usr/bin".into(), "/bin".into()]);
    let start = |args: &[&str]| {
        let mut command = Command::new(folder.0.join("my walk"));
        command.args(args).current_dir(&folder.0);
        let ended = command.env("PATH", path.as_ref().unwrap()).output();
        assert_eq!(ended.unwrap().status.code(), Some(1));
        fs::read_to_string(folder.0.join("shown"))
    };
    assert!(start(&["--licenses"]).is_err(), "who asks by words reads");
    let shown = start(&[]).expect("a window");
    assert!(shown.contains("--error"), "{shown}");
    assert!(shown.contains("my walk"), "{shown}");
    assert!(shown.contains("cut short: get it again"), "{shown}");
}

#[cfg(unix)]
#[test]
fn it_runs_from_odd_places() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let folder = Folder::new("odd");
    let odd = folder.0.join(OsStr::from_bytes(b"not \xff utf-8"));
    fs::create_dir(&odd).unwrap();
    let program = odd.join("w");
    fs::hard_link(bundle(), &program).unwrap();
    let linked = folder.0.join("linked");
    std::os::unix::fs::symlink(&program, &linked).unwrap();
    for program in [&program, &linked] {
        let mut command = Command::new(program);
        command
            .args(["--tool", "check"])
            .current_dir("/")
            .env_remove("HOME");
        let done = command.env_remove("XDG_DATA_HOME").output().unwrap();
        assert!(done.status.success(), "{}", told(&done));
    }
}

#[test]
fn what_cannot_be_bundled_is_told() {
    let project = project("faulty");
    let refused = |args: &[&str], why: &str| {
        let said = galatea(&[&["bundle"][..], args].concat());
        assert!(told(&said).contains(why), "{}", told(&said));
        assert_ne!(said.status.code(), Some(0));
    };
    let (dir, out) = (text(&project.0), project.0.join("out/walk"));
    let out = ["-o", text(&out)];
    refused(
        &[
            &[
                dir,
                "--runtime",
                concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"),
            ][..],
            &out,
        ]
        .concat(),
        "no program for Linux, macOS or Windows",
    );
    refused(
        &[&[dir, "--runtime", text(bundle())][..], &out].concat(),
        "holds a project already",
    );
    refused(&[dir, "-o", dir], "there is a folder of that name");
    refused(
        &[&["--unpack", env!("CARGO_BIN_EXE_galatea")][..], &out].concat(),
        "no project in it",
    );
    project.write("galatea.toml", "[bundle]\nexclude = ['assets/rwa']\n");
    refused(&[&[dir][..], &out].concat(), "there is no \"assets/rwa\"");
}

#[test]
fn what_is_saved_in_a_folder_over_it_is_played_at_once() {
    let files = [("scripts/main.lua".to_owned(), b"word = 1".to_vec())];
    let (bytes, _) = pack(&About::default(), &files.into(), 3, None).unwrap();
    let over = Folder::new("saved");
    let over = (over.0.canonicalize().unwrap(), over);
    let root = PathBuf::from("/nowhere/saved");
    vfs::mount(Mount {
        root: root.clone(),
        pack: Pack::open(bytes.leak(), &[]).unwrap(),
        over: vec![over.0.clone()],
        home: over.0.join("home"),
    });
    let options = SessionOptions {
        sound: Sound::Silent,
        watch: true,
        quiet: true,
        wait: true,
    };
    let mut session = Session::open(Project::open(&root).unwrap(), options).unwrap();
    let mut becomes = |is_wrong: bool| {
        let since = Instant::now();
        while (session.diagnostics.errors().count() > 0) != is_wrong {
            assert!(since.elapsed() < Duration::from_secs(20), "{is_wrong}");
            session.apply_reloads();
            thread::sleep(Duration::from_millis(10));
        }
    };
    becomes(false);
    over.1.write("scripts/main.lua", "error 'from over it'");
    becomes(true);
    // Without it the packed one is played again.
    fs::remove_file(over.0.join("scripts/main.lua")).unwrap();
    becomes(false);
}
