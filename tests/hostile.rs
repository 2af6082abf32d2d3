//! Scripts that mean harm or make odd mistakes: each is told or bounded, none ends the program.

mod common;

use common::Bench;
use galatea::script::{Fault, HostOptions};
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

/// A fault that comes in good time, where a machine that grew without bounds would end the program.
fn refused(script: &str, why: &str) {
    let fault = Bench::empty().fault(script);
    assert!(fault.text.contains(why), "{script}\n{fault}");
}

#[test]
fn machines_within_machines_and_blends_within_blends_are_bounded_before_they_are_copied() {
    let base = "local s = state 'a' { 'idle' } local b = blend1d { by = 'x', { 0, 'idle' } }\n";
    for (grow, why) in [
        (
            "for i = 1, 2e4 do s = state 'a' { s } end",
            "nested more than 8 deep",
        ),
        (
            "for i = 1, 40 do s = state 'a' { s, s } end",
            "nested more than 8 deep",
        ),
        (
            "for i = 1, 6 do s = state 'a' { s, s, s, s, s } end",
            "512 states",
        ),
        (
            "local t = {} for i = 1, 513 do t[i] = s end layer 'l' (t)",
            "layer \"l\": there may be 512 states",
        ),
        (
            "local t = {} for i = 1, 5000 do t[i] = to 'a' { on = 'x' } end machine(t)",
            "4096 transitions",
        ),
        (
            "local l, t = layer 'l' { s }, {} for i = 1, 65 do t[i] = l end machine(t)",
            "64 layers",
        ),
        (
            "for i = 1, 1e5 do b = blend1d { by = 'x', { 0, b } } end",
            "nested more than 4 deep",
        ),
        (
            "for i = 1, 3 do b = blend2d { x = 'x', y = 'y', { 0, 0, b }, { 1, 0, b }, { 2, 0, b }, { 3, 0, b } } end",
            "32 clips",
        ),
        (
            "local t = {} for i = 1, 2000 do t[i] = 'idle' end random(t)",
            "1024 clips",
        ),
        ("state(string.rep('x', 1e6))", "4096 characters"),
        ("state 'a' { string.rep('x', 1e6) }", "4096 characters"),
        ("to 'a' { on = string.rep('x', 1e6) }", "4096 characters"),
    ] {
        refused(&format!("{base}{grow}"), why);
    }
    // As deep and as large as may be.
    let mut bench = Bench::new(
        "local hero = character 'post.glb'
        local s = state 'a' { 'idle' }
        for i = 1, 8 do s = state 'a' { s } end
        local b = blend1d { by = 'x', { 0, 'idle' }, { 1, 'walk' } }
        for i = 1, 3 do b = blend1d { by = 'x', { 0, b }, { 1, 'run' } } end
        hero.machine = machine { params = { x = 0 }, s, state 'b' { b } }
        print(hero.machine:state())",
    );
    bench.run(0.1);
    assert_eq!(bench.printed(), ["a/a/a/a/a/a/a/a/a"]);
}

#[test]
fn pieces_that_are_copied_again_and_again_use_up_the_budget() {
    let script = "local t = {} for i = 1, 400 do t[i] = state('s' .. i) { 'idle' } end
        local big, last = state 'big' (t), nil
        for i = 1, 1e5 do last = state 'x' { big } end";
    refused(script, "stopped: it ran longer");
}

#[test]
fn pieces_that_a_script_holds_are_bounded_and_those_let_go_are_not_counted() {
    let script = |keeps: &str| {
        format!(
            "local t = {{}} for i = 1, 400 do t[i] = state('s' .. i) {{ 'idle' }} end
            local big, kept, n = state 'big' (t), {{}}, 0
            function update()
                for i = 1, 20 do n += 1 kept[{keeps}] = state 'x' {{ big }} end
                if n == 1000 then print 'fine' end
            end"
        )
    };
    let mut bench = Bench::new(&script("n"));
    bench.run(1.0);
    let faults = bench.host.take_faults();
    assert!(
        faults[0]
            .text
            .contains("200000 states, transitions and clips"),
        "{faults:?}"
    );
    assert!(bench.printed().is_empty());
    let mut bench = Bench::new(&script("1"));
    bench.run(1.0);
    assert!(bench.host.take_faults().is_empty());
    assert_eq!(bench.printed(), ["fine"]);
}

