//! Events in scripts: none lost, none duplicated, in a defined order, in one batch.

use crate::common::{Bench, HERO, lua_test, printed, printed_in_ticks};

#[test]
fn below_a_full_body_action_machine_events_reach_only_listeners_to_all() {
    let script = "hero.machine = machine { state 'walk' { 'walk' } }
        hero:play('run', { mode = 'loop', fade = 0 })
        hero:on('step', function(e) print('one', e.source, e.clip, e.weight) end)
        hero:on('step', { all_clips = true }, function(e) print('all', e.source, e.weight) end)";
    let lines = printed(script, 0.32);
    let count = |start: &str| lines.iter().filter(|l| l.starts_with(start)).count();
    assert_eq!(count("one\tplay\trun\t1"), 2, "{lines:?}");
    assert_eq!(count("one\tmachine"), 0);
    assert_eq!((count("all\tplay"), count("all\tmachine\t0")), (2, 1));
}

#[test]
fn a_masked_action_does_not_suppress_machine_events() {
    let script = "hero.machine = machine { state 'walk' { 'walk' } }
        hero:play('run', { mode = 'loop', fade = 0, mask = { upper = 1, foot_l = 1, foot_r = 1 } })
        hero:on('step', function(e) print(e.source, e.state, e.layer) end)";
    let lines = printed(script, 0.2);
    assert_eq!(lines, ["play\tnil\tnil", "machine\twalk\tbody"]);
}

#[test]
fn an_action_that_ends_at_its_marker_is_still_masked() {
    let script = "hero:add_marker('run', 0.5, 'low', { bone = 'root' })
        hero:add_marker('run', 0.5, 'high', { bone = 'upper' })
        hero:play('run', { fade = 0, mask = 'upper' })
        hero:on('low', { all_clips = true }, function(e) print('low') end)
        hero:on('high', { all_clips = true }, function(e) print('high') end)";
    assert_eq!(printed(script, 1.0), ["high"]);
}

#[test]
fn the_steps_of_a_mirrored_play_are_those_of_the_other_foot() {
    let script = "hero:play('walk', { fade = 0, mirror = MIRROR })
        hero:on('step', { all_clips = true }, function(e) if e.source == 'play' then print(e.foot) end end)";
    let feet = |mirror: &str| printed(&script.replace("MIRROR", mirror), 0.9);
    assert_eq!(feet("false"), ["left", "right"]);
    assert_eq!(feet("true"), ["right", "left"]);
}

#[test]
fn markers_of_masked_out_bones_are_suppressed() {
    let script = "hero.machine = machine {
            state 'idle' { 'idle' },
            layer 'top' { mask = 'upper', state 'walk' { 'walk' } },
        }
        for _, clip in { 'walk', 'run' } do
            hero:add_marker(clip, 0.05, 'low', { bone = 'root' })
            hero:add_marker(clip, 0.06, 'high', { bone = 'upper' })
        end
        hero:event_log()
        hero:play('run', { fade = 0, mask = 'upper' })
        hero:on('low', { all_clips = true }, function(e) print('low', e.source) end)
        hero:on('high', { all_clips = true }, function(e) print('high', e.source) end)
        function update()
            if now() < 0.09 or rawget(_G, 'DONE') then return end
            DONE = true
            for _, e in hero:event_log() do
                if e.name == 'low' then print(e.source, e.outcome, e.reason) end
            end
        end";
    let mut lines = printed(script, 0.12);
    lines.sort();
    assert_eq!(
        lines,
        [
            "high\tmachine",
            "high\tplay",
            "machine\tsuppressed\tmasked",
            "play\tsuppressed\tmasked"
        ]
    );
}

#[test]
fn a_direction_that_changes_every_tick_loses_and_doubles_nothing() {
    let result = lua_test(
        "hero:add_marker('idle', 0.5, 'M') hero:add_marker('idle', 0.4, 'I', { duration = 0.2 })
        local p = hero:play('idle', { mode = 'loop', fade = 0 })
        local n = 0
        hero:on('M', function() n += 1 end)
        -- Over the mark and back, four ticks each way.
        t:run(0.475)
        for i = 1, 20 do
            p.speed = if i % 2 == 1 then 1 else -1
            t:run(4 / 60)
        end
        t:expect(n == 20, 'passed ' .. n .. ' times')
        t:expect_event_log(hero, { name = 'M', outcome = 'fired', count = 20 })
        t:expect_event_log(hero, { name = 'I', source = 'play', marker_phase = 'begin', count = 1 })
        t:expect_no_lost_markers(hero)",
    );
    assert_eq!(result, Ok(()));
}

