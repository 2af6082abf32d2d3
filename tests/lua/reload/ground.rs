//! Hot reload of a script while a character stands or walks on its terrain.

use std::path::Path;

use galatea::asset::gltf;
use galatea::physics::Filter;
use galatea::stage::owner;
use glam::Vec3;

use super::{faultless, hero};
use crate::common::Bench;
use galatea_character::Character;

/// Her spawn position, which depends on the changed terrain.
const SPAWN: &str = "position = v(0.3, height(0.3, 0) + 0.02, 0)";

/// A character that stands on hills or walks over them. The terrain is `more` metres higher within `about` metres of a
/// position.
fn script(more: f32, about: f32, place: Vec3, pace: f32) -> String {
    let Vec3 { x, z, .. } = place;
    format!(
        "local v = vector.create
        local function height(x, z)
            local more = if vector.magnitude(v(x - {x}, 0, z - {z})) < {about} then {more} else 0
            return 0.12 * math.noise(x * 0.7, z * 0.7, 0.3) + 0.2 * z + more
        end
        local hero = character('post.glb', {{ {SPAWN} }})
        ground.set {{ height = -9 }}
        physics.terrain {{ size = v(20, 1, 20), columns = 81, rows = 81, heights = height, surface = 'grass' }}
        hero:controller {{}}
        hero:foot_ik()
        hero.machine = machine {{ state 'plays' {{ '{clip}' }} }}
        function update() hero:move(v(0, 0, {pace})) end",
        clip = if pace > 0.0 { "walk" } else { "idle" },
    )
}

fn bench(script: &str) -> Bench {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let model = gltf::load(&home.join("assets/mannequin.glb")).expect("it is there");
    let mut bench = Bench::with_model(Default::default(), model);
    bench.load(script).expect("it loads");
    bench
}

fn who(bench: &Bench) -> &Character {
    bench.stage.characters.get(hero(bench)).unwrap()
}

/// Height of a position above the ground, metres.
fn over(bench: &Bench, place: Vec3) -> f32 {
    let without = [owner(hero(bench))];
    let filter = Filter {
        exclude: &without,
        ..Filter::default()
    };
    let world = &bench.stage.physics.world;
    let hit = world.ray(place + Vec3::Y * 3.0, -Vec3::Y, 9.0, &filter);
    place.y - hit.expect("there is ground").position.y
}

/// Points in the space of each foot, and their world positions.
fn ends(bench: &Bench) -> Vec<(u16, Vec3, Vec3)> {
    let hero = who(bench);
    let stack = hero.modifiers.modifier_stack.as_ref().unwrap();
    let rig = stack.standing().unwrap().rig.clone().unwrap();
    let ends = rig.legs.iter().map(|leg| {
        let (end, _) = stack
            .locked_foot(leg.limb.end)
            .flatten()
            .expect("it is held");
        (leg.limb.end, end, at(hero, leg.limb.end, end))
    });
    ends.collect()
}

fn at(hero: &Character, bone: u16, end: Vec3) -> Vec3 {
    (hero.posed.world[0] * hero.posed.model_from_bone[usize::from(bone)]).transform_point3(end)
}

#[test]
fn planted_feet_stay_where_the_terrain_did_not_change() {
    let still = script(0.0, 0.0, Vec3::ZERO, 0.0);
    let elsewhere = script(0.7, 2.0, Vec3::new(6.0, 0.0, 5.0), 0.0);
    for (name, next) in [
        ("nothing", still.clone() + "\n-- 2"),
        ("a hill elsewhere", elsewhere),
    ] {
        let mut bench = bench(&still);
        bench.run(2.0);
        let (before, stood) = (ends(&bench), who(&bench).placement.position);
        bench.load(&next).expect("it loads");
        let (mut slide, mut moved, mut sole) = (0.0_f32, 0.0_f32, 0.0_f32);
        for _ in 0..60 {
            bench.run(1.0 / 60.0);
            for (bone, end, from) in &before {
                let now = at(who(&bench), *bone, *end);
                slide = slide.max(now.distance(*from));
                sole = sole.max(over(&bench, now).abs());
            }
            moved = moved.max(who(&bench).placement.position.distance(stood));
        }
        ends(&bench);
        faultless(&mut bench);
        println!("{name}: feet {slide} m, she {moved} m, soles {sole} m");
        assert!(slide < 0.0001, "{name}: feet slid {slide} m");
        assert!(moved < 0.0001, "{name}: she moved {moved} m");
        assert!(sole < 0.01, "{name}: soles {sole} m off the ground");
    }
}

#[test]
fn a_walk_over_hills_is_unaffected_by_a_reload() {
    let walks = script(0.0, 0.0, Vec3::ZERO, 1.4);
    let (mut plain, mut saved) = (bench(&walks), bench(&walks));
    let mut worst = 0.0_f32;
    for tick in 0..180 {
        if tick > 30 && tick % 20 == 0 {
            saved
                .load(&format!("{walks}\n-- {tick}"))
                .expect("it loads");
        }
        plain.run(1.0 / 60.0);
        saved.run(1.0 / 60.0);
        let [a, b] = [&plain, &saved].map(who);
        worst = worst.max(a.placement.position.distance(b.placement.position));
        let bones = a.posed.model_from_bone.iter().zip(&b.posed.model_from_bone);
        for (one, other) in bones {
            worst = worst.max(one.translation.distance(other.translation));
        }
    }
    faultless(&mut saved);
    println!("{worst} m off");
    assert!(worst < 0.002, "{worst} m off");
}

#[test]
fn rising_terrain_lifts_characters_and_sinking_terrain_lowers_them() {
    let fixed = "position = v(0.3, 0.07, 0)";
    for (more, spawn) in [(0.5, SPAWN), (0.5, fixed), (0.04, fixed), (-0.5, fixed)] {
        let mut bench = bench(&script(0.0, 0.0, Vec3::ZERO, 0.0).replace(SPAWN, spawn));
        bench.run(2.0);
        let before = who(&bench).placement.position;
        bench
            .load(&script(more, 3.0, Vec3::ZERO, 0.0).replace(SPAWN, spawn))
            .expect("it loads");
        let mut deepest = 0.0_f32;
        let mut highest = f32::MIN;
        for _ in 0..120 {
            bench.run(1.0 / 60.0);
            let place = who(&bench).placement.position;
            deepest = deepest.max(-over(&bench, place));
            highest = highest.max(place.y);
        }
        faultless(&mut bench);
        let place = who(&bench).placement.position;
        let (off, rose) = (over(&bench, place), place.y - before.y);
        let soles: Vec<f32> = ends(&bench)
            .into_iter()
            .map(|(.., place)| over(&bench, place))
            .collect();
        println!(
            "{more}, {spawn}: {off} over it, {rose} higher, soles {soles:?}, deepest {deepest}"
        );
        let aside = (place - before).with_y(0.0).length();
        assert!(aside < 0.01, "{more}: {aside} m aside");
        assert!((rose - more).abs() < 0.01, "{more}: she rose by {rose} m");
        assert!(deepest < 0.03, "{more}: {deepest} m in the ground");
        assert!(
            highest < before.y + more.max(0.0) + 0.02,
            "{more}: she jumped"
        );
        let worst = soles
            .iter()
            .fold(0.0_f32, |worst, sole| worst.max(sole.abs()));
        assert!(worst < 0.01, "{more}: soles {worst} m off");
    }
}
