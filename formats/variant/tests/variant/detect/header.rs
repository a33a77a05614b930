//! Values after a header that the game defines.

use formwork_godot::Framing;
use formwork_godot::detect::behind_header;
use formwork_variant::frame::ByteOrder;

use crate::cases::ENGINES;

/// The headers that games write before their values.
const HEADERS: &[(&str, &[u8])] = &[
    ("a version", &[1, 0, 0, 0]),
    ("a version that is a type's number", &[4, 0, 0, 0]),
    ("a byte", &[7]),
    ("a magic word and a version", b"SAVE\x02\0\0\0"),
    ("a line of text", b"My Game save 1.4.2\n"),
    ("a text behind its length", b"\x07\0\0\0my game"),
    ("16 bytes", &[0xab; 16]),
    ("zeros", &[0; 8]),
];

#[test]
fn values_behind_a_header_are_found() {
    for engine in &ENGINES {
        for (name, framing) in [
            ("small.save", Framing::Frames(ByteOrder::Little)),
            ("multi.save", Framing::Frames(ByteOrder::Little)),
            ("multi.swapped.save", Framing::Frames(ByteOrder::Big)),
            ("small.var2bytes.bin", Framing::Bare),
        ] {
            let Ok(values) = std::fs::read(engine.file("files").join(name)) else { continue };
            for (what, header) in HEADERS {
                let bytes = [header, values.as_slice()].concat();
                let context = format!("{} {name} behind {what}", engine.name);
                let found = behind_header(&bytes).unwrap_or_else(|| panic!("{context}"));
                assert_eq!(found.offset, header.len() as u64, "{context}");
                let first = &found.detection.leading()[0];
                assert_eq!(first.framing, framing, "{context}");
                assert_eq!(first.dialect.family(), engine.dialect().family(), "{context}");
            }
        }
    }
}

#[test]
fn nothing_is_found_behind_texts_and_pictures() {
    assert!(
        behind_header(b"A line of text\nand another one, with no values behind it.\n").is_none()
    );
    assert!(behind_header(b"").is_none());
    assert!(behind_header(&[0; 400]).is_none());
    assert!(behind_header(b"\x89PNG\r\n\x1a\n\x08\0\0\0\x02\0\0\0\x05\0\0\0").is_none());
}

/// Offsets by the thousand from which much can be read, none to the end. Only frames are values that other data may follow.
#[test]
fn the_search_ends_however_much_can_be_read() {
    for (unit, found) in [
        (&[28, 0, 0, 0, 1, 0, 0, 0][..], None),
        (&[8, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0], Some((4, 3))),
        (&[21, 0, 0, 0], None),
    ] {
        let mut bytes = b"head".to_vec();
        bytes.extend(unit.repeat((1 << 17) / unit.len()));
        bytes.extend([0xff; 3]);
        assert_eq!(behind_header(&bytes).map(|it| (it.offset, it.behind)), found, "{unit:?}");
    }
}