#[test]
fn actions_that_never_end_make_room_for_new_ones_and_end_once_each() {
    let mut bench = Bench::new(
        "local hero = character 'post.glb'
        hero:mark('walk', 0.01, 'I', { length = 0.9 })
        BEGUN, ENDED, DONE, MOST = 0, 0, 0, 0
        local on = { I = function(e) if e.edge == 'begin' then BEGUN += 1 else ENDED += 1 end end }
        local function done(why) assert(why == 'interrupted') DONE += 1 end
        local n = 0
        function update()
            n += 1
            if n <= 300 then
                -- Each over other bones, so that none interrupts another.
                hero:play('walk', { speed = 0.1, fade = 0, fade_out = 1e6, mask = { upper = n / 1000 }, mode = 'loop', on = on, done = done })
            elseif n == 320 then
                print(BEGUN, ENDED, DONE)
            end
        end",
    );
    bench.run(5.5);
    assert!(bench.host.take_faults().is_empty());
    assert_eq!(bench.printed(), ["300\t236\t236"]);
    let (_, hero) = bench.stage.characters.iter().next().unwrap();
    assert_eq!(hero.actions.len(), 64);

    let mut bench = Bench::new(
        "local hero = character 'post.glb'
        local long = hero:play('idle', { mode = 'loop', mask = 'foot_l' })
        function update() hero:play('walk', { fade_out = 1e6 }) LONG = long:ended() end
        function reload() end",
    );
    bench.run(5.0);
    let (_, hero) = bench.stage.characters.iter().next().unwrap();
    assert_eq!(hero.actions.len(), 64);
    // What only fades gives way first.
    assert_eq!(hero.actions[0].clip, 0);
}

#[test]
fn functions_that_make_many_tables_count_for_more_than_a_call() {
    for call in [
        "hero:ledger()",
        "walk:sample(0.1)",
        "hero.machine:why()",
        "hero:mark('walk', 0.5, 'x'):remove()",
    ] {
        let mut bench = Bench::with_options(HostOptions {
            call_budget: 500_000,
            ..HostOptions::default()
        });
        let script = format!(
            "local hero = character 'post.glb'
            hero.machine = machine {{ params = {{ x = 0 }}, state 'a' {{ 'walk' }}, state 'b' {{ 'idle' }},
                to 'b' {{ from = 'a', when = 'x > 1' }},
                to 'a' {{ from = 'b', when = function(p) return p.x > 2 end }} }}
            hero:ledger()
            local walk, kept = hero:clip 'walk', keep('kept', {{ n = 0 }})
            for i = 1, 50 do hero:mark('walk', i / 60, 'M') end
            function update()
                while now() > 2 do kept.n += 1 {call} end
            end"
        );
        bench.load(&script).unwrap();
        bench.run(2.2);
        let faults = bench.host.take_faults();
        assert!(faults[0].text.contains("stopped"), "{call}: {faults:?}");
        assert_eq!(faults[0].line, Some(9), "{call}: {faults:?}");
        bench.load("print(keep('kept', {}).n)").unwrap();
        let n: u32 = bench.printed()[0].parse().unwrap();
        assert!((10..20_000).contains(&n), "{call}: {n} calls");
    }
}

