//! Re-exports of everything that declares and reads arguments.

pub use super::group::Args;
pub use super::options::{ByName, Fields, NumberRange, OneOrMany, OptionValue, Options};
pub use super::types::{Field, Limits, Param, Shape, Type, check_params};
pub use super::values::{decimal, describe, lua_number, lua_vector, number, object, text, vector};
