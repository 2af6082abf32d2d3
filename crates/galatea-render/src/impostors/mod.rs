//! Billboard impostors: agents that are small on screen are drawn as quads with an image of their pose from the current view
//! direction. The CPU draws each image on first use and caches it.

mod atlas;
mod body;
mod raster;

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};
use rayon::prelude::*;

use self::atlas::{Atlas, TileOwner};
use self::body::ImpostorBody;
use self::raster::Raster;
use super::gpu::Gpu;
use super::layouts::Layouts;
use super::pose_rows::PoseRow;
use super::uniforms::ImpostorInstance;
use super::visibility::{NO_PICTURE, VisibleAgent};
use galatea_math::clamp::ClampTo as _;
use galatea_stage::frame::{BakedPoses, DrawCrowd, DrawnAgent, Tint};

/// View directions: number around the body, number of elevations, step between elevations and lowest elevation in degrees.
const N_AZIMUTHS: u32 = 16;
const N_ELEVATIONS: u32 = 9;
const ELEVATION_STEP: f32 = 20.0;
const MIN_ELEVATION: f32 = -80.0;
const VIEWS: u32 = N_AZIMUTHS * N_ELEVATIONS;
/// Heights of impostor images in texels, with the level of detail used to draw them.
const SIZES: [(usize, usize); 3] = [(32, 3), (64, 2), (128, 1)];
/// Maximum number of texels drawn per frame, unless the frame waits for all impostors.
const MAX_TEXELS_PER_FRAME: usize = 300_000;
/// Frames after which a body that is not visible is dropped.
const UNSEEN_FRAMES: u64 = 120;
/// The same for a body that no crowd uses any more. A reload replaces the bodies of all crowds, and each holds megabytes of
/// poses.
const UNUSED_FRAMES: u64 = 1;

/// Impostors of the current frame and the cache of their images.
#[derive(Default)]
pub struct Impostors {
    /// Impostors of this frame.
    pub instances: Vec<ImpostorInstance>,
    atlas: Option<Atlas>,
    bodies: Vec<CapturedBody>,
    picture: u64,
    next_id: u64,
    /// Remaining texels that may be drawn in this frame.
    left: usize,
    /// The frame waits until all its tiles are drawn.
    waits: bool,
    is_out_of_memory: bool,
}

/// A body with impostor images.
struct CapturedBody {
    id: u64,
    poses: Arc<BakedPoses>,
    tints: Arc<[Tint]>,
    /// `None` if the body cannot be drawn as an impostor.
    body: Option<ImpostorBody>,
    /// Tile index for each pose and view.
    tiles: Vec<u32>,
    seen: u64,
}

impl CapturedBody {
    /// Returns true if the body stays cached in this frame.
    fn is_kept(&self, frame: u64) -> bool {
        let is_used = Arc::strong_count(&self.poses) > 1;
        let frames = if is_used {
            UNSEEN_FRAMES
        } else {
            UNUSED_FRAMES
        };
        self.seen + frames >= frame
    }
}

/// A requested tile, with its pose and view.
type TileRequest = (u32, u32);

impl Impostors {
    /// Begins a frame whose impostors are at most `pixels` high. If `waits` is true, all needed tiles are drawn in this
    /// frame.
    pub fn begin(&mut self, pixels: f32, waits: bool) {
        self.waits = waits;
        self.instances.clear();
        self.picture += 1;
        self.left = MAX_TEXELS_PER_FRAME;
        let (height, _) = size_for(pixels);
        if self
            .atlas
            .as_ref()
            .is_some_and(|atlas| atlas.height != height)
        {
            self.atlas = None;
            self.bodies.clear();
        }
        let picture = self.picture;
        self.bodies.retain(|known| known.is_kept(picture));
        if self.bodies.is_empty() {
            self.atlas = None;
        }
    }

    /// Returns the index of a crowd's body; `None` if the crowd cannot be drawn as impostors.
    pub fn of(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        crowd: &DrawCrowd,
        pixels: f32,
    ) -> Option<usize> {
        let (height, level) = size_for(pixels);
        if self.atlas.is_none() && !self.is_out_of_memory {
            self.atlas = Atlas::new(gpu, layouts, height);
            self.is_out_of_memory = self.atlas.is_none();
        }
        self.atlas.as_ref()?;
        let same = |known: &CapturedBody| {
            Arc::ptr_eq(&known.poses, &crowd.poses) && Arc::ptr_eq(&known.tints, &crowd.tints)
        };
        let at = self.bodies.iter().position(same).unwrap_or_else(|| {
            self.register_body(crowd, level);
            self.bodies.len() - 1
        });
        let known = &mut self.bodies[at];
        known.seen = self.picture;
        known.body.is_some().then_some(at)
    }

