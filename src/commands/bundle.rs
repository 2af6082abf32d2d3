//! `galatea bundle`: packs a project into one executable.

pub mod mac_app;
mod player;
mod program;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail, ensure};
use clap::Args;

use super::ProjectArg;
use super::check::RECIPES;
use galatea_asset::pack::{PackInfo, PackedFile, pack};
use galatea_asset::{
    CLIP_EXTENSIONS, MODEL_EXTENSIONS, Project, SCRIPT_EXTENSIONS, vfs, write_program,
};
use galatea_player::DICTIONARY;
use galatea_script::compiled;

/// Maximum size of a file, bytes.
const MAX_BYTES: u64 = 2 << 30;
/// Maximum number of rows in the report.
const MAX_ROWS: usize = 12;
/// Folders and files of a project that are needed at run time.
const FOLDERS: [&str; 3] = ["assets", "scripts", "shaders"];
const FILES: [&str; 2] = ["galatea.toml", "autoplay.jsonl"];

/// Arguments of `bundle`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  galatea bundle demo -o demo-game\n  galatea bundle demo --runtime galatea-player.exe -o demo.exe\n  galatea bundle demo --compile --shrink -o demo-small\n  galatea bundle --unpack demo-game -o demo-files\n\nThe executable plays the project; `demo-game --help` lists its options."
)]
pub struct BundleArgs {
    #[command(flatten)]
    project: ProjectArg,
    /// Output file; for macOS it may be a folder NAME.app; with --unpack the output folder
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The player to use, such as the `galatea-player` of another system; by default the one that comes with galatea
    #[arg(long, value_name = "FILE")]
    runtime: Option<PathBuf>,
    /// Refuse to unpack or override the files of the executable. This stops casual users only; it does not protect the
    /// files
    #[arg(long)]
    no_unpack: bool,
    /// Pack scripts as bytecode. Errors keep their line numbers. Recipes in scripts/forge are not compiled
    #[arg(long)]
    compile: bool,
    /// Make .glb and .vrm models smaller without loss: PNG becomes WebP, meshes and clips are compressed by meshopt
    #[arg(long)]
    shrink: bool,
    /// Compression level of zstd, 1 to 22
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = super::whole::<i32>(1, 22, "compression level"))]
    level: i32,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    /// Extract the files of a bundle
    #[arg(long, value_name = "FILE", conflicts_with_all = ["runtime", "no_unpack", "compile", "shrink", "dir"])]
    unpack: Option<PathBuf>,
}

/// `player` is the player embedded in this program, compressed with zstd; empty if there is none.
pub fn run(args: &BundleArgs, player: &[u8]) -> anyhow::Result<ExitCode> {
    if let Some(file) = &args.unpack {
        let program = mac_app::program_in(file).unwrap_or_else(|| file.clone());
        let pack = galatea_player::open(&program).with_context(|| file.display().to_string())?;
        let pack = pack.with_context(|| format!("{}: it contains no project", file.display()))?;
        galatea_player::unpack(&pack, &args.output)?;
        return Ok(ExitCode::SUCCESS);
    }
    let project = Project::open(&args.project.dir)?;
    let icon = project.icon().map_err(anyhow::Error::msg)?;
    let mut files = files_of(&project)?;
    let sizes: BTreeMap<String, u64> = files
        .iter()
        .map(|(name, bytes)| (name.clone(), bytes.len() as u64))
        .collect();
    let player = player::find(args.runtime.as_deref(), player)?;
    let bundle = &project.settings.bundle;
    let needs_dictionary = bundle.dictionary.unwrap_or_else(|| uses_speech(&files));
    if needs_dictionary && !crate::DICTIONARY.is_empty() {
        files.insert(DICTIONARY.into(), crate::DICTIONARY.to_vec());
    }
    convert(args, &project, &mut files)?;
    let about = PackInfo {
        name: project.name(),
        locked: args.no_unpack,
    };
    let (packed, mut told) = pack(&about, &files, args.level).map_err(anyhow::Error::msg)?;
    for told in &mut told {
        told.size = sizes.get(&told.path).copied().unwrap_or(told.size);
    }
    let bytes = program::joined(&player.program, packed, icon.as_ref());
    let bytes = bytes.with_context(|| player.name.clone())?;
    player.check().with_context(|| player.name.clone())?;
    if mac_app::is_app(&args.output) {
        mac_app::write(&args.output, &bytes, &project, icon.as_ref())?;
    } else {
        write_program(&args.output, &bytes)?;
    }
    report(args, player.program.len(), bytes.len(), &told)?;
    Ok(ExitCode::SUCCESS)
}

/// Opens the project in a bundle without extracting it; `None` if the path is not a bundle.
///
/// # Errors
/// A damaged bundle.
pub fn opened(path: &Path) -> anyhow::Result<Option<Project>> {
    let file = mac_app::program_in(path).unwrap_or_else(|| path.to_owned());
    let extension = file.extension().unwrap_or_default();
    let is = |known: &&str| extension.eq_ignore_ascii_case(known);
    let mut others = MODEL_EXTENSIONS
        .iter()
        .chain(&CLIP_EXTENSIONS)
        .chain(&SCRIPT_EXTENSIONS);
    if !file.is_file() || others.any(is) {
        return Ok(None);
    }
    let pack = galatea_player::open(&file).with_context(|| file.display().to_string())?;
    let Some(pack) = pack else {
        return Ok(None);
    };
    let root = file.canonicalize()?;
    galatea_player::mount(pack, root.clone(), None)?;
    Ok(Some(Project::open(&root)?))
}

