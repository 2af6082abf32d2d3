//! The table of a character's methods and properties.

use mlua::{Lua, MetaMethod, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::character::{dress, get_machine, name, set_machine};
use super::character_ref::{CharacterRef, with_character};
use super::check::{Args, Options, Param, Type};
use super::group::{Function, Group, Kind, Property};
use super::{
    bodies, body, clip, clip_handle, collider, controller, decal, events, face, grip, helper, hit,
    interaction_options, lean_and_warp, limbs, listen, look_at, material, metrics, modifier_list,
    motion, motion_warp, particles, play, playing, pointing, query, ragdoll, say, seat, secondary,
    task, time, transform,
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
            Type::Function("(event: MarkerEvent) -> ()"),
            Type::Options(listen::ListenerOptions::SHAPE),
        ]),
        optional: false,
    },
    Param {
        name: "listener",
        ty: Type::Function("(event: MarkerEvent) -> ()"),
        optional: true,
    },
];

/// Methods and properties of a character.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Character",
    doc: "A character or a prop in the scene, created by `character`. Without a state machine it plays its clip \"idle\", if \
          it has one.",
    functions: &[
        Function {
            name: "play",
            params: play::PARAMS,
            returns: "Play",
            doc: "Plays a clip on top of the state machine, by default once. Returns a `Play`, with which you can change and \
                  stop the playback.",
            example: "hero:play(\"wave\")\nhero:play(\"wave\", { mask = \"left_upper_arm\", fade = 0.2 })",
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
            doc: "Adds a marker to a clip at `seconds`. You may call it while the clip plays. Each time playback \
                  passes the marker, it emits the event `event` exactly once. `fields` are added to the table of the \
                  event:\n\n\
                  - `foot = \"left\"` or `bone = \"hand\"` sets the position of the event;\n\
                  - `duration`, in seconds, makes the marker an interval with an event at its beginning and one at \
                  its end.\n\n\
                  A character can have 1024 markers.",
            example: "hero:add_marker(\"wave\", 0.5, \"hello\", { bone = \"right_hand\" })",
            call: listen::add_marker,
        },
        Function {
            name: "on",
            params: LISTENER_PARAMS,
            returns: "Listener",
            doc: "Calls the function `listener` for each event with this name. `event` is the name of a marker, of \
                  another event of characters, or `*` for all events. The listener gets a table with the fields of \
                  the event; [Events](events.md) lists and explains them. Options may come before the listener: \
                  `hero:on(\"step\", { all_clips = true }, function(e) … end)`.\n\n\
                  - All events have `name`, `time` and `character`. Events of states (`state_enter`, `state_exit`, \
                  `state_end`) have `state`, `layer`, and `from` or `to`.\n\
                  - Markers have their own fields and `clip`, `weight`, `position`, `surface`, `source`, \
                  `marker_phase`, `interrupted`, `is_reversed` and `tick_fraction`.\n\
                  - When clips blend, only the clip with the highest weight emits its markers. A hot reload ends \
                  intervals that no longer exist, with `interrupted`.\n\
                  - Events are delivered at the end of the tick, in order of time. Events with the same time come in \
                  this order: interrupted plays and intervals, left states, entered states, markers and other events, \
                  clips and warps that reached their end.",
            example: "hero:on(\"step\", function(e) sound.play(\"step_stone\", { position = e.position }) end)",
            call: listen::on,
        },
        Function {
            name: "once",
            params: LISTENER_PARAMS,
            returns: "Listener",
            doc: "Calls the function `listener` for the next event with this name, and then removes it. Everything else is \
                  as for `on`.",
            example: "hero:once(\"step\", function(e) print(\"the first step\", e.foot) end)",
            call: listen::once,
        },
        Function {
            name: "event_log",
            params: &[],
            returns: "{ EventLogEntry }",
            doc: "Returns the latest 4096 entries of the event log, the oldest first. The log records each marker \
                  that playback passed, and what happened then. The first call starts the log and returns an empty \
                  list. An entry has these fields:\n\n\
                  - `number`: number of the entry, counted from the first one; `time`: time at which playback passed \
                  the marker, seconds;\n\
                  - `name` and `clip`; `marker`: number of the marker on the clip, less than 0 for a marker that was \
                  removed since; `marker_phase`: \"point\", \"begin\" or \"end\";\n\
                  - `weight`: blend weight of the clip; `source`: \"machine\", \"play\" or \"idle\"; `state` and \
                  `layer` of the machine; `play`: number of the play;\n\
                  - `playback_id`: number of this playback of the clip in the machine. A state that is entered again \
                  has another number;\n\
                  - `outcome`: \"fired\" (emitted), \"suppressed\" or \"interrupted\". The end of an interval has the \
                  same outcome as its beginning;\n\
                  - `reason`, if the outcome is not \"fired\": \"lower_weight\" (another clip has more weight), \
                  \"below_min_weight\" (of all listeners), \"layer_weight_zero\", \"masked\" (the mask excludes its \
                  bone), \"seek\" (playback jumped over it) or \"muted\".\n\
                  - More reasons: \"leaving\" (the clip only fades out), \"flood\" (too many markers in one tick), \
                  \"interval_interrupted\" (the playback ended first), \"reloaded\", \"foot_ik_steps\" (foot IK \
                  reports steps instead) or \"down\" (the character is down);\n\
                  - `occurrences`: number of markers that the entry stands for.",
            example: "for _, e in hero:event_log() do print(e.time, e.name, e.outcome, e.reason) end",
            call: events::event_log,
        },
        task::OF_CHARACTER,
        decal::DECAL,
        decal::CLEAR_DECALS,
        particles::OF_CHARACTER,
        material::MATERIAL,
        material::MATERIALS,
        material::VARIANTS,
        metrics::METRIC,
        metrics::ALL_METRICS,
        metrics::RESET_METRICS,
        motion_warp::MOTION_WARP,
        look_at::LOOK_AT,
        say::SAY,
        say::STOP_SPEAKING,
        look_at::IDLE_MOTION,
        lean_and_warp::LEAN,
        lean_and_warp::ORIENTATION_WARP,
        limbs::FOOT_IK,
        limbs::REACH,
        grip::GRIP,
        seat::SIT,
        pointing::AIM_AT,
        pointing::CHAIN_IK,
        helper::HELPER_BONE,
        interaction_options::ADD_INTERACTION,
        modifier_list::ADD_MODIFIER,
        modifier_list::MODIFIERS,
        modifier_list::MODIFIER,
        secondary::SPRING_BONE,
        secondary::JIGGLE_BONE,
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
            doc: "Returns the position of a bone in the world in the last tick, metres. `name` is the name of the bone, or \
                  of a humanoid part such as `right_hand`.",
            example: "local hand = hero:bone_position(\"right_hand\")",
            call: body::bone_position,
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
            doc: "Sets a morph target (blend shape) to a weight, which overrides clips. Without a weight, clips control it \
                  again.",
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
            doc: "Attaches another character or a prop to a bone of this character. `thing` then moves with the bone.",
            example: "hero:attach(character \"assets/galatea.glb\" { scale = 0.2 }, \"right_hand\")",
            call: body::attach,
        },
        Function {
            name: "detach",
            params: &[],
            returns: "",
            doc: "Detaches this character or prop from the bone to which it is attached. It stays at its position.",
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
            doc: "Shows or hides a part of the model: a mesh, by the name of its node in the file. The default of `visible` \
                  is true.",
            example: "hero:show_part(\"body\", true)",
            call: body::show_part,
        },
        Function {
            name: "clips",
            params: &[],
            returns: "{ [string]: number }",
            doc: "Returns the durations of all clips, in seconds, by the name of the clip.",
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
            doc: "Returns a clip of the character, to read its data.",
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
            doc: "Adds a clip that was made by `clip`, to this character only. Its bones and morph targets are found by \
                  name. `play` and state machines then find the clip by its name. When the model is reloaded, the clip is \
                  added again.",
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
            doc: "Returns the value of a curve (a number over time in the clips) in the last tick, blended like the \
                  bones. If no clip with that curve plays, the value is 0, or for a curve that animates a material, \
                  the material's value in the file.",
            example: "hero:add_clip(clip \"shine\" { curves = { glow = { { 0, 0 }, { 1, 1 } } } })\nhero:play(\"shine\")\nprint(hero:curve(\"glow\"))",
            call: clip_handle::curve,
        },
        body::REST_BOUNDS,
        collider::COLLIDER,
        query::CHARACTER_RAYCAST,
        motion::APPLY_IMPULSE,
        controller::CONTROLLER,
        controller::MOVE,
        controller::JUMP,
        ragdoll::RAGDOLL,
        bodies::RAGDOLL_BODIES,
        hit::HIT,
        hit::KILL,
        hit::KNOCK_DOWN,
        hit::GET_UP,
        hit::HIT_REACTIONS,
        Function {
            name: "remove",
            params: &[],
            returns: "",
            doc: "Removes the character from the scene.",
            example: "hero:remove()",
            call: body::remove,
        },
    ],
    properties: &[
        Property {
            name: "name",
            ty: "string",
            doc: "Name from the options of `character`. Without one, it is the name of the file and a number.",
            get: name,
            set: None,
        },
        Property {
            name: "position",
            ty: "vector",
            doc: "Position in the world, metres. It is at most 100 km from the origin along each axis.",
            get: body::get_position,
            set: Some((Type::Vector, body::set_position)),
        },
        Property {
            name: "yaw",
            ty: "number",
            doc: "Rotation about +Y, degrees. At 0 the character looks along +Z, at 90 along +X.",
            get: body::get_yaw,
            set: Some((Type::Number, body::set_yaw)),
        },
        transform::ROTATION,
        transform::VISIBLE,
        time::TIME_SCALE,
        time::UNSCALED,
        Property {
            name: "scale",
            ty: "number",
            doc: "Scale of the character, from 0.001 to 1000.",
            get: body::get_scale,
            set: Some((Type::Number, body::set_scale)),
        },
        motion::VELOCITY,
        motion::ANGULAR_VELOCITY,
        motion::IS_SLEEPING,
        controller::IS_GROUNDED,
        controller::IS_SLIDING,
        controller::IS_CRUSHED,
        controller::CROUCHING,
        controller::SPEED,
        ragdoll::IS_DOWN,
        ragdoll::IS_GETTING_UP,
        ragdoll::POSTURE,
        hit::HEALTH,
        hit::BALANCE,
        hit::IS_DEAD,
        material::VARIANT,
        lean_and_warp::WALK_SIGN,
        face::FACE,
        decal::DECAL_COUNT,
        say::IS_SPEAKING,
        look_at::REQUIRED_TURN,
        motion_warp::IS_WARPING,
        motion_warp::ROOT_MOTION,
        motion_warp::APPLY_ROOT_MOTION,
        Property {
            name: "machine",
            ty: "Machine",
            doc: "State machine of the character. Set it to the result of `machine { … }`. Unknown clips, bones, \
                  states and parameters are reported immediately. When you set another machine, the character leaves \
                  the states of the previous one. The event `state_exit` then has no `to`, and started intervals of \
                  markers end with `interrupted = true`.",
            get: get_machine,
            set: Some((Type::Object("MachineDefinition"), set_machine)),
        },
    ],
};
