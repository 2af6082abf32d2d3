//! Watches a project's folders and reports changed files once they have been unchanged for a moment.
//!
//! The operating system reports most changes at once. It reports nothing when a watched folder or a link is replaced, on
//! many network drives, and when no watches are left. So a thread also compares the state of all files twice a second, and
//! the watches are renewed when a folder is replaced.

use std::collections::{HashMap, HashSet};
use std::fs::Metadata;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use super::output::is_part;
use notify::{ErrorKind, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

/// Time without changes before a change is reported, because editors write in several steps.
pub const QUIET: Duration = Duration::from_millis(60);
/// Time between two scans of all files.
pub const SCAN_INTERVAL: Duration = Duration::from_millis(500);
/// Time in which a reported file may still be loading. A second save in this time is reported even with the same content.
const RELOAD_TIME: Duration = Duration::from_secs(10);
/// Fraction of a processor core that scans may use: large folders are compared less often.
const SCAN_LOAD: f64 = 0.05;

/// Reports changed files. Files are compared by the hash of their content. A touch or a save without a change reports
/// nothing, with every method of saving (write, rename, create).
pub struct Watcher {
    roots: Vec<PathBuf>,
    /// Native watches, and the paths under which they may report files of `roots`; `None` without watches.
    native: Option<(RecommendedWatcher, Vec<PathBuf>)>,
    news: Receiver<WatchNews>,
    sender: Sender<WatchNews>,
    /// Ends the scanning thread when dropped.
    _scans: Sender<()>,
    seen: HashMap<PathBuf, SeenFile>,
    waiting: HashMap<PathBuf, Instant>,
    /// A watched folder itself was removed or renamed.
    is_stale: bool,
    notice: Option<String>,
    has_noticed: bool,
}

/// State of a file at its last comparison.
struct SeenFile {
    hash: u64,
    /// `None` for a missing file.
    stamp: Option<FileStamp>,
    /// Time of the last reported change.
    reported: Option<Instant>,
}

/// Message to the watcher.
enum WatchNews {
    /// From the operating system.
    Event(notify::Result<notify::Event>),
    /// From a scan: changes since the last one.
    Scan {
        changed: Vec<PathBuf>,
        /// A watched folder was replaced, created or removed.
        is_replaced: bool,
    },
}

impl Watcher {
    /// Watches these folders recursively. Missing folders are watched once they appear.
    pub fn new(folders: &[PathBuf]) -> Self {
        let (sender, news) = channel();
        let (end, ends) = channel();
        let mut this = Self {
            roots: folders.to_vec(),
            native: None,
            news,
            sender,
            _scans: end,
            seen: HashMap::new(),
            waiting: HashMap::new(),
            is_stale: false,
            notice: None,
            has_noticed: false,
        };
        this.watch_again();
        let first = FolderState::of(folders);
        for (file, stamp) in &first.files {
            let seen = SeenFile {
                hash: content_hash(file),
                stamp: Some(stamp.clone()),
                reported: None,
            };
            this.seen.insert(file.clone(), seen);
        }
        let (roots, sender) = (this.roots.clone(), this.sender.clone());
        let scans = std::thread::Builder::new().name("file scan".into());
        let started = scans.spawn(move || scan(&roots, first, &sender, &ends));
        if let Err(error) = started {
            this.notice = Some(format!("replaced folders are no longer watched: {error}"));
        }
        this
    }

    /// Returns files that were changed, created or removed and have been unchanged since.
    pub fn poll(&mut self) -> Vec<PathBuf> {
        let now = Instant::now();
        while let Ok(news) = self.news.try_recv() {
            match news {
                WatchNews::Event(Ok(event)) => self.take_in(&event, now),
                WatchNews::Event(Err(error)) => self.notice(&error),
                WatchNews::Scan {
                    changed,
                    is_replaced,
                } => {
                    let waiting = changed.into_iter().map(|file| (file, now));
                    self.waiting.extend(waiting);
                    if is_replaced || self.is_stale {
                        self.watch_again();
                    }
                }
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
                self.is_changed(path, now)
            })
            .collect();
        changed.sort();
        changed
    }

    /// Compares a file with its last state.
    fn is_changed(&mut self, path: &Path, now: Instant) -> bool {
        let about = std::fs::metadata(path).ok();
        let stamp = about.as_ref().map(FileStamp::of);
        let hash = content_hash(path);
        let before = self.seen.get(path);
        let reported = before.and_then(|before| before.reported);
        let is_other = before.is_none_or(|before| before.hash != hash);
        // The session may have loaded the content between two saves of the same content.
        let is_recent = reported.is_some_and(|at| now.duration_since(at) < RELOAD_TIME);
        let is_saved_again = before.is_some_and(|before| before.stamp != stamp);
        let is_changed = is_other || is_recent && is_saved_again;
        let seen = SeenFile {
            hash,
            stamp,
            reported: if is_changed { Some(now) } else { reported },
        };
        self.seen.insert(path.to_owned(), seen);
        is_changed
    }

    /// Returns, once, the reason why changes are detected late, if there is one.
    pub fn take_notice(&mut self) -> Option<String> {
        self.notice.take()
    }

    fn notice(&mut self, error: &notify::Error) {
        let is_gone = match &error.kind {
            ErrorKind::PathNotFound | ErrorKind::WatchNotFound => true,
            ErrorKind::Io(error) => error.kind() == std::io::ErrorKind::NotFound,
            _ => false,
        };
        if is_gone {
            // The next scan recreates the watches.
            self.is_stale = true;
            return;
        }
        tracing::warn!("watching files: {error}");
        if !std::mem::replace(&mut self.has_noticed, true) {
            self.notice = Some(format!(
                "the system cannot watch all files ({error}); they are checked every {} s instead",
                SCAN_INTERVAL.as_secs_f64()
            ));
        }
    }

    /// Creates native watches for the current folders.
    fn watch_again(&mut self) {
        self.is_stale = false;
        self.native = None;
        let sender = self.sender.clone();
        let made = notify::recommended_watcher(move |event| {
            // The receiver is gone only when the watcher is being dropped.
            let _ = sender.send(WatchNews::Event(event));
        });
        let mut native = match made {
            Ok(native) => native,
            Err(error) => return self.notice(&error),
        };
        for root in self.roots.clone().iter().filter(|root| root.is_dir()) {
            if let Err(error) = native.watch(root, RecursiveMode::Recursive) {
                self.notice(&error);
            }
        }
        let real = |root: &PathBuf| root.canonicalize().unwrap_or_else(|_| root.clone());
        self.native = Some((native, self.roots.iter().map(real).collect()));
    }

    fn take_in(&mut self, event: &notify::Event, now: Instant) {
        if matches!(event.kind, EventKind::Access(_)) {
            return;
        }
        for path in &event.paths {
            let path = self.as_watched(path);
            if self.roots.contains(&path) {
                // The next scan detects a replaced folder.
                let is_moved = matches!(
                    event.kind,
                    EventKind::Remove(_) | EventKind::Modify(notify::event::ModifyKind::Name(_))
                );
                self.is_stale |= is_moved;
            } else if path.is_dir() {
                // The system does not report a file written into a newly created folder.
                let inside = FolderState::of(&[path]).files.into_keys();
                self.waiting.extend(inside.map(|file| (file, now)));
            } else if !is_scratch(&path) {
                self.waiting.insert(path, now);
            }
        }
    }

    /// Converts a reported path to one below the roots: some systems report canonical paths.
    fn as_watched(&self, path: &Path) -> PathBuf {
        let real = self.native.iter().flat_map(|(_, real)| real);
        let mut pairs = self.roots.iter().zip(real);
        let is_own = self.roots.iter().any(|root| path.starts_with(root));
        let renamed = pairs.find_map(|(root, real)| Some(root.join(path.strip_prefix(real).ok()?)));
        match renamed {
            Some(renamed) if !is_own => renamed.components().collect(),
            _ => path.to_owned(),
        }
    }
}

/// Compares the state of the folders repeatedly, until the watcher is dropped.
fn scan(
    roots: &[PathBuf],
    mut before: FolderState,
    sender: &Sender<WatchNews>,
    ends: &Receiver<()>,
) {
    let mut pause = SCAN_INTERVAL;
    while ends.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        let start = Instant::now();
        let now = FolderState::of(roots);
        let news = WatchNews::Scan {
            changed: now.changed_since(&before),
            is_replaced: now.roots != before.roots,
        };
        if sender.send(news).is_err() {
            return;
        }
        before = now;
        pause = SCAN_INTERVAL.max(start.elapsed().div_f64(SCAN_LOAD));
    }
}

