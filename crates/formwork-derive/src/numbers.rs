//! Types that are a single number: enums with a `repr`, and bit-packed words.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DataEnum, DeriveInput, Error, Expr, Ident, Result, Type};

use crate::attributes::{self, Directive, Value, doc, find, name_of};
use crate::expression::integer;
use crate::record;

/// Returns the number type of `#[brw(repr = u8)]`.
pub fn repr(own: &[Directive]) -> Result<Option<Type>> {
    let Some(directive) = find(own, "repr") else { return Ok(None) };
    match &directive.value {
        Value::Is(ty) => syn::parse2(quote!(#ty)).map(Some),
        Value::List(_, tokens) => syn::parse2(tokens.clone()).map(Some),
        Value::None => {
            Err(Error::new(directive.name.span(), "which number is in the file? `repr = u8`"))
        }
    }
}

/// Returns whether modular-bitfield packs the type.
pub fn is_word(input: &DeriveInput) -> bool {
    input.attrs.iter().any(|attribute| {
        attribute.path().segments.last().is_some_and(|segment| segment.ident == "bitfield")
    })
}

/// Derives `Schema` for an enum of numbers.
pub fn schema_of_enum(name: &Ident, data: &DataEnum, repr: &Type) -> Result<TokenStream> {
    let number =
        integer(repr).ok_or_else(|| Error::new_spanned(repr, "a number of up to 64 bits"))?;
    if let Some(variant) = data.variants.iter().find(|variant| !variant.fields.is_empty()) {
        let message = "a variant of an enum of numbers has no fields; for other numbers use the type `Open<Kind>`";
        return Err(Error::new_spanned(variant, message));
    }
    let names = data.variants.iter().map(|variant| {
        let (it, text) = (&variant.ident, variant.ident.to_string());
        quote!((#name::#it as #repr as i128, #text))
    });
    let variants: Vec<_> = data.variants.iter().map(|variant| &variant.ident).collect();
    Ok(quote! {
        #[automatically_derived]
        impl ::formwork::Schema for #name {
            const LAYOUT: ::formwork::schema::Layout = ::formwork::schema::Layout::Integer {
                number: #number,
                names: &[#(#names),*],
                open: false,
            };
            const SIZE: ::core::option::Option<usize> = <#repr as ::formwork::Schema>::SIZE;
            const NEEDS_ORDER: bool = <#repr as ::formwork::Schema>::NEEDS_ORDER;
            const IS_UNORDERED: bool = <#repr as ::formwork::Schema>::NEEDS_ORDER;
        }
        #[automatically_derived]
        impl ::formwork::derived::Numbered for #name {
            type Number = #repr;
            fn number(&self) -> #repr {
                match self { #(Self::#variants => Self::#variants as #repr),* }
            }
            fn of_number(number: #repr) -> ::core::option::Option<Self> {
                #(if number == Self::#variants as #repr { return ::core::option::Option::Some(Self::#variants) })*
                ::core::option::Option::None
            }
        }
        #[automatically_derived]
        impl ::formwork::derived::Settle for #name {
            fn measured(&mut self) -> ::core::option::Option<u64> {
                <Self as ::formwork::Schema>::SIZE.map(|size| size as u64)
            }
            fn access(&mut self, path: &[&str], to: ::core::option::Option<i128>) -> ::core::option::Option<i128> {
                if !path.is_empty() { return ::core::option::Option::None }
                if let ::core::option::Option::Some(to) = to {
                    *self = <Self as ::formwork::derived::Numbered>::of_number(::core::convert::TryInto::try_into(to).ok()?)?;
                }
                ::core::option::Option::Some(<Self as ::formwork::derived::Numbered>::number(self) as i128)
            }
        }
        #[automatically_derived]
        impl ::formwork::derived::Agree for #name {}
    })
}

/// Derives `BinRead` for an enum of numbers.
pub fn reader_of_enum(name: &Ident, data: &DataEnum, repr: &Type) -> TokenStream {
    let variants: Vec<_> = data.variants.iter().map(|variant| &variant.ident).collect();
    quote! {
        let __start = ::formwork::binrw::io::Seek::stream_position(__reader)?;
        let __number = <#repr as ::formwork::binrw::BinRead>::read_options(__reader, __endian, ())?;
        #(if __number == #name::#variants as #repr { return Ok(#name::#variants) })*
        Err(::formwork::binrw::Error::NoVariantMatch { pos: __start })
    }
}

/// Derives `Schema` for a bit-packed word.
pub fn schema_of_word(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "a bit-packed word is a struct"));
    };
    let (name, text, about) = (&input.ident, input.ident.to_string(), doc(&input.attrs));
    let names: Vec<_> =
        data.fields.iter().enumerate().map(|(index, field)| name_of(index, field)).collect();
    let mut meanings = Vec::new();
    for field in &data.fields {
        let said = attributes::of(&field.attrs, &["schema"])?;
        record::known(&said, record::ON_PARTS)?;
        meanings.push(record::meaning(&said)?);
    }
    let docs = data.fields.iter().map(|field| doc(&field.attrs));
    let types: Vec<_> = data.fields.iter().map(|field| &field.ty).collect();
    let get: Vec<_> = data.fields.iter().map(|field| field.ident.clone()).collect();
    let set: Vec<_> = names.iter().map(|name| format_ident!("set_{name}_checked")).collect();
    let size = quote!((0 #(+ <#types as ::formwork::derived::Specifier>::BITS)*) / 8);
    Ok(quote! {
        #[automatically_derived]
        impl ::formwork::Schema for #name {
            const LAYOUT: ::formwork::schema::Layout = ::formwork::schema::Layout::Word(&::formwork::schema::Word {
                name: #text,
                doc: #about,
                bytes: (#size) as u8,
                parts: &[#(::formwork::schema::WordPart {
                    name: #names,
                    doc: #docs,
                    width: <#types as ::formwork::derived::Specifier>::BITS as u8,
                    meaning: #meanings,
                    is_closed: false,
                }),*],
                is_high: false,
                is_big: ::core::option::Option::None,
            });
            const SIZE: ::core::option::Option<usize> = ::core::option::Option::Some(#size);
            const NEEDS_ORDER: bool = #size > 1;
            const IS_UNORDERED: bool = #size > 1;
        }
        #[automatically_derived]
        impl ::formwork::derived::Settle for #name {
            fn measured(&mut self) -> ::core::option::Option<u64> {
                <Self as ::formwork::Schema>::SIZE.map(|size| size as u64)
            }
            fn access(&mut self, path: &[&str], to: ::core::option::Option<i128>) -> ::core::option::Option<i128> {
                match path {
                    #([#names] => {
                        if let ::core::option::Option::Some(to) = to {
                            self.#set(::formwork::derived::part(to)?).ok()?;
                        }
                        ::core::option::Option::Some(Self::#get(&*self) as i128)
                    })*
                    _ => ::core::option::Option::None,
                }
            }
        }
        #[automatically_derived]
        impl ::formwork::derived::Agree for #name {}
    })
}

/// Derives `BinRead` for a type with `map`: `#[br(map = |raw: u16| raw.into())]`.
pub fn reader_of_map(own: &[Directive]) -> Result<Option<TokenStream>> {
    for name in ["map", "try_map"] {
        let Some(closure) = attributes::value(own, name) else { continue };
        let ty = match closure {
            Expr::Closure(closure) => match closure.inputs.first() {
                Some(syn::Pat::Type(typed)) => Some(typed.ty.clone()),
                _ => None,
            },
            _ => None,
        };
        let Some(ty) = ty else {
            let message = "say the type that is in the file: `map = |raw: u16| ..`";
            return Err(Error::new_spanned(closure, message));
        };
        let read =
            quote!(<#ty as ::formwork::binrw::BinRead>::read_options(__reader, __endian, ())?);
        return Ok(Some(if name == "map" {
            quote!(Ok((#closure)(#read)))
        } else {
            quote! {
                let __start = ::formwork::binrw::io::Seek::stream_position(__reader)?;
                (#closure)(#read).map_err(|error| ::formwork::binrw::Error::Custom {
                    pos: __start,
                    err: ::std::boxed::Box::new(error),
                })
            }
        }));
    }
    Ok(None)
}
