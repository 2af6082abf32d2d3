//! The skin that hair grows on, and places of it that hair and particles go with as the skin moves.

use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

use super::definition::Definition;
use super::extent::{carrier, each_deformed};
use super::instance::Character;
use galatea_anim::humanoid::Role;
use galatea_asset::Model;
use galatea_asset::model::{MaterialKind, Part, Primitive};
use galatea_deform::{TriangleHit, build_palette, posed_vertex};
use galatea_hair::{RestSkin, Scalp, ScalpError};

/// Half of the distance between eyes that are not known, metres of a body 1.7 m high.
const HALF_EYES: f32 = 0.032;
const USUAL_HEIGHT: f32 = 1.7;

/// A triangle of the skin by its part, primitive and corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkinTriangle {
    part: u32,
    primitive: u32,
    corners: [u32; 3],
}

/// A place on the skin that moves with it.
#[derive(Clone, Copy, Debug)]
pub struct SkinRoot {
    triangle: SkinTriangle,
    shares: Vec3,
    /// What its frame is at rest, model space, inverted.
    back: Affine3A,
}

impl SkinRoot {
    /// The place where a line met a character.
    pub fn of_traced(definition: &Definition, traced: &TriangleHit) -> Option<Self> {
        let part = definition.model.parts.get(traced.part)?;
        let mesh = definition.model.meshes.get(part.mesh)?;
        let indices = &mesh.primitives.get(traced.primitive)?.indices;
        let corners = indices.get(3 * traced.triangle..3 * traced.triangle + 3)?;
        let triangle = SkinTriangle {
            part: traced.part as u32,
            primitive: traced.primitive as u32,
            corners: [corners[0], corners[1], corners[2]],
        };
        let mut palette = Vec::new();
        build_palette(&definition.model, &definition.rest_matrices(), &mut palette);
        let shares = traced.barycentric;
        let morphs = &definition.rest.morphs;
        let frame = frame(definition, &triangle, shares, &palette, morphs)?;
        Some(Self {
            triangle,
            shares,
            back: frame.inverse(),
        })
    }
}

/// Triangles of a character's surface, to choose places of by chance, as many on each square metre.
#[derive(Clone, Debug)]
pub struct SkinPlaces {
    triangles: Vec<SkinTriangle>,
    /// Areas at rest up to and with each.
    areas: Vec<f32>,
}

impl SkinPlaces {
    /// Of all parts that are not hidden; `None` where there is no surface.
    pub fn of(definition: &Definition, hidden: &[u64]) -> Option<Self> {
        let model = &definition.model;
        let mut palette = Vec::new();
        build_palette(model, &definition.rest_matrices(), &mut palette);
        let mut indices: Vec<(usize, usize)> = Vec::new();
        for (p, part) in model.parts.iter().enumerate() {
            indices.extend((0..model.meshes[part.mesh].primitives.len()).map(|k| (p, k)));
        }
        let mut indices = indices.into_iter();
        let (mut triangles, mut areas, mut sum) = (Vec::new(), Vec::new(), 0.0_f32);
        let morphs = &definition.rest.morphs;
        each_deformed(model, &palette, morphs, |_, primitive, deformed| {
            let Some((part, k)) = indices.next() else {
                return;
            };
            let bits = hidden.get(part / 64);
            if bits.is_some_and(|bits| bits >> (part % 64) & 1 == 1) {
                return;
            }
            for t in primitive.indices.chunks_exact(3) {
                let [a, b, c] = [t[0], t[1], t[2]].map(|i| deformed.positions[i as usize]);
                let area = (b - a).cross(c - a).length() * 0.5;
                if area > 0.0 && area.is_finite() {
                    sum += area;
                    areas.push(sum);
                    triangles.push(SkinTriangle {
                        part: part as u32,
                        primitive: k as u32,
                        corners: [t[0], t[1], t[2]],
                    });
                }
            }
        });
        (!triangles.is_empty()).then_some(Self { triangles, areas })
    }
}

/// A head that hair grows on.
pub struct HeadSkin {
    /// In the character's directions: +X left, +Y up, +Z ahead.
    pub scalp: Scalp,
    /// What the first of its triangles are; those after them close the skull.
    pub triangles: Vec<SkinTriangle>,
    /// Takes the scalp's space to the model's at rest.
    pub model_from_scalp: Quat,
    /// Of the model at rest.
    palette: Vec<Affine3A>,
}

