//! Writes DirectX `.x` files as binary tokens and compressed, from their text.

/// Size of the header, which counts in the size of a compressed file, bytes.
const HEADER: u32 = 16;

/// The same file as tokens. Templates, GUIDs and separators are dropped.
pub fn binary(text: &str) -> Vec<u8> {
    let mut out = b"xof 0303bin 0032".to_vec();
    let body = text.split_once('\n').map_or("", |(_, body)| body);
    let body = body.lines().filter(|line| !line.starts_with("template"));
    for line in body {
        let spaced = line.replace('{', " { ").replace('}', " } ");
        let words = spaced.split([' ', ',', ';']);
        out.extend(words.filter(|word| !word.is_empty()).flat_map(token));
    }
    out
}

fn token(word: &str) -> Vec<u8> {
    let counted = |kind: u16, text: &str| {
        let length = text.len() as u32;
        [
            &kind.to_le_bytes()[..],
            &length.to_le_bytes(),
            text.as_bytes(),
        ]
        .concat()
    };
    let list = |kind: u16, value: [u8; 4]| {
        [&kind.to_le_bytes()[..], &1_u32.to_le_bytes(), &value].concat()
    };
    if word == "{" {
        10_u16.to_le_bytes().to_vec()
    } else if word == "}" {
        11_u16.to_le_bytes().to_vec()
    } else if let Ok(value) = word.parse::<u32>() {
        list(6, value.to_le_bytes())
    } else if let Ok(value) = word.parse::<f32>() {
        list(7, value.to_le_bytes())
    } else if let Some(text) = word.strip_prefix('"') {
        counted(2, text.trim_end_matches('"'))
    } else {
        counted(1, word)
    }
}

/// A file compressed into one block.
pub fn packed(file: &[u8]) -> Vec<u8> {
    let (header, body) = file.split_at(HEADER as usize);
    let block = miniz_oxide::deflate::compress_to_vec(body, 6);
    let mut out = header.to_vec();
    out[8..12].copy_from_slice(if &header[8..11] == b"bin" {
        b"bzip"
    } else {
        b"tzip"
    });
    out.extend((body.len() as u32 + HEADER).to_le_bytes());
    for size in [body.len(), block.len() + 2] {
        out.extend((size as u16).to_le_bytes());
    }
    out.extend(b"CK");
    out.extend(block);
    out
}

#[test]
fn all_encodings_hold_the_same_model() {
    let text = super::models::X;
    let [first, others @ ..] = [
        text.as_bytes().to_vec(),
        binary(text),
        packed(text.as_bytes()),
        packed(&binary(text)),
    ]
    .map(|file| {
        galatea::install();
        let mut none = |_: &str| Err("no such file".to_owned());
        let model = galatea::asset::gltf::load_slice("a.x", &file, &mut none).unwrap();
        let positions = model.primitives().map(|part| part.positions.clone());
        let bones = model.skeleton.bones().iter().map(|bone| bone.rest);
        (
            positions.collect::<Vec<_>>(),
            bones.collect::<Vec<_>>(),
            model.clips.len(),
        )
    });
    assert_eq!(first.0.concat().len(), 4);
    for other in others {
        assert_eq!(other, first);
    }
}
