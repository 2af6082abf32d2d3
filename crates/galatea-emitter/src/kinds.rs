//! Built-in particle kinds and their procedural sprite sheets: dust, smoke, breath, blood, drips, splashes, sparks,
//! embers, motes, chips and snow.

use std::sync::{Arc, OnceLock};

use glam::{Vec2, Vec3, Vec4};

use crate::{
    EmissionShape, EmitterOptions, LifetimeCurve, ParticleCollision, SpriteSelection, SpriteSheet,
};
use galatea_math::noise::layered;
use galatea_math::smoothstep;

/// A built-in kind of particles.
#[derive(Clone, Copy, Debug)]
pub struct ParticleKind {
    /// Name in scripts.
    pub name: &'static str,
    /// Description for the user.
    pub doc: &'static str,
    /// True if the emitter belongs to a character: it emits in front of the mouth while the character breathes out.
    pub is_breath: bool,
    make: fn(&mut EmitterOptions),
}

/// All built-in kinds.
pub static KINDS: [ParticleKind; 11] = [
    ParticleKind {
        name: "dust",
        doc: "a puff of dust that spreads over the ground, as under a foot; a burst of 18",
        is_breath: false,
        make: dust,
    },
    ParticleKind {
        name: "smoke",
        doc: "dark smoke that rises and widens; continuous",
        is_breath: false,
        make: smoke,
    },
    ParticleKind {
        name: "breath",
        doc: "breath in cold air; on a character, while the character breathes out",
        is_breath: true,
        make: breath,
    },
    ParticleKind {
        name: "blood",
        doc: "a spray of drops that stay where they land; a burst of 60",
        is_breath: false,
        make: blood,
    },
    ParticleKind {
        name: "drips",
        doc: "drops that fall one after the other and stay where they land; for 12 s",
        is_breath: false,
        make: drips,
    },
    ParticleKind {
        name: "splash",
        doc: "clear water that splashes up and out; a burst of 90",
        is_breath: false,
        make: splash,
    },
    ParticleKind {
        name: "sparks",
        doc: "glowing splinters that bounce and go out; a burst of 60",
        is_breath: false,
        make: sparks,
    },
    ParticleKind {
        name: "embers",
        doc: "glowing flakes that drift up in eddies; continuous",
        is_breath: false,
        make: embers,
    },
    ParticleKind {
        name: "motes",
        doc: "points of light that float in the air; continuous",
        is_breath: false,
        make: motes,
    },
    ParticleKind {
        name: "chips",
        doc: "splinters of stone that fall, bounce and come to rest; a burst of 18",
        is_breath: false,
        make: chips,
    },
    ParticleKind {
        name: "snow",
        doc: "flakes over 12 × 12 metres that drift down and stay on the ground; continuous",
        is_breath: false,
        make: snow,
    },
];

impl ParticleKind {
    /// Finds a kind by name.
    pub fn find(name: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.name == name)
    }

    /// Emitter options of the kind.
    pub fn options(&self) -> EmitterOptions {
        let mut options = plain();
        (self.make)(&mut options);
        options
    }
}

/// Default options of a script's own kind: white puffs, one after another.
pub fn plain() -> EmitterOptions {
    EmitterOptions {
        rate: 20.0,
        burst: 0,
        duration: None,
        prewarm: 0.0,
        max_particles: 512,
        shape: EmissionShape::Point,
        lifetime: [0.8, 1.2],
        speed: [0.4, 0.6],
        spread: 0.4,
        radial_speed: 0.0,
        inherit_velocity: 0.0,
        gravity_scale: 0.0,
        drag: 0.5,
        wind_scale: 1.0,
        turbulence: (0.0, 0.5),
        collision: ParticleCollision::NoCollision,
        size: [0.1, 0.15],
        size_over_lifetime: LifetimeCurve::steady(1.0),
        color: LifetimeCurve::steady(Vec3::ONE),
        brightness_variation: 0.0,
        alpha: falling(&[0.0, 1.0, 0.8, 0.5, 0.0]),
        emissive_strength: 0.0,
        random_rotation: true,
        angular_velocity: [-0.5, 0.5],
        stretch: 0.0,
        soft_distance: 0.1,
        gloss: 0.0,
        translucency: 1.0,
        texture: puffs(),
        cells: 0..N_PUFFS as u16,
        landed: 0..0,
        flipbook_mode: SpriteSelection::Random,
    }
}

fn falling(values: &[f32]) -> LifetimeCurve<f32> {
    LifetimeCurve::new(values.to_vec()).unwrap_or(LifetimeCurve::steady(1.0))
}

