//! Too large amounts are refused or limited.

use galatea::script::HostOptions;

use crate::common::Bench;

#[test]
fn absurd_speeds_are_refused_or_bounded() {
    assert!(
        Bench::empty()
            .fault("character('post.glb'):play('walk', { speed = 6e7 })")
            .text
            .contains("must be -1000 to 1000")
    );
    let mut bench = Bench::new(
        "local hero = character 'post.glb'
        hero.machine = machine { params = { s = 1e30 }, state 'a' { 'walk', speed = 's' } }
        local n = 0 hero:on('step', function() n += 1 end)
        function update() assert(n < 1000) end",
    );
    bench.run(0.5);
    let (_, hero) = bench.stage.characters.iter().next().unwrap();
    assert!(hero.skin.palette[0].iter().all(|m| m.is_finite()));
    for script in [
        "local p = { s = 1e300 } machine { params = p, state 'a' {} }",
        "blend1d { param = 's', { 0/0, 'walk' } }",
        "camera.orbit { yaw = 1e300 }",
    ] {
        assert!(!Bench::empty().fault(script).text.is_empty(), "{script}");
    }
}

#[test]
fn floods_of_characters_and_sounds_are_refused() {
    let fault = Bench::empty().fault("while true do character 'post.glb' end");
    assert!(fault.text.contains("which is the limit"), "{fault}");
    let fault = Bench::empty().fault("for i = 1, 1e6 do sound.play('land') end");
    assert!(fault.text.contains("in one tick"), "{fault}");
}

#[test]
fn loops_without_end_are_refused_when_too_many_play() {
    let mut bench = Bench::new(
        "n, why = 0, ''
        function update()
            for _ = 1, 900 do
                local ok, told = pcall(sound.play, 'land', { loop = true })
                if ok then n += 1 else why = told return end
            end
        end",
    );
    for _ in 0..12 {
        bench.run(1.0 / 60.0);
        // As the mixer does.
        bench.stage.audio.orders.clear();
    }
    let answer = |bench: &mut Bench, text: &str| {
        let answer = bench.host.answer(&mut bench.stage, text);
        answer.result.unwrap()[0].clone()
    };
    assert_eq!(answer(&mut bench, "n"), "4096");
    assert!(
        answer(&mut bench, "tostring(why)").contains("4096 sounds are already playing or waiting")
    );
}

