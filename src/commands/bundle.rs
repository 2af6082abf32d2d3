//! `galatea bundle`: a project in one executable.

pub mod mac_app;
mod program;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail, ensure};
use clap::Args;

use super::ProjectArg;
use super::check::RECIPES;
use super::many::write_program;
use galatea_asset::pack::{About, Brought, Pack, Packed, pack};
use galatea_asset::{Project, vfs};
use galatea_script::compiled;

/// The section, note or resource of an executable that holds its project.
pub const SECTION: &str = "galatea";
/// Bytes of the largest file that is taken in.
const LARGEST: u64 = 2 << 30;
/// Rows of the report.
const TOLD: usize = 12;
/// Folders and files of a project that it needs to be played.
const FOLDERS: [&str; 3] = ["assets", "scripts", "shaders"];
const FILES: [&str; 2] = ["galatea.toml", "reel.jsonl"];

/// Arguments of `bundle`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  galatea bundle demo -o demo-game\n  galatea bundle demo --runtime galatea.exe -o demo.exe\n  galatea bundle demo --compile --shrink -o demo-small\n  galatea bundle --unpack demo-game -o demo-files\n\nThe executable plays the project; `demo-game --help` tells what else it can do."
)]
pub struct BundleArgs {
    #[command(flatten)]
    project: ProjectArg,
    /// The executable; one for macOS may be a folder NAME.app; with --unpack the folder
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The program to put the project into, as that of another system; else this one
    #[arg(long, value_name = "FILE")]
    runtime: Option<PathBuf>,
    /// Do not let the executable give the files back, and take no files in their place. This hides nothing from who
    /// takes the trouble
    #[arg(long)]
    lock: bool,
    /// Scripts go into it as bytecode. Faults keep their lines; recipes, in scripts/forge, stay as they are
    #[arg(long)]
    compile: bool,
    /// Make models smaller without a loss: PNG pictures in .glb and .vrm become WebP, meshes and clips are packed by meshopt
    #[arg(long)]
    shrink: bool,
    /// How much work is spent on packing, 1 to 22
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(i32).range(1..=22))]
    level: i32,
    /// Tell the report as JSON
    #[arg(long)]
    json: bool,
    /// Give back the files that an executable holds
    #[arg(long, value_name = "FILE", conflicts_with_all = ["runtime", "lock", "compile", "shrink", "dir"])]
    unpack: Option<PathBuf>,
}

/// `character` is what programs of this version bring along, packed by zstd.
pub fn run(args: &BundleArgs, character: &[u8]) -> anyhow::Result<ExitCode> {
    if let Some(file) = &args.unpack {
        let program = mac_app::program_in(file).unwrap_or_else(|| file.clone());
        let bytes = fs::read(program).with_context(|| file.display().to_string())?;
        let pack = inside(bytes.leak()).with_context(|| file.display().to_string())?;
        unpack(&pack, &args.output)?;
        return Ok(ExitCode::SUCCESS);
    }
    ensure!(
        vfs::shipped().is_none(),
        "this executable holds a project; --unpack gives its files"
    );
    let project = Project::open(&args.project.dir)?;
    let icon = project.icon().map_err(anyhow::Error::msg)?;
    let mut files = files_of(&project)?;
    let sizes: Vec<u64> = files.values().map(|bytes| bytes.len() as u64).collect();
    let runtime = match &args.runtime {
        Some(file) => file.clone(),
        None => std::env::current_exe().context("this program does not find itself")?,
    };
    let program = fs::read(&runtime).with_context(|| runtime.display().to_string())?;
    ensure!(
        Pack::starts(&program).next().is_none(),
        "{}: it holds a project already; --runtime takes a plain galatea",
        runtime.display()
    );
    let brought = Brought::of(character)?;
    let brought = Some(brought).filter(|brought| brought.is_in(&program));
    worked(args, &project, &mut files, brought.as_ref())?;
    let about = About {
        name: project.name(),
        locked: args.lock,
    };
    let (packed, mut told) =
        pack(&about, &files, args.level, brought.as_ref()).map_err(anyhow::Error::msg)?;
    for (told, size) in told.iter_mut().zip(sizes) {
        told.size = size;
    }
    let bytes = program::joined(&program, packed, icon.as_ref());
    let bytes = bytes.with_context(|| runtime.display().to_string())?;
    if mac_app::is_one(&args.output) {
        mac_app::write(&args.output, &bytes, &project, icon.as_ref())?;
    } else {
        write_program(&args.output, &bytes)?;
    }
    report(args, program.len(), bytes.len(), &told)?;
    Ok(ExitCode::SUCCESS)
}

