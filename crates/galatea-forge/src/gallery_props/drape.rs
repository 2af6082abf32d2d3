//! A cape: cloth dropped over the figure's distance field until it rests (position based dynamics, Müller et al. 2007).

use glam::{Vec2, Vec3};

use super::solid::{SolidMesh, WornPiece, material, worn};
use crate::{Forged, body::BodyField, rig, sdf::smoothstep, surface};
use galatea_asset::model::{Material, MaterialKind, Sheen};

/// Number of points across and down.
const COLUMNS: usize = 53;
const ROWS: usize = 46;
/// Width at the collar and at the hem, and length, metres.
const COLLAR: f32 = 0.50;
const HEM: f32 = 1.75;
const LENGTH: f32 = 1.13;
/// Distance of the cloth from the skin, and from the trunk, where it covers armour; metres.
const SKIN_DISTANCE: f32 = 0.014;
const OVER_PLATES: f32 = 0.047;

/// A velvet cape with a golden hem and clasp, on the figure's bones.
pub fn cape() -> Forged {
    let points = simulated();
    let cloth = sheet(&points, 0, ROWS - 3);
    let hem = sheet(&points, ROWS - 3, ROWS - 1);
    let mut clasp = SolidMesh::default();
    let ends = [points[0], points[COLUMNS - 1]];
    for end in ends {
        let disc = SolidMesh::lathe(
            &[
                &[(0.0, -0.004), (0.021, -0.004)],
                &[(0.021, -0.004), (0.021, 0.0), (0.014, 0.0045), (0.0, 0.006)],
            ],
            28,
        );
        let turn = glam::Quat::from_rotation_arc(
            Vec3::Y,
            Vec3::new(0.35 * end.x.signum(), 0.25, 0.9).normalize(),
        );
        clasp.add(disc.transformed(glam::Mat4::from_rotation_translation(
            turn,
            end + Vec3::Z * 0.006,
        )));
    }
    let body = BodyField::default();
    let chain: Vec<Vec3> = (0..=24)
        .map(|i| {
            let t = i as f32 / 24.0;
            let mut p =
                ends[0].lerp(ends[1], t) - Vec3::Y * (0.035 * (1.0 - (2.0 * t - 1.0).powi(2)));
            p.z += 0.03;
            for _ in 0..8 {
                p.z -= (body.distance(p) - 0.006).clamp(-0.02, 0.02) * 0.8;
            }
            p
        })
        .collect();
    clasp.add(SolidMesh::tube(&chain, 0.0026, 8, false));
    let velvet = Material {
        kind: MaterialKind::Cloth,
        double_sided: true,
        sheen: Sheen {
            color: Vec3::new(0.50, 0.09, 0.11),
            roughness: 0.34,
            ..Sheen::default()
        },
        ..material("velvet", [0.075, 0.003, 0.008], 0.0, 0.92)
    };
    let gold = Material {
        double_sided: true,
        ..material("gold", [0.86, 0.58, 0.24], 0.9, 0.38)
    };
    let hung = |solid: SolidMesh, material: usize| {
        let holds = solid.positions.iter().map(|p| hold(*p)).collect();
        WornPiece {
            solid,
            material,
            holds,
        }
    };
    worn(
        "cape",
        vec![("cape", vec![hung(cloth, 0), hung(hem, 1), hung(clasp, 1)])],
        vec![velvet, gold],
    )
}

/// Weights of chest and hips: hanging cloth follows rotations of the chest only partly.
fn hold(p: Vec3) -> ([u16; 4], [f32; 4]) {
    let skeleton = rig::skeleton();
    let joint = |name: &str| skeleton.find(name).map_or(0, |bone| bone - 1);
    let low = smoothstep(1.32, 0.95, p.y);
    (
        [joint("chest"), joint("hips"), 0, 0],
        [1.0 - low, low, 0.0, 0.0],
    )
}

/// Rows `from` to `to` of the cloth with their normals.
fn sheet(points: &[Vec3], from: usize, to: usize) -> SolidMesh {
    let mut solid = SolidMesh::default();
    let p = |i: usize, j: usize| points[j * COLUMNS + i];
    for j in from..=to {
        for i in 0..COLUMNS {
            let across = p((i + 1).min(COLUMNS - 1), j) - p(i.saturating_sub(1), j);
            let down = p(i, (j + 1).min(ROWS - 1)) - p(i, j.saturating_sub(1));
            solid.positions.push(p(i, j));
            solid
                .normals
                .push(across.cross(down).normalize_or(Vec3::NEG_Z));
            solid
                .uv
                .push(Vec2::new(i as f32 / COLUMNS as f32, j as f32 / ROWS as f32));
        }
    }
    for j in 0..(to - from) as u32 {
        for i in 0..COLUMNS as u32 - 1 {
            let a = j * COLUMNS as u32 + i;
            let (b, c) = (a + 1, a + COLUMNS as u32);
            solid.indices.extend([a, b, c + 1, a, c + 1, c]);
        }
    }
    solid
}

