//! Shared parts (`Arc`), written once: `#[serde(with = "galatea_persist::shared")]`. Works for `Arc<T>`, for options, lists,
//! arrays, tuples and maps of them, and for options and lists of these. Types without shared parts that occur in such tuples
//! are declared with [`plain_parts!`](crate::plain_parts).

use std::any::Any;
use std::collections::{BTreeMap, HashMap, VecDeque};
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

/// Content of a shared part. Every type with serde's traits has it. A type that is found again instead of written, such as a
/// loaded model, implements this trait itself: it writes a key and reads it with [`external`](crate::external).
pub trait SharedPart: Any + Send + Sync {
    /// Writes the content.
    ///
    /// # Errors
    /// Returns the error of the serializer.
    fn write_part<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;

    /// Reads the content.
    ///
    /// # Errors
    /// Returns the error of the deserializer.
    fn read_part<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Self>, D::Error>;
}

impl<T: Any + Send + Sync + Serialize + for<'a> Deserialize<'a>> SharedPart for T {
    fn write_part<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize(serializer)
    }

    fn read_part<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Self>, D::Error> {
        T::deserialize(deserializer).map(Arc::new)
    }
}

/// Lends a part to a serializer.
struct BorrowedPart<'a, T>(&'a T);

impl<T: SharedPart> Serialize for BorrowedPart<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write_part(serializer)
    }
}

/// Takes a part from a deserializer.
struct OwnedPart<T>(Arc<T>);

impl<'de, T: SharedPart> Deserialize<'de> for OwnedPart<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::read_part(deserializer).map(Self)
    }
}

impl<T> From<OwnedPart<T>> for Arc<T> {
    fn from(part: OwnedPart<T>) -> Self {
        part.0
    }
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

impl<T: SharedPart> SharedParts for Arc<T> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (number, is_new) = context::number(self).map_err(S::Error::custom)?;
        (number, content(is_new, BorrowedPart(&**self))).serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_shared::<T, OwnedPart<T>, D>(deserializer)
    }
}

/// Content of a part that was not written before, in a list of its own: content that is nothing would otherwise be taken for
/// no content.
fn content<T>(is_new: bool, part: T) -> Option<(T,)> {
    is_new.then_some((part,))
}

/// Reads a number, and the content of a part that was not read before.
fn read_shared<'de, T, F, D>(deserializer: D) -> Result<Arc<T>, D::Error>
where
    T: ?Sized,
    Arc<T>: Any + Send + Sync,
    F: Deserialize<'de> + Into<Arc<T>>,
    D: Deserializer<'de>,
{
    let (number, content) = <(u32, Option<(F,)>)>::deserialize(deserializer)?;
    let part = match content {
        None => context::known(number),
        Some((content,)) => {
            let part = content.into();
            context::remember(number, &part).map(|()| part)
        }
    };
    part.map_err(D::Error::custom)
}

impl<T> SharedParts for Arc<[T]>
where
    T: Any + Send + Sync + Serialize + for<'a> Deserialize<'a>,
{
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (number, is_new) = context::number(self).map_err(S::Error::custom)?;
        (number, content::<&[T]>(is_new, self)).serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_shared::<[T], Vec<T>, D>(deserializer)
    }
}

impl SharedParts for Arc<str> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (number, is_new) = context::number(self).map_err(S::Error::custom)?;
        (number, content::<&str>(is_new, self)).serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_shared::<str, String, D>(deserializer)
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

impl<C: SharedParts> SharedParts for VecDeque<C> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Borrowed))
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<C>::read(deserializer).map(Self::from)
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

impl<A: SharedParts, B: SharedParts> SharedParts for (A, B) {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (Borrowed(&self.0), Borrowed(&self.1)).serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (a, b) = <(Owned<A>, Owned<B>)>::deserialize(deserializer)?;
        Ok((a.0, b.0))
    }
}

impl<A: SharedParts, B: SharedParts, C: SharedParts> SharedParts for (A, B, C) {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (Borrowed(&self.0), Borrowed(&self.1), Borrowed(&self.2)).serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (a, b, c) = <(Owned<A>, Owned<B>, Owned<C>)>::deserialize(deserializer)?;
        Ok((a.0, b.0, c.0))
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
        Ok(values
            .into_iter()
            .map(|(key, value)| (key, value.0))
            .collect())
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
        Ok(values
            .into_iter()
            .map(|(key, value)| (key, value.0))
            .collect())
    }
}

/// Implements [`SharedParts`] for types without shared parts.
#[macro_export]
macro_rules! plain_parts {
    ($($plain:ty),* $(,)?) => {
        $(impl $crate::shared::SharedParts for $plain {
            fn write<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serde::Serialize::serialize(self, serializer)
            }

            fn read<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                serde::Deserialize::deserialize(deserializer)
            }
        })*
    };
}

plain_parts!(u8, u16, u32, u64, usize, f32, f64, bool, String);
