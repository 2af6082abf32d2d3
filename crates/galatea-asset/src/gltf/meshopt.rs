//! Unpacks buffer views of EXT_meshopt_compression and KHR_meshopt_compression.
//!
//! The C++ decoders are safe for any *content*, but they assert on sizes, so every size is checked here before the call. The
//! caller has charged `count * byte_stride` to the budget.

use std::ffi::{c_int, c_void};

use gltf::json::validation::USize64;
use gltf::json::{Buffer, Index};
use meshopt::ffi;

/// Description of a compressed view in the extension; the `gltf` crate lacks it.
#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompressedView {
    pub buffer: Index<Buffer>,
    #[serde(default)]
    pub byte_offset: USize64,
    pub byte_length: USize64,
    pub byte_stride: usize,
    pub count: usize,
    pub mode: String,
    pub filter: Option<String>,
}

/// Unpacks one view: `count * byte_stride` bytes.
pub fn unpack(view: &CompressedView, packed: &[u8]) -> Result<Vec<u8>, String> {
    let (count, stride) = (view.count, view.byte_stride);
    let wrong = |what: &str| Err(format!("{what} ({count} elements of {stride} bytes)"));
    let decode: unsafe extern "C" fn(*mut c_void, usize, usize, *const u8, usize) -> c_int =
        match view.mode.as_str() {
            "ATTRIBUTES" if stride % 4 == 0 && (4..=256).contains(&stride) => {
                ffi::meshopt_decodeVertexBuffer
            }
            "ATTRIBUTES" => return wrong("attributes need a stride of 4, 8, … 256 bytes"),
            "TRIANGLES" if matches!(stride, 2 | 4) && count % 3 == 0 => {
                ffi::meshopt_decodeIndexBuffer
            }
            "TRIANGLES" => return wrong("triangles need three indices each, of 2 or 4 bytes"),
            "INDICES" if matches!(stride, 2 | 4) => ffi::meshopt_decodeIndexSequence,
            "INDICES" => return wrong("indices need 2 or 4 bytes each"),
            other => return Err(format!("unknown mode {other:?}")),
        };
    let filter: Option<unsafe extern "C" fn(*mut c_void, usize, usize)> =
        match view.filter.as_deref() {
            None | Some("NONE") => None,
            Some(_) if view.mode != "ATTRIBUTES" => {
                return wrong("only attributes can have a filter");
            }
            Some("OCTAHEDRAL") if matches!(stride, 4 | 8) => Some(ffi::meshopt_decodeFilterOct),
            Some("QUATERNION") if stride == 8 => Some(ffi::meshopt_decodeFilterQuat),
            Some("EXPONENTIAL") => Some(ffi::meshopt_decodeFilterExp),
            Some("COLOR") if matches!(stride, 4 | 8) => Some(ffi::meshopt_decodeFilterColor),
            Some(other) => {
                return wrong(&format!(
                    "the filter {other:?} is unknown or does not match the stride"
                ));
            }
        };
    let size = count.checked_mul(stride).ok_or("the data is too large")?;
    // u32 elements provide the alignment that the filters need for their 2- and 4-byte components.
    let mut unpacked = vec![0u32; size.div_ceil(4)];
    if count > 0 {
        // SAFETY: `unpacked` holds `count * stride` bytes and `packed` its own length; the decoders check the packed content
        // themselves, and stride and count were checked above.
        let rc = unsafe {
            decode(
                unpacked.as_mut_ptr().cast(),
                count,
                stride,
                packed.as_ptr(),
                packed.len(),
            )
        };
        if rc != 0 {
            return Err(format!("the compressed data is damaged (code {rc})"));
        }
        if let Some(filter) = filter {
            // SAFETY: `unpacked` holds the `count * stride` bytes that each filter works on in place, aligned to 4; the
            // stride was checked against the filter above.
            unsafe { filter(unpacked.as_mut_ptr().cast(), count, stride) };
        }
    }
    let mut bytes: Vec<u8> = bytemuck::cast_slice(&unpacked).to_vec();
    bytes.truncate(size);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;

    fn view(mode: &str, filter: Option<&str>, count: usize, stride: usize) -> CompressedView {
        CompressedView {
            buffer: Index::new(0),
            byte_offset: USize64(0),
            byte_length: USize64(0),
            byte_stride: stride,
            count,
            mode: mode.into(),
            filter: filter.map(Into::into),
        }
    }

    #[test]
    fn packed_attributes_and_indices_come_back() {
        let vertices: Vec<[f32; 3]> = (0..100).map(|i| [i as f32, 0.5, -1.0]).collect();
        let packed = meshopt::encode_vertex_buffer(&vertices).unwrap();
        let bytes = unpack(&view("ATTRIBUTES", None, 100, 12), &packed).unwrap();
        assert_eq!(bytes, bytemuck::cast_slice::<_, u8>(&vertices));

        let indices: Vec<u32> = (0..99).collect();
        let packed = meshopt::encode_index_buffer(&indices, 99).unwrap();
        let bytes = unpack(&view("TRIANGLES", None, 99, 2), &packed).unwrap();
        let back: Vec<u16> = bytemuck::pod_collect_to_vec(&bytes);
        // The codec may rotate the vertex order of a triangle.
        let mut sorted = back.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..99).collect::<Vec<u16>>());
    }

    #[test]
    fn the_exponential_filter_makes_floats() {
        // Exponent -1 in the top byte, mantissa 3: 1.5.
        let word = (0xFFu32 << 24) | 3;
        let packed = meshopt::encode_vertex_buffer(&[word; 4]).unwrap();
        let bytes = unpack(&view("ATTRIBUTES", Some("EXPONENTIAL"), 4, 4), &packed).unwrap();
        assert_eq!(bytemuck::pod_collect_to_vec::<u8, f32>(&bytes), [1.5; 4]);
    }

    #[test]
    fn the_octahedral_filter_makes_unit_normals_of_one_and_of_two_bytes() {
        let normals = [
            Vec3::X,
            Vec3::NEG_Z,
            Vec3::new(1.0, -2.0, 3.0).normalize(),
            Vec3::new(-0.3, 0.2, -0.9).normalize(),
        ]
        .map(|v| v.extend(1.0).to_array());
        let packed = meshopt::encode_vertex_buffer(&meshopt::encode_filter_oct::<i8>(&normals, 8));
        let bytes = unpack(
            &view("ATTRIBUTES", Some("OCTAHEDRAL"), 4, 4),
            &packed.unwrap(),
        );
        let short: Vec<[i8; 4]> = bytemuck::pod_collect_to_vec(&bytes.unwrap());
        let packed =
            meshopt::encode_vertex_buffer(&meshopt::encode_filter_oct::<i16>(&normals, 16));
        let bytes = unpack(
            &view("ATTRIBUTES", Some("OCTAHEDRAL"), 4, 8),
            &packed.unwrap(),
        );
        let long: Vec<[i16; 4]> = bytemuck::pod_collect_to_vec(&bytes.unwrap());
        for (i, normal) in normals.iter().enumerate() {
            for axis in 0..3 {
                let (short, long) = (short[i][axis], long[i][axis]);
                assert!(
                    (f32::from(short) / 127.0 - normal[axis]).abs() < 0.02,
                    "{i}"
                );
                assert!(
                    (f32::from(long) / 32_767.0 - normal[axis]).abs() < 1e-4,
                    "{i}"
                );
            }
        }
    }

    #[test]
    fn the_quaternion_filter_keeps_the_rotation() {
        let rotations = [
            Quat::IDENTITY,
            Quat::from_rotation_x(1.2),
            Quat::from_axis_angle(Vec3::new(1.0, 2.0, -3.0).normalize(), 2.8),
            Quat::from_rotation_z(-std::f32::consts::PI),
        ];
        let values = rotations.map(|q| q.to_array());
        let packed = meshopt::encode_vertex_buffer(&meshopt::encode_filter_quat(&values, 16));
        let bytes = unpack(
            &view("ATTRIBUTES", Some("QUATERNION"), 4, 8),
            &packed.unwrap(),
        );
        let back: Vec<[i16; 4]> = bytemuck::pod_collect_to_vec(&bytes.unwrap());
        for (back, rotation) in back.iter().zip(rotations) {
            // The filter may negate all four components: the same rotation.
            let back = Quat::from_array(back.map(|x| f32::from(x) / 32_767.0));
            assert!(back.dot(rotation).abs() > 0.9999, "{back} {rotation}");
            assert!((back.length() - 1.0).abs() < 1e-3);
        }
    }

    #[test]
    fn damaged_data_and_invalid_sizes_give_an_error() {
        assert!(unpack(&view("ATTRIBUTES", None, 100, 12), &[0xA0; 40]).is_err());
        assert!(unpack(&view("ATTRIBUTES", None, 1, 300), &[]).is_err());
        assert!(unpack(&view("ATTRIBUTES", None, 1, 6), &[]).is_err());
        assert!(unpack(&view("ATTRIBUTES", Some("OCTAHEDRAL"), 1, 12), &[]).is_err());
        assert!(unpack(&view("TRIANGLES", None, 4, 2), &[]).is_err());
        assert!(unpack(&view("INDICES", Some("COLOR"), 4, 4), &[]).is_err());
        assert!(unpack(&view("WHAT", None, 4, 4), &[]).is_err());
    }
}
