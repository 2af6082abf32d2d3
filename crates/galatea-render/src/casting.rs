//! Shadow and contact maps of a frame, and the models that cast into each of them.

use bytemuck::bytes_of;
use glam::Vec3;

use super::draw::ViewTarget;
use super::plan_context::PlanContext;
use super::sun::touches_ground;
use super::uniforms::{self, UNIFORM_STRIDE};
use galatea_stage::frame::Frame;

/// Maximum number of depth maps in one frame: the bits of [`Draw::views`](super::draw::Draw::views).
const MAX_VIEWS: usize = 64;

/// Depth maps of a frame. Rebuilt in place every frame.
#[derive(Default)]
pub struct Casting {
    /// Depth maps to draw.
    pub views: Vec<ViewTarget>,
    /// [`uniforms::GpuView`]s, [`UNIFORM_STRIDE`] apart.
    pub matrices: Vec<u8>,
    /// At least one model is close to the ground.
    pub has_contacts: bool,
}

impl Casting {
    /// Collects the depth maps of this frame and their view matrices.
    pub fn plan(&mut self, context: &PlanContext<'_>, frame: &Frame) {
        self.views.clear();
        self.matrices.clear();
        self.has_contacts = false;
        for (layer, fitted) in context.cascades.boxes().iter().enumerate() {
            let matrix = uniforms::columns(fitted.clip_from_world);
            self.add(ViewTarget::Sun(layer), matrix, true);
        }
        if frame.ground.is_some() {
            self.add(ViewTarget::Below, context.contact_from_world, false);
        }
        for view in &context.local_lights.views {
            let texels = view.tile.map(|share| share * context.light_map as f32);
            self.add(ViewTarget::LocalLight(texels), view.clip_from_world, false);
        }
    }

    fn add(&mut self, target: ViewTarget, clip_from_world: [[f32; 4]; 4], keeps_near: bool) {
        if self.views.len() >= MAX_VIEWS {
            return;
        }
        self.views.push(target);
        self.matrices
            .extend_from_slice(bytes_of(&uniforms::GpuView {
                clip_from_world,
                keeps_near: f32::from(u8::from(keeps_near)),
                padding_a: 0.0,
                padding_b: 0.0,
                padding_c: 0.0,
            }));
        self.matrices
            .resize(self.views.len() * UNIFORM_STRIDE as usize, 0);
    }

    /// Returns a mask of the maps that a model with these bounds casts into; bit `i` is view `i`.
    pub fn of(&self, context: &PlanContext<'_>, frame: &Frame, bounds: (Vec3, f32)) -> u64 {
        let mut mask = 0;
        let mut light_index = 0;
        for (i, view) in self.views.iter().enumerate() {
            let is_caught = match view {
                ViewTarget::Sun(layer) => context.cascades.boxes()[*layer].catches(bounds),
                ViewTarget::Below => {
                    let whole = context.cascades.whole();
                    whole.is_some_and(|whole| touches_ground(frame, whole, bounds))
                }
                ViewTarget::LocalLight(_) => {
                    light_index += 1;
                    context.local_lights.bounds[light_index - 1].touches(bounds)
                }
            };
            mask |= u64::from(is_caught) << i;
        }
        mask
    }

    /// Records that a model casts into the maps of `mask`.
    pub fn note(&mut self, mask: u64) {
        let below = self.views.iter().position(|v| *v == ViewTarget::Below);
        self.has_contacts |= below.is_some_and(|i| mask >> i & 1 != 0);
    }
}
