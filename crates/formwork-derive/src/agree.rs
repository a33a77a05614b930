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

/// The bodies of the comparison, or arms of them.
pub struct Agreed {
    pub agree: TokenStream,
    /// The body of the function that tells what may follow the value.
    pub follow: TokenStream,
}

/// Returns the comparison for a struct.
pub fn of_struct(fields: &Fields, own: &[Directive], record: &Record) -> Result<Agreed> {
    let binds = fields.iter().enumerate().map(|(index, field)| {
        let (bound, member) = (format_ident!("__f{index}"), member(index, field));
        quote!(let #bound = &self.#member;)
    });
    let binds = quote!(#(#binds)*);
    let (steps, follow) = (steps(fields, own, record)?, follow(fields, record));
    Ok(Agreed { agree: quote!(#binds #steps), follow: quote!(#binds #follow) })
}

/// Returns an arm of the `match` for an enum: the conditions of the variant at this position hold, and
/// [`first`] chooses no variant before it.
pub fn of_variant(
    variant: &Variant,
    (position, conditions): (usize, &[Expr]),
    own: &[Directive],
    record: &Record,
) -> Result<Agreed> {
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
    let (steps, follow) = (steps(&variant.fields, own, record)?, follow(&variant.fields, record));
    let name = id.to_string();
    let is_tried = find(own, "magic").is_none().then(|| quote!(__tried(#position, #name)?;));
    let agree = quote!(Self::#id #pattern => {
        #(#own_conditions)*
        ::formwork::derived::same_variant(__first(), #position, #name)?;
        #is_tried
        #steps
    });
    Ok(Agreed { agree, follow: quote!(Self::#id #pattern => { #follow }) })
}

/// Returns the function that holds a variant without a magic to those that the reader tries before it. Of each variant
/// these are its name, its magic and its conditions.
pub fn tried(variants: &[(String, Option<Expr>, Vec<Expr>)], scope: &Scope) -> Result<TokenStream> {
    let scope = Scope { parameters: scope.parameters.clone(), ..Scope::default() };
    let mut tests = Vec::new();
    for (index, (before, magic, conditions)) in variants.iter().enumerate() {
        let Some(magic) = magic else { continue };
        let (bytes, is_number) = crate::record::magic(magic)?;
        let all = conditions.iter().map(|condition| checked(condition, &scope, None));
        let holds = quote! {
            matches!((|| -> ::formwork::binrw::BinResult<bool> { Ok(true #(&& (#all))*) })(), Ok(true))
        };
        tests.push(quote! {
            if __position > #index && #holds {
                ::formwork::derived::not_magic(self, (#bytes, #is_number), (__name, #before))?;
            }
        });
    }
    Ok(quote! {
        let __tried = |__position: usize, __name: &str| -> ::formwork::Result<()> { #(#tests)* Ok(()) };
    })
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

/// Returns the body of the function that tells what may follow a record.
pub fn follow(fields: &Fields, record: &Record) -> TokenStream {
    let mut steps = Vec::new();
    for part in record.parts.iter().rev() {
        let Some(field) = fields.iter().nth(part.index) else { continue };
        if !may_be_open(&field.ty) {
            // It has bytes, and says where it ends.
            break;
        }
        let bound = format_ident!("__f{}", part.index);
        steps.push(quote! {
            if let ::core::option::Option::Some(__follow) = ::formwork::derived::last_follow(#bound) {
                return __follow;
            }
        });
    }
    quote!(#(#steps)* ::formwork::derived::Follow::Anything)
}

/// Returns whether a type may be one that something else than itself ends, or that has no bytes.
fn may_be_open(ty: &syn::Type) -> bool {
    !crate::reader::is_bytes(ty) && crate::expression::integer(ty).is_none()
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
    // A part that the end of the region ends is the last one with bytes.
    let parts = record.parts.iter().filter_map(|part| fields.iter().nth(part.index));
    let last = record.parts.last().map_or(0, |part| part.index);
    let follows = fields.iter().take(last).any(|field| may_be_open(&field.ty)) && parts.count() > 1;
    if follows {
        out.push(quote! {
            let (mut __follow, mut __before) = (::formwork::derived::Follow::Anything, "");
        });
    }
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
        if let Some(expression) = value(&all, "magic").filter(|_| follows) {
            let magic = crate::reader::magic(expression)?.1;
            out.push(quote!(::formwork::derived::may_follow(&mut __follow, __before, &#magic)?;));
        }
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
        if follows && record.parts.iter().any(|part| part.index == index) {
            out.push(quote! {
                ::formwork::derived::may_follow(&mut __follow, __before, #bound)#named?;
            });
            if may_be_open(ty) {
                out.push(quote! {
                    match ::formwork::derived::Agree::follow(#bound) {
                        ::formwork::derived::Follow::Anything => {}
                        __own => { __follow = __own; __before = #shown; }
                    }
                });
            }
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

/// Returns the statements of `here` and `left` before the part at a position, as far as they are used.
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
