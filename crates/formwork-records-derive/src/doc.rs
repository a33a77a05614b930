//! Reads the text of doc comments.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The text of the doc comments, a line each.
pub(crate) fn doc_of(attributes: &[Attribute]) -> String {
    let mut text = String::new();
    for attribute in attributes {
        if attribute.path().is_ident("doc")
            && let Meta::NameValue(meta) = &attribute.meta
            && let Expr::Lit(ExprLit { lit: Lit::Str(line), .. }) = &meta.value
        {
            text.push_str(&line.value());
            text.push('\n');
        }
    }
    text
}
