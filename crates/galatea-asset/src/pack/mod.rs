//! A pack: a project's files with an index, as appended to the executable that ships it.
//!
//! Little-endian: the magic, the length of the index and its CRC-32, the index, then the stored bytes of each file,
//! aligned to 16 bytes. The index is JSON, compressed like a file. Equal files give equal bytes.

mod compression;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Bound;

use memchr::memmem;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use compression::PackCompression;
pub use compression::deflated;
use galatea_math::data_fault::DataFault;

/// First bytes of a pack; the last one is the version.
const MAGIC: [u8; 8] = *b"GALATEA\x03";
const HEAD: usize = 16;
const ALIGNMENT: usize = 16;
/// Limit of an unpacked file, and of the index, bytes.
const MAX_BYTES: u64 = 2 << 30;
const MAX_INDEX: u64 = 64 << 20;

/// Error: a pack cannot be read.
#[derive(Debug, Error)]
pub enum PackError {
    /// The data is not a pack.
    #[error("this is not a packed project, or it was packed by another version of galatea")]
    Foreign,
    /// The data is truncated or modified.
    #[error("the project in this file is damaged: {0}; get the file again")]
    Damaged(String),
}

/// Metadata of a packed project.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PackInfo {
    /// Name of the project.
    pub name: String,
    /// The files cannot be extracted.
    pub locked: bool,
}

/// Location of a file in a pack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct PackEntry {
    /// Offset from the end of the index, bytes.
    at: u64,
    stored: u64,
    size: u64,
    /// CRC-32 of the stored bytes.
    crc: u32,
    form: PackCompression,
}

#[derive(Serialize, Deserialize)]
struct PackIndex<'a> {
    about: Cow<'a, PackInfo>,
    files: Cow<'a, BTreeMap<String, PackEntry>>,
}

/// A packed project, read from memory without a copy.
#[derive(Clone, Debug)]
pub struct Pack {
    bytes: &'static [u8],
    /// Offset of the first file.
    body: usize,
    about: PackInfo,
    files: BTreeMap<String, PackEntry>,
}

/// Sizes of a packed file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PackedFile {
    /// Path relative to the project, with slashes.
    pub path: String,
    /// Original size, bytes.
    pub size: u64,
    /// Stored size, bytes.
    pub stored: u64,
}

