//! Checksum of a project, for reports.

use std::fmt;
use std::path::Path;

use super::project::Project;
use super::vfs;

/// Folders with the files that are included.
const FOLDERS: [&str; 3] = ["scripts", vfs::ASSETS, "shaders"];
/// Limit of bytes read of all files; files beyond it count only by name.
const MAX_BYTES: u64 = 512 << 20;
/// Limit of files.
const MAX_FILES: usize = 10_000;

/// Checksum over names and content of a project's files. Projects with the same checksum most likely have the same files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint {
    /// Number of files included.
    pub n_files: usize,
    /// CRC-32 over their names and bytes.
    pub checksum: u32,
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} files, checksum {:08x}", self.n_files, self.checksum)
    }
}

impl Project {
    /// Computes the checksum of settings, scripts, assets and shaders, or of the viewed model. Reads all files.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut files = match &self.viewed {
            Some(viewed) => vec![viewed.file.clone()],
            None => vec![self.root.join("galatea.toml")],
        };
        let mut folders: Vec<_> = match self.viewed {
            Some(_) => Vec::new(),
            None => FOLDERS.map(|folder| self.root.join(folder)).to_vec(),
        };
        while let Some(folder) = folders.pop() {
            for (path, is_folder) in vfs::list(&folder).unwrap_or_default() {
                match is_folder {
                    true => folders.push(path),
                    false if files.len() < MAX_FILES => files.push(path),
                    false => {}
                }
            }
        }
        files.sort();
        let mut hasher = crc32fast::Hasher::new();
        let mut budget = MAX_BYTES;
        for file in &files {
            let name = file.strip_prefix(&self.root).unwrap_or(file);
            hasher.update(name.to_string_lossy().as_bytes());
            budget -= add(file, budget, &mut hasher);
        }
        Fingerprint {
            n_files: files.len(),
            checksum: hasher.finalize(),
        }
    }
}

/// Adds a file's bytes if there are at most `max_bytes` and returns their number.
fn add(file: &Path, max_bytes: u64, hasher: &mut crc32fast::Hasher) -> u64 {
    let Ok(bytes) = vfs::read_at_most(file, max_bytes) else {
        return 0;
    };
    hasher.update(&bytes);
    bytes.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_changed_byte_and_a_changed_name_change_the_checksum() {
        let folder =
            std::env::temp_dir().join(format!("galatea-fingerprint-{}", std::process::id()));
        fs::create_dir_all(folder.join("scripts/ai")).unwrap();
        let main = folder.join("scripts/main.lua");
        fs::write(&main, "x = 1").unwrap();
        fs::write(folder.join("scripts/ai/guard.lua"), "y = 1").unwrap();
        let project = Project::open(&folder).unwrap();
        let first = project.fingerprint();
        assert_eq!(first.n_files, 3, "with the settings that are not there");
        assert_eq!(project.fingerprint(), first);
        fs::write(&main, "x = 2").unwrap();
        let edited = project.fingerprint();
        assert_ne!(edited.checksum, first.checksum);
        fs::write(&main, "x = 1").unwrap();
        assert_eq!(project.fingerprint(), first);
        fs::rename(folder.join("scripts/ai"), folder.join("scripts/al")).unwrap();
        assert_ne!(project.fingerprint().checksum, first.checksum);
        fs::remove_dir_all(&folder).unwrap();
    }
}
