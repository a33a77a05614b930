//! Comparison of the counts, sizes, conditions and assertions of a value with its content.
//!
//! A writer that only wrote the fields could write a count that differs from the length of its list. The
//! comparison uses the same expressions that the reader evaluates.

use proc_macro2::{Delimiter, TokenStream};
use quote::{format_ident, quote};
use syn::{Expr, Fields, Result, Variant};

use crate::attributes::{
    self, Directive, Value, conditions, find, list, local_of, name_of, named, value,
};
use crate::expression::{Places, Scope, checked, each, text};
use crate::record::{Record, shown_name};

/// Returns the comparison for a struct.
pub fn of_struct(fields: &Fields, own: &[Directive], record: &Record) -> Result<TokenStream> {
    let binds = fields.iter().enumerate().map(|(index, field)| {
        let (bound, member) = (format_ident!("__f{index}"), member(index, field));
        quote!(let #bound = &self.#member;)
    });
    let steps = steps(fields, own, record)?;
    Ok(quote!(#(#binds)* #steps))
}

/// Returns an arm of the `match` for an enum: the conditions of the variant at this position hold, and
/// [`first`] chooses no variant before it.
pub fn of_variant(
    variant: &Variant,
    (position, conditions): (usize, &[Expr]),
    own: &[Directive],
    record: &Record,
) -> Result<TokenStream> {
    let id = &variant.ident;
    let bound: Vec<_> =
        (0..variant.fields.len()).map(|index| format_ident!("__f{index}")).collect();
    let pattern = match &variant.fields {
        Fields::Named(fields) => {
            let names = fields.named.iter().map(|field| &field.ident);
            quote!({ #(#names: #bound),* })
        }
        Fields::Unnamed(_) => quote!((#(#bound),*)),
        Fields::Unit => quote!(),
    };
    let scope = Scope { parameters: record.scope.parameters.clone(), ..Scope::default() };
    let own_conditions =
        conditions.iter().map(|condition| holds(condition, &scope, &text(condition)));
    let steps = steps(&variant.fields, own, record)?;
    let name = id.to_string();
    Ok(quote!(Self::#id #pattern => {
        #(#own_conditions)*
        ::formwork::derived::same_variant(__first(), #position, #name)?;
        #steps
    }))
}

/// Returns the function that finds the first variant whose conditions hold. Those that begin with a magic
/// have none here.
pub fn first(conditions: &[Vec<Expr>], scope: &Scope) -> TokenStream {
    let scope = Scope { parameters: scope.parameters.clone(), ..Scope::default() };
    let tests = conditions.iter().enumerate().filter(|(_, all)| !all.is_empty());
    let tests = tests.map(|(position, all)| {
        let all = all.iter().map(|condition| checked(condition, &scope, None));
        quote!(if #((#all))&&* { return Ok(#position) })
    });
    quote!(let __first = || -> ::formwork::binrw::BinResult<usize> { #(#tests)* Ok(usize::MAX) };)
}

fn member(index: usize, field: &syn::Field) -> syn::Member {
    match &field.ident {
        Some(name) => syn::Member::Named(name.clone()),
        None => syn::Member::Unnamed(index.into()),
    }
}

/// Returns a test of a condition.
fn holds(condition: &Expr, scope: &Scope, text: &str) -> TokenStream {
    let condition = checked(condition, scope, None);
    quote! {
        if !::formwork::derived::value((|| -> ::formwork::binrw::BinResult<bool> { Ok(#condition) })())? {
            return Err(::formwork::derived::disagrees(#text, "a value for which that is false"));
        }
    }
}

fn steps(fields: &Fields, own: &[Directive], record: &Record) -> Result<TokenStream> {
    let used = attributes::words(fields, own, &[])?;
    let mut scope = Scope { parameters: record.scope.parameters.clone(), ..Scope::default() };
    scope.has_places = true;
    scope.later = fields.iter().enumerate().map(|(index, field)| name_of(index, field)).collect();
    let mut out = Vec::new();
    let (mut sizes, mut at) = (Vec::new(), 0_usize);
    if let Some(expression) = value(own, "magic") {
        let ty = crate::reader::magic(expression)?.0;
        sizes.push(quote!(<#ty as ::formwork::Schema>::SIZE.unwrap_or_default() as u64));
        at += 1;
    }
    for (index, field) in fields.iter().enumerate() {
        let (name, local, bound, ty) =
            (name_of(index, field), local_of(index, field), format_ident!("__f{index}"), &field.ty);
        let shown = shown_name(fields, &name);
        let is_inline = find(&attributes::of(&field.attrs, &["schema"])?, "inline").is_some();
        let named = if shown.is_empty() || is_inline {
            quote!()
        } else {
            quote!(.map_err(|error| error.within(#shown)))
        };
        let all = attributes::of_reader(&field.attrs)?;
        let places = scope.places(&all)?;
        out.push(at_place(places, at));
        if record.parts.iter().any(|part| part.index == index) {
            let condition = conditions(&all, "if")?.into_iter().next();
            let arguments = arguments(&all, &scope)?;
            let inner = quote! {
                ::formwork::derived::Agree::agree(
                    #bound,
                    ::formwork::derived::value(
                        (|| -> ::formwork::binrw::BinResult<<#ty as ::formwork::binrw::BinRead>::Args<'_>> { Ok(#arguments) })(),
                    )?,
                )#named?;
            };
            out.push(match condition {
                Some(condition) => {
                    let text = text(&condition);
                    let condition = checked(&condition, &scope, None);
                    quote! {
                        let __is_there = ::formwork::derived::value((|| -> ::formwork::binrw::BinResult<bool> { Ok(#condition) })())?;
                        ::formwork::derived::same_presence(#bound, __is_there, #text)#named?;
                        if __is_there { #inner }
                    }
                }
                None => inner,
            });
        }
        if record.places.any() {
            if let Some(expression) = value(&all, "magic") {
                let ty = crate::reader::magic(expression)?.0;
                sizes.push(quote!(<#ty as ::formwork::Schema>::SIZE.unwrap_or_default() as u64));
                at += 1;
            }
            if record.parts.iter().any(|part| part.index == index) {
                sizes.push(quote!(::formwork::derived::measure(#bound)#named?));
                at += 1;
            }
        }
        scope.fields.push((name.clone(), field.ty.clone()));
        if let Some(computed) = value(&all, "calc") {
            let (text, computed) = (text(computed), checked(computed, &scope, None));
            // What follows is compared with the right number.
            out.push(quote! {
                let #local: #ty = ::formwork::derived::value((|| -> ::formwork::binrw::BinResult<#ty> { Ok(#computed) })())?;
                ::formwork::derived::same_computed(*#bound == #local, #text).map_err(|error| error.within(#name))?;
            });
        } else if used.contains(&name) {
            out.push(quote!(let #local = ::core::clone::Clone::clone(#bound);));
        }
        out.push(at_place(places, at));
        for condition in conditions(&all, "assert")? {
            if find(&attributes::of(&field.attrs, &["schema"])?, "opaque").is_none() {
                let test = holds(&condition, &scope, &text(&condition));
                out.push(quote! {
                    (|| -> ::formwork::Result<()> { #test Ok(()) })()#named?;
                });
            }
        }
    }
    out.push(at_place(scope.places(own)?, at));
    for condition in conditions(own, "assert")? {
        out.push(holds(&condition, &scope, &text(&condition)));
    }
    let sizes = record.places.any().then(|| {
        let count = sizes.len();
        quote!(let __sizes: [u64; #count] = [#(#sizes),*];)
    });
    Ok(quote!(#sizes #(#out)*))
}

/// Returns the statements of `here` and `left` in front of the part at a position, as far as they are used.
fn at_place(places: Places, at: usize) -> TokenStream {
    let here = places.here.then(|| quote!(let here: u64 = __sizes[..#at].iter().sum();));
    let left = places.left.then(|| quote!(let left: u64 = __sizes[#at..].iter().sum();));
    quote!(#here #left)
}

/// Returns the arguments of a field as Rust.
pub fn arguments(all: &[Directive], scope: &Scope) -> Result<TokenStream> {
    let count = value(all, "count").map(|count| {
        let count = checked(count, scope, None);
        quote!(count: ::formwork::derived::count(#count))
    });
    for directive in all.iter().filter(|it| it.is("args")) {
        match &directive.value {
            Value::List(Delimiter::Brace, tokens) => {
                let pairs = named(tokens)?;
                let pairs = pairs.iter().map(|(name, expression)| {
                    let expression = match name == "each" {
                        true => each(expression, scope),
                        false => checked(expression, scope, None),
                    };
                    quote!(#name: #expression)
                });
                let pairs = count.into_iter().chain(pairs);
                return Ok(quote!(::formwork::binrw::args! { #(#pairs),* }));
            }
            Value::List(_, tokens) => {
                let all = list(tokens)?;
                let all = all.iter().map(|expression| checked(expression, scope, None));
                return Ok(quote!((#(#all,)*)));
            }
            _ => {}
        }
    }
    Ok(match count {
        Some(count) => quote!(::formwork::binrw::args! { #count }),
        None => quote!(::core::default::Default::default()),
    })
}