impl Pack {
    /// Reads the index. Files are checked when they are read.
    ///
    /// # Errors
    /// See [`PackError`].
    pub fn open(bytes: &'static [u8]) -> Result<Self, PackError> {
        let damaged = |what: &str| PackError::Damaged(what.into());
        let head = bytes.get(..HEAD).ok_or(PackError::Foreign)?;
        if head[..8] != MAGIC {
            return Err(PackError::Foreign);
        }
        let number = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| head[at + i]));
        let (length, crc) = (number(8) as usize, number(12));
        let packed = bytes.get(HEAD..HEAD + length);
        let packed = packed.ok_or_else(|| damaged("it ends inside its index"))?;
        if crc32fast::hash(packed) != crc {
            return Err(damaged("the checksum of its index does not match"));
        }
        let text = compression::inflated(packed, MAX_INDEX).map_err(PackError::Damaged)?;
        let index: PackIndex<'_> = serde_json::from_slice(&text)
            .map_err(|error| DataFault::of_json(&error.to_string()).problem)
            .map_err(|problem| PackError::Damaged(format!("its index: {problem}")))?;
        let body = aligned(HEAD + length);
        let files = index.files.into_owned();
        let end = (bytes.len() - body.min(bytes.len())) as u64;
        let is_whole = |entry: &PackEntry| {
            let stop = entry.at.checked_add(entry.stored);
            let is_in = stop.is_some_and(|stop| stop <= end);
            is_in && entry.size <= MAX_BYTES
        };
        if let Some((path, _)) = files.iter().find(|(_, entry)| !is_whole(entry)) {
            return Err(PackError::Damaged(format!(
                "it ends before the data of {path}"
            )));
        }
        Ok(Self {
            bytes,
            body,
            about: index.about.into_owned(),
            files,
        })
    }

    /// Offsets of packs in the bytes of an executable. The magic also occurs in the program's code, but there no packed
    /// index follows it.
    pub fn starts(bytes: &[u8]) -> impl Iterator<Item = usize> {
        let is_start = |at: &usize| {
            bytes[*at..]
                .get(HEAD..)
                .is_some_and(|rest| rest.starts_with(&compression::ZSTD))
        };
        memmem::find_iter(bytes, &MAGIC).filter(is_start)
    }

    /// Returns the metadata.
    pub fn about(&self) -> &PackInfo {
        &self.about
    }

    /// Paths of all files, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Size of a file in bytes; `None` if it does not exist.
    pub fn size(&self, path: &str) -> Option<u64> {
        self.files.get(path).map(|entry| entry.size)
    }

    /// Reads a file; `None` if it does not exist.
    ///
    /// # Errors
    /// If the data was modified, which the checksum shows.
    pub fn read(&self, path: &str) -> Option<Result<Vec<u8>, PackError>> {
        let entry = self.files.get(path)?;
        let from = self.body + entry.at as usize;
        let stored = self.bytes.get(from..from + entry.stored as usize);
        Some(self.unpacked(path, entry, stored.unwrap_or_default()))
    }

    fn unpacked(&self, path: &str, entry: &PackEntry, stored: &[u8]) -> Result<Vec<u8>, PackError> {
        if crc32fast::hash(stored) != entry.crc {
            return Err(PackError::Damaged(format!(
                "the checksum of {path} does not match"
            )));
        }
        let bytes = entry.form.unpack(stored, entry.size);
        bytes.map_err(|why| PackError::Damaged(format!("{path}: {why}")))
    }

    /// Lists a folder: names, and true for each that is a folder. `None` if the folder does not exist. `""` is the
    /// project.
    pub fn list(&self, folder: &str) -> Option<Vec<(String, bool)>> {
        let start = match folder {
            "" => String::new(),
            folder => format!("{folder}/"),
        };
        let from = (Bound::Included(start.clone()), Bound::Unbounded);
        let inside = self.files.range::<String, _>(from);
        let inside = inside.map_while(|(path, _)| path.strip_prefix(&start));
        let mut found: Vec<(String, bool)> = Vec::new();
        for path in inside {
            let (name, is_folder) = match path.split_once('/') {
                Some((name, _)) => (name, true),
                None => (path, false),
            };
            let own = (name.to_owned(), is_folder);
            if found.last() != Some(&own) {
                found.push(own);
            }
        }
        (!found.is_empty() || folder.is_empty()).then_some(found)
    }
}

/// Packs files, given as paths relative to the project, with slashes, and bytes. Also returns the sizes of each file,
/// in order of the paths.
///
/// # Errors
/// If a file cannot be packed; the error is a message for users.
pub fn pack(
    about: &PackInfo,
    files: &BTreeMap<String, Vec<u8>>,
    level: i32,
) -> Result<(Vec<u8>, Vec<PackedFile>), String> {
    use rayon::prelude::*;
    let all: Vec<(&String, &Vec<u8>)> = files.iter().collect();
    let packed = |(path, bytes): &(&String, &Vec<u8>)| PackCompression::pack(path, bytes, level);
    let forms: Vec<(PackCompression, Vec<u8>)> =
        all.par_iter().map(packed).collect::<Result<_, String>>()?;
    let (mut body, mut entries, mut error) = (Vec::new(), BTreeMap::new(), Vec::new());
    for ((path, bytes), (form, stored)) in all.into_iter().zip(forms) {
        body.resize(aligned(body.len()), 0);
        let (size, length) = (bytes.len() as u64, stored.len() as u64);
        let entry = PackEntry {
            at: body.len() as u64,
            stored: length,
            size,
            crc: crc32fast::hash(&stored),
            form,
        };
        body.extend(stored);
        entries.insert(path.clone(), entry);
        error.push(PackedFile {
            path: path.clone(),
            size,
            stored: length,
        });
    }
    let index = PackIndex {
        about: Cow::Borrowed(about),
        files: Cow::Borrowed(&entries),
    };
    let text = serde_json::to_vec(&index).map_err(|error| error.to_string())?;
    let index = compression::deflated(&text, level)?;
    let length = u32::try_from(index.len()).map_err(|_| "too many files".to_owned())?;
    let mut out = Vec::from(MAGIC);
    out.extend(length.to_le_bytes());
    out.extend(crc32fast::hash(&index).to_le_bytes());
    out.extend(index);
    out.resize(aligned(out.len()), 0);
    out.extend(body);
    Ok((out, error))
}

