//! Callbacks of machine states: entered and left exactly once, in order.

use galatea::script::LoadError;

use crate::common::{Bench, HERO, post, printed};

/// A machine of `idle` and `walk` whose states print their callbacks; `walk` is active while `speed` is above 0.5. `more` is
/// added to each state.
fn talker(more: &str) -> String {
    format!(
        "local function said(name)
            return {{ clip = name == 'walk' and 'walk' or 'idle',
                on_enter = function(me, from) print('enter', name, from, me == hero) end,
                on_exit = function(me, to) print('leave', name, to) end, {more} }}
        end
        hero.machine = machine {{
            params = {{ speed = 0 }},
            state 'idle' (said 'idle'),
            state 'walk' (said 'walk'),
            transition_to 'walk' {{ from = 'idle', when = 'speed > 0.5' }},
            transition_to 'idle' {{ from = 'walk', when = 'speed < 0.5' }},
        }}\n"
    )
}

#[test]
fn states_are_entered_and_left_in_order_from_the_first_tick_on() {
    let script = talker("")
        + "local n = 0
        function update()
            n += 1
            if n == 1 then print('update') end
            hero.machine.params.speed = (n == 3 or n == 4) and 1 or 0
        end
        hero:on('state_enter', function(e) print('heard', e.state) end)
        hero:on('state_exit', function(e) print('heard not', e.state) end)";
    assert_eq!(
        printed(&script, 0.2),
        [
            "update",
            "enter\tidle\tnil\ttrue",
            "leave\tidle\twalk",
            "heard not\tidle",
            "enter\twalk\tidle\ttrue",
            "heard\twalk",
            "leave\twalk\tidle",
            "heard not\twalk",
            "enter\tidle\twalk\ttrue",
            "heard\tidle",
        ]
    );
}

#[test]
fn update_is_called_in_every_tick_that_begins_in_the_state_with_its_parameters() {
    let script = "local seen = { idle = 0, walk = 0 }
        local function count(name)
            return function(me, dt, p)
                seen[name] += 1
                assert(me == hero and math.abs(dt - 1 / 60) < 1e-9 and p == hero.machine.params)
                p.speed += 0.25
            end
        end
        hero.machine = machine {
            params = { speed = 0 },
            state 'idle' { 'idle', on_update = count 'idle' },
            state 'walk' { 'walk', on_update = count 'walk' },
            transition_to 'walk' { from = 'idle', when = 'speed > 0.9' },
        }
        hero:on('state_enter', function() print(seen.idle, seen.walk, hero.machine.params.speed) end)
        local n = 0
        function update() n += 1 if n == 10 then print(seen.idle, seen.walk) end end";
    // In the fourth tick `idle` sets 1.0, and the transition happens in that same tick.
    assert_eq!(printed(script, 0.2), ["4\t0\t1", "4\t5"]);
}

#[test]
fn listeners_of_a_state_hear_only_while_it_is_there() {
    let script = "hero.machine = machine {
            params = { go = false },
            state 'walk' { 'walk', on = { step = function(me, e) print('walk', e.foot, me == hero) end } },
            state 'run' { 'run', on = { step = function(_, e) print('run', e.foot) end,
                                        state_exit = function() print('not mine') end } },
            transition_to 'run' { from = 'walk', when = 'go', fade = 0 },
        }
        hero:on('step', function(e) print('hero', e.foot) end)
        function update() hero.machine.params.go = now() > 0.8 end";
    assert_eq!(
        printed(script, 1.0),
        [
            "hero\tleft",
            "walk\tleft\ttrue",
            "hero\tright",
            "walk\tright\ttrue",
            "hero\tleft",
            "run\tleft",
        ]
    );
}

#[test]
fn a_task_of_a_state_starts_after_on_enter_and_ends_before_on_exit() {
    let script = talker(
        "task = function(a)
            print('act', name, a.character == me)
            a:on_end(function(why) print('over', name, why) end)
            while true do a:wait(0.02) end
        end",
    )
    .replace("a.character == me", "a.character == hero")
        + "local n = 0
        function update() n += 1 if n == 3 then hero.machine.params.speed = 1 end end";
    assert_eq!(
        printed(&script, 0.1),
        [
            "enter\tidle\tnil\ttrue",
            "act\tidle\ttrue",
            "over\tidle\tstopped",
            "leave\tidle\twalk",
            "enter\twalk\tidle\ttrue",
            "act\twalk\ttrue",
        ]
    );
}

