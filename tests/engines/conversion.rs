//! Saves of other engines, converted, are opened.

use formwork_edit::convert::Converter;
use formwork_variant::Variant;
use formwork_variant::frame::{ByteOrder, FrameReader};
use formwork_variant::text::to_text;
use formwork_variant::{Decoder, Dialect};

use crate::cases::{ENGINES, Engine as Golden};
use crate::engine::with_each_engine;
use crate::files::{Way, frames, is_read};
use crate::sample::Sample;
use crate::session::Session;

/// Returns the values of a golden save, and the engine's printed texts for them.
fn values(golden: &Golden, name: &str) -> Vec<(Variant, String)> {
    let read = |name: &str| std::fs::read(golden.file("files").join(name)).expect("it is there");
    let manifest: serde_json::Value =
        serde_json::from_slice(&read("manifest.json")).expect("the manifest is JSON");
    let files = manifest["files"].as_array().expect("the manifest lists files");
    let entry = files.iter().find(|entry| entry["file"] == name).expect("it is listed");
    let names = entry["values"].as_array().expect("it has values").iter();
    let bytes = read(name);
    let mut reader = FrameReader::new(&*bytes, ByteOrder::Little);
    let decoder = Decoder::new(golden.dialect());
    let value = |name: &serde_json::Value| {
        let value = reader.next_value(&decoder).expect("it is golden").expect("it is all there");
        let text = &manifest["values"][name.as_str().expect("it is a name")]["text"];
        (value, text.as_str().expect("the engine printed it").to_owned())
    };
    names.map(value).collect()
}

/// Whether a value without losses, converted back, is printed as by its engine.
fn comes_back(sample: &Sample, from: Dialect, to: Dialect, text: &str) {
    let read: Variant = Decoder::new(to).decode(&sample.packet).expect("we wrote it");
    let back = Converter::new(to, from).convert(read).lossy();
    assert_eq!(to_text(&back, from), text, "{} to {to} and back to {from}", sample.name);
}

#[test]
#[ignore = "needs an engine"]
fn converted_saves_are_opened() {
    with_each_engine(|engine| {
        let session = Session::start(engine);
        let to = engine.dialect;
        for golden in ENGINES.iter().filter(|other| other.dialect().family() != to.family()) {
            let from = golden.dialect();
            let (mut whole, mut lossy) = (0, 0);
            for name in ["small.save", "multi.save", "big.save"] {
                let mut samples = Vec::new();
                for (index, (value, text)) in values(golden, name).into_iter().enumerate() {
                    let conversion = Converter::new(from, to).convert(value);
                    let exact = conversion.losses().is_empty();
                    let value = conversion.lossy();
                    let name = format!("{name} {index} of {}", golden.name);
                    let sample = Sample::with_objects(name, value, to, false);
                    let sample = sample.expect("what was converted can be written");
                    if exact {
                        comes_back(&sample, from, to, &text);
                        whole += 1;
                    } else {
                        lossy += 1;
                    }
                    samples.push(sample);
                }
                let way = Way::plain("plain", ByteOrder::Little);
                let file = frames(&samples, ByteOrder::Little);
                let test = format!("{name} of {}, converted", golden.name);
                // The engine's values and texts are those of the converted save.
                is_read(&session, &file, &way, &samples, &test, false);
            }
            println!(
                "Godot {}: {} values of {} without losses, {lossy} with",
                engine.release, whole, golden.name
            );
        }
        session.finish();
    });
}
