use std::cell::Cell;
use std::sync::Arc;

use glam::{Affine3A, Vec2, Vec3, Vec4};

use super::*;
use galatea_asset::model::Image;
use galatea_rig::wind::Wind;

const DT: f32 = 1.0 / 60.0;
const GRAVITY: Vec3 = Vec3::new(0.0, -9.81, 0.0);

fn options() -> EmitterOptions {
    EmitterOptions {
        rate: 0.0,
        burst: 1,
        duration: None,
        prewarm: 0.0,
        max_particles: 1000,
        shape: EmissionShape::Point,
        lifetime: [1.0, 1.0],
        speed: [0.0, 0.0],
        spread: 0.0,
        radial_speed: 0.0,
        inherit_velocity: 0.0,
        gravity_scale: 0.0,
        drag: 0.0,
        wind_scale: 0.0,
        turbulence: (0.0, 1.0),
        collision: ParticleCollision::NoCollision,
        size: [0.1, 0.1],
        size_over_lifetime: LifetimeCurve::steady(1.0),
        color: LifetimeCurve::steady(Vec3::ONE),
        brightness_variation: 0.0,
        alpha: LifetimeCurve::steady(1.0),
        emissive_strength: 0.0,
        random_rotation: false,
        angular_velocity: [0.0, 0.0],
        stretch: 0.0,
        soft_distance: 0.0,
        gloss: 0.0,
        translucency: 0.0,
        texture: SpriteSheet::painted(4, |_, _| Vec4::ONE),
        cells: 0..4,
        landed: 0..0,
        flipbook_mode: SpriteSelection::Random,
    }
}

struct EmitterHarness {
    at: Vec3,
    wind: Wind,
    floor: Option<f32>,
    is_fixed: bool,
    room: usize,
    max_prewarm_updates: usize,
    n_raycasts: usize,
    open: f32,
    ticks: u32,
}

impl Default for EmitterHarness {
    fn default() -> Self {
        Self {
            at: Vec3::ZERO,
            wind: Wind::default(),
            floor: None,
            is_fixed: true,
            room: 1000,
            max_prewarm_updates: crate::MAX_PREWARM_UPDATES,
            n_raycasts: 0,
            open: 1.0,
            ticks: 0,
        }
    }
}

impl EmitterHarness {
    fn tick(&mut self, emitter: &mut Emitter) {
        let n_raycasts = Cell::new(0);
        let met = |from: Vec3, to: Vec3| {
            n_raycasts.set(n_raycasts.get() + 1);
            let height = self.floor?;
            let u = (from.y - height) / (from.y - to.y);
            (from.y >= height && to.y < height).then(|| ParticleHit {
                at: from.lerp(to, u),
                normal: Vec3::Y,
                is_fixed: self.is_fixed,
            })
        };
        emitter.advance(&EmitterInput {
            dt: DT,
            time: f64::from(self.ticks) * f64::from(DT),
            transform: Affine3A::from_translation(self.at),
            open: self.open,
            wind: &self.wind,
            gravity: GRAVITY,
            surface: None,
            raycast: &met,
            room: self.room,
            max_prewarm_updates: self.max_prewarm_updates,
        });
        self.n_raycasts += n_raycasts.get();
        self.ticks += 1;
    }

    fn run(&mut self, emitter: &mut Emitter, seconds: f32) {
        for _ in 0..(seconds / DT).round() as u32 {
            self.tick(emitter);
        }
    }
}

fn sprites(emitter: &Emitter) -> Vec<Sprite> {
    let mut out = Vec::new();
    emitter.add_sprites(1.0, 0, DT, &mut out);
    out
}

fn made(change: impl FnOnce(&mut EmitterOptions)) -> Emitter {
    let mut options = options();
    change(&mut options);
    Emitter::new(Arc::new(options), 7)
}

