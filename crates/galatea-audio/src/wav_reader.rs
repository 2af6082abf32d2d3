//! Reads WAV files: RIFF and RF64 files of PCM, float, A-law and µ-law.
//!
//! Sizes in the header are not trusted. A program that writes to a pipe cannot correct them afterwards. Therefore the file
//! size is ignored, and a placeholder for the data size means the rest of the file.

/// Minimum data size that is a placeholder: sox and espeak-ng write 0x7FFF_F000, ffmpeg 0xFFFF_FFFF. No playable sound has
/// that many bytes.
const MIN_PLACEHOLDER: u64 = 0x7fff_0000;

/// Format and samples of a WAV file.
pub(crate) struct WavSamples {
    /// Frames per second, from the header.
    pub rate: u32,
    /// Samples per frame, from the header.
    pub channels: u16,
    /// Interleaved samples, without an incomplete last frame.
    pub samples: Vec<f32>,
}

/// Encoding of samples.
#[derive(Clone, Copy)]
enum WavEncoding {
    /// Unsigned bytes with 128 as zero.
    Unsigned8,
    /// Signed integers of 2 to 4 bytes.
    Signed(usize),
    Float32,
    Float64,
    ALaw,
    MuLaw,
}

/// Fields of a format chunk.
struct WavFormat {
    encoding: WavEncoding,
    rate: u32,
    channels: u16,
}

/// Returns true for the first bytes of a WAV file.
pub(crate) fn is_wav(bytes: &[u8]) -> bool {
    let magic = bytes.get(..4).unwrap_or_default();
    [&b"RIFF"[..], b"RF64", b"BW64"].contains(&magic) && bytes.get(8..12) == Some(b"WAVE")
}

/// Reads the samples of a WAV file. An integer `i` of `n` bits becomes `i / 2^(n-1)`. Reads to the end of the file if the
/// header has no data size, or a placeholder.
///
/// # Errors
/// Returns a message that describes the fault.
pub(crate) fn read(bytes: &[u8]) -> Result<WavSamples, String> {
    let (mut format, mut long_size, mut at) = (None, None, 12);
    while let Some((name, size)) = chunk(bytes, at) {
        let body = bytes.get(at + 8..).unwrap_or_default();
        match name {
            b"fmt " => format = Some(format_of(first(body, size))?),
            b"ds64" => long_size = first(body, size).get(8..16).map(u64_of),
            b"data" => {
                let format = format.ok_or("it has no format chunk before its data")?;
                return samples(&format, data(body, size, long_size)?);
            }
            _ => {}
        }
        let next = at + 8 + size as usize;
        // Chunks of odd size are padded with a zero byte, which some programs omit.
        at = next + usize::from(size % 2 == 1 && bytes.get(next) == Some(&0));
    }
    Err("the file was cut off: it has no data chunk".to_owned())
}

/// Returns the name and the size of the chunk at a byte offset.
fn chunk(bytes: &[u8], at: usize) -> Option<(&[u8; 4], u32)> {
    let (name, rest) = bytes.get(at..)?.split_first_chunk::<4>()?;
    Some((name, u32::from_le_bytes(*rest.first_chunk()?)))
}

fn first(body: &[u8], size: u32) -> &[u8] {
    body.get(..size as usize).unwrap_or(body)
}

fn u64_of(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |n, byte| n << 8 | u64::from(*byte))
}

/// Returns the bytes of the data chunk. `rest`: the file after the chunk header; `long_size`: the size from the RF64 header.
fn data(rest: &[u8], size: u32, long_size: Option<u64>) -> Result<&[u8], String> {
    let size = match (u64::from(size), long_size) {
        (size, Some(long)) if size >= MIN_PLACEHOLDER => long,
        (size, _) => size,
    };
    let is_streamed = size >= MIN_PLACEHOLDER || size == 0 && !is_chunk_list(rest);
    if is_streamed {
        return Ok(rest);
    }
    rest.get(..size as usize).ok_or_else(|| {
        format!(
            "the file was cut off: its header declares {size} bytes of samples, but only {} remain",
            rest.len()
        )
    })
}

/// Returns true if the bytes are a list of chunks up to their end. Then the data chunk before them is empty and they are not
/// samples.
fn is_chunk_list(bytes: &[u8]) -> bool {
    let mut at = 0;
    while let Some((name, size)) = chunk(bytes, at) {
        if !name.iter().all(|byte| matches!(byte, b' '..=b'~')) {
            return false;
        }
        at += 8 + size as usize + size as usize % 2;
    }
    at >= bytes.len()
}

