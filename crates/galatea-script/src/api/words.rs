//! `language "name" { … }` and `pronounce { … }`: custom languages and pronunciations.

use std::sync::Arc;

use mlua::{Lua, Table, Value};

use super::check::{Args, OptionValue, Options, Param, Shape, Type};
use super::group::{Function, Group, Kind};
use crate::budget::charge;
use crate::vocabulary::Vocabulary;
use crate::world::with_world;
use galatea_derive::Options;
use galatea_speech::text::Pronouncer;
use galatea_speech::text::language::{Language, OwnLanguage, english, language as named};
use galatea_speech::text::lexicon::Pronunciation;
use galatea_speech::text::tokens::{TokenReading, tokens};

/// Maximum number of languages that a script may define.
const MAX_LANGUAGES: usize = 32;
/// Maximum number of rules per language.
const MAX_RULES: usize = 2000;
/// Maximum number of words that a script may define.
const MAX_WORDS: usize = 10_000;

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Pronouncer for a line in this language, or in the default language.
pub(super) fn reader(words: &Vocabulary, name: Option<&str>) -> mlua::Result<Pronouncer> {
    let language = match name {
        Some(name) => {
            let found = named(name, &words.languages);
            found.map_err(|why| wrong(format!("say: {why}")))?
        }
        None => words.default.clone().unwrap_or_else(english),
    };
    Ok(Pronouncer {
        language,
        lexicon: words.lexicon.clone(),
    })
}

/// Rules of a language.
#[derive(Options)]
struct LanguageOptions {
    /// List of rules { left, letters, right, sounds }. The sounds are written in ARPAbet, an alphabet of speech sounds
    /// such as "TH" and "AA1". The first rule that matches is used.
    #[option(ty = Type::Table("{ { string } }"))]
    rules: Option<Table>,
    /// Language that is used for everything that this table does not define: rules, numbers and names of letters.
    #[option(default_doc = "the known language of the same name, if there is one")]
    base: Option<String>,
    /// Which syllable of a word is stressed: "first", "last", "penultimate" (last but one), "antepenultimate" (last but
    /// two) or "none". Or a list for different words, such as "ion_ -2; _ver 2; 1": the last but one in words that end
    /// in "ion", the second in words that begin with "ver", the first in all others.
    #[option(default_doc = "that of the base, or \"first\"")]
    stress: Option<String>,
    /// Letters that are vowels, written as one text such as "aeiou".
    #[option(default_doc = "those of the base, or \"aeiou\"")]
    vowels: Option<String>,
    /// List of the ten words for 0 to 9. With it, numbers are read digit by digit.
    #[option(default = Vec::new(), default_doc = "those of the base")]
    digits: Vec<String>,
    /// True makes this the language of all lines without the option `language`.
    #[option(default = false)]
    default: bool,
}

/// Option shapes that only type strings refer to.
pub(super) const SHAPES: &[&Shape] = &[LanguageOptions::SHAPE];

fn rules(list: &Table) -> mlua::Result<Vec<[String; 4]>> {
    let mut rules = Vec::new();
    for (i, rule) in list.sequence_values::<Value>().enumerate() {
        let why = || {
            let n = i + 1;
            wrong(format!(
                "rule {n}: expected four strings {{ left, letters, right, sounds }}"
            ))
        };
        let parts = Vec::<String>::from_value(rule?).map_err(|_| why())?;
        rules.push(parts.try_into().map_err(|_| why())?);
        if rules.len() > MAX_RULES {
            return Err(wrong(format!(
                "a language can have at most {MAX_RULES} rules"
            )));
        }
    }
    Ok(rules)
}

fn language(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(0).unwrap_or_default();
    let make = lua.create_function(move |lua, table: Table| {
        make(lua, &name, table).map_err(|why| {
            let why = message(&why);
            wrong(format!("language {name:?}: {why}"))
        })
    })?;
    Ok(Value::Function(make))
}

/// Message of an error, without a stack trace.
fn message(error: &mlua::Error) -> String {
    match error {
        mlua::Error::RuntimeError(text) => text.clone(),
        other => other.to_string(),
    }
}

fn make(lua: &Lua, name: &str, table: Table) -> mlua::Result<()> {
    let table = Value::Table(table);
    LanguageOptions::TYPE.check(&table).map_err(wrong)?;
    if name.trim().is_empty() || name.len() > 64 {
        return Err(wrong("its name must have 1 to 64 characters"));
    }
    let LanguageOptions {
        rules: list,
        base: base_name,
        stress,
        vowels,
        digits,
        default: is_default,
    } = LanguageOptions::from_value(table).map_err(wrong)?;
    let asked = OwnLanguage {
        rules: list.map_or(Ok(Vec::new()), |list| rules(&list))?,
        stress,
        vowels,
        digits,
    };
    charge(lua, 256 + 4 * asked.rules.len() as u64)?;
    with_world(lua, |world| {
        let words = &mut world.program.vocabulary;
        let same = named(name, &words.languages).ok();
        let base = match &base_name {
            Some(base) => Some(named(base, &words.languages).map_err(wrong)?),
            None => same,
        };
        let is_new = !asked.rules.is_empty()
            || asked.stress.is_some()
            || asked.vowels.is_some()
            || !asked.digits.is_empty();
        let language = match &base {
            // Nothing changes: the known language is used as it is.
            Some(base) if !is_new && base_name.is_none() => base.clone(),
            None if asked.rules.is_empty() => {
                let unknown = named(name, &words.languages).err().unwrap_or_default();
                return Err(wrong(format!("a new language needs rules ({unknown})")));
            }
            base => {
                let code = match base {
                    Some(base) if base_name.is_none() => base.code.clone(),
                    _ => name.to_owned(),
                };
                Arc::new(Language::own(&code, base.as_deref(), &asked).map_err(wrong)?)
            }
        };
        // A redefined default language stays the default.
        let was_default = words
            .default
            .as_ref()
            .is_some_and(|old| old.code == language.code);
        if was_default || is_default {
            words.default = Some(language.clone());
        }
        words.languages.retain(|known| known.code != language.code);
        if words.languages.len() >= MAX_LANGUAGES {
            return Err(wrong(format!(
                "a script can define at most {MAX_LANGUAGES} languages"
            )));
        }
        words.languages.push(language);
        Ok(())
    })
}

