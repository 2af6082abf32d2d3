//! Scripts that mean harm or make odd mistakes: each is told or bounded, none ends the program.

mod common;

use common::Bench;
use galatea::script::HostOptions;
use galatea::stage::SoundOrder;

#[test]
fn kept_tables_may_hold_themselves() {
    let mut bench = Bench::new("local t = {} t.t = t keep('a', t) keep('a', t) print('fine')");
    bench
        .load("local t = {} t.t = t t.u = { t } keep('a', t) print('fine')")
        .unwrap();
    assert_eq!(bench.printed(), ["fine", "fine"]);
    let deep = "local t = {} local d = t for i = 1, 200 do d.x = {} d = d.x end keep('b', t)";
    assert!(bench.fault(deep).text.contains("nested"));
}

#[test]
fn a_machine_swapped_inside_a_listener_leaves_the_events_of_that_tick_as_they_were() {
    let mut bench = Bench::new(
        "local hero = character 'post.glb'
        local function two(a, b) return { state(a) {'idle'}, state(b) {'walk'}, to(b) { from = a, after = 0.05 } } end
        local function big(a, b, c, d) return machine { layer 'x' (two(a, b)), layer 'y' (two(c, d)) } end
        local small = machine { state 'only' {'idle'} }
        hero.machine = big('p', 'q', 'r', 's')
        hero:on('enter', function(e) print(e.layer, e.from, e.state) hero.machine = small end)",
    );
    bench.run(0.3);
    assert_eq!(bench.printed(), ["x\tp\tq", "y\tr\ts"]);
    assert!(bench.host.take_faults().is_empty());
}

#[test]
fn a_mark_added_inside_a_listener_changes_no_event_of_that_tick() {
    let mut bench = Bench::new(
        "local hero = character 'post.glb'
        hero.machine = machine { state 'a' {'idle'} }
        hero:mark('idle', 0.5, 'A') hero:mark('idle', 0.501, 'B') hero:mark('idle', 0.502, 'C')
        local did
        hero:on('*', function(e) print(e.name) if not did then did = true hero:mark('idle', 0.1, 'Z') end end)",
    );
    bench.run(0.6);
    assert_eq!(bench.printed(), ["A", "B", "C"]);
}

#[test]
fn absurd_speeds_are_refused_or_bounded() {
    assert!(
        Bench::empty()
            .fault("character('post.glb'):play('walk', { speed = 6e17 })")
            .text
            .contains("at most")
    );
    let mut bench = Bench::new(
        "local hero = character 'post.glb'
        hero.machine = machine { params = { s = 1e30 }, state 'a' { 'walk', speed = 's' } }
        local n = 0 hero:on('step', function() n += 1 end)
        function update() assert(n < 1000) end",
    );
    bench.run(0.5);
    let (_, hero) = bench.stage.characters.iter().next().unwrap();
    assert!(hero.palette[0].iter().all(|m| m.is_finite()));
    for script in [
        "local p = { s = 1e300 } machine { params = p, state 'a' {} }",
        "blend1d { by = 's', { 0/0, 'walk' } }",
        "camera.orbit { yaw = 1e300 }",
    ] {
        assert!(!Bench::empty().fault(script).text.is_empty(), "{script}");
    }
}

#[test]
fn floods_of_characters_and_sounds_are_refused() {
    let fault = Bench::empty().fault("while true do character 'post.glb' end");
    assert!(fault.text.contains("the most"), "{fault}");
    let fault = Bench::empty().fault("for i = 1, 1e6 do sound.play('land') end");
    assert!(fault.text.contains("in one tick"), "{fault}");
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
    assert!(faults[0].text.contains("it keeps 2"), "{}", faults[0]);
    let (_, hero) = bench.stage.characters.iter().next().unwrap();
    assert_eq!(hero.machine.as_ref().unwrap().1.params, [5.0]);
}

#[test]
fn an_action_of_a_removed_character_ends_too() {
    let mut bench = Bench::new(
        "local hero = character 'post.glb'
        local p = hero:play('walk', { mode = 'loop', done = function(why) print('done', why) end })
        N = 0
        function update() N += 1 if N == 3 then hero:remove() end if N == 6 then print(p:ended()) end end",
    );
    bench.run(0.2);
    assert_eq!(bench.printed(), ["done\tstopped", "stopped"]);
}

