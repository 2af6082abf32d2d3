//! `galatea new`: a small project that runs.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;

use crate::script::{luacats_definitions, reference};

/// Arguments of `new`.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// Folder to make
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

const SCRIPT: &str = include_str!("template/main.lua");
const TEST: &str = include_str!("template/walk.lua");
const SETTINGS: &str = include_str!("template/galatea.toml");
const LUAURC: &str = include_str!("template/luaurc.json");
const LUARC: &str = include_str!("template/luarc.json");
const STYLUA: &str = include_str!("template/stylua.toml");
const EDITOR: &str = include_str!("template/vscode.json");
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

pub fn run(args: &NewArgs, character: &[u8]) -> anyhow::Result<ExitCode> {
    let dir = &args.dir;
    let occupied = fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_some());
    if occupied {
        bail!(
            "{}: there is something in this folder already",
            dir.display()
        );
    }
    let name = dir
        .file_name()
        .map_or_else(|| "demo".into(), |name| name.to_string_lossy().into_owned());
    let settings = SETTINGS.replace("{name}", &name.replace(['"', '\\'], ""));
    let files: [(&str, &[u8]); 10] = [
        ("scripts/main.lua", SCRIPT.as_bytes()),
        ("tests/walk.lua", TEST.as_bytes()),
        ("galatea.toml", settings.as_bytes()),
        (
            "galatea.d.luau",
            &reference::luau_definitions().into_bytes(),
        ),
        ("galatea.meta.lua", &luacats_definitions().into_bytes()),
        (".luaurc", LUAURC.as_bytes()),
        (".luarc.json", LUARC.as_bytes()),
        ("stylua.toml", STYLUA.as_bytes()),
        (".vscode/settings.json", EDITOR.as_bytes()),
        ("assets/galatea.glb", character),
    ];
    let sounds = SOUNDS.map(|(name, bytes)| (format!("assets/sounds/{name}"), bytes));
    let all = files
        .iter()
        .map(|(name, bytes)| ((*name).to_owned(), *bytes))
        .chain(sounds);
    for (name, bytes) in all {
        let path = dir.join(&name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
        }
        fs::write(&path, bytes).with_context(|| path.display().to_string())?;
    }
    say!("{} is ready: galatea play {}", dir.display(), dir.display());
    Ok(ExitCode::SUCCESS)
}
