//! Standing props: a material ball, a vase, a pedestal, lights, a backdrop, a bust.

use std::f32::consts::{PI, TAU};

use glam::{Mat4, Vec3};

use super::solid::{SolidMesh, material, rigid};
use crate::{
    Forged,
    body::BodyField,
    sdf::{ellipsoid, smax, smin},
    simplify, surface,
};
use galatea_asset::model::{Clearcoat, Material, Transmission};

/// Points of an arc around (0, `height`), with angles from straight down, degrees.
fn arc(radius: f32, height: f32, from: f32, to: f32, n: usize) -> Vec<(f32, f32)> {
    (0..=n)
        .map(|i| {
            let angle = (from + (to - from) * i as f32 / n as f32).to_radians();
            (radius * angle.sin().max(0.0), height - radius * angle.cos())
        })
        .collect()
}

/// A material ball with a groove around a dark core, on a foot: 0.26 m high. The part `paint` shows the material.
pub fn knob() -> Forged {
    const R: f32 = 0.100;
    const IN: f32 = 0.088;
    const UP: f32 = 0.150;
    let lower = arc(R, UP, 24.0, 99.0, 12);
    let upper = arc(R, UP, 113.0, 180.0, 12);
    let (low_end, high_end) = (lower[lower.len() - 1], upper[0]);
    let inward = |(x, y): (f32, f32)| (x * 0.86, UP + (y - UP) * 0.86);
    let first = lower[0];
    let ball = SolidMesh::lathe(
        &[
            &[(first.0 * 0.86, UP + (first.1 - UP) * 0.86), first],
            &lower,
            &[low_end, inward(low_end)],
            &[inward(high_end), high_end],
            &upper,
        ],
        56,
    );
    let mut core = SolidMesh::lathe(&[&arc(IN, UP, 20.0, 160.0, 14)], 56);
    core.add(SolidMesh::lathe(
        &[
            &[(0.0, 0.0), (0.066, 0.0)],
            &[(0.066, 0.0), (0.070, 0.003), (0.070, 0.010), (0.066, 0.014)],
            &[
                (0.066, 0.014),
                (0.050, 0.018),
                (0.036, 0.030),
                (0.032, 0.050),
                (0.036, 0.066),
            ],
        ],
        56,
    ));
    rigid(
        "knob",
        vec![
            (ball, material("paint", [0.70, 0.70, 0.70], 0.0, 0.5)),
            (core, material("core", [0.045, 0.047, 0.050], 0.0, 0.55)),
        ],
    )
}

/// A varnished vase with a golden lip, 0.42 m high.
pub fn vase() -> Forged {
    let outside = [
        (0.066, 0.004),
        (0.062, 0.018),
        (0.078, 0.060),
        (0.116, 0.150),
        (0.124, 0.215),
        (0.098, 0.290),
        (0.056, 0.335),
        (0.044, 0.365),
        (0.050, 0.392),
        (0.068, 0.412),
    ];
    let body = SolidMesh::lathe(
        &[
            &[(0.0, 0.0), (0.060, 0.0)],
            &[(0.060, 0.0), (0.066, 0.004)],
            &outside,
        ],
        64,
    );
    let lip = [
        (0.068, 0.410),
        (0.0715, 0.413),
        (0.0715, 0.418),
        (0.067, 0.420),
        (0.062, 0.416),
    ];
    let mut gold = SolidMesh::lathe(&[&lip], 64);
    for (radius, height) in [(0.1233, 0.222), (0.0445, 0.366)] {
        let ring = [
            (radius - 0.002, height - 0.0035),
            (radius + 0.0016, height - 0.002),
            (radius + 0.0016, height + 0.002),
            (radius - 0.002, height + 0.0035),
        ];
        gold.add(SolidMesh::lathe(&[&ring], 64));
    }
    let inside = SolidMesh::lathe(
        &[&[(0.062, 0.416), (0.040, 0.380), (0.036, 0.350), (0.0, 0.330)]],
        40,
    );
    let glaze = Material {
        clearcoat: Clearcoat {
            factor: 1.0,
            roughness: 0.04,
            ..Clearcoat::default()
        },
        ..material("glaze", [0.30, 0.012, 0.022], 0.35, 0.48)
    };
    rigid(
        "vase",
        vec![
            (body, glaze),
            (gold, material("gold", [0.95, 0.68, 0.30], 1.0, 0.22)),
            (inside, material("inside", [0.02, 0.015, 0.015], 0.0, 0.8)),
        ],
    )
}