#[test]
fn nested_machines_are_entered_outside_in_and_left_inside_out() {
    let script = "local function say(name, more)
            more.on_enter = function(_, from) print('enter', name, from) end
            more.on_exit = function(_, to) print('leave', name, to) end
            return more
        end
        hero.machine = machine {
            params = { n = 0 },
            state 'ground' (say('ground', {
                state 'idle' (say('idle', { 'idle' })),
                state 'walk' (say('walk', { 'walk' })),
                transition_to 'walk' { from = 'idle', when = 'n == 1' },
            })),
            state 'air' (say('air', { 'jump' })),
            transition_to 'air' { from = 'ground', when = 'n == 2' },
        }
        function update() hero.machine.params.n += now() > 0 and 1 or 0 end";
    assert_eq!(
        printed(script, 0.2),
        [
            "enter\tground\tnil",
            "enter\tidle\tnil",
            "leave\tidle\tground/walk",
            "enter\twalk\tground/idle",
            "leave\twalk\tair",
            "leave\tground\tair",
            "enter\tair\tground/walk",
        ]
    );
}

#[test]
fn a_new_machine_or_removal_leaves_all_entered_states() {
    let script = talker("on_update = function() print('update', name) end")
        + "local n = 0
        function update()
            n += 1
            if n == 2 then
                hero.machine = machine { state 'rest' { 'idle', on_enter = function() print('rest') end,
                    on_exit = function(me, to) print('no rest', to, me.position ~= nil) end } }
                print('given')
            end
            if n == 3 then hero:remove() print('removed') end
        end";
    assert_eq!(
        printed(&script, 0.2),
        [
            "enter\tidle\tnil\ttrue",
            "update\tidle",
            "leave\tidle\tnil",
            "given",
            "rest",
            "no rest\tnil\ttrue",
            "removed",
        ]
    );
}

#[test]
fn one_machine_serves_many_characters_each_with_its_own_states() {
    let script = "local count = 0
        local shared = machine {
            params = { n = 0 },
            state 'idle' { 'idle', on_update = function(me, _, p) p.n += 1 count += 1
                if p.n == 2 and me.name == 'b' then me:remove() end end,
                on_exit = function(me) print('leave', me.name) end },
        }
        for _, name in { 'a', 'b', 'c' } do
            character('post.glb', { name = name }).machine = shared
        end
        local n = 0
        function update() n += 1 if n == 4 then print(count) end end";
    assert_eq!(printed(script, 0.1), ["leave\tb", "8"]);
}

#[test]
fn a_reload_keeps_the_state_and_restarts_its_task() {
    let act = |word: &str| {
        talker(&format!(
            "task = function(a)
                print('{word}', name)
                a:on_end(function(why) print('over', name, why) end)
                a:wait(9)
            end,
            on_update = function() if now() > 0.15 and now() < 0.18 then print('{word} update') end end"
        ))
    };
    let mut bench = Bench::new(&format!("{HERO}{}", act("old")));
    bench.run(0.1);
    assert_eq!(bench.printed(), ["enter\tidle\tnil\ttrue", "old\tidle"]);
    bench
        .load(&format!("{HERO}{}", act("new")))
        .expect("it loads");
    bench.run(0.1);
    assert_eq!(
        bench.printed(),
        ["over\tidle\treloaded", "new\tidle", "new update"]
    );
    assert!(bench.host.take_faults().is_empty());
}

#[test]
fn a_state_removed_by_a_reload_runs_its_old_leave_callback() {
    let old = talker("");
    let mut bench = Bench::new(&format!("{HERO}{old}"));
    bench.run(0.1);
    bench.printed();
    let new = old.replace("'idle'", "'rest'");
    let new = new.replace("or 'rest'", "or 'idle'");
    bench.load(&format!("{HERO}{new}")).expect("it loads");
    bench.run(0.1);
    assert_eq!(
        bench.printed(),
        ["leave\tidle\tnil", "enter\trest\tnil\ttrue"]
    );
    // A state that the new version enters for the first time runs its callback.
    let bare = "hero.machine = machine { state 'rest' { 'idle' } }";
    bench.load(&format!("{HERO}{bare}")).expect("it loads");
    bench.run(0.1);
    assert_eq!(bench.printed(), ["leave\trest\tnil"]);
    let again =
        "hero.machine = machine { state 'rest' { 'idle', on_enter = function() print('in') end } }";
    bench.load(&format!("{HERO}{again}")).expect("it loads");
    bench.run(0.1);
    assert_eq!(bench.printed(), ["in"]);
}

