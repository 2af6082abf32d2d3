//! Materials, textures and images of a model as glTF (2.0 §3.9, §3.8), with extensions for values that the core lacks.

use glam::{Vec2, Vec3, Vec4};
use serde_json::{Map, Value, json};

use super::Buffer;
use galatea_asset::{
    Model,
    model::{
        AlphaMode, Image, Material, MaterialKind, OutlineMode, Sampler, TextureRef, Toon, Wrap,
        WrinkleDriver, WrinkleMode, WrinkleRegion, Wrinkles,
    },
};

/// Lists of a document for materials.
#[derive(Default)]
pub struct Surfaces {
    /// Entries of `document.materials`.
    pub materials: Vec<Value>,
    textures: Vec<Value>,
    samplers: Vec<Value>,
    images: Vec<Value>,
    extensions: Vec<&'static str>,
}

impl Surfaces {
    /// Converts the model's materials; images go into the buffer as PNG.
    pub fn of(model: &Model, buffer: &mut Buffer) -> Self {
        let mut all = Self::default();
        for image in &model.images {
            let view = buffer.view(&png(image));
            all.images
                .push(json!({"name": image.name, "mimeType": "image/png", "bufferView": view}));
        }
        for material in &model.materials {
            let value = all.material(material);
            all.materials.push(value);
        }
        all
    }

