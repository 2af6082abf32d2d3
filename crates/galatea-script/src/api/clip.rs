//! `clip "name" { … }`: clips made by a script, and `hero:add_clip`.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Weak};

use glam::{EulerRot, Quat, Vec3};
use mlua::{Lua, MetaMethod, Table, UserData, UserDataFields, Value};

use super::character_ref::find;
use super::check::{
    Args, ByName, OptionValue, Options, Param, Shape, Type, describe, number, text, vector,
};
use super::group::{Function, Group, Kind};
use super::listen::marker_fields;
use crate::budget::charge;
use crate::script_clip_store::MAX_KEYS;
use crate::words;
use crate::world::with_world;
use galatea_anim::{Curve, Interpolation, Marker, Markers, PlayMode, Track};
use galatea_character::{Definition, KeySpace, MadeBone, MadeClip};
use galatea_derive::Options;

/// Maximum duration of a clip made by a script, seconds.
const LONGEST: f32 = 600.0;
/// Maximum number of clips that scripts add to a character.
const MAX_CLIPS: usize = 1024;
/// Cost of reading a key, and of preparing a model with it, in steps of the script's budget.
const KEY_STEPS: u64 = 40;
/// Cost of a key of a morph target for each morph target of the mesh: all targets of a mesh share their key times.
const MORPH_KEY_STEPS: u64 = 2;

/// Return value of `clip "name" { … }`: a clip that is not yet added to a character.
#[derive(Clone)]
pub(super) struct ClipValue {
    made: Arc<MadeClip>,
    /// Pairs of definitions without and with this clip, which characters of one model share.
    known: Rc<RefCell<Vec<Known>>>,
}

impl ClipValue {
    /// Definition with the clip, if it was prepared before.
    fn prepared(&self, base: &Arc<Definition>) -> Option<Arc<Definition>> {
        let mut known = self.known.borrow_mut();
        known.retain(|(_, with)| with.strong_count() > 0);
        known.iter().find_map(|(without, with)| {
            let without = without.upgrade()?;
            Arc::ptr_eq(&without, base)
                .then(|| with.upgrade())
                .flatten()
        })
    }
}

/// A definition, and the definition with the clip added.
type Known = (Weak<Definition>, Weak<Definition>);

impl UserData for ClipValue {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "ClipDefinition");
    }
}

words!(Interpolation {
    "linear" => Interpolation::Linear,
    "step" => Interpolation::Step,
    "cubic" => Interpolation::CubicSpline,
});

words!(KeySpace {
    "parent" => KeySpace::Parent,
    "rest" => KeySpace::Rest,
    "model" => KeySpace::Model,
});

/// Keys and settings of a clip.
#[derive(Options)]
struct ClipOptions {
    /// Duration of the clip, in seconds, or in the time unit that `ticks_per_second` sets.
    #[option(default_doc = "the time of the last key or marker")]
    duration: Option<f32>,
    /// Number of time units in a second. It applies to all times in this table. With 30, for example, times are frames
    /// at 30 frames per second.
    #[option(default = 1.0)]
    ticks_per_second: f32,
    /// Behaviour at the end of the clip, unless `play` sets another: "once" stops, "loop" starts again, "pingpong"
    /// plays backwards and forwards.
    #[option(default_doc = "\"once\"")]
    mode: Option<PlayMode>,
    /// Values between keys: "linear" is a straight line, "step" keeps the last key, "cubic" is a smooth curve.
    #[option(default = Interpolation::Linear, default_doc = "\"linear\"")]
    interpolation: Interpolation,
    /// What the keys of bones are relative to: the parent bone, the rest pose along the bone's axes, or the rest pose
    /// along the model's axes.
    #[option(default = KeySpace::Parent, default_doc = "\"parent\"")]
    space: KeySpace,
    /// Keys of bones, by the name of the bone.
    #[option(default = ByName::default())]
    bones: ByName<BoneKeys>,
    /// Keys of morph targets, by the name of the target.
    #[option(default = ByName::default(), ty = Type::Map(&Type::Table("ClipKeys")))]
    morphs: ByName<Value>,
    /// Keys of curves (named numbers over time), by the name of the curve.
    #[option(default = ByName::default(), ty = Type::Map(&Type::Table("ClipKeys")))]
    curves: ByName<Value>,
    /// Markers (named moments that emit events). Each is a list with its time, its name and further fields: { 0.3,
    /// "step", foot = "left" }.
    #[option(ty = Type::Table("{ { [number | string]: number | string | boolean } }"))]
    markers: Option<Table>,
}

