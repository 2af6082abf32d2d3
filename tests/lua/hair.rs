//! Hair on a stage: creation by scripts and files, motion with its wearer, hot reloads.

use std::sync::Arc;

use galatea::character::Definition;
use galatea::physics::particles::ParticleObstacle;
use galatea::script::HostOptions;
use galatea::stage::frame::{Frame, OverlayLine};
use galatea::stage::{DebugView, ViewKind, tick};
use glam::{Affine3A, Vec3};

use crate::common::{Bench, HERO};
use crate::mannequin;
use galatea_character::Character;

/// Twelve guides of 30 cm around the crown of the built-in character, named "it".
const RING: &str = "local v = vector.create
    local crown = hero:bone_position('head') + v(0, 0.12, 0.01)
    local guides = {}
    for i = 0, 11 do
        local a = i / 12 * 2 * math.pi
        local out = v(math.sin(a), 0, math.cos(a))
        local root = crown + out * 0.07
        guides[i + 1] = { root, root + out * 0.05 + v(0, 0.01, 0), root + out * 0.08 - v(0, 0.08, 0), root + out * 0.09 - v(0, 0.26, 0) }
    end
    local function wear(more)
        local options = { guides = guides, strands = 400, points = 12, name = 'it' }
        for key, value in more or {} do options[key] = value end
        return hero:hair(options)
    end\n";

fn bench(script: &str) -> Bench {
    let mut bench = Bench::with_definition(HostOptions::default(), mannequin());
    if let Err(error) = bench.load(&format!("{HERO}{RING}{script}")) {
        panic!("the script does not load: {error:?}");
    }
    bench
}

fn run(bench: &mut Bench, ticks: usize) {
    for _ in 0..ticks {
        tick(&mut bench.stage, &mut bench.host);
    }
}

/// The hair and its wearer.
fn worn(bench: &Bench) -> (&Character, &Character) {
    let (_, piece) = bench
        .stage
        .effects
        .hair
        .iter()
        .next()
        .expect("hair is worn");
    let of = |handle| bench.stage.characters.get(handle).expect("it is there");
    (of(piece.character), of(piece.wearer.0))
}

/// World positions of a guide's points.
fn guide(hair: &Character, guide: u16, points: u16) -> Vec<Vec3> {
    let bones = (0..points).map(|k| hair.posed.bone_position(1 + guide * points + k));
    bones.collect()
}

/// World-from-model matrix of the wearer's head relative to its rest pose.
fn carried(wearer: &Character) -> Affine3A {
    let head = wearer
        .definition
        .model
        .skeleton
        .find("head")
        .expect("it has a head");
    let posed = wearer.posed.model_from_bone[usize::from(head)];
    wearer.posed.world[0] * posed * wearer.definition.rest_matrix(head).inverse()
}

fn at_rest(hair: &Character, bone: u16) -> Vec3 {
    hair.definition.rest_matrix(bone).translation.into()
}

