//! `hero:say`: a character speaks a line and performs its marks.

use std::sync::Arc;

use mlua::{Lua, Value};

use super::character_ref::{find, with_character};
use super::check::{Args, Fields, OptionValue, Options, Param, Type, text};
use super::face_mix::{mix_named, warn};
use super::face_ref::facing;
use super::group::{Function, Property};
use super::line_handle::line_ref;
use super::say_track::{Row, rows};
use super::sound::sound_name;
use super::words::reader;
use crate::budget::charge;
use crate::words;
use crate::world::{World, with_world};
use galatea_derive::Options;
use galatea_face::Mix;
use galatea_math::names::nearest_hint;
use galatea_speech::line::{CutPoint, HEAD_MOVES, Line, MarkAction};
use galatea_speech::marks::parse;
use galatea_speech::mouth::MouthOptions;
use galatea_speech::plan::{LipSync, PlanOptions, Recording, plan};
use galatea_stage::{Handle, MAX_LINES, Saying, SpeechVoice, Stage, UiItem, has_gesture};

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Behaviour of a new line while the character speaks.
#[derive(PartialEq, Eq)]
pub(super) enum IfSpeaking {
    /// Waits until the others end.
    Queue,
    /// Replaces the others from the next phrase on.
    Interrupt,
    /// Is spoken at the same time.
    Overlap,
    /// Is dropped.
    Drop,
}

words!(IfSpeaking {
    "queue" => IfSpeaking::Queue,
    "interrupt" => IfSpeaking::Interrupt,
    "overlap" => IfSpeaking::Overlap,
    "drop" => IfSpeaking::Drop,
});

words!(LipSync {
    "auto" => LipSync::Auto,
    "live" => LipSync::Live,
    "amplitude" => LipSync::Amplitude,
});

words!(CutPoint {
    "now" => CutPoint::Now,
    "word" => CutPoint::Word,
    "phrase" => CutPoint::Phrase,
});

/// A name, true for the default, or false for none.
#[derive(PartialEq, Eq)]
pub(super) enum Choice {
    Usual,
    None,
    Named(String),
}

impl OptionValue for Choice {
    const TYPE: Type = Type::OneOf(&[Type::Text, Type::Bool]);

    fn from_value(value: Value) -> Result<Self, String> {
        Ok(match (text(&value), value) {
            (Some(text), _) => Self::Named(text),
            (None, Value::Boolean(false)) => Self::None,
            _ => Self::Usual,
        })
    }
}

/// Content and delivery of a line.
#[derive(Options)]
pub(super) struct SayOptions {
    /// Text of the line, with marks. It gives the timing and the caption.
    text: Option<String>,
    /// Sound file of the project with the recorded line. You may write it first, without a name: say { "line.ogg", text
    /// = … }.
    sound: Option<String>,
    /// Language of the text: a name or code such as "es".
    #[option(default_doc = "English, unless `language` sets another default")]
    language: Option<String>,
    /// Name of the speaker in the caption, or false for no caption.
    #[option(default = Choice::Usual, default_doc = "the character's name, if it has one")]
    caption: Choice,
    /// Behaviour if the character is already speaking. "queue" waits for the end of the current line, "interrupt" cuts
    /// it at the end of the phrase. "overlap" speaks at the same time, "drop" does not speak the new line.
    #[option(default_doc = "\"queue\"")]
    pub if_speaking: Option<IfSpeaking>,
    /// Time until the line begins.
    #[option(default = 0.0, unit = "seconds", range = 0.0..=600.0)]
    delay: f32,
    /// Factor on the volume, applied after `normalize`.
    #[option(default = 1.0, range = 0.0..=16.0)]
    volume: f32,
    /// True brings all lines to the same loudness.
    #[option(default = true)]
    normalize: bool,
    /// Speed of speech of a line without a recording; 2 is twice as fast.
    #[option(default = 1.0, range = 0.3..=3.0)]
    rate: f32,
    /// Voice of a line without a recording, such as "en-us+f3", or false for a silent line. The program espeak-ng
    /// speaks it, if it is installed.
    #[option(default = Choice::Usual, default_doc = "the voice in galatea.toml")]
    voice: Choice,
    /// Further events of the line, as a table instead of marks: { { "smile", at = "you", duration = 1 }, { gesture =
    /// "nod", at = 0.4 } }.
    #[option(default = Vec::new())]
    track: Vec<Row>,
    /// Method that moves the mouth of a recorded line. "auto" uses the timing file of the same name if there is one,
    /// otherwise the sound and the text. "live" works as with a microphone. "amplitude" opens the mouth by the loudness
    /// alone, in four steps.
    #[option(default = LipSync::Auto, default_doc = "\"auto\"")]
    lipsync: LipSync,
    /// Factor on the movement of the mouth; 0 keeps it still.
    #[option(default = 1.0, range = 0.0..=2.0)]
    mouth_intensity: f32,
}

