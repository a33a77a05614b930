//! Directives for the reader and the writer say the same: else the writer would make other bytes than were read.

use quote::ToTokens;
use syn::fold::{self, Fold};
use syn::{Attribute, Data, DeriveInput, Error, Expr, ExprUnary, Fields, Result, UnOp};

use crate::attributes::{self, Directive, Value, find};
use crate::expression::text;

/// Refuses directives that one side alone has, or has otherwise, in a type that is written.
pub fn check(input: &DeriveInput) -> Result<()> {
    let mut all = vec![&input.attrs];
    let of_fields = |fields: &Fields| -> Vec<Vec<Attribute>> {
        fields.iter().map(|field| field.attrs.clone()).collect()
    };
    let (mut fields, mut variants) = (Vec::new(), Vec::new());
    match &input.data {
        Data::Struct(data) => fields.extend(of_fields(&data.fields)),
        Data::Enum(data) => {
            for variant in &data.variants {
                variants.push(&variant.attrs);
                fields.extend(of_fields(&variant.fields));
            }
        }
        Data::Union(_) => {}
    }
    all.extend(variants);
    let is_written = |attributes: &[Attribute]| {
        Ok::<_, Error>(!attributes::of(attributes, &["bw", "brw"])?.is_empty())
    };
    let mut written = false;
    for attributes in all.iter().copied().chain(&fields) {
        written |= is_written(attributes)?;
    }
    if !written {
        return Ok(());
    }
    for attributes in all.into_iter().chain(&fields) {
        let reader = attributes::of_reader(attributes)?;
        let writer = attributes::of(attributes, &["bw", "brw"])?;
        attributes::refuse(&writer)?;
        same(&reader, &writer)?;
    }
    Ok(())
}

/// An expression as both sides have it: the writer has references.
struct Plain;

impl Fold for Plain {
    fn fold_expr(&mut self, expression: Expr) -> Expr {
        let expression = match expression {
            Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr, .. }) => *expr,
            Expr::Reference(reference) => *reference.expr,
            Expr::Paren(inner) if matches!(*inner.expr, Expr::Unary(_) | Expr::Reference(_)) => {
                *inner.expr
            }
            other => return fold::fold_expr(self, other),
        };
        self.fold_expr(expression)
    }
}

/// Returns the text of a value without references.
fn plain(value: &Value) -> String {
    let expression = match value {
        Value::None => return String::new(),
        Value::Is(expression) => expression.clone(),
        Value::List(_, tokens) => {
            let first = attributes::list(tokens).ok().and_then(|all| all.into_iter().next());
            match first {
                Some(first) => first,
                None => return tokens.to_string(),
            }
        }
    };
    text(&Plain.fold_expr(expression).to_token_stream()).replace("self.", "")
}

/// Returns the order of bytes.
fn order(all: &[Directive]) -> Option<(&Directive, String)> {
    const ORDERS: [&str; 4] = ["little", "big", "is_little", "is_big"];
    let found = all.iter().rev().find(|it| ORDERS.iter().any(|order| it.is(order)))?;
    Some((found, format!("{} {}", found.name, plain(&found.value))))
}

fn same(reader: &[Directive], writer: &[Directive]) -> Result<()> {
    let error = |directive: &Directive, side: &str| {
        let name = &directive.name;
        let message = format!(
            "`{name}` is for the {side} alone, or the other one says something else: the writer would make other bytes \
             than were read; say it with `#[brw(..)]`, or the same in `br` and `bw`"
        );
        Err(Error::new(name.span(), message))
    };
    match (order(reader), order(writer)) {
        (Some((_, one)), Some((_, other))) if one == other => {}
        (None, None) => {}
        (Some((directive, _)), None) => return error(directive, "reader"),
        (_, Some((directive, _))) => return error(directive, "writer"),
    }
    let (magic, written) = (find(reader, "magic"), find(writer, "magic"));
    match (magic, written) {
        (Some(one), Some(other)) if plain(&one.value) == plain(&other.value) => {}
        (None, None) => {}
        (Some(directive), None) => return error(directive, "reader"),
        (_, Some(directive)) => return error(directive, "writer"),
    }
    let any = |all: &[Directive], names: &[&str]| {
        all.iter().find(|it| names.iter().any(|name| it.is(name))).cloned()
    };
    let maps = ["map", "try_map", "parse_with", "write_with"];
    match (any(reader, &maps), any(writer, &maps)) {
        (Some(_), Some(_)) | (None, None) => {}
        (Some(directive), None) => return error(&directive, "reader"),
        (None, Some(directive)) => return error(&directive, "writer"),
    }
    let left_out = any(reader, &["calc", "try_calc", "ignore", "default"]);
    match (left_out, find(writer, "ignore")) {
        (Some(directive), None) if !directive.is("calc") && !directive.is("try_calc") => {
            return error(&directive, "reader");
        }
        (None, Some(directive)) => return error(directive, "writer"),
        _ => {}
    }
    if let Some(directive) = find(writer, "if")
        && find(reader, "if").is_none_or(|it| plain(&it.value) != plain(&directive.value))
    {
        return error(directive, "writer");
    }
    if let Some(directive) = any(writer, &["calc", "try_calc"])
        && find(reader, &directive.name.to_string()).is_none()
    {
        return error(&directive, "writer");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    fn of_field(directives: &proc_macro2::TokenStream) -> Result<()> {
        check(&syn::parse_quote! {
            #[brw(big)]
            struct Hero {
                order: u8,
                #directives
                level: u16,
            }
        })
    }

    #[test]
    fn both_sides_say_the_same() {
        for right in [
            quote!(#[brw(little)]),
            quote!(#[br(little)] #[bw(little)]),
            quote!(#[br(is_big = order == 2)] #[bw(is_big = *order == 2)]),
            quote!(#[br(if(order > 1))]),
            quote!(#[br(if(order > 1))] #[bw(if(*order > 1))]),
            quote!(#[br(calc = 1)] #[bw(ignore)]),
            quote!(#[br(map = read)] #[bw(map = write)]),
            quote!(#[br(count = order)]),
        ] {
            assert!(of_field(&right).is_ok(), "{right}");
        }
        for wrong in [
            quote!(#[br(little)]),
            quote!(#[bw(little)]),
            quote!(#[br(little)] #[bw(big)]),
            quote!(#[br(is_big = order == 2)]),
            quote!(#[br(is_big = order == 2)] #[bw(is_big = *order == 3)]),
            quote!(#[br(is_big = order * 2 == 4)] #[bw(is_big = order2 == 4)]),
            quote!(#[br(magic = 1u8)]),
            quote!(#[br(magic = 1u8)] #[bw(magic = 2u8)]),
            quote!(#[br(map = read)]),
            quote!(#[bw(map = write)]),
            quote!(#[bw(if(*order > 1))]),
            quote!(#[br(if(order > 1))] #[bw(if(*order > 2))]),
            quote!(#[bw(ignore)]),
            quote!(#[br(default)]),
            quote!(#[bw(calc = 7)]),
            quote!(#[bw(pad_after = 2)]),
        ] {
            assert!(of_field(&wrong).is_err(), "{wrong}");
        }
        // A type that is only read has one side.
        assert!(
            check(&syn::parse_quote!(
                #[br(big)]
                struct Hero {
                    #[br(little)]
                    level: u16,
                }
            ))
            .is_ok()
        );
    }
}
