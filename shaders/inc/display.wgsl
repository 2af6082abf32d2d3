// Conversion of linear light to display colour: image settings and tone maps. Group 1.

#include "inc/disc.wgsl"
#include "inc/srgb.wgsl"

struct Finish {
    // Size of the target and of the lit image, pixels.
    target_size: vec2<f32>,
    lit_size: vec2<f32>,
    // 1 if the target encodes to sRGB by itself.
    target_encodes: f32,
    // Factor before the tone map.
    exposure: f32,
    // 1 if automatic exposure is applied.
    adapts: f32,
    // 0 AgX, 1 ACES, 2 neutral, 3 none.
    tone: u32,
    // Fraction of bloom.
    bloom: f32,
    contrast: f32,
    saturation: f32,
    vignette: f32,
    // White balance factors.
    balance: vec3<f32>,
    // 1 if the image keeps transparency.
    is_transparent: f32,
    shadows: vec3<f32>,
    padding_a: f32,
    highlights: vec3<f32>,
    // Amplitude of the dither, in steps of the target.
    dither: f32,
}

@group(1) @binding(0) var<uniform> finish: Finish;

// Constants of specialised pipelines. They apply if KNOWS (inc/scene.wgsl) is true.
override TONE: u32 = 2u;
override BLOOM: bool = true;
override ADAPTS: bool = true;
override VIGNETTE: bool = true;
override GRADES: bool = true;
override TRANSPARENT: bool = true;
override ENCODES: bool = true;
override SCALED: bool = true;

fn tone() -> u32 {
    return select(finish.tone, TONE, KNOWS);
}

fn has_bloom() -> bool {
    return select(finish.bloom > 0.0, BLOOM, KNOWS);
}

fn adapts() -> bool {
    return select(finish.adapts > 0.5, ADAPTS, KNOWS);
}

fn has_vignette() -> bool {
    return select(finish.vignette > 0.0, VIGNETTE, KNOWS);
}

fn grades() -> bool {
    return select(true, GRADES, KNOWS);
}

fn is_transparent() -> bool {
    return select(finish.is_transparent > 0.5, TRANSPARENT, KNOWS);
}

fn target_encodes() -> bool {
    return select(finish.target_encodes > 0.5, ENCODES, KNOWS);
}

fn is_scaled() -> bool {
    return select(any(finish.lit_size != finish.target_size), SCALED, KNOWS);
}

// AgX: compresses the primaries, maps 16.5 stops on a logarithmic scale through a sigmoid, expands the primaries and encodes
// for a display (T. Sobotka, "AgX", 2022; the sigmoid's fit and the matrices for Rec. 709: B. Wrensch, "Minimal AgX
// implementation", 2023).
fn agx(light: vec3<f32>) -> vec3<f32> {
    let inset = mat3x3<f32>(
        vec3<f32>(0.842479062253094, 0.0423282422610123, 0.0423756549057051),
        vec3<f32>(0.0784335999999992, 0.878468636469772, 0.0784336),
        vec3<f32>(0.0792237451477643, 0.0791661274605434, 0.879142973793104));
    let outset = mat3x3<f32>(
        vec3<f32>(1.19687900512017, -0.0528968517574562, -0.0529716355144438),
        vec3<f32>(-0.0980208811401368, 1.15190312990417, -0.0980434501171241),
        vec3<f32>(-0.0990297440797205, -0.0989611768448433, 1.15107367264116));
    let low = -12.47393;
    let high = 4.026069;
    let stops = clamp(log2(max(inset * light * AGX_GAIN, vec3<f32>(1e-10))), vec3<f32>(low), vec3<f32>(high));
    let x = (stops - low) / (high - low);
    let x2 = x * x;
    let x4 = x2 * x2;
    let curve = 15.5 * x4 * x2 - 40.14 * x4 * x + 31.96 * x4 - 6.868 * x2 * x + 0.4298 * x2 + 0.1191 * x - 0.00232;
    // The look, as power and saturation of the ASC's colour decision list. It is based on "punchy" (1.35 and 1.4), with a
    // higher power so that black appears black on a display.
    let punched = pow(max(curve, vec3<f32>(0.0)), vec3<f32>(AGX_POWER));
    let luma = dot(punched, vec3<f32>(0.2126, 0.7152, 0.0722));
    return outset * (luma + AGX_SATURATION * (punched - luma));
}

