//! Key bindings of actions and axes: defaults of the runtime and the script, and changes of the player.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The keys and the sticks of one axis.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AxisKeys {
    /// Keys for -1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub negative: Vec<String>,
    /// Keys for +1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub positive: Vec<String>,
    /// Sticks.
    #[serde(rename = "stick", skip_serializing_if = "Vec::is_empty")]
    pub sticks: Vec<String>,
}

/// Keys by actions and axes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bindings {
    /// Keys and buttons of actions.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub actions: BTreeMap<String, Vec<String>>,
    /// Keys and sticks of axes.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub axes: BTreeMap<String, AxisKeys>,
}

impl Bindings {
    /// Maximum number of actions, and of axes.
    pub const MAX_NAMES: usize = 1024;
    /// Maximum number of keys of an action, and of each side of an axis.
    pub const MAX_KEYS: usize = 32;

    /// The default bindings of every project.
    pub fn built_in() -> Self {
        let keys = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let axis = |negative: &[&str], positive: &[&str], sticks: &[&str]| AxisKeys {
            negative: keys(negative),
            positive: keys(positive),
            sticks: keys(sticks),
        };
        let action = |name: &str, names: &[&str]| (name.to_owned(), keys(names));
        Self {
            axes: BTreeMap::from([
                (
                    "move_x".to_owned(),
                    axis(&["a", "left"], &["d", "right"], &["pad_left_x"]),
                ),
                (
                    "move_y".to_owned(),
                    axis(&["s", "down"], &["w", "up"], &["pad_left_y"]),
                ),
            ]),
            actions: BTreeMap::from([
                action("jump", &["space", "pad_south"]),
                action("run", &["shift", "pad_right_trigger"]),
                action("use", &["e", "pad_west"]),
                action("wave", &["q", "pad_north"]),
            ]),
        }
    }

    /// Binds an action to keys and replaces its old keys. Returns false if there are too many actions.
    pub fn bind(&mut self, action: &str, keys: Vec<String>) -> bool {
        put(&mut self.actions, action, keys)
    }

    /// Binds an axis and replaces its old keys. Returns false if there are too many axes.
    pub fn bind_axis(&mut self, axis: &str, keys: AxisKeys) -> bool {
        put(&mut self.axes, axis, keys)
    }

    /// Returns true if nothing is bound.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty() && self.axes.is_empty()
    }
}

fn put<T>(map: &mut BTreeMap<String, T>, name: &str, value: T) -> bool {
    let fits = map.len() < Bindings::MAX_NAMES || map.contains_key(name);
    if fits {
        map.insert(name.to_owned(), value);
    }
    fits
}
