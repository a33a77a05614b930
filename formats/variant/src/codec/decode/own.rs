//! The types that are not only numbers: the layout of the packets of each, and its reader.

use std::borrow::Cow;

use super::event::{Event, Held, Leaf};
use super::{Header, Reader};
use crate::dialect::payload::{self, Either, Once, Packet};
use crate::dialect::{BOOL, Dialect, EMPTY, ObjectForms, Quirks};
use crate::packet::{
    self, ArrayRecord, DictionaryRecord, ImageRecord, NodePathRecord, PackedBytes, PackedStrings,
    SignalRecord, Text,
};
use crate::{OwnType, Signal, VariantString, VariantType};
use formwork::Result;
use formwork::schema::Record;

/// Reads a value after its header; of a container, what is before its values. A payload that takes memory is made if it
/// is wanted.
type Read = for<'a> fn(&mut Reader<'a, '_>, Header, bool) -> Result<Event<'a>>;

impl Dialect {
    /// Returns the layout of a packet of this type: its header word and the fields after it.
    #[must_use]
    pub fn packet(self, variant_type: VariantType) -> Option<Packet> {
        self.row_of(variant_type)?;
        let quirks = self.quirks();
        let mut packet = payload::of_numbers(self, variant_type).unwrap_or_else(|own_type| {
            let (header, payload, _) = own(own_type, quirks);
            Packet { header, payload }
        });
        if quirks.whole_header {
            packet.header = packet::Header::Whole;
        }
        Some(packet)
    }
}

/// Returns the header of a type, the fields after it, and their reader.
pub(super) fn own(own: OwnType, quirks: &Quirks) -> (packet::Header, &'static Record, Read) {
    use packet::Header::{Array, Dictionary, Object, Plain, Wide};
    match own {
        OwnType::Nil => (Plain, EMPTY, |_, _, _| Ok(Event::Leaf(Leaf::Nil))),
        OwnType::Callable => (Plain, EMPTY, |_, _, _| Ok(Event::Leaf(Leaf::Callable))),
        OwnType::Bool => (Plain, BOOL, |reader, header, _| {
            Ok(Event::Leaf(Leaf::Bool(reader.bool(header.start)?)))
        }),
        OwnType::Int => {
            let read: Read = |reader, header, _| {
                Ok(Event::Leaf(Leaf::Int(reader.int(header.is_wide(), header.start)?)))
            };
            match quirks.whole_header {
                true => (Plain, &Once::<i32>::RECORD, read),
                false => (Wide, &Either::<i32, i64>::RECORD, read),
            }
        }
        OwnType::Float => {
            let read: Read = |reader, header, _| {
                Ok(Event::Leaf(Leaf::Float(reader.float(header.is_wide(), header.start)?)))
            };
            match quirks.whole_header {
                true => (Plain, &Once::<f32>::RECORD, read),
                false => (Wide, &Either::<f32, f64>::RECORD, read),
            }
        }
        OwnType::String => {
            (Plain, &Once::<Text<'static>>::RECORD, |reader, header, _| match reader.plain_text() {
                Some(text) => Ok(Event::Leaf(Leaf::String(text))),
                None => reader.other_string(header.variant_type),
            })
        }
        OwnType::StringName => {
            (Plain, &Once::<Text<'static>>::RECORD, |reader, header, _| match reader.plain_text() {
                Some(text) => Ok(Event::Leaf(Leaf::StringName(text))),
                None => reader.other_string(header.variant_type),
            })
        }
        OwnType::NodePath => {
            (Plain, &Once::<NodePathRecord<'static>>::RECORD, |reader, _, wants| {
                if !wants && reader.pass_plain_node_path() {
                    return Ok(Event::Leaf(Leaf::Passed(VariantType::NodePath)));
                }
                let path = reader.node_path()?;
                Ok(reader.held(VariantType::NodePath, Held::NodePath(Box::new(path))))
            })
        }
        OwnType::Rid if quirks.rid_id => (Plain, &Once::<u64>::RECORD, |reader, _, _| {
            Ok(Event::Leaf(Leaf::Rid(reader.read::<u64>()?)))
        }),
        OwnType::Rid => (Plain, EMPTY, |_, _, _| Ok(Event::Leaf(Leaf::Rid(0)))),
        OwnType::Object if quirks.objects == ObjectForms::HeaderOnly => {
            (Plain, EMPTY, |_, _, _| Ok(Event::Leaf(Leaf::NullObject)))
        }
        OwnType::Object => {
            (Object, payload::OBJECT, |reader, header, _| reader.object(header.word, header.start))
        }
        OwnType::Signal => (Plain, &Once::<SignalRecord<'static>>::RECORD, |reader, _, _| {
            let (name, object_id) =
                reader.named("name", |signal: SignalRecord<'_>| (signal.name, signal.object_id))?;
            let signal = Box::new(Signal { name, object_id });
            Ok(reader.held(VariantType::Signal, Held::Signal(signal)))
        }),
        OwnType::Dictionary => {
            let read: Read = |reader, header, _| reader.dictionary(header.word);
            match quirks.typed_dictionaries {
                true => (Dictionary, payload::TYPED_DICTIONARY, read),
                false => (Plain, &Once::<DictionaryRecord>::RECORD, read),
            }
        }
        OwnType::Array => {
            let read: Read = |reader, header, _| reader.array(header.word);
            match quirks.typed_arrays {
                true => (Array, payload::TYPED_ARRAY, read),
                false => (Plain, &Once::<ArrayRecord>::RECORD, read),
            }
        }
        OwnType::TypedArray | OwnType::PackedTypedArray => {
            (Object, payload::PANDEMONIUM_TYPED_ARRAY, |reader, header, _| {
                reader.pandemonium_typed_array(header.variant_type, header.word)
            })
        }
        OwnType::PackedByteArray => {
            (Plain, &Once::<PackedBytes<'static>>::RECORD, |reader, _, _| match reader.bytes()? {
                Cow::Borrowed(bytes) => Ok(Event::Leaf(Leaf::Bytes(bytes))),
                Cow::Owned(bytes) => {
                    Ok(reader.held(VariantType::PackedByteArray, Held::Bytes(bytes)))
                }
            })
        }
        OwnType::PackedStringArray => {
            (Plain, &Once::<PackedStrings<'static>>::RECORD, |reader, header, wants| {
                if !wants {
                    reader.strings(|_| ())?;
                    return Ok(Event::Leaf(Leaf::Passed(header.variant_type)));
                }
                let texts = reader.strings(VariantString::from)?;
                Ok(reader.held(header.variant_type, Held::Strings(texts)))
            })
        }
        OwnType::Image => (Plain, &Once::<ImageRecord<'static>>::RECORD, |reader, _, _| {
            let image = Box::new(reader.image()?);
            Ok(reader.held(VariantType::Image, Held::Image(image)))
        }),
        OwnType::InputEvent => {
            let fields = match quirks.joystick_value {
                true => payload::INPUT_EVENT,
                false => payload::INPUT_EVENT_2_0,
            };
            (Plain, fields, |reader, _, _| {
                let event = reader.input_event()?;
                Ok(reader.held(VariantType::InputEvent, Held::InputEvent(event)))
            })
        }
    }
}

impl<'a> Reader<'a, '_> {
    /// Holds a value that was made, and gives its event.
    fn held(&mut self, variant_type: VariantType, held: Held) -> Event<'a> {
        Event::Leaf(self.hold(variant_type, held))
    }
}
