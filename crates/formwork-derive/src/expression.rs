//! Expressions as constants of the schema, and as Rust that returns an error instead of overflowing.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::fold::{self, Fold};
use syn::visit::{self, Visit};
use syn::{BinOp, Error, Expr, ExprLit, Ident, Lit, Member, Pat, RangeLimits, Result, Type, UnOp};

use crate::attributes::{Directive, Value, list, named};

/// The names that an expression can use.
#[derive(Clone, Default)]
pub struct Scope {
    /// The field that the expression belongs to, for messages.
    pub of: String,
    /// Fields before the expression, by slot; a magic has no name.
    pub fields: Vec<(String, Type)>,
    /// Fields after the expression.
    pub later: Vec<String>,
    /// Parameters: names and types of `import`.
    pub parameters: Vec<(String, Type)>,
    /// Fields that `map` makes of something else in the file.
    pub mapped: Vec<String>,
    /// Functions, each with the function that undoes it.
    pub inverses: Vec<(String, Expr)>,
    /// Whether `index` is the position of the element that gets an argument.
    pub has_index: bool,
    /// Whether `here` and `left` are numbers of bytes: in what a field and an assertion say.
    pub has_places: bool,
}

impl Scope {
    fn is_local(&self, name: &str) -> bool {
        self.is_index(name)
            || self.is_place(name)
            || self.fields.iter().any(|field| field.0 == name)
            || self.parameters.iter().any(|parameter| parameter.0 == name)
            || self.later.iter().any(|later| later == name)
    }

    /// Returns whether a call is `list.last()` of a field that is a list.
    fn is_last_of_list(&self, call: &syn::ExprMethodCall) -> bool {
        let Expr::Path(path) = &*call.receiver else { return false };
        let name = path.path.get_ident().map(|name| name.unraw().to_string());
        let mut fields = self.fields.iter().rev();
        let field = fields.find(|field| Some(&field.0) == name.as_ref());
        call.method == "last"
            && call.args.is_empty()
            && field.is_some_and(|field| element_of(&field.1).is_some())
    }

    /// Returns whether a name is the position of an element, and no field.
    fn is_index(&self, name: &str) -> bool {
        let is_named = |all: &[(String, Type)]| all.iter().any(|it| it.0 == name);
        self.has_index && name == "index" && !is_named(&self.fields) && !is_named(&self.parameters)
    }

    /// Returns whether a name is the number of bytes before a field, or from it on, and no field.
    fn is_place(&self, name: &str) -> bool {
        let is_named = |all: &[(String, Type)]| all.iter().any(|it| it.0 == name);
        self.has_places
            && matches!(name, "here" | "left")
            && !is_named(&self.fields)
            && !is_named(&self.parameters)
            && !self.later.iter().any(|later| later == name)
    }

    /// Returns which of `here` and `left` the directives of a field or type use.
    pub fn places(&self, all: &[Directive]) -> Result<Places> {
        let mut found = Places::default();
        for directive in all {
            match (&directive.value, directive.name.to_string().as_str()) {
                (Value::Is(expression), "count" | "calc") => found.see(self, expression),
                (Value::List(_, tokens), "if" | "assert") => {
                    list(tokens)?.iter().take(1).for_each(|it| found.see(self, it));
                }
                (Value::List(Delimiter::Brace, tokens), "args") => {
                    named(tokens)?.iter().for_each(|it| found.see(self, &it.1));
                }
                (Value::List(_, tokens), "args") => {
                    list(tokens)?.iter().for_each(|it| found.see(self, it));
                }
                _ => {}
            }
        }
        Ok(found)
    }

    /// Returns the scope of arguments that each element of a list gets by its position.
    pub fn of_each(&self) -> Self {
        Self { has_index: true, ..self.clone() }
    }