#[test]
fn markers_at_the_start_and_at_the_very_end_are_emitted_once_at_any_tick_length() {
    for dt in [1.0 / 240.0, 1.0 / 60.0, 0.1, 0.125, 0.25, 0.5, 0.7] {
        let lines = printed_in_ticks(
            "hero:add_marker('jump', 0, 'first') hero:add_marker('jump', 0.5, 'last')
            hero:on('first', function() print('first') end)
            hero:on('last', function() print('last') end)
            hero:play('jump', { on_end = function(why) print(why) end })",
            2.1,
            dt,
        );
        assert_eq!(lines, ["first", "last", "end"], "{dt}");
    }
}

#[test]
fn events_of_one_time_are_sorted_by_rank() {
    let lines = printed(
        "hero.machine = machine { state 'a' { 'idle' }, state 'b' { 'walk' }, transition_to 'b' { from = 'a', on = 'go', fade = 0 } }
        hero:add_marker('jump', 0, 'hold', { duration = 0.4 }) hero:add_marker('walk', 0, 'M')
        hero:on('*', function(e) print(e.name, e.marker_phase, e.interrupted, e.state) end)
        local mask = { upper = 1, foot_l = 1, foot_r = 1 }
        hero:play('jump', { mask = mask, on_end = function(why) print('first', why) end })
        local n = 0
        function update()
            n += 1
            if n == 7 then
                hero.machine:send 'go'
                hero:play('run', { mask = mask, speed = 1000, on_end = function(why) print('second', why) end })
            end
        end",
        0.12,
    );
    let wanted = [
        "hold\tbegin\tfalse\tnil",
        "hold\tend\ttrue\tnil",
        "first\tinterrupted",
        "state_exit\tnil\tnil\ta",
        "state_enter\tnil\tnil\tb",
        "M\tpoint\tnil\tb",
        "step\tpoint\tnil\tnil",
        "step\tpoint\tnil\tnil",
        "second\tend",
    ];
    assert_eq!(lines, wanted);
}

#[test]
fn a_marker_at_the_end_of_a_state_comes_before_its_end() {
    let lines = printed(
        "hero.machine = machine { state 'a' { 'jump', mode = 'once' } }
        hero:add_marker('jump', 0.5, 'M')
        hero:on('*', function(e) print(e.name) end)",
        0.6,
    );
    assert_eq!(lines, ["M", "state_end"]);
}

#[test]
fn an_interrupted_action_emits_nothing_more_but_the_event_log_records_it() {
    let result = lua_test(
        "hero:play('walk', { mode = 'loop', fade = 0.5 })
        t:run(0.3)
        hero:play('idle', { mode = 'loop', fade = 0.5 })
        t:run(0.6)
        t:expect_event_count(hero, 'step', 1)
        t:expect_event_log(hero, { name = 'step', reason = 'leaving', clip = 'walk', count = 1 })
        t:expect_no_lost_markers(hero)",
    );
    assert_eq!(result, Ok(()));
}

#[test]
fn an_action_may_end_itself_or_play_again_inside_its_own_events() {
    let lines = printed(
        "local n = 0
        hero:add_marker('jump', 0.1, 'M')
        local function again()
            n += 1
            if n > 3 then return end
            local p
            p = hero:play('jump', { on = { M = function(e) print('M', n) p:stop(0) end }, on_end = function(why) print(why) again() end })
        end
        again()",
        1.0,
    );
    assert_eq!(
        lines,
        ["M\t1", "stopped", "M\t2", "stopped", "M\t3", "stopped"]
    );
}

#[test]
fn done_that_plays_again_comes_with_the_next_batch_not_in_an_endless_one() {
    let lines = printed(
        "local function again() hero:play('jump', { speed = 1000, on_end = function(why) print(now(), why) again() end }) end
        again()",
        5.0 / 60.0,
    );
    assert_eq!(lines.len(), 5, "{lines:?}");
}

