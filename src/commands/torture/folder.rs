//! The copy of a project that a torture run changes, and the original content of all files.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use galatea_asset::Project;
use galatea_stage::Rng;

use super::actions::FileChange;

/// Folders of a project that are copied.
const FOLDERS: [&str; 3] = ["scripts", "assets", "shaders"];
/// Files of a project that are copied.
const FILES: [&str; 2] = ["galatea.toml", "autoplay.jsonl"];
/// Bytes of the largest project.
const MAX_BYTES: u64 = 2 << 30;
/// End of the name of a renamed folder.
const RENAMED: &str = ".renamed";

/// Original content of the files of a project, by path relative to the project.
#[derive(Clone, Debug, Default)]
pub struct ProjectFiles(BTreeMap<String, Vec<u8>>);

impl ProjectFiles {
    /// Reads a project. Of shared folders only the project's own `assets` are taken.
    ///
    /// # Errors
    /// When a file cannot be read, or the project is too large.
    pub fn read(project: &Project) -> anyhow::Result<Self> {
        let mut files = BTreeMap::new();
        let mut n_bytes = 0;
        let mut add = |path: &Path| -> anyhow::Result<()> {
            let bytes = fs::read(path).with_context(|| path.display().to_string())?;
            n_bytes += bytes.len() as u64;
            if n_bytes > MAX_BYTES {
                bail!("the project is too large; the limit is {MAX_BYTES} bytes");
            }
            if let Ok(name) = path.strip_prefix(&project.root) {
                files.insert(name.to_string_lossy().replace('\\', "/"), bytes);
            }
            Ok(())
        };
        for name in FILES {
            let path = project.root.join(name);
            if path.is_file() {
                add(&path)?;
            }
        }
        let mut folders = FOLDERS.map(|folder| project.root.join(folder)).to_vec();
        while let Some(folder) = folders.pop() {
            // A missing folder has no files.
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => folders.push(path),
                    Ok(_) if path.is_file() => add(&path)?,
                    _ => {}
                }
            }
        }
        Ok(Self(files))
    }

    /// Paths of all files, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Folders with files at the top of the project.
    pub fn folders(&self) -> Vec<String> {
        let has_files = |folder: &&str| !self.below(folder).is_empty();
        let folders = FOLDERS.iter().copied().filter(has_files);
        folders.map(str::to_owned).collect()
    }

    /// A file, or all files of a folder.
    fn below(&self, name: &str) -> Vec<&str> {
        let is_below = |file: &&str| {
            let rest = file.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.names().filter(is_below).collect()
    }

    /// Files that the main script mentions, and those that they mention.
    pub fn used_by_scripts(&self, main: &str) -> Vec<String> {
        let mut used: Vec<&str> = self.below(main);
        let mut i = 0;
        while let Some(bytes) = used.get(i).and_then(|name| self.0.get(*name)) {
            i += 1;
            let Ok(text) = std::str::from_utf8(bytes) else {
                continue;
            };
            let is_named = |name: &str| {
                let stem = Path::new(name).file_stem().unwrap_or_default();
                let stem = stem.to_string_lossy();
                stem.len() > 1 && text.contains(&*stem)
            };
            for name in self.names() {
                if !used.contains(&name) && is_named(name) {
                    used.push(name);
                }
            }
        }
        used.into_iter().map(str::to_owned).collect()
    }

    /// Writes these files to a folder and removes all others. Files of the same size that are not in `changed` are kept.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write_to(&self, folder: &Path, changed: &[String]) -> io::Result<()> {
        let mut folders = vec![folder.to_owned()];
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(&next).into_iter().flatten() {
                let path = entry?.path();
                let name = path.strip_prefix(folder).unwrap_or(&path);
                let name = name.to_string_lossy().replace('\\', "/");
                match path.is_dir() {
                    true if self.below(&name).is_empty() => fs::remove_dir_all(&path)?,
                    true => folders.push(path),
                    false if !self.0.contains_key(&name) => fs::remove_file(&path)?,
                    false => {}
                }
            }
        }
        for (name, bytes) in &self.0 {
            let path = folder.join(name);
            let size = fs::metadata(&path).map(|of| of.len()).ok();
            let is_touched = changed.iter().any(|one| self.below(one).contains(&&**name));
            if is_touched || size != Some(bytes.len() as u64) {
                write(&path, bytes)?;
            }
        }
        Ok(())
    }
}

/// A copy that is changed.
pub struct ChangedFolder {
    root: PathBuf,
    files: ProjectFiles,
    /// Names that were changed and not restored.
    changed: Vec<String>,
}

impl ChangedFolder {
    /// A folder that holds a copy of a project.
    pub fn new(root: &Path, files: ProjectFiles) -> Self {
        Self {
            root: root.to_owned(),
            files,
            changed: Vec::new(),
        }
    }

