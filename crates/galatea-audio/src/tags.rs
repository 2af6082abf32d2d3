//! Text tags in sound files, such as title and artist. The decoder allocates as many bytes as a tag's length field says
//! before it reads them, so tags are removed or checked first.

/// Returns a FLAC file with only the block that describes its samples; `None` if it ends within its blocks.
pub(super) fn without_tags(bytes: &[u8]) -> Option<Vec<u8>> {
    const DESCRIPTION: u8 = 0;
    const IS_LAST: u8 = 0x80;
    let mut at = 4;
    let mut description = None;
    loop {
        let &[kind, a, b, c] = bytes.get(at..at + 4)?.first_chunk()?;
        let length = u32::from_be_bytes([0, a, b, c]) as usize;
        let end = at + 4 + length;
        let block = bytes.get(at + 1..end)?;
        if kind & !IS_LAST == DESCRIPTION {
            description.get_or_insert(block);
        }
        at = end;
        if kind & IS_LAST != 0 {
            break;
        }
    }
    let sound = bytes.get(at..)?;
    let mut out = b"fLaC".to_vec();
    out.push(DESCRIPTION | IS_LAST);
    out.extend_from_slice(description?);
    out.extend_from_slice(sound);
    Some(out)
}

/// Returns true if the tags in an Ogg Vorbis file fit into it, or if it has none.
pub(super) fn ogg_tags_fit(bytes: &[u8]) -> bool {
    const BEGIN: &[u8] = b"\x03vorbis";
    let mut data = Vec::new();
    let mut rest = bytes;
    while let Some((body, next)) = page(rest) {
        data.extend_from_slice(body);
        rest = next;
        // The tags start in the second packet; pages have less than 64 KB.
        if data.len() > 1 << 17 {
            break;
        }
    }
    let at = data.windows(BEGIN.len()).position(|window| window == BEGIN);
    let Some(at) = at else { return true };
    data.drain(..at + BEGIN.len());
    while let Some((body, next)) = page(rest) {
        data.extend_from_slice(body);
        rest = next;
    }
    tags_fit(&data).is_some()
}

/// Returns the body of the first page of an Ogg stream, and the rest of the stream.
pub(super) fn page(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    const HEAD: usize = 27;
    if !bytes.starts_with(b"OggS") {
        return None;
    }
    let n_segments = usize::from(*bytes.get(HEAD - 1)?);
    let sizes = bytes.get(HEAD..HEAD + n_segments)?;
    let length = sizes.iter().map(|size| usize::from(*size)).sum();
    bytes.get(HEAD + n_segments..)?.split_at_checked(length)
}

/// Checks the length fields of the vendor name and of the tags after it; `None` if one exceeds the data.
fn tags_fit(mut data: &[u8]) -> Option<()> {
    fn number(data: &mut &[u8]) -> Option<usize> {
        let (head, rest) = data.split_first_chunk()?;
        *data = rest;
        Some(u32::from_le_bytes(*head) as usize)
    }
    let length = number(&mut data)?;
    data = data.get(length..)?;
    let n = number(&mut data)?;
    for _ in 0..n {
        let length = number(&mut data)?;
        data = data.get(length..)?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use crate::Sound;

    const FLAC: &[u8] = include_bytes!("fixtures/tone.flac");
    const OGG: &[u8] = include_bytes!("fixtures/tone.ogg");

    #[test]
    fn a_flac_file_is_the_same_sound_without_its_tags() {
        let plain = super::without_tags(FLAC).unwrap();
        assert!(plain.len() < FLAC.len());
        let whole = Sound::decode("a.flac", FLAC).unwrap();
        assert_eq!(
            Sound::decode("a.flac", &plain).unwrap().samples(),
            whole.samples()
        );
        // A tag of 4 GB, which the decoder would allocate.
        let mut long = plain[..42].to_vec();
        long[4] = 0;
        long.extend([0x84, 0, 0, 8, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
        long.extend(&plain[42..]);
        assert_eq!(
            Sound::decode("a.flac", &long).unwrap().samples(),
            whole.samples()
        );
    }

    #[test]
    fn an_ogg_file_with_a_tag_longer_than_the_file_is_rejected() {
        assert!(super::ogg_tags_fit(OGG));
        let begin = OGG.windows(7).position(|window| window == b"\x03vorbis");
        let at = begin.unwrap() + 7;
        for (from, length) in [(at, u32::MAX), (at, OGG.len() as u32)] {
            let mut long = OGG.to_vec();
            long[from..from + 4].copy_from_slice(&length.to_le_bytes());
            assert!(!super::ogg_tags_fit(&long));
            let error = Sound::decode("a.ogg", &long).unwrap_err().to_string();
            assert!(error.contains("its text tags"), "{error}");
        }
    }
}
