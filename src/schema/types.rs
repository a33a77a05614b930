//! The layouts of numbers and of types that hold one other type.

use super::{Integer, Layout, Schema, Shape};

macro_rules! integers {
    ($( $ty:ident $bits:literal $signed:literal; )+) => { $(
        impl Schema for $ty {
            const LAYOUT: Layout = Layout::Integer {
                number: Integer { bits: $bits, signed: $signed },
                names: &[],
                open: false,
            };
            const SIZE: Option<usize> = Some($bits / 8);
            const NUMBER: usize = $bits / 8;
            const NEEDS_ORDER: bool = $bits > 8;
            const IS_UNORDERED: bool = $bits > 8;
        }
    )+ };
}

integers! {
    u8 8 false; i8 8 true;
    u16 16 false; i16 16 true;
    u32 32 false; i32 32 true;
    u64 64 false; i64 64 true;
}

macro_rules! wide_integers {
    ($( $ty:ident $signed:literal; )+) => { $(
        impl Schema for $ty {
            const LAYOUT: Layout = Layout::Integer {
                number: Integer { bits: 128, signed: $signed },
                names: &[],
                open: false,
            };
            const SIZE: Option<usize> = Some(16);
            const NEEDS_ORDER: bool = true;
            const IS_UNORDERED: bool = true;
        }
    )+ };
}

wide_integers! {
    u128 false; i128 true;
}

impl Schema for f32 {
    const LAYOUT: Layout = Layout::Float(4);
    const SIZE: Option<usize> = Some(4);
    const NUMBER: usize = 4;
    const NEEDS_ORDER: bool = true;
    const IS_UNORDERED: bool = true;
}

impl Schema for f64 {
    const LAYOUT: Layout = Layout::Float(8);
    const SIZE: Option<usize> = Some(8);
    const NUMBER: usize = 8;
    const NEEDS_ORDER: bool = true;
    const IS_UNORDERED: bool = true;
}

impl<T: Schema> Schema for Option<T> {
    const LAYOUT: Layout = Layout::Same(T::layout);
    const SIZE: Option<usize> = None;
    const IS_DEEP: bool = T::IS_DEEP;
    const SHAPE: Shape = T::SHAPE;
    const PARAMETERS: usize = T::PARAMETERS;
    const NEEDS_ORDER: bool = T::NEEDS_ORDER;
    const IS_UNORDERED: bool = T::IS_UNORDERED;
}

impl<T: Schema> Schema for Box<T> {
    const LAYOUT: Layout = Layout::Same(T::layout);
    // `T` may be the record that holds the box.
    const SIZE: Option<usize> = None;
    const IS_DEEP: bool = true;
    const PARAMETERS: usize = T::PARAMETERS;
    const NEEDS_ORDER: bool = T::IS_UNORDERED;
    const IS_UNORDERED: bool = T::IS_UNORDERED;
}

impl<T: Schema, const N: usize> Schema for [T; N] {
    const LAYOUT: Layout = Layout::Array(N as u64, T::layout);
    const SIZE: Option<usize> = match T::SIZE {
        Some(size) => size.checked_mul(N),
        None => None,
    };
    const IS_DEEP: bool = T::IS_DEEP;
    const SHAPE: Shape = T::SHAPE.of_array(N);
    const PARAMETERS: usize = T::PARAMETERS;
    const NEEDS_ORDER: bool = T::NEEDS_ORDER;
    const IS_UNORDERED: bool = T::IS_UNORDERED;
}
