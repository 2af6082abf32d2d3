//! Strand files: the book's format, TressFX and Yuksel's HAIR. Every error names the byte or the line.

mod book;
mod bytes;
mod tfx;
mod tfx_text;
mod yuksel;

use super::groom::{Groom, GroomError};

/// A format of strand files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrandFormat {
    /// Table 15.1 of the book: `.hair`.
    Book,
    /// TressFX 4: `.tfx` in binary.
    TressFx,
    /// TressFX 1 to 3: `.tfx` as text.
    TressFxText,
    /// Cem Yuksel's format: `.hair` that begins with `HAIR`.
    Yuksel,
}

/// Errors of reading a strand file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReadError {
    /// The file is shorter than its header says.
    #[error(
        "the file has {there} bytes, but {what} should end at byte {wanted}; it may be cut off"
    )]
    Short {
        /// Data that was being read.
        what: String,
        /// Expected number of bytes.
        wanted: u64,
        /// Actual number of bytes.
        there: usize,
    },
    /// A number is invalid.
    #[error("byte {at}: {what}")]
    Wrong {
        /// Byte offset.
        at: usize,
        /// The error, and the expected value.
        what: String,
    },
    /// A line of a text file is invalid.
    #[error("line {line}: {what}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// The error, and the expected form.
        what: String,
    },
    /// The file contains no hair.
    #[error(transparent)]
    Groom(#[from] GroomError),
}

impl StrandFormat {
    /// Detects the format from the file extension and the first bytes.
    pub fn of(extension: &str, bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(yuksel::SIGNATURE) {
            return Some(Self::Yuksel);
        }
        match extension.to_ascii_lowercase().as_str() {
            "tfx" if tfx_text::is_text(bytes) => Some(Self::TressFxText),
            "tfx" => Some(Self::TressFx),
            "hair" => Some(Self::Book),
            _ => None,
        }
    }

    /// Reads strands, in the file's own units and axes.
    ///
    /// # Errors
    /// If the file is truncated, a number is invalid, or no strand remains.
    pub fn read(self, bytes: &[u8]) -> Result<Groom, ReadError> {
        let (strands, warnings) = match self {
            Self::Book => book::read(bytes)?,
            Self::TressFx => tfx::read(bytes)?,
            Self::TressFxText => tfx_text::read(bytes)?,
            Self::Yuksel => yuksel::read(bytes)?,
        };
        let mut groom = Groom::new(strands)?;
        groom.warnings.splice(0..0, warnings);
        Ok(groom)
    }
}

/// Strands, and warnings.
type ReadStrands = (Vec<Vec<glam::Vec3>>, Vec<String>);
