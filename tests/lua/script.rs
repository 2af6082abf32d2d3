//! Scripts on a stage: the API, its errors, its limits, and reloading.

use std::path::Path;
use std::sync::Arc;

use galatea::character::Definition;
use galatea::script::{HostOptions, LoadError};
use galatea::stage::SoundOrder;

use crate::common::{Bench, printed};

const WALKER: &str = r#"
local hero = character "post.glb" { position = vector.create(1, 0, 0) }
hero.machine = machine {
    params = { speed = 0 },
    state "idle" { "idle" },
    state "move" { blend1d { param = "speed", { 1, "walk" }, { 3, "run" } } },
    state "jump" { "jump", mode = "once" },
    transition_to "move" { from = "idle", when = function(p) return p.speed > 0.1 end, fade = 0.2 },
    transition_to "idle" { from = "move", when = function(p) return p.speed < 0.05 end, fade = 0.2 },
    transition_to "jump" { from = "*", on = "jump", fade = 0.05 },
    transition_to "idle" { from = "jump", at_end = true, fade = 0.1 },
}
hero:on("step", function(e)
    print(e.foot, string.format("%.3f", e.time), e.surface)
    sound.play("step_stone", { position = e.position })
end)
hero:on("state_enter", function(e) print("enter", e.state) end)
SPEED = 1
function update(dt)
    hero.machine.params.speed = SPEED
    hero.position += vector.create(0, 0, dt * SPEED)
end
"#;

#[test]
fn a_machine_walks_and_its_steps_are_heard_at_their_exact_times() {
    let mut bench = Bench::new(WALKER);
    bench.run(2.05);
    let printed = bench.printed();
    assert_eq!(printed[0], "enter\tmove");
    let steps: Vec<&String> = printed
        .iter()
        .filter(|line| !line.starts_with("enter"))
        .collect();
    assert_eq!(
        steps,
        [
            "left\t0.100\tstone",
            "right\t0.600\tstone",
            "left\t1.100\tstone",
            "right\t1.600\tstone"
        ]
    );
    let times: Vec<f64> = bench
        .stage
        .audio
        .orders
        .iter()
        .filter_map(|order| match order {
            SoundOrder::Play(cue) => Some(cue.time),
            _ => None,
        })
        .collect();
    assert!((times[0] - 0.1).abs() < 1e-6, "{times:?}");
    let (_, hero) = bench.stage.characters.iter().next().unwrap();
    assert!((hero.placement.position.z - 2.05).abs() < 1e-4);
}

#[test]
fn text_cut_inside_a_character_is_printed_with_a_replacement_character() {
    let script = r#"local text = "caf\xc3\xa9"
        for n = 3, 5 do print(text:sub(1, n)) end
        print(setmetatable({}, { __tostring = function() return "\xff" end }))
        local note = ui.text(text:sub(1, 4))
        print(note.text)"#;
    assert_eq!(
        printed(script, 0.1),
        ["caf", "caf\u{fffd}", "café", "\u{fffd}", "caf\u{fffd}"]
    );
}

#[test]
fn an_event_starts_the_jump_once_and_its_end_returns_to_idle() {
    let mut bench = Bench::new(&WALKER.replace("SPEED = 1", "SPEED = 0"));
    bench.run(0.1);
    bench
        .load(&WALKER.replace("SPEED = 1", "SPEED = 0").replace(
            "function update(dt)",
            "hero.machine:send('jump')\nfunction update(dt)",
        ))
        .unwrap();
    bench.run(1.0);
    assert_eq!(bench.printed(), ["enter\tjump", "enter\tidle"]);
}

