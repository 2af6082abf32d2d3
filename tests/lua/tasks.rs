//! Acts: waiting, order of events, and cleanup.

use crate::common::{Bench, HERO, printed};

/// Runs a task of the hero with this body, and returns the printed lines with their times.
fn acted(body: &str, seconds: f64) -> Vec<String> {
    printed(
        &format!(
            "local function say(...) print(string.format('%.3f', now()), ...) end
            hero:task(function(a)
                {body}
            end)"
        ),
        seconds,
    )
}

#[test]
fn sleeps_add_up_to_the_tick_they_should_end_in() {
    let lines = acted("for i = 1, 10 do a:wait(0.1) end say('ten')", 1.2);
    assert_eq!(lines, ["1.000\tten"]);
    // A wait shorter than a tick takes a tick, and lost time is not caught up.
    let lines = acted(
        "for i = 1, 6 do a:wait(0) end say('six') a:wait(0.5) say('half')",
        1.0,
    );
    assert_eq!(lines, ["0.100\tsix", "0.600\thalf"]);
}

#[test]
fn a_task_starts_within_the_same_tick() {
    let script = "local n = 0
        function update()
            n += 1
            if n == 3 then
                hero:task(function(a) print('task', n) a:wait(0) print('next', n) end)
                print('begun', n)
            end
        end";
    assert_eq!(printed(script, 0.1), ["begun\t3", "task\t3", "next\t3"]);
}

#[test]
fn an_event_is_waited_for_with_its_fields_and_its_time() {
    let lines = acted(
        "hero:play('walk', { mode = 'loop', fade = 0 })
        local e = a:wait('step')
        say(e.name, e.foot, string.format('%.3f', e.time))
        a:wait(0.2)
        say('later')
        say(a:wait('step', { timeout = 0.05 }))
        say(a:wait('step', { timeout = 5 }).foot)",
        3.0,
    );
    // The step marker is crossed at 0.1 s and delivered at the end of its tick; the following wait counts from 0.1 s.
    assert_eq!(
        lines,
        [
            "0.100\tstep\tleft\t0.100",
            "0.300\tlater",
            "0.350\tnil",
            "0.600\tright"
        ]
    );
}

#[test]
fn a_play_is_waited_for_and_stopped_with_its_task() {
    let lines = acted("say(a:play('jump', { fade = 0 }))", 1.0);
    assert_eq!(lines, ["0.500\tend"]);
    let lines = printed(
        "local task = hero:task(function(a)
            a:on_end(function(why) print('deferred', why) end)
            print('never', a:play('walk', { mode = 'loop', on_end = function(why) print('done', why) end }))
        end)
        hero:task(function(b) b:wait(0.3) task:stop() print(task:end_reason()) end)",
        1.0,
    );
    assert_eq!(lines, ["deferred\tstopped", "stopped", "done\tstopped"]);
}

#[test]
fn deferred_calls_run_in_reverse_order_at_any_end() {
    let defers = "a:on_end(function(why) print('first', why) end) a:on_end(function(why) print('last', why) end)";
    for (rest, why) in [
        ("a:wait(0.1)", "end"),
        ("a:wait(0.1) a:stop() a:wait(0.1) print('never')", "stopped"),
        (
            "a:wait(0.1) hero:remove() a:wait(1) print('never')",
            "stopped",
        ),
    ] {
        let lines = acted(&format!("{defers} {rest}"), 0.5);
        assert_eq!(
            lines,
            [format!("last\t{why}"), format!("first\t{why}")],
            "{rest}"
        );
    }
}

#[test]
fn a_task_can_replace_itself() {
    let lines = acted(
        "local job, n = nil, 0
        local function begin()
            if job then job:stop() end
            job = hero:task(function(b)
                n += 1
                local own = n
                print('begins', own)
                b:wait(0.1)
                if own < 3 then begin() end
                b:wait(0.1)
                print('ends', own)
            end)
        end
        begin()",
        1.0,
    );
    assert_eq!(lines, ["begins\t1", "begins\t2", "begins\t3", "ends\t3"]);
}