#[test]
fn changing_fault_texts_are_told_once_per_place_and_cut() {
    let mut bench = Bench::new("function update() error(string.rep('x', 1e5) .. now()) end");
    bench.run(2.0);
    let faults = bench.host.take_faults();
    assert_eq!(faults.len(), 1);
    assert!(faults[0].text.len() < 3000);
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
fn wrong_methods_and_runaways_name_the_line_of_the_script() {
    let fault = Bench::empty().fault("local h = character 'post.glb'\nh:plya('walk')");
    assert_eq!(
        (fault.file.as_deref(), fault.line),
        (Some("scripts/main.lua"), Some(2)),
        "{fault}"
    );
    assert!(fault.text.contains("\"play\""));
    let mut bench = Bench::new("function update()\n\tlocal n = 0\n\twhile true do n += 1 end\nend");
    bench.run(0.1);
    let faults = bench.host.take_faults();
    assert_eq!(faults.len(), 1);
    assert_eq!(
        (faults[0].file.as_deref(), faults[0].line),
        (Some("scripts/main.lua"), Some(3)),
        "{}",
        faults[0]
    );
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
    let angle = hero.pose.locals[1].rotation.to_axis_angle().1;
    assert!((angle - 1.0).abs() < 1e-4, "the jump shows: {angle}");
}

#[test]
fn a_held_thing_keeps_its_own_scale() {
    let mut bench = Bench::new(
        "local hero = character 'post.glb'
        local lamp = character 'post.glb' { scale = 0.2 }
        hero:attach(lamp, 'upper', { pitch = 90, scale = 0.5 })
        local a = character('post.glb', { name = 'x' })",
    );
    bench.run(0.1);
    let (_, lamp) = bench.stage.characters.iter().nth(1).unwrap();
    let scale = lamp.world[0].matrix3.x_axis.length();
    assert!((scale - 0.1).abs() < 1e-5, "{scale}");
    let fault =
        bench.fault("character('post.glb', { name = 'x' }) character('post.glb', { name = 'x' })");
    assert!(fault.text.contains("already"));
}

#[test]
fn a_looped_sound_ends_with_the_script_that_began_it() {
    let script = "sound.play('land', { loop = true })";
    let mut bench = Bench::new(script);
    let SoundOrder::Play(first) = bench.stage.sounds[0].clone() else {
        panic!()
    };
    bench.stage.sounds.clear();
    bench.load(script).unwrap();
    assert!(matches!(bench.stage.sounds[0], SoundOrder::Stop { id, .. } if id == first.id));
    assert!(
        matches!(&bench.stage.sounds[1], SoundOrder::Play(cue) if cue.looped && cue.id != first.id)
    );
}

#[test]
fn a_machine_of_everything_at_once_with_wild_parameters_stays_finite() {
    let model = galatea::forge::character::galatea();
    let mut bench = Bench::with_model(HostOptions::default(), model);
    bench
        .load(
            r#"local h = character "post.glb"
        h:add_clip(clip "zero" { duration = 0, bones = { head = { rotation = { { 0, 10, 0, 0 } } } } })
        h.machine = machine {
            params = { a = 0, b = false, c = 1 },
            layer "one" {
                beyond = 0,
                state "s" { sequence { "zero", "idle", "wave", fade = 50 }, speed = "c", mirror = "b" },
                state "g" {
                    history = true,
                    state "x" { random { "walk" }, mode = "once" },
                    state "y" { blend2d { x = "a", y = "c", { 0, 0, "idle" }, { 0, 1, "zero" },
                        { 1, 0, blend1d { by = "a", { 0, "walk" }, { 1, "run" } } } } },
                    to "y" { from = "x", after = 0.1, fade = 10, interrupt = "never" },
                    to "x" { from = "y", exit = 0, fade = inertial(0) },
                },
                state "t" { "jump", time = "a", mode = "once" },
                state "p" { intro = "zero", loop = "zero", outro = "zero" },
                to "g" { from = "s", after = 0.2, fade = 0, start = { mark = "nothing", index = 99 } },
                to "t" { from = "g", after = 3, start = { share = 1 } },
                to "p" { from = "t", when = "a > 0.5 or b", fade = 1000 },
                to "s" { from = "p", after = 0.3, fade = inertial(60) },
            },
            layer "two" {
                additive = "rest", weight = "a", mask = { head = 0.5, left_arm = 1 },
                state "q" { "flinch", speed = -3, mode = "pingpong" },
                state "r" {},
                to "r" { from = "q", on = "go", priority = 5 },
                to "q" { from = "r", on = "go" },
            },
        }
        local wild, n = { 0, 1, -1, 1e30, -1e30, 0.5 }, 0
        function update()
            n += 1
            local p = h.machine.params
            p.a = wild[n // 20 % #wild + 1]
            p.c, p.b = p.a, n % 7 == 0
            if n % 5 == 0 then h.machine:send("go", { within = 1e9 }) end
            if n % 11 == 0 then pcall(function() h.machine:travel("p") end) end
            if n % 13 == 0 then pcall(function() h.machine:travel("g/y") end) end
            if n % 17 == 0 then
                h:play("wave", { mirror = true, additive = true, mask = { upper_body = 0.3 }, speed = -500, mode = "loop", fade = 0 })
            end
            if n % 19 == 0 then h.machine:why() h.machine:taken() h.machine:why(nil, { layer = "two" }) end
            if n % 23 == 0 then h:warp { to = vector.create(1e6, 0, 0), within = 0.001 } end
            if n % 29 == 0 then h.scale = if n % 2 == 0 then 0.001 else 100 end
            h:meters()
            h:ledger()
        end"#,
        )
        .unwrap();
    for _ in 0..20 {
        bench.run(1.0);
        assert!(bench.host.take_faults().is_empty());
        let (_, hero) = bench.stage.characters.iter().next().unwrap();
        let finite = hero.pose.locals.iter().all(|local| {
            local.rotation.is_finite() && local.translation.is_finite() && local.scale.is_finite()
        });
        assert!(finite, "at {} s", bench.stage.time());
    }
}
