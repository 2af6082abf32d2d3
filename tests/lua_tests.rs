//! The object `t` of tests written in Lua: what it does, and how it says what it cannot do.

mod common;

use common::{Bench, HERO, lua_test};
use galatea::script::Fault;

/// A door of two states behind an event, with a state within a state, over the test's own lines.
const DOOR: &str = "hero.machine = machine {
    params = { push = 0 },
    state 'shut' { 'idle' },
    state 'open' { state 'wide' { 'walk' } },
    to 'open' { from = 'shut', on = 'knock' },
    to 'shut' { from = 'open', when = 'push > 1' },
}\n";

/// The fault of a test; [`HERO`] and [`DOOR`] stand before its body.
fn failure(body: &str) -> Fault {
    let mut bench = Bench::empty();
    bench.write(
        "tests/it.lua",
        &format!("{HERO}{DOOR}test('it', function(t)\n{body}\nend)"),
    );
    let names = bench.host.load_tests(&mut bench.stage, "tests/it.lua");
    assert_eq!(names.unwrap(), ["it"]);
    bench.host.run_test(&mut bench.stage, 0).unwrap_err()
}

/// The line of the first line of a body.
fn first_line() -> u32 {
    format!("{HERO}{DOOR}").lines().count() as u32 + 2
}

#[test]
fn ticks_pass_one_by_one_and_events_and_states_are_sent_and_expected() {
    let body = format!(
        "{DOOR}
        local start = now()
        t:step() t:step(3) t:run(1 / 60)
        t:expect_near(now() - start, 5 / 60)
        t:expect_state(hero, 'shut')
        t:send(hero, 'knock')
        t:step()
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
fn a_state_that_is_not_there_is_told_with_what_holds_the_way_shut() {
    let fault = failure("t:send(hero, 'knock') t:step(2) t:expect_state(hero, 'shut')");
    assert!(
        fault
            .text
            .starts_with("expected the state \"shut\", it is in \"open/wide\" for 0."),
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
        "t:wait_for: what was waited for did not come within 0.5 s"
    );
    assert_eq!(fault.line, Some(first_line() + 1));
}

#[test]
fn wrong_arguments_of_every_method_name_the_method_and_the_argument_at_their_line() {
    for (call, why) in [
        ("t:step(1.5)", "t:step: argument \"n\": expected a whole"),
        ("t:step(-1)", "t:step: argument \"n\": expected 0 or more"),
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
        ("t:send(hero, 'knock', { withn = 1 })", "\"within\""),
        (
            "t:expect_state(hero, 'opne')",
            "t:expect_state: no state \"opne\"; did you mean \"open\"?",
        ),
        ("t:expect_state(hero, 'open', 'legs')", "no layer \"legs\""),
        ("t:expect_events(hero, 'M')", "argument \"count\""),
        ("t:expect_meter(hero, 'popp', 1)", "\"pop\""),
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
