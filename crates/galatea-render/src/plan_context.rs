//! Input of a plan in addition to the frame.

use super::gpu::Gpu;
use super::layouts::Layouts;
use super::local_lights::LocalLights;
use super::pass::mip::MipPass;
use super::sun::Cascades;
use super::triangles::SampleGrid;

/// Settings for drawing crowd agents.
#[derive(Clone, Copy, Debug)]
pub struct CrowdDrawSettings {
    /// Argument of [`DrawnAgent::level_of`](galatea_stage::frame::DrawnAgent::level_of).
    pub coarser: (u8, u32),
    /// Agents at finer levels than this are among the models, from `first_model` on. Only their shadows are drawn as agents.
    pub models_below: u8,
    pub first_model: usize,
}

impl CrowdDrawSettings {
    /// Draws all agents instanced, in an image of `height` pixels.
    pub fn plain(coarser: u8, height: u32) -> Self {
        Self {
            coarser: (coarser, height),
            models_below: 0,
            first_model: usize::MAX,
        }
    }
}

/// Input of a plan in addition to the frame.
pub struct PlanContext<'a> {
    pub gpu: &'a Gpu,
    pub layouts: &'a Layouts,
    pub mips: &'a MipPass,
    pub size: (u32, u32),
    /// Views whose triangles are culled on the CPU, where that is faster: the image, then the sun's cascades; else empty.
    pub sights: Vec<SampleGrid>,
    pub cascades: &'a Cascades,
    pub local_lights: &'a LocalLights,
    /// Settings for drawing crowd agents.
    pub agents: CrowdDrawSettings,
    /// Same as in the options.
    pub impostors_from: u8,
    /// The frame waits until all its impostors are drawn.
    pub waits: bool,
    /// Side of each of the sun's shadow maps, texels.
    pub sun_map: u32,
    /// Side of the shadow atlas for point and spot lights, texels.
    pub light_map: u32,
    /// Transform from world space to the contact map.
    pub contact_from_world: [[f32; 4]; 4],
}
