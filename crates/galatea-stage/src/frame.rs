//! The plain data that the simulation hands to the renderer: the whole content of one picture.
//!
//! A frame refers to no GPU, no Lua and no clock. It is rebuilt in place for every picture, so its vectors keep their
//! memory.

use std::sync::Arc;

use glam::{Affine3A, Mat4, Vec2, Vec3};
use serde::{Deserialize, Serialize};

use galatea_asset::{Lods, Model};
use galatea_character::Headless;
use galatea_decal::DecalLayer;

pub use galatea_asset::model::{Image, InstanceMaterial, MaterialValues};

pub use galatea_emitter::{Sprite, SpriteSheet};

pub use super::drawn_crowds::{BakedPoses, DrawCrowd, DrawnAgent, FINE, Tint};
pub use super::frame_view::{FrameView, VertexColors, ViewKind};
pub use super::light::{
    AutoExposure, EnvironmentUse, Fog, Grade, Light, LocalLight, MAX_LIGHTS, PostProcessing,
    Quality, Shading, Spot, ToneMap,
};
pub use super::message::{Message, MessageKind, SourceLine, WatchRow};
pub use super::ui::{UI_SIZE, UiContent, UiItem, UiText, UiWorldPlacement};

/// The content of one picture.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The camera.
    pub camera: Camera,
    /// Sun, sky and lights.
    pub light: Light,
    /// Exposure, tone mapping, colour grading and the other post-processing.
    pub post_processing: PostProcessing,
    /// Quality level; `None` leaves it to the renderer.
    pub quality: Option<Quality>,
    /// Stage time, seconds. Automatic exposure adapts by it.
    pub time: f64,
    /// The floor, if any.
    pub ground: Option<Ground>,
    /// Coloured areas on the ground, drawn in order. The renderer may draw only the first 16.
    pub patches: Vec<GroundPatch>,
    /// Characters and props.
    pub models: Vec<DrawModel>,
    /// Crowds, grouped by body.
    pub crowds: Vec<DrawCrowd>,
    /// Agents of all crowds; each [`DrawCrowd`] owns a contiguous range.
    pub agents: Vec<DrawnAgent>,
    /// Deformation matrices of all models, model space from mesh space. Each [`DrawModel`] owns a
    /// contiguous range, laid out by [`galatea_deform::PaletteLayout`].
    pub palette: Vec<Affine3A>,
    /// Morph weights of all models; each [`DrawModel`] owns a contiguous range, part after part,
    /// one weight per target of the part's mesh.
    pub morph_weights: Vec<f32>,
    /// Material values of all models that differ from the file; each [`DrawModel`] owns a contiguous range, see
    /// [`Frame::materials_of`].
    pub material_values: Vec<InstanceMaterial>,
    /// Fold weights of the skin regions of all models, 0..=1. Each [`DrawModel`] owns a contiguous range, one material after
    /// the other, in the order of its wrinkle regions.
    pub wrinkle_weights: Vec<f32>,
    /// Decals on the materials of all models; each [`DrawModel`] owns a contiguous range, see [`Frame::decals_of`].
    pub decals: Vec<(u16, Arc<DecalLayer>)>,
    /// Bounding spheres (centre, radius; world space, metres) of the parts of posed models.
    pub spheres: Vec<(Vec3, f32)>,
    /// Particle sprites, unsorted.
    pub particles: Vec<Sprite>,
    /// Sprite sheets that the particles use.
    pub particle_pictures: Vec<Arc<SpriteSheet>>,
    /// Lines drawn over the picture, world space.
    pub lines: Vec<OverlayLine>,
    /// Debug view that replaces the models' materials.
    pub view: Option<FrameView>,
    /// Interface items, lowest first.
    pub ui: Vec<UiItem>,
    /// Messages on the picture.
    pub messages: Vec<Message>,
    /// Rows of watched values.
    pub watches: Vec<WatchRow>,
}

impl Frame {
    /// Empties the frame, but keeps the capacity of its vectors.
    pub fn clear(&mut self) {
        self.patches.clear();
        self.models.clear();
        self.crowds.clear();
        self.agents.clear();
        self.palette.clear();
        self.morph_weights.clear();
        self.material_values.clear();
        self.wrinkle_weights.clear();
        self.decals.clear();
        self.spheres.clear();
        self.particles.clear();
        self.particle_pictures.clear();
        self.lines.clear();
        self.view = None;
        self.ui.clear();
        self.messages.clear();
        self.watches.clear();
    }

