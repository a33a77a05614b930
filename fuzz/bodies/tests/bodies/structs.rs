//! User-defined structs are read and written the same by way of a `Variant` and without one.

use formwork_bodies::structs::{Save, read, write};
use formwork_variant::Dialect;
use formwork_variant::NodePath;
use formwork_variant::dialect::Family;
use formwork_variant::generate::arbitrary::{self, Arbitrary, Unstructured};
use formwork_variant::{Decoder, Encoder, Strictness};

use crate::random::{Seeds, damaged};

fn saves(rounds: usize, mut each: impl FnMut(Save, &mut Seeds)) {
    let mut seeds = Seeds::new();
    let mut made = 0;
    while made < rounds {
        let seed = seeds.next(2000);
        let made_one: arbitrary::Result<Save> = Save::arbitrary(&mut Unstructured::new(&seed));
        if let Ok(save) = made_one {
            made += 1;
            each(save, &mut seeds);
        }
    }
}

#[test]
fn a_struct_is_written_and_read_alike_with_and_without_a_value() {
    for dialect in Dialect::all() {
        let (encoder, decoder) = (Encoder::new(dialect).rounding(true), Decoder::new(dialect));
        let (mut written, mut made) = (0, 0);
        saves(150, |save, _| {
            let Ok(bytes) = write::<_, f32>(&encoder, &save) else { return };
            written += 1;
            let Ok(again) = read::<Save, f32>(&decoder, &bytes, &decoder.decode(&bytes)) else {
                return;
            };
            made += 1;
            // Godot 2 rounds the f64s.
            if dialect.family() != Family::Godot2 {
                assert_eq!(format!("{again:?}"), format!("{save:?}"), "{dialect}");
            }
        });
        println!("{dialect}: {written} written, {made} read");
        assert!(written > 20 && made * 10 >= written * 9, "{dialect}: {written}, {made}");
    }
}

#[test]
fn damaged_packets_give_the_same_struct_or_error_with_and_without_a_value() {
    let (mut structs, mut bytes_wrong, mut type_wrong) = (0, 0, 0);
    for dialect in [Dialect::GODOT2, Dialect::GODOT3, Dialect::GODOT4, Dialect::PANDEMONIUM] {
        saves(300, |save, seeds| {
            let Ok(bytes) = Encoder::new(dialect).rounding(true).serialize(&save) else { return };
            let bytes = damaged(&bytes, seeds);
            for strictness in [Strictness::Engine, Strictness::Canonical] {
                let decoder = Decoder::new(dialect).strictness(strictness);
                let decoded = decoder.decode(&bytes);
                *match (read::<Save, f32>(&decoder, &bytes, &decoded), &decoded) {
                    (Ok(_), _) => &mut structs,
                    (Err(_), Err(_)) => &mut bytes_wrong,
                    (Err(_), Ok(_)) => &mut type_wrong,
                } += 1;
            }
        });
    }
    println!("{structs} structs, {bytes_wrong} wrong bytes, {type_wrong} of another type");
    assert!(structs > 50 && bytes_wrong > 50 && type_wrong > 50);
}

#[test]
fn a_path_is_itself_everywhere() {
    let path = NodePath::parse(&"/root/World:visible".into());
    for dialect in Dialect::all() {
        let bytes = formwork_variant::serde::to_vec(&(&path, "a"), dialect).unwrap();
        let (again, text): (NodePath, &str) =
            formwork_variant::serde::from_slice(&bytes, dialect).unwrap();
        assert_eq!((again, text), (path.clone(), "a"), "{dialect}");
        let (text, _): (String, String) =
            formwork_variant::serde::from_slice(&bytes, dialect).unwrap();
        assert_eq!(text, "/root/World:visible");
    }
}
