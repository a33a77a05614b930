//! Detection of dialect and framing, measured on the output of the real engines.
//!
//! `cargo test --test variant detect -- --nocapture` prints the tables.

use formwork_godot::Framing;
use formwork_godot::detect::{Candidate, Detection, Detector, Other, Verdict, detect};
use formwork_variant::codec::{Canonicality, WarningCounts};
use formwork_variant::dialect::{Family, Precision};
use formwork_variant::frame::{ByteOrder, write_frame};
use formwork_variant::{Array, Dictionary, ElementType, Variant, VariantType, Vector2, Vector3};
use formwork_variant::{Decoder, Dialect, Encoder, Result};

mod damage;
mod foreign;
mod header;

use crate::cases::{ENGINES, Engine};

/// Returns the values in `bytes`.
fn values(bytes: &[u8], dialect: Dialect, framing: Framing) -> Vec<Variant<f64>> {
    let decoder = Decoder::new(dialect).double().allow_objects(true);
    let values: Result<Vec<_>> = match framing {
        Framing::Frames(order) => decoder.decode_frames(bytes, order).collect(),
        _ => decoder.values(bytes).collect(),
    };
    values.expect("it was detected")
}

/// The results of detecting the output of one engine.
#[derive(Debug, Default)]
struct Row {
    /// The engine's family, and nothing else fits.
    certain: usize,
    /// The engine's family or another in which the bytes have the same meaning.
    same: usize,
    ambiguous: usize,
    wrong: Vec<String>,
}

impl Row {
    fn count(&mut self, name: &str, bytes: &[u8], engine: &Engine, framing: Framing) {
        let truth = |candidate: &Candidate| {
            let same_family = candidate.dialect.family() == engine.dialect().family();
            let same = || {
                let expected = values(bytes, engine.dialect(), framing);
                let found = values(bytes, candidate.dialect, framing);
                found.len() == expected.len()
                    && found.iter().zip(&expected).all(|(a, b)| a.is_identical(b))
            };
            candidate.framing == framing && (same_family || same())
        };
        let detection = detect(bytes);
        match detection.verdict {
            Verdict::Certain if truth(&detection.candidates[0]) => self.certain += 1,
            Verdict::SameMeaning if detection.leading().iter().all(truth) => self.same += 1,
            // The truth must not be set aside.
            Verdict::Ambiguous if detection.leading().iter().any(truth) => self.ambiguous += 1,
            verdict => {
                let found =
                    detection.candidates.first().map(|first| (first.dialect, first.framing));
                self.wrong.push(format!("{} {name}: {verdict:?} {found:?}", engine.name));
            }
        }
    }

    fn print(&self, name: &str) {
        let Self { certain, same, ambiguous, wrong } = self;
        println!("{name:<16}{certain:>9}{same:>14}{ambiguous:>11}{:>7}", wrong.len());
    }
}

fn framed(packets: &[Vec<u8>], order: ByteOrder) -> Vec<u8> {
    let mut bytes = Vec::new();
    packets.iter().for_each(|packet| write_frame(&mut bytes, packet, order).unwrap());
    bytes
}

/// Measures the golden values in a framing, `together` of them at a time.
fn measure(title: &str, framing: Framing, together: usize) -> Vec<Row> {
    println!("\n{title}\n{:<16}  certain  same meaning  ambiguous  wrong", "");
    ENGINES
        .iter()
        .map(|engine| {
            let mut row = Row::default();
            for cases in engine.lines("values.jsonl").chunks(together) {
                let packets: Vec<_> = cases.iter().filter_map(|case| case.bytes("hex")).collect();
                let bytes = match framing {
                    Framing::Frames(order) => framed(&packets, order),
                    _ => packets.concat(),
                };
                let single = framing == Framing::BareSequence && packets.len() == 1;
                let framing = if single { Framing::Bare } else { framing };
                row.count(cases[0].text("name").unwrap_or("?"), &bytes, engine, framing);
            }
            row.print(engine.name);
            row
        })
        .collect()
}

/// Asserts that nothing is wrong, and that at most the known number of results is ambiguous.
fn assert_rows(rows: &[Row], ambiguous: [usize; 5]) {
    for (row, most) in rows.iter().zip(ambiguous) {
        assert!(row.wrong.is_empty(), "{}", row.wrong.join("\n"));
        assert!(row.ambiguous <= most, "{} ambiguous instead of {most}", row.ambiguous);
    }
}