    /// The material values of a model that differ from its file, by ascending material index; usually empty.
    pub fn materials_of(&self, model: &DrawModel) -> &[InstanceMaterial] {
        let (start, n) = model.materials;
        let range = start as usize..start as usize + n as usize;
        self.material_values.get(range).unwrap_or_default()
    }

    /// The decal layers of a model with their material indices, ascending.
    pub fn decals_of(&self, model: &DrawModel) -> &[(u16, Arc<DecalLayer>)] {
        let (start, n) = model.decals;
        let range = start as usize..start as usize + n as usize;
        self.decals.get(range).unwrap_or_default()
    }

    /// Spheres that together enclose a posed model, at least one.
    pub fn spheres_of<'a>(&'a self, model: &'a DrawModel) -> &'a [(Vec3, f32)] {
        match self.spheres.get(model.spheres.clone()) {
            Some(spheres) if !spheres.is_empty() => spheres,
            _ => std::slice::from_ref(&model.bounds),
        }
    }

    /// The agents of one group of a crowd.
    pub fn agents_of(&self, crowd: &DrawCrowd) -> &[DrawnAgent] {
        self.agents.get(crowd.agents.clone()).unwrap_or_default()
    }

    /// World-space bounding spheres of all visible agents.
    pub fn agent_spheres(&self) -> impl Iterator<Item = (Vec3, f32)> + '_ {
        self.crowds.iter().flat_map(|crowd| {
            let people = self.agents_of(crowd).iter();
            let spheres = people.map(|person| person.sphere(crowd.poses.bounds));
            spheres.filter(|(centre, radius)| centre.is_finite() && radius.is_finite())
        })
    }

    /// A copy of the frame in which agents with a level of detail finer than `level` are added as separate models, for a
    /// renderer that draws single models. They stay in `people` too. Agents in the same pose share it. `coarser` is as in
    /// [`DrawnAgent::level_of`].
    pub fn with_agents_as_models(&self, level: u8, coarser: (u8, u32)) -> Self {
        let mut frame = self.clone();
        for crowd in &self.crowds {
            let people = self.agents_of(crowd).iter();
            let near = people.filter(|p| p.level_of(coarser) < level);
            let people: Vec<&DrawnAgent> = near.collect();
            let pose = |i: u32| {
                let person = people[i as usize];
                person.poses[usize::from(person.pose_fraction > 0.5)]
            };
            let mut order: Vec<u32> = (0..people.len() as u32).collect();
            order.sort_by_key(|i| pose(*i));
            for alike in order.chunk_by(|a, b| pose(*a) == pose(*b)) {
                let people = alike.iter().map(|i| people[*i as usize]);
                frame.add_models(crowd, pose(alike[0]), people, coarser);
            }
        }
        frame
    }

    fn add_models<'a>(
        &mut self,
        crowd: &DrawCrowd,
        pose: u32,
        people: impl Iterator<Item = &'a DrawnAgent>,
        coarser: (u8, u32),
    ) {
        let book = &crowd.poses;
        let (palette_start, morph_start) = (self.palette.len(), self.morph_weights.len());
        self.palette.extend_from_slice(book.palette(pose as usize));
        self.morph_weights.extend_from_slice(&book.morphs);
        for person in people {
            let (first, n) = (self.spheres.len(), self.material_values.len());
            let level = person.level_of(coarser);
            let tinted = crowd.tints.iter().filter_map(|tint| {
                let file = book.model.materials.get(usize::from(tint.material))?;
                let mut values = MaterialValues::of(file);
                values.tint *= tint.of(person.seed);
                Some(InstanceMaterial {
                    material: tint.material,
                    values,
                })
            });
            self.material_values.extend(tinted);
            self.models.push(DrawModel {
                model: book.model.clone(),
                instance: crowd.instance + u64::from(person.number),
                world_from_model: person.world(),
                palette_start: palette_start as u32,
                morph_start: morph_start as u32,
                materials: (n as u32, (self.material_values.len() - n) as u32),
                wrinkle_start: self.wrinkle_weights.len() as u32,
                decals: (0, 0),
                variant: None,
                hidden_parts: Vec::new(),
                headless: None,
                coarser: (level > 0).then(|| (book.lods.clone(), level)),
                bounds: person.sphere(book.bounds),
                spheres: first..first,
            });
        }
    }
}

