//! Reads accessors into arrays (glTF 2.0 §3.6.2): all component types, strides, normalised integers, sparse substitution.
//! Every range is checked before the first byte is read.

use gltf::json::accessor::{ComponentType as Component, Type};
use gltf::json::validation::Checked;
use gltf::json::{Accessor, Index, Root};

use super::buffers::{Buffers, size};
use super::error::Warnings;

/// Document and buffers that all parts of the loader read from.
#[derive(Clone, Copy, Debug)]
pub struct GltfSource<'a> {
    pub document: &'a Root,
    pub buffers: &'a Buffers,
    pub warnings: &'a Warnings,
}

/// Conversion of integers to floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integers {
    /// Divided by their range if the accessor is `normalized`.
    AsMarked,
    /// Always divided by their range, for colours, weights and rotations.
    Normalised,
}

/// Converts a component to a float; missing bytes read as zero.
fn float(component: Component, b: &[u8], normalised: bool) -> f32 {
    let (value, range) = match component {
        Component::I8 => (f32::from(i8::from_le_bytes(take(b))), 127.0),
        Component::U8 => (f32::from(u8::from_le_bytes(take(b))), 255.0),
        Component::I16 => (f32::from(i16::from_le_bytes(take(b))), 32_767.0),
        Component::U16 => (f32::from(u16::from_le_bytes(take(b))), 65_535.0),
        Component::U32 => (u32::from_le_bytes(take(b)) as f32, u32::MAX as f32),
        Component::F32 => return f32::from_le_bytes(take(b)),
    };
    if normalised {
        (value / range).max(-1.0)
    } else {
        value
    }
}

fn integer(component: Component, b: &[u8]) -> u32 {
    match component {
        Component::U8 => u32::from(u8::from_le_bytes(take(b))),
        Component::U16 => u32::from(u16::from_le_bytes(take(b))),
        _ => u32::from_le_bytes(take(b)),
    }
}

/// First `N` bytes, padded with zeros.
fn take<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    for (to, from) in out.iter_mut().zip(bytes) {
        *to = *from;
    }
    out
}

fn component_of(accessor: &Accessor) -> Result<Component, String> {
    match accessor.component_type {
        Checked::Valid(component) => Ok(component.0),
        Checked::Invalid => Err("the accessor has an unknown component type".into()),
    }
}

fn type_of(accessor: &Accessor) -> Result<Type, String> {
    match accessor.type_ {
        Checked::Valid(kind) => Ok(kind),
        Checked::Invalid => Err("the accessor has an unknown type".into()),
    }
}