#[test]
fn a_reload_keeps_state_clip_time_parameters_position_and_kept_tables() {
    let script = format!(
        "{WALKER}\nlocal game = keep_on_reload('game', {{ n = 0 }})\nlocal old = update\nfunction update(dt) old(dt) game.n += 1 end"
    );
    let mut bench = Bench::new(&script);
    bench.run(1.25);
    let before = bench.stage.clone();
    let (handle, hero) = before.characters.iter().next().unwrap();
    let was = hero.playback.machine.as_ref().unwrap().1.clone();

    bench
        .load(&format!(
            "{script}\nprint('n', game.n, 'version 2')\nSPEED = 2\ngame.extra = 1"
        ))
        .unwrap();
    assert!(bench.printed().contains(&"n\t75\tversion 2".to_owned()));
    let now = bench.stage.characters.get(handle).expect("the same handle");
    let state = &now.playback.machine.as_ref().unwrap().1;
    let [now_active, was_active] =
        [state, &was].map(|state| state.layers[0].active.last().unwrap().clone());
    assert_eq!(now_active.state, was_active.state);
    assert_eq!(now_active.clips, was_active.clips, "times are kept");
    assert_eq!(now_active.age, was_active.age);
    assert_eq!(now_active.cycle, was_active.cycle);
    assert_eq!(state.params, was.params);
    assert_eq!(now.placement, hero.placement);

    bench.run(1.0);
    let now = bench.stage.characters.get(handle).unwrap();
    assert!(
        (now.placement.position.z - 1.25 - 2.0).abs() < 1e-3,
        "the new behaviour runs"
    );
}

#[test]
fn a_broken_reload_keeps_the_old_script_running() {
    let script = format!(
        "{WALKER}\nGAME = keep_on_reload('game', {{ n = 1 }})\nfunction value() return GAME.n end"
    );
    let mut bench = Bench::new(&script);
    bench.run(0.5);
    let fault = bench.fault(&format!(
        "{script}\nGAME.n = 99\nhero.machine = nil\nlocal x = nothing.here"
    ));
    assert_eq!(fault.file.as_deref(), Some("scripts/main.lua"));
    let before = bench.stage.characters.iter().next().unwrap().1.placement;
    bench.run(0.5);
    let after = bench.stage.characters.iter().next().unwrap().1.placement;
    assert!(after.position.z > before.position.z + 0.4);
    bench.load(&format!("{script}\nprint(GAME.n)")).unwrap();
    assert_eq!(
        bench.printed().last().unwrap(),
        "1",
        "what the failed version wrote is undone"
    );
    let fault = bench.fault("local hero = = 3");
    assert_eq!(
        (fault.file.as_deref(), fault.line),
        (Some("scripts/main.lua"), Some(1))
    );
}

#[test]
fn unknown_names_are_reported_with_file_line_and_suggestion() {
    let cases = [
        (
            "local h = character 'post.glb'\nh:play('wlak')",
            2,
            "\"walk\"",
        ),
        (
            "local h = character 'post.glb'\n\nh.machine = machine { state 'a' { 'wakl' } }",
            3,
            "\"walk\"",
        ),
        (
            "local h = character 'post.glb'\nh:bone_position('uper')",
            2,
            "\"upper\"",
        ),
        (
            "local h = character 'post.glb'\nh:morph('smil', 1)",
            2,
            "\"smile\"",
        ),
        ("sound.play('lnad')", 1, "\"land\""),
        ("\nsound.plya('land')", 2, "\"play\""),
        (
            "local h = character 'post.glb'\nh.positon = vector.create(0,0,0)",
            2,
            "\"position\"",
        ),
        (
            "character('post.glb', { postion = vector.create(0,0,0) })",
            1,
            "\"position\"",
        ),
        (
            "local h = character 'post.glb'\nh.machine = machine { params = { speed = 1 }, state 'a' { 'walk' } }\nh.machine.params.sped = 2",
            3,
            "\"speed\"",
        ),
        (
            "local h = character 'post.glb'\nh.machine = machine { state 'a' { 'walk' }, transition_to 'b' { on = 'x' } }",
            2,
            "no state \"b\"",
        ),
        (
            "local h = character 'post.glb'\nh:on('stpe', print)",
            2,
            "\"step\"",
        ),
        ("input.axis('mvoe_x')", 1, "\"move_x\""),
        ("input.down('ruun')", 1, "\"run\""),
        ("character 'psot.glb'", 1, "psot.glb"),
        (
            "local h = character 'post.glb'\nh.position = vector.create(0/0, 0, 0)",
            2,
            "is out of range; coordinates must be -1000000000 to 1000000000",
        ),
        ("local h = character 'post.glb'\nh.play('walk')", 2, "colon"),
        ("light.sun { pitch = 'high' }", 1, "expected a number"),
    ];
    for (script, line, hint) in cases {
        let fault = Bench::empty().fault(script);
        assert_eq!(
            fault.file.as_deref(),
            Some("scripts/main.lua"),
            "{script}\n{fault}"
        );
        assert_eq!(fault.line, Some(line), "{script}\n{fault}");
        assert!(fault.text.contains(hint), "{script}\n{fault}");
    }
}

