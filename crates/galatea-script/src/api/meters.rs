//! `hero:meter` and its companions: what is measured of a character's motion.

use mlua::{Lua, Value};

use super::character_ref::with_character;
use super::check::{Args, Param, Type};
use super::group::Function;
use galatea_character::METERS;

fn meter(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(1).unwrap_or_default();
    with_character(lua, &args, |_, character| {
        let reading = character.switch_on_meters().reading(&name);
        let peak = reading.map_or(0.0, |reading| reading.peak);
        Ok(Value::Number(f64::from(peak)))
    })
}

fn meters(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let (readings, bone) = with_character(lua, &args, |_, character| {
        let meters = character.switch_on_meters();
        let readings = METERS.map(|name| meters.reading(name).unwrap_or_default());
        let bone = meters.worst_bone();
        let bones = character.definition.model.skeleton.bones();
        Ok((readings, bones.get(bone).map(|bone| bone.name.clone())))
    })?;
    let (table, now) = (lua.create_table()?, lua.create_table()?);
    for (name, reading) in METERS.into_iter().zip(readings) {
        table.raw_set(name, reading.peak)?;
        now.raw_set(name, reading.now)?;
    }
    table.raw_set("now", now)?;
    let [_, pop, ..] = readings;
    table.raw_set("pop_bone", bone.filter(|_| pop.peak > 0.0))?;
    Ok(Value::Table(table))
}

fn reset_meters(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, character| {
        character.switch_on_meters().reset();
        Ok(Value::Nil)
    })
}

/// `hero:meter(name)`.
pub(super) const METER: Function = Function {
    name: "meter",
    params: &[Param {
        name: "name",
        ty: Type::Word(&METERS),
        optional: false,
    }],
    returns: "number",
    doc: "The largest reading of a meter since it was reset. \"foot_slide\": metres that a planted foot \
          moved over the ground since it was planted; the clips say when feet stand. \"pop\": the hardest \
          jolt of a bone in the character's own space over the hardest that the clips which show have by \
          themselves; 1 is as jolty as they are, a cut reads 10 and more. \"root_drift\": metres by which \
          the hips are not where the clips have them over the character's position, their travel left \
          out. \"lip_lag\": seconds by which the mouth is behind the sound of a recorded line, less than 0 where it is ahead, by \
          loudness and openness over two seconds. The first time it is 0 and the meters are switched on; in tests they always are. Jumps of \
          `position` do not count.",
    example: "print(hero:meter(\"foot_slide\"), hero:meter(\"pop\"))",
    call: meter,
};

/// `hero:meters()`.
pub(super) const ALL: Function = Function {
    name: "meters",
    params: &[],
    returns: "{ foot_slide: number, pop: number, root_drift: number, lip_lag: number, pop_bone: string?, now: { foot_slide: number, pop: number, root_drift: number, lip_lag: number } }",
    doc: "All meters as `meter` gives them; in `now` what was measured in the last tick alone, of \
          `foot_slide` the metres that a planted foot slid in it; `pop_bone` is the bone that popped most.",
    example: "print(hero:meters().now.foot_slide)",
    call: meters,
};

/// `hero:reset_meters()`.
pub(super) const RESET: Function = Function {
    name: "reset_meters",
    params: &[],
    returns: "",
    doc: "Sets all meters to 0; they begin anew with the next tick.",
    example: "hero:reset_meters()",
    call: reset_meters,
};
