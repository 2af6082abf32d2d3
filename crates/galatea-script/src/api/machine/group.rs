//! The API table of the functions that make a machine.

use super::{motions, parts, states, transitions};
use crate::api::check::{Options, Param, Shape, Type};
use crate::api::group::{Function, Group, Kind};

/// Shapes that appear only in the texts of types.
pub(in crate::api) const SHAPES: &[&Shape] = &[
    states::MachineStateOptions::SHAPE,
    parts::MachineLayerOptions::SHAPE,
    transitions::TransitionOptions::SHAPE,
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
    doc: "A state machine plays the clips of a character. It consists of states, each with a clip or a blend of clips, \
          and of transitions between the states. [Animation](animation.md) explains state machines.",
    functions: &[
        Function {
            name: "machine",
            params: &[table_of("parts", parts::MachineOptions::SHAPE)],
            returns: "MachineDefinition",
            doc: "Creates a state machine. Set `hero.machine` to the result. The list contains either layers, or states \
                  and transitions; these then form one layer named \"body\". The machine starts in the first state.",
            example: "hero.machine = machine { params = { speed = 0 }, state \"idle\" { \"idle\" } }",
            call: parts::machine,
        },
        Function {
            name: "layer",
            params: NAME,
            returns: "(MachineLayerOptions) -> MachinePiece",
            doc: "Creates a layer of a machine, with its own states and transitions. Its pose is placed on top of the \
                  pose of the layers before it in the list.",
            example: "local arms = layer \"arms\" { mask = \"upper_body\", state \"wave\" { \"wave\" } }",
            call: parts::layer,
        },
        Function {
            name: "state",
            params: NAME,
            returns: "(MachineStateOptions) -> MachinePiece",
            doc: "Creates a state of a machine. The list contains a clip, or a motion such as `blend1d { … }`, or inner \
                  states and their transitions. An empty state shows the rest pose; in an upper layer, it shows the \
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
            doc: "Creates a transition to the state with the name `state`. The transition happens when all of its \
                  conditions are true; its conditions are those of the fields `when`, `on`, `at_end`, `min_time`, \
                  `exit_time` and `marker` that you set. If several transitions could happen, the highest `priority` \
                  decides, then inner before outer transitions, then the order in the script.",
            example: "local way = transition_to \"walk\" { from = \"idle\", when = \"speed > 0.1\", fade = inertial(0.25) }",
            call: transitions::transition_to,
        },
        Function {
            name: "inertial",
            params: &[Param {
                name: "seconds",
                ty: Type::Number,
                optional: false,
            }],
            returns: "MachinePiece",
            doc: "Creates an inertial fade, for the field `fade` of `transition_to`. With it, the new state plays alone \
                  from the start. The body moves smoothly from its old pose and velocity into the new motion, within \
                  `seconds`. A normal fade mixes two clips instead.",
            example: "local way = transition_to \"idle\" { from = \"walk\", on = \"halt\", fade = inertial(0.3) }",
            call: transitions::inertial,
        },
        Function {
            name: "random_clips",
            params: &[table_of("clips", motions::ClipListOptions::SHAPE)],
            returns: "MachinePiece",
            doc: "Creates a motion that plays clips in random order, for a state. Each entry is the name of a clip, or \
                  { name, chance }: with a chance of 4, the clip is played four times as often as with 1, the default. \
                  In a state with `mode = \"once\"`, only one clip is played.",
            example: "local any = state \"idle\" { random_clips { { \"idle\", 4 }, \"wave\" } }",
            call: motions::random_clips,
        },
        Function {
            name: "sequence",
            params: &[table_of("clips", motions::ClipListOptions::SHAPE)],
            returns: "MachinePiece",
            doc: "Creates a motion that plays clips in order, again and again, for a state. In a state with `mode = \
                  \"once\"`, the clips are played only once.",
            example: "local combo = state \"combo\" { sequence { \"jump\", \"wave\" }, mode = \"once\" }",
            call: motions::sequence,
        },
        Function {
            name: "blend1d",
            params: &[table_of("points", motions::Blend1dOptions::SHAPE)],
            returns: "MachinePiece",
            doc: "Creates a motion that blends clips by the value of a parameter, for example walking and running by \
                  the speed. Each point is { value, clip }: at this value of the parameter, only this clip is visible. \
                  Without a value, the walking speed that Galatea measures from the feet of the clip is used, in metres \
                  per second. A point may contain another blend instead of a clip.",
            example: "local move = blend1d { param = \"speed\", { 1.4, \"walk\" }, { 4.2, \"run\" } }",
            call: motions::blend1d,
        },
        Function {
            name: "blend2d",
            params: &[table_of("points", motions::Blend2dOptions::SHAPE)],
            returns: "MachinePiece",
            doc: "Creates a motion that blends clips by the values of two parameters. Each point is { x, y, clip }: \
                  where the parameters have the values x and y, only this clip is visible. Without x and y, the \
                  velocity that Galatea measures from the feet of the clip is used: x to the left and y ahead, in \
                  metres per second. (The method is gradient band interpolation.)",
            example: "local move = blend2d { x = \"speed\", y = \"turn\", { 1.4, 0, \"walk\" }, { 4.2, 0, \"run\" }, { 0, 1, \"idle\" } }",
            call: motions::blend2d,
        },
        Function {
            name: "blend_polar",
            params: &[table_of("points", motions::Blend2dOptions::SHAPE)],
            returns: "MachinePiece",
            doc: "Creates a motion that blends clips like `blend2d`, but by the angle and the length of (x, y). Use it \
                  if x and y are a velocity: while the direction changes, the speed of the blended motion stays the \
                  same.",
            example: "local move = blend_polar { x = \"speed\", y = \"turn\", { 0, 0, \"idle\" }, { 0, 1.4, \"walk\" }, { 0, 4.2, \"run\" } }",
            call: motions::blend_polar,
        },
    ],
    properties: &[],
};
