//! Real clips (GALATEA_CORPUS): packed, they stay within the error bound at all times, survive serialisation, and do not get
//! larger.

use galatea::anim::pack::{PackOptions, PackedClip, measure, pack_all};
use galatea::anim::{Clip, Skeleton};

use crate::files;

/// File, and the maximum size of all its animated clips in memory and on disk, bytes.
const FILES: [(&str, usize, usize); 4] = [
    ("khronos-samples-via-bevy/animated/Fox.glb", 22_000, 11_000),
    (
        "godot-demo-projects/ragdoll_physics/characters/mannequiny.glb",
        36_000,
        24_000,
    ),
    (
        "kaykit-adventurers/Characters/gltf/Knight.glb",
        290_000,
        170_000,
    ),
    (
        "khronos-samples-via-jgltf/InterpolationTest/glTF/InterpolationTest.gltf",
        6_000,
        1_000,
    ),
];

#[test]
fn real_clips_keep_the_bound_their_bytes_and_their_size() {
    let Some(corpus) = files::corpus() else {
        return;
    };
    let options = PackOptions::default();
    for (file, most, most_on_disk) in FILES {
        let path = corpus.join("01_characters").join(file);
        let model = galatea::asset::gltf::load(&path).unwrap_or_else(|error| panic!("{error}"));
        let skeleton: &Skeleton = &model.skeleton;
        let clips: Vec<Clip> = (model.clips.iter())
            .filter(|clip| clip.duration > 0.0)
            .map(|clip| Clip::clone(clip))
            .collect();
        // A fox a hundred units long that rotates by 20° per frame leaves no more precision to 32-bit times.
        let bound_cm = if file.ends_with("Fox.glb") {
            0.0125
        } else {
            0.01
        };
        let (mut bytes, mut on_disk) = (0, 0);
        for (clip, (packed, report)) in clips.iter().zip(pack_all(skeleton, &clips, &options)) {
            let measured = measure(skeleton, clip, &packed, &options);
            assert!(
                measured.worst_error_cm <= bound_cm,
                "{file} {:?}: {measured:?}",
                clip.name
            );
            let stored = packed.to_bytes();
            assert_eq!(PackedClip::from_bytes(&stored), Ok(packed));
            bytes += report.bytes;
            on_disk += stored.len();
        }
        assert!(bytes <= most, "{file}: {bytes} bytes");
        assert!(on_disk <= most_on_disk, "{file}: {on_disk} bytes on disk");
    }
}
