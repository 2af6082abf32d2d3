//! The object `t` of Lua tests: its functions and error messages.

use galatea::script::{Fault, Outside, ReplayedInput};
use galatea::stage::InputEvent;

use crate::common::{Bench, HERO, lua_test};

/// A door of two states with an event between them, with a nested state.
const DOOR: &str = "hero.machine = machine {
    params = { push = 0 },
    state 'shut' { 'idle' },
    state 'open' { state 'wide' { 'walk' } },
    transition_to 'open' { from = 'shut', on = 'knock' },
    transition_to 'shut' { from = 'open', when = 'push > 1' },
}\n";

/// The error of a test, after [`HERO`] and [`DOOR`].
fn failure(body: &str) -> Fault {
    let mut bench = Bench::empty();
    bench.write(
        "tests/it.lua",
        &format!("{HERO}{DOOR}test('it', function(t)\n{body}\nend)"),
    );
    let names = bench.host.load_tests(&mut bench.stage, "tests/it.lua");
    assert_eq!(names.unwrap(), ["it"]);
    let result = bench.host.run_test(&mut bench.stage, 0, &mut Recording);
    result.unwrap_err()
}

/// One recording: `w` is held from 0.5 s to 0.75 s.
struct Recording;

impl Outside for Recording {
    fn inputs(&mut self, file: &str) -> Result<Vec<(f64, ReplayedInput)>, String> {
        match file {
            "w.jsonl" => Ok(vec![
                (0.5, ReplayedInput::Device(InputEvent::Down("w".into()))),
                (0.6, ReplayedInput::Line("said = 'ran'".into())),
                (0.75, ReplayedInput::Device(InputEvent::Up("w".into()))),
            ]),
            other => Err(format!("{other}: there is no such file")),
        }
    }
}

/// Line number of the first line of a body.
fn first_line() -> u32 {
    format!("{HERO}{DOOR}").lines().count() as u32 + 2
}

#[test]
fn ticks_pass_one_by_one_and_events_and_states_are_sent_and_expected() {
    let body = format!(
        "{DOOR}
        local start = now()
        t:run_ticks() t:run_ticks(3) t:run(1 / 60)
        t:expect_near(now() - start, 5 / 60)
        t:expect_state(hero, 'shut')
        t:send(hero, 'knock')
        t:run_ticks()
        t:expect_state(hero, 'open') t:expect_state(hero, 'open/wide')
        hero.machine.params.push = 2
        local n = 0
        t:wait_for(function() n += 1 return hero.machine:state() == 'shut' end, 1)
        t:expect(n > 1 and n < 5, 'it was not asked tick by tick')
        t:wait_for(function() return true end, 0)"
    );
    assert_eq!(lua_test(&body), Ok(()));
}

#[test]
fn a_missing_state_is_reported_with_the_blocking_condition() {
    let fault = failure("t:send(hero, 'knock') t:run_ticks(2) t:expect_state(hero, 'shut')");
    assert!(
        fault
            .text
            .starts_with("expected the state \"shut\", but it has been in \"open/wide\" for 0."),
        "{}",
        fault.text
    );
    assert!(
        fault.text.contains("push > 1 (push = 0): false"),
        "{}",
        fault.text
    );
    assert_eq!(fault.line, Some(first_line()));
    let fault = failure("local start = now()\nt:wait_for(function() return false end, 0.5)");
    assert_eq!(
        fault.text,
        "t:wait_for: the condition did not become true within 0.5 s"
    );
    assert_eq!(fault.line, Some(first_line() + 1));
}

#[test]
fn wrong_arguments_of_every_method_name_the_method_and_the_argument_at_their_line() {
    for (call, why) in [
        (
            "t:run_ticks(1.5)",
            "t:run_ticks: argument \"n\": expected a whole",
        ),
        (
            "t:run_ticks(-1)",
            "t:run_ticks: argument \"n\": expected 0 or more",
        ),
        ("t:run(-1)", "t:run: argument \"seconds\": expected 0"),
        ("t:run(1, 2)", "t:run takes 1 argument, got 2"),
        ("t.run(1)", "t:run is a method"),
        ("t:runn(1)", "t has no \"runn\"; did you mean \"run\"?"),
        (
            "t:wait_for(1, 1)",
            "t:wait_for: argument \"condition\": expected a function, got the number 1",
        ),
        (
            "t:wait_for(print)",
            "t:wait_for: argument \"within\": expected a number",
        ),
        (
            "t:send('me', 'knock')",
            "t:send: argument \"hero\": expected a Character",
        ),
        ("t:send(hero, 'knokc')", "did you mean \"knock\"?"),
        ("t:send(hero, 'knock', { timout = 1 })", "\"timeout\""),
        (
            "t:expect_state(hero, 'opne')",
            "t:expect_state: no state \"opne\"; did you mean \"open\"?",
        ),
        ("t:expect_state(hero, 'open', 'legs')", "no layer \"legs\""),
        (
            "t:replay('v.jsonl')",
            "t:replay: v.jsonl: there is no such file",
        ),
        (
            "t:random_input(0.5, { seconds = 1 })",
            "t:random_input: argument \"seed\": expected a whole",
        ),
        ("t:random_input(1, {})", "field \"seconds\" is missing"),
        (
            "t:random_input(1, { seconds = -1 })",
            "\"seconds\": must be 0 or more",
        ),
        (
            "t:random_input(1, { seconds = 1, keys = {} })",
            "there are no keys",
        ),
        (
            "t:random_input(1, { seconds = 100, keys = { 'spcae' } })",
            "\"space\"",
        ),
        ("t:expect_event_count(hero, 'M')", "argument \"count\""),
        ("t:expect_metric(hero, 'popp', 1)", "\"pop\""),
        ("t:press('spcae')", "\"space\""),
        (
            "t:send(t:character('post.glb'), 'knock')",
            "t:send: the character has no machine",
        ),
    ] {
        let fault = failure(call);
        assert!(fault.text.contains(why), "{call}: {}", fault.text);
        assert_eq!(
            (fault.file.as_deref(), fault.line),
            (Some("tests/it.lua"), Some(first_line())),
            "{call}: {fault:?}"
        );
    }
}

