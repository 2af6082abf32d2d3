//! `#[derive(Options)]` for the structs that functions of the Lua API take as tables of options.
//!
//! The fields of the struct give the Lua names, types, defaults, limits, units and documentation. The derived
//! `galatea_script::toolkit::Options` is used by the argument checks, the reference, and both files of editor definitions;
//! its reader fills the struct. Each fact is written once.
//!
//! # Field attributes
//!
//! `#[option(…)]` takes, separated by commas:
//!
//! | attribute | meaning |
//! |---|---|
//! | `default = EXPRESSION` | value of an omitted field |
//! | `default_doc = "text"` | description of the default, if the expression is not clear to readers |
//! | `unit = "seconds"` | unit of a number |
//! | `range = MIN..=MAX` or `MIN..` | a number outside is an error |
//! | `above = MIN` | a number that is not more than `MIN` is an error |
//! | `clamp = MIN..=MAX` or `MIN..` | a number outside is clamped |
//! | `name = "end"` | name in Lua, if it differs from the field's |
//! | `ty = EXPRESSION` | the `Type` to check, if the field's Rust type does not determine it |
//! | `flatten` | inserts the fields of another options struct here |
//!
//! `#[option(entries = TYPE)]` on the struct declares that the table also has a list, with entries of this `Type`; the
//! function checks and reads them. `#[option(name = "Name")]` on the struct is the name of the table's type in Lua, if it
//! differs from the struct's.
//!
//! A field of type `Option<T>` may be omitted. Any other field needs a `default`, or it is required.
//!
#![doc = include_str!("example.md")]
//!
//! `galatea-script` runs this example as a test.
//!
//! # Dependencies
//!
//! No crate of Galatea: the derive only writes paths into `galatea_script`. Even a dev-dependency would build all crates below it a
//! second time, with the profile of build scripts.

mod expand;
mod field;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Derives `Options` and `OptionValue` of `galatea_script::toolkit` for a struct with named fields.
#[proc_macro_derive(Options, attributes(option))]
pub fn derive_options(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::options(&input)
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}