const AGX_POWER: f32 = 1.9;
const AGX_SATURATION: f32 = 1.3;
// Gain that compensates for the darker middle grey of the power.
const AGX_GAIN: f32 = 2.6;

// A fit of the ACES reference rendering and output transforms (S. Hill, 2016), linear.
fn aces(light: vec3<f32>) -> vec3<f32> {
    let into = mat3x3<f32>(
        vec3<f32>(0.59719, 0.07600, 0.02840),
        vec3<f32>(0.35458, 0.90834, 0.13383),
        vec3<f32>(0.04823, 0.01566, 0.83777));
    let out = mat3x3<f32>(
        vec3<f32>(1.60475, -0.10208, -0.00327),
        vec3<f32>(-0.53108, 1.10813, -0.07276),
        vec3<f32>(-0.07367, -0.00605, 1.07602));
    let v = into * light;
    let a = v * (v + 0.0245786) - 0.000090537;
    let b = v * (0.983729 * v + 0.4329510) + 0.238081;
    return out * (a / b);
}

// Khronos PBR Neutral: preserves hue and the base colours of lit surfaces up to 0.8, compresses above.
// https://github.com/KhronosGroup/ToneMapping/blob/main/PBR_Neutral/README.md
fn neutral(light: vec3<f32>) -> vec3<f32> {
    let start = 0.8 - 0.04;
    let desaturation = 0.15;
    let low = min(light.r, min(light.g, light.b));
    let offset = select(0.04, low - 6.25 * low * low, low < 0.08);
    let color = light - offset;
    let peak = max(color.r, max(color.g, color.b));
    if peak < start {
        return max(color, vec3<f32>(0.0));
    }
    let d = 1.0 - start;
    let new_peak = 1.0 - d * d / (peak + d - start);
    let g = 1.0 - 1.0 / (desaturation * (peak - new_peak) + 1.0);
    return mix(color * (new_peak / peak), vec3<f32>(new_peak), g);
}

// Encoded colour, 0..1, for exposed linear light.
fn tone_mapped(light: vec3<f32>) -> vec3<f32> {
    if tone() == 0u {
        return clamp(agx(light), vec3<f32>(0.0), vec3<f32>(1.0));
    }
    var shown = light;
    if tone() == 1u {
        shown = aces(light);
    } else if tone() == 2u {
        shown = neutral(light);
    }
    return srgb_from_linear(clamp(shown, vec3<f32>(0.0), vec3<f32>(1.0)));
}

// Applies contrast, saturation and tint to an encoded colour.
fn graded(encoded: vec3<f32>) -> vec3<f32> {
    if !grades() {
        return encoded;
    }
    var c = encoded * finish.highlights + finish.shadows * (1.0 - encoded);
    c = (c - 0.435) * finish.contrast + 0.435;
    let luma = dot(c, vec3<f32>(0.2126, 0.7152, 0.0722));
    return clamp(luma + finish.saturation * (c - luma), vec3<f32>(0.0), vec3<f32>(1.0));
}

// Dithered colour in the target's encoding.
fn shown(encoded: vec3<f32>, alpha: f32, pixel: vec2<f32>) -> vec4<f32> {
    let dither = (pixel_noise(pixel) - 0.5) * finish.dither / 255.0;
    let c = clamp(encoded + dither, vec3<f32>(0.0), vec3<f32>(1.0));
    if target_encodes() {
        return vec4<f32>(linear_from_srgb(c), alpha);
    }
    return vec4<f32>(c, alpha);
}
