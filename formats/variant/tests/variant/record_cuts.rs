//! A record that is cut is reported where it is cut.

use std::collections::BTreeMap;

use formwork::Rule;
use formwork_records::wire::Cursor;
use formwork_records::wire::read_record;
use formwork_variant::packet::{NodePathRecord, PackedStrings};

/// Path and offset of the errors for every cut: the longest cut of each place.
fn places<T>(bytes: &[u8]) -> BTreeMap<String, (u64, usize)>
where
    T: formwork::record::Readable,
{
    let mut places = BTreeMap::new();
    for cut in 0..bytes.len() {
        let mut input = Cursor::new(&bytes[..cut]);
        let error = read_record::<T>(&mut input).err().expect("the input is cut");
        assert_eq!(error.rule(), Rule::INPUT_COMPLETE, "{error}");
        assert!(error.offset() <= cut as u64, "{cut}: {error}");
        let before = places.insert(error.path().to_string(), (error.offset(), cut));
        assert!(before.is_none_or(|(offset, _)| offset == error.offset()), "{cut}: {error}");
    }
    places
}

/// binrw goes back to the start of the record. (The words in front are read at once.)
#[test]
fn a_cut_is_reported_where_it_is() {
    let text = |text: &[u8]| {
        let mut bytes = (text.len() as u32).to_le_bytes().to_vec();
        bytes.extend(text);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes
    };
    let mut path = Vec::new();
    for word in [0x8000_0002_u32, 1, 3] {
        path.extend(word.to_le_bytes());
    }
    for name in [b"one".as_slice(), b"three", b"x", b"property"] {
        path.extend(text(name));
    }
    let expected = [
        ("flags", 0, 11),
        ("name_count", 0, 3),
        ("names", 12, 19),
        ("names[1].bytes", 24, 28),
        ("names[1].length", 20, 23),
        ("names[1].padding", 29, 31),
        ("property.bytes", 44, 51),
        ("property.length", 40, 43),
        ("subname_count", 0, 7),
        ("subnames", 32, 35),
        ("subnames[0].bytes", 36, 36),
        ("subnames[0].padding", 37, 39),
    ];
    let expected: BTreeMap<String, (u64, usize)> =
        expected.into_iter().map(|(path, offset, cut)| (path.to_owned(), (offset, cut))).collect();
    assert_eq!(places::<NodePathRecord<'_>>(&path), expected);

    let mut strings = 1_u32.to_le_bytes().to_vec();
    strings.extend(text(b"a\0"));
    let expected = [
        ("count", (0, 3)),
        ("elements", (4, 7)),
        ("elements[0].bytes", (8, 9)),
        ("elements[0].padding", (10, 11)),
    ];
    let expected = expected.into_iter().map(|(path, place)| (path.to_owned(), place)).collect();
    assert_eq!(places::<PackedStrings<'_>>(&strings), expected);
}
