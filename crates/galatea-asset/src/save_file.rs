//! Files of saved games: a short header for menus, and a compressed body, each with a checksum.

use std::path::{Path, PathBuf};

use super::output::write_whole;
use super::read_at_most;

/// First bytes of every file.
const MAGIC: &[u8; 12] = b"GALATEA-SAVE";
/// Version of the format. A file of another version cannot be read.
pub const SAVE_VERSION: u16 = 1;
/// Length of the part before the header: magic, version, length and checksum of header and body.
const PREFIX: usize = MAGIC.len() + 2 + 4 + 4 + 8 + 4;
/// Maximum sizes, bytes: header, file, and body after decompression.
const MAX_HEADER: usize = 1 << 20;
const MAX_FILE: u64 = 512 << 20;
const MAX_BODY: usize = 2 << 30;
/// File extension, and that of the previous game in the slot.
const EXTENSION: &str = "save";
const BACKUP: &str = "save.bak";
/// Compression level of zstd.
const LEVEL: i32 = 3;

/// Content of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SaveFile {
    /// Header, for menus.
    pub header: Vec<u8>,
    /// The game.
    pub body: Vec<u8>,
}

impl SaveFile {
    /// Bytes of the file.
    ///
    /// # Errors
    /// If the header or the body is too large.
    pub fn to_bytes(&self) -> Result<Vec<u8>, String> {
        if self.header.len() > MAX_HEADER {
            return Err(format!(
                "the values for menus take {} bytes; the limit is {MAX_HEADER}",
                self.header.len()
            ));
        }
        if self.body.len() > MAX_BODY {
            return Err(format!("the game takes more than {MAX_BODY} bytes"));
        }
        let body = zstd::bulk::compress(&self.body, LEVEL).map_err(|error| error.to_string())?;
        let mut bytes = Vec::with_capacity(PREFIX + self.header.len() + body.len());
        bytes.extend(MAGIC);
        bytes.extend(SAVE_VERSION.to_le_bytes());
        bytes.extend((self.header.len() as u32).to_le_bytes());
        bytes.extend(crc32fast::hash(&self.header).to_le_bytes());
        bytes.extend((body.len() as u64).to_le_bytes());
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(&self.header);
        bytes.extend(&body);
        Ok(bytes)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// The reason why they are not a saved game.
    pub fn of_bytes(bytes: &[u8]) -> Result<Self, String> {
        let (header, body) = parts(bytes)?;
        let body = zstd::bulk::decompress(body, MAX_BODY.min(size_of_body(body)?))
            .map_err(|_| "the file is damaged".to_owned())?;
        Ok(Self {
            header: header.to_vec(),
            body,
        })
    }

    /// Reads the header alone. The body is checked, but not decompressed.
    ///
    /// # Errors
    /// As [`SaveFile::of_bytes`].
    pub fn header_of(bytes: &[u8]) -> Result<Vec<u8>, String> {
        Ok(parts(bytes)?.0.to_vec())
    }
}

/// Size of the body after decompression, as its first bytes say.
pub(super) fn size_of_body(body: &[u8]) -> Result<usize, String> {
    let size = zstd::zstd_safe::get_frame_content_size(body).ok().flatten();
    let size = size.and_then(|size| usize::try_from(size).ok());
    size.filter(|size| *size <= MAX_BODY)
        .ok_or_else(|| "the file is damaged".to_owned())
}

/// Header and compressed body of a file, after their checksums were compared.
fn parts(bytes: &[u8]) -> Result<(&[u8], &[u8]), String> {
    let damaged = || "the file is damaged".to_owned();
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or("the file is not a saved game")?;
    let (version, rest) = rest.split_first_chunk().ok_or_else(damaged)?;
    match u16::from_le_bytes(*version) {
        SAVE_VERSION => {}
        newer if newer > SAVE_VERSION => {
            return Err("the game was saved with a newer version of the program".to_owned());
        }
        _ => return Err("the game was saved with an older version of the program".to_owned()),
    }
    let (header_length, rest) = rest.split_first_chunk().ok_or_else(damaged)?;
    let (header_sum, rest) = rest.split_first_chunk().ok_or_else(damaged)?;
    let (body_length, rest) = rest.split_first_chunk().ok_or_else(damaged)?;
    let (body_sum, rest) = rest.split_first_chunk().ok_or_else(damaged)?;
    let header_length = u32::from_le_bytes(*header_length) as usize;
    let (header, body) = rest.split_at_checked(header_length).ok_or_else(damaged)?;
    let is_whole = u64::from_le_bytes(*body_length) == body.len() as u64
        && u32::from_le_bytes(*header_sum) == crc32fast::hash(header)
        && u32::from_le_bytes(*body_sum) == crc32fast::hash(body);
    match is_whole {
        true => Ok((header, body)),
        false => Err(damaged()),
    }
}

/// A slot with the bytes of its file, or the reason why the file cannot be read.
pub type FoundSave = (String, Result<Vec<u8>, String>);

/// A folder of saved games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveFolder(PathBuf);

impl SaveFolder {
    /// The folder at this path; it is created with the first saved game.
    pub fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// Path of the file of a slot.
    pub fn file(&self, slot: &str) -> PathBuf {
        self.0.join(format!("{slot}.{EXTENSION}"))
    }

