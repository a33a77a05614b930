//! `#[derive(Schema)]`: what a declaration says, as constants.
//!
//! The derive reads the attributes of binrw and modular-bitfield, so that no fact stands twice. It is
//! documented with the trait that it implements, `formwork_records::schema::Schema`.

mod attributes;
mod bound;
mod doc;
mod expression;
mod field;
mod numbered;
mod record;
mod word;

use proc_macro::TokenStream;
use syn::{Data, DeriveInput, Error, parse_macro_input};

/// Implements `formwork_records::schema::Schema` for a struct that binrw reads and writes, for an enum that stands for
/// a number (`repr`), or for a bit-packed word above modular-bitfield's `#[bitfield]`.
#[proc_macro_derive(Schema, attributes(schema, br, bw, brw))]
pub fn schema(item: TokenStream) -> TokenStream {
    let input = parse_macro_input!(item as DeriveInput);
    let made = match &input.data {
        Data::Struct(data) if word::is_word(&input.attrs) => word::expand(&input, data),
        Data::Struct(data) => record::expand(&input, data),
        Data::Enum(data) => numbered::expand(&input, data),
        Data::Union(data) => Err(Error::new(data.union_token.span, "a union has no schema")),
    };
    made.unwrap_or_else(|error| error.to_compile_error()).into()
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    /// What the derive says about a declaration that it refuses.
    fn refused(input: DeriveInput) -> String {
        let made = match &input.data {
            Data::Struct(data) => record::expand(&input, data),
            Data::Enum(data) => numbered::expand(&input, data),
            Data::Union(_) => panic!("the tests declare none"),
        };
        made.map(|made| panic!("{made}")).unwrap_err().to_string()
    }

    #[test]
    fn a_count_that_comes_too_late_is_refused() {
        let said = refused(parse_quote! {
            #[brw(little)]
            struct Late {
                #[br(count = length)]
                bytes: Vec<u8>,
                length: u32,
            }
        });
        assert_eq!(said, "`length` does not stand in front of this field");
    }

    #[test]
    fn what_hides_behind_a_function_must_be_said() {
        let said = refused(parse_quote! {
            #[brw(little)]
            struct Hidden {
                #[br(parse_with = until_zero)]
                text: String,
            }
        });
        assert_eq!(
            said,
            "`parse_with` hides what stands on the wire: say `#[schema(wire = TYPE)]`"
        );
    }

    #[test]
    fn a_list_without_a_count_is_refused() {
        let said = refused(parse_quote! {
            #[brw(little)]
            struct Uncounted {
                bytes: Vec<u8>,
            }
        });
        assert!(said.starts_with("how many? There is no `count` here"), "{said}");
    }

    #[test]
    fn a_word_without_its_parts_is_refused() {
        let said = refused(parse_quote! {
            #[brw(little)]
            struct Word {
                bytes: [u8; (<B31 as ::modular_bitfield::Specifier>::BITS + 1) / 8],
            }
        });
        assert!(said.starts_with("`#[derive(Schema)]` belongs above `#[bitfield]`"), "{said}");
    }

    #[test]
    fn a_typing_mistake_is_refused() {
        let said = refused(parse_quote! {
            #[brw(little)]
            struct Mistaken {
                #[schema(txt)]
                byte: u8,
            }
        });
        assert!(said.starts_with("no directive of `schema`; there are wire, count"), "{said}");
    }

    #[test]
    fn bytes_that_binrw_skips_are_refused() {
        let said = refused(parse_quote! {
            #[brw(little)]
            struct Skipping {
                #[br(pad_after = 3)]
                byte: u8,
            }
        });
        assert!(said.starts_with("`pad_after`: binrw skips these bytes by seeking"), "{said}");
    }

    #[test]
    fn an_enum_that_is_no_number_is_refused() {
        let said = refused(parse_quote! {
            enum Chunk {
                Format(u32),
            }
        });
        assert!(said.starts_with("which number stands on the wire?"), "{said}");
    }

    #[test]
    fn an_order_of_bytes_must_be_said() {
        let said = refused(parse_quote! {
            struct Unordered {
                number: u32,
            }
        });
        assert!(said.starts_with("in which order do the bytes stand?"), "{said}");
    }
}
