//! What a damaged file is read as, row by row: its bytes, and every value and loss.

use std::fmt::Write as _;
use std::ops::Range;

use formwork_godot::settings;
use formwork_variant::codec::Recovered;
use formwork_variant::frame::ByteOrder;
use formwork_variant::{Decoder, Dialect};

const G4: Dialect = Dialect::GODOT4;

/// Little-endian words.
fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A packet behind its length.
fn framed(packet: &[u8]) -> Vec<u8> {
    [&words(&[packet.len() as u32]), packet].concat()
}

fn int(number: u32) -> Vec<u8> {
    words(&[2, number])
}

/// A String of as many letters.
fn text(letters: usize) -> Vec<u8> {
    let mut packet = words(&[4, letters as u32]);
    packet.resize(8 + letters.next_multiple_of(4), 0);
    packet[8..8 + letters].fill(b'x');
    packet
}

/// A packet of a type that does not exist.
fn broken() -> Vec<u8> {
    words(&[0x63, 0])
}

/// The values and losses, a line each: `0: 7` and `unread 0 4..8 place: rule`.
pub(crate) fn told(recovered: &Recovered) -> String {
    let mut told = String::new();
    for (number, value) in recovered.values.iter().enumerate() {
        let _ = writeln!(told, "{number}: {value}");
    }
    for lost in &recovered.lost {
        let Range { start, end } = lost.range;
        let (of, place) = (lost.value.map_or("-".to_owned(), |it| it.to_string()), &lost.place);
        let (damage, rule, path) = (lost.damage.name(), lost.error.rule(), lost.error.path());
        let _ = writeln!(told, "{damage} {of} {start}..{end} '{place}' {path}: {rule}");
    }
    told
}

