//! Values in captures: recorded captures of Godot 3.2.3, and captures made by hand.

mod enet;
mod foreign;
mod limits;
mod links;
mod recorded;
mod recorder;
mod records;
mod streams;

use formwork_capture::{Capture, Found, Summary};
use formwork_variant::Variant;
use formwork_variant::json::{Style, to_json};
use formwork_variant::{Dialect, Error, to_vec};

/// Everything found in a capture.
struct Read {
    found: Vec<Found>,
    summary: Summary,
    fault: Option<Error>,
}

impl Read {
    fn of(capture: &[u8]) -> Self {
        Self::with(capture, |capture| capture)
    }

    fn with<'c>(
        capture: &'c [u8],
        options: impl Fn(Capture<&'c [u8]>) -> Capture<&'c [u8]>,
    ) -> Self {
        let mut capture = options(Capture::new(capture).expect("a capture"));
        let (mut found, mut fault) = (Vec::new(), None);
        for item in &mut capture {
            match item {
                Ok(it) => found.push(it),
                Err(error) => fault = Some(error),
            }
        }
        Self { found, summary: capture.summary().clone(), fault }
    }

    /// Returns the values as JSON.
    fn values(&self) -> Vec<String> {
        self.found.iter().map(json).collect()
    }
}

fn json(found: &Found) -> String {
    to_json(&found.value().expect("it was read before"), found.dialect, Style::Compact)
}

/// Returns a value that shows its engine.
fn save(number: i64) -> Variant {
    [
        ("hp", Variant::Int(number)),
        ("name", "lamp".into()),
        ("tags", vec![Variant::from("a")].into()),
    ]
    .into_iter()
    .collect()
}

fn packet(value: &Variant) -> Vec<u8> {
    to_vec(value, Dialect::GODOT3).expect("a value of Godot 3")
}

fn save_json(number: i64) -> String {
    to_json(&save(number), Dialect::GODOT3, Style::Compact)
}
