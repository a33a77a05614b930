//! From an expression of Rust to a constant of type `formwork_records::schema::Expression`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::visit::{self, Visit};
use syn::{BinOp, Error, Expr, ExprLit, Lit, Member, Result, Type, UnOp};

/// What an expression of a field may speak of.
#[derive(Clone, Default)]
pub(crate) struct Scope {
    /// Fields in front of it that stand on the wire, and their types.
    pub(crate) earlier: Vec<(String, Type)>,
    /// The field itself and those behind it.
    pub(crate) later: Vec<String>,
    /// What the record is given (`import`).
    pub(crate) given: Vec<String>,
    /// Fields in front of it that do not stand on the wire.
    pub(crate) made: Vec<String>,
}

impl Scope {
    fn is_field(&self, name: &str) -> bool {
        self.earlier.iter().any(|(earlier, _)| earlier == name)
    }

    fn is_local(&self, name: &str) -> bool {
        self.is_field(name)
            || self.given.iter().any(|given| given == name)
            || self.made.iter().any(|made| made == name)
            || self.later.iter().any(|later| later == name)
    }

    /// The constant that an expression becomes.
    pub(crate) fn constant(&self, expression: &Expr) -> Result<TokenStream> {
        let mut local = Locals { scope: self, found: false, error: None };
        local.visit_expr(expression);
        if let Some(error) = local.error {
            return Err(error);
        }
        if !local.found {
            return Ok(number(expression));
        }
        let Some(tokens) = self.tree(expression) else {
            let text = text_of(expression);
            return Ok(quote!(::formwork_records::schema::Expression::Text(#text)));
        };
        Ok(tokens)
    }

    /// The constant that a count becomes: a schema's counts are whole and not negative, so what only sees to
    /// that is left out.
    pub(crate) fn count(&self, expression: &Expr) -> Result<TokenStream> {
        let mut inner = expression;
        loop {
            inner = match inner {
                Expr::Paren(paren) => &paren.expr,
                Expr::Group(group) => &group.expr,
                Expr::Cast(cast) if is_wide(&cast.ty) => &cast.expr,
                Expr::MethodCall(call)
                    if call.method == "max" && call.args.first().is_some_and(is_zero) =>
                {
                    &call.receiver
                }
                _ => return self.constant(inner),
            };
        }
    }

    /// A constant, if the expression is one that can be followed.
    fn tree(&self, expression: &Expr) -> Option<TokenStream> {
        let schema = quote!(::formwork_records::schema);
        if let Some(path) = self.path(expression) {
            let checks = self.checks(&path);
            return Some(quote!({ #checks #schema::Expression::Path(&[#(#path),*]) }));
        }
        Some(match expression {
            Expr::Paren(paren) => self.tree(&paren.expr)?,
            Expr::Group(group) => self.tree(&group.expr)?,
            Expr::Reference(reference) => self.tree(&reference.expr)?,
            Expr::Unary(unary) => {
                let inner = self.tree(&unary.expr)?;
                match unary.op {
                    UnOp::Deref(_) => inner,
                    UnOp::Not(_) => quote!(#schema::Expression::Not(const { &#inner })),
                    UnOp::Neg(_) => quote!(#schema::Expression::Negative(const { &#inner })),
                    _ => return None,
                }
            }
            Expr::Binary(binary) => {
                let operator = operator(&binary.op)?;
                let (left, right) = (self.tree(&binary.left)?, self.tree(&binary.right)?);
                quote!(#schema::Expression::Binary(
                    const { &#left }, #schema::Operator::#operator, const { &#right },
                ))
            }
            Expr::Cast(cast) => {
                let inner = self.tree(&cast.expr)?;
                if is_wide(&cast.ty) {
                    return Some(inner);
                }
                let (bytes, signed) = match cast.ty.to_token_stream().to_string().as_str() {
                    "u8" => (1_u8, false),
                    "i8" => (1, true),
                    "u16" => (2, false),
                    "i16" => (2, true),
                    "u32" => (4, false),
                    "i32" => (4, true),
                    _ => return None,
                };
                quote!(#schema::Expression::Cast(
                    const { &#inner }, #schema::Width { bytes: #bytes, signed: #signed },
                ))
            }
            Expr::MethodCall(call) => {
                let receiver = self.tree(&call.receiver)?;
                let mut arguments = call.args.iter();
                match (call.method.to_string().as_str(), arguments.next(), arguments.next()) {
                    ("into" | "try_into" | "unwrap" | "clone" | "to_owned", None, _) => receiver,
                    ("is_multiple_of", Some(argument), None) => {
                        let argument = self.tree(argument)?;
                        let rest = quote!(#schema::Expression::Binary(
                            const { &#receiver },
                            #schema::Operator::Remainder,
                            const { &#argument },
                        ));
                        quote!(#schema::Expression::Binary(
                            const { &#rest },
                            #schema::Operator::Equal,
                            &#schema::Expression::Number(0),
                        ))
                    }
                    (method, Some(argument), None) => {
                        let function = match method {
                            "max" => quote!(Max),
                            "min" => quote!(Min),
                            "saturating_sub" => quote!(SaturatingSub),
                            "div_ceil" => quote!(DivCeil),
                            "next_multiple_of" => quote!(NextMultipleOf),
                            _ => return None,
                        };
                        let argument = self.tree(argument)?;
                        quote!(#schema::Expression::Call(
                            const { &#receiver }, #schema::Function::#function, const { &#argument },
                        ))
                    }
                    _ => return None,
                }
            }
            // `u64::from(x)`.
            Expr::Call(call) if call.args.len() == 1 => {
                let Expr::Path(function) = &*call.func else { return None };
                let is_from = function.path.segments.last()?.ident == "from";
                self.tree(call.args.first().filter(|_| is_from)?)?
            }
            Expr::Lit(ExprLit { lit: Lit::Int(_) | Lit::Byte(_) | Lit::Bool(_), .. }) => {
                number(expression)
            }
            other => {
                let mut local = Locals { scope: self, found: false, error: None };
                local.visit_expr(other);
                if local.found {
                    return None;
                }
                number(other)
            }
        })
    }

    /// The names of a field and what is in it: `flags.property()` is a part of a word, or a field.
    fn path(&self, expression: &Expr) -> Option<Vec<String>> {
        match expression {
            Expr::Path(path) => {
                let name = path.path.get_ident()?.to_string();
                let is_known = self.is_field(&name) || self.given.contains(&name);
                is_known.then(|| vec![name])
            }
            Expr::Field(field) => {
                let mut path = self.path(&field.base)?;
                path.push(match &field.member {
                    Member::Named(name) => name.to_string(),
                    Member::Unnamed(index) => format!("self_{}", index.index),
                });
                Some(path)
            }
            Expr::MethodCall(call) if call.args.is_empty() => {
                let name = call.method.to_string();
                if matches!(name.as_str(), "into" | "try_into" | "unwrap" | "clone" | "to_owned") {
                    return None;
                }
                let mut path = self.path(&call.receiver)?;
                path.push(name);
                Some(path)
            }
            Expr::Paren(paren) => self.path(&paren.expr),
            Expr::Reference(reference) => self.path(&reference.expr),
            _ => None,
        }
    }

    /// Makes sure that a field has the part that a path leads to. (What is in that is checked where it is
    /// declared.)
    fn checks(&self, path: &[String]) -> TokenStream {
        let [first, part, ..] = path else { return TokenStream::new() };
        let Some((_, field)) = self.earlier.iter().rev().find(|(name, _)| name == first) else {
            return TokenStream::new();
        };
        quote!(::formwork_records::schema::derived::check::<#field>(#part);)
    }
}

/// A constant that the compiler evaluates. (The detour keeps a number with a fraction from being cut.)
fn number(expression: &Expr) -> TokenStream {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) if literal.suffix().is_empty() => {
            quote!(::formwork_records::schema::Expression::Number(#literal))
        }
        // A variant of an enum that stands for a number.
        Expr::Path(path) if is_variant(&path.path) => {
            quote!(::formwork_records::schema::Expression::Number(#expression as i128))
        }
        _ => quote!(::formwork_records::schema::Expression::Number({
            let constant = #expression;
            (constant & constant) as i128
        })),
    }
}

/// Whether a path leads to a variant, by how it is written: `Kind::Second`.
fn is_variant(path: &syn::Path) -> bool {
    let name = path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    path.segments.len() > 1
        && name.starts_with(|first: char| first.is_uppercase())
        && name.contains(|letter: char| letter.is_lowercase())
}

fn is_zero(expression: &Expr) -> bool {
    matches!(expression, Expr::Lit(ExprLit { lit: Lit::Int(zero), .. }) if zero.base10_digits() == "0")
}

/// Whether a type holds every count there is.
fn is_wide(of: &Type) -> bool {
    matches!(
        of.to_token_stream().to_string().as_str(),
        "usize" | "u64" | "i64" | "isize" | "u128" | "i128"
    )
}

/// An expression as it was written, but for the spaces.
fn text_of(expression: &Expr) -> String {
    let text = expression.to_token_stream().to_string();
    text.replace(" . ", ".")
        .replace(" ()", "()")
        .replace(" (", "(")
        .replace("( ", "(")
        .replace(" )", ")")
        .replace(" ,", ",")
}

fn operator(operator: &BinOp) -> Option<TokenStream> {
    Some(match operator {
        BinOp::Add(_) => quote!(Plus),
        BinOp::Sub(_) => quote!(Minus),
        BinOp::Mul(_) => quote!(Times),
        BinOp::Div(_) => quote!(Quotient),
        BinOp::Rem(_) => quote!(Remainder),
        BinOp::And(_) => quote!(And),
        BinOp::Or(_) => quote!(Or),
        BinOp::BitXor(_) => quote!(BitXor),
        BinOp::BitAnd(_) => quote!(BitAnd),
        BinOp::BitOr(_) => quote!(BitOr),
        BinOp::Shl(_) => quote!(ShiftUp),
        BinOp::Shr(_) => quote!(ShiftDown),
        BinOp::Eq(_) => quote!(Equal),
        BinOp::Lt(_) => quote!(Less),
        BinOp::Le(_) => quote!(AtMost),
        BinOp::Ne(_) => quote!(Differs),
        BinOp::Ge(_) => quote!(AtLeast),
        BinOp::Gt(_) => quote!(More),
        _ => return None,
    })
}

/// Looks for names that only mean something inside the record.
struct Locals<'s> {
    scope: &'s Scope,
    found: bool,
    error: Option<Error>,
}

impl<'s> Visit<'_> for Locals<'s> {
    fn visit_expr_path(&mut self, path: &syn::ExprPath) {
        if let Some(name) = path.path.get_ident() {
            let text = name.to_string();
            if self.scope.later.contains(&text) && !self.scope.is_field(&text) {
                let message = format!("`{text}` does not stand in front of this field");
                self.error.get_or_insert(Error::new(name.span(), message));
            }
            self.found |= self.scope.is_local(&text);
        }
        visit::visit_expr_path(self, path);
    }

    fn visit_macro(&mut self, mac: &syn::Macro) {
        // What stands in it is not parsed: it may speak of fields.
        self.found = true;
        visit::visit_macro(self, mac);
    }
}