#[test]
fn a_listener_error_is_reported_once_and_the_scene_continues() {
    let script = format!("{WALKER}\nhero:on('step', function(e) error('ouch') end)");
    let mut bench = Bench::new(&script);
    bench.run(2.0);
    let faults = bench.host.take_faults();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(faults[0].text, "ouch");
    assert!(faults[0].line.is_some());
    assert!(bench.printed().len() > 3, "the other listener still hears");
}

#[test]
fn endless_loops_and_memory_bombs_are_stopped_and_the_scene_continues() {
    let options = HostOptions {
        call_budget: 200_000,
        load_budget: 1_000_000,
        memory: 32 << 20,
        ..HostOptions::default()
    };
    let bombs = [
        "while true do end",
        "while true do pcall(function() while true do end end) end",
        "local function f() return f() end f()",
        "local function f() f() f() end f()",
        "local t = {} while true do t[#t + 1] = string.rep('x', 1000) end",
        "local s = 'x' while true do s = s .. s end",
        "string.find(string.rep('a', 100000), string.rep('a?', 100000) .. 'b')",
        "local t = setmetatable({}, { __index = function(t, k) return t[k + 1] end }) local _ = t[1]",
        "error(setmetatable({}, { __tostring = function() while true do end end }))",
        "coroutine.wrap(function() while true do end end)()",
    ];
    for bomb in bombs {
        let mut bench = Bench::with_options(options);
        let script = format!(
            "{WALKER}\nlocal n = 0\nlocal old = update\nfunction update(dt) old(dt) n += 1 if n == 30 then {bomb} end end"
        );
        bench.load(&script).unwrap();
        bench.run(1.0);
        let faults = bench.host.take_faults();
        assert_eq!(faults.len(), 1, "{bomb}: {faults:?}");
        let (handle, hero) = bench.stage.characters.iter().next().unwrap();
        let elapsed = hero.playback.machine.as_ref().unwrap().1.layers[0].active[0].age;
        assert!(elapsed > 0.9, "{bomb}: the machine continued");
        bench.load(WALKER).unwrap();
        bench.run(0.5);
        assert!(
            bench.host.take_faults().is_empty(),
            "{bomb}: a good save runs"
        );
        let z = bench
            .stage
            .characters
            .get(handle)
            .unwrap()
            .placement
            .position
            .z;
        assert!(z > 0.9, "{bomb}");

        let fault = Bench::with_options(options).fault(bomb);
        assert!(!fault.text.is_empty());
    }
}

#[test]
fn scripts_cannot_reach_outside_the_project_nor_change_the_library() {
    for script in [
        "require '../../../etc/passwd'",
        "string.rep = nil",
        "_G.math.pi = 3",
        "getmetatable('').__index = nil",
    ] {
        let mut bench = Bench::empty();
        assert!(
            matches!(bench.load(script), Err(LoadError::Fault { .. })),
            "{script}"
        );
    }
    for name in ["io", "os", "package", "loadfile", "loadstring", "getfenv"] {
        let fault = Bench::empty().fault(&format!("print({name})"));
        let expected = format!("scripts have no {name:?}");
        assert!(fault.text.starts_with(&expected), "{}", fault.text);
    }
    let mut bench = Bench::new("print(debug.getregistry)");
    assert_eq!(bench.printed(), ["nil"]);
    bench.run(0.1);
}

#[test]
fn an_unset_global_is_an_error_with_the_nearest_name() {
    let fault = Bench::empty().fault("score = 1\nprint(score)\nprint(scroe)");
    assert_eq!(fault.line, Some(3));
    assert_eq!(
        fault.text,
        "there is no global \"scroe\"; did you mean \"score\"?"
    );
    let fault = Bench::empty().fault("charcter 'post.glb'");
    assert_eq!(
        fault.text,
        "there is no global \"charcter\"; did you mean \"character\"?"
    );
    let bench = Bench::new("print(rawget(_G, 'score')) score = 2 print(_G.score)");
    assert_eq!(bench.printed(), ["nil", "2"]);
}

