//! A file as a tree: what each object is called, its numbers and texts in a row, and the objects in it.

use super::tokens::{XToken, XTokens};

/// Objects within objects, at most.
const DEEPEST: usize = 300;

/// One object: `Kind Name { numbers; "texts"; { Reference } Child { … } }`.
#[derive(Debug, Default)]
pub struct XObject {
    pub kind: String,
    pub name: String,
    pub numbers: Vec<f64>,
    pub texts: Vec<String>,
    /// Names of objects that stand elsewhere.
    pub references: Vec<String>,
    pub children: Vec<XObject>,
    /// Where it begins, for messages.
    place: String,
}

impl XObject {
    /// Whether it is of a kind; case says nothing, since exporters differ.
    pub fn is(&self, kind: &str) -> bool {
        self.kind.eq_ignore_ascii_case(kind)
    }

    /// The first object of a kind in it.
    pub fn child(&self, kind: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.is(kind))
    }

    /// A message about it.
    pub fn fault(&self, why: &str) -> String {
        let name: String = self.name.chars().take(80).collect();
        format!("{}: {} {name}: {why}", self.place, self.kind).replace(" :", ":")
    }

    /// Its numbers one after the other.
    pub fn row(&self) -> NumberReader<'_> {
        NumberReader { of: self, at: 0 }
    }
}

/// Numbers of an object, read in order.
pub struct NumberReader<'a> {
    of: &'a XObject,
    at: usize,
}

impl NumberReader<'_> {
    /// The next number.
    pub fn number(&mut self) -> Result<f64, String> {
        let found = self.of.numbers.get(self.at).copied();
        self.at += 1;
        found.ok_or_else(|| self.of.fault("ends before its last number"))
    }

    /// The next number as a finite `f32`.
    pub fn float(&mut self) -> Result<f32, String> {
        let value = self.number()? as f32;
        match value.is_finite() {
            true => Ok(value),
            false => Err(self.of.fault("holds a number that is none")),
        }
    }

    /// The next number as a count or an index.
    pub fn index(&mut self) -> Result<usize, String> {
        let value = self.number()?;
        match value >= 0.0 && value.fract() == 0.0 && value <= f64::from(u32::MAX) {
            true => Ok(value as usize),
            false => Err(self.of.fault(&format!("{value} is no count"))),
        }
    }

    /// A count of things of which each takes at least so many numbers.
    pub fn count(&mut self, each: usize) -> Result<usize, String> {
        let n = self.index()?;
        let left = self.of.numbers.len().saturating_sub(self.at);
        match n.saturating_mul(each) <= left {
            true => Ok(n),
            false => Err(self.of.fault(&format!("says {n} and holds fewer"))),
        }
    }
}

/// Reads a whole file.
pub fn read(mut tokens: XTokens<'_>) -> Result<Vec<XObject>, String> {
    let mut all = Vec::new();
    while let Some(token) = tokens.next()? {
        match token {
            XToken::Word(word) if word.eq_ignore_ascii_case("template") => skip(&mut tokens)?,
            XToken::Word(kind) => {
                if let Some(object) = object(&mut tokens, kind, 0)? {
                    all.push(object);
                }
            }
            // What stands between objects says nothing.
            _ => {}
        }
    }
    Ok(all)
}

/// Goes over a template.
fn skip(tokens: &mut XTokens<'_>) -> Result<(), String> {
    let mut depth = 0;
    while let Some(token) = tokens.next()? {
        match token {
            XToken::Open => depth += 1,
            XToken::Close if depth <= 1 => return Ok(()),
            XToken::Close => depth -= 1,
            _ => {}
        }
    }
    Ok(())
}

/// The object whose kind was read; nothing where no brace follows.
fn object(tokens: &mut XTokens<'_>, kind: String, depth: usize) -> Result<Option<XObject>, String> {
    let place = tokens.mark();
    if depth > DEEPEST {
        return Err(format!(
            "{place}: more than {DEEPEST} objects within each other"
        ));
    }
    let mut object = XObject {
        kind,
        place,
        ..XObject::default()
    };
    loop {
        match tokens.next()? {
            Some(XToken::Open) => break,
            // Names with blanks are written by some; they come as several words.
            Some(XToken::Word(word)) if object.name.is_empty() => object.name = word,
            Some(XToken::Word(word)) => object.name = format!("{} {word}", object.name),
            Some(XToken::Number(number)) => object.name = format!("{}{number}", object.name),
            Some(XToken::Text(_)) => {}
            Some(XToken::Close) => return Err(object.fault("a brace closes that none opened")),
            None => return Ok(None),
        }
    }
    loop {
        match tokens.next()? {
            Some(XToken::Close) => return Ok(Some(object)),
            Some(XToken::Number(number)) => object.numbers.push(number),
            Some(XToken::Text(text)) => object.texts.push(text),
            Some(XToken::Open) => object.references.push(reference(tokens)?),
            Some(XToken::Word(kind)) => match self::object(tokens, kind, depth + 1)? {
                Some(child) => object.children.push(child),
                None => return Err(object.fault("the file ends within it")),
            },
            None => return Err(object.fault("the file ends within it")),
        }
    }
}

/// The name in `{ name }`.
fn reference(tokens: &mut XTokens<'_>) -> Result<String, String> {
    let mut name = String::new();
    loop {
        match tokens.next()? {
            Some(XToken::Word(word)) if name.is_empty() => name = word,
            Some(XToken::Word(word)) => name = format!("{name} {word}"),
            Some(XToken::Number(number)) => name = format!("{name}{number}"),
            Some(XToken::Close) => return Ok(name),
            _ => return Err(format!("{}: not a reference", tokens.place())),
        }
    }
}
