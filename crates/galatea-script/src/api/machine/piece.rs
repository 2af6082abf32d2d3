//! Pieces of a machine.

use crate::api::check::Type;
use galatea_machine::{Fade, LayerDef, MotionDef, StateDef, TransitionDef};

/// A piece of a machine.
#[derive(Clone)]
pub(super) enum Piece {
    State(StateDef),
    Transition(TransitionDef),
    Layer(LayerDef),
    Motion(MotionDef),
    Fade(Fade),
}

/// A piece of a machine as a value.
pub(super) const PIECE: Type = Type::Object("MachinePiece");
