//! Lookup tables for shaders, integrated once: directional albedo by angle and roughness, and subsurface scattering of skin
//! by angle and curvature.

use std::f32::consts::PI;
use std::sync::OnceLock;

use super::gpu::Gpu;

/// Entries along the angle and along the roughness.
const SIZE: usize = 32;
/// Directions along each of the two axes of an integral.
const STEPS: usize = 24;

/// For cosines of the view angle 0..=1 (along a row) and perceptual roughness 0..=1: scale and bias of the reflectance at
/// normal incidence (B. Karis, "Real shading in Unreal Engine 4", 2013, with height-correlated Smith visibility), and the
/// reflectance of a sheen of colour 1 (A. Estevez and C. Kulla, "Production friendly microfacet sheen BRDF", 2017).
fn reflection() -> &'static [[f32; 3]] {
    static TABLE: OnceLock<Vec<[f32; 3]>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let entry = |i: usize| {
            let n_v = ((i % SIZE) as f32 / (SIZE - 1) as f32).max(2e-3);
            let roughness = ((i / SIZE) as f32 / (SIZE - 1) as f32).max(0.045);
            let (scale, bias) = split_sum(n_v, roughness);
            [scale, bias, sheen(n_v, roughness)]
        };
        (0..SIZE * SIZE).map(entry).collect()
    })
}

/// Centres of the strata of the unit square.
fn strata() -> impl Iterator<Item = (f32, f32)> {
    (0..STEPS * STEPS).map(|i| {
        let at = |j: usize| (j as f32 + 0.5) / STEPS as f32;
        (at(i % STEPS), at(i / STEPS))
    })
}

/// Samples the distribution of visible normals (E. Heitz, "Sampling the GGX distribution of visible normals", 2018), which
/// leaves a smooth integrand.
fn split_sum(n_v: f32, roughness: f32) -> (f32, f32) {
    let alpha = roughness * roughness;
    let v = glam::Vec3::new((1.0 - n_v * n_v).sqrt(), 0.0, n_v);
    let stretched = glam::Vec3::new(alpha * v.x, 0.0, v.z).normalize();
    let side = glam::Vec3::Y;
    let up = stretched.cross(side);
    let (mut scale, mut bias) = (0.0, 0.0);
    for (a, b) in strata() {
        let r = a.sqrt();
        let (x, y) = (r * (2.0 * PI * b).cos(), r * (2.0 * PI * b).sin());
        let blend = 0.5 * (1.0 + stretched.z);
        let y = (1.0 - blend) * (1.0 - x * x).sqrt() + blend * y;
        let z = (1.0 - x * x - y * y).max(0.0).sqrt();
        let m = side * x + up * y + stretched * z;
        let h = glam::Vec3::new(alpha * m.x, alpha * m.y, m.z.max(1e-6)).normalize();
        let v_h = v.dot(h).max(0.0);
        let l = h * (2.0 * v_h) - v;
        if l.z <= 0.0 {
            continue;
        }
        // Remaining weight after sampling visible normals: masking of the light given that of the view.
        let lambda = |cosine: f32| {
            let c2 = cosine * cosine;
            0.5 * ((1.0 + alpha * alpha * (1.0 - c2) / c2).sqrt() - 1.0)
        };
        let weight = (1.0 + lambda(n_v)) / (1.0 + lambda(n_v) + lambda(l.z));
        let fresnel = (1.0 - v_h).powi(5);
        scale += weight * (1.0 - fresnel);
        bias += weight * fresnel;
    }
    let n = (STEPS * STEPS) as f32;
    (scale / n, bias / n)
}

fn sheen(n_v: f32, roughness: f32) -> f32 {
    let v = glam::Vec3::new((1.0 - n_v * n_v).sqrt(), 0.0, n_v);
    let mut sum = 0.0;
    for (a, b) in strata() {
        // Directions with uniform density over the hemisphere.
        let (z, azimuth) = (a, 2.0 * PI * b);
        let r = (1.0 - z * z).sqrt();
        let l = glam::Vec3::new(r * azimuth.cos(), r * azimuth.sin(), z);
        let n_h = (v + l).normalize().z;
        sum += charlie(n_h, roughness) * neubelt_visibility(n_v, z) * z;
    }
    sum * 2.0 * PI / (STEPS * STEPS) as f32
}

/// Same as `sheen_distribution` of `inc/sheen.wgsl`.
fn charlie(n_h: f32, roughness: f32) -> f32 {
    let inverse = 1.0 / (roughness * roughness).max(1e-3);
    let sin = (1.0 - n_h * n_h).max(0.0).sqrt();
    (2.0 + inverse) * sin.powf(inverse) / (2.0 * PI)
}

/// Same as `sheen_visibility` of `inc/sheen.wgsl`.
fn neubelt_visibility(n_v: f32, n_l: f32) -> f32 {
    1.0 / (4.0 * (n_l + n_v - n_l * n_v)).max(1e-4)
}

/// Curvature in the middle of the skin table, 1 / metres: `SKIN_CURVATURE` of `inc/ambient.wgsl`.
const SKIN_CURVATURE: f32 = 60.0;
/// Diffusion profile of skin: variance in mm², and weight in red, green, blue (E. d'Eon, D. Luebke, E. Enderton, "Efficient
/// rendering of human skin", 2007).
const SKIN: [(f32, [f32; 3]); 6] = [
    (0.0064, [0.233, 0.455, 0.649]),
    (0.0484, [0.100, 0.336, 0.344]),
    (0.187, [0.118, 0.198, 0.0]),
    (0.567, [0.113, 0.007, 0.007]),
    (1.99, [0.358, 0.004, 0.0]),
    (7.41, [0.078, 0.0, 0.0]),
];

