//! Markers from scripts, case by case.

use crate::common::{Bench, HERO, lua_test, printed};

#[test]
fn step_markers_added_while_a_state_plays_do_not_move_its_playback() {
    let lines = printed(
        "hero.machine = machine { state 'a' { 'idle' } }
        hero:add_marker('idle', 0.5, 'M')
        hero:on('M', function(e) print(string.format('%.2f', e.time), e.is_reversed) end)
        hero:on('*', function(e) assert(not e.is_reversed) end)
        local n = 0
        function update()
            n += 1
            if n == 200 then hero:add_marker('idle', 1.0, 'step', { foot = 'left' }) end
            if n == 260 then hero:add_marker('idle', 1.5, 'step', { foot = 'right' }) end
            if n == 500 then hero:add_marker('idle', 0.2, 'step', { foot = 'left' }) end
        end",
        13.0,
    );
    let wanted: Vec<String> = (0..7)
        .map(|lap| format!("{:.2}\tfalse", 0.5 + 2.0 * f64::from(lap)))
        .collect();
    assert_eq!(lines, wanted);
}

#[test]
fn pending_events_keep_their_names_and_fields_when_markers_change() {
    let lines = printed(
        "hero:add_marker('jump', 0.2, 'A', { n = 1 })
        local gone = hero:add_marker('jump', 0.3, 'B', { n = 2 })
        local same = hero:add_marker('jump', 0.3, 'B', { n = 2 })
        hero:add_marker('jump', 0.4, 'C', { n = 3 })
        hero:on('*', function(e) print(e.name, e.n, e.clip) end)
        local p = hero:play('jump', { fade = 0 })
        local n = 0
        function update()
            n += 1
            if n == 4 then
                p:seek(0.45, { emit_markers = true })
                hero:add_marker('jump', 0.1, 'new', { n = 4 })
                hero:add_marker('walk', 0.1, 'other')
                print(gone:remove(), gone:remove())
                hero:add_marker('jump', 0.15, 'newer')
            end
        end",
        0.1,
    );
    let wanted = [
        "true\tfalse",
        "A\t1\tjump",
        "B\t2\tjump",
        "B\t2\tjump",
        "C\t3\tjump",
    ];
    assert_eq!(lines, wanted);
}

#[test]
fn a_transition_on_a_marker_works_after_another_marker_is_added_before_it() {
    let lines = printed(
        "hero.machine = machine { state 'a' { 'walk' }, state 'b' { 'idle' },
            transition_to 'b' { from = 'a', marker = { 'step', foot = 'left' } } }
        hero:on('step', function() hero:add_marker('walk', 0.05, 'Z') end)
        hero:on('state_enter', function(e) print(e.state) end)",
        0.3,
    );
    assert_eq!(lines, ["b"]);
}

#[test]
fn event_log_entries_do_not_change_with_later_markers() {
    let result = lua_test(
        "local gone = hero:add_marker('idle', 0.2, 'A') hero:add_marker('idle', 0.3, 'B')
        hero.machine = machine { state 'first' { 'idle' } }
        t:run(0.5)
        hero:add_marker('idle', 0.1, 'Z')
        t:expect_event_log(hero, { name = 'A', marker = 2, state = 'first', layer = 'body', count = 1 })
        t:expect_event_log(hero, { name = 'B', marker = 3, count = 1 })
        gone:remove()
        t:expect_event_log(hero, { name = 'A', state = 'first', count = 1 })
        t:expect_event_log(hero, { name = 'A', marker = 2, count = 0 })
        t:expect_event_log(hero, { name = 'B', marker = 2, count = 1 })
        hero.machine = machine { layer 'whole' { state 'other' { 'idle' } } }
        t:expect_event_log(hero, { name = 'A', state = 'first', layer = 'body', count = 1 })
        t:expect_event_log(hero, { name = 'B', state = 'first', layer = 'body', count = 1 })
        t:run(0.35)
        t:expect_event_log(hero, { name = 'B', state = 'other', layer = 'whole', count = 1 })
        t:expect_no_lost_markers(hero)",
    );
    assert_eq!(result, Ok(()));
}

