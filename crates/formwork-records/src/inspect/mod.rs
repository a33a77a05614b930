//! Describes every byte, from the declarations alone: the walk along a schema, which each family of formats completes
//! by a [`Resolver`](walker::Resolver).

pub mod render;
pub mod rows;
pub mod span;
pub mod value;
pub mod walker;
pub mod words;

use formwork::Result;
pub use render::Tree;
pub use span::{Kind, Note, Span, SpanType};
pub use value::{Naming, Summary, Value, number};
pub use walker::Walker;

/// An inspector of a family.
pub trait Inspect<'a>: Iterator<Item = Result<Span<'a>>> + Clone {
    /// Leaves out the spans that are in more than `deepest` others.
    #[must_use]
    fn deepest(self, deepest: u32) -> Self;

    /// Returns the spans that hold the byte at `offset`, from the outside in, and the parts of the word if it is in
    /// one; empty if the input ends before it.
    fn at(self, offset: u64) -> Vec<Span<'a>>;
}

/// Returns the spans that hold the byte at `offset`, from the outside in, and the parts of the word if it is in one.
pub fn around<'a>(spans: impl Iterator<Item = Result<Span<'a>>>, offset: u64) -> Vec<Span<'a>> {
    let mut chain: Vec<Span<'a>> = Vec::new();
    // After a fault there is a span of the rest.
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