#[test]
fn a_thrown_particle_follows_a_parabola() {
    let mut emitter = made(|o| (o.speed, o.gravity_scale) = ([4.0, 4.0], 1.0));
    let mut harness = EmitterHarness::default();
    harness.run(&mut emitter, 0.5);
    // Thrown up at 4 m/s, half a tick before the end of the first tick. Steps of 1/60 s deviate that much from the
    // parabola.
    let t = 29.5 * DT;
    let height = 4.0 * t - 0.5 * 9.81 * t * t;
    let at = sprites(&emitter)[0].position;
    assert!((at.y - height).abs() < 9.81 * t * DT * 0.6, "{at} {height}");
    assert_eq!((at.x, at.z), (0.0, 0.0));
    harness.run(&mut emitter, 0.6);
    assert!(emitter.is_over(), "it lived a second");
}

#[test]
fn drag_approaches_the_wind_speed_and_the_rate_is_exact() {
    let mut emitter = made(|o| {
        (o.burst, o.rate, o.drag, o.wind_scale, o.lifetime) = (0, 90.0, 6.0, 1.0, [2.0, 2.0]);
    });
    let mut harness = EmitterHarness {
        wind: Wind {
            velocity: Vec3::X * 3.0,
            gusts: 0.0,
            ..Wind::default()
        },
        ..EmitterHarness::default()
    };
    harness.run(&mut emitter, 1.0);
    assert_eq!(emitter.len(), 90);
    let before = sprites(&emitter);
    harness.tick(&mut emitter);
    let oldest = sprites(&emitter)[0].position - before[0].position;
    assert!((oldest.x / DT - 3.0).abs() < 0.02, "{}", oldest.x / DT);
    // The start times differ by the inverse of the rate.
    let behind = before[10].position.x - before[11].position.x;
    assert!((behind * 90.0 - 3.0).abs() < 0.1, "{}", behind * 90.0);
    harness.run(&mut emitter, 3.0);
    assert_eq!(emitter.len(), 180, "emission and removal balance");
    emitter.run(false);
    harness.run(&mut emitter, 2.1);
    assert!(emitter.is_over());
}

#[test]
fn a_moving_emitter_leaves_an_even_trail_but_a_teleported_one_does_not() {
    let mut emitter = made(|o| (o.burst, o.rate, o.lifetime) = (0, 600.0, [5.0, 5.0]));
    let mut harness = EmitterHarness::default();
    for i in 0..60 {
        harness.at = Vec3::X * (i as f32 * 0.1);
        harness.tick(&mut emitter);
    }
    let mut along: Vec<f32> = sprites(&emitter).iter().map(|s| s.position.x).collect();
    along.sort_by(f32::total_cmp);
    let gaps = along.windows(2).map(|pair| pair[1] - pair[0]);
    let widest = gaps.skip(10).fold(0.0, f32::max);
    assert!(widest < 0.0101, "ten to 10 cm: {widest}");
    harness.at = Vec3::X * 100.0;
    harness.tick(&mut emitter);
    let between = sprites(&emitter);
    let between = between
        .iter()
        .filter(|s| (6.1..99.9).contains(&s.position.x));
    assert_eq!(between.count(), 0);
}

#[test]
fn directions_are_uniform_within_the_cone() {
    let mut emitter = made(|o| {
        (o.burst, o.max_particles, o.speed, o.spread) = (4000, 4000, [1.0, 1.0], 0.5);
    });
    let mut harness = EmitterHarness {
        room: 4000,
        ..EmitterHarness::default()
    };
    harness.run(&mut emitter, 0.5);
    let directions: Vec<Vec3> = sprites(&emitter)
        .iter()
        .map(|s| s.position.normalize())
        .collect();
    let angles: Vec<f32> = directions
        .iter()
        .map(|direction| direction.y.acos())
        .collect();
    assert!(angles.iter().all(|angle| *angle < 0.5001));
    // Half of the cap's area is outside of this angle.
    let middle = ((1.0 + 0.5_f32.cos()) / 2.0).acos();
    let outside = angles.iter().filter(|angle| **angle > middle).count();
    assert!((1900..2100).contains(&outside), "{outside}");
    let mean = directions.iter().sum::<Vec3>() / directions.len() as f32;
    assert!(mean.x.abs() < 0.02 && mean.z.abs() < 0.02, "{mean}");
}

