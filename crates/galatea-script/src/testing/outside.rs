//! What a test asks of files, which this room does not touch.

use galatea_stage::{InputEvent, Stage};

/// A picture that a test compares.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// Its name: letters, digits, `_` and `-`.
    pub name: String,
    /// How unlike it may be, if the test says so.
    pub within: Option<f32>,
    /// Pixels.
    pub size: (u32, u32),
}

/// Answers what tests ask of the project around them. `()` has nothing to answer with.
pub trait Outside {
    /// A recording of inputs: seconds and what happens, in order of time.
    ///
    /// # Errors
    /// Why it cannot be played, naming the file.
    fn inputs(&mut self, file: &str) -> Result<Vec<(f64, InputEvent)>, String> {
        Err(format!("{file}: there are no files here"))
    }

    /// Compares what the stage's camera sees with a picture kept under a name.
    ///
    /// # Errors
    /// How it differs, or why there is nothing to compare with. What cannot be drawn here is no error.
    fn picture(&mut self, _stage: &Stage, picture: &Compared) -> Result<(), String> {
        Err(format!("{}: there are no files here", picture.name))
    }
}

impl Outside for () {}
