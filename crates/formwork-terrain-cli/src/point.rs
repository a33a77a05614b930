//! Numbers and points on the command line.

use std::str::FromStr;

/// Reads numbers separated by commas; returns [`None`] where one is not finite or no number.
pub(super) fn numbers(text: &str) -> Option<Vec<f64>> {
    let number = |number: &str| number.trim().parse().ok().filter(|it: &f64| it.is_finite());
    text.split(',').map(number).collect()
}

/// A point: X,Y.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point(pub(super) [f64; 2]);

impl FromStr for Point {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match numbers(text).as_deref() {
            Some(&[x, y]) => Ok(Self([x, y])),
            _ => Err("two finite numbers: X,Y"),
        }
    }
}

/// Reads a finite number.
pub(super) fn number(text: &str) -> Result<f64, &'static str> {
    match numbers(text).as_deref() {
        Some(&[number]) => Ok(number),
        _ => Err("a finite number"),
    }
}
