//! Speech synthesis: an installed synthesiser speaks lines that have no recording.

use std::io::Write as _;
use std::process::{Command, Stdio};

use galatea_audio::Sound;

/// Words per minute at a rate of 1.
const WORDS_PER_MINUTE: f32 = 165.0;
/// Maximum length of a line, bytes.
const MAX_BYTES: usize = 16_384;

/// Errors of speech synthesis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotSpoken {
    /// The synthesiser is not installed.
    NotInstalled,
    /// The request failed; the reason as text for the user.
    Wrong(String),
}

/// Speaks a text with a voice of espeak-ng ("en-us", "de", "en-gb+f3"). Takes some hundredths of a second.
///
/// # Errors
/// If espeak-ng is not installed, has no such voice, or its sound cannot be read.
pub fn speak(voice: &str, text: &str, rate: f32) -> Result<Sound, NotSpoken> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-+_".contains(c);
    if voice.is_empty() || voice.starts_with('-') || !voice.chars().all(is_name) {
        let what = format!(
            "invalid voice name {voice:?}; expected a name such as \"en-us\", \"de\" or \"en-gb+f3\""
        );
        return Err(NotSpoken::Wrong(what));
    }
    if text.len() > MAX_BYTES {
        let what = format!(
            "the line has {} bytes; the limit is {MAX_BYTES}",
            text.len()
        );
        return Err(NotSpoken::Wrong(what));
    }
    let pace = (WORDS_PER_MINUTE * rate.clamp(0.3, 3.0))
        .round()
        .clamp(80.0, 450.0);
    let child = Command::new("espeak-ng")
        // espeak-ng reads the whole text before it writes, so neither pipe can block the other.
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
        // If the process stops reading, its exit status has the reason.
        let _ = stdin.write_all(text.as_bytes());
    }
    let done = child
        .wait_with_output()
        .map_err(|error| NotSpoken::Wrong(format!("espeak-ng: {error}")))?;
    let reply = String::from_utf8_lossy(&done.stderr);
    let reply = reply.lines().next().unwrap_or("no error message").trim();
    if !done.status.success() || reply.contains("does not exist") {
        let what = format!("espeak-ng has no voice {voice:?}: {reply}");
        return Err(NotSpoken::Wrong(what));
    }
    Sound::decode("espeak-ng", &done.stdout).map_err(|error| NotSpoken::Wrong(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_voice_names_are_rejected_before_the_process_starts() {
        for voice in ["", "-w", "en us", "en;ls", "../x"] {
            let why = speak(voice, "Hello.", 1.0).unwrap_err();
            assert!(matches!(why, NotSpoken::Wrong(_)), "{voice}");
        }
    }

    #[test]
    fn an_installed_voice_speaks_and_an_unknown_one_is_an_error() {
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
