//! Contact sheets: the source as a stick figure over the target's mesh, from the front and from its left.

use std::path::Path;

use galatea::anim::humanoid::Humanoid;
use galatea::anim::{Clip, Pose, Skeleton, local_to_model, sample};
use galatea::asset::Model;
use galatea::deform::{Deformed, Deformer, PaletteLayout, build_palette};
use glam::{Affine3A, Quat, Vec3};

const TILE: usize = 260;

/// An image of tiles.
pub struct Sheet {
    width: usize,
    rgb: Vec<u8>,
    depth: Vec<f32>,
}

impl Sheet {
    pub fn new(columns: usize, rows: usize) -> Self {
        let (width, height) = (columns * TILE, rows * TILE);
        Self {
            width,
            rgb: vec![235; width * height * 3],
            depth: vec![f32::MIN; width * height],
        }
    }

    pub fn save(&self, path: &Path) {
        let height = (self.rgb.len() / 3 / self.width) as u32;
        let color = image::ColorType::Rgb8;
        image::save_buffer(path, &self.rgb, self.width as u32, height, color).unwrap();
    }

    fn put(&mut self, tile: (usize, usize), p: Vec3, color: [u8; 3]) {
        let (x, y) = (p.x as isize, p.y as isize);
        if !(0..TILE as isize).contains(&x) || !(0..TILE as isize).contains(&y) {
            return;
        }
        let at = (tile.1 * TILE + y as usize) * self.width + tile.0 * TILE + x as usize;
        if p.z >= self.depth[at] {
            self.depth[at] = p.z;
            self.rgb[at * 3..at * 3 + 3].copy_from_slice(&color);
        }
    }

    fn line(&mut self, tile: (usize, usize), a: Vec3, b: Vec3, color: [u8; 3]) {
        let n = (a - b).abs().max_element().ceil().clamp(1.0, 2000.0);
        for i in 0..=n as usize {
            let mut p = a.lerp(b, i as f32 / n);
            p.z += 1e6;
            for (dx, dy) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)] {
                self.put(tile, p + Vec3::new(dx, dy, 0.0), color);
            }
        }
    }

    fn triangle(&mut self, tile: (usize, usize), p: [Vec3; 3], light: f32) {
        let low = p[0].min(p[1]).min(p[2]).floor().max(Vec3::ZERO);
        let high = p[0]
            .max(p[1])
            .max(p[2])
            .ceil()
            .min(Vec3::splat(TILE as f32));
        let area = (p[1] - p[0]).cross(p[2] - p[0]).z;
        if area.abs() < 1e-6 {
            return;
        }
        let shade = (90.0 + 130.0 * light.clamp(0.0, 1.0)) as u8;
        for y in low.y as usize..high.y.max(0.0) as usize {
            for x in low.x as usize..high.x.max(0.0) as usize {
                let at = Vec3::new(x as f32 + 0.5, y as f32 + 0.5, 0.0);
                let w = |a: Vec3, b: Vec3| (b - a).cross(at - a).z / area;
                let (w0, w1, w2) = (w(p[1], p[2]), w(p[2], p[0]), w(p[0], p[1]));
                if w0 >= 0.0 && w1 >= 0.0 && w2 >= 0.0 {
                    let z = p[0].z * w0 + p[1].z * w1 + p[2].z * w2;
                    self.put(
                        tile,
                        Vec3::new(x as f32, y as f32, z),
                        [shade, shade, shade],
                    );
                }
            }
        }
    }

    /// Draws a model in a pose, its bones as sticks, and the ground.
    pub fn model(&mut self, tile: (usize, usize), model: &Model, pose: &Pose, view: &View) {
        let mut matrices = Vec::new();
        local_to_model(&model.skeleton, &pose.locals, &mut matrices);
        let mut palette = Vec::new();
        build_palette(model, &matrices, &mut palette);
        let starts = PaletteLayout::new(model).part_start;
        let mut out = Deformed::default();
        let mut morph = 0;
        for (part, start) in model.parts.iter().zip(starts) {
            let weights = &pose.morphs[morph..morph + part.morph_weights.len()];
            morph += part.morph_weights.len();
            for primitive in &model.meshes[part.mesh].primitives {
                let palette = &palette[start as usize..];
                Deformer::default().deform(primitive, weights, palette, part.skinning, &mut out);
                for corner in primitive.indices.chunks_exact(3) {
                    let p = [0, 1, 2].map(|i| view.pixel(out.positions[corner[i] as usize]));
                    let n: Vec3 = [0, 1, 2]
                        .map(|i| out.normals[corner[i] as usize])
                        .iter()
                        .sum();
                    self.triangle(tile, p, 0.6 + 0.4 * (view.turn * n.normalize_or_zero()).z);
                }
            }
        }
        self.sticks(tile, &model.skeleton, &matrices, view, [200, 30, 30]);
    }

    /// Draws the ground line through a point.
    pub fn ground(&mut self, tile: (usize, usize), view: &View, on: Vec3) {
        let at = view.pixel(on).y;
        let end = |x| Vec3::new(x, at, -2e6);
        self.line(tile, end(0.0), end(TILE as f32 - 2.0), [120, 160, 120]);
    }

    /// Draws the skinned bones, or all bones if none is skinned.
    pub fn sticks(
        &mut self,
        tile: (usize, usize),
        skeleton: &Skeleton,
        matrices: &[Affine3A],
        view: &View,
        color: [u8; 3],
    ) {
        let any = skeleton.bones().iter().any(|bone| bone.skinned);
        for (i, bone) in skeleton.bones().iter().enumerate() {
            let Some(parent) = bone.parent else { continue };
            let above = &skeleton.bones()[usize::from(parent)];
            if any && !(bone.skinned && above.skinned) {
                continue;
            }
            let place = |i: usize| view.pixel(matrices[i].translation.into());
            self.line(tile, place(usize::from(parent)), place(i), color);
        }
    }
}

