//! Plate armour on the mannequin's bones: a cuirass from its own field, and plates as surfaces around limbs; golden rolls
//! along the edges.

use std::collections::BTreeMap;
use std::f32::consts::TAU;

use glam::Vec3;

use super::solid::{SolidMesh, WornPiece, material, worn};
use crate::{
    Forged,
    body::BodyField,
    cut,
    rig::{self, ANKLE, HIP, KNEE, SHOULDER},
    sdf::{Loft, LoftRing, ring, smin, smoothstep},
    simplify, surface, weights,
};
use galatea_asset::model::Material;

/// Radius of the rolled edges, metres.
const ROLL: f32 = 0.0036;

/// The breast and back plates, upright: sideways, then forward.
const CUIRASS: &[LoftRing] = &[
    ring(0.990, 0.0, -0.004, 0.148, 0.116),
    ring(1.040, 0.0, -0.002, 0.134, 0.106),
    ring(1.090, 0.0, 0.000, 0.129, 0.102),
    ring(1.150, 0.0, 0.002, 0.136, 0.110),
    ring(1.220, 0.0, 0.004, 0.150, 0.123),
    ring(1.290, 0.0, 0.000, 0.158, 0.122),
    ring(1.350, 0.0, -0.010, 0.156, 0.110),
    ring(1.400, 0.0, -0.020, 0.134, 0.090),
    ring(1.440, 0.0, -0.028, 0.098, 0.076),
];

/// Cuirass, pauldrons, fauld, bracers, knee cops and greaves of steel, and a helmet that can be hidden: parts `plates` and
/// `helmet`.
pub fn armour() -> Forged {
    let mut plates = Suit::default();
    plates.cuirass();
    plates.fauld();
    for side in [1.0, -1.0] {
        plates.pauldron(side);
        plates.bracer(side);
        plates.leg(side);
    }
    let mut helmet = Suit::default();
    helmet.helmet();
    let metal = |name, color, rough| Material {
        double_sided: true,
        ..material(name, color, 1.0, rough)
    };
    worn(
        "armour",
        vec![("plates", plates.pieces()), ("helmet", helmet.pieces())],
        vec![
            metal("steel", [0.56, 0.57, 0.60], 0.26),
            metal("trim", [0.90, 0.62, 0.27], 0.28),
        ],
    )
}

type SkinWeights = ([u16; 4], [f32; 4]);

/// Plates and their rolled edges, with skin weights.
#[derive(Default)]
struct Suit {
    steel: (SolidMesh, Vec<SkinWeights>),
    trim: (SolidMesh, Vec<SkinWeights>),
}

impl Suit {
    fn pieces(self) -> Vec<WornPiece> {
        [(self.steel, 0), (self.trim, 1)]
            .into_iter()
            .map(|((solid, holds), material)| WornPiece {
                solid,
                material,
                holds,
            })
            .collect()
    }

    fn steel(&mut self, solid: SolidMesh, hold: impl Fn(Vec3) -> SkinWeights) {
        self.steel
            .1
            .extend(solid.positions.iter().map(|p| hold(*p)));
        self.steel.0.add(solid);
    }

    fn roll(&mut self, line: &[Vec3], closed: bool, hold: impl Fn(Vec3) -> SkinWeights) {
        let solid = SolidMesh::tube(line, ROLL, 3, closed);
        self.trim.1.extend(solid.positions.iter().map(|p| hold(*p)));
        self.trim.0.add(solid);
    }

