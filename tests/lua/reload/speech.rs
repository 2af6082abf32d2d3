//! Speech over a hot reload: active lines continue and are not said twice.

use super::saved;

const LINE: &str = "hero:on('word', function(e) print(e.word) end)
    hero:say 'One, two, three, four, five.'";

#[test]
fn active_lines_continue_and_are_not_repeated() {
    let mut bench = saved(LINE, 0.9, &format!("{LINE} -- 2"));
    assert_eq!(bench.stage.speech.lines.len(), 1);
    let t = bench.stage.speech.lines[0].t;
    assert!((0.8..1.0).contains(&t), "{t}");
    bench.run(5.0);
    let rest = bench.printed();
    assert!(!rest.contains(&"One".to_owned()), "{rest:?}");
    assert_eq!(rest.last().map(String::as_str), Some("five"));
    assert!(bench.stage.speech.lines.is_empty());
}

#[test]
fn a_line_in_other_words_comes_after_it() {
    let mut bench = saved(LINE, 0.9, "hero:say 'Six.'");
    assert_eq!(bench.stage.speech.lines.len(), 2);
    bench.run(0.1);
    let begun = bench
        .stage
        .speech
        .lines
        .iter()
        .filter(|line| line.begun.is_some());
    assert_eq!(begun.count(), 1);
}

#[test]
fn a_conversation_with_the_same_key_continues_and_another_restarts() {
    let talk = |name: &str| {
        format!(
            "local talk = conversation {{ name = '{name}', cast = {{ a = hero, b = character 'post.glb' }},
                {{ 'a', 'One, two, three.' }}, {{ 'b', 'Four.' }} }}
            talk:on('turn', function(e) print(e.text) end)"
        )
    };
    let mut bench = saved(&talk("counting"), 0.9, &talk("counting"));
    bench.run(4.0);
    assert_eq!(bench.printed(), ["Four."]);
    let mut bench = saved(&talk("counting"), 0.9, &talk("numbers"));
    bench.run(5.0);
    assert_eq!(bench.printed(), ["One, two, three.", "Four."]);
}