/// Keys of a bone.
#[derive(Options)]
struct BoneKeys {
    /// Positions in the space of the parent bone, or as `space` says.
    #[option(ty = Type::Table("ClipKeys"), unit = "metres")]
    position: Option<Value>,
    /// Rotations in degrees, or quaternions.
    #[option(ty = Type::Table("ClipKeys"))]
    rotation: Option<Value>,
    /// Scale factors.
    #[option(ty = Type::Table("ClipKeys"))]
    scale: Option<Value>,
    /// Reference frame of the keys.
    #[option(default_doc = "that of the clip")]
    space: Option<KeySpace>,
    /// Interpolation between the keys.
    #[option(default_doc = "that of the clip")]
    interpolation: Option<Interpolation>,
}

/// Keys { time, value } in order of time.
#[derive(Options)]
#[option(entries = Type::Table("{ number | vector }"))]
struct ClipKeys {
    /// Interpolation between the keys.
    #[option(default_doc = "that of the bone or the clip")]
    interpolation: Option<Interpolation>,
}

/// Option shapes that are only referenced by type strings.
pub(super) const SHAPES: &[&Shape] = &[ClipOptions::SHAPE, ClipKeys::SHAPE];

fn clip(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(0).unwrap_or_default();
    let function = lua.create_function(move |lua, value: Value| {
        let made = read(&name, &value)
            .map_err(|why| mlua::Error::runtime(format!("clip {name:?}: {why}")))?;
        let n_keys = count_keys(&made);
        charge(lua, n_keys as u64 * KEY_STEPS)?;
        make_room(lua, n_keys)?;
        let made = Arc::new(made);
        with_world(lua, |world| {
            world.program.clips.add_clip(&made, n_keys);
            Ok(())
        })?;
        lua.create_userdata(ClipValue {
            made,
            known: Rc::default(),
        })
    })?;
    Ok(Value::Function(function))
}

fn count_keys(made: &MadeClip) -> usize {
    let of_bone = |bone: &MadeBone| {
        let vectors = [&bone.translation, &bone.scale].into_iter().flatten();
        let rotations = bone.rotation.iter().map(|track| track.times.len());
        vectors
            .map(|track| track.times.len())
            .chain(rotations)
            .sum::<usize>()
    };
    let bones = made.bones.iter().map(of_bone);
    let morphs = made.morphs.iter().map(|(_, track)| track.times.len());
    let curves = made.curves.iter().map(|curve| curve.track.times.len());
    bones.chain(morphs).chain(curves).sum()
}

/// Returns an error if scripts cannot have `n_keys` more keys.
fn make_room(lua: &Lua, n_keys: usize) -> mlua::Result<()> {
    let has_room = || with_world(lua, |world| Ok(world.program.clips.has_room(n_keys)));
    if has_room()? {
        return Ok(());
    }
    // Garbage collection can free keys of clips that the script no longer uses.
    charge(lua, (lua.used_memory() / 64) as u64)?;
    lua.gc_collect()?;
    if has_room()? {
        return Ok(());
    }
    Err(mlua::Error::runtime(format!(
        "clip: the clips of all scripts together can have at most {MAX_KEYS} keys"
    )))
}

/// Settings that apply to all keys of a clip.
#[derive(Clone, Copy)]
struct ClipKeySettings {
    seconds_per_tick: f32,
    interpolation: Interpolation,
    space: KeySpace,
}

impl ClipKeySettings {
    /// These settings, with the overrides of a table.
    fn with(self, interpolation: Option<Interpolation>, space: Option<KeySpace>) -> Self {
        Self {
            interpolation: interpolation.unwrap_or(self.interpolation),
            space: space.unwrap_or(self.space),
            ..self
        }
    }
}

fn read(name: &str, value: &Value) -> Result<MadeClip, String> {
    ClipOptions::TYPE.check(value)?;
    let options = ClipOptions::from_value(value.clone())?;
    if options.ticks_per_second <= 0.0 {
        return Err("field \"ticks_per_second\" must be more than 0".into());
    }
    let manner = ClipKeySettings {
        seconds_per_tick: options.ticks_per_second.recip(),
        interpolation: options.interpolation,
        space: options.space,
    };
    let mut made = MadeClip {
        name: name.to_owned(),
        mode: options.mode,
        ..MadeClip::default()
    };
    for (bone, keys) in options.bones.0 {
        let own = read_bone(&bone, keys, manner);
        made.bones
            .push(own.map_err(|why| format!("{bone}: {why}"))?);
    }
    for (morph, value) in options.morphs.0 {
        let track = track(&value, manner, one_number);
        let track = track.map_err(|why| format!("morphs: {morph}: {why}"))?;
        made.morphs.push((morph, track));
    }
    for (curve, value) in options.curves.0 {
        let track = track(&value, manner, one_number);
        let track = track.map_err(|why| format!("curves: {curve}: {why}"))?;
        made.curves.push(Curve { name: curve, track });
    }
    if let Some(given) = &options.markers {
        made.markers = markers(given, manner)?;
    }
    made.duration = duration(&made, options.duration, manner)?;
    Markers::new(made.markers.clone(), made.duration).map_err(|too_many| too_many.to_string())?;
    Ok(made)
}

