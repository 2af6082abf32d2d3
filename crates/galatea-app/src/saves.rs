//! Saved games of a project: in a folder, or in memory for tests and replays.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use galatea_asset::{SaveFile, SaveFolder};
use galatea_guard::contained;
use galatea_persist::{decode, encode, no_externals};
use galatea_script::{GameContent, GameStore, SaveSlot};

/// Folder of saved games, in the project or in the player's folder.
const SAVES: &str = "saves";

/// Header of a file.
#[derive(Serialize, Deserialize)]
struct SaveHeader {
    /// Name of the project.
    project: String,
    /// Unix time at which it was saved, seconds.
    saved_at: u64,
    slot: SaveSlot,
}

/// Saved games of a project.
pub struct SaveStore {
    project: String,
    state: Mutex<StoreState>,
}

struct StoreState {
    place: SavePlace,
    /// Threads that write, with their slots.
    writing: Vec<(String, JoinHandle<Result<(), String>>)>,
    /// Errors since the session last asked.
    failures: Vec<String>,
    /// Number of games saved in memory, which replaces their dates.
    n_saved: u64,
    /// Games are neither written nor deleted.
    is_held: bool,
}

enum SavePlace {
    Memory(BTreeMap<String, Vec<u8>>),
    Folder(SaveFolder),
}

impl SaveStore {
    /// Saved games in memory.
    pub fn in_memory(project: &str) -> Self {
        Self {
            project: project.to_owned(),
            state: Mutex::new(StoreState {
                place: SavePlace::Memory(BTreeMap::new()),
                writing: Vec::new(),
                failures: Vec::new(),
                n_saved: 0,
                is_held: false,
            }),
        }
    }

    /// Uses the folder `saves` of `home` from now on.
    pub fn use_folder(&self, home: &Path) {
        self.state().place = SavePlace::Folder(SaveFolder::new(home.join(SAVES)));
    }

    /// While `held`, games are neither written nor deleted, without an error.
    pub fn hold(&self, held: bool) {
        self.state().is_held = held;
    }

    /// Uses memory from now on, without the games that were saved before.
    pub fn use_memory(&self) {
        self.state().place = SavePlace::Memory(BTreeMap::new());
    }

    fn state(&self) -> MutexGuard<'_, StoreState> {
        // A panic while the lock was held leaves a valid state.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn body_of(&self, bytes: &[u8]) -> Result<Vec<u8>, String> {
        let file = SaveFile::of_bytes(bytes)?;
        self.header(&file.header)?;
        Ok(file.body)
    }

    /// Reads a header, and checks that the game is of this project.
    fn header(&self, bytes: &[u8]) -> Result<SaveHeader, String> {
        let header: SaveHeader =
            decode(bytes, no_externals).map_err(|_| "the file is damaged".to_owned())?;
        match header.project == self.project {
            true => Ok(header),
            false => Err(format!("the file is a game of {:?}", header.project)),
        }
    }

    /// Errors of games that could not be written, since the last call.
    pub fn take_failures(&self) -> Vec<String> {
        let mut state = self.state();
        let (done, writing) = std::mem::take(&mut state.writing)
            .into_iter()
            .partition(|(_, thread)| thread.is_finished());
        state.writing = writing;
        state.join(done);
        std::mem::take(&mut state.failures)
    }
}

impl GameStore for SaveStore {
    fn write(&self, slot: SaveSlot, game: Box<dyn GameContent>) -> Result<(), String> {
        let mut state = self.state();
        if state.is_held {
            return Ok(());
        }
        state.finish(Some(&slot.slot));
        let name = slot.slot.clone();
        let mut header = SaveHeader {
            project: self.project.clone(),
            saved_at: state.n_saved,
            slot,
        };
        state.n_saved += 1;
        match &mut state.place {
            SavePlace::Memory(games) => {
                games.insert(name, bytes_of(&header, &*game)?);
            }
            SavePlace::Folder(folder) => {
                let now = SystemTime::now().duration_since(UNIX_EPOCH);
                header.saved_at = now.map_or(0, |now| now.as_secs());
                let (folder, slot) = (folder.clone(), name.clone());
                let write = move || {
                    let work = || folder.write(&slot, &bytes_of(&header, &*game)?);
                    let written = contained("saving a game", work);
                    written.unwrap_or_else(|caught| Err(caught.notice))
                };
                let thread = std::thread::Builder::new().name("save".into()).spawn(write);
                let thread = thread.map_err(|error| error.to_string())?;
                state.writing.push((name, thread));
            }
        }
        Ok(())
    }

