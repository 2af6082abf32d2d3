//! Eyeballs, lids, lashes and brows: small patches on the eye's sphere, with the blink's offsets.

use glam::{Quat, Vec3};

use super::{
    paint::Paint,
    rig::{EYE, EYE_RADIUS},
};

/// A patch in one paint with the offsets of the `blink` target.
#[derive(Clone, Debug)]
pub struct Patch {
    /// Material of all its triangles.
    pub paint: Paint,
    /// True when it turns with the eye, false when it sits on the head.
    pub turns: bool,
    /// 1 for the left side, -1 for the right.
    pub side: f32,
    /// Metres.
    pub positions: Vec<Vec3>,
    /// Unit length.
    pub normals: Vec<Vec3>,
    /// Offsets at full blink.
    pub blink: Vec<Vec3>,
    /// Counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Resting gap between eyeball and lid, metres.
const LID: f32 = 0.0013;
/// Half the opening between the corners of the eye, seen from its middle, radians.
const CORNER: f32 = 0.93;

/// All patches of both eyes.
pub fn patches() -> Vec<Patch> {
    let left = [
        ball(Paint::Pupil, 0.0, 0.21),
        ball(Paint::Iris, 0.21, 0.55),
        ball(Paint::Sclera, 0.55, 1.70),
        lid(Paint::Skin, upper_edge, 1.35, 0.0),
        lid(Paint::Hair, |u| upper_edge(u) - 0.075, 0.0, 0.10),
        lid(Paint::Skin, lower_edge, -1.25, 0.0),
    ];
    let mut all = Vec::new();
    for side in [1.0, -1.0] {
        for patch in &left {
            let mut patch = patch.clone();
            patch.side = side;
            if side < 0.0 {
                let mirror = Vec3::new(-1.0, 1.0, 1.0);
                for v in patch
                    .positions
                    .iter_mut()
                    .chain(&mut patch.normals)
                    .chain(&mut patch.blink)
                {
                    *v *= mirror;
                }
                for t in &mut patch.triangles {
                    t.swap(1, 2);
                }
            }
            all.push(patch);
        }
    }
    all
}

/// Height of the upper lid's edge over the eye's middle, radians; `u` in -1..=1 goes to the outer
/// corner.
fn upper_edge(u: f32) -> f32 {
    0.36 * (1.0 - u * u).max(0.0).powf(0.7) + 0.07 * u
}

fn lower_edge(u: f32) -> f32 {
    -0.33 * (1.0 - u * u).max(0.0).powf(0.8) + 0.07 * u
}

/// Direction on the eye's sphere: `side` turns outwards, `up` upwards.
fn direction(side: f32, up: f32) -> Vec3 {
    Vec3::new(side.sin() * up.cos(), up.sin(), side.cos() * up.cos())
}

/// A zone of the eyeball between two angles from the axis of sight.
fn ball(paint: Paint, from: f32, to: f32) -> Patch {
    let (around, rings) = (24_u32, if to > 1.0 { 6 } else { 2 });
    let mut patch = empty(paint, true);
    for r in 0..=rings {
        let angle = from + (to - from) * r as f32 / rings as f32;
        // The iris lies a little flatter than the ball, like a lens.
        let radius = EYE_RADIUS * (1.0 - 0.02 * (1.0 - (angle / 0.55).min(1.0)));
        for k in 0..around {
            let turn = k as f32 / around as f32 * std::f32::consts::TAU;
            let n = Vec3::new(
                angle.sin() * turn.cos(),
                angle.sin() * turn.sin(),
                angle.cos(),
            );
            patch.add(EYE + n * radius, n, Vec3::ZERO);
        }
    }
    for r in 0..rings {
        for k in 0..around {
            let (a, b) = (r * around + k, r * around + (k + 1) % around);
            let (c, d) = (a + around, b + around);
            patch.triangles.push([a, c, d]);
            if from > 0.0 || r > 0 {
                patch.triangles.push([a, d, b]);
            }
        }
    }
    patch
}

/// A lid from its `edge` to the constant angle `rim` (or `strip` radians beyond the edge, for
/// lashes). Closing brings the edge of the upper lid down to the lower one.
fn lid(paint: Paint, edge: impl Fn(f32) -> f32, rim: f32, strip: f32) -> Patch {
    let (columns, rows) = (20_u32, if strip > 0.0 { 1 } else { 6 });
    let mut patch = empty(paint, false);
    let upper = rim >= 0.0;
    // The skin of the lids goes on beyond the eye's corners, where both edges meet.
    let reach = if strip > 0.0 { 1.0 } else { 1.35 };
    let lift = if strip > 0.0 { 0.0004 } else { 0.0 };
    for r in 0..=rows {
        for c in 0..=columns {
            let u = (c as f32 / columns as f32 * 2.0 - 1.0) * reach;
            let from = edge(u);
            let to = if strip > 0.0 { from + strip } else { rim };
            let v = r as f32 / rows as f32;
            let up = from + (to - from) * v;
            let n = direction(u * CORNER, up);
            let place = n * (EYE_RADIUS + LID + lift);
            let closed = if upper {
                // The edge meets the lower lid, the hidden rim stays.
                let fall = (upper_edge(u) - lower_edge(u)) * 0.92;
                let share = if strip > 0.0 { 1.0 } else { 1.0 - v * v };
                direction(u * CORNER, up - fall * share) * (EYE_RADIUS + LID * 1.1 + lift)
            } else {
                place
            };
            patch.add(EYE + place, n, closed - place);
        }
    }
    for r in 0..rows {
        for c in 0..columns {
            let a = r * (columns + 1) + c;
            let (b, d) = (a + 1, a + columns + 1);
            let e = d + 1;
            let (first, second) = ([a, b, e], [a, e, d]);
            let flip = |t: [u32; 3]| [t[0], t[2], t[1]];
            if upper {
                patch.triangles.extend([first, second]);
            } else {
                patch.triangles.extend([flip(first), flip(second)]);
            }
        }
    }
    patch
}

fn empty(paint: Paint, turns: bool) -> Patch {
    Patch {
        paint,
        turns,
        side: 1.0,
        positions: Vec::new(),
        normals: Vec::new(),
        blink: Vec::new(),
        triangles: Vec::new(),
    }
}

impl Patch {
    /// Colour factor: lids lie in the shade of the brow.
    pub fn shade(&self) -> Vec3 {
        match (self.turns, self.paint) {
            (true, Paint::Sclera) => Vec3::splat(0.86),
            (false, Paint::Skin) => Vec3::new(0.95, 0.87, 0.85),
            _ => Vec3::ONE,
        }
    }

