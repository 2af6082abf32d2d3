//! The table of a character's methods and properties.

use mlua::{Lua, MetaMethod, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::character::{dress, get_machine, name, set_machine};
use super::character_ref::{CharacterRef, with_character};
use super::check::{Args, Options, Param, Type};
use super::group::{Function, Group, Kind, Property};
use super::{
    bodies, body, carriage, clip, clip_handle, controller, decal, events, face, grip,
    handle_options, helper, hit, limbs, listen, look, material, meters, motion, particles, play,
    playing, pointing, query, ragdoll, say, seat, secondary, solid, stack, task, transform, warp,
};

impl UserData for CharacterRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
        methods.add_meta_function(MetaMethod::ToString, shown);
        methods.add_meta_function(MetaMethod::Call, dress);
    }
}

fn shown(lua: &Lua, this: Value) -> mlua::Result<String> {
    with_character(lua, &Args::unchecked([this]), |_, character| {
        Ok(format!("Character({})", character.shown_name()))
    })
}

/// Parameters of `hero:on` and `hero:once`.
const LISTENER_PARAMS: &[Param] = &[
    Param {
        name: "event",
        ty: Type::Text,
        optional: false,
    },
    Param {
        name: "listener_or_options",
        ty: Type::OneOf(&[
            Type::Function("(event: MarkEvent) -> ()"),
            Type::Options(listen::ListenerOptions::SHAPE),
        ]),
        optional: false,
    },
    Param {
        name: "listener",
        ty: Type::Function("(event: MarkEvent) -> ()"),
        optional: true,
    },
];

