//! Errors in the settings of a project.

use super::*;

#[test]
fn errors_in_the_settings_have_a_position_limits_and_units() {
    for (text, expected) in [
        (
            "[script]\nbudget = 5\n",
            "a:2:1: script.budget must be from 1000 to 1000000000 steps, got 5",
        ),
        (
            "window.width = 1\n",
            "a:1:1: window.width must be from 16 to 16384 points, got 1",
        ),
        (
            "[script]\nbudget = \"many\"\n",
            "a:2:10: script.budget must be from 1000 to 1000000000 steps, got the text \"many\"",
        ),
        (
            "[window]\nwidth = -5\n",
            "a:2:9: window.width must be from 16 to 16384 points, got -5",
        ),
        (
            "[window]\nfullscreen = 1\n",
            "a:2:14: fullscreen: expected true or false, got 1",
        ),
        ("window = 5\n", "a:1:10: window: expected a table, got 5"),
        (
            "[window]\nwidht = 5\n",
            "a:2:1: unknown field \"widht\"; did you mean \"width\"?",
        ),
    ] {
        let told = parse_settings(text).unwrap_err().in_file("a");
        assert_eq!(told, expected, "{text}");
    }
    assert!(parse_settings("").is_ok_and(|read| read == Settings::default()));
}
