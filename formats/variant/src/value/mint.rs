//! The math types as mint has them, and back. No bit of a number changes.
//!
//! Matrices are mint's column matrices, which mint itself turns into row matrices. A Transform2D or
//! Transform3D is one without the last row. mint has no colours, rectangles, boxes or planes.

use mint::{ColumnMatrix2x3, ColumnMatrix3, ColumnMatrix3x4, ColumnMatrix4, IntoMint};

use super::{
    Basis, Projection, Quaternion, Real, Transform2D, Transform3D, Vector2, Vector2i, Vector3,
    Vector3i, Vector4, Vector4i,
};

/// Declares the pairs of equivalent types, and the methods that convert the components in mint's order. Further
/// equivalent types follow `and`.
macro_rules! same {
    ($( $ours:ident $(<$real:ident>)?, $to:ident $from:ident = $theirs:ty $(, and $also:ty)*; )+) => {
        $(
            impl$(<$real: Real>)? IntoMint for $ours$(<$real>)? {
                type MintType = $theirs;
            }

            same! { @each [$($real)?] $ours$(<$real>)?, $to $from = $theirs $(, $also)* }
        )+
    };
    (@each [$($real:ident)?] $ours:ty, $to:ident $from:ident = $theirs:ty $(, $also:ty)*) => {
        impl$(<$real: Real>)? From<$ours> for $theirs {
            fn from(value: $ours) -> Self {
                value.$to().into()
            }
        }

        impl$(<$real: Real>)? From<$theirs> for $ours {
            fn from(value: $theirs) -> Self {
                Self::$from(value.into())
            }
        }

        same! { @rest [$($real)?] $ours, $to $from = $($also),* }
    };
    (@rest $real:tt $ours:ty, $to:ident $from:ident =) => {};
    (@rest $real:tt $ours:ty, $to:ident $from:ident = $($theirs:ty),+) => {
        same! { @each $real $ours, $to $from = $($theirs),+ }
    };
}

same! {
    Vector2<T>, to_array from_array = mint::Vector2<T>, and mint::Point2<T>;
    Vector2i, to_array from_array = mint::Vector2<i32>, and mint::Point2<i32>;
    Vector3<T>, to_array from_array = mint::Vector3<T>, and mint::Point3<T>;
    Vector3i, to_array from_array = mint::Vector3<i32>, and mint::Point3<i32>;
    Vector4<T>, to_array from_array = mint::Vector4<T>;
    Vector4i, to_array from_array = mint::Vector4<i32>;
    Quaternion<T>, to_array from_array = mint::Quaternion<T>;
    Basis<T>, to_columns from_columns = ColumnMatrix3<T>;
    Transform2D<T>, to_array from_array = ColumnMatrix2x3<T>;
    Transform3D<T>, to_columns from_columns = ColumnMatrix3x4<T>;
    Projection<T>, to_array from_array = ColumnMatrix4<T>;
}

#[cfg(test)]
mod tests {
    use super::super::rotated::*;
    use super::*;

    fn assert_near(seen: [f32; 3], expected: Vector3<f32>) {
        let near = seen.iter().zip(expected.to_array()).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(near, "{seen:?} is not {expected:?}");
    }

    /// Columns times the numbers of a vector.
    fn sum(columns: &[(mint::Vector3<f32>, f32)]) -> [f32; 3] {
        let part = |number: fn(&mint::Vector3<f32>) -> f32| {
            columns.iter().map(|(column, times)| number(column) * times).sum()
        };
        [part(|column| column.x), part(|column| column.y), part(|column| column.z)]
    }

    #[test]
    fn a_rotation_of_the_engine_leads_to_the_same_place() {
        let v = mint::Vector3::from(VECTOR3);
        let m = ColumnMatrix3::from(basis());
        assert_near(sum(&[(m.x, v.x), (m.y, v.y), (m.z, v.z)]), basis_of_vector());
        let m = ColumnMatrix3x4::from(transform_3d());
        let place = sum(&[(m.x, v.x), (m.y, v.y), (m.z, v.z), (m.w, 1.0)]);
        assert_near(place, transform_of_vector());
        let (m, v) = (ColumnMatrix2x3::from(transform_2d()), mint::Point2::from(VECTOR2));
        let place = [m.x.x * v.x + m.y.x * v.y + m.z.x, m.x.y * v.x + m.y.y * v.y + m.z.y, 0.0];
        assert_near(place, transform_2d_of_vector());
    }

    #[test]
    fn a_quaternion_has_its_real_part_there() {
        let there = mint::Quaternion::from(quaternion());
        assert_eq!(there.s, quaternion().w);
        assert_eq!([there.v.x, there.v.y, there.v.z, there.s], quaternion().to_array());
        assert_eq!(Quaternion::from(there), quaternion());

        // v + 2 (s t + q x t), where t = q x v.
        let (q, v) = (there.v, mint::Vector3::from(VECTOR3));
        let t = cross(q, v);
        let u = cross(q, t);
        let turned = [
            v.x + 2.0 * (there.s * t.x + u.x),
            v.y + 2.0 * (there.s * t.y + u.y),
            v.z + 2.0 * (there.s * t.z + u.z),
        ];
        assert_near(turned, quaternion_of_vector());
    }

    fn cross(a: mint::Vector3<f32>, b: mint::Vector3<f32>) -> mint::Vector3<f32> {
        [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x].into()
    }

    #[test]
    fn there_and_back_nothing_changes() {
        macro_rules! same {
            ($( $ours:ident = $theirs:ty; )+) => { $( {
                let value = $ours::from_array(std::array::from_fn(|at| at as f64 + 0.1));
                assert_eq!($ours::from(<$theirs>::from(value)), value);
            } )+ };
        }
        same! {
            Vector2 = mint::Vector2<f64>;
            Vector2 = mint::Point2<f64>;
            Vector3 = mint::Vector3<f64>;
            Vector3 = mint::Point3<f64>;
            Vector4 = mint::Vector4<f64>;
            Quaternion = mint::Quaternion<f64>;
            Basis = ColumnMatrix3<f64>;
            Transform2D = ColumnMatrix2x3<f64>;
            Transform3D = ColumnMatrix3x4<f64>;
            Projection = ColumnMatrix4<f64>;
        }
        let whole = Vector4i::new(i32::MIN, -1, 0, i32::MAX);
        assert_eq!(Vector4i::from(mint::Vector4::from(whole)), whole);
        let whole = Vector3i::new(i32::MIN, -1, i32::MAX);
        assert_eq!(Vector3i::from(mint::Point3::from(whole)), whole);
        assert_eq!(Vector2i::from(mint::Vector2 { x: 4, y: 5 }), Vector2i::new(4, 5));
    }
}