    fn register_body(&mut self, crowd: &DrawCrowd, level: usize) {
        let book = &crowd.poses;
        let n = (book.palettes.len() / book.stride.max(1)) as u32 * VIEWS;
        // A book that gained new clips still contains its old poses.
        let grown = |known: &CapturedBody| {
            let (old, new) = (&known.poses.palettes, &book.palettes);
            Arc::ptr_eq(&known.poses.model, &book.model)
                && Arc::ptr_eq(&known.tints, &crowd.tints)
                && known.poses.morphs == book.morphs
                && new.starts_with(old)
        };
        if let Some(at) = self.bodies.iter().position(grown) {
            let mut known = self.bodies.swap_remove(at);
            known.poses = book.clone();
            known.tiles.resize(n as usize, NO_PICTURE);
            self.bodies.push(known);
            return;
        }
        let tinted: Vec<u16> = crowd.tints.iter().map(|tint| tint.material).collect();
        self.next_id += 1;
        self.bodies.push(CapturedBody {
            id: self.next_id,
            poses: book.clone(),
            tints: crowd.tints.clone(),
            body: ImpostorBody::new(book, level, &tinted),
            tiles: vec![NO_PICTURE; n as usize],
            seen: self.picture,
        });
    }

    /// Adds the agents of a crowd that have impostor images, and removes them from the list of visible agents.
    pub fn add(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        at: usize,
        held: &PoseRow,
        agents: &[DrawnAgent],
        seen: &mut [VisibleAgent],
    ) {
        let requests = self.find_room(gpu, layouts, at, seen);
        self.draw(gpu, at, &requests);
        let (known, Some(atlas)) = (&self.bodies[at], &self.atlas) else {
            return;
        };
        let roughness = known.body.as_ref().map_or(1.0, |body| body.roughness);
        for (agent, seen) in agents.iter().zip(seen) {
            let tile = known.tiles.get(seen.picture as usize);
            if let Some(tile) = tile.filter(|tile| **tile != NO_PICTURE) {
                let view = seen.picture % VIEWS;
                let own = instance(agent, atlas, *tile, view, roughness, held);
                self.instances.push(own);
                seen.in_view = false;
            }
        }
    }

    /// Allocates tiles for missing images of a body, replacing unused tiles.
    fn find_room(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        at: usize,
        seen: &[VisibleAgent],
    ) -> Vec<TileRequest> {
        let Some(atlas) = &mut self.atlas else {
            return Vec::new();
        };
        let (across, up) = raster::size_of(atlas.height);
        let most = if self.waits {
            usize::MAX
        } else {
            self.left / (across * up)
        };
        let (mut requests, mut freed): (Vec<TileRequest>, Vec<TileOwner>) = Default::default();
        let known = &mut self.bodies[at];
        for view in seen.iter().map(|seen| seen.picture) {
            let Some(tile) = known.tiles.get_mut(view as usize) else {
                continue;
            };
            if *tile != NO_PICTURE {
                atlas.need(*tile, self.picture);
            } else if requests.len() < most
                && let Some((room, old)) = atlas.room(gpu, layouts, (known.id, view), self.picture)
            {
                *tile = room;
                freed.extend(old);
                requests.push((room, view));
            }
        }
        for (id, view) in freed {
            let owner = self.bodies.iter_mut().find(|known| known.id == id);
            if let Some(tile) = owner.and_then(|known| known.tiles.get_mut(view as usize)) {
                *tile = NO_PICTURE;
            }
        }
        self.left = self.left.saturating_sub(requests.len() * across * up);
        requests
    }

    fn draw(&mut self, gpu: &Gpu, at: usize, requests: &[TileRequest]) {
        let known = &self.bodies[at];
        let (Some(body), Some(atlas)) = (&known.body, &mut self.atlas) else {
            return;
        };
        let height = atlas.height;
        let draw = |raster: &mut Raster, (room, view): &TileRequest| {
            let palette = known.poses.palette((view / VIEWS) as usize);
            let tile = raster.draw(body, palette, view_rotation(view % VIEWS), height);
            (*room, tile)
        };
        let drawn: Vec<_> = requests
            .par_iter()
            .map_init(Raster::default, draw)
            .collect();
        for (room, tile) in &drawn {
            atlas.put(gpu, *room, tile);
        }
    }

