//! The walk through a packet, compared with the decoder.

use super::{parts, shown};
use formwork_variant::codec::events::{Event, Leaf};
use formwork_variant::codec::{self, WarningCounts};
use formwork_variant::{Decoder, Rule};
use formwork_variant::{Real, Variant, VariantType};

/// Checks that the walk accepts and refuses what the decoder does, with the same error and the same warnings,
/// and that it visits the values that the decoder makes.
pub(super) fn walk<R: Real>(decoder: &Decoder<R>, bytes: &[u8]) {
    let (mut made_notes, mut walked_notes) = (WarningCounts::default(), WarningCounts::default());
    let made = decoder.decode_counting_warnings(bytes, &mut made_notes);
    let walked = decoder.walk_counting_warnings(bytes, &mut walked_notes).finish();
    let dialect = decoder.dialect();
    match (&made, &walked) {
        (Ok((value, length)), Ok(walked)) => {
            assert_eq!(length, walked, "{dialect}: {}", shown(value));
        }
        (Err(made), Err(walked)) => assert_eq!(made, walked, "{dialect}"),
        (Ok((value, _)), Err(error)) => panic!("{dialect}: {} is refused: {error}", shown(value)),
        (Err(error), Ok(length)) => panic!("{dialect}: {length} bytes are walked, but {error}"),
    }
    assert_eq!(made_notes, walked_notes, "{dialect}: {made:?}");
    let Ok((value, _)) = made else { return };
    let changed = [codec::rule::DICTIONARY_KEYS, codec::rule::CONTAINER_ELEMENT];
    let is_changed = |rule: Rule| made_notes.iter().any(|(note, _)| note.rule == rule);
    if !changed.into_iter().any(is_changed) {
        visits(decoder, bytes, &value);
    }
}

/// Checks that the walk visits the parts of the value in order.
fn visits<R: Real>(decoder: &Decoder<R>, bytes: &[u8], value: &Variant<R>) {
    let mut expected = vec![value];
    let mut walk = decoder.walk(bytes);
    while let Some(visit) = walk.next() {
        let visit = visit.unwrap_or_else(|error| panic!("it was walked before: {error}"));
        if visit.event == Event::End {
            continue;
        }
        let own = expected.pop().expect("the value holds so many");
        let is_object = visit.variant_type == VariantType::Object;
        assert!(is_object || own.variant_type() == visit.variant_type, "{}", shown(own));
        let packet = &bytes[visit.range.clone()];
        match visit.event {
            Event::Begin(begin) => {
                let parts = parts(own);
                assert!(parts.len() >= begin.count as usize, "{} of {}", shown(own), begin.count);
                expected.extend(parts.into_iter().rev());
                continue;
            }
            Event::Leaf(Leaf::Nil) => assert!(own.is_nil()),
            Event::Leaf(Leaf::Bool(value)) => assert_eq!(own.as_bool(), Some(value)),
            Event::Leaf(Leaf::Int(number)) => assert_eq!(own.as_int(), Some(number)),
            Event::Leaf(Leaf::Float(number)) => {
                assert_eq!(own.as_float().map(f64::to_bits), Some(number.to_bits()));
            }
            Event::Leaf(Leaf::String(text) | Leaf::StringName(text)) => {
                assert!(own.as_string().is_some_and(|own| *own == *text))
            }
            Event::Leaf(Leaf::Bytes(bytes)) => {
                assert_eq!(own, &Variant::PackedByteArray(bytes.to_vec()))
            }
            _ => {}
        }
        let made = walk.value(&visit).expect("it was read before");
        assert!(made.is_identical(own), "{} and {}", shown(&made), shown(own));
        assert_eq!(decoder.walk(packet).finish().ok(), Some(packet.len()), "{}", shown(own));
    }
    assert!(expected.is_empty());
}