#[test]
fn a_parameter_of_the_wrong_kind_is_refused_at_the_machine_and_conditions_agree() {
    let mut bench = Bench::new(
        "local hero = character 'post.glb'

        hero.machine = machine {
            params = { armed = false, speed = 1, sneaks = true },
            state 'a' { 'idle' }, state 'b' { 'walk' }, state 'c' { 'run' },
            to 'b' { from = 'a', when = function(p) return p.armed end },
            to 'c' { from = 'a', when = 'armed or speed > 1 or not sneaks' },
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
        "parameter \"armed\" of post.glb#0 is true or false and was set to the number 0; it keeps false",
        "parameter \"sneaks\" of post.glb#0 is true or false and was set to the text \"x\"; it keeps true",
        "parameter \"speed\" of post.glb#0 is a number and was set to true; it keeps 1",
    ];
    for (fault, text) in faults.iter().zip(wanted) {
        assert_eq!(fault.text, text);
        assert_eq!(
            (fault.file.as_deref(), fault.line),
            (Some("scripts/main.lua"), Some(3))
        );
    }
    let (_, hero) = bench.stage.characters.iter().next().unwrap();
    let (machine, state) = hero.machine.as_ref().unwrap();
    assert_eq!(machine.state_name(0, state.current(0).unwrap().state), "c");
}

/// The fault of a statement in a function, in the main part, in a tick and in a test: file, line and text.
fn faults_of(statement: &str) -> [(Option<String>, Option<u32>, String); 3] {
    let script = format!("local function f()\n{statement}\nend\n");
    let told = |fault: Fault| (fault.file, fault.line, fault.text);
    let main = Bench::empty().fault(&format!("{script}f()"));
    let mut tick = Bench::new(&format!("{script}function update() f() end"));
    tick.run(1.0 / 60.0);
    let mut test = Bench::empty();
    test.write(
        "tests/it.lua",
        &format!("{script}test('it', function() f() end)"),
    );
    let loaded = test.host.load_tests(&mut test.stage, "tests/it.lua");
    assert_eq!(loaded.unwrap(), ["it"]);
    let failed = test.host.run_test(&mut test.stage, 0, &mut ()).unwrap_err();
    [main, tick.host.take_faults().remove(0), failed].map(told)
}

#[test]
fn a_table_that_is_thrown_is_told_in_words_with_its_place_wherever_it_is_thrown() {
    let meta =
        "error(setmetatable({ message = 'm' }, { __tostring = function() return 'told' end }))";
    for (statement, wanted) in [
        ("error({})", "a table was thrown"),
        ("error({ message = 'no key' })", "no key"),
        ("error({ message = 5 })", "a table was thrown"),
        ("error({ message = 'above' }, 2)", "above"),
        (meta, "told"),
        (
            "pcall(error, { message = 'caught' }) error({ message = 'new' })",
            "new",
        ),
        ("error(print)", "a function was thrown"),
    ] {
        for (file, line, text) in faults_of(statement) {
            assert_eq!((text.as_str(), line), (wanted, Some(2)), "{statement}");
            assert!(file.is_some_and(|file| file.ends_with(".lua")));
        }
    }
    for text in ["return {}", "error('again')", "while true do end"] {
        let statement =
            format!("error(setmetatable({{}}, {{ __tostring = function() {text} end }}))");
        let [main, tick, test] = faults_of(&statement);
        assert_eq!(main.2, "a table was thrown, and its __tostring failed");
        for (file, line, text) in [main, tick, test] {
            assert!(
                !text.contains("0x") && file.is_some(),
                "{statement}: {text}"
            );
            assert!(
                line == Some(2) || text.contains("stopped: it ran longer"),
                "{text}"
            );
        }
    }
}

#[test]
fn what_a_script_throws_is_caught_as_it_is_and_texts_have_their_places() {
    let lines = common::printed(
        "local thrown = { a = 1 }
        local _, caught = pcall(error, thrown)
        print(caught == thrown)
        local function at(level) error('x', level) end
        print(select(2, pcall(at)), select(2, pcall(at, 0)))
        print(select(2, pcall(function() at(2) end)))
        print(select(2, pcall(error)))",
        0.0,
    );
    let wanted = [
        "true",
        "scripts/main.lua:5: x\tx",
        "scripts/main.lua:7: x",
        "nil",
    ];
    assert_eq!(lines, wanted);
}

#[test]
fn a_condition_that_is_no_function_of_the_script_tells_where_it_was_given() {
    for (when, text) in [
        ("chance", "chance: argument \"low\": expected a number"),
        ("math.sin", "invalid argument #1 to 'sin'"),
        ("error", "a table was thrown"),
        ("function(p) error({}) end", "a table was thrown"),
    ] {
        let mut bench = Bench::new(&format!(
            "local hero = character 'post.glb'
            hero.machine = machine {{ params = {{ x = 0 }}, state 'a' {{ 'idle' }}, state 'b' {{ 'walk' }},

                to 'b' {{ from = 'a', when = {when} }} }}"
        ));
        bench.run(0.1);
        let faults = bench.host.take_faults();
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].text.contains(text), "{faults:?}");
        let place = (faults[0].file.as_deref(), faults[0].line);
        assert_eq!(place, (Some("scripts/main.lua"), Some(4)), "{faults:?}");
    }
}

