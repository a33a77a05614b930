//! `Arbitrary` for the types of fields: padding, blocks, lists.

use std::borrow::Cow;

use arbitrary::{Arbitrary, Result, Unstructured};

use super::{Config, number};
use crate::schema::Schema;
use crate::wire::{Block, Each, Element, Padding};

/// Makes the padding after some bytes.
impl<'a> Arbitrary<'a> for Padding {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self::after(u.int_in_range(0..=3)?))
    }
}

impl<'a, T> Arbitrary<'a> for Block<'static, T>
where
    T: Element,
    T::Number: Schema,
{
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let config = Config::default();
        let count = match u.int_in_range(0..=3_u8)? {
            0 => u.int_in_range(0..=config.max_count)?,
            _ => u.int_in_range(0..=4)?,
        };
        let elements = (0..count).map(|_| number::element(u, &config)).collect::<Result<_>>()?;
        Ok(Self(Cow::Owned(elements)))
    }
}

impl<'a, T: Arbitrary<'a>> Arbitrary<'a> for Each<T> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let count = u.int_in_range(0..=4)?;
        (0..count).map(|_| u.arbitrary()).collect::<Result<_>>().map(Self)
    }
}
