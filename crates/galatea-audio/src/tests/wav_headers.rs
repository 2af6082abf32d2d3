//! WAV files as other programs write them: streamed ones, odd chunks, every encoding, and broken headers.

use super::*;

/// Returns a format chunk with its name and size.
fn format_chunk(tag: u16, channels: u16, rate: u32, bits: u16) -> Vec<u8> {
    let align = channels * bits.div_ceil(8);
    let mut body = [tag, channels].map(u16::to_le_bytes).concat();
    body.extend(
        [rate, rate * u32::from(align)]
            .map(u32::to_le_bytes)
            .concat(),
    );
    body.extend([align, bits].map(u16::to_le_bytes).concat());
    chunk(b"fmt ", &body)
}

/// Returns a WAVE_FORMAT_EXTENSIBLE chunk without speaker positions.
fn extensible_chunk(tag: u16, channels: u16, container_bits: u16, valid_bits: u16) -> Vec<u8> {
    let mut body = format_chunk(0xfffe, channels, RATE, container_bits).split_off(8);
    body.extend([22, valid_bits, 0, 0, tag].map(u16::to_le_bytes).concat());
    body.extend([0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]);
    chunk(b"fmt ", &body)
}

fn chunk(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
    sized_chunk(name, body.len() as u32, body)
}

fn sized_chunk(name: &[u8; 4], size: u32, body: &[u8]) -> Vec<u8> {
    [&name[..], &size.to_le_bytes(), body].concat()
}

/// Returns a file with this size in its header.
fn file(riff_size: u32, chunks: &[&[u8]]) -> Vec<u8> {
    let header = [&b"RIFF"[..], &riff_size.to_le_bytes(), b"WAVE"].concat();
    [&header[..], &chunks.concat()].concat()
}

fn decode(bytes: &[u8]) -> Result<Sound, String> {
    Sound::decode("a.wav", bytes).map_err(|error| error.to_string())
}

fn mono() -> Vec<u8> {
    format_chunk(1, 1, RATE, 16)
}

/// Three samples of 16 bits: -1, 0.25 and 0.5.
const THREE: [u8; 6] = [0x00, 0x80, 0x00, 0x20, 0x00, 0x40];

fn is_three(bytes: &[u8]) -> bool {
    decode(bytes).unwrap().samples() == [-1.0, 0.25, 0.5]
}

#[test]
fn streamed_files_are_read_to_their_end_for_any_header_sizes() {
    // Placeholders of ffmpeg, of sox and espeak-ng, of arecord, and of programs that write 0.
    for size in [u32::MAX, 0x7fff_f000, 0x7fff_ffff, 0x8000_0000, 0] {
        for riff_size in [0, 36, u32::MAX, size.wrapping_add(36)] {
            let data = sized_chunk(b"data", size, &THREE);
            assert!(is_three(&file(riff_size, &[&mono(), &data])), "{size:#x}");
            let list = chunk(b"LIST", b"INFOISFT\x0e\0\0\0Lavf60.16.100\0");
            assert!(
                is_three(&file(riff_size, &[&mono(), &list, &data])),
                "{size:#x}"
            );
        }
    }
    let cut_frame = sized_chunk(b"data", u32::MAX, &[&THREE[..], &[9]].concat());
    assert!(is_three(&file(0, &[&mono(), &cut_frame])));
    let zeros = sized_chunk(b"data", 0, &[0; 800]);
    assert_eq!(decode(&file(0, &[&mono(), &zeros])).unwrap().frames(), 400);
}

#[test]
fn a_valid_data_size_in_the_header_is_used() {
    let data = chunk(b"data", &THREE);
    let list = chunk(b"LIST", b"INFO");
    for riff_size in [0, 1, 42, u32::MAX] {
        assert!(is_three(&file(riff_size, &[&mono(), &data, &list])));
    }
    let odd = chunk(b"data", &[&THREE[..], &[9]].concat());
    assert!(is_three(&file(0, &[&mono(), &odd, &[0], &list])));
    // RF64 stores the size in a separate chunk.
    let sizes = [
        [0_u64, THREE.len() as u64, 3]
            .map(u64::to_le_bytes)
            .concat(),
        vec![0; 4],
    ];
    let long = chunk(b"ds64", &sizes.concat());
    let placeholder = sized_chunk(b"data", u32::MAX, &THREE);
    let mut rf64 = file(u32::MAX, &[&long, &mono(), &placeholder, &list]);
    rf64[..4].copy_from_slice(b"RF64");
    assert!(is_three(&rf64));
}

#[test]
fn chunks_of_odd_size_are_skipped_with_and_without_their_padding() {
    let data = chunk(b"data", &THREE);
    for padding in [&[0][..], &[]] {
        let odd = [&chunk(b"LIST", b"INFOx")[..], padding].concat();
        assert!(is_three(&file(0, &[&odd, &mono(), &odd, &odd, &data])));
    }
}

