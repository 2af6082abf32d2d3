//! Languages and words of a script's own.

use std::sync::Arc;

use galatea_speech::text::language::Language;
use galatea_speech::text::lexicon::Lexicon;

/// What a script says of languages and words.
#[derive(Clone, Default)]
pub(super) struct Vocabulary {
    pub lexicon: Arc<Lexicon>,
    pub languages: Vec<Arc<Language>>,
    /// That of lines that name none; English.
    pub default: Option<Arc<Language>>,
}
