//! `hero:foot_ik` and `hero:reach`: inverse kinematics of feet and hands.

use glam::Vec3;
use mlua::{Lua, Value};

use super::character_ref::{bone_index, find};
use super::check::{Args, OptionValue, Options, Param, Type};
use super::goal::{GoalOptions, GoalTurnOptions, TARGET, turned_goal};
use super::group::Function;
use super::lean_and_warp::ends;
use super::modifier_list::{ModifierOptions, put};
use super::pointing::{check_name, releases};
use crate::world::with_world;
use galatea_character::{FootIkModifier, HandGrip, ModifierKind, ReachModifier};
use galatea_derive::Options;
use galatea_rig::foot_ik::{self, FootIk};

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Options of `hero:foot_ik`. Fields left out keep their values.
#[derive(Options)]
struct FootIkOptions {
    #[option(flatten)]
    modifier: ModifierOptions,
    /// True keeps a planted foot where it is until it lifts; false lets it slide as the clip does.
    #[option(default_doc = "true")]
    lock_feet: Option<bool>,
    /// True emits the event `step` when a foot touches the ground. False emits the markers named `step` of the clips
    /// instead.
    #[option(default_doc = "true")]
    step_events: Option<bool>,
    /// A planted foot that is farther than this from its position in the clip makes a step of its own. Fraction of
    /// the leg's length.
    #[option(default_doc = "0.3", clamp = 0.0..=10.0)]
    unlock_distance: Option<f32>,
    /// Maximum height of the ground above the character's position that a foot follows, as a fraction of the leg's
    /// length.
    #[option(default_doc = "0.55", clamp = 0.0..=10.0)]
    max_up: Option<f32>,
    /// Maximum depth of the ground below the character's position that a foot follows, as a fraction of the leg's
    /// length.
    #[option(default_doc = "0.55", clamp = 0.0..=10.0)]
    max_down: Option<f32>,
    /// Steepest slope to which the feet tilt.
    #[option(default_doc = "40", unit = "degrees", clamp = 0.0..=85.0)]
    max_slope: Option<f64>,
    /// How far the body sinks and rises so that the feet reach the ground; 0 keeps the height of the clip.
    #[option(default_doc = "1", clamp = 0.0..=1.0)]
    pelvis_weight: Option<f32>,
    /// Time in which the height of the body follows the ground. Longer times are smoother.
    #[option(default_doc = "0.12", unit = "seconds", clamp = 0.0..=10.0)]
    smooth_time: Option<f32>,
}

fn foot_ik(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let new: FootIkOptions = args.options(1)?;
    if ends(lua, &args, "foot_ik", new.modifier.fade)? {
        return Ok(Value::Nil);
    }
    let common = new.modifier;
    put(
        lua,
        handle,
        "foot_ik",
        "foot_ik".into(),
        common,
        |character| {
            let rig = character.definition.legs();
            let missing = rig.as_ref().err().cloned();
            let mut standing = FootIkModifier {
                rig: rig.ok(),
                options: foot_ik::FootIkSettings::default(),
                emits_steps: true,
                foot_ik: FootIk::default(),
                steps: Vec::new(),
            };
            if let Some(known) = character.modifiers.modifier_stack_mut().standing() {
                standing.options = known.options;
                standing.emits_steps = known.emits_steps;
                standing.foot_ik = known.foot_ik.clone();
            }
            let now = standing.options;
            let slope = new.max_slope.map(|degrees| degrees.to_radians() as f32);
            standing.options = foot_ik::FootIkSettings {
                lock_feet: new.lock_feet.unwrap_or(now.lock_feet),
                unlock_distance: new.unlock_distance.unwrap_or(now.unlock_distance),
                max_up: new.max_up.unwrap_or(now.max_up),
                max_down: new.max_down.unwrap_or(now.max_down),
                max_slope: slope.unwrap_or(now.max_slope),
                pelvis_weight: new.pelvis_weight.unwrap_or(now.pelvis_weight),
                smooth_time: new.smooth_time.unwrap_or(now.smooth_time),
            };
            standing.emits_steps = new.step_events.unwrap_or(standing.emits_steps);
            Ok((ModifierKind::FootIk(Box::new(standing)), missing))
        },
    )
}

