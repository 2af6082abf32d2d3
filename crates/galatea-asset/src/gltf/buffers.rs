//! Buffers and buffer views: checked byte ranges and unpacked compressed views.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use gltf::json::validation::USize64;
use gltf::json::{Buffer, Index, Root, buffer};
use serde::Deserialize;

use super::error::{LoadFault, Warnings};
use super::external::{External, SharedBytes, shorten};
use super::lenient;
use super::meshopt::{self, CompressedView};
use super::plain_json::JsonObject;

/// Converts a size or an offset of the file to `usize`.
pub fn size(written: USize64) -> usize {
    usize::try_from(written.0).unwrap_or(usize::MAX)
}

/// Base of the limit of decoded bytes of a file; a multiple of the input size is added.
const BUDGET_BASE: usize = 128 << 20;
const BUDGET_PER_BYTE: usize = 32;

/// Decoded bytes that are still allowed. A small file may refer to the same data thousands of times or request billions of
/// zeros; this budget limits the memory allocated for it.
#[derive(Debug)]
pub struct DecodeBudget(AtomicUsize);

impl DecodeBudget {
    /// Budget for `input` bytes of files.
    pub(crate) fn for_input(input: usize) -> Self {
        Self(AtomicUsize::new(
            input
                .saturating_mul(BUDGET_PER_BYTE)
                .saturating_add(BUDGET_BASE),
        ))
    }

    /// Subtracts `count` elements of `size` bytes from the budget.
    pub fn charge(&self, count: usize, size: usize) -> Result<(), String> {
        let bytes = count.saturating_mul(size);
        let take = |left: usize| left.checked_sub(bytes);
        match self.0.fetch_update(Relaxed, Relaxed, take) {
            Ok(_) => Ok(()),
            Err(_) => Err(format!(
                "{count} elements of {size} bytes are too much for a file of this size"
            )),
        }
    }
}

/// A readable buffer view: its bytes, and the stride if the view has one.
#[derive(Clone, Copy, Debug)]
pub struct BufferView<'a> {
    pub bytes: &'a [u8],
    pub stride: Option<usize>,
}

/// Bytes of an unpacked view, and their stride.
type Unpacked = (Vec<u8>, usize);

/// Buffers of the document, with unpacked views.
#[derive(Debug)]
pub struct Buffers {
    /// `None` for a buffer without data: a placeholder, legal unless it is read.
    buffers: Vec<Option<SharedBytes>>,
    /// Unpacked data of each compressed view.
    unpacked: Vec<Option<Result<Unpacked, String>>>,
    pub budget: DecodeBudget,
}

impl Buffers {
    /// Fetches all buffers and unpacks compressed views.
    pub fn fetch(
        document: &Root,
        bin: Option<&[u8]>,
        external: &mut External<'_>,
        warnings: &Warnings,
    ) -> Result<Self, LoadFault> {
        let mut buffers = Vec::with_capacity(document.buffers.len());
        for (i, buffer) in document.buffers.iter().enumerate() {
            let bytes: Option<SharedBytes> = match (&buffer.uri, bin) {
                (Some(uri), _) => {
                    Some(external.fetch(uri).map_err(|cause| LoadFault::External {
                        uri: shorten(uri),
                        cause,
                    })?)
                }
                (None, Some(bin)) if i == 0 => Some(bin.into()),
                (None, _) => None,
            };
            if let Some(bytes) = &bytes
                && bytes.len() < size(buffer.byte_length)
            {
                warnings.add(format!(
                    "buffer {i} declares {} bytes but contains {}",
                    buffer.byte_length.0,
                    bytes.len()
                ));
            }
            buffers.push(bytes);
        }
        let mut all = Self {
            buffers,
            unpacked: Vec::new(),
            budget: DecodeBudget::for_input(external.total_bytes()),
        };
        let unpacked = document.buffer_views.iter().map(|view| {
            let others = &view.extensions.as_ref()?.others;
            let extension = ["KHR_meshopt_compression", "EXT_meshopt_compression"]
                .iter()
                .find_map(|name| others.get(*name))?;
            Some(all.unpack(extension))
        });
        all.unpacked = unpacked.collect();
        Ok(all)
    }

    fn unpack(&self, extension: &serde_json::Value) -> Result<Unpacked, String> {
        let view = CompressedView::deserialize(extension).map_err(|error| {
            let none = JsonObject::new();
            let cause = lenient::cause::<CompressedView>(extension, &none, &error);
            format!("the compression settings are invalid: {cause}")
        })?;
        let bytes = self.range(view.buffer, view.byte_offset, view.byte_length)?;
        self.budget.charge(view.count, view.byte_stride)?;
        Ok((meshopt::unpack(&view, bytes)?, view.byte_stride))
    }

    fn range(
        &self,
        buffer: Index<Buffer>,
        offset: USize64,
        length: USize64,
    ) -> Result<&[u8], String> {
        let start = size(offset);
        let bytes = self
            .buffers
            .get(buffer.value())
            .ok_or_else(|| format!("buffer {buffer} does not exist"))?
            .as_ref()
            .ok_or_else(|| format!("buffer {buffer} has no data"))?;
        bytes
            .get(start..start.saturating_add(size(length)))
            .ok_or_else(|| {
                format!(
                    "it needs {} bytes from byte {start} of buffer {buffer}, which has {}",
                    length.0,
                    bytes.len()
                )
            })
    }

    /// The view with this index.
    pub fn view(
        &self,
        document: &Root,
        index: Index<buffer::View>,
    ) -> Result<BufferView<'_>, String> {
        let view = document
            .buffer_views
            .get(index.value())
            .ok_or_else(|| format!("buffer view {index} does not exist"))?;
        if let Some(Some(unpacked)) = self.unpacked.get(index.value()) {
            let (bytes, stride) = unpacked
                .as_ref()
                .map_err(|cause| format!("compressed buffer view {index}: {cause}"))?;
            return Ok(BufferView {
                bytes,
                stride: view.byte_stride.map(|_| *stride),
            });
        }
        Ok(BufferView {
            bytes: self
                .range(
                    view.buffer,
                    view.byte_offset.unwrap_or_default(),
                    view.byte_length,
                )
                .map_err(|cause| format!("buffer view {index}: {cause}"))?,
            stride: view.byte_stride.map(|stride| stride.0),
        })
    }
}
