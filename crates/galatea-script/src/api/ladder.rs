//! Data that `task:use` needs to climb a ladder: limb lengths, the two ends, and the attachment of the climber.

use glam::{Affine3A, EulerRot, Quat, Vec3};
use mlua::{Function, Lua, Table, Value};

use super::character_ref::{CharacterRef, find};
use super::check::{lua_vector, object};
use crate::vm;
use crate::world::with_world;
use galatea_anim::humanoid::{Role, Side};
use galatea_asset::interaction::InteractionSpec;
use galatea_character::{Attachment, Definition, Placement};
use galatea_math::Trs;
use galatea_stage::Handle;

/// Climbing speed of a character of human size, metres per second.
const SPEED: f32 = 0.5;
/// Default distance of the climber from the rungs, metres.
const ASIDE: f32 = 0.5;

/// Angle by which a hand on a rung tilts over it, radians.
const OVER_RUNG: f32 = 0.7;

/// The part of tasks for climbing.
pub(super) fn climb(lua: &Lua) -> mlua::Result<Function> {
    vm::part(lua, "=[ladder]", include_str!("../ladder.luau"))
}

/// Proportions of a climber: metres at scale 1, model space.
struct Climber {
    /// Lengths of a leg and an arm.
    leg: f32,
    arm: f32,
    /// Heights above the soles of the hip joints, shoulders and ankles.
    hip: f32,
    shoulder: f32,
    ankle: f32,
    /// Distances from the middle of the body to a foot and to a hand.
    foot_aside: f32,
    hand_aside: f32,
    /// Rotations of the feet in the rest pose, left and right.
    feet: [Quat; 2],
}

impl Climber {
    fn of(definition: &Definition) -> Option<Self> {
        let humanoid = definition.clips.humanoid();
        let place = |role| Some(definition.rest_matrix(humanoid.bone(role)?));
        let at = |role| place(role).map(|matrix| Vec3::from(matrix.translation));
        let length = |roles: [Role; 3]| {
            let [Some(a), Some(b), Some(c)] = roles.map(at) else {
                return None;
            };
            Some(a.distance(b) + b.distance(c))
        };
        use Role::{LeftFoot, LeftHand, LeftLowerArm, LeftLowerLeg, LeftUpperArm, LeftUpperLeg};
        let sole = definition.rest_box[0].y;
        let turn = |role| place(role).map(|matrix| Trs::nearest(matrix).rotation);
        at(Role::RightHand)?;
        let shoulder = at(LeftUpperArm)?;
        Some(Self {
            leg: length([LeftUpperLeg, LeftLowerLeg, LeftFoot])?,
            arm: length([LeftUpperArm, LeftLowerArm, LeftHand])?,
            hip: at(LeftUpperLeg)?.y - sole,
            shoulder: shoulder.y - sole,
            ankle: at(LeftFoot)?.y - sole,
            foot_aside: at(LeftFoot)?.x.abs(),
            hand_aside: shoulder.x.abs(),
            feet: [turn(LeftFoot)?, turn(Role::RightFoot)?],
        })
    }
}

/// Positions at the two ends of a ladder.
pub(super) struct Ends {
    /// Positions of the user at the lower and upper end, in the space of the interaction's bone.
    pub bottom: Vec3,
    pub top: Vec3,
    /// Position to which the user walks first, world space.
    pub stand_position: Vec3,
    /// True if the user is at the top and climbs down.
    pub is_down: bool,
}

/// Positions of the user at both ends, and which end is nearer. The two matrices are the world transforms of the prop
/// and of the interaction's bone.
pub(super) fn ends(
    spec: &InteractionSpec,
    [thing, bone]: [Affine3A; 2],
    who: Placement,
    facing: f32,
) -> Ends {
    let rung = |index: f32| bone.transform_point3(spec.position + spec.rung_offset * index);
    let ahead = Quat::from_rotation_y(facing.to_radians()) * Vec3::Z;
    let given = |place: Option<Vec3>| place.map(|place| thing.transform_point3(place));
    let mut bottom = given(spec.stand_position).unwrap_or_else(|| rung(-1.0) - ahead * ASIDE);
    let last = spec.rungs.saturating_sub(1) as f32;
    let top = given(spec.top).unwrap_or_else(|| rung(last) + ahead * ASIDE);
    let is_down = (who.position.y - top.y).abs() < (who.position.y - bottom.y).abs();
    if !is_down {
        bottom.y = who.position.y;
    }
    let bone_from_world = bone.inverse();
    Ends {
        bottom: bone_from_world.transform_point3(bottom),
        top: bone_from_world.transform_point3(top),
        stand_position: if is_down { top } else { bottom },
        is_down,
    }
}

