//! The project that is packed into a program.

use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, ensure};
use galatea_asset::pack::Pack;
use galatea_asset::vfs::{self, Mount};
use galatea_asset::write_whole;

/// The section (ELF note, Mach-O section, PE resource) of a program that holds its project.
pub const SECTION: &str = "galatea";
/// The packed file that holds the English dictionary, where the project speaks from text. No project has a file of
/// this name, since hidden files are not packed.
pub const DICTIONARY: &str = ".galatea/english.txt.zst";
/// The folder beside a bundle whose files replace those in it.
const OVERRIDES: &str = "overrides";
/// Where the program lies in an `.app` folder of macOS.
const PROGRAMS: &str = "Contents/MacOS";

/// The `.app` folder that a program lies in, if any.
pub fn app_folder(program: &Path) -> Option<&Path> {
    let contents = program.parent().filter(|it| it.ends_with(PROGRAMS))?;
    let app = contents.ancestors().nth(2)?;
    let is_app = app.extension()?.eq_ignore_ascii_case("app");
    is_app.then_some(app)
}

/// The project that a file holds, read whole into memory for as long as the process runs; `None` for a file without one.
///
/// # Errors
/// A file that cannot be read; a damaged project.
pub fn open(file: &Path) -> anyhow::Result<Option<Pack>> {
    let bytes = fs::read(file)?;
    let Some(start) = Pack::starts(&bytes).next() else {
        return Ok(None);
    };
    Ok(Some(Pack::open(&bytes.leak()[start..])?))
}

/// The project in the running program, mapped by the system and not copied.
///
/// # Errors
/// A program that is cut short, damaged or cannot be found.
pub fn own() -> anyhow::Result<Option<Pack>> {
    let program = std::env::current_exe().context("this program does not find itself")?;
    // A missing end would be met as a fault of memory.
    ensure!(
        is_whole(&program).unwrap_or(true),
        "this file is cut short: get it again"
    );
    let found = libsui::find_section(SECTION).context("this program does not read itself")?;
    Ok(found.map(Pack::open).transpose()?)
}

/// Makes a packed project readable as the folder `program`, below which no real file can be.
///
/// # Errors
/// Files asked for in place of the project's where the bundle was made with `--lock`, or a folder that is missing.
pub fn mount(pack: Pack, program: PathBuf, asked: Option<&Path>) -> anyhow::Result<()> {
    let over = overrides(&pack, &program, asked)?;
    vfs::mount(Mount {
        home: home(&pack.about().name, &program),
        root: program,
        pack,
        over,
    });
    Ok(())
}

/// Writes the files of a packed project into an empty folder.
///
/// # Errors
/// A locked bundle, a folder that is not empty, a file that cannot be written.
pub fn unpack(pack: &Pack, folder: &Path) -> anyhow::Result<()> {
    ensure!(
        !pack.about().locked,
        "this executable was made with --lock: it keeps its files"
    );
    let occupied = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    ensure!(!occupied, "{}: the folder is not empty", folder.display());
    let mut n = 0;
    for path in pack.paths().filter(|path| *path != DICTIONARY) {
        let relative = Path::new(path);
        let is_plain = |c| matches!(c, Component::Normal(_));
        ensure!(
            relative.components().all(is_plain),
            "{path}: leads out of the folder"
        );
        let Some(bytes) = pack.read(path) else {
            continue;
        };
        let file = folder.join(relative);
        write_whole(&file, &bytes?)?;
        n += 1;
    }
    eprintln!("{n} files in {}", folder.display());
    Ok(())
}

/// Whether an ELF program has all the bytes that its segments name; other systems check that themselves.
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
    // Offset of the segment table, and its count of entries of 56 bytes (System V ABI, ELF-64 headers, little-endian).
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

/// The folders whose files replace those of the project.
fn overrides(pack: &Pack, program: &Path, asked: Option<&Path>) -> anyhow::Result<Vec<PathBuf>> {
    if let Some(folder) = asked {
        ensure!(
            !pack.about().locked,
            "this executable was made with --lock: it takes no other files"
        );
        ensure!(
            folder.is_dir(),
            "{}: there is no such folder",
            folder.display()
        );
    }
    if pack.about().locked {
        return Ok(Vec::new());
    }
    let seen = app_folder(program).unwrap_or(program);
    let beside = seen.parent().map(|folder| folder.join(OVERRIDES));
    let beside = beside.filter(|folder| folder.is_dir());
    let all = asked.map(Path::to_owned).into_iter().chain(beside);
    // A link on the way there would hide from the watcher that a changed file is theirs.
    Ok(all
        .map(|folder| folder.canonicalize().unwrap_or(folder))
        .collect())
}

/// The folder for what the player writes: the user's data folder, or one beside the program where there is none.
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
