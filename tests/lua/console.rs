//! Logic of the console: code, locals, completion, help, watched values, and explanations of machines.

use galatea::script::HostOptions;

use crate::common::Bench;

const MAIN: &str = r#"local guard = require "guard"
local hero = character("post.glb", { name = "hero" })
local speed, turn = 1.5
hero.machine = machine {
    params = { pace = 0, armed = false },
    state "idle" { "idle" },
    state "move" { "walk" },
    transition_to "move" { from = "idle", when = "pace > 0.5" },
    transition_to "idle" { from = "move", on = "halt" },
}
SCORE = 3
local inventory = { gold = 12, names = { "sword", "rope" }, nested = { deep = { deeper = { deepest = { 1 } } } } }
local function faster(by) speed += by return speed end
function update(dt) if speed > 2 then turn = "fast" end end -- the end"#;

const GUARD: &str = "local M, secret = {}, 7\nfunction M.alarm() secret += 1 error('alarm') end\nlocal turn = 'guard'\nreturn M\n";

fn bench() -> Bench {
    let mut bench = Bench::with_options(HostOptions {
        locals: true,
        ..HostOptions::default()
    });
    bench.write("scripts/guard.lua", GUARD);
    if let Err(error) = bench.load(MAIN) {
        panic!("the script does not load: {error:?}");
    }
    bench
}

/// Output of a line, or `error: …` with its position.
fn run(bench: &mut Bench, line: &str) -> String {
    let answer = bench.host.answer(&mut bench.stage, line);
    let mut lines = answer.printed;
    match answer.result {
        Ok(values) => lines.extend(values),
        Err(fault) => lines.push(format!("error: {fault}")),
    }
    lines.join("\n")
}

fn complete(bench: &mut Bench, line: &str) -> Vec<String> {
    bench.host.complete(&mut bench.stage, line).names
}

#[test]
fn an_expression_gives_its_value_and_a_statement_runs() {
    let mut bench = bench();
    for (line, answer) in [
        ("1 + 1", "2"),
        ("'a' .. \"b\"", "\"ab\""),
        ("SCORE", "3"),
        ("SCORE = 4", ""),
        ("SCORE", "4"),
        ("for i = 1, 2 do print(i) end", "1\n2"),
        ("1, nil, true -- a comment", "1\nnil\ntrue"),
        ("vector.create(1, 2.5, 0)", "vector(1, 2.5, 0)"),
        ("{}", "{}"),
        (
            "{ 1, 2, a = 'x', ['a b'] = { 3 } }",
            "{ 1, 2, [\"a b\"] = { 3 }, a = \"x\" }",
        ),
        (
            "hero.machine",
            "Machine { params = { armed = false, pace = 0 } }",
        ),
        ("nil", "nil"),
        ("rawget(_G, 'nothing')", "nil"),
        ("hero:morph('smile', (0.5))", ""),
        ("print('a')", "a"),
        ("", ""),
    ] {
        assert_eq!(run(&mut bench, line), answer, "{line}");
    }
    assert!(bench.printed().is_empty(), "prints go to the answer alone");
}

#[test]
fn locals_of_every_script_are_read_by_name_as_they_are_now() {
    let mut bench = bench();
    assert_eq!(run(&mut bench, "speed"), "1.5");
    assert_eq!(run(&mut bench, "faster(2)"), "3.5");
    assert_eq!(run(&mut bench, "speed"), "3.5");
    // The main script's `turn` takes precedence over the sandbox's, even while it is nil.
    assert_eq!(run(&mut bench, "turn"), "nil");
    bench.run(0.05);
    assert_eq!(run(&mut bench, "turn"), "\"fast\"");
    assert_eq!(run(&mut bench, "secret"), "7");
    assert_eq!(
        run(&mut bench, "help locals"),
        "scripts/main.lua: guard, hero, speed, turn, inventory, faster\nscripts/guard.lua: M, secret, turn"
    );
    let shown = run(&mut bench, "inventory");
    assert_eq!(
        shown,
        "{\n  gold = 12,\n  names = { \"sword\", \"rope\" },\n  nested = { deep = { deeper = { deepest = {…} } } },\n}"
    );
}

#[test]
fn setting_a_local_is_refused_with_its_function() {
    let mut bench = bench();
    let said = run(&mut bench, "speed = 5");
    assert_eq!(
        said,
        "error: console:1: speed is a local of scripts/main.lua; the console can read it, but not set it"
    );
    assert_eq!(run(&mut bench, "speed"), "1.5");
}

