//! Formats that are declared outside the library, and the page that says how.

mod git_index;
mod kinds;
mod page;
#[allow(dead_code, unreachable_pub, reason = "the example is a program")]
#[path = "../../../examples/own_format.rs"]
mod pak;
mod proof;