#[test]
fn hair_made_by_a_script_is_worn_swings_and_comes_to_rest() {
    let mut bench = bench(
        "wear()
        function update() hero.yaw = if now() < 1.5 then 70 * math.sin(now() * 6) else hero.yaw end",
    );
    let mut lag = 0.0_f32;
    let mut deepest = 0.0_f32;
    for t in 0..90 {
        run(&mut bench, 1);
        let (hair, wearer) = worn(&bench);
        let carrier = carried(wearer);
        for i in 0..12 {
            let points = guide(hair, i, 12);
            let root = carrier.transform_point3(at_rest(hair, 1 + i * 12));
            assert!(
                points[0].distance(root) < 1e-4,
                "tick {t}: {} {root}",
                points[0]
            );
            let tip = carrier.transform_point3(at_rest(hair, 12 + i * 12));
            lag = lag.max(points[11].distance(tip));
            for (k, two) in (0..).zip(points.windows(2)) {
                let rest = at_rest(hair, 1 + i * 12 + k).distance(at_rest(hair, 2 + i * 12 + k));
                let stretch = two[0].distance(two[1]) / rest;
                assert!(stretch < 1.02, "tick {t}, guide {i}: {stretch}");
            }
        }
        let mut bodies: Vec<ParticleObstacle> = Vec::new();
        wearer
            .body
            .add_obstacles(&wearer.definition, &wearer.posed, |_| false, &mut bodies);
        let rest: Vec<ParticleObstacle> = wearer
            .body
            .rest_obstacles(&wearer.definition)
            .map(|(_, solid)| solid)
            .collect();
        for bone in 1..hair.posed.model_from_bone.len() as u16 {
            let (at, still) = (hair.posed.bone_position(bone), at_rest(hair, bone));
            for (solid, unmoved) in bodies.iter().zip(&rest) {
                let sunk = (-unmoved.distance(still).0).max(0.0);
                deepest = deepest.max(-solid.distance(at).0 - sunk);
            }
        }
    }
    assert!(lag > 0.04, "it swings: {lag}");
    assert!(deepest < 0.002, "it stays outside: {deepest}");
    run(&mut bench, 240);
    // Relative to the head, which the idle clip moves.
    let tips = |bench: &Bench| -> Vec<Vec3> {
        let (hair, wearer) = worn(bench);
        let back = carried(wearer).inverse();
        let tips = (0..12).map(|i| guide(hair, i, 12)[11]);
        tips.map(|tip| back.transform_point3(tip)).collect()
    };
    let before = tips(&bench);
    run(&mut bench, 1);
    let speeds = before
        .iter()
        .zip(tips(&bench))
        .map(|(a, b)| a.distance(b) * 60.0);
    let fastest = speeds.fold(0.0, f32::max);
    // The rest is the movement of the head, 1.4 cm/s.
    assert!(fastest < 0.04, "at rest: {fastest} m/s");
}

#[test]
fn hair_survives_a_reload_and_follows_its_wearer() {
    let script = "wear() function update() hero.yaw = 70 * math.sin(now() * 6) end";
    let mut bench = bench(script);
    run(&mut bench, 40);
    let place = |bench: &Bench| guide(worn(bench).0, 3, 12)[11];
    let before = place(&bench);
    let text = format!("{HERO}{RING}{script}\n-- saved");
    bench.load(&text).expect("it loads");
    run(&mut bench, 1);
    assert!(place(&bench).distance(before) < 0.1);
    assert_eq!(bench.stage.effects.hair.len(), 1);
    let (_, piece) = bench.stage.effects.hair.iter().next().unwrap();
    let (hair, wearer) = (piece.character, piece.wearer.0);
    bench.stage.characters.take_off(wearer);
    run(&mut bench, 1);
    assert!(bench.stage.effects.hair.is_empty());
    assert!(bench.stage.characters.get(hair).is_none());
}

#[test]
fn a_teleported_character_takes_its_hair_along() {
    let mut bench =
        bench("wear() function update() if now() > 0.5 then hero.position = v(300, 0, 40) end end");
    let seen = |bench: &Bench| -> Vec<Vec3> {
        let (hair, wearer) = worn(bench);
        let back = carried(wearer).inverse();
        let points = (1..145).map(|bone| back.transform_point3(hair.posed.bone_position(bone)));
        points.collect()
    };
    run(&mut bench, 29);
    let before = seen(&bench);
    for _ in 0..10 {
        run(&mut bench, 1);
        for (a, b) in before.iter().zip(seen(&bench)) {
            assert!(a.distance(b) < 0.01, "{a} {b}");
        }
    }
    let (_, wearer) = worn(&bench);
    assert!(wearer.placement.position.x > 299.0);
}