    /// Sorts impostors by distance to the eye, nearest first. On a software renderer, hidden pixels are then not shaded.
    pub fn sort(&mut self, eye: Vec3) {
        let away = |own: &ImpostorInstance| Vec3::from(own.at).distance_squared(eye);
        self.instances.sort_by(|a, b| away(a).total_cmp(&away(b)));
    }

    /// Group 2 of `impostor`.
    pub fn group(&self) -> Option<&wgpu::BindGroup> {
        self.atlas.as_ref().map(|atlas| &atlas.group)
    }
}

/// Index of the pose and view for an agent whose body is centred at `middle`; [`NO_PICTURE`] if the eye is inside the body.
pub fn view_of(agent: &DrawnAgent, book: &BakedPoses, middle: Vec3, eye: Vec3) -> u32 {
    let pose = agent.poses[usize::from(agent.pose_fraction > 0.5)];
    let Some(pose) = book.stand_ins.get(pose as usize) else {
        return NO_PICTURE;
    };
    let to_eye = agent.turn.inverse() * (eye - middle);
    let Some(to_eye) = to_eye.try_normalize() else {
        return NO_PICTURE;
    };
    let around = to_eye.x.atan2(to_eye.z).rem_euclid(TAU) / TAU * N_AZIMUTHS as f32;
    let above = (to_eye.y.clamp(-1.0, 1.0).asin().to_degrees() - MIN_ELEVATION) / ELEVATION_STEP;
    let above = (above + 0.5).clamp_to(0.0, (N_ELEVATIONS - 1) as f32 + 0.5) as u32;
    pose * VIEWS + above * N_AZIMUTHS + (around + 0.5) as u32 % N_AZIMUTHS
}

/// Rotation from view space to model space; the view's z axis points towards the eye.
fn view_rotation(view: u32) -> Quat {
    let around = (view % N_AZIMUTHS) as f32 / N_AZIMUTHS as f32 * TAU;
    let above = (MIN_ELEVATION + (view / N_AZIMUTHS) as f32 * ELEVATION_STEP).to_radians();
    Quat::from_rotation_y(around) * Quat::from_rotation_x(-above)
}

/// Image height in texels for impostors of up to `pixels` height, and its level of detail.
fn size_for(pixels: f32) -> (usize, usize) {
    let fits = |(height, _): &&(usize, usize)| *height as f32 >= pixels;
    *SIZES.iter().find(fits).unwrap_or(&SIZES[SIZES.len() - 1])
}

