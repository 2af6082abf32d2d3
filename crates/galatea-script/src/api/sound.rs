//! `sound`: playback of the project's sound files.

use glam::Vec3;
use mlua::{Lua, Value};

use super::check::{Args, Options, Param, Type};
use super::group::{Function, Group, Kind};
use super::sound_handle::{SoundRef, order};
use crate::sounds::Sounding;
use crate::world::with_world;
use galatea_derive::Options;
use galatea_math::names::nearest_hint;
use galatea_stage::{SoundCue, SoundOrder};

/// Maximum number of playing or waiting sounds. Only a few of them are audible at once.
const MAX_SOUNDS: usize = 4096;

/// Options for playing a sound.
#[derive(Options)]
struct SoundOptions {
    /// Position of the sound in the world. Without a position, the sound plays as recorded: it is not quieter far away
    /// and does not come from a direction.
    #[option(unit = "metres")]
    position: Option<Vec3>,
    /// Factor on the volume; 1 is as recorded.
    #[option(default = 1.0, clamp = 0.0..=16.0)]
    volume: f32,
    /// Factor on speed and pitch; 2 is an octave higher.
    #[option(default = 1.0, clamp = 0.0625..=16.0)]
    pitch: f32,
    /// True repeats the sound until you stop it or the script is reloaded.
    #[option(default = false)]
    r#loop: bool,
    /// Factor on the volume of this sound while a character speaks. Use about 0.35 for music, so that it becomes
    /// quieter during dialogue.
    #[option(default = 1.0, clamp = 0.0..=1.0)]
    duck: f32,
    /// True: the sound ignores pauses and slow motion of the module `time`, for music and sounds of menus. Its times
    /// are then unscaled.
    #[option(default = false)]
    unscaled: bool,
    /// Time until the sound starts.
    #[option(default = 0.0, unit = "seconds", clamp = 0.0..=600.0)]
    delay: f64,
}

/// Name of the sound in a file: the path without folders and extension.
pub(super) fn sound_name(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
        _ => name.to_owned(),
    }
}

/// Returns true for a path outside the project's folder.
fn leads_out(file: &str) -> bool {
    let mut folders = file.split(['/', '\\']);
    file.starts_with(['/', '\\']) || folders.any(|folder| folder == "..")
}

fn play(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(0).unwrap_or_default();
    let options: SoundOptions = args.options(1)?;
    let hold = with_world(lua, |world| {
        let names = world.services.sound_names();
        let is_known = names.iter().any(|n| is_variant(n, &name));
        let name = if is_known || leads_out(&name) {
            name
        } else {
            sound_name(&name)
        };
        // `step_stone` selects step_stone.wav or one of step_stone_1.wav, step_stone_2.wav, …
        let variants: Vec<&String> = names.iter().filter(|n| is_variant(n, &name)).collect();
        if variants.is_empty() {
            let hint = nearest_hint(&name, names.iter().map(|n| base_name(n)));
            return Err(mlua::Error::runtime(format!("no sound {name:?}{hint}")));
        }
        if world.program.sounds.len() >= MAX_SOUNDS {
            return Err(mlua::Error::runtime(format!(
                "sound.play: {MAX_SOUNDS} sounds are already playing or waiting, which is the limit; stop some \
                 loops"
            )));
        }
        let pick = world.stage.rng.below(variants.len());
        let sound = variants[pick].clone();
        let length = world.services.sound_seconds(&sound).unwrap_or(0.0);
        let id = world.stage.ids.new_id();
        let looped = options.r#loop;
        let now = match options.unscaled {
            true => world.stage.unscaled_time(),
            false => world.now(),
        };
        let begins = now + options.delay;
        let (gain, pitch, position) = (options.volume, options.pitch, options.position);
        let cue = SoundCue {
            id,
            sound: sound.as_str().into(),
            time: begins,
            position,
            volume: gain,
            pitch,
            looped,
            is_speech: false,
            duck: options.duck,
            is_unscaled: options.unscaled,
        };
        order(&mut world.stage.audio.orders, SoundOrder::Play(cue))?;
        if looped {
            world.stage.audio.loops.push(id);
        }
        let mut sounding = Sounding::new(begins, length, looped, pitch);
        (sounding.volume, sounding.position) = (gain, position);
        sounding.is_unscaled = options.unscaled;
        let ended = sounding.ended.clone();
        world.program.sounds.insert(id, sounding);
        Ok(SoundRef { id, ended })
    })?;
    Ok(Value::UserData(lua.create_userdata(hold)?))
}

/// Returns true for the sound itself and its numbered variants.
fn is_variant(sound: &str, name: &str) -> bool {
    match sound.strip_prefix(name) {
        Some("") => true,
        Some(rest) => rest
            .strip_prefix('_')
            .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())),
        None => false,
    }
}

/// Common name of all variants of a sound.
fn base_name(sound: &str) -> &str {
    match sound.rsplit_once('_') {
        Some((base, _)) if is_variant(sound, base) => base,
        _ => sound,
    }
}

fn volume(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let gain = args.number(0).unwrap_or(1.0).clamp(0.0, 4.0) as f32;
    with_world(lua, |world| {
        world.stage.audio.orders.push(SoundOrder::Volume(gain));
        Ok(Value::Nil)
    })
}

/// The module `sound`.
pub(super) static GROUP: Group = Group {
    kind: Kind::Module,
    name: "sound",
    doc: "Sounds of the project: WAV, OGG, MP3 and FLAC files in `assets/` and the folders in it. The name of a sound \
          is the name of its file without the extension. The files `bark_1.wav`, `bark_2.wav` and so on are variants of \
          one sound, `bark`: each time, one of them is chosen at random.",
    functions: &[
        Function {
            name: "play",
            params: &[
                Param {
                    name: "name",
                    ty: Type::Text,
                    optional: false,
                },
                Param::options(SoundOptions::SHAPE),
            ],
            returns: "Sound",
            doc: "Plays a sound. If you call it in a listener, the sound starts exactly at the time of the event.",
            example: "sound.play(\"step_stone\", { position = hero.position, volume = 0.8 })",
            call: play,
        },
        Function {
            name: "volume",
            params: &[Param {
                name: "volume",
                ty: Type::Number,
                optional: false,
            }],
            returns: "",
            doc: "Sets the volume of all sounds together, 0 to 4; 1 is normal.",
            example: "sound.volume(0.7)",
            call: volume,
        },
    ],
    properties: &[],
};

#[cfg(test)]
mod tests {
    use super::{is_variant, leads_out, sound_name};

    #[test]
    fn a_sound_is_named_by_its_file_without_folders_and_extension() {
        for file in [
            "horn",
            "horn.wav",
            "assets/sounds/horn.wav",
            "sounds\\horn.ogg",
        ] {
            assert_eq!(sound_name(file), "horn");
        }
        assert_eq!(sound_name(".wav"), ".wav");
        assert!(
            leads_out("../horn.wav") && leads_out("/horn.wav") && leads_out("sounds\\..\\..\\horn")
        );
        assert!(!leads_out("sounds/horn.wav") && !leads_out("horn..wav"));
    }

    #[test]
    fn numbered_files_are_variants_and_others_are_not() {
        assert!(is_variant("step", "step") && is_variant("step_12", "step"));
        assert!(!is_variant("step_stone", "step") && !is_variant("step_", "step"));
        assert!(!is_variant("ste", "step"));
    }
}
