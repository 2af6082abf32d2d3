//! Procedural decal images for bodies: blood, wounds, bruises, cuts, holes, dents, scratches, mud, soot and wet.

use std::sync::{Arc, OnceLock};

use glam::{Vec2, Vec3};

use galatea_asset::model::Image;
use galatea_math::noise::layered;
use galatea_math::smoothstep;
use galatea_math::srgb::to_byte;

/// Width and height of the images, pixels.
const SIDE: u32 = 160;

/// A built-in kind of decal.
#[derive(Clone, Copy, Debug)]
pub struct DecalKind {
    /// Name in scripts.
    pub name: &'static str,
    /// Description for the reference.
    pub doc: &'static str,
    /// Default width, metres.
    pub size: f32,
    /// Height from black to white of the relief, metres; negative values press in.
    pub depth: f32,
    /// Perceptual roughness when fresh; `None` keeps the material's.
    pub roughness: Option<f32>,
    /// Drying: time in seconds, and colour factor and roughness when dry.
    pub dry_time: Option<(f64, f32, f32)>,
    /// Fading: lifetime in seconds, and duration of the fade.
    pub fades: Option<(f64, f64)>,
    /// Painter for a position in the square from (-1, -1) to (1, 1): linear colour, opacity, height 0..=1.
    paint: fn(Vec2) -> (Vec3, f32, f32),
}

/// All built-in kinds.
pub static KINDS: [DecalKind; 10] = [
    DecalKind {
        name: "blood",
        doc: "a splash of blood, which dries",
        size: 0.16,
        depth: 0.0008,
        roughness: Some(0.22),
        dry_time: Some((25.0, 0.42, 0.7)),
        fades: None,
        paint: blood,
    },
    DecalKind {
        name: "wound",
        doc: "a hole in flesh with a torn rim; its blood dries",
        size: 0.075,
        depth: 0.006,
        roughness: Some(0.28),
        dry_time: Some((40.0, 0.5, 0.6)),
        fades: None,
        paint: wound,
    },
    DecalKind {
        name: "cut",
        doc: "a slash, twice as long as it is wide; its blood dries",
        size: 0.13,
        depth: 0.004,
        roughness: Some(0.25),
        dry_time: Some((40.0, 0.5, 0.6)),
        fades: None,
        paint: cut,
    },
    DecalKind {
        name: "bruise",
        doc: "blood under the skin",
        size: 0.11,
        depth: 0.0,
        roughness: None,
        dry_time: None,
        fades: None,
        paint: bruise,
    },
    DecalKind {
        name: "hole",
        doc: "a shot through cloth, leather or plate",
        size: 0.035,
        depth: 0.003,
        roughness: Some(0.9),
        dry_time: None,
        fades: None,
        paint: hole,
    },
    DecalKind {
        name: "dent",
        doc: "a dent in metal: no color, only relief",
        size: 0.09,
        depth: 0.008,
        roughness: None,
        dry_time: None,
        fades: None,
        paint: dent,
    },
    DecalKind {
        name: "scratch",
        doc: "bright lines in paint or plate",
        size: 0.14,
        depth: 0.0012,
        roughness: Some(0.45),
        dry_time: None,
        fades: None,
        paint: scratch,
    },
    DecalKind {
        name: "mud",
        doc: "a splash of mud, thick; it dries paler",
        size: 0.18,
        depth: 0.003,
        roughness: Some(0.45),
        dry_time: Some((60.0, 1.9, 0.95)),
        fades: None,
        paint: mud,
    },
    DecalKind {
        name: "soot",
        doc: "dark traces of fire",
        size: 0.24,
        depth: 0.0,
        roughness: Some(0.95),
        dry_time: None,
        fades: None,
        paint: soot,
    },
    DecalKind {
        name: "wet",
        doc: "water, darker and smooth; it dries away",
        size: 0.2,
        depth: 0.0,
        roughness: Some(0.12),
        dry_time: None,
        fades: Some((15.0, 20.0)),
        paint: wet,
    },
];

