//! Conversion takes memory and work in proportion to the file: allocations of the thread are counted.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use galatea_asset::PictureBudget;
use galatea_asset::import::Format;

/// The system's allocator, counting what each thread asks of it.
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
    // A thread that ends has no count any more.
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

/// Converts a file and returns the allocations that it made, and the error.
fn cost_of(format: Format, bytes: &[u8]) -> (AllocationCount, Option<String>) {
    let before = AllocationCount {
        held: 0,
        peak: 0,
        calls: 0,
    };
    COUNT.with(|all| all.set(before));
    let mut none = |file: &str| Err(format!("{file}: no such file"));
    let converted = crate::convert(format, "file", bytes, &mut none, PictureBudget::default());
    let cost = COUNT.with(Cell::get);
    (cost, converted.err())
}

/// As [`cost_of`], for text that can be converted.
fn cost(text: &str) -> AllocationCount {
    let (cost, error) = cost_of(Format::X, text.as_bytes());
    assert_eq!(error, None);
    cost
}

/// Returns animation sets in which no two tracks share key times.
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

/// A node of a binary FBX that begins at byte `at`: its name, its properties as bytes, how many they are, and nodes in it.
fn fbx_node(at: usize, name: &str, properties: (u32, &[u8]), children: &[FbxPart]) -> Vec<u8> {
    let (n, properties) = properties;
    let mut body = [name.as_bytes(), properties].concat();
    for child in children {
        let begin = at + 13 + body.len();
        body.extend(child(begin));
    }
    if !children.is_empty() {
        body.extend([0; 13]);
    }
    let end = (at + 13 + body.len()) as u32;
    let mut node = Vec::new();
    for value in [end, n, properties.len() as u32] {
        node.extend(value.to_le_bytes());
    }
    node.push(name.len() as u8);
    node.extend(body);
    node
}

/// Writes a node that begins at a byte.
type FbxPart<'a> = Box<dyn Fn(usize) -> Vec<u8> + 'a>;

/// A packed array: type letter, item count and unpacked bytes.
fn fbx_array(kind: u8, n: u32, bytes: &[u8]) -> Vec<u8> {
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(bytes, 6);
    let mut array = vec![kind];
    for value in [n, 1, packed.len() as u32] {
        array.extend(value.to_le_bytes());
    }
    array.extend(packed);
    array
}

/// A binary FBX with a mesh of so many vertices, all at the origin, and of so many quads.
fn packed_mesh(n_vertices: u32, n_quads: u32) -> Vec<u8> {
    let vertices = fbx_array(b'd', 3 * n_vertices, &vec![0; 24 * n_vertices as usize]);
    let quad: Vec<u8> = [0_i32, 1, 2, -4]
        .iter()
        .flat_map(|i| i.to_le_bytes())
        .collect();
    let corners = fbx_array(b'i', 4 * n_quads, &quad.repeat(n_quads as usize));
    let text = |text: &str| {
        let length = (text.len() as u32).to_le_bytes();
        [b"S", &length[..], text.as_bytes()].concat()
    };
    let number = |id: i64| [b"L", &id.to_le_bytes()[..]].concat();
    let object =
        |id: i64, kind: &str| [number(id), text(&format!("a\0\u{1}{kind}")), text("Mesh")].concat();
    let link = |from: i64, to: i64| [text("OO"), number(from), number(to)].concat();
    let (geometry, model) = (object(1, "Geometry"), object(2, "Model"));
    let links = [link(1, 2), link(2, 0)];
    let geometry_node = |at: usize| {
        let lists: [FbxPart<'_>; 2] = [
            Box::new(|at| fbx_node(at, "Vertices", (1, &vertices), &[])),
            Box::new(|at| fbx_node(at, "PolygonVertexIndex", (1, &corners), &[])),
        ];
        fbx_node(at, "Geometry", (3, &geometry), &lists)
    };
    let objects: [FbxPart<'_>; 2] = [
        Box::new(geometry_node),
        Box::new(|at| fbx_node(at, "Model", (3, &model), &[])),
    ];
    let connections: [FbxPart<'_>; 2] = [
        Box::new(|at| fbx_node(at, "C", (3, &links[0]), &[])),
        Box::new(|at| fbx_node(at, "C", (3, &links[1]), &[])),
    ];
    let mut file = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    file.extend(7400_u32.to_le_bytes());
    file.extend(fbx_node(file.len(), "Objects", (0, &[]), &objects));
    file.extend(fbx_node(file.len(), "Connections", (0, &[]), &connections));
    file.extend([0; 13]);
    file
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
        assert!(error.contains("too much for so small a file"), "{error}");
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
    let expected = ["it has 40000 objects and groups, which are read as one mesh"];
    assert!(
        read.is_ok_and(|(bytes, warnings)| bytes.len() < 6 * text.len() && warnings == expected)
    );
}
