//! Packed projects, packed clips, trained networks.

use std::collections::BTreeMap;

use galatea::anim::{PackOptions, PackedClip, pack};
use galatea::asset::pack::{self as packs, Pack, PackInfo};
use galatea::speech::acoustic::network::Network;

use crate::common::post;
use crate::mutate::InputFormat;
use crate::target::Target;

pub const TARGETS: &[Target] = &[
    Target::new("pack", InputFormat::Bytes, 200)
        .seeds(|| vec![packed()])
        .mend(mend_pack)
        .run(read),
    Target::new("network", InputFormat::Bytes, 60)
        .seeds(network)
        .run(|bytes| {
            // Refused or read: both are fine.
            let _ = Network::read(bytes);
        }),
    Target::new("packed-clip", InputFormat::Bytes, 300)
        .seeds(clips)
        .mend(mend_clip)
        .run(|bytes| {
            if let Ok(clip) = PackedClip::from_bytes(bytes) {
                clip.to_bytes();
            }
        }),
];

fn packed() -> Vec<u8> {
    let about = PackInfo {
        name: "demo".into(),
        locked: false,
    };
    let files = BTreeMap::from([
        ("scripts/main.lua".to_owned(), b"print 'hi'".repeat(40)),
        ("assets/a.txt".to_owned(), vec![7; 100]),
    ]);
    packs::pack(&about, &files, 3).unwrap().0
}

/// Corrects the CRC-32 of the index.
fn mend_pack(bytes: &mut [u8]) {
    let Some(head) = bytes.get(8..12) else { return };
    let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
    if let Some(index) = bytes.get(16..16 + length) {
        let sum = crate::pictures::crc(index).to_le_bytes();
        bytes[12..16].copy_from_slice(&sum);
    }
}

fn read(bytes: &[u8]) {
    // A pack is read from memory without a copy, for the lifetime of the process.
    let bytes: &'static [u8] = bytes.to_vec().leak();
    let Some(start) = Pack::starts(bytes).next() else {
        return;
    };
    let Ok(pack) = Pack::open(&bytes[start..]) else {
        return;
    };
    let paths: Vec<String> = pack.paths().map(str::to_owned).collect();
    for path in &paths {
        pack.size(path);
        // Refused or read: both are fine.
        let _ = pack.read(path);
        pack.list(path);
    }
    pack.list("");
}

fn network() -> Vec<Vec<u8>> {
    vec![galatea::speech::acoustic::network().write()]
}

fn clips() -> Vec<Vec<u8>> {
    let model = post();
    let packed = model.clips.iter().map(|clip| {
        let options = PackOptions::default();
        pack(&model.skeleton, clip, &options).0.to_bytes()
    });
    packed.collect()
}

/// Corrects the 32-bit FNV-1a checksum of the data after it.
fn mend_clip(bytes: &mut [u8]) {
    if let Some(body) = bytes.get(8..) {
        let sum = body.iter().fold(0x811c_9dc5, |sum: u32, byte| {
            (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
        });
        bytes[4..8].copy_from_slice(&sum.to_le_bytes());
    }
}
