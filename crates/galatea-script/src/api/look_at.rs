//! `hero:look_at` and `hero:idle_motion`: gaze, and idle motion of the body.

use glam::Vec3;
use mlua::{Lua, Value};

use super::character_ref::{CharacterRef, clip_index, find};
use super::check::{Args, OptionValue, Options, Param, Type, object};
use super::goal::{CAMERA, GoalOptions, goal};
use super::group::Function;
use super::lean_and_warp::ends;
use super::modifier_list::{ModifierOptions, put};
use crate::words;
use crate::world::with_world;
use galatea_character::{
    Character, Goal, IdleMotionModifier, LookAtModifier, LookReach, LookTarget, MAX_LOOK_TARGETS,
    ModifierKind, TurnClips,
};
use galatea_derive::Options;
use galatea_machine::NotAlone;
use galatea_math::names::nearest_hint;
use galatea_rig::gaze::{Gaze, GazeOptions, GazeTiming, OutOfRange};
use galatea_rig::idle_motion::{self, IdleMotion, IdleMotionInput};
use galatea_rig::turning::TurnLimits;
use galatea_stage::Stage;

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

words!(OutOfRange {
    "release" => OutOfRange::Release,
    "clamp" => OutOfRange::Clamp,
});

words!(GazeTiming {
    "steady" => GazeTiming::STEADY,
    "listening" => GazeTiming::LISTENING,
    "speaking" => GazeTiming::SPEAKING,
});

/// Behaviour of a gaze. Fields left out keep their values.
#[derive(Options)]
struct GazeFields {
    /// How far the chest turns with the gaze: the fraction of the angle beyond 25 degrees that it takes. At 0 the
    /// chest stays still.
    #[option(default_doc = "0.35", clamp = 0.0..=1.0)]
    chest_weight: Option<f32>,
    /// Full angle of the view cone, in which the character notices targets; its middle is straight ahead. A noticed
    /// target is dropped only outside a cone that is 30 degrees wider.
    #[option(default_doc = "120", unit = "degrees", clamp = 0.0..=330.0)]
    view_angle: Option<f32>,
    /// Behaviour for a target outside the view cone: "release" looks elsewhere, "clamp" looks as far towards it as
    /// possible.
    #[option(default_doc = "release")]
    out_of_range: Option<OutOfRange>,
    /// Strength of small random eye movements; 0 keeps the eyes still.
    #[option(default_doc = "1", clamp = 0.0..=1.0)]
    eye_activity: Option<f32>,
    /// Factor on how often the character blinks; with 0 it never blinks.
    #[option(default_doc = "1", clamp = 0.0..=20.0)]
    blink_rate: Option<f32>,
    /// How often the character looks away from the target: "steady" hardly ever, "listening" a quarter of the time,
    /// "speaking" more than half of it.
    #[option(default_doc = "steady")]
    gaze_mode: Option<GazeTiming>,
}

impl GazeFields {
    fn apply(&self, options: &mut GazeOptions) {
        options.chest_fraction = self.chest_weight.unwrap_or(options.chest_fraction);
        if let Some(cone) = self.view_angle {
            options.accept_angle = (0.5 * cone).to_radians();
            options.release_angle = (0.5 * cone + 15.0).to_radians();
        }
        options.out_of_range = self.out_of_range.unwrap_or(options.out_of_range);
        options.eye_activity = self.eye_activity.unwrap_or(options.eye_activity);
        options.blink_rate = self.blink_rate.unwrap_or(options.blink_rate);
        options.gaze_mode = self.gaze_mode.unwrap_or(options.gaze_mode);
    }
}

