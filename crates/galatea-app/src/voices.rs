//! Voices of this machine: a synthesiser that is installed speaks lines that nobody has recorded.

use std::io::Write as _;
use std::process::{Command, Stdio};

use galatea_audio::Sound;

/// Words a minute at a rate of 1.
const PACE: f32 = 165.0;
/// Bytes of a line.
const LONGEST: usize = 16_384;

/// Why nothing was spoken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotSpoken {
    /// There is no synthesiser here.
    NotInstalled,
    /// What was asked for cannot be, in plain words.
    Wrong(String),
}

/// Speaks a text by a voice of espeak-ng ("en-us", "de", "en-gb+f3"). It takes some hundredths of a second.
///
/// # Errors
/// When it is not installed, has no such voice, or its sound cannot be read.
pub fn speak(voice: &str, text: &str, rate: f32) -> Result<Sound, NotSpoken> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-+_".contains(c);
    if voice.is_empty() || voice.starts_with('-') || !voice.chars().all(is_name) {
        let what =
            format!("{voice:?} is no name of a voice; such are \"en-us\", \"de\", \"en-gb+f3\"");
        return Err(NotSpoken::Wrong(what));
    }
    if text.len() > LONGEST {
        let what = format!("a line may have {LONGEST} bytes, this has {}", text.len());
        return Err(NotSpoken::Wrong(what));
    }
    let pace = (PACE * rate.clamp(0.3, 3.0)).round().clamp(80.0, 450.0);
    let child = Command::new("espeak-ng")
        // It reads all of the text before it writes, so neither pipe can fill up while the other is waited for.
        .args(["-v", voice, "-s", &pace.to_string(), "--stdin", "--stdout"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(NotSpoken::NotInstalled);
        }
        Err(error) => return Err(NotSpoken::Wrong(format!("espeak-ng: {error}"))),
    };
    if let Some(mut stdin) = child.stdin.take() {
        // One that does not read says why at its end.
        let _ = stdin.write_all(text.as_bytes());
    }
    let done = child
        .wait_with_output()
        .map_err(|error| NotSpoken::Wrong(format!("espeak-ng: {error}")))?;
    let told = String::from_utf8_lossy(&done.stderr);
    let told = told.lines().next().unwrap_or("it says nothing").trim();
    if !done.status.success() || told.contains("does not exist") {
        let what = format!("espeak-ng has no voice {voice:?}: {told}");
        return Err(NotSpoken::Wrong(what));
    }
    Sound::decode("espeak-ng", &done.stdout).map_err(|error| NotSpoken::Wrong(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_names_of_voices_are_refused_before_anything_is_called() {
        for voice in ["", "-w", "en us", "en;ls", "../x"] {
            let why = speak(voice, "Hello.", 1.0).unwrap_err();
            assert!(matches!(why, NotSpoken::Wrong(_)), "{voice}");
        }
    }

    #[test]
    fn a_voice_that_is_installed_speaks_and_one_that_is_not_is_told() {
        match speak("en-us", "Hello there.", 1.0) {
            Ok(sound) => {
                assert!(
                    (0.4..3.0).contains(&sound.duration()),
                    "{}",
                    sound.duration()
                );
                let slow = speak("en-us", "Hello there.", 0.6).unwrap();
                assert!(slow.duration() > 1.2 * sound.duration());
                let why = speak("nosuchvoice", "Hello.", 1.0).unwrap_err();
                assert!(matches!(why, NotSpoken::Wrong(_)), "{why:?}");
            }
            Err(why) => assert_eq!(why, NotSpoken::NotInstalled),
        }
    }
}
