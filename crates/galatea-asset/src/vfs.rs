//! Virtual file system: files of projects in a folder, or packed in the executable.
//!
//! A packed project is mounted at a path inside its own executable file, where no other file can exist. Files below this
//! path are read from the pack, unless an overlay folder has a file of that name. A project in a folder may have additional
//! asset folders, which are searched after its own. All other paths are read from disk.

use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use super::pack::Pack;

/// Limit of the size of scripts, settings and shaders, bytes.
pub const MAX_TEXT: u64 = 4 << 20;
/// Folder of a project for all files except scripts and shaders.
pub const ASSETS: &str = "assets";

/// A packed project that is mounted as a folder.
#[derive(Debug)]
pub struct Mount {
    /// Path of the mounted folder.
    pub root: PathBuf,
    /// Packed files.
    pub pack: Pack,
    /// Overlay folders whose files have precedence over the pack, highest precedence first.
    pub over: Vec<PathBuf>,
    /// Writable folder for saved data.
    pub home: PathBuf,
}

/// Additional folders that are searched after one folder of a project.
struct OverlaidFolder {
    /// Folder of the project.
    own: PathBuf,
    /// Canonical path of `own`, without links.
    real: PathBuf,
    others: Vec<PathBuf>,
}

static SHARED: RwLock<Vec<Arc<OverlaidFolder>>> = RwLock::new(Vec::new());

/// Adds the folders `others` to `own`: their files are found if `own` has no file of that name. The first folder has
/// precedence.
pub fn add_shared_folders(own: &Path, others: Vec<PathBuf>) {
    let mut shared = SHARED.write().unwrap_or_else(PoisonError::into_inner);
    shared.retain(|shared| shared.own != own);
    if !others.is_empty() {
        let real = real(own);
        let own = own.to_owned();
        shared.push(Arc::new(OverlaidFolder { own, real, others }));
    }
}

/// Canonical path without links; if the path does not exist, based on the canonical path of the folder.
fn real(path: &Path) -> PathBuf {
    let of_parent = || {
        let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(parent.join(path.file_name()?))
    };
    path.canonicalize()
        .ok()
        .or_else(of_parent)
        .unwrap_or_else(|| path.to_owned())
}

/// Additional folders for a path, and the file name relative to them.
fn shared(path: &Path) -> Option<(Arc<OverlaidFolder>, String)> {
    let all = SHARED.read().unwrap_or_else(PoisonError::into_inner);
    all.iter().find_map(|shared| {
        let name = path.strip_prefix(&shared.own);
        let name = name.or_else(|_| path.strip_prefix(&shared.real)).ok()?;
        Some((shared.clone(), normalized(name)?))
    })
}

static MOUNTS: RwLock<Vec<Arc<Mount>>> = RwLock::new(Vec::new());

/// Mounts a packed project as a folder.
pub fn mount(mount: Mount) {
    let mut mounts = MOUNTS.write().unwrap_or_else(PoisonError::into_inner);
    mounts.push(Arc::new(mount));
}

/// Path of the project that is packed in this program.
pub(crate) fn shipped() -> Option<PathBuf> {
    let mounts = MOUNTS.read().unwrap_or_else(PoisonError::into_inner);
    mounts.first().map(|mount| mount.root.clone())
}

/// Kind of a directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileKind {
    File,
    Folder,
}

/// Location where a path is searched.
enum FileLocation {
    Disk(PathBuf),
    Packed(Arc<Mount>, String),
    /// Outside a packed project.
    Nowhere,
}

/// Mounted project that contains a path, and the name in it; no name if the path leads out.
fn mounted(path: &Path) -> Option<(Arc<Mount>, Option<String>)> {
    let mounts = MOUNTS.read().unwrap_or_else(PoisonError::into_inner);
    mounts.iter().find_map(|mount| {
        let name = path.strip_prefix(&mount.root).ok()?;
        Some((mount.clone(), normalized(name)))
    })
}

/// Normalises a name: without `.` and `..`, with slashes. `None` if it leads out.
fn normalized(name: &Path) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for component in name.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => drop(parts.pop()?),
            Component::Normal(part) => parts.push(part.to_str()?),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts.join("/"))
}

