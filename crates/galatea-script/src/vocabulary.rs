//! Languages and words that a script defines.

use std::sync::Arc;

use galatea_speech::text::language::Language;
use galatea_speech::text::lexicon::Lexicon;

/// Languages and words of a script.
#[derive(Clone, Default)]
pub(super) struct Vocabulary {
    pub lexicon: Arc<Lexicon>,
    pub languages: Vec<Arc<Language>>,
    /// Language of lines that name none; `None` means English.
    pub default: Option<Arc<Language>>,
}
