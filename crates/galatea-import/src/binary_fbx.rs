//! Writes small binary FBX files for tests.

/// A node of a binary FBX at byte offset `at`: name, number and bytes of the properties, and child nodes.
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

/// Writes a node at a byte offset.
type FbxPart<'a> = Box<dyn Fn(usize) -> Vec<u8> + 'a>;

/// A compressed array: type letter, item count and uncompressed bytes.
fn fbx_array(kind: u8, n: u32, bytes: &[u8]) -> Vec<u8> {
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(bytes, 6);
    let mut array = vec![kind];
    for value in [n, 1, packed.len() as u32] {
        array.extend(value.to_le_bytes());
    }
    array.extend(packed);
    array
}

/// A binary FBX with a mesh of `n_vertices` vertices, all at the origin, and `n_quads` quads.
pub fn packed_mesh(n_vertices: u32, n_quads: u32) -> Vec<u8> {
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
