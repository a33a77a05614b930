//! The bodies of the fuzz targets, as ordinary functions: `fuzz/fuzz_targets/` only calls them, and
//! the tests run them without a fuzzer.
//!
//! A panic is a finding. This crate is not a part of the library's interface.

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
/// Read this module first.
#[path = "../../round_trip.rs"]
mod round_trip;
pub mod seeds;
mod settings;
mod stream_peer;
pub mod structs;
mod text;
mod walk;
mod ways;

pub use any_value::any_value;
pub use capture::capture;
pub use config_file::config_file;
pub use container::container;
pub use game_file::{resource, script};
pub use label::{dialect_of, dialects, number_of};
pub use mutate::{cross_over, mutate};
pub use pack::pack;
pub use seeds::{seeds, words};
pub use settings::settings;

use chunking::chunking;
use convert::convert;
use fixed_point::fixed_point;
use inspect::inspect;
use json::json;
use recover::recover;
use round_trip::round_trip;
use structs::structs;
use text::text;
use ways::Ways;

use formwork_kit::difference::{Comparison, Difference};
use formwork_variant::dialect::Dialect;
use formwork_variant::{Container, Real, Variant};

/// A function that checks an input.
pub type Body = fn(&[u8]);

/// Declares targets: each with its name and the bodies that check inputs of the same kind.
macro_rules! targets {
    ($($constant:ident = $name:literal: [$($body:expr),*],)*) => {
        $(#[doc = concat!("The bodies of the target `", $name, "`.")]
        pub const $constant: &[Body] = &[$($body),*];)*

        /// Every target: its name and its bodies.
        pub const TARGETS: &[(&str, &[Body])] = &[$(($name, $constant)),*];
    };
}

targets! {
    ALB1_DECODE = "alb1_decode": [alb1::document, alb1::inspect, alb1::recover, alb1::json],
    ALB1_EDIT = "alb1_edit": [alb1::edit, alb1::graph],
    ALB1_TREE = "alb1_tree": [alb1::tree],
    CAPTURE = "capture": [capture],
    CONVERT = "convert": [convert],
    DECODE = "decode": [fixed_point, chunking],
    FILE = "file": [marked_file, container, config_file],
    INSPECT = "inspect": [inspect, recover],
    ROUND_TRIP = "round_trip": [round_trip, any_value],
    STRUCTS = "structs": [structs],
    TEXT_JSON = "text_json": [text, json],
}

/// Checks an input with the bodies of a target. Tests run all bodies; a fuzzer runs one, which the bytes
/// choose.
///
/// # Panics
///
/// Panics where a body finds a fault.
pub fn check(bodies: &[Body], data: &[u8]) {
    let ways = Ways::of_target(data, bodies.len());
    for (_, body) in bodies.iter().enumerate().filter(|(number, _)| ways.takes(*number)) {
        body(data);
    }
}

/// Checks the files that begin with a mark, except containers. Each body refuses the files of the others at
/// once.
fn marked_file(data: &[u8]) {
    for body in [pack, resource, script, settings] {
        body(data);
    }
}

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
