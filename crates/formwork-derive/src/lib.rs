//! The derives of the crate formwork: `Schema`, and a `BinRead` that passes binrw's attributes on.

mod agree;
mod attributes;
mod direct;
mod expression;
mod numbers;
mod reader;
mod record;
mod schema;
mod sides;
mod view;
mod word;

use proc_macro::TokenStream;
use syn::{DeriveInput, Error, parse_macro_input};

/// Derives `formwork::Schema`: the layout of the type as constants, and the code that sets and compares its
/// counts.
///
/// The attributes are described in the documentation of `formwork::schema`.
#[proc_macro_derive(Schema, attributes(schema, br, bw, brw))]
pub fn schema(item: TokenStream) -> TokenStream {
    let input = parse_macro_input!(item as DeriveInput);
    schema::expand(&input).unwrap_or_else(|error| schema::stand_in(&input, &error)).into()
}

/// Derives everything for a word of parts that are numbers of some bits: reader, writer and schema.
///
/// ```text
/// #[derive(Word, Clone, Copy, Debug, PartialEq)]
/// #[brw(big)]
/// #[schema(first = high)]
/// struct Head {
///     #[schema(bits = 3)]
///     version: u8,
///     more: bool,
///     #[schema(bits = 20)]
///     size: u32,
/// }
/// ```
///
/// The parts fill whole bytes, sixteen at most. A part is a `bool`, an unsigned number, an enum of numbers, or an
/// `Open` one.
#[proc_macro_derive(Word, attributes(schema, brw))]
pub fn word(item: TokenStream) -> TokenStream {
    let input = parse_macro_input!(item as DeriveInput);
    word::expand(&input).unwrap_or_else(Error::into_compile_error).into()
}

/// Derives binrw's `BinRead` with checked arithmetic, a limit of depth, and enums that commit to one variant.
///
/// binrw's own derive does the work on a hidden twin of the type, so all of binrw's attributes keep their
/// meaning.
#[proc_macro_derive(BinRead, attributes(schema, br, bw, brw))]
pub fn bin_read(item: TokenStream) -> TokenStream {
    let input = parse_macro_input!(item as DeriveInput);
    reader::expand(&input).unwrap_or_else(Error::into_compile_error).into()
}
