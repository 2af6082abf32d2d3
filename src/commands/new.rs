//! `galatea new`: creates a small project that runs.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};

use galatea_asset::write_whole;
use galatea_script::{luacats_definitions, reference};

/// Arguments of `new`.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// Folder to create
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Project template
    #[arg(long, value_enum, value_name = "NAME", default_value_t = Template::Walker)]
    template: Template,
}

/// Project templates: each has a script, a test and a page that explains them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Template {
    /// A character that walks by keyboard control
    Walker,
    /// A face that speaks
    Talker,
    /// Two hundred people in a square
    Crowd,
    /// A character that is hit, falls and gets up
    Ragdoll,
    /// One character that stands still
    Empty,
}

/// Script, test, name of the test, page.
type ProjectTemplate = (&'static str, &'static str, &'static str, &'static str);

macro_rules! texts {
    ($folder:literal, $test:literal) => {
        (
            include_str!(concat!("template/", $folder, "/main.lua")),
            include_str!(concat!("template/", $folder, "/test.lua")),
            $test,
            include_str!(concat!("template/", $folder, "/README.md")),
        )
    };
}

impl Template {
    const fn texts(self) -> ProjectTemplate {
        match self {
            Self::Walker => texts!("walker", "walk"),
            Self::Talker => texts!("talker", "talk"),
            Self::Crowd => texts!("crowd", "crowd"),
            Self::Ragdoll => texts!("ragdoll", "fall"),
            Self::Empty => texts!("empty", "stand"),
        }
    }
}

/// Files that every project has: path and text.
const SHARED: [(&str, &str); 8] = [
    ("galatea.toml", include_str!("template/shared/galatea.toml")),
    (".luaurc", include_str!("template/shared/luaurc.json")),
    (".luarc.json", include_str!("template/shared/luarc.json")),
    ("stylua.toml", include_str!("template/shared/stylua.toml")),
    (
        ".vscode/settings.json",
        include_str!("template/shared/vscode.json"),
    ),
    (
        ".vscode/launch.json",
        include_str!("template/shared/launch.json"),
    ),
    (
        ".vscode/extensions/galatea-debugger/package.json",
        include_str!("template/shared/extension.json"),
    ),
    (
        ".github/workflows/check.yml",
        include_str!("template/shared/check.yml"),
    ),
];

const SOUNDS: [(&str, &[u8]); 3] = [
    (
        "step_stone_1.wav",
        include_bytes!("../../assets/sounds/step_stone_1.wav"),
    ),
    (
        "step_stone_2.wav",
        include_bytes!("../../assets/sounds/step_stone_2.wav"),
    ),
    (
        "step_stone_3.wav",
        include_bytes!("../../assets/sounds/step_stone_3.wav"),
    ),
];

/// Maximum size of the character, bytes.
const MAX_BYTES: usize = 64 << 20;

pub fn run(args: &NewArgs, character: &[u8]) -> anyhow::Result<ExitCode> {
    let dir = &args.dir;
    let occupied = fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_some());
    if occupied {
        bail!(
            "{}: the folder is not empty; choose a new one",
            dir.display()
        );
    }
    let name = dir
        .file_name()
        .map_or_else(|| "demo".into(), |name| name.to_string_lossy().into_owned());
    let named = |text: &str| text.replace("{name}", &name.replace(['"', '\\'], ""));
    let (script, test, test_name, page) = args.template.texts();
    let unpacked = zstd::bulk::decompress(character, MAX_BYTES)
        .context("cannot unpack the built-in character")?;
    let mut files: Vec<(String, Vec<u8>)> = vec![
        ("scripts/main.lua".into(), script.into()),
        (format!("tests/{test_name}.lua"), test.into()),
        ("README.md".into(), named(page).into()),
        (
            "galatea.d.luau".into(),
            reference::luau_definitions().into_bytes(),
        ),
        (
            "galatea.meta.lua".into(),
            luacats_definitions().into_bytes(),
        ),
        ("assets/galatea.glb".into(), unpacked),
    ];
    files.extend(SHARED.map(|(path, text)| (path.into(), named(text).into_bytes())));
    files.extend(SOUNDS.map(|(name, bytes)| (format!("assets/sounds/{name}"), bytes.to_vec())));
    for (name, bytes) in files {
        let path = dir.join(&name);
        write_whole(&path, &bytes)?;
    }
    say!("{} is ready: galatea play {}", dir.display(), dir.display());
    Ok(ExitCode::SUCCESS)
}