impl HeadSkin {
    /// The skin at rest of what a bone carries and of the body around it, without parts that are hidden, hair, eyes,
    /// lashes, brows and teeth. A skull that is open under the model's own hair is closed.
    ///
    /// # Errors
    /// When the bone carries none.
    pub fn of(definition: &Definition, bone: u16, hidden: &[u64]) -> Result<Self, ScalpError> {
        let model = &definition.model;
        let humanoid = definition.clips.humanoid();
        let model_from_scalp = humanoid.model_from_character;
        let turn = model_from_scalp.inverse();
        let matrices = definition.rest_matrices();
        let mut palette = Vec::new();
        build_palette(model, &matrices, &mut palette);
        let is_head = under(model, bone);
        let mut skin = RestSkin::default();
        let mut triangles = Vec::new();
        let mut brows: Vec<f32> = Vec::new();
        let mut indices: Vec<(usize, usize)> = Vec::new();
        for (p, part) in model.parts.iter().enumerate() {
            indices.extend((0..model.meshes[part.mesh].primitives.len()).map(|k| (p, k)));
        }
        let mut indices = indices.into_iter();
        each_deformed(
            model,
            &palette,
            &definition.rest.morphs,
            |part, primitive, deformed| {
                let Some((p, k)) = indices.next() else { return };
                if is_brow(model, part, primitive) {
                    let heights = deformed.positions.iter().map(|at| (turn * *at).y);
                    brows.extend(heights);
                }
                let is_hidden = hidden
                    .get(p / 64)
                    .is_some_and(|bits| bits >> (p % 64) & 1 == 1);
                if is_hidden || !is_skin(model, part, primitive) {
                    return;
                }
                let first = skin.positions.len() as u32;
                skin.positions
                    .extend(deformed.positions.iter().map(|at| turn * *at));
                let normals = deformed.normals.iter().map(|normal| turn * *normal);
                skin.normals.extend(normals);
                skin.normals.resize(skin.positions.len(), Vec3::ZERO);
                for t in primitive.indices.chunks_exact(3) {
                    let corners = [t[0], t[1], t[2]];
                    let of_head = corners.iter().filter(|corner| {
                        let bone = carrier(model, part, primitive, **corner as usize);
                        is_head.get(usize::from(bone)) == Some(&true)
                    });
                    skin.is_head.push(of_head.count() >= 2);
                    skin.triangles.push(corners.map(|corner| corner + first));
                    triangles.push(SkinTriangle {
                        part: p as u32,
                        primitive: k as u32,
                        corners,
                    });
                }
            },
        );
        let eyes = eyes_of(definition, &matrices, bone).map(|eye| turn * eye);
        let n = brows.len();
        let brows = (n > 0).then(|| brows.iter().sum::<f32>() / n as f32);
        Ok(Self {
            scalp: Scalp::new(skin, eyes, brows)?,
            triangles,
            model_from_scalp,
            palette,
        })
    }

    /// Places of the skin nearest to places of the model at rest; none for what is farther than 3 cm from it.
    pub fn roots(&self, definition: &Definition, at: &[Vec3]) -> Vec<Option<SkinRoot>> {
        let turn = self.model_from_scalp.inverse();
        let found = at.iter().map(|at| {
            let root = self.scalp.nearest_root(turn * *at)?;
            let triangle = *self.triangles.get(root.triangle)?;
            let morphs = &definition.rest.morphs;
            let frame = frame(definition, &triangle, root.shares, &self.palette, morphs)?;
            Some(SkinRoot {
                triangle,
                shares: root.shares,
                back: frame.inverse(),
            })
        });
        found.collect()
    }
}

impl Character {
    /// Where a place of the skin is as of the last tick, world space: +Y is the way out of it. `None` when it is no
    /// longer there.
    pub fn skin_frame(&self, root: &SkinRoot) -> Option<Affine3A> {
        self.frame_of(&root.triangle, root.shares)
    }

    /// A place of its surface by chance, as [`Character::skin_frame`]: numbers of 0..1 choose the triangle and the place in
    /// it.
    pub fn skin_place(&self, places: &SkinPlaces, chance: [f32; 3]) -> Option<Affine3A> {
        let wanted = places.areas.last()? * chance[0];
        let i = places.areas.partition_point(|area| *area <= wanted);
        let triangle = places.triangles.get(i.min(places.triangles.len() - 1))?;
        // Even over the triangle (Turk 1990, "Generating random points in triangles").
        let root = chance[1].sqrt();
        let shares = Vec3::new(1.0 - root, root * (1.0 - chance[2]), root * chance[2]);
        self.frame_of(triangle, shares)
    }

    fn frame_of(&self, triangle: &SkinTriangle, shares: Vec3) -> Option<Affine3A> {
        let (palette, morphs) = (&self.skin.palette[0], &self.skin.morphs[0]);
        let frame = frame(&self.definition, triangle, shares, palette, morphs)?;
        let world = self.posed.world[0] * frame;
        world.is_finite().then_some(world)
    }

