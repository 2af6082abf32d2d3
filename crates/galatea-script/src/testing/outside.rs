//! File access for tests, implemented outside of this crate.

use galatea_speech::viseme::N_VISEMES;
use galatea_stage::{InputEvent, Stage};

/// An entry of an input file that a test replays.
#[derive(Clone, Debug, PartialEq)]
pub enum ReplayedInput {
    /// An input device changed.
    Device(InputEvent),
    /// A line of the console ran.
    Line(String),
    /// Weights of the mouth shapes of the microphone from now on; `None` while it is off.
    Microphone(Option<[f32; N_VISEMES]>),
}

/// An image comparison requested by a test.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// Name: letters, digits, `_` and `-`.
    pub name: String,
    /// Maximum mean FLIP error; `None` uses the default.
    pub tolerance: Option<f32>,
    /// Width and height, pixels.
    pub size: (u32, u32),
}

/// Handles requests of tests for files. The implementation for `()` rejects them all.
pub trait Outside {
    /// Recorded inputs with their times in seconds, in order of time.
    ///
    /// # Errors
    /// Returns the reason, with the file name, if the recording cannot be played.
    fn inputs(&mut self, file: &str) -> Result<Vec<(f64, ReplayedInput)>, String> {
        Err(format!("{file}: files are not available here"))
    }

    /// Compares the view of the stage's camera with a stored image.
    ///
    /// # Errors
    /// Returns the difference, or the reason if there is no image to compare with. If the image cannot be drawn on this
    /// machine, the result is not an error.
    fn picture(&mut self, _stage: &Stage, picture: &Compared) -> Result<(), String> {
        Err(format!("{}: files are not available here", picture.name))
    }
}

impl Outside for () {}