#[test]
fn shapes_are_filled_without_overshoot() {
    for shape in [
        EmissionShape::Sphere(0.5),
        EmissionShape::Disc(0.5),
        EmissionShape::Box(Vec3::new(0.5, 0.1, 0.3)),
    ] {
        let mut emitter = made(|o| (o.burst, o.shape) = (900, shape));
        EmitterHarness::default().tick(&mut emitter);
        let all = sprites(&emitter);
        assert_eq!(all.len(), 900);
        let inside = |at: Vec3| match shape {
            EmissionShape::Sphere(r) => at.length() <= r,
            EmissionShape::Disc(r) => at.y == 0.0 && at.length() <= r,
            EmissionShape::Box(half) => at.abs().cmple(half).all(),
            _ => false,
        };
        assert!(all.iter().all(|s| inside(s.position)), "{shape:?}");
        let far = all.iter().filter(|s| s.position.x > 0.3).count();
        assert!(far > 40, "{shape:?}: {far}");
    }
}

#[test]
fn a_falling_particle_bounces_lower_each_time_and_comes_to_rest() {
    let mut emitter = made(|o| {
        (o.gravity_scale, o.lifetime) = (1.0, [20.0, 20.0]);
        o.collision = ParticleCollision::Bounce {
            across: 0.5,
            along: 0.5,
        };
    });
    let mut harness = EmitterHarness {
        at: Vec3::Y,
        floor: Some(0.0),
        ..EmitterHarness::default()
    };
    let mut heights: Vec<f32> = Vec::new();
    for _ in 0..600 {
        harness.tick(&mut emitter);
        let height = sprites(&emitter)[0].position.y;
        assert!(height > 0.0, "it stays over the floor: {height}");
        heights.push(height);
    }
    let tops = heights.windows(3).filter(|w| w[1] > w[0] && w[1] >= w[2]);
    let tops: Vec<f32> = tops.map(|w| w[1]).collect();
    // Half of the speed gives a quarter of the height.
    assert!((tops[0] - 0.277).abs() < 0.05, "{tops:?}");
    assert!(tops.windows(2).all(|w| w[1] < w[0] * 0.6), "{tops:?}");
    assert_eq!(heights[500], heights[599], "it is at rest");
    assert!((heights[599] - 0.036).abs() < 0.002, "on its side");
}

#[test]
fn a_landed_particle_is_flat_for_its_time_and_fades() {
    let mut emitter = made(|o| {
        (o.gravity_scale, o.lifetime, o.cells, o.landed) = (1.0, [3.0, 3.0], 0..1, 2..3);
        o.collision = ParticleCollision::Stick {
            seconds: 2.0,
            size: 3.0,
        };
    });
    let mut harness = EmitterHarness {
        at: Vec3::Y,
        floor: Some(0.0),
        ..EmitterHarness::default()
    };
    harness.run(&mut emitter, 0.3);
    assert_eq!(
        (sprites(&emitter)[0].is_flat, sprites(&emitter)[0].cell),
        (false, 0)
    );
    harness.run(&mut emitter, 0.7);
    let lying = sprites(&emitter)[0];
    assert!(lying.is_flat && lying.along == Vec3::Y && lying.cell == 2);
    assert!(
        (lying.size - 0.3).abs() < 1e-5 && lying.color.w == 1.0,
        "{lying:?}"
    );
    let mut was = 1.0;
    while let Some(now) = sprites(&emitter).first() {
        assert!(now.color.w <= was && now.position == lying.position);
        was = now.color.w;
        harness.tick(&mut emitter);
    }
    assert!(was < 0.1, "it is almost invisible at the end: {was}");
    let lay = f64::from(harness.ticks) * f64::from(DT) - 0.45;
    assert!((1.4..2.6).contains(&lay), "{lay}");
    // Particles do not stay on moving surfaces.
    let mut emitter = made(|o| {
        o.gravity_scale = 1.0;
        o.collision = ParticleCollision::Stick {
            seconds: 2.0,
            size: 1.0,
        };
    });
    let mut harness = EmitterHarness {
        at: Vec3::Y,
        floor: Some(0.0),
        is_fixed: false,
        ..EmitterHarness::default()
    };
    harness.run(&mut emitter, 0.6);
    assert!(emitter.is_over());
}

