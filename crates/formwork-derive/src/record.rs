//! The fields of a record or variant as constants.

use proc_macro2::{Delimiter, TokenStream};
use quote::quote;
use syn::{Error, Expr, ExprLit, Fields, Lit, Member, Pat, Result, Type};

use crate::attributes::{
    self, Directive, Value, conditions, doc, find, is_called, list, name_of, named, value,
};
use crate::expression::{Places, Scope, integer, shape_of, text};

/// Directives of `schema` on a field.
const ON_FIELDS: &[&str] = &[
    "wire",
    "opaque",
    "sum",
    "over",
    "with",
    "text",
    "fill",
    "end",
    "terminated",
    "mask",
    "hex",
    "letters",
    "zero",
    "names",
    "family",
    "inline",
];

/// Directives of `schema` on a part of a bit-packed word.
pub const ON_PARTS: &[&str] = &["zero", "names", "family"];

/// Directives of `schema` on a type.
pub const ON_TYPES: &[&str] = &["last", "slots", "deepest", "inverse", "view", "arbitrary"];

/// The depth limit of nested records whose declaration has none.
const DEEPEST: u32 = 128;

/// The highest depth limit: the reader calls itself for each record in another one, on the stack of its thread.
const MOST_DEEP: u32 = 512;

/// A record as constants.
pub struct Record {
    /// The `formwork::schema::Record`.
    pub constant: TokenStream,
    /// The `SIZE` of the type.
    pub size: TokenStream,
    /// The `IS_DEEP` of the type.
    pub is_deep: TokenStream,
    /// The fields that `settle` and `agree` handle, in order.
    pub parts: Vec<Part>,
    /// The fields without bytes, with their types.
    pub computed: Vec<(Part, Type)>,
    /// The names that the expressions of the record can use.
    pub scope: Scope,
    /// The `SHAPE` of the type.
    pub shape: TokenStream,
    /// The `NEEDS_ORDER` of the type.
    pub needs_order: TokenStream,
    /// Whether expressions use `here` or `left`.
    pub places: Places,
}

/// A field whose value is stored as it is in the file.
pub struct Part {
    pub slot: usize,
    /// Position among the fields of the type.
    pub index: usize,
    pub member: Member,
}

