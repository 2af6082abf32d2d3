//! Mouth shapes of Rhubarb Lip Sync (six basic and three extended shapes, after Hanna-Barbera), and its three file
//! formats.

use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;

use super::{ExchangeError, SpeechTimings, broken, seconds};
use crate::phoneme::Phoneme;
use crate::track::VisemeCue;
use crate::viseme::Viseme;

/// A mouth shape, named by its letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum RhubarbShape {
    /// Closed lips: p, b, m.
    A,
    /// Teeth together: most consonants, ee.
    B,
    /// Open: eh, ae.
    C,
    /// Wide open: ah.
    D,
    /// A little round: ao, er.
    E,
    /// Puckered: oo, w.
    F,
    /// Teeth on the lip: f, v.
    G,
    /// Tongue raised behind open teeth: l.
    H,
    /// Rest position.
    X,
}

/// All shapes, in order.
pub const SHAPES: [RhubarbShape; 9] = [
    RhubarbShape::A,
    RhubarbShape::B,
    RhubarbShape::C,
    RhubarbShape::D,
    RhubarbShape::E,
    RhubarbShape::F,
    RhubarbShape::G,
    RhubarbShape::H,
    RhubarbShape::X,
];

impl RhubarbShape {
    /// Returns the shape with this letter.
    pub(crate) fn from_letter(letter: &str) -> Option<Self> {
        let i = "ABCDEFGHX".find(letter).filter(|_| letter.len() == 1)?;
        SHAPES.get(i).copied()
    }

    /// Returns the most similar viseme of Galatea.
    pub fn viseme(self) -> Viseme {
        match self {
            Self::A => Viseme::PP,
            Self::B => Viseme::SS,
            Self::C => Viseme::E,
            Self::D => Viseme::AA,
            Self::E => Viseme::O,
            Self::F => Viseme::U,
            Self::G => Viseme::FF,
            Self::H => Viseme::NN,
            Self::X => Viseme::Sil,
        }
    }

    pub(super) fn cue(self, start: f32, end: f32) -> VisemeCue {
        VisemeCue {
            viseme: self.viseme(),
            start,
            end,
            amount: 1.0,
        }
    }
}

/// Returns Rhubarb's shape for a phone, as far as the phone alone determines it (table of shapes in its README).
pub fn shape_of(phone: Phoneme) -> RhubarbShape {
    use Phoneme::*;
    match phone {
        Sil => RhubarbShape::X,
        P | B | M => RhubarbShape::A,
        F | V => RhubarbShape::G,
        L => RhubarbShape::H,
        AA | AY => RhubarbShape::D,
        AE | AH | EH | EY => RhubarbShape::C,
        AO | ER | AW | R => RhubarbShape::E,
        UW | UH | OW | OY | W => RhubarbShape::F,
        _ => RhubarbShape::B,
    }
}

const JSON: &str = "Rhubarb's JSON";
const XML: &str = "Rhubarb's XML";

/// Reads `mouthCues` of a JSON object.
pub(super) fn read_json(value: &Value) -> Result<SpeechTimings, ExchangeError> {
    let number = |value: &Value| match value {
        Value::String(text) => seconds(text),
        other => other.as_f64().and_then(|t| seconds(&t.to_string())),
    };
    let cues = value.get("mouthCues").and_then(Value::as_array);
    let mut timings = SpeechTimings::default();
    for (i, cue) in cues.into_iter().flatten().enumerate() {
        let field = |name: &str| cue.get(name).and_then(number);
        let shape = cue
            .get("value")
            .and_then(Value::as_str)
            .and_then(RhubarbShape::from_letter);
        let (Some(start), Some(end), Some(shape)) = (field("start"), field("end"), shape) else {
            let what = format!(
                "cue {}: expected start, end, and a value from A to H or X",
                i + 1
            );
            return Err(broken(JSON, what));
        };
        timings.cues.push(shape.cue(start, end));
    }
    timings.duration = value
        .get("metadata")
        .and_then(|metadata| number(metadata.get("duration")?));
    Ok(timings)
}

/// Reads `<rhubarbResult>`.
pub(super) fn read_xml(text: &str) -> Result<SpeechTimings, ExchangeError> {
    let mut reader = Reader::from_str(text);
    let mut timings = SpeechTimings::default();
    let mut open: Option<(f32, f32)> = None;
    let mut in_duration = false;
    let mut is_rhubarb = false;
    loop {
        let event = reader
            .read_event()
            .map_err(|why| broken(XML, format!("byte {}: {why}", reader.error_position())))?;
        match event {
            Event::Eof => break,
            Event::Start(tag) => match tag.name().as_ref() {
                b"rhubarbResult" => is_rhubarb = true,
                b"duration" => in_duration = true,
                b"mouthCue" => {
                    let field = |name: &str| {
                        let value = tag.try_get_attribute(name).ok()??;
                        seconds(&String::from_utf8_lossy(&value.value))
                    };
                    let (Some(start), Some(end)) = (field("start"), field("end")) else {
                        return Err(broken(XML, "a mouthCue has no start or no end"));
                    };
                    open = Some((start, end));
                }
                _ => {}
            },
            Event::Text(text) => {
                let text = String::from_utf8_lossy(&text).trim().to_owned();
                if let Some((start, end)) = open {
                    let shape = RhubarbShape::from_letter(&text);
                    let Some(shape) = shape else {
                        return Err(broken(
                            XML,
                            format!("unknown shape {text:?}; expected A to H, or X"),
                        ));
                    };
                    timings.cues.push(shape.cue(start, end));
                    open = None;
                } else if in_duration {
                    timings.duration = seconds(&text);
                }
            }
            Event::End(tag) if tag.name().as_ref() == b"duration" => in_duration = false,
            _ => {}
        }
    }
    if is_rhubarb {
        Ok(timings)
    } else {
        Err(ExchangeError::Unknown)
    }
}