#[test]
fn fewer_strands_are_shown_from_farther_away() {
    let shown = |distance: f32| {
        let mut bench = bench(&format!(
            "wear() camera.orbit {{ target = crown, distance = {distance} }}"
        ));
        run(&mut bench, 2);
        let (hair, _) = worn(&bench);
        let triangles = hair.definition.model.parts.iter().enumerate();
        let shown = triangles.filter(|(i, _)| hair.appearance.hidden_parts[0] >> i & 1 == 0);
        shown
            .map(|(_, part)| {
                hair.definition.model.meshes[part.mesh].primitives[0]
                    .indices
                    .len()
                    / 66
            })
            .sum::<usize>()
    };
    assert_eq!(shown(1.0), 400);
    assert_eq!(shown(5.0), 200);
    assert_eq!(shown(60.0), 50);
}

#[test]
fn a_script_hides_all_strands_and_shows_them_again() {
    let mut bench = bench(
        "hair = wear() hair:show_part('hair', false)
        camera.orbit { target = crown, distance = 5 }
        function update() if now() > 0.1 then hair:show_part('hair', true) end end",
    );
    run(&mut bench, 3);
    assert_eq!(worn(&bench).0.appearance.hidden_parts[0] & 0b1111, 0b1111);
    run(&mut bench, 10);
    assert_eq!(worn(&bench).0.appearance.hidden_parts[0] & 0b1111, 0b1000);
}

#[test]
fn invalid_hair_is_reported() {
    let cases = [
        (
            "hero:hair {}",
            "hair: give exactly one of cut, file or guides",
        ),
        (
            "hero:hair { cut = 'bop' }",
            "unknown value \\\"bop\\\"; did you mean \\\"bob\\\"",
        ),
        (
            "hero:hair { cut = 'bob', file = 'a.tfx' }",
            "cut, file or guides",
        ),
        (
            "hero:hair { cut = { style = 'bob', lenght = 2 } }",
            "unknown field \\\"lenght\\\"; did you mean \\\"length\\\"",
        ),
        (
            "hero:hair { cut = { length = 90 } }",
            "field \\\"length\\\": must be 0.001 to 3, got 90",
        ),
        (
            "hero:hair { cut = 'long', bone = 'left_foot' }",
            "hair: the head bone has no skin",
        ),
        (
            "hero:hair { cut = 'long', exclude = 'hiar' }",
            "hair: exclude: ",
        ),
        (
            "hero:hair { cut = 'long', scalp = { 'por*', 'porcelian' } }",
            "has no node, mesh or material \\\"porcelian\\\"; did you mean \\\"porcelain\\\"",
        ),
        (
            "hero:hair { cut = 'long', exclude = '*' }",
            "add it to the option `scalp`",
        ),
        (
            "hair.grow { cut = 'long' }",
            "field \\\"character\\\" is missing",
        ),
        (
            "wear { curl = -1 }",
            "field \\\"curl\\\": must be 0 to 0.5, got -1",
        ),
        (
            "wear { patches = { { 1, 2, 13 } } }",
            "hair: patch 1: there is no guide 13; the guides are 1 to 12",
        ),
        (
            "wear { patches = { { 1, 2 } } }",
            "hair: patch 1: expected a list of three or four guide numbers",
        ),
        (
            "hero:hair { guides = { { v(0, 1, 0) } } }",
            "hair: there are no valid strands: 1 strands with fewer than 2 points were left out",
        ),
        (
            "hero:hair { guides = { 3 } }",
            "hair: guide 1: expected a list of positions",
        ),
        (
            "hero:hair { guides = { { v(0, 1, 0), v(0, 2, 0) } } }",
            "hair: no strands can grow: this needs at least three guides near each other",
        ),
        ("wear { stiffness = { 2, 0 } }", "0 to 1"),
        ("wear { bone = 'haed' }", "head"),
        ("hero:hair { file = 'no.tfx' }", "no.tfx"),
        ("wear { strands = 1e6 }", "20000"),
        (
            "hero:hair { guides = table.create(2001, { v(0, 1, 0), v(0, 2, 0) }) }",
            "hair: guides: the limit is 2000 guides, got 2001",
        ),
        ("wear { stifness = 1 }", "stiffness"),
    ];
    for (call, wanted) in cases {
        let mut bench = Bench::with_definition(HostOptions::default(), mannequin());
        let Err(error) = bench.load(&format!("{HERO}{RING}{call}")) else {
            panic!("{call} is taken");
        };
        let told = format!("{error:?}");
        assert!(told.contains(wanted), "{call}: {told}");
    }
}