#[test]
fn listeners_belong_to_the_play_and_not_to_the_clip() {
    let lines = printed(
        "hero:add_marker('jump', 0.1, 'hit')
        local other = character 'post.glb'
        other:add_marker('jump', 0.1, 'hit')
        hero:play('jump', { on = { hit = function(e) print('first', e.character == hero) end } })
        other:play('jump')
        local p
        function update(dt)
            if now() > 0.7 and not p then
                p = hero:play('jump')
                p:on('hit', function(e) print('second', e.clip, e.source) end)
            end
        end",
        1.2,
    );
    assert_eq!(lines, ["first\ttrue", "second\tjump\tplay"]);
}

#[test]
fn listeners_of_a_play_are_checked_against_the_markers_of_its_clip() {
    let fault = |text: &str| Bench::empty().fault(&format!("{HERO}{text}")).text;
    let text = fault("hero:play('walk', { on = { setp = function() end } })");
    assert!(text.contains("has no marker \"setp\""), "{text}");
    assert!(text.contains("step"), "{text}");
    let text = fault("hero:play('walk', { on = { 'step' } })");
    assert!(text.contains("functions by the names of markers"), "{text}");
    let text = fault("hero:play('walk'):on('jmup', print)");
    assert!(text.contains("has no marker"), "{text}");
}

#[test]
fn a_seek_emits_skipped_markers_only_on_request() {
    let script = |options: &str| {
        format!(
            "hero:add_marker('idle', 0.5, 'A') hero:add_marker('idle', 1.0, 'B') hero:add_marker('idle', 1.6, 'C')
            hero:on('*', function(e) print(e.name, e.is_reversed) end)
            local p = hero:play('idle', {{ fade = 0 }})
            local n = 0
            function update()
                n += 1
                if n == 7 then print(p:seek(1.5{options})) end
                if n == 9 then print(p:seek(0.75{options})) end
                if n == 10 then p:stop(0) end
                if n == 12 then print(p:seek(0)) end
            end"
        )
    };
    assert_eq!(printed(&script(""), 0.3), ["true", "true", "false"]);
    assert_eq!(
        printed(&script(", { emit_markers = true }"), 0.3),
        ["true", "A\tfalse", "B\tfalse", "true", "B\ttrue", "false"]
    );
}

#[test]
fn a_seek_out_of_an_interval_interrupts_it_and_the_event_log_lists_skipped_markers() {
    let result = lua_test(
        "hero:add_marker('idle', 0.2, 'I', { duration = 0.4 }) hero:add_marker('idle', 1.0, 'B')
        local heard = {}
        hero:on('I', function(e) table.insert(heard, e.marker_phase .. tostring(e.interrupted)) end)
        local p = hero:play('idle', { fade = 0 })
        t:run(0.4)
        p:seek(1.5)
        t:run(0.1)
        t:expect(table.concat(heard, ' ') == 'beginfalse endtrue', table.concat(heard, ' '))
        t:expect_event_log(hero, { name = 'I', outcome = 'interrupted', reason = 'seek', count = 1 })
        t:expect_event_log(hero, { name = 'B', outcome = 'suppressed', reason = 'seek', count = 1 })
        t:expect_no_lost_markers(hero)",
    );
    assert_eq!(result, Ok(()));
}

#[test]
fn a_long_frame_reports_every_lap() {
    let lines = printed_in_ticks(
        "hero:play('walk', { mode = 'loop', fade = 0 })
        hero:on('step', function(e) print(e.foot, string.format('%.2f', e.time)) end)",
        2.5,
        2.5,
    );
    let wanted = [
        "left\t0.10",
        "right\t0.60",
        "left\t1.10",
        "right\t1.60",
        "left\t2.10",
    ];
    assert_eq!(lines, wanted);
}

#[test]
fn each_kind_of_end_has_its_reason_and_comes_once() {
    let lines = printed(
        "local function said(name) return function(why) print(name, why) end end
        local a = hero:play('jump', { on_end = said 'a' })
        local b = hero:play('walk', { mask = 'upper', mode = 'loop', on_end = said 'b' })
        local c
        local n = 0
        function update()
            n += 1
            if n == 10 then b:stop(0.1) b:stop(0) end
            if n == 40 then c = hero:play('jump', { on_end = said 'c' }) end
            if n == 45 then hero:play('walk') end
            if n == 80 then print(a:end_reason(), b:end_reason(), c:end_reason()) end
        end",
        1.5,
    );
    assert_eq!(
        lines,
        [
            "b\tstopped",
            "a\tend",
            "c\tinterrupted",
            "end\tstopped\tinterrupted"
        ]
    );
}

