//! The vectors that Godot 3.2.3 computes when it rotates one, for the tests of the math crates' types.
//!
//! Packets of `var2bytes`: `Basis(Vector3(1, 2, 3).normalized(), 0.7)`, the same scaled by (1, 2, 3)
//! with the origin (4, 5, 6), the Quat of the same axis and angle, and
//! `Transform2D(0.7, Vector2(4, 5)).scaled(Vector2(2, 3))`; each with `xform` of the vector.

use super::{Basis, Quaternion, Transform2D, Transform3D, Variant, Vector2, Vector3};
use crate::{Dialect, from_slice};

pub(super) const VECTOR3: Vector3<f32> = Vector3::new(1.0, -2.0, 0.5);
pub(super) const VECTOR2: Vector2<f32> = Vector2::new(1.0, -2.0);

fn value<T: TryFrom<Variant>>(hex: &str) -> T {
    let bytes: Vec<u8> = (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal"))
        .collect();
    let value = from_slice(&bytes, Dialect::GODOT3).expect("an engine wrote it");
    T::try_from(value).ok().expect("it is of this type")
}

pub(super) fn basis() -> Basis<f32> {
    value("0c0000008219483f8242f7be551bca3e7bd40c3feeff543f3c3692bda58196beeec08b3ef77f6a3f")
}

pub(super) fn basis_of_vector() -> Vector3<f32> {
    value("070000006df1f83f622793bf8983c3be")
}

pub(super) fn transform_3d() -> Transform3D<f32> {
    value(
        "0d0000008219483f8242f7be551bca3e7bd48c3feeffd43f3c3612be78c261bf65a1513ff9df2f40\
         000080400000a0400000c040",
    )
}

pub(super) fn transform_of_vector() -> Vector3<f32> {
    value("070000005b3cbe409ed82c4056579b40")
}

pub(super) fn quaternion() -> Quaternion<f32> {
    value("0a0000007bafbb3d7baf3b3e9cc38c3ebb7a703f")
}

pub(super) fn quaternion_of_vector() -> Vector3<f32> {
    value("070000006cf1f83f612793bf8e83c3be")
}

pub(super) fn transform_2d() -> Transform2D<f32> {
    value("08000000b3ccc33f2c61f73f73eba4bf86d912400000004100007041")
}

/// With 0 as the third number.
pub(super) fn transform_2d_of_vector() -> Vector3<f32> {
    let place: Vector2<f32> = value("0500000073b44141627f4541");
    Vector3::new(place.x, place.y, 0.0)
}
