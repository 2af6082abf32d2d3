// Morphs, then skins the vertices of one primitive for many instances. Reads vertices in mesh
// space, writes them in model space: position, normal (unit), tangent (unit, w = bitangent sign),
// ten floats each. One invocation is one vertex of one instance.

struct Matrix {
    // Rows.
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
}

// One instance of the primitive.
struct Job {
    // First matrix of the part.
    palette: u32,
    first_morph: u32,
    n_morphs: u32,
    padding: u32,
}

// A morph target at work on a range of vertices; offsets into `deltas` in floats, NONE = absent.
struct Morph {
    weight: f32,
    positions: u32,
    normals: u32,
    tangents: u32,
    first_vertex: u32,
    n_vertices: u32,
    padding_a: u32,
    padding_b: u32,
}

struct Dispatch {
    first_job: u32,
    n_vertices: u32,
    // 0 rigid, 4 or 8.
    n_influences: u32,
    // Invocations in one row of workgroups.
    row: u32,
}

const NONE: u32 = 0xffffffffu;

@group(0) @binding(0) var<storage, read> palette: array<Matrix>;
@group(0) @binding(1) var<storage, read> jobs: array<Job>;
@group(0) @binding(2) var<storage, read> morphs: array<Morph>;
@group(0) @binding(3) var<uniform> dispatch: Dispatch;
@group(1) @binding(0) var<storage, read> vertices: array<f32>;
// Per vertex: joint pairs, then weight pairs (unorm16).
@group(1) @binding(1) var<storage, read> influences: array<u32>;
@group(1) @binding(2) var<storage, read> deltas: array<f32>;
@group(2) @binding(0) var<storage, read_write> deformed: array<f32>;

fn delta(at: u32) -> vec3<f32> {
    return vec3<f32>(deltas[at], deltas[at + 1u], deltas[at + 2u]);
}

fn blend(m: ptr<function, Matrix>, index: u32, weight: f32) {
    if weight > 0.0 {
        (*m).x += palette[index].x * weight;
        (*m).y += palette[index].y * weight;
        (*m).z += palette[index].z * weight;
    }
}

// `v` made unit, or `otherwise` when it has no length.
fn unit(v: vec3<f32>, otherwise: vec3<f32>) -> vec3<f32> {
    let largest = max(abs(v.x), max(abs(v.y), abs(v.z)));
    if !(largest > 1e-30) {
        return otherwise;
    }
    let scaled = v / largest;
    return scaled / length(scaled);
}

@compute @workgroup_size(64)
fn cs(@builtin(global_invocation_id) id: vec3<u32>) {
    let v = id.x + id.y * dispatch.row;
    if v >= dispatch.n_vertices {
        return;
    }
    let job = jobs[dispatch.first_job + id.z];
    let base = v * 10u;
    var p = vec3<f32>(vertices[base], vertices[base + 1u], vertices[base + 2u]);
    var n = vec3<f32>(vertices[base + 3u], vertices[base + 4u], vertices[base + 5u]);
    var t = vec3<f32>(vertices[base + 6u], vertices[base + 7u], vertices[base + 8u]);
    var sign = vertices[base + 9u];

    for (var i = job.first_morph; i < job.first_morph + job.n_morphs; i++) {
        let m = morphs[i];
        let local = v - m.first_vertex;
        if local < m.n_vertices {
            if m.positions != NONE {
                p += m.weight * delta(m.positions + local * 3u);
            }
            if m.normals != NONE {
                n += m.weight * delta(m.normals + local * 3u);
            }
            if m.tangents != NONE {
                t += m.weight * delta(m.tangents + local * 3u);
            }
        }
    }

    var m: Matrix;
    if dispatch.n_influences == 0u {
        m = palette[job.palette];
    } else {
        let pairs = dispatch.n_influences / 2u;
        let at = v * dispatch.n_influences;
        for (var i = 0u; i < pairs; i++) {
            let joints = influences[at + i];
            let weights = unpack2x16unorm(influences[at + pairs + i]);
            blend(&m, job.palette + (joints & 0xffffu), weights.x);
            blend(&m, job.palette + (joints >> 16u), weights.y);
        }
    }

    let h = vec4<f32>(p, 1.0);
    let position = vec3<f32>(dot(m.x, h), dot(m.y, h), dot(m.z, h));
    // Rows of the cofactor matrix: normals stay at right angles under any scale; its sign is that
    // of the determinant, taken out so that normals keep pointing outwards when mirrored.
    let c_x = cross(m.y.xyz, m.z.xyz);
    let c_y = cross(m.z.xyz, m.x.xyz);
    let c_z = cross(m.x.xyz, m.y.xyz);
    let mirror = select(1.0, -1.0, dot(m.x.xyz, c_x) < 0.0);
    let normal = unit(mirror * vec3<f32>(dot(c_x, n), dot(c_y, n), dot(c_z, n)), unit(n, vec3<f32>(0.0, 1.0, 0.0)));
    let turned = vec3<f32>(dot(m.x.xyz, t), dot(m.y.xyz, t), dot(m.z.xyz, t));
    let side = select(vec3<f32>(1.0, 0.0, 0.0), vec3<f32>(0.0, 0.0, 1.0), abs(normal.x) > 0.9);
    let tangent = unit(turned - normal * dot(normal, turned), unit(side - normal * dot(normal, side), side));
    sign *= mirror;

    let to = (id.z * dispatch.n_vertices + v) * 10u;
    deformed[to] = position.x;
    deformed[to + 1u] = position.y;
    deformed[to + 2u] = position.z;
    deformed[to + 3u] = normal.x;
    deformed[to + 4u] = normal.y;
    deformed[to + 5u] = normal.z;
    deformed[to + 6u] = tangent.x;
    deformed[to + 7u] = tangent.y;
    deformed[to + 8u] = tangent.z;
    deformed[to + 9u] = sign;
}