#[test]
fn played_back_a_clip_begins_at_its_end_and_is_done_at_its_start() {
    let lines = printed(
        "hero:add_marker('walk', 0, 'start')
        hero:on('*', function(e) print(e.name, e.is_reversed, string.format('%.2f', e.time)) end)
        hero:play('walk', { speed = -2, fade = 0, on_end = function(why) print(why) end })",
        0.7,
    );
    assert_eq!(
        lines,
        [
            "step\ttrue\t0.20",
            "step\ttrue\t0.45",
            "start\ttrue\t0.50",
            "end"
        ]
    );
}

#[test]
fn an_action_reports_its_time_until_it_ends() {
    let lines = printed(
        "local p = hero:play('run', { mode = 'loop', fade = 0, start_time = 0.25, speed = 0.5 })
        local n = 0
        function update()
            n += 1
            if n == 61 then
                print(string.format('%.3f %.2f %d %.1f %g', p.time, p.phase, p.loop_count, p.weight, p.speed))
                p.speed = 0
            end
            if n == 80 then print(string.format('%.3f', p.time)) p:stop(0) end
            if n == 82 then print(p.time, p.phase, p.loop_count, p.weight, p.speed) end
        end",
        1.5,
    );
    assert_eq!(
        lines,
        ["0.250 0.50 1 1.0 0.5", "0.250", "nil\tnil\tnil\tnil\tnil"]
    );
}

#[test]
fn speeds_that_are_no_numbers_and_absurd_ones_are_refused() {
    for speed in ["0/0", "1e9", "-1e9", "1/0"] {
        let script = format!("{HERO}hero:play('walk', {{ speed = {speed} }})");
        assert!(!Bench::empty().fault(&script).text.is_empty(), "{speed}");
        let script = format!("{HERO}hero:play('walk').speed = {speed}");
        assert!(!Bench::empty().fault(&script).text.is_empty(), "{speed}");
    }
}

#[test]
fn interval_edges_are_paired_for_listeners_with_a_minimum_weight() {
    // It fades in over a second: the weight is small when the interval begins, and full when it ends.
    let script = |min: &str| {
        format!(
            "hero:add_marker('walk', 0.15, 'I', {{ duration = 0.45 }})
            hero:on('I', {{ min_weight = {min} }}, function(e) print(e.marker_phase, e.interrupted, e.duration > 0.4) end)
            hero:play('walk', {{ fade = 1, fade_out = 0, speed = 0.5 }})"
        )
    };
    let both = ["begin\tfalse\ttrue", "end\tfalse\ttrue"];
    assert_eq!(printed(&script("0.1"), 1.5), both);
    assert!(printed(&script("0.5"), 1.5).is_empty());
}

#[test]
fn an_interval_open_when_its_play_is_stopped_ends_cut_with_the_stop() {
    let lines = printed(
        "hero:add_marker('walk', 0.2, 'hitbox', { duration = 0.5, damage = 3 })
        local p = hero:play('walk', {
            on = { hitbox = function(e) print(e.marker_phase, e.interrupted, e.damage) end },
            on_end = function(why) print(why) end,
        })
        function update() if now() > 0.4 and not p:end_reason() then p:stop(0.2) end end",
        1.0,
    );
    assert_eq!(lines, ["begin\tfalse\t3", "end\ttrue\t3", "stopped"]);
}

#[test]
fn a_listener_taken_off_hears_nothing_more_and_one_added_hears_from_the_next_batch_on() {
    let lines = printed(
        "hero:add_marker('idle', 0.5, 'A') hero:add_marker('idle', 0.501, 'B') hero:add_marker('idle', 0.9, 'C')
        local second
        hero:on('A', function()
            print 'A'
            second:off()
            hero:on('*', function(e) print('new', e.name) end)
        end)
        second = hero:on('*', function(e) print('second', e.name) end)
        second:off() second = hero:on('*', function(e) print('third', e.name) end)",
        1.0,
    );
    assert_eq!(lines, ["A", "new\tC"]);
}