fn colors(values: &[[f32; 3]]) -> LifetimeCurve<Vec3> {
    let values = values.iter().map(|rgb| Vec3::from(*rgb)).collect();
    LifetimeCurve::new(values).unwrap_or(LifetimeCurve::steady(Vec3::ONE))
}

fn dust(o: &mut EmitterOptions) {
    (o.rate, o.burst) = (0.0, 18);
    o.shape = EmissionShape::Disc(0.06);
    (o.lifetime, o.speed, o.spread) = ([0.7, 1.6], [0.15, 0.75], 0.9);
    (o.radial_speed, o.drag, o.gravity_scale) = (0.75, 3.2, -0.004);
    o.turbulence = (0.10, 0.5);
    o.size = [0.09, 0.19];
    o.size_over_lifetime = falling(&[0.45, 1.3, 1.9, 2.3, 2.6]);
    o.color = colors(&[[0.50, 0.43, 0.33]]);
    o.alpha = falling(&[0.0, 0.46, 0.33, 0.17, 0.06, 0.0]);
    (o.brightness_variation, o.soft_distance, o.angular_velocity) = (0.3, 0.05, [-0.6, 0.6]);
}

fn smoke(o: &mut EmitterOptions) {
    (o.rate, o.max_particles) = (22.0, 160);
    o.shape = EmissionShape::Sphere(0.05);
    (o.lifetime, o.speed, o.spread) = ([2.2, 3.8], [0.5, 0.9], 0.25);
    (o.drag, o.gravity_scale, o.inherit_velocity) = (0.7, -0.045, 0.3);
    o.turbulence = (0.35, 0.9);
    o.size = [0.16, 0.26];
    o.size_over_lifetime = falling(&[0.5, 1.6, 2.6, 3.5, 4.2]);
    o.color = colors(&[
        [0.035, 0.033, 0.032],
        [0.10, 0.10, 0.10],
        [0.18, 0.18, 0.185],
    ]);
    o.alpha = falling(&[0.0, 0.55, 0.38, 0.22, 0.10, 0.0]);
    (o.brightness_variation, o.soft_distance, o.translucency) = (0.3, 0.25, 0.75);
}

fn breath(o: &mut EmitterOptions) {
    (o.rate, o.max_particles) = (34.0, 160);
    o.shape = EmissionShape::Sphere(0.006);
    (o.lifetime, o.speed, o.spread) = ([0.7, 1.4], [0.9, 1.3], 0.16);
    (o.drag, o.gravity_scale, o.inherit_velocity) = (2.6, -0.012, 0.6);
    o.turbulence = (0.08, 0.3);
    o.size = [0.035, 0.055];
    o.size_over_lifetime = falling(&[0.5, 2.0, 3.4, 4.6]);
    o.color = colors(&[[0.80, 0.83, 0.87]]);
    o.alpha = falling(&[0.0, 0.06, 0.11, 0.07, 0.03, 0.0]);
    (o.soft_distance, o.angular_velocity) = (0.02, [-0.9, 0.9]);
}

/// Drops of a liquid that wets surfaces.
fn drops(o: &mut EmitterOptions) {
    (o.texture, o.cells) = (drop_cells(), 0..2);
    o.landed = 2..6;
    (o.drag, o.gravity_scale, o.wind_scale) = (0.25, 1.0, 0.1);
    o.collision = ParticleCollision::Stick {
        seconds: 14.0,
        size: 4.0,
    };
    o.alpha = LifetimeCurve::steady(0.96);
    (o.soft_distance, o.translucency, o.gloss) = (0.0, 0.0, 1.0);
    (o.random_rotation, o.angular_velocity, o.stretch) = (true, [0.0, 0.0], 0.022);
}

fn blood(o: &mut EmitterOptions) {
    drops(o);
    (o.rate, o.burst) = (0.0, 60);
    (o.lifetime, o.speed, o.spread) = ([2.0, 2.5], [0.4, 3.0], 0.55);
    o.size = [0.004, 0.022];
    o.color = colors(&[[0.12, 0.003, 0.002]]);
    o.brightness_variation = 0.3;
}

fn drips(o: &mut EmitterOptions) {
    drops(o);
    (o.rate, o.duration, o.max_particles) = (5.0, Some(12.0), 220);
    o.shape = EmissionShape::Sphere(0.008);
    (o.lifetime, o.speed, o.spread) = ([2.5, 3.0], [0.02, 0.2], 0.6);
    o.size = [0.008, 0.015];
    o.color = colors(&[[0.11, 0.003, 0.002]]);
    o.stretch = 0.012;
}

