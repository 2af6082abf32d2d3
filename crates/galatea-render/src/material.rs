//! Materials in GPU memory.

use std::collections::HashMap;

use bytemuck::Zeroable;
use glam::{Mat3, Vec2, Vec3};

use super::draw::{Blending, Class};
use super::folds::{Folds, layers};
use super::gpu::Gpu;
use super::layouts::{Layouts, N_PICTURES, bind};
use super::packed::{self, ImageChannel};
use super::pass::mip::MipPass;
use super::texture::{Samplers, upload, upload_array};
use super::uniforms::{self, GpuSlot, flag};
use galatea_asset::model::{
    AlphaMode, Image, Material, MaterialKind, MaterialValues, OutlineMode, Sampler, TextureRef,
    Toon, Wrinkles,
};

/// A material in GPU memory.
pub struct ResidentMaterial {
    /// Group 2: the textures, without decals.
    pub group: wgpu::BindGroup,
    views: Vec<(wgpu::TextureView, wgpu::Sampler)>,
    folded: wgpu::TextureView,
    /// Appearance with the values of the file.
    pub plain: Appearance,
    /// Wrinkles of the material.
    pub folds: Option<Folds>,
    file: Material,
    slots: [GpuSlot; N_PICTURES],
    flags: u32,
}

/// Appearance of a material with given values.
#[derive(Clone, Copy)]
pub struct Appearance {
    pub factors: uniforms::GpuMaterial,
    pub class: Class,
    pub blending: Blending,
    pub is_double_sided: bool,
    /// Casts a shadow.
    pub casts: bool,
    /// The shadow has holes where alpha is low.
    pub is_cut_out: bool,
    /// The nearly opaque parts of a blended material are drawn as solid first, so hair and eyelashes hide each other in any
    /// sort order.
    pub has_core: bool,
    /// Has an outline.
    pub has_outline: bool,
    /// Sort order among blended materials; higher is drawn later.
    pub order: i8,
}

impl ResidentMaterial {
    /// Group 2 with decals.
    pub fn bind(
        &self,
        gpu: &Gpu,
        layouts: &Layouts,
        decals: &wgpu::TextureView,
    ) -> wgpu::BindGroup {
        let arrays = [&self.folded, decals];
        bind_pictures(gpu, layouts, &self.file.name, &self.views, arrays)
    }

    /// Appearance on an instance with changed values.
    pub fn with(&self, values: &MaterialValues) -> Appearance {
        appearance(&self.file, values, &self.slots, self.flags)
    }
}

/// Creates the materials of one model and uploads each texture once.
pub struct MaterialMaker<'a> {
    gpu: &'a Gpu,
    layouts: &'a Layouts,
    mips: &'a MipPass,
    samplers: &'a mut Samplers,
    white: &'a wgpu::TextureView,
    /// White texture array with one layer.
    whites: &'a wgpu::TextureView,
    /// Texture views, by image index and sRGB flag.
    views: HashMap<(usize, bool), Option<wgpu::TextureView>>,
    /// Texture arrays of wrinkles. Materials of several parts of a skin have equal ones.
    folded: Vec<(Wrinkles, Option<wgpu::TextureView>)>,
    lessened: Vec<String>,
}

/// Texture to bind: its view, its sampler and its UV slot.
type TextureBinding = (Option<wgpu::TextureView>, Sampler, GpuSlot);

