//! The elements of a field, and how often they are there.

use std::fmt;

use super::{Expression, Field, Integer, Layout, Operator, Schema};
use formwork::schema::Arguments;

/// How often the elements of a field are in the file. The counts and conditions are expressions over earlier fields of
/// the same record.
#[derive(Clone, Copy, Debug)]
pub enum Repetition {
    /// Once.
    Once,
    /// As many times as the expression.
    Times(Expression),
    /// Once, or not at all at the very end of the input.
    OnceOrEnd,
    /// Once if the expression is true.
    If(Expression),
    /// As padding after this number of bytes.
    After(Expression),
    /// As padding after this number of bytes, which may be missing at the very end of the input.
    AfterOrEnd(Expression),
    /// As often as they fit into this number of bytes.
    Fill(Expression),
    /// As often as they fit into the rest of the input.
    ToEnd,
}

impl Repetition {
    /// Returns the count or condition, if there is one.
    #[must_use]
    pub const fn expression(&self) -> Option<&Expression> {
        match self {
            Self::Once | Self::OnceOrEnd | Self::ToEnd => None,
            Self::Times(expression)
            | Self::If(expression)
            | Self::After(expression)
            | Self::AfterOrEnd(expression)
            | Self::Fill(expression) => Some(expression),
        }
    }
}

/// Writes the repetition as pages have it: `length times`, `if flags.property`.
impl fmt::Display for Repetition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Once => f.write_str("once"),
            Self::OnceOrEnd => f.write_str("once; may be missing at the end"),
            Self::Times(count) => write!(f, "{count} times"),
            Self::If(condition) => write!(f, "if {condition}"),
            Self::After(length) => write!(f, "after {length} bytes"),
            Self::AfterOrEnd(length) => {
                write!(f, "after {length} bytes; may be missing at the end")
            }
            Self::Fill(length) => write!(f, "as many as fill {length} bytes"),
            Self::ToEnd => f.write_str("to the end"),
        }
    }
}

/// The elements of a field, without the lists, regions, options and deferred places around them.
pub trait Occurs {
    /// Returns the layout of the field's elements; that of a byte for a magic.
    fn element(&self) -> Layout;

    /// Returns how often the elements are there.
    fn occurs(&self) -> Repetition;
}

impl Occurs for Field {
    fn element(&self) -> Layout {
        Elements::of(self).layout
    }

    fn occurs(&self) -> Repetition {
        Elements::of(self).occurs
    }
}

struct Elements {
    layout: Layout,
    occurs: Repetition,
}

impl Elements {
    fn of(field: &Field) -> Self {
        let occurs = field.when.map_or(Repetition::Once, Repetition::If);
        let mut elements = Self { layout: (field.layout)(), occurs };
        if let Some(magic) = field.magic {
            let count = Expression::Number(magic.bytes.len() as i128);
            return Self { layout: u8::LAYOUT, occurs: Repetition::Times(count) };
        }
        let (mut arguments, mut region, mut may_be_missing) = (field.arguments, None, false);
        loop {
            match elements.layout {
                Layout::Same(of) | Layout::Deferred(of) => elements.layout = of(),
                Layout::OrEnd(of) => {
                    may_be_missing = true;
                    elements.layout = of();
                }
                Layout::Within(of) => {
                    region = argument(arguments, "bytes").and_then(expression);
                    arguments = argument(arguments, "inner").unwrap_or(Arguments::None);
                    elements.layout = of();
                }
                Layout::List(of) => {
                    let count = argument(arguments, "count").and_then(expression);
                    elements.occurs = count.map_or(elements.occurs, Repetition::Times);
                    elements.layout = of();
                    return elements;
                }
                Layout::Array(count, of) => {
                    elements.occurs = Repetition::Times(Expression::Number(count.into()));
                    elements.layout = of();
                    return elements;
                }
                Layout::ToEnd(of) => {
                    elements.occurs = region.map_or(Repetition::ToEnd, Repetition::Fill);
                    elements.layout = of();
                    return elements;
                }
                Layout::Padding(_) => {
                    let after = argument(arguments, "").and_then(expression);
                    let after = after.unwrap_or(Expression::Number(0));
                    elements.occurs = match may_be_missing {
                        true => Repetition::AfterOrEnd(after),
                        false => Repetition::After(after),
                    };
                    return elements;
                }
                _ => {
                    if may_be_missing && matches!(elements.occurs, Repetition::Once) {
                        elements.occurs = Repetition::OnceOrEnd;
                    }
                    return elements;
                }
            }
        }
    }
}

/// Returns the argument with this name; the first in order has the name `""`.
fn argument(arguments: Arguments, name: &str) -> Option<Arguments> {
    match arguments {
        Arguments::Many(all) => all.iter().find(|it| it.0 == name).map(|it| it.1),
        _ => None,
    }
}

/// Returns a count or size. One that is negative counts nothing, so `count.max(0)` is `count`.
fn expression(argument: Arguments) -> Option<Expression> {
    let Arguments::One(mut expression) = argument else { return None };
    loop {
        expression = match expression {
            Expression::Untyped(inner)
            | Expression::Cast(inner, Integer { bits: 64, .. })
            | Expression::Binary(inner, Operator::Max, Expression::Number(0)) => *inner,
            expression => return Some(expression),
        }
    }
}
