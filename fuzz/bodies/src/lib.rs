//! The bodies of the fuzz targets, as ordinary functions: each program in `fuzz/fuzz_targets/` calls one, and
//! the tests run all of them without a fuzzer.
//!
//! A panic is a finding. This crate is not a part of the library's interface.

// The target `round_trip` is one file that needs nothing of this crate. Its macro makes a function of it here.
extern crate self as libfuzzer_sys;
macro_rules! fuzz_target {
    (|$input:ident: &[u8]| $body:block) => {
        pub fn target($input: &[u8]) $body
    };
}
use fuzz_target;
#[allow(unused_attributes, reason = "it is a program for the fuzzer")]
#[path = "../../fuzz_targets/round_trip.rs"]
mod round_trip;

pub mod alb1;
mod any_value;
mod capture;
mod chunking;
mod config_file;
mod container;
mod convert;
mod fixed_point;
mod game_file;
mod inspect;
mod json;
mod label;
mod mutate;
mod pack;
mod recover;
pub mod seeds;
mod settings;
mod stream_peer;
pub mod structs;
mod text;
mod walk;

pub use any_value::any_value;
pub use capture::capture;
pub use chunking::chunking;
pub use config_file::config_file;
pub use container::container;
pub use convert::convert;
pub use fixed_point::fixed_point;
pub use formwork_kit::mutator::is_fuzzers_turn;
pub use game_file::{resource, script};
pub use inspect::inspect;
pub use json::json;
pub use label::{dialect_of, dialects, number_of};
pub use mutate::{cross_over, mutate};
pub use pack::pack;
pub use recover::recover;
pub use seeds::{seeds, words};
pub use settings::settings;
pub use structs::structs;
pub use text::text;

use formwork_kit::difference::{Comparison, Difference};
use formwork_variant::dialect::Dialect;
use formwork_variant::{Container, Real, Variant};

/// A function that checks an input.
pub type Body = fn(&[u8]);

/// Every target: its name and its body.
pub const TARGETS: &[(&str, Body)] = &[
    ("alb1_document", alb1::document),
    ("alb1_edit", alb1::edit),
    ("alb1_graph", alb1::graph),
    ("alb1_inspect", alb1::inspect),
    ("alb1_json", alb1::json),
    ("alb1_recover", alb1::recover),
    ("alb1_tree", alb1::tree),
    ("any_value", any_value),
    ("capture", capture),
    ("chunking", chunking),
    ("config_file", config_file),
    ("container", container),
    ("convert", convert),
    ("fixed_point", fixed_point),
    ("inspect", inspect),
    ("json", json),
    ("pack", pack),
    ("recover", recover),
    ("resource", resource),
    ("round_trip", round_trip::target),
    ("script", script),
    ("settings", settings),
    ("structs", structs),
    ("text", text),
];

/// Returns the selection of the first byte, and the bytes after it. The byte selects only the dialect (low
/// bits) and a switch (top bit), so that real packets make a corpus.
fn choose(data: &[u8]) -> Option<(Dialect, bool, &[u8])> {
    let (&first, bytes) = data.split_first()?;
    Some((dialect_of(first)?, first & 0x80 != 0, bytes))
}

/// Calls a target's body with the number type of the dialect's precision.
macro_rules! in_precision {
    ($dialect:expr, $body:ident($($argument:expr),*)) => {
        match $dialect.precision() {
            formwork_variant::dialect::Precision::Single => $body::<f32>($($argument),*),
            formwork_variant::dialect::Precision::Double => $body::<f64>($($argument),*),
        }
    };
}
use in_precision;

/// Returns the first difference between two values, except for the bits of NaNs and the sign of zeros, which
/// show when the values are written.
fn difference<R: Real>(a: &Variant<R>, b: &Variant<R>) -> Option<Difference> {
    Comparison::new().any_nan(true).any_zero(true).values(a, b)
}

/// Returns the start of a value's text, for messages. (The whole text would recurse.)
fn shown<R: Real>(value: &Variant<R>) -> String {
    match value.container() {
        Some(_) => format!("a {}", value.variant_type().name()),
        None => format!("{value:?}"),
    }
}

/// Returns the values that a value holds, each key before its value.
fn parts<R: Real>(value: &Variant<R>) -> Vec<&Variant<R>> {
    match value.container() {
        Some(Container::Dictionary(pairs)) => {
            pairs.iter().flat_map(|(key, value)| [key, value]).collect()
        }
        Some(Container::Object(object)) => {
            object.properties.iter().map(|(_, value)| value).collect()
        }
        Some(Container::Array(array)) => array.iter().collect(),
        Some(Container::TypedArray(typed) | Container::PackedTypedArray(typed)) => {
            typed.elements.iter().collect()
        }
        None => Vec::new(),
    }
}

/// Returns whether a value or one inside it passes the test.
fn any<R: Real>(value: &Variant<R>, test: impl Fn(&Variant<R>) -> bool) -> bool {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        if test(value) {
            return true;
        }
        waiting.extend(parts(value));
    }
    false
}
