//! Reads accessors into arrays (glTF 2.0 §3.6.2): all component types, strides, normalised
//! integers, sparse substitution; every range checked before the first byte is read.

use super::buffers::Buffers;
use super::document::{Accessor, Document, Whole};
use super::error::Warnings;

/// What all parts of the loader read from.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    pub document: &'a Document,
    pub buffers: &'a Buffers,
    pub warnings: &'a Warnings,
}

/// How integers become floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integers {
    /// Divided by their range where the accessor says `normalized`.
    AsMarked,
    /// Always divided by their range: colours, weights and rotations make no sense otherwise.
    Normalised,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn from_code(code: Whole) -> Result<Self, String> {
        Ok(match code.0 {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            other => return Err(format!("the component type {other} is not known")),
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The component as a float; `b` holds at least `size` bytes, missing ones read as zero.
    fn float(self, b: &[u8], normalised: bool) -> f32 {
        let (value, range) = match self {
            Self::I8 => (f32::from(i8::from_le_bytes(take(b))), 127.0),
            Self::U8 => (f32::from(u8::from_le_bytes(take(b))), 255.0),
            Self::I16 => (f32::from(i16::from_le_bytes(take(b))), 32_767.0),
            Self::U16 => (f32::from(u16::from_le_bytes(take(b))), 65_535.0),
            Self::U32 => (u32::from_le_bytes(take(b)) as f32, u32::MAX as f32),
            Self::F32 => return f32::from_le_bytes(take(b)),
        };
        if normalised {
            (value / range).max(-1.0)
        } else {
            value
        }
    }

    fn integer(self, b: &[u8]) -> u32 {
        match self {
            Self::U8 => u32::from(u8::from_le_bytes(take(b))),
            Self::U16 => u32::from(u16::from_le_bytes(take(b))),
            _ => u32::from_le_bytes(take(b)),
        }
    }
}

/// The first `N` bytes, zeros where there are fewer.
fn take<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    for (to, from) in out.iter_mut().zip(bytes) {
        *to = *from;
    }
    out
}

fn components_of(kind: &str) -> Result<usize, String> {
    Ok(match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" | "MAT2" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        other => return Err(format!("the type {other:?} is not known")),
    })
}

impl<'a> Source<'a> {
    fn accessor(&self, index: Whole) -> Result<&'a Accessor, String> {
        self.document
            .accessors
            .get(index.0)
            .ok_or_else(|| format!("accessor {} does not exist", index.0))
    }

    /// Components per element of an accessor.
    pub fn components(&self, index: Whole) -> Result<usize, String> {
        components_of(&self.accessor(index)?.kind)
            .map_err(|cause| format!("accessor {}: {cause}", index.0))
    }

    /// Reads elements of `N` numbers as floats. Values may be NaN or infinite.
    pub fn floats<const N: usize>(
        &self,
        index: Whole,
        integers: Integers,
    ) -> Result<Vec<[f32; N]>, String> {
        let accessor = self.accessor(index)?;
        let normalised = integers == Integers::Normalised || accessor.normalized;
        self.read(accessor, |component, bytes| {
            component.float(bytes, normalised)
        })
        .map_err(|cause| format!("accessor {}: {cause}", index.0))
    }

    /// Reads elements of `N` unsigned integers.
    pub fn integers<const N: usize>(&self, index: Whole) -> Result<Vec<[u32; N]>, String> {
        let accessor = self.accessor(index)?;
        match Component::from_code(accessor.component_type) {
            Ok(Component::U8 | Component::U16 | Component::U32) => {
                self.read(accessor, Component::integer)
            }
            Ok(other) => Err(format!("{other:?} where unsigned integers belong")),
            Err(cause) => Err(cause),
        }
        .map_err(|cause| format!("accessor {}: {cause}", index.0))
    }

    fn read<const N: usize, T: Copy + Default>(
        &self,
        accessor: &Accessor,
        convert: impl Fn(Component, &[u8]) -> T,
    ) -> Result<Vec<[T; N]>, String> {
        let component = Component::from_code(accessor.component_type)?;
        let components = components_of(&accessor.kind)?;
        if components != N || accessor.kind == "MAT2" {
            return Err(format!(
                "its type is {}, {N} numbers are needed",
                accessor.kind
            ));
        }
        let count = accessor.count.0;
        let size = component.size() * N;
        let element = |bytes: &[u8]| -> [T; N] {
            let mut parts = bytes.chunks(component.size());
            std::array::from_fn(|_| convert(component, parts.next().unwrap_or_default()))
        };

        // Bounds first, so that a false count allocates nothing.
        let dense = match accessor.buffer_view {
            None => None,
            Some(view) => {
                let view = self.buffers.view(self.document, view)?;
                let stride = view.stride.unwrap_or(size);
                let bytes = strided(view.bytes, accessor.byte_offset.0, count, size, stride)?;
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
            let n = sparse.count.0;
            let index_type = Component::from_code(sparse.indices.component_type)?;
            if !matches!(index_type, Component::U8 | Component::U16 | Component::U32) {
                return Err(format!("its sparse indices are {index_type:?}"));
            }
            self.buffers.budget.charge(n, size)?;
            let indices = self
                .buffers
                .view(self.document, sparse.indices.buffer_view)?;
            let values = self
                .buffers
                .view(self.document, sparse.values.buffer_view)?;
            let width = index_type.size();
            let indices = strided(indices.bytes, sparse.indices.byte_offset.0, n, width, width)?;
            let values = strided(values.bytes, sparse.values.byte_offset.0, n, size, size)?;
            for (index, value) in indices.chunks(width).zip(values.chunks(size)).take(n) {
                let at = index_type.integer(index) as usize;
                *out.get_mut(at).ok_or_else(|| {
                    format!("a sparse index is {at}, there are {count} elements")
                })? = element(value);
            }
        }
        Ok(out)
    }
}

