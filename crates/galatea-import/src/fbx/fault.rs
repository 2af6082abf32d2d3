//! Finds the fault in a file that `ufbx` cannot read, as exactly as possible; the error of `ufbx` is not specific.

use ufbx::{Error, ErrorType, LoadOpts};

use super::text;
use crate::import_budget::unpacked_limit;
use galatea_asset::import::Format;

/// Cause of an error, with the line for a text file.
pub fn cause(format: Format, bytes: &[u8], error: &Error) -> String {
    let exact = match format {
        _ if error.type_ == ErrorType::MemoryLimit => None,
        Format::Obj => text::fault(bytes),
        _ => vertex_fault(bytes),
    };
    let found = exact.or_else(|| match (format, error.type_) {
        (Format::Fbx, ErrorType::Unknown) => Some(broken_part(bytes).into()),
        (_, ErrorType::TruncatedFile) => {
            Some("the file was cut off; copy or export it again".into())
        }
        (_, ErrorType::EmptyFile) => Some("the file is empty".into()),
        (_, ErrorType::MemoryLimit) => Some(format!(
            "it unpacks to more than {} MB, the limit for a file of this size",
            unpacked_limit(bytes.len()) >> 20
        )),
        _ => None,
    });
    found.unwrap_or_else(|| description(error))
}

/// Message of `ufbx`.
pub fn description(error: &Error) -> String {
    let info = error.info();
    match info.is_empty() {
        true => error.description.to_string(),
        false => format!("{}: {info}", error.description),
    }
}

/// Name of the damaged part of an FBX file, found by reading it without each part.
fn broken_part(bytes: &[u8]) -> &'static str {
    let opens = |opts: LoadOpts<'_>| {
        let mut opts = opts;
        let limit = unpacked_limit(bytes.len());
        opts.temp_allocator.memory_limit = limit;
        opts.result_allocator.memory_limit = limit;
        ufbx::load_memory(bytes, opts).is_ok()
    };
    let without_geometry = LoadOpts {
        ignore_geometry: true,
        ..LoadOpts::default()
    };
    let without_animation = LoadOpts {
        ignore_animation: true,
        ..LoadOpts::default()
    };
    if opens(without_geometry) {
        "the geometry is damaged: an index is out of range, or a list is cut off; export the file again"
    } else if opens(without_animation) {
        "the animation is damaged; export the file again"
    } else {
        "the file structure is damaged; export the file again"
    }
}

/// List of a mesh that a line belongs to.
#[derive(Clone, Copy, PartialEq)]
enum MeshList {
    None,
    Vertices,
    Corners,
}

/// First polygon corner in an FBX text file whose vertex index is out of range.
fn vertex_fault(bytes: &[u8]) -> Option<String> {
    if bytes.starts_with(b"Kaydara FBX Binary") {
        return None;
    }
    let text = String::from_utf8_lossy(bytes);
    let (mut mesh, mut list, mut n_numbers) = ("", MeshList::None, 0_i64);
    for (line, n) in text.lines().zip(1..) {
        let line = line.trim();
        let (key, after) = line.split_once(':').unwrap_or(("", line));
        let values = match key {
            "Geometry" | "Model" => {
                let name = after.split('"').nth(1).unwrap_or_default();
                mesh = name.rsplit("::").next().unwrap_or_default();
                (list, n_numbers) = (MeshList::None, 0);
                continue;
            }
            "Vertices" => {
                list = MeshList::Vertices;
                after
            }
            "PolygonVertexIndex" => {
                list = MeshList::Corners;
                after
            }
            "a" => after,
            "" if !line.starts_with('}') => line,
            _ => {
                list = MeshList::None;
                continue;
            }
        };
        let mut numbers = values
            .split(',')
            .filter_map(|v| v.trim().parse::<f64>().ok());
        match list {
            MeshList::None => {}
            MeshList::Vertices => n_numbers += numbers.count() as i64,
            MeshList::Corners => {
                // The index of a polygon's last corner is stored as its bitwise complement.
                let vertex = |v: f64| if v < 0.0 { !(v as i64) } else { v as i64 };
                let n_vertices = n_numbers / 3;
                let wrong = numbers.find(|v| vertex(*v) >= n_vertices).map(vertex);
                if let Some(vertex) = wrong {
                    return Some(format!(
                        "line {n}: a polygon of {mesh:?} uses vertex {vertex} (counted from 0), but the mesh has \
                         {n_vertices} vertices"
                    ));
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_without_a_vertex_is_named_with_its_line() {
        let file = |corners: &str| {
            format!(
                "; FBX\nGeometry: 1, \"Geometry::box\", \"Mesh\" {{\n Vertices: *9 {{\n  a: 0,0,0,1,0,0,\n0,1,0\n }}\n \
                 PolygonVertexIndex: *4 {{\n  a: {corners}\n }}\n GeometryVersion: 124\n}}\n"
            )
        };
        assert_eq!(vertex_fault(file("0,1,-3").as_bytes()), None);
        let expected = "line 8: a polygon of \"box\" uses vertex 3 (counted from 0), but the mesh has 3 vertices";
        assert_eq!(
            vertex_fault(file("0,1,-4").as_bytes()).as_deref(),
            Some(expected)
        );
        let old = "Model: \"Model::old\", \"Mesh\" {\n Vertices: 0,0,0\n ,1,0,0\n PolygonVertexIndex: 0,1,-3\n}";
        let found = vertex_fault(old.as_bytes()).unwrap();
        assert!(
            found.starts_with("line 4: a polygon of \"old\" uses vertex 2"),
            "{found}"
        );
    }
}
