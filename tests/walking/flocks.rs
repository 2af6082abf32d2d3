//! Flocks among walls and with a hawk: no bird enters a wall, leaves the home area, or comes too close to another.

use std::sync::Arc;

use galatea::asset::PrimitiveMesh;
use galatea::character::{Definition, Placement};
use galatea::crowd::{Attractor, Boid, FlockHome, FlockRules};
use galatea::math::random::RandomSource;
use galatea::physics::{
    BodyType, CollisionShape, PlacedShape, PropBodySettings, RigidFrame, Velocity,
};
use galatea::stage::flocks::{Bird, StageFlock};
use galatea::stage::{Gaits, Stage, tick};
use glam::{Quat, Vec3};

use crate::agents::NoScript;

const N: usize = 500;
const HOME: FlockHome = FlockHome {
    at: Vec3::new(0.0, 12.0, 0.0),
    radius: 20.0,
    weight: 6.0,
};

/// A wall: centre, rotation, and half size.
type Wall = (Vec3, Quat, Vec3);

fn is_inside(at: Vec3, (middle, turn, half): &Wall) -> bool {
    let own = turn.inverse() * (at - *middle);
    own.abs().cmplt(*half).all()
}

/// Start position of a bird, on a grid with enough distance.
fn begin(k: usize) -> Vec3 {
    let cell = Vec3::new((k % 10) as f32, (k / 10 % 5) as f32, (k / 50) as f32);
    HOME.at + (cell - Vec3::new(4.5, 2.0, 4.5)) * 1.1
}

/// Walls that contain no start position.
fn walls(chance: &mut RandomSource) -> Vec<Wall> {
    let mut all = Vec::new();
    while all.len() < 16 {
        let turn = Quat::from_rotation_y(chance.between(0.0, 3.0));
        let off = Vec3::new(
            chance.between(-14.0, 14.0),
            chance.between(5.0, 18.0),
            chance.between(-14.0, 14.0),
        );
        let half = match all.len() % 3 {
            0 => Vec3::new(3.0, 4.0, 0.05),
            1 => Vec3::new(0.5, 6.0, 0.5),
            _ => Vec3::new(4.0, 0.1, 4.0),
        };
        let wall = (off, turn, half);
        if (0..N).all(|k| !is_inside(begin(k), &wall)) {
            all.push(wall);
        }
    }
    all
}

fn add_wall(stage: &mut Stage, (at, turn, half): Wall) {
    let form = PrimitiveMesh::Box(half * 2.0);
    let definition = stage.characters.primitive(&form);
    let spawn = Placement {
        position: at,
        ..Placement::default().turned(turn)
    };
    let handle = stage.add_character(definition, form.key(), None, spawn);
    let piece = PlacedShape {
        shape: CollisionShape::Box(half),
        at: RigidFrame::IDENTITY,
    };
    let options = PropBodySettings {
        body_type: BodyType::Static,
        pieces: Arc::from(vec![piece]),
        ..PropBodySettings::default()
    };
    let mut bodies = stage.bodies();
    bodies
        .set_prop_body(handle, Some(options), Velocity::default())
        .expect("it is a box");
}

fn flock(chance: &mut RandomSource, avoid: f32) -> StageFlock {
    let form = PrimitiveMesh::Sphere(0.1);
    let definition = Arc::new(Definition::new(Arc::new(form.model())));
    let rules = FlockRules {
        speed: [5.0, 9.0],
        home: Some(HOME),
        ..FlockRules::default()
    };
    let (mut boids, mut birds) = (Vec::new(), Vec::new());
    for k in 0..N {
        let boid = Boid {
            at: begin(k),
            velocity: Vec3::new(chance.about_zero(), 0.0, chance.about_zero()).normalize() * 7.0,
        };
        birds.push(Bird::new(&boid, 1.0, k as u32, chance.unit()));
        boids.push(boid);
    }
    let gaits = Gaits::new(definition, [None; 3]);
    let mut flock = StageFlock::new(Arc::new(gaits), boids, birds, rules);
    flock.avoid = avoid;
    flock
}

#[derive(Debug)]
struct Worst {
    /// Bird-ticks inside of a wall.
    inside: usize,
    /// Largest distance from the centre of the home area, metres.
    farthest: f32,
    /// Smallest distance between two birds, metres.
    nearest: f32,
    /// Mean speed at the end.
    speed: f32,
}

fn run(seed: u64, seconds: usize) -> Worst {
    let mut chance = RandomSource::new(seed);
    let mut stage = Stage::new(1.0 / 60.0);
    stage.floor.collision_height = Some(0.0);
    let walls = walls(&mut chance);
    for wall in &walls {
        add_wall(&mut stage, *wall);
    }
    // The walls are in the physics world from the first tick on.
    tick(&mut stage, &mut NoScript);
    let flock = flock(&mut chance, 6.0);
    let Stage { agents, ids, .. } = &mut stage;
    let handle = agents.add_flock(ids, None, flock).expect("there is room");
    let mut worst = Worst {
        inside: 0,
        farthest: 0.0,
        nearest: f32::INFINITY,
        speed: 0.0,
    };
    for k in 0..seconds * 60 {
        let t = k as f32 / 60.0;
        let hawk = Attractor {
            position: HOME.at
                + Vec3::new(
                    (t * 0.9).sin() * 10.0,
                    (t * 0.4).sin() * 4.0,
                    (t * 0.7).cos() * 10.0,
                ),
            weight: -60.0,
            range: 6.0,
        };
        if let Some(flock) = stage.agents.flocks.get_mut(handle) {
            flock.pull("hawk", Some(hawk));
        }
        tick(&mut stage, &mut NoScript);
        let flock = stage.agents.flocks.get(handle).expect("it is there");
        let mut order: Vec<Vec3> = flock.boids.iter().map(|boid| boid.at).collect();
        for at in &order {
            let is_in = walls.iter().any(|wall| is_inside(*at, wall)) || at.y <= 0.0;
            worst.inside += usize::from(is_in);
            worst.farthest = worst.farthest.max(at.distance(HOME.at));
        }
        order.sort_by(|a, b| a.x.total_cmp(&b.x));
        for (i, a) in order.iter().enumerate() {
            let near = order[i + 1..].iter().take_while(|b| b.x - a.x < 0.3);
            let nearest = near.map(|b| a.distance(*b)).fold(f32::INFINITY, f32::min);
            worst.nearest = worst.nearest.min(nearest);
        }
        let speeds = flock.boids.iter().map(|boid| boid.velocity.length());
        worst.speed = speeds.sum::<f32>() / N as f32;
    }
    worst
}

#[test]
fn birds_stay_out_of_walls_in_their_area_and_apart() {
    for seed in 1..=5 {
        let worst = run(seed, 60);
        println!("seed {seed}: {worst:?}");
        assert_eq!(worst.inside, 0, "seed {seed}: {worst:?}");
        assert!(worst.farthest <= 22.001, "seed {seed}: {worst:?}");
        assert!(worst.nearest >= 0.299, "seed {seed}: {worst:?}");
        assert!(worst.speed > 4.9, "seed {seed}: {worst:?}");
    }
}

#[test]
fn a_flock_among_walls_has_the_same_bits_on_any_number_of_threads() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("there are threads")
            .install(|| format!("{:?}", run(7, 3)))
    };
    assert_eq!(on(1), on(3));
}
