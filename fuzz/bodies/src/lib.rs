//! The bodies of the fuzz targets, as ordinary functions: `fuzz/fuzz_targets/` only calls them, and
//! the tests run them without a fuzzer.
//!
//! A panic is a finding. Not a part of the library's interface.

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
/// The first to read.
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

/// A target: its name, and the bodies that check an input of its kind.
pub type Target = (&'static str, &'static [fn(&[u8])]);

/// Every target.
pub const TARGETS: &[Target] = &[
    ("alb1_decode", &[alb1::document, alb1::inspect, alb1::recover, alb1::json]),
    ("alb1_edit", &[alb1::edit, alb1::graph]),
    ("alb1_tree", &[alb1::tree]),
    ("capture", &[capture]),
    ("convert", &[convert]),
    ("decode", &[fixed_point, chunking]),
    ("file", &[marked_file, container, config_file]),
    ("inspect", &[inspect, recover]),
    ("round_trip", &[round_trip, any_value]),
    ("structs", &[structs]),
    ("text_json", &[text, json]),
];

/// Checks an input with the bodies of the target: in tests with all of them, under a fuzzer with one, which the bytes
/// choose.
///
/// # Panics
///
/// Panics where no target has the name, and where a body finds a fault.
pub fn run(target: &str, data: &[u8]) {
    let known = TARGETS.iter().find(|(name, _)| *name == target);
    let (_, bodies) = known.unwrap_or_else(|| panic!("there is no target '{target}'"));
    let ways = Ways::of_target(data, bodies.len());
    for (_, body) in bodies.iter().enumerate().filter(|(number, _)| ways.takes(*number)) {
        body(data);
    }
}

/// The files that begin with a mark, but for containers: each body refuses the files of the others at once.
fn marked_file(data: &[u8]) {
    for body in [pack, resource, script, settings] {
        body(data);
    }
}

/// Returns the selection of the first byte and the bytes after it. The byte selects only the dialect (low bits) and a
/// switch (top bit), so that real packets make a corpus.
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

/// The first difference between two values, but for the bits of NaNs and the sign of zeros, which show
/// when they are written.
fn difference<R: Real>(a: &Variant<R>, b: &Variant<R>) -> Option<Difference> {
    Comparison::new().any_nan(true).any_zero(true).values(a, b)
}

/// The start of a value's text, for messages. (The whole of it would recurse.)
fn shown<R: Real>(value: &Variant<R>) -> String {
    match value.container() {
        Some(_) => format!("a {}", value.variant_type().name()),
        None => format!("{value:?}"),
    }
}

/// The values that a value holds, each key before its value.
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

/// Whether a value or one inside it passes the test.
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
