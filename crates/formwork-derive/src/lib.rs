//! `#[derive(Schema)]`: what a declaration says, as constants.
//!
//! The derive reads the attributes of binrw and modular-bitfield, so that no fact stands twice. It is
//! documented with the trait that it implements, `formwork::schema::Schema`.

mod attributes;
mod bound;
mod doc;
mod expression;
mod field;
mod record;
mod word;

use proc_macro::TokenStream;
use syn::{Data, DeriveInput, Error, parse_macro_input};

/// Implements `formwork::schema::Schema` for a struct that binrw reads and writes, or for a bit-packed word
/// above modular-bitfield's `#[bitfield]`.
#[proc_macro_derive(Schema, attributes(schema, br, bw, brw))]
pub fn schema(item: TokenStream) -> TokenStream {
    let input = parse_macro_input!(item as DeriveInput);
    let made = match &input.data {
        Data::Struct(data) if word::is_word(&input.attrs) => word::expand(&input, data),
        Data::Struct(data) => record::expand(&input, data),
        Data::Enum(data) => Err(Error::new(
            data.enum_token.span,
            "a schema of an enum is not made: declare the number as a field, with `means = \
             Meaning::Named(..)`, and choose by it",
        )),
        Data::Union(data) => Err(Error::new(data.union_token.span, "a union has no schema")),
    };
    made.unwrap_or_else(|error| error.to_compile_error()).into()
}
