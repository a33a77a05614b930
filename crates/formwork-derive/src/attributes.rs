//! Directives in attributes: those of binrw, which binrw reads as well, and those of `schema`.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, ExprLit, Fields, Ident, Lit, Meta, Pat, Result, Token, Type};

/// Directives that move the reader or hide bytes, which a schema cannot follow.
const REFUSED: &[(&str, &str)] = &[
    ("pad_before", "declare the padding as a field: `#[br(count = n)] #[schema(zero)] Block<u8>`"),
    ("pad_after", "declare the padding as a field: `#[br(count = n)] #[schema(zero)] Block<u8>`"),
    ("pad_size_to", "declare the padding as a field: `#[br(count = n)] #[schema(zero)] Block<u8>`"),
    ("align_before", "declare the padding as a field: `#[br(args(here))] Padding<4>`"),
    ("align_after", "declare the padding as a field: `#[br(args(here))] Padding<4>`"),
    (
        "seek_before",
        "declare the regions in the order of the file, and look at others with `#[schema(view(..))]`",
    ),
    (
        "restore_position",
        "declare the regions in the order of the file, and look at others with `#[schema(view(..))]`",
    ),
    (
        "offset",
        "declare the regions in the order of the file, and look at others with `#[schema(view(..))]`",
    ),
    (
        "map_stream",
        "use `Within<T>` for a region of a known size, `Before<T>` for all but the last bytes",
    ),
    ("args_raw", "name the parameters: `import(a: u32)` and `args(..)`"),
    ("import_raw", "name the parameters: `import(a: u32)` and `args(..)`"),
    ("import_tuple", "name the parameters: `import(a: u32)` and `args(..)`"),
    ("try", "use `#[br(if(..))]` with a condition that says when the field is there"),
    ("temp", "keep the field, and let `record::settle` set it"),
    ("dbg", "use `record::dump`"),
];

/// One directive: `little`, `count = n`, `args(a, b)`, `args { count: n }`.
#[derive(Clone)]
pub struct Directive {
    pub name: Ident,
    pub value: Value,
}

#[derive(Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "few are made, and patterns look into the expression"
)]
pub enum Value {
    None,
    Is(Expr),
    List(Delimiter, TokenStream),
}

impl Directive {
    pub fn is(&self, name: &str) -> bool {
        self.name == name
    }
}

impl Parse for Directive {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = input.call(Ident::parse_any)?;
        let value = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Value::Is(input.parse()?)
        } else if input.peek(syn::token::Paren) {
            let content;
            syn::parenthesized!(content in input);
            Value::List(Delimiter::Parenthesis, content.parse()?)
        } else if input.peek(syn::token::Brace) {
            let content;
            syn::braced!(content in input);
            Value::List(Delimiter::Brace, content.parse()?)
        } else {
            Value::None
        };
        Ok(Self { name, value })
    }
}

impl ToTokens for Directive {
    fn to_tokens(&self, out: &mut TokenStream) {
        let name = &self.name;
        out.extend(match &self.value {
            Value::None => quote!(#name),
            Value::Is(value) => quote!(#name = #value),
            Value::List(Delimiter::Brace, list) => quote!(#name { #list }),
            Value::List(_, list) => quote!(#name(#list)),
        });
    }
}

/// Returns the directives of the attributes that have one of these names.
pub fn of(attributes: &[Attribute], names: &[&str]) -> Result<Vec<Directive>> {
    let mut all = Vec::new();
    for attribute in attributes {
        if names.iter().any(|name| attribute.path().is_ident(name)) {
            all.extend(
                attribute.parse_args_with(Punctuated::<Directive, Token![,]>::parse_terminated)?,
            );
        }
    }
    Ok(all)
}

/// Returns the directives for binrw's reader.
pub fn of_reader(attributes: &[Attribute]) -> Result<Vec<Directive>> {
    of(attributes, &["br", "brw"])
}

/// Refuses directives that a schema cannot follow.
pub fn refuse(all: &[Directive]) -> Result<()> {
    for directive in all {
        let name = directive.name.to_string();
        if let Some((_, instead)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
            let message =
                format!("`{name}`: the schema cannot follow what binrw does here; {instead}");
            return Err(Error::new(directive.name.span(), message));
        }
    }
    Ok(())
}

pub fn find<'d>(all: &'d [Directive], name: &str) -> Option<&'d Directive> {
    all.iter().find(|directive| directive.is(name))
}

/// Returns the expression of `name = expression`.
pub fn value<'d>(all: &'d [Directive], name: &str) -> Option<&'d Expr> {
    all.iter().find_map(|directive| match &directive.value {
        Value::Is(value) if directive.is(name) => Some(value),
        _ => None,
    })
}

/// Returns the first expression of each `name(expression, ..)`.
pub fn conditions(all: &[Directive], name: &str) -> Result<Vec<Expr>> {
    let mut out = Vec::new();
    for directive in all.iter().filter(|directive| directive.is(name)) {
        if let Value::List(_, tokens) = &directive.value {
            out.extend(list(tokens)?.into_iter().next());
        }
    }
    Ok(out)
}

pub fn list(tokens: &TokenStream) -> Result<Vec<Expr>> {
    let all = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(tokens.clone())?;
    Ok(all.into_iter().collect())
}