    /// Adds the non-empty lists to the document; glTF forbids empty lists.
    pub(crate) fn into_document(self, document: &mut Value) {
        let lists = [
            ("materials", self.materials),
            ("textures", self.textures),
            ("samplers", self.samplers),
            ("images", self.images),
        ];
        for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            document[name] = Value::Array(list);
        }
        if !self.extensions.is_empty() {
            document["extensionsUsed"] = json!(self.extensions);
        }
    }

    fn uses(&mut self, extension: &'static str) -> &'static str {
        if !self.extensions.contains(&extension) {
            self.extensions.push(extension);
        }
        extension
    }

    fn texture(&mut self, texture: &TextureRef) -> Value {
        let sampler = index_of(&mut self.samplers, sampler(texture.sampler));
        let entry = json!({"source": texture.image, "sampler": sampler});
        let index = index_of(&mut self.textures, entry);
        let mut value = json!({"index": index});
        if texture.uv_set != 0 {
            value["texCoord"] = json!(texture.uv_set);
        }
        let moved = texture.uv_transform;
        if moved != galatea_asset::model::UvTransform::IDENTITY {
            let name = self.uses("KHR_texture_transform");
            value["extensions"][name] = json!({
                "offset": moved.offset.to_array(),
                "rotation": moved.rotation,
                "scale": moved.scale.to_array(),
            });
        }
        value
    }

    fn put(&mut self, value: &mut Value, key: &str, texture: Option<&TextureRef>) {
        if let Some(texture) = texture {
            value[key] = self.texture(texture);
        }
    }

    fn material(&mut self, m: &Material) -> Value {
        let mut pbr = json!({
            "baseColorFactor": m.base_color.to_array(),
            "metallicFactor": m.metallic,
            "roughnessFactor": m.roughness,
        });
        self.put(&mut pbr, "baseColorTexture", m.base_color_texture.as_ref());
        let rough = m.metallic_roughness_texture.as_ref();
        self.put(&mut pbr, "metallicRoughnessTexture", rough);
        let mut value = json!({
            "name": m.name, "pbrMetallicRoughness": pbr, "doubleSided": m.double_sided,
        });
        self.put(&mut value, "normalTexture", m.normal_texture.as_ref());
        if m.normal_texture.is_some() {
            value["normalTexture"]["scale"] = json!(m.normal_scale);
        }
        self.put(&mut value, "emissiveTexture", m.emissive_texture.as_ref());
        if m.emissive_factor != Vec3::ZERO {
            value["emissiveFactor"] = json!(m.emissive_factor.to_array());
        }
        match m.alpha {
            AlphaMode::Opaque => {}
            AlphaMode::Mask(cutoff) => {
                value["alphaMode"] = json!("MASK");
                value["alphaCutoff"] = json!(cutoff);
            }
            AlphaMode::Blend => value["alphaMode"] = json!("BLEND"),
        }
        let extensions = self.layers(m);
        if !extensions.is_empty() {
            value["extensions"] = Value::Object(extensions);
        }
        if let Some(extras) = self.extras(m) {
            value["extras"] = json!({"galatea": extras});
        }
        value
    }

    /// Extras that only Galatea reads: the kind if nothing else in the file states it, the iris of an eye, wrinkles.
    fn extras(&mut self, m: &Material) -> Option<Value> {
        let mut extras = json!({});
        if !matches!(m.kind, MaterialKind::Standard | MaterialKind::Toon) {
            extras["kind"] = json!(m.kind.name());
        }
        if let Some(iris) = m.iris {
            extras["iris"] = json!({
                "center": iris.center.to_array(), "radius": iris.radius, "depth": iris.depth,
            });
        }
        if let Some(wrinkles) = &m.wrinkles {
            extras["wrinkles"] = self.wrinkles(wrinkles);
        }
        (extras != json!({})).then_some(extras)
    }

    fn wrinkles(&mut self, w: &Wrinkles) -> Value {
        let mut number = |image: usize| self.texture(&TextureRef::of(image))["index"].clone();
        let masks: Vec<Value> = w.masks.iter().map(|image| number(*image)).collect();
        let mut maps = Vec::new();
        for map in &w.maps {
            let mut value = json!({});
            for (key, picture) in [
                ("normal", map.normal),
                ("color", map.color),
                ("roughness", map.roughness),
            ] {
                if let Some(image) = picture {
                    value[key] = number(image);
                }
            }
            if map.adds {
                value["add"] = json!(true);
            }
            if map.scale != 1.0 {
                value["scale"] = json!(map.scale);
            }
            maps.push(value);
        }
        let regions: Vec<Value> = w.regions.iter().map(region).collect();
        let [low, high] = w.area;
        let mut value = json!({"masks": masks, "maps": maps, "regions": regions});
        if w.area != Wrinkles::default().area {
            value["area"] = json!([low.x, low.y, high.x, high.y]);
        }
        if w.mode == WrinkleMode::Book {
            value["mode"] = json!("book");
        }
        value
    }

    fn layers(&mut self, m: &Material) -> Map<String, Value> {
        let mut all = Map::new();
        let mut add = |name: &'static str, value: Value| {
            all.insert(self.uses(name).into(), value);
        };
        if m.emissive_strength != 1.0 {
            add(
                "KHR_materials_emissive_strength",
                json!({"emissiveStrength": m.emissive_strength}),
            );
        }
        if m.ior != 1.5 {
            add("KHR_materials_ior", json!({"ior": m.ior}));
        }
        if m.specular.factor != 1.0 || m.specular.color != Vec3::ONE {
            add(
                "KHR_materials_specular",
                json!({"specularFactor": m.specular.factor,
                       "specularColorFactor": m.specular.color.to_array()}),
            );
        }
        if m.clearcoat.factor > 0.0 {
            add(
                "KHR_materials_clearcoat",
                json!({"clearcoatFactor": m.clearcoat.factor,
                       "clearcoatRoughnessFactor": m.clearcoat.roughness}),
            );
        }
        if m.sheen.color != Vec3::ZERO {
            add(
                "KHR_materials_sheen",
                json!({"sheenColorFactor": m.sheen.color.to_array(),
                       "sheenRoughnessFactor": m.sheen.roughness}),
            );
        }
        if m.transmission.factor > 0.0 {
            add(
                "KHR_materials_transmission",
                json!({"transmissionFactor": m.transmission.factor}),
            );
        }
        if m.transmission.thickness > 0.0 {
            let mut volume = json!({
                "thicknessFactor": m.transmission.thickness,
                "attenuationColor": m.transmission.attenuation_color.to_array(),
            });
            if m.transmission.attenuation_distance.is_finite() {
                volume["attenuationDistance"] = json!(m.transmission.attenuation_distance);
            }
            add("KHR_materials_volume", volume);
        }
        if let Some(t) = &m.toon {
            add("VRMC_materials_mtoon", toon(t));
        }
        all
    }
}

