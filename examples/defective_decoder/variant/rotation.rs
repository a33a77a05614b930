//! Rotations: quaternions and bases, calculated in single precision and in the order of the engine.

/// Converts a quaternion to a basis, row by row.
pub(crate) fn basis(quaternion: &[f32]) -> [f32; 9] {
    let [x, y, z, w] = [0, 1, 2, 3].map(|at| quaternion[at]);
    let s = 2.0 / (x * x + y * y + z * z + w * w);
    let (xs, ys, zs) = (x * s, y * s, z * s);
    let (wx, wy, wz) = (w * xs, w * ys, w * zs);
    let (xx, xy, xz) = (x * xs, x * ys, x * zs);
    let (yy, yz, zz) = (y * ys, y * zs, z * zs);
    [
        1.0 - (yy + zz),
        xy - wz,
        xz + wy,
        xy + wz,
        1.0 - (xx + zz),
        yz - wx,
        xz - wy,
        yz + wx,
        1.0 - (xx + yy),
    ]
}

/// Converts a basis to a quaternion. A basis that is not a rotation gives the identity.
pub(crate) fn quaternion(basis: &[f32]) -> [f32; 4] {
    let m = |row: usize, column: usize| basis[3 * row + column];
    let mut made = [0.0, 0.0, 0.0, 1.0];
    if !is_rotation(basis) {
        return made;
    }
    let trace = m(0, 0) + m(1, 1) + m(2, 2);
    if trace > 0.0 {
        let root = (trace + 1.0).sqrt();
        let s = 0.5 / root;
        return [
            (m(2, 1) - m(1, 2)) * s,
            (m(0, 2) - m(2, 0)) * s,
            (m(1, 0) - m(0, 1)) * s,
            root * 0.5,
        ];
    }
    let i = if m(0, 0) < m(1, 1) {
        if m(1, 1) < m(2, 2) { 2 } else { 1 }
    } else if m(0, 0) < m(2, 2) {
        2
    } else {
        0
    };
    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
    let root = (m(i, i) - m(j, j) - m(k, k) + 1.0).sqrt();
    let s = 0.5 / root;
    made[i] = root * 0.5;
    made[3] = (m(k, j) - m(j, k)) * s;
    made[j] = (m(j, i) + m(i, j)) * s;
    made[k] = (m(k, i) + m(i, k)) * s;
    made
}

/// Returns whether the columns have the same length and are at right angles, and the determinant is 1.
fn is_rotation(basis: &[f32]) -> bool {
    const EPSILON: f32 = 0.000_01;
    let m = |row: usize, column: usize| basis[3 * row + column];
    let dot = |a: usize, b: usize| m(0, a) * m(0, b) + m(1, a) * m(1, b) + m(2, a) * m(2, b);
    let length = dot(0, 0);
    let is_as_long = |column| (length - dot(column, column)).abs() < EPSILON * length.max(1.0);
    let minor = |a: usize, b: usize| m(a, 1) * m(b, 2) - m(b, 1) * m(a, 2);
    let determinant = m(0, 0) * minor(1, 2) - m(1, 0) * minor(0, 2) + m(2, 0) * minor(0, 1);
    is_as_long(1)
        && is_as_long(2)
        && [dot(0, 1), dot(0, 2), dot(1, 2)].iter().all(|dot| dot.abs() < EPSILON)
        && (determinant - 1.0).abs() < 0.001
}