/// A fluted column of stone, 1.00 m high, 0.36 m wide.
pub fn pedestal() -> Forged {
    let mut stone = SolidMesh::lathe(
        &[
            &[(0.0, 0.0), (0.180, 0.0)],
            &[(0.180, 0.0), (0.180, 0.050)],
            &[(0.180, 0.050), (0.164, 0.056)],
            &[
                (0.164, 0.056),
                (0.172, 0.066),
                (0.172, 0.084),
                (0.152, 0.098),
                (0.146, 0.112),
            ],
        ],
        64,
    );
    stone.add(SolidMesh::patch(8, 160, |u, v| {
        let turn = u * TAU;
        let fade = (v * (1.0 - v) * 14.0).min(1.0).sqrt();
        let flute = 0.006 * (turn * 20.0).cos().abs().powf(0.8) * fade;
        let radius = 0.146 - 0.010 * v - 0.006 * fade + flute;
        Vec3::new(radius * turn.sin(), 0.112 + v * 0.770, radius * turn.cos())
    }));
    stone.add(SolidMesh::lathe(
        &[
            &[
                (0.136, 0.882),
                (0.140, 0.896),
                (0.158, 0.912),
                (0.166, 0.928),
            ],
            &[(0.166, 0.928), (0.178, 0.932)],
            &[(0.178, 0.932), (0.178, 0.992)],
            &[(0.178, 0.992), (0.172, 1.0)],
            &[(0.172, 1.0), (0.0, 1.0)],
        ],
        64,
    ));
    rigid(
        "pedestal",
        vec![(stone, material("stone", [0.72, 0.69, 0.64], 0.0, 0.55))],
    )
}

/// A photographer's backdrop: a floor that curves up into a wall, 9 m wide.
pub fn backdrop() -> Forged {
    let sweep = SolidMesh::patch(40, 8, |u, v| {
        let x = (u - 0.5) * 9.0;
        // Floor, a quarter of a circle, wall.
        let (floor, bend, wall) = (4.0, 1.2 * PI / 2.0, 3.0);
        let s = v * (floor + bend + wall);
        if s < floor {
            Vec3::new(x, 0.0, 3.0 - s)
        } else if s < floor + bend {
            let turn = (s - floor) / 1.2;
            Vec3::new(x, 1.2 - 1.2 * turn.cos(), -1.0 - 1.2 * turn.sin())
        } else {
            Vec3::new(x, 1.2 + s - floor - bend, -2.2)
        }
    });
    rigid(
        "backdrop",
        vec![(sweep, material("paper", [0.42, 0.42, 0.43], 0.0, 0.92))],
    )
}

/// A hanging lantern with its ring at the origin; the flame is 0.21 m below.
pub fn lantern() -> Forged {
    let ring: Vec<Vec3> = (0..28)
        .map(|i| {
            let turn = i as f32 / 28.0 * TAU;
            Vec3::new(0.030 * turn.sin(), -0.030 + 0.030 * turn.cos(), 0.0)
        })
        .collect();
    let mut metal = SolidMesh::tube(&ring, 0.0034, 8, true);
    metal.add(SolidMesh::lathe(
        &[
            &[(0.060, -0.122), (0.076, -0.126), (0.080, -0.120)],
            &[
                (0.080, -0.120),
                (0.058, -0.098),
                (0.026, -0.080),
                (0.018, -0.066),
                (0.012, -0.060),
            ],
            &[(0.012, -0.060), (0.0, -0.056)],
        ],
        40,
    ));
    metal.add(SolidMesh::lathe(
        &[
            &[(0.0, -0.300), (0.058, -0.300)],
            &[
                (0.058, -0.300),
                (0.066, -0.294),
                (0.066, -0.280),
                (0.060, -0.272),
            ],
            &[(0.060, -0.272), (0.0, -0.270)],
        ],
        40,
    ));
    for i in 0..6 {
        let turn = i as f32 / 6.0 * TAU;
        let at = |y: f32| Vec3::new(0.061 * turn.sin(), y, 0.061 * turn.cos());
        metal.add(SolidMesh::tube(
            &[at(-0.278), at(-0.200), at(-0.120)],
            0.0030,
            6,
            false,
        ));
    }
    let pane = SolidMesh::lathe(&[&[(0.056, -0.276), (0.056, -0.120)]], 40);
    let flame = SolidMesh::lathe(
        &[&[
            (0.0, -0.262),
            (0.010, -0.256),
            (0.0155, -0.238),
            (0.0130, -0.214),
            (0.0060, -0.190),
            (0.0, -0.172),
        ]],
        20,
    );
    let glass = Material {
        transmission: Transmission {
            factor: 0.9,
            ..Transmission::default()
        },
        double_sided: true,
        ..material("pane", [1.0, 0.93, 0.82], 0.0, 0.08)
    };
    rigid(
        "lantern",
        vec![
            (metal, material("iron", [0.12, 0.10, 0.085], 0.9, 0.45)),
            (flame, glowing("flame", [1.0, 0.50, 0.14], 9.0)),
            (pane, glass),
        ],
    )
}