#[test]
fn endless_clips_are_refused_and_released_ones_make_room() {
    let keys = "local keys = {} for i = 1, 90000 do keys[i] = { i * 0.001, i } end\n";
    let mut bench = Bench::new(&format!(
        "{keys}n, held, why = 0, {{}}, false
        function update()
            if why then return end
            local ok, told = pcall(function() held[n + 1] = clip('c' .. n) {{ curves = {{ glow = keys }} }} end)
            if ok then n += 1 else why = told end
        end"
    ));
    bench.run(1.0);
    let mut answer = |text: &str| bench.host.answer(&mut bench.stage, text).result;
    assert_eq!(answer("n").unwrap(), ["22"], "2 000 000 keys");
    let why = answer("tostring(why)").unwrap();
    assert!(why[0].contains("at most 2000000 keys"), "{why:?}");
    let mut bench = Bench::new(&format!(
        "{keys}n = 0
        function update() clip('c' .. n) {{ curves = {{ glow = keys }} }} n += 1 end"
    ));
    bench.run(1.0);
    let n = bench.host.answer(&mut bench.stage, "n").result;
    assert_eq!(n.unwrap(), ["60"]);
    let faults = bench.host.take_faults();
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn navigation_meshes_of_too_many_cells_are_refused() {
    let fault =
        Bench::empty().fault("navmesh { cell_size = 0.05, size = vector.create(200, 20, 200) }");
    assert!(
        fault.text.contains("a grid of 16000000 cells is too large"),
        "{fault}"
    );
    let mut bench = Bench::new(
        "refused = ''
        local level = navmesh { cell_size = 0.05, size = vector.create(60, 20, 60) }
        function update()
            local ok, told = pcall(level.rebuild, level)
            refused = tostring(told)
        end",
    );
    bench.run(1.0 / 60.0);
    let why = bench
        .host
        .answer(&mut bench.stage, "refused")
        .result
        .unwrap();
    assert!(
        why[0].contains("a grid of 1440000 cells is too large"),
        "{why:?}"
    );
}

#[test]
fn unlimited_bodies_in_one_place_do_not_stall_the_physics() {
    let mut bench = Bench::new(
        "n = 0
        function update()
            n += 1
            for _ = 1, n <= 18 and 200 or 0 do
                pcall(physics.sphere, { position = vector.create(0, 1, 0), radius = 0.5, mass = 1 })
            end
        end",
    );
    bench.run(0.3);
    let told = bench.stage.take_physics_failures();
    assert!(
        told.iter()
            .any(|text| text.contains("too many bodies overlap")),
        "{told:?}"
    );
    let n = bench.stage.physics.world.n_bodies();
    assert!(n < 1200, "{n} bodies of 3600");
    bench.run(0.3);
    let later = bench.stage.take_physics_failures();
    assert_eq!(later, [""; 0], "removed bodies do not come back");
}

#[test]
fn a_machine_of_everything_at_once_with_wild_parameters_stays_finite() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/mannequin.glb");
    let model = galatea::asset::gltf::load(&file).unwrap();
    let mut bench = Bench::with_model(HostOptions::default(), model);
    bench
        .load(
            r#"local h = character "post.glb"
        h:add_clip(clip "zero" { duration = 0, bones = { head = { rotation = { { 0, 10, 0, 0 } } } } })
        h.machine = machine {
            params = { a = 0, b = false, c = 1 },
            layer "one" {
                max_distance = 0,
                state "s" { sequence { "zero", "idle", "wave", fade = 50 }, speed = "c", mirror = "b" },
                state "g" {
                    history = true,
                    state "x" { random_clips { "walk" }, mode = "once" },
                    state "y" { blend2d { x = "a", y = "c", { 0, 0, "idle" }, { 0, 1, "zero" },
                        { 1, 0, blend1d { param = "a", { 0, "walk" }, { 1, "run" } } } } },
                    transition_to "y" { from = "x", min_time = 0.1, fade = 10, interrupt = "never" },
                    transition_to "x" { from = "y", exit_time = 0, fade = inertial(0) },
                },
                state "t" { "jump", time_param = "a", mode = "once" },
                state "p" { intro = "zero", loop = "zero", outro = "zero" },
                transition_to "g" { from = "s", min_time = 0.2, fade = 0, start = { marker = "nothing", index = 99 } },
                transition_to "t" { from = "g", min_time = 3, start = { fraction = 1 } },
                transition_to "p" { from = "t", when = "a > 0.5 or b", fade = 1000 },
                transition_to "s" { from = "p", min_time = 0.3, fade = inertial(60) },
            },
            layer "two" {
                additive = "rest", weight = "a", mask = { head = 0.5, left_arm = 1 },
                state "q" { "flinch", speed = -3, mode = "pingpong" },
                state "r" {},
                transition_to "r" { from = "q", on = "go", priority = 5 },
                transition_to "q" { from = "r", on = "go" },
            },
        }
        local wild, n = { 0, 1, -1, 1e30, -1e30, 0.5 }, 0
        function update()
            n += 1
            local p = h.machine.params
            p.a = wild[n // 20 % #wild + 1]
            p.c, p.b = p.a, n % 7 == 0
            if n % 5 == 0 then h.machine:send("go", { timeout = 1e9 }) end
            if n % 11 == 0 then pcall(function() h.machine:travel("p") end) end
            if n % 13 == 0 then pcall(function() h.machine:travel("g/y") end) end
            if n % 17 == 0 then
                h:play("wave", { mirror = true, additive = true, mask = { upper_body = 0.3 }, speed = -500, mode = "loop", fade = 0 })
            end
            if n % 19 == 0 then h.machine:why() h.machine:transition_history() h.machine:why(nil, { layer = "two" }) end
            if n % 23 == 0 then h:motion_warp { position = vector.create(1e6, 0, 0), duration = 0.001 } end
            if n % 29 == 0 then h.scale = if n % 2 == 0 then 0.001 else 100 end
            h:metrics()
            h:event_log()
        end"#,
        )
        .unwrap();
    for _ in 0..20 {
        bench.run(1.0);
        assert!(bench.host.take_faults().is_empty());
        let (_, hero) = bench.stage.characters.iter().next().unwrap();
        let finite = hero.posed.pose.locals.iter().all(|local| {
            local.rotation.is_finite() && local.translation.is_finite() && local.scale.is_finite()
        });
        assert!(finite, "at {} s", bench.stage.time());
    }
}

/// The error must come early, before an unlimited growth would end the program.
fn refused(script: &str, why: &str) {
    let fault = Bench::empty().fault(script);
    assert!(fault.text.contains(why), "{script}\n{fault}");
}

#[test]
fn machines_within_machines_and_blends_within_blends_are_bounded_before_they_are_copied() {
    let base = "local s = state 'a' { 'idle' } local b = blend1d { param = 'x', { 0, 'idle' } }\n";
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
            "layer \"l\": the limit is 512 states",
        ),
        (
            "local t = {} for i = 1, 5000 do t[i] = transition_to 'a' { on = 'x' } end machine(t)",
            "4096 transitions",
        ),
        (
            "local l, t = layer 'l' { s }, {} for i = 1, 65 do t[i] = l end machine(t)",
            "64 layers",
        ),
        (
            "for i = 1, 1e5 do b = blend1d { param = 'x', { 0, b } } end",
            "nested more than 4 deep",
        ),
        (
            "for i = 1, 3 do b = blend2d { x = 'x', y = 'y', { 0, 0, b }, { 1, 0, b }, { 2, 0, b }, { 3, 0, b } } end",
            "32 clips",
        ),
        (
            "local t = {} for i = 1, 2000 do t[i] = 'idle' end random_clips(t)",
            "1024 clips",
        ),
        ("state(string.rep('x', 1e6))", "4096 characters"),
        ("state 'a' { string.rep('x', 1e6) }", "4096 characters"),
        (
            "transition_to 'a' { on = string.rep('x', 1e6) }",
            "4096 characters",
        ),
    ] {
        refused(&format!("{base}{grow}"), why);
    }
    // The maximum depth and size.
    let mut bench = Bench::new(
        "local hero = character 'post.glb'
        local s = state 'a' { 'idle' }
        for i = 1, 8 do s = state 'a' { s } end
        local b = blend1d { param = 'x', { 0, 'idle' }, { 1, 'walk' } }
        for i = 1, 3 do b = blend1d { param = 'x', { 0, b }, { 1, 'run' } } end
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
    refused(script, "stopped: exceeded its budget");
}

