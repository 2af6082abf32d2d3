//! Layers as graphs, and blends as points.

use glam::Vec2;

use super::*;

#[test]
fn a_layer_is_a_graph_with_nested_states_and_conditions() {
    let inner = StatesDef {
        states: vec![plays("up", "a"), plays("down", "b")],
        transitions: vec![TransitionDef {
            at_end: true,
            ..to("down", &["up"])
        }],
    };
    let air = StateDef {
        name: "air".into(),
        content: Content::Nested(inner),
        location: SourceLocation {
            file: "hero.lua".into(),
            line: 4,
        },
        ..StateDef::default()
    };
    let transitions = vec![
        TransitionDef {
            when: when("speed > 1"),
            on: Some("jump".into()),
            min_time: 0.5,
            fade: fade(0.2),
            location: SourceLocation {
                file: "hero.lua".into(),
                line: 9,
            },
            ..to("air", &["idle"])
        },
        TransitionDef {
            when: Some(WhenDef::Predicate(Predicate(0))),
            ..to("idle", &["air"])
        },
    ];
    let player = play(
        rig(vec![clip("a", 1.0), clip("b", 1.0)]),
        machine(
            params(&[("speed", 0.0)]),
            vec![plays("idle", "a"), air],
            transitions,
        ),
    );
    let graph = layer_graph(&player.machine, 0);
    let names: Vec<&str> = graph.states.iter().map(|state| &*state.path).collect();
    assert_eq!(names, ["idle", "air/up", "air/down"]);
    assert_eq!(graph.groups.len(), 1);
    assert_eq!(
        (&*graph.groups[0].path, graph.groups[0].parent),
        ("air", None)
    );
    let groups: Vec<Option<usize>> = graph.states.iter().map(|state| state.group).collect();
    assert_eq!(groups, [None, Some(0), Some(0)]);
    let shown = |way: &GraphTransition| (way.from.clone(), way.to, way.conditions.clone());
    let ways: Vec<_> = graph.transitions.iter().map(shown).collect();
    assert!(
        ways.contains(&(vec![0], 1, "on \"jump\", speed > 1, after 0.5 s".into())),
        "{ways:?}"
    );
    assert!(
        ways.contains(&(vec![1, 2], 0, "function".into())),
        "{ways:?}"
    );
    assert!(
        ways.contains(&(vec![1], 2, "at the end".into())),
        "{ways:?}"
    );
    let jump = graph
        .transitions
        .iter()
        .find(|way| way.from == [0])
        .unwrap();
    assert_eq!((jump.location.line, jump.fade), (9, 0.2));
    assert_eq!(layer_graph(&player.machine, 1), LayerGraph::default());
}

#[test]
fn blend_view_gives_points_weights_and_position() {
    let states = vec![state("move", line("speed", &[(1.0, "walk"), (3.0, "run")]))];
    let mut player = play(
        rig(vec![clip("walk", 1.0), clip("run", 0.6)]),
        machine(params(&[("speed", 1.5)]), states, vec![]),
    );
    player.step(0.0);
    let view = blend_view(&player.machine, 0, player.current(), &player.state).unwrap();
    assert_eq!(view.axes, [0]);
    assert_eq!(view.position, Vec2::new(1.5, 0.0));
    let shown = |point: &BlendPointView| (point.position.x, point.clip, point.weight);
    let points: Vec<_> = view.points.iter().map(shown).collect();
    assert_eq!(points, [(1.0, Some(0), 0.75), (3.0, Some(1), 0.25)]);
}
