//! What a test asks of files, which this room does not touch.

use crate::stage::InputEvent;

/// Answers what tests ask of the project around them. `()` has nothing to answer with.
pub trait Outside {
    /// A recording of inputs: seconds and what happens, in order of time.
    ///
    /// # Errors
    /// Why it cannot be played, naming the file.
    fn inputs(&mut self, file: &str) -> Result<Vec<(f64, InputEvent)>, String> {
        Err(format!("{file}: there are no files here"))
    }
}

impl Outside for () {}