/// The collar: from the right collar bone around the back of the neck to the left one.
fn collar(u: f32) -> Vec3 {
    let side = u * 2.0 - 1.0;
    let turn = side * 2.05;
    Vec3::new(
        -0.142 * turn.sin() * (1.0 - 0.10 * turn.cos()),
        1.452 - 0.034 * (1.0 - turn.cos()) * 0.5,
        -0.022 - 0.094 * turn.cos(),
    )
}

/// Simulates the cloth until it rests.
fn simulated() -> Vec<Vec3> {
    let body = BodyField::default();
    let mut points = initial();
    let links = links();
    let mut speed = vec![Vec3::ZERO; points.len()];
    const DT: f32 = 1.0 / 60.0;
    for _ in 0..220 {
        let before = points.clone();
        for (k, p) in points.iter_mut().enumerate().skip(COLUMNS) {
            speed[k] = speed[k] * 0.965 + Vec3::NEG_Y * (9.81 * DT);
            *p += speed[k] * DT;
        }
        for _ in 0..14 {
            links.iter().for_each(|link| link.pull(&mut points));
        }
        for (p, before) in points.iter_mut().zip(&before).skip(COLUMNS) {
            keep_off(&body, p, *before);
        }
        for (k, p) in points.iter().enumerate() {
            speed[k] = (*p - before[k]) / DT;
        }
    }
    points
}

/// The initial cloth, spread out from the collar.
fn initial() -> Vec<Vec3> {
    let mut points = Vec::with_capacity(COLUMNS * ROWS);
    for j in 0..ROWS {
        let v = j as f32 / (ROWS - 1) as f32;
        for i in 0..COLUMNS {
            let u = i as f32 / (COLUMNS - 1) as f32;
            let top = collar(u);
            let out = Vec3::new(top.x * 2.2, 0.0, (top.z + 0.02) * 1.6 - 0.22);
            let wave = 0.030 * (u * 34.0).sin() * v;
            points.push(
                top + out * (v * 0.75) + Vec3::new(0.0, -v * LENGTH * 0.86, -0.05 * v + wave),
            );
        }
    }
    points
}

/// Distance constraint between two points of the cloth.
struct ClothLink {
    ends: [usize; 2],
    /// Rest length, metres.
    rest: f32,
    /// Fraction of the error that one iteration corrects.
    stiff: f32,
}

impl ClothLink {
    fn new(a: usize, b: usize, rest: f32, stiff: f32) -> Self {
        let ends = [a, b];
        Self { ends, rest, stiff }
    }

    fn pull(&self, points: &mut [Vec3]) {
        // The collar is fixed.
        let free = |index: usize| if index < COLUMNS { 0.0 } else { 1.0 };
        let [a, b] = self.ends;
        let (wa, wb) = (free(a), free(b));
        let d = points[b] - points[a];
        let long = d.length();
        if wa + wb > 0.0 && long > 1e-6 {
            let move_by = d * ((long - self.rest) / long * self.stiff / (wa + wb));
            points[a] += move_by * wa;
            points[b] -= move_by * wb;
        }
    }
}

fn links() -> Vec<ClothLink> {
    let mut links = Vec::new();
    let mut link = |a, b, rest, stiff| links.push(ClothLink::new(a, b, rest, stiff));
    let down = LENGTH / (ROWS - 1) as f32;
    for j in 0..ROWS {
        let wide = COLLAR + (HEM - COLLAR) * (j as f32 / (ROWS - 1) as f32).powf(0.8);
        let wide = wide / (COLUMNS - 1) as f32;
        for i in 0..COLUMNS {
            let a = j * COLUMNS + i;
            if i + 1 < COLUMNS && j > 0 {
                link(a, a + 1, wide, 0.9);
            }
            if j + 1 < ROWS {
                link(a, a + COLUMNS, down, 0.9);
                if i + 1 < COLUMNS {
                    let long = wide.hypot(down);
                    link(a, a + COLUMNS + 1, long, 0.25);
                    link(a + 1, a + COLUMNS, long, 0.25);
                }
            }
            // Bending constraints prevent sharp folds.
            if i + 2 < COLUMNS && j > 0 {
                link(a, a + 2, wide * 1.9, 0.06);
            }
            if j + 2 < ROWS {
                link(a, a + 2 * COLUMNS, down * 1.96, 0.10);
            }
        }
    }
    links
}

/// Pushes a point out of the body and above the ground; `before` is its previous position.
fn keep_off(body: &BodyField, p: &mut Vec3, before: Vec3) {
    let trunk = smoothstep(0.80, 0.90, p.y) * smoothstep(1.46, 1.40, p.y);
    let away = SKIN_DISTANCE + (OVER_PLATES - SKIN_DISTANCE) * trunk;
    let d = body.distance(*p);
    if d < away {
        let n = surface::normal(|p| body.distance(p), *p, 0.004);
        *p += n * (away - d).min(0.02);
        // Friction.
        *p = p.lerp(before + n * n.dot(*p - before), 0.4);
    }
    p.y = p.y.max(0.02);
}