    fn add(&mut self, position: Vec3, normal: Vec3, blink: Vec3) {
        self.positions.push(position);
        self.normals.push(normal);
        self.blink.push(blink);
    }
}

/// Eyebrows, and the line between the lips, as thin bars that lie on the skin; `drop` finds the
/// skin and its normal along -Z at a place (x, y).
pub fn bars(drop: impl Fn(f32, f32) -> (Vec3, Vec3)) -> Vec<Patch> {
    let brow = |side: f32| {
        bar(side, &drop, move |u| {
            let arch = 1.6070 + 0.0062 * (u * 2.4).sin() - 0.004 * u * u;
            let half = 0.0024 * (1.0 - u).powf(0.45) * (0.55 + 0.45 * (u * 12.0).min(1.0));
            (side * (0.0125 + 0.0365 * u), arch, half)
        })
    };
    let mouth = bar(1.0, &drop, |u| {
        let x = (u * 2.0 - 1.0) * 0.0255;
        let end = (1.0 - (u * 2.0 - 1.0).powi(2)).max(0.0);
        let bow = 1.5212 + 0.9 * x * x + 0.0005 * (x * 420.0).cos() * end;
        (x, bow, 0.0009 * end.powf(0.6))
    });
    vec![brow(1.0), brow(-1.0), mouth]
}

/// One bar; `line` gives (x, y, half of its height) along it.
fn bar(
    side: f32,
    drop: impl Fn(f32, f32) -> (Vec3, Vec3),
    line: impl Fn(f32) -> (f32, f32, f32),
) -> Patch {
    let (columns, rows) = (16_u32, 2_u32);
    let mut patch = empty(Paint::Hair, false);
    patch.side = side;
    for r in 0..=rows {
        for c in 0..=columns {
            let (x, y, half) = line(c as f32 / columns as f32);
            let v = r as f32 / rows as f32 * 2.0 - 1.0;
            let (skin, normal) = drop(x, y + v * half);
            let raise = if r == 1 { 0.0010 } else { 0.0003 };
            let lean = Quat::from_rotation_x(-0.5 * v);
            patch.add(skin + normal * raise, lean * normal, Vec3::ZERO);
        }
    }
    for r in 0..rows {
        for c in 0..columns {
            let a = r * (columns + 1) + c;
            let (b, d, e) = (a + 1, a + columns + 1, a + columns + 2);
            for t in [[a, b, e], [a, e, d]] {
                let flipped = [t[0], t[2], t[1]];
                patch.triangles.push(if side > 0.0 { t } else { flipped });
            }
        }
    }
    patch
}