#[test]
fn a_landed_particle_keeps_its_appearance() {
    let mut emitter = made(|o| {
        (o.gravity_scale, o.lifetime, o.brightness_variation) = (1.0, [3.0, 3.0], 0.8);
        (o.size_over_lifetime, o.alpha) = (
            LifetimeCurve::new(vec![0.0, 3.0]).unwrap(),
            LifetimeCurve::new(vec![0.0, 1.0]).unwrap(),
        );
        (o.random_rotation, o.angular_velocity) = (true, [2.0, 2.0]);
        o.collision = ParticleCollision::Stick {
            seconds: 4.0,
            size: 2.0,
        };
    });
    let mut harness = EmitterHarness {
        at: Vec3::Y,
        floor: Some(0.0),
        ..EmitterHarness::default()
    };
    let mut flying = sprites(&emitter);
    while !sprites(&emitter).first().is_some_and(|s| s.is_flat) {
        flying = sprites(&emitter);
        harness.tick(&mut emitter);
    }
    harness.run(&mut emitter, 0.2);
    let (was, lying) = (flying[0], sprites(&emitter)[0]);
    // One tick of a life of three seconds changes each value by this much.
    let step = DT / 3.0 * 1.5;
    assert!(
        was.color.w > 0.1 && (lying.color.w - was.color.w).abs() < step,
        "{was:?} {lying:?}"
    );
    assert!((lying.size - 2.0 * was.size).abs() < 0.1 * 3.0 * 2.0 * step);
    assert_eq!(lying.color.truncate(), was.color.truncate(), "as bright");
    assert!((lying.rotation - was.rotation).abs() < 2.0 * DT * 1.5);
    let rotation = lying.rotation;
    harness.run(&mut emitter, 0.5);
    assert_eq!(
        sprites(&emitter)[0].rotation,
        rotation,
        "it no longer rotates"
    );
}

#[test]
fn the_limit_is_respected_and_rejected_particles_are_counted() {
    let mut emitter = made(|o| (o.burst, o.max_particles) = (50, 30));
    EmitterHarness::default().tick(&mut emitter);
    assert_eq!((emitter.len(), emitter.n_dropped()), (30, 20));
    let mut emitter = made(|o| o.burst = 50);
    let mut harness = EmitterHarness {
        room: 8,
        ..EmitterHarness::default()
    };
    harness.tick(&mut emitter);
    assert_eq!((emitter.len(), emitter.n_dropped()), (8, 42));
}

#[test]
fn a_closed_emitter_emits_nothing_and_a_timed_one_ends() {
    let mut emitter = made(|o| (o.burst, o.rate) = (0, 60.0));
    let mut harness = EmitterHarness {
        open: 0.0,
        ..EmitterHarness::default()
    };
    harness.run(&mut emitter, 0.5);
    assert_eq!(emitter.len(), 0);
    harness.open = 2.0;
    harness.run(&mut emitter, 0.5);
    assert_eq!(emitter.len(), 60);
    let mut emitter = made(|o| (o.burst, o.rate, o.duration) = (0, 60.0, Some(0.5)));
    let mut harness = EmitterHarness::default();
    harness.run(&mut emitter, 0.9);
    assert!(!emitter.is_emitting());
    assert_eq!(emitter.len(), 30);
    harness.run(&mut emitter, 0.7);
    assert!(emitter.is_over());
}