#[test]
fn modules_are_required_once_by_name_and_their_faults_name_their_file() {
    let mut bench = Bench::empty();
    bench.write(
        "scripts/ai/guard.lua",
        "print('loaded') return { n = require './helper' }",
    );
    bench.write("scripts/ai/helper.lua", "return 7");
    let read = bench
        .load("local a, b = require 'ai.guard', require 'ai/guard' print(a == b, a.n)")
        .unwrap();
    assert_eq!(bench.printed(), ["loaded", "true\t7"]);
    assert_eq!(read.len(), 3);
    bench.write("scripts/ai/helper.lua", "return 7 +");
    let fault = bench.fault("require 'ai.guard'");
    assert_eq!(fault.file.as_deref(), Some("scripts/ai/helper.lua"));
    bench.write("scripts/a.lua", "require 'b'");
    bench.write("scripts/b.lua", "require 'a'");
    assert!(bench.fault("require 'a'").text.contains("requires itself"));
    assert!(
        bench
            .fault("require 'nowhere'")
            .text
            .contains("scripts/nowhere.lua")
    );
}

#[test]
fn an_action_plays_over_the_machine_and_ends_once_with_its_reason() {
    let mut bench = Bench::new(&format!(
        "{WALKER}
        local a = hero:play('jump', {{ mask = 'upper', on_end = function(why) print('first', why) end }})
        local b
        local n = 0
        local old = update
        function update(dt)
            old(dt)
            n += 1
            if n == 6 then b = hero:play('jump', {{ mask = 'upper', on_end = function(why) print('second', why) end }}) end
            if n == 6 then print(a:end_reason()) end
            if n == 7 then print(a:end_reason()) end
            if n == 60 then print(a:end_reason(), b:end_reason()) end
        end"
    ));
    bench.run(1.2);
    let printed: Vec<String> = bench
        .printed()
        .into_iter()
        .filter(|l| !l.contains("enter") && !l.contains("stone"))
        .collect();
    assert_eq!(
        printed,
        [
            "nil",
            "first\tinterrupted",
            "interrupted",
            "second\tend",
            "interrupted\tend"
        ]
    );
}

#[test]
fn a_model_that_is_still_loading_defers_the_script_and_changes_nothing() {
    let mut bench = Bench::new(WALKER);
    let pending = bench.load("character 'slow.glb'");
    assert!(matches!(pending, Err(LoadError::Pending(ref paths)) if paths == &["slow.glb"]));
    bench.run(0.5);
    assert_eq!(bench.stage.characters.len(), 1);
}

#[test]
fn two_runs_of_a_script_give_the_same_bits() {
    let run = || {
        let mut bench = Bench::new(&format!(
            "{WALKER}\nlocal o = update function update(dt) o(dt) hero.yaw += random_range(-5, 5) end"
        ));
        bench.run(3.0);
        let (_, hero) = bench.stage.characters.iter().next().unwrap();
        (
            hero.skin.palette[0].clone(),
            hero.placement,
            bench.stage.audio.orders.clone(),
        )
    };
    assert!(run() == run());
}

#[test]
fn every_example_of_the_reference_runs() {
    let prelude = "local hero = character 'assets/mannequin.glb'
        hero.machine = machine { params = { speed = 0 }, state 'idle' { 'idle' }, state 'jump' { 'jump' }, transition_to 'jump' { on = 'jump' } }\n";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/mannequin.glb");
    let model = galatea::asset::gltf::load(&file).unwrap();
    let definition = Arc::new(Definition::new(Arc::new(model)));
    for (name, example) in galatea::script::reference::examples() {
        let mut bench = Bench::with_definition(HostOptions::default(), definition.clone());
        if let Err(error) = bench.load(&format!("{prelude}{example}")) {
            panic!("{name}: {example}\n{error:?}");
        }
        bench.run(0.2);
        let faults = bench.host.take_faults();
        assert!(faults.is_empty(), "{name}: {faults:?}");
    }
}