#[test]
fn an_error_in_a_state_is_reported_and_the_rest_continues() {
    let script = "hero.machine = machine {
            state 'idle' { 'idle',
                on_enter = function() local x = nil + 1 end,
                on_update = function() while true do end end,
                task = function(a) a:wait(0.02) error('act') end,
            },
        }
        local other = character('post.glb', { name = 'other' })
        local n = 0
        other.machine = machine { state 'idle' { 'idle', on_update = function() n += 1 end } }
        function update() if now() > 0.08 then print(n) end end";
    let mut bench = Bench::new(&format!("{HERO}{script}"));
    bench.run(0.1);
    let faults = bench.host.take_faults();
    let mut lines: Vec<u32> = faults.iter().filter_map(|fault| fault.line).collect();
    lines.sort_unstable();
    assert_eq!(lines, [4, 5, 6], "{faults:?}");
    assert_eq!(bench.printed(), ["5"]);
}

#[test]
fn state_listeners_are_checked_when_the_machine_is_set() {
    let load = |script: &str| Bench::empty().load(&format!("{HERO}{script}"));
    let wrong = |script: &str| match load(script) {
        Err(LoadError::Fault { fault, .. }) => fault.to_string(),
        other => panic!("expected a fault, got {other:?}"),
    };
    let text = wrong(
        "hero.machine = machine {\nstate 'idle' { 'idle', on = { stepp = function() end } } }",
    );
    assert!(
        text.contains("scripts/main.lua:3") && text.contains("did you mean \"step\"?"),
        "{text}"
    );
    let text = wrong("hero.machine = machine { state 'idle' { 'idle', on = { step = 1 } } }");
    assert!(
        text.contains("state \"idle\": field \"on\": expected functions"),
        "{text}"
    );
    let text = wrong("hero.machine = machine { state 'idle' { 'idle', on_enter = 1 } }");
    assert!(
        text.contains("field \"on_enter\": expected a function"),
        "{text}"
    );
    let text = wrong("hero.machine = machine { state 'idle' { 'idle', on_entr = print } }");
    assert!(text.contains("did you mean \"on_enter\"?"), "{text}");
}

#[test]
fn a_condition_that_sets_something_is_a_fault() {
    for (sets, line) in [
        ("p.speed = 2", 3),
        ("found = true", 3),
        ("rawset(_G, 'x', 1)", 3),
    ] {
        let script = format!(
            "hero.machine = machine {{ params = {{ speed = 0 }}, state 'idle' {{ 'idle' }}, state 'walk' {{ 'walk' }},\n\
            transition_to 'walk' {{ from = 'idle', when = function(p) {sets} return true end }} }}\n\
            function update() print(hero.machine:state(), hero.machine.params.speed) end"
        );
        let mut bench = Bench::new(&format!("{HERO}{script}"));
        bench.run(0.05);
        let faults = bench.host.take_faults();
        assert_eq!(faults.len(), 1, "{sets}: {faults:?}");
        assert_eq!(faults[0].line, Some(line), "{sets}: {faults:?}");
        assert!(faults[0].text.contains("cannot set anything"), "{faults:?}");
        assert_eq!(bench.printed(), ["idle\t0"; 3], "{sets}");
    }
    // Other code may set the parameter.
    let script = "hero.machine = machine { params = { speed = 0 }, state 'idle' { 'idle' }, state 'walk' { 'walk' },
        transition_to 'walk' { from = 'idle', when = function(p) return p.speed > 1 end } }
        function update() hero.machine.params.speed += 1 count = (rawget(_G, 'count') or 0) + 1 end
        hero:on('state_enter', function(e) print(e.state, count, hero.machine:why('idle')[1]) end)";
    assert_eq!(printed(script, 0.1), ["walk\t2\tnil"]);
}

#[test]
fn states_of_a_model_that_is_saved_are_not_entered_again() {
    let mut bench = Bench::new(&format!("{HERO}{}", talker("")));
    bench.run(0.1);
    assert_eq!(bench.printed(), ["enter\tidle\tnil\ttrue"]);
    let definition = galatea::character::Definition::new(std::sync::Arc::new(post()));
    let hero = bench.stage.characters.iter().next().expect("a character").0;
    let lost = bench
        .stage
        .replace_definition(hero, std::sync::Arc::new(definition));
    bench.host.models_replaced(&[hero], &lost.expect("it fits"));
    bench.run(0.1);
    assert!(bench.printed().is_empty());
}
