//! How large pieces of a machine may grow: a piece holds copies of those within it, so a few lines could
//! ask for more than there is.

use mlua::{AnyUserData, Lua, Value};

use super::Piece;
use crate::machine::{
    BlendDef, Content, MOST_LEAVES, MOST_NESTED, MOST_NESTED_BLENDS, MOST_STATES, PointContent,
    StateDef, StatesDef,
};
use crate::script::budget::charge;

/// The most transitions of a state or layer, those within it included.
const MOST_WAYS: usize = 4096;
/// The most clips of a list.
pub(super) const MOST_CLIPS: usize = 1024;
/// The most layers of a machine.
pub(super) const MOST_LAYERS: usize = 64;
/// The most characters of a text in a machine.
pub(super) const LONGEST_TEXT: usize = 4096;

/// What a state or layer holds.
#[derive(Clone, Copy, Default)]
struct Size {
    states: usize,
    ways: usize,
    /// Machines within machines.
    depth: usize,
}

impl Size {
    fn of(def: &StatesDef) -> Self {
        let mut size = Self {
            ways: def.transitions.len(),
            ..Self::default()
        };
        for state in &def.states {
            size.add(Self::of_state(state));
        }
        size
    }

    fn of_state(state: &StateDef) -> Self {
        let mut size = match &state.content {
            Content::Motion(_) => Self::default(),
            Content::Nested(inner) => {
                let inner = Self::of(inner);
                Self {
                    depth: inner.depth + 1,
                    ..inner
                }
            }
        };
        size.states += 1;
        size
    }

    fn add(&mut self, other: Self) {
        self.states += other.states;
        self.ways += other.ways;
        self.depth = self.depth.max(other.depth);
    }
}

/// States and transitions as they are gathered from a table. `nested` says that they will be those of a
/// state.
pub(super) struct Gathered<'a> {
    what: &'a str,
    nested: bool,
    size: Size,
    pub states: StatesDef,
}

impl<'a> Gathered<'a> {
    pub fn new(what: &'a str, nested: bool) -> Self {
        Self {
            what,
            nested,
            size: Size::default(),
            states: StatesDef::default(),
        }
    }

    /// Adds a state or a transition; false for anything else.
    ///
    /// # Errors
    /// When it would be one too many, or nested too deep.
    pub fn take(&mut self, lua: &Lua, value: &Value) -> mlua::Result<bool> {
        let Some(data) = value.as_userdata() else {
            return Ok(false);
        };
        let size = match &*piece(data)? {
            Piece::State(state) => Size::of_state(state),
            Piece::Transition(_) => Size {
                ways: 1,
                ..Size::default()
            },
            _ => return Ok(false),
        };
        self.size.add(size);
        let Size {
            states,
            ways,
            depth,
        } = self.size;
        let wrong = |text: String| {
            let what = self.what;
            Err(mlua::Error::runtime(format!("{what}: {text}")))
        };
        if depth + usize::from(self.nested) > MOST_NESTED {
            return wrong(format!("machines are nested more than {MOST_NESTED} deep"));
        }
        if states > MOST_STATES {
            return wrong(format!("there may be {MOST_STATES} states in it"));
        }
        if ways > MOST_WAYS {
            return wrong(format!("there may be {MOST_WAYS} transitions in it"));
        }
        // They are copied.
        charge(lua, 32 * (size.states + size.ways) as u64)?;
        match &*piece(data)? {
            Piece::State(state) => self.states.states.push(state.clone()),
            Piece::Transition(way) => self.states.transitions.push(way.clone()),
            _ => {}
        }
        Ok(true)
    }
}

fn piece(data: &AnyUserData) -> mlua::Result<mlua::UserDataRef<Piece>> {
    data.borrow::<Piece>()
        .map_err(|_| mlua::Error::runtime("this is no piece of a machine"))
}

/// Clips of a blend, those of blends within it included, and how deep these are nested.
fn leaves(blend: &BlendDef) -> (usize, usize) {
    let inner = blend.points.iter().map(|point| match &point.content {
        PointContent::Clip(_) => (1, 0),
        PointContent::Blend(inner) => leaves(inner),
    });
    let (n, depth) = inner.fold((0, 0), |all, one| (all.0 + one.0, all.1.max(one.1)));
    (n, depth + 1)
}

/// Checks the points of a blend before one more is copied into it: `n` clips so far, those of `inner` to
/// come. The new number of clips.
///
/// # Errors
/// When it would have too many clips, or blends would be nested too deep.
pub(super) fn check_leaves(what: &str, n: usize, inner: Option<&BlendDef>) -> mlua::Result<usize> {
    let (more, depth) = inner.map_or((1, 0), leaves);
    if n + more > MOST_LEAVES {
        return Err(mlua::Error::runtime(format!(
            "{what}: a blend may have {MOST_LEAVES} clips"
        )));
    }
    if depth + 1 > MOST_NESTED_BLENDS {
        return Err(mlua::Error::runtime(format!(
            "{what}: blends are nested more than {MOST_NESTED_BLENDS} deep"
        )));
    }
    Ok(n + more)
}