fn read_bone(name: &str, keys: BoneKeys, manner: ClipKeySettings) -> Result<MadeBone, String> {
    let manner = manner.with(keys.interpolation, keys.space);
    let vectors = |field: &str, value: Option<Value>, uniform: bool| {
        let read = move |key: &[Value]| three_numbers(key, uniform);
        Some(track(&value?, manner, read).map_err(|why| format!("{field}: {why}")))
    };
    let rotation = keys.rotation.map(|value| {
        let track = track(&value, manner, rotation_of);
        track.map_err(|why| format!("rotation: {why}"))
    });
    Ok(MadeBone {
        name: name.to_owned(),
        space: manner.space,
        translation: vectors("position", keys.position, false).transpose()?,
        rotation: rotation.transpose()?,
        scale: vectors("scale", keys.scale, true).transpose()?,
    })
}

/// Reads keys `{ time, value… }`. A table `{ interpolation = …, { … }, … }` has its own settings.
fn track<T: Number>(
    value: &Value,
    manner: ClipKeySettings,
    read: impl Fn(&[Value]) -> Option<Result<T, String>>,
) -> Result<Track<T>, String> {
    const KEYS: &str = "expected keys { time, … } in a table";
    let table = value.as_table().ok_or(KEYS)?;
    let own: Value = table.raw_get("interpolation").unwrap_or(Value::Nil);
    if !own.is_nil() {
        Interpolation::TYPE.check(&own)?;
    }
    let keys = ClipKeys::from_value(value.clone())?;
    let manner = manner.with(keys.interpolation, None);
    let (mut times, mut values): (Vec<f32>, Vec<T>) = (Vec::new(), Vec::new());
    for entry in table.sequence_values::<Value>() {
        let entry = entry.map_err(|error| error.to_string())?;
        let key = entry.as_table().ok_or(KEYS)?;
        let t = time(key, manner)?;
        if times.last().is_some_and(|last| *last >= t) {
            return Err(format!(
                "the times of keys must increase; the key at {} does not follow in time",
                t / manner.seconds_per_tick
            ));
        }
        let rest: Vec<Value> = (2..=key.raw_len())
            .map(|i| key.raw_get(i).unwrap_or(Value::Nil))
            .collect();
        let value = read(&rest).ok_or_else(|| {
            let got: Vec<String> = rest.iter().map(describe).collect();
            format!(
                "expected a key {}, got a time and {}",
                T::FORM,
                got.join(", ")
            )
        })??;
        times.push(t);
        values.push(match values.last() {
            Some(last) => value.near(*last),
            None => value,
        });
    }
    if times.is_empty() {
        return Err(KEYS.into());
    }
    let cubic = manner.interpolation == Interpolation::CubicSpline;
    Ok(Track {
        values: if cubic {
            with_tangents(&times, &values)
        } else {
            values
        },
        times,
        interpolation: manner.interpolation,
    })
}

/// In-tangent, value and out-tangent of every key. The tangents are the slope between the neighbours (Catmull-Rom), and zero
/// at both ends.
fn with_tangents<T: Number>(times: &[f32], values: &[T]) -> Vec<T> {
    let around = |i: usize| {
        let (before, after) = (i.checked_sub(1)?, i + 1);
        let seconds = times.get(after)? - times.get(before)?;
        Some(values.get(after)?.slope(*values.get(before)?, seconds))
    };
    let keys = values.iter().enumerate();
    let keys = keys.flat_map(|(i, value)| {
        let tangent = around(i).unwrap_or(T::NOTHING);
        [tangent, *value, tangent]
    });
    keys.collect()
}

/// Time of a key or marker, seconds.
fn time(key: &Table, manner: ClipKeySettings) -> Result<f32, String> {
    let t = number(&key.raw_get(1).unwrap_or(Value::Nil));
    let t = t.map(|t| t as f32 * manner.seconds_per_tick);
    match t {
        Some(t) if (0.0..=LONGEST).contains(&t) => Ok(t),
        Some(t) => Err(format!("the time must be 0 to {LONGEST} s, got {t} s")),
        None => Err("the first entry of a key must be its time, a number".into()),
    }
}

