//! Crowd agents beyond walking, over hot reloads and repeated runs: states, smart objects, flocks, statistics, scent
//! fields, and agents promoted to characters.

use galatea::stage::{Frame, tick};
use glam::Vec3;

use crate::common::Bench;

/// States of all agents of the first crowd.
fn states(bench: &Bench) -> Vec<String> {
    let (_, crowd) = bench
        .stage
        .agents
        .crowds
        .iter()
        .next()
        .expect("it is there");
    let name = |i: usize| crowd.state_of(i).map(|state| state.name.clone());
    (0..crowd.agents.len()).filter_map(name).collect()
}

/// Agents that walk, rest, stop for a conversation and use a seat; a reload changes `pace`.
fn life(pace: f32) -> String {
    format!(
        "seat = smart_object {{ position = vector.create(0, 0, 3), duration = 60, attract_chance = 0.4, attract_radius = 9, queue = vector.create(1.5, 0, 0) }}
         hall = crowd_stats {{ size = vector.create(12, 0, 12), lines = {{ middle = {{ vector.create(6, 0, 0), vector.create(-6, 0, 0) }} }} }}
         people = crowd {{
             model = 'post.glb', count = 30, speed = {pace}, size = vector.create(10, 0, 10), seed = 5, start = 'walk', meet_chance = 1, group_size = {{ 1, 2 }},
             states = {{
                 walk = {{
                     on_enter = function(own, i) own:walk_to(i, vector.create(random_range(-5, 5), 0, random_range(-5, 5))) end,
                     on = {{ arrived = 'rest', met = 'talk' }},
                 }},
                 rest = {{ duration = {{ 0.5, 2 }}, next = {{ 'walk', 'rest' }} }},
                 talk = {{ stationary = true, duration = {{ 1, 3 }}, next = 'walk' }},
             }},
         }}"
    )
}

#[test]
fn the_same_script_gives_the_same_lives_on_every_run() {
    let run_once = || {
        let mut bench = Bench::new(&life(1.4));
        bench.ticks(600);
        (bench.agents(), states(&bench))
    };
    let (first, names) = run_once();
    assert_eq!((first, names.clone()), run_once());
    for name in ["walk", "rest"] {
        assert!(names.iter().any(|own| own == name), "{names:?}");
    }
}

#[test]
fn a_reload_keeps_states_users_and_counts() {
    let mut bench = Bench::new(&life(1.4));
    bench.ticks(900);
    let (before, was) = (states(&bench), bench.agents());
    let users = |bench: &Bench| {
        let (_, seat) = bench
            .stage
            .agents
            .objects
            .iter()
            .next()
            .expect("it is there");
        let all: Vec<u32> = seat.users().map(|(_, i)| i).collect();
        all
    };
    let counted = |bench: &Bench| {
        let (_, hall) = bench
            .stage
            .agents
            .crowd_stats
            .iter()
            .next()
            .expect("it is there");
        hall.flow("middle", bench.stage.time())
            .expect("it is a line")
            .n
    };
    let (sits, n) = (users(&bench), counted(&bench));
    assert!(!sits.is_empty() && n[0] > 3, "{sits:?} {n:?}");
    bench.load(&life(1.0)).expect("it loads");
    assert_eq!(states(&bench), before);
    assert_eq!((users(&bench), counted(&bench)), (sits.clone(), n));
    for (was, now) in was.iter().zip(bench.agents()) {
        assert_eq!(was.agent.at, now.agent.at);
        assert_eq!(was.used_object().is_some(), now.used_object().is_some());
    }
    bench.ticks(120);
    assert_eq!(users(&bench)[0], sits[0], "who sits stays");
    // An agent in a removed state restarts in the first state; a removed object is released.
    bench
        .load(
            "people = crowd { model = 'post.glb', count = 30, size = vector.create(10, 0, 10), seed = 5, start = 'new', states = { new = {} } }",
        )
        .expect("it loads");
    bench.ticks(1);
    assert!(states(&bench).iter().all(|name| name == "new"));
    assert!(
        bench
            .agents()
            .iter()
            .all(|person| person.used_object().is_none() && person.agent.yields == 1.0)
    );
}

