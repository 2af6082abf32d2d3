//! Strands as a model: ribbons or strips, skinned to one bone per point of the guides.

use glam::{Quat, Vec2, Vec3, Vec4};

use super::cut::Cap;
use super::grow::{GuideWeights, Strand};
use galatea_anim::SkeletonError;
use galatea_asset::Model;
use galatea_asset::model::{
    AlphaMode, Image, Influences, Material, MaterialKind, Primitive, TextureRef,
};
use galatea_math::random::RandomSource;
use galatea_physics::particles::{particle_bone, particle_model, push_influences, root_bone};

/// Parts of the strands as ranges of eighths: the first eighth, then up to a quarter, a half, and all. Without the last
/// parts the hair is coarser but covers the same area.
pub const PARTS: [(usize, usize); 4] = [(0, 1), (1, 2), (2, 4), (4, 8)];
/// Number of parts that cast shadows.
const CASTING: usize = 2;
/// Denominator of [`PARTS`].
const WHOLE: usize = 8;
/// Darkness of the skin below hair, relative to the roots.
const CAP_SHADE: f32 = 0.55;

/// Appearance of strands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrandAppearance {
    /// Strands face the camera; otherwise each has a random angle.
    pub faces_eye: bool,
    /// Maximum deviation of those angles from lying on the ball, radians.
    pub tilt: f32,
    /// Width at the root, metres.
    pub width: f32,
    /// Width at the tip, as a fraction of `width`.
    pub tip_width: f32,
    /// Linear colour factors, at the root and at the tip.
    pub shades: [Vec3; 2],
    /// Random variation of the brightness, as a fraction.
    pub brightness_variation: f32,
    /// Centre of a ball for the normals: strands are lit as on this ball, metres.
    pub center: Vec3,
    /// Random seed of the angles and brightnesses.
    pub seed: u64,
}

impl Default for StrandAppearance {
    fn default() -> Self {
        Self {
            faces_eye: true,
            tilt: std::f32::consts::FRAC_PI_2,
            width: 0.0012,
            tip_width: 0.3,
            shades: [Vec3::splat(0.6), Vec3::ONE],
            brightness_variation: 0.25,
            center: Vec3::ZERO,
            seed: 1,
        }
    }
}

/// Creates a model of strands between guides (all with the same number of points). Bone 0 is the root. The bone of a guide
/// point has the number 1 + guide · points + point, the name `gGUIDE_POINT` and the position of the point. The strands are
/// divided into [`PARTS`]. If there is a cap, it is one more part with the material "scalp". The hair texture covers each
/// strand with its upper side at the root, and blends.
///
/// # Errors
/// If there are more bones than a skeleton may have.
pub fn hair_model(
    guides: &[Vec<Vec3>],
    strands: &[Strand],
    cap: &Cap,
    look: &StrandAppearance,
    (mut material, picture): (Material, Option<Image>),
) -> Result<Model, SkeletonError> {
    let n_levels = guides.first().map_or(0, Vec::len);
    let n_bones = 1 + guides.iter().map(Vec::len).sum::<usize>();
    if n_bones > usize::from(u16::MAX) {
        return Err(SkeletonError::TooMany(n_bones));
    }
    let mut bones = vec![root_bone("hair")];
    for (i, guide) in guides.iter().enumerate() {
        let points = guide.iter().enumerate();
        bones.extend(points.map(|(k, at)| particle_bone(format!("g{i}_{k}"), *at)));
    }
    let mut chance = RandomSource::new(look.seed);
    let of_part = |(from, to): (usize, usize), chance: &mut RandomSource| {
        let at = |share: usize| (strands.len() * share).div_ceil(WHOLE);
        let mut primitive = Primitive {
            influences: Influences {
                per_vertex: 4,
                ..Influences::default()
            },
            ..Primitive::default()
        };
        for strand in &strands[at(from)..at(to)] {
            if strand.points.len() == n_levels && n_levels > 1 {
                add_strand(&mut primitive, strand, look, chance);
            }
        }
        primitive
    };
    let primitives = PARTS.map(|part| of_part(part, &mut chance));
    let mut primitives = Vec::from(primitives);
    if picture.is_some() {
        material.base_color_texture = Some(TextureRef::of(0));
        material.alpha = AlphaMode::Blend;
    }
    let mut materials = vec![material];
    if !cap.triangles.is_empty() && n_levels > 0 {
        let scalp = scalp_material(&materials[0], look);
        primitives.push(cap_primitive(guides, cap, n_levels));
        materials.push(scalp);
    }
    let mut model = particle_model(
        "hair",
        bones,
        primitives,
        (materials, Vec::from_iter(picture)),
    )?;
    for part in model.parts.iter_mut().skip(CASTING) {
        part.is_fine = true;
    }
    Ok(model)
}