impl DecalKind {
    /// The kind with this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.name == name)
    }

    /// Colour image (sRGB with alpha) and height image (in R), painted on first use.
    pub fn pictures(&self) -> (Arc<Image>, Arc<Image>) {
        static MADE: [OnceLock<(Arc<Image>, Arc<Image>)>; KINDS.len()] =
            [const { OnceLock::new() }; KINDS.len()];
        let at = KINDS.iter().position(|kind| kind.name == self.name);
        let made = MADE[at.unwrap_or(0)].get_or_init(|| self.paint_all());
        made.clone()
    }

    fn paint_all(&self) -> (Arc<Image>, Arc<Image>) {
        let (mut color, mut relief) = (Vec::new(), Vec::new());
        for i in 0..SIDE * SIDE {
            let at = Vec2::new((i % SIDE) as f32, (i / SIDE) as f32) + 0.5;
            let p = (at / SIDE as f32 * 2.0 - 1.0) * Vec2::new(1.0, -1.0);
            let (linear, opacity, height) = (self.paint)(p);
            // The edge is transparent and flat in any case.
            let inside = smoothstep(1.0, 0.88, p.abs().max_element());
            let byte = |x: f32| (x * 255.0).round().clamp(0.0, 255.0) as u8;
            let [r, g, b] = linear.to_array().map(to_byte);
            color.extend([r, g, b, byte(opacity * inside)]);
            let h = byte(0.5 + (height - 0.5) * inside);
            relief.extend([h, h, h, 255]);
        }
        let image = |name: &str, rgba| {
            Arc::new(Image {
                name: format!("{}{name}", self.name),
                width: SIDE,
                height: SIDE,
                rgba,
            })
        };
        (image("", color), image(" relief", relief))
    }
}

fn noise(p: Vec2, size: f32, seed: u32) -> f32 {
    layered((p / size).extend(0.37), seed, 3)
}

/// Signed distance inside of a splash with fingers and drops around it, about -1..=1.
fn splash(p: Vec2, seed: u32, size: f32) -> f32 {
    let bent = p + Vec2::new(noise(p, 0.5, seed), noise(p, 0.5, seed + 1)) * 0.16;
    let r = bent.length();
    let direction = bent.normalize_or(Vec2::X);
    let finger = layered(direction.extend(0.0) * 2.3, seed + 2, 3);
    let body = size * (0.62 + 0.42 * finger) - r;
    // Drops become fewer and smaller farther out.
    let mut drops: f32 = -1.0;
    for i in 0..34_u32 {
        let angle = i as f32 * 2.399_963 + noise(Vec2::new(i as f32, 0.3), 1.0, seed + 3);
        let far = size
            * (0.75 + 0.75 * (noise(Vec2::new(i as f32 * 1.7, 9.1), 1.0, seed + 4) * 0.5 + 0.5));
        let large = 0.012
            + 0.05 * (noise(Vec2::new(3.3, i as f32 * 2.1), 1.0, seed + 5) * 0.5 + 0.5).powi(3);
        drops = drops.max(large - p.distance(Vec2::from_angle(angle) * far));
    }
    body.max(drops)
}

fn blood(p: Vec2) -> (Vec3, f32, f32) {
    let inside = splash(p, 11, 0.72);
    let opacity = smoothstep(-0.015, 0.03, inside);
    let thick = smoothstep(0.0, 0.3, inside) * (0.75 + 0.25 * noise(p, 0.2, 17));
    let color = Vec3::new(0.30, 0.010, 0.008).lerp(Vec3::new(0.085, 0.003, 0.003), thick);
    (
        color,
        opacity * (0.82 + 0.16 * thick),
        0.5 + 0.3 * opacity * (0.4 + thick),
    )
}