#[test]
fn a_wrong_value_that_is_set_in_every_tick_is_told_with_the_line_that_sets_it() {
    let mut bench = Bench::new(
        "local hero = character 'post.glb'
        hero.machine = machine {
            params = { speed = 1, turn = 0, armed = true },
            state 'a' { 'idle' }, state 'b' { 'walk' },
            to 'b' { from = 'a', when = 'speed ~= 1 or not armed' },
        }
        local n = 0
        function update()
            n += 1
            local p = hero.machine.params
            p.speed = 0/0
            if n == 2 then p.armed = 'x' end
            if n == 3 then p.armed = true p.turn = nil end
            if n > 1 then print(p.speed, p.armed, p.turn) end
        end",
    );
    bench.run(6.0 / 60.0);
    // Between two ticks each reads as what it keeps.
    let nan = |rest: &str| format!("NaN\t{rest}");
    let wanted = ["x\t0", "true\tnil", "true\t0", "true\t0", "true\t0"].map(nan);
    let printed = bench.printed().join("\n");
    assert_eq!(printed, wanted.join("\n"));
    let faults = bench.host.take_faults();
    let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
    let wanted = [
        "scripts/main.lua:11: parameter \"speed\" of post.glb#0 is a number and was set to the number NaN; it keeps 1",
        "scripts/main.lua:2: parameter \"armed\" of post.glb#0 is true or false and was set to the text \"x\"; it keeps true",
        "scripts/main.lua:2: parameter \"turn\" of post.glb#0 is a number and was set to nothing; it keeps 0",
    ];
    assert_eq!(told, wanted);
    let (_, hero) = bench.stage.characters.iter().next().unwrap();
    let (machine, state) = hero.machine.as_ref().unwrap();
    assert_eq!(machine.state_name(0, state.current(0).unwrap().state), "a");
}

#[test]
fn calls_that_fail_change_nothing() {
    let mut bench = Bench::new(
        "local hero = character 'post.glb' { at = vector.create(1, 0, 0) }
        for _, options in { { at = vector.one, clips = 'x.glb' }, { at = vector.one, name = 'x' } } do
            print(pcall(function() hero(options) end), hero.position)
        end
        hero:mark('idle', 0.1, 'M')
        local heard = hero:on('M', function() print 'heard' end)
        hero.machine = machine { state 'a' { 'idle' }, state 'b' { 'walk' },
            to 'b' { from = 'a', when = function() heard:off() return false end } }",
    );
    let printed = bench.printed();
    assert_eq!(printed.len(), 2);
    assert!(
        printed
            .iter()
            .all(|l| l.starts_with("false\t") || l.ends_with("1, 0, 0")),
        "{printed:?}"
    );
    let (_, hero) = bench.stage.characters.iter().next().unwrap();
    assert_eq!(hero.placement.position, glam::Vec3::X);
    bench.run(0.2);
    assert_eq!(bench.printed(), ["heard"]);
    assert_eq!(bench.host.take_faults().len(), 1);
}