/// A line as a table. The first entry may be a sound file.
#[derive(Options)]
#[option(entries = Type::Text)]
struct SayLine {
    #[option(flatten)]
    options: SayOptions,
}

/// A line to speak, with its options.
pub(super) struct SayRequest {
    pub text: String,
    sound: Option<String>,
    pub options: SayOptions,
}

impl OptionValue for SayRequest {
    const TYPE: Type = Type::OneOf(&[Type::Text, SayLine::TYPE]);

    fn from_value(value: Value) -> Result<Self, String> {
        let Value::Table(table) = &value else {
            let options = SayOptions::from_fields(&Fields(None))?;
            return Ok(Self::of(text(&value).unwrap_or_default(), options));
        };
        let mut options = SayLine::from_value(value.clone())?.options;
        match table.raw_get(1) {
            Ok(Value::Nil) => {}
            Ok(Value::String(first)) => options.sound = Some(first.to_string_lossy()),
            _ => return Err("the first entry must be the file of a sound".into()),
        }
        let spoken = options.text.take().unwrap_or_default();
        if options.sound.is_none() && spoken.is_empty() {
            return Err("expected a text or a sound".into());
        }
        Ok(Self::of(spoken, options))
    }
}

impl SayRequest {
    fn of(text: String, options: SayOptions) -> Self {
        let sound = options.sound.as_deref().map(sound_name);
        Self {
            text,
            sound,
            options,
        }
    }

    /// Reads the line and the options of a call.
    fn of_call(args: &Args) -> mlua::Result<Self> {
        match args.text(1) {
            Some(text) => Ok(Self::of(text, args.options(2)?)),
            None => Self::from_value(args.value(1)).map_err(|why| wrong(format!("say: {why}"))),
        }
    }
}

/// Plans words, sound and mouth movement of a line. Prints warnings about text that cannot be pronounced.
fn line_of(lua: &Lua, world: &mut World, asked: &SayRequest) -> mlua::Result<(Line, SpeechVoice)> {
    let told = match &asked.sound {
        Some(sound) if asked.options.lipsync == LipSync::Auto => world
            .services
            .sound_timings(sound)
            .map_err(|why| wrong(format!("say: {why}")))?,
        _ => None,
    };
    // A timing file next to the sound may contain the spoken text.
    let own = told.as_ref().and_then(|told| told.text.as_deref());
    let text = match (asked.text.is_empty(), own) {
        (true, Some(own)) => own.replace(['{', '}', '[', ']'], " "),
        _ => asked.text.clone(),
    };
    let marked = parse(&text).map_err(|why| wrong(format!("say: {why}")))?;
    let given = &asked.options;
    let services = &world.services;
    let voice = match &given.voice {
        Choice::Named(voice) => Some(voice.as_str()),
        _ => None,
    };
    let is_mute = given.voice == Choice::None;
    let spoken = match &asked.sound {
        // A line of punctuation alone needs no voice.
        None if !is_mute && marked.text.contains(char::is_alphanumeric) => services
            .spoken(voice, &marked.text, given.rate)
            .map_err(|why| wrong(format!("say: {why}")))?,
        _ => None,
    };
    let sound = asked.sound.clone().or(spoken.clone());
    let recording = match &sound {
        None => None,
        Some(sound) => {
            let names = services.sound_names();
            if spoken.is_none() && !names.contains(sound) {
                let hint = nearest_hint(sound, names.iter().map(String::as_str));
                return Err(wrong(format!("say: no sound {sound:?}{hint}")));
            }
            let samples = services.sound_samples(sound);
            samples.map(|samples| Recording {
                timings: told.map(Arc::new),
                ..samples
            })
        }
    };
    let options = PlanOptions {
        rate: given.rate,
        lipsync: given.lipsync,
        level: given.normalize,
    };
    let reader = reader(&world.program.vocabulary, given.language.as_deref())?;
    let planned = plan(&marked, recording.as_ref(), &options, &reader);
    let planned = planned.map_err(|why| wrong(format!("say: {why}")))?;
    for warning in &planned.warnings {
        let text = format!("say: {warning}");
        warn(lua, &mut world.program.expressions, &*world.services, &text);
    }
    let mouth = MouthOptions {
        strength: given.mouth_intensity,
        ..MouthOptions::default()
    };
    let voice = SpeechVoice {
        sound: sound.as_deref().map(Arc::from),
        volume: given.volume * planned.gain,
        keys: planned.keys.map(Arc::from),
        loudness: planned.loudness.into(),
    };
    let mut line = Line::new(&marked, planned.track, &mouth);
    if !given.track.is_empty() {
        let rows = rows(&given.track, &line.track)?;
        line.add(rows.items, rows.cuts);
    }
    Ok((line, voice))
}

