//! The direct reader: from bytes in memory, in the order of the declaration, without `Read` and `Seek`.
//!
//! It refuses without saying why; the general reader is asked for that. A declaration with anything that is not among
//! [`ON_FIELDS`] and [`ON_TYPES`] is left to the general reader.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Fields, Result};

use crate::attributes::{self, Directive, Value, conditions, find, local_of, name_of, value};
use crate::expression::{Places, Scope, checked};
use crate::{agree, reader, record};

/// Directives of fields that a direct reader follows.
const ON_FIELDS: &[&str] = &[
    "count",
    "args",
    "if",
    "assert",
    "magic",
    "calc",
    "ignore",
    "default",
    "little",
    "big",
    "is_big",
    "is_little",
];

/// Directives of types and variants that a direct reader follows.
const ON_TYPES: &[&str] =
    &["little", "big", "is_big", "is_little", "import", "magic", "assert", "pre_assert"];

/// The trait that a reader is of.
#[derive(Clone, Copy)]
enum Reading {
    /// The record owns its contents.
    Direct,
    /// The record borrows the contents of its slices.
    Borrowing,
}

impl Reading {
    /// Returns the code that reads a type.
    fn of(self, ty: &syn::Type) -> TokenStream {
        match self {
            Self::Direct => quote!(<#ty as ::formwork::derived::Direct>::direct),
            Self::Borrowing => quote!(<#ty as ::formwork::derived::Borrowing<'_>>::borrowing),
        }
    }
}

/// The body of a reader.
struct Body {
    code: TokenStream,
    /// Types of fields.
    types: Vec<syn::Type>,
}

/// Returns both readers of a type.
pub fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let (name, own) = (&input.ident, attributes::of_reader(&input.attrs)?);
    let direct = body(input, &own, Reading::Direct)?;
    let mut bounded = input.generics.clone();
    for parameter in input.generics.type_params() {
        let id = &parameter.ident;
        bounded
            .make_where_clause()
            .predicates
            .push(syn::parse_quote!(#id: ::formwork::derived::Direct));
    }
    let (generics, arguments, _) = input.generics.split_for_impl();
    let (_, _, clause) = bounded.split_for_impl();
    let names: Vec<_> = attributes::imports(&own)?.into_iter().map(|(name, _)| name).collect();
    let (taken, bound) = if attributes::is_import_named(&own) {
        (quote!(__arguments), quote!(#(let #names = __arguments.#names;)*))
    } else {
        (quote!((#(#names,)*)), quote!())
    };
    let (is_direct, reader) = match &direct {
        None => (quote!(), quote!()),
        Some(Body { code, types }) => (
            quote!(const IS_DIRECT: bool = true #(&& <#types as ::formwork::derived::Direct>::IS_DIRECT)*;),
            quote! {
                #[inline]
                #[allow(unused, clippy::all, clippy::pedantic)]
                fn direct(
                    __input: &mut &[u8],
                    __endian: ::formwork::binrw::Endian,
                    #taken: Self::Args<'_>,
                ) -> ::formwork::derived::Directly<Self> { #bound #code }
            },
        ),
    };
    let borrowing = borrowing(input, &own, direct.is_some(), &(taken, bound))?;
    Ok(quote! {
        const _: () = {
            use ::formwork::binrw;
            #[automatically_derived]
            impl #generics ::formwork::derived::Direct for #name #arguments #clause { #is_direct #reader }
            #borrowing
        };
    })
}

/// Returns the reader that borrows. Of a type without lifetimes it is the other one.
fn borrowing(
    input: &DeriveInput,
    own: &[Directive],
    is_direct: bool,
    (taken, bound): &(TokenStream, TokenStream),
) -> Result<TokenStream> {
    let name = &input.ident;
    let may_borrow = input.generics.lifetimes().next().is_some();
    let mut all = input.generics.clone();
    let mut bytes: syn::LifetimeParam = syn::parse_quote!('__bytes);
    for own in input.generics.lifetimes() {
        bytes.bounds.push(own.lifetime.clone());
    }
    all.params.insert(0, syn::GenericParam::Lifetime(bytes));
    for parameter in input.generics.type_params() {
        let id = &parameter.ident;
        let bound: syn::WherePredicate = match may_borrow {
            true => {
                syn::parse_quote!(#id: ::formwork::derived::Direct + ::formwork::derived::Borrowing<'__bytes>)
            }
            false => syn::parse_quote!(#id: ::formwork::derived::Direct),
        };
        all.make_where_clause().predicates.push(bound);
    }
    let (_, arguments, _) = input.generics.split_for_impl();
    let (generics, _, clause) = all.split_for_impl();
    let code = match is_direct && may_borrow {
        true => {
            let code = body(input, own, Reading::Borrowing)?.map(|body| body.code);
            quote!(#bound #code)
        }
        false => quote!(<Self as ::formwork::derived::Direct>::direct(__input, __endian, __all)),
    };
    let taken = if is_direct && may_borrow { quote!(#taken) } else { quote!(__all) };
    Ok(quote! {
        #[automatically_derived]
        impl #generics ::formwork::derived::Borrowing<'__bytes> for #name #arguments #clause {
            #[inline]
            #[allow(unused, clippy::all, clippy::pedantic)]
            fn borrowing(
                __input: &mut &'__bytes [u8],
                __endian: ::formwork::binrw::Endian,
                #taken: Self::Args<'_>,
            ) -> ::formwork::derived::Directly<Self> { #code }
        }
    })
}

/// Returns the body of a reader; [`None`] if the declaration is only for the general one.
fn body(input: &DeriveInput, own: &[Directive], reading: Reading) -> Result<Option<Body>> {
    let parameters = attributes::imports(own)?;
    let scope = Scope {
        parameters: parameters.iter().map(|(name, ty)| (name.to_string(), ty.clone())).collect(),
        ..Scope::default()
    };
    if !are_known(own, ON_TYPES) {
        return Ok(None);
    }
    let deepest = record::deepest(&attributes::of(&input.attrs, &["schema"])?);
    let guard = quote! {
        let _guard = ::formwork::derived::enter(<Self as ::formwork::Schema>::IS_DEEP, #deepest)?;
    };
    let Some(order) = order(own, &scope) else { return Ok(None) };
    match &input.data {
        Data::Struct(data) => {
            let Some(read) = fields(&data.fields, own, scope, reading, &quote!(Self))? else {
                return Ok(None);
            };
            let Read { code, types, head } = read;
            let code = quote! {
                #guard
                #order
                if __input.len() < const { ::formwork::derived::head_of(&[#(#head),*]) } {
                    return ::core::result::Result::Err(::formwork::derived::Missed::Refused);
                }
                #code
            };
            Ok(Some(Body { code, types }))
        }
        Data::Enum(data) => {
            let (mut steps, mut types) = (Vec::new(), Vec::new());
            for variant in &data.variants {
                let said = attributes::of_reader(&variant.attrs)?;
                if !are_known(&said, &["magic", "assert", "pre_assert"]) {
                    return Ok(None);
                }
                let id = &variant.ident;
                let when = conditions(&said, "pre_assert")?;
                let when = when.iter().map(|condition| checked(condition, &scope, None));
                let begins = match value(&said, "magic") {
                    None => quote!(true),
                    Some(magic) => match reader::magic(magic) {
                        Ok(magic) => begins(&magic),
                        Err(_) => return Ok(None),
                    },
                };
                let after: Vec<_> = said.iter().filter(|it| it.is("assert")).cloned().collect();
                let read =
                    fields(&variant.fields, &after, scope.clone(), reading, &quote!(Self::#id))?;
                let Some(Read { code, types: more, .. }) = read else { return Ok(None) };
                types.extend(more);
                steps.push(quote!(if true #(&& (#when))* && #begins { #code }));
            }
            let code = quote! {
                #guard
                #order
                #(#steps)*
                ::core::result::Result::Err(::formwork::derived::Missed::Refused)
            };
            Ok(Some(Body { code, types }))
        }
        Data::Union(_) => Ok(None),
    }
}

fn are_known(all: &[Directive], known: &[&str]) -> bool {
    all.iter().all(|directive| known.iter().any(|name| directive.is(name)))
}

/// Returns the code that sets the order of bytes.
pub fn order(all: &[Directive], scope: &Scope) -> Option<TokenStream> {
    let mut orders = all.iter().filter_map(|directive| {
        let name = directive.name.to_string();
        Some(match (name.as_str(), &directive.value) {
            ("little", Value::None) => quote!(::formwork::binrw::Endian::Little),
            ("big", Value::None) => quote!(::formwork::binrw::Endian::Big),
            ("is_big" | "is_little", Value::Is(condition)) => {
                let condition = checked(condition, scope, None);
                let (yes, no) = if name == "is_big" { ("Big", "Little") } else { ("Little", "Big") };
                let (yes, no) = (format_ident!("{yes}"), format_ident!("{no}"));
                quote!(if #condition { ::formwork::binrw::Endian::#yes } else { ::formwork::binrw::Endian::#no })
            }
            _ => return None,
        })
    });
    let (first, more) = (orders.next(), orders.next());
    match (first, more) {
        (None, _) => Some(quote!()),
        (Some(order), None) => Some(quote!(let __endian = #order;)),
        (Some(_), Some(_)) => None,
    }
}

/// Returns whether the input begins with a magic, which is taken then.
fn begins((ty, pattern): &(TokenStream, TokenStream)) -> TokenStream {
    quote! {
        {
            let mut __rest = *__input;
            match <#ty as ::formwork::derived::Direct>::direct(&mut __rest, __endian, ()) {
                ::core::result::Result::Ok(#pattern) => { *__input = __rest; true }
                _ => false,
            }
        }
    }
}

fn needs(condition: &TokenStream) -> TokenStream {
    quote! {
        if !(#condition) {
            return ::core::result::Result::Err(::formwork::derived::Missed::Refused);
        }
    }
}

/// Returns the statements of `here` and `left`, as far as they are used.
fn at_place(places: Places) -> TokenStream {
    let here = places.here.then(|| quote!(let here: u64 = (__whole - __input.len()) as u64;));
    let left = places.left.then(|| quote!(let left: u64 = __input.len() as u64;));
    quote!(#here #left)
}

/// The reader of fields.
struct Read {
    code: TokenStream,
    types: Vec<syn::Type>,
    /// The sizes of the fields, as far as they are constant.
    head: Vec<TokenStream>,
}

/// Returns the code that reads fields and returns them as `made`; [`None`] if they are only for the general reader.
fn fields(
    fields: &Fields,
    own: &[Directive],
    mut scope: Scope,
    reading: Reading,
    made: &TokenStream,
) -> Result<Option<Read>> {
    let (mut code, mut types, mut head, mut parts) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let places = record::places(fields, own, &scope.parameters)?;
    scope.has_places = true;
    scope.later = fields.iter().enumerate().map(|(index, field)| name_of(index, field)).collect();
    if places.any() {
        code.push(quote!(let __whole = __input.len();));
    }
    for condition in conditions(own, "pre_assert")? {
        let condition = checked(&condition, &scope, None);
        code.push(needs(&quote!(#condition)));
    }
    if let Some(expression) = value(own, "magic") {
        let Ok(magic) = reader::magic(expression) else { return Ok(None) };
        let size = &magic.0;
        head.push(quote!(<#size as ::formwork::Schema>::SIZE));
        code.push(needs(&begins(&magic)));
    }
    for (index, field) in fields.iter().enumerate() {
        let (local, ty) = (local_of(index, field), &field.ty);
        let all = attributes::of_reader(&field.attrs)?;
        let said = attributes::of(&field.attrs, &["schema"])?;
        if !are_known(&all, ON_FIELDS)
            || find(&said, "opaque").is_some()
            || find(&said, "wire").is_some()
        {
            return Ok(None);
        }
        parts.push(match &field.ident {
            Some(name) => quote!(#name: #local),
            None => quote!(#local),
        });
        let places = scope.places(&all)?;
        code.push(at_place(places));
        if let Some(computed) = value(&all, "calc") {
            let computed = checked(computed, &scope, None);
            code.push(quote!(let #local: #ty = #computed;));
        } else if ["ignore", "default"].iter().any(|it| find(&all, it).is_some()) {
            code.push(quote!(let #local: #ty = ::core::default::Default::default();));
        } else {
            let has_condition = find(&all, "if").is_some();
            let Some(order) = order(&all, &scope) else { return Ok(None) };
            if let Some(expression) = value(&all, "magic") {
                let Ok(magic) = reader::magic(expression) else { return Ok(None) };
                if has_condition || !order.is_empty() {
                    return Ok(None);
                }
                head.push(quote!(::core::option::Option::None));
                code.push(needs(&begins(&magic)));
            }
            let read = match bytes_of(ty) {
                Some(count) => quote!(::formwork::derived::take_array::<{ #count }>(__input)?),
                None => {
                    types.push(ty.clone());
                    let (arguments, read) = (agree::arguments(&all, &scope)?, reading.of(ty));
                    quote! {{
                        #order
                        let __arguments: <#ty as ::formwork::binrw::BinRead>::Args<'_> = #arguments;
                        #read(__input, __endian, __arguments)?
                    }}
                }
            };
            let condition = all.iter().find(|it| it.is("if")).map(|it| match &it.value {
                Value::List(_, tokens) => attributes::list(tokens),
                _ => Ok(Vec::new()),
            });
            code.push(match condition.transpose()? {
                None => {
                    head.push(quote!(<#ty as ::formwork::Schema>::SIZE));
                    quote!(let #local: #ty = #read;)
                }
                // With another value, binrw takes that where the condition is false.
                Some(all) if all.len() != 1 => return Ok(None),
                Some(all) => {
                    let condition = checked(&all[0], &scope, None);
                    head.push(quote!(::core::option::Option::None));
                    quote!(let #local: #ty = if #condition { #read } else { ::core::default::Default::default() };)
                }
            });
        }
        scope.fields.push((name_of(index, field), ty.clone()));
        let has_checks = all.iter().any(|it| it.is("assert"));
        code.push(if has_checks { at_place(places) } else { quote!() });
        for condition in conditions(&all, "assert")? {
            let condition = checked(&condition, &scope, None);
            code.push(needs(&quote!(#condition)));
        }
    }
    code.push(at_place(scope.places(own)?));
    for condition in conditions(own, "assert")? {
        let condition = checked(&condition, &scope, None);
        code.push(needs(&quote!(#condition)));
    }
    // What is left is left in the region, and all of it is the record's.
    if places.left {
        code.push(needs(&quote!(__input.is_empty())));
    }
    let whole = match fields {
        Fields::Named(_) => quote!(#made { #(#parts),* }),
        Fields::Unnamed(_) => quote!(#made(#(#parts),*)),
        Fields::Unit => quote!(#made),
    };
    code.push(quote!(return ::core::result::Result::Ok(#whole);));
    Ok(Some(Read { code: quote!(#(#code)*), types, head }))
}

/// Returns the count of a type that is written as `[u8; N]`.
fn bytes_of(ty: &syn::Type) -> Option<&syn::Expr> {
    match ty {
        syn::Type::Array(array) if reader::is_bytes(ty) => Some(&array.len),
        _ => None,
    }
}

/// Returns the readers of a bit-packed word with `map = |raw: u16| ..`.
pub fn of_word(input: &DeriveInput) -> Result<TokenStream> {
    let own = attributes::of_reader(&input.attrs)?;
    let read = match (value(&own, "map"), order(&own, &Scope::default())) {
        (Some(syn::Expr::Closure(closure)), Some(order))
            if are_known(&own, &["map", "little", "big"]) =>
        {
            match closure.inputs.first() {
                Some(syn::Pat::Type(typed)) => {
                    let ty = &typed.ty;
                    Some(quote! {
                        #order
                        let __raw = <#ty as ::formwork::derived::Direct>::direct(__input, __endian, ())?;
                        ::core::result::Result::Ok((#closure)(__raw))
                    })
                }
                _ => None,
            }
        }
        _ => None,
    };
    Ok(of_number(input, read.as_ref()))
}

/// Returns the readers of an enum of numbers of this type.
pub fn of_enum(input: &DeriveInput, repr: &syn::Type) -> Result<TokenStream> {
    let own = attributes::of_reader(&input.attrs)?;
    let order =
        order(&own, &Scope::default()).filter(|_| are_known(&own, &["repr", "little", "big"]));
    let read = order.map(|order| {
        quote! {
            #order
            let __number = <#repr as ::formwork::derived::Direct>::direct(__input, __endian, ())?;
            <Self as ::formwork::derived::Numbered>::of_number(__number)
                .ok_or(::formwork::derived::Missed::Refused)
        }
    });
    Ok(of_number(input, read.as_ref()))
}

/// Returns the readers of a type that is one number.
pub fn of_number(input: &DeriveInput, read: Option<&TokenStream>) -> TokenStream {
    let name = &input.ident;
    let direct = read.map(|read| {
        quote! {
            const IS_DIRECT: bool = true;
            #[inline(always)]
            #[allow(unused, clippy::all, clippy::pedantic)]
            fn direct(
                __input: &mut &[u8],
                __endian: ::formwork::binrw::Endian,
                (): Self::Args<'_>,
            ) -> ::formwork::derived::Directly<Self> { #read }
        }
    });
    quote! {
        #[automatically_derived]
        impl ::formwork::derived::Direct for #name { #direct }
        #[automatically_derived]
        impl<'__bytes> ::formwork::derived::Borrowing<'__bytes> for #name {
            #[inline(always)]
            fn borrowing(
                __input: &mut &'__bytes [u8],
                __endian: ::formwork::binrw::Endian,
                (): Self::Args<'_>,
            ) -> ::formwork::derived::Directly<Self> {
                <Self as ::formwork::derived::Direct>::direct(__input, __endian, ())
            }
        }
    }
}
