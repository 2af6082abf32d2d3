//! The examples in `--help` work: every example of every command is run as shown, in a folder with the files that they use.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::program::{can_draw, galatea, out};
use crate::takes;

/// Examples that must fail on a machine without display and without other programs, with their messages.
const REFUSED: [(&str, &str); 3] = [
    ("--record-input", "no display found"),
    ("--video", "ffmpeg"),
    ("galatea train", "is not installed"),
];

/// Prefixes of the examples that draw a project.
const DRAWING: [&str; 4] = [
    "galatea play",
    "galatea record",
    "galatea shot",
    "galatea gallery",
];

const TRIANGLE: &str =
    "xof 0303txt 0032\nFrame root { Mesh { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;; } }\n";

/// A small recipe.
const VASE: &str = r#"
local belly = field.ball(vector.create(0, 0.1, 0), 0.1)
local c = cage()
c:paint("clay")
c:contour(belly:cut(field.ball(vector.create(0, 0.2, 0), 0.06)), 0.02)
return model {
	name = "vase",
	bones = bones { { "root", false, vector.zero } },
	parts = { part { name = "vase", cage = c, levels = 0, mirror = false, weights = "root" } },
	materials = { clay = { color = vector.create(0.6, 0.3, 0.2) } },
}
"#;

/// A strip with one material and the two shapes that the examples use.
fn strip() -> Vec<u8> {
    let mut model = crate::common::post();
    model.materials[0].name = "skin".into();
    let mesh = &mut model.meshes[0];
    mesh.morph_names = ["browInnerUp", "mouthSmileLeft"].map(String::from).to_vec();
    let primitive = &mut mesh.primitives[0];
    let at = |p: &glam::Vec3| glam::Vec2::new(0.5 + 4.0 * p.x, 0.05 + 0.45 * p.y);
    primitive.uv0 = primitive.positions.iter().map(at).collect();
    primitive.targets.push(primitive.targets[0].clone());
    model.parts[0].morph_weights = vec![0.0; 2];
    galatea::forge::glb::write(&model)
}

/// A folder with the files of the examples, and one with the programs that they call.
fn prepared() -> (PathBuf, PathBuf) {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let dir = std::env::temp_dir().join(format!("galatea-help-{}", std::process::id()));
    let _ = fs::remove_dir_all(&dir);
    let write = |name: &str, bytes: &[u8]| {
        let file = dir.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    };
    let model = fs::read(home.join("assets/mannequin.glb")).unwrap();
    for name in [
        "assets/galatea.glb",
        "hero.gltf",
        "hero.vrm",
        "walks.glb",
        "emotes.glb",
        "models/hero.glb",
    ] {
        write(name, &model);
    }
    for name in ["low.glb", "high.glb", "hero.glb"] {
        write(name, &strip());
    }
    write("bricks.png", include_bytes!("../logo.png"));
    write("scripts/main.lua", b"character 'assets/galatea.glb'");
    write(
        "scripts/gallery/pictures.toml",
        b"[[picture]]\nname = \"portrait\"\nscene = \"scripts/main.lua\"\ncaption = \"A portrait.\"\nsize = \"64x64\"\n",
    );
    write("scripts/forge/vase.lua", VASE.as_bytes());
    write("walk.bvh", takes::human(3.0).as_bytes());
    write("tiny.x", TRIANGLE.as_bytes());
    write("models/small.x", TRIANGLE.as_bytes());
    let line = fs::read(home.join("assets/lines/speak_1.wav")).unwrap();
    write("line.ogg", &line);
    write("rhubarb.tsv", b"0.00\tX\n0.10\tB\n0.30\tC\n0.50\tX\n");
    write("lines/hello.ogg", &line);
    write("lines/hello.txt", b"Hello.");
    write("bug.jsonl", b"{\"t\": 0.1, \"down\": \"w\"}\n");
    for folder in [
        ".local/share/bash-completion/completions",
        ".zfunc",
        ".config/fish/completions",
    ] {
        fs::create_dir_all(dir.join(folder)).unwrap();
    }
    let bin = dir.join("bin");
    fs::create_dir_all(&bin).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_galatea"));
    symlink(program, bin.join("galatea")).unwrap();
    symlink(
        program.with_file_name("galatea-player"),
        dir.join("galatea-player.exe"),
    )
    .unwrap();
    // Manual page readers are not on every machine; a script checks the input instead.
    let reader = bin.join("man");
    fs::write(&reader, "#!/bin/sh\ngrep -q '^.TH galatea'\n").unwrap();
    fs::set_permissions(&reader, fs::Permissions::from_mode(0o755)).unwrap();
    (dir, bin)
}