#[test]
fn the_event_log_keeps_its_names_when_the_script_is_saved_with_other_states_and_markers() {
    let script = |body: &str| {
        format!(
            "{HERO}{body}
            function update()
                if now() > 0.49 and now() < 0.505 or now() > 0.6 then
                    for _, e in hero:event_log() do print(e.name, e.clip, e.layer, e.state) end
                else
                    hero:event_log()
                end
            end"
        )
    };
    let mut bench = Bench::new(&script(
        "hero:add_marker('idle', 0.2, 'A') hero.machine = machine { state 'first' { 'idle' } }",
    ));
    bench.run(0.5);
    bench
        .load(&script(
            "hero:add_marker('idle', 0.1, 'Z') hero.machine = machine { layer 'x' { state 'second' { 'walk' } } }",
        ))
        .unwrap();
    bench.run(0.13);
    let lines = bench.printed();
    assert_eq!(
        lines.first().map(String::as_str),
        Some("A\tidle\tbody\tfirst"),
        "{lines:?}"
    );
    // Later crossings come after it.
    assert_eq!(
        lines.last().map(String::as_str),
        Some("step\twalk\tx\tsecond")
    );
    let older = lines.iter().filter(|line| line.starts_with('A'));
    assert!(older.clone().all(|line| line == &lines[0]) && older.count() > 1);
}

#[test]
fn an_open_interval_ends_interrupted_when_it_is_removed() {
    let lines = printed(
        "local held = hero:add_marker('idle', 0.1, 'I', { duration = 1, power = 3 })
        hero:add_marker('idle', 0.1, 'I', { duration = 1, power = 3 })
        hero:play('idle', { fade = 0, mask = 'upper' })
        hero.machine = machine { state 'a' { 'idle' } }
        hero:on('I', function(e) print(e.source, e.marker_phase, e.interrupted, e.power, e.state) end)
        local n = 0
        function update() n += 1 if n == 20 then print(held:remove()) end end",
        0.5,
    );
    let (one, two) = ("machine\tbegin\tfalse\t3\ta", "play\tbegin\tfalse\t3\tnil");
    let ends = ["machine\tend\ttrue\t3\ta", "play\tend\ttrue\t3\tnil"];
    let wanted = [one, one, two, two, "true", ends[0], ends[1]];
    assert_eq!(lines, wanted);
}

#[test]
fn an_interval_of_a_state_that_is_entered_again_ends_as_it_began_in_each_playing() {
    for (fade, first, second) in [
        (0.3, 0.15, 0.15),
        (0.3, 0.1, 1.0),
        (0.2, 0.06, 0.06),
        (0.4, 0.3, 0.05),
        (0.25, 0.05, 0.05),
    ] {
        let result = lua_test(&format!(
            "hero:add_marker('jump', 0.05, 'I', {{ duration = 0.3 }})
            hero.machine = machine {{
                state 'hit' {{ 'jump', mode = 'once' }},
                transition_to 'hit' {{ from = 'hit', on = 'hit', fade = {fade} }},
            }}
            local heard = {{}}
            hero:on('I', function(e) table.insert(heard, e.marker_phase) end)
            t:run({first})
            hero.machine:send 'hit'
            t:run({second})
            hero.machine:send 'hit'
            t:run(1)
            local begun, n = {{}}, 0
            for _, e in hero:event_log() do
                if e.marker_phase == 'begin' then
                    t:expect(begun[e.playback_id] == nil, 'began twice')
                    begun[e.playback_id] = e
                else
                    local was = begun[e.playback_id]
                    t:expect((e.outcome == 'suppressed') == (was.outcome == 'suppressed'), e.outcome)
                    t:expect(was.outcome ~= 'suppressed' or e.reason == was.reason, e.reason)
                    n += 1
                end
            end
            t:expect(n == 3, 'playings that ended: ' .. n)
            -- Listeners heard the first: the others began below one that showed more.
            t:expect(table.concat(heard, ' ') == 'begin end', table.concat(heard, ' '))
            t:expect_no_lost_markers(hero)"
        ));
        assert_eq!(result, Ok(()), "{fade} {first} {second}");
    }
}

