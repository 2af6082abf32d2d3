//! What can be said of hair.

use super::check::{Field, Type};
use super::hair_cut::CUT_TYPE;

pub(super) const FIELDS: &[Field] = &[
    Field {
        name: "cut",
        ty: CUT_TYPE,
        doc: "a haircut by its name, or { style = name, … } with what is to be other about it; what else is not given here is as it has it",
    },
    Field {
        name: "file",
        ty: Type::Text,
        doc: "a file of strands: `.tfx` of TressFX, `.hair` of Cem Yuksel or of the book, lines of a `.glb` or `.gltf`",
    },
    Field {
        name: "scale",
        ty: Type::Number,
        doc: "metres of a unit of the file; 1",
    },
    Field {
        name: "yaw",
        ty: Type::Number,
        doc: "degrees by which the file's strands are turned about +Y; 0",
    },
    Field {
        name: "offset",
        ty: Type::Vector,
        doc: "by which they are then moved, in the character's space at rest, metres; (0, 0, 0)",
    },
    Field {
        name: "guides",
        ty: Type::OneOf(&[Type::Table, Type::Number]),
        doc: "a list of strands from root to tip, each a list of places in the world, as the character stands now; of a file, how many of its strands move by themselves, the others with them; 160",
    },
    Field {
        name: "rest",
        ty: Type::Bool,
        doc: "guides are in the character's space at rest in place of the world: metres, +Y up, +Z ahead; false",
    },
    Field {
        name: "patches",
        ty: Type::Table,
        doc: "between which guides strands grow: a list of three or four of their numbers, around the patch; between those that stand near each other",
    },
    Field {
        name: "strands",
        ty: Type::Number,
        doc: "how many are drawn, up to 20000; 2000, of strips a twelfth of it",
    },
    Field {
        name: "points",
        ty: Type::Number,
        doc: "points of each, 2 to 64; 16",
    },
    Field {
        name: "seed",
        ty: Type::Number,
        doc: "where strands grow and how they differ; 1",
    },
    Field {
        name: "bone",
        ty: Type::Text,
        doc: "on which bone it is worn; \"head\"",
    },
    Field {
        name: "clump",
        ty: Type::Number,
        doc: "how far strands of a lock come together at their tips, 0 to 1; 0",
    },
    Field {
        name: "lock",
        ty: Type::Number,
        doc: "strands of a lock, about; 20",
    },
    Field {
        name: "frizz",
        ty: Type::Number,
        doc: "metres by which tips stray; 0",
    },
    Field {
        name: "curl",
        ty: Type::Number,
        doc: "metres from the middle of a curl to its strands, which takes enough points to show; 0",
    },
    Field {
        name: "turns",
        ty: Type::Number,
        doc: "curls in a metre of hair; 0",
    },
    Field {
        name: "skin",
        ty: Type::Bool,
        doc: "roots go with the skin as shapes and bones move it, as a beard does with the mouth; true for beards, moustaches and brows",
    },
    Field {
        name: "style",
        ty: Type::Word(&["strands", "strips"]),
        doc: "strands turn to the eye, strips lie each at an angle of its own; \"strands\"",
    },
    Field {
        name: "picture",
        ty: Type::Text,
        doc: "a PNG or JPEG that lies over each strip, roots at its upper side, with what is to be seen through clear; strands drawn side by side",
    },
    Field {
        name: "width",
        ty: Type::Number,
        doc: "metres across, at the root; 0.0012, of strips 0.02 or 12 strands of a haircut",
    },
    Field {
        name: "tip_width",
        ty: Type::Number,
        doc: "width at the tip as a share of that; 0.3",
    },
    Field {
        name: "color",
        ty: Type::Vector,
        doc: "linear colour at the tip; (0.12, 0.06, 0.03)",
    },
    Field {
        name: "root_color",
        ty: Type::Vector,
        doc: "at the root; six tenths of that",
    },
    Field {
        name: "variety",
        ty: Type::Number,
        doc: "how much lighter or darker than the others a strand may be, 0 to 1; 0.25",
    },
    Field {
        name: "roughness",
        ty: Type::Number,
        doc: "0 to 1; 0.45",
    },
    Field {
        name: "stiffness",
        ty: Type::OneOf(&[Type::Number, Type::Table]),
        doc: "how hard it is to bend out of its shape, 0 to 1, or { at the root, at the tip }; { 0.8, 0.12 }",
    },
    Field {
        name: "hold",
        ty: Type::OneOf(&[Type::Number, Type::Table]),
        doc: "how strongly it is drawn to where it would be if it did not move on the head, 0 to 1, or { at the root, at the tip }; { 0.15, 0 }",
    },
    Field {
        name: "damping",
        ty: Type::Number,
        doc: "how fast it loses motion against the head, 1/s; 4",
    },
    Field {
        name: "air",
        ty: Type::Number,
        doc: "how fast it takes on the motion of the air, 1/s; 1.5",
    },
    Field {
        name: "wind",
        ty: Type::Number,
        doc: "share of the wind that it feels; 1",
    },
    Field {
        name: "gravity",
        ty: Type::Number,
        doc: "factor on gravity, which acts as far as the head leans: at rest hair is as it was made; 1",
    },
    Field {
        name: "wet",
        ty: Type::Number,
        doc: "0 dry to 1 dripping: it hangs and is soft; 0",
    },
    Field {
        name: "follow",
        ty: Type::Number,
        doc: "share of the head's motion that it goes along with at once, 0 to 1; 0.1",
    },
    Field {
        name: "thickness",
        ty: Type::Number,
        doc: "metres kept from bodies; 0.003",
    },
    Field {
        name: "friction",
        ty: Type::Number,
        doc: "share of its motion along a body that it loses on it, 0 to 1; 0.2",
    },
    Field {
        name: "collide",
        ty: Type::OneOf(&[Type::Bool, Type::Object("Character"), Type::Table]),
        doc: "false for nothing, or another character, or a list, on whose body it lies beside the wearer's",
    },
    Field {
        name: "motion",
        ty: Type::Word(&["chains", "book"]),
        doc: "\"book\" moves it as chapter 15 does, by springs and a wind by chance; \"chains\"",
    },
    Field {
        name: "name",
        ty: Type::Text,
        doc: "makes it the same over reloads, whatever the order",
    },
];
