//! Why a file cannot be loaded, and the list of what was mended in one that could.

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::PathBuf;

use crate::import::FORMATS;
pub(super) use crate::name_words::call;

/// A file that cannot be loaded, and why.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {fault}")]
pub struct ModelLoadError {
    /// The file as the caller named it.
    pub file: String,
    /// What is wrong with it.
    pub fault: LoadFault,
    /// The file and every file it asked for before it failed, missing ones too; a change of one is
    /// worth another try. Empty for a model loaded from memory.
    pub sources: Vec<PathBuf>,
}

/// What makes a file unloadable. Every text says what was found and, where it helps, what to do.
#[derive(Debug, thiserror::Error)]
pub enum LoadFault {
    /// The file itself could not be read.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// A motion capture file with a fault in a line.
    #[error("{0}")]
    Motion(String),
    /// A file of another format that cannot be turned into glTF.
    #[error("is {format} and cannot be read: {cause}")]
    Foreign {
        /// The format's name.
        format: &'static str,
        /// Where and why.
        cause: String,
    },
    /// A file of a format that is not read.
    #[error(".{0} is not supported; formats: {FORMATS}")]
    Unsupported(String),
    /// Neither a GLB nor a JSON document.
    #[error("is neither GLB nor glTF JSON: it begins with {0}; export it as glTF 2.0")]
    NotGltf(String),
    /// The container is shorter than it says.
    #[error(
        "the file ends after {has} bytes, its header says {says}: it was cut off, copy or export it again"
    )]
    Truncated {
        /// Bytes there are.
        has: usize,
        /// Bytes the header promises.
        says: usize,
    },
    /// The GLB container is damaged in another way.
    #[error("the GLB container is damaged: {0}; export the file again")]
    Container(String),
    /// The JSON is not JSON, or a field has the wrong type.
    #[error("the glTF JSON is not valid: {0}")]
    Json(String),
    /// Another version of the format.
    #[error("is glTF version {0}; Galatea reads 2.0: export it as glTF 2.0")]
    Version(String),
    /// Something the file cannot be shown without.
    #[error("requires the extension {name}, which Galatea does not read: {advice}")]
    RequiredExtension {
        /// Name of the extension.
        name: String,
        /// What to do about it.
        advice: &'static str,
    },
    /// A file this one refers to is missing or refused.
    #[error("refers to `{uri}`, which cannot be used: {cause}")]
    External {
        /// As written in the file, shortened.
        uri: String,
        /// Why not.
        cause: String,
    },
    /// The nodes do not form trees, or are too many.
    #[error("the node tree is broken: {0}")]
    Nodes(String),
    /// Data of a mesh or skin cannot be read.
    #[error("{what}: {cause}")]
    Data {
        /// The mesh, skin or primitive.
        what: String,
        /// Why it cannot be read.
        cause: String,
    },
}

impl LoadFault {
    /// A fault in the data of `what`.
    pub(super) fn data(what: impl Into<String>, cause: impl Into<String>) -> Self {
        Self::Data {
            what: what.into(),
            cause: cause.into(),
        }
    }
}

/// Warnings are kept up to so many bytes; a broken file may have one for every line of it.
const MAX_WARNING_BYTES: usize = 64 << 10;

/// Collects warnings in order, each text once.
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
    /// Adds a warning unless the same text is there.
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

    /// Adds all of others, in their order.
    pub fn append(&self, others: Self) {
        let others = others.0.into_inner();
        others.texts.into_iter().for_each(|text| self.add(text));
        self.0.borrow_mut().left_out += others.left_out;
    }

    /// The texts in the order they came.
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