fn scalp_material(hair: &Material, look: &StrandAppearance) -> Material {
    let root = hair.base_color.truncate() * look.shades[0] * CAP_SHADE;
    Material {
        name: "scalp".into(),
        kind: MaterialKind::Standard,
        base_color: root.extend(1.0),
        metallic: 0.0,
        roughness: 0.85,
        alpha: AlphaMode::Blend,
        ..Material::default()
    }
}

/// Skin below hair, which follows the roots around it.
fn cap_primitive(guides: &[Vec<Vec3>], cap: &Cap, n_levels: usize) -> Primitive {
    let roots: Vec<Vec3> = guides.iter().map(|guide| guide[0]).collect();
    let mut primitive = Primitive {
        positions: cap.positions.clone(),
        normals: cap.normals.clone(),
        uv0: vec![Vec2::ZERO; cap.positions.len()],
        colors: cap
            .covers
            .iter()
            .map(|covers| Vec3::ONE.extend(*covers))
            .collect(),
        influences: Influences {
            per_vertex: 4,
            ..Influences::default()
        },
        indices: cap.triangles.iter().flatten().copied().collect(),
        material: 1,
        ..Primitive::default()
    };
    for at in &cap.positions {
        let follow = GuideWeights::nearest(*at, &roots);
        let pairs =
            std::array::from_fn(|i| (follow.guides[i] * n_levels as u16, follow.weights[i]));
        push_influences(&mut primitive.influences, pairs);
    }
    primitive
}