fn aligned(at: usize) -> usize {
    at.next_multiple_of(ALIGNMENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> BTreeMap<String, Vec<u8>> {
        let lua = "print('hello')\n".repeat(200).into_bytes();
        let mut state = 1_u32;
        let mut noise = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            (state >> 24) as u8
        };
        let noise: Vec<u8> = (0..5000).map(|_| noise()).collect();
        [
            ("scripts/main.lua", lua),
            ("assets/noise.bin", noise),
            ("assets/deep/empty.txt", Vec::new()),
            ("assets-of-others.txt", b"x".to_vec()),
        ]
        .map(|(path, bytes)| (path.to_owned(), bytes))
        .into()
    }

    fn packed() -> &'static [u8] {
        let about = PackInfo {
            name: "demo".into(),
            locked: false,
        };
        let (bytes, error) = pack(&about, &files(), 19).unwrap();
        let of = |path: &str| {
            error
                .iter()
                .find(|packed| packed.path == path)
                .unwrap()
                .stored
        };
        assert!(of("scripts/main.lua") < 100);
        // A file that compression does not make smaller is stored uncompressed.
        assert_eq!(of("assets/noise.bin"), 5000);
        bytes.leak()
    }

    #[test]
    fn files_come_back_and_folders_are_listed() {
        let pack = Pack::open(packed()).unwrap();
        assert_eq!(pack.about().name, "demo");
        for (path, bytes) in files() {
            assert_eq!(pack.read(&path).unwrap().unwrap(), bytes, "{path}");
            assert_eq!(pack.size(&path), Some(bytes.len() as u64));
        }
        assert!(pack.read("scripts").is_none());
        let own = |names: &[(&str, bool)]| {
            let owned = names.iter().map(|(name, is)| ((*name).to_owned(), *is));
            Some(owned.collect::<Vec<_>>())
        };
        let all = [
            ("assets", true),
            ("assets-of-others.txt", false),
            ("scripts", true),
        ];
        let mut found = pack.list("").unwrap();
        found.sort();
        assert_eq!(Some(found), own(&all));
        assert_eq!(
            pack.list("assets"),
            own(&[("deep", true), ("noise.bin", false)])
        );
        assert_eq!(pack.list("assets/deep"), own(&[("empty.txt", false)]));
        assert_eq!(pack.list("asset"), None);
    }

    #[test]
    fn the_same_files_give_the_same_bytes() {
        assert_eq!(packed(), packed());
    }

    #[test]
    fn truncated_or_modified_packs_give_an_error_at_any_position() {
        let whole = packed();
        for length in [0, 7, 15, 40, whole.len() - 5000, whole.len() - 1] {
            assert!(Pack::open(&whole[..length]).is_err(), "{length}");
        }
        for at in 0..whole.len() {
            let mut bytes = whole.to_vec();
            bytes[at] ^= 0x10;
            let Ok(pack) = Pack::open(bytes.leak()) else {
                continue;
            };
            let is_told = files().keys().any(|path| pack.read(path).unwrap().is_err());
            let is_same = files().iter().all(|(path, own)| {
                let read = pack.read(path).unwrap();
                read.is_ok_and(|bytes| bytes == *own)
            });
            assert!(is_told || is_same, "{at}");
        }
    }
}
