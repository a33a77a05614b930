//! Views: looks at other places of the file, and the methods that read what is there.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{DeriveInput, Error, Expr, Fields, Ident, Result, Token, Type};

use crate::attributes::{self, Directive, Value, local_of, value};
use crate::expression::{Scope, checked, text};
use crate::record::{hands_over, of_field};
use crate::{agree, direct};

/// `view(symbols: ToEnd<Symbol>, at = offset, bytes = size, if = kind == 2)`
struct View {
    name: Ident,
    ty: Type,
    rest: Vec<Directive>,
}

/// The origin of the offset.
enum From<'v> {
    File,
    Record,
    Region,
    Field(&'v Expr),
}

/// The end of the view.
enum Bytes<'v> {
    Count(&'v Expr),
    Rest,
    Open,
}

const FORM: &str = "write `view(name: TYPE, at = offset, bytes = size)`; `bytes = ..` goes to the end of the file, and without `bytes` \
     the view ends where its type ends; there are `if`, `from`, `count` and `args` as well";

impl Parse for View {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        let ty = input.parse()?;
        input.parse::<Token![,]>()?;
        let rest = Punctuated::<Directive, Token![,]>::parse_terminated(input)?;
        Ok(Self { name, ty, rest: rest.into_iter().collect() })
    }
}

/// Returns the constants of the views of a type.
pub fn constants(said: &[Directive], scope: &Scope) -> Result<Vec<TokenStream>> {
    View::all(said)?.iter().map(|view| view.constant(scope)).collect()
}

impl View {
    /// Returns the views of a type.
    fn all(said: &[Directive]) -> Result<Vec<Self>> {
        let all = said.iter().filter(|it| it.is("view")).map(|directive| {
            let Value::List(_, tokens) = &directive.value else {
                return Err(Error::new(directive.name.span(), FORM));
            };
            let view: Self = syn::parse2(tokens.clone())?;
            let known = ["at", "bytes", "if", "from", "count", "args"];
            match view.rest.iter().find(|it| !known.iter().any(|name| it.is(name))) {
                Some(other) => Err(Error::new(other.name.span(), FORM)),
                None if view.at().is_none() => Err(Error::new(directive.name.span(), FORM)),
                None => Ok(view),
            }
        });
        all.collect()
    }

    fn at(&self) -> Option<&Expr> {
        value(&self.rest, "at")
    }