fn locate(path: &Path) -> FileLocation {
    let Some((mount, name)) = mounted(path) else {
        return FileLocation::Disk(on_disk(path));
    };
    let Some(name) = name else {
        return FileLocation::Nowhere;
    };
    let over = mount.over.iter().map(|folder| folder.join(&name));
    match over.into_iter().find(|file| file.is_file()) {
        Some(file) => FileLocation::Disk(file),
        None => FileLocation::Packed(mount, name),
    }
}

/// Location on disk of a file in a project folder.
fn on_disk(path: &Path) -> PathBuf {
    let elsewhere = || {
        let (shared, name) = shared(path)?;
        let mut candidates = shared.others.iter().map(|folder| folder.join(&name));
        candidates.find(|path| path.exists())
    };
    let own = path.to_owned();
    match path.exists() {
        true => own,
        false => elsewhere().unwrap_or(own),
    }
}

fn kind(path: &Path) -> Option<FileKind> {
    match locate(path) {
        FileLocation::Disk(path) if path.is_dir() => Some(FileKind::Folder),
        FileLocation::Disk(path) => path.is_file().then_some(FileKind::File),
        FileLocation::Packed(mount, name) if mount.pack.size(&name).is_some() => {
            Some(FileKind::File)
        }
        FileLocation::Packed(mount, name) => {
            let is_over = || mount.over.iter().any(|folder| folder.join(&name).is_dir());
            let is_folder = mount.pack.list(&name).is_some() || is_over();
            is_folder.then_some(FileKind::Folder)
        }
        FileLocation::Nowhere => None,
    }
}

/// Returns true if the path is a file.
pub fn is_file(path: &Path) -> bool {
    kind(path) == Some(FileKind::File)
}

/// Returns true if the path exists, even if it is not readable.
pub fn exists(path: &Path) -> bool {
    match locate(path) {
        FileLocation::Disk(path) => path.exists(),
        FileLocation::Packed(..) | FileLocation::Nowhere => kind(path).is_some(),
    }
}

/// Returns true if the path is a folder.
pub fn is_folder(path: &Path) -> bool {
    kind(path) == Some(FileKind::Folder)
}

/// Returns true if the project at this path is packed.
pub fn is_packed(root: &Path) -> bool {
    mounted(root).is_some()
}

/// Returns true if a file is read from a pack and not from an overlay folder.
pub fn is_shipped(path: &Path) -> bool {
    matches!(locate(path), FileLocation::Packed(mount, name) if mount.pack.size(&name).is_some())
}

/// Returns true if a file is in the project itself and not in an additional folder.
pub fn is_own(path: &Path) -> bool {
    is_packed(path) || path.exists()
}

/// Overlay folders of a packed project; `None` if it is not packed.
pub fn over(root: &Path) -> Option<Vec<PathBuf>> {
    mounted(root).map(|(mount, _)| mount.over.clone())
}

/// Additional folders of a project.
pub fn beside(root: &Path) -> Vec<PathBuf> {
    let all = SHARED.read().unwrap_or_else(PoisonError::into_inner);
    let own = all.iter().filter(|shared| shared.own.starts_with(root));
    own.flat_map(|shared| shared.others.clone()).collect()
}

/// Path within the project of a file in an overlay or an additional folder.
pub fn in_project(root: &Path, file: &Path) -> PathBuf {
    let under = |folders: &[PathBuf]| {
        let mut names = folders.iter().map(|folder| file.strip_prefix(folder).ok());
        names.find_map(|name| name.map(Path::to_owned))
    };
    if let Some(name) = under(&over(root).unwrap_or_default()) {
        return root.join(name);
    }
    let all = SHARED.read().unwrap_or_else(PoisonError::into_inner);
    let mut own = all.iter().filter(|shared| shared.own.starts_with(root));
    let found = own.find_map(|shared| Some(shared.real.join(under(&shared.others)?)));
    found.unwrap_or_else(|| file.to_owned())
}

/// Writable folder of a project: its own, or one of the user's for a packed project.
pub fn home(root: &Path) -> PathBuf {
    mounted(root).map_or_else(|| root.to_owned(), |(mount, _)| mount.home.clone())
}

