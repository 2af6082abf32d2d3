//! From bytes to the JSON document and the binary chunk (glTF 2.0 §4.4).

use super::document::{Asset, Document};
use super::error::{Fault, Warnings};

const MAGIC: &[u8] = b"glTF";
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BIN_CHUNK: u32 = 0x004E_4942;

/// Splits a GLB or takes plain JSON, and checks the version and the required extensions.
pub fn open<'a>(
    bytes: &'a [u8],
    warnings: &Warnings,
) -> Result<(Document, Option<&'a [u8]>), Fault> {
    let (json, bin) = if bytes.starts_with(MAGIC) {
        split_glb(bytes, warnings)?
    } else {
        (bytes, None)
    };
    let json = json.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(json);
    if json.iter().find(|b| !b.is_ascii_whitespace()) != Some(&b'{') {
        return Err(Fault::NotGltf(beginning(bytes)));
    }
    // A GLB may pad its JSON with zeros although the format asks for spaces.
    let end = json.iter().rposition(|&b| b != 0).map_or(0, |i| i + 1);
    let text = json.get(..end).unwrap_or(json);
    check_version(text)?;
    let document: Document =
        serde_json::from_slice(text).map_err(|error| Fault::Json(error.to_string()))?;
    check_extensions(&document, warnings)?;
    Ok((document, bin))
}

/// The first bytes of a file that is no glTF, in words.
fn beginning(bytes: &[u8]) -> String {
    let start = bytes.get(..bytes.len().min(12)).unwrap_or(bytes);
    if start.is_empty() {
        "nothing (the file is empty)".into()
    } else {
        format!("\"{}\"", start.escape_ascii())
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(four.try_into().ok()?))
}

fn split_glb<'a>(
    bytes: &'a [u8],
    warnings: &Warnings,
) -> Result<(&'a [u8], Option<&'a [u8]>), Fault> {
    let (Some(version), Some(says)) = (u32_at(bytes, 4), u32_at(bytes, 8)) else {
        return Err(Fault::Truncated {
            has: bytes.len(),
            says: 12,
        });
    };
    if version != 2 {
        return Err(Fault::Version(version.to_string()));
    }
    let says = says as usize;
    if says > bytes.len() {
        return Err(Fault::Truncated {
            has: bytes.len(),
            says,
        });
    }
    if says < bytes.len() {
        warnings.add(format!(
            "{} bytes after the end that the GLB header gives are ignored",
            bytes.len() - says
        ));
    }
    let bytes = bytes.get(..says).unwrap_or(bytes);
    let (mut json, mut bin) = (None, None);
    let mut at = 12;
    while at < bytes.len() {
        let (Some(length), Some(kind)) = (u32_at(bytes, at), u32_at(bytes, at + 4)) else {
            // Less than a chunk header is left: padding that some writers add.
            warnings.add("the GLB ends with a piece too short to be a chunk; ignored");
            break;
        };
        let start = at + 8;
        let end = start.saturating_add(length as usize);
        let Some(chunk) = bytes.get(start..end) else {
            return Err(Fault::Container(format!(
                "the chunk at byte {at} should hold {length} bytes, {} are left",
                bytes.len() - start.min(bytes.len())
            )));
        };
        match kind {
            JSON_CHUNK if json.is_none() => json = Some(chunk),
            BIN_CHUNK if bin.is_none() => bin = Some(chunk),
            _ => warnings.add("the GLB has chunks besides one JSON and one BIN; ignored"),
        }
        at = end;
    }
    let json = json.ok_or_else(|| Fault::Container("it has no JSON chunk".into()))?;
    Ok((json, bin))
}

/// Looks at the version alone first, so that a glTF 1.0 file is called that and not broken JSON.
fn check_version(json: &[u8]) -> Result<(), Fault> {
    #[derive(serde::Deserialize)]
    struct Root {
        asset: Asset,
    }
    let Root { asset } =
        serde_json::from_slice(json).map_err(|error| Fault::Json(error.to_string()))?;
    let major = |version: &str| version.split('.').next().map(str::to_owned);
    if major(&asset.version).as_deref() != Some("2") {
        return Err(Fault::Version(asset.version));
    }
    match asset.min_version {
        Some(min) if min != "2.0" => Err(Fault::Version(min)),
        _ => Ok(()),
    }
}

const READ: &[&str] = &[
    "EXT_meshopt_compression",
    "EXT_texture_webp",
    "KHR_materials_emissive_strength",
    "KHR_materials_unlit",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_texture_transform",
];

fn check_extensions(document: &Document, warnings: &Warnings) -> Result<(), Fault> {
    for name in &document.extensions_required {
        if READ.contains(&name.as_str()) {
            continue;
        }
        return Err(Fault::RequiredExtension {
            name: name.clone(),
            advice: match name.as_str() {
                "KHR_draco_mesh_compression" => "export without Draco compression, or use meshopt",
                "KHR_texture_basisu" => "export with PNG, JPEG or WebP pictures",
                "KHR_materials_pbrSpecularGlossiness" => "export with metallic-roughness materials",
                _ => "export without it, or mark it as optional (extensionsUsed only)",
            },
        });
    }
    for name in &document.extensions_used {
        if !READ.contains(&name.as_str()) {
            warnings.add(format!(
                "uses the extension {name}, which Galatea does not read; the rest is loaded"
            ));
        }
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
                .starts_with("the file ends after 47 bytes, its header says 4096")
        );
        assert!(fault(b"glTF").contains("ends after 4 bytes"));
        let mut long_chunk = glb(json, None);
        long_chunk[12] = 255;
        assert!(fault(&long_chunk).contains("container is damaged"));
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
    fn a_required_extension_we_do_not_read_is_refused_by_name_with_advice() {
        let json =
            br#"{"asset":{"version":"2.0"},"extensionsRequired":["KHR_draco_mesh_compression"]}"#;
        let text = fault(json);
        assert!(text.contains("KHR_draco_mesh_compression"), "{text}");
        assert!(text.contains("without Draco compression"), "{text}");
    }

    #[test]
    fn an_optional_extension_we_do_not_read_is_a_warning() {
        let warnings = Warnings::default();
        let json = br#"{"asset":{"version":"2.0"},"extensionsUsed":["X_a","KHR_materials_unlit"]}"#;
        open(json, &warnings).unwrap();
        let list = warnings.into_list();
        assert_eq!(list.len(), 1);
        assert!(list[0].contains("X_a"));
    }
}