    /// Adds a plate over (u, v), mirrored for the right side; `edges` selects the rolled edges: v = 0, v = 1, u = 0 and u =
    /// 1.
    fn plate(
        &mut self,
        side: f32,
        size: (u32, u32),
        edges: [bool; 4],
        hold: impl Fn(Vec3) -> SkinWeights + Copy,
        place: impl Fn(f32, f32) -> Vec3 + Copy,
    ) {
        let (rows, columns) = size;
        let patch = SolidMesh::patch(rows, columns, place);
        let flip = Vec3::new(side, 1.0, 1.0);
        self.steel(if side < 0.0 { patch.mirrored() } else { patch }, hold);
        let along = |n: u32, at: &dyn Fn(f32) -> Vec3| -> Vec<Vec3> {
            let n = (n * 3 / 4).max(4);
            (0..=n).map(|i| at(i as f32 / n as f32) * flip).collect()
        };
        let lines = [
            along(columns, &|u| place(u, 0.0)),
            along(columns, &|u| place(u, 1.0)),
            along(rows, &|v| place(0.0, v)),
            along(rows, &|v| place(1.0, v)),
        ];
        for (line, _) in lines.iter().zip(edges).filter(|(_, rolled)| *rolled) {
            let closed = line[0].distance(line[line.len() - 1]) < 1e-4;
            let n = line.len() - usize::from(closed);
            self.roll(&line[..n], closed, hold);
        }
    }

    fn cuirass(&mut self) {
        let body = BodyField::default();
        let loft = Loft::upright(CUIRASS);
        let field = |p: Vec3| {
            let mut d = smin(loft.distance(p), body.distance(p) - 0.009, 0.022);
            // A ridge down the front, a groove down the back.
            let front = smoothstep(-0.02, 0.06, p.z);
            let high = smoothstep(1.02, 1.16, p.y) * smoothstep(1.40, 1.28, p.y);
            d -= 0.0075 * (-(p.x / 0.020).abs()).exp() * front * high;
            d + 0.004 * (-(p.x / 0.022).powi(2)).exp() * (1.0 - front)
        };
        let inside = |p: Vec3| {
            let q = Vec3::new(p.x.abs(), p.y, p.z);
            let waist =
                q.y - 1.045 + 0.030 * (-(q.x / 0.045).powi(2)).exp() * smoothstep(0.0, 0.05, q.z);
            let neck = ((q.x / 0.100).hypot((q.z + 0.016) / 0.096) - 1.0) * 0.09;
            let neck = neck.max(1.375 - q.y);
            let slope = Vec3::new(0.929, -0.370, 0.0);
            let arm = (0.000 - (q - SHOULDER).dot(slope)).max(0.130 - q.x);
            let hole = ((q - SHOULDER - Vec3::new(0.02, -0.020, 0.004))
                / Vec3::new(0.085, 0.085, 0.072))
            .length();
            [waist, neck, arm, (hole - 1.0) * 0.07, 1.448 - q.y]
                .into_iter()
                .fold(f32::MAX, f32::min)
        };
        let grid = surface::GridAxes::even(
            Vec3::new(-0.26, 0.98, -0.18),
            Vec3::new(0.26, 1.48, 0.18),
            0.0060,
        );
        let mut shell = surface::nets(&grid, field);
        surface::project(&mut shell, field, 0.004);
        simplify::simplify(&mut shell, 1_800, |p| {
            if p.x.abs() < 0.03 && p.z > 0.0 {
                1.5
            } else {
                1.0
            }
        });
        surface::relax(&mut shell, field, 2);
        cut::mirror(&mut shell);
        cut::cut_along(&mut shell, inside);
        let positions = &shell.positions;
        let middle = |t: &[u32; 3]| t.iter().map(|i| positions[*i as usize]).sum::<Vec3>() / 3.0;
        shell
            .triangles
            .retain(|t| inside(middle(t)) > 0.0 && field(middle(t)).abs() < 0.004);
        let shell = packed(&shell);
        for line in borders(&shell) {
            let even = resampled(&line);
            self.roll(&even, true, |p| trunk_weights(p, &body));
        }
        let solid = SolidMesh::of_shell(&shell, |p| surface::normal(field, p, 0.0015));
        self.steel(solid, |p| trunk_weights(p, &body));
    }

