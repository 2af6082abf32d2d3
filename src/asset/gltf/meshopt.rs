//! Unpacks buffer views of EXT_meshopt_compression and KHR_meshopt_compression.
//!
//! The decoders are C++ and safe for any *content*, but they assert on sizes; every size is checked
//! here before the call. The caller has charged `count * byte_stride` to the budget.

use std::ffi::{c_int, c_void};

use meshopt::ffi;

use super::document::MeshoptView;

/// Unpacks one view: `count * byte_stride` bytes.
pub fn unpack(view: &MeshoptView, packed: &[u8]) -> Result<Vec<u8>, String> {
    let (count, stride) = (view.count.0, view.byte_stride.0);
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
            other => return Err(format!("the mode {other:?} is not known")),
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
            Some(other) => return wrong(&format!("the filter {other:?} does not fit")),
        };
    let size = count.checked_mul(stride).ok_or("it is too large")?;
    // u32 elements give the alignment that the filters want for their 2- and 4-byte parts.
    let mut unpacked = vec![0u32; size.div_ceil(4)];
    if count > 0 {
        // SAFETY: `unpacked` holds `count * stride` bytes and `packed` its own length; the decoders
        // check the packed content themselves, and stride and count were checked above.
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
            return Err(format!("its compressed data is damaged (code {rc})"));
        }
        if let Some(filter) = filter {
            // SAFETY: as above; each filter works in place on `count * stride` bytes.
            unsafe { filter(unpacked.as_mut_ptr().cast(), count, stride) };
        }
    }
    let mut bytes: Vec<u8> = bytemuck::cast_slice(&unpacked).to_vec();
    bytes.truncate(size);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::document::Whole;
    use super::*;

    fn view(mode: &str, filter: Option<&str>, count: usize, stride: usize) -> MeshoptView {
        MeshoptView {
            buffer: Whole(0),
            byte_offset: Whole(0),
            byte_length: Whole(0),
            byte_stride: Whole(stride),
            count: Whole(count),
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
        // The codec may rotate the corners of a triangle.
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
    fn damaged_data_and_sizes_the_decoder_cannot_take_are_refused() {
        assert!(unpack(&view("ATTRIBUTES", None, 100, 12), &[0xA0; 40]).is_err());
        assert!(unpack(&view("ATTRIBUTES", None, 1, 300), &[]).is_err());
        assert!(unpack(&view("ATTRIBUTES", None, 1, 6), &[]).is_err());
        assert!(unpack(&view("ATTRIBUTES", Some("OCTAHEDRAL"), 1, 12), &[]).is_err());
        assert!(unpack(&view("TRIANGLES", None, 4, 2), &[]).is_err());
        assert!(unpack(&view("INDICES", Some("COLOR"), 4, 4), &[]).is_err());
        assert!(unpack(&view("WHAT", None, 4, 4), &[]).is_err());
    }
}