#[test]
fn flocks_are_interpolated_and_survive_a_reload() {
    let script = "birds = flock { model = 'post.glb', count = 40, position = vector.create(0, 12, 0), speed = 6 }";
    let mut bench = Bench::new(script);
    bench.ticks(120);
    let drawn = |bench: &Bench, alpha: f32| {
        let mut frame = Frame::default();
        bench.stage.snapshot(alpha, &mut frame);
        frame
    };
    let (before, middle, now) = (drawn(&bench, 0.0), drawn(&bench, 0.5), drawn(&bench, 1.0));
    assert_eq!(now.agents.len(), 40);
    for i in 0..40 {
        let at = [&before, &middle, &now].map(|frame| frame.agents[i].at);
        let gone = at[0].distance(at[2]);
        assert!((gone - 6.0 / 60.0).abs() < 2e-3, "{gone}");
        assert!(at[1].distance((at[0] + at[2]) * 0.5) < 1e-5);
        // They face their direction of flight.
        let ahead = now.agents[i].turn * Vec3::Z;
        assert!(ahead.dot((at[2] - at[0]).normalize()) > 0.999);
    }
    let places = |bench: &Bench| -> Vec<Vec3> {
        let all = bench.stage.agents.flocks.iter();
        all.flat_map(|(_, flock)| flock.boids.iter().map(|boid| boid.at))
            .collect()
    };
    let was = places(&bench);
    bench.load(script).expect("it loads");
    assert_eq!(places(&bench), was);
}

#[test]
fn a_promoted_agent_is_drawn_once_and_avoided() {
    let script =
        "people = crowd { model = 'post.glb', count = 12, size = vector.create(6, 0, 6), seed = 3, width_scale = { 1.2, 1.5 } }
         hero = people:promote(4)
         people:walk_all_to(vector.create(0, 0, 30))";
    let mut bench = Bench::new(script);
    bench.ticks(20);
    bench.load(script).expect("it loads");
    bench.ticks(20);
    let mut frame = Frame::default();
    bench.stage.snapshot(1.0, &mut frame);
    assert_eq!(
        (frame.agents.len(), frame.models.len()),
        (11, 1),
        "also after a save"
    );
    assert!(frame.agents.iter().all(|person| person.number != 3));
    let all = bench.agents();
    let own = all[3].position();
    assert!(
        frame.models[0]
            .world_from_model
            .translation
            .distance(own.into())
            < 0.05
    );
    let [wide, high, deep] = [0, 1, 2].map(|axis| {
        let drawn = frame.models[0].world_from_model.matrix3;
        drawn.col(axis).length()
    });
    assert!((wide / high - all[3].width_scale).abs() < 1e-4 && (wide - deep).abs() < 1e-4);
    assert!(all[3].width_scale > 1.2);
    // The character is not an obstacle for itself.
    assert!(all[3].velocity().z > 0.8, "{:?}", all[3].agent);
}

#[test]
fn an_agent_sent_to_a_seat_walks_there_and_missing_clips_are_reported() {
    let mut bench = Bench::new(
        "seat = smart_object { position = vector.create(0, 0, 3), clip = 'idel', duration = 1 }
         people = crowd {
             model = 'post.glb', count = 1, size = vector.create(1, 0, 1), start = 'go',
             states = { go = { duration = 3, next = 'rest' }, rest = { clip = 'idle' } },
         }
         people:walk_to(1, vector.create(0, 0, -40))
         people:use(1, seat)",
    );
    for _ in 0..150 {
        tick(&mut bench.stage, &mut bench.host);
    }
    let at = bench.agents()[0].position();
    assert!(at.distance(Vec3::Z * 3.0) < 0.6, "{at}");
    let faults = bench.host.take_faults();
    assert_eq!(faults.len(), 1, "{faults:?}");
    let told = faults[0].to_string();
    assert!(told.contains("\"idel\"; did you mean \"idle\""), "{told}");
    // Its state is paused meanwhile, and the agent continues to its goal.
    assert_eq!(states(&bench), ["go"]);
    bench.ticks(120);
    assert!(
        bench.agents()[0].velocity().z < -0.8,
        "{:?}",
        bench.agents()[0]
    );
    bench.ticks(120);
    assert_eq!(states(&bench), ["rest"]);
}

