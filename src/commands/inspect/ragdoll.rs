//! Report of the ragdoll for `galatea inspect --ragdoll`.

use glam::Vec3;
use serde::Serialize;

use galatea_character::Definition;
use galatea_physics::ragdoll::{BodyShape, FitQuality, JointKind, RagdollDefinition};

#[derive(Debug, Serialize)]
pub struct RagdollReport {
    bodies: Vec<BodyReport>,
    /// Total mass, kilograms.
    mass: f32,
    /// Fraction of the surface inside of the shapes, see [`FitQuality`].
    covered: f32,
    /// Mean distance between surface and shapes, relative to the height.
    misfit: f32,
    /// Pairs of bodies that do not collide with each other, by their bones.
    apart: Vec<[String; 2]>,
    warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct BodyReport {
    bone: String,
    role: Option<&'static str>,
    shape: &'static str,
    /// Size in metres: total length and radius of a capsule, edges of a box along, across and through, radius of a sphere.
    size: Vec<f32>,
    /// Kilograms.
    mass: f32,
    friction: f32,
    joint: Option<JointReport>,
}

#[derive(Debug, Serialize)]
struct JointReport {
    /// Bone of the parent body.
    to: String,
    kind: &'static str,
    /// Half angles of a cone, degrees.
    swing: Option<[f32; 2]>,
    /// Range of the twist, degrees.
    twist: Option<[f32; 2]>,
    /// Range of a hinge, degrees.
    range: Option<[f32; 2]>,
}

/// The automatic ragdoll of a model.
pub fn ragdoll(definition: &Definition) -> RagdollReport {
    let ragdoll: &RagdollDefinition = definition.ragdoll();
    let humanoid = definition.clips.humanoid();
    let name = |body: u16| {
        let bone = ragdoll.bodies.get(usize::from(body)).map(|body| body.bone);
        let bones = definition.model.skeleton.bones();
        let bone = bone.and_then(|bone| bones.get(usize::from(bone)));
        bone.map_or_else(String::new, |bone| bone.name.clone())
    };
    let quality = FitQuality::of(
        ragdoll,
        &definition.model,
        humanoid,
        &definition.rest.locals,
    );
    let bodies = ragdoll.bodies.iter().enumerate();
    RagdollReport {
        bodies: bodies
            .map(|(i, body)| BodyReport {
                bone: name(i as u16),
                role: humanoid.role_of(body.bone).map(|role| role.name()),
                shape: body.shape.name(),
                size: size(&body.shape),
                mass: body.mass,
                friction: body.friction,
                joint: ragdoll
                    .joints
                    .iter()
                    .find(|link| usize::from(link.child) == i)
                    .map(|link| joint_report(name(link.parent), link.kind)),
            })
            .collect(),
        mass: ragdoll.mass(),
        covered: quality.covered,
        misfit: quality.misfit,
        apart: ragdoll
            .ignored_pairs
            .iter()
            .map(|(a, b)| [name(*a), name(*b)])
            .collect(),
        warnings: {
            let [low, high] = definition.rest_box;
            let heavy = too_heavy(ragdoll.mass(), high - low);
            ragdoll.warnings.iter().cloned().chain(heavy).collect()
        },
    }
}

/// Mass above which a warning is given, kilograms (heavier than a rhinoceros): usually the file is not in metres.
const MAX_MASS: f32 = 2000.0;
/// Height above which half of that mass is suspicious, metres, because the mass of humanoid bodies is limited by their
/// height.
const TALL_M: f32 = 3.0;

/// Warning about an implausible mass; `size` is width, height and depth in metres.
fn too_heavy(mass: f32, size: Vec3) -> Option<String> {
    if mass <= MAX_MASS && (size.y <= TALL_M || mass <= MAX_MASS / 2.0) {
        return None;
    }
    let scale = 1.7 / size.max_element().max(1e-3);
    Some(format!(
        "the model weighs {mass:.0} kg and is {:.1} m wide, {:.1} m tall and {:.1} m deep. If the file is not in metres, use `scale = {scale:.2}` (longest side 1.7 m); otherwise set the mass with `hero:ragdoll_bodies {{ mass = 75 }}`",
        size.x, size.y, size.z
    ))
}

fn size(shape: &BodyShape) -> Vec<f32> {
    match *shape {
        BodyShape::Capsule {
            half_length,
            radius,
        } => vec![2.0 * (half_length + radius), radius],
        BodyShape::Box {
            half: Vec3 { x, y, z },
        } => vec![2.0 * y, 2.0 * x, 2.0 * z],
        BodyShape::Sphere { radius } => vec![radius],
    }
}

fn joint_report(to: String, kind: JointKind) -> JointReport {
    let degrees = |angles: [f32; 2]| Some(angles.map(|angle| angle.to_degrees()));
    let none = JointReport {
        to,
        kind: "fixed",
        swing: None,
        twist: None,
        range: None,
    };
    match kind {
        JointKind::Fixed => none,
        JointKind::TwistCone { swing, twist } => JointReport {
            kind: "cone",
            swing: degrees(swing),
            twist: degrees(twist),
            ..none
        },
        JointKind::Hinge { range } => JointReport {
            kind: "hinge",
            range: degrees(range),
            ..none
        },
    }
}

/// The report as lines of text.
pub fn lines(report: &RagdollReport) -> Vec<String> {
    let mut out = vec![format!(
        "ragdoll ({} bodies, {:.1} kg; {:.0}% of the surface is inside the shapes or within 2 cm of them, at a height of 1.7 m)",
        report.bodies.len(),
        report.mass,
        100.0 * report.covered
    )];
    let rows: Vec<[String; 6]> = report.bodies.iter().map(row).collect();
    let head = ["bone", "role", "shape", "metres", "kg", "joint"].map(String::from);
    let all = || std::iter::once(&head).chain(&rows);
    let width = |column: usize| {
        let widths = all().map(|row| row[column].chars().count());
        widths.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..6).map(width).collect();
    for row in all() {
        let cells = row.iter().zip(&widths);
        let line: Vec<String> = cells
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        out.push(format!("  {}", line.join("  ").trim_end()));
    }
    if !report.apart.is_empty() {
        let pairs = report.apart.iter().map(|[a, b]| format!("{a} + {b}"));
        let pairs: Vec<String> = pairs.collect();
        out.push(format!(
            "  do not collide with each other: {}",
            pairs.join(", ")
        ));
    }
    let warnings = report.warnings.iter();
    out.extend(warnings.map(|warning| format!("  note: {warning}")));
    out
}

fn row(body: &BodyReport) -> [String; 6] {
    let size: Vec<String> = body.size.iter().map(|n| format!("{n:.3}")).collect();
    let link = body.joint.as_ref().map_or_else(String::new, |link| {
        let angles = match (link.swing, link.twist, link.range) {
            (Some([a, b]), Some([low, high]), _) => {
                format!(", swing {a:.0} × {b:.0}°, twist {low:.0} to {high:.0}°")
            }
            (_, _, Some([low, high])) => format!(", {low:.0} to {high:.0}°"),
            _ => String::new(),
        };
        format!("{} on {}{angles}", link.kind, link.to)
    });
    [
        body.bone.clone(),
        body.role.unwrap_or("").into(),
        body.shape.into(),
        size.join(" × "),
        format!("{:.2}", body.mass),
        link,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mass_of_tonnes_is_reported_with_the_scale_that_corrects_it() {
        for (mass, size) in [
            (270.0, Vec3::new(2.0, 2.5, 1.0)),
            (900.0, Vec3::new(1.0, 1.6, 2.6)),
            (1900.0, Vec3::new(2.0, 1.8, 4.0)),
        ] {
            assert_eq!(too_heavy(mass, size), None, "{mass}");
        }
        let cow = too_heavy(54_000.0, Vec3::new(2.27, 5.15, 9.17)).unwrap();
        assert!(
            cow.contains("54000 kg") && cow.contains("`scale = 0.19`"),
            "{cow}"
        );
        assert!(too_heavy(1598.0, Vec3::new(3.1, 4.46, 2.69)).is_some());
    }
}
