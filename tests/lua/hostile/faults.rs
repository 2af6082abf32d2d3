//! Content and position of error messages.

use galatea::script::Fault;

use crate::common::Bench;

#[test]
fn changing_error_texts_are_reported_once_per_position_and_shortened() {
    let mut bench = Bench::new("function update() error(string.rep('x', 1e5) .. now()) end");
    bench.run(2.0);
    let faults = bench.host.take_faults();
    assert_eq!(faults.len(), 1);
    assert!(faults[0].text.len() < 3000);
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

/// The error of a statement in a function, in the main part, in a tick and in a test: file, line and text.
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
fn a_thrown_table_is_described_with_its_position() {
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
        (
            "error(task(function() end))",
            "a value of type Task was thrown",
        ),
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
                line == Some(2) || text.contains("stopped: exceeded its budget"),
                "{text}"
            );
        }
    }
}

#[test]
fn thrown_values_are_caught_unchanged_and_texts_have_positions() {
    let lines = crate::common::printed(
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
fn a_condition_that_is_not_a_script_function_reports_its_position() {
    for (when, text) in [
        (
            "random_range",
            "random_range: argument \"low\": expected a number",
        ),
        ("math.sin", "invalid argument #1 to 'sin'"),
        ("error", "a table was thrown"),
        ("function(p) error({}) end", "a table was thrown"),
    ] {
        let mut bench = Bench::new(&format!(
            "local hero = character 'post.glb'
            hero.machine = machine {{ params = {{ x = 0 }}, state 'a' {{ 'idle' }}, state 'b' {{ 'walk' }},

                transition_to 'b' {{ from = 'a', when = {when} }} }}"
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
fn an_invalid_value_set_in_every_tick_is_reported_with_its_line() {
    let mut bench = Bench::new(
        "local hero = character 'post.glb'
        hero.machine = machine {
            params = { speed = 1, turn = 0, armed = true },
            state 'a' { 'idle' }, state 'b' { 'walk' },
            transition_to 'b' { from = 'a', when = 'speed ~= 1 or not armed' },
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
    // Between two ticks each reads its stored value.
    let nan = |rest: &str| format!("NaN\t{rest}");
    let wanted = ["x\t0", "true\tnil", "true\t0", "true\t0", "true\t0"].map(nan);
    let printed = bench.printed().join("\n");
    assert_eq!(printed, wanted.join("\n"));
    let faults = bench.host.take_faults();
    let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
    let wanted = [
        "scripts/main.lua:11: parameter \"speed\" of post.glb#0 must be a number, got the number NaN; it keeps \
         the value 1",
        "scripts/main.lua:2: parameter \"armed\" of post.glb#0 must be true or false, got the string \"x\"; it \
         keeps the value true",
        "scripts/main.lua:2: parameter \"turn\" of post.glb#0 must be a number, got nil; it keeps the value 0",
    ];
    assert_eq!(told, wanted);
    let (_, hero) = bench.stage.characters.iter().next().unwrap();
    let (machine, state) = hero.playback.machine.as_ref().unwrap();
    assert_eq!(machine.state_name(0, state.current(0).unwrap().state), "a");
}

#[test]
fn calls_that_fail_change_nothing() {
    let mut bench = Bench::new(
        "local hero = character 'post.glb' { position = vector.create(1, 0, 0) }
        for _, options in { { at = vector.one, clips = 'x.glb' }, { at = vector.one, name = 'x' } } do
            print(pcall(function() hero(options) end), hero.position)
        end
        hero:add_marker('idle', 0.1, 'M')
        local heard = hero:on('M', function() print 'heard' end)
        hero.machine = machine { state 'a' { 'idle' }, state 'b' { 'walk' },
            transition_to 'b' { from = 'a', when = function() heard:off() return false end } }",
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