#[test]
fn a_test_outside_of_its_coroutine_has_no_file_access() {
    for yields in ["'picture', '../../x'", "'step', 'x'", "'erase'"] {
        let text = failure(&format!("coroutine.yield({yields})")).text;
        assert!(
            text.starts_with("a test must wait with t:run"),
            "{yields}: {text}"
        );
    }
    for size in ["480, 1e9", "0, 0/0"] {
        let text = failure(&format!(
            "error(coroutine.yield('picture', 'x', {{ size = {{ {size} }} }}), 0)"
        ))
        .text;
        let wrong = "field \"size\": expected { width, height } in pixels";
        assert!(text.contains(wrong), "{size}: {text}");
    }
    for ticks in ["-1e17", "0/0", "1e17"] {
        let text = failure(&format!(
            "coroutine.yield('step', {ticks}) coroutine.yield('step', 1e16)"
        ))
        .text;
        assert!(
            text.starts_with("t:run: a test can run at most"),
            "{ticks}: {text}"
        );
    }
}

#[test]
fn a_recording_is_played_tick_by_tick_from_where_the_test_is() {
    let fault = failure(
        "local log = {}
        function update()
            if input.pressed('w') or input.released('w') then table.insert(log, math.round(now() * 60)) end
        end
        t:run(1)
        t:replay('w.jsonl')
        t:expect(input.down('w') == false, 'the last input is taken in too')
        t:run_ticks()
        error(table.concat(log, ' '))",
    );
    assert_eq!(fault.text, "90 105");
}

#[test]
fn parts_of_a_recording_follow_each_other_and_run_its_console_lines() {
    let whole = "function update()
            if input.down('w') then held += 1 end
        end
        held, said = 0, ''\n";
    let fault = failure(&format!(
        "{whole}
        t:replay('w.jsonl', {{ to = 0.5 }})
        local first = held
        t:replay('w.jsonl', {{ from = 0.5, to = 0.6 }})
        local second, before = held, said
        t:replay('w.jsonl', {{ from = 0.6, to = 2 }})
        t:expect_near(now(), 2)
        error(`{{first}} {{second}} {{held}} '{{before}}' {{said}}`)"
    ));
    assert_eq!(fault.text, "0 6 15 '' ran");
    let fault = failure("t:replay('w.jsonl', { from = 2, to = 1 })");
    assert!(fault.text.contains("before \"from\""), "{fault}");
}

/// Effects of the keys in ten seconds of random input, reported as a failure.
fn keys(seed: i64, options: &str) -> String {
    failure(&format!(
        "local log, held = {{}}, 0
        function update()
            for _, key in {{ 'w', 'space', 'q', 'pad_south' }} do
                if input.pressed(key) then table.insert(log, key .. '@' .. math.round(now() * 60)) end
                if input.down(key) then held += 1 end
            end
        end
        t:random_input({seed}, {{ seconds = 10{options} }})
        t:expect_near(now(), 10)
        t:run_ticks()
        for _, key in {{ 'w', 'space', 'q', 'pad_south' }} do t:expect(not input.down(key)) end
        t:expect(held > 60 and held < 1200, 'held for ' .. held)
        error(table.concat(log, ' '))"
    ))
    .text
}

#[test]
fn random_keys_are_the_same_for_a_seed_and_others_for_another() {
    let all = keys(7, "");
    assert_eq!(all, keys(7, ""));
    assert_ne!(all, keys(8, ""));
    for key in ["w@", "space@", "q@", "pad_south@"] {
        assert!(all.contains(key), "{key}: {all}");
    }
    assert!(
        all.ends_with("\nafter t:random_input with seed 7, from 0.000 s to 10.000 s"),
        "{all}"
    );
    let some = keys(-3, ", keys = { 'w', 'q' }");
    assert!(!some.contains("space@") && some.contains("w@") && some.contains("q@"));
}

#[test]
fn a_failure_under_random_keys_reports_seed_and_time() {
    let checked = failure(
        "t:random_input(42, { seconds = 5, check = function() t:expect(now() < 2, 'too late') end })",
    );
    assert_eq!(
        checked.text,
        "too late\nduring t:random_input with seed 42, started at 0.000 s, now 2.000 s"
    );
    assert_eq!(checked.line, Some(first_line()));
    let ticked = failure(
        "function update() if now() >= 1 then error('it broke') end end
        t:run(0.5)
        t:random_input(9, { seconds = 5 })",
    );
    let seed = "\nduring t:random_input with seed 9, started at 0.500 s, now 1.0";
    assert!(ticked.text.starts_with("it broke"), "{}", ticked.text);
    assert!(ticked.text.contains(seed), "{}", ticked.text);
}
