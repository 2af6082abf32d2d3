//! Reads the document and the binary chunk from the bytes of a file (glTF 2.0 §4.4).

use std::borrow::Cow;

use gltf::binary::{self, ChunkType, Glb};
use gltf::json::{Asset, Root};
use serde_json::Value;

use super::error::{LoadFault, Warnings};
use super::{helpers, material, mend, rigid_bodies, springs, vrm};

const MAGIC: &[u8] = b"glTF";
const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BIN_CHUNK: u32 = 0x004E_4942;

/// Content of a chunk.
type GlbChunk<'a> = Cow<'a, [u8]>;
/// The JSON chunk and the binary chunk of a GLB.
type Chunks<'a> = (GlbChunk<'a>, Option<GlbChunk<'a>>);

/// Splits a GLB or reads plain JSON, and checks the version and the required extensions.
pub fn open<'a>(
    bytes: &'a [u8],
    warnings: &Warnings,
) -> Result<(Root, Option<GlbChunk<'a>>), LoadFault> {
    let (text, bin) = text(bytes, warnings)?;
    let members = mend::Members::split(&text)?;
    // Check the version first, so that a glTF 1.0 file is reported as such and not as broken JSON.
    check_version(mend::asset(&members)?)?;
    let document = mend::document(members, warnings)?;
    check_extensions(&document, warnings)?;
    Ok((document, bin))
}

/// The unmodified document, and the binary chunk.
pub fn raw<'a>(
    bytes: &'a [u8],
    warnings: &Warnings,
) -> Result<(Value, Option<GlbChunk<'a>>), LoadFault> {
    let (text, bin) = text(bytes, warnings)?;
    let document = serde_json::from_str(&text).map_err(|error| LoadFault::json(&error))?;
    Ok((document, bin))
}

/// The JSON without bytes before and after it, and the binary chunk.
fn text<'a>(
    bytes: &'a [u8],
    warnings: &Warnings,
) -> Result<(String, Option<GlbChunk<'a>>), LoadFault> {
    let (json, bin) = if bytes.starts_with(MAGIC) {
        split_glb(bytes, warnings)?
    } else {
        (bytes.into(), None)
    };
    let json = json.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&json);
    if json.iter().find(|b| !b.is_ascii_whitespace()) != Some(&b'{') {
        return Err(LoadFault::NotGltf(beginning(bytes)));
    }
    // A GLB may pad its JSON with zeros although the specification requires spaces.
    let end = json.iter().rposition(|&b| b != 0).map_or(0, |i| i + 1);
    let text = mend::text(json.get(..end).unwrap_or(json));
    Ok((text.into_owned(), bin))
}

/// Describes the first bytes of a file that is not glTF.
fn beginning(bytes: &[u8]) -> String {
    let start = bytes.get(..bytes.len().min(12)).unwrap_or(bytes);
    if start.is_empty() {
        "the file is empty".into()
    } else if start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF") {
        "the file is UTF-16 text; save it as UTF-8".into()
    } else {
        format!("it begins with \"{}\"", start.escape_ascii())
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(four.try_into().ok()?))
}

fn split_glb<'a>(bytes: &'a [u8], warnings: &Warnings) -> Result<Chunks<'a>, LoadFault> {
    let truncated = |says: usize| LoadFault::Truncated {
        has: bytes.len(),
        says,
    };
    let (Some(version), Some(says)) = (u32_at(bytes, 4), u32_at(bytes, 8)) else {
        return Err(truncated(HEADER));
    };
    if version != 2 {
        return Err(LoadFault::Version(version.to_string()));
    }
    let says = says as usize;
    let Some(whole) = bytes.get(..says) else {
        return Err(truncated(says));
    };
    if says < HEADER {
        // The crate subtracts the header from this length without a check.
        return Err(LoadFault::Container(format!(
            "its header declares {says} bytes"
        )));
    }
    if says < bytes.len() {
        warnings.add(format!(
            "{} bytes after the end of the GLB data are ignored",
            bytes.len() - says
        ));
    }
    let (json, bin) = match Glb::from_slice(whole) {
        Ok(glb) => (glb.json, glb.bin),
        Err(gltf::Error::Binary(binary::Error::ChunkLength {
            ty,
            length,
            length_read,
        })) => {
            let ty = match ty {
                ChunkType::Json => "JSON",
                ChunkType::Bin => "BIN",
            };
            return Err(LoadFault::Container(format!(
                "its {ty} chunk declares {length} bytes, but only {length_read} remain"
            )));
        }
        Err(_) => return split_odd_glb(whole, warnings),
    };
    let bin_size = bin.as_ref().map_or(0, |bin| CHUNK_HEADER + bin.len());
    if HEADER + CHUNK_HEADER + json.len() + bin_size < says {
        warn_of_more(warnings);
    }
    Ok((json, bin))
}

fn warn_of_more(warnings: &Warnings) {
    warnings.add("the GLB has extra chunks; only one JSON and one BIN chunk are read");
}

