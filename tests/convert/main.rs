//! Values of every dialect converted to every other.

#[path = "../golden/cases.rs"]
#[allow(dead_code, reason = "shared with the tests of the codec, which need more of it")]
mod cases;
#[cfg(feature = "arbitrary")]
mod generated;
mod golden;
mod losses;
mod same;
mod table;