#[test]
fn a_warmed_up_emitter_starts_as_if_it_had_been_running() {
    let change = |o: &mut EmitterOptions| {
        (o.burst, o.rate, o.gravity_scale, o.drag, o.lifetime) = (0, 30.0, 0.2, 2.0, [4.0, 4.0]);
    };
    let mut warm = made(|o| {
        change(o);
        o.prewarm = 6.0;
    });
    let mut cold = made(change);
    let mut harness = EmitterHarness::default();
    harness.tick(&mut warm);
    EmitterHarness::default().run(&mut cold, 6.0 + DT);
    assert_eq!(warm.len(), cold.len());
    let lowest = |e: &Emitter| sprites(e).iter().map(|s| s.position.y).fold(0.0, f32::min);
    assert!((lowest(&warm) - lowest(&cold)).abs() < 1e-3);
}

#[test]
fn many_particles_are_warmed_up_in_fewer_steps_to_the_same_height() {
    let change = |o: &mut EmitterOptions| {
        (o.burst, o.rate, o.gravity_scale, o.drag) = (0, 2000.0, 0.2, 2.0);
        (o.lifetime, o.max_particles) = ([4.0, 4.0], 8192);
    };
    let mut warm = made(|o| {
        change(o);
        o.prewarm = 60.0;
    });
    let mut cold = made(change);
    EmitterHarness::default().tick(&mut warm);
    EmitterHarness::default().run(&mut cold, 6.0);
    let ratio = warm.len() as f32 / cold.len() as f32;
    assert!(
        (0.95..1.05).contains(&ratio),
        "{} and {}",
        warm.len(),
        cold.len()
    );
    let mean = |e: &Emitter| sprites(e).iter().map(|s| s.position.y).sum::<f32>() / e.len() as f32;
    let (warm, cold) = (mean(&warm), mean(&cold));
    assert!(
        (warm - cold).abs() < 0.05 * cold.abs().max(0.1),
        "{warm} and {cold}"
    );
}

#[test]
fn emitters_that_share_the_updates_of_a_tick_start_with_as_many_particles_in_fewer_steps() {
    let start = |max_prewarm_updates| {
        let mut emitter = made(|o| {
            (o.burst, o.rate, o.lifetime) = (0, 1000.0, [4.0, 4.0]);
            (o.max_particles, o.prewarm) = (4000, 60.0);
            o.collision = ParticleCollision::Kill;
        });
        let mut harness = EmitterHarness {
            room: 4000,
            max_prewarm_updates,
            ..EmitterHarness::default()
        };
        harness.tick(&mut emitter);
        (emitter.len(), harness.n_raycasts)
    };
    let (alone, n_alone) = start(crate::MAX_PREWARM_UPDATES);
    let (shared, n_shared) = start(20_000);
    assert!(alone > 3500 && shared > 3000, "{alone} and {shared}");
    // Every particle that flies is tested for collisions once in each step.
    assert!(n_shared < 30_000, "{n_shared} updates");
    assert!(n_alone > 5 * n_shared, "{n_alone} and {n_shared} updates");
}

#[test]
fn the_same_seed_gives_bit_identical_particles() {
    let change = |o: &mut EmitterOptions| {
        (o.rate, o.speed, o.spread, o.turbulence) = (200.0, [0.1, 1.0], 1.0, (0.5, 0.4));
        o.drag = 1.0;
    };
    let (mut a, mut b) = (made(change), made(change));
    EmitterHarness::default().run(&mut a, 0.7);
    EmitterHarness::default().run(&mut b, 0.7);
    assert_eq!(sprites(&a), sprites(&b));
    assert!(sprites(&a).len() > 100);
}