/// Returns the file whose path differs only in letter case; `None` if a file with exactly this name exists. Models made on
/// Windows often refer to files in another case.
pub fn other_case(path: &Path) -> Option<PathBuf> {
    if exists(path) {
        return None;
    }
    // Folders above a packed project may not exist on disk.
    let mut found = mounted(path).map_or_else(PathBuf::new, |(mount, _)| mount.root.clone());
    let rest = path.strip_prefix(&found).unwrap_or(path);
    for component in rest.components() {
        let next = found.join(component);
        if exists(&next) {
            found = next;
            continue;
        }
        let Component::Normal(part) = component else {
            return None;
        };
        let lower = part.to_str()?.to_lowercase();
        let folder = match found.as_os_str().is_empty() {
            true => Path::new("."),
            false => found.as_path(),
        };
        let names = list(folder).ok()?.into_iter();
        let names = names.filter_map(|(path, _)| path.file_name().map(ToOwned::to_owned));
        let is_it = |name: &std::ffi::OsString| {
            name.to_str()
                .is_some_and(|name| name.to_lowercase() == lower)
        };
        found.push(names.filter(is_it).min()?);
    }
    is_file(&found).then_some(found)
}

/// Suffix for a message about a missing file: names the file that differs only in letter case, otherwise empty.
pub fn case_hint(path: &Path) -> String {
    other_case(path).map_or_else(String::new, |other| {
        format!(
            "; {} differs from it only in upper and lower case",
            other.display()
        )
    })
}

/// Reads a whole file of at most `limit` bytes.
///
/// # Errors
/// If the file cannot be read, is larger, or is a folder, a pipe or a device. For a missing file the error names the file
/// that differs only in letter case.
pub fn read_at_most(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_exactly(path, limit).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            let text = format!("there is no such file{}", case_hint(path));
            io::Error::new(io::ErrorKind::NotFound, text)
        }
        _ => error,
    })
}

/// Reads like [`read_at_most`], without the hint.
fn read_exactly(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let check = |size: u64| {
        let text = format!("the file has {size} bytes; the limit is {limit} bytes");
        let fits = (size <= limit).then_some(());
        fits.ok_or_else(|| io::Error::new(io::ErrorKind::FileTooLarge, text))
    };
    match locate(path) {
        FileLocation::Disk(path) => {
            let metadata = std::fs::metadata(&path)?;
            check(metadata.len())?;
            if !metadata.is_file() {
                let text = "not a regular file";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
            }
            std::fs::read(path)
        }
        FileLocation::Packed(mount, name) => {
            check(mount.pack.size(&name).unwrap_or_default())?;
            match mount.pack.read(&name) {
                Some(read) => {
                    read.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
                }
                None if is_folder(path) => Err(io::ErrorKind::IsADirectory.into()),
                None => Err(io::ErrorKind::NotFound.into()),
            }
        }
        FileLocation::Nowhere => Err(io::ErrorKind::NotFound.into()),
    }
}

/// Reads a text file of at most `limit` bytes.
///
/// # Errors
/// See [`read_at_most`]; and if the file is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    let wrong = |error| io::Error::new(io::ErrorKind::InvalidData, error);
    String::from_utf8(read_at_most(path, limit)?).map_err(wrong)
}

/// Lists a folder: paths, and true for each that is a folder. Links to folders are not followed.
///
/// # Errors
/// If the folder cannot be read.
pub fn list(folder: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
    let Some((mount, name)) = mounted(folder) else {
        return list_shared(folder);
    };
    let name = name.ok_or(io::ErrorKind::NotFound)?;
    let packed = mount.pack.list(&name);
    let over = mount.over.iter().map(|over| listed(&over.join(&name)));
    let over: Vec<(PathBuf, bool)> = over.filter_map(Result::ok).flatten().collect();
    if packed.is_none() && over.is_empty() {
        return Err(io::ErrorKind::NotFound.into());
    }
    let packed = packed.into_iter().flatten();
    let mut found: Vec<(PathBuf, bool)> = packed
        .map(|(name, is_folder)| (folder.join(name), is_folder))
        .chain(
            over.iter()
                .filter_map(|(path, is_folder)| Some((folder.join(path.file_name()?), *is_folder))),
        )
        .collect();
    found.sort();
    found.dedup();
    Ok(found)
}