#[test]
fn interval_ends_are_delivered_exactly_if_their_beginnings_were() {
    let result = lua_test(
        "hero:add_marker('idle', 0.5, 'I', { duration = 0.5 })
        hero.machine = machine {
            params = { x = 1 },
            state 'a' { blend1d { param = 'x', { 0, 'idle' }, { 1, 'jump' } } },
        }
        local function outcomes()
            local list = {}
            for _, e in hero:event_log() do
                if e.name == 'I' then table.insert(list, `{e.marker_phase} {e.outcome}`) end
            end
            return table.concat(list, ', ')
        end
        t:run(0.6)
        hero.machine.params.x = 0
        t:run(1.0)
        t:expect(outcomes() == 'begin suppressed, end suppressed', outcomes())
        t:run(1.0)
        hero.machine.params.x = 1
        t:run(0.8)
        t:expect(outcomes() == 'begin suppressed, end suppressed, begin fired, end fired', outcomes())
        t:expect_no_lost_markers(hero)",
    );
    assert_eq!(result, Ok(()));
}

#[test]
fn the_event_log_records_interval_ends_like_their_delivered_beginnings() {
    // The listener requires a weight that is reached only at the end, or is added while the interval is open.
    let of = |on: &str| {
        lua_test(&format!(
            "hero:add_marker('walk', 0.15, 'I', {{ duration = 0.45 }})
            hero:play('walk', {{ fade = 1, fade_out = 0, speed = 0.5 }})
            {on}
            t:run(1.5)
            local list = {{}}
            for _, e in hero:event_log() do
                if e.name == 'I' then table.insert(list, `{{e.marker_phase}} {{e.outcome}} {{e.reason}}`) end
            end
            t:expect(false, table.concat(list, ', '))"
        ))
        .unwrap_err()
    };
    assert_eq!(
        of("hero:on('I', { min_weight = 0.5 }, print)"),
        "begin suppressed below_min_weight, end suppressed below_min_weight"
    );
    assert_eq!(
        of("t:run(0.5) hero:on('I', print)"),
        "begin fired nil, end fired nil"
    );
}

#[test]
fn a_listener_of_an_action_receives_the_end_of_each_begun_interval() {
    let lines = printed(
        "hero:add_marker('idle', 0.1, 'I', { duration = 0.3 })
        local p = hero:play('idle', { fade = 0, on = { I = function(e) print('first', e.marker_phase) end } })
        local n = 0
        function update()
            n += 1
            if n == 15 then p:on('I', function(e) print('late', e.marker_phase) end) end
        end",
        0.5,
    );
    assert_eq!(lines, ["first\tbegin", "first\tend"]);
}

#[test]
fn seeking_a_muted_action_emits_nothing() {
    let result = lua_test(
        "hero:add_marker('idle', 0.1, 'I', { duration = 0.5 })
        local n = 0
        local on = { I = function() n += 1 end }
        local p = hero:play('idle', { fade = 0, mute_markers = true, mask = 'upper', on = on })
        t:run(0.3)
        p:seek(1.5)
        t:run(0.1)
        t:expect(n == 0, n)
        t:expect_event_log(hero, { name = 'I', source = 'play', outcome = 'suppressed', reason = 'muted', count = 2 })",
    );
    assert_eq!(result, Ok(()));
    // Without a ledger, muted markers are not recorded.
    let lines = printed(
        "hero:add_marker('idle', 0.1, 'I', { duration = 0.5 }) hero:add_marker('jump', 0.4, 'J', { duration = 0.08 })
        hero:on('J', function(e) print(e.marker_phase, e.interrupted) end)
        local p = hero:play('idle', { fade = 0, mute_markers = true, mask = 'upper' })
        local other = hero:play('jump', { fade = 0 })
        local n = 0
        function update()
            n += 1
            if n == 20 then other:seek(0.42, { emit_markers = true }) p:seek(1.5) end
        end",
        0.36,
    );
    assert_eq!(lines, ["begin\tfalse"]);
}

#[test]
fn a_removed_interval_of_a_fading_state_ends_though_the_state_was_entered_again() {
    // The state is entered again inside of the interval, and soon leaves it.
    let lines = printed(
        "local held = hero:add_marker('jump', 0.05, 'I', { duration = 0.3 })
        hero.machine = machine {
            state 'hit' { 'jump', mode = 'once', speed = 0.5 },
            transition_to 'hit' { from = 'hit', on = 'hit', fade = 2, start = 0.3 },
        }
        hero:on('I', function(e) print(e.marker_phase, e.interrupted) end)
        local n = 0
        function update()
            n += 1
            if n == 10 then hero.machine:send 'hit' end
            if n == 20 then print(held:remove()) end
        end",
        0.5,
    );
    assert_eq!(lines, ["begin\tfalse", "true", "end\ttrue"]);
}

