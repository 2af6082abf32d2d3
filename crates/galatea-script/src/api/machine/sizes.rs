//! How large pieces of a machine may grow: a piece holds copies of those within it, outside of the memory
//! that is counted for scripts, so a few lines could ask for more than there is.

use std::cell::Cell;
use std::rc::Rc;

use mlua::{Lua, Value};

use super::{Piece, ScriptedPiece};
use crate::budget::charge;
use galatea_machine::{
    BlendDef, Content, LayerDef, MOST_LEAVES, MOST_NESTED, MOST_NESTED_BLENDS, MOST_STATES,
    MachineDef, MotionDef, PointContent, StateDef, StatesDef,
};

/// The most transitions of a state or layer, those within it included.
const MOST_WAYS: usize = 4096;
/// The most clips of a list.
pub(super) const MOST_CLIPS: usize = 1024;
/// The most layers of a machine.
pub(super) const MOST_LAYERS: usize = 64;
/// The most states, transitions and clips of all pieces and machines that scripts hold.
const MOST_HELD: usize = 200_000;
/// The most characters of a text in a machine.
pub(super) const LONGEST_TEXT: usize = 4096;

/// What a state or layer holds.
#[derive(Clone, Copy, Default)]
struct Size {
    states: usize,
    ways: usize,
    clips: usize,
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
            Content::Motion(motion) => Self {
                clips: clips(motion),
                ..Self::default()
            },
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
        self.clips += other.clips;
        self.depth = self.depth.max(other.depth);
    }
}

/// How many states, transitions and clips a piece has.
fn weigh(piece: &Piece) -> usize {
    let total = |size: Size| size.states + size.ways + size.clips;
    match piece {
        Piece::State(state) => total(Size::of_state(state)),
        Piece::Layer(layer) => weigh_layer(layer),
        Piece::Motion(motion) => clips(motion),
        Piece::Transition(_) | Piece::Fade(_) => 1,
    }
}

fn weigh_layer(layer: &LayerDef) -> usize {
    let size = Size::of(&layer.states);
    1 + size.states + size.ways + size.clips
}

/// How many states, transitions and clips a machine has.
pub(in crate::api) fn weigh_machine(def: &MachineDef) -> usize {
    def.layers.iter().map(weigh_layer).sum()
}

fn clips(motion: &MotionDef) -> usize {
    match motion {
        MotionDef::Clip(_) => 1,
        MotionDef::Phases { .. } => 3,
        MotionDef::List(list) => list.clips.len(),
        MotionDef::Blend(blend) => leaves(blend).0,
    }
}

/// What a piece counts among all that scripts hold, for as long as it is there.
pub(super) struct Weight {
    n: usize,
    all: Rc<Cell<usize>>,
}

impl Weight {
    /// Counts a piece.
    ///
    /// # Errors
    /// When scripts would hold too much.
    pub fn of(lua: &Lua, piece: &Piece) -> mlua::Result<Self> {
        Self::new(lua, weigh(piece))
    }

    /// Counts so many states, transitions and clips.
    ///
    /// # Errors
    /// When scripts would hold too much.
    pub fn new(lua: &Lua, n: usize) -> mlua::Result<Self> {
        let known = lua.app_data_ref::<Rc<Cell<usize>>>().map(|all| all.clone());
        let all = known.unwrap_or_else(|| {
            let all = Rc::new(Cell::new(0));
            lua.set_app_data(all.clone());
            all
        });
        // They are copied.
        charge(lua, 32 * n as u64)?;
        if all.get() + n > MOST_HELD {
            charge(lua, 100_000)?;
            lua.gc_collect()?;
        }
        if all.get() + n > MOST_HELD {
            return Err(mlua::Error::runtime(format!(
                "scripts hold pieces of machines with {MOST_HELD} states, transitions and clips, which is the most"
            )));
        }
        all.set(all.get() + n);
        Ok(Self { n, all })
    }
}

impl Clone for Weight {
    fn clone(&self) -> Self {
        self.all.set(self.all.get() + self.n);
        Self {
            n: self.n,
            all: self.all.clone(),
        }
    }
}

impl Drop for Weight {
    fn drop(&mut self) {
        self.all.set(self.all.get().saturating_sub(self.n));
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
    pub fn take(&mut self, value: &Value) -> mlua::Result<bool> {
        let held = value
            .as_userdata()
            .and_then(|data| data.borrow::<ScriptedPiece>().ok());
        let Some(held) = held else {
            return Ok(false);
        };
        let size = match &held.piece {
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
            ..
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
        match &held.piece {
            Piece::State(state) => self.states.states.push(state.clone()),
            Piece::Transition(way) => self.states.transitions.push(way.clone()),
            _ => {}
        }
        Ok(true)
    }
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
