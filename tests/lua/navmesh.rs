//! Navigation meshes on a stage: for crowds, and for path queries of scripts.

use galatea::stage::CrowdAgent;
use glam::{Vec2, Vec3};

use crate::common::Bench;

/// Two rooms with a wall 0.4 m thick at z = 0 between them, and a door of 2 m at x = 6.
const ROOMS: &str =
    "physics.box { position = vector.create(-2.5, 1, 0), size = vector.create(15, 2, 0.4) }
    physics.box { position = vector.create(8.5, 1, 0), size = vector.create(3, 2, 0.4) }
    level = navmesh { size = vector.create(20, 6, 20) }\n";

/// Depth of the deepest agent in the wall of [`ROOMS`], metres.
fn deepest(people: &[CrowdAgent]) -> f32 {
    let in_wall = |person: &CrowdAgent| {
        let at = person.agent.at;
        let off = |x: f32, half: f32| ((at.x - x).abs() - half).max(at.y.abs() - 0.2);
        -off(-2.5, 7.5).min(off(8.5, 1.5))
    };
    people.iter().map(in_wall).fold(f32::NEG_INFINITY, f32::max)
}

#[test]
fn a_crowd_goes_through_a_door_to_one_goal_and_each_to_its_own() {
    for (go, shared) in [
        ("people:walk_all_to(vector.create(-6, 0, 6))", true),
        (
            "for i = 1, 40 do people:walk_to(i, vector.create(i % 8 * 2 - 8, 0, 2.5 + i // 8 * 1.4)) end",
            false,
        ),
    ] {
        let mut bench = Bench::new(&format!(
            "{ROOMS}
             people = crowd {{ model = 'post.glb', count = 40, position = vector.create(-4, 0, -5), size = vector.create(8, 0, 6), speed = 1.4, navmesh = level }}
             {go}
             came = 0
             function update() came = came + #people:arrived() end"
        ));
        let mut worst = f32::NEG_INFINITY;
        let mut through = 0;
        for tick in 0..60 * 40 {
            bench.ticks(1);
            let people = bench.agents();
            worst = worst.max(deepest(&people));
            if people.iter().all(|p| p.agent.at.y > 0.5) && through == 0 {
                through = tick;
            }
        }
        // One after the other around the corner takes 32 s.
        assert!((1..60 * 28).contains(&through), "{through}");
        // Their centres stay away from the wall by more than half of their clearance.
        assert!(worst < -0.12, "{worst}");
        let over = bench.agents().iter().filter(|p| p.agent.at.y > 0.5).count();
        assert_eq!(over, 40, "all are in the other room");
        let near = |p: &&CrowdAgent| p.agent.at.distance(Vec2::new(-6.0, 6.0)) < 4.0;
        if shared {
            assert!(bench.agents().iter().filter(near).count() > 30);
        } else {
            let waiting = bench.agents().iter().filter(|p| p.goal.is_some()).count();
            assert_eq!(waiting, 0, "all have arrived");
        }
    }
}