#[test]
fn roaming_agents_follow_scent_and_scent_survives_a_reload() {
    let script =
        "scent = scent_field { size = vector.create(20, 0, 20), cell_size = 0.5, half_life = 20, name = 'scent' }
         people = crowd {
             model = 'post.glb', count = 25, size = vector.create(8, 0, 8), seed = 2,
             states = { go = { wander_turn_rate = 40, follow_scent = scent, leave_scent = scent } },
         }";
    let laid = |bench: &Bench| -> Vec<f32> {
        let (_, own) = bench
            .stage
            .agents
            .scent_fields
            .iter()
            .next()
            .expect("it is there");
        own.field.cells().1.to_vec()
    };
    let run_once = || {
        let mut bench = Bench::new(script);
        bench.ticks(300);
        bench
    };
    let (mut bench, other) = (run_once(), run_once());
    assert_eq!(
        (bench.agents(), laid(&bench)),
        (other.agents(), laid(&other))
    );
    let was = laid(&bench);
    assert!(was.iter().sum::<f32>() > 50.0, "{was:?}");
    let before = bench.agents();
    bench.load(script).expect("it loads");
    assert_eq!(laid(&bench), was);
    bench.ticks(1);
    for (now, before) in bench.agents().iter().zip(&before) {
        let turned = now
            .agent
            .desired_velocity
            .angle_to(before.agent.desired_velocity)
            .abs();
        assert!(turned < 0.3, "they continue their paths: {turned}");
    }
    // Another cell size makes another trail.
    bench.load(&script.replace("0.5", "0.4")).expect("it loads");
    assert!(laid(&bench).iter().all(|cell| *cell == 0.0));
}

#[test]
fn a_promoted_agent_keeps_its_state_over_a_reload() {
    let script = |pace: f32, main: &str| {
        format!(
            "people = crowd {{
                 model = 'post.glb', count = 4, size = vector.create(4, 0, 4), speed = {pace},
                 on_promote = function(_, i, hero, again) print(`{{i}} {{again}}`) end,
             }}
             people:walk_all_to(vector.create(0, 0, 30))
             {main}
             local ball
             function update()
                 if now() > 0.3 and now() < 0.35 then
                     for i = 1, 2 do
                         local hero = people:promote(i)
                         hero.health = 0.25 * i
                     end
                     if not ball then
                         ball = physics.sphere {{ radius = 0.05, mass = 0.2 }}
                         people:character(1):attach(ball, 'upper')
                     end
                 end
                 if now() > 0.6 and now() < 0.65 then people:demote(2) end
                 if now() > 2 then people:promote(2) end
             end"
        )
    };
    let mut bench = Bench::new(&script(1.0, ""));
    bench.ticks(60);
    let own = |bench: &Bench, i: usize| {
        let (_, crowd) = bench
            .stage
            .agents
            .crowds
            .iter()
            .next()
            .expect("it is there");
        crowd.character_of(i)
    };
    let hero = own(&bench, 0).expect("it is a character");
    assert_eq!(own(&bench, 1), None);
    let held = |bench: &Bench| {
        let all = bench.stage.characters.iter();
        let held = all.filter(|(_, one)| one.attachment.is_some_and(|own| own.holder == hero));
        held.map(|(handle, _)| handle).collect::<Vec<_>>()
    };
    let ball = held(&bench);
    assert_eq!(ball.len(), 1);
    let place = |bench: &Bench| {
        bench
            .stage
            .characters
            .get(hero)
            .expect("it is there")
            .placement
    };
    let before = place(&bench);
    bench.load(&script(1.2, "")).expect("it loads");
    assert_eq!((own(&bench, 0), held(&bench)), (Some(hero), ball.clone()));
    assert_eq!(place(&bench), before);
    bench.ticks(1);
    assert!(place(&bench).position.distance(before.position) < 0.03);
    bench.ticks(80);
    let health = |i: usize| {
        let own = own(&bench, i).expect("it is a character");
        let own = bench.stage.characters.get(own).expect("it is there");
        own.body.vitals.health
    };
    assert_eq!(
        (health(0), health(1)),
        (0.25, 0.5),
        "also one that was demoted before"
    );
    let told = bench.printed().join(" ");
    assert_eq!(told, "1 false 2 false 1 true 2 true");
    // The main part of a new version overrides the changes of the previous main part.
    bench
        .load(&script(1.0, "people:promote(4)"))
        .expect("it loads");
    assert!(own(&bench, 3).is_some());
    bench.load(&script(1.0, "")).expect("it loads");
    assert!(own(&bench, 3).is_none());
}