/// The bytes of `count` elements of `size` bytes, `stride` apart, beginning at `offset`.
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
            "its elements of {size} bytes overlap, they lie {stride} bytes apart"
        ));
    }
    let end = (count - 1)
        .checked_mul(stride)
        .and_then(|n| n.checked_add(size))
        .and_then(|n| n.checked_add(offset));
    end.and_then(|end| bytes.get(offset..end)).ok_or_else(|| {
        format!(
            "{count} elements of {size} bytes from byte {offset} do not fit into the {} bytes of its \
             buffer view",
            bytes.len()
        )
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::external::External;
    use super::*;

    /// Runs `test` on a document with these accessors and views over one buffer.
    fn with<R>(bytes: &[u8], views: Value, accessors: Value, test: impl Fn(&Source) -> R) -> R {
        let document: Document = serde_json::from_value(json!({
            "asset": {"version": "2.0"}, "buffers": [{"byteLength": bytes.len()}],
            "bufferViews": views, "accessors": accessors,
        }))
        .unwrap();
        let warnings = Warnings::default();
        let mut read = |_: &str| Err(String::new());
        let mut external = External::new(bytes, &mut read);
        let buffers = Buffers::fetch(&document, Some(bytes), &mut external, &warnings).unwrap();
        test(&Source {
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
                let read: Vec<[u32; 2]> = source.integers(Whole(0)).unwrap();
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
                let signed: Vec<[f32; 1]> = source.floats(Whole(0), Integers::AsMarked).unwrap();
                assert_eq!(signed, [[-1.0], [1.0]]);
                let unsigned = source.floats::<1>(Whole(1), Integers::Normalised).unwrap();
                assert_eq!(unsigned[2..], [[1.0], [0.0]]);
                let plain = source.floats::<1>(Whole(1), Integers::AsMarked).unwrap();
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
                let read: Vec<[u32; 1]> = source.integers(Whole(0)).unwrap();
                assert_eq!(read, [[0], [7], [0]]);
            },
        );
    }

    #[test]
    fn ranges_outside_the_data_are_refused_in_words() {
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
                        .floats::<3>(Whole(i), Integers::AsMarked)
                        .unwrap_err();
                    assert!(error.starts_with(&format!("accessor {i}: ")), "{error}");
                }
                assert!(source.floats::<3>(Whole(9), Integers::AsMarked).is_err());
            },
        );
    }
}