/// Options of `hero:look_at`.
#[derive(Options)]
struct LookAtOptions {
    #[option(flatten)]
    modifier: ModifierOptions,
    #[option(flatten)]
    goal: GoalOptions,
    /// Radius of the target, within which the gaze moves.
    #[option(default_doc = "that of a face for characters, otherwise 0", unit = "metres", clamp = 0.0..)]
    target_radius: Option<f32>,
    /// Fraction of their range of motion that the eyes use.
    #[option(default = 1.0, clamp = 0.0..=1.0)]
    eyes_weight: f32,
    /// Fraction of its range of motion that the head uses.
    #[option(default = 1.0, clamp = 0.0..=1.0)]
    head_weight: f32,
    /// Maximum angle of the eyes to the side, instead of that of the file.
    #[option(default_doc = "that of the file (VRM), otherwise 35", unit = "degrees", clamp = 0.0..=90.0)]
    max_eye_side: Option<f32>,
    /// Maximum upward angle of the eyes, instead of that of the file.
    #[option(default_doc = "that of the file (VRM), otherwise 25", unit = "degrees", clamp = 0.0..=90.0)]
    max_eye_up: Option<f32>,
    /// Maximum downward angle of the eyes, instead of that of the file.
    #[option(default_doc = "that of the file (VRM), otherwise 35", unit = "degrees", clamp = 0.0..=90.0)]
    max_eye_down: Option<f32>,
    #[option(flatten)]
    gaze: GazeFields,
    /// True, or a table of options, makes the character turn on the spot to a target outside its view cone. It turns
    /// only while it stands and nothing else moves it.
    #[option(default_doc = "false")]
    turn_in_place: Option<LookTurn>,
}

/// Options of turning on the spot.
#[derive(Default, Options)]
pub(super) struct TurnInPlaceOptions {
    /// Name of a clip that turns to the left, or of a state of the machine with a single such clip.
    #[option(default_doc = "a clip with such a name, otherwise steps of `foot_ik`")]
    left_clip: Option<String>,
    /// Name of a clip that turns to the right, or of a state of the machine with a single such clip. If only one side
    /// has a clip, the clip is mirrored for the other side.
    #[option(default_doc = "a clip with such a name, otherwise steps of `foot_ik`")]
    right_clip: Option<String>,
    /// Maximum turning speed, if no clip is used.
    #[option(default_doc = "110", unit = "degrees per second", clamp = 1.0..=7200.0)]
    turn_rate: Option<f32>,
    /// Acceleration of the turn, if no clip is used.
    #[option(default_doc = "300", unit = "degrees per second squared", clamp = 1.0..=7200.0)]
    turn_acceleration: Option<f32>,
}

/// Turning of a character to the target of its look-at.
enum LookTurn {
    No,
    Yes(TurnInPlaceOptions),
}

impl OptionValue for LookTurn {
    const TYPE: Type = Type::OneOf(&[Type::Bool, TurnInPlaceOptions::TYPE]);

    fn from_value(value: Value) -> Result<Self, String> {
        if value.as_boolean() == Some(false) {
            return Ok(Self::No);
        }
        TurnInPlaceOptions::from_value(value).map(Self::Yes)
    }
}

/// Options of one target in a list of several.
#[derive(Options)]
struct LookTargetOptions {
    #[option(flatten)]
    goal: GoalOptions,
    /// How attractive the target is, relative to the others; 1 is normal.
    #[option(default = 1.0, clamp = 0.0..)]
    interest: f32,
    /// Radius of the target, within which the gaze moves.
    #[option(default_doc = "that of a face for characters, otherwise 0", unit = "metres", clamp = 0.0..)]
    target_radius: Option<f32>,
}

/// Reads a target of the gaze; a character without a bone is looked at in the face.
fn look_target(
    lua: &Lua,
    stage: &mut Stage,
    value: &Value,
    options: &LookTargetOptions,
) -> mlua::Result<LookTarget> {
    let Some(mut found) = goal(lua, stage, "look_at", value, &options.goal)? else {
        return Err(wrong("look_at: a target is missing"));
    };
    let mut radius = 0.0;
    if let (Some(CharacterRef(other)), None) = (object(value), &options.goal.target_bone)
        && let Goal::On { bone, at, .. } = &mut found
        && let Some((head, eyes, size)) = face(find(stage, other)?)
    {
        (*bone, *at, radius) = (Some(head), *at + eyes, size);
    }
    Ok(LookTarget {
        goal: found,
        interest: options.interest,
        radius: options.target_radius.unwrap_or(radius),
        position: None,
    })
}

impl LookTargetOptions {
    fn of(goal: GoalOptions, radius: Option<f32>) -> Self {
        Self {
            goal,
            interest: 1.0,
            target_radius: radius,
        }
    }
}

