//! Size limits of machines. A piece holds copies of its inner pieces, outside of the memory that is counted for
//! scripts. Without limits a few lines could exhaust the memory.

use std::cell::Cell;
use std::rc::Rc;

use mlua::Lua;

use super::piece::Piece;
use crate::budget::charge;
use galatea_machine::{
    BlendDef, Content, LayerDef, MAX_BLEND_CLIPS, MAX_NESTED_BLENDS, MachineDef, MotionDef,
    PointContent, StateDef, StatesDef,
};

/// Maximum number of transitions of a state or layer, inner ones included.
pub(super) const MAX_TRANSITIONS: usize = 4096;
/// Maximum number of clips of a list.
pub(super) const MAX_CLIPS: usize = 1024;
/// Maximum number of layers of a machine.
pub(super) const MAX_LAYERS: usize = 64;
/// Maximum number of parameters of a machine.
pub(super) const MAX_PARAMS: usize = 1024;
/// Maximum number of states, transitions and clips of all pieces and machines that scripts hold.
const MAX_HELD: usize = 200_000;
/// Maximum number of characters of a text in a machine.
pub(super) const MAX_TEXT: usize = 4096;

/// Size of the content of a state or layer.
#[derive(Clone, Copy, Default)]
pub(super) struct Size {
    pub states: usize,
    pub transitions: usize,
    pub clips: usize,
    /// Depth of nested machines.
    pub depth: usize,
}

impl Size {
    fn of(def: &StatesDef) -> Self {
        let mut size = Self {
            transitions: def.transitions.len(),
            ..Self::default()
        };
        for state in &def.states {
            size.add(Self::of_state(state));
        }
        size
    }

    /// The size of a state, itself included.
    pub fn of_state(state: &StateDef) -> Self {
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

    pub fn add(&mut self, other: Self) {
        self.states += other.states;
        self.transitions += other.transitions;
        self.clips += other.clips;
        self.depth = self.depth.max(other.depth);
    }
}

/// Number of states, transitions and clips of a piece.
fn weigh(piece: &Piece) -> usize {
    let total = |size: Size| size.states + size.transitions + size.clips;
    match piece {
        Piece::State(state) => total(Size::of_state(state)),
        Piece::Layer(layer) => weigh_layer(layer),
        Piece::Motion(motion) => clips(motion),
        Piece::Transition(_) | Piece::Fade(_) => 1,
    }
}

fn weigh_layer(layer: &LayerDef) -> usize {
    let size = Size::of(&layer.states);
    1 + size.states + size.transitions + size.clips
}

/// Number of states, transitions and clips of a machine.
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

/// Size of a live piece, counted against the limit of all pieces that scripts hold. Dropping it subtracts the size.
pub(super) struct Weight {
    n: usize,
    all: Rc<Cell<usize>>,
}

impl Weight {
    /// Counts a piece.
    ///
    /// # Errors
    /// Fails if the pieces that scripts hold would exceed the limit.
    pub fn of(lua: &Lua, piece: &Piece) -> mlua::Result<Self> {
        Self::new(lua, weigh(piece))
    }

    /// Counts `n` states, transitions and clips.
    ///
    /// # Errors
    /// Fails if the pieces that scripts hold would exceed the limit.
    pub fn new(lua: &Lua, n: usize) -> mlua::Result<Self> {
        let known = lua.app_data_ref::<Rc<Cell<usize>>>().map(|all| all.clone());
        let all = known.unwrap_or_else(|| {
            let all = Rc::new(Cell::new(0));
            lua.set_app_data(all.clone());
            all
        });
        // Each state, transition and clip is copied, so the work grows with their number.
        charge(lua, 32 * n as u64)?;
        if all.get() + n > MAX_HELD {
            charge(lua, 100_000)?;
            lua.gc_collect()?;
        }
        if all.get() + n > MAX_HELD {
            return Err(mlua::Error::runtime(format!(
                "the machines of all scripts together can have at most {MAX_HELD} states, transitions and clips"
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

/// Number of clips of a blend, inner blends included, and the depth of nested blends.
fn leaves(blend: &BlendDef) -> (usize, usize) {
    let inner = blend.points.iter().map(|point| match &point.content {
        PointContent::Clip(_) => (1, 0),
        PointContent::Blend(inner) => leaves(inner),
    });
    let (n, depth) = inner.fold((0, 0), |all, one| (all.0 + one.0, all.1.max(one.1)));
    (n, depth + 1)
}

/// Checks the points of a blend before one more is copied into it. The blend has `n` clips so far, and `inner` adds
/// its own. Returns the new number of clips.
///
/// # Errors
/// Fails if the blend would have too many clips, or nested blends would be too deep.
pub(super) fn check_leaves(what: &str, n: usize, inner: Option<&BlendDef>) -> mlua::Result<usize> {
    let (more, depth) = inner.map_or((1, 0), leaves);
    if n + more > MAX_BLEND_CLIPS {
        return Err(mlua::Error::runtime(format!(
            "{what}: a blend can have at most {MAX_BLEND_CLIPS} clips"
        )));
    }
    if depth + 1 > MAX_NESTED_BLENDS {
        return Err(mlua::Error::runtime(format!(
            "{what}: blends are nested more than {MAX_NESTED_BLENDS} deep"
        )));
    }
    Ok(n + more)
}
