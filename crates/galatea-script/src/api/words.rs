//! `language "name" { … }` and `pronounce { … }`: languages and words of a script's own.

use std::sync::Arc;

use mlua::{Lua, Table, Value};

use super::check::{Args, Field, Fields, Param, Type};
use super::{Function, Group, Kind};
use crate::budget::charge;
use crate::world::{World, with_world};
use galatea_speech::text::Reader;
use galatea_speech::text::language::{Language, OwnLanguage, english, language as named};
use galatea_speech::text::lexicon::{Lexicon, Pronunciation};
use galatea_speech::text::tokens::{Says, tokens};

/// Languages that a script may make.
const MOST_LANGUAGES: usize = 32;
/// Rules of one of them.
const MOST_RULES: usize = 2000;
/// Words that a script may write down.
const MOST_WORDS: usize = 10_000;

/// What a script says of languages and words.
#[derive(Clone, Default)]
pub(crate) struct Words {
    lexicon: Arc<Lexicon>,
    languages: Vec<Arc<Language>>,
    /// That of lines that name none; English.
    default: Option<Arc<Language>>,
}

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Who reads a line that `say` says is in this language.
pub(super) fn reader(world: &World, name: Option<&str>) -> mlua::Result<Reader> {
    let words = &world.program.words;
    let language = match name {
        Some(name) => {
            let found = named(name, &words.languages);
            found.map_err(|why| wrong(format!("say: {why}")))?
        }
        None => words.default.clone().unwrap_or_else(english),
    };
    Ok(Reader {
        language,
        lexicon: words.lexicon.clone(),
    })
}

const LANGUAGE_FIELDS: &[Field] = &[
    Field::new(
        "rules",
        Type::Table("{ [any]: any }"),
        "a list of { left, letters, right, sounds }: what letters say (ARPAbet) between what stands left and right of them; the first that fits is taken",
    ),
    Field::new(
        "base",
        Type::Text,
        "a language whose rules follow these, and whose numbers and names of letters are taken; none",
    ),
    Field::new(
        "stress",
        Type::Text,
        "\"first\", \"last\", \"penultimate\", \"antepenultimate\", \"none\", or endings and syllables: \"ion_ -2; _ver 2; 1\"; that of the base, or \"first\"",
    ),
    Field::new(
        "vowels",
        Type::Text,
        "vowel letters in a row; those of the base, or \"aeiou\"",
    ),
    Field::new(
        "digits",
        Type::Table("{ [any]: any }"),
        "ten words for 0 to 9, with which numbers are read digit by digit",
    ),
    Field::new(
        "default",
        Type::Bool,
        "lines that name no language are in this one; false",
    ),
];

fn texts(list: &Table, what: &str) -> mlua::Result<Vec<String>> {
    let all = list.sequence_values::<Value>();
    all.map(|text| match text? {
        Value::String(text) => Ok(text.to_string_lossy()),
        _ => Err(wrong(format!("{what} must be texts"))),
    })
    .collect()
}