/// The head bone of a character, the point between the eyes in its space, and the radius of the face, metres.
fn face(character: &Character) -> Option<(u16, Vec3, f32)> {
    let rig = character.definition.gaze_rig().ok()?;
    let size = 0.05 * rig.size * character.placement.scale.abs();
    Some((rig.head.bone, rig.eye_middle, size))
}

/// Reads all targets of the gaze.
fn look_targets(lua: &Lua, args: &Args, alone: LookTargetOptions) -> mlua::Result<Vec<LookTarget>> {
    let value = args.value(1);
    let listed = match &value {
        Value::Table(table) => table.raw_len() > 0,
        _ => false,
    };
    if value.is_nil() {
        return Ok(Vec::new());
    }
    if !listed {
        return with_world(lua, |world| {
            Ok(vec![look_target(lua, &mut world.stage, &value, &alone)?])
        });
    }
    let Value::Table(list) = value else {
        return Ok(Vec::new());
    };
    if list.raw_len() > MAX_LOOK_TARGETS {
        return Err(wrong(format!(
            "look_at: a list can have at most {MAX_LOOK_TARGETS} targets, got {}",
            list.raw_len()
        )));
    }
    let mut all = Vec::new();
    for entry in list.sequence_values::<Value>() {
        let entry = entry?;
        let one = match &entry {
            Value::Table(table) if table.raw_len() == 1 => {
                let first: Value = table.raw_get(1)?;
                let options = lua.create_table()?;
                for pair in table.pairs::<Value, Value>() {
                    let (key, value) = pair?;
                    if !matches!(key, Value::Integer(1)) && key.as_number() != Some(1.0) {
                        options.raw_set(key, value)?;
                    }
                }
                let options = Value::Table(options);
                let options = LookTargetOptions::TYPE
                    .check(&options)
                    .and_then(|()| LookTargetOptions::from_value(options))
                    .map_err(|why| wrong(format!("look_at: {why}")))?;
                with_world(lua, |world| {
                    look_target(lua, &mut world.stage, &first, &options)
                })?
            }
            other => {
                let plain = LookTargetOptions::of(GoalOptions::default(), None);
                with_world(lua, |world| {
                    look_target(lua, &mut world.stage, other, &plain)
                })?
            }
        };
        all.push(one);
    }
    Ok(all)
}

/// Returns an error if there is neither a clip of the name nor a state that plays a single clip.
fn check_turn_clip(character: &Character, name: &str) -> mlua::Result<()> {
    let why = match (
        character
            .playback
            .clip_or_state(&character.definition, name),
        &character.playback.machine,
    ) {
        (Ok(_), _) => return Ok(()),
        (Err(NotAlone::Unknown), None) => return clip_index(character, name).map(|_| ()),
        (Err(NotAlone::Unknown), Some((machine, _))) => {
            let layers = 0..machine.layer_names().count();
            let states = layers.flat_map(|layer| machine.state_names(layer));
            let hint = nearest_hint(name, character.definition.clips.names().chain(states));
            let model = &character.definition.model.name;
            format!("the model {model:?} has no clip or state {name:?}{hint}")
        }
        (Err(NotAlone::Several), _) => {
            format!("the state {name:?} must play exactly one clip")
        }
        (Err(NotAlone::Stands), _) => format!("the state {name:?} must play its clip forwards"),
    };
    Err(mlua::Error::runtime(format!("turn_in_place: {why}")))
}

/// Stores the options of turning on the spot.
pub(super) fn set_turns(
    character: &mut Character,
    options: TurnInPlaceOptions,
) -> mlua::Result<()> {
    let TurnInPlaceOptions {
        left_clip: left,
        right_clip: right,
        ..
    } = options;
    for name in [&left, &right].into_iter().flatten() {
        check_turn_clip(character, name)?;
    }
    let turns = character
        .locomotion
        .turning_in_place
        .get_or_insert_default();
    turns.clips = TurnClips { left, right };
    let usual = TurnLimits::default();
    let acceleration = options.turn_acceleration.map(f32::to_radians);
    turns.speed = TurnLimits {
        speed: options.turn_rate.map_or(usual.speed, f32::to_radians),
        acceleration: acceleration.unwrap_or(usual.acceleration),
    };
    Ok(())
}

