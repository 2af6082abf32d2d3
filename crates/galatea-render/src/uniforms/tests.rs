use super::*;
use crate::ShaderSource;
use std::mem::{offset_of, size_of};

fn assert_layout(file: &str, name: &str, size: usize, fields: &[(&str, usize)]) {
    let module = ShaderSource::embedded()
        .assemble(file)
        .and_then(|text| text.check())
        .unwrap();
    let (members, span) = module
        .types
        .iter()
        .find_map(|(_, ty)| match &ty.inner {
            naga::TypeInner::Struct { members, span } if ty.name.as_deref() == Some(name) => {
                Some((members, *span))
            }
            _ => None,
        })
        .unwrap_or_else(|| panic!("{file} has no struct {name}"));
    let shader: Vec<(&str, usize)> = members
        .iter()
        .map(|m| (m.name.as_deref().unwrap(), m.offset as usize))
        .collect();
    assert_eq!(shader, fields, "{name} in {file}");
    assert_eq!(span as usize, size, "size of {name} in {file}");
}

macro_rules! same_layout {
    ($file:literal, $name:ident, $($field:ident),+ $(,)?) => {
        // Shader names have no `Gpu` prefix.
        let name = stringify!($name).trim_start_matches("Gpu");
        assert_layout($file, name, size_of::<$name>(),
            &[$((stringify!($field), offset_of!($name, $field))),+]);
    };
}

#[test]
fn structs_have_the_layout_the_shaders_read() {
    same_layout!(
        "mesh.wgsl",
        GpuAgent,
        at,
        seed,
        turn,
        wide,
        tall,
        pose,
        next_pose,
        share_joints
    );
    same_layout!("mesh.wgsl", GpuWrinkles, weights, tints, maps, whole, area);
    same_layout!(
        "mesh.wgsl",
        GpuScene,
        clip_from_world,
        view_from_world,
        contact_from_world,
        cascades,
        eye,
        n_cascades,
        ray_x,
        ground_height,
        ray_y,
        grid,
        ray_z,
        fade,
        sun_direction,
        sun_softness,
        sun_color,
        n_patches,
        sky_zenith,
        contact_range,
        sky_horizon,
        contact_radius,
        sky_ground,
        samples,
        ground_color,
        near,
        fog_color,
        fog_density,
        fog_falloff,
        fog_base,
        occlusion,
        contact_shadow,
        size,
        occlusion_scale,
        has_local_lights,
        blocker_taps,
        shadow_taps,
        environment_shown,
        environment_blur,
        environment_turn,
        environment_strength,
        environment_levels,
        environment_irradiance,
        seamless,
        uneven,
        padding_b,
        padding_c,
        patches
    );
    same_layout!(
        "mesh.wgsl",
        Cascade,
        from_world,
        texel,
        radius,
        range,
        padding
    );
    same_layout!(
        "mesh.wgsl",
        GpuLocalLight,
        position,
        falloff,
        color,
        radius,
        direction,
        spot_scale,
        spot_offset,
        first_view,
        n_views,
        padding
    );
    same_layout!(
        "mesh.wgsl",
        ShadowView,
        clip_from_world,
        tile,
        near,
        far,
        texel,
        padding
    );
    same_layout!(
        "shadow.wgsl",
        GpuView,
        clip_from_world,
        keeps_near,
        padding_a,
        padding_b,
        padding_c
    );
    same_layout!(
        "tonemap.wgsl",
        Finish,
        target_size,
        lit_size,
        target_encodes,
        exposure,
        adapts,
        tone,
        bloom,
        contrast,
        saturation,
        vignette,
        balance,
        is_transparent,
        shadows,
        padding_a,
        highlights,
        dither
    );
    same_layout!("exposure.wgsl", Adapting, dt, speed, low, high);
    same_layout!("mesh.wgsl", GpuPatch, center, half, color, round);
    same_layout!(
        "mesh.wgsl",
        GpuPlacement,
        world_x,
        world_y,
        world_z,
        normal_x,
        normal_y,
        normal_z
    );
    same_layout!(
        "mesh.wgsl",
        GpuMaterial,
        base_color,
        emissive,
        normal_scale,
        metallic,
        roughness,
        occlusion_strength,
        alpha_cutoff,
        base_color_slot,
        metallic_roughness_slot,
        normal_slot,
        occlusion_slot,
        emissive_slot,
        f0,
        f90,
        sheen_color,
        sheen_roughness,
        coat,
        coat_roughness,
        coat_normal_scale,
        transmission,
        absorption,
        thickness,
        iris,
        scale,
        flags,
        first_tint,
        tints,
        color_layer_slot,
        layers_slot,
        sheen_slot,
        coat_normal_slot,
        toon
    );
    same_layout!(
        "mesh.wgsl",
        GpuToon,
        shade_color,
        shading_shift,
        rim_color,
        rim_power,
        matcap_color,
        rim_lift,
        outline_color,
        outline_width,
        shading_toony,
        gi_equalization,
        rim_lighting_mix,
        outline_lighting_mix,
        scroll,
        rotation,
        time,
        shift_scale,
        outline_on_screen,
        padding_a,
        padding_b
    );
    same_layout!("mesh.wgsl", GpuSlot, u_row, v_row);
    same_layout!(
        "deform.wgsl",
        Job,
        palette,
        first_morph,
        n_morphs,
        padding,
        eye,
        pixel,
    );
    same_layout!(
        "deform.wgsl",
        GpuMorph,
        weight,
        table,
        first_block,
        n_blocks
    );
    same_layout!("deform.wgsl", Dispatch, first_job, n_vertices, padding, row);
}
