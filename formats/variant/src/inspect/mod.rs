//! What every byte of a packet is, from the declarations alone.
//!
//! The [`Inspector`] walks the [schema](crate::schema) and the bytes together and hands out a
//! [`Span`] for each packet, record and field in wire order. It knows nothing of values: what it
//! shows is what is declared. So it is the base of `formwork dump`, and a second reader to hold the
//! [decoder](crate::codec) against.
//!
//! ```
//! use formwork_variant::Dialect;
//! use formwork_variant::inspect::Inspector;
//!
//! let bytes = [2, 0, 0, 0, 42, 0, 0, 0];
//! let spans: Vec<_> = Inspector::new(&bytes, Dialect::GODOT4).map(|span| span.unwrap()).collect();
//! let value = spans.last().unwrap();
//! assert_eq!((value.offset, value.value.to_string()), (4, "42".to_owned()));
//! ```

pub mod alb1;
mod known;
mod level;
mod lists;
mod packets;
mod render;
mod span;
mod value;
mod walker;
mod words;

use crate::error::Result;
pub use packets::Inspector;
pub use render::{Paint, Plain, Role, Tree};
pub use span::{Kind, Layout, Note, Span};
pub use value::{Summary, Value, unsigned};
use value::{name_of, number};
use walker::Walker;

/// The spans that hold the byte at `offset`, from the outside in, and the parts of the word if it is
/// in one.
pub(crate) fn around<'a>(
    spans: impl Iterator<Item = Result<Span<'a>>>,
    offset: u64,
) -> Vec<Span<'a>> {
    let mut chain: Vec<Span<'a>> = Vec::new();
    // Behind a fault there is a span of the rest.
    let mut spans = spans.filter_map(Result::ok);
    while let Some(span) = spans.next() {
        while chain.last().is_some_and(|last| last.depth >= span.depth) {
            chain.pop();
        }
        match span.kind {
            Kind::Open => chain.push(span),
            Kind::Leaf | Kind::Rest if span.covers(offset) => {
                chain.push(span);
                chain.extend(spans.take_while(|span| span.kind == Kind::Part));
                return chain;
            }
            _ => {}
        }
    }
    Vec::new()
}