/// Splits a GLB that has other chunks before or between the JSON and BIN chunks, or a few bytes after them. Readers must
/// ignore those (§4.4.3); the crate rejects them.
fn split_odd_glb<'a>(bytes: &'a [u8], warnings: &Warnings) -> Result<Chunks<'a>, LoadFault> {
    let (mut json, mut bin) = (None, None);
    let mut at = HEADER;
    while let (Some(length), Some(kind)) = (u32_at(bytes, at), u32_at(bytes, at + 4)) {
        let start = at + CHUNK_HEADER;
        let end = start.saturating_add(length as usize);
        let Some(chunk) = bytes.get(start..end) else {
            return Err(LoadFault::Container(format!(
                "the chunk at byte {at} declares {length} bytes, but only {} remain",
                bytes.len() - start
            )));
        };
        match kind {
            JSON_CHUNK if json.is_some() => {
                return Err(LoadFault::Container(format!(
                    "it has a second JSON chunk at byte {at}; only one is allowed"
                )));
            }
            JSON_CHUNK => json = Some(chunk.into()),
            BIN_CHUNK if bin.is_none() => bin = Some(chunk.into()),
            _ => {}
        }
        at = end;
    }
    warn_of_more(warnings);
    let json = json.ok_or_else(|| LoadFault::Container("it has no JSON chunk".into()))?;
    Ok((json, bin))
}

fn check_version(asset: Asset) -> Result<(), LoadFault> {
    if asset.version.split('.').next() != Some("2") {
        return Err(LoadFault::Version(asset.version));
    }
    match asset.min_version {
        Some(min) if min != "2.0" => Err(LoadFault::Version(min)),
        _ => Ok(()),
    }
}

const READ: &[&str] = &[
    "EXT_meshopt_compression",
    "EXT_texture_webp",
    "KHR_animation_pointer",
    "KHR_materials_clearcoat",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_materials_variants",
    "KHR_materials_volume",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_texture_transform",
    "VRMC_materials_mtoon",
    "VRMC_vrm_animation",
    helpers::NAME,
    rigid_bodies::NAME,
    rigid_bodies::SHAPES,
    springs::NAME,
    springs::EXTENDED,
];

/// Required extensions without which meshes can still be loaded, and what the model lacks then.
const IGNORABLE_EXTENSIONS: &[(&str, &str)] = &[
    ("AGI_articulations", "its articulations are"),
    ("AGI_stk_metadata", "its metadata is"),
    ("CESIUM_primitive_outline", "its outlines are"),
    ("EXT_lights_ies", "its lights are"),
    ("EXT_lights_image_based", "its environment light is"),
    ("EXT_mesh_features", "its feature ids are"),
    ("EXT_mesh_gpu_instancing", "its mesh instances are"),
    ("EXT_structural_metadata", "its metadata is"),
    ("EXT_texture_avif", "its AVIF pictures are"),
    ("KHR_audio", "its sounds are"),
    ("KHR_audio_emitter", "its sounds are"),
    ("KHR_interactivity", "its behaviours are"),
    ("KHR_lights_punctual", "its lights are"),
    ("KHR_node_hoverability", "its pointer settings are"),
    ("KHR_node_selectability", "its pointer settings are"),
    (
        "KHR_node_visibility",
        "its hidden nodes are shown, because node visibility is",
    ),
    ("KHR_texture_basisu", "its KTX2 pictures are"),
    ("KHR_xmp", "its metadata is"),
    ("KHR_xmp_json_ld", "its metadata is"),
    ("MSFT_audio_emitter", "its sounds are"),
    ("MSFT_lod", "its levels of detail are"),
    ("MSFT_texture_dds", "its DDS pictures are"),
];

/// Warning about an extension; `None` for a fully supported one, an error for one without which nothing can be loaded.
fn extension_warning(name: &str) -> Result<Option<String>, ()> {
    let uses = format!("uses the extension {name}");
    let aside = IGNORABLE_EXTENSIONS
        .iter()
        .find(|(other, _)| *other == name);
    if READ.contains(&name) {
        Ok(None)
    } else if material::is_not_drawn(name) {
        Ok(Some(format!(
            "{uses}, which is not supported; its materials are drawn without it"
        )))
    } else if let Some(part) = vrm::supported_part(name) {
        Ok(Some(format!("{uses}; Galatea reads only {part}")))
    } else if let Some((_, what)) = aside {
        Ok(Some(format!("{uses}: {what} not used; the rest is loaded")))
    } else {
        Err(())
    }
}

