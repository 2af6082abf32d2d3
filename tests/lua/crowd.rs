//! Crowds on a stage: ground, characters as obstacles, hot reloads, drawing.

use std::collections::HashSet;

use galatea::stage::{CrowdAgent, Frame, tick};
use glam::Vec3;

use crate::common::Bench;

fn run(bench: &mut Bench, ticks: usize) {
    for _ in 0..ticks {
        tick(&mut bench.stage, &mut bench.host);
    }
}

fn drawn(bench: &Bench, alpha: f32) -> Frame {
    let mut frame = Frame::default();
    bench.stage.snapshot(alpha, &mut frame);
    frame
}

#[test]
fn agents_step_onto_low_obstacles_and_down_again() {
    let mut bench = Bench::new(
        "physics.box { position = vector.create(0, 0.1, 4), size = vector.create(6, 0.2, 2) }
         people = crowd { model = 'post.glb', count = 5, position = vector.create(0, 0, 0), size = vector.create(4, 0, 1), speed = 1.4 }
         for i = 1, 5 do people:walk_to(i, vector.create(i - 3, 0, 9)) end",
    );
    let mut highest = [0.0_f32; 5];
    for _ in 0..60 * 10 {
        run(&mut bench, 1);
        for (highest, person) in highest.iter_mut().zip(bench.agents()) {
            *highest = highest.max(person.height);
        }
    }
    for (highest, person) in highest.iter().zip(bench.agents()) {
        assert!((highest - 0.2).abs() < 1e-3, "{highest}");
        assert!(person.height.abs() < 1e-3 && person.agent.at.y > 8.0);
    }
}

#[test]
fn agents_walk_around_a_standing_character() {
    let mut bench = Bench::new(
        "hero = character('post.glb', { position = vector.create(0, 0, 4) })
         hero:controller { radius = 0.5 }
         people = crowd { model = 'post.glb', count = 8, size = vector.create(3, 0, 2), speed = 1.4 }
         for i = 1, 8 do people:walk_to(i, vector.create(i - 4, 0, 10)) end",
    );
    let mut nearest = f32::INFINITY;
    for _ in 0..60 * 12 {
        run(&mut bench, 1);
        let (_, hero) = bench.stage.characters.iter().next().expect("it is there");
        let hero = hero.placement.position;
        for person in bench.agents() {
            let away = (person.position() - hero).with_y(0.0).length();
            nearest = nearest.min(away - person.agent.radius - 0.5);
        }
    }
    assert!(nearest > -0.03, "{nearest}");
    assert!(bench.agents().iter().all(|person| person.agent.at.y > 9.0));
}

#[test]
fn agents_share_poses_and_move_between_two_ticks() {
    let mut bench = Bench::new(
        "people = crowd { model = 'post.glb', count = 300, size = vector.create(40, 0, 40), scale = 1 }
         people:walk_all_to(vector.create(0, 0, 200))",
    );
    run(&mut bench, 90);
    let frame = drawn(&bench, 1.0);
    let shown = &frame.agents;
    assert_eq!((frame.models.len(), shown.len()), (0, 300));
    let moments: HashSet<u32> = shown.iter().map(|person| person.poses[0]).collect();
    assert!((2..120).contains(&moments.len()), "{}", moments.len());
    assert!(
        shown
            .iter()
            .any(|person| (0.2..0.8).contains(&person.pose_fraction))
    );
    let (half, before) = (drawn(&bench, 0.5), drawn(&bench, 0.0));
    for ((now, half), before) in shown.iter().zip(&half.agents).zip(&before.agents) {
        assert_eq!((now.number, now.number), (half.number, before.number));
        assert!(half.at.distance((now.at + before.at) * 0.5) < 1e-5);
    }
    let walked = shown.iter().zip(&before.agents);
    let walked = walked.map(|(now, before)| now.at.distance(before.at));
    assert!(walked.sum::<f32>() / 300.0 > 0.5 / 60.0);

    // As models they are the same, and share data.
    let models = frame.with_agents_as_models(u8::MAX, (0, 1080)).models;
    assert_eq!(models.len(), 300);
    let poses: HashSet<u32> = models.iter().map(|m| m.palette_start).collect();
    assert!(poses.len() <= moments.len() + 40, "{}", poses.len());
    // Sorted, so that the renderer finds equal ones next to each other.
    let changes = models.windows(2);
    let changes = changes.filter(|two| two[0].palette_start != two[1].palette_start);
    assert_eq!(changes.count(), poses.len() - 1);
    let instances: HashSet<u64> = models.iter().map(|m| m.instance).collect();
    assert_eq!(instances.len(), 300);
    for model in &models {
        let number = (model.instance & 0xfffff) as u32;
        let own = shown.iter().find(|person| person.number == number);
        let own = own.expect("it is shown");
        assert!(own.at.distance(model.world_from_model.translation.into()) < 1e-6);
        let (centre, radius) = model.bounds;
        assert!(centre.distance(own.at) < 2.0 && radius > 0.5);
    }
}

