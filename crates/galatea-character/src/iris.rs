//! The range of eye-bone rotation in which neither the face nor the white of the eye hides the iris.
//!
//! Stylised characters often have flat irises in front of the whites. A bone behind the eye then moves the iris sideways. At
//! angles that are fine for a round eyeball such an iris disappears behind the skin.

use glam::{Quat, Vec2, Vec3};

use super::extent::{dominant_bone, each_deformed};
use super::loaded_model::LoadedModel;
use galatea_asset::model::AlphaMode;
use galatea_deform::build_palette;
use galatea_rig::gaze::{EyeRange, GazeRig};

/// Fraction of the iris area visible at rest that must stay visible.
const MIN_VISIBLE: f32 = 0.6;
/// Minimum visible fraction at rest; an iris below it is not judged.
const MIN_AT_REST: f32 = 0.3;
/// Maximum angle of a flat iris's vertices from the gaze direction, seen from the bone, radians.
const MAX_FLAT: f32 = 1.2;
/// Maximum number of points on an iris at which visibility is tested.
const MAX_SAMPLES: usize = 64;
/// Number of bisection steps for an angle.
const N_BISECTIONS: usize = 6;
/// Minimum depth by which a triangle must be nearer to hide a point, relative to the skeleton's height.
const DEPTH_MARGIN: f32 = 1e-4;

/// A triangle seen from the front: corners in (left, up), and depth towards the viewer, metres.
#[derive(Clone, Copy, Debug)]
struct Facet {
    corners: [Vec2; 3],
    depths: [f32; 3],
}

/// The eye of one side and its possible occluders, in the character's axes relative to the eye bone.
struct FlatEye {
    /// Centres of the iris triangles, metres from the bone.
    iris: Vec<Vec3>,
    /// Possible occluders near the iris.
    others: Vec<Facet>,
    margin: f32,
}

impl Facet {
    fn new(corners: [Vec3; 3]) -> Self {
        Self {
            corners: corners.map(|corner| corner.truncate()),
            depths: corners.map(|corner| corner.z),
        }
    }

    /// Returns the depth of the triangle at a point that it covers, else `None`.
    fn depth_at(&self, point: Vec2) -> Option<f32> {
        let [a, b, c] = self.corners;
        let area = (b - a).perp_dot(c - a);
        if area.abs() < 1e-14 {
            return None;
        }
        let u = (point - a).perp_dot(c - a) / area;
        let v = (b - a).perp_dot(point - a) / area;
        let [at_a, at_b, at_c] = self.depths;
        (u >= 0.0 && v >= 0.0 && u + v <= 1.0)
            .then_some(at_a + (at_b - at_a) * u + (at_c - at_a) * v)
    }
}

impl FlatEye {
    /// Finds the iris on a bone; `None` for an eyeball, and for an eye without a mesh.
    fn find(loaded: &LoadedModel, facing: Quat, eye: u16) -> Option<Self> {
        let model = &loaded.model;
        let bones = model.skeleton.bones();
        let origin = *loaded.rest_positions.get(usize::from(eye))?;
        let is_below = |bone: u16| {
            let above = |bone: &u16| bones.get(usize::from(*bone)).and_then(|bone| bone.parent);
            std::iter::successors(Some(bone), above).any(|bone| bone == eye)
        };
        let to_character = facing.inverse();
        let mut palette = Vec::new();
        build_palette(model, &loaded.rest_matrices(), &mut palette);
        let (mut own, mut others) = (Vec::new(), Vec::new());
        each_deformed(
            model,
            &palette,
            &loaded.rest.morphs,
            |part, primitive, deformed| {
                let material = model.materials.get(primitive.material);
                let is_blended = material.is_some_and(|m| m.alpha == AlphaMode::Blend);
                for corners in primitive.indices.chunks_exact(3) {
                    let at = |corner: u32| deformed.positions.get(corner as usize).copied();
                    let (Some(a), Some(b), Some(c)) =
                        (at(corners[0]), at(corners[1]), at(corners[2]))
                    else {
                        continue;
                    };
                    let placed = [a, b, c].map(|position| to_character * (position - origin));
                    let carries = |corner: u32| {
                        is_below(dominant_bone(model, part, primitive, corner as usize))
                    };
                    if corners.iter().all(|corner| carries(*corner)) {
                        own.push(placed);
                    } else if !is_blended {
                        others.push(placed);
                    }
                }
            },
        );
        let is_flat = own
            .iter()
            .flatten()
            .all(|position| position.angle_between(Vec3::Z) < MAX_FLAT);
        if own.is_empty() || !is_flat {
            return None;
        }
        let far = own
            .iter()
            .flatten()
            .map(|position| position.length())
            .fold(0.0, f32::max);
        others.retain(|corners| {
            corners
                .iter()
                .any(|corner| corner.truncate().length() < 2.0 * far)
        });
        let every = own.len().div_ceil(MAX_SAMPLES);
        let centre = |corners: &[Vec3; 3]| corners.iter().sum::<Vec3>() / 3.0;
        Some(Self {
            iris: own.iter().step_by(every).map(centre).collect(),
            others: others.into_iter().map(Facet::new).collect(),
            margin: DEPTH_MARGIN * model.skeleton.height(),
        })
    }

