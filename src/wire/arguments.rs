//! The arguments of lists without a count.

use std::marker::PhantomData;

use binrw::NamedArgs;

/// `args { inner: (..) }`: the arguments that a list passes to its elements.
///
/// (By hand: binrw's derive does not take a struct whose only field is optional.)
#[derive(Clone, Debug, Default)]
pub struct Inner<I> {
    /// Handed to each element.
    pub inner: I,
}

/// Makes [`Inner`] for `args { .. }`.
#[derive(Debug)]
pub struct InnerBuilder<I, State>(State, PhantomData<I>);

impl<I> NamedArgs for Inner<I> {
    type Builder = InnerBuilder<I, ()>;

    fn builder() -> Self::Builder {
        InnerBuilder((), PhantomData)
    }
}

impl<I> InnerBuilder<I, ()> {
    /// Sets the arguments of each element.
    #[must_use]
    pub fn inner(self, inner: I) -> InnerBuilder<I, (I,)> {
        InnerBuilder((inner,), PhantomData)
    }
}

impl<I> InnerBuilder<I, (I,)> {
    /// Returns the arguments.
    #[must_use]
    pub fn finalize(self) -> Inner<I> {
        Inner { inner: self.0.0 }
    }
}
