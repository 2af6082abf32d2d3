//! Interactions of props: `thing:add_interaction`.

use std::sync::Arc;

use glam::Vec3;
use mlua::{Lua, Value};

use super::character_ref::{bone_index, find};
use super::check::{Args, OptionValue, Param, Type, describe, text};
use super::group::Function;
use crate::world::with_world;
use galatea_asset::interaction::{InteractionKind, InteractionSpec, MAX_INTERACTIONS, MAX_RUNGS};
use galatea_derive::Options;

impl OptionValue for InteractionKind {
    const TYPE: Type = Type::Word(&InteractionKind::WORDS);

    fn from_value(value: Value) -> Result<Self, String> {
        let kind = text(&value).and_then(|word| Self::from_word(&word));
        kind.ok_or_else(|| format!("unknown value {}", describe(&value)))
    }
}

/// An interaction of a prop: its use, its position and its timing.
#[derive(Options)]
struct InteractionOptions {
    /// What the user does: "hold" holds on with the hand, "lever" swings the prop about its hinge, "pick_up" takes
    /// the prop along, "seat" sits down, "ladder" climbs.
    #[option(default = InteractionKind::default(), default_doc = "hold")]
    kind: InteractionKind,
    /// For a lever: position of the hinge, in the prop's own space.
    #[option(default_doc = "(0, 0, 0)", unit = "metres")]
    pivot: Option<Vec3>,
    /// For a lever: axis of the hinge, in the prop's own space.
    #[option(default_doc = "the x axis")]
    axis: Option<Vec3>,
    /// For a lever: angle by which it turns within `hold_time`. The next use turns it back.
    #[option(default_doc = "60", unit = "degrees")]
    swing: Option<f32>,
    /// For a ladder: offset from each rung to the next. The lowest rung is at `position`.
    #[option(default_doc = "(0, 0.28, 0)", unit = "metres")]
    rung_offset: Option<Vec3>,
    /// For a ladder: number of rungs.
    #[option(default_doc = "8", clamp = 1.0..=MAX_RUNGS)]
    rungs: Option<u32>,
    /// For a ladder: distance between the rails.
    #[option(default_doc = "0.4", unit = "metres", clamp = 0.1..=10.0)]
    width: Option<f32>,
    /// For a ladder: length of the rails above the last rung.
    #[option(default_doc = "0", unit = "metres", clamp = 0.0..=10.0)]
    rails: Option<f32>,
    /// For a ladder: position where the user stands at the top, in the prop's own space.
    #[option(
        default_doc = "0.5 m beyond the last rung, at its height",
        unit = "metres"
    )]
    top: Option<Vec3>,
    /// Bone of the prop with which the interaction point moves.
    #[option(default_doc = "the prop itself")]
    bone: Option<String>,
    /// Position of the palm, or of the wrist of a hand without fingers, in the space of `bone`. For a seat, position of
    /// the hips.
    #[option(default = Vec3::ZERO, default_doc = "(0, 0, 0)", unit = "metres")]
    position: Vec3,
    /// Yaw, pitch and roll of the hand at `position`.
    #[option(default_doc = "follows the arm", unit = "degrees")]
    hand_rotation: Option<Vec3>,
    /// How far the fingers close; 1 is a fist.
    #[option(
        default_doc = "0.6; lever and ladder 0.75, `pick_up` 0.55, seat 0",
        clamp = 0.0..=1.0
    )]
    grip: Option<f32>,
    /// Distance from the palm to `position`, which is the centre of the held object.
    #[option(default_doc = "fitted to the hand", unit = "metres", clamp = 0.0..=1.0)]
    radius: Option<f32>,
    /// For a bar or handle: direction of its length, in the space of `bone`. The hand turns until the bar lies across
    /// the palm.
    bar: Option<Vec3>,
    /// Position where the user stands, in the prop's own space. Its height has no effect.
    #[option(default_doc = "the user's current position", unit = "metres")]
    stand_position: Option<Vec3>,
    /// Direction that the user faces, about +Y in the prop's own space.
    #[option(default_doc = "towards the interaction", unit = "degrees")]
    stand_yaw: Option<f32>,
    /// Limb that reaches for `position`, such as "left_hand".
    #[option(default_doc = "right_hand")]
    hand: Option<String>,
    /// Position of the second hand, for props that need two hands, in the space of `bone`.
    #[option(unit = "metres")]
    other_hand: Option<Vec3>,
    /// Clip of the character that uses the prop.
    clip: Option<String>,
    /// Time in which the hand moves to `position`.
    #[option(default_doc = "0.45", unit = "seconds", clamp = 0.0..=600.0)]
    reach_time: Option<f32>,
    /// Time for which the hand stays at `position`.
    #[option(default_doc = "0.5", unit = "seconds", clamp = 0.0..=600.0)]
    hold_time: Option<f32>,
    /// Time in which the hand moves back.
    #[option(default_doc = "0.4", unit = "seconds", clamp = 0.0..=600.0)]
    release_time: Option<f32>,
}

