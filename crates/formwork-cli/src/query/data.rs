//! The data that filters run with.

use std::marker::PhantomData;

use formwork_variant::{Dialect, Real};
use jaq_core::data::HasLut;
use jaq_core::{DataT, Lut};
use jaq_std::input::{HasInputs, Inputs};

use super::value::Value;

/// The data that filters run with.
pub(super) struct Kind<R>(PhantomData<R>);

impl<R: Real> DataT for Kind<R> {
    type V<'a> = Value<R>;
    type Data<'a> = Known<'a, R>;
}

/// The data of a filter that runs.
pub(super) struct Known<'a, R: Real> {
    pub(super) lut: &'a Lut<Kind<R>>,
    pub(super) inputs: Inputs<'a, Value<R>>,
    /// The dialect of the file; nothing of a document of Terrain Builder.
    pub(super) dialect: Option<Dialect>,
}

impl<R: Real> Clone for Known<'_, R> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<'a, R: Real> HasLut<'a, Kind<R>> for Known<'a, R> {
    fn lut(&self) -> &'a Lut<Kind<R>> {
        self.lut
    }
}

impl<'a, R: Real> HasInputs<'a, Value<R>> for Known<'a, R> {
    fn inputs(&self) -> Inputs<'a, Value<R>> {
        self.inputs
    }
}