/// Sets the option `turn_in_place` of a look-at.
fn set_look_turns(character: &mut Character, turn: Option<LookTurn>) -> mlua::Result<()> {
    match turn {
        None => return Ok(()),
        Some(LookTurn::No) => {
            if let Some(turns) = &mut character.locomotion.turning_in_place {
                turns.follows_gaze = false;
            }
            return Ok(());
        }
        Some(LookTurn::Yes(options)) => set_turns(character, options)?,
    }
    character
        .locomotion
        .turning_in_place
        .get_or_insert_default()
        .follows_gaze = true;
    Ok(())
}

fn look_at(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: LookAtOptions = args.options(2)?;
    if ends(lua, &args, "look_at", options.modifier.fade)? {
        return Ok(Value::Nil);
    }
    let handle = args.character()?;
    let alone = LookTargetOptions::of(options.goal, options.target_radius);
    let things = look_targets(lua, &args, alone)?;
    let seed = handle.to_u64();
    let common = options.modifier;
    put(
        lua,
        handle,
        "look_at",
        "look_at".into(),
        common,
        |character| {
            set_look_turns(character, options.turn_in_place)?;
            let definition = character.definition.clone();
            let known = character
                .modifiers
                .modifier_stack_mut()
                .named("look_at")
                .map(|known| &known.kind);
            let (gaze, attention) = match known {
                Some(ModifierKind::LookAt(known)) => (known.gaze.clone(), known.attention.clone()),
                _ => (Gaze::new(GazeOptions::default(), seed), Default::default()),
            };
            let reach = LookReach {
                eyes: options.eyes_weight,
                head: options.head_weight,
                eye_range: [
                    options.max_eye_side,
                    options.max_eye_up,
                    options.max_eye_down,
                ]
                .map(|degrees| degrees.map(f32::to_radians)),
            };
            let (mut looking, missing) = LookAtModifier::new(&definition, gaze, reach);
            looking.attention = attention;
            looking.targets = things;
            options.gaze.apply(&mut looking.gaze.options);
            Ok((ModifierKind::LookAt(Box::new(looking)), missing))
        },
    )
}

/// A target to look at, a list of them, or false.
const TARGETS_OR_FALSE: Type = Type::OneOf(&[
    Type::Vector,
    CharacterRef::TYPE,
    CAMERA,
    Type::List(&Type::OneOf(&[
        Type::Vector,
        CharacterRef::TYPE,
        CAMERA,
        Type::Table(
            "{ [number]: vector | Character | { forward: () -> vector }, interest: number?, target_radius: number?, \
             target_bone: string?, target_offset: vector?, target_space: string? }",
        ),
    ])),
    Type::Bool,
]);

/// `hero:look_at(target)`.
pub(super) const LOOK_AT: Function = Function {
    name: "look_at",
    params: &[
        Param {
            name: "target",
            ty: TARGETS_OR_FALSE,
            optional: true,
        },
        Param::options(LookAtOptions::SHAPE),
    ],
    returns: "Modifier",
    doc: "Makes the character look at a target: a position, a character (its face), or `camera`. The eyes move first, the \
          head follows, and the chest turns a little. The character also blinks, and its gaze moves over the target.\n\n\
          - A list of targets makes it look at the most attractive one. Each entry is a target, or a table with a target and \
          its `interest` and `target_radius`.\n\
          - Nil lets the gaze wander; `false` ends it.\n\
          - A target outside the view cone is dropped; then `hero.required_turn` is the angle to turn.\n\
          - With `turn_in_place` the character turns on the spot first. It uses a clip named `turn_left`, `turn_right_90`, \
          `turn_180` or similar, otherwise steps of `foot_ik`. It does not turn while it walks, follows `move` or is lying \
          down, so a player's input wins.",
    example: "hero:look_at(camera)\nhero:look_at(vec(0, 1.6, -3), { turn_in_place = true })\nhero:look_at({ { camera, interest = 2 }, vec(2, 1, 3) }, { head_weight = 0.7, max_eye_side = 20 })\nhero:look_at()\nhero:look_at(false)",
    call: look_at,
};