#[test]
fn a_nan_field_is_refused_because_its_marker_could_not_be_removed() {
    for script in [
        "hero:add_marker('idle', 0.1, 'I', { duration = 1, power = 0/0 })",
        "clip 'made' { curves = { c = { { 0, 0 }, { 1, 1 } } }, markers = { { 0.5, 'M', power = 0/0 } } }",
    ] {
        let fault = Bench::empty().fault(&format!("{HERO}{script}"));
        let text = "field \"power\" must be a number, a string, true or false";
        assert!(fault.text.contains(text), "{fault}");
    }
}

#[test]
fn a_new_machine_ends_open_intervals_of_the_previous_one() {
    let result = lua_test(
        "hero:add_marker('idle', 0.1, 'I', { duration = 1 })
        local heard = {}
        hero:on('I', function(e) table.insert(heard, `{e.marker_phase} {e.state}`) end)
        hero.machine = machine { state 'one' { 'idle' } }
        t:run(0.3)
        hero.machine = machine { state 'two' { 'idle' } }
        t:run(0.3)
        local text = table.concat(heard, ', ')
        t:expect(text == 'begin one, end one, begin two', text)
        t:expect_no_lost_markers(hero)",
    );
    assert_eq!(result, Ok(()));
}

#[test]
fn a_layer_of_weight_zero_emits_nothing_but_the_event_log_records_it() {
    let result = lua_test(
        "hero:add_marker('run', 0.1, 'M') hero:add_marker('run', 0.2, 'I', { duration = 0.2 })
        hero.machine = machine {
            params = { w = 0 },
            layer 'body' { state 'a' { 'idle' } },
            layer 'over' { weight = 'w', mask = 'upper', state 'b' { 'run' } },
        }
        local n = 0
        hero:on('*', { all_clips = true }, function(e) if e.clip == 'run' then n += 1 end end)
        t:run(0.5)
        t:expect(n == 0, n)
        t:expect_event_log(hero, { name = 'M', reason = 'layer_weight_zero', outcome = 'suppressed', count = 1 })
        t:expect_event_log(hero, { name = 'I', reason = 'layer_weight_zero', count = 2 })
        t:expect_event_log(hero, { clip = 'run', outcome = 'fired', count = 0 })
        hero.machine.params.w = 1
        t:run(0.3)
        hero.machine.params.w = 0
        t:run(0.2)
        t:expect_event_log(hero, { name = 'I', outcome = 'fired', count = 2 })
        t:expect_no_lost_markers(hero)",
    );
    assert_eq!(result, Ok(()));
}

#[test]
fn a_marker_is_invalid_for_a_handle_of_the_previous_script_version() {
    let script = format!(
        "{HERO}local held = keep_on_reload('held', {{}})
        function on_reload(old) print(old.held.mark:remove(), held.mark ~= nil) end
        held.mark = hero:add_marker('idle', 0.5, 'M')"
    );
    let mut bench = Bench::new(&script);
    bench.run(0.1);
    bench.load(&script).unwrap();
    assert_eq!(bench.printed(), ["false\ttrue"]);
    let (_, hero) = bench.stage.characters.iter().next().unwrap();
    assert_eq!(
        (
            hero.playback.script_markers.len(),
            hero.playback.markers[0].len()
        ),
        (1, 1)
    );
}

#[test]
fn a_script_can_add_a_limited_number_of_markers_to_a_character() {
    let fault = Bench::empty().fault(&format!(
        "{HERO}for i = 1, 1e5 do hero:add_marker('idle', 0.5, 'x') end"
    ));
    assert!(fault.text.contains("1024 markers"), "{fault}");
    let lines = printed(
        "for i = 1, 3000 do hero:add_marker('idle', 0.5, 'x'):remove() end print 'fine'",
        0.1,
    );
    assert_eq!(lines, ["fine"]);
}