/// Value type of a track.
trait Number: Copy {
    const NOTHING: Self;
    const FORM: &str;
    /// Rate of change from `from` to this value, per second.
    fn slope(self, from: Self, seconds: f32) -> Self;
    /// Equivalent value that is nearest to `other`, for example the negated quaternion.
    fn near(self, other: Self) -> Self;
}

impl Number for f32 {
    const NOTHING: Self = 0.0;
    const FORM: &str = "{ time, number }";
    fn slope(self, from: Self, seconds: f32) -> Self {
        (self - from) / seconds
    }
    fn near(self, _: Self) -> Self {
        self
    }
}

impl Number for Vec3 {
    const NOTHING: Self = Vec3::ZERO;
    const FORM: &str = "{ time, x, y, z } or { time, vector }, of scale also { time, factor }";
    fn slope(self, from: Self, seconds: f32) -> Self {
        (self - from) / seconds
    }
    fn near(self, _: Self) -> Self {
        self
    }
}

impl Number for Quat {
    const NOTHING: Self = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    const FORM: &str =
        "{ time, x, y, z } or { time, vector } in degrees, or the quaternion { time, x, y, z, w }";
    fn slope(self, from: Self, seconds: f32) -> Self {
        (self - from) / seconds
    }
    fn near(self, other: Self) -> Self {
        if self.dot(other) < 0.0 { -self } else { self }
    }
}

fn finite(value: &Value) -> Option<f32> {
    number(value).map(|n| n as f32).filter(|n| n.is_finite())
}

fn one_number(key: &[Value]) -> Option<Result<f32, String>> {
    let [value] = key else { return None };
    Some(Ok(finite(value)?))
}

fn three_numbers(key: &[Value], uniform: bool) -> Option<Result<Vec3, String>> {
    let v = match key {
        [one] if uniform && number(one).is_some() => Vec3::splat(finite(one)?),
        [v] => vector(v)?,
        [x, y, z] => Vec3::new(finite(x)?, finite(y)?, finite(z)?),
        _ => return None,
    };
    v.is_finite().then_some(Ok(v))
}

fn rotation_of(key: &[Value]) -> Option<Result<Quat, String>> {
    if let [x, y, z, w] = key {
        let q = Quat::from_xyzw(finite(x)?, finite(y)?, finite(z)?, finite(w)?);
        let unit = (q.length_squared() > 1e-12).then(|| q.normalize());
        return Some(unit.ok_or_else(|| "a quaternion must not be zero".into()));
    }
    let degrees = three_numbers(key, false)?.ok()?;
    let [x, y, z] = degrees.to_array().map(f32::to_radians);
    Some(Ok(Quat::from_euler(EulerRot::YXZ, y, x, z)))
}

/// Reads markers `{ time, "name", foot = "left", … }` and sorts them by time.
fn markers(table: &Table, manner: ClipKeySettings) -> Result<Vec<Marker>, String> {
    let mut marks = Vec::new();
    for entry in table.sequence_values::<Value>() {
        let entry = entry.map_err(|error| error.to_string())?;
        let wrong = "markers: expected { time, \"name\", field = … }";
        let entry = entry.as_table().ok_or(wrong)?;
        let t = time(entry, manner).map_err(|why| format!("markers: {why}"))?;
        let event: Value = entry.raw_get(2).unwrap_or(Value::Nil);
        let event = text(&event).ok_or(wrong)?;
        let (length, fields) = marker_fields(entry).map_err(|why| format!("markers: {why}"))?;
        marks.push(Marker {
            time: t,
            duration: length * manner.seconds_per_tick,
            event,
            fields,
        });
    }
    marks.sort_by(|a, b| a.time.total_cmp(&b.time));
    Ok(marks)
}

/// Duration of a clip, seconds: the given one, which must not be before the last key or marker, or the time of the last
/// of these.
fn duration(made: &MadeClip, given: Option<f32>, manner: ClipKeySettings) -> Result<f32, String> {
    let bones = made.bones.iter().flat_map(|bone| {
        [
            bone.translation.as_ref().map(|track| &track.times),
            bone.rotation.as_ref().map(|track| &track.times),
            bone.scale.as_ref().map(|track| &track.times),
        ]
    });
    let morphs = made.morphs.iter().map(|(_, track)| Some(&track.times));
    let curves = made.curves.iter().map(|curve| Some(&curve.track.times));
    let all = bones.chain(morphs).chain(curves).flatten();
    let keys = all.filter_map(|times| times.last().copied());
    let last = keys.chain(made.markers.iter().map(|mark| mark.time));
    let last = last.fold(0.0, f32::max);
    let Some(given) = given else {
        return Ok(last);
    };
    let given = given * manner.seconds_per_tick;
    if !(0.0..=LONGEST).contains(&given) {
        return Err(format!(
            "field \"duration\": must be 0 to {LONGEST} s, got {given} s"
        ));
    }
    if given + 1e-6 < last {
        return Err(format!(
            "the duration is {given} s, but there is a key or marker at {last} s"
        ));
    }
    Ok(given.max(last))
}