fn get_required_turn(lua: &Lua, args: Args) -> mlua::Result<Value> {
    super::character_ref::with_character(lua, &args, |_, character| {
        let modifiers = character
            .modifiers
            .modifier_stack
            .iter()
            .flat_map(|stack| &stack.modifiers);
        let wanted = modifiers
            .into_iter()
            .find_map(|modifier| match &modifier.kind {
                ModifierKind::LookAt(looking) => looking.gaze.required_turn(),
                _ => None,
            });
        Ok(wanted.map_or(Value::Nil, |yaw| Value::Number(f64::from(yaw.to_degrees()))))
    })
}

/// `hero.required_turn`.
pub(super) const REQUIRED_TURN: super::group::Property = super::group::Property {
    name: "required_turn",
    ty: "number?",
    doc: "Angle about +Y, degrees, by which the character must turn to face the target of `look_at`. It is nil if the head \
          can reach the target. `hero:look_at(target, { turn_in_place = true })` and `task:turn_to` turn the character.",
    get: get_required_turn,
    set: None,
};

/// Options of `hero:idle_motion`. Fields left out keep their values.
#[derive(Options)]
struct IdleMotionOptions {
    #[option(flatten)]
    modifier: ModifierOptions,
    /// Factor on the depth of breathing; 0 is none.
    #[option(default_doc = "1", clamp = 0.0..=4.0)]
    breath: Option<f32>,
    /// Factor on the shift of weight from foot to foot, which needs `foot_ik`.
    #[option(default_doc = "1", clamp = 0.0..=4.0)]
    sway: Option<f32>,
    /// Factor on the small random motions of torso, arms and fingers.
    #[option(default_doc = "1", clamp = 0.0..=4.0)]
    noise: Option<f32>,
    /// Effort: from 0, at rest, to 1, out of breath.
    #[option(default_doc = "0", clamp = 0.0..=1.0)]
    effort: Option<f32>,
    /// Mood: from -1, sad, to 1, glad. It lowers or raises the chest.
    #[option(default_doc = "0", clamp = -1.0..=1.0)]
    valence: Option<f32>,
    /// Arousal: from -1, sleepy, to 1, excited. It makes all motions slower or faster.
    #[option(default_doc = "0", clamp = -1.0..=1.0)]
    arousal: Option<f32>,
}

fn idle_motion(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let new: IdleMotionOptions = args.options(1)?;
    if ends(lua, &args, "idle_motion", new.modifier.fade)? {
        return Ok(Value::Nil);
    }
    let handle = args.character()?;
    let seed = handle.to_u64();
    let common = new.modifier;
    put(
        lua,
        handle,
        "idle_motion",
        "idle_motion".into(),
        common,
        |character| {
            let rig = character.definition.idle_motion_rig();
            let missing = rig.as_ref().err().cloned();
            let known = character
                .modifiers
                .modifier_stack_mut()
                .named("idle_motion")
                .map(|known| &known.kind);
            let (mut alive, mut mood) = match known {
                Some(ModifierKind::IdleMotion(known)) => (known.idle_motion.clone(), known.mood),
                _ => (
                    IdleMotion::new(idle_motion::IdleMotionSettings::default(), seed),
                    IdleMotionInput::default(),
                ),
            };
            let now = alive.options;
            alive.options = idle_motion::IdleMotionSettings {
                breath: new.breath.unwrap_or(now.breath),
                sway: new.sway.unwrap_or(now.sway),
                noise: new.noise.unwrap_or(now.noise),
            };
            mood.effort = new.effort.unwrap_or(mood.effort);
            mood.valence = new.valence.unwrap_or(mood.valence);
            mood.arousal = new.arousal.unwrap_or(mood.arousal);
            let living = IdleMotionModifier {
                rig: rig.ok(),
                idle_motion: alive,
                mood,
            };
            Ok((ModifierKind::IdleMotion(Box::new(living)), missing))
        },
    )
}

/// `hero:idle_motion()`.
pub(super) const IDLE_MOTION: Function = Function {
    name: "idle_motion",
    params: &[Param {
        name: "options",
        ty: Type::OneOf(&[IdleMotionOptions::TYPE, Type::Bool]),
        optional: true,
    }],
    returns: "Modifier",
    doc: "Adds breathing, shifts of weight and other small motions on top of the clips. A human-like body without clips has \
          them from the start. `idle_motion(false)` fades them out.",
    example: "hero:idle_motion { effort = 0.8, arousal = 0.5 }\nhero:idle_motion(false)",
    call: idle_motion,
};
