// Post-process antialiasing of a tone-mapped image with its luminance in alpha. A pixel is shifted along its edge according
// to the distance of the edge's ends (after Lottes, "FXAA", 2009). Used without multisampling.

#include "inc/scene.wgsl"
#include "inc/display.wgsl"

@group(1) @binding(1) var source: texture_2d<f32>;
@group(1) @binding(2) var linear_sampler: sampler;

// Luminance contrast below which a pixel is left unchanged: absolute, and as a fraction of the brightest neighbour.
const MIN_CONTRAST: f32 = 0.04;
const RELATIVE_CONTRAST: f32 = 0.12;
const STEPS: i32 = 8;

@vertex
fn vs(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(full_screen_corner(index), 0.0, 1.0);
}

fn luma_at(p: vec2<i32>) -> f32 {
    let last = vec2<i32>(finish.target_size) - 1;
    return textureLoad(source, clamp(p, vec2<i32>(0), last), 0).a;
}

@fragment
fn fs(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let p = vec2<i32>(position.xy);
    let here = textureLoad(source, p, 0);
    let n = luma_at(p + vec2<i32>(0, -1));
    let s = luma_at(p + vec2<i32>(0, 1));
    let w = luma_at(p + vec2<i32>(-1, 0));
    let e = luma_at(p + vec2<i32>(1, 0));
    let brightest = max(here.a, max(max(n, s), max(w, e)));
    let darkest = min(here.a, min(min(n, s), min(w, e)));
    let range = brightest - darkest;
    if range < max(MIN_CONTRAST, brightest * RELATIVE_CONTRAST) {
        return shown(here.rgb, 1.0, position.xy);
    }
    // The edge is perpendicular to the direction of the largest change in luminance.
    let is_flat = abs(n + s - 2.0 * here.a) >= abs(w + e - 2.0 * here.a);
    let low = select(w, n, is_flat);
    let high = select(e, s, is_flat);
    let towards_low = abs(low - here.a) >= abs(high - here.a);
    let across = select(vec2<i32>(1, 0), vec2<i32>(0, 1), is_flat) * select(1, -1, towards_low);
    let other = select(high, low, towards_low);
    let step = select(vec2<i32>(0, 1), vec2<i32>(1, 0), is_flat);
    let edge = 0.5 * (here.a + other);
    let change = 0.25 * abs(other - here.a);
    var ends = vec2<f32>(f32(STEPS));
    var differs = vec2<f32>(0.0);
    var found = vec2<bool>(false);
    for (var i = 1; i <= STEPS; i++) {
        if !found.x {
            let m = 0.5 * (luma_at(p - step * i) + luma_at(p - step * i + across)) - edge;
            if abs(m) >= change {
                found.x = true;
                ends.x = f32(i);
                differs.x = m;
            }
        }
        if !found.y {
            let m = 0.5 * (luma_at(p + step * i) + luma_at(p + step * i + across)) - edge;
            if abs(m) >= change {
                found.y = true;
                ends.y = f32(i);
                differs.y = m;
            }
        }
        if all(found) {
            break;
        }
    }
    let is_left = ends.x < ends.y;
    let nearest = min(ends.x, ends.y);
    let m = select(differs.y, differs.x, is_left);
    // Only pixels on the side to which the edge bends are shifted.
    let turns = (m < 0.0) != (here.a < edge);
    let shift = select(0.0, 0.5 - nearest / (ends.x + ends.y), turns);
    // A single bright or dark pixel is blended with its neighbours.
    let mean = (n + s + w + e) * 0.25;
    let lonely = clamp(abs(mean - here.a) / range, 0.0, 1.0);
    let blended = max(shift, lonely * lonely * 0.5);
    let uv = (position.xy + vec2<f32>(across) * blended) / finish.target_size;
    return shown(textureSampleLevel(source, linear_sampler, uv, 0.0).rgb, 1.0, position.xy);
}