/// `hero:add_clip(c)`.
pub(super) fn add_clip(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let value: ClipValue = args
        .object(1)
        .ok_or_else(|| mlua::Error::runtime("add_clip: expected the result of clip \"…\" { … }"))?;
    let base = with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        if character.playback.own_clips.len() >= MAX_CLIPS {
            return Err(mlua::Error::runtime(format!(
                "add_clip: scripts can add at most {MAX_CLIPS} clips to a character"
            )));
        }
        Ok(character.definition.clone())
    })?;
    let definition = match value.prepared(&base) {
        Some(definition) => definition,
        None => prepare(lua, &value, &base)?,
    };
    with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        character.add_clip(value.made.clone(), definition);
        Ok(Value::Nil)
    })
}

/// Creates the definition with the clip added.
fn prepare(lua: &Lua, value: &ClipValue, base: &Arc<Definition>) -> mlua::Result<Arc<Definition>> {
    let n_keys = count_keys(&value.made);
    let n_morph_keys: usize = value
        .made
        .morphs
        .iter()
        .map(|(_, track)| track.times.len())
        .sum();
    let meshes = base.model.meshes.iter();
    let n_targets = meshes.map(|mesh| mesh.morph_names.len()).max().unwrap_or(0);
    let of_morphs = (n_morph_keys as u64).saturating_mul(n_targets as u64) * MORPH_KEY_STEPS;
    charge(lua, n_keys as u64 * KEY_STEPS + of_morphs)?;
    make_room(lua, n_keys)?;
    let with = base
        .with_made(std::slice::from_ref(&value.made))
        .map_err(|why| mlua::Error::runtime(format!("add_clip: {}", why.join("\n"))))?;
    let known = (Arc::downgrade(base), Arc::downgrade(&with));
    value.known.borrow_mut().push(known);
    with_world(lua, |world| {
        world.program.clips.add_definition(base, &with, n_keys);
        Ok(with)
    })
}

/// The global function that makes a clip.
pub(super) static GROUP: Group = Group {
    kind: Kind::Globals,
    name: "clips",
    doc: "Clips that a script makes from numbers, instead of a file.",
    functions: &[Function {
        name: "clip",
        params: &[Param {
            name: "name",
            ty: Type::Text,
            optional: false,
        }],
        returns: "(ClipOptions) -> ClipDefinition",
        doc: "Makes a clip from keys (values at times). Pass the result to `hero:add_clip`. The clip lasts at most 600 \
              s. Bones, morph targets and curves without keys do not change.\n\n\
              - A bone has its name in the model, or the name of a humanoid part such as `left_hand`.\n\
              - A key of a bone is { t, x, y, z } or { t, vector }; `t` is the time. A key of a scale may also be { t, \
              factor }. A key of a morph target or a curve is { t, number }.\n\
              - A rotation is three angles in degrees, applied around z first, then x, then y. It may also be a \
              quaternion { t, x, y, z, w }.\n\
              - `space` says what the keys are relative to. \"parent\": the values are transforms relative to the \
              parent bone, as in glTF. \"rest\": rotations are added to the rest pose, around the bone's own axes. \
              \"model\": rotations and offsets are added to the rest pose, along the axes of the model. So the same \
              keys fit every skeleton.\n\
              - With `interpolation = \"cubic\"`, values follow a smooth curve through the keys. The motion starts and \
              ends gently.",
        example: "local nod = clip \"nod\" {\n\tspace = \"model\", interpolation = \"cubic\",\n\tbones = { [\"chest\"] = { rotation = { { 0, 0, 0, 0 }, { 0.3, 20, 0, 0 }, { 0.6, 0, 0, 0 } } } },\n\tcurves = { glow = { { 0, 0 }, { 0.6, 1 } } },\n\tmarkers = { { 0.3, \"nodded\" } },\n}\nhero:add_clip(nod)\nhero:play(\"nod\"):on(\"nodded\", function(e) print(e.time) end)",
        call: clip,
    }],
    properties: &[],
};