impl<'a> MaterialMaker<'a> {
    pub fn new(
        gpu: &'a Gpu,
        layouts: &'a Layouts,
        mips: &'a MipPass,
        samplers: &'a mut Samplers,
        [white, whites]: [&'a wgpu::TextureView; 2],
    ) -> Self {
        Self {
            gpu,
            layouts,
            mips,
            samplers,
            white,
            whites,
            views: HashMap::new(),
            folded: Vec::new(),
            lessened: Vec::new(),
        }
    }

    /// Returns messages about textures that were reduced in size.
    pub fn into_lessened(self) -> Vec<String> {
        self.lessened
    }

    /// Texture array of the wrinkles of a material; `None` if it cannot be uploaded.
    fn folded(&mut self, wrinkles: &Wrinkles, images: &[Image]) -> Option<wgpu::TextureView> {
        let reads_same = |(other, _): &&(Wrinkles, _)| {
            other.masks == wrinkles.masks && other.maps == wrinkles.maps
        };
        if let Some((_, made)) = self.folded.iter().find(reads_same) {
            return made.clone();
        }
        let layers = layers(wrinkles, images);
        let layers: Vec<&Image> = layers.iter().collect();
        let uploaded = upload_array(self.gpu, self.mips, &layers, false);
        self.lessened.extend(uploaded.lessened);
        self.folded.push((wrinkles.clone(), uploaded.view.clone()));
        uploaded.view
    }

    pub fn make(&mut self, material: &Material, images: &[Image]) -> ResidentMaterial {
        let class = class_of(material, &MaterialValues::of(material));
        let mut bound = vec![
            self.plain(&material.base_color_texture, true, images),
            self.plain(&material.metallic_roughness_texture, false, images),
            self.plain(&material.normal_texture, false, images),
            self.plain(&material.occlusion_texture, false, images),
            self.plain(&material.emissive_texture, true, images),
        ];
        bound.extend(self.layer_pictures(material, class, images));
        const BITS: [u32; N_PICTURES] = [
            flag::BASE_COLOR,
            flag::METALLIC_ROUGHNESS,
            flag::NORMAL,
            flag::OCCLUSION,
            flag::EMISSIVE,
            flag::COLOR_LAYER,
            flag::LAYERS,
            flag::SHEEN,
            flag::COAT_NORMAL,
        ];
        let mut flags = 0;
        for ((view, _, _), bit) in bound.iter().zip(BITS) {
            flags |= if view.is_some() { bit } else { 0 };
        }
        let mut slots: [GpuSlot; N_PICTURES] = std::array::from_fn(|i| bound[i].2);
        let (mut folds, mut folded) = (None, None);
        if let Some(wrinkles) = material.wrinkles.as_deref() {
            let made = Folds::new(wrinkles, images);
            folded = self.folded(wrinkles, images);
            flags |= folded.as_ref().map_or(0, |_| made.flags);
            folds = Some(made);
            // Without a normal map, the normal slot uses the UV transform of the colour map.
            if flags & flag::NORMAL == 0 {
                slots[2] = slots[0];
            }
        }
        let mut views = Vec::with_capacity(N_PICTURES);
        for (view, sampler, _) in bound {
            let sampler = self.samplers.get(self.gpu, sampler).clone();
            views.push((view.unwrap_or_else(|| self.white.clone()), sampler));
        }
        let folded = folded.unwrap_or_else(|| self.whites.clone());
        ResidentMaterial {
            group: bind_pictures(
                self.gpu,
                self.layouts,
                &material.name,
                &views,
                [&folded, self.whites],
            ),
            views,
            folded,
            plain: appearance(material, &MaterialValues::of(material), &slots, flags),
            folds,
            file: material.clone(),
            slots,
            flags,
        }
    }

    /// Textures of the layers: specular colour, packed scalars, sheen colour and coat normals. For toon materials, the toon
    /// textures.
    fn layer_pictures(
        &mut self,
        material: &Material,
        class: Class,
        images: &[Image],
    ) -> [TextureBinding; 4] {
        let none = || (None, Sampler::default(), slot_of(None));
        if let (Class::Toon, Some(toon)) = (class, material.toon.as_deref()) {
            let numbers = [
                (toon.shading_shift_texture, 0),
                (toon.outline.width_texture, 1),
                (toon.uv_animation.mask_texture, 2),
            ];
            return [
                self.plain(&toon.shade_texture, true, images),
                self.packed(&numbers, false, images),
                self.plain(&toon.rim_texture, true, images),
                self.plain(&toon.matcap_texture, true, images),
            ];
        }
        if !matches!(class, Class::Layered | Class::Skin) {
            return [none(), none(), none(), none()];
        }
        let through = &material.transmission;
        let numbers = [
            (material.clearcoat.texture, 0),
            (material.clearcoat.roughness_texture, 1),
            (through.texture, 0),
            (through.thickness_texture, 1),
        ];
        [
            self.colored(
                &material.specular.color_texture,
                &material.specular.texture,
                images,
            ),
            self.packed(&numbers, false, images),
            self.colored(
                &material.sheen.color_texture,
                &material.sheen.roughness_texture,
                images,
            ),
            self.plain(&material.clearcoat.normal_texture, false, images),
        ]
    }

    fn plain(
        &mut self,
        texture: &Option<TextureRef>,
        is_srgb: bool,
        images: &[Image],
    ) -> TextureBinding {
        let view = texture.and_then(|texture| self.view(texture.image, is_srgb, images));
        let used = texture.as_ref().filter(|_| view.is_some());
        (
            view,
            texture.map_or_else(Sampler::default, |texture| texture.sampler),
            slot_of(used),
        )
    }

    /// An sRGB colour texture with a scalar texture in its alpha channel.
    fn colored(
        &mut self,
        color: &Option<TextureRef>,
        number: &Option<TextureRef>,
        images: &[Image],
    ) -> TextureBinding {
        let same = color
            .zip(*number)
            .is_some_and(|(color, number)| color.image == number.image);
        if same {
            return self.plain(color, true, images);
        }
        let channels = [0, 1, 2].map(|channel| (*color, channel));
        let all = [channels[0], channels[1], channels[2], (*number, 3)];
        self.packed(&all, true, images)
    }

    /// Several channels packed into one texture.
    fn packed(
        &mut self,
        channels: &[(Option<TextureRef>, usize)],
        is_srgb: bool,
        images: &[Image],
    ) -> TextureBinding {
        let Some(first) = channels.iter().find_map(|(texture, _)| *texture) else {
            return (None, Sampler::default(), slot_of(None));
        };
        let sources: Vec<Option<ImageChannel<'_>>> = channels
            .iter()
            .map(|(texture, channel)| {
                let image = images.get(texture.as_ref()?.image)?;
                Some(ImageChannel {
                    image,
                    channel: *channel,
                })
            })
            .collect();
        let image = packed::pack(&sources);
        let view = self.upload(&image, is_srgb);
        let used = view.is_some().then_some(&first);
        let slot = slot_of(used);
        (view, first.sampler, slot)
    }

    fn view(&mut self, image: usize, is_srgb: bool, images: &[Image]) -> Option<wgpu::TextureView> {
        let key = (image, is_srgb);
        if !self.views.contains_key(&key) {
            let view = self.upload(images.get(image)?, is_srgb);
            self.views.insert(key, view);
        }
        self.views.get(&key)?.clone()
    }

    fn upload(&mut self, image: &Image, is_srgb: bool) -> Option<wgpu::TextureView> {
        let uploaded = upload(self.gpu, self.mips, image, is_srgb);
        self.lessened.extend(uploaded.lessened);
        uploaded.view
    }
}

fn bind_pictures(
    gpu: &Gpu,
    layouts: &Layouts,
    name: &str,
    views: &[(wgpu::TextureView, wgpu::Sampler)],
    arrays: [&wgpu::TextureView; 2],
) -> wgpu::BindGroup {
    let pairs = views.iter().flat_map(|(view, sampler)| {
        [
            wgpu::BindingResource::TextureView(view),
            wgpu::BindingResource::Sampler(sampler),
        ]
    });
    let resources: Vec<_> = pairs
        .chain(arrays.map(wgpu::BindingResource::TextureView))
        .collect();
    bind(&gpu.device, name, &layouts.pictures, &resources)
}

/// Appearance of a material with the given values and textures.
fn appearance(
    material: &Material,
    values: &MaterialValues,
    slots: &[GpuSlot; N_PICTURES],
    pictures: u32,
) -> Appearance {
    let class = class_of(material, values);
    let toon = material.toon.as_deref();
    let mut factors = factors_of(material, values, slots);
    factors.flags = pictures | flags_of(material, values, class);
    Appearance {
        factors,
        class,
        blending: match material.alpha {
            AlphaMode::Mask(_) => Blending::CutOut,
            AlphaMode::Blend => Blending::Over,
            AlphaMode::Opaque if values.transmission > 0.0 => Blending::Over,
            AlphaMode::Opaque => Blending::Opaque,
        },
        is_double_sided: material.double_sided,
        // Mostly transmissive surfaces cast no shadow.
        casts: values.transmission < 0.5,
        is_cut_out: material.alpha != AlphaMode::Opaque,
        has_core: material.alpha == AlphaMode::Blend
            && (class == Class::Hair || toon.is_some_and(|t| t.transparent_with_z_write)),
        has_outline: class == Class::Toon
            && toon.is_some_and(|t| t.outline.mode != OutlineMode::None && t.outline.width > 0.0),
        order: toon.map_or(0, |t| t.render_queue_offset),
    }
}

/// Flags of a material, without the flags of its textures.
fn flags_of(material: &Material, values: &MaterialValues, class: Class) -> u32 {
    let moves =
        |toon: &Toon| toon.uv_animation.scroll != Vec2::ZERO || toon.uv_animation.rotation != 0.0;
    let has_iris = material.iris.is_some_and(|iris| iris.radius > 0.0);
    let is_clear = values.transmission > 0.0;
    // Without transmission the thickness is unused, so it selects stone and bronze.
    let stone = if is_clear { 0.0 } else { values.thickness };
    let conditions = [
        (material.alpha == AlphaMode::Blend, flag::BLEND),
        (material.double_sided, flag::DOUBLE_SIDED),
        (class == Class::Plain && material.unlit, flag::UNLIT),
        (material.toon.as_deref().is_some_and(moves), flag::MOVES),
        (has_iris, flag::IRIS),
        (values.clearcoat > 0.0, flag::COAT),
        (sheen_of(values).max_element() > 0.0, flag::FIBRES),
        (is_clear, flag::CLEAR),
        (stone > 0.0, flag::STONE),
        (stone > 1.5, flag::BRONZE),
    ];
    let set = conditions.into_iter().filter(|(is_set, _)| *is_set);
    set.fold(0, |flags, (_, bit)| flags | bit)
}

/// Factors of a material, without flags.
fn factors_of(
    material: &Material,
    values: &MaterialValues,
    slots: &[GpuSlot; N_PICTURES],
) -> uniforms::GpuMaterial {
    let base = (values.ior - 1.0) / (values.ior + 1.0);
    let f0 = if values.ior < 1.0 { 1.0 } else { base * base };
    let absorbed = |color| absorption(color, values.attenuation_distance);
    let slot = |i: usize| {
        let moved = values
            .uv
            .get(i)
            .map(|uv| rows(&uv.matrix(), slots[i].u_row[3]));
        moved.unwrap_or(slots[i])
    };
    let tint = values.tint;
    let toon = material.toon.as_deref();
    uniforms::GpuMaterial {
        base_color: (values.base_color * tint.extend(1.0)).to_array(),
        emissive: values.emissive().to_array(),
        normal_scale: values.normal_scale,
        metallic: values.metallic,
        roughness: values.roughness,
        occlusion_strength: values.occlusion_strength,
        alpha_cutoff: match material.alpha {
            AlphaMode::Mask(_) => values.alpha_cutoff,
            AlphaMode::Blend => 0.5,
            AlphaMode::Opaque => 0.0,
        },
        base_color_slot: slot(0),
        metallic_roughness_slot: slot(1),
        normal_slot: slot(2),
        occlusion_slot: slot(3),
        emissive_slot: slot(4),
        f0: (values.specular_color * f0).to_array(),
        f90: values.specular,
        sheen_color: sheen_of(values).to_array(),
        sheen_roughness: match values.kind {
            MaterialKind::Cloth => values.sheen_roughness.max(0.3),
            _ => values.sheen_roughness,
        },
        coat: values.clearcoat,
        coat_roughness: values.clearcoat_roughness,
        coat_normal_scale: material.clearcoat.normal_scale,
        transmission: values.transmission,
        absorption: values.attenuation_color.to_array().map(absorbed),
        thickness: values.thickness,
        iris: material.iris.map_or([0.5, 0.5, 0.0, 0.0], |iris| {
            [iris.center.x, iris.center.y, iris.radius, iris.depth]
        }),
        scale: 1.0,
        flags: 0,
        first_tint: 0,
        tints: 0,
        color_layer_slot: slot(5),
        layers_slot: slot(6),
        sheen_slot: slot(7),
        coat_normal_slot: slot(8),
        toon: toon.map_or_else(uniforms::GpuToon::zeroed, |toon| toon_factors(toon, tint)),
    }
}

/// Absorption coefficient per metre, for light that is attenuated to `color` after `distance` metres.
fn absorption(color: f32, distance: f32) -> f32 {
    if distance.is_finite() {
        -color.clamp(1e-4, 1.0).ln() / distance.max(1e-6)
    } else {
        0.0
    }
}

/// Shader class of a material with these values.
fn class_of(material: &Material, values: &MaterialValues) -> Class {
    let has_layers = values.clearcoat > 0.0
        || values.sheen.max_element() > 0.0
        || values.transmission > 0.0
        || material.specular != Default::default()
        || (values.specular, values.specular_color) != (1.0, Vec3::ONE)
        || (values.ior - 1.5).abs() > 1e-4;
    match values.kind {
        MaterialKind::Toon if material.toon.is_some() => Class::Toon,
        _ if material.unlit => Class::Plain,
        MaterialKind::Skin => Class::Skin,
        MaterialKind::Eye => Class::Eye,
        MaterialKind::Hair => Class::Hair,
        MaterialKind::Cloth => Class::Layered,
        MaterialKind::Standard | MaterialKind::Toon if has_layers => Class::Layered,
        MaterialKind::Standard | MaterialKind::Toon => Class::Plain,
    }
}

/// Sheen colour. Cloth without sheen gets a faint one, derived from its colour.
fn sheen_of(values: &MaterialValues) -> Vec3 {
    if values.kind == MaterialKind::Cloth && values.sheen == Vec3::ZERO {
        let color = values.base_color.truncate() * values.tint;
        return color.lerp(Vec3::ONE, 0.3) * 0.35;
    }
    values.sheen
}

fn toon_factors(toon: &Toon, tint: Vec3) -> uniforms::GpuToon {
    let outline = &toon.outline;
    uniforms::GpuToon {
        shade_color: (toon.shade_color * tint).to_array(),
        shading_shift: toon.shading_shift,
        rim_color: toon.rim_color.to_array(),
        rim_power: toon.rim_fresnel_power,
        matcap_color: toon.matcap_color.to_array(),
        rim_lift: toon.rim_lift,
        outline_color: outline.color.to_array(),
        outline_width: outline.width,
        shading_toony: toon.shading_toony,
        gi_equalization: toon.gi_equalization,
        rim_lighting_mix: toon.rim_lighting_mix,
        outline_lighting_mix: outline.lighting_mix,
        scroll: toon.uv_animation.scroll.to_array(),
        rotation: toon.uv_animation.rotation,
        time: 0.0,
        shift_scale: toon.shading_shift_scale,
        outline_on_screen: f32::from(u8::from(outline.mode == OutlineMode::Screen)),
        padding_a: 0.0,
        padding_b: 0.0,
    }
}

fn slot_of(texture: Option<&TextureRef>) -> GpuSlot {
    let Some(texture) = texture else {
        return GpuSlot {
            u_row: [1.0, 0.0, 0.0, 0.0],
            v_row: [0.0, 1.0, 0.0, 0.0],
        };
    };
    let set = if texture.uv_set == 1 { 1.0 } else { 0.0 };
    rows(&texture.uv_transform.matrix(), set)
}

fn rows(m: &Mat3, set: f32) -> GpuSlot {
    GpuSlot {
        u_row: [m.x_axis.x, m.y_axis.x, m.z_axis.x, set],
        v_row: [m.x_axis.y, m.y_axis.y, m.z_axis.y, 0.0],
    }
}
