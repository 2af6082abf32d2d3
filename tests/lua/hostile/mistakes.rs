//! Unusual mistakes have no side effects.

use galatea::stage::SoundOrder;

use crate::common::Bench;

#[test]
fn kept_tables_may_hold_themselves() {
    let mut bench = Bench::new(
        "local t = {} t.t = t keep_on_reload('a', t) keep_on_reload('a', t) print('fine')",
    );
    bench
        .load("local t = {} t.t = t t.u = { t } keep_on_reload('a', t) print('fine')")
        .unwrap();
    assert_eq!(bench.printed(), ["fine", "fine"]);
    let deep =
        "local t = {} local d = t for i = 1, 200 do d.x = {} d = d.x end keep_on_reload('b', t)";
    assert!(bench.fault(deep).text.contains("nested"));
}

#[test]
fn a_machine_swapped_inside_a_listener_leaves_the_events_of_that_tick_as_they_were() {
    let mut bench = Bench::new(
        "local hero = character 'post.glb'
        local function two(a, b) return { state(a) {'idle'}, state(b) {'walk'}, transition_to(b) { from = a, min_time = 0.05 } } end
        local function big(a, b, c, d) return machine { layer 'x' (two(a, b)), layer 'y' (two(c, d)) } end
        local small = machine { state 'only' {'idle'} }
        hero.machine = big('p', 'q', 'r', 's')
        hero:on('state_enter', function(e) print(e.layer, e.from, e.state) hero.machine = small end)",
    );
    bench.run(0.3);
    assert_eq!(bench.printed(), ["x\tp\tq", "y\tr\ts"]);
    assert!(bench.host.take_faults().is_empty());
}

#[test]
fn a_marker_added_inside_a_listener_changes_no_event_of_that_tick() {
    let mut bench = Bench::new(
        "local hero = character 'post.glb'
        hero.machine = machine { state 'a' {'idle'} }
        hero:add_marker('idle', 0.5, 'A') hero:add_marker('idle', 0.501, 'B') hero:add_marker('idle', 0.502, 'C')
        local did
        hero:on('*', function(e) print(e.name) if not did then did = true hero:add_marker('idle', 0.1, 'Z') end end)",
    );
    bench.run(0.6);
    assert_eq!(bench.printed(), ["A", "B", "C"]);
}

#[test]
fn a_parameter_set_to_nil_keeps_its_value_and_can_be_set_again() {
    let mut bench = Bench::new(
        "local hero = character 'post.glb'
        hero.machine = machine { params = { speed = 2 }, state 'a' {} }
        N = 0
        function update() N += 1 local p = hero.machine.params
            if N == 2 then p.speed = nil end
            if N == 4 then p.speed = 5 end end",
    );
    bench.run(0.2);
    let faults = bench.host.take_faults();
    assert_eq!(faults.len(), 1);
    assert!(
        faults[0].text.contains("it keeps the value 2"),
        "{}",
        faults[0]
    );
    let (_, hero) = bench.stage.characters.iter().next().unwrap();
    assert_eq!(hero.playback.machine.as_ref().unwrap().1.params, [5.0]);
}

#[test]
fn an_action_of_a_removed_character_ends_too() {
    let mut bench = Bench::new(
        "local hero = character 'post.glb'
        local p = hero:play('walk', { mode = 'loop', on_end = function(why) print('done', why) end })
        N = 0
        function update() N += 1 if N == 3 then hero:remove() end if N == 6 then print(p:end_reason()) end end",
    );
    bench.run(0.2);
    assert_eq!(bench.printed(), ["done\tstopped", "stopped"]);
}

#[test]
fn metatables_of_the_library_are_closed() {
    for script in [
        "getmetatable(input).__index = nil",
        "getmetatable(_G).__index.leak = 1",
        "setmetatable(sound, {})",
    ] {
        assert!(!Bench::empty().fault(script).text.is_empty(), "{script}");
    }
}

