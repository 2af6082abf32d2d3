//! Shape errors of the techniques: fewer influences, dropped weights, joints that bend and twist.

use glam::{Affine3A, Vec3};

use super::{Subject, farthest, skinned, with};
use crate::commands::bench::BenchFigure;
use galatea_asset::model::{Influences, Primitive};
use galatea_asset::skinning::Skinning;
use galatea_deform::partition_skin;

pub(super) fn rows(subject: &Subject) -> Vec<BenchFigure> {
    let size = subject.size();
    let worst = |change: &dyn Fn(&Primitive) -> Influences| {
        let errors = subject.skinned().map(|(primitive, palette)| {
            let whole = skinned(primitive, palette, Skinning::Linear);
            farthest(&whole, &with(primitive, change(primitive), palette))
        });
        f64::from(errors.fold(0.0, f32::max) / size) * 100.0
    };
    let unit = "% of the size";
    let mut rows = Vec::new();
    for most in [1, 2, 3, 4, 8] {
        rows.push(BenchFigure::plain(
            &format!("M20.{most}"),
            "largest vertex error with this number of influences, all bones turned by up to 34 degrees",
            worst(&|p| partition_skin(p, usize::from(u16::MAX), most).influences),
            unit,
        ));
    }
    for threshold in [0.05, 0.1, 0.2] {
        rows.push(BenchFigure::plain(
            &format!("M11.error.{threshold}"),
            "largest vertex error without weights below this, the others normalized to sum to 1",
            worst(&|p| trimmed(&p.influences, threshold)),
            unit,
        ));
    }
    for sum in [0.99, 0.9] {
        rows.push(BenchFigure::plain(
            &format!("M22.{sum}"),
            "largest vertex error if the weights sum to this",
            worst(&|p| Influences {
                weights: p.influences.weights.iter().map(|w| w * sum).collect(),
                ..p.influences.clone()
            }),
            unit,
        ));
    }
    rows.push(BenchFigure::plain(
        "M23",
        "largest vertex error if bones without weight have garbage matrices",
        garbage(subject),
        "metres",
    ));
    let dual = subject.skinned().map(|(primitive, palette)| {
        let linear = skinned(primitive, palette, Skinning::Linear);
        farthest(
            &linear,
            &skinned(primitive, palette, Skinning::DualQuaternion),
        )
    });
    rows.push(BenchFigure::plain(
        "DQS.difference",
        "largest vertex distance between dual quaternion and linear skinning",
        f64::from(dual.fold(0.0, f32::max) / size) * 100.0,
        unit,
    ));
    rows.extend(memory(subject));
    rows
}

/// Drops influences below a threshold; the largest one always stays.
pub(super) fn trimmed(influences: &Influences, threshold: f32) -> Influences {
    let mut out = influences.clone();
    for weights in out.weights.chunks_exact_mut(influences.per_vertex.max(1)) {
        let largest = weights.iter().copied().fold(0.0, f32::max);
        for weight in weights
            .iter_mut()
            .filter(|w| **w < threshold && **w < largest)
        {
            *weight = 0.0;
        }
        let sum: f32 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
    }
    out
}

fn garbage(subject: &Subject) -> f64 {
    let mut worst: f32 = 0.0;
    for (primitive, palette) in subject.skinned() {
        let mut influences = primitive.influences.clone();
        for (joint, weight) in influences.joints.iter_mut().zip(&influences.weights) {
            if *weight == 0.0 {
                *joint = palette.len() as u16;
            }
        }
        let mut with_garbage = palette.to_vec();
        with_garbage.push(Affine3A::from_translation(Vec3::NAN));
        let whole = skinned(primitive, palette, Skinning::Linear);
        worst = worst.max(farthest(
            &whole,
            &with(primitive, influences, &with_garbage),
        ));
    }
    f64::from(worst)
}

/// Memory of all clips as meshes at 30 Hz, compared with the skeleton and the packed clips.
fn memory(subject: &Subject) -> Vec<BenchFigure> {
    let definition = &subject.definition;
    let keys: f64 = definition
        .clips
        .iter()
        .map(|clip| (f64::from(clip.duration) * 30.0).floor() + 1.0)
        .sum();
    let bytes = |p: &Primitive| p.influences.joints.len() * (size_of::<u16>() + size_of::<f32>());
    let influences: usize = subject
        .skinned()
        .map(|(primitive, _)| bytes(primitive))
        .sum();
    let bones = definition.layout.len * size_of::<glam::Mat4>();
    let [packed, _] = definition.clips.bytes();
    vec![
        BenchFigure::plain(
            "M17.tween",
            "all clips stored as meshes at 30 Hz, position and normal",
            keys * definition.model.n_vertices() as f64 * 24.0,
            "bytes",
        ),
        BenchFigure::plain(
            "M17.skeleton",
            "the same stored as packed clips, inverse bind matrices and influences",
            (packed + bones + influences) as f64,
            "bytes",
        ),
    ]
}

