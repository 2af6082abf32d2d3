//! Atomic writes: a file is written under a temporary name in the same folder and renamed when it is complete. After a
//! full disk or a crash the old file is still there.
//!
//! Files requested by a script go through [`OutputFolder`], which never leaves its folder.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use cap_fs_ext::DirExt as _;
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use cap_tempfile::TempFile;
use tempfile::{NamedTempFile, PersistError};

/// Prefix and suffix of temporary file names.
const PARTIAL_NAME: (&str, &str) = (".galatea-", ".part");
/// Limit of the length of a file name given by a script, characters.
const MAX_NAME: usize = 100;
/// Number of attempts to replace a file that another program has open.
const MAX_TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(25);
/// Names that Windows reserves for devices, with any extension.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// A file that is being written. Without [`NewFile::finish`] it never appears.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    content: NewContent,
}

#[derive(Debug)]
enum NewContent {
    /// A temporary file in the same folder.
    Beside(NamedTempFile),
    /// A pipe or a device, which cannot be replaced.
    Direct(File),
}

impl NewFile {
    /// Creates a file and its folder. If the path is a link, its target is written.
    ///
    /// # Errors
    /// If the file cannot be created; the message names the file.
    pub fn create(path: &Path) -> io::Result<Self> {
        Self::begin(path, false).map_err(|error| named(path, &error))
    }

    fn begin(path: &Path, is_program: bool) -> io::Result<Self> {
        let real = path.canonicalize().ok().filter(|_| path.is_symlink());
        let path = real.unwrap_or_else(|| path.to_owned());
        let before = fs::metadata(&path).ok();
        let content = match &before {
            Some(about) if about.is_dir() => {
                let text = "a folder with this name exists";
                return Err(io::Error::new(io::ErrorKind::IsADirectory, text));
            }
            Some(about) if !about.is_file() => {
                NewContent::Direct(File::options().write(true).open(&path)?)
            }
            Some(about) if about.permissions().readonly() => {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            _ => NewContent::Beside(temporary_file(&path, is_program)?),
        };
        if let (NewContent::Beside(file), Some(before), false) = (&content, before, is_program) {
            // A file system without permissions keeps its defaults.
            let _ = file.as_file().set_permissions(before.permissions());
        }
        Ok(Self { path, content })
    }

    /// A handle for encoders that own their writer; it shares its position with the file.
    ///
    /// # Errors
    /// If the system has no handles left.
    pub fn handle(&self) -> io::Result<File> {
        match &self.content {
            NewContent::Beside(file) => file.as_file().try_clone(),
            NewContent::Direct(file) => file.try_clone(),
        }
    }

    /// Renames the file to its final name.
    ///
    /// # Errors
    /// If renaming fails; the old file stays. The message names the file.
    pub fn finish(self) -> io::Result<()> {
        let path = self.path;
        let NewContent::Beside(file) = self.content else {
            return Ok(());
        };
        let mut file = Some(file);
        let moved = retried(|| match file.take().map(|file| file.persist(&path)) {
            None | Some(Ok(_)) => Ok(()),
            Some(Err(PersistError { error, file: back })) => {
                file = Some(back);
                Err(error)
            }
        });
        moved.map_err(|error| named(&path, &error))
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.content {
            NewContent::Beside(file) => file.as_file_mut().write(bytes),
            NewContent::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.content {
            NewContent::Beside(file) => file.as_file_mut().flush(),
            NewContent::Direct(file) => file.flush(),
        }
    }
}

/// Writes a file atomically, and creates its folder.
///
/// # Errors
/// If the file cannot be written; the message names it.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write(path, bytes, false)
}

/// Writes an executable file atomically.
///
/// # Errors
/// If the file cannot be written; the message names it.
pub fn write_program(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write(path, bytes, true)
}

fn write(path: &Path, bytes: &[u8], is_program: bool) -> io::Result<()> {
    let begun = NewFile::begin(path, is_program);
    let filled = begun.and_then(|mut file| file.write_all(bytes).map(|()| file));
    filled.map_err(|error| named(path, &error))?.finish()
}

/// A new temporary file in the directory of `path`, with the permissions of a new file or of an executable.
fn temporary_file(path: &Path, is_program: bool) -> io::Result<NamedTempFile> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(PARTIAL_NAME.0).suffix(PARTIAL_NAME.1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = if is_program { 0o777 } else { 0o666 };
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = is_program;
    builder.tempfile_in(folder)
}

/// Returns true for the name of a temporary file that is not complete yet.
pub(crate) fn is_part(name: &str) -> bool {
    name.starts_with(PARTIAL_NAME.0) && name.ends_with(PARTIAL_NAME.1)
}

/// Retries replacing a file: on Windows this fails for a moment while another program has the file open.
fn retried(mut replace: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    let mut n = 1;
    loop {
        match replace() {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied && cfg!(windows) => {
                if n == MAX_TRIES {
                    return Err(error);
                }
                n += 1;
                std::thread::sleep(PAUSE);
            }
            done => return done,
        }
    }
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// A project folder for files written by scripts. Neither a name nor a link leads out of it: links are rejected, even
/// if another program creates one in the meantime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFolder {
    /// Folder of the project, which the user may have made a link.
    root: PathBuf,
    /// Path of the folder relative to `root`.
    inside: &'static str,
}

impl OutputFolder {
    /// The folder `inside` of `root`; an empty path is `root` itself.
    pub fn new(root: &Path, inside: &'static str) -> Self {
        Self {
            root: root.to_owned(),
            inside,
        }
    }

