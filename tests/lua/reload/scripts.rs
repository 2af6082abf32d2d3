//! Hot reloads of the script.

use galatea::asset::Model;
use galatea::asset::gltf::load_slice;
use galatea::script::LoadError;

use super::{faultless, hero, saved};
use crate::common::{Bench, HERO};

#[test]
fn a_new_character_does_not_take_the_handle_of_a_continued_one() {
    let mut bench = Bench::new("local a = character 'post.glb'");
    let a = hero(&bench);
    let both = "local b = character 'assets/mannequin.glb'
        local a = character 'post.glb'
        print(a.position, b.position)";
    bench.load(both).expect("both are on the stage");
    assert_eq!(bench.stage.characters.len(), 2);
    let source = |bench: &Bench, handle| {
        let character = bench.stage.characters.get(handle);
        character.map(|character| character.source.to_string())
    };
    assert_eq!(source(&bench, a).as_deref(), Some("post.glb"));
    let second = bench.stage.characters.iter().find(|(h, _)| *h != a);
    let b = second.expect("the other").0;
    // A lost handle never refers to another character.
    bench.load("character 'assets/mannequin.glb'").unwrap();
    bench.load(both).unwrap();
    assert_eq!(source(&bench, a), None);
    assert_eq!(source(&bench, b).as_deref(), Some("assets/mannequin.glb"));
}

#[test]
fn a_late_character_under_an_old_key_gets_its_own_handle() {
    let mut bench = Bench::new("character 'post.glb' character 'assets/mannequin.glb'");
    bench
        .load(
            "local a, c, d = character 'post.glb'
            function update()
                if c then return end
                c = character('post.glb', { name = 'c' })
                d = character 'assets/mannequin.glb'
                print(a.yaw, c.yaw, d.yaw)
            end",
        )
        .unwrap();
    bench.run(0.1);
    faultless(&mut bench);
    assert_eq!(bench.printed(), ["0\t0\t0"]);
    assert_eq!(bench.stage.characters.len(), 3);
}

#[test]
fn a_clip_that_the_main_part_plays_is_played_once_however_often_it_is_saved() {
    let script = format!(
        "{HERO}hero:play('walk', {{ mode = 'loop' }})
        hero:play('run', {{ mode = 'loop', mask = 'upper', additive = true, mute_markers = true }})
        hero:on('step', function(e) print(e.foot) end)"
    );
    let mut bench = Bench::new(&script);
    for _ in 0..5 {
        bench.run(0.02);
        bench.load(&script).unwrap();
    }
    bench.run(0.5);
    bench.printed();
    bench.run(1.0);
    assert_eq!(bench.printed().len(), 2, "one left and one right");
    let handle = hero(&bench);
    let character = bench.stage.characters.get(handle).unwrap();
    assert_eq!(character.playback.actions.len(), 2);
    // An action on other bones continues.
    bench
        .load(&format!("{HERO}hero:play('jump', {{ mask = 'upper' }})"))
        .unwrap();
    bench.run(0.3);
    let character = bench.stage.characters.get(handle).unwrap();
    assert_eq!(character.playback.actions.len(), 3);
}

#[test]
fn parameters_set_in_the_main_part_apply_from_the_first_tick() {
    let mut bench = Bench::new(&format!(
        "{HERO}hero.machine = machine {{ params = {{ speed = 0, armed = false }}, state 'a' {{ 'idle' }} }}
        hero.machine.params.speed = 2
        hero.machine.params.armed = true
        function update() print(hero.machine.params.speed, hero.machine.params.armed) end"
    ));
    bench.run(1.0 / 60.0);
    assert_eq!(bench.printed(), ["2\ttrue"]);
    let character = bench.stage.characters.iter().next().unwrap().1;
    assert_eq!(
        character.playback.machine.as_ref().unwrap().1.params,
        [1.0, 2.0]
    );
}