#[test]
fn agents_without_a_path_are_reported_and_wait_for_a_door() {
    let mut bench = Bench::new(&format!(
        "{ROOMS}
         door = level:add_obstacle {{ position = vector.create(6, 0, 0), size = vector.create(3, 2, 0.6) }}
         people = crowd {{ model = 'post.glb', count = 6, position = vector.create(0, 0, -5), size = vector.create(6, 0, 3), navmesh = level }}
         people:walk_all_to(vector.create(0, 0, 5))
         local lost = {{}}
         function update()
             for _, i in people:no_path() do table.insert(lost, i) end
             if now() > 2 and door then
                 print(#lost, level.is_ready)
                 level:remove_obstacle(door)
                 door = false
                 people:walk_all_to(vector.create(0, 0, 5))
             end
         end"
    ));
    bench.ticks(100);
    let stood = bench.agents();
    assert!(
        stood
            .iter()
            .all(|p| p.velocity().length() < 0.05 && p.goal.is_none())
    );
    bench.ticks(60 * 45);
    assert_eq!(bench.printed().first().map(String::as_str), Some("6\ttrue"));
    for person in bench.agents() {
        assert!(person.agent.at.y > 0.0, "{person:?}");
    }
}

#[test]
fn agents_go_up_stairs_to_the_floor_above_and_down_a_link() {
    let mut bench = Bench::new(
        "physics.box { position = vector.create(5, 2.9, 0), size = vector.create(10, 0.2, 12) }
         for i = 1, 12 do
             physics.box { position = vector.create(-6 + i * 0.5, i * 0.125, 0), size = vector.create(0.5, i * 0.25, 3) }
         end
         level = navmesh { size = vector.create(24, 12, 24) }
         level:add_link(vector.create(9.5, 3, 0), vector.create(11, 0, 0), { cost = 1 })
         people = crowd { model = 'post.glb', count = 5, position = vector.create(5, 0, 0), size = vector.create(4, 0, 3), speed = 1.5, navmesh = level }
         local way
         function update()
             if not way then
                 way = level:find_path(vector.create(6, 0, 0), vector.create(6, 3, 0))
                 for _, place in way do print(place) end
             end
         end",
    );
    bench.ticks(2);
    let printed = bench.printed();
    assert!(printed.len() >= 3, "{printed:?}");
    // Goals snap to the nearest ground: given from above, they are on the upper floor.
    let handle = bench
        .stage
        .agents
        .crowds
        .iter()
        .next()
        .map(|(handle, _)| handle);
    let crowd = bench
        .stage
        .agents
        .crowds
        .get_mut(handle.expect("it is there"));
    let crowd = crowd.expect("it is there");
    for (i, person) in (0..).zip(&mut crowd.agents) {
        *person = CrowdAgent::new(Vec3::new(4.0, 3.0, i as f32 - 2.0), 0.0, 1.5);
        person.send(Some(Vec2::new(11.5, 0.0)));
    }
    let mut lowest_over_floor = f32::INFINITY;
    for _ in 0..60 * 12 {
        bench.ticks(1);
        for person in bench.agents() {
            if person.agent.at.x < 9.0 {
                lowest_over_floor = lowest_over_floor.min(person.height);
            }
        }
    }
    assert!(lowest_over_floor > 2.8, "{lowest_over_floor}");
    for person in bench.agents() {
        assert!(person.height.abs() < 0.05, "{person:?}");
        assert!(person.agent.at.x > 10.0);
    }
}

#[test]
fn an_agent_on_a_link_continues_after_a_reload() {
    // A block 8 m thick through the whole level, with a tunnel that is not walkable.
    let script = "physics.box { position = vector.create(0, 3, 4), size = vector.create(30, 6, 8) }
         level = navmesh { size = vector.create(24, 16, 32) }
         level:add_link(vector.create(0, 0, -1), vector.create(0, 0, 9), { cost = 1 })
         people = crowd { model = 'post.glb', count = 3, position = vector.create(0, 0, -3), size = vector.create(4, 0, 1), speed = 1.5, navmesh = level }
         function update() if now() < 0.02 then people:walk_all_to(vector.create(0, 0, 12)) end end";
    let mut bench = Bench::new(script);
    let is_between = |person: &CrowdAgent| (2.0..5.0).contains(&person.agent.at.y);
    let mut ticks = 0;
    while !bench.agents().iter().any(is_between) {
        bench.ticks(1);
        ticks += 1;
        assert!(ticks < 1200, "nobody takes the link");
    }
    bench.load(script).expect("it loads");
    let before = bench.agents();
    assert!(before.iter().any(is_between));
    bench.ticks(60 * 20);
    for person in bench.agents() {
        assert!(person.agent.at.y > 9.0, "{person:?}");
        assert_eq!(person.agent.yields, 1.0);
    }
}

#[test]
fn costly_ground_is_avoided_and_a_reload_keeps_the_mesh() {
    let script = |cost: f32, z: f32| {
        format!(
            "ground.patch {{ position = vector.create(0, 0, 0), size = vector.create(12, 0, 3), surface = 'mud' }}
             level = navmesh {{ size = vector.create(20, 6, 20), costs = {{ mud = {cost} }} }}
             local told
             function update()
                 if told then return end
                 told = true
                 local way, long = level:find_path(vector.create(0, 0, -5), vector.create(0, 0, {z})), 0
                 local last = vector.create(0, 0, -5)
                 for _, at in way do long, last = long + vector.magnitude(at - last), at end
                 print(math.floor(long + 0.5))
             end"
        )
    };
    let mut bench = Bench::new(&script(1.0, 5.0));
    bench.ticks(2);
    assert_eq!(bench.printed(), ["10"]);
    bench.load(&script(9.0, 5.0)).expect("it loads");
    bench.ticks(2);
    let long: f32 = bench.printed()[0].parse().expect("a number");
    assert!((13.0..18.0).contains(&long), "{long}");
}

#[test]
fn faults_are_reported() {
    for (script, told) in [
        (
            "navmesh { size = vector.create(0, 0, 4) }",
            "must be above 0",
        ),
        ("navmesh { max_slope = 91 }", "must be 0 to 89, got 91"),
        (
            "navmesh { size = vector.create(90000, 10, 90000) }",
            "needs cells of",
        ),
        ("navmesh { costs = { mud = -1 } }", "0.01 to 1000"),
        (
            "navmesh({}):find_path(vector.create(0, 0, 0), vector.create(1, 0, 0))",
            "not baked yet",
        ),
        (
            "navmesh({}):add_obstacle { position = vector.create(0, 0, 0) }",
            "either size or radius",
        ),
        (
            "navmesh({}):remove_obstacle(7)",
            "no obstacle with the number 7",
        ),
        ("for i = 1, 17 do navmesh {} end", "the limit is 16 meshes"),
    ] {
        let mut bench = Bench::empty();
        let fault = bench.load(script).expect_err("it is wrong");
        assert!(format!("{fault:?}").contains(told), "{script}: {fault:?}");
    }
}

#[test]
fn agents_wider_than_the_mesh_agent_get_around_corners() {
    let mut bench = Bench::new(&format!(
        "{ROOMS}
         narrow = navmesh {{ size = vector.create(20, 6, 20), agent_radius = 0.2, name = 'narrow' }}
         people = crowd {{ model = 'post.glb', count = 6, position = vector.create(3, 0, -3), size = vector.create(4, 0, 2), radius = 0.4, scale = 1, navmesh = narrow }}
         function update()
            if now() < 0.1 then
                for i = 1, 6 do people:walk_to(i, vector.create(i * 1.5 - 6, 0, 4)) end
            end
         end"
    ));
    bench.ticks(60 * 25);
    for person in bench.agents() {
        assert!(
            person.goal.is_none() && person.agent.at.y > 3.0,
            "{person:?}"
        );
    }
}

/// The same as in `crowd/tests.rs` for line walls: 1.9 agents per metre and second (Seyfried et al. 2009).
#[test]
fn the_flow_through_a_door_of_a_level_equals_that_of_people() {
    let mut bench = Bench::new(
        "for side = -1, 1, 2 do
            physics.box { position = vector.create(side * 3.4, 0.6, 0), size = vector.create(5.2, 1.2, 0.3), body_type = 'static' }
            physics.box { position = vector.create(side * 6, 0.6, -8), size = vector.create(0.3, 1.2, 16), body_type = 'static' }
        end
        level = navmesh { size = vector.create(34, 6, 50), cell_size = 0.1, agent_radius = 0.25 }
        people = crowd { model = 'post.glb', count = 130, position = vector.create(0, 0, -6), size = vector.create(11, 0, 10), speed = { 1.05, 1.6 }, scale = 1, navmesh = level }
        for i = 1, 130 do people:walk_to(i, vector.create((i % 13 - 6) * 0.9, 0, 12 + (i // 13) * 0.9)) end",
    );
    let mut at = [0, 0];
    for tick in 0..60 * 90 {
        bench.ticks(1);
        let all = bench.agents();
        let passed = all.iter().filter(|one| one.agent.at.y > 0.15).count();
        for (n, at) in [5, 125].into_iter().zip(&mut at) {
            if *at == 0 && passed >= n {
                *at = tick;
            }
        }
        if at[1] > 0 {
            break;
        }
    }
    // Agents per metre and second over nearly the whole run; Seyfried et al. (2009) measured 1.9, of which a sixth more
    // passes.
    let flow = 120.0 * 60.0 / (at[1] - at[0]) as f32 / 1.6;
    assert!(at[1] > 0 && (1.3..=2.2).contains(&flow), "{flow} {at:?}");
}

#[test]
fn a_wall_between_two_floors_pushes_no_agent_through() {
    // Both sides have a border: the border of the other side is ignored.
    let mut bench = Bench::new(&format!(
        "{ROOMS}
         people = crowd {{ model = 'post.glb', count = 10, position = vector.create(-2, 0, -3), size = vector.create(14, 0, 3), speed = 2.5, navmesh = level }}
         function update()
            if now() < 0.1 then
                for i = 1, 10 do people:walk_to(i, vector.create(i * 1.4 - 9.6, 0, -0.7)) end
            end
         end"
    ));
    bench.ticks(60 * 12);
    for person in bench.agents() {
        assert!(
            person.goal.is_none() && person.agent.velocity.length() < 0.3,
            "{person:?}"
        );
    }
}

#[test]
fn no_agent_stays_pinned_at_the_border_of_the_mesh() {
    let mut bench = Bench::new(&format!(
        "{ROOMS}
         people = crowd {{ model = 'post.glb', count = 60, position = vector.create(3, 0, -4), size = vector.create(10, 0, 6), radius = 0.27, speed = 1.6, navmesh = level }}
         function update()
            if now() < 0.1 then people:walk_all_to(vector.create(-6, 0, 7)) end
         end"
    ));
    bench.ticks(60 * 60);
    for person in bench.agents() {
        assert!(person.agent.at.y > 0.5, "{:?}", person.agent);
    }
}
