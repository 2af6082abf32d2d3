//! Tests that conversion takes memory and work in proportion to the file, by counting allocations of the thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use galatea_asset::PictureBudget;
use galatea_asset::gltf;
use galatea_asset::import::Format;
use serde_json::json;

use crate::binary_fbx::packed_mesh;

/// System allocator that counts the allocations of each thread.
struct CountingAllocator;

#[derive(Clone, Copy, Default)]
struct AllocationCount {
    held: isize,
    peak: isize,
    calls: usize,
}

thread_local! {
    static COUNT: Cell<AllocationCount> = const {
        Cell::new(AllocationCount { held: 0, peak: 0, calls: 0 })
    };
}

fn count(bytes: isize) {
    // A thread that ends has no counter any more.
    let _ = COUNT.try_with(|all| {
        let mut now = all.get();
        now.held += bytes;
        now.peak = now.peak.max(now.held);
        now.calls += usize::from(bytes > 0);
        all.set(now);
    });
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps the conditions of `GlobalAlloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller keeps the conditions of `GlobalAlloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Converts a file and returns its allocations and the error.
fn cost_of(format: Format, bytes: &[u8]) -> (AllocationCount, Option<String>) {
    COUNT.with(|all| all.set(AllocationCount::default()));
    let mut none = |file: &str| Err(format!("{file}: no such file"));
    let converted = crate::convert(format, "file", bytes, &mut none, PictureBudget::default());
    let cost = COUNT.with(Cell::get);
    (cost, converted.err())
}

/// Like [`cost_of`], for text that converts without error.
fn cost(text: &str) -> AllocationCount {
    let (cost, error) = cost_of(Format::X, text.as_bytes());
    assert_eq!(error, None);
    cost
}

/// Animation sets of which no two tracks share key times.
fn sets(n: usize) -> String {
    const FRAMES: usize = 40;
    let mut text = String::from("xof 0303txt 0032\n");
    for frame in 0..FRAMES {
        text.push_str(&format!(
            "Frame F{frame} {{ FrameTransformMatrix {{ 1,0,0,0,0,1,0,0,0,0,1,0,0,1,0,1;; }} }}\n"
        ));
    }
    for set in 0..n {
        text.push_str(&format!("AnimationSet S{set} {{\n"));
        for frame in 0..FRAMES {
            let late = 160 + set * FRAMES + frame;
            text.push_str(&format!(
                "Animation {{ {{F{frame}}} \
                 AnimationKey {{ 2; 2; 0;3;0.0,0.0,0.0;;, {late};3;0.0,0.1,0.0;;; }} \
                 AnimationKey {{ 0; 2; 0;4;1.0,0.0,0.0,0.0;;, {late};4;1.0,0.0,0.0,0.0;;; }} }}\n"
            ));
        }
        text.push_str("}\n");
    }
    text
}

#[test]
fn twice_as_many_animation_sets_take_twice_the_memory_and_work() {
    let (small, large) = (sets(40), sets(80));
    let (one, two) = (cost(&small), cost(&large));
    let within = |two: f64, one: f64| two < 2.2 * one;
    assert!(
        within(two.peak as f64, one.peak as f64),
        "{} and {} bytes",
        one.peak,
        two.peak
    );
    assert!(
        within(two.calls as f64, one.calls as f64),
        "{} and {} allocations",
        one.calls,
        two.calls
    );
    assert!(
        two.peak as usize <= 20 * large.len(),
        "{} bytes for a file of {}",
        two.peak,
        large.len()
    );
}

#[test]
fn packed_lists_take_no_more_memory_than_their_file_may() {
    let (_, error) = cost_of(Format::Fbx, &packed_mesh(1000, 1000));
    assert_eq!(error, None);
    for (n_vertices, n_quads) in [(3_000_000, 1), (4, 3_000_000), (4, 700_000)] {
        let file = packed_mesh(n_vertices, n_quads);
        assert!(file.len() < 200_000);
        let (cost, error) = cost_of(Format::Fbx, &file);
        let error = error.expect("it is refused");
        assert!(
            error.contains("the limit for a file of this size"),
            "{error}"
        );
        assert!(cost.peak < 150 << 20, "{} bytes", cost.peak);
    }
}

#[test]
fn an_obj_of_very_many_groups_is_read_as_one_mesh() {
    let mut text = String::from("v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    for group in 0..40_000 {
        text.push_str(&format!("g a{group}\nf 1 2 3\n"));
    }
    let mut none = |file: &str| Err(format!("{file}: no such file"));
    let budget = PictureBudget::default();
    let read = crate::convert(Format::Obj, "a.obj", text.as_bytes(), &mut none, budget);
    let expected = ["the file has 40000 objects and groups; they are merged into one mesh"];
    assert!(
        read.is_ok_and(|(bytes, warnings)| bytes.len() < 6 * text.len() && warnings == expected)
    );
}

/// A glTF file of a triangle with `n_targets` morph targets, and `n_skins` nodes with a skin each.
fn triangle(n_skins: usize, n_targets: usize) -> String {
    // Three positions, three times four joints of one byte, three times four weights.
    let buffer = "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\
        AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAA";
    let mut nodes = vec![json!({ "name": "root" })];
    nodes.extend((0..n_skins).map(|skin| json!({ "mesh": 0, "skin": skin })));
    let primitive = json!({
        "attributes": { "POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2 },
        "targets": vec![json!({ "POSITION": 0 }); n_targets],
    });
    json!({
        "asset": { "version": "2.0" }, "scene": 0, "nodes": nodes,
        "scenes": [{ "nodes": (0..=n_skins).collect::<Vec<_>>() }],
        "skins": vec![json!({ "joints": [0] }); n_skins],
        "meshes": [{ "primitives": [primitive] }],
        "buffers": [{ "byteLength": 96, "uri": buffer }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }, { "buffer": 0, "byteOffset": 36, "byteLength": 12 },
            { "buffer": 0, "byteOffset": 48, "byteLength": 48 }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3" },
            { "bufferView": 1, "componentType": 5121, "count": 3, "type": "VEC4" },
            { "bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC4" },
        ],
    })
    .to_string()
}

#[test]
fn twice_as_many_skins_or_morph_targets_take_twice_the_memory_and_work() {
    for (name, of) in [
        ("skins", (|n| triangle(n, 0)) as fn(usize) -> String),
        ("morph targets", |n| triangle(1, n)),
    ] {
        let [one, two] = [400, 800].map(|n| {
            let text = of(n);
            COUNT.with(|all| all.set(AllocationCount::default()));
            let mut none = |file: &str| Err(format!("{file}: no such file"));
            let model = gltf::load_slice("a.gltf", text.as_bytes(), &mut none);
            let model = model.expect("it is valid");
            let n_positions = model.primitives().map(|part| part.positions.len());
            assert_eq!(n_positions.sum::<usize>(), 3);
            COUNT.with(Cell::get)
        });
        assert!(
            two.peak as f64 <= 2.2 * one.peak as f64,
            "{name}: {} and {} bytes",
            one.peak,
            two.peak
        );
        assert!(
            two.calls as f64 <= 2.2 * one.calls as f64,
            "{name}: {} and {}",
            one.calls,
            two.calls
        );
        assert!(two.peak < 8 << 20, "{name}: {} bytes", two.peak);
    }
}