fn format_of(chunk: &[u8]) -> Result<WavFormat, String> {
    let field = |at: usize| {
        let bytes = chunk.get(at..at + 2).and_then(|two| two.try_into().ok());
        let missing = || {
            format!(
                "its format chunk has {} bytes; at least 16 are needed",
                chunk.len()
            )
        };
        bytes.map(u16::from_le_bytes).ok_or_else(missing)
    };
    let (mut tag, channels, bits) = (field(0)?, field(2)?, field(14)?);
    let rate = u32::from(field(4)?) | u32::from(field(6)?) << 16;
    // WAVE_FORMAT_EXTENSIBLE: the first field of the GUID is the tag.
    if tag == 0xfffe {
        tag = field(24).map_err(|_| "its extensible format chunk is too short".to_owned())?;
    }
    let encoding = match (tag, bits) {
        (1, 1..=8) => WavEncoding::Unsigned8,
        (1, 9..=32) => WavEncoding::Signed(usize::from(bits.div_ceil(8))),
        (3, 32) => WavEncoding::Float32,
        (3, 64) => WavEncoding::Float64,
        (6, _) => WavEncoding::ALaw,
        (7, _) => WavEncoding::MuLaw,
        (1, _) => {
            return Err(format!(
                "it has {bits} bits per sample; PCM must have 1 to 32"
            ));
        }
        (3, _) => {
            return Err(format!(
                "it has {bits} bits per sample; floats must have 32 or 64"
            ));
        }
        _ => {
            return Err(format!(
                "its format {tag:#06x}{} is not supported; save it as PCM",
                compression(tag)
            ));
        }
    };
    Ok(WavFormat {
        encoding,
        rate,
        channels,
    })
}

/// Returns the name of a compression, to be appended to its tag.
fn compression(tag: u16) -> &'static str {
    match tag {
        0x0002 => " (Microsoft ADPCM)",
        0x0011 => " (IMA ADPCM)",
        0x0031 => " (GSM 6.10)",
        0x0055 => " (MP3)",
        _ => "",
    }
}

fn samples(format: &WavFormat, data: &[u8]) -> Result<WavSamples, String> {
    let (rate, channels) = (format.rate, format.channels);
    let all = |n_bytes: usize, sample: fn(&[u8]) -> f32| -> Vec<f32> {
        let n_whole = data.len() - data.len() % (n_bytes * usize::from(channels.max(1)));
        let whole = data.get(..n_whole).unwrap_or_default();
        whole.chunks_exact(n_bytes).map(sample).collect()
    };
    let samples = match format.encoding {
        WavEncoding::Unsigned8 => all(1, |s| (f32::from(s[0]) - 128.0) / 128.0),
        WavEncoding::Signed(n_bytes) => all(n_bytes, signed),
        WavEncoding::Float32 => all(4, |s| f32::from_bits(u64_of(s) as u32)),
        WavEncoding::Float64 => all(8, |s| f64::from_bits(u64_of(s)) as f32),
        WavEncoding::ALaw => all(1, |s| f32::from(a_law(s[0])) / 32_768.0),
        WavEncoding::MuLaw => all(1, |s| f32::from(mu_law(s[0])) / 32_768.0),
    };
    if samples.is_empty() {
        return Err("it contains no samples".to_owned());
    }
    Ok(WavSamples {
        rate,
        channels,
        samples,
    })
}

/// Converts a little-endian integer of at most 4 bytes to a fraction of the range.
fn signed(bytes: &[u8]) -> f32 {
    let unused = 32 - 8 * bytes.len() as u32;
    let left_aligned = (u64_of(bytes) as u32) << unused;
    (f64::from(left_aligned as i32) / 2_147_483_648.0) as f32
}

/// Decodes ITU-T G.711 A-law, scaled to 16 bits.
fn a_law(byte: u8) -> i16 {
    let bits = byte ^ 0x55;
    let mantissa = i16::from(bits & 0x0f) << 4;
    let magnitude = match bits >> 4 & 7 {
        0 => mantissa + 8,
        exponent => (mantissa + 0x108) << (exponent - 1),
    };
    if bits & 0x80 == 0 {
        -magnitude
    } else {
        magnitude
    }
}

/// Decodes ITU-T G.711 µ-law, scaled to 16 bits.
fn mu_law(byte: u8) -> i16 {
    let bits = !byte;
    let magnitude = (((i16::from(bits & 0x0f) << 3) + 0x84) << (bits >> 4 & 7)) - 0x84;
    if bits & 0x80 == 0 {
        magnitude
    } else {
        -magnitude
    }
}