impl<'a> GltfSource<'a> {
    fn accessor(&self, index: Index<Accessor>) -> Result<&'a Accessor, String> {
        let accessors = &self.document.accessors;
        accessors
            .get(index.value())
            .ok_or_else(|| format!("accessor {index} does not exist"))
    }

    /// Components per element of an accessor.
    pub fn components(&self, index: Index<Accessor>) -> Result<usize, String> {
        let kind = type_of(self.accessor(index)?);
        kind.map(|kind| kind.multiplicity())
            .map_err(|cause| format!("accessor {index}: {cause}"))
    }

    /// Reads elements of `N` numbers as floats. Values may be NaN or infinite.
    pub fn floats<const N: usize>(
        &self,
        index: Index<Accessor>,
        integers: Integers,
    ) -> Result<Vec<[f32; N]>, String> {
        let accessor = self.accessor(index)?;
        let normalised = integers == Integers::Normalised || accessor.normalized;
        self.read(accessor, |component, bytes| {
            float(component, bytes, normalised)
        })
        .map_err(|cause| format!("accessor {index}: {cause}"))
    }

    /// Reads elements of `N` unsigned integers.
    pub fn integers<const N: usize>(
        &self,
        index: Index<Accessor>,
    ) -> Result<Vec<[u32; N]>, String> {
        let accessor = self.accessor(index)?;
        match component_of(accessor) {
            Ok(Component::U8 | Component::U16 | Component::U32) => self.read(accessor, integer),
            Ok(other) => Err(format!("expected unsigned integers, got {other:?}")),
            Err(cause) => Err(cause),
        }
        .map_err(|cause| format!("accessor {index}: {cause}"))
    }

    fn read<const N: usize, T: Copy + Default>(
        &self,
        accessor: &Accessor,
        convert: impl Fn(Component, &[u8]) -> T,
    ) -> Result<Vec<[T; N]>, String> {
        let component = component_of(accessor)?;
        let kind = type_of(accessor)?;
        if kind.multiplicity() != N || kind == Type::Mat2 {
            let kind = format!("{kind:?}").to_uppercase();
            return Err(format!(
                "the accessor has the type {kind}; expected {N} numbers per element"
            ));
        }
        let count = size(accessor.count);
        let width = component.size() * N;
        let element = |bytes: &[u8]| -> [T; N] {
            let mut parts = bytes.chunks(component.size());
            std::array::from_fn(|_| convert(component, parts.next().unwrap_or_default()))
        };

        // Check bounds first, so that a false count allocates nothing.
        let dense = match accessor.buffer_view {
            None => None,
            Some(view) => {
                let view = self.buffers.view(self.document, view)?;
                let stride = view.stride.unwrap_or(width);
                let offset = size(accessor.byte_offset.unwrap_or_default());
                let bytes = strided(view.bytes, offset, count, width, stride)?;
                Some((bytes, stride))
            }
        };
        self.buffers.budget.charge(count, size_of::<[T; N]>())?;
        let mut out = match dense {
            None => vec![[T::default(); N]; count],
            Some((bytes, stride)) => (0..count)
                .map(|i| element(bytes.get(i * stride..).unwrap_or_default()))
                .collect(),
        };

        if let Some(sparse) = &accessor.sparse {
            let n = size(sparse.count);
            let Checked::Valid(index_type) = sparse.indices.component_type else {
                return Err("the sparse indices are not unsigned integers".into());
            };
            let index_type = index_type.0;
            self.buffers.budget.charge(n, width)?;
            let indices = self
                .buffers
                .view(self.document, sparse.indices.buffer_view)?;
            let values = self
                .buffers
                .view(self.document, sparse.values.buffer_view)?;
            let index_width = index_type.size();
            let offset = size(sparse.indices.byte_offset);
            let indices = strided(indices.bytes, offset, n, index_width, index_width)?;
            let offset = size(sparse.values.byte_offset);
            let values = strided(values.bytes, offset, n, width, width)?;
            for (index, value) in indices
                .chunks(index_width)
                .zip(values.chunks(width))
                .take(n)
            {
                let at = integer(index_type, index) as usize;
                *out.get_mut(at).ok_or_else(|| {
                    format!(
                        "the sparse index {at} is out of range; the accessor has {count} elements"
                    )
                })? = element(value);
            }
        }
        Ok(out)
    }
}

