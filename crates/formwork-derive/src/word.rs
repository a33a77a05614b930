//! The derive of `Word`: parts of some bits, from the highest or the lowest one on.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Result};

use crate::attributes::{self, Directive, Value, doc, find, value};
use crate::direct;
use crate::expression::text;
use crate::record::{known, meaning};

/// Directives of `schema` on a part.
const ON_PARTS: &[&str] = &["bits", "zero", "names", "family"];

/// Whether the first part has the highest bits.
fn is_high(input: &DeriveInput, said: &[Directive]) -> Result<bool> {
    match value(said, "first").map(|it| text(it)).as_deref() {
        Some("high") => Ok(true),
        Some("low") => Ok(false),
        _ => {
            let message =
                "which bits has the first part? `#[schema(first = high)]`, or `first = low`";
            Err(Error::new_spanned(&input.ident, message))
        }
    }
}

/// Returns the order of bytes that the word says, as a constant and as Rust for its readers.
fn order(own: &[Directive]) -> Result<(TokenStream, TokenStream)> {
    let mut out = (quote!(::core::option::Option::None), quote!());
    for directive in own {
        out = match (directive.name.to_string().as_str(), &directive.value) {
            ("little", Value::None) => (
                quote!(::core::option::Option::Some(false)),
                quote!(let __endian = ::formwork::binrw::Endian::Little;),
            ),
            ("big", Value::None) => (
                quote!(::core::option::Option::Some(true)),
                quote!(let __endian = ::formwork::binrw::Endian::Big;),
            ),
            _ => {
                let message = "a word has an order of bytes, `little` or `big`, and nothing else";
                return Err(Error::new(directive.name.span(), message));
            }
        };
    }
    Ok(out)
}

