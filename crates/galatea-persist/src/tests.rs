use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::shared::SharedPart;
use super::{
    ExternalValue, PersistError, array, bytes, decode, encode, external, no_externals, shared,
    sorted,
};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Leaf {
    values: Vec<f32>,
    #[serde(with = "shared")]
    below: Option<Arc<Leaf>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Tree {
    #[serde(with = "shared")]
    leaf: Arc<Leaf>,
    #[serde(with = "shared")]
    leaves: Vec<Option<Arc<Leaf>>>,
    #[serde(with = "shared")]
    pair: [Arc<Leaf>; 2],
    #[serde(with = "shared")]
    named: BTreeMap<String, Arc<Leaf>>,
    #[serde(with = "array")]
    long: [f32; 40],
    #[serde(with = "sorted")]
    by_pair: HashMap<(u32, u32), f64>,
    #[serde(with = "bytes")]
    pixels: Vec<u8>,
    #[serde(with = "shared")]
    text: [Arc<str>; 2],
    #[serde(with = "shared")]
    list: Vec<(u16, Arc<[f32]>)>,
}

fn tree() -> Tree {
    let low = Arc::new(Leaf {
        values: vec![f32::NAN, f32::INFINITY, -0.0, f32::MIN_POSITIVE / 4.0],
        below: None,
    });
    let leaf = Arc::new(Leaf {
        values: vec![1.5],
        below: Some(low.clone()),
    });
    let text: Arc<str> = "text".into();
    Tree {
        leaves: vec![Some(leaf.clone()), None, Some(low.clone())],
        pair: [low.clone(), leaf.clone()],
        named: BTreeMap::from([("low".to_owned(), low)]),
        leaf,
        long: std::array::from_fn(|i| i as f32),
        by_pair: HashMap::from([((1, 2), 0.1)]),
        pixels: vec![1, 200, 255],
        text: std::array::from_fn(|_| text.clone()),
        list: vec![(3, [0.5].into())],
    }
}

#[test]
fn shared_parts_are_shared_again() {
    let read: Tree = decode(&encode(&tree()).unwrap(), no_externals).unwrap();
    let low = read.leaf.below.as_ref().unwrap();
    assert!(Arc::ptr_eq(&read.leaf, read.leaves[0].as_ref().unwrap()));
    assert!(read.leaves[1].is_none());
    assert!(Arc::ptr_eq(low, read.leaves[2].as_ref().unwrap()));
    assert!(Arc::ptr_eq(low, &read.pair[0]));
    assert!(Arc::ptr_eq(low, &read.named["low"]));
    assert!(Arc::ptr_eq(&read.leaf, &read.pair[1]));
    let bits = |leaf: &Leaf| leaf.values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(low), bits(tree().leaf.below.as_ref().unwrap()));
    assert_eq!(read.long[39], 39.0);
    assert_eq!(read.by_pair[&(1, 2)], 0.1);
    assert_eq!(read.pixels, [1, 200, 255]);
    assert_eq!(&*read.text[0], "text");
    assert!(Arc::ptr_eq(&read.text[0], &read.text[1]));
    assert_eq!(*read.list[0].1, [0.5]);
}

#[derive(Serialize, Deserialize)]
struct Hollow {
    #[serde(with = "shared")]
    nothing: [Arc<()>; 2],
    #[serde(with = "shared")]
    none: [Arc<Option<u8>>; 2],
}

#[test]
fn parts_without_content_are_read() {
    let (nothing, none) = (Arc::new(()), Arc::new(None));
    let hollow = Hollow {
        nothing: [nothing.clone(), nothing],
        none: [none.clone(), none],
    };
    let read: Hollow = decode(&encode(&hollow).unwrap(), no_externals).unwrap();
    assert!(Arc::ptr_eq(&read.nothing[0], &read.nothing[1]));
    assert_eq!(*read.none[1], None);
}

#[test]
fn nan_keeps_its_bits() {
    let value = (
        f32::from_bits(0x7fc1_2345),
        f64::from_bits(0xfff8_0000_0123_4567),
    );
    let read: (f32, f64) = decode(&encode(&value).unwrap(), no_externals).unwrap();
    assert_eq!(read.0.to_bits(), value.0.to_bits());
    assert_eq!(read.1.to_bits(), value.1.to_bits());
}

#[test]
fn damaged_bytes_never_panic() {
    let bytes = encode(&tree()).unwrap();
    for n in 0..bytes.len() {
        assert!(decode::<Tree>(&bytes[..n], no_externals).is_err(), "{n}");
    }
    for i in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[i] ^= 1 << bit;
            // Some flips only change a number.
            drop(decode::<Tree>(&damaged, no_externals));
        }
    }
    // A list that claims four billion values.
    assert!(decode::<Vec<u64>>(&[0xdd, 0xff, 0xff, 0xff, 0xff], no_externals).is_err());
    assert!(decode::<String>(&[0xdb, 0xff, 0xff, 0xff, 0xff], no_externals).is_err());
}

/// A loaded file: only its name is written.
#[derive(Debug)]
struct Loaded(String);

impl SharedPart for Loaded {
    fn write_part<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }

    fn read_part<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Self>, D::Error> {
        let name = String::deserialize(deserializer)?;
        external("file", &name).map_err(D::Error::custom)
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct User {
    #[serde(with = "shared")]
    first: Arc<Loaded>,
    #[serde(with = "shared")]
    second: Arc<Loaded>,
    #[serde(with = "shared")]
    third: Arc<Loaded>,
}

fn user() -> User {
    let first = Arc::new(Loaded("a".into()));
    User {
        second: first.clone(),
        third: Arc::new(Loaded("a".into())),
        first,
    }
}

#[test]
fn external_values_are_found_by_key() {
    let bytes = encode(&user()).unwrap();
    let find = |kind: &str, key: &str| -> Result<ExternalValue, String> {
        assert_eq!(kind, "file");
        Ok(Arc::new(Loaded(key.to_owned())))
    };
    let read: User = decode(&bytes, find).unwrap();
    assert!(Arc::ptr_eq(&read.first, &read.second));
    assert!(Arc::ptr_eq(&read.first, &read.third));
    let error = decode::<User>(&bytes, no_externals).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the file \"a\" is not available")
    );
    let wrong = decode::<User>(&bytes, |_, _| Ok(Arc::new(1_u8)));
    assert!(wrong.unwrap_err().to_string().contains("another type"));
}

#[test]
fn nested_calls_fail_and_leave_the_outer_call_alone() {
    let bytes = encode(&user()).unwrap();
    let read: User = decode(&bytes, |_, key| {
        assert!(matches!(encode(&1), Err(PersistError::Nested)));
        assert!(matches!(
            decode::<u8>(&[1], no_externals),
            Err(PersistError::Nested)
        ));
        Ok(Arc::new(Loaded(key.to_owned())))
    })
    .unwrap();
    assert_eq!(read.first.0, "a");
}

#[test]
fn a_panic_clears_the_context() {
    let bytes = encode(&user()).unwrap();
    let caught = std::panic::catch_unwind(|| decode::<User>(&bytes, |_, _| panic!("on purpose")));
    assert!(caught.is_err());
    assert!(encode(&1).is_ok());
    assert!(rmp_serde::to_vec_named(&user()).is_err());
}