#[test]
fn a_parameter_keeps_its_value_unless_the_script_changed_its_default() {
    let script = |speed: &str| {
        format!(
            "hero.machine = machine {{ params = {{ speed = 0, mood = 1 }}, state 'a' {{ 'idle' }} }}
            hero.machine.params.speed = {speed}
            hero:add_marker('idle', 0.09, 'M')
            hero:on('M', function() hero.machine.params.speed = 0.1 end)
            N = 0
            function update()
                N += 1
                if N == 1 then print(hero.machine.params.speed == 0.1, hero.machine.params.speed) end
                if N == 2 then hero.machine.params.mood = 0.7 end
            end"
        )
    };
    // The listener writes in the very last tick.
    let mut bench = saved(&script("2"), 0.1, &script("2"));
    bench.run(0.02);
    assert_eq!(bench.printed(), ["true\t0.1"]);
    let mut bench = saved(&script("2"), 0.1, &script("3"));
    bench.run(0.02);
    assert_eq!(bench.printed(), ["false\t3"]);
    let character = bench.stage.characters.iter().next().unwrap().1;
    let (_, state) = character.playback.machine.as_ref().unwrap();
    assert_eq!(state.params, [0.7, 3.0]);
}

#[test]
fn a_parameter_of_another_type_is_reset() {
    let script = |speed: &str| {
        format!(
            "hero.machine = machine {{ params = {{ speed = {speed} }}, state 'a' {{ 'idle' }} }}
            function update() print(hero.machine.params.speed) end"
        )
    };
    let mut bench = saved(&script("1"), 0.1, &script("false"));
    bench.run(0.01);
    assert_eq!(bench.printed(), ["false"]);
}

#[test]
fn listeners_of_a_new_script_receive_ends_of_open_intervals() {
    let script = |more: &str| {
        format!(
            "{more}
            hero.machine = machine {{ state 'x' {{ 'walk' }}, state 'a' {{ 'idle' }}, transition_to 'a' {{ from = 'x', when = 'true', fade = 0 }} }}
            hero:add_marker('idle', 0.2, 'I', {{ duration = 0.4 }})
            hero:on('I', function(e) print(e.marker_phase, e.interrupted) end)
            hero:on('*', function(e) if e.name ~= 'enter' then print('all', e.name) end end)"
        )
    };
    let more = "hero:add_marker('idle', 0, 'J', { duration = 0.1 })";
    let mut bench = saved(&script(""), 0.4, &script(more));
    bench.run(0.5);
    assert_eq!(bench.printed(), ["end\tfalse", "all\tI"]);
    bench.run(3.0);
    let lines = bench.printed();
    let n = |what: &str| lines.iter().filter(|line| *line == what).count();
    assert_eq!((n("begin\tfalse"), n("end\tfalse")), (1, 1));
}

#[test]
fn an_interval_that_a_saved_script_has_no_more_ends_cut_for_the_new_listeners() {
    let script = |at: f32| {
        format!(
            "hero:add_marker('idle', {at}, 'I', {{ duration = 0.4 }})
            hero:event_log()
            hero:on('I', function(e) print(e.marker_phase, e.interrupted, string.format('%.2f', e.time)) end)
            function update()
                for _, e in hero:event_log() do
                    if e.reason == 'reloaded' then print(e.name, e.outcome) end
                end
            end"
        )
    };
    let mut bench = saved(&script(0.2), 0.4, &script(1.0));
    bench.run(2.0 / 60.0);
    assert_eq!(bench.printed(), ["end\ttrue\t0.40", "I\tinterrupted"]);
}

#[test]
fn the_idle_clip_continues_with_the_markers_of_the_new_script() {
    let first = "hero:add_marker('idle', 1.5, 'J', { duration = 0.1 })\n";
    let script = "hero:add_marker('idle', 0.2, 'I', { duration = 0.4 })
        hero:on('*', function(e) print(e.name, e.marker_phase, string.format('%.2f', e.time)) end)";
    let mut bench = saved(script, 0.4, &format!("{first}{script}"));
    bench.run(1.15);
    assert_eq!(bench.printed(), ["I\tend\t0.60", "J\tbegin\t1.50"]);
}

