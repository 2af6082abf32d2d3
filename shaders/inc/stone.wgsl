// Surfaces that turned to stone: marble with veins. A border moves outwards from the heart. The material sets the petrified
// fraction, 1 is all; a surface that turns back to flesh starts at the heart. At 2 it is bronze. Needs inc/model.wgsl and
// inc/base_layer.wgsl.

// The heart, relative to the character's position, and the distance of its farthest point, metres.
const HEART: vec3<f32> = vec3<f32>(0.03, 1.27, 0.05);
const MAX_DISTANCE: f32 = 1.5;
// In metres: random offset of the border, width of its glow, width of the cracked zone ahead of it.
const STRAY: f32 = 0.16;
const GLOW: f32 = 0.011;
const CRACKED: f32 = 0.2;
const WARM: vec3<f32> = vec3<f32>(1.0, 0.46, 0.15);

const MARBLE: vec3<f32> = vec3<f32>(0.74, 0.71, 0.66);
const VEIN: vec3<f32> = vec3<f32>(0.33, 0.33, 0.36);

const BRONZE: vec3<f32> = vec3<f32>(0.47, 0.27, 0.12);
const PATINA: vec3<f32> = vec3<f32>(0.055, 0.13, 0.1);

struct Stone {
    // This point is stone or bronze.
    here: bool,
    diffuse: vec3<f32>,
    f0: vec3<f32>,
    roughness: f32,
    // Light emitted by the border.
    glow: vec3<f32>,
}

// Read by `direct` and `ambient`: stone has no strands, no wet film and no subsurface scattering.
var<private> is_stone: bool = false;

fn hash3(p: vec3<f32>) -> vec3<f32> {
    var q = vec3<u32>(vec3<i32>(floor(p))) * vec3<u32>(1597334673u, 3812015801u, 2798796415u);
    let n = (q.x ^ q.y ^ q.z) * vec3<u32>(1597334673u, 3812015801u, 2798796415u);
    return vec3<f32>(n >> vec3<u32>(8u)) / 16777216.0;
}

// Smooth noise, -1 to 1.
fn stone_noise(p: vec3<f32>) -> f32 {
    let cell = floor(p);
    let f = p - cell;
    let u = f * f * (3.0 - 2.0 * f);
    let low = mix(
        mix(hash3(cell).x, hash3(cell + vec3<f32>(1.0, 0.0, 0.0)).x, u.x),
        mix(hash3(cell + vec3<f32>(0.0, 1.0, 0.0)).x, hash3(cell + vec3<f32>(1.0, 1.0, 0.0)).x, u.x), u.y);
    let high = mix(
        mix(hash3(cell + vec3<f32>(0.0, 0.0, 1.0)).x, hash3(cell + vec3<f32>(1.0, 0.0, 1.0)).x, u.x),
        mix(hash3(cell + vec3<f32>(0.0, 1.0, 1.0)).x, hash3(cell + vec3<f32>(1.0, 1.0, 1.0)).x, u.x), u.y);
    return mix(low, high, u.z) * 2.0 - 1.0;
}

fn stone_clouds(p: vec3<f32>) -> f32 {
    return 0.57 * stone_noise(p) + 0.29 * stone_noise(p * 2.03 + 7.1) + 0.14 * stone_noise(p * 4.11 + 3.7);
}

// Distance to the nearest edge of cells, 0 on it (after Worley 1996).
fn stone_cracks(p: vec3<f32>) -> f32 {
    let cell = floor(p);
    var first = 9.0;
    var second = 9.0;
    for (var i = 0; i < 27; i++) {
        let at = cell + vec3<f32>(f32(i % 3), f32((i / 3) % 3), f32(i / 9)) - 1.0;
        let d = distance(p, at + hash3(at));
        second = min(second, max(first, d));
        first = min(first, d);
    }
    return second - first;
}

fn stone_of(in: Varyings, base: vec3<f32>) -> Stone {
    var stone: Stone;
    stone.diffuse = base;
    stone.f0 = vec3<f32>(0.04);
    stone.roughness = 0.42;
    // Uses constants, and no branches on uniforms alone. Mesa's software driver recompiles a shader for every value of a
    // uniform that decides a branch by itself.
    if !has(IS_STONE) {
        return stone;
    }
    let petrified = material.thickness;
    let p = in.local;
    if has(IS_BRONZE) {
        let green = smoothstep(0.0, 0.5, stone_clouds(p * 4.7) + 0.25 * stone_noise(p * 23.0) - 0.12);
        stone.here = true;
        stone.diffuse = PATINA * green;
        stone.f0 = mix(BRONZE, vec3<f32>(0.05), green * 0.85);
        stone.roughness = mix(0.3, 0.7, green);
        return stone;
    }
    // Distance behind the border, metres; negative is flesh.
    let stray = STRAY * stone_clouds(p * 5.3 + 11.0);
    let behind = distance(p, HEART) + stray - (1.0 - petrified) * (MAX_DISTANCE + 2.0 * STRAY) + STRAY;
    stone.here = behind > 0.0;
    let awake = select(1.0, 0.0, petrified >= 1.0);
    if stone.here {
        let cloud = stone_clouds(p * 3.1);
        let vein = 1.0 - smoothstep(0.0, 0.09, abs(stone_clouds(p * vec3<f32>(2.6, 1.7, 2.6) + 1.6 * cloud)));
        let fine = 1.0 - smoothstep(0.0, 0.06, abs(stone_clouds(p * vec3<f32>(7.3, 4.1, 7.3) - 0.9 * cloud + 5.0)));
        stone.diffuse = mix(MARBLE * (0.94 + 0.1 * cloud), VEIN, 0.42 * vein + 0.2 * fine);
        if (behind < CRACKED) & (awake > 0.0) {
            let near = 1.0 - behind / CRACKED;
            let crack = 1.0 - smoothstep(0.02, 0.02 + 0.09 * near, stone_cracks(p * 17.0));
            stone.diffuse *= 1.0 - 0.75 * crack * near;
            stone.glow = WARM * (1.4 * crack * near * near);
        }
        stone.glow += WARM * (3.2 * exp(-behind / GLOW) * awake);
    } else {
        stone.glow = WARM * (2.2 * exp(behind / GLOW) + 0.22 * exp(behind / (GLOW * 9.0)));
    }
    return stone;
}
