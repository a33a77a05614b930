//! The arguments of lists.

use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;

use binrw::{BinResult, NamedArgs};

/// The arguments that a list hands to its elements.
pub enum Handed<I> {
    /// The same to all: `args { inner: (..) }`.
    All(I),
    /// To each by its position: `args { each: (sizes[index],) }`.
    Each(Rc<dyn Fn(u64) -> BinResult<I>>),
}

impl<I: Clone> Handed<I> {
    /// Returns what the element at a position gets.
    #[inline]
    pub(crate) fn at(&self, index: u64) -> BinResult<I> {
        match self {
            Self::All(inner) => Ok(inner.clone()),
            Self::Each(each) => each(index),
        }
    }
}

impl<I: Clone> Clone for Handed<I> {
    fn clone(&self) -> Self {
        match self {
            Self::All(inner) => Self::All(inner.clone()),
            Self::Each(each) => Self::Each(Rc::clone(each)),
        }
    }
}

impl<I: Default> Default for Handed<I> {
    fn default() -> Self {
        Self::All(I::default())
    }
}

impl<I: fmt::Debug> fmt::Debug for Handed<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All(inner) => inner.fmt(f),
            Self::Each(_) => f.write_str("by position"),
        }
    }
}

/// `args { inner: (..) }`, `args { each: (..) }`: the arguments that a list without a count passes to its elements.
///
/// (By hand: binrw's derive does not take a struct whose only field is optional.)
#[derive(Clone, Debug, Default)]
pub struct Inner<I> {
    /// Handed to the elements.
    pub inner: Handed<I>,
}

/// The arguments of [`Each`](super::Each).
#[derive(Clone, Debug)]
pub struct ListArguments<I> {
    /// The number of elements.
    pub count: usize,
    /// Handed to the elements.
    pub inner: Handed<I>,
}

/// Makes [`Inner`] and [`ListArguments`] for `args { .. }`.
#[derive(Debug)]
pub struct InnerBuilder<I, Count, State>(Count, State, PhantomData<I>);

impl<I> NamedArgs for Inner<I> {
    type Builder = InnerBuilder<I, (), ()>;

    fn builder() -> Self::Builder {
        InnerBuilder((), (), PhantomData)
    }
}

/// The count is to come.
#[derive(Debug)]
pub struct NoCount;

impl<I> NamedArgs for ListArguments<I> {
    type Builder = InnerBuilder<I, NoCount, ()>;

    fn builder() -> Self::Builder {
        InnerBuilder(NoCount, (), PhantomData)
    }
}

impl<I, State> InnerBuilder<I, NoCount, State> {
    /// Sets the number of elements.
    #[must_use]
    pub fn count(self, count: usize) -> InnerBuilder<I, usize, State> {
        InnerBuilder(count, self.1, PhantomData)
    }
}

impl<I, Count> InnerBuilder<I, Count, ()> {
    /// Sets what all elements get.
    #[must_use]
    pub fn inner(self, inner: I) -> InnerBuilder<I, Count, Handed<I>> {
        InnerBuilder(self.0, Handed::All(inner), PhantomData)
    }

    /// Sets what each element gets by its position.
    #[must_use]
    pub fn each(
        self,
        each: impl Fn(u64) -> BinResult<I> + 'static,
    ) -> InnerBuilder<I, Count, Handed<I>> {
        InnerBuilder(self.0, Handed::Each(Rc::new(each)), PhantomData)
    }
}

impl<I> InnerBuilder<I, (), Handed<I>> {
    /// Returns the arguments.
    #[must_use]
    pub fn finalize(self) -> Inner<I> {
        Inner { inner: self.1 }
    }
}

impl<I> InnerBuilder<I, usize, Handed<I>> {
    /// Returns the arguments.
    #[must_use]
    pub fn finalize(self) -> ListArguments<I> {
        ListArguments { count: self.0, inner: self.1 }
    }
}

impl<I: Default> InnerBuilder<I, usize, ()> {
    /// Returns the arguments.
    #[must_use]
    pub fn finalize(self) -> ListArguments<I> {
        ListArguments { count: self.0, inner: Handed::default() }
    }
}
