//! The attributes of binrw, and our own.

use proc_macro2::{Delimiter, TokenStream};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, Ident, Result, Token, Type, braced, parenthesized};

/// One of the things that stand in `#[br(..)]`.
pub(crate) struct Directive {
    pub(crate) name: Ident,
    pub(crate) value: Value,
}

/// What a directive says.
pub(crate) enum Value {
    /// Nothing but its name.
    None,
    /// `= EXPRESSION`.
    Is(Box<Expr>),
    /// `(..)` or `{ .. }`.
    List(Delimiter, TokenStream),
}

impl Parse for Directive {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        // `if` is a directive, too.
        let name = input.call(<Ident as syn::ext::IdentExt>::parse_any)?;
        let value = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Value::Is(input.parse()?)
        } else if input.peek(syn::token::Paren) {
            let content;
            parenthesized!(content in input);
            Value::List(Delimiter::Parenthesis, content.parse()?)
        } else if input.peek(syn::token::Brace) {
            let content;
            braced!(content in input);
            Value::List(Delimiter::Brace, content.parse()?)
        } else {
            Value::None
        };
        Ok(Self { name, value })
    }
}

/// What stands in the attributes that binrw reads by. What is wrong in them binrw says.
pub(crate) fn directives(attributes: &[Attribute]) -> Result<Vec<Directive>> {
    let mut all = Vec::new();
    for attribute in attributes {
        if attribute.path().is_ident("br") || attribute.path().is_ident("brw") {
            let parser = Punctuated::<Directive, Token![,]>::parse_terminated;
            all.extend(attribute.parse_args_with(parser)?);
        }
    }
    Ok(all)
}

/// What `#[schema(..)]` says about a field.
#[derive(Default)]
pub(crate) struct Said {
    pub(crate) wire: Option<Type>,
    pub(crate) count: Option<Expr>,
    pub(crate) condition: Option<Expr>,
    pub(crate) bytes: Option<Expr>,
    pub(crate) to_end: bool,
    pub(crate) or_end: bool,
    pub(crate) text: bool,
    pub(crate) means: Option<Expr>,
    pub(crate) zero: bool,
    pub(crate) inline: bool,
}

impl Said {
    pub(crate) fn of(attributes: &[Attribute]) -> Result<Self> {
        let mut said = Self::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("schema")) {
            attribute.parse_args_with(|input: ParseStream<'_>| said.parse(input))?;
        }
        Ok(said)
    }

    fn parse(&mut self, input: ParseStream<'_>) -> Result<()> {
        while !input.is_empty() {
            let name = input.call(<Ident as syn::ext::IdentExt>::parse_any)?;
            match name.to_string().as_str() {
                "to_end" => self.to_end = true,
                "or_end" => self.or_end = true,
                "text" => self.text = true,
                "zero" => self.zero = true,
                "inline" => self.inline = true,
                "wire" => self.wire = Some(assigned(input)?),
                "count" => self.count = Some(assigned(input)?),
                "if" => self.condition = Some(assigned(input)?),
                "bytes" => self.bytes = Some(assigned(input)?),
                "means" => self.means = Some(assigned(input)?),
                _ => {
                    let there = "no directive of `schema`; there are wire, count, if, bytes, to_end, \
                                 or_end, text, zero, means, inline";
                    return Err(Error::new(name.span(), there));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }
}

/// What `#[schema(..)]` above a type says.
#[derive(Clone, Copy, Default)]
pub(crate) struct OfType {
    /// `either_order`: whoever reads the record says in which order the bytes of its numbers stand.
    pub(crate) either_order: bool,
}

/// Reads what `#[schema(..)]` above a type says.
pub(crate) fn of_type(attributes: &[Attribute]) -> Result<OfType> {
    let mut said = OfType::default();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("schema")) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("either_order") {
                said.either_order = true;
                return Ok(());
            }
            let there = "no directive of `schema` for a whole type; there is either_order";
            Err(meta.error(there))
        })?;
    }
    Ok(said)
}

fn assigned<T: Parse>(input: ParseStream<'_>) -> Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
}

/// The expressions of a list of them.
pub(crate) fn list(tokens: &TokenStream) -> Result<Vec<Expr>> {
    let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
    Ok(syn::parse::Parser::parse2(parser, tokens.clone())?.into_iter().collect())
}

/// The value of `name` in a list of `name: value`, such as `args { count: 3 }`.
pub(crate) fn named(tokens: &TokenStream, name: &str) -> Result<Option<Expr>> {
    struct Argument(Ident, Option<Expr>);
    impl Parse for Argument {
        fn parse(input: ParseStream<'_>) -> Result<Self> {
            let name = input.parse()?;
            let value = match input.parse::<Option<Token![:]>>()? {
                Some(_) => Some(input.parse()?),
                None => None,
            };
            Ok(Self(name, value))
        }
    }
    let parser = Punctuated::<Argument, Token![,]>::parse_terminated;
    let all = syn::parse::Parser::parse2(parser, tokens.clone())?;
    let found = all.into_iter().find(|argument| argument.0 == name);
    // `count` alone stands for `count: count`.
    Ok(found.map(|Argument(name, value)| value.unwrap_or_else(|| syn::parse_quote!(#name))))
}

/// The names that an `import` brings in.
pub(crate) fn imported(tokens: &TokenStream) -> Vec<String> {
    let mut names = Vec::new();
    let mut at_start = true;
    for token in tokens.clone() {
        match token {
            proc_macro2::TokenTree::Ident(name) if at_start && name != "mut" => {
                names.push(name.to_string());
                at_start = false;
            }
            proc_macro2::TokenTree::Punct(comma) if comma.as_char() == ',' => at_start = true,
            _ => {}
        }
    }
    names
}