#[test]
fn handing_over_locals_changes_no_line_and_nothing_that_a_script_sees() {
    let see = "local n, globals = select('#', ...), 0\nfor name in pairs(_G) do globals += 1 end\nSEEN = { n, globals }\n";
    let seen = |locals| {
        let mut bench = Bench::with_options(HostOptions {
            locals,
            ..HostOptions::default()
        });
        bench.load(see).expect("it loads");
        run(&mut bench, "SEEN")
    };
    assert_eq!(seen(true), seen(false));
    let mut bench = bench();
    let said = run(&mut bench, "guard.alarm()");
    assert!(
        said.starts_with("error: scripts/guard.lua:2: alarm"),
        "{said}"
    );
    // The last line ends in a comment; the line number stays correct.
    let fault = bench.fault("local a = 1\n\nlocal b = a.x.y -- here");
    assert_eq!(fault.line, Some(3));
    for text in [
        "local a = 1 return",
        "local a = 1 return a",
        "return (function() end)()",
    ] {
        bench.load(text).expect(text);
    }
}

#[test]
fn more_locals_than_a_function_takes_leave_the_script_as_it_is() {
    let mut bench = bench();
    let locals: String = (0..199).map(|i| format!("local v{i} = {i}\n")).collect();
    bench
        .load(&format!("{locals}SUM = v0 + v198"))
        .expect("it loads");
    assert_eq!(run(&mut bench, "SUM"), "198");
    let deep = format!("local x = {}1{}", "(".repeat(180), ")".repeat(180));
    bench.load(&deep).expect("it loads");
    assert_eq!(run(&mut bench, "x"), "1");
}

#[test]
fn errors_name_the_console_and_the_nearest_name_and_harm_nothing() {
    let mut bench = bench();
    for (line, wanted) in [
        (
            "sped",
            "error: console:1: there is no global \"sped\"; did you mean \"speed\"?",
        ),
        (
            "hero:paly('walk')",
            "a Character has no \"paly\"; did you mean \"play\"?",
        ),
        ("hero:play('wlak')", "did you mean \"walk\"?"),
        (
            "1 +",
            "error: console:1: Expected identifier when parsing expression, got <eof>",
        ),
        ("x = = 2", "error: console:1: "),
        ("error({})", "a table was thrown"),
        ("while true do end", "stopped: exceeded its budget"),
        ("coroutine.yield()", "attempt to yield"),
        ("io.open('x')", "scripts have no \"io\""),
        ("('x'):rep(1e9)", "error: "),
        ("hero.machine.params.pace.x.y", "attempt to index number"),
    ] {
        let said = run(&mut bench, line);
        assert!(said.contains(wanted), "{line}: {said}");
    }
    bench.run(0.1);
    assert_eq!(run(&mut bench, "1 + 1"), "2");
    assert!(bench.host.take_faults().is_empty());
    let endless = "local t = {} t.t = t return t";
    assert!(run(&mut bench, endless).contains("{…}"));
    // Output and displayed values are limited.
    let printed = run(&mut bench, "for i = 1, 100000 do print(i) end");
    assert!(printed.ends_with("\n1000\n… 99000 more lines"));
    let wide = "local function t(n) local out = {} for i = 1, 50 do \
                out[i] = if n > 0 then t(n - 1) else ('x'):rep(500) .. i end return out end return t(2)";
    let shown = run(&mut bench, wide);
    assert!((30_000..200_000).contains(&shown.len()), "{}", shown.len());
    let many = run(&mut bench, "return table.unpack(table.create(100, 1))");
    assert!(many.ends_with("1\n… 36 more"), "{many}");
    let long = format!("{:?}", "x".repeat(100_000));
    assert_eq!(
        run(&mut bench, &long),
        "error: a line can have at most 65536 bytes"
    );
}

#[test]
fn the_console_uses_the_latest_version() {
    let mut bench = bench();
    bench.load("local speed = 9\nSCORE = 1").expect("it loads");
    assert_eq!(run(&mut bench, "speed"), "9");
    assert!(run(&mut bench, "hero").contains("there is no global"));
    bench.fault("local speed = 10 error('no')");
    assert_eq!(run(&mut bench, "speed"), "9");
}

#[test]
fn completion_knows_names_fields_methods_and_values() {
    let mut bench = bench();
    for (line, names) in [
        ("spe", &["speed"][..]),
        ("1 + inv", &["inventory"]),
        ("SC", &["SCORE"]),
        ("wat", &["watch"]),
        ("print(wat", &[]),
        ("inventory.n", &["names", "nested"]),
        ("inventory.nested.deep.", &["deeper"]),
        ("guard.", &["alarm"]),
        ("sound.pl", &["play"]),
        ("hero.posi", &["position"]),
        ("hero:mor", &["morph"]),
        ("hero.position.", &["x", "y", "z"]),
        ("hero.machine.params.", &["armed", "pace"]),
        ("hero.machine:send('", &["halt"]),
        ("hero.machine:travel \"", &["idle", "move"]),
        ("hero:play(\"w", &["walk"]),
        (
            "hero:on('",
            &["state_end", "state_enter", "state_exit", "step"],
        ),
        ("sound.play('step_s", &["step_stone_1", "step_stone_2"]),
        ("help send", &["send", "send_near"]),
        ("('x'):le", &[]),
        ("nothing.there.", &[]),
        ("print('", &[]),
    ] {
        assert_eq!(complete(&mut bench, line), names, "{line}");
    }
    let completion = bench.host.complete(&mut bench.stage, "x = hero:play('wa");
    assert_eq!((completion.from, completion.common()), (15, "walk"));
    // The expression before a dot is not called.
    bench.host.answer(
        &mut bench.stage,
        "N = 0 function count() N += 1 return {} end",
    );
    assert!(complete(&mut bench, "count().").is_empty());
    assert_eq!(run(&mut bench, "N"), "0");
}