/// Identity and modification time of a file or folder.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FileStamp {
    /// Device and inode on systems with inodes.
    number: Option<[u64; 2]>,
    /// Creation time; needed because inode numbers are reused.
    created: Option<SystemTime>,
    modified: Option<SystemTime>,
    n_bytes: u64,
}

impl FileStamp {
    fn of(about: &Metadata) -> Self {
        #[cfg(unix)]
        let number = {
            use std::os::unix::fs::MetadataExt as _;
            Some([about.dev(), about.ino()])
        };
        #[cfg(not(unix))]
        let number = None;
        Self {
            number,
            created: about.created().ok(),
            modified: about.modified().ok(),
            n_bytes: about.len(),
        }
    }

    /// Stamp of a folder; it stays the same when files in the folder change.
    fn of_folder(folder: &Path) -> Option<Self> {
        let about = std::fs::metadata(folder).ok().filter(Metadata::is_dir)?;
        Some(Self {
            modified: None,
            n_bytes: 0,
            ..Self::of(&about)
        })
    }
}

/// State of all files in some folders.
#[derive(Default)]
struct FolderState {
    /// Stamps of the folders; `None` for a missing folder.
    roots: Vec<Option<FileStamp>>,
    files: HashMap<PathBuf, FileStamp>,
}

