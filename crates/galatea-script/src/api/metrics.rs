//! `hero:metric`, `hero:metrics` and `hero:reset_metrics`: measurements of a character's motion.

use mlua::{Lua, Value};

use super::character_ref::with_character;
use super::check::{Args, Param, Type};
use super::group::Function;
use galatea_character::METRICS;

fn metric(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(1).unwrap_or_default();
    with_character(lua, &args, |_, character| {
        let reading = character.enable_metrics().reading(&name);
        let peak = reading.map_or(0.0, |reading| reading.peak);
        Ok(Value::Number(f64::from(peak)))
    })
}

fn metrics(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let (readings, bone) = with_character(lua, &args, |_, character| {
        let meters = character.enable_metrics();
        let readings = METRICS.map(|name| meters.reading(name).unwrap_or_default());
        let bone = meters.worst_bone();
        let bones = character.definition.model.skeleton.bones();
        Ok((readings, bones.get(bone).map(|bone| bone.name.clone())))
    })?;
    let (table, now) = (lua.create_table()?, lua.create_table()?);
    for (name, reading) in METRICS.into_iter().zip(readings) {
        table.raw_set(name, reading.peak)?;
        now.raw_set(name, reading.now)?;
    }
    table.raw_set("last_tick", now)?;
    let [_, pop, ..] = readings;
    table.raw_set("pop_bone", bone.filter(|_| pop.peak > 0.0))?;
    Ok(Value::Table(table))
}

fn reset_metrics(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, character| {
        character.enable_metrics().reset();
        Ok(Value::Nil)
    })
}

/// `hero:metric(name)`.
pub(super) const METRIC: Function = Function {
    name: "metric",
    params: &[Param {
        name: "name",
        ty: Type::Word(&METRICS),
        optional: false,
    }],
    returns: "number",
    doc: "Returns the largest value of a metric (a measure of animation quality) since `reset_metrics`. The first \
          call returns 0 and switches the metrics on; in tests they are always on. A jump by setting `position` is \
          not counted.\n\n\
          - \"foot_slide\": distance that a planted foot has moved over the ground since it was planted, metres. The \
          clips define when feet are planted.\n\
          - \"pop\": largest jerk (sudden change of motion) of a bone, relative to the largest jerk in the visible \
          clips. 1 is as smooth as the clips; a hard cut gives 10 and more.\n\
          - \"root_drift\": distance of the hips from their position in the clips, metres. The distance that the \
          clips themselves travel is not counted.\n\
          - \"lip_lag\": delay of the mouth behind the sound of a recorded line, seconds. It compares loudness and \
          mouth opening over two seconds, and is negative if the mouth is early.",
    example: "print(hero:metric(\"foot_slide\"), hero:metric(\"pop\"))",
    call: metric,
};

/// `hero:metrics()`.
pub(super) const ALL_METRICS: Function = Function {
    name: "metrics",
    params: &[],
    returns: "{ foot_slide: number, pop: number, root_drift: number, lip_lag: number, pop_bone: string?, last_tick: { \
              foot_slide: number, pop: number, root_drift: number, lip_lag: number } }",
    doc: "Returns all metrics, with the same values as `metric`. `last_tick` contains the values of the last tick alone; its \
          `foot_slide` is the distance that a planted foot slid in that tick, metres. `pop_bone` is the bone with the \
          largest pop.",
    example: "print(hero:metrics().last_tick.foot_slide)",
    call: metrics,
};

/// `hero:reset_metrics()`.
pub(super) const RESET_METRICS: Function = Function {
    name: "reset_metrics",
    params: &[],
    returns: "",
    doc: "Sets all metrics to 0. They are measured again from the next tick on.",
    example: "hero:reset_metrics()",
    call: reset_metrics,
};