#[test]
fn help_shows_the_reference_entry_or_the_nearest_name() {
    let mut bench = bench();
    let all = run(&mut bench, "help");
    for word in ["watch EXPRESSION", "sound.", "Character:", "help locals"] {
        assert!(all.contains(word), "{word}: {all}");
    }
    let send = run(&mut bench, "help Machine:send");
    assert!(
        send.starts_with("machine:send(event, options?)\n"),
        "{send}"
    );
    assert!(
        send.contains("timeout: Time for which the event waits for a transition;")
            && send.contains("(seconds, 0 or more); 0"),
        "{send}"
    );
    assert!(
        send.contains("example: hero.machine:send(\"jump\""),
        "{send}"
    );
    assert!(run(&mut bench, "help send").contains(&send));
    assert_eq!(run(&mut bench, "help hero.machine:send"), send);
    // Three types have a `play`; her variable is a character, whatever its name.
    let play = run(&mut bench, "help hero:play");
    assert!(
        play.starts_with("character:play(") && !play.contains("sound.play("),
        "{play}"
    );
    assert!(run(&mut bench, "help play").contains("\n\nsound.play("));
    assert!(run(&mut bench, "help sound").contains("sound.play("));
    assert!(run(&mut bench, "help position").starts_with("character.position: vector"));
    let wrong = run(&mut bench, "help sned");
    assert_eq!(
        wrong,
        "error: unknown name \"sned\"; did you mean \"send\"?"
    );
    for line in all.lines().chain(send.lines()) {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn a_watched_value_is_read_again_each_time_and_its_error_stays_in_its_row() {
    let mut bench = bench();
    assert_eq!(run(&mut bench, "watch speed * 2"), "");
    run(&mut bench, "watch hero.machine:state()");
    run(&mut bench, "watch gone.x");
    run(&mut bench, "watch (function() while true do end end)()");
    let rows = bench.host.watched(&mut bench.stage);
    let told: Vec<_> = rows.iter().map(|row| row.value.clone()).collect();
    assert_eq!(told[0], Ok("3".into()));
    assert_eq!(told[1], Ok("\"idle\"".into()));
    let wrong = told[2].clone().unwrap_err();
    assert!(wrong.contains("there is no global \"gone\""), "{wrong}");
    let stopped = told[3].clone().unwrap_err();
    assert!(stopped.contains("exceeded its budget"), "{stopped}");
    run(&mut bench, "faster(1)");
    run(&mut bench, "gone = { x = 1 }");
    let rows = bench.host.watched(&mut bench.stage);
    assert_eq!(rows[0].value, Ok("5".into()));
    assert_eq!(rows[2].value, Ok("1".into()));
    assert_eq!(rows[3].value, Err(stopped));
    assert!(bench.host.take_faults().is_empty());
    assert_eq!(
        run(&mut bench, "unwatch sped * 2"),
        "error: sped * 2 is not watched; did you mean \"speed * 2\"?"
    );
    run(&mut bench, "unwatch speed * 2");
    assert_eq!(bench.host.watched(&mut bench.stage).len(), 3);
    run(&mut bench, "unwatch");
    assert!(bench.host.watched(&mut bench.stage).is_empty());
    assert!(run(&mut bench, "watch 1 +").starts_with("error: console:1:"));
}

#[test]
fn why_lists_possible_and_recent_transitions() {
    let mut bench = bench();
    bench.run(0.5);
    let told = run(&mut bench, "why hero");
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], "idle for 0.50 s");
    assert!(
        lines[1].starts_with("  blocked  to move  pace > 0.5"),
        "{told}"
    );
    assert!(lines[1].ends_with("scripts/main.lua:8"), "{told}");
    run(&mut bench, "hero.machine.params.pace = 1");
    assert!(run(&mut bench, "why hero.machine").contains("  allowed  to move"));
    bench.run(0.25);
    let told = run(&mut bench, "why hero");
    assert!(told.starts_with("move for"), "{told}");
    assert!(told.contains("recent transitions:\n  0.2"), "{told}");
    assert!(told.contains("s ago  idle to move  pace > 0.5"), "{told}");
    for (line, wanted) in [
        (
            "why",
            "why: expected a character or its machine, as in: why hero",
        ),
        (
            "why speed",
            "why speed: expected a character or its machine, got the number 1.5",
        ),
        ("why hreo", "did you mean \"hero\"?"),
    ] {
        let said = run(&mut bench, line);
        assert!(said.contains(wanted), "{line}: {said}");
    }
}
