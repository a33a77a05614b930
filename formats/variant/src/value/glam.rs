//! The math types as glam has them, and back. No bit of a number changes.
//!
//! A Basis and a Transform3D, row by row on the wire, are column by column there. A Color is a `Vec4`
//! of red, green, blue and opacity. What has no counterpart (Rect2, Aabb, Plane) is left to its fields.

use glam::{
    Affine2, Affine3, Affine3A, DAffine2, DAffine3, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4,
    IVec2, IVec3, IVec4, Mat3, Mat3A, Mat4, Quat, Vec2, Vec3, Vec3A, Vec4,
};

use super::{
    Basis, Color, Projection, Quaternion, Transform2D, Transform3D, Vector2, Vector2i, Vector3,
    Vector3i, Vector4, Vector4i,
};

/// Declares the pairs of equivalent types, and the order of their components.
macro_rules! same {
    ($( $ours:ty = $theirs:ident, $order:ident; )+) => {
        $( same! { @$order $ours = $theirs } )+
    };
    (@components $ours:ty = $theirs:ident) => {
        impl From<$ours> for $theirs {
            fn from(value: $ours) -> Self {
                Self::from_array(value.to_array())
            }
        }

        impl From<$theirs> for $ours {
            fn from(value: $theirs) -> Self {
                Self::from_array(value.to_array())
            }
        }
    };
    (@columns $ours:ty = $theirs:ident) => {
        impl From<$ours> for $theirs {
            fn from(value: $ours) -> Self {
                Self::from_cols_array(&value.to_array())
            }
        }

        impl From<$theirs> for $ours {
            fn from(value: $theirs) -> Self {
                Self::from_array(value.to_cols_array())
            }
        }
    };
    (@rows $ours:ty = $theirs:ident) => {
        impl From<$ours> for $theirs {
            fn from(value: $ours) -> Self {
                Self::from_cols_array(&value.to_columns())
            }
        }

        impl From<$theirs> for $ours {
            fn from(value: $theirs) -> Self {
                Self::from_columns(value.to_cols_array())
            }
        }
    };
}

same! {
    Vector2<f32> = Vec2, components;
    Vector2<f64> = DVec2, components;
    Vector2i = IVec2, components;
    Vector3<f32> = Vec3, components;
    Vector3<f32> = Vec3A, components;
    Vector3<f64> = DVec3, components;
    Vector3i = IVec3, components;
    Vector4<f32> = Vec4, components;
    Vector4<f64> = DVec4, components;
    Vector4i = IVec4, components;
    Color = Vec4, components;
    Quaternion<f32> = Quat, components;
    Quaternion<f64> = DQuat, components;
    Basis<f32> = Mat3, rows;
    Basis<f32> = Mat3A, rows;
    Basis<f64> = DMat3, rows;
    Transform2D<f32> = Affine2, columns;
    Transform2D<f64> = DAffine2, columns;
    Transform3D<f32> = Affine3, rows;
    Transform3D<f32> = Affine3A, rows;
    Transform3D<f64> = DAffine3, rows;
    Projection<f32> = Mat4, columns;
    Projection<f64> = DMat4, columns;
}

#[cfg(test)]
mod tests {
    use super::super::rotated::*;
    use super::*;

    #[test]
    fn a_rotation_of_the_engine_leads_to_the_same_place() {
        let v = Vec3::from(VECTOR3);
        assert_near(Mat3::from(basis()) * v, basis_of_vector());
        assert_near(Vec3::from(Mat3A::from(basis()) * Vec3A::from(v)), basis_of_vector());
        assert_near(DMat3::from(basis().cast()) * v.as_dvec3(), basis_of_vector().cast());
        assert_near(Affine3::from(transform_3d()).transform_point3(v), transform_of_vector());
        assert_near(Affine3A::from(transform_3d()).transform_point3(v), transform_of_vector());
        let wide = DAffine3::from(transform_3d().cast()).transform_point3(v.as_dvec3());
        assert_near(wide, transform_of_vector().cast());
        assert_near(Quat::from(quaternion()) * v, quaternion_of_vector());
        assert_near(DQuat::from(quaternion().cast()) * v.as_dvec3(), quaternion_of_vector().cast());
        let place = Affine2::from(transform_2d()).transform_point2(VECTOR2.into());
        assert_near(place.extend(0.0), transform_2d_of_vector());
    }

    /// Equal up to the last digits: glam adds in another order than the engine.
    fn assert_near<V: Into<DVec3>, W: Into<V>>(seen: V, expected: W) {
        let (seen, expected) = (seen.into(), expected.into().into());
        assert!((seen - expected).abs().max_element() < 1e-5, "{seen} is not {expected}");
    }

    #[test]
    fn a_projection_has_its_columns_there() {
        let numbers: [f32; 16] = std::array::from_fn(|at| at as f32);
        let projection = Projection::from_array(numbers);
        assert_eq!(Mat4::from(projection).y_axis, Vec4::new(4.0, 5.0, 6.0, 7.0));
        assert_eq!(projection.y_x, 4.0);
    }

    #[test]
    fn there_and_back_no_bit_changes() {
        macro_rules! same {
            ($( $ours:ident<$real:ident> = $theirs:ident; )+) => { $( {
                let odd = [<$real>::from_bits(1), -0.0, <$real>::INFINITY, 0.1];
                let value = $ours::from_array(std::array::from_fn(|at| {
                    odd.get(at).copied().unwrap_or(at as $real / 10.0)
                }));
                let (there, bits) = ($theirs::from(value), |number: $real| number.to_bits());
                assert_eq!($ours::from(there).to_array().map(bits), value.to_array().map(bits));
            } )+ };
        }
        same! {
            Vector2<f32> = Vec2;
            Vector2<f64> = DVec2;
            Vector3<f32> = Vec3;
            Vector3<f32> = Vec3A;
            Vector3<f64> = DVec3;
            Vector4<f32> = Vec4;
            Vector4<f64> = DVec4;
            Quaternion<f32> = Quat;
            Quaternion<f64> = DQuat;
            Basis<f32> = Mat3;
            Basis<f32> = Mat3A;
            Basis<f64> = DMat3;
            Transform2D<f32> = Affine2;
            Transform2D<f64> = DAffine2;
            Transform3D<f32> = Affine3;
            Transform3D<f32> = Affine3A;
            Transform3D<f64> = DAffine3;
            Projection<f32> = Mat4;
            Projection<f64> = DMat4;
        }
        let color = Color::new(0.1, 0.2, 0.3, 0.4);
        assert_eq!(Vec4::from(color), Vec4::new(0.1, 0.2, 0.3, 0.4));
        assert_eq!(Color::from(Vec4::from(color)), color);
        let whole = Vector4i::new(i32::MIN, -1, 0, i32::MAX);
        assert_eq!(Vector4i::from(IVec4::from(whole)), whole);
        assert_eq!(IVec3::from(Vector3i::new(1, -2, 3)), IVec3::new(1, -2, 3));
        assert_eq!(Vector2i::from(IVec2::new(4, 5)), Vector2i::new(4, 5));
    }
}