    fn backup(&self, slot: &str) -> PathBuf {
        self.0.join(format!("{slot}.{BACKUP}"))
    }

    /// Writes a saved game completely or not at all. The previous game of the slot is kept as a backup, unless it is damaged.
    ///
    /// # Errors
    /// The reason, with the path of the file.
    pub fn write(&self, slot: &str, bytes: &[u8]) -> Result<(), String> {
        let file = self.file(slot);
        let previous = read_at_most(&file, MAX_FILE).ok();
        if let Some(previous) = previous.filter(|previous| parts(previous).is_ok()) {
            write_whole(&self.backup(slot), &previous).map_err(|error| error.to_string())?;
        }
        write_whole(&file, bytes).map_err(|error| error.to_string())
    }

    /// Bytes of the game in a slot, and of the game before it, if there are any.
    pub fn read(&self, slot: &str) -> [Result<Vec<u8>, String>; 2] {
        [self.file(slot), self.backup(slot)].map(|file| read(&file))
    }

    /// Slots, in any order, with the bytes of their files.
    ///
    /// # Errors
    /// The reason, with the path of the folder.
    pub fn list(&self) -> Result<Vec<FoundSave>, String> {
        let entries = match std::fs::read_dir(&self.0) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(format!("{}: {error}", self.0.display())),
        };
        let paths = entries.flatten().map(|entry| entry.path());
        let saved = paths.filter(|path| path.extension().is_some_and(|e| e == EXTENSION));
        let slots = saved.filter_map(|path| {
            let slot = path.file_stem()?.to_str()?.to_owned();
            let bytes = read(&path);
            Some((slot, bytes))
        });
        Ok(slots.collect())
    }

    /// Deletes a slot with its backup. Returns false if it is empty.
    ///
    /// # Errors
    /// The reason, with the path of the file.
    pub fn delete(&self, slot: &str) -> Result<bool, String> {
        let mut existed = false;
        for file in [self.backup(slot), self.file(slot)] {
            match std::fs::remove_file(&file) {
                Ok(()) => existed = true,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(format!("{}: {error}", file.display())),
            }
        }
        Ok(existed)
    }
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
    read_at_most(file, MAX_FILE).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(n: usize) -> SaveFile {
        SaveFile {
            header: b"menu".to_vec(),
            body: (0..n).map(|i| (i % 251) as u8).collect(),
        }
    }

    #[test]
    fn every_damaged_byte_and_every_missing_end_is_found() {
        let whole = file(300);
        let bytes = whole.to_bytes().unwrap();
        assert_eq!(SaveFile::of_bytes(&bytes), Ok(whole));
        for i in 0..bytes.len() {
            let mut wrong = bytes.clone();
            wrong[i] ^= 0x10;
            let why = SaveFile::of_bytes(&wrong).unwrap_err();
            let known = [
                "damaged",
                "not a saved game",
                "newer version",
                "older version",
            ];
            assert!(known.iter().any(|word| why.contains(word)), "{i}: {why}");
            assert!(SaveFile::of_bytes(&bytes[..i]).is_err(), "{i}");
            assert!(SaveFile::header_of(&bytes[..i]).is_err(), "{i}");
        }
    }

    #[test]
    fn the_game_before_is_kept_unless_it_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let saves = SaveFolder::new(folder.path().join("saves"));
        assert_eq!(saves.list(), Ok(Vec::new()));
        let [first, second] = [1, 2].map(|n| file(n).to_bytes().unwrap());
        saves.write("a b", &first).unwrap();
        saves.write("a b", &second).unwrap();
        assert_eq!(saves.read("a b"), [Ok(second.clone()), Ok(first.clone())]);
        write_whole(&saves.file("a b"), b"GALATEA-SAVE").unwrap();
        saves.write("a b", &second).unwrap();
        assert_eq!(saves.read("a b"), [Ok(second.clone()), Ok(first)]);
        assert_eq!(saves.list(), Ok(vec![("a b".to_owned(), Ok(second))]));
        assert_eq!(saves.delete("a b"), Ok(true));
        assert_eq!(saves.delete("a b"), Ok(false));
        assert_eq!(saves.list(), Ok(Vec::new()));
    }
}