/// A perspective camera. Right-handed, +Y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// World position, metres.
    pub eye: Vec3,
    /// World point in the centre of the picture.
    pub target: Vec3,
    /// Vertical field of view, degrees.
    pub fov_y: f32,
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            eye: Vec3::new(0.0, 1.4, 4.0),
            target: Vec3::new(0.0, 0.9, 0.0),
            fov_y: 40.0,
        }
    }
}

impl Camera {
    /// View-from-world matrix; the camera looks along -Z in view space. Finite for any eye and target.
    pub fn view_from_world(&self) -> Mat4 {
        let forward = (self.target - self.eye)
            .try_normalize()
            .unwrap_or(Vec3::NEG_Z);
        let up = if forward.y.abs() > 0.9999 {
            Vec3::NEG_Z * forward.y.signum()
        } else {
            Vec3::Y
        };
        glam::camera::rh::view::look_to_mat4(self.eye, forward, up)
    }
}

/// An infinite horizontal floor that receives shadows and fades into the horizon.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ground {
    /// World height, metres.
    pub height: f32,
    /// Linear colour.
    pub color: Vec3,
    /// Distance between grid lines, metres; 0 draws none.
    pub grid: f32,
    /// Random variation of the colour across the floor, 0..=1. 0 is a plain colour, as studio paper.
    pub color_variation: f32,
}

impl Default for Ground {
    fn default() -> Self {
        Self {
            height: 0.0,
            color: Vec3::new(0.34, 0.33, 0.315),
            grid: 1.0,
            color_variation: 0.3,
        }
    }
}

/// A coloured area on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundPatch {
    /// World x and z of the centre, metres.
    pub centre: Vec2,
    /// Half the size along x and z, metres.
    pub half: Vec2,
    /// True for an ellipse, false for a rectangle.
    pub round: bool,
    /// Linear colour.
    pub color: Vec3,
}

/// A model to draw.
#[derive(Clone, Debug)]
pub struct DrawModel {
    /// The model.
    pub model: Arc<Model>,
    /// Id of the instance. It stays the same from picture to picture, so that GPU memory is reused.
    pub instance: u64,
    /// World-from-model transform.
    pub world_from_model: Affine3A,
    /// First matrix in [`Frame::palette`].
    pub palette_start: u32,
    /// First weight in [`Frame::morph_weights`].
    pub morph_start: u32,
    /// Start and count in [`Frame::material_values`].
    pub materials: (u32, u32),
    /// First weight in [`Frame::wrinkle_weights`]; the model has none there without wrinkles.
    pub wrinkle_start: u32,
    /// Start and count in [`Frame::decals`].
    pub decals: (u32, u32),
    /// The material variant, an index into [`Model::variants`]; see [`galatea_asset::model::Primitive::material_in`].
    pub variant: Option<u16>,
    /// Bit mask: part `i` is hidden if bit `i` is set. Empty draws all parts.
    pub hidden_parts: Vec<u64>,
    /// Triangles to draw for a first-person camera inside the head. The whole model still casts shadows.
    pub headless: Option<Arc<Headless>>,
    /// Simplified triangles and the level of detail to draw; `None` draws the original mesh.
    pub coarser: Option<(Arc<Lods>, u8)>,
    /// World-space bounds of the posed model: centre and radius, metres.
    pub bounds: (Vec3, f32),
    /// Range of [`Frame::spheres`] that together enclose the posed model; empty if only `bounds` is known.
    pub spheres: std::ops::Range<usize>,
}

impl DrawModel {
    /// Simplified triangles that replace those of one primitive.
    pub fn coarser_of(&self, mesh: usize, primitive: usize) -> Option<&[u32]> {
        let (lods, level) = self.coarser.as_ref()?;
        lods.triangles(mesh, primitive, usize::from(*level))
    }

    /// Returns true if part `part` is drawn.
    pub fn shows(&self, part: usize) -> bool {
        self.hidden_parts
            .get(part / 64)
            .is_none_or(|bits| bits >> (part % 64) & 1 == 0)
    }
}

/// A line over the picture; nothing hides it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverlayLine {
    /// Start, world space.
    pub from: Vec3,
    /// End, world space.
    pub to: Vec3,
    /// Linear colour.
    pub color: Vec3,
}
