//! Old names of the API and names of other engines: the message says what to write instead.

use galatea::lint::lint;
use galatea::script::GROUPS;
use galatea::script::toolkit::{FOREIGN, NameOwner, RENAMED, compiles};

use crate::common::Bench;

/// The fault of a script whose third line is `line`.
fn fault(line: &str) -> String {
    let fault = Bench::empty().fault(&format!("local hero = physics.box {{}}\n\n{line}"));
    assert_eq!(fault.line, Some(3), "{line}");
    fault.text
}

#[test]
fn a_renamed_function_is_an_error_that_shows_its_new_name() {
    let expected = "there is no \"paths\"; write navmesh { size = … }";
    assert_eq!(fault("paths { radius = 0.3 }"), expected);
    let expected = "physics has no \"ray\"; write physics.raycast(from, to)";
    assert_eq!(
        fault("print(physics.ray(vector.zero, vector.one))"),
        expected
    );
    for known in RENAMED {
        let called = match known.owner {
            NameOwner::Globals => format!("{}()", known.old),
            NameOwner::Module(module) => format!("{module}.{}()", known.old),
            _ => continue,
        };
        let text = fault(&called);
        assert!(text.ends_with(known.usage), "{called}: {text}");
    }
}

#[test]
fn a_name_of_another_engine_is_an_error_that_shows_what_is_used_here() {
    assert_eq!(
        fault("workspace:Raycast()"),
        "workspace is from Roblox; write local crate = physics.box { mass = 5 }"
    );
    assert_eq!(
        fault("hero:MoveTo(vector.one)"),
        "MoveTo is from Roblox; write hero:task(function(t) t:walk_to(target) end)"
    );
    assert_eq!(
        fault("wait(1)"),
        "wait is from Roblox; write task(function(t) t:wait(1) end), and t:wait(1) inside of a task"
    );
    for known in FOREIGN {
        for name in known.names {
            let read = match known.owner {
                NameOwner::Globals => format!("print({name})"),
                NameOwner::Options(_) => format!("hero:say(\"Stop!\", {{ {name} = 1 }})"),
                _ => format!("print(hero.{name})"),
            };
            let text = fault(&read);
            assert!(text.ends_with(known.usage), "{read}: {text}");
        }
    }
}

#[test]
fn a_global_of_the_script_may_have_an_old_name() {
    let bench = Bench::new("paths = { 'a.glb' } local chance = 0.5 print(#paths, chance)");
    assert_eq!(bench.printed(), ["1\t0.5"]);
}

fn remarks(line: &str) -> Vec<String> {
    let text = format!(
        "hero = character 'a.glb' crate, ball = physics.box {{}}, physics.sphere {{}}
        sword, target, position, direction = crate, vector.one, vector.one, vector.one
        local from, to = vector.zero, vector.one
        {line}"
    );
    let found = lint(&[("main.lua".to_owned(), text)], GROUPS);
    let errors = found.into_iter().filter(|remark| remark.is_error);
    errors.map(|remark| remark.text).collect()
}

#[test]
fn check_reports_old_names_without_running_the_script() {
    let expected = "there is no \"paths\"; write navmesh { size = … }";
    assert_eq!(remarks("paths { radius = 0.3 }"), [expected]);
    let expected = "physics has no \"ray\"; write physics.raycast(from, to)";
    assert_eq!(remarks("print(physics.ray(from, to))"), [expected]);
    let expected = "light has no \"look\"; write light.post_process { tonemap = \"aces\" }";
    assert_eq!(remarks("light.look { tone = 'aces' }"), [expected]);
}

#[test]
fn lines_that_messages_show_pass_the_checks() {
    let usages = RENAMED.iter().map(|known| known.usage);
    let usages = usages.chain(FOREIGN.iter().map(|known| known.usage));
    // Lists for the reader are no code.
    let is_code = |usage: &&str| {
        !usage.contains(" for code, ")
            && !usage.contains(" and other modules")
            && !usage.contains(" inside of ")
    };
    let wrong = usages.filter(is_code).filter(|usage| {
        let line = usage.replace('…', "nil");
        let is_ok = |line: &str| compiles(line) && remarks(line).is_empty();
        !is_ok(&line) && !is_ok(&format!("print({line})"))
    });
    let none: [&str; 0] = [];
    assert_eq!(wrong.collect::<Vec<_>>(), none);
}
