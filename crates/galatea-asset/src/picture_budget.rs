//! Memory budget for decoded images: a file of some kilobytes may contain an image of a billion pixels.
//!
//! Callers: all code that decodes images of models and environments. The size is checked before decoding.

use std::path::Path;

use serde::Deserialize;

use super::vfs::{self, MAX_TEXT};

/// Default of the budget in megabytes, see [`PictureBudget`].
pub const DEFAULT_IMAGE_MEMORY_MB: u64 = 160;
/// Additional budget for each byte of the files, bytes.
const PER_BYTE: u64 = 20;
/// Limit of an image's width and height, pixels.
const MAX_SIDE: u32 = 65_536;

/// Budget for the images of one model, or for one environment: a number of megabytes (`[assets] image_memory_mb` in
/// `galatea.toml`), plus 20 times the size of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureBudget {
    bytes: u64,
}

impl Default for PictureBudget {
    fn default() -> Self {
        Self::megabytes(DEFAULT_IMAGE_MEMORY_MB)
    }
}

/// The part of `galatea.toml` that this module reads.
#[derive(Default, Deserialize)]
#[serde(default)]
struct BudgetSettings {
    assets: AssetBudget,
}

#[derive(Deserialize)]
#[serde(default)]
struct AssetBudget {
    #[serde(alias = "picture_mb")]
    image_memory_mb: u64,
}

impl Default for AssetBudget {
    fn default() -> Self {
        Self {
            image_memory_mb: DEFAULT_IMAGE_MEMORY_MB,
        }
    }
}

impl PictureBudget {
    /// A budget of `n` megabytes.
    pub const fn megabytes(n: u64) -> Self {
        Self {
            bytes: n.saturating_mul(1 << 20),
        }
    }

    /// Budget for a file, from the `galatea.toml` in the nearest folder above it.
    pub fn of(file: &Path) -> Self {
        let full = std::path::absolute(file).unwrap_or_default();
        let mut folders = file.ancestors().chain(full.ancestors());
        let settings =
            folders.find_map(|folder| vfs::read_text(&folder.join("galatea.toml"), MAX_TEXT).ok());
        let settings: BudgetSettings = settings
            .and_then(|text| toml::from_str(&text).ok())
            .unwrap_or_default();
        Self::megabytes(settings.assets.image_memory_mb)
    }

    /// Budget for files with a total size of `bytes`.
    pub const fn for_files(self, bytes: u64) -> PictureAllowance {
        let all = self.bytes.saturating_add(bytes.saturating_mul(PER_BYTE));
        PictureAllowance { all, left: all }
    }
}

/// Size of an image before decoding.
#[derive(Clone, Copy, Debug)]
pub struct EncodedSize {
    /// Width, pixels.
    pub width: u32,
    /// Height, pixels.
    pub height: u32,
    /// Bytes per pixel that stay in memory.
    pub resident: u64,
    /// Bytes per pixel that are freed after decoding.
    pub scratch: u64,
}

/// Remaining part of a [`PictureBudget`].
#[derive(Clone, Copy, Debug)]
pub struct PictureAllowance {
    all: u64,
    left: u64,
}

impl PictureAllowance {
    /// Subtracts an image from the budget.
    ///
    /// # Errors
    /// If the image is too large; the message names the setting.
    pub fn take(&mut self, picture: EncodedSize) -> Result<(), String> {
        let EncodedSize { width, height, .. } = picture;
        let pixels = u64::from(width) * u64::from(height);
        if width > MAX_SIDE || height > MAX_SIDE {
            return Err(format!(
                "it has {width} × {height} pixels; the limit is {MAX_SIDE} per side"
            ));
        }
        let resident = pixels * picture.resident;
        let needed = resident + pixels * picture.scratch;
        let megabytes = |bytes: u64| bytes.div_ceil(1 << 20);
        if needed > self.left {
            return Err(format!(
                "its {width} × {height} pixels need {} MB decoded, but of the limit of {} MB only {} MB are left; \
                 make it smaller, or raise `[assets] image_memory_mb` in galatea.toml",
                megabytes(needed),
                megabytes(self.all),
                self.left >> 20,
            ));
        }
        self.left -= resident;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_allowed_until_the_allowance_is_used_up() {
        let picture = |side: u32, scratch: u64| EncodedSize {
            width: side,
            height: side,
            resident: 4,
            scratch,
        };
        let mut allowance = PictureBudget::megabytes(10).for_files(0);
        assert_eq!(allowance.take(picture(1024, 4)), Ok(()));
        // Scratch memory is free again, so 6 of 10 MB are left.
        let why = allowance.take(picture(1024, 3)).unwrap_err();
        assert!(
            why.starts_with(
                "its 1024 × 1024 pixels need 7 MB decoded, but of the limit of 10 MB only 6 MB are left"
            ),
            "{why}"
        );
        assert!(why.contains("`[assets] image_memory_mb`"), "{why}");
        assert_eq!(allowance.take(picture(1024, 2)), Ok(()));
        // Each byte of the files adds twenty bytes.
        let mut allowance = PictureBudget::megabytes(0).for_files(1 << 20);
        assert_eq!(allowance.take(picture(2048, 1)), Ok(()));
        assert!(allowance.take(picture(2048, 1)).is_err());
        let wide = EncodedSize {
            width: 65_537,
            height: 1,
            ..picture(1, 0)
        };
        assert!(
            PictureBudget::megabytes(1000)
                .for_files(0)
                .take(wide)
                .is_err()
        );
    }

    #[test]
    fn the_nearest_settings_above_a_file_give_its_budget() {
        let root = std::env::temp_dir().join(format!("galatea-budget-{}", std::process::id()));
        let deep = root.join("assets/deep");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::write(
            root.join("galatea.toml"),
            "name = \"x\"\n[assets]\nimage_memory_mb = 7\n",
        )
        .unwrap();
        assert_eq!(
            PictureBudget::of(&deep.join("a.glb")),
            PictureBudget::megabytes(7)
        );
        std::fs::write(
            root.join("galatea.toml"),
            "[assets]\nimage_memory_mb = \"many\"\n",
        )
        .unwrap();
        assert_eq!(
            PictureBudget::of(&deep.join("a.glb")),
            PictureBudget::default()
        );
        std::fs::remove_dir_all(&root).unwrap();
    }
}