/// The commands that the program lists.
fn commands() -> Vec<String> {
    let text = out(&galatea(&["--help"]));
    let list = text.split("Commands:\n").nth(1).unwrap();
    let lines = list.lines().take_while(|line| line.starts_with("  "));
    let names = lines.filter_map(|line| line.split_whitespace().next());
    names
        .map(str::to_owned)
        .filter(|name| name != "help")
        .collect()
}

/// The examples of a command, as shown.
fn examples(command: &str) -> Vec<String> {
    let text = out(&galatea(&[command, "--help"]));
    let shown = text.lines().map(str::trim);
    let shown = shown.map(|line| line.strip_prefix("Example: ").unwrap_or(line));
    let is_example = |line: &&str| line.starts_with("galatea ");
    let found: Vec<String> = shown.filter(is_example).map(str::to_owned).collect();
    assert!(
        !found.is_empty(),
        "{command} --help shows no example:\n{text}"
    );
    found
}

fn shell(example: &str, dir: &Path, bin: &Path) -> Command {
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("sh");
    command
        .args(["-c", example])
        .current_dir(dir)
        .env("PATH", path)
        .env("HOME", dir)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY");
    command
}

/// Runs a command that does not end by itself, until its first line.
fn begins(mut command: Command) {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    reader.read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(line.contains("control"), "{line:?}");
}

#[test]
fn every_example_of_every_command_runs_as_it_is_shown() {
    if !can_draw() {
        return;
    }
    let (dir, bin) = prepared();
    let all: Vec<String> = commands()
        .iter()
        .flat_map(|command| examples(command))
        .collect();
    assert!(all.len() > 35, "{all:#?}");
    // The other examples use the projects that `new` creates.
    let (first, rest): (Vec<String>, Vec<String>) = all
        .into_iter()
        .partition(|example| example.starts_with("galatea new"));
    for example in &first {
        make_project(example, &dir, &bin);
    }
    // Examples that draw a project share no output file with the others, so both halves run at the same time.
    let draws = |example: &String| DRAWING.iter().any(|start| example.starts_with(start));
    let (drawing, others): (Vec<String>, Vec<String>) = rest.into_iter().partition(draws);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            drawing
                .iter()
                .for_each(|example| run_example(example, &dir, &bin))
        });
        for example in &others {
            // An earlier example may have overwritten it.
            fs::write(dir.join("hero.glb"), strip()).unwrap();
            run_example(example, &dir, &bin);
        }
    });
    fs::remove_dir_all(&dir).unwrap();
}

/// Runs an example of `galatea new`. The film of the demo is as short as possible.
fn make_project(example: &str, dir: &Path, bin: &Path) {
    let (make, then) = example.split_once(" && ").unwrap_or((example, "true"));
    assert!(shell(make, dir, bin).status().unwrap().success(), "{make}");
    if make == "galatea new demo" {
        let inputs = "{\"t\": 0.1, \"down\": \"w\"}\n";
        fs::write(dir.join("demo/autoplay.jsonl"), inputs).unwrap();
    }
    assert!(shell(then, dir, bin).status().unwrap().success(), "{then}");
}

/// Runs an example, which must succeed, or fail as [`REFUSED`] says.
fn run_example(example: &str, dir: &Path, bin: &Path) {
    if example.ends_with("--control") {
        begins(shell(&format!("exec {example}"), dir, bin));
        return;
    }
    let Output {
        status,
        stdout,
        stderr,
    } = shell(example, dir, bin).output().unwrap();
    let stderr = String::from_utf8_lossy(&stderr);
    let refused = REFUSED.iter().find(|(part, _)| example.contains(part));
    let expected = refused.is_some_and(|(_, why)| stderr.contains(why));
    assert!(
        status.success() || expected,
        "{example}\n{}\n{stderr}",
        String::from_utf8_lossy(&stdout)
    );
}
