//! Wrinkle maps of materials: in their extras (`galatea.wrinkles`), with texture indices, or in a file next to the model,
//! `hero.wrinkles.json` next to `hero.glb`. That file has the same fields for each material name, with image file names.

use std::collections::BTreeMap;

use glam::{Vec2, Vec3};
use gltf::json::material as written;
use serde::Deserialize;
use serde_json::Value;

use super::super::plain_json::JsonObject;
use super::super::{lenient, plain_json};
use super::texture::Used;
use super::{MaterialReader, Materials, TextureSource};
use crate::gltf::error::Warnings;
use crate::model::{
    MAX_MAPS, MAX_MASKS, MAX_REGIONS, Material, WrinkleDriver, WrinkleMap, WrinkleMode,
    WrinkleRegion, Wrinkles,
};
use galatea_math::data_fault::DataFault;
use galatea_math::names::nearest_hint;

/// Extension of the file next to the model; it replaces the model's own extension.
pub const BESIDE: &str = "wrinkles.json";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrinkleExtension {
    #[serde(default)]
    mode: ExtensionMode,
    #[serde(default = "whole")]
    area: [f32; 4],
    #[serde(default)]
    masks: Vec<WrinkleTexture>,
    #[serde(default)]
    maps: Vec<WrittenMap>,
    regions: Vec<WrittenRegion>,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ExtensionMode {
    #[default]
    Maps,
    Book,
}

/// A texture index, or the name of an image file next to the model.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected a texture index, or in a separate wrinkle file the name of an image"
)]
enum WrinkleTexture {
    Texture(u32),
    File(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenMap {
    normal: Option<WrinkleTexture>,
    color: Option<WrinkleTexture>,
    roughness: Option<WrinkleTexture>,
    #[serde(default)]
    add: bool,
    #[serde(default = "one")]
    scale: f32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRegion {
    name: String,
    mask: Option<usize>,
    map: Option<usize>,
    #[serde(default)]
    rest: f32,
    #[serde(default)]
    shapes: BTreeMap<String, f32>,
    #[serde(default)]
    stretch: Vec<WrittenStretch>,
    curve: Option<String>,
    tint: Option<[f32; 3]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenStretch {
    from: [f32; 2],
    to: [f32; 2],
    ratio: f32,
}

fn whole() -> [f32; 4] {
    [0.0, 0.0, 1.0, 1.0]
}

fn one() -> f32 {
    1.0
}

impl MaterialReader<'_> {
    /// Reads the wrinkles in the extras of a material.
    pub(super) fn wrinkles_in_extras(&mut self, json: &written::Material) -> Option<Box<Wrinkles>> {
        let extras = plain_json::extras(&json.extras);
        let value = extras.get("galatea")?.get("wrinkles")?;
        let found = read(value).and_then(|written| {
            checked(written, &mut |picture| match picture {
                WrinkleTexture::Texture(index) => {
                    let used = Used::from_json(&serde_json::json!({"index": index}));
                    let texture = self.texture(used);
                    texture
                        .map(|texture| texture.image)
                        .ok_or_else(|| format!("texture {index} has no image"))
                }
                WrinkleTexture::File(name) => Err(format!(
                    "{name:?} is the name of an image; wrinkles in extras need a texture index"
                )),
            })
        });
        self.or_warn(found)
    }

    fn or_warn(&self, found: Result<Wrinkles, String>) -> Option<Box<Wrinkles>> {
        let result = found.map_err(|why| {
            let text = format!("{}: wrinkles are left out: {why}", self.what);
            self.warnings.add(text);
        });
        result.ok().map(Box::new)
    }
}

impl Materials {
    /// Reads the wrinkles in the file `file` next to the model.
    pub(crate) fn read_wrinkles(&mut self, file: &str, bytes: &[u8], warnings: &Warnings) {
        let all: BTreeMap<String, Value> = match serde_json::from_slice(bytes) {
            Ok(all) => all,
            Err(error) => {
                let fault = DataFault::of_json(&error.to_string()).in_file(file);
                warnings.add(format!(
                    "{fault}; the file must contain an object with the wrinkles of each material by name"
                ));
                return;
            }
        };
        for (name, value) in all {
            let is_it = |material: &Material| material.name == name;
            let found: Vec<usize> = (0..self.list.len())
                .filter(|i| is_it(&self.list[*i]))
                .collect();
            if found.is_empty() {
                let names = self.list.iter().map(|material| material.name.as_str());
                let hint = nearest_hint(&name, names);
                warnings.add(format!("{file}: unknown material {name:?}{hint}"));
                continue;
            }
            let read = read(&value).and_then(|written| {
                checked(written, &mut |picture| match picture {
                    WrinkleTexture::File(name) => Ok(self.file(name)),
                    WrinkleTexture::Texture(index) => Err(format!(
                        "{index} is a texture index; a separate wrinkle file needs the name of an image"
                    )),
                })
            });
            match read {
                Ok(wrinkles) => {
                    for i in found {
                        self.list[i].wrinkles = Some(Box::new(wrinkles.clone()));
                    }
                }
                Err(why) => warnings.add(format!(
                    "{file}: the wrinkles of material {name:?} are left out: {why}"
                )),
            }
        }
    }

    /// Returns the index of an external image file.
    fn file(&mut self, name: String) -> usize {
        let at = self.files.iter().position(|own| *own == name);
        let file = at.unwrap_or_else(|| {
            self.files.push(name);
            self.files.len() - 1
        });
        let at = self
            .wanted
            .iter()
            .position(|own| *own == TextureSource::File(file));
        at.unwrap_or_else(|| {
            self.wanted.push(TextureSource::File(file));
            self.wanted.len() - 1
        })
    }
}

fn read(value: &Value) -> Result<WrinkleExtension, String> {
    WrinkleExtension::deserialize(value)
        .map_err(|error| lenient::cause::<WrinkleExtension>(value, &JsonObject::new(), &error))
}

fn checked(
    written: WrinkleExtension,
    image: &mut dyn FnMut(WrinkleTexture) -> Result<usize, String>,
) -> Result<Wrinkles, String> {
    let [u0, v0, u1, v1] = written.area;
    let is_near = written.area.iter().all(|x| (-16.0..=16.0).contains(x));
    if !(u0 < u1 && v0 < v1 && is_near) {
        return Err("area must be [minimum u, minimum v, maximum u, maximum v]".into());
    }
    for (n, most, what) in [
        (written.masks.len(), MAX_MASKS, "masks"),
        (written.maps.len(), MAX_MAPS, "maps"),
        (written.regions.len(), MAX_REGIONS, "regions"),
    ] {
        if n > most {
            return Err(format!("{n} {what}; the limit is {most}"));
        }
    }
    let masks: Vec<usize> = written
        .masks
        .into_iter()
        .map(&mut *image)
        .collect::<Result<_, _>>()?;
    let mut maps = Vec::new();
    for (i, map) in written.maps.into_iter().enumerate() {
        if !map.scale.is_finite() {
            return Err(format!("map {i}: scale must be a number"));
        }
        let mut picture = |of: Option<WrinkleTexture>| of.map(&mut *image).transpose();
        maps.push(WrinkleMap {
            normal: picture(map.normal)?,
            color: picture(map.color)?,
            roughness: picture(map.roughness)?,
            adds: map.add,
            scale: map.scale,
        });
    }
    let mut regions: Vec<WrinkleRegion> = Vec::new();
    for written in written.regions {
        let name = written.name.clone();
        if regions.iter().any(|own| own.name == name) {
            return Err(format!("two regions have the name {name:?}"));
        }
        let region = region(written, 4 * masks.len(), maps.len());
        regions.push(region.map_err(|why| format!("region {name:?}: {why}"))?);
    }
    Ok(Wrinkles {
        mode: match written.mode {
            ExtensionMode::Maps => WrinkleMode::Maps,
            ExtensionMode::Book => WrinkleMode::Book,
        },
        area: [Vec2::new(u0, v0), Vec2::new(u1, v1)],
        masks,
        maps,
        regions,
    })
}

fn region(
    written: WrittenRegion,
    n_channels: usize,
    n_maps: usize,
) -> Result<WrinkleRegion, String> {
    if let Some(mask) = written.mask.filter(|mask| *mask >= n_channels) {
        return Err(format!(
            "mask {mask} does not exist; the mask images have {n_channels} channels"
        ));
    }
    if let Some(map) = written.map.filter(|map| *map >= n_maps) {
        return Err(format!(
            "map {map} does not exist; the number of maps is {n_maps}"
        ));
    }
    if !(0.0..=1.0).contains(&written.rest) {
        return Err("rest must be from 0 to 1".into());
    }
    let tint = Vec3::from_array(written.tint.unwrap_or([1.0; 3]));
    if !(tint.min_element() >= 0.0 && tint.max_element() <= 8.0) {
        return Err("tint must be three numbers from 0 to 8".into());
    }
    let mut drivers = Vec::new();
    for (shape, factor) in written.shapes {
        if !(-8.0..=8.0).contains(&factor) {
            return Err(format!("the factor of {shape:?} must be from -8 to 8"));
        }
        drivers.push(WrinkleDriver::Shape(shape, factor));
    }
    for WrittenStretch { from, to, ratio } in written.stretch {
        let is_finite = from.into_iter().chain(to).all(f32::is_finite);
        if !is_finite || !(0.0..=4.0).contains(&ratio) || (ratio - 1.0).abs() < 1e-3 {
            return Err(
                "stretch needs from and to, both [u, v], and ratio, from 0 to 4 but not 1".into(),
            );
        }
        drivers.push(WrinkleDriver::Stretch {
            from: Vec2::from_array(from),
            to: Vec2::from_array(to),
            ratio,
        });
    }
    drivers.extend(written.curve.map(WrinkleDriver::Curve));
    Ok(WrinkleRegion {
        name: written.name,
        mask: written.mask,
        map: written.map,
        rest: written.rest,
        tint,
        drivers,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{one, one_with_warnings};
    use super::*;

    fn brow() -> Value {
        json!({"masks": [3], "maps": [{"normal": 4, "add": true}], "area": [0.5, 0.0, 1.0, 0.5],
            "regions": [{"name": "brow", "mask": 2, "map": 0, "shapes": {"browInnerUp": 0.8},
                "stretch": [{"from": [0.1, 0.2], "to": [0.1, 0.3], "ratio": 0.7}],
                "curve": "frown", "tint": [1.1, 0.9, 0.9]}]})
    }

    #[test]
    fn wrinkles_are_read_from_extras() {
        let material = one(json!({"extras": {"galatea": {"wrinkles": brow()}}}));
        let wrinkles = material.wrinkles.unwrap();
        assert_eq!(wrinkles.area, [Vec2::new(0.5, 0.0), Vec2::new(1.0, 0.5)]);
        assert_eq!(
            (wrinkles.masks.len(), wrinkles.maps[0].normal),
            (1, Some(1))
        );
        assert!(wrinkles.maps[0].adds && wrinkles.maps[0].scale == 1.0);
        let region = &wrinkles.regions[0];
        assert_eq!(
            (region.mask, region.map, region.drivers.len()),
            (Some(2), Some(0), 3)
        );
    }

    #[test]
    fn invalid_fields_are_reported_by_name_and_skipped() {
        for (path, value, expected) in [
            (
                "/regions/0/mask",
                json!(4),
                "region \"brow\": mask 4 does not exist; the mask images have 4 channels",
            ),
            (
                "/regions/0/map",
                json!(1),
                "region \"brow\": map 1 does not exist; the number of maps is 1",
            ),
            (
                "/regions/0/stretch/0/ratio",
                json!(1),
                "ratio, from 0 to 4 but not 1",
            ),
            ("/regions/0/rest", json!(2), "rest must be from 0 to 1"),
            (
                "/regions/0/tint",
                json!([-1, 0, 0]),
                "tint must be three numbers",
            ),
            (
                "/masks/0",
                json!("a.png"),
                "wrinkles in extras need a texture index",
            ),
            ("/masks/0", json!(12), "texture 12 has no image"),
            ("/masks/0", json!(true), "expected a texture index"),
            ("/area", json!([1, 0, 0, 1]), "area must be [minimum u"),
            (
                "/maps/0/normals",
                json!(3),
                "unknown field \"normals\"; did you mean \"normal\"?",
            ),
            (
                "/mode",
                json!("bok"),
                "mode: unknown value \"bok\"; did you mean \"book\"?",
            ),
        ] {
            let mut wrinkles = brow();
            match wrinkles.pointer_mut(path) {
                Some(place) => *place = value,
                None => {
                    let (above, key) = path.rsplit_once('/').unwrap();
                    wrinkles.pointer_mut(above).unwrap()[key] = value;
                }
            }
            let written = json!({"extras": {"galatea": {"wrinkles": wrinkles}}});
            let (material, warnings) = one_with_warnings(written);
            assert_eq!(material.wrinkles, None, "{path}");
            let all = warnings.join("\n");
            assert!(
                all.contains("wrinkles are left out") && all.contains(expected),
                "{path}: {all}"
            );
        }
    }

    #[test]
    fn a_file_next_to_the_model_names_materials_and_pictures() {
        let mut materials = Materials {
            list: vec![Material {
                name: "Head".into(),
                ..Material::default()
            }],
            ..Materials::default()
        };
        let warnings = Warnings::default();
        let text = json!({"Head": {"mode": "book", "masks": ["m.png"],
            "regions": [{"name": "always", "mask": 0, "rest": 1}]}});
        materials.read_wrinkles("a.wrinkles.json", text.to_string().as_bytes(), &warnings);
        assert_eq!(
            materials.list[0].wrinkles.as_ref().unwrap().mode,
            WrinkleMode::Book
        );
        assert_eq!(
            (materials.wanted.as_slice(), materials.files.as_slice()),
            (
                [TextureSource::File(0)].as_slice(),
                ["m.png".to_owned()].as_slice()
            )
        );
        for text in [
            "{",
            r#"{"Haed": {"regions": []}}"#,
            r#"{"Head": {"masks": [1], "regions": []}}"#,
        ] {
            materials.read_wrinkles("a.wrinkles.json", text.as_bytes(), &warnings);
        }
        let warnings = warnings.into_list();
        assert!(
            warnings[0].starts_with("a.wrinkles.json:1:1: the text ends inside of an object"),
            "{warnings:?}"
        );
        assert!(
            warnings[1].contains("\"Haed\"; did you mean \"Head\"?"),
            "{warnings:?}"
        );
        assert!(
            warnings[2].contains("a separate wrinkle file needs the name of an image"),
            "{warnings:?}"
        );
    }
}