    /// Returns the path of a file in the folder if scripts may use that name.
    ///
    /// # Errors
    /// If the name is not allowed.
    pub fn path(&self, name: &str) -> Result<PathBuf, String> {
        check_name(name)?;
        Ok(self.root.join(self.inside).join(name))
    }

    /// Writes a file atomically, and creates the folder; returns the path of the file.
    ///
    /// # Errors
    /// If the name is not allowed, the folder or the file is a link, or the file cannot be written. The message names
    /// the file relative to the root.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
        let invalid = |text| io::Error::new(io::ErrorKind::InvalidInput, text);
        let path = self.path(name).map_err(invalid)?;
        retried(|| self.write_in(name, bytes))
            .map_err(|error| named(&Path::new(self.inside).join(name), &error))?;
        Ok(path)
    }

    fn write_in(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        fs::create_dir_all(&self.root)?;
        let folder = self.open()?;
        refuse_link(&folder, name, name)?;
        let mut file = TempFile::new(&folder)?;
        file.write_all(bytes)?;
        // A player's settings are worth waiting until the disk has stored them.
        if self.inside.is_empty() {
            file.as_file().sync_all()?;
        }
        file.replace(name)
    }

    /// Removes a file; a missing file is not an error.
    ///
    /// # Errors
    /// If the name is not allowed, or the file cannot be removed.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        check_name(name).map_err(|text| io::Error::new(io::ErrorKind::InvalidInput, text))?;
        match self.open().and_then(|folder| folder.remove_file(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Opens the folder without following links below the root, and creates it if it is missing.
    fn open(&self) -> io::Result<Dir> {
        let mut folder = Dir::open_ambient_dir(&self.root, ambient_authority())?;
        for part in Path::new(self.inside) {
            match folder.create_dir(part) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
            refuse_link(&folder, part, self.inside)?;
            folder = folder.open_dir_nofollow(part)?;
        }
        Ok(folder)
    }
}

/// Fails if there is a link, with a message that suggests a fix.
fn refuse_link(folder: &Dir, name: impl AsRef<Path>, shown: &str) -> io::Result<()> {
    match folder.symlink_metadata(name) {
        Ok(about) if about.is_symlink() => {
            let text =
                format!("{shown} is a link; scripts cannot write through links, so remove it");
            Err(io::Error::new(io::ErrorKind::InvalidInput, text))
        }
        _ => Ok(()),
    }
}

/// Checks that a name is valid on every system and contains no folder.
fn check_name(name: &str) -> Result<(), String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let begins_well = !name.starts_with('.') && !name.ends_with('.');
    if name.is_empty() || name.len() > MAX_NAME || !begins_well || !name.chars().all(is_plain) {
        return Err(format!(
            "expected a file name of letters, digits, `_`, `-` and dots, at most {MAX_NAME} characters; got {name:?}"
        ));
    }
    let stem = name
        .split('.')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let is_port = |port: &str| {
        let number = stem.strip_prefix(port);
        number.is_some_and(|number| number.len() == 1 && number.as_bytes()[0].is_ascii_digit())
    };
    if DEVICES.contains(&&*stem) || is_port("com") || is_port("lpt") {
        return Err(format!(
            "Windows reserves the name {stem:?} for a device; choose another name than {name:?}"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
