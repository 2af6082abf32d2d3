//! Environment maps for image-based lighting: cube maps, and irradiance for diffuse surfaces.
//!
//! Reads Radiance (.hdr), KTX2 (cube maps or equirectangular images), PNG and JPEG. One file gives one [`Environment`]. No
//! file causes a panic. An image has at most 8192 × 4096 pixels.

mod equirect;
mod harmonics;
mod ktx;
mod lobes;
mod picture;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Vec3;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::picture_budget::PictureBudget;
use galatea_persist::external;
use galatea_persist::shared::SharedPart;

pub use harmonics::{basis, irradiance};
pub use lobes::lobes;

/// Side of the cube maps made from equirectangular images, pixels.
pub const SIZE: u32 = 256;
/// Largest side of a cube map that is kept unchanged; larger ones are halved until they fit.
const MAX_SIZE: u32 = 512;
/// Limit of pixels of an image: 8192 × 4096.
const MAX_PIXELS: u64 = 8192 * 4096;
/// Limit of a file, bytes.
const MAX_FILE_BYTES: u64 = 512 << 20;
/// Limit of radiance: the largest value of a half float.
const MAX_RADIANCE: f32 = 65504.0;

/// Light from all directions. Immutable; shared by `Arc`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Environment {
    /// Hash of the file's bytes.
    pub uid: u64,
    /// File name without directory and extension.
    pub name: String,
    /// The file; empty for an environment made from memory.
    pub sources: Vec<PathBuf>,
    /// Path of the file in its project; `None` for an environment from elsewhere. A saved game stores it.
    pub path: Option<String>,
    /// Side of each face, pixels.
    pub size: u32,
    /// Linear radiance, `6 · size · size`: faces +X −X +Y −Y +Z −Z, each with rows from the top in the graphics API's cube
    /// map layout. Finite, 0..=65504.
    pub faces: Vec<Vec3>,
    /// Radiance reflected by a diffuse white surface as a function of the normal, as spherical harmonics; see
    /// [`irradiance`].
    pub irradiance: [Vec3; 9],
}

/// An environment in a saved game. One of a file is loaded again, one from memory is written.
#[derive(Serialize, Deserialize)]
enum SavedEnvironment {
    File(String),
    Made {
        uid: u64,
        name: String,
        size: u32,
        faces: Vec<Vec3>,
        irradiance: [Vec3; 9],
    },
}

/// Kind under which a saved game requests the environment of a file, by its path in the project.
pub const ENVIRONMENT_KIND: &str = "environment";

impl SharedPart for Environment {
    fn write_part<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved = match &self.path {
            Some(path) => SavedEnvironment::File(path.clone()),
            None => SavedEnvironment::Made {
                uid: self.uid,
                name: self.name.clone(),
                size: self.size,
                faces: self.faces.clone(),
                irradiance: self.irradiance,
            },
        };
        saved.serialize(serializer)
    }

    fn read_part<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Self>, D::Error> {
        match SavedEnvironment::deserialize(deserializer)? {
            SavedEnvironment::File(path) => {
                external(ENVIRONMENT_KIND, &path).map_err(D::Error::custom)
            }
            SavedEnvironment::Made {
                uid,
                name,
                size,
                faces,
                irradiance,
            } => Ok(Arc::new(Self {
                uid,
                name,
                sources: Vec::new(),
                path: None,
                size,
                faces,
                irradiance,
            })),
        }
    }
}

/// Error: a file cannot be used as an environment.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {cause}")]
pub struct EnvironmentError {
    /// File name as given by the caller.
    pub file: String,
    /// Cause, and what to do.
    pub cause: String,
}

impl Environment {
    /// Loads a file. The centre of an equirectangular image (longitude and latitude) is at −Z, the middle of the right half
    /// at +X, its upper edge at +Y.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, is too large, or has an unsupported format.
    pub fn load(path: &Path) -> Result<Self, EnvironmentError> {
        let file = path.display().to_string();
        let bytes = match super::read_at_most(path, MAX_FILE_BYTES) {
            Ok(bytes) => bytes,
            Err(error) => {
                let cause = format!("cannot be read: {error}");
                return Err(EnvironmentError { file, cause });
            }
        };
        let environment = Self::from_slice(&file, &bytes)?;
        Ok(Self {
            sources: vec![path.to_owned()],
            path: None,
            ..environment
        })
    }

