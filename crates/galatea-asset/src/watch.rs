//! Watches a project's folders and tells which files changed, once they have been quiet a moment.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use notify::{EventKind, RecursiveMode, Watcher as _};

/// How long a file must be left alone before its change counts: editors write in several steps.
pub const QUIET: Duration = Duration::from_millis(60);

/// Tells changed files. Files are known by the hash of their content, so that a touch or a save
/// without change tells nothing, however the editor saves (write, rename, create).
pub struct Watcher {
    _watcher: notify::RecommendedWatcher,
    events: Receiver<notify::Result<notify::Event>>,
    folders: Vec<PathBuf>,
    hashes: HashMap<PathBuf, u64>,
    waiting: HashMap<PathBuf, Instant>,
}

impl Watcher {
    /// Watches these folders and all below them. Folders that do not exist are passed over.
    ///
    /// # Errors
    /// When the system gives no watches.
    pub fn new(folders: &[PathBuf]) -> notify::Result<Self> {
        let (sender, events) = channel();
        let mut watcher = notify::recommended_watcher(move |event| {
            // The receiver is gone only when the watcher is being dropped.
            let _ = sender.send(event);
        })?;
        for folder in folders.iter().filter(|folder| folder.is_dir()) {
            watcher.watch(folder, RecursiveMode::Recursive)?;
        }
        let mut this = Self {
            _watcher: watcher,
            events,
            folders: folders.to_vec(),
            hashes: HashMap::new(),
            waiting: HashMap::new(),
        };
        for folder in folders {
            for file in files_below(folder) {
                let hash = content_hash(&file);
                this.hashes.insert(file, hash);
            }
        }
        Ok(this)
    }

    /// Files whose content has changed (or that appeared or went) and have been quiet since.
    pub fn poll(&mut self) -> Vec<PathBuf> {
        let now = Instant::now();
        while let Ok(event) = self.events.try_recv() {
            match event {
                Ok(event) => self.take_in(&event, now),
                Err(error) => tracing::warn!("watching files: {error}"),
            }
        }
        let ready: Vec<PathBuf> = self
            .waiting
            .iter()
            .filter(|(_, since)| now.duration_since(**since) >= QUIET)
            .map(|(path, _)| path.clone())
            .collect();
        let mut changed: Vec<PathBuf> = ready
            .into_iter()
            .filter(|path| {
                self.waiting.remove(path);
                let hash = content_hash(path);
                self.hashes.insert(path.clone(), hash) != Some(hash)
            })
            .collect();
        changed.sort();
        changed
    }

    fn take_in(&mut self, event: &notify::Event, now: Instant) {
        if matches!(event.kind, EventKind::Access(_)) {
            return;
        }
        if event.need_rescan() {
            for folder in self.folders.clone() {
                self.wait_for_all_below(&folder, now);
            }
        }
        for path in &event.paths {
            if path.is_dir() {
                // A file written into a folder that was just made is not reported by itself.
                self.wait_for_all_below(path, now);
            } else if !is_scratch(path) {
                self.waiting.insert(path.clone(), now);
            }
        }
    }

    fn wait_for_all_below(&mut self, folder: &Path, now: Instant) {
        for file in files_below(folder) {
            self.waiting.insert(file, now);
        }
    }
}

/// Editors' own files beside the one being edited.
fn is_scratch(path: &Path) -> bool {
    let name = path
        .file_name()
        .map_or_else(Default::default, |n| n.to_string_lossy());
    name.ends_with('~')
        || name.starts_with(".#")
        || name.ends_with(".swp")
        || name.ends_with(".swx")
        || name == "4913"
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(_) if !is_scratch(&entry.path()) => files.push(entry.path()),
                _ => {}
            }
        }
    }
    files
}

/// Hash of a file's content; a missing file has one of its own.
fn content_hash(path: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    super::read(path).ok().hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn wait(watcher: &mut Watcher) -> Vec<PathBuf> {
        let start = Instant::now();
        let mut all = Vec::new();
        while start.elapsed() < Duration::from_millis(900) {
            all.extend(watcher.poll());
            std::thread::sleep(Duration::from_millis(5));
        }
        all
    }

    fn folder(name: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("galatea-watch-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder.canonicalize().unwrap()
    }

    #[test]
    fn writes_renames_and_new_folders_count_once_and_touches_do_not() {
        let folder = folder("kinds");
        let file = folder.join("main.lua");
        fs::write(&file, "one").unwrap();
        let mut watcher = Watcher::new(std::slice::from_ref(&folder)).unwrap();

        fs::write(&file, "one").unwrap();
        assert!(
            wait(&mut watcher).is_empty(),
            "the same content is no change"
        );

        fs::write(&file, "tw").unwrap();
        fs::write(&file, "two").unwrap();
        assert_eq!(
            wait(&mut watcher),
            std::slice::from_ref(&file),
            "two writes in a row are one change"
        );

        let temporary = folder.join("main.lua.tmp");
        fs::write(&temporary, "three").unwrap();
        fs::rename(&temporary, &file).unwrap();
        assert!(
            wait(&mut watcher).contains(&file),
            "a rename over the file is a change"
        );

        fs::create_dir(folder.join("ai")).unwrap();
        fs::write(folder.join("ai/guard.lua"), "x").unwrap();
        assert!(wait(&mut watcher).contains(&folder.join("ai/guard.lua")));

        fs::remove_file(&file).unwrap();
        assert_eq!(
            wait(&mut watcher),
            std::slice::from_ref(&file),
            "a file that went is a change"
        );
        fs::remove_dir_all(&folder).unwrap();
    }
}