#[test]
fn pieces_that_a_script_holds_are_limited_and_released_ones_are_not_counted() {
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
        hero:add_marker('walk', 0.01, 'I', { duration = 0.9 })
        BEGUN, ENDED, DONE, MOST = 0, 0, 0, 0
        local on = { I = function(e) if e.marker_phase == 'begin' then BEGUN += 1 else ENDED += 1 end end }
        local function done(why) assert(why == 'interrupted') DONE += 1 end
        local n = 0
        function update()
            n += 1
            if n <= 300 then
                -- Each over other bones, so that none interrupts another.
                hero:play('walk', { speed = 0.1, fade = 0, fade_out = 1e6, mask = { upper = n / 1000 }, mode = 'loop', on = on, on_end = done })
            elseif n == 320 then
                print(BEGUN, ENDED, DONE)
            end
        end",
    );
    bench.run(5.5);
    assert!(bench.host.take_faults().is_empty());
    assert_eq!(bench.printed(), ["300\t236\t236"]);
    let (_, hero) = bench.stage.characters.iter().next().unwrap();
    assert_eq!(hero.playback.actions.len(), 64);

    let mut bench = Bench::new(
        "local hero = character 'post.glb'
        local long = hero:play('idle', { mode = 'loop', mask = 'foot_l' })
        function update() hero:play('walk', { fade_out = 1e6 }) LONG = long:end_reason() end
        function on_reload() end",
    );
    bench.run(5.0);
    let (_, hero) = bench.stage.characters.iter().next().unwrap();
    assert_eq!(hero.playback.actions.len(), 64);
    // Fading actions are dropped first.
    assert_eq!(hero.playback.actions[0].clip, 0);
}

#[test]
fn functions_that_make_many_tables_count_for_more_than_a_call() {
    for call in [
        "hero:event_log()",
        "walk:sample(0.1)",
        "hero.machine:why()",
        "hero:add_marker('walk', 0.5, 'x'):remove()",
    ] {
        let mut bench = Bench::with_options(HostOptions {
            call_budget: 500_000,
            ..HostOptions::default()
        });
        let script = format!(
            "local hero = character 'post.glb'
            hero.machine = machine {{ params = {{ x = 0 }}, state 'a' {{ 'walk' }}, state 'b' {{ 'idle' }},
                transition_to 'b' {{ from = 'a', when = 'x > 1' }},
                transition_to 'a' {{ from = 'b', when = function(p) return p.x > 2 end }} }}
            hero:event_log()
            local walk, kept = hero:clip 'walk', keep_on_reload('kept', {{ n = 0 }})
            for i = 1, 50 do hero:add_marker('walk', i / 60, 'M') end
            function update()
                while now() > 2 do kept.n += 1 {call} end
            end"
        );
        bench.load(&script).unwrap();
        bench.run(2.2);
        let faults = bench.host.take_faults();
        assert!(faults[0].text.contains("stopped"), "{call}: {faults:?}");
        assert_eq!(faults[0].line, Some(9), "{call}: {faults:?}");
        bench.load("print(keep_on_reload('kept', {}).n)").unwrap();
        let n: u32 = bench.printed()[0].parse().unwrap();
        assert!((10..20_000).contains(&n), "{call}: {n} calls");
    }
}
