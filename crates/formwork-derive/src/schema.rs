//! The derive of `Schema`, and the code of a type that `record::settle` and `record::write` need.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DataEnum, DeriveInput, Error, Fields, Result};

use crate::attributes::{self, Directive, conditions, doc, find, local_of, value};
use crate::expression::{Scope, text};
use crate::record::{self, Part, Record};
use crate::{agree, direct, numbers, sides, view};

/// Returns the error, and impls that let the rest of the program compile, so that one mistake gives one
/// error.
pub fn stand_in(input: &DeriveInput, error: &Error) -> TokenStream {
    let name = &input.ident;
    let (generics, arguments, clause) = input.generics.split_for_impl();
    let error = error.to_compile_error();
    let mut read = input.generics.clone();
    read.make_where_clause().predicates.push(syn::parse_quote!(Self: ::formwork::binrw::BinRead));
    let (_, _, read) = read.split_for_impl();
    quote! {
        #error
        impl #generics ::formwork::Schema for #name #arguments #clause {
            const LAYOUT: ::formwork::schema::Layout = ::formwork::schema::Layout::Opaque;
            const SIZE: ::core::option::Option<usize> = ::core::option::Option::None;
        }
        impl #generics ::formwork::derived::Settle for #name #arguments #clause {}
        impl #generics ::formwork::derived::Agree for #name #arguments #read {}
        impl #generics ::formwork::derived::Direct for #name #arguments #read {}
    }
}

