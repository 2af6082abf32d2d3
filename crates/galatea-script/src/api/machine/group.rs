//! The API table of the functions that make a machine.

use super::{motions, parts, states, ways};
use crate::api::check::{Options, Param, Shape, Type};
use crate::api::group::{Function, Group, Kind};

/// Shapes that appear only in the texts of types.
pub(in crate::api) const SHAPES: &[&Shape] = &[
    states::MachineStateOptions::SHAPE,
    parts::MachineLayerOptions::SHAPE,
    ways::TransitionOptions::SHAPE,
];

const NAME: &[Param] = &[Param {
    name: "name",
    ty: Type::Text,
    optional: false,
}];

const fn table_of(name: &'static str, shape: &'static Shape) -> Param {
    Param {
        name,
        ty: Type::Options(shape),
        optional: false,
    }
}

/// The functions that make a machine.
pub(in crate::api) static GROUP: Group = Group {
    kind: Kind::Globals,
    name: "machines",
    doc: "State machines: sets of states, each with a clip or a blend of clips, and of the transitions between them. \
          [Animation](animation.md) explains them.",
    functions: &[
        Function {
            name: "machine",
            params: &[table_of("parts", parts::MachineOptions::SHAPE)],
            returns: "MachineDefinition",
            doc: "Creates a state machine. The list contains layers, or states and transitions, which are then in one layer \
                  named \"body\". The machine starts in the first state. Set `hero.machine` to the result.",
            example: "hero.machine = machine { params = { speed = 0 }, state \"idle\" { \"idle\" } }",
            call: parts::machine,
        },
        Function {
            name: "layer",
            params: NAME,
            returns: "(MachineLayerOptions) -> MachinePiece",
            doc: "Creates a layer of a machine: states and transitions that play on top of the layers before it.",
            example: "local arms = layer \"arms\" { mask = \"upper_body\", state \"wave\" { \"wave\" } }",
            call: parts::layer,
        },
        Function {
            name: "state",
            params: NAME,
            returns: "(MachineStateOptions) -> MachinePiece",
            doc: "Creates a state of a machine. The list contains a clip, or a motion such as `blend1d { … }`, or inner \
                  states and transitions. A state without any of these shows the rest pose; in an upper layer it shows the \
                  pose of the layers below.",
            example: "local kneel = state \"kneel\" { intro = \"jump\", loop = \"idle\", outro = \"wave\",\n\ton_enter = function(me, from) me:morph(\"smile\", 0.5) end,\n\ton_exit = function(me, to) me:morph(\"smile\") end }",
            call: states::state,
        },
        Function {
            name: "transition_to",
            params: &[Param {
                name: "state",
                ty: Type::Text,
                optional: false,
            }],
            returns: "(TransitionOptions) -> MachinePiece",
            doc: "Creates a transition to the state `state`. It happens when all of its conditions are true: `when`, `on`, \
                  `at_end`, `min_time`, `exit_time` and `marker`. Transitions with a higher `priority` are evaluated first, \
                  then inner before outer ones, then in the order of the script.",
            example: "local way = transition_to \"walk\" { from = \"idle\", when = \"speed > 0.1\", fade = inertial(0.25) }",
            call: ways::to,
        },
        Function {
            name: "inertial",
            params: &[Param {
                name: "seconds",
                ty: Type::Number,
                optional: false,
            }],
            returns: "MachinePiece",
            doc: "Creates an inertial fade for the field `fade` of `transition_to`. Only the new state plays, while the \
                  difference from the old pose and velocity disappears within `seconds`. No two clips are mixed, and the \
                  motion stays smooth.",
            example: "local way = transition_to \"idle\" { from = \"walk\", on = \"halt\", fade = inertial(0.3) }",
            call: ways::inertial,
        },
        Function {
            name: "random_clips",
            params: &[table_of("clips", motions::ClipListOptions::SHAPE)],
            returns: "MachinePiece",
            doc: "Plays clips in random order. Each entry is a name, or { name, chance } with a relative probability \
                  (default 1). In a state with `mode = \"once\"`, it plays a single clip.",
            example: "local any = state \"idle\" { random_clips { { \"idle\", 4 }, \"wave\" } }",
            call: motions::random,
        },
        Function {
            name: "sequence",
            params: &[table_of("clips", motions::ClipListOptions::SHAPE)],
            returns: "MachinePiece",
            doc: "Plays clips in order, again and again. In a state with `mode = \"once\"`, it plays them once.",
            example: "local combo = state \"combo\" { sequence { \"jump\", \"wave\" }, mode = \"once\" }",
            call: motions::sequence,
        },
        Function {
            name: "blend1d",
            params: &[table_of("points", motions::Blend1dOptions::SHAPE)],
            returns: "MachinePiece",
            doc: "Blends clips by the value of a parameter, for example walking and running by speed. Each point is { value, \
                  clip }. A clip without a value gets the speed of its feet over the ground, in metres per second. Instead \
                  of a clip, a point may contain another blend.",
            example: "local move = blend1d { param = \"speed\", { 1.4, \"walk\" }, { 4.2, \"run\" } }",
            call: motions::blend1d,
        },
        Function {
            name: "blend2d",
            params: &[table_of("points", motions::Blend2dOptions::SHAPE)],
            returns: "MachinePiece",
            doc: "Blends clips by the values of two parameters (by the method of gradient bands). Each point is { x, y, clip \
                  }. A clip without a position gets the velocity of its feet over the ground, in metres per second to the \
                  left and ahead.",
            example: "local move = blend2d { x = \"speed\", y = \"turn\", { 1.4, 0, \"walk\" }, { 4.2, 0, \"run\" }, { 0, 1, \"idle\" } }",
            call: motions::blend2d,
        },
        Function {
            name: "blend_polar",
            params: &[table_of("points", motions::Blend2dOptions::SHAPE)],
            returns: "MachinePiece",
            doc: "Blends clips like `blend2d`, but by the angle and the length of (x, y). So the speed stays the same while \
                  the direction turns.",
            example: "local move = blend_polar { x = \"speed\", y = \"turn\", { 0, 0, \"idle\" }, { 0, 1.4, \"walk\" }, { 0, 4.2, \"run\" } }",
            call: motions::blend_polar,
        },
    ],
    properties: &[],
};