    /// Hoops that hang from the waist.
    fn fauld(&mut self) {
        for (i, (high, low)) in [(1.052, 0.985), (1.000, 0.930), (0.945, 0.868)]
            .into_iter()
            .enumerate()
        {
            let out = 0.0045 * (2 - i) as f32;
            let place = move |u: f32, v: f32| {
                let y = low + (high - low) * v;
                let angle = u * TAU;
                let down = ((1.05 - y) / 0.18).clamp(0.0, 1.0);
                let wide = 0.140 + 0.052 * smoothstep(0.0, 0.75, down) - out * 0.3;
                let deep = 0.108 + 0.042 * smoothstep(0.0, 0.75, down) - out * 0.3;
                let flare = 0.006 * (1.0 - v);
                // The lowest hoop is cut up in the middle, so that the legs can move.
                let lift = if i == 2 {
                    0.026 * (1.0 - v) * angle.cos().abs().powi(6)
                } else {
                    0.0
                };
                Vec3::new(
                    (wide + flare) * angle.sin(),
                    y + lift,
                    -0.006 + (deep + flare) * angle.cos(),
                )
            };
            self.plate(
                1.0,
                (3, 44),
                [true, false, false, false],
                |_| one("hips"),
                place,
            );
        }
    }

    /// Three plates over the shoulder.
    fn pauldron(&mut self, side: f32) {
        let dir = rig::arm_dir();
        let up = Vec3::new(-dir.y, dir.x, 0.0);
        let name = |bone: &str| sided(bone, side);
        let (shoulder, arm) = (name("shoulder"), name("upper_arm"));
        for i in (0..3).rev() {
            let f = i as f32;
            let (from, to) = (-0.072 + 0.068 * f, 0.040 + 0.046 * f);
            let place = move |u: f32, v: f32| {
                let t = from + (to - from) * (1.0 - v);
                let angle = (u * 2.0 - 1.0) * (1.95 - 0.12 * f);
                let dome = if i == 0 {
                    0.084 * (1.0 - ((t - 0.030) / 0.104).powi(2)).max(0.0).powf(0.42)
                } else {
                    0.083 - 0.0075 * f - 0.10 * (t - from)
                };
                let flare = 0.007 * (1.0 - v).powi(3);
                let r = dome.max(0.004) + flare;
                SHOULDER + Vec3::new(0.006, 0.004, 0.004) + dir * t + up * (r * angle.cos())
                    - Vec3::Z * (r * 0.94 * angle.sin())
            };
            let share = if i == 0 { 0.55 } else { 1.0 };
            let hold = |_: Vec3| two(&shoulder, &arm, share);
            self.plate(side, (5, 14), [true, false, true, true], hold, place);
        }
    }

    /// A plate around the lower arm, and one behind the elbow.
    fn bracer(&mut self, side: f32) {
        let (dir, hinge) = (rig::arm_dir(), rig::arm_hinge());
        let lower = sided("lower_arm", side);
        let place = move |u: f32, v: f32| {
            let t = 0.325 + 0.165 * v;
            let angle = -u * TAU;
            let thick = 0.0455 - 0.014 * v + 0.010 * (2.0 * v - 1.0).powi(6);
            SHOULDER
                + dir * t
                + hinge * (thick * angle.cos())
                + Vec3::Z * ((thick + 0.001) * angle.sin())
        };
        self.plate(
            side,
            (5, 18),
            [true, true, false, false],
            |_| one(&lower),
            place,
        );
        let upper = sided("upper_arm", side);
        let cop = move |u: f32, v: f32| {
            // A shell behind the elbow.
            let angle = (u * 2.0 - 1.0) * 1.35;
            let rise = (v * 2.0 - 1.0) * 1.15;
            let back = -Vec3::Z;
            let out = -hinge;
            let r = 0.050 + 0.010 * (-(rise * rise + angle * angle) * 5.0).exp();
            SHOULDER
                + dir * (rig::UPPER_ARM - 0.048 * rise.sin())
                + (back * angle.cos() + out * angle.sin()) * (r * rise.cos().max(0.55))
        };
        self.plate(side, (7, 10), [true; 4], |_| two(&upper, &lower, 0.5), cop);
    }

