//! Records: fields one after another.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{DataStruct, DeriveInput, Error, Fields, Generics, Lifetime, Result, Type};

use crate::attributes::{Said, Value, directives, imported, of_type};
use crate::bound::with_bounds;
use crate::doc::doc_of;
use crate::expression::Scope;
use crate::field::{self, Order, Wire};

/// The schema of a record.
pub(crate) fn expand(input: &DeriveInput, data: &DataStruct) -> Result<TokenStream> {
    if is_taken_apart(&data.fields) {
        let message = "`#[derive(Schema)]` belongs above `#[bitfield]`, which takes the parts away";
        return Err(Error::new_spanned(&input.ident, message));
    }
    let own = directives(&input.attrs)?;
    field::refuse_moves(&own)?;
    let either = of_type(&input.attrs)?.either_order.then_some(Order::Little);
    let order = Order::of(&own).or(either);
    let names: Vec<String> = data.fields.iter().enumerate().map(name_of).collect();
    let mut scope = Scope { later: names.clone(), ..Scope::default() };
    let mut wires = Vec::new();
    for directive in &own {
        match (directive.name.to_string().as_str(), &directive.value) {
            ("import", Value::List(_, tokens)) => scope.given.extend(imported(tokens)),
            ("import_raw", Value::List(_, tokens)) => scope.given.extend(imported(tokens)),
            ("magic", Value::Is(magic)) => {
                wires.push(field::magic("magic", magic, order.unwrap_or(Order::Little))?);
            }
            ("map" | "try_map", _) => {
                return Err(Error::new(
                    directive.name.span(),
                    "the whole is made of something else: declare that as a record of its own",
                ));
            }
            _ => {}
        }
    }
    for (field, name) in data.fields.iter().zip(&names) {
        let directives = directives(&field.attrs)?;
        field::refuse_moves(&directives)?;
        if field::is_made(&directives) {
            // What `#[schema]` says of it is still looked at.
            Said::of(&field.attrs)?;
            scope.later.retain(|later| later != name);
            scope.made.push(name.clone());
            continue;
        }
        let Some(order) = Order::of(&directives).or(order) else {
            let message =
                "in which order do the bytes stand? Say `#[brw(little)]` or `#[brw(big)]`";
            return Err(Error::new_spanned(&input.ident, message));
        };
        for directive in &directives {
            if directive.name == "magic"
                && let Value::Is(magic) = &directive.value
            {
                wires.push(field::magic(&format!("{name}_magic"), magic, order)?);
            }
        }
        let wire = field::wire(field, name, &directives, order, &scope)?;
        scope.later.retain(|later| later != name);
        scope.earlier.push((name.clone(), wire.of.clone()));
        wires.push(wire);
    }
    let checks = field::checks(&own, &scope)?;
    Ok(implementation(input, &wires, &checks))
}

fn implementation(input: &DeriveInput, wires: &[Wire], checks: &TokenStream) -> TokenStream {
    let (name, text, doc) = (&input.ident, input.ident.to_string(), doc_of(&input.attrs));
    let bound = with_bounds(&input.generics, wires.iter().map(|wire| &wire.of));
    let (generics, arguments, clause) = bound.split_for_impl();
    let fields = wires.iter().map(|wire| &wire.field);
    let sizes: Vec<_> = wires.iter().map(|wire| &wire.size).collect();
    let names: Vec<_> = wires.iter().map(|wire| &wire.name).collect();
    let check = forced(name, &input.generics);
    quote! {
        #[automatically_derived]
        impl #generics ::formwork_records::schema::Schema for #name #arguments #clause {
            const SHAPE: ::formwork_records::schema::Shape =
                ::formwork_records::schema::Shape::Record(&::formwork_records::schema::Record {
                    name: #text,
                    doc: #doc,
                    fields: &[#(#fields),*],
                    checks: #checks,
                });
            const SIZE: ::core::option::Option<usize> =
                ::formwork_records::schema::derived::total(&[#(#sizes),*]);
            const LEAST: usize = ::formwork_records::schema::derived::least(&[#(#sizes),*]);
            const SIZES: &'static [(&'static str, ::core::option::Option<usize>)] =
                &[#((#names, #sizes)),*];
        }
        #check
    }
}

/// Has the compiler look at the constants even where nothing uses them.
fn forced(name: &syn::Ident, generics: &Generics) -> TokenStream {
    if generics.type_params().next().is_some() || generics.const_params().next().is_some() {
        return TokenStream::new();
    }
    let lifetimes = generics.lifetimes().map(|_| Lifetime::new("'static", name.span()));
    let of: Type = syn::parse_quote!(#name<#(#lifetimes),*>);
    quote! {
        const _: ::formwork_records::schema::Shape = <#of as ::formwork_records::schema::Schema>::SHAPE;
    }
}

fn name_of((position, field): (usize, &syn::Field)) -> String {
    match &field.ident {
        Some(name) => name.to_string(),
        None => format!("self_{position}"),
    }
}

/// Whether this is what `#[bitfield]` makes of a word.
fn is_taken_apart(fields: &Fields) -> bool {
    fields.len() == 1
        && fields.iter().all(|field| {
            field.ident.as_ref().is_some_and(|name| name == "bytes")
                && field.ty.to_token_stream().to_string().contains("modular_bitfield")
        })
}
