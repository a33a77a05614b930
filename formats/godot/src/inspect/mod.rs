//! Describes every byte of a packet, from the declarations alone.
//!
//! The [`Inspector`] walks the [schema](formwork_records::schema) and the bytes together and returns a [`Span`] for
//! each packet, record and field in wire order. It knows only the declarations, not the values. This makes it the
//! base of `formwork dump`, and a second reader to compare with the [decoder](formwork_variant::codec).
//!
//! ```
//! use formwork_variant::Dialect;
//! use formwork_godot::inspect::Inspector;
//!
//! let bytes = [2, 0, 0, 0, 42, 0, 0, 0];
//! let spans: Vec<_> = Inspector::new(&bytes, Dialect::GODOT4).map(|span| span.unwrap()).collect();
//! let value = spans.last().unwrap();
//! assert_eq!((value.offset, value.value.to_string()), (4, "42".to_owned()));
//! ```

mod packets;

pub use formwork_records::inspect::{Inspect, Kind, Note, Span, SpanType, Summary, Tree, Value};
pub use packets::Inspector;

#[cfg(test)]
mod tests {
    use super::*;
    use formwork_variant::dialect::Dialect;

    /// `["ab", Vector2(1, -0.5), PackedInt32Array(1)]` of Godot 4, cut in the last number.
    const BYTES: &[u8] = &[
        28, 0, 0, 0, 3, 0, 0, 0, // Array of three
        4, 0, 0, 0, 2, 0, 0, 0, b'a', b'b', 0, 1, // String, padded with a one
        5, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 191, // Vector2
        30, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, // PackedInt32Array
    ];

    fn lines(tree: &Tree, inspector: Inspector<'_>) -> String {
        let mut out = Vec::new();
        tree.write(inspector, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_line_for_each_field_and_one_for_the_fault() {
        let expected = "\
offset    bytes                      field                       type                value
00000000                             packet                      Array               3 elements
00000000  1c 00 00 00                  header                    ArrayHeader         28 Array
00000004  03 00 00 00                  count                     ContainerCount      3
00000008                               [0]                       String              \"ab\"
00000008  04 00 00 00                    header                  PlainHeader         4 String
0000000c  02 00 00 00                    length                  u32                 2
00000010  61 62                          bytes                   u8[2]               \"ab\"
00000012  00 01                          padding                 Padding             (not zero)
00000014                               [1]                       Vector2             (1.0, -0.5)
00000014  05 00 00 00                    header                  WideHeader          5 Vector2
00000018  00 00 80 3f                    x                       f32                 1.0
0000001c  00 00 00 bf                    y                       f32                 -0.5
00000020                               [2]                       PackedInt32Array    [1]..
00000020  1e 00 00 00                    header                  PlainHeader         30 PackedInt32Array
00000024  02 00 00 00                    count                   u32                 2
00000028  01 00 00 00                    elements                i32[2]              [1]  (1 more announced than there are)
fault at offset 40 (0x28), array[2].packed_int32_array.elements: expected 2 elements of 4 bytes, found 6 left; at least 2 more bytes needed
0000002c  02 00                      undecoded                   bytes               2 bytes
";
        let shown = lines(&Tree::default(), Inspector::new(BYTES, Dialect::GODOT4));
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_is_closed_shows_its_bytes() {
        let shown =
            lines(&Tree::default().deepest(1).bytes(4), Inspector::new(BYTES, Dialect::GODOT4));
        let vector = "\n00000014  05 00 00 00..    [1] ";
        let string = "\n00000008  04 00 00 00..    [0] ";
        assert!(shown.contains(vector) && shown.contains(string), "{shown}");
        assert!(!shown.contains("  x  "));
    }
}