    fn bytes(&self) -> Bytes<'_> {
        match value(&self.rest, "bytes") {
            None => Bytes::Open,
            Some(Expr::Range(_)) => Bytes::Rest,
            Some(count) => Bytes::Count(count),
        }
    }

    fn from(&self) -> From<'_> {
        match value(&self.rest, "from") {
            None => From::File,
            Some(from) => match text(from).as_str() {
                "self" => From::Record,
                "region" => From::Region,
                _ => From::Field(from),
            },
        }
    }

    /// Returns the constant of the schema.
    fn constant(&self, scope: &Scope) -> Result<TokenStream> {
        let (name, ty) = (self.name.to_string(), &self.ty);
        let parameters = format!(
            "`{name}`: {} has parameters: hand them over with `args(..)`, or `args {{ inner: (..) }}` for the elements of a list",
            text(ty)
        );
        let tested = (!hands_over(&self.rest)?).then(|| {
            quote!(::core::assert!(<#ty as ::formwork::Schema>::PARAMETERS == 0, "{}", #parameters);)
        });
        let at = match self.at() {
            Some(at) => scope.constant(at)?,
            None => return Err(Error::new(self.name.span(), FORM)),
        };
        let bytes = match self.bytes() {
            Bytes::Count(bytes) => {
                let bytes = scope.constant(bytes)?;
                quote!(Count(#bytes))
            }
            Bytes::Rest => quote!(Rest),
            Bytes::Open => quote!(Open),
        };
        let from = match self.from() {
            From::File => quote!(File),
            From::Record => quote!(Record),
            From::Region => quote!(Region),
            From::Field(field) => {
                let found = scope.fields.iter().rposition(|it| it.0 == text(field));
                let Some(slot) = found else {
                    let message = "the offset counts from `self`, from `region`, or from a field of this record";
                    return Err(Error::new_spanned(field, message));
                };
                quote!(Field(#slot))
            }
        };
        let when = match value(&self.rest, "if") {
            Some(when) => {
                let when = scope.constant(when)?;
                quote!(::core::option::Option::Some(#when))
            }
            None => quote!(::core::option::Option::None),
        };
        let arguments = of_field(&self.rest, scope)?;
        Ok(quote!(::formwork::schema::View {
            name: #name,
            layout: { #tested <#ty as ::formwork::Schema>::layout },
            at: #at,
            from: ::formwork::schema::ViewFrom::#from,
            bytes: ::formwork::schema::ViewBytes::#bytes,
            arguments: #arguments,
            when: #when,
        }))
    }

    /// Returns the method that reads what the view looks at.
    fn method(
        &self,
        fields: &Fields,
        scope: &Scope,
        own: &[Directive],
        visible: &syn::Visibility,
    ) -> Result<TokenStream> {
        let (name, ty, shown) = (&self.name, &self.ty, self.name.to_string());
        let rest = &self.rest;
        let orders: Vec<_> =
            own.iter().filter(|it| it.is("is_big") || it.is("is_little")).cloned().collect();
        let used = attributes::words(&Fields::Unit, rest, &orders)?;
        let is_used = |name: &str| used.iter().any(|word| word == name);
        let binds = fields.iter().enumerate().filter_map(|(index, field)| {
            let local = local_of(index, field);
            let member = match &field.ident {
                Some(name) => syn::Member::Named(name.clone()),
                None => syn::Member::Unnamed(index.into()),
            };
            is_used(&local.to_string())
                .then(|| quote!(let #local = ::core::clone::Clone::clone(&self.#member);))
        });
        let parameters = scope.parameters.iter().filter(|(name, _)| is_used(name));
        let parameters = parameters.map(|(name, ty)| {
            let name = Ident::new(name, self.name.span());
            quote!(#name: #ty)
        });
        let order = direct::order(own, scope).unwrap_or_default();
        let endian = order.is_empty().then(|| quote!(, __endian: ::formwork::binrw::Endian));
        let start = (!matches!(self.from(), From::File)).then(|| quote!(, from: u64));
        let from = start.as_ref().map_or_else(|| quote!(0), |_| quote!(from));
        let number = |expression: &Expr| {
            let expression = checked(expression, scope, None);
            quote!(::formwork::derived::value((|| -> ::formwork::binrw::BinResult<i128> {
                ::core::result::Result::Ok(::core::convert::Into::<i128>::into(#expression))
            })())?)
        };
        let at = self.at().map(number);
        let (length, is_filled) = match self.bytes() {
            Bytes::Count(bytes) => {
                let bytes = number(bytes);
                (quote!(::core::option::Option::Some(#bytes)), true)
            }
            Bytes::Rest => (quote!(::core::option::Option::None), true),
            Bytes::Open => (quote!(::core::option::Option::None), false),
        };
        let arguments = agree::arguments(rest, scope)?;
        let read = quote! {
            ::formwork::derived::view::<#ty>(
                __bytes,
                (#at, #from),
                (#length, #is_filled),
                __endian,
                ::formwork::derived::value(
                    (|| -> ::formwork::binrw::BinResult<<#ty as ::formwork::binrw::BinRead>::Args<'_>> { Ok(#arguments) })(),
                )?,
            ).map_err(|error| error.within(#shown))
        };
        let (returned, code) = match value(rest, "if") {
            None => (quote!(#ty), read),
            Some(condition) => {
                let condition = checked(condition, scope, None);
                let code = quote! {
                    let __is_there =
                        ::formwork::derived::value((|| -> ::formwork::binrw::BinResult<bool> { Ok(#condition) })())?;
                    if !__is_there {
                        return ::core::result::Result::Ok(::core::option::Option::None);
                    }
                    #read.map(::core::option::Option::Some)
                };
                (quote!(::core::option::Option<#ty>), code)
            }
        };
        let about = format!("Reads what `{shown}` looks at in the bytes of the whole file.");
        Ok(quote! {
            #[doc = #about]
            ///
            /// # Errors
            ///
            /// Fails if there is nothing that can be read.
            #[allow(unused, clippy::all, clippy::pedantic)]
            #visible fn #name(&self, __bytes: &[u8] #start #(, #parameters)* #endian) -> ::formwork::Result<#returned> {
                #(#binds)*
                #order
                #code
            }
        })
    }
}

/// Returns the methods that read what the views of a type look at.
pub fn methods(
    input: &DeriveInput,
    fields: &Fields,
    said: &[Directive],
    (own, scope): (&[Directive], &Scope),
) -> Result<TokenStream> {
    let all = View::all(said)?;
    if all.is_empty() {
        return Ok(quote!());
    }
    let methods = all.iter().map(|view| view.method(fields, scope, own, &input.vis));
    let methods = methods.collect::<Result<Vec<_>>>()?;
    let (name, (generics, arguments, clause)) = (&input.ident, input.generics.split_for_impl());
    Ok(quote! {
        const _: () = {
            use ::formwork::binrw;
            #[automatically_derived]
            impl #generics #name #arguments #clause { #(#methods)* }
        };
    })
}
