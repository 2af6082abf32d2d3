//! Lines with sounds in a project: files next to the sound, audio output, and the microphone.

use std::fs;

use galatea::app::recording::{InputRecording, Recorder};
use galatea::app::{PlayerProfile, SoundOutput};
use galatea::audio::{Sound, wav_bytes};

use super::{errors, run};
use crate::folder::Folder;

/// Syllables of a buzzing voice: loud between these times in seconds.
const LOUD: [(f32, f32); 7] = [
    (0.30, 0.52),
    (0.70, 0.84),
    (1.00, 1.35),
    (1.55, 1.70),
    (1.92, 2.15),
    (2.45, 2.60),
    (2.75, 3.10),
];

fn line() -> Vec<f32> {
    (0..16_000 * 7 / 2)
        .map(|i| {
            let t = i as f32 / 16_000.0;
            let buzz: f32 = (1..20)
                .map(|k| (750.0 * k as f32 * t).sin() / k as f32)
                .sum();
            let syllable = LOUD.iter().find(|(start, end)| (*start..*end).contains(&t));
            syllable.map_or(0.0, |(start, end)| {
                let u = (t - start) / (end - start);
                0.2 * buzz * (std::f32::consts::PI * u).sin().sqrt()
            })
        })
        .collect()
}

/// Mouth shapes of the voice in the format of another program.
fn shapes() -> String {
    let mut rows = "0.00\tX\n".to_owned();
    for (start, end) in LOUD {
        rows += &format!("{start:.2}\tD\n{end:.2}\tX\n");
    }
    rows + "3.50\tX\n"
}

const SCRIPT: &str = r#"
hero = character("assets/hero.glb", { name = "Hero" })
hero:metrics()
line = hero:say { "line.wav", text = "One two three four five six seven." }
words = keep_on_reload("words", {})
hero:on("word", function(e) table.insert(words, e.word) end)
"#;

fn project(name: &str, script: &str) -> Folder {
    let folder = super::project(name, script);
    folder.write(
        "assets/sounds/line.wav",
        wav_bytes(16_000, 1, &line()).unwrap(),
    );
    folder
}

#[test]
fn the_mouth_and_the_captured_sound_go_together() {
    let folder = project("speech-captured", SCRIPT);
    folder.write("assets/sounds/line.tsv", shapes());
    let mut session = super::open(&folder, false, SoundOutput::Capture);
    run(&mut session, 3.4);
    assert!(errors(&session).is_empty(), "{:?}", errors(&session));
    let (_, hero) = session.stage.characters.iter().next().unwrap();
    let lag = hero.metrics.as_ref().unwrap().reading("lip_lag").unwrap();
    assert!(lag.peak != 0.0 && lag.peak.abs() <= 0.04, "{lag:?}");
    // The captured sound begins with the first syllable, after the tick in which the line began.
    let captured = session.take_sound();
    let loudest = captured.iter().copied().fold(0.0, f32::max);
    assert!(loudest > 0.01, "{loudest}");
    let first = captured
        .chunks(2)
        .position(|frame| frame[0].abs() > 0.05 * loudest);
    let first = first.unwrap() as f32 / 48_000.0;
    assert!((first - 0.30).abs() < 0.03, "{first}");
}

#[test]
fn a_mouth_file_next_to_a_sound_is_used_and_errors_are_reported() {
    let folder = project(
        "speech-told",
        r#"hero = character "assets/hero.glb"
        line = hero:say { "line.wav" }
        heard = line.text"#,
    );
    folder.write(
        "assets/sounds/line.json",
        r#"{"text": "Hello {there}.", "words": [{"word": "Hello", "start": 0.3, "end": 0.8}, {"word": "there", "start": 1.0, "end": 1.4}]}"#,
    );
    let mut session = super::open(&folder, false, SoundOutput::Silent);
    run(&mut session, 0.5);
    assert!(errors(&session).is_empty(), "{:?}", errors(&session));
    let line = &session.stage.speech.lines[0].saying.line;
    let words: Vec<&str> = line.track.words.iter().map(|w| w.text.as_str()).collect();
    assert_eq!(words, ["Hello", "there"]);
    assert_eq!(
        line.text, "Hello there .",
        "its text is the caption, without what would be marks"
    );
    assert!((line.track.words[1].start - 1.0).abs() < 1e-6);
    folder.write("assets/sounds/line.json", "{\"words\": [");
    let session = super::open(&folder, false, SoundOutput::Silent);
    let told = errors(&session).join("\n");
    assert!(
        told.contains("line.json") && told.contains("line 1"),
        "{told}"
    );
}

#[test]
fn a_live_face_follows_the_microphone_substitute() {
    let folder = project(
        "speech-live",
        r#"hero = character "assets/hero.glb"
        hero.face.use_microphone = true"#,
    );
    let open = |session: &galatea::app::Session| {
        let mouth = session.stage.audio.microphone.unwrap_or_default();
        mouth.iter().skip(1).sum::<f32>()
    };
    let mut session = super::open(&folder, false, SoundOutput::Silent);
    run(&mut session, 0.2);
    assert_eq!(session.stage.audio.microphone, None, "there is none");
    let sound = Sound::new("line", 16_000, 1, line()).unwrap();
    session.use_recording_as_microphone(sound.into());
    let (mut loud, mut quiet) = (0.0_f32, 0.0_f32);
    for tick in 0..210 {
        session.tick();
        let t = tick as f32 / 60.0;
        let within = |from: f32, to: f32| {
            LOUD.iter()
                .any(|(start, end)| (start + from..end + to).contains(&t))
        };
        if within(0.09, 0.0) {
            loud = loud.max(open(&session));
        }
        if !within(-0.02, 0.16) {
            quiet = quiet.max(open(&session));
        }
    }
    assert!(loud > 0.6 && quiet < 0.2, "{loud} {quiet}");
    run(&mut session, 2.0);
    assert!(open(&session) < 0.01, "nothing is heard any more");
}

#[test]
fn a_recording_has_the_mouth_shapes_of_the_microphone() {
    let folder = project(
        "speech-microphone",
        r#"hero = character "assets/hero.glb"
        hero.face.use_microphone = true"#,
    );
    let mut session = super::open(&folder, false, SoundOutput::Silent);
    let sound = Sound::new("line", 16_000, 1, line()).unwrap();
    session.use_recording_as_microphone(sound.into());
    let file = folder.0.join("run.jsonl");
    let header = PlayerProfile::anonymous().header(&session.project);
    session.record(Recorder::create(&file, header).unwrap());
    let mut heard = Vec::new();
    for _ in 0..90 {
        session.tick();
        heard.push(session.stage.audio.microphone);
    }
    assert!(
        heard.iter().flatten().any(|mouth| mouth[0] < 0.5),
        "it speaks"
    );
    let text = fs::read_to_string(&file).unwrap();
    let mut again = super::open(&folder, false, SoundOutput::Silent);
    again.replay(InputRecording::parse(&text).unwrap().events);
    for (tick, mouth) in heard.iter().enumerate() {
        again.tick();
        assert_eq!(again.stage.audio.microphone, *mouth, "tick {tick}");
    }
    assert_eq!(again.stage.checksum(), session.stage.checksum());
    let wrong = InputRecording::parse("{\"t\": 1, \"microphone\": [2]}").unwrap_err();
    assert!(
        format!("{wrong:#}").contains("null or a list of"),
        "{wrong:#}"
    );
}
