//! Packets that an adapter is checked with.

use crate::Format;
use formwork_alb1::{Document, Field, Text};
use formwork_variant::Variant;
use formwork_variant::codec::{Decoder, Encoder};
use formwork_variant::dialect::Dialect;
use formwork_variant::json::Json;
use formwork_variant::text::TextForm;

use crate::case::Reading;

/// Packets that an adapter is checked with.
pub(super) struct Samples {
    pub(super) reading: Reading,
}

impl Samples {
    /// A packet with this text in it; the canonical one.
    pub(super) fn text(&self, text: &str) -> Vec<u8> {
        match self.reading.format {
            Format::Variant(dialect) => value(&Variant::from(text), dialect),
            Format::Alb1 => document(text),
        }
    }

    /// The simplest packet: a null, or an empty document.
    pub(super) fn simple(&self) -> Vec<u8> {
        match self.reading.format {
            Format::Variant(dialect) => value(&Variant::Nil, dialect),
            Format::Alb1 => document(""),
        }
    }

    /// Bytes that no decoder of the format can take for a packet.
    pub(super) fn garbage(&self) -> Vec<u8> {
        vec![0xff; 16]
    }

    /// Whether bytes are a value or document in one of the forms that answers may have.
    pub(super) fn can_read(&self, bytes: &[u8]) -> bool {
        match self.reading.format {
            Format::Variant(dialect) => {
                let objects = self.reading.allow_objects;
                let decoder = Decoder::new(dialect).allow_objects(objects);
                decoder.double().decode(bytes).is_ok()
                    || Json::lossless(dialect).double().read(bytes).is_ok()
                    || std::str::from_utf8(bytes).is_ok_and(|text| {
                        TextForm::new(dialect).double().read(&text.into()).is_ok()
                    })
            }
            Format::Alb1 => {
                formwork_alb1::Reader::new().read(bytes).is_ok()
                    || formwork_alb1::json::from_json(bytes).is_ok()
                    || bytes.starts_with(b"(class)")
            }
        }
    }
}

fn value(value: &Variant, dialect: Dialect) -> Vec<u8> {
    Encoder::new(dialect).encode(value).unwrap_or_default()
}

/// A document with a field for each piece of the text.
fn document(text: &str) -> Vec<u8> {
    /// Less than a text of ALB1 may hold.
    const PIECE: usize = 1 << 15;
    let mut document = Document::new("CLayer");
    if let Some(name) = document.tags.id("mname") {
        for piece in text.as_bytes().chunks(PIECE) {
            if let Some(piece) = Text::new(&String::from_utf8_lossy(piece)) {
                document.root.fields.push(Field::new(name, piece));
            }
        }
    }
    document.to_vec().unwrap_or_default()
}