fn region(region: &WrinkleRegion) -> Value {
    let mut value = json!({"name": region.name});
    for (key, place) in [("mask", region.mask), ("map", region.map)] {
        if let Some(place) = place {
            value[key] = json!(place);
        }
    }
    if region.rest != 0.0 {
        value["rest"] = json!(region.rest);
    }
    if region.tint != Vec3::ONE {
        value["tint"] = json!(region.tint.to_array());
    }
    let mut stretches = Vec::new();
    for driver in &region.drivers {
        match driver {
            WrinkleDriver::Shape(name, factor) => value["shapes"][name] = json!(factor),
            WrinkleDriver::Stretch { from, to, ratio } => stretches.push(json!({
                "from": from.to_array(), "to": to.to_array(), "ratio": ratio,
            })),
            WrinkleDriver::Curve(name) => value["curve"] = json!(name),
        }
    }
    if !stretches.is_empty() {
        value["stretch"] = Value::Array(stretches);
    }
    value
}

/// MToon without textures (VRMC_materials_mtoon 1.0).
fn toon(t: &Toon) -> Value {
    let mode = match t.outline.mode {
        OutlineMode::None => "none",
        OutlineMode::World => "worldCoordinates",
        OutlineMode::Screen => "screenCoordinates",
    };
    json!({
        "specVersion": "1.0",
        "shadeColorFactor": t.shade_color.to_array(),
        "shadingShiftFactor": t.shading_shift,
        "shadingToonyFactor": t.shading_toony,
        "giEqualizationFactor": t.gi_equalization,
        "parametricRimColorFactor": t.rim_color.to_array(),
        "parametricRimFresnelPowerFactor": t.rim_fresnel_power,
        "parametricRimLiftFactor": t.rim_lift,
        "rimLightingMixFactor": t.rim_lighting_mix,
        "outlineWidthMode": mode,
        "outlineWidthFactor": t.outline.width,
        "outlineColorFactor": t.outline.color.to_array(),
        "outlineLightingMixFactor": t.outline.lighting_mix,
    })
}

/// Index of a value in a list; a new value is appended.
fn index_of(list: &mut Vec<Value>, value: Value) -> usize {
    list.iter().position(|v| *v == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}

fn sampler(s: Sampler) -> Value {
    let wrap = |wrap| match wrap {
        Wrap::Repeat => 10497,
        Wrap::Mirror => 33648,
        Wrap::Clamp => 33071,
    };
    let filter = |linear: bool| if linear { 9729 } else { 9728 };
    let small = match (s.min_linear, s.mipmaps) {
        (linear, false) => filter(linear),
        (true, true) => 9987,
        (false, true) => 9986,
    };
    json!({
        "wrapS": wrap(s.wrap_u), "wrapT": wrap(s.wrap_v),
        "magFilter": filter(s.mag_linear), "minFilter": small,
    })
}

/// Encodes an image as PNG, without alpha if it is opaque.
fn png(image: &Image) -> Vec<u8> {
    let opaque = image.rgba.chunks_exact(4).all(|texel| texel[3] == 255);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, image.width, image.height);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.set_color(if opaque {
        png::ColorType::Rgb
    } else {
        png::ColorType::Rgba
    });
    let pixels: Vec<u8> = if opaque {
        let texels = image.rgba.chunks_exact(4);
        texels.flat_map(|t| [t[0], t[1], t[2]]).collect()
    } else {
        image.rgba.clone()
    };
    // Writing to memory fails only if an image has the wrong length, which cannot happen here.
    let done = encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(&pixels));
    debug_assert!(done.is_ok(), "{done:?}");
    bytes
}

/// Returns true if texture coordinates are present and not all zero.
pub fn has_uv(uv: &[Vec2]) -> bool {
    uv.iter().any(|uv| *uv != Vec2::ZERO)
}

/// Components of tangents as a flat list.
pub fn flat(tangents: &[Vec4]) -> Vec<f32> {
    tangents.iter().flat_map(|t| t.to_array()).collect()
}
