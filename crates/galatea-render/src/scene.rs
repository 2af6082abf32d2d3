//! Scene data for all shaders, and the settings of tone mapping.

use glam::{Vec2, Vec3};

use super::options::RenderOptions;
use super::pass::views::ViewMode;
use super::sun::{CONTACT_RANGE, Cascades, fit_contact, unit_sun};
use super::uniforms::{Cascade, Finish, GpuPatch, GpuScene, MAX_PATCHES, columns};
use super::view::{NEAR, aspect, clip_from_world, fov_y};
use galatea_stage::frame::{Camera, Frame, Grade, PostProcessing, ToneMap};

/// Minimum distance at which the floor has mostly faded into the horizon, metres.
const MIN_HORIZON: f32 = 260.0;
/// Distance at which a studio floor has mostly faded into its backdrop: a multiple of the distance to the camera's target,
/// and a minimum in metres.
const SWEEP: f32 = 1.7;
const MIN_SWEEP: f32 = 6.0;
/// Penumbra width per metre for one degree of the sun's angular width.
const SOFTNESS_PER_DEGREE: f32 = 0.0175;

/// Scene data of a frame. `size` is that of the lit image.
pub fn scene_of(
    frame: &Frame,
    size: (u32, u32),
    cascades: &Cascades,
    has_local_lights: bool,
    options: &RenderOptions,
) -> GpuScene {
    let (camera, light, look) = (&frame.camera, &frame.light, &frame.post_processing);
    let ground = frame.ground.unwrap_or_default();
    let world_from_view = camera.view_from_world().inverse();
    let half = Vec2::new(aspect(size), 1.0) * (fov_y(camera) * 0.5).tan();
    let ray = |v: Vec3| world_from_view.transform_vector3(v).to_array();
    let (contact_from_world, contact_radius) =
        fit_contact(frame, cascades.whole(), ground.height, options.contact_size);
    GpuScene {
        clip_from_world: columns(clip_from_world(camera, size)),
        view_from_world: columns(camera.view_from_world()),
        contact_from_world: columns(contact_from_world),
        cascades: cascades_of(cascades, options.shadow_size),
        eye: camera.eye.to_array(),
        n_cascades: cascades.boxes().len() as u32,
        ray_x: ray(Vec3::X * half.x),
        ground_height: ground.height,
        ray_y: ray(Vec3::Y * half.y),
        grid: ground.grid,
        ray_z: ray(Vec3::NEG_Z),
        fade: fade_of(camera, light.seamless),
        sun_direction: unit_sun(frame).to_array(),
        sun_softness: light.sun_source_angle.clamp(0.0, 20.0) * SOFTNESS_PER_DEGREE,
        sun_color: light.sun_color.to_array(),
        n_patches: frame.patches.len().min(MAX_PATCHES) as u32,
        sky_zenith: light.sky_zenith.to_array(),
        contact_range: CONTACT_RANGE,
        sky_horizon: light.sky_horizon.to_array(),
        contact_radius,
        sky_ground: light.sky_ground.to_array(),
        samples: options.msaa as f32,
        ground_color: ground.color.to_array(),
        near: NEAR,
        fog_color: look.fog.color.to_array(),
        fog_density: look.fog.density.clamp(0.0, 100.0),
        fog_falloff: fog_falloff(look.fog.height),
        fog_base: look.fog.base,
        occlusion: look.ambient_occlusion.clamp(0.0, 2.0),
        contact_shadow: look.contact_shadows.clamp(0.0, 1.0),
        size: [size.0 as f32, size.1 as f32],
        occlusion_scale: match options.occlusion {
            0 => 0.0,
            n => 1.0 / n as f32,
        },
        has_local_lights: u32::from(has_local_lights),
        blocker_taps: options.blocker_taps,
        shadow_taps: options.shadow_taps,
        environment_shown: 0,
        environment_blur: 0.0,
        environment_turn: [1.0, 0.0],
        environment_strength: 0.0,
        environment_levels: 0.0,
        environment_irradiance: [[0.0; 4]; 9],
        seamless: f32::from(u8::from(light.seamless)),
        uneven: if light.seamless || options.blocker_taps == 0 {
            0.0
        } else {
            ground.color_variation.clamp(0.0, 1.0)
        },
        padding_b: 0.0,
        padding_c: 0.0,
        patches: patches_of(frame),
    }
}

