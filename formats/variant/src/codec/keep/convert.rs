//! Single values: the types that Godot 4 converts to another type (`Variant::can_convert_strict`), and the results.

use super::{color, list};
use crate::value::{whole32, whole64};
use crate::{
    Basis, NodePath, Projection, Quaternion, Real, Rect2, Rect2i, Transform2D, Transform3D,
    Variant, VariantType, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};

/// Converts a value to another type, if Godot 4 does so strictly.
pub(super) fn convert<R: Real>(value: Variant<R>, wanted: VariantType) -> Option<Variant<R>> {
    let real = |number: i32| R::from_f64(f64::from(number));
    let whole = |number: R| whole32(number.to_f64());
    Some(match (wanted, value) {
        (wanted, value) if value.variant_type() == wanted => value,
        (VariantType::Bool, Variant::Int(number)) => Variant::Bool(number != 0),
        (VariantType::Bool, Variant::Float(number)) => Variant::Bool(number != 0.0),
        (VariantType::Int, Variant::Bool(value)) => Variant::Int(value.into()),
        (VariantType::Int, Variant::Float(number)) => Variant::Int(whole64(number)),
        (VariantType::Float, Variant::Bool(value)) => Variant::Float(f64::from(u8::from(value))),
        (VariantType::Float, Variant::Int(number)) => Variant::Float(number as f64),
        (VariantType::String, Variant::StringName(text)) => Variant::String(text),
        (VariantType::String, Variant::NodePath(path)) => Variant::String(path.to_text()),
        (VariantType::StringName, Variant::String(text)) => Variant::StringName(text),
        (VariantType::NodePath, Variant::String(text)) => NodePath::parse(&text).into(),
        (VariantType::Vector2, Variant::Vector2i(v)) => Vector2::new(real(v.x), real(v.y)).into(),
        (VariantType::Vector2i, Variant::Vector2(v)) => {
            Vector2i::new(whole(v.x), whole(v.y)).into()
        }
        (VariantType::Rect2, Variant::Rect2i(rect)) => {
            Rect2::from_array(rect.to_array().map(real)).into()
        }
        (VariantType::Rect2i, Variant::Rect2(rect)) => {
            Rect2i::from_array(rect.to_array().map(whole)).into()
        }
        (VariantType::Vector3, Variant::Vector3i(v)) => {
            Vector3::from_array(v.to_array().map(real)).into()
        }
        (VariantType::Vector3i, Variant::Vector3(v)) => {
            Vector3i::from_array(v.to_array().map(whole)).into()
        }
        (VariantType::Vector4, Variant::Vector4i(v)) => {
            Vector4::from_array(v.to_array().map(real)).into()
        }
        (VariantType::Vector4i, Variant::Vector4(v)) => {
            Vector4i::from_array(v.to_array().map(whole)).into()
        }
        (VariantType::Color, Variant::Int(number)) => color::of_number(number).into(),
        (VariantType::Color, Variant::String(text)) => color::of_text(&text).into(),
        (VariantType::Quaternion, Variant::Basis(basis)) => quaternion(*basis).into(),
        (VariantType::Basis, Variant::Quaternion(rotation)) => basis(rotation).into(),
        (VariantType::Transform3D, Variant::Basis(basis)) => placed(*basis).into(),
        (VariantType::Transform3D, Variant::Quaternion(rotation)) => placed(basis(rotation)).into(),
        (VariantType::Transform3D, Variant::Transform2D(flat)) => raised(flat).into(),
        (VariantType::Transform3D, Variant::Projection(matrix)) => affine(&matrix).into(),
        (VariantType::Transform2D, Variant::Transform3D(transform)) => flat(&transform).into(),
        (VariantType::Projection, Variant::Transform3D(transform)) => matrix(&transform).into(),
        (VariantType::Array, value) => return list::unpacked(&value),
        (wanted, Variant::Array(array)) => return list::packed(&array, wanted),
        _ => return None,
    })
}

/// A basis of a rotation, calculated as the engine does, in its order and precision.
fn basis<R: Real>(rotation: Quaternion<R>) -> Basis<R> {
    let r = rounded::<R>;
    let [x, y, z, w] = rotation.to_array().map(Real::to_f64);
    let length = r(r(r(r(x * x) + r(y * y)) + r(z * z)) + r(w * w));
    let s = r(2.0 / length);
    let (xs, ys, zs) = (r(x * s), r(y * s), r(z * s));
    let (wx, wy, wz) = (r(w * xs), r(w * ys), r(w * zs));
    let (xx, xy, xz) = (r(x * xs), r(x * ys), r(x * zs));
    let (yy, yz, zz) = (r(y * ys), r(y * zs), r(z * zs));
    Basis::from_array(
        [
            1.0 - r(yy + zz),
            xy - wz,
            xz + wy,
            xy + wz,
            1.0 - r(xx + zz),
            yz - wx,
            xz - wy,
            yz + wx,
            1.0 - r(xx + yy),
        ]
        .map(R::from_f64),
    )
}