/// Characters by name, for gaze targets in a line; they take precedence over the stage's characters.
pub(super) type Names = Arc<[(Arc<str>, Handle)]>;

/// Prepares a line with everything that its marks refer to.
pub(super) fn saying(
    lua: &Lua,
    world: &mut World,
    handle: Handle,
    asked: &SayRequest,
    names: Names,
) -> mlua::Result<Saying> {
    let (line, voice) = line_of(lua, world, asked)?;
    let mixes = mixes(lua, world, handle, &line, &names)?;
    let caption = caption(&world.stage, handle, asked, &line);
    Ok(Saying {
        line: Arc::new(line),
        mixes,
        voice,
        caption,
        overlaps: asked.options.if_speaking == Some(IfSpeaking::Overlap),
        delay: asked.options.delay,
        names,
    })
}

/// Expressions for the line's marks, for the speaker's face. Fails if a mark names a gesture or gaze target that
/// does not exist.
fn mixes(
    lua: &Lua,
    world: &mut World,
    handle: Handle,
    line: &Line,
    names: &Names,
) -> mlua::Result<Vec<Option<Mix>>> {
    let id = world.stage.ids.new_id();
    let rig = facing(find(&mut world.stage, handle)?, handle, id)?
        .rig
        .clone();
    let mut mixes = Vec::with_capacity(line.items.len());
    for item in &line.items {
        let mix = match &item.action {
            MarkAction::Show(name) | MarkAction::Mood(name) => Some(mix_named(
                lua,
                &mut world.program.expressions,
                &*world.services,
                &rig,
                "say",
                name,
            )?),
            MarkAction::Gesture { name, .. } => {
                let character = find(&mut world.stage, handle)?;
                if !has_gesture(character, name) {
                    let clips = character.definition.clips.names();
                    let hint = nearest_hint(name, clips.chain(HEAD_MOVES));
                    let model = &character.definition.model.name;
                    return Err(wrong(format!("say: {model} has no gesture {name:?}{hint}")));
                }
                None
            }
            MarkAction::Look(name) if !["camera", "away"].contains(&name.as_str()) => {
                let is_named = names.iter().any(|(own, _)| **own == **name);
                if !is_named && world.stage.characters.named(name).is_none() {
                    let all = world.stage.characters.iter();
                    let keys = all.filter_map(|(_, c)| c.identity.name());
                    let keys: Vec<&str> = names.iter().map(|(own, _)| &**own).chain(keys).collect();
                    let hint = nearest_hint(name, keys.into_iter().chain(["camera", "away"]));
                    return Err(wrong(format!(
                        "say: there is no character {name:?} on the stage{hint}"
                    )));
                }
                None
            }
            _ => None,
        };
        mixes.push(mix);
    }
    Ok(mixes)
}

fn say(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let asked = SayRequest::of_call(&args)?;
    // Aligning a line costs as much as many calls.
    charge(lua, 64 + asked.text.len() as u64)?;
    let id = with_world(lua, |world| {
        let when = &asked.options.if_speaking;
        find(&mut world.stage, handle)?;
        if *when == Some(IfSpeaking::Drop) && world.stage.speech.is_speaking(handle) {
            return Ok(None);
        }
        let saying = saying(lua, world, handle, &asked, Names::default())?;
        if *when == Some(IfSpeaking::Interrupt) {
            interrupt_all(&mut world.stage, handle, CutPoint::Phrase);
        }
        let id = world
            .stage
            .speech
            .say(&mut world.stage.ids, handle, saying, 0.0);
        let most = || {
            wrong(format!(
                "say: {MAX_LINES} lines are already playing or waiting, which is the limit"
            ))
        };
        id.map(Some).ok_or_else(most)
    })?;
    id.map_or(Ok(Value::Nil), |id| line_ref(lua, handle, id))
}