#[test]
fn a_state_without_a_clip_lets_the_layer_below_through() {
    let mut bench = Bench::new(
        "local hero = character 'post.glb'
        hero.machine = machine {
            layer 'body' { state 'jump' { 'jump', mode = 'once' } },
            layer 'top' { mask = 'upper', state 'none' {} },
        }",
    );
    bench.run(1.0);
    let (_, hero) = bench.stage.characters.iter().next().unwrap();
    let angle = hero.posed.pose.locals[1].rotation.to_axis_angle().1;
    assert!((angle - 1.0).abs() < 1e-4, "the jump shows: {angle}");
}

#[test]
fn a_held_prop_keeps_its_own_scale() {
    let mut bench = Bench::new(
        "local hero = character 'post.glb'
        local lamp = character 'post.glb' { scale = 0.2 }
        hero:attach(lamp, 'upper', { pitch = 90, scale = 0.5 })
        local a = character('post.glb', { name = 'x' })",
    );
    bench.run(0.1);
    let (_, lamp) = bench.stage.characters.iter().nth(1).unwrap();
    let scale = lamp.posed.world[0].matrix3.x_axis.length();
    assert!((scale - 0.1).abs() < 1e-5, "{scale}");
    let fault =
        bench.fault("character('post.glb', { name = 'x' }) character('post.glb', { name = 'x' })");
    assert!(fault.text.contains("already"));
}

#[test]
fn a_looped_sound_ends_with_the_script_that_began_it() {
    let script = "sound.play('land', { loop = true })";
    let mut bench = Bench::new(script);
    let SoundOrder::Play(first) = bench.stage.audio.orders[0].clone() else {
        panic!()
    };
    bench.stage.audio.orders.clear();
    bench.load(script).unwrap();
    assert!(matches!(bench.stage.audio.orders[0], SoundOrder::Stop { id, .. } if id == first.id));
    assert!(
        matches!(&bench.stage.audio.orders[1], SoundOrder::Play(cue) if cue.looped && cue.id != first.id)
    );
}

#[test]
fn a_parameter_of_the_wrong_kind_is_refused_at_the_machine_and_conditions_agree() {
    let mut bench = Bench::new(
        "local hero = character 'post.glb'

        hero.machine = machine {
            params = { armed = false, speed = 1, sneaks = true },
            state 'a' { 'idle' }, state 'b' { 'walk' }, state 'c' { 'run' },
            transition_to 'b' { from = 'a', when = function(p) return p.armed end },
            transition_to 'c' { from = 'a', when = 'armed or speed > 1 or not sneaks' },
        }
        local n = 0
        function update()
            n += 1
            local p = hero.machine.params
            if n == 2 then p.armed = 0 p.speed = true p.sneaks = 'x' end
            if n == 4 then print(p.armed, p.speed, p.sneaks, hero.machine:state()) p.speed = 'x' end
            if n == 6 then print(p.speed, hero.machine:state()) p.speed = 2 end
        end",
    );
    bench.run(0.2);
    assert_eq!(bench.printed(), ["false\t1\ttrue\ta", "1\ta"]);
    let faults = bench.host.take_faults();
    assert_eq!(faults.len(), 3, "{faults:?}");
    let wanted = [
        "parameter \"armed\" of post.glb#0 must be true or false, got the number 0; it keeps the value false",
        "parameter \"sneaks\" of post.glb#0 must be true or false, got the string \"x\"; it keeps the value true",
        "parameter \"speed\" of post.glb#0 must be a number, got true; it keeps the value 1",
    ];
    for (fault, text) in faults.iter().zip(wanted) {
        assert_eq!(fault.text, text);
        assert_eq!(
            (fault.file.as_deref(), fault.line),
            (Some("scripts/main.lua"), Some(3))
        );
    }
    let (_, hero) = bench.stage.characters.iter().next().unwrap();
    let (machine, state) = hero.playback.machine.as_ref().unwrap();
    assert_eq!(machine.state_name(0, state.current(0).unwrap().state), "c");
}
