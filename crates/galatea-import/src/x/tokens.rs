//! Tokenizer for all encodings of `.x` files.

use crate::import_budget::unpacked_limit;

/// Token of a file. Separators and GUIDs have no meaning and are skipped.
#[derive(Clone, Debug, PartialEq)]
pub enum XToken {
    Word(String),
    Text(String),
    Number(f64),
    Open,
    Close,
}

/// A stream of tokens.
pub struct XTokens<'a> {
    bytes: std::borrow::Cow<'a, [u8]>,
    at: usize,
    encoding: XEncoding,
    /// Remaining numbers of a binary list, and true if they are floats.
    list: (u32, bool),
    /// Byte offset up to which lines were counted, and the line number there.
    counted: (usize, usize),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum XEncoding {
    Text,
    /// Binary, with this size of a float in bytes.
    Binary(usize),
}

const HEADER: usize = 16;
/// Limit of the length of a number that begins with its decimal point, bytes.
const MAX_NUMBER_BYTES: usize = 64;

impl<'a> XTokens<'a> {
    /// Reads the header (`xof 0303txt 0032`) and decompresses the file.
    pub fn open(bytes: &'a [u8]) -> Result<Self, String> {
        let header = bytes
            .get(..HEADER)
            .ok_or("the file is shorter than its header")?;
        if !header.starts_with(b"xof ") {
            return Err("the file does not begin with `xof `; it is not a DirectX .x file".into());
        }
        let width = match &header[12..16] {
            b"0032" => 4,
            b"0064" => 8,
            _ => return Err("the header must declare floats of 0032 or 0064 bits".into()),
        };
        let encoding = match &header[8..11] {
            b"txt" | b"tzi" => XEncoding::Text,
            b"bin" | b"bzi" => XEncoding::Binary(width),
            other => {
                let other = String::from_utf8_lossy(other);
                return Err(format!(
                    "the encoding `{other}` is not supported; use txt, bin, tzip or bzip"
                ));
            }
        };
        let packed = &header[9..12] == b"zip";
        let bytes = match packed {
            true => unpacked(bytes)?.into(),
            false => bytes.into(),
        };
        let at = if packed { 0 } else { HEADER };
        Ok(Self {
            bytes,
            at,
            encoding,
            list: (0, false),
            counted: (at, 1),
        })
    }

    /// Location of the last token: the line in a text file, otherwise the byte offset.
    pub fn location(&self) -> String {
        match self.encoding {
            XEncoding::Text => {
                let before = &self.bytes[..self.at.min(self.bytes.len())];
                format!(
                    "line {}",
                    1 + before.iter().filter(|b| **b == b'\n').count()
                )
            }
            XEncoding::Binary(_) => format!("byte {}", self.at),
        }
    }

    /// Like [`XTokens::location`], counting from the location of the last call.
    pub fn mark(&mut self) -> String {
        if self.encoding != XEncoding::Text {
            return self.location();
        }
        let (from, line) = self.counted;
        let to = self.at.min(self.bytes.len());
        let more = self.bytes[from..to].iter().filter(|b| **b == b'\n').count();
        self.counted = (to, line + more);
        format!("line {}", self.counted.1)
    }

    /// Next token; `None` at the end.
    pub fn next(&mut self) -> Result<Option<XToken>, String> {
        match self.encoding {
            XEncoding::Text => self.text(),
            XEncoding::Binary(width) => self.binary(width),
        }
    }

    fn text(&mut self) -> Result<Option<XToken>, String> {
        loop {
            let rest = &self.bytes[self.at..];
            let Some(first) = rest.first() else {
                return Ok(None);
            };
            let until = |is_end: &dyn Fn(u8) -> bool| {
                rest.iter().position(|b| is_end(*b)).unwrap_or(rest.len())
            };
            match first {
                b'#' => self.at += until(&|b| b == b'\n'),
                b'/' if rest.get(1) == Some(&b'/') => self.at += until(&|b| b == b'\n'),
                b'<' => self.at += (until(&|b| b == b'>') + 1).min(rest.len()),
                b'{' | b'}' => {
                    self.at += 1;
                    let token = if *first == b'{' {
                        XToken::Open
                    } else {
                        XToken::Close
                    };
                    return Ok(Some(token));
                }
                b'"' => {
                    let end = rest[1..].iter().position(|b| *b == b'"');
                    let end =
                        end.ok_or_else(|| format!("{}: the string has no end", self.location()))?;
                    let text = String::from_utf8_lossy(&rest[1..=end]).into_owned();
                    self.at += end + 2;
                    return Ok(Some(XToken::Text(text)));
                }
                b if b.is_ascii_whitespace()
                    || b",;[]()\0".contains(b)
                    || *b == b'.' && !is_number(&rest[..rest.len().min(MAX_NUMBER_BYTES)]) =>
                {
                    self.at += 1;
                }
                _ => {
                    let is_end = |b: u8| b.is_ascii_whitespace() || b"{}<>,;\"".contains(&b);
                    let end = until(&is_end).max(1);
                    let word = String::from_utf8_lossy(&rest[..end]).into_owned();
                    self.at += end;
                    return Ok(Some(match is_number(word.as_bytes()) {
                        true => XToken::Number(number(&word)),
                        false => XToken::Word(word),
                    }));
                }
            }
        }
    }