/// Caption of a line, unless captions are off for it.
fn caption(stage: &Stage, handle: Handle, asked: &SayRequest, line: &Line) -> Option<UiItem> {
    let character = stage.characters.get(handle)?;
    let own = character.identity.name().unwrap_or_default();
    let speaker = match &asked.options.caption {
        Choice::None => return None,
        Choice::Named(name) => name.as_str(),
        Choice::Usual => own,
    };
    (!line.text.is_empty())
        .then(|| super::ui::caption_item(speaker.into(), line.text.as_str().into()))
}

fn interrupt_all(stage: &mut Stage, handle: Handle, how: CutPoint) -> usize {
    let lines = stage.speech.lines.iter_mut();
    let own = lines.filter(|speaking| speaking.character == handle);
    let mut n = 0;
    for speaking in own {
        speaking.cut(how);
        n += 1;
    }
    n
}

fn stop_speaking(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let cut = args.read(1)?.unwrap_or(CutPoint::Phrase);
    with_world(lua, |world| {
        find(&mut world.stage, handle)?;
        Ok(Value::Boolean(
            interrupt_all(&mut world.stage, handle, cut) > 0,
        ))
    })
}

fn get_is_speaking(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    with_character(lua, &args, |_, _| Ok(()))?;
    with_world(lua, |world| {
        Ok(Value::Boolean(world.stage.speech.is_speaking(handle)))
    })
}

/// `hero:say(line)`.
pub(super) const SAY: Function = Function {
    name: "say",
    params: &[
        Param {
            name: "line",
            ty: SayRequest::TYPE,
            optional: false,
        },
        Param::options(SayOptions::SHAPE),
    ],
    returns: "Line?",
    doc: "Makes the character speak a line: a text with marks, or a recording and its text, `{ \"line.ogg\", text = \
          \"…\" }`. The mouth follows the sound, and a caption shows the text. Returns nil if the line was dropped. \
          The character emits the events `say`, `word`, `phoneme`, `cue` and `say_end`. A mark takes effect when \
          speech reaches its place in the text:\n\n\
          - `{smile}`, `{brow:up}` or any other expression; `{smile x0.5 1.2s}` sets intensity and duration, \
          `{smile}…{/smile}` lasts while the words between are spoken;\n\
          - `{look=name}`, `{look=camera}`, `{look=away}` for the gaze; `{mood=sadness}`; `{blink}`; `{pause 0.5}`;\n\
          - `[beat]word[/]` for a gesture: a clip of that name, or the head movement beat, nod, shake or tilt. Its \
          stroke (main moment) falls on the stressed syllable;\n\
          - `{event=name key=value}` for an event `cue` with these fields.\n\n\
          In any mark, `chance=0.6` sets the probability and `delay=-0.1` shifts it in time, in seconds.",
    example: "hero:say(\"Hello there.\")\nhero:say \"Oh, {brow_up}it is [beat]you[/]. {look=camera} {smile}Come in.{/smile}\"\nlocal line = hero:say({ text = \"One thing {pause 0.4} more.\", if_speaking = \"interrupt\", rate = 1.2 })\nhero:on(\"word\", function(e) print(e.word, e.duration) end)\nline:stop(\"word\")",
    call: say,
};

/// `hero:stop_speaking()`.
pub(super) const STOP_SPEAKING: Function = Function {
    name: "stop_speaking",
    params: &[Param {
        name: "how",
        ty: CutPoint::TYPE,
        optional: true,
    }],
    returns: "boolean",
    doc: "Makes the character stop speaking and drops its waiting lines. `how` says when: \"phrase\" at the end of the \
          phrase (the default), \"word\" at the end of the word, or \"now\". Returns false if there was nothing to stop.",
    example: "hero:say \"I was going to say…\"\nhero:stop_speaking(\"now\")",
    call: stop_speaking,
};

/// `hero.is_speaking`.
pub(super) const IS_SPEAKING: Property = Property {
    name: "is_speaking",
    ty: "boolean",
    doc: "True while the character speaks.",
    get: get_is_speaking,
    set: None,
};