fn instance(
    agent: &DrawnAgent,
    atlas: &Atlas,
    tile: u32,
    view: u32,
    roughness: f32,
    held: &PoseRow,
) -> ImpostorInstance {
    let [wide, tall] = agent.scale;
    let scale = Vec3::new(wide, tall, wide);
    let (placed, own) = (atlas.placed(tile), view_rotation(view));
    let up = (own * Vec3::Y * scale).length();
    let half = placed.half * Vec2::new(wide, up);
    let turn = (agent.turn * own).normalize();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let middle = agent.at + agent.turn * (placed.middle * scale);
    ImpostorInstance {
        at: middle.to_array(),
        tile: atlas.tile_position(tile) | (atlas.height as u32 / 16) << 24,
        turn: turn.xyz().to_array(),
        first_tint: held.first_choice,
        half: half.to_array(),
        depth: placed.depth * wide,
        roughness,
        seed: agent.seed,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, LazyLock};

    use glam::{Affine3A, Quat, Vec3};

    use super::body::ImpostorBody;
    use super::raster::{ImpostorTile, Raster, levels_of, size_of};
    use super::*;
    use galatea_asset::Model;
    use galatea_character::Definition;
    use galatea_forge::mannequin::mannequin;
    use galatea_stage::Gaits;

    const HEIGHT: usize = 64;

    fn standing() -> &'static Gaits {
        static MADE: LazyLock<Gaits> = LazyLock::new(|| {
            let definition = Arc::new(Definition::new(Arc::new(mannequin())));
            let clips = ["idle", "walk", "run"].map(|name| definition.clips.find(name));
            Gaits::new(definition, clips)
        });
        &MADE
    }

    fn drawn(body: &ImpostorBody, palette: &[Affine3A], view: u32) -> ImpostorTile {
        Raster::default().draw(body, palette, view_rotation(view), HEIGHT)
    }

    /// View of an agent that is turned by an angle.
    fn facing(gaits: &Gaits, degrees: f32) -> u32 {
        let agent = DrawnAgent {
            turn: Quat::from_rotation_y(degrees.to_radians()),
            ..shown()
        };
        view_of(&agent, &gaits.poses, Vec3::ZERO, Vec3::Z * 50.0) % VIEWS
    }

    fn shown() -> DrawnAgent {
        DrawnAgent {
            number: 0,
            at: Vec3::ZERO,
            turn: Quat::IDENTITY,
            scale: [1.0; 2],
            poses: [0; 2],
            pose_fraction: 0.0,
            level: 4,
            apparent_size: 0.01,
            seed: 0,
        }
    }

    /// Covered texels, with their colour.
    fn covered(tile: &ImpostorTile) -> Vec<(usize, usize, [u8; 4])> {
        let (across, _) = size_of(HEIGHT);
        let texels = tile.levels[0][0].iter().enumerate();
        let seen = texels.filter(|(_, texel)| texel[3] > 127);
        seen.map(|(i, texel)| (i % across, i / across, *texel))
            .collect()
    }

    #[test]
    fn an_impostor_shows_the_body_upright_and_within_its_border() {
        let gaits = standing();
        let body = ImpostorBody::new(&gaits.poses, 2, &[]).unwrap();
        let tile = drawn(&body, gaits.poses.palette(0), facing(gaits, 0.0));
        let [low, high] = gaits.definition.rest_box;
        let tall = high.y - low.y;
        assert!((tile.slot.middle.y - tall * 0.5).abs() < 0.06 * tall);
        // The body fills seven eighths of the image.
        let fill_ratio = tall / (2.0 * tile.slot.half.y);
        assert!((0.8..=0.9).contains(&fill_ratio), "{fill_ratio}");
        let seen = covered(&tile);
        let (across, up) = size_of(HEIGHT);
        let border = HEIGHT / 16 - 1;
        assert!(seen.iter().all(|(x, y, _)| {
            (border..across - border).contains(x) && (border..up - border).contains(y)
        }));
        // The head is narrower than the shoulders, and there is a gap between the legs.
        let width = |row: usize| seen.iter().filter(|(_, y, _)| *y == row).count();
        assert!(
            width(8) < width(16) && width(8) > 2,
            "{} {}",
            width(8),
            width(16)
        );
        assert_eq!(tile.levels.len(), levels_of(HEIGHT));
        let (smallest_across, smallest_up) = (across >> 2, up >> 2);
        assert_eq!(tile.levels[2][0].len(), smallest_across * smallest_up);
        // The coverage is equal in all mip levels.
        let cover = |level: usize| -> f32 {
            let texels = &tile.levels[level][0];
            texels.iter().map(|t| f32::from(t[3])).sum::<f32>() / texels.len() as f32
        };
        assert!(
            (cover(0) - cover(2)).abs() < 1.0,
            "{} {}",
            cover(0),
            cover(2)
        );
    }

    #[test]
    fn normals_are_towards_the_eye_and_lean_to_the_sides() {
        let gaits = standing();
        let body = ImpostorBody::new(&gaits.poses, 2, &[]).unwrap();
        let tile = drawn(&body, gaits.poses.palette(0), facing(gaits, 0.0));
        let (across, _) = size_of(HEIGHT);
        let seen = covered(&tile);
        let row = HEIGHT / 3;
        let xs = || {
            seen.iter()
                .filter(|(_, y, _)| *y == row)
                .map(|(x, _, _)| *x)
        };
        let (left, right) = (xs().min().unwrap(), xs().max().unwrap());
        let normal = |x: usize| tile.levels[0][1][row * across + x][0];
        assert!(
            normal(left) < 100 && normal(right) > 155,
            "{} {}",
            normal(left),
            normal(right)
        );
        // The nearest normal is repeated outside the body.
        assert!(normal(left - 1) < 110);
    }

    #[test]
    fn the_nearest_view_is_used_and_follows_the_agents_rotation() {
        let gaits = standing();
        let facing = |degrees| facing(gaits, degrees);
        assert_eq!(facing(0.0) % N_AZIMUTHS, 0);
        // An agent that turns left by one step is seen from one step further to its right.
        assert_eq!(facing(22.5) % N_AZIMUTHS, N_AZIMUTHS - 1);
        assert_eq!(facing(-22.5) % N_AZIMUTHS, 1);
        assert_eq!(facing(180.0) % N_AZIMUTHS, N_AZIMUTHS / 2);
        let from =
            |eye: Vec3| view_of(&shown(), &gaits.poses, Vec3::ZERO, eye) % VIEWS / N_AZIMUTHS;
        assert_eq!((from(Vec3::Z), from(Vec3::new(0.0, 1.0, 1.0))), (4, 6));
        assert_eq!((from(Vec3::Y), from(-Vec3::Y)), (8, 0));
        assert_eq!(
            view_of(&shown(), &gaits.poses, Vec3::ZERO, Vec3::ZERO),
            NO_PICTURE
        );
        let lost = DrawnAgent {
            poses: [u32::MAX; 2],
            ..shown()
        };
        assert_eq!(
            view_of(&lost, &gaits.poses, Vec3::ZERO, Vec3::Z),
            NO_PICTURE
        );
        for view in 0..VIEWS {
            let eye = view_rotation(view) * Vec3::Z * 9.0;
            let own = view_of(&shown(), &gaits.poses, Vec3::ZERO, eye) % VIEWS;
            assert_eq!(own, view);
        }
    }

    #[test]
    fn tints_are_distinguished_and_toons_have_no_impostors() {
        let gaits = standing();
        let materials = gaits.poses.model.materials.len() as u16;
        let used = gaits.poses.model.primitives().next().unwrap().material as u16;
        assert!(used < materials);
        let body = ImpostorBody::new(&gaits.poses, 2, &[u16::MAX, used]).unwrap();
        let tile = drawn(&body, gaits.poses.palette(0), 0);
        let tints = tile.levels[0][1].iter().map(|texel| texel[3]);
        assert!(tints.filter(|tint| *tint == 128).count() > 50);
        let mut toon: Model = (*gaits.poses.model).clone();
        for material in &mut toon.materials {
            material.kind = galatea_asset::model::MaterialKind::Toon;
        }
        let book = BakedPoses {
            model: Arc::new(toon),
            ..(*gaits.poses).clone()
        };
        assert!(ImpostorBody::new(&book, 2, &[]).is_none());
    }

    #[test]
    fn bodies_of_crowds_that_are_gone_are_dropped_at_once() {
        let mut impostors = Impostors::default();
        let in_use = Arc::new((*standing().poses).clone());
        for book in [in_use.clone(), Arc::new((*in_use).clone())] {
            impostors.bodies.push(CapturedBody {
                id: 1,
                poses: book,
                tints: Arc::from(Vec::new()),
                body: None,
                tiles: Vec::new(),
                seen: 0,
            });
        }
        // For one frame, a new crowd can still take over the images.
        impostors.begin(10.0, false);
        assert_eq!(impostors.bodies.len(), 2);
        impostors.begin(10.0, false);
        assert_eq!(impostors.bodies.len(), 1);
        assert!(Arc::ptr_eq(&impostors.bodies[0].poses, &in_use));
        for _ in 0..=UNSEEN_FRAMES {
            impostors.begin(10.0, false);
        }
        assert!(impostors.bodies.is_empty());
    }

    #[test]
    fn far_poses_are_fewer_and_of_the_same_clip() {
        let gaits = standing();
        let book = &gaits.poses;
        let n = book.palettes.len() / book.stride;
        assert_eq!(book.stand_ins.len(), n);
        let mut kinds = book.stand_ins.clone();
        kinds.dedup();
        assert!(
            kinds.len() * 2 < n && kinds.len() * 4 > n,
            "{} of {n}",
            kinds.len()
        );
        let far = book.stand_ins.iter().enumerate();
        assert!(
            far.clone()
                .all(|(own, far)| own.abs_diff(*far as usize) <= 2)
        );
        let level = |pose: usize| {
            let levels = 0..gaits.levels.len();
            levels
                .rev()
                .find(|level| gaits.poses(*level, 0.0).0[0] as usize <= pose)
        };
        assert!(
            far.clone()
                .all(|(own, far)| level(own) == level(*far as usize))
        );
    }
}
