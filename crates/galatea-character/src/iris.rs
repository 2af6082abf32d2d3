//! The range of eyes that are bones in which neither the face nor the white of the eye hides their irises.
//!
//! Stylised characters often have flat irises in front of the whites. A bone behind the eye then moves the iris
//! sideways, and at angles that a round eyeball allows it disappears behind the skin.

use glam::{Quat, Vec2, Vec3};

use super::extent::{carrier, each_deformed};
use super::loaded_model::LoadedModel;
use galatea_asset::model::AlphaMode;
use galatea_deform::build_palette;
use galatea_rig::gaze::{EyeRange, GazeRig};

/// Fraction of the visible part of an iris at rest that must stay visible.
const MIN_VISIBLE: f32 = 0.6;
/// An iris of which less than this is visible at rest cannot be judged.
const MIN_AT_REST: f32 = 0.3;
/// Vertices of a flat iris lie within this angle about the direction of the gaze, seen from the bone, radians.
const MAX_FLAT: f32 = 1.2;
/// Points on an iris at which its visibility is tested.
const MAX_SAMPLES: usize = 64;
/// Halvings of an angle.
const STEPS: usize = 6;
/// Depth by which a triangle must be nearer to hide a point, as a share of the height of the skeleton.
const DEPTH_MARGIN: f32 = 1e-4;

/// A triangle seen from the front: corners to the left and up, and how far in front each is, metres.
#[derive(Clone, Copy, Debug)]
struct Facet {
    corners: [Vec2; 3],
    depths: [f32; 3],
}

/// The eye of one side and what may hide it, in the character's directions about the eye's bone.
struct FlatEye {
    /// Centres of the triangles of its iris, metres from the bone.
    iris: Vec<Vec3>,
    /// Everything else near it.
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

    /// Depth of the triangle at a point, where it covers it.
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
    /// Finds the iris that a bone carries; `None` for an eyeball, and for an eye without a mesh.
    fn find(loaded: &LoadedModel, facing: Quat, eye: u16) -> Option<Self> {
        let model = &loaded.model;
        let bones = model.skeleton.bones();
        let origin = *loaded.rest_places.get(usize::from(eye))?;
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
                    let placed = [a, b, c].map(|place| to_character * (place - origin));
                    let carries =
                        |corner: u32| is_below(carrier(model, part, primitive, corner as usize));
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
            .all(|place| place.angle_between(Vec3::Z) < MAX_FLAT);
        if own.is_empty() || !is_flat {
            return None;
        }
        let far = own
            .iter()
            .flatten()
            .map(|place| place.length())
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

    /// Share of the iris that is seen from the front while the eye is turned.
    fn visible(&self, turn: Quat) -> f32 {
        let is_visible = |place: &&Vec3| {
            let turned = turn * **place;
            let hides = |facet: &Facet| {
                let depth = facet.depth_at(turned.truncate());
                depth.is_some_and(|depth| depth > turned.z + self.margin)
            };
            !self.others.iter().any(hides)
        };
        let n = self.iris.iter().filter(is_visible).count();
        n as f32 / self.iris.len().max(1) as f32
    }

    /// Largest angle up to `most`, radians, at which enough of the iris is visible.
    fn end(&self, at_rest: f32, most: f32, turn: impl Fn(f32) -> Quat) -> f32 {
        let is_seen = |angle: f32| self.visible(turn(angle)) >= MIN_VISIBLE * at_rest;
        if is_seen(most) {
            return most;
        }
        let (mut seen, mut hidden) = (0.0, most);
        for _ in 0..STEPS {
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

/// The range of a rig's eyes, smaller where more would hide the irises.
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
        range.outer = flat.end(at_rest, range.outer, yaw(to_outer));
        range.inner = flat.end(at_rest, range.inner, yaw(-to_outer));
        range.up = flat.end(at_rest, range.up, pitch(1.0));
        range.down = flat.end(at_rest, range.down, pitch(-1.0));
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
    /// Of the iris in front of the bone, and its radius.
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

    /// A face with an opening of `half_width` by 8 mm for each eye, and square irises of 12 mm behind it.
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
    fn flat_irises_turn_only_as_far_as_the_opening_shows_them() {
        // Of an iris 12 mm wide, 60 % stay visible while it moves by the gap to the rim plus 4.8 mm.
        for half_width in [0.008, 0.012] {
            let definition = face(half_width);
            let gaze = definition.gaze_rig().unwrap();
            let range = definition.visible_eye_range(&gaze);
            let right = ((half_width - IRIS_RADIUS + 0.4 * 2.0 * IRIS_RADIUS) / IRIS_DEPTH).asin();
            for side in [range.inner, range.outer] {
                let off = (side - right).to_degrees();
                assert!(
                    off.abs() < 3.0,
                    "{half_width}: {} not {}",
                    side.to_degrees(),
                    right.to_degrees()
                );
            }
            let right = ((0.008 - IRIS_RADIUS + 0.4 * 2.0 * IRIS_RADIUS) / IRIS_DEPTH).asin();
            for height in [range.up, range.down] {
                let off = (height - right).to_degrees();
                assert!(
                    off.abs() < 3.0,
                    "{} not {}",
                    height.to_degrees(),
                    right.to_degrees()
                );
            }
        }
    }

    #[test]
    fn a_wide_opening_leaves_the_range_as_it_was() {
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
