//! What `thing:solid` and the makers of simple things take.

use super::check::{Field, Type};

/// The words of a form.
const SHAPES: &[&str] = &[
    "auto", "box", "sphere", "capsule", "cylinder", "hull", "mesh",
];

macro_rules! solid_fields {
    ($($more:expr),* $(,)?) => {
        &[
            $($more,)*
            Field::new("mass", Type::Number, "kilograms, more than 0; by its density. With a mass it falls and is pushed"),
            Field::new("density", Type::Number, "kilograms per cubic metre, in place of mass; 500"),
            Field::new("motion", Type::Word(&["static", "dynamic", "moved"]), "it stays; falls and is pushed; or goes where it is told and pushes others, as a lift does. static, with a mass dynamic"),
            Field::new("surface", Type::Text, "what it is made of, one that physics.surface knows; stone"),
            Field::new("friction", Type::Number, "0 or more, in place of its surface's"),
            Field::new("bounce", Type::Number, "share of the speed with which it springs back, 0 to 1, in place of its surface's"),
            Field::new("layer", Type::Text, "see physics.layer; world, or props for what moves"),
            Field::new("sensor", Type::Bool, "it stops nothing and tells what touches it; false"),
            Field::new("gravity", Type::Number, "factor on gravity; 1"),
            Field::new("damping", Type::Number, "share of its speed lost per second, 0 or more; 0"),
            Field::new("spin_damping", Type::Number, "share of its turning lost per second, 0 or more; 0.1"),
            Field::new("bullet", Type::Bool, "fast and small: it never passes through thin things; false"),
            Field::new("sticks", Type::Bool, "where its tip, the end that flies ahead, goes into something it stays and is held from then on, as an arrow; capsules of walkers do not stop it; the event stick tells; false"),
            Field::new("upright", Type::Bool, "it does not turn; false"),
            Field::new("velocity", Type::Vector, "metres per second that it begins with"),
            Field::new("spin", Type::Vector, "degrees per second about the world's axes that it begins with"),
        ]
    };
}

const PIECE_DOC: &str = "its form; auto, which is mesh for what stays and hull for what moves";

pub(super) const SOLID_FIELDS: &[Field] = solid_fields!(
    Field::new("shape", Type::Word(SHAPES), PIECE_DOC),
    Field::new(
        "size",
        Type::Vector,
        "of a box, metres; as the model is at rest"
    ),
    Field::new("radius", Type::Number, "metres; as the model is at rest"),
    Field::new(
        "height",
        Type::Number,
        "of a capsule or a cylinder from end to end, metres; as the model is at rest"
    ),
    Field::new(
        "at",
        Type::Vector,
        "the middle of its form in its own space, metres; as the model is at rest"
    ),
    Field::new(
        "parts",
        Type::Table("{ [any]: any }"),
        "a list of forms in place of one: each { shape, size, radius, height, at, yaw, pitch, roll }"
    ),
    Field::new(
        "surfaces",
        Type::Table("{ [any]: any }"),
        "of a mesh, what its materials are made of where that is not its surface, by their names: { Ice = \"ice\" }"
    ),
);

/// Fields of one of `parts`.
pub(super) const PART_FIELDS: &[Field] = &[
    Field::new(
        "shape",
        Type::Word(&["box", "sphere", "capsule", "cylinder"]),
        "its form",
    ),
    Field::new("size", Type::Vector, "of a box, metres"),
    Field::new("radius", Type::Number, "metres"),
    Field::new("height", Type::Number, "from end to end, metres"),
    Field::new("at", Type::Vector, "its middle"),
    Field::new("yaw", Type::Number, "degrees"),
    Field::new("pitch", Type::Number, "degrees"),
    Field::new("roll", Type::Number, "degrees"),
];

macro_rules! form_fields {
    ($($more:expr),* $(,)?) => {
        solid_fields!(
            Field::new("at", Type::Vector, "where its middle is, metres; stairs and ramps: where they begin"),
            Field::new("yaw", Type::Number, "degrees about +Y"),
            Field::new("pitch", Type::Number, "degrees about its own x axis, before yaw"),
            Field::new("roll", Type::Number, "degrees about its own z axis, before pitch"),
            Field::new("name", Type::Text, "makes it the same thing over reloads, whatever the order"),
            Field::new("color", Type::Vector, "linear colour; grey"),
            Field::new("roughness", Type::Number, "0 to 1; 0.62"),
            Field::new("metallic", Type::Number, "0 to 1; 0"),
            Field::new("solid", Type::Bool, "false: it is only seen; true"),
            $($more),*
        )
    };
}

pub(super) const BOX_FIELDS: &[Field] =
    form_fields!(Field::new("size", Type::Vector, "metres; (1, 1, 1)"));
pub(super) const SPHERE_FIELDS: &[Field] =
    form_fields!(Field::new("radius", Type::Number, "metres; 0.5"));
pub(super) const ROUND_FIELDS: &[Field] = form_fields!(
    Field::new("radius", Type::Number, "metres; 0.25"),
    Field::new("height", Type::Number, "from end to end, metres; 1"),
);
pub(super) const STAIRS_FIELDS: &[Field] = form_fields!(
    Field::new("steps", Type::Number, "how many, up to 256; 8"),
    Field::new("width", Type::Number, "metres; 2"),
    Field::new("rise", Type::Number, "height of a step, metres; 0.17"),
    Field::new("run", Type::Number, "depth of a step, metres; 0.29"),
);
pub(super) const TERRAIN_FIELDS: &[Field] = form_fields!(
    Field::new(
        "size",
        Type::Vector,
        "metres along x and z, and in y the factor on heights; (10, 1, 10)"
    ),
    Field::new(
        "heights",
        Type::OneOf(&[
            Type::Function("(...any) -> ...any"),
            Type::Table("{ [any]: any }"),
            Type::Buffer,
            Type::Text
        ]),
        "a function of x and z, metres from the middle; a list of rows along z, of heights along x; a buffer of 32-bit floats, row after row; or a picture's file, whose red is 0 to 1, in as many steps as it has. 4 to 262144 heights; flat"
    ),
    Field::new(
        "columns",
        Type::Number,
        "heights along x; those of the list or the picture, 65 of a function, 2 of what is flat"
    ),
    Field::new("rows", Type::Number, "heights along z; the same"),
    Field::new(
        "surfaces",
        Type::OneOf(&[
            Type::Function("(...any) -> ...any"),
            Type::Table("{ [any]: any }")
        ]),
        "what each cell between four heights is made of: a function of x and z of its middle, nothing for its surface; or a list of rows of names. Each cell has the friction and bounce of its own"
    ),
    Field::new(
        "colors",
        Type::Table("{ [any]: any }"),
        "linear colours of its surfaces by their names, which blend from cell to cell; by what they are"
    ),
);
