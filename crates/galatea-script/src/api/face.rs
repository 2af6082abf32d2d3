//! `hero.face`: mood, expressions and single targets of a face.

use mlua::{Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::character_ref::find;
use super::check::{Args, Options, Param, Type, lua_number, number};
use super::face_mix::mix_of;
use super::face_options::{
    FaceFadeOptions, FaceOptions, MicroExpressionOptions, MoodOptions, ShowOptions, options,
};
use super::face_ref::{EXPRESSION_VALUE, FaceRef, WEIGHTS, face_of, facing, with_face, wrong};
use super::group::{Function, Group, Kind, Property};
use super::shown_expression_handle::shown;
use super::{face_shapes, face_wrinkles};
use crate::world::with_world;
use galatea_character::FaceModifier;
use galatea_face::{Feeling, Mix, key};

impl UserData for FaceRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

fn mood(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = face_of(&args)?;
    let value = args.value(1);
    let MoodOptions { intensity, fade } = args.options(2)?;
    with_world(lua, |world| {
        let id = world.stage.ids.new_id();
        let rig = facing(find(&mut world.stage, handle)?, handle, id)?
            .rig
            .clone();
        let (mix, feeling, intensity) = match &value {
            Value::Nil | Value::Boolean(false) => (Mix::default(), Feeling::default(), 0.0),
            Value::Table(table) if is_feeling(table) => {
                let of = |name: &str| -> mlua::Result<f32> {
                    let value: Value = table.raw_get(name)?;
                    match number(&value) {
                        Some(n) if (-1.0..=1.0).contains(&n) => Ok(n as f32),
                        None if value.is_nil() => Ok(0.0),
                        _ => Err(wrong(format!("mood: {name} must be a number from -1 to 1"))),
                    }
                };
                let feeling = Feeling {
                    valence: of("valence")?,
                    arousal: of("arousal")?,
                };
                (shown_by(feeling, &rig), feeling, 1.0)
            }
            Value::String(name) => {
                let name = name.to_string_lossy();
                let own = world.program.expressions.names().any(|own| own == name);
                let feeling = Feeling::of(&key(&name)).or_else(|| Feeling::of(&name));
                let mix = match feeling {
                    Some(feeling) if !own && rig.find(&name).is_none() => shown_by(feeling, &rig),
                    _ => mix_of(
                        lua,
                        &mut world.program.expressions,
                        &*world.services,
                        &rig,
                        "mood",
                        &value,
                    )?,
                };
                (mix, feeling.unwrap_or_default(), intensity)
            }
            other => {
                let mix = mix_of(
                    lua,
                    &mut world.program.expressions,
                    &*world.services,
                    &rig,
                    "mood",
                    other,
                )?;
                let mut sum = Feeling::default();
                for (name, weight) in &mix.parts {
                    let feeling = Feeling::of(name).unwrap_or_default();
                    sum.valence += feeling.valence * weight;
                    sum.arousal += feeling.arousal * weight;
                }
                (mix, sum.clamped(), intensity)
            }
        };
        let face = &mut facing(find(&mut world.stage, handle)?, handle, id)?.face;
        let strength = (intensity / 0.6).min(1.0);
        face.goal = Feeling {
            valence: feeling.valence * strength,
            arousal: feeling.arousal * strength,
        };
        face.set_mood(mix, intensity, fade);
        Ok(Value::Nil)
    })
}

fn is_feeling(table: &Table) -> bool {
    let has = |name: &str| {
        table
            .raw_get::<Value>(name)
            .is_ok_and(|value| !value.is_nil())
    };
    has("valence") || has("arousal")
}

/// The expressions of a feeling that the face has.
fn shown_by(feeling: Feeling, rig: &galatea_face::FaceRig) -> Mix {
    let parts = feeling.expressions().into_iter();
    let parts = parts.filter(|(name, _)| rig.find(name).is_some());
    Mix::new(parts.map(|(name, w)| (name.to_owned(), w)).collect(), rig)
}

fn show(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = face_of(&args)?;
    let value = args.value(1);
    let options: ShowOptions = args.options(2)?;
    let usual = if options.micro { 0.5 } else { 1.0 };
    let intensity = options.intensity.unwrap_or(usual);
    let id = with_world(lua, |world| {
        let id = world.stage.ids.new_id();
        let rig = facing(find(&mut world.stage, handle)?, handle, id)?
            .rig
            .clone();
        let mix = mix_of(
            lua,
            &mut world.program.expressions,
            &*world.services,
            &rig,
            "show",
            &value,
        )?;
        let face = &mut facing(find(&mut world.stage, handle)?, handle, id)?.face;
        let number = face.show(mix, options.layer, intensity, options.envelope());
        if let Some(shown) = face.expression_mut(number) {
            shown.side = options.side.0;
        }
        Ok(number)
    })?;
    shown(lua, handle, id)
}

fn set(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = face_of(&args)?;
    let name = args.text(1).unwrap_or_default();
    let FaceFadeOptions { fade } = args.options(3)?;
    let Some(value) = args.number(2) else {
        return with_face(lua, handle, |facing| {
            facing
                .rig
                .control(&name)
                .map_err(|why| wrong(format!("set: {why}")))?;
            facing.face.release_control(Some(&name), fade);
            Ok(Value::Nil)
        });
    };
    if !(-1.0..=1.0).contains(&value) {
        return Err(wrong(format!(
            "set: the weight must be -1 to 1, got {value}"
        )));
    }
    with_face(lua, handle, |facing| {
        facing
            .rig
            .control(&name)
            .map_err(|why| wrong(format!("set: {why}")))?;
        facing.face.hold(&facing.rig, &name, value as f32, fade);
        Ok(Value::Nil)
    })
}

fn clear(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = face_of(&args)?;
    let FaceFadeOptions { fade } = args.options(1)?;
    with_face(lua, handle, |facing| {
        facing.face.release_control(None, fade);
        for shown in facing
            .face
            .expressions
            .iter_mut()
            .filter(|shown| !shown.lasting)
        {
            shown.release(Some(fade));
        }
        Ok(Value::Nil)
    })
}

/// Calls `f` with the face and one of its controls.
fn with_control(
    lua: &Lua,
    args: &Args,
    f: impl FnOnce(&FaceModifier, u16) -> mlua::Result<Value>,
) -> mlua::Result<Value> {
    let name = args.text(1).unwrap_or_default();
    with_face(lua, face_of(args)?, |facing| {
        let control = facing.rig.control(&name).map_err(wrong)?;
        f(facing, control)
    })
}

fn get(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_control(lua, &args, |facing, control| {
        Ok(lua_number(facing.face.shown_of(&facing.rig, control)))
    })
}

fn contributions(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let values = with_world(lua, |_| lua.create_table())?;
    with_control(lua, &args, |facing, control| {
        let parts = facing.face.owners(&facing.rig, control).unwrap_or_default();
        for (name, value) in ["mood", "speech", "reflex", "script", "script_weight"]
            .iter()
            .zip(parts)
        {
            values.raw_set(*name, lua_number(value))?;
        }
        values.raw_set(
            "total",
            lua_number(facing.face.shown_of(&facing.rig, control)),
        )?;
        Ok(Value::Nil)
    })?;
    Ok(Value::Table(values))
}

fn names(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let all: Vec<(String, String)> = with_face(lua, face_of(&args)?, |facing| {
        let controls = facing.rig.controls.iter();
        Ok(controls.map(|c| (c.name.clone(), c.how.clone())).collect())
    })?;
    let table = lua.create_table()?;
    for (name, how) in all {
        table.raw_set(name, how)?;
    }
    Ok(Value::Table(table))
}

fn blink(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_face(lua, face_of(&args)?, |facing| {
        facing.face.own_lids.blink();
        Ok(Value::Nil)
    })
}

fn micro_expression(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = face_of(&args)?;
    let value = args.value(1);
    let options: MicroExpressionOptions = args.options(2)?;
    let times = [
        options.min_interval,
        options.max_interval.max(options.min_interval),
    ];
    with_world(lua, |world| {
        let id = world.stage.ids.new_id();
        let rig = facing(find(&mut world.stage, handle)?, handle, id)?
            .rig
            .clone();
        let mix = match &value {
            Value::Nil | Value::Boolean(false) => None,
            other => Some(mix_of(
                lua,
                &mut world.program.expressions,
                &*world.services,
                &rig,
                "micro_expression",
                other,
            )?),
        };
        let face = &mut facing(find(&mut world.stage, handle)?, handle, id)?.face;
        match mix {
            Some(mix) => face.set_micro_expression(mix, options.intensity, times),
            None => face.micro_expression = None,
        }
        Ok(Value::Nil)
    })
}

fn get_valence(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_face(lua, face_of(&args)?, |facing| {
        Ok(lua_number(facing.face.feeling.valence))
    })
}

fn get_arousal(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_face(lua, face_of(&args)?, |facing| {
        Ok(lua_number(facing.face.feeling.arousal))
    })
}

fn get_walk_speed_scale(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_face(lua, face_of(&args)?, |facing| {
        Ok(lua_number(facing.face.feeling.walk_speed_scale()))
    })
}

fn get_blink_amount(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_face(lua, face_of(&args)?, |facing| {
        Ok(lua_number(facing.face.lids))
    })
}

fn get_use_microphone(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_face(lua, face_of(&args)?, |facing| {
        Ok(Value::Boolean(facing.live))
    })
}

fn set_use_microphone(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let live = matches!(args.value(1), Value::Boolean(true));
    with_face(lua, face_of(&args)?, |facing| {
        facing.live = live;
        Ok(Value::Nil)
    })
}

fn get_face(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    with_world(lua, |world| find(&mut world.stage, handle).map(|_| ()))?;
    Ok(Value::UserData(lua.create_userdata(FaceRef(handle))?))
}

/// `hero.face`.
pub(super) const FACE: Property = Property {
    name: "face",
    ty: "Face",
    doc: "Face of the character, for expressions and moods.",
    get: get_face,
    set: None,
};

const EXPRESSION_OR_FALSE: Type = Type::OneOf(&[Type::Text, WEIGHTS, Type::Bool]);

const NAME: Param = Param {
    name: "name",
    ty: Type::Text,
    optional: false,
};

/// Methods and properties of a face.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Face",
    doc: "The face of a character, `hero.face`. Its parts are morph targets, expressions of the file (VRM), and bones \
          of the jaw, the lids and the brows. A script uses each part by its name.\n\n\
          - Every face has the face shapes of ARKit (Apple's list of names such as `jawOpen`) and these emotions: \
          anger, concentration, confusion, contempt, desire, disgust, excitement, fear, happiness, sadness, surprise. \
          If the file lacks one, Galatea makes it from other parts. `galatea inspect` shows from which.\n\
          - Five layers move the face: base (clips and gaze), mood, speech, reflex (blinks) and script. Their values \
          are added together. A blink closes the eye from its current opening.\n\
          - A value that a script sets overrides the other layers until the script clears it.",
    functions: &[
        Function {
            name: "mood",
            params: &[
                Param {
                    name: "what",
                    ty: EXPRESSION_OR_FALSE,
                    optional: true,
                },
                Param::options(MoodOptions::SHAPE),
            ],
            returns: "",
            doc: "Sets the lasting mood of the face. It is visible whenever the face shows no other expression. A call \
                  with nil ends the mood. `what` is one of these:\n\n\
                  - an emotion or expression, such as \"happiness\";\n\
                  - a word for a mood, such as \"calm\", \"tired\" or \"tense\";\n\
                  - a table of names and weights, such as { smile = 0.3, brow_up = 0.2 };\n\
                  - a feeling as two numbers from -1 to 1, such as { valence = -0.6, arousal = -0.3 }.\n\n\
                  The mood also changes the rate of blinks, `idle_motion` and the loudness of speech. A script can read \
                  `face.valence`, `face.arousal` and `face.walk_speed_scale`.",
            example: "hero.face:mood(\"happiness\", { intensity = 0.5 })\nhero.face:mood { valence = -0.6, arousal = -0.3 }\nhero.face:mood()",
            call: mood,
        },
        Function {
            name: "show",
            params: &[
                Param {
                    name: "what",
                    ty: EXPRESSION_VALUE,
                    optional: false,
                },
                Param::options(ShowOptions::SHAPE),
            ],
            returns: "ShownExpression",
            doc: "Shows an expression for a limited time. As long as it is visible, it replaces the mood. `what` is the \
                  name of an expression or emotion, or a table of names and weights. Returns a `ShownExpression`, with \
                  which you can change and stop the expression.",
            example: "hero.face:show(\"surprise\", { hold_time = 0.4 })\nhero.face:show({ anger = 0.4, disgust = 0.5 }, { side = \"left\" })\nhero.face:show(\"fear\", { micro = true })",
            call: show,
        },
        Function {
            name: "set",
            params: &[
                NAME,
                Param {
                    name: "weight",
                    ty: Type::Number,
                    optional: true,
                },
                Param::options(FaceFadeOptions::SHAPE),
            ],
            returns: "",
            doc: "Sets the weight of one morph target, shape or expression, 0 to 1. The weight overrides all other \
                  layers of the face. A call without a weight gives the control back to the other layers.",
            example: "hero.face:set(\"smile\", 0.6, { fade = 0.2 })\nhero.face:set(\"smile\")",
            call: set,
        },
        Function {
            name: "clear",
            params: &[Param::options(FaceFadeOptions::SHAPE)],
            returns: "",
            doc: "Clears all weights and expressions that the script has set; the mood stays. The other layers then \
                  control the face again.",
            example: "hero.face:clear { fade = 0.3 }",
            call: clear,
        },
        Function {
            name: "get",
            params: &[NAME],
            returns: "number",
            doc: "Returns the weight that a morph target, shape or expression had in the last tick, as the result of \
                  all layers.",
            example: "print(hero.face:get(\"smile\"))",
            call: get,
        },
        Function {
            name: "contributions",
            params: &[NAME],
            returns: "{ [string]: number }",
            doc: "Returns how much each layer moved a part of the face in the last tick. The result has the fields \
                  `mood`, `speech`, `reflex` (how far a blink closes the part) and `script`. `script_weight` says how \
                  much the script overrides the other layers, 0 to 1. `total` is the weight that resulted.",
            example: "for owner, value in hero.face:contributions(\"blink\") do print(owner, value) end",
            call: contributions,
        },
        Function {
            name: "names",
            params: &[],
            returns: "{ [string]: string }",
            doc: "Returns a table with the names of everything that the face can show. The value of a name is a text \
                  that says from which parts Galatea makes it. The text is empty if it is a morph target of the file.",
            example: "for name, how in hero.face:names() do print(name, how) end",
            call: names,
        },
        Function {
            name: "blink",
            params: &[],
            returns: "",
            doc: "Makes the character blink now.",
            example: "hero.face:blink()",
            call: blink,
        },
        Function {
            name: "micro_expression",
            params: &[
                Param {
                    name: "what",
                    ty: EXPRESSION_OR_FALSE,
                    optional: true,
                },
                Param::options(MicroExpressionOptions::SHAPE),
            ],
            returns: "",
            doc: "Makes the face show a hidden feeling now and then, each time as a micro-expression of about 0.2 s. \
                  `what` is the name of an emotion or expression. A call with nil ends this.",
            example: "hero.face:mood(\"happiness\")\nhero.face:micro_expression(\"contempt\", { min_interval = 3, max_interval = 8 })",
            call: micro_expression,
        },
        Function {
            name: "configure",
            params: &[Param::options(FaceOptions::SHAPE)],
            returns: "",
            doc: "Changes the settings of the face. Settings that you leave out keep their values.",
            example: "hero.face:configure { asymmetry = 0.1, mouth_weight = 0.5 }",
            call: options,
        },
        face_shapes::SHAPE,
        face_shapes::SHAPES,
        face_shapes::RANDOMIZE,
        face_wrinkles::WRINKLE,
        face_wrinkles::WRINKLES,
    ],
    properties: &[
        Property {
            name: "valence",
            ty: "number",
            doc: "How pleasant the current mood is: from -1 (bad) to 1 (good).",
            get: get_valence,
            set: None,
        },
        Property {
            name: "arousal",
            ty: "number",
            doc: "How excited the current mood is: from -1 (sleepy) to 1 (excited).",
            get: get_arousal,
            set: None,
        },
        Property {
            name: "walk_speed_scale",
            ty: "number",
            doc: "Factor on the walking speed that fits the mood, 0.75 to 1.25. Nothing uses it unless your script \
                  does: multiply the walking speed by it.",
            get: get_walk_speed_scale,
            set: None,
        },
        Property {
            name: "blink_amount",
            ty: "number",
            doc: "How far a blink closes the lids at present: 0 is not at all, 1 is closed.",
            get: get_blink_amount,
            set: None,
        },
        Property {
            name: "use_microphone",
            ty: "boolean",
            doc: "True makes the mouth follow the voice of the player at the microphone, as long as the character \
                  speaks no line. The default is false. For tests, `galatea play --microphone FILE` uses a recording \
                  instead of the microphone.",
            get: get_use_microphone,
            set: Some((Type::Bool, set_use_microphone)),
        },
    ],
};
