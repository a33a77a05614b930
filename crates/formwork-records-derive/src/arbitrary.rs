//! `Arbitrary`, where `#[schema(arbitrary)]` asks for it.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Lifetime, LifetimeParam, Result, parse_quote};

use crate::attributes::of_type;

/// The implementation of `Arbitrary`: the library makes bytes along the schema, and the type's reader reads
/// them.
pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    if !of_type(&input.attrs)?.arbitrary {
        return Ok(TokenStream::new());
    }
    let name = &input.ident;
    let (_, arguments, _) = input.generics.split_for_impl();
    let mut generics = input.generics.clone();
    let seed = Lifetime::new("'seed", name.span());
    generics.params.insert(0, LifetimeParam::new(seed.clone()).into());
    if input.generics.type_params().next().is_some() {
        let clause = generics.make_where_clause();
        clause.predicates.push(parse_quote!(Self: ::formwork_variant::schema::Schema));
        clause.predicates.push(parse_quote!(
            Self: for<'read> ::formwork_variant::binrw::BinRead<Args<'read> = ()>
        ));
    }
    let (generics, _, clause) = generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #generics ::formwork_variant::generate::arbitrary::Arbitrary<#seed> for #name #arguments #clause {
            fn arbitrary(
                seed: &mut ::formwork_variant::generate::arbitrary::Unstructured<#seed>,
            ) -> ::formwork_variant::generate::arbitrary::Result<Self> {
                ::formwork_variant::generate::declared(seed)
            }
        }
    })
}