    /// Returns true while every file has its original content.
    pub fn is_whole(&self) -> bool {
        self.changed.is_empty()
    }

    /// Names of files and folders that are changed now.
    pub fn changed(&self) -> Vec<String> {
        self.changed.clone()
    }

    /// Changes a file or folder, and returns the paths of changed files.
    ///
    /// # Errors
    /// When the name leads out of the folder, or a file cannot be written.
    pub fn change(&mut self, name: &str, by: &FileChange) -> anyhow::Result<Vec<PathBuf>> {
        let names: Vec<String> = self
            .files
            .below(name)
            .into_iter()
            .map(String::from)
            .collect();
        if names.is_empty() {
            bail!("the project has no file or folder {name}");
        }
        if !self.changed.iter().any(|known| known == name) {
            self.changed.push(name.to_owned());
        }
        let path = self.root.join(name);
        let told = || names.iter().map(|name| self.root.join(name)).collect();
        match by {
            FileChange::DeleteFolder => missing_is_fine(fs::remove_dir_all(&path))?,
            FileChange::RenameFolder => {
                let renamed = self.root.join(format!("{name}{RENAMED}"));
                missing_is_fine(fs::remove_dir_all(&renamed))?;
                missing_is_fine(fs::rename(&path, renamed))?;
            }
            FileChange::Delete => missing_is_fine(fs::remove_file(&path))?,
            _ => {
                let bytes = self.bytes_after(name, by)?;
                write(&path, &bytes)?;
            }
        }
        Ok(told())
    }

    /// Content of a file after a change.
    fn bytes_after(&self, name: &str, by: &FileChange) -> anyhow::Result<Vec<u8>> {
        let original = |name: &str| self.files.0.get(name).cloned();
        let mut bytes = original(name).with_context(|| format!("{name} is a folder"))?;
        match by {
            FileChange::Save => {
                let is_text = std::str::from_utf8(&bytes).is_ok();
                bytes.extend(is_text.then_some(b'\n'));
            }
            FileChange::Number(i, number) => bytes = with_number(&bytes, *i, number),
            FileChange::Bytes(seed) => {
                let mut rng = Rng::new(*seed);
                let n = bytes.len();
                for _ in 0..1 + rng.below(16) {
                    let (at, byte) = (rng.below(n), rng.bits() as u8);
                    if let Some(place) = bytes.get_mut(at) {
                        *place = byte;
                    }
                }
            }
            FileChange::Truncate(share) => {
                bytes.truncate((bytes.len() as f64 * share.clamp(0.0, 1.0)) as usize);
            }
            FileChange::Empty => bytes.clear(),
            FileChange::Replace(other) => {
                bytes =
                    original(other).with_context(|| format!("the project has no file {other}"))?;
            }
            FileChange::Delete | FileChange::DeleteFolder | FileChange::RenameFolder => {}
        }
        Ok(bytes)
    }

    /// Gives a file or folder its original content, and returns the paths of changed files.
    ///
    /// # Errors
    /// When nothing can be written.
    pub fn restore(&mut self, name: &str) -> io::Result<Vec<PathBuf>> {
        self.changed.retain(|known| known != name);
        missing_is_fine(fs::remove_dir_all(
            self.root.join(format!("{name}{RENAMED}")),
        ))?;
        let mut told = Vec::new();
        for file in self.files.below(name) {
            let is_changed = self
                .changed
                .iter()
                .any(|other| self.files.below(other).contains(&file));
            if let (Some(bytes), false) = (self.files.0.get(file), is_changed) {
                let path = self.root.join(file);
                write(&path, bytes)?;
                told.push(path);
            }
        }
        Ok(told)
    }
}

fn missing_is_fine(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes)
}

/// Replaces the number with index `i` in a text; the index wraps around.
fn with_number(bytes: &[u8], i: usize, number: &str) -> Vec<u8> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.';
    let mut places = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let n = bytes[at..]
            .iter()
            .take_while(|byte| is_word(**byte))
            .count();
        if n > 0 && bytes[at].is_ascii_digit() {
            places.push(at..at + n);
        }
        at += n.max(1);
    }
    match places.get(i % places.len().max(1)) {
        Some(place) => [
            &bytes[..place.start],
            number.as_bytes(),
            &bytes[place.end..],
        ]
        .concat(),
        None => bytes.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::with_number;

    #[test]
    fn numbers_of_a_text_are_counted_round_and_names_with_digits_are_none() {
        let text = b"local a2 = 1.5 + b.x3 * 0x10";
        let changed = |i| String::from_utf8(with_number(text, i, "-1")).unwrap();
        assert_eq!(changed(0), "local a2 = -1 + b.x3 * 0x10");
        assert_eq!(changed(1), "local a2 = 1.5 + b.x3 * -1");
        assert_eq!(changed(2), changed(0));
        assert_eq!(with_number(b"none", 3, "1"), b"none");
    }
}
