//! The rough outline of a character: a capsule for each bone that carries enough of its surface, for
//! cloth and ropes to lie on.

use glam::{Affine3A, Mat3, Vec3};

use super::particles::Obstacle;
use crate::asset::Model;

/// A capsule on a bone, bone space, metres at scale 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyCapsule {
    /// The bone that carries it.
    pub bone: u16,
    /// Centre of one end.
    pub a: Vec3,
    /// Centre of the other.
    pub b: Vec3,
    /// Radius.
    pub radius: f32,
}

impl BodyCapsule {
    /// It in the world, where its bone is now.
    pub fn placed(&self, world_from_bone: &Affine3A) -> Obstacle {
        let columns = world_from_bone.matrix3;
        let size =
            (columns.x_axis.length() + columns.y_axis.length() + columns.z_axis.length()) / 3.0;
        Obstacle::Capsule {
            a: world_from_bone.transform_point3(self.a),
            b: world_from_bone.transform_point3(self.b),
            radius: self.radius * size,
        }
    }
}

/// Vertices of one bone that are looked at; more are passed over evenly.
const MOST_POINTS: usize = 2000;
/// Vertices below which a bone has no capsule.
const FEWEST_POINTS: usize = 12;
/// Capsules of one character, the largest.
const MOST_CAPSULES: usize = 48;
/// Share of a bone's vertices that its capsule holds.
const HELD: f32 = 0.8;

/// Capsules around what each bone moves most, the largest first. Bones for which `is_loose` says so
/// (hair, tails, capes) have none, nor have bones that carry but a little.
pub fn outline(model: &Model, is_loose: impl Fn(u16) -> bool) -> Vec<BodyCapsule> {
    let mut points: Vec<Vec<Vec3>> = vec![Vec::new(); model.skeleton.len()];
    for part in &model.parts {
        let Some(mesh) = model.meshes.get(part.mesh) else {
            continue;
        };
        let skin = part.skin.and_then(|skin| model.skins.get(skin));
        for primitive in &mesh.primitives {
            let n = primitive.influences.per_vertex;
            for (i, position) in primitive.positions.iter().enumerate() {
                let (bone, place) = match skin {
                    Some(skin) if n > 0 => {
                        let of = i * n..(i + 1) * n;
                        let joints = primitive.influences.joints.get(of.clone());
                        let weights = primitive.influences.weights.get(of);
                        let (Some(joints), Some(weights)) = (joints, weights) else {
                            continue;
                        };
                        let pairs = joints.iter().zip(weights);
                        let Some((joint, weight)) = pairs.max_by(|a, b| a.1.total_cmp(b.1)) else {
                            continue;
                        };
                        let joint = usize::from(*joint);
                        let (Some(bone), Some(inverse)) =
                            (skin.joints.get(joint), skin.inverse_bind.get(joint))
                        else {
                            continue;
                        };
                        if *weight < 0.4 {
                            continue;
                        }
                        (*bone, inverse.transform_point3(*position))
                    }
                    _ => (part.bone, *position),
                };
                if let Some(list) = points.get_mut(usize::from(bone))
                    && place.is_finite()
                {
                    list.push(place);
                }
            }
        }
    }
    let mut capsules: Vec<BodyCapsule> = points
        .iter()
        .enumerate()
        .filter(|(bone, points)| points.len() >= FEWEST_POINTS && !is_loose(*bone as u16))
        .filter_map(|(bone, points)| fit(bone as u16, points))
        .collect();
    let size = |c: &BodyCapsule| c.radius * (c.radius + c.a.distance(c.b));
    capsules.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let largest = capsules.first().map_or(0.0, size);
    capsules.retain(|c| size(c) > 0.02 * largest);
    capsules.truncate(MOST_CAPSULES);
    capsules
}

/// A capsule along the points' longest axis.
fn fit(bone: u16, points: &[Vec3]) -> Option<BodyCapsule> {
    let step = points.len().div_ceil(MOST_POINTS);
    let points: Vec<Vec3> = points.iter().step_by(step).copied().collect();
    let n = points.len() as f32;
    let middle = points.iter().sum::<Vec3>() / n;
    let mut spread = Mat3::ZERO;
    for p in &points {
        let d = *p - middle;
        spread += Mat3::from_cols(d * d.x, d * d.y, d * d.z);
    }
    let columns = [spread.x_axis, spread.y_axis, spread.z_axis];
    let start = columns
        .into_iter()
        .max_by(|a, b| a.length().total_cmp(&b.length()))?;
    // The longest axis by repeated multiplication.
    let mut axis = start.try_normalize()?;
    for _ in 0..32 {
        axis = (spread * axis).try_normalize()?;
    }
    let mut across: Vec<f32> = points
        .iter()
        .map(|p| (*p - middle).reject_from_normalized(axis).length())
        .collect();
    let mut along: Vec<f32> = points.iter().map(|p| (*p - middle).dot(axis)).collect();
    across.sort_by(f32::total_cmp);
    along.sort_by(f32::total_cmp);
    let at = |list: &[f32], share: f32| list.get(((n - 1.0) * share) as usize).copied();
    let radius = at(&across, HELD)?;
    let (low, high) = (at(&along, 0.04)? + radius, at(&along, 0.96)? - radius);
    let (low, high) = if low < high {
        (low, high)
    } else {
        ((low + high) / 2.0, (low + high) / 2.0)
    };
    (radius > 0.0).then_some(BodyCapsule {
        bone,
        a: middle + axis * low,
        b: middle + axis * high,
        radius,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::{Bone, Skeleton};
    use crate::asset::model::{Mesh, Part, Primitive};
    use crate::math::Trs;
    use std::sync::Arc;

    #[test]
    fn a_cylinder_of_points_gets_the_capsule_inside_it() {
        let positions = (0..40)
            .flat_map(|i| {
                (0..16).map(move |j| {
                    let angle = std::f32::consts::TAU * j as f32 / 16.0;
                    Vec3::new(i as f32 * 0.025, 0.1 * angle.cos() + 2.0, 0.1 * angle.sin())
                })
            })
            .collect();
        let bone = Bone {
            name: "arm".into(),
            parent: None,
            rest: Trs::IDENTITY,
            skinned: false,
        };
        let model = Model {
            skeleton: Arc::new(Skeleton::new(vec![bone]).unwrap()),
            meshes: vec![Mesh {
                primitives: vec![Primitive {
                    positions,
                    ..Primitive::default()
                }],
                ..Mesh::default()
            }],
            parts: vec![Part::default()],
            ..Model::default()
        };
        let found = outline(&model, |_| false);
        assert_eq!(found.len(), 1);
        let c = found[0];
        assert!((c.radius - 0.1).abs() < 0.002, "{c:?}");
        assert!((c.a.distance(c.b) - 0.72).abs() < 0.05, "{c:?}");
        assert!((c.a.y - 2.0).abs() < 1e-3 && c.a.z.abs() < 1e-3);
        assert!(outline(&model, |_| true).is_empty());
    }
}
