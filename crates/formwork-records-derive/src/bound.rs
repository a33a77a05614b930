//! What an implementation asks of type parameters.

use syn::visit::{self, Visit};
use syn::{Generics, Ident, Type, WherePredicate, parse_quote};

/// The generics with what the implementation needs: every type on the wire that depends on a parameter has a
/// schema.
pub(crate) fn with_bounds<'t>(
    generics: &Generics,
    types: impl Iterator<Item = &'t Type>,
) -> Generics {
    let mut bound = generics.clone();
    let parameters: Vec<&Ident> =
        generics.type_params().map(|parameter| &parameter.ident).collect();
    if parameters.is_empty() {
        return bound;
    }
    let clause = bound.make_where_clause();
    for of in types {
        let mut mentions = Mentions { parameters: &parameters, found: false };
        mentions.visit_type(of);
        if mentions.found {
            let predicate: WherePredicate = parse_quote!(#of: ::formwork_records::schema::Schema);
            clause.predicates.push(predicate);
        }
    }
    bound
}

struct Mentions<'p> {
    parameters: &'p [&'p Ident],
    found: bool,
}

impl Visit<'_> for Mentions<'_> {
    fn visit_ident(&mut self, name: &Ident) {
        self.found |= self.parameters.contains(&name);
        visit::visit_ident(self, name);
    }
}