#[test]
fn golden_values_are_never_mistaken() {
    let mut rows = measure("bare values", Framing::Bare, 1);
    // The bytes of a bare empty String are those of a file of store_var(null), and are detected as such:
    // `a_frame_with_a_null_wins_over_an_empty_text`.
    for row in &mut rows {
        assert_eq!(row.wrong.len(), 1);
        row.wrong.retain(|wrong| !wrong.contains(" str_ascii_0: "));
    }
    assert_rows(&rows, [13, 16, 16, 37, 70]);
    let rows = measure("little-endian frames", Framing::Frames(ByteOrder::Little), 1);
    assert_rows(&rows, [14, 20, 20, 51, 74]);
    let rows = measure("big-endian frames", Framing::Frames(ByteOrder::Big), 1);
    assert_rows(&rows, [12, 15, 15, 36, 69]);
    let rows = measure("three values, each in a frame", Framing::Frames(ByteOrder::Little), 3);
    assert_rows(&rows, [0, 0, 0, 4, 8]);
}

/// Nothing writes them, so where three values happen to be one of another engine, that is taken.
#[test]
fn golden_values_one_after_another_are_mostly_found() {
    let rows = measure("three values, bare", Framing::BareSequence, 3);
    for (row, most) in rows.iter().zip([0, 1, 0, 0, 2]) {
        assert!(row.wrong.len() <= most, "{}", row.wrong.join("\n"));
    }
}

/// The expected contents of a file of the manifest.
enum Expected {
    Values(Framing),
    Other(Other),
}

fn expected(file: &str, container: &str, detail: &str) -> Expected {
    match container {
        "store_var in compressed file" => Expected::Other(Other::GodotCompressed),
        "store_var in encrypted file" => Expected::Other(Other::GodotEncrypted),
        "var2bytes" | "var_to_bytes" => Expected::Values(Framing::Bare),
        _ if file.contains("swapped") || file.contains("big_endian") || detail == "big_endian" => {
            Expected::Values(Framing::Frames(ByteOrder::Big))
        }
        _ => Expected::Values(Framing::Frames(ByteOrder::Little)),
    }
}