#[test]
fn each_agent_has_one_tint_and_unknown_tints_are_reported() {
    let mut bench = Bench::new(
        "people = crowd { model = 'assets/mannequin.glb', count = 40, width_scale = { 0.8, 1.2 },
             colors = { hair = { vector.create(0.9, 0.2, 0.1), vector.create(0.1, 0.2, 0.9), vector.create(0.2, 0.8, 0.2) } } }",
    );
    run(&mut bench, 1);
    let frame = drawn(&bench, 1.0);
    let tint = &frame.crowds[0].tints[0];
    let mut worn = [0; 3];
    for person in &frame.agents {
        let color = tint.of(person.seed);
        let at = tint.colors.iter().position(|own| *own == color);
        worn[at.expect("it is one of them")] += 1;
    }
    assert!(worn.iter().all(|n| *n >= 4), "{worn:?}");
    let wide = frame.agents.iter().map(|p| p.scale[0] / p.scale[1]);
    let (least, most) = wide.fold((9.0_f32, 0.0_f32), |(a, b), w| (a.min(w), b.max(w)));
    assert!(
        (0.8..0.85).contains(&least) && (1.15..=1.2).contains(&most),
        "{least} {most}"
    );
    // The models have them too.
    let models = frame.with_agents_as_models(u8::MAX, (0, 1080));
    for model in &models.models {
        let number = (model.instance & 0xfffff) as u32;
        let own = frame.agents.iter().find(|person| person.number == number);
        let own = own.expect("it is shown");
        let values = models.materials_of(model);
        assert_eq!(values[0].material, tint.material);
        assert_eq!(values[0].values.tint, tint.of(own.seed));
    }
    for (script, told) in [
        ("{ hiar = { vector.create(1, 1, 1) } }", "hair"),
        ("{ hair = {} }", "1 to 256"),
        (
            "{ hair = { 'red' } }",
            "expected a colour vec(red, green, blue)",
        ),
        ("{ { vector.create(1, 1, 1) } }", "expected names as keys"),
    ] {
        let script =
            format!("crowd {{ model = 'assets/mannequin.glb', count = 1, colors = {script} }}");
        let fault = bench.load(&script).expect_err("it is wrong");
        assert!(format!("{fault:?}").contains(told), "{fault:?}");
    }
}

#[test]
fn a_reloaded_script_finds_its_agents_in_place_and_removes_others() {
    let script = |count: u32, pace: f32| {
        format!(
            "people = crowd {{ model = 'post.glb', count = {count}, speed = {pace}, size = vector.create(10, 0, 10) }}
             function update() if now() < 0.02 then people:walk_all_to(vector.create(0, 0, 90)) end end"
        )
    };
    let mut bench = Bench::new(&script(20, 1.2));
    run(&mut bench, 120);
    let before = bench.agents();
    bench.load(&script(24, 2.5)).expect("it loads");
    let after = bench.agents();
    assert_eq!(after.len(), 24);
    for (was, now) in before.iter().zip(&after) {
        assert_eq!((was.agent.at, was.goal), (now.agent.at, now.goal));
        assert_eq!(now.speed, 2.5);
    }
    run(&mut bench, 120);
    let faster = bench
        .agents()
        .iter()
        .map(|p| p.velocity().z)
        .fold(0.0, f32::max);
    assert!(faster > 2.0, "{faster}");
    bench.load("").expect("it loads");
    assert!(bench.agents().is_empty());
}