/// Methods and properties of a character.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Character",
    doc: "A character or a prop on the stage, created by `character`. Without a state machine it plays its \
          idle clip, if it has one.",
    functions: &[
        Function {
            name: "play",
            params: play::PARAMS,
            returns: "Play",
            doc: "Plays a clip over the pose of the state machine, by default once.",
            example: "hero:play(\"wave\", { mask = \"left_upper_arm\", fade = 0.2 })",
            call: play::play,
        },
        playing::IS_PLAYING,
        playing::STOP,
        Function {
            name: "add_marker",
            params: &[
                Param {
                    name: "clip",
                    ty: Type::Text,
                    optional: false,
                },
                Param {
                    name: "seconds",
                    ty: Type::Number,
                    optional: false,
                },
                Param {
                    name: "event",
                    ty: Type::Text,
                    optional: false,
                },
                Param {
                    name: "fields",
                    ty: Type::Table("{ [string]: number | string | boolean }"),
                    optional: true,
                },
            ],
            returns: "Marker",
            doc: "Adds a marker at a time of a clip, also while the clip plays. Each time playback passes the marker, \
                  its event is emitted exactly once. A character can have 1024 markers. A field `foot = \"left\"` or \
                  `bone = \"hand\"` sets the position of the event. A field `duration`, in seconds, makes the marker \
                  an interval with a beginning and an end.",
            example: "hero:add_marker(\"wave\", 0.5, \"hello\", { bone = \"right_hand\" })",
            call: listen::mark,
        },
        Function {
            name: "on",
            params: LISTENER_PARAMS,
            returns: "Listener",
            doc: "Calls a function for each event of a name: a marker, `state_enter`, `state_exit` or `state_end` of a \
                  state, `warp_end` of a motion warp, any other event of characters, or `*` for all. Every event has \
                  `name`, `time` and `character`. Events of states have `state`, `layer`, and `from` or `to`. Events \
                  of markers have the fields of the marker and `clip`, `weight`, `position`, `surface`, `source` \
                  (\"machine\" with `state` and `layer`, \"play\" or \"idle\"), `marker_phase` (\"point\", \"begin\", \
                  or \"end\" with `interrupted` if it ended early), `is_reversed`, and `tick_fraction`, the fraction \
                  of the tick at which it was passed. When clips blend, only the clip with the highest weight emits \
                  its markers. A hot reload of a model or script ends the intervals that no longer exist, with \
                  `interrupted`. Events are emitted at the end of the tick, in order of time. Events of the same time \
                  have this order: interrupted plays and intervals, states left, states entered, markers and other \
                  events, clips and warps that reached their end.",
            example: "hero:on(\"step\", function(e) sound.play(\"step_\" .. e.surface, { position = e.position }) end)",
            call: listen::on,
        },
        Function {
            name: "once",
            params: LISTENER_PARAMS,
            returns: "Listener",
            doc: "Calls a function for the next event of a name only, as `on` does for every event.",
            example: "hero:once(\"step\", function(e) print(\"the first step\", e.foot) end)",
            call: listen::once,
        },
        Function {
            name: "event_log",
            params: &[],
            returns: "{ EventLogEntry }",
            doc: "Returns the record of passed markers and their outcomes, oldest first. The first call starts the \
                  recording and returns an empty list. Each entry has `number`, `time`, `name`, `clip`, `marker` \
                  (number of the marker on the clip; less than 0 for a marker that was removed since), `marker_phase`, \
                  `weight`, `source`, `state`, `layer`, `playback_id` (number of this playback of the clip in the \
                  machine: a state that is entered again has another number), `play` (number of the play), `outcome` \
                  (\"fired\", \"suppressed\" or \"interrupted\"; the end of an interval has the outcome of its \
                  beginning), `reason` (\"lower_weight\", \"below_min_weight\", \"layer_weight_zero\", \"masked\", \
                  \"seek\", \"muted\", \"leaving\", \"flood\", \"interval_interrupted\", \"reloaded\", \
                  \"foot_ik_steps\" or \"down\") and `occurrences`, the number of markers that the entry represents. \
                  `number` counts the entries; the record keeps the latest 4096.",
            example: "for _, e in hero:event_log() do print(e.time, e.name, e.outcome, e.reason) end",
            call: events::ledger,
        },
        task::OF_CHARACTER,
        decal::DECAL,
        decal::CLEAN,
        particles::OF_CHARACTER,
        material::MATERIAL,
        material::MATERIALS,
        material::VARIANTS,
        meters::METER,
        meters::ALL,
        meters::RESET,
        warp::WARP,
        look::LOOK,
        say::SAY,
        say::HUSH,
        look::ALIVE,
        carriage::LEAN,
        carriage::STRAFE,
        limbs::FEET,
        limbs::REACH,
        grip::GRIP,
        seat::SIT,
        pointing::AIM,
        pointing::CHAIN,
        helper::HELPER,
        handle_options::HANDLE,
        stack::MODIFY,
        stack::STACK,
        stack::MODIFIER,
        secondary::SPRING,
        secondary::JIGGLE,
        super::fabric::CHAINS,
        super::hair::HAIR,
        secondary::RESET_SPRINGS,
        Function {
            name: "bone_position",
            params: &[Param {
                name: "name",
                ty: Type::Text,
                optional: false,
            }],
            returns: "vector",
            doc: "Returns the world position of a bone's origin in the last tick, metres. The name is that of the bone, or \
                  of a humanoid part such as `right_hand`.",
            example: "local hand = hero:bone_position(\"right_hand\")",
            call: body::bone,
        },
        transform::BONE_TRANSFORM,
        Function {
            name: "morph",
            params: &[
                Param {
                    name: "name",
                    ty: Type::Text,
                    optional: false,
                },
                Param {
                    name: "weight",
                    ty: Type::Number,
                    optional: true,
                },
            ],
            returns: "",
            doc: "Sets a morph target to a weight, which overrides clips. Without a weight, clips control it again.",
            example: "hero:morph(\"smile\", 0.6)",
            call: body::morph,
        },
        Function {
            name: "attach",
            params: &[
                Param {
                    name: "thing",
                    ty: Type::Object("Character"),
                    optional: false,
                },
                Param {
                    name: "bone",
                    ty: Type::Text,
                    optional: false,
                },
                Param {
                    name: "options",
                    ty: Type::Options(body::ATTACH_SHAPE),
                    optional: true,
                },
            ],
            returns: "",
            doc: "Attaches another character or prop to a bone.",
            example: "hero:attach(character \"assets/galatea.glb\" { scale = 0.2 }, \"right_hand\")",
            call: body::attach,
        },
        Function {
            name: "detach",
            params: &[],
            returns: "",
            doc: "Detaches this character or prop from the bone that it is attached to; it stays at its position.",
            example: "hero:detach()",
            call: body::detach,
        },
        Function {
            name: "show_part",
            params: &[
                Param {
                    name: "part",
                    ty: Type::Text,
                    optional: false,
                },
                Param {
                    name: "visible",
                    ty: Type::Bool,
                    optional: true,
                },
            ],
            returns: "",
            doc: "Shows or hides a part: a mesh of the file, by the name of its node.",
            example: "hero:show_part(\"body\", true)",
            call: body::show,
        },
        Function {
            name: "clips",
            params: &[],
            returns: "{ [string]: number }",
            doc: "Returns the durations of all clips by name, seconds.",
            example: "for name, seconds in hero:clips() do print(name, seconds) end",
            call: body::clips,
        },
        Function {
            name: "clip",
            params: &[Param {
                name: "name",
                ty: Type::Text,
                optional: false,
            }],
            returns: "Clip",
            doc: "Returns one of its clips, to read its data.",
            example: "print(hero:clip(\"walk\").duration)",
            call: clip_handle::clip,
        },
        Function {
            name: "add_clip",
            params: &[Param {
                name: "clip",
                ty: Type::Object("ClipDefinition"),
                optional: false,
            }],
            returns: "",
            doc: "Adds a clip made by `clip` to this character only; its bones and morph targets are found by name. \
                  `play` and state machines find the clip by its name. The model and its other clips stay shared with \
                  other characters. The clip is added again when the model is reloaded.",
            example: "hero:add_clip(clip \"bow\" { bones = { [\"chest\"] = { rotation = { { 0, 0, 0, 0 }, { 1, 40, 0, 0 } } } } })\nhero:play(\"bow\")",
            call: clip::add_clip,
        },
        Function {
            name: "curve",
            params: &[Param {
                name: "name",
                ty: Type::Text,
                optional: false,
            }],
            returns: "number",
            doc: "Returns the value of a curve of its clips (a named number over time) in the last tick, blended as the \
                  bones are. While no clip with that curve plays it is 0, or for a curve that animates a material, the \
                  value of the file.",
            example: "hero:add_clip(clip \"shine\" { curves = { glow = { { 0, 0 }, { 1, 1 } } } })\nhero:play(\"shine\")\nprint(hero:curve(\"glow\"))",
            call: clip_handle::curve,
        },
        body::REST_BOX,
        solid::SOLID,
        query::CHARACTER_RAY,
        motion::PUSH,
        controller::CONTROLLER,
        controller::MOVE,
        controller::JUMP,
        ragdoll::RAGDOLL,
        bodies::BODIES,
        hit::HIT,
        hit::KILL,
        hit::KNOCK_DOWN,
        hit::GET_UP,
        hit::REFLEXES,
        Function {
            name: "remove",
            params: &[],
            returns: "",
            doc: "Removes the character from the stage.",
            example: "hero:remove()",
            call: body::remove,
        },
    ],
    properties: &[
        Property {
            name: "name",
            ty: "string",
            doc: "Name from the options of `character`, or its file and a running number.",
            get: name,
            set: None,
        },
        Property {
            name: "position",
            ty: "vector",
            doc: "World position, metres; at most 100 km from the origin along each axis.",
            get: body::get_position,
            set: Some((Type::Vector, body::set_position)),
        },
        Property {
            name: "yaw",
            ty: "number",
            doc: "Rotation about +Y, degrees; with 0 the character looks along +Z.",
            get: body::get_yaw,
            set: Some((Type::Number, body::set_yaw)),
        },
        transform::ROTATION,
        transform::VISIBLE,
        Property {
            name: "scale",
            ty: "number",
            doc: "Scale, from 0.001 to 1000.",
            get: body::get_scale,
            set: Some((Type::Number, body::set_scale)),
        },
        motion::VELOCITY,
        motion::SPIN,
        motion::ASLEEP,
        controller::GROUNDED,
        controller::SLIDING,
        controller::SQUEEZED,
        controller::CROUCHING,
        controller::SPEED,
        ragdoll::DOWN,
        ragdoll::LYING,
        hit::HEALTH,
        hit::BALANCE,
        hit::DEAD,
        material::VARIANT,
        carriage::STEPPING,
        face::FACE,
        decal::COUNT,
        say::SPEAKING,
        look::TURN_WANTED,
        warp::WARPING,
        warp::ROOT_MOTION,
        warp::APPLY,
        Property {
            name: "machine",
            ty: "Machine",
            doc: "State machine of the character; set it to the result of `machine { … }`. All names of clips, bones, \
                  states and parameters are checked then. The states of the previous machine are left: their \
                  `state_exit` has no `to`, and open intervals end with `interrupted`.",
            get: get_machine,
            set: Some((Type::Object("MachineDefinition"), set_machine)),
        },
    ],
};