#[test]
fn all_waits_for_all_and_race_ends_the_losers() {
    let lines = acted(
        "local got = a:all { 0.2, function(b) b:wait(0.4) return 'slow' end, function() return 7 end }
        say(got[1], got[2], got[3])
        local which, what = a:race {
            function(b) b:on_end(function(why) say('lost', why) end) b:wait(9) end,
            function(b) b:wait(0.1) return 'won' end,
            5,
        }
        say(which, what)
        hero:play('walk', { fade = 0 })
        say(a:race { 'step', 2 })",
        1.5,
    );
    assert_eq!(lines[0], "0.400\tnil\tslow\t7");
    assert_eq!(lines[1], "0.500\tlost\tstopped");
    assert_eq!(lines[2], "0.500\t2\twon");
    assert!(lines[3].starts_with("0.600\t1\ttable"), "{}", lines[3]);
    assert_eq!(lines.len(), 4);
}

#[test]
fn tasks_end_with_the_task_that_started_them() {
    let lines = acted(
        "a:start(function(b)
            b:on_end(function(why) say('child', why) end)
            while true do b:wait(0.2) say('beside') end
        end)
        a:on_end(function(why) say('parent', why) end)
        a:wait(0.5)",
        1.0,
    );
    assert_eq!(
        lines,
        [
            "0.200\tbeside",
            "0.400\tbeside",
            "0.500\tchild\tstopped",
            "0.500\tparent\tend"
        ]
    );
}

#[test]
fn a_condition_is_evaluated_until_true_or_timed_out() {
    let lines = acted(
        "hero:task(function(b) b:wait(0.2) hero.position = vector.create(0, 0, 1) end)
        say(a:wait_until(function() return hero.position.z > 0.5 end))
        say(a:wait_until(function() return false end, { timeout = 0.1 }))",
        1.0,
    );
    assert_eq!(lines, ["0.217\ttrue", "0.317\tfalse"]);
}

/// Errors of a script, as `line: text`, and its output.
fn faults(script: &str, seconds: f64) -> (Vec<String>, Vec<String>) {
    let mut bench = Bench::empty();
    bench.load(&format!("{HERO}{script}")).expect("it loads");
    bench.run(seconds);
    let faults = bench.host.take_faults();
    let told = faults.iter().map(|fault| {
        let line = fault.line.unwrap_or(0);
        format!("{line}: {}", fault.text)
    });
    (told.collect(), bench.printed())
}

#[test]
fn an_error_ends_its_task_with_its_position_and_runs_on_end_functions() {
    let (told, lines) = faults(
        "local task = hero:task(function(a)
            a:on_end(function(why) print(why) error('and this') end)
            a:on_end(function(why) print(why) end)
            a:wait(0.1)
            local x = nil + 1
        end)
        hero:task(function(a) print(a:wait(task)) end)",
        0.5,
    );
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        told[0].starts_with("6: cannot add nil and a number"),
        "{told:?}"
    );
    assert_eq!(told[1], "3: and this");
    assert_eq!(lines, ["failed", "failed", "failed"]);
}

#[test]
fn a_branch_that_fails_fails_its_task() {
    let (told, lines) = faults(
        "hero:task(function(a)
            a:on_end(function(why) print(why) end)
            a:all { 5, function(b) b:wait(0.1) error('no') end }
        end)",
        0.5,
    );
    assert_eq!((told, lines), (vec!["4: no".into()], vec!["failed".into()]));
}

#[test]
fn a_runaway_task_is_stopped_and_the_others_continue() {
    for endless in [
        "while true do end",
        "pcall(function() while true do end end) while true do pcall(function() end) end",
    ] {
        let (told, lines) = faults(
            &format!(
                "hero:task(function(a) a:on_end(function() print('cleaned') end) {endless} end)
                hero:task(function(a) a:wait(0.1) print('other') end)"
            ),
            0.3,
        );
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].contains("exceeded its budget"), "{told:?}");
        assert_eq!(lines, ["cleaned", "other"]);
    }
}

