//! Code generation of the derive.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Data, DeriveInput, Error, Expr, ExprLit, Fields, Lit, LitStr, Result};

use crate::field::{NumberLimits, OptionField, documentation};

/// The implementations of `Options` and `OptionValue`.
pub fn options(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(input, "options are a struct"));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new_spanned(input, "options need named fields"));
    };
    let fields = fields
        .named
        .iter()
        .map(OptionField::new)
        .collect::<Result<Vec<_>>>()?;
    let doc = documentation(&input.attrs);
    if doc.is_empty() {
        return Err(Error::new_spanned(input, "options need documentation"));
    }
    let attributes = table_attributes(&input.attrs)?;
    let entries = match attributes.entries {
        Some(ty) => quote!(::core::option::Option::Some(&#ty)),
        None => quote!(::core::option::Option::None),
    };
    let ident = &input.ident;
    let name = attributes.name.unwrap_or_else(|| ident.to_string());
    let declared = fields.iter().filter(|field| !field.is_flat).map(declare);
    let included = fields.iter().filter(|field| field.is_flat);
    let included = included.map(|field| field.ty);
    let reads = fields.iter().map(read);
    Ok(quote! {
        impl ::galatea_script::toolkit::Options for #ident {
            const SHAPE: &'static ::galatea_script::toolkit::Shape = &::galatea_script::toolkit::Shape {
                name: #name,
                doc: #doc,
                fields: &[#(#declared),*],
                includes: &[#(<#included as ::galatea_script::toolkit::Options>::SHAPE),*],
                entries: #entries,
            };

            fn from_fields(
                fields: &::galatea_script::toolkit::Fields,
            ) -> ::core::result::Result<Self, ::std::string::String> {
                ::core::result::Result::Ok(Self { #(#reads),* })
            }
        }

        impl ::galatea_script::toolkit::OptionValue for #ident {
            const TYPE: ::galatea_script::toolkit::Type = ::galatea_script::toolkit::Type::Options(
                <Self as ::galatea_script::toolkit::Options>::SHAPE,
            );

            fn from_value(
                value: ::galatea_script::toolkit::Value,
            ) -> ::core::result::Result<Self, ::std::string::String> {
                <Self as ::galatea_script::toolkit::Options>::from_fields(
                    &::galatea_script::toolkit::Fields::of(&value),
                )
            }
        }
    })
}

/// Attributes of the struct itself.
#[derive(Default)]
struct TableAttributes {
    /// Name in Lua, if it differs from the struct's.
    name: Option<String>,
    /// Type of the entries, for a table that is also a list.
    entries: Option<Expr>,
}

fn table_attributes(attributes: &[Attribute]) -> Result<TableAttributes> {
    let mut found = TableAttributes::default();
    for attribute in attributes {
        if attribute.path().is_ident("option") {
            attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("entries") {
                    found.entries = Some(meta.value()?.parse()?);
                } else if meta.path.is_ident("name") {
                    found.name = Some(meta.value()?.parse::<LitStr>()?.value());
                } else {
                    return Err(meta.error("unknown attribute of options"));
                }
                Ok(())
            })?;
        }
    }
    Ok(found)
}

/// The `Field` that describes a field.
fn declare(field: &OptionField) -> TokenStream {
    let OptionField {
        name,
        ty,
        doc,
        default_doc,
        unit,
        ..
    } = field;
    let is_required = field.is_required();
    let checked = match &field.checked {
        Some(checked) => quote!(#checked),
        None => quote!(<#ty as ::galatea_script::toolkit::OptionValue>::TYPE),
    };
    let limits = match &field.limits {
        Some(limits) => {
            let NumberLimits {
                min,
                max,
                excludes_min,
                clamps,
            } = limits;
            let min = bound(min.as_ref(), quote!(f64::NEG_INFINITY));
            let max = bound(max.as_ref(), quote!(f64::INFINITY));
            quote! {
                ::core::option::Option::Some(::galatea_script::toolkit::Limits {
                    min: #min,
                    max: #max,
                    excludes_min: #excludes_min,
                    clamps: #clamps,
                })
            }
        }
        None => quote!(::core::option::Option::None),
    };
    quote! {
        ::galatea_script::toolkit::Field {
            name: #name,
            ty: #checked,
            doc: #doc,
            default: #default_doc,
            unit: #unit,
            limits: #limits,
            is_required: #is_required,
        }
    }
}

fn bound(limit: Option<&Expr>, none: TokenStream) -> TokenStream {
    limit.map_or(none, |limit| quote!((#limit) as f64))
}

/// The expression that reads a field of the struct.
fn read(field: &OptionField) -> TokenStream {
    let OptionField {
        ident, name, ty, ..
    } = field;
    if field.is_flat {
        return quote!(#ident: <#ty as ::galatea_script::toolkit::Options>::from_fields(fields)?);
    }
    let clamp = match &field.limits {
        Some(NumberLimits {
            min,
            max,
            clamps: true,
            ..
        }) => {
            let min_value = min.iter();
            let max_value = max.iter();
            quote!(.map(|n: #ty| n #(.max((#min_value) as #ty))* #(.min((#max_value) as #ty))*))
        }
        _ => TokenStream::new(),
    };
    let given = quote!(fields.read::<#ty>(#name)?#clamp);
    if field.is_optional {
        return quote!(#ident: #given);
    }
    match &field.default {
        Some(
            text @ Expr::Lit(ExprLit {
                lit: Lit::Str(_), ..
            }),
        ) => {
            quote!(#ident: #given.unwrap_or_else(|| #text.into()))
        }
        Some(default) => quote!(#ident: #given.unwrap_or_else(|| #default)),
        None => {
            quote!(#ident: #given.ok_or_else(|| ::std::format!("field {:?} is missing", #name))?)
        }
    }
}
