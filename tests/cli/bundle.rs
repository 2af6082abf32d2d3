//! Projects in one executable: playing, overrides, unpacking, and error messages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use galatea::app::{Session, SessionOptions, SoundOutput};
use galatea::asset::Project;
use galatea::asset::pack::{Pack, PackInfo, pack};
use galatea::asset::vfs::{self, Mount};

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

/// Bundles a project, and returns the output of the command.
pub fn make(project: &Folder, file: &Path, more: &[&str]) -> String {
    let args = ["bundle", text(&project.0), "--level", "3", "-o", text(file)];
    let made = galatea(&[&args[..], more].concat());
    assert!(made.status.success(), "{}", told(&made));
    told(&made)
}

/// An executable of the project, to which all tests create links.
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

/// The executable alone in a folder, under its own name.
fn alone(name: &str) -> (Folder, PathBuf) {
    let folder = Folder::new(name);
    let program = folder.0.join("my walk");
    fs::hard_link(bundle(), &program).unwrap();
    (folder, program)
}

const SHOT: [&str; 4] = ["--at", "0.5", "--size", "160x90"];

fn shot(program: &Path, more: &[&str]) -> (Vec<u8>, String) {
    let out = program.with_file_name("shot.png");
    let shown = run(program, &[more, &["--shot", "shot.png"], &SHOT].concat());
    assert!(shown.status.success(), "{}", told(&shown));
    (fs::read(out).unwrap(), told(&shown))
}

#[test]
fn a_bundle_alone_renders_the_same_as_the_folder() {
    let (folder, program) = alone("alone");
    let (packed, said) = shot(&program, &[]);
    assert!(said.contains("packed"), "{said}");
    let project = project("as-folder");
    let out = project.0.join("shot.png");
    // With galatea from the folder, and with the executable.
    for dir in [&project.0, &program] {
        let to = [text(dir), "-o", text(&out)];
        let shown = galatea(&[&["shot"], &SHOT[..], &to].concat());
        assert!(shown.status.success(), "{}", told(&shown));
        assert!(
            fs::read(&out).unwrap() == packed,
            "the pictures are the same"
        );
    }
    // Nothing was unpacked next to it.
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
    let missing = run(&program, &["droped", "--shot", "shot.png"]);
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
    // Existing files are not overwritten.
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
    make(&project, &locked, &["--no-unpack"]);
    let (locked_file, open) = (text(&locked), project.0.join("open"));
    let open = text(&open);
    for refused in [
        run(&locked, &["--unpack", "files"]),
        run(&locked, &["assets", "--shot", "shot.png"]),
        galatea(&["bundle", "--unpack", locked_file, "-o", open]),
    ] {
        assert!(
            told(&refused).contains("made with --no-unpack"),
            "{}",
            told(&refused)
        );
        assert_eq!(refused.status.code(), Some(1));
    }
    let again = galatea(&["bundle", locked_file, "-o", open]);
    assert!(told(&again).contains("no such folder"), "{}", told(&again));
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
    // Bytecode in a folder is refused.
    let refused = galatea(&["check", text(&back)]);
    let why = "compiled scripts are only allowed in executables made by `galatea bundle`";
    assert!(told(&refused).contains(why), "{}", told(&refused));
    let over = project.0.join("out/overrides/scripts");
    fs::create_dir_all(&over).unwrap();
    fs::copy(back.join("scripts/word.lua"), over.join("word.lua")).unwrap();
    let picture = ["--shot", "shot.png"];
    assert!(told(&run(&program, &picture)).contains(why));
    fs::remove_dir_all(over).unwrap();

    project.write(
        "scripts/word.lua",
        "\n\nlocal missing = nil\nreturn missing.x",
    );
    make(&project, &program, &["--compile"]);
    let failed = run(&program, &picture);
    assert_eq!(failed.status.code(), Some(1));
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

/// The player has no importers and no recipes, and the dictionary only if it is needed.
#[test]
fn models_of_other_formats_are_converted_and_tools_are_left_out() {
    let folder = Folder::new("converted");
    let project = Folder(folder.0.join("project"));
    let triangle = include_str!("../../crates/galatea-import/src/triangle.fbx.txt");
    project.write("assets/triangle.fbx", triangle);
    project.write("scripts/main.lua", "character 'assets/triangle.fbx'");
    project.write("scripts/forge/post.lua", "return model {}");
    let program = folder.0.join("game");
    make(&project, &program, &[]);
    let picture = shot(&program, &[]).0;
    let out = folder.0.join("folder.png");
    let to = [text(&project.0), "-o", text(&out)];
    let shown = galatea(&[&["shot"], &SHOT[..], &to].concat());
    assert!(shown.status.success(), "{}", told(&shown));
    assert!(
        fs::read(out).unwrap() == picture,
        "the pictures are the same"
    );
    let back = folder.0.join("back");
    assert!(run(&program, &["--unpack", text(&back)]).status.success());
    let found = contents(&back);
    assert!(found["assets/triangle.fbx"].starts_with(b"glTF"));
    assert_eq!(found.len(), 2, "{:?}", found.keys());
    // An override that needs an importer is reported, and not read as another format.
    fs::create_dir_all(folder.0.join("overrides/assets")).unwrap();
    folder.write("overrides/assets/triangle.fbx", triangle);
    let refused = run(&program, &["--shot", "shot.png"]);
    let why = "this program reads only glTF";
    assert!(told(&refused).contains(why), "{}", told(&refused));

    let size = |file: &Path| fs::metadata(file).unwrap().len();
    let without = size(&program);
    project.write(
        "scripts/main.lua",
        "local hero = character 'assets/triangle.fbx'\nhero:say 'Hello'",
    );
    make(&project, &program, &[]);
    assert!(
        size(&program) > without + 1_000_000,
        "the dictionary is in it"
    );
    project.write("galatea.toml", "[bundle]\ndictionary = false\n");
    make(&project, &program, &[]);
    assert!(size(&program) < without + 1_000_000);
}

fn zstd_size(bytes: &[u8]) -> usize {
    let files = [("x".to_owned(), bytes.to_vec())];
    pack(&PackInfo::default(), &files.into(), 3)
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
fn errors_of_an_executable_are_reported() {
    let folder = Folder::new("wrong");
    let whole = fs::read(bundle()).unwrap();
    let damaged = |name: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = whole.clone();
        change(&mut bytes);
        folder.write(name, bytes);
        let program = folder.0.join(name);
        let open = fs::metadata(bundle()).unwrap().permissions();
        fs::set_permissions(&program, open).unwrap();
        let failed = run(&program, &["--shot", "shot.png"]);
        fs::remove_file(program).unwrap();
        assert_eq!(failed.status.code(), Some(1), "{}", told(&failed));
        told(&failed)
    };
    let cut = damaged("cut", &|bytes| bytes.truncate(bytes.len() - 100_000));
    assert!(cut.contains("incomplete: download it again"), "{cut}");
    // The largest file is in the middle of the pack.
    let middle = |bytes: &mut Vec<u8>| {
        let at = bytes.len() - 300_000;
        bytes[at] ^= 1;
    };
    let changed = damaged("changed", &middle);
    assert!(
        changed.contains("the checksum of assets/mannequin.glb does not match"),
        "{changed}"
    );
}

/// A double click has no terminal for messages.
#[cfg(target_os = "linux")]
#[test]
fn without_a_terminal_a_window_shows_errors() {
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
    assert!(shown.contains("incomplete: download it again"), "{shown}");
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
            .args(["--shot", text(&folder.0.join("shot.png"))])
            .args(SHOT)
            .current_dir("/")
            .env_remove("HOME");
        let done = command.env_remove("XDG_DATA_HOME").output().unwrap();
        assert!(done.status.success(), "{}", told(&done));
    }
}

