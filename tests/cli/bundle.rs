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

use crate::contents;
use crate::folder::Folder;

const SCRIPT: &str = "hero = character 'assets/mannequin.glb'
    hero:play 'walk'
    print(require 'word')";

fn project(name: &str) -> Folder {
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

fn galatea(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_galatea"));
    command.args(args).output().expect("it runs")
}

fn told(output: &Output) -> String {
    let all = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&all).into_owned()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Makes an executable of a project, and gives what was said.
fn make(project: &Folder, file: &Path, more: &[&str]) -> String {
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

fn run(program: &Path, args: &[&str]) -> Output {
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

fn zstd_size(bytes: &[u8]) -> usize {
    let files = [("x".to_owned(), bytes.to_vec())];
    pack(&About::default(), &files.into(), 3).unwrap().0.len()
}

/// A program for Windows that does nothing: headers and one section (PE format, 64 bits).
fn windows() -> Vec<u8> {
    let mut pe = vec![0; 0x400];
    let mut put = |at: usize, bytes: &[u8]| pe[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, b"MZ");
    put(0x3c, &0x80_u32.to_le_bytes());
    put(0x80, b"PE\0\0");
    put(0x84, &0x8664_u16.to_le_bytes());
    put(0x86, &1_u16.to_le_bytes());
    put(0x94, &0xf0_u16.to_le_bytes());
    put(0x96, &0x22_u16.to_le_bytes());
    let optional = 0x98;
    put(optional, &0x20b_u16.to_le_bytes());
    put(optional + 4, &0x200_u32.to_le_bytes());
    put(optional + 16, &0x1000_u32.to_le_bytes());
    put(optional + 20, &0x1000_u32.to_le_bytes());
    put(optional + 24, &0x1_4000_0000_u64.to_le_bytes());
    put(optional + 32, &0x1000_u32.to_le_bytes());
    put(optional + 36, &0x200_u32.to_le_bytes());
    put(optional + 40, &6_u16.to_le_bytes());
    put(optional + 48, &6_u16.to_le_bytes());
    put(optional + 56, &0x2000_u32.to_le_bytes());
    put(optional + 60, &0x200_u32.to_le_bytes());
    put(optional + 68, &3_u16.to_le_bytes());
    put(optional + 108, &16_u32.to_le_bytes());
    let section = optional + 0xf0;
    put(section, b".text");
    put(section + 8, &0x10_u32.to_le_bytes());
    put(section + 12, &0x1000_u32.to_le_bytes());
    put(section + 16, &0x200_u32.to_le_bytes());
    put(section + 20, &0x200_u32.to_le_bytes());
    put(section + 36, &0x6000_0020_u32.to_le_bytes());
    put(0x200, &[0xc3]);
    pe
}

#[test]
fn a_program_for_windows_gets_the_icon_and_a_wrong_one_is_told() {
    let project = project("icon");
    project.write("assets/icon.png", include_bytes!("../logo.png"));
    let settings = |icon: &str| format!("[window]\nicon = '{icon}'\n");
    project.write("galatea.toml", settings("assets/icon.png"));
    project.write("empty.exe", windows());
    let (runtime, program) = (project.0.join("empty.exe"), project.0.join("walk.exe"));
    make(&project, &program, &["--runtime", text(&runtime)]);
    let bytes = fs::read(&program).unwrap();
    // A window without a terminal beside it.
    assert_eq!(bytes[0x98 + 68..][..2], [2, 0]);
    for side in [256_u32, 128, 48, 32, 24, 16] {
        let head = [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &side.to_be_bytes()[..]].concat();
        let n = bytes.windows(head.len()).filter(|at| *at == head).count();
        assert_eq!(n, 1, "{side}");
    }
    let back = project.0.join("back");
    let by_tool = galatea(&["bundle", "--unpack", text(&program), "-o", text(&back)]);
    assert!(by_tool.status.success(), "{}", told(&by_tool));
    assert!(contents(&back).contains_key("scripts/word.lua"));

    for (icon, why) in [
        (
            "assets/none.png",
            "[window] icon: assets/none.png No such file",
        ),
        ("../icon.png", "leads out of the project"),
        ("scripts/main.lua", "is neither PNG nor JPEG nor WebP"),
        ("assets/wide.png", "is 32 × 16 pixels; an icon is a square"),
    ] {
        project.write("assets/wide.png", wide());
        project.write("galatea.toml", settings(icon));
        let checked = galatea(&["check", text(&project.0)]);
        assert!(told(&checked).contains(why), "{}", told(&checked));
        assert_eq!(checked.status.code(), Some(1));
    }
}

/// A program for macOS that does nothing: a header and the segment that a project is put before (Mach-O, x86-64).
fn mac() -> Vec<u8> {
    let mut program = Vec::new();
    let mut put = |words: &[u32]| program.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    put(&[0xfeed_facf, 0x0100_0007, 3, 2, 1, 72, 0, 0]);
    put(&[0x19, 72]);
    program.extend_from_slice(b"__LINKEDIT\0\0\0\0\0\0");
    let mut put = |words: &[u64]| program.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    put(&[0x4000, 0x1000, 104, 8, 0x1_0000_0001, 0, 0]);
    program
}

#[test]
fn an_app_of_macos_has_a_name_a_version_and_an_icon() {
    let project = project("app");
    project.write("assets/icon.png", include_bytes!("../logo.png"));
    let settings = "name = 'Walk & talk'\n[window]\nicon = 'assets/icon.png'\n
        [bundle]\nversion = '1.2'\nidentifier = 'com.example.walk'\n";
    project.write("galatea.toml", settings);
    project.write("galatea-mac", mac());
    let (runtime, app) = (project.0.join("galatea-mac"), project.0.join("walk.app"));
    make(&project, &app, &["--runtime", text(&runtime)]);
    let about = fs::read_to_string(app.join("Contents/Info.plist")).unwrap();
    for (key, value) in [
        ("CFBundleExecutable", "walk"),
        ("CFBundleName", "Walk &amp; talk"),
        ("CFBundleIdentifier", "com.example.walk"),
        ("CFBundleShortVersionString", "1.2"),
        ("CFBundleIconFile", "icon"),
    ] {
        let row = format!("<key>{key}</key>\n\t<string>{value}</string>");
        assert!(about.contains(&row), "{row} in {about}");
    }

    let icon = fs::read(app.join("Contents/Resources/icon.icns")).unwrap();
    let length = |at: usize| u32::from_be_bytes(icon[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&icon[..4], length(4)), (&b"icns"[..], icon.len()));
    let mut sides = Vec::new();
    let mut at = 8;
    while at < icon.len() {
        let picture = &icon[at + 8..at + length(at + 4)];
        let shown = image::load_from_memory(picture).unwrap();
        assert_eq!(shown.width(), shown.height());
        let kind = String::from_utf8_lossy(&icon[at..at + 4]);
        sides.push(format!("{kind} {}", shown.width()));
        at += length(at + 4);
    }
    assert_eq!(sides, ["ic11 32", "ic12 64", "ic07 128"]);

    let (back, renamed) = (project.0.join("back"), project.0.join("stroll.app"));
    fs::rename(&app, &renamed).unwrap();
    let by_tool = galatea(&["bundle", "--unpack", text(&renamed), "-o", text(&back)]);
    assert!(by_tool.status.success(), "{}", told(&by_tool));
    assert!(contents(&back).contains_key("scripts/word.lua"));

    // No letter that an identifier may have.
    project.write("galatea.toml", "name = '歩く'\n");
    make(&project, &app, &["--runtime", text(&runtime)]);
    let about = fs::read_to_string(app.join("Contents/Info.plist")).unwrap();
    assert!(about.contains("<string>galatea.game</string>"), "{about}");

    let whole = mac();
    for length in [40, 100, whole.len() - 1] {
        project.write("galatea-mac", &whole[..length]);
        let with = ["--runtime", text(&runtime), "-o", text(&app)];
        let cut = galatea(&[&["bundle", text(&project.0)][..], &with].concat());
        assert_eq!(cut.status.code(), Some(1), "{length}: {}", told(&cut));
        assert!(
            told(&cut).contains("galatea-mac: this program is cut short"),
            "{}",
            told(&cut)
        );
    }
    let wrong = galatea(&["bundle", text(&project.0), "-o", text(&app)]);
    assert_eq!(wrong.status.code(), Some(1));
    let why = "an .app is for macOS; --runtime takes that system's galatea";
    assert!(told(&wrong).contains(why), "{}", told(&wrong));
}

/// A picture of 32 × 16 pixels.
fn wide() -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, 32, 16);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[9; 32 * 16]).unwrap();
    writer.finish().unwrap();
    out
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
    let (bytes, _) = pack(&About::default(), &files.into(), 3).unwrap();
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