/// `hero:foot_ik()`.
pub(super) const FOOT_IK: Function = Function {
    name: "foot_ik",
    params: &[Param {
        name: "options",
        ty: Type::OneOf(&[FootIkOptions::TYPE, Type::Bool]),
        optional: true,
    }],
    returns: "Modifier",
    doc: "Puts the feet on the ground below them: floor, stairs, slopes, lifts. A planted foot stays where it is and turns \
          with the ground, and the body sinks until all feet reach the ground. It works for any number of legs. \
          `foot_ik(false)` fades it out.\n\n\
          It emits the event `step` for each step, with `foot`, `position`, `normal`, `surface`, `speed` (of the impact) and \
          `weight`. `next_position` and `time_to_next` predict the position of that foot's next step and the time until \
          then, in seconds.",
    example: "hero:foot_ik()\nhero:foot_ik { max_slope = 30, max_distance = 20 }\nhero:foot_ik(false)",
    call: foot_ik,
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
    /// True gives the hand the rotation of the target, with `yaw`, `pitch` and `roll` added.
    #[option(default = false)]
    match_rotation: bool,
    /// Direction to which the elbow or knee points, in the character's own space.
    #[option(default_doc = "as in the clip")]
    pole: Option<Vec3>,
    /// Size of the zone, just before the limb is straight, in which the limb slows down so that it does not snap.
    /// Fraction of the limb's length. With it, the hand stops a little short of distant targets.
    #[option(default = 0.0, clamp = 0.0..=1.0)]
    softness: f32,
    /// Maximum angle of the upper arm or leg from the centre of its range. For a human's arm the centre is ahead and to
    /// the side, otherwise the direction in the rest pose.
    #[option(default_doc = "125 for a human's arm, else 180", unit = "degrees", clamp = 0.0..=180.0)]
    max_angle: Option<f32>,
    /// True makes the body help an arm that is too short: it turns, leans, bends the knees and rises on the toes.
    #[option(default = false)]
    full_body: bool,
    /// True includes `full_body` and also walks up to 1.5 m towards a target that is still too far. It works best with
    /// `foot_ik`.
    #[option(default = false)]
    allow_steps: bool,
    /// How far the fingers of the hand close on arrival; 1 is a fist.
    #[option(default_doc = "as in the clip", clamp = 0.0..=1.0)]
    grip: Option<f32>,
    /// True brings the palm of a hand with fingers to the target, false the wrist.
    #[option(default = false)]
    palm: bool,
    /// With `palm`: distance from the palm to the target, which is the centre of the held object.
    #[option(default_doc = "fitted to the hand", unit = "metres", clamp = 0.0..=1.0)]
    radius: Option<f32>,
    /// For a bar or handle: direction of its length, in the target's space. The hand turns until the bar lies across
    /// the palm, and closes around it.
    bar: Option<Vec3>,
    /// Name of this modifier, for `character:modifier`.
    #[option(default_doc = "the name of the limb")]
    name: Option<String>,
}

impl ReachOptions {
    /// `Some` if the body helps; the value is true if the character also steps.
    fn helps(&self) -> Option<bool> {
        (self.allow_steps || self.full_body).then_some(self.allow_steps)
    }

    /// Grip of the hand; `None` if no option sets it.
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
    if releases(lua, handle, &name, &target, options.modifier.fade)? {
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
                "reach: {end:?} is not the end of a limb; it needs two bones above it"
            )));
        };
        let Some(mut reaching) = ReachModifier::of(&definition, bones) else {
            return Err(wrong(format!(
                "reach: the bones above {end:?} have zero length"
            )));
        };
        reaching.goal = found;
        reaching.match_rotation = options.match_rotation;
        reaching.pole = options.pole;
        reaching.softness = options.softness;
        reaching.max_angle = options.max_angle.map(f32::to_radians);
        reaching.full_body = helps;
        reaching.grip = grip.map(Box::new);
        reaching.find_rest(&definition);
        if let Some(known) = character.modifiers.modifier_stack_mut().named(&name)
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
    doc: "Moves the end of a limb to a target and keeps it there while both move. The target is a position, a character or \
          one of its bones. `limb` is \"left_hand\", \"right_hand\", \"left_foot\", \"right_foot\", or any bone with two \
          bones above it. Nil as the target releases the limb.\n\n\
          With `full_body` the character also leans and bends towards a distant target, with its feet in place; with \
          `allow_steps` it walks, too. With `grip` the fingers close. A target on a prop in the character's other hand is \
          reached exactly, such as the handle of a rifle.",
    example: "hero:reach(\"right_hand\", vec(-0.3, 1.2, 0.4), { grip = 0.7, palm = true, bar = vec(0, 1, 0) })\nhero:reach(\"left_hand\", vec(0.2, 0.05, 0.5), { full_body = true, allow_steps = true })\nhero:reach(\"right_hand\", vec(-0.3, 1.3, 0.5))\nhero:reach(\"right_hand\")",
    call: reach,
};