#[test]
fn every_file_of_the_engines_is_recognised() {
    let (mut packets, mut others) = (0, 0);
    for engine in &ENGINES {
        let text = std::fs::read_to_string(engine.file("files/manifest.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
        for entry in manifest["files"].as_array().unwrap() {
            let name = entry["file"].as_str().unwrap();
            let bytes = std::fs::read(engine.file("files").join(name)).unwrap();
            let detail = entry["detail"].as_str().unwrap_or_default();
            let detection = detect(&bytes);
            match expected(name, entry["container"].as_str().unwrap(), detail) {
                Expected::Other(other) => {
                    others += 1;
                    assert_eq!(detection.verdict, Verdict::Nothing, "{} {name}", engine.name);
                    assert_eq!(detection.other, Some(other), "{} {name}", engine.name);
                }
                Expected::Values(framing) => {
                    packets += 1;
                    let best = detection.best();
                    let best = best.unwrap_or_else(|| panic!("{} {name}", engine.name));
                    assert_eq!(best.dialect.family(), engine.dialect().family(), "{name}");
                    assert_eq!(best.framing, framing, "{} {name}", engine.name);
                    let count = entry["values"].as_array().unwrap().len() as u64;
                    assert_eq!(best.values, count, "{} {name}", engine.name);
                }
            }
        }
    }
    println!("{packets} files with packets, {others} others");
    assert!(packets >= 35 && others >= 40, "{packets} and {others}");
}

/// A save that is cut is not detected, but the report has the length of its intact part and the number of missing
/// bytes.
#[test]
fn cut_files_are_known_by_how_far_they_go() {
    for engine in &ENGINES {
        for name in ["small.save", "big.save"] {
            let bytes = std::fs::read(engine.file("files").join(name)).unwrap();
            for part in [3, 5, 9] {
                let cut = &bytes[..bytes.len() * part / 10];
                let detection = detect(cut);
                assert_eq!(detection.verdict, Verdict::Nothing, "{} {name}", engine.name);
                let partial = detection.partial().unwrap();
                assert_eq!(partial.dialect.family(), engine.dialect().family());
                assert_eq!(partial.framing, Framing::Frames(ByteOrder::Little));
                let needed = partial.error.needed();
                assert_eq!(needed, Some((bytes.len() - cut.len()) as u64), "{}", partial.error);
                assert!(partial.reached * 10 > cut.len() as u64 * 5, "{}", partial.reached);
                assert_eq!(detection.refusals.len(), 6);
            }
        }
    }
}

fn found(bytes: &[u8]) -> String {
    detect(bytes).best().expect("it is certain").dialect.name()
}

fn encoded<R: formwork_variant::Real>(value: &Variant<R>, dialect: &str) -> Vec<u8> {
    Encoder::new(dialect.parse().unwrap()).in_precision().encode(value).unwrap()
}

#[test]
fn older_releases_and_double_precision_show() {
    let mut save = Dictionary::<f32>::new();
    save.insert("level", Variant::Int(3));
    let save = Variant::Dictionary(save);
    // Small ints in 64 bits: Godot 3.0.
    assert_eq!(found(&encoded(&save, "godot3.0")), "godot3.0");
    assert_eq!(found(&encoded(&save, "godot3.2")), "godot3.6");

    let mut save = Dictionary::<f64>::new();
    save.insert("at", Variant::Vector3(Vector3::new(0.1, 0.2, 0.3)));
    let save = Variant::Dictionary(save);
    assert_eq!(found(&encoded(&save, "godot4.6-double")), "godot4.7-double");
    // Before 4.2, a Vector4 in 64 bits has no flag, so other releases read the following values at wrong offsets.
    let mut save = Dictionary::<f64>::new();
    save.insert("q", Variant::Vector4(formwork_variant::Vector4::new(0.1, 0.2, 0.3, 0.4)));
    save.insert("name", "lamp");
    let save = Variant::Dictionary(save);
    assert_eq!(found(&encoded(&save, "godot4.1-double")), "godot4.1-double");

    // A joystick's axis without its position: Godot 1.0 to 2.0.
    let event = [19, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0];
    assert_eq!(found(&event), "godot2.0");

    // Nested deeper than Godot 3.5 on reads.
    let mut deep = Variant::<f32>::Nil;
    for _ in 0..1500 {
        deep = Variant::Array(vec![deep].into());
    }
    assert_eq!(found(&encoded(&deep, "godot3.2")), "godot3.4");
}

#[test]
fn the_shared_mark_is_godot_2() {
    let mut array = Array::<f32>::from(vec![Variant::Vector2(Vector2::new(1.0, 2.0))]);
    array.set_shared(true);
    let bytes = encoded(&Variant::Array(array), "godot2");
    let detection = detect(&bytes);
    assert_eq!(detection.verdict, Verdict::Certain);
    assert_eq!(detection.candidates[0].dialect.family(), Family::Godot2);
}

#[test]
fn a_frame_with_a_null_wins_over_an_empty_text() {
    // The bytes of store_var(null), which are also those of an empty String.
    let detection = detect(&[4, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(detection.verdict, Verdict::SameMeaning);
    assert!(detection.is_by_likelihood());
    let framings: Vec<_> = detection.leading().iter().map(|one| one.framing).collect();
    assert!(framings.iter().all(|&it| it == Framing::Frames(ByteOrder::Little)), "{framings:?}");
    // The other reading is not forgotten, and can be asked for.
    assert!(detection.candidates.iter().any(|one| one.framing == Framing::Bare));
    let bare = Detector::new().framing(Framing::Bare).detect(&[4, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bare.verdict, Verdict::SameMeaning);
    assert_eq!(bare.leading()[0].framing, Framing::Bare);
}

#[test]
fn small_things_are_ambiguous_and_say_so() {
    // An empty array of one type or another.
    let detection = detect(&[21, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(detection.verdict, Verdict::Ambiguous);
    assert!(detection.best().is_none());
    // What is known beforehand settles it.
    let known = Detector::new().family(Family::Godot3).detect(&[21, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(known.verdict, Verdict::Certain);
    // A number in a frame is not taken for a vector.
    let detection = detect(&[8, 0, 0, 0, 2, 0, 0, 0, 100, 0, 0, 0]);
    assert_eq!(detection.verdict, Verdict::SameMeaning);
    let best = detection.best().unwrap();
    assert_eq!(best.dialect, Dialect::GODOT4);
    assert_eq!(best.framing, Framing::Frames(ByteOrder::Little));
    assert!(detection.candidates.iter().all(|candidate| !candidate.why.is_empty()));
}

#[test]
fn other_things_are_named() {
    let other = |bytes: &[u8]| {
        let detection = detect(bytes);
        assert_eq!(detection.verdict, Verdict::Nothing);
        detection.other.map(Other::name)
    };
    assert_eq!(other(b"ALB1\0\0\0"), Some("alb1"));
    assert_eq!(other(b"RSRC\0\0\0\0"), Some("rsrc"));
    assert_eq!(other(b"{\"a\": 1}\n"), Some("json"));
    assert_eq!(other(b"[gd_scene load_steps=2 format=2]\n"), Some("tscn"));
    assert_eq!(other(b"Dear diary,\nnothing happened.\n"), Some("text"));
    assert_eq!(other(b"version https://git-lfs.github.com/spec/v1\n"), Some("git-lfs"));
    assert_eq!(other(&[0xfe; 40]), None);
    assert_eq!(other(b""), None);
}

/// Time in proportion to the bytes, and no more memory for notes than there are rules.
#[test]
fn hostile_bytes_take_no_longer_than_others() {
    let mut inputs: Vec<(&str, Vec<u8>)> = vec![
        ("zeros", vec![0; 1 << 20]),
        ("ones", vec![0xff; 1 << 20]),
        ("bare nulls with flags", [0, 1, 0, 0].repeat(1 << 18)),
        ("empty frames", [0, 0, 0, 0].repeat(1 << 18)),
        ("frames of nulls", [4, 0, 0, 0, 0, 0, 0, 0].repeat(1 << 17)),
        ("odd bools", [1, 0, 0, 0, 7, 0, 0, 0].repeat(1 << 17)),
    ];
    // Deep, and then many odd bools: each deviation has a path of a thousand steps.
    for (array, dictionary) in [(21, 20), (19, 18), (28, 27), (26, 25)] {
        let mut deep: Vec<u8> = Vec::new();
        (0..1000).for_each(|_| deep.extend([array, 0, 0, 0, 1, 0, 0, 0]));
        deep.extend([array, 0, 0, 0, 0, 0, 1, 0]);
        deep.extend([1, 0, 0, 0, 7, 0, 0, 0].repeat(1 << 16));
        inputs.push(("deep and odd", deep));
        // Dictionaries as keys of dictionaries, among enough others that keys are hashed.
        let mut keys: Vec<u8> = Vec::new();
        for _ in 0..1000 {
            keys.extend([dictionary, 0, 0, 0, 10, 0, 0, 0]);
            (0..9).for_each(|key| keys.extend([2, 0, 0, 0, key, 0, 0, 0, 0, 0, 0, 0]));
        }
        keys.extend([0; 4].repeat(1001));
        inputs.push(("keys of keys", keys));
    }
    for (name, bytes) in &inputs {
        let (detection, cost): (Detection, _) = formwork_testkit::cost(|| detect(bytes));
        let first = detection.candidates.first().map(|one| (one.dialect, one.framing, one.values));
        println!("{name}: {cost:?} for {} bytes, {first:?}", bytes.len());
        // How long that takes is printed and not asserted, for the machine may do other things; with time
        // in proportion to the square of the bytes the test would take hours.
    }
}

#[test]
fn saves_take_milliseconds() {
    for engine in &ENGINES {
        let bytes = std::fs::read(engine.file("files/big.save")).unwrap();
        let (detection, cost) = formwork_testkit::cost(|| detect(&bytes));
        println!("{}: {} bytes in {cost:?}", engine.name, bytes.len());
        assert!(detection.best().is_some());
        assert_eq!(detection.candidates[0].dialect.precision(), Precision::Single);
    }
}

#[test]
fn a_release_is_named_only_where_the_bytes_tell_it() {
    let releases = |bytes: &[u8]| {
        let detection = detect(bytes);
        let best = detection.best().expect("it is found out");
        best.releases(bytes).into_iter().map(Dialect::name).collect::<Vec<_>>().join(" ")
    };
    let mut save = Dictionary::<f32>::new();
    save.insert("level", Variant::Int(3));
    save.insert("at", Variant::Vector2(Vector2::new(1.0, 2.0)));
    let save = Variant::Dictionary(save);
    let four = "godot4.0 godot4.1 godot4.2 godot4.3 godot4.4 godot4.5 godot4.6 godot4.7";
    assert_eq!(releases(&encoded(&save, "godot4.6")), four);
    let three = "godot3.1 godot3.2 godot3.3 godot3.4 godot3.5 godot3.6";
    assert_eq!(releases(&encoded(&save, "godot3.2")), three);
    // Small ints in 64 bits are 3.0's.
    assert_eq!(releases(&encoded(&save, "godot3.0")), "godot3.0");
    assert_eq!(releases(&encoded(&save, "godot2")), "godot2.0 godot2");
    assert_eq!(releases(&encoded(&save, "pandemonium5")), "pandemonium5");
    // Typed arrays came with 4.3, typed dictionaries with 4.4.
    let mut typed = Array::<f32>::from(vec![Variant::Int(1)]);
    typed.set_element_type(Some(ElementType::Builtin(VariantType::Int)));
    let bytes = encoded(&Variant::Array(typed), "godot4.6");
    assert_eq!(releases(&bytes), "godot4.3 godot4.4 godot4.5 godot4.6 godot4.7");
}

/// `info` goes by detection, `verify` by `Decoder::check`: both must think the same of padding.
#[test]
fn padding_is_excused_in_detection_where_verify_excuses_it() {
    // The String "asdf!" and the NodePath "a", with padding that is not zero.
    let string = b"\x04\0\0\0\x05\0\0\0asdf!\0\0\x07";
    let path = b"\x0f\0\0\0\x01\0\0\x80\0\0\0\0\0\0\0\0\x01\0\0\0a\0\0\x07";
    let bytes = b"\x14\0\0\0\x05\0\0\0asdf!\0\0\x07";
    for dialect in Dialect::all() {
        for packet in [&string[..], path, bytes] {
            let Ok(check) = Decoder::new(dialect).check(packet) else { continue };
            let mut counted = WarningCounts::default();
            let read = Decoder::new(dialect).decode_counting_warnings(packet, &mut counted);
            assert!(read.is_ok());
            let excused = check.form != Canonicality::NotCanonical;
            assert_eq!(counted.only_padding_as_left(), excused, "{dialect} {packet:02x?}");
        }
    }
    let detection = detect(string);
    let is_two = |it: &Candidate| it.dialect.family() == Family::Godot2;
    assert!(detection.leading().iter().any(is_two));
    assert!(detection.leading().iter().all(|it| it.dialect != Dialect::GODOT4));
}

/// The features by which detection finds the releases that write some bytes.
#[test]
fn releases_of_a_family_that_write_the_same_bytes_mean_the_same() {
    let mut compared = 0;
    for engine in &ENGINES {
        let family = engine.dialect().family();
        let releases = || Dialect::all().filter(move |release| release.family() == family);
        for case in engine.lines("values.jsonl") {
            let Some(bytes) = case.bytes("hex") else { continue };
            let read = |dialect: Dialect| {
                let mut notes = Vec::new();
                let decoder = Decoder::new(dialect).double().allow_objects(true);
                let value = decoder.decode_with_warnings(&bytes, &mut notes);
                value.ok().filter(|(_, length)| notes.is_empty() && *length == bytes.len())
            };
            let values: Vec<_> = releases().filter_map(read).collect();
            for pair in values.windows(2) {
                compared += 1;
                assert!(pair[0].0.is_identical(&pair[1].0), "{}: {pair:?}", engine.name);
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// Releases are not asked where they do no otherwise with what is there: that must come to the same.
#[test]
fn the_releases_that_are_named_are_those_that_write_the_bytes() {
    let mut compared = 0;
    for engine in &ENGINES {
        for case in engine.lines("values.jsonl") {
            let Some(bytes) = case.bytes("hex") else { continue };
            let detection = detect(&bytes);
            let Some(best) = detection.best().filter(|it| it.deviations.is_empty()) else {
                continue;
            };
            if best.framing != Framing::Bare {
                continue;
            }
            let named: Vec<String> = best.releases(&bytes).into_iter().map(Dialect::name).collect();
            let writes = |dialect: &Dialect| {
                let mut notes = Vec::new();
                let decoder = Decoder::new(*dialect).double().allow_objects(true);
                let read = decoder.decode_with_warnings(&bytes, &mut notes);
                read.is_ok_and(|(_, length)| length == bytes.len()) && notes.is_empty()
            };
            let expected: Vec<String> = Dialect::all()
                .filter(|it| it.family() == best.dialect.family())
                .filter(|it| *it != Dialect::PANDEMONIUM_DOCS)
                .filter_map(|it| it.with_precision(best.dialect.precision()))
                .filter(writes)
                .map(Dialect::name)
                .collect();
            assert_eq!(named, expected, "{} {bytes:02x?}", engine.name);
            compared += 1;
        }
    }
    assert!(compared > 1000, "{compared}");
}