    /// Returns the constant of a number in an element of a list, or of the sum of all of them.
    fn element(
        &self,
        list: &Expr,
        index: Option<&TokenStream>,
        parts: &[String],
    ) -> Result<TokenStream> {
        let (constant, place) = (self.constant(list)?, self.place(list)?);
        let Some(place) = place.filter(|place| !place.is_parameter && place.parts.is_empty())
        else {
            let message = "a list is a field of this record: hand over what is in it instead";
            return Err(Error::new_spanned(list, message));
        };
        let of = element_of(place.of).ok_or_else(|| self.cannot(list))?;
        let (shape, e) = (shape_of(&of), quote!(::formwork::schema::Expression));
        let message = format!(
            "`{}`: there is no such number in the element, or elements are not always as long",
            place.whole
        );
        let named = parts.iter().map(|part| quote!((#part, false)));
        let made = match index {
            Some(index) => {
                quote!(#e::Element(const { &#constant }, const { &#index }, &[#(#parts),*]))
            }
            None => quote!(#e::Total(const { &#constant }, &[#(#parts),*])),
        };
        Ok(quote!({
            ::core::assert!(
                <#of as ::formwork::Schema>::SIZE.is_some()
                    && match #shape.at(&[#(#named),*]) {
                        ::core::option::Option::Some(shape) => shape.may_be_number(),
                        ::core::option::Option::None => false,
                    },
                "{}", #message
            );
            #made
        }))
    }

    /// Returns the constant of `list[index].part` and `list.last().part`.
    fn of_element(&self, expression: &Expr) -> Result<Option<TokenStream>> {
        let (mut at, mut parts) = (expression, Vec::new());
        loop {
            match at {
                Expr::Field(field) => {
                    let Member::Named(name) = &field.member else { return Ok(None) };
                    parts.push(name.unraw().to_string());
                    at = &field.base;
                }
                Expr::Paren(inner) => at = &inner.expr,
                Expr::Index(it) if !matches!(*it.index, Expr::Range(_)) => {
                    parts.reverse();
                    let index = self.number(&it.index)?;
                    return self.element(&it.expr, Some(&index), &parts).map(Some);
                }
                Expr::MethodCall(call) if self.is_last_of_list(call) => {
                    parts.reverse();
                    let list = &call.receiver;
                    let index = self.number(&syn::parse_quote!(#list.len() - 1))?;
                    return self.element(list, Some(&index), &parts).map(Some);
                }
                _ => return Ok(None),
            }
        }
    }

    /// Returns whether the expression uses a field or a parameter.
    pub fn mentions(&self, expression: &Expr) -> bool {
        let mut names = Names { scope: self, found: false };
        names.visit_expr(expression);
        names.found
    }

    /// Returns the expression as a constant of the schema.
    pub fn constant(&self, expression: &Expr) -> Result<TokenStream> {
        if !self.mentions(expression) {
            if let Expr::Lit(ExprLit { lit: Lit::Float(_) | Lit::Str(_), .. }) = expression {
                return Err(self.cannot(expression));
            }
            return Ok(number(expression));
        }
        if matches!(expression, Expr::Path(path) if path.path.get_ident().is_some_and(|it| self.is_index(&it.to_string())))
        {
            return Ok(quote!(::formwork::schema::Expression::Index));
        }
        if let Expr::Path(path) = expression
            && let Some(name) = path.path.get_ident()
            && self.is_place(&name.to_string())
        {
            let slot = self.fields.len() as u16;
            let kind = if name == "here" { quote!(Here) } else { quote!(Left) };
            return Ok(quote!(::formwork::schema::Expression::#kind(#slot)));
        }
        if let Some(element) = self.of_element(expression)? {
            return Ok(element);
        }
        if let Some(path) = self.path(expression)? {
            return Ok(path);
        }
        let sub = |inner: &Expr| self.number(inner);
        let e = quote!(::formwork::schema::Expression);
        let binary = |left: &TokenStream, operator: &str, right: &TokenStream| {
            let operator = quote::format_ident!("{operator}");
            quote!(#e::Binary(const { &#left }, ::formwork::schema::Operator::#operator, const { &#right }))
        };
        let no = || self.cannot(expression);
        Ok(match expression {
            Expr::Paren(inner) => sub(&inner.expr)?,
            Expr::Group(inner) => sub(&inner.expr)?,
            Expr::Reference(inner) => sub(&inner.expr)?,
            Expr::Unary(unary) => {
                let inner = sub(&unary.expr)?;
                match unary.op {
                    UnOp::Deref(_) => inner,
                    UnOp::Not(_) => quote!(#e::Not(const { &#inner })),
                    UnOp::Neg(_) => quote!(#e::Negative(const { &#inner })),
                    _ => return Err(no()),
                }
            }
            Expr::Binary(it) if bytes(&it.left).is_some() || bytes(&it.right).is_some() => {
                let operator = operator(&it.op).ok_or_else(no)?;
                match (bytes(&it.left), bytes(&it.right)) {
                    (None, Some(other)) => self.compared(&it.left, operator, &other)?,
                    (Some(other), None) => {
                        // `b"a" < field` is `field > b"a"`.
                        let operator = match operator {
                            "Lt" => "Gt",
                            "Gt" => "Lt",
                            "Le" => "Ge",
                            "Ge" => "Le",
                            other => other,
                        };
                        self.compared(&it.right, operator, &other)?
                    }
                    _ => return Err(no()),
                }
            }
            Expr::Binary(it) => {
                let operator = operator(&it.op).ok_or_else(no)?;
                binary(&sub(&it.left)?, operator, &sub(&it.right)?)
            }
            Expr::Cast(cast) => {
                let (inner, ty) = (sub(&cast.expr)?, integer(&cast.ty).ok_or_else(no)?);
                quote!(#e::Cast(const { &#inner }, #ty))
            }
            Expr::If(it) => {
                let condition = sub(&it.cond)?;
                let yes = self.block(&it.then_branch, expression)?;
                let no = match &it.else_branch {
                    Some((_, other)) => match &**other {
                        Expr::Block(block) => self.block(&block.block, expression)?,
                        other => sub(other)?,
                    },
                    None => return Err(no()),
                };
                quote!(#e::If(const { &#condition }, const { &#yes }, const { &#no }))
            }
            Expr::MethodCall(call) => {
                let argument = call.args.first().filter(|_| call.args.len() == 1);
                match (call.method.to_string().as_str(), argument) {
                    ("clone", None) => {
                        let inner = self.constant(&call.receiver)?;
                        quote!(#e::Untyped(const { &#inner }))
                    }
                    ("into", None) => {
                        let inner = sub(&call.receiver)?;
                        quote!(#e::Untyped(const { &#inner }))
                    }
                    ("total", Some(part)) => {
                        let parts = text(part).split('.').map(str::to_owned).collect::<Vec<_>>();
                        self.element(&call.receiver, None, &parts)?
                    }
                    ("map_or", None) if call.args.len() == 2 => {
                        self.part_of_optional(call)?.ok_or_else(no)?
                    }
                    ("contains", Some(argument)) => {
                        self.range(&call.receiver, argument)?.ok_or_else(no)?
                    }
                    ("unwrap_or", Some(argument)) => {
                        let (inner, other) = (sub(&call.receiver)?, sub(argument)?);
                        quote!(#e::Or(const { &#inner }, const { &#other }))
                    }
                    ("is_multiple_of", Some(argument)) => {
                        let rest = binary(&sub(&call.receiver)?, "Rem", &sub(argument)?);
                        binary(&rest, "Eq", &quote!(#e::Number(0)))
                    }
                    (method, Some(argument)) => {
                        let operator = match method {
                            "max" => "Max",
                            "min" => "Min",
                            "saturating_sub" => "SaturatingSub",
                            "saturating_add" => "SaturatingAdd",
                            "saturating_mul" => "SaturatingMul",
                            "div_ceil" => "DivCeil",
                            "next_multiple_of" => "NextMultiple",
                            "rem_euclid" => "RemEuclid",
                            "div_euclid" => "DivEuclid",
                            _ => return Err(no()),
                        };
                        binary(&sub(&call.receiver)?, operator, &sub(argument)?)
                    }
                    _ => return Err(no()),
                }
            }
            Expr::Call(call) if call.args.len() == 1 => {
                let Expr::Path(function) = &*call.func else { return Err(no()) };
                let inner = self.constant(&call.args[0])?;
                let segments: Vec<_> =
                    function.path.segments.iter().map(|it| it.ident.to_string()).collect();
                if let [of, from] = &segments[..]
                    && from == "from"
                    && let Some(ty) = syn::parse_str::<Type>(of).ok().and_then(|ty| integer(&ty))
                {
                    return Ok(quote!(#e::Cast(const { &#inner }, #ty)));
                }
                let Some(place) = self.place(&call.args[0])? else { return Err(no()) };
                if place.is_parameter {
                    let message = format!(
                        "`{}` is a parameter: a function takes a field of this record; hand its result over instead",
                        place.name
                    );
                    return Err(Error::new_spanned(&call.args[0], message));
                }
                let inner = place.of_bytes(&inner, "which a function takes");
                self.function(function, &inner)
            }
            Expr::Macro(it) if it.mac.path.is_ident("matches") => {
                self.matches(&it.mac.tokens)?.ok_or_else(no)?
            }
            Expr::Match(it) => self.constant(&as_ifs(it).ok_or_else(no)?)?,
            _ => return Err(no()),
        })
    }

    /// Returns `field.as_ref().map_or(0, |it| it.part)` as the part, or the number where the field is not there.
    fn part_of_optional(&self, call: &syn::ExprMethodCall) -> Result<Option<TokenStream>> {
        let receiver = match &*call.receiver {
            Expr::MethodCall(inner) if inner.method == "as_ref" && inner.args.is_empty() => {
                &inner.receiver
            }
            _ => &call.receiver,
        };
        let (Some(other), Some(Expr::Closure(closure))) = (call.args.first(), call.args.last())
        else {
            return Ok(None);
        };
        let Some(Pat::Ident(name)) = closure.inputs.first() else { return Ok(None) };
        struct Replace<'r>(&'r Ident, &'r Expr);
        impl Fold for Replace<'_> {
            fn fold_expr(&mut self, expression: Expr) -> Expr {
                match &expression {
                    Expr::Path(path) if path.path.is_ident(self.0) => self.1.clone(),
                    _ => fold::fold_expr(self, expression),
                }
            }
        }
        let part = Replace(&name.ident, receiver).fold_expr((*closure.body).clone());
        let (part, other) = (self.number(&part)?, self.number(other)?);
        Ok(Some(quote!(::formwork::schema::Expression::Or(const { &#part }, const { &#other }))))
    }

    /// Returns the comparison of a field or parameter with bytes.
    fn compared(&self, field: &Expr, operator: &str, bytes: &[u8]) -> Result<TokenStream> {
        let field = as_they_are(field);
        let (constant, place) = (self.constant(field)?, self.place(field)?);
        let is_comparison = ["Eq", "Ne", "Lt", "Le", "Gt", "Ge"].contains(&operator);
        let Some(place) = place.filter(|_| is_comparison) else { return Err(self.cannot(field)) };
        let field = place.of_bytes(&constant, "which are compared with a text");
        let (operator, bytes) =
            (quote::format_ident!("{operator}"), proc_macro2::Literal::byte_string(bytes));
        Ok(quote!(::formwork::schema::Expression::Bytes(
            const { &#field },
            ::formwork::schema::Operator::#operator,
            #bytes,
        )))
    }

    /// Returns an expression that is calculated with: a field in it has a number in the file.
    pub fn number(&self, expression: &Expr) -> Result<TokenStream> {
        let constant = self.constant(expression)?;
        if self.of_element(expression)?.is_some() {
            return Ok(constant);
        }
        let Some(place) = self.place(expression)? else { return Ok(constant) };
        if place.is_parameter && place.parts.is_empty() {
            return Ok(constant);
        }
        let (whole, of, shape) = (&place.whole, text(place.of), place.shape());
        let message = match place.parts.is_empty() {
            true => format!("`{whole}` is no number in the file, but {of}"),
            false => format!("`{whole}` is no number in the file"),
        };
        Ok(quote!({
            ::core::assert!(
                match #shape {
                    ::core::option::Option::Some(shape) => shape.may_be_number(),
                    ::core::option::Option::None => false,
                },
                "{}", #message
            );
            #constant
        }))
    }

    fn cannot(&self, what: &dyn ToTokens) -> Error {
        let of = if self.of.is_empty() { String::new() } else { format!("`{}`: ", self.of) };
        let message = format!(
            "{of}the schema cannot follow `{}`; write it with numbers, fields in front, + - * / % << >> & | ^, comparisons, \
             && || !, `as`, `if` and `else`, `match` with `_` last, max, min, saturating_add, saturating_sub, saturating_mul, div_ceil, \
             next_multiple_of, is_multiple_of, rem_euclid, div_euclid, `(1..=9).contains(&field)`, `matches!` on numbers, `unwrap_or`, and functions \
             of one field; or say `#[schema(opaque)]`",
            text(what)
        );
        Error::new_spanned(what, message)
    }

    fn block(&self, block: &syn::Block, whole: &Expr) -> Result<TokenStream> {
        match &block.stmts[..] {
            [syn::Stmt::Expr(inner, None)] => self.constant(inner),
            _ => Err(self.cannot(whole)),
        }
    }

    /// Returns `(low..=high).contains(&value)` as two comparisons.
    fn range(&self, range: &Expr, value: &Expr) -> Result<Option<TokenStream>> {
        match range {
            Expr::Paren(inner) => self.range(&inner.expr, value),
            Expr::Range(range) => {
                let (start, end) = (range.start.as_deref(), range.end.as_deref());
                self.between(value, start, end, &range.limits).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn between(
        &self,
        value: &Expr,
        start: Option<&Expr>,
        end: Option<&Expr>,
        limits: &RangeLimits,
    ) -> Result<TokenStream> {
        let (e, o) = (quote!(::formwork::schema::Expression), quote!(::formwork::schema::Operator));
        let value = self.number(value)?;
        let mut out = quote!(#e::Number(1));
        if let Some(start) = start {
            let start = self.constant(start)?;
            out = quote!(#e::Binary(const { &#value }, #o::Ge, const { &#start }));
        }
        if let Some(end) = end {
            let end = self.constant(end)?;
            let below =
                if matches!(limits, RangeLimits::Closed(_)) { quote!(Le) } else { quote!(Lt) };
            let upper = quote!(#e::Binary(const { &#value }, #o::#below, const { &#end }));
            out = match start {
                Some(_) => quote!(#e::Binary(const { &#out }, #o::And, const { &#upper })),
                None => upper,
            };
        }
        Ok(out)
    }

    /// Returns `matches!(value, 1 | 3..=5)` as comparisons.
    fn matches(&self, tokens: &TokenStream) -> Result<Option<TokenStream>> {
        struct Parts(Expr, Pat);
        impl syn::parse::Parse for Parts {
            fn parse(input: syn::parse::ParseStream<'_>) -> Result<Self> {
                let value = input.parse()?;
                input.parse::<syn::Token![,]>()?;
                let pattern = Pat::parse_multi_with_leading_vert(input)?;
                input.parse::<Option<syn::Token![,]>>()?;
                Ok(Self(value, pattern))
            }
        }
        let Ok(Parts(value, pattern)) = syn::parse2(tokens.clone()) else { return Ok(None) };
        self.fits(&value, &pattern)
    }

    fn fits(&self, value: &Expr, pattern: &Pat) -> Result<Option<TokenStream>> {
        let (e, o) = (quote!(::formwork::schema::Expression), quote!(::formwork::schema::Operator));
        Ok(match pattern {
            Pat::Lit(ExprLit { lit: Lit::ByteStr(text), .. }) => {
                Some(self.compared(value, "Eq", &text.value())?)
            }
            Pat::Lit(literal) => {
                let (value, other) = (self.number(value)?, number(&Expr::Lit(literal.clone())));
                Some(quote!(#e::Binary(const { &#value }, #o::Eq, const { &#other })))
            }
            Pat::Path(path) => {
                let (value, other) = (self.number(value)?, number(&Expr::Path(path.clone())));
                Some(quote!(#e::Binary(const { &#value }, #o::Eq, const { &#other })))
            }
            // A name in capitals is a constant.
            Pat::Ident(name) if name.ident == name.ident.to_string().to_uppercase() => {
                let (value, name) = (self.number(value)?, &name.ident);
                let other = number(&syn::parse_quote!(#name));
                Some(quote!(#e::Binary(const { &#value }, #o::Eq, const { &#other })))
            }
            Pat::Range(range) => {
                let (start, end) = (range.start.as_deref(), range.end.as_deref());
                Some(self.between(value, start, end, &range.limits)?)
            }
            Pat::Or(or) => {
                let mut out: Option<TokenStream> = None;
                for case in &or.cases {
                    let Some(case) = self.fits(value, case)? else { return Ok(None) };
                    out = Some(match out {
                        Some(out) => quote!(#e::Binary(const { &#out }, #o::Or, const { &#case })),
                        None => case,
                    });
                }
                out
            }
            _ => None,
        })
    }

    /// Returns the constant for a call of a function on the bytes of a field.
    fn function(&self, function: &syn::ExprPath, argument: &TokenStream) -> TokenStream {
        let name = text(function);
        let inverse = match self.inverses.iter().find(|(of, _)| *of == name) {
            Some((_, inverse)) => quote!(::core::option::Option::Some(|__wanted: i128| {
                let __bytes = (#inverse)(::core::convert::TryInto::try_into(__wanted).ok()?);
                ::core::option::Option::Some(::std::vec::Vec::from(__bytes))
            })),
            None => quote!(::core::option::Option::None),
        };
        quote!(::formwork::schema::Expression::Call(const { &::formwork::schema::Function {
            name: #name,
            value: |__bytes: &[u8]| {
                ::core::option::Option::Some(#function(::core::convert::TryInto::try_into(__bytes).ok()?) as i128)
            },
            inverse: #inverse,
        } }, const { &#argument }))
    }

    /// Returns the constant for `field`, `parameter`, `field.part()` or `field.inner`.
    fn path(&self, expression: &Expr) -> Result<Option<TokenStream>> {
        let Some(place) = self.place(expression)? else { return Ok(None) };
        let Place { slot, whole, parts, .. } = &place;
        let kind = if place.is_parameter { quote!(Parameter) } else { quote!(Field) };
        if parts.is_empty() {
            return Ok(Some(quote!(::formwork::schema::Expression::#kind(#slot, &[], #whole))));
        }
        let field = if self.of.is_empty() { String::new() } else { format!("`{}`: ", self.of) };
        let message =
            format!("{field}`{whole}`: the schema knows no such part of `{}`", place.name);
        let (shape, names) = (place.shape(), parts.iter().map(|part| &part.0));
        Ok(Some(quote!({
            ::core::assert!(#shape.is_some(), "{}", #message);
            ::formwork::schema::Expression::#kind(#slot, &[#(#names),*], #whole)
        })))
    }

    /// Returns the field or parameter that an expression leads to, and the parts of it in turn.
    fn place(&self, expression: &Expr) -> Result<Option<Place<'_>>> {
        let mut parts: Vec<(String, bool)> = Vec::new();
        let mut at = expression;
        let name = loop {
            match at {
                Expr::Path(path) => match path.path.get_ident() {
                    Some(name) => break name.clone(),
                    None => return Ok(None),
                },
                Expr::Field(field) => {
                    let name = match &field.member {
                        Member::Named(name) => name.unraw().to_string(),
                        Member::Unnamed(index) => format!("self_{}", index.index),
                    };
                    parts.push((name, false));
                    at = &field.base;
                }
                Expr::MethodCall(call) if call.args.is_empty() && !is_conversion(&call.method) => {
                    parts.push((call.method.to_string(), true));
                    at = &call.receiver;
                }
                Expr::Paren(inner) => at = &inner.expr,
                Expr::Reference(inner) => at = &inner.expr,
                _ => return Ok(None),
            }
        };
        parts.reverse();
        let unraw = name.unraw().to_string();
        if self.mapped.contains(&unraw) {
            let message = format!(
                "`{unraw}` is mapped: the reader would calculate with what `map` makes, and the schema with what is in \
                 the file; map the type of the field instead, or say `#[schema(opaque)]`"
            );
            return Err(Error::new(name.span(), message));
        }
        // If several fields or parameters have the name, the last one is meant.
        let (is_parameter, slot, of) =
            if let Some(slot) = self.fields.iter().rposition(|field| field.0 == unraw) {
                (false, slot, &self.fields[slot].1)
            } else if let Some(index) = self.parameters.iter().rposition(|it| it.0 == unraw) {
                (true, index, &self.parameters[index].1)
            } else if self.later.contains(&unraw) {
                return Err(Error::new(
                    name.span(),
                    format!("the field `{unraw}` is not in front of this one"),
                ));
            } else {
                return Ok(None);
            };
        let whole = text(expression).trim_start_matches('&').replace("()", "");
        Ok(Some(Place { is_parameter, slot: slot as u16, of, name: unraw, parts, whole }))
    }
}

/// A field or parameter, and parts of it in turn, each a field or the call of a method.
struct Place<'s> {
    is_parameter: bool,
    slot: u16,
    of: &'s Type,
    name: String,
    parts: Vec<(String, bool)>,
    /// Its text.
    whole: String,
}

impl Place<'_> {
    /// Returns the constant of bytes, with the test that they are.
    fn of_bytes(&self, constant: &TokenStream, why: &str) -> TokenStream {
        let shape = self.shape();
        let message = format!("`{}` is not bytes in a row, {why}", self.whole);
        quote!({
            ::core::assert!(
                match #shape {
                    ::core::option::Option::Some(shape) => shape.may_be_bytes(),
                    ::core::option::Option::None => false,
                },
                "{}", #message
            );
            #constant
        })
    }

    /// Returns the constant for the shape that it leads to: an `Option`.
    fn shape(&self) -> TokenStream {
        let (of, parts) = (shape_of(self.of), self.parts.iter());
        let parts = parts.map(|(name, is_call)| quote!((#name, #is_call)));
        quote!(#of.at(&[#(#parts),*]))
    }
}

/// Returns the constant for what a constant can tell of a type.
pub fn shape_of(of: &Type) -> TokenStream {
    match of {
        Type::Reference(of) => shape_of(&of.elem),
        of if integer(of).is_some() => {
            let integer = integer(of);
            quote!((::formwork::schema::Shape::Number { bytes: #integer.bytes(), open: false }))
        }
        of => quote!(<#of as ::formwork::Schema>::SHAPE),
    }
}

/// Returns the type of the elements of a list.
fn element_of(list: &Type) -> Option<Type> {
    match list {
        Type::Array(array) => Some((*array.elem).clone()),
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let is_list = ["Block", "Each", "ToEnd"].iter().any(|name| last.ident == name);
            match &last.arguments {
                syn::PathArguments::AngleBracketed(inner) if is_list => {
                    inner.args.iter().rev().find_map(|it| match it {
                        syn::GenericArgument::Type(of) => Some(of.clone()),
                        _ => None,
                    })
                }
                syn::PathArguments::None if last.ident == "Block" => Some(syn::parse_quote!(u8)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the arguments of each element as a closure of its position.
pub fn each(arguments: &Expr, scope: &Scope) -> Expr {
    let scope = scope.of_each();
    let mut words = Vec::new();
    // The names as they are written: those of a macro are other names elsewhere.
    fn collect(tokens: TokenStream, out: &mut Vec<Ident>) {
        for token in tokens {
            match token {
                TokenTree::Ident(word) => out.push(word),
                TokenTree::Group(group) => collect(group.stream(), out),
                _ => {}
            }
        }
    }
    collect(arguments.to_token_stream(), &mut words);
    let (mut used, mut copied): (Vec<Ident>, Vec<Ident>) = (Vec::new(), Vec::new());
    for (name, ty) in scope.fields.iter().chain(&scope.parameters) {
        let Some(name) = words.iter().find(|word| word.unraw() == name.as_str()).cloned() else {
            continue;
        };
        if !used.contains(&name) {
            // A list is not copied for each element.
            copied.extend(element_of(ty).is_none().then(|| name.clone()));
            used.push(name);
        }
    }
    let index = words.iter().find(|word| *word == "index").cloned();
    let index = index.unwrap_or_else(|| quote::format_ident!("index"));
    let arguments = checked(arguments, &scope, None);
    syn::parse_quote!({
        #(let #used = ::core::clone::Clone::clone(&#used);)*
        move |#index: u64| -> ::formwork::binrw::BinResult<_> {
            #(let #used = &#used;)*
            #(let #copied = ::core::clone::Clone::clone(#copied);)*
            Ok(#arguments)
        }
    })
}

/// Returns the bytes of `b".."`, `*b".."` and `[1, 2]`.
fn bytes(expression: &Expr) -> Option<Vec<u8>> {
    match as_they_are(expression) {
        Expr::Lit(ExprLit { lit: Lit::ByteStr(text), .. }) => Some(text.value()),
        Expr::Array(array) => {
            let byte = |element: &Expr| match element {
                Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().ok(),
                Expr::Lit(ExprLit { lit: Lit::Byte(byte), .. }) => Some(byte.value()),
                _ => None,
            };
            array.elems.iter().map(byte).collect()
        }
        _ => None,
    }
}

/// Returns bytes without what makes a slice of them: `*b".."`, `&name[..]`, `name.as_slice()`.
fn as_they_are(expression: &Expr) -> &Expr {
    match expression {
        Expr::Paren(inner) => as_they_are(&inner.expr),
        Expr::Group(inner) => as_they_are(&inner.expr),
        Expr::Reference(inner) => as_they_are(&inner.expr),
        Expr::Unary(syn::ExprUnary { op: UnOp::Deref(_), expr, .. }) => as_they_are(expr),
        Expr::MethodCall(call) if call.args.is_empty() && call.method == "as_slice" => {
            as_they_are(&call.receiver)
        }
        Expr::Index(index) => match &*index.index {
            Expr::Range(syn::ExprRange { start: None, end: None, .. }) => as_they_are(&index.expr),
            _ => expression,
        },
        _ => expression,
    }
}

/// Returns whether a call changes only the type of a number, not its value.
fn is_conversion(method: &Ident) -> bool {
    matches!(method.to_string().as_str(), "into" | "clone" | "unwrap")
}

/// Returns the constant for a number that the compiler knows.
fn number(expression: &Expr) -> TokenStream {
    let text = text(expression);
    let is_decimal = text.chars().all(|letter| letter.is_ascii_digit());
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Int(_), .. }) if !is_decimal => {
            quote!(::formwork::schema::Expression::Constant((#expression) as i128, #text))
        }
        Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) if literal.suffix().is_empty() => {
            quote!(::formwork::schema::Expression::Number(#literal))
        }
        Expr::Lit(ExprLit { lit: Lit::Int(_) | Lit::Byte(_), .. }) => {
            quote!(::formwork::schema::Expression::Number(#expression as i128))
        }
        _ => {
            quote!(::formwork::schema::Expression::Constant((#expression) as i128, #text))
        }
    }
}

/// Returns the type of an integer as a constant of the schema.
pub fn integer(ty: &Type) -> Option<TokenStream> {
    let (bits, signed) = match ty.to_token_stream().to_string().as_str() {
        "bool" => (1u8, false),
        "u8" => (8, false),
        "i8" => (8, true),
        "u16" => (16, false),
        "i16" => (16, true),
        "u32" => (32, false),
        "i32" => (32, true),
        "u64" | "usize" => (64, false),
        "i64" | "isize" => (64, true),
        _ => return None,
    };
    Some(quote!(::formwork::schema::Integer { bits: #bits, signed: #signed }))
}

/// Returns the source text of an expression, as a person would write it.
pub fn text(tokens: &dyn ToTokens) -> String {
    const SPACES: &[(&str, &str)] = &[
        (" . ", "."),
        (" ()", "()"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" :: ", "::"),
        (" ,", ","),
        (" [", "["),
        ("& ", "&"),
        ("&& ", "&& "),
        (" !", "!"),
        ("! ", "!"),
        (" .. ", ".."),
        ("* b\"", "*b\""),
    ];
    let text = tokens.to_token_stream().to_string();
    let text = SPACES.iter().fold(text, |text, (from, to)| text.replace(from, to));
    text.replace("&&", " && ")
        .replace("  ", " ")
        .replace("  ", " ")
        .replace("!=", " != ")
        .replace("  ", " ")
}

fn operator(operator: &BinOp) -> Option<&'static str> {
    Some(match operator {
        BinOp::Add(_) => "Add",
        BinOp::Sub(_) => "Sub",
        BinOp::Mul(_) => "Mul",
        BinOp::Div(_) => "Div",
        BinOp::Rem(_) => "Rem",
        BinOp::And(_) => "And",
        BinOp::Or(_) => "Or",
        BinOp::BitXor(_) => "BitXor",
        BinOp::BitAnd(_) => "BitAnd",
        BinOp::BitOr(_) => "BitOr",
        BinOp::Shl(_) => "Shl",
        BinOp::Shr(_) => "Shr",
        BinOp::Eq(_) => "Eq",
        BinOp::Ne(_) => "Ne",
        BinOp::Lt(_) => "Lt",
        BinOp::Le(_) => "Le",
        BinOp::Gt(_) => "Gt",
        BinOp::Ge(_) => "Ge",
        _ => return None,
    })
}

/// Whether `here` and `left` are used.
#[derive(Clone, Copy, Default)]
pub struct Places {
    pub here: bool,
    pub left: bool,
}

impl Places {
    pub const fn any(self) -> bool {
        self.here || self.left
    }

    pub const fn or(self, other: Self) -> Self {
        Self { here: self.here || other.here, left: self.left || other.left }
    }

    /// Looks for the names in an expression. Those in a macro count as well.
    fn see(&mut self, scope: &Scope, expression: &Expr) {
        fn look(tokens: TokenStream, found: &mut dyn FnMut(&Ident)) {
            let is_sign = |token: &TokenTree, wanted: char| matches!(token, TokenTree::Punct(sign) if sign.as_char() == wanted && sign.spacing() == Spacing::Alone);
            let mut is_part = false;
            let mut tokens = tokens.into_iter().peekable();
            while let Some(token) = tokens.next() {
                // The names of arguments are others.
                let is_name = tokens.peek().is_some_and(|next| is_sign(next, ':'));
                match &token {
                    TokenTree::Ident(name) if !is_part && !is_name => found(name),
                    TokenTree::Group(group) => look(group.stream(), found),
                    _ => {}
                }
                is_part = is_sign(&token, '.');
            }
        }
        look(expression.to_token_stream(), &mut |name| {
            if scope.is_place(&name.to_string()) {
                self.here |= name == "here";
                self.left |= name == "left";
            }
        });
    }
}

struct Names<'s> {
    scope: &'s Scope,
    found: bool,
}

impl Visit<'_> for Names<'_> {
    fn visit_expr_path(&mut self, path: &syn::ExprPath) {
        let is_local =
            |name: &Ident| name == "self" || self.scope.is_local(&name.unraw().to_string());
        self.found |= path.path.get_ident().is_some_and(is_local);
        visit::visit_expr_path(self, path);
    }

    fn visit_macro(&mut self, _: &syn::Macro) {
        self.found = true;
    }
}

/// Methods that panic where a number is too large or a divisor is zero.
const CHECKED: [&str; 4] = ["div_ceil", "next_multiple_of", "rem_euclid", "div_euclid"];

/// Replaces arithmetic with calls that return an error on overflow.
pub struct Checked<'s> {
    pub scope: &'s Scope,
    /// Whether an operation was replaced.
    pub changed: bool,
}

impl Fold for Checked<'_> {
    fn fold_expr(&mut self, expression: Expr) -> Expr {
        if let Expr::Macro(it) = &expression
            && it.mac.path.segments.last().is_some_and(|last| last.ident == "args")
            && let Ok(pairs) = crate::attributes::named(&it.mac.tokens)
        {
            let pairs = pairs.into_iter().map(|(name, inner)| {
                let inner = self.fold_expr(inner);
                match name == "count" {
                    true => quote!(#name: ::formwork::derived::count(#inner)),
                    false => quote!(#name: #inner),
                }
            });
            return syn::parse_quote!(::formwork::binrw::args! { #(#pairs),* });
        }
        if matches!(expression, Expr::Closure(_) | Expr::Macro(_))
            || !self.scope.mentions(&expression)
        {
            return expression;
        }
        let expression = fold::fold_expr(self, expression);
        match &expression {
            Expr::Index(it) if !matches!(*it.index, Expr::Range(_)) => {
                self.changed = true;
                let (list, index) = (&it.expr, &it.index);
                return syn::parse_quote!((*::formwork::derived::element(&#list, #index)?));
            }
            Expr::MethodCall(call) if self.scope.is_last_of_list(call) => {
                self.changed = true;
                let list = &call.receiver;
                return syn::parse_quote!((*::formwork::derived::last(&#list)?));
            }
            Expr::MethodCall(call) if call.method == "total" && call.args.len() == 1 => {
                let (list, part) = (&call.receiver, &call.args[0]);
                return syn::parse_quote!(::formwork::derived::total(&#list, |__it| ::core::convert::Into::into(__it.#part)));
            }
            _ => {}
        }
        if let Expr::MethodCall(call) = &expression
            && let (Some(argument), 1) = (call.args.first(), call.args.len())
            && CHECKED.iter().any(|name| call.method == name)
        {
            self.changed = true;
            let (method, receiver) = (&call.method, &call.receiver);
            return syn::parse_quote!(::formwork::derived::#method(#receiver, #argument)?);
        }
        if let Expr::Unary(syn::ExprUnary { op: UnOp::Neg(_), expr, .. }) = &expression {
            self.changed = true;
            return syn::parse_quote!(::formwork::derived::neg(#expr)?);
        }
        let Expr::Binary(binary) = &expression else { return expression };
        let function = match binary.op {
            BinOp::Add(_) => quote!(add),
            BinOp::Sub(_) => quote!(sub),
            BinOp::Mul(_) => quote!(mul),
            BinOp::Div(_) => quote!(div),
            BinOp::Rem(_) => quote!(rem),
            BinOp::Shl(_) => quote!(shl),
            BinOp::Shr(_) => quote!(shr),
            _ => return expression,
        };
        self.changed = true;
        let (left, right) = (&binary.left, &binary.right);
        syn::parse_quote!(::formwork::derived::#function(#left, #right)?)
    }
}

/// Returns a `match` as `if` and `else`: the last arm takes all that is left. None if it has guards, or names for what it
/// matches.
fn as_ifs(it: &syn::ExprMatch) -> Option<Expr> {
    let (last, arms) = it.arms.split_last()?;
    let is_plain = it.arms.iter().all(|arm| arm.guard.is_none());
    if !is_plain || !matches!(last.pat, Pat::Wild(_)) {
        return None;
    }
    let value = &it.expr;
    Some(arms.iter().rev().fold((*last.body).clone(), |rest, arm| {
        let (pattern, body) = (&arm.pat, &arm.body);
        syn::parse_quote!(if matches!(#value, #pattern) { #body } else { #rest })
    }))
}

/// Returns the expression with checked arithmetic.
///
/// binrw evaluates arguments even if the field's `if` is false. With `only_if`, a failure is then ignored.
pub fn checked(expression: &Expr, scope: &Scope, only_if: Option<&Expr>) -> Expr {
    let mut fold = Checked { scope, changed: false };
    let made = fold.fold_expr(expression.clone());
    match only_if {
        Some(condition) if fold.changed => syn::parse_quote!({
            match (|| -> ::formwork::binrw::BinResult<_> { Ok(#made) })() {
                Ok(__value) => __value,
                Err(__error) => {
                    if #condition { return Err(__error) }
                    ::core::default::Default::default()
                }
            }
        }),
        _ => made,
    }
}
