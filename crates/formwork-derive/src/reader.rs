//! `BinRead` as binrw derives it, on a twin of the type. Arithmetic is checked, and an enum commits to one
//! variant.
//!
//! A derive cannot change the attributes that other derives see, but it may emit a second type. The twin has
//! the same fields with the changed attributes. binrw derives the reader of the twin, and our reader passes
//! the fields on.

use proc_macro2::{Delimiter, TokenStream};
use quote::{format_ident, quote};
use syn::{Data, DataEnum, DeriveInput, Error, Expr, Fields, Result, WhereClause};

use crate::attributes::{self, Directive, Value, conditions, list, name_of, named, value};
use crate::expression::{Places, Scope, checked, each};
use crate::{numbers, record};

pub fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let name = &input.ident;
    let own = attributes::of_reader(&input.attrs)?;
    let parameters = attributes::imports(&own)?;
    let (names, types): (Vec<_>, Vec<_>) = parameters.iter().cloned().unzip();
    let scope = Scope {
        parameters: parameters.iter().map(|(name, ty)| (name.to_string(), ty.clone())).collect(),
        ..Scope::default()
    };
    let is_named = attributes::is_import_named(&own);
    if is_named && !input.generics.params.is_empty() {
        let message = "a generic type takes its parameters in order: `import(a: u32, b: u8)`";
        return Err(Error::new_spanned(&input.generics, message));
    }
    // binrw passes the parameters to the twin in order.
    let own = if is_named { in_order(own) } else { own };
    let places = places_of(&input.data, &own, &scope.parameters)?;
    // The twin of a record that uses `here` or `left` knows where the record begins, and has its reader.
    let own = if places.any() { placed(own) } else { own };
    let start = places
        .any()
        .then(|| quote!(let __start = ::formwork::binrw::io::Seek::stream_position(__reader)?;));
    let handed = match places.any() {
        true => quote!((#(#names,)* __start,)),
        false => quote!((#(#names,)*)),
    };
    // What is left is left in the region, and all of it is the record's.
    let end = places.left.then(|| quote!(::formwork::derived::at_end(__reader)?;));
    let (generics, arguments, clause) = input.generics.split_for_impl();
    let body = if let Some(mapped) = numbers::reader_of_map(&own)? {
        mapped
    } else {
        match &input.data {
            Data::Struct(data) => {
                let mut all = scope.clone();
                all.has_places = true;
                all.fields = data
                    .fields
                    .iter()
                    .enumerate()
                    .map(|(index, field)| (name_of(index, field), field.ty.clone()))
                    .collect();
                let directives = attribute(&rewritten(&own, &all, &[])?);
                let (fields, pattern) = twin(&data.fields, &scope, clause)?;
                let guard = guard(&attributes::of(&input.attrs, &["schema"])?);
                quote! {
                    #guard
                    #[derive(::formwork::binrw::BinRead)] #directives struct Twin #generics #fields
                    #start
                    let Twin #pattern = ::formwork::binrw::BinRead::read_options(__reader, __endian, #handed)?;
                    #end
                    Ok(Self #pattern)
                }
            }
            Data::Enum(data) => match numbers::repr(&own)? {
                Some(repr) => numbers::reader_of_enum(name, data, &repr),
                None => {
                    let guard = guard(&attributes::of(&input.attrs, &["schema"])?);
                    let body = choice(data, &own, &scope, input, &handed)?;
                    quote!(#guard #body)
                }
            },
            Data::Union(_) => return Err(Error::new_spanned(name, "a union is not read")),
        }
    };
    let (named_arguments, taken, args) = if is_named {
        let named = quote! {
            /// The arguments of the type.
            #[derive(Clone, Debug, ::formwork::binrw::NamedArgs)]
            pub struct Arguments { #(#names: #types),* }
        };
        (named, quote!(Arguments { #(#names),* }), quote!(Arguments))
    } else {
        (quote!(), quote!((#(#names,)*)), quote!((#(#types,)*)))
    };
    Ok(quote! {
        const _: () = {
            use ::formwork::binrw;
            #named_arguments
            #[automatically_derived]
            impl #generics ::formwork::binrw::BinRead for #name #arguments #clause {
                type Args<'__args> = #args;
                #[allow(unused, clippy::all, clippy::pedantic)]
                fn read_options<__R: ::formwork::binrw::io::Read + ::formwork::binrw::io::Seek>(
                    __reader: &mut __R,
                    __endian: ::formwork::binrw::Endian,
                    #taken: Self::Args<'_>,
                ) -> ::formwork::binrw::BinResult<Self> {
                    #body
                }
            }
            #[automatically_derived]
            impl #generics ::formwork::binrw::meta::ReadEndian for #name #arguments #clause {
                const ENDIAN: ::formwork::binrw::meta::EndianKind = ::formwork::binrw::meta::EndianKind::Runtime;
            }
            #[automatically_derived]
            impl #generics ::formwork::derived::Followed for #name #arguments #clause {}
        };
    })
}

/// Returns whether a field, a variant or the type uses `here` or `left`.
fn places_of(data: &Data, own: &[Directive], parameters: &[(String, syn::Type)]) -> Result<Places> {
    let mut found = Places::default();
    match data {
        Data::Struct(data) => found = record::places(&data.fields, own, parameters)?,
        Data::Enum(data) => {
            for variant in &data.variants {
                let own = attributes::of_reader(&variant.attrs)?;
                found = found.or(record::places(&variant.fields, &own, parameters)?);
            }
        }
        Data::Union(_) => {}
    }
    Ok(found)
}

/// Returns the directives with the parameter `__start`, and a name for the reader.
fn placed(mut all: Vec<Directive>) -> Vec<Directive> {
    let start = quote!(__start: u64);
    match all.iter_mut().find(|it| it.is("import")) {
        Some(Directive { value: Value::List(_, list), .. }) => {
            let comma = (!list.is_empty() && !list.to_string().trim_end().ends_with(','))
                .then(|| quote!(,));
            list.extend(quote!(#comma #start));
        }
        _ => all.push(syn::parse_quote!(import(#start))),
    }
    all.push(syn::parse_quote!(stream = __stream));
    all
}

/// Returns an expression after `let here = ..`, where it uses that.
fn at_place(places: Places, expression: Expr) -> Expr {
    let here =
        places.here.then(|| quote!(let here: u64 = ::formwork::derived::here(__stream, __start)?;));
    let left = places.left.then(|| quote!(let left: u64 = ::formwork::derived::left(__stream)?;));
    if places.any() { syn::parse_quote!({ #here #left #expression }) } else { expression }
}

/// Returns the directives with `import { .. }` as `import(..)`, in the order of the names.
fn in_order(mut all: Vec<Directive>) -> Vec<Directive> {
    let parameters = attributes::imports(&all).unwrap_or_default();
    let parameters = parameters.iter().map(|(name, ty)| quote!(#name: #ty));
    let in_order = quote!(#(#parameters),*);
    for directive in all.iter_mut().filter(|it| it.is("import")) {
        directive.value = Value::List(Delimiter::Parenthesis, in_order.clone());
    }
    all
}

/// Returns the code that counts the depth of records that may contain themselves.
fn guard(said: &[Directive]) -> TokenStream {
    let deepest = record::deepest(said);
    quote! {
        let __guard = match <Self as ::formwork::Schema>::IS_DEEP {
            false => ::core::option::Option::None,
            true => ::core::option::Option::Some(::formwork::derived::Depth::enter(#deepest, __reader)?),
        };
    }
}

fn attribute(all: &[Directive]) -> TokenStream {
    if all.is_empty() { quote!() } else { quote!(#[br(#(#all),*)]) }
}

/// Returns the directives of a field or type with checked expressions, without those named in `left_out`.
fn rewritten(all: &[Directive], scope: &Scope, left_out: &[&str]) -> Result<Vec<Directive>> {
    let condition = conditions(all, "if")?.first().map(|condition| checked(condition, scope, None));
    let condition = match (condition, all.iter().find(|it| it.is("if"))) {
        (Some(condition), Some(said)) => {
            Some(at_place(scope.places(std::slice::from_ref(said))?, condition))
        }
        (condition, _) => condition,
    };
    let condition = condition.as_ref();
    let mut out = Vec::new();
    for directive in all.iter().filter(|it| !left_out.iter().any(|name| it.is(name))) {
        let mut directive = directive.clone();
        let places = scope.places(std::slice::from_ref(&directive))?;
        let checked = |expression: &Expr, scope: &Scope, only_if: Option<&Expr>| {
            at_place(places, checked(expression, scope, only_if))
        };
        directive.value = match (directive.name.to_string().as_str(), directive.value) {
            // binrw converts the count even if the field is not there: it may be negative then.
            ("count", Value::Is(expression)) if condition.is_some() => {
                let made = checked(&expression, scope, None);
                Value::Is(syn::parse_quote!(
                    if #condition { #made } else { ::core::default::Default::default() }
                ))
            }
            ("count" | "calc" | "is_big" | "is_little", Value::Is(expression)) => {
                Value::Is(checked(&expression, scope, condition))
            }
            ("args", Value::List(Delimiter::Brace, tokens)) => {
                let pairs = named(&tokens)?;
                let pairs = pairs.iter().map(|(name, expression)| {
                    let expression = match name == "each" {
                        true => at_place(places, each(expression, scope)),
                        false => checked(expression, scope, condition),
                    };
                    quote!(#name: #expression)
                });
                Value::List(Delimiter::Brace, quote!(#(#pairs),*))
            }
            ("args", Value::List(delimiter, tokens)) => {
                let all = list(&tokens)?;
                let all = all.iter().map(|expression| checked(expression, scope, condition));
                Value::List(delimiter, quote!(#(#all),*))
            }
            // The first expression is the condition; a message or another value may follow.
            ("if" | "assert", Value::List(delimiter, tokens)) => {
                let all = list(&tokens)?;
                let all = all.iter().enumerate().map(|(index, expression)| match index {
                    0 => checked(expression, scope, None),
                    _ => expression.clone(),
                });
                Value::List(delimiter, quote!(#(#all),*))
            }
            (_, value) => value,
        };
        out.push(directive);
    }
    Ok(out)
}

/// Directives that choose how a field is read.
const PARSERS: &[&str] = &["map", "try_map", "parse_with", "calc", "try_calc", "ignore", "default"];

/// Returns whether a type is written as `[u8; N]`.
pub fn is_bytes(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Array(array) if matches!(&*array.elem, syn::Type::Path(it) if it.path.is_ident("u8")))
}

/// Returns the fields of the twin, and a pattern that takes the fields or builds the type from them.
fn twin(
    fields: &Fields,
    scope: &Scope,
    clause: Option<&WhereClause>,
) -> Result<(TokenStream, TokenStream)> {
    let mut scope = Scope { has_places: true, ..scope.clone() };
    let (mut out, mut pattern) = (Vec::new(), Vec::new());
    for (index, field) in fields.iter().enumerate() {
        let directives = attributes::of_reader(&field.attrs)?;
        // An assertion may use the field itself.
        scope.fields.push((name_of(index, field), field.ty.clone()));
        let mut directives = rewritten(&directives, &scope, &[])?;
        if is_bytes(&field.ty)
            && !directives.iter().any(|it| PARSERS.iter().any(|name| it.is(name)))
        {
            // binrw reads an array of bytes one byte at a time.
            directives.push(syn::parse_quote!(parse_with = ::formwork::derived::bytes));
        }
        let directives = attribute(&directives);
        let (ty, bound) = (&field.ty, format_ident!("__f{index}"));
        match &field.ident {
            Some(name) => {
                out.push(quote!(#directives #name: #ty));
                pattern.push(quote!(#name: #bound));
            }
            None => {
                out.push(quote!(#directives #ty));
                pattern.push(quote!(#bound));
            }
        }
    }
    Ok(match fields {
        Fields::Named(_) => (quote!(#clause { #(#out),* }), quote!({ #(#pattern),* })),
        Fields::Unnamed(_) => (quote!((#(#out),*) #clause;), quote!((#(#pattern),*))),
        Fields::Unit => (quote!(#clause;), quote!()),
    })
}

/// Variants that begin with numbers of one type, which share a `match`.
struct Magics {
    ty: TokenStream,
    arms: Vec<TokenStream>,
}

impl Magics {
    fn into_step(self) -> TokenStream {
        let Self { ty, arms } = self;
        quote! {
            if let Ok(__magic) = <#ty as ::formwork::binrw::BinRead>::read_options(__reader, __endian, ()) {
                match __magic { #(#arms,)* _ => {} }
            }
            ::formwork::binrw::io::Seek::seek(__reader, ::formwork::binrw::io::SeekFrom::Start(__start))?;
        }
    }
}

/// Returns the type and the pattern of `magic = b"RIFF"` or `magic = 1u8`.
pub fn magic(expression: &Expr) -> Result<(TokenStream, TokenStream)> {
    if let Expr::Lit(literal) = expression {
        match &literal.lit {
            syn::Lit::ByteStr(text) => {
                let (length, bytes) = (text.value().len(), text.value());
                return Ok((quote!([u8; #length]), quote!([#(#bytes),*])));
            }
            syn::Lit::Byte(byte) => return Ok((quote!(u8), quote!(#byte))),
            syn::Lit::Int(number) if !number.suffix().is_empty() => {
                let ty = format_ident!("{}", number.suffix());
                return Ok((quote!(#ty), quote!(#number)));
            }
            _ => {}
        }
    }
    Err(Error::new_spanned(expression, "write `b\"..\"` or a number with its type, such as `1u8`"))
}

fn choice(
    data: &DataEnum,
    own: &[Directive],
    scope: &Scope,
    input: &DeriveInput,
    handed: &TokenStream,
) -> Result<TokenStream> {
    let (generics, _, clause) = input.generics.split_for_impl();
    let kept = ["little", "big", "is_big", "is_little", "import", "stream"];
    let kept: Vec<_> =
        own.iter().filter(|it| kept.iter().any(|name| it.is(name))).cloned().collect();
    let endian = kept.iter().find_map(|directive| match (directive.name.to_string().as_str(), &directive.value) {
        ("little", _) => Some(quote!(let __endian = ::formwork::binrw::Endian::Little;)),
        ("big", _) => Some(quote!(let __endian = ::formwork::binrw::Endian::Big;)),
        (name @ ("is_big" | "is_little"), Value::Is(condition)) => {
            let (yes, no) = if name == "is_big" { ("Big", "Little") } else { ("Little", "Big") };
            let (yes, no) = (format_ident!("{yes}"), format_ident!("{no}"));
            Some(quote! {
                let __endian =
                    if #condition { ::formwork::binrw::Endian::#yes } else { ::formwork::binrw::Endian::#no };
            })
        }
        _ => None,
    });
    let mut steps = Vec::new();
    let mut magics: Option<Magics> = None;
    for variant in &data.variants {
        let directives = attributes::of_reader(&variant.attrs)?;
        let when = conditions(&directives, "pre_assert")?;
        let when: Vec<_> = when.iter().map(|condition| checked(condition, scope, None)).collect();
        let mut all = kept.clone();
        all.extend(rewritten(
            &directives,
            &with_fields(scope, &variant.fields),
            &["pre_assert", "magic"],
        )?);
        let (directives_of_twin, id) = (attribute(&all), &variant.ident);
        let (fields, pattern) = twin(&variant.fields, scope, clause)?;
        let end = record::places(&variant.fields, &directives, &scope.parameters)?
            .left
            .then(|| quote!(::formwork::derived::at_end(__reader)?;));
        let read = quote! {{
            #[derive(::formwork::binrw::BinRead)] #directives_of_twin struct Twin #generics #fields
            let Twin #pattern = ::formwork::binrw::BinRead::read_options(__reader, __endian, #handed)?;
            #end
            return Ok(Self::#id #pattern);
        }};
        let Some(expression) = value(&directives, "magic") else {
            steps.extend(magics.take().map(Magics::into_step));
            steps.push(if when.is_empty() { read } else { quote!(if #((#when))&&* #read) });
            continue;
        };
        let (ty, pattern) = magic(expression)?;
        if magics.as_ref().is_some_and(|open| open.ty.to_string() != ty.to_string()) {
            steps.extend(magics.take().map(Magics::into_step));
        }
        let condition = if when.is_empty() { quote!() } else { quote!(if #((#when))&&*) };
        let open = magics.get_or_insert_with(|| Magics { ty, arms: Vec::new() });
        open.arms.push(quote!(#pattern #condition => #read));
    }
    steps.extend(magics.take().map(Magics::into_step));
    Ok(quote! {
        let __start = ::formwork::binrw::io::Seek::stream_position(__reader)?;
        #endian
        #(#steps)*
        Err(::formwork::binrw::Error::NoVariantMatch { pos: __start })
    })
}

fn with_fields(scope: &Scope, fields: &Fields) -> Scope {
    let mut scope = Scope { has_places: true, ..scope.clone() };
    scope.fields.extend(
        fields.iter().enumerate().map(|(index, field)| (name_of(index, field), field.ty.clone())),
    );
    scope
}
