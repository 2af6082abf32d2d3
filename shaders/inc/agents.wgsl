// Crowd agents: their transforms, and the matrices of the poses that they share. Their vertices are skinned linearly in the
// vertex shader. The including shader must include `inc/scene.wgsl` first.

#include "inc/packed.wgsl"

struct Agent {
    // Position of the feet.
    at: vec3<f32>,
    // Seed of the tint colours.
    seed: u32,
    // Rotation: x, y and z of a unit quaternion with w ≥ 0.
    turn: vec3<f32>,
    // Scale across, and along its own +Y.
    wide: f32,
    tall: f32,
    // First rows of two poses.
    pose: u32,
    next_pose: u32,
    // Upper half: blend weight of the second pose, times 65535. Lower half: number of the strongest joints to use per
    // vertex, 1..=4.
    share_joints: u32,
}

// A vertex in the rest pose, mesh space. Directions are packed; the lowest bit of a tangent is set if the bitangent's sign
// is negative. Weights sum to 1.
struct Rest {
    @location(0) position: vec3<f32>,
    @location(1) normal: u32,
    @location(2) tangent: u32,
    @location(14) joints: vec4<u32>,
    @location(15) weights: vec4<f32>,
}

@group(0) @binding(5) var<storage, read> agents: array<Agent>;
// Three rows of each matrix, pose after pose; then tint colours.
@group(0) @binding(6) var<storage, read> rows: array<vec4<f32>>;

// Three rows.
struct Posed {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
}

fn summed(pose: u32, n: u32, joints: vec4<u32>, weights: vec4<f32>) -> Posed {
    var m: Posed;
    for (var k = 0u; k < n; k++) {
        let at = pose + joints[k] * 3u;
        m.x += rows[at] * weights[k];
        m.y += rows[at + 1u] * weights[k];
        m.z += rows[at + 2u] * weights[k];
    }
    return m;
}

// Skinning matrix of a vertex, model space from mesh space.
fn posed(agent: Agent, joints: vec4<u32>, weights: vec4<f32>) -> Posed {
    let n_joints = agent.share_joints & 0xffffu;
    if n_joints == 1u {
        let at = agent.pose + joints.x * 3u;
        return Posed(rows[at], rows[at + 1u], rows[at + 2u]);
    }
    let used = select(vec4<f32>(0.0), weights, vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(n_joints));
     let normalized = used / dot(used, vec4<f32>(1.0));
     var m = summed(agent.pose, n_joints, joints, normalized);
     let blend = f32(agent.share_joints >> 16u) / 65535.0;
     if blend > 0.0 {
           let next = summed(agent.next_pose, n_joints, joints, normalized);
           m.x += (next.x - m.x) * blend;
           m.y += (next.y - m.y) * blend;
           m.z += (next.z - m.z) * blend;
    }
    return m;
}

fn point_of(m: Posed, p: vec3<f32>) -> vec3<f32> {
    let h = vec4<f32>(p, 1.0);
    return vec3<f32>(dot(m.x, h), dot(m.y, h), dot(m.z, h));
}

fn direction_of(m: Posed, d: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(dot(m.x.xyz, d), dot(m.y.xyz, d), dot(m.z.xyz, d));
}

fn stand_of(agent: Agent) -> Placement {
    let q = vec4<f32>(agent.turn, sqrt(max(1.0 - dot(agent.turn, agent.turn), 0.0)));
    let w = agent.wide;
    let t = agent.tall;
    // Rows of the rotation matrix.
    let x = vec3<f32>(1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y - q.w * q.z), 2.0 * (q.x * q.z + q.w * q.y));
    let y = vec3<f32>(2.0 * (q.x * q.y + q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z - q.w * q.x));
    let z = vec3<f32>(2.0 * (q.x * q.z - q.w * q.y), 2.0 * (q.y * q.z + q.w * q.x), 1.0 - 2.0 * (q.x * q.x + q.y * q.y));
    let scale = vec3<f32>(w, t, w);
    let across = vec3<f32>(w * t, w * w, w * t);
    var at: Placement;
    at.world_x = vec4<f32>(x * scale, agent.at.x);
    at.world_y = vec4<f32>(y * scale, agent.at.y);
    at.world_z = vec4<f32>(z * scale, agent.at.z);
    at.normal_x = vec4<f32>(x * across, 1.0);
    at.normal_y = vec4<f32>(y * across, 0.0);
    at.normal_z = vec4<f32>(z * across, 0.0);
    return at;
}

// Hash of an integer (M. O'Neill, "PCG", 2014).
fn mixed(number: u32) -> u32 {
    let state = number * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

// Tint colour of an agent for a material; the `n` colours start at row `first`.
fn tint_of(seed: u32, material: u32, first: u32, n: u32) -> vec3<f32> {
    if n == 0u {
        return vec3<f32>(1.0);
    }
    return rows[first + mixed(seed ^ (material * 0x9e3779b9u)) % n].rgb;
}