fn add_strand(
    to: &mut Primitive,
    strand: &Strand,
    look: &StrandAppearance,
    chance: &mut RandomSource,
) {
    let n = strand.points.len();
    let first = to.positions.len() as u32;
    let angle = look.tilt * (2.0 * chance.unit() - 1.0);
    let shade = 1.0 + look.brightness_variation * chance.about_zero();
    let mut line = Vec3::NEG_Y;
    for (k, at) in strand.points.iter().enumerate() {
        let along = k as f32 / (n - 1) as f32;
        let ends = (
            strand.points[k.saturating_sub(1)],
            strand.points[(k + 1).min(n - 1)],
        );
        line = (ends.1 - ends.0).try_normalize().unwrap_or(line);
        let out = (*at - look.center).normalize_or(Vec3::Y);
        let normal = (out - line * line.dot(out))
            .try_normalize()
            .unwrap_or_else(|| line.any_orthonormal_vector());
        let across = line.cross(normal);
        let half = 0.5 * look.width * (1.0 + (look.tip_width - 1.0) * along);
        let color = look.shades[0].lerp(look.shades[1], along) * shade;
        let weights = strand.follow.weights;
        let joints = strand
            .follow
            .guides
            .map(|guide| guide * n as u16 + k as u16);
        for side in [-1.0_f32, 1.0] {
            if look.faces_eye {
                to.positions.push(*at);
                to.tangents.push(line.extend(1.0));
                to.ribbon.push(side * half);
            } else {
                let turned = Quat::from_axis_angle(line, angle) * across;
                to.positions.push(*at + turned * (side * half));
                to.tangents.push(across.extend(1.0));
            }
            to.normals.push(normal);
            to.uv0.push(Vec2::new(0.5 + 0.5 * side, along));
            to.colors
                .push(Vec4::from((color.clamp(Vec3::ZERO, Vec3::ONE), 1.0)));
            let pairs = std::array::from_fn(|i| (joints[i], weights[i]));
            push_influences(&mut to.influences, pairs);
        }
    }
    for k in 0..n as u32 - 1 {
        let (left, right) = (first + 2 * k + 1, first + 2 * k);
        to.indices
            .extend([left, left + 2, right + 2, left, right + 2, right]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GuideArea, grow};

    fn square() -> Vec<Vec<Vec3>> {
        [(0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.0, 0.1)]
            .map(|(x, z)| (0..5).map(|k| Vec3::new(x, -0.02 * k as f32, z)).collect())
            .to_vec()
    }

    #[test]
    fn vertices_are_skinned_to_the_points_of_their_level_with_the_strands_weights() {
        let guides = square();
        let strands = grow(&guides, &[GuideArea::Four([0, 1, 2, 3])], 64, 1);
        let look = StrandAppearance::default();
        let model = hair_model(
            &guides,
            &strands,
            &Cap::default(),
            &look,
            (Material::default(), None),
        )
        .unwrap();
        assert_eq!(model.skeleton.len(), 21);
        let sizes: Vec<usize> = model
            .meshes
            .iter()
            .map(|mesh| mesh.primitives[0].positions.len() / 10)
            .collect();
        assert_eq!(sizes, [8, 8, 16, 32]);
        let first = &model.meshes[0].primitives[0];
        let strand = &strands[0];
        for k in 0..5 {
            let joints = &first.influences.joints[k * 8..k * 8 + 4];
            let expected = strand.follow.guides.map(|guide| guide * 5 + k as u16);
            assert_eq!(joints, expected);
            assert_eq!(
                first.influences.weights[k * 8..k * 8 + 4],
                strand.follow.weights
            );
            assert_eq!(first.positions[2 * k], strand.points[k]);
            assert!(first.ribbon[2 * k] < 0.0 && first.ribbon[2 * k + 1] > 0.0);
        }
        assert!(first.ribbon[9] < 0.31 * first.ribbon[1]);
    }

    #[test]
    fn the_cap_is_a_separate_part_skinned_to_nearby_roots() {
        let guides = square();
        let strands = grow(&guides, &[GuideArea::Four([0, 1, 2, 3])], 8, 1);
        let cap = Cap {
            positions: guides.iter().map(|guide| guide[0]).collect(),
            normals: vec![Vec3::Y; 4],
            covers: vec![0.0, 0.5, 1.0, 1.0],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        };
        let look = StrandAppearance::default();
        let model =
            hair_model(&guides, &strands, &cap, &look, (Material::default(), None)).unwrap();
        assert_eq!(model.parts.len(), PARTS.len() + 1);
        let part = &model.meshes[PARTS.len()].primitives[0];
        assert_eq!(model.materials[part.material].name, "scalp");
        for (i, joints) in part.influences.joints.chunks(4).enumerate() {
            assert_eq!(usize::from(joints[0]), i * 5);
            assert_eq!(part.influences.weights[4 * i], 1.0);
            assert_eq!(part.colors[i].w, cap.covers[i]);
        }
        assert!(model.parts[PARTS.len()].is_fine);
    }

    #[test]
    fn strips_have_their_width_and_individual_angles() {
        let guides = square();
        let strands = grow(&guides, &[GuideArea::Four([0, 1, 2, 3])], 8, 1);
        let look = StrandAppearance {
            faces_eye: false,
            width: 0.01,
            ..StrandAppearance::default()
        };
        let model = hair_model(
            &guides,
            &strands,
            &Cap::default(),
            &look,
            (Material::default(), None),
        )
        .unwrap();
        let strips = model.meshes.iter().flat_map(|mesh| {
            let positions = &mesh.primitives[0].positions;
            positions.chunks(10).map(|strip| strip[1] - strip[0])
        });
        let strips: Vec<Vec3> = strips.collect();
        for (i, across) in strips.iter().enumerate() {
            assert!((across.length() - 0.01).abs() < 1e-6 && across.y.abs() < 1e-6);
            assert!(
                strips[..i]
                    .iter()
                    .all(|other| other.cross(*across).length() > 1e-7)
            );
        }
        assert!(
            model
                .meshes
                .iter()
                .all(|mesh| mesh.primitives[0].ribbon.is_empty())
        );
    }
}