fn splash(o: &mut EmitterOptions) {
    drops(o);
    (o.rate, o.burst) = (0.0, 90);
    o.shape = EmissionShape::Disc(0.08);
    (o.lifetime, o.speed, o.spread, o.radial_speed) = ([1.2, 1.8], [0.8, 2.8], 0.5, 0.5);
    o.collision = ParticleCollision::Kill;
    o.size = [0.005, 0.028];
    o.color = colors(&[[0.55, 0.62, 0.68]]);
    o.alpha = falling(&[0.5, 0.5, 0.42, 0.25]);
}

fn sparks(o: &mut EmitterOptions) {
    (o.rate, o.burst) = (0.0, 60);
    (o.texture, o.cells) = (lights(), 0..1);
    (o.lifetime, o.speed, o.spread) = ([0.25, 0.95], [1.2, 5.0], 0.75);
    (o.drag, o.gravity_scale, o.wind_scale) = (0.9, 0.9, 0.2);
    o.collision = ParticleCollision::Bounce {
        across: 0.45,
        along: 0.75,
    };
    o.size = [0.005, 0.012];
    o.size_over_lifetime = falling(&[1.0, 0.9, 0.4]);
    // Colours of cooling iron.
    o.color = colors(&[
        [1.0, 0.72, 0.36],
        [1.0, 0.45, 0.10],
        [0.9, 0.16, 0.02],
        [0.4, 0.03, 0.0],
    ]);
    o.alpha = falling(&[1.0, 1.0, 0.9, 0.0]);
    (o.emissive_strength, o.soft_distance, o.translucency) = (20.0, 0.0, 0.0);
    (
        o.random_rotation,
        o.angular_velocity,
        o.stretch,
        o.brightness_variation,
    ) = (false, [0.0, 0.0], 0.028, 0.5);
}

fn embers(o: &mut EmitterOptions) {
    sparks(o);
    (o.rate, o.burst, o.max_particles) = (24.0, 0, 200);
    o.cells = 4..5;
    o.shape = EmissionShape::Disc(0.25);
    (o.lifetime, o.speed, o.spread) = ([1.6, 3.4], [0.2, 0.7], 0.4);
    (o.drag, o.gravity_scale, o.wind_scale) = (1.2, -0.06, 1.0);
    o.turbulence = (0.6, 0.7);
    o.collision = ParticleCollision::NoCollision;
    o.size = [0.007, 0.014];
    o.size_over_lifetime = falling(&[1.0, 0.8, 0.7, 0.3]);
    o.alpha = falling(&[0.0, 1.0, 0.7, 0.9, 0.5, 0.0]);
    (o.emissive_strength, o.stretch) = (7.0, 0.012);
}

fn motes(o: &mut EmitterOptions) {
    (o.rate, o.max_particles) = (14.0, 160);
    (o.texture, o.cells) = (lights(), 1..2);
    o.shape = EmissionShape::Sphere(0.5);
    (o.lifetime, o.speed, o.spread) = ([2.5, 4.5], [0.0, 0.06], 3.1);
    (o.drag, o.gravity_scale) = (1.0, -0.003);
    o.turbulence = (0.14, 0.8);
    o.size = [0.022, 0.06];
    o.color = colors(&[[1.0, 0.78, 0.42]]);
    o.alpha = falling(&[0.0, 0.9, 0.45, 0.95, 0.5, 0.0]);
    (o.emissive_strength, o.soft_distance, o.translucency) = (3.5, 0.05, 0.0);
}

fn chips(o: &mut EmitterOptions) {
    (o.rate, o.burst) = (0.0, 18);
    (o.texture, o.cells) = (chip_cells(), 0..4);
    o.shape = EmissionShape::Sphere(0.03);
    (o.lifetime, o.speed, o.spread) = ([2.5, 4.0], [0.4, 1.8], 0.9);
    (o.drag, o.gravity_scale, o.wind_scale) = (0.1, 1.0, 0.1);
    o.collision = ParticleCollision::Bounce {
        across: 0.3,
        along: 0.6,
    };
    o.size = [0.008, 0.042];
    o.color = colors(&[[0.62, 0.60, 0.57]]);
    o.alpha = falling(&[1.0, 1.0, 1.0, 1.0, 1.0, 0.0]);
    (o.brightness_variation, o.soft_distance, o.translucency) = (0.35, 0.0, 0.15);
    o.angular_velocity = [-9.0, 9.0];
}

