//! Particles on a stage: collisions, hot reloads, and replaced models.

use std::sync::Arc;

use galatea::character::Definition;
use galatea::emitter::Sprite;
use galatea::script::HostOptions;
use galatea::stage::{Frame, tick};
use glam::Vec3;

use crate::common::Bench;

fn bench(script: &str) -> Bench {
    Bench::new(script)
}

fn load(bench: &mut Bench, script: &str) {
    if let Err(error) = bench.load(script) {
        panic!("the script does not load: {error:?}");
    }
}

fn run(bench: &mut Bench, ticks: usize) {
    for _ in 0..ticks {
        tick(&mut bench.stage, &mut bench.host);
    }
}

fn seen(bench: &Bench) -> Vec<Sprite> {
    let mut frame = Frame::default();
    bench.stage.snapshot(1.0, &mut frame);
    frame.particles
}

#[test]
fn drops_rest_on_the_floor_and_on_bodies() {
    let mut bench = bench(
        "physics.box { position = vector.create(0, 0.25, 0), size = vector.create(1, 0.5, 1) }
         for i = -1, 1 do
             particles('blood', vector.create(i, 2, 0), { speed = 0, spread = 0, burst = 5, shape = 'disc', radius = 0.2 })
         end",
    );
    run(&mut bench, 60);
    let drops = seen(&bench);
    assert_eq!(drops.len(), 15);
    for drop in &drops {
        assert!(
            drop.is_flat && drop.along.abs_diff_eq(Vec3::Y, 1e-3),
            "{drop:?}"
        );
        let wanted = if drop.position.x.abs() < 0.5 {
            0.5
        } else {
            0.0
        };
        assert!((drop.position.y - wanted).abs() < 0.01, "{}", drop.position);
    }
}

#[test]
fn particles_collide_with_other_bodies_but_not_with_their_source() {
    let script = |call: &str| {
        format!(
            "local body = physics.box {{ position = vector.create(0, 1, 0), size = vector.create(1, 1, 1), body_type = 'dynamic', name = 'it' }}
             {call}('blood', {{ speed = 0, spread = 0, burst = 1, offset = vector.create(0, 0.7, 0) }})"
        )
    };
    let mut own = bench(&script("body:particles"));
    run(&mut own, 60);
    assert!(
        seen(&own)[0].is_flat && seen(&own)[0].position.y < 0.1,
        "through itself to the floor"
    );
    let text = script("body:particles").replace(
        "body:particles('blood', {",
        "particles('blood', vector.create(0, 1.8, 0), {",
    );
    let mut other = bench(&text);
    run(&mut other, 60);
    assert_eq!(seen(&other), [], "nothing sticks to moving bodies");
}

#[test]
fn particles_survive_a_reload() {
    let mut bench = bench(
        "particles('smoke', vector.create(0, 0, 0), { rate = 60, max_particles = 400 })
         particles('motes', vector.create(3, 0, 0), { name = 'glow' })
         local done
         function update()
             if not done then
                 done = true
                 particles('embers', vector.create(9, 0, 0))
             end
         end",
    );
    run(&mut bench, 60);
    let of = |sprites: &[Sprite], x: f32| -> Vec<Vec3> {
        let near = sprites.iter().filter(|s| (s.position.x - x).abs() < 1.5);
        near.map(|s| s.position).collect()
    };
    let before = seen(&bench);
    let smoke = of(&before, 0.0);
    assert!(smoke.len() > 40 && of(&before, 3.0).len() > 5 && of(&before, 9.0).len() > 10);
    // The same smoke at another position; no motes any more.
    load(
        &mut bench,
        "particles('smoke', vector.create(0.5, 0, 0), { rate = 60, max_particles = 400 })",
    );
    let after = seen(&bench);
    assert_eq!(of(&after, 0.0), smoke, "particles in the air stay in place");
    assert_eq!(of(&after, 3.0).len(), of(&before, 3.0).len());
    run(&mut bench, 60);
    let later = seen(&bench);
    let from_there = later
        .iter()
        .filter(|s| s.position.x > 0.35 && s.position.y < 0.3)
        .count();
    assert!(
        from_there > 3,
        "it starts at the new position: {from_there}"
    );
    assert!(
        of(&later, 9.0).len() > of(&before, 9.0).len(),
        "emitters created while running continue"
    );
    run(&mut bench, 260);
    assert_eq!(
        of(&seen(&bench), 3.0).len(),
        0,
        "motes that nobody makes any more are gone"
    );
    assert!(of(&seen(&bench), 9.0).len() > 10);
}

#[test]
fn the_same_script_gives_the_same_particles() {
    let script = "particles('sparks', vector.create(0, 1, 0))
                  particles('snow', vector.create(0, 4, 0), { max_particles = 600 })";
    let (mut a, mut b) = (bench(script), bench(script));
    run(&mut a, 40);
    run(&mut b, 40);
    assert_eq!(seen(&a), seen(&b));
    assert!(seen(&a).len() > 100);
}

#[test]
fn skin_emitters_follow_the_skin_and_end_with_another_mesh() {
    let definition = crate::mannequin();
    let mut bench = Bench::with_definition(HostOptions::default(), definition.clone());
    load(
        &mut bench,
        &format!(
            "{}local drips
             function update()
                 local hit = physics.raycast(vector.create(0, 1.2, 3), vector.create(0, 1.2, -3), {{ exact = true }})
                 drips = drips or hero:particles('drips', hit)
             end",
            crate::common::HERO
        ),
    );
    run(&mut bench, 10);
    let (hero, _) = bench.stage.characters.iter().next().unwrap();
    let place = |bench: &Bench| {
        let (_, own) = bench.stage.effects.emitters.iter().next().unwrap();
        (own.position(), own.emitter.is_emitting())
    };
    let (at, _) = place(&bench);
    let character = bench.stage.characters.get_mut(hero).unwrap();
    character.placement.position += Vec3::new(0.3, 0.0, 0.0);
    run(&mut bench, 2);
    let (moved, runs) = place(&bench);
    assert!(
        runs && (moved - at - Vec3::X * 0.3).length() < 0.02,
        "{at} {moved}"
    );
    bench.stage.replace_definition(hero, definition).unwrap();
    run(&mut bench, 1);
    assert!(place(&bench).1, "the same mesh");
    let post = Arc::new(Definition::new(Arc::new(crate::common::post())));
    bench.stage.replace_definition(hero, post).unwrap();
    run(&mut bench, 1);
    assert!(!place(&bench).1, "another one");
}