#[test]
fn effects_of_listeners_are_delivered_in_the_next_batch() {
    let lines = printed(
        "hero.machine = machine { state 'a' { 'idle' }, state 'b' { 'walk' }, transition_to 'b' { from = 'a', on = 'go' } }
        hero:add_marker('idle', 0.1, 'M') hero:add_marker('jump', 0.25, 'hit')
        local p = hero:play('jump', { mask = 'upper', fade = 0 })
        hero:on('M', function() print 'M' hero.machine:send 'go' p:seek(0.3, { emit_markers = true }) print 'sent' end)
        hero:on('state_enter', function(e) print(e.name, e.state) end)
        hero:on('hit', function(e) print(e.name) end)",
        0.15,
    );
    assert_eq!(lines, ["M", "sent", "hit", "state_enter\tb"]);
}

#[test]
fn the_same_marker_is_handled_by_state() {
    let lines = printed(
        "hero.machine = machine { state 'healthy' { 'walk' }, state 'hurt' { 'walk' }, transition_to 'hurt' { from = 'healthy', on = 'hurt', fade = 0 } }
        local by_state = { healthy = function() print 'firm' end, hurt = function() print 'limp' end }
        hero:on('step', function(e) by_state[e.state](e) end)
        function update() if now() > 0.5 then hero.machine:send 'hurt' end end",
        0.7,
    );
    assert_eq!(lines, ["firm", "limp"]);
}

#[test]
fn markers_are_delivered_at_their_clip_time_at_any_speed() {
    for speed in [0.25f64, 1.0, 3.0] {
        let lines = printed(
            &format!(
                "hero:add_marker('idle', 0.75, 'M', {{ power = 2, kind = 'hit', hard = true }})
                hero:on('M', function(e) print(string.format('%.3f', e.time), e.power, e.kind, e.hard, e.surface, e.tick_fraction <= 1) end)
                hero:play('idle', {{ speed = {speed}, fade = 0 }})"
            ),
            3.5,
        );
        let time = 0.75 / speed;
        assert_eq!(lines[0], format!("{time:.3}\t2\thit\ttrue\tstone\ttrue"));
    }
}

#[test]
fn a_character_without_a_machine_emits_markers_of_its_idle_clip() {
    let lines = printed(
        "hero:add_marker('idle', 0.5, 'blink')
        hero:on('blink', function(e) print(e.source, e.clip, e.weight) end)",
        2.6,
    );
    assert_eq!(lines, ["idle\tidle\t1", "idle\tidle\t1"]);
}

