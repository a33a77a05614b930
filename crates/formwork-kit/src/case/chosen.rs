//! Packets of chosen types only.

use crate::Format;
use formwork_variant::Real;
use formwork_variant::codec::Decoder;
use formwork_variant::dialect::{Dialect, Precision};
use formwork_variant::generate::Types;

/// The types that packets may be made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chosen {
    format: Format,
    types: Types,
}

impl Chosen {
    pub(super) const fn new(format: Format, types: Types) -> Self {
        Self { format, types }
    }

    /// Allows every type.
    pub(crate) const fn all(format: Format) -> Self {
        Self::new(format, Types::ALL)
    }

    /// Whether a packet says that it is of one of the types, and all that can be read of it is. (ALB1 files have no
    /// such types.)
    pub(super) fn allows(self, packet: &[u8]) -> bool {
        match self.format.dialect() {
            Some(_) if self.types == Types::ALL => true,
            Some(dialect) => match dialect.precision() {
                Precision::Single => self.allows_in::<f32>(dialect, packet),
                Precision::Double => self.allows_in::<f64>(dialect, packet),
            },
            None => true,
        }
    }

    fn allows_in<R: Real>(self, dialect: Dialect, packet: &[u8]) -> bool {
        let word = packet.first_chunk().map(|word| u32::from_le_bytes(*word));
        let row = word.and_then(|word| dialect.row(dialect.quirks().type_id(word)));
        if !row.is_some_and(|row| self.types.contains(row.variant_type)) {
            return false;
        }
        let decoder = Decoder::new(dialect).in_precision::<R>().allow_objects(true);
        // After a fault there are no more types.
        let mut read = decoder.walk(packet).map_while(Result::ok);
        read.all(|visit| self.types.contains(visit.variant_type))
    }
}
