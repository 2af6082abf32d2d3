//! Messages about wrong code say what to write instead.

use crate::common::Bench;

/// The fault of a script whose third line is `line`.
fn fault(line: &str) -> String {
    let fault = Bench::empty().fault(&format!("local hero = physics.box {{}}\n\n{line}"));
    assert_eq!(fault.line, Some(3), "{line}");
    fault.text
}

#[test]
fn setting_a_read_only_property_shows_what_changes_it() {
    assert_eq!(
        fault("hero.speed = 3"),
        "speed of a Character can be read, but not set; move it with hero:move(camera.forward() * 2), or set a \
         parameter of its machine: hero.machine.params.speed = 2"
    );
    assert_eq!(
        fault("hero.walk_sign = 1"),
        "walk_sign of a Character can be read, but not set"
    );
}

#[test]
fn setting_a_function_shows_how_it_is_called() {
    assert_eq!(
        fault("hero.play = 3"),
        "play of a Character is a function; call it, as in hero:play(\"wave\")"
    );
}

#[test]
fn a_wrong_argument_shows_an_example_of_the_call() {
    assert_eq!(
        fault("hero:move(3)"),
        "character:move: argument \"velocity\": expected a vector such as vec(0, 1, 0), got the number 3; example: \
         hero:move(vec(0, 0, 1.4))"
    );
    let text = fault("hero:move(vec(), 3)");
    assert!(
        text.contains("takes 1 argument, got 2; example: hero:move("),
        "{text}"
    );
    let text = fault("hero:play(\"walk\", { fade = \"a\" })");
    assert!(
        !text.contains("example"),
        "an option has no example of the whole call: {text}"
    );
}

#[test]
fn a_method_called_as_a_global_shows_the_method() {
    assert_eq!(
        fault("apply_impulse(vec(0, 1, 0))"),
        "there is no global \"apply_impulse\"; call it on a character or prop: \
         ball:apply_impulse(vec(0, 20, 0))"
    );
}

#[test]
fn an_unknown_name_finds_its_local_variable() {
    assert_eq!(
        fault("if true then local enemies = {} end print(enmies)"),
        "there is no global \"enmies\"; did you mean \"enemies\"?"
    );
}

#[test]
fn a_name_that_resembles_no_other_says_where_all_are_listed() {
    assert_eq!(
        fault("print(hero.qqqqqq)"),
        "a Character has no \"qqqqqq\"; `galatea stubs --reference api.md` writes a page with all names of a Character"
    );
}