/// Returns the pairs of `name: value, name`.
pub fn named(tokens: &TokenStream) -> Result<Vec<(Ident, Expr)>> {
    struct Pair(Ident, Expr);
    impl Parse for Pair {
        fn parse(input: ParseStream<'_>) -> Result<Self> {
            let name: Ident = input.parse()?;
            let value = match input.parse::<Option<Token![:]>>()? {
                Some(_) => input.parse()?,
                None => syn::parse_quote!(#name),
            };
            Ok(Self(name, value))
        }
    }
    let all = Punctuated::<Pair, Token![,]>::parse_terminated.parse2(tokens.clone())?;
    Ok(all.into_iter().map(|Pair(name, value)| (name, value)).collect())
}

/// The names of the arguments of lists and regions.
pub const LIST_ARGUMENTS: [&str; 6] = ["count", "bytes", "left", "key", "inner", "each"];

/// Returns whether the parameters have names: `import { a: u32, b: u8 }`.
pub fn is_import_named(all: &[Directive]) -> bool {
    let mut imports = all.iter().filter(|directive| directive.is("import"));
    imports.any(|it| matches!(it.value, Value::List(Delimiter::Brace, _)))
}

/// Returns the names and types of `import(a: u32, b: u8)`, and of `import { a: u32, b: u8 }` in the order of
/// the names. The arguments of each use of the type have the same order.
pub fn imports(all: &[Directive]) -> Result<Vec<(Ident, Type)>> {
    struct Parameter(Pat, Type);
    impl Parse for Parameter {
        fn parse(input: ParseStream<'_>) -> Result<Self> {
            let pattern = Pat::parse_single(input)?;
            input.parse::<Token![:]>()?;
            let ty = input.parse()?;
            if input.peek(Token![=]) {
                return Err(input
                    .error("a parameter has no default: hand it over wherever the type is used"));
            }
            Ok(Self(pattern, ty))
        }
    }
    let (mut out, is_named) = (Vec::new(), is_import_named(all));
    for directive in all.iter().filter(|directive| directive.is("import")) {
        let Value::List(_, tokens) = &directive.value else { continue };
        let all = Punctuated::<Parameter, Token![,]>::parse_terminated.parse2(tokens.clone())?;
        for Parameter(pattern, ty) in all {
            let Pat::Ident(name) = pattern else {
                return Err(Error::new_spanned(pattern, "a parameter is a name"));
            };
            // Arguments of lists and regions are found by these names.
            if is_named && LIST_ARGUMENTS.iter().any(|it| name.ident == it) {
                let message = format!(
                    "`{}` is an argument of lists and regions: give the parameter another name",
                    name.ident
                );
                return Err(Error::new_spanned(name, message));
            }
            out.push((name.ident, ty));
        }
    }
    if is_named {
        out.sort_by_key(|(name, _): &(Ident, Type)| name.to_string());
    }
    Ok(out)
}

/// Returns the paragraphs of the doc comment up to the first block of code, each in one line.
pub fn doc(attributes: &[Attribute]) -> String {
    let mut lines = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("doc")) {
        if let Meta::NameValue(pair) = &attribute.meta
            && let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &pair.value
        {
            lines.push(text.value());
        }
    }
    // A comment of several lines, `/** .. */`, is one attribute.
    let all = lines.join("\n");
    let lines = all.lines().map(str::trim).take_while(|line| !line.starts_with("```"));
    let mut out = String::new();
    for line in lines {
        match line {
            "" if !out.is_empty() && !out.ends_with('\n') => out.push_str("\n\n"),
            "" => {}
            line => {
                if !out.is_empty() && !out.ends_with('\n') {
                    let is_item = line.starts_with("* ") || line.starts_with("- ");
                    out.push(if is_item { '\n' } else { ' ' });
                }
                out.push_str(line);
            }
        }
    }
    out.trim_end().to_owned()
}

/// Returns the name of a field in binrw's expressions: `self_0` for the first of a tuple.
pub fn name_of(index: usize, field: &syn::Field) -> String {
    match &field.ident {
        Some(name) => name.unraw().to_string(),
        None => format!("self_{index}"),
    }
}

/// Returns [`name_of`] as an identifier.
pub fn local_of(index: usize, field: &syn::Field) -> Ident {
    field.ident.clone().unwrap_or_else(|| quote::format_ident!("self_{index}"))
}

/// Returns whether a type is written as `Name<..>`.
pub fn is_called(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == name))
}

/// Returns all words of the attributes. If a field's name is among them, an expression uses the field.
pub fn words(fields: &Fields, own: &[Directive], said: &[Directive]) -> Result<Vec<String>> {
    fn collect(tokens: TokenStream, out: &mut Vec<String>) {
        for token in tokens {
            match token {
                TokenTree::Ident(word) => out.push(syn::ext::IdentExt::unraw(&word).to_string()),
                TokenTree::Group(group) => collect(group.stream(), out),
                _ => {}
            }
        }
    }
    let mut out = Vec::new();
    collect(quote!(#(#own),* #(#said),*), &mut out);
    for field in fields {
        let all = of_reader(&field.attrs)?;
        collect(quote!(#(#all),*), &mut out);
    }
    Ok(out)
}