/// All strands of a piece at rest, of all parts.
fn strands(hair: &Character, points: usize) -> Vec<Vec<Vec3>> {
    let meshes = hair.definition.model.meshes.iter();
    let ribbons = meshes.flat_map(|mesh| &mesh.primitives);
    let ribbons = ribbons.filter(|primitive| !primitive.ribbon.is_empty());
    let each = ribbons.flat_map(|primitive| primitive.positions.chunks(2 * points));
    each.map(|strand| strand.iter().step_by(2).copied().collect())
        .collect()
}

#[test]
fn every_haircut_is_worn_and_stays_on() {
    for (name, cut) in galatea::hair::CUTS {
        let mut bench = bench(&format!("hero:hair {{ cut = '{name}', strands = 300 }}"));
        run(&mut bench, 60);
        let (hair, wearer) = worn(&bench);
        let drawn = strands(hair, cut.points);
        assert_eq!(drawn.len(), 300, "{name}");
        let carrier = carried(wearer);
        for bone in 1..hair.definition.model.skeleton.len() as u16 {
            let way = carrier
                .transform_point3(at_rest(hair, bone))
                .distance(hair.posed.bone_position(bone));
            assert!(way < cut.length.max(cut.sides), "{name}: {way}");
        }
        let materials: Vec<&str> = hair
            .definition
            .model
            .materials
            .iter()
            .map(|m| m.name.as_str())
            .collect();
        assert_eq!(materials, ["hair", "scalp"], "{name}");
    }
}