#[test]
fn another_machine_ends_the_states_and_intervals_of_the_one_before() {
    let mut bench = Bench::new(&format!(
        "{HERO}hero:add_marker('idle', 0.05, 'I', {{ duration = 1 }})
        hero:on('*', function(e) print(e.name, e.marker_phase, e.interrupted, e.source, e.layer, e.state, e.to) end)
        local n = 0
        function update()
            n += 1
            if n == 10 then
                hero.machine = machine {{ layer 'legs' {{ state 'out' {{ state 'in' {{ 'idle' }} }} }} }}
            elseif n == 20 then
                hero.machine = machine {{ params = {{ x = 0 }}, state 'b' {{ 'jump' }}, state 'c' {{ 'run' }} }}
            end
        end"
    ));
    bench.run(0.25);
    assert_eq!(
        bench.printed(),
        [
            "I\tbegin\tfalse\tidle\tnil\tnil\tnil",
            "I\tend\ttrue\tidle\tnil\tnil\tnil",
            "I\tbegin\tfalse\tmachine\tlegs\tout/in\tnil"
        ]
    );
    bench.run(0.15);
    assert_eq!(
        bench.printed(),
        [
            "I\tend\ttrue\tmachine\tlegs\tout/in\tnil",
            "state_exit\tnil\tnil\tnil\tlegs\tout/in\tnil",
            "state_exit\tnil\tnil\tnil\tlegs\tout\tnil"
        ]
    );
    faultless(&mut bench);
}