/// Bytes of `count` elements of `size` bytes, `stride` apart, beginning at `offset`.
fn strided(
    bytes: &[u8],
    offset: usize,
    count: usize,
    size: usize,
    stride: usize,
) -> Result<&[u8], String> {
    if count == 0 {
        return Ok(&[]);
    }
    if stride < size {
        return Err(format!(
            "elements of {size} bytes overlap: the byte stride is {stride}"
        ));
    }
    let end = (count - 1)
        .checked_mul(stride)
        .and_then(|n| n.checked_add(size))
        .and_then(|n| n.checked_add(offset));
    end.and_then(|end| bytes.get(offset..end)).ok_or_else(|| {
        format!(
            "{count} elements of {size} bytes from byte {offset} do not fit into the buffer view of {} bytes",
            bytes.len()
        )
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::external::External;
    use super::super::mend;
    use super::*;

    /// Runs `test` on a document with these accessors and views over one buffer.
    fn with<R>(bytes: &[u8], views: Value, accessors: Value, test: impl Fn(&GltfSource) -> R) -> R {
        let warnings = Warnings::default();
        let document = json!({
            "asset": {"version": "2.0"}, "buffers": [{"byteLength": bytes.len()}],
            "bufferViews": views, "accessors": accessors,
        });
        let text = document.to_string();
        let document = mend::document(mend::Members::split(&text).unwrap(), &warnings).unwrap();
        let mut read = |_: &str| Err(String::new());
        let mut external = External::new(bytes, &mut read);
        let buffers = Buffers::fetch(&document, Some(bytes), &mut external, &warnings).unwrap();
        test(&GltfSource {
            document: &document,
            buffers: &buffers,
            warnings: &warnings,
        })
    }

    #[test]
    fn strides_and_offsets_are_followed() {
        with(
            &[9, 1, 2, 9, 9, 3, 4],
            json!([{"buffer": 0, "byteLength": 7, "byteStride": 4}]),
            json!([{"bufferView": 0, "byteOffset": 1, "componentType": 5121, "count": 2,
                    "type": "VEC2"}]),
            |source| {
                let read: Vec<[u32; 2]> = source.integers(Index::new(0)).unwrap();
                assert_eq!(read, [[1, 2], [3, 4]]);
            },
        );
    }

    #[test]
    fn normalised_integers_reach_both_ends_of_their_range() {
        with(
            &[0x80, 0x7F, 0xFF, 0x00],
            json!([{"buffer": 0, "byteLength": 4}]),
            json!([{"bufferView": 0, "componentType": 5120, "count": 2, "type": "SCALAR",
                    "normalized": true},
                   {"bufferView": 0, "componentType": 5121, "count": 4, "type": "SCALAR"}]),
            |source| {
                let signed: Vec<[f32; 1]> =
                    source.floats(Index::new(0), Integers::AsMarked).unwrap();
                assert_eq!(signed, [[-1.0], [1.0]]);
                let unsigned = source
                    .floats::<1>(Index::new(1), Integers::Normalised)
                    .unwrap();
                assert_eq!(unsigned[2..], [[1.0], [0.0]]);
                let plain = source
                    .floats::<1>(Index::new(1), Integers::AsMarked)
                    .unwrap();
                assert_eq!(plain[2], [255.0]);
            },
        );
    }

    #[test]
    fn a_sparse_accessor_without_a_view_is_zero_elsewhere() {
        with(
            &[1, 0, 7, 0],
            json!([{"buffer": 0, "byteLength": 1}, {"buffer": 0, "byteOffset": 2, "byteLength": 2}]),
            json!([{"componentType": 5123, "count": 3, "type": "SCALAR", "sparse": {"count": 1,
                    "indices": {"bufferView": 0, "componentType": 5121},
                    "values": {"bufferView": 1}}}]),
            |source| {
                let read: Vec<[u32; 1]> = source.integers(Index::new(0)).unwrap();
                assert_eq!(read, [[0], [7], [0]]);
            },
        );
    }

    #[test]
    fn ranges_outside_the_data_give_an_error() {
        with(
            &[0; 12],
            json!([{"buffer": 0, "byteLength": 12}, {"buffer": 0, "byteLength": 13},
                   {"buffer": 7, "byteLength": 1}, {"buffer": 0, "byteLength": 12, "byteStride": 4}]),
            json!([
                {"bufferView": 0, "componentType": 5126, "count": 2, "type": "VEC3"},
                {"bufferView": 1, "componentType": 5126, "count": 1, "type": "VEC3"},
                {"bufferView": 2, "componentType": 5126, "count": 1, "type": "VEC3"},
                {"bufferView": 3, "componentType": 5126, "count": 1, "type": "VEC3"},
                {"componentType": 5126, "count": 4_000_000_000_u64, "type": "VEC3"},
                {"bufferView": 0, "componentType": 1, "count": 1, "type": "VEC3"},
                {"bufferView": 0, "componentType": 5126, "count": 1, "type": "VEC3",
                 "sparse": {"count": 1, "indices": {"bufferView": 0, "componentType": 5126},
                            "values": {"bufferView": 0}}, "byteOffset": usize::MAX},
                {"bufferView": 9, "componentType": 5126, "count": 1, "type": "VEC3"},
                {"bufferView": 0, "componentType": 5126, "count": 1, "type": "VEC4"},
            ]),
            |source| {
                for i in 0..9 {
                    let error = source
                        .floats::<3>(Index::new(i), Integers::AsMarked)
                        .unwrap_err();
                    assert!(error.starts_with(&format!("accessor {i}: ")), "{error}");
                }
                assert!(
                    source
                        .floats::<3>(Index::new(9), Integers::AsMarked)
                        .is_err()
                );
            },
        );
    }
}
