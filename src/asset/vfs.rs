//! Files of projects, wherever they lie: in a folder, or packed in the executable.
//!
//! A packed project is mounted at a place where no file can be, inside of the file that holds it: what is asked for there
//! comes out of it, unless a folder that is laid over it has a file of that name. Everything else is the disk's.

use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use super::pack::Pack;

/// Bytes of the largest scripts, settings and shaders that are read.
pub const LARGEST_TEXT: u64 = 4 << 20;

/// A packed project that is read as a folder.
#[derive(Debug)]
pub struct Mount {
    /// The folder as which it is read.
    pub root: PathBuf,
    /// What is in it.
    pub pack: Pack,
    /// Folders whose files stand before its own, the first one before the others.
    pub over: Vec<PathBuf>,
    /// A folder that can be written, for what is kept.
    pub home: PathBuf,
}

static MOUNTS: RwLock<Vec<Arc<Mount>>> = RwLock::new(Vec::new());

/// Has a packed project be read as a folder from now on.
pub fn mount(mount: Mount) {
    let mut mounts = MOUNTS.write().unwrap_or_else(PoisonError::into_inner);
    mounts.push(Arc::new(mount));
}

/// The project that is packed in this program.
pub fn shipped() -> Option<PathBuf> {
    let mounts = MOUNTS.read().unwrap_or_else(PoisonError::into_inner);
    mounts.first().map(|mount| mount.root.clone())
}

/// What is at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    File,
    Folder,
}

/// Where something is to be looked for.
enum Place {
    Disk(PathBuf),
    Packed(Arc<Mount>, String),
}

/// The mounted project that a place is in, and the name there.
fn mounted(path: &Path) -> Option<(Arc<Mount>, String)> {
    let mounts = MOUNTS.read().unwrap_or_else(PoisonError::into_inner);
    mounts.iter().find_map(|mount| {
        let name = path.strip_prefix(&mount.root).ok()?;
        Some((mount.clone(), tidy(name)?))
    })
}

/// A name without `.` and `..`, with slashes; nothing where it leads out.
fn tidy(name: &Path) -> Option<String> {
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

fn place(path: &Path) -> Place {
    let Some((mount, name)) = mounted(path) else {
        return Place::Disk(path.to_owned());
    };
    let over = mount.over.iter().map(|folder| folder.join(&name));
    match over.into_iter().find(|file| file.is_file()) {
        Some(file) => Place::Disk(file),
        None => Place::Packed(mount, name),
    }
}

fn kind(path: &Path) -> Option<Kind> {
    match place(path) {
        Place::Disk(path) if path.is_dir() => Some(Kind::Folder),
        Place::Disk(path) => path.is_file().then_some(Kind::File),
        Place::Packed(mount, name) if mount.pack.size(&name).is_some() => Some(Kind::File),
        Place::Packed(mount, name) => {
            let is_over = || mount.over.iter().any(|folder| folder.join(&name).is_dir());
            let is_folder = mount.pack.list(&name).is_some() || is_over();
            is_folder.then_some(Kind::Folder)
        }
    }
}

/// There is a file.
pub fn is_file(path: &Path) -> bool {
    kind(path) == Some(Kind::File)
}

/// There is something, also what cannot be read.
pub fn exists(path: &Path) -> bool {
    match place(path) {
        Place::Disk(path) => path.exists(),
        Place::Packed(..) => kind(path).is_some(),
    }
}

/// There is a folder.
pub fn is_folder(path: &Path) -> bool {
    kind(path) == Some(Kind::Folder)
}

/// Whether a project is packed, where it is.
pub fn is_packed(root: &Path) -> bool {
    mounted(root).is_some()
}

/// The folders that are laid over a packed project; nothing where it is not packed.
pub fn over(root: &Path) -> Option<Vec<PathBuf>> {
    mounted(root).map(|(mount, _)| mount.over.clone())
}

/// Where a project has a file that lies in a folder over it.
pub fn in_project(root: &Path, file: &Path) -> PathBuf {
    let folders = over(root).unwrap_or_default();
    let names = folders
        .iter()
        .find_map(|folder| file.strip_prefix(folder).ok());
    names.map_or_else(|| file.to_owned(), |name| root.join(name))
}

/// The folder of a project in which can be written: its own, or one of the user's where it is packed.
pub fn home(root: &Path) -> PathBuf {
    mounted(root).map_or_else(|| root.to_owned(), |(mount, _)| mount.home.clone())
}

/// Reads a whole file of at most `limit` bytes.
///
/// # Errors
/// When the file cannot be read, is larger, or is a folder, a pipe or a device.
pub fn read_at_most(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let check = |size: u64| {
        let text = format!("{size} bytes; at most {limit} are read");
        let fits = (size <= limit).then_some(());
        fits.ok_or_else(|| io::Error::new(io::ErrorKind::FileTooLarge, text))
    };
    match place(path) {
        Place::Disk(path) => {
            let metadata = std::fs::metadata(&path)?;
            check(metadata.len())?;
            if !metadata.is_file() {
                let text = "not an ordinary file";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
            }
            std::fs::read(path)
        }
        Place::Packed(mount, name) => {
            check(mount.pack.size(&name).unwrap_or_default())?;
            match mount.pack.read(&name) {
                Some(read) => {
                    read.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
                }
                None if is_folder(path) => Err(io::ErrorKind::IsADirectory.into()),
                None => Err(io::ErrorKind::NotFound.into()),
            }
        }
    }
}

/// Reads a text of at most `limit` bytes.
///
/// # Errors
/// See [`read_at_most`]; and when it is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    let wrong = |error| io::Error::new(io::ErrorKind::InvalidData, error);
    String::from_utf8(read_at_most(path, limit)?).map_err(wrong)
}

/// What lies in a folder: where, and whether it is a folder itself. Links to folders are not followed.
///
/// # Errors
/// When it cannot be read.
pub fn list(folder: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
    let Some((mount, name)) = mounted(folder) else {
        return on_disk(folder);
    };
    let packed = mount.pack.list(&name);
    let over = mount.over.iter().map(|over| on_disk(&over.join(&name)));
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

fn on_disk(folder: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
    let entries = std::fs::read_dir(folder)?.flatten();
    let kinds = entries.filter_map(|entry| Some((entry.path(), entry.file_type().ok()?.is_dir())));
    Ok(kinds.collect())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::pack::{About, pack};
    use super::*;

    fn mounted_at(name: &str, over: Vec<PathBuf>) -> PathBuf {
        let files = [
            ("scripts/main.lua", "one"),
            ("scripts/ai/guard.lua", "two"),
            ("assets/hero.txt", "three"),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
        let (bytes, _) = pack(&About::default(), &files.into(), 3).unwrap();
        let root = PathBuf::from("/nowhere").join(name);
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
    fn what_lies_over_it_stands_before_it() {
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
}