#[test]
fn a_masked_layer_moves_only_its_bones_and_only_as_much_as_its_weight() {
    let mut bench = Bench::new(
        "hero = character 'post.glb'
        hero.machine = machine {
            params = { over = 0 },
            layer 'body' { state 'rest' {} },
            layer 'top' { mask = 'upper', weight = 'over', state 'jump' { 'jump', mode = 'once' } },
        }
        WEIGHT = 0
        function update() hero.machine.params.over = WEIGHT end",
    );
    let turn = |bench: &Bench| {
        let (_, hero) = bench.stage.characters.iter().next().unwrap();
        assert_eq!(hero.posed.pose.locals[0].rotation, glam::Quat::IDENTITY);
        hero.posed.pose.locals[1].rotation.to_axis_angle().1
    };
    bench.run(0.5);
    assert_eq!(turn(&bench), 0.0);
    for (weight, angle) in [(0.5, 0.5), (1.0, 1.0)] {
        // The clip's last key rotates `upper` by 1 radian.
        let script = bench.memory.scripts.lock().unwrap()["scripts/main.lua"].clone();
        let at = script.find("WEIGHT = ").unwrap();
        let end = at + script[at..].find('\n').unwrap();
        let script = format!("{}WEIGHT = {weight}{}", &script[..at], &script[end..]);
        bench.load(&script).unwrap();
        bench.run(0.1);
        assert!(
            (turn(&bench) - angle).abs() < 1e-4,
            "{weight}: {}",
            turn(&bench)
        );
    }
    assert!(bench.host.take_faults().is_empty());
}

#[test]
fn a_clip_plays_without_a_machine_and_attached_objects_follow_the_hand() {
    let mut bench = Bench::new(
        "local hero = character 'post.glb' { position = vector.create(2, 0, 0), yaw = 90 }
        local lamp = character('post.glb', { scale = 0.1 })
        hero:attach(lamp, 'upper', { offset = vector.create(0, 0.5, 0) })
        function update() print(lamp.position) end",
    );
    bench.run(0.3);
    let (_, hero) = bench.stage.characters.iter().next().unwrap();
    assert_ne!(
        hero.posed.pose.locals[1].rotation,
        glam::Quat::IDENTITY,
        "it plays its idle clip"
    );
    let (_, lamp) = bench.stage.characters.iter().nth(1).unwrap();
    let hand = hero.posed.world[0] * hero.posed.model_from_bone[1];
    let tip = hand.transform_point3a(glam::Vec3A::new(0.0, 0.5, 0.0));
    let held: glam::Vec3A = lamp.posed.world[0].translation;
    assert!((tip - held).length() < 1e-5);
    assert!((lamp.placement.position.x - 2.0).abs() < 0.2 && lamp.placement.position.y > 1.3);
    let fault = bench.fault("local a = character 'post.glb' local b = character 'post.glb' a:attach(b, 'upper') b:attach(a, 'upper')");
    assert!(fault.text.contains("cannot be attached to post.glb#1"));
}

#[test]
fn why_judges_with_the_parameters_as_the_script_has_just_set_them() {
    let lines = crate::common::printed(
        "hero.machine = machine {
            params = { speed = 0, armed = false },
            state 'a' { 'idle' }, state 'b' { 'walk' }, state 'c' { 'run' },
            transition_to 'b' { from = 'a', when = 'speed > 1' },
            transition_to 'c' { from = 'a', when = function(p) return p.armed end },
        }
        local function tell()
            for _, way in hero.machine:why() do print(way.to, way.allowed, way.reason) end
        end
        local n = 0
        function update()
            n += 1
            local p = hero.machine.params
            if n == 3 then
                p.speed, p.armed = 2, true
                tell()
                -- What it cannot be counts as little as in the tick.
                p.speed, p.armed = 0/0, false
                tell()
                p.speed = 0
            end
        end",
        0.1,
    );
    let wanted = [
        "b\ttrue\tspeed > 1 (speed = 2): true",
        "c\ttrue\twhen(armed = true): true",
        "b\tfalse\tspeed > 1 (speed = 0): false",
        "c\tfalse\twhen(armed = false): false",
    ];
    assert_eq!(lines, wanted);
}

#[test]
fn a_condition_with_side_effects_is_reported() {
    let mut bench = Bench::new(
        "local hero = character 'post.glb'
        hero.machine = machine { state 'a' {}, state 'b' {}, transition_to 'b' { when = function() sound.play('land') return true end } }",
    );
    bench.run(0.2);
    let faults = bench.host.take_faults();
    assert_eq!(faults.len(), 1);
    assert!(
        faults[0].text.contains("can only read its parameters"),
        "{}",
        faults[0]
    );
    assert!(bench.stage.audio.orders.is_empty());
}

#[test]
fn missing_requirements_of_a_modifier_are_reported_once() {
    let lines = crate::common::printed(
        "function update()
            hero:grip('left_hand', 1)
        end",
        0.1,
    );
    assert_eq!(
        lines,
        ["post: grip is disabled: the model has no bone with the role left_hand"]
    );
}