#[test]
fn guides_of_a_haircut_can_be_changed_by_hand() {
    let mut plain = bench("hero:hair { cut = 'short', strands = 100 }");
    let mut changed = bench(
        "local options = hair.grow { character = hero, cut = 'short' }
        for _, guide in options.guides do guide[#guide] += v(0, 0.05, 0) end
        options.strands = 100
        hero:hair(options)",
    );
    run(&mut plain, 1);
    run(&mut changed, 1);
    let tips = |bench: &Bench| -> f32 {
        let (hair, _) = worn(bench);
        let drawn = strands(hair, 7);
        drawn.iter().map(|strand| strand[6].y).sum::<f32>() / drawn.len() as f32
    };
    let higher = tips(&changed) - tips(&plain);
    assert!((0.02..0.06).contains(&higher), "{higher}");
}

#[test]
fn strands_come_together_in_locks_and_curl() {
    let spread = |more: &str| {
        let mut bench = bench(&format!("wear {{ {more} }}"));
        run(&mut bench, 1);
        let drawn = strands(worn(&bench).0, 12);
        let tips: Vec<Vec3> = drawn.iter().map(|strand| strand[11]).collect();
        let near = |i: usize| {
            let others = tips.iter().enumerate().filter(|(k, _)| *k != i);
            others
                .map(|(_, tip)| tip.distance(tips[i]))
                .fold(f32::INFINITY, f32::min)
        };
        let bent: f32 = drawn
            .iter()
            .flat_map(|strand| strand.windows(3))
            .map(|three| (three[1] - three[0]).angle_between(three[2] - three[1]))
            .sum();
        (
            (0..tips.len()).map(near).sum::<f32>() / tips.len() as f32,
            bent / drawn.len() as f32,
        )
    };
    let plain = spread("");
    let locked = spread("clump = 0.9");
    assert!(locked.0 < 0.6 * plain.0, "{locked:?} {plain:?}");
    assert!(spread("curl = 0.01, curls_per_meter = 8").1 > plain.1 + 3.0);
}

#[test]
fn a_beard_goes_with_the_mouth() {
    let home = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(home.join("assets/galatea.glb")).expect("she is there");
    let model = galatea::asset::gltf::load_slice("galatea", &bytes, &mut |name| Err(name.into()));
    let definition = Arc::new(Definition::new(Arc::new(model.expect("she is read"))));
    let lowest = |skin: &str| {
        let mut bench = Bench::with_definition(HostOptions::default(), definition.clone());
        let script = format!(
            "{HERO}hero:hair {{ cut = 'beard', strands = 100{skin} }}
            function update() hero:morph('jawOpen', if now() > 0.5 then 1 else 0) end"
        );
        if let Err(error) = bench.load(&script) {
            panic!("the script does not load: {error:?}");
        }
        let chin = |bench: &Bench| {
            let (hair, wearer) = worn(bench);
            let n = hair.definition.model.skeleton.len() as u16;
            let back = carried(wearer).inverse();
            let roots = (1..n)
                .step_by(7)
                .map(|bone| back.transform_point3(hair.posed.bone_position(bone)));
            roots
                .min_by(|a, b| a.y.total_cmp(&b.y))
                .expect("there are some")
        };
        run(&mut bench, 20);
        let closed = chin(&bench);
        run(&mut bench, 60);
        closed.y - chin(&bench).y
    };
    let with = lowest("");
    assert!((0.008..0.06).contains(&with), "{with}");
    let without = lowest(", follow_skin = false");
    assert!(without.abs() < 1e-4, "{without}");
}

#[test]
fn the_books_hair_is_moved_by_its_wind_and_never_rests() {
    let mut bench = bench("wear { simulation = 'springs' }");
    run(&mut bench, 600);
    let tip = |bench: &Bench| guide(worn(bench).0, 0, 12)[11];
    let before = tip(&bench);
    run(&mut bench, 30);
    let moved = tip(&bench).distance(before);
    assert!((1e-4..0.2).contains(&moved), "{moved}");
}

#[test]
fn corpus_a_mohawk_of_thousands_is_worn_and_moves() {
    if std::env::var_os("GALATEA_CORPUS").is_none() {
        return;
    }
    let mut bench = bench(
        "hero:hair { file = 'corpus/08_hair/tressfx/HairAsset/Ratboy/Ratboy_mohawk.tfx', scale = 0.4,
            offset = hero:bone_position('head') - v(0, 0.1, 0), guides = 200, strands = 2228, points = 16 }
        function update() hero.yaw = 50 * math.sin(now() * 5) end",
    );
    run(&mut bench, 120);
    let (hair, wearer) = worn(&bench);
    let model = &hair.definition.model;
    assert_eq!(model.skeleton.len(), 1 + 200 * 16);
    let vertices: usize = model.primitives().map(|p| p.positions.len()).sum();
    // Two of its 2228 strands have no length.
    assert_eq!(vertices, 2226 * 32);
    let carrier = carried(wearer);
    let mut farthest = 0.0_f32;
    for bone in 1..=3200 {
        let at = hair.posed.bone_position(bone);
        assert!(at.is_finite());
        farthest = farthest.max(at.distance(carrier.transform_point3(at_rest(hair, bone))));
    }
    assert!((0.02..0.15).contains(&farthest), "{farthest}");
}

#[test]
fn the_view_of_springs_draws_guides_where_they_are_and_the_bodies_they_stay_out_of() {
    let mut bench = bench("wear()");
    run(&mut bench, 3);
    let mut frame = Frame::default();
    bench.stage.snapshot(1.0, &mut frame);
    assert!(frame.lines.is_empty());
    bench.stage.picture.view = Some(DebugView::new(ViewKind::Springs));
    bench.stage.snapshot(1.0, &mut frame);
    let (hair, _) = worn(&bench);
    for i in 0..12 {
        for two in guide(hair, i, 12).windows(2) {
            let is_drawn = |line: &OverlayLine| {
                line.from.distance(two[0]) < 1e-4 && line.to.distance(two[1]) < 1e-4
            };
            assert!(frame.lines.iter().any(is_drawn), "guide {i}");
        }
    }
    let of_guides = 12 * 11;
    assert!(
        frame.lines.len() > of_guides + 20,
        "the head's outline too: {}",
        frame.lines.len()
    );
}