/// For cosines -1..=1 between normal and light (along a row) and curvatures: light scattered by a ball of skin, in red,
/// green, blue (E. Penner, "Pre-integrated skin shading", 2011).
fn skin() -> &'static [[f32; 3]] {
    static TABLE: OnceLock<Vec<[f32; 3]>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let entry = |i: usize| {
            let cosine = (i % SIZE) as f32 / (SIZE - 1) as f32 * 2.0 - 1.0;
            let along = (i / SIZE) as f32 / (SIZE - 1) as f32;
            let curvature = SKIN_CURVATURE * along / (1.0 - along).max(0.02);
            scattered(cosine, curvature)
        };
        (0..SIZE * SIZE).map(entry).collect()
    })
}

fn scattered(cosine: f32, curvature: f32) -> [f32; 3] {
    const N_STEPS: i32 = 200;
    let angle = cosine.clamp(-1.0, 1.0).acos();
    let radius = 1000.0 / curvature.max(0.1);
    // The integral stops at four standard deviations of the widest Gaussian.
    let reach = (4.0 * 7.41_f32.sqrt() / radius).min(PI);
    let (mut sum, mut all) = ([0.0; 3], [0.0; 3]);
    for i in -N_STEPS..=N_STEPS {
        // Samples are denser at the centre, where most of the light comes from.
        let u = i as f32 / N_STEPS as f32;
        let x = u * u.abs() * u.abs() * reach;
        let width = u * u;
        let distance = 2.0 * radius * (x * 0.5).sin();
        let lit = (angle + x).cos().max(0.0);
        for (variance, weights) in SKIN {
            let level =
                (-distance * distance / (2.0 * variance)).exp() / (2.0 * PI * variance).sqrt();
            for channel in 0..3 {
                let weight = level * weights[channel] * width;
                sum[channel] += weight * lit;
                all[channel] += weight;
            }
        }
    }
    std::array::from_fn(|channel| sum[channel] / all[channel].max(1e-12))
}

/// Uploads both tables as one texture, reflection above skin.
pub fn upload(gpu: &Gpu) -> wgpu::TextureView {
    let half = |x: f32| half_bits(x.clamp(0.0, 60000.0));
    let texels: Vec<[u16; 4]> = reflection()
        .iter()
        .chain(skin())
        .map(|[a, b, c]| [half(*a), half(*b), half(*c), half(1.0)])
        .collect();
    let size = wgpu::Extent3d {
        width: SIZE as u32,
        height: 2 * SIZE as u32,
        depth_or_array_layers: 1,
    };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("tables"),
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba16Float,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    gpu.queue.write_texture(
        texture.as_image_copy(),
        bytemuck::cast_slice(&texels),
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(SIZE as u32 * 8),
            rows_per_image: None,
        },
        size,
    );
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// Rounds a finite, non-negative number to half precision.
pub fn half_bits(x: f32) -> u16 {
    let bits = x.to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    if exponent > 15 {
        return 0x7bff;
    }
    if exponent < -14 {
        return (x * 16_777_216.0).round() as u16;
    }
    let rounded = bits + 0xfff + (bits >> 13 & 1);
    let result = (rounded >> 13) as i32 - ((127 - 15) << 10);
    result.min(0x7bff) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smooth_mirror_reflects_everything_and_a_rough_one_loses_multiple_bounces() {
        let at = |n_v: usize, roughness: usize| reflection()[roughness * SIZE + n_v];
        for n_v in [8, 16, 31] {
            let [scale, bias, _] = at(n_v, 0);
            assert!((scale + bias - 1.0).abs() < 2e-3, "{scale} {bias}");
        }
        // The integral at roughness 1 and normal incidence is 1 - ln 2.
        let [scale, bias, _] = at(31, 31);
        assert!((scale + bias - 0.306_853).abs() < 2e-3, "{}", scale + bias);
    }

    #[test]
    fn flat_skin_is_lit_by_the_cosine_and_a_small_ball_glows_red_past_its_edge() {
        for cosine in [-0.5, 0.0, 0.3, 1.0] {
            let flat = scattered(cosine, 0.1);
            for channel in flat {
                assert!(
                    (channel - cosine.max(0.0)).abs() < 0.01,
                    "{cosine}: {flat:?}"
                );
            }
        }
        let nose = scattered(-0.1, 100.0);
        assert!(nose[0] > 0.01 && nose[0] > 30.0 * nose[1], "{nose:?}");
        // At the curvature of a fingertip, the light is close to the mean over all angles.
        let tip = scattered(0.0, 3000.0);
        assert!(tip[0] > 0.15, "{tip:?}");
    }

    #[test]
    fn half_precision_rounds_to_nearest() {
        for (x, bits) in [
            (0.0, 0),
            (1.0, 0x3c00),
            (0.5, 0x3800),
            (65504.0, 0x7bff),
            (1e6, 0x7bff),
        ] {
            assert_eq!(half_bits(x), bits, "{x}");
        }
        assert_eq!(half_bits(1.0 + 1.0 / 2048.0 + 1e-6), 0x3c01);
        assert_eq!(half_bits(5.960_464_5e-8), 1);
    }
}
