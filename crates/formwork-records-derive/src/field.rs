//! Turns a field of a record into its constant in the schema.

use proc_macro2::{Delimiter, TokenStream};
use quote::{ToTokens, quote};
use syn::{Error, Expr, ExprClosure, ExprLit, Field, Lit, Pat, Result, Type};

use crate::attributes::{Directive, Said, Value, list, named};
use crate::doc::doc_of;
use crate::expression::Scope;

/// A field that stands on the wire.
pub(crate) struct Wire {
    /// The field's name.
    pub(crate) name: String,
    /// What stands there.
    pub(crate) of: Type,
    /// The `Field` of the schema.
    pub(crate) field: TokenStream,
    /// Its size, if that is always the same.
    pub(crate) size: TokenStream,
}

/// In which order the bytes of numbers stand.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(crate) enum Order {
    Little,
    Big,
}

impl Order {
    /// The order that directives state.
    pub(crate) fn of(directives: &[Directive]) -> Option<Self> {
        directives.iter().rev().find_map(|directive| match directive.name.to_string().as_str() {
            "little" => Some(Self::Little),
            "big" => Some(Self::Big),
            _ => None,
        })
    }
}

/// Refuses what binrw does by moving around in its input, and what depends on what only a run knows.
pub(crate) fn refuse_moves(directives: &[Directive]) -> Result<()> {
    for Directive { name, .. } in directives {
        let advice = match name.to_string().as_str() {
            "pad_before" | "pad_after" | "align_before" | "align_after" | "pad_size_to" => {
                "binrw skips these bytes by seeking; declare them as a field, such as `Padding`"
            }
            "seek_before" | "restore_position" | "offset" => {
                "a schema has its fields one behind the other; read what stands elsewhere by hand"
            }
            "is_little" | "is_big" => {
                "the order of the bytes is a constant in a schema: say `little` or `big`"
            }
            "map_stream" | "stream" => "the schema cannot look behind another stream",
            _ => continue,
        };
        return Err(Error::new(name.span(), format!("`{name}`: {advice}")));
    }
    Ok(())
}

/// Whether binrw takes the field from somewhere else than the wire.
pub(crate) fn is_made(directives: &[Directive]) -> bool {
    directives.iter().any(|directive| {
        matches!(directive.name.to_string().as_str(), "ignore" | "default" | "calc" | "try_calc")
    })
}

