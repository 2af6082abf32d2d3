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
            Field { name: "mass", ty: Type::Number, doc: "kilograms, more than 0; by its density. With a mass it falls and is pushed" },
            Field { name: "density", ty: Type::Number, doc: "kilograms per cubic metre, in place of mass; 500" },
            Field { name: "motion", ty: Type::Word(&["static", "dynamic", "moved"]), doc: "it stays; falls and is pushed; or goes where it is told and pushes others, as a lift does. static, with a mass dynamic" },
            Field { name: "surface", ty: Type::Text, doc: "what it is made of, one that physics.surface knows; stone" },
            Field { name: "friction", ty: Type::Number, doc: "0 or more, in place of its surface's" },
            Field { name: "bounce", ty: Type::Number, doc: "share of the speed with which it springs back, 0 to 1, in place of its surface's" },
            Field { name: "layer", ty: Type::Text, doc: "see physics.layer; world, or props for what moves" },
            Field { name: "sensor", ty: Type::Bool, doc: "it stops nothing and tells what touches it; false" },
            Field { name: "gravity", ty: Type::Number, doc: "factor on gravity; 1" },
            Field { name: "damping", ty: Type::Number, doc: "share of its speed lost per second, 0 or more; 0" },
            Field { name: "spin_damping", ty: Type::Number, doc: "share of its turning lost per second, 0 or more; 0.1" },
            Field { name: "bullet", ty: Type::Bool, doc: "fast and small: it never passes through thin things; false" },
            Field { name: "sticks", ty: Type::Bool, doc: "where its tip, the end that flies ahead, goes into something it stays and is held from then on, as an arrow; capsules of walkers do not stop it; the event stick tells; false" },
            Field { name: "upright", ty: Type::Bool, doc: "it does not turn; false" },
            Field { name: "velocity", ty: Type::Vector, doc: "metres per second that it begins with" },
            Field { name: "spin", ty: Type::Vector, doc: "degrees per second about the world's axes that it begins with" },
        ]
    };
}

const PIECE_DOC: &str = "its form; auto, which is mesh for what stays and hull for what moves";

pub(super) const SOLID_FIELDS: &[Field] = solid_fields!(
    Field {
        name: "shape",
        ty: Type::Word(SHAPES),
        doc: PIECE_DOC,
    },
    Field {
        name: "size",
        ty: Type::Vector,
        doc: "of a box, metres; as the model is at rest",
    },
    Field {
        name: "radius",
        ty: Type::Number,
        doc: "metres; as the model is at rest",
    },
    Field {
        name: "height",
        ty: Type::Number,
        doc: "of a capsule or a cylinder from end to end, metres; as the model is at rest",
    },
    Field {
        name: "at",
        ty: Type::Vector,
        doc: "the middle of its form in its own space, metres; as the model is at rest",
    },
    Field {
        name: "parts",
        ty: Type::Table,
        doc: "a list of forms in place of one: each { shape, size, radius, height, at, yaw, pitch, roll }",
    },
    Field {
        name: "surfaces",
        ty: Type::Table,
        doc: "of a mesh, what its materials are made of where that is not its surface, by their names: { Ice = \"ice\" }",
    },
);

/// Fields of one of `parts`.
pub(super) const PART_FIELDS: &[Field] = &[
    Field {
        name: "shape",
        ty: Type::Word(&["box", "sphere", "capsule", "cylinder"]),
        doc: "its form",
    },
    Field {
        name: "size",
        ty: Type::Vector,
        doc: "of a box, metres",
    },
    Field {
        name: "radius",
        ty: Type::Number,
        doc: "metres",
    },
    Field {
        name: "height",
        ty: Type::Number,
        doc: "from end to end, metres",
    },
    Field {
        name: "at",
        ty: Type::Vector,
        doc: "its middle",
    },
    Field {
        name: "yaw",
        ty: Type::Number,
        doc: "degrees",
    },
    Field {
        name: "pitch",
        ty: Type::Number,
        doc: "degrees",
    },
    Field {
        name: "roll",
        ty: Type::Number,
        doc: "degrees",
    },
];

macro_rules! form_fields {
    ($($more:expr),* $(,)?) => {
        solid_fields!(
            Field { name: "at", ty: Type::Vector, doc: "where its middle is, metres; stairs and ramps: where they begin" },
            Field { name: "yaw", ty: Type::Number, doc: "degrees about +Y" },
            Field { name: "pitch", ty: Type::Number, doc: "degrees about its own x axis, before yaw" },
            Field { name: "roll", ty: Type::Number, doc: "degrees about its own z axis, before pitch" },
            Field { name: "name", ty: Type::Text, doc: "makes it the same thing over reloads, whatever the order" },
            Field { name: "color", ty: Type::Vector, doc: "linear colour; grey" },
            Field { name: "roughness", ty: Type::Number, doc: "0 to 1; 0.62" },
            Field { name: "metallic", ty: Type::Number, doc: "0 to 1; 0" },
            Field { name: "solid", ty: Type::Bool, doc: "false: it is only seen; true" },
            $($more),*
        )
    };
}

pub(super) const BOX_FIELDS: &[Field] = form_fields!(Field {
    name: "size",
    ty: Type::Vector,
    doc: "metres; (1, 1, 1)"
});
pub(super) const SPHERE_FIELDS: &[Field] = form_fields!(Field {
    name: "radius",
    ty: Type::Number,
    doc: "metres; 0.5"
});
pub(super) const ROUND_FIELDS: &[Field] = form_fields!(
    Field {
        name: "radius",
        ty: Type::Number,
        doc: "metres; 0.25"
    },
    Field {
        name: "height",
        ty: Type::Number,
        doc: "from end to end, metres; 1"
    },
);
pub(super) const STAIRS_FIELDS: &[Field] = form_fields!(
    Field {
        name: "steps",
        ty: Type::Number,
        doc: "how many, up to 256; 8"
    },
    Field {
        name: "width",
        ty: Type::Number,
        doc: "metres; 2"
    },
    Field {
        name: "rise",
        ty: Type::Number,
        doc: "height of a step, metres; 0.17"
    },
    Field {
        name: "run",
        ty: Type::Number,
        doc: "depth of a step, metres; 0.29"
    },
);
pub(super) const TERRAIN_FIELDS: &[Field] = form_fields!(
    Field {
        name: "size",
        ty: Type::Vector,
        doc: "metres along x and z, and in y the factor on heights; (10, 1, 10)"
    },
    Field {
        name: "heights",
        ty: Type::OneOf(&[Type::Function, Type::Table, Type::Buffer, Type::Text]),
        doc: "a function of x and z, metres from the middle; a list of rows along z, of heights along x; a buffer of 32-bit floats, row after row; or a picture's file, whose red is 0 to 1, in as many steps as it has. 4 to 262144 heights; flat"
    },
    Field {
        name: "columns",
        ty: Type::Number,
        doc: "heights along x; those of the list or the picture, 65 of a function, 2 of what is flat"
    },
    Field {
        name: "rows",
        ty: Type::Number,
        doc: "heights along z; the same"
    },
    Field {
        name: "surfaces",
        ty: Type::OneOf(&[Type::Function, Type::Table]),
        doc: "what each cell between four heights is made of: a function of x and z of its middle, nothing for its surface; or a list of rows of names. Each cell has the friction and bounce of its own"
    },
    Field {
        name: "colors",
        ty: Type::Table,
        doc: "linear colours of its surfaces by their names, which blend from cell to cell; by what they are"
    },
);