    /// How the skin at a place has moved since it was at rest, model space, as of the last tick; `None` when it is no
    /// longer there.
    pub fn skin_moved(&self, root: &SkinRoot) -> Option<Affine3A> {
        let (palette, morphs) = (&self.skin.palette[0], &self.skin.morphs[0]);
        let now = frame(
            &self.definition,
            &root.triangle,
            root.shares,
            palette,
            morphs,
        )?;
        let moved = now * root.back;
        moved.is_finite().then_some(moved)
    }
}

/// The frame of a triangle in a pose: at a place of it, turned and not stretched.
fn frame(
    definition: &Definition,
    triangle: &SkinTriangle,
    shares: Vec3,
    palette: &[Affine3A],
    morphs: &[f32],
) -> Option<Affine3A> {
    let at = triangle.part as usize;
    let part = definition.model.parts.get(at)?;
    let mesh = definition.model.meshes.get(part.mesh)?;
    let primitive = mesh.primitives.get(triangle.primitive as usize)?;
    let palette = palette.get(*definition.layout.part_start.get(at)? as usize..)?;
    let weights = morphs.get(*definition.morph_start.get(at)?..)?;
    let weights = weights.get(..part.morph_weights.len())?;
    let mut corners = [Vec3::ZERO; 3];
    for (to, corner) in corners.iter_mut().zip(triangle.corners) {
        *to = posed_vertex(part, primitive, corner as usize, weights, palette)?;
    }
    let [a, b, c] = corners;
    let along = (b - a).try_normalize()?;
    let up = (b - a).cross(c - a).try_normalize()?;
    let origin = a * shares.x + b * shares.y + c * shares.z;
    Some(Affine3A {
        matrix3: Mat3A::from_cols(along.into(), up.into(), Vec3A::from(along.cross(up))),
        translation: origin.into(),
    })
}

/// Which bones are one or hang on it.
fn under(model: &Model, bone: u16) -> Vec<bool> {
    let mut under = vec![false; model.skeleton.len()];
    for (i, own) in model.skeleton.bones().iter().enumerate() {
        let hangs = own.parent.is_some_and(|parent| under[usize::from(parent)]);
        under[i] = hangs || i == usize::from(bone);
    }
    under
}

fn is_brow(model: &Model, part: &Part, primitive: &Primitive) -> bool {
    let material = model.materials.get(primitive.material);
    let names = [Some(&part.name), material.map(|material| &material.name)];
    let is_named = |name: &String| name.to_lowercase().contains("brow");
    names.into_iter().flatten().any(is_named)
}

/// Whether hair can grow on it and must stay out of it.
fn is_skin(model: &Model, part: &Part, primitive: &Primitive) -> bool {
    let material = model.materials.get(primitive.material);
    let kind = material.map(|material| material.kind);
    if matches!(kind, Some(MaterialKind::Hair | MaterialKind::Eye)) || !primitive.ribbon.is_empty()
    {
        return false;
    }
    let names = [&part.name, &model.meshes[part.mesh].name]
        .into_iter()
        .chain(material.map(|material| &material.name));
    let others = [
        "hair", "lash", "brow", "eye", "cornea", "teeth", "tooth", "tongue", "gum", "beard",
    ];
    !names.into_iter().any(|name| {
        let name = name.to_lowercase();
        others.iter().any(|other| name.contains(other))
    })
}

/// Where the eyes are, left and right, model space at rest.
fn eyes_of(definition: &Definition, matrices: &[Affine3A], head: u16) -> [Vec3; 2] {
    let humanoid = definition.clips.humanoid();
    let place = |bone: u16| {
        matrices
            .get(usize::from(bone))
            .map(|m| Vec3::from(m.translation))
    };
    let known = [Role::LeftEye, Role::RightEye].map(|role| place(humanoid.bone(role)?));
    if let [Some(left), Some(right)] = known {
        return [left, right];
    }
    let head_place = matrices.get(usize::from(head)).copied().unwrap_or_default();
    let size = definition.model.skeleton.height() / USUAL_HEIGHT;
    let forward = humanoid.model_from_character;
    let middle = definition.gaze_rig().map_or_else(
        |_| Vec3::from(head_place.translation) + forward * (Vec3::new(0.0, 0.08, 0.08) * size),
        |rig| head_place.transform_point3(rig.eye_middle),
    );
    [HALF_EYES, -HALF_EYES].map(|half| middle + forward * (Vec3::X * half * size))
}
