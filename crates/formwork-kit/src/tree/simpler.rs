//! Numbers that are closer to zero.

use formwork_records::schema::{Integer, Layout};

use super::link::ones;

/// Numbers that are simpler than one that is not zero, the simplest first.
pub(super) fn closer_to_zero(shape: Layout, raw: u64) -> Vec<u64> {
    let candidates = match shape {
        Layout::Integer { number: Integer { bits, signed }, .. } => {
            let width = u32::from(bits);
            let spare = 64 - width;
            let value = match signed {
                true => i128::from((raw << spare) as i64 >> spare),
                false => i128::from(raw),
            };
            let step = value.signum();
            let all = [0, -value, value / 2, value - step];
            let simpler = |&other: &i128| {
                (other.abs(), other < 0) < (value.abs(), value < 0) && (other >= 0 || signed)
            };
            let bits = |other: i128| other as u64 & ones(width);
            all.into_iter().filter(simpler).map(bits).collect::<Vec<_>>()
        }
        Layout::Float(4) => {
            let value = f64::from(f32::from_bits(raw as u32));
            simpler_floats(value).map(|other| u64::from((other as f32).to_bits())).collect()
        }
        Layout::Float(_) => simpler_floats(f64::from_bits(raw)).map(f64::to_bits).collect(),
        _ => Vec::new(),
    };
    let mut made = Vec::with_capacity(candidates.len());
    for bits in candidates {
        if bits != raw && !made.contains(&bits) {
            made.push(bits);
        }
    }
    made
}

fn simpler_floats(value: f64) -> impl Iterator<Item = f64> {
    let whole = value.trunc();
    let simpler = move |other: &f64| {
        !value.is_finite()
            || other.abs() < value.abs()
            || other.abs() == value.abs() && other.is_sign_positive() && value.is_sign_negative()
    };
    // Half a number that is not whole never comes to an end.
    let half = if value == whole { (value / 2.0).trunc() } else { whole };
    [0.0, value.abs(), whole, half].into_iter().filter(|other| other.is_finite()).filter(simpler)
}