#[test]
fn the_same_script_gives_the_same_agents_on_every_run() {
    let run_once = || {
        let mut bench = Bench::new(
            "people = crowd { model = 'post.glb', count = 200, size = vector.create(20, 0, 20), seed = 5 }
             function update()
                 for i = 1, 200 do
                     if vector.magnitude(people:velocity(i)) < 0.01 then
                         people:walk_to(i, vector.create(random_range(-9, 9), 0, random_range(-9, 9)))
                     end
                 end
             end",
        );
        run(&mut bench, 200);
        bench.agents()
    };
    assert_eq!(run_once(), run_once());
}

#[test]
fn distant_agents_are_coarser_and_return_with_hysteresis() {
    let mut bench = Bench::new(
        "people = crowd { model = 'assets/mannequin.glb', count = 1, size = vector.create(1, 0, 1) }
         camera.orbit { target = vector.create(0, 1, 0), distance = 5, yaw = 0, pitch = 0, fov = 40, cut = true }
         function far(away) camera.orbit { target = vector.create(0, 1, 0), distance = away, yaw = 0, pitch = 0, fov = 40, cut = true } end
         local steps = { 5, 12, 40, 90, 40, 12, 5 }
         function update() far(steps[math.min(#steps, 1 + math.floor(now() * 10))]) end",
    );
    let mut seen = Vec::new();
    for _ in 0..48 {
        run(&mut bench, 1);
        let frame = drawn(&bench, 1.0);
        let level = frame.agents[0].level;
        if seen.last() != Some(&level) {
            seen.push(level);
        }
    }
    assert!(seen.len() >= 5, "{seen:?}");
    let top = *seen.iter().max().unwrap_or(&0);
    assert_eq!(top, 3, "{seen:?}");
    assert_eq!((seen[0], seen.last()), (0, Some(&0)), "{seen:?}");
    let rises = seen.iter().take_while(|level| **level < top);
    assert!(rises.clone().zip(rises.skip(1)).all(|(a, b)| a < b));
}

#[test]
fn no_agent_is_inside_an_obstacle() {
    let mut bench = Bench::new(
        "people = crowd { model = 'post.glb', count = 12, position = vector.create(0, 0, -9), size = vector.create(8, 0, 2), speed = 1.6,
             obstacles = { { vector.create(0, 0, 0), 6 }, { vector.create(3, 0, 8), 0.6 } } }
         for i = 1, 12 do people:walk_to(i, vector.create(i - 6, 0, 12)) end",
    );
    let mut nearest = [f32::INFINITY; 2];
    for _ in 0..60 * 30 {
        run(&mut bench, 1);
        for person in bench.agents() {
            let place = person.position();
            let off = |at: Vec3, radius: f32| place.distance(at) - radius - person.agent.radius;
            nearest[0] = nearest[0].min(off(Vec3::ZERO, 6.0));
            nearest[1] = nearest[1].min(off(Vec3::new(3.0, 0.0, 8.0), 0.6));
        }
    }
    // The outline of the large one has 32 sides.
    assert!(nearest[0] > -0.05 && nearest[1] > -0.03, "{nearest:?}");
    let past = bench.agents().iter().filter(|p| p.agent.at.y > 6.0).count();
    assert!(past >= 8, "{past} came around");
}

#[test]
fn agents_sent_to_one_position_gather_around_it() {
    let mut bench = Bench::new(
        "people = crowd { model = 'post.glb', count = 40, position = vector.create(0, 0, -10), size = vector.create(8, 0, 6), scale = 1 }
         people:walk_all_to(vector.create(0, 0, 4))
         function update()
            if now() > 40 and now() < 40.02 then
                people:walk_all_to(vector.create(0, 0, -20))
                people:walk_to(1, vector.create(0, 0, 4))
            end
         end",
    );
    run(&mut bench, 60 * 35);
    let place = glam::Vec2::new(0.0, 4.0);
    let off = |person: &CrowdAgent| person.agent.at.distance(place);
    let all = bench.agents();
    for person in &all {
        let speed = person.agent.velocity.length();
        assert!(person.goal.is_none() && speed < 0.05, "{person:?}");
        assert!(off(person) < 3.5, "{person:?}");
    }
    // Later agents push the first one aside, at most as far as a gap between agents of this radius is wide.
    assert!(all.iter().any(|person| off(person) < 0.45));
    // The agents are gone: the next one reaches the position itself.
    run(&mut bench, 60 * 20);
    let all = bench.agents();
    assert!(all[0].goal.is_none() && off(&all[0]) < 0.35, "{:?}", all[0]);
    assert!(all[1..].iter().all(|person| off(person) > 10.0));
}