/// Returns the rotation of a basis, calculated as in the engine; no rotation if the basis is not one.
fn quaternion<R: Real>(basis: Basis<R>) -> Quaternion<R> {
    let r = rounded::<R>;
    let [a, b, c, d, e, f, g, h, i] = basis.to_array().map(Real::to_f64);
    let rows = [[a, b, c], [d, e, f], [g, h, i]];
    let mut made = [0.0, 0.0, 0.0, 1.0];
    if !is_rotation::<R>(&rows) {
        return Quaternion::from_array(made.map(R::from_f64));
    }
    let trace = r(r(a + e) + i);
    if trace > 0.0 {
        let root = r(r(trace + 1.0).sqrt());
        let s = r(0.5 / root);
        made = [r(h - f) * s, r(c - g) * s, r(d - b) * s, root * 0.5];
    } else {
        let largest = match (a < e, e < i, a < i) {
            (true, true, _) | (false, _, true) => 2,
            (true, false, _) => 1,
            (false, _, false) => 0,
        };
        let (next, last) = ((largest + 1) % 3, (largest + 2) % 3);
        let of = |row: usize, column: usize| rows[row][column];
        let root = r(r(r(r(of(largest, largest) - of(next, next)) - of(last, last)) + 1.0).sqrt());
        let s = r(0.5 / root);
        made[largest] = root * 0.5;
        made[3] = r(of(last, next) - of(next, last)) * s;
        made[next] = r(of(next, largest) + of(largest, next)) * s;
        made[last] = r(of(last, largest) + of(largest, last)) * s;
    }
    Quaternion::from_array(made.map(R::from_f64))
}

/// Returns whether the engine takes these rows for a rotation, which may be enlarged a very little.
fn is_rotation<R: Real>(rows: &[[f64; 3]; 3]) -> bool {
    const EPSILON: f64 = 0.000_01;
    let r = rounded::<R>;
    let near = |a: f64, b: f64| (a - b).abs() < EPSILON * a.abs().max(1.0);
    let column = |at: usize| [rows[0][at], rows[1][at], rows[2][at]];
    let dot = |a: [f64; 3], b: [f64; 3]| r(r(r(a[0] * b[0]) + r(a[1] * b[1])) + r(a[2] * b[2]));
    let (x, y, z) = (column(0), column(1), column(2));
    let length = dot(x, x);
    let conformal = near(length, dot(y, y))
        && near(length, dot(z, z))
        && [dot(x, y), dot(x, z), dot(y, z)].into_iter().all(|dot| dot.abs() < EPSILON);
    let minor = |row: usize, other: usize| {
        r(r(rows[row][1] * rows[other][2]) - r(rows[other][1] * rows[row][2]))
    };
    let determinant =
        r(r(r(rows[0][0] * minor(1, 2)) - r(rows[1][0] * minor(0, 2)))
            + r(rows[2][0] * minor(0, 1)));
    conformal && (determinant - 1.0).abs() < 0.001
}

/// Rounds a number to the engine's precision. Rounding each step gives the result of calculating in that precision.
fn rounded<R: Real>(number: f64) -> f64 {
    R::from_f64(number).to_f64()
}

/// A basis at the origin.
fn placed<R: Real>(basis: Basis<R>) -> Transform3D<R> {
    let [a, b, c, d, e, f, g, h, i] = basis.to_array();
    let zero = R::default();
    Transform3D::from_array([a, b, c, d, e, f, g, h, i, zero, zero, zero])
}

/// A 2D transform in the plane z = 0.
fn raised<R: Real>(flat: Transform2D<R>) -> Transform3D<R> {
    let [x_x, x_y, y_x, y_y, o_x, o_y] = flat.to_array();
    let (zero, one) = (R::default(), R::from_f64(1.0));
    Transform3D::from_array([x_x, y_x, zero, x_y, y_y, zero, zero, zero, one, o_x, o_y, zero])
}

/// Returns the effect of a 3D transform on the plane z = 0.
fn flat<R: Real>(t: &Transform3D<R>) -> Transform2D<R> {
    Transform2D::new(t.x_x, t.x_y, t.y_x, t.y_y, t.origin_x, t.origin_y)
}

/// A projection without its last row.
fn affine<R: Real>(m: &Projection<R>) -> Transform3D<R> {
    Transform3D::from_array([
        m.x_x, m.y_x, m.z_x, m.x_y, m.y_y, m.z_y, m.x_z, m.y_z, m.z_z, m.w_x, m.w_y, m.w_z,
    ])
}

/// A transform as a projection.
fn matrix<R: Real>(t: &Transform3D<R>) -> Projection<R> {
    let (zero, one) = (R::default(), R::from_f64(1.0));
    Projection::from_array([
        t.x_x, t.x_y, t.x_z, zero, t.y_x, t.y_y, t.y_z, zero, t.z_x, t.z_y, t.z_z, zero,
        t.origin_x, t.origin_y, t.origin_z, one,
    ])
}