/// All files that a project needs at run time, by path, without hidden files, model recipes and files that its settings
/// exclude.
fn files_of(project: &Project) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    let left_out = &project.settings.bundle.exclude;
    let is_out = |path: &str| {
        let is = |out: &String| Path::new(path).starts_with(out);
        left_out.iter().any(is)
    };
    for out in left_out {
        let known =
            vfs::is_file(&project.root.join(out)) || vfs::is_folder(&project.root.join(out));
        ensure!(
            known,
            "galatea.toml: [bundle] exclude: file or folder {out:?} not found"
        );
    }
    let mut files = BTreeMap::new();
    let mut take = |path: &Path| -> anyhow::Result<()> {
        let relative = path.strip_prefix(&project.root).unwrap_or(path);
        let Some(name) = relative.to_str() else {
            bail!("{}: the name is not valid UTF-8", relative.display());
        };
        let name = name.replace('\\', "/");
        if !is_out(&name) && !name.starts_with(RECIPES) {
            let bytes = vfs::read_at_most(path, MAX_BYTES).with_context(|| name.clone())?;
            files.insert(name, bytes);
        }
        Ok(())
    };
    let main = project.root.join(&project.settings.script.main);
    let single = FILES.map(|file| project.root.join(file));
    for file in single
        .iter()
        .filter(|file| vfs::is_file(file))
        .chain([&main])
    {
        take(file)?;
    }
    let mut folders: Vec<PathBuf> = FOLDERS.map(|folder| project.root.join(folder)).into();
    while let Some(folder) = folders.pop() {
        let Ok(inside) = vfs::list(&folder) else {
            continue;
        };
        for (path, is_folder) in inside {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with('.') || name.ends_with('~') {
                continue;
            }
            if is_folder {
                folders.push(path);
            } else {
                take(&path)?;
            }
        }
    }
    Ok(files)
}

/// Returns true if a script uses functions that need the pronunciation dictionary.
fn uses_speech(files: &BTreeMap<String, Vec<u8>>) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    files.iter().any(|(name, bytes)| {
        let text = String::from_utf8_lossy(bytes);
        let mut words = text.split(|c| !is_word(c));
        is_script(name) && words.any(|word| ["say", "conversation", "pronounce"].contains(&word))
    })
}

fn is_script(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|e| e == "lua" || e == "luau")
}

/// Converts files for the player, as the arguments request: models of other formats to glTF, scripts to bytecode,
/// models to smaller ones.
fn convert(
    args: &BundleArgs,
    project: &Project,
    files: &mut BTreeMap<String, Vec<u8>>,
) -> anyhow::Result<()> {
    let main = Path::new(&project.settings.script.main);
    for (name, bytes) in files.iter_mut() {
        let path = Path::new(name);
        let extension = path.extension().unwrap_or_default();
        let is = |known: &str| extension.eq_ignore_ascii_case(known);
        if MODEL_EXTENSIONS.into_iter().any(is) {
            match galatea_asset::gltf::converted(&project.root.join(name)) {
                Ok(Some(glb)) => *bytes = glb,
                Ok(None) => {}
                Err(error) => eprintln!("warning: {error}; the file is packed unchanged"),
            }
        } else if args.compile && is_script(name) && (path.starts_with("scripts") || path == main) {
            let text = std::str::from_utf8(bytes).with_context(|| name.clone())?;
            *bytes = compiled(name, text.trim_start_matches('\u{feff}'))
                .map_err(anyhow::Error::msg)?
                .into_bytes();
        }
        let is_model = bytes.starts_with(b"glTF");
        if is_model
            && args.shrink
            && let Ok(Some(less)) = galatea_asset::gltf::shrink(bytes)
        {
            *bytes = less;
        }
    }
    Ok(())
}

fn report(
    args: &BundleArgs,
    program: usize,
    whole: usize,
    told: &[PackedFile],
) -> anyhow::Result<()> {
    let stored: u64 = told.iter().map(|packed| packed.stored).sum();
    let size: u64 = told.iter().map(|packed| packed.size).sum();
    let file = args.output.display().to_string();
    if args.json {
        let told = serde_json::json!({
            "file": file,
            "bytes": whole,
            "program": program,
            "files": told,
        });
        say!("{}", serde_json::to_string_pretty(&told)?);
        return Ok(());
    }
    let mut largest: Vec<&PackedFile> = told.iter().collect();
    largest.sort_by_key(|packed| std::cmp::Reverse(packed.stored));
    for packed in largest.iter().take(MAX_ROWS) {
        say!(
            "{:>10}  of {:>10}  {}",
            kb(packed.stored),
            kb(packed.size),
            packed.path
        );
    }
    let rest: u64 = largest
        .iter()
        .skip(MAX_ROWS)
        .map(|packed| packed.stored)
        .sum();
    if rest > 0 {
        say!("{:>10}  {} others", kb(rest), told.len() - MAX_ROWS);
    }
    say!(
        "{:>10}  of {:>10}  {} files",
        kb(stored),
        kb(size),
        told.len()
    );
    say!("{:>10}  the player", kb(program as u64));
    say!("{:>10}  {file}", kb(whole as u64));
    Ok(())
}

fn kb(bytes: u64) -> String {
    format!("{:.1} KB", bytes as f64 / 1024.0)
}
