//! The formats of a program for custom formats.

use std::sync::OnceLock;

use formwork::document::Format;

/// The formats of a program for custom formats, which reads no others.
static OWN: OnceLock<Vec<&'static dyn Format>> = OnceLock::new();

/// Sets the formats of a program for custom formats.
pub fn use_only(formats: &[&'static dyn Format]) {
    // A process runs one program.
    let _ = OWN.set(formats.to_vec());
}

/// Returns the formats of a program for custom formats; none in the program `formwork`.
pub fn own() -> Option<&'static [&'static dyn Format]> {
    OWN.get().map(Vec::as_slice)
}
