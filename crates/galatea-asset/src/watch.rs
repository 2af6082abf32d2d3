//! Watches a project's folders and reports which files changed, once they have been quiet for a moment.
//!
//! The system reports most changes at once. It reports nothing when a watched folder is replaced by another, when a
//! link is pointed elsewhere, on many network drives, and when it has no watches left. So a thread also compares the
//! state of all files twice a second, and the watches are renewed when a folder is another one than before.

use std::collections::{HashMap, HashSet};
use std::fs::Metadata;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use super::output::is_part;
use notify::{ErrorKind, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

/// How long a file must be left alone before its change counts: editors write in several steps.
pub const QUIET: Duration = Duration::from_millis(60);
/// Time between two scans of all files.
pub const SCAN_INTERVAL: Duration = Duration::from_millis(500);
/// Time in which a reported file may still be loading: a second save is reported then even with the same content.
const RELOAD_TIME: Duration = Duration::from_secs(10);
/// Part of one processor core that scans may take: large folders are compared less often.
const SCAN_LOAD: f64 = 0.05;

/// Reports changed files. Files are compared by the hash of their content, so that a touch or a save without a change
/// reports nothing, however the editor saves (write, rename, create).
pub struct Watcher {
    roots: Vec<PathBuf>,
    /// The watches of the system, and the paths under which it may report files of `roots`; `None` without watches.
    native: Option<(RecommendedWatcher, Vec<PathBuf>)>,
    news: Receiver<WatchNews>,
    sender: Sender<WatchNews>,
    /// Ends the thread that scans when it is dropped.
    _scans: Sender<()>,
    seen: HashMap<PathBuf, SeenFile>,
    waiting: HashMap<PathBuf, Instant>,
    /// A watched folder itself was removed or renamed.
    is_stale: bool,
    notice: Option<String>,
    has_noticed: bool,
}

/// A file as it was when it was last compared.
struct SeenFile {
    hash: u64,
    /// `None` for a missing file.
    stamp: Option<FileStamp>,
    /// The last report of a change.
    reported: Option<Instant>,
}

/// A report to the watcher.
enum WatchNews {
    /// By the system.
    Event(notify::Result<notify::Event>),
    /// By a scan: what changed since the last one.
    Scan {
        changed: Vec<PathBuf>,
        /// One of the folders is another one than before, appeared or is gone.
        is_replaced: bool,
    },
}

impl Watcher {
    /// Watches these folders and all below them. Folders that do not exist are watched once they appear.
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
            this.notice = Some(format!(
                "a folder that is replaced by another is no longer watched: {error}"
            ));
        }
        this
    }

    /// Returns files that were changed, created or removed and have been quiet since.
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

    /// Compares a file with how it was seen before.
    fn is_changed(&mut self, path: &Path, now: Instant) -> bool {
        let about = std::fs::metadata(path).ok();
        let stamp = about.as_ref().map(FileStamp::of);
        let hash = content_hash(path);
        let before = self.seen.get(path);
        let reported = before.and_then(|before| before.reported);
        let is_other = before.is_none_or(|before| before.hash != hash);
        // The session may have loaded what the file held between two saves of the same content.
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

    /// Returns once the reason why changes are found later than usual, if there is one.
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
            // The next scan makes the watches again.
            self.is_stale = true;
            return;
        }
        tracing::warn!("watching files: {error}");
        if !std::mem::replace(&mut self.has_noticed, true) {
            self.notice = Some(format!(
                "the system cannot watch all files ({error}); they are compared every {} s instead",
                SCAN_INTERVAL.as_secs_f64()
            ));
        }
    }

    /// Has the system watch the folders as they are now.
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
                // Whether it is another folder now, the next scan finds out.
                let is_moved = matches!(
                    event.kind,
                    EventKind::Remove(_) | EventKind::Modify(notify::event::ModifyKind::Name(_))
                );
                self.is_stale |= is_moved;
            } else if path.is_dir() {
                // A file written into a folder that was just made is not reported by itself.
                let inside = FolderState::of(&[path]).files.into_keys();
                self.waiting.extend(inside.map(|file| (file, now)));
            } else if !is_scratch(&path) {
                self.waiting.insert(path, now);
            }
        }
    }

    /// A path as it begins with one of the roots: some systems report it without links.
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

/// Compares the state of the folders again and again, until the watcher is dropped.
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

/// Identity of a file or folder, and when it was last written.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FileStamp {
    /// Device and inode, on systems that have them.
    number: Option<[u64; 2]>,
    /// Creation time: inode numbers are used again.
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

    /// The stamp of a folder, which stays the same when files in it change.
    fn of_folder(folder: &Path) -> Option<Self> {
        let about = std::fs::metadata(folder).ok().filter(Metadata::is_dir)?;
        Some(Self {
            modified: None,
            n_bytes: 0,
            ..Self::of(&about)
        })
    }
}

/// The state of all files in some folders.
#[derive(Default)]
struct FolderState {
    /// The folders themselves; `None` where there is none.
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
                // A link that leads nowhere is no file.
                let Ok(about) = std::fs::metadata(&path) else {
                    continue;
                };
                // Links may lead in circles: each is followed once.
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

    /// Files that are not as they were, appeared or are gone.
    fn changed_since(&self, before: &Self) -> Vec<PathBuf> {
        let is_other =
            |(file, stamp): &(&PathBuf, &FileStamp)| before.files.get(*file) != Some(stamp);
        let changed = self.files.iter().filter(is_other).map(|(file, _)| file);
        let gone = before.files.keys();
        let gone = gone.filter(|file| !self.files.contains_key(*file));
        changed.chain(gone).cloned().collect()
    }
}

/// True for temporary files of editors and for files that are not complete yet.
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

/// Hash of a file's content; a missing file has one of its own.
fn content_hash(path: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    super::read(path).ok().hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
