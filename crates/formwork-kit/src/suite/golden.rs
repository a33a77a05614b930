//! The inputs that engines were asked about, and files that Terrain Builder reads, each with how it was made.

use std::io::Read;

use flate2::read::GzDecoder;
use formwork_variant::dialect::{Dialect, Family};

use crate::Format;
use crate::case::Reading;
use crate::oracle::from_hex;

/// An engine that was asked.
struct Engine {
    /// Its release.
    release: &'static str,
    /// The dialect of that release.
    format: Format,
    /// Lines of `kind hex`, with `objects` behind those that were read with objects allowed only: compressed.
    inputs: &'static [u8],
}

/// The engines of `formats/golden.md`, the oldest of each family first.
static ENGINES: [Engine; 7] = [
    Engine {
        release: "Godot 2.1.6.stable",
        format: Format::Variant(Dialect::GODOT2_1),
        inputs: include_bytes!("golden/godot2.gz"),
    },
    Engine {
        release: "Godot 3.2.3.stable",
        format: Format::Variant(Dialect::GODOT3_2),
        inputs: include_bytes!("golden/godot3.2.gz"),
    },
    Engine {
        release: "Godot 3.6.2.stable",
        format: Format::Variant(Dialect::GODOT3_6),
        inputs: include_bytes!("golden/godot3.6.gz"),
    },
    Engine {
        release: "Pandemonium Engine 5.3 development",
        format: Format::Variant(Dialect::PANDEMONIUM5),
        inputs: include_bytes!("golden/pandemonium5.gz"),
    },
    Engine {
        release: "Godot 4.6.3.stable",
        format: Format::Variant(Dialect::GODOT4_6),
        inputs: include_bytes!("golden/godot4.6.gz"),
    },
    Engine {
        release: "Godot 4.7-dev",
        format: Format::Variant(Dialect::GODOT4_7),
        inputs: include_bytes!("golden/godot4.7.gz"),
    },
    Engine {
        release: "Terrain Builder",
        format: Format::Alb1,
        inputs: include_bytes!("golden/alb1.gz"),
    },
];

/// Returns the release of the engine whose answers to the golden inputs of a format are known.
pub(super) fn release(format: Format) -> Option<&'static str> {
    ENGINES.iter().find(|engine| engine.format == format).map(|engine| engine.release)
}

/// Files of ALB1 that break one rule each, several for each way to do so, and files that are odd in one way: lines of
/// `subject way hex`, compressed.
static FILES: &[u8] = include_bytes!("golden/alb1_files.gz");

/// Calls `add` for each file of ALB1 that breaks one rule or is odd, with its subject and how it is so.
pub(super) fn files(mut add: impl FnMut(&str, &str, &[u8])) {
    for line in lines(FILES).lines() {
        let mut words = line.split(' ');
        if let (Some(subject), Some(way), Some(hex)) = (words.next(), words.next(), words.next()) {
            add(subject, way, &from_hex(hex).unwrap_or_default());
        }
    }
}

fn lines(compressed: &[u8]) -> String {
    let mut lines = String::new();
    let read = GzDecoder::new(compressed).read_to_string(&mut lines);
    debug_assert!(read.is_ok(), "the file is of this crate");
    lines
}

/// Calls `add` for each input of the engine of a format, or of the nearest engine of its family.
pub(super) fn each(reading: Reading, mut add: impl FnMut(&str, &[u8])) {
    let Some(engine) = nearest(reading.format) else { return };
    for line in lines(engine.inputs).lines() {
        let mut words = line.split(' ');
        let (Some(kind), Some(hex), objects) = (words.next(), words.next(), words.next()) else {
            continue;
        };
        if objects.is_none() || reading.allow_objects {
            add(kind, &from_hex(hex).unwrap_or_default());
        }
    }
}

fn nearest(format: Format) -> Option<&'static Engine> {
    let family = |format: Format| match format.dialect().map(Dialect::family) {
        Some(Family::Pandemonium3 | Family::Pandemonium4) => Some(Family::Pandemonium5),
        family => family,
    };
    let exact = ENGINES.iter().find(|engine| engine.format == format);
    exact.or_else(|| ENGINES.iter().rfind(|engine| family(engine.format) == family(format)))
}
