//! The plain data handed from the simulation to the renderer: all of what one picture shows.
//!
//! Nothing here refers to a GPU, to Lua or to a clock. A frame is rebuilt in place every picture,
//! so its vectors keep their memory.

use std::sync::Arc;

use glam::{Affine3A, Mat4, Vec2, Vec3};

use galatea_asset::{Lods, Model};
use galatea_character::Headless;
use galatea_decal::DecalLayer;

pub use galatea_asset::model::{Image, InstanceMaterial, MaterialValues};

pub use galatea_emitter::{Sprite, SpriteSheet};

pub use super::frame_view::{FrameView, VertexColors, ViewKind};
pub use super::light::{
    AutoExposure, EnvironmentUse, Fog, Grade, Lamp, Light, MOST_LAMPS, PostProcessing, Quality,
    Shading, Spot, ToneMap,
};
pub use super::message::{Message, MessageKind, SourceLine, WatchRow};
pub use super::people::{DrawCrowd, FINE, PoseBook, ShownPerson, Tint};
pub use super::ui::{UI_SIZE, UiContent, UiItem, UiPlace, UiText};

/// One picture's content.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// From where it is seen.
    pub camera: Camera,
    /// The sun, the sky and the lamps.
    pub light: Light,
    /// How light becomes a picture.
    pub look: PostProcessing,
    /// How good the picture is; `None` leaves it to who draws.
    pub quality: Option<Quality>,
    /// Seconds of stage time; what adapts, adapts by it.
    pub time: f64,
    /// The floor, if any.
    pub ground: Option<Ground>,
    /// Areas of another colour on the ground; later ones lie over earlier ones. The renderer may
    /// draw only the first 16.
    pub patches: Vec<GroundPatch>,
    /// Characters and props.
    pub models: Vec<DrawModel>,
    /// People of crowds, by their bodies.
    pub crowds: Vec<DrawCrowd>,
    /// Everybody of them; each [`DrawCrowd`] owns a contiguous range.
    pub people: Vec<ShownPerson>,
    /// Deformation matrices of all models, model space from mesh space. Each [`DrawModel`] owns a
    /// contiguous range, laid out by [`galatea_deform::PaletteLayout`].
    pub palette: Vec<Affine3A>,
    /// Morph weights of all models; each [`DrawModel`] owns a contiguous range, part after part,
    /// one weight per target of the part's mesh.
    pub morph_weights: Vec<f32>,
    /// Values of materials of all models that differ from their files'; each [`DrawModel`] owns a
    /// contiguous range, see [`Frame::materials_of`].
    pub material_values: Vec<InstanceMaterial>,
    /// How much the regions of all models' skin are folded (0..=1); each [`DrawModel`] owns a contiguous range,
    /// material after material as its wrinkles list them.
    pub wrinkle_weights: Vec<f32>,
    /// Decals over materials of all models; each [`DrawModel`] owns a contiguous range, see [`Frame::decals_of`].
    pub decals: Vec<(u16, Arc<DecalLayer>)>,
    /// Spheres (centre, radius; world space, metres) about the parts of posed models.
    pub spheres: Vec<(Vec3, f32)>,
    /// Dust, drops, sparks, in no order.
    pub particles: Vec<Sprite>,
    /// What they look like.
    pub particle_pictures: Vec<Arc<SpriteSheet>>,
    /// Lines drawn over the picture, world space.
    pub lines: Vec<OverlayLine>,
    /// What is shown of the models in place of their looks.
    pub view: Option<FrameView>,
    /// What scripts put over the picture, lowest first.
    pub ui: Vec<UiItem>,
    /// Texts shown on the picture.
    pub messages: Vec<Message>,
    /// Values that are watched.
    pub watches: Vec<WatchRow>,
}

impl Frame {
    /// Empties the frame and keeps its memory.
    pub fn clear(&mut self) {
        self.patches.clear();
        self.models.clear();
        self.crowds.clear();
        self.people.clear();
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

    /// The materials of a model that differ from its file's, ascending; none for all others.
    pub fn materials_of(&self, model: &DrawModel) -> &[InstanceMaterial] {
        let (start, n) = model.materials;
        let range = start as usize..start as usize + n as usize;
        self.material_values.get(range).unwrap_or_default()
    }

    /// The materials of a model with decals, ascending, and what lies over them.
    pub fn decals_of(&self, model: &DrawModel) -> &[(u16, Arc<DecalLayer>)] {
        let (start, n) = model.decals;
        let range = start as usize..start as usize + n as usize;
        self.decals.get(range).unwrap_or_default()
    }

    /// Spheres that together hold a posed model, at least one.
    pub fn spheres_of<'a>(&'a self, model: &'a DrawModel) -> &'a [(Vec3, f32)] {
        match self.spheres.get(model.spheres.clone()) {
            Some(spheres) if !spheres.is_empty() => spheres,
            _ => std::slice::from_ref(&model.bounds),
        }
    }

    /// Those of a crowd.
    pub fn people_of(&self, crowd: &DrawCrowd) -> &[ShownPerson] {
        self.people.get(crowd.people.clone()).unwrap_or_default()
    }

    /// World-space spheres about everybody of the crowds who is somewhere.
    pub fn people_spheres(&self) -> impl Iterator<Item = (Vec3, f32)> + '_ {
        self.crowds.iter().flat_map(|crowd| {
            let people = self.people_of(crowd).iter();
            let spheres = people.map(|person| person.sphere(crowd.book.bounds));
            spheres.filter(|(centre, radius)| centre.is_finite() && radius.is_finite())
        })
    }

