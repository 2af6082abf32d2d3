//! `hero:feet` and `hero:reach`: limbs that go where the world has something for them.

use glam::Vec3;
use mlua::{Lua, Value};

use super::carriage::ends;
use super::character_ref::{bone_index, find};
use super::check::{Args, OptionValue, Options, Param, Type};
use super::goal::{GoalOptions, GoalTurnOptions, TARGET, turned_goal};
use super::group::Function;
use super::pointing::{check_name, lets_go};
use super::stack::{ModifierOptions, put};
use crate::world::with_world;
use galatea_character::{FootPlacement, HandGrip, ModifierKind, Reaching};
use galatea_derive::Options;
use galatea_rig::feet::{self, Feet};

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Options of `hero:feet`. Fields left out keep their values.
#[derive(Options)]
struct FeetOptions {
    #[option(flatten)]
    modifier: ModifierOptions,
    /// Planted feet stay where they are.
    #[option(default_doc = "true")]
    hold: Option<bool>,
    /// The feet emit the event `step`, instead of the marks of the clips.
    #[option(default_doc = "true")]
    steps: Option<bool>,
    /// Distance of a planted foot from its pose in the clip at which it steps, as a share of the leg.
    #[option(default_doc = "0.3", clamp = 0.0..=10.0)]
    release: Option<f32>,
    /// Maximum height of the ground above the character's position, as a share of the leg.
    #[option(default_doc = "0.55", clamp = 0.0..=10.0)]
    up: Option<f32>,
    /// Maximum depth of the ground below the character's position, as a share of the leg.
    #[option(default_doc = "0.55", clamp = 0.0..=10.0)]
    down: Option<f32>,
    /// Maximum slope to which feet align.
    #[option(default_doc = "40", unit = "degrees", clamp = 0.0..=85.0)]
    slope: Option<f64>,
    /// Share of the ground's height by which the body moves.
    #[option(default_doc = "1", clamp = 0.0..=1.0)]
    body: Option<f32>,
    /// Smoothing time of the body's height.
    #[option(default_doc = "0.12", unit = "seconds", clamp = 0.0..=10.0)]
    smooth: Option<f32>,
}

fn feet(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let new: FeetOptions = args.options(1)?;
    if ends(lua, &args, "feet", new.modifier.fade)? {
        return Ok(Value::Nil);
    }
    let common = new.modifier;
    put(lua, handle, "feet", "feet".into(), common, |character| {
        let rig = character.definition.legs();
        let missing = rig.as_ref().err().cloned();
        let mut standing = FootPlacement {
            rig: rig.ok(),
            options: feet::FeetSettings::default(),
            tells: true,
            feet: Feet::default(),
            steps: Vec::new(),
        };
        if let Some(known) = character.modifiers.stack_mut().standing() {
            standing.options = known.options;
            standing.tells = known.tells;
            standing.feet = known.feet.clone();
        }
        let now = standing.options;
        let slope = new.slope.map(|degrees| degrees.to_radians() as f32);
        standing.options = feet::FeetSettings {
            hold: new.hold.unwrap_or(now.hold),
            release: new.release.unwrap_or(now.release),
            up: new.up.unwrap_or(now.up),
            down: new.down.unwrap_or(now.down),
            slope: slope.unwrap_or(now.slope),
            body: new.body.unwrap_or(now.body),
            smooth: new.smooth.unwrap_or(now.smooth),
        };
        standing.tells = new.steps.unwrap_or(standing.tells);
        Ok((ModifierKind::Feet(Box::new(standing)), missing))
    })
}

/// `hero:feet()`.
pub(super) const FEET: Function = Function {
    name: "feet",
    params: &[Param {
        name: "options",
        ty: Type::OneOf(&[FeetOptions::TYPE, Type::Bool]),
        optional: true,
    }],
    returns: "Modifier",
    doc: "Puts its feet on what is under them, floor, stairs, slopes, lifts: a foot that carries stays where it \
          is, turns with the ground, and the body goes down to where all of them reach. For any number of legs. \
          The feet tell `step` themselves, with `foot`, `position`, `normal`, `surface`, `speed` at which it \
          came down, `weight`, and `next` and `next_in`: where and in how many seconds that foot is expected \
          next. `false` fades it out.",
    example: "hero:feet()\nhero:feet { slope = 30, within = 20 }\nhero:feet(false)",
    call: feet,
};

