//! Enums that stand for numbers.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DataEnum, DeriveInput, Error, Result, Type};

use crate::attributes::{Value, directives};
use crate::field::Order;

/// The schema of an enum: the number that stands on the wire, and what its values are called.
pub(crate) fn expand(input: &DeriveInput, data: &DataEnum) -> Result<TokenStream> {
    let directives = directives(&input.attrs)?;
    let mut number: Option<Type> = None;
    for directive in &directives {
        if directive.name == "repr" {
            number = Some(match &directive.value {
                Value::Is(of) => syn::parse2(quote!(#of))?,
                Value::List(_, of) => syn::parse2(of.clone())?,
                Value::None => continue,
            });
        }
    }
    let Some(number) = number else {
        let message = "which number stands on the wire? Say `#[brw(repr = u8)]`. (Of an enum that holds data \
                       no schema is made: declare what tells its forms apart, and choose by it.)";
        return Err(Error::new_spanned(&input.ident, message));
    };
    let name = &input.ident;
    let mut names = Vec::new();
    for variant in &data.variants {
        if !variant.fields.is_empty() {
            return Err(Error::new_spanned(variant, "a variant that is a number holds nothing"));
        }
        let (variant, text) = (&variant.ident, variant.ident.to_string());
        names.push(quote!((#name::#variant as #number as i128, #text)));
    }
    let shape = match Order::of(&directives) {
        Some(Order::Big) => quote!(::formwork_records::schema::derived::big_endian::<#number>()),
        _ => quote!(<#number as ::formwork_records::schema::Schema>::SHAPE),
    };
    Ok(quote! {
        #[automatically_derived]
        impl ::formwork_records::schema::Schema for #name {
            const SHAPE: ::formwork_records::schema::Shape = #shape;
            const SIZE: ::core::option::Option<usize> = <#number as ::formwork_records::schema::Schema>::SIZE;
            const MEANING: ::formwork_records::schema::Semantics =
                ::formwork_records::schema::Semantics::Numbered(&[#(#names),*]);
        }
    })
}