impl InteractionOptions {
    fn spec(self, name: &str) -> InteractionSpec {
        let plain = InteractionSpec::new(name);
        let [reach, hold, release] = plain.times;
        InteractionSpec {
            kind: self.kind,
            pivot: self.pivot.unwrap_or(plain.pivot),
            axis: self.axis.unwrap_or(plain.axis),
            swing: self.swing.unwrap_or(plain.swing),
            rung_offset: self.rung_offset.unwrap_or(plain.rung_offset),
            rungs: self.rungs.unwrap_or(plain.rungs),
            width: self.width.unwrap_or(plain.width),
            rails: self.rails.unwrap_or(plain.rails),
            top: self.top,
            bone: self.bone,
            position: self.position,
            hand_rotation: self.hand_rotation,
            grip: self.grip,
            radius: self.radius,
            bar: self.bar,
            stand_position: self.stand_position,
            stand_yaw: self.stand_yaw,
            hand: self.hand.unwrap_or(plain.hand),
            other_hand: self.other_hand,
            clip: self.clip,
            times: [
                self.reach_time.unwrap_or(reach),
                self.hold_time.unwrap_or(hold),
                self.release_time.unwrap_or(release),
            ],
            name: plain.name,
        }
    }
}

fn add_interaction(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let owner = args.character()?;
    let name = args.text(1).unwrap_or_default();
    let options: InteractionOptions = args.options(2)?;
    let spec = options.spec(&name);
    with_world(lua, |world| {
        let character = find(&mut world.stage, owner)?;
        if let Some(on) = &spec.bone {
            bone_index(character, on)?;
        }
        character
            .interactions
            .own
            .retain(|known| known.name != name);
        if character.interactions.own.len() >= MAX_INTERACTIONS {
            return Err(mlua::Error::runtime(format!(
                "add_interaction: a prop can have at most {MAX_INTERACTIONS} interactions"
            )));
        }
        character.interactions.own.push(Arc::new(spec));
        Ok(Value::Nil)
    })
}

/// `thing:add_interaction(name, { … })`.
pub(super) const ADD_INTERACTION: Function = Function {
    name: "add_interaction",
    params: &[
        Param {
            name: "name",
            ty: Type::Text,
            optional: false,
        },
        Param {
            name: "fields",
            ty: InteractionOptions::TYPE,
            optional: false,
        },
    ],
    returns: "",
    doc: "Adds an interaction to a prop: a point where characters can use it, such as a door knob, a lever, a seat, a rung \
          or a cup. It sets the positions of the user and of the hand, and the times. In a task, `t:use(thing, name)` makes \
          a character walk there, turn, reach and hold on. Model files store interactions in the extras of nodes, as \
          `handle`.",
    example: "local door = physics.box { position = vector.create(0, 1, 2), size = vector.create(0.9, 2, 0.06) }\ndoor:add_interaction(\"knob\", { position = vector.create(-0.35, 0, -0.06), stand_position = vector.create(-0.2, 0, -0.6), hand = \"left_hand\" })",
    call: add_interaction,
};