    /// The same frame with more models: those of its crowds whose level of detail is finer than `level`, for whoever draws
    /// them one by one; they are among the people too. Those in the same pose, the nearest to theirs, share it. `coarser` as
    /// in [`ShownPerson::level_of`].
    pub fn with_people_as_models(&self, level: u8, coarser: (u8, u32)) -> Self {
        let mut frame = self.clone();
        for crowd in &self.crowds {
            let people = self.people_of(crowd).iter();
            let near = people.filter(|p| p.level_of(coarser) < level);
            let people: Vec<&ShownPerson> = near.collect();
            let pose = |i: u32| {
                let person = people[i as usize];
                person.poses[usize::from(person.share > 0.5)]
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
        people: impl Iterator<Item = &'a ShownPerson>,
        coarser: (u8, u32),
    ) {
        let book = &crowd.book;
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
    /// World point in the middle of the picture.
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
    /// View-from-world matrix; looks along -Z in view space. Finite for any eye and target.
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

/// An endless horizontal floor that takes shadows and fades into the horizon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// World height, metres.
    pub height: f32,
    /// Linear colour.
    pub color: Vec3,
    /// Distance between grid lines, metres; 0 draws none.
    pub grid: f32,
    /// How much its colour varies from place to place, 0..=1. Paper in a studio is even.
    pub uneven: f32,
}

impl Default for Ground {
    fn default() -> Self {
        Self {
            height: 0.0,
            color: Vec3::new(0.34, 0.33, 0.315),
            grid: 1.0,
            uneven: 0.3,
        }
    }
}

/// An area of another colour on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundPatch {
    /// World x and z of its middle, metres.
    pub centre: Vec2,
    /// Half its width along x and z, metres.
    pub half: Vec2,
    /// An ellipse, else a rectangle.
    pub round: bool,
    /// Linear colour.
    pub color: Vec3,
}

/// A model to draw.
#[derive(Clone, Debug)]
pub struct DrawModel {
    /// What to draw.
    pub model: Arc<Model>,
    /// Stays the same for one instance from picture to picture, so that its GPU memory is reused.
    pub instance: u64,
    /// Placement.
    pub world_from_model: Affine3A,
    /// First matrix in [`Frame::palette`].
    pub palette_start: u32,
    /// First weight in [`Frame::morph_weights`].
    pub morph_start: u32,
    /// First of its values in [`Frame::material_values`], and how many there are.
    pub materials: (u32, u32),
    /// First of its weights in [`Frame::wrinkle_weights`]; none are there where nothing folds.
    pub wrinkle_start: u32,
    /// First of its layers in [`Frame::decals`], and how many there are.
    pub decals: (u32, u32),
    /// The variant to draw, an index into [`Model::variants`]; see
    /// [`galatea_asset::model::Primitive::material_in`].
    pub variant: Option<u16>,
    /// Bit i set: part i is not drawn. Empty draws all.
    pub hidden_parts: Vec<u64>,
    /// What of it is drawn to the camera that is behind its eyes; all of it throws shadows.
    pub headless: Option<Arc<Headless>>,
    /// Coarser triangles and the level to draw; `None` draws the model's own.
    pub coarser: Option<(Arc<Lods>, u8)>,
    /// World-space bounds of the posed model: centre and radius, metres.
    pub bounds: (Vec3, f32),
    /// Range of [`Frame::spheres`] that together hold the posed model; empty where only `bounds` is known.
    pub spheres: std::ops::Range<usize>,
}

impl DrawModel {
    /// Triangles of one of its primitives that take the place of its own.
    pub fn coarser_of(&self, mesh: usize, primitive: usize) -> Option<&[u32]> {
        let (lods, level) = self.coarser.as_ref()?;
        lods.triangles(mesh, primitive, usize::from(*level))
    }

    /// True when part `part` is drawn.
    pub fn shows(&self, part: usize) -> bool {
        self.hidden_parts
            .get(part / 64)
            .is_none_or(|bits| bits >> (part % 64) & 1 == 0)
    }
}

/// A line over the picture, not hidden by anything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverlayLine {
    /// World space.
    pub from: Vec3,
    /// World space.
    pub to: Vec3,
    /// Linear colour.
    pub color: Vec3,
}