/// Describes a ladder and its climber for the runtime's own part of `task:use`, in the space of the interaction's bone.
/// Returns `None` if the character has no arms and legs to climb with. `facing` is a world angle about +Y, degrees.
pub(super) fn describe(
    lua: &Lua,
    spec: &InteractionSpec,
    (definition, scale): (&Definition, f32),
    world_from_bone: Affine3A,
    facing: f32,
) -> mlua::Result<Option<Table>> {
    let Some(climber) = Climber::of(definition) else {
        return Ok(None);
    };
    let table = lua.create_table()?;
    let bone_from_world = world_from_bone.inverse();
    let turned = Quat::from_rotation_y(facing.to_radians());
    let along = |way: Vec3| lua_vector(bone_from_world.transform_vector3(way));
    table.raw_set("up", along(Vec3::Y))?;
    table.raw_set("ahead", along(turned * Vec3::Z))?;
    table.raw_set("left", along(turned * Vec3::X))?;
    table.raw_set("rise", lua_vector(spec.rung_offset))?;
    let rise = world_from_bone.transform_vector3(spec.rung_offset).length();
    table.raw_set("height", rise)?;
    table.raw_set("rungs", spec.rungs)?;
    table.raw_set("width", spec.width)?;
    table.raw_set("rails", spec.rails)?;
    table.raw_set(
        "seconds",
        rise / (SPEED * (climber.leg * scale / 0.85).sqrt()),
    )?;
    let lengths = [
        ("leg", climber.leg),
        ("arm", climber.arm),
        ("hip", climber.hip),
        ("shoulder", climber.shoulder),
        ("ankle", climber.ankle),
        ("foot_aside", climber.foot_aside),
        ("hand_aside", climber.hand_aside),
    ];
    for (name, metres) in lengths {
        table.raw_set(name, metres * scale)?;
    }
    let bone = Trs::nearest(bone_from_world).rotation * turned;
    for (name, foot) in ["left_foot", "right_foot"].into_iter().zip(climber.feet) {
        table.raw_set(name, angles(lua, bone * foot)?)?;
    }
    for (name, side) in [("left_hand", Side::Left), ("right_hand", Side::Right)] {
        let Ok(rig) = definition.hand_rig(side) else {
            continue;
        };
        let hand = lua.create_table()?;
        for (on, [along_it, out]) in grasps(side) {
            let model = definition.clips.humanoid().model_from_character;
            let turn = rig.facing(model * along_it, model * out);
            let size = Trs::nearest(definition.rest_matrix(rig.hand)).scale * scale;
            let grasp = angles(lua, bone * turn)?;
            grasp.raw_set("wrist", along(turned * turn * (rig.held(None) * -size)))?;
            hand.raw_set(on, grasp)?;
        }
        table.raw_set(name, hand)?;
    }
    Ok(Some(table))
}

/// Directions of the knuckles and the palm of a hand on a rung and on a rail, in the character's own space.
fn grasps(side: Side) -> [(&'static str, [Vec3; 2]); 2] {
    let inwards = if side == Side::Left {
        -Vec3::X
    } else {
        Vec3::X
    };
    let (sine, cosine) = OVER_RUNG.sin_cos();
    [
        (
            "rung",
            [Vec3::new(0.0, cosine, sine), Vec3::new(0.0, -sine, cosine)],
        ),
        ("rail", [Vec3::new(0.0, 0.4, 1.0), inwards]),
    ]
}

fn angles(lua: &Lua, turn: Quat) -> mlua::Result<Table> {
    let (yaw, pitch, roll) = turn.to_euler(EulerRot::YXZ);
    let table = lua.create_table()?;
    table.raw_set("yaw", yaw.to_degrees())?;
    table.raw_set("pitch", pitch.to_degrees())?;
    table.raw_set("roll", roll.to_degrees())?;
    Ok(table)
}

/// Attaches a character to a bone of a prop with its soles at `at` in the bone's space. `yaw`, degrees, sets the
/// facing when the attachment begins. Without a prop the character is detached.
pub(super) fn hang(
    lua: &Lua,
    (who, thing, on, at, yaw): (
        Value,
        Value,
        Option<String>,
        Option<mlua::Vector>,
        Option<f32>,
    ),
) -> mlua::Result<()> {
    let Some(CharacterRef(who)) = object(&who) else {
        return Ok(());
    };
    let holder: Option<Handle> = object(&thing).map(|CharacterRef(thing)| thing);
    with_world(lua, |world| {
        let own = find(&mut world.stage, who)?;
        let (own_scale, known, sole) = (
            own.placement.scale,
            own.attachment,
            own.definition.rest_box[0].y,
        );
        let (Some(holder), Some(at)) = (holder, at) else {
            if known.is_some() {
                let (_, rotation, _) = own.posed.world[0].to_scale_rotation_translation();
                let ahead = rotation * Vec3::Z;
                own.placement.yaw = ahead.x.atan2(ahead.z).to_degrees();
                own.attachment = None;
            }
            return Ok(());
        };
        let thing = find(&mut world.stage, holder)?;
        let bone = on.and_then(|on| thing.definition.bone(&on)).unwrap_or(0);
        let matrix = thing.posed.model_from_bone.get(usize::from(bone)).copied();
        let bone_from_world = (thing.posed.world[0] * matrix.unwrap_or_default()).inverse();
        let place = Trs::nearest(bone_from_world);
        let turn = Quat::from_rotation_y(yaw.unwrap_or(0.0).to_radians());
        let known = known.filter(|known| known.holder == holder && known.bone == bone);
        let rotation = known.map_or(place.rotation * turn, |known| known.rotation);
        let soles = Vec3::new(at.x(), at.y(), at.z());
        let up = bone_from_world.transform_vector3(Vec3::Y);
        let attachment = Attachment {
            holder,
            bone,
            offset: soles - up * (sole * own_scale),
            rotation,
            scale: place.scale.y,
        };
        let own = find(&mut world.stage, who)?;
        if attachment.offset.is_finite() && rotation.is_finite() && place.scale.y > 0.0 {
            own.attachment = Some(attachment);
        }
        Ok(())
    })
}