#[test]
fn the_event_log_is_empty_until_enabled_and_names_reasons() {
    let lines = printed(
        "hero:add_marker('idle', 0.1, 'A')
        hero:on('A', { min_weight = 0.9 }, function() end)
        hero:play('idle', { fade = 0, weight = 0.5, mode = 'loop' })
        hero:play('walk', { fade = 0, mute_markers = true, mask = 'upper', mode = 'loop' })
        hero:play('run', { fade = 0, weight = 0, mask = 'foot_l', mode = 'loop' })
        function update()
            if now() < 0.01 then print(#hero:event_log()) end
            if now() > 0.2 and not rawget(_G, 'DONE') then
                DONE = true
                for _, e in hero:event_log() do print(e.name, e.clip, e.source, e.outcome, e.reason, e.occurrences) end
            end
        end",
        0.3,
    );
    let mut wanted = vec![
        "0".to_owned(),
        "step\trun\tplay\tsuppressed\tlayer_weight_zero\t1".into(),
        "A\tidle\tplay\tsuppressed\tbelow_min_weight\t1".into(),
        "step\twalk\tplay\tsuppressed\tmuted\t1".into(),
    ];
    wanted.insert(2, "A\tidle\tidle\tsuppressed\tbelow_min_weight\t1".into());
    assert_eq!(lines, wanted);
}

#[test]
fn a_flood_is_one_entry_of_the_event_log_and_fails_a_test_that_expects_none_lost() {
    let flood = "hero:play('run', { mode = 'loop', fade = 0, speed = 1000 })
        for i = 1, 200 do hero:add_marker('run', i / 500, 'M') end
        t:run(1 / 60)";
    let count = format!("{flood} t:expect_event_log(hero, {{ reason = 'flood', count = 1 }})");
    assert_eq!(lua_test(&count), Ok(()));
    let text = lua_test(&format!("{flood} t:expect_no_lost_markers(hero)")).unwrap_err();
    assert!(
        text.contains("were lost, because too many were passed in one tick"),
        "{text}"
    );
}

#[test]
fn failed_event_log_expectations_name_the_missing_entry() {
    let text = lua_test("t:expect_event_log(hero, { name = 'step', outcome = 'interrupted' })")
        .unwrap_err();
    assert!(
        text.contains(
            "expected some entries with name = step, outcome = interrupted in the event log, got 0"
        ),
        "{text}"
    );
}

#[test]
fn expectations_of_what_cannot_happen_fail_even_where_none_is_expected() {
    for (wrong, why) in [
        (
            "t:expect_event_count(hero, 'setp', 0)",
            "has no event or marker \"setp\"; did you mean \"step\"?",
        ),
        ("t:event_times(hero, 'setp')", "has no event or marker"),
        ("t:expect_event(hero, 'setp')", "has no event or marker"),
        ("t:expect_event_count(hero, '*', 0)", "not an event"),
        (
            "t:expect_event_log(hero, { outcom = 'fired', count = 0 })",
            "no field \"outcom\"",
        ),
        (
            "t:expect_event_log(hero, { outcome = 'fierd', count = 0 })",
            "one of fired, suppressed, interrupted",
        ),
        (
            "t:expect_event_log(hero, { reason = 'mutd', count = 0 })",
            "one of lower_weight",
        ),
        (
            "t:expect_event_log(hero, { name = 'setp', count = 0 })",
            "has no event or marker",
        ),
        (
            "t:expect_event_log(hero, { marker = '2', count = 0 })",
            "must be a number, got 2",
        ),
        (
            "t:run('2')",
            "t:run: argument \"seconds\": expected a number",
        ),
        ("t:run()", "expected a number, got nil"),
        ("coroutine.yield('2')", "t:run(seconds)"),
        ("t:run(0/0)", "argument \"seconds\""),
        ("t:run(4000)", "a test can run at most"),
    ] {
        let text = lua_test(wrong).unwrap_err();
        assert!(text.contains(why), "{wrong}: {text}");
    }
    let right = "hero:add_marker('idle', 1.9, 'M')
        t:expect_event_count(hero, 'M', 0) t:expect_event_count(hero, 'state_enter', 0)
        t:expect_event_log(hero, { name = 'M', outcome = 'fired', marker_phase = 'point', count = 0 })
        return 5";
    assert_eq!(lua_test(right), Ok(()));
}

#[test]
fn a_clip_with_all_the_intervals_it_may_have_refuses_one_more() {
    let text = Bench::empty()
        .fault(&format!(
            "{HERO}for i = 1, 65 do hero:add_marker('idle', i / 100, 'I', {{ duration = 0.1 }}) end"
        ))
        .text;
    assert!(
        text.contains("the limit is 64 markers with a length"),
        "{text}"
    );
    let text = Bench::empty()
        .fault(&format!(
            "{HERO}hero:add_marker('idle', 0, 'I', {{ duration = -1 }})"
        ))
        .text;
    assert!(text.contains("duration"), "{text}");
    let made = |n: u32| {
        format!(
            "{HERO}local marks = {{}}
            for i = 1, {n} do marks[i] = {{ i / 100, 'I', duration = 0.1 }} end
            hero:add_clip(clip 'made' {{ curves = {{ c = {{ {{ 0, 0 }}, {{ 1, 1 }} }} }}, markers = marks }})"
        )
    };
    let fault = Bench::empty().fault(&made(65));
    let wanted = "clip \"made\": the limit is 64 markers with a length per clip";
    assert_eq!((fault.text.as_str(), fault.line), (wanted, Some(4)));
    Bench::new(&made(64));
}

#[test]
fn an_open_interval_survives_a_reload_and_its_end_is_delivered() {
    let script = format!(
        "{HERO}hero:add_marker('idle', 0.2, 'I', {{ duration = 0.4 }})
        hero:on('I', function(e) print(e.marker_phase) end)
        if now() == 0 then hero:play('idle', {{ mode = 'loop', fade = 0, mask = 'upper' }}) end"
    );
    let mut bench = Bench::new(&script);
    bench.run(0.4);
    assert_eq!(bench.printed().last().map(String::as_str), Some("begin"));
    bench.load(&script).unwrap();
    bench.run(0.5);
    // The clip's action, and the idle clip below it.
    assert_eq!(bench.printed(), ["end", "end"]);
    bench.run(2.0);
    assert_eq!(bench.printed(), ["begin", "begin", "end", "end"]);
}
