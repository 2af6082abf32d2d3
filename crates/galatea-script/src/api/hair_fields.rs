//! What can be said of hair.

use super::check::{Field, Type};
use super::hair_cut::CUT_TYPE;

pub(super) const FIELDS: &[Field] = &[
    Field::new(
        "cut",
        CUT_TYPE,
        "a haircut by its name, or { style = name, … } with what is to be other about it; what else is not given here is as it has it",
    ),
    Field::new(
        "file",
        Type::Text,
        "a file of strands: `.tfx` of TressFX, `.hair` of Cem Yuksel or of the book, lines of a `.glb` or `.gltf`",
    ),
    Field::new("scale", Type::Number, "metres of a unit of the file; 1"),
    Field::new(
        "yaw",
        Type::Number,
        "degrees by which the file's strands are turned about +Y; 0",
    ),
    Field::new(
        "offset",
        Type::Vector,
        "by which they are then moved, in the character's space at rest, metres; (0, 0, 0)",
    ),
    Field::new(
        "guides",
        Type::OneOf(&[Type::Table("{ [any]: any }"), Type::Number]),
        "a list of strands from root to tip, each a list of places in the world, as the character stands now; of a file, how many of its strands move by themselves, the others with them; 160",
    ),
    Field::new(
        "rest",
        Type::Bool,
        "guides are in the character's space at rest in place of the world: metres, +Y up, +Z ahead; false",
    ),
    Field::new(
        "patches",
        Type::Table("{ [any]: any }"),
        "between which guides strands grow: a list of three or four of their numbers, around the patch; between those that stand near each other",
    ),
    Field::new(
        "strands",
        Type::Number,
        "how many are drawn, up to 20000; 2000, of strips a twelfth of it",
    ),
    Field::new("points", Type::Number, "points of each, 2 to 64; 16"),
    Field::new(
        "seed",
        Type::Number,
        "where strands grow and how they differ; 1",
    ),
    Field::new("bone", Type::Text, "on which bone it is worn; \"head\""),
    Field::new(
        "clump",
        Type::Number,
        "how far strands of a lock come together at their tips, 0 to 1; 0",
    ),
    Field::new("lock", Type::Number, "strands of a lock, about; 20"),
    Field::new("frizz", Type::Number, "metres by which tips stray; 0"),
    Field::new(
        "curl",
        Type::Number,
        "metres from the middle of a curl to its strands, which takes enough points to show; 0",
    ),
    Field::new("turns", Type::Number, "curls in a metre of hair; 0"),
    Field::new(
        "skin",
        Type::Bool,
        "roots go with the skin as shapes and bones move it, as a beard does with the mouth; true for beards, moustaches and brows",
    ),
    Field::new(
        "style",
        Type::Word(&["strands", "strips"]),
        "strands turn to the eye, strips lie each at an angle of its own; \"strands\"",
    ),
    Field::new(
        "picture",
        Type::Text,
        "a PNG or JPEG that lies over each strip, roots at its upper side, with what is to be seen through clear; strands drawn side by side",
    ),
    Field::new(
        "width",
        Type::Number,
        "metres across, at the root; 0.0012, of strips 0.02 or 12 strands of a haircut",
    ),
    Field::new(
        "tip_width",
        Type::Number,
        "width at the tip as a share of that; 0.3",
    ),
    Field::new(
        "color",
        Type::Vector,
        "linear colour at the tip; (0.12, 0.06, 0.03)",
    ),
    Field::new(
        "root_color",
        Type::Vector,
        "at the root; six tenths of that",
    ),
    Field::new(
        "variety",
        Type::Number,
        "how much lighter or darker than the others a strand may be, 0 to 1; 0.25",
    ),
    Field::new("roughness", Type::Number, "0 to 1; 0.45"),
    Field::new(
        "stiffness",
        Type::OneOf(&[Type::Number, Type::Table("{ [any]: any }")]),
        "how hard it is to bend out of its shape, 0 to 1, or { at the root, at the tip }; { 0.8, 0.12 }",
    ),
    Field::new(
        "hold",
        Type::OneOf(&[Type::Number, Type::Table("{ [any]: any }")]),
        "how strongly it is drawn to where it would be if it did not move on the head, 0 to 1, or { at the root, at the tip }; { 0.15, 0 }",
    ),
    Field::new(
        "damping",
        Type::Number,
        "how fast it loses motion against the head, 1/s; 4",
    ),
    Field::new(
        "air",
        Type::Number,
        "how fast it takes on the motion of the air, 1/s; 1.5",
    ),
    Field::new("wind", Type::Number, "share of the wind that it feels; 1"),
    Field::new(
        "gravity",
        Type::Number,
        "factor on gravity, which acts as far as the head leans: at rest hair is as it was made; 1",
    ),
    Field::new(
        "wet",
        Type::Number,
        "0 dry to 1 dripping: it hangs and is soft; 0",
    ),
    Field::new(
        "follow",
        Type::Number,
        "share of the head's motion that it goes along with at once, 0 to 1; 0.1",
    ),
    Field::new("thickness", Type::Number, "metres kept from bodies; 0.003"),
    Field::new(
        "friction",
        Type::Number,
        "share of its motion along a body that it loses on it, 0 to 1; 0.2",
    ),
    Field::new(
        "collide",
        Type::OneOf(&[
            Type::Bool,
            Type::Object("Character"),
            Type::Table("{ [any]: any }"),
        ]),
        "false for nothing, or another character, or a list, on whose body it lies beside the wearer's",
    ),
    Field::new(
        "motion",
        Type::Word(&["chains", "book"]),
        "\"book\" moves it as chapter 15 does, by springs and a wind by chance; \"chains\"",
    ),
    Field::new(
        "name",
        Type::Text,
        "makes it the same over reloads, whatever the order",
    ),
];
