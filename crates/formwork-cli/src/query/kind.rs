//! The data that filters run with.

use jaq_core::data::HasLut;
use jaq_core::{DataT, Lut};
use jaq_std::input::{HasInputs, Inputs};

use super::value::Value;

/// The kind of data that filters run with.
pub(super) struct Kind;

/// The data of a filter that runs.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) lut: &'a Lut<Kind>,
    pub(super) inputs: Inputs<'a, Value>,
}

impl DataT for Kind {
    type V<'a> = Value;
    type Data<'a> = Known<'a>;
}

impl<'a> HasLut<'a, Kind> for Known<'a> {
    fn lut(&self) -> &'a Lut<Kind> {
        self.lut
    }
}

impl<'a> HasInputs<'a, Value> for Known<'a> {
    fn inputs(&self) -> Inputs<'a, Value> {
        self.inputs
    }
}