fn snow(o: &mut EmitterOptions) {
    (o.rate, o.max_particles, o.prewarm) = (440.0, 4200, 6.0);
    (o.texture, o.cells) = (lights(), 2..4);
    o.shape = EmissionShape::Box(Vec3::new(6.0, 0.2, 6.0));
    (o.lifetime, o.speed, o.spread) = ([7.0, 9.0], [0.0, 0.1], 3.1);
    (o.drag, o.gravity_scale) = (3.0, 0.26);
    o.turbulence = (0.30, 1.4);
    o.collision = ParticleCollision::Stick {
        seconds: 2.5,
        size: 0.9,
    };
    o.size = [0.014, 0.032];
    o.color = colors(&[[0.92, 0.94, 0.98]]);
    o.alpha = falling(&[0.0, 0.9, 0.9, 0.9]);
    (o.soft_distance, o.translucency, o.angular_velocity) = (0.0, 0.6, [-1.5, 1.5]);
}

const N_PUFFS: u32 = 4;

fn noise(p: Vec2, size: f32, seed: u32) -> f32 {
    layered((p / size).extend(0.37), seed, 4)
}

/// Clouds that differ only in alpha.
fn puffs() -> Arc<SpriteSheet> {
    static MADE: OnceLock<Arc<SpriteSheet>> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        SpriteSheet::painted(N_PUFFS, |i, p| {
            let seed = 11 + 7 * i;
            let bent = p + Vec2::new(noise(p, 0.8, seed), noise(p, 0.8, seed + 1)) * 0.24;
            let r = bent.length();
            let body = smoothstep(0.92, 0.05, r);
            let lumps = 0.5 + 0.5 * noise(p + Vec2::splat(i as f32), 0.42, seed + 2);
            let fine = 0.5 + 0.5 * noise(p, 0.16, seed + 3);
            let alpha = body * (0.30 + 0.70 * smoothstep(0.15, 0.85, lumps * 0.7 + fine * 0.3));
            // The sprite must be transparent at the edge.
            let inside = smoothstep(1.0, 0.82, p.length());
            Vec4::new(1.0, 1.0, 1.0, alpha * inside)
        })
    });
    made.clone()
}

/// Two drops in the air, four splashes on a surface.
fn drop_cells() -> Arc<SpriteSheet> {
    static MADE: OnceLock<Arc<SpriteSheet>> = OnceLock::new();
    // Middles and radii of the droplets around each splash.
    let droplets = |i: u32| {
        std::array::from_fn::<_, 9, _>(|k| {
            let n = |s: u32| noise(Vec2::new(k as f32 * 2.3, s as f32), 1.0, 31 + 9 * i + s);
            let angle = k as f32 * 2.4 + n(2);
            let at = Vec2::from_angle(angle) * (0.62 + 0.2 * n(3));
            (at, 0.03 + 0.05 * n(4).abs())
        })
    };
    let made = MADE.get_or_init(|| {
        let droplets: [_; 6] = std::array::from_fn(|i| droplets(i as u32));
        SpriteSheet::painted(6, |i, p| {
            let r = p.length();
            if i < 2 {
                // Round in front, thin behind.
                let wide = 0.78 * smoothstep(-1.0, 0.35 + 0.2 * i as f32, p.y);
                let side = (p.x / wide.max(1e-3)).abs();
                let alpha = smoothstep(1.0, 0.72, side) * smoothstep(0.97, 0.80, r);
                let dark = 0.55 + 0.45 * smoothstep(0.9, 0.2, r);
                return Vec4::new(dark, dark, dark, alpha);
            }
            let seed = 31 + 9 * i;
            let direction = p.normalize_or(Vec2::X);
            let finger = layered(direction.extend(0.0) * (1.7 + 0.4 * i as f32), seed, 3);
            let edge = 0.46 + 0.30 * finger + 0.04 * noise(p, 0.2, seed + 1);
            let mut inside = edge - r;
            for (at, radius) in droplets[i as usize] {
                inside = inside.max(radius - p.distance(at));
            }
            let alpha = smoothstep(-0.01, 0.035, inside) * smoothstep(1.0, 0.9, r);
            // Thick at the centre.
            let thick = 1.0 - 0.4 * smoothstep(0.0, 0.35, inside);
            Vec4::new(thick, thick, thick, alpha)
        })
    });
    made.clone()
}