#[test]
fn projects_that_cannot_be_bundled_are_reported() {
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
                concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
            ][..],
            &out,
        ]
        .concat(),
        "not a program for Linux, macOS or Windows",
    );
    refused(
        &[&[dir, "--runtime", env!("CARGO_BIN_EXE_galatea")][..], &out].concat(),
        "it is not Galatea's player",
    );
    refused(
        &[&[dir, "--runtime", text(bundle())][..], &out].concat(),
        "already contains a project",
    );
    refused(&[dir, "-o", dir], "a folder with this name exists");
    refused(
        &[&["--unpack", env!("CARGO_BIN_EXE_galatea")][..], &out].concat(),
        "it contains no project",
    );
    project.write("galatea.toml", "[bundle]\nexclude = ['assets/rwa']\n");
    refused(
        &[&[dir][..], &out].concat(),
        "file or folder \"assets/rwa\" not found",
    );
}

#[test]
fn changed_overrides_are_reloaded_at_once() {
    let files = [("scripts/main.lua".to_owned(), b"word = 1".to_vec())];
    let (bytes, _) = pack(&PackInfo::default(), &files.into(), 3).unwrap();
    let over = Folder::new("saved");
    let over = (over.0.canonicalize().unwrap(), over);
    let root = PathBuf::from("/nowhere/saved");
    vfs::mount(Mount {
        root: root.clone(),
        pack: Pack::open(bytes.leak()).unwrap(),
        over: vec![over.0.clone()],
        home: over.0.join("home"),
    });
    let options = SessionOptions {
        sound: SoundOutput::Silent,
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
    // Without the override the packed script plays again.
    fs::remove_file(over.0.join("scripts/main.lua")).unwrap();
    becomes(false);
}
