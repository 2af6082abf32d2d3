// Morphs, then skins the vertices of one primitive for many instances. Reads vertices in mesh space. Writes them in model
// space: position, normal (unit), tangent (unit, w = bitangent sign; only if needed), ten floats each. One invocation is one
// vertex of one instance. Each skinning method is a pipeline variant, so vertices do not pay for unused methods.

#include "inc/packed.wgsl"

// Bones per vertex: 0 (a rigid part), 4 or 8.
override INFLUENCES: u32 = 4u;
// 0: linear blend skinning. 1: dual quaternions. 2: dual quaternions after a linearly blended stretch.
override DUAL: u32 = 0u;
// Tangents are deformed too.
override TANGENTS: bool = true;
// Vertices are on the centre lines of ribbons, with tangents along them. Requires TANGENTS.
override RIBBONS: bool = false;

// One instance of the primitive.
struct Job {
    // First row of the part: three per matrix, five per dual quaternion with its stretch.
    palette: u32,
    first_morph: u32,
    n_morphs: u32,
    padding: u32,
    // For ribbons: the eye in model space, and the size of a pixel at a distance of one metre, metres.
    eye: vec3<f32>,
    pixel: f32,
}

// An active morph target. Offsets are stored in blocks of BLOCK vertices, `stride` floats per vertex: position, then normal,
// then tangent, as far as the target moves them.
struct Morph {
    weight: f32,
    // Index in `deltas` of the table of block locations. The first entry is that of `first_block`.
    table: u32,
    first_block: u32,
    // The upper four bits are the stride.
    n_blocks: u32,
}

struct Dispatch {
    first_job: u32,
    n_vertices: u32,
    padding: u32,
    // Invocations in one row of workgroups.
    row: u32,
}

// Minimum half width of a ribbon, pixels.
const MIN_PIXELS: f32 = 0.3;
const NONE: u32 = 0xffffffffu;
const BLOCK: u32 = 16u;

@group(0) @binding(0) var<storage, read> palette: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> jobs: array<Job>;
@group(0) @binding(2) var<storage, read> morphs: array<Morph>;
@group(0) @binding(3) var<uniform> dispatch: Dispatch;
// Five words each: position, normal (octahedral, snorm16), tangent (same encoding; the lowest bit is set if the bitangent's
// sign is negative).
@group(1) @binding(0) var<storage, read> vertices: array<u32>;
// Per vertex: joint pairs, then weight pairs (unorm16), strongest first; joints without weight repeat the strongest.
@group(1) @binding(1) var<storage, read> influences: array<u32>;
// Tables of blocks, and offsets as bits of floats. For ribbons: the sideways offset of each vertex from its centre line.
@group(1) @binding(2) var<storage, read> deltas: array<u32>;
@group(2) @binding(0) var<storage, read_write> deformed: array<f32>;

fn delta(at: u32) -> vec3<f32> {
    return vec3<f32>(bitcast<f32>(deltas[at]), bitcast<f32>(deltas[at + 1u]), bitcast<f32>(deltas[at + 2u]));
}

// Normalizes `v`; returns `otherwise` if `v` has no length.
fn unit(v: vec3<f32>, otherwise: vec3<f32>) -> vec3<f32> {
    let largest = max(abs(v.x), max(abs(v.y), abs(v.z)));
    let scaled = v / largest;
    return select(otherwise, scaled * inverseSqrt(dot(scaled, scaled)), largest > 1e-30);
}

// Three rows.
struct Matrix {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
}

fn joint(v: u32, k: u32) -> u32 {
    let pair = influences[v * INFLUENCES + k / 2u];
    return select(pair & 0xffffu, pair >> 16u, k % 2u == 1u);
}

fn weight(v: u32, k: u32) -> f32 {
    let pair = unpack2x16unorm(influences[v * INFLUENCES + INFLUENCES / 2u + k / 2u]);
    return select(pair.x, pair.y, k % 2u == 1u);
}

// The weighted sum of matrices, `stride` rows apart.
fn summed(v: u32, first: u32, stride: u32) -> Matrix {
    var m: Matrix;
    for (var k = 0u; k < INFLUENCES; k++) {
        let at = first + joint(v, k) * stride;
        let w = weight(v, k);
        m.x += palette[at] * w;
        m.y += palette[at + 1u] * w;
        m.z += palette[at + 2u] * w;
    }
    return m;
}

// Blends dual quaternions to a rigid motion (Kavan et al. 2007). Each is negated if needed, to be in the hemisphere of the
// strongest one.
fn motion(v: u32, first: u32) -> Matrix {
    let pivot = palette[first + joint(v, 0u) * 5u];
    var real = vec4<f32>(0.0);
    var dual = vec4<f32>(0.0);
    for (var k = 0u; k < INFLUENCES; k++) {
        let at = first + joint(v, k) * 5u;
        let r = palette[at];
        let w = weight(v, k) * select(1.0, -1.0, dot(r, pivot) < 0.0);
        real += r * w;
        dual += palette[at + 1u] * w;
    }
    let by = inverseSqrt(dot(real, real));
    let q = real * by;
    let d = dual * by;
    let t = 2.0 * (q.w * d.xyz - d.w * q.xyz + cross(q.xyz, d.xyz));
    let two = 2.0 * q.xyz;
    let s = two * q.xyz;
    let a = two.xxy * q.yzz;
    let w = two * q.w;
    return Matrix(
        vec4<f32>(1.0 - s.y - s.z, a.x - w.z, a.y + w.y, t.x),
        vec4<f32>(a.x + w.z, 1.0 - s.x - s.z, a.z - w.x, t.y),
        vec4<f32>(a.y - w.y, a.z + w.x, 1.0 - s.x - s.y, t.z),
    );
}