#[test]
fn code_that_cannot_wait_reports_an_error() {
    for (body, wanted) in [
        (
            "coroutine.wrap(function() a:wait(1) end)()",
            "task:wait waits, so only the task's own function can call it",
        ),
        (
            "local b = a:start(function(b) b:wait(9) end) b:wait(1)",
            "task:wait waits, so only the task's own function can call it",
        ),
        (
            "a:wait(-1)",
            "task:wait: seconds must be 0 to 32000000, got -1",
        ),
        (
            "a:wait({})",
            "task:wait: argument \"thing\": expected a number, a string, a Play, a Sound, a Line, a Conversation or a Task, got a table",
        ),
        (
            "a:wait('stp')",
            "task:wait: the character \"post.glb#0\" has no event or marker \"stp\"; did you mean \"step\"? (add markers before you wait for them)",
        ),
        ("a:wait(a)", "task:wait: a task cannot wait for its own end"),
        ("a:all {}", "task:all: the list is empty"),
        (
            "a:race { 1, {} }",
            "task:race: entry 2: expected a function, seconds, the name of an event, a Play, a Sound, a Line, a Conversation or a Task, got a table",
        ),
        (
            "a:play('wlak')",
            "the model \"post\" has no clip \"wlak\"; did you mean \"walk\"?",
        ),
        (
            "a:wiat(1)",
            "a Task has no \"wiat\"; did you mean \"wait\"?",
        ),
    ] {
        let (told, _) = faults(&format!("hero:task(function(a)\n{body}\nend)"), 0.1);
        assert_eq!(told, [format!("3: {wanted}")]);
    }
    let (told, _) = faults("task(function(a)\na:play('walk') end)", 0.1);
    assert_eq!(
        told,
        ["3: task:play: this task has no character; start it with hero:task"]
    );
    let (told, _) = faults(
        "task(function(a)\na:on_end(function() a:wait(1) end) end)",
        0.1,
    );
    assert_eq!(told, ["3: this task has ended"]);
}

#[test]
fn tasks_that_start_tasks_endlessly_are_stopped() {
    let (told, _) = faults(
        "local function deeper(a) a:start(deeper) a:wait(1) end
        hero:task(deeper)",
        0.1,
    );
    assert_eq!(told, ["2: tasks are nested more than 64 deep"]);
    let (told, lines) = faults(
        "local n = 0
        local function again() n += 1 hero:task(again) end
        hero:task(again)
        hero:task(function(a) a:wait(0.01) print('alive') end)",
        0.04,
    );
    assert_eq!(
        told,
        ["3: task: tasks started each other 1000 times within one tick; add task:wait(seconds)"]
    );
    assert_eq!(lines, ["alive"]);
}

#[test]
fn a_saved_script_ends_the_tasks_of_the_old_one() {
    let mut bench = Bench::empty();
    let task = "hero:task(function(a)
        a:on_end(function(why) print(why) hero:morph('smile', 0) end)
        hero:morph('smile', 1)
        a:wait(9)
    end)";
    bench.load(&format!("{HERO}{task}")).expect("it loads");
    bench.run(0.1);
    assert!(bench.load("this is no Lua").is_err());
    bench.run(0.1);
    assert_eq!(bench.printed(), [""; 0]);
    bench
        .load(&format!("{HERO}print('new')"))
        .expect("it loads");
    bench.run(0.1);
    assert_eq!(bench.printed(), ["new", "reloaded"]);
}

#[test]
fn nested_tasks_and_cleanups_receive_the_reload_reason() {
    let mut bench = Bench::empty();
    let task = "hero:task(function(a)
        a:start(function(b) b:on_end(print) b:wait(9) end)
        a:wait(9)
    end)";
    bench.load(&format!("{HERO}{task}")).expect("it loads");
    bench.run(0.1);
    bench.load(HERO).expect("it loads");
    assert_eq!(bench.printed(), ["reloaded"]);
    let (told, lines) = faults(
        "hero:task(function(a)
            a:on_end(function(why) print('first', why) end)
            a:on_end(function(why) while true do end end)
        end)",
        0.1,
    );
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(lines, ["first\tend"]);
}

#[test]
fn ten_thousand_tasks_handle_one_event_again_and_again() {
    let lines = printed(
        "local n = 0
        hero:play('run', { mode = 'loop', fade = 0 })
        for i = 1, 10000 do
            hero:task(function(a) while true do a:wait('step') n += 1 end end)
        end
        task(function(a) a:wait(0.95) print(n) end)",
        1.0,
    );
    assert_eq!(lines, ["40000"]);
}

#[test]
fn ten_thousand_sleepers_wake_in_order() {
    let lines = printed(
        "local woken, last, sorted = 0, 0, true
        for i = 1, 10000 do
            hero:task(function(a)
                a:wait(0.5 + (i * 7919 % 10000) / 100000)
                local time = 0.5 + (i * 7919 % 10000) / 100000
                sorted, last, woken = sorted and time >= last, time, woken + 1
            end)
        end
        task(function(a) a:wait(0.7) print(woken, sorted) end)",
        0.8,
    );
    assert_eq!(lines, ["10000\ttrue"]);
}
