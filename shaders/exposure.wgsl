// Luminance of the image, and automatic exposure in stops. One workgroup.

struct Adapting {
    // Seconds since the last frame; negative: adapts at once.
    dt: f32,
    // Adaptation speed, approximately stops per second.
    speed: f32,
    low: f32,
    high: f32,
}

@group(0) @binding(0) var<uniform> adapting: Adapting;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var<storage, read_write> adapted: array<f32>;

// Target for the mean luminance of a well exposed image, in stops: a little below middle grey.
const TARGET: f32 = -1.9;

var<workgroup> sums: array<vec2<f32>, 64>;

@compute @workgroup_size(64)
fn cs(@builtin(local_invocation_index) lane: u32) {
    let size = textureDimensions(picture);
    var sum = vec2<f32>(0.0);
    for (var i = lane; i < size.x * size.y; i += 64u) {
        let at = vec2<u32>(i % size.x, i / size.x);
        let light = textureLoad(picture, at, 0).rgb;
        let stops = log2(clamp(dot(light, vec3<f32>(0.2126, 0.7152, 0.0722)), 1e-4, 1e3));
        // The centre of the image has the highest weight.
        let d = (vec2<f32>(at) + 0.5) / vec2<f32>(size) * 2.0 - 1.0;
        let weight = exp2(-2.0 * dot(d, d));
        sum += vec2<f32>(stops * weight, weight);
    }
    sums[lane] = sum;
    workgroupBarrier();
    if lane == 0u {
        var all = vec2<f32>(0.0);
        for (var i = 0u; i < 64u; i++) {
            all += sums[i];
        }
        let target_stops = clamp(TARGET - all.x / max(all.y, 1e-6), adapting.low, adapting.high);
        let fraction = select(1.0, 1.0 - exp2(-adapting.speed * adapting.dt), adapting.dt >= 0.0);
        adapted[0] = mix(adapted[0], target_stops, fraction);
    }
}