    /// Thigh, knee and shin.
    fn leg(&mut self, side: f32) {
        let (upper, lower) = (sided("upper_leg", side), sided("lower_leg", side));
        let thigh = move |u: f32, v: f32| {
            let y = 0.545 + 0.215 * v;
            let angle = (u * 2.0 - 1.0) * 1.75 + 0.25;
            let r = 0.073 + 0.030 * v;
            let at = KNEE.lerp(HIP, (y - KNEE.y) / (HIP.y - KNEE.y));
            Vec3::new(
                at.x + r * angle.sin(),
                y,
                at.z - 0.002 + r * 1.05 * angle.cos(),
            )
        };
        self.plate(side, (5, 14), [true; 4], |_| one(&upper), thigh);
        let shin = move |u: f32, v: f32| {
            let y = 0.105 + 0.330 * v;
            let angle = (u * 2.0 - 1.0) * 2.1;
            let calf = 0.047 + 0.020 * (-((y - 0.33) / 0.13).powi(2)).exp() + 0.004 * v;
            let back = 0.010 * (-angle.cos()).max(0.0);
            let keel = 0.006 * (-(angle / 0.22).abs()).exp();
            let at = ANKLE.lerp(KNEE, (y - ANKLE.y) / (KNEE.y - ANKLE.y));
            let r = calf + keel;
            Vec3::new(
                at.x + calf * angle.sin(),
                y,
                at.z - 0.003 + (r + back) * angle.cos(),
            )
        };
        self.plate(side, (8, 14), [true; 4], |_| one(&lower), shin);
        let cop = move |u: f32, v: f32| {
            let angle = (u * 2.0 - 1.0) * 1.5;
            let rise = (v * 2.0 - 1.0) * 1.2;
            let wing = 0.020 * smoothstep(0.7, 1.5, angle) * rise.cos();
            let r = 0.067 + 0.007 * (-(angle / 0.25).abs()).exp() + wing;
            KNEE + Vec3::new(
                r * angle.sin() * rise.cos().max(0.6),
                0.058 * rise.sin(),
                r * angle.cos() * rise.cos().max(0.6),
            )
        };
        self.plate(side, (8, 12), [true; 4], |_| two(&upper, &lower, 0.5), cop);
    }

    /// An open helmet with a comb.
    fn helmet(&mut self) {
        let middle = Vec3::new(0.0, 1.618, -0.030);
        let radii = Vec3::new(0.103, 0.112, 0.143);
        let hold = |_: Vec3| one("head");
        let place = move |u: f32, v: f32| {
            let angle = (u * 2.0 - 1.0) * std::f32::consts::PI;
            let side = angle.abs();
            // Brow in front, cheeks at the sides, neck at the back.
            let face = smoothstep(0.78, 0.98, side);
            let low = 1.634 - 0.158 * face + 0.020 * smoothstep(1.35, 2.2, side);
            let low = ((low - middle.y) / radii.y).clamp(-1.6, 0.99);
            let start = if low < -0.999 { -1.5 } else { low.asin() };
            let end = std::f32::consts::FRAC_PI_2 - 0.02;
            let rise = start + (end - start) * v;
            let skirt = (low + 1.0).min(0.0);
            // Below its widest point it continues straight down and slightly outwards.
            let level = rise.max(-0.25).cos();
            let drop = if rise < -0.25 {
                (rise + 0.25) * 0.95
            } else {
                0.0
            };
            let flare = 1.0 - 0.10 * drop * smoothstep(1.8, 2.8, side) - 0.0 * skirt;
            let up = rise.max(-0.25).sin() + drop;
            middle
                + Vec3::new(
                    radii.x * level * flare * angle.sin(),
                    radii.y * up,
                    radii.z * level * flare * angle.cos(),
                )
        };
        self.plate(1.0, (10, 44), [true, false, false, false], hold, place);
        // The comb, from the brow over the crown to the nape.
        for side in [1.0, -1.0] {
            let comb = move |u: f32, v: f32| {
                let angle = 0.42 + 2.45 * u;
                let high = 0.030 * (u * std::f32::consts::PI).sin().max(0.0).powf(0.7) * v;
                let thin = 0.006 * (1.0 - v) + 0.0004;
                let r = Vec3::new(
                    0.0,
                    angle.sin() * (radii.y - 0.002 + high),
                    angle.cos() * (radii.z - 0.002 + high),
                );
                middle + r + Vec3::X * thin
            };
            self.plate(side, (2, 22), [false, side > 0.0, false, false], hold, comb);
        }
    }
}