impl FolderState {
    fn of(roots: &[PathBuf]) -> Self {
        let mut state = Self::default();
        let mut links = HashSet::new();
        let mut folders = roots.to_vec();
        state.roots = roots
            .iter()
            .map(|root| FileStamp::of_folder(root))
            .collect();
        while let Some(folder) = folders.pop() {
            let Ok(entries) = std::fs::read_dir(&folder) else {
                continue;
            };
            for path in entries.flatten().map(|entry| entry.path()) {
                // A dangling link is not a file.
                let Ok(about) = std::fs::metadata(&path) else {
                    continue;
                };
                // Links may form cycles: each is followed once.
                let mut is_new = || !path.is_symlink() || links.insert(path.canonicalize().ok());
                if !about.is_dir() {
                    if !is_scratch(&path) {
                        state.files.insert(path, FileStamp::of(&about));
                    }
                } else if is_new() {
                    folders.push(path);
                }
            }
        }
        state
    }

    /// Files that were changed, created or removed.
    fn changed_since(&self, before: &Self) -> Vec<PathBuf> {
        let is_other =
            |(file, stamp): &(&PathBuf, &FileStamp)| before.files.get(*file) != Some(stamp);
        let changed = self.files.iter().filter(is_other).map(|(file, _)| file);
        let gone = before.files.keys();
        let gone = gone.filter(|file| !self.files.contains_key(*file));
        changed.chain(gone).cloned().collect()
    }
}

/// Returns true for temporary files of editors and for incomplete files.
fn is_scratch(path: &Path) -> bool {
    let name = path
        .file_name()
        .map_or_else(Default::default, |n| n.to_string_lossy());
    name.ends_with('~')
        || name.starts_with(".#")
        || name.ends_with(".swp")
        || name.ends_with(".swx")
        || name == "4913"
        || is_part(&name)
}

/// Hash of a file's content; a missing file has a hash of its own.
fn content_hash(path: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    super::read(path).ok().hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