/// A forearm as a tube of radius 4 cm, twisted and bent: remaining volume, gap between two rigid halves, and edge
/// stretch with one bone per vertex.
pub(super) fn of_joints() -> Vec<BenchFigure> {
    let (tube, rest) = tube();
    let whole = volume(&tube, &tube.positions);
    let mut rows = Vec::new();
    for (name, degrees, turn) in [
        (
            "twist90",
            90_f32,
            Affine3A::from_rotation_y as fn(f32) -> Affine3A,
        ),
        ("twist150", 150.0, Affine3A::from_rotation_y),
        ("bend90", 90.0, Affine3A::from_rotation_x),
        ("bend130", 130.0, Affine3A::from_rotation_x),
    ] {
        let palette = [Affine3A::IDENTITY, turn(degrees.to_radians())];
        for skinning in Skinning::ALL {
            let out = skinned(&tube, &palette, skinning);
            rows.push(BenchFigure::plain(
                &format!("DQS.{name}.{}", skinning.name()),
                "volume of a bent tube, relative to its rest volume",
                f64::from(volume(&tube, &out.positions) / whole) * 100.0,
                "%",
            ));
        }
    }
    for degrees in [30_f32, 60.0, 90.0] {
        let palette = [
            Affine3A::IDENTITY,
            Affine3A::from_rotation_x(degrees.to_radians()),
        ];
        let gap = (2.0 * RADIUS * (degrees.to_radians() / 2.0).sin()).abs();
        rows.push(BenchFigure::plain(
            &format!("M18.{degrees}"),
            "gap between the rims of two rigid halves, a knee of radius 4 cm",
            f64::from(gap) * 1000.0,
            "mm",
        ));
        for (name, most) in [("one", 1), ("all", 4)] {
            let influences = partition_skin(&tube, usize::from(u16::MAX), most).influences;
            let out = with(&tube, influences, &palette);
            rows.push(BenchFigure::plain(
                &format!("M19.{degrees}.{name}"),
                "stretch of the most stretched edge, with this number of bones per vertex",
                f64::from(stretch(&tube, &rest, &out.positions)),
                "times",
            ));
        }
    }
    rows
}

const RADIUS: f32 = 0.04;

/// A closed tube along y, 30 cm long, with two bones. Weights blend over the middle third; the joint is in its centre.
fn tube() -> (Primitive, Vec<Vec3>) {
    let (rings, segments) = (61_u32, 32_u32);
    let mut p = Primitive::default();
    p.influences.per_vertex = 4;
    let mut push = |position: Vec3| {
        let u = (position.y / 0.1 + 0.5).clamp(0.0, 1.0);
        p.positions.push(position);
        p.normals
            .push(position.with_y(0.0).try_normalize().unwrap_or(Vec3::Y));
        p.influences.joints.extend([0, 1, 0, 0]);
        p.influences.weights.extend([1.0 - u, u, 0.0, 0.0]);
    };
    for ring in 0..rings {
        let y = (ring as f32 / (rings - 1) as f32 - 0.5) * 0.3;
        for i in 0..segments {
            let (sin, cos) = (i as f32 / segments as f32 * std::f32::consts::TAU).sin_cos();
            push(Vec3::new(cos * RADIUS, y, -sin * RADIUS));
        }
    }
    push(Vec3::new(0.0, -0.15, 0.0));
    push(Vec3::new(0.0, 0.15, 0.0));
    for ring in 0..rings - 1 {
        for i in 0..segments {
            let (a, b) = (ring * segments + i, ring * segments + (i + 1) % segments);
            let (c, d) = (a + segments, b + segments);
            p.indices.extend([a, b, c, c, b, d]);
        }
    }
    let (low, high, top) = (
        rings * segments,
        rings * segments + 1,
        (rings - 1) * segments,
    );
    for i in 0..segments {
        let next = (i + 1) % segments;
        p.indices.extend([low, next, i, high, top + i, top + next]);
    }
    let rest = p.positions.clone();
    (p, rest)
}

/// Signed volume enclosed by the triangles.
fn volume(p: &Primitive, positions: &[Vec3]) -> f32 {
    let corner = |v: u32| positions[v as usize];
    let one = |t: &[u32]| corner(t[0]).dot(corner(t[1]).cross(corner(t[2]))) / 6.0;
    p.indices.chunks_exact(3).map(one).sum()
}

/// Largest stretch factor of an edge.
fn stretch(p: &Primitive, rest: &[Vec3], positions: &[Vec3]) -> f32 {
    let length = |at: &[Vec3], a: u32, b: u32| at[a as usize].distance(at[b as usize]);
    let triangles = p.indices.chunks_exact(3);
    let edges = triangles.flat_map(|t| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])]);
    let factors = edges.map(|(a, b)| length(positions, a, b) / length(rest, a, b));
    factors.fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tube_at_rest_has_its_volume_and_no_stretch() {
        let (tube, rest) = tube();
        let round = std::f32::consts::PI * RADIUS * RADIUS * 0.3;
        assert!((volume(&tube, &rest) / round - 1.0).abs() < 0.01);
        assert!((stretch(&tube, &rest, &rest) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn dual_quaternions_lose_less_volume_to_a_twist() {
        let rows = of_joints();
        let value = |name: &str| rows.iter().find(|row| row.name == name).unwrap().value;
        let (linear, dual) = (
            value("DQS.twist150.linear"),
            value("DQS.twist150.dual_quaternion"),
        );
        assert!(dual > 98.0 && linear < 95.0, "{dual} {linear}");
    }

    #[test]
    fn trimming_keeps_the_sum_and_the_largest() {
        let influences = Influences {
            per_vertex: 4,
            joints: vec![0; 4],
            weights: vec![0.1, 0.6, 0.15, 0.15],
        };
        assert_eq!(trimmed(&influences, 0.2).weights, [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(trimmed(&influences, 0.05).weights, influences.weights);
    }
}