fn check_extensions(document: &Root, warnings: &Warnings) -> Result<(), LoadFault> {
    for name in &document.extensions_required {
        let text = extension_warning(name).map_err(|()| LoadFault::RequiredExtension {
            name: name.clone(),
            advice: match name.as_str() {
                "KHR_draco_mesh_compression" => "export without Draco compression, or use meshopt",
                _ => "export without it, or mark it as optional (extensionsUsed only)",
            },
        })?;
        text.into_iter().for_each(|text| warnings.add(text));
    }
    for name in &document.extensions_used {
        let unknown = || {
            Some(format!(
                "uses the extension {name}, which Galatea does not support; the rest is loaded"
            ))
        };
        let text = extension_warning(name).unwrap_or_else(|()| unknown());
        text.into_iter().for_each(|text| warnings.add(text));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glb(json: &str, total: Option<u32>) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(2u32.to_le_bytes());
        bytes.extend(total.unwrap_or(20 + json.len() as u32).to_le_bytes());
        bytes.extend((json.len() as u32).to_le_bytes());
        bytes.extend(JSON_CHUNK.to_le_bytes());
        bytes.extend(json.as_bytes());
        bytes
    }

    fn fault(bytes: &[u8]) -> String {
        open(bytes, &Warnings::default()).unwrap_err().to_string()
    }

    #[test]
    fn a_cut_file_says_how_much_of_it_is_there() {
        let json = r#"{"asset":{"version":"2.0"}}"#;
        assert!(open(&glb(json, None), &Warnings::default()).is_ok());
        assert!(
            fault(&glb(json, Some(4096)))
                .starts_with("the file has 47 bytes, but its header declares 4096")
        );
        assert!(fault(b"glTF").contains("the file has 4 bytes"));
        let mut long_chunk = glb(json, None);
        long_chunk[12] = 255;
        assert!(fault(&long_chunk).contains("container is damaged"));
    }

    #[test]
    fn unknown_chunks_are_ignored_at_any_position() {
        let json = r#"{"asset":{"version":"2.0"}}"#;
        let chunk = |kind: u32, content: &[u8]| {
            let mut bytes = (content.len() as u32).to_le_bytes().to_vec();
            bytes.extend(kind.to_le_bytes());
            bytes.extend(content);
            bytes
        };
        let json = chunk(JSON_CHUNK, json.as_bytes());
        let bin = chunk(BIN_CHUNK, b"data");
        let odd = chunk(7, b"odd");
        let cases: [&[&[u8]]; 5] = [
            &[&json, &bin, &odd],
            &[&json, &odd, &bin],
            &[&odd, &json, &bin],
            &[&bin, &json],
            &[&json, &bin, &[1, 2, 3]],
        ];
        for case in cases {
            let body = case.concat();
            let mut bytes = MAGIC.to_vec();
            bytes.extend(2u32.to_le_bytes());
            bytes.extend((12 + body.len() as u32).to_le_bytes());
            bytes.extend(body);
            let warnings = Warnings::default();
            let (_, bin) = open(&bytes, &warnings).unwrap();
            assert_eq!(bin.as_deref(), Some(&b"data"[..]));
            assert_eq!(warnings.into_list().len(), 1);
        }
        let body = [&*json, &json, &bin].concat();
        let mut twice = glb("", Some(12 + body.len() as u32));
        twice.truncate(HEADER);
        twice.extend(body);
        let text = fault(&twice);
        assert!(text.contains("a second JSON chunk at byte 47"), "{text}");
        let mut short = glb("{}", None);
        short[8] = 11;
        short[9..12].fill(0);
        assert!(fault(&short).contains("declares 11 bytes"));
    }

    #[test]
    fn other_versions_and_other_formats_are_named() {
        assert!(fault(br#"{"asset":{"version":"1.0"}}"#).contains("version 1.0"));
        assert!(
            fault(br#"{"asset":{"version":"2.0","minVersion":"2.1"}}"#).contains("version 2.1")
        );
        assert!(fault(b"").contains("empty"));
        assert!(fault(b"xof 0303txt").contains("xof 0303txt"));
        assert!(fault(b"{}").contains("asset"));
    }

    #[test]
    fn an_unsupported_required_extension_is_rejected_by_name_with_advice() {
        let json =
            br#"{"asset":{"version":"2.0"},"extensionsRequired":["KHR_draco_mesh_compression"]}"#;
        let text = fault(json);
        assert!(text.contains("KHR_draco_mesh_compression"), "{text}");
        assert!(text.contains("without Draco compression"), "{text}");
    }

    #[test]
    fn a_required_extension_that_meshes_do_not_need_is_a_warning() {
        for (name, part) in [
            ("VRM", "Galatea reads only the humanoid bones"),
            ("VRMC_vrm", "Galatea reads only the humanoid bones"),
            ("KHR_lights_punctual", "its lights are not used"),
            ("KHR_materials_subsurface", "drawn without it"),
            ("KHR_texture_basisu", "its KTX2 pictures are not used"),
        ] {
            let warnings = Warnings::default();
            let json =
                format!(r#"{{"asset":{{"version":"2.0"}},"extensionsRequired":["{name}"]}}"#);
            open(json.as_bytes(), &warnings).unwrap();
            let list = warnings.into_list();
            assert_eq!(list.len(), 1);
            assert!(list[0].contains(name) && list[0].contains(part), "{list:?}");
        }
    }

    #[test]
    fn an_unsupported_optional_extension_is_a_warning() {
        let warnings = Warnings::default();
        let json = br#"{"asset":{"version":"2.0"},"extensionsUsed":["X_a","KHR_materials_unlit"]}"#;
        open(json, &warnings).unwrap();
        let list = warnings.into_list();
        assert_eq!(list.len(), 1);
        assert!(list[0].contains("X_a"));
    }
}
