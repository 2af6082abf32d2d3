//! A field of an options struct and its attributes.

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{
    Attribute, Error, Expr, ExprLit, Field, Ident, Lit, LitStr, Meta, RangeLimits, Result, Type,
};

/// Limits of a number.
pub struct NumberLimits {
    /// Minimum; `None` for no limit.
    pub min: Option<Expr>,
    /// Maximum; `None` for no limit.
    pub max: Option<Expr>,
    /// True if the minimum itself is not allowed.
    pub excludes_min: bool,
    /// True if a number outside is clamped, false if it is an error.
    pub clamps: bool,
}

/// A field with its attributes.
pub struct OptionField<'a> {
    /// The field in Rust.
    pub ident: &'a Ident,
    /// Name in Lua.
    pub name: String,
    /// Type without the `Option` around it.
    pub ty: &'a Type,
    /// True for `Option<T>`.
    pub is_optional: bool,
    /// Documentation in one line, without the last full stop.
    pub doc: String,
    /// Value when the field is omitted.
    pub default: Option<Expr>,
    /// Description of the default in the documentation.
    pub default_doc: String,
    /// Unit of a number; empty for none.
    pub unit: String,
    /// Limits of a number.
    pub limits: Option<NumberLimits>,
    /// The type to check, if it is not that of `ty`.
    pub checked: Option<Expr>,
    /// True if the fields of `ty` replace this field.
    pub is_flat: bool,
}

impl<'a> OptionField<'a> {
    /// Reads a field and its attributes.
    pub fn new(field: &'a Field) -> Result<Self> {
        let Some(ident) = &field.ident else {
            return Err(Error::new_spanned(field, "options need named fields"));
        };
        let inner = optional(&field.ty);
        let mut this = Self {
            ident,
            name: ident.unraw().to_string(),
            ty: inner.unwrap_or(&field.ty),
            is_optional: inner.is_some(),
            doc: documentation(&field.attrs),
            default: None,
            default_doc: String::new(),
            unit: String::new(),
            limits: None,
            checked: None,
            is_flat: false,
        };
        for attribute in &field.attrs {
            if attribute.path().is_ident("option") {
                this.read(attribute)?;
            }
        }
        if this.doc.is_empty() && !this.is_flat {
            return Err(Error::new_spanned(field, "an option needs documentation"));
        }
        Ok(this)
    }

    fn read(&mut self, attribute: &Attribute) -> Result<()> {
        attribute.parse_nested_meta(|meta| {
            let is = |name: &str| meta.path.is_ident(name);
            if is("flatten") {
                self.is_flat = true;
                return Ok(());
            }
            let value = meta.value()?;
            if is("default") {
                let default: Expr = value.parse()?;
                if self.default_doc.is_empty() {
                    self.default_doc = in_lua(&default);
                }
                self.default = Some(default);
            } else if is("default_doc") {
                self.default_doc = value.parse::<LitStr>()?.value();
            } else if is("unit") {
                self.unit = value.parse::<LitStr>()?.value();
            } else if is("name") {
                self.name = value.parse::<LitStr>()?.value();
            } else if is("ty") {
                self.checked = Some(value.parse()?);
            } else if is("range") || is("clamp") {
                let range = match value.parse()? {
                    // `MIN..MAX` would exclude MAX, which no limit supports.
                    Expr::Range(range)
                        if range.end.is_none()
                            || matches!(range.limits, RangeLimits::Closed(_)) =>
                    {
                        range
                    }
                    _ => return Err(meta.error("expected MIN..=MAX or MIN..")),
                };
                self.limits = Some(NumberLimits {
                    min: range.start.map(|end| *end),
                    max: range.end.map(|end| *end),
                    excludes_min: false,
                    clamps: is("clamp"),
                });
            } else if is("above") {
                self.limits = Some(NumberLimits {
                    min: Some(value.parse()?),
                    max: None,
                    excludes_min: true,
                    clamps: false,
                });
            } else {
                return Err(meta.error("unknown attribute of an option"));
            }
            Ok(())
        })
    }

    /// Returns true if the table must have this field.
    pub fn is_required(&self) -> bool {
        !self.is_optional && self.default.is_none()
    }
}

/// Documentation of an item in one line, without the last full stop.
pub fn documentation(attributes: &[Attribute]) -> String {
    let lines = attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(doc) if doc.path.is_ident("doc") => match &doc.value {
                Expr::Lit(ExprLit {
                    lit: Lit::Str(text),
                    ..
                }) => Some(text.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        });
    let text = lines.collect::<Vec<_>>().join(" ");
    text.trim().trim_end_matches('.').to_owned()
}

/// `T` of `Option<T>`.
fn optional(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match arguments.args.first()? {
        syn::GenericArgument::Type(inner) if last.ident == "Option" => Some(inner),
        _ => None,
    }
}

/// A literal in Lua syntax; other expressions mean nothing to script authors.
fn in_lua(value: &Expr) -> String {
    match value {
        Expr::Lit(ExprLit { lit, .. }) => match lit {
            Lit::Float(number) => number.base10_digits().trim_end_matches(".0").to_owned(),
            Lit::Int(number) => number.base10_digits().to_owned(),
            Lit::Bool(is_true) => is_true.value.to_string(),
            other => other.to_token_stream().to_string(),
        },
        Expr::Unary(negative) => match in_lua(&negative.expr) {
            number if number.is_empty() => number,
            number => format!("-{number}"),
        },
        _ => String::new(),
    }
}