pub fn deepest(said: &[Directive]) -> TokenStream {
    match value(said, "deepest") {
        Some(deepest) => {
            let message = format!(
                "`deepest` is {MOST_DEEP} at most: a reader needs stack for each record in another one"
            );
            quote!(const {
                ::core::assert!((#deepest) <= #MOST_DEEP, "{}", #message);
                #deepest
            })
        }
        None => quote!(#DEEPEST),
    }
}

/// Refuses unknown directives of `schema`.
pub fn known(all: &[Directive], known: &[&str]) -> Result<()> {
    for directive in all {
        if !known.iter().any(|name| directive.is(name)) {
            let message =
                format!("`schema` has no such directive here; there are {}", known.join(", "));
            return Err(Error::new(directive.name.span(), message));
        }
    }
    Ok(())
}

pub fn parameters(scope: &Scope) -> TokenStream {
    let all = scope.parameters.iter().map(|(name, ty)| {
        let ty = integer(ty).unwrap_or(quote!(::formwork::schema::Integer::ANY));
        quote!((#name, #ty))
    });
    quote!(&[#(#all),*])
}

/// Returns the functions of `#[schema(inverse(octal = to_octal))]`, each with its inverse.
pub fn inverses(said: &[Directive]) -> Result<Vec<(String, Expr)>> {
    let mut out = Vec::new();
    for directive in said.iter().filter(|it| it.is("inverse")) {
        let Value::List(_, tokens) = &directive.value else {
            return Err(Error::new(
                directive.name.span(),
                "write `inverse(function = its_inverse)`",
            ));
        };
        for pair in list(tokens)? {
            let Expr::Assign(pair) = pair else {
                return Err(Error::new_spanned(pair, "write `inverse(function = its_inverse)`"));
            };
            out.push((text(&pair.left), *pair.right));
        }
    }
    Ok(out)
}

fn order(all: &[Directive], scope: &Scope) -> Result<TokenStream> {
    for directive in all.iter().rev() {
        match (directive.name.to_string().as_str(), &directive.value) {
            ("little", _) => return Ok(quote!(::formwork::schema::Order::Little)),
            ("big", _) => return Ok(quote!(::formwork::schema::Order::Big)),
            (name @ ("is_big" | "is_little"), Value::Is(condition)) => {
                let (condition, big) = (scope.constant(condition)?, name == "is_big");
                return Ok(quote!(::formwork::schema::Order::If(#condition, #big)));
            }
            _ => {}
        }
    }
    Ok(quote!(::formwork::schema::Order::Inherited))
}

/// Returns the arguments that a field passes to its type.
fn arguments(expression: &Expr, scope: &Scope) -> Result<TokenStream> {
    match expression {
        Expr::Tuple(tuple) => in_order(tuple.elems.iter(), scope),
        Expr::Macro(it) if it.mac.path.segments.last().is_some_and(|last| last.ident == "args") => {
            by_name(&it.mac.tokens, scope, None)
        }
        other => {
            let constant = scope.constant(other)?;
            Ok(quote!(::formwork::schema::Arguments::One(#constant)))
        }
    }
}

fn in_order<'e>(all: impl Iterator<Item = &'e Expr>, scope: &Scope) -> Result<TokenStream> {
    let all = all.map(|expression| {
        let argument = arguments(expression, scope)?;
        Ok(quote!(("", #argument)))
    });
    let all = all.collect::<Result<Vec<_>>>()?;
    Ok(quote!(::formwork::schema::Arguments::Many(&[#(#all),*])))
}

fn by_name(tokens: &TokenStream, scope: &Scope, count: Option<&Expr>) -> Result<TokenStream> {
    let mut all = Vec::new();
    if let Some(count) = count {
        let constant = scope.number(count)?;
        all.push(quote!(("count", ::formwork::schema::Arguments::One(#constant))));
    }
    let mut pairs = named(tokens)?;
    // Named parameters are in the order of their names. Those of lists and regions are found by name.
    pairs.sort_by_key(|(name, _)| match name.to_string() {
        name if attributes::LIST_ARGUMENTS.contains(&&*name) => String::new(),
        name => name,
    });
    for (name, expression) in pairs {
        let of_each = scope.of_each();
        let scope = if name == "each" { &of_each } else { scope };
        let name = name.to_string();
        let argument = match name.as_str() {
            "count" | "bytes" | "left" => {
                let number = scope.number(&expression)?;
                quote!(::formwork::schema::Arguments::One(#number))
            }
            _ => arguments(&expression, scope)?,
        };
        all.push(quote!((#name, #argument)));
    }
    Ok(quote!(::formwork::schema::Arguments::Many(&[#(#all),*])))
}

/// Returns whether the field hands something to a record, or to the elements of its list.
pub fn hands_over(all: &[Directive]) -> Result<bool> {
    let Some(directive) = all.iter().find(|it| it.is("args")) else { return Ok(false) };
    let Value::List(Delimiter::Brace, tokens) = &directive.value else { return Ok(true) };
    let lists = ["count", "bytes", "left", "key"];
    Ok(named(tokens)?.iter().any(|(name, _)| !lists.iter().any(|it| name == it)))
}

/// Refuses a region without a size, a list without a count, and a count of what is no list.
fn needs_arguments(name: &str, of: &Type, all: &[Directive]) -> Result<()> {
    let error = |message: String| Err(Error::new_spanned(of, format!("`{name}`: {message}")));
    let has_arguments = find(all, "args").is_some();
    match (value(all, "count"), has_arguments) {
        (None, false) if is_called(of, "Within") => {
            error("how many bytes has it? `#[br(args { bytes: size })]`".to_owned())
        }
        (None, false) if is_called(of, "Before") => {
            error("how many bytes follow it? `#[br(args { left: 4 })]`".to_owned())
        }
        (None, false) if ["Each", "Block", "Slice"].iter().any(|list| is_called(of, list)) => {
            error("how many elements has it? `#[br(count = count)]`, or `ToEnd` up to the end of the region".to_owned())
        }
        (Some(_), _) if integer(of).is_some() || matches!(of, Type::Array(_)) => {
            error(format!("`count` is for lists, and {} always has as many bytes", text(of)))
        }
        _ => Ok(()),
    }
}

/// Refuses a list or text that is handed to the elements of a list: it would be copied for each of them.
fn refuse_copies(all: &[Directive], of: &Type, scope: &Scope) -> Result<()> {
    const LONG: [&str; 8] =
        ["Block", "Slice", "Each", "ToEnd", "Until", "Terminated", "TerminatedOrEnd", "UpTo"];
    struct Copies<'s>(&'s Scope, Option<Error>);
    impl syn::visit::Visit<'_> for Copies<'_> {
        fn visit_expr_method_call(&mut self, call: &syn::ExprMethodCall) {
            if call.method == "clone"
                && let Expr::Path(path) = &*call.receiver
                && let Some(name) = path.path.get_ident()
                && let Some((_, ty)) = (self.0.fields.iter().rev())
                    .chain(self.0.parameters.iter().rev())
                    .find(|it| name == it.0.as_str())
                && LONG.iter().any(|long| is_called(ty, long))
            {
                let message = format!(
                    "`{name}` would be copied for each element: hand over what is in it, such as `{name} == b\"..\"`, or its length"
                );
                self.1.get_or_insert(Error::new_spanned(call, message));
            }
            syn::visit::visit_expr_method_call(self, call);
        }
    }
    if !["Each", "ToEnd", "Until"].iter().any(|list| is_called(of, list)) {
        return Ok(());
    }
    for directive in all.iter().filter(|it| it.is("args")) {
        let Value::List(Delimiter::Brace, tokens) = &directive.value else { continue };
        for (name, handed) in named(tokens)? {
            let mut copies = Copies(scope, None);
            if name == "inner" || name == "each" {
                syn::visit::Visit::visit_expr(&mut copies, &handed);
            }
            if let Some(error) = copies.1 {
                return Err(error);
            }
        }
    }
    Ok(())
}

pub fn of_field(all: &[Directive], scope: &Scope) -> Result<TokenStream> {
    let count = value(all, "count");
    for directive in all.iter().filter(|it| it.is("args")) {
        match &directive.value {
            Value::List(Delimiter::Brace, tokens) => return by_name(tokens, scope, count),
            Value::List(_, tokens) if count.is_none() => {
                return in_order(list(tokens)?.iter(), scope);
            }
            Value::List(..) => {
                let message =
                    "with `count`, write `args { inner: (..) }`: these go to the elements";
                return Err(Error::new(directive.name.span(), message));
            }
            _ => {}
        }
    }
    match count {
        Some(count) => by_name(&TokenStream::new(), scope, Some(count)),
        None => Ok(quote!(::formwork::schema::Arguments::None)),
    }
}

/// Returns the conditions of `assert(..)`, each with its message if that is a single text.
fn checks(all: &[Directive], scope: &Scope) -> Result<Vec<TokenStream>> {
    let mut out = Vec::new();
    for directive in all.iter().filter(|it| it.is("assert")) {
        let Value::List(_, tokens) = &directive.value else { continue };
        let parts = list(tokens)?;
        let Some(condition) = parts.first() else { continue };
        let message = match parts.get(1) {
            Some(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) if parts.len() == 2 => {
                quote!(::core::option::Option::Some(#text))
            }
            _ => quote!(::core::option::Option::None),
        };
        let constant = scope.number(condition)?;
        let text = text(condition);
        out.push(quote!(::formwork::schema::Check { condition: #constant, text: #text, message: #message }));
    }
    Ok(out)
}

/// Returns the type in the file if binrw calls a function; `None` for the field's own type.
pub fn mapped(of: &str, all: &[Directive], said: &[Directive]) -> Result<Option<Type>> {
    if let Some(wire) = value(said, "wire") {
        return syn::parse2(quote!(#wire)).map(Some);
    }
    for directive in
        all.iter().filter(|it| ["map", "try_map", "parse_with"].iter().any(|name| it.is(name)))
    {
        if let Value::Is(Expr::Closure(closure)) = &directive.value
            && !directive.is("parse_with")
            && let Some(Pat::Type(typed)) = closure.inputs.first()
        {
            return Ok(Some((*typed.ty).clone()));
        }
        if find(said, "opaque").is_none() {
            let message = format!(
                "`{of}`: `{}` hides what is in the file: say `#[schema(wire = TYPE)]`, or `#[schema(opaque)]`",
                directive.name
            );
            return Err(Error::new(directive.name.span(), message));
        }
    }
    Ok(None)
}

/// Returns the meaning of bytes that `schema` declares.
pub fn meaning(said: &[Directive]) -> Result<TokenStream> {
    const MEANINGS: [&str; 7] = ["text", "terminated", "hex", "letters", "zero", "names", "family"];
    let mut meant = said.iter().filter(|it| MEANINGS.iter().any(|name| it.is(name)));
    if let (Some(first), Some(second)) = (meant.next(), meant.next()) {
        let message = format!("it is `{}` already: bytes have one meaning", first.name);
        return Err(Error::new(second.name.span(), message));
    }
    let meaning = quote!(::formwork::schema::Meaning);
    let is_other = said.iter().any(|it| it.is("text") && matches!(it.value, Value::Is(_)));
    let more = ["end", "fill", "mask"].iter().find_map(|it| find(said, it));
    if let (true, Some(more)) = (is_other, more) {
        let message = format!(
            "`{}` is for texts in UTF-8: what else is in other texts is up to you",
            more.name
        );
        return Err(Error::new(more.name.span(), message));
    }
    for directive in said {
        return Ok(match (directive.name.to_string().as_str(), &directive.value) {
            ("names", Value::Is(names)) => quote!(#meaning::Names(#names)),
            ("family", Value::Is(id)) => quote!(#meaning::Family(#id)),
            ("mask", Value::Is(byte)) => quote!(#meaning::Masked(#byte)),
            ("text", Value::None) if value(said, "end").is_some() => {
                let end = value(said, "end").into_iter();
                let fill = value(said, "fill").map_or_else(|| quote!(0), |fill| quote!(#fill));
                if let Some(mask) = find(said, "mask") {
                    let message = "a text that ends before its place does is not masked";
                    return Err(Error::new(mask.name.span(), message));
                }
                quote!(#meaning::Ended(#(#end)*, #fill))
            }
            ("text", Value::None) => match (value(said, "mask"), value(said, "fill")) {
                (Some(byte), None) => quote!(#meaning::Masked(#byte)),
                (None, Some(byte)) => quote!(#meaning::Filled(#byte)),
                (None, None) => quote!(#meaning::Text),
                (Some(_), Some(_)) => {
                    let message = "a text is masked or filled up, not both";
                    return Err(Error::new(directive.name.span(), message));
                }
            },
            ("text", Value::Is(encoding)) => match text(encoding).as_str() {
                "utf16" => quote!(#meaning::Utf16),
                // A letter is a byte.
                "latin1" => quote!(#meaning::Letters),
                _ => {
                    let message = "write `text` for UTF-8, `text = utf16` or `text = latin1`";
                    return Err(Error::new_spanned(encoding, message));
                }
            },
            ("fill" | "end", Value::Is(_)) if find(said, "text").is_some() => continue,
            ("terminated", Value::None) => quote!(#meaning::Terminated),
            ("hex", Value::None) => quote!(#meaning::Hex),
            ("letters", Value::None) => quote!(#meaning::Letters),
            ("zero", Value::None) => quote!(#meaning::Zero),
            (
                "names" | "family" | "mask" | "text" | "fill" | "end" | "terminated" | "hex"
                | "letters" | "zero",
                _,
            ) => {
                let message = "write `text`, `text = utf16`, `text, fill = b' '`, `text, end = 0`, `terminated`, `hex`, `letters`, `zero`, `text, mask = 0xb6`, `names = NAMES` or `family = ID`";
                return Err(Error::new(directive.name.span(), message));
            }
            _ => continue,
        });
    }
    Ok(quote!(#meaning::Plain))
}

/// Returns the tests that a type can have the meaning that `schema` declares.
fn meant(name: &str, of: &Type, said: &[Directive]) -> TokenStream {
    let shape = shape_of(of);
    let is_masked = find(said, "mask").is_some();
    let tests = said.iter().filter_map(|directive| {
        let encoding = match &directive.value {
            Value::Is(encoding) => text(encoding),
            _ => String::new(),
        };
        let (test, on) = match directive.name.to_string().as_str() {
            "text" if is_masked => return None,
            "text" if encoding == "utf16" => {
                ("may_be_utf16", "numbers of two bytes: `Block<u16>`, `[u16; 16]`, `ToEnd<u16>`")
            }
            "end" => ("may_be_ended", "bytes: `Block<u8>`, `[u8; 56]`, `ToEnd<u8>`"),
            "fill" if find(said, "end").is_some() => return None,
            "fill" => ("may_be_filled", "bytes that are always as many: `[u8; 56]`"),
            "text" => ("may_be_text", "bytes: `Block<u8>`, `[u8; 56]`, `ToEnd<u8>`"),
            "terminated" => ("may_be_ended", "bytes: `Block<u8>`, `[u8; 56]`"),
            "mask" => ("may_be_masked", "bytes, or letters of four bytes"),
            "letters" => ("may_be_letters", "bytes or a number"),
            "hex" => ("may_be_hex", "bytes or numbers"),
            "zero" => ("may_be_zero", "numbers or bytes"),
            "names" | "family" => ("may_be_named", "a number"),
            _ => return None,
        };
        let test = quote::format_ident!("{test}");
        let message =
            format!("`{name}`: `{}` is for {on}, and not for {}", directive.name, text(of));
        Some(quote!(::core::assert!(#shape.#test(), "{}", #message);))
    });
    quote!(#(#tests)*)
}

pub fn magic(expression: &Expr) -> Result<(TokenStream, bool)> {
    Ok(match expression {
        Expr::Lit(ExprLit { lit: Lit::ByteStr(text), .. }) => (quote!(#text), false),
        Expr::Lit(ExprLit { lit: Lit::Byte(byte), .. }) => (quote!(&[#byte]), false),
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) if !number.suffix().is_empty() => {
            (quote!(const { &(#number).to_be_bytes() }), true)
        }
        other => {
            let message = "write `b\"..\"` or a number with its type, such as `1u8`";
            return Err(Error::new_spanned(other, message));
        }
    })
}

/// Returns the name of a field in paths. The only field of a tuple has none, because its type or variant is
/// named.
pub fn shown_name<'n>(fields: &Fields, name: &'n str) -> &'n str {
    match fields {
        Fields::Unnamed(tuple) if tuple.unnamed.len() == 1 => "",
        _ => name,
    }
}

/// Types that do not say which bytes are in the file, and the types that do.
const IN_MEMORY: [(&str, &str); 5] = [
    (
        "String",
        "a `String` has no length in a file: use `Terminated` for a text that a zero ends, or `#[schema(text)]` on a `Block<u8>` or a `[u8; 56]`",
    ),
    ("bool", "a `bool` may have other values in a file: use `u8`, or a part of a bit-packed word"),
    ("char", "a `char` has no one form in a file: use `u8`, or `#[schema(letters)]` on a number"),
    ("usize", "a `usize` has another size on other machines: use `u32` or `u64`"),
    ("isize", "an `isize` has another size on other machines: use `i32` or `i64`"),
];

/// Returns whether the reader leaves a field of this type to its caller.
fn is_deferred(of: &Type) -> bool {
    let Type::Path(path) = of else { return false };
    let Some(last) = path.path.segments.last() else { return false };
    match &last.arguments {
        syn::PathArguments::AngleBracketed(inner) if last.ident == "Option" => inner
            .args
            .iter()
            .any(|it| matches!(it, syn::GenericArgument::Type(of) if is_deferred(of))),
        _ => last.ident == "Deferred" || last.ident == "Nested",
    }
}

/// The parts of a record under construction.
struct Building {
    fields: Vec<TokenStream>,
    sizes: Vec<TokenStream>,
    types: Vec<Type>,
    scope: Scope,
    /// The shapes of the fields that have a name.
    shapes: Vec<TokenStream>,
    /// Whether each field needs an order of bytes from around.
    unordered: Vec<TokenStream>,
}

impl Building {
    fn magic(&mut self, name: &str, expression: &Expr) -> Result<()> {
        let (bytes, is_number) = magic(expression)?;
        self.fields.push(quote!(::formwork::schema::Field {
            name: #name,
            magic: ::core::option::Option::Some(::formwork::schema::Magic { bytes: #bytes, is_number: #is_number }),
            size: ::core::option::Option::Some((#bytes as &[u8]).len()),
            ..::formwork::schema::Field::EMPTY
        }));
        self.sizes.push(quote!(::core::option::Option::Some((#bytes as &[u8]).len())));
        if is_number {
            self.unordered.push(quote!((#bytes as &[u8]).len() > 1));
        }
        self.scope.fields.push((String::new(), syn::parse_quote!(u8)));
        Ok(())
    }
}

/// Returns which of `here` and `left` the fields and the assertions of a record use.
pub fn places(fields: &Fields, own: &[Directive], parameters: &[(String, Type)]) -> Result<Places> {
    let names = fields.iter().enumerate().map(|(index, field)| name_of(index, field));
    let scope = Scope {
        has_places: true,
        later: names.collect(),
        parameters: parameters.to_vec(),
        ..Scope::default()
    };
    let mut found = scope.places(own)?;
    for field in fields {
        let all = attributes::of_reader(&field.attrs)?;
        let used = scope.places(&all)?;
        if let (true, Some(magic)) = (used.any(), find(&all, "magic")) {
            let message = "`here` is in front of the magic for one reader and after it for another: declare the magic as a field of its own";
            return Err(Error::new(magic.name.span(), message));
        }
        found = found.or(used);
    }
    Ok(found)
}

/// Returns a record: the magic of `own`, then the fields.
pub fn record(
    name: &str,
    about: &str,
    fields: &Fields,
    own: &[Directive],
    said: &[Directive],
    scope: Scope,
    views: impl FnOnce(&Scope) -> Result<Vec<TokenStream>>,
) -> Result<Record> {
    attributes::refuse(own)?;
    let mut building = Building {
        fields: Vec::new(),
        sizes: Vec::new(),
        types: Vec::new(),
        scope,
        shapes: Vec::new(),
        unordered: Vec::new(),
    };
    let own_order = order(own, &building.scope)?;
    let places = places(fields, own, &building.scope.parameters)?;
    building.scope.later =
        fields.iter().enumerate().map(|(index, field)| name_of(index, field)).collect();
    building.scope.has_places = true;
    if let Some(expression) = value(own, "magic") {
        building.magic("magic", expression)?;
    }
    let (mut parts, mut computed, mut sums) = (Vec::new(), Vec::new(), Vec::new());
    let used = attributes::words(fields, own, said)?;
    let mut is_deferring = false;
    for (index, field) in fields.iter().enumerate() {
        let name = name_of(index, field);
        let shown = shown_name(fields, &name);
        building.scope.of.clone_from(&name);
        let all = attributes::of_reader(&field.attrs)?;
        let said = attributes::of(&field.attrs, &["schema"])?;
        known(&said, ON_FIELDS)?;
        attributes::refuse(&all)?;
        let member = match &field.ident {
            Some(name) => Member::Named(name.clone()),
            None => Member::Unnamed(index.into()),
        };
        let forget = |scope: &mut Scope| scope.later.retain(|later| *later != name);
        if let Some(expression) = value(&all, "calc") {
            let written = attributes::of(&field.attrs, &["bw", "brw"])?;
            if find(&written, "ignore").is_none() {
                let message = format!(
                    "`{name}`: a computed field has no bytes in the file: say `#[bw(ignore)]`, too"
                );
                return Err(Error::new_spanned(expression, message));
            }
            if is_called(&field.ty, "Option") {
                let message =
                    format!("`{name}`: a computed number is always there: it is no `Option`");
                return Err(Error::new_spanned(&field.ty, message));
            }
            let constant = building.scope.number(expression)?;
            forget(&mut building.scope);
            building.scope.fields.push((name.clone(), field.ty.clone()));
            let (about, meaning) = (doc(&field.attrs), meaning(&said)?);
            let checks = checks(&all, &building.scope)?;
            building.fields.push(quote!(::formwork::schema::Field {
                name: #shown,
                doc: #about,
                meaning: #meaning,
                checks: &[#(#checks),*],
                computed: ::core::option::Option::Some(#constant),
                size: ::core::option::Option::Some(0),
                ..::formwork::schema::Field::EMPTY
            }));
            let slot = building.fields.len() - 1;
            computed.push((Part { slot, index, member }, field.ty.clone()));
            building.sizes.push(quote!(::core::option::Option::Some(0)));
            let shape = match integer(&field.ty) {
                Some(_) => shape_of(&field.ty),
                None => quote!(::formwork::schema::Shape::Unknown),
            };
            building.shapes.push(quote!((#name, #shape)));
            continue;
        }
        if let Some(directive) = all.iter().find(|it| it.is("try_calc")) {
            return Err(Error::new(
                directive.name.span(),
                "the schema follows `calc = expression` only",
            ));
        }
        if ["ignore", "default"].iter().any(|it| find(&all, it).is_some()) {
            forget(&mut building.scope);
            continue;
        }
        if let Some(expression) = value(&all, "magic") {
            building.magic(&format!("{name}_magic"), expression)?;
        }
        let is_opaque = find(&said, "opaque").is_some();
        let wire = mapped(&name, &all, &said)?;
        if let (true, Some(hidden)) =
            (places.any(), wire.as_ref().map(|_| "mapped").or(is_opaque.then_some("opaque")))
        {
            let message = format!(
                "`{name}` is {hidden}: how many bytes it has is not known, so `here` and `left` are not in this record"
            );
            return Err(Error::new_spanned(field, message));
        }
        let is_stored = wire.is_none() && !is_opaque;
        let is_mapped = wire.is_some();
        if wire.is_some() {
            building.scope.mapped.push(name.clone());
        }
        let of = wire.unwrap_or_else(|| field.ty.clone());
        if is_called(&of, "Vec") {
            let message = format!(
                "`{name}`: a `Vec` reserves memory for whatever a file claims: use `Each<T>` for records, `Block<T>` for numbers"
            );
            return Err(Error::new_spanned(&of, message));
        }
        if let (false, Some((_, instead))) =
            (is_opaque, IN_MEMORY.iter().find(|it| is_called(&of, it.0)))
        {
            return Err(Error::new_spanned(&of, format!("`{name}`: {instead}")));
        }
        let defers = is_deferred(&of);
        if is_deferring && !defers {
            let message = format!(
                "`{name}`: a field after a deferred one is read at the wrong place: defer it as well"
            );
            return Err(Error::new_spanned(&of, message));
        }
        if defers && places.left {
            let message = format!(
                "`{name}`: a record with a deferred field does not end where its region does, so it has no `left`"
            );
            return Err(Error::new_spanned(&of, message));
        }
        is_deferring |= defers;
        if !is_opaque {
            building.types.push(of.clone());
        }
        if !is_opaque {
            needs_arguments(&name, &of, &all)?;
        }
        let condition = conditions(&all, "if")?.into_iter().next();
        if let Some(condition) = &condition
            && !is_opaque
            && is_stored
            && !defers
            && !is_called(&of, "Option")
        {
            let message = format!(
                "`{name}`: a field with `if` is an `Option`: of any other type binrw writes the field even where the condition is false"
            );
            return Err(Error::new_spanned(condition, message));
        }
        if condition.is_none() && is_stored && is_called(&of, "Option") {
            let message = format!(
                "`{name}`: an `Option` without `if` is written as nothing where it is None, and read as something"
            );
            return Err(Error::new_spanned(&of, message));
        }
        let (when, arguments) = if is_opaque {
            (quote!(::core::option::Option::None), quote!(::formwork::schema::Arguments::None))
        } else {
            let when = match &condition {
                Some(condition) => {
                    let constant = building.scope.number(condition)?;
                    quote!(::core::option::Option::Some(#constant))
                }
                None => quote!(::core::option::Option::None),
            };
            refuse_copies(&all, &of, &building.scope)?;
            (when, of_field(&all, &building.scope)?)
        };
        let field_order = order(&all, &building.scope)?;
        forget(&mut building.scope);
        let slot = building.fields.len();
        building.scope.fields.push((name.clone(), of.clone()));
        // Nothing of a deferred field is in memory, unless an `Option` says whether it is there.
        if is_stored && !(defers && condition.is_some() && !is_called(&of, "Option")) {
            parts.push(Part { slot, index, member });
        }
        let checks = if is_opaque { Vec::new() } else { checks(&all, &building.scope)? };
        if let Some(function) = value(&said, "sum") {
            sums.push((
                slot,
                function.clone(),
                value(&said, "over").cloned(),
                value(&said, "with").cloned(),
            ));
        }
        let (layout, size) = if is_opaque {
            (quote!(|| ::formwork::schema::Layout::Opaque), quote!(::core::option::Option::None))
        } else if condition.is_some() {
            (quote!(<#of as ::formwork::Schema>::layout), quote!(::core::option::Option::None))
        } else {
            (quote!(<#of as ::formwork::Schema>::layout), quote!(<#of as ::formwork::Schema>::SIZE))
        };
        building.shapes.push(match is_opaque || is_mapped {
            // The reader would calculate with what `map` makes.
            true => quote!((#name, ::formwork::schema::Shape::Other)),
            false => {
                let shape = shape_of(&of);
                quote!((#name, #shape))
            }
        });
        let has_order =
            ["little", "big", "is_big", "is_little"].iter().any(|it| find(&all, it).is_some());
        if !is_opaque && !has_order {
            building.unordered.push(quote!(<#of as ::formwork::Schema>::NEEDS_ORDER));
        }
        let tests = if is_opaque { quote!() } else { meant(&name, &of, &said) };
        let handed = (!is_opaque && !hands_over(&all)?).then(|| {
            let message = format!(
                "`{name}`: {} has parameters: hand them over with `args(..)`, or `args {{ inner: (..) }}` for the elements of a list and the content of a region",
                text(&of)
            );
            quote!(::core::assert!(<#of as ::formwork::Schema>::PARAMETERS == 0, "{}", #message);)
        });
        let layout = quote!({ #tests #handed #layout });
        let meaning = meaning(&said)?;
        let (about, is_used) = (doc(&field.attrs), used.contains(&name));
        let is_inline = find(&said, "inline").is_some();
        building.fields.push(quote!(::formwork::schema::Field {
            name: #shown,
            doc: #about,
            layout: #layout,
            when: #when,
            arguments: #arguments,
            checks: &[#(#checks),*],
            order: #field_order,
            meaning: #meaning,
            size: #size,
            inline: #is_inline,
            used: #is_used,
            ..::formwork::schema::Field::EMPTY
        }));
        building.sizes.push(size);
    }
    let Building { fields, sizes, types, mut scope, shapes, unordered } = building;
    let is_deep = quote!((false #(|| <#types as ::formwork::Schema>::IS_DEEP)*));
    scope.of = String::new();
    let checks = checks(own, &scope)?;
    scope.has_places = false;
    let own_expression = |name: &str| match value(said, name) {
        Some(expression) => {
            let constant = scope.constant(expression)?;
            Ok(quote!(::core::option::Option::Some(#constant)))
        }
        None => Ok::<_, Error>(quote!(::core::option::Option::None)),
    };
    let (last, slots) = (own_expression("last")?, own_expression("slots")?);
    let sums = sums.iter().map(|(slot, function, over, with)| {
        sum(*slot, function, over.as_ref(), with.as_ref(), &scope)
    });
    let sums = sums.collect::<Result<Vec<_>>>()?;
    let views = views(&scope)?;
    let (parameters, deepest, ends) = (parameters(&scope), deepest(said), places.left);
    Ok(Record {
        places,
        constant: quote!(::formwork::schema::Record {
            name: #name,
            doc: #about,
            parameters: #parameters,
            fields: &[#(#fields),*],
            checks: &[#(#checks),*],
            order: #own_order,
            last: #last,
            slots: #slots,
            sums: &[#(#sums),*],
            views: &[#(#views),*],
            is_deep: #is_deep,
            deepest: #deepest,
            size: ::formwork::derived::sum_of(&[#(#sizes),*]),
            ends: #ends,
        }),
        size: quote!(::formwork::derived::sum_of(&[#(#sizes),*])),
        is_deep,
        parts,
        computed,
        scope,
        shape: quote!(::formwork::schema::Shape::Record(&[#(#shapes),*])),
        needs_order: match order_is_said(own) {
            true => quote!(false),
            false => quote!((false #(|| #unordered)*)),
        },
    })
}

/// Returns whether the directives of a type or variant say the order of bytes.
pub fn order_is_said(own: &[Directive]) -> bool {
    ["little", "big", "is_big", "is_little"].iter().any(|it| find(own, it).is_some())
}

/// Returns the constant for `sum = crc32, over = id..=content`.
fn sum(
    slot: usize,
    function: &Expr,
    over: Option<&Expr>,
    with: Option<&Expr>,
    scope: &Scope,
) -> Result<TokenStream> {
    let at = |end: &Option<Box<Expr>>, otherwise: usize| match end {
        None => Ok(otherwise),
        Some(end) => {
            let name = text(end);
            let found = scope.fields.iter().position(|field| field.0 == name);
            found.ok_or_else(|| {
                Error::new_spanned(end, format!("`{name}` is no field of this record"))
            })
        }
    };
    let Some(Expr::Range(range)) = over else {
        let message =
            "over which fields? `over = first..=last`, or `over = ..` for all in front of the sum";
        return Err(Error::new_spanned(function, message));
    };
    let to = match with {
        Some(_) => scope.fields.len().saturating_sub(1),
        None => slot.saturating_sub(1),
    };
    if let (syn::RangeLimits::HalfOpen(_), Some(end)) = (&range.limits, &range.end) {
        let message = "the bytes of the last field are among them: write `..=`";
        return Err(Error::new_spanned(end, message));
    }
    let (from, to) = (at(&range.start, 0)?, at(&range.end, to)?);
    if from > to {
        return Err(Error::new_spanned(
            range,
            "the first field of the range is after the last one",
        ));
    }
    let with = match with {
        Some(with) if !(from..=to).contains(&slot) => {
            let message = "`with` is for a sum among the bytes that it is made of";
            return Err(Error::new_spanned(with, message));
        }
        Some(with) => quote!(::core::option::Option::Some(#with)),
        None => {
            if (from..=to).contains(&slot) {
                let message = "the sum is among the bytes that it is made of: say `with = 0`, the byte that is there meanwhile";
                return Err(Error::new_spanned(function, message));
            }
            quote!(::core::option::Option::None)
        }
    };
    let name = text(function);
    let of = &scope.fields[slot].1;
    let shape = shape_of(of);
    let message = format!(
        "`{name}` makes a sum of another size than its field has, or the field is no number and no bytes"
    );
    Ok(quote!(::formwork::schema::Checksum {
        name: #name,
        slot: #slot,
        digest: {
            let digest = ::formwork::derived::Summing((#function) as fn(&[u8]) -> _);
            ::core::assert!(digest.fits(#shape), "{}", #message);
            |__bytes: &[u8]| ::formwork::derived::Digest::into_bytes((#function)(__bytes))
        },
        from: #from,
        to: #to,
        with: #with,
    }))
}