/// A spark, a mote with a wide glow, two snowflakes, an ember.
fn lights() -> Arc<SpriteSheet> {
    static MADE: OnceLock<Arc<SpriteSheet>> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        SpriteSheet::painted(5, |i, p| {
            let r = p.length();
            let alpha = match i {
                // A head with a tail.
                0 => {
                    let head = 1.0 - ((p.y - 0.45) / 0.5).max(0.0).powi(2);
                    let wide = 0.8 * smoothstep(-1.0, 0.6, p.y) * head.max(0.0).sqrt();
                    let side = (p.x / wide.max(1e-3)).abs();
                    smoothstep(1.0, 0.1, side) * smoothstep(-1.0, 0.3, p.y)
                }
                1 => (smoothstep(0.30, 0.05, r) + 0.35 * (1.0 - r).max(0.0).powi(3)).min(1.0),
                4 => smoothstep(0.95, 0.25, r),
                2 => smoothstep(0.85, 0.35, r + 0.12 * noise(p, 0.4, 61)),
                _ => {
                    // Six arms with side branches.
                    let angle = p.y.atan2(p.x) * 3.0;
                    let arm = angle.cos().abs();
                    let long = smoothstep(0.95, 0.55, r) * smoothstep(0.80, 1.0, arm);
                    let twigs = smoothstep(0.55, 0.95, (r * 14.0).sin() * arm);
                    (long.max(twigs * smoothstep(0.7, 0.3, r)) + smoothstep(0.25, 0.1, r)).min(1.0)
                }
            };
            Vec4::new(1.0, 1.0, 1.0, alpha)
        })
    });
    made.clone()
}

/// Splinters with facets.
fn chip_cells() -> Arc<SpriteSheet> {
    static MADE: OnceLock<Arc<SpriteSheet>> = OnceLock::new();
    let corner = |i: u32, k: usize| {
        let n = noise(Vec2::new(k as f32 * 3.1, i as f32 * 5.3), 1.0, 71 + i);
        let angle = (k as f32 + 0.35 * n) / 5.0 * std::f32::consts::TAU;
        Vec2::from_angle(angle) * (0.72 + 0.24 * n) * Vec2::new(1.0, 0.72)
    };
    let brightness = |i: u32, facet: usize| {
        0.55 + 0.45 * noise(Vec2::new(facet as f32 * 2.9, i as f32), 1.0, 83).abs()
    };
    let made = MADE.get_or_init(|| {
        // Corners and brightness of the facets of each splinter.
        let corners: [[Vec2; 6]; 4] =
            std::array::from_fn(|i| std::array::from_fn(|k| corner(i as u32, k)));
        let lit: [[f32; 5]; 4] =
            std::array::from_fn(|i| std::array::from_fn(|k| brightness(i as u32, k)));
        SpriteSheet::painted(4, |i, p| {
            let own = &corners[i as usize];
            let mut inside = f32::INFINITY;
            let mut facet = 0;
            let heart = Vec2::new(0.12, -0.08 + 0.08 * i as f32);
            for k in 0..5 {
                let (a, b) = (own[k], own[k + 1]);
                let across = (b - a).perp().normalize_or(Vec2::X);
                inside = inside.min((p - a).dot(across));
                let [u, v] = [a, b].map(|c| (p - heart).perp_dot(c - heart));
                if u <= 0.0 && v > 0.0 {
                    facet = k;
                }
            }
            let grain = 0.92 + 0.08 * noise(p, 0.1, 89);
            let shade = lit[i as usize][facet] * grain;
            Vec4::new(shade, shade, shade, smoothstep(-0.01, 0.03, inside))
        })
    });
    made.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_unique_name_and_cells_with_transparent_edges() {
        for (i, kind) in KINDS.iter().enumerate() {
            assert!(KINDS[..i].iter().all(|other| other.name != kind.name));
            let found = ParticleKind::find(kind.name).map(|found| found.doc);
            assert_eq!(found, Some(kind.doc));
            let options = kind.options();
            let n = options.texture.cells.len() as u16;
            assert!(
                options.cells.end <= n && options.landed.end <= n,
                "{}",
                kind.name
            );
            assert!(!options.cells.is_empty(), "{}", kind.name);
            assert!(options.rate > 0.0 || options.burst > 0, "{}", kind.name);
            for cell in &options.texture.cells {
                let side = cell.width;
                let alpha = |x: u32, y: u32| cell.rgba[(4 * (y * side + x) + 3) as usize];
                for k in 0..side {
                    let edge = [
                        alpha(k, 0),
                        alpha(k, side - 1),
                        alpha(0, k),
                        alpha(side - 1, k),
                    ];
                    assert!(
                        edge.iter().all(|a| *a < 6),
                        "{}: {edge:?} at {k}",
                        kind.name
                    );
                }
                let most = (0..side * side)
                    .map(|k| cell.rgba[(4 * k + 3) as usize])
                    .max();
                assert!(most > Some(120), "{}: {most:?}", kind.name);
            }
        }
        assert!(ParticleKind::find("dost").is_none());
    }
}