/// A torch with its handle at the origin, its flame 0.30 m above.
pub fn torch() -> Forged {
    let wood = SolidMesh::lathe(
        &[
            &[(0.0, -0.22), (0.012, -0.22)],
            &[(0.012, -0.22), (0.014, -0.10), (0.015, 0.05), (0.018, 0.20)],
        ],
        20,
    );
    let iron = SolidMesh::lathe(
        &[
            &[
                (0.018, 0.175),
                (0.026, 0.185),
                (0.040, 0.225),
                (0.046, 0.252),
            ],
            &[(0.046, 0.252), (0.040, 0.252)],
            &[(0.040, 0.252), (0.030, 0.235), (0.0, 0.230)],
        ],
        32,
    );
    let tongue = |scale: f32, lean: Vec3| {
        let line = [
            (0.0, 0.225),
            (0.030, 0.240),
            (0.040, 0.275),
            (0.031, 0.325),
            (0.014, 0.375),
            (0.0, 0.420),
        ];
        let mut flame = SolidMesh::lathe(&[&line], 20);
        for p in &mut flame.positions {
            let up = ((p.y - 0.225) / 0.195).clamp(0.0, 1.0);
            let sway = Vec3::new((up * 7.0).sin(), 0.0, (up * 5.0 + 1.0).cos()) * 0.008 * up;
            *p = Vec3::new(p.x * scale, 0.225 + (p.y - 0.225) * scale, p.z * scale)
                + sway
                + lean * up * up;
        }
        flame
    };
    let mut fire = tongue(1.0, Vec3::new(0.012, 0.0, -0.01));
    fire.add(
        tongue(0.62, Vec3::new(-0.040, 0.0, 0.01))
            .transformed(Mat4::from_translation(Vec3::new(-0.012, 0.0, 0.008))),
    );
    fire.add(
        tongue(0.55, Vec3::new(0.030, 0.0, 0.03))
            .transformed(Mat4::from_translation(Vec3::new(0.014, 0.0, 0.010))),
    );
    let fire = fire.colored(|p| {
        let up = ((p.y - 0.23) / 0.17).clamp(0.0, 1.0);
        Vec3::new(1.0, 1.0 - 0.6 * up, 1.0 - 0.8 * up)
    });
    rigid(
        "torch",
        vec![
            (wood, material("wood", [0.11, 0.055, 0.028], 0.0, 0.8)),
            (iron, material("iron", [0.10, 0.09, 0.08], 0.9, 0.5)),
            (fire, glowing("fire", [1.0, 0.42, 0.09], 7.0)),
        ],
    )
}

fn glowing(name: &str, color: [f32; 3], strength: f32) -> Material {
    Material {
        emissive_factor: Vec3::from(color),
        emissive_strength: strength,
        ..material(name, [0.0, 0.0, 0.0], 0.0, 1.0)
    }
}

/// Stone bust of Galatea: head and shoulders with closed eyes, on a round foot, 0.50 m high.
pub fn bust() -> Forged {
    const UP: f32 = 1.215;
    let body = BodyField::default();
    let field = |p: Vec3| {
        let p = p + Vec3::Y * UP;
        let cut = ellipsoid(
            p,
            Vec3::new(0.0, 1.46, -0.02),
            Vec3::new(0.172, 0.255, 0.150),
        );
        let q = Vec3::new(p.x.abs(), p.y, p.z);
        let chest = smax(body.distance(p), cut, 0.012);
        let stem = ellipsoid(
            q,
            Vec3::new(0.0, 1.225, -0.030),
            Vec3::new(0.050, 0.060, 0.050),
        );
        smin(chest, stem, 0.02)
    };
    let mut grid = surface::GridAxes::even(
        Vec3::new(-0.2, -0.06, -0.2),
        Vec3::new(0.2, 0.52, 0.16),
        0.005,
    );
    for axis in 0..3 {
        let (low, high) = [(-0.09, 0.09), (0.24, 0.52), (-0.17, 0.13)][axis];
        grid.refine(axis, low, high, 0.0025);
    }
    let mut shell = surface::nets(&grid, field);
    surface::project(&mut shell, field, 0.004);
    simplify::simplify(&mut shell, 9_000, |p| {
        let face = (p - Vec3::new(0.0, 1.545 - UP, 0.09)).length();
        if face < 0.075 { 2.0 } else { 1.0 }
    });
    surface::project(&mut shell, field, 0.004);
    surface::relax(&mut shell, field, 2);
    // The field continues below; the foot hides it.
    let mut stone =
        SolidMesh::of_shell(&shell, |p| surface::normal(field, p, 0.0012)).colored(|p| {
            let open = [0.006, 0.016, 0.04].map(|r| {
                let n = surface::normal(field, p, 0.002);
                (field(p + n * r) / r).clamp(0.0, 1.0)
            });
            Vec3::splat(0.72 + 0.28 * (open[0] + open[1] + open[2]) / 3.0)
        });
    stone = stone.transformed(Mat4::from_translation(Vec3::Y * 0.055));
    let foot = SolidMesh::lathe(
        &[
            &[(0.0, 0.0), (0.095, 0.0)],
            &[(0.095, 0.0), (0.095, 0.016)],
            &[
                (0.095, 0.016),
                (0.088, 0.024),
                (0.070, 0.036),
                (0.052, 0.052),
                (0.048, 0.070),
            ],
        ],
        48,
    );
    rigid(
        "bust",
        vec![
            (stone, material("marble", [0.82, 0.80, 0.77], 0.0, 0.42)),
            (foot, material("foot", [0.10, 0.095, 0.09], 0.0, 0.35)),
        ],
    )
}
