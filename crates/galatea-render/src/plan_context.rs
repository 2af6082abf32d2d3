//! The input of a plan besides the frame.

use super::gpu::Gpu;
use super::lamps::Lamps;
use super::layouts::Layouts;
use super::pass::mip::MipPass;
use super::sun::Cascades;
use super::triangles::SampleGrid;

/// How people of crowds are drawn.
#[derive(Clone, Copy, Debug)]
pub struct PeopleDrawn {
    /// As [`ShownPerson::level_of`](galatea_stage::frame::ShownPerson::level_of) takes it.
    pub coarser: (u8, u32),
    /// Those on finer levels are among the models too, from this one on: only shadows of them are drawn as of people.
    pub models_below: u8,
    pub first_model: usize,
}

impl PeopleDrawn {
    /// All as people, in pictures of so many pixels of height.
    pub fn plain(coarser: u8, height: u32) -> Self {
        Self {
            coarser: (coarser, height),
            models_below: 0,
            first_model: usize::MAX,
        }
    }
}

/// What building a plan needs beside the frame.
pub struct PlanContext<'a> {
    pub gpu: &'a Gpu,
    pub layouts: &'a Layouts,
    pub mips: &'a MipPass,
    pub size: (u32, u32),
    /// For which triangles are sorted out, where that is faster than to draw them: the picture, then the sun's
    /// maps; else none.
    pub sights: Vec<SampleGrid>,
    pub cascades: &'a Cascades,
    pub lamps: &'a Lamps,
    /// Which people are drawn how.
    pub people: PeopleDrawn,
    /// As in the options.
    pub impostors_from: u8,
    /// All pictures of people that it needs are drawn at once.
    pub waits: bool,
    /// Texels along each of the sun's maps.
    pub sun_map: u32,
    /// Texels along the lamps' map.
    pub lamp_map: u32,
    /// World to the map of what stands on the ground.
    pub contact_from_world: [[f32; 4]; 4],
}