/// Options of `hero:reach`.
#[derive(Options)]
struct ReachOptions {
    #[option(flatten)]
    modifier: ModifierOptions,
    #[option(flatten)]
    goal: GoalOptions,
    #[option(flatten)]
    turned: GoalTurnOptions,
    /// The hand takes the rotation of the target, with yaw, pitch and roll.
    #[option(default = false)]
    turn: bool,
    /// Direction in which the elbow or knee points, in the character's own space.
    #[option(default_doc = "as in the clip")]
    pole: Option<Vec3>,
    /// Share of the limb's length in which it slows down before it is stretched, and falls short of the target.
    #[option(default = 0.0, clamp = 0.0..=1.0)]
    soft: f32,
    /// Maximum angle of the upper bone from the middle of its range: for a human's arm ahead and to the side, else the
    /// direction at rest.
    #[option(default_doc = "125 for a human's arm, else 180", unit = "degrees", clamp = 0.0..=180.0)]
    limit: Option<f32>,
    /// The body helps an arm that is too short: it turns, leans, bends the knees, rises on the toes.
    #[option(default = false)]
    body: bool,
    /// As `body`, and where that is not enough the character steps closer, up to 1.5 m; best with `feet`.
    #[option(default = false)]
    step: bool,
    /// Amount by which the fingers of that hand close as it arrives.
    #[option(default_doc = "as they are", clamp = 0.0..=1.0)]
    grip: Option<f32>,
    /// The palm of a hand with fingers reaches the target, not the wrist.
    #[option(default = false)]
    palm: bool,
    /// With `palm`: distance from the palm to the middle of the held object, which is the target.
    #[option(default_doc = "what fits the hand", unit = "metres", clamp = 0.0..=1.0)]
    radius: Option<f32>,
    /// Axis of a bar in the target's space: a hand with fingers turns until the bar crosses the palm, and closes around
    /// it.
    bar: Option<Vec3>,
    /// Name of the modifier.
    #[option(default_doc = "the name of the limb")]
    name: Option<String>,
}

impl ReachOptions {
    /// `Some` where the body helps, true where it also steps.
    fn helps(&self) -> Option<bool> {
        (self.step || self.body).then_some(self.step)
    }

    /// The grip of the hand; `None` where no option asks for one.
    fn grip(&self) -> Option<HandGrip> {
        let closes = self.palm || self.bar.is_some();
        let to = self.grip.or_else(|| closes.then_some(0.0))?;
        Some(HandGrip {
            rig: None,
            to,
            now: to,
            palm: self.palm,
            radius: self.radius,
            bar: self.bar,
        })
    }
}

fn reach(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let end = args.text(1).unwrap_or_default();
    let target = args.value(2);
    let options: ReachOptions = args.options(3)?;
    let name = options.name.clone().unwrap_or_else(|| end.clone());
    if target.is_nil() {
        with_world(lua, |world| {
            bone_index(find(&mut world.stage, handle)?, &end).map(|_| ())
        })?;
    }
    if lets_go(lua, handle, &name, &target, options.modifier.fade)? {
        return Ok(Value::Nil);
    }
    let found = with_world(lua, |world| {
        let place = (&options.goal, &options.turned);
        turned_goal(lua, &mut world.stage, "reach", &target, place)
    })?;
    let (grip, helps) = (options.grip(), options.helps());
    let common = options.modifier;
    put(lua, handle, "reach", name.clone(), common, |character| {
        check_name(character, "reach", &name, "reach")?;
        let bone = bone_index(character, &end)?;
        let definition = character.definition.clone();
        let Some(bones) = definition.limb_bones(bone) else {
            return Err(wrong(format!(
                "reach: {end:?} hangs on no limb: it needs two bones above it"
            )));
        };
        let Some(mut reaching) = Reaching::of(&definition, bones) else {
            return Err(wrong(format!(
                "reach: the bones above {end:?} have no length"
            )));
        };
        reaching.goal = found;
        reaching.turns = options.turn;
        reaching.pole = options.pole;
        reaching.soft = options.soft;
        reaching.limit = options.limit.map(f32::to_radians);
        reaching.helps = helps;
        reaching.grip = grip.map(Box::new);
        reaching.find_rest(&definition);
        if let Some(known) = character.modifiers.stack_mut().named(&name)
            && let ModifierKind::Reach(known) = &known.kind
        {
            reaching.go_on(known);
        }
        Ok((ModifierKind::Reach(Box::new(reaching)), None))
    })
}

/// `hero:reach(end, target)`.
pub(super) const REACH: Function = Function {
    name: "reach",
    params: &[
        Param {
            name: "limb",
            ty: Type::Text,
            optional: false,
        },
        Param {
            name: "target",
            ty: TARGET,
            optional: true,
        },
        Param::options(ReachOptions::SHAPE),
    ],
    returns: "Modifier",
    doc: "Brings the end of a limb to a place, a character or one of its bones, and keeps it there while both \
          move: `left_hand`, `right_foot`, or any bone with two above it. What hangs in another hand of its own \
          is reached exactly: the second hand on a rifle. With `body` what is too far for the arm is leaned and \
          bent to, feet where they are and hips over them, with `step` walked to. With `grip` its fingers close. \
          Nothing as a target lets go.",
    example: "hero:reach(\"right_hand\", vector.create(-0.3, 1.2, 0.4), { grip = 0.7, palm = true, bar = vector.create(0, 1, 0) })\nhero:reach(\"left_hand\", vector.create(0.2, 0.05, 0.5), { body = true, step = true })\nhero:reach(\"right_hand\", vector.create(-0.3, 1.3, 0.5))\nhero:reach(\"right_hand\")",
    call: reach,
};