    fn binary(&mut self, width: usize) -> Result<Option<XToken>, String> {
        loop {
            if self.list.0 > 0 {
                self.list.0 -= 1;
                let value = match (self.list.1, width) {
                    (false, _) => f64::from(self.u32()?),
                    (true, 8) => f64::from_le_bytes(self.take()?),
                    (true, _) => f64::from(f32::from_le_bytes(self.take()?)),
                };
                return Ok(Some(XToken::Number(value)));
            }
            if self.bytes.len() - self.at < 2 {
                return Ok(None);
            }
            match u16::from_le_bytes(self.take()?) {
                1 => return Ok(Some(XToken::Word(self.counted()?))),
                2 => {
                    let text = self.counted()?;
                    // Skip its separator: four bytes according to the specification, two in real files.
                    self.separator();
                    return Ok(Some(XToken::Text(text)));
                }
                3 => return Ok(Some(XToken::Number(f64::from(self.u32()?)))),
                5 => {
                    self.take::<16>()?;
                }
                kind @ (6 | 7) => {
                    let n = self.u32()?;
                    let size = if kind == 7 { width } else { 4 };
                    let left = (self.bytes.len() - self.at) / size;
                    if n as usize > left {
                        return Err(format!(
                            "{}: a list declares {n} numbers, but only {left} remain",
                            self.location()
                        ));
                    }
                    self.list = (n, kind == 7);
                }
                10 => return Ok(Some(XToken::Open)),
                11 => return Ok(Some(XToken::Close)),
                31 => return Ok(Some(XToken::Word("template".into()))),
                // Brackets, angles, dots, separators; types of template members.
                12..=20 | 40..=52 => {}
                other => return Err(format!("{}: unknown token {other}", self.location())),
            }
        }
    }

    fn separator(&mut self) {
        let next = self.bytes.get(self.at..self.at + 2);
        if matches!(next, Some([19 | 20, 0])) {
            self.at += 2;
            // In the four-byte encoding, two zero bytes follow.
            if self.bytes.get(self.at..self.at + 2) == Some(&[0, 0]) {
                self.at += 2;
            }
        }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let found = self.bytes.get(self.at..self.at + N);
        let found = found.and_then(|bytes| bytes.try_into().ok());
        let found =
            found.ok_or_else(|| format!("{}: unexpected end of the file", self.location()))?;
        self.at += N;
        Ok(found)
    }

    fn u32(&mut self) -> Result<u32, String> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    fn counted(&mut self) -> Result<String, String> {
        let n = self.u32()? as usize;
        let bytes = self.bytes.get(self.at..).and_then(|rest| rest.get(..n));
        let bytes =
            bytes.ok_or_else(|| format!("{}: a name is longer than the file", self.location()))?;
        let text = String::from_utf8_lossy(bytes).into_owned();
        self.at += n;
        Ok(text)
    }
}

/// Returns true if the bytes begin like a number. Names may also begin with a digit; the characters after it decide.
fn is_number(bytes: &[u8]) -> bool {
    let end = bytes
        .iter()
        .position(|b| b.is_ascii_whitespace() || b"{}<>,;\"".contains(b));
    let word = &bytes[..end.unwrap_or(bytes.len())];
    let Ok(word) = std::str::from_utf8(word) else {
        return false;
    };
    // Spellings of NaN and infinity by some exporters.
    word.parse::<f64>()
        .is_ok_and(|_| word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)))
        || word.contains("#IND")
        || word.contains("#QNAN")
        || word.contains("#INF")
}

fn number(word: &str) -> f64 {
    word.parse().unwrap_or(0.0)
}

/// Decompresses a file of MSZIP blocks: the total size, then blocks of at most 32 KB, each with its size, its compressed
/// size and `CK`, deflated with the previous block as dictionary.
fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, String> {
    use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};
    let cut = || "the compressed data is cut off".to_owned();
    let u16_at = |at: usize| {
        let found = bytes.get(at..at + 2).and_then(|b| b.try_into().ok());
        found
            .map(|b| usize::from(u16::from_le_bytes(b)))
            .ok_or_else(cut)
    };
    let whole = bytes
        .get(HEADER..HEADER + 4)
        .and_then(|b| b.try_into().ok());
    let whole = u32::from_le_bytes(whole.ok_or_else(cut)?) as usize;
    let size = whole
        .checked_sub(HEADER)
        .ok_or("the compressed data has no size")?;
    if size > unpacked_limit(bytes.len()) {
        return Err(format!(
            "the compressed data declares {size} bytes, too much for a file of {} bytes",
            bytes.len()
        ));
    }
    let mut out = vec![0; size];
    let (mut at, mut done) = (HEADER + 4, 0);
    while done < size {
        let (stated, packed) = (u16_at(at)?, u16_at(at + 2)?);
        let block = bytes.get(at + 4..at + 4 + packed).ok_or_else(cut)?;
        let block = block
            .strip_prefix(b"CK")
            .ok_or("a compressed block does not begin with CK")?;
        at += 4 + packed;
        let end = (done + stated).min(size);
        let flags = inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let mut state = DecompressorOxide::new();
        let (_, _, n) = decompress(&mut state, block, &mut out[..end], done, flags);
        if n == 0 || done + n != end {
            return Err(format!(
                "a compressed block declares {stated} bytes but contains {n}"
            ));
        }
        done = end;
    }
    Ok(out)
}