#[test]
fn a_reload_keeps_sent_events_decisions_and_pending_events() {
    let script = "hero.machine = machine {
            params = { open = false },
            state 'a' { 'idle' }, state 'b' { 'walk' },
            transition_to 'b' { from = 'a', min_time = 0.05 },
            transition_to 'a' { from = 'b', on = 'go', when = 'open' },
        }
        hero:add_marker('idle', 0.095, 'M') hero:add_marker('jump', 0.25, 'hit')
        local p = now() == 0 and hero:play('jump', { mask = 'upper', fade = 0 })
        local q = character('post.glb', { name = 'q' })
        q:add_marker('idle', 0.095, 'M')
        q:on('M', function() hero.machine:send('go', { timeout = 0.5 }) p:seek(0.3, { emit_markers = true }) end)
        hero:on('hit', function(e) print(e.name, e.clip, e.source) end)
        hero:on('state_enter', function(e) print('enter', e.state) end)";
    let mut bench = saved(
        script,
        0.1,
        &format!(
            "{script}
            print(#hero.machine:transition_history())
            function update() hero.machine.params.open = now() > 0.3 end
            function on_reload() print(#hero.machine:transition_history(), hero.machine:transition_history()[1].to) end"
        ),
    );
    assert_eq!(bench.printed(), ["0", "1\tb"]);
    bench.run(0.1);
    assert_eq!(bench.printed(), ["hit\tjump\tplay"]);
    bench.run(0.2);
    assert_eq!(bench.printed(), ["enter\ta", "enter\tb"]);
    faultless(&mut bench);
}

#[test]
fn a_character_made_while_the_scene_runs_is_loaded_in_place() {
    let mut bench = Bench::new(&format!(
        "{HERO}local n, crate = 0, nil
        function update()
            n += 1
            if n == 3 then crate = character 'slow.glb' end
            if n > 2 then print(n, crate.yaw) end
        end"
    ));
    bench.run(4.0 / 60.0);
    faultless(&mut bench);
    assert_eq!(bench.printed(), ["3\t0", "4\t0"]);
    // Only models that the main part loads are awaited, and errors are reported.
    let waits = bench.load("pcall(character, 'slow.glb') character 'nowhere.glb'");
    match waits {
        Err(LoadError::Pending(models)) => assert_eq!(models, ["slow.glb", "nowhere.glb"]),
        other => panic!("{other:?}"),
    }
    match bench.load("pcall(character, 'nowhere.glb') error 'no'") {
        Err(LoadError::Fault { models, .. }) => assert_eq!(models, ["nowhere.glb"]),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_walking_controller_continues_with_the_new_options() {
    let scene = "ground.set { height = 0, collider = true }
        physics.stairs { position = vector.create(0, 0, 2), steps = 5, step_height = 0.15, step_depth = 0.3 }
        hero:on('land', function(e) if e.source == 'controller' then print('land') end end)
        hero:on('fall', function() print('fall') end)
        hero:on('step_up', function(e) print(`up {math.round(e.height * 100)}`) end)
        hero:controller { radius = 0.2, height = 1.8, JUMP }
        hero:move(vector.create(0, 0, 1.2))";
    let old = scene.replace("JUMP", "jump_height = 0.4");
    let mut bench = Bench::new(&format!("{HERO}{old}"));
    bench.run(2.0);
    let first = bench.printed();
    assert_eq!(first, ["up 15", "up 15"]);
    let place = |bench: &Bench| {
        let walker = bench
            .stage
            .characters
            .get(hero(bench))
            .expect("it is there");
        let controller = walker.body.controller.as_ref().expect("it walks");
        (
            walker.placement.position,
            controller.speed(),
            controller.options.jump_height,
        )
    };
    let (before, speed, _) = place(&bench);
    let new = scene.replace("JUMP", "jump_height = 0.9");
    bench.load(&format!("{HERO}{new}")).expect("it loads");
    bench.run(1.0 / 60.0);
    let (after, still, jump) = place(&bench);
    assert!(
        (after.z - before.z - 1.2 / 60.0).abs() < 2e-3,
        "{before} {after}"
    );
    assert!(
        (speed, still) == (1.2, 1.2) && jump == 0.9,
        "{speed} {still} {jump}"
    );
    bench.run(0.9);
    assert_eq!(bench.printed(), ["up 15", "up 15", "up 15"]);
}

/// A lever that is used once, from her position.
const LEVER: &str =
    "local hero = character 'assets/mannequin.glb'
    local lever = physics.box { position = vector.create(-0.3, 1.2, 0.4), size = vector.create(0.04, 0.4, 0.04), body_type = 'kinematic' }
    lever:add_interaction('grip', { kind = 'lever', position = vector.create(0, 0.15, 0), pivot = vector.create(0, -0.2, 0), swing = 60, hold_time = 0.5, reach_time = 0.1, release_time = 0.1 })
    hero:task(function(a) a:use(lever) end)
    function update() if now() % 0.1 < 0.02 then local at = lever.position print(math.round(math.deg(math.atan2(at.z - 0.4, at.y - 1)))) end end ";

/// The repository's character, which has hands.
fn galatea() -> Model {
    let bytes = std::fs::read("assets/mannequin.glb").unwrap();
    load_slice("galatea", &bytes, &mut |name: &str| {
        Err(format!("no {name}"))
    })
    .unwrap()
}

/// The last printed angle, degrees.
fn last(bench: &Bench) -> String {
    bench.printed().pop().expect("something was printed")
}

#[test]
fn a_lever_swings_back_after_a_reload_and_a_moved_one_is_reset() {
    let script = LEVER;
    let mut bench = Bench::with_model(Default::default(), galatea());
    bench.load(script).unwrap();
    bench.run(1.5);
    faultless(&mut bench);
    assert_eq!(last(&bench), "60");
    bench.load(script).unwrap();
    bench.run(1.5);
    assert_eq!(last(&bench), "0");
    bench.load(script).unwrap();
    bench.run(1.5);
    assert_eq!(last(&bench), "60");
    // In the middle of a swing it goes back from its current angle.
    bench.load(script).unwrap();
    bench.run(0.4);
    let middle: f64 = last(&bench).parse().unwrap();
    assert!((5.0..55.0).contains(&middle), "{middle}");
    bench.load(script).unwrap();
    bench.run(1.5);
    assert_eq!(last(&bench), "0");
    bench.load(script).unwrap();
    bench.run(1.5);
    assert_eq!(last(&bench), "60");
    // If the script moves it, it returns to its initial state.
    bench
        .load(&script.replace("-0.3, 1.2", "-0.32, 1.2"))
        .unwrap();
    bench.run(1.5);
    assert_eq!(last(&bench), "60");
    faultless(&mut bench);
}