fn pronounce(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let Value::Table(table) = args.value(0) else {
        return Ok(Value::Nil);
    };
    let language = args.text(1);
    let mut read = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        let (Value::String(word), Value::String(says)) = pair? else {
            return Err(wrong(
                "pronounce: expected words and their pronunciations: { word = \"…\" }",
            ));
        };
        let (word, says) = (word.to_string_lossy(), says.to_string_lossy());
        let one = tokens(&word, &english());
        let is_word = one.first().is_some_and(|token| {
            token.range == (0..word.len()) && !matches!(token.reading, TokenReading::Text(_))
        });
        if !is_word {
            return Err(wrong(format!(
                "pronounce: {word:?} must be a single word without spaces and hyphens"
            )));
        }
        let says = Pronunciation::parsed(&says);
        let says = says.map_err(|why| wrong(format!("pronounce: {word:?}: {why}")))?;
        read.push((word, says));
    }
    charge(lua, 8 * read.len() as u64)?;
    with_world(lua, |world| {
        let words = &mut world.program.vocabulary;
        let code = match language {
            None => None,
            Some(name) => {
                let found = named(&name, &words.languages);
                let found = found.map_err(|why| wrong(format!("pronounce: {why}")))?;
                Some(found.code.clone())
            }
        };
        let lexicon = Arc::make_mut(&mut words.lexicon);
        for (word, says) in read {
            if lexicon.len() >= MAX_WORDS {
                return Err(wrong(format!(
                    "pronounce: a script can define at most {MAX_WORDS} words"
                )));
            }
            lexicon.insert(code.as_deref(), &word, says);
        }
        Ok(())
    })?;
    Ok(Value::Nil)
}

/// Text-to-speech settings of a script.
pub(super) static GROUP: Group = Group {
    kind: Kind::Globals,
    name: "languages and words",
    doc: "Languages and pronunciations of your own, for the text of lines.",
    functions: &[
        Function {
            name: "language",
            params: &[Param {
                name: "name",
                ty: Type::Text,
                optional: false,
            }],
            returns: "(LanguageOptions) -> ()",
            doc: "Defines how the text of lines is spoken in a language. Galatea knows the languages en, es, es-419, \
                  it, de, fr and ja; if `name` is one of them, your rules are added and tried first. A rule is { left, \
                  letters, right, sounds }. It says: these letters have these sounds if the text to the left and to the \
                  right of them matches. A vowel sound with a 1 is stressed. `left` and `right` may contain letters and \
                  these signs:\n\n\
                  - `_` is the beginning or end of a word; `V` a vowel; `C` a consonant; `E` a front vowel (such as e \
                  and i);\n\
                  - `*` is any number of consonants; `#` is one vowel or more;\n\
                  - `(abc)` is one of these letters; `(!abc)` is any other letter.",
            example: "language \"elvish\" {\n\trules = { { \"\", \"th\", \"\", \"TH\" }, { \"\", \"a\", \"\", \"AA\" }, { \"\", \"e\", \"\", \"EH\" }, { \"\", \"l\", \"\", \"L\" }, { \"\", \"n\", \"_\", \"N\" } },\n\tstress = \"penultimate\",\n}\nhero:say { text = \"Ethel lathan.\", language = \"elvish\" }",
            call: language,
        },
        Function {
            name: "pronounce",
            params: &[
                Param {
                    name: "words",
                    ty: Type::Table("{ [string]: string }"),
                    optional: false,
                },
                Param {
                    name: "language",
                    ty: Type::Text,
                    optional: true,
                },
            ],
            returns: "",
            doc: "Defines how single words are spoken, in all languages or only in `language`. Your definition is used \
                  instead of the dictionary and the rules. You can write a pronunciation in three ways. The example \
                  below shows them in this order: sounds in ARPAbet, with a 1 after the stressed vowel; letters of the \
                  International Phonetic Alphabet between slashes; another spelling in lower-case letters.",
            example: "pronounce { Galatea = \"G AE L AH T IY1 AH\", Nguyen = \"/ˈwɪn/\", Xyr = \"ksir\" }",
            call: pronounce,
        },
    ],
    properties: &[],
};
