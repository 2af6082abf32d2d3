//! The built-in languages, one file each, with rules made for this project.

mod english;
mod english_accents;
mod english_forms;
mod english_numbers;
mod english_rules;
mod english_words;
mod french;
mod german;
mod italian;
mod japanese;
mod spanish;

#[cfg(test)]
mod tests;

use super::source::LanguageSource;

/// All built-in languages; a derived language comes after its base.
pub(super) static SOURCES: [&LanguageSource; 7] = [
    &english::ENGLISH,
    &spanish::SPANISH,
    &spanish::LATIN_AMERICAN,
    &italian::ITALIAN,
    &german::GERMAN,
    &french::FRENCH,
    &japanese::JAPANESE,
];
