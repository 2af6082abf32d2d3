//! The project that is packed into a program.

use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, ensure};
use galatea_asset::pack::Pack;
use galatea_asset::vfs::{self, Mount};
use galatea_asset::write_whole;

/// The section (ELF note, Mach-O section, PE resource) of a program that contains its project.
pub const SECTION: &str = "galatea";
/// Path of the packed English dictionary, if the project uses text-to-speech. No project can have a file of this name, since
/// hidden files are not packed.
pub const DICTIONARY: &str = ".galatea/english.txt.zst";
/// Name of the folder next to a bundle with files that replace those of the bundle.
const OVERRIDES: &str = "overrides";
/// Path of the program within an `.app` folder of macOS.
const PROGRAMS: &str = "Contents/MacOS";

/// Returns the `.app` folder that contains a program, if any.
pub fn app_folder(program: &Path) -> Option<&Path> {
    let contents = program.parent().filter(|it| it.ends_with(PROGRAMS))?;
    let app = contents.ancestors().nth(2)?;
    let is_app = app.extension()?.eq_ignore_ascii_case("app");
    is_app.then_some(app)
}

/// Reads the project packed into a file into memory, for the lifetime of the process. Returns `None` if there is none.
///
/// # Errors
/// If the file cannot be read, or the project is damaged.
pub fn open(file: &Path) -> anyhow::Result<Option<Pack>> {
    let bytes = fs::read(file)?;
    let Some(start) = Pack::starts(&bytes).next() else {
        return Ok(None);
    };
    Ok(Some(Pack::open(&bytes.leak()[start..])?))
}

/// Returns the project in the running program, memory-mapped by the system.
///
/// # Errors
/// If the program is truncated, damaged or cannot be found.
pub fn own() -> anyhow::Result<Option<Pack>> {
    let program = std::env::current_exe().context("cannot find this program's own file")?;
    // Reading beyond the end of a truncated file would crash the process.
    ensure!(
        is_whole(&program).unwrap_or(true),
        "this file is incomplete: download it again"
    );
    let found = libsui::find_section(SECTION).context("cannot read this program's own file")?;
    Ok(found.map(Pack::open).transpose()?)
}

/// Mounts a packed project as the folder `program`, which cannot contain real files.
///
/// # Errors
/// If replacement files are requested for a locked bundle (`--no-unpack`), or their folder is missing.
pub fn mount(pack: Pack, program: PathBuf, requested: Option<&Path>) -> anyhow::Result<()> {
    let over = overrides(&pack, &program, requested)?;
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
/// If the bundle is locked, the folder is not empty, or a file cannot be written.
pub fn unpack(pack: &Pack, folder: &Path) -> anyhow::Result<()> {
    ensure!(
        !pack.about().locked,
        "this executable was made with --no-unpack: its files cannot be extracted"
    );
    let occupied = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    ensure!(!occupied, "{}: the folder is not empty", folder.display());
    let mut n = 0;
    for path in pack.paths().filter(|path| *path != DICTIONARY) {
        let relative = Path::new(path);
        let is_plain = |c| matches!(c, Component::Normal(_));
        ensure!(
            relative.components().all(is_plain),
            "{path}: the path leaves the folder"
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

/// Returns true if an ELF program contains all bytes of its segments. Other systems check this themselves.
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

/// Folders with files that replace those of the project.
fn overrides(
    pack: &Pack,
    program: &Path,
    requested: Option<&Path>,
) -> anyhow::Result<Vec<PathBuf>> {
    if let Some(folder) = requested {
        ensure!(
            !pack.about().locked,
            "this executable was made with --no-unpack: its files cannot be replaced"
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
    let adjacent = seen.parent().map(|folder| folder.join(OVERRIDES));
    let adjacent = adjacent.filter(|folder| folder.is_dir());
    let all = requested.map(Path::to_owned).into_iter().chain(adjacent);
    // Paths are resolved, because the file watcher does not recognise changed files below a symbolic link.
    Ok(all
        .map(|folder| folder.canonicalize().unwrap_or(folder))
        .collect())
}

/// Folder for files written by the player: the user's data folder, or one next to the program if there is none.
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
