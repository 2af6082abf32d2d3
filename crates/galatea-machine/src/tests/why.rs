//! Explanations of taken and blocked transitions.

use super::*;

fn guarded() -> Player {
    let rig = rig(vec![clip("a", 1.0), clip("b", 1.0)]);
    let at = |line| SourceLocation {
        file: "hero.lua".into(),
        line,
    };
    let transitions = vec![
        TransitionDef {
            when: when("speed > 0.1 and armed"),
            location: at(7),
            ..to("b", &["a"])
        },
        TransitionDef {
            on: Some("hit".into()),
            location: at(8),
            ..to("b", &["a"])
        },
        TransitionDef {
            when: Some(WhenDef::Predicate(Predicate(0))),
            min_time: 2.0,
            location: at(9),
            ..to("b", &["a"])
        },
        TransitionDef {
            at_end: true,
            location: at(10),
            ..to("b", &["a"])
        },
    ];
    let mut def = machine(
        params(&[("speed", 0.05)]),
        vec![plays("a", "a"), plays("b", "b")],
        transitions,
    );
    def.params.push(ParamDef {
        name: "armed".into(),
        default: ParamValue::Bool(false),
    });
    play(rig, def)
}

fn explained(player: &Player) -> Vec<TransitionExplanation> {
    let clips = Clips {
        set: &player.rig.set,
        markers: &player.rig.markers,
    };
    let mut trace = |_: Predicate| (false, "speed = 0.05".to_owned());
    explain(&player.machine, 0, clips, &player.state, DT, &mut trace)
}

#[test]
fn blocked_transitions_explain_why_with_values_and_line() {
    let mut player = guarded();
    player.step(DT);
    let ways = explained(&player);
    assert!(
        ways.iter()
            .all(|transition| !transition.open && transition.from == "a" && transition.to == "b")
    );
    assert!(
        ways[0].reason.contains("speed = 0.05"),
        "{}",
        ways[0].reason
    );
    assert_eq!(ways[0].at.to_string(), "hero.lua:7");
    assert_eq!(ways[1].reason, "event \"hit\" was not sent");
    assert!(
        ways[2].reason.starts_with("min_time ends in 1.9"),
        "{}",
        ways[2].reason
    );
    assert!(ways[3].reason.contains("no end"), "{}", ways[3].reason);
}

#[test]
fn taken_transition_records_the_values_it_read() {
    let mut player = guarded();
    player.step(DT);
    player.set("speed", 0.75);
    player.set("armed", 1.0);
    player.step(DT);
    player.set("speed", 0.0);
    player.run(0.5);
    let taken = taken(&player.machine, 0, &player.state);
    assert_eq!(taken.len(), 1);
    assert_eq!((taken[0].from.as_str(), taken[0].to.as_str()), ("a", "b"));
    assert!(taken[0].reason.contains("0.75"), "{}", taken[0].reason);
    assert!((taken[0].ago - 0.5).abs() < 2.0 * DT, "{}", taken[0].ago);
}

#[test]
fn travel_allows_only_its_next_transition_and_interruptions() {
    let rig = rig(vec![clip("a", 1.0)]);
    let states = ["a", "b", "c", "d"].map(|name| plays(name, "a"));
    let open = |to: TransitionDef| TransitionDef {
        when: when("x > 0"),
        ..to
    };
    let transitions = vec![
        TransitionDef {
            min_time: 9.0,
            ..to("b", &["a"])
        },
        open(to("c", &["a"])),
        TransitionDef {
            priority: 1,
            ..open(to("d", &["a"]))
        },
        open(to("c", &["b"])),
        TransitionDef {
            when: when("x < 0"),
            ..to("b", &["a"])
        },
    ];
    let def = machine(params(&[("x", 1.0)]), states.to_vec(), transitions);
    let mut player = play(rig, def);
    player.set("x", 0.0);
    player.step(DT);
    player.state.layers[0].goal = Some(1);
    let found = |player: &Player| {
        let ways = explained(player).into_iter();
        ways.map(|transition| (transition.to, transition.open))
            .collect::<Vec<_>>()
    };
    let blocked = |to: &str| (to.to_owned(), false);
    let expected = [blocked("d"), blocked("b"), blocked("c"), blocked("b")];
    assert_eq!(found(&player), expected);
    player.set("x", 1.0);
    let ways = explained(&player);
    assert!(ways[0].open && !ways[2].open, "{ways:?}");
    assert!(ways[2].reason.contains("is traveling to \"b\""), "{ways:?}");
    // The explanation and the choice agree.
    player.state.layers[0].active[0].state_age = 10.0;
    player.set("x", 0.0);
    let ways = explained(&player);
    assert!(ways[1].open, "{ways:?}");
    assert_eq!(ways[1].reason, "traveling to \"b\"");
    player.step(DT);
    assert_eq!(player.at(), "b");
}
