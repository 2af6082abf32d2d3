//! Surface data for decals: neighbours of triangles, and a check that a material's texture coordinates do not overlap.

use std::sync::{Arc, OnceLock};

use glam::Vec2;

use galatea_asset::Model;
use galatea_decal::Surface;

/// Maximum fraction of the covered texture area where triangles may overlap.
const MAX_OVERLAP: f32 = 0.05;

/// Surface data of a model for decals; computed on first use.
#[derive(Debug, Default)]
pub struct DecalSurfaces {
    /// Surfaces by mesh.
    surfaces: Vec<OnceLock<Arc<Surface>>>,
    /// Result of the overlap check by material: true if the texture coordinates do not overlap.
    unwrapped: Vec<OnceLock<bool>>,
    /// Set by material when the message that it takes no decals was logged.
    reported: Vec<OnceLock<()>>,
}

impl DecalSurfaces {
    pub(crate) fn new(model: &Model) -> Self {
        Self {
            surfaces: model.meshes.iter().map(|_| OnceLock::new()).collect(),
            unwrapped: model.materials.iter().map(|_| OnceLock::new()).collect(),
            reported: model.materials.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    /// Returns the surface of a mesh.
    pub fn surface(&self, model: &Model, mesh: usize) -> Option<Arc<Surface>> {
        let (slot, mesh) = (self.surfaces.get(mesh)?, model.meshes.get(mesh)?);
        Some(slot.get_or_init(|| Arc::new(Surface::of(mesh))).clone())
    }

    /// Returns true the first time it is called for a material, so that a material without decals is reported once.
    pub fn is_news(&self, material: usize) -> bool {
        self.reported
            .get(material)
            .is_some_and(|reported| reported.set(()).is_ok())
    }

    /// Returns true when the texture coordinates of a material do not overlap.
    pub fn is_unwrapped(&self, model: &Model, material: usize) -> bool {
        let slot = self.unwrapped.get(material);
        slot.is_some_and(|slot| *slot.get_or_init(|| is_unwrapped(model, material)))
    }
}

/// Rasterises the triangles of a material in texture space at a coarse resolution and counts overlaps.
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
    covered > 0 && shared as f32 <= MAX_OVERLAP * covered as f32
}
