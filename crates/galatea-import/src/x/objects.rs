//! Parses a file into a tree: name, numbers, texts and children of each object.

use super::tokens::{XToken, XTokens};

/// Limit of the depth of objects.
const MAX_DEPTH: usize = 300;

/// One object: `Kind Name { numbers; "texts"; { Reference } Child { … } }`.
#[derive(Debug, Default)]
pub struct XObject {
    pub kind: String,
    pub name: String,
    pub numbers: Vec<f64>,
    pub texts: Vec<String>,
    /// Names of referenced objects.
    pub references: Vec<String>,
    pub children: Vec<XObject>,
    /// Location in the file, for messages.
    location: String,
}

impl XObject {
    /// Returns true if the object is of a kind; ignores case, since exporters differ.
    pub fn is(&self, kind: &str) -> bool {
        self.kind.eq_ignore_ascii_case(kind)
    }

    /// First child of a kind.
    pub fn child(&self, kind: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.is(kind))
    }

    /// Error message about the object.
    pub fn fault(&self, why: &str) -> String {
        let name: String = self.name.chars().take(80).collect();
        format!("{}: {} {name}: {why}", self.location, self.kind).replace(" :", ":")
    }

    /// Reader of the object's numbers.
    pub fn row(&self) -> NumberReader<'_> {
        NumberReader { of: self, at: 0 }
    }
}

/// Reader of an object's numbers, in order.
pub struct NumberReader<'a> {
    of: &'a XObject,
    at: usize,
}

impl NumberReader<'_> {
    /// The next number.
    pub fn number(&mut self) -> Result<f64, String> {
        let found = self.of.numbers.get(self.at).copied();
        self.at += 1;
        found.ok_or_else(|| self.of.fault("it ends before its last number"))
    }

    /// The next number as a finite `f32`.
    pub fn float(&mut self) -> Result<f32, String> {
        let value = self.number()? as f32;
        match value.is_finite() {
            true => Ok(value),
            false => Err(self.of.fault("contains NaN or infinity")),
        }
    }

    /// The next number as a count or an index.
    pub fn index(&mut self) -> Result<usize, String> {
        let value = self.number()?;
        match value >= 0.0 && value.fract() == 0.0 && value <= f64::from(u32::MAX) {
            true => Ok(value as usize),
            false => Err(self.of.fault(&format!("expected a count, got {value}"))),
        }
    }

    /// Reads a count of elements of at least `each` numbers.
    pub fn count(&mut self, each: usize) -> Result<usize, String> {
        let n = self.index()?;
        let left = self.of.numbers.len().saturating_sub(self.at);
        match n.saturating_mul(each) <= left {
            true => Ok(n),
            false => Err(self
                .of
                .fault(&format!("declares {n} entries but contains fewer"))),
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
            // Other tokens between objects have no meaning.
            _ => {}
        }
    }
    Ok(all)
}

/// Skips a template.
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

/// Reads an object after its kind; `None` if no brace follows.
fn object(tokens: &mut XTokens<'_>, kind: String, depth: usize) -> Result<Option<XObject>, String> {
    let location = tokens.mark();
    if depth > MAX_DEPTH {
        return Err(format!(
            "{location}: objects are nested deeper than the limit of {MAX_DEPTH} levels"
        ));
    }
    let mut object = XObject {
        kind,
        location,
        ..XObject::default()
    };
    loop {
        match tokens.next()? {
            Some(XToken::Open) => break,
            // Some exporters write names with blanks, which give several words.
            Some(XToken::Word(word)) if object.name.is_empty() => object.name = word,
            Some(XToken::Word(word)) => object.name = format!("{} {word}", object.name),
            Some(XToken::Number(number)) => object.name = format!("{}{number}", object.name),
            Some(XToken::Text(_)) => {}
            Some(XToken::Close) => return Err(object.fault("unexpected closing brace")),
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
                None => return Err(object.fault("the file ends inside this object")),
            },
            None => return Err(object.fault("the file ends inside this object")),
        }
    }
}

/// Reads the name in `{ name }`.
fn reference(tokens: &mut XTokens<'_>) -> Result<String, String> {
    let mut name = String::new();
    loop {
        match tokens.next()? {
            Some(XToken::Word(word)) if name.is_empty() => name = word,
            Some(XToken::Word(word)) => name = format!("{name} {word}"),
            Some(XToken::Number(number)) => name = format!("{name}{number}"),
            Some(XToken::Close) => return Ok(name),
            _ => return Err(format!("{}: expected a reference", tokens.location())),
        }
    }
}