#[test]
fn turbulence_moves_particles_without_clustering() {
    let mut emitter = made(|o| {
        (o.burst, o.shape, o.lifetime) = (1000, EmissionShape::Box(Vec3::splat(1.0)), [9.0, 9.0]);
        (o.drag, o.turbulence) = (8.0, (0.4, 0.8));
    });
    let mut harness = EmitterHarness::default();
    harness.tick(&mut emitter);
    let spread = |emitter: &Emitter| {
        let all = sprites(emitter);
        all.iter().map(|s| s.position.length_squared()).sum::<f32>() / all.len() as f32
    };
    let (first, began) = (sprites(&emitter), spread(&emitter));
    harness.run(&mut emitter, 3.0);
    let moved = first.iter().zip(sprites(&emitter));
    let moved = moved
        .map(|(a, b)| a.position.distance(b.position))
        .sum::<f32>()
        / 1000.0;
    assert!((0.1..1.2).contains(&moved), "{moved}");
    let now = spread(&emitter);
    assert!((0.85..1.6).contains(&(now / began)), "{began} {now}");
}

#[test]
fn values_over_a_life_are_interpolated() {
    let curve = LifetimeCurve::new(vec![0.0, 1.0, 0.5]).unwrap();
    for (u, expected) in [
        (-1.0, 0.0),
        (0.0, 0.0),
        (0.25, 0.5),
        (0.5, 1.0),
        (0.75, 0.75),
        (2.0, 0.5),
    ] {
        assert!((curve.at(u) - expected).abs() < 1e-6, "{u}");
    }
    assert_eq!(LifetimeCurve::<f32>::new(Vec::new()), None);
    assert_eq!(LifetimeCurve::steady(3.0).at(0.7), 3.0);
}

fn checked(side: u32, texel: impl Fn(u32, u32) -> [u8; 4]) -> Image {
    Image {
        name: String::new(),
        width: side,
        height: side,
        rgba: (0..side * side)
            .flat_map(|i| texel(i % side, i / side))
            .collect(),
    }
}

#[test]
fn an_image_is_cut_row_by_row_and_transparent_texels_add_no_colour() {
    // Each quarter has its own colour and is transparent (but green) on its right half.
    let image = checked(64, |x, y| match (x / 32, y / 32, x % 32 < 16) {
        (_, _, false) => [0, 255, 0, 0],
        (0, 0, _) => [255, 0, 0, 255],
        (_, 0, _) => [0, 0, 255, 255],
        (0, ..) => [255, 255, 255, 255],
        _ => [0, 0, 0, 255],
    });
    let picture = SpriteSheet::cut(&image, 2, 2).unwrap();
    let texel = |cell: usize, x: u32, y: u32| {
        let own = &picture.cells[cell];
        own.rgba[4 * (y * own.width + x) as usize..][..4].to_vec()
    };
    let colors = [
        [255, 0, 0, 255],
        [0, 0, 255, 255],
        [255, 255, 255, 255],
        [0, 0, 0, 255],
    ];
    for (cell, color) in colors.iter().enumerate() {
        assert_eq!(texel(cell, 20, 20), color);
        assert_eq!(texel(cell, 100, 60), [0, 0, 0, 0], "multiplied by alpha");
    }
    assert!(matches!(
        SpriteSheet::cut(&image, 9, 9),
        Err(SpriteSheetError::Cells(64, 64, 9, 9))
    ));
    assert!(SpriteSheet::cut(&image, 0, 1).is_err());
    assert!(SpriteSheet::cut(&image, 64, 1).is_err(), "one pixel wide");
}

#[test]
fn painted_cells_have_y_up() {
    let picture = SpriteSheet::painted(1, |_, at: Vec2| {
        Vec4::new(1.0, 1.0, 1.0, if at.y > 0.0 { 1.0 } else { 0.0 })
    });
    let cell = &picture.cells[0];
    assert_eq!(cell.rgba[3], 255, "the first row is the upper one");
    assert_eq!(cell.rgba[cell.rgba.len() - 1], 0);
}