/// All files that a project needs to be played, by their paths; hidden ones and what its settings leave out are not.
fn files_of(project: &Project) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    let left_out = &project.settings.bundle.exclude;
    let is_out = |path: &str| {
        let is = |out: &String| Path::new(path).starts_with(out);
        left_out.iter().any(is)
    };
    for out in left_out {
        let known =
            vfs::is_file(&project.root.join(out)) || vfs::is_folder(&project.root.join(out));
        ensure!(known, "galatea.toml: [bundle] exclude: there is no {out:?}");
    }
    let mut files = BTreeMap::new();
    let mut take = |path: &Path| -> anyhow::Result<()> {
        let relative = path.strip_prefix(&project.root).unwrap_or(path);
        let Some(name) = relative.to_str() else {
            bail!("{}: not a name in UTF-8", relative.display());
        };
        let name = name.replace('\\', "/");
        if !is_out(&name) {
            let bytes = vfs::read_at_most(path, LARGEST).with_context(|| name.clone())?;
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

/// Makes of files what is wished; what the program brings along stays as it is.
fn worked(
    args: &BundleArgs,
    project: &Project,
    files: &mut BTreeMap<String, Vec<u8>>,
    brought: Option<&Brought<'_>>,
) -> anyhow::Result<()> {
    let main = Path::new(&project.settings.script.main);
    let is_script = |path: &Path| {
        let is_lua = path.extension().is_some_and(|e| e == "lua" || e == "luau");
        is_lua && path.starts_with("scripts") && !path.starts_with(RECIPES) || path == main
    };
    for (name, bytes) in files.iter_mut().filter(|_| args.compile) {
        if is_script(Path::new(name)) {
            let text = std::str::from_utf8(bytes).with_context(|| name.clone())?;
            *bytes = compiled(name, text.trim_start_matches('\u{feff}'))
                .map_err(anyhow::Error::msg)?
                .into_bytes();
        }
    }
    for (name, bytes) in files.iter_mut().filter(|_| args.shrink) {
        let is_brought = brought.is_some_and(|brought| brought.bytes() == *bytes);
        if !is_brought && (name.ends_with(".glb") || name.ends_with(".vrm")) {
            // What cannot be read is for who loads it to tell.
            if let Ok(Some(less)) = galatea_asset::gltf::shrink(bytes) {
                *bytes = less;
            }
        }
    }
    Ok(())
}

/// The project that a file holds.
fn inside(bytes: &'static [u8]) -> anyhow::Result<Pack> {
    let start = Pack::starts(bytes).next();
    let start = start.context("there is no project in it")?;
    Ok(Pack::open(&bytes[start..], bytes)?)
}

/// Gives the files of a packed project back.
pub fn unpack(pack: &Pack, folder: &Path) -> anyhow::Result<()> {
    ensure!(
        !pack.about().locked,
        "this executable was made with --lock: it keeps its files"
    );
    let occupied = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    ensure!(!occupied, "{}: the folder is not empty", folder.display());
    let mut n = 0;
    for path in pack.paths() {
        let relative = Path::new(path);
        let is_plain = |c| matches!(c, std::path::Component::Normal(_));
        ensure!(
            relative.components().all(is_plain),
            "{path}: leads out of the folder"
        );
        let Some(bytes) = pack.read(path) else {
            continue;
        };
        let file = folder.join(relative);
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
        }
        fs::write(&file, bytes?).with_context(|| file.display().to_string())?;
        n += 1;
    }
    eprintln!("{n} files in {}", folder.display());
    Ok(())
}

fn report(args: &BundleArgs, program: usize, whole: usize, told: &[Packed]) -> anyhow::Result<()> {
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
    let mut largest: Vec<&Packed> = told.iter().collect();
    largest.sort_by_key(|packed| std::cmp::Reverse(packed.stored));
    for packed in largest.iter().take(TOLD) {
        let has_it = packed.stored == 0 && packed.size > 0;
        say!(
            "{:>10}  of {:>10}  {}{}",
            kb(packed.stored),
            kb(packed.size),
            packed.path,
            if has_it { ": the program has it" } else { "" }
        );
    }
    let rest: u64 = largest.iter().skip(TOLD).map(|packed| packed.stored).sum();
    if rest > 0 {
        say!("{:>10}  {} others", kb(rest), told.len() - TOLD);
    }
    say!(
        "{:>10}  of {:>10}  {} files",
        kb(stored),
        kb(size),
        told.len()
    );
    say!("{:>10}  the program", kb(program as u64));
    say!("{:>10}  {file}", kb(whole as u64));
    Ok(())
}

fn kb(bytes: u64) -> String {
    format!("{:.1} KB", bytes as f64 / 1024.0)
}
