use super::{ScriptValue, ValueKind, facts_of, literals_of};

/// Labels and texts of the values of a script.
fn values(text: &str) -> Vec<String> {
    let shown = |value: &ScriptValue| {
        let parts: Vec<&str> = match &value.kind {
            ValueKind::Computed(range) => vec!["computed", &text[range.clone()]],
            kind => kind
                .literals()
                .iter()
                .map(|one| &text[one.range.clone()])
                .collect(),
        };
        format!("{}: {}", value.label, parts.join(" "))
    };
    literals_of(text).values.iter().map(shown).collect()
}

#[test]
fn values_are_labelled_with_the_names_that_lead_to_them() {
    for (text, wanted) in [
        ("local speed = -1.5", &["speed: -1.5"][..]),
        (
            "hero.machine.params.speed += 2",
            &["hero.machine.params.speed: 2"],
        ),
        (
            "hero:look_at(target, { weight = 0.8, blink = true })",
            &["hero:look_at.weight: 0.8", "hero:look_at.blink: true"],
        ),
        (
            "light.sun { color = vec(1, 0.9, -0.5) }",
            &["light.sun.color: 1 0.9 -0.5"],
        ),
        (
            "x = machine { state \"run\" { \"run\", fade = 0.2 } }",
            &[
                "state: \"run\"",
                "state \"run\"[1]: \"run\"",
                "state \"run\".fade: 0.2",
            ],
        ),
        ("f(1, -2)", &["f: 1", "f, argument 2: -2"]),
        ("f { a = b * 2 }", &["f.a: computed b * 2", "f.a: 2"]),
        ("f { a = strength }", &["f.a: computed strength"]),
        ("f { a = `{b}` }", &["f.a: computed `{b}`"]),
        ("a = b - 5", &["a: 5"]),
        ("t.s ..= 'x'", &["t.s: 'x'"]),
        (
            "if speed > 0.2 then stop(3) end",
            &["if speed > 0.2 then stop(3) end: 0.2", "stop: 3"],
        ),
        (
            "on(\"hit\", function(e)\n\tlocal power = 4\nend)",
            &["on: \"hit\"", "power: 4"],
        ),
        ("points[1].x = t[2][\"key\"]", &[]),
        (
            "local t = { [\"a\"] = 1, b = { 2, 3 } }",
            &["t[\"a\"]: 1", "t.b[1]: 2", "t.b[2]: 3"],
        ),
        (
            "type Kind = \"a\" | \"b\"\nlocal k: \"a\" | \"b\" = \"a\"",
            &["k: \"a\""],
        ),
        ("while true do end", &[]),
        ("s = `{1}`", &[]),
    ] {
        assert_eq!(values(text), wanted, "{text}");
    }
}

#[test]
fn values_know_their_lines_and_statements() {
    let found = literals_of("local a = 1\n\nf {\n\tb = 2,\n}\nlocal c\nd = 3");
    let lines: Vec<u32> = found.values.iter().map(|value| value.line).collect();
    assert_eq!(lines, [1, 4, 7]);
    let titles = found
        .values
        .iter()
        .map(|value| &*found.statements[value.statement].title);
    assert_eq!(titles.collect::<Vec<_>>(), ["local a = 1", "f {", "d = 3"]);
}

#[test]
fn the_api_tells_limits_and_words_of_options() {
    let facts = |text: &str| facts_of(&literals_of(text).values[0]);
    let weight = facts("hero:look_at(x, { weight = 0.5 })").unwrap();
    assert_eq!(weight.limits, [0.0, 1.0]);
    assert!(weight.meaning.contains("0 to 1"), "{}", weight.meaning);
    let anchor = facts("ui.text(x, { anchor = \"top\" })").unwrap();
    assert!(anchor.words.contains(&"bottom"), "{:?}", anchor.words);
    assert_eq!(facts("my_function { weight = 0.5 }"), None);
}