fn times(m: Matrix, v: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(dot(m.x.xyz, v), dot(m.y.xyz, v), dot(m.z.xyz, v));
}

@compute @workgroup_size(64)
fn cs(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    let v = id.x + id.y * dispatch.row;
    if v >= dispatch.n_vertices {
        return;
    }
    // Uniform in the workgroup. The compiler can only see this from the workgroup's id.
    let job = jobs[dispatch.first_job + group.z];
    let base = v * 5u;
    var p = vec3<f32>(bitcast<f32>(vertices[base]), bitcast<f32>(vertices[base + 1u]), bitcast<f32>(vertices[base + 2u]));
    var n = direction(vertices[base + 3u]);
    var t = vec3<f32>(1.0, 0.0, 0.0);
    var sign = 1.0;
    if TANGENTS {
        let packed_tangent = vertices[base + 4u];
        t = direction(packed_tangent & 0xfffffffeu);
        sign = select(1.0, -1.0, (packed_tangent & 1u) == 1u);
    }

    for (var i = job.first_morph; i < job.first_morph + job.n_morphs; i++) {
        let m = morphs[i];
        let block = v / BLOCK - m.first_block;
        if block < (m.n_blocks & 0x0fffffffu) {
            let start = deltas[m.table + block];
            if start != NONE {
                let stride = m.n_blocks >> 28u;
                let at = start + v % BLOCK * stride;
                p += m.weight * delta(at);
                if stride > 3u {
                    n += m.weight * delta(at + 3u);
                    if TANGENTS && stride > 6u {
                        t += m.weight * delta(at + 6u);
                    }
                }
            }
        }
    }

    var m: Matrix;
    var normal: vec3<f32>;
    var mirror = 1.0;
    if DUAL == 1u {
        m = motion(v, job.palette);
        normal = times(m, n);
    } else {
        // The matrix that can stretch: the whole transform, or the part before the rigid motion.
        if INFLUENCES == 0u {
            m = Matrix(palette[job.palette], palette[job.palette + 1u], palette[job.palette + 2u]);
        } else if DUAL == 2u {
            m = summed(v, job.palette + 2u, 5u);
        } else {
            m = summed(v, job.palette, 3u);
        }
        // Rows of the cofactor matrix keep normals perpendicular under any scale. Its sign is that of the determinant.
        // Removing the sign keeps normals pointing outwards in mirrored parts.
        let c_x = cross(m.y.xyz, m.z.xyz);
        let c_y = cross(m.z.xyz, m.x.xyz);
        let c_z = cross(m.x.xyz, m.y.xyz);
        mirror = select(1.0, -1.0, dot(m.x.xyz, c_x) < 0.0);
        normal = mirror * vec3<f32>(dot(c_x, n), dot(c_y, n), dot(c_z, n));
        if DUAL == 2u {
            p = times(m, p);
            t = times(m, t);
            m = motion(v, job.palette);
            normal = times(m, normal);
        }
    }
    let h = vec4<f32>(p, 1.0);
    var position = vec3<f32>(dot(m.x, h), dot(m.y, h), dot(m.z, h));
    normal = unit(normal, unit(n, vec3<f32>(0.0, 1.0, 0.0)));
    if RIBBONS {
        let along = unit(times(m, t), vec3<f32>(0.0, 1.0, 0.0));
        let view = job.eye - position;
        let half = bitcast<f32>(deltas[v]);
        let wide = max(abs(half), MIN_PIXELS * job.pixel * length(view));
        position += unit(cross(along, view), vec3<f32>(0.0)) * select(wide, -wide, half < 0.0);
        let towards = unit(view - along * dot(along, view), vec3<f32>(0.0, 1.0, 0.0));
        normal = unit(normal - along * dot(along, normal), towards);
        t = cross(along, normal);
        sign = mirror;
    }
    let to = (group.z * dispatch.n_vertices + v) * 10u;
    deformed[to] = position.x;
    deformed[to + 1u] = position.y;
    deformed[to + 2u] = position.z;
    deformed[to + 3u] = normal.x;
    deformed[to + 4u] = normal.y;
    deformed[to + 5u] = normal.z;
    if TANGENTS {
        // For ribbons, the tangent is already transformed.
        let turned = select(times(m, t), t, RIBBONS);
        let side = select(vec3<f32>(1.0, 0.0, 0.0), vec3<f32>(0.0, 0.0, 1.0), abs(normal.x) > 0.9);
        let tangent = unit(turned - normal * dot(normal, turned), unit(side - normal * dot(normal, side), side));
        deformed[to + 6u] = tangent.x;
        deformed[to + 7u] = tangent.y;
        deformed[to + 8u] = tangent.z;
        deformed[to + 9u] = sign * mirror;
    }
}