/// Lists a folder together with its additional folders; all paths are those in the folder itself.
fn list_shared(folder: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
    let own = listed(folder);
    let Some((shared, name)) = shared(folder) else {
        return own;
    };
    let others = shared.others.iter().map(|other| listed(&other.join(&name)));
    let others: Vec<(PathBuf, bool)> = others.filter_map(Result::ok).flatten().collect();
    if others.is_empty() {
        return own;
    }
    let mut found = own.unwrap_or_default();
    for (path, is_folder) in others {
        let here = path.file_name().map(|name| folder.join(name));
        found.extend(here.map(|here| (here, is_folder)));
    }
    found.sort();
    found.dedup_by(|a, b| a.0 == b.0);
    Ok(found)
}

fn listed(folder: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
    let entries = std::fs::read_dir(folder)?.flatten();
    let kinds = entries.filter_map(|entry| Some((entry.path(), entry.file_type().ok()?.is_dir())));
    Ok(kinds.collect())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::pack::{PackInfo, pack};
    use super::*;

    fn mounted_at(name: &str, over: Vec<PathBuf>) -> PathBuf {
        mounted_in(PathBuf::from("/nowhere").join(name), over)
    }

    fn mounted_in(root: PathBuf, over: Vec<PathBuf>) -> PathBuf {
        let files = [
            ("scripts/main.lua", "one"),
            ("scripts/ai/guard.lua", "two"),
            ("assets/hero.txt", "three"),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
        let (bytes, _) = pack(&PackInfo::default(), &files.into(), 3).unwrap();
        mount(Mount {
            root: root.clone(),
            pack: Pack::open(bytes.leak()).unwrap(),
            over,
            home: "/home/of".into(),
        });
        root
    }

    fn text(path: &Path) -> String {
        read_text(path, 100).unwrap()
    }

    #[test]
    fn a_packed_project_is_read_as_a_folder_and_nothing_leads_out_of_it() {
        let root = mounted_at("packed", Vec::new());
        assert_eq!(text(&root.join("scripts/main.lua")), "one");
        assert_eq!(text(&root.join("./scripts/../scripts/ai/guard.lua")), "two");
        assert!(is_folder(&root) && is_folder(&root.join("scripts/ai")));
        assert!(is_file(&root.join("assets/hero.txt")) && !is_file(&root.join("assets")));
        let kind = |path: &str| read_at_most(&root.join(path), 100).unwrap_err().kind();
        assert_eq!(kind("scripts"), io::ErrorKind::IsADirectory);
        assert_eq!(kind("scripts/mian.lua"), io::ErrorKind::NotFound);
        assert_eq!(kind("scripts/main.lua/x"), io::ErrorKind::NotFound);
        assert_eq!(kind("../../etc/passwd"), io::ErrorKind::NotFound);
        let large = read_at_most(&root.join("assets/hero.txt"), 4).unwrap_err();
        assert_eq!(large.kind(), io::ErrorKind::FileTooLarge);
        let own = |name: &str, is_folder| (root.join("scripts").join(name), is_folder);
        let found = list(&root.join("scripts")).unwrap();
        assert_eq!(found, [own("ai", true), own("main.lua", false)]);
        assert!(list(&root.join("none")).is_err());
        assert_eq!(home(&root), Path::new("/home/of"));
        assert_eq!(home(Path::new("/tmp")), Path::new("/tmp"));
        assert!(is_packed(&root) && !is_packed(Path::new("/tmp")));
    }

    #[test]
    fn a_file_whose_name_differs_in_case_is_named() {
        let folder = std::env::temp_dir().join(format!("galatea-case-{}", std::process::id()));
        fs::create_dir_all(folder.join("Textures")).unwrap();
        fs::write(folder.join("Textures/Skin.PNG"), "own").unwrap();
        let asked = folder.join("textures/skin.png");
        // On a case-insensitive file system, the file is found directly.
        if !asked.exists() {
            let there = folder.join("Textures/Skin.PNG");
            assert_eq!(other_case(&asked), Some(there.clone()));
            let error = read_at_most(&asked, 100).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::NotFound);
            let text = error.to_string();
            assert!(text.contains(&there.display().to_string()), "{text}");
        }
        assert_eq!(other_case(&folder.join("Textures/Skin.PNG")), None);
        assert_eq!(other_case(&folder.join("textures")), None);
        let missing = folder.join("textures/hair.png");
        assert_eq!(case_hint(&missing), "");
        let error = read_at_most(&missing, 100).unwrap_err();
        assert_eq!(error.to_string(), "there is no such file");
        let root = mounted_at("case", Vec::new());
        let asked = root.join("Scripts/AI/Guard.lua");
        assert_eq!(other_case(&asked), Some(root.join("scripts/ai/guard.lua")));
        fs::remove_dir_all(folder).unwrap();
    }

    /// Some systems simplify paths before use and would reach files next to the executable.
    #[test]
    fn files_next_to_the_executable_are_not_reachable() {
        let folder = std::env::temp_dir().join(format!("galatea-beside-{}", std::process::id()));
        fs::create_dir_all(folder.join("game")).unwrap();
        fs::write(folder.join("own.txt"), "own").unwrap();
        let root = mounted_in(folder.join("game"), Vec::new());
        let beside = root.join("../own.txt");
        let read = read_at_most(&beside, 100).map_err(|error| error.kind());
        assert_eq!(read, Err(io::ErrorKind::NotFound));
        assert!(!exists(&beside) && !is_file(&beside));
        assert!(list(&root.join("..")).is_err());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn overlay_folders_have_precedence() {
        let folder = std::env::temp_dir().join(format!("galatea-over-{}", std::process::id()));
        fs::create_dir_all(folder.join("scripts/new")).unwrap();
        fs::write(folder.join("scripts/main.lua"), "other").unwrap();
        fs::write(folder.join("scripts/new/more.lua"), "more").unwrap();
        let root = mounted_at("over", vec![folder.join("missing"), folder.clone()]);
        assert_eq!(text(&root.join("scripts/main.lua")), "other");
        assert_eq!(text(&root.join("scripts/ai/guard.lua")), "two");
        assert_eq!(text(&root.join("scripts/new/more.lua")), "more");
        assert!(is_folder(&root.join("scripts/new")));
        let names: Vec<_> = list(&root.join("scripts")).unwrap();
        let names = names.iter().map(|(path, _)| path.file_name().unwrap());
        assert!(names.eq(["ai", "main.lua", "new"]));
        let changed = folder.join("scripts/main.lua");
        assert_eq!(in_project(&root, &changed), root.join("scripts/main.lua"));
        assert_eq!(in_project(Path::new("/tmp"), &changed), changed);
        assert_eq!(over(&root).map(|folders| folders.len()), Some(2));
        assert!(exists(&root.join("scripts/new")) && !exists(&root.join("none")));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn additional_asset_folders_are_searched_after_the_project() {
        let folder = std::env::temp_dir().join(format!("galatea-shared-{}", std::process::id()));
        let write = |name: &str, content: &str| {
            let file = folder.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, content).unwrap();
        };
        write("game/assets/hero.txt", "own");
        write("common/hero.txt", "common");
        write("common/sounds/step.txt", "step");
        let (root, other) = (folder.join("game"), folder.join("common"));
        let assets = root.join(ASSETS);
        add_shared_folders(&assets, vec![other.clone()]);
        assert_eq!(text(&assets.join("hero.txt")), "own");
        assert_eq!(text(&assets.join("sounds/step.txt")), "step");
        assert_eq!(text(&assets.join("./sounds/../sounds/step.txt")), "step");
        assert!(!exists(&assets.join("sounds/none.txt")) && !exists(&assets.join("../common")));
        let named = |path: &Path| {
            let found = list(path).unwrap();
            let name = |path: &PathBuf| path.strip_prefix(&root).unwrap().to_owned();
            let names: Vec<_> = found.iter().map(|(path, _)| name(path)).collect();
            names
        };
        assert_eq!(
            named(&assets),
            ["assets/hero.txt", "assets/sounds"].map(PathBuf::from)
        );
        assert_eq!(
            named(&assets.join("sounds")),
            [PathBuf::from("assets/sounds/step.txt")]
        );
        let changed = in_project(&root, &other.join("sounds/step.txt"));
        assert_eq!(changed, real(&assets).join("sounds/step.txt"));
        assert_eq!(beside(&root), [other]);
        add_shared_folders(&assets, Vec::new());
        assert!(!exists(&assets.join("sounds/step.txt")) && beside(&root).is_empty());
        fs::remove_dir_all(folder).unwrap();
    }
}
