//! Mutations of inputs: of bytes, text tokens, JSON values, and chunks of a GLB.

use serde_json::{Value, json};

use crate::random::FuzzRng;

/// Kind of input of a target, which selects the mutations.
#[derive(Clone, Copy)]
pub enum InputFormat {
    /// Binary data.
    Bytes,
    /// Text with words and numbers.
    Text,
    /// A JSON document.
    Json,
    /// A GLB container: a JSON document and binary data.
    Glb,
    /// Text from a generator.
    Made(fn(&mut FuzzRng) -> String),
}

/// Maximum size of an input, bytes.
const MAX_BYTES: usize = 1 << 20;

const NUMBERS: [&str; 34] = [
    "0",
    "-0",
    "1",
    "-1",
    "0.5",
    "1e-45",
    "1e-38",
    "2147483647",
    "-2147483648",
    "2147483648",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "1e6",
    "1e9",
    "1e20",
    "4.9e23",
    "1e38",
    "-1e38",
    "3.5e38",
    "1e308",
    "-1e308",
    "1e999",
    "NaN",
    "inf",
    "-inf",
    "Infinity",
    "65535",
    "65536",
    "255",
    "0x7fffffff",
];

const FLOATS: [f32; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    1e-45,
    1e-20,
    1e6,
    1e10,
    4.9e23,
    1e30,
    -1e30,
    f32::MAX,
    f32::MIN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

const INTEGERS: [u64; 14] = [
    0,
    1,
    2,
    127,
    128,
    255,
    256,
    0x7fff,
    0xffff,
    0x1_0000,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    u64::MAX,
];

const TEXTS: [&str; 16] = [
    "",
    " ",
    "\n",
    "\r\n",
    "\r",
    "\0",
    "\u{feff}",
    "é",
    "ß\u{301}",
    "日本",
    "🙂",
    "\u{202e}",
    "\"",
    "\\",
    "../",
    "%00",
];

/// A mutated seed, or the output of the generator.
pub fn mutate(rng: &mut FuzzRng, form: InputFormat, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = match form {
        InputFormat::Made(make) => make(rng).into_bytes(),
        _ => rng.pick(seeds).clone(),
    };
    let changed = match form {
        InputFormat::Made(_) => return bytes,
        InputFormat::Bytes => false,
        InputFormat::Text => {
            if !rng.one_in(8) {
                change_text(rng, &mut bytes, seeds);
                true
            } else {
                false
            }
        }
        InputFormat::Json => !rng.one_in(5) && change_json(rng, &mut bytes),
        InputFormat::Glb => !rng.one_in(8) && change_glb(rng, &mut bytes),
    };
    if !changed {
        match form {
            InputFormat::Json => change_text(rng, &mut bytes, seeds),
            _ => change_bytes(rng, &mut bytes, seeds),
        }
    }
    bytes.truncate(MAX_BYTES);
    bytes
}

fn change_bytes(rng: &mut FuzzRng, bytes: &mut Vec<u8>, seeds: &[Vec<u8>]) {
    for _ in 0..=rng.below(6) {
        if bytes.is_empty() {
            bytes.push(rng.next() as u8);
            continue;
        }
        let range = rng.range(bytes.len());
        match rng.below(10) {
            0 => bytes[range.start] ^= 1 << rng.below(8),
            1 => bytes[range.start] = rng.next() as u8,
            2 => {
                let number = rng.pick(&INTEGERS).to_le_bytes();
                let width = *rng.pick(&[1, 2, 4, 8]);
                overwrite(bytes, range.start, &number[..width]);
            }
            3 => {
                let number = rng.pick(&INTEGERS).to_be_bytes();
                let width = *rng.pick(&[1, 2, 4, 8]);
                overwrite(bytes, range.start, &number[8 - width..]);
            }
            4 => {
                let at = range.start & !3;
                let float = rng.pick(&FLOATS).to_le_bytes();
                overwrite(bytes, at, &float);
            }
            5 => {
                let part = bytes[range.clone()].to_vec();
                bytes.splice(range.start..range.start, part);
            }
            6 => {
                bytes.drain(range);
            }
            7 => {
                let part: Vec<u8> = range.clone().map(|_| rng.next() as u8).collect();
                bytes.splice(range.start..range.start, part);
            }
            8 if rng.one_in(3) => bytes.truncate(range.start),
            8 => bytes[range].fill(*rng.pick(&[0, 0xff])),
            _ => {
                let other = rng.pick(seeds);
                if !other.is_empty() {
                    let part = rng.range(other.len());
                    bytes.splice(range, other[part].iter().copied());
                }
            }
        }
    }
}

fn overwrite(bytes: &mut [u8], at: usize, with: &[u8]) {
    for (to, from) in bytes[at..].iter_mut().zip(with) {
        *to = *from;
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Words, numbers, runs of spaces and single characters of a text.
fn tokens(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = Vec::new();
    let is_number = |token: &[u8]| token[0].is_ascii_digit();
    for byte in bytes {
        let joins = all.last().is_some_and(|last: &Vec<u8>| {
            let end = *last.last().unwrap_or(&0);
            let word = is_word(*byte) && is_word(end) || *byte == b'.' && is_number(last);
            word || end == b'.' && is_number(last) && byte.is_ascii_digit()
                || byte.is_ascii_whitespace() && end.is_ascii_whitespace()
        });
        match all.last_mut() {
            Some(last) if joins => last.push(*byte),
            _ => all.push(vec![*byte]),
        }
    }
    all
}

fn change_text(rng: &mut FuzzRng, bytes: &mut Vec<u8>, seeds: &[Vec<u8>]) {
    let mut all = tokens(bytes);
    for _ in 0..=rng.below(5) {
        if all.is_empty() {
            all.push(rng.pick(&TEXTS).as_bytes().to_vec());
        }
        let range = rng.range(all.len());
        match rng.below(11) {
            0..=2 => {
                let numbers: Vec<usize> = (0..all.len())
                    .filter(|i| all[*i].first().is_some_and(u8::is_ascii_digit))
                    .collect();
                if !numbers.is_empty() {
                    let at = *rng.pick(&numbers);
                    all[at] = rng.pick(&NUMBERS).as_bytes().to_vec();
                }
            }
            3 => {
                all.drain(range);
            }
            4 => {
                let part = all[range.clone()].to_vec();
                let n = if rng.one_in(8) { 1000 } else { 1 };
                let n = n.min(MAX_BYTES / 4 / part.len().max(1));
                all.splice(range.start..range.start, vec![part; n].concat());
            }
            5 => {
                let other = rng.below(all.len());
                all.swap(range.start, other);
            }
            6 => {
                let words = tokens(rng.pick::<Vec<u8>>(seeds));
                if !words.is_empty() {
                    all[range.start] = rng.pick(&words).clone();
                }
            }
            7 => {
                let text = rng
                    .pick(&TEXTS)
                    .repeat(if rng.one_in(6) { 5000 } else { 1 });
                all.insert(range.start, text.into_bytes());
            }
            8 => {
                let sign = rng.pick(&["(", "[", "{", "<a>", "not ", "-", "{[", "\"", "--[["]);
                let n = *rng.pick(&[1, 100, 3000, 100_000]);
                let n = n.min(MAX_BYTES / 2 / sign.len());
                all.insert(range.start, sign.repeat(n).into_bytes());
            }
            9 if rng.one_in(3) => all.truncate(range.start),
            9 => {
                let other = tokens(rng.pick::<Vec<u8>>(seeds));
                if !other.is_empty() {
                    let part = rng.range(other.len());
                    all.splice(range, other[part].to_vec());
                }
            }
            _ => {
                let token = &mut all[range.start];
                let at = rng.below(token.len());
                if let Some(byte) = token.get_mut(at) {
                    *byte = rng.next() as u8;
                }
            }
        }
    }
    *bytes = all.concat();
}

fn hostile_value(rng: &mut FuzzRng, root: &Value) -> Value {
    match rng.below(16) {
        0 => Value::Null,
        1 => json!(rng.one_in(2)),
        2 => json!([]),
        3 => json!({}),
        4 => json!(*rng.pick(&TEXTS)),
        5 => json!("x".repeat(*rng.pick(&[1, 300, 100_000]))),
        6 => (0..*rng.pick(&[10, 120])).fold(json!([1]), |inner, _| json!([inner])),
        7 => json!(*rng.pick(&INTEGERS)),
        8 => json!(-(rng.below(1 << 31) as i64)),
        9 => json!(f64::from(*rng.pick(&FLOATS[..13]))),
        10 => json!(*rng.pick(&[1e308, -1e308, 1e-300, 4.9e23, 0.1, 1e39])),
        11 => json!(rng.below(20)),
        12 => json!(vec![*rng.pick(&FLOATS[..13]); rng.below(20)]),
        _ => any_value(rng, root).clone(),
    }
}

/// A random value in a document.
fn any_value<'a>(rng: &mut FuzzRng, value: &'a Value) -> &'a Value {
    let n = match value {
        Value::Array(list) => list.len(),
        Value::Object(fields) => fields.len(),
        _ => 0,
    };
    if n == 0 || rng.one_in(4) {
        return value;
    }
    let i = rng.below(n);
    let inner = match value {
        Value::Array(list) => list.get(i),
        Value::Object(fields) => fields.values().nth(i),
        _ => None,
    };
    inner.map_or(value, |inner| any_value(rng, inner))
}

/// Changes a random value in a document.
fn change_value(rng: &mut FuzzRng, value: &mut Value, root: &Value) {
    let n = match value {
        Value::Array(list) => list.len(),
        Value::Object(fields) => fields.len(),
        _ => 0,
    };
    if n == 0 {
        *value = hostile_value(rng, root);
        return;
    }
    let i = rng.below(n);
    let here = rng.one_in(6);
    match value {
        Value::Array(list) if here => match rng.below(4) {
            0 => {
                list.remove(i);
            }
            1 => list.insert(i, list[i].clone()),
            2 => list[i] = hostile_value(rng, root),
            _ => {
                let other = rng.below(n);
                list.swap(i, other);
            }
        },
        Value::Object(fields) if here => {
            let key = fields.keys().nth(i).cloned().unwrap_or_default();
            match rng.below(3) {
                0 => {
                    fields.remove(&key);
                }
                1 => {
                    let other = hostile_value(rng, root);
                    fields.insert(key, other);
                }
                _ => {
                    let inner = fields.remove(&key).unwrap_or_default();
                    let name = (*rng.pick(&TEXTS)).to_owned();
                    fields.insert(name, inner);
                }
            }
        }
        Value::Array(list) => change_value(rng, &mut list[i], root),
        Value::Object(fields) => {
            if let Some(inner) = fields.values_mut().nth(i) {
                change_value(rng, inner, root);
            }
        }
        _ => {}
    }
}

/// Changes values of a JSON document; false if it is not one.
fn change_json(rng: &mut FuzzRng, bytes: &mut Vec<u8>) -> bool {
    let Ok(root) = serde_json::from_slice::<Value>(bytes) else {
        return false;
    };
    let mut value = root.clone();
    for _ in 0..=rng.below(4) {
        change_value(rng, &mut value, &root);
    }
    *bytes = value.to_string().into_bytes();
    true
}

/// Changes the JSON or the binary chunk of a GLB; false if it is not one.
fn change_glb(rng: &mut FuzzRng, bytes: &mut Vec<u8>) -> bool {
    let number = |at: usize| {
        let four = bytes.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_le_bytes(four) as usize)
    };
    let Some(n_json) = number(12).filter(|_| bytes.starts_with(b"glTF")) else {
        return false;
    };
    let Some(json) = bytes.get(20..20 + n_json) else {
        return false;
    };
    let mut json = json.to_vec();
    let mut data = bytes.get(20 + n_json + 8..).unwrap_or_default().to_vec();
    if rng.one_in(3) && !data.is_empty() {
        for _ in 0..=rng.below(8) {
            let at = rng.below(data.len());
            let number = match rng.below(3) {
                0 => rng.pick(&INTEGERS).to_le_bytes()[..4].to_vec(),
                _ => rng.pick(&FLOATS).to_le_bytes().to_vec(),
            };
            overwrite(&mut data, at & !3, &number);
        }
    } else if !change_json(rng, &mut json) {
        return false;
    }
    *bytes = glb(&json, &data);
    true
}

/// A GLB container.
pub fn glb(json: &[u8], data: &[u8]) -> Vec<u8> {
    let mut out = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (kind, chunk, pad) in [(*b"JSON", json, b' '), (*b"BIN\0", data, 0)] {
        let n = chunk.len().next_multiple_of(4);
        out.extend((n as u32).to_le_bytes());
        out.extend(kind);
        out.extend(chunk);
        out.resize(out.len() + n - chunk.len(), pad);
    }
    let length = out.len() as u32;
    out[8..12].copy_from_slice(&length.to_le_bytes());
    out
}

/// A text with some numbers replaced.
pub fn with_hostile_numbers(rng: &mut FuzzRng, text: &str, numbers: &[&str]) -> String {
    let mut all = tokens(text.as_bytes());
    for token in &mut all {
        if token[0].is_ascii_digit() && rng.one_in(4) {
            *token = rng.pick(numbers).as_bytes().to_vec();
        }
    }
    String::from_utf8_lossy(&all.concat()).into_owned()
}