/// An orthographic view of a body, rotated by `yaw` degrees from the front.
pub struct View {
    pub turn: Quat,
    pub middle: Vec3,
    pub scale: f32,
}

impl View {
    /// Frames a body of this height (model units) at the x and z of `middle`.
    pub fn new(humanoid: &Humanoid, yaw: f32, middle: Vec3, height: f32) -> Self {
        let upright = humanoid.model_from_character.inverse();
        Self {
            turn: Quat::from_rotation_y(-yaw.to_radians()) * upright,
            middle,
            scale: TILE as f32 / (height * 1.5),
        }
    }

    fn pixel(&self, p: Vec3) -> Vec3 {
        let p = self.turn * (p - self.middle) * self.scale;
        Vec3::new(TILE as f32 / 2.0 + p.x, TILE as f32 / 2.0 - p.y, p.z)
    }
}

/// The rest pose with a clip's tracks at a time.
pub fn pose(skeleton: &Skeleton, morphs: Vec<f32>, clip: &Clip, t: f32) -> Pose {
    let mut pose = Pose {
        locals: skeleton.rest().collect(),
        morphs,
        curves: Vec::new(),
    };
    sample(clip, t, &[], &mut pose);
    pose
}

/// A point on the ground: the origin, or the lowest bone for a model with its origin at the hips.
fn floor_of(skeleton: &Skeleton, humanoid: &Humanoid) -> Vec3 {
    let rest: Vec<_> = skeleton.rest().collect();
    let mut matrices = Vec::new();
    local_to_model(skeleton, &rest, &mut matrices);
    let up = humanoid.model_from_character * Vec3::Y;
    let lowest = matrices
        .iter()
        .map(|m| Vec3::from(m.translation).dot(up))
        .fold(0.0, f32::min);
    let any_skinned = skeleton.bones().iter().any(|bone| bone.skinned);
    // Motion capture has its hips at the origin only at rest: its ground is at the origin.
    if any_skinned && lowest < -0.2 {
        up * lowest
    } else {
        Vec3::ZERO
    }
}

/// Writes a sheet: a column per time; rows source front, source left, target front, target left.
pub fn write(
    path: &Path,
    source: (&Skeleton, &Humanoid, &Clip),
    target: (&Model, &Humanoid, &Clip),
) {
    use galatea::anim::humanoid::Role;
    const COLUMNS: usize = 6;
    let mut sheet = Sheet::new(COLUMNS, 4);
    let (model, humanoid, clip) = target;
    let height = |skeleton: &Skeleton, humanoid: &Humanoid| {
        let mut matrices = Vec::new();
        let rest: Vec<_> = skeleton.rest().collect();
        local_to_model(skeleton, &rest, &mut matrices);
        let place =
            |role| Vec3::from(matrices[usize::from(humanoid.bone(role).unwrap())].translation);
        let up = humanoid.model_from_character * Vec3::Y;
        let feet = place(Role::LeftFoot).min(place(Role::RightFoot));
        1.25 * (place(Role::Head) - feet).dot(up)
    };
    let of_source = height(source.0, source.1);
    let of_target = height(&model.skeleton, humanoid);
    let rest_morphs: Vec<f32> = model
        .parts
        .iter()
        .flat_map(|part| part.morph_weights.iter().copied())
        .collect();
    for column in 0..COLUMNS {
        let t = clip.duration * (column as f32 + 0.5) / COLUMNS as f32;
        let a = pose(source.0, Vec::new(), source.2, t);
        let mut matrices = Vec::new();
        local_to_model(source.0, &a.locals, &mut matrices);
        let b = pose(&model.skeleton, rest_morphs.clone(), clip, t);
        let mut target_matrices = Vec::new();
        local_to_model(&model.skeleton, &b.locals, &mut target_matrices);
        for (row, yaw) in [0.0, 90.0].into_iter().enumerate() {
            let middle = |matrices: &[Affine3A], humanoid: &Humanoid, floor: Vec3, height: f32| {
                let hips = usize::from(humanoid.bone(Role::Hips).unwrap());
                let up = humanoid.model_from_character * Vec3::Y;
                let at = Vec3::from(matrices[hips].translation);
                at.reject_from(up) + floor.project_onto(up) + up * height * 0.5
            };
            let floor = floor_of(source.0, source.1);
            let at = middle(&matrices, source.1, floor, of_source);
            let view = View::new(source.1, yaw, at, of_source);
            sheet.sticks((column, row), source.0, &matrices, &view, [40, 60, 190]);
            sheet.ground((column, row), &view, floor);
            let floor = floor_of(&model.skeleton, humanoid);
            let at = middle(&target_matrices, humanoid, floor, of_target);
            let view = View::new(humanoid, yaw, at, of_target);
            sheet.model((column, row + 2), model, &b, &view);
            sheet.ground((column, row + 2), &view, floor);
        }
    }
    sheet.save(path);
}
