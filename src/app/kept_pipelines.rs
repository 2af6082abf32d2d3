//! What the driver made of shaders, kept in a file of the user's cache folder from one run to the next.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use crate::render::{Gpu, PipelineCache};

/// What a file begins with; then the sum of what follows, then that.
const MAGIC: &[u8; 8] = b"GALPIPE1";
/// Larger files are left alone and begun anew.
const MOST_BYTES: u64 = 256 << 20;

/// The pipelines of one device. Written when it is dropped, if there are new ones; whoever opens the same file
/// meanwhile keeps a whole one, the last writer's.
#[derive(Debug)]
pub struct KeptPipelines {
    cache: PipelineCache,
    file: PathBuf,
    sum: Option<u64>,
}

impl KeptPipelines {
    /// Hands a device what was kept of its pipelines. `None` where the device keeps none, or the system has no folder
    /// for such files.
    pub fn recall(gpu: &mut Gpu) -> Option<Self> {
        let name = gpu.pipelines_name()?;
        let file = folder()?.join(name).with_extension("pipelines");
        let bytes = read(&file);
        let sum = bytes.as_deref().map(sum_of);
        let cache = gpu.recall_pipelines(bytes.as_deref())?;
        Some(Self { cache, file, sum })
    }

    /// Writes what is new. Without it the next start compiles again, which is no fault.
    pub fn keep(&mut self) {
        let Some(bytes) = self.cache.bytes() else {
            return;
        };
        let sum = sum_of(&bytes);
        if self.sum == Some(sum) {
            return;
        }
        match write(&self.file, sum, &bytes) {
            Ok(()) => {
                tracing::debug!("{}: {} bytes kept", self.file.display(), bytes.len());
                self.sum = Some(sum);
            }
            Err(error) => tracing::info!("{}: not kept: {error}", self.file.display()),
        }
    }
}

impl Drop for KeptPipelines {
    fn drop(&mut self) {
        self.keep();
    }
}

/// Where `GALATEA_CACHE` says, or a folder of the user's cache.
fn folder() -> Option<PathBuf> {
    match std::env::var_os("GALATEA_CACHE") {
        Some(folder) if folder.is_empty() => None,
        Some(folder) => Some(folder.into()),
        None => Some(dirs::cache_dir()?.join("galatea")),
    }
}

/// What a whole file holds.
fn read(file: &PathBuf) -> Option<Vec<u8>> {
    if fs::metadata(file).ok()?.len() > MOST_BYTES {
        return None;
    }
    let mut bytes = fs::read(file).ok()?;
    let head = bytes.get(..16)?;
    let (magic, sum) = head.split_at(8);
    let sum = u64::from_le_bytes(sum.try_into().ok()?);
    if magic != MAGIC || sum != sum_of(&bytes[16..]) {
        tracing::info!("{}: damaged; begun anew", file.display());
        return None;
    }
    Some(bytes.split_off(16))
}

fn write(file: &PathBuf, sum: u64, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut beside = OsString::from(file);
    beside.push(format!(".{}", std::process::id()));
    let whole = [MAGIC.as_slice(), &sum.to_le_bytes(), bytes].concat();
    let written = fs::write(&beside, whole).and_then(|()| fs::rename(&beside, file));
    if written.is_err() {
        // What is left of it is of no use; that it cannot be removed is no news.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// FNV-1a (Fowler, Noll, Vo), 64 bits.
fn sum_of(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str) -> PathBuf {
        let folder = format!("galatea-pipelines-{}-{name}", std::process::id());
        std::env::temp_dir().join(folder).join("deep/x.pipelines")
    }

    #[test]
    fn what_is_written_is_read_and_what_is_damaged_is_not() {
        let file = file("damaged");
        assert_eq!(read(&file), None, "there is none yet");
        let bytes: Vec<u8> = (0..=255).collect();
        write(&file, sum_of(&bytes), &bytes).unwrap();
        assert_eq!(read(&file).as_deref(), Some(bytes.as_slice()));
        let siblings = fs::read_dir(file.parent().unwrap()).unwrap().count();
        assert_eq!(siblings, 1, "nothing is left beside it");

        let whole = fs::read(&file).unwrap();
        for broken in [&whole[..whole.len() - 1], &whole[..12], &[]] {
            fs::write(&file, broken).unwrap();
            assert_eq!(read(&file), None, "{} bytes", broken.len());
        }
        for at in [0, 9, 100] {
            let mut other = whole.clone();
            other[at] ^= 1;
            fs::write(&file, other).unwrap();
            assert_eq!(read(&file), None, "byte {at}");
        }
        fs::remove_dir_all(file.ancestors().nth(2).unwrap()).unwrap();
    }

    #[test]
    fn a_device_takes_back_what_it_gave() {
        let Ok(mut gpu) = Gpu::headless() else {
            assert!(std::env::var_os("GALATEA_REQUIRE_ALL").is_none());
            return;
        };
        let Some(name) = gpu.pipelines_name() else {
            println!("SKIPPED: {} keeps no pipelines", gpu.info.name);
            return;
        };
        assert!(!name.contains(['/', '\\']), "{name}");
        let draws = |gpu: &Gpu| {
            let shaders = crate::render::ShaderSource::embedded();
            crate::studio::View::headless(gpu, &shaders).unwrap();
        };
        let cache = gpu.recall_pipelines(None).unwrap();
        draws(&gpu);
        let bytes = cache.bytes().unwrap();
        assert!(!bytes.is_empty());
        // Its own, somebody else's, and none.
        for data in [bytes.clone(), vec![7; bytes.len()], Vec::new()] {
            let mut again = Gpu::headless().unwrap();
            let cache = again.recall_pipelines(Some(&data)).unwrap();
            draws(&again);
            assert_eq!(again.take_error(), None);
            assert!(cache.bytes().is_some_and(|bytes| !bytes.is_empty()));
        }
    }
}
