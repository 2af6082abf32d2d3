//! What an executable does that holds a project: it plays it.

use std::ffi::OsString;
use std::fs::File;
use std::io::{IsTerminal as _, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{CommandFactory as _, FromArgMatches as _, Parser};

use super::{Cli, QualityArg, bundle, play, quality, start_log};
use galatea_asset::pack::Pack;
use galatea_asset::vfs::{self, Mount};
use galatea_math::names::printable;
use galatea_stage::frame::Quality;

/// The folder beside the executable whose files stand before those in it.
const OVERRIDES: &str = "overrides";

/// The command line of such an executable.
#[derive(Debug, Parser)]
#[command(version)]
struct Shipped {
    /// A folder whose files stand before those in this file, as the folder `overrides` beside it does
    #[arg(value_name = "FOLDER")]
    over: Option<PathBuf>,
    /// How much is spent on a picture: low, medium or high
    #[arg(long, value_name = "NAME", value_parser = quality)]
    quality: Option<Quality>,
    /// Play without sound
    #[arg(long)]
    silent: bool,
    /// Give back the files that are in this file, into an empty folder
    #[arg(long, value_name = "FOLDER")]
    unpack: Option<PathBuf>,
    /// Say under which terms the program in this file may be used
    #[arg(long)]
    licenses: bool,
    /// What follows is one of galatea's commands, for what is in this file, as in `--tool shot --at 2 -o shot.png`
    #[arg(long, num_args = 1.., allow_hyphen_values = true, value_name = "COMMAND")]
    tool: Vec<OsString>,
}

/// Runs the project in this executable, if there is one.
///
/// # Errors
/// What stopped it.
pub fn run(character: &'static [u8]) -> anyhow::Result<Option<ExitCode>> {
    let program = std::env::current_exe();
    // What is missing at the end would be met as a fault of memory.
    let is_cut = |program: &PathBuf| is_whole(program).is_ok_and(|is_whole| !is_whole);
    anyhow::ensure!(
        !program.as_ref().is_ok_and(is_cut),
        "this file is cut short: get it again"
    );
    let found =
        libsui::find_section(bundle::SECTION).context("this program does not read itself")?;
    let Some(bytes) = found else {
        return Ok(None);
    };
    let pack = Pack::open(bytes, character)?;
    let name = pack.about().name.clone();
    let about = format!("{name}: this file plays it");
    let matches = Shipped::command().about(about).get_matches();
    let args = Shipped::from_arg_matches(&matches)?;
    start_log();
    if args.licenses {
        return super::licenses::run().map(Some);
    }
    if let Some(folder) = &args.unpack {
        bundle::unpack(&pack, folder)?;
        return Ok(Some(ExitCode::SUCCESS));
    }
    let program = program.and_then(|program| program.canonicalize());
    let program = program.context("this program does not find itself")?;
    let over = overrides(&pack, &program, args.over.as_deref())?;
    vfs::mount(Mount {
        home: home(&name, &program),
        // No file can be inside of a file: what is there is in the pack.
        root: program,
        pack,
        over,
    });
    if args.tool.is_empty() {
        let wishes = QualityArg {
            quality: args.quality,
            scale: None,
        };
        return play::run(&play::PlayArgs::shipped(wishes, args.silent)).map(Some);
    }
    let words = std::iter::once(OsString::from("galatea")).chain(args.tool);
    super::run(Cli::parse_from(words), character).map(Some)
}

/// Shows why it stopped in a window to who has no terminal to read it in: after a double click, or a folder that was dropped on it.
/// On Linux zenity draws it; where it is missing the log has the words.
pub fn show_without_terminal(why: &str) {
    let is_asked = |word: OsString| word.as_encoded_bytes().starts_with(b"-");
    if std::io::stderr().is_terminal() || std::env::args_os().skip(1).any(is_asked) {
        return;
    }
    let program = std::env::current_exe().ok();
    let name = program.as_deref().and_then(Path::file_stem);
    let name = name.unwrap_or_default().to_string_lossy();
    rfd::MessageDialog::new()
        .set_level(rfd::MessageLevel::Error)
        .set_title(printable(&name))
        .set_description(printable(why))
        .show();
}

/// Whether a program has all that it says it has; other systems see to that themselves.
fn is_whole(program: &Path) -> std::io::Result<bool> {
    if !cfg!(target_os = "linux") {
        return Ok(true);
    }
    let mut file = File::open(program)?;
    let length = file.metadata()?.len();
    let mut head = [0; 64];
    file.read_exact(&mut head)?;
    if head[..6] != *b"\x7fELF\x02\x01" {
        return Ok(true);
    }
    let number = |bytes: &[u8], at: usize| {
        let bytes = bytes
            .get(at..at + 8)
            .and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, u64::from_le_bytes)
    };
    // Where the table of segments is, and how many of 56 bytes it has (System V ABI, ELF-64 headers, little-endian).
    let (table, n) = (number(&head, 32), u16::from_le_bytes([head[56], head[57]]));
    file.seek(SeekFrom::Start(table))?;
    let mut segments = vec![0; usize::from(n) * 56];
    if file.read_exact(&mut segments).is_err() {
        return Ok(false);
    }
    let ends = segments.chunks_exact(56);
    let mut ends = ends.map(|one| number(one, 8).saturating_add(number(one, 32)));
    Ok(ends.all(|end| end <= length))
}

/// Folders that are laid over the project, which exist.
fn overrides(pack: &Pack, program: &Path, asked: Option<&Path>) -> anyhow::Result<Vec<PathBuf>> {
    if let Some(folder) = asked {
        anyhow::ensure!(
            !pack.about().locked,
            "this executable was made with --lock: it takes no other files"
        );
        anyhow::ensure!(
            folder.is_dir(),
            "{}: there is no such folder",
            folder.display()
        );
    }
    if pack.about().locked {
        return Ok(Vec::new());
    }
    let seen = bundle::mac_app::around(program).unwrap_or(program);
    let beside = seen.parent().map(|folder| folder.join(OVERRIDES));
    let beside = beside.filter(|folder| folder.is_dir());
    let all = asked.map(Path::to_owned).into_iter().chain(beside);
    // Links on the way there would hide that a changed file is theirs.
    Ok(all
        .map(|folder| folder.canonicalize().unwrap_or(folder))
        .collect())
}

/// Where what a player keeps goes: a folder of the user's, or beside the executable where there is none.
fn home(name: &str, program: &Path) -> PathBuf {
    let plain = |c: char| {
        if c.is_alphanumeric() || "-_ ".contains(c) {
            c
        } else {
            '_'
        }
    };
    let name: String = name.chars().map(plain).collect();
    let home = dirs::data_dir().map(|folder| folder.join("galatea").join(&name));
    home.unwrap_or_else(|| {
        program
            .parent()
            .unwrap_or(Path::new("."))
            .join(format!("{name} files"))
    })
}