/// Rows: what the file is, its parts, and what is read.
type Rows<'r> = &'r [(&'r str, &'r [Vec<u8>], &'r str)];

fn hold(rows: Rows<'_>, read: impl Fn(&[u8]) -> Recovered) {
    let mut wrong = String::new();
    for (name, parts, expected) in rows {
        let found = told(&read(&parts.concat()));
        let expected: String = expected.lines().map(|line| format!("{}\n", line.trim())).collect();
        let expected = expected.trim_start();
        if found != expected {
            let _ = writeln!(wrong, "{name}:\n{found}-- instead of\n{expected}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn frames(bytes: &[u8]) -> Recovered {
    Decoder::new(G4).recover_frames(bytes, ByteOrder::Little, &[])
}

#[test]
fn the_length_of_a_frame_counts_where_it_leads_on_and_the_value_otherwise() {
    // The second frame is damaged, so the file is not read in one go.
    let damaged = framed(&broken());
    let rows: Rows<'_> = &[
        (
            "bytes behind the value, within the length",
            &[words(&[12, 2, 7, 0xffff_ffff]), damaged.clone(), framed(&int(8))],
            r#"
             0: 7
             1: 8
             unread 0 12..16 '' frame[0]: frame.filled
             unread - 20..28 '' frame[1]: header.type_id"#,
        ),
        (
            "bytes behind the value that are a frame themselves, within the length",
            &[words(&[20, 2, 7]), framed(&int(9)), damaged.clone(), framed(&int(8))],
            r#"
             0: 7
             1: 9
             2: 8
             length 0 0..4 '' frame[0].length: frame.length
             unread - 28..36 '' frame[2]: header.type_id"#,
        ),
        (
            "the length leads to the end of the file",
            &[damaged.clone(), words(&[12, 2, 7, 0xffff_ffff])],
            r#"
             0: 7
             unread - 4..12 '' frame[0]: header.type_id
             unread 0 24..28 '' frame[1]: frame.filled"#,
        ),
        (
            "the length leads nowhere, and the value to a frame",
            &[words(&[12, 2, 7]), framed(&int(8)), damaged.clone()],
            r#"
             0: 7
             1: 8
             length 0 0..4 '' frame[0].length: frame.length
             unread - 28..36 '' frame[2]: header.type_id"#,
        ),
        (
            "neither leads on, and the length to what seems to be a frame",
            &[words(&[12, 2, 7, 0xffff_ffff]), damaged.clone(), framed(&int(8))],
            r#"
             0: 7
             1: 8
             unread 0 12..16 '' frame[0]: frame.filled
             unread - 20..28 '' frame[1]: header.type_id"#,
        ),
        (
            "neither leads anywhere",
            &[words(&[12, 2, 7, 0xffff_ffff, 0xffff_ffff]), damaged.clone()],
            r#"
             0: 7
             unread 0 12..16 '' frame[0]: frame.filled
             length - 16..20 '' frame[1].length: frame.length
             unread - 24..32 '' frame[1].rect2i: input.complete"#,
        ),
        (
            "neither leads anywhere, and frames follow",
            &[words(&[12, 2, 7, 0xffff_ffff, 0xffff_ffff]), framed(&text(16)), framed(&int(8))],
            r#"
             0: 7
             1: "xxxxxxxxxxxxxxxx"
             2: 8
             length 0 0..4 '' frame[0].length: frame.length
             unread - 12..20 '' frame[0]: input.trailing"#,
        ),
        (
            "a damaged packet between two frames",
            &[framed(&int(7)), damaged.clone(), framed(&int(8))],
            r#"
             0: 7
             1: 8
             unread - 16..24 '' frame[1]: header.type_id"#,
        ),
        (
            "a damaged packet before what only seems to be a frame",
            &[damaged.clone(), damaged.clone(), framed(&int(8))],
            r#"
             0: 8
             unread - 4..12 '' frame[0]: header.type_id
             unread - 16..24 '' frame[1]: header.type_id"#,
        ),
        (
            "the last frame is cut, by as many bytes as its length says",
            &[words(&[24, 4, 16]), b"abcdefgh".to_vec()],
            r#"
             unread - 12..20 '' frame[0].string.bytes: input.complete"#,
        ),
        (
            "the last frame is cut, and its value needs more than its length has",
            &[words(&[20, 4, 16]), b"abcdefgh".to_vec()],
            r#"
             length - 0..4 '' frame[0].packet: input.complete
             unread - 12..20 '' frame[0].string.bytes: input.complete"#,
        ),
        (
            "the last frame is cut in an array, whose count is not listed",
            &[words(&[100, 28, 20, 2, 7, 2])],
            r#"
             0: [7]
             unread 0 24..24 '1' frame[0].array[1].int: input.complete"#,
        ),
        (
            "a cut frame that is damaged before the cut",
            &[words(&[100, 28, 20, 2, 7, 0x63, 0])],
            r#"
             0: [7]
             length 0 0..4 '' frame[0].packet: input.complete
             count 0 8..8 '' frame[0].array: input.complete
             unread 0 20..28 '1' frame[0].array[1]: header.type_id"#,
        ),
        (
            "a packed array with a count beyond the last frame, which has all its bytes",
            &[framed(&words(&[30, 4, 7, 8]))],
            r#"
             unread - 20..20 '' frame[0].packed_int32_array: input.complete"#,
        ),
        (
            "an array with a count beyond its frame",
            &[framed(&words(&[28, 4, 2, 7])), framed(&int(8))],
            r#"
             0: [7]
             1: 8
             count 0 8..8 '' frame[0].array: input.complete
             unread 0 20..20 '1' frame[0].array[1]: input.complete"#,
        ),
        (
            "the length of the last frame is cut",
            &[framed(&int(7)), vec![8, 0]],
            r#"
             0: 7
             unread - 12..14 '' frame[1].length: input.complete"#,
        ),
        (
            "a length that is no multiple of four leads nowhere",
            &[damaged.clone(), words(&[5, 0]), vec![0], framed(&int(8))],
            r#"
             0: null
             1: 8
             unread - 4..12 '' frame[0]: header.type_id
             unread 0 20..21 '' frame[1]: frame.filled"#,
        ),
        (
            "a length of zero is no frame",
            &[damaged.clone(), words(&[0]), framed(&int(8))],
            r#"
             0: 8
             unread - 4..12 '' frame[0]: header.type_id
             unread - 16..16 '' frame[1]: input.complete"#,
        ),
        (
            "a length of less than a word",
            &[words(&[12, 2, 7, 0]), words(&[0, 2, 0])],
            r#"
             0: 7
             1: 0
             unread 0 12..16 '' frame[0]: frame.filled
             length 1 16..20 '' frame[1].length: frame.length"#,
        ),
    ];
    hold(rows, frames);
}

#[test]
fn frames_behind_damage_are_a_sequence_by_their_number_and_bytes() {
    // A length and a packet that are both wrong: the next frame is searched for.
    let lost = || words(&[0x4000, 0x63, 0xffff_ffff]);
    let junk = || vec![0xff; 8];
    let rows: Rows<'_> = &[
        (
            "one frame of 24 bytes, and more",
            &[lost(), framed(&text(16)), junk()],
            r#"
             length - 0..4 '' frame[0].packet: input.complete
             unread - 4..48 '' frame[0]: header.type_id"#,
        ),
        (
            "one frame of 60 bytes, and more",
            &[lost(), framed(&text(52)), junk()],
            r#"
             length - 0..4 '' frame[0].packet: input.complete
             unread - 4..84 '' frame[0]: header.type_id"#,
        ),
        (
            "one frame of 64 bytes, and more",
            &[lost(), framed(&text(56)), junk()],
            r#"
             0: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
             length - 0..4 '' frame[0].packet: input.complete
             unread - 4..12 '' frame[0]: header.type_id
             length - 80..84 '' frame[2].length: frame.length
             unread - 84..88 '' frame[2]: header.type_id"#,
        ),
        (
            "one frame of 24 bytes, at the end",
            &[lost(), framed(&text(16))],
            r#"
             0: "xxxxxxxxxxxxxxxx"
             length - 0..4 '' frame[0].packet: input.complete
             unread - 4..12 '' frame[0]: header.type_id"#,
        ),
        (
            "one frame of 20 bytes, at the end",
            &[lost(), framed(&text(12))],
            r#"
             length - 0..4 '' frame[0].packet: input.complete
             unread - 4..36 '' frame[0]: header.type_id"#,
        ),
        (
            "two frames of 24 bytes, and more",
            &[lost(), framed(&text(4)), framed(&text(4)), junk()],
            r#"
             0: "xxxx"
             1: "xxxx"
             length - 0..4 '' frame[0].packet: input.complete
             unread - 4..12 '' frame[0]: header.type_id
             length - 44..48 '' frame[3].length: frame.length
             unread - 48..52 '' frame[3]: header.type_id"#,
        ),
        (
            "two frames of 20 bytes, and more",
            &[lost(), framed(&text(4)), framed(&int(7)), junk()],
            r#"
             length - 0..4 '' frame[0].packet: input.complete
             unread - 4..48 '' frame[0]: header.type_id"#,
        ),
        (
            "nulls have no weight",
            &[lost(), framed(&text(12)), framed(&[0; 4]), framed(&[0; 4]), junk()],
            r#"
             length - 0..4 '' frame[0].packet: input.complete
             unread - 4..60 '' frame[0]: header.type_id"#,
        ),
        (
            "nulls up to the end",
            &[lost(), framed(&[0; 4]).repeat(6)],
            r#"
             length - 0..4 '' frame[0].packet: input.complete
             unread - 4..60 '' frame[0]: header.type_id"#,
        ),
        (
            "a frame that is not filled is none of a sequence",
            &[lost(), words(&[28]), text(16), words(&[0xffff_ffff]), framed(&text(56)), junk()],
            r#"
             0: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
             length - 0..4 '' frame[0].packet: input.complete
             unread - 4..44 '' frame[0]: header.type_id
             length - 112..116 '' frame[2].length: frame.length
             unread - 116..120 '' frame[2]: header.type_id"#,
        ),
    ];
    hold(rows, frames);
}

#[test]
fn a_gap_ends_what_is_read_before_it_and_no_more() {
    let file = [framed(&int(7)), framed(&text(16)), framed(&int(8))].concat();
    // Frames at 0..12, 12..40 and 40..52; gaps are zeros.
    let rows = [
        (
            "no gap",
            0..0,
            r#"
             0: 7
             1: "xxxxxxxxxxxxxxxx"
             2: 8"#,
        ),
        (
            "up to the start of a frame",
            4..12,
            r#"
             0: "xxxxxxxxxxxxxxxx"
             1: 8
             unread - 4..4 '' frame[0]: input.complete
             unread - 4..12 '' frame[0]: input.complete"#,
        ),
        (
            "from the end of a packet on",
            40..44,
            r#"
             0: 7
             1: "xxxxxxxxxxxxxxxx"
             unread - 40..52 '' frame[2]: frame.length"#,
        ),
        (
            "the letters",
            24..40,
            r#"
             0: 7
             1: 8
             unread - 24..24 '' frame[1].string.bytes: input.complete
             unread - 24..40 '' frame[1]: input.complete"#,
        ),
        (
            "the last letters",
            36..40,
            r#"
             0: 7
             1: 8
             unread - 24..36 '' frame[1].string.bytes: input.complete
             unread - 36..40 '' frame[1]: input.complete"#,
        ),
        (
            "all of the last packet",
            44..52,
            r#"
             0: 7
             1: "xxxxxxxxxxxxxxxx"
             unread - 44..44 '' frame[2]: input.complete
             unread - 44..52 '' frame[2]: input.complete"#,
        ),
    ];
    let mut wrong = String::new();
    for (name, gap, expected) in rows {
        let mut bytes = file.clone();
        bytes[gap.clone()].fill(0);
        let gap = gap.start as u64..gap.end as u64;
        let gaps = if gap.is_empty() { &[][..] } else { std::slice::from_ref(&gap) };
        let found = told(&Decoder::new(G4).recover_frames(&bytes, ByteOrder::Little, gaps));
        let expected: String = expected.lines().map(|line| format!("{}\n", line.trim())).collect();
        if found != expected.trim_start() {
            let _ = writeln!(wrong, "{name}:\n{found}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A setting.
fn setting(name: &[u8], packet: &[u8]) -> Vec<u8> {
    [&words(&[name.len() as u32]), name, &framed(packet)].concat()
}

fn head(count: u32) -> Vec<u8> {
    [&b"ECFG"[..], &words(&[count])].concat()
}

#[test]
fn settings_behind_damage_are_found() {
    let damaged = || setting(b"bad", &broken());
    // The length of the packet of `a` is not that of its value.
    let long = |length: u32, more: &[u8]| {
        [&words(&[1]), &b"a"[..], &words(&[length]), &int(7), more].concat()
    };
    let rows: Rows<'_> = &[
        (
            "bytes behind the value, within the length",
            &[head(3), long(12, &[0xff; 4]), damaged(), setting(b"b", &int(8))],
            r#"
             0: {
             "a": 7,
             "b": 8
             }
             unread 0 25..29 'a' dictionary[0].value: settings.filled
             unread 0 40..48 'bad' dictionary[1].value: header.type_id"#,
        ),
        (
            "a setting behind the value, within the length",
            &[head(3), long(21, &setting(b"c", &int(9))), damaged(), setting(b"b", &int(8))],
            r#"
             0: {
             "a": 7,
             "b": 8,
             "c": 9
             }
             length 0 13..17 'a' dictionary[0].value.length: settings.filled
             unread 0 53..61 'bad' dictionary[2].value: header.type_id"#,
        ),
        (
            "a length that leads nowhere, and a value that does",
            &[head(3), long(10, &[]), setting(b"b", &int(8)), damaged()],
            r#"
             0: {
             "a": 7,
             "b": 8
             }
             length 0 13..17 'a' dictionary[0].value.length: settings.filled
             unread 0 53..61 'bad' dictionary[2].value: header.type_id"#,
        ),
        (
            "neither leads on",
            &[head(3), long(10, &[0xff; 8]), setting(b"b", &int(8)), setting(b"c", &int(9))],
            r#"
             0: {
             "a": 7,
             "b": 8,
             "c": 9
             }
             length 0 13..17 'a' dictionary[0].value.length: settings.filled
             unread 0 25..33 'a' dictionary[0].value: settings.filled"#,
        ),
        (
            "a packed array with a count beyond the last setting",
            &[head(2), setting(b"b", &int(8)), setting(b"a", &words(&[30, 4, 7, 8]))],
            r#"
             0: {
             "a": PackedInt32Array(7, 8),
             "b": 8
             }
             unread 0 50..50 'a' dictionary[1].value.packed_int32_array: input.complete"#,
        ),
        (
            "a packed array in an array, with a count beyond the last setting",
            &[head(1), setting(b"a", &words(&[28, 1, 30, 4, 7, 8]))],
            r#"
             0: {
             "a": [PackedInt32Array(7, 8)]
             }
             unread 0 41..41 'a/0' dictionary[0].value.array[0].packed_int32_array: input.complete"#,
        ),
        (
            "the same where a setting follows",
            &[head(2), setting(b"a", &words(&[28, 1, 30, 4, 7, 8])), setting(b"b", &int(8))],
            r#"
             0: {
             "a": [],
             "b": 8
             }
             unread 0 41..41 'a/0' dictionary[0].value.array[0].packed_int32_array: input.complete"#,
        ),
        (
            "an array with a count beyond the last setting",
            &[head(1), setting(b"a", &words(&[28, 4, 2, 7]))],
            r#"
             0: {
             "a": [7]
             }
             count 0 21..21 'a' dictionary[0].value.array: input.complete
             unread 0 33..33 'a/1' dictionary[0].value.array[1]: input.complete"#,
        ),
        (
            "an array with a count beyond a setting that others follow",
            &[head(2), setting(b"a", &words(&[28, 4, 2, 7])), setting(b"b", &int(8))],
            r#"
             0: {
             "a": [7],
             "b": 8
             }
             count 0 21..21 'a' dictionary[0].value.array: input.complete
             unread 0 33..33 'a/1' dictionary[0].value.array[1]: input.complete"#,
        ),
        (
            "a cut text in a setting that others follow",
            &[head(2), setting(b"a", &words(&[4, 40, 0x6161_6161])), setting(b"b", &int(8))],
            r#"
             0: {
             "b": 8
             }
             unread 0 25..29 'a' dictionary[0].value.string.bytes: input.complete"#,
        ),
        (
            "more settings than are announced",
            &[head(1), setting(b"a", &int(7)), setting(b"b", &int(8)), damaged()],
            r#"
             0: {
             "a": 7,
             "b": 8
             }
             unread 0 53..61 'bad' dictionary[2].value: header.type_id"#,
        ),
        (
            "other bytes behind the settings",
            &[head(2), setting(b"a", &int(7)), damaged(), vec![0xff; 12]],
            r#"
             0: {
             "a": 7
             }
             unread 0 36..44 'bad' dictionary[1].value: header.type_id
             unread 0 44..56 '' : input.trailing"#,
        ),
        (
            "less settings than are announced",
            &[head(3), setting(b"a", &int(7)), setting(b"b", &int(8))],
            r#"
             0: {
             "a": 7,
             "b": 8
             }
             unread 0 42..42 '' : input.complete"#,
        ),
        (
            "less settings, of which one is damaged",
            &[head(3), damaged(), setting(b"b", &int(8))],
            r#"
             0: {
             "b": 8
             }
             unread 0 19..27 'bad' dictionary[0].value: header.type_id"#,
        ),
        (
            "a name that is no text, before a packet that is one",
            &[head(2), setting(b"a\xffb", &int(7)), damaged()],
            r#"
             0: {
             "a�b": 7
             }
             text 0 12..15 'a�b' dictionary[0].key: settings.name
             unread 0 38..46 'bad' dictionary[1].value: header.type_id"#,
        ),
        (
            "a name with a control character, before a packet that is one",
            &[head(2), setting(b"a\nb", &int(7)), damaged()],
            r#"
             0: {
             "a
             b": 7
             }
             unread 0 38..46 'bad' dictionary[1].value: header.type_id"#,
        ),
        (
            "a name that is no text, before a packet that is none",
            &[
                head(2),
                setting(b"a\xffb", &broken()),
                setting(b"b", &int(8)),
                setting(b"c", &int(9)),
            ],
            r#"
             0: {
             "b": 8,
             "c": 9
             }
             text 0 12..15 'a�b' dictionary[0].key: settings.name
             unread 0 19..27 'a�b' dictionary[0].value: header.type_id"#,
        ),
        (
            "a wrong length of a name",
            &[
                head(3),
                words(&[0x2000_0000]),
                b"a".to_vec(),
                framed(&int(7)),
                setting(b"b", &int(8)),
                setting(b"c", &int(9)),
            ],
            r#"
             0: {
             "b": 8,
             "c": 9
             }
             unread 0 8..25 '' dictionary[0].key.name: input.complete"#,
        ),
        (
            "an empty name is read, and not searched for",
            &[head(2), setting(b"", &int(7)), words(&[0x2000_0000]), setting(b"", &int(8))],
            r#"
             0: {
             "": 7
             }
             unread 0 24..44 '' dictionary[1].key.name: input.complete"#,
        ),
        (
            "a packet of no whole words is read, and not searched for",
            &[
                head(2),
                words(&[0x2000_0000]),
                [&words(&[1]), &b"a"[..], &words(&[9]), &int(7), &[0]].concat(),
                setting(b"b", &int(8)),
            ],
            r#"
             0: {
             "b": 8
             }
             unread 0 8..30 '' dictionary[0].key.name: input.complete"#,
        ),
        (
            "an empty packet is not searched for",
            &[
                head(2),
                words(&[0x2000_0000]),
                setting(
                    b"a",
                    br#"
             0: {
             "b": 8
             }
             unread 0 8..21 '' dictionary[0].key.name: input.complete"#,
                ),
                setting(b"b", &int(8)),
            ],
            r#"
             0: {
             "b": 8
             }
             unread 0 8..144 '' dictionary[0].key.name: input.complete"#,
        ),
        (
            "a packet of no type is not searched for",
            &[
                head(2),
                words(&[0x2000_0000]),
                setting(b"a", &words(&[0xffff, 0])),
                setting(b"b", &int(8)),
            ],
            r#"
             0: {
             "b": 8
             }
             unread 0 8..29 '' dictionary[0].key.name: input.complete"#,
        ),
        (
            "a setting that leads to no other is not searched for",
            &[
                head(2),
                words(&[0x2000_0000]),
                setting(b"a", &int(7)),
                vec![0xff; 4],
                setting(b"b", &int(8)),
            ],
            r#"
             0: {
             "b": 8
             }
             unread 0 8..33 '' dictionary[0].key.name: input.complete"#,
        ),
        (
            "another head",
            &[b"ECFH".to_vec(), words(&[1]), setting(b"a", &int(7))],
            r#"
             0: {
             "a": 7
             }
             unread 0 0..8 '' settings.magic: settings.magic"#,
        ),
        (
            "a name in characters",
            &[head(2), words(&[1]), "é".into(), framed(&int(7)), damaged()],
            r#"
             0: {
             "é": 7
             }
             unread 0 37..45 'bad' dictionary[1].value: header.type_id"#,
        ),
    ];
    hold(rows, |bytes| settings::recover(bytes, &Decoder::new(G4)));
}
