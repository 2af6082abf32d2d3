//! Batches of files, distributed over machines: selection of a shard, and skipping of finished files.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context as _, ensure};
use clap::Args;
use galatea_asset::missing_file;

/// Options of batch processing.
#[derive(Clone, Debug, Default, Args)]
pub struct ManyArgs {
    /// Process only every Nth file, starting at the Ith. To use 4 machines, give them 1/4, 2/4, 3/4 and 4/4
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<Shard>,
    /// Rebuild files that are up to date
    #[arg(long)]
    pub force: bool,
}

/// A shard of a batch, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    which: usize,
    of: usize,
}

/// # Errors
/// When the index is not between 1 and the number of shards.
pub fn shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/');
    let numbers = parts.map(|(which, of)| (which.trim().parse(), of.trim().parse()));
    match numbers {
        Some((Ok(which), Ok(of))) if (1..=of).contains(&which) => Ok(Shard { which, of }),
        _ => Err("expected I/N with I from 1 to N, such as 1/4".into()),
    }
}

impl Shard {
    /// Returns true if the shard contains the item with this index, counted from 0.
    pub const fn takes(self, place: usize) -> bool {
        place % self.of == self.which - 1
    }

    /// Returns true for the first shard.
    pub const fn is_first(self) -> bool {
        self.which == 1
    }

    /// The items of this shard. Shards differ by at most one item, and together they contain the whole list.
    pub fn items<T>(self, all: Vec<T>) -> Vec<T> {
        let own = all.into_iter().enumerate();
        let own = own.filter(|(i, _)| self.takes(*i));
        own.map(|(_, one)| one).collect()
    }
}

impl ManyArgs {
    /// The items of this call's shard.
    pub fn shard_items<T>(&self, all: Vec<T>) -> Vec<T> {
        match self.shard {
            Some(shard) => shard.items(all),
            None => all,
        }
    }

    /// Returns true if a file exists and is newer than all of its sources.
    pub fn is_done(&self, file: &Path, of: &[&Path]) -> bool {
        let Some(made) = saved(file).filter(|_| !self.force) else {
            return false;
        };
        of.iter()
            .all(|source| saved(source).is_some_and(|time| time <= made))
    }
}

fn saved(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|about| about.modified()).ok()
}

/// Depth of a folder search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Files in the folders.
    One,
    /// Files in the folders and in all folders inside.
    All,
}

/// The given files, and the files with one of these extensions in the given folders. Sorted within a folder, so that
/// the order is the same on every machine.
pub fn files(
    inputs: &[PathBuf],
    extensions: &[&str],
    depth: Depth,
) -> anyhow::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for input in inputs {
        if !input.is_dir() {
            ensure!(input.exists(), missing_file(input));
            all.push(input.clone());
            continue;
        }
        let before = all.len();
        let mut folders = vec![input.clone()];
        while let Some(folder) = folders.pop() {
            let inside = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
            for entry in inside.flatten() {
                let path = entry.path();
                let kind = entry
                    .file_type()
                    .with_context(|| path.display().to_string())?;
                let extension = path.extension().unwrap_or_default();
                if kind.is_dir() {
                    folders.extend((depth == Depth::All).then_some(path));
                } else if extensions
                    .iter()
                    .any(|known| extension.eq_ignore_ascii_case(known))
                {
                    all.push(path);
                }
            }
        }
        all[before..].sort();
        ensure!(
            all.len() > before,
            "{}: the folder has no files that end in .{}",
            input.display(),
            extensions.join(", .")
        );
    }
    Ok(all)
}

/// Output path for a file: the same relative path in the output folder as in the given input folder.
pub fn beside(inputs: &[PathBuf], file: &Path, folder: &Path, extension: &str) -> PathBuf {
    let inside = inputs.iter().filter(|input| input.is_dir());
    let inside = inside
        .filter_map(|input| file.strip_prefix(input).ok())
        .next();
    let own = Path::new(file.file_name().unwrap_or_default());
    folder.join(inside.unwrap_or(own)).with_extension(extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_together_are_the_whole_list() {
        let all: Vec<usize> = (0..10).collect();
        let mut together = Vec::new();
        for which in 1..=4 {
            let shard = shard(&format!("{which}/4")).ok();
            let share = ManyArgs {
                shard,
                force: false,
            }
            .shard_items(all.clone());
            assert!((2..=3).contains(&share.len()));
            together.extend(share);
        }
        together.sort_unstable();
        assert_eq!(together, all);
        assert_eq!(ManyArgs::default().shard_items(all.clone()), all);
        for wrong in ["0/4", "5/4", "4", "a/b", "1/0", "-1/3"] {
            assert!(shard(wrong).is_err(), "{wrong}");
        }
    }
}