    /// Returns the fraction of the iris that is visible from the front while the eye is rotated.
    fn visible(&self, rotation: Quat) -> f32 {
        let is_visible = |position: &&Vec3| {
            let rotated = rotation * **position;
            let hides = |facet: &Facet| {
                let depth = facet.depth_at(rotated.truncate());
                depth.is_some_and(|depth| depth > rotated.z + self.margin)
            };
            !self.others.iter().any(hides)
        };
        let n = self.iris.iter().filter(is_visible).count();
        n as f32 / self.iris.len().max(1) as f32
    }

    /// Returns the largest angle up to `max`, radians, at which enough of the iris is visible.
    fn max_visible_angle(&self, at_rest: f32, max: f32, rotation: impl Fn(f32) -> Quat) -> f32 {
        let is_seen = |angle: f32| self.visible(rotation(angle)) >= MIN_VISIBLE * at_rest;
        if is_seen(max) {
            return max;
        }
        let (mut seen, mut hidden) = (0.0, max);
        for _ in 0..N_BISECTIONS {
            let middle = 0.5 * (seen + hidden);
            if is_seen(middle) {
                seen = middle;
            } else {
                hidden = middle;
            }
        }
        seen
    }
}

/// Returns the range of a rig's eyes, reduced where the iris would be hidden.
pub(super) fn visible_range(loaded: &LoadedModel, gaze: &GazeRig) -> EyeRange {
    let mut range = gaze.eye_range;
    let facing = gaze.model_from_character;
    for (eye, to_outer) in gaze.eyes.iter().zip([1.0, -1.0]) {
        let found = eye.and_then(|eye| FlatEye::find(loaded, facing, eye.bone));
        let Some(flat) = found else { continue };
        let at_rest = flat.visible(Quat::IDENTITY);
        if at_rest < MIN_AT_REST {
            continue;
        }
        let yaw = |sign: f32| move |angle: f32| Quat::from_rotation_y(sign * angle);
        let pitch = |sign: f32| move |angle: f32| Quat::from_rotation_x(-sign * angle);
        range.outer = flat.max_visible_angle(at_rest, range.outer, yaw(to_outer));
        range.inner = flat.max_visible_angle(at_rest, range.inner, yaw(-to_outer));
        range.up = flat.max_visible_angle(at_rest, range.up, pitch(1.0));
        range.down = flat.max_visible_angle(at_rest, range.down, pitch(-1.0));
    }
    range
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Definition;
    use galatea_anim::{Bone, Skeleton};
    use galatea_asset::Model;
    use galatea_asset::model::{Influences, Material, Mesh, Part, Primitive, Skin};
    use galatea_math::Trs;
    use glam::Mat4;

    const EYE_HEIGHT: f32 = 1.6;
    const EYE_DISTANCE: f32 = 0.03;
    /// Distance of the iris in front of the bone, and its radius, metres.
    const IRIS_DEPTH: f32 = 0.03;
    const IRIS_RADIUS: f32 = 0.006;

    fn rectangle(low: Vec2, high: Vec2, z: f32, joint: u16, primitive: &mut Primitive) {
        let first = primitive.positions.len() as u32;
        for (x, y) in [
            (low.x, low.y),
            (high.x, low.y),
            (high.x, high.y),
            (low.x, high.y),
        ] {
            primitive.positions.push(Vec3::new(x, y, z));
            primitive.normals.push(Vec3::Z);
            primitive.uv0.push(Vec2::ZERO);
            primitive.influences.joints.extend([joint, 0, 0, 0]);
            primitive.influences.weights.extend([1.0, 0.0, 0.0, 0.0]);
        }
        let corners = [0, 1, 2, 0, 2, 3].map(|corner| first + corner);
        primitive.indices.extend(corners);
    }

    /// Builds a face with an opening of `half_width` by 8 mm for each eye, and square irises of 12 mm behind it.
    fn face(half_width: f32) -> Definition {
        let mut bones = Vec::new();
        let mut bone = |name: &str, parent, at: Vec3| {
            let rest = Trs::from_translation(at);
            bones.push(Bone {
                name: name.into(),
                parent,
                rest,
                skinned: true,
            });
        };
        bone("hips", None, Vec3::Y);
        bone("spine", Some(0), Vec3::Y * 0.2);
        bone("head", Some(1), Vec3::Y * 0.35);
        let eye_in_head = EYE_HEIGHT - 1.55;
        bone(
            "left_eye",
            Some(2),
            Vec3::new(EYE_DISTANCE, eye_in_head, 0.04),
        );
        bone(
            "right_eye",
            Some(2),
            Vec3::new(-EYE_DISTANCE, eye_in_head, 0.04),
        );
        let mut primitive = Primitive {
            influences: Influences {
                per_vertex: 4,
                ..Influences::default()
            },
            ..Primitive::default()
        };
        let front = 0.04 + IRIS_DEPTH;
        for (x, joint) in [(EYE_DISTANCE, 3), (-EYE_DISTANCE, 4)] {
            let at = Vec2::new(x, EYE_HEIGHT);
            for i in 0..6 {
                for k in 0..6 {
                    let low = at + (Vec2::new(i as f32, k as f32) / 3.0 - 1.0) * IRIS_RADIUS;
                    rectangle(low, low + IRIS_RADIUS / 3.0, front, joint, &mut primitive);
                }
            }
            let (hole, rim) = (Vec2::new(half_width, 0.008), Vec2::splat(0.029));
            let mut frame = |low: Vec2, high: Vec2| {
                rectangle(at + low, at + high, front + 0.001, 2, &mut primitive);
            };
            frame(-rim, Vec2::new(-hole.x, rim.y));
            frame(Vec2::new(hole.x, -rim.y), rim);
            frame(Vec2::new(-hole.x, hole.y), Vec2::new(hole.x, rim.y));
            frame(Vec2::new(-hole.x, -rim.y), Vec2::new(hole.x, -hole.y));
        }
        let skeleton = Skeleton::new(bones).unwrap();
        let mut matrices = Vec::new();
        galatea_anim::local_to_model(
            &skeleton,
            &skeleton.rest().collect::<Vec<_>>(),
            &mut matrices,
        );
        let model = Model {
            name: "face".into(),
            skins: vec![Skin {
                name: String::new(),
                joints: (0..5).collect(),
                inverse_bind: matrices.iter().map(|m| Mat4::from(*m).inverse()).collect(),
            }],
            skeleton: Arc::new(skeleton),
            meshes: vec![Mesh {
                name: "face".into(),
                primitives: vec![primitive],
                morph_names: Vec::new(),
            }],
            parts: vec![Part {
                name: "face".into(),
                skin: Some(0),
                ..Part::default()
            }],
            materials: vec![Material::default()],
            ..Model::default()
        };
        Definition::new(Arc::new(model))
    }

    #[test]
    fn flat_irises_rotate_only_while_they_are_visible_in_the_opening() {
        // Of an iris 12 mm wide, 60 % stay visible while it moves by the gap to the rim plus 4.8 mm.
        for half_width in [0.008, 0.012] {
            let definition = face(half_width);
            let gaze = definition.gaze_rig().unwrap();
            let range = definition.visible_eye_range(&gaze);
            let expected =
                ((half_width - IRIS_RADIUS + 0.4 * 2.0 * IRIS_RADIUS) / IRIS_DEPTH).asin();
            for side in [range.inner, range.outer] {
                let off = (side - expected).to_degrees();
                assert!(
                    off.abs() < 3.0,
                    "{half_width}: {} not {}",
                    side.to_degrees(),
                    expected.to_degrees()
                );
            }
            let expected = ((0.008 - IRIS_RADIUS + 0.4 * 2.0 * IRIS_RADIUS) / IRIS_DEPTH).asin();
            for height in [range.up, range.down] {
                let off = (height - expected).to_degrees();
                assert!(
                    off.abs() < 3.0,
                    "{} not {}",
                    height.to_degrees(),
                    expected.to_degrees()
                );
            }
        }
    }

    #[test]
    fn a_wide_opening_does_not_reduce_the_range() {
        let definition = face(0.028);
        let gaze = definition.gaze_rig().unwrap();
        let range = definition.visible_eye_range(&gaze);
        assert_eq!(
            (range.inner, range.outer),
            (gaze.eye_range.inner, gaze.eye_range.outer)
        );
        assert!(range.up < gaze.eye_range.up + 1e-6);
    }
}