fn rules(list: &Table) -> mlua::Result<Vec<[String; 4]>> {
    let mut rules = Vec::new();
    for (i, rule) in list.sequence_values::<Value>().enumerate() {
        let why = || {
            let n = i + 1;
            wrong(format!(
                "rule {n}: expected {{ left, letters, right, sounds }}, four texts"
            ))
        };
        let Value::Table(rule) = rule? else {
            return Err(why());
        };
        let parts = texts(&rule, "parts of a rule").map_err(|_| why())?;
        rules.push(parts.try_into().map_err(|_| why())?);
        if rules.len() > MOST_RULES {
            return Err(wrong(format!("a language may have {MOST_RULES} rules")));
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

/// An error's own words.
fn message(error: &mlua::Error) -> String {
    match error {
        mlua::Error::RuntimeError(text) => text.clone(),
        other => other.to_string(),
    }
}

fn make(lua: &Lua, name: &str, table: Table) -> mlua::Result<()> {
    Type::Fields(LANGUAGE_FIELDS)
        .check(&Value::Table(table.clone()))
        .map_err(wrong)?;
    if name.trim().is_empty() || name.len() > 64 {
        return Err(wrong("its name must have 1 to 64 characters"));
    }
    let list = |name: &str| table.raw_get::<Option<Table>>(name);
    let fields = Fields(Some(table.clone()));
    let asked = OwnLanguage {
        rules: list("rules")?.map_or(Ok(Vec::new()), |list| rules(&list))?,
        stress: fields.text("stress"),
        vowels: fields.text("vowels"),
        digits: list("digits")?.map_or(Ok(Vec::new()), |list| texts(&list, "digits"))?,
    };
    charge(lua, 256 + 4 * asked.rules.len() as u64)?;
    with_world(lua, |world| {
        let words = &mut world.program.words;
        let same = named(name, &words.languages).ok();
        let base = match fields.text("base") {
            Some(base) => Some(named(&base, &words.languages).map_err(wrong)?),
            None => same,
        };
        let is_new = !asked.rules.is_empty()
            || asked.stress.is_some()
            || asked.vowels.is_some()
            || !asked.digits.is_empty();
        let language = match &base {
            // Nothing of it is changed.
            Some(base) if !is_new && fields.text("base").is_none() => base.clone(),
            None if asked.rules.is_empty() => {
                let unknown = named(name, &words.languages).err().unwrap_or_default();
                return Err(wrong(format!("it has no rules, and {unknown}")));
            }
            base => {
                let code = match base {
                    Some(base) if fields.text("base").is_none() => base.code.clone(),
                    _ => name.to_owned(),
                };
                Arc::new(Language::own(&code, base.as_deref(), &asked).map_err(wrong)?)
            }
        };
        // One that is the default already stays so with its new rules.
        let was_default = words
            .default
            .as_ref()
            .is_some_and(|old| old.code == language.code);
        if was_default || fields.bool("default") == Some(true) {
            words.default = Some(language.clone());
        }
        words.languages.retain(|known| known.code != language.code);
        if words.languages.len() >= MOST_LANGUAGES {
            return Err(wrong(format!(
                "a script may make {MOST_LANGUAGES} languages"
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
            return Err(wrong("pronounce: expected words and how they are spoken"));
        };
        let (word, says) = (word.to_string_lossy(), says.to_string_lossy());
        let one = tokens(&word, &english());
        let is_word = one.first().is_some_and(|token| {
            token.range == (0..word.len()) && !matches!(token.says, Says::Text(_))
        });
        if !is_word {
            return Err(wrong(format!(
                "pronounce: {word:?} must be one word, without blanks and hyphens"
            )));
        }
        let says = Pronunciation::parsed(&says);
        let says = says.map_err(|why| wrong(format!("pronounce: {word:?}: {why}")))?;
        read.push((word, says));
    }
    charge(lua, 8 * read.len() as u64)?;
    with_world(lua, |world| {
        let words = &mut world.program.words;
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
            if lexicon.len() >= MOST_WORDS {
                return Err(wrong(format!(
                    "pronounce: a script may write down {MOST_WORDS} words"
                )));
            }
            lexicon.insert(code.as_deref(), &word, says);
        }
        Ok(())
    })?;
    Ok(Value::Nil)
}

/// What a script says of how texts are read.
pub(super) static GROUP: Group = Group {
    kind: Kind::Globals,
    name: "languages and words",
    doc: "How texts are read: languages and words of a script's own.",
    functions: &[
        Function {
            name: "language",
            params: &[Param {
                name: "name",
                ty: Type::Text,
                optional: false,
            }],
            returns: "({ rules: { { string } }?, base: string?, stress: string?, vowels: string?, digits: { string }?, default: boolean? }) -> ()",
            doc: "Makes a language, whose name lines can then say, or puts rules before those of one that there is: en, es, es-419, it, de, fr, ja, by \
                  code or name. A rule is `{ left, letters, right, sounds }`. Left and right are letters, or `_` the edge of the word, `V` a vowel, `C` a \
                  consonant, `E` a front vowel, `*` any number of consonants, `#` one vowel or more, `(abc)` one of these, `(!abc)` none of these. Sounds \
                  are ARPAbet's; a vowel with 1 carries the stress. `default = true` makes it that of lines that name none. `base` takes over another's \
                  rules, numbers and names of letters.",
            example: "language \"elvish\" {\n\trules = { { \"\", \"th\", \"\", \"TH\" }, { \"\", \"a\", \"\", \"AA\" }, { \"\", \"e\", \"\", \"EH\" }, { \"\", \"l\", \"\", \"L\" }, { \"\", \"n\", \"_\", \"N\" } },\n\tstress = \"penultimate\",\n}\nhero:say { text = \"Ethel lathan.\", language = \"elvish\" }",
            call: language,
        },
        Function {
            name: "pronounce",
            params: &[
                Param {
                    name: "words",
                    ty: Type::Table("{ [any]: any }"),
                    optional: false,
                },
                Param {
                    name: "language",
                    ty: Type::Text,
                    optional: true,
                },
            ],
            returns: "",
            doc: "Says how words are spoken, in every language or in one, before dictionary and rules: sounds of ARPAbet (1 behind the vowel with the \
                  stress), the letters of the International Phonetic Alphabet in slashes, or another spelling in small letters.",
            example: "pronounce { Galatea = \"G AE L AH T IY1 AH\", Nguyen = \"/ˈwɪn/\", Xyr = \"ksir\" }",
            call: pronounce,
        },
    ],
    properties: &[],
};
