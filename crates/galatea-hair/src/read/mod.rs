//! Strands from files: the book's, TressFX's and Yuksel's. Bytes in, strands out; every error names the byte or the line.

mod book;
mod bytes;
mod tfx;
mod tfx_text;
mod yuksel;

use super::groom::{Groom, GroomError};

/// A kind of file of strands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrandFormat {
    /// Table 15.1 of the book (HR-10): `.hair`.
    Book,
    /// TressFX 4: `.tfx` in binary.
    TressFx,
    /// TressFX 1 to 3: `.tfx` in text.
    TressFxText,
    /// Cem Yuksel's: `.hair` that begins with `HAIR`.
    Yuksel,
}

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReadError {
    /// The file ends before what it announces.
    #[error(
        "{what} should go on to byte {wanted}, but the file has {there} bytes; it may be cut off"
    )]
    Short {
        /// What was being read.
        what: String,
        /// Bytes that there should be.
        wanted: u64,
        /// Bytes that there are.
        there: usize,
    },
    /// A number in it makes no sense.
    #[error("byte {at}: {what}")]
    Wrong {
        /// Where.
        at: usize,
        /// What, and what was expected.
        what: String,
    },
    /// A line of a text file is wrong.
    #[error("line {line}: {what}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// The fault, and the expected form.
        what: String,
    },
    /// There is no hair in it.
    #[error(transparent)]
    Groom(#[from] GroomError),
}

impl StrandFormat {
    /// What a file is, by its name's ending and its first bytes.
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
    /// When the file is cut off, a number in it makes no sense, or no strand is left.
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

/// What was read, and what of it was odd.
type ReadStrands = (Vec<Vec<glam::Vec3>>, Vec<String>);