fn cascades_of(cascades: &Cascades, texels: u32) -> [Cascade; 3] {
    let mut boxes = [Cascade::default(); 3];
    for (out, fitted) in boxes.iter_mut().zip(cascades.boxes()) {
        *out = Cascade {
            from_world: columns(fitted.clip_from_world),
            texel: 2.0 * fitted.radius / texels as f32,
            radius: fitted.radius,
            range: fitted.range,
            padding: 0.0,
        };
    }
    boxes
}

/// Distance at which the floor has mostly faded into the horizon or the backdrop, metres.
fn fade_of(camera: &Camera, is_seamless: bool) -> f32 {
    let distance = camera.eye.distance(camera.target);
    if is_seamless {
        (distance * SWEEP).max(MIN_SWEEP)
    } else {
        (distance * 20.0).max(MIN_HORIZON)
    }
}

/// Inverse of the height over which the fog density falls to a third, 1/m; 0 for uniform fog.
fn fog_falloff(height: f32) -> f32 {
    if height.is_finite() {
        1.0 / height.max(0.01)
    } else {
        0.0
    }
}

fn patches_of(frame: &Frame) -> [GpuPatch; MAX_PATCHES] {
    let mut patches = [GpuPatch::default(); MAX_PATCHES];
    for (out, patch) in patches.iter_mut().zip(&frame.patches) {
        *out = GpuPatch {
            center: patch.centre.to_array(),
            half: patch.half.to_array(),
            color: patch.color.to_array(),
            round: f32::from(u8::from(patch.round)),
        };
    }
    patches
}

/// Settings of tone mapping for an image of `target` pixels.
pub fn finish_of(
    frame: &Frame,
    target: (u32, u32),
    lit: (u32, u32),
    target_encodes: bool,
    options: &RenderOptions,
) -> Finish {
    // Debug views are shown without post-processing.
    let is_exact = ViewMode::of(frame).is_some();
    let exact = PostProcessing {
        exposure: 0.0,
        auto_exposure: None,
        tonemap: ToneMap::Linear,
        bloom: 0.0,
        grade: Grade::default(),
        ..frame.post_processing
    };
    let look = if is_exact {
        &exact
    } else {
        &frame.post_processing
    };
    let grade = &look.grade;
    let flag = |is_on: bool| f32::from(u8::from(is_on));
    Finish {
        target_size: [target.0 as f32, target.1 as f32],
        lit_size: [lit.0 as f32, lit.1 as f32],
        target_encodes: flag(target_encodes),
        exposure: look.exposure.clamp(-20.0, 20.0).exp2(),
        adapts: flag(look.auto_exposure.is_some() && options.bloom),
        tone: match look.tonemap {
            ToneMap::Agx => 0,
            ToneMap::Aces => 1,
            ToneMap::Neutral => 2,
            ToneMap::Linear => 3,
        },
        bloom: if options.bloom && !options.transparent {
            look.bloom.clamp(0.0, 1.0)
        } else {
            0.0
        },
        contrast: grade.contrast.clamp(0.0, 4.0),
        saturation: grade.saturation.clamp(0.0, 4.0),
        vignette: grade.vignette.clamp(0.0, 1.0),
        balance: white_balance(grade.temperature, grade.tint).to_array(),
        is_transparent: flag(options.transparent),
        shadows: grade.shadow_tint.to_array(),
        padding_a: 0.0,
        highlights: grade.highlight_tint.to_array(),
        dither: flag(!is_exact),
    }
}

/// Colour factors that preserve the luminance.
fn white_balance(temperature: f32, tint: f32) -> Vec3 {
    let (warm, magenta) = (temperature.clamp(-1.0, 1.0), tint.clamp(-1.0, 1.0));
    let factors = Vec3::new(
        (0.45 * warm + 0.15 * magenta).exp2(),
        (-0.35 * magenta).exp2(),
        (-0.45 * warm + 0.15 * magenta).exp2(),
    );
    factors / factors.dot(Vec3::new(0.2126, 0.7152, 0.0722))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_balance_keeps_luminance_and_a_neutral_one_changes_nothing() {
        assert!(white_balance(0.0, 0.0).abs_diff_eq(Vec3::ONE, 1e-6));
        let warm = white_balance(1.0, 0.0);
        assert!(warm.x > 1.2 && warm.z < 0.8, "{warm}");
        let luminance = warm.dot(Vec3::new(0.2126, 0.7152, 0.0722));
        assert!((luminance - 1.0).abs() < 1e-5);
    }
}