fn wound(p: Vec2) -> (Vec3, f32, f32) {
    let ragged = p.length() + 0.10 * noise(p, 0.35, 23) + 0.05 * noise(p, 0.12, 24);
    let hole = smoothstep(0.26, 0.14, ragged);
    let rim = smoothstep(0.46, 0.30, ragged);
    let around = smoothstep(0.95, 0.45, ragged + 0.08 * noise(p, 0.25, 25));
    let flesh = Vec3::new(0.34, 0.030, 0.022)
        .lerp(Vec3::new(0.18, 0.008, 0.008), 0.5 + 0.5 * noise(p, 0.1, 26));
    let color = Vec3::new(0.38, 0.075, 0.06)
        .lerp(flesh, rim)
        .lerp(Vec3::new(0.030, 0.002, 0.002), hole);
    let opacity = (around * 0.55).max(rim * 0.97);
    // A raised rim around a pit.
    let lip = (-((ragged - 0.36) / 0.09).powi(2)).exp();
    (
        color,
        opacity,
        0.5 + 0.32 * lip - 0.5 * smoothstep(0.32, 0.08, ragged),
    )
}

fn cut(p: Vec2) -> (Vec3, f32, f32) {
    let along = p.x.abs();
    let bend = p.y - 0.10 * (1.0 - p.x * p.x) + 0.025 * noise(Vec2::new(p.x, 0.0), 0.2, 31);
    let wide = 0.085 * (1.0 - (along / 0.86).powi(2)).max(0.0).sqrt();
    let off = bend.abs() - wide * (1.0 + 0.25 * noise(p, 0.12, 32));
    let inside = smoothstep(0.02, -0.02, off);
    let red = smoothstep(0.17, 0.0, off) * smoothstep(0.98, 0.80, along);
    // Blood that ran down from the cut.
    let runs = (0..5).map(|i| {
        let x = -0.55 + 0.27 * i as f32 + 0.05 * noise(Vec2::new(i as f32, 5.0), 1.0, 33);
        let long = 0.30 + 0.35 * (noise(Vec2::new(7.0, i as f32 * 3.0), 1.0, 34) * 0.5 + 0.5);
        let side = (p.x - x - 0.02 * noise(Vec2::new(p.y, i as f32), 0.3, 35)).abs();
        let down = smoothstep(-long - 0.04, -long, p.y) * smoothstep(0.12, 0.02, p.y);
        smoothstep(0.030, 0.014, side) * down
    });
    let run = runs.fold(0.0, f32::max);
    let color = Vec3::new(0.36, 0.050, 0.040)
        .lerp(Vec3::new(0.24, 0.010, 0.008), run.max(inside))
        .lerp(Vec3::new(0.055, 0.003, 0.003), smoothstep(0.0, -0.06, off));
    let lip = (-((off - 0.03) / 0.035).powi(2)).exp() * smoothstep(0.95, 0.75, along);
    (
        color,
        (red * 0.5).max(inside * 0.97).max(run * 0.9),
        0.5 + 0.22 * lip - 0.45 * inside + 0.08 * run,
    )
}

fn bruise(p: Vec2) -> (Vec3, f32, f32) {
    let r = p.length() + 0.22 * noise(p, 0.55, 41);
    let opacity = smoothstep(0.92, 0.25, r);
    let patches = 0.5 + 0.5 * noise(p, 0.28, 42);
    let middle = Vec3::new(0.105, 0.035, 0.075).lerp(Vec3::new(0.16, 0.035, 0.045), patches);
    let color = middle.lerp(Vec3::new(0.26, 0.20, 0.085), smoothstep(0.5, 0.85, r));
    (color, opacity * (0.42 + 0.22 * patches), 0.5)
}

fn hole(p: Vec2) -> (Vec3, f32, f32) {
    let r = p.length() + 0.05 * noise(p, 0.3, 51);
    let direction = p.normalize_or(Vec2::X);
    let radius = 0.42 + 0.12 * layered(direction.extend(0.0) * 3.1, 52, 2);
    let inside = smoothstep(radius + 0.03, radius - 0.05, r);
    let singed = smoothstep(0.95, radius, r);
    let color = Vec3::splat(0.030).lerp(Vec3::splat(0.002), inside);
    let rim = (-((r - radius - 0.07) / 0.06).powi(2)).exp();
    (
        color,
        inside.max(singed * 0.55),
        0.5 + 0.4 * rim - 0.5 * inside,
    )
}

fn dent(p: Vec2) -> (Vec3, f32, f32) {
    let r = p.length() + 0.07 * noise(p, 0.6, 61);
    let pit = smoothstep(0.80, 0.0, r);
    let rim = (-((r - 0.80) / 0.10).powi(2)).exp();
    (Vec3::splat(0.5), 0.0, 0.5 - 0.5 * pit + 0.09 * rim)
}