pub fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let name = &input.ident;
    sides::check(input)?;
    if numbers::is_word(input) {
        let said = attributes::of(&input.attrs, &["schema"])?;
        record::known(&said, &["arbitrary"])?;
        let (schema, arbitrary) =
            (numbers::schema_of_word(input)?, find(&said, "arbitrary").map(|_| arbitrary(input)));
        let direct = direct::of_word(input)?;
        return Ok(quote!(#schema #direct #arbitrary));
    }
    let own = attributes::of_reader(&input.attrs)?;
    let said = attributes::of(&input.attrs, &["schema"])?;
    record::known(&said, record::ON_TYPES)?;
    let parameters = attributes::imports(&own)?;
    let scope = Scope {
        parameters: parameters.iter().map(|(name, ty)| (name.to_string(), ty.clone())).collect(),
        inverses: record::inverses(&said)?,
        ..Scope::default()
    };
    let about = doc(&input.attrs);
    let (generics, arguments, clause) = input.generics.split_for_impl();
    let arbitrary = find(&said, "arbitrary").map(|_| arbitrary(input));
    if let (Some(directive), false) = (find(&said, "arbitrary"), parameters.is_empty()) {
        let message = format!(
            "`arbitrary`: `{name}` has parameters, which an arbitrary value of it alone has not: say it of the record around"
        );
        return Err(Error::new(directive.name.span(), message));
    }
    let mut slots = quote!();
    let follows;
    let (layout, size, is_deep, parts, agrees, more, shape, needs_order, computed) = match &input
        .data
    {
        Data::Struct(data) => {
            if let Some(directive) = find(&own, "pre_assert") {
                let message = "`pre_assert` chooses a variant: for a struct say `assert`";
                return Err(Error::new(directive.name.span(), message));
            }
            let views = |scope: &Scope| view::constants(&said, scope);
            let record =
                record::record(&name.to_string(), &about, &data.fields, &own, &said, scope, views)?;
            let last = last(input, &data.fields, &said)?;
            slots = self::slots(&data.fields, &said, &record.scope);
            let methods = view::methods(input, &data.fields, &said, (&own, &record.scope))?;
            let last = quote!(#last #methods);
            let access = record.parts.iter().map(|Part { slot, member, .. }| {
                quote!((#slot, &mut self.#member as &mut dyn ::formwork::derived::Settle))
            });
            let parts = quote!((0, ::std::vec![#(#access),*]));
            let agree::Agreed { agree: agrees, follow } =
                agree::of_struct(&data.fields, &own, &record)?;
            follows = follow;
            let computed = record.computed.iter().map(|(Part { slot, member, .. }, ty)| {
                let set = set_computed(ty, &quote!(self.#member));
                quote!(if slot == #slot { #set })
            });
            let computed = quote!(#(#computed)*);
            let Record { constant, size, is_deep, shape, needs_order, .. } = record;
            let layout = quote!(::formwork::schema::Layout::Record(&#constant));
            (layout, size, is_deep, parts, agrees, last, shape, needs_order, computed)
        }
        Data::Enum(data) => {
            for (name, why) in [
                ("slots", "its fields say how many elements it counts as"),
                ("last", "its fields say whether it is the last"),
                ("view", "its fields say where the other place is"),
            ] {
                if let Some(directive) = find(&said, name) {
                    let message = format!(
                        "`{name}` is for a struct: {why}; a variant may have one struct as its content"
                    );
                    return Err(Error::new(directive.name.span(), message));
                }
            }
            if let Some(repr) = numbers::repr(&own)? {
                let (schema, direct) =
                    (numbers::schema_of_enum(name, data, &repr)?, direct::of_enum(input, &repr)?);
                return Ok(quote!(#schema #direct));
            }
            let Choice { layout, is_deep, parts, agrees, follow, needs_order, computed } =
                choice(input, data, &own, &said, scope, &about)?;
            follows = follow;
            let shape = quote!(::formwork::schema::Shape::Other);
            (
                layout,
                quote!(::core::option::Option::None),
                is_deep,
                parts,
                agrees,
                quote!(),
                shape,
                needs_order,
                computed,
            )
        }
        Data::Union(_) => return Err(Error::new_spanned(name, "a union has no schema")),
    };
    // Without type parameters the layout is evaluated here, so that its errors are too.
    let is_one = input.generics.lifetimes().count() == input.generics.params.len();
    let evaluated = is_one.then(|| {
        let lifetimes = input.generics.lifetimes().map(|_| quote!('static));
        quote!(const _: ::formwork::schema::Layout = <#name<#(#lifetimes),*> as ::formwork::Schema>::LAYOUT;)
    });
    let mut bounded = input.generics.clone();
    for parameter in input.generics.type_params() {
        let id = &parameter.ident;
        let clause = bounded.make_where_clause();
        clause
            .predicates
            .push(syn::parse_quote!(#id: ::formwork::derived::Settle + ::formwork::derived::Agree));
    }
    let mut written = bounded.clone();
    for parameter in input.generics.type_params() {
        let id = &parameter.ident;
        let clause = written.make_where_clause();
        clause.predicates.push(
            syn::parse_quote!(#id: for<'__args> ::formwork::binrw::BinWrite<Args<'__args> = ()>),
        );
    }
    let (_, _, bounded) = bounded.split_for_impl();
    let (_, _, written) = written.split_for_impl();
    let direct = direct::expand(input)?;
    let names: Vec<_> = parameters.iter().map(|(name, _)| name).collect();
    let (taken, bound) = if attributes::is_import_named(&own) {
        (quote!(__arguments), quote!(#(let #names = __arguments.#names;)*))
    } else {
        (quote!((#(#names,)*)), quote!())
    };
    let (count, is_unordered) =
        (names.len(), !record::order_is_said(&own) && !are_bytes(&input.data));
    let followed = (!is_plain(input, &own)).then(|| {
        quote! {
            const _: () = {
                fn followed<__T: ::formwork::derived::Followed>() {}
                fn is_followed #generics () #clause { followed::<#name #arguments>() }
            };
        }
    });
    Ok(quote! {
        #followed
        #[automatically_derived]
        impl #generics ::formwork::Schema for #name #arguments #clause {
            const LAYOUT: ::formwork::schema::Layout = #layout;
            const SIZE: ::core::option::Option<usize> = #size;
            const IS_DEEP: bool = #is_deep;
            const SHAPE: ::formwork::schema::Shape = #shape;
            const PARAMETERS: usize = #count;
            const NEEDS_ORDER: bool = #needs_order;
            const IS_UNORDERED: bool = #is_unordered;
            const IS_INNER: bool = Self::NEEDS_ORDER;
            #slots
        }
        #evaluated
        #[automatically_derived]
        impl #generics ::formwork::derived::Settle for #name #arguments #bounded {
            fn parts(&mut self) -> (usize, ::std::vec::Vec<(usize, &mut dyn ::formwork::derived::Settle)>) { #parts }
            fn copied(&self) -> ::core::option::Option<Self> {
                #[allow(unused_imports)]
                use ::formwork::derived::NotCopied as _;
                ::formwork::derived::Copying(self).copied()
            }
            fn settle(&mut self, given: &::formwork::derived::Given) -> ::formwork::derived::Wants {
                ::formwork::derived::settle_record(
                    <Self as ::formwork::Schema>::LAYOUT,
                    ::formwork::derived::Settle::parts(self),
                    given,
                )
            }
            fn compute(&mut self, given: &::formwork::derived::Given) {
                let all = ::formwork::derived::compute_record(
                    <Self as ::formwork::Schema>::LAYOUT,
                    ::formwork::derived::Settle::parts(self),
                    given,
                );
                for (slot, number) in all {
                    ::formwork::derived::Settle::set_computed(self, slot, number);
                }
            }
            #[allow(unused, clippy::all, clippy::pedantic)]
            fn set_computed(&mut self, slot: usize, number: i128) { #computed }
            fn access(&mut self, path: &[&str], to: ::core::option::Option<i128>) -> ::core::option::Option<i128> {
                ::formwork::derived::access(
                    <Self as ::formwork::Schema>::LAYOUT,
                    ::formwork::derived::Settle::parts(self),
                    path,
                    to,
                )
            }
            fn measured(&mut self) -> ::core::option::Option<u64> {
                ::formwork::derived::measured(
                    <Self as ::formwork::Schema>::LAYOUT,
                    ::formwork::derived::Settle::parts(self),
                )
            }
            fn set_bytes(&mut self, path: &[&str], bytes: &[u8]) -> bool {
                ::formwork::derived::set_bytes(
                    <Self as ::formwork::Schema>::LAYOUT,
                    ::formwork::derived::Settle::parts(self),
                    path,
                    bytes,
                )
            }
            fn bytes(&mut self, path: &[&str]) -> ::core::option::Option<&mut [u8]> {
                ::formwork::derived::bytes_at(
                    <Self as ::formwork::Schema>::LAYOUT,
                    ::formwork::derived::Settle::parts(self),
                    path,
                )
            }
        }
        const _: () = {
            use ::formwork::binrw;
            #[automatically_derived]
            impl #generics ::formwork::derived::Agree for #name #arguments #written {
                #[allow(unused, clippy::all, clippy::pedantic)]
                fn agree(&self, #taken: Self::Args<'_>) -> ::formwork::Result<()> {
                    #bound
                    #agrees
                    Ok(())
                }
                #[allow(unused, clippy::all, clippy::pedantic)]
                fn follow(&self) -> ::formwork::derived::Follow { #follows }
                fn has_bytes(&self) -> bool { ::formwork::derived::are_written(self) }
            }
        };
        #direct
        #more
        #arbitrary
    })
}

/// Returns the impl of `Arbitrary`, which goes by way of the bytes.
pub fn arbitrary(input: &DeriveInput) -> TokenStream {
    let name = &input.ident;
    let (_, arguments, _) = input.generics.split_for_impl();
    let mut generics = input.generics.clone();
    for parameter in input.generics.type_params() {
        let id = &parameter.ident;
        let clause = generics.make_where_clause();
        clause.predicates.push(syn::parse_quote!(#id: ::formwork::derived::Direct));
    }
    generics.params.insert(0, syn::parse_quote!('__bytes));
    let (generics, _, clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #generics ::formwork::arbitrary::Arbitrary<'__bytes> for #name #arguments #clause {
            fn arbitrary(input: &mut ::formwork::arbitrary::Unstructured<'__bytes>) -> ::formwork::arbitrary::Result<Self> {
                ::formwork::record::arbitrary(input)
            }
        }
    }
}

/// Returns how many elements of a list a value counts as.
fn slots(fields: &Fields, said: &[Directive], scope: &Scope) -> TokenStream {
    let Some(expression) = value(said, "slots") else { return quote!() };
    let binds = bound_to(fields, expression);
    let number = crate::expression::checked(expression, scope, None);
    quote! {
        const HAS_SLOTS: bool = true;
        #[allow(unused, clippy::all, clippy::pedantic)]
        fn slots(&self) -> ::core::option::Option<u64> {
            #binds
            let number = (|| -> ::formwork::binrw::BinResult<i128> {
                ::core::result::Result::Ok(::core::convert::Into::<i128>::into(#number))
            })();
            ::core::convert::TryInto::try_into(number.ok()?).ok()
        }
    }
}

/// Returns statements that give an expression the fields that it uses.
fn bound_to(fields: &Fields, expression: &syn::Expr) -> TokenStream {
    let used = text(expression);
    let is_used = |name: &str| {
        used.split(|it: char| !it.is_alphanumeric() && it != '_').any(|word| word == name)
    };
    let binds = fields.iter().enumerate().filter_map(|(index, field)| {
        let local = local_of(index, field);
        let member = match &field.ident {
            Some(name) => syn::Member::Named(name.clone()),
            None => syn::Member::Unnamed(index.into()),
        };
        is_used(&local.to_string())
            .then(|| quote!(let #local = ::core::clone::Clone::clone(&self.#member);))
    });
    quote!(#(#binds)*)
}

/// Returns the impl of `Last` for elements of `Until`.
fn last(input: &DeriveInput, fields: &Fields, said: &[Directive]) -> Result<TokenStream> {
    let Some(expression) = value(said, "last") else { return Ok(quote!()) };
    let own = attributes::of_reader(&input.attrs)?;
    for (parameter, _) in attributes::imports(&own)? {
        let scope = Scope {
            parameters: vec![(parameter.to_string(), syn::parse_quote!(u8))],
            ..Scope::default()
        };
        if scope.mentions(expression) {
            let message = format!(
                "`last` knows the fields only, and `{parameter}` is a parameter: keep it as a field that is computed"
            );
            return Err(Error::new_spanned(expression, message));
        }
    }
    let name = &input.ident;
    let (generics, arguments, clause) = input.generics.split_for_impl();
    let binds = bound_to(fields, expression);
    Ok(quote! {
        #[automatically_derived]
        impl #generics ::formwork::wire::Last for #name #arguments #clause {
            fn is_last(&self) -> bool { #binds #expression }
        }
    })
}

struct Choice {
    layout: TokenStream,
    is_deep: TokenStream,
    parts: TokenStream,
    agrees: TokenStream,
    follow: TokenStream,
    needs_order: TokenStream,
    computed: TokenStream,
}

/// Returns the code that gives a member without bytes another number.
fn set_computed(ty: &syn::Type, place: &TokenStream) -> TokenStream {
    match crate::expression::integer(ty) {
        Some(_) if quote!(#ty).to_string() == "bool" => quote!(#place = number != 0;),
        Some(_) => quote! {
            if let Ok(number) = ::core::convert::TryInto::try_into(number) { #place = number }
        },
        None => quote!(),
    }
}

/// Returns whether a reader has nothing to calculate and nothing to choose: a struct of fields without directives. Any
/// reader reads it as it is declared, also one that is written by hand.
fn is_plain(input: &DeriveInput, own: &[Directive]) -> bool {
    fn is_name(ty: &syn::Type) -> bool {
        match ty {
            syn::Type::Array(array) => is_name(&array.elem),
            syn::Type::Path(path) => {
                path.path.segments.iter().all(|segment| segment.arguments.is_none())
            }
            _ => false,
        }
    }
    let Data::Struct(data) = &input.data else { return false };
    let has_none = |field: &syn::Field| {
        attributes::of_reader(&field.attrs).is_ok_and(|directives| directives.is_empty())
    };
    own.iter().all(|it| it.is("little") || it.is("big"))
        && data.fields.iter().all(|field| has_none(field) && is_name(&field.ty))
}

/// Types whose bytes have no order.
const WITHOUT_ORDER: &[&str] = &[
    "u8",
    "i8",
    "Block",
    "Slice",
    "Option",
    "Terminated",
    "ToEnd",
    "Each",
    "Within",
    "Coded",
    "Xor",
    "XorKey",
    "Rotate",
    "RotateKey",
    "TerminatedOrEnd",
    "UpTo",
    "Zero",
    "Byte",
    "PaddedLeb128",
    "SignedLeb128",
    "Sqlite",
    "CompactSize",
    "LittleBytes",
    "BigBytes",
    "Before",
    "OrEnd",
    "Padding",
    "Varint",
    "Leb128",
    "Git",
    "Midi",
];

/// Returns whether all fields are written with types whose bytes have no order.
fn are_bytes(data: &Data) -> bool {
    fn is_bytes(ty: &syn::Type) -> bool {
        match ty {
            syn::Type::Array(array) => is_bytes(&array.elem),
            syn::Type::Path(path) => path.path.segments.last().is_some_and(|last| {
                let arguments = match &last.arguments {
                    syn::PathArguments::AngleBracketed(inner) => {
                        inner.args.iter().all(|it| match it {
                            syn::GenericArgument::Type(ty) => is_bytes(ty),
                            _ => true,
                        })
                    }
                    _ => true,
                };
                arguments && WITHOUT_ORDER.iter().any(|name| last.ident == name)
            }),
            _ => false,
        }
    }
    let all = |fields: &Fields| fields.iter().all(|field| is_bytes(&field.ty));
    match data {
        Data::Struct(data) => all(&data.fields),
        Data::Enum(data) => data.variants.iter().all(|variant| all(&variant.fields)),
        Data::Union(_) => false,
    }
}

fn choice(
    input: &DeriveInput,
    data: &DataEnum,
    own: &[Directive],
    said: &[Directive],
    scope: Scope,
    about: &str,
) -> Result<Choice> {
    attributes::refuse(own)?;
    let mut computed = Vec::new();
    for name in ["magic", "assert", "pre_assert", "return_all_errors", "return_unexpected_error"] {
        if let Some(directive) = find(own, name) {
            let message = format!(
                "`{name}` above an enum that holds data: say it of the variants, or of the record around"
            );
            return Err(Error::new(directive.name.span(), message));
        }
    }
    let name = input.ident.to_string();
    let (mut variants, mut arms, mut agrees, mut whens, mut deep, mut orders_of) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut follows, mut tried) = (Vec::new(), Vec::new());
    for (index, variant) in data.variants.iter().enumerate() {
        let mut all = attributes::of_reader(&variant.attrs)?;
        if let Some(directive) = attributes::of(&variant.attrs, &["schema"])?.first() {
            let message = format!(
                "`{}` is for a struct or a field: a variant may have one struct as its content",
                directive.name
            );
            return Err(Error::new(directive.name.span(), message));
        }
        let conditions = conditions(&all, "pre_assert")?;
        let when = conditions
            .iter()
            .map(|condition| scope.constant(condition))
            .collect::<Result<Vec<_>>>()?;
        let has_magic = find(&all, "magic").is_some();
        if has_magic
            && let Some(order) = own.iter().find(|it| it.is("is_big") || it.is("is_little"))
        {
            let message = "an enum whose variants begin with a magic has the order of the record around: say it there";
            return Err(Error::new(order.name.span(), message));
        }
        if when.is_empty() && !has_magic && index + 1 < data.variants.len() {
            let message = format!(
                "`{}` is chosen by nothing, so what follows it is never reached: say `pre_assert(..)` or `magic`, or put it last",
                variant.ident
            );
            return Err(Error::new_spanned(&variant.ident, message));
        }
        let orders = ["little", "big", "is_big", "is_little"];
        all.extend(own.iter().filter(|it| orders.iter().any(|order| it.is(order))).cloned());
        let record = record::record(
            &variant.ident.to_string(),
            &doc(&variant.attrs),
            &variant.fields,
            &all,
            &[],
            scope.clone(),
            |_| Ok(Vec::new()),
        )?;
        let constant = &record.constant;
        deep.push(record.is_deep.clone());
        orders_of.push(record.needs_order.clone());
        variants
            .push(quote!(::formwork::schema::Variant { when: &[#(#when),*], record: #constant }));
        let (id, bound): (_, Vec<_>) = (
            &variant.ident,
            (0..variant.fields.len()).map(|index| format_ident!("f{index}")).collect(),
        );
        let pattern = match &variant.fields {
            Fields::Named(fields) => {
                let names = fields.named.iter().map(|field| &field.ident);
                quote!({ #(#names: #bound),* })
            }
            Fields::Unnamed(_) => quote!((#(#bound),*)),
            Fields::Unit => quote!(),
        };
        let used = record.parts.iter().map(|Part { slot, index, .. }| {
            let bound = &bound[*index];
            quote!((#slot, #bound as &mut dyn ::formwork::derived::Settle))
        });
        arms.push(quote!(Self::#id #pattern => (#index, ::std::vec![#(#used),*])));
        if !record.computed.is_empty() {
            let set = record.computed.iter().map(|(Part { slot, index, .. }, ty)| {
                let bound = &bound[*index];
                let set = set_computed(ty, &quote!(*#bound));
                quote!(if slot == #slot { #set })
            });
            computed.push(quote!(if let Self::#id #pattern = self { #(#set)* }));
        }
        let agreed = agree::of_variant(variant, (index, &conditions), &all, &record)?;
        agrees.push(agreed.agree);
        follows.push(agreed.follow);
        let magic = value(&all, "magic").cloned();
        tried.push((variant.ident.to_string(), magic, conditions.clone()));
        whens.push(if has_magic { Vec::new() } else { conditions });
    }
    let (parameters, deepest) = (record::parameters(&scope), record::deepest(said));
    let (first, tried) = (agree::first(&whens, &scope), agree::tried(&tried, &scope)?);
    let is_deep = quote!((false #(|| #deep)*));
    Ok(Choice {
        layout: quote!(::formwork::schema::Layout::Choice(&::formwork::schema::Choice {
            name: #name,
            doc: #about,
            parameters: #parameters,
            variants: &[#(#variants),*],
            is_deep: #is_deep,
            deepest: #deepest,
        })),
        is_deep,
        parts: quote!(match self { #(#arms),* }),
        agrees: quote!(#first #tried match self { #(#agrees)* }),
        follow: quote!(match self { #(#follows)* }),
        needs_order: quote!((false #(|| #orders_of)*)),
        computed: quote!(#(#computed)*),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the length of the code that the derives make of an enum with `count` variants.
    fn length_of(variants: usize) -> usize {
        let variants = (0..variants).map(|number| {
            let name = format_ident!("V{number:04}");
            quote!(#[br(pre_assert(kind == 1000 && other != 2))] #name { size: u16, #[br(count = size)] bytes: Block<u8> })
        });
        let input = syn::parse_quote! {
            #[br(little, import(kind: u16, other: u16))]
            enum Body { #(#variants,)* }
        };
        let made = [expand(&input), crate::reader::expand(&input)];
        made.into_iter().map(|made| made.unwrap().to_string().len()).sum()
    }

    #[test]
    fn each_variant_adds_the_same_code() {
        let lengths = [100, 101, 200, 201].map(length_of);
        // (Positions have as many digits.)
        assert_eq!(lengths[1] - lengths[0], lengths[3] - lengths[2]);
    }
}
