//! Errors that prevent loading, and the list of warnings about repairs.

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::PathBuf;

use crate::import::FORMATS;
pub(super) use crate::name_words::call;
use galatea_math::data_fault::DataFault;

/// Error: a file cannot be loaded.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {fault}")]
pub struct ModelLoadError {
    /// File name as given by the caller.
    pub file: String,
    /// Cause of the error.
    pub fault: LoadFault,
    /// The file and every file that it requested before the error, including missing ones. A change of one of them is
    /// worth another try. Empty for a model loaded from memory.
    pub sources: Vec<PathBuf>,
}

/// Cause that prevents loading. Each message states the problem and, if known, a fix.
#[derive(Debug, thiserror::Error)]
pub enum LoadFault {
    /// The file itself could not be read.
    #[error("{0}")]
    Unreadable(String),
    /// A motion capture file with an error in a line.
    #[error("{0}")]
    Motion(String),
    /// A file of another format that cannot be converted to glTF.
    #[error("the {format} file cannot be read: {cause}")]
    Foreign {
        /// Name of the format.
        format: &'static str,
        /// Location and cause.
        cause: String,
    },
    /// A file of an unsupported format.
    #[error(".{0} is not supported; formats: {FORMATS}")]
    Unsupported(String),
    /// Neither a GLB nor a JSON document.
    #[error("not a GLB or glTF file: {0}; export it as glTF 2.0")]
    NotGltf(String),
    /// The file is shorter than its header says.
    #[error(
        "the file has {has} bytes, but its header declares {says}; it was cut off, copy or export it again"
    )]
    Truncated {
        /// Bytes found.
        has: usize,
        /// Bytes according to the header.
        says: usize,
    },
    /// The GLB container is damaged in another way.
    #[error("the GLB container is damaged: {0}; export the file again")]
    Container(String),
    /// The JSON is not JSON, or a field has the wrong type.
    #[error("the glTF JSON is not valid: {0}; export the file again")]
    Json(String),
    /// An unsupported version of the format.
    #[error("glTF version {0} is not supported; export it as glTF 2.0")]
    Version(String),
    /// An extension that is required to show the file.
    #[error("requires the extension {name}, which Galatea does not support: {advice}")]
    RequiredExtension {
        /// Name of the extension.
        name: String,
        /// Advice for the user.
        advice: &'static str,
    },
    /// A referenced file is missing or not allowed.
    #[error("refers to `{uri}`, which cannot be used: {cause}")]
    External {
        /// URI as written in the file, shortened.
        uri: String,
        /// Cause.
        cause: String,
    },
    /// The nodes do not form trees, or there are too many.
    #[error("the node hierarchy is invalid: {0}")]
    Nodes(String),
    /// Data of a mesh or skin cannot be read.
    #[error("{what}: {cause}")]
    Data {
        /// Name of the mesh, skin or primitive.
        what: String,
        /// Cause.
        cause: String,
    },
}

impl LoadFault {
    /// The text of the document is not JSON.
    pub(super) fn json(error: &serde_json::Error) -> Self {
        Self::Json(DataFault::of_json(&error.to_string()).to_string())
    }

    /// A part of the document, such as `nodes[0]`, is not valid.
    pub(super) fn json_part(part: &str, error: &serde_json::Error) -> Self {
        Self::Json(format!("{part}: {}", cause_in_part(error)))
    }

    /// An error in the data of `what`.
    pub(super) fn data(what: impl Into<String>, cause: impl Into<String>) -> Self {
        Self::Data {
            what: what.into(),
            cause: cause.into(),
        }
    }
}

/// The cause of an error in a part of the document, without the position, which counts from the start of the part.
pub(super) fn cause_in_part(error: &serde_json::Error) -> String {
    DataFault::of_json(&error.to_string()).problem
}

/// Limit of the total length of warnings; a broken file may cause one per line.
const MAX_WARNING_BYTES: usize = 64 << 10;

/// Collects warnings in order, without duplicates.
#[derive(Debug, Default)]
pub(super) struct Warnings(RefCell<WarningList>);

#[derive(Debug, Default)]
struct WarningList {
    texts: Vec<String>,
    seen: HashSet<String>,
    bytes: usize,
    left_out: usize,
}

impl Warnings {
    /// Adds a warning unless the same text exists.
    pub fn add(&self, text: impl Into<String>) {
        let text = text.into();
        let list = &mut *self.0.borrow_mut();
        if list.bytes.saturating_add(text.len()) > MAX_WARNING_BYTES {
            list.left_out += 1;
        } else if list.seen.insert(text.clone()) {
            list.bytes += text.len();
            list.texts.push(text);
        }
    }

    /// Adds all warnings of `others` in their order.
    pub fn append(&self, others: Self) {
        let others = others.0.into_inner();
        others.texts.into_iter().for_each(|text| self.add(text));
        self.0.borrow_mut().left_out += others.left_out;
    }

    /// The warnings in the order of their addition.
    pub(crate) fn into_list(self) -> Vec<String> {
        let WarningList {
            mut texts,
            left_out,
            ..
        } = self.0.into_inner();
        if left_out > 0 {
            texts.push(format!("and {left_out} more warnings"));
        }
        texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_is_listed_once() {
        let warnings = Warnings::default();
        warnings.add("a");
        warnings.add("b");
        warnings.add("a");
        assert_eq!(warnings.into_list(), ["a", "b"]);
    }

    #[test]
    fn endless_warnings_are_counted_instead_of_kept() {
        let warnings = Warnings::default();
        for i in 0..10_000 {
            warnings.add(format!("{i:0>100}"));
        }
        let list = warnings.into_list();
        assert!(list.len() < 1000);
        assert_eq!(list.last().unwrap(), "and 9345 more warnings");
    }
}
