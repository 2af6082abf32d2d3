//! Files and data URIs that a document refers to. Each is fetched once and included in the model's hash.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Shared bytes of a buffer or image.
pub type SharedBytes = Arc<[u8]>;

/// Callback that reads the bytes of a relative path (`/` between folders, percent-decoded).
pub type FetchBytes<'a> = &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>;

/// Fetches the data of URIs.
pub struct External<'a> {
    read: FetchBytes<'a>,
    fetched: HashMap<String, SharedBytes>,
    hasher: DefaultHasher,
    total: usize,
}

impl<'a> External<'a> {
    /// Starts with the main file's bytes, which are included in the hash.
    pub fn new(main: &[u8], read: FetchBytes<'a>) -> Self {
        let mut hasher = DefaultHasher::new();
        main.hash(&mut hasher);
        Self {
            read,
            fetched: HashMap::new(),
            hasher,
            total: main.len(),
        }
    }

    /// Bytes of the main file and of all files fetched so far.
    pub(crate) fn total_bytes(&self) -> usize {
        self.total
    }

    /// Hash of the main file and of all files fetched so far.
    pub fn hash(&self) -> u64 {
        self.hasher.finish()
    }

    /// Bytes in a data URI or of the file at a relative URI.
    pub fn fetch(&mut self, uri: &str) -> Result<SharedBytes, String> {
        if let Some(data) = strip_scheme(uri, "data:") {
            return decode_data_uri(data).map(Into::into);
        }
        self.file(&relative_path(uri)?)
    }

    /// Bytes of a file; `path` is relative to the main file.
    pub fn file(&mut self, path: &str) -> Result<SharedBytes, String> {
        if let Some(bytes) = self.fetched.get(path) {
            return Ok(Arc::clone(bytes));
        }
        let bytes: SharedBytes = (self.read)(path)?.into();
        bytes.hash(&mut self.hasher);
        self.total = self.total.saturating_add(bytes.len());
        self.fetched.insert(path.to_owned(), Arc::clone(&bytes));
        Ok(bytes)
    }
}

/// Shortens a URI for messages.
pub fn shorten(uri: &str) -> String {
    if uri.chars().count() <= 80 {
        return uri.to_owned();
    }
    uri.chars().take(60).chain("…".chars()).collect()
}

fn strip_scheme<'u>(uri: &'u str, scheme: &str) -> Option<&'u str> {
    uri.get(..scheme.len())
        .filter(|start| start.eq_ignore_ascii_case(scheme))
        .and_then(|_| uri.get(scheme.len()..))
}

/// Percent-decodes a relative reference and rejects any other URI (glTF 2.0 §2.8).
fn relative_path(uri: &str) -> Result<String, String> {
    let path = percent_encoding::percent_decode_str(uri)
        .decode_utf8()
        .map_err(|_| "the file name is not UTF-8 after percent-decoding".to_owned())?
        .replace('\\', "/");
    if path.is_empty() {
        return Err("the file name is empty".into());
    }
    let first = path.split('/').next().unwrap_or_default();
    if first.contains(':') {
        return Err(
            "URLs and absolute paths are not allowed; put the file next to the model and use a relative path"
                .into(),
        );
    }
    if path.starts_with('/') {
        return Err("absolute paths are not allowed; use a path relative to the model".into());
    }
    Ok(path)
}

fn decode_data_uri(data: &str) -> Result<Vec<u8>, String> {
    let (head, body) = data
        .split_once(',')
        .ok_or("the data URI has no comma before its data")?;
    let body = percent_encoding::percent_decode_str(body);
    if !head.to_ascii_lowercase().ends_with(";base64") {
        return Ok(body.collect());
    }
    let text: Vec<u8> = body.filter(|b| !b.is_ascii_whitespace()).collect();
    GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        GeneralPurposeConfig::new()
            .with_decode_padding_mode(DecodePaddingMode::Indifferent)
            .with_decode_allow_trailing_bits(true),
    )
    .decode(text)
    .map_err(|error| format!("the data URI is not valid base64: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_uris_are_decoded_with_and_without_padding() {
        assert_eq!(
            decode_data_uri("application/octet-stream;base64,AQID").unwrap(),
            [1, 2, 3]
        );
        assert_eq!(decode_data_uri(";base64,AQI").unwrap(), [1, 2]);
        assert_eq!(decode_data_uri(",a%20b").unwrap(), b"a b");
        assert!(decode_data_uri(";base64,!!").is_err());
        assert!(decode_data_uri("nothing").is_err());
    }

    #[test]
    fn relative_names_are_decoded_and_urls_and_absolute_paths_rejected() {
        assert_eq!(relative_path("my%20tex.png").unwrap(), "my tex.png");
        assert_eq!(
            relative_path("../common\\a.bin").unwrap(),
            "../common/a.bin"
        );
        for bad in [
            "http://x/y.bin",
            "/etc/passwd",
            "\\\\server\\x",
            "C:\\x.bin",
            "%2Fetc/passwd",
            "",
            "%FF",
        ] {
            assert!(relative_path(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_file_is_read_once_and_changes_the_hash() {
        let mut reads = 0;
        let mut read = |_: &str| {
            reads += 1;
            Ok(vec![1, 2, 3])
        };
        let mut external = External::new(b"main", &mut read);
        let before = external.hash();
        external.fetch("a.bin").unwrap();
        external.fetch("a.bin").unwrap();
        assert_ne!(external.hash(), before);
        assert_eq!(external.total_bytes(), 7);
        assert_eq!(reads, 1);
    }
}