pub fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "a word is a struct"));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new_spanned(&input.ident, "the parts of a word have names"));
    };
    if !input.generics.params.is_empty() {
        return Err(Error::new_spanned(&input.generics, "a word has no parameters"));
    }
    let said = attributes::of(&input.attrs, &["schema"])?;
    known(&said, &["first", "arbitrary"])?;
    let (is_high, (is_big, endian)) =
        (is_high(input, &said)?, order(&attributes::of(&input.attrs, &["brw"])?)?);
    let (name, shown, about) = (&input.ident, input.ident.to_string(), doc(&input.attrs));
    let (mut widths, mut meanings) = (Vec::new(), Vec::new());
    let (mut members, mut types, mut names, mut docs) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (index, field) in fields.named.iter().enumerate() {
        let said = attributes::of(&field.attrs, &["schema"])?;
        known(&said, ON_PARTS)?;
        let ty = &field.ty;
        widths.push(match value(&said, "bits") {
            Some(bits) => quote!(((#bits) as u32)),
            None => quote!(<#ty as ::formwork::derived::Bits>::MOST),
        });
        let is_said = said.iter().any(|it| !it.is("bits"));
        let meaning = meaning(&said)?;
        meanings.push(match is_said {
            true => meaning,
            false => {
                quote!(::formwork::derived::named_bits(<#ty as ::formwork::derived::Bits>::NAMES))
            }
        });
        names.push(attributes::name_of(index, field));
        members.push(&field.ident);
        types.push(ty);
        docs.push(doc(&field.attrs));
    }
    let arbitrary = find(&said, "arbitrary").map(|_| crate::schema::arbitrary(input));
    let direct = direct::of_number(
        input,
        Some(&quote! {
            #endian
            let __bytes = ::formwork::derived::take_array::<{ #name::BYTES }>(__input)?;
            let __big = __endian == ::formwork::binrw::Endian::Big;
            Self::of_raw(::formwork::schema::Word::read(&__bytes, __big))
                .ok_or(::formwork::derived::Missed::Refused)
        }),
    );
    Ok(quote! {
        const _: () = {
            use ::formwork::derived::Bits as _;
            const WIDTHS: &[u32] = &[#(#widths),*];
            const WORD: ::formwork::schema::Word = ::formwork::schema::Word {
                name: #shown,
                doc: #about,
                bytes: #name::BYTES as u8,
                parts: &[#(::formwork::schema::WordPart {
                    name: #names,
                    doc: #docs,
                    width: #widths as u8,
                    meaning: #meanings,
                    is_closed: <#types as ::formwork::derived::Bits>::IS_CLOSED,
                }),*],
                is_high: #is_high,
                is_big: #is_big,
            };
            #[automatically_derived]
            #[allow(clippy::all, clippy::pedantic)]
            impl #name {
                const BYTES: usize = {
                    #(::core::assert!(
                        0 < #widths && #widths <= <#types as ::formwork::derived::Bits>::MOST,
                        "a part has more bits than its type, or none, or its type has negative numbers",
                    );)*
                    #(::core::assert!(
                        ::formwork::derived::fit_bits(<#types as ::formwork::derived::Bits>::NAMES, #widths),
                        "a number of the enum has more bits than its part",
                    );)*
                    ::formwork::derived::bytes_of_bits(WIDTHS)
                };
                #[doc(hidden)]
                fn of_raw(__raw: u128) -> ::core::option::Option<Self> {
                    let mut __values = WORD.values(__raw).map(|it| it.1);
                    ::core::option::Option::Some(Self {
                        #(#members: <#types as ::formwork::derived::Bits>::of_bits(__values.next()?)?,)*
                    })
                }
                #[doc(hidden)]
                fn raw(&self) -> ::core::option::Option<u128> {
                    let __values = [#(::formwork::derived::Bits::bits(&self.#members)),*];
                    WORD.packed(&__values)
                }
            }
            #[automatically_derived]
            impl ::formwork::Schema for #name {
                const LAYOUT: ::formwork::schema::Layout = ::formwork::schema::Layout::Word(&WORD);
                const SIZE: ::core::option::Option<usize> = ::core::option::Option::Some(Self::BYTES);
                const NEEDS_ORDER: bool = Self::BYTES > 1 && WORD.is_big.is_none();
                const IS_UNORDERED: bool = Self::NEEDS_ORDER;
            }
            #[automatically_derived]
            impl ::formwork::binrw::BinRead for #name {
                type Args<'__args> = ();
                fn read_options<__R: ::formwork::binrw::io::Read + ::formwork::binrw::io::Seek>(
                    __reader: &mut __R,
                    __endian: ::formwork::binrw::Endian,
                    (): (),
                ) -> ::formwork::binrw::BinResult<Self> {
                    #endian
                    let __start = ::formwork::binrw::io::Seek::stream_position(__reader)?;
                    let __bytes: [u8; #name::BYTES] =
                        ::formwork::derived::bytes(__reader, __endian, ())?;
                    let __big = __endian == ::formwork::binrw::Endian::Big;
                    Self::of_raw(::formwork::schema::Word::read(&__bytes, __big))
                        .ok_or(::formwork::binrw::Error::NoVariantMatch { pos: __start })
                }
            }
            #[automatically_derived]
            impl ::formwork::binrw::BinWrite for #name {
                type Args<'__args> = ();
                fn write_options<__W: ::formwork::binrw::io::Write + ::formwork::binrw::io::Seek>(
                    &self,
                    __writer: &mut __W,
                    __endian: ::formwork::binrw::Endian,
                    (): (),
                ) -> ::formwork::binrw::BinResult<()> {
                    #endian
                    let __raw = self.raw().unwrap_or_default();
                    let __bytes: [u8; #name::BYTES] =
                        ::formwork::derived::bytes_of_word(__raw, __endian == ::formwork::binrw::Endian::Big);
                    ::core::result::Result::Ok(::formwork::binrw::io::Write::write_all(__writer, &__bytes)?)
                }
            }
            #[automatically_derived]
            impl ::formwork::binrw::meta::ReadEndian for #name {
                const ENDIAN: ::formwork::binrw::meta::EndianKind = ::formwork::binrw::meta::EndianKind::Runtime;
            }
            #[automatically_derived]
            impl ::formwork::binrw::meta::WriteEndian for #name {
                const ENDIAN: ::formwork::binrw::meta::EndianKind = ::formwork::binrw::meta::EndianKind::Runtime;
            }
            #[automatically_derived]
            impl ::formwork::derived::Followed for #name {}
            #[automatically_derived]
            impl ::formwork::derived::Settle for #name {
                fn measured(&mut self) -> ::core::option::Option<u64> {
                    <Self as ::formwork::Schema>::SIZE.map(|size| size as u64)
                }
                fn copied(&self) -> ::core::option::Option<Self> {
                    Self::of_raw(self.raw()?)
                }
                fn access(&mut self, path: &[&str], to: ::core::option::Option<i128>) -> ::core::option::Option<i128> {
                    match path {
                        #([#names] | [#names, "number"] => {
                            if let ::core::option::Option::Some(to) = to {
                                let __bits = ::core::convert::TryInto::try_into(to).ok()?;
                                let __fits = __bits <= ::formwork::derived::most_bits(#widths);
                                self.#members = <#types as ::formwork::derived::Bits>::of_bits(__bits).filter(|_| __fits)?;
                            }
                            ::core::option::Option::Some(::formwork::derived::Bits::bits(&self.#members) as i128)
                        })*
                        _ => ::core::option::Option::None,
                    }
                }
            }
            #[automatically_derived]
            impl ::formwork::derived::Agree for #name {
                fn agree(&self, (): ()) -> ::formwork::Result<()> {
                    #(::formwork::derived::fits_bits(&self.#members, #widths, #names)?;)*
                    ::core::result::Result::Ok(())
                }
            }
            #direct
        };
        #arbitrary
    })
}
