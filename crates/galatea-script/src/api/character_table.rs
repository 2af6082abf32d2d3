//! The table of a character's methods and properties.

use mlua::{Lua, MetaMethod, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::character::{dress, get_machine, name, set_machine};
use super::character_ref::{CharacterRef, with_character};
use super::check::{Args, Options, Param, Type};
use super::group::{Function, Group, Kind, Property};
use super::{
    act, bodies, body, carriage, clip, clip_handle, controller, decal, events, face, grip,
    handle_options, helper, hit, limbs, listen, look, material, meters, motion, particles, play,
    pointing, query, ragdoll, say, seat, secondary, solid, stack, warp,
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

/// Methods and properties of a character.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Character",
    doc: "A character or a prop on the stage, made by `character`. Without a machine it plays its \
          idle clip, if it has one.",
    functions: &[
        Function {
            name: "play",
            params: play::PARAMS,
            returns: "Play",
            doc: "Plays a clip over whatever the machine does, once unless told otherwise.",
            example: "hero:play(\"wave\", { mask = \"left_upper_arm\", fade = 0.2 })",
            call: play::play,
        },
        Function {
            name: "mark",
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
            returns: "Mark",
            doc: "Marks a time on a clip, also while that plays. The event fires when the clip's playing \
                  passes it, exactly once each time. A character may have 1024 of them. A field `foot = \"left\"` or `bone = \"hand\"` says where it is; a field \
                  `length`, in seconds, makes it an interval that begins and ends.",
            example: "hero:mark(\"wave\", 0.5, \"hello\", { bone = \"right_hand\" })",
            call: listen::mark,
        },
        Function {
            name: "on",
            params: &[
                Param {
                    name: "event",
                    ty: Type::Text,
                    optional: false,
                },
                Param {
                    name: "listener_or_options",
                    ty: Type::OneOf(&[
                        Type::Function("(event: MarkEvent) -> ()"),
                        Type::Options(listen::ListenOptions::SHAPE),
                    ]),
                    optional: false,
                },
                Param {
                    name: "listener",
                    ty: Type::Function("(event: MarkEvent) -> ()"),
                    optional: true,
                },
            ],
            returns: "Listener",
            doc: "Calls a function with each event of this name: a mark, or `enter`, `exit` and `end` \
                  of states, `warp` at the end of one, or `*` for all. The event has `name`, `time`, `character`; states `state`, \
                  `layer`, and `from` or `to`; marks their own fields and `clip`, `weight`, `position`, \
                  `surface`, `source` (\"machine\" with `state` and `layer`, \"play\" or \"idle\"), `edge` \
                  (\"point\", \"begin\" or \"end\" with `cut` when it ended early), `reverse`, and `share`, \
                  the part of the tick at which it was passed. Where clips blend only the one that \
                  shows most tells its marks. A model or a script that is saved ends, with `cut`, the \
                  intervals that it has no more. All is told when the tick is done, in order of time; at one \
                  time what was interrupted, states left, states entered, marks, what was played to its \
                  end.",
            example: "hero:on(\"step\", function(e) sound.play(\"step_\" .. e.surface, { at = e.position }) end)",
            call: listen::on,
        },
        Function {
            name: "ledger",
            params: &[],
            returns: "{ LedgerEntry }",
            doc: "What became of the marks that were passed since it was first asked for, oldest first; \
                  the first time it is empty and switched on. Each entry has `number`, `time`, `name`, `clip`, \
                  `mark` (its number on the clip; less than 0 for one that was taken off since), `edge`, `weight`, \
                  `source`, `state`, `layer`, `playing` (number of this playing of the clip in the machine: a \
                  state that is entered again has another), `play` (number of the play), `outcome` (\"fired\", \
                  \"suppressed\" or \"cut\"; the end of an interval has that of its beginning), `reason` (\"lighter_source\", \"below_min_weight\", \"layer_weight_zero\", \"masked\", \
                  \"seek\", \"muted\", \"leaving\", \"flood\", \"interval_cut\", \"reloaded\", \"feet_tell\" or \"down\") and `n`, how \
                  many it stands for. `number` counts them; the latest 4096 are kept.",
            example: "for _, e in hero:ledger() do print(e.time, e.name, e.outcome, e.reason) end",
            call: events::ledger,
        },
        act::OF_CHARACTER,
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
            name: "bone",
            params: &[Param {
                name: "name",
                ty: Type::Text,
                optional: false,
            }],
            returns: "vector",
            doc: "World position of a bone's origin in the last tick, metres: of the bone of this name, or \
                  of the one that plays this part in a humanoid.",
            example: "local hand = hero:bone(\"right_hand\")",
            call: body::bone,
        },
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
            doc: "Holds a morph target at a weight, over what clips do; without a weight lets it go.",
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
            doc: "Puts another character or prop into a bone's hold.",
            example: "hero:attach(character \"assets/galatea.glb\" { scale = 0.2 }, \"right_hand\")",
            call: body::attach,
        },
        Function {
            name: "detach",
            params: &[],
            returns: "",
            doc: "Lets this thing go from the bone that holds it; it stays where it is.",
            example: "hero:detach()",
            call: body::detach,
        },
        Function {
            name: "show",
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
            doc: "Shows or hides a part (a mesh of the file, by its node's name).",
            example: "hero:show(\"body\", true)",
            call: body::show,
        },
        Function {
            name: "clips",
            params: &[],
            returns: "{ [string]: number }",
            doc: "All clips and their durations, seconds.",
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
            doc: "One of its clips, to look at.",
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
            doc: "Gives this character alone a clip made by `clip`, by the names of bones and morph \
                  targets; `play` and machines find it by its name. Model and clips stay shared with \
                  others. It is bound again when the model is reloaded.",
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
            doc: "What a curve of its clips (a named number over time) came to in the last tick, blended \
                  like the bones; while no clip with that curve plays it is 0, or what the file has where \
                  it points at a material.",
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
            doc: "Takes the character off the stage.",
            example: "hero:remove()",
            call: body::remove,
        },
    ],
    properties: &[
        Property {
            name: "name",
            ty: "string",
            doc: "The name it was made with, or its file and a running number.",
            get: name,
            set: None,
        },
        Property {
            name: "position",
            ty: "vector",
            doc: "World position, metres, to 100 km from the origin along each axis.",
            get: body::get_position,
            set: Some((Type::Vector, body::set_position)),
        },
        Property {
            name: "yaw",
            ty: "number",
            doc: "Degrees about +Y; 0 looks along +Z.",
            get: body::get_yaw,
            set: Some((Type::Number, body::set_yaw)),
        },
        Property {
            name: "scale",
            ty: "number",
            doc: "Factor on its size, from 0.001 to 1000.",
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
            doc: "Its state machine; set it to what `machine { … }` gives. Every clip, bone, state and \
                  parameter it names is checked then. The states of the one before are left: their \
                  `exit` has no `to`, open intervals end with `cut`.",
            get: get_machine,
            set: Some((Type::Object("MachineDefinition"), set_machine)),
        },
    ],
};