/// The bytes that a `magic` stands for, as a field.
pub(crate) fn magic(name: &str, magic: &Expr, order: Order) -> Result<Wire> {
    let mut bytes = magic;
    while let Expr::Reference(reference) = bytes {
        bytes = &reference.expr;
    }
    let Expr::Lit(ExprLit { lit, .. }) = bytes else {
        return Err(Error::new_spanned(magic, UNKNOWN_MAGIC));
    };
    let (of, occurs, fixed): (Type, TokenStream, TokenStream) = match lit {
        Lit::ByteStr(text) => {
            let count = text.value().len() as u64;
            let times = quote!(::formwork_records::schema::Repetition::Times(
                ::formwork_records::schema::Expression::Number(#count as i128)
            ));
            (syn::parse_quote!([u8; #count as usize]), times, quote!(#text))
        }
        Lit::Byte(byte) => (syn::parse_quote!(u8), once(), quote!(&[#byte])),
        Lit::Int(number) if !number.suffix().is_empty() => {
            let of: Type = syn::parse_str(number.suffix())?;
            let bytes = match order {
                Order::Little => quote!(const { &(#number).to_le_bytes() }),
                Order::Big => quote!(const { &(#number).to_be_bytes() }),
            };
            (of, once(), bytes)
        }
        _ => return Err(Error::new_spanned(magic, UNKNOWN_MAGIC)),
    };
    let shape = shape_of(&of, order);
    Ok(Wire {
        field: quote! {
            ::formwork_records::schema::Field {
                name: #name,
                doc: "What tells it from other things.\n",
                shape: #shape,
                occurs: #occurs,
                meaning: ::formwork_records::schema::Semantics::Magic(#fixed),
                inline: false,
                nested: false,
                checks: &[],
            }
        },
        size: quote!(<#of as ::formwork_records::schema::Schema>::SIZE),
        name: name.to_owned(),
        of,
    })
}

const UNKNOWN_MAGIC: &str =
    "the schema has to know these bytes: write `b\"..\"` or a number with its type";

fn once() -> TokenStream {
    quote!(::formwork_records::schema::Repetition::Once)
}

fn shape_of(of: &Type, order: Order) -> TokenStream {
    match order {
        Order::Little => quote!(::formwork_records::schema::derived::shape::<#of>),
        Order::Big => quote!(::formwork_records::schema::derived::big_endian::<#of>),
    }
}

/// A field that stands on the wire.
pub(crate) fn wire(
    field: &Field,
    name: &str,
    directives: &[Directive],
    order: Order,
    scope: &Scope,
) -> Result<Wire> {
    let said = Said::of(&field.attrs)?;
    let of = type_on_wire(field, directives, &said)?;
    let order = Order::of(directives).unwrap_or(order);
    let stated = stated(directives, &said, scope)?;
    let schema = quote!(::formwork_records::schema);
    let (occurs, size) = match stated {
        Some(occurs) => (occurs, quote!(::core::option::Option::None)),
        None => {
            let argument = match first_argument(directives)? {
                Some(argument) => {
                    let argument = scope.count(&argument)?;
                    quote!(::core::option::Option::Some(#argument))
                }
                None if needs_count(&of) => {
                    let message = "how many? There is no `count` here (does `#[derive(Schema)]` stand \
                                   below `#[binrw]`, which takes its attributes away?)";
                    return Err(Error::new_spanned(&of, message));
                }
                None => quote!(::core::option::Option::None),
            };
            let or_end = said.or_end;
            (
                quote!(const { #schema::derived::occurs::<#of>(#argument, #or_end) }),
                quote!(<#of as #schema::Schema>::SIZE),
            )
        }
    };
    let meaning = match (said.text, said.zero, &said.means) {
        (true, false, None) => quote!(#schema::derived::text::<#of>()),
        (false, true, None) => quote!(#schema::Semantics::Zero),
        (false, false, Some(meaning)) => quote!(#meaning),
        (false, false, None) => quote!(<#of as #schema::Schema>::MEANING),
        _ => {
            let message = "`text`, `zero` and `means` each say what it means: only one of them can";
            return Err(Error::new_spanned(field, message));
        }
    };
    // What is asserted may speak of the field itself.
    let mut own = scope.clone();
    own.later.retain(|later| later != name);
    own.earlier.push((name.to_owned(), of.clone()));
    let checks = checks(directives, &own)?;
    let (doc, inline, shape) = (doc_of(&field.attrs), said.inline, shape_of(&of, order));
    let field = quote! {
        #schema::Field {
            name: #name,
            doc: #doc,
            shape: #shape,
            occurs: #occurs,
            meaning: #meaning,
            inline: #inline,
            nested: #schema::derived::nested::<#of>(),
            checks: #checks,
        }
    };
    Ok(Wire { name: name.to_owned(), of, field, size })
}

/// How often the attributes say that it stands there.
fn stated(directives: &[Directive], said: &Said, scope: &Scope) -> Result<Option<TokenStream>> {
    let occurs = quote!(::formwork_records::schema::Repetition);
    let as_condition = |condition: &Expr| -> Result<Option<TokenStream>> {
        let condition = scope.constant(condition)?;
        Ok(Some(quote!(#occurs::If(const { #condition }))))
    };
    let as_count = |count: &Expr| -> Result<Option<TokenStream>> {
        let count = scope.count(count)?;
        Ok(Some(quote!(#occurs::Times(const { #count }))))
    };
    if said.to_end {
        return Ok(Some(quote!(#occurs::ToEnd)));
    }
    if let Some(bytes) = &said.bytes {
        let bytes = scope.count(bytes)?;
        return Ok(Some(quote!(#occurs::Fill(const { #bytes }))));
    }
    if let Some(condition) = &said.condition {
        return as_condition(condition);
    }
    if let Some(count) = &said.count {
        return as_count(count);
    }
    for Directive { name, value } in directives {
        match (name.to_string().as_str(), value) {
            ("if", Value::List(_, tokens)) => {
                if let Some(condition) = list(tokens)?.first() {
                    return as_condition(condition);
                }
            }
            ("count", Value::Is(count)) => return as_count(count),
            ("args", Value::List(Delimiter::Brace, tokens)) => {
                if let Some(count) = named(tokens, "count")? {
                    return as_count(&count);
                }
            }
            _ => {}
        }
    }
    Ok(None)
}

/// What is asserted, as a list of constants.
pub(crate) fn checks(directives: &[Directive], scope: &Scope) -> Result<TokenStream> {
    let mut all = Vec::new();
    for Directive { name, value } in directives {
        if name == "assert"
            && let Value::List(Delimiter::Parenthesis, tokens) = value
            && let Some(condition) = list(tokens)?.first()
        {
            all.push(scope.constant(condition)?);
        }
    }
    Ok(quote!(&[#(#all),*]))
}

/// What the reader of the field's type is given.
fn first_argument(directives: &[Directive]) -> Result<Option<Expr>> {
    for Directive { name, value } in directives {
        if name == "args"
            && let Value::List(Delimiter::Parenthesis, tokens) = value
        {
            return Ok(list(tokens)?.into_iter().next());
        }
    }
    Ok(None)
}

/// The type that stands on the wire.
fn type_on_wire(field: &Field, directives: &[Directive], said: &Said) -> Result<Type> {
    if let Some(wire) = &said.wire {
        return Ok(wire.clone());
    }
    for Directive { name, value } in directives {
        if !matches!(name.to_string().as_str(), "map" | "try_map" | "parse_with") {
            continue;
        }
        if let Value::Is(function) = value
            && let Expr::Closure(ExprClosure { inputs, .. }) = &**function
            && let Some(Pat::Type(input)) = inputs.first()
        {
            return Ok(Type::clone(&input.ty));
        }
        let message =
            format!("`{name}` hides what stands on the wire: say `#[schema(wire = TYPE)]`");
        return Err(Error::new(name.span(), message));
    }
    Ok(field.ty.clone())
}

/// Whether a type is a list by its name. (Of one with another name the compiler finds out.)
fn needs_count(of: &Type) -> bool {
    let Type::Path(path) = of else { return false };
    path.path.segments.last().is_some_and(|last| {
        matches!(last.ident.to_token_stream().to_string().as_str(), "Vec" | "Block" | "Each")
    })
}