    /// Loads from memory; `file` is for messages and the name.
    ///
    /// # Errors
    /// As [`Environment::load`].
    pub fn from_slice(file: &str, bytes: &[u8]) -> Result<Self, EnvironmentError> {
        let budget = PictureBudget::of(Path::new(file));
        let allowance = budget.for_files(bytes.len() as u64);
        let cube = if bytes.starts_with(&ktx::MAGIC) {
            ktx::read(bytes, allowance)
        } else {
            picture::read(bytes, allowance).map(|picture| equirect::to_cube(&picture, SIZE))
        };
        let cube = cube.map_err(|cause| EnvironmentError {
            file: file.to_owned(),
            cause,
        })?;
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let stem = Path::new(file).file_stem();
        Ok(Self {
            uid: hasher.finish(),
            name: stem.map_or_else(String::new, |stem| stem.to_string_lossy().into_owned()),
            ..Self::of_cube(cube)
        })
    }

    /// An environment computed from radiance by direction; `size` is the side of the faces in pixels.
    pub fn from_fn(size: u32, radiance: impl Fn(Vec3) -> Vec3) -> Self {
        let mut cube = Cube::new(size);
        for (i, texel) in cube.faces.iter_mut().enumerate() {
            let (face, x, y) = texel_coordinates(i, size);
            *texel =
                radiance(direction(face, x as f32 + 0.5, y as f32 + 0.5, size as f32).normalize());
        }
        Self::of_cube(cube)
    }

    /// A copy with faces of at most `largest` pixels a side: halved until it fits, each texel the mean of four. A face with
    /// an odd side is not halved.
    #[must_use]
    pub fn at_most(&self, largest: u32) -> Self {
        let cube = Cube {
            size: self.size,
            faces: self.faces.clone(),
        };
        let cube = cube.at_most(largest);
        Self {
            uid: self.uid,
            name: self.name.clone(),
            sources: self.sources.clone(),
            path: self.path.clone(),
            size: cube.size,
            faces: cube.faces,
            irradiance: self.irradiance,
        }
    }

    fn of_cube(mut cube: Cube) -> Self {
        for texel in &mut cube.faces {
            *texel = Vec3::from_array(texel.to_array().map(sanitized));
        }
        Self {
            irradiance: harmonics::of_cube(&cube),
            size: cube.size,
            faces: cube.faces,
            ..Self::default()
        }
    }
}

/// Replaces NaN and negative values by 0 and limits large ones to the maximum.
fn sanitized(x: f32) -> f32 {
    if x.is_nan() {
        0.0
    } else {
        x.clamp(0.0, MAX_RADIANCE)
    }
}

/// An equirectangular image, linear, rows from the top.
struct Panorama {
    width: usize,
    height: usize,
    /// `width · height`.
    texels: Vec<Vec3>,
}

/// Six faces of a cube map.
#[derive(Clone)]
struct Cube {
    size: u32,
    /// See [`Environment::faces`].
    faces: Vec<Vec3>,
}

impl Cube {
    fn new(size: u32) -> Self {
        let n = size as usize;
        Self {
            size,
            faces: vec![Vec3::ZERO; 6 * n * n],
        }
    }

    /// Halves the faces until a side is at most `largest` pixels; each texel is the mean of four.
    fn at_most(mut self, largest: u32) -> Self {
        while self.size > largest && self.size.is_multiple_of(2) {
            let (n, m) = (self.size as usize, self.size as usize / 2);
            let mut half = Self::new(self.size / 2);
            for (i, texel) in half.faces.iter_mut().enumerate() {
                let at = (i / (m * m)) * n * n + (i % (m * m) / m) * 2 * n + i % m * 2;
                let four = [at, at + 1, at + n, at + n + 1].map(|k| self.faces[k]);
                *texel = four.into_iter().sum::<Vec3>() * 0.25;
            }
            self = half;
        }
        self
    }
}

/// Face, column and row of the texel with index `i`.
fn texel_coordinates(i: usize, size: u32) -> (usize, usize, usize) {
    let n = size as usize;
    (i / (n * n), i % n, i % (n * n) / n)
}

/// Direction of a point on a face; `x` and `y` in 0..=size from the face's upper left corner (Vulkan specification, cube map
/// face selection). Not normalised: its largest component is ±1.
fn direction(face: usize, x: f32, y: f32, size: f32) -> Vec3 {
    let (s, t) = (2.0 * x / size - 1.0, 2.0 * y / size - 1.0);
    match face {
        0 => Vec3::new(1.0, -t, -s),
        1 => Vec3::new(-1.0, -t, s),
        2 => Vec3::new(s, 1.0, t),
        3 => Vec3::new(s, -1.0, -t),
        4 => Vec3::new(s, -t, 1.0),
        _ => Vec3::new(-s, -t, -1.0),
    }
}

#[cfg(test)]
mod tests;