fn scratch(p: Vec2) -> (Vec3, f32, f32) {
    let mut opacity: f32 = 0.0;
    for i in 0..9_u32 {
        let k = i as f32;
        let shift = noise(Vec2::new(k, 1.0), 1.0, 71) * 0.55;
        let tilt = 0.28 + 0.14 * noise(Vec2::new(k, 2.0), 1.0, 72);
        let bend = 0.12 * noise(Vec2::new(p.x * 0.6, k), 1.0, 73);
        let off = (p.y - shift - tilt * p.x - bend).abs();
        let (from, to) = (
            -0.9 + 0.5 * (noise(Vec2::new(k, 3.0), 1.0, 74) * 0.5 + 0.5),
            0.35 + 0.5 * noise(Vec2::new(k, 4.0), 1.0, 75),
        );
        let there = smoothstep(from, from + 0.25, p.x) * smoothstep(to + 0.2, to - 0.1, p.x);
        opacity = opacity
            .max(smoothstep(0.014, 0.004, off) * there * (0.6 + 0.4 * noise(p, 0.05, 76).abs()));
    }
    (Vec3::splat(0.50), opacity * 0.85, 0.5 - 0.5 * opacity)
}

fn mud(p: Vec2) -> (Vec3, f32, f32) {
    let inside = splash(p, 81, 0.80);
    let opacity = smoothstep(-0.02, 0.05, inside);
    let lumps = 0.5 + 0.5 * noise(p, 0.13, 87);
    let color = Vec3::new(0.060, 0.038, 0.022).lerp(Vec3::new(0.030, 0.019, 0.012), lumps);
    (
        color,
        opacity * 0.94,
        0.5 + 0.5 * opacity * smoothstep(0.0, 0.25, inside) * (0.35 + 0.65 * lumps),
    )
}

fn soot(p: Vec2) -> (Vec3, f32, f32) {
    let r = p.length() + 0.28 * noise(p, 0.45, 91);
    let opacity = smoothstep(0.95, 0.15, r) * (0.78 + 0.22 * noise(p, 0.12, 92));
    (Vec3::splat(0.006), opacity * 0.92, 0.5)
}

fn wet(p: Vec2) -> (Vec3, f32, f32) {
    let r = p.length() + 0.16 * noise(p, 0.5, 95);
    (Vec3::splat(0.0), smoothstep(0.92, 0.72, r) * 0.34, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_name_of_its_own_a_clear_edge_and_something_in_it() {
        for (i, kind) in KINDS.iter().enumerate() {
            assert!(KINDS[..i].iter().all(|other| other.name != kind.name));
            assert_eq!(
                DecalKind::find(kind.name).map(|found| found.size),
                Some(kind.size)
            );
            let (color, relief) = kind.pictures();
            let texel = |image: &Image, x: u32, y: u32| {
                image.rgba[4 * (y * SIDE + x) as usize..][..4].to_vec()
            };
            for k in 0..SIDE {
                for (x, y) in [(k, 0), (k, SIDE - 1), (0, k), (SIDE - 1, k)] {
                    assert!(texel(&color, x, y)[3] < 4, "{} at {x} {y}", kind.name);
                    let h = texel(&relief, x, y)[0];
                    assert!(h.abs_diff(128) < 4, "{} at {x} {y}: {h}", kind.name);
                }
            }
            let max = color.rgba.chunks(4).map(|t| t[3]).max().unwrap();
            let heights: Vec<u8> = relief.rgba.chunks(4).map(|t| t[0]).collect();
            let range = heights.iter().max().unwrap() - heights.iter().min().unwrap();
            assert!(max > 60 || range > 60, "{} is not to be seen", kind.name);
            assert_eq!(kind.depth != 0.0, range > 4, "{}: {range}", kind.name);
            assert!(
                Arc::ptr_eq(&kind.pictures().0, &color),
                "it is painted once"
            );
        }
        assert!(DecalKind::find("blod").is_none());
    }
}
