//! Shared parts (`Arc`), written once: `#[serde(with = "galatea_persist::shared")]`. Works for `Arc<T>`, for options, lists,
//! arrays and maps of them, and for options and lists of these.

use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::context;

/// Values that contain shared parts.
pub trait SharedParts: Sized {
    /// Writes the value.
    ///
    /// # Errors
    /// Returns the error of the serializer.
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;

    /// Reads the value.
    ///
    /// # Errors
    /// Returns the error of the deserializer.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

/// Writes a value that contains shared parts.
///
/// # Errors
/// Returns the error of the serializer.
pub fn serialize<C: SharedParts, S: Serializer>(
    value: &C,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.write(serializer)
}

/// Reads a value that contains shared parts.
///
/// # Errors
/// Returns the error of the deserializer.
pub fn deserialize<'de, C: SharedParts, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<C, D::Error> {
    C::read(deserializer)
}

/// Writes a shared part in another form, from which [`deserialize_as`] makes it again. `form` is called if the part was not
/// written before.
///
/// # Errors
/// Returns the error of the serializer or of `form`.
pub fn serialize_as<T, F, S>(
    part: &Arc<T>,
    form: impl FnOnce(&T) -> Result<F, String>,
    serializer: S,
) -> Result<S::Ok, S::Error>
where
    T: Any + Send + Sync,
    F: Serialize,
    S: Serializer,
{
    let (number, is_new) = context::number(part).map_err(S::Error::custom)?;
    let content = is_new.then(|| form(part)).transpose();
    (number, content.map_err(S::Error::custom)?).serialize(serializer)
}

/// Reads a shared part that [`serialize_as`] wrote.
///
/// # Errors
/// Returns the error of the deserializer or of `make`.
pub fn deserialize_as<'de, T, F, D>(
    deserializer: D,
    make: impl FnOnce(F) -> Result<Arc<T>, String>,
) -> Result<Arc<T>, D::Error>
where
    T: Any + Send + Sync,
    F: Deserialize<'de>,
    D: Deserializer<'de>,
{
    let (number, content) = <(u32, Option<F>)>::deserialize(deserializer)?;
    let part = match content {
        None => context::known(number),
        Some(form) => make(form).and_then(|part| {
            context::remember(number, part.clone())?;
            Ok(part)
        }),
    };
    part.map_err(D::Error::custom)
}

/// Lends a value to a serializer.
struct Borrowed<'a, C>(&'a C);

impl<C: SharedParts> Serialize for Borrowed<'_, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

/// Takes a value from a deserializer.
struct Owned<C>(C);

impl<'de, C: SharedParts> Deserialize<'de> for Owned<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        C::read(deserializer).map(Self)
    }
}

impl<T> SharedParts for Arc<T>
where
    T: Any + Send + Sync + Serialize + for<'a> Deserialize<'a>,
{
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (number, is_new) = context::number(self).map_err(S::Error::custom)?;
        let content: Option<&T> = is_new.then_some(self);
        (number, content).serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_as(deserializer, |content: T| Ok(Arc::new(content)))
    }
}

impl<C: SharedParts> SharedParts for Option<C> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_ref().map(Borrowed).serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Option::<Owned<C>>::deserialize(deserializer)?;
        Ok(value.map(|value| value.0))
    }
}

impl<C: SharedParts> SharedParts for Vec<C> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Borrowed))
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = Vec::<Owned<C>>::deserialize(deserializer)?;
        Ok(values.into_iter().map(|value| value.0).collect())
    }
}

impl<C: SharedParts, const N: usize> SharedParts for [C; N] {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Borrowed))
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = Vec::<C>::read(deserializer)?;
        let n = values.len();
        let array = values.try_into();
        array.map_err(|_| D::Error::invalid_length(n, &format!("{N} values").as_str()))
    }
}

/// A number or name, and a shared part.
impl<A, C> SharedParts for (A, C)
where
    A: Serialize + for<'a> Deserialize<'a>,
    C: SharedParts,
{
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.0, Borrowed(&self.1)).serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (first, second) = <(A, Owned<C>)>::deserialize(deserializer)?;
        Ok((first, second.0))
    }
}

impl<K, C, H> SharedParts for HashMap<K, C, H>
where
    K: Eq + Hash + Serialize + for<'a> Deserialize<'a>,
    C: SharedParts,
    H: BuildHasher + Default,
{
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(key, value)| (key, Borrowed(value))))
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = HashMap::<K, Owned<C>, H>::deserialize(deserializer)?;
        Ok(values.into_iter().map(|(key, value)| (key, value.0)).collect())
    }
}

impl<K, C> SharedParts for BTreeMap<K, C>
where
    K: Ord + Serialize + for<'a> Deserialize<'a>,
    C: SharedParts,
{
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(key, value)| (key, Borrowed(value))))
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = BTreeMap::<K, Owned<C>>::deserialize(deserializer)?;
        Ok(values.into_iter().map(|(key, value)| (key, value.0)).collect())
    }
}