    fn read(&self, slot: &str) -> Result<(Vec<u8>, Option<String>), String> {
        let mut state = self.state();
        state.finish(Some(slot));
        let folder = match &state.place {
            SavePlace::Memory(games) => {
                let bytes = games.get(slot).ok_or("the slot is empty")?;
                return Ok((self.body_of(bytes)?, None));
            }
            SavePlace::Folder(folder) => folder.clone(),
        };
        drop(state);
        let [game, previous] = folder.read(slot);
        match game.and_then(|bytes| self.body_of(&bytes)) {
            Ok(body) => Ok((body, None)),
            Err(why) => match previous.and_then(|bytes| self.body_of(&bytes)) {
                Ok(body) => Ok((body, Some(why))),
                Err(_) => Err(why),
            },
        }
    }

    fn list(&self) -> Result<Vec<SaveSlot>, String> {
        let mut state = self.state();
        state.finish(None);
        let (files, is_dated) = match &state.place {
            SavePlace::Memory(games) => {
                let all = games.iter();
                let all = all.map(|(slot, bytes)| (slot.clone(), Ok(bytes.clone())));
                (all.collect(), false)
            }
            SavePlace::Folder(folder) => (folder.list()?, true),
        };
        let mut slots: Vec<(u64, SaveSlot)> = Vec::new();
        for (slot, bytes) in files {
            let header = bytes.and_then(|bytes| self.header(&SaveFile::header_of(&bytes)?));
            slots.push(match header {
                Ok(header) => {
                    let date = match is_dated {
                        true => date(header.saved_at),
                        false => String::new(),
                    };
                    let slot = SaveSlot {
                        slot,
                        date,
                        ..header.slot
                    };
                    (header.saved_at, slot)
                }
                Err(why) => {
                    let slot = SaveSlot {
                        problem: Some(format!("{slot:?} cannot be loaded: {why}")),
                        slot,
                        ..SaveSlot::default()
                    };
                    (0, slot)
                }
            });
        }
        slots.sort_by(|(a, one), (b, other)| b.cmp(a).then_with(|| one.slot.cmp(&other.slot)));
        Ok(slots.into_iter().map(|(_, slot)| slot).collect())
    }

    fn delete(&self, slot: &str) -> Result<bool, String> {
        let mut state = self.state();
        state.finish(Some(slot));
        if state.is_held {
            return Ok(true);
        }
        match &mut state.place {
            SavePlace::Memory(games) => Ok(games.remove(slot).is_some()),
            SavePlace::Folder(folder) => folder.delete(slot),
        }
    }
}

impl StoreState {
    /// Waits for the threads that write a slot, or all slots.
    fn finish(&mut self, slot: Option<&str>) {
        let (done, writing) = std::mem::take(&mut self.writing)
            .into_iter()
            .partition(|(own, _)| slot.is_none_or(|slot| slot == own));
        self.writing = writing;
        self.join(done);
    }

    fn join(&mut self, done: Vec<(String, JoinHandle<Result<(), String>>)>) {
        for (slot, thread) in done {
            let result = thread.join();
            let result = result.unwrap_or_else(|_| Err("an internal error".to_owned()));
            if let Err(why) = result {
                self.failures
                    .push(format!("the game {slot:?} was not saved: {why}"));
            }
        }
    }
}

impl Drop for SaveStore {
    fn drop(&mut self) {
        self.state().finish(None);
    }
}

fn bytes_of(header: &SaveHeader, game: &dyn GameContent) -> Result<Vec<u8>, String> {
    let file = SaveFile {
        header: encode(header).map_err(|error| error.to_string())?,
        body: game.encode()?,
    };
    file.to_bytes()
}

/// Date and time (UTC) of a Unix time, such as `2026-05-31 18:30`.
///
/// Source: H. Hinnant, *chrono-Compatible Low-Level Date Algorithms*, `civil_from_days`.
fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute) = (rest / 3600, rest / 60 % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01 00:00");
        assert_eq!(date(951_826_554), "2000-02-29 12:15");
        assert_eq!(date(1_780_252_200), "2026-05-31 18:30");
        assert_eq!(date(4_107_542_399), "2100-02-28 23:59");
    }
}
