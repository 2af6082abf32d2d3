//! What decals need of a model's surfaces: neighbours of triangles, and whether texture coordinates show every place once.

use std::sync::{Arc, OnceLock};

use glam::Vec2;

use galatea_asset::Model;
use galatea_decal::Surface;

/// Of a picture where several triangles lie over each other.
const MOST_SHARED: f32 = 0.05;

/// What of a model's surfaces is needed for decals; made when first asked for.
#[derive(Debug, Default)]
pub struct DecalSurfaces {
    /// By mesh.
    surfaces: Vec<OnceLock<Arc<Surface>>>,
    /// By material: whether its texture coordinates show every place once.
    unwrapped: Vec<OnceLock<bool>>,
    /// By material: it was said that it takes no decals.
    told: Vec<OnceLock<()>>,
}

impl DecalSurfaces {
    pub(crate) fn new(model: &Model) -> Self {
        Self {
            surfaces: model.meshes.iter().map(|_| OnceLock::new()).collect(),
            unwrapped: model.materials.iter().map(|_| OnceLock::new()).collect(),
            told: model.materials.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    /// The surface of a mesh.
    pub fn surface(&self, model: &Model, mesh: usize) -> Option<Arc<Surface>> {
        let (slot, mesh) = (self.surfaces.get(mesh)?, model.meshes.get(mesh)?);
        Some(slot.get_or_init(|| Arc::new(Surface::of(mesh))).clone())
    }

    /// True the first time that it is asked of a material: one that takes no decals is told once.
    pub fn is_news(&self, material: usize) -> bool {
        self.told
            .get(material)
            .is_some_and(|told| told.set(()).is_ok())
    }

    /// True where the texture coordinates of a material show every place once.
    pub fn is_unwrapped(&self, model: &Model, material: usize) -> bool {
        let slot = self.unwrapped.get(material);
        slot.is_some_and(|slot| *slot.get_or_init(|| is_unwrapped(model, material)))
    }
}

/// Counts on a coarse raster how often the triangles of a material lie over each other.
fn is_unwrapped(model: &Model, material: usize) -> bool {
    const N: i32 = 192;
    let mut seen = vec![0_u8; (N * N) as usize];
    let primitives = model.primitives().filter(|p| p.material == material);
    for primitive in primitives {
        for corners in primitive.indices.chunks_exact(3) {
            let uv = |k: usize| primitive.uv0.get(corners[k] as usize).copied();
            let (Some(a), Some(b), Some(c)) = (uv(0), uv(1), uv(2)) else {
                return false;
            };
            let [a, b, c] = [a, b, c].map(|uv| uv * N as f32 - 0.5);
            let area = (b - a).perp_dot(c - a);
            let (low, high) = (a.min(b).min(c), a.max(b).max(c));
            if !area.is_finite() || (high - low).max_element() > 1.5 * N as f32 {
                return false;
            }
            for y in low.y.ceil() as i32..=high.y.floor() as i32 {
                for x in low.x.ceil() as i32..=high.x.floor() as i32 {
                    let p = Vec2::new(x as f32, y as f32);
                    let inside = [(a, b), (b, c), (c, a)]
                        .into_iter()
                        .all(|(from, to)| (to - from).perp_dot(p - from) * area.signum() > 0.0);
                    if inside {
                        let at = y.rem_euclid(N) * N + x.rem_euclid(N);
                        seen[at as usize] = seen[at as usize].saturating_add(1);
                    }
                }
            }
        }
    }
    let covered = seen.iter().filter(|n| **n > 0).count();
    let shared = seen.iter().filter(|n| **n > 1).count();
    covered > 0 && shared as f32 <= MOST_SHARED * covered as f32
}
