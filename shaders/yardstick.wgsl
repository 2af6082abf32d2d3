// Reference for timing the deform pass: simple linear skinning, and a copy of the same number of bytes. Not part of a frame.

struct Vertex {
    position: vec3<f32>,
    normal: vec3<f32>,
    joints: vec4<u32>,
    weights: vec4<f32>,
}

struct Skinned {
    position: vec3<f32>,
    normal: vec3<f32>,
}

@group(0) @binding(0) var<storage, read> palette: array<mat4x4<f32>>;
@group(0) @binding(1) var<storage, read> vertices: array<Vertex>;
@group(0) @binding(2) var<storage, read_write> skinned: array<Skinned>;

@compute @workgroup_size(64)
fn naive(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&vertices) {
        return;
    }
    let vertex = vertices[id.x];
    var position = vec3<f32>(0.0);
    var normal = vec3<f32>(0.0);
    for (var k = 0u; k < 4u; k++) {
        let m = palette[vertex.joints[k]];
        position += (m * vec4<f32>(vertex.position, 1.0)).xyz * vertex.weights[k];
        normal += (m * vec4<f32>(vertex.normal, 0.0)).xyz * vertex.weights[k];
    }
    skinned[id.x] = Skinned(position, normalize(normal));
}

@compute @workgroup_size(64)
fn copied(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&vertices) {
        return;
    }
    let vertex = vertices[id.x];
    let w = palette[0][0][0];
    skinned[id.x] = Skinned(vertex.position * w, vertex.normal + vertex.weights.xyz + vec3<f32>(vertex.joints.xyz));
}
