//! Bit-packed words, as modular-bitfield declares them.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, DataStruct, DeriveInput, Error, Fields, Result};

use crate::attributes::Said;
use crate::doc::doc_of;

/// Whether modular-bitfield's attribute stands below the derive.
pub(crate) fn is_word(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().segments.last().is_some_and(|last| last.ident == "bitfield")
    })
}

/// The schema of a word.
pub(crate) fn expand(input: &DeriveInput, data: &DataStruct) -> Result<TokenStream> {
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new_spanned(&input.ident, "the parts of a word have names"));
    };
    let mut parts = Vec::new();
    let mut widths = Vec::new();
    for field in &fields.named {
        let said = Said::of(&field.attrs)?;
        let (name, doc, of) =
            (field.ident.as_ref().map(ToString::to_string), doc_of(&field.attrs), &field.ty);
        let meaning = match (said.means, said.zero) {
            (Some(meaning), false) => quote!(#meaning),
            (None, true) => quote!(::formwork_records::schema::Semantics::Zero),
            (None, false) => quote!(::formwork_records::schema::Semantics::Plain),
            (Some(_), true) => {
                let message = "`zero` and `means` each say what it means: only one of them can";
                return Err(Error::new_spanned(field, message));
            }
        };
        parts.push(quote! {
            ::formwork_records::schema::BitRange {
                name: #name,
                doc: #doc,
                width: <#of as ::modular_bitfield::Specifier>::BITS as u8,
                meaning: #meaning,
            }
        });
        widths.push(quote!(<#of as ::modular_bitfield::Specifier>::BITS));
    }
    let (name, text, doc) = (&input.ident, input.ident.to_string(), doc_of(&input.attrs));
    let (generics, arguments, clause) = input.generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #generics ::formwork_records::schema::Schema for #name #arguments #clause {
            const SHAPE: ::formwork_records::schema::Shape =
                ::formwork_records::schema::Shape::Word(&::formwork_records::schema::Word {
                    name: #text,
                    doc: #doc,
                    bytes: ((0 #(+ #widths)*) / 8) as u8,
                    bits: &[#(#parts),*],
                });
            const SIZE: ::core::option::Option<usize> =
                ::core::option::Option::Some((0 #(+ #widths)*) / 8);
        }
    })
}