#[test]
fn every_encoding_is_decoded() {
    let stereo_24 = [[0, 0, 0x80], [0, 0, 0x40], [1, 0, 0], [0xff, 0xff, 0xff]].concat();
    let halves = [0.5_f32, -0.25].map(f32::to_le_bytes).concat();
    let doubles = [0.5_f64, -0.25].map(f64::to_le_bytes).concat();
    let step = 1.0 / 8_388_608.0;
    let cases: [(Vec<u8>, &[u8], &[f32]); 12] = [
        (
            format_chunk(1, 1, RATE, 8),
            &[0, 128, 192],
            &[-1.0, 0.0, 0.5],
        ),
        (
            format_chunk(1, 2, RATE, 24),
            &stereo_24,
            &[-1.0, 0.5, step, -step],
        ),
        (format_chunk(1, 1, RATE, 32), &[0, 0, 0, 0xc0], &[-0.5]),
        // 12 bits are stored in the upper part of two bytes.
        (format_chunk(1, 1, RATE, 12), &[0x00, 0x40], &[0.5]),
        (format_chunk(3, 1, RATE, 32), &halves, &[0.5, -0.25]),
        (format_chunk(3, 1, RATE, 64), &doubles, &[0.5, -0.25]),
        (
            format_chunk(6, 1, RATE, 8),
            &[0xd5, 0x55, 0xaa, 0x80],
            &[8.0, -8.0, 32_256.0, 5_504.0],
        ),
        (
            format_chunk(7, 1, RATE, 8),
            &[0xff, 0x7f, 0x80, 0x00],
            &[0.0, 0.0, 32_124.0, -32_124.0],
        ),
        (extensible_chunk(1, 1, 16, 16), &THREE, &[-1.0, 0.25, 0.5]),
        (extensible_chunk(1, 1, 24, 20), &[0, 0, 0xc0], &[-0.5]),
        (extensible_chunk(3, 2, 32, 32), &halves, &[0.5, -0.25]),
        (extensible_chunk(7, 1, 8, 8), &[0x80], &[32_124.0]),
    ];
    for (format, data, expected) in cases {
        let sound = decode(&file(0, &[&format, &chunk(b"data", data)])).unwrap();
        // G.711 is compared in 16-bit steps.
        let is_g711 = expected.iter().any(|x| x.abs() > 1.0);
        let scale = if is_g711 { 32_768.0 } else { 1.0 };
        let read: Vec<f32> = sound.samples().iter().map(|x| x * scale).collect();
        assert_eq!(read, expected, "{format:?}");
    }
}

#[test]
fn an_invalid_header_is_rejected_with_its_value() {
    let data = chunk(b"data", &THREE);
    let with = |format: Vec<u8>| decode(&file(0, &[&format, &data])).unwrap_err();
    for (format, expected) in [
        (format_chunk(1, 1, 0, 16), "has 0 samples per second"),
        (
            format_chunk(1, 1, u32::MAX / 2, 16),
            "has 2147483647 samples per second",
        ),
        (format_chunk(1, 0, RATE, 16), "has 0 channels"),
        (format_chunk(1, 1, RATE, 0), "it has 0 bits per sample"),
        (format_chunk(1, 1, RATE, 40), "it has 40 bits per sample"),
        (format_chunk(3, 1, RATE, 16), "it has 16 bits per sample"),
        (extensible_chunk(1, 1, 0, 0), "it has 0 bits per sample"),
        (
            format_chunk(0x11, 1, RATE, 4),
            "its format 0x0011 (IMA ADPCM) is not supported; save it as PCM",
        ),
        (chunk(b"fmt ", &[1, 0]), "its format chunk has 2 bytes"),
        (
            chunk(b"fmt ", &format_chunk(0xfffe, 1, RATE, 16)[8..]),
            "extensible format chunk is too short",
        ),
    ] {
        let error = with(format);
        assert!(
            error.contains(expected) && error.contains("`a.wav`"),
            "{error}"
        );
    }
}

#[test]
fn a_file_without_samples_is_rejected_with_the_missing_part() {
    let cut = sized_chunk(b"data", 100, &THREE);
    let empty = [chunk(b"data", &[]), chunk(b"LIST", b"INFO")].concat();
    for (chunks, expected) in [
        (
            vec![mono(), cut],
            "cut off: its header declares 100 bytes of samples, but only 6 remain",
        ),
        (vec![mono(), chunk(b"data", &[])], "it contains no samples"),
        (vec![mono(), empty], "it contains no samples"),
        (vec![mono()], "it has no data chunk"),
        (
            vec![chunk(b"data", &THREE), mono()],
            "no format chunk before its data",
        ),
        (
            vec![mono(), sized_chunk(b"LIST", u32::MAX, b"INFO")],
            "it has no data chunk",
        ),
    ] {
        let error = decode(&file(0, &[&chunks.concat()])).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}