fn joint(name: &str) -> u16 {
    rig::skeleton().find(name).map_or(0, |bone| bone - 1)
}

fn sided(bone: &str, side: f32) -> String {
    let word = if side > 0.0 { "left" } else { "right" };
    format!("{word}_{bone}")
}

fn one(name: &str) -> SkinWeights {
    ([joint(name), 0, 0, 0], [1.0, 0.0, 0.0, 0.0])
}

/// Weights of two bones; `share` is the weight of the second.
fn two(first: &str, second: &str, share: f32) -> SkinWeights {
    (
        [joint(first), joint(second), 0, 0],
        [1.0 - share, share, 0.0, 0.0],
    )
}

/// Weights of the mannequin's skin at a point without the arms: plates do not bend with them.
fn trunk_weights(p: Vec3, body: &BodyField) -> SkinWeights {
    let parts = body.parts(p);
    let skeleton = rig::skeleton();
    let (bones, shares) = weights::at(p, &parts, &skeleton);
    let mut all: BTreeMap<u16, f32> = BTreeMap::new();
    for (bone, share) in bones.into_iter().zip(shares) {
        let name = &skeleton.bones()[usize::from(bone)].name;
        let rigid = match name.as_str() {
            "hips" | "spine" => name.as_str(),
            _ => "chest",
        };
        *all.entry(joint(rigid)).or_default() += share;
    }
    let mut hold = ([0; 4], [0.0; 4]);
    for (k, (bone, share)) in all.into_iter().enumerate() {
        hold.0[k] = bone;
        hold.1[k] = share;
    }
    hold
}

/// The mesh without vertices that no triangle uses.
fn packed(shell: &surface::Shell) -> surface::Shell {
    let mut out = surface::Shell::default();
    let mut names = BTreeMap::new();
    for t in &shell.triangles {
        out.triangles.push(t.map(|i| {
            *names.entry(i).or_insert_with(|| {
                out.positions.push(shell.positions[i as usize]);
                out.positions.len() as u32 - 1
            })
        }));
    }
    out
}

/// The closed border lines of the mesh; tiny ones are skipped.
fn borders(shell: &surface::Shell) -> Vec<Vec<Vec3>> {
    let mut next: BTreeMap<u32, u32> = BTreeMap::new();
    let edges: std::collections::BTreeSet<(u32, u32)> = shell
        .triangles
        .iter()
        .flat_map(|t| (0..3).map(move |k| (t[k], t[(k + 1) % 3])))
        .collect();
    for (a, b) in &edges {
        if !edges.contains(&(*b, *a)) {
            next.insert(*a, *b);
        }
    }
    let mut lines = Vec::new();
    while let Some((&start, _)) = next.iter().next() {
        let mut line = Vec::new();
        let mut at = start;
        while let Some(to) = next.remove(&at) {
            line.push(shell.positions[at as usize]);
            at = to;
        }
        if line.len() > 24 {
            lines.push(line);
        }
    }
    lines
}

/// A closed line resampled with equal steps and rounded corners.
fn resampled(line: &[Vec3]) -> Vec<Vec3> {
    let n = line.len();
    let long: f32 = (0..n).map(|i| line[i].distance(line[(i + 1) % n])).sum();
    let count = (long / 0.020).round().max(12.0) as usize;
    let mut out = Vec::with_capacity(count);
    let (mut i, mut gone) = (0, 0.0);
    for k in 0..count {
        let want = long * k as f32 / count as f32;
        while gone + line[i % n].distance(line[(i + 1) % n]) < want {
            gone += line[i % n].distance(line[(i + 1) % n]);
            i += 1;
        }
        let step = line[i % n].distance(line[(i + 1) % n]).max(1e-9);
        out.push(line[i % n].lerp(line[(i + 1) % n], (want - gone) / step));
    }
    for _ in 0..3 {
        let before = out.clone();
        let n = before.len();
        for (k, p) in out.iter_mut().enumerate() {
            *p = before[k] * 0.5 + (before[(k + 1) % n] + before[(k + n - 1) % n]) * 0.25;
        }
    }
    out
}
